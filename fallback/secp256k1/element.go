package secp256k1

import (
	"encoding/binary"
	"math/bits"
)

// 2²⁵⁶ ≡ fold modulo p.
const fold = 0x1000003d1

// p is 2²⁵⁶ − fold; its upper limbs are all ones.
const p0 = 1<<64 - fold

const allOnes = 1<<64 - 1

// SetBytes sets z to the big-endian integer b and reports whether it is below
// p. Where it is not, z is zero.
func (z *Element) SetBytes(b *[32]byte) bool {
	x := Element{
		binary.BigEndian.Uint64(b[24:]),
		binary.BigEndian.Uint64(b[16:]),
		binary.BigEndian.Uint64(b[8:]),
		binary.BigEndian.Uint64(b[0:]),
	}
	m := mask(1 ^ x.overflows())
	*z = Element{x[0] & m, x[1] & m, x[2] & m, x[3] & m}
	return m != 0
}

// PutBytes writes z modulo p, below p, as a big-endian integer.
func (z *Element) PutBytes(b *[32]byte) {
	x := *z
	x.Normalize()
	binary.BigEndian.PutUint64(b[24:], x[0])
	binary.BigEndian.PutUint64(b[16:], x[1])
	binary.BigEndian.PutUint64(b[8:], x[2])
	binary.BigEndian.PutUint64(b[0:], x[3])
}

// Bytes returns what [Element.PutBytes] writes.
func (z *Element) Bytes() (b [32]byte) {
	z.PutBytes(&b)
	return b
}

// overflows is 1 when the limbs of x are p or more, 0 otherwise.
func (x *Element) overflows() uint64 {
	_, c := bits.Add64(x[0], fold, 0)
	_, c = bits.Add64(x[1], 0, c)
	_, c = bits.Add64(x[2], 0, c)
	_, c = bits.Add64(x[3], 0, c)
	return c
}

// Normalize brings z below p.
func (z *Element) Normalize() {
	f := fold & mask(z.overflows())
	var c uint64
	z[0], c = bits.Add64(z[0], f, 0)
	z[1], c = bits.Add64(z[1], 0, c)
	z[2], c = bits.Add64(z[2], 0, c)
	z[3], _ = bits.Add64(z[3], 0, c)
}

// zero is 1 when x is zero modulo p, 0 otherwise.
func (x *Element) zero() uint64 {
	is0 := x[0] | x[1] | x[2] | x[3]
	isP := (x[0] ^ p0) | ^(x[1] & x[2] & x[3])
	return isZero(is0) | isZero(isP)
}

// IsZero reports whether x is zero modulo p.
func (x *Element) IsZero() bool { return x.zero() != 0 }

// IsOdd reports whether the form of x below p is odd.
func (x *Element) IsOdd() bool { return x.odd() != 0 }

// odd is the lowest bit of the form of x below p: p is odd, so subtracting it
// flips the bit.
func (x *Element) odd() uint64 { return (x[0] ^ x.overflows()) & 1 }

// Equal reports whether x and y are equal modulo p.
func (x *Element) Equal(y *Element) bool {
	var d Element
	Sub(&d, x, y)
	return d.IsZero()
}

// Zero wipes z; see [Affine.Zero].
//
//go:noinline
func (z *Element) Zero() { *z = Element{} }

// Add sets z = x + y.
func Add(z, x, y *Element) {
	t0, c := bits.Add64(x[0], y[0], 0)
	t1, c := bits.Add64(x[1], y[1], c)
	t2, c := bits.Add64(x[2], y[2], c)
	t3, c := bits.Add64(x[3], y[3], c)
	t0, c = bits.Add64(t0, fold&mask(c), 0)
	t1, c = bits.Add64(t1, 0, c)
	t2, c = bits.Add64(t2, 0, c)
	t3, c = bits.Add64(t3, 0, c)
	// After a second carry the value is below fold: this cannot overflow.
	z[0] = t0 + fold&mask(c)
	z[1], z[2], z[3] = t1, t2, t3
}

