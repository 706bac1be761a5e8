package secp256k1

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// division emits division steps (see fallback/secp256k1/invert.go for the method, the
// numbers f, g, d, e, and the matrix). Numbers are signed, five limbs of 62 bits; the
// lower four are in 0…2⁶²−1.
//
// A run is twenty steps on two words F and G alone, each of three fields: the low bits
// of f, or of g, and the two entries of its row of the matrix, so that one operation
// does to all three what a step does (as in s2n-bignum's divstep59). Three runs make a
// round, after which the numbers are updated.
type division struct {
	*field
	f, g, d, e         operand.Mem
	zeta, rounds, runs operand.Mem
}

const (
	limbBits = 62
	run      = 20            // steps on two words
	numbers  = 4 * 40        // the size of f, g, d and e
	scratch  = numbers + 3*8 // and that of the counters, zeta among them
	// invP is 1/p modulo 2⁶².
	invP = 0x27c7f6e22ddacacf
)

func (f *field) division() *division {
	m := f.AllocLocal(scratch)
	return &division{
		field: f, f: m, g: m.Offset(40), d: m.Offset(80), e: m.Offset(120),
		zeta: m.Offset(numbers), rounds: m.Offset(numbers + 8), runs: m.Offset(numbers + 16),
	}
}

// wipeAll overwrites what was secret.
func (d *division) wipeAll() {
	d.PXOR(reg.X0, reg.X0)
	for i := 0; i <= numbers; i += 16 {
		d.MOVOU(reg.X0, d.f.Offset(i))
	}
}

// init starts with f = p, g = x modulo p, d = 0, e = 1. x lies behind from.
func (d *division) init() {
	d.load(d.at(from, 0))
	// x − p = x + c − 2²⁵⁶.
	t := []reg.GPPhysical{w[4], w[5], w[6], w[7]}
	for i, r := range acc {
		d.MOVQ(r, t[i])
	}
	d.MOVQ(operand.Imm(c), lo)
	d.ADDQ(lo, t[0])
	for _, r := range t[1:] {
		d.ADCQ(operand.Imm(0), r)
	}
	for i, r := range acc {
		d.CMOVQCS(t[i], r)
	}
	mask := dx
	d.MOVQ(operand.Imm(1<<limbBits-1), mask)
	for i := range 5 {
		t := lo
		switch i {
		case 0:
			d.MOVQ(acc[0], t)
			d.ANDQ(mask, t)
		case 4:
			d.MOVQ(acc[3], t)
			d.SHRQ(operand.Imm(64-8), t)
		default:
			d.MOVQ(acc[i-1], t)
			d.MOVQ(acc[i], hi)
			d.SHRQ(operand.Imm(uint64(64-2*i)), t)
			d.SHLQ(operand.Imm(uint64(2*i)), hi)
			d.ORQ(hi, t)
			d.ANDQ(mask, t)
		}
		d.MOVQ(t, limb(d.g, i))
	}
	for i := 1; i < 4; i++ {
		d.MOVQ(mask, limb(d.f, i))
	}
	d.MOVQ(operand.Imm(1<<limbBits-c), lo)
	d.MOVQ(lo, limb(d.f, 0))
	d.MOVQ(operand.U32(255), limb(d.f, 4))
	d.XORL(reg.EAX, reg.EAX)
	for i := range 5 {
		d.MOVQ(lo, limb(d.d, i))
		if i > 0 {
			d.MOVQ(lo, limb(d.e, i))
		}
	}
	d.MOVQ(operand.U32(1), limb(d.e, 0))
}

// The registers of a run, and those of an update.
var (
	wordF, wordG = reg.RSI, reg.RDI
	sum, before  = reg.RAX, reg.RDX
	odd, turned  = reg.RCX, reg.RBX
	zeta         = reg.R15
	lowF, lowG   = reg.R12, reg.R13
	rows         = [4]reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11} // u, v, q, r

	accF      = [2]reg.GPPhysical{reg.R12, reg.R13} // the lower half first
	accG      = [2]reg.GPPhysical{reg.RSI, reg.RDI}
	lowMask   = reg.RCX
	multiples = [2]reg.GPPhysical{reg.RBX, reg.R15} // of p, for d and e
)

// swapFlag sets the flag of a negative number where g is odd and zeta negative: there f
// and g are swapped. What becomes of zeta then is put into turned.
func (d *division) swapFlag() {
	d.MOVQ(zeta, turned)
	d.NOTQ(turned)
	d.ANDQ(zeta, odd)
}

