package secp256k1

import (
	"math/big"
	"testing"
)

// fuzzSeeds are a few of the edges, as bytes.
func fuzzSeeds() [][]byte {
	var seeds [][]byte
	for _, x := range []*big.Int{
		new(big.Int), big.NewInt(1), bigP, bigN,
		new(big.Int).Sub(bigP, big.NewInt(1)),
		new(big.Int).Sub(bigN, big.NewInt(1)),
		new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1)),
	} {
		seeds = append(seeds, x.FillBytes(make([]byte, 32)))
	}
	return seeds
}

// integer takes up to 32 bytes of fuzzing data.
func integer(b []byte) *big.Int { return new(big.Int).SetBytes(b[:min(len(b), 32)]) }

func FuzzField(f *testing.F) {
	for _, a := range fuzzSeeds() {
		for _, b := range fuzzSeeds() {
			f.Add(a, b, b, a)
		}
	}
	f.Fuzz(func(t *testing.T, a, b, c, d []byte) {
		w, x, y, z := integer(a), integer(b), integer(c), integer(d)
		checkUnary(t, w)
		checkBinary(t, w, x)
		checkFused(t, w, x, y, z)
	})
}

func FuzzScalar(f *testing.F) {
	for _, a := range fuzzSeeds() {
		for _, b := range fuzzSeeds() {
			f.Add(a, b)
		}
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		checkScalars(t, integer(a), integer(b))
	})
}

func FuzzAdd(f *testing.F) {
	f.Add(uint8(1), uint8(2), []byte{1})
	f.Add(uint8(3), uint8(3), []byte{2})
	f.Add(uint8(0), uint8(1), []byte{8})
	f.Fuzz(func(t *testing.T, i, j uint8, z []byte) {
		a := mod(integer(z), bigP)
		if a.Sign() == 0 {
			return
		}
		p, q := bigG.mul(big.NewInt(int64(i))), bigG.mul(big.NewInt(int64(j)))
		pj := p.jacobian(a)
		var sum Jacobian
		Double(&sum, &pj)
		checkPoint(t, "Double", &sum, p.add(p))
		if q.infinite() {
			return
		}
		qa := q.affine()
		AddMixed(&sum, &pj, &qa)
		checkPoint(t, "AddMixed", &sum, p.add(q))
		AddMixedVartime(&sum, &pj, &qa)
		checkPoint(t, "AddMixedVartime", &sum, p.add(q))
	})
}
