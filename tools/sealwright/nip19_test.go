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
