// Package secp256k1 is the arithmetic of the curve secp256k1 (SEC 2, section
// 2.4.1) on the best code that this machine has.
//
// Types, names and results are those of fallback/secp256k1, which is the
// portable form and the reference: field elements are four 64-bit limbs, any
// value below 2²⁵⁶ standing for itself modulo p; scalars are below n. Equal
// values may differ in form from tier to tier until they are normalized.
//
// A result may be the same variable as any argument unless a function says
// otherwise. Everything is constant time except functions with Vartime in
// their names, which take public data only. The package carries no promise of
// compatibility.
package secp256k1

import "github.com/sealwright/sealwright/fallback/secp256k1"

type (
	// Element is an element of the field, modulo p = 2²⁵⁶ − 2³² − 977.
	Element = secp256k1.Element
	// Scalar is an integer modulo the group order n, always below it.
	Scalar = secp256k1.Scalar
	// Affine is a finite point.
	Affine = secp256k1.Affine
	// Jacobian is the point (X/Z², Y/Z³), or infinity where Z is zero.
	Jacobian = secp256k1.Jacobian
)

// Add sets z = x + y.
func Add(z, x, y *Element) {
	secp256k1.Add(z, x, y)
}

// Sub sets z = x − y.
func Sub(z, x, y *Element) {
	secp256k1.Sub(z, x, y)
}

// Neg sets z = −x.
func Neg(z, x *Element) {
	secp256k1.Neg(z, x)
}

// Half sets z = x/2.
func Half(z, x *Element) {
	secp256k1.Half(z, x)
}

// Mul sets z = x·y.
func Mul(z, x, y *Element) {
	secp256k1.Mul(z, x, y)
}

// Sqr sets z = x².
func Sqr(z, x *Element) {
	secp256k1.Sqr(z, x)
}

// Sqrt sets z to a square root of x and reports whether x has one: x^((p+1)/4)
// by 254 squarings and 13 multiplications (p ≡ 3 modulo 4), and its square
// compared with x. Where x has none, z is a square root of −x.
func Sqrt(z, x *Element) bool {
	return secp256k1.Sqrt(z, x)
}

// Select sets z = x for bit 1 and z = y for bit 0.
func Select(z, x, y *Element, bit uint64) {
	secp256k1.Select(z, x, y, bit)
}

// Invert sets z = 1/x, and zero for zero.
func Invert(z, x *Element) {
	secp256k1.Invert(z, x)
}

// InvertVartime is [Invert] in variable time.
func InvertVartime(z, x *Element) {
	secp256k1.InvertVartime(z, x)
}

// ScalarAdd sets z = x + y.
func ScalarAdd(z, x, y *Scalar) {
	secp256k1.ScalarAdd(z, x, y)
}

// ScalarNeg sets z = −x.
func ScalarNeg(z, x *Scalar) {
	secp256k1.ScalarNeg(z, x)
}

// ScalarHalf sets z = x/2.
func ScalarHalf(z, x *Scalar) {
	secp256k1.ScalarHalf(z, x)
}

// ScalarSelect sets z = x for bit 1 and z = y for bit 0.
func ScalarSelect(z, x, y *Scalar, bit uint64) {
	secp256k1.ScalarSelect(z, x, y, bit)
}

// ScalarMul sets z = x·y.
func ScalarMul(z, x, y *Scalar) {
	secp256k1.ScalarMul(z, x, y)
}

// ScalarMulShift sets z to x·y/2³⁸⁴, the product taken as an integer, rounded
// to the nearest integer.
func ScalarMulShift(z, x, y *Scalar) {
	secp256k1.ScalarMulShift(z, x, y)
}

// Double sets z = 2·p, for infinity too: a point of order two, which the
// formula could not do, does not exist on this curve.
//
// 3 multiplications and 4 squarings (Explicit-Formulas Database, dbl-2009-l,
// scaled by one half).
func Double(z, p *Jacobian) {
	secp256k1.Double(z, p)
}

// DoubleN sets z = 2ⁿ·p, n ≥ 1.
func DoubleN(z, p *Jacobian, n int) {
	secp256k1.DoubleN(z, p, n)
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
	secp256k1.AddMixed(z, p, q)
}

// AddMixedDistinct sets z = p + q where p is finite and not ±q. Elsewhere the
// result is wrong: the caller proves that it does not get there.
//
// 8 multiplications and 3 squarings (Explicit-Formulas Database, madd).
func AddMixedDistinct(z, p *Jacobian, q *Affine) {
	secp256k1.AddMixedDistinct(z, p, q)
}

// AddMixedRatio is [AddMixedDistinct] and sets h to the ratio of z.Z to p.Z.
// h is none of the other variables.
func AddMixedRatio(z *Jacobian, h *Element, p *Jacobian, q *Affine) {
	secp256k1.AddMixedRatio(z, h, p, q)
}

// AddMixedVartime sets z = p + q for every p and q.
func AddMixedVartime(z, p *Jacobian, q *Affine) {
	secp256k1.AddMixedVartime(z, p, q)
}

// AddScaledVartime sets z = p + q for every p and q, where p lies on the
// isomorphic curve y² = x³ + 7·s⁶ and q on the curve itself: (q.X·s², q.Y·s³)
// is what is added. It saves scaling q.
func AddScaledVartime(z, p *Jacobian, q *Affine, s *Element) {
	secp256k1.AddScaledVartime(z, p, q, s)
}

// AddJacobianVartime sets z = p + q for every p and q.
//
// 12 multiplications and 4 squarings (Explicit-Formulas Database, add).
func AddJacobianVartime(z, p, q *Jacobian) {
	secp256k1.AddJacobianVartime(z, p, q)
}

// NegAffine sets z = −p for bit 1 and z = p for bit 0.
func NegAffine(z, p *Affine, bit uint64) {
	secp256k1.NegAffine(z, p, bit)
}

// ToAffine sets z = p, with coordinates below the field prime; (0, 0) for
// infinity.
func ToAffine(z *Affine, p *Jacobian) {
	secp256k1.ToAffine(z, p)
}

// Lookup sets z = table[i], i < len(table). It reads every entry, whatever i
// is. z does not lie in the table.
func Lookup(z *Affine, table []Affine, i uint64) {
	secp256k1.Lookup(z, table, i)
}
