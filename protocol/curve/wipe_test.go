package curve

import (
	"bytes"
	"math/big"
	"slices"
	"testing"
	"unsafe"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// residues is how often one looks.
const residues = 5

// bytesOf is what v looks like in memory.
func bytesOf[T any](v T) []byte {
	return slices.Clone(unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v)))
}

// TestNothingLeft looks for secrets in the dead frames of what works with them: digits of
// the scalar and what they are of, the table entry chosen last, and sums. The values are
// by the package's own functions, whose results other tests hold.
func TestNothingLeft(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector's code has frames of its own")
	}
	number := number("c0ffee8d5a7b1e3f90a4c6d2487b53e1f60a9d8c7b6e5f413029384756a1b2c4")
	k := new(secp256k1.Scalar)
	*k = scalar(number)
	x := new([32]byte)
	*x = bytes32(bigG.mul(bigLambda).x)
	shared, public, even := new([32]byte), new(secp256k1.Affine), new(secp256k1.Scalar)
	type secret struct {
		name  string
		bytes []byte
	}

	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		look := func(name string, f func(), sum *secp256k1.Affine, secrets ...secret) {
			t.Helper()
			// What is wiped by no code of ours is left every time; what preemption saves
			// of the registers, which SECURITY.md excepts, only now and then.
			times := make([]int, 1+len(secrets))
			for range residues {
				left := testkit.LeftOnStack(f)
				if sum != nil && holdsPoint(left, sum) {
					times[0]++
				}
				for i, s := range secrets {
					if bytes.Contains(left, s.bytes) {
						times[1+i]++
					}
				}
			}
			if times[0] == residues {
				t.Errorf("%s leaves the sum on the stack", name)
			}
			for i, s := range secrets {
				if times[1+i] == residues {
					t.Errorf("%s leaves %s on the stack", name, s.name)
				}
			}
		}
		if left := testkit.LeftOnStack(func() { leave(k) }); !bytes.Contains(left, bytesOf(*k)) {
			t.Fatal("a scalar that is left is not found")
		}
		g, double := bigG.affine(), bigG.mul(big.NewInt(2)).affine()
		if left := testkit.LeftOnStack(func() { leaveDouble(&g) }); !holdsPoint(left, &double) {
			t.Fatal("a point that is left is not found")
		}

		var w [baseWindows]uint8
		recodeBase(&w, k)
		var v secp256k1.Scalar
		secp256k1.ScalarAdd(&v, k, &baseOffset)
		var e secp256k1.Affine
		lookupSigned(&e, baseTable[baseWindows-1][:], w[baseWindows-1], baseBits)
		sum := bigG.mul(number).affine()
		look("BaseMult", func() { BaseMult(public, k) }, &sum,
			secret{"the digits", bytesOf(w)},
			secret{"the scalar", bytesOf(*k)},
			secret{"the scalar with its offset", bytesOf(v)},
			secret{"an entry's x", bytesOf(e.X)},
			secret{"an entry's y", bytesOf(e.Y)})

		var w1, w2 [halfWindows]uint8
		recodeHalves(&w1, &w2, k)
		var s, s1, s2, h1, h2 secp256k1.Scalar
		secp256k1.ScalarAdd(&s, k, &halvesOffset)
		secp256k1.ScalarHalf(&s, &s)
		split(&s1, &s2, &s)
		secp256k1.ScalarAdd(&h1, &s1, &two128)
		secp256k1.ScalarAdd(&h2, &s2, &two128)
		var p secp256k1.Affine
		var c secp256k1.Element
		if !liftIsomorphic(&p, &c, x) {
			t.Fatal("the point is none")
		}
		// A negative digit: its y is in no table, where all entries lie on the stack.
		if w2[0] >= 1<<(halfBits-1) {
			t.Fatal("the last digit is positive")
		}
		var t1, t2 [halfEntries]secp256k1.Affine
		var ratios [halfEntries]secp256k1.Element
		var gz secp256k1.Element
		oddMultiples(t1[:], ratios[:], &gz, &p)
		endomorphism(t2[:], t1[:])
		lookupSigned(&e, t2[:], w2[0], halfBits)
		var acc secp256k1.Jacobian
		multiply(&acc, &w1, &w2, &p)
		secp256k1.ToAffine(&sum, &acc)
		look("ECDH", func() { ECDH(shared, k, x) }, &sum,
			secret{"the digits of the first half", bytesOf(w1)},
			secret{"those of the second", bytesOf(w2)},
			secret{"the scalar", bytesOf(*k)},
			secret{"the scalar with its offset", bytesOf(s)},
			secret{"the first half", bytesOf(h1)},
			secret{"the second half", bytesOf(h2)},
			secret{"the y of an entry", bytesOf(e.Y)},
			secret{"what is shared, as an element", bytesOf(secp256k1.Element(limbs(bigG.mul(bigLambda).mul(number).x)))},
			secret{"what is shared, in bytes", bytesOf(bytes32(bigG.mul(bigLambda).mul(number).x))})

		// Side by side the points are those with even y, whose entries in the last lane are
		// looked for as elements, and all lanes of a limb of them.
		each, found, points := make([][32]byte, secp256k1.Lanes), make([]bool, secp256k1.Lanes), slices.Repeat([][32]byte{*x}, secp256k1.Lanes)
		LiftX(&p, x)
		var side, first, chosen secp256k1.AffineLanes
		var sums [secp256k1.Lanes]secp256k1.Jacobian
		for i := range secp256k1.Lanes {
			side.Put(i, &p)
		}
		var l1, l2 [halfEntries]secp256k1.AffineLanes
		var gzs secp256k1.Elements
		oddMultiplesLanes(l1[:], &gzs, &side)
		endomorphismLanes(l2[:], l1[:])
		lookupLanes(&chosen, l2[:], w2[0])
		chosen.Get(0, &e)
		lookupLanes(&first, l1[:], w1[0])
		multiplyLanes(&sums, &w1, &w2, &side)
		ofLanes := []secret{
			{"the y of an entry", bytesOf(e.Y)},
			{"a limb of the y of an entry", bytesOf(chosen.Y[1])},
			{"a limb of the y of an entry of the first half", bytesOf(first.Y[1])},
		}
		total := pointOf(&p).mul(number).affine()
		var square secp256k1.Element
		secp256k1.Sqr(&square, &sums[1].Z)
		// The sum before the last window, with whatever Z.
		d1, d2 := 2*int64(w1[0])-(1<<halfBits-1), 2*int64(w2[0])-(1<<halfBits-1)
		last := add(big.NewInt(d1), mul(big.NewInt(d2), bigLambda))
		upper := pointOf(&p).mul(mod(sub(number, last), bigN)).affine()
		gzs.Get(0, &gz)
		times := 0
		for range residues {
			if holdsLanes(testkit.LeftOnStack(func() { multiplyLanes(&sums, &w1, &w2, &side) }), &upper, &gz) {
				times++
			}
		}
		if times == residues {
			t.Error("multiplyLanes leaves the sum before the last window on the stack")
		}
		look("multiplyLanes", func() { multiplyLanes(&sums, &w1, &w2, &side) }, &total, ofLanes...)
		look("ECDHEach", func() { ECDHEach(each, found, k, points) }, &total, append(ofLanes,
			secret{"the square of a denominator", bytesOf(square)},
			secret{"the digits of the first half", bytesOf(w1)},
			secret{"those of the second", bytesOf(w2)},
			secret{"the scalar", bytesOf(*k)},
			secret{"what is shared, as an element", bytesOf(secp256k1.Element(limbs(bigG.mul(bigLambda).mul(number).x)))},
			secret{"what is shared, in bytes", bytesOf(bytes32(bigG.mul(bigLambda).mul(number).x))})...)

		var neg secp256k1.Scalar
		secp256k1.ScalarNeg(&neg, k)
		// Those whose frames ECDH and BaseMult reuse, each alone.
		look("recodeBase", func() { recodeBase(&w, k) }, nil,
			secret{"the scalar", bytesOf(*k)},
			secret{"the scalar with its offset", bytesOf(v)})
		look("recodeHalves", func() { recodeHalves(&w1, &w2, k) }, nil,
			secret{"the scalar", bytesOf(*k)},
			secret{"the scalar with its offset", bytesOf(s)},
			secret{"the first half", bytesOf(h1)},
			secret{"the second half", bytesOf(h2)})
		var c1, c2 secp256k1.Scalar
		secp256k1.ScalarMulShift(&c1, &s, &g1)
		secp256k1.ScalarMulShift(&c2, &s, &g2)
		secp256k1.ScalarMul(&c1, &c1, &minusB1)
		secp256k1.ScalarMul(&c2, &c2, &minusB2)
		secp256k1.ScalarAdd(&c2, &c1, &c2)
		secp256k1.ScalarMul(&c1, &c2, &minusLambda)
		look("split", func() { split(&s1, &s2, &s) }, nil,
			secret{"the scalar", bytesOf(s)},
			secret{"what is taken from the scalar", bytesOf(c1)},
			secret{"the second half", bytesOf(c2)})
		look("multiply", func() { multiply(&acc, &w1, &w2, &p) }, &sum,
			secret{"the y of an entry", bytesOf(e.Y)})
		look("EvenScalar", func() { EvenScalar(even, k, public) }, nil,
			secret{"the scalar", bytesOf(*k)},
			secret{"its negative", bytesOf(neg)},
			secret{"the point's y", bytesOf(public.Y)})
	})
}

