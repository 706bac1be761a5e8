package event

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sealwright/sealwright/protocol/internal/view"
)

// maxDepth is how many arrays and objects may be open at once, the event's own
// object among them.
const maxDepth = 32

// The seven fields, in the order of NIP-01.
const (
	fieldID = iota
	fieldPubKey
	fieldCreatedAt
	fieldKind
	fieldTags
	fieldContent
	fieldSig
	unknown // any other key
)

const (
	nameID        = "id"
	namePubKey    = "pubkey"
	nameCreatedAt = "created_at"
	nameKind      = "kind"
	nameTags      = "tags"
	nameContent   = "content"
	nameSig       = "sig"
)

var names = [...]string{nameID, namePubKey, nameCreatedAt, nameKind, nameTags, nameContent, nameSig, unknown: ""}

// fieldSet has bit f set for field f.
type fieldSet uint8

func (s fieldSet) has(field int) bool { return s>>field&1 != 0 }

// Parse reads an event: one JSON object with all seven fields, white space
// around it, and nothing else. Keys are matched exactly and a field may occur
// once; keys that are no field's are skipped, though their values must be JSON
// and nested no deeper than 32 with the object itself. Every escape of JSON is
// decoded. It checks form only: the public key is not lifted, the id not
// computed; see [Event.Verify]. The error is a [*ParseError].
//
// The event shares no memory with json. A text that is refused costs the
// allocation of its error; an accepted one costs four allocations at most,
// whatever the number of tags: the event, all its strings, the tags, and their
// slices of strings, in sum at most eight bytes for each byte of json beside
// the event itself.
func Parse(json []byte) (*Event, error) {
	p := parser{in: json}
	if err := p.object(1<<unknown - 1); err != nil {
		return nil, err
	}
	return p.build(), nil
}

// Present tells which of the fields that [ParseUnsigned] does not ask for were
// there.
type Present struct{ ID, PubKey, CreatedAt, Tags, Sig bool }

// ParseUnsigned reads what is like an event and need not be signed: a rumor
// (NIP-59) or a template for a signer. Kind and content must be there; the
// other fields may be absent, and are zero then. An id or a sig of null or ""
// counts as absent. All else is as with [Parse]. A field that is there has the
// form of an event's, but nothing says that id or signature are true.
func ParseUnsigned(json []byte) (*Event, Present, error) {
	p := parser{in: json, unsigned: true}
	if err := p.object(1<<fieldKind | 1<<fieldContent); err != nil {
		return nil, Present{}, err
	}
	return p.build(), Present{
		ID:        p.seen.has(fieldID) && !p.blank.has(fieldID),
		PubKey:    p.seen.has(fieldPubKey),
		CreatedAt: p.seen.has(fieldCreatedAt),
		Tags:      p.seen.has(fieldTags),
		Sig:       p.seen.has(fieldSig) && !p.blank.has(fieldSig),
	}, nil
}

// parser reads the text once from start to end, and allocates nothing: strings
// are validated and measured where they lie. build then makes the event, of
// exactly the size needed.
type parser struct {
	in       []byte
	at       int // next byte
	unsigned bool
	seen     fieldSet
	blank    fieldSet // seen as null or ""

	id        ID
	pubKey    [32]byte
	sig       Signature
	createdAt int64
	kind      int
	content   text
	tags      struct {
		start int // behind the opening bracket
		tags  int
		items int // strings in all tags
		size  int // bytes in all of them, decoded
	}
}

// text is a string of the input that was found valid: in[start:end] between
// the quotes, and the number of bytes that it decodes to. Every escape is
// longer than what it stands for, so size is end-start where there is none.
type text struct{ start, end, size int }

// fail returns an error at the next byte.
func (p *parser) fail(field int, cause error) error { return p.failAt(p.at, field, cause) }

func (p *parser) failAt(offset, field int, cause error) error {
	return &ParseError{Offset: offset, Field: names[field], Err: cause}
}

// peek returns the next byte, or 0 at the end, which is legal nowhere.
func (p *parser) peek() byte {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return 0
}

