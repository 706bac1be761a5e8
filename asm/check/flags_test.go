package check

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/arm64"
)

// flagLetters names the flags in the order of their bits: carry, parity, zero, sign and
// overflow.
const flagLetters = "CPZSO"

// A flagRow tells what instructions do to the flags, in the order of flagLetters: M
// modifies, ? leaves undefined, 0 and 1 set to a constant, - leaves alone. reads are the
// flags that decide the result.
type flagRow struct{ opcodes, flags, reads string }

// The opcodes whose count, if it is in CL, may be 0, and then they leave all flags alone.
var byCount = strings.Fields("SHL SAL SHR SAR ROL ROR RCL RCR")

// flagsAMD64 is Intel's manual, volume 1, appendix A ("EFLAGS cross-reference"), and for
// what that lacks (BMI, ADX, PTEST and the masks) the pages of the instructions in volume
// 2.
var flagsAMD64 = []flagRow{
	{"ADDB ADDW ADDL ADDQ SUBB SUBW SUBL SUBQ CMPB CMPW CMPL CMPQ NEGB NEGW NEGL NEGQ", "MMMMM", ""},
	{"ADCB ADCW ADCL ADCQ SBBB SBBW SBBL SBBQ", "MMMMM", "C"},
	{"INCB INCW INCL INCQ DECB DECW DECL DECQ", "-MMMM", ""},
	{"ANDB ANDW ANDL ANDQ ORB ORW ORL ORQ XORB XORW XORL XORQ TESTB TESTW TESTL TESTQ", "0MMM0", ""},
	{"BTW BTL BTQ", "M?-??", ""},
	{"IMULL IMULQ IMUL3W IMUL3L IMUL3Q MULL MULQ", "M???M", ""},
	{"DIVL DIVQ IDIVL IDIVQ", "?????", ""},
	{"SHLB SHLW SHLL SHLQ SALB SALW SALL SALQ SHRB SHRW SHRL SHRQ SARB SARW SARL SARQ", "MMMMM", ""},
	{"ROLB ROLW ROLL ROLQ RORB RORW RORL RORQ", "M---M", ""},
	{"RCLB RCLW RCLL RCLQ RCRB RCRW RCRL RCRQ", "M---M", "C"},
	{"BSFW BSFL BSFQ BSRW BSRL BSRQ", "??M??", ""},
	{"LZCNTW LZCNTL LZCNTQ TZCNTW TZCNTL TZCNTQ", "M?M??", ""},
	{"POPCNTW POPCNTL POPCNTQ", "00M00", ""},
	{"CLC", "0----", ""},
	{"STC", "1----", ""},
	{"CMC", "M----", "C"},
	{"ANDNL ANDNQ", "0?MM0", ""},
	{"BEXTRL BEXTRQ", "0?M?0", ""},
	{"BZHIL BZHIQ BLSIL BLSIQ BLSRL BLSRQ", "M?MM0", ""},
	{"BLSMSKL BLSMSKQ", "M?0M0", ""},
	{"ADCXL ADCXQ", "M----", "C"},
	{"ADOXL ADOXQ", "----M", "O"},
	{"PTEST VPTEST KTESTB KTESTW KTESTD KTESTQ KORTESTB KORTESTW KORTESTD KORTESTQ", "M0M00", ""},
}

// flagsARM64 is Arm's manual (DDI 0487, chapter C6) in the same letters, Z for zero and S
// for N: there is no parity.
var flagsARM64 = []flagRow{
	{"ADDS ADDSW SUBS SUBSW NEGS NEGSW CMP CMPW CMN CMNW", "M-MMM", ""},
	{"ADCS ADCSW SBCS SBCSW NGCS NGCSW", "M-MMM", "C"},
	{"ANDS ANDSW BICS BICSW TST TSTW", "0-MM0", ""},
	{"CCMP", "M-MMM", "Z"}, // with the condition EQ
}

// rows returns the rows by opcode.
func rows(t *testing.T, table []flagRow, opcodes map[string]effect) map[string]flagRow {
	t.Helper()
	m := make(map[string]flagRow)
	for _, row := range table {
		for _, opcode := range strings.Fields(row.opcodes) {
			m[opcode] = row
			if _, ok := opcodes[opcode]; !ok {
				t.Errorf("the table of opcodes has no %s", opcode)
			}
		}
	}
	return m
}

