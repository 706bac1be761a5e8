package check

import (
	"strings"

	"github.com/mmcloughlin/avo/reg"
)

// A flags value is a set of status flags. The auxiliary carry is left out: no
// instruction of the table reads it.
type flags uint8

const (
	carry flags = 1 << iota
	parity
	zero
	sign
	overflow

	all    = carry | parity | zero | sign | overflow
	nflags = 5
)

// A kind tells which operands an instruction reads and writes. Go's order puts the
// destination last.
type kind uint8

const (
	write   kind = iota // writes the last operand, reads the others
	modify              // reads all, writes the last
	read                // reads all
	swap                // reads and writes both
	product             // MULX: reads the first, writes the others
	address             // LEA: writes the last with the address of the first
	gather              // reads memory by vector index; clears the mask
	branch              // conditional
	jump
	ret
	none // neither: no operands, or a prefetch
	upper
	clearVectors
)

// An effect is what the checks know of an opcode. The table of effects is trusted,
// together with avo's encoder and Go's assembler.
type effect struct {
	kind kind
	// size is that of a memory operand, in bytes. 0 means that of the widest
	// vector register operand.
	size int
	// reads and writes are the flags that decide, and that depend on, the result;
	// clears are those set to a constant. Undefined flags count as written.
	reads, writes, clears flags
	// in and out are registers that the operands do not show.
	in, out []reg.Register
	// idiom marks results that do not depend on two equal sources.
	idiom bool
	// slow marks opcodes whose time depends on their operands, on some processor
	// of those that have the opcode.
	slow bool
	// byCount marks those whose time depends on a count in CL.
	byCount bool
	// maybe marks shifts by CL, which leave the flags alone when the count is 0.
	maybe bool
	// mask is the operand, counted from 1, of which the memory access depends.
	mask int
}

// opcodes is the table. What it does not hold, fails.
var opcodes = table()

// conditions names the flags that each condition code reads, by Go's names and
// Intel's.
var conditions = map[flags]string{
	carry:                  "CC CS AE B C HS LO NAE NB NC",
	zero:                   "EQ NE E Z NZ",
	sign:                   "MI PL S NS",
	overflow:               "OC OS O NO",
	parity:                 "PC PS P NP PE PO",
	carry | zero:           "HI LS A BE NA NBE",
	sign | overflow:        "GE LT L NL NGE",
	zero | sign | overflow: "GT LE G NG NLE",
}

