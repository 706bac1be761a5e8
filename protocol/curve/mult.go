package curve

import (
	"sync"

	"github.com/sealwright/sealwright/kernels/secp256k1"
)

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

const (
	nafWidthP = 5
	nafWidthG = 12
)

// generatorTable holds G, 3G, … 2047G, made on first use.
var generatorTable struct {
	once sync.Once
	odd  [1 << (nafWidthG - 2)]secp256k1.Affine
}

func generatorOdd() []secp256k1.Affine {
	generatorTable.once.Do(func() {
		table := generatorTable.odd[:]
		var g secp256k1.Affine
		var gz secp256k1.Element
		BaseMult(&g, &secp256k1.Scalar{1})
		oddMultiples(table, make([]secp256k1.Element, len(table)), &gz, &g)
		secp256k1.Invert(&gz, &gz)
		for i := range table {
			rescale(&table[i], &gz)
		}
	})
	return generatorTable.odd[:]
}

// VerifyVartime reports whether R = sG − eP is finite, has even y, and has the
// x-coordinate r, which must be below p (BIP-340, "Verification"). Public data
// only.
func VerifyVartime(s, e *secp256k1.Scalar, p *secp256k1.Affine, r *[32]byte) bool {
	var x secp256k1.Element
	if !x.SetBytes(r) {
		return false
	}

	var s1, s2, e1, e2 secp256k1.Scalar
	var nafS1, nafS2, nafE1, nafE2 [nafDigits]int16
	neg1, neg2 := splitSignedVartime(&s1, &s2, s)
	n := wnafVartime(&nafS1, &s1, nafWidthG, neg1)
	n = max(n, wnafVartime(&nafS2, &s2, nafWidthG, neg2))
	neg1, neg2 = splitSignedVartime(&e1, &e2, e)
	n = max(n, wnafVartime(&nafE1, &e1, nafWidthP, !neg1))
	n = max(n, wnafVartime(&nafE2, &e2, nafWidthP, !neg2))

	var t1, t2 [1 << (nafWidthP - 2)]secp256k1.Affine
	var ratios [len(t1)]secp256k1.Element
	var gz, t secp256k1.Element
	oddMultiples(t1[:], ratios[:], &gz, p)
	endomorphism(t2[:], t1[:])

	var acc secp256k1.Jacobian
	straussVartime(&acc, n, &nafS1, &nafS2, &nafE1, &nafE2, generatorOdd(), t1[:], t2[:], &gz)
	if acc.IsInfinity() {
		return false
	}

	// x first: a wrong signature fails before the inversion.
	secp256k1.Sqr(&t, &acc.Z)
	secp256k1.Mul(&x, &x, &t)
	if !x.Equal(&acc.X) {
		return false
	}
	secp256k1.Mul(&t, &t, &acc.Z)
	secp256k1.InvertVartime(&t, &t)
	secp256k1.Mul(&t, &t, &acc.Y)
	return !t.IsOdd()
}

// straussVartime sets acc = s1·G + s2·λG + e1·P + e2·λP for the integers that the
// first n digits stand for: all four run through one chain of doublings
// (Strauss). g holds odd multiples of G; p1 and p2 those of P and λP over the
// common Z gz, as oddMultiples leaves them. The points may lie on any curve
// y² = x³ + b that has no point of order two among them. Public data only.
func straussVartime(acc *secp256k1.Jacobian, n int, nafS1, nafS2, nafE1, nafE2 *[nafDigits]int16, g, p1, p2 []secp256k1.Affine, gz *secp256k1.Element) {
	var q secp256k1.Affine
	acc.SetInfinity()
	doublings := 0
	for i := n - 1; i >= 0; i-- {
		doublings++
		if i > 0 && nafE1[i]|nafE2[i]|nafS1[i]|nafS2[i] == 0 {
			continue
		}
		secp256k1.DoubleN(acc, acc, doublings)
		doublings = 0
		if d := nafE1[i]; d != 0 {
			entryVartime(&q, p1, d)
			secp256k1.AddMixedVartime(acc, acc, &q)
		}
		if d := nafE2[i]; d != 0 {
			entryVartime(&q, p2, d)
			secp256k1.AddMixedVartime(acc, acc, &q)
		}
		if d := nafS1[i]; d != 0 {
			entryVartime(&q, g, d)
			secp256k1.AddScaledVartime(acc, acc, &q, gz)
		}
		if d := nafS2[i]; d != 0 {
			entryVartime(&q, g, d)
			secp256k1.Mul(&q.X, &q.X, &beta)
			secp256k1.AddScaledVartime(acc, acc, &q, gz)
		}
	}
	secp256k1.Mul(&acc.Z, &acc.Z, gz)
}

// entryVartime sets q to d times the point of the table of odd multiples.
func entryVartime(q *secp256k1.Affine, table []secp256k1.Affine, d int16) {
	if d > 0 {
		*q = table[d>>1]
		return
	}
	secp256k1.NegAffine(q, &table[-d>>1], 1)
}

//go:noinline
func wipe(w []uint8) { clear(w) }
