//go:build (amd64 || arm64) && gc && !purego

package etm

import (
	"runtime"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/cpu"
	"github.com/sealwright/sealwright/kernels/sha256"
)

// The switch decides, and nothing else.
func TestWoven(t *testing.T) {
	testkit.EachTier(t, "etm", func(t *testing.T) {
		if want := t.Name() != "TestWoven/tier=portable"; woven() != want {
			t.Errorf("woven is %v", woven())
		}
	})
}

// What one call does, by the cycles that a group takes on a slow processor.
//
// amd64: some 1,600 were measured. arm64: no measurement; 4,130 is what llvm-mca
// -mcpu=cortex-a53 computes for the loop, which for a core that keeps the order of
// instructions is rather too much.
func TestCalls(t *testing.T) {
	cycles := map[string]int{"amd64": 2600, "arm64": 4700}[runtime.GOARCH]
	if n := maxGroups * cycles; n > cpu.CallCycles {
		t.Errorf("a call takes %d cycles, may take %d", n, cpu.CallCycles)
	}
	if maxGroups == 0 || groupLen%chacha20.BlockSize != 0 || groupHashed%sha256.BlockSize != 0 {
		t.Errorf("%d groups of %d and %d bytes, want some of whole blocks", maxGroups, groupLen, groupHashed)
	}
}
