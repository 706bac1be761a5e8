//go:build gc && !purego

package sha256

import (
	"github.com/sealwright/sealwright/fallback/sha256"
	"github.com/sealwright/sealwright/kernels/cpu"
)

// How many bytes one call of assembly hashes at most (see cpu.CallCycles).
const (
	maxSHA2 = 16 << 10
	maxNEON = 2 << 10
)

// blocks hashes the whole blocks of p onto h.
func blocks(h *State, p []byte) {
	switch {
	case cpu.SHA256SHA2:
		for len(p) > maxSHA2 {
			blocksSHA2((*[8]uint32)(h), p[:maxSHA2])
			p = p[maxSHA2:]
		}
		blocksSHA2((*[8]uint32)(h), p)
	case cpu.SHA256NEON:
		for len(p) > maxNEON {
			blocksNEON((*[8]uint32)(h), p[:maxNEON])
			p = p[maxNEON:]
		}
		blocksNEON((*[8]uint32)(h), p)
	default:
		sha256.Blocks(h, p)
	}
}

// hmac sets tag to the HMAC of a message under the key with the states inner and outer,
// where inner has the blocks of the message but the last ones, which are p, padded.
func hmac(tag *[Size]byte, inner, outer *State, p []byte) { hmacOfBlocks(tag, inner, outer, p) }

// pair hashes block p[0] onto h0, and p[1] onto h1.
func pair(h0, h1 *State, p *[2][BlockSize]byte) {
	if !cpu.SHA256SHA2 {
		pairOfBlocks(h0, h1, p)
		return
	}
	pairSHA2((*[8]uint32)(h0), (*[8]uint32)(h1), p)
}

// lanes is how many messages blocksOfLanes hashes side by side.
const lanes = 2

// minLanes is how many lanes must have work for the two to be worth their time: a block
// of both takes longer than one of one.
const minLanes = 2

// maxLaneBlocks is how many blocks of each lane one call hashes at most (see
// cpu.CallCycles).
const maxLaneBlocks = 128

// haveLanes reports whether blocksOfLanes may be called.
func haveLanes() bool { return cpu.SHA256SHA2 }

// blocksOfLanes hashes the n blocks at p[i] onto the words h[0][i] to h[7][i], for each
// lane i. n is positive.
func blocksOfLanes(h *[8][lanes]uint32, p *[lanes]*byte, n int) { blocks2SHA2(h, p, n) }
