package event

import (
	"runtime"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
)

func TestAllocations(t *testing.T) {
	for _, n := range []int{0, 1, 10, 1000} {
		e := tagged(t, n, strings.Repeat("content \" with escapes\n", 50))
		text := e.AppendJSON(nil)
		buf := make([]byte, 0, len(text))
		unsigned := e.AppendUnsignedJSON(nil)
		testkit.Allocs(t, "Parse", 4, func() { Parse(text) })
		testkit.Allocs(t, "ParseUnsigned", 4, func() { ParseUnsigned(unsigned) })
		testkit.Allocs(t, "Parse and Verify", 6, func() {
			parsed, err := Parse(text)
			if err == nil {
				err = parsed.Verify()
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		testkit.Allocs(t, "AppendJSON", 0, func() { e.AppendJSON(buf) })
		testkit.Allocs(t, "AppendUnsignedJSON", 0, func() { e.AppendUnsignedJSON(buf) })
		testkit.Allocs(t, "ComputeID", 0, func() { e.ComputeID() })
		testkit.Allocs(t, "Validate", 0, func() { e.Validate() })
		testkit.Allocs(t, "Verify", 2, func() { e.Verify() })
		batch := []*Event{e}
		// Case 45: beside Verify's own, what a batch of any size needs.
		testkit.Allocs(t, "VerifyAll of one", 6, func() { VerifyAll(t.Context(), batch, nil) })
		sk := secretKey(t, one)
		testkit.Allocs(t, "Sign", 1, func() { e.Sign(sk) })
	}
	// A large batch allocates no more than a small one.
	many := make([]*Event, 1000)
	for i := range many {
		many[i] = &Event{CreatedAt: int64(i)}
		if err := many[i].Sign(secretKey(t, one)); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []int{10, 1000} {
		testkit.Allocs(t, "VerifyAll of many", 6, func() { VerifyAll(t.Context(), many[:n], &BatchOptions{Workers: 1}) })
	}
	// A text without escapes is written in one allocation.
	e := tagged(t, 10, strings.Repeat("x", 64000))
	testkit.Allocs(t, "AppendJSON to nil", 1, func() { e.AppendJSON(nil) })
}

// allocated returns the bytes that f allocates: the least of several runs,
// since the count is that of the whole process.
func allocated(f func()) uint64 {
	least := ^uint64(0)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// A hostile text makes nothing larger than a small multiple of itself: nothing
// but the error when it is refused, eight bytes for each of its own at most
// when it is accepted.
func TestMemoryBound(t *testing.T) {
	const mega = 1 << 20
	fill := func(piece string) string {
		return `"tags":[` + strings.TrimSuffix(strings.Repeat(piece+",", mega/(len(piece)+1)), ",")
	}
	for _, tt := range []struct {
		name, text string
		accepted   bool
	}{
		{"brackets", with(t, minedTags, `"tags":`+strings.Repeat("[", mega)), false},
		{"brackets of an unknown key", with(t, minedTags, `"x":`+strings.Repeat("[", mega)), false},
		{"small tags, not closed", with(t, minedTags, fill(`[""]`)), false},
		{"small strings, not closed", with(t, minedTags, fill(`""`)), false},
		{"long content, no sig", with(t, ","+minedSig, `,"content2":"`+strings.Repeat("a", mega)+`"`), false},
		{"escaped keys", with(t, minedTags, strings.Repeat(`"\u0061":0,`, mega/11)+minedTags+`x`), false},
		{"small tags", with(t, minedTags, fill(`[""]`)+`]`), true},
		{"small strings", with(t, minedTags, fill(`[""`+strings.Repeat(`,""`, 1000)+`]`)+`]`), true},
		{"escapes", with(t, minedContent, `"content":"`+strings.Repeat(`\n`, mega/2)+`"`), true},
		{"content", with(t, minedContent, `"content":"`+strings.Repeat(`a`, mega)+`"`), true},
		{"unknown keys", with(t, minedTags, strings.Repeat(`"x":[{},{}],`, mega/12)+minedTags), true},
	} {
		text := []byte(tt.text)
		var err error
		n := allocated(func() { _, err = Parse(text) })
		if (err == nil) != tt.accepted {
			t.Errorf("%s: %v", tt.name, err)
		}
		limit := uint64(4096)
		if tt.accepted {
			limit = 8*uint64(len(text)) + 65536 // and what the allocator rounds up
		}
		if n > limit {
			t.Errorf("%s: %d bytes allocated for %d bytes of text, limit %d", tt.name, n, len(text), limit)
		}
	}
}