// step is one division step: of F and G, and of zeta = −(δ + 1/2). Its order of
// operations has no way from F, G or zeta of one step to the next longer than four.
func (d *division) step() {
	d.LEAQ(operand.Mem{Base: wordG, Index: wordF, Scale: 1}, sum)
	d.MOVQ(wordG, before)
	d.SUBQ(wordF, before)
	d.TESTQ(zeta, zeta)
	d.CMOVQMI(before, sum)
	d.MOVQ(wordG, before)
	d.RORXQ(operand.Imm(1), wordG, odd)
	d.TESTB(operand.Imm(1), wordG.As8())
	d.CMOVQNE(sum, wordG)
	d.SARQ(operand.Imm(1), wordG)
	d.swapFlag()
	d.CMOVQMI(before, wordF)
	d.CMOVQMI(turned, zeta)
	d.DECQ(zeta)
}

// apply sets (x, y) to (sum·x + wordF·y, before·x + wordG·y), which is where a run leaves
// its matrix, both shifted down.
func (d *division) apply(x, y reg.GPPhysical, shift uint64) {
	d.MOVQ(x, odd)
	d.IMULQ(sum, odd)
	d.MOVQ(y, turned)
	d.IMULQ(wordF, turned)
	d.ADDQ(turned, odd)
	d.IMULQ(before, x)
	d.IMULQ(wordG, y)
	d.ADDQ(x, y)
	d.MOVQ(odd, x)
	if shift > 0 {
		d.SARQ(operand.Imm(shift), x)
		d.SARQ(operand.Imm(shift), y)
	}
}

// round does 60 steps on the low limbs and leaves the negative of their matrix, scaled
// by 2⁶², in rows.
//
// F begins as f − 2⁴¹ and G as g − 2⁶², f and g taken modulo 2²⁰. After k steps F is
// a − u·2⁴¹⁻ᵏ − v·2⁶²⁻ᵏ, where (u, v) is its row of the matrix, unscaled: |u| + |v| ≤ 2ᵏ,
// so that |a| < 2²⁰; the same holds for G and (q, r). F ± G, before it is halved,
// stays below 2⁶³: were |v| + |r| to reach 2ᵏ⁺¹, then u = q = 0, but the determinant is
// 2ᵏ. After the run −u stands at bit 21 and −v at bit 42, to be rounded to the nearest
// since what is below is signed. Of the 21 bits for −u the value 2²⁰ does not fit: u and
// q are not −2²⁰, by the determinant again. The 2²⁰ that rounds −u is added for −v too,
// where it changes nothing: what lies below −v is at least −2⁴¹ and below 2⁴¹ − 2²⁰,
// since u = 2²⁰ only where no step has changed f, and then a > 0.
//
// The fields' signs turn those of f, g, d and e in every run. The steps of (−f, −g)
// are those of (f, g), and d·x ≡ f, e·x ≡ g stay true.
func (d *division) round() {
	d.MOVQ(limb(d.f, 0), lowF)
	d.MOVQ(limb(d.g, 0), lowG)
	d.identity()
	d.Label("run")
	d.MOVQ(lowF, wordF)
	d.MOVQ(lowG, wordG)
	d.ANDL(operand.U32(1<<run-1), wordF.As32())
	d.ANDL(operand.U32(1<<run-1), wordG.As32())
	d.MOVQ(operand.Imm(1<<41), sum)
	d.SUBQ(sum, wordF)
	d.MOVQ(operand.Imm(1<<62), sum)
	d.SUBQ(sum, wordG)
	for range run {
		d.step()
	}
	d.MOVQ(operand.Imm(1<<41+1<<20), odd)
	for _, x := range [][2]reg.GPPhysical{{wordF, sum}, {wordG, before}} {
		d.LEAQ(operand.Mem{Base: x[0], Disp: 1 << 20}, x[1])
		d.SHLQ(operand.Imm(22), x[1])
		d.SARQ(operand.Imm(43), x[1])
		d.ADDQ(odd, x[0])
		d.SARQ(operand.Imm(42), x[0])
	}
	d.endRun()
}

// endRun applies the matrix of a run to the low limbs and to that of the round, and
// goes on to the next run.
func (d *division) endRun() {
	d.apply(lowF, lowG, run)
	d.apply(rows[0], rows[2], 0)
	d.apply(rows[1], rows[3], 0)
	d.DECQ(d.runs)
	d.JNE(operand.LabelRef("run"))
}

