package main

import (
	"errors"

	"github.com/btcsuite/btcd/btcutil/bech32"

	"github.com/sealwright/sealwright/protocol/keys"
)

var (
	errNIP19     = errors.New("not a valid NIP-19 string")
	errPublicKey = errors.New("not a public key: want 64 lower-case hex digits or an npub")
)

// decodeNIP19 returns the 32 bytes of an npub, nsec or note, whose prefix is
// hrp. The error is always errNIP19.
func decodeNIP19(hrp, s string) (b [32]byte, err error) {
	prefix, data, err := decodeBech32(s)
	defer clear(data)
	if err != nil || prefix != hrp || len(data) != len(b) {
		return b, errNIP19
	}
	copy(b[:], data)
	return b, nil
}

// decodeBech32 is strict (NIP-19, BIP-173): one case only, the BIP-173
// checksum, no more than four leftover bits, all zero. s may have any length.
// The error is always errNIP19: the library's own errors quote parts of the
// string, which may be a secret.
func decodeBech32(s string) (prefix string, data []byte, err error) {
	prefix, groups, version, err := bech32.DecodeNoLimitWithVersion(s)
	if err != nil || version != bech32.Version0 {
		return "", nil, errNIP19
	}
	defer clear(groups)
	data, err = bech32.ConvertBits(groups, 5, 8, false)
	if err != nil {
		return "", nil, errNIP19
	}
	return prefix, data, nil
}

// encodeNIP19 is the opposite of decodeNIP19.
func encodeNIP19(hrp string, b [32]byte) string { return encodeBech32(hrp, b[:]) }

func encodeBech32(hrp string, data []byte) string {
	s, err := bech32.EncodeFromBase256(hrp, data)
	if err != nil {
		panic("bech32 refused bytes") // it fails on groups of more than five bits only
	}
	return s
}

func npub(p keys.PublicKey) string { return encodeNIP19("npub", p) }
