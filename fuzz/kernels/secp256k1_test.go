package kernels

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	voi "gitlab.com/yawning/secp256k1-voi"

	"github.com/sealwright/sealwright/fuzz/internal/fuzzkit"
	ours "github.com/sealwright/sealwright/kernels/secp256k1"
)

// fieldVal returns limbs, below p or not, as decred's field element.
func fieldVal(l [4]uint64) (v secp256k1.FieldVal) {
	b := fuzzkit.BytesOf(l)
	v.SetBytes(&b)
	v.Normalize()
	return v
}

// FuzzField compares the field with decred's FieldVal, for every way in which
// the result may share memory with the arguments.
func FuzzField(f *testing.F) {
	fuzzkit.SeedEdges(f)
	fuzzkit.SeedFactors(f)
	fuzzkit.SeedEdges(f, 1)
	fuzzkit.SeedEdges(f, 2)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		x, y := in.Limbs(), in.Limbs()
		form := in.Byte() & 3
		fx, fy := fieldVal(x), fieldVal(y)
		// The last carries of a reduction happen for products with a residue
		// near an edge, which operands near an edge do not have.
		switch form {
		case 1: // x·y ≡ y as drawn
			var t secp256k1.FieldVal
			t.Set(&fx).Inverse().Mul(&fy).Normalize()
			y, fy = fuzzkit.LimbsOf(*t.Bytes()), t
		case 2: // x² ≡ ±x as drawn
			var t secp256k1.FieldVal
			if !t.SquareRootVal(&fx) {
				fx.Negate(1)
				t.SquareRootVal(&fx)
			}
			t.Normalize()
			x, fx = fuzzkit.LimbsOf(*t.Bytes()), t
		}

		var sum, diff, neg, product, square, inverse, root secp256k1.FieldVal
		sum.Add2(&fx, &fy).Normalize()
		diff.NegateVal(&fy, 1).Add(&fx).Normalize()
		neg.NegateVal(&fx, 1).Normalize()
		product.Mul2(&fx, &fy).Normalize()
		square.SquareVal(&fx).Normalize()
		inverse.Set(&fx).Inverse().Normalize()
		isSquare := root.SquareRootVal(&fx)
		root.Normalize()

		fuzzkit.EachTier(func(tier string) {
			check := func(name string, got *ours.Element, want *secp256k1.FieldVal) {
				if g := got.Bytes(); g != *want.Bytes() {
					t.Fatalf("%s: %s of x = %x, y = %x: %x, want %x", tier, name, x, y, g, *want.Bytes())
				}
			}
			binary := func(name string, op func(z, x, y *ours.Element), want *secp256k1.FieldVal) {
				var z ours.Element
				a, b := ours.Element(x), ours.Element(y)
				op(&z, &a, &b)
				check(name, &z, want)
				if a != ours.Element(x) || b != ours.Element(y) {
					t.Fatalf("%s: %s changes its arguments", tier, name)
				}
				op(&a, &a, &b)
				check(name+", z = x", &a, want)
				a = ours.Element(x)
				op(&b, &a, &b)
				check(name+", z = y", &b, want)
			}
			unary := func(name string, op func(z, x *ours.Element), want *secp256k1.FieldVal) {
				binary(name, func(z, x, _ *ours.Element) { op(z, x) }, want)
			}
			binary("Add", ours.Add, &sum)
			binary("Sub", ours.Sub, &diff)
			binary("Mul", ours.Mul, &product)
			unary("Neg", ours.Neg, &neg)
			unary("Sqr", ours.Sqr, &square)
			unary("Invert", ours.Invert, &inverse)
			unary("InvertVartime", ours.InvertVartime, &inverse)
			if e := ours.Element(x); ours.IsSquareVartime(&e) != isSquare {
				t.Fatalf("%s: IsSquareVartime(%x) = %v", tier, x, !isSquare)
			}
			if isSquare {
				unary("Sqrt", func(z, x *ours.Element) {
					if !ours.Sqrt(z, x) {
						t.Fatalf("%s: Sqrt(%x) finds none", tier, *x)
					}
				}, &root)
			} else {
				unary("Sqrt, squared,", func(z, x *ours.Element) {
					if ours.Sqrt(z, x) {
						t.Fatalf("%s: Sqrt(%x) finds one", tier, *x)
					}
					ours.Sqr(z, z)
				}, &neg)
			}

			// x·x through the general multiplication, all three in one place.
			z := ours.Element(x)
			ours.Mul(&z, &z, &z)
			check("Mul, z = x = y", &z, &square)

			a, b := ours.Element(x), ours.Element(y)
			if a.IsZero() != fx.IsZero() || a.IsOdd() != fx.IsOdd() || a.Equal(&b) != fx.Equals(&fy) {
				t.Fatalf("%s: IsZero, IsOdd or Equal is wrong for %x and %x", tier, x, y)
			}
			if a.Normalize(); a != ours.Element(fuzzkit.LimbsOf(*fx.Bytes())) {
				t.Fatalf("%s: Normalize(%x) = %x, want %x", tier, x, a, *fx.Bytes())
			}
			var wide secp256k1.FieldVal
			text := fuzzkit.BytesOf(x)
			overflow := wide.SetBytes(&text) == 1
			if ok := a.SetBytes(&text); ok == overflow || ok && a != ours.Element(x) || !ok && a != (ours.Element{}) {
				t.Fatalf("%s: SetBytes(%x) = %x, %v", tier, text, a, ok)
			}
		}, "secp256k1")
	})
}

