package chacha20_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"testing"

	fallback "github.com/sealwright/sealwright/fallback/chacha20"
	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/cpu"
)

// input is a random case of n bytes.
func input(random *rand.ChaCha8, n int) (text []byte, key [32]byte, nonce [12]byte) {
	text = make([]byte, n)
	random.Read(text)
	random.Read(key[:])
	random.Read(nonce[:])
	return text, key, nonce
}

// want is the fallback's answer, which its own tests hold against x/crypto.
func want(text []byte, key *[32]byte, nonce *[12]byte, counter uint32) []byte {
	dst := make([]byte, len(text))
	fallback.XORKeyStream(dst, text, key, nonce, counter)
	return dst
}

// Every length, apart and in place, with bytes behind that must stay.
func TestLengths(t *testing.T) {
	testkit.EachTier(t, "chacha20", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{1})
		canary := bytes.Repeat([]byte{0xa5}, 64)
		for n := range 4096 + 1 {
			text, key, nonce := input(random, n)
			want := want(text, &key, &nonce, uint32(n))
			got := append(make([]byte, n), canary...)
			chacha20.XORKeyStream(got, text, &key, &nonce, uint32(n))
			if !bytes.Equal(got[:n], want) {
				t.Fatalf("length %d: differs from the fallback", n)
			}
			if !bytes.Equal(got[n:], canary) {
				t.Fatalf("length %d: writes behind the end", n)
			}
			chacha20.XORKeyStream(text, text, &key, &nonce, uint32(n))
			if !bytes.Equal(text, want) {
				t.Fatalf("length %d: in place differs from the fallback", n)
			}
		}
	})
}

// Every alignment of input and output, by some lengths.
func TestAlignments(t *testing.T) {
	testkit.EachTier(t, "chacha20", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{2})
		for _, n := range []int{1, 63, 64, 65, 128, 255, 256, 257, 511, 513, 1024, 1100} {
			text, key, nonce := input(random, n)
			want := want(text, &key, &nonce, 7)
			src, dst := make([]byte, n+64), make([]byte, n+64)
			for i := range 64 {
				copy(src[i:], text)
				for _, j := range []int{0, 1, i, 63 - i} {
					chacha20.XORKeyStream(dst[j:j+n], src[i:i+n], &key, &nonce, 7)
					if !bytes.Equal(dst[j:j+n], want) {
						t.Fatalf("length %d, input at %d, output at %d: differs from the fallback", n, i, j)
					}
				}
			}
		}
	})
}

// Both ends of input, output, key and nonce against pages that cannot be touched.
func TestGuardPages(t *testing.T) {
	testkit.EachTier(t, "chacha20", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{3})
		for _, n := range []int{0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 191, 192, 193,
			255, 256, 257, 320, 383, 384, 447, 511, 512, 513, 575, 640, 767, 768, 1023, 1024, 1025, 1536, 2047, 2048, 2049, 4095, 4096, 4097} {
			text, key, nonce := input(random, n)
			want := want(text, &key, &nonce, 1)
			srcLow, srcHigh := testkit.Guard(t, n)
			dstLow, dstHigh := testkit.Guard(t, n)
			keyLow, keyHigh := testkit.Guard(t, chacha20.KeySize)
			nonceLow, nonceHigh := testkit.Guard(t, chacha20.NonceSize)
			for _, at := range []struct {
				name     string
				dst, src []byte
			}{
				{"low to low", dstLow, srcLow},
				{"low to high", dstHigh, srcLow},
				{"high to low", dstLow, srcHigh},
				{"high to high", dstHigh, srcHigh},
				{"low in place", srcLow, srcLow},
				{"high in place", srcHigh, srcHigh},
			} {
				for _, k := range [][2][]byte{{keyLow, nonceHigh}, {keyHigh, nonceLow}} {
					copy(at.src, text)
					copy(k[0], key[:])
					copy(k[1], nonce[:])
					chacha20.XORKeyStream(at.dst, at.src, (*[32]byte)(k[0]), (*[12]byte)(k[1]), 1)
					if !bytes.Equal(at.dst, want) {
						t.Errorf("length %d, %s: differs from the fallback", n, at.name)
					}
				}
			}
		}
	})
}

