package arm64

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/printer"
)

// compileText returns the assembly of what build builds, as a function f.
func compileText(t *testing.T, build func(c *Context)) string {
	t.Helper()
	c := NewContext()
	c.Function("f")
	c.Attributes(attr.NOSPLIT)
	build(c)
	f, err := c.Result()
	if err == nil {
		err = Compile(f)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := printer.NewGoAsm(printer.Config{Name: "test"}).Print(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// assembled is an instruction in the object file.
type assembled struct{ word, text string }

var listing = regexp.MustCompile(`(?m)^\s+\S+:\d+\s+0x[0-9a-f]+\s+([0-9a-f]{8})\s+[^\n]*?(?:// ([^\n]*?))?\s*$`)

// assemble runs Go's assembler on text, and returns what its disassembler makes of it, in
// the syntax of Arm's manual.
func assemble(t *testing.T, text string) []assembled {
	t.Helper()
	dir := t.TempDir()
	run := func(args ...string) []byte {
		cmd := exec.Command("go", append([]string{"tool"}, args...)...)
		cmd.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go tool %s: %v\n%s%s", args[0], err, out, &stderr)
		}
		return out
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	source, object := filepath.Join(dir, "f.s"), filepath.Join(dir, "f.o")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run("asm", "-p", "p", "-I", filepath.Join(strings.TrimSpace(string(root)), "pkg", "include"), "-o", object, source)
	var all []assembled
	for _, m := range listing.FindAllStringSubmatch(string(run("objdump", "-gnu", object)), -1) {
		all = append(all, assembled{m[1], m[2]})
	}
	return all
}

// active returns the instructions of the function.
func (c *Context) active() []*ir.Instruction {
	f, _ := c.avo.Result()
	return f.Functions()[0].Instructions()
}

// at is memory at a register.
func at(r GP, disp int) operand.Mem { return operand.Mem{Base: r, Disp: disp} }

func imm(x uint64) operand.Op { return operand.Imm(x) }

// forms holds every instruction, in each form that differs for the assembler, and what
// it is in the syntax of Arm's manual (DDI 0487, chapters C6 and C7), as Go's disassembler
// writes it.
var forms = []struct {
	build func(c *Context)
	want  string
}{
	{func(c *Context) { c.MOVD(R[1], R[2]) }, "mov x2, x1"},
	{func(c *Context) { c.MOVD(ZR, R[2]) }, "mov x2, xzr"},
	{func(c *Context) { c.MOVD(imm(7), R[2]) }, "orr x2, xzr, #0x7"},
	{func(c *Context) { c.MOVD(at(R[1], 16), R[2]) }, "ldr x2, [x1,#16]"},
	{func(c *Context) { c.MOVD(at(R[1], 0).Idx(R[3], 8), R[2]) }, "ldr x2, [x1,x3,lsl #3]"},
	{func(c *Context) { c.MOVD(at(R[1], 0).Idx(R[3], 1), R[2]) }, "ldr x2, [x1,x3]"},
	{func(c *Context) { c.MOVD(R[2], at(R[1], 16)) }, "str x2, [x1,#16]"},
	{func(c *Context) { c.MOVD(Address{at(RSP, 8)}, R[2]) }, "add x2, sp, #0x8"},
	{func(c *Context) { c.MOVD_P(at(R[1], 8), R[2]) }, "ldr x2, [x1],#8"},
	{func(c *Context) { c.MOVD_P(R[2], at(R[1], 8)) }, "str x2, [x1],#8"},
	{func(c *Context) { c.MOVD_W(at(R[1], 8), R[2]) }, "ldr x2, [x1,#8]!"},
	{func(c *Context) { c.MOVD_W(R[2], at(R[1], -8)) }, "str x2, [x1,#-8]!"},
	{func(c *Context) { c.MOVW(at(R[1], 4), R[2]) }, "ldrsw x2, [x1,#4]"},
	{func(c *Context) { c.MOVW(R[1], R[2]) }, "sxtw x2, w1"},
	{func(c *Context) { c.MOVW(R[2], at(R[1], 4)) }, "str w2, [x1,#4]"},
	{func(c *Context) { c.MOVW_P(at(R[1], 4), R[2]) }, "ldrsw x2, [x1],#4"},
	{func(c *Context) { c.MOVW_P(R[2], at(R[1], 4)) }, "str w2, [x1],#4"},
	{func(c *Context) { c.MOVWU(at(R[1], 4), R[2]) }, "ldr w2, [x1,#4]"},
	{func(c *Context) { c.MOVWU(R[1], R[2]) }, "mov w2, w1"},
	{func(c *Context) { c.MOVWU_P(at(R[1], 4), R[2]) }, "ldr w2, [x1],#4"},
	{func(c *Context) { c.MOVH(at(R[1], 2), R[2]) }, "ldrsh x2, [x1,#2]"},
	{func(c *Context) { c.MOVH(R[2], at(R[1], 2)) }, "strh w2, [x1,#2]"},
	{func(c *Context) { c.MOVH_P(R[2], at(R[1], 2)) }, "strh w2, [x1],#2"},
	{func(c *Context) { c.MOVHU(at(R[1], 2), R[2]) }, "ldrh w2, [x1,#2]"},
	{func(c *Context) { c.MOVHU_P(at(R[1], 2), R[2]) }, "ldrh w2, [x1],#2"},
	{func(c *Context) { c.MOVB(at(R[1], 1), R[2]) }, "ldrsb x2, [x1,#1]"},
	{func(c *Context) { c.MOVB(R[2], at(R[1], 1)) }, "strb w2, [x1,#1]"},
	{func(c *Context) { c.MOVB_P(R[2], at(R[1], 1)) }, "strb w2, [x1],#1"},
	{func(c *Context) { c.MOVBU(at(R[1], 1), R[2]) }, "ldrb w2, [x1,#1]"},
	{func(c *Context) { c.MOVBU(at(R[1], 0).Idx(R[3], 1), R[2]) }, "ldrb w2, [x1,x3]"},
	{func(c *Context) { c.MOVBU_P(at(R[1], 1), R[2]) }, "ldrb w2, [x1],#1"},
	{func(c *Context) { c.LDP(at(R[1], 16), Pair{R[2], R[3]}) }, "ldp x2, x3, [x1,#16]"},
	{func(c *Context) { c.LDP_P(at(R[1], 16), Pair{R[2], R[3]}) }, "ldp x2, x3, [x1],#16"},
	{func(c *Context) { c.LDPW(at(R[1], 8), Pair{R[2], R[3]}) }, "ldp w2, w3, [x1,#8]"},
	{func(c *Context) { c.LDPW_P(at(R[1], 8), Pair{R[2], R[3]}) }, "ldp w2, w3, [x1],#8"},
	{func(c *Context) { c.STP(Pair{R[2], ZR}, at(R[1], 16)) }, "stp x2, xzr, [x1,#16]"},
	{func(c *Context) { c.STP_P(Pair{R[2], R[3]}, at(R[1], 16)) }, "stp x2, x3, [x1],#16"},
	{func(c *Context) { c.STPW(Pair{R[2], R[3]}, at(R[1], 8)) }, "stp w2, w3, [x1,#8]"},
	{func(c *Context) { c.STPW_P(Pair{R[2], R[3]}, at(R[1], 8)) }, "stp w2, w3, [x1],#8"},
	{func(c *Context) { c.PRFM(at(R[1], 64), PLDL1KEEP) }, "prfm pldl1keep, [x1,#64]"},
	{func(c *Context) { c.PRFM(at(R[1], 64), PSTL1KEEP) }, "prfm pstl1keep, [x1,#64]"},
	{func(c *Context) { c.ADD(R[1], R[2], R[3]) }, "add x3, x2, x1"},
	{func(c *Context) { c.ADDW(R[1], R[2], R[3]) }, "add w3, w2, w1"},
	{func(c *Context) { c.ADDS(R[1], R[2], R[3]) }, "adds x3, x2, x1"},
	{func(c *Context) { c.ADDSW(R[1], R[2], R[3]) }, "adds w3, w2, w1"},
	{func(c *Context) { c.SUB(R[1], R[2], R[3]) }, "sub x3, x2, x1"},
	{func(c *Context) { c.SUBW(R[1], R[2], R[3]) }, "sub w3, w2, w1"},
	{func(c *Context) { c.SUBS(R[1], R[2], R[3]) }, "subs x3, x2, x1"},
	{func(c *Context) { c.SUBSW(R[1], R[2], R[3]) }, "subs w3, w2, w1"},
	{func(c *Context) { c.AND(R[1], R[2], R[3]) }, "and x3, x2, x1"},
	{func(c *Context) { c.ANDW(R[1], R[2], R[3]) }, "and w3, w2, w1"},
	{func(c *Context) { c.ANDS(R[1], R[2], R[3]) }, "ands x3, x2, x1"},
	{func(c *Context) { c.ANDSW(R[1], R[2], R[3]) }, "ands w3, w2, w1"},
	{func(c *Context) { c.ORR(R[1], R[2], R[3]) }, "orr x3, x2, x1"},
	{func(c *Context) { c.ORRW(R[1], R[2], R[3]) }, "orr w3, w2, w1"},
	{func(c *Context) { c.EOR(R[1], R[2], R[3]) }, "eor x3, x2, x1"},
	{func(c *Context) { c.EORW(R[1], R[2], R[3]) }, "eor w3, w2, w1"},
	{func(c *Context) { c.BIC(R[1], R[2], R[3]) }, "bic x3, x2, x1"},
	{func(c *Context) { c.BICW(R[1], R[2], R[3]) }, "bic w3, w2, w1"},
	{func(c *Context) { c.BICS(R[1], R[2], R[3]) }, "bics x3, x2, x1"},
	{func(c *Context) { c.BICSW(R[1], R[2], R[3]) }, "bics w3, w2, w1"},
	{func(c *Context) { c.ORN(R[1], R[2], R[3]) }, "orn x3, x2, x1"},
	{func(c *Context) { c.ORNW(R[1], R[2], R[3]) }, "orn w3, w2, w1"},
	{func(c *Context) { c.EON(R[1], R[2], R[3]) }, "eon x3, x2, x1"},
	{func(c *Context) { c.EONW(R[1], R[2], R[3]) }, "eon w3, w2, w1"},
	{func(c *Context) { c.ADC(R[1], R[2], R[3]) }, "adc x3, x2, x1"},
	{func(c *Context) { c.ADCW(R[1], R[2], R[3]) }, "adc w3, w2, w1"},
	{func(c *Context) { c.ADCS(R[1], R[2], R[3]) }, "adcs x3, x2, x1"},
	{func(c *Context) { c.ADCSW(R[1], R[2], R[3]) }, "adcs w3, w2, w1"},
	{func(c *Context) { c.SBC(R[1], R[2], R[3]) }, "sbc x3, x2, x1"},
	{func(c *Context) { c.SBCW(R[1], R[2], R[3]) }, "sbc w3, w2, w1"},
	{func(c *Context) { c.SBCS(R[1], R[2], R[3]) }, "sbcs x3, x2, x1"},
	{func(c *Context) { c.SBCSW(R[1], R[2], R[3]) }, "sbcs w3, w2, w1"},
	{func(c *Context) { c.MUL(R[1], R[2], R[3]) }, "mul x3, x2, x1"},
	{func(c *Context) { c.MULW(R[1], R[2], R[3]) }, "mul w3, w2, w1"},
	{func(c *Context) { c.MNEG(R[1], R[2], R[3]) }, "mneg x3, x2, x1"},
	{func(c *Context) { c.MNEGW(R[1], R[2], R[3]) }, "mneg w3, w2, w1"},
	{func(c *Context) { c.UDIV(R[1], R[2], R[3]) }, "udiv x3, x2, x1"},
	{func(c *Context) { c.UDIVW(R[1], R[2], R[3]) }, "udiv w3, w2, w1"},
	{func(c *Context) { c.SDIV(R[1], R[2], R[3]) }, "sdiv x3, x2, x1"},
	{func(c *Context) { c.SDIVW(R[1], R[2], R[3]) }, "sdiv w3, w2, w1"},
	{func(c *Context) { c.LSL(R[1], R[2], R[3]) }, "lsl x3, x2, x1"},
	{func(c *Context) { c.LSLW(R[1], R[2], R[3]) }, "lsl w3, w2, w1"},
	{func(c *Context) { c.LSR(R[1], R[2], R[3]) }, "lsr x3, x2, x1"},
	{func(c *Context) { c.LSRW(R[1], R[2], R[3]) }, "lsr w3, w2, w1"},
	{func(c *Context) { c.ASR(R[1], R[2], R[3]) }, "asr x3, x2, x1"},
	{func(c *Context) { c.ASRW(R[1], R[2], R[3]) }, "asr w3, w2, w1"},
	{func(c *Context) { c.ROR(R[1], R[2], R[3]) }, "ror x3, x2, x1"},
	{func(c *Context) { c.RORW(R[1], R[2], R[3]) }, "ror w3, w2, w1"},
	{func(c *Context) { c.UMULH(R[1], R[2], R[3]) }, "umulh x3, x2, x1"},
	{func(c *Context) { c.SMULH(R[1], R[2], R[3]) }, "smulh x3, x2, x1"},
	{func(c *Context) { c.UMULL(R[1], R[2], R[3]) }, "umull x3, w2, w1"},
	{func(c *Context) { c.SMULL(R[1], R[2], R[3]) }, "smull x3, w2, w1"},
	{func(c *Context) { c.UMADDL(R[1], R[2], R[3], R[4]) }, "umaddl x4, w3, w1, x2"},
	{func(c *Context) { c.SMADDL(R[1], R[2], R[3], R[4]) }, "smaddl x4, w3, w1, x2"},
	{func(c *Context) { c.MADD(R[1], R[2], R[3], R[4]) }, "madd x4, x3, x1, x2"},
	{func(c *Context) { c.MADDW(R[1], R[2], R[3], R[4]) }, "madd w4, w3, w1, w2"},
	{func(c *Context) { c.MSUB(R[1], R[2], R[3], R[4]) }, "msub x4, x3, x1, x2"},
	{func(c *Context) { c.MSUBW(R[1], R[2], R[3], R[4]) }, "msub w4, w3, w1, w2"},
	{func(c *Context) { c.ADD(imm(16), R[2], R[3]) }, "add x3, x2, #0x10"},
	{func(c *Context) { c.ADD(R[1].LSL(3), R[2], R[3]) }, "add x3, x2, x1, lsl #3"},
	{func(c *Context) { c.SUB(R[1].LSR(3), R[2], R[3]) }, "sub x3, x2, x1, lsr #3"},
	{func(c *Context) { c.ADDS(R[1].ASR(3), R[2], R[3]) }, "adds x3, x2, x1, asr #3"},
	{func(c *Context) { c.SUBS(imm(1), R[2], R[3]) }, "subs x3, x2, #0x1"},
	{func(c *Context) { c.EOR(R[1].ROR(3), R[2], R[3]) }, "eor x3, x2, x1, ror #3"},
	{func(c *Context) { c.EORW(R[1].ROR(3), R[2], R[3]) }, "eor w3, w2, w1, ror #3"},
	{func(c *Context) { c.AND(imm(0xff), R[2], R[3]) }, "and x3, x2, #0xff"},
	{func(c *Context) { c.ADCS(ZR, R[2], R[3]) }, "adcs x3, x2, xzr"},
	{func(c *Context) { c.NEG(R[1], R[2]) }, "neg x2, x1"},
	{func(c *Context) { c.NEGW(R[1], R[2]) }, "neg w2, w1"},
	{func(c *Context) { c.NEGS(R[1], R[2]) }, "negs x2, x1"},
	{func(c *Context) { c.NEGSW(R[1], R[2]) }, "negs w2, w1"},
	{func(c *Context) { c.NGC(R[1], R[2]) }, "ngc x2, x1"},
	{func(c *Context) { c.NGCW(R[1], R[2]) }, "ngc w2, w1"},
	{func(c *Context) { c.NGCS(R[1], R[2]) }, "ngcs x2, x1"},
	{func(c *Context) { c.NGCSW(R[1], R[2]) }, "ngcs w2, w1"},
	{func(c *Context) { c.CMP(R[1], R[2]) }, "cmp x2, x1"},
	{func(c *Context) { c.CMP(imm(64), R[2]) }, "cmp x2, #0x40"},
	{func(c *Context) { c.CMPW(R[1], R[2]) }, "cmp w2, w1"},
	{func(c *Context) { c.CMN(R[1], R[2]) }, "cmn x2, x1"},
	{func(c *Context) { c.CMNW(R[1], R[2]) }, "cmn w2, w1"},
	{func(c *Context) { c.TST(R[1], R[2]) }, "tst x2, x1"},
	{func(c *Context) { c.TSTW(imm(1), R[2]) }, "tst w2, #0x1"},
	{func(c *Context) { c.MVN(R[1], R[2]) }, "mvn x2, x1"},
	{func(c *Context) { c.MVNW(R[1], R[2]) }, "mvn w2, w1"},
	{func(c *Context) { c.LSL(imm(3), R[2], R[3]) }, "lsl x3, x2, #3"},
	{func(c *Context) { c.LSR(imm(3), R[2], R[3]) }, "lsr x3, x2, #3"},
	{func(c *Context) { c.ASR(imm(3), R[2], R[3]) }, "asr x3, x2, #3"},
	{func(c *Context) { c.ROR(imm(3), R[2], R[3]) }, "ror x3, x2, #3"},
	{func(c *Context) { c.RORW(imm(3), R[2], R[3]) }, "ror w3, w2, #3"},
	{func(c *Context) { c.EXTR(imm(3), R[1], R[2], R[3]) }, "extr x3, x2, x1, #3"},
	{func(c *Context) { c.EXTRW(imm(3), R[1], R[2], R[3]) }, "extr w3, w2, w1, #3"},
	{func(c *Context) { c.UBFX(imm(3), R[1], imm(5), R[2]) }, "ubfx x2, x1, #3, #5"},
	{func(c *Context) { c.UBFXW(imm(3), R[1], imm(5), R[2]) }, "ubfx w2, w1, #3, #5"},
	{func(c *Context) { c.SBFX(imm(3), R[1], imm(5), R[2]) }, "sbfx x2, x1, #3, #5"},
	{func(c *Context) { c.SBFXW(imm(3), R[1], imm(5), R[2]) }, "sbfx w2, w1, #3, #5"},
	{func(c *Context) { c.UBFIZ(imm(3), R[1], imm(5), R[2]) }, "ubfiz x2, x1, #3, #5"},
	{func(c *Context) { c.UBFIZW(imm(3), R[1], imm(5), R[2]) }, "ubfiz w2, w1, #3, #5"},
	{func(c *Context) { c.BFI(imm(3), R[1], imm(5), R[2]) }, "bfi x2, x1, #3, #5"},
	{func(c *Context) { c.BFIW(imm(3), R[1], imm(5), R[2]) }, "bfi w2, w1, #3, #5"},
	{func(c *Context) { c.BFXIL(imm(3), R[1], imm(5), R[2]) }, "bfxil x2, x1, #3, #5"},
	{func(c *Context) { c.BFXILW(imm(3), R[1], imm(5), R[2]) }, "bfxil w2, w1, #3, #5"},
	{func(c *Context) { c.CLZ(R[1], R[2]) }, "clz x2, x1"},
	{func(c *Context) { c.CLZW(R[1], R[2]) }, "clz w2, w1"},
	{func(c *Context) { c.RBIT(R[1], R[2]) }, "rbit x2, x1"},
	{func(c *Context) { c.RBITW(R[1], R[2]) }, "rbit w2, w1"},
	{func(c *Context) { c.REV(R[1], R[2]) }, "rev x2, x1"},
	{func(c *Context) { c.REVW(R[1], R[2]) }, "rev w2, w1"},
	{func(c *Context) { c.CSEL(EQ, R[1], R[2], R[3]) }, "csel x3, x1, x2, eq"},
	{func(c *Context) { c.CSEL(NE, R[1], R[2], R[3]) }, "csel x3, x1, x2, ne"},
	{func(c *Context) { c.CSEL(HS, R[1], R[2], R[3]) }, "csel x3, x1, x2, cs"},
	{func(c *Context) { c.CSEL(LO, R[1], R[2], R[3]) }, "csel x3, x1, x2, cc"},
	{func(c *Context) { c.CSEL(MI, R[1], R[2], R[3]) }, "csel x3, x1, x2, mi"},
	{func(c *Context) { c.CSEL(PL, R[1], R[2], R[3]) }, "csel x3, x1, x2, pl"},
	{func(c *Context) { c.CSEL(VS, R[1], R[2], R[3]) }, "csel x3, x1, x2, vs"},
	{func(c *Context) { c.CSEL(VC, R[1], R[2], R[3]) }, "csel x3, x1, x2, vc"},
	{func(c *Context) { c.CSEL(HI, R[1], R[2], R[3]) }, "csel x3, x1, x2, hi"},
	{func(c *Context) { c.CSEL(LS, R[1], R[2], R[3]) }, "csel x3, x1, x2, ls"},
	{func(c *Context) { c.CSEL(GE, R[1], R[2], R[3]) }, "csel x3, x1, x2, ge"},
	{func(c *Context) { c.CSEL(LT, R[1], R[2], R[3]) }, "csel x3, x1, x2, lt"},
	{func(c *Context) { c.CSEL(GT, R[1], R[2], R[3]) }, "csel x3, x1, x2, gt"},
	{func(c *Context) { c.CSEL(LE, R[1], R[2], R[3]) }, "csel x3, x1, x2, le"},
	{func(c *Context) { c.CSELW(EQ, R[1], R[2], R[3]) }, "csel w3, w1, w2, eq"},
	{func(c *Context) { c.CSINC(EQ, R[1], R[2], R[3]) }, "csinc x3, x1, x2, eq"},
	{func(c *Context) { c.CSINCW(EQ, R[1], R[2], R[3]) }, "csinc w3, w1, w2, eq"},
	{func(c *Context) { c.CSINV(EQ, R[1], R[2], R[3]) }, "csinv x3, x1, x2, eq"},
	{func(c *Context) { c.CSINVW(EQ, R[1], R[2], R[3]) }, "csinv w3, w1, w2, eq"},
	{func(c *Context) { c.CSNEG(EQ, R[1], R[2], R[3]) }, "csneg x3, x1, x2, eq"},
	{func(c *Context) { c.CSNEGW(EQ, R[1], R[2], R[3]) }, "csneg w3, w1, w2, eq"},
	{func(c *Context) { c.CSET(EQ, R[3]) }, "cset x3, eq"},
	{func(c *Context) { c.CSETW(EQ, R[3]) }, "cset w3, eq"},
	{func(c *Context) { c.CSETM(EQ, R[3]) }, "csetm x3, eq"},
	{func(c *Context) { c.CSETMW(EQ, R[3]) }, "csetm w3, eq"},
	{func(c *Context) { c.CINC(EQ, R[1], R[3]) }, "cinc x3, x1, eq"},
	{func(c *Context) { c.CINCW(EQ, R[1], R[3]) }, "cinc w3, w1, eq"},
	{func(c *Context) { c.CINV(EQ, R[1], R[3]) }, "cinv x3, x1, eq"},
	{func(c *Context) { c.CINVW(EQ, R[1], R[3]) }, "cinv w3, w1, eq"},
	{func(c *Context) { c.CNEG(EQ, R[1], R[3]) }, "cneg x3, x1, eq"},
	{func(c *Context) { c.CNEGW(EQ, R[1], R[3]) }, "cneg w3, w1, eq"},
	{func(c *Context) { c.CCMP(EQ, R[1], R[2], imm(4)) }, "ccmp x1, x2, #0x4, eq"},
	{func(c *Context) { c.CCMP(EQ, R[1], imm(31), imm(15)) }, "ccmp x1, #0x1f, #0xf, eq"},
	{func(c *Context) { c.LSL(imm(63), R[2], R[3]) }, "lsl x3, x2, #63"},
	{func(c *Context) { c.LSRW(imm(31), R[2], R[3]) }, "lsr w3, w2, #31"},
	{func(c *Context) { c.UBFIZ(imm(3), R[1], imm(60), R[2]) }, "ubfiz x2, x1, #3, #60"},
	{func(c *Context) { c.BFI(imm(63), R[1], imm(1), R[2]) }, "bfi x2, x1, #63, #1"},
	{func(c *Context) { c.ANDW(imm(0xffffff00), R[2], R[3]) }, "and w3, w2, #0xffffff00"},
	{func(c *Context) { c.ANDW(operand.I32(-256), R[2], R[3]) }, "and w3, w2, #0xffffff00"},
	{func(c *Context) { c.AND(imm(0xffffffffffffff00), R[2], R[3]) }, "and x3, x2, #0xffffffffffffff00"},
	{func(c *Context) { c.NOOP() }, "nop"},
	{func(c *Context) { c.FMOVQ(at(R[1], 16), V[2]) }, "ldr q2, [x1,#16]"},
	{func(c *Context) { c.FMOVQ(V[2], at(R[1], 16)) }, "str q2, [x1,#16]"},
	{func(c *Context) { c.FMOVQ_P(at(R[1], 16), V[2]) }, "ldr q2, [x1],#16"},
	{func(c *Context) { c.FMOVQ_P(V[2], at(R[1], 16)) }, "str q2, [x1],#16"},
	{func(c *Context) { c.FMOVD(at(R[1], 8), V[2]) }, "ldr d2, [x1,#8]"},
	{func(c *Context) { c.FMOVD(V[2], at(R[1], 8)) }, "str d2, [x1,#8]"},
	{func(c *Context) { c.FMOVD(R[1], V[2]) }, "fmov d2, x1"},
	{func(c *Context) { c.FMOVD(V[1], R[2]) }, "fmov x2, d1"},
	{func(c *Context) { c.FMOVD_P(at(R[1], 8), V[2]) }, "ldr d2, [x1],#8"},
	{func(c *Context) { c.FMOVD_P(V[2], at(R[1], 8)) }, "str d2, [x1],#8"},
	{func(c *Context) { c.FMOVS(at(R[1], 4), V[2]) }, "ldr s2, [x1,#4]"},
	{func(c *Context) { c.FMOVS(V[2], at(R[1], 4)) }, "str s2, [x1,#4]"},
	{func(c *Context) { c.FMOVS(R[1], V[2]) }, "fmov s2, w1"},
	{func(c *Context) { c.FMOVS(V[1], R[2]) }, "fmov w2, s1"},
	{func(c *Context) { c.FMOVS_P(at(R[1], 4), V[2]) }, "ldr s2, [x1],#4"},
	{func(c *Context) { c.FMOVS_P(V[2], at(R[1], 4)) }, "str s2, [x1],#4"},
	{func(c *Context) { c.FLDPQ(at(R[1], 32), V[2], V[3]) }, "ldp q2, q3, [x1,#32]"},
	{func(c *Context) { c.FLDPQ_P(at(R[1], 32), V[2], V[3]) }, "ldp q2, q3, [x1],#32"},
	{func(c *Context) { c.FSTPQ(V[2], V[3], at(R[1], 32)) }, "stp q2, q3, [x1,#32]"},
	{func(c *Context) { c.FSTPQ_P(V[2], V[3], at(R[1], 32)) }, "stp q2, q3, [x1],#32"},
	{func(c *Context) { c.VLD1(at(R[1], 0), List{V[2].B16()}) }, "ld1 {v2.16b}, [x1]"},
	{func(c *Context) { c.VST1(List{V[2].B16()}, at(R[1], 0)) }, "st1 {v2.16b}, [x1]"},
	{func(c *Context) { c.VLD1(at(R[1], 0), List{V[2].B16(), V[3].B16()}) }, "ld1 {v2.16b, v3.16b}, [x1]"},
	{func(c *Context) { c.VST1(List{V[2].B16(), V[3].B16()}, at(R[1], 0)) }, "st1 {v2.16b, v3.16b}, [x1]"},
	{func(c *Context) { c.VLD1(at(R[1], 0), List{V[2].B16(), V[3].B16(), V[4].B16()}) }, "ld1 {v2.16b-v4.16b}, [x1]"},
	{func(c *Context) { c.VST1(List{V[2].B16(), V[3].B16(), V[4].B16()}, at(R[1], 0)) }, "st1 {v2.16b-v4.16b}, [x1]"},
	{func(c *Context) { c.VLD1(at(R[1], 0), List{V[2].B16(), V[3].B16(), V[4].B16(), V[5].B16()}) }, "ld1 {v2.16b-v5.16b}, [x1]"},
	{func(c *Context) { c.VST1(List{V[2].B16(), V[3].B16(), V[4].B16(), V[5].B16()}, at(R[1], 0)) }, "st1 {v2.16b-v5.16b}, [x1]"},
	{func(c *Context) { c.VLD1(at(R[1], 0), List{V[2].S4(), V[3].S4()}) }, "ld1 {v2.4s, v3.4s}, [x1]"},
	{func(c *Context) { c.VLD1_P(at(R[1], 64), List{V[2].B16(), V[3].B16(), V[4].B16(), V[5].B16()}) }, "ld1 {v2.16b-v5.16b}, [x1],#64"},
	{func(c *Context) {
		c.VLD1_P(at(R[1], 0).Idx(R[3], 1), List{V[2].B16(), V[3].B16(), V[4].B16(), V[5].B16()})
	}, "ld1 {v2.16b-v5.16b}, [x1], x3"},
	{func(c *Context) { c.VLD1_P(at(R[1], 8), List{V[2].B8()}) }, "ld1 {v2.8b}, [x1],#8"},
	{func(c *Context) { c.VST1_P(List{V[2].B16(), V[3].B16(), V[4].B16(), V[5].B16()}, at(R[1], 64)) }, "st1 {v2.16b-v5.16b}, [x1],#64"},
	{func(c *Context) { c.VLD1(at(R[1], 0), V[2].S(3)) }, "ld1 {v2.s}[3], [x1]"},
	{func(c *Context) { c.VLD1_P(at(R[1], 4), V[2].S(3)) }, "ld1 {v2.s}[3], [x1],#4"},
	{func(c *Context) { c.VST1(V[2].D(1), at(R[1], 0)) }, "st1 {v2.d}[1], [x1]"},
	{func(c *Context) { c.VST1_P(V[2].B(9), at(R[1], 1)) }, "st1 {v2.b}[9], [x1],#1"},
	{func(c *Context) { c.VLD2(at(R[1], 0), List{V[2].B16(), V[3].B16()}) }, "ld2 {v2.16b, v3.16b}, [x1]"},
	{func(c *Context) { c.VLD2_P(at(R[1], 32), List{V[2].B16(), V[3].B16()}) }, "ld2 {v2.16b, v3.16b}, [x1],#32"},
	{func(c *Context) { c.VST2(List{V[2].B16(), V[3].B16()}, at(R[1], 0)) }, "st2 {v2.16b, v3.16b}, [x1]"},
	{func(c *Context) { c.VST2_P(List{V[2].B16(), V[3].B16()}, at(R[1], 32)) }, "st2 {v2.16b, v3.16b}, [x1],#32"},
	{func(c *Context) { c.VLD3(at(R[1], 0), List{V[2].B16(), V[3].B16(), V[4].B16()}) }, "ld3 {v2.16b-v4.16b}, [x1]"},
	{func(c *Context) { c.VLD3_P(at(R[1], 48), List{V[2].B16(), V[3].B16(), V[4].B16()}) }, "ld3 {v2.16b-v4.16b}, [x1],#48"},
	{func(c *Context) { c.VST3(List{V[2].B16(), V[3].B16(), V[4].B16()}, at(R[1], 0)) }, "st3 {v2.16b-v4.16b}, [x1]"},
	{func(c *Context) { c.VST3_P(List{V[2].B16(), V[3].B16(), V[4].B16()}, at(R[1], 48)) }, "st3 {v2.16b-v4.16b}, [x1],#48"},
	{func(c *Context) { c.VLD4(at(R[1], 0), List{V[2].B16(), V[3].B16(), V[4].B16(), V[5].B16()}) }, "ld4 {v2.16b-v5.16b}, [x1]"},
	{func(c *Context) { c.VLD4_P(at(R[1], 64), List{V[2].B16(), V[3].B16(), V[4].B16(), V[5].B16()}) }, "ld4 {v2.16b-v5.16b}, [x1],#64"},
	{func(c *Context) { c.VST4(List{V[2].B16(), V[3].B16(), V[4].B16(), V[5].B16()}, at(R[1], 0)) }, "st4 {v2.16b-v5.16b}, [x1]"},
	{func(c *Context) { c.VST4_P(List{V[2].B16(), V[3].B16(), V[4].B16(), V[5].B16()}, at(R[1], 64)) }, "st4 {v2.16b-v5.16b}, [x1],#64"},
	{func(c *Context) { c.VLD1R(at(R[1], 0), List{V[2].S4()}) }, "ld1r {v2.4s}, [x1]"},
	{func(c *Context) { c.VLD1R_P(at(R[1], 4), List{V[2].S4()}) }, "ld1r {v2.4s}, [x1],#4"},
	{func(c *Context) { c.VMOV(V[1].B16(), V[2].B16()) }, "mov v2.16b, v1.16b"},
	{func(c *Context) { c.VMOV(R[1], V[2].S(3)) }, "mov v2.s[3], w1"},
	{func(c *Context) { c.VMOV(R[1], V[2].D(1)) }, "mov v2.d[1], x1"},
	{func(c *Context) { c.VMOV(V[1].S(2), V[2].S(3)) }, "mov v2.s[3], v1.s[2]"},
	{func(c *Context) { c.VMOV(V[1].S(2), R[2]) }, "mov w2, v1.s[2]"},
	{func(c *Context) { c.VMOV(V[1].D(1), R[2]) }, "mov x2, v1.d[1]"},
	{func(c *Context) { c.VMOV(R[1], V[2].S4()) }, "dup v2.4s, w1"},
	{func(c *Context) { c.VDUP(R[1], V[2].S4()) }, "dup v2.4s, w1"},
	{func(c *Context) { c.VDUP(R[1], V[2].B16()) }, "dup v2.16b, w1"},
	{func(c *Context) { c.VDUP(V[1].S(2), V[2].S4()) }, "dup v2.4s, v1.s[2]"},
	{func(c *Context) { c.VMOVI(imm(82), V[2].B16()) }, "movi v2.16b, #0x52"},
	{func(c *Context) { c.VMOVI(imm(0), V[2].B16()) }, "movi v2.16b, #0x0"},
	{func(c *Context) { c.VEXT(imm(4), V[1].B16(), V[2].B16(), V[3].B16()) }, "ext v3.16b, v2.16b, v1.16b, #4"},
	{func(c *Context) { c.VZIP1(V[1].S4(), V[2].S4(), V[3].S4()) }, "zip1 v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VZIP2(V[1].S4(), V[2].S4(), V[3].S4()) }, "zip2 v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VUZP1(V[1].S4(), V[2].S4(), V[3].S4()) }, "uzp1 v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VUZP2(V[1].S4(), V[2].S4(), V[3].S4()) }, "uzp2 v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VTRN1(V[1].S4(), V[2].S4(), V[3].S4()) }, "trn1 v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VTRN2(V[1].S4(), V[2].S4(), V[3].S4()) }, "trn2 v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VZIP1(V[1].D2(), V[2].D2(), V[3].D2()) }, "zip1 v3.2d, v2.2d, v1.2d"},
	{func(c *Context) { c.VTBL(V[1].B16(), List{V[2].B16()}, V[9].B16()) }, "tbl v9.16b, {v2.16b}, v1.16b"},
	{func(c *Context) { c.VTBX(V[1].B16(), List{V[2].B16()}, V[9].B16()) }, "tbx v9.16b, {v2.16b}, v1.16b"},
	{func(c *Context) { c.VTBL(V[1].B16(), List{V[2].B16(), V[3].B16()}, V[9].B16()) }, "tbl v9.16b, {v2.16b, v3.16b}, v1.16b"},
	{func(c *Context) { c.VTBX(V[1].B16(), List{V[2].B16(), V[3].B16()}, V[9].B16()) }, "tbx v9.16b, {v2.16b, v3.16b}, v1.16b"},
	{func(c *Context) { c.VTBL(V[1].B16(), List{V[2].B16(), V[3].B16(), V[4].B16()}, V[9].B16()) }, "tbl v9.16b, {v2.16b-v4.16b}, v1.16b"},
	{func(c *Context) { c.VTBX(V[1].B16(), List{V[2].B16(), V[3].B16(), V[4].B16()}, V[9].B16()) }, "tbx v9.16b, {v2.16b-v4.16b}, v1.16b"},
	{func(c *Context) { c.VTBL(V[1].B16(), List{V[2].B16(), V[3].B16(), V[4].B16(), V[5].B16()}, V[9].B16()) }, "tbl v9.16b, {v2.16b-v5.16b}, v1.16b"},
	{func(c *Context) { c.VTBX(V[1].B16(), List{V[2].B16(), V[3].B16(), V[4].B16(), V[5].B16()}, V[9].B16()) }, "tbx v9.16b, {v2.16b-v5.16b}, v1.16b"},
	{func(c *Context) { c.VREV16(V[1].B16(), V[2].B16()) }, "rev16 v2.16b, v1.16b"},
	{func(c *Context) { c.VREV32(V[1].H8(), V[2].H8()) }, "rev32 v2.8h, v1.8h"},
	{func(c *Context) { c.VREV32(V[1].B16(), V[2].B16()) }, "rev32 v2.16b, v1.16b"},
	{func(c *Context) { c.VREV64(V[1].S4(), V[2].S4()) }, "rev64 v2.4s, v1.4s"},
	{func(c *Context) { c.VRBIT(V[1].B16(), V[2].B16()) }, "rbit v2.16b, v1.16b"},
	{func(c *Context) { c.VCNT(V[1].B16(), V[2].B16()) }, "cnt v2.16b, v1.16b"},
	{func(c *Context) { c.VADD(V[1].S4(), V[2].S4(), V[3].S4()) }, "add v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VSUB(V[1].S4(), V[2].S4(), V[3].S4()) }, "sub v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VUMIN(V[1].S4(), V[2].S4(), V[3].S4()) }, "umin v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VUMAX(V[1].S4(), V[2].S4(), V[3].S4()) }, "umax v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VADDP(V[1].S4(), V[2].S4(), V[3].S4()) }, "addp v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VCMEQ(V[1].S4(), V[2].S4(), V[3].S4()) }, "cmeq v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VCMTST(V[1].S4(), V[2].S4(), V[3].S4()) }, "cmtst v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { c.VADD(V[1].D2(), V[2].D2(), V[3].D2()) }, "add v3.2d, v2.2d, v1.2d"},
	{func(c *Context) { c.VADD(V[1].H8(), V[2].H8(), V[3].H8()) }, "add v3.8h, v2.8h, v1.8h"},
	{func(c *Context) { c.VSUB(V[1].B16(), V[2].B16(), V[3].B16()) }, "sub v3.16b, v2.16b, v1.16b"},
	{func(c *Context) { c.VUMIN(V[1].B16(), V[2].B16(), V[3].B16()) }, "umin v3.16b, v2.16b, v1.16b"},
	{func(c *Context) { c.VCMEQ(V[1].B16(), V[2].B16(), V[3].B16()) }, "cmeq v3.16b, v2.16b, v1.16b"},
	{func(c *Context) { c.VADDV(V[1].S4(), V[2]) }, "addv s2, v1.4s"},
	{func(c *Context) { c.VADDV(V[1].B16(), V[2]) }, "addv b2, v1.16b"},
	{func(c *Context) { c.VUADDLV(V[1].B16(), V[2]) }, "uaddlv h2, v1.16b"},
	{func(c *Context) { c.VUADDW(V[1].B8(), V[2].H8(), V[3].H8()) }, "uaddw v3.8h, v2.8h, v1.8b"},
	{func(c *Context) { c.VUADDW2(V[1].B16(), V[2].H8(), V[3].H8()) }, "uaddw2 v3.8h, v2.8h, v1.16b"},
	{func(c *Context) { c.VAND(V[1].B16(), V[2].B16(), V[3].B16()) }, "and v3.16b, v2.16b, v1.16b"},
	{func(c *Context) { c.VORR(V[1].B16(), V[2].B16(), V[3].B16()) }, "orr v3.16b, v2.16b, v1.16b"},
	{func(c *Context) { c.VEOR(V[1].B16(), V[2].B16(), V[3].B16()) }, "eor v3.16b, v2.16b, v1.16b"},
	{func(c *Context) { c.VBSL(V[1].B16(), V[2].B16(), V[3].B16()) }, "bsl v3.16b, v2.16b, v1.16b"},
	{func(c *Context) { c.VBIT(V[1].B16(), V[2].B16(), V[3].B16()) }, "bit v3.16b, v2.16b, v1.16b"},
	{func(c *Context) { c.VBIF(V[1].B16(), V[2].B16(), V[3].B16()) }, "bif v3.16b, v2.16b, v1.16b"},
	{func(c *Context) { c.VSHL(imm(7), V[1].S4(), V[2].S4()) }, "shl v2.4s, v1.4s, #7"},
	{func(c *Context) { c.VUSHR(imm(7), V[1].S4(), V[2].S4()) }, "ushr v2.4s, v1.4s, #7"},
	{func(c *Context) { c.VSLI(imm(7), V[1].S4(), V[2].S4()) }, "sli v2.4s, v1.4s, #7"},
	{func(c *Context) { c.VSRI(imm(7), V[1].S4(), V[2].S4()) }, "sri v2.4s, v1.4s, #7"},
	{func(c *Context) { c.VUSRA(imm(7), V[1].S4(), V[2].S4()) }, "usra v2.4s, v1.4s, #7"},
	{func(c *Context) { c.VUSHR(imm(2), V[1].B16(), V[2].B16()) }, "ushr v2.16b, v1.16b, #2"},
	{func(c *Context) { c.VSHL(imm(4), V[1].B16(), V[2].B16()) }, "shl v2.16b, v1.16b, #4"},
	{func(c *Context) { c.VSHL(imm(31), V[1].S4(), V[2].S4()) }, "shl v2.4s, v1.4s, #31"},
	{func(c *Context) { c.VUSHR(imm(64), V[1].D2(), V[2].D2()) }, "ushr v2.2d, v1.2d, #64"},
	{func(c *Context) { c.VEXT(imm(15), V[1].B16(), V[2].B16(), V[3].B16()) }, "ext v3.16b, v2.16b, v1.16b, #15"},
	{func(c *Context) { c.VMOVI(imm(255), V[2].B16()) }, "movi v2.16b, #0xff"},
	{func(c *Context) { c.VLD1(at(R[1], 0), List{V[2].D1(), V[3].D1()}) }, "ld1 {v2.1d, v3.1d}, [x1]"},
	{func(c *Context) { c.VUSHLL(imm(3), V[1].S2(), V[2].D2()) }, "ushll v2.2d, v1.2s, #3"},
	{func(c *Context) { c.VUSHLL2(imm(3), V[1].S4(), V[2].D2()) }, "ushll2 v2.2d, v1.4s, #3"},
	{func(c *Context) { c.VUXTL(V[1].B8(), V[2].H8()) }, "uxtl v2.8h, v1.8b"},
	{func(c *Context) { c.VUXTL2(V[1].B16(), V[2].H8()) }, "uxtl2 v2.8h, v1.16b"},
	{func(c *Context) { c.SHA256H(V[1].S4(), V[2], V[3]) }, "sha256h q3, q2, v1.4s"},
	{func(c *Context) { c.SHA256H2(V[1].S4(), V[2], V[3]) }, "sha256h2 q3, q2, v1.4s"},
	{func(c *Context) { c.SHA256SU0(V[1].S4(), V[2].S4()) }, "sha256su0 v2.4s, v1.4s"},
	{func(c *Context) { c.SHA256SU1(V[1].S4(), V[2].S4(), V[3].S4()) }, "sha256su1 v3.4s, v2.4s, v1.4s"},
	{func(c *Context) { here(c, func(c *Context) { c.B("here") }) }, "b .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BEQ("here") }) }, "b.eq .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BNE("here") }) }, "b.ne .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BHS("here") }) }, "b.cs .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BLO("here") }) }, "b.cc .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BMI("here") }) }, "b.mi .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BPL("here") }) }, "b.pl .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BVS("here") }) }, "b.vs .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BVC("here") }) }, "b.vc .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BHI("here") }) }, "b.hi .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BLS("here") }) }, "b.ls .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BGE("here") }) }, "b.ge .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BLT("here") }) }, "b.lt .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BGT("here") }) }, "b.gt .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.BLE("here") }) }, "b.le .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.CBZ(R[1], "here") }) }, "cbz x1, .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.CBNZ(R[1], "here") }) }, "cbnz x1, .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.CBZW(R[1], "here") }) }, "cbz w1, .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.CBNZW(R[1], "here") }) }, "cbnz w1, .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.TBZ(imm(3), R[1], "here") }) }, "tbz w1, #3, .+0x0"},
	{func(c *Context) { here(c, func(c *Context) { c.TBNZ(imm(3), R[1], "here") }) }, "tbnz w1, #3, .+0x0"},
}

