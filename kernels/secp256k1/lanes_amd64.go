//go:build gc && !purego

package secp256k1

import (
	"unsafe"

	"github.com/sealwright/sealwright/fallback/secp256k1"
	"github.com/sealwright/sealwright/kernels/cpu"
)

func hasLanes() bool { return cpu.Secp256k1IFMA }

// elements, affines and points are elements and points side by side as the routines take them.
func elements(e *Elements) *[40]uint64     { return (*[40]uint64)(unsafe.Pointer(e)) }
func affines(p *AffineLanes) *[80]uint64   { return (*[80]uint64)(unsafe.Pointer(p)) }
func points(p *JacobianLanes) *[120]uint64 { return (*[120]uint64)(unsafe.Pointer(p)) }

func raiseLanes(z, x *Elements, n int, y *Elements) {
	if cpu.Secp256k1IFMA {
		raise8IFMA(elements(z), elements(x), n, elements(y))
		return
	}
	secp256k1.RaiseLanes(z, x, n, y)
}

func doubleNLanes(z, p *JacobianLanes, n int) {
	if cpu.Secp256k1IFMA {
		doubleN8IFMA(points(z), points(p), n)
		return
	}
	secp256k1.DoubleNLanes(z, p, n)
}

func addMixedDistinctLanes(z, p *JacobianLanes, q *AffineLanes) {
	if cpu.Secp256k1IFMA {
		addMixedDistinct8IFMA(points(z), points(p), affines(q))
		return
	}
	secp256k1.AddMixedDistinctLanes(z, p, q)
}

func addCoZLanes(p, q *AffineLanes, h *Elements) {
	if cpu.Secp256k1IFMA {
		addCoZ8IFMA(affines(p), affines(q), elements(h))
		return
	}
	secp256k1.AddCoZLanes(p, q, h)
}

func lookupLanes(z *AffineLanes, table []AffineLanes, i, neg uint64) {
	if cpu.Secp256k1IFMA && len(table) > 0 {
		lookup8IFMA(affines(z), affines(&table[0]), len(table), i, neg)
		return
	}
	secp256k1.LookupLanes(z, table, i, neg)
}

// places are pairs as the routines take them, none of which lies outside the points.
func places(points []Affine, pairs *[Lanes]Pair) *[2 * Lanes]int32 {
	for _, p := range pairs {
		_, _ = points[p.I], points[p.J]
	}
	return (*[2 * Lanes]int32)(unsafe.Pointer(pairs))
}

func mulDifferenceLanes(z, x *Elements, points []Affine, pairs *[Lanes]Pair) {
	if cpu.Secp256k1IFMA {
		p := places(points, pairs)
		mulDifference8IFMA(elements(z), elements(x), affine(&points[0]), p)
		return
	}
	secp256k1.MulDifferenceLanes(z, x, points, pairs)
}

func addAffineLanes(points []Affine, pairs *[Lanes]Pair, inverse, before *Elements) {
	if cpu.Secp256k1IFMA {
		p := places(points, pairs)
		addAffine8IFMA(affine(&points[0]), p, elements(inverse), elements(before))
		return
	}
	secp256k1.AddAffineLanes(points, pairs, inverse, before)
}

// sqrtSome takes the roots of the first elements and returns how many: up to eight at once,
// which take the time of two.
func sqrtSome(z, x []Element, ok []bool) int {
	if !hasLanes() || len(x) == 1 {
		ok[0] = sqrt(&z[0], &x[0])
		return 1
	}
	x = x[:min(len(x), Lanes)]
	var a [powers]Elements
	var one Elements
	for j := range x {
		a[a1].Put(j, &x[j])
		one.Put(j, &Element{1})
	}
	for _, s := range chain {
		raiseLanes(&a[s.to], &a[s.x], s.n, &a[s.y])
	}
	raiseLanes(&a[at], &a[at], 2, &one)
	for j := range x {
		var root, square Element
		a[at].Get(j, &root)
		asmSqrN(&square, &root, 1)
		ok[j] = square.Equal(&x[j])
		z[j] = root
	}
	return len(x)
}
