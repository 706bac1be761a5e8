//go:build gc && !purego

package secp256k1

import "github.com/sealwright/sealwright/kernels/cpu"

//go:generate go run -C ../../asm . secp256k1 ../kernels/secp256k1

// The assembly of the tiers adx and ifma, by the names that routines.go calls it by. The
// latter has routines of its own for a few operations of points, and for operations side by
// side (lanes_amd64.go), and those of adx for all else.

func assembled() bool { return cpu.Secp256k1IFMA || cpu.Secp256k1ADX }

func asmMul(z, x, y *Element)         { mulADX(limbs(z), limbs(x), limbs(y)) }
func asmSqrN(z, x *Element, n int)    { sqrNADX(limbs(z), limbs(x), n) }
func asmInvert(z, x *Element)         { invertADX(limbs(z), limbs(x)) }
func asmInvertVartime(z, x *Element)  { invertVartimeADX(limbs(z), limbs(x)) }
func asmJacobiVartime(x *Element) int { return jacobiVartimeADX(limbs(x)) }

func asmDoubleN(z, p *Jacobian, n int) {
	if cpu.Secp256k1IFMA {
		doubleNIFMA(point(z), point(p), n)
		return
	}
	doubleNADX(point(z), point(p), n)
}

func asmAddMixed(z, p *Jacobian, q *Affine) { addMixedADX(point(z), point(p), affine(q)) }

func asmAddMixedDistinct(z, p *Jacobian, q *Affine) {
	if cpu.Secp256k1IFMA {
		addMixedDistinctIFMA(point(z), point(p), affine(q))
		return
	}
	addMixedDistinctADX(point(z), point(p), affine(q))
}

func asmAddMixedVartime(z, p *Jacobian, q *Affine) bool {
	if cpu.Secp256k1IFMA {
		return addMixedVartimeIFMA(point(z), point(p), affine(q))
	}
	return addMixedVartimeADX(point(z), point(p), affine(q))
}

func asmAddScaledVartime(z, p *Jacobian, q *Affine, s *Element) bool {
	if cpu.Secp256k1IFMA {
		return addScaledVartimeIFMA(point(z), point(p), affine(q), limbs(s))
	}
	return addScaledVartimeADX(point(z), point(p), affine(q), limbs(s))
}

func asmAddCoZ(p, q *Affine, h *Element) { addCoZADX(affine(p), affine(q), limbs(h)) }

func asmAddAffine(p, q *Affine, inverse, before *Element) {
	addAffineADX(affine(p), affine(q), limbs(inverse), limbs(before))
}

func asmLookup(z *Affine, table []Affine, i, neg uint64) {
	lookupADX(affine(z), affine(&table[0]), len(table), i, neg)
}
