//go:build gc && !purego

package secp256k1

import (
	"unsafe"

	"github.com/sealwright/sealwright/fallback/secp256k1"
	"github.com/sealwright/sealwright/kernels/cpu"
)

//go:generate go run -C ../../asm ./secp256k1 ../kernels/secp256k1

// point is a Jacobian point as the routines take it.
func point(p *Jacobian) *[12]uint64 { return (*[12]uint64)(unsafe.Pointer(p)) }

func affine(p *Affine) *[8]uint64 { return (*[8]uint64)(unsafe.Pointer(p)) }

func mul(z, x, y *Element) {
	if cpu.Secp256k1ADX {
		mulADX((*[4]uint64)(z), (*[4]uint64)(x), (*[4]uint64)(y))
		return
	}
	secp256k1.Mul(z, x, y)
}

func sqr(z, x *Element) {
	if cpu.Secp256k1ADX {
		sqrNADX((*[4]uint64)(z), (*[4]uint64)(x), 1)
		return
	}
	secp256k1.Sqr(z, x)
}

// sqrt is the power (p+1)/4, in bits 223 ones, 0, 22 ones, 00001100, by the chain
// of fallback/secp256k1. aN is x to 2ᴺ − 1.
func sqrt(z, x *Element) bool {
	if !cpu.Secp256k1ADX {
		return secp256k1.Sqrt(z, x)
	}
	var a2, a3, a11, a22, a44, a88, t Element
	// power sets to to x to 2ⁿ, times y.
	power := func(to, x *Element, n int, y *Element) {
		sqrNADX((*[4]uint64)(to), (*[4]uint64)(x), n)
		mulADX((*[4]uint64)(to), (*[4]uint64)(to), (*[4]uint64)(y))
	}
	root := *x
	power(&a2, x, 1, x)
	power(&a3, &a2, 1, x)
	power(&t, &a3, 3, &a3)
	power(&t, &t, 3, &a3)
	power(&a11, &t, 2, &a2)
	power(&a22, &a11, 11, &a11)
	power(&a44, &a22, 22, &a22)
	power(&a88, &a44, 44, &a44)
	power(&t, &a88, 88, &a88)
	power(&t, &t, 44, &a44)
	power(&t, &t, 3, &a3)
	power(&t, &t, 23, &a22)
	power(&t, &t, 6, &a2)
	sqrNADX((*[4]uint64)(&t), (*[4]uint64)(&t), 2)
	*z = t
	sqr(&t, &t)
	return t.Equal(&root)
}

func invert(z, x *Element) {
	if cpu.Secp256k1ADX {
		invertADX((*[4]uint64)(z), (*[4]uint64)(x))
		return
	}
	secp256k1.Invert(z, x)
}

func invertVartime(z, x *Element) {
	if cpu.Secp256k1ADX {
		invertVartimeADX((*[4]uint64)(z), (*[4]uint64)(x))
		return
	}
	secp256k1.InvertVartime(z, x)
}

func isSquareVartime(x *Element) bool {
	if cpu.Secp256k1ADX {
		if symbol := jacobiVartimeADX((*[4]uint64)(x)); symbol != 0 {
			return symbol > 0
		}
	}
	return secp256k1.IsSquareVartime(x)
}

func doubleN(z, p *Jacobian, n int) {
	if cpu.Secp256k1ADX {
		doubleNADX(point(z), point(p), n)
		return
	}
	secp256k1.DoubleN(z, p, n)
}

func addMixed(z, p *Jacobian, q *Affine) {
	if cpu.Secp256k1ADX {
		addMixedADX(point(z), point(p), affine(q))
		return
	}
	secp256k1.AddMixed(z, p, q)
}

func addMixedDistinct(z, p *Jacobian, q *Affine) {
	if cpu.Secp256k1ADX {
		addMixedDistinctADX(point(z), point(p), affine(q))
		return
	}
	secp256k1.AddMixedDistinct(z, p, q)
}

func addMixedVartime(z, p *Jacobian, q *Affine) {
	if cpu.Secp256k1ADX && !p.IsInfinity() && addMixedVartimeADX(point(z), point(p), affine(q)) {
		return
	}
	secp256k1.AddMixedVartime(z, p, q)
}

func addScaledVartime(z, p *Jacobian, q *Affine, s *Element) {
	if cpu.Secp256k1ADX && !p.IsInfinity() && addScaledVartimeADX(point(z), point(p), affine(q), (*[4]uint64)(s)) {
		return
	}
	secp256k1.AddScaledVartime(z, p, q, s)
}

func addCoZ(p, q *Affine, h *Element) {
	if cpu.Secp256k1ADX {
		addCoZADX(affine(p), affine(q), (*[4]uint64)(h))
		return
	}
	secp256k1.AddCoZ(p, q, h)
}

func lookup(z *Affine, table []Affine, i, neg uint64) {
	if cpu.Secp256k1ADX && len(table) > 0 {
		lookupADX(affine(z), affine(&table[0]), len(table), i, neg)
		return
	}
	secp256k1.Lookup(z, table, i, neg)
}
