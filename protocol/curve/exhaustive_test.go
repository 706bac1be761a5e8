package curve

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// The group code uses neither the 7 of y² = x³ + 7 nor the order of the group,
// so it serves every curve y² = x³ + b over the same field. Some of these have
// subgroups so small that every pair of points can be added, and where sums meet
// equal, opposite and infinite points all the time; on secp256k1 itself no test
// comes to one but by construction.
//
// What stays outside: BaseMult, whose table is of secp256k1; lifting, which is
// not group code; and the split of a scalar, which is fixed modulo n, so that
// digits are injected here.

// group is a subgroup of prime order on y² = x³ + b that the endomorphism maps
// to itself: λ(x, y) = (βx, y).
//
// The six values that the order of such a curve can have follow from n alone:
// they are p + 1 − t for t = ±t₇, ±(t₇ ± 3v)/2, with t₇ = p + 1 − n and
// 3v² = 4p − t₇². Three of them are divisible by 7, 13 and 199, to the powers 2, 2
// and 1. The curve of each order was found by multiplying points over x = 1, 2, 3…
// by it. A generator is then the first such point that, times what is left of the
// order without the prime and as often times the prime as it stays finite, is an
// eigenvector of the endomorphism (all points of order 7 are 7², most of them
// not). fill proves what is needed.
type group struct {
	b, order, lambda int64
	generator        point

	multiples []point            // k·generator, k < order
	affine    []secp256k1.Affine // the same
}

func smallGroups(t *testing.T) []*group {
	t.Helper()
	groups := []*group{
		{b: 6, order: 7, lambda: 2, generator: point{
			number("2326e2a429e640018bf4f59e42fe81a0c46a3e86f8c5d90da03e0844148f6b6"),
			number("1e60e897a7c00c7c2df53eb698274ff464252f428ca44e173b25418cff4ab0cf"),
		}},
		{b: 2, order: 13, lambda: 9, generator: point{
			number("3ad3e1ec92dc070a346a975330b12e1d929c645be56584aa88e489aa3d68746b"),
			number("54cb1b6bdc8c1273087844ea43f4603e0eaf9a43f6effe55939f806d37adf8ac"),
		}},
		{b: 4, order: 199, lambda: 92, generator: point{
			number("fa7cc9a70737f2dba749dd392b4fb0693b017a7da808c2f1fb12940c9ea66c18"),
			number("78ac123a5ed8aef38732bc911f3a286848df246c808dae72cfe525727f0501ed"),
		}},
	}
	for _, g := range groups {
		g.fill(t)
	}
	return groups
}

// fill proves that the generator has the order, and that λ is what it is said to
// be, by the reference.
func (g *group) fill(t *testing.T) {
	t.Helper()
	x, y := g.generator.x, g.generator.y
	if mod(sub(mul(y, y), add(mul(mul(x, x), x), big.NewInt(g.b))), bigP).Sign() != 0 {
		t.Fatalf("order %d: the generator is not on y² = x³ + %d", g.order, g.b)
	}
	p := point{}
	for k := range g.order {
		if k > 0 && p.infinite() {
			t.Fatalf("order %d: the generator has order %d", g.order, k)
		}
		g.multiples = append(g.multiples, p)
		a := secp256k1.Affine{}
		if k > 0 {
			a = p.affine()
		}
		g.affine = append(g.affine, a)
		p = p.add(g.generator)
	}
	if !p.infinite() {
		t.Fatalf("order %d: that multiple of the generator is %v", g.order, p)
	}
	if got, want := g.multiples[g.lambda], (point{mod(mul(x, bigBeta), bigP), y}); !got.equal(want) {
		t.Fatalf("order %d: %d times the generator is %v, want (β·x, y) = %v", g.order, g.lambda, got, want)
	}
}

func (g *group) reduce(k int64) int64 { return ((k % g.order) + g.order) % g.order }

// element returns a random element that is not zero.
func element(r *rand.Rand) secp256k1.Element {
	return secp256k1.Element{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64() | 1}
}

