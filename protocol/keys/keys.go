// Package keys holds the two kinds of key that Nostr knows: secret scalars of
// secp256k1 and x-only public keys (BIP-340, NIP-01).
//
// Nothing is reduced silently: a secret of zero or of the group order and
// above is refused, and so is a public key that is no x-coordinate of the
// curve. Operations on a [SecretKey] take constant time.
package keys

import (
	"crypto/rand"
	"encoding/hex"
	"errors"

	"github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/protocol/curve"
	"github.com/sealwright/sealwright/protocol/internal/secret"
)

var (
	// ErrSecretKey tells that a secret key is not 32 bytes, not hexadecimal,
	// zero, or not below the group order.
	ErrSecretKey = errors.New("keys: invalid secret key")
	// ErrPublicKey tells that a public key is malformed or is not the
	// x-coordinate of a point of the curve.
	ErrPublicKey = errors.New("keys: invalid public key")
	// ErrDestroyed tells that a secret was wiped, or never set.
	ErrDestroyed = errors.New("keys: secret is zero or was wiped")
)

// PublicKey is an x-only public key: the 32-byte big-endian x-coordinate of
// the point with even y (BIP-340). A value may hold 32 bytes that are no
// x-coordinate; every operation that needs the point returns [ErrPublicKey]
// then. [ParsePublicKey] and [NewPublicKey] test it at once.
type PublicKey [32]byte

// ParsePublicKey parses 64 lower-case hexadecimal digits and tests that they
// name a point of the curve. The error is [ErrPublicKey].
func ParsePublicKey(s string) (PublicKey, error) {
	var pub PublicKey
	if err := pub.UnmarshalText([]byte(s)); err != nil {
		return PublicKey{}, err
	}
	return NewPublicKey(pub[:])
}

// NewPublicKey takes 32 bytes and tests that they name a point of the curve.
// The error is [ErrPublicKey].
func NewPublicKey(b []byte) (PublicKey, error) {
	var pub PublicKey
	if len(b) != len(pub) {
		return PublicKey{}, ErrPublicKey
	}
	copy(pub[:], b)
	var p secp256k1.Affine
	if err := pub.Lift(&p); err != nil {
		return PublicKey{}, err
	}
	return pub, nil
}

// Lift sets p to the point with even y (BIP-340, lift_x). Variable time: a
// public key is public. The error is [ErrPublicKey], and p is unspecified then.
func (pub PublicKey) Lift(p *secp256k1.Affine) error {
	if !curve.LiftX(p, (*[32]byte)(&pub)) {
		return ErrPublicKey
	}
	return nil
}

// String returns 64 lower-case hexadecimal digits.
func (pub PublicKey) String() string {
	var digits [64]byte
	hex.Encode(digits[:], pub[:])
	return string(digits[:])
}

// AppendText implements [encoding.TextAppender].
func (pub PublicKey) AppendText(b []byte) ([]byte, error) {
	return hex.AppendEncode(b, pub[:]), nil
}

// MarshalText implements [encoding.TextMarshaler].
func (pub PublicKey) MarshalText() ([]byte, error) { return pub.AppendText(nil) }

// UnmarshalText takes 64 lower-case hexadecimal digits. It checks the form
// alone: whether the bytes name a point is told by the operations that need
// one. The error is [ErrPublicKey].
func (pub *PublicKey) UnmarshalText(text []byte) error {
	var b PublicKey
	if !secret.DecodeHex(b[:], text, false) {
		return ErrPublicKey
	}
	*pub = b
	return nil
}

// SecretKey is a secret key with its public key: the scalar as given, the one
// of its two signs whose point has even y (BIP-340), and the x-coordinate are
// computed once. The zero value and a key after [SecretKey.Zero] hold none:
// every operation returns [ErrDestroyed].
//
// A SecretKey prints as <redacted> and has no ==. It may be used by several
// goroutines at once, but not beside Zero.
type SecretKey struct {
	secret.Redacted
	box secret.Box[pair]
}

type pair struct {
	d    secp256k1.Scalar // as given, in 1…n−1
	even secp256k1.Scalar // d or n−d: the one whose point has even y
	pub  PublicKey
	live bool
}

