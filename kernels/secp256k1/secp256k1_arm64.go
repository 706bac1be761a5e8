//go:build gc && !purego

package secp256k1

import "github.com/sealwright/sealwright/kernels/cpu"

//go:generate go run -C ../../asm . secp256k1 ../kernels/secp256k1

// The assembly of the tier mul, by the names that routines.go calls it by.
//
// Its constant time rests on MUL, UMULH, SMULH, MADD and the conditional selects. Arm's
// architecture lists them among the instructions whose time is independent of data while
// PSTATE.DIT is set, on processors with FEAT_DIT, and promises nothing without. Nothing here
// sets the bit: crypto/subtle.WithDataIndependentTiming, which does, is the caller's to use.

func assembled() bool { return cpu.Secp256k1MUL }

func asmMul(z, x, y *Element)         { mulMUL(limbs(z), limbs(x), limbs(y)) }
func asmSqrN(z, x *Element, n int)    { sqrNMUL(limbs(z), limbs(x), n) }
func asmInvert(z, x *Element)         { invertMUL(limbs(z), limbs(x)) }
func asmInvertVartime(z, x *Element)  { invertVartimeMUL(limbs(z), limbs(x)) }
func asmJacobiVartime(x *Element) int { return jacobiVartimeMUL(limbs(x)) }

func asmDoubleN(z, p *Jacobian, n int)      { doubleNMUL(point(z), point(p), n) }
func asmAddMixed(z, p *Jacobian, q *Affine) { addMixedMUL(point(z), point(p), affine(q)) }

func asmAddMixedDistinct(z, p *Jacobian, q *Affine) {
	addMixedDistinctMUL(point(z), point(p), affine(q))
}

func asmAddMixedVartime(z, p *Jacobian, q *Affine) bool {
	return addMixedVartimeMUL(point(z), point(p), affine(q))
}

func asmAddScaledVartime(z, p *Jacobian, q *Affine, s *Element) bool {
	return addScaledVartimeMUL(point(z), point(p), affine(q), limbs(s))
}

func asmAddCoZ(p, q *Affine, h *Element) { addCoZMUL(affine(p), affine(q), limbs(h)) }

func asmAddAffine(p, q *Affine, inverse, before *Element) {
	addAffineMUL(affine(p), affine(q), limbs(inverse), limbs(before))
}

func asmLookup(z *Affine, table []Affine, i, neg uint64) {
	lookupMUL(affine(z), affine(&table[0]), len(table), i, neg)
}
