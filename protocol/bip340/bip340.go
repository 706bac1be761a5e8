// Package bip340 signs and verifies BIP-340 Schnorr signatures over secp256k1.
//
// A signature is 64 bytes: the x-coordinate of the nonce point, then the
// scalar s, both big-endian. Messages may have any length; Nostr signs the 32
// bytes of an event's id. Signing takes constant time in the secret key and in
// the nonce; verification takes public data and variable time.
package bip340

import (
	"crypto/rand"
	"errors"

	"github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/kernels/sha256"
	"github.com/sealwright/sealwright/protocol/curve"
	"github.com/sealwright/sealwright/protocol/internal/secret"
	"github.com/sealwright/sealwright/protocol/keys"
)

// ErrSignature tells that a signature does not verify: it is out of range,
// or another key, message or signature was meant.
var ErrSignature = errors.New("bip340: invalid signature")

// errNonce has probability 2^-256: the derived nonce is zero.
var errNonce = errors.New("bip340: derived nonce is zero")

// The tagged hash of BIP-340 begins with one constant block,
// SHA-256(tag) ‖ SHA-256(tag). These are the states behind it.
var (
	auxState       = sha256.State{0x24dd3219, 0x4eba7e70, 0xca0fabb9, 0x0fa3166d, 0x3afbe4b1, 0x4c44df97, 0x4aac2739, 0x249e850a}
	nonceState     = sha256.State{0x46615b35, 0xf4bfbff7, 0x9f8dc671, 0x83627ab3, 0x60217180, 0x57358661, 0x21a29e54, 0x68b07b4c}
	challengeState = sha256.State{0x9cecba11, 0x23925381, 0x11679112, 0xd1627e0f, 0x97c87550, 0x003cc765, 0x90f61164, 0x33e9b66a}
)

// Sign signs msg with 32 fresh random bytes as auxiliary data, and does not
// verify the result, as libsecp256k1 does not; [SignVerified] does. The error
// is [keys.ErrDestroyed], or that of the system's generator.
func Sign(sk *keys.SecretKey, msg []byte) ([64]byte, error) {
	var aux [32]byte
	if _, err := rand.Read(aux[:]); err != nil {
		return [64]byte{}, err
	}
	return sign(sk, msg, &aux)
}

// SignVerified is [Sign], and verifies the signature before it returns it: a
// guard against a processor that computes wrongly, for about the price of a
// verification.
func SignVerified(sk *keys.SecretKey, msg []byte) ([64]byte, error) {
	var aux [32]byte
	if _, err := rand.Read(aux[:]); err != nil {
		return [64]byte{}, err
	}
	return SignWithAux(sk, msg, aux)
}

// SignWithAux signs msg with the auxiliary data given, and verifies the
// signature before it returns it. Equal inputs give equal signatures; security
// does not rest on aux.
func SignWithAux(sk *keys.SecretKey, msg []byte, aux [32]byte) ([64]byte, error) {
	sig, err := sign(sk, msg, &aux)
	if err != nil {
		return [64]byte{}, err
	}
	if err := Verify(sk.PublicKey(), msg, sig); err != nil {
		return [64]byte{}, err
	}
	return sig, nil
}

