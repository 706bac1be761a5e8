package curve

import (
	"math/big"
	"testing"

	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// integer takes up to 32 bytes of fuzzing data.
func integer(b []byte) *big.Int { return new(big.Int).SetBytes(b[:min(len(b), 32)]) }

func addSeeds(f *testing.F) {
	seeds := []*big.Int{one, big.NewInt(2), sub(bigN, one), bigLambda, pow2(128), sub(pow2(256), one)}
	for _, a := range seeds {
		for _, b := range seeds {
			f.Add(a.Bytes(), b.Bytes())
		}
	}
}

func FuzzECDH(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, x, d []byte) {
		var p secp256k1.Affine
		b := bytes32(integer(x))
		want, ok := liftable(integer(x))
		if got := LiftX(&p, &b); got != ok {
			t.Fatalf("LiftX(%x) = %v", b, got)
		}
		if !ok {
			return
		}
		if k := mod(integer(d), bigN); k.Sign() != 0 {
			checkECDH(t, k, want, want.mul(k))
		}
	})
}

func FuzzBaseMult(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, a, b []byte) {
		k := add(integer(a), mul(integer(b), bigLambda))
		checkBaseMult(t, k, bigG.mul(k))
	})
}

func FuzzVerify(f *testing.F) {
	f.Add([]byte{1}, []byte{1}, []byte{1})
	f.Add([]byte{6}, []byte{2}, []byte{3})
	f.Add(sub(bigN, one).Bytes(), bigLambda.Bytes(), []byte{5})
	f.Fuzz(func(t *testing.T, s, e, d []byte) {
		if d := mod(integer(d), bigN); d.Sign() != 0 {
			verifyCase(t, mod(integer(s), bigN), mod(integer(e), bigN), d)
		}
	})
}