// jacobian returns k times the generator with that Z, and for infinity with any
// X and Y and both forms of zero.
func (g *group) jacobian(r *rand.Rand, k int64, z secp256k1.Element) (j secp256k1.Jacobian) {
	if k == 0 {
		j = secp256k1.Jacobian{X: element(r), Y: element(r)}
		if r.IntN(2) == 1 {
			j.Z = limbs(bigP)
		}
		return j
	}
	a := g.affine[k]
	rescale(&a, &z)
	return secp256k1.Jacobian{X: a.X, Y: a.Y, Z: z}
}

// is reports whether j is k times the generator. It does not invert: there are
// too many.
func (g *group) is(j *secp256k1.Jacobian, k int64) bool {
	if k = g.reduce(k); k == 0 || j.IsInfinity() {
		return k == 0 && j.IsInfinity()
	}
	want := g.affine[k]
	rescale(&want, &j.Z)
	return want.X.Equal(&j.X) && want.Y.Equal(&j.Y)
}

// eachGroup runs test for every tier and group.
func eachGroup(t *testing.T, test func(t *testing.T, g *group, r *rand.Rand)) {
	t.Helper()
	groups := smallGroups(t)
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		for _, g := range groups {
			t.Run(fmt.Sprint("order=", g.order), func(t *testing.T) { test(t, g, testkit.Rand(t)) })
		}
	})
}

// zs are the Z to try: one, one in its other form, and a random one.
func zs(r *rand.Rand) []secp256k1.Element {
	return []secp256k1.Element{{1}, limbs(add(bigP, one)), element(r)}
}

func TestExhaustiveDoublings(t *testing.T) {
	eachGroup(t, func(t *testing.T, g *group, r *rand.Rand) {
		for k := range g.order {
			for _, z := range zs(r) {
				p := g.jacobian(r, k, z)
				var d secp256k1.Jacobian
				if secp256k1.Double(&d, &p); !g.is(&d, 2*k) {
					t.Fatalf("2·%d: %x", k, d)
				}
				for n := 1; n <= 10; n++ {
					if secp256k1.DoubleN(&d, &p, n); !g.is(&d, k<<n) {
						t.Fatalf("2^%d·%d: %x", n, k, d)
					}
				}
				if d = p; !g.is(&d, k) {
					t.Fatalf("%d changed: %x", k, d)
				}
				if secp256k1.DoubleN(&d, &d, 5); !g.is(&d, 32*k) {
					t.Fatalf("32·%d in place: %x", k, d)
				}
			}
		}
	})
}

// TestExhaustiveAdditions adds every pair of points, of which the first may be
// infinity. In the group of order 199 each pair has one Z of the three
// at random, and all under SEALWRIGHT_LONG.
func TestExhaustiveAdditions(t *testing.T) {
	eachGroup(t, func(t *testing.T, g *group, r *rand.Rand) {
		for i := range g.order {
			var ps []secp256k1.Jacobian
			for _, z := range zs(r) {
				ps = append(ps, g.jacobian(r, i, z))
			}
			for j := int64(1); j < g.order; j++ {
				if g.order == 199 && !testkit.Long() {
					g.addPair(t, r, i, j, &ps[r.IntN(len(ps))])
					continue
				}
				for n := range ps {
					g.addPair(t, r, i, j, &ps[n])
				}
			}
			for n := range ps {
				if !g.is(&ps[n], i) {
					t.Fatalf("%d changed: %x", i, ps[n])
				}
			}
		}
	})
}