// token skips white space and returns the next byte as peek does.
func (p *parser) token() byte {
	for p.at < len(p.in) {
		switch c := p.in[p.at]; c {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return c
		}
	}
	return 0
}

// mismatch is the error for a value of another type than the field's.
func (p *parser) mismatch(field int) error {
	switch c := p.peek(); c {
	case '"', '{', '[', 't', 'f', 'n', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return p.fail(field, ErrType)
	}
	return p.fail(field, ErrSyntax)
}

// open reads the opening bracket of an array or object, and what follows:
// close, or the first byte of an element.
func (p *parser) open(close byte) (more bool) {
	p.at++
	if p.token() == close {
		p.at++
		return false
	}
	return true
}

// next reads what follows an element of an array or object: close, or a comma
// and the first byte of another element.
func (p *parser) next(field int, close byte) (more bool, err error) {
	switch p.token() {
	case close:
		p.at++
		return false, nil
	case ',':
		p.at++
		p.token()
		return true, nil
	}
	return false, p.fail(field, ErrSyntax)
}

// object reads the whole text.
func (p *parser) object(required fieldSet) error {
	if p.token() != '{' {
		return p.mismatch(unknown)
	}
	more := p.open('}')
	for more {
		field, err := p.key()
		if err != nil {
			return err
		}
		if err := p.value(field); err != nil {
			return err
		}
		if more, err = p.next(unknown, '}'); err != nil {
			return err
		}
	}
	closing := p.at - 1
	if p.token(); p.at != len(p.in) {
		return p.fail(unknown, ErrSyntax)
	}
	for field := range unknown {
		if required.has(field) && !p.seen.has(field) {
			return p.failAt(closing, field, ErrMissingKey)
		}
	}
	return nil
}

// member reads a key of an object and its colon, up to the value.
func (p *parser) member() (key text, err error) {
	if p.peek() != '"' {
		return text{}, p.fail(unknown, ErrSyntax)
	}
	if key, err = p.string(unknown); err != nil {
		return text{}, err
	}
	if p.token() != ':' {
		return text{}, p.fail(unknown, ErrSyntax)
	}
	p.at++
	p.token()
	return key, nil
}

// key reads a key of the event and tells which field it names.
func (p *parser) key() (field int, err error) {
	key, err := p.member()
	if err != nil {
		return 0, err
	}
	// No field's key has more bytes, be it in letters that fold to its own
	// (U+017F to s, U+212A to k).
	const longest = len(nameCreatedAt)
	if key.size > longest {
		return unknown, nil
	}
	var buf [longest]byte
	name := p.in[key.start:key.end]
	if key.size != len(name) {
		name = appendText(buf[:0], name)
	}
	field = fieldOf(name)
	if field == unknown {
		for f := range unknown {
			if bytes.EqualFold(name, []byte(names[f])) {
				return 0, p.failAt(key.start, f, ErrKeyCase)
			}
		}
		return unknown, nil
	}
	if p.seen.has(field) {
		return 0, p.failAt(key.start, field, ErrDuplicateKey)
	}
	p.seen |= 1 << field
	return field, nil
}

func fieldOf(name []byte) int {
	switch string(name) {
	case nameID:
		return fieldID
	case namePubKey:
		return fieldPubKey
	case nameCreatedAt:
		return fieldCreatedAt
	case nameKind:
		return fieldKind
	case nameTags:
		return fieldTags
	case nameContent:
		return fieldContent
	case nameSig:
		return fieldSig
	}
	return unknown
}

// value reads the value of a field.
func (p *parser) value(field int) (err error) {
	switch field {
	case fieldID:
		return p.hex(field, p.id[:])
	case fieldPubKey:
		return p.hex(field, p.pubKey[:])
	case fieldSig:
		return p.hex(field, p.sig[:])
	case fieldCreatedAt:
		p.createdAt, err = p.integer(field, MaxCreatedAt, ErrCreatedAt)
		return err
	case fieldKind:
		kind, err := p.integer(field, MaxKind, ErrKind)
		p.kind = int(kind)
		return err
	case fieldTags:
		return p.tagList()
	case fieldContent:
		if p.peek() != '"' {
			return p.mismatch(field)
		}
		p.content, err = p.string(field)
		return err
	}
	return p.skip(1)
}

