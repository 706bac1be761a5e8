//go:build (amd64 || arm64) && gc && !purego

package base64

import (
	"runtime"
	"testing"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// What one call encodes or decodes, with the rest that is too short for another call,
// by the cycles that it takes on a slow processor.
//
// amd64: with AVX2 0.41 a byte and 0.33 a character were measured. arm64: one that
// works on half a vector register at a time; no measurement, but two cycles for an
// instruction, 10 for a look-up in four registers, 16 for a load or store that takes
// bytes apart. These are some 90 for 48 bytes and 140 for 64 characters.
func TestCalls(t *testing.T) {
	cycles := map[string]struct{ encode, decode float64 }{ // for a byte, for a character
		"amd64": {0.6, 0.6},
		"arm64": {2.5, 2.8},
	}[runtime.GOARCH]
	for _, c := range []struct {
		name              string
		least, most, unit int
		cycles            float64
	}{
		{"encode", minEncode, maxEncode, 3, cycles.encode},
		{"decode", minDecode, maxDecode, 4, cycles.decode},
	} {
		if n := float64(c.most+c.least) * c.cycles; n > cpu.CallCycles {
			t.Errorf("%s: a call takes %.0f cycles, may take %d", c.name, n, cpu.CallCycles)
		}
		if c.most < c.least || c.most%c.unit != 0 {
			t.Errorf("%s: a call of %d, want a multiple of %d and at least %d", c.name, c.most, c.unit, c.least)
		}
	}
}
