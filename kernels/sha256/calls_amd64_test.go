//go:build gc && !purego

package sha256

import (
	"testing"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// What one call hashes, by the cycles that it takes on a slow processor: 114 to 132 a
// block with the SHA extensions and some 660 without them were measured, and 970 for
// sixteen blocks side by side.
func TestCalls(t *testing.T) {
	for _, c := range []struct {
		name                  string
		blocks, times, cycles int // in each call, what they are a multiple of, for a block
	}{
		{"shani", maxSHANI / BlockSize, 1, 170},
		{"avx2", maxAVX2 / BlockSize, 2, 740},
		{"lanes", maxLaneBlocks, 1, 1200},
	} {
		if n := c.blocks * c.cycles; n > cpu.CallCycles {
			t.Errorf("%s: a call takes %d cycles, may take %d", c.name, n, cpu.CallCycles)
		}
		if c.blocks == 0 || c.blocks%c.times != 0 {
			t.Errorf("%s: %d blocks, want a multiple of %d", c.name, c.blocks, c.times)
		}
	}
	if maxSHANI%BlockSize != 0 || maxAVX2%BlockSize != 0 {
		t.Error("a call ends within a block")
	}
}
