package etm_test

import (
	"bytes"
	"crypto/hmac"
	stdsha256 "crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"testing"

	fallback "github.com/sealwright/sealwright/fallback/chacha20"
	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/cpu"
	"github.com/sealwright/sealwright/kernels/etm"
	"github.com/sealwright/sealwright/kernels/sha256"
)

// A job is the arguments of a call, and what they should come to.
type job struct {
	key     *[chacha20.KeySize]byte
	nonce   *[chacha20.NonceSize]byte
	counter uint32
	src     []byte
	mac     [32]byte // the key
	before  []byte   // the message so far
	p       []byte

	dst []byte
	tag []byte
}

// newJob takes the fallback's word for the keystream, which its own tests hold against
// x/crypto, and the standard library's for the tag.
func newJob(random *rand.ChaCha8, before, n, p int) *job {
	bytesOf := func(n int) []byte {
		b := make([]byte, n)
		random.Read(b)
		return b
	}
	j := &job{counter: uint32(random.Uint64() >> 40), src: bytesOf(n), before: bytesOf(before), p: bytesOf(p)}
	j.key, j.nonce = (*[chacha20.KeySize]byte)(bytesOf(chacha20.KeySize)), (*[chacha20.NonceSize]byte)(bytesOf(chacha20.NonceSize))
	random.Read(j.mac[:])
	j.answer()
	return j
}

func (j *job) answer() {
	j.dst = make([]byte, len(j.src))
	fallback.XORKeyStream(j.dst, j.src, j.key, j.nonce, j.counter)
	m := hmac.New(stdsha256.New, j.mac[:])
	m.Write(j.before)
	m.Write(j.p)
	j.tag = m.Sum(nil)
}

// run does the job with dst, src and p where the caller has put them, and says what is
// wrong with the result.
func (j *job) run(dst, src, p []byte) error {
	var k sha256.HMACKey
	var m sha256.HMAC
	k.Init(j.mac[:])
	m.Init(&k)
	m.Write(j.before)
	etm.XORKeyStreamWrite(dst, src, j.key, j.nonce, j.counter, &m, p)
	var tag [sha256.Size]byte
	m.Sum(&tag)
	what := fmt.Sprintf("%d bytes from block %d on, a message of %d and %d bytes", len(src), j.counter, len(j.before), len(p))
	if !bytes.Equal(dst[:len(src)], j.dst) {
		return fmt.Errorf("%s: the ciphertext differs from the fallback's", what)
	}
	if !bytes.Equal(tag[:], j.tag) {
		return fmt.Errorf("%s: the tag is %x, crypto/hmac's %x", what, tag, j.tag)
	}
	if !bytes.Equal(p, j.p) {
		return fmt.Errorf("%s: the message was written to", what)
	}
	return nil
}

// Every length of one half beside some of the other, apart and in place, with bytes
// behind that must stay.
func TestLengths(t *testing.T) {
	canary := bytes.Repeat([]byte{0xa5}, 64)
	testkit.EachTier(t, "etm", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{1})
		check := func(before, n, p int) {
			j := newJob(random, before, n, p)
			got := append(make([]byte, n), canary...)
			if err := j.run(got, j.src, j.p); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got[n:], canary) {
				t.Fatalf("length %d: writes behind the end", n)
			}
			if err := j.run(j.src, j.src, j.p); err != nil {
				t.Fatalf("in place: %v", err)
			}
		}
		for n := range 4096 + 1 {
			check(n%64, n, 4096-n)
			check(32, n, n)
			check(n%97, 3072, n)
			check(32, n, 3072)
		}
	})
}

