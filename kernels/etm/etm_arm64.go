//go:build gc && !purego

package etm

import (
	"github.com/sealwright/sealwright/kernels/cpu"
	"github.com/sealwright/sealwright/kernels/sha256"
)

// A pass encrypts groupLen bytes and hashes groupHashed bytes: two double rounds beside a
// block. A call does maxGroups of them at most (see cpu.CallCycles).
const (
	groupLen    = 320
	groupHashed = 5 * sha256.BlockSize
	maxGroups   = 10
)

// woven reports whether xorAndHash may be called.
func woven() bool { return cpu.ETMSHA2 }

// xorAndHash sets n bytes at dst to those at src XOR the keystream, and hashes as many
// groups at p onto h. n is a positive multiple of groupLen.
func xorAndHash(dst, src *byte, n int, key *[32]byte, nonce *[12]byte, counter uint32, h *[8]uint32, p *byte) {
	xorAndHashSHA2(dst, src, n, key, nonce, counter, h, p)
}
