package curve

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// sumCase is a sum of multiples of points d·G, and what it comes to.
type sumCase struct {
	sum  Sum
	want *big.Int
}

func (c *sumCase) reset() {
	c.sum.Reset()
	c.want = new(big.Int)
}

func (c *sumCase) base(k *big.Int) {
	s := scalar(k)
	c.sum.AddBase(&s)
	c.want = mod(add(c.want, k), bigN)
}

// add adds k·(d·G), p being d·G.
func (c *sumCase) add(k, d *big.Int, p *secp256k1.Affine) {
	s := scalar(k)
	c.sum.AddVartime(&s, p)
	c.want = mod(add(c.want, mul(k, d)), bigN)
}

func (c *sumCase) short(k, d *big.Int, p *secp256k1.Affine) {
	v := limbs(k)
	c.sum.AddShort((*[2]uint64)(v[:2]), p)
	c.want = mod(add(c.want, mul(k, d)), bigN)
}

// widths are those of the digits of pippengerVartime.
var widths = []int{4, 5, 6, 7, 8, 9, 10, 11, 12, 13}

// check runs the methods with the widths given, and the one that is chosen.
func (c *sumCase) check(t *testing.T, name string, widths ...int) {
	t.Helper()
	want := bigG.mul(c.want)
	is := func(method string, acc *secp256k1.Jacobian) {
		t.Helper()
		var a secp256k1.Affine
		secp256k1.ToAffine(&a, acc)
		if got := pointOf(&a); !got.equal(want) {
			t.Fatalf("%s, %s of %d points: %v, want %v", name, method, len(c.sum.parts), got, want)
		}
	}
	var acc secp256k1.Jacobian
	c.sum.vartime(&acc)
	is("as chosen", &acc)
	c.sum.oneChainVartime(&acc)
	is("Strauss", &acc)
	for _, w := range widths {
		c.sum.pippengerVartime(&acc, w)
		is(fmt.Sprint("Pippenger by ", w), &acc)
	}
	if got := c.sum.IsInfinityVartime(); got != want.infinite() {
		t.Fatalf("%s: infinity: %v, want %v", name, got, want)
	}
}

// points returns some d and d·G, of which the first are related to one another: equal
// and opposite ones, and those that the endomorphism gives.
func relatedPoints(r *rand.Rand, n int) (ds []*big.Int, ps []secp256k1.Affine) {
	d := random(r)
	for _, k := range []*big.Int{one, one, big.NewInt(-1), big.NewInt(2), bigLambda, sub(new(big.Int), bigLambda), mul(bigLambda, bigLambda)} {
		ds = append(ds, mod(mul(d, k), bigN))
	}
	ds = append(ds, one, sub(bigN, one), bigLambda)
	for len(ds) < n {
		ds = append(ds, random(r))
	}
	for _, d := range ds {
		ps = append(ps, bigG.mul(d).affine())
	}
	return ds, ps
}

func TestSum(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := testkit.Rand(t)
		ds, ps := relatedPoints(r, 60)
		edges := scalarEdges()
		var c sumCase // used again and again
		for _, n := range []int{0, 1, 2, 3, 10, 24, 25, 40, 60, 90, 180, 300, 700, 20, 5} {
			c.reset()
			c.base(random(r))
			for i := range n {
				j := i % len(ds)
				if i%2 == 0 {
					c.short(new(big.Int).Rsh(random(r), 128), ds[j], &ps[j])
				} else {
					c.add(random(r), ds[j], &ps[j])
				}
			}
			some := widths
			if n > 90 {
				some = []int{4, 7, 10, 13}
			}
			c.check(t, "random scalars", some...)
			c.base(sub(bigN, c.want))
			c.check(t, "infinity", some...)
			if !c.sum.IsInfinityVartime() {
				t.Fatalf("the sum of %d is not infinity", n)
			}
			c.base(one)
			c.check(t, "G", 8)
		}
		// Scalars at which digits, halves and carries turn, each with points that meet.
		for part := range slices.Chunk(edges, 40) {
			c.reset()
			for i, k := range part {
				j := r.IntN(10)
				c.add(mod(k, bigN), ds[j], &ps[j])
				if i%3 == 0 {
					c.base(k)
				}
			}
			c.check(t, "edges", 4, 5, 8, 10, 13)
		}
		c.reset()
		for i := range 128 {
			c.short(pow2(uint(i)), ds[i%4], &ps[i%4])
			c.short(sub(pow2(128), pow2(uint(i))), ds[i%5], &ps[i%5])
		}
		c.check(t, "powers of two", widths...)
	})
}

