package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
)

// maxNIP19 is how long a NIP-19 string may be (NIP-19, since 2026).
const maxNIP19 = 5000

// maxTLV is how many bytes the value of a record may have: its length is one
// byte.
const maxTLV = 255

// Types of the TLV records of NIP-19.
const (
	tlvSpecial = 0
	tlvRelay   = 1
	tlvAuthor  = 2
	tlvKind    = 3
)

var (
	errSecret   = errors.New("this is a secret key (nsec); it is read by --key-file, --key-env and --key-fd alone")
	errTooLong  = errors.New("more than 5000 characters")
	errTLV      = errors.New("not a valid NIP-19 record")
	errTLVKey   = errors.New("names a public key that is none")
	errTLVKind  = errors.New("names a kind that is none: want 0 to 65535")
	errTLVUnset = errors.New("a field that must be there is missing")
)

// An entity is what a NIP-19 string names, as decode prints it.
type entity struct {
	Type       string          `json:"type"`
	PubKey     *keys.PublicKey `json:"pubkey,omitempty"`
	ID         *event.ID       `json:"id,omitempty"`
	Identifier *string         `json:"identifier,omitempty"`
	Author     *keys.PublicKey `json:"author,omitempty"`
	Kind       *uint32         `json:"kind,omitempty"`
	Relays     []string        `json:"relays,omitempty"`
}

// decodeEntity reads any NIP-19 string but nsec.
func decodeEntity(s string) (*entity, error) {
	if len(s) > maxNIP19 {
		return nil, errTooLong
	}
	prefix, data, err := decodeBech32(s)
	if err != nil {
		return nil, err
	}
	e := &entity{Type: prefix}
	switch prefix {
	case "nsec":
		clear(data)
		return nil, errSecret
	case "npub", "note":
		if len(data) != 32 {
			return nil, errNIP19
		}
		return e, e.setSpecial(data)
	case "nprofile", "nevent", "naddr":
		return e, e.parseTLV(data)
	}
	return nil, errNIP19
}

// setSpecial sets what the string is about.
func (e *entity) setSpecial(v []byte) error {
	if e.Type == "naddr" {
		if !utf8.Valid(v) {
			return errTLV
		}
		s := string(v)
		e.Identifier = &s
		return nil
	}
	if len(v) != 32 {
		return errTLV
	}
	if e.Type == "note" || e.Type == "nevent" {
		id := event.ID(v)
		e.ID = &id
		return nil
	}
	return setKey(&e.PubKey, v)
}

func setKey(dst **keys.PublicKey, v []byte) error {
	pub, err := keys.NewPublicKey(v)
	if err != nil {
		return errTLVKey
	}
	*dst = &pub
	return nil
}

// parseTLV reads the records. Those of unknown types are skipped, as NIP-19
// says, and so are author and kind where they mean nothing, in an nprofile; what
// occurs once only may not be repeated.
func (e *entity) parseTLV(data []byte) error {
	var seen [4]bool
	for len(data) > 0 {
		if len(data) < 2 || len(data)-2 < int(data[1]) {
			return errTLV
		}
		kind, v := data[0], data[2:2+int(data[1])]
		data = data[2+len(v):]
		if kind > tlvKind || kind > tlvRelay && e.Type == "nprofile" {
			continue
		}
		if seen[kind] && kind != tlvRelay {
			return errTLV
		}
		seen[kind] = true
		var err error
		switch kind {
		case tlvSpecial:
			err = e.setSpecial(v)
		case tlvRelay:
			if !isASCII(string(v)) {
				return errTLV
			}
			e.Relays = append(e.Relays, string(v))
		case tlvAuthor:
			err = setKey(&e.Author, v)
		case tlvKind:
			if len(v) != 4 {
				return errTLV
			}
			n := binary.BigEndian.Uint32(v)
			if n > event.MaxKind {
				return errTLVKind
			}
			e.Kind = &n
		}
		if err != nil {
			return err
		}
	}
	if !seen[tlvSpecial] || e.Type == "naddr" && !(seen[tlvAuthor] && seen[tlvKind]) {
		return errTLVUnset
	}
	return nil
}

// encode is the opposite of decodeEntity.
func (e *entity) encode() (string, error) {
	var special []byte
	switch {
	case e.PubKey != nil:
		special = e.PubKey[:]
	case e.ID != nil:
		special = e.ID[:]
	case e.Identifier != nil:
		special = []byte(*e.Identifier)
	}
	if e.Type == "npub" || e.Type == "note" {
		return encodeBech32(e.Type, special), nil
	}
	data, err := appendTLV(nil, tlvSpecial, special)
	for _, relay := range e.Relays {
		if err == nil {
			data, err = appendTLV(data, tlvRelay, []byte(relay))
		}
	}
	if e.Author != nil && err == nil {
		data, err = appendTLV(data, tlvAuthor, e.Author[:])
	}
	if e.Kind != nil && err == nil {
		data, err = appendTLV(data, tlvKind, binary.BigEndian.AppendUint32(nil, *e.Kind))
	}
	if err != nil {
		return "", err
	}
	s := encodeBech32(e.Type, data)
	// What would not be read again is not written.
	if _, err := decodeEntity(s); err != nil {
		return "", err
	}
	return s, nil
}

// checkRelay tells why a relay cannot stand in a record.
func checkRelay(url string) error {
	switch {
	case url == "":
		return errors.New("want a URL")
	case len(url) > maxTLV:
		return fmt.Errorf("%d bytes, NIP-19 allows %d", len(url), maxTLV)
	case !isASCII(url):
		return errors.New("not ASCII, as NIP-19 wants it")
	}
	return nil
}

// isASCII reports whether s has printable characters of ASCII alone.
func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

func appendTLV(dst []byte, kind byte, v []byte) ([]byte, error) {
	if len(v) > maxTLV {
		return nil, errTLV
	}
	return append(append(dst, kind, byte(len(v))), v...), nil
}
