package event

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/protocol/keys"
)

// tagged returns a signed event with n tags of three strings.
func tagged(t testing.TB, n int, content string) *Event {
	e := &Event{CreatedAt: 1700000000, Kind: KindTextNote, Tags: Tags{}, Content: content}
	for i := range n {
		e.Tags = append(e.Tags, Tag{"p", fmt.Sprintf("%064x", i), "wss://relay.example"})
	}
	if err := e.Sign(secretKey(t, one)); err != nil {
		t.Fatal(err)
	}
	return e
}

func benchmarkParse(b *testing.B, text []byte) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, bb := range []struct {
		name, content string
		tags          int
	}{
		{"len=100/tags=0", strings.Repeat("0123456789", 10), 0},
		{"len=100/tags=10", strings.Repeat("0123456789", 10), 10},
		{"len=64000/tags=1", strings.Repeat("0123456789", 6400), 1},
		{"len=64000/tags=1/escaped", strings.Repeat("012345678\n", 6400), 1},
		{"len=64000/tags=1/cyrillic", strings.Repeat("здравствуй", 3200), 1},
	} {
		text := tagged(b, bb.tags, bb.content).AppendJSON(nil)
		b.Run("impl=sealwright/"+bb.name, func(b *testing.B) { benchmarkParse(b, text) })
		b.Run("impl=encoding-json/"+bb.name, func(b *testing.B) {
			type plain struct { // without UnmarshalJSON
				ID        ID
				PubKey    keys.PublicKey
				CreatedAt int64 `json:"created_at"`
				Kind      int
				Tags      Tags
				Content   string
				Sig       Signature
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				var e plain
				if err := json.Unmarshal(text, &e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The scan alone, without a copy.
func BenchmarkScan(b *testing.B) {
	p := []byte(strings.Repeat("0123456789abcdef", 4000))
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		if n, _ := plainLen(p); n != len(p) {
			b.Fatal(n)
		}
	}
}

func BenchmarkRejectEarly(b *testing.B) {
	text := []byte(with(b, minedID, `"id":"`))
	b.ReportAllocs()
	for b.Loop() {
		Parse(text)
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	for _, bb := range []struct {
		name, content string
		tags          int
	}{
		{"len=100/tags=10", strings.Repeat("0123456789", 10), 10},
		{"len=64000/tags=1", strings.Repeat("0123456789", 6400), 1},
	} {
		b.Run(bb.name, func(b *testing.B) {
			e := tagged(b, bb.tags, bb.content)
			buf := e.AppendJSON(nil)
			b.SetBytes(int64(len(buf)))
			b.ReportAllocs()
			for b.Loop() {
				buf = e.AppendJSON(buf[:0])
			}
		})
	}
}

func BenchmarkComputeID(b *testing.B) {
	for _, bb := range []struct {
		name, content string
		tags          int
	}{
		{"len=100/tags=0", strings.Repeat("0123456789", 10), 0},
		{"len=100/tags=10", strings.Repeat("0123456789", 10), 10},
		{"len=64000/tags=1", strings.Repeat("0123456789", 6400), 1},
	} {
		b.Run(bb.name, func(b *testing.B) {
			e := tagged(b, bb.tags, bb.content)
			b.SetBytes(int64(len(bb.content)))
			b.ReportAllocs()
			for b.Loop() {
				e.ComputeID()
			}
		})
	}
}

func BenchmarkParseVerify(b *testing.B) {
	text := tagged(b, 10, strings.Repeat("0123456789", 10)).AppendJSON(nil)
	b.ReportAllocs()
	for b.Loop() {
		e, err := Parse(text)
		if err == nil {
			err = e.Verify()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSign(b *testing.B) {
	e := tagged(b, 0, strings.Repeat("0123456789", 10))
	sk := secretKey(b, one)
	b.ReportAllocs()
	for b.Loop() {
		if err := e.Sign(sk); err != nil {
			b.Fatal(err)
		}
	}
}
