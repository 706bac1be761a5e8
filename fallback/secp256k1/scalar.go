package secp256k1

import (
	"encoding/binary"
	"math/bits"
)

// The group order n, and 2²⁵⁶ − n, which is 129 bits wide.
const (
	n0 = 0xbfd25e8cd0364141
	n1 = 0xbaaedce6af48a03b
	n2 = 0xfffffffffffffffe
	n3 = 0xffffffffffffffff

	m0 = 0x402da1732fc9bebf
	m1 = 0x4551231950b75fc4
	m2 = 1
)

// SetBytes sets z to the big-endian integer b and reports whether it is below
// n. Where it is not, z is zero.
func (z *Scalar) SetBytes(b *[32]byte) bool {
	var x Scalar
	x.load(b)
	m := mask(1 ^ x.overflows())
	*z = Scalar{x[0] & m, x[1] & m, x[2] & m, x[3] & m}
	x.Zero()
	return m != 0
}

// SetBytesReduced sets z to the big-endian integer b modulo n.
func (z *Scalar) SetBytesReduced(b *[32]byte) {
	z.load(b)
	z.reduce(0)
}

// PutBytes writes z as a big-endian integer.
func (z *Scalar) PutBytes(b *[32]byte) {
	binary.BigEndian.PutUint64(b[24:], z[0])
	binary.BigEndian.PutUint64(b[16:], z[1])
	binary.BigEndian.PutUint64(b[8:], z[2])
	binary.BigEndian.PutUint64(b[0:], z[3])
}

// Bytes returns what [Scalar.PutBytes] writes.
func (z *Scalar) Bytes() (b [32]byte) {
	z.PutBytes(&b)
	return b
}

func (z *Scalar) load(b *[32]byte) {
	z[0] = binary.BigEndian.Uint64(b[24:])
	z[1] = binary.BigEndian.Uint64(b[16:])
	z[2] = binary.BigEndian.Uint64(b[8:])
	z[3] = binary.BigEndian.Uint64(b[0:])
}

// overflows is 1 when the limbs of x are n or more, 0 otherwise.
func (x *Scalar) overflows() uint64 {
	_, c := bits.Add64(x[0], m0, 0)
	_, c = bits.Add64(x[1], m1, c)
	_, c = bits.Add64(x[2], m2, c)
	_, c = bits.Add64(x[3], 0, c)
	return c
}

// reduce brings carry·2²⁵⁶ + z, which is below 2n, below n.
func (z *Scalar) reduce(carry uint64) {
	m := mask(carry | z.overflows())
	var c uint64
	z[0], c = bits.Add64(z[0], m0&m, 0)
	z[1], c = bits.Add64(z[1], m1&m, c)
	z[2], c = bits.Add64(z[2], m2&m, c)
	z[3], _ = bits.Add64(z[3], 0, c)
}

// IsZero reports whether x is zero.
func (x *Scalar) IsZero() bool { return isZero(x[0]|x[1]|x[2]|x[3]) != 0 }

// Equal reports whether x and y are equal.
func (x *Scalar) Equal(y *Scalar) bool {
	return isZero((x[0]^y[0])|(x[1]^y[1])|(x[2]^y[2])|(x[3]^y[3])) != 0
}

// IsHigh reports whether x is above (n−1)/2.
func (x *Scalar) IsHigh() bool {
	// (n−1)/2 − x borrows.
	_, b := bits.Sub64(0xdfe92f46681b20a0, x[0], 0)
	_, b = bits.Sub64(0x5d576e7357a4501d, x[1], b)
	_, b = bits.Sub64(0xffffffffffffffff, x[2], b)
	_, b = bits.Sub64(0x7fffffffffffffff, x[3], b)
	return b != 0
}

// Zero wipes z; see [Affine.Zero].
//
//go:noinline
func (z *Scalar) Zero() { *z = Scalar{} }

// ScalarAdd sets z = x + y.
func ScalarAdd(z, x, y *Scalar) {
	var c uint64
	z[0], c = bits.Add64(x[0], y[0], 0)
	z[1], c = bits.Add64(x[1], y[1], c)
	z[2], c = bits.Add64(x[2], y[2], c)
	z[3], c = bits.Add64(x[3], y[3], c)
	z.reduce(c)
}

// ScalarNeg sets z = −x.
func ScalarNeg(z, x *Scalar) {
	m := mask(1 ^ isZero(x[0]|x[1]|x[2]|x[3]))
	var b uint64
	z[0], b = bits.Sub64(n0&m, x[0], 0)
	z[1], b = bits.Sub64(n1&m, x[1], b)
	z[2], b = bits.Sub64(n2&m, x[2], b)
	z[3], _ = bits.Sub64(n3&m, x[3], b)
}

