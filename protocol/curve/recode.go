package curve

import (
	"math/bits"

	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// A secret scalar becomes windows of b bits of an integer v. Window i, of value
// v_i, stands for the odd digit 2·v_i − (2ᵇ − 1), so that every digit is one of
// ±1, ±3, … ±(2ᵇ − 1) and none is zero. W windows together stand for
//
//	Σ (2·v_i − (2ᵇ − 1))·2ᵇⁱ = 2v − (2ᵇᵂ − 1).
const (
	halfBits    = 5
	halfWindows = 26                  // of one half of a split scalar: 130 bits
	halfEntries = 1 << (halfBits - 1) // 1, 3, … 31

	baseBits    = 6
	baseWindows = 43 // of a whole scalar: 258 bits
)

// window returns the sign, 1 for negative, and the index in a table of odd
// multiples of the digit that value v of a window of that many bits stands for.
func window(v uint64, bits uint) (index, neg uint64) {
	neg = 1 ^ v>>(bits-1)
	return (v ^ -neg) & (1<<(bits-1) - 1), neg
}

// windows writes the windows of v, each of that many bits, the lowest first.
func windows(w []uint8, v *secp256k1.Scalar, bits uint) {
	for i := range w {
		bit := uint(i) * bits
		limb, shift := bit/64, bit%64
		if limb > 3 {
			w[i] = 0
			continue
		}
		x := v[limb] >> shift
		if shift > 64-bits && limb < 3 {
			x |= v[limb+1] << (64 - shift)
		}
		w[i] = uint8(x & (1<<bits - 1))
	}
}

// recodeBase writes the windows that stand for 2k modulo n: the base table
// holds multiples of G/2. v = k + (2²⁵⁸ − 1)/2. Constant time.
func recodeBase(w *[baseWindows]uint8, k *secp256k1.Scalar) {
	var v secp256k1.Scalar
	secp256k1.ScalarAdd(&v, k, &baseOffset)
	windows(w[:], &v, baseBits)
	v.Zero()
}

// recodeHalves writes the windows of two integers d1 and d2 with
// d1 + d2·λ ≡ k modulo n. Constant time.
//
// With s = (k + (2¹³⁰ − 2¹²⁹ − 1)·(1 + λ))/2 split into s1 + s2·λ, the windows
// are those of s + 2¹²⁸, which lies in 1…2¹²⁹ − 1 by the bound of split:
// 2(s1 + 2¹²⁸) − (2¹³⁰ − 1) + (2(s2 + 2¹²⁸) − (2¹³⁰ − 1))·λ ≡ k.
func recodeHalves(w1, w2 *[halfWindows]uint8, k *secp256k1.Scalar) {
	var s, s1, s2 secp256k1.Scalar
	secp256k1.ScalarAdd(&s, k, &halvesOffset)
	secp256k1.ScalarHalf(&s, &s)
	split(&s1, &s2, &s)
	secp256k1.ScalarAdd(&s1, &s1, &two128)
	secp256k1.ScalarAdd(&s2, &s2, &two128)
	windows(w1[:], &s1, halfBits)
	windows(w2[:], &s2, halfBits)
	s.Zero()
	s1.Zero()
	s2.Zero()
}

var (
	// (2²⁵⁸ − 1)/2 modulo n.
	baseOffset = secp256k1.Scalar{0x6044722cc7ae9e1e, 0xe7f9b4a5f9130fa6, 0x0000000000000001, 0x8000000000000000}
	// (2¹³⁰ − 2¹²⁹ − 1)·(1 + λ) modulo n.
	halvesOffset = secp256k1.Scalar{0xb5c2c1dcde9798d9, 0x589ae84826ba29e4, 0xc2bdd6bf7c118d6b, 0xa4e88a7dcb13034e}
	two128       = secp256k1.Scalar{0, 0, 1}
)

// nafDigits is room for the wNAF of an integer below 2¹²⁸.
const nafDigits = 129

// wnafVartime writes the width-w NAF of ±k, k < 2¹²⁸, the lowest digit first,
// and returns the number of digits: Σ nafᵢ·2ⁱ, each digit zero or odd and of
// size below 2^(w−1), any two that are not zero at least w places apart.
func wnafVartime(naf *[nafDigits]int16, k *secp256k1.Scalar, w uint, neg bool) int {
	*naf = [nafDigits]int16{}
	n := 0
	carry := uint64(0)
	for i := uint(0); i < nafDigits; {
		limb, shift := i/64, i%64
		x := k[limb]>>shift | k[limb+1]<<(64-shift)
		// The digits are zero up to the first bit that differs from the carry.
		zeros := uint(bits.TrailingZeros64(x ^ -carry))
		i += zeros
		if zeros > 64-w {
			continue
		}
		x >>= zeros
		x = x&(1<<w-1) + carry
		carry = x >> (w - 1) & 1
		d := int16(x) - int16(carry<<w)
		if neg {
			d = -d
		}
		naf[i] = d
		n = int(i) + 1
		i += w
	}
	return n
}

// splitSignedVartime is split with the halves below 2¹²⁸ and their signs.
func splitSignedVartime(k1, k2, k *secp256k1.Scalar) (neg1, neg2 bool) {
	split(k1, k2, k)
	if neg1 = k1.IsHigh(); neg1 {
		secp256k1.ScalarNeg(k1, k1)
	}
	if neg2 = k2.IsHigh(); neg2 {
		secp256k1.ScalarNeg(k2, k2)
	}
	return neg1, neg2
}
