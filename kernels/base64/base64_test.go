package base64_test

import (
	"bytes"
	reference "encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	fallback "github.com/sealwright/sealwright/fallback/base64"
	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/base64"
	"github.com/sealwright/sealwright/kernels/cpu"
)

// text returns n random bytes and the text of them by the fallback, which its
// own tests hold against the standard library.
func text(random *rand.ChaCha8, n int) (raw, code []byte) {
	raw = make([]byte, n)
	random.Read(raw)
	code = make([]byte, fallback.EncodedLen(n))
	fallback.Encode(code, raw)
	return raw, code
}

// Every length, both ways, with bytes behind that must stay.
func TestLengths(t *testing.T) {
	testkit.EachTier(t, "base64", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{1})
		canary := bytes.Repeat([]byte{0xa5}, 64)
		for n := range 4096 + 1 {
			raw, code := text(random, n)
			got := append(make([]byte, len(code)), canary...)
			base64.Encode(got, raw)
			if !bytes.Equal(got[:len(code)], code) {
				t.Fatalf("length %d: Encode differs from the fallback", n)
			}
			if !bytes.Equal(got[len(code):], canary) {
				t.Fatalf("length %d: Encode writes behind the end", n)
			}
			back := append(make([]byte, n), canary...)
			if m, ok := base64.Decode(back, code); m != n || !ok || !bytes.Equal(back[:n], raw) {
				t.Fatalf("length %d: Decode returns %d, %v, or differs", n, m, ok)
			}
			if !bytes.Equal(back[n:], canary) {
				t.Fatalf("length %d: Decode writes behind the end", n)
			}
		}
	})
}

// Every alignment of input and output, by some lengths.
func TestAlignments(t *testing.T) {
	testkit.EachTier(t, "base64", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{2})
		for _, n := range []int{1, 2, 3, 24, 48, 49, 96, 100, 192, 193, 400} {
			raw, code := text(random, n)
			a, b := make([]byte, n+64), make([]byte, len(code)+64)
			for i := range 64 {
				for _, j := range []int{0, 1, i, 63 - i} {
					copy(a[i:], raw)
					base64.Encode(b[j:], a[i:i+n])
					if !bytes.Equal(b[j:j+len(code)], code) {
						t.Fatalf("length %d, from %d to %d: Encode differs", n, i, j)
					}
					clear(a)
					if _, ok := base64.Decode(a[i:], b[j:j+len(code)]); !ok || !bytes.Equal(a[i:i+n], raw) {
						t.Fatalf("length %d, from %d to %d: Decode differs", n, j, i)
					}
				}
			}
		}
	})
}

// Both ends of input and output against pages that cannot be touched.
func TestGuardPages(t *testing.T) {
	testkit.EachTier(t, "base64", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{3})
		for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 23, 24, 25, 27, 31, 32, 33, 36, 47, 48, 49, 51, 63, 64, 65, 71, 72, 73,
			95, 96, 97, 99, 127, 128, 129, 143, 144, 145, 191, 192, 193, 255, 256, 257, 384, 1000, 1023, 1024, 1025, 3071, 3072, 3073, 4096} {
			raw, code := text(random, n)
			rawLow, rawHigh := testkit.Guard(t, n)
			codeLow, codeHigh := testkit.Guard(t, len(code))
			for i, at := range []struct{ raw, code []byte }{
				{rawLow, codeLow}, {rawLow, codeHigh}, {rawHigh, codeLow}, {rawHigh, codeHigh},
			} {
				copy(at.raw, raw)
				clear(at.code)
				base64.Encode(at.code, at.raw)
				if !bytes.Equal(at.code, code) {
					t.Errorf("length %d, places %d: Encode differs", n, i)
				}
				clear(at.raw)
				if m, ok := base64.Decode(at.raw, at.code); m != n || !ok || !bytes.Equal(at.raw, raw) {
					t.Errorf("length %d, places %d: Decode differs", n, i)
				}
			}
		}
	})
}

