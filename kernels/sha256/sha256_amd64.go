//go:build gc && !purego

package sha256

import (
	"github.com/sealwright/sealwright/fallback/sha256"
	"github.com/sealwright/sealwright/kernels/cpu"
)

//go:generate go run -C ../../asm . sha256 ../kernels/sha256

// How many bytes one call of assembly hashes at most (see cpu.CallCycles). Pairs of
// blocks stay together.
const (
	maxSHANI = 16 << 10
	maxAVX2  = 4 << 10
)

// haveSHANI reports whether the routines of the tier shani may be called: avx512 tests all
// that they need.
func haveSHANI() bool { return cpu.SHA256SHANI || cpu.SHA256AVX512 }

// blocks hashes the whole blocks of p onto h.
func blocks(h *State, p []byte) {
	switch {
	case haveSHANI():
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

// hmac sets tag to the HMAC of a message under the key with the states inner and outer,
// where inner has the blocks of the message but the last ones, which are p, padded.
func hmac(tag *[Size]byte, inner, outer *State, p []byte) {
	if !haveSHANI() {
		hmacOfBlocks(tag, inner, outer, p)
		return
	}
	hmacSHANI(tag, (*[8]uint32)(inner), (*[8]uint32)(outer), p)
}

// pair hashes block p[0] onto h0, and p[1] onto h1.
func pair(h0, h1 *State, p *[2][BlockSize]byte) {
	if !haveSHANI() {
		pairOfBlocks(h0, h1, p)
		return
	}
	pairSHANI((*[8]uint32)(h0), (*[8]uint32)(h1), p)
}

// lanes is how many messages blocksOfLanes hashes side by side.
const lanes = 16

// minLanes is how many lanes must have work for the sixteen to be worth their time: on
// Zen 4 a block of all takes about 970 cycles whatever they hold, a block of one message
// with the SHA extensions 130.
const minLanes = 8

// maxLaneBlocks is how many blocks of each lane one call hashes at most (see
// cpu.CallCycles).
const maxLaneBlocks = 32

// haveLanes reports whether blocksOfLanes may be called.
func haveLanes() bool { return cpu.SHA256AVX512 }

// blocksOfLanes hashes the n blocks at p[i] onto the words h[0][i] to h[7][i], for each
// lane i. n is positive.
func blocksOfLanes(h *[8][lanes]uint32, p *[lanes]*byte, n int) { blocks16AVX512(h, p, n) }