// branches are what asks for each of flagLetters alone.
var (
	branchesAMD64 = []string{"JCS", "JPS", "JEQ", "JMI", "JOS"}
	branchesARM64 = []string{"BHS", "", "BEQ", "BMI", "BVS"}
)

// carried tells, by flag, the path by which a secret decides a branch on it, "" if none
// does. fn has the five branches.
func carried(t *testing.T, a *Arch, fn *ir.Function, branches []string) [nflags]string {
	t.Helper()
	everywhere := *a
	everywhere.needs = func(*ir.Instruction) []string { return nil }
	var paths [nflags]string
	for _, text := range findings(everywhere.Function(fn, open)) {
		_, text, _ = strings.Cut(text, "instruction ")
		what, path, ok := strings.Cut(text, ": a branch depends on a secret: ")
		if k := slices.IndexFunc(branches, func(b string) bool { return b != "" && strings.Contains(what, "("+b+" ") }); ok && k >= 0 {
			paths[k] = path
		}
	}
	return paths
}

// For every form of every opcode that touches flags, and each of its sources: the flags
// that depend on it carry a secret to a branch, by the path from the argument through the
// instruction, and the others carry none.
func TestFlagsCarrySecrets(t *testing.T) {
	table := rows(t, flagsAMD64, opcodes)
	for opcode, e := range opcodes {
		if _, ok := table[opcode]; !ok && (e.writes != 0 || e.clears != 0) {
			t.Errorf("%s: the manual's table has no flags of it", opcode)
		}
	}
	tried := 0
	for opcode, row := range table {
		for _, i := range allForms(opcode) {
			sources := i.InputRegisters()
			if m := slices.IndexFunc(i.Operands, operand.IsMem); m >= 0 {
				if slices.ContainsFunc(i.Inputs, operand.IsMem) {
					sources = append(sources, nil) // memory
				}
				sources = slices.DeleteFunc(sources, func(r reg.Register) bool { return r == reg.R11 })
			}
			for _, source := range sources {
				tried++
				fn, load, at := flagKernel(t, i, source)
				got := carried(t, AMD64, fn, branchesAMD64)
				want := "the memory behind key → " + at
				if load != "" {
					want = "the memory behind key → " + load + " → " + at
				}
				for k, letter := range flagLetters {
					switch row.flags[k] {
					case 'M', '?':
						if got[k] != want {
							t.Errorf("%s, secret %v, flag %c: path %q, want %q", at, source, letter, got[k], want)
						}
					case '-':
						if got[k] != "" {
							t.Errorf("%s, secret %v, flag %c is not touched: path %q", at, source, letter, got[k])
						}
					}
				}
			}
		}
	}
	if tried < 300 {
		t.Errorf("%d sources tried", tried)
	}
}

// flagKernel returns a function in which all registers that i reads are public but the
// given one (nil: the memory at R11), and so are the flags; after i come the branches.
// It also returns the texts of the load of the secret, if there is one, and of i.
func flagKernel(t *testing.T, i *ir.Instruction, secret reg.Register) (fn *ir.Function, load, text string) {
	t.Helper()
	key, table := operand.Mem{Base: reg.R12}, operand.Mem{Base: reg.R13}
	loadAt, at := -1, -1
	fn = compile(t, routine{name: "f", build: func(c *build.Context) {
		// The pointers are in registers that no form has.
		c.MOVQ(reg.RAX, reg.R12)
		c.MOVQ(reg.RCX, reg.R13)
		c.MOVQ(reg.R13, reg.R11)
		n := 7
		if secret == nil {
			c.MOVQ(reg.R12, reg.R11)
			n++
		}
		done := make(map[reg.ID]bool)
		for _, r := range i.InputRegisters() {
			if r == reg.R11 || done[r.ID()] {
				continue
			}
			done[r.ID()] = true
			from := table
			if secret != nil && r.ID() == secret.ID() {
				from, loadAt = key, n
			}
			switch r.Kind() {
			case reg.KindGP:
				c.MOVQ(from, r.(reg.GPPhysical).As64())
			case reg.KindVector:
				c.VMOVDQU64(from, r.(reg.VecPhysical).AsZ())
			case reg.KindOpmask:
				c.KMOVQ(from, r)
			}
			n++
		}
		c.VZEROUPPER()
		c.XORL(reg.R15L, reg.R15L)
		n += 2
		at = n
		c.NOP()
		branchesOn(c)
	}}).Functions()[0]
	*fn.Instructions()[at] = *i
	f := &function{arch: AMD64, code: fn.Instructions()}
	if loadAt >= 0 {
		load = f.show(loadAt)
	}
	return fn, load, f.show(at)
}

