package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
)

// The coordinates of a Jacobian point, and of an affine one.
const (
	pointX = iota
	pointY
	pointZ
)

func mems(m ...operand.Mem) []operand.Mem { return m }

func (f *field) doubleNFunc() {
	f.Func("doubleNADX", "func(z, p *[12]uint64, n int)", spec, `
doubleNADX sets z = 2ⁿ·p for Jacobian points, n ≥ 1, for infinity too. The two may be
the same. Constant time in p.

3 multiplications and 4 squarings a step (Explicit-Formulas Database, dbl-2009-l,
scaled by one half).`)
	l, ll, s, t, u := f.element(), f.element(), f.element(), f.element(), f.element()
	n := f.counter()
	f.point("p", from)
	f.point("z", to)
	for i := range 3 {
		f.copy(at(from, i), at(to, i))
	}
	x, y, z := at(to, pointX), at(to, pointY), at(to, pointZ)
	f.Label("double")
	// The order lets the processor begin early with what others wait for: S, T and
	// T − X₃.
	f.sqr(y)
	f.store(s) // S = Y²
	f.sqr(x)
	f.store(l)
	f.half()
	f.add(l)
	f.store(l) // L = 3·X²/2
	f.mul(s, x)
	f.store(t) // T = S·X
	f.sqr(l)
	f.store(ll)
	f.mul(y, z)
	f.store(z) // Z₃ = Y·Z
	f.sqr(s)
	f.store(s)
	f.load(t)
	f.sum(mems(t, t), mems(ll))
	f.store(u) // T − X₃ = 3T − L²
	f.load(ll)
	f.sum(nil, mems(t, t))
	f.store(x) // X₃ = L² − 2T
	f.mul(l, u)
	f.sub(s)
	f.store(y) // Y₃ = L·(T − X₃) − S²
	f.again(n, "double")
	f.wipe(l, ll, s, t, u)
	f.RET()
}

func (f *field) addMixedDistinctFunc() {
	f.Func("addMixedDistinctADX", "func(z, p *[12]uint64, q *[8]uint64)", spec, `
addMixedDistinctADX sets z = p + q, p Jacobian and finite, q affine and not ±p. z may be
p. Constant time.

8 multiplications and 3 squarings (Explicit-Formulas Database, madd).`)
	f.addDistinct(false, operand.Mem{})
}

// public is that of the routines in variable time.
var public = check.Spec{Tier: "adx", Public: []string{"z", "p", "q"}}

func (f *field) addMixedVartimeFunc() {
	f.Func("addMixedVartimeADX", "func(z, p *[12]uint64, q *[8]uint64) bool", public, `
addMixedVartimeADX is addMixedDistinctADX where q may be ±p: then it returns false and
leaves z as it was. Public data only.`)
	f.addDistinct(true, operand.Mem{})
}

func (f *field) addScaledVartimeFunc() {
	s := public
	s.Public = append([]string{"s"}, s.Public...)
	f.Func("addScaledVartimeADX", "func(z, p *[12]uint64, q *[8]uint64, s *[4]uint64) bool", s, `
addScaledVartimeADX is addMixedVartimeADX for p on the isomorphic curve y² = x³ + 7·s⁶
and q on the curve itself: (q.X·s², q.Y·s³) is what is added. One multiplication more.`)
	u := f.element()
	f.point("p", from)
	f.point("s", to)
	f.mul(at(from, pointZ), at(to, 0))
	f.store(u)
	f.addDistinct(true, u)
}

