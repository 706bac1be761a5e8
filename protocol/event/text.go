package event

import "encoding/hex"

// ID is the SHA-256 of an event's serialised form (NIP-01). Its text form is
// 64 lower-case hexadecimal digits.
type ID [32]byte

// Signature is a BIP-340 signature. Its text form is 128 lower-case
// hexadecimal digits.
type Signature [64]byte

// ParseID parses 64 lower-case hexadecimal digits. The error is [ErrHex].
func ParseID(s string) (ID, error) {
	var id ID
	err := id.UnmarshalText([]byte(s))
	return id, err
}

// String returns the text form.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// AppendText implements [encoding.TextAppender].
func (id ID) AppendText(b []byte) ([]byte, error) { return hex.AppendEncode(b, id[:]), nil }

// MarshalText implements [encoding.TextMarshaler].
func (id ID) MarshalText() ([]byte, error) { return id.AppendText(nil) }

// UnmarshalText takes 64 lower-case hexadecimal digits; id is unchanged
// otherwise, and the error is [ErrHex].
func (id *ID) UnmarshalText(text []byte) error {
	var b ID
	if !decodeHex(b[:], text) {
		return ErrHex
	}
	*id = b
	return nil
}

// String returns the text form.
func (sig Signature) String() string { return hex.EncodeToString(sig[:]) }

// AppendText implements [encoding.TextAppender].
func (sig Signature) AppendText(b []byte) ([]byte, error) { return hex.AppendEncode(b, sig[:]), nil }

// MarshalText implements [encoding.TextMarshaler].
func (sig Signature) MarshalText() ([]byte, error) { return sig.AppendText(nil) }

// UnmarshalText takes 128 lower-case hexadecimal digits; sig is unchanged
// otherwise, and the error is [ErrHex].
func (sig *Signature) UnmarshalText(text []byte) error {
	var b Signature
	if !decodeHex(b[:], text) {
		return ErrHex
	}
	*sig = b
	return nil
}

// digits holds 0x10 + value for the lower-case hexadecimal digits, 0 for every
// other byte.
var digits = [256]byte{
	'0': 0x10, '1': 0x11, '2': 0x12, '3': 0x13, '4': 0x14, '5': 0x15, '6': 0x16, '7': 0x17,
	'8': 0x18, '9': 0x19, 'a': 0x1a, 'b': 0x1b, 'c': 0x1c, 'd': 0x1d, 'e': 0x1e, 'f': 0x1f,
}

// decodeHex fills dst from exactly twice as many lower-case digits. dst is
// unspecified when it returns false. Variable time: ids, signatures and public
// keys are public.
func decodeHex(dst, src []byte) bool {
	if len(src) != 2*len(dst) {
		return false
	}
	valid := byte(0x10)
	for i := range dst {
		hi, lo := digits[src[2*i]], digits[src[2*i+1]]
		valid &= hi & lo
		dst[i] = hi<<4 | lo&0x0f
	}
	return valid != 0
}