// branchesOn ends a function with a branch on each flag.
func branchesOn(c *build.Context) {
	c.JCS(label("end"))
	c.JPS(label("end"))
	c.JEQ(label("end"))
	c.JMI(label("end"))
	c.JOS(label("end"))
	c.NOP()
	c.Label("end")
	c.RET()
}

// Flags that are secret before an instruction stay so where it leaves them alone, and
// where it reads one they make its result secret; where it sets others from public
// values, they are public.
func TestSecretFlagsBefore(t *testing.T) {
	table := rows(t, flagsAMD64, opcodes)
	for opcode, row := range table {
		for _, i := range allForms(opcode) {
			count := len(i.Operands) > 0 && i.Operands[0] == operand.Op(reg.CL) && slices.Contains(byCount, opcode[:len(opcode)-1])
			for _, before := range []string{"CPZSO", "C", "O"} {
				var place int
				fn := compile(t, routine{name: "f", build: func(c *build.Context) {
					c.MOVQ(reg.RCX, reg.R11)
					for _, r := range []reg.Register{reg.RAX, reg.RCX, reg.RDX, reg.RSI, reg.RDI, reg.R8, reg.R9, reg.R10, reg.R15} {
						c.MOVQ(at(reg.R11), r)
					}
					for _, r := range []reg.Register{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5} {
						c.VMOVDQU64(at(reg.R11), r)
					}
					for _, r := range []reg.Register{reg.K1, reg.K2, reg.K3, reg.K4, reg.K5} {
						c.KMOVQ(at(reg.R11), r)
					}
					c.VZEROUPPER()
					c.Load(c.Param("key"), reg.R12)
					c.XORL(reg.EBX, reg.EBX)
					switch before {
					case "CPZSO":
						c.ADDQ(at(reg.R12), reg.R15)
					case "C":
						c.ADCXQ(at(reg.R12), reg.R15)
					case "O":
						c.ADOXQ(at(reg.R12), reg.R15)
					}
					place = 4 + 1 + 9 + 6 + 5 + 4
					c.NOP()
					branchesOn(c)
				}}).Functions()[0]
				*fn.Instructions()[place] = *i
				got := carried(t, AMD64, fn, branchesAMD64)
				for k, letter := range flagLetters {
					was := strings.ContainsRune(before, letter)
					var want bool
					switch row.flags[k] {
					case 'M', '?':
						want = row.reads != "" && strings.Contains(before, row.reads) || count && was
					case '-':
						want = was
					}
					if (got[k] != "") != want {
						t.Errorf("%s, secret flags %s: flag %c: path %q", (&function{arch: AMD64, code: fn.Instructions()}).show(place), before, letter, got[k])
					}
				}
			}
		}
	}
}

// conditionRows are which flags each condition reads: for amd64 from Intel's manual, volume
// 1, appendix B, with Go's names for them, for arm64 from DDI 0487, table C1-1.
var (
	conditionRowsAMD64 = map[string]string{
		"OS": "O", "O": "O", "OC": "O", "NO": "O",
		"CS": "C", "B": "C", "C": "C", "LO": "C", "NAE": "C", "CC": "C", "AE": "C", "HS": "C", "NB": "C", "NC": "C",
		"EQ": "Z", "E": "Z", "Z": "Z", "NE": "Z", "NZ": "Z",
		"LS": "CZ", "BE": "CZ", "NA": "CZ", "HI": "CZ", "A": "CZ", "NBE": "CZ",
		"MI": "S", "S": "S", "PL": "S", "NS": "S",
		"PS": "P", "P": "P", "PE": "P", "PC": "P", "NP": "P", "PO": "P",
		"LT": "SO", "L": "SO", "NGE": "SO", "GE": "SO", "NL": "SO",
		"LE": "ZSO", "NG": "ZSO", "GT": "ZSO", "G": "ZSO", "NLE": "ZSO",
	}
	conditionRowsARM64 = map[string]string{
		"EQ": "Z", "NE": "Z", "HS": "C", "LO": "C", "MI": "S", "PL": "S", "VS": "O", "VC": "O",
		"HI": "CZ", "LS": "CZ", "GE": "SO", "LT": "SO", "GT": "ZSO", "LE": "ZSO",
	}
)

