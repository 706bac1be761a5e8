package signertest

import (
	"fmt"
	"strings"
	"testing"
)

// The secret key of NIP-19's example and its nsec.
const (
	exampleKey  = "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa"
	exampleNsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
)

func TestShowsKey(t *testing.T) {
	key := []byte{
		0x67, 0xde, 0xa2, 0xed, 0x01, 0x80, 0x72, 0xd6, 0x75, 0xf5, 0x41, 0x5e, 0xcf, 0xae, 0xd7, 0xd2,
		0x59, 0x75, 0x55, 0xe2, 0x02, 0xd8, 0x5b, 0x3d, 0x65, 0xea, 0x4e, 0x58, 0xd2, 0xd9, 0x2f, 0xfa,
	}
	for _, verb := range []string{"%x", "%X", "% x", "% X", "%#x", "%v", "%d", "%#v", "%s", "%q", "%+q"} {
		if text := fmt.Sprintf("bad key "+verb+".", key); !showsKey(text, key) {
			t.Errorf("%s: %q", verb, text)
		}
	}
	for _, form := range []string{
		exampleKey,
		strings.ToUpper(exampleKey),
		exampleNsec,
		strings.ToUpper(exampleNsec),
		// By base64(1) of GNU coreutils, and tr for the other alphabet.
		"Z96i7QGActZ19UFez67X0ll1VeIC2Fs9ZepOWNLZL/o=",
		"Z96i7QGActZ19UFez67X0ll1VeIC2Fs9ZepOWNLZL/o",
		"Z96i7QGActZ19UFez67X0ll1VeIC2Fs9ZepOWNLZL_o=",
		"Z96i7QGActZ19UFez67X0ll1VeIC2Fs9ZepOWNLZL_o",
		"[103,222,162,237,1,128,114,214,117,245,65,94,207,174,215,210,89,117,85,226,2,216,91,61,101,234,78,88,210,217,47,250]",
		"[103, 222, 162, 237, 1, 128, 114, 214, 117, 245, 65, 94, 207, 174, 215, 210, 89, 117, 85, 226, 2, 216, 91, 61, 101, 234, 78, 88, 210, 217, 47, 250]",
	} {
		if !showsKey("bad key "+form+".", key) {
			t.Errorf("%s is not seen", form)
		}
	}
	if !showsKey("bad key "+exampleNsec, nil) {
		t.Error("an nsec is not seen without the key")
	}
	for _, text := range []string{"", "bad key", "<redacted>", "bad key nsec1", "bad key nsec1" + strings.Repeat("b", 58), exampleKey[:62], strings.Replace(exampleKey, "67", "66", 1)} {
		if showsKey(text, key) {
			t.Errorf("a key is seen in %q", text)
		}
	}
}

func TestShowsData(t *testing.T) {
	var long strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&long, "line %d: \"a\"\n", i)
	}
	data := long.String()
	for i := 0; i+32 <= len(data); i += 97 {
		if piece := data[i : i+32]; !showsData("cannot read "+piece+"!", data) {
			t.Fatalf("32 bytes from %d are not seen", i)
		}
	}
	for _, verb := range []string{"%s", "%q", "%+q", "%x", "%X", "% x", "%v", "%#v"} {
		if text := fmt.Sprintf("cannot read "+verb, []byte(data[100:180])); !showsData(text, data) {
			t.Errorf("%s: %s", verb, text)
		}
	}
	if !showsData("bGluZSAwOiAiYSIKbGluZSAxOiAiYSIKbGluZSAyOiAi", data) { // base64(1) of its beginning
		t.Error("base64 is not seen")
	}
	if !showsData("cannot read 16 bytes of text", "16 bytes of text") || showsData("cannot read 15 bytes, text", "15 bytes, text") {
		t.Error("short data is looked for from 16 bytes on")
	}
	for _, text := range []string{"", "cannot read", data[200:231], "cannot read line 7"} {
		if showsData(text, data) {
			t.Errorf("data is seen in %q", text)
		}
	}
}
