package secp256k1_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	reference "github.com/sealwright/sealwright/fallback/secp256k1"
	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// drawAffines and drawJacobians are points with any coordinates, in lanes and as they are
// meant; see drawElements.
func drawAffines(r *rand.Rand) (lanes secp256k1.AffineLanes, meant [secp256k1.Lanes]Affine) {
	var x, y [secp256k1.Lanes]Element
	lanes.X, x = drawElements(r)
	lanes.Y, y = drawElements(r)
	for k := range meant {
		meant[k] = Affine{X: x[k], Y: y[k]}
	}
	return lanes, meant
}

func drawJacobians(r *rand.Rand) (lanes secp256k1.JacobianLanes, meant [secp256k1.Lanes]Jacobian) {
	a, affines := drawAffines(r)
	z, zs := drawElements(r)
	lanes = secp256k1.JacobianLanes{X: a.X, Y: a.Y, Z: z}
	for k := range meant {
		meant[k] = Jacobian{X: affines[k].X, Y: affines[k].Y, Z: zs[k]}
	}
	return lanes, meant
}

// sameElements fails where a lane is not what the reference gives, or out of bounds.
func sameElements(t *testing.T, name string, got *secp256k1.Elements, want func(k int) Element) {
	t.Helper()
	inBounds(t, name, got)
	for k := range secp256k1.Lanes {
		var e Element
		got.Get(k, &e)
		sameElement(t, fmt.Sprintf("%s, element %d", name, k), e, want(k))
	}
}

func sameAffines(t *testing.T, name string, got *secp256k1.AffineLanes, want *[secp256k1.Lanes]Affine) {
	t.Helper()
	sameElements(t, name+", X", &got.X, func(k int) Element { return want[k].X })
	sameElements(t, name+", Y", &got.Y, func(k int) Element { return want[k].Y })
}

func sameJacobians(t *testing.T, name string, got *secp256k1.JacobianLanes, want *[secp256k1.Lanes]Jacobian) {
	t.Helper()
	sameElements(t, name+", X", &got.X, func(k int) Element { return want[k].X })
	sameElements(t, name+", Y", &got.Y, func(k int) Element { return want[k].Y })
	sameElements(t, name+", Z", &got.Z, func(k int) Element { return want[k].Z })
}

// laneRounds is how often an operation meets drawn arguments.
func laneRounds() int {
	if testing.Short() {
		return 1000
	}
	return 5000
}

// Every operation side by side gives lane by lane what the reference gives one by one,
// coordinate by coordinate: see TestPointAnyCoordinates. Arguments that are no results keep
// what they have, and results may lie where arguments do as far as each operation says.
func TestMulLanes(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(41, 42))
		for range laneRounds() {
			x, xs := drawElements(r)
			y, ys := drawElements(r)
			product := func(a, b *[secp256k1.Lanes]Element) func(k int) Element {
				return func(k int) (e Element) { reference.Mul(&e, &a[k], &b[k]); return e }
			}
			var z secp256k1.Elements
			x0, y0 := x, y
			secp256k1.MulLanes(&z, &x, &y)
			if x != x0 || y != y0 {
				t.Fatal("MulLanes changed an argument")
			}
			sameElements(t, "MulLanes", &z, product(&xs, &ys))
			secp256k1.MulLanes(&x, &x, &y)
			sameElements(t, "MulLanes z=x", &x, product(&xs, &ys))
			x = x0
			secp256k1.MulLanes(&y, &x, &y)
			sameElements(t, "MulLanes z=y", &y, product(&xs, &ys))
			secp256k1.MulLanes(&x, &x, &x)
			sameElements(t, "MulLanes z=x=y", &x, product(&xs, &xs))
		}
	})
}

func TestDoubleNLanes(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(43, 44))
		for round := range laneRounds() {
			n := 1
			if round%10 == 0 {
				n += r.IntN(6)
			}
			p, meant := drawJacobians(r)
			// Infinity, as zero and as the prime.
			k := r.IntN(secp256k1.Lanes)
			meant[k].Z = Element{}
			p.Z.Put(k, &meant[k].Z)
			if r.IntN(2) == 0 {
				p.Z.Put(k, &Element{0xfffffffefffffc2f, ^uint64(0), ^uint64(0), ^uint64(0)})
			}
			var z secp256k1.JacobianLanes
			p0 := p
			secp256k1.DoubleNLanes(&z, &p, n)
			if p != p0 {
				t.Fatal("DoubleNLanes changed an argument")
			}
			secp256k1.DoubleNLanes(&p, &p, n)
			if p != z {
				t.Fatal("DoubleNLanes z=p gives another result")
			}
			power := 0
			for range n {
				power = 4*power + 1
			}
			// One of the two representations for all points.
			scaled := false
			for k := range meant {
				reference.DoubleN(&meant[k], &meant[k], n)
				var got Element
				z.X.Get(k, &got)
				scaled = scaled || normal(Jacobian{X: got}).X != normal(meant[k]).X
			}
			for k := range meant {
				if scaled {
					meant[k] = overTwo(meant[k], power)
				}
			}
			sameJacobians(t, fmt.Sprintf("DoubleNLanes, n=%d", n), &z, &meant)
		}
	})
}

