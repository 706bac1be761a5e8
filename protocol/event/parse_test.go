package event

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// mined is the example event of NIP-13, signed by its author.
const mined = `{"id":"000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358","pubkey":"a48380f4cfcc1ad5378294fcac36439770f9c878dd880ffa94bb74ea54a6f243","created_at":1651794653,"kind":1,"tags":[["nonce","776797","20"]],"content":"It's just me mining my own business","sig":"284622fc0a3f4f1303455d5175f7ba962a3300d136085b9566801bc2e0699de0c7e31e44c81fb40ad9049173742e904713c3594a1da0fc5d2382a25c11aba977"}`

const (
	minedID      = `"id":"000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358"`
	minedPubKey  = `"pubkey":"a48380f4cfcc1ad5378294fcac36439770f9c878dd880ffa94bb74ea54a6f243"`
	minedTime    = `"created_at":1651794653`
	minedKind    = `"kind":1`
	minedTags    = `"tags":[["nonce","776797","20"]]`
	minedContent = `"content":"It's just me mining my own business"`
	minedSig     = `"sig":"284622fc0a3f4f1303455d5175f7ba962a3300d136085b9566801bc2e0699de0c7e31e44c81fb40ad9049173742e904713c3594a1da0fc5d2382a25c11aba977"`
)

