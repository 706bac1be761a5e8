//go:build cpeers

package cpeers

/*
#cgo pkg-config: libsecp256k1
#cgo noescape ecdh
#cgo nocallback ecdh
#cgo noescape public
#cgo nocallback public
#cgo noescape sign
#cgo nocallback sign
#cgo noescape verify
#cgo nocallback verify

#include <string.h>
#include <secp256k1.h>
#include <secp256k1_ecdh.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_schnorrsig.h>

static secp256k1_context *context(const unsigned char *seed) {
	secp256k1_context *c = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
	if (secp256k1_context_randomize(c, seed) != 1) return NULL;
	return c;
}

// unhashed is the callback of secp256k1_ecdh that returns the x-coordinate as it
// is, which NIP-44 asks for.
static int unhashed(unsigned char *out, const unsigned char *x, const unsigned char *y, void *data) {
	(void)y;
	(void)data;
	memcpy(out, x, 32);
	return 1;
}

static int ecdh(const secp256k1_context *c, unsigned char *x, const unsigned char *secret, const unsigned char *peer) {
	unsigned char compressed[33] = {2};
	secp256k1_pubkey pub;
	memcpy(compressed + 1, peer, 32);
	return secp256k1_ec_pubkey_parse(c, &pub, compressed, sizeof compressed) == 1 &&
		secp256k1_ecdh(c, x, &pub, secret, unhashed, NULL) == 1;
}

static int public(const secp256k1_context *c, secp256k1_pubkey *pub, const unsigned char *secret) {
	return secp256k1_ec_pubkey_create(c, pub, secret);
}

static int sign(const secp256k1_context *c, unsigned char *sig, const unsigned char *msg, const secp256k1_keypair *pair, const unsigned char *aux) {
	return secp256k1_schnorrsig_sign32(c, sig, msg, pair, aux);
}

static int verify(const secp256k1_context *c, const unsigned char *sig, const unsigned char *msg, const unsigned char *peer) {
	secp256k1_xonly_pubkey pub;
	return secp256k1_xonly_pubkey_parse(c, &pub, peer) == 1 &&
		secp256k1_schnorrsig_verify(c, sig, msg, 32, &pub) == 1;
}
*/
import "C"

import (
	"crypto/rand"
	"errors"
)

// Libsecp256k1 is a context of libsecp256k1, blinded with fresh randomness.
type Libsecp256k1 struct{ c *C.secp256k1_context }

// NewLibsecp256k1 makes a context, which lives as long as the process.
func NewLibsecp256k1() (Libsecp256k1, error) {
	var seed [32]byte
	rand.Read(seed[:])
	c := C.context(uchar(&seed[0]))
	if c == nil {
		return Libsecp256k1{}, errors.New("libsecp256k1: no context")
	}
	return Libsecp256k1{c}, nil
}

// ECDH sets x to the x-coordinate of secret times the point of even y whose
// x-coordinate is peer, and tells whether there is one.
func (l Libsecp256k1) ECDH(x, secret, peer *[32]byte) bool {
	return C.ecdh(l.c, uchar(&x[0]), uchar(&secret[0]), uchar(&peer[0])) == 1
}

// Public is a public key in the form of libsecp256k1: affine coordinates.
type Public struct{ key C.secp256k1_pubkey }

// Public sets pub to the public key of secret, and tells whether that is a key.
func (l Libsecp256k1) Public(pub *Public, secret *[32]byte) bool {
	return C.public(l.c, &pub.key, uchar(&secret[0])) == 1
}

// X returns the x-coordinate of a public key.
func (l Libsecp256k1) X(pub *Public) (x [32]byte) {
	var compressed [33]byte
	size := C.size_t(len(compressed))
	C.secp256k1_ec_pubkey_serialize(l.c, uchar(&compressed[0]), &size, &pub.key, C.SECP256K1_EC_COMPRESSED)
	copy(x[:], compressed[1:])
	return x
}

// KeyPair is a secret key with its public key.
type KeyPair struct{ pair C.secp256k1_keypair }

// KeyPair makes the pair of secret.
func (l Libsecp256k1) KeyPair(secret *[32]byte) (*KeyPair, error) {
	var k KeyPair
	if C.secp256k1_keypair_create(l.c, &k.pair, uchar(&secret[0])) != 1 {
		return nil, errors.New("libsecp256k1: not a secret key")
	}
	return &k, nil
}

// Sign signs msg (BIP-340) with aux as the auxiliary randomness.
func (l Libsecp256k1) Sign(sig *[64]byte, msg *[32]byte, k *KeyPair, aux *[32]byte) bool {
	return C.sign(l.c, uchar(&sig[0]), uchar(&msg[0]), &k.pair, uchar(&aux[0])) == 1
}

// Verify tells whether sig is a signature of msg (BIP-340) by peer.
func (l Libsecp256k1) Verify(sig *[64]byte, msg, peer *[32]byte) bool {
	return C.verify(l.c, uchar(&sig[0]), uchar(&msg[0]), uchar(&peer[0])) == 1
}

func uchar(p *byte) *C.uchar { return (*C.uchar)(p) }
