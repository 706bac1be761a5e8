package gonostr

import (
	"context"
	"errors"

	"github.com/sealwright/sealwright/protocol/nip44"
)

var (
	// ErrAnswer tells that a keyer reported success, but gave what it was not
	// asked for: a public key that is none, an event changed or not verifying,
	// a text that is no payload of the plaintext, or a plaintext that the
	// payload cannot hold.
	ErrAnswer = errors.New("gonostr: keyer returned what it was not asked for")
	// ErrNilKeyer tells that an adapter was made of no keyer.
	ErrNilKeyer = errors.New("gonostr: nil keyer")
)

// Op names the call in which a keyer failed.
type Op string

// The four calls of a keyer.
const (
	OpGetPublicKey Op = "GetPublicKey"
	OpSignEvent    Op = "SignEvent"
	OpEncrypt      Op = "Encrypt"
	OpDecrypt      Op = "Decrypt"
)

// KeyerError tells that a go-nostr keyer failed, for all that is known: neither
// key nor payload is to blame, and the same call may succeed later. Its class
// (nip59.Classify) is always ClassSigner.
type KeyerError struct {
	Op    Op
	cause error
}

// Error names the call, and what this package or the context has to say. It
// leaves out what the keyer said: go-nostr's texts may quote keys.
func (e *KeyerError) Error() string {
	s := "gonostr: keyer failed in " + string(e.Op)
	switch e.cause {
	case ErrAnswer, ErrNilKeyer, context.Canceled, context.DeadlineExceeded:
		s += ": " + e.cause.Error()
	}
	return s
}

// GoString keeps %#v from printing the cause.
func (e *KeyerError) GoString() string { return e.Error() }

// Unwrap returns the keyer's own error, [ErrAnswer], [ErrNilKeyer] or the
// context's error. Its text may hold anything, keys included; look at it with
// errors.Is and errors.As. It is nil for a [keyer.KeySigner], whose errors tell
// nothing more and may quote the secret key, and for a cause that would change
// the error's class.
func (e *KeyerError) Unwrap() error { return e.cause }

// dataErrors are what a keyer may find wrong with a payload or a plaintext. All
// else that package nip44 checks was checked before the keyer was asked, and so
// was the peer's key: a keyer that complains of that is at fault itself.
var dataErrors = []error{nip44.ErrMAC, nip44.ErrPadding, nip44.ErrTooLarge, nip44.ErrUTF8}

func isDataError(err error) bool {
	for _, cause := range dataErrors {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}