// addPair adds the points i and j ≠ 0 of the group, p being i.
func (g *group) addPair(t *testing.T, r *rand.Rand, i, j int64, p *secp256k1.Jacobian) {
	t.Helper()
	check := func(name string, d *secp256k1.Jacobian) {
		t.Helper()
		if !g.is(d, i+j) {
			t.Fatalf("%s of %d (%x) and %d: %x", name, i, *p, j, *d)
		}
	}
	var d secp256k1.Jacobian
	q := g.affine[j]
	secp256k1.AddMixed(&d, p, &q)
	check("AddMixed", &d)
	d = *p
	secp256k1.AddMixed(&d, &d, &q)
	check("AddMixed in place", &d)
	secp256k1.AddMixedVartime(&d, p, &q)
	check("AddMixedVartime", &d)
	d = *p
	secp256k1.AddMixedVartime(&d, &d, &q)
	check("AddMixedVartime in place", &d)

	// On y² = x³ + b·s⁶, (X/Z², Y/Z³) is s², s³ times the point meant: with Z
	// taken by s less, it is the point over Z·s.
	s := element(r)
	scaled := *p
	if i != 0 {
		a := g.affine[i]
		rescale(&a, &s)
		rescale(&a, &p.Z)
		scaled = secp256k1.Jacobian{X: a.X, Y: a.Y, Z: p.Z}
	}
	secp256k1.AddScaledVartime(&d, &scaled, &q, &s)
	secp256k1.Mul(&d.Z, &d.Z, &s)
	check("AddScaledVartime", &d)
	secp256k1.AddScaledVartime(&scaled, &scaled, &q, &s)
	secp256k1.Mul(&scaled.Z, &scaled.Z, &s)
	check("AddScaledVartime in place", &scaled)

	if i == 0 || i == j || i+j == g.order {
		return // the others take distinct finite points that are not opposite
	}
	secp256k1.AddMixedDistinct(&d, p, &q)
	check("AddMixedDistinct", &d)
	d = *p
	secp256k1.AddMixedDistinct(&d, &d, &q)
	check("AddMixedDistinct in place", &d)

	var h secp256k1.Element
	sum, step := secp256k1.Affine{X: p.X, Y: p.Y}, q
	rescale(&step, &p.Z)
	secp256k1.AddCoZ(&sum, &step, &h)
	secp256k1.Mul(&h, &h, &p.Z)
	d = secp256k1.Jacobian{X: sum.X, Y: sum.Y, Z: h}
	check("AddCoZ", &d)
	if d = (secp256k1.Jacobian{X: step.X, Y: step.Y, Z: h}); !g.is(&d, j) {
		t.Fatalf("AddCoZ of %d and %d: the second becomes %x", i, j, d)
	}
}

// odds returns the number of odd multiples that oddMultiples can make: all below
// the order.
func (g *group) odds() int { return int(g.order / 2) }

// tablesOf returns those of k times the generator.
func (g *group) tablesOf(k int64, entries int) tables {
	t := tables{odd: make([]secp256k1.Affine, entries), endo: make([]secp256k1.Affine, entries)}
	oddMultiples(t.odd, make([]secp256k1.Element, entries), &t.gz, &g.affine[k])
	endomorphism(t.endo, t.odd)
	return t
}

// TestExhaustiveTables makes the longest table there is of every point. In the
// groups of order 7 and 13 it is shorter than those that multiply and
// VerifyVartime use: 7p and 13p are infinite, which an entry cannot be.
func TestExhaustiveTables(t *testing.T) {
	eachGroup(t, func(t *testing.T, g *group, r *rand.Rand) {
		for k := int64(1); k < g.order; k++ {
			p := g.tablesOf(k, g.odds())
			over := func(a *secp256k1.Affine) *secp256k1.Jacobian {
				return &secp256k1.Jacobian{X: a.X, Y: a.Y, Z: p.gz}
			}
			for i := range p.odd {
				d := int64(2*i + 1)
				if !g.is(over(&p.odd[i]), d*k) {
					t.Fatalf("%d·%d: %x", d, k, p.odd[i])
				}
				if !g.is(over(&p.endo[i]), d*g.lambda*k) {
					t.Fatalf("%d·λ·%d: %x", d, k, p.endo[i])
				}
			}
			// All digits of a window, where the table has as many entries.
			for v := range uint8(1 << halfBits) {
				if g.odds() < halfEntries {
					break
				}
				var e secp256k1.Affine
				lookupSigned(&e, p.odd[:halfEntries], v, halfBits)
				if d := 2*int64(v) - (1<<halfBits - 1); !g.is(over(&e), d*k) {
					t.Fatalf("window %d of %d: %x", v, k, e)
				}
			}
		}
	})
}

// chain drives straussVartime with the digits of integers.
type chain struct {
	g      *group
	width  uint // of the digits
	base   []secp256k1.Affine
	points []tables // of k times the generator, k < order; the first is empty
}

// tables are the odd multiples of a point and of λ times it, over gz.
type tables struct {
	odd, endo []secp256k1.Affine
	gz        secp256k1.Element
}

// half is an integer, modulo the order and in digits.
type half struct {
	value  *big.Int
	mod    int64
	digits [nafDigits]int16
	n      int
}

