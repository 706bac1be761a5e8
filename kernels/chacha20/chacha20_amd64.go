//go:build gc && !purego

package chacha20

import (
	"github.com/sealwright/sealwright/fallback/chacha20"
	"github.com/sealwright/sealwright/kernels/cpu"
)

//go:generate go run -C ../../asm . chacha20 ../kernels/chacha20

// maxCall is how many bytes one call of assembly works on at most, in whole blocks
// (see cpu.CallCycles).
const maxCall = 32 << 10

// xor is XORKeyStream for slices of one length.
func xor(dst, src []byte, key *[KeySize]byte, nonce *[NonceSize]byte, counter uint32) {
	// A block alone takes longer in vectors of AVX2 than in general registers.
	if !cpu.ChaCha20AVX512 && (!cpu.ChaCha20AVX2 || len(src) <= BlockSize) {
		chacha20.XORKeyStream(dst, src, key, nonce, counter)
		return
	}
	for len(src) > 0 {
		n := min(len(src), maxCall)
		if cpu.ChaCha20AVX512 {
			xorAVX512(&dst[0], &src[0], n, key, nonce, counter)
		} else {
			xorAVX2(&dst[0], &src[0], n, key, nonce, counter)
		}
		dst, src, counter = dst[n:], src[n:], counter+uint32(n/BlockSize)
	}
}
