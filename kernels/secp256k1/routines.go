//go:build (amd64 || arm64) && gc && !purego

package secp256k1

import (
	"unsafe"

	"github.com/sealwright/sealwright/fallback/secp256k1"
)

func limbs(x *Element) *[4]uint64 { return (*[4]uint64)(x) }

// point is a Jacobian point as the routines take it.
func point(p *Jacobian) *[12]uint64 { return (*[12]uint64)(unsafe.Pointer(p)) }

func affine(p *Affine) *[8]uint64 { return (*[8]uint64)(unsafe.Pointer(p)) }

func mul(z, x, y *Element) {
	if assembled() {
		asmMul(z, x, y)
		return
	}
	secp256k1.Mul(z, x, y)
}

func sqr(z, x *Element) {
	if assembled() {
		asmSqrN(z, x, 1)
		return
	}
	secp256k1.Sqr(z, x)
}

func sqrt(z, x *Element) bool {
	if assembled() {
		return power(z, x)
	}
	return secp256k1.Sqrt(z, x)
}

// chain is the way of [Sqrt] to the power (p+1)/16, in bits 223 ones, 0, 22 ones, 000011,
// which is that of fallback/secp256k1: each step sets to to x to 2ⁿ, times y. aN is the first
// one to 2ᴺ − 1.
var chain = [...]struct{ to, x, n, y int }{
	{a2, a1, 1, a1},
	{a3, a2, 1, a1},
	{at, a3, 3, a3},
	{at, at, 3, a3},
	{a11, at, 2, a2},
	{a22, a11, 11, a11},
	{a44, a22, 22, a22},
	{a88, a44, 44, a44},
	{at, a88, 88, a88},
	{at, at, 44, a44},
	{at, at, 3, a3},
	{at, at, 23, a22},
	{at, at, 6, a2},
}

const (
	a1 = iota
	a2
	a3
	a11
	a22
	a44
	a88
	at
	powers
)

// power is [Sqrt] in assembly: two squares more are the power (p+1)/4.
func power(z, x *Element) bool {
	var a [powers]Element
	a[a1] = *x
	for _, s := range chain {
		asmSqrN(&a[s.to], &a[s.x], s.n)
		asmMul(&a[s.to], &a[s.to], &a[s.y])
	}
	asmSqrN(z, &a[at], 2)
	asmSqrN(&a[at], z, 1)
	return a[at].Equal(&a[a1])
}

func invert(z, x *Element) {
	if assembled() {
		asmInvert(z, x)
		return
	}
	secp256k1.Invert(z, x)
}

func invertVartime(z, x *Element) {
	if assembled() {
		asmInvertVartime(z, x)
		return
	}
	secp256k1.InvertVartime(z, x)
}

// isSquareVartime goes by the Jacobi symbol, which is zero where the assembly does not
// come to know it.
func isSquareVartime(x *Element) bool {
	if assembled() {
		if symbol := asmJacobiVartime(x); symbol != 0 {
			return symbol > 0
		}
	}
	return secp256k1.IsSquareVartime(x)
}

func doubleN(z, p *Jacobian, n int) {
	if assembled() {
		asmDoubleN(z, p, n)
		return
	}
	secp256k1.DoubleN(z, p, n)
}

func addMixed(z, p *Jacobian, q *Affine) {
	if assembled() {
		asmAddMixed(z, p, q)
		return
	}
	secp256k1.AddMixed(z, p, q)
}

func addMixedDistinct(z, p *Jacobian, q *Affine) {
	if assembled() {
		asmAddMixedDistinct(z, p, q)
		return
	}
	secp256k1.AddMixedDistinct(z, p, q)
}

func addMixedVartime(z, p *Jacobian, q *Affine) {
	if assembled() && !p.IsInfinity() && asmAddMixedVartime(z, p, q) {
		return
	}
	secp256k1.AddMixedVartime(z, p, q)
}

func addScaledVartime(z, p *Jacobian, q *Affine, s *Element) {
	if assembled() && !p.IsInfinity() && asmAddScaledVartime(z, p, q, s) {
		return
	}
	secp256k1.AddScaledVartime(z, p, q, s)
}

func addCoZ(p, q *Affine, h *Element) {
	if assembled() {
		asmAddCoZ(p, q, h)
		return
	}
	secp256k1.AddCoZ(p, q, h)
}

func addAffine(p, q *Affine, inverse, before *Element) {
	if assembled() {
		asmAddAffine(p, q, inverse, before)
		return
	}
	secp256k1.AddAffine(p, q, inverse, before)
}

func lookup(z *Affine, table []Affine, i, neg uint64) {
	if assembled() && len(table) > 0 {
		asmLookup(z, table, i, neg)
		return
	}
	secp256k1.Lookup(z, table, i, neg)
}