// addDistinct is the addition of addMixedDistinctADX, or that of addMixedVartimeADX.
// zs is the Z by which q is brought to p's denominator, if it is not p's own.
func (f *field) addDistinct(vartime bool, zs operand.Mem) {
	t, r, hh, v, yh, u := f.element(), f.element(), f.element(), f.element(), f.element(), f.element()
	f.point("p", from)
	z := at(from, pointZ)
	if zs.Base != nil {
		z = zs
	}
	f.sqr(z)
	f.store(t)
	f.point("q", to)
	f.mul(at(to, pointX), t)
	f.sub(at(from, pointX))
	f.store(hh) // H = U₂ − X₁
	if vartime {
		f.isZero(hh, w[0])
		f.TESTQ(w[0], w[0])
		f.JNE(operand.LabelRef("equal"))
	}
	f.mul(t, z)
	f.store(t)
	f.mul(at(to, pointY), t)
	f.sub(at(from, pointY))
	f.store(r) // R = S₂ − Y₁
	f.mul(at(from, pointZ), hh)
	f.store(v) // Z₃ = Z₁·H
	f.sqr(hh)
	f.store(t)
	f.mul(t, hh)
	f.store(hh) // H³
	f.mul(at(from, pointX), t)
	f.store(t) // V = X₁·H²
	f.mul(at(from, pointY), hh)
	f.store(yh) // Y₁·H³
	f.point("z", to)
	f.load(v)
	f.store(at(to, pointZ))
	f.sqr(r)
	f.store(v)
	f.load(t)
	f.sum(mems(t, t, hh), mems(v))
	f.store(u) // V − X₃ = 3V + H³ − R²
	f.load(v)
	f.sum(nil, mems(hh, t, t))
	f.store(at(to, pointX)) // X₃ = R² − H³ − 2V
	f.mul(r, u)
	f.sub(yh)
	f.store(at(to, pointY)) // Y₃ = R·(V − X₃) − Y₁·H³
	if !vartime {
		f.wipe(t, r, hh, v, yh, u)
		f.RET()
		return
	}
	f.result(1)
	f.Label("equal")
	f.result(0)
}

// result returns a bool.
func (f *field) result(v uint8) {
	f.MOVB(operand.Imm(uint64(v)), reg.AL)
	f.Store(reg.AL, f.ReturnIndex(0))
	f.RET()
}

func (f *field) addCoZFunc() {
	f.Func("addCoZADX", "func(p, q *[8]uint64, h *[4]uint64)", spec, `
addCoZADX sets p = p + q for two points over one common Z, q not ±p, and brings q to the
Z of the sum, which is h times the Z of before. The three are distinct. Constant time.

4 multiplications and 2 squarings (Meloni, "New point addition formulae for ECC
applications", 2007).`)
	hh, r, rr, c, v, d := f.element(), f.element(), f.element(), f.element(), f.element(), f.element()
	f.point("p", from)
	f.point("q", to)
	f.load(at(to, pointX))
	f.sub(at(from, pointX))
	f.store(hh) // H = X₂ − X₁
	f.load(at(to, pointY))
	f.sub(at(from, pointY))
	f.store(r) // R = Y₂ − Y₁
	f.sqr(hh)
	f.store(c)
	f.mul(at(from, pointX), c)
	f.store(v) // V = X₁·H²
	f.sqr(r)
	f.store(rr)
	f.mul(at(to, pointX), c)
	f.store(at(to, pointX)) // X₂·H²
	f.sub(v)
	f.store(d) // H³
	f.load(rr)
	f.sum(nil, mems(v, at(to, pointX)))
	f.store(at(from, pointX)) // X₃ = R² − V − X₂·H²
	f.mul(at(to, pointY), d)
	f.store(at(to, pointY)) // Y₂·H³
	f.load(at(to, pointX))
	f.sub(at(from, pointX))
	f.store(v)
	f.mul(r, v)
	f.sub(at(to, pointY))
	f.store(at(from, pointY)) // Y₃ = R·(X₂·H² − X₃) − Y₂·H³
	f.point("h", from)
	f.load(hh)
	f.store(at(from, 0))
	f.wipe(hh, r, rr, c, v, d)
	f.RET()
}

