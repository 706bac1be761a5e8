// Package signertest tests implementations of [signer.Signer] and
// [signer.Cipher]: whoever writes one, for a remote signer, a browser or a
// device, runs it through the suite in a test of his own,
//
//	func TestConformance(t *testing.T) {
//		signertest.Test(t, func(t *testing.T, sk *keys.SecretKey) signer.Keyer {
//			k := mysigner.New(sk)
//			t.Cleanup(k.Close)
//			return k
//		}, nil)
//	}
//
// and learns whether packages nip59 and nip17 can rely on it. Every message also
// goes through package nip44 as an independent peer, with the roles swapped, so
// that ciphertext which only the signer itself reads is found out.
//
// The suite asks for what the comments of package signer promise:
//
//   - the public key is on the curve and stays the same;
//   - a signed event verifies, and nothing of it changed but PubKey, ID and Sig;
//     an event of another author, or one that is not valid, is refused;
//   - payloads open on the other side, to oneself, to several peers in turn, at
//     the lengths where the format changes, and with every encryption anew;
//   - no slice of the caller's is changed or kept, no result is used again;
//   - faults of the data are told by the errors of packages nip44 and keys, so
//     that [nip59.Classify] sorts them; failures of the signer are not;
//   - no error carries a secret key, a payload or a plaintext, as it is or as
//     fmt, JSON, base64 and NIP-19 write it, and nothing panics;
//   - calls return with the context's error when it ends;
//   - calls may run at the same time;
//   - a [signer.BatchCipher] returns one result for each item, in their order.
//
// Run it under the race detector too: only that can see a slice being read
// after the call has returned.
//
// The package imports testing and is meant for tests alone. [Test] and its
// halves start no subtests, so they run inside a bubble of testing/synctest,
// where a signer that waits costs no time.
package signertest

import (
	"context"
	"testing"

	"github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/signer"
)

// Options are what the suite may be told. nil is the default.
type Options struct {
	// MaxPlaintext is the longest plaintext, in bytes, that the cipher takes.
	// With it the suite leaves out what is longer, and asks that one byte more
	// give [nip44.ErrTooLarge]; beyond 16 MiB the limit itself is not tried. A
	// cipher that knows only the form of 2023 has [nip44.LegacyMaxPlaintext].
	// Below 256 the suite is of no use, as is the cipher.
	// Zero tells nothing of a limit: the suite tries up to 200,000 bytes.
	MaxPlaintext uint64
	// Break cuts the signer under test off from its key, as a lost connection
	// or Close does. It is called last, with what was given to Check or
	// returned by the constructor; the calls that follow must fail, and not as
	// if the data were at fault. nil leaves that out.
	Break func(signer any)
}

// Test runs a Keyer through the suite. It calls new twice, for a secret key
// whose point has even y and for one whose point has odd y, which BIP-340 has
// signers treat differently; the test fails with one line for each fault.
func Test(t *testing.T, new func(t *testing.T, sk *keys.SecretKey) signer.Keyer, o *Options) {
	t.Helper()
	forBothKeys(t, func(sk *keys.SecretKey) []error {
		return Check(t.Context(), new(t, sk), sk, o)
	})
}

// TestSigner is [Test] for the half that signs.
func TestSigner(t *testing.T, new func(t *testing.T, sk *keys.SecretKey) signer.Signer, o *Options) {
	t.Helper()
	forBothKeys(t, func(sk *keys.SecretKey) []error {
		return CheckSigner(t.Context(), new(t, sk), sk, o)
	})
}

// TestCipher is [Test] for the half that encrypts and decrypts.
func TestCipher(t *testing.T, new func(t *testing.T, sk *keys.SecretKey) signer.Cipher, o *Options) {
	t.Helper()
	forBothKeys(t, func(sk *keys.SecretKey) []error {
		return CheckCipher(t.Context(), new(t, sk), sk, o)
	})
}

// Check runs a Keyer through the suite and returns one error for each fault,
// which begins with the name of the check. sk is the key that k holds; nil where
// it cannot be known, and then that k has the right public key, and that its
// errors do not carry the secret one, is not checked.
func Check(ctx context.Context, k signer.Keyer, sk *keys.SecretKey, o *Options) []error {
	return newTester(ctx, k, k, k, sk, o).run()
}

// CheckSigner is [Check] for the half that signs.
func CheckSigner(ctx context.Context, s signer.Signer, sk *keys.SecretKey, o *Options) []error {
	return newTester(ctx, s, s, nil, sk, o).run()
}

// CheckCipher is [Check] for the half that encrypts and decrypts.
func CheckCipher(ctx context.Context, c signer.Cipher, sk *keys.SecretKey, o *Options) []error {
	return newTester(ctx, c, nil, c, sk, o).run()
}

func forBothKeys(t *testing.T, check func(sk *keys.SecretKey) []error) {
	t.Helper()
	for _, odd := range []bool{false, true} {
		sk := keyOfParity(odd)
		defer sk.Zero()
		for _, err := range check(sk) {
			t.Errorf("key with odd y %v: %v", odd, err)
		}
	}
}

// keyOfParity makes a secret key whose point has a y of this parity.
func keyOfParity(odd bool) *keys.SecretKey {
	for {
		sk := must(keys.GenerateSecretKey())
		var given, even secp256k1.Scalar
		if err := sk.CopyScalar(&given); err != nil {
			panic(err)
		}
		if err := sk.CopyEvenScalar(&even); err != nil {
			panic(err)
		}
		if (given != even) == odd {
			return sk
		}
	}
}

// must is for what fails only without a source of randomness, or when the suite
// is at fault itself.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
