package curve

import (
	"sync"

	"github.com/sealwright/sealwright/kernels/secp256k1"
)

const (
	nafWidthP     = 5
	nafWidthKnown = 6
	nafWidthG     = 12
)

// VerifyVartime reports whether R = sG − eP is finite, has even y, and has the
// x-coordinate r (BIP-340, "Verification"): false where r is p or more. Public data
// only.
func VerifyVartime(s, e *secp256k1.Scalar, p *secp256k1.Affine, r *[32]byte) bool {
	var x secp256k1.Element
	if !x.SetBytes(r) {
		return false
	}
	var t1, t2 [1 << (nafWidthP - 2)]secp256k1.Affine
	var ratios [len(t1)]secp256k1.Element
	var gz secp256k1.Element
	oddMultiples(t1[:], ratios[:], &gz, p)
	endomorphism(t2[:], t1[:])

	g := generatorOdd()
	terms := [4]term{
		{table: g, scale: &gz}, {table: g, scale: &gz, lambda: true},
		{table: t1[:]}, {table: t2[:]},
	}
	var s1, s2, e1, e2 secp256k1.Scalar
	neg1, neg2 := splitSignedVartime(&s1, &s2, s)
	n := wnafVartime(&terms[0].naf, &s1, nafWidthG, neg1)
	n = max(n, wnafVartime(&terms[1].naf, &s2, nafWidthG, neg2))
	neg1, neg2 = splitSignedVartime(&e1, &e2, e)
	n = max(n, wnafVartime(&terms[2].naf, &e1, nafWidthP, !neg1))
	n = max(n, wnafVartime(&terms[3].naf, &e2, nafWidthP, !neg2))

	var acc secp256k1.Jacobian
	straussVartime(&acc, n, terms[:])
	secp256k1.Mul(&acc.Z, &acc.Z, &gz)
	return isNonceVartime(&acc, &x)
}

// Multiples are those of a point P that come again in every verification of its
// signatures. The zero value is of no point, and verifies nothing;
// [Multiples.InitVartime] makes them, for another point too than before. While it
// runs, nothing else may use them; afterwards several goroutines may at once.
type Multiples struct {
	low, high [1 << (nafWidthKnown - 2)]secp256k1.Affine // P, 3P, … 31P, and 2⁶⁴ times these
}

// InitVartime makes the multiples of p, a point of the curve, for less than the price
// of one verification. Public data only.
func (m *Multiples) InitVartime(p *secp256k1.Affine) {
	var ratios [len(m.low)]secp256k1.Element
	oddMultiplesAffineVartime(m.low[:], ratios[:], p)
	var high secp256k1.Jacobian
	high.SetAffine(p)
	secp256k1.DoubleN(&high, &high, 64)
	var q secp256k1.Affine
	secp256k1.ToAffine(&q, &high)
	oddMultiplesAffineVartime(m.high[:], ratios[:], &q)
}

// VerifyVartime is the function [VerifyVartime] for P. Each half of a split scalar
// is cut into two quarters of 64 bits, of which the upper ones have their own
// tables: that halves the chain of doublings.
func (m *Multiples) VerifyVartime(s, e *secp256k1.Scalar, r *[32]byte) bool {
	var x secp256k1.Element
	if !x.SetBytes(r) || m.low[0].X.IsZero() { // no point has x = 0
		return false
	}
	g, gHigh := generatorOdd(), generatorHighOdd()
	terms := [8]term{
		{table: g}, {table: gHigh}, {table: g, lambda: true}, {table: gHigh, lambda: true},
		{table: m.low[:]}, {table: m.high[:]}, {table: m.low[:], lambda: true}, {table: m.high[:], lambda: true},
	}
	n := quartersVartime(terms[:4], s, nafWidthG, false)
	n = max(n, quartersVartime(terms[4:], e, nafWidthKnown, true))

	var acc secp256k1.Jacobian
	straussVartime(&acc, n, terms[:])
	return isNonceVartime(&acc, &x)
}