// reads tells which flags, secret alone, make an instruction's result secret or are
// refused as what it decides by.
func reads(a *Arch, i *ir.Instruction) string {
	var out []byte
	for k := range nflags {
		f := &function{arch: a, code: []*ir.Instruction{i}}
		s := new(state)
		s.flag[k] = &origin{what: "a flag"}
		f.step(s, 0)
		secret := len(f.found) > 0
		for _, r := range a.written(i) {
			secret = secret || s.get(r).secret != nil
		}
		for k2, o := range s.flag {
			secret = secret || k2 != k && o != nil
		}
		if secret {
			out = append(out, flagLetters[k])
		}
	}
	return string(out)
}

func TestConditions(t *testing.T) {
	seen := make(map[string]bool)
	for opcode, e := range opcodes {
		name := ""
		for _, stem := range []string{"CMOVW", "CMOVL", "CMOVQ", "SET", "J"} {
			if rest, ok := strings.CutPrefix(opcode, stem); ok {
				name = rest
				break
			}
		}
		want, ok := conditionRowsAMD64[name]
		if !ok {
			if e.kind == branch {
				t.Errorf("%s: the manual has no such condition", opcode)
			}
			continue
		}
		seen[name] = true
		i := &ir.Instruction{Opcode: opcode, Operands: []operand.Op{reg.RSI, reg.RDI}}
		switch {
		case e.kind == branch:
			i.Operands = []operand.Op{label("end")}
		case strings.HasPrefix(opcode, "SET"):
			i.Operands = []operand.Op{reg.SIB}
		}
		if got := reads(AMD64, i); got != want {
			t.Errorf("%s reads the flags %q, the manual says %q", opcode, got, want)
		}
	}
	for name := range conditionRowsAMD64 {
		if !seen[name] {
			t.Errorf("no opcode for the condition %s", name)
		}
	}
}

func TestConditionsARM64(t *testing.T) {
	branches := 0
	for opcode, e := range opcodesARM64 {
		if want, ok := conditionRowsARM64[strings.TrimPrefix(opcode, "B")]; ok && opcode[0] == 'B' {
			branches++
			i := &ir.Instruction{Opcode: opcode, Operands: []operand.Op{label("end")}}
			if got := reads(ARM64, i); got != want {
				t.Errorf("%s reads the flags %q, the manual says %q", opcode, got, want)
			}
		} else if e.kind == branch && e.reads != 0 {
			t.Errorf("%s: the manual has no such condition", opcode)
		}
	}
	if branches != len(conditionRowsARM64) {
		t.Errorf("%d branches on a condition, want %d", branches, len(conditionRowsARM64))
	}
	conditional := 0
	for name, want := range conditionRowsARM64 {
		for _, i := range allFormsARM64("", arm64.Condition(name)) {
			if !slices.Contains(i.Operands, operand.Op(arm64.Condition(name))) || slices.ContainsFunc(i.Operands, notGeneral) {
				continue
			}
			conditional++
			if got := reads(ARM64, i); got != want {
				t.Errorf("%s %s reads the flags %q, the manual says %q", i.Opcode, name, got, want)
			}
		}
	}
	if conditional < 14*(2*9+1) { // CSEL and its eight kin, each for 32 bits too, and CCMP
		t.Errorf("%d conditional instructions tried", conditional)
	}
}

// allFormsARM64 returns one opcode, or all, in every form of asm/arm64, with a condition
// where there is one.
func allFormsARM64(opcode string, cond arm64.Condition) []*ir.Instruction {
	var all []*ir.Instruction
	methods := reflect.TypeFor[*arm64.Context]()
	for m := range methods.NumMethod() {
		name, _, _ := strings.Cut(methods.Method(m).Name, "_")
		if _, ok := opcodesARM64[name]; !ok || opcode != "" && name != opcode {
			continue
		}
		c := arm64.NewContext()
		c.Function("f")
		call := reflect.ValueOf(c).Method(m)
		argumentsOf(call.Type(), func(args []reflect.Value) {
			args = slices.Clone(args)
			for k := range args {
				if args[k].Type() == reflect.TypeFor[arm64.Condition]() {
					args[k] = reflect.ValueOf(cond)
				}
			}
			call.Call(args)
		})
		f, _ := c.Result()
		all = append(all, f.Functions()[0].Instructions()...)
	}
	return all
}

