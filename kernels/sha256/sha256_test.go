package sha256_test

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	reference "crypto/sha256"
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	fallback "github.com/sealwright/sealwright/fallback/sha256"
	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/cpu"
	"github.com/sealwright/sealwright/kernels/sha256"
)

func random(seed byte, n int) []byte {
	p := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(p)
	return p
}

// The examples of FIPS 180-4, and the digest of nothing.
func TestFIPS180(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		for _, c := range []struct{ text, want string }{
			{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
			{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
			{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
			{"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu", "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
			{strings.Repeat("a", 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
		} {
			if got := sha256.Sum256([]byte(c.text)); hex.EncodeToString(got[:]) != c.want {
				t.Errorf("%.20q: %x, want %s", c.text, got, c.want)
			}
		}
	})
}

// Every length, against the fallback and the standard library.
func TestSum256(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(1, 4096)
		for n := range len(p) + 1 {
			got := sha256.Sum256(p[:n])
			if got != fallback.Sum256(p[:n]) || got != reference.Sum256(p[:n]) {
				t.Fatalf("length %d: differs", n)
			}
		}
	})
}

// Lengths about the most that one call of any tier hashes, up to a mebibyte.
func TestSum256Long(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(20, 1<<20)
		for size := 4 << 10; size <= len(p); size *= 2 {
			for _, n := range []int{size - 129, size - 128, size - 65, size - 64, size - 63, size - 9, size - 8, size - 1, size, size + 1, size + 55, size + 56, size + 63, size + 64, size + 65, size + 127, size + 128} {
				if n > len(p) {
					break
				}
				got := sha256.Sum256(p[:n])
				if got != fallback.Sum256(p[:n]) || got != reference.Sum256(p[:n]) {
					t.Fatalf("length %d: differs", n)
				}
			}
		}
	})
}

// Every alignment of the input.
func TestAlignments(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		for _, n := range []int{1, 55, 56, 64, 128, 200, 1024} {
			text := random(2, n)
			buf := make([]byte, n+64)
			for i := range 64 {
				copy(buf[i:], text)
				if sha256.Sum256(buf[i:i+n]) != fallback.Sum256(text) {
					t.Fatalf("length %d at %d: differs from the fallback", n, i)
				}
			}
		}
	})
}

// Both ends of the input against pages that cannot be touched.
func TestGuardPages(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		for _, n := range []int{0, 1, 3, 4, 15, 16, 31, 32, 55, 56, 63, 64, 65, 127, 128, 129, 191, 192, 193, 256, 512, 1000, 1024, 4095, 4096, 4097} {
			text := random(3, n)
			low, high := testkit.Guard(t, n)
			for _, p := range [][]byte{low, high} {
				copy(p, text)
				if sha256.Sum256(p) != fallback.Sum256(text) {
					t.Errorf("length %d: differs from the fallback", n)
				}
			}
		}
	})
}

// A Digest that holds any part of a block takes any further part: three writes
// at every pair of places.
func TestDigestParts(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		for _, n := range []int{0, 1, 63, 64, 65, 127, 128, 129, 200, 256} {
			p := random(4, n)
			want := fallback.Sum256(p)
			for i := range n + 1 {
				for j := i; j <= n; j++ {
					var d sha256.Digest
					d.Reset()
					d.Write(p[:i])
					d.Write(p[i:j])
					d.Write(p[j:])
					var got [32]byte
					if d.Sum(&got); got != want {
						t.Fatalf("length %d in parts at %d and %d: differs", n, i, j)
					}
				}
			}
		}
	})
}

// Sum leaves the message as it is, a copy goes on by itself, and Reset begins
// anew.
func TestDigestIsAValue(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(5, 300)
		var d sha256.Digest
		d.Reset()
		for i, b := range p {
			var got [32]byte
			if d.Sum(&got); got != reference.Sum256(p[:i]) {
				t.Fatalf("after %d bytes: differs", i)
			}
			other := d
			other.Write([]byte("something else"))
			other.Reset()
			other.Write(p[:7])
			if other.Sum(&got); got != reference.Sum256(p[:7]) {
				t.Fatalf("after Reset at %d bytes: differs", i)
			}
			d.Write([]byte{b})
		}
	})
}

