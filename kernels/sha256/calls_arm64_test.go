//go:build gc && !purego

package sha256

import (
	"testing"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// What one call hashes, by the cycles that it takes on a slow processor. For a block,
// OpenSSL's sha512-armv8.pl lists 126 on an Apple A7, 148 on a Cortex-A57 and 152 on a
// Cortex-A53. Two side by side take no longer than one after the other. Without the SHA2
// instructions there is the model of bench/arm64model: 1,270 on a Cortex-A53.
func TestCalls(t *testing.T) {
	for _, c := range []struct {
		name           string
		blocks, cycles int // in each call, for a block
	}{
		{"sha2", maxSHA2 / BlockSize, 170},
		{"neon", maxNEON / BlockSize, 1300},
		{"lanes", maxLaneBlocks, 2 * 170},
	} {
		if n := c.blocks * c.cycles; n > cpu.CallCycles {
			t.Errorf("%s: a call takes %d cycles, may take %d", c.name, n, cpu.CallCycles)
		}
		if c.blocks == 0 {
			t.Errorf("%s: no blocks", c.name)
		}
	}
	if maxSHA2%BlockSize != 0 || maxNEON%BlockSize != 0 {
		t.Error("a call ends within a block")
	}
}
