package secp256k1

import (
	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/arm64"
)

// mulDivision is [division] for arm64: the same numbers, words and bounds, which the
// comments there give. All but the numbers f, g, d and e is in registers.
type mulDivision struct {
	*mulField
	f, g, d, e operand.Mem
}

// The registers of a run, and those of an update. Both keep what is between.
var (
	runF, runG   = arm64.R[4], arm64.R[5]
	term         = arm64.R[6]
	runU, runQ   = arm64.R[7], arm64.R[8]
	runLow       = [2]arm64.GP{arm64.R[9], arm64.R[10]}
	swapped      = arm64.R[20] // bits whose sum is that of the symbol, with halved
	halved       = arm64.R[22]
	unitU, unitV = low, high // where the fields of a word begin

	matrix        = [4]arm64.GP{arm64.R[0], arm64.R[1], arm64.R[2], arm64.R[3]} // u, v, q, r
	steps         = arm64.R[11]                                                 // zeta
	runs, rounds  = arm64.R[12], arm64.R[13]
	limbMask      = arm64.R[19]
	numberF       = [2]arm64.GP{arm64.R[14], arm64.R[15]} // the lower half first
	numberG       = [2]arm64.GP{arm64.R[16], arm64.R[17]}
	limbF, limbG  = arm64.R[7], arm64.R[8]
	part          = [2]arm64.GP{arm64.R[4], arm64.R[5]}
	multiplesOfP  = runLow
	inverseOfP    = arm64.R[6]
	resultOrInput = []arm64.GP{arm64.R[0], arm64.R[1], arm64.R[2], arm64.R[3], arm64.R[4]}
)

func (f *mulField) division() *mulDivision {
	m := f.AllocLocal(numbers)
	return &mulDivision{mulField: f, f: m, g: m.Offset(40), d: m.Offset(80), e: m.Offset(120)}
}

// init starts with f = p, g = x modulo p, d = 0, e = 1. x lies behind from.
func (d *mulDivision) init() {
	d.begin()
	d.MOVD(operand.Imm(1<<limbBits-1), limbMask)
	a, t := resultOrInput, []arm64.GP{arm64.R[5], arm64.R[6], arm64.R[7], arm64.R[8]}
	for i := 0; i < 4; i += 2 {
		d.LDP(limb(d.at(from, 0), i), arm64.Pair{a[i], a[i+1]})
	}
	// x − p = x + c − 2²⁵⁶.
	d.ADDS(cReg, a[0], t[0])
	for i := 1; i < 4; i++ {
		d.ADCS(arm64.ZR, a[i], t[i])
	}
	for i := range t {
		d.CSEL(arm64.HS, t[i], a[i], t[i])
	}
	d.AND(limbMask, t[0], a[0])
	for i := 1; i < 4; i++ {
		d.EXTR(operand.Imm(uint64(64-2*i)), t[i-1], t[i], a[i])
		d.AND(limbMask, a[i], a[i])
	}
	d.LSR(operand.Imm(64-8), t[3], a[4])
	for i := range 5 {
		d.MOVD(a[i], limb(d.g, i))
	}
	d.MOVD(operand.Imm(1<<limbBits-c), a[0])
	d.MOVD(a[0], limb(d.f, 0))
	for i := 1; i < 4; i++ {
		d.MOVD(limbMask, limb(d.f, i))
	}
	d.MOVD(operand.Imm(255), a[0])
	d.MOVD(a[0], limb(d.f, 4))
	for i := range 5 {
		d.MOVD(arm64.ZR, limb(d.d, i))
		d.MOVD(arm64.ZR, limb(d.e, i))
	}
	d.MOVD(operand.Imm(1), a[0])
	d.MOVD(a[0], limb(d.e, 0))
	d.MOVD(operand.I64(-1), steps)
}

// step is one division step: of F and G, and of zeta = −(δ + 1/2). The flags say on entry,
// as they do after it, whether G is odd.
func (d *mulDivision) step() {
	d.CSEL(arm64.NE, runF, arm64.ZR, term)
	d.swapFlag()
	d.CINV(arm64.MI, steps, steps)
	d.CNEG(arm64.MI, term, term)
	d.CSEL(arm64.MI, runG, runF, runF)
	d.ADD(term, runG, runG)
	d.SUB(operand.Imm(1), steps, steps)
	d.TST(operand.Imm(2), runG)
	d.ASR(operand.Imm(1), runG, runG)
}