// Sub sets z = x − y.
func Sub(z, x, y *Element) {
	t0, b := bits.Sub64(x[0], y[0], 0)
	t1, b := bits.Sub64(x[1], y[1], b)
	t2, b := bits.Sub64(x[2], y[2], b)
	t3, b := bits.Sub64(x[3], y[3], b)
	t0, b = bits.Sub64(t0, fold&mask(b), 0)
	t1, b = bits.Sub64(t1, 0, b)
	t2, b = bits.Sub64(t2, 0, b)
	t3, b = bits.Sub64(t3, 0, b)
	// After a second borrow the value is 2²⁵⁶ − fold or more: this cannot
	// borrow again.
	z[0] = t0 - fold&mask(b)
	z[1], z[2], z[3] = t1, t2, t3
}

// Neg sets z = −x.
func Neg(z, x *Element) {
	Sub(z, &Element{}, x)
}

// Half sets z = x/2.
func Half(z, x *Element) {
	// x, or x + p where x is odd: 257 bits, and even.
	m := mask(x[0] & 1)
	t0, c := bits.Add64(x[0], p0&m, 0)
	t1, c := bits.Add64(x[1], m, c)
	t2, c := bits.Add64(x[2], m, c)
	t3, c := bits.Add64(x[3], m, c)
	z[0] = t0>>1 | t1<<63
	z[1] = t1>>1 | t2<<63
	z[2] = t2>>1 | t3<<63
	z[3] = t3>>1 | c<<63
}

// Mul and Sqr have the lines of mulWide, sqrWide and reduceWide in their own text: these
// are too long for the compiler to inline, and with two calls a product took a tenth
// longer, a square a sixth (go test -bench Element, on Zen 4).

// Mul sets z = x·y.
func Mul(z, x, y *Element) {
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	var c uint64

	// The 512-bit product r7…r0, row by row: first the low halves of a row,
	// then its high halves, each in one carry chain.
	yi := y[0]
	h0, r0 := bits.Mul64(x0, yi)
	h1, l1 := bits.Mul64(x1, yi)
	h2, l2 := bits.Mul64(x2, yi)
	h3, l3 := bits.Mul64(x3, yi)
	r1, c := bits.Add64(h0, l1, 0)
	r2, c := bits.Add64(h1, l2, c)
	r3, c := bits.Add64(h2, l3, c)
	r4, _ := bits.Add64(h3, 0, c)

	yi = y[1]
	h0, l0 := bits.Mul64(x0, yi)
	h1, l1 = bits.Mul64(x1, yi)
	h2, l2 = bits.Mul64(x2, yi)
	h3, l3 = bits.Mul64(x3, yi)
	r1, c = bits.Add64(r1, l0, 0)
	r2, c = bits.Add64(r2, l1, c)
	r3, c = bits.Add64(r3, l2, c)
	r4, c = bits.Add64(r4, l3, c)
	r5, _ := bits.Add64(h3, 0, c)
	r2, c = bits.Add64(r2, h0, 0)
	r3, c = bits.Add64(r3, h1, c)
	r4, c = bits.Add64(r4, h2, c)
	r5, _ = bits.Add64(r5, 0, c)

	yi = y[2]
	h0, l0 = bits.Mul64(x0, yi)
	h1, l1 = bits.Mul64(x1, yi)
	h2, l2 = bits.Mul64(x2, yi)
	h3, l3 = bits.Mul64(x3, yi)
	r2, c = bits.Add64(r2, l0, 0)
	r3, c = bits.Add64(r3, l1, c)
	r4, c = bits.Add64(r4, l2, c)
	r5, c = bits.Add64(r5, l3, c)
	r6, _ := bits.Add64(h3, 0, c)
	r3, c = bits.Add64(r3, h0, 0)
	r4, c = bits.Add64(r4, h1, c)
	r5, c = bits.Add64(r5, h2, c)
	r6, _ = bits.Add64(r6, 0, c)

	yi = y[3]
	h0, l0 = bits.Mul64(x0, yi)
	h1, l1 = bits.Mul64(x1, yi)
	h2, l2 = bits.Mul64(x2, yi)
	h3, l3 = bits.Mul64(x3, yi)
	r3, c = bits.Add64(r3, l0, 0)
	r4, c = bits.Add64(r4, l1, c)
	r5, c = bits.Add64(r5, l2, c)
	r6, c = bits.Add64(r6, l3, c)
	r7, _ := bits.Add64(h3, 0, c)
	r4, c = bits.Add64(r4, h0, 0)
	r5, c = bits.Add64(r5, h1, c)
	r6, c = bits.Add64(r6, h2, c)
	r7, _ = bits.Add64(r7, 0, c)

	// r7…r4 · fold + r3…r0 is at most (2²⁵⁶−1)·(fold+1): the fifth limb is at
	// most fold.
	h0, l0 = bits.Mul64(r4, fold)
	h1, l1 = bits.Mul64(r5, fold)
	h2, l2 = bits.Mul64(r6, fold)
	h3, l3 = bits.Mul64(r7, fold)
	r0, c = bits.Add64(r0, l0, 0)
	r1, c = bits.Add64(r1, l1, c)
	r2, c = bits.Add64(r2, l2, c)
	r3, c = bits.Add64(r3, l3, c)
	r4, _ = bits.Add64(h3, 0, c)
	r1, c = bits.Add64(r1, h0, 0)
	r2, c = bits.Add64(r2, h1, c)
	r3, c = bits.Add64(r3, h2, c)
	r4, _ = bits.Add64(r4, 0, c)

	// r4·fold is at most fold², 65 bits. Where the sum carries, what remains
	// is below fold², so that the last fold stops in the second limb.
	h0, l0 = bits.Mul64(r4, fold)
	r0, c = bits.Add64(r0, l0, 0)
	r1, c = bits.Add64(r1, h0, c)
	r2, c = bits.Add64(r2, 0, c)
	r3, c = bits.Add64(r3, 0, c)
	r0, c = bits.Add64(r0, fold&mask(c), 0)
	z[0] = r0
	z[1] = r1 + c
	z[2] = r2
	z[3] = r3
}

