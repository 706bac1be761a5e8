// Package secret holds what every type with secret bytes shares: it does not
// print, it does not compare, and its scratch is wiped.
package secret

import (
	"fmt"
	"io"
	"log/slog"
	"unsafe"
)

// Text is what a secret prints as, whatever the verb or encoding.
const Text = "<redacted>"

// Redacted is embedded in every secret type. Its methods have value receivers,
// so that they hold for values as well as for pointers, and its array of
// functions takes the == operator away from the type that embeds it.
//
// The type that embeds it keeps its bytes in one unexported [Box]: where fmt can
// call no method, because the secret is in an unexported field of a foreign
// struct, that is all it prints.
type Redacted struct{ _ [0]func() }

// Format implements [fmt.Formatter] for every verb and flag.
func (Redacted) Format(f fmt.State, _ rune) { io.WriteString(f, Text) }

// LogValue implements [slog.LogValuer].
func (Redacted) LogValue() slog.Value { return slog.StringValue(Text) }

// MarshalText implements [encoding.TextMarshaler].
func (Redacted) MarshalText() ([]byte, error) { return []byte(Text), nil }

// MarshalJSON implements [encoding/json.Marshaler].
func (Redacted) MarshalJSON() ([]byte, error) { return []byte(`"` + Text + `"`), nil }

// Box points to secret bytes. An ordinary pointer is not enough to hide them:
// under a verb that does not suit it, fmt follows one in an unexported field and
// prints what is there (%s gives %!s(*T=&{…})). A Box prints as an address.
type Box[T any] struct{ p unsafe.Pointer }

// NewBox returns a Box that points to v.
func NewBox[T any](v *T) Box[T] { return Box[T]{unsafe.Pointer(v)} }

// Get returns the pointer, which is nil in the zero Box.
func (b Box[T]) Get() *T { return (*T)(b.p) }

// Wipe overwrites b with zeros. The compiler does not see through the call, so
// it cannot drop the stores as dead.
//
//go:noinline
func Wipe(b []byte) { clear(b) }
