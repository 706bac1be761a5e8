// Package fuzzkit serves the fuzz targets of this module: it cuts the bytes of
// one input into the values that a target needs, runs a comparison under every
// tier of the kernels, measures allocation, and collects seeds.
//
// Every target takes one []byte, the form that libFuzzer and so OSS-Fuzz know.
package fuzzkit

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
)

// Input hands out the bytes of one fuzzing input from the front. Behind the end
// come zeros, so that every input is a whole one.
type Input struct{ data []byte }

// New begins an input. What Input returns shares memory with data where it
// says so.
func New(data []byte) *Input { return &Input{data} }

// Byte returns the next byte.
func (in *Input) Byte() byte {
	if len(in.data) == 0 {
		return 0
	}
	c := in.data[0]
	in.data = in.data[1:]
	return c
}

// Bool returns the lowest bit of the next byte.
func (in *Input) Bool() bool { return in.Byte()&1 != 0 }

// Uint16 returns the next two bytes, little-endian.
func (in *Input) Uint16() uint16 { return uint16(in.Byte()) | uint16(in.Byte())<<8 }

// Uint32 returns the next four bytes, little-endian.
func (in *Input) Uint32() uint32 { return uint32(in.Uint16()) | uint32(in.Uint16())<<16 }

// Uint64 returns the next eight bytes, little-endian.
func (in *Input) Uint64() uint64 { return uint64(in.Uint32()) | uint64(in.Uint32())<<32 }

// Array returns the next 32 bytes.
func (in *Input) Array() (b [32]byte) {
	in.data = in.data[copy(b[:], in.data):]
	return b
}

// Take returns the next n bytes, or what is left of them. They share memory
// with the input.
func (in *Input) Take(n int) []byte {
	n = min(n, len(in.data))
	b := in.data[:n:n]
	in.data = in.data[n:]
	return b
}

// Rest returns all that is left. It shares memory with the input.
func (in *Input) Rest() []byte { return in.Take(len(in.data)) }

// Stretched returns all that is left, or, every fourth time, that repeated up to
// a length below 2¹⁷ bytes, which no fuzzer would write out.
func (in *Input) Stretched() []byte {
	if in.Byte() < 192 {
		return in.Rest()
	}
	n := int(in.Uint16()) | int(in.Byte()&1)<<16
	p := in.Rest()
	if len(p) == 0 {
		p = []byte{0}
	}
	return bytes.Repeat(p, n/len(p)+1)[:n]
}

// Text returns the next n bytes as valid UTF-8: what is not becomes U+FFFD.
func (in *Input) Text(n int) string { return strings.ToValidUTF8(string(in.Take(n)), "\ufffd") }

// edges are the integers at which arithmetic modulo p and n goes wrong, four
// limbs each, the least significant first.
var edges = [16][4]uint64{
	{},
	{1},
	{0xfffffffefffffc2f, ones, ones, ones}, // p
	{0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, ones}, // n
	{ones, ones, ones, ones},                    // 2²⁵⁶ − 1
	{0x1000003d1},                               // 2²⁵⁶ − p
	{0x402da1732fc9bebf, 0x4551231950b75fc4, 1}, // 2²⁵⁶ − n
	{0xdfe92f46681b20a0, 0x5d576e7357a4501d, ones, 0x7fffffffffffffff}, // (n − 1)/2
	{0xffffffff7ffffe17, ones, ones, 0x7fffffffffffffff},               // (p − 1)/2
	{0, 0, 1},          // 2¹²⁸
	{0, 0, 0, 1 << 63}, // 2²⁵⁵
	{0xdf02967c1b23bd72, 0x122e22ea20816678, 0xa5261c028812645a, 0x5363ad4cc05c30e0}, // λ
	{0xc1396c28719501ee, 0x9cf0497512f58995, 0x6e64479eac3434e9, 0x7ae96a2b657c0710}, // β
	{0x402da1722fc9baee, 0x4551231950b75fc4, 1},                                      // p − n
	{0, 1},       // 2⁶⁴
	{0, 0, 0, 1}, // 2¹⁹²
}

const ones = ^uint64(0)

// Limbs returns an integer below 2²⁵⁶ as four limbs, the least significant
// first. Half of all inputs give one near an edge of the field or the group, or
// with limbs of zeros or ones; the other half is spelt out, big-endian.
func (in *Input) Limbs() (l [4]uint64) {
	switch form := in.Byte(); form >> 6 {
	case 0: // an edge, or up to 64 or a power of two beside it
		l = edges[form&0x0f]
		delta := [...]int64{0, 1, -1, 0}[form>>4]
		if form>>4 == 3 {
			switch c := in.Byte(); c >> 6 {
			case 2:
				delta = 1 << min(c&63, 62)
			case 3:
				delta = -1 << (c & 63)
			default:
				delta = int64(c) - 64
			}
		}
		add(&l, delta)
	case 1: // each limb for itself
		for i := range l {
			switch c := in.Byte(); c & 3 {
			case 1:
				l[i] = ones - uint64(c>>2)
			case 2:
				l[i] = 1 << (c >> 2)
			case 3:
				l[i] = in.Uint64()
			}
		}
	default:
		b := in.Array()
		l = LimbsOf(b)
	}
	return l
}

// add sets l to l + delta modulo 2²⁵⁶.
func add(l *[4]uint64, delta int64) {
	high := uint64(delta >> 63)
	var carry uint64
	l[0], carry = bits.Add64(l[0], uint64(delta), 0)
	for i := 1; i < len(l); i++ {
		l[i], carry = bits.Add64(l[i], high, carry)
	}
}

// Integer is [Input.Limbs] in 32 bytes, big-endian.
func (in *Input) Integer() [32]byte { return BytesOf(in.Limbs()) }

// BytesOf returns limbs as 32 bytes, big-endian.
func BytesOf(l [4]uint64) (b [32]byte) {
	for i, limb := range l {
		binary.BigEndian.PutUint64(b[24-8*i:], limb)
	}
	return b
}

// LimbsOf returns 32 bytes, big-endian, as limbs.
func LimbsOf(b [32]byte) (l [4]uint64) {
	for i := range l {
		l[i] = binary.BigEndian.Uint64(b[24-8*i:])
	}
	return l
}
