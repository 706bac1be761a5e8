package secp256k1

import (
	"encoding/binary"
	"math/big"
	"testing"
)

func checkScalar(t *testing.T, name string, got *Scalar, want *big.Int, args ...*big.Int) {
	t.Helper()
	if bigS(got).Cmp(mod(want, bigN)) != 0 {
		t.Fatalf("%s(%x) = %x, want %x", name, args, bigS(got), mod(want, bigN))
	}
}

func checkScalars(t *testing.T, x, y *big.Int) {
	t.Helper()
	x, y = mod(x, bigN), mod(y, bigN)
	type op struct {
		name string
		f    func(z, x, y *Scalar)
		want *big.Int
	}
	shift := new(big.Int).Mul(x, y)
	shift.Add(shift, new(big.Int).Lsh(big.NewInt(1), 383)).Rsh(shift, 384)
	for _, op := range []op{
		{"ScalarAdd", ScalarAdd, new(big.Int).Add(x, y)},
		{"ScalarMul", ScalarMul, new(big.Int).Mul(x, y)},
		{"ScalarMulShift", ScalarMulShift, shift},
		{"ScalarNeg", func(z, x, _ *Scalar) { ScalarNeg(z, x) }, new(big.Int).Neg(x)},
		{"ScalarHalf", func(z, x, _ *Scalar) { ScalarHalf(z, x) },
			new(big.Int).Mul(x, new(big.Int).ModInverse(big.NewInt(2), bigN))},
	} {
		a, b, z := scalar(x), scalar(y), Scalar{1, 2, 3, 4}
		op.f(&z, &a, &b)
		checkScalar(t, op.name, &z, op.want, x, y)
		if a != scalar(x) || b != scalar(y) {
			t.Fatalf("%s changed an argument: %x %x", op.name, x, y)
		}
		op.f(&a, &a, &b)
		checkScalar(t, op.name+" z=x", &a, op.want, x, y)
		a = scalar(x)
		op.f(&b, &a, &b)
		checkScalar(t, op.name+" z=y", &b, op.want, x, y)
		a = scalar(x)
		b = a
		op.f(&z, &a, &b)
		op.f(&a, &a, &a)
		if a != z {
			t.Fatalf("%s(%x, %x) differs when all are the same variable", op.name, x, x)
		}
	}
}

func TestScalarEdges(t *testing.T) {
	for _, x := range edges {
		for _, y := range edges {
			checkScalars(t, x, y)
		}
	}
}

func TestScalarRandom(t *testing.T) {
	r := newRand()
	for range 3000 {
		x, y := biased(r), biased(r)
		checkScalars(t, x, y)
		// A product close to a multiple of n.
		if x = mod(x, bigN); x.Sign() != 0 {
			s := edges[r.IntN(len(edges))]
			checkScalars(t, x, new(big.Int).Mul(s, new(big.Int).ModInverse(x, bigN)))
		}
	}
}

func TestScalarEncoding(t *testing.T) {
	halfN := new(big.Int).Rsh(bigN, 1) // (n−1)/2
	for _, x := range edges {
		var b [32]byte
		x.FillBytes(b[:])
		canonical := x.Cmp(bigN) < 0
		s := Scalar{9, 9, 9, 9}
		if ok := s.SetBytes(&b); ok != canonical {
			t.Fatalf("SetBytes(%x) = %v", x, ok)
		}
		want := new(big.Int)
		if canonical {
			want = x
		}
		checkScalar(t, "SetBytes", &s, want, x)

		s.SetBytesReduced(&b)
		checkScalar(t, "SetBytesReduced", &s, x, x)
		low := mod(x, bigN)
		if got := s.Bytes(); new(big.Int).SetBytes(got[:]).Cmp(low) != 0 {
			t.Fatalf("Bytes of %x = %x", low, got)
		}
		if s.IsZero() != (low.Sign() == 0) {
			t.Fatalf("IsZero of %x = %v", low, s.IsZero())
		}
		if s.IsHigh() != (low.Cmp(halfN) > 0) {
			t.Fatalf("IsHigh of %x = %v", low, s.IsHigh())
		}
		for _, y := range edges {
			u := scalar(y)
			if s.Equal(&u) != (low.Cmp(mod(y, bigN)) == 0) {
				t.Fatalf("Equal of %x and %x = %v", x, y, s.Equal(&u))
			}
		}
		s.Zero()
		if s != (Scalar{}) {
			t.Fatal("Zero leaves something")
		}
	}
}

// Any 512 bits, though a product has fewer.
func TestReduce(t *testing.T) {
	check := func(x *big.Int) {
		t.Helper()
		var b [64]byte
		x.FillBytes(b[:])
		var w wide
		for i := range w.t {
			w.t[7-i] = binary.BigEndian.Uint64(b[8*i:])
		}
		var s Scalar
		w.reduce(&s)
		checkScalar(t, "reduce", &s, x, x)
	}
	for _, hi := range edges {
		for _, lo := range edges {
			check(new(big.Int).Or(new(big.Int).Lsh(hi, 256), lo))
		}
	}
	// Around the multiples of n.
	r := newRand()
	for range 3000 {
		x := new(big.Int).Mul(biased(r), bigN)
		x.Add(x, big.NewInt(r.Int64N(5)-2))
		if x.Sign() >= 0 {
			check(x)
		}
	}
}

func TestScalarSelect(t *testing.T) {
	x, y := Scalar{1, 2, 3, 4}, Scalar{5, 6, 7, 8}
	for bit, want := range []Scalar{y, x} {
		for _, z := range []*Scalar{new(Scalar), &x, &y} {
			a, b := x, y
			ScalarSelect(z, &x, &y, uint64(bit))
			if *z != want {
				t.Fatalf("ScalarSelect by %d = %x", bit, *z)
			}
			x, y = a, b
		}
	}
}