// swapFlag sets the flag of a negative number where g is odd and zeta negative: there f
// and g are swapped. Before it, they say whether g is odd.
func (d *mulDivision) swapFlag() {
	d.CCMP(arm64.NE, steps, operand.Imm(0), operand.Imm(0))
}

// words puts the low bits of f and g into the words, so many, and the units of the fields
// above them: with a minus sign where the fields are signed.
func (d *mulDivision) words(bits int, signed bool) {
	units := [2]arm64.GP{unitU, unitV}
	for i, x := range [2]arm64.GP{runF, runG} {
		d.AND(operand.Imm(1<<bits-1), runLow[i], x)
		if signed {
			d.SUB(units[i], x, x)
		} else {
			d.ADD(units[i], x, x)
		}
	}
	d.TST(operand.Imm(1), runG)
}

// units sets the units of the fields.
func (d *mulDivision) units(u, v uint64) {
	d.MOVD(operand.Imm(u), unitU)
	d.MOVD(operand.Imm(v), unitV)
}

// round does 60 steps on the low limbs and leaves the negative of their matrix, scaled
// by 2⁶², in matrix.
func (d *mulDivision) round() {
	d.identity()
	d.Label("run")
	d.words(run, true)
	for range run {
		d.step()
	}
	for _, x := range [][2]arm64.GP{{runF, runU}, {runG, runQ}} {
		d.ADD(operand.Imm(1<<20), x[0], x[0])
		d.SBFX(operand.Imm(21), x[0], operand.Imm(21), x[1])
		d.ADD(unitU, x[0], x[0])
		d.ASR(operand.Imm(42), x[0], x[0])
	}
	d.endRun()
}

// identity begins a round of three runs.
func (d *mulDivision) identity() {
	d.MOVD(limb(d.f, 0), runLow[0])
	d.MOVD(limb(d.g, 0), runLow[1])
	for i, x := range []uint64{4, 0, 0, 4} {
		d.MOVD(operand.Imm(x), matrix[i])
	}
	d.MOVD(operand.Imm(3), runs)
}

// endRun applies the matrix of a run to the low limbs and to that of the round, and
// goes on to the next run.
func (d *mulDivision) endRun() {
	d.apply(runLow[0], runLow[1])
	for _, x := range runLow {
		d.ASR(operand.Imm(run), x, x)
	}
	d.apply(matrix[0], matrix[2])
	d.apply(matrix[1], matrix[3])
	d.SUB(operand.Imm(1), runs, runs)
	d.CBNZ(runs, "run")
}

// apply sets (x, y) to (runU·x + runF·y, runQ·x + runG·y), which is where a run leaves its
// matrix.
func (d *mulDivision) apply(x, y arm64.GP) {
	d.MUL(runU, x, term)
	d.MADD(runF, term, y, term)
	d.MUL(runG, y, y)
	d.MADD(runQ, y, x, y)
	d.MOVD(term, x)
}

// mac adds x·y to a number, or sets it.
func (d *mulDivision) mac(to [2]arm64.GP, x, y arm64.GP, set bool) {
	if set {
		d.MUL(y, x, to[0])
		d.SMULH(y, x, to[1])
		return
	}
	d.MUL(y, x, part[0])
	d.SMULH(y, x, part[1])
	d.ADDS(part[0], to[0], to[0])
	d.ADC(part[1], to[1], to[1])
}

// products adds limb i of both numbers times the matrix.
func (d *mulDivision) products(x, y operand.Mem, i int) {
	d.MOVD(limb(x, i), limbF)
	d.MOVD(limb(y, i), limbG)
	d.mac(numberF, limbF, matrix[0], i == 0)
	d.mac(numberF, limbG, matrix[1], false)
	d.mac(numberG, limbF, matrix[2], i == 0)
	d.mac(numberG, limbG, matrix[3], false)
}

// shift divides a number by 2⁶².
func (d *mulDivision) shift(x [2]arm64.GP) {
	d.EXTR(operand.Imm(limbBits), x[0], x[1], x[0])
	d.ASR(operand.Imm(limbBits), x[1], x[1])
}