// identity begins a round of three runs. Its 60 steps scale the matrix by 2⁶⁰, and a
// limb has 62 bits.
func (d *division) identity() {
	d.MOVL(operand.U32(4), rows[0].As32())
	d.XORL(rows[1].As32(), rows[1].As32())
	d.XORL(rows[2].As32(), rows[2].As32())
	d.MOVL(operand.U32(4), rows[3].As32())
	d.MOVQ(operand.U32(3), d.runs)
}

// mac adds x·y to an accumulator, or sets it.
func (d *division) mac(to [2]reg.GPPhysical, x operand.Op, y operand.Op, set bool) {
	d.MOVQ(x, reg.RAX)
	d.IMULQ(y)
	if set {
		d.MOVQ(reg.RAX, to[0])
		d.MOVQ(reg.RDX, to[1])
		return
	}
	d.ADDQ(reg.RAX, to[0])
	d.ADCQ(reg.RDX, to[1])
}

// shift divides an accumulator by 2⁶², and stores what is below that.
func (d *division) shift(acc [2]reg.GPPhysical, low *operand.Mem) {
	if low != nil {
		d.MOVQ(acc[0], reg.RAX)
		d.ANDQ(lowMask, reg.RAX)
		d.MOVQ(reg.RAX, *low)
	}
	d.SHRQ(operand.Imm(limbBits), acc[0])
	d.LEAQ(operand.Mem{Base: acc[0], Index: acc[1], Scale: 4}, acc[0])
	d.SARQ(operand.Imm(limbBits), acc[1])
}

// products adds limb i of both numbers times the matrix to the accumulators.
func (d *division) products(x, y operand.Mem, i int) {
	d.mac(accF, limb(x, i), rows[0], i == 0)
	d.mac(accF, limb(y, i), rows[1], false)
	d.mac(accG, limb(x, i), rows[2], i == 0)
	d.mac(accG, limb(y, i), rows[3], false)
}

// updateFG applies the matrix to f and g. Where they are public and never negative,
// positive leaves out the upper two limbs once they are zero.
func (d *division) updateFG(positive bool) {
	d.MOVQ(operand.Imm(1<<limbBits-1), lowMask)
	for i := range 5 {
		if positive && i == 3 {
			d.MOVQ(limb(d.f, 3), reg.RAX)
			for _, x := range []operand.Mem{limb(d.f, 4), limb(d.g, 3), limb(d.g, 4)} {
				d.ORQ(x, reg.RAX)
			}
			d.JEQ(operand.LabelRef("short"))
		}
		d.products(d.f, d.g, i)
		if i == 0 {
			d.shift(accF, nil)
			d.shift(accG, nil)
			continue
		}
		f, g := limb(d.f, i-1), limb(d.g, i-1)
		d.shift(accF, &f)
		d.shift(accG, &g)
	}
	d.MOVQ(accF[0], limb(d.f, 4))
	d.MOVQ(accG[0], limb(d.g, 4))
	if positive {
		d.JMP(operand.LabelRef("updated"))
		d.Label("short")
		d.MOVQ(accF[0], limb(d.f, 2))
		d.MOVQ(accG[0], limb(d.g, 2))
		d.Label("updated")
	}
}

