// Package etm does the two halves of encrypt-then-MAC beside each other: while ChaCha20
// encrypts a part of a message, HMAC-SHA-256 takes the part before it, whose rounds wait
// for each other. With AVX-512 and the SHA extensions that takes hardly longer than the
// MAC alone; with the SHA2 instructions of arm64, less than one after the other. It
// carries no compatibility promise.
//
// There is nothing for decryption, which authenticates a message before it decrypts any
// of it.
package etm

import (
	"github.com/sealwright/sealwright/internal/alias"
	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/sha256"
)

// XORKeyStreamWrite is [chacha20.XORKeyStream] with dst, src, key, nonce and counter, and
// mac.Write with p. It gains where src has some hundred bytes and p some whole blocks, and
// most where both are of one length, a few thousand. It panics as XORKeyStream does, and
// when dst shares memory with p. dst is not the memory of mac.
func XORKeyStreamWrite(dst, src []byte, key *[chacha20.KeySize]byte, nonce *[chacha20.NonceSize]byte, counter uint32, mac *sha256.HMAC, p []byte) {
	if len(dst) < len(src) {
		panic("etm: output smaller than input")
	}
	dst = dst[:len(src)]
	if alias.InexactOverlap(dst, src) || alias.AnyOverlap(dst, key[:]) || alias.AnyOverlap(dst, nonce[:]) || alias.AnyOverlap(dst, p) {
		panic("etm: invalid buffer overlap")
	}
	h, blocks := mac.WriteLater(p)
	groups := 0 // of what one pass takes
	if woven() {
		groups = min(len(src)/groupLen, len(blocks)/groupHashed)
	}
	for groups > 0 {
		n := min(groups, maxGroups)
		xorAndHash(&dst[0], &src[0], n*groupLen, key, nonce, counter, (*[8]uint32)(h), &blocks[0])
		dst, src, blocks = dst[n*groupLen:], src[n*groupLen:], blocks[n*groupHashed:]
		counter += uint32(n * groupLen / chacha20.BlockSize)
		groups -= n
	}
	chacha20.XORKeyStream(dst, src, key, nonce, counter)
	mac.Blocks(blocks)
}