// One scalar and one point, or opposite ones, many times: every bucket that is met gets
// nothing but equal points, or as many opposite ones.
func TestSumEqual(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := testkit.Rand(t)
		ds, ps := relatedPoints(r, 10)
		var c sumCase
		for _, n := range []int{2, 3, 7, 8, 30, 64, 101} {
			k, short := random(r), new(big.Int).Rsh(random(r), 128)
			for _, pair := range [][2]int{{0, 0}, {0, 1}, {0, 2}, {0, 4}, {7, 7}, {7, 8}, {7, 9}} {
				c.reset()
				for i := range n {
					j := pair[i%2]
					c.add(k, ds[j], &ps[j])
					c.short(short, ds[j], &ps[j])
				}
				c.check(t, "equal scalars", 4, 5, 6, 7, 8, 10)
				c.base(sub(bigN, c.want))
				c.check(t, "equal scalars and infinity", 4, 5, 6, 7, 8, 10)
			}
		}
	})
}

// The sum in small groups, where equal, opposite and infinite points meet all the time.
// Halves are injected, since a scalar is split modulo the order of secp256k1.
func TestExhaustiveSum(t *testing.T) {
	eachGroup(t, func(t *testing.T, g *group, r *rand.Rand) {
		var s Sum
		var acc secp256k1.Jacobian
		rounds := 150
		if testkit.Long() {
			rounds = 3000
		}
		order := new(big.Int).SetInt64(g.order)
		half := func() (k [2]uint64, neg bool, v int64) {
			x := new(big.Int).Rsh(random(r), uint(128+r.IntN(127)))
			if r.IntN(8) == 0 {
				x = sub(pow2(uint(1+r.IntN(128))), one)
			}
			l := limbs(x)
			v = mod(x, order).Int64()
			if neg = r.IntN(2) == 1; neg {
				v = -v
			}
			return [2]uint64(l[:2]), neg, v
		}
		for round := range rounds {
			s.Reset()
			want := int64(0)
			for range 1 + r.IntN(60) {
				i := 1 + r.Int64N(g.order-1)
				p := part{p: g.affine[i]}
				var v1, v2 int64
				p.k1, p.neg1, v1 = half()
				if r.IntN(3) > 0 {
					p.k2, p.neg2, v2 = half()
				}
				s.parts = append(s.parts, p)
				want = g.reduce(want + i*g.reduce(v1+v2*g.lambda))
			}
			c := widths[round%len(widths)]
			if s.pippengerVartime(&acc, c); !g.is(&acc, want) {
				t.Fatalf("Pippenger by %d: %x, want %d·G, of %+v", c, acc, want, s.parts)
			}
			if g.odds() < partEntries {
				continue // 7p and 13p have no entry in a table
			}
			if s.oneChainVartime(&acc); !g.is(&acc, want) {
				t.Fatalf("Strauss: %x, want %d·G, of %+v", acc, want, s.parts)
			}
		}
	})
}

