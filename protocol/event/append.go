package event

import (
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/sealwright/sealwright/protocol/internal/view"
)

// AppendJSON appends the event as compact JSON in the order of NIP-01: id,
// pubkey, created_at, kind, tags, content, sig. Strings are escaped as in the
// preimage of the id, so that nothing but quote, backslash and the control
// characters is. An event that [Event.Validate] refuses is written as it is,
// and [Parse] refuses the text.
func (e *Event) AppendJSON(dst []byte) []byte {
	const sigSize = len(`,"sig":""`) + 2*len(e.Sig)
	dst = e.appendUnsigned(slices.Grow(dst, e.unsignedSize()+sigSize))
	dst = append(dst, `,"sig":"`...)
	dst = hex.AppendEncode(dst, e.Sig[:])
	return append(dst, '"', '}')
}

// AppendUnsignedJSON appends the event as [Event.AppendJSON] does, without the
// signature: the form of rumors (NIP-59).
func (e *Event) AppendUnsignedJSON(dst []byte) []byte {
	return append(e.appendUnsigned(slices.Grow(dst, e.unsignedSize())), '}')
}

// MarshalJSON returns what [Event.AppendJSON] appends. The error is that of
// [Event.Validate].
func (e Event) MarshalJSON() ([]byte, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	return e.AppendJSON(nil), nil
}

// UnmarshalJSON is [Parse]; e is unchanged on an error. It refuses null, as
// Parse does.
func (e *Event) UnmarshalJSON(json []byte) error {
	parsed, err := Parse(json)
	if err != nil {
		return err
	}
	*e = *parsed
	return nil
}

// unsignedSize is the size of the JSON without a signature, when no string
// needs an escape.
func (e *Event) unsignedSize() int {
	var number [20]byte
	n := len(`{"id":"","pubkey":"","created_at":,"kind":,"tags":[],"content":""}`) + 2*len(e.ID) + 2*len(e.PubKey) +
		len(strconv.AppendInt(number[:0], e.CreatedAt, 10)) + len(strconv.AppendInt(number[:0], int64(e.Kind), 10)) +
		max(0, len(e.Tags)-1) + len(e.Content)
	for _, tag := range e.Tags {
		n += len(`[]`) + max(0, len(tag)-1)
		for _, s := range tag {
			n += len(`""`) + len(s)
		}
	}
	return n
}

// appendUnsigned stops before what follows the content.
func (e *Event) appendUnsigned(dst []byte) []byte {
	dst = append(dst, `{"id":"`...)
	dst = hex.AppendEncode(dst, e.ID[:])
	dst = append(dst, `","pubkey":"`...)
	dst = hex.AppendEncode(dst, e.PubKey[:])
	dst = append(dst, `","created_at":`...)
	dst = strconv.AppendInt(dst, e.CreatedAt, 10)
	dst = append(dst, `,"kind":`...)
	dst = strconv.AppendInt(dst, int64(e.Kind), 10)
	dst = append(dst, `,"tags":[`...)
	for i, tag := range e.Tags {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		for j, s := range tag {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, s)
		}
		dst = append(dst, ']')
	}
	dst = append(dst, `],"content":`...)
	return appendString(dst, e.Content)
}

// appendString appends s as a JSON string.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		n, _ := plainLen(view.Bytes(s))
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, s[n])
		s = s[n+1:]
	}
}

// appendEscape appends the escape of a byte that ends a plain run: the seven
// that NIP-01 names, and \u00xx with lower-case digits for the other control
// characters, as most implementations have it.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}
