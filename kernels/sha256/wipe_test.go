package sha256_test

import (
	"bytes"
	"crypto/hmac"
	reference "crypto/sha256"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/sha256"
)

// Nothing of a secret is left where the Go code of this package worked with it:
// message, padded key, digest on the way to the tag. Compilers make copies of their
// own, which this does not look for in portable code's words.
func TestWipesScratch(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector's code has frames of its own")
	}
	key, text, info := random(30, 48), random(31, 45), random(32, 32)
	long := random(33, 100)
	mixed := func(b byte) []byte {
		pad := bytes.Repeat([]byte{b}, 64)
		for i, k := range key {
			pad[i] ^= k
		}
		return pad
	}
	inner := reference.Sum256(append(mixed(0x36), text...))
	var prk sha256.HMACKey
	prk.Init(key)
	var messages [20][]byte
	for i := range messages {
		messages[i] = random(byte(40+i), 40+7*i)
	}
	words := func(h [32]byte) []byte {
		var out []byte
		for i := 0; i < 32; i += 4 {
			out = binary.NativeEndian.AppendUint32(out, binary.BigEndian.Uint32(h[i:]))
		}
		return out
	}
	state := func(h sha256.State) []byte {
		var b [32]byte
		h.Bytes(&b)
		return words(b)
	}
	var digests [][]byte
	for _, m := range messages {
		digests = append(digests, words(reference.Sum256(m)))
	}
	longDigest := reference.Sum256(long)
	mac := hmac.New(reference.New, key)
	mac.Write(append(bytes.Clone(info), 1))
	okm := mac.Sum(nil)
	var (
		sum  [32]byte
		k    sha256.HMACKey
		m    sha256.HMAC
		d    sha256.Digest
		out  [76]byte
		outs [20][32]byte
	)
	d.Reset()
	d.Write(text)
	m.Init(&prk)
	m.Write(text)
	textDigest := reference.Sum256(text)
	calls := []struct {
		name    string
		run     func()
		secrets [][]byte
	}{
		{"Sum256", func() { sum = sha256.Sum256(text) }, [][]byte{text, words(textDigest)}},
		{"Digest.Sum", func() { d.Sum(&sum) }, [][]byte{text, words(textDigest)}},
		{"HMACKey.Init", func() { k.Init(key) }, [][]byte{key, mixed(0x36), mixed(0x5c)}},
		{"HMACKey.Init, long", func() { k.Init(long) }, [][]byte{longDigest[:], words(longDigest), long[64:]}},
		{"HMAC.Sum", func() { m.Sum(&sum) }, [][]byte{text, inner[:], words(inner)}},
		{"Extract", func() { sha256.Extract(&sum, key, text) }, [][]byte{text, key, mixed(0x36), mixed(0x5c), inner[:], words(inner), state(prk.Inner), state(prk.Outer)}},
		{"Expand", func() { sha256.Expand(out[:32], &prk, info) }, [][]byte{okm, words([32]byte(okm))}},
		{"Expand, long", func() { sha256.Expand(out[:], &prk, long) }, [][]byte{long[64:]}},
		{"Sum256s", func() { sha256.Sum256s(outs[:], messages[:]) }, append(messages[:], digests...)},
	}
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		for _, c := range calls {
			left := testkit.LeftOnStack(c.run)
			for i, s := range c.secrets {
				if bytes.Equal(s, sum[:]) || slices.ContainsFunc(outs[:], func(out [32]byte) bool { return bytes.Equal(s, out[:]) }) {
					continue // the result: a big-endian machine's state is the digest itself
				}
				for from := 0; from+16 <= len(s); from += 4 {
					if at := bytes.Index(left, s[from:from+16]); at >= 0 {
						t.Errorf("%s: bytes %d to %d of secret %d are left, %d bytes down the stack", c.name, from, from+15, i, len(left)-at)
						break
					}
				}
			}
		}
	})
}