// The counter wraps at 2^32 wherever in the input that falls.
func TestCounterEnd(t *testing.T) {
	testkit.EachTier(t, "chacha20", func(t *testing.T) {
		// Every number of blocks, so that it happens in each path.
		text, key, nonce := input(rand.NewChaCha8([32]byte{4}), 41*chacha20.BlockSize)
		for before := range uint32(40) {
			counter := -before // so many blocks below 2^32
			all := want(text, &key, &nonce, counter)
			for n := 5; n < len(text); n += chacha20.BlockSize {
				got := make([]byte, n)
				chacha20.XORKeyStream(got, text[:n], &key, &nonce, counter)
				if !bytes.Equal(got, all[:n]) {
					t.Errorf("counter %#x, %d bytes: differs from the fallback", counter, n)
				}
			}
		}
	})
}

// Lengths about those at which a message is taken in several calls, and beyond.
func TestLong(t *testing.T) {
	testkit.EachTier(t, "chacha20", func(t *testing.T) {
		longest := 1 << 20
		if testing.Short() {
			longest = 64 << 10
		}
		text, key, nonce := input(rand.NewChaCha8([32]byte{6}), longest+70)
		all := want(text, &key, &nonce, 7)
		got := make([]byte, len(text))
		for size := 4 << 10; size <= longest; size *= 2 {
			for _, n := range []int{size - 65, size - 1, size, size + 1, size + 63, size + 70} {
				clear(got)
				chacha20.XORKeyStream(got[:n], text[:n], &key, &nonce, 7)
				if !bytes.Equal(got[:n], all[:n]) {
					t.Errorf("%d bytes: differs from the fallback", n)
				}
			}
		}
	})
}

// A message taken in parts of whole blocks is the message taken at once.
func TestParts(t *testing.T) {
	testkit.EachTier(t, "chacha20", func(t *testing.T) {
		text, key, nonce := input(rand.NewChaCha8([32]byte{5}), 5000)
		want := want(text, &key, &nonce, 9)
		for blocks := 1; blocks < 40; blocks++ {
			got := make([]byte, 0, len(text))
			for counter := uint32(9); len(got) < len(text); counter += uint32(blocks) {
				part := text[len(got):min(len(got)+blocks*chacha20.BlockSize, len(text))]
				chacha20.XORKeyStream(got[len(got):][:len(part)], part, &key, &nonce, counter)
				got = got[:len(got)+len(part)]
			}
			if !bytes.Equal(got, want) {
				t.Errorf("parts of %d blocks: differs", blocks)
			}
		}
	})
}

func TestOverlap(t *testing.T) {
	testkit.EachTier(t, "chacha20", func(t *testing.T) {
		var key [32]byte
		var nonce [12]byte
		buf := make([]byte, 400)
		panics := func(dst, src []byte) (panicked bool) {
			defer func() { panicked = recover() != nil }()
			chacha20.XORKeyStream(dst, src, &key, &nonce, 0)
			return false
		}
		for _, c := range []struct {
			name     string
			dst, src []byte
			want     bool
		}{
			{"one ahead", buf[1:101], buf[:100], true},
			{"one behind", buf[:100], buf[1:101], true},
			{"last byte", buf[99:199], buf[:100], true},
			{"first byte", buf[:100], buf[99:199], true},
			{"the same", buf[:100], buf[:100], false},
			{"the same, output longer", buf[:200], buf[:100], false},
			{"side by side", buf[100:200], buf[:100], false},
			{"overlap beyond what is written", buf[:200], buf[100:200], false},
			{"nothing", buf[1:1], buf[:0], false},
			{"nothing at all", nil, nil, false},
			{"output shorter", buf[200:299], buf[:100], true},
			{"output missing", nil, buf[:1], true},
		} {
			if got := panics(c.dst, c.src); got != c.want {
				t.Errorf("%s: panics %v, want %v", c.name, got, c.want)
			}
		}
	})
}

