package event

import (
	"math/rand/v2"
	"testing"
)

// Every byte value, at every place of texts around the widths of the loops.
func TestPlainLen(t *testing.T) {
	for size := range 100 {
		p := make([]byte, size)
		for i := range p {
			for c := range 256 {
				for j := range p {
					p[j] = " !#[]~\x7f"[j%7] // neighbours of what ends a run
				}
				p[i] = byte(c)
				want := size
				if c < 0x20 || c == '"' || c == '\\' {
					want = i
				}
				n, ascii := plainLen(p)
				if n != want || ascii && c >= 0x80 || !ascii && c < 0x80 {
					t.Fatalf("byte %#02x at %d of %d: %d, %v", c, i, size, n, ascii)
				}
			}
		}
	}
}

// Texts in which several bytes of a word end the run, so that borrows spread.
func TestPlainLenDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const letters = "\x00\x1f\x20\x21\x22\x23\x5b\x5c\x5d\x7f\x80\xa2\xdc\xff"
	for range 100_000 {
		p := make([]byte, rng.IntN(80))
		for i := range p {
			p[i] = 'a'
			if rng.IntN(4) == 0 {
				p[i] = letters[rng.IntN(len(letters))]
			}
		}
		want, plain := 0, true
		for want < len(p) && p[want] >= 0x20 && p[want] != '"' && p[want] != '\\' {
			plain = plain && p[want] < 0x80
			want++
		}
		if n, ascii := plainLen(p); n != want || ascii && !plain {
			t.Fatalf("%q: %d, %v; want %d, %v", p, n, ascii, want, plain)
		}
	}
}
