//go:build !amd64 || !gc || purego

package secp256k1

import "github.com/sealwright/sealwright/fallback/secp256k1"

func hasLanes() bool { return false }

func sqrtSome(z, x []Element, ok []bool) int {
	ok[0] = sqrt(&z[0], &x[0])
	return 1
}

func raiseLanes(z, x *Elements, n int, y *Elements) { secp256k1.RaiseLanes(z, x, n, y) }
func doubleNLanes(z, p *JacobianLanes, n int)       { secp256k1.DoubleNLanes(z, p, n) }
func addCoZLanes(p, q *AffineLanes, h *Elements)    { secp256k1.AddCoZLanes(p, q, h) }

func addMixedDistinctLanes(z, p *JacobianLanes, q *AffineLanes) {
	secp256k1.AddMixedDistinctLanes(z, p, q)
}

func lookupLanes(z *AffineLanes, table []AffineLanes, i, neg uint64) {
	secp256k1.LookupLanes(z, table, i, neg)
}

func mulDifferenceLanes(z, x *Elements, points []Affine, pairs *[Lanes]Pair) {
	secp256k1.MulDifferenceLanes(z, x, points, pairs)
}

func addAffineLanes(points []Affine, pairs *[Lanes]Pair, inverse, before *Elements) {
	secp256k1.AddAffineLanes(points, pairs, inverse, before)
}
