package secp256k1

// Double sets z = 2·p, for infinity too: a point of order two, which the
// formula could not do, does not exist on this curve.
//
// 3 multiplications and 4 squarings (Explicit-Formulas Database, dbl-2009-l,
// scaled by one half).
func Double(z, p *Jacobian) {
	var l, s, t, x Element
	Sqr(&l, &p.X)
	halfAgain(&l, &l) // 3·X²/2
	Sqr(&s, &p.Y)
	Mul(&t, &s, &p.X)
	Mul(&z.Z, &p.Y, &p.Z)
	Sqr(&x, &l)
	subTwice(&z.X, &t, &x, &t)  // L² − 2T
	mulSubSqr(&z.Y, &t, &l, &s) // L·(T − X₃) − S²
}

// DoubleN sets z = 2ⁿ·p, n ≥ 1.
func DoubleN(z, p *Jacobian, n int) {
	Double(z, p)
	for range n - 1 {
		Double(z, z)
	}
}

// AddMixed sets z = p + q for every p and q: infinity, equal and opposite
// points included, in constant time.
//
// 7 multiplications and 5 squarings, with the slope (x₁²+x₁x₂+x₂²)/(y₁+y₂)
// that serves addition and doubling alike (Brier and Joye, "Weierstraß
// elliptic curves and side-channel attacks", 2002). It is 0/0 where y₁ = −y₂
// and x₁ ≠ x₂, which are then cube roots of one value; (y₁−y₂)/(x₁−x₂) takes
// its place, and gives Z = 0 for opposite points.
func AddMixed(z, p *Jacobian, q *Affine) {
	var zz, u2, s2, t, m, r, ra, ma, n, o, x, y Element
	inf := p.Z.zero()
	Sqr(&zz, &p.Z)
	Mul(&u2, &q.X, &zz)
	Mul(&s2, &q.Y, &zz)
	Mul(&s2, &s2, &p.Z)
	Add(&t, &p.X, &u2) // T = U₁ + U₂
	Add(&m, &p.Y, &s2) // M = S₁ + S₂
	Sqr(&r, &t)
	Mul(&o, &p.X, &u2)
	Sub(&r, &r, &o) // R = T² − U₁U₂
	degenerate := m.zero()
	Add(&ra, &p.Y, &p.Y) // S₁ − S₂ where S₂ = −S₁
	Sub(&ma, &p.X, &u2)
	Select(&ra, &ra, &r, degenerate)
	Select(&ma, &ma, &m, degenerate)
	Sqr(&n, &ma)
	Mul(&o, &t, &n) // −Q = T·Ma²
	Sqr(&n, &n)
	Select(&n, &m, &n, degenerate) // M³·Ma: Ma⁴, or zero
	Sqr(&x, &ra)
	Sub(&x, &x, &o) // X₃ = Ra² + Q
	Mul(&zz, &p.Z, &ma)
	Add(&t, &x, &x)
	Sub(&t, &t, &o)
	Mul(&y, &t, &ra)
	Add(&y, &y, &n)
	Neg(&y, &y)
	Half(&y, &y) // Y₃ = −(Ra·(2·X₃ + Q) + M³·Ma)/2

	one := Element{1}
	Select(&z.X, &q.X, &x, inf)
	Select(&z.Y, &q.Y, &y, inf)
	Select(&z.Z, &one, &zz, inf)
}

// AddMixedDistinct sets z = p + q where p is finite and not ±q. Elsewhere the
// result is wrong: the caller proves that it does not get there.
//
// 8 multiplications and 3 squarings (Explicit-Formulas Database, madd).
func AddMixedDistinct(z, p *Jacobian, q *Affine) {
	var t, h, r Element
	Sqr(&t, &p.Z)
	Mul(&h, &q.X, &t)
	Mul(&t, &t, &p.Z)
	Mul(&r, &q.Y, &t)
	Sub(&h, &h, &p.X) // H = U₂ − X₁
	Sub(&r, &r, &p.Y) // R = S₂ − Y₁
	Mul(&z.Z, &p.Z, &h)
	addTail(z, p, &h, &r)
}

// AddCoZ sets p = p + q for two points over one common Z, q not ±p, and brings q
// to the Z of the sum, which is h times the Z of before. p, q and h are distinct.
//
// 4 multiplications and 2 squarings (Meloni, "New point addition formulae for ECC
// applications", 2007).
func AddCoZ(p, q *Affine, h *Element) {
	var c, d, r, t Element
	Sub(h, &q.X, &p.X)  // H
	Sub(&r, &q.Y, &p.Y) // R
	Sqr(&c, h)
	Mul(&t, &p.X, &c)   // W₁ = X₁·H²
	Mul(&q.X, &q.X, &c) // W₂ = X₂·H²
	Sub(&d, &q.X, &t)   // H³
	Mul(&q.Y, &q.Y, &d) // Y₂·H³
	Sqr(&c, &r)
	Sub(&c, &c, &t)
	Sub(&p.X, &c, &q.X) // R² − W₁ − W₂
	Sub(&d, &q.X, &p.X)
	Mul(&d, &d, &r)
	Sub(&p.Y, &d, &q.Y) // R·(W₂ − X₃) − Y₂·H³
}

