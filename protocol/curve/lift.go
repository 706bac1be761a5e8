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
	secp256k1.Sqr(&c, &p.X)
	secp256k1.Mul(&c, &c, &p.X)
	secp256k1.Add(&c, &c, &secp256k1.Element{7})
	if !secp256k1.Sqrt(&p.Y, &c) {
		return false
	}
	p.Y.Normalize()
	// No point has y = 0: −7 is no cube.
	secp256k1.NegAffine(p, p, p.Y[0]&1)
	return true
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
