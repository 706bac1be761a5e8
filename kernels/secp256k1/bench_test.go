package secp256k1_test

import (
	"math/rand/v2"
	"testing"

	reference "github.com/sealwright/sealwright/fallback/secp256k1"
	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// BenchmarkInverse takes other inputs every time, which no branch predictor can
// learn, with the reference beside.
func BenchmarkInverse(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	inputs := make([]Element, 4096)
	for i := range inputs {
		inputs[i] = Element{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
	}
	var z Element
	for _, op := range []struct {
		name string
		f    func(x *Element)
	}{
		{"op=invert/by=kernel", func(x *Element) { secp256k1.Invert(&z, x) }},
		{"op=invert/by=reference", func(x *Element) { reference.Invert(&z, x) }},
		{"op=invertVartime/by=kernel", func(x *Element) { secp256k1.InvertVartime(&z, x) }},
		{"op=invertVartime/by=reference", func(x *Element) { reference.InvertVartime(&z, x) }},
		{"op=isSquareVartime/by=kernel", func(x *Element) { secp256k1.IsSquareVartime(x) }},
		{"op=isSquareVartime/by=reference", func(x *Element) { reference.IsSquareVartime(x) }},
	} {
		b.Run(op.name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				op.f(&inputs[i%len(inputs)])
				i++
			}
		})
	}
}