func toBig(b [32]byte) *big.Int { return new(big.Int).SetBytes(b[:]) }

// FuzzScalar compares the scalars with decred's ModNScalar and secp256k1-voi's
// Scalar, and what these lack with math/big.
func FuzzScalar(f *testing.F) {
	fuzzkit.SeedEdges(f)
	fuzzkit.SeedFactors(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		xb, yb := in.Integer(), in.Integer()
		bit := uint64(in.Byte() & 1)
		var dx, dy secp256k1.ModNScalar
		overflow := dx.SetBytes(&xb) == 1
		dy.SetBytes(&yb)
		vx, _ := voi.NewScalarFromBytes(&xb)
		vy, _ := voi.NewScalarFromBytes(&yb)

		var sum, product, neg secp256k1.ModNScalar
		sum.Add2(&dx, &dy)
		product.Mul2(&dx, &dy)
		neg.NegateVal(&dx)
		selected := dy
		if bit == 1 {
			selected = dx
		}
		for _, r := range []struct {
			decred *secp256k1.ModNScalar
			voi    *voi.Scalar
		}{
			{&dx, vx}, {&sum, voi.NewScalar().Add(vx, vy)}, {&product, voi.NewScalar().Multiply(vx, vy)}, {&neg, voi.NewScalar().Negate(vx)},
		} {
			if b := r.decred.Bytes(); b != [32]byte(r.voi.Bytes()) {
				t.Fatalf("the references differ on %x, %x: %x, %x", xb, yb, b, r.voi.Bytes())
			}
		}

		// ⌊x·y/2³⁸⁴ + 1/2⌋
		shifted := new(big.Int).Mul(toBig(dx.Bytes()), toBig(dy.Bytes()))
		shifted.Rsh(shifted.Add(shifted, new(big.Int).Lsh(big.NewInt(1), 383)), 384)

		fuzzkit.EachTier(func(tier string) {
			var x, y ours.Scalar
			x.SetBytesReduced(&xb)
			y.SetBytesReduced(&yb)
			binary := func(name string, op func(z, x, y *ours.Scalar), want [32]byte) {
				check := func(form string, got *ours.Scalar) {
					if g := got.Bytes(); g != want {
						t.Fatalf("%s: %s%s of %x and %x: %x, want %x", tier, name, form, xb, yb, g, want)
					}
				}
				var z ours.Scalar
				a, b := x, y
				op(&z, &a, &b)
				check("", &z)
				if a != x || b != y {
					t.Fatalf("%s: %s changes its arguments", tier, name)
				}
				op(&a, &a, &b)
				check(", z = x", &a)
				a = x
				op(&b, &a, &b)
				check(", z = y", &b)
			}
			binary("x", func(z, x, _ *ours.Scalar) { *z = *x }, dx.Bytes())
			binary("ScalarAdd", ours.ScalarAdd, sum.Bytes())
			binary("ScalarMul", ours.ScalarMul, product.Bytes())
			binary("ScalarNeg", func(z, x, _ *ours.Scalar) { ours.ScalarNeg(z, x) }, neg.Bytes())
			binary("ScalarHalf, doubled,", func(z, x, _ *ours.Scalar) { ours.ScalarHalf(z, x); ours.ScalarAdd(z, z, z) }, dx.Bytes())
			binary("ScalarSelect", func(z, x, y *ours.Scalar) { ours.ScalarSelect(z, x, y, bit) }, selected.Bytes())
			binary("ScalarMulShift", ours.ScalarMulShift, [32]byte(shifted.FillBytes(make([]byte, 32))))

			if x.IsZero() != dx.IsZero() || x.IsHigh() != dx.IsOverHalfOrder() || x.Equal(&y) != dx.Equals(&dy) {
				t.Fatalf("%s: IsZero, IsHigh or Equal is wrong for %x and %x", tier, xb, yb)
			}
			var z ours.Scalar
			if ok := z.SetBytes(&xb); ok == overflow || ok && z.Bytes() != xb || !ok && z != (ours.Scalar{}) {
				t.Fatalf("%s: SetBytes(%x) = %x, %v", tier, xb, z, ok)
			}
		}, "secp256k1")
	})
}