// hex reads a string of exactly 2·len(dst) lower-case digits.
func (p *parser) hex(field int, dst []byte) error {
	if p.unsigned && field != fieldPubKey && (p.accept("null") || p.accept(`""`)) {
		p.blank |= 1 << field
		return nil
	}
	if p.peek() != '"' {
		return p.mismatch(field)
	}
	// Valid digits up to the quote are a valid string.
	n := 2 * len(dst)
	if rest := p.in[p.at+1:]; len(rest) > n && rest[n] == '"' && decodeHex(dst, rest[:n]) {
		p.at += n + 2
		return nil
	}
	open := p.at
	s, err := p.string(field)
	if err != nil {
		return err
	}
	var buf [2 * len(Signature{})]byte
	if s.size == n && decodeHex(dst, appendText(buf[:0], p.in[s.start:s.end])) {
		return nil
	}
	return p.failAt(open, field, ErrHex)
}

// integer reads a number without sign, fraction and exponent. max has at most
// 16 digits.
func (p *parser) integer(field int, max int64, cause error) (int64, error) {
	start := p.at
	if c := p.peek(); c != '-' && !isDigit(c) {
		return 0, p.mismatch(field)
	}
	if err := p.number(field); err != nil {
		return 0, err
	}
	number := p.in[start:p.at]
	if len(number) > 16 {
		return 0, p.failAt(start, field, cause)
	}
	var v int64
	for _, c := range number {
		if !isDigit(c) {
			return 0, p.failAt(start, field, cause)
		}
		v = 10*v + int64(c-'0')
	}
	if v > max {
		return 0, p.failAt(start, field, cause)
	}
	return v, nil
}

// tagList reads an array of arrays of strings, and counts them.
func (p *parser) tagList() error {
	const field = fieldTags
	if p.peek() != '[' {
		return p.mismatch(field)
	}
	p.tags.start = p.at + 1
	more := p.open(']')
	for more {
		if p.peek() != '[' {
			return p.mismatch(field)
		}
		p.at++
		if p.token() == ']' {
			return p.fail(field, ErrEmptyTag)
		}
		for inTag := true; inTag; {
			if p.peek() != '"' {
				return p.mismatch(field)
			}
			s, err := p.string(field)
			if err != nil {
				return err
			}
			p.tags.items++
			p.tags.size += s.size
			if inTag, err = p.next(field, ']'); err != nil {
				return err
			}
		}
		p.tags.tags++
		var err error
		if more, err = p.next(field, ']'); err != nil {
			return err
		}
	}
	return nil
}

// string reads a string, whose opening quote is the next byte.
func (p *parser) string(field int) (text, error) {
	p.at++
	s := text{start: p.at}
	for {
		run := p.in[p.at:]
		n, ascii := plainLen(run)
		run = run[:n]
		if !ascii && !utf8.Valid(run) {
			p.at += validLen(run)
			return text{}, p.fail(field, ErrUTF8)
		}
		p.at += n
		s.size += n
		switch p.peek() {
		case '"':
			s.end = p.at
			p.at++
			return s, nil
		case '\\':
			r, n := unescape(p.in[p.at:])
			if n == 0 {
				return text{}, p.fail(field, ErrSyntax)
			}
			if r < 0 {
				return text{}, p.fail(field, ErrUTF8)
			}
			s.size += utf8.RuneLen(r)
			p.at += n
		default: // a control character, or the end
			return text{}, p.fail(field, ErrSyntax)
		}
	}
}

