//go:build (!amd64 && !arm64) || !gc || purego

package sha256

import "github.com/sealwright/sealwright/fallback/sha256"

// blocks hashes the whole blocks of p onto h.
func blocks(h *State, p []byte) { sha256.Blocks(h, p) }

// sum256s does what [Sum256s] promises.
func sum256s(out [][Size]byte, messages [][]byte) {
	for i, m := range messages {
		out[i] = Sum256(m)
	}
}
