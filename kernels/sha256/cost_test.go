package sha256_test

import (
	"math"
	"testing"
	"time"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/cpu"
	"github.com/sealwright/sealwright/kernels/sha256"
)

// How many compressions a call takes, by its time in the portable tier, where they
// are nearly all of it: the keys of a NIP-44 message from a kept key take 2 + 3 + 3,
// a conversation key from a kept salt takes 2. The least of many runs counts, and
// noise is given some attempts.
func TestCompressions(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector changes what takes time")
	}
	cpu.Force(t, "sha256", cpu.Portable)
	long := random(18, 9*sha256.BlockSize)
	var k sha256.HMACKey
	k.Init(long[:32])
	var m sha256.HMAC
	var tag [32]byte
	var okm [76]byte
	var got [2]float64
	want := [2]float64{8, 2}
	for range 20 {
		ns := least(
			func() { sha256.Sum256(long) },
			func() { sha256.Sum256(long[:sha256.BlockSize]) },
			func() { sha256.Expand(okm[:], &k, long[:32]) },
			func() { m.Init(&k); m.Write(long[:32]); m.Sum(&tag) },
		)
		compression := (ns[0] - ns[1]) / 8
		got = [2]float64{ns[2] / compression, ns[3] / compression}
		if near(got[0], want[0]) && near(got[1], want[1]) {
			return
		}
	}
	t.Errorf("Expand takes the time of %.1f compressions, want %v and a little; HMAC %.1f, want %v and a little", got[0], want[0], got[1], want[1])
}

// near reports that a time is that of so many compressions and what is around them.
func near(got, want float64) bool { return want-0.2 < got && got < want+0.95 }

// least returns the shortest time of each f, in nanoseconds, of runs by turns.
func least(f ...func()) []float64 {
	best := make([]float64, len(f))
	for i := range best {
		best[i] = math.Inf(1)
	}
	for range 200 {
		for i, f := range f {
			start := time.Now()
			for range 10 {
				f()
			}
			best[i] = min(best[i], float64(time.Since(start))/10)
		}
	}
	return best
}
