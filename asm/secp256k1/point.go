package secp256k1

import (
	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/check"
)

// The coordinates of a Jacobian point, and of an affine one.
const (
	pointX = iota
	pointY
	pointZ
)

// points emits operations of the field's multiplication and of the group, the same
// formulas for every tier.
type points struct{ arithmetic }

// element is room for one in the frame.
func (f points) element() operand.Mem { return f.room(32) }

func mems(m ...operand.Mem) []operand.Mem { return m }

func (f points) mulFunc() {
	f.routine("mul", contract{"func(z, x, y *[4]uint64)", check.Spec{}, `
{mul} sets z = x·y modulo p. Any of them may be the same. Constant time.`})
	f.begin()
	f.point("x", from)
	f.point("y", to)
	f.mul(f.at(from, 0), f.at(to, 0))
	f.point("z", to)
	f.store(f.at(to, 0))
	f.RET()
}

// doubleNFunc scales the formula by one half.
func (f points) doubleNFunc() {
	f.routine("doubleN", doubleN)
	l, ll, s, t, u := f.element(), f.element(), f.wide(), f.element(), f.element()
	n := f.counter()
	f.begin()
	f.point("p", from)
	f.point("z", to)
	for i := range 3 {
		f.copy(f.at(from, i), f.at(to, i))
	}
	x, y, z := f.at(to, pointX), f.at(to, pointY), f.at(to, pointZ)
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
	f.sqrWide(s, s)
	f.load(t)
	f.sum(mems(t, t), mems(ll))
	f.store(u) // T − X₃ = 3T − L²
	f.load(ll)
	f.sum(nil, mems(t, t))
	f.store(x) // X₃ = L² − 2T
	f.mulSub(l, u, s)
	f.store(y) // Y₃ = L·(T − X₃) − S²
	f.again(n, "double")
	f.wipe(l, ll, s, t, u)
	f.RET()
}

func (f points) addMixedDistinctFunc() {
	f.routine("addMixedDistinct", addMixedDistinct)
	f.addDistinct(false, false)
}

func (f points) addMixedVartimeFunc() {
	f.routine("addMixedVartime", addMixedVartime)
	f.addDistinct(true, false)
}

func (f points) addScaledVartimeFunc() {
	f.routine("addScaledVartime", addScaledVartime)
	f.addDistinct(true, true)
}

// addDistinct is the addition of addMixedDistinct, or that of addMixedVartime.
// Where q is to be scaled, the Z by which it comes to p's denominator is p's times s.
func (f points) addDistinct(vartime, scaled bool) {
	var z operand.Mem
	if scaled {
		z = f.element()
	}
	t, r, hh, v, yh, u := f.element(), f.element(), f.element(), f.element(), f.wide(), f.element()
	f.begin()
	f.point("p", from)
	if scaled {
		f.point("s", to)
		f.mul(f.at(from, pointZ), f.at(to, 0))
		f.store(z)
	} else {
		z = f.at(from, pointZ)
	}
	f.sqr(z)
	f.store(t)
	f.point("q", to)
	f.mul(f.at(to, pointX), t)
	f.sub(f.at(from, pointX))
	f.store(hh) // H = U₂ − X₁
	if vartime {
		f.ifZero(hh, "equal")
	}
	f.mul(t, z)
	f.store(t)
	f.mul(f.at(to, pointY), t)
	f.sub(f.at(from, pointY))
	f.store(r) // R = S₂ − Y₁
	f.mul(f.at(from, pointZ), hh)
	f.store(v) // Z₃ = Z₁·H
	f.sqr(hh)
	f.store(t)
	f.mul(t, hh)
	f.store(hh) // H³
	f.mul(f.at(from, pointX), t)
	f.store(t)                            // V = X₁·H²
	f.mulWide(f.at(from, pointY), hh, yh) // Y₁·H³
	f.point("z", to)
	f.load(v)
	f.store(f.at(to, pointZ))
	f.sqr(r)
	f.store(v)
	f.load(t)
	f.sum(mems(t, t, hh), mems(v))
	f.store(u) // V − X₃ = 3V + H³ − R²
	f.load(v)
	f.sum(nil, mems(hh, t, t))
	f.store(f.at(to, pointX)) // X₃ = R² − H³ − 2V
	f.mulSub(r, u, yh)
	f.store(f.at(to, pointY)) // Y₃ = R·(V − X₃) − Y₁·H³
	if !vartime {
		f.wipe(t, r, hh, v, yh, u)
		f.RET()
		return
	}
	f.result(1)
	f.Label("equal")
	f.result(0)
}