func TestFlagsCarrySecretsARM64(t *testing.T) {
	table := rows(t, flagsARM64, opcodesARM64)
	for opcode, e := range opcodesARM64 {
		if _, ok := table[opcode]; !ok && (e.writes != 0 || e.clears != 0) {
			t.Errorf("%s: the manual's table has no flags of it", opcode)
		}
	}
	for opcode, row := range table {
		all := allFormsARM64(opcode, arm64.EQ)
		if len(all) == 0 {
			t.Errorf("%s: no form", opcode)
		}
		for _, i := range all {
			if slices.ContainsFunc(i.Operands, notGeneral) {
				continue // the assembler has no such form
			}
			for _, source := range i.InputRegisters() {
				fn, load, at := flagKernelARM64(t, i, source, "")
				got := carried(t, ARM64, fn, branchesARM64)
				want := "the memory behind key → " + load + " → " + at
				for k, letter := range flagLetters {
					switch row.flags[k] {
					case 'M':
						if got[k] != want {
							t.Errorf("%s, secret %s, flag %c: path %q, want %q", at, source.Asm(), letter, got[k], want)
						}
					case '0', '-':
						if got[k] != "" {
							t.Errorf("%s, secret %s, flag %c is not of it: path %q", at, source.Asm(), letter, got[k])
						}
					}
				}
			}
			if got := reads(ARM64, i); got != row.reads {
				t.Errorf("%s reads the flags %q, the manual says %q", i.Opcode, got, row.reads)
			}
		}
	}
}

// notGeneral reports whether an operand is neither a general register, shifted or not,
// nor a number or a condition.
func notGeneral(op operand.Op) bool {
	switch op.(type) {
	case arm64.GP, arm64.Shifted, operand.Constant, arm64.Condition:
		return false
	}
	return true
}

func TestSecretFlagsBeforeARM64(t *testing.T) {
	for opcode, row := range rows(t, flagsARM64, opcodesARM64) {
		for _, i := range allFormsARM64(opcode, arm64.EQ) {
			if slices.ContainsFunc(i.Operands, notGeneral) {
				continue
			}
			for _, before := range []string{"CZSO", "ZS"} {
				fn, _, at := flagKernelARM64(t, i, nil, before)
				got := carried(t, ARM64, fn, branchesARM64)
				for k, letter := range flagLetters {
					want := row.flags[k] == 'M' && row.reads != "" && strings.Contains(before, row.reads)
					if (got[k] != "") != want {
						t.Errorf("%s, secret flags %s: flag %c: path %q", at, before, letter, got[k])
					}
				}
			}
		}
	}
}

// flagKernelARM64 is flagKernel for arm64. The flags are secret that before names: all, or
// Z and S.
func flagKernelARM64(t *testing.T, i *ir.Instruction, secret reg.Register, before string) (fn *ir.Function, load, text string) {
	t.Helper()
	loadAt, at := -1, -1
	fn = compileARM64(t, routineARM64{name: "f", build: func(c *arm64.Context) {
		n := 4
		done := make(map[reg.ID]bool)
		c.MOVD(r[0], r[13])
		c.MOVD(r[2], r[14])
		n += 2
		for _, x := range i.InputRegisters() {
			if done[x.ID()] {
				continue
			}
			done[x.ID()] = true
			from := operand.Mem{Base: r[14]}
			if secret != nil && x.ID() == secret.ID() {
				from, loadAt = operand.Mem{Base: r[13]}, n
			}
			c.MOVD(from, r[x.ID().Index()])
			n++
		}
		switch before {
		case "CZSO":
			c.MOVD(operand.Mem{Base: r[13]}, r[15])
			c.CMP(imm(0), r[15])
		case "ZS":
			c.MOVD(operand.Mem{Base: r[13]}, r[15])
			c.TST(r[15], r[15])
		default:
			c.MOVD(imm(0), r[15])
			c.CMP(imm(0), r[15])
		}
		n += 2
		at = n
		c.NOOP()
		c.BHS("end")
		c.BEQ("end")
		c.BMI("end")
		c.BVS("end")
		c.NOOP()
		c.Label("end")
		c.RET()
	}}).Functions()[0]
	*fn.Instructions()[at] = *i
	f := &function{arch: ARM64, code: fn.Instructions()}
	if loadAt >= 0 {
		load = f.show(loadAt)
	}
	return fn, load, f.show(at)
}

