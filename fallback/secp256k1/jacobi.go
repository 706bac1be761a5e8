package secp256k1

import "math/bits"

// IsSquareVartime reports whether x is a square modulo p, zero among them. Public
// data only.
//
// It is the Jacobi symbol (g/f) of g = x and f = p, by the division steps of
// inversion in their positive form: (f + g)/2 in place of (g − f)/2, which leaves
// both positive and the matrix without signs (libsecp256k1,
// doc/safegcd_implementation.md, section 9). A symbol changes by the law of
// quadratic reciprocity where f and g are swapped, by its second supplement
// where g is halved, and not at all where a multiple of f is added to g; with
// f = 1 it is 1. These steps have no proven end, so that the rare x which is not
// done after some time is taken to the square root.
func IsSquareVartime(x *Element) bool {
	var s scratch
	s.init(x)
	if s.g == (signed62{}) {
		return true
	}
	eta := int64(-1)    // −δ
	symbol := uint64(0) // 1 for −1
	for range 25 {
		eta, symbol = s.t.positive62Vartime(eta, symbol, uint64(s.f[0])|uint64(s.f[1])<<62, uint64(s.g[0])|uint64(s.g[1])<<62)
		s.updateFG()
		if s.f == (signed62{1}) {
			return symbol == 0
		}
	}
	var root Element
	return Sqrt(&root, x)
}

// positive62Vartime is steps62Vartime for the positive form, and follows the
// symbol. Its shifts leave the three lowest bits of f, which the symbol needs,
// known to the last step.
func (t *matrix) positive62Vartime(eta int64, symbol, f, g uint64) (int64, uint64) {
	u, v, q, r := uint64(1), uint64(0), uint64(0), uint64(1)
	for i := uint(62); ; {
		// (2/f) is −1 where f is 3 or 5 modulo 8.
		zeros := uint(bits.TrailingZeros64(g|1<<(i&63))) & 63
		g >>= zeros
		u <<= zeros
		v <<= zeros
		eta -= int64(zeros)
		symbol ^= uint64(zeros) & (f>>1 ^ f>>2)
		i -= zeros
		if i == 0 {
			break
		}
		if eta < 0 {
			// (g/f)·(f/g) is −1 where both are 3 modulo 4.
			symbol ^= f & g >> 1
			eta = -eta
			f, g = g, f
			u, q = q, u
			v, r = r, v
		}
		w := clearing(f, g, min(uint(eta)+1, i))
		g += f * w
		q += u * w
		r += v * w
	}
	t.u, t.v, t.q, t.r = int64(u), int64(v), int64(q), int64(r)
	return eta, symbol & 1
}