// A message that begins at a midstate, after any number of blocks.
func TestDigestInit(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(6, 5*sha256.BlockSize+30)
		for blocks := range 6 {
			var midstate sha256.State
			midstate.Init()
			fallback.Blocks(&midstate, p[:blocks*sha256.BlockSize])
			kept := midstate
			var d sha256.Digest
			d.Write([]byte("what was there before"))
			d.Init(&midstate, uint64(blocks))
			d.Write(p[blocks*sha256.BlockSize:])
			var got [32]byte
			if d.Sum(&got); got != reference.Sum256(p) || midstate != kept {
				t.Errorf("after %d blocks: differs", blocks)
			}
		}
	})
}

// Messages so long that their bits need more than one word, on a made-up
// midstate: the standard library takes one in its marshalled form, which ends
// with the length.
func TestLongLength(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		for _, blocks := range []uint64{1<<23 - 1, 1 << 23, 1<<32 + 5, 1<<55 - 2} {
			want := reference.New()
			form, err := want.(encoding.BinaryMarshaler).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			binary.BigEndian.PutUint64(form[len(form)-8:], blocks*sha256.BlockSize)
			if err := want.(encoding.BinaryUnmarshaler).UnmarshalBinary(form); err != nil {
				t.Fatal(err)
			}
			var midstate sha256.State
			midstate.Init()
			var d sha256.Digest
			d.Init(&midstate, blocks)
			d.Write([]byte("the end of it"))
			want.Write([]byte("the end of it"))
			var got [32]byte
			if d.Sum(&got); !bytes.Equal(got[:], want.Sum(nil)) {
				t.Errorf("after %d blocks: differs from the standard library", blocks)
			}
		}
	})
}

// Keys and messages of every length to beyond two blocks, in one write and in
// two.
func TestHMAC(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(8, 200)
		for n := range len(p) + 1 {
			key, text := p[len(p)-n:], p[:n]
			m := hmac.New(reference.New, key)
			m.Write(text)
			want := m.Sum(nil)

			var k sha256.HMACKey
			k.Init(key)
			if fallback.HMACKey(k) != fallback.NewHMACKey(key) {
				t.Fatalf("key of %d bytes: differs from the fallback", n)
			}
			var h sha256.HMAC
			h.Init(&k)
			h.Write(text)
			var got [32]byte
			if h.Sum(&got); !bytes.Equal(got[:], want) {
				t.Fatalf("length %d: differs from the standard library", n)
			}
			if h.Sum(&got); !bytes.Equal(got[:], want) {
				t.Fatalf("length %d: the second Sum differs", n)
			}
			h.Init(&k)
			h.Write(text[:n/3])
			h.Write(text[n/3:])
			if h.Sum(&got); !bytes.Equal(got[:], want) {
				t.Fatalf("length %d in parts: differs", n)
			}
		}
	})
}

// Messages whose whole blocks the caller hashes, some of them himself.
func TestWriteLater(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(10, 300)
		var k sha256.HMACKey
		k.Init(p[:32])
		for n := range len(p) + 1 {
			std := hmac.New(reference.New, p[:32])
			std.Write(p[:n])
			want := std.Sum(nil)
			for own := range n/sha256.BlockSize + 1 {
				var m sha256.HMAC
				m.Init(&k)
				m.Write(p[:n/5])
				h, whole := m.WriteLater(p[n/5 : n])
				first := min(own*sha256.BlockSize, len(whole))
				fallback.Blocks(h, whole[:first])
				m.Blocks(whole[first:])
				var got [32]byte
				if m.Sum(&got); !bytes.Equal(got[:], want) {
					t.Fatalf("length %d, %d blocks by the caller: differs from the standard library", n, own)
				}
			}
		}
	})
}

