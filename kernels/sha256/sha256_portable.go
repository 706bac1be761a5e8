//go:build (!amd64 && !arm64) || !gc || purego

package sha256

import "github.com/sealwright/sealwright/fallback/sha256"

// blocks hashes the whole blocks of p onto h.
func blocks(h *State, p []byte) { sha256.Blocks(h, p) }

// hmac sets tag to the HMAC of a message under the key with the states inner and outer,
// where inner has the blocks of the message but the last ones, which are p, padded.
func hmac(tag *[Size]byte, inner, outer *State, p []byte) { hmacOfBlocks(tag, inner, outer, p) }

// pair hashes block p[0] onto h0, and p[1] onto h1.
func pair(h0, h1 *State, p *[2][BlockSize]byte) { pairOfBlocks(h0, h1, p) }

// sum256s does what [Sum256s] promises.
func sum256s(out [][Size]byte, messages [][]byte) {
	for i, m := range messages {
		out[i] = Sum256(m)
	}
}
