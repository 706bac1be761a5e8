//go:build (amd64 || arm64) && gc && !purego

package chacha20

import (
	"runtime"
	"testing"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// What one call encrypts, by the cycles that a byte takes on a slow processor.
//
// amd64: 1.25 were measured with AVX2, 0.62 with AVX-512. arm64: one that works on half
// a vector register at a time; no measurement, but twice the number of vector
// instructions.
func TestCalls(t *testing.T) {
	cycles := map[string]float64{"amd64": 1.45, "arm64": 5.5}[runtime.GOARCH]
	if n := maxCall * cycles; n > cpu.CallCycles {
		t.Errorf("a call takes %.0f cycles, may take %d", n, cpu.CallCycles)
	}
	if maxCall == 0 || maxCall%BlockSize != 0 {
		t.Errorf("a call of %d bytes, want whole blocks of %d", maxCall, BlockSize)
	}
}