// newChain takes digits that the tables of the group have entries for: below 7
// and 13 in the groups of this order.
func newChain(g *group) *chain {
	c := &chain{g: g, width: 3}
	for 1<<(c.width-1) < g.odds() && c.width < nafWidthP {
		c.width++
	}
	for d := int64(1); d < 1<<(c.width-1); d += 2 {
		c.base = append(c.base, g.affine[d])
	}
	c.points = make([]tables, 1, g.order)
	for k := int64(1); k < g.order; k++ {
		c.points = append(c.points, g.tablesOf(k, len(c.base)))
	}
	return c
}

// half takes integers of at most 127 bits and a sign.
func (c *chain) half(value *big.Int) *half {
	h := &half{value: value, mod: mod(value, big.NewInt(c.g.order)).Int64()}
	k := scalar(new(big.Int).Abs(value))
	h.n = wnafVartime(&h.digits, &k, c.width, value.Sign() < 0)
	return h
}

// check runs s1·G + s2·λG + e1·P + e2·λP for P = k·G.
func (c *chain) check(t *testing.T, k int64, s1, s2, e1, e2 *half) {
	t.Helper()
	p := &c.points[k]
	var acc secp256k1.Jacobian
	n := max(s1.n, s2.n, e1.n, e2.n)
	straussVartime(&acc, n, []term{
		{naf: s1.digits, table: c.base, scale: &p.gz},
		{naf: s2.digits, table: c.base, scale: &p.gz, lambda: true},
		{naf: e1.digits, table: p.odd},
		{naf: e2.digits, table: p.endo},
	})
	secp256k1.Mul(&acc.Z, &acc.Z, &p.gz)
	if want := s1.mod + s2.mod*c.g.lambda + k*(e1.mod+e2.mod*c.g.lambda); !c.g.is(&acc, want) {
		t.Fatalf("halves %v, %v, %v and %v, P = %d·G: %x, want %d·G", s1.value, s2.value, e1.value, e2.value, k, acc, c.g.reduce(want))
	}
}

// TestExhaustiveStrauss runs the chain of VerifyVartime, with narrower digits in
// the groups of order 7 and 13, where 7p and 13p have no entry in a table. There
// it takes all four halves, so that s and e take all values in all ways; in the
// group of order 199 it takes every pair (s, e) and splits it at random. Every point
// is tried with every pair in the group of order 7, and in the others under
// SEALWRIGHT_LONG, else one.
func TestExhaustiveStrauss(t *testing.T) {
	eachGroup(t, func(t *testing.T, g *group, r *rand.Rand) {
		c := newChain(g)
		var halves [2][]*half // of k and of the negative k − order
		for k := range g.order {
			halves[0] = append(halves[0], c.half(big.NewInt(k)))
			halves[1] = append(halves[1], c.half(big.NewInt(k-g.order)))
		}
		signed := func(k int64) *half { return halves[r.IntN(2)][g.reduce(k)] }
		split := func(k int64) (k1, k2 *half) {
			k2 = signed(r.Int64N(g.order))
			return signed(k - k2.mod*g.lambda), k2
		}
		pair := func(s, e, p int64) {
			if g.order == 199 {
				s1, s2 := split(s)
				e1, e2 := split(e)
				c.check(t, p, s1, s2, e1, e2)
				return
			}
			for i := range g.order * g.order {
				c.check(t, p, signed(s), signed(i/g.order), signed(e), signed(i%g.order))
			}
		}
		for s := range g.order {
			for e := range g.order {
				if g.order > 7 && !testkit.Long() {
					pair(s, e, 1+r.Int64N(g.order-1))
					continue
				}
				for p := int64(1); p < g.order; p++ {
					pair(s, e, p)
				}
			}
		}
		// Chains of full length.
		for range 500 {
			var long [4]*half
			for i := range long {
				v := mod(random(r), pow2(127))
				if r.IntN(2) == 1 {
					v.Neg(v)
				}
				long[i] = c.half(v)
			}
			c.check(t, 1+r.Int64N(g.order-1), long[0], long[1], long[2], long[3])
		}
	})
}

