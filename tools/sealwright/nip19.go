package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/btcsuite/btcd/btcutil/bech32"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
)

var (
	errNIP19      = errors.New("not a valid NIP-19 string")
	errSecretText = errors.New("a secret key: it is read from --key-file, --key-env or --key-fd only")
)

// maxNIP19 is the longest string that is read or written (NIP-19).
const maxNIP19 = 5000

// decodeBech32 returns prefix and bytes of a bech32 string. It is strict
// (NIP-19, BIP-173): one case only, the BIP-173 checksum, no more than four
// leftover bits, all zero. The error is always errNIP19: the library's own
// errors quote parts of the string, which may be a secret. The bytes are the
// caller's to wipe.
func decodeBech32(s string) (hrp string, data []byte, err error) {
	if len(s) > maxNIP19 {
		return "", nil, errNIP19
	}
	hrp, groups, version, err := bech32.DecodeNoLimitWithVersion(s)
	if err != nil || version != bech32.Version0 {
		return "", nil, errNIP19
	}
	defer clear(groups)
	data, err = bech32.ConvertBits(groups, 5, 8, false)
	if err != nil {
		return "", nil, errNIP19
	}
	return hrp, data, nil
}

// decodeNIP19 returns the 32 bytes of an npub, nsec or note, whose prefix is
// hrp. The error is always errNIP19.
func decodeNIP19(hrp, s string) (b [32]byte, err error) {
	prefix, data, err := decodeBech32(s)
	if err != nil {
		return b, err
	}
	defer clear(data)
	if prefix != hrp || len(data) != len(b) {
		return b, errNIP19
	}
	copy(b[:], data)
	return b, nil
}

// encodeBech32 is the opposite of decodeBech32.
func encodeBech32(hrp string, data []byte) string {
	s, err := bech32.EncodeFromBase256(hrp, data)
	if err != nil {
		panic("bech32 refused bytes") // it fails on groups of more than five bits only
	}
	return s
}

// encodeNIP19 is the opposite of decodeNIP19.
func encodeNIP19(hrp string, b [32]byte) string { return encodeBech32(hrp, b[:]) }

func npub(p keys.PublicKey) string { return encodeNIP19("npub", p) }

// errPublicKeyText never quotes what was given: it may be a secret key.
var errPublicKeyText = errors.New("not a public key: want 64 lower-case hex digits or an npub")

// parsePublicKey reads hex or npub.
func parsePublicKey(s string) (keys.PublicKey, error) {
	if b, err := decodeNIP19("npub", s); err == nil {
		return keys.NewPublicKey(b[:])
	}
	if len(s) != 64 {
		return keys.PublicKey{}, errPublicKeyText
	}
	return keys.ParsePublicKey(s)
}

// Types of the TLV entries of nprofile, nevent and naddr.
const (
	tlvSpecial = 0
	tlvRelay   = 1
	tlvAuthor  = 2
	tlvKind    = 3
)

// A pointer is what an npub, note, nprofile, nevent or naddr tells. The fields
// that its type does not have are nil.
type pointer struct {
	Type       string          `json:"type"`
	PubKey     *keys.PublicKey `json:"pubkey,omitempty"`
	ID         *event.ID       `json:"id,omitempty"`
	Identifier *string         `json:"identifier,omitempty"`
	Author     *keys.PublicKey `json:"author,omitempty"`
	Kind       *int            `json:"kind,omitempty"`
	Relays     []string        `json:"relays,omitzero"`
}

