//go:build gc && !purego

package sha256

import (
	"github.com/sealwright/sealwright/fallback/sha256"
	"github.com/sealwright/sealwright/kernels/cpu"
)

//go:generate go run -C ../../asm ./sha256 ../kernels/sha256

// How many bytes one call of assembly hashes at most (see cpu.CallCycles). Pairs of
// blocks stay together.
const (
	maxSHANI = 16 << 10
	maxAVX2  = 4 << 10
)

// blocks hashes the whole blocks of p onto h.
func blocks(h *State, p []byte) {
	switch {
	case cpu.SHA256SHANI || cpu.SHA256AVX512:
		for len(p) > maxSHANI {
			blocksSHANI((*[8]uint32)(h), p[:maxSHANI])
			p = p[maxSHANI:]
		}
		blocksSHANI((*[8]uint32)(h), p)
	case cpu.SHA256AVX2:
		for len(p) > maxAVX2 {
			blocksAVX2((*[8]uint32)(h), p[:maxAVX2])
			p = p[maxAVX2:]
		}
		blocksAVX2((*[8]uint32)(h), p)
	default:
		sha256.Blocks(h, p)
	}
}
