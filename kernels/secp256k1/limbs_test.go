package secp256k1_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	reference "github.com/sealwright/sealwright/fallback/secp256k1"
	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// nearZero is any element, often a small one or the negative of one, whose sums fold
// where those of coordinates of points never do.
func nearZero(r *rand.Rand) (e Element) {
	switch r.IntN(4) {
	case 0:
		return Element{r.Uint64() >> r.IntN(64)}
	case 1:
		reference.Neg(&e, &Element{r.Uint64() >> r.IntN(64)})
		return e
	default:
		return limbs(r)
	}
}

// The formulas of point operations are polynomials, so they give one answer for any
// coordinates, of a point or not: coordinate by coordinate that of the reference. Here
// the additions, subtractions and halvings inside a routine meet their boundaries.
func TestPointAnyCoordinates(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(17, 18))
		rounds := 20_000
		if testing.Short() {
			rounds = 5_000
		}
		for range rounds {
			p := Jacobian{X: nearZero(r), Y: nearZero(r), Z: nearZero(r)}
			q, s := Affine{X: nearZero(r), Y: nearZero(r)}, nearZero(r)
			if s.IsZero() {
				s = Element{1}
			}
			for _, op := range []struct {
				name      string
				got, want func(z *Jacobian)
			}{
				{"Double", func(z *Jacobian) { secp256k1.Double(z, &p) }, func(z *Jacobian) { reference.Double(z, &p) }},
				{"DoubleN", func(z *Jacobian) { secp256k1.DoubleN(z, &p, 3) }, func(z *Jacobian) { reference.DoubleN(z, &p, 3) }},
				{"AddMixed", func(z *Jacobian) { secp256k1.AddMixed(z, &p, &q) }, func(z *Jacobian) { reference.AddMixed(z, &p, &q) }},
				{"AddMixedDistinct", func(z *Jacobian) { secp256k1.AddMixedDistinct(z, &p, &q) }, func(z *Jacobian) { reference.AddMixedDistinct(z, &p, &q) }},
				{"AddMixedVartime", func(z *Jacobian) { secp256k1.AddMixedVartime(z, &p, &q) }, func(z *Jacobian) { reference.AddMixedVartime(z, &p, &q) }},
				{"AddScaledVartime", func(z *Jacobian) { secp256k1.AddScaledVartime(z, &p, &q, &s) }, func(z *Jacobian) { reference.AddScaledVartime(z, &p, &q, &s) }},
			} {
				var got, want Jacobian
				op.got(&got)
				op.want(&want)
				if power := map[string]int{"Double": 1, "DoubleN": 21}[op.name]; normal(got) != normal(want) {
					want = overTwo(want, power)
				}
				sameElement(t, op.name+", X", got.X, want.X)
				sameElement(t, op.name+", Y", got.Y, want.Y)
				sameElement(t, op.name+", Z", got.Z, want.Z)
			}
			p1, q1 := Affine{X: p.X, Y: p.Y}, q
			p2, q2 := p1, q1
			var h1, h2 Element
			secp256k1.AddCoZ(&p1, &q1, &h1)
			reference.AddCoZ(&p2, &q2, &h2)
			sameElement(t, "AddCoZ, X of the sum", p1.X, p2.X)
			sameElement(t, "AddCoZ, Y of the sum", p1.Y, p2.Y)
			sameElement(t, "AddCoZ, X of the point", q1.X, q2.X)
			sameElement(t, "AddCoZ, Y of the point", q1.Y, q2.Y)
			sameElement(t, "AddCoZ, ratio", h1, h2)

			p1, q1 = Affine{X: p.X, Y: p.Y}, q
			p2, q2 = p1, q1
			h1, h2 = p.Z, p.Z
			secp256k1.AddAffine(&p1, &q1, &h1, &s)
			reference.AddAffine(&p2, &q2, &h2, &s)
			sameElement(t, "AddAffine, X", p1.X, p2.X)
			sameElement(t, "AddAffine, Y", p1.Y, p2.Y)
			sameElement(t, "AddAffine, inverse", h1, h2)
			if q1 != q {
				t.Fatal("AddAffine changed the second point")
			}
		}
	})
}

func normal(p Jacobian) Jacobian {
	p.X.Normalize()
	p.Y.Normalize()
	p.Z.Normalize()
	return p
}

