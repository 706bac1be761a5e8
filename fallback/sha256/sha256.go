// Package sha256 is SHA-256 (FIPS 180-4), HMAC-SHA-256 (RFC 2104) and HKDF
// (RFC 5869) in portable Go: the reference that kernels/sha256 is held
// against. Above the block function it is written for shortness; the streaming
// forms are in kernels/sha256. It carries no compatibility promise.
//
// Lengths are in bytes. Time depends on lengths alone.
package sha256

import "encoding/binary"

// Sizes in bytes, and the longest output of Expand.
const (
	Size      = 32
	BlockSize = 64
	MaxExpand = 255 * Size
)

// State is the chaining value H: eight words, FIPS 180-4, section 6.2.
type State [8]uint32

// Init sets h to the initial value, FIPS 180-4, section 5.3.3.
func (h *State) Init() {
	*h = State{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
}

// Bytes writes h to out in big-endian order: the digest, once the last block
// is in.
func (h *State) Bytes(out *[Size]byte) {
	for i, word := range h {
		binary.BigEndian.PutUint32(out[4*i:], word)
	}
}

// HMACKey is an HMAC key as the two states after its padded blocks, inner and
// outer. Both are as secret as the key.
type HMACKey struct {
	Inner, Outer State
}

// Sum256 returns the SHA-256 digest of p.
func Sum256(p []byte) (out [Size]byte) {
	var h State
	h.Init()
	sum(&out, &h, 0, p)
	return out
}

// NewHMACKey prepares a key of any length; one longer than a block stands for
// its digest.
func NewHMACKey(key []byte) (k HMACKey) {
	var pad [BlockSize]byte
	if len(key) > BlockSize {
		digest := Sum256(key)
		copy(pad[:], digest[:])
		clear(digest[:])
	} else {
		copy(pad[:], key)
	}
	for i := range pad {
		pad[i] ^= 0x36
	}
	k.Inner.Init()
	Blocks(&k.Inner, pad[:])
	for i := range pad {
		pad[i] ^= 0x36 ^ 0x5c
	}
	k.Outer.Init()
	Blocks(&k.Outer, pad[:])
	clear(pad[:])
	return k
}

// HMAC returns HMAC-SHA-256 of p.
func HMAC(k *HMACKey, p []byte) (out [Size]byte) {
	h := k.Inner
	sum(&out, &h, BlockSize, p)
	h = k.Outer
	sum(&out, &h, BlockSize, out[:])
	h = State{}
	return out
}

// Extract is HKDF-Extract, RFC 5869, section 2.2.
func Extract(salt, ikm []byte) [Size]byte {
	k := NewHMACKey(salt)
	prk := HMAC(&k, ikm)
	k = HMACKey{}
	return prk
}

// Expand is HKDF-Expand, RFC 5869, section 2.3, into all of out, which has at
// most MaxExpand bytes.
func Expand(out []byte, prk *HMACKey, info []byte) {
	if len(out) > MaxExpand {
		panic("sha256: HKDF output too long")
	}
	message := make([]byte, 0, Size+len(info)+1)
	for i := byte(1); len(out) > 0; i++ {
		message = append(append(message, info...), i)
		t := HMAC(prk, message)
		out = out[copy(out, t[:]):]
		message = append(message[:0], t[:]...)
		clear(t[:])
	}
	clear(message[:cap(message)])
}

// sum hashes p, the end of a message, onto h, which has taken before bytes of
// it in whole blocks.
func sum(out *[Size]byte, h *State, before uint64, p []byte) {
	whole := len(p) &^ (BlockSize - 1)
	Blocks(h, p[:whole])
	var pad [2 * BlockSize]byte
	n := copy(pad[:], p[whole:])
	pad[n] = 0x80
	end := BlockSize
	if n >= BlockSize-8 {
		end = 2 * BlockSize
	}
	binary.BigEndian.PutUint64(pad[end-8:end], (before+uint64(len(p)))<<3)
	Blocks(h, pad[:end])
	h.Bytes(out)
	clear(pad[:])
}
