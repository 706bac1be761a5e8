package base64

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"
)

// RFC 4648, section 10.
func TestRFC4648(t *testing.T) {
	for _, c := range []struct{ text, code string }{
		{"", ""},
		{"f", "Zg=="},
		{"fo", "Zm8="},
		{"foo", "Zm9v"},
		{"foob", "Zm9vYg=="},
		{"fooba", "Zm9vYmE="},
		{"foobar", "Zm9vYmFy"},
	} {
		if got := encode([]byte(c.text)); got != c.code {
			t.Errorf("%q: %q, want %q", c.text, got, c.code)
		}
		if got, ok := decode([]byte(c.code)); !ok || string(got) != c.text {
			t.Errorf("%q: %q, %v, want %q", c.code, got, ok, c.text)
		}
	}
}

// What is refused: cases 9 and 10, and RFC 4648, sections 3.1 to 3.5.
func TestRefused(t *testing.T) {
	for _, code := range []string{
		"Z", "Zg", "Zg=", "Zm8", "Zm9vY", "Zm9vYg", "Zm9vYg=", // no or short padding
		"=", "==", "===", "====", "Z===", "=Zm9", "Z=m9", "Zm=v", "Zm9=v===", "Zg==Zg==", "Zm8=Zm8=", "Zm9v====", // '=' elsewhere
		"Zh==", "Zi==", "Zk==", "Zo==", "Zv==", "Zm9=", "Zm+=", "Zm/=", // spare bits
		"Zm9v\n", "Zm9v\r\n", "Zm9v\n\n\n\n", "Zm\n9", "Zm9\r", "\nZm9", "Zm 9", " Zm9", "Zm9 ", "Zm9\t", "Zm9\x00", // white space
		"-_-_", "Zm9-", "Zm9_", // URL alphabet
		"#m9v", "Zm9*", "Zm9\x80", "Zm9\xff", "\xff\xff\xff\xff", "Zm9\xc3", // no alphabet
	} {
		if got, ok := decode([]byte(code)); ok {
			t.Errorf("%q is taken for %q", code, got)
		}
		// Also where eight characters a step are taken before.
		long := strings.Repeat("QUJD", 7) + code
		if got, ok := decode([]byte(long)); ok {
			t.Errorf("%q is taken for %q", long, got)
		}
	}
}

// Every value of every character of a text, in each place that another part of
// the code reads, against the standard library.
func TestEveryCharacter(t *testing.T) {
	for n := 1; n <= 15; n++ {
		code := []byte(encode([]byte("any old bytes ok")[:n]))
		for i, was := range code {
			for c := range 256 {
				code[i] = byte(c)
				want, wantOK := reference(code)
				if got, ok := decode(code); ok != wantOK || ok && !bytes.Equal(got, want) {
					t.Fatalf("%q: %q, %v, want %q, %v", code, got, ok, want, wantOK)
				}
			}
			code[i] = was
		}
	}
}

// Every length, against the standard library, into memory of exactly the
// length with bytes behind that must stay.
func TestLengths(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	for n := range 300 {
		text := make([]byte, n)
		random.Read(text)
		want := base64.StdEncoding.EncodeToString(text)
		if EncodedLen(n) != len(want) {
			t.Fatalf("EncodedLen(%d) = %d, want %d", n, EncodedLen(n), len(want))
		}
		behind := "bytes behind"
		code := []byte(strings.Repeat("?", len(want)) + behind)
		Encode(code, text)
		if string(code) != want+behind {
			t.Fatalf("length %d: %q, want %q", n, code, want)
		}
		if got, ok := DecodedLen([]byte(want)); !ok || got != n {
			t.Fatalf("DecodedLen: %d, %v, want %d", got, ok, n)
		}
		back := []byte(strings.Repeat("?", n) + behind)
		if got, ok := Decode(back, []byte(want)); !ok || got != n || string(back) != string(text)+behind {
			t.Fatalf("length %d: %d, %v, %q, want %q", n, got, ok, back, text)
		}
	}
}

func TestEncodedLenLarge(t *testing.T) {
	const largest = int(^uint(0)>>1) / 4 * 3
	if got := EncodedLen(largest); got != largest/3*4 {
		t.Errorf("EncodedLen(%d) = %d", largest, got)
	}
}

func FuzzDecode(f *testing.F) {
	for _, code := range []string{"", "Zg==", "Zh==", "Zm8=", "Zm9v", "Zm9v\n", "Zm9vYmFyZm9vYmFyZg=="} {
		f.Add([]byte(code))
	}
	f.Fuzz(func(t *testing.T, code []byte) {
		got, ok := decode(code)
		want, wantOK := reference(code)
		if ok != wantOK || ok && !bytes.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q, %v", code, got, ok, want, wantOK)
		}
		if ok && encode(got) != string(code) {
			t.Errorf("%q has another text: %q", code, encode(got))
		}
	})
}

func FuzzEncode(f *testing.F) {
	f.Add([]byte("foobar"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if got := encode(text); got != base64.StdEncoding.EncodeToString(text) {
			t.Errorf("%q: %q", text, got)
		}
	})
}

func encode(text []byte) string {
	code := make([]byte, EncodedLen(len(text)))
	Encode(code, text)
	return string(code)
}

func decode(code []byte) ([]byte, bool) {
	n, ok := DecodedLen(code)
	if !ok {
		return nil, false
	}
	text := make([]byte, n)
	n, ok = Decode(text, code)
	return text[:n], ok
}

// reference is the strict decoding of the standard library, which ignores line
// breaks: they are refused here.
func reference(code []byte) ([]byte, bool) {
	text, err := base64.StdEncoding.Strict().DecodeString(string(code))
	return text, err == nil && !bytes.ContainsAny(code, "\r\n")
}