// A bad character at every place of texts long and short is found, and nothing
// is written behind the end.
func TestBadCharacter(t *testing.T) {
	testkit.EachTier(t, "base64", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{4})
		canary := bytes.Repeat([]byte{0xa5}, 64)
		for _, n := range []int{1, 2, 3, 6, 24, 47, 48, 49, 50, 96, 97, 98, 99, 150, 192, 193, 200, 300} {
			_, code := text(random, n)
			bad := []byte("\x00\n\r\t =-_*#:@[`{.,\x7f\x80\xc1\xff")
			if n == 48 || n == 24 { // a pass of every tier alone: every byte there is
				bad = bad[:0]
				for c := range 256 {
					if c != '+' && c != '/' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
						bad = append(bad, byte(c))
					}
				}
			}
			for i, was := range code {
				for _, c := range bad {
					code[i] = c
					if c == '=' && strict(code) {
						continue
					}
					n, ok := base64.DecodedLen(code)
					if !ok || strict(code) {
						t.Fatalf("%q proves nothing", code)
					}
					back := append(make([]byte, n), canary...)
					if m, ok := base64.Decode(back[:n:n], code); m != 0 || ok {
						t.Fatalf("%q is taken", code)
					}
					if !bytes.Equal(back[n:], canary) {
						t.Fatalf("%q: writes behind the end", code)
					}
				}
				code[i] = was
			}
		}
	})
}

// Lengths about those at which a text is taken in several calls, and beyond, and a bad
// character where one call ends and the next begins.
func TestLong(t *testing.T) {
	testkit.EachTier(t, "base64", func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{7})
		sizes := []int{48 << 10, 96 << 10, 144 << 10, 1 << 20}
		if testing.Short() {
			sizes = sizes[:2]
		}
		for _, size := range sizes {
			for _, more := range []int{-3, -1, 0, 1, 23, 24, 29, 30, 31, 33, 60} {
				raw, code := text(random, size+more)
				got := make([]byte, len(code))
				if base64.Encode(got, raw); !bytes.Equal(got, code) {
					t.Fatalf("%d bytes: Encode differs from the fallback", len(raw))
				}
				back := make([]byte, len(raw)+2) // room for what takes the place of padding
				if n, ok := base64.Decode(back, code); n != len(raw) || !ok || !bytes.Equal(back[:n], raw) {
					t.Fatalf("%d bytes: Decode returns %d, %v, or differs", len(raw), n, ok)
				}
				for _, at := range []int{0, 64<<10 - 1, 64 << 10, 64<<10 + 1, len(code) - 5, len(code) - 1} {
					if at >= len(code) {
						continue
					}
					was := code[at]
					code[at] = '*'
					if n, ok := base64.Decode(back, code); n != 0 || ok {
						t.Fatalf("%d bytes: a bad character at %d is taken", len(raw), at)
					}
					code[at] = was
				}
			}
		}
	})
}

// Every value of the last two characters and what they leave spare.
func TestSpareBits(t *testing.T) {
	testkit.EachTier(t, "base64", func(t *testing.T) {
		const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
		taken := 0
		for _, a := range []byte(alphabet) {
			for _, b := range []byte(alphabet) {
				for _, c := range []byte(alphabet) {
					code := []byte{'A', a, b, c}
					raw, err := base64.AppendDecode(nil, code)
					if (err == nil) != strict(code) {
						t.Fatalf("%q: %v", code, err)
					}
					if err == nil {
						taken++
						if again := base64.AppendEncode(nil, raw); !bytes.Equal(again, code) {
							t.Fatalf("%q has another text %q", code, again)
						}
					}
				}
			}
		}
		// 4 values of one byte, 64·16 of two, 64^3 of three.
		if want := 4 + 64*16 + 64*64*64; taken != want {
			t.Errorf("%d texts are taken, want %d", taken, want)
		}
	})
}

// strict tells what the standard library takes, which ignores line breaks
// where this package must not.
func strict(code []byte) bool {
	_, err := reference.StdEncoding.Strict().DecodeString(string(code))
	return err == nil && !bytes.ContainsAny(code, "\r\n")
}

func TestDecodedLen(t *testing.T) {
	for _, c := range []struct {
		code string
		n    int
		ok   bool
	}{
		{"", 0, true}, {"A", 0, false}, {"AA", 0, false}, {"AAA", 0, false}, {"AAAAA", 0, false},
		{"AAAA", 3, true}, {"AAA=", 2, true}, {"AA==", 1, true}, {"AAAAAA==", 4, true},
		{"????", 3, true}, // by length and padding alone
	} {
		if n, ok := base64.DecodedLen([]byte(c.code)); n != c.n || ok != c.ok {
			t.Errorf("%q: %d, %v, want %d, %v", c.code, n, ok, c.n, c.ok)
		}
	}
}