// TestExhaustiveBuckets fills buckets with all lists of points of some lengths, and
// infinite ones among them, as sums of a round before may be.
func TestExhaustiveBuckets(t *testing.T) {
	eachGroup(t, func(t *testing.T, g *group, r *rand.Rand) {
		var b buckets
		most := map[int64]int{7: 5, 13: 3, 199: 2}[g.order]
		for n := 1; n <= most; n++ {
			lists := 1
			for range n {
				lists *= int(g.order)
			}
			// Bucket i has the digits of i to the base of the order, and an empty one
			// comes after each.
			b.begin(2 * lists)
			for i := range lists {
				b.count(2*i, n)
			}
			b.place()
			want := make([]int64, lists)
			for i := range lists {
				for j, rest := 0, int64(i); j < n; j, rest = j+1, rest/g.order {
					k := rest % g.order
					*b.next(2 * i) = g.affine[k]
					want[i] += k
				}
			}
			b.sum()
			g.sameSums(t, &b, want)
		}
		// Long lists, of few points, so that sums of many rounds meet.
		want := make([]int64, 200)
		b.begin(2 * len(want))
		lengths := make([]int, len(want))
		for i := range lengths {
			lengths[i] = r.IntN(100)
			b.count(2*i, lengths[i])
		}
		b.place()
		for i, n := range lengths {
			few := []int64{r.Int64N(g.order), r.Int64N(g.order)}
			few = append(few, g.order-few[0])
			for range n {
				k := few[r.IntN(3)] % g.order
				p := b.next(2 * i)
				*p = g.affine[k]
				// The other form of a small coordinate, and any of others.
				for _, e := range []*secp256k1.Element{&p.X, &p.Y} {
					if x := add(bigE(e), bigP); k != 0 && x.BitLen() <= 256 {
						*e = limbs(x)
					}
				}
				want[i] += k
			}
		}
		b.sum()
		g.sameSums(t, &b, want)
	})
}

func (g *group) sameSums(t *testing.T, b *buckets, want []int64) {
	t.Helper()
	for i, k := range want {
		sum := secp256k1.Jacobian{}
		if p := b.at(2 * i); p != nil {
			sum.SetAffine(p)
		}
		if !g.is(&sum, k) {
			t.Fatalf("bucket %d: %x, want %d·G", i, sum, g.reduce(k))
		}
		if p := b.at(2*i + 1); p != nil {
			t.Fatalf("the empty bucket after %d has %x", i, p)
		}
	}
}

// A sum that is made again in the same memory allocates nothing.
func TestSumAllocations(t *testing.T) {
	r := newRand()
	ds, ps := relatedPoints(r, 20)
	var c sumCase
	c.reset()
	for i := range 100 {
		c.add(random(r), ds[i%20], &ps[i%20])
		c.short(new(big.Int).Rsh(random(r), 128), ds[i%20], &ps[i%20])
	}
	k := scalar(bigLambda)
	testkit.Allocs(t, "a sum of 200", 0, func() {
		c.sum.Reset()
		for i := range 100 {
			c.sum.AddVartime(&k, &ps[i%20])
			c.sum.AddShort(&[2]uint64{1, 2}, &ps[i%20])
		}
		c.sum.IsInfinityVartime()
	})
	testkit.Allocs(t, "a sum of 10", 0, func() {
		c.sum.Reset()
		for i := range 10 {
			c.sum.AddVartime(&k, &ps[i])
		}
		c.sum.IsInfinityVartime()
	})
}

// FuzzSum takes points that are related, and scalars of few or many bits.
func FuzzSum(f *testing.F) {
	f.Add([]byte{1, 2, 3}, uint64(1), uint8(10), uint8(5))
	f.Add([]byte{0xff, 0, 0xff, 0}, uint64(2), uint8(90), uint8(9))
	f.Add([]byte{0, 0, 0}, uint64(3), uint8(255), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64, n, width uint8) {
		r := rand.New(rand.NewPCG(seed, 340))
		ds := []*big.Int{one, sub(bigN, one), bigLambda, random(r), random(r)}
		ds = append(ds, mod(mul(ds[3], bigLambda), bigN), sub(bigN, ds[3]), add(ds[3], one))
		var ps []secp256k1.Affine
		for _, d := range ds {
			var p secp256k1.Affine
			k := scalar(d)
			BaseMult(&p, &k)
			ps = append(ps, p)
		}
		var c sumCase
		c.reset()
		c.base(integer(data))
		scalars := []*big.Int{integer(data), random(r), sub(bigN, mod(integer(data), bigN))}
		for i := range int(n) {
			var b byte
			if len(data) > 0 {
				b = data[i%len(data)]
			}
			k, j := scalars[int(b>>3)%len(scalars)], int(b+byte(i))%len(ds)
			if b&4 != 0 {
				k = new(big.Int).Rsh(random(r), uint(b))
			}
			if b&1 != 0 {
				c.short(mod(k, pow2(128)), ds[j], &ps[j])
			} else {
				c.add(mod(k, bigN), ds[j], &ps[j])
			}
		}
		var want, got secp256k1.Affine
		total := scalar(c.want)
		BaseMult(&want, &total)
		for method, f := range []func(acc *secp256k1.Jacobian){
			c.sum.vartime, c.sum.oneChainVartime,
			func(acc *secp256k1.Jacobian) { c.sum.pippengerVartime(acc, 4+int(width)%10) },
		} {
			var acc secp256k1.Jacobian
			f(&acc)
			if secp256k1.ToAffine(&got, &acc); got != want {
				t.Fatalf("method %d: %x, want %x", method, got, want)
			}
		}
		if got := c.sum.IsInfinityVartime(); got != (c.want.Sign() == 0) {
			t.Fatalf("infinity: %v, the sum is %x", got, c.want)
		}
	})
}

