package curve

import (
	"testing"

	"github.com/sealwright/sealwright/kernels/secp256k1"
)

func BenchmarkCurve(b *testing.B) {
	r := newRand()
	d, k, e := scalar(random(r)), scalar(random(r)), scalar(random(r))
	// s = k + e·d, R = kG: a signature that verifies, if R has even y.
	var p, q, nonce secp256k1.Affine
	BaseMult(&p, &d)
	BaseMult(&nonce, &k)
	EvenScalar(&k, &k, &nonce)
	var s secp256k1.Scalar
	secp256k1.ScalarMul(&s, &e, &d)
	secp256k1.ScalarAdd(&s, &s, &k)
	x, shared := nonce.X.Bytes(), [32]byte{}

	b.Run("op=ecdh", func(b *testing.B) {
		for b.Loop() {
			ECDH(&shared, &d, &x)
		}
	})
	b.Run("op=baseMult", func(b *testing.B) {
		for b.Loop() {
			BaseMult(&q, &d)
		}
	})
	b.Run("op=verifyVartime", func(b *testing.B) {
		generatorOdd()
		for b.Loop() {
			if !VerifyVartime(&s, &e, &p, &x) {
				b.Fatal("does not verify")
			}
		}
	})
	b.Run("op=multiples", func(b *testing.B) {
		var m Multiples
		for b.Loop() {
			m.InitVartime(&p)
		}
	})
	b.Run("op=verifyByMultiplesVartime", func(b *testing.B) {
		var m Multiples
		m.InitVartime(&p)
		generatorOdd()
		generatorHighOdd()
		for b.Loop() {
			if !m.VerifyVartime(&s, &e, &x) {
				b.Fatal("does not verify")
			}
		}
	})
	b.Run("op=liftX", func(b *testing.B) {
		for b.Loop() {
			if !LiftX(&q, &x) {
				b.Fatal("does not lift")
			}
		}
	})
	b.Run("op=firstUse/table=generatorOdd", func(b *testing.B) {
		for b.Loop() {
			oddMultiples(make([]secp256k1.Affine, 1<<(nafWidthG-2)), make([]secp256k1.Element, 1<<(nafWidthG-2)), &q.X, &p)
		}
	})
}
