// Package secp256k1 is the curve y² = x³ + 7 over the field of p = 2²⁵⁶ − 2³² − 977
// elements, and the arithmetic of its group order n, in portable Go (SEC 2,
// section 2.4.1). It is the reference for the assembly of kernels/secp256k1
// and carries no promise of compatibility.
//
// Types have methods for encoding and predicates alone; arithmetic is package
// functions, result first. A result may be the same variable as any argument
// unless a function says otherwise.
//
// Everything takes time that is independent of the values, except functions
// with Vartime in their names: these take public data only.
package secp256k1

// Element is an element of the field: four 64-bit limbs, the least significant
// first. Any value below 2²⁵⁶ stands for itself modulo p, so an element may
// have two forms; every function takes and gives either. [Element.Normalize]
// gives the one below p.
type Element [4]uint64

// Scalar is an integer modulo the group order n: four 64-bit limbs, the least
// significant first. It is below n always.
type Scalar [4]uint64

// Affine is a point of the curve. (0, 0), which is not on the curve, is what
// [ToAffine] gives for infinity; no function takes it.
type Affine struct{ X, Y Element }

// Jacobian is the point (X/Z², Y/Z³) of the curve, or infinity where Z is zero
// modulo p.
type Jacobian struct{ X, Y, Z Element }

// IsInfinity reports whether p is the neutral element.
func (p *Jacobian) IsInfinity() bool { return p.Z.IsZero() }

// SetAffine sets p to q.
func (p *Jacobian) SetAffine(q *Affine) {
	p.X = q.X
	p.Y = q.Y
	p.Z = Element{1}
}

// SetInfinity sets p to the neutral element.
func (p *Jacobian) SetInfinity() { *p = Jacobian{X: Element{1}, Y: Element{1}} }

// Zero wipes p. The compiler does not see through the call, so it cannot drop
// the stores as dead.
//
//go:noinline
func (p *Affine) Zero() { *p = Affine{} }

// Zero wipes p; see [Affine.Zero].
//
//go:noinline
func (p *Jacobian) Zero() { *p = Jacobian{} }

// mask is all ones for bit 1 and zero for bit 0.
func mask(bit uint64) uint64 { return -bit }

// isZero is 1 for zero and 0 for everything else.
func isZero(x uint64) uint64 { return 1 ^ (x|-x)>>63 }
