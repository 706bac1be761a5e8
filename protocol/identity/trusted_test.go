package identity_test

import (
	"context"
	"errors"
	"testing"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip59"
	"github.com/sealwright/sealwright/protocol/signer"
)

// What package nip59 asks of an identity and of nobody else shows in what a spoiled one
// does. other is no identity for it.
type other struct{ *identity.Identity }

func newIdentity(t *testing.T) *identity.Identity {
	t.Helper()
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	id, err := identity.New(sk)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func wrap(t *testing.T, from, to *identity.Identity) *event.Event {
	t.Helper()
	rumor := nip59.NewRumor(from.PublicKey(), 1700000000, 14, nil, "hello")
	e, err := nip59.Wrap(context.Background(), from, rumor, to.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A seal is verified by what is kept of its author: with the key that opened the wrap,
// whichever of the own keys that is, one wrap at a time and many.
func TestUnwrapUsesVerifier(t *testing.T) {
	ctx := context.Background()
	alice, bob, work := newIdentity(t), newIdentity(t), newIdentity(t)
	for _, c := range []struct {
		name    string
		me      signer.Cipher
		further []signer.Cipher
		opens   *identity.Identity // who has the verifier
		refused bool               // when that is spoiled
	}{
		{"the key", bob, nil, bob, true},
		{"one of two keys", bob, []signer.Cipher{work}, work, true},
		{"behind a signer elsewhere", other{bob}, []signer.Cipher{work}, work, true},
		{"a type around the identity", other{bob}, nil, bob, false},
		{"another key than opened it", bob, []signer.Cipher{other{work}}, work, false},
	} {
		e := wrap(t, alice, c.opens)
		seal, err := nip59.Seal(ctx, alice, nip59.NewRumor(alice.PublicKey(), 1700000000, 14, nil, "x"), c.opens.PublicKey(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.opens.Encrypt(ctx, []byte("x"), alice.PublicKey()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := c.opens.VerifyEvent(seal); err != nil {
				t.Fatal(err)
			}
		}
		o := &nip59.UnwrapOptions{Keys: c.further}
		judge := func(refused bool) {
			t.Helper()
			_, err := nip59.Unwrap(ctx, c.me, e, o)
			all := nip59.UnwrapAll(ctx, c.me, []*event.Event{e, e}, o)
			for i, err := range []error{err, all[0].Err, all[1].Err} {
				if refused != errors.Is(err, nip59.ErrSealSignature) || !refused && err != nil {
					t.Errorf("%s, %d: %v, want refused: %v", c.name, i, err, refused)
				}
			}
		}
		judge(false)
		identity.SpoilVerifier(t, c.opens, alice.PublicKey())
		judge(c.refused)
		c.opens.Forget(alice.PublicKey())
	}
}

// A seal that an identity signed is not verified again, one of any other signer is.
func TestSealOfIdentity(t *testing.T) {
	ctx := context.Background()
	alice, bob := newIdentity(t), newIdentity(t)
	rumor := nip59.NewRumor(alice.PublicKey(), 1700000000, 14, nil, "hello")
	identity.SpoilSignatures(alice)
	seal, err := nip59.Seal(ctx, alice, rumor, bob.PublicKey(), nil)
	if err != nil {
		t.Fatalf("the seal was verified: %v", err)
	}
	if err := seal.Verify(); !errors.Is(err, event.ErrSignature) {
		t.Fatalf("the seal has not got a wrong signature: %v", err)
	}
	if _, err := nip59.Seal(ctx, other{alice}, rumor, bob.PublicKey(), nil); !errors.Is(err, nip59.ErrSealSignature) {
		t.Errorf("the seal of another signer: %v", err)
	}
}
