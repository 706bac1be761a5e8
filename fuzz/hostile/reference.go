package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"golang.org/x/crypto/chacha20"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// This file opens wraps a second time, as the documentation of event, nip44 and
// nip59 says it and with nothing but other people's code. It tells the expected
// answer where a sweep makes too many inputs to name each by hand; the inputs
// that are named by hand test it in turn.

// limit is the default limit of nip44, in bytes of plaintext.
const limit = 1 << 20

// A reading is the reference's view of a JSON text: the event when defects is
// empty. A text with several defects has them all, since the documentation does
// not say which is told.
type reading struct {
	defects []error

	present               map[string]bool
	id, pubkey, sig       string // hexadecimal
	createdAt, kind       string // decimal
	tags                  [][]string
	content               string
	signature, identifier bool // sig and id are there and not blank

	broken bool // a token could not be read
}

func (r *reading) fault(err error) {
	if !slices.Contains(r.defects, err) {
		r.defects = append(r.defects, err)
	}
}

// mistyped is for a token that is not of the type it should be, if it is one.
func (r *reading) mistyped() {
	if !r.broken {
		r.fault(event.ErrType)
	}
}

var (
	fieldNames = []string{"id", "pubkey", "created_at", "kind", "tags", "content", "sig"}
	integer    = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)
	// A surrogate, in any text whose escaped backslashes are taken out.
	surrogate = regexp.MustCompile(`\\u[dD]([89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|[89a-fA-F][0-9a-fA-F]{2})`)
)