// quartersVartime writes the digits of k or −k: of its first half the lower and
// the upper quarter, then of its second half. It returns the largest number of
// digits.
func quartersVartime(terms []term, k *secp256k1.Scalar, w uint, minus bool) int {
	var k1, k2 secp256k1.Scalar
	neg1, neg2 := splitSignedVartime(&k1, &k2, k)
	n := wnafVartime(&terms[0].naf, &secp256k1.Scalar{k1[0]}, w, neg1 != minus)
	n = max(n, wnafVartime(&terms[1].naf, &secp256k1.Scalar{k1[1]}, w, neg1 != minus))
	n = max(n, wnafVartime(&terms[2].naf, &secp256k1.Scalar{k2[0]}, w, neg2 != minus))
	return max(n, wnafVartime(&terms[3].naf, &secp256k1.Scalar{k2[1]}, w, neg2 != minus))
}

// isNonceVartime reports whether p is finite with x-coordinate x and even y.
func isNonceVartime(p *secp256k1.Jacobian, x *secp256k1.Element) bool {
	if p.IsInfinity() {
		return false
	}
	// x first: a wrong signature fails before the inversion.
	var t, u secp256k1.Element
	secp256k1.Sqr(&t, &p.Z)
	secp256k1.Mul(&u, x, &t)
	if !u.Equal(&p.X) {
		return false
	}
	secp256k1.Mul(&t, &t, &p.Z)
	secp256k1.InvertVartime(&t, &t)
	secp256k1.Mul(&t, &t, &p.Y)
	return !t.IsOdd()
}

// A term is a summand of [straussVartime]: the integer that the digits stand for,
// times the point whose odd multiples are in the table, or times λ times that.
type term struct {
	naf    [nafDigits]int16
	table  []secp256k1.Affine
	lambda bool
	scale  *secp256k1.Element // brings the table to the curve of the sum; nil where it lies there
}

// straussVartime sets acc to the sum of the terms, of which none has more than n
// digits: all run through one chain of doublings (Strauss). The points may lie on
// any curve y² = x³ + b that has no point of order two among them. Public data only.
func straussVartime(acc *secp256k1.Jacobian, n int, terms []term) {
	var q secp256k1.Affine
	acc.SetInfinity()
	doublings := 0
	for i := n - 1; i >= 0; i-- {
		for j := range terms {
			t := &terms[j]
			d := t.naf[i]
			if d == 0 {
				continue
			}
			if doublings > 0 {
				secp256k1.DoubleN(acc, acc, doublings)
				doublings = 0
			}
			entryVartime(&q, t.table, d)
			if t.lambda {
				secp256k1.Mul(&q.X, &q.X, &beta)
			}
			if t.scale != nil {
				secp256k1.AddScaledVartime(acc, acc, &q, t.scale)
			} else {
				secp256k1.AddMixedVartime(acc, acc, &q)
			}
		}
		doublings++
	}
	if doublings > 1 { // one more than there are digits below the last addition
		secp256k1.DoubleN(acc, acc, doublings-1)
	}
}

// entryVartime sets q to d times the point of the table of odd multiples.
func entryVartime(q *secp256k1.Affine, table []secp256k1.Affine, d int16) {
	if d > 0 {
		*q = table[d>>1]
		return
	}
	secp256k1.NegAffine(q, &table[-d>>1], 1)
}

// An oddTable has the odd multiples P, 3P, … 2047P of P = kG, made on first use.
type oddTable struct {
	k    secp256k1.Scalar
	once sync.Once
	odd  []secp256k1.Affine
}

func (t *oddTable) get() []secp256k1.Affine {
	t.once.Do(func() {
		var p secp256k1.Affine
		BaseMult(&p, &t.k)
		t.odd = make([]secp256k1.Affine, 1<<(nafWidthG-2))
		oddMultiplesAffineVartime(t.odd, make([]secp256k1.Element, len(t.odd)), &p)
	})
	return t.odd
}

var (
	generatorTable     = oddTable{k: secp256k1.Scalar{1}}
	generatorHighTable = oddTable{k: secp256k1.Scalar{0, 1}}
)

// generatorOdd returns the odd multiples of G, generatorHighOdd those of 2⁶⁴·G.
func generatorOdd() []secp256k1.Affine     { return generatorTable.get() }
func generatorHighOdd() []secp256k1.Affine { return generatorHighTable.get() }