// validLen returns the number of bytes before the first that is not UTF-8.
func validLen(b []byte) (n int) {
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

// unescape decodes the escape at the start of b, which begins with a
// backslash, and returns its length, which is 0 when it is none of JSON's. r
// is -1 for half a surrogate pair.
func unescape(b []byte) (r rune, n int) {
	if len(b) < 2 {
		return 0, 0
	}
	switch c := b[1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	r, ok := unescapeUnit(b)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := unescapeUnit(b[6:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return -1, 6
}

// unescapeUnit decodes \uXXXX at the start of b.
func unescapeUnit(b []byte) (unit rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		if 'A' <= c && c <= 'F' {
			c += 'a' - 'A'
		}
		d := digits[c]
		if d == 0 {
			return 0, false
		}
		unit = unit<<4 | rune(d&0x0f)
	}
	return unit, true
}

// number skips a number of JSON's grammar.
func (p *parser) number(field int) error {
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		p.at++
	} else if !p.digits() {
		return p.fail(field, ErrSyntax)
	}
	if p.peek() == '.' {
		p.at++
		if !p.digits() {
			return p.fail(field, ErrSyntax)
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if !p.digits() {
			return p.fail(field, ErrSyntax)
		}
	}
	return nil
}

// digits skips decimal digits and tells whether there were any.
func (p *parser) digits() bool {
	start := p.at
	for isDigit(p.peek()) {
		p.at++
	}
	return p.at > start
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// skip validates the value of an unknown key. open is the number of arrays and
// objects that it lies in.
func (p *parser) skip(open int) error {
	switch c := p.peek(); c {
	case '"':
		_, err := p.string(unknown)
		return err
	case '{', '[':
		if open == maxDepth {
			return p.fail(unknown, ErrNesting)
		}
		return p.skipContainer(open+1, c)
	case 't':
		return p.literal("true")
	case 'f':
		return p.literal("false")
	case 'n':
		return p.literal("null")
	}
	return p.number(unknown)
}

func (p *parser) skipContainer(open int, bracket byte) (err error) {
	closing := bracket + 2 // in ASCII, of both kinds
	more := p.open(closing)
	for more {
		if bracket == '{' {
			if _, err := p.member(); err != nil {
				return err
			}
		}
		if err := p.skip(open); err != nil {
			return err
		}
		if more, err = p.next(unknown, closing); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) literal(word string) error {
	if !p.accept(word) {
		return p.fail(unknown, ErrSyntax)
	}
	return nil
}

// accept skips word and tells whether it was there.
func (p *parser) accept(word string) bool {
	if !bytes.HasPrefix(p.in[p.at:], view.Bytes(word)) {
		return false
	}
	p.at += len(word)
	return true
}

// build makes the event of what was read.
func (p *parser) build() *Event {
	e := &Event{
		ID:        p.id,
		PubKey:    p.pubKey,
		CreatedAt: p.createdAt,
		Kind:      p.kind,
		Sig:       p.sig,
	}
	// All strings lie behind each other in one allocation.
	backing := make([]byte, 0, p.tags.size+p.content.size)
	keep := func(raw []byte, escaped bool) string {
		start := len(backing)
		if escaped {
			backing = appendText(backing, raw)
		} else {
			backing = append(backing, raw...)
		}
		s := backing[start:]
		return view.String(s)
	}
	raw := p.in[p.content.start:p.content.end]
	e.Content = keep(raw, p.content.size != len(raw))
	if !p.seen.has(fieldTags) {
		return e
	}

	e.Tags = make(Tags, 0, p.tags.tags)
	items := make([]string, 0, p.tags.items)
	first := 0 // of the tag being read
	for at := p.tags.start; len(e.Tags) < p.tags.tags; at++ {
		switch p.in[at] {
		case '"':
			raw, escaped := validString(p.in[at+1:])
			items = append(items, keep(raw, escaped))
			at += len(raw) + 1
		case ']':
			e.Tags = append(e.Tags, items[first:len(items):len(items)])
			first = len(items)
		}
	}
	return e
}

// validString returns what is before the closing quote of a string that
// [parser.string] accepted, and whether escapes are in it.
func validString(in []byte) (raw []byte, escaped bool) {
	end := 0
	for {
		n, _ := plainLen(in[end:])
		end += n
		if in[end] == '"' {
			return in[:end], escaped
		}
		escaped = true
		end += 2 // the byte behind a backslash ends nothing
	}
}

// appendText appends what a string that [parser.string] accepted stands for.
func appendText(dst, raw []byte) []byte {
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:n]...)
		r, size := unescape(raw[n:])
		dst = utf8.AppendRune(dst, r)
		raw = raw[n+size:]
	}
}
