package secp256k1_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	reference "github.com/sealwright/sealwright/fallback/secp256k1"
	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
)

type (
	Element  = secp256k1.Element
	Scalar   = secp256k1.Scalar
	Affine   = secp256k1.Affine
	Jacobian = secp256k1.Jacobian
)

// limbs are four limbs, often at a boundary, as they are in p, n, 2²⁵⁶ and
// their neighbours.
func limbs(r *rand.Rand) (l [4]uint64) {
	special := [][4]uint64{
		{}, {1}, {2}, {1 << 32},
		{0xfffffffefffffc2e, ^uint64(0), ^uint64(0), ^uint64(0)},                 // p − 1
		{0xfffffffefffffc2f, ^uint64(0), ^uint64(0), ^uint64(0)},                 // p
		{0xfffffffefffffc30, ^uint64(0), ^uint64(0), ^uint64(0)},                 // p + 1
		{0xbfd25e8cd0364140, 0xbaaedce6af48a03b, 0xfffffffffffffffe, ^uint64(0)}, // n − 1
		{0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, ^uint64(0)}, // n
		{0xbfd25e8cd0364142, 0xbaaedce6af48a03b, 0xfffffffffffffffe, ^uint64(0)}, // n + 1
		{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)},
	}
	if r.IntN(4) == 0 {
		return special[r.IntN(len(special))]
	}
	for i := range l {
		switch r.IntN(4) {
		case 0:
		case 1:
			l[i] = ^uint64(0) - r.Uint64N(4)
		default:
			l[i] = r.Uint64()
		}
	}
	return l
}

func scalar(r *rand.Rand) (s Scalar) {
	e := Element(limbs(r))
	b := e.Bytes()
	s.SetBytesReduced(&b)
	return s
}

var generator = Affine{
	X: Element{0x59f2815b16f81798, 0x029bfcdb2dce28d9, 0x55a06295ce870b07, 0x79be667ef9dcbbac},
	Y: Element{0x9c47d08ffb10d4b8, 0xfd17b448a6855419, 0x5da4fbfc0e1108a8, 0x483ada7726a3c465},
}

// point is a small multiple of G over a random Z, or infinity.
func point(r *rand.Rand) (p Jacobian) {
	p.SetInfinity()
	for range r.IntN(4) {
		reference.AddMixedVartime(&p, &p, &generator)
	}
	return rescaled(&p, r)
}

func rescaled(p *Jacobian, r *rand.Rand) (q Jacobian) {
	z := Element(limbs(r))
	if z.IsZero() {
		z = Element{1}
	}
	var t Element
	reference.Sqr(&t, &z)
	reference.Mul(&q.X, &p.X, &t)
	reference.Mul(&t, &t, &z)
	reference.Mul(&q.Y, &p.Y, &t)
	reference.Mul(&q.Z, &p.Z, &z)
	return q
}

func affine(r *rand.Rand) (a Affine) {
	p := point(r)
	if p.IsInfinity() {
		return generator
	}
	reference.ToAffine(&a, &p)
	reference.NegAffine(&a, &a, r.Uint64N(2))
	return a
}

func sameElement(t *testing.T, name string, got, want Element) {
	t.Helper()
	got.Normalize()
	want.Normalize()
	if got != want {
		t.Fatalf("%s: %x, the reference gives %x", name, got, want)
	}
}

func samePoint(t *testing.T, name string, got, want Jacobian) {
	t.Helper()
	var g, w Affine
	reference.ToAffine(&g, &got)
	reference.ToAffine(&w, &want)
	if g != w || got.IsInfinity() != want.IsInfinity() {
		t.Fatalf("%s: %x, the reference gives %x", name, g, w)
	}
}

