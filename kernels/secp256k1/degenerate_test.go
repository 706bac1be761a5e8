package secp256k1_test

import (
	"encoding/hex"
	"testing"

	reference "github.com/sealwright/sealwright/fallback/secp256k1"
	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
)

const (
	generatorX = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
	generatorY = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
	negatedY   = "b7c52588d95c3b9aa25b0403f1eef75702e84bb7597aabe663b82f6f04ef2777"
	doubleX    = "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
	doubleY    = "1ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a"
	// The x of G times a cube root of one, which has the same y.
	otherX = "bcace2e99da01887ab0102b696902325872844067f15e98da7bba04400b88fcb"
)

// degenerate are points p with p + G, affine, infinity where empty: those for which a
// formula of addition divides by zero, and those with ± the same y for which it nearly
// does. The sums are by the chord and the tangent in Python's integers.
var degenerate = []struct{ name, x, y, sumX, sumY string }{
	{"infinity", "", "", generatorX, generatorY},
	{"G", generatorX, generatorY, doubleX, doubleY},
	{"−G", generatorX, negatedY, "", ""},
	{"2G", doubleX, doubleY,
		"f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
		"388f7b0f632de8140fe337e62a37f3566500a99934c2231b6cb9fd7584b8e672"},
	{"the y of G, another x", otherX, generatorY,
		"c994b69768832bcbff5e9ab39ae8d1d3763bbf1e531bed98fe51de5ee84f50fb",
		negatedY},
	{"the y of −G, another x", otherX, negatedY,
		"93c4d65b4cc437be9f2b0aa72325ba6ce5015022596e21f2ea6eadae415a87b0",
		"de87653b1778d37f77e9403692bd956f5d419b1b625309ca50730fbc03706352"},
}

func number(t *testing.T, digits string) (e Element) {
	t.Helper()
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != 32 {
		t.Fatalf("%q: %v", digits, err)
	}
	for i, v := range b {
		e[3-i/8] = e[3-i/8]<<8 | uint64(v)
	}
	return e
}

func affineOf(t *testing.T, x, y string) (a Affine) {
	t.Helper()
	if x == "" {
		return Affine{}
	}
	return Affine{X: number(t, x), Y: number(t, y)}
}

// is compares affine coordinates, which are zero for infinity.
func is(t *testing.T, name string, got Jacobian, want Affine) {
	t.Helper()
	var a Affine
	reference.ToAffine(&a, &got)
	if a != want || got.IsInfinity() != (want == Affine{}) {
		t.Errorf("%s: %x, want %x", name, a, want)
	}
}

// over is a as a Jacobian point with that Z.
func over(a Affine, z Element) (p Jacobian) {
	p.Z = z
	reference.Sqr(&p.X, &z)
	reference.Mul(&p.Y, &p.X, &z)
	reference.Mul(&p.X, &p.X, &a.X)
	reference.Mul(&p.Y, &p.Y, &a.Y)
	return p
}

// TestPointDegenerate holds each operation of the group on the points of degenerate, as
// far as its contract allows, in every form that a coordinate has.
func TestPointDegenerate(t *testing.T) {
	prime := Element{0xfffffffefffffc2f, ^uint64(0), ^uint64(0), ^uint64(0)}
	// 1 twice, −1, and two that are nothing in particular.
	zs := []Element{
		{1}, {0xfffffffefffffc30, ^uint64(0), ^uint64(0), ^uint64(0)},
		{0xfffffffefffffc2e, ^uint64(0), ^uint64(0), ^uint64(0)},
		{2}, generator.X,
	}
	infinities := []Jacobian{
		{}, {Z: prime}, {X: Element{1}, Y: Element{1}}, {X: prime, Y: prime, Z: prime},
		{X: generator.X, Y: generator.Y}, {X: generator.X, Y: generator.Y, Z: prime},
	}
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		double := affineOf(t, doubleX, doubleY)
		for _, c := range degenerate {
			want := affineOf(t, c.sumX, c.sumY)
			finite := c.x != ""
			points := infinities
			if finite {
				points = nil
				for _, z := range zs {
					points = append(points, over(affineOf(t, c.x, c.y), z))
				}
			}
			for _, p := range points {
				var wantAffine, gotAffine Affine
				if finite {
					wantAffine = affineOf(t, c.x, c.y)
				}
				secp256k1.ToAffine(&gotAffine, &p)
				if gotAffine != wantAffine {
					t.Errorf("%s: ToAffine gives %x", c.name, gotAffine)
				}

				var got Jacobian
				if !finite || c.name == "G" {
					twice := Affine{}
					if finite {
						twice = double
					}
					secp256k1.Double(&got, &p)
					is(t, c.name+": Double", got, twice)
					got = p
					secp256k1.DoubleN(&got, &got, 1)
					is(t, c.name+": DoubleN", got, twice)
				}
				if !finite {
					secp256k1.DoubleN(&got, &p, 5)
					is(t, c.name+": DoubleN, five times", got, Affine{})
				}

				for _, op := range []struct {
					name string
					f    func(z, p *Jacobian, q *Affine)
					in   bool
				}{
					{"AddMixed", secp256k1.AddMixed, true},
					{"AddMixedVartime", secp256k1.AddMixedVartime, true},
					{"AddMixedDistinct", secp256k1.AddMixedDistinct, finite && c.x != generatorX},
				} {
					if !op.in {
						continue
					}
					q := generator
					op.f(&got, &p, &q)
					is(t, c.name+": "+op.name, got, want)
					got = p
					op.f(&got, &got, &q)
					is(t, c.name+": "+op.name+", z=p", got, want)
				}

				for _, s := range []Element{{1}, {3}, generator.Y} {
					// (x, y) is (x·s², y·s³) on the other curve, where Z·s undoes it.
					scaled := over(Affine{X: p.X, Y: p.Y}, s)
					scaled.Z = p.Z
					for _, into := range []*Jacobian{&got, &scaled} {
						secp256k1.AddScaledVartime(into, &scaled, &generator, &s)
						back := *into
						reference.Mul(&back.Z, &back.Z, &s)
						is(t, c.name+": AddScaledVartime", back, want)
					}
				}

				if finite && c.x != generatorX {
					q := over(generator, p.Z)
					sum, other := Affine{X: p.X, Y: p.Y}, Affine{X: q.X, Y: q.Y}
					var h Element
					secp256k1.AddCoZ(&sum, &other, &h)
					reference.Mul(&h, &h, &p.Z)
					is(t, c.name+": AddCoZ", Jacobian{X: sum.X, Y: sum.Y, Z: h}, want)
					is(t, c.name+": AddCoZ, the other point", Jacobian{X: other.X, Y: other.Y, Z: h}, generator)
				}
			}
		}
	})
}
