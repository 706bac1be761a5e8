package keys

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// Secrets and their public keys. 1, 2, 3 give the x-coordinates of G, 2G, 3G
// (SEC 2; BIP-340 vector 0 for 3); n−1 shares the key of 1.
var pairs = []struct{ secret, public string }{
	{"0000000000000000000000000000000000000000000000000000000000000001", "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"},
	{"0000000000000000000000000000000000000000000000000000000000000002", "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"},
	{"0000000000000000000000000000000000000000000000000000000000000003", "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"},
	{"fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140", "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"},
	{"7f7ff03d123792d6ac594bfa67bf6d0c0ab55b6b1fdb6249303fe861f1ccba9a", "17162c921dc4d2518f9a101db33695df1afb56ab82f5ff3e5da6eec3ca5cd917"}, // NIP-06
}

func TestSecretKey(t *testing.T) {
	for _, c := range pairs {
		sk, err := ParseSecretKey(c.secret)
		if err != nil {
			t.Fatal(err)
		}
		if got := sk.PublicKey().String(); got != c.public {
			t.Errorf("%s: public key %s, want %s", c.secret, got, c.public)
		}
		b, err := sk.Bytes()
		if err != nil || fmt.Sprintf("%x", b) != c.secret {
			t.Errorf("Bytes gives %x, %v", b, err)
		}
		again, err := NewSecretKey(b)
		if err != nil || again.PublicKey() != sk.PublicKey() {
			t.Errorf("NewSecretKey(%x): %v", b, err)
		}
		clear(b) // NewSecretKey copies
		if got := again.PublicKey().String(); got != c.public {
			t.Errorf("the key changed with the caller's bytes: %s", got)
		}
	}
}