// here makes a branch to itself.
func here(c *Context, build func(c *Context)) {
	labels++
	name := fmt.Sprintf("here%d", labels)
	c.Label(name)
	build(c)
	code := c.active()
	i := code[len(code)-1]
	i.Operands[len(i.Operands)-1] = operand.LabelRef(name)
}

var labels int

// notInstructions are the methods of Context that add no instruction of their own name.
var notInstructions = strings.Fields("GP Vec Function Attributes SignatureExpr Pragma Doc ConstraintExpr Label Comment StaticGlobal DataAttributes AddDatum AllocLocal Param Return ReturnIndex Load Store Result")

func TestForms(t *testing.T) {
	tested := map[string]bool{"RET": true}
	text := compileText(t, func(c *Context) {
		for _, f := range forms {
			f.build(c)
		}
		c.RET()
		for _, i := range c.active() {
			tested[strings.ReplaceAll(i.OpcodeWithSuffixes(), ".", "_")] = true
		}
	})
	got := assemble(t, text)
	if len(got) < len(forms)+1 {
		t.Fatalf("%d instructions, want %d\n%s", len(got), len(forms)+1, text)
	}
	for i, f := range forms {
		if got[i].text != f.want {
			t.Errorf("%s is %s, want %s", got[i].word, got[i].text, f.want)
		}
	}
	if ret := got[len(forms)].word; ret != "d65f03c0" {
		t.Errorf("RET is %s, want d65f03c0", ret)
	}
	methods := reflect.TypeFor[*Context]()
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		if !tested[name] && !slices.Contains(notInstructions, name) {
			t.Errorf("no form of %s is tested", name)
		}
	}
}
