package main

import (
	"encoding/hex"
	"testing"

	"github.com/btcsuite/btcd/btcutil/bech32"
)

// The records of nprofile, nevent and naddr: what is refused, what is skipped.
func TestEntityStrict(t *testing.T) {
	const (
		onCurve = "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e"
		off     = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff" // above p
		author  = "0220" + onCurve
		kind    = "030400000421"
	)
	for _, test := range []struct {
		name, hrp, tlv string
		want           error
	}{
		{"nprofile", "nprofile", "0020" + onCurve, nil},
		{"unknown record", "nprofile", "0020" + onCurve + "0703aabbcc" + "ff00", nil},
		{"author and kind of an nprofile", "nprofile", "0020" + onCurve + "0220" + off + author + "0203abcdef" + kind + kind + "0300", nil},
		{"largest kind", "nevent", "0020" + off + "03040000ffff", nil},
		{"nevent", "nevent", "0020" + off + author + kind, nil},
		{"naddr", "naddr", "0000" + author + kind, nil},

		{"no record", "nprofile", "", errTLVUnset},
		{"no special", "nprofile", "0104" + "6162636d", errTLVUnset},
		{"special twice", "nprofile", "0020" + onCurve + "0020" + onCurve, errTLV},
		{"not on the curve", "nprofile", "0020" + off, errTLVKey},
		{"31 bytes", "nprofile", "001f" + onCurve[2:], errTLV},
		{"record cut short", "nprofile", "0020" + onCurve[2:], errTLV},
		{"a type alone", "nprofile", "0020" + onCurve + "01", errTLV},
		{"a relay that is not ASCII", "nprofile", "0020" + onCurve + "0102c3a9", errTLV},
		{"a relay with a line end", "nprofile", "0020" + onCurve + "0102610a", errTLV},
		{"id of 33 bytes", "nevent", "0021" + off + "00", errTLV},
		{"id twice", "nevent", "0020" + off + "0020" + off, errTLV},
		{"author off the curve", "nevent", "0020" + off + "0220" + off, errTLVKey},
		{"author twice", "nevent", "0020" + off + author + author, errTLV},
		{"kind twice", "nevent", "0020" + off + kind + kind, errTLV},
		{"kind of three bytes", "nevent", "0020" + off + "0303000421", errTLV},
		{"kind above 65535", "nevent", "0020" + off + "030400010000", errTLVKind},
		{"kind 2^32-1", "naddr", "0000" + author + "0304ffffffff", errTLVKind},
		{"no author", "naddr", "0000" + kind, errTLVUnset},
		{"no kind", "naddr", "0000" + author, errTLVUnset},
		{"no identifier", "naddr", author + kind, errTLVUnset},
		{"identifier twice", "naddr", "0000" + "000161" + author + kind, errTLV},
		{"identifier not UTF-8", "naddr", "0001ff" + author + kind, errTLV},
		{"npub off the curve", "npub", off, errTLVKey},
		{"note of 33 bytes", "note", off + "00", errNIP19},
		{"a secret key", "nsec", onCurve, errSecret},
		{"nrelay", "nrelay", "0003616263", errNIP19},
	} {
		tlv, err := hex.DecodeString(test.tlv)
		if err != nil {
			t.Fatal(err)
		}
		s, err := bech32.EncodeFromBase256(test.hrp, tlv)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeEntity(s); err != test.want {
			t.Errorf("%s: error %v, want %v", test.name, err, test.want)
		}
	}
}

// The longest string has 5,000 characters: prefix, separator, data, checksum.
func TestEntityLength(t *testing.T) {
	for hrp, want := range map[string]error{"xx": errNIP19, "xxx": errTooLong} {
		s, err := bech32.Encode(hrp, make([]byte, 4991)) // 3119 bytes and three bits
		if err != nil {
			t.Fatal(err)
		}
		if len(s) != 4991+len(hrp)+1+6 {
			t.Fatalf("the test's own string has %d characters", len(s))
		}
		if _, err := decodeEntity(s); err != want {
			t.Errorf("%d characters: error %v, want %v", len(s), err, want)
		}
	}
}
