package check

import (
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"
)

// A routine is a small kernel. The pointers of most are in AX (key), BX (dst) and CX
// (table), and the number n in DX: see arguments.
type routine struct {
	name      string
	spec      Spec
	build     func(c *build.Context)
	want      []string // parts of the findings, one for each; none if it passes
	signature string   // if not the usual one
}

const usual = "func(key, dst, table *[64]byte, n uint64)"

// arguments loads the usual arguments.
func arguments(c *build.Context) {
	for name, r := range map[string]reg.Register{"key": reg.RAX, "dst": reg.RBX, "table": reg.RCX, "n": reg.RDX} {
		c.Load(c.Param(name), r)
	}
}

func compile(t *testing.T, rs ...routine) *ir.File {
	t.Helper()
	c := build.NewContext()
	for _, r := range rs {
		c.Function(r.name)
		c.Attributes(attr.NOSPLIT)
		if r.signature == "" {
			r.signature = usual
		}
		c.SignatureExpr(r.signature)
		if r.signature == usual {
			arguments(c)
		}
		r.build(c)
	}
	f, err := c.Result()
	if err != nil {
		t.Fatal(err)
	}
	if err := pass.Compile.Execute(f); err != nil {
		t.Fatal(err)
	}
	return f
}

// findings splits an error into what it joins.
func findings(err error) []string {
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

func expect(t *testing.T, err error, want []string) {
	t.Helper()
	got := findings(err)
	for k := range max(len(got), len(want)) {
		switch {
		case k >= len(want):
			t.Errorf("not expected: %s", got[k])
		case k >= len(got):
			t.Errorf("missing: %s", want[k])
		case !strings.Contains(got[k], want[k]):
			t.Errorf("finding\n%s\nlacks\n%s", got[k], want[k])
		}
	}
}

func run(t *testing.T, rs []routine) {
	for _, r := range rs {
		t.Run(r.name, func(t *testing.T) {
			fn := compile(t, r).Functions()[0]
			expect(t, AMD64.Function(fn, r.spec), r.want)
		})
	}
}

func at(r reg.Register) operand.Mem { return operand.Mem{Base: r} }

func imm(x uint64) operand.Op { return operand.Imm(x) }

// open is the usual specification: what the table holds is public.
var open = Spec{Public: []string{"table"}}

// withTier is open for another tier.
func withTier(tier string) Spec { return Spec{Tier: tier, Public: []string{"table"}} }

func label(l string) operand.Op { return operand.LabelRef(l) }

// Each of these breaks one rule, and is refused for that alone.
func TestRefused(t *testing.T) {
	run(t, []routine{
		{name: "branch", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.ADDQ(reg.RDX, reg.RSI)
			c.CMPQ(reg.RSI, imm(7))
			c.JEQ(label("end"))
			c.MOVQ(reg.RDX, at(reg.RBX))
			c.Label("end")
			c.RET()
		}, want: []string{"branch: instruction 8 (JEQ end): a branch depends on a secret: the memory behind key → 5 (MOVQ (AX), SI) → 6 (ADDQ DX, SI) → 7 (CMPQ SI, $0x07)"}},
		{name: "branchOnArgument", spec: Spec{Secret: []string{"n"}}, build: func(c *build.Context) {
			c.TESTQ(reg.RDX, reg.RDX)
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JNE end): a branch depends on a secret: the argument n →"}},
		{name: "branchOnCarry", spec: open, build: func(c *build.Context) {
			c.XORL(reg.ESI, reg.ESI)
			c.ADDQ(at(reg.RAX), reg.RSI)
			c.DECQ(reg.RDX) // leaves the carry alone
			c.JCS(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JCS end): a branch depends on a secret: the memory behind key → 6 (ADDQ (AX), SI)"}},
		{name: "branchOnADCX", spec: withTier("adx"), build: func(c *build.Context) {
			c.XORL(reg.ESI, reg.ESI)
			c.ADCXQ(at(reg.RAX), reg.RSI)
			c.JCS(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JCS end): a branch depends on a secret: the memory behind key → 6 (ADCXQ (AX), SI)"}},
		{name: "branchOnADOX", spec: withTier("adx"), build: func(c *build.Context) {
			c.XORL(reg.ESI, reg.ESI)
			c.ADOXQ(at(reg.RAX), reg.RSI)
			c.JOS(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JOS end): a branch depends on a secret: the memory behind key → 6 (ADOXQ (AX), SI)"}},
		{name: "branchOnBorrow", spec: open, build: func(c *build.Context) {
			c.XORL(reg.ESI, reg.ESI)
			c.CMPQ(reg.RDX, at(reg.RAX))
			c.SBBQ(reg.RSI, reg.RSI) // does not depend on SI, but on the carry
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JNE end): a branch depends on a secret: the memory behind key → 6 (CMPQ DX, (AX)) → 7 (SBBQ SI, SI)"}},
		{name: "branchOnDifference", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.XORQ(reg.RSI, reg.RDX)
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JNE end): a branch depends on a secret: the memory behind key → 5 (MOVQ (AX), SI) → 6 (XORQ SI, DX)"}},
		{name: "branchOnOldFlags", spec: open, build: func(c *build.Context) {
			c.JEQ(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"a branch depends on a secret: the flags as the caller left them"}},
		{name: "branchAfterShiftByCount", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.TESTQ(reg.RSI, reg.RSI)
			c.MOVQ(reg.RDX, reg.RCX)
			c.SHLQ(reg.CL, reg.RDX) // by 0, it leaves the flags
			c.JEQ(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JEQ end): a branch depends on a secret: the memory behind key → 5 (MOVQ (AX), SI) → 6 (TESTQ SI, SI)"}},
		{name: "branchInLoop", spec: open, build: func(c *build.Context) {
			// The secret reaches the branch only the second time round.
			c.XORQ(reg.RSI, reg.RSI)
			c.Label("loop")
			c.TESTQ(reg.RSI, reg.RSI)
			c.JNE(label("end"))
			c.MOVQ(reg.RDI, reg.RSI)
			c.MOVQ(at(reg.RAX), reg.RDI)
			c.DECQ(reg.RDX)
			c.JNE(label("loop"))
			c.Label("end")
			c.RET()
		}, want: []string{"(JNE end): a branch depends on a secret: the memory behind key →"}},
		{name: "branchOnMaskBits", spec: withTier("avx2"), build: func(c *build.Context) {
			c.VMOVDQU(at(reg.RAX), reg.X0)
			c.VPMOVMSKB(reg.X0, reg.ESI)
			c.TESTL(reg.ESI, reg.ESI)
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JNE end): a branch depends on a secret: the memory behind key → 5 (VMOVDQU (AX), X0) → 6 (VPMOVMSKB X0, SI) → 7 (TESTL SI, SI)"}},
		{name: "branchOnVPTEST", spec: withTier("avx2"), build: func(c *build.Context) {
			c.XORL(reg.ESI, reg.ESI) // the flags are public
			c.VMOVDQU(at(reg.RAX), reg.X0)
			c.VPTEST(reg.X0, reg.X0)
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JNE end): a branch depends on a secret: the memory behind key → 6 (VMOVDQU (AX), X0) → 7 (VPTEST X0, X0)"}},
		{name: "branchOnKORTEST", spec: withTier("chacha20/avx512"), build: func(c *build.Context) {
			c.XORL(reg.ESI, reg.ESI) // the flags are public
			c.VMOVDQU8(at(reg.RAX), reg.Z16)
			c.VPTESTMB(reg.Z16, reg.Z16, reg.K1)
			c.KORTESTQ(reg.K1, reg.K1)
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JNE end): a branch depends on a secret: the memory behind key → 6 (VMOVDQU8 (AX), Z16) → 7 (VPTESTMB Z16, Z16, K1) → 8 (KORTESTQ K1, K1)"}},
		{name: "branchOnSlot", spec: Spec{Public: []string{"table"}, Leaves: "a test"}, build: func(c *build.Context) {
			slot := c.AllocLocal(16)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, slot.Offset(8))
			c.CMPB(slot.Offset(15), imm(0))
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JNE end): a branch depends on a secret: the memory behind key → 5 (MOVQ (AX), SI) → 6 (MOVQ SI, 8(SP)) →"}},
		{name: "branchOnMergedLane", spec: withTier("chacha20/avx512"), build: func(c *build.Context) {
			// The masked move keeps lanes of a secret.
			c.KMOVQ(reg.RDX, reg.K1)
			c.VMOVDQU8(at(reg.RAX), reg.X16)
			c.VMOVDQU8(at(reg.RCX), reg.K1, reg.X16)
			c.VMOVD(reg.X16, reg.ESI)
			c.TESTL(reg.ESI, reg.ESI)
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JNE end): a branch depends on a secret: the memory behind key → 6 (VMOVDQU8 (AX), X16) → 7 (VMOVDQU8 (CX), K1, X16) → 8 (VMOVD X16, SI) → 9 (TESTL SI, SI)"}},
		{name: "branchOnSelected", spec: open, build: func(c *build.Context) {
			// Which of two public values it is, is secret.
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.TESTQ(reg.RSI, reg.RSI)
			c.CMOVQEQ(at(reg.RCX), reg.RDX)
			c.TESTQ(reg.RDX, reg.RDX)
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JNE end): a branch depends on a secret: the memory behind key → 5 (MOVQ (AX), SI) → 6 (TESTQ SI, SI) → 7 (CMOVQEQ (CX), DX) → 8 (TESTQ DX, DX)"}},

		{name: "base", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.ANDQ(imm(7), reg.RSI)
			c.LEAQ(at(reg.RCX).Idx(reg.RSI, 1), reg.RDI)
			c.MOVB(at(reg.RDI), reg.SIB)
			c.RET()
		}, want: []string{"(MOVB (DI), SI): an address depends on a secret: the memory behind key → 5 (MOVQ (AX), SI) → 6 (ANDQ $0x07, SI) → 7 (LEAQ (CX)(SI*1), DI)"}},
		{name: "index", spec: open, build: func(c *build.Context) {
			c.MOVBQZX(at(reg.RAX), reg.RSI)
			c.MOVQ(at(reg.RCX).Idx(reg.RSI, 8), reg.RDI)
			c.RET()
		}, want: []string{"(MOVQ (CX)(SI*8), DI): an address depends on a secret: the memory behind key → 5 (MOVBQZX (AX), SI)"}},
		{name: "storeIndex", spec: open, build: func(c *build.Context) {
			c.MOVBQZX(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RDX, at(reg.RBX).Idx(reg.RSI, 8))
			c.RET()
		}, want: []string{"(MOVQ DX, (BX)(SI*8)): an address depends on a secret: the memory behind key → 5 (MOVBQZX (AX), SI)"}},
		{name: "prefetch", spec: open, build: func(c *build.Context) {
			c.MOVBQZX(at(reg.RAX), reg.RSI)
			c.PREFETCHT0(at(reg.RCX).Idx(reg.RSI, 8))
			c.RET()
		}, want: []string{"(PREFETCHT0 (CX)(SI*8)): an address depends on a secret: the memory behind key → 5 (MOVBQZX (AX), SI)"}},
		{name: "restOfRegister", spec: open, build: func(c *build.Context) {
			// A byte is public, and what is above it is not.
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVB(at(reg.RCX), reg.SIB)
			c.MOVQ(at(reg.RCX).Idx(reg.RSI, 1), reg.RDI)
			c.RET()
		}, want: []string{"(MOVQ (CX)(SI*1), DI): an address depends on a secret: the memory behind key → 5 (MOVQ (AX), SI)"}},
		{name: "lowByte", spec: open, build: func(c *build.Context) {
			c.XORL(reg.ESI, reg.ESI)
			c.MOVB(at(reg.RAX), reg.SIB)
			c.MOVQ(at(reg.RCX).Idx(reg.RSI, 1), reg.RDI)
			c.RET()
		}, want: []string{"(MOVQ (CX)(SI*1), DI): an address depends on a secret: the memory behind key → 6 (MOVB (AX), SI)"}},
		{name: "highByte", spec: open, build: func(c *build.Context) {
			c.MOVW(at(reg.RAX), reg.AX)
			c.TESTB(reg.AH, reg.AH)
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"(JNE end): a branch depends on a secret: the memory behind key → 5 (MOVW (AX), AX) → 6 (TESTB AH, AH)"}},
		{name: "selectedAddress", spec: open, build: func(c *build.Context) {
			c.LEAQ(at(reg.RCX).Offset(8), reg.RDI)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.TESTQ(reg.RSI, reg.RSI)
			c.CMOVQEQ(reg.RDI, reg.RCX)
			c.MOVQ(at(reg.RCX), reg.RSI)
			c.RET()
		}, want: []string{"(MOVQ (CX), SI): an address depends on a secret: the memory behind key → 6 (MOVQ (AX), SI) → 7 (TESTQ SI, SI) → 8 (CMOVQEQ DI, CX)"}},
		{name: "bitIndex", spec: open, build: func(c *build.Context) {
			c.BTQ(reg.RDX, at(reg.RCX))
			c.RET()
		}, want: []string{"an address that depends on the number of a bit"}},
		{name: "gather", spec: withTier("chacha20/avx512"), build: func(c *build.Context) {
			c.VMOVDQU32(at(reg.RAX), reg.Z16)
			c.KMOVQ(reg.RDX, reg.K1)
			c.VPXORD(reg.Z17, reg.Z17, reg.Z17)
			c.VPGATHERDD(at(reg.RCX).Idx(reg.Z16, 4), reg.K1, reg.Z17)
			c.RET()
		}, want: []string{"(VPGATHERDD (CX)(Z16*4), K1, Z17): an address depends on a secret: the memory behind key → 5 (VMOVDQU32 (AX), Z16)"}},
		{name: "gatherMask", spec: withTier("avx2"), build: func(c *build.Context) {
			c.VPXOR(reg.X1, reg.X1, reg.X1)
			c.VMOVDQU(at(reg.RAX), reg.X2)
			c.VPXOR(reg.X3, reg.X3, reg.X3)
			c.VPGATHERDD(reg.X2, at(reg.RCX).Idx(reg.X1, 4), reg.X3)
			c.RET()
		}, want: []string{"(VPGATHERDD X2, (CX)(X1*4), X3): the mask of a memory operand depends on a secret: the memory behind key → 6 (VMOVDQU (AX), X2)"}},
		{name: "noProvenance", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RDX), reg.RSI)
			c.RET()
		}, want: []string{"(MOVQ (DX), SI): an address that is no pointer argument, frame or global plus a number"}},
		{name: "pointerBecomesNumber", spec: open, build: func(c *build.Context) {
			c.IMUL3Q(imm(3), reg.RCX, reg.RCX)
			c.MOVQ(at(reg.RCX), reg.RSI)
			c.RET()
		}, want: []string{"(MOVQ (CX), SI): an address that is no pointer argument"}},
		{name: "differenceOfPointers", spec: open, build: func(c *build.Context) {
			// table + (key - table) is key.
			c.MOVQ(reg.RAX, reg.RSI)
			c.SUBQ(reg.RCX, reg.RSI)
			c.MOVQ(at(reg.RCX).Idx(reg.RSI, 1), reg.RDI)
			c.RET()
		}, want: []string{"(MOVQ (CX)(SI*1), DI): an address that is no pointer argument"}},
		{name: "sumOfPointers", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RCX).Idx(reg.RBX, 1), reg.RDI)
			c.RET()
		}, want: []string{"an address that is no pointer argument"}},
		{name: "eitherPointer", spec: open, build: func(c *build.Context) {
			c.TESTQ(reg.RDX, reg.RDX)
			c.JEQ(label("end"))
			c.MOVQ(reg.RCX, reg.RAX)
			c.Label("end")
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.RET()
		}, want: []string{"(MOVQ (AX), SI): an address that is no pointer argument"}},
		{name: "lowHalfOfPointer", spec: open, build: func(c *build.Context) {
			c.MOVL(reg.ECX, reg.ESI)
			c.MOVQ(at(reg.RSI), reg.RDI)
			c.RET()
		}, want: []string{"an address that is no pointer argument"}},
		{name: "scaledPointer", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RDX).Idx(reg.RCX, 2), reg.RDI)
			c.RET()
		}, want: []string{"(MOVQ (DX)(CX*2), DI): an address that is no pointer argument"}},
		{name: "exchangedHalf", spec: open, build: func(c *build.Context) {
			c.XCHGL(reg.ECX, reg.EDX)
			c.MOVQ(at(reg.RDX), reg.RDI)
			c.RET()
		}, want: []string{"(MOVQ (DX), DI): an address that is no pointer argument"}},
		{name: "halvesOfPointers", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(16)
			c.MOVQ(reg.RCX, slot)
			c.MOVQ(reg.RCX, slot.Offset(8))
			c.MOVQ(slot.Offset(4), reg.RSI)
			c.MOVQ(at(reg.RSI), reg.RDI)
			c.RET()
		}, want: []string{"(MOVQ (SI), DI): an address that is no pointer argument"}},
		{name: "halfOfPointerInMemory", signature: "func(p **[8]byte)", spec: Spec{Public: []string{"p"}}, build: func(c *build.Context) {
			c.Load(c.Param("p"), reg.RAX)
			c.XORL(reg.ECX, reg.ECX)
			c.XCHGL(reg.ECX, at(reg.RAX))
			c.MOVQ(at(reg.RCX), reg.RDI)
			c.RET()
		}, want: []string{"(MOVQ (CX), DI): an address that is no pointer argument"}},
		{name: "oldRegister", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RCX).Idx(reg.RSI, 1), reg.RDI)
			c.RET()
		}, want: []string{"an address depends on a secret: a register as the caller left it"}},

		{name: "storeMask", spec: withTier("chacha20/avx512"), build: func(c *build.Context) {
			c.KMOVQ(at(reg.RAX), reg.K1)
			c.VPXORD(reg.X16, reg.X16, reg.X16)
			c.VMOVDQU8(reg.X16, reg.K1, at(reg.RBX))
			c.RET()
		}, want: []string{"(VMOVDQU8 X16, K1, (BX)): the mask of a memory operand depends on a secret: the memory behind key → 5 (KMOVQ (AX), K1)"}},
		{name: "loadMask", spec: withTier("chacha20/avx512"), build: func(c *build.Context) {
			c.KMOVQ(at(reg.RAX), reg.K1)
			c.VMOVDQU8_Z(at(reg.RCX), reg.K1, reg.X16)
			c.RET()
		}, want: []string{"(VMOVDQU8.Z (CX), K1, X16): the mask of a memory operand depends on a secret: the memory behind key → 5 (KMOVQ (AX), K1)"}},
		{name: "loadMaskAVX2", spec: withTier("avx2"), build: func(c *build.Context) {
			c.VMOVDQU(at(reg.RAX), reg.X1)
			c.VPMASKMOVD(at(reg.RCX), reg.X1, reg.X2)
			c.RET()
		}, want: []string{"(VPMASKMOVD (CX), X1, X2): the mask of a memory operand depends on a secret: the memory behind key → 5 (VMOVDQU (AX), X1)"}},
		{name: "divide", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RAX), reg.RAX)
			c.MOVQ(reg.RDX, reg.RSI)
			c.XORL(reg.EDX, reg.EDX)
			c.DIVQ(reg.RSI)
			c.RET()
		}, want: []string{"(DIVQ SI): an instruction of variable latency has a secret operand: the memory behind key →"}},
		{name: "deposit", spec: withTier("adx"), build: func(c *build.Context) {
			c.PEXTQ(at(reg.RAX), reg.RDX, reg.RSI)
			c.RET()
		}, want: []string{"an instruction of variable latency has a secret operand"}},
		{name: "rotateThroughCarry", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RAX), reg.RCX)
			c.CLC()
			c.RCLQ(reg.CL, reg.RDX)
			c.RET()
		}, want: []string{"an instruction of variable latency has a secret count"}},
		{name: "storeInPublic", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, at(reg.RCX))
			c.RET()
		}, want: []string{"(MOVQ SI, (CX)): stores a secret behind table, which is public: the memory behind key → 5 (MOVQ (AX), SI)"}},
		{name: "storeInGlobal", spec: open, build: func(c *build.Context) {
			c.MOVQ(reg.RDX, operand.NewDataAddr(operand.NewStaticSymbol("g"), 0))
			c.RET()
		}, want: []string{"writes to the global g<>"}},
		{name: "storeAddress", spec: open, build: func(c *build.Context) {
			c.MOVQ(reg.RCX, at(reg.RBX))
			c.RET()
		}, want: []string{"stores an address behind dst"}},
		{name: "storeInArgument", spec: open, build: func(c *build.Context) {
			c.MOVQ(reg.RDX, operand.NewParamAddr("n", 24))
			c.RET()
		}, want: []string{"writes over the argument n"}},
		{name: "resultRead", signature: "func(n uint64) (r uint64)", build: func(c *build.Context) {
			c.MOVQ(operand.NewParamAddr("r", 8), reg.RAX)
			c.TESTQ(reg.RAX, reg.RAX)
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}, want: []string{"a branch depends on a secret: the result r as the caller left it"}},
		{name: "storeOutsideResults", spec: open, build: func(c *build.Context) {
			c.MOVQ(reg.RDX, operand.NewParamAddr("r", 32))
			c.RET()
		}, want: []string{"writes outside the results"}},
		{name: "indexArguments", spec: open, build: func(c *build.Context) {
			c.MOVQ(operand.NewParamAddr("n", 24).Idx(reg.RDX, 8), reg.RSI)
			c.RET()
		}, want: []string{"indexes the arguments"}},
		{name: "namedFrame", spec: open, build: func(c *build.Context) {
			c.AllocLocal(8)
			c.MOVQ(operand.Mem{Symbol: operand.Symbol{Name: "x"}, Base: reg.StackPointer, Disp: -8}, reg.RSI)
			c.RET()
		}, want: []string{"names a part of the frame"}},
		{name: "opcode", spec: open, build: func(c *build.Context) {
			c.XADDQ(reg.RSI, reg.RDI)
			c.RET()
		}, want: []string{"(XADDQ SI, DI): unknown opcode"}},

		{name: "notOfTier", spec: withTier("chacha20/avx512"), build: func(c *build.Context) {
			c.VPERMB(reg.Z16, reg.Z17, reg.Z18)
			c.RET()
		}, want: []string{"(VPERMB Z16, Z17, Z18): needs AVX512VBMI, which the condition of tier \"chacha20/avx512\" does not include"}},
		{name: "notPortable", spec: Spec{}, build: func(c *build.Context) {
			c.VPXOR(reg.X0, reg.X0, reg.X0)
			c.RET()
		}, want: []string{"needs AVX, which"}},
		{name: "highRegister", spec: withTier("avx2"), build: func(c *build.Context) {
			// avo takes this for AVX2; with register 17 it is an AVX-512 encoding.
			c.VPADDD(reg.Y17, reg.Y1, reg.Y2)
			c.VZEROUPPER()
			c.RET()
		}, want: []string{"needs AVX512F", "needs AVX512VL"}},
		{name: "noTier", spec: Spec{Tier: "neon"}, build: func(c *build.Context) {
			c.RET()
		}, want: []string{"no amd64 tier is named \"neon\""}},

		{name: "slotLeft", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(32)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, slot.Offset(16))
			c.RET()
		}, want: []string{"(RET): returns with a secret in bytes 16 to 23 of the frame: the memory behind key → 5 (MOVQ (AX), SI) → 6 (MOVQ SI, 16(SP))"}},
		{name: "slotLeftOnOnePath", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(8)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, slot)
			c.TESTQ(reg.RDX, reg.RDX)
			c.JEQ(label("end"))
			c.MOVQ(imm32(0), slot)
			c.Label("end")
			c.RET()
		}, want: []string{"returns with a secret in bytes 0 to 7 of the frame"}},
		{name: "slotHalfWiped", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(8)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, slot)
			c.MOVL(imm32(0), slot)
			c.RET()
		}, want: []string{"returns with a secret in bytes 4 to 7 of the frame"}},
		{name: "slotWipedUnderMask", spec: withTier("chacha20/avx512"), build: func(c *build.Context) {
			slot := c.AllocLocal(16)
			c.VMOVDQU8(at(reg.RAX), reg.X16)
			c.VMOVDQU8(reg.X16, slot)
			c.KMOVQ(reg.RDX, reg.K1)
			c.VPXORD(reg.X16, reg.X16, reg.X16)
			c.VMOVDQU8(reg.X16, reg.K1, slot)
			c.RET()
		}, want: []string{"returns with a secret in bytes 0 to 15 of the frame"}},
		{name: "slotByIndex", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(16)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.ANDQ(imm(1), reg.RDX)
			c.MOVQ(reg.RSI, slot.Idx(reg.RDX, 8))
			c.MOVQ(imm32(0), slot)
			c.RET()
		}, want: []string{"returns with a secret in bytes 8 to 15 of the frame"}},
		{name: "slotWipedByIndex", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(16)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, slot)
			c.ANDQ(imm(1), reg.RDX)
			c.MOVQ(imm32(0), slot.Idx(reg.RDX, 8))
			c.RET()
		}, want: []string{"returns with a secret in bytes 0 to 7 of the frame"}},
		{name: "eitherSlotWiped", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(16)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, slot)
			c.MOVQ(reg.RSI, slot.Offset(8))
			c.LEAQ(slot, reg.RDI)
			c.TESTQ(reg.RDX, reg.RDX)
			c.JEQ(label("end"))
			c.ADDQ(imm(8), reg.RDI)
			c.Label("end")
			c.MOVQ(imm32(0), at(reg.RDI))
			c.RET()
		}, want: []string{"returns with a secret in bytes 8 to 15 of the frame"}}, // or 0 to 7
		{name: "eitherSlotWipedBySelection", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(16)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, slot)
			c.MOVQ(reg.RSI, slot.Offset(8))
			c.LEAQ(slot, reg.RDI)
			c.LEAQ(slot.Offset(8), reg.RSI)
			c.TESTQ(reg.RDX, reg.RDX)
			c.CMOVQEQ(reg.RSI, reg.RDI)
			c.MOVQ(imm32(0), at(reg.RDI))
			c.RET()
		}, want: []string{"returns with a secret in bytes 0 to 15 of the frame"}},
		{name: "slotLeftByResult", signature: "func(key *[64]byte) (r uint64)", build: func(c *build.Context) {
			slot := c.AllocLocal(8)
			c.Load(c.Param("key"), reg.RAX)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, operand.NewParamAddr("r", 8))
			c.MOVQ(operand.NewParamAddr("r", 8), reg.RDI)
			c.MOVQ(reg.RDI, slot)
			c.RET()
		}, want: []string{"(RET): returns with a secret in bytes 0 to 7 of the frame: the memory behind key → 2 (MOVQ (AX), SI) → 3 (MOVQ SI, r+8(FP)) → 4 (MOVQ r+8(FP), DI) → 5 (MOVQ DI, (SP))"}},
		{name: "slotLeftByResultOfOnePath", signature: "func(key *[64]byte, n uint64) (r uint64)", build: func(c *build.Context) {
			slot := c.AllocLocal(8)
			c.Load(c.Param("key"), reg.RAX)
			c.Load(c.Param("n"), reg.RDX)
			c.TESTQ(reg.RDX, reg.RDX)
			c.JNE(label("secret"))
			c.MOVQ(reg.RDX, operand.NewParamAddr("r", 16))
			c.JMP(label("either"))
			c.Label("secret")
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, operand.NewParamAddr("r", 16))
			c.Label("either")
			c.MOVQ(operand.NewParamAddr("r", 16), reg.RDI)
			c.MOVQ(reg.RDI, slot)
			c.RET()
		}, want: []string{"(RET): returns with a secret in bytes 0 to 7 of the frame: the memory behind key → 7 (MOVQ (AX), SI) → 8 (MOVQ SI, r+16(FP)) → 9 (MOVQ r+16(FP), DI) → 10 (MOVQ DI, (SP))"}},
		{name: "leavesNothing", spec: Spec{Leaves: "for no reason"}, build: func(c *build.Context) {
			c.RET()
		}, want: []string{"the specification tells why secrets stay in the frame, and none does"}},
		{name: "outsideFrame", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(16)
			c.MOVQ(reg.RDX, slot.Offset(12))
			c.RET()
		}, want: []string{"reaches bytes 12 to 19 of a frame of 16"}},

		{name: "noVZEROUPPER", spec: withTier("avx2"), build: func(c *build.Context) {
			c.TESTQ(reg.RDX, reg.RDX)
			c.JEQ(label("end"))
			c.VMOVDQU(at(reg.RCX), reg.Y0)
			c.Label("end")
			c.RET()
		}, want: []string{"(RET): returns without VZEROUPPER after 7 (VMOVDQU (CX), Y0)"}},
		{name: "shaAfterAVX", spec: withTier("shani"), build: func(c *build.Context) {
			c.VMOVUPS(at(reg.RCX), reg.Y0)
			c.VMOVDQU(at(reg.RCX), reg.X1)
			c.SHA256MSG1(reg.X1, reg.X1)
			c.VZEROUPPER()
			c.RET()
		}, want: []string{"(SHA256MSG1 X1, X1): a legacy encoding without VZEROUPPER after 5 (VMOVUPS (CX), Y0)"}},
		{name: "sseAfterAVX512", spec: withTier("chacha20/avx512"), build: func(c *build.Context) {
			c.VPXORD(reg.Z3, reg.Z3, reg.Z3)
			c.MOVQ(reg.RDX, reg.X1)
			c.VZEROUPPER()
			c.RET()
		}, want: []string{"(MOVQ DX, X1): a legacy encoding without VZEROUPPER"}},

		{name: "writesX15", spec: withTier("avx2"), build: func(c *build.Context) {
			c.VMOVDQU(at(reg.RCX), reg.X15)
			c.RET()
		}, want: []string{"writes X15"}},
		{name: "writesR14", spec: open, build: func(c *build.Context) {
			c.MOVL(imm32(1), reg.R14L)
			c.RET()
		}, want: []string{"writes R14"}},
		{name: "writesR14Unseen", spec: withTier("adx"), build: func(c *build.Context) {
			c.MULXQ(reg.RCX, reg.R14, reg.RSI)
			c.RET()
		}, want: []string{"writes R14"}},
		{name: "writesSP", spec: open, build: func(c *build.Context) {
			c.ADDQ(imm(8), reg.RSP)
			c.RET()
		}, want: []string{"writes SP"}},
		{name: "largeFrame", spec: open, build: func(c *build.Context) {
			c.AllocLocal(808)
			c.RET()
		}, want: []string{"a NOSPLIT frame of 808 bytes, 8 more than allowed"}},
		{name: "unreachable", spec: open, build: func(c *build.Context) {
			c.RET()
			c.NOP()
			c.RET()
		}, want: []string{"6 (NOP): is never reached", "7 (RET): is never reached"}},
		{name: "noEnd", spec: open, build: func(c *build.Context) {
			c.NOP()
		}, want: []string{"control runs off the end of the function"}},
		{name: "noSuchParameter", spec: Spec{Public: []string{"n", "x"}, Secret: []string{"y"}}, build: func(c *build.Context) {
			c.RET()
		}, want: []string{`public "n" is no parameter with a pointer`, `public "x" is no parameter with a pointer`, `secret "y" is no parameter`}},
		{name: "otherTypes", signature: "func(f func())", build: func(c *build.Context) {
			c.RET()
		}, want: []string{"f has a type that assembly should not take"}},
		{name: "halfArgument", signature: "func(n uint32)", build: func(c *build.Context) {
			c.MOVQ(operand.NewParamAddr("n", 0), reg.RAX)
			c.RET()
		}, want: []string{"reads bytes 0 to 7 of the arguments, which are not all of an argument"}},
	})
}