func (f *field) addMixedFunc() {
	f.Func("addMixedADX", "func(z, p *[12]uint64, q *[8]uint64)", spec, `
addMixedADX sets z = p + q for every Jacobian p and affine q: infinity, equal and
opposite points included. z may be p. Constant time.

7 multiplications and 5 squarings, with the slope (x₁²+x₁x₂+x₂²)/(y₁+y₂) that serves
addition and doubling alike (Brier and Joye, "Weierstraß elliptic curves and
side-channel attacks", 2002). It is 0/0 where y₁ = −y₂ and x₁ ≠ x₂, which are then
cube roots of one value; (y₁−y₂)/(x₁−x₂) takes its place, and gives Z = 0 for opposite
points.`)
	zz, u2, t, m, r, ma, n, o := f.element(), f.element(), f.element(), f.element(), f.element(), f.element(), f.element(), f.element()
	masks := f.AllocLocal(16)
	infinite, degenerate := masks, masks.Offset(8)
	f.point("p", from)
	f.point("q", to)
	f.isZero(at(from, pointZ), w[0])
	f.MOVQ(w[0], infinite)

	f.sqr(at(from, pointZ))
	f.store(zz)
	f.mul(at(to, pointX), zz)
	f.store(u2)
	f.add(at(from, pointX))
	f.store(t) // T = U₁ + U₂
	f.mul(at(to, pointY), zz)
	f.store(zz)
	f.mul(zz, at(from, pointZ))
	f.add(at(from, pointY))
	f.store(m) // M = S₁ + S₂
	f.mul(at(from, pointX), u2)
	f.store(o)
	f.sqr(t)
	f.sub(o)
	f.store(r) // R = T² − U₁U₂
	f.isZero(m, w[0])
	f.MOVQ(w[0], degenerate)

	f.load(at(from, pointX))
	f.sub(u2)
	f.store(o)
	f.load(m)
	f.choose(o, degenerate)
	f.store(ma)
	f.load(at(from, pointY))
	f.double()
	f.store(o) // S₁ − S₂ where S₂ = −S₁
	f.load(r)
	f.choose(o, degenerate)
	f.store(r) // Ra

	f.sqr(ma)
	f.store(n)
	f.mul(t, n)
	f.store(o) // −Q = T·Ma²
	f.sqr(n)
	f.choose(m, degenerate)
	f.store(n) // M³·Ma: Ma⁴, or zero
	f.mul(at(from, pointZ), ma)
	f.store(zz) // Z₃
	f.sqr(r)
	f.sub(o)
	f.store(u2) // X₃ = Ra² + Q
	f.double()
	f.sub(o)
	f.store(t)
	f.mul(t, r)
	f.add(n)
	f.neg()
	f.half() // Y₃ = −(Ra·(2·X₃ + Q) + M³·Ma)/2

	// q, or (q.X, q.Y, 1), where p is infinite.
	f.point("z", from)
	f.choose(at(to, pointY), infinite)
	f.store(at(from, pointY))
	f.load(u2)
	f.choose(at(to, pointX), infinite)
	f.store(at(from, pointX))
	f.load(zz)
	f.MOVQ(operand.U32(1), w[4])
	f.XORL(reg.ECX, reg.ECX)
	f.MOVQ(infinite, lo)
	f.TESTQ(lo, lo)
	f.CMOVQNE(w[4], acc[0])
	for _, r := range acc[1:] {
		f.CMOVQNE(hi, r)
	}
	f.store(at(from, pointZ))
	f.wipe(zz, u2, t, m, r, ma, n, o)
	f.MOVOU(reg.X0, masks)
	f.RET()
}

func (f *field) lookupFunc() {
	f.Func("lookupADX", "func(z *[8]uint64, table *[8]uint64, n int, i, neg uint64)", check.Spec{Tier: "adx", Secret: []string{"i", "neg"}}, `
lookupADX sets z to entry i of the n ≥ 1 affine points at table, i < n, or to its negative
for neg 1. It reads every entry, whatever i is. Constant time.`)
	index, counter, one, mask, t := reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4
	sums := []reg.VecPhysical{reg.Y5, reg.Y6}
	f.Load(f.Param("i"), lo)
	f.VMOVQ(lo, index.AsX())
	f.VPBROADCASTQ(index.AsX(), index)
	f.VPXOR(counter, counter, counter)
	f.VPCMPEQQ(one, one, one)
	f.VPSRLQ(operand.Imm(63), one, one)
	for _, s := range sums {
		f.VPXOR(s, s, s)
	}
	f.point("table", from)
	f.Load(f.Param("n"), hi)
	f.Label("entry")
	f.VPCMPEQQ(counter, index, mask)
	f.VPADDQ(one, counter, counter)
	for i, s := range sums {
		f.VPAND(at(from, i), mask, t)
		f.VPOR(t, s, s)
	}
	f.ADDQ(operand.Imm(64), from)
	f.DECQ(hi)
	f.JNZ(operand.LabelRef("entry"))
	f.point("z", to)
	for i, s := range sums {
		f.VMOVDQU(s, at(to, i))
	}
	f.VZEROUPPER()
	f.load(at(to, pointY))
	f.neg()
	f.Load(f.Param("neg"), lo)
	f.TESTQ(lo, lo)
	for i, r := range acc {
		f.CMOVQEQ(limb(at(to, pointY), i), r)
	}
	f.store(at(to, pointY))
	f.RET()
}
