package nip44

import (
	"errors"
	"fmt"

	"github.com/sealwright/sealwright/protocol/keys"
)

// The causes of failure. They carry no key, payload or plaintext; never send
// them to a peer all the same.
var (
	// ErrVersion tells of a payload of another version; the error in hand is a
	// [*VersionError].
	ErrVersion = errors.New("nip44: encryption version not supported")
	// ErrTooShort tells that a payload is shorter than any payload; the error
	// in hand is a [*SizeError].
	ErrTooShort = errors.New("nip44: payload too short")
	// ErrTooLarge tells that a payload or a plaintext is over the limit; the
	// error in hand is a [*SizeError].
	ErrTooLarge = errors.New("nip44: too large")
	// ErrBase64 tells that a payload is not canonical base64 (RFC 4648 §4).
	ErrBase64 = errors.New("nip44: payload is not canonical base64")
	// ErrMAC tells that a payload was made with another key, or changed.
	ErrMAC = errors.New("nip44: message authentication code does not match")
	// ErrPadding tells that a payload has a length that padding never gives,
	// which is seen before any cryptography, or that an authenticated block is
	// not padded as NIP-44 says.
	ErrPadding = errors.New("nip44: invalid padding")
	// ErrEmpty tells that the plaintext is empty, which NIP-44 cannot encode.
	ErrEmpty = errors.New("nip44: empty plaintext")
	// ErrUTF8 tells that a plaintext handed to or from a string call is not
	// valid UTF-8; the byte calls take any bytes.
	ErrUTF8 = errors.New("nip44: plaintext is not valid UTF-8")
	// ErrLegacyNIP04 tells that the payload is in the format of NIP-04, which
	// has no authentication and is not read here.
	ErrLegacyNIP04 = errors.New("nip44: payload is in the legacy NIP-04 format")
	// ErrKey tells that a conversation key is not 32 bytes.
	ErrKey = errors.New("nip44: conversation key is not 32 bytes")
	// ErrDestroyed tells that a conversation key was wiped, or never set.
	ErrDestroyed = keys.ErrDestroyed
)

// VersionError is an [ErrVersion] with the version that the payload announces.
type VersionError struct {
	Version int // the first byte; -1 when the payload is empty or begins with '#'
}

func (e *VersionError) Error() string {
	if e.Version < 0 {
		return ErrVersion.Error()
	}
	return fmt.Sprintf("%v: %d", ErrVersion, e.Version)
}

// Is reports whether target is [ErrVersion].
func (e *VersionError) Is(target error) bool { return target == ErrVersion }

// SizeError is an [ErrTooLarge] or an [ErrTooShort]: a size and the limit that
// it breaks. The unit is bytes of plaintext when encrypting; when decrypting it
// is characters of payload for one too large, decoded bytes for one too short,
// and bytes of plaintext for one that only authentication could measure.
type SizeError struct {
	Size  uint64
	Limit uint64
}

func (e *SizeError) cause() error {
	if e.Size > e.Limit {
		return ErrTooLarge
	}
	return ErrTooShort
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%v: %d, limit %d", e.cause(), e.Size, e.Limit)
}

// Is reports whether target is [ErrTooLarge] or [ErrTooShort], whichever the
// error is.
func (e *SizeError) Is(target error) bool { return target == e.cause() }
