package signertest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
	"github.com/sealwright/sealwright/protocol/signer"
	"github.com/sealwright/sealwright/protocol/signertest"
)

func newIdentity(t testing.TB, sk *keys.SecretKey) *identity.Identity {
	t.Helper()
	id, err := identity.New(sk)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { id.Close() })
	return id
}

func newKey(t testing.TB) *keys.SecretKey {
	t.Helper()
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	return sk
}

func TestIdentity(t *testing.T) {
	o := &signertest.Options{Break: func(s any) { s.(*identity.Identity).Close() }}
	signertest.Test(t, func(t *testing.T, sk *keys.SecretKey) signer.Keyer { return newIdentity(t, sk) }, o)
	signertest.TestSigner(t, func(t *testing.T, sk *keys.SecretKey) signer.Signer { return newIdentity(t, sk) }, o)
	signertest.TestCipher(t, func(t *testing.T, sk *keys.SecretKey) signer.Cipher { return newIdentity(t, sk) }, o)
}

// A key that cannot be known, as in a device.
func TestWithoutSecretKey(t *testing.T) {
	for _, fault := range signertest.Check(t.Context(), newIdentity(t, newKey(t)), nil, nil) {
		t.Error(fault)
	}
}

// Case 3: the form of 2023 ends at 65,535 bytes, and a cipher may end there.
func TestLimit(t *testing.T) {
	for _, limit := range []uint64{256, nip44.LegacyMaxPlaintext, nip44.LegacyMaxPlaintext + 1, 100_000, 1 << 30} {
		signertest.TestCipher(t, func(t *testing.T, sk *keys.SecretKey) signer.Cipher {
			return bounded{newIdentity(t, sk), limit}
		}, &signertest.Options{MaxPlaintext: limit})
	}
}

const latency = 50 * time.Millisecond

func TestRemoteSigner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &signertest.Options{Break: func(s any) { s.(*remote).disconnect() }}
		signertest.Test(t, func(t *testing.T, sk *keys.SecretKey) signer.Keyer {
			return connect(t, newIdentity(t, sk), latency)
		}, o)
	})
}

// Case 37: 200 wraps through a remote signer take at most a tenth of the time
// that they take one by one.
func TestRemoteSignerPipelines(t *testing.T) {
	const n = 200
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		sk := newKey(t)
		me, alice := connect(t, newIdentity(t, sk), latency), newIdentity(t, newKey(t))
		wraps := make([]*event.Event, n)
		for i := range wraps {
			rumor := nip59.NewRumor(alice.PublicKey(), int64(1700000000+i), 14, nil, "hello")
			wrap, err := nip59.Wrap(ctx, alice, rumor, sk.PublicKey(), nil)
			if err != nil {
				t.Fatal(err)
			}
			wraps[i] = wrap
		}

		start := time.Now()
		for _, wrap := range wraps {
			if _, err := nip59.Unwrap(ctx, me, wrap, nil); err != nil {
				t.Fatal(err)
			}
		}
		serial := time.Since(start)
		if serial < 2*n*latency { // two calls a wrap
			t.Fatalf("%d wraps one by one took %v: the signer has no latency", n, serial)
		}

		start = time.Now()
		results := nip59.UnwrapAll(ctx, me, wraps, nil)
		if took := time.Since(start); took > serial/10 {
			t.Errorf("%d wraps took %v at once and %v one by one", n, took, serial)
		}
		for i, r := range results {
			if r.Err != nil || r.Message.Rumor.CreatedAt != int64(1700000000+i) || r.Message.Sender != alice.PublicKey() {
				t.Errorf("wrap %d: %+v", i, r)
			}
		}
	})
}
