// Package chacha20 is the ChaCha20 stream cipher of RFC 8439, section 2.4, in
// portable Go: the reference that the assembly of kernels/chacha20 is held
// against. It carries no compatibility promise.
//
// Lengths are in bytes, the counter in blocks of 64 bytes. Time depends on the
// length alone.
package chacha20

import (
	"encoding/binary"
	"math/bits"
)

// Sizes in bytes.
const (
	KeySize   = 32
	NonceSize = 12
	BlockSize = 64
)

// The four words "expand 32-byte k", RFC 8439, section 2.3.
const (
	c0 uint32 = 0x61707865
	c1 uint32 = 0x3320646e
	c2 uint32 = 0x79622d32
	c3 uint32 = 0x6b206574
)

// quarterRound is RFC 8439, section 2.1.
func quarterRound(a, b, c, d uint32) (uint32, uint32, uint32, uint32) {
	a += b
	d = bits.RotateLeft32(d^a, 16)
	c += d
	b = bits.RotateLeft32(b^c, 12)
	a += b
	d = bits.RotateLeft32(d^a, 8)
	c += d
	b = bits.RotateLeft32(b^c, 7)
	return a, b, c, d
}

// XORKeyStream sets dst[i] = src[i] ^ keystream[i] for every byte of src, with
// a keystream that begins at block counter. dst is at least as long as src,
// and is the same memory or disjoint; what lies beyond len(src) is untouched.
//
// The counter has 32 bits and wraps from 2^32-1 to 0, where the keystream
// repeats: callers keep counter + ⌈len(src)/64⌉ at or below 2^32.
func XORKeyStream(dst, src []byte, key *[KeySize]byte, nonce *[NonceSize]byte, counter uint32) {
	dst = dst[:len(src)]
	for len(src) >= BlockSize {
		xorBlock((*[BlockSize]byte)(dst), (*[BlockSize]byte)(src), key, nonce, counter)
		counter++
		dst, src = dst[BlockSize:], src[BlockSize:]
	}
	if len(src) > 0 {
		var block [BlockSize]byte
		copy(block[:], src)
		xorBlock(&block, &block, key, nonce, counter)
		copy(dst, block[:])
		clear(block[:])
	}
}

// xorBlock is XORKeyStream for one block.
func xorBlock(dst, src *[BlockSize]byte, key *[KeySize]byte, nonce *[NonceSize]byte, counter uint32) {
	k0 := binary.LittleEndian.Uint32(key[0:])
	k1 := binary.LittleEndian.Uint32(key[4:])
	k2 := binary.LittleEndian.Uint32(key[8:])
	k3 := binary.LittleEndian.Uint32(key[12:])
	k4 := binary.LittleEndian.Uint32(key[16:])
	k5 := binary.LittleEndian.Uint32(key[20:])
	k6 := binary.LittleEndian.Uint32(key[24:])
	k7 := binary.LittleEndian.Uint32(key[28:])
	n0 := binary.LittleEndian.Uint32(nonce[0:])
	n1 := binary.LittleEndian.Uint32(nonce[4:])
	n2 := binary.LittleEndian.Uint32(nonce[8:])

	x0, x1, x2, x3 := c0, c1, c2, c3
	x4, x5, x6, x7 := k0, k1, k2, k3
	x8, x9, x10, x11 := k4, k5, k6, k7
	x12, x13, x14, x15 := counter, n0, n1, n2
	for range 10 {
		x0, x4, x8, x12 = quarterRound(x0, x4, x8, x12)
		x1, x5, x9, x13 = quarterRound(x1, x5, x9, x13)
		x2, x6, x10, x14 = quarterRound(x2, x6, x10, x14)
		x3, x7, x11, x15 = quarterRound(x3, x7, x11, x15)

		x0, x5, x10, x15 = quarterRound(x0, x5, x10, x15)
		x1, x6, x11, x12 = quarterRound(x1, x6, x11, x12)
		x2, x7, x8, x13 = quarterRound(x2, x7, x8, x13)
		x3, x4, x9, x14 = quarterRound(x3, x4, x9, x14)
	}

	xor8(dst[0:8], src[0:8], x0+c0, x1+c1)
	xor8(dst[8:16], src[8:16], x2+c2, x3+c3)
	xor8(dst[16:24], src[16:24], x4+k0, x5+k1)
	xor8(dst[24:32], src[24:32], x6+k2, x7+k3)
	xor8(dst[32:40], src[32:40], x8+k4, x9+k5)
	xor8(dst[40:48], src[40:48], x10+k6, x11+k7)
	xor8(dst[48:56], src[48:56], x12+counter, x13+n0)
	xor8(dst[56:64], src[56:64], x14+n1, x15+n2)
}

// xor8 sets eight bytes of dst to those of src XOR two words.
func xor8(dst, src []byte, low, high uint32) {
	word := uint64(low) | uint64(high)<<32
	binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(src)^word)
}