func TestAddMixedDistinctLanes(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(45, 46))
		for range laneRounds() {
			p, ps := drawJacobians(r)
			q, qs := drawAffines(r)
			var want [secp256k1.Lanes]Jacobian
			for k := range want {
				reference.AddMixedDistinct(&want[k], &ps[k], &qs[k])
			}
			var z secp256k1.JacobianLanes
			p0, q0 := p, q
			secp256k1.AddMixedDistinctLanes(&z, &p, &q)
			if p != p0 || q != q0 {
				t.Fatal("AddMixedDistinctLanes changed an argument")
			}
			sameJacobians(t, "AddMixedDistinctLanes", &z, &want)
			secp256k1.AddMixedDistinctLanes(&p, &p, &q)
			if p != z || q != q0 {
				t.Fatal("AddMixedDistinctLanes z=p gives another result")
			}
		}
	})
}

func TestAddCoZLanes(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(47, 48))
		for range laneRounds() {
			p, ps := drawAffines(r)
			q, qs := drawAffines(r)
			var h secp256k1.Elements
			var ratios [secp256k1.Lanes]Element
			for k := range ps {
				reference.AddCoZ(&ps[k], &qs[k], &ratios[k])
			}
			secp256k1.AddCoZLanes(&p, &q, &h)
			sameAffines(t, "AddCoZLanes, the sum", &p, &ps)
			sameAffines(t, "AddCoZLanes, the point", &q, &qs)
			sameElements(t, "AddCoZLanes, ratio", &h, func(k int) Element { return ratios[k] })
		}
	})
}

// Every entry of tables of every size that are in use, and of one and of two, with both
// signs; an entry of which one is the negative of another would hide a wrong sign, so each
// is its own.
func TestLookupLanes(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(49, 50))
		for _, n := range []int{1, 2, 8, 16} {
			for range 1 + laneRounds()/250 {
				table := make([]secp256k1.AffineLanes, n)
				meant := make([][secp256k1.Lanes]Affine, n)
				for i := range table {
					table[i], meant[i] = drawAffines(r)
				}
				for i := range n {
					for neg := range uint64(2) {
						want := meant[i]
						for k := range want {
							reference.NegAffine(&want[k], &want[k], neg)
						}
						z, _ := drawAffines(r) // what was there does not matter
						secp256k1.LookupLanes(&z, table, uint64(i), neg)
						sameAffines(t, fmt.Sprintf("LookupLanes, entry %d of %d, neg %d", i, n, neg), &z, &want)
					}
				}
			}
		}
	})
}

// Every operand of every operation at both ends of pages that cannot be touched.
func TestLanesGuardPages(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(51, 52))
		e, _ := drawElements(r)
		a, _ := drawAffines(r)
		j, _ := drawJacobians(r)
		guarded(t, e, func(z *secp256k1.Elements) {
			guarded(t, e, func(x *secp256k1.Elements) {
				guarded(t, e, func(y *secp256k1.Elements) { secp256k1.MulLanes(z, x, y) })
			})
		})
		guarded(t, j, func(z *secp256k1.JacobianLanes) {
			guarded(t, j, func(p *secp256k1.JacobianLanes) {
				secp256k1.DoubleNLanes(z, p, 2)
				guarded(t, a, func(q *secp256k1.AffineLanes) { secp256k1.AddMixedDistinctLanes(z, p, q) })
			})
		})
		guarded(t, a, func(p *secp256k1.AffineLanes) {
			guarded(t, a, func(q *secp256k1.AffineLanes) {
				guarded(t, e, func(h *secp256k1.Elements) { secp256k1.AddCoZLanes(p, q, h) })
			})
		})
		const n = 8
		low, high := testkit.Guard(t, n*int(unsafe.Sizeof(a)))
		for _, room := range [][]byte{low, high} {
			table := unsafe.Slice((*secp256k1.AffineLanes)(unsafe.Pointer(&room[0])), n)
			guarded(t, a, func(z *secp256k1.AffineLanes) {
				for i := range uint64(n) {
					secp256k1.LookupLanes(z, table, i, i&1)
				}
			})
		}
	})
}
