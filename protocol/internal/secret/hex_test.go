package secret

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

// Every byte at both places of a pair, against the digits it may be.
func TestDecodeHex(t *testing.T) {
	for _, c := range []struct {
		anyCase bool
		digits  string
	}{{false, "0123456789abcdef"}, {true, "0123456789abcdefABCDEF"}} {
		for a := range 256 {
			for b := range 256 {
				s := string([]byte{byte(a), byte(b)})
				valid := strings.IndexByte(c.digits, byte(a)) >= 0 && strings.IndexByte(c.digits, byte(b)) >= 0
				var got [1]byte
				ok := DecodeHex(got[:], s, c.anyCase)
				if ok != valid {
					t.Errorf("DecodeHex(%q, %v) = %v", s, c.anyCase, ok)
				}
				if want, err := hex.DecodeString(s); ok && (err != nil || !bytes.Equal(got[:], want)) {
					t.Errorf("DecodeHex(%q) = %x", s, got)
				}
			}
		}
	}
	for _, s := range []string{"", "0", "00", "000", "00000"} {
		if DecodeHex(make([]byte, 2), s, false) {
			t.Errorf("two bytes from %q", s)
		}
	}
	if !DecodeHex(nil, "", false) {
		t.Error("nothing from nothing fails")
	}
}

func TestEncodeHex(t *testing.T) {
	var all []byte
	for v := range 256 {
		all = append(all, byte(v))
	}
	if got := EncodeHex(all); got != hex.EncodeToString(all) {
		t.Error(got)
	}
}
