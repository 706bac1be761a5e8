//go:build (amd64 || arm64) && gc && !purego

package secp256k1

import (
	"math/big"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/cpu"
)

// slow are numbers whose symbol is known after the last of the rounds, and not even then
// (see TestSlowSymbols, which counts).
var slow = []struct {
	x    uint64
	want int
}{
	{171 << 23, 1}, {897 << 20, -1}, {1185 << 17, -1},
	{405 << 22, 0}, {529 << 28, 0}, {243 << 28, 0},
}

// TestJacobi holds the symbol itself against math/big: [IsSquareVartime] would hide
// a routine that never comes to an end, since it goes on by other means.
func TestJacobi(t *testing.T) {
	p, _ := new(big.Int).SetString("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", 16)
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		if t.Name() == "TestJacobi/tier="+cpu.Portable {
			t.Skip("not applicable: portable code has no such routine")
		}
		r := testkit.Rand(t)
		for range 1000 {
			x := Element{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
			n := new(big.Int)
			for i := range x {
				n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(x[3-i]))
			}
			if got, want := asmJacobiVartime(&x), big.Jacobi(n, p); got != want {
				t.Fatalf("the symbol of %x is %d, want %d", n, got, want)
			}
		}
		for _, c := range slow {
			if got := asmJacobiVartime(&Element{c.x}); got != c.want {
				t.Errorf("the symbol of %d is %d, want %d", c.x, got, c.want)
			}
		}
		if got := asmJacobiVartime(&Element{}); got != 0 {
			t.Fatalf("the symbol of 0 is %d", got)
		}
	})
}