func TestElement(t *testing.T) {
	unary := []struct {
		name      string
		f, wanted func(z, x *Element)
	}{
		{"Neg", secp256k1.Neg, reference.Neg},
		{"Sqr", secp256k1.Sqr, reference.Sqr},
		{"Invert", secp256k1.Invert, reference.Invert},
		{"InvertVartime", secp256k1.InvertVartime, reference.InvertVartime},
		{"Sqrt",
			func(z, x *Element) {
				if !secp256k1.Sqrt(z, x) {
					*z = Element{}
				}
			},
			func(z, x *Element) {
				if !reference.Sqrt(z, x) {
					*z = Element{}
				}
			}},
	}
	binary := []struct {
		name      string
		f, wanted func(z, x, y *Element)
	}{
		{"Add", secp256k1.Add, reference.Add},
		{"Sub", secp256k1.Sub, reference.Sub},
		{"Mul", secp256k1.Mul, reference.Mul},
	}
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 3000 {
			x, y := Element(limbs(r)), Element(limbs(r))
			for _, op := range unary {
				var got, want Element
				op.wanted(&want, &x)
				op.f(&got, &x)
				sameElement(t, op.name, got, want)
				got = x
				op.f(&got, &got)
				sameElement(t, op.name+" z=x", got, want)
			}
			for _, op := range binary {
				var got, want Element
				op.wanted(&want, &x, &y)
				op.f(&got, &x, &y)
				sameElement(t, op.name, got, want)
				got = x
				op.f(&got, &got, &y)
				sameElement(t, op.name+" z=x", got, want)
				got = y
				op.f(&got, &x, &got)
				sameElement(t, op.name+" z=y", got, want)
				got = x
				op.wanted(&want, &x, &x)
				op.f(&got, &got, &got)
				sameElement(t, op.name+" z=x=y", got, want)
			}
		}
	})
}

func TestSqrtEach(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(21, 22))
		for i := range 1000 {
			n := i % 10
			x, got, want := make([]Element, n), make([]Element, n), make([]Element, n)
			ok, all := make([]bool, n), make([]bool, n)
			for i := range x {
				x[i] = nearZero(r)
				ok[i] = reference.Sqrt(&want[i], &x[i])
			}
			secp256k1.SqrtEach(got, x, all)
			inPlace, again := slices.Clone(x), make([]bool, n)
			secp256k1.SqrtEach(inPlace, inPlace, again)
			if !slices.Equal(all, ok) || !slices.Equal(again, ok) {
				t.Fatalf("%x: %v, in place %v, the reference gives %v", x, all, again, ok)
			}
			for i := range x {
				sameElement(t, "SqrtEach", got[i], want[i])
				sameElement(t, "SqrtEach z=x", inPlace[i], want[i])
			}
		}
	})
}

func TestScalar(t *testing.T) {
	binary := []struct {
		name      string
		f, wanted func(z, x, y *Scalar)
	}{
		{"ScalarAdd", secp256k1.ScalarAdd, reference.ScalarAdd},
		{"ScalarMul", secp256k1.ScalarMul, reference.ScalarMul},
		{"ScalarMulShift", secp256k1.ScalarMulShift, reference.ScalarMulShift},
		{"ScalarNeg",
			func(z, x, _ *Scalar) { secp256k1.ScalarNeg(z, x) },
			func(z, x, _ *Scalar) { reference.ScalarNeg(z, x) }},
		{"ScalarHalf",
			func(z, x, _ *Scalar) { secp256k1.ScalarHalf(z, x) },
			func(z, x, _ *Scalar) { reference.ScalarHalf(z, x) }},
		{"ScalarSelect",
			func(z, x, y *Scalar) { secp256k1.ScalarSelect(z, x, y, x[0]&1) },
			func(z, x, y *Scalar) { reference.ScalarSelect(z, x, y, x[0]&1) }},
	}
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		for range 3000 {
			x, y := scalar(r), scalar(r)
			for _, op := range binary {
				var got, want Scalar
				op.wanted(&want, &x, &y)
				op.f(&got, &x, &y)
				z, w := x, y
				op.f(&z, &z, &y)
				op.f(&w, &x, &w)
				if got != want || z != want || w != want {
					t.Fatalf("%s(%x, %x): %x, %x for z=x, %x for z=y, the reference gives %x", op.name, x, y, got, z, w, want)
				}
			}
		}
	})
}

