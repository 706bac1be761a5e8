package secp256k1

import "math/bits"

// Inversion by division steps (Bernstein and Yang, "Fast constant-time gcd
// computation and modular inversion", 2019, in the form of libsecp256k1's
// doc/safegcd_implementation.md). f starts as p and g as x. A step on
// (δ, f, g), f odd, is
//
//	(1 − δ, g, (g − f)/2)      where δ > 0 and g is odd
//	(1 + δ, f, (g + (g mod 2)·f)/2)  elsewhere
//
// and leaves g = 0, f = ±1 after enough of them; with δ starting at 1/2, 590
// are enough for 256 bits. d and e follow such that d·x ≡ f and e·x ≡ g modulo
// p, so d ends as ±1/x. Steps look at the low bits alone: 59 or 62 of them are
// gathered in a matrix t, whose entries are scaled by 2⁶², and applied at once.

// signed62 is an integer in radix 2⁶²: limbs 0 to 3 are in 0…2⁶²−1, limb 4 has
// the sign.
type signed62 [5]int64

const (
	low62 = 1<<62 - 1
	// 1/p modulo 2⁶².
	invP62 = 0x27c7f6e22ddacacf
	// p = topP·2²⁴⁸ − fold.
	topP = 256
)

// matrix takes (f, g) to (u·f + v·g, q·f + r·g)/2⁶².
// |u| + |v| ≤ 2⁶² and |q| + |r| ≤ 2⁶².
type matrix struct{ u, v, q, r int64 }

// scratch holds all that an inversion works on.
type scratch struct {
	d, e, f, g signed62
	t          matrix
}

// Zero wipes s; see [Affine.Zero].
//
//go:noinline
func (s *scratch) Zero() { *s = scratch{} }

// init starts with f = p, g = x, d = 0, e = 1.
func (s *scratch) init(x *Element) {
	y := *x
	y.Normalize()
	*s = scratch{
		e: signed62{1},
		f: signed62{-fold & low62, low62, low62, low62, topP - 1},
		g: signed62{
			int64(y[0] & low62),
			int64((y[0]>>62 | y[1]<<2) & low62),
			int64((y[1]>>60 | y[2]<<4) & low62),
			int64((y[2]>>58 | y[3]<<6) & low62),
			int64(y[3] >> 56),
		},
	}
	y.Zero()
}

// result sets z = d·f for f = ±1, d in −2p < d < p.
func (s *scratch) result(z *Element) {
	d := &s.d
	d.addP(d[4] >> 63)
	neg := s.f[4] >> 63
	for i := range d {
		d[i] = (d[i] ^ neg) - neg
	}
	d.carry()
	d.addP(d[4] >> 63)
	d.carry()
	z[0] = uint64(d[0]) | uint64(d[1])<<62
	z[1] = uint64(d[1])>>2 | uint64(d[2])<<60
	z[2] = uint64(d[2])>>4 | uint64(d[3])<<58
	z[3] = uint64(d[3])>>6 | uint64(d[4])<<56
}

// addP adds p where m is all ones. Limbs may leave their range.
func (x *signed62) addP(m int64) {
	x[0] -= fold & m
	x[4] += topP & m
}

// carry brings limbs 0 to 3 into their range.
func (x *signed62) carry() {
	for i := range 4 {
		x[i+1] += x[i] >> 62
		x[i] &= low62
	}
}

// Invert sets z = 1/x, and zero for zero.
func Invert(z, x *Element) {
	var s scratch
	s.init(x)
	zeta := int64(-1) // −(δ + 1/2)
	for range 10 {
		zeta = s.t.steps59(zeta, uint64(s.f[0])|uint64(s.f[1])<<62, uint64(s.g[0])|uint64(s.g[1])<<62)
		s.updateDE()
		s.updateFG()
	}
	s.result(z)
	s.Zero()
}

// InvertVartime is [Invert] in variable time.
func InvertVartime(z, x *Element) {
	var s scratch
	s.init(x)
	eta := int64(-1) // −δ: δ may start anywhere when nothing counts the steps
	for s.g != (signed62{}) {
		eta = s.t.steps62Vartime(eta, uint64(s.f[0])|uint64(s.f[1])<<62, uint64(s.g[0])|uint64(s.g[1])<<62)
		s.updateDE()
		s.updateFG()
	}
	s.result(z)
}

