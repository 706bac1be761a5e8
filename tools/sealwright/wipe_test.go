package main

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// NIP-49's own example, password "nostr", and the same key that nostr-tools
// encrypted with LOG_N 1.
const (
	ncryptsecExample = "ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dgjtcxfqtd67p9m0w57lspw8gsq6yphnm8623nsl8xn9j4jdzz84zm3frztj3z7s35vpzmqf6ksu8r89qk5z2zxfmu5gv8th8wclt0h4p"
	ncryptsecSmall   = "ncryptsec1qgqhnrm8zkag7hslk7kllvx967ew0z2yf8ddyxkcp5sfyn0u9fsc3fpjkqgfvcvuk8zsrthlnw8vx4jafjfanrhf78t65t7llmd0yk56ldkm6feeaer68rv4vw2m032jh5nuznf9n725agfslsehe0mx"
)

// hidden is a secret as the test holds it: every byte changed, so that a copy
// of the secret found in memory is not the test's own.
type hidden []byte

func hide[T string | []byte](s T) hidden {
	h := make(hidden, len(s))
	for i := range h {
		h[i] = s[i] ^ 0x55
	}
	return h
}

// use calls f with the secret, and wipes it.
func (h hidden) use(f func(secret []byte)) {
	secret := make([]byte, len(h))
	for i := range h {
		secret[i] = h[i] ^ 0x55
	}
	f(secret)
	clear(secret)
}

// A key that was read from a file and its text leave no copy in memory once the
// key is wiped, garbage included. A password does, in scrypt's own buffers; the
// tool's is wiped.
func TestKeyTextIsWiped(t *testing.T) {
	// The literals are in the program's read-only data, which is not dumped.
	for name, test := range map[string]struct{ text, key string }{
		"hex":       {text: "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa", key: "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa"},
		"nsec":      {text: "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5", key: "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa"},
		"ncryptsec": {text: ncryptsecSmall, key: "3501454135014541350145413501453fefb02227e449e57cf4d3a3ce05378683"},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := hex.DecodeString(test.key)
			if err != nil {
				t.Fatal(err)
			}
			secrets := map[string]hidden{"text": hide(test.text), "key": hide(raw)}
			clear(raw)
			path := filepath.Join(t.TempDir(), "key")
			hide(test.text).use(func(secret []byte) {
				if err := os.WriteFile(path, secret, 0o600); err != nil {
					t.Fatal(err)
				}
			})
			password := []byte("nostr")
			k := keySources{files: []string{path}, password: passwordSource{fd: noFD, maxLogN: defaultMaxLogN, known: password}}
			all, err := k.all(t.Context(), func(string) {})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(password, make([]byte, 5)) || k.password.known != nil {
				t.Errorf("the password is still %q", password)
			}
			all[0].Zero()
			// A copy that is there is found: the search works.
			hide(test.key).use(func(secret []byte) {
				if secrets["control"] = hide(test.key); searchHeap(t, secrets)["control"] == 0 {
					t.Fatal("the search does not find what is on the heap")
				}
			})
			for what, n := range searchHeap(t, secrets) {
				if n > 0 {
					t.Errorf("%d copies of the %s in memory", n, what)
				}
			}
		})
	}
}

// searchHeap counts the copies of each secret in all objects on the heap.
func searchHeap(t *testing.T, secrets map[string]hidden) map[string]int {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "heap"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	debug.WriteHeapDump(f.Fd())
	dump, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer clear(dump) // it is on the heap too
	found := make(map[string]int)
	for what, secret := range secrets {
		secret.use(func(s []byte) { found[what] = bytes.Count(dump, s) })
	}
	return found
}