func TestPoint(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		for range 2000 {
			p, a := point(r), affine(r)
			n := 1 + r.IntN(6)
			s := Element(limbs(r))
			if s.IsZero() {
				s = Element{1}
			}
			for _, op := range []struct {
				name      string
				f, wanted func(z, p *Jacobian)
			}{
				{"Double", secp256k1.Double, reference.Double},
				{"DoubleN",
					func(z, p *Jacobian) { secp256k1.DoubleN(z, p, n) },
					func(z, p *Jacobian) { reference.DoubleN(z, p, n) }},
				{"AddMixed",
					func(z, p *Jacobian) { secp256k1.AddMixed(z, p, &a) },
					func(z, p *Jacobian) { reference.AddMixedVartime(z, p, &a) }},
				{"AddMixedVartime",
					func(z, p *Jacobian) { secp256k1.AddMixedVartime(z, p, &a) },
					func(z, p *Jacobian) { reference.AddMixed(z, p, &a) }},
				{"AddScaledVartime",
					func(z, p *Jacobian) { secp256k1.AddScaledVartime(z, p, &a, &s) },
					func(z, p *Jacobian) { reference.AddScaledVartime(z, p, &a, &s) }},
			} {
				var got, want Jacobian
				op.wanted(&want, &p)
				op.f(&got, &p)
				samePoint(t, op.name, got, want)
				got = p
				op.f(&got, &got)
				samePoint(t, op.name+" z=p", got, want)
			}

			var got, want Jacobian
			// 5G is neither ±G, ±2G nor ±3G.
			var five Jacobian
			five.SetAffine(&generator)
			reference.DoubleN(&five, &five, 2)
			reference.AddMixed(&five, &five, &generator)
			five = rescaled(&five, r)
			reference.AddMixedDistinct(&want, &five, &a)
			secp256k1.AddMixedDistinct(&got, &five, &a)
			samePoint(t, "AddMixedDistinct", got, want)
			got = five
			secp256k1.AddMixedDistinct(&got, &got, &a)
			samePoint(t, "AddMixedDistinct z=p", got, want)

			// a and 5G over one Z, that of 5G.
			var h, zz Element
			reference.Sqr(&zz, &five.Z)
			var b Affine
			reference.Mul(&b.X, &a.X, &zz)
			reference.Mul(&zz, &zz, &five.Z)
			reference.Mul(&b.Y, &a.Y, &zz)
			sum := Affine{X: five.X, Y: five.Y}
			secp256k1.AddCoZ(&sum, &b, &h)
			reference.Mul(&h, &h, &five.Z)
			samePoint(t, "AddCoZ", Jacobian{X: sum.X, Y: sum.Y, Z: h}, want)
			want.SetAffine(&a)
			samePoint(t, "AddCoZ, the other point", Jacobian{X: b.X, Y: b.Y, Z: h}, want)

			// The generator and twice it, which differ, with any share s of the inversion.
			g := Jacobian{X: generator.X, Y: generator.Y, Z: Element{1}}
			var d, inverse Element
			reference.Double(&want, &g)
			reference.ToAffine(&b, &want)
			reference.AddMixed(&want, &want, &generator)
			sum = generator
			reference.Sub(&d, &b.X, &sum.X)
			reference.Mul(&inverse, &d, &s)
			reference.Invert(&inverse, &inverse)
			secp256k1.AddAffine(&sum, &b, &inverse, &s)
			samePoint(t, "AddAffine", Jacobian{X: sum.X, Y: sum.Y, Z: Element{1}}, want)
			reference.Mul(&inverse, &inverse, &s)
			sameElement(t, "AddAffine, what is left of the inversion", inverse, Element{1})

			var ga, wa Affine
			secp256k1.ToAffine(&ga, &p)
			reference.ToAffine(&wa, &p)
			if ga != wa {
				t.Fatalf("ToAffine: %x, the reference gives %x", ga, wa)
			}
			bit := r.Uint64N(2)
			secp256k1.NegAffine(&ga, &a, bit)
			reference.NegAffine(&wa, &a, bit)
			sameElement(t, "NegAffine, X", ga.X, wa.X)
			sameElement(t, "NegAffine, Y", ga.Y, wa.Y)
		}
	})
}

func TestLookup(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		for _, n := range []int{1, 8, 16, 32} {
			table := make([]Affine, n)
			for i := range table {
				table[i] = Affine{X: limbs(r), Y: limbs(r)}
			}
			for i := range table {
				var got Affine
				secp256k1.Lookup(&got, table, uint64(i), 0)
				if got != table[i] {
					t.Fatalf("entry %d of %d: %x, want %x", i, n, got, table[i])
				}
				var want Affine
				reference.NegAffine(&want, &table[i], 1)
				secp256k1.Lookup(&got, table, uint64(i), 1)
				sameElement(t, "X of a negative entry", got.X, want.X)
				sameElement(t, "Y of a negative entry", got.Y, want.Y)
			}
		}
	})
}
