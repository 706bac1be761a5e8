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
	whole := len(src) &^ (BlockSize - 1)
	xorBlocks(dst[:whole], src[:whole], key, nonce, counter)
	if rest := src[whole:]; len(rest) > 0 {
		var block [BlockSize]byte
		copy(block[:], rest)
		xorBlocks(block[:], block[:], key, nonce, counter+uint32(whole/BlockSize))
		copy(dst[whole:len(src)], block[:])
		clear(block[:])
	}
}

// xorBlocks is XORKeyStream for whole blocks, dst as long as src. The state is
// sixteen local variables, so that most of it stays in registers.
func xorBlocks(dst, src []byte, key *[KeySize]byte, nonce *[NonceSize]byte, counter uint32) {
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

	// Columns 1 to 3 of the first round do not depend on the counter.
	p1, p5, p9, p13 := quarterRound(c1, k1, k5, n0)
	p2, p6, p10, p14 := quarterRound(c2, k2, k6, n1)
	p3, p7, p11, p15 := quarterRound(c3, k3, k7, n2)

	for len(src) >= BlockSize && len(dst) >= BlockSize {
		x0, x4, x8, x12 := quarterRound(c0, k0, k4, counter)
		x0, x5, x10, x15 := quarterRound(x0, p5, p10, p15)
		x1, x6, x11, x12 := quarterRound(p1, p6, p11, x12)
		x2, x7, x8, x13 := quarterRound(p2, p7, x8, p13)
		x3, x4, x9, x14 := quarterRound(p3, x4, p9, p14)

		// A double round, RFC 8439, section 2.3: four quarter rounds step by
		// step beside each other on the columns, then on the diagonals.
		for range 9 {
			x0 += x4
			x12 = bits.RotateLeft32(x12^x0, 16)
			x1 += x5
			x13 = bits.RotateLeft32(x13^x1, 16)
			x2 += x6
			x14 = bits.RotateLeft32(x14^x2, 16)
			x3 += x7
			x15 = bits.RotateLeft32(x15^x3, 16)
			x8 += x12
			x4 = bits.RotateLeft32(x4^x8, 12)
			x9 += x13
			x5 = bits.RotateLeft32(x5^x9, 12)
			x10 += x14
			x6 = bits.RotateLeft32(x6^x10, 12)
			x11 += x15
			x7 = bits.RotateLeft32(x7^x11, 12)
			x0 += x4
			x12 = bits.RotateLeft32(x12^x0, 8)
			x1 += x5
			x13 = bits.RotateLeft32(x13^x1, 8)
			x2 += x6
			x14 = bits.RotateLeft32(x14^x2, 8)
			x3 += x7
			x15 = bits.RotateLeft32(x15^x3, 8)
			x8 += x12
			x4 = bits.RotateLeft32(x4^x8, 7)
			x9 += x13
			x5 = bits.RotateLeft32(x5^x9, 7)
			x10 += x14
			x6 = bits.RotateLeft32(x6^x10, 7)
			x11 += x15
			x7 = bits.RotateLeft32(x7^x11, 7)

			x0 += x5
			x15 = bits.RotateLeft32(x15^x0, 16)
			x1 += x6
			x12 = bits.RotateLeft32(x12^x1, 16)
			x2 += x7
			x13 = bits.RotateLeft32(x13^x2, 16)
			x3 += x4
			x14 = bits.RotateLeft32(x14^x3, 16)
			x10 += x15
			x5 = bits.RotateLeft32(x5^x10, 12)
			x11 += x12
			x6 = bits.RotateLeft32(x6^x11, 12)
			x8 += x13
			x7 = bits.RotateLeft32(x7^x8, 12)
			x9 += x14
			x4 = bits.RotateLeft32(x4^x9, 12)
			x0 += x5
			x15 = bits.RotateLeft32(x15^x0, 8)
			x1 += x6
			x12 = bits.RotateLeft32(x12^x1, 8)
			x2 += x7
			x13 = bits.RotateLeft32(x13^x2, 8)
			x3 += x4
			x14 = bits.RotateLeft32(x14^x3, 8)
			x10 += x15
			x5 = bits.RotateLeft32(x5^x10, 7)
			x11 += x12
			x6 = bits.RotateLeft32(x6^x11, 7)
			x8 += x13
			x7 = bits.RotateLeft32(x7^x8, 7)
			x9 += x14
			x4 = bits.RotateLeft32(x4^x9, 7)
		}

		d, s := dst[:BlockSize], src[:BlockSize]
		xor8(d[0:8], s[0:8], x0+c0, x1+c1)
		xor8(d[8:16], s[8:16], x2+c2, x3+c3)
		xor8(d[16:24], s[16:24], x4+k0, x5+k1)
		xor8(d[24:32], s[24:32], x6+k2, x7+k3)
		xor8(d[32:40], s[32:40], x8+k4, x9+k5)
		xor8(d[40:48], s[40:48], x10+k6, x11+k7)
		xor8(d[48:56], s[48:56], x12+counter, x13+n0)
		xor8(d[56:64], s[56:64], x14+n1, x15+n2)
		counter++
		dst, src = dst[BlockSize:], src[BlockSize:]
	}
}

// xor8 sets eight bytes of dst to those of src XOR two words.
func xor8(dst, src []byte, low, high uint32) {
	word := uint64(low) | uint64(high)<<32
	binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(src)^word)
}