// Case 15: nothing is reduced silently.
func TestInvalidSecretKey(t *testing.T) {
	for _, s := range []string{
		"",
		"01",
		strings.Repeat("0", 64),
		strings.Repeat("f", 64),
		"fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", // n
		"fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364142",
		"7F7FF03D123792D6AC594BFA67BF6D0C0AB55B6B1FDB6249303FE861F1CCBA9A",
		"7f7ff03d123792d6ac594bfa67bf6d0c0ab55b6b1fdb6249303fe861f1ccba9",
		"7f7ff03d123792d6ac594bfa67bf6d0c0ab55b6b1fdb6249303fe861f1ccba9a0",
		"7f7ff03d123792d6ac594bfa67bf6d0c0ab55b6b1fdb6249303fe861f1ccba9g",
		" 7f7ff03d123792d6ac594bfa67bf6d0c0ab55b6b1fdb6249303fe861f1ccba9a",
		"0x" + strings.Repeat("1", 62),
	} {
		sk, err := ParseSecretKey(s)
		if !errors.Is(err, ErrSecretKey) || sk != nil {
			t.Errorf("%q: %v", s, err)
		}
		if len(s) > 2 && strings.Contains(err.Error(), s) {
			t.Errorf("the error tells the key: %v", err)
		}
	}
	for _, n := range []int{0, 31, 33} {
		if sk, err := NewSecretKey(bytes.Repeat([]byte{1}, n)); !errors.Is(err, ErrSecretKey) || sk != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestInvalidPublicKey(t *testing.T) {
	for _, s := range []string{
		"",
		strings.Repeat("0", 64), // order 3 on the twist
		"eb1f7200aecaa86682376fb1c13cd12b732221e774f553b0a0857f88fa20f86d",
		"709858a4c121e4a84eb59c0ded0261093c71e8ca29efeef21a6161c447bcaf9f",
		"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", // p
		"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30", // p + 1
		"79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798",
		"79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f8179",
		"0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
	} {
		if pub, err := ParsePublicKey(s); !errors.Is(err, ErrPublicKey) || pub != (PublicKey{}) {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, n := range []int{0, 31, 33} {
		if _, err := NewPublicKey(make([]byte, n)); !errors.Is(err, ErrPublicKey) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestPublicKeyText(t *testing.T) {
	const s = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
	pub, err := ParsePublicKey(s)
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(map[PublicKey]PublicKey{pub: pub})
	if want := `{"` + s + `":"` + s + `"}`; err != nil || string(out) != want {
		t.Errorf("%s, %v, want %s", out, err, want)
	}
	var back map[PublicKey]PublicKey
	if err := json.Unmarshal(out, &back); err != nil || back[pub] != pub {
		t.Errorf("%v, %v", back, err)
	}
	// Decoding checks the form alone.
	if err := new(PublicKey).UnmarshalText([]byte(strings.Repeat("0", 64))); err != nil {
		t.Error(err)
	}
	kept := pub
	if err := kept.UnmarshalText([]byte(strings.Repeat("G", 64))); !errors.Is(err, ErrPublicKey) || kept != pub {
		t.Errorf("%v, %v", kept, err)
	}
}

func TestDestroyed(t *testing.T) {
	sk, err := GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	clone, err := sk.Clone()
	if err != nil {
		t.Fatal(err)
	}
	pub := sk.PublicKey()
	alias := *sk
	sk.Zero()
	if *sk.box.Get() != (pair{}) {
		t.Error("the scalars are still there")
	}
	if clone.PublicKey() != pub {
		t.Error("the clone was wiped too")
	}
	for name, k := range map[string]*SecretKey{"nil": nil, "zero value": {}, "wiped": sk, "copy of a wiped one": &alias} {
		_, bytesErr := k.Bytes()
		_, cloneErr := k.Clone()
		for _, err := range []error{bytesErr, cloneErr, k.Err(), k.CopyScalar(nil), k.CopyEvenScalar(nil)} {
			if !errors.Is(err, ErrDestroyed) {
				t.Errorf("%s: %v", name, err)
			}
		}
		k.Zero()
		func() {
			defer func() {
				if r := recover(); r != ErrDestroyed {
					t.Errorf("%s: PublicKey panicked with %v", name, r)
				}
			}()
			k.PublicKey()
		}()
	}
}

// Case 18: a secret does not print, whatever the verb, the encoding or the
// struct around it.
func TestRedacted(t *testing.T) {
	const s = "7f7ff03d123792d6ac594bfa67bf6d0c0ab55b6b1fdb6249303fe861f1ccba9a"
	sk, err := ParseSecretKey(s)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := sk.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	type foreign struct {
		Exported SecretKey
		Pointer  *SecretKey
		hidden   SecretKey
		pointer  *SecretKey
	}
	values := []any{sk, *sk, []any{sk}, map[string]any{"k": *sk}, foreign{*sk, sk, *sk, sk}, &foreign{*sk, sk, *sk, sk}}
	for _, v := range values {
		var out []string
		for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%X", "%s", "%q", "%d", "%b", "%10v"} {
			out = append(out, fmt.Sprintf(verb, v))
		}
		j, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "k", v)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "k", v)
		for _, text := range append(out, string(j), log.String()) {
			lower := strings.ToLower(text)
			// The first word of the scalar, as decimal, as hex, as bytes.
			for _, leak := range []string{s[:16], s[48:], fmt.Sprint(raw[:4]), "7f 7f", "127 127", "127,127", fmt.Sprint(sk.box.Get().d[0]), fmt.Sprintf("%x", sk.box.Get().d[0])} {
				if strings.Contains(lower, strings.Trim(leak, "[]")) {
					t.Errorf("%T shows %q in %s", v, leak, text)
				}
			}
		}
	}
	for _, v := range []any{sk, *sk} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%s", "%q"} {
			if got := fmt.Sprintf(verb, v); got != "<redacted>" {
				t.Errorf("%s of %T: %s", verb, v, got)
			}
		}
		j, err := json.Marshal(v)
		if err != nil || string(j) != `"\u003credacted\u003e"` {
			t.Errorf("JSON of %T: %s, %v", v, j, err)
		}
	}
}

func FuzzParseSecretKey(f *testing.F) {
	for _, c := range pairs {
		f.Add(c.secret)
	}
	f.Fuzz(func(t *testing.T, s string) {
		sk, err := ParseSecretKey(s)
		if err != nil {
			return
		}
		b, err := sk.Bytes()
		if err != nil || fmt.Sprintf("%x", b) != s {
			t.Fatalf("%x, %v", b, err)
		}
		if _, err := ParsePublicKey(sk.PublicKey().String()); err != nil {
			t.Fatal(err)
		}
	})
}