// updateDE is that of fallback/secp256k1. It needs what updateFG leaves in lowMask.
func (d *division) updateDE() {
	signs := [2]reg.GPPhysical{reg.RAX, reg.RDX}
	d.MOVQ(limb(d.d, 4), signs[0])
	d.MOVQ(limb(d.e, 4), signs[1])
	for _, s := range signs {
		d.SARQ(operand.Imm(63), s)
	}
	for i, m := range multiples {
		t := accF[0]
		d.MOVQ(rows[2*i], m)
		d.ANDQ(signs[0], m)
		d.MOVQ(rows[2*i+1], t)
		d.ANDQ(signs[1], t)
		d.ADDQ(t, m)
	}
	both := []struct {
		acc [2]reg.GPPhysical
		m   reg.GPPhysical
	}{{accF, multiples[0]}, {accG, multiples[1]}}
	for i := range 5 {
		d.products(d.d, d.e, i)
		switch i {
		case 0:
			for _, x := range both {
				d.MOVQ(operand.Imm(invP), reg.RAX)
				d.IMULQ(x.acc[0], reg.RAX)
				d.ADDQ(x.m, reg.RAX)
				d.ANDQ(lowMask, reg.RAX)
				d.SUBQ(reg.RAX, x.m)
				d.MOVQ(operand.I64(-c), reg.RAX)
				d.IMULQ(x.m)
				d.ADDQ(reg.RAX, x.acc[0])
				d.ADCQ(reg.RDX, x.acc[1])
				d.shift(x.acc, nil)
			}
			continue
		case 4:
			for _, x := range both {
				d.MOVQ(x.m, reg.RAX)
				d.SHLQ(operand.Imm(8), reg.RAX)
				d.SARQ(operand.Imm(64-8), x.m)
				d.ADDQ(reg.RAX, x.acc[0])
				d.ADCQ(x.m, x.acc[1])
			}
		}
		a, b := limb(d.d, i-1), limb(d.e, i-1)
		d.shift(accF, &a)
		d.shift(accG, &b)
	}
	d.MOVQ(accF[0], limb(d.d, 4))
	d.MOVQ(accG[0], limb(d.e, 4))
}

// result stores d·f for f = ±1 behind to, with what is below p.
func (d *division) result() {
	x := []reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11, reg.R12}
	mask, t := reg.RCX, reg.RAX
	for i, r := range x {
		d.MOVQ(limb(d.d, i), r)
	}
	// addP adds p to a negative number.
	addP := func() {
		d.MOVQ(x[4], mask)
		d.SARQ(operand.Imm(63), mask)
		d.MOVQ(operand.Imm(c), t)
		d.ANDQ(mask, t)
		d.SUBQ(t, x[0])
		d.ANDL(operand.U32(256), mask.As32())
		d.ADDQ(mask, x[4])
	}
	carry := func() {
		d.MOVQ(operand.Imm(1<<limbBits-1), mask)
		for i, r := range x[:4] {
			d.MOVQ(r, t)
			d.SARQ(operand.Imm(limbBits), t)
			d.ADDQ(t, x[i+1])
			d.ANDQ(mask, r)
		}
	}
	addP()
	d.MOVQ(limb(d.f, 4), mask)
	d.SARQ(operand.Imm(63), mask)
	for _, r := range x {
		d.XORQ(mask, r)
		d.SUBQ(mask, r)
	}
	carry()
	addP()
	carry()
	for i := range 4 {
		d.MOVQ(x[i+1], t)
		d.SHLQ(operand.Imm(uint64(limbBits-2*i)), t)
		if i > 0 {
			d.SHRQ(operand.Imm(uint64(2*i)), x[i])
		}
		d.ORQ(t, x[i])
		d.MOVQ(x[i], limb(d.at(to, 0), i))
	}
}

func (f *field) invertFunc() {
	f.routine("invert", invert)
	d := f.division()
	f.invert(d, false)
}

func (f *field) invertVartimeFunc() {
	f.routine("invertVartime", invertVartime)
	d := f.division()
	f.invert(d, true)
}

func (f *field) invert(d *division, vartime bool) {
	f.point("x", from)
	d.init()
	f.MOVQ(operand.I32(-1), zeta)
	f.MOVQ(operand.U32(10), d.rounds)
	f.Label("round")
	d.round()
	f.MOVQ(zeta, d.zeta)
	d.updateFG(false)
	d.updateDE()
	if vartime {
		f.MOVQ(limb(d.g, 0), reg.RAX)
		for i := 1; i < 5; i++ {
			f.ORQ(limb(d.g, i), reg.RAX)
		}
		f.JEQ(operand.LabelRef("done"))
	}
	f.MOVQ(d.zeta, zeta)
	f.DECQ(d.rounds)
	f.JNE(operand.LabelRef("round"))
	if vartime {
		f.Label("done")
	}
	f.point("z", to)
	d.result()
	if !vartime {
		d.wipeAll()
	}
	f.RET()
}

// The symbol is what a run in the positive form follows: both registers gather bits
// whose sum is its sign.
var swaps, halvings = reg.R12, reg.R13

