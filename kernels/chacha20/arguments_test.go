package chacha20_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/chacha20"
)

// A key or a nonce that lies where the output goes is refused, at the first and the
// last byte that are shared; beside the output, or in the input alone, it may lie.
func TestKeyInOutput(t *testing.T) {
	testkit.EachTier(t, "chacha20", func(t *testing.T) {
		random := bytes.Repeat([]byte{0x5a, 0xc3, 7}, 1000)
		for _, n := range []int{1, 63, 64, 300, 1100, 2100} {
			const from = 100 // of the output, in buf
			for _, c := range []struct {
				name   string
				at     int // of the key or nonce, in buf
				size   int
				shared bool
			}{
				{"key before", from - chacha20.KeySize, chacha20.KeySize, false},
				{"key's last byte", from - chacha20.KeySize + 1, chacha20.KeySize, true},
				{"key at the start", from, chacha20.KeySize, true},
				{"key's first byte", from + n - 1, chacha20.KeySize, true},
				{"key behind", from + n, chacha20.KeySize, false},
				{"nonce before", from - chacha20.NonceSize, chacha20.NonceSize, false},
				{"nonce's last byte", from - chacha20.NonceSize + 1, chacha20.NonceSize, true},
				{"nonce at the start", from, chacha20.NonceSize, true},
				{"nonce's first byte", from + n - 1, chacha20.NonceSize, true},
				{"nonce behind", from + n, chacha20.NonceSize, false},
			} {
				buf := bytes.Clone(random)
				src := bytes.Clone(buf[from : from+n])
				key, nonce := [chacha20.KeySize]byte{1}, [chacha20.NonceSize]byte{2}
				k, no := &key, &nonce
				if c.size == chacha20.KeySize {
					k = (*[chacha20.KeySize]byte)(buf[c.at:])
					key = *k
				} else {
					no = (*[chacha20.NonceSize]byte)(buf[c.at:])
					nonce = *no
				}
				answer := want(src, &key, &nonce, 3)
				// The output is longer than the input: its end is not written.
				switch p := panics(func() { chacha20.XORKeyStream(buf[from:], src, k, no, 3) }); {
				case (p != nil) != c.shared:
					t.Errorf("%d bytes, %s: panics %v, want %v", n, c.name, p, c.shared)
				case c.shared && !bytes.Equal(buf, random):
					t.Errorf("%d bytes, %s: written before the panic", n, c.name)
				case !c.shared && !bytes.Equal(buf[from:from+n], answer):
					t.Errorf("%d bytes, %s: differs from the fallback", n, c.name)
				}
			}
		}

		in := bytes.Clone(random)
		k, no := (*[chacha20.KeySize]byte)(in[40:]), (*[chacha20.NonceSize]byte)(in[90:])
		out := make([]byte, len(in))
		chacha20.XORKeyStream(out, in, k, no, 3)
		if !bytes.Equal(out, want(in, k, no, 3)) {
			t.Error("key and nonce in the input: differs from the fallback")
		}
	})
}

// A missing key or nonce is the runtime's panic of a nil pointer, for nothing too,
// and before anything is written.
func TestNilKey(t *testing.T) {
	testkit.EachTier(t, "chacha20", func(t *testing.T) {
		var key [chacha20.KeySize]byte
		var nonce [chacha20.NonceSize]byte
		for _, n := range []int{0, 1, 64, 300, 1100} {
			buf := make([]byte, n)
			for _, c := range []struct {
				name  string
				key   *[chacha20.KeySize]byte
				nonce *[chacha20.NonceSize]byte
			}{{"key", nil, &nonce}, {"nonce", &key, nil}, {"key and nonce", nil, nil}} {
				p := panics(func() { chacha20.XORKeyStream(buf, buf, c.key, c.nonce, 0) })
				if _, ok := p.(runtime.Error); !ok {
					t.Errorf("%d bytes without %s: panics %v", n, c.name, p)
				}
				if !bytes.Equal(buf, make([]byte, n)) {
					t.Errorf("%d bytes without %s: written before the panic", n, c.name)
				}
			}
		}
	})
}

// panics returns what f panics with, nil if it does not.
func panics(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}
