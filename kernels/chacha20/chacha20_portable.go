//go:build (!amd64 && !arm64) || !gc || purego

package chacha20

import "github.com/sealwright/sealwright/fallback/chacha20"

// xor is XORKeyStream for slices of one length.
func xor(dst, src []byte, key *[KeySize]byte, nonce *[NonceSize]byte, counter uint32) {
	chacha20.XORKeyStream(dst, src, key, nonce, counter)
}
