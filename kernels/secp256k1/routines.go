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

// power is [Sqrt] in assembly: the power (p+1)/4, in bits 223 ones, 0, 22
// ones, 00001100, by the chain of fallback/secp256k1. aN is x to 2ᴺ − 1.
func power(z, x *Element) bool {
	var a2, a3, a11, a22, a44, a88, t Element
	// raise sets to to x to 2ⁿ, times y.
	raise := func(to, x *Element, n int, y *Element) {
		asmSqrN(to, x, n)
		asmMul(to, to, y)
	}
	root := *x
	raise(&a2, x, 1, x)
	raise(&a3, &a2, 1, x)
	raise(&t, &a3, 3, &a3)
	raise(&t, &t, 3, &a3)
	raise(&a11, &t, 2, &a2)
	raise(&a22, &a11, 11, &a11)
	raise(&a44, &a22, 22, &a22)
	raise(&a88, &a44, 44, &a44)
	raise(&t, &a88, 88, &a88)
	raise(&t, &t, 44, &a44)
	raise(&t, &t, 3, &a3)
	raise(&t, &t, 23, &a22)
	raise(&t, &t, 6, &a2)
	asmSqrN(&t, &t, 2)
	*z = t
	asmSqrN(&t, &t, 1)
	return t.Equal(&root)
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