// overTwo is p over 2ⁿ times its denominator. So is what a doubling gives by the formula
// that is not scaled by one half, with n = 1, and with four times the n of p added to that:
// 1, 5, 21 for one, two, three of them.
func overTwo(p Jacobian, n int) Jacobian {
	for range n {
		reference.Add(&p.Z, &p.Z, &p.Z)
		for range 2 {
			reference.Add(&p.X, &p.X, &p.X)
		}
		for range 3 {
			reference.Add(&p.Y, &p.Y, &p.Y)
		}
	}
	return p
}

// guarded copies a value to both ends of memory beside which nothing can be touched, one
// after the other.
func guarded[T any](t *testing.T, v T, use func(at *T)) {
	t.Helper()
	low, high := testkit.Guard(t, int(unsafe.Sizeof(v)))
	for _, room := range [][]byte{low, high} {
		at := (*T)(unsafe.Pointer(&room[0]))
		*at = v
		use(at)
	}
}

// Every operand of every operation at both ends of pages that cannot be touched.
func TestGuardPages(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(19, 20))
		x, y, p, q := Element(limbs(r)), Element{3}, rescaled(&Jacobian{X: generator.X, Y: generator.Y, Z: Element{1}}, r), affine(r)
		var want, got Element
		reference.Mul(&want, &x, &y)
		guarded(t, x, func(x *Element) {
			secp256k1.Mul(&got, x, &y)
			sameElement(t, "Mul", got, want)
			secp256k1.Mul(&got, &y, x)
			sameElement(t, "Mul", got, want)
			secp256k1.Invert(&got, x)
			secp256k1.InvertVartime(&got, x)
			secp256k1.Sqrt(&got, x)
			secp256k1.IsSquareVartime(x)
		})
		guarded(t, want, func(z *Element) {
			secp256k1.Mul(z, &x, &y)
			sameElement(t, "Mul", *z, want)
			secp256k1.Sqr(z, &x)
			secp256k1.Invert(z, &x)
			secp256k1.InvertVartime(z, &x)
			secp256k1.Sqrt(z, &x)
		})
		var sum, twice, z Jacobian
		reference.AddMixed(&sum, &p, &q)
		reference.Double(&twice, &p)
		for _, add := range []func(z, p *Jacobian, q *Affine){
			secp256k1.AddMixed, secp256k1.AddMixedVartime,
			func(z, p *Jacobian, q *Affine) { secp256k1.AddScaledVartime(z, p, q, &Element{1}) },
		} {
			guarded(t, p, func(p *Jacobian) { add(&z, p, &q); samePoint(t, "sum", z, sum) })
			guarded(t, q, func(q *Affine) { add(&z, &p, q); samePoint(t, "sum", z, sum) })
			guarded(t, z, func(z *Jacobian) { add(z, &p, &q); samePoint(t, "sum", *z, sum) })
		}
		guarded(t, Element{1}, func(s *Element) {
			secp256k1.AddScaledVartime(&z, &p, &q, s)
			samePoint(t, "scaled sum", z, sum)
		})
		guarded(t, p, func(p *Jacobian) { secp256k1.Double(&z, p); samePoint(t, "double", z, twice) })
		guarded(t, z, func(z *Jacobian) { secp256k1.Double(z, &p); samePoint(t, "double", *z, twice) })
		guarded(t, generator, func(a *Affine) {
			b, h := q, Element{}
			secp256k1.AddCoZ(a, &b, &h)
			*a = generator
			secp256k1.AddCoZ(&b, a, &h)
		})
		guarded(t, x, func(h *Element) {
			a, b := generator, q
			secp256k1.AddCoZ(&a, &b, h)
		})
		guarded(t, generator, func(a *Affine) {
			b, i := q, Element{2}
			secp256k1.AddAffine(a, &b, &i, &x)
			*a = generator
			secp256k1.AddAffine(&b, a, &i, &x)
		})
		guarded(t, x, func(e *Element) {
			a, b, i := generator, q, Element{2}
			secp256k1.AddAffine(&a, &b, &i, e)
			secp256k1.AddAffine(&a, &b, e, &i)
		})
		for _, n := range []int{1, 8, 16, 32} {
			low, high := testkit.Guard(t, n*int(unsafe.Sizeof(q)))
			for _, room := range [][]byte{low, high} {
				table := unsafe.Slice((*Affine)(unsafe.Pointer(&room[0])), n)
				table[n-1] = q
				guarded(t, Affine{}, func(z *Affine) {
					if secp256k1.Lookup(z, table, uint64(n-1), 0); *z != q {
						t.Errorf("entry %d: %x, want %x", n-1, *z, q)
					}
				})
			}
		}
	})
}