// point is one point in the three forms of this comparison. decred's is affine,
// or infinity as its (0, 0, 0).
type point struct {
	decred secp256k1.JacobianPoint
	voi    *voi.Point
}

func multiple(k *secp256k1.ModNScalar) (p point) {
	secp256k1.ScalarBaseMultNonConst(k, &p.decred)
	p.decred.ToAffine()
	b := k.Bytes()
	s, _ := voi.NewScalarFromBytes(&b)
	p.voi = voi.NewIdentityPoint().ScalarBaseMult(s)
	return p
}

func (p *point) infinite() bool { return p.voi.IsIdentity() == 1 }

func (p *point) add(q *point) (sum point) {
	secp256k1.AddNonConst(&p.decred, &q.decred, &sum.decred)
	sum.decred.ToAffine()
	sum.voi = voi.NewIdentityPoint().Add(p.voi, q.voi)
	return sum
}

func (p *point) negated() (n point) {
	n = *p
	n.decred.Y.Negate(1).Normalize()
	n.voi = voi.NewIdentityPoint().Negate(p.voi)
	return n
}

func element(v *secp256k1.FieldVal) ours.Element {
	v.Normalize()
	return ours.Element(fuzzkit.LimbsOf(*v.Bytes()))
}

// affine returns a finite point in our form.
func (p *point) affine() ours.Affine {
	return ours.Affine{X: element(&p.decred.X), Y: element(&p.decred.Y)}
}

// alternating and alternatingAffine have one point in even lanes, another in odd ones.
func alternating(even, odd *ours.Jacobian) (lanes ours.JacobianLanes) {
	for i := range ours.Lanes {
		lanes.Put(i, []*ours.Jacobian{even, odd}[i%2])
	}
	return lanes
}

func alternatingAffine(even, odd *ours.Affine) (lanes ours.AffineLanes) {
	for i := range ours.Lanes {
		lanes.Put(i, []*ours.Affine{even, odd}[i%2])
	}
	return lanes
}

// jacobian returns the point over z, which is not zero; infinity as any X and Y
// over a zero in one of its two forms.
func (p *point) jacobian(z [4]uint64) (j ours.Jacobian) {
	if p.infinite() {
		j.X, j.Y = ours.Element(z), ours.Element{z[3], z[2], z[1], z[0]}
		if z[0]&1 != 0 {
			j.Z = ours.Element{0xfffffffefffffc2f, ^uint64(0), ^uint64(0), ^uint64(0)} // p
		}
		return j
	}
	v := fieldVal(z)
	var t, x, y secp256k1.FieldVal
	t.SquareVal(&v)
	x.Mul2(&p.decred.X, &t)
	y.Mul2(&p.decred.Y, t.Mul(&v))
	return ours.Jacobian{X: element(&x), Y: element(&y), Z: ours.Element(z)}
}

// same fails unless our point is the references', which must agree.
func (p *point) same(t *testing.T, tier, name string, got *ours.Jacobian) {
	t.Helper()
	want := p.voi.UncompressedBytes() // of one byte for infinity
	if p.infinite() {
		if !got.IsInfinity() || !p.decred.Z.IsZero() && !(p.decred.X.IsZero() && p.decred.Y.IsZero()) {
			t.Fatalf("%s: %s: got %x, decred %v; want infinity", tier, name, *got, p.decred)
		}
		return
	}
	x, y, z := fieldVal(got.X), fieldVal(got.Y), fieldVal(got.Z)
	j := secp256k1.MakeJacobianPoint(&x, &y, &z)
	j.ToAffine()
	for _, d := range []*secp256k1.JacobianPoint{&j, &p.decred} {
		if got.IsInfinity() || *d.X.Bytes() != [32]byte(want[1:33]) || *d.Y.Bytes() != [32]byte(want[33:]) {
			t.Fatalf("%s: %s: got %v, decred %v, secp256k1-voi %x", tier, name, j, p.decred, want[1:])
		}
	}
}