// with returns the mined event with one piece of its text replaced.
func with(t testing.TB, old, new string) string {
	t.Helper()
	if strings.Count(mined, old) != 1 {
		t.Fatalf("%q is in the event %d times", old, strings.Count(mined, old))
	}
	return strings.Replace(mined, old, new, 1)
}

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// Each text has "@@" at the byte that the error names; it is taken out first.
// Case numbers refer to the kinds of fault that users of such codecs reported:
// 42 raw line breaks and contents that are objects, 43 what strict readers
// refuse.
var rejects = []struct {
	name, old, new string
	field          string
	cause          error
}{
	// The text as a whole.
	{"empty", mined, `@@`, "", ErrSyntax},
	{"white space alone", mined, " \n@@", "", ErrSyntax},
	{"null", mined, `@@null`, "", ErrType},
	{"array", mined, `@@[` + mined + `]`, "", ErrType},
	{"string", mined, `@@"event"`, "", ErrType},
	{"garbage", mined, `@@event`, "", ErrSyntax},
	{"byte order mark", mined, "@@\ufeff" + mined, "", ErrSyntax},
	{"empty object", mined, `{@@}`, "id", ErrMissingKey},
	{"trailing object (43)", mined, mined + `@@{}`, "", ErrSyntax},
	{"trailing event (43)", mined, mined + "\n@@" + mined, "", ErrSyntax},
	{"trailing letter (43)", mined, mined + ` @@x`, "", ErrSyntax},
	{"trailing NUL (43)", mined, mined + "@@\x00", "", ErrSyntax},
	{"trailing brace (43)", mined, mined + `@@}`, "", ErrSyntax},
	{"no closing brace", mined, mined[:len(mined)-1] + `@@`, "", ErrSyntax},
	{"closed by a bracket", mined, mined[:len(mined)-1] + `@@]`, "", ErrSyntax},
	{"leading comma", minedID, `@@,` + minedID, "", ErrSyntax},
	{"trailing comma", minedSig, minedSig + `,@@`, "", ErrSyntax},
	{"double comma", minedKind, minedKind + `,@@`, "", ErrSyntax},
	{"no comma", minedKind + `,`, minedKind + `@@`, "", ErrSyntax},
	{"comment", minedKind, `@@/* */` + minedKind, "", ErrSyntax},
	{"form feed between", minedKind, "@@\f" + minedKind, "", ErrSyntax},
	{"no-break space between", minedKind, "@@\u00a0" + minedKind, "", ErrSyntax},

	// Keys.
	{"no id", minedID + `,`, ``, "id", ErrMissingKey},
	{"no pubkey", minedPubKey + `,`, ``, "pubkey", ErrMissingKey},
	{"no created_at", minedTime + `,`, ``, "created_at", ErrMissingKey},
	{"no kind", minedKind + `,`, ``, "kind", ErrMissingKey},
	{"no tags", minedTags + `,`, ``, "tags", ErrMissingKey},
	{"no content", minedContent + `,`, ``, "content", ErrMissingKey},
	{"no sig", `,` + minedSig, ``, "sig", ErrMissingKey},
	{"id twice (43)", minedKind, `"@@` + minedID[1:] + `,` + minedKind, "id", ErrDuplicateKey},
	{"pubkey twice (43)", minedKind, `"@@` + minedPubKey[1:] + `,` + minedKind, "pubkey", ErrDuplicateKey},
	{"created_at twice (43)", minedSig, `"@@created_at":1,` + minedSig, "created_at", ErrDuplicateKey},
	{"kind twice (43)", minedSig, `"@@kind":1,` + minedSig, "kind", ErrDuplicateKey},
	{"tags twice (43)", minedSig, `"@@tags":[],` + minedSig, "tags", ErrDuplicateKey},
	{"content twice (43)", minedSig, `"@@content":"",` + minedSig, "content", ErrDuplicateKey},
	{"sig twice (43)", minedSig, minedSig + `,"@@sig":""`, "sig", ErrDuplicateKey},
	{"kind twice, once escaped (43)", minedSig, `"@@\u006bind":2,` + minedSig, "kind", ErrDuplicateKey},
	{"KIND beside kind (43)", minedSig, `"@@KIND":2,` + minedSig, "kind", ErrKeyCase},
	{"Kind for kind (43)", `"kind"`, `"@@Kind"`, "kind", ErrKeyCase},
	{"ID (43)", `"id"`, `"@@ID"`, "id", ErrKeyCase},
	{"pubKey (43)", `"pubkey"`, `"@@pubKey"`, "pubkey", ErrKeyCase},
	{"Created_At (43)", `"created_at"`, `"@@Created_At"`, "created_at", ErrKeyCase},
	{"TAGS (43)", `"tags"`, `"@@TAGS"`, "tags", ErrKeyCase},
	{"Content (43)", `"content"`, `"@@Content"`, "content", ErrKeyCase},
	{"siG escaped (43)", `"sig"`, `"@@si\u0047"`, "sig", ErrKeyCase},
	{"long s in tags (43)", minedSig, "\"@@tag\u017f\":[]," + minedSig, "tags", ErrKeyCase},
	{"Kelvin sign in kind (43)", minedSig, "\"@@\u212aind\":2," + minedSig, "kind", ErrKeyCase},
	{"key without quotes", `"kind"`, `@@kind`, "", ErrSyntax},
	{"key in single quotes", `"kind"`, `@@'kind'`, "", ErrSyntax},
	{"key is a number", `"kind":1`, `@@1:1`, "", ErrSyntax},
	{"key not closed", mined, `{"kind@@`, "", ErrSyntax},
	{"no colon", `"kind":1`, `"kind"@@1`, "", ErrSyntax},
	{"no value", `"kind":1`, `"kind":@@`, "kind", ErrSyntax},
	{"bad UTF-8 in a key", minedKind, "\"a@@\xff\":1," + minedKind, "", ErrUTF8},
	{"control in a key", minedKind, "\"a@@\x01\":1," + minedKind, "", ErrSyntax},

	// Hexadecimal.
	{"id in upper case (43)", minedID, `"id":@@"000006D8C378AF1779D2FEEBC7603A125D99ECA0CCF1085959B307F64E5DD358"`, "id", ErrHex},
	{"one upper-case digit (43)", `"a48380f4cfcc`, `@@"A48380f4cfcc`, "pubkey", ErrHex},
	{"sig in upper case at its end (43)", `"284622fc0a3f4f1303455d5175f7ba962a3300d136085b9566801bc2e0699de0c7e31e44c81fb40ad9049173742e904713c3594a1da0fc5d2382a25c11aba977"`, `@@"284622fc0a3f4f1303455d5175f7ba962a3300d136085b9566801bc2e0699de0c7e31e44c81fb40ad9049173742e904713c3594a1da0fc5d2382a25c11abA977"`, "sig", ErrHex},
	{"id of 63 digits", `"000006d8`, `@@"00006d8`, "id", ErrHex},
	{"id of 65 digits", `"000006d8`, `@@"0000006d8`, "id", ErrHex},
	{"id empty", minedID, `"id":@@""`, "id", ErrHex},
	{"pubkey of 62 digits", `"a48380`, `@@"8380`, "pubkey", ErrHex},
	{"pubkey with a prefix", `"a48380`, `@@"02a48380`, "pubkey", ErrHex},
	{"sig of 126 digits", `"284622`, `@@"4622`, "sig", ErrHex},
	{"id with a letter g", `"000006d8`, `@@"g00006d8`, "id", ErrHex},
	{"id with 0x", `"000006d8`, `@@"0x0006d8`, "id", ErrHex},
	{"id with a space", `"000006d8`, `@@" 00006d8`, "id", ErrHex},
	{"id null", minedID, `"id":@@null`, "id", ErrType},
	{"id a number", minedID, `"id":@@6`, "id", ErrType},
	{"pubkey an array", minedPubKey, `"pubkey":@@[]`, "pubkey", ErrType},
	{"sig null", minedSig, `"sig":@@null`, "sig", ErrType},
	{"sig empty", minedSig, `"sig":@@""`, "sig", ErrHex},
	{"sig true", minedSig, `"sig":@@true`, "sig", ErrType},

	// Numbers.
	{"created_at 2^53", minedTime, `"created_at":@@9007199254740992`, "created_at", ErrCreatedAt},
	{"created_at of 17 digits", minedTime, `"created_at":@@10000000000000000`, "created_at", ErrCreatedAt},
	{"created_at 2^64", minedTime, `"created_at":@@18446744073709551616`, "created_at", ErrCreatedAt},
	{"created_at 2^64+1", minedTime, `"created_at":@@18446744073709551617`, "created_at", ErrCreatedAt},
	{"created_at negative", minedTime, `"created_at":@@-1`, "created_at", ErrCreatedAt},
	{"created_at minus zero", minedTime, `"created_at":@@-0`, "created_at", ErrCreatedAt},
	{"created_at with a fraction", minedTime, `"created_at":@@1651794653.0`, "created_at", ErrCreatedAt},
	{"created_at with an exponent", minedTime, `"created_at":@@1e9`, "created_at", ErrCreatedAt},
	{"created_at with EXPONENT", minedTime, `"created_at":@@1E+9`, "created_at", ErrCreatedAt},
	{"created_at with a leading zero", minedTime, `"created_at":0@@1`, "", ErrSyntax},
	{"created_at with a plus", minedTime, `"created_at":@@+1`, "created_at", ErrSyntax},
	{"created_at minus alone", minedTime, `"created_at":-@@`, "created_at", ErrSyntax},
	{"created_at with a bare point", minedTime, `"created_at":1.@@`, "created_at", ErrSyntax},
	{"created_at with a bare exponent", minedTime, `"created_at":1e@@`, "created_at", ErrSyntax},
	{"created_at hexadecimal", minedTime, `"created_at":0@@x10`, "", ErrSyntax},
	{"created_at a string", minedTime, `"created_at":@@"1651794653"`, "created_at", ErrType},
	{"created_at null", minedTime, `"created_at":@@null`, "created_at", ErrType},
	{"created_at NaN", minedTime, `"created_at":@@NaN`, "created_at", ErrSyntax},
	{"kind 65536", minedKind, `"kind":@@65536`, "kind", ErrKind},
	{"kind 65537", minedKind, `"kind":@@65537`, "kind", ErrKind},
	{"kind 2^32+1", minedKind, `"kind":@@4294967297`, "kind", ErrKind},
	{"kind negative", minedKind, `"kind":@@-1`, "kind", ErrKind},
	{"kind with a fraction", minedKind, `"kind":@@1.0`, "kind", ErrKind},
	{"kind with an exponent", minedKind, `"kind":@@1e0`, "kind", ErrKind},
	{"kind with a leading zero", minedKind, `"kind":0@@1`, "", ErrSyntax},
	{"kind a string", minedKind, `"kind":@@"1"`, "kind", ErrType},
	{"kind an array", minedKind, `"kind":@@[1]`, "kind", ErrType},
	{"kind true", minedKind, `"kind":@@true`, "kind", ErrType},

	// Tags.
	{"tags null (43)", minedTags, `"tags":@@null`, "tags", ErrType},
	{"tags an object", minedTags, `"tags":@@{}`, "tags", ErrType},
	{"tags a string", minedTags, `"tags":@@"[]"`, "tags", ErrType},
	{"tags of strings", minedTags, `"tags":[@@"nonce"]`, "tags", ErrType},
	{"a tag null (43)", minedTags, `"tags":[@@null]`, "tags", ErrType},
	{"a tag an object", minedTags, `"tags":[@@{}]`, "tags", ErrType},
	{"a tag empty", minedTags, `"tags":[[@@]]`, "tags", ErrEmptyTag},
	{"a second tag empty", minedTags, `"tags":[["a"],[ @@]]`, "tags", ErrEmptyTag},
	{"null in a tag (43)", minedTags, `"tags":[["a",@@null]]`, "tags", ErrType},
	{"number in a tag (43)", minedTags, `"tags":[["nonce",@@776797]]`, "tags", ErrType},
	{"negative number in a tag (43)", minedTags, `"tags":[[@@-1]]`, "tags", ErrType},
	{"false in a tag", minedTags, `"tags":[["a",@@false]]`, "tags", ErrType},
	{"array in a tag", minedTags, `"tags":[[@@["a"]]]`, "tags", ErrType},
	{"object in a tag", minedTags, `"tags":[["a",@@{}]]`, "tags", ErrType},
	{"trailing comma in a tag", minedTags, `"tags":[["a",@@]]`, "tags", ErrSyntax},
	{"trailing comma in tags", minedTags, `"tags":[["a"],@@]`, "tags", ErrSyntax},
	{"no comma in a tag", minedTags, `"tags":[["a"@@"b"]]`, "tags", ErrSyntax},
	{"no comma in tags", minedTags, `"tags":[["a"]@@["b"]]`, "tags", ErrSyntax},
	{"tag closed by a brace", minedTags, `"tags":[["a"@@}]`, "tags", ErrSyntax},
	{"tags not closed", mined, `{"tags":[["a"]@@`, "tags", ErrSyntax},
	{"line break in a tag (42)", minedTags, "\"tags\":[[\"a@@\nb\"]]", "tags", ErrSyntax},
	{"bad UTF-8 in a tag (43)", minedTags, "\"tags\":[[\"a@@\xff\"]]", "tags", ErrUTF8},

	// Strings.
	{"content an object (42)", minedContent, `"content":@@{"name":"a"}`, "content", ErrType},
	{"content null", minedContent, `"content":@@null`, "content", ErrType},
	{"content a number", minedContent, `"content":@@1`, "content", ErrType},
	{"content an array", minedContent, `"content":@@["a"]`, "content", ErrType},
	{"content without quotes", minedContent, `"content":@@a`, "content", ErrSyntax},
	{"raw line feed (42)", minedContent, "\"content\":\"a@@\nb\"", "content", ErrSyntax},
	{"raw carriage return (42)", minedContent, "\"content\":\"a@@\rb\"", "content", ErrSyntax},
	{"raw tab (42)", minedContent, "\"content\":\"a@@\tb\"", "content", ErrSyntax},
	{"raw NUL (42)", minedContent, "\"content\":\"@@\x00\"", "content", ErrSyntax},
	{"raw 1f (42)", minedContent, "\"content\":\"0123456789abcdefghijklmnopqrstuvwxyz@@\x1f\"", "content", ErrSyntax},
	{"unknown escape", minedContent, `"content":"@@\x41"`, "content", ErrSyntax},
	{"escaped single quote", minedContent, `"content":"@@\'"`, "content", ErrSyntax},
	{"escape in capitals", minedContent, `"content":"@@\U0041"`, "content", ErrSyntax},
	{"three digits", minedContent, `"content":"@@\u041"`, "content", ErrSyntax},
	{"bad digit", minedContent, `"content":"@@\u004g"`, "content", ErrSyntax},
	{"sign for a digit", minedContent, `"content":"@@\u+041"`, "content", ErrSyntax},
	{"lone high surrogate (43)", minedContent, `"content":"a@@\ud83d"`, "content", ErrUTF8},
	{"lone low surrogate (43)", minedContent, `"content":"a@@\ude00"`, "content", ErrUTF8},
	{"high surrogate and a letter (43)", minedContent, `"content":"@@\ud83dx"`, "content", ErrUTF8},
	{"high surrogate and an escape (43)", minedContent, `"content":"@@\ud83d\n"`, "content", ErrUTF8},
	{"high surrogate and a scalar (43)", minedContent, `"content":"@@\ud83d\u0041"`, "content", ErrUTF8},
	{"two high surrogates (43)", minedContent, `"content":"@@\ud83d\ud83d"`, "content", ErrUTF8},
	{"surrogates swapped (43)", minedContent, `"content":"@@\ude00\ud83d"`, "content", ErrUTF8},
	{"lone surrogate in a tag (43)", minedTags, `"tags":[["@@\uDFFF"]]`, "tags", ErrUTF8},
	{"lone surrogate in an unknown key's value (43)", minedKind, `"x":"@@\ud800",` + minedKind, "", ErrUTF8},
	{"lone continuation byte (43)", minedContent, "\"content\":\"abc@@\x80\"", "content", ErrUTF8},
	{"overlong slash (43)", minedContent, "\"content\":\"@@\xc0\xaf\"", "content", ErrUTF8},
	{"surrogate in UTF-8 (43)", minedContent, "\"content\":\"\u00e9@@\xed\xa0\x80\"", "content", ErrUTF8},
	{"above U+10FFFF (43)", minedContent, "\"content\":\"@@\xf4\x90\x80\x80\"", "content", ErrUTF8},
	{"sequence cut by the quote (43)", minedContent, "\"content\":\"\U0001F600@@\xf0\x9f\x98\"", "content", ErrUTF8},
	{"sequence cut by an escape (43)", minedContent, "\"content\":\"@@\xc3\\n\xa9\"", "content", ErrUTF8},
	{"string not closed", mined, `{"content":"abc@@`, "content", ErrSyntax},
	{"string ends in a backslash", mined, `{"content":"abc@@\`, "content", ErrSyntax},
	{"string ends in an escape", mined, `{"content":"abc@@\u00`, "content", ErrSyntax},
	{"escaped closing quote", mined, `{"content":"abc\"@@`, "content", ErrSyntax},

	// Values of unknown keys.
	{"unknown without a value", minedKind, `"x":@@,` + minedKind, "", ErrSyntax},
	{"unknown word", minedKind, `"x":@@nul,` + minedKind, "", ErrSyntax},
	{"unknown word too long", minedKind, `"x":null@@l,` + minedKind, "", ErrSyntax},
	{"unknown True", minedKind, `"x":@@True,` + minedKind, "", ErrSyntax},
	{"unknown number 01", minedKind, `"x":0@@1,` + minedKind, "", ErrSyntax},
	{"unknown number .5", minedKind, `"x":@@.5,` + minedKind, "", ErrSyntax},
	{"unknown number 1e", minedKind, `"x":1e@@,` + minedKind, "", ErrSyntax},
	{"unknown minus", minedKind, `"x":-@@,` + minedKind, "", ErrSyntax},
	{"unknown string with a control", minedKind, "\"x\":\"@@\x01\"," + minedKind, "", ErrSyntax},
	{"unknown string with bad UTF-8", minedKind, "\"x\":[{\"a\":\"@@\xc3\"}]," + minedKind, "", ErrUTF8},
	{"unknown array, trailing comma", minedKind, `"x":[1,@@],` + minedKind, "", ErrSyntax},
	{"unknown array, closed by a brace", minedKind, `"x":[1@@},` + minedKind, "", ErrSyntax},
	{"unknown object, key a number", minedKind, `"x":{@@1:1},` + minedKind, "", ErrSyntax},
	{"unknown object, trailing comma", minedKind, `"x":{"a":1,@@},` + minedKind, "", ErrSyntax},
	{"unknown object, no colon", minedKind, `"x":{"a"@@},` + minedKind, "", ErrSyntax},
	{"unknown nested 32 in the object", minedKind, `"x":` + strings.Repeat("[", 31) + `@@[` + strings.Repeat("]", 32) + `,` + minedKind, "", ErrNesting},
	{"unknown nested objects", minedKind, `"x":` + strings.Repeat(`{"a":`, 31) + `@@{`, "", ErrNesting},
	{"unknown nested a million times", minedKind, `"x":` + strings.Repeat("[", 31) + `@@` + strings.Repeat("[", 1_000_000), "", ErrNesting},
}

func TestParseRejects(t *testing.T) {
	for _, tt := range rejects {
		t.Run(tt.name, func(t *testing.T) {
			text := with(t, tt.old, tt.new)
			offset := strings.Index(text, "@@")
			text = strings.Replace(text, "@@", "", 1)
			if tt.cause == ErrMissingKey {
				offset = strings.LastIndexByte(text, '}')
			}
			if offset < 0 {
				t.Fatal("the case names no offset")
			}
			e, err := Parse([]byte(text))
			if e != nil {
				t.Error("an event beside the error")
			}
			var pe *ParseError
			if !errors.As(err, &pe) {
				t.Fatalf("error %v, want a *ParseError", err)
			}
			if !errors.Is(err, tt.cause) || pe.Field != tt.field || pe.Offset != offset {
				t.Errorf("%v in %q at %d, want %v in %q at %d", pe.Err, pe.Field, pe.Offset, tt.cause, tt.field, offset)
			}
			// What is wrong for events is wrong for rumors, but for absence.
			if tt.cause == ErrMissingKey || tt.field == "sig" || tt.field == "id" {
				return
			}
			if _, _, err := ParseUnsigned([]byte(text)); !errors.Is(err, tt.cause) {
				t.Errorf("ParseUnsigned: %v, want %v", err, tt.cause)
			}
		})
	}
}

// Every text that is cut short is refused, and nothing reads beyond its end.
func TestParseTruncated(t *testing.T) {
	text := with(t, minedKind, `"x":[{"a":[true,false,null,-1.5e+3]},"\u0041\ud83d\ude00é"],`+minedKind)
	if _, err := Parse([]byte(text)); err != nil {
		t.Fatal(err)
	}
	for n := range len(text) {
		cut := []byte(text)[:n:n]
		if _, err := Parse(cut); err == nil {
			t.Errorf("the first %d bytes are accepted", n)
		}
	}
}

func TestParseErrorText(t *testing.T) {
	_, err := Parse([]byte(with(t, `"776797"`, `776797`)))
	if got, want := err.Error(), "event: wrong JSON type (tags, byte 199)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	_, err = Parse([]byte(`{"secret`))
	if got, want := err.Error(), "event: not valid JSON (byte 8)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	err = (&Event{Kind: 70000}).Validate()
	if got, want := err.Error(), "event: kind is not an integer in 0..65535 (kind)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	err = (&Event{Tags: Tags{{"a"}, {}}}).Validate()
	if got, want := err.Error(), "event: empty tag (tags, tag 1)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// No error shows anything of the text: each is made of a sentinel, a field's
// name and a number.
func TestParseErrorsCarryNoContent(t *testing.T) {
	for _, tt := range rejects {
		text := strings.Replace(with(t, tt.old, tt.new), "@@", "", 1)
		_, err := Parse([]byte(text))
		var pe *ParseError
		if !errors.As(err, &pe) {
			t.Fatalf("%s: %v", tt.name, err)
		}
		place := fmt.Sprintf("byte %d", pe.Offset)
		if tt.field != "" {
			place = tt.field + ", " + place
		}
		if want := fmt.Sprintf("%s (%s)", tt.cause, place); err.Error() != want {
			t.Errorf("%s: %q, want %q", tt.name, err, want)
		}
	}
}

func TestParseAccepts(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		content        string
		tags           Tags
	}{
		{"as it is", minedKind, minedKind, "It's just me mining my own business", Tags{{"nonce", "776797", "20"}}},
		{"white space all over", minedTags, " \t\"tags\"\r\n:\n[ [ \"nonce\" , \"776797\"\t,\"20\" ]\n] ", "It's just me mining my own business", Tags{{"nonce", "776797", "20"}}},
		{"unknown keys", minedKind, `"":null,"x":[[],{},[{"a":[1,-0,0.5,1E-7,1e+400,true,false,null,"\u0000\uD83D\uDE00\/"]}]],"seen_on":["wss://relay.example"],"x":1,` + minedKind, "It's just me mining my own business", Tags{{"nonce", "776797", "20"}}},
		{"unknown keys that look alike", minedKind, `"id ":1,"tag":1,"contents":1,"createdat":1,"sigs":1,"a\u0000":1,"KINDS":1,"created_at_":1,` + minedKind, "It's just me mining my own business", Tags{{"nonce", "776797", "20"}}},
		{"unknown value nested 31", minedKind, `"x":` + nested(31) + `,` + minedKind, "It's just me mining my own business", Tags{{"nonce", "776797", "20"}}},
		{"no tags", minedTags, `"tags":[]`, "It's just me mining my own business", Tags{}},
		{"no tags but a space", minedTags, `"tags":[ ]`, "It's just me mining my own business", Tags{}},
		{"many tags", minedTags, `"tags":[["a"],["b",""],["","",""],["]","[[\"","\\"],["d","\u005d\u005b"]]`, "It's just me mining my own business", Tags{{"a"}, {"b", ""}, {"", "", ""}, {"]", `[["`, `\`}, {"d", "]["}}},
		{"empty content", minedContent, `"content":""`, "", Tags{{"nonce", "776797", "20"}}},
		{"short escapes", minedContent, `"content":"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", Tags{{"nonce", "776797", "20"}}},
		{"long escapes", minedContent, `"content":"\u0041\u00e9\u20AC\ud83d\ude00\u0000\uFFFD\uffff\ud800\udc00\udbff\udfff"`, "A\u00e9\u20ac\U0001F600\x00\ufffd\uffff\U00010000\U0010FFFF", Tags{{"nonce", "776797", "20"}}},
		{"raw characters (41)", minedContent, "\"content\":\"/<>&'\x7f\u0080\u2028\u2029\ufeff\U0001F600e\u0301\"", "/<>&'\x7f\u0080\u2028\u2029\ufeff\U0001F600e\u0301", Tags{{"nonce", "776797", "20"}}},
		{"escaped key", `"content"`, `"\u0063onten\u0074"`, "It's just me mining my own business", Tags{{"nonce", "776797", "20"}}},
		{"escaped hexadecimal", `"000006d8`, `"\u0030000\u00306\u00648`, "It's just me mining my own business", Tags{{"nonce", "776797", "20"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := []byte("\r\n\t " + with(t, tt.old, tt.new) + " \n")
			e, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			clear(text) // the event shares no memory with it
			if e.Content != tt.content {
				t.Errorf("content %q, want %q", e.Content, tt.content)
			}
			if !e.Tags.Equal(tt.tags) || e.Tags == nil {
				t.Errorf("tags %q, want %q", e.Tags, tt.tags)
			}
			if got, want := e.ID.String(), "000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358"; got != want {
				t.Errorf("id %s, want %s", got, want)
			}
			if got, want := e.PubKey.String(), "a48380f4cfcc1ad5378294fcac36439770f9c878dd880ffa94bb74ea54a6f243"; got != want {
				t.Errorf("pubkey %s, want %s", got, want)
			}
			if got, want := e.Sig.String(), "284622fc0a3f4f1303455d5175f7ba962a3300d136085b9566801bc2e0699de0c7e31e44c81fb40ad9049173742e904713c3594a1da0fc5d2382a25c11aba977"; got != want {
				t.Errorf("sig %s, want %s", got, want)
			}
			if e.CreatedAt != 1651794653 || e.Kind != 1 {
				t.Errorf("created_at %d, kind %d", e.CreatedAt, e.Kind)
			}
		})
	}
}

func TestParseBounds(t *testing.T) {
	for _, tt := range []struct {
		created, kind string
		createdAt     int64
		k             int
	}{
		{"0", "0", 0, 0},
		{"9007199254740991", "65535", 9007199254740991, 65535},
		{"4294967296", "21059", 4294967296, 21059},
	} {
		text := strings.Replace(with(t, minedTime, `"created_at":`+tt.created), minedKind, `"kind":`+tt.kind, 1)
		e, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if e.CreatedAt != tt.createdAt || e.Kind != tt.k {
			t.Errorf("%s, %s: %d, %d", tt.created, tt.kind, e.CreatedAt, e.Kind)
		}
	}
}

// Tags share one allocation, but appending to one leaves its neighbour alone.
func TestParseTagsAreSeparate(t *testing.T) {
	e, err := Parse([]byte(with(t, minedTags, `"tags":[["a","1"],["b","2"]]`)))
	if err != nil {
		t.Fatal(err)
	}
	_ = append(e.Tags[0], "x")
	if !e.Tags.Equal(Tags{{"a", "1"}, {"b", "2"}}) {
		t.Errorf("tags are now %q", e.Tags)
	}
}

func TestParseUnsigned(t *testing.T) {
	const (
		pubKey = `"pubkey":"a48380f4cfcc1ad5378294fcac36439770f9c878dd880ffa94bb74ea54a6f243"`
		zeros  = "0000000000000000000000000000000000000000000000000000000000000000"
	)
	for _, tt := range []struct {
		name, text string
		present    Present
		field      string
		cause      error
	}{
		{"event", mined, Present{true, true, true, true, true}, "", nil},
		{"rumor", with(t, ","+minedSig, ""), Present{ID: true, PubKey: true, CreatedAt: true, Tags: true}, "", nil},
		{"sig null", with(t, minedSig, `"sig":null`), Present{ID: true, PubKey: true, CreatedAt: true, Tags: true}, "", nil},
		{"sig empty", with(t, minedSig, `"sig":""`), Present{ID: true, PubKey: true, CreatedAt: true, Tags: true}, "", nil},
		{"id null", with(t, minedID, `"id":null`), Present{PubKey: true, CreatedAt: true, Tags: true, Sig: true}, "", nil},
		{"id empty", with(t, minedID, `"id" : "" `), Present{PubKey: true, CreatedAt: true, Tags: true, Sig: true}, "", nil},
		{"id of zeros is there", `{"id":"` + zeros + `","kind":1,"content":""}`, Present{ID: true}, "", nil},
		{"sig of zeros is there", `{"sig":"` + zeros + zeros + `","kind":1,"content":""}`, Present{Sig: true}, "", nil},
		{"smallest", `{"content":"","kind":0}`, Present{}, "", nil},
		{"author alone", `{"content":"a","kind":0,` + pubKey + `}`, Present{PubKey: true}, "", nil},
		{"time alone", `{"content":"a","kind":0,"created_at":0}`, Present{CreatedAt: true}, "", nil},
		{"tags alone", `{"content":"a","kind":0,"tags":[]}`, Present{Tags: true}, "", nil},

		{"no kind", `{"content":""}`, Present{}, "kind", ErrMissingKey},
		{"no content", `{"kind":1}`, Present{}, "content", ErrMissingKey},
		{"id twice, once null", `{"kind":1,"content":"","id":null,"id":"` + zeros + `"}`, Present{}, "id", ErrDuplicateKey},
		{"id of 2 digits", `{"kind":1,"content":"","id":"00"}`, Present{}, "id", ErrHex},
		{"id a number", `{"kind":1,"content":"","id":1}`, Present{}, "id", ErrType},
		{"sig of 64 digits", `{"kind":1,"content":"","sig":"` + zeros + `"}`, Present{}, "sig", ErrHex},
		{"sig false", `{"kind":1,"content":"","sig":false}`, Present{}, "sig", ErrType},
		{"pubkey null", `{"kind":1,"content":"","pubkey":null}`, Present{}, "pubkey", ErrType},
		{"pubkey empty", `{"kind":1,"content":"","pubkey":""}`, Present{}, "pubkey", ErrHex},
		{"created_at null", `{"kind":1,"content":"","created_at":null}`, Present{}, "created_at", ErrType},
		{"tags null", `{"kind":1,"content":"","tags":null}`, Present{}, "tags", ErrType},
		{"nulls", `{"kind":1,"content":"","id":nulls}`, Present{}, "", ErrSyntax},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, present, err := ParseUnsigned([]byte(tt.text))
			if tt.cause != nil {
				var pe *ParseError
				if !errors.As(err, &pe) || !errors.Is(err, tt.cause) || pe.Field != tt.field || e != nil {
					t.Fatalf("%v, %v; want %v in %q", e, err, tt.cause, tt.field)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if present != tt.present {
				t.Errorf("present %+v, want %+v", present, tt.present)
			}
			if present.Tags != (e.Tags != nil) {
				t.Errorf("tags %#v", e.Tags)
			}
		})
	}
}