// putLimb stores what is below 2⁶², and divides by that.
func (d *mulDivision) putLimb(x [2]arm64.GP, to operand.Mem) {
	d.AND(limbMask, x[0], part[0])
	d.MOVD(part[0], to)
	d.shift(x)
}

// updateFG applies the matrix to f and g. Where they are public and never negative,
// positive leaves out the upper two limbs once they are zero.
func (d *mulDivision) updateFG(positive bool) {
	for i := range 5 {
		if positive && i == 3 {
			d.anyBit(limb(d.f, 3), limb(d.f, 4), limb(d.g, 3), limb(d.g, 4))
			d.CBZ(part[0], "short")
		}
		d.products(d.f, d.g, i)
		if i == 0 {
			d.shift(numberF)
			d.shift(numberG)
			continue
		}
		d.putLimb(numberF, limb(d.f, i-1))
		d.putLimb(numberG, limb(d.g, i-1))
	}
	d.MOVD(numberF[0], limb(d.f, 4))
	d.MOVD(numberG[0], limb(d.g, 4))
	if positive {
		d.B("updated")
		d.Label("short")
		d.MOVD(numberF[0], limb(d.f, 2))
		d.MOVD(numberG[0], limb(d.g, 2))
		d.Label("updated")
	}
}

// anyBit sets part[0] to zero if all limbs are.
func (d *mulDivision) anyBit(limbs ...operand.Mem) {
	d.MOVD(limbs[0], part[0])
	for _, l := range limbs[1:] {
		d.MOVD(l, part[1])
		d.ORR(part[1], part[0], part[0])
	}
}

// updateDE is that of fallback/secp256k1.
func (d *mulDivision) updateDE() {
	for i, x := range []operand.Mem{d.d, d.e} {
		d.MOVD(limb(x, 4), part[i])
		d.ASR(operand.Imm(63), part[i], part[i])
	}
	for i, m := range multiplesOfP {
		d.AND(part[0], matrix[2*i], m)
		d.AND(part[1], matrix[2*i+1], limbF)
		d.ADD(limbF, m, m)
	}
	d.MOVD(operand.Imm(invP), inverseOfP)
	both := [2][2]arm64.GP{numberF, numberG}
	for i := range 5 {
		d.products(d.d, d.e, i)
		for k, x := range both {
			m := multiplesOfP[k]
			switch i {
			case 0:
				d.MADD(inverseOfP, m, x[0], part[0])
				d.AND(limbMask, part[0], part[0])
				d.SUB(part[0], m, m)
				d.MUL(cReg, m, part[0])
				d.SMULH(cReg, m, part[1])
				d.SUBS(part[0], x[0], x[0])
				d.SBC(part[1], x[1], x[1])
				d.shift(x)
				continue
			case 4:
				d.ADDS(m.LSL(8), x[0], x[0])
				d.ASR(operand.Imm(64-8), m, m)
				d.ADC(m, x[1], x[1])
			}
			d.putLimb(x, limb([]operand.Mem{d.d, d.e}[k], i-1))
		}
	}
	d.MOVD(numberF[0], limb(d.d, 4))
	d.MOVD(numberG[0], limb(d.e, 4))
}

// result stores d·f for f = ±1 behind to, with what is below p.
func (d *mulDivision) result() {
	x, mask, t := resultOrInput, term, limbF
	for i, r := range x {
		d.MOVD(limb(d.d, i), r)
	}
	// addP adds p to a negative number.
	addP := func() {
		d.ASR(operand.Imm(63), x[4], mask)
		d.AND(cReg, mask, t)
		d.SUB(t, x[0], x[0])
		d.AND(operand.Imm(256), mask, mask)
		d.ADD(mask, x[4], x[4])
	}
	carry := func() {
		for i, r := range x[:4] {
			d.ADD(r.ASR(limbBits), x[i+1], x[i+1])
			d.AND(limbMask, r, r)
		}
	}
	addP()
	d.MOVD(limb(d.f, 4), mask)
	d.ASR(operand.Imm(63), mask, mask)
	for _, r := range x {
		d.EOR(mask, r, r)
		d.SUB(mask, r, r)
	}
	carry()
	addP()
	carry()
	for i := range 4 {
		if i > 0 {
			d.LSR(operand.Imm(uint64(2*i)), x[i], x[i])
		}
		d.ORR(x[i+1].LSL(limbBits-2*i), x[i], x[i])
	}
	for i := 0; i < 4; i += 2 {
		d.STP(arm64.Pair{x[i], x[i+1]}, limb(d.at(to, 0), i))
	}
}

