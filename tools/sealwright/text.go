package main

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// How much of a message text mode shows.
const (
	textLines = 4
	textRunes = 280
)

// appendMessageText writes a message for people.
func appendMessageText(dst []byte, ln *line, m *nip59.Message) []byte {
	r := m.Rumor
	when := "time " + fmt.Sprint(r.CreatedAt)
	if r.CreatedAt < 253402300800 { // year 10000
		when = time.Unix(r.CreatedAt, 0).UTC().Format("2006-01-02 15:04:05Z")
	}
	dst = fmt.Appendf(dst, "%5d  %s  from %s", ln.number, when, shortKey(m.Sender))
	if r.Kind != 14 {
		dst = fmt.Appendf(dst, "  kind %d", r.Kind)
	}
	text, whole := abridge(r.Content)
	text = strings.TrimRight(text, " \n")
	for part := range strings.SplitSeq(text, "\n") {
		dst = fmt.Appendf(dst, "\n       %s", part)
	}
	if !whole {
		dst = fmt.Appendf(dst, "… (%d bytes in all)", len(r.Content))
	}
	return append(dst, '\n')
}

// appendRefusalText writes an error for people.
func appendRefusalText(dst []byte, e *lineError) []byte {
	return fmt.Appendf(dst, "%5d  REFUSED  %s, %s: %s\n", e.Line, strings.ReplaceAll(e.Class, "_", " "), e.Layer, e.Message)
}

// shortKey shows as much of an npub as tells people apart.
func shortKey(p keys.PublicKey) string {
	s := npub(p)
	return s[:15] + "…" + s[len(s)-6:]
}

// abridge returns the beginning of a message, fit for a terminal, and whether
// it is the whole.
func abridge(s string) (text string, whole bool) {
	var b strings.Builder
	lines, runes := 1, 0
	for i, r := range s {
		if r == '\n' || r == '\u2028' || r == '\u2029' {
			if lines++; lines > textLines {
				return b.String(), strings.TrimSpace(s[i:]) == ""
			}
			b.WriteByte('\n')
			continue
		}
		if runes++; runes > textRunes {
			return b.String(), false
		}
		if r == '\t' {
			r = ' '
		} else if !printable(r) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
	}
	return b.String(), true
}

// printable tells whether a character of a stranger's text may go to a
// terminal. Controls could drive it, and the embeddings, overrides and
// isolates of bidirectional text could reorder what stands around the message.
func printable(r rune) bool {
	switch {
	case unicode.IsControl(r), r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069':
		return false
	}
	return true
}