// Lengths about those that are taken in several calls.
func TestLong(t *testing.T) {
	testkit.EachTier(t, "etm", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{2})
		sizes := []int{8 << 10, 10 << 10, 16 << 10, 17 << 10, 32 << 10, 33<<10 + 5, 64 << 10}
		if !testing.Short() {
			sizes = append(sizes, 256<<10+7, 1<<20)
		}
		for _, n := range sizes {
			for _, p := range []int{0, 640, 10 << 10, n - 64, n, n + 640, 2 * n} {
				if err := func() error { j := newJob(random, 32, n, p); return j.run(j.src, j.src, j.p) }(); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// Every alignment of input, output and message.
func TestAlignments(t *testing.T) {
	testkit.EachTier(t, "etm", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{3})
		const n = 2048 + 100
		j := newJob(random, 32, n, n)
		dst, src, p := make([]byte, n+64), make([]byte, n+64), make([]byte, n+64)
		for i := range 64 {
			for _, at := range [][3]int{{i, 0, 0}, {0, i, 0}, {0, 0, i}, {i, 63 - i, i}} {
				copy(src[at[1]:], j.src)
				copy(p[at[2]:], j.p)
				if err := j.run(dst[at[0]:][:n], src[at[1]:][:n], p[at[2]:][:n]); err != nil {
					t.Fatalf("output at %d, input at %d, message at %d: %v", at[0], at[1], at[2], err)
				}
			}
		}
	})
}

// Both ends of input, output, message, key and nonce against pages that cannot be touched.
func TestGuardPages(t *testing.T) {
	testkit.EachTier(t, "etm", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{4})
		for _, n := range []int{0, 1, 64, 255, 256, 511, 512, 640, 1023, 1024, 1025, 1279, 1280, 2048, 3071, 3072, 3073} {
			for _, size := range []int{0, 32, 127, 128, 320, 639, 640, 641, 1024, 1280, 3072} {
				j := newJob(random, size%64, n, size)
				srcLow, srcHigh := testkit.Guard(t, n)
				dstLow, dstHigh := testkit.Guard(t, n)
				pLow, pHigh := testkit.Guard(t, size)
				keyLow, keyHigh := testkit.Guard(t, chacha20.KeySize)
				nonceLow, nonceHigh := testkit.Guard(t, chacha20.NonceSize)
				key, nonce := *j.key, *j.nonce
				for _, at := range []struct{ dst, src, p, key, nonce []byte }{
					{dstLow, srcLow, pLow, keyLow, nonceLow}, {dstHigh, srcLow, pHigh, keyHigh, nonceHigh},
					{dstLow, srcHigh, pLow, keyLow, nonceHigh}, {dstHigh, srcHigh, pHigh, keyHigh, nonceLow},
					{srcLow, srcLow, pHigh, keyHigh, nonceHigh}, {srcHigh, srcHigh, pLow, keyLow, nonceLow},
				} {
					copy(at.src, j.src)
					copy(at.p, j.p)
					j.key, j.nonce = (*[chacha20.KeySize]byte)(at.key), (*[chacha20.NonceSize]byte)(at.nonce)
					*j.key, *j.nonce = key, nonce
					if err := j.run(at.dst, at.src, at.p); err != nil {
						t.Error(err)
					}
				}
			}
		}
	})
}