// Where WriteLater's blocks are forgotten there is no tag, which would be wrong, nor
// where there are blocks that nobody counted.
func TestWriteLaterRefuses(t *testing.T) {
	var k sha256.HMACKey
	var tag [32]byte
	whole := make([]byte, sha256.BlockSize)
	later := func(m *sha256.HMAC) { m.WriteLater(whole) }
	settled := func(m *sha256.HMAC) { m.WriteLater(whole); m.Blocks(whole) }
	none := func(*sha256.HMAC) {}
	for _, c := range []struct {
		name          string
		before, after func(m *sha256.HMAC)
		panics        bool
	}{
		{"Sum", later, func(m *sha256.HMAC) { m.Sum(&tag) }, true},
		{"Write", later, func(m *sha256.HMAC) { m.Write(nil) }, true},
		{"WriteLater", later, later, true},
		{"Sum where there is no whole block", func(m *sha256.HMAC) { m.WriteLater(nil) }, func(m *sha256.HMAC) { m.Sum(&tag) }, true},
		{"Blocks at first", none, func(m *sha256.HMAC) { m.Blocks(nil) }, true},
		{"Blocks twice", settled, func(m *sha256.HMAC) { m.Blocks(nil) }, true},
		{"Blocks", later, func(m *sha256.HMAC) { m.Blocks(whole) }, false},
		{"Init", later, func(m *sha256.HMAC) { m.Init(&k); m.Sum(&tag) }, false},
		{"Zero", later, func(m *sha256.HMAC) { m.Zero(); m.Write(nil) }, false},
		{"all after Blocks", settled, func(m *sha256.HMAC) { m.Write(nil); m.Sum(&tag); settled(m) }, false},
	} {
		var m sha256.HMAC
		m.Init(&k)
		c.before(&m)
		panicked := func() (panicked bool) {
			defer func() { panicked = recover() != nil }()
			c.after(&m)
			return false
		}()
		if panicked != c.panics {
			t.Errorf("%s: panics %v, want %v", c.name, panicked, c.panics)
		}
	}
}

// Every length of salt, input, info and output to beyond two blocks, and the
// longest output.
func TestHKDF(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(9, 200)
		for n := range len(p) + 1 {
			hkdfCase(t, p[:n], p[len(p)-n:], p[:200-n], n)
		}
		hkdfCase(t, p, p, p, sha256.MaxExpand)

		var k sha256.HMACKey
		defer func() {
			if recover() == nil {
				t.Error("an output too long does not panic")
			}
		}()
		sha256.Expand(make([]byte, sha256.MaxExpand+1), &k, nil)
	})
}

func hkdfCase(t *testing.T, ikm, salt, info []byte, n int) {
	t.Helper()
	wantPRK, err := hkdf.Extract(reference.New, ikm, salt)
	if err != nil {
		t.Fatal(err)
	}
	want, err := hkdf.Expand(reference.New, wantPRK, string(info), n)
	if err != nil {
		t.Fatal(err)
	}
	var prk [32]byte
	sha256.Extract(&prk, salt, ikm)
	if !bytes.Equal(prk[:], wantPRK) {
		t.Errorf("salt of %d, input of %d bytes: Extract differs", len(salt), len(ikm))
	}
	var k sha256.HMACKey
	k.Init(prk[:])
	got := make([]byte, n)
	sha256.Expand(got, &k, info)
	if !bytes.Equal(got, want) {
		t.Errorf("info of %d, output of %d bytes: Expand differs", len(info), n)
	}
}

func TestZero(t *testing.T) {
	var k sha256.HMACKey
	k.Init([]byte("key"))
	var m sha256.HMAC
	m.Init(&k)
	m.Write([]byte("message"))
	var d sha256.Digest
	d.Reset()
	d.Write([]byte("message"))
	if k == (sha256.HMACKey{}) || m == (sha256.HMAC{}) || d == (sha256.Digest{}) {
		t.Fatal("nothing to wipe")
	}
	k.Zero()
	m.Zero()
	d.Zero()
	if k != (sha256.HMACKey{}) || m != (sha256.HMAC{}) || d != (sha256.Digest{}) {
		t.Error("something is left")
	}
}

