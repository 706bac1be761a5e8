package curve

import "github.com/sealwright/sealwright/kernels/secp256k1"

// BaseMult sets p = kG, k in 1…n−1. Constant time. For k = 0, which no caller
// has, p is (0, 0).
//
// It adds one entry of the base table per window, the lowest first, without a
// doubling. In units of G/2, the sum of the windows below window i is odd and
// smaller than 64ⁱ, and the entry added is an odd multiple of 64ⁱ below 64ⁱ⁺¹:
// their sum and difference are not zero and below n while 64ⁱ⁺¹ ≤ 2²⁵², so no
// addition but the last meets equal or opposite points.
func BaseMult(p *secp256k1.Affine, k *secp256k1.Scalar) {
	var w [baseWindows]uint8
	var acc secp256k1.Jacobian
	var e secp256k1.Affine
	recodeBase(&w, k)
	lookupSigned(&e, baseTable[0][:], w[0], baseBits)
	acc.SetAffine(&e)
	for i := 1; i < baseWindows-1; i++ {
		lookupSigned(&e, baseTable[i][:], w[i], baseBits)
		secp256k1.AddMixedDistinct(&acc, &acc, &e)
	}
	lookupSigned(&e, baseTable[baseWindows-1][:], w[baseWindows-1], baseBits)
	secp256k1.AddMixed(&acc, &acc, &e)
	secp256k1.ToAffine(p, &acc)
	wipe(w[:])
	e.Zero()
	acc.Zero()
}

// ECDH sets shared to the x-coordinate of k·P, k in 1…n−1 and P either point
// with x-coordinate x, and reports whether there is one, as [LiftX]; shared is
// zero where there is none. Constant time in k. For k = 0, which no caller has,
// shared is zero. shared and x may be the same.
func ECDH(shared *[32]byte, k *secp256k1.Scalar, x *[32]byte) bool {
	var p secp256k1.Affine
	var c, z secp256k1.Element
	if !liftIsomorphic(&p, &c, x) {
		*shared = [32]byte{}
		return false
	}
	var w1, w2 [halfWindows]uint8
	var acc secp256k1.Jacobian
	recodeHalves(&w1, &w2, k)
	multiply(&acc, &w1, &w2, &p)

	// On the curve itself, x is acc.X/(acc.Z²·c).
	secp256k1.Sqr(&z, &acc.Z)
	secp256k1.Mul(&z, &z, &c)
	secp256k1.Invert(&z, &z)
	secp256k1.Mul(&z, &z, &acc.X)
	z.PutBytes(shared)
	wipe(w1[:])
	wipe(w2[:])
	z.Zero()
	acc.Zero()
	return true
}

// multiply sets acc = d1·p + d2·λp for the odd integers d1 and d2 that w1 and w2
// stand for. p may lie on any curve y² = x³ + b. Constant time in w1 and w2.
//
// Both run through their windows together, the highest first. Let the sum so far
// be a·p + b·λp. An addition of ±c·p or ±c·λp meets equal or opposite points only
// where a pair (x, y) ≠ (0, 0), x = a ± c or y = b ± c, has x + yλ ≡ 0 modulo n.
// Then n divides x² − xy + y², which is positive and at most 3·max(|x|, |y|)²: one
// of them is larger than 2¹²⁷. Before the last window, all are below 2¹²⁶ and,
// every digit being odd, a and b are not zero; only the last window needs the
// complete addition.
func multiply(acc *secp256k1.Jacobian, w1, w2 *[halfWindows]uint8, p *secp256k1.Affine) {
	var t1, t2 [halfEntries]secp256k1.Affine
	var ratios [halfEntries]secp256k1.Element
	var gz secp256k1.Element
	var e secp256k1.Affine
	oddMultiples(t1[:], ratios[:], &gz, p)
	endomorphism(t2[:], t1[:])

	const top = halfWindows - 1
	lookupSigned(&e, t1[:], w1[top], halfBits)
	acc.SetAffine(&e)
	lookupSigned(&e, t2[:], w2[top], halfBits)
	secp256k1.AddMixedDistinct(acc, acc, &e)
	for i := top - 1; i > 0; i-- {
		secp256k1.DoubleN(acc, acc, halfBits)
		lookupSigned(&e, t1[:], w1[i], halfBits)
		secp256k1.AddMixedDistinct(acc, acc, &e)
		lookupSigned(&e, t2[:], w2[i], halfBits)
		secp256k1.AddMixedDistinct(acc, acc, &e)
	}
	secp256k1.DoubleN(acc, acc, halfBits)
	lookupSigned(&e, t1[:], w1[0], halfBits)
	secp256k1.AddMixed(acc, acc, &e)
	lookupSigned(&e, t2[:], w2[0], halfBits)
	secp256k1.AddMixed(acc, acc, &e)
	secp256k1.Mul(&acc.Z, &acc.Z, &gz)
	e.Zero()
}

//go:noinline
func wipe(w []uint8) { clear(w) }