// Idioms are the instructions whose result is the same for all values of two equal
// sources: x - x, x ^ x, x &^ x and comparisons, by definition; with SBB, for each carry.
var (
	idiomsAMD64 = strings.Fields(`
		SUBB SUBW SUBL SUBQ SBBB SBBW SBBL SBBQ XORB XORW XORL XORQ
		PANDN PXOR PSUBB PSUBW PSUBL PSUBQ PCMPEQB PCMPEQW PCMPEQL PCMPEQQ PCMPGTB PCMPGTW PCMPGTL PCMPGTQ
		VPANDN VPANDND VPANDNQ VPXOR VPXORD VPXORQ VPSUBB VPSUBW VPSUBD VPSUBQ VPSUBSB VPSUBSW VPSUBUSB VPSUBUSW
		VPCMPEQB VPCMPEQW VPCMPEQD VPCMPEQQ VPCMPGTB VPCMPGTW VPCMPGTD VPCMPGTQ
		KANDNB KANDNW KANDND KANDNQ KXORB KXORW KXORD KXORQ KXNORB KXNORW KXNORD KXNORQ`)
	idiomsARM64 = strings.Fields("SUB SUBW SUBS SUBSW EOR EORW EON EONW BIC BICW BICS BICSW VSUB VEOR VCMEQ")
)

// equalSources checks, for instructions in forms of the given operands with equal
// sources, that their result is public if they are named, and secret otherwise.
func equalSources(t *testing.T, a *Arch, all []*ir.Instruction, idioms []string) {
	t.Helper()
	tried := make(map[string]bool)
	for _, i := range all {
		last := len(i.Operands) - 1
		e, _ := a.effect(i)
		if last < 1 || !e.writesOperand(last, last+1) || e.kind == swap {
			continue
		}
		// The sources are the operands but the last, and that too if it is read. Masked
		// forms differ only in what they merge.
		i := *i
		i.Operands = slices.Clone(i.Operands)
		var source operand.Op
		registers := 0
		if a == AMD64 && writeMask(i.Opcode, i.Operands) >= 0 {
			continue
		}
		for k, op := range i.Operands[:last] {
			r, ok := op.(reg.Register)
			if !ok {
				continue
			}
			if source == nil {
				source = op
			}
			if s := source.(reg.Register); s.Kind() == r.Kind() && s.Size() == r.Size() {
				i.Operands[k] = source
				registers++
			}
		}
		if source == nil || slices.ContainsFunc(i.Operands, operand.IsMem) {
			continue
		}
		if e.kind == modify && a == AMD64 {
			r, ok := i.Operands[last].(reg.Register)
			if s := source.(reg.Register); !ok || r.Kind() != s.Kind() || r.Size() != s.Size() {
				continue
			}
			i.Operands[last] = source
			registers++
		}
		out, ok := i.Operands[last].(reg.Register)
		if registers < 2 || !ok {
			continue
		}
		f := &function{arch: a, code: []*ir.Instruction{&i}}
		s := new(state)
		s.set(out, value{})
		if e.kind == modify {
			s.set(out, value{secret: &origin{what: "a secret"}})
		}
		s.set(source.(reg.Register), value{secret: &origin{what: "a secret"}})
		f.step(s, 0)
		idiom := slices.Contains(idioms, i.Opcode)
		tried[i.Opcode] = true
		// Of a register of 16 bits the rest stays, which is not told apart.
		if secret := s.get(out).secret != nil; secret == idiom && out.Size() != 2 {
			t.Errorf("%s: the result is secret: %v", f.show(0), secret)
		}
		if e.writes != 0 {
			for k := range nflags {
				if secret := s.flag[k] != nil; e.writes&(1<<k) != 0 && secret == idiom {
					t.Errorf("%s: flag %c is secret: %v", f.show(0), flagLetters[k], secret)
				}
			}
		}
	}
	for _, opcode := range idioms {
		if !tried[opcode] {
			t.Errorf("%s was not tried", opcode)
		}
	}
}

func TestEqualSources(t *testing.T) {
	var all []*ir.Instruction
	for opcode := range opcodes {
		all = append(all, allForms(opcode)...)
	}
	equalSources(t, AMD64, all, idiomsAMD64)
}

func TestEqualSourcesARM64(t *testing.T) {
	equalSources(t, ARM64, allFormsARM64("", arm64.EQ), idiomsARM64)
}
