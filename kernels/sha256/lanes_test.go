//go:build (amd64 || arm64) && gc && !purego

package sha256

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/sealwright/sealwright/internal/testkit"
)

// One to forty blocks of every lane, with states of their own. Everything lies against
// pages that cannot be touched, at either end: a routine that loads the block after the
// last, which is not there, dies.
func TestLanesRoutine(t *testing.T) {
	const most = 40
	r := rand.NewChaCha8([32]byte{53})
	var messages [lanes][][]byte // at both ends
	for i := range messages {
		messages[i] = ends(t, most*BlockSize)
	}
	states, pointers := ends(t, 8*lanes*4), ends(t, lanes*int(unsafe.Sizeof(uintptr(0))))
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		if !haveLanes() {
			t.Skip("not applicable: this tier hashes one message at a time")
		}
		for n := 1; n <= most; n++ {
			for end := range 2 {
				h := (*[8][lanes]uint32)(unsafe.Pointer(&states[end][0]))
				p := (*[lanes]*byte)(unsafe.Pointer(&pointers[end][0]))
				var want [lanes]State
				for i := range lanes {
					m := messages[i][end][:n*BlockSize]
					if end == 1 {
						m = messages[i][end][(most-n)*BlockSize:]
					}
					r.Read(m)
					p[i] = &m[0]
					before := *stateAt(drawn(r, Size))
					for w, word := range before {
						h[w][i] = word
					}
					want[i] = compress(t, before, m)
				}
				kept := *p
				blocksOfLanes(h, p, n)
				if *p != kept {
					t.Fatalf("%d blocks, end %d: the pointers are changed", n, end)
				}
				for i := range lanes {
					var got State
					for w := range got {
						got[w] = h[w][i]
					}
					if got != want[i] {
						t.Fatalf("%d blocks, end %d, lane %d: %x, want %x", n, end, i, got, want[i])
					}
				}
			}
		}
	})
}