// Sqr sets z = x².
func Sqr(z, x *Element) {
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	var c uint64

	// Products of unlike limbs, r6…r1.
	h0, r1 := bits.Mul64(x0, x1)
	h1, l1 := bits.Mul64(x0, x2)
	h2, l2 := bits.Mul64(x0, x3)
	h3, l3 := bits.Mul64(x1, x3)
	h4, r5 := bits.Mul64(x2, x3)
	h5, l5 := bits.Mul64(x1, x2)
	r2, c := bits.Add64(h0, l1, 0)
	r3, c := bits.Add64(h1, l2, c)
	r4, c := bits.Add64(h2, l3, c)
	r5, c = bits.Add64(r5, h3, c)
	r6, _ := bits.Add64(h4, 0, c)
	r3, c = bits.Add64(r3, l5, 0)
	r4, c = bits.Add64(r4, h5, c)
	r5, c = bits.Add64(r5, 0, c)
	r6, _ = bits.Add64(r6, 0, c)

	// Twice that, and the squares.
	r1, c = bits.Add64(r1, r1, 0)
	r2, c = bits.Add64(r2, r2, c)
	r3, c = bits.Add64(r3, r3, c)
	r4, c = bits.Add64(r4, r4, c)
	r5, c = bits.Add64(r5, r5, c)
	r6, c = bits.Add64(r6, r6, c)
	r7 := c
	h0, r0 := bits.Mul64(x0, x0)
	h1, l1 = bits.Mul64(x1, x1)
	h2, l2 = bits.Mul64(x2, x2)
	h3, l3 = bits.Mul64(x3, x3)
	r1, c = bits.Add64(r1, h0, 0)
	r2, c = bits.Add64(r2, l1, c)
	r3, c = bits.Add64(r3, h1, c)
	r4, c = bits.Add64(r4, l2, c)
	r5, c = bits.Add64(r5, h2, c)
	r6, c = bits.Add64(r6, l3, c)
	r7, _ = bits.Add64(r7, h3, c)

	// As in Mul.
	h0, l0 := bits.Mul64(r4, fold)
	h1, l1 = bits.Mul64(r5, fold)
	h2, l2 = bits.Mul64(r6, fold)
	h3, l3 = bits.Mul64(r7, fold)
	r0, c = bits.Add64(r0, l0, 0)
	r1, c = bits.Add64(r1, l1, c)
	r2, c = bits.Add64(r2, l2, c)
	r3, c = bits.Add64(r3, l3, c)
	r4, _ = bits.Add64(h3, 0, c)
	r1, c = bits.Add64(r1, h0, 0)
	r2, c = bits.Add64(r2, h1, c)
	r3, c = bits.Add64(r3, h2, c)
	r4, _ = bits.Add64(r4, 0, c)

	h0, l0 = bits.Mul64(r4, fold)
	r0, c = bits.Add64(r0, l0, 0)
	r1, c = bits.Add64(r1, h0, c)
	r2, c = bits.Add64(r2, 0, c)
	r3, c = bits.Add64(r3, 0, c)
	r0, c = bits.Add64(r0, fold&mask(c), 0)
	z[0] = r0
	z[1] = r1 + c
	z[2] = r2
	z[3] = r3
}

