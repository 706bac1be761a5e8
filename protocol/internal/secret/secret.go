// Package secret holds what every type with secret bytes shares: it does not
// print, it does not compare, and its scratch is wiped.
package secret

import (
	"fmt"
	"io"
	"log/slog"
)

// Text is what a secret prints as, whatever the verb or encoding.
const Text = "<redacted>"

// Redacted is embedded in every secret type. Its methods have value receivers,
// so that they hold for values as well as for pointers, and its array of
// functions takes the == operator away from the type that embeds it.
//
// The type that embeds it keeps its bytes behind one unexported pointer, which
// is all that reflection can print where it cannot call a method.
type Redacted struct{ _ [0]func() }

// Format implements [fmt.Formatter] for every verb and flag.
func (Redacted) Format(f fmt.State, _ rune) { io.WriteString(f, Text) }

// LogValue implements [slog.LogValuer].
func (Redacted) LogValue() slog.Value { return slog.StringValue(Text) }

// MarshalText implements [encoding.TextMarshaler].
func (Redacted) MarshalText() ([]byte, error) { return []byte(Text), nil }

// MarshalJSON implements [encoding/json.Marshaler].
func (Redacted) MarshalJSON() ([]byte, error) { return []byte(`"` + Text + `"`), nil }

// Wipe overwrites b with zeros. The compiler does not see through the call, so
// it cannot drop the stores as dead.
//
//go:noinline
func Wipe(b []byte) { clear(b) }