// Case 50: no argument escapes on the way to a tier.
func TestAllocs(t *testing.T) {
	testkit.EachTier(t, "chacha20", func(t *testing.T) {
		buf := make([]byte, 1100)
		testkit.Allocs(t, "XORKeyStream", 0, func() {
			var key [32]byte
			var nonce [12]byte
			var small [33]byte
			chacha20.XORKeyStream(buf, buf, &key, &nonce, 0)
			chacha20.XORKeyStream(small[:], small[:], &key, &nonce, 0)
		})
	})
}

func TestVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			Note, Key, Nonce, Plaintext, Ciphertext string
			Counter                                 uint32
		}
		Long []struct {
			Note, Key, Nonce string
			Counter          uint32
			Len              int
			KeystreamSHA256  string `json:"keystream_sha256"`
		}
	}
	testkit.VectorsJSON(t, "chacha20.json", &file)
	if len(file.Cases) != 24 || len(file.Long) != 1 {
		t.Fatalf("%d cases and %d long ones, want 24 and 1", len(file.Cases), len(file.Long))
	}
	testkit.EachTier(t, "chacha20", func(t *testing.T) {
		for _, c := range file.Cases {
			check(t, c.Note, c.Key, c.Nonce, c.Counter, c.Plaintext, c.Ciphertext)
		}
		for _, c := range file.Long {
			key, nonce := testkit.Hex32(t, c.Key), [12]byte(testkit.Hex(t, c.Nonce))
			stream := make([]byte, c.Len)
			chacha20.XORKeyStream(stream, stream, &key, &nonce, c.Counter)
			if sum := sha256.Sum256(stream); hex.EncodeToString(sum[:]) != c.KeystreamSHA256 {
				t.Errorf("%s: keystream has SHA-256 %x, want %s", c.Note, sum, c.KeystreamSHA256)
			}
		}
	})
}

// The ciphertexts of Wycheproof's ChaCha20-Poly1305, which are keystream from
// counter 1, wherever the nonce has the length of RFC 8439. The tags, right or
// wrong, are another algorithm's.
func TestWycheproof(t *testing.T) {
	var file struct {
		TestGroups []struct {
			Tests []struct {
				TcID             int
				Key, IV, Msg, CT string
			}
		}
	}
	testkit.VectorsJSON(t, "wycheproof/chacha20_poly1305_test.json", &file)
	testkit.EachTier(t, "chacha20", func(t *testing.T) {
		ran := 0
		for _, g := range file.TestGroups {
			for _, c := range g.Tests {
				if len(c.IV) == 2*chacha20.NonceSize {
					check(t, fmt.Sprintf("tcId %d", c.TcID), c.Key, c.IV, 1, c.Msg, c.CT)
					ran++
				}
			}
		}
		if ran != 316 {
			t.Errorf("%d cases ran, want 316", ran)
		}
	})
}

func check(t *testing.T, name, key, nonce string, counter uint32, text, want string) {
	t.Helper()
	k, n := testkit.Hex32(t, key), [12]byte(testkit.Hex(t, nonce))
	got := testkit.Hex(t, text)
	chacha20.XORKeyStream(got, got, &k, &n, counter)
	if hex.EncodeToString(got) != want {
		t.Errorf("%s: %x, want %s", name, got, want)
	}
}

func BenchmarkXORKeyStream(b *testing.B) {
	for _, tier := range testkit.Tiers(b, "chacha20") {
		for _, n := range []int{34, 64, 256, 1024, 65536} {
			b.Run(fmt.Sprintf("tier=%s/len=%d", tier.Name, n), func(b *testing.B) {
				if !tier.Available {
					b.Skipf("not applicable: this processor lacks some of %v", tier.Needs)
				}
				cpu.Force(b, "chacha20", tier.Name)
				var key [32]byte
				var nonce [12]byte
				buf := make([]byte, n)
				b.SetBytes(int64(n))
				for b.Loop() {
					chacha20.XORKeyStream(buf, buf, &key, &nonce, 0)
				}
			})
		}
	}
}