// mulWide returns x·y as an integer of eight limbs.
func mulWide(x, y *Element) (s0, s1, s2, s3, s4, s5, s6, s7 uint64) {
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	var c uint64

	// The 512-bit product r7…r0, row by row: first the low halves of a row,
	// then its high halves, each in one carry chain.
	yi := y[0]
	h0, r0 := bits.Mul64(x0, yi)
	h1, l1 := bits.Mul64(x1, yi)
	h2, l2 := bits.Mul64(x2, yi)
	h3, l3 := bits.Mul64(x3, yi)
	r1, c := bits.Add64(h0, l1, 0)
	r2, c := bits.Add64(h1, l2, c)
	r3, c := bits.Add64(h2, l3, c)
	r4, _ := bits.Add64(h3, 0, c)

	yi = y[1]
	h0, l0 := bits.Mul64(x0, yi)
	h1, l1 = bits.Mul64(x1, yi)
	h2, l2 = bits.Mul64(x2, yi)
	h3, l3 = bits.Mul64(x3, yi)
	r1, c = bits.Add64(r1, l0, 0)
	r2, c = bits.Add64(r2, l1, c)
	r3, c = bits.Add64(r3, l2, c)
	r4, c = bits.Add64(r4, l3, c)
	r5, _ := bits.Add64(h3, 0, c)
	r2, c = bits.Add64(r2, h0, 0)
	r3, c = bits.Add64(r3, h1, c)
	r4, c = bits.Add64(r4, h2, c)
	r5, _ = bits.Add64(r5, 0, c)

	yi = y[2]
	h0, l0 = bits.Mul64(x0, yi)
	h1, l1 = bits.Mul64(x1, yi)
	h2, l2 = bits.Mul64(x2, yi)
	h3, l3 = bits.Mul64(x3, yi)
	r2, c = bits.Add64(r2, l0, 0)
	r3, c = bits.Add64(r3, l1, c)
	r4, c = bits.Add64(r4, l2, c)
	r5, c = bits.Add64(r5, l3, c)
	r6, _ := bits.Add64(h3, 0, c)
	r3, c = bits.Add64(r3, h0, 0)
	r4, c = bits.Add64(r4, h1, c)
	r5, c = bits.Add64(r5, h2, c)
	r6, _ = bits.Add64(r6, 0, c)

	yi = y[3]
	h0, l0 = bits.Mul64(x0, yi)
	h1, l1 = bits.Mul64(x1, yi)
	h2, l2 = bits.Mul64(x2, yi)
	h3, l3 = bits.Mul64(x3, yi)
	r3, c = bits.Add64(r3, l0, 0)
	r4, c = bits.Add64(r4, l1, c)
	r5, c = bits.Add64(r5, l2, c)
	r6, c = bits.Add64(r6, l3, c)
	r7, _ := bits.Add64(h3, 0, c)
	r4, c = bits.Add64(r4, h0, 0)
	r5, c = bits.Add64(r5, h1, c)
	r6, c = bits.Add64(r6, h2, c)
	r7, _ = bits.Add64(r7, 0, c)

	return r0, r1, r2, r3, r4, r5, r6, r7
}