// ParseSecretKey parses 64 lower-case hexadecimal digits. The error is
// [ErrSecretKey].
func ParseSecretKey(s string) (*SecretKey, error) {
	var b [32]byte
	defer secret.Wipe(b[:])
	if !secret.DecodeHex(b[:], s, false) {
		return nil, ErrSecretKey
	}
	return NewSecretKey(b[:])
}

// NewSecretKey copies a 32-byte big-endian scalar in 1…n−1. The caller may
// wipe b. The error is [ErrSecretKey]. Constant time for every valid key.
func NewSecretKey(b []byte) (*SecretKey, error) {
	if len(b) != 32 {
		return nil, ErrSecretKey
	}
	sk, s := newSecretKey()
	if !s.d.SetBytes((*[32]byte)(b)) || s.d.IsZero() {
		s.d.Zero()
		return nil, ErrSecretKey
	}
	var p secp256k1.Affine
	curve.BaseMult(&p, &s.d)
	curve.EvenScalar(&s.even, &s.d, &p)
	p.X.PutBytes((*[32]byte)(&s.pub))
	s.live = true
	return sk, nil
}

// newSecretKey makes a key and its pair in one allocation.
func newSecretKey() (*SecretKey, *pair) {
	v := new(struct {
		sk SecretKey
		s  pair
	})
	v.sk.box = secret.NewBox(&v.s)
	return &v.sk, &v.s
}

// GenerateSecretKey makes a key from the system's generator.
func GenerateSecretKey() (*SecretKey, error) {
	var b [32]byte
	defer secret.Wipe(b[:])
	for {
		if _, err := rand.Read(b[:]); err != nil {
			return nil, err
		}
		// One draw in 2^128 is out of range.
		if sk, err := NewSecretKey(b[:]); err == nil {
			return sk, nil
		}
	}
}

func (sk *SecretKey) pair() (*pair, error) {
	if sk == nil {
		return nil, ErrDestroyed
	}
	s := sk.box.Get()
	if s == nil || !s.live {
		return nil, ErrDestroyed
	}
	return s, nil
}

// PublicKey returns the public key. It panics for a key that is zero or wiped.
func (sk *SecretKey) PublicKey() PublicKey {
	s, err := sk.pair()
	if err != nil {
		panic(err)
	}
	return s.pub
}

// Err returns [ErrDestroyed] for a key that is zero or wiped, nil otherwise.
func (sk *SecretKey) Err() error {
	_, err := sk.pair()
	return err
}

// Bytes returns the 32-byte big-endian scalar, for storing it. The result is
// the caller's to wipe. The error is [ErrDestroyed].
func (sk *SecretKey) Bytes() ([]byte, error) {
	s, err := sk.pair()
	if err != nil {
		return nil, err
	}
	b := make([]byte, 32)
	s.d.PutBytes((*[32]byte)(b))
	return b, nil
}

// Clone returns a copy with memory of its own. The error is [ErrDestroyed].
func (sk *SecretKey) Clone() (*SecretKey, error) {
	s, err := sk.pair()
	if err != nil {
		return nil, err
	}
	c, cs := newSecretKey()
	*cs = *s
	return c, nil
}

// Zero wipes the key. Copies of the SecretKey value are wiped with it; a
// [SecretKey.Clone] is not.
func (sk *SecretKey) Zero() {
	s, err := sk.pair()
	if err != nil {
		return
	}
	s.d.Zero()
	s.even.Zero()
	s.pub = PublicKey{}
	s.live = false
}

// CopyScalar sets d to the scalar as it was given, for ECDH. The copy is the
// caller's to wipe. It serves the packages of this module: the type of d
// carries no promise of compatibility. The error is [ErrDestroyed].
func (sk *SecretKey) CopyScalar(d *secp256k1.Scalar) error {
	s, err := sk.pair()
	if err != nil {
		return err
	}
	*d = s.d
	return nil
}

// CopyEvenScalar sets d to the scalar whose point has even y, for BIP-340; all
// else is as with [SecretKey.CopyScalar].
func (sk *SecretKey) CopyEvenScalar(d *secp256k1.Scalar) error {
	s, err := sk.pair()
	if err != nil {
		return err
	}
	*d = s.even
	return nil
}