// BenchmarkStudySum measures other ways to add up the points of a batch of signatures
// than the one that is chosen, which comes first; then, on both sides of each limit of
// vartime, the methods below and above it.
func BenchmarkStudySum(b *testing.B) {
	r := newRand()
	signatures := func(n, authors int) *sumCase {
		var c sumCase
		c.reset()
		for i := range n + authors {
			var p secp256k1.Affine
			d := random(r)
			k := scalar(d)
			BaseMult(&p, &k)
			if i < n {
				c.short(new(big.Int).Rsh(random(r), 128), d, &p)
			} else {
				c.add(random(r), d, &p)
			}
		}
		c.base(sub(bigN, c.want))
		return &c
	}
	by := func(name string, f func(acc *secp256k1.Jacobian)) studied {
		return studied{name, 1, func(int) bool {
			var acc secp256k1.Jacobian
			f(&acc)
			return acc.IsInfinity()
		}}
	}
	buckets := func(s *Sum, bits int) studied {
		return by(fmt.Sprintf("buckets, %d bits", bits), func(acc *secp256k1.Jacobian) { s.pippengerVartime(acc, bits) })
	}
	for _, n := range []int{8, 16, 32, 64, 128, 512} {
		s := &signatures(n, n).sum
		all := []studied{by("the package", s.vartime)}
		if n <= 64 {
			all = append(all, by("Strauss", s.oneChainVartime))
		}
		for w := 4; w <= 11; w++ {
			all = append(all, buckets(s, w))
		}
		var room []secp256k1.Jacobian
		for w := 4; w <= 10; w++ {
			room = resize(room, 1<<(w-1))
			all = append(all, by(fmt.Sprintf("Jacobian buckets, %d bits", w), func(acc *secp256k1.Jacobian) { jacobianBuckets(acc, s, w, room) }))
		}
		study(b, fmt.Sprintf("part=sum,signatures=%d", n), all...)
	}
	for _, c := range []struct{ signatures, authors, below, above int }{
		{2, 2, 0, 5}, {4, 4, 0, 5}, {6, 6, 0, 5}, {8, 8, 0, 5}, {10, 10, 0, 5}, {14, 14, 0, 5}, {20, 20, 0, 5}, // points: twice as many
		{5, 1, 0, 5}, {8, 1, 0, 5}, {11, 1, 0, 5}, {15, 1, 0, 5}, {20, 1, 0, 5}, {28, 1, 0, 5}, {39, 1, 0, 5}, // points: one more
		{26, 26, 5, 6}, {30, 30, 5, 6}, {34, 34, 5, 6}, {78, 1, 5, 6}, {98, 1, 5, 6},
		{48, 48, 6, 7}, {56, 56, 6, 7}, {64, 64, 6, 7}, {148, 1, 6, 7}, {188, 1, 6, 7},
		{112, 112, 7, 8}, {133, 133, 7, 8}, {160, 160, 7, 8}, {320, 1, 7, 8}, {480, 1, 7, 8},
		{360, 360, 8, 10}, {400, 400, 8, 10}, {440, 440, 8, 10},
	} {
		s := &signatures(c.signatures, c.authors).sum
		below := by("Strauss", s.oneChainVartime)
		if c.below > 0 {
			below = buckets(s, c.below)
		}
		study(b, fmt.Sprintf("part=limit,signatures=%d,authors=%d", c.signatures, c.authors), below, buckets(s, c.above))
	}
}

