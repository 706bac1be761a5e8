//go:build gc && !purego

package base64

import (
	"testing"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// What one call encodes or decodes, with the rest that is too short for another call,
// by the cycles that it takes on a slow processor. With AVX2 0.41 a byte and 0.33 a
// character were measured.
func TestCalls(t *testing.T) {
	const cycles = 0.6 // for a byte encoded or a character decoded
	for _, c := range []struct {
		name              string
		least, most, unit int
	}{
		{"encode", minEncode, maxEncode, 3},
		{"decode", minDecode, maxDecode, 4},
	} {
		if n := float64(c.most+c.least) * cycles; n > cpu.CallCycles {
			t.Errorf("%s: a call takes %.0f cycles, may take %d", c.name, n, cpu.CallCycles)
		}
		if c.most < c.least || c.most%c.unit != 0 {
			t.Errorf("%s: a call of %d, want a multiple of %d and at least %d", c.name, c.most, c.unit, c.least)
		}
	}
}