func (f *mulField) invertFunc() {
	f.routine("invert", invert)
	f.invert(false)
}

func (f *mulField) invertVartimeFunc() {
	f.routine("invertVartime", invertVartime)
	f.invert(true)
}

func (f *mulField) invert(vartime bool) {
	d := f.division()
	f.point("x", from)
	d.init()
	d.units(1<<41, 1<<62)
	f.MOVD(operand.Imm(10), rounds)
	f.Label("round")
	d.round()
	d.updateFG(false)
	d.updateDE()
	if vartime {
		d.anyBit(limb(d.g, 0), limb(d.g, 1), limb(d.g, 2), limb(d.g, 3), limb(d.g, 4))
		f.CBZ(part[0], "done")
	}
	f.SUB(operand.Imm(1), rounds, rounds)
	f.CBNZ(rounds, "round")
	if vartime {
		f.Label("done")
	}
	f.point("z", to)
	d.result()
	if !vartime {
		for i := 0; i < numbers; i += 16 {
			f.wipeMasks(d.f.Offset(i))
		}
	}
	f.RET()
}

// positiveStep is step in the positive form (see [division.positiveStep]).
func (d *mulDivision) positiveStep() {
	d.CSEL(arm64.NE, runF, arm64.ZR, term)
	d.EOR(runF, halved, halved)
	d.ADD(term, runG, term)
	d.LSR(operand.Imm(1), term, term)
	d.swapFlag()
	d.CSEL(arm64.MI, runG, runF, runF)
	d.EOR(term, swapped, runG)
	d.CSEL(arm64.MI, runG, swapped, swapped)
	d.CINV(arm64.MI, steps, steps)
	d.SUB(operand.Imm(1), steps, steps)
	d.TST(operand.Imm(1), term)
	d.MOVD(term, runG)
}

// positiveRound is round for the positive form, whose matrix has no signs.
func (d *mulDivision) positiveRound() {
	d.identity()
	d.Label("run")
	d.words(run+2, false)
	for range run {
		d.positiveStep()
	}
	for _, x := range [][2]arm64.GP{{runF, runU}, {runG, runQ}} {
		d.UBFX(operand.Imm(22), x[0], operand.Imm(21), x[1])
		d.LSR(operand.Imm(43), x[0], x[0])
	}
	d.endRun()
}

func (f *mulField) jacobiVartimeFunc() {
	f.routine("jacobiVartime", jacobiVartime)
	d := f.division()
	f.point("x", from)
	d.init()
	d.units(1<<42, 1<<63)
	f.MOVD(arm64.ZR, swapped)
	f.MOVD(arm64.ZR, halved)
	f.MOVD(operand.Imm(25), rounds)
	f.Label("round")
	d.positiveRound()
	d.updateFG(true)
	d.anyBit(limb(d.f, 1), limb(d.f, 2), limb(d.f, 3), limb(d.f, 4))
	f.MOVD(limb(d.f, 0), part[1])
	f.EOR(operand.Imm(1), part[1], part[1])
	f.ORR(part[1], part[0], part[0])
	f.CBZ(part[0], "done")
	f.SUB(operand.Imm(1), rounds, rounds)
	f.CBNZ(rounds, "round")
	f.MOVD(arm64.ZR, term)
	f.Store(term, f.ReturnIndex(0))
	f.RET()
	f.Label("done")
	// 1 − 2·(the sum of the bits).
	f.EOR(halved.LSR(1), halved, halved)
	f.EOR(swapped, halved, halved)
	f.AND(operand.Imm(2), halved, halved)
	f.MOVD(operand.Imm(1), term)
	f.SUB(halved, term, term)
	f.Store(term, f.ReturnIndex(0))
	f.RET()
}
