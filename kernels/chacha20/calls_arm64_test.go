//go:build gc && !purego

package chacha20

import (
	"testing"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// What one call encrypts, by the cycles that it takes on a slow processor, one that
// works on half a vector register at a time: no measurement, but twice the number of
// vector instructions.
func TestCalls(t *testing.T) {
	const cycles = 5.5
	if n := maxCall * cycles; n > cpu.CallCycles {
		t.Errorf("a call takes %.0f cycles, may take %d", n, cpu.CallCycles)
	}
	if maxCall == 0 || maxCall%BlockSize != 0 {
		t.Errorf("a call of %d bytes, want whole blocks of %d", maxCall, BlockSize)
	}
}
