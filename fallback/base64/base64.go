// Package base64 is the base64 of RFC 4648, section 4, in portable Go, and
// strict: one text for one value. It is the reference that kernels/base64 is
// held against, and carries no compatibility promise.
//
// Lengths are in bytes and characters. What is encoded is taken as public:
// time depends on it.
package base64

import "encoding/binary"

// alphabet is RFC 4648, table 1.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// valid marks, in values, the characters of the alphabet. It lies above the 24
// bits of four values, so that decode4 keeps the marks of its four characters
// apart, in the bits of allValid.
const (
	valid    = 1 << 24
	allValid = valid<<18 | valid<<12 | valid<<6 | valid
)

// values maps a character to valid plus its six bits, or to 0.
var values = [256]uint32{
	'A': valid + 0, 'B': valid + 1, 'C': valid + 2, 'D': valid + 3, 'E': valid + 4, 'F': valid + 5, 'G': valid + 6, 'H': valid + 7,
	'I': valid + 8, 'J': valid + 9, 'K': valid + 10, 'L': valid + 11, 'M': valid + 12, 'N': valid + 13, 'O': valid + 14, 'P': valid + 15,
	'Q': valid + 16, 'R': valid + 17, 'S': valid + 18, 'T': valid + 19, 'U': valid + 20, 'V': valid + 21, 'W': valid + 22, 'X': valid + 23,
	'Y': valid + 24, 'Z': valid + 25, 'a': valid + 26, 'b': valid + 27, 'c': valid + 28, 'd': valid + 29, 'e': valid + 30, 'f': valid + 31,
	'g': valid + 32, 'h': valid + 33, 'i': valid + 34, 'j': valid + 35, 'k': valid + 36, 'l': valid + 37, 'm': valid + 38, 'n': valid + 39,
	'o': valid + 40, 'p': valid + 41, 'q': valid + 42, 'r': valid + 43, 's': valid + 44, 't': valid + 45, 'u': valid + 46, 'v': valid + 47,
	'w': valid + 48, 'x': valid + 49, 'y': valid + 50, 'z': valid + 51, '0': valid + 52, '1': valid + 53, '2': valid + 54, '3': valid + 55,
	'4': valid + 56, '5': valid + 57, '6': valid + 58, '7': valid + 59, '8': valid + 60, '9': valid + 61, '+': valid + 62, '/': valid + 63,
}

// EncodedLen returns the number of characters that encode n bytes. It is
// meant for n up to three quarters of the largest int; above, it overflows.
func EncodedLen(n int) int {
	return (n/3 + (n%3+2)/3) * 4
}

// DecodedLen returns the number of bytes that src encodes, from its length and
// its padding alone; false when no text of this length and padding is valid.
func DecodedLen(src []byte) (n int, ok bool) {
	if len(src)%4 != 0 {
		return 0, false
	}
	n = len(src) / 4 * 3
	if n > 0 && src[len(src)-1] == '=' {
		n--
		if src[len(src)-2] == '=' {
			n--
		}
	}
	return n, true
}

// Encode writes the EncodedLen(len(src)) characters of src to dst, which is at
// least as long and disjoint from src.
func Encode(dst, src []byte) {
	dst = dst[:EncodedLen(len(src))]
	// Six bytes a step, of the eight that one load takes.
	for len(src) >= 8 {
		v := binary.BigEndian.Uint64(src)
		d := (*[8]byte)(dst)
		d[0] = alphabet[v>>58]
		d[1] = alphabet[v>>52&63]
		d[2] = alphabet[v>>46&63]
		d[3] = alphabet[v>>40&63]
		d[4] = alphabet[v>>34&63]
		d[5] = alphabet[v>>28&63]
		d[6] = alphabet[v>>22&63]
		d[7] = alphabet[v>>16&63]
		dst, src = dst[8:], src[6:]
	}
	for len(src) >= 3 {
		v := uint32(src[0])<<16 | uint32(src[1])<<8 | uint32(src[2])
		encode4((*[4]byte)(dst), v)
		dst, src = dst[4:], src[3:]
	}
	switch len(src) {
	case 1:
		encode4((*[4]byte)(dst), uint32(src[0])<<16)
		dst[2], dst[3] = '=', '='
	case 2:
		encode4((*[4]byte)(dst), uint32(src[0])<<16|uint32(src[1])<<8)
		dst[3] = '='
	}
}

// encode4 writes the four characters of the 24 bits of v.
func encode4(dst *[4]byte, v uint32) {
	dst[0] = alphabet[v>>18&63]
	dst[1] = alphabet[v>>12&63]
	dst[2] = alphabet[v>>6&63]
	dst[3] = alphabet[v&63]
}

// Decode writes the n bytes that src encodes to dst, which is at least
// DecodedLen(src) long and disjoint from src. It reports false for a text that
// is not what Encode makes: a length that is no multiple of four, a character
// outside the alphabet (a line break, a space, '-' and '_' among them), '='
// anywhere but at the end, or a bit set that encodes nothing. n is then 0, and
// the bytes of dst that would have been written are undefined.
func Decode(dst, src []byte) (n int, ok bool) {
	n, ok = DecodedLen(src)
	if !ok {
		return 0, false
	}
	dst = dst[:n]
	marks := uint64(allValid)
	// Eight characters a step, of whose eight bytes the last two are written
	// over by what follows.
	for len(dst) >= 8 && len(src) >= 8 {
		x, y := decode4((*[4]byte)(src)), decode4((*[4]byte)(src[4:]))
		marks &= x & y
		binary.BigEndian.PutUint64(dst, x<<40|y<<16&(1<<40-1))
		dst, src = dst[6:], src[8:]
	}
	for len(dst) >= 3 {
		x := decode4((*[4]byte)(src))
		marks &= x
		dst[0], dst[1], dst[2] = uint8(x>>16), uint8(x>>8), uint8(x)
		dst, src = dst[3:], src[4:]
	}
	spare := uint64(0) // bits that encode nothing
	switch len(dst) {
	case 1:
		x := decode4(&[4]byte{src[0], src[1], 'A', 'A'})
		marks &= x
		spare = x & 0xffff
		dst[0] = uint8(x >> 16)
	case 2:
		x := decode4(&[4]byte{src[0], src[1], src[2], 'A'})
		marks &= x
		spare = x & 0xff
		dst[0], dst[1] = uint8(x>>16), uint8(x>>8)
	}
	if marks != allValid || spare != 0 {
		return 0, false
	}
	return n, true
}

// decode4 returns the 24 bits of four characters, and above them their marks.
func decode4(s *[4]byte) uint64 {
	return uint64(values[s[0]])<<18 | uint64(values[s[1]])<<12 | uint64(values[s[2]])<<6 | uint64(values[s[3]])
}