// read reads an event; signed tells whether all fields must be there.
func read(text []byte, signed bool) *reading {
	r := &reading{present: map[string]bool{}}
	if !utf8.Valid(text) {
		r.fault(event.ErrUTF8)
	}
	for _, s := range surrogate.FindAll(bytes.ReplaceAll(text, []byte(`\\`), nil), -1) {
		if len(s) == 6 {
			r.fault(event.ErrUTF8)
		}
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	r.walk(dec, text, signed)
	if !json.Valid(text) {
		r.fault(event.ErrSyntax)
		return r
	}
	if len(r.defects) > 0 {
		return r
	}
	required := fieldNames
	if !signed {
		required = []string{"kind", "content"}
	}
	for _, name := range required {
		if !r.present[name] {
			r.fault(event.ErrMissingKey)
		}
	}
	return r
}

// walk goes through the members until the end, or the first token that is none.
func (r *reading) walk(dec *json.Decoder, text []byte, signed bool) {
	// next returns a token. In a text that breaks off or goes wrong, a value of
	// the wrong type may begin where no token ends.
	next := func(opening string) json.Token {
		rest := bytes.TrimLeft(text[dec.InputOffset():], " \t\r\n:,")
		token, err := dec.Token()
		if err == nil {
			return token
		}
		if len(rest) > 0 && opening != "" && !strings.ContainsRune(opening, rune(rest[0])) && strings.ContainsRune(`"{[tfn-0123456789`, rune(rest[0])) {
			r.fault(event.ErrType)
		}
		if r.broken = true; err != io.EOF {
			r.fault(event.ErrSyntax)
		}
		return nil
	}
	switch next("{") {
	case json.Delim('{'):
	case nil:
		if strings.HasPrefix(strings.TrimLeft(string(text), " \t\r\n"), "null") {
			r.mistyped()
		}
		return
	default:
		r.mistyped()
		return
	}
	for dec.More() {
		key, ok := next("").(string)
		if !ok {
			return
		}
		if !slices.Contains(fieldNames, key) {
			if slices.ContainsFunc(fieldNames, func(name string) bool { return strings.EqualFold(name, key) }) {
				r.fault(event.ErrKeyCase)
			}
			if !r.skip(dec, next) {
				return
			}
			continue
		}
		if r.present[key] {
			r.fault(event.ErrDuplicateKey)
		}
		r.present[key] = true
		before := len(r.defects)
		switch key {
		case "id":
			r.id, r.identifier = r.hex(next(`"`), 64, !signed)
		case "pubkey":
			r.pubkey, _ = r.hex(next(`"`), 64, false)
		case "sig":
			r.sig, r.signature = r.hex(next(`"`), 128, !signed)
		case "created_at":
			r.createdAt = r.number(next("-0123456789"), 1<<53-1, event.ErrCreatedAt)
		case "kind":
			r.kind = r.number(next("-0123456789"), 65535, event.ErrKind)
		case "content":
			s, ok := next(`"`).(string)
			if !ok {
				r.mistyped()
			}
			r.content = s
		case "tags":
			r.tagList(next)
		}
		if len(r.defects) > before {
			return // what follows may stand anywhere in a value
		}
	}
	next("")
}

// skip goes over the value of a key that is no field's.
func (r *reading) skip(dec *json.Decoder, next func(string) json.Token) bool {
	depth := 1
	for {
		token := next("")
		switch token {
		case json.Delim('{'), json.Delim('['):
			if depth++; depth > 32 {
				r.fault(event.ErrNesting)
				return false
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		case nil:
			// The token of null, unless there is none.
			if len(r.defects) > 0 {
				return false
			}
		}
		if depth == 1 {
			return true
		}
	}
}

func (r *reading) hex(token json.Token, n int, mayBeBlank bool) (s string, there bool) {
	if mayBeBlank && len(r.defects) == 0 && (token == nil || token == "") {
		return "", false
	}
	s, ok := token.(string)
	if !ok {
		r.mistyped()
		return "", false
	}
	if len(s) != n || strings.Trim(s, "0123456789abcdef") != "" {
		r.fault(event.ErrHex)
	}
	return s, true
}

func (r *reading) number(token json.Token, max int64, cause error) string {
	n, ok := token.(json.Number)
	if !ok {
		r.mistyped()
		return ""
	}
	v, _ := new(big.Int).SetString(n.String(), 10)
	if !integer.MatchString(n.String()) || v.Cmp(big.NewInt(max)) > 0 {
		r.fault(cause)
	}
	return n.String()
}

func (r *reading) tagList(next func(string) json.Token) {
	if next("[") != json.Delim('[') {
		r.mistyped()
		return
	}
	for {
		switch next("[") {
		case json.Delim(']'):
			return
		case json.Delim('['):
		default:
			r.mistyped()
			return
		}
		var tag []string
		for more := true; more; {
			switch s := next(`"`).(type) {
			case string:
				tag = append(tag, s)
			case json.Delim:
				if s != ']' {
					r.mistyped()
					return
				}
				more = false
			default:
				r.mistyped()
				return
			}
		}
		if len(tag) == 0 {
			r.fault(event.ErrEmptyTag)
		}
		r.tags = append(r.tags, tag)
	}
}

// hash is the id that the event must have.
func (r *reading) hash() []byte {
	var b bytes.Buffer
	b.WriteString(`[0,"` + r.pubkey + `",` + r.createdAt + `,` + r.kind + `,[`)
	for i, tag := range r.tags {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('[')
		for j, s := range tag {
			if j > 0 {
				b.WriteByte(',')
			}
			writeString(&b, s)
		}
		b.WriteByte(']')
	}
	b.WriteString(`],`)
	writeString(&b, r.content)
	b.WriteByte(']')
	hash := sha256.Sum256(b.Bytes())
	return hash[:]
}

// writeString escapes what NIP-01 names, and the other control characters as
// JSON must.
func writeString(b *bytes.Buffer, s string) {
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20:
			if i := strings.IndexByte("\b\t\n\f\r", c); i >= 0 {
				b.WriteByte('\\')
				b.WriteByte("btnfr"[i])
			} else {
				b.WriteString(`\u00` + hex.EncodeToString([]byte{c}))
			}
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
}

// verify returns what is wrong with the id, the key or the signature, if
// anything is, in this order.
func (r *reading) verify() error {
	hash := r.hash()
	if hex.EncodeToString(hash) != r.id {
		return event.ErrID
	}
	rawKey, _ := hex.DecodeString(r.pubkey)
	key, err := schnorr.ParsePubKey(rawKey)
	if err != nil {
		return keys.ErrPublicKey
	}
	rawSig, _ := hex.DecodeString(r.sig)
	sig, err := schnorr.ParseSignature(rawSig)
	if err != nil || !sig.Verify(hash, key) {
		return event.ErrSignature
	}
	return nil
}

// payloadForm returns what is wrong with a payload as far as its length and its
// first characters tell.
func payloadForm(layer nip59.Layer, payload string) (Answer, bool) {
	if payload == "" || payload[0] == '#' {
		return malformed(layer, nip44.ErrVersion), false
	}
	legacy := strings.Contains(payload[max(0, len(payload)-28):], "?iv=")
	if len(payload) >= 4 {
		if first, err := base64.StdEncoding.Strict().DecodeString(payload[:4]); err == nil && first[0] != 2 && !strings.ContainsAny(payload[:4], "\r\n") {
			if legacy {
				return malformed(layer, nip44.ErrLegacyNIP04), false
			}
			return malformed(layer, nip44.ErrVersion), false
		}
	}
	if len(payload) > (33+6+limit+32+2)/3*4 {
		return tooLarge(layer), false
	}
	if legacy {
		return malformed(layer, nip44.ErrLegacyNIP04), false
	}
	raw := len(payload)/4*3 - (len(payload) - len(strings.TrimRight(payload, "=")))
	var causes []error
	if raw < 99 {
		causes = append(causes, nip44.ErrTooShort)
	}
	if len(payload)%4 != 0 {
		causes = append(causes, nip44.ErrBase64)
	}
	if n := raw - 65; len(causes) == 0 && !(n <= 2+1<<16 && paddedLen(n-2) == n-2 || n >= 6+1<<16 && paddedLen(n-6) == n-6) {
		causes = append(causes, nip44.ErrPadding)
		if _, ok := decode(payload); !ok {
			causes = append(causes, nip44.ErrBase64)
		}
	}
	if len(causes) > 0 {
		return malformedAny(layer, causes...), false
	}
	return Answer{}, true
}

// decode is canonical base64: the decoder of the standard library lets line
// ends pass.
func decode(s string) ([]byte, bool) {
	raw, err := base64.StdEncoding.Strict().DecodeString(s)
	return raw, err == nil && !strings.ContainsAny(s, "\r\n")
}

// open decrypts a payload whose form is right.
func open(layer nip59.Layer, payload string, ck []byte) ([]byte, Answer, bool) {
	raw, ok := decode(payload)
	if !ok {
		return nil, malformed(layer, nip44.ErrBase64), false
	}
	nonce, block, tag := raw[1:33], raw[33:len(raw)-32], raw[len(raw)-32:]
	key, chachaNonce, hmacKey := messageKeys(ck, nonce)
	mac := hmac.New(sha256.New, hmacKey)
	mac.Write(raw[1 : len(raw)-32])
	if !hmac.Equal(mac.Sum(nil), tag) {
		return nil, notForMe(layer, nip44.ErrMAC), false
	}
	stream, err := chacha20.NewUnauthenticatedCipher(key, chachaNonce)
	must(err)
	stream.XORKeyStream(block, block)

	n, prefix := uint64(binary.BigEndian.Uint16(block)), 2
	if n == 0 {
		n, prefix = uint64(binary.BigEndian.Uint32(block[2:])), 6
		if n < 1<<16 {
			return nil, malformed(layer, nip44.ErrPadding), false
		}
	}
	if n > uint64(len(block)) || len(block) != prefix+paddedLen(int(n)) {
		return nil, malformed(layer, nip44.ErrPadding), false
	}
	return block[prefix:][:n], Answer{}, true
}

// openWrap takes a line to the text of the inner event.
func (b *builder) openWrap(line []byte) (text []byte, a Answer, ok bool) {
	const layer = nip59.LayerWrap
	wrap := read(line, true)
	if len(wrap.defects) > 0 {
		return nil, malformedAny(layer, wrap.defects...), false
	}
	if wrap.kind != "1059" && wrap.kind != "21059" {
		return nil, malformed(layer, nip59.ErrKind), false
	}
	if a, ok := payloadForm(layer, wrap.content); !ok {
		return nil, a, false
	}
	if !slices.ContainsFunc(wrap.tags, func(tag []string) bool { return len(tag) > 1 && tag[0] == "p" && tag[1] == b.bob.hex }) {
		return nil, notForMe(layer), false
	}
	if err := wrap.verify(); err != nil {
		return nil, forged(layer, nip59.ErrWrapSignature, err), false
	}
	return open(layer, wrap.content, b.bob.conversationKey(wrap.pubkey))
}

// missing tells whether a field is absent that the event inside a wrap needs.
func missing(r *reading) bool {
	return !r.identifier || !r.signature || !r.present["pubkey"] || !r.present["created_at"] || !r.present["tags"]
}

// answer is what nip59.Unwrap must say to a line that reaches bob.
func (b *builder) answer(line []byte) Answer {
	text, a, ok := b.openWrap(line)
	if !ok {
		return a
	}
	layer := nip59.LayerSeal
	seal := read(text, false)
	switch {
	case len(seal.defects) > 0:
		return malformedAny(layer, seal.defects...)
	case seal.kind != "13":
		return malformed(layer, nip59.ErrKind)
	case missing(seal):
		return malformed(layer, event.ErrMissingKey)
	}
	if a, ok := payloadForm(layer, seal.content); !ok {
		return a
	}
	if err := seal.verify(); err != nil {
		return forged(layer, nip59.ErrSealSignature, err)
	}
	for _, tag := range seal.tags {
		if tag[0] != "expiration" {
			return malformed(layer, nip59.ErrSealTags)
		}
	}
	text, a, ok = open(layer, seal.content, b.bob.conversationKey(seal.pubkey))
	if !ok {
		return a
	}
	layer = nip59.LayerRumor
	rumor := read(text, false)
	switch {
	case len(rumor.defects) > 0:
		return malformedAny(layer, rumor.defects...)
	case rumor.present["pubkey"] && rumor.pubkey != seal.pubkey:
		return forged(layer, nip59.ErrSenderMismatch)
	case !rumor.present["pubkey"] || !rumor.present["created_at"] || !rumor.present["tags"]:
		return malformed(layer, event.ErrMissingKey)
	case rumor.identifier && rumor.id != hex.EncodeToString(rumor.hash()):
		return forged(layer, nip59.ErrRumorID)
	}
	return opens()
}

// unsealedAnswer is what nip59.UnwrapUnsealed must say.
func (b *builder) unsealedAnswer(line []byte) Answer {
	text, a, ok := b.openWrap(line)
	if !ok {
		return a
	}
	const layer = nip59.LayerInner
	inner := read(text, false)
	switch {
	case len(inner.defects) > 0:
		return malformedAny(layer, inner.defects...)
	case inner.kind == "13" || inner.kind == "1059" || inner.kind == "21059":
		return malformed(layer, nip59.ErrKind)
	case missing(inner):
		return malformed(layer, event.ErrMissingKey)
	}
	if err := inner.verify(); err != nil {
		return forged(layer, nip59.ErrInnerSignature, err)
	}
	return opens()
}