func TestAppend(t *testing.T) {
	testkit.EachTier(t, "base64", func(t *testing.T) {
		prefix := []byte("prefix ")
		code := base64.AppendEncode(prefix, []byte("foobar!"))
		if string(code) != "prefix Zm9vYmFyIQ==" {
			t.Errorf("%q", code)
		}
		raw, err := base64.AppendDecode(prefix, code[len(prefix):])
		if err != nil || string(raw) != "prefix foobar!" {
			t.Errorf("%q, %v", raw, err)
		}
		for _, bad := range []string{"Zm9", "Zm9*", "Zm9="} {
			if got, err := base64.AppendDecode(prefix, []byte(bad)); !errors.Is(err, base64.ErrEncoding) || string(got) != string(prefix) {
				t.Errorf("%q: %q, %v", bad, got, err)
			}
		}
		if got := base64.AppendEncode(nil, nil); len(got) != 0 {
			t.Errorf("%q", got)
		}
	})
}

func TestAllocs(t *testing.T) {
	testkit.EachTier(t, "base64", func(t *testing.T) {
		raw := make([]byte, 300)
		code := make([]byte, 0, 400)
		testkit.Allocs(t, "with room", 0, func() {
			code = base64.AppendEncode(code[:0], raw)
			if _, err := base64.AppendDecode(raw[:0], code); err != nil {
				t.Fatal(err)
			}
			var small [4]byte
			base64.Encode(small[:], raw[:3])
			if _, ok := base64.Decode(raw, small[:]); !ok {
				t.Fatal("refused")
			}
		})
		testkit.Allocs(t, "AppendEncode without room", 1, func() { base64.AppendEncode(nil, raw) })
		code = code[:8:8]
		code[3] = '*'
		testkit.Allocs(t, "a refusal with room", 0, func() {
			if _, err := base64.AppendDecode(raw[:0], code); err == nil {
				t.Fatal("taken")
			}
		})
	})
}

func TestOverlap(t *testing.T) {
	testkit.EachTier(t, "base64", func(t *testing.T) {
		buf := bytes.Repeat([]byte("A"), 400)
		for _, c := range []struct {
			name string
			call func()
			want bool
		}{
			{"Encode in place", func() { base64.Encode(buf, buf[:30]) }, true},
			{"Encode ahead", func() { base64.Encode(buf[29:], buf[:30]) }, true},
			{"Encode behind", func() { base64.Encode(buf, buf[39:69]) }, true},
			{"Encode side by side", func() { base64.Encode(buf, buf[40:70]) }, false},
			{"Encode, input beyond what is written", func() { base64.Encode(buf[:100], buf[40:70]) }, false},
			{"Encode, side by side upwards", func() { base64.Encode(buf[30:], buf[:30]) }, false},
			{"Encode nothing in place", func() { base64.Encode(buf, buf[:0]) }, false},
			{"Encode, output short", func() { base64.Encode(buf[:39], buf[100:130]) }, true},
			{"AppendEncode over its input", func() { base64.AppendEncode(buf[:0], buf[10:40]) }, true},
			{"Decode in place", func() { base64.Decode(buf, buf[:40]) }, true},
			{"Decode ahead", func() { base64.Decode(buf[39:], buf[:40]) }, true},
			{"Decode behind", func() { base64.Decode(buf, buf[29:69]) }, true},
			{"Decode side by side", func() { base64.Decode(buf, buf[30:70]) }, false},
			{"Decode, input beyond what is written", func() { base64.Decode(buf[:100], buf[30:70]) }, false},
			{"Decode nothing in place", func() { base64.Decode(buf, buf[:0]) }, false},
			{"Decode, output short", func() { base64.Decode(buf[:29], buf[100:140]) }, true},
			{"AppendDecode over its input", func() { _, _ = base64.AppendDecode(buf[:0], buf[10:50]) }, true},
		} {
			panicked := func() (panicked bool) {
				defer func() { panicked = recover() != nil }()
				c.call()
				return false
			}()
			if panicked != c.want {
				t.Errorf("%s: panics %v, want %v", c.name, panicked, c.want)
			}
			copy(buf, bytes.Repeat([]byte("A"), len(buf)))
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	bench(b, func(raw, code []byte) { base64.Encode(code, raw) })
}

func BenchmarkDecode(b *testing.B) {
	bench(b, func(raw, code []byte) { base64.Decode(raw, code) })
}

// bench counts characters.
func bench(b *testing.B, f func(raw, code []byte)) {
	for _, tier := range testkit.Tiers(b, "base64") {
		for _, n := range []int{132, 1488, 87500} {
			b.Run(fmt.Sprintf("tier=%s/chars=%d", tier.Name, n), func(b *testing.B) {
				if !tier.Available {
					b.Skipf("not applicable: this processor lacks some of %v", tier.Needs)
				}
				cpu.Force(b, "base64", tier.Name)
				raw, code := text(rand.NewChaCha8([32]byte{5}), n/4*3)
				b.SetBytes(int64(n))
				for b.Loop() {
					f(raw, code)
				}
			})
		}
	}
}