// sign is "Default Signing" of BIP-340. d is already the scalar whose point
// has even y, and its public key is the one computed from it, never a
// caller's: a foreign one beside the same nonce would give d away.
func sign(sk *keys.SecretKey, msg []byte, aux *[32]byte) (sig [64]byte, err error) {
	var d, k, e secp256k1.Scalar
	var t, sum [32]byte
	var h sha256.Digest
	defer func() {
		d.Zero()
		k.Zero()
		secret.Wipe(t[:])
		secret.Wipe(sum[:])
		h.Zero()
	}()

	if err := sk.CopyEvenScalar(&d); err != nil {
		return sig, err
	}
	pub := sk.PublicKey()

	// t = bytes(d) XOR H_aux(aux)
	h.Init(&auxState, 1)
	h.Write(aux[:])
	h.Sum(&sum)
	d.PutBytes(&t)
	for i := range t {
		t[i] ^= sum[i]
	}

	// k' = H_nonce(t ‖ bytes(P) ‖ m) mod n
	h.Init(&nonceState, 1)
	h.Write(t[:])
	h.Write(pub[:])
	h.Write(msg)
	h.Sum(&sum)
	k.SetBytesReduced(&sum)
	if k.IsZero() {
		return sig, errNonce
	}

	// R = k'G, and k the sign of k' that gives R even y
	var r secp256k1.Affine
	curve.BaseMult(&r, &k)
	curve.EvenScalar(&k, &k, &r)
	r.X.PutBytes((*[32]byte)(sig[:32]))

	// s = k + e·d mod n
	challenge(&e, (*[32]byte)(sig[:32]), &pub, msg)
	secp256k1.ScalarMul(&e, &e, &d)
	secp256k1.ScalarAdd(&e, &e, &k)
	e.PutBytes((*[32]byte)(sig[32:]))
	return sig, nil
}

// challenge sets e = H_challenge(bytes(R) ‖ bytes(P) ‖ m) mod n.
func challenge(e *secp256k1.Scalar, r *[32]byte, pub *keys.PublicKey, msg []byte) {
	var h sha256.Digest
	var sum [32]byte
	h.Init(&challengeState, 1)
	h.Write(r[:])
	h.Write(pub[:])
	h.Write(msg)
	h.Sum(&sum)
	e.SetBytesReduced(&sum)
}

// Verify checks a signature of msg by pub ("Verification" of BIP-340). The
// error is [keys.ErrPublicKey] when pub is not on the curve and [ErrSignature]
// otherwise. Variable time.
func Verify(pub keys.PublicKey, msg []byte, sig [64]byte) error {
	var p secp256k1.Affine
	if err := pub.Lift(&p); err != nil {
		return err
	}
	var s, e secp256k1.Scalar
	if !equation(&s, &e, &pub, msg, &sig) || !curve.VerifyVartime(&s, &e, &p, (*[32]byte)(sig[:32])) {
		return ErrSignature
	}
	return nil
}

// equation sets s and e of R = sG − eP, and reports whether the signature's s is in
// range.
func equation(s, e *secp256k1.Scalar, pub *keys.PublicKey, msg []byte, sig *[64]byte) bool {
	challenge(e, (*[32]byte)(sig[:32]), pub, msg)
	return s.SetBytes((*[32]byte)(sig[32:]))
}

// A Verifier verifies many signatures by one public key, each for about two thirds
// the time that [Verify] takes. It is made for less than the price of one
// verification, takes 2 KB and holds no secret. Several goroutines may use it at
// once. The zero value and nil verify nothing; [NewVerifier] makes one.
type Verifier struct {
	pub       keys.PublicKey
	multiples curve.Multiples
}

// NewVerifier lifts the key. The error is [keys.ErrPublicKey] when it is not on the
// curve. Variable time.
func NewVerifier(pub keys.PublicKey) (*Verifier, error) {
	var p secp256k1.Affine
	if err := pub.Lift(&p); err != nil {
		return nil, err
	}
	v := &Verifier{pub: pub}
	v.multiples.InitVartime(&p)
	return v, nil
}

// PublicKey returns the key that the signatures must be by, which is zero for a Verifier
// that is zero or nil.
func (v *Verifier) PublicKey() keys.PublicKey {
	if v == nil {
		return keys.PublicKey{}
	}
	return v.pub
}

// Verify is the function [Verify] for the verifier's key. The error is [ErrSignature], and
// [keys.ErrPublicKey] for a Verifier that is zero or nil. Variable time.
func (v *Verifier) Verify(msg []byte, sig [64]byte) error {
	if v.PublicKey() == (keys.PublicKey{}) { // no key: there is no point with x = 0
		return keys.ErrPublicKey
	}
	var s, e secp256k1.Scalar
	if !equation(&s, &e, &v.pub, msg, &sig) || !v.multiples.VerifyVartime(&s, &e, (*[32]byte)(sig[:32])) {
		return ErrSignature
	}
	return nil
}
