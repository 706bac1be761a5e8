package secp256k1

import "github.com/sealwright/sealwright/fallback/secp256k1"

// Lanes is how many elements or points go side by side.
const Lanes = secp256k1.Lanes

type (
	// Elements are elements side by side, in limbs of 52 bits.
	Elements = secp256k1.Elements
	// AffineLanes are finite points side by side.
	AffineLanes = secp256k1.AffineLanes
	// JacobianLanes are Jacobian points side by side.
	JacobianLanes = secp256k1.JacobianLanes
	// Pair are two points by their places.
	Pair = secp256k1.Pair
)

// HasLanes reports whether operations side by side take less time than as many one by one.
func HasLanes() bool { return hasLanes() }

// MulLanes sets z = x·y, each element of its own.
func MulLanes(z, x, y *Elements) { raiseLanes(z, x, 0, y) }

// DoubleNLanes is [DoubleN] of each point.
func DoubleNLanes(z, p *JacobianLanes, n int) { doubleNLanes(z, p, n) }

// AddMixedDistinctLanes is [AddMixedDistinct] of each two points.
func AddMixedDistinctLanes(z, p *JacobianLanes, q *AffineLanes) { addMixedDistinctLanes(z, p, q) }

// AddCoZLanes is [AddCoZ] of each two points.
func AddCoZLanes(p, q *AffineLanes, h *Elements) { addCoZLanes(p, q, h) }

// LookupLanes sets z to table[i], i < len(table), or to the negatives of its points for neg 1.
// It reads every entry, whatever i is. z does not lie in the table.
func LookupLanes(z *AffineLanes, table []AffineLanes, i, neg uint64) {
	lookupLanes(z, table, i, neg)
}

// MulDifferenceLanes sets z to x times the difference of the X of two points, those of each
// pair: of the second less that of the first. z may be x. Variable time in the pairs alone.
func MulDifferenceLanes(z, x *Elements, points []Affine, pairs *[Lanes]Pair) {
	mulDifferenceLanes(z, x, points, pairs)
}

// AddAffineLanes is [AddAffine] of the points of each pair. No point is of two pairs. Variable
// time in the pairs alone.
func AddAffineLanes(points []Affine, pairs *[Lanes]Pair, inverse, before *Elements) {
	addAffineLanes(points, pairs, inverse, before)
}