// steps59 sets t to 59 division steps, scaled by 2⁶², and returns the new zeta.
func (t *matrix) steps59(zeta int64, f, g uint64) int64 {
	u, v, q, r := uint64(8), uint64(0), uint64(0), uint64(8)
	for range 59 {
		m1 := uint64(zeta >> 63) // δ > 0
		m2 := -(g & 1)
		g += ((f ^ m1) - m1) & m2
		q += ((u ^ m1) - m1) & m2
		r += ((v ^ m1) - m1) & m2
		m1 &= m2
		zeta = (zeta ^ int64(m1)) - 1
		f += g & m1
		u += q & m1
		v += r & m1
		g >>= 1
		u <<= 1
		v <<= 1
	}
	t.u, t.v, t.q, t.r = int64(u), int64(v), int64(q), int64(r)
	return zeta
}

// steps62Vartime sets t to 62 division steps and returns the new eta.
func (t *matrix) steps62Vartime(eta int64, f, g uint64) int64 {
	u, v, q, r := uint64(1), uint64(0), uint64(0), uint64(1)
	for i := uint(62); ; {
		// Steps on an even g, at once.
		zeros := uint(bits.TrailingZeros64(g|1<<(i&63))) & 63
		g >>= zeros
		u <<= zeros
		v <<= zeros
		eta -= int64(zeros)
		i -= zeros
		if i == 0 {
			break
		}
		if eta < 0 {
			eta = -eta
			f, g = g, -f
			u, q = q, -u
			v, r = r, -v
		}
		w := clearing(f, g, min(uint(eta)+1, i))
		g += f * w
		q += u * w
		r += v * w
	}
	t.u, t.v, t.q, t.r = int64(u), int64(v), int64(q), int64(r)
	return eta
}

// clearing returns w such that g + w·f has as many low bits clear as there are steps
// before the next swap or end, at most six: 1/f is f·(2 − f²) modulo 2⁶, since f² is
// 1 modulo 8.
func clearing(f, g uint64, steps uint) (w uint64) {
	return f * g * (f*f - 2) & (1<<(min(steps, 6)&63) - 1)
}

// acc128 is a signed integer of 128 bits.
type acc128 struct{ hi, lo uint64 }

// add adds a·b.
func (c *acc128) add(a, b int64) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	hi -= uint64(a>>63&b) + uint64(b>>63&a)
	var carry uint64
	c.lo, carry = bits.Add64(c.lo, lo, 0)
	c.hi, _ = bits.Add64(c.hi, hi, carry)
}

// shift divides by 2⁶², rounding down, and returns the low 62 bits.
func (c *acc128) shift() int64 {
	low := int64(c.lo & low62)
	c.lo = c.lo>>62 | c.hi<<2
	c.hi = uint64(int64(c.hi) >> 62)
	return low
}

// updateFG applies t to (f, g): the division is exact.
func (s *scratch) updateFG() {
	u, v, q, r := s.t.u, s.t.v, s.t.q, s.t.r
	var cf, cg acc128
	for i := range 5 {
		f, g := s.f[i], s.g[i]
		cf.add(u, f)
		cf.add(v, g)
		cg.add(q, f)
		cg.add(r, g)
		lf, lg := cf.shift(), cg.shift()
		if i > 0 {
			s.f[i-1], s.g[i-1] = lf, lg
		}
	}
	s.f[4], s.g[4] = int64(cf.lo), int64(cg.lo)
}

// updateDE applies t to (d, e) modulo p, both in −2p < d < p before and after.
func (s *scratch) updateDE() {
	u, v, q, r := s.t.u, s.t.v, s.t.q, s.t.r
	// md and me are the multiples of p to add: those that make up for a
	// negative d and e, changed so that the sum is divisible by 2⁶².
	sd, se := s.d[4]>>63, s.e[4]>>63
	md := u&sd + v&se
	me := q&sd + r&se
	var cd, ce acc128
	for i := range 5 {
		d, e := s.d[i], s.e[i]
		cd.add(u, d)
		cd.add(v, e)
		ce.add(q, d)
		ce.add(r, e)
		switch i {
		case 0:
			md -= int64((invP62*cd.lo + uint64(md)) & low62)
			me -= int64((invP62*ce.lo + uint64(me)) & low62)
			cd.add(-fold, md)
			ce.add(-fold, me)
		case 4:
			cd.add(topP, md)
			ce.add(topP, me)
		}
		ld, le := cd.shift(), ce.shift()
		if i > 0 {
			s.d[i-1], s.e[i-1] = ld, le
		}
	}
	s.d[4], s.e[4] = int64(cd.lo), int64(ce.lo)
}