// sqrWide returns x² as an integer of eight limbs.
func sqrWide(x *Element) (s0, s1, s2, s3, s4, s5, s6, s7 uint64) {
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	var c uint64

	// Products of unlike limbs, r6…r1.
	h0, r1 := bits.Mul64(x0, x1)
	h1, l1 := bits.Mul64(x0, x2)
	h2, l2 := bits.Mul64(x0, x3)
	h3, l3 := bits.Mul64(x1, x3)
	h4, r5 := bits.Mul64(x2, x3)
	h5, l5 := bits.Mul64(x1, x2)
	r2, c := bits.Add64(h0, l1, 0)
	r3, c := bits.Add64(h1, l2, c)
	r4, c := bits.Add64(h2, l3, c)
	r5, c = bits.Add64(r5, h3, c)
	r6, _ := bits.Add64(h4, 0, c)
	r3, c = bits.Add64(r3, l5, 0)
	r4, c = bits.Add64(r4, h5, c)
	r5, c = bits.Add64(r5, 0, c)
	r6, _ = bits.Add64(r6, 0, c)

	// Twice that, and the squares.
	r1, c = bits.Add64(r1, r1, 0)
	r2, c = bits.Add64(r2, r2, c)
	r3, c = bits.Add64(r3, r3, c)
	r4, c = bits.Add64(r4, r4, c)
	r5, c = bits.Add64(r5, r5, c)
	r6, c = bits.Add64(r6, r6, c)
	r7 := c
	h0, r0 := bits.Mul64(x0, x0)
	h1, l1 = bits.Mul64(x1, x1)
	h2, l2 = bits.Mul64(x2, x2)
	h3, l3 = bits.Mul64(x3, x3)
	r1, c = bits.Add64(r1, h0, 0)
	r2, c = bits.Add64(r2, l1, c)
	r3, c = bits.Add64(r3, h1, c)
	r4, c = bits.Add64(r4, l2, c)
	r5, c = bits.Add64(r5, h2, c)
	r6, c = bits.Add64(r6, l3, c)
	r7, _ = bits.Add64(r7, h3, c)

	return r0, r1, r2, r3, r4, r5, r6, r7
}

// reduceWide sets z to the integer r7…r0 modulo p.
func reduceWide(z *Element, r0, r1, r2, r3, r4, r5, r6, r7 uint64) {
	// r7…r4 · fold + r3…r0 is at most (2²⁵⁶−1)·(fold+1): the fifth limb is at
	// most fold.
	h0, l0 := bits.Mul64(r4, fold)
	h1, l1 := bits.Mul64(r5, fold)
	h2, l2 := bits.Mul64(r6, fold)
	h3, l3 := bits.Mul64(r7, fold)
	r0, c := bits.Add64(r0, l0, 0)
	r1, c = bits.Add64(r1, l1, c)
	r2, c = bits.Add64(r2, l2, c)
	r3, c = bits.Add64(r3, l3, c)
	r4, _ = bits.Add64(h3, 0, c)
	r1, c = bits.Add64(r1, h0, 0)
	r2, c = bits.Add64(r2, h1, c)
	r3, c = bits.Add64(r3, h2, c)
	r4, _ = bits.Add64(r4, 0, c)

	// r4·fold is at most fold², 65 bits. Where the sum carries, what remains
	// is below fold², so that the last fold stops in the second limb.
	h0, l0 = bits.Mul64(r4, fold)
	r0, c = bits.Add64(r0, l0, 0)
	r1, c = bits.Add64(r1, h0, c)
	r2, c = bits.Add64(r2, 0, c)
	r3, c = bits.Add64(r3, 0, c)
	r0, c = bits.Add64(r0, fold&mask(c), 0)
	z[0] = r0
	z[1] = r1 + c
	z[2] = r2
	z[3] = r3
}