func (f points) addCoZFunc() {
	f.routine("addCoZ", contract{"func(p, q *[8]uint64, h *[4]uint64)", check.Spec{}, `
{addCoZ} sets p = p + q for two points over one common Z, q not ±p, and brings q to the
Z of the sum, which is h times the Z of before. The three are distinct. Constant time.

4 multiplications and 2 squarings (Meloni, "New point addition formulae for ECC
applications", 2007).`})
	hh, r, rr, c, v, d := f.element(), f.element(), f.element(), f.element(), f.element(), f.element()
	f.begin()
	f.point("p", from)
	f.point("q", to)
	f.load(f.at(to, pointX))
	f.sub(f.at(from, pointX))
	f.store(hh) // H = X₂ − X₁
	f.load(f.at(to, pointY))
	f.sub(f.at(from, pointY))
	f.store(r) // R = Y₂ − Y₁
	f.sqr(hh)
	f.store(c)
	f.mul(f.at(from, pointX), c)
	f.store(v) // V = X₁·H²
	f.sqr(r)
	f.store(rr)
	f.mul(f.at(to, pointX), c)
	f.store(f.at(to, pointX)) // X₂·H²
	f.sub(v)
	f.store(d) // H³
	f.load(rr)
	f.sum(nil, mems(v, f.at(to, pointX)))
	f.store(f.at(from, pointX)) // X₃ = R² − V − X₂·H²
	f.mul(f.at(to, pointY), d)
	f.store(f.at(to, pointY)) // Y₂·H³
	f.load(f.at(to, pointX))
	f.sub(f.at(from, pointX))
	f.store(v)
	f.mul(r, v)
	f.sub(f.at(to, pointY))
	f.store(f.at(from, pointY)) // Y₃ = R·(X₂·H² − X₃) − Y₂·H³
	f.point("h", from)
	f.load(hh)
	f.store(f.at(from, 0))
	f.wipe(hh, r, rr, c, v, d)
	f.RET()
}

func (f points) addAffineFunc() {
	f.routine("addAffine", contract{"func(p, q *[8]uint64, inverse, before *[4]uint64)", check.Spec{}, `
{addAffine} sets p = p + q, q not ±p, where inverse·before is 1/(q.X − p.X), and
multiplies inverse by q.X − p.X. The four are distinct. Constant time.

4 multiplications and a squaring: an affine addition whose inversion is shared with
others (Montgomery, "Speeding the Pollard and elliptic curve methods of
factorization", 1987).`})
	d, r, i, s, x := f.element(), f.element(), f.element(), f.element(), f.element()
	f.begin()
	f.point("p", from)
	f.point("q", to)
	f.load(f.at(to, pointX))
	f.sub(f.at(from, pointX))
	f.store(d) // D = X₂ − X₁
	f.load(f.at(to, pointY))
	f.sub(f.at(from, pointY))
	f.store(r) // R = Y₂ − Y₁
	f.point("inverse", to)
	f.copy(f.at(to, 0), i)
	f.mul(i, d)
	f.store(f.at(to, 0))
	f.point("before", to)
	f.mul(i, f.at(to, 0))
	f.store(s)
	f.mul(r, s)
	f.store(s) // S = R/D
	f.sqr(s)
	f.sum(nil, mems(f.at(from, pointX), f.at(from, pointX), d))
	f.store(x) // X₃ = S² − 2X₁ − D
	f.load(f.at(from, pointX))
	f.sub(x)
	f.store(d)
	f.mul(s, d)
	f.sub(f.at(from, pointY))
	f.store(f.at(from, pointY)) // Y₃ = S·(X₁ − X₃) − Y₁
	f.copy(x, f.at(from, pointX))
	f.wipe(d, r, i, s, x)
	f.RET()
}

func (f points) addMixedFunc() {
	f.routine("addMixed", contract{"func(z, p *[12]uint64, q *[8]uint64)", check.Spec{}, `
{addMixed} sets z = p + q for every Jacobian p and affine q: infinity, equal and
opposite points included. z may be p. Constant time.

7 multiplications and 5 squarings, with the slope (x₁²+x₁x₂+x₂²)/(y₁+y₂) that serves
addition and doubling alike (Brier and Joye, "Weierstraß elliptic curves and
side-channel attacks", 2002). It is 0/0 where y₁ = −y₂ and x₁ ≠ x₂, which are then
cube roots of one value; (y₁−y₂)/(x₁−x₂) takes its place, and gives Z = 0 for opposite
points.`})
	zz, u2, t, m, r, ma, n, o := f.element(), f.element(), f.element(), f.element(), f.element(), f.element(), f.element(), f.element()
	masks := f.room(16)
	infinite, degenerate := masks, masks.Offset(8)
	f.begin()
	f.point("p", from)
	f.point("q", to)
	f.isZero(f.at(from, pointZ), infinite)

	f.sqr(f.at(from, pointZ))
	f.store(zz)
	f.mul(f.at(to, pointX), zz)
	f.store(u2)
	f.add(f.at(from, pointX))
	f.store(t) // T = U₁ + U₂
	f.mul(f.at(to, pointY), zz)
	f.store(zz)
	f.mul(zz, f.at(from, pointZ))
	f.add(f.at(from, pointY))
	f.store(m) // M = S₁ + S₂
	f.mul(f.at(from, pointX), u2)
	f.store(o)
	f.sqr(t)
	f.sub(o)
	f.store(r) // R = T² − U₁U₂
	f.isZero(m, degenerate)

	f.load(f.at(from, pointX))
	f.sub(u2)
	f.store(o)
	f.load(m)
	f.choose(o, degenerate)
	f.store(ma)
	f.load(f.at(from, pointY))
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
	f.mul(f.at(from, pointZ), ma)
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
	f.choose(f.at(to, pointY), infinite)
	f.store(f.at(from, pointY))
	f.load(u2)
	f.choose(f.at(to, pointX), infinite)
	f.store(f.at(from, pointX))
	f.load(zz)
	f.chooseOne(infinite)
	f.store(f.at(from, pointZ))
	f.wipe(zz, u2, t, m, r, ma, n, o)
	f.wipeMasks(masks)
	f.RET()
}
