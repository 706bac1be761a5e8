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
	// The literals are in the program's read-only data, which is not dumped. The
	// keys are the SHA-256 of "wiped hex" and so on, encoded by nostr-tools: no
	// other test may use one, as its garbage would be found here.
	for name, test := range map[string]struct{ text, key string }{
		"hex": {
			text: "6b44fc2f5ed8e67d8b3161c76d9be7f6ae3c65eeef758d25a2db71dba717bf54",
			key:  "6b44fc2f5ed8e67d8b3161c76d9be7f6ae3c65eeef758d25a2db71dba717bf54",
		},
		"nsec": {
			text: "nsec1m3lqxjvpuhqztmv26x75v9sypmc8cwzw4rtdv0uuwu06p99rtslq7dvar5",
			key:  "dc7e034981e5c025ed8ad1bd4616040ef07c384ea8d6d63f9c771fa094a35c3e",
		},
		"ncryptsec": {
			text: "ncryptsec1qgq6xjyqgamqqrhaxjdm2vzhkyur85z5l0jgepf0wputcq6avh7t98fxdenftlf4zfjq95053fg7zm6rkcp96j2v2tnwj3l6sh6ady3fmha649tsq6n3rdwqzj56fswu7jqk0ks92urdq36c3sxv8hpq",
			key:  "6cceac97e0883519eec0f2f79481d6998ca8aac828e10b3178a98eda30f5f9e4",
		},
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
			hide(test.key).use(func([]byte) {
				if searchHeap(t, map[string]hidden{"control": hide(test.key)})["control"] == 0 {
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