// mulSubMul sets z = a·b − c·d, with one reduction.
func mulSubMul(z, a, b, c, d *Element) {
	s0, s1, s2, s3, s4, s5, s6, s7 := mulWide(c, d)
	r0, r1, r2, r3, r4, r5, r6, r7 := mulWide(a, b)
	r0, e := bits.Sub64(r0, s0, 0)
	r1, e = bits.Sub64(r1, s1, e)
	r2, e = bits.Sub64(r2, s2, e)
	r3, e = bits.Sub64(r3, s3, e)
	r4, e = bits.Sub64(r4, s4, e)
	r5, e = bits.Sub64(r5, s5, e)
	r6, e = bits.Sub64(r6, s6, e)
	r7, e = bits.Sub64(r7, s7, e)
	// A borrow stands for −2⁵¹²: the upper half takes the correction, as in
	// Sub.
	r4, e = bits.Sub64(r4, fold&mask(e), 0)
	r5, e = bits.Sub64(r5, 0, e)
	r6, e = bits.Sub64(r6, 0, e)
	r7, e = bits.Sub64(r7, 0, e)
	r4 -= fold & mask(e)
	reduceWide(z, r0, r1, r2, r3, r4, r5, r6, r7)
}

// mulSubSqr sets z = a·b − c², with one reduction.
func mulSubSqr(z, a, b, c *Element) {
	s0, s1, s2, s3, s4, s5, s6, s7 := sqrWide(c)
	r0, r1, r2, r3, r4, r5, r6, r7 := mulWide(a, b)
	r0, e := bits.Sub64(r0, s0, 0)
	r1, e = bits.Sub64(r1, s1, e)
	r2, e = bits.Sub64(r2, s2, e)
	r3, e = bits.Sub64(r3, s3, e)
	r4, e = bits.Sub64(r4, s4, e)
	r5, e = bits.Sub64(r5, s5, e)
	r6, e = bits.Sub64(r6, s6, e)
	r7, e = bits.Sub64(r7, s7, e)
	// A borrow stands for −2⁵¹²: the upper half takes the correction, as in
	// Sub.
	r4, e = bits.Sub64(r4, fold&mask(e), 0)
	r5, e = bits.Sub64(r5, 0, e)
	r6, e = bits.Sub64(r6, 0, e)
	r7, e = bits.Sub64(r7, 0, e)
	r4 -= fold & mask(e)
	reduceWide(z, r0, r1, r2, r3, r4, r5, r6, r7)
}

// halfAgain sets z = 3·x/2.
func halfAgain(z, x *Element) {
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	m := mask(x0 & 1)
	t0, c := bits.Add64(x0, p0&m, 0)
	t1, c := bits.Add64(x1, m, c)
	t2, c := bits.Add64(x2, m, c)
	t3, c := bits.Add64(x3, m, c)
	t0 = t0>>1 | t1<<63
	t1 = t1>>1 | t2<<63
	t2 = t2>>1 | t3<<63
	t3 = t3>>1 | c<<63
	t0, c = bits.Add64(t0, x0, 0)
	t1, c = bits.Add64(t1, x1, c)
	t2, c = bits.Add64(t2, x2, c)
	t3, c = bits.Add64(t3, x3, c)
	t0, c = bits.Add64(t0, fold&mask(c), 0)
	t1, c = bits.Add64(t1, 0, c)
	t2, c = bits.Add64(t2, 0, c)
	t3, c = bits.Add64(t3, 0, c)
	z[0] = t0 + fold&mask(c)
	z[1], z[2], z[3] = t1, t2, t3
}

