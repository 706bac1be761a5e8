//go:build amd64 && gc && !purego

package etm

import (
	"testing"

	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/cpu"
	"github.com/sealwright/sealwright/kernels/sha256"
)

// What one call does, by the cycles that a group takes on a slow processor: some 1,600
// were measured.
func TestCalls(t *testing.T) {
	if n := maxGroups * 2600; n > cpu.CallCycles {
		t.Errorf("a call takes %d cycles, may take %d", n, cpu.CallCycles)
	}
	if maxGroups == 0 || groupLen%chacha20.BlockSize != 0 || groupHashed%sha256.BlockSize != 0 {
		t.Errorf("%d groups of %d and %d bytes, want some of whole blocks", maxGroups, groupLen, groupHashed)
	}
}
