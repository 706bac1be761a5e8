package secp256k1

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// Multiples of G as published with the curve's test vectors.
var multiples = []struct {
	k    *big.Int
	x, y string
}{
	{big.NewInt(2), "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5", "1ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a"},
	{big.NewInt(3), "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9", "388f7b0f632de8140fe337e62a37f3566500a99934c2231b6cb9fd7584b8e672"},
	{big.NewInt(4), "e493dbf1c10d80f3581e4904930b1404cc6c13900ee0758474fa94abe8c4cd13", "51ed993ea0d455b75642e2098ea51448d967ae33bfbdfe40cfe97bdc47739922"},
	{new(big.Int).Sub(bigN, big.NewInt(1)), "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "b7c52588d95c3b9aa25b0403f1eef75702e84bb7597aabe663b82f6f04ef2777"},
}

// TestMultiples adds and doubles up from G, and holds the reference of the
// other tests against the same values.
func TestMultiples(t *testing.T) {
	g := bigG.affine()
	for _, m := range multiples {
		want := point{number(m.x), number(m.y)}
		if got := bigG.mul(m.k); !got.equal(want) {
			t.Fatalf("the reference computes %x·G = %v", m.k, got)
		}
		var acc Jacobian
		acc.SetInfinity()
		for i := m.k.BitLen() - 1; i >= 0; i-- {
			Double(&acc, &acc)
			if m.k.Bit(i) == 1 {
				AddMixed(&acc, &acc, &g)
			}
		}
		if got := pointOf(&acc); !got.equal(want) {
			t.Fatalf("%x·G = %v", m.k, got)
		}
	}
	if !bigG.mul(bigN).infinite() {
		t.Fatal("n·G is not infinity")
	}
}

// points are such that every exceptional case of every formula is a pair of
// them: infinity, equal, opposite, and a point beside λ or −λ times the other,
// where x₁ ≠ x₂ and y₁ = ±y₂.
func points(r *rand.Rand) []point {
	list := []point{{}}
	for _, k := range []*big.Int{big.NewInt(1), big.NewInt(2), big.NewInt(3), biased(r)} {
		p := bigG.mul(mod(k, bigN))
		if p.infinite() {
			p = bigG
		}
		list = append(list, p, p.neg(), p.lambda(), p.lambda().neg(), p.lambda().lambda(), p.lambda().lambda().neg())
	}
	return list
}

// zs are the Z coordinates to represent points with. Not zero modulo p.
func zs(r *rand.Rand) []*big.Int {
	list := []*big.Int{big.NewInt(1), new(big.Int).Sub(bigP, big.NewInt(1)), new(big.Int).Add(bigP, big.NewInt(1))}
	for len(list) < 5 {
		if z := biased(r); mod(z, bigP).Sign() != 0 {
			list = append(list, z)
		}
	}
	return list
}

func checkPoint(t *testing.T, name string, got *Jacobian, want point, args ...any) {
	t.Helper()
	if g := pointOf(got); !g.equal(want) {
		t.Fatalf("%s(%v) = %v, want %v", name, args, g, want)
	}
	if got.IsInfinity() != want.infinite() {
		t.Fatalf("%s(%v): IsInfinity is %v", name, args, got.IsInfinity())
	}
}

func TestDouble(t *testing.T) {
	r := newRand()
	for _, p := range points(r) {
		for _, z := range zs(r) {
			j := p.jacobian(z)
			var q Jacobian
			Double(&q, &j)
			checkPoint(t, "Double", &q, p.add(p), p)
			want := p
			for n := 1; n <= 6; n++ {
				want = want.add(want)
				DoubleN(&q, &j, n)
				checkPoint(t, "DoubleN", &q, want, p, n)
				q = j
				DoubleN(&q, &q, n)
				checkPoint(t, "DoubleN z=p", &q, want, p, n)
			}
			Double(&j, &j)
			checkPoint(t, "Double z=p", &j, p.add(p), p)
		}
	}
}

func TestAddMixed(t *testing.T) {
	r := newRand()
	// AddScaledVartime takes q to an isomorphic curve: s scales it.
	s := element(biased(r))
	scale := func(q point) point {
		ss := new(big.Int).Mul(bigE(&s), bigE(&s))
		x := new(big.Int).Mul(q.x, ss)
		y := new(big.Int).Mul(q.y, ss)
		y.Mul(y, bigE(&s))
		return point{x.Mod(x, bigP), y.Mod(y, bigP)}
	}
	all := points(r)
	for _, p := range all {
		for _, q := range all[1:] {
			distinct := !p.infinite() && !p.equal(q) && !p.equal(q.neg())
			want := p.add(q)
			for _, z := range zs(r) {
				a := q.affine()
				// The other form of a small coordinate.
				for _, e := range []*Element{&a.X, &a.Y} {
					if x := new(big.Int).Add(bigE(e), bigP); x.BitLen() <= 256 {
						*e = element(x)
					}
				}
				for _, op := range []struct {
					name string
					f    func(z, p *Jacobian, q *Affine)
					all  bool
				}{
					{"AddMixed", AddMixed, true},
					{"AddMixedVartime", AddMixedVartime, true},
					{"AddMixedDistinct", AddMixedDistinct, false},
				} {
					if !op.all && !distinct {
						continue
					}
					j := p.jacobian(z)
					b := a
					var sum Jacobian
					op.f(&sum, &j, &b)
					checkPoint(t, op.name, &sum, want, p, q, z)
					if j != p.jacobian(z) || b != a {
						t.Fatalf("%s changed an argument", op.name)
					}
					op.f(&j, &j, &b)
					checkPoint(t, op.name+" z=p", &j, want, p, q, z)
				}

				if distinct {
					j := p.jacobian(z)
					over := q.jacobian(z)
					sum, other := Affine{j.X, j.Y}, Affine{over.X, over.Y}
					var h Element
					AddCoZ(&sum, &other, &h)
					Mul(&h, &h, &j.Z)
					checkPoint(t, "AddCoZ", &Jacobian{sum.X, sum.Y, h}, want, p, q, z)
					checkPoint(t, "AddCoZ, the other point", &Jacobian{other.X, other.Y, h}, q, p, q, z)

					// A share of z in the inversion: (1/z, z/d) beside d = q.x − p.x.
					d := new(big.Int).Sub(q.x, p.x)
					d.Mod(d, bigP)
					product := func(x, y *big.Int) *big.Int { return x.Mod(x.Mul(x, y), bigP) }
					share, before := element(inverse(z)), element(product(inverse(d), z))
					left := product(inverse(z), d)
					sum, other = p.affine(), a
					AddAffine(&sum, &other, &share, &before)
					checkPoint(t, "AddAffine", &Jacobian{sum.X, sum.Y, Element{1}}, want, p, q, z)
					if other != a || bigE(&share).Cmp(left) != 0 {
						t.Fatalf("AddAffine leaves %x, want %x, and %x of %x", share, left, other, a)
					}
				}

				// The same pair on the isomorphic curve.
				wantScaled := point{}
				pScaled := point{}
				if !p.infinite() {
					pScaled = scale(p)
				}
				if !want.infinite() {
					wantScaled = scale(want)
				}
				j := pScaled.jacobian(z)
				var sum Jacobian
				AddScaledVartime(&sum, &j, &a, &s)
				checkPoint(t, "AddScaledVartime", &sum, wantScaled, p, q, z)
				AddScaledVartime(&j, &j, &a, &s)
				checkPoint(t, "AddScaledVartime z=p", &j, wantScaled, p, q, z)
			}
		}
	}
}

func TestToAffine(t *testing.T) {
	r := newRand()
	for _, p := range points(r) {
		for _, z := range zs(r) {
			j := p.jacobian(z)
			a := Affine{Element{9}, Element{9}}
			ToAffine(&a, &j)
			want := Affine{}
			if !p.infinite() {
				want = p.affine()
			}
			if a != want {
				t.Fatalf("ToAffine of %v = %x", p, a)
			}
			if p.infinite() {
				continue
			}
			for bit, y := range []*big.Int{p.y, p.neg().y} {
				var n Affine
				NegAffine(&n, &a, uint64(bit))
				checkElement(t, "NegAffine, X", &n.X, p.x)
				checkElement(t, "NegAffine, Y", &n.Y, y)
				n = a
				NegAffine(&n, &n, uint64(bit))
				checkElement(t, "NegAffine z=p, Y", &n.Y, y)
			}
			j.SetAffine(&a)
			checkPoint(t, "SetAffine", &j, p)
		}
	}
}

func TestLookup(t *testing.T) {
	r := newRand()
	for _, n := range []int{1, 2, 8, 16, 32} {
		table := make([]Affine, n)
		for i := range table {
			table[i] = Affine{limbs(biased(r)), limbs(biased(r))}
		}
		for i := range table {
			z := Affine{Element{9}, Element{9}}
			Lookup(&z, table, uint64(i), 0)
			if z != table[i] {
				t.Fatalf("Lookup of %d among %d = %x, want %x", i, n, z, table[i])
			}
			Lookup(&z, table, uint64(i), 1)
			checkElement(t, "Y of minus an entry", &z.Y, new(big.Int).Neg(bigE(&table[i].Y)))
			if z.X != table[i].X {
				t.Fatalf("Lookup of minus entry %d among %d: X = %x, want %x", i, n, z.X, table[i].X)
			}
		}
	}
}
