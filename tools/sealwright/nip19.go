package main

import (
	"errors"

	"github.com/btcsuite/btcd/btcutil/bech32"

	"github.com/sealwright/sealwright/protocol/keys"
)

var errNIP19 = errors.New("not a valid NIP-19 string")

// decodeNIP19 returns the 32 bytes of an npub, nsec or note, whose prefix is
// hrp. It is strict (NIP-19, BIP-173): one case only, the BIP-173 checksum,
// the prefix asked for, no more than four leftover bits, all zero, exactly 32
// bytes. The error is always errNIP19: the library's own errors quote parts of
// the string, which may be a secret. s may have any length.
func decodeNIP19(hrp, s string) (b [32]byte, err error) {
	prefix, groups, version, err := bech32.DecodeNoLimitWithVersion(s)
	if err != nil || version != bech32.Version0 || prefix != hrp {
		return b, errNIP19
	}
	defer clear(groups)
	data, err := bech32.ConvertBits(groups, 5, 8, false)
	if err != nil {
		return b, errNIP19
	}
	defer clear(data)
	if len(data) != len(b) {
		return b, errNIP19
	}
	copy(b[:], data)
	return b, nil
}

// encodeNIP19 is the opposite of decodeNIP19.
func encodeNIP19(hrp string, b [32]byte) string {
	s, err := bech32.EncodeFromBase256(hrp, b[:])
	if err != nil {
		panic("bech32 refused 32 bytes") // it fails on groups of more than five bits only
	}
	return s
}

func npub(p keys.PublicKey) string { return encodeNIP19("npub", p) }
