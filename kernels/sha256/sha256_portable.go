//go:build !amd64 || !gc || purego

package sha256

import "github.com/sealwright/sealwright/fallback/sha256"

// blocks hashes the whole blocks of p onto h.
func blocks(h *State, p []byte) { sha256.Blocks(h, p) }
