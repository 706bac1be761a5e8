package check

import (
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/arm64"
)

// ARM64 is the architecture of what asm/arm64 makes.
var ARM64 = &Arch{
	name: "arm64",
	tiers: map[string][]string{
		"neon": {"asimd"},
		"sha2": {"sha2", "asimd"},
		"mul":  {"asimd"},
	},
	words:     map[string]string{"asimd": "ASIMD", "sha2": "SHA2"},
	implied:   map[string][]string{"SHA2": {"ASIMD"}},
	needs:     func(i *ir.Instruction) []string { return i.ISA },
	effect:    effectARM64,
	pointer:   pointerARM64,
	target:    func(i *ir.Instruction) string { l, _ := arm64.Target(i); return string(l) },
	memory:    arm64.Memory,
	registers: arm64.Registers,
	reserved:  func(_ *ir.Function, r reg.Register) string { return arm64.Reserved(r) },
	stack:     int(arm64.RSP.ID().Index()),
	frame:     8, // the place of the link register is before it
}

// opcodesARM64 is the table of arm64. Time is by the instructions that the architecture
// lists for PSTATE.DIT (DDI 0487, "About the DIT bit"): what is not among them is slow
// here. That their time does not depend on their data is promised on processors with
// FEAT_DIT while the bit is 1. While it is 0, and on processors without it, the
// architecture promises nothing, and to pass the checks proves nothing of time there.
var opcodesARM64 = tableARM64()

// conditionsARM64 names the flags that each condition reads.
var conditionsARM64 = map[string]flags{
	"EQ": zero, "NE": zero,
	"HS": carry, "LO": carry,
	"MI": sign, "PL": sign,
	"VS": overflow, "VC": overflow,
	"HI": carry | zero, "LS": carry | zero,
	"GE": sign | overflow, "LT": sign | overflow,
	"GT": zero | sign | overflow, "LE": zero | sign | overflow,
}

func tableARM64() map[string]effect {
	t := make(map[string]effect)
	add := func(names string, e effect) {
		for _, name := range strings.Fields(names) {
			if _, ok := t[name]; ok {
				panic("check: two entries for " + name)
			}
			t[name] = e
		}
	}
	// both adds each name for 64 bits, and with a W for 32.
	both := func(names string, e effect) {
		add(names, e)
		for _, name := range strings.Fields(names) {
			add(name+"W", e)
		}
	}

	// Moves. The size is that of memory.
	add("MOVD FMOVD", effect{size: 8})
	add("MOVW MOVWU FMOVS", effect{size: 4})
	add("MOVH MOVHU", effect{size: 2})
	add("MOVB MOVBU", effect{size: 1})
	add("FMOVQ LDP STP", effect{size: 16})
	add("LDPW STPW", effect{size: 8})
	add("FLDPQ FSTPQ", effect{size: 32})
	add("PRFM", effect{kind: none})

	// Arithmetic and logic of general registers. Logic sets carry and overflow to 0.
	both("ADD NEG MUL MNEG MADD MSUB", effect{})
	both("SUB", effect{idiom: true})
	both("ADDS NEGS", effect{writes: all})
	both("SUBS", effect{writes: all, idiom: true})
	both("ADC SBC NGC", effect{reads: carry})
	both("ADCS SBCS NGCS", effect{reads: carry, writes: all})
	both("CMP CMN", effect{kind: read, writes: all})
	both("TST", effect{kind: read, writes: zero | sign, clears: carry | overflow})
	add("UMULH SMULH UMULL SMULL UMADDL SMADDL", effect{})
	both("UDIV SDIV", effect{slow: true})
	both("AND ORR ORN MVN LSL LSR ASR ROR EXTR UBFX SBFX UBFIZ CLZ RBIT REV", effect{})
	both("EOR BIC EON", effect{idiom: true})
	both("ANDS", effect{writes: zero | sign, clears: carry | overflow})
	both("BICS", effect{writes: zero | sign, clears: carry | overflow, idiom: true})
	both("BFI BFXIL", effect{kind: modify})

	// Conditions: effectARM64 adds the flags that they read.
	both("CSEL CSINC CSINV CSNEG CSET CSETM CINC CINV CNEG", effect{})
	add("CCMP", effect{kind: read, writes: all})
	for cond, f := range conditionsARM64 {
		add("B"+cond, effect{kind: branch, reads: f})
	}
	both("CBZ CBNZ", effect{kind: branch})
	add("TBZ TBNZ", effect{kind: branch})
	add("B", effect{kind: jump})
	add("RET", effect{kind: ret})
	add("NOOP", effect{kind: none})

	// Vectors.
	add("VLD1 VLD2 VLD3 VLD4 VLD1R VST1 VST2 VST3 VST4", effect{})
	add("VMOV VDUP VMOVI VEXT VZIP1 VZIP2 VUZP1 VUZP2 VTRN1 VTRN2 VTBL", effect{})
	add("VREV16 VREV32 VREV64 VRBIT VCNT", effect{})
	add("VADD VUMIN VUMAX VADDP VCMTST VADDV VUADDLV VUADDW VUADDW2 VAND VORR", effect{})
	add("VSUB VEOR VCMEQ", effect{idiom: true})
	add("VSHL VUSHR VUSHLL VUSHLL2 VUXTL VUXTL2", effect{})
	add("VTBX VBSL VBIT VBIF VSLI VSRI VUSRA", effect{kind: modify})
	add("SHA256H SHA256H2 SHA256SU0 SHA256SU1", effect{kind: modify})
	return t
}

// effectARM64 is the entry of the table, with what the operands decide.
func effectARM64(i *ir.Instruction) (effect, bool) {
	e, ok := opcodesARM64[i.Opcode]
	for n, op := range i.Operands {
		switch op := op.(type) {
		case arm64.Condition:
			e.reads |= conditionsARM64[string(op)]
		case arm64.List:
			if strings.HasPrefix(i.Opcode, "VLD") || strings.HasPrefix(i.Opcode, "VST") {
				for _, v := range op {
					e.size += v.Bytes()
				}
				if i.Opcode == "VLD1R" {
					e.size = op[0].LaneBytes()
				}
			}
		case arm64.Vec:
			if !op.IsLane() {
				continue
			}
			if n == len(i.Operands)-1 && e.kind == write { // the other lanes stay
				e.kind = modify
			}
			e.size = max(e.size, op.LaneBytes())
		}
	}
	return e, ok
}

// pointerARM64 is the pointer of ARM64.
func pointerARM64(f *function, s *state, n int, values []value, out value) value {
	i := f.code[n]
	ops := i.Operands
	v := value{}
	switch i.Opcode {
	case "MOVD":
		v = values[0]
		if a, ok := ops[0].(arm64.Address); ok {
			v = f.address(s, a.Mem)
		}
	case "CSEL":
		v = join(values[1], values[2])
	case "ADD", "SUB":
		b, a := values[0], values[1]
		if _, ok := ops[0].(arm64.Shifted); ok {
			b.at = bounds{}
			if b.ptr != nil {
				b.ptr = muddle
			}
		}
		v = minus(a, b)
		if i.Opcode == "ADD" {
			v = plus(a, b)
		}
	case "LSL", "LSR":
		c, ok := number(ops[0])
		if !ok || values[1].ptr != nil {
			return out
		}
		v.at = values[1].at.left(c)
		if i.Opcode == "LSR" {
			v.at = values[1].at.right(c)
		}
	case "AND":
		c, ok := number(ops[0])
		if v, ok = masked(values[1], c, ok); !ok {
			return out
		}
	default:
		return out
	}
	v.secret = out.secret
	return v
}