// holdsPoint reports whether p is somewhere in memory as a Jacobian point with any Z but 0.
func holdsPoint(memory []byte, p *secp256k1.Affine) bool {
	for ; len(memory) >= 12*8; memory = memory[8:] {
		j := *(*secp256k1.Jacobian)(unsafe.Pointer(&memory[0]))
		if j.Z.IsZero() {
			continue
		}
		scaled := *p
		rescale(&scaled, &j.Z)
		if scaled.X.Equal(&j.X) && scaled.Y.Equal(&j.Y) {
			return true
		}
	}
	return false
}

// holdsLanes reports whether p is somewhere in memory in all lanes, over gz times any Z but 0.
func holdsLanes(memory []byte, p *secp256k1.Affine, gz *secp256k1.Element) bool {
	for ; len(memory) >= int(unsafe.Sizeof(secp256k1.JacobianLanes{})); memory = memory[8:] {
		l := (*secp256k1.JacobianLanes)(unsafe.Pointer(&memory[0]))
		if x := l.X[0]; x[0] == 0 || x != [secp256k1.Lanes]uint64{x[0], x[0], x[0], x[0], x[0], x[0], x[0], x[0]} {
			continue
		}
		var j secp256k1.Jacobian
		l.Get(0, &j)
		secp256k1.Mul(&j.Z, &j.Z, gz)
		if holdsPoint(bytesOf(j), p) {
			return true
		}
	}
	return false
}

// leaveDouble leaves 2p on the stack.
//
//go:noinline
func leaveDouble(p *secp256k1.Affine) {
	var j secp256k1.Jacobian
	j.SetAffine(p)
	secp256k1.Double(&j, &j)
}

// leave leaves a copy of a scalar on the stack.
//
//go:noinline
func leave(k *secp256k1.Scalar) {
	var s secp256k1.Scalar
	secp256k1.ScalarAdd(&s, k, &secp256k1.Scalar{})
}