// The scalars that make one point of another, so that formulas with special
// cases meet them: ±1, the endomorphism's ±λ and ±λ², and 2.
var relations = func() (list [8]secp256k1.ModNScalar) {
	lambda := [32]byte{
		0x53, 0x63, 0xad, 0x4c, 0xc0, 0x5c, 0x30, 0xe0, 0xa5, 0x26, 0x1c, 0x02, 0x88, 0x12, 0x64, 0x5a,
		0x12, 0x2e, 0x22, 0xea, 0x20, 0x81, 0x66, 0x78, 0xdf, 0x02, 0x96, 0x7c, 0x1b, 0x23, 0xbd, 0x72,
	}
	list[1].SetInt(1)
	list[2].SetBytes(&lambda)
	list[3].SquareVal(&list[2])
	for i := 1; i < 4; i++ {
		list[i+3].NegateVal(&list[i])
	}
	list[7].SetInt(2)
	return list
}()

// FuzzPoint compares the point formulas with decred's and secp256k1-voi's, on
// pairs of points that are often equal, opposite, infinite, or with one y.
func FuzzPoint(f *testing.F) {
	for relation := range byte(9) {
		for _, k := range []byte{0, 1, 3, 11, 0x11} {
			fuzzkit.Seed(f, []byte{relation, k, 1, 1, 1, 0})
			fuzzkit.Seed(f, []byte{relation, k, 4, 4, 5, 3, 1})
			fuzzkit.Seed(f, []byte{relation, k, 12, 2, 1, 9, 1, 7})
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		relation, kb, zp, zq, s := int(in.Byte())%9, in.Integer(), in.Limbs(), in.Limbs(), in.Limbs()
		n, bit := 1+int(in.Byte())%8, uint64(in.Byte()&1)
		var k, l secp256k1.ModNScalar
		k.SetBytes(&kb)
		if relation < len(relations) {
			l.Mul2(&relations[relation], &k) // infinity for the first
		} else {
			lb := in.Integer()
			l.SetBytes(&lb)
		}
		for _, z := range []*[4]uint64{&zp, &zq, &s} {
			if v := fieldVal(*z); v.IsZero() {
				*z = [4]uint64{1}
			}
		}
		p, q := multiple(&k), multiple(&l)
		sum, twice := p.add(&q), p.add(&p)
		power := p
		for range n {
			power = power.add(&power)
		}

		fuzzkit.EachTier(func(tier string) {
			pj := p.jacobian(zp)
			unary := func(name string, want *point, op func(z, p *ours.Jacobian)) {
				var z ours.Jacobian
				a := pj
				op(&z, &a)
				want.same(t, tier, name, &z)
				if a != pj {
					t.Fatalf("%s: %s changes its argument", tier, name)
				}
				op(&a, &a)
				want.same(t, tier, name+", z = p", &a)
			}
			unary("Double", &twice, ours.Double)
			unary("DoubleN", &power, func(z, p *ours.Jacobian) { ours.DoubleN(z, p, n) })
			side := func(name string, even, odd *point, lanes *ours.JacobianLanes) {
				for i := range ours.Lanes {
					var z ours.Jacobian
					lanes.Get(i, &z)
					[]*point{even, odd}[i%2].same(t, tier, fmt.Sprintf("%s, lane %d", name, i), &z)
				}
			}
			qj := q.jacobian(zq)
			both := alternating(&pj, &qj)
			ours.DoubleNLanes(&both, &both, n)
			qPower := q
			for range n {
				qPower = qPower.add(&qPower)
			}
			side("DoubleNLanes", &power, &qPower, &both)

			var a ours.Affine
			ours.ToAffine(&a, &pj)
			want := ours.Affine{}
			if !p.infinite() {
				want = p.affine()
			}
			if a != want {
				t.Fatalf("%s: ToAffine(%x) = %x, want %x", tier, pj, a, want)
			}
			if q.infinite() {
				return
			}

			qa := q.affine()
			unary("AddMixed", &sum, func(z, p *ours.Jacobian) { ours.AddMixed(z, p, &qa) })
			unary("AddMixedVartime", &sum, func(z, p *ours.Jacobian) { ours.AddMixedVartime(z, p, &qa) })
			// Over Z·s, p is where the isomorphism takes it; the sum over Z·s
			// is the sum on the curve itself.
			unary("AddScaledVartime", &sum, func(z, _ *ours.Jacobian) {
				scale := ours.Element(s)
				sv := fieldVal(s)
				var zs secp256k1.FieldVal
				zv := fieldVal(zp)
				zs.Mul2(&zv, &sv).Normalize()
				moved := p.jacobian(fuzzkit.LimbsOf(*zs.Bytes()))
				if !p.infinite() {
					moved.Z = ours.Element(zp)
				}
				ours.AddScaledVartime(&moved, &moved, &qa, &scale)
				result := fieldVal(moved.Z)
				result.Mul(&sv)
				moved.Z = element(&result)
				*z = moved
			})
			if !p.infinite() && !sum.infinite() && p.voi.Equal(q.voi) == 0 {
				unary("AddMixedDistinct", &sum, func(z, p *ours.Jacobian) { ours.AddMixedDistinct(z, p, &qa) })
				// q over p's Z, as it would be over a Z of its own.
				overZ := q.jacobian(zp)
				pAffine := p.affine()
				both, others := alternating(&pj, &qj), alternatingAffine(&qa, &pAffine)
				ours.AddMixedDistinctLanes(&both, &both, &others)
				side("AddMixedDistinctLanes", &sum, &sum, &both)
				overP, overQ := ours.Affine{X: pj.X, Y: pj.Y}, ours.Affine{X: overZ.X, Y: overZ.Y}
				first, second := alternatingAffine(&overP, &overQ), alternatingAffine(&overQ, &overP)
				var ratios, z0 ours.Elements
				ours.AddCoZLanes(&first, &second, &ratios)
				for i := range ours.Lanes {
					z0.Put(i, (*ours.Element)(&zp))
				}
				ours.MulLanes(&ratios, &ratios, &z0)
				side("AddCoZLanes", &sum, &sum, &ours.JacobianLanes{X: first.X, Y: first.Y, Z: ratios})
				side("AddCoZLanes, the other point", &q, &p, &ours.JacobianLanes{X: second.X, Y: second.Y, Z: ratios})
				sumXY, qXY := ours.Affine{X: pj.X, Y: pj.Y}, ours.Affine{X: overZ.X, Y: overZ.Y}
				var h ours.Element
				ours.AddCoZ(&sumXY, &qXY, &h)
				ratio, shared := fieldVal(h), fieldVal(zp)
				shared.Mul(&ratio)
				z := ours.Jacobian{X: sumXY.X, Y: sumXY.Y, Z: element(&shared)}
				sum.same(t, tier, "AddCoZ", &z)
				z = ours.Jacobian{X: qXY.X, Y: qXY.Y, Z: element(&shared)}
				q.same(t, tier, "AddCoZ, the other point", &z)

				// A share of zp in the inversion: (1/zp, zp/d).
				pa := p.affine()
				var d, inverse, before ours.Element
				ours.Sub(&d, &qa.X, &pa.X)
				share := ours.Element(zp)
				ours.Invert(&inverse, &share)
				ours.Invert(&before, &d)
				ours.Mul(&before, &before, &share)
				ours.AddAffine(&pa, &qa, &inverse, &before)
				sum.same(t, tier, "AddAffine", &ours.Jacobian{X: pa.X, Y: pa.Y, Z: ours.Element{1}})
				left := fieldVal(inverse)
				share0, d0 := fieldVal(zp), fieldVal(d)
				left.Mul(&share0)
				left.Normalize()
				d0.Normalize()
				if !left.Equals(&d0) {
					t.Fatalf("%s: AddAffine leaves %x of the inversion", tier, inverse)
				}
			}

			var negated ours.Affine
			ours.NegAffine(&negated, &qa, bit)
			opposite := q
			if bit == 1 {
				opposite = q.negated()
			}
			var z ours.Jacobian
			z.SetAffine(&negated)
			opposite.same(t, tier, "NegAffine", &z)

			table := []ours.Affine{qa, negated, {X: ours.Element(zp)}, {Y: ours.Element(zq)}}
			for i := range table {
				var entry ours.Affine
				if ours.Lookup(&entry, table, uint64(i), 0); entry != table[i] {
					t.Fatalf("%s: Lookup of entry %d of %x gives %x", tier, i, table, entry)
				}
				ours.Lookup(&entry, table, uint64(i), 1)
				ours.NegAffine(&negated, &table[i], 1)
				if entry.X != negated.X || !entry.Y.Equal(&negated.Y) {
					t.Fatalf("%s: Lookup of minus entry %d of %x gives %x", tier, i, table, entry)
				}
			}
		}, "secp256k1")
	})
}
