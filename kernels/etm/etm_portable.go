//go:build (!amd64 && !arm64) || !gc || purego

package etm

// What one pass takes, where there is none.
const groupLen, groupHashed, maxGroups = 1, 1, 1

// woven reports whether xorAndHash may be called.
func woven() bool { return false }

func xorAndHash(dst, src *byte, n int, key *[32]byte, nonce *[12]byte, counter uint32, h *[8]uint32, p *byte) {
	panic("etm: no assembly in this build")
}