// positiveStep is step in the positive form.
//
// The sign of (2/f) is the sum of bits 1 and 2 of f. A swap adds the product of the two
// bits 1, which is bit 1 of (f + g)/2 and bits 1 and 2 of f and g, and the halving after it
// takes those of g away: what is left are bits 1 and 2 of f as it was, in every step, and
// bit 1 of the new g where there is a swap.
func (d *division) positiveStep() {
	d.LEAQ(operand.Mem{Base: wordG, Index: wordF, Scale: 1}, sum)
	d.MOVQ(wordG, before)
	d.RORXQ(operand.Imm(1), wordG, odd)
	d.TESTB(operand.Imm(1), wordG.As8())
	d.CMOVQNE(sum, wordG)
	d.SHRQ(operand.Imm(1), wordG)
	d.XORQ(wordF, halvings)
	d.MOVQ(swaps, sum)
	d.XORQ(wordG, sum)
	d.swapFlag()
	d.CMOVQMI(before, wordF)
	d.CMOVQMI(sum, swaps)
	d.CMOVQMI(turned, zeta)
	d.DECQ(zeta)
}

// positiveRound is round for the positive form, whose matrix has no signs. F begins as
// f + 2⁴² and G as g + 2⁶³, f and g taken modulo 2²², so that three bits of f are known to
// the last step; u then stands at bit 22 and v at bit 43, and no rounding is needed. F + G
// stays below 2⁶⁴ as it does below 2⁶³ there. Of the 62 bits of a limb the third run
// needs the last.
func (d *division) positiveRound() {
	low := [2]operand.Mem{limb(d.d, 0), limb(d.d, 1)}
	symbol := [2]operand.Mem{limb(d.d, 2), limb(d.d, 3)}
	d.MOVQ(limb(d.f, 0), lowF)
	d.MOVQ(limb(d.g, 0), lowG)
	d.identity()
	d.Label("run")
	d.MOVQ(lowF, low[0])
	d.MOVQ(lowG, low[1])
	d.MOVQ(lowF, wordF)
	d.MOVQ(lowG, wordG)
	for i, x := range []reg.GPPhysical{wordF, wordG} {
		d.ANDL(operand.U32(1<<(run+2)-1), x.As32())
		d.MOVQ(operand.Imm(1<<(42+21*i)), sum)
		d.ADDQ(sum, x)
	}
	d.MOVQ(symbol[0], swaps)
	d.MOVQ(symbol[1], halvings)
	for range run {
		d.positiveStep()
	}
	d.MOVQ(swaps, symbol[0])
	d.MOVQ(halvings, symbol[1])
	for _, x := range [][2]reg.GPPhysical{{wordF, sum}, {wordG, before}} {
		d.MOVQ(x[0], x[1])
		d.SHRQ(operand.Imm(22), x[1])
		d.ANDL(operand.U32(1<<21-1), x[1].As32())
		d.SHRQ(operand.Imm(43), x[0])
	}
	d.MOVQ(low[0], lowF)
	d.MOVQ(low[1], lowG)
	d.endRun()
}

func (f *field) jacobiVartimeFunc() {
	f.routine("jacobiVartime", jacobiVartime)
	d := f.division()
	f.point("x", from)
	d.init()
	f.MOVQ(operand.I32(-1), zeta)
	f.MOVQ(operand.U32(25), d.rounds)
	f.Label("round")
	d.positiveRound()
	f.MOVQ(zeta, d.zeta)
	d.updateFG(true)
	f.MOVQ(limb(d.f, 0), reg.RAX)
	f.XORQ(operand.Imm(1), reg.RAX)
	for i := 1; i < 5; i++ {
		f.ORQ(limb(d.f, i), reg.RAX)
	}
	f.JEQ(operand.LabelRef("done"))
	f.MOVQ(d.zeta, zeta)
	f.DECQ(d.rounds)
	f.JNE(operand.LabelRef("round"))
	f.XORL(reg.EAX, reg.EAX)
	f.JMP(operand.LabelRef("end"))
	f.Label("done")
	// 1 − 2·(the sum of the bits).
	f.MOVQ(limb(d.d, 3), reg.RAX)
	f.MOVQ(reg.RAX, reg.RCX)
	f.SHRQ(operand.Imm(1), reg.RCX)
	f.XORQ(reg.RCX, reg.RAX)
	f.XORQ(limb(d.d, 2), reg.RAX)
	f.ANDL(operand.Imm(2), reg.EAX)
	f.NEGQ(reg.RAX)
	f.INCQ(reg.RAX)
	f.Label("end")
	f.Store(reg.RAX, f.ReturnIndex(0))
	f.RET()
}
