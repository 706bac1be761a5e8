// Package event holds Nostr events (NIP-01): their JSON, their id and their
// signature.
//
// [Parse] reads an event and [Event.AppendJSON] writes one. The codec is strict
// where other readers differ, since two readers who disagree on an event
// disagree on its id: keys are matched exactly, a field may occur once, numbers are plain
// decimal integers, hexadecimal is lower case, strings are valid UTF-8, and
// nothing follows the closing brace. [ParseUnsigned] and
// [Event.AppendUnsignedJSON] do the same for what bears no signature.
//
// An id is computed, never trusted: [Event.Verify] hashes the event again
// before it looks at the signature. Parsing checks form only, so an event from
// elsewhere is worth nothing before Verify.
//
// Events are public data; all but the use of the secret key in [Event.Sign]
// takes variable time. Functions may be called from several goroutines as long
// as nobody changes the event meanwhile.
package event

import (
	"unicode/utf8"

	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/keys"
)

// The bounds of the two numbers of an event. NIP-01 bounds the kind; the bound
// of the time is the largest integer that every JSON reader keeps exactly.
const (
	MaxKind      = 65535
	MaxCreatedAt = 1<<53 - 1
)

// Kinds that this module has to know.
const (
	KindTextNote          = 1     // NIP-01
	KindSeal              = 13    // NIP-59
	KindGiftWrap          = 1059  // NIP-59, stored by relays
	KindEphemeralGiftWrap = 21059 // NIP-59, not stored
)

// Event is a Nostr event. The zero value is an unsigned event of kind 0.
type Event struct {
	ID        ID
	PubKey    keys.PublicKey
	CreatedAt int64 // Unix seconds, 0…MaxCreatedAt
	Kind      int   // 0…MaxKind
	Tags      Tags
	Content   string // UTF-8
	Sig       Signature
}

// Validate tells whether the event can be written, hashed and read back by
// everybody: kind and time in range, at least one string in each tag, all
// strings valid UTF-8. It looks at neither id, public key nor signature.
// [Event.Verify] and [Event.Sign] call it. The error is a [*FieldError] that
// wraps [ErrKind], [ErrCreatedAt], [ErrEmptyTag] or [ErrUTF8].
func (e *Event) Validate() error {
	switch {
	case e == nil:
		return ErrNil
	case e.Kind < 0 || e.Kind > MaxKind:
		return &FieldError{Field: nameKind, Tag: -1, Err: ErrKind}
	case e.CreatedAt < 0 || e.CreatedAt > MaxCreatedAt:
		return &FieldError{Field: nameCreatedAt, Tag: -1, Err: ErrCreatedAt}
	case !utf8.ValidString(e.Content):
		return &FieldError{Field: nameContent, Tag: -1, Err: ErrUTF8}
	}
	for i, tag := range e.Tags {
		if len(tag) == 0 {
			return &FieldError{Field: nameTags, Tag: i, Err: ErrEmptyTag}
		}
		for _, s := range tag {
			if !utf8.ValidString(s) {
				return &FieldError{Field: nameTags, Tag: i, Err: ErrUTF8}
			}
		}
	}
	return nil
}

// Verify tells whether the event is what its author signed: it validates the
// event, computes the id anew and compares it, lifts the public key and checks
// the BIP-340 signature over the 32 bytes of the id. The errors are those of
// [Event.Validate], [ErrID], [keys.ErrPublicKey] and [ErrSignature], in this
// order: what is cheap to refuse never reaches the curve. Variable time.
func (e *Event) Verify() error {
	if err := e.verifyID(); err != nil {
		return err
	}
	return bip340.Verify(e.PubKey, e.ID[:], e.Sig)
}

// VerifyBy is [Event.Verify] for the author whose key v holds, in about two thirds of the time.
// The errors are those of Verify, and [ErrWrongKey] when PubKey is another's.
func (e *Event) VerifyBy(v *bip340.Verifier) error {
	if err := e.verifyID(); err != nil {
		return err
	}
	if e.PubKey != v.PublicKey() {
		return ErrWrongKey
	}
	return v.Verify(e.ID[:], e.Sig)
}

// verifyID validates the event and compares its id.
func (e *Event) verifyID() error {
	if err := e.Validate(); err != nil {
		return err
	}
	if e.ComputeID() != e.ID {
		return ErrID
	}
	return nil
}

// Sign sets ID and Sig, and PubKey when that is zero. On an error the event is
// as it was. The errors are those of [Event.Validate], [ErrWrongKey] when
// PubKey is another's, and those of [bip340.Sign]; the signature is not
// verified again. Constant time in the secret key.
func (e *Event) Sign(sk *keys.SecretKey) error {
	if err := e.Validate(); err != nil {
		return err
	}
	if err := sk.Err(); err != nil {
		return err
	}
	signed := *e
	signed.PubKey = sk.PublicKey()
	if e.PubKey != signed.PubKey && e.PubKey != (keys.PublicKey{}) {
		return ErrWrongKey
	}
	signed.ID = signed.ComputeID()
	sig, err := bip340.Sign(sk, signed.ID[:])
	if err != nil {
		return err
	}
	signed.Sig = sig
	*e = signed
	return nil
}
