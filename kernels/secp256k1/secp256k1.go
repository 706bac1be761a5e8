// Package secp256k1 is the arithmetic of the curve secp256k1 (SEC 2, section
// 2.4.1) by the best means that the processor has. It carries no compatibility
// promise.
//
// Types, names and results are those of fallback/secp256k1, the portable form
// and the reference, where each formula's source stands. A field element is
// four 64-bit limbs, the least significant first; any value below 2²⁵⁶ stands
// for itself modulo p, for arguments and results alike, so that equal results
// of two tiers may differ in form until they are normalized. A scalar is below
// n always.
//
// A result may be the same variable as any argument unless a function says
// otherwise. Every tier is constant time, except functions with Vartime in
// their names: these take public data only.
package secp256k1

import "github.com/sealwright/sealwright/fallback/secp256k1"

type (
	// Element is an element of the field, modulo p = 2²⁵⁶ − 2³² − 977.
	Element = secp256k1.Element
	// Scalar is an integer modulo the group order n.
	Scalar = secp256k1.Scalar
	// Affine is a finite point.
	Affine = secp256k1.Affine
	// Jacobian is the point (X/Z², Y/Z³), or infinity where Z is zero.
	Jacobian = secp256k1.Jacobian
)

// Add sets z = x + y.
func Add(z, x, y *Element) { secp256k1.Add(z, x, y) }

// Sub sets z = x − y.
func Sub(z, x, y *Element) { secp256k1.Sub(z, x, y) }

// Neg sets z = −x.
func Neg(z, x *Element) { secp256k1.Neg(z, x) }

// Mul sets z = x·y.
func Mul(z, x, y *Element) { mul(z, x, y) }

// Sqr sets z = x².
func Sqr(z, x *Element) { sqr(z, x) }

// Sqrt sets z to a square root of x and reports whether x has one. Where x has
// none, z is a square root of −x.
func Sqrt(z, x *Element) bool { return sqrt(z, x) }

// SqrtEach is [Sqrt] of many elements: z[i], ok[i] of x[i]. By tier several go side by side.
// The three have one length.
func SqrtEach(z, x []Element, ok []bool) {
	for len(x) > 0 {
		n := sqrtSome(z, x, ok)
		z, x, ok = z[n:], x[n:], ok[n:]
	}
}

// Invert sets z = 1/x, and zero for zero.
func Invert(z, x *Element) { invert(z, x) }

// InvertVartime is [Invert] in variable time.
func InvertVartime(z, x *Element) { invertVartime(z, x) }

// IsSquareVartime reports whether x is a square modulo p, zero among them.
func IsSquareVartime(x *Element) bool { return isSquareVartime(x) }

// ScalarAdd sets z = x + y.
func ScalarAdd(z, x, y *Scalar) { secp256k1.ScalarAdd(z, x, y) }

// ScalarNeg sets z = −x.
func ScalarNeg(z, x *Scalar) { secp256k1.ScalarNeg(z, x) }

// ScalarHalf sets z = x/2.
func ScalarHalf(z, x *Scalar) { secp256k1.ScalarHalf(z, x) }

// ScalarMul sets z = x·y.
func ScalarMul(z, x, y *Scalar) { secp256k1.ScalarMul(z, x, y) }

// ScalarMulShift sets z to x·y/2³⁸⁴, the product taken as an integer, rounded
// to the nearest integer.
func ScalarMulShift(z, x, y *Scalar) { secp256k1.ScalarMulShift(z, x, y) }

// ScalarSelect sets z = x for bit 1 and z = y for bit 0.
func ScalarSelect(z, x, y *Scalar, bit uint64) { secp256k1.ScalarSelect(z, x, y, bit) }

// Double sets z = 2·p, for infinity too.
func Double(z, p *Jacobian) { doubleN(z, p, 1) }

// DoubleN sets z = 2ⁿ·p, n ≥ 1. Its Z is that of the reference, or by tier a power of two
// times that.
func DoubleN(z, p *Jacobian, n int) { doubleN(z, p, n) }

// AddMixed sets z = p + q for every p and q: infinity, equal and opposite
// points included.
func AddMixed(z, p *Jacobian, q *Affine) { addMixed(z, p, q) }

// AddMixedDistinct sets z = p + q where p is finite and not ±q. Elsewhere the
// result is wrong: the caller proves that it does not get there.
func AddMixedDistinct(z, p *Jacobian, q *Affine) { addMixedDistinct(z, p, q) }

// AddCoZ sets p = p + q for two points over one common Z, q not ±p, and brings q
// to the Z of the sum, which is h times the Z of before. p, q and h are distinct.
func AddCoZ(p, q *Affine, h *Element) { addCoZ(p, q, h) }

// AddAffine sets p = p + q, q not ±p, given a share in an inversion for many additions:
// inverse·before is 1/(q.X − p.X). It multiplies inverse by q.X − p.X, for the addition
// before. p, q, inverse and before are distinct.
func AddAffine(p, q *Affine, inverse, before *Element) { addAffine(p, q, inverse, before) }

// AddMixedVartime sets z = p + q for every p and q.
func AddMixedVartime(z, p *Jacobian, q *Affine) { addMixedVartime(z, p, q) }

// AddScaledVartime sets z = p + q for every p and q, where p lies on the
// isomorphic curve y² = x³ + 7·s⁶ and q on the curve itself: (q.X·s², q.Y·s³)
// is what is added. s does not lie in z and is not zero.
func AddScaledVartime(z, p *Jacobian, q *Affine, s *Element) {
	addScaledVartime(z, p, q, s)
}

// NegAffine sets z = −p for bit 1 and z = p for bit 0.
func NegAffine(z, p *Affine, bit uint64) { secp256k1.NegAffine(z, p, bit) }

// ToAffine sets z = p, with coordinates below the field prime; (0, 0) for
// infinity.
func ToAffine(z *Affine, p *Jacobian) {
	var i, t Element
	invert(&i, &p.Z)
	sqr(&t, &i)
	mul(&z.X, &p.X, &t)
	mul(&t, &t, &i)
	mul(&z.Y, &p.Y, &t)
	z.X.Normalize()
	z.Y.Normalize()
	i.Zero()
	t.Zero()
}

// Lookup sets z = table[i], i < len(table), or −table[i] for neg 1. It reads every
// entry, whatever i is. z does not lie in the table.
func Lookup(z *Affine, table []Affine, i, neg uint64) { lookup(z, table, i, neg) }
