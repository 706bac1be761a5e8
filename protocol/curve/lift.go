package curve

import "github.com/sealwright/sealwright/kernels/secp256k1"

// LiftX sets p to the point of the curve with x-coordinate x and even y, and
// reports whether there is one (BIP-340, lift_x): false where x is p or more,
// or x³ + 7 is no square. That test is what keeps points of the curve's twist,
// whose order has small factors, away from a secret. p is unspecified then.
// Public data only.
func LiftX(p *secp256k1.Affine, x *[32]byte) bool {
	if !p.X.SetBytes(x) {
		return false
	}
	var c secp256k1.Element
	ySquared(&c, &p.X)
	if !secp256k1.Sqrt(&p.Y, &c) {
		return false
	}
	evenY(p)
	return true
}

// LiftEach is [LiftX] for points of which X is set, below p: it sets ok[i] to whether there is
// a point with the X of ps[i], and its Y, which is unspecified where there is none. The two
// have one length. The square roots are taken many at a time, which may be faster than each
// alone. Public data only.
func LiftEach(ps []*secp256k1.Affine, ok []bool) {
	var y [32]secp256k1.Element
	for len(ps) > 0 {
		n := min(len(ps), len(y))
		for i, p := range ps[:n] {
			ySquared(&y[i], &p.X)
		}
		secp256k1.SqrtEach(y[:n], y[:n], ok[:n])
		for i, p := range ps[:n] {
			p.Y = y[i]
			evenY(p)
		}
		ps, ok = ps[n:], ok[n:]
	}
}

// evenY takes the one of p and −p with even y. No point has y = 0: −7 is no cube.
func evenY(p *secp256k1.Affine) {
	p.Y.Normalize()
	secp256k1.NegAffine(p, p, p.Y[0]&1)
}

// liftIsomorphic sets p to a point of the curve y² = x³ + 7c³ that stands for
// either point with x-coordinate x, and c to x³ + 7: (c·x, c²) is (√c²·x, √c³·y),
// for which no square root is needed. It reports whether there is a point, as
// [LiftX]. Public data only.
func liftIsomorphic(p *secp256k1.Affine, c *secp256k1.Element, x *[32]byte) bool {
	if !p.X.SetBytes(x) {
		return false
	}
	ySquared(c, &p.X)
	if !secp256k1.IsSquareVartime(c) {
		return false
	}
	secp256k1.Mul(&p.X, &p.X, c)
	secp256k1.Sqr(&p.Y, c)
	return true
}

// ySquared sets z = x³ + 7.
func ySquared(z, x *secp256k1.Element) {
	var t secp256k1.Element
	secp256k1.Sqr(&t, x)
	secp256k1.Mul(&t, &t, x)
	secp256k1.Add(z, &t, &secp256k1.Element{7})
}

// EvenScalar sets z to whichever of k and −k has the multiple of G with even
// y, where p = kG (BIP-340: d and k of "Default Signing"). z may be k. Constant
// time.
func EvenScalar(z, k *secp256k1.Scalar, p *secp256k1.Affine) {
	var neg secp256k1.Scalar
	y := p.Y
	y.Normalize()
	secp256k1.ScalarNeg(&neg, k)
	secp256k1.ScalarSelect(z, &neg, k, y[0]&1)
	neg.Zero()
	y.Zero()
}
