package reference

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/go-json-experiment/json/jsontext"
)

// Event is an event of NIP-01, or one without a signature.
type Event struct {
	ID, PubKey [32]byte
	CreatedAt  int64
	Kind       int
	Tags       [][]string
	Content    string
	Sig        [64]byte
	// Has holds the fields that were there. An id or a sig of null or "" of an
	// unsigned event was not.
	Has map[string]bool
}

var fieldNames = []string{"id", "pubkey", "created_at", "kind", "tags", "content", "sig"}

// ParseEvent reads an event under the documented rules: JSON of RFC 8259 in
// UTF-8 without lone surrogates, at most 32 arrays and objects deep, with
// nothing behind it; the seven keys once each and spelt exactly, others
// skipped; numbers of plain decimal digits, created_at up to 2^53 - 1 and kind
// up to 65535; lower-case hexadecimal; tags of one string or more. With
// unsigned, only kind and content must be there, and an id or a sig may be null
// or "". It returns nil for a text to be refused.
func ParseEvent(text []byte, unsigned bool) *Event {
	// Names of unknown keys may repeat, so the seven are watched here.
	dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	token, err := dec.ReadToken()
	if err != nil || token.Kind() != '{' {
		return nil
	}
	e := &Event{Has: map[string]bool{}}
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return nil
		}
		if token.Kind() == '}' {
			break
		}
		name := token.String()
		if !slices.Contains(fieldNames, name) {
			if slices.ContainsFunc(fieldNames, func(f string) bool { return strings.EqualFold(f, name) }) || !skip(dec) {
				return nil
			}
			continue
		}
		if _, twice := e.Has[name]; twice {
			return nil
		}
		e.Has[name] = true
		if !e.read(dec, name, unsigned) {
			return nil
		}
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return nil
	}
	required := fieldNames
	if unsigned {
		required = []string{"kind", "content"}
	}
	for _, name := range required {
		if !e.Has[name] {
			return nil
		}
	}
	return e
}

// skip reads a value of any kind.
func skip(dec *jsontext.Decoder) bool {
	open := dec.StackDepth()
	for {
		if _, err := dec.ReadToken(); err != nil || dec.StackDepth() > 32 {
			return false
		}
		if dec.StackDepth() == open {
			return true
		}
	}
}

// read reads the value of a field.
func (e *Event) read(dec *jsontext.Decoder, name string, unsigned bool) bool {
	switch name {
	case "tags":
		return e.readTags(dec)
	case "kind":
		n, ok := readInteger(dec, 65535)
		e.Kind = int(n)
		return ok
	case "created_at":
		n, ok := readInteger(dec, 1<<53-1)
		e.CreatedAt = n
		return ok
	}
	token, err := dec.ReadToken()
	if err != nil {
		return false
	}
	mayBeBlank := unsigned && (name == "id" || name == "sig")
	if mayBeBlank && (token.Kind() == 'n' || token.Kind() == '"' && token.String() == "") {
		e.Has[name] = false
		return true
	}
	if token.Kind() != '"' {
		return false
	}
	s := token.String()
	switch name {
	case "id":
		return decodeHex(e.ID[:], s)
	case "pubkey":
		return decodeHex(e.PubKey[:], s)
	case "sig":
		return decodeHex(e.Sig[:], s)
	}
	e.Content = s
	return true
}

func (e *Event) readTags(dec *jsontext.Decoder) bool {
	token, err := dec.ReadToken()
	if err != nil || token.Kind() != '[' {
		return false
	}
	e.Tags = [][]string{}
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return false
		}
		if token.Kind() == ']' {
			return true
		}
		if token.Kind() != '[' {
			return false
		}
		var tag []string
		for {
			token, err := dec.ReadToken()
			if err != nil {
				return false
			}
			if token.Kind() == ']' {
				break
			}
			if token.Kind() != '"' {
				return false
			}
			tag = append(tag, token.String())
		}
		if len(tag) == 0 {
			return false
		}
		e.Tags = append(e.Tags, tag)
	}
}

func readInteger(dec *jsontext.Decoder, most int64) (int64, bool) {
	token, err := dec.ReadToken()
	if err != nil || token.Kind() != '0' {
		return 0, false
	}
	text := token.String()
	if strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n <= most
}

func decodeHex(dst []byte, s string) bool {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(dst) || s != strings.ToLower(s) {
		return false
	}
	copy(dst, b)
	return true
}

// escapes are those that NIP-01 names.
var escapes = map[rune]string{'\n': `\n`, '"': `\"`, '\\': `\\`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}

// quoted writes a string as NIP-01 says. The other control characters, which it
// leaves open, are \u00xx in lower case, as most write them.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch e, named := escapes[c]; {
		case named:
			b.WriteString(e)
		case c < 0x20:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func quotedTags(tags [][]string) string {
	list := make([]string, len(tags))
	for i, tag := range tags {
		items := make([]string, len(tag))
		for j, s := range tag {
			items[j] = quoted(s)
		}
		list[i] = "[" + strings.Join(items, ",") + "]"
	}
	return "[" + strings.Join(list, ",") + "]"
}

// ComputeID is the id that NIP-01 gives an event.
func (e *Event) ComputeID() [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, `[0,"%x",%d,%d,%s,%s]`, e.PubKey, e.CreatedAt, e.Kind, quotedTags(e.Tags), quoted(e.Content)))
}

// JSON writes the fields that Has names, in the order of NIP-01.
func (e *Event) JSON() string {
	var members []string
	for _, name := range fieldNames {
		if !e.Has[name] {
			continue
		}
		var value string
		switch name {
		case "id":
			value = fmt.Sprintf(`"%x"`, e.ID)
		case "pubkey":
			value = fmt.Sprintf(`"%x"`, e.PubKey)
		case "created_at":
			value = strconv.FormatInt(e.CreatedAt, 10)
		case "kind":
			value = strconv.Itoa(e.Kind)
		case "tags":
			value = quotedTags(e.Tags)
		case "content":
			value = quoted(e.Content)
		case "sig":
			value = fmt.Sprintf(`"%x"`, e.Sig)
		}
		members = append(members, quoted(name)+":"+value)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// Verify tells whether the id is the hash of the event and the signature
// verifies, by btcec.
func (e *Event) Verify() bool {
	if e.ID != e.ComputeID() {
		return false
	}
	pub, err := schnorr.ParsePubKey(e.PubKey[:])
	if err != nil {
		return false
	}
	sig, err := schnorr.ParseSignature(e.Sig[:])
	return err == nil && sig.Verify(e.ID[:], pub)
}