// encode returns the string. The error tells what does not fit in one.
func (p *pointer) encode() (string, error) {
	var tlv []byte
	add := func(kind byte, value string) error {
		if len(value) > 255 {
			return errors.New("a relay or an identifier has at most 255 bytes")
		}
		tlv = append(append(tlv, kind, byte(len(value))), value...)
		return nil
	}
	var special string
	switch p.Type {
	case "npub":
		return npub(*p.PubKey), nil
	case "note":
		return encodeNIP19("note", *p.ID), nil
	case "nprofile":
		special = string(p.PubKey[:])
	case "nevent":
		special = string(p.ID[:])
	case "naddr":
		special = *p.Identifier
		if !utf8.ValidString(special) {
			return "", errors.New("the identifier is not valid UTF-8")
		}
	}
	if err := add(tlvSpecial, special); err != nil {
		return "", err
	}
	for _, relay := range p.Relays {
		if !ascii(relay) {
			return "", errors.New("a relay is written in printable ASCII")
		}
		if err := add(tlvRelay, relay); err != nil {
			return "", err
		}
	}
	if p.Author != nil {
		_ = add(tlvAuthor, string(p.Author[:]))
	}
	if p.Kind != nil {
		_ = add(tlvKind, string(binary.BigEndian.AppendUint32(nil, uint32(*p.Kind))))
	}
	s := encodeBech32(p.Type, tlv)
	if len(s) > maxNIP19 {
		return "", fmt.Errorf("too many relays: the string would have more than %d characters", maxNIP19)
	}
	return s, nil
}

// decodePointer reads any string of NIP-19 but an nsec. Entries of a type that
// is not known are skipped, as NIP-19 wants; one that may occur once and occurs
// twice is refused, since readers differ in which they take.
func decodePointer(s string) (*pointer, error) {
	hrp, data, err := decodeBech32(s)
	if err != nil {
		return nil, err
	}
	p := &pointer{Type: hrp}
	switch hrp {
	case "npub":
		return p, setPublicKey(&p.PubKey, data)
	case "note":
		return p, setID(&p.ID, data)
	case "nprofile", "nevent", "naddr":
		p.Relays = []string{}
	case "nsec", "ncryptsec":
		clear(data)
		return nil, errSecretText
	default:
		return nil, errNIP19
	}
	for len(data) > 0 {
		if len(data) < 2 || len(data) < 2+int(data[1]) {
			return nil, errNIP19
		}
		kind, value := data[0], data[2:2+int(data[1])]
		data = data[2+len(value):]
		var err error
		switch {
		case kind == tlvRelay:
			if !ascii(string(value)) {
				err = errNIP19
			}
			p.Relays = append(p.Relays, string(value))
		case kind == tlvSpecial && hrp == "nprofile":
			err = setPublicKey(&p.PubKey, value)
		case kind == tlvSpecial && hrp == "nevent":
			err = setID(&p.ID, value)
		case kind == tlvSpecial:
			if p.Identifier != nil || !utf8.Valid(value) {
				err = errNIP19
			}
			text := string(value)
			p.Identifier = &text
		case kind == tlvAuthor && hrp != "nprofile":
			err = setPublicKey(&p.Author, value)
		case kind == tlvKind && hrp != "nprofile":
			err = setKind(&p.Kind, value)
		}
		if err != nil {
			return nil, err
		}
	}
	if hrp == "nprofile" && p.PubKey == nil || hrp == "nevent" && p.ID == nil ||
		hrp == "naddr" && (p.Identifier == nil || p.Author == nil || p.Kind == nil) {
		return nil, errNIP19
	}
	return p, nil
}

func setPublicKey(dst **keys.PublicKey, b []byte) error {
	pub, err := keys.NewPublicKey(b)
	if err != nil {
		return err
	}
	if *dst != nil {
		return errNIP19
	}
	*dst = &pub
	return nil
}

func setID(dst **event.ID, b []byte) error {
	if len(b) != len(event.ID{}) || *dst != nil {
		return errNIP19
	}
	*dst = (*event.ID)(b)
	return nil
}

func setKind(dst **int, b []byte) error {
	if len(b) != 4 || *dst != nil {
		return errNIP19
	}
	kind := binary.BigEndian.Uint32(b)
	if kind > event.MaxKind {
		return errNIP19
	}
	n := int(kind)
	*dst = &n
	return nil
}

// ascii tells whether s is printable ASCII without a space.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
