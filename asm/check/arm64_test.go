package check

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/arm64"
)

// A routineARM64 is a routine for arm64. The pointers of most are in R0 (key), R1 (dst)
// and R2 (table), and the number n in R3.
type routineARM64 struct {
	name      string
	spec      Spec
	build     func(c *arm64.Context)
	want      []string
	signature string
}

var (
	r, v             = arm64.R, arm64.V
	key, dst, public = operand.Mem{Base: r[0]}, operand.Mem{Base: r[1]}, operand.Mem{Base: r[2]}
	n                = r[3]
)

func compileARM64(t *testing.T, rs ...routineARM64) *ir.File {
	t.Helper()
	c := arm64.NewContext()
	for _, one := range rs {
		c.Function(one.name)
		c.Attributes(attr.NOSPLIT)
		if one.signature == "" {
			one.signature = usual
		}
		c.SignatureExpr(one.signature)
		if one.signature == usual {
			for i, name := range []string{"key", "dst", "table", "n"} {
				c.Load(c.Param(name), r[i])
			}
		}
		one.build(c)
	}
	f, err := c.Result()
	if err == nil {
		err = arm64.Compile(f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func runARM64(t *testing.T, rs []routineARM64) {
	for _, one := range rs {
		t.Run(one.name, func(t *testing.T) {
			expect(t, ARM64.Function(compileARM64(t, one).Functions()[0], one.spec), one.want)
		})
	}
}

// skipped ends a routine with a branch over nothing.
func skipped(c *arm64.Context, branch func(l operand.LabelRef)) {
	branch("end")
	c.NOOP()
	c.Label("end")
	c.RET()
}

// Each of these breaks one rule, and is refused for that alone.
func TestRefusedARM64(t *testing.T) {
	runARM64(t, []routineARM64{
		{name: "branch", spec: open, build: func(c *arm64.Context) {
			c.MOVD(key, r[4])
			c.ADD(n, r[4], r[4])
			c.CMP(imm(7), r[4])
			skipped(c, c.BEQ)
		}, want: []string{"branch: instruction 8 (BEQ end): a branch depends on a secret: the memory behind key → 5 (MOVD (R0), R4) → 6 (ADD R3, R4, R4) → 7 (CMP $0x07, R4)"}},
		{name: "branchOnArgument", spec: Spec{Secret: []string{"n"}}, build: func(c *arm64.Context) {
			skipped(c, func(l operand.LabelRef) { c.CBZ(n, l) })
		}, want: []string{"(CBZ R3, end): a branch depends on a secret: the argument n → 4 (MOVD n+24(FP), R3)"}},
		{name: "branchOnZero", spec: open, build: func(c *arm64.Context) {
			c.MOVBU(key, r[4])
			skipped(c, func(l operand.LabelRef) { c.CBNZ(r[4], l) })
		}, want: []string{"(CBNZ R4, end): a branch depends on a secret: the memory behind key → 5 (MOVBU (R0), R4)"}},
		{name: "branchOnBit", spec: open, build: func(c *arm64.Context) {
			c.MOVBU(key, r[4])
			skipped(c, func(l operand.LabelRef) { c.TBZ(imm(0), r[4], l) })
		}, want: []string{"(TBZ $0x00, R4, end): a branch depends on a secret: the memory behind key → 5 (MOVBU (R0), R4)"}},
		{name: "branchOnCarry", spec: open, build: func(c *arm64.Context) {
			c.MOVD(key, r[4])
			c.ADDS(n, r[4], r[4])
			c.ADCS(n, n, r[5])
			skipped(c, c.BLO)
		}, want: []string{"(BLO end): a branch depends on a secret: the memory behind key → 5 (MOVD (R0), R4) → 6 (ADDS R3, R4, R4) → 7 (ADCS R3, R3, R5)"}},
		{name: "branchOnNextCarry", spec: open, build: func(c *arm64.Context) {
			c.MOVD(key, r[4])
			c.ADDS(n, n, r[5])
			c.ADCS(r[4], n, r[5])
			skipped(c, c.BLO)
		}, want: []string{"(BLO end): a branch depends on a secret: the memory behind key → 5 (MOVD (R0), R4) → 7 (ADCS R4, R3, R5)"}},
		{name: "branchOnConditional", spec: open, build: func(c *arm64.Context) {
			c.MOVD(key, r[4])
			c.CMP(imm(0), r[4])
			c.CSET(arm64.EQ, r[5])
			c.CMP(n, r[5])
			skipped(c, c.BNE)
		}, want: []string{"(BNE end): a branch depends on a secret: the memory behind key → 5 (MOVD (R0), R4) → 6 (CMP $0x00, R4) → 7 (CSET EQ, R5) → 8 (CMP R3, R5)"}},
		{name: "branchOnConditionalCompare", spec: open, build: func(c *arm64.Context) {
			c.MOVD(key, r[4])
			c.CMP(imm(0), r[4])
			c.CCMP(arm64.EQ, n, imm(3), imm(4))
			skipped(c, c.BNE)
		}, want: []string{"(BNE end): a branch depends on a secret: the memory behind key → 5 (MOVD (R0), R4) → 6 (CMP $0x00, R4) → 7 (CCMP EQ, R3, $0x03, $0x04)"}},
		{name: "branchOnOldFlags", spec: open, build: func(c *arm64.Context) {
			skipped(c, c.BEQ)
		}, want: []string{"a branch depends on a secret: the flags as the caller left them"}},
		{name: "branchInLoop", spec: open, build: func(c *arm64.Context) {
			c.MOVD(imm(0), r[4])
			c.MOVD(imm(0), r[5])
			c.Label("loop")
			c.CBNZ(r[4], "end")
			c.MOVD(r[5], r[4])
			c.MOVD(key, r[5])
			c.SUB(imm(1), n, n)
			c.CBNZ(n, "loop")
			c.Label("end")
			c.RET()
		}, want: []string{"(CBNZ R4, end): a branch depends on a secret: the memory behind key →"}},
		{name: "branchOnLane", spec: neon, build: func(c *arm64.Context) {
			c.VLD1(key, arm64.List{v[0].B16(), v[1].B16()})
			c.VMOVI(imm(0), v[2].B16())
			c.VORR(v[1].B16(), v[2].B16(), v[2].B16())
			c.VADDV(v[2].B16(), v[3])
			c.VMOV(v[3].B(0), r[4])
			skipped(c, func(l operand.LabelRef) { c.CBNZ(r[4], l) })
		}, want: []string{"(CBNZ R4, end): a branch depends on a secret: the memory behind key → 5 (VLD1 (R0), [V0.B16, V1.B16]) →"}},
		{name: "branchOnOtherLane", spec: neon, build: func(c *arm64.Context) {
			c.FMOVQ(key, v[0])
			c.VMOV(n, v[0].D(1)) // the other stays
			c.VMOV(v[0].D(0), r[4])
			skipped(c, func(l operand.LabelRef) { c.CBNZ(r[4], l) })
		}, want: []string{"(CBNZ R4, end): a branch depends on a secret: the memory behind key → 5 (FMOVQ (R0), F0) → 6 (VMOV R3, V0.D[1]) → 7 (VMOV V0.D[0], R4)"}},
		{name: "branchOnLoadedLane", spec: neon, build: func(c *arm64.Context) {
			c.FMOVQ(key, v[0])
			c.VLD1(public, v[0].D(1))
			c.VMOV(v[0].D(0), r[4])
			skipped(c, func(l operand.LabelRef) { c.CBNZ(r[4], l) })
		}, want: []string{"(CBNZ R4, end): a branch depends on a secret: the memory behind key → 5 (FMOVQ (R0), F0) → 6 (VLD1 (R2), V0.D[1]) → 7 (VMOV V0.D[0], R4)"}},
		{name: "branchOnInserted", spec: neon, build: func(c *arm64.Context) {
			c.FMOVQ(key, v[0])
			c.FMOVQ(public, v[1])
			c.VSRI(imm(25), v[1].S4(), v[0].S4())
			c.FMOVD(v[0], r[4])
			skipped(c, func(l operand.LabelRef) { c.CBNZ(r[4], l) })
		}, want: []string{"(CBNZ R4, end): a branch depends on a secret: the memory behind key → 5 (FMOVQ (R0), F0) → 7 (VSRI $0x19, V1.S4, V0.S4) → 8 (FMOVD F0, R4)"}},
		{name: "branchOnPair", spec: open, build: func(c *arm64.Context) {
			c.LDP(key, arm64.Pair{r[4], r[5]})
			skipped(c, func(l operand.LabelRef) { c.CBNZ(r[5], l) })
		}, want: []string{"(CBNZ R5, end): a branch depends on a secret: the memory behind key → 5 (LDP (R0), (R4, R5))"}},
		{name: "branchOnSlot", spec: Spec{Public: []string{"table"}, Leaves: "a test"}, build: func(c *arm64.Context) {
			slot := c.AllocLocal(16)
			c.MOVD(key, r[4])
			c.STP(arm64.Pair{r[4], arm64.ZR}, slot)
			c.MOVD(slot.Offset(8), r[5])
			skipped(c, func(l operand.LabelRef) { c.CBNZ(r[5], l) })
		}, want: []string{"(CBNZ R5, end): a branch depends on a secret: the memory behind key → 5 (MOVD (R0), R4) → 6 (STP (R4, ZR), 16(RSP)) → 7 (MOVD 24(RSP), R5)"}},
		{name: "branchOnSelected", spec: open, build: func(c *arm64.Context) {
			c.MOVD(key, r[4])
			c.CMP(imm(0), r[4])
			c.CSEL(arm64.EQ, n, arm64.ZR, r[5])
			skipped(c, func(l operand.LabelRef) { c.CBNZ(r[5], l) })
		}, want: []string{"(CBNZ R5, end): a branch depends on a secret: the memory behind key → 5 (MOVD (R0), R4) → 6 (CMP $0x00, R4) → 7 (CSEL EQ, R3, ZR, R5)"}},

		{name: "base", spec: open, build: func(c *arm64.Context) {
			c.MOVD(key, r[4])
			c.AND(imm(7), r[4], r[4])
			c.ADD(r[4].LSL(3), r[2], r[5])
			c.MOVBU(operand.Mem{Base: r[5]}, r[6])
			c.RET()
		}, want: []string{"(MOVBU (R5), R6): an address depends on a secret: the memory behind key → 5 (MOVD (R0), R4) → 6 (AND $0x07, R4, R4) → 7 (ADD R4<<3, R2, R5)"}},
		{name: "index", spec: open, build: func(c *arm64.Context) {
			c.MOVBU(key, r[4])
			c.MOVD(public.Idx(r[4], 8), r[5])
			c.RET()
		}, want: []string{"(MOVD (R2)(R4<<3), R5): an address depends on a secret: the memory behind key → 5 (MOVBU (R0), R4)"}},
		{name: "storeIndex", spec: open, build: func(c *arm64.Context) {
			c.MOVBU(key, r[4])
			c.MOVD(n, dst.Idx(r[4], 8))
			c.RET()
		}, want: []string{"(MOVD R3, (R1)(R4<<3)): an address depends on a secret: the memory behind key → 5 (MOVBU (R0), R4)"}},
		{name: "prefetch", spec: open, build: func(c *arm64.Context) {
			c.MOVBU(key, r[4])
			c.ADD(r[4], r[2], r[4])
			c.PRFM(operand.Mem{Base: r[4]}, arm64.PLDL1KEEP)
			c.RET()
		}, want: []string{"(PRFM (R4), PLDL1KEEP): an address depends on a secret: the memory behind key → 5 (MOVBU (R0), R4) → 6 (ADD R4, R2, R4)"}},
		{name: "increase", spec: neon, build: func(c *arm64.Context) {
			c.MOVBU(key, r[4])
			c.VLD1_P(public.Idx(r[4], 1), arm64.List{v[0].B16()})
			c.VLD1(public, arm64.List{v[0].B16()})
			c.RET()
		}, want: []string{"(VLD1 (R2), [V0.B16]): an address depends on a secret: the memory behind key → 5 (MOVBU (R0), R4)"}},
		{name: "selectedAddress", spec: open, build: func(c *arm64.Context) {
			c.ADD(imm(8), r[2], r[4])
			c.MOVD(key, r[5])
			c.CMP(imm(0), r[5])
			c.CSEL(arm64.EQ, r[4], r[2], r[4])
			c.MOVD(operand.Mem{Base: r[4]}, r[5])
			c.RET()
		}, want: []string{"(MOVD (R4), R5): an address depends on a secret: the memory behind key → 6 (MOVD (R0), R5) → 7 (CMP $0x00, R5) → 8 (CSEL EQ, R4, R2, R4)"}},
		{name: "oldRegister", spec: open, build: func(c *arm64.Context) {
			c.MOVD(public.Idx(r[9], 1), r[5])
			c.RET()
		}, want: []string{"an address depends on a secret: a register as the caller left it"}},

		{name: "noProvenance", spec: open, build: func(c *arm64.Context) {
			c.MOVD(operand.Mem{Base: n}, r[4])
			c.RET()
		}, want: []string{"(MOVD (R3), R4): an address that is no pointer argument, frame or global plus a number"}},
		{name: "pointerBecomesNumber", spec: open, build: func(c *arm64.Context) {
			c.EOR(imm(1), r[2], r[2])
			c.MOVD(public, r[4])
			c.RET()
		}, want: []string{"an address that is no pointer argument"}},
		{name: "lowHalfOfPointer", spec: open, build: func(c *arm64.Context) {
			c.MOVWU(r[2], r[2])
			c.MOVD(public, r[4])
			c.RET()
		}, want: []string{"an address that is no pointer argument"}},
		{name: "sumOnHalves", spec: open, build: func(c *arm64.Context) {
			c.ADDW(imm(8), r[2], r[2])
			c.MOVD(public, r[4])
			c.RET()
		}, want: []string{"an address that is no pointer argument"}},
		{name: "shiftedPointer", spec: open, build: func(c *arm64.Context) {
			c.ADD(r[2].LSL(1), n, r[4])
			c.MOVD(operand.Mem{Base: r[4]}, r[4])
			c.RET()
		}, want: []string{"an address that is no pointer argument"}},
		{name: "differenceOfPointers", spec: open, build: func(c *arm64.Context) {
			c.SUB(r[2], r[0], r[4])
			c.MOVD(public.Idx(r[4], 1), r[5])
			c.RET()
		}, want: []string{"an address that is no pointer argument"}},
		{name: "eitherPointer", spec: open, build: func(c *arm64.Context) {
			c.CBZ(n, "end")
			c.MOVD(r[2], r[0])
			c.Label("end")
			c.MOVD(key, r[4])
			c.RET()
		}, want: []string{"an address that is no pointer argument"}},
		{name: "pairOfPointers", spec: open, build: func(c *arm64.Context) {
			slot := c.AllocLocal(16)
			c.STP(arm64.Pair{r[1], r[2]}, slot)
			c.LDP(slot, arm64.Pair{r[4], r[5]})
			c.MOVD(operand.Mem{Base: r[5]}, r[6])
			c.RET()
		}, want: []string{"an address that is no pointer argument"}},

		{name: "divide", spec: open, build: func(c *arm64.Context) {
			c.MOVD(key, r[4])
			c.UDIV(n, r[4], r[4])
			c.RET()
		}, want: []string{"(UDIV R3, R4, R4): an instruction of variable latency has a secret operand: the memory behind key →"}},
		{name: "storeInPublic", spec: neon, build: func(c *arm64.Context) {
			c.VLD1(key, arm64.List{v[0].B16()})
			c.VST1(arm64.List{v[0].B16()}, public)
			c.RET()
		}, want: []string{"(VST1 [V0.B16], (R2)): stores a secret behind table, which is public: the memory behind key → 5 (VLD1 (R0), [V0.B16])"}},
		{name: "storeListInPublic", spec: neon, build: func(c *arm64.Context) {
			c.VMOVI(imm(0), v[0].B16())
			c.FMOVQ(key, v[1])
			c.VST1(arm64.List{v[0].B16(), v[1].B16()}, public)
			c.RET()
		}, want: []string{"(VST1 [V0.B16, V1.B16], (R2)): stores a secret behind table"}},
		{name: "storeInGlobal", spec: open, build: func(c *arm64.Context) {
			c.MOVD(arm64.Address{Mem: operand.NewDataAddr(operand.NewStaticSymbol("g"), 0)}, r[4])
			c.MOVD(n, operand.Mem{Base: r[4]})
			c.RET()
		}, want: []string{"writes to the global g<>"}},
		{name: "storeAddress", spec: open, build: func(c *arm64.Context) {
			c.MOVD(r[2], dst)
			c.RET()
		}, want: []string{"stores an address behind dst"}},
		{name: "storeInArgument", spec: open, build: func(c *arm64.Context) {
			c.MOVD(n, operand.NewParamAddr("n", 24))
			c.RET()
		}, want: []string{"writes over the argument n"}},
		{name: "resultRead", signature: "func(n uint64) (r uint64)", build: func(c *arm64.Context) {
			c.MOVD(operand.NewParamAddr("r", 8), r[4])
			skipped(c, func(l operand.LabelRef) { c.CBNZ(r[4], l) })
		}, want: []string{"a branch depends on a secret: the result r as the caller left it"}},

		{name: "notOfTier", spec: neon, build: func(c *arm64.Context) {
			c.SHA256SU0(v[0].S4(), v[1].S4())
			c.RET()
		}, want: []string{"(SHA256SU0 V0.S4, V1.S4): needs SHA2, which the condition of tier \"neon\" does not include"}},
		{name: "notPortable", build: func(c *arm64.Context) {
			c.VMOVI(imm(0), v[0].B16())
			c.RET()
		}, want: []string{"needs ASIMD, which"}},
		{name: "noTier", spec: Spec{Tier: "avx2"}, build: func(c *arm64.Context) {
			c.RET()
		}, want: []string{"no arm64 tier is named \"avx2\""}},

		{name: "slotLeft", spec: open, build: func(c *arm64.Context) {
			slot := c.AllocLocal(32)
			c.MOVD(key, r[4])
			c.MOVD(r[4], slot.Offset(16))
			c.RET()
		}, want: []string{"(RET): returns with a secret in bytes 24 to 31 of the frame: the memory behind key → 5 (MOVD (R0), R4) → 6 (MOVD R4, 32(RSP))"}},
		{name: "slotLeftOnOnePath", spec: open, build: func(c *arm64.Context) {
			slot := c.AllocLocal(8)
			c.MOVD(key, r[4])
			c.MOVD(r[4], slot)
			c.CBZ(n, "end")
			c.MOVD(arm64.ZR, slot)
			c.Label("end")
			c.RET()
		}, want: []string{"returns with a secret in bytes 0 to 7 of the frame"}},
		{name: "slotHalfWiped", spec: neon, build: func(c *arm64.Context) {
			slot := c.AllocLocal(32)
			c.FLDPQ(key, v[0], v[1])
			c.FSTPQ(v[0], v[1], slot)
			c.VMOVI(imm(0), v[0].B16())
			c.FMOVQ(v[0], slot)
			c.RET()
		}, want: []string{"returns with a secret in bytes 24 to 39 of the frame"}},
		{name: "slotWipedByIncrease", spec: neon, build: func(c *arm64.Context) {
			// The second store is at the address as it was before, and so the first
			// increase decides.
			slot := c.AllocLocal(32)
			c.MOVD(arm64.Address{Mem: slot}, r[4])
			at := operand.Mem{Base: r[4]}
			c.FMOVQ(key, v[0])
			c.FMOVQ(v[0], slot)
			c.FMOVQ(v[0], slot.Offset(16))
			c.VMOVI(imm(0), v[0].B16())
			c.VST1_P(arm64.List{v[0].B16()}, at.Offset(8))
			c.VST1(arm64.List{v[0].B16()}, at)
			c.RET()
		}, want: []string{"returns with a secret in bytes 32 to 39 of the frame"}},
		{name: "slotByIndex", spec: open, build: func(c *arm64.Context) {
			slot := c.AllocLocal(24)
			c.MOVD(arm64.Address{Mem: slot}, r[5])
			c.MOVD(key, r[4])
			c.AND(imm(1), n, n)
			c.MOVD(r[4], operand.Mem{Base: r[5]}.Idx(n, 8))
			c.MOVD(arm64.ZR, slot)
			c.RET()
		}, want: []string{"returns with a secret in bytes 8 to 15 of the frame"}},
		{name: "slotLeftByResult", signature: "func(key *[64]byte) (r uint64)", build: func(c *arm64.Context) {
			slot := c.AllocLocal(8)
			c.Load(c.Param("key"), r[0])
			c.MOVD(key, r[4])
			c.MOVD(r[4], operand.NewParamAddr("r", 8))
			c.MOVD(operand.NewParamAddr("r", 8), r[5])
			c.MOVD(r[5], slot)
			c.RET()
		}, want: []string{"(RET): returns with a secret in bytes 0 to 7 of the frame: the memory behind key → 2 (MOVD (R0), R4) → 3 (MOVD R4, r+8(FP)) → 4 (MOVD r+8(FP), R5) → 5 (MOVD R5, 8(RSP))"}},
		{name: "leavesNothing", spec: Spec{Leaves: "for no reason"}, build: func(c *arm64.Context) {
			c.RET()
		}, want: []string{"the specification tells why secrets stay in the frame, and none does"}},
		{name: "outsideFrame", spec: open, build: func(c *arm64.Context) {
			slot := c.AllocLocal(16)
			c.STP(arm64.Pair{n, n}, slot.Offset(8))
			c.RET()
		}, want: []string{"reaches bytes 16 to 31 of a frame of 24"}},
		{name: "halfBehindFrame", spec: open, build: func(c *arm64.Context) {
			slot := c.AllocLocal(16)
			c.MOVH(n, slot.Offset(14))
			c.MOVH(n, slot.Offset(15))
			c.MOVHU(slot.Offset(15), r[4])
			c.RET()
		}, want: []string{"(MOVH R3, 31(RSP)): reaches bytes 23 to 24 of a frame of 24", "(MOVHU 31(RSP), R4): reaches bytes 23 to 24 of a frame of 24"}},
		{name: "linkRegister", spec: open, build: func(c *arm64.Context) {
			c.AllocLocal(16)
			c.MOVD(n, operand.Mem{Base: arm64.RSP})
			c.RET()
		}, want: []string{"reaches bytes -8 to -1 of a frame of 24"}},
		{name: "largeFrame", spec: open, build: func(c *arm64.Context) {
			c.AllocLocal(808)
			c.RET()
		}, want: []string{"a NOSPLIT frame of 808 bytes, 8 more than allowed"}},

		{name: "writesR18", spec: open, build: func(c *arm64.Context) {
			c.MOVD(imm(1), r[18])
			c.RET()
		}, want: []string{"writes R18, which belongs to the system"}},
		{name: "writesR26", spec: open, build: func(c *arm64.Context) {
			c.MOVD(imm(1), r[26])
			c.RET()
		}, want: []string{"writes R26"}},
		{name: "writesR27", spec: open, build: func(c *arm64.Context) {
			c.LDP(public, arm64.Pair{r[4], r[27]})
			c.RET()
		}, want: []string{"writes R27, which the assembler uses"}},
		{name: "writesR28", spec: open, build: func(c *arm64.Context) {
			c.MOVW(n, r[28])
			c.RET()
		}, want: []string{"writes R28, which holds the goroutine"}},
		{name: "writesR29", spec: open, build: func(c *arm64.Context) {
			c.CSETM(arm64.EQ, r[29])
			c.RET()
		}, want: []string{"writes R29"}},
		{name: "writesR30", spec: open, build: func(c *arm64.Context) {
			c.BFI(imm(1), n, imm(2), r[30])
			c.RET()
		}, want: []string{"writes R30"}},
		{name: "writesRSP", spec: open, build: func(c *arm64.Context) {
			c.AllocLocal(16)
			c.MOVD_W(n, operand.Mem{Base: arm64.RSP, Disp: 8})
			c.RET()
		}, want: []string{"writes RSP"}},
		{name: "unreachable", spec: open, build: func(c *arm64.Context) {
			c.B("end")
			c.NOOP()
			c.Label("end")
			c.RET()
		}, want: []string{"6 (NOOP): is never reached"}},
		{name: "noEnd", spec: open, build: func(c *arm64.Context) {
			c.NOOP()
		}, want: []string{"control runs off the end of the function"}},
	})
}

var neon = Spec{Tier: "neon", Public: []string{"table"}}

// These are ways to do things right.
func TestPassesARM64(t *testing.T) {
	runARM64(t, []routineARM64{
		{name: "select", spec: open, build: func(c *arm64.Context) {
			c.MOVD(key, r[4])
			c.CMP(imm(0), r[4])
			c.MOVD(public, r[5])
			c.CSEL(arm64.EQ, n, r[5], r[5])
			c.CSETM(arm64.LO, r[6])
			c.AND(r[6], r[5], r[5])
			c.MOVD(r[5], dst)
			c.RET()
		}},
		{name: "carries", spec: open, build: func(c *arm64.Context) {
			c.LDP(key, arm64.Pair{r[4], r[5]})
			c.MUL(r[4], r[5], r[6])
			c.UMULH(r[4], r[5], r[7])
			c.ADDS(r[6], r[4], r[4])
			c.ADCS(r[7], r[5], r[5])
			c.ADC(arm64.ZR, arm64.ZR, r[6])
			c.EXTR(imm(3), r[4], r[5], r[7])
			c.STP(arm64.Pair{r[4], r[5]}, dst)
			c.STP(arm64.Pair{r[6], r[7]}, dst.Offset(16))
			c.RET()
		}},
		{name: "publicCounter", spec: open, build: func(c *arm64.Context) {
			// A secret carry goes round a loop whose counter leaves it alone.
			c.ADDS(arm64.ZR, arm64.ZR, r[5])
			c.Label("loop")
			c.MOVD_P(key.Offset(8), r[4])
			c.ADCS(r[4], r[5], r[5])
			c.SUB(imm(1), n, n)
			c.CBNZ(n, "loop")
			c.MOVD(r[5], dst)
			c.RET()
		}},
		{name: "scan", spec: neon, build: func(c *arm64.Context) {
			// Every entry of a table is read; the secret only makes masks.
			c.VLD1R(key, arm64.List{v[0].S4()})
			c.VMOVI(imm(0), v[1].B16())
			c.VMOVI(imm(0), v[2].B16())
			c.VCMEQ(v[9].S4(), v[9].S4(), v[4].S4()) // ones, whatever was there
			c.Label("loop")
			c.VCMEQ(v[0].S4(), v[2].S4(), v[3].S4())
			c.VLD1_P(public.Offset(16), arm64.List{v[5].B16()})
			c.VBIT(v[3].B16(), v[5].B16(), v[1].B16())
			c.VSUB(v[4].S4(), v[2].S4(), v[2].S4())
			c.SUBS(imm(1), n, n)
			c.BNE("loop")
			c.VST1(arm64.List{v[1].B16()}, dst)
			c.VST1(arm64.List{v[2].B16()}, public) // a public count
			c.RET()
		}},
		{name: "zeroIdioms", spec: neon, build: func(c *arm64.Context) {
			c.FMOVQ(key, v[0])
			c.VEOR(v[0].B16(), v[0].B16(), v[1].B16())
			c.VST1(arm64.List{v[1].B16()}, public)
			c.MOVD(key, r[4])
			c.EOR(r[4], r[4], r[4])
			skipped(c, func(l operand.LabelRef) { c.CBZ(r[4], l) })
		}},
		{name: "spillAndWipe", spec: neon, build: func(c *arm64.Context) {
			slot := c.AllocLocal(40)
			c.FLDPQ(key, v[0], v[1])
			c.FSTPQ(v[0], v[1], slot)
			c.MOVD(r[1], slot.Offset(32)) // a pointer, out and back
			c.MOVD(slot.Offset(32), r[4])
			c.FSTPQ(v[0], v[1], operand.Mem{Base: r[4]})
			c.VMOVI(imm(0), v[0].B16())
			c.FSTPQ(v[0], v[0], slot)
			c.RET()
		}},
		{name: "wipeThroughPointer", spec: neon, build: func(c *arm64.Context) {
			slot := c.AllocLocal(32)
			c.MOVD(arm64.Address{Mem: slot}, r[4])
			at := operand.Mem{Base: r[4]}
			c.FLDPQ(key, v[0], v[1])
			c.FSTPQ(v[0], v[1], slot)
			c.VMOVI(imm(0), v[0].B16())
			c.VST1_P(arm64.List{v[0].B16()}, at.Offset(16))
			c.VST1_P(arm64.List{v[0].B16()}, at.Offset(16))
			c.RET()
		}},
		{name: "wipeBefore", spec: open, build: func(c *arm64.Context) {
			slot := c.AllocLocal(16)
			c.MOVD(arm64.Address{Mem: slot}, r[4])
			c.MOVD(key, r[5])
			c.MOVD(r[5], slot.Offset(8))
			c.MOVD_W(arm64.ZR, operand.Mem{Base: r[4], Disp: 8})
			c.RET()
		}},
		{name: "publicData", spec: open, build: func(c *arm64.Context) {
			c.MOVD(public, r[4])
			c.MOVD(dst.Idx(r[4], 8), r[5])
			skipped(c, func(l operand.LabelRef) { c.CBNZ(r[4], l) })
		}},
		{name: "alignedAddress", spec: open, build: func(c *arm64.Context) {
			c.AND(operand.I32(-64), r[2], r[4])
			c.AND(imm(63), r[2], r[5])
			c.MOVD(operand.Mem{Base: r[4]}.Idx(r[5], 1), r[6])
			c.RET()
		}},
		{name: "distance", spec: open, build: func(c *arm64.Context) {
			c.ADD(imm(32), r[2], r[4])
			c.SUB(r[2], r[4], r[5])
			c.CBZ(r[5], "end")
			c.MOVD(dst.Idx(r[5], 1), r[6])
			c.Label("end")
			c.RET()
		}},
		{name: "pointersInPublicMemory", signature: "func(p *[2]*byte)", spec: Spec{Public: []string{"p"}}, build: func(c *arm64.Context) {
			c.Load(c.Param("p"), r[0])
			c.MOVD_P(key.Offset(8), r[1])
			c.MOVBU(dst, r[2])
			c.MOVB(r[2], dst)
			c.RET()
		}},
		{name: "result", signature: "func(n uint32) (ok bool)", build: func(c *arm64.Context) {
			c.Load(c.Param("n"), r[0])
			c.CMPW(imm(7), r[0])
			c.CSET(arm64.HI, r[1])
			c.Store(r[1], c.Return("ok"))
			c.RET()
		}},
		{name: "sha", spec: Spec{Tier: "sha2"}, build: func(c *arm64.Context) {
			c.VLD1(key, arm64.List{v[0].S4(), v[1].S4(), v[2].S4()})
			c.VMOV(v[1].B16(), v[3].B16())
			c.SHA256H(v[0].S4(), v[2], v[1])
			c.SHA256H2(v[0].S4(), v[3], v[2])
			c.VST1(arm64.List{v[1].S4(), v[2].S4()}, dst)
			c.RET()
		}},
	})
}

// An opcode that the table lacks.
func TestUnknownOpcodeARM64(t *testing.T) {
	fn := compileARM64(t, routineARM64{name: "f", build: func(c *arm64.Context) {
		c.ADD(r[4], n, n)
		c.RET()
	}}).Functions()[0]
	fn.Instructions()[4].Opcode = "CRC32X"
	expect(t, ARM64.Function(fn, Spec{}), []string{"(CRC32X R4, R3, R3): unknown opcode"})
}

func TestFileARM64(t *testing.T) {
	vector := func(c *arm64.Context) {
		c.VMOVI(imm(0), v[0].B16())
		c.RET()
	}
	f := compileARM64(t, routineARM64{name: "a", build: vector}, routineARM64{name: "b", build: vector})
	expect(t, ARM64.File(f, map[string]Spec{"a": {Tier: "neon"}, "b": {Tier: "neon"}}), nil)
	expect(t, ARM64.File(f, map[string]Spec{"a": {Tier: "neon"}, "b": {Tier: "sha2"}}), []string{`tier "sha2" tests sha2, and no instruction`})
	expect(t, ARM64.File(f, map[string]Spec{"a": {Tier: "neon"}}), []string{"b: no specification"})
}

// asm/arm64 says for its own purposes what each instruction reads and writes. That is
// held against the table, for every instruction and every kind of operand.
func TestOpcodesAgreeWithARM64(t *testing.T) {
	methods := reflect.TypeFor[*arm64.Context]()
	tried := make(map[string]bool)
	for m := range methods.NumMethod() {
		name := methods.Method(m).Name
		opcode, _, _ := strings.Cut(name, "_")
		if opcode != strings.ToUpper(opcode) || opcode == "GP" {
			continue
		}
		if _, ok := opcodesARM64[opcode]; !ok {
			t.Errorf("the table has no %s", opcode)
		}
		tried[opcode] = true
		c := arm64.NewContext()
		c.Function("f")
		call := reflect.ValueOf(c).Method(m)
		argumentsOf(call.Type(), func(args []reflect.Value) { call.Call(args) })
		f, _ := c.Result()
		if len(f.Functions()[0].Instructions()) == 0 {
			t.Errorf("%s: no form was built", name)
		}
		for _, i := range f.Functions()[0].Instructions() {
			agreeARM64(t, i)
		}
	}
	for opcode := range opcodesARM64 {
		if !tried[opcode] {
			t.Errorf("asm/arm64 has no %s", opcode)
		}
	}
}

// argumentsOf calls try with arguments of every combination of kinds that a method takes.
func argumentsOf(method reflect.Type, try func([]reflect.Value)) {
	args := make([]reflect.Value, method.NumIn())
	var lists []any
	for count := 1; count <= 4; count++ {
		var list arm64.List
		for k := range count {
			list = append(list, v[8+k].S4())
		}
		lists = append(lists, list)
	}
	var fill func(k int)
	fill = func(k int) {
		if k == len(args) {
			try(slices.Clone(args))
			return
		}
		var some []any
		switch method.In(k) {
		case reflect.TypeFor[arm64.GP]():
			some = []any{r[4+k]}
		case reflect.TypeFor[arm64.Vec]():
			some = []any{v[4+k].S4()}
		case reflect.TypeFor[arm64.List]():
			some = lists
		case reflect.TypeFor[arm64.Pair]():
			some = []any{arm64.Pair{r[8], r[9]}}
		case reflect.TypeFor[arm64.Condition]():
			some = []any{arm64.EQ}
		case reflect.TypeFor[arm64.Prefetch]():
			some = []any{arm64.PLDL1KEEP}
		case reflect.TypeFor[operand.LabelRef]():
			some = []any{operand.LabelRef("l")}
		case reflect.TypeFor[operand.Mem]():
			some = []any{operand.Mem{Base: r[10], Disp: 8}, operand.Mem{Base: r[10]}.Idx(r[11], 1)}
		default: // operand.Op
			some = []any{r[4+k], r[4+k].LSL(2), v[4+k].S4(), v[4+k].S(1),
				operand.Mem{Base: r[10], Disp: 8}, operand.Mem{Base: r[10]}.Idx(r[11], 1)}
			some = append(some, lists...)
			if k < len(args)-1 {
				some = append(some, operand.Imm(1), arm64.Address{Mem: operand.Mem{Base: r[12], Disp: 8}})
			}
		}
		for _, a := range some {
			args[k] = reflect.ValueOf(a)
			fill(k + 1)
		}
	}
	fill(0)
}

func agreeARM64(t *testing.T, i *ir.Instruction) {
	t.Helper()
	f := &function{arch: ARM64, code: []*ir.Instruction{i}}
	e, _ := ARM64.effect(i)
	var in []reg.Register
	for k, op := range i.Operands {
		_, memory := ARM64.memory(op)
		if memory || e.readsOperand(k, len(i.Operands)) {
			in = append(in, ARM64.registers(op)...)
		}
	}
	if got, want := ids(in), ids(i.InputRegisters()); !slices.Equal(got, want) {
		t.Errorf("%s: reads %v, asm/arm64 says %v", f.show(0), got, want)
	}
	if got, want := ids(ARM64.written(i)), ids(i.OutputRegisters()); !slices.Equal(got, want) {
		t.Errorf("%s: writes %v, asm/arm64 says %v", f.show(0), got, want)
	}
}

// What a load or a store of lists reaches in memory, in bytes, by the names of the registers.
func TestListsARM64(t *testing.T) {
	lists := map[int]arm64.List{
		8:  {v[8].B8()},
		16: {v[8].B16()},
		32: {v[8].S4(), v[9].S4()},
		24: {v[8].H4(), v[9].H4(), v[10].H4()},
		48: {v[8].B16(), v[9].B16(), v[10].B16()},
		64: {v[8].D2(), v[9].D2(), v[10].D2(), v[11].D2()},
	}
	// A lane, whatever VLD1R fills with it.
	lanes := map[int]struct {
		list arm64.List
		lane arm64.Vec
	}{
		1: {arm64.List{v[8].B16()}, v[8].B(1)},
		2: {arm64.List{v[8].H8()}, v[8].H(1)},
		4: {arm64.List{v[8].S2()}, v[8].S(1)},
		8: {arm64.List{v[8].D2()}, v[8].D(1)},
	}
	for size, x := range lanes {
		for _, build := range []func(c *arm64.Context, m operand.Mem){
			func(c *arm64.Context, m operand.Mem) { c.VLD1R(m, x.list) },
			func(c *arm64.Context, m operand.Mem) { c.VLD1(m, x.lane) },
			func(c *arm64.Context, m operand.Mem) { c.VST1(x.lane, m) },
		} {
			for over := range 2 {
				fn := compileARM64(t, routineARM64{name: "f", build: func(c *arm64.Context) {
					slot := c.AllocLocal(8)
					c.MOVD(arm64.Address{Mem: slot.Offset(8 - size + over)}, r[5])
					c.VMOVI(imm(0), v[8].B16())
					build(c, operand.Mem{Base: r[5]})
					c.RET()
				}}).Functions()[0]
				var want []string
				if over > 0 {
					want = []string{fmt.Sprintf("reaches bytes %d to 8 of a frame of 8", 9-size)}
				}
				expect(t, ARM64.Function(fn, Spec{Tier: "neon"}), want)
			}
		}
	}
	type form struct {
		name  string
		of    int // registers, 0 for any number
		build func(c *arm64.Context, m operand.Mem, l arm64.List)
	}
	for _, f := range []form{
		{"VLD1", 0, func(c *arm64.Context, m operand.Mem, l arm64.List) { c.VLD1(m, l) }},
		{"VLD2", 2, func(c *arm64.Context, m operand.Mem, l arm64.List) { c.VLD2(m, l) }},
		{"VLD3", 3, func(c *arm64.Context, m operand.Mem, l arm64.List) { c.VLD3(m, l) }},
		{"VLD4", 4, func(c *arm64.Context, m operand.Mem, l arm64.List) { c.VLD4(m, l) }},
		{"VST1", 0, func(c *arm64.Context, m operand.Mem, l arm64.List) { c.VST1(l, m) }},
		{"VST2", 2, func(c *arm64.Context, m operand.Mem, l arm64.List) { c.VST2(l, m) }},
		{"VST3", 3, func(c *arm64.Context, m operand.Mem, l arm64.List) { c.VST3(l, m) }},
		{"VST4", 4, func(c *arm64.Context, m operand.Mem, l arm64.List) { c.VST4(l, m) }},
	} {
		for size, l := range lists {
			if f.of != 0 && f.of != len(l) {
				continue
			}
			for _, room := range []int{size, size - 8} {
				if room == 0 {
					continue
				}
				fn := compileARM64(t, routineARM64{name: "f", build: func(c *arm64.Context) {
					slot := c.AllocLocal(room)
					c.MOVD(arm64.Address{Mem: slot}, r[5])
					for _, x := range l {
						c.VMOVI(imm(0), x.B16())
					}
					f.build(c, operand.Mem{Base: r[5]}, l)
					c.RET()
				}}).Functions()[0]
				var want []string
				if frame := fn.LocalSize; room < size { // of 8 more where the slot is aligned
					want = []string{fmt.Sprintf("reaches bytes %d to %d of a frame of %d", frame-room, frame-room+size-1, frame)}
				}
				expect(t, ARM64.Function(fn, Spec{Tier: "neon"}), want)
			}
		}
	}
}
