package event

import (
	"errors"
	"strconv"

	"github.com/sealwright/sealwright/protocol/bip340"
)

// The causes for which an event is refused. [ParseError] and [FieldError] wrap
// them; none carries anything of the event's content.
var (
	// ErrSyntax tells that the text is not one JSON value: cut short, a raw
	// control character in a string, data after the end.
	ErrSyntax = errors.New("event: not valid JSON")
	// ErrUTF8 tells of bytes that are not UTF-8, or of the escape of half a
	// surrogate pair.
	ErrUTF8 = errors.New("event: not valid UTF-8")
	// ErrNesting tells of more than 32 arrays and objects inside each other.
	ErrNesting = errors.New("event: nested too deeply")
	// ErrDuplicateKey tells that a field occurs twice.
	ErrDuplicateKey = errors.New("event: duplicate key")
	// ErrKeyCase tells of a key that is a field's but for the case of its
	// letters. Readers that ignore case would take it for the field.
	ErrKeyCase = errors.New("event: key in wrong case")
	// ErrMissingKey tells that a field is not there.
	ErrMissingKey = errors.New("event: missing key")
	// ErrType tells of a value of another JSON type than the field's, such as
	// an object for the content or a number in a tag.
	ErrType = errors.New("event: wrong JSON type")
	// ErrHex tells that an id, public key or signature is not lower-case
	// hexadecimal of its exact length.
	ErrHex = errors.New("event: not lower-case hexadecimal of the right length")
	// ErrCreatedAt tells that created_at is no plain integer in 0…MaxCreatedAt.
	ErrCreatedAt = errors.New("event: created_at is not an integer in 0..2^53-1")
	// ErrKind tells that the kind is no plain integer in 0…MaxKind.
	ErrKind = errors.New("event: kind is not an integer in 0..65535")
	// ErrEmptyTag tells of a tag without a string.
	ErrEmptyTag = errors.New("event: empty tag")

	// ErrID tells that the id is not the hash of the event.
	ErrID = errors.New("event: id is not the hash of the event")
	// ErrSignature tells that the signature does not verify. It is
	// [bip340.ErrSignature].
	ErrSignature = bip340.ErrSignature
	// ErrWrongKey tells that an event was to be signed, or verified by a
	// [bip340.Verifier], that names another author.
	ErrWrongKey = errors.New("event: public key is not the signer's")
	// ErrNil tells of a nil *Event.
	ErrNil = errors.New("event: nil event")
)

// ParseError says where a text was refused and why. It is for the local
// caller; a peer has no use for it.
type ParseError struct {
	Offset int    // in bytes from the start of the text
	Field  string // the event's field by its JSON key, or "" outside of all seven
	Err    error  // one of the causes above
}

// Error names cause, field and place.
func (e *ParseError) Error() string {
	return describe(e.Err, e.Field, "byte", e.Offset)
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Err }

// FieldError says which field of an [Event] is not valid and why.
type FieldError struct {
	Field string // by its JSON key
	Tag   int    // index of the tag, or -1 where the field is not tags
	Err   error  // one of the causes above
}

// Error names cause, field and tag.
func (e *FieldError) Error() string {
	if e.Tag < 0 {
		return describe(e.Err, e.Field, "", 0)
	}
	return describe(e.Err, e.Field, "tag", e.Tag)
}

// Unwrap returns the cause.
func (e *FieldError) Unwrap() error { return e.Err }

func describe(cause error, field, unit string, n int) string {
	place := field
	if unit != "" {
		if place != "" {
			place += ", "
		}
		place += unit + " " + strconv.Itoa(n)
	}
	return cause.Error() + " (" + place + ")"
}
