//go:build gc && !purego

package chacha20

import (
	"github.com/sealwright/sealwright/fallback/chacha20"
	"github.com/sealwright/sealwright/kernels/cpu"
)

// maxCall is how many bytes one call of assembly works on at most, in whole blocks
// (see cpu.CallCycles).
const maxCall = 8 << 10

// xor is XORKeyStream for slices of one length.
func xor(dst, src []byte, key *[KeySize]byte, nonce *[NonceSize]byte, counter uint32) {
	if !cpu.ChaCha20NEON {
		chacha20.XORKeyStream(dst, src, key, nonce, counter)
		return
	}
	for len(src) > 0 {
		n := min(len(src), maxCall)
		xorNEON(&dst[0], &src[0], n, key, nonce, counter)
		dst, src, counter = dst[n:], src[n:], counter+uint32(n/BlockSize)
	}
}