// ScalarHalf sets z = x/2.
func ScalarHalf(z, x *Scalar) {
	m := mask(x[0] & 1)
	t0, c := bits.Add64(x[0], n0&m, 0)
	t1, c := bits.Add64(x[1], n1&m, c)
	t2, c := bits.Add64(x[2], n2&m, c)
	t3, c := bits.Add64(x[3], n3&m, c)
	z[0] = t0>>1 | t1<<63
	z[1] = t1>>1 | t2<<63
	z[2] = t2>>1 | t3<<63
	z[3] = t3>>1 | c<<63
}

// ScalarSelect sets z = x for bit 1 and z = y for bit 0.
func ScalarSelect(z, x, y *Scalar, bit uint64) {
	m := mask(bit)
	for i := range z {
		z[i] = y[i] ^ m&(x[i]^y[i])
	}
}

// ScalarMul sets z = x·y.
func ScalarMul(z, x, y *Scalar) {
	var w wide
	w.mul(x, y)
	w.reduce(z)
	w.Zero()
}

// ScalarMulShift sets z to x·y/2³⁸⁴, the product taken as an integer, rounded
// to the nearest integer.
func ScalarMulShift(z, x, y *Scalar) {
	var w wide
	w.mul(x, y)
	var c uint64
	z[0], c = bits.Add64(w.t[6], w.t[5]>>63, 0)
	z[1], c = bits.Add64(w.t[7], 0, c)
	z[2], z[3] = c, 0
	w.Zero()
}

// wide is an integer of 512 bits, the least significant limb first, and the
// scratch of its reduction.
type wide struct {
	t [8]uint64
	u [7]uint64
	v [5]uint64
}

// Zero wipes w; see [Affine.Zero].
//
//go:noinline
func (w *wide) Zero() { *w = wide{} }

// mul sets w.t, which is zero, to x·y.
func (w *wide) mul(x, y *Scalar) {
	for i := range 4 {
		w.t[i+4] = mulAdd4((*[4]uint64)(w.t[i:]), (*[4]uint64)(y), x[i])
	}
}

// mulAdd4 adds x·y to t and returns the carry: (2²⁵⁶−1)·(2⁶⁴−1) + 2²⁵⁶ − 1 is
// five limbs.
func mulAdd4(t, x *[4]uint64, y uint64) uint64 {
	h0, l0 := bits.Mul64(x[0], y)
	h1, l1 := bits.Mul64(x[1], y)
	h2, l2 := bits.Mul64(x[2], y)
	h3, l3 := bits.Mul64(x[3], y)
	l1, c := bits.Add64(l1, h0, 0)
	l2, c = bits.Add64(l2, h1, c)
	l3, c = bits.Add64(l3, h2, c)
	h3, _ = bits.Add64(h3, 0, c)
	t[0], c = bits.Add64(t[0], l0, 0)
	t[1], c = bits.Add64(t[1], l1, c)
	t[2], c = bits.Add64(t[2], l2, c)
	t[3], c = bits.Add64(t[3], l3, c)
	return h3 + c
}

// reduce sets z to w.t modulo n, replacing 2²⁵⁶ by m three times.
func (w *wide) reduce(z *Scalar) {
	// 512 bits to 386: t3…t0 + t7…t4 · m < 2²⁵⁶ + 2²⁵⁶·2¹²⁹.
	u := &w.u
	copy(u[:4], w.t[:4])
	hi := (*[4]uint64)(w.t[4:])
	u[4] = mulAdd4((*[4]uint64)(u[0:]), hi, m0)
	u[5] = mulAdd4((*[4]uint64)(u[1:]), hi, m1)
	var c uint64
	u[2], c = bits.Add64(u[2], hi[0], 0)
	u[3], c = bits.Add64(u[3], hi[1], c)
	u[4], c = bits.Add64(u[4], hi[2], c)
	u[5], c = bits.Add64(u[5], hi[3], c)
	u[6] = c

	// 386 bits to 260: u6…u4 < 2¹³⁰, times m < 2²⁵⁹, plus 2²⁵⁶.
	h := (*[4]uint64)(w.t[4:])
	*h = [4]uint64{u[4], u[5], u[6]}
	v := &w.v
	copy(v[:4], u[:4])
	v[4] = mulAdd4((*[4]uint64)(v[0:]), h, m0)
	mulAdd4((*[4]uint64)(v[1:]), h, m1) // no carry: v is below 2²⁶⁰
	v[2], c = bits.Add64(v[2], h[0], 0)
	v[3], c = bits.Add64(v[3], h[1], c)
	v[4], _ = bits.Add64(v[4], h[2], c)

	// 260 bits to 2²⁵⁶ + 2¹³³, which is below 2n: v4 < 16.
	h0, l0 := bits.Mul64(v[4], m0)
	h1, l1 := bits.Mul64(v[4], m1)
	l1, c = bits.Add64(l1, h0, 0)
	l2, _ := bits.Add64(v[4], h1, c)
	z[0], c = bits.Add64(v[0], l0, 0)
	z[1], c = bits.Add64(v[1], l1, c)
	z[2], c = bits.Add64(v[2], l2, c)
	z[3], c = bits.Add64(v[3], 0, c)
	z.reduce(c)
}
