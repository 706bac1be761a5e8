package secp256k1

import "testing"

func BenchmarkElement(b *testing.B) {
	y := Element{0x59f2815b16f81798, 0x029bfcdb2dce28d9, 0x55a06295ce870b07, 0x79be667ef9dcbbac}
	b.Run("op=mul", func(b *testing.B) {
		x := y
		for b.Loop() {
			Mul(&x, &x, &y)
		}
	})
	b.Run("op=sqr", func(b *testing.B) {
		x := y
		for b.Loop() {
			Sqr(&x, &x)
		}
	})
	b.Run("op=add", func(b *testing.B) {
		x := y
		for b.Loop() {
			Add(&x, &x, &y)
		}
	})
	b.Run("op=sub", func(b *testing.B) {
		x := y
		for b.Loop() {
			Sub(&x, &x, &y)
		}
	})
	b.Run("op=half", func(b *testing.B) {
		x := y
		for b.Loop() {
			Half(&x, &x)
		}
	})
	b.Run("op=sqrt", func(b *testing.B) {
		x := y
		for b.Loop() {
			Sqrt(&x, &x)
		}
	})
	b.Run("op=invert", func(b *testing.B) {
		x := y
		for b.Loop() {
			Invert(&x, &x)
		}
	})
	b.Run("op=invertVartime", func(b *testing.B) {
		x := y
		for b.Loop() {
			InvertVartime(&x, &x)
			Add(&x, &x, &y)
		}
	})
}

func BenchmarkScalar(b *testing.B) {
	y := Scalar{0x59f2815b16f81798, 0x029bfcdb2dce28d9, 0x55a06295ce870b07, 0x79be667ef9dcbbac}
	b.Run("op=mul", func(b *testing.B) {
		x := y
		for b.Loop() {
			ScalarMul(&x, &x, &y)
		}
	})
	b.Run("op=add", func(b *testing.B) {
		x := y
		for b.Loop() {
			ScalarAdd(&x, &x, &y)
		}
	})
}

func BenchmarkPoint(b *testing.B) {
	g := bigG.affine()
	var p Jacobian
	p.SetAffine(&g)
	Double(&p, &p)
	b.Run("op=double", func(b *testing.B) {
		z := p
		for b.Loop() {
			Double(&z, &z)
		}
	})
	b.Run("op=addMixed", func(b *testing.B) {
		z := p
		for b.Loop() {
			AddMixed(&z, &z, &g)
		}
	})
	b.Run("op=addMixedDistinct", func(b *testing.B) {
		z := p
		for b.Loop() {
			AddMixedDistinct(&z, &z, &g)
		}
	})
	b.Run("op=lookup16", func(b *testing.B) {
		table := make([]Affine, 16)
		i := uint64(0)
		for b.Loop() {
			Lookup(&g, table, i, i&1)
			i = (i + 1) % 16
		}
	})
}
