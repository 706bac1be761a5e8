package main

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcutil/bech32"
)

// The examples that NIP-19 and NIP-06 print.
func TestNIP19(t *testing.T) {
	for _, test := range []struct{ hrp, hex, bech32 string }{
		{"npub", "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d", "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"},
		{"npub", "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e", "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"},
		{"nsec", "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa", "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"},
		{"nsec", "7f7ff03d123792d6ac594bfa67bf6d0c0ab55b6b1fdb6249303fe861f1ccba9a", "nsec10allq0gjx7fddtzef0ax00mdps9t2kmtrldkyjfs8l5xruwvh2dq0lhhkp"},
	} {
		want, err := hex.DecodeString(test.hex)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeNIP19(test.hrp, test.bech32)
		if err != nil || got != [32]byte(want) {
			t.Errorf("%s: %x, %v", test.bech32, got, err)
		}
		if got := encodeNIP19(test.hrp, [32]byte(want)); got != test.bech32 {
			t.Errorf("%s encodes to %s", test.hex, got)
		}
	}
}

// What spec.md, section 8, wants refused. The library's errors quote the
// string, ours must not.
func TestNIP19Strict(t *testing.T) {
	const good = "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
	code := func(hrp string, n int, m bool, spare byte) string {
		groups, err := bech32.ConvertBits(make([]byte, n), 8, 5, true)
		if err != nil {
			t.Fatal(err)
		}
		groups[len(groups)-1] |= spare
		encode := bech32.Encode
		if m {
			encode = bech32.EncodeM
		}
		s, err := encode(hrp, groups)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if _, err := decodeNIP19("npub", code("npub", 32, false, 0)); err != nil {
		t.Fatal("the test's own encoder is not one")
	}
	if _, err := decodeNIP19("npub", strings.ToUpper(good)); err != nil {
		t.Errorf("upper case alone: %v", err)
	}
	fiveSpare, err := bech32.Encode("npub", make([]byte, 53)) // 265 bits
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{
		"mixed case":           good[:20] + strings.ToUpper(good[20:]),
		"upper-case prefix":    "NPUB" + good[4:],
		"another prefix":       code("note", 32, false, 0),
		"prefix of the prefix": code("npu", 32, false, 0),
		"bech32m":              code("npub", 32, true, 0),
		"spare bits":           code("npub", 32, false, 1),
		"five spare bits":      fiveSpare,
		"31 bytes":             code("npub", 31, false, 0),
		"33 bytes":             code("npub", 33, false, 0),
		"a wrong character":    strings.Replace(good, "e", "b", 1),
		"checksum":             good[:len(good)-1] + "q",
		"a q before a final p": strings.TrimSuffix(code("npub", 32, false, 0), "p") + "qp",
		"cut":                  good[:30],
		"empty":                "",
		"white space":          " " + good,
		"not ASCII":            good + "é",
		"1000 bytes":           code("npub", 1000, false, 0),
	} {
		if _, err := decodeNIP19("npub", s); !errors.Is(err, errNIP19) || err.Error() != errNIP19.Error() {
			t.Errorf("%s: %q: error %v", name, s, err)
		}
	}
}

// The entries of nprofile, nevent and naddr: what is refused, what is skipped.
func TestPointerStrict(t *testing.T) {
	const (
		onCurve = "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e"
		off     = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff" // above p
		author  = "0220" + onCurve
		kind    = "030400000421"
	)
	for _, test := range []struct{ name, hrp, tlv, problem string }{
		{"nprofile", "nprofile", "0020" + onCurve, ""},
		{"unknown entry", "nprofile", "0020" + onCurve + "0703aabbcc" + "ff00", ""},
		{"author and kind of a profile", "nprofile", "0020" + onCurve + "0201aa" + "030100", ""},
		{"nevent", "nevent", "0020" + off + author + kind, ""},
		{"highest kind", "nevent", "0020" + off + "03040000ffff", ""},
		{"naddr", "naddr", "0000" + author + kind, ""},

		{"no entry", "nprofile", "", "NIP-19"},
		{"no special", "nprofile", "0104" + "6162636d", "NIP-19"},
		{"special twice", "nprofile", "0020" + onCurve + "0020" + onCurve, "NIP-19"},
		{"not on the curve", "nprofile", "0020" + off, "public key"},
		{"31 bytes", "nprofile", "001f" + onCurve[2:], "public key"},
		{"entry cut short", "nprofile", "0020" + onCurve[2:], "NIP-19"},
		{"a type alone", "nprofile", "0020" + onCurve + "01", "NIP-19"},
		{"a relay that is not ASCII", "nprofile", "0020" + onCurve + "0102c3a9", "NIP-19"},
		{"a relay with a line end", "nprofile", "0020" + onCurve + "0102610a", "NIP-19"},
		{"id of 33 bytes", "nevent", "0021" + off + "00", "NIP-19"},
		{"id twice", "nevent", "0020" + off + "0020" + off, "NIP-19"},
		{"author off the curve", "nevent", "0020" + off + "0220" + off, "public key"},
		{"author twice", "nevent", "0020" + off + author + author, "NIP-19"},
		{"kind twice", "nevent", "0020" + off + kind + kind, "NIP-19"},
		{"kind of three bytes", "nevent", "0020" + off + "0303000421", "NIP-19"},
		{"kind too high", "nevent", "0020" + off + "030400010000", "NIP-19"},
		{"no author", "naddr", "0000" + kind, "NIP-19"},
		{"no kind", "naddr", "0000" + author, "NIP-19"},
		{"no identifier", "naddr", author + kind, "NIP-19"},
		{"identifier twice", "naddr", "0000" + "000161" + author + kind, "NIP-19"},
		{"identifier not UTF-8", "naddr", "0001ff" + author + kind, "NIP-19"},
		{"npub off the curve", "npub", off, "public key"},
		{"note of 33 bytes", "note", off + "00", "NIP-19"},
		{"a secret key", "nsec", onCurve, "secret key"},
		{"nrelay", "nrelay", "0003616263", "NIP-19"},
	} {
		tlv, err := hex.DecodeString(test.tlv)
		if err != nil {
			t.Fatal(err)
		}
		s, err := bech32.EncodeFromBase256(test.hrp, tlv)
		if err != nil {
			t.Fatal(err)
		}
		_, err = decodePointer(s)
		if test.problem == "" && err != nil || test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.problem)
		}
	}
}

// The longest string has 5,000 characters: prefix, separator, data, checksum.
func TestNIP19Length(t *testing.T) {
	for hrp, ok := range map[string]bool{"xx": true, "xxx": false} {
		s, err := bech32.Encode(hrp, make([]byte, 4991)) // 3119 bytes and three bits
		if err != nil {
			t.Fatal(err)
		}
		if len(s) != 4991+len(hrp)+1+6 {
			t.Fatalf("the test's own string has %d characters", len(s))
		}
		if _, _, err := decodeBech32(s); (err == nil) != ok {
			t.Errorf("%d characters: error %v", len(s), err)
		}
	}
}
