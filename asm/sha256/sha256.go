// Package sha256 builds the functions of kernels/sha256.
package sha256

import (
	"math"
	"math/big"

	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/emit"
)

// AMD64 builds the functions for amd64.
func AMD64(g *emit.Generator) {
	x := NewSHANI(g)
	x.blocks()
	x.pair()
	x.hmac()
	blocksAVX2(g, x.k, x.swap)
	blocks16AVX512(g, x.k, x.swap)
}

// ARM64 builds the functions for arm64.
func ARM64(g *emit.ARM64) {
	k := roundConstants(g)
	blocksSHA2(g, k)
	blocks2SHA2(g, k)
	pairSHA2(g, k)
	blocksNEON(g, k)
}

// What the routines that hash one stream take, and do.
const (
	signature = "func(h *[8]uint32, p []byte)"
	contract  = ` hashes the whole blocks of p, in order, onto h: FIPS 180-4, section
6.2.2. Bytes of p after the last whole block are not read. Constant time.`
)

// roundConstants are FIPS 180-4, section 4.2.2: the first 32 bits of the fractions
// of the cube roots of the first 64 primes.
func roundConstants(g emit.Data) operand.Mem {
	var words []uint32
	for p := int64(2); len(words) < 64; p++ {
		if !big.NewInt(p).ProbablyPrime(0) {
			continue
		}
		// ⌊∛p · 2³²⌋ = ⌊∛(p · 2⁹⁶)⌋, from a first guess by Newton's method.
		scaled := new(big.Int).Lsh(big.NewInt(p), 96)
		root := new(big.Int).SetUint64(uint64(math.Cbrt(float64(p)) * (1 << 32)))
		one := big.NewInt(1)
		cube := func(r *big.Int) *big.Int { return new(big.Int).Exp(r, big.NewInt(3), nil) }
		for cube(root).Cmp(scaled) > 0 {
			root.Sub(root, one)
		}
		for cube(new(big.Int).Add(root, one)).Cmp(scaled) <= 0 {
			root.Add(root, one)
		}
		words = append(words, uint32(root.Uint64()))
	}
	return emit.Words(g, "k", words...)
}

// byteSwap is the shuffle that reverses the bytes of each word.
func byteSwap(g *emit.Generator) operand.Mem {
	return emit.Bytes(g, "swap", 16, func(i int) byte { return byte(i ^ 3) })
}
