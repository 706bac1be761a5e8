package curve

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
)

// sample returns a seeded source, whose seed it prints, and how many cases to
// run: all under SEALWRIGHT_LONG=1, some otherwise. SEALWRIGHT_SEED repeats a
// run.
func sample(t *testing.T, some, all int) (*rand.ChaCha8, int) {
	t.Helper()
	n := some
	if testkit.Long() {
		n = all
	}
	t.Logf("%d of %d cases", n, all)
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], testkit.Rand(t).Uint64())
	return rand.NewChaCha8(key), n
}

func draw(r *rand.ChaCha8) (b [32]byte) {
	r.Read(b[:])
	return b
}

func drawScalar(r *rand.ChaCha8) scalar {
	for {
		if s := reduced(draw(r)); !s.decred.IsZero() {
			return s
		}
	}
}

// TestECDHPairs shares secrets between random pairs, both ways, as decred and
// secp256k1-voi do. Case 14: among them are x-coordinates that begin with a
// zero byte, however small the sample is.
func TestECDHPairs(t *testing.T) {
	t.Parallel()
	r, n := sample(t, 10000, 50000)
	short := 0
	for i := 0; i < n || short < 4; i++ {
		a, b := drawScalar(r), drawScalar(r)
		ap, bp := multiple(&a), multiple(&b)
		ax, _ := ap.coordinates(t)
		bx, _ := bp.coordinates(t)
		ab, ba := checkECDH(t, &a, bx), checkECDH(t, &b, ax)
		if ab != ba {
			t.Fatalf("%x and %x: %x one way, %x the other", a.bytes, b.bytes, ab, ba)
		}
		if ab[0] == 0 {
			short++
		}
	}
	t.Logf("%d shared secrets began with a zero byte", short)
}

// TestSignatures signs random messages, mostly of 32 bytes as Nostr does, and
// compares with btcec and secp256k1-voi.
func TestSignatures(t *testing.T) {
	t.Parallel()
	r, n := sample(t, 10000, 50000)
	for i := range n {
		d, aux, msg := drawScalar(r), draw(r), make([]byte, 32)
		if i%8 == 7 {
			msg = make([]byte, r.Uint64()%200)
		}
		r.Read(msg)
		checkSign(t, &d, aux, msg)
	}
}