// The counter wraps at 2^32 wherever in the input that falls.
func TestCounterEnd(t *testing.T) {
	testkit.EachTier(t, "etm", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{5})
		for before := range uint32(40) {
			j := newJob(random, 0, 41*chacha20.BlockSize, 2048)
			j.counter = -before // so many blocks below 2^32
			j.answer()
			if err := j.run(j.src, j.src, j.p); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestOverlap(t *testing.T) {
	testkit.EachTier(t, "etm", func(t *testing.T) {
		var key [32]byte
		var nonce [12]byte
		random := rand.NewChaCha8([32]byte{6})
		buf := make([]byte, 8192)
		random.Read(buf)
		as := bytes.Clone(buf)
		for _, c := range []struct {
			name        string
			dst, src, p []byte
			key         *[32]byte
			nonce       *[12]byte
			panics      bool
		}{
			{"one ahead", buf[1:2001], buf[:2000], nil, &key, &nonce, true},
			{"last byte", buf[1999:3999], buf[:2000], nil, &key, &nonce, true},
			{"message begins in the output", buf[:2000], buf[:2000], buf[1999:3000], &key, &nonce, true},
			{"message ends in the output", buf[2000:4000], buf[2000:4000], buf[:2001], &key, &nonce, true},
			{"key in the output", buf[:2000], buf[4000:6000], buf[6000:8000], (*[32]byte)(buf[1999:]), &nonce, true},
			{"nonce in the output", buf[:2000], buf[4000:6000], buf[6000:8000], &key, (*[12]byte)(buf[1999:]), true},
			{"output shorter", buf[4000:5999], buf[:2000], nil, &key, &nonce, true},
			{"message behind the output", buf[:2000], buf[:2000], buf[2000:4000], &key, &nonce, false},
			{"message beyond what is written", buf[:8000], buf[4000:6000], buf[2000:4000], &key, &nonce, false},
			{"message is the input", buf[:2000], buf[4000:6000], buf[4000:6000], &key, &nonce, false},
			{"key in the message", buf[:2000], buf[:2000], buf[4000:6000], (*[32]byte)(buf[4100:]), &nonce, false},
			{"nothing", nil, nil, nil, &key, &nonce, false},
		} {
			panicked := func() (panicked bool) {
				defer func() { panicked = recover() != nil }()
				var m sha256.HMAC
				m.Init(new(sha256.HMACKey))
				etm.XORKeyStreamWrite(c.dst, c.src, c.key, c.nonce, 0, &m, c.p)
				return false
			}()
			if panicked != c.panics {
				t.Errorf("%s: panics %v, want %v", c.name, panicked, c.panics)
			}
			if panicked && !bytes.Equal(buf, as) {
				t.Errorf("%s: written before the panic", c.name)
			}
			copy(buf, as)
		}
	})
}

// No argument escapes on the way to a tier.
func TestAllocs(t *testing.T) {
	testkit.EachTier(t, "etm", func(t *testing.T) {
		testkit.Allocs(t, "XORKeyStreamWrite", 0, func() {
			var key [32]byte
			var nonce [12]byte
			var k sha256.HMACKey
			var m sha256.HMAC
			var buf, p [1100]byte
			m.Init(&k)
			etm.XORKeyStreamWrite(buf[:], buf[:], &key, &nonce, 0, &m, p[:])
		})
	})
}

// The long keystream of the published vectors, beside messages of every kind of length.
func TestVectors(t *testing.T) {
	var file struct {
		Long []struct {
			Note, Key, Nonce string
			Counter          uint32
			Len              int
			KeystreamSHA256  string `json:"keystream_sha256"`
		}
	}
	testkit.VectorsJSON(t, "chacha20.json", &file)
	if len(file.Long) != 1 {
		t.Fatalf("%d long keystreams, want 1", len(file.Long))
	}
	testkit.EachTier(t, "etm", func(t *testing.T) {
		for _, c := range file.Long {
			for _, p := range []int{0, 1000, c.Len} {
				key, nonce := testkit.Hex32(t, c.Key), [12]byte(testkit.Hex(t, c.Nonce))
				stream := make([]byte, c.Len)
				var m sha256.HMAC
				m.Init(new(sha256.HMACKey))
				etm.XORKeyStreamWrite(stream, stream, &key, &nonce, c.Counter, &m, make([]byte, p))
				if sum := stdsha256.Sum256(stream); hex.EncodeToString(sum[:]) != c.KeystreamSHA256 {
					t.Errorf("%s: keystream has SHA-256 %x, want %s", c.Note, sum, c.KeystreamSHA256)
				}
			}
		}
	})
}

func BenchmarkXORKeyStreamWrite(b *testing.B) {
	for _, tier := range testkit.Tiers(b, "etm") {
		for _, n := range []int{1024, 3072, 65536} {
			b.Run(fmt.Sprintf("tier=%s/len=%d", tier.Name, n), func(b *testing.B) {
				if !tier.Available {
					b.Skipf("not applicable: this processor lacks some of %v", tier.Needs)
				}
				cpu.Force(b, "etm", tier.Name)
				var key [32]byte
				var nonce [12]byte
				var m sha256.HMAC
				m.Init(new(sha256.HMACKey))
				buf, p := make([]byte, n), make([]byte, n)
				b.SetBytes(int64(n))
				for b.Loop() {
					etm.XORKeyStreamWrite(buf, buf, &key, &nonce, 0, &m, p)
				}
			})
		}
	}
}