// subTwice sets z = x − 2v and d = v − z.
func subTwice(z, d, x, v *Element) {
	v0, v1, v2, v3 := v[0], v[1], v[2], v[3]
	t0, b := bits.Sub64(x[0], v0, 0)
	t1, b := bits.Sub64(x[1], v1, b)
	t2, b := bits.Sub64(x[2], v2, b)
	t3, b := bits.Sub64(x[3], v3, b)
	k := b
	t0, b = bits.Sub64(t0, v0, 0)
	t1, b = bits.Sub64(t1, v1, b)
	t2, b = bits.Sub64(t2, v2, b)
	t3, b = bits.Sub64(t3, v3, b)
	// k + b borrows. After one more the value is 2²⁵⁶ − 2·fold or more.
	t0, b = bits.Sub64(t0, fold*(k+b), 0)
	t1, b = bits.Sub64(t1, 0, b)
	t2, b = bits.Sub64(t2, 0, b)
	t3, b = bits.Sub64(t3, 0, b)
	t0 -= fold & mask(b)
	z[0], z[1], z[2], z[3] = t0, t1, t2, t3
	t0, b = bits.Sub64(v0, t0, 0)
	t1, b = bits.Sub64(v1, t1, b)
	t2, b = bits.Sub64(v2, t2, b)
	t3, b = bits.Sub64(v3, t3, b)
	t0, b = bits.Sub64(t0, fold&mask(b), 0)
	t1, b = bits.Sub64(t1, 0, b)
	t2, b = bits.Sub64(t2, 0, b)
	t3, b = bits.Sub64(t3, 0, b)
	d[0] = t0 - fold&mask(b)
	d[1], d[2], d[3] = t1, t2, t3
}

// sqrN sets z = x^(2ⁿ), n ≥ 1.
func sqrN(z, x *Element, n int) {
	Sqr(z, x)
	for range n - 1 {
		Sqr(z, z)
	}
}

// Sqrt sets z to a square root of x and reports whether x has one: x^((p+1)/4)
// by 254 squarings and 13 multiplications (p ≡ 3 modulo 4), and its square
// compared with x. Where x has none, z is a square root of −x.
func Sqrt(z, x *Element) bool {
	// (p+1)/4 in bits: 223 ones, 0, 22 ones, 00001100. aN is x^(2ᴺ−1).
	var a2, a3, a11, a22, a44, a88, t Element
	x1 := *x
	Sqr(&t, x)
	Mul(&a2, &t, x)
	Sqr(&t, &a2)
	Mul(&a3, &t, x)
	sqrN(&t, &a3, 3)
	Mul(&t, &t, &a3) // 6
	sqrN(&t, &t, 3)
	Mul(&t, &t, &a3) // 9
	sqrN(&t, &t, 2)
	Mul(&a11, &t, &a2)
	sqrN(&t, &a11, 11)
	Mul(&a22, &t, &a11)
	sqrN(&t, &a22, 22)
	Mul(&a44, &t, &a22)
	sqrN(&t, &a44, 44)
	Mul(&a88, &t, &a44)
	sqrN(&t, &a88, 88)
	Mul(&t, &t, &a88) // 176
	sqrN(&t, &t, 44)
	Mul(&t, &t, &a44) // 220
	sqrN(&t, &t, 3)
	Mul(&t, &t, &a3) // 223
	sqrN(&t, &t, 23)
	Mul(&t, &t, &a22)
	sqrN(&t, &t, 6)
	Mul(&t, &t, &a2)
	sqrN(&t, &t, 2)
	*z = t
	Sqr(&t, &t)
	return t.Equal(&x1)
}

// Select sets z = x for bit 1 and z = y for bit 0.
func Select(z, x, y *Element, bit uint64) {
	m := mask(bit)
	z[0] = y[0] ^ m&(x[0]^y[0])
	z[1] = y[1] ^ m&(x[1]^y[1])
	z[2] = y[2] ^ m&(x[2]^y[2])
	z[3] = y[3] ^ m&(x[3]^y[3])
}
