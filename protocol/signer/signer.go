// Package signer holds the small interfaces behind which a key may live
// anywhere: in this process (package identity), in a browser extension, in a
// remote signer (NIP-46), in hardware. nip59 and nip17 know keys only through
// them.
//
// An implementation may be called from several goroutines at once. It should
// return when its context ends, and it must tell failures of its own
// (connection, permission) from those of the data: the errors of packages
// nip44 and keys, wrapped or bare, mean that the payload or the key is at
// fault; every other error means that the signer failed and that the same call
// may succeed later. No error may carry a key, a payload or a plaintext.
package signer

import (
	"context"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
)

// Signer signs events with one identity key.
type Signer interface {
	// GetPublicKey returns the public key that SignEvent signs for.
	GetPublicKey(ctx context.Context) (keys.PublicKey, error)
	// SignEvent sets PubKey, ID and Sig of e and changes nothing else.
	SignEvent(ctx context.Context, e *event.Event) error
}

// Cipher encrypts and decrypts NIP-44 payloads with one key.
type Cipher interface {
	// GetPublicKey returns the public key that peers encrypt to.
	GetPublicKey(ctx context.Context) (keys.PublicKey, error)
	// Encrypt returns the payload of plaintext for a peer. It keeps neither
	// slice and changes neither.
	Encrypt(ctx context.Context, plaintext []byte, to keys.PublicKey) (payload []byte, err error)
	// Decrypt authenticates and decrypts a payload from a peer. The plaintext
	// is the caller's, who may wipe it.
	Decrypt(ctx context.Context, payload []byte, from keys.PublicKey) (plaintext []byte, err error)
}

// Keyer is both: what sending a gift wrap takes.
type Keyer interface {
	Signer
	Cipher
}

// BatchCipher is an optional addition to [Cipher], found by type assertion,
// for implementations that do many messages better together: one round trip,
// or all processors. Results are in the order of the items, one for each.
type BatchCipher interface {
	EncryptAll(ctx context.Context, items []Sealed) []Opened
	DecryptAll(ctx context.Context, items []Sealed) []Opened
}

// Sealed is one item of a batch: the data to encrypt or decrypt, and the peer.
type Sealed struct {
	Peer keys.PublicKey
	Data []byte
}

// Opened is the result for one item: Data is valid when Err is nil.
type Opened struct {
	Data []byte
	Err  error
}