// jacobianBuckets is pippengerVartime with buckets that take their points one by one, in
// Jacobian form, and with running sums of the buckets.
func jacobianBuckets(acc *secp256k1.Jacobian, s *Sum, c int, room []secp256k1.Jacobian) {
	const top = 132
	all := append([]part(nil), s.parts...)
	// G stands among the points.
	var g secp256k1.Affine
	BaseMult(&g, &secp256k1.Scalar{1})
	var base Sum
	base.AddVartime(&s.base, &g)
	all = append(all, base.parts...)

	room = room[:1<<(c-1)]
	digit := func(k *[2]uint64, at int) (d int) {
		// Window at of k + Σ 2ᶜ⁻¹·2ᶜʷ by the carry that comes from below.
		x := [3]uint64{k[0], k[1]}
		v := int(x[at/64] >> (at % 64))
		if at%64+c > 64 && at/64 < 2 {
			v |= int(x[at/64+1] << (64 - at%64))
		}
		return v & (1<<c - 1)
	}
	carries := make([][2]int, len(all))
	sums := make([]secp256k1.Jacobian, 0, top/c+1)
	for at := 0; at < top; at += c {
		for i := range room {
			room[i].SetInfinity()
		}
		add := func(p *secp256k1.Affine, k *[2]uint64, neg bool, carry *int) {
			d := digit(k, at) + *carry
			*carry = d >> (c - 1)
			if *carry > 0 {
				*carry = 1
				d -= 1 << c
			}
			q := *p
			if neg != (d < 0) {
				secp256k1.Neg(&q.Y, &q.Y)
			}
			if d = max(d, -d); d != 0 {
				secp256k1.AddMixedVartime(&room[d-1], &room[d-1], &q)
			}
		}
		for i := range all {
			p := &all[i]
			add(&p.p, &p.k1, p.neg1, &carries[i][0])
			if p.k2 != [2]uint64{} {
				q := p.p
				secp256k1.Mul(&q.X, &q.X, &beta)
				add(&q, &p.k2, p.neg2, &carries[i][1])
			}
		}
		var run, sum secp256k1.Jacobian
		run.SetInfinity()
		sum.SetInfinity()
		for i := len(room) - 1; i >= 0; i-- {
			addJacobian(&run, &run, &room[i])
			addJacobian(&sum, &sum, &run)
		}
		sums = append(sums, sum)
	}
	acc.SetInfinity()
	for i := len(sums) - 1; i >= 0; i-- {
		secp256k1.DoubleN(acc, acc, c)
		addJacobian(acc, acc, &sums[i])
	}
}

// addJacobian sets z = p + q by 12 multiplications and 4 squarings (Explicit-Formulas
// Database, add).
func addJacobian(z, p, q *secp256k1.Jacobian) {
	if p.IsInfinity() {
		*z = *q
		return
	}
	if q.IsInfinity() {
		*z = *p
		return
	}
	var t, u, x, y, h, r secp256k1.Element
	secp256k1.Sqr(&t, &q.Z)
	secp256k1.Sqr(&u, &p.Z)
	secp256k1.Mul(&x, &p.X, &t)
	secp256k1.Mul(&h, &q.X, &u)
	secp256k1.Mul(&t, &t, &q.Z)
	secp256k1.Mul(&u, &u, &p.Z)
	secp256k1.Mul(&y, &p.Y, &t)
	secp256k1.Mul(&r, &q.Y, &u)
	secp256k1.Sub(&h, &h, &x)
	secp256k1.Sub(&r, &r, &y)
	if h.IsZero() {
		if r.IsZero() {
			secp256k1.Double(z, p)
		} else {
			z.SetInfinity()
		}
		return
	}
	secp256k1.Mul(&t, &p.Z, &q.Z)
	secp256k1.Mul(&z.Z, &t, &h)
	secp256k1.Sqr(&t, &h)
	secp256k1.Mul(&x, &x, &t)
	secp256k1.Mul(&h, &h, &t)
	secp256k1.Sqr(&z.X, &r)
	secp256k1.Sub(&z.X, &z.X, &h)
	secp256k1.Sub(&z.X, &z.X, &x)
	secp256k1.Sub(&z.X, &z.X, &x)
	secp256k1.Sub(&x, &x, &z.X)
	secp256k1.Mul(&x, &x, &r)
	secp256k1.Mul(&y, &y, &h)
	secp256k1.Sub(&z.Y, &x, &y)
}
