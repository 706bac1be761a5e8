package nip59

import (
	"context"
	"errors"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
)

// The causes of failure, besides those of packages nip44, event and keys. They
// arrive in a [*LayerError]. They carry no key, payload or plaintext; never
// send them to a peer all the same.
var (
	// ErrKind tells that an event is not of the kind its layer asks for.
	ErrKind = errors.New("nip59: wrong kind")
	// ErrWrapSignature tells that the id or the signature of a wrap is wrong.
	ErrWrapSignature = errors.New("nip59: wrap does not verify")
	// ErrSealSignature tells that the id or the signature of a seal is wrong,
	// or that a signer returned a seal that is not the one it was given.
	ErrSealSignature = errors.New("nip59: seal does not verify")
	// ErrInnerSignature tells that the id or the signature of the event in a wrap
	// of a single layer is wrong.
	ErrInnerSignature = errors.New("nip59: inner event does not verify")
	// ErrSealTags tells that a seal has tags other than expiration.
	ErrSealTags = errors.New("nip59: seal has tags")
	// ErrSenderMismatch tells that a rumor names another author than the key
	// that signed its seal.
	ErrSenderMismatch = errors.New("nip59: author of the rumor is not the signer of the seal")
	// ErrRumorID tells that a rumor carries an id that is not its hash.
	ErrRumorID = errors.New("nip59: id of the rumor is not its hash")
	// ErrNotForMe tells that a wrap names none of the keys at hand, or that
	// none of them opens it; another of the same person's keys may.
	ErrNotForMe = errors.New("nip59: not for this key")
	// ErrHook tells that BeforeSign changed what it must leave as it is.
	ErrHook = errors.New("nip59: BeforeSign changed kind, pubkey, content or p tag")
	// ErrExpiration tells that an expiration lies in the past.
	ErrExpiration = errors.New("nip59: negative expiration")
	// ErrSelfCopy tells that a self copy was asked of a call that returns one
	// event; WrapMany makes it.
	ErrSelfCopy = errors.New("nip59: a self copy needs WrapMany")
	// ErrNil tells that there is no event or no rumor to work on.
	ErrNil = errors.New("nip59: nil event")
)

// Layer names one of the events inside each other.
type Layer string

// The layers, from the outermost in.
const (
	LayerWrap  Layer = "wrap"
	LayerSeal  Layer = "seal"
	LayerRumor Layer = "rumor"
	// LayerInner is the event in a wrap of a single layer, see UnwrapUnsealed.
	LayerInner Layer = "inner"
)

// LayerError tells at which layer a wrap failed to be made or opened: the one
// whose event was being checked, read, encrypted or decrypted.
type LayerError struct {
	Layer Layer
	Err   error
}

func (e *LayerError) Error() string { return string(e.Layer) + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *LayerError) Unwrap() error { return e.Err }

// causes is an error that names a cause of this package and the one behind it.
type causes [2]error

func (c causes) Error() string   { return c[0].Error() + ": " + c[1].Error() }
func (c causes) Unwrap() []error { return c[:] }

// Class sorts the failures of Unwrap by what a host does about them.
type Class string

const (
	// ClassNotForMe: another key, or another answer of ResolveSealKey, may open
	// the wrap.
	ClassNotForMe Class = "not_for_me"
	// ClassTooLarge: a payload is over the limit that the options set; a larger
	// limit may open it.
	ClassTooLarge Class = "too_large"
	// ClassMalformed: an event or a payload is not what the standards say.
	ClassMalformed Class = "malformed"
	// ClassForged: an id or a signature is wrong, or somebody poses as another.
	ClassForged Class = "forged"
	// ClassSigner: the signer, or the context, failed. The wrap may be good.
	ClassSigner Class = "signer"
)

// Final reports whether the same wrap will fail for ever whatever the
// keys and options, so that it need not be kept.
func (c Class) Final() bool { return c == ClassMalformed || c == ClassForged }

// Classify returns the class of an error of [Unwrap], [UnwrapAll] or
// [UnwrapUnsealed]. What it
// does not know is a failure of the signer, which is not final.
func Classify(err error) Class {
	for _, c := range classes {
		for _, cause := range c.causes {
			if errors.Is(err, cause) {
				return c.class
			}
		}
	}
	var parse *event.ParseError
	var field *event.FieldError
	if errors.As(err, &parse) || errors.As(err, &field) {
		return ClassMalformed
	}
	return ClassSigner
}

// classes is in the order of the tests: an error that wraps two causes has the
// class that comes first.
var classes = []struct {
	class  Class
	causes []error
}{
	{ClassSigner, []error{context.Canceled, context.DeadlineExceeded}},
	{ClassNotForMe, []error{ErrNotForMe}},
	{ClassTooLarge, []error{nip44.ErrTooLarge}},
	{ClassForged, []error{ErrWrapSignature, ErrSealSignature, ErrInnerSignature, ErrSenderMismatch, ErrRumorID, event.ErrID, event.ErrSignature, event.ErrWrongKey}},
	{ClassMalformed, []error{
		ErrKind, ErrSealTags, ErrNil, keys.ErrPublicKey,
		nip44.ErrVersion, nip44.ErrEmpty, nip44.ErrTooShort, nip44.ErrBase64, nip44.ErrMAC, nip44.ErrPadding, nip44.ErrUTF8, nip44.ErrLegacyNIP04,
	}},
}