// TestExhaustiveMultiply injects windows into the core of ECDH, in the group of
// order 199 alone: a table up to 31p does not exist in the others. The proof
// beside multiply that no addition before the last window meets equal or opposite
// points rests on the order n and is false here; windows are drawn, the highest
// first, until it is true of them. So this tests the additions, the tables and,
// with every pair of digits, the complete additions of the last window, but not
// that proof.
func TestExhaustiveMultiply(t *testing.T) {
	eachGroup(t, func(t *testing.T, g *group, r *rand.Rand) {
		if g.odds() < halfEntries {
			t.Skip("not applicable: the group is smaller than the table")
		}
		const digits = 1 << halfBits
		digit := func(v uint8) int64 { return 2*int64(v) - (digits - 1) }
		// met counts the last additions by what they meet.
		var met struct{ infinite, equal, opposite, other int }
		note := func(sum, q int64) {
			switch sum, q = g.reduce(sum), g.reduce(q); {
			case sum == 0:
				met.infinite++
			case sum == q:
				met.equal++
			case sum == g.order-q:
				met.opposite++
			default:
				met.other++
			}
		}
		check := func(k int64, w1, w2 *[halfWindows]uint8, sum int64) {
			t.Helper()
			note(sum<<halfBits, digit(w1[0]))
			note(sum<<halfBits+digit(w1[0]), digit(w2[0])*g.lambda)
			sum = sum<<halfBits + digit(w1[0]) + digit(w2[0])*g.lambda
			var acc secp256k1.Jacobian
			multiply(&acc, w1, w2, &g.affine[k])
			if !g.is(&acc, g.reduce(sum)*k) {
				t.Fatalf("windows %v and %v of %d: %x, want %d·G", w1, w2, k, acc, g.reduce(g.reduce(sum)*k))
			}
			if k%secp256k1.Lanes != 1 {
				return
			}
			// This point and those after it, side by side.
			at := func(i int) int64 { return 1 + (k-1+int64(i))%(g.order-1) }
			var sums [secp256k1.Lanes]secp256k1.Jacobian
			var points secp256k1.AffineLanes
			for i := range sums {
				points.Put(i, &g.affine[at(i)])
			}
			multiplyLanes(&sums, w1, w2, &points)
			for i := range sums {
				if !g.is(&sums[i], g.reduce(sum)*at(i)) {
					t.Fatalf("windows %v and %v of %d, side by side: %x, want %d·G", w1, w2, at(i), sums[i], g.reduce(g.reduce(sum)*at(i)))
				}
			}
		}
		for k := int64(1); k < g.order; k++ {
			var w1, w2 [halfWindows]uint8
			sum := g.drawWindows(r, &w1, &w2)
			if k == 1 || testkit.Long() {
				for v := range digits * digits {
					w1[0], w2[0] = uint8(v%digits), uint8(v/digits)
					check(k, &w1, &w2, sum)
				}
			}
			for range 20 {
				w1[0], w2[0] = uint8(r.IntN(digits)), uint8(r.IntN(digits))
				check(k, &w1, &w2, sum)
			}
		}
		if met.infinite == 0 || met.equal == 0 || met.opposite == 0 || met.other == 0 {
			t.Fatalf("last additions met %+v: not all cases", met)
		}
	})
}

// drawWindows draws all windows but the last such that no addition meets a sum
// that is infinite, equal or opposite. It returns what they stand for, modulo the
// order.
func (g *group) drawWindows(r *rand.Rand, w1, w2 *[halfWindows]uint8) (sum int64) {
	for i := halfWindows - 1; i > 0; {
		v1, v2 := uint8(r.IntN(1<<halfBits)), uint8(r.IntN(1<<halfBits))
		d1, d2 := 2*int64(v1)-(1<<halfBits-1), 2*int64(v2)-(1<<halfBits-1)
		before := g.reduce(sum << halfBits)
		between := g.reduce(before + d1)
		first := i == halfWindows-1
		distinct := func(a, q int64) bool { return a != 0 && g.reduce(a-q) != 0 && g.reduce(a+q) != 0 }
		if !first && !distinct(before, d1) || !distinct(between, d2*g.lambda) {
			continue
		}
		w1[i], w2[i] = v1, v2
		// A sum of zero has no way on.
		if next := g.reduce(between + d2*g.lambda); next != 0 {
			sum = next
			i--
		}
	}
	return sum
}
