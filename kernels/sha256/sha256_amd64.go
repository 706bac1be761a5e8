//go:build gc && !purego

package sha256

import (
	"github.com/sealwright/sealwright/fallback/sha256"
	"github.com/sealwright/sealwright/kernels/cpu"
)

//go:generate go run -C ../../asm ./sha256 ../kernels/sha256

// maxCall is how many bytes one call of assembly hashes at most: nothing preempts
// it, and this takes some ten microseconds.
const maxCall = 16 << 10

// blocks hashes the whole blocks of p onto h.
func blocks(h *State, p []byte) {
	if !cpu.SHA256SHANI && !cpu.SHA256AVX512 {
		sha256.Blocks(h, p)
		return
	}
	for len(p) > maxCall {
		blocksSHANI((*[8]uint32)(h), p[:maxCall])
		p = p[maxCall:]
	}
	blocksSHANI((*[8]uint32)(h), p)
}