// imm32 is an immediate where avo takes only one of 32 bits.
func imm32(x int32) operand.Op { return operand.I32(x) }

// These are ways to do things right.
func TestPasses(t *testing.T) {
	run(t, []routine{
		{name: "select", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.TESTQ(reg.RSI, reg.RSI)
			c.MOVQ(at(reg.RCX), reg.RDI)
			c.CMOVQEQ(reg.RDX, reg.RDI)
			c.SETEQ(reg.R8B)
			c.SBBQ(reg.R9, reg.R9)
			c.MOVQ(reg.RDI, at(reg.RBX))
			c.RET()
		}},
		{name: "scan", spec: withTier("avx2"), build: func(c *build.Context) {
			// Every entry of a table is read; the secret only makes masks.
			c.VPBROADCASTD(at(reg.RAX), reg.Y0)
			c.VPXOR(reg.Y1, reg.Y1, reg.Y1)
			c.VPXOR(reg.Y2, reg.Y2, reg.Y2)
			c.VPCMPEQD(reg.Y4, reg.Y4, reg.Y4)
			c.Label("loop")
			c.VPCMPEQD(reg.Y0, reg.Y2, reg.Y3)
			c.VPAND(at(reg.RCX), reg.Y3, reg.Y3)
			c.VPOR(reg.Y3, reg.Y1, reg.Y1)
			c.VPSUBD(reg.Y4, reg.Y2, reg.Y2)
			c.ADDQ(imm(32), reg.RCX)
			c.DECQ(reg.RDX)
			c.JNE(label("loop"))
			c.VMOVDQU(reg.Y1, at(reg.RBX))
			c.VZEROUPPER()
			c.RET()
		}},
		{name: "publicMask", spec: withTier("chacha20/avx512"), build: func(c *build.Context) {
			c.MOVQ(operand.I32(-1), reg.RSI)
			c.BZHIQ(reg.RDX, reg.RSI, reg.RSI)
			c.KMOVQ(reg.RSI, reg.K1)
			c.VMOVDQU8_Z(at(reg.RAX), reg.K1, reg.Z16)
			c.VMOVDQU8(reg.Z16, reg.K1, at(reg.RBX))
			c.RET()
		}, want: []string{"needs BMI2"}}, // that alone
		{name: "zeroIdioms", spec: withTier("chacha20/avx512"), build: func(c *build.Context) {
			c.VMOVDQU32(at(reg.RAX), reg.Z16)
			c.VPXORD(reg.Z16, reg.Z16, reg.Z17)
			c.VPTERNLOGD(imm(0xff), reg.Z16, reg.Z16, reg.Z16)
			c.VPADDD(reg.Z16, reg.Z17, reg.Z17)
			c.VMOVDQU32(reg.Z17, at(reg.RCX)) // public again
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.XORL(reg.ESI, reg.ESI)
			c.JEQ(label("end"))
			c.MOVQ(reg.RSI, at(reg.RCX))
			c.Label("end")
			c.RET()
		}},
		{name: "spillAndWipe", spec: withTier("avx2"), build: func(c *build.Context) {
			slot := c.AllocLocal(40)
			c.VMOVDQU(at(reg.RAX), reg.Y0)
			c.VMOVDQU(reg.Y0, slot)
			c.MOVQ(reg.RBX, slot.Offset(32)) // a pointer, out and back
			c.MOVQ(slot.Offset(32), reg.RDI)
			c.VPADDD(slot, reg.Y0, reg.Y0)
			c.VMOVDQU(reg.Y0, at(reg.RDI))
			c.VPXOR(reg.Y0, reg.Y0, reg.Y0)
			c.VMOVDQU(reg.Y0, slot)
			c.VZEROUPPER()
			c.RET()
		}},
		{name: "wipeThroughPointer", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(16)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, slot.Offset(8))
			c.LEAQ(slot, reg.RDI)
			c.ADDQ(imm(8), reg.RDI)
			c.MOVQ(imm32(0), at(reg.RDI))
			c.RET()
		}},
		{name: "leaves", spec: Spec{Leaves: "the caller wipes"}, build: func(c *build.Context) {
			slot := c.AllocLocal(8)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, slot)
			c.RET()
		}},
		{name: "publicCounter", spec: withTier("adx"), build: func(c *build.Context) {
			// A secret carry goes round a loop whose counter leaves it alone.
			c.XORQ(reg.RSI, reg.RSI)
			c.Label("loop")
			c.ADCXQ(at(reg.RAX), reg.RSI)
			c.LEAQ(at(reg.RAX).Offset(8), reg.RAX)
			c.DECQ(reg.RDX)
			c.JNE(label("loop"))
			c.MOVQ(reg.RSI, at(reg.RBX))
			c.RET()
		}},
		{name: "product", spec: withTier("adx"), build: func(c *build.Context) {
			c.MOVQ(at(reg.RAX), reg.RDX)
			c.MULXQ(at(reg.RCX), reg.RSI, reg.RDI)
			c.XORL(reg.R8L, reg.R8L)
			c.ADCXQ(reg.RSI, reg.R8)
			c.ADOXQ(reg.RDI, reg.R8)
			c.MOVQ(reg.R8, at(reg.RBX))
			c.RET()
		}},
		{name: "shift", spec: open, build: func(c *build.Context) {
			c.MOVQ(at(reg.RAX), reg.RCX)
			c.SHLQ(reg.CL, reg.RDX)
			c.MOVQ(reg.RDX, at(reg.RBX))
			c.RET()
		}},
		{name: "publicData", spec: withTier("avx2"), build: func(c *build.Context) {
			c.VMOVDQU(at(reg.RCX), reg.Y0)
			c.VPMOVMSKB(reg.Y0, reg.ESI)
			c.TESTL(reg.ESI, reg.ESI)
			c.JNE(label("end"))
			c.VPTEST(reg.Y0, reg.Y0)
			c.JNE(label("end"))
			c.MOVQ(at(reg.RCX), reg.RSI)
			c.MOVQ(at(reg.RCX).Idx(reg.RSI, 8), reg.RDI)
			c.Label("end")
			c.VZEROUPPER()
			c.RET()
		}},
		{name: "publicDivision", spec: open, build: func(c *build.Context) {
			c.MOVQ(reg.RDX, reg.RAX)
			c.XORL(reg.EDX, reg.EDX)
			c.MOVQ(at(reg.RCX), reg.RSI)
			c.DIVQ(reg.RSI)
			c.RET()
		}},
		{name: "highRegisters", spec: withTier("chacha20/avx512"), build: func(c *build.Context) {
			// No upper half of 0 to 15 is written.
			c.VMOVDQU32(at(reg.RAX), reg.Z16)
			c.VPADDD(reg.Z16, reg.Z16, reg.Z31)
			c.VMOVDQU32(reg.Z31, at(reg.RBX))
			c.RET()
		}},
		{name: "shaAfterVZEROUPPER", spec: withTier("shani"), build: func(c *build.Context) {
			c.VMOVUPS(at(reg.RCX), reg.Y0)
			c.VZEROUPPER()
			c.SHA256MSG1(reg.X0, reg.X0)
			c.RET()
		}},
		{name: "byte", spec: open, build: func(c *build.Context) {
			// What the rest of a register holds does not matter to its lowest byte.
			c.MOVB(at(reg.RCX), reg.SIB)
			c.MOVB(reg.SIB, at(reg.RCX))
			c.MOVB(at(reg.RCX), reg.BL)
			c.MOVB(reg.BL, at(reg.RCX))
			c.CMPB(reg.BL, imm(7))
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}},
		{name: "bytesApart", spec: open, build: func(c *build.Context) {
			c.XORL(reg.EDX, reg.EDX)
			c.MOVB(at(reg.RAX), reg.DL)
			c.TESTB(reg.DH, reg.DH)
			c.JNE(label("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}},
		{name: "align", spec: open, build: func(c *build.Context) {
			c.MOVQ(reg.RCX, reg.RSI)
			c.ANDQ(imm(63), reg.RSI)
			c.ANDQ(operand.I8(-64), reg.RCX)
			c.MOVQ(at(reg.RCX).Idx(reg.RSI, 1), reg.RDI)
			c.RET()
		}},
		{name: "zeroAll", spec: withTier("avx2"), build: func(c *build.Context) {
			c.VMOVDQU(at(reg.RAX), reg.Y0)
			c.VZEROALL()
			c.MOVOU(reg.X0, at(reg.RCX))
			c.RET()
		}},
		{name: "distance", spec: open, build: func(c *build.Context) {
			// The end of a buffer less its start is a number.
			c.LEAQ(at(reg.RCX).Idx(reg.RDX, 1), reg.RSI)
			c.SUBQ(reg.RCX, reg.RSI)
			c.MOVQ(at(reg.RBX).Idx(reg.RSI, 1), reg.RDI)
			c.RET()
		}},
		{name: "global", spec: open, build: func(c *build.Context) {
			m := operand.NewDataAddr(operand.NewStaticSymbol("g"), 0)
			c.LEAQ(m, reg.RSI)
			c.Label("loop")
			c.MOVQ(at(reg.RSI), reg.RDI)
			c.ADDQ(imm(8), reg.RSI)
			c.SUBQ(imm(1), reg.RDX)
			c.JNE(label("loop"))
			c.RET()
		}},
		{name: "basePointer", spec: open, build: func(c *build.Context) {
			c.MOVQ(reg.RDX, reg.RBP) // avo gives it a frame
			c.RET()
		}},
		{name: "pointersInMemory", signature: "func(blocks *[4]*[64]byte, i uint64) (w uint64)", spec: Spec{Public: []string{"blocks"}}, build: func(c *build.Context) {
			c.Load(c.Param("blocks"), reg.RAX)
			c.Load(c.Param("i"), reg.RCX)
			c.MOVQ(at(reg.RAX).Idx(reg.RCX, 8), reg.RBX)
			c.MOVQ(at(reg.RBX), reg.RSI)
			c.Store(reg.RSI, c.Return("w"))
			c.RET()
		}},
		{name: "slices", signature: "func(dst []byte, s string, ok bool) (n int, err uint8)", spec: Spec{Public: []string{"s"}}, build: func(c *build.Context) {
			c.Load(c.Param("dst").Base(), reg.RDI)
			c.Load(c.Param("dst").Len(), reg.RCX)
			c.Load(c.Param("s").Base(), reg.RSI)
			c.Label("loop")
			c.MOVB(at(reg.RSI).Idx(reg.RCX, 1), reg.AL)
			c.MOVB(reg.AL, at(reg.RDI).Idx(reg.RCX, 1))
			c.DECQ(reg.RCX)
			c.JNE(label("loop"))
			c.Store(reg.RCX, c.Return("n"))
			c.MOVB(imm(1), reg.AL)
			c.Store(reg.AL, c.Return("err"))
			c.RET()
		}},
	})
}

// Memory behind a pointer that was read from memory is secret.
func TestPointersInMemory(t *testing.T) {
	const signature = "func(blocks *[4]*[64]byte)"
	body := func(c *build.Context) {
		c.Load(c.Param("blocks"), reg.RAX)
		c.MOVQ(at(reg.RAX), reg.RBX)
		c.MOVBQZX(at(reg.RBX), reg.RCX)
		c.MOVQ(at(reg.RAX).Idx(reg.RCX, 8), reg.RBX)
		c.RET()
	}
	run(t, []routine{
		{name: "public", signature: signature, spec: Spec{Public: []string{"blocks"}}, build: body,
			want: []string{"4 (MOVQ (AX)(CX*8), BX): an address depends on a secret: the memory behind a pointer of blocks"}},
		{name: "secret", signature: signature, build: body,
			want: []string{"3 (MOVBQZX (BX), CX): an address depends on a secret: the memory behind blocks", "4 (MOVQ (AX)(CX*8), BX): an address depends on a secret: memory at an unknown address → 3 (MOVBQZX (BX), CX)"}},
	})
}

func TestFile(t *testing.T) {
	body := func(c *build.Context) {
		c.VPXOR(reg.Y0, reg.Y0, reg.Y0)
		c.VZEROUPPER()
		c.RET()
	}
	f := compile(t, routine{name: "a", build: body}, routine{name: "b", build: body})
	t.Run("all", func(t *testing.T) {
		expect(t, AMD64.File(f, map[string]Spec{"a": {Tier: "avx2"}, "b": {Tier: "avx2"}}), nil)
	})
	t.Run("missing", func(t *testing.T) {
		expect(t, AMD64.File(f, map[string]Spec{"b": {Tier: "avx2"}, "c": {}, "d": {}}), []string{
			"a: no specification", "c: a specification and no function", "d: a specification and no function"})
	})
	t.Run("unused", func(t *testing.T) {
		expect(t, AMD64.File(f, map[string]Spec{"a": {Tier: "avx2"}, "b": {Tier: "chacha20/avx512"}}), []string{
			`tier "chacha20/avx512" tests avx512bw, and no instruction`, `tier "chacha20/avx512" tests avx512f, and`, `tier "chacha20/avx512" tests avx512vl, and`})
	})
	t.Run("findings", func(t *testing.T) {
		expect(t, AMD64.File(f, map[string]Spec{"a": {Tier: "avx2"}, "b": {}}), []string{
			"b: instruction 5 (VPXOR Y0, Y0, Y0): needs AVX2", "b: instruction 6 (VZEROUPPER): needs AVX,"})
	})
	// What one function uses serves the tier's others.
	t.Run("together", func(t *testing.T) {
		f := compile(t,
			routine{name: "a", build: func(c *build.Context) {
				c.MULXQ(reg.RSI, reg.RDI, reg.R8)
				c.RET()
			}},
			routine{name: "b", build: func(c *build.Context) {
				c.ADCXQ(reg.RSI, reg.RDI)
				c.RET()
			}},
			routine{name: "c", build: body})
		expect(t, AMD64.File(f, map[string]Spec{"a": {Tier: "adx"}, "b": {Tier: "adx"}, "c": {Tier: "adx"}}), nil)
	})
	// A tier that tests all that another one tests runs its functions too, and one
	// that does not, does not.
	t.Run("included", func(t *testing.T) {
		f := compile(t,
			routine{name: "a", build: func(c *build.Context) {
				c.VPXOR(reg.X0, reg.X0, reg.X0)
				c.SHA256MSG1(reg.X0, reg.X1)
				c.RET()
			}},
			routine{name: "b", build: func(c *build.Context) {
				c.VPSHUFB(reg.Z16, reg.Z16, reg.Z16)
				c.VZEROUPPER()
				c.RET()
			}})
		expect(t, AMD64.File(f, map[string]Spec{"a": {Tier: "shani"}, "b": {Tier: "sha256/avx512"}}), nil)
		expect(t, AMD64.File(f, map[string]Spec{"a": {Tier: "avx2"}, "b": {Tier: "sha256/avx512"}}), []string{
			"needs SHA", `tier "avx2" tests avx2, and`, `tier "sha256/avx512" tests sha, and`})
	})
}

// Go's assembler saves BP only in a function that has a frame. avo sees to that, for
// what it allocates.
func TestBasePointer(t *testing.T) {
	fn := compile(t, routine{name: "f", build: func(c *build.Context) {
		c.MOVQ(reg.RDX, reg.RBP)
		c.RET()
	}}).Functions()[0]
	expect(t, AMD64.Function(fn, Spec{}), nil)
	fn.LocalSize = 0
	expect(t, AMD64.Function(fn, Spec{}), []string{"(MOVQ DX, BP): writes BP in a function without a frame"})
}

// avo looks labels up too, but its graph is gone when the checks run.
func TestLabel(t *testing.T) {
	fn := compile(t, routine{name: "f", build: func(c *build.Context) {
		c.Label("again")
		c.DECQ(reg.RDX)
		c.JNE(label("again"))
		c.RET()
	}}).Functions()[0]
	expect(t, AMD64.Function(fn, Spec{}), nil)
	fn.Instructions()[5].Operands[0] = label("elsewhere")
	expect(t, AMD64.Function(fn, Spec{}), []string{"(JNE elsewhere): jumps to no label of this function"})
}

// A function whose registers are not bound yet cannot be judged.
func TestBeforeCompile(t *testing.T) {
	c := build.NewContext()
	c.Function("early")
	c.SignatureExpr("func()")
	r := c.GP64()
	c.XORQ(r, r)
	c.RET()
	f, err := c.Result()
	if err != nil {
		t.Fatal(err)
	}
	err = AMD64.Function(f.Functions()[0], Spec{})
	expect(t, err, []string{"has a virtual register: the checks come after registers are bound"})
}
