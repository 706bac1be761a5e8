//go:build gc && !purego

package base64

import (
	"github.com/sealwright/sealwright/fallback/base64"
	"github.com/sealwright/sealwright/kernels/cpu"
)

//go:generate go run -C ../../asm . base64 ../kernels/base64

// What the routines of the avx2 tier ask for, and how much one call does at most (see
// cpu.CallCycles).
const (
	minEncode, maxEncode = 30, 48 << 10 // bytes, multiples of three
	minDecode, maxDecode = 32, 64 << 10 // characters, multiples of four
)

// encode writes the base64 of src to dst, which is as long as that.
func encode(dst, src []byte) {
	if cpu.Base64AVX512 || cpu.Base64AVX2 {
		for whole := len(src) / 3 * 3; whole >= minEncode; whole = len(src) / 3 * 3 {
			n := whole
			if n >= maxEncode+minEncode {
				n = maxEncode
			}
			if cpu.Base64AVX512 {
				encodeAVX512(&dst[0], &src[0], n)
			} else {
				encodeAVX2(&dst[0], &src[0], n)
			}
			dst, src = dst[n/3*4:], src[n:]
		}
	}
	base64.Encode(dst, src)
}

// decode writes what src encodes to dst, which is as long as that.
func decode(dst, src []byte) bool {
	if cpu.Base64AVX512 || cpu.Base64AVX2 {
		// The last four characters may hold padding.
		for n := len(src) - 4; n >= minDecode; n = len(src) - 4 {
			if n >= maxDecode+minDecode {
				n = maxDecode
			}
			ok := false
			if cpu.Base64AVX512 {
				ok = decodeAVX512(&dst[0], &src[0], n)
			} else {
				ok = decodeAVX2(&dst[0], &src[0], n)
			}
			if !ok {
				return false
			}
			dst, src = dst[n/4*3:], src[n:]
		}
	}
	_, ok := base64.Decode(dst, src)
	return ok
}
