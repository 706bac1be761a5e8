package sha256_test

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"testing"
	"time"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/base64"
	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/etm"
	"github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/kernels/sha256"
)

// Case 48. Every tier of every kernel, for some of the profiler's signals each, while
// the execution tracer follows frame pointers beside them. That no routine changes the
// frame pointer is for go vet and asm/check to see: here it would do harm only where
// the compiler's own wrapper does not put it back.
func TestTracer(t *testing.T) {
	if trace.IsEnabled() {
		t.Skip("go test -trace does it already")
	}
	var events bytes.Buffer
	if err := trace.Start(&events); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(trace.Stop) // may be twice
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Logf("the profiler runs already: %v", err)
	} else {
		t.Cleanup(pprof.StopCPUProfile)
	}
	text := random(19, 4000)
	code := base64.AppendEncode(nil, text)
	buf := make([]byte, 2*len(text))
	messages := make([][]byte, 20)
	for i := range messages {
		messages[i] = text[100*i:]
	}
	var point secp256k1.Affine
	kernels := []struct {
		kernel string
		run    func()
	}{
		{"chacha20", func() {
			var key [32]byte
			var nonce [12]byte
			chacha20.XORKeyStream(buf, text, &key, &nonce, 0)
		}},
		{"sha256", func() {
			var out [20][sha256.Size]byte
			sha256.Sum256s(out[:], messages)
			out[0] = sha256.Sum256(text)
		}},
		{"base64", func() {
			base64.Encode(buf, text)
			base64.Decode(buf, code)
		}},
		{"etm", func() {
			var key [32]byte
			var nonce [12]byte
			var m sha256.HMAC
			m.Init(new(sha256.HMACKey))
			etm.XORKeyStreamWrite(buf, text, &key, &nonce, 0, &m, code)
		}},
		{"secp256k1", func() {
			var z, p secp256k1.Jacobian
			secp256k1.DoubleN(&z, &p, 4)
			secp256k1.AddMixed(&z, &p, &point)
			secp256k1.Mul(&z.X, &z.X, &z.Y)
			secp256k1.Sqr(&z.X, &z.X)
			secp256k1.Lookup(&point, []secp256k1.Affine{point}, 0, 0)
		}},
	}
	for _, c := range kernels {
		t.Run(c.kernel, func(t *testing.T) {
			testkit.EachTier(t, c.kernel, func(t *testing.T) {
				for end := time.Now().Add(30 * time.Millisecond); time.Now().Before(end); {
					trace.WithRegion(context.Background(), "region of "+c.kernel, c.run)
					runtime.Gosched()
				}
			})
		})
	}
	trace.Stop()
	for _, c := range kernels {
		if !bytes.Contains(events.Bytes(), []byte("region of "+c.kernel)) {
			t.Errorf("%s: not in the trace of %d bytes", c.kernel, events.Len())
		}
	}
}