func TestAllocs(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(10, 300)
		testkit.Allocs(t, "everything", 0, func() {
			sum := sha256.Sum256(p)
			var k sha256.HMACKey
			k.Init(p)
			var m sha256.HMAC
			m.Init(&k)
			m.Write(p)
			m.Write(sum[:])
			m.Sum(&sum)
			var d sha256.Digest
			d.Reset()
			d.Write(sum[:])
			d.Init(&k.Inner, 1)
			d.Write(sum[:])
			d.Sum(&sum)
			sha256.Extract(&sum, sum[:8], p)
			var out [76]byte
			sha256.Expand(out[:], &k, sum[:])
		})
	})
}

func TestWycheproofHMAC(t *testing.T) {
	var file struct {
		TestGroups []struct {
			TagSize int
			Tests   []struct {
				TcID                  int
				Key, Msg, Tag, Result string
			}
		}
	}
	testkit.VectorsJSON(t, "wycheproof/hmac_sha256_test.json", &file)
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		ran := 0
		for _, g := range file.TestGroups {
			for _, c := range g.Tests {
				var k sha256.HMACKey
				k.Init(testkit.Hex(t, c.Key))
				var m sha256.HMAC
				m.Init(&k)
				m.Write(testkit.Hex(t, c.Msg))
				var tag [32]byte
				m.Sum(&tag)
				if equal := hex.EncodeToString(tag[:g.TagSize/8]) == c.Tag; equal != (c.Result == "valid") {
					t.Errorf("tcId %d: tag %x, file has %s, which is %s", c.TcID, tag, c.Tag, c.Result)
				}
				ran++
			}
		}
		if ran != 174 {
			t.Errorf("%d cases ran, want 174", ran)
		}
	})
}

func TestWycheproofHKDF(t *testing.T) {
	var file struct {
		TestGroups []struct {
			Tests []struct {
				TcID                         int
				IKM, Salt, Info, OKM, Result string
				Size                         int
			}
		}
	}
	testkit.VectorsJSON(t, "wycheproof/hkdf_sha256_test.json", &file)
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		ran := 0
		for _, g := range file.TestGroups {
			for _, c := range g.Tests {
				ran++
				if c.Result != "valid" {
					if c.Size <= sha256.MaxExpand {
						t.Errorf("tcId %d: %s for another reason than its size", c.TcID, c.Result)
					}
					continue
				}
				var prk [32]byte
				sha256.Extract(&prk, testkit.Hex(t, c.Salt), testkit.Hex(t, c.IKM))
				var k sha256.HMACKey
				k.Init(prk[:])
				okm := make([]byte, c.Size)
				sha256.Expand(okm, &k, testkit.Hex(t, c.Info))
				if hex.EncodeToString(okm) != c.OKM {
					t.Errorf("tcId %d: %x, want %s", c.TcID, okm, c.OKM)
				}
			}
		}
		if ran != 86 {
			t.Errorf("%d cases ran, want 86", ran)
		}
	})
}

func BenchmarkSum256(b *testing.B) {
	for _, tier := range testkit.Tiers(b, "sha256") {
		for _, n := range []int{32, 64, 256, 1024, 65536} {
			b.Run(fmt.Sprintf("tier=%s/len=%d", tier.Name, n), func(b *testing.B) {
				force(b, tier)
				p := make([]byte, n)
				b.SetBytes(int64(n))
				for b.Loop() {
					sha256.Sum256(p)
				}
			})
		}
	}
}

// BenchmarkExpand is what a NIP-44 message takes: 76 bytes from 32 of info.
func BenchmarkExpand(b *testing.B) {
	for _, tier := range testkit.Tiers(b, "sha256") {
		b.Run("tier="+tier.Name, func(b *testing.B) {
			force(b, tier)
			var k sha256.HMACKey
			k.Init([]byte("key"))
			var info [32]byte
			var out [76]byte
			for b.Loop() {
				sha256.Expand(out[:], &k, info[:])
			}
		})
	}
}

func force(b *testing.B, tier cpu.Tier) {
	b.Helper()
	if !tier.Available {
		b.Skipf("not applicable: this processor lacks some of %v", tier.Needs)
	}
	cpu.Force(b, "sha256", tier.Name)
}
