// Package base64 is the base64 of RFC 4648, section 4, by the best means that
// the processor has, and strict: a value has one text, and every other text is
// refused. It carries no compatibility promise.
//
// Lengths are in bytes and characters. What is encoded is taken as public (it
// is ciphertext): no tier promises constant time.
package base64

import (
	"errors"
	"slices"

	"github.com/sealwright/sealwright/fallback/base64"
	"github.com/sealwright/sealwright/internal/alias"
)

// ErrEncoding is the error of AppendDecode: the text is not what Encode makes.
var ErrEncoding = errors.New("base64: not canonical base64")

// EncodedLen returns the number of characters that encode n bytes. It is
// meant for n up to three quarters of the largest int; above, it overflows.
func EncodedLen(n int) int { return base64.EncodedLen(n) }

// DecodedLen returns the number of bytes that src encodes, from its length and
// its padding alone; false when no text of this length is valid.
func DecodedLen(src []byte) (n int, ok bool) { return base64.DecodedLen(src) }

// Encode writes the EncodedLen(len(src)) characters of src to dst. It panics
// when dst is shorter, or when what it would write overlaps src.
func Encode(dst, src []byte) {
	n := EncodedLen(len(src))
	if len(dst) < n {
		panic("base64: output too short")
	}
	dst = dst[:n]
	if alias.AnyOverlap(dst, src) {
		panic("base64: invalid buffer overlap")
	}
	encode(dst, src)
}

// AppendEncode appends the characters of src to dst, which must not share
// memory with src up to its capacity, and returns the longer slice.
func AppendEncode(dst, src []byte) []byte {
	n := EncodedLen(len(src))
	dst = slices.Grow(dst, n)
	Encode(dst[len(dst):][:n], src)
	return dst[:len(dst)+n]
}

// Decode writes the n bytes that src encodes to dst. It panics when dst is
// shorter than DecodedLen(src), or when what it would write overlaps src.
//
// It reports false for every text that Encode does not make: a length that is
// no multiple of four, a character outside the standard alphabet (line breaks,
// spaces, '-' and '_' among them), '=' anywhere but at the end, or a bit set
// that encodes nothing. n is then 0, and the DecodedLen(src) first bytes of
// dst are undefined.
func Decode(dst, src []byte) (n int, ok bool) {
	n, ok = DecodedLen(src)
	if !ok {
		return 0, false
	}
	if len(dst) < n {
		panic("base64: output too short")
	}
	dst = dst[:n]
	if alias.AnyOverlap(dst, src) {
		panic("base64: invalid buffer overlap")
	}
	if !decode(dst, src) {
		return 0, false
	}
	return n, true
}

// AppendDecode appends the bytes that src encodes to dst, which must not share
// memory with src up to its capacity, and returns the longer slice. The error
// is ErrEncoding, and the slice then dst; Decode tells which texts it meets.
func AppendDecode(dst, src []byte) ([]byte, error) {
	n, ok := DecodedLen(src)
	if !ok {
		return dst, ErrEncoding
	}
	grown := slices.Grow(dst, n)
	if _, ok := Decode(grown[len(dst):][:n], src); !ok {
		return dst, ErrEncoding
	}
	return grown[:len(dst)+n], nil
}
