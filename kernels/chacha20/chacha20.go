// Package chacha20 is the ChaCha20 stream cipher of RFC 8439, section 2.4, by
// the best means that the processor has. It holds no state: the caller owns
// key, nonce and counter. It carries no compatibility promise.
//
// Lengths are in bytes, the counter in blocks of 64 bytes. Every tier takes
// time that depends on the length alone.
package chacha20

import (
	"github.com/sealwright/sealwright/fallback/chacha20"
	"github.com/sealwright/sealwright/internal/alias"
)

// Sizes in bytes.
const (
	KeySize   = chacha20.KeySize
	NonceSize = chacha20.NonceSize
	BlockSize = chacha20.BlockSize
)

// XORKeyStream sets dst[i] = src[i] ^ keystream[i] for every byte of src, with
// a keystream that begins at block counter. It panics when dst is shorter than
// src, overlaps it without being the same memory, or shares memory with key or
// nonce, which are read again while dst is written; what lies beyond len(src) is
// untouched, and may be shared. A nil key or nonce panics, for an empty src too.
//
// The counter has 32 bits and wraps from 2^32-1 to 0, where the keystream
// repeats: callers keep counter + ⌈len(src)/64⌉ at or below 2^32.
func XORKeyStream(dst, src []byte, key *[KeySize]byte, nonce *[NonceSize]byte, counter uint32) {
	if len(dst) < len(src) {
		panic("chacha20: output smaller than input")
	}
	dst = dst[:len(src)]
	if alias.InexactOverlap(dst, src) || alias.AnyOverlap(dst, key[:]) || alias.AnyOverlap(dst, nonce[:]) {
		panic("chacha20: invalid buffer overlap")
	}
	xor(dst, src, key, nonce, counter)
}
