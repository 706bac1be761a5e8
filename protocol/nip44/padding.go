package nip44

import (
	"encoding/binary"
	"math/bits"
)

const (
	// DefaultMaxPlaintext is the limit where options name none: 1 MiB.
	DefaultMaxPlaintext = 1 << 20
	// MaxPlaintext is the longest plaintext, in bytes, that the format holds.
	MaxPlaintext = 1<<32 - 1
	// LegacyMaxPlaintext is the longest plaintext that readers of the format
	// of 2023 open: what the two-byte length holds.
	LegacyMaxPlaintext = 1<<16 - 1

	nonceLen     = 32
	macLen       = 32
	headerLen    = 1 + nonceLen // version and nonce
	headerChars  = 44           // the header is a whole number of base64 quanta
	minPadded    = 32
	shortPrefix  = 2 // length prefix up to LegacyMaxPlaintext
	longPrefix   = 6 // two zero bytes, then four of length
	minRaw       = headerLen + shortPrefix + minPadded + macLen
	versionByte  = 2
	firstPadded  = 1 << 16 // the only padded length that both prefixes share
	longestBlock = longPrefix + 1<<32
)

// PaddedLen returns the length, in bytes, to which a plaintext of n bytes is
// padded (NIP-44, calc_padded_len), without the length prefix. n is at most
// [MaxPlaintext]; the result reaches 2^32.
func PaddedLen(n uint64) uint64 {
	if n <= minPadded {
		return minPadded
	}
	// chunk is 32 up to 256, then an eighth of the next power of two.
	chunk := uint64(32)
	if next := uint64(1) << bits.Len64(n-1); next > 256 {
		chunk = next / 8
	}
	return chunk * ((n-1)/chunk + 1)
}

// EncryptedLen returns the length, in base64 characters, of the payload of a
// plaintext of n bytes: the room with which AppendEncrypt allocates nothing.
// n is at most [MaxPlaintext].
func EncryptedLen(n uint64) uint64 {
	raw := headerLen + prefixLen(n) + PaddedLen(n) + macLen
	return (raw + 2) / 3 * 4
}

// MaxDecryptedLen returns the room, in bytes, with which AppendDecrypt
// allocates nothing for this payload. The plaintext is shorter.
func MaxDecryptedLen(payload []byte) int {
	return max(0, len(payload)-headerChars) / 4 * 3
}

// prefixLen is the length of the prefix that a plaintext of n bytes takes.
func prefixLen(n uint64) uint64 {
	if n <= LegacyMaxPlaintext {
		return shortPrefix
	}
	return longPrefix
}

// putPrefix writes the length prefix of a plaintext of n bytes and returns its
// length.
func putPrefix(b *[longPrefix]byte, n uint64) int {
	if n <= LegacyMaxPlaintext {
		binary.BigEndian.PutUint16(b[:], uint16(n))
		return shortPrefix
	}
	b[0], b[1] = 0, 0
	binary.BigEndian.PutUint32(b[2:], uint32(n))
	return longPrefix
}

// legalBlock reports whether a block of n bytes, prefix and padding included,
// is one that pad makes.
func legalBlock(n uint64) bool {
	if n > longestBlock {
		return false
	}
	short := n >= shortPrefix+minPadded && n <= shortPrefix+firstPadded && fixedPoint(n-shortPrefix)
	long := n >= longPrefix+firstPadded && fixedPoint(n-longPrefix)
	return short || long
}

// fixedPoint reports whether n is a padded length: each pads to itself.
func fixedPoint(n uint64) bool { return PaddedLen(n) == n }

// unpad returns where the plaintext lies in an authenticated block. Only the
// lengths are checked: NIP-44 gives the bytes of the padding no meaning.
func unpad(block []byte) (from, to int, err error) {
	if len(block) < longPrefix {
		return 0, 0, ErrPadding
	}
	n, prefix := uint64(binary.BigEndian.Uint16(block)), uint64(shortPrefix)
	if n == 0 {
		n, prefix = uint64(binary.BigEndian.Uint32(block[2:])), longPrefix
		if n <= LegacyMaxPlaintext {
			return 0, 0, ErrPadding // the short form holds it
		}
	}
	if uint64(len(block)) != prefix+PaddedLen(n) {
		return 0, 0, ErrPadding
	}
	return int(prefix), int(prefix + n), nil
}
