package secp256k1_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	reference "github.com/sealwright/sealwright/fallback/secp256k1"
	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// drawPairs are pairs of n points, none of which is of two.
func drawPairs(r *rand.Rand, n int) (pairs [secp256k1.Lanes]secp256k1.Pair) {
	places := r.Perm(n)
	for k := range pairs {
		pairs[k] = secp256k1.Pair{I: int32(places[2*k]), J: int32(places[2*k+1])}
	}
	return pairs
}

// drawElements are elements in lanes and as they are meant: often with the largest limbs
// that there may be, of which the last has a bit more than of 2²⁵⁶.
func drawElements(r *rand.Rand) (lanes secp256k1.Elements, meant [secp256k1.Lanes]Element) {
	for k := range meant {
		meant[k] = nearZero(r)
		lanes.Put(k, &meant[k])
		if r.IntN(3) == 0 {
			// The sum of limb·2⁵²ⁱ by the reference.
			var power, sum Element
			power = Element{1}
			for i := range lanes {
				limit := uint64(1) << 52
				if i == 4 {
					limit = 1 << 49
				}
				lanes[i][k] = limit - 1 - r.Uint64N(2)*r.Uint64N(limit)
				var t Element
				reference.Mul(&t, &power, &Element{lanes[i][k]})
				reference.Add(&sum, &sum, &t)
				reference.Mul(&power, &power, &Element{1 << 52})
			}
			meant[k] = sum
		}
	}
	return lanes, meant
}

// inBounds fails where limbs are not such as an argument may have.
func inBounds(t *testing.T, name string, e *secp256k1.Elements) {
	t.Helper()
	for i := range e {
		for k, limb := range e[i] {
			if limb >= 1<<52 || i == 4 && limb >= 1<<49 {
				t.Fatalf("%s: limb %d of element %d is %x", name, i, k, limb)
			}
		}
	}
}

// Pairs of points with any coordinates, of the curve or not: element by element what the
// reference makes of each two, and nothing of the others.
func TestPairs(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(31, 32))
		rounds := 5000
		if testing.Short() {
			rounds = 1000
		}
		for range rounds {
			points := make([]Affine, 2*secp256k1.Lanes+r.IntN(20))
			for i := range points {
				points[i] = Affine{X: nearZero(r), Y: nearZero(r)}
			}
			pairs := drawPairs(r, len(points))
			x, factors := drawElements(r)
			var z secp256k1.Elements
			before := x
			secp256k1.MulDifferenceLanes(&z, &x, points, &pairs)
			if x != before {
				t.Fatal("MulDifferenceLanes changed an argument")
			}
			inBounds(t, "MulDifferenceLanes", &z)
			secp256k1.MulDifferenceLanes(&x, &x, points, &pairs)
			for k, pair := range pairs {
				var want, got Element
				reference.Sub(&want, &points[pair.J].X, &points[pair.I].X)
				reference.Mul(&want, &want, &factors[k])
				z.Get(k, &got)
				sameElement(t, "MulDifferenceLanes", got, want)
				x.Get(k, &got)
				sameElement(t, "MulDifferenceLanes z=x", got, want)
			}

			inverse, inverses := drawElements(r)
			shares, others := drawElements(r)
			want := slices.Clone(points)
			for k, pair := range pairs {
				reference.AddAffine(&want[pair.I], &want[pair.J], &inverses[k], &others[k])
			}
			before = shares
			secp256k1.AddAffineLanes(points, &pairs, &inverse, &shares)
			if shares != before {
				t.Fatal("AddAffineLanes changed an argument")
			}
			inBounds(t, "AddAffineLanes", &inverse)
			for k := range pairs {
				var got Element
				inverse.Get(k, &got)
				sameElement(t, "AddAffineLanes, inverse", got, inverses[k])
			}
			for i := range points {
				sum := slices.ContainsFunc(pairs[:], func(p secp256k1.Pair) bool { return int(p.I) == i })
				if !sum && points[i] != want[i] {
					t.Fatalf("AddAffineLanes changed point %d, which is not the first of a pair", i)
				}
				sameElement(t, "AddAffineLanes, X", points[i].X, want[i].X)
				sameElement(t, "AddAffineLanes, Y", points[i].Y, want[i].Y)
			}
		}
	})
}

// The first and the last point are next to memory that cannot be touched, and so is every
// other operand.
func TestPairsGuardPages(t *testing.T) {
	const n = 2*secp256k1.Lanes + 1
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(33, 34))
		low, high := testkit.Guard(t, n*int(unsafe.Sizeof(Affine{})))
		for _, room := range [][]byte{low, high} {
			points := unsafe.Slice((*Affine)(unsafe.Pointer(&room[0])), n)
			for i := range points {
				points[i] = Affine{X: nearZero(r), Y: nearZero(r)}
			}
			for range 50 {
				pairs := drawPairs(r, n)
				one, _ := drawElements(r)
				guarded(t, pairs, func(p *[secp256k1.Lanes]secp256k1.Pair) {
					guarded(t, one, func(z *secp256k1.Elements) {
						x := one
						secp256k1.MulDifferenceLanes(z, &x, points, p)
						secp256k1.MulDifferenceLanes(&x, z, points, p)
						secp256k1.AddAffineLanes(points, p, z, &x)
						secp256k1.AddAffineLanes(points, p, &x, z)
					})
				})
			}
		}
	})
}

// A place outside the points panics.
func TestPairsOutside(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(35, 36))
		points := make([]Affine, 2*secp256k1.Lanes)
		for i := range points {
			points[i] = affine(r)
		}
		for _, place := range []int32{-1, int32(len(points)), -1 << 31, 1<<31 - 1} {
			for k := range 2 * secp256k1.Lanes {
				pairs := drawPairs(r, len(points))
				if k%2 == 0 {
					pairs[k/2].I = place
				} else {
					pairs[k/2].J = place
				}
				x, _ := drawElements(r)
				for name, call := range map[string]func(){
					"MulDifferenceLanes": func() { secp256k1.MulDifferenceLanes(&x, &x, points, &pairs) },
					"AddAffineLanes":     func() { secp256k1.AddAffineLanes(points, &pairs, &x, &x) },
				} {
					func() {
						defer func() {
							if recover() == nil {
								t.Errorf("%s takes place %d of %d points", name, place, len(points))
							}
						}()
						call()
					}()
				}
			}
		}
	})
}