// AddAffine sets p = p + q, q not ±p, given a share in an inversion for many additions:
// inverse·before is 1/(q.X − p.X). It multiplies inverse by q.X − p.X, for the addition
// before (Montgomery, "Speeding the Pollard and elliptic curve methods of
// factorization", 1987). p, q, inverse and before are distinct.
//
// 4 multiplications and a squaring.
func AddAffine(p, q *Affine, inverse, before *Element) {
	var d, s, t Element
	Sub(&d, &q.X, &p.X)
	Sub(&t, &q.Y, &p.Y)
	Mul(&s, inverse, before)
	Mul(inverse, inverse, &d)
	Mul(&s, &s, &t) // the slope
	Sqr(&t, &s)
	Sub(&t, &t, &p.X)
	Sub(&t, &t, &q.X)
	Sub(&d, &p.X, &t)
	p.X = t // S² − X₁ − X₂
	Mul(&d, &d, &s)
	Sub(&p.Y, &d, &p.Y) // S·(X₁ − X₃) − Y₁
}

// addTail sets z.X and z.Y from H and R. z may be p.
func addTail(z, p *Jacobian, h, r *Element) {
	var hh, v, t Element
	Sqr(&hh, h)
	Mul(&v, &p.X, &hh)
	Mul(&hh, &hh, h)
	Sqr(&t, r)
	Sub(&t, &t, &hh)
	subTwice(&z.X, &v, &t, &v)        // R² − H³ − 2V
	mulSubMul(&z.Y, &v, r, &p.Y, &hh) // R·(V − X₃) − Y₁·H³
}

// addTailVartime finishes an addition, and takes the cases in which H is zero: p and q
// are equal or opposite.
func addTailVartime(z, p *Jacobian, h, r *Element) {
	if h.IsZero() {
		if r.IsZero() {
			Double(z, p)
		} else {
			z.SetInfinity()
		}
		return
	}
	Mul(&z.Z, &p.Z, h)
	addTail(z, p, h, r)
}

// AddMixedVartime sets z = p + q for every p and q.
func AddMixedVartime(z, p *Jacobian, q *Affine) {
	if p.IsInfinity() {
		z.SetAffine(q)
		return
	}
	var t, h, r Element
	Sqr(&t, &p.Z)
	Mul(&h, &q.X, &t)
	Mul(&t, &t, &p.Z)
	Mul(&r, &q.Y, &t)
	Sub(&h, &h, &p.X)
	Sub(&r, &r, &p.Y)
	addTailVartime(z, p, &h, &r)
}

// AddScaledVartime sets z = p + q for every p and q, where p lies on the
// isomorphic curve y² = x³ + 7·s⁶ and q on the curve itself: (q.X·s², q.Y·s³)
// is what is added. It saves scaling q. s does not lie in z and is not zero.
func AddScaledVartime(z, p *Jacobian, q *Affine, s *Element) {
	var t, u, h, r Element
	if p.IsInfinity() {
		Sqr(&t, s)
		Mul(&z.X, &q.X, &t)
		Mul(&t, &t, s)
		Mul(&z.Y, &q.Y, &t)
		z.Z = Element{1}
		return
	}
	Mul(&u, &p.Z, s)
	Sqr(&t, &u)
	Mul(&h, &q.X, &t)
	Mul(&t, &t, &u)
	Mul(&r, &q.Y, &t)
	Sub(&h, &h, &p.X)
	Sub(&r, &r, &p.Y)
	addTailVartime(z, p, &h, &r)
}

// NegAffine sets z = −p for bit 1 and z = p for bit 0.
func NegAffine(z, p *Affine, bit uint64) {
	var y Element
	Neg(&y, &p.Y)
	z.X = p.X
	Select(&z.Y, &y, &p.Y, bit)
}

// ToAffine sets z = p, with coordinates below the field prime; (0, 0) for
// infinity.
func ToAffine(z *Affine, p *Jacobian) {
	var i, t Element
	Invert(&i, &p.Z)
	Sqr(&t, &i)
	Mul(&z.X, &p.X, &t)
	Mul(&t, &t, &i)
	Mul(&z.Y, &p.Y, &t)
	z.X.Normalize()
	z.Y.Normalize()
	i.Zero()
	t.Zero()
}

// Lookup sets z = table[i], i < len(table), or −table[i] for neg 1. It reads every
// entry, whatever i is. z does not lie in the table.
func Lookup(z *Affine, table []Affine, i, neg uint64) {
	// X and Y apart: eight sums and their mask do not fit in the registers.
	var a0, a1, a2, a3 uint64
	for j := range table {
		m := equalMask(uint64(j), i)
		t := &table[j].X
		a0 |= t[0] & m
		a1 |= t[1] & m
		a2 |= t[2] & m
		a3 |= t[3] & m
	}
	z.X = Element{a0, a1, a2, a3}
	a0, a1, a2, a3 = 0, 0, 0, 0
	for j := range table {
		m := equalMask(uint64(j), i)
		t := &table[j].Y
		a0 |= t[0] & m
		a1 |= t[1] & m
		a2 |= t[2] & m
		a3 |= t[3] & m
	}
	z.Y = Element{a0, a1, a2, a3}
	NegAffine(z, z, neg)
}

// equalMask is all ones where i = j, both below 2⁶³, and zero elsewhere.
func equalMask(i, j uint64) uint64 { return uint64(int64((i^j)-1) >> 63) }
