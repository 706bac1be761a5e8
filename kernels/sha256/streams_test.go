package sha256_test

import (
	"bytes"
	reference "crypto/sha256"
	"fmt"
	"slices"
	"testing"

	fallback "github.com/sealwright/sealwright/fallback/sha256"
	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/sha256"
)

// sums holds Sum256s against the standard library, and sees that it keeps to the
// places of the digests.
func sums(t *testing.T, name string, messages [][]byte) {
	t.Helper()
	out := make([][sha256.Size]byte, len(messages)+1)
	canary := [sha256.Size]byte(bytes.Repeat([]byte{0xa5}, sha256.Size))
	out[len(messages)] = canary
	sha256.Sum256s(out, messages)
	for i, m := range messages {
		if out[i] != reference.Sum256(m) {
			t.Fatalf("%s: message %d of %d, of %d bytes: differs from the standard library", name, i, len(messages), len(m))
		}
	}
	if out[len(messages)] != canary {
		t.Fatalf("%s: writes behind the end", name)
	}
}

// chosen are lengths about the ends of blocks, of the padding, and of what is hashed
// in one call.
var chosen = []int{0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 500, 2047, 2048, 2049, 2103, 2104, 2112, 4096, 10_000}

// Any number of messages, of the chosen lengths from each on, so that lanes end in
// any order.
func TestSum256s(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(11, 10_000)
		for n := range 40 + 1 {
			var messages [][]byte
			for i := range n {
				length := chosen[(n+i)%len(chosen)]
				messages = append(messages, p[len(p)-length:])
			}
			sums(t, fmt.Sprintf("%d mixed", n), messages)
			slices.Reverse(messages)
			sums(t, fmt.Sprintf("%d mixed, reversed", n), messages)
			slices.SortFunc(messages, func(a, b []byte) int { return len(a) - len(b) })
			sums(t, fmt.Sprintf("%d sorted", n), messages)
		}
	})
}

// Every length against the fallback too, in order and in any order.
func TestSum256sLengths(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(12, 4096)
		var messages [][]byte
		for n := range len(p) + 1 {
			messages = append(messages, p[:n])
		}
		out := make([][sha256.Size]byte, len(messages))
		sha256.Sum256s(out, messages)
		for n := range out {
			if out[n] != fallback.Sum256(p[:n]) {
				t.Fatalf("length %d: differs from the fallback", n)
			}
		}
		sums(t, "every length", messages)
		r, rounds, count := testkit.Rand(t), 3, 200
		if testkit.Long() {
			rounds, count = 50, len(messages)
		}
		for range rounds {
			r.Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
			sums(t, "shuffled", messages[:count])
		}
	})
}

// All messages of one length end at the same time; one that is much longer, wherever
// it is, does not.
func TestSum256sSame(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(13, 30_000)
		for _, n := range chosen {
			var messages [][]byte
			for i := range 35 {
				messages = append(messages, p[i:i+n])
			}
			sums(t, fmt.Sprintf("all of %d bytes", n), messages)
			for _, at := range []int{0, 7, 15, 16, 34} {
				before := messages[at]
				messages[at] = p
				sums(t, fmt.Sprintf("of %d bytes, but number %d", n, at), messages)
				messages[at] = before
			}
		}
	})
}

func TestSum256sAlignments(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		for _, n := range []int{1, 55, 56, 64, 128, 200, 1024} {
			p := random(14, n+63)
			var messages [][]byte
			for i := range 64 {
				messages = append(messages, p[i:i+n])
			}
			sums(t, fmt.Sprintf("of %d bytes", n), messages)
		}
	})
}

// Both ends of every message against pages that cannot be touched.
func TestSum256sGuardPages(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(15, 10_000)
		var lows, highs [][]byte
		for _, n := range chosen {
			low, high := testkit.Guard(t, n)
			lows, highs = append(lows, low), append(highs, high)
		}
		for _, messages := range [][][]byte{lows, highs} {
			for _, m := range messages {
				copy(m, p)
			}
			sums(t, "guarded", messages)
		}
	})
}

func TestSum256sPlaces(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		for _, n := range []int{1, 20} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%d messages and %d places: does not panic", n, n-1)
					}
				}()
				sha256.Sum256s(make([][sha256.Size]byte, n-1), make([][]byte, n))
			}()
		}
		sha256.Sum256s(nil, nil)
	})
}

func TestSum256sAllocs(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		p := random(16, 3000)
		var messages [][]byte
		for i := range 40 {
			messages = append(messages, p[:70*i])
		}
		testkit.Allocs(t, "Sum256s", 0, func() {
			var out [40][sha256.Size]byte
			sha256.Sum256s(out[:], messages)
			sha256.Sum256s(out[:], messages[:2])
		})
	})
}

// BenchmarkSum256s is per call, beside which BenchmarkSum256 is one message.
func BenchmarkSum256s(b *testing.B) {
	for _, tier := range testkit.Tiers(b, "sha256") {
		for _, count := range []int{4, 6, 8, 16, 64} {
			for _, n := range []int{32, 300, 4096} {
				b.Run(fmt.Sprintf("tier=%s/messages=%d/len=%d", tier.Name, count, n), func(b *testing.B) {
					force(b, tier)
					p := make([]byte, n)
					messages := slices.Repeat([][]byte{p}, count)
					out := make([][sha256.Size]byte, count)
					b.SetBytes(int64(n * count))
					for b.Loop() {
						sha256.Sum256s(out, messages)
					}
				})
			}
		}
	}
}