func table() map[string]effect {
	t := make(map[string]effect)
	// add adds stem+suffix for each suffix, all in words separated by spaces.
	add := func(stems, suffixes string, e effect) {
		ends := strings.Fields(suffixes)
		if len(ends) == 0 {
			ends = []string{""}
		}
		for _, stem := range strings.Fields(stems) {
			for _, end := range ends {
				name := stem + end
				if _, ok := t[name]; ok {
					panic("check: two entries for " + name)
				}
				t[name] = e
			}
		}
	}
	// sized adds each stem for the operand sizes that the letters name.
	sized := func(stems, letters string, e effect) {
		sizes := map[rune]int{'B': 1, 'W': 2, 'L': 4, 'D': 4, 'Q': 8}
		for _, l := range letters {
			e.size = sizes[l]
			add(stems, string(l), e)
		}
	}
	gp := func(regs ...reg.Register) []reg.Register { return regs }

	// Moves between registers, memory and constants.
	sized("MOV", "BWLQ", effect{})
	add("MOVBLSX MOVBLZX MOVBQSX MOVBQZX MOVBWSX MOVBWZX", "", effect{size: 1})
	add("MOVWLSX MOVWLZX MOVWQSX MOVWQZX", "", effect{size: 2})
	add("MOVLQSX MOVLQZX", "", effect{size: 4})
	add("MOVBEWW", "", effect{size: 2})
	add("MOVBELL", "", effect{size: 4})
	add("MOVBEQQ", "", effect{size: 8})
	sized("MOVNTI", "LQ", effect{})
	sized("LEA", "WLQ", effect{kind: address})
	sized("XCHG", "BWLQ", effect{kind: swap})
	add("PREFETCHNTA PREFETCHT0 PREFETCHT1 PREFETCHT2", "", effect{kind: none})
	add("CDQ", "", effect{kind: none, in: gp(reg.EAX), out: gp(reg.EDX)})
	add("CQO", "", effect{kind: none, in: gp(reg.RAX), out: gp(reg.RDX)})

	// Arithmetic and logic of general registers. An AND, OR, XOR or TEST sets carry
	// and overflow to 0.
	sized("ADD NEG", "BWLQ", effect{kind: modify, writes: all})
	sized("SUB", "BWLQ", effect{kind: modify, writes: all, idiom: true})
	sized("ADC", "BWLQ", effect{kind: modify, reads: carry, writes: all})
	sized("SBB", "BWLQ", effect{kind: modify, reads: carry, writes: all, idiom: true})
	sized("CMP", "BWLQ", effect{kind: read, writes: all})
	sized("INC DEC", "BWLQ", effect{kind: modify, writes: all &^ carry})
	sized("AND OR", "BWLQ", effect{kind: modify, writes: parity | zero | sign, clears: carry | overflow})
	sized("XOR", "BWLQ", effect{kind: modify, writes: parity | zero | sign, clears: carry | overflow, idiom: true})
	sized("TEST", "BWLQ", effect{kind: read, writes: parity | zero | sign, clears: carry | overflow})
	sized("NOT", "BWLQ", effect{kind: modify})
	sized("BSWAP", "LQ", effect{kind: modify})
	sized("BT", "WLQ", effect{kind: read, writes: all &^ zero})
	sized("IMUL3", "WLQ", effect{writes: all})
	sized("IMUL", "LQ", effect{kind: modify, writes: all}) // the form with one operand: see lookup
	add("MULL", "", effect{kind: read, size: 4, writes: all, in: gp(reg.EAX), out: gp(reg.EAX, reg.EDX)})
	add("MULQ", "", effect{kind: read, size: 8, writes: all, in: gp(reg.RAX), out: gp(reg.RAX, reg.RDX)})
	add("DIVL IDIVL", "", effect{kind: read, size: 4, writes: all, slow: true, in: gp(reg.EAX, reg.EDX), out: gp(reg.EAX, reg.EDX)})
	add("DIVQ IDIVQ", "", effect{kind: read, size: 8, writes: all, slow: true, in: gp(reg.RAX, reg.RDX), out: gp(reg.RAX, reg.RDX)})
	sized("SHL SAL SHR SAR", "BWLQ", effect{kind: modify, writes: all, maybe: true})
	sized("ROL ROR", "BWLQ", effect{kind: modify, writes: carry | overflow, maybe: true})
	sized("RCL RCR", "BWLQ", effect{kind: modify, reads: carry, writes: carry | overflow, maybe: true, byCount: true})
	sized("BSF BSR", "WLQ", effect{kind: modify, writes: all, slow: true})
	sized("LZCNT TZCNT POPCNT", "WLQ", effect{writes: all})
	add("CLC STC", "", effect{kind: none, clears: carry})
	add("CMC", "", effect{kind: none, reads: carry, writes: carry})

	// BMI1, BMI2, ADX. Some processors run PDEP and PEXT in microcode whose time
	// depends on the mask.
	sized("ANDN BEXTR BZHI BLSI BLSMSK BLSR", "LQ", effect{writes: all})
	sized("PDEP PEXT", "LQ", effect{slow: true})
	sized("RORX SARX SHLX SHRX", "LQ", effect{})
	sized("ADCX", "LQ", effect{kind: modify, reads: carry, writes: carry})
	sized("ADOX", "LQ", effect{kind: modify, reads: overflow, writes: overflow})
	add("MULXL", "", effect{kind: product, size: 4, in: gp(reg.EDX)})
	add("MULXQ", "", effect{kind: product, size: 8, in: gp(reg.RDX)})

	// Conditions.
	for f, codes := range conditions {
		add("J", codes, effect{kind: branch, reads: f})
	}
	for f, codes := range conditions {
		for _, code := range strings.Fields(codes) {
			if len(code) == 2 && strings.Contains(" CC CS EQ GE GT HI LE LS LT MI NE OC OS PC PL PS ", " "+code+" ") {
				add("SET", code, effect{size: 1, reads: f})
				add("CMOVW", code, effect{kind: modify, size: 2, reads: f})
				add("CMOVL", code, effect{kind: modify, size: 4, reads: f})
				add("CMOVQ", code, effect{kind: modify, size: 8, reads: f})
			}
		}
	}
	add("JMP", "", effect{kind: jump})
	add("RET", "", effect{kind: ret})
	add("NOP LFENCE SFENCE MFENCE PAUSE", "", effect{kind: none})
	add("CPUID", "", effect{kind: none, slow: true, in: gp(reg.EAX, reg.ECX), out: gp(reg.EAX, reg.EBX, reg.ECX, reg.EDX)})

	// SSE: the destination is also a source, moves and shuffles excepted.
	add("MOVO MOVOA MOVOU MOVNTO MOVNTDQ MOVNTDQA MOVUPS MOVAPS PSHUFD PSHUFL PSHUFHW PSHUFLW", "", effect{size: 16})
	add("MOVD", "", effect{size: 8}) // Go's assembler takes MOVD for MOVQ
	add("PMOVMSKB", "", effect{})
	add("PMOVSXBD PMOVSXBQ PMOVSXBW PMOVSXDQ PMOVSXWD PMOVSXWQ PMOVZXBD PMOVZXBQ PMOVZXBW PMOVZXDQ PMOVZXWD PMOVZXWQ", "", effect{})
	add("PABSB PABSD PABSW", "", effect{})
	add("PADDB PADDD PADDL PADDQ PADDW PALIGNR PAND PBLENDVB PBLENDW POR PSHUFB", "", effect{kind: modify})
	add("PANDN PCMPEQB PCMPEQL PCMPEQQ PCMPEQW PCMPGTB PCMPGTL PCMPGTQ PCMPGTW PSUBB PSUBL PSUBQ PSUBW PXOR", "", effect{kind: modify, idiom: true})
	add("PACKSSLW PACKSSWB PACKUSDW PACKUSWB PADDUSB PADDUSW PSUBUSB PSUBUSW PAVGB PAVGW PSADBW", "", effect{kind: modify})
	add("PMADDUBSW PMADDWL PMULDQ PMULHRSW PMULHUW PMULHW PMULLD PMULLW PMULULQ", "", effect{kind: modify})
	add("PMAXSB PMAXSD PMAXSW PMAXUB PMAXUD PMAXUW PMINSB PMINSD PMINSW PMINUB PMINUD PMINUW", "", effect{kind: modify})
	add("PSLLDQ PSLLL PSLLO PSLLQ PSLLW PSRAL PSRAW PSRLDQ PSRLL PSRLO PSRLQ PSRLW", "", effect{kind: modify})
	add("PUNPCKHBW PUNPCKHLQ PUNPCKHQDQ PUNPCKHWL PUNPCKLBW PUNPCKLLQ PUNPCKLQDQ PUNPCKLWL", "", effect{kind: modify})
	add("PTEST", "", effect{kind: read, writes: zero | carry, clears: parity | sign | overflow})
	sized("PINSR", "BWDQ", effect{kind: modify})
	sized("PEXTR", "BWDQ", effect{})
	add("SHA256MSG1 SHA256MSG2 SHA256RNDS2", "", effect{kind: modify})

	// AVX, AVX2 and AVX-512: the destination is a source where it says so, and under
	// merge masking (see merges).
	add("VMOVD", "", effect{size: 4})
	add("VMOVQ", "", effect{size: 8})
	add("VMOVDQA VMOVDQA32 VMOVDQA64 VMOVDQU VMOVDQU8 VMOVDQU16 VMOVDQU32 VMOVDQU64 VMOVNTDQ VMOVNTDQA VMOVUPS VMOVAPS", "", effect{})
	add("VBROADCASTI128 VBROADCASTI32X4 VBROADCASTI64X2", "", effect{size: 16})
	add("VBROADCASTI32X2", "", effect{size: 8})
	add("VBROADCASTI32X8 VBROADCASTI64X4", "", effect{size: 32})
	sized("VPBROADCAST", "BWDQ", effect{})
	add("VPBROADCASTMB2Q VPBROADCASTMW2D", "", effect{})
	add("VINSERTI128 VINSERTI32X4 VINSERTI64X2 VEXTRACTI128 VEXTRACTI32X4 VEXTRACTI64X2", "", effect{size: 16})
	add("VINSERTI32X8 VINSERTI64X4 VEXTRACTI32X8 VEXTRACTI64X4", "", effect{size: 32})
	sized("VPINSR VPEXTR", "BWDQ", effect{})
	add("VPMOVMSKB", "", effect{})
	add("VPMOVB2M VPMOVW2M VPMOVD2M VPMOVQ2M VPMOVM2B VPMOVM2W VPMOVM2D VPMOVM2Q", "", effect{})
	add("VPMOVSX VPMOVZX", "BD BQ BW DQ WD WQ", effect{})
	add("VPABS", "B W D Q", effect{})
	add("VPADD", "B W D Q SB SW USB USW", effect{})
	add("VPSUB", "B W D Q SB SW USB USW", effect{idiom: true})
	add("VPAND VPOR", "D Q", effect{})
	add("VPAND VPOR", "", effect{})
	add("VPANDN VPXOR", "", effect{idiom: true})
	add("VPANDN VPXOR", "D Q", effect{idiom: true})
	add("VPTERNLOG", "D Q", effect{kind: modify})
	add("VPAVGB VPAVGW VPSADBW VPSIGNB VPSIGNW VPSIGND", "", effect{})
	add("VPMAX VPMIN", "SB SW SD SQ UB UW UD UQ", effect{})
	add("VPMUL", "DQ HRSW HUW HW LD LQ LW UDQ", effect{})
	add("VPMADDUBSW VPMADDWD VPMULTISHIFTQB", "", effect{})
	add("VPMADD52HUQ VPMADD52LUQ", "", effect{kind: modify})
	add("VPSLL", "D DQ Q W VD VQ VW", effect{})
	add("VPSRL", "D DQ Q W VD VQ VW", effect{})
	add("VPSRA", "D Q W VD VQ VW", effect{})
	add("VPROL VPROR", "D Q VD VQ", effect{})
	add("VPSHUFB VPSHUFD VPSHUFHW VPSHUFLW VPALIGNR VALIGND VALIGNQ VSHUFI32X4 VSHUFI64X2", "", effect{})
	add("VPBLENDD VPBLENDW VPBLENDVB", "", effect{})
	add("VPBLENDM", "B W D Q", effect{})
	add("VPERM2I128 VPERMB VPERMW VPERMD VPERMQ", "", effect{})
	add("VPERMI2 VPERMT2", "B W D Q", effect{kind: modify})
	add("VPUNPCK", "HBW HWD HDQ HQDQ LBW LWD LDQ LQDQ", effect{})
	add("VPACKSSDW VPACKSSWB VPACKUSDW VPACKUSWB", "", effect{})
	add("VPCMPEQ VPCMPGT", "B W D Q", effect{idiom: true})
	add("VPCMP VPCMPU", "B W D Q", effect{})
	add("VPTESTM VPTESTNM", "B W D Q", effect{})
	add("VPTEST", "", effect{kind: read, writes: zero | carry, clears: parity | sign | overflow})
	add("VPMASKMOVD VPMASKMOVQ", "", effect{mask: 2})
	add("VPGATHERDD VPGATHERDQ VPGATHERQD VPGATHERQQ", "", effect{kind: gather})
	add("VZEROUPPER", "", effect{kind: upper})
	add("VZEROALL", "", effect{kind: clearVectors})

	// Masks.
	sized("KMOV", "BWDQ", effect{})
	add("KADD KAND KOR", "B W D Q", effect{})
	add("KANDN KXOR KXNOR", "B W D Q", effect{idiom: true})
	add("KNOT KSHIFTL KSHIFTR", "B W D Q", effect{})
	add("KUNPCKBW KUNPCKWD KUNPCKDQ", "", effect{})
	add("KTEST KORTEST", "B W D Q", effect{kind: read, writes: zero | carry, clears: parity | sign | overflow})
	return t
}

// lookup returns the effect of an opcode with that many operands.
func lookup(opcode string, operands int) (effect, bool) {
	e, ok := opcodes[opcode]
	if ok && operands == 1 && (opcode == "IMULL" || opcode == "IMULQ") {
		return opcodes[strings.TrimPrefix(opcode, "I")], true // the same registers and flags as MUL
	}
	return e, ok
}
