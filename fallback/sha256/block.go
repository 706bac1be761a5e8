package sha256

import (
	"encoding/binary"
	"math/bits"
)

// k is FIPS 180-4, section 4.2.2.
var k = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

// Blocks hashes the whole blocks of p, in order, onto h: FIPS 180-4, section
// 6.2.2. Bytes of p after the last whole block are not read.
//
// The eight variables keep their places; their roles turn by one each round.
// Sixteen rounds are written out, which is long enough to do without moves and
// short enough for a processor's cache of decoded instructions.
func Blocks(h *State, p []byte) {
	var w [16]uint32 // the last sixteen words of the message schedule
	for ; len(p) >= BlockSize; p = p[BlockSize:] {
		m := (*[BlockSize]byte)(p)
		a, b, c, d, e, f, g, hh := h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]

		w[0] = binary.BigEndian.Uint32(m[0:])
		d, hh = round(a, b, c, d, e, f, g, hh, k[0]+w[0])
		w[1] = binary.BigEndian.Uint32(m[4:])
		c, g = round(hh, a, b, c, d, e, f, g, k[1]+w[1])
		w[2] = binary.BigEndian.Uint32(m[8:])
		b, f = round(g, hh, a, b, c, d, e, f, k[2]+w[2])
		w[3] = binary.BigEndian.Uint32(m[12:])
		a, e = round(f, g, hh, a, b, c, d, e, k[3]+w[3])
		w[4] = binary.BigEndian.Uint32(m[16:])
		hh, d = round(e, f, g, hh, a, b, c, d, k[4]+w[4])
		w[5] = binary.BigEndian.Uint32(m[20:])
		g, c = round(d, e, f, g, hh, a, b, c, k[5]+w[5])
		w[6] = binary.BigEndian.Uint32(m[24:])
		f, b = round(c, d, e, f, g, hh, a, b, k[6]+w[6])
		w[7] = binary.BigEndian.Uint32(m[28:])
		e, a = round(b, c, d, e, f, g, hh, a, k[7]+w[7])
		w[8] = binary.BigEndian.Uint32(m[32:])
		d, hh = round(a, b, c, d, e, f, g, hh, k[8]+w[8])
		w[9] = binary.BigEndian.Uint32(m[36:])
		c, g = round(hh, a, b, c, d, e, f, g, k[9]+w[9])
		w[10] = binary.BigEndian.Uint32(m[40:])
		b, f = round(g, hh, a, b, c, d, e, f, k[10]+w[10])
		w[11] = binary.BigEndian.Uint32(m[44:])
		a, e = round(f, g, hh, a, b, c, d, e, k[11]+w[11])
		w[12] = binary.BigEndian.Uint32(m[48:])
		hh, d = round(e, f, g, hh, a, b, c, d, k[12]+w[12])
		w[13] = binary.BigEndian.Uint32(m[52:])
		g, c = round(d, e, f, g, hh, a, b, c, k[13]+w[13])
		w[14] = binary.BigEndian.Uint32(m[56:])
		f, b = round(c, d, e, f, g, hh, a, b, k[14]+w[14])
		w[15] = binary.BigEndian.Uint32(m[60:])
		e, a = round(b, c, d, e, f, g, hh, a, k[15]+w[15])

		for i := 16; i < 64; i += 16 {
			k := (*[16]uint32)(k[i:])
			w[0] = schedule(w[0], w[1], w[9], w[14])
			d, hh = round(a, b, c, d, e, f, g, hh, k[0]+w[0])
			w[1] = schedule(w[1], w[2], w[10], w[15])
			c, g = round(hh, a, b, c, d, e, f, g, k[1]+w[1])
			w[2] = schedule(w[2], w[3], w[11], w[0])
			b, f = round(g, hh, a, b, c, d, e, f, k[2]+w[2])
			w[3] = schedule(w[3], w[4], w[12], w[1])
			a, e = round(f, g, hh, a, b, c, d, e, k[3]+w[3])
			w[4] = schedule(w[4], w[5], w[13], w[2])
			hh, d = round(e, f, g, hh, a, b, c, d, k[4]+w[4])
			w[5] = schedule(w[5], w[6], w[14], w[3])
			g, c = round(d, e, f, g, hh, a, b, c, k[5]+w[5])
			w[6] = schedule(w[6], w[7], w[15], w[4])
			f, b = round(c, d, e, f, g, hh, a, b, k[6]+w[6])
			w[7] = schedule(w[7], w[8], w[0], w[5])
			e, a = round(b, c, d, e, f, g, hh, a, k[7]+w[7])
			w[8] = schedule(w[8], w[9], w[1], w[6])
			d, hh = round(a, b, c, d, e, f, g, hh, k[8]+w[8])
			w[9] = schedule(w[9], w[10], w[2], w[7])
			c, g = round(hh, a, b, c, d, e, f, g, k[9]+w[9])
			w[10] = schedule(w[10], w[11], w[3], w[8])
			b, f = round(g, hh, a, b, c, d, e, f, k[10]+w[10])
			w[11] = schedule(w[11], w[12], w[4], w[9])
			a, e = round(f, g, hh, a, b, c, d, e, k[11]+w[11])
			w[12] = schedule(w[12], w[13], w[5], w[10])
			hh, d = round(e, f, g, hh, a, b, c, d, k[12]+w[12])
			w[13] = schedule(w[13], w[14], w[6], w[11])
			g, c = round(d, e, f, g, hh, a, b, c, k[13]+w[13])
			w[14] = schedule(w[14], w[15], w[7], w[12])
			f, b = round(c, d, e, f, g, hh, a, b, k[14]+w[14])
			w[15] = schedule(w[15], w[0], w[8], w[13])
			e, a = round(b, c, d, e, f, g, hh, a, k[15]+w[15])
		}

		h[0] += a
		h[1] += b
		h[2] += c
		h[3] += d
		h[4] += e
		h[5] += f
		h[6] += g
		h[7] += hh
	}
	clear(w[:])
}

// round is one round of FIPS 180-4, section 6.2.2, step 3, with kw = K + W. It
// returns the new e and a, which take the places of d and h.
func round(a, b, c, d, e, f, g, h, kw uint32) (uint32, uint32) {
	h += kw
	h += e&(f^g) ^ g // Ch
	h += bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)
	d += h
	h += (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + ((a^b)&c ^ a&b) // Σ0 + Maj
	return d, h
}

// schedule is the next word from those 16, 15, 7 and 2 before it.
func schedule(w16, w15, w7, w2 uint32) uint32 {
	return w16 + (bits.RotateLeft32(w15, -7) ^ bits.RotateLeft32(w15, -18) ^ w15>>3) + w7 +
		(bits.RotateLeft32(w2, -17) ^ bits.RotateLeft32(w2, -19) ^ w2>>10)
}
