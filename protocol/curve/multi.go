package curve

import (
	"math/bits"

	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// A Sum is k·G plus multiples of other points, which are added up together for a part
// of the time that they would take one by one. The zero value is the empty sum. Its
// memory, about a megabyte for a thousand points, serves the next sum again. Public data
// only.
type Sum struct {
	base  secp256k1.Scalar
	parts []part

	// Of Strauss's method.
	terms    []term
	tables   []secp256k1.Affine
	ratios   [partEntries]secp256k1.Element
	scales   []secp256k1.Element
	products []secp256k1.Element

	// Of Pippenger's method.
	points []secp256k1.Affine
	shifts [][3]uint64
	digits []int16
	values buckets
	halves buckets
	powers []power
	bits   buckets
}

// A part is k1·p + k2·λp, each of k1 and k2 below 2¹²⁸ and with a sign.
type part struct {
	p          secp256k1.Affine
	k1, k2     [2]uint64
	neg1, neg2 bool
}

const partEntries = 1 << (nafWidthP - 2)

// Reset makes the sum empty.
func (s *Sum) Reset() {
	s.base.Zero()
	s.parts = s.parts[:0]
}

// AddBase adds k·G.
func (s *Sum) AddBase(k *secp256k1.Scalar) { secp256k1.ScalarAdd(&s.base, &s.base, k) }

// AddVartime adds k·p.
func (s *Sum) AddVartime(k *secp256k1.Scalar, p *secp256k1.Affine) {
	var k1, k2 secp256k1.Scalar
	neg1, neg2 := splitSignedVartime(&k1, &k2, k)
	s.parts = append(s.parts, part{*p, [2]uint64(k1[:2]), [2]uint64(k2[:2]), neg1, neg2})
}

// AddShort adds k·p for k = k[0] + 2⁶⁴·k[1], for half the price of AddVartime.
func (s *Sum) AddShort(k *[2]uint64, p *secp256k1.Affine) {
	s.parts = append(s.parts, part{p: *p, k1: *k})
}

// IsInfinityVartime reports whether the sum is infinity.
func (s *Sum) IsInfinityVartime() bool {
	var acc secp256k1.Jacobian
	s.vartime(&acc)
	return acc.IsInfinity()
}

// vartime sets acc to the sum, by the method that is faster for so many points.
func (s *Sum) vartime(acc *secp256k1.Jacobian) {
	n := 0 // scalars of 128 bits
	for i := range s.parts {
		n++
		if s.parts[i].k2 != [2]uint64{} {
			n++
		}
	}
	// Strauss's method and buckets of 5 bits take the same time for 14 points with lanes, 29
	// with the tier adx, and 20 in portable code; for 24, adx loses 0.06 and portable code 0.05
	// by a limit between theirs. As to the widths, those below and above a limit differ by
	// 0.02 there, and by 0.04 at most within a fifth of it, with every tier. (On Zen 4: go test
	// -run '^$' -bench StudySum/part=limit ./protocol/curve, SEALWRIGHT_CPU=-ifma or portable
	// for the other tiers.)
	strauss := 24
	if secp256k1.HasLanes() {
		strauss = 14
	}
	switch {
	case len(s.parts) <= strauss:
		s.oneChainVartime(acc)
	case n <= 90:
		s.pippengerVartime(acc, 5)
	case n <= 170:
		s.pippengerVartime(acc, 6)
	case n <= 400:
		s.pippengerVartime(acc, 7)
	case n <= 1200:
		s.pippengerVartime(acc, 8)
	default:
		s.pippengerVartime(acc, 10)
	}
}

// oneChainVartime is Strauss's method: all parts go through one chain of doublings. Each
// point has a table of odd multiples; one inversion makes them all affine (Montgomery's
// trick).
func (s *Sum) oneChainVartime(acc *secp256k1.Jacobian) {
	s.tables = resize(s.tables, 2*partEntries*len(s.parts))
	s.scales = resize(s.scales, len(s.parts))
	s.products = resize(s.products, len(s.parts))
	table := func(i int) []secp256k1.Affine { return s.tables[2*partEntries*i:][:2*partEntries] }

	product := secp256k1.Element{1}
	for i := range s.parts {
		oddMultiples(table(i)[:partEntries], s.ratios[:], &s.scales[i], &s.parts[i].p)
		s.products[i] = product
		secp256k1.Mul(&product, &product, &s.scales[i])
	}
	secp256k1.InvertVartime(&product, &product)
	for i := len(s.parts) - 1; i >= 0; i-- {
		var z, zz secp256k1.Element
		secp256k1.Mul(&z, &product, &s.products[i])
		secp256k1.Mul(&product, &product, &s.scales[i])
		secp256k1.Sqr(&zz, &z)
		secp256k1.Mul(&z, &zz, &z)
		odd := table(i)[:partEntries]
		for j := range odd {
			secp256k1.Mul(&odd[j].X, &odd[j].X, &zz)
			secp256k1.Mul(&odd[j].Y, &odd[j].Y, &z)
		}
	}

	n := 0
	s.terms = s.terms[:0]
	add := func(k *secp256k1.Scalar, w uint, neg bool, t term) {
		s.terms = append(s.terms, t)
		n = max(n, wnafVartime(&s.terms[len(s.terms)-1].naf, k, w, neg))
	}
	var k1, k2 secp256k1.Scalar
	neg1, neg2 := splitSignedVartime(&k1, &k2, &s.base)
	add(&k1, nafWidthG, neg1, term{table: generatorOdd()})
	add(&k2, nafWidthG, neg2, term{table: generatorOdd(), lambda: true})
	for i := range s.parts {
		p := &s.parts[i]
		odd, endo := table(i)[:partEntries], table(i)[partEntries:]
		add(&secp256k1.Scalar{p.k1[0], p.k1[1]}, nafWidthP, p.neg1, term{table: odd})
		if p.k2 != [2]uint64{} {
			endomorphism(endo, odd)
			add(&secp256k1.Scalar{p.k2[0], p.k2[1]}, nafWidthP, p.neg2, term{table: endo})
		}
	}
	straussVartime(acc, n, s.terms)
}

// resize returns a slice of that length, with any contents.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// passPoints is how many points go through the buckets together, unless one window
// alone has more: enough that an inversion costs little among them, few enough that
// they stay in the cache.
const passPoints = 4096

// pippengerVartime sorts the points into buckets by the digits of their scalars, and
// multiplies the buckets' sums instead of the points (Pippenger, 1976). The digits have
// c bits, 4 ≤ c ≤ 13, and a sign.
//
// With half = 2ᶜ⁻¹ added to every window of c bits of k < 2¹²⁸, a window less half is a
// digit, and the digits of k are those of no other number. There are so many windows
// that cW ≥ 130, and nothing is carried out of the last: Σ half·2ᶜʷ < 0.54·2ᶜᵂ.
func (s *Sum) pippengerVartime(acc *secp256k1.Jacobian, c int) {
	windows := (129 + c) / c
	var half [3]uint64
	for w := range windows {
		bit := c*w + c - 1
		half[bit/64] |= 1 << (bit % 64)
	}
	s.points, s.shifts, s.powers = s.points[:0], s.shifts[:0], s.powers[:0]
	add := func(p secp256k1.Affine, k *[2]uint64, neg bool) {
		if neg {
			secp256k1.Neg(&p.Y, &p.Y)
		}
		var v [3]uint64
		var carry uint64
		v[0], carry = bits.Add64(k[0], half[0], 0)
		v[1], carry = bits.Add64(k[1], half[1], carry)
		v[2] = half[2] + carry
		s.points, s.shifts = append(s.points, p), append(s.shifts, v)
	}
	for i := range s.parts {
		p := &s.parts[i]
		add(p.p, &p.k1, p.neg1)
		if p.k2 != [2]uint64{} {
			q := p.p
			secp256k1.Mul(&q.X, &q.X, &beta)
			add(q, &p.k2, p.neg2)
		}
	}
	step := max(1, passPoints/max(1, len(s.points)))
	for w := 0; w < windows; w += step {
		s.pass(c, w, min(w+step, windows))
	}
	s.addBasePowers()
	s.sumPowers(acc, c*windows+1)
}

// pass adds to the powers what windows from…to−1 contribute. A point with digit d goes
// into bucket |d| of its window. Then the sum of bucket d = 2ʰ·row + column goes into
// those of the row and of the column: that takes two additions for each bucket, and
// leaves about 2·2ʰ sums to be multiplied by numbers of h bits.
func (s *Sum) pass(c, from, to int) {
	half := 1 << (c - 1)
	h := c / 2
	rows, columns := half>>h, 1<<h-1
	value := func(w, d int) int { return (w-from)*half + d - 1 }
	row := func(w, d int) int { return (w-from)*(rows+columns) + d - 1 }
	column := func(w, d int) int { return row(w, d) + rows }

	s.digits = resize(s.digits, (to-from)*len(s.points))
	s.values.begin((to - from) * half)
	digits := s.digits
	for w := from; w < to; w++ {
		limb, shift := c*w/64, c*w%64
		for i := range s.shifts {
			v := &s.shifts[i]
			x := v[limb] >> shift
			if limb < 2 {
				x |= v[limb+1] << (64 - shift)
			}
			d := int(x&(1<<c-1)) - half
			digits[i] = int16(d)
			if d != 0 {
				s.values.count(value(w, max(d, -d)), 1)
			}
		}
		digits = digits[len(s.points):]
	}
	s.values.place()
	digits = s.digits
	for w := from; w < to; w++ {
		for i := range s.points {
			switch d := int(digits[i]); {
			case d > 0:
				*s.values.next(value(w, d)) = s.points[i]
			case d < 0:
				p := s.values.next(value(w, -d))
				p.X = s.points[i].X
				secp256k1.Neg(&p.Y, &s.points[i].Y)
			}
		}
		digits = digits[len(s.points):]
	}
	s.values.sum()

	s.halves.begin((to - from) * (rows + columns))
	for w := from; w < to; w++ {
		for d := 1; d <= rows; d++ {
			s.halves.count(row(w, d), columns+1)
		}
		for d := 1; d <= columns; d++ {
			s.halves.count(column(w, d), rows+1)
		}
	}
	s.halves.place()
	for w := from; w < to; w++ {
		for d := 1; d <= half; d++ {
			p := s.values.at(value(w, d))
			if p == nil {
				continue
			}
			if d>>h > 0 {
				*s.halves.next(row(w, d>>h)) = *p
			}
			if d&columns > 0 {
				*s.halves.next(column(w, d&columns)) = *p
			}
		}
	}
	s.halves.sum()
	for w := from; w < to; w++ {
		for d := 1; d <= rows; d++ {
			s.addPowers(s.halves.at(row(w, d)), d, c*w+h)
		}
		for d := 1; d <= columns; d++ {
			s.addPowers(s.halves.at(column(w, d)), d, c*w)
		}
	}
}

// A power is 2ⁱ·p.
type power struct {
	p secp256k1.Affine
	i int
}

// addPowers adds d·2ⁱ·p, a power for each digit of d in its non-adjacent form. p may be
// nil for infinity.
func (s *Sum) addPowers(p *secp256k1.Affine, d, i int) {
	if p == nil {
		return
	}
	for ; d != 0; d, i = d>>1, i+1 {
		switch d & 3 {
		case 1:
			s.powers = append(s.powers, power{*p, i})
		case 3:
			var minus secp256k1.Affine
			secp256k1.NegAffine(&minus, p, 1)
			s.powers = append(s.powers, power{minus, i})
			d++
		}
	}
}

// addBasePowers adds the multiple of G, from the table of its odd multiples.
func (s *Sum) addBasePowers() {
	var k1, k2 secp256k1.Scalar
	neg1, neg2 := splitSignedVartime(&k1, &k2, &s.base)
	add := func(k *secp256k1.Scalar, neg, endo bool) {
		var naf [nafDigits]int16
		for i := range wnafVartime(&naf, k, nafWidthG, neg) {
			if naf[i] == 0 {
				continue
			}
			var p secp256k1.Affine
			entryVartime(&p, generatorOdd(), naf[i])
			if endo {
				secp256k1.Mul(&p.X, &p.X, &beta)
			}
			s.powers = append(s.powers, power{p, i})
		}
	}
	add(&k1, neg1, false)
	add(&k2, neg2, true)
}

// sumPowers adds up the powers, of which each i is below n.
func (s *Sum) sumPowers(acc *secp256k1.Jacobian, n int) {
	s.bits.begin(n)
	for i := range s.powers {
		s.bits.count(s.powers[i].i, 1)
	}
	s.bits.place()
	for i := range s.powers {
		*s.bits.next(s.powers[i].i) = s.powers[i].p
	}
	s.bits.sum()
	acc.SetInfinity()
	for i := n - 1; i >= 0; i-- {
		secp256k1.Double(acc, acc)
		if p := s.bits.at(i); p != nil {
			secp256k1.AddMixedVartime(acc, acc, p)
		}
	}
}

// buckets hold points that are added up, bucket by bucket: in rounds, each of which
// adds the points of all buckets in pairs. The points stay affine, since the pairs of
// a round share one inversion: 5 multiplications and a squaring each. By tier, pairs go
// through that side by side.
//
// begin, then count of all points, place, next for every point, and sum.
type buckets struct {
	points []secp256k1.Affine // those of one bucket after those of another
	ranges []bucket
	// The pairs of a round whose sum takes an inversion become their first point: those of
	// different points, and those of equal ones.
	pairs, doubles []secp256k1.Pair
	// What is to be inverted for the pairs before each that goes alone, as a product, and
	// in lanes for each group that goes side by side.
	before []secp256k1.Element
	lanes  []secp256k1.Elements
}

type bucket struct{ start, n int32 }

// isNone reports whether a point is (0, 0). It lies on no curve, and stands for infinity.
func isNone(p *secp256k1.Affine) bool {
	return p.X[0]|p.X[1]|p.X[2]|p.X[3]|p.Y[0]|p.Y[1]|p.Y[2]|p.Y[3] == 0
}

// begin makes that many buckets, and empties them.
func (b *buckets) begin(n int) {
	b.ranges = resize(b.ranges, n)
	clear(b.ranges)
}

// count makes room for n points more.
func (b *buckets) count(bucket, n int) { b.ranges[bucket].n += int32(n) }

func (b *buckets) place() {
	n := int32(0)
	for i := range b.ranges {
		r := &b.ranges[i]
		r.start, r.n, n = n, 0, n+r.n
	}
	b.points = resize(b.points, int(n))
}

// next returns where the bucket's next point belongs.
func (b *buckets) next(bucket int) *secp256k1.Affine {
	r := &b.ranges[bucket]
	r.n++
	return &b.points[r.start+r.n-1]
}

// at returns the sum of a bucket, and nil for infinity.
func (b *buckets) at(bucket int) *secp256k1.Affine {
	r := &b.ranges[bucket]
	if r.n == 0 || isNone(&b.points[r.start]) {
		return nil
	}
	return &b.points[r.start]
}

// sum leaves one point in each bucket that has any.
func (b *buckets) sum() {
	for b.pairUp() {
		b.addPairs()
	}
}

// pairUp makes pairs of the points of every bucket, the first half with the second, and
// settles those that need no inversion. It reports whether there were any pairs.
func (b *buckets) pairUp() (paired bool) {
	b.pairs, b.doubles = b.pairs[:0], b.doubles[:0]
	for k := range b.ranges {
		r := &b.ranges[k]
		if r.n < 2 {
			continue
		}
		paired = true
		end := r.start + r.n
		r.n = (r.n + 1) / 2
		for i, j := r.start, r.start+r.n; j < end; i, j = i+1, j+1 {
			p, q := &b.points[i], &b.points[j]
			switch {
			case isNone(q):
			case isNone(p):
				*p = *q
			case !p.X.Equal(&q.X):
				b.pairs = append(b.pairs, secp256k1.Pair{I: i, J: j})
			case p.Y.Equal(&q.Y):
				b.doubles = append(b.doubles, secp256k1.Pair{I: i, J: j})
			default:
				*p = secp256k1.Affine{}
			}
		}
	}
	return paired
}

// minGroups is the smallest number of groups of pairs that are added in less time side by side
// than one by one.
const minGroups = 2

// addPairs adds the pairs. There is one inversion, of the product of what is to be inverted
// for all: first come the products of each lane, then the pairs that go alone, then doubles.
func (b *buckets) addPairs() {
	groups := 0
	if secp256k1.HasLanes() && len(b.pairs) >= minGroups*secp256k1.Lanes {
		groups = len(b.pairs) / secp256k1.Lanes
	}
	group := func(g int) *[secp256k1.Lanes]secp256k1.Pair {
		return (*[secp256k1.Lanes]secp256k1.Pair)(b.pairs[secp256k1.Lanes*g:])
	}
	alone := b.pairs[secp256k1.Lanes*groups:]

	var ofLane, beforeLane [secp256k1.Lanes]secp256k1.Element
	product := secp256k1.Element{1}
	if groups > 0 {
		b.lanes = resize(b.lanes, groups+1)
		b.lanes[0].SetOne()
		for g := range groups {
			secp256k1.MulDifferenceLanes(&b.lanes[g+1], &b.lanes[g], b.points, group(g))
		}
		for j := range ofLane {
			b.lanes[groups].Get(j, &ofLane[j])
			beforeLane[j] = product
			secp256k1.Mul(&product, &product, &ofLane[j])
		}
	}
	b.before = resize(b.before, len(alone)+len(b.doubles))
	for k, pair := range alone {
		var d secp256k1.Element
		secp256k1.Sub(&d, &b.points[pair.J].X, &b.points[pair.I].X)
		b.before[k] = product
		secp256k1.Mul(&product, &product, &d)
	}
	for k, pair := range b.doubles {
		var d secp256k1.Element
		p := &b.points[pair.I]
		secp256k1.Add(&d, &p.Y, &p.Y)
		b.before[len(alone)+k] = product
		secp256k1.Mul(&product, &product, &d)
	}

	inverse := product
	secp256k1.InvertVartime(&inverse, &inverse)
	for k := len(b.doubles) - 1; k >= 0; k-- {
		doubleAffine(&b.points[b.doubles[k].I], &inverse, &b.before[len(alone)+k])
	}
	for k := len(alone) - 1; k >= 0; k-- {
		secp256k1.AddAffine(&b.points[alone[k].I], &b.points[alone[k].J], &inverse, &b.before[k])
	}
	if groups > 0 {
		var inverses secp256k1.Elements
		for j := len(ofLane) - 1; j >= 0; j-- {
			secp256k1.Mul(&beforeLane[j], &beforeLane[j], &inverse)
			secp256k1.Mul(&inverse, &inverse, &ofLane[j])
			inverses.Put(j, &beforeLane[j])
		}
		for g := groups - 1; g >= 0; g-- {
			secp256k1.AddAffineLanes(b.points, group(g), &inverses, &b.lanes[g])
		}
	}
}

// doubleAffine sets p = 2p as [secp256k1.AddAffine] adds: inverse·before is 1/2Y.
func doubleAffine(p *secp256k1.Affine, inverse, before *secp256k1.Element) {
	var d, slope, t secp256k1.Element
	secp256k1.Add(&d, &p.Y, &p.Y)
	secp256k1.Mul(&slope, inverse, before)
	secp256k1.Mul(inverse, inverse, &d)
	secp256k1.Sqr(&t, &p.X)
	secp256k1.Add(&d, &t, &t)
	secp256k1.Add(&t, &t, &d) // 3X²
	secp256k1.Mul(&slope, &slope, &t)
	secp256k1.Sqr(&t, &slope)
	secp256k1.Sub(&t, &t, &p.X)
	secp256k1.Sub(&t, &t, &p.X)
	secp256k1.Sub(&d, &p.X, &t)
	p.X = t
	secp256k1.Mul(&d, &d, &slope)
	secp256k1.Sub(&p.Y, &d, &p.Y)
}
