package event

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// reference decides about a text by means of encoding/json alone: its decoder
// of tokens, which keeps the order and the duplicates of keys, and what the
// package's rules add to JSON. It returns nil for a text to be refused.
func reference(text []byte, unsigned bool) *Event {
	if !json.Valid(text) || !utf8.Valid(text) || loneSurrogate(text) {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var root any
	if err := dec.Decode(&root); err != nil || depth(root) > 32 {
		return nil
	}
	if _, ok := root.(map[string]any); !ok {
		return nil
	}
	fields := []string{"id", "pubkey", "created_at", "kind", "tags", "content", "sig"}
	seen := map[string]any{}
	dec = json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	dec.Token()
	for dec.More() {
		token, _ := dec.Token()
		var value any
		if err := dec.Decode(&value); err != nil {
			return nil
		}
		key := token.(string)
		for _, f := range fields {
			if strings.EqualFold(key, f) {
				if _, dup := seen[key]; dup || key != f {
					return nil
				}
				seen[key] = value
			}
		}
	}

	e := new(Event)
	ok := true
	hexadecimal := func(key string, dst []byte, mayBeBlank bool) {
		v, there := seen[key]
		if !there || mayBeBlank && (v == nil || v == "") {
			ok = ok && unsigned
			return
		}
		s, isString := v.(string)
		b, err := hex.DecodeString(s)
		ok = ok && isString && err == nil && len(b) == len(dst) && s == strings.ToLower(s)
		copy(dst, b)
	}
	integer := func(key string, max uint64, optional bool) uint64 {
		v, there := seen[key]
		if !there {
			ok = ok && optional
			return 0
		}
		s, _ := v.(json.Number)
		n, err := strconv.ParseUint(string(s), 10, 64)
		ok = ok && err == nil && n <= max
		return n
	}
	hexadecimal("id", e.ID[:], unsigned)
	hexadecimal("sig", e.Sig[:], unsigned)
	hexadecimal("pubkey", e.PubKey[:], false)
	e.CreatedAt = int64(integer("created_at", 1<<53-1, unsigned))
	e.Kind = int(integer("kind", 65535, false))
	content, isString := seen["content"].(string)
	ok = ok && isString
	e.Content = content
	if tags, there := seen["tags"]; there {
		list, isList := tags.([]any)
		ok = ok && isList
		e.Tags = Tags{}
		for _, v := range list {
			items, isList := v.([]any)
			ok = ok && isList && len(items) > 0
			var tag Tag
			for _, item := range items {
				s, isString := item.(string)
				ok = ok && isString
				tag = append(tag, s)
			}
			e.Tags = append(e.Tags, tag)
		}
	} else {
		ok = ok && unsigned
	}
	if !ok {
		return nil
	}
	return e
}

func depth(v any) (n int) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			n = max(n, depth(x))
		}
		return n + 1
	case map[string]any:
		for _, x := range v {
			n = max(n, depth(x))
		}
		return n + 1
	}
	return 0
}

// loneSurrogate looks for \uD800…\uDFFF outside of pairs in a valid JSON text,
// where backslashes are in strings alone.
func loneSurrogate(text []byte) bool {
	unit := func(i int) uint64 {
		if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
			return 0
		}
		n, _ := strconv.ParseUint(string(text[i+2:i+6]), 16, 32)
		return n
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		switch u := unit(i); {
		case u >= 0xd800 && u <= 0xdbff:
			if low := unit(i + 6); low < 0xdc00 || low > 0xdfff {
				return true
			}
			i += 11
		case u >= 0xdc00 && u <= 0xdfff:
			return true
		default:
			i++
		}
	}
	return false
}

// check holds both parsers against the reference, and writing against parsing.
func check(t *testing.T, text []byte) {
	e, err := Parse(text)
	if want := reference(text, false); !(want == nil && err != nil) && !reflect.DeepEqual(e, want) {
		t.Fatalf("Parse(%q) = %+v, %v; want %+v", text, e, err, want)
	}
	if err == nil {
		if err := e.Validate(); err != nil {
			t.Fatalf("Parse accepts %q, Validate says %v", text, err)
		}
		if back, err := Parse(e.AppendJSON(nil)); err != nil || !reflect.DeepEqual(back, e) {
			t.Fatalf("%q comes back as %+v, %v; want %+v", text, back, err, e)
		}
	}
	e, present, err := ParseUnsigned(text)
	if want := reference(text, true); !(want == nil && err != nil) && !reflect.DeepEqual(e, want) {
		t.Fatalf("ParseUnsigned(%q) = %+v, %v; want %+v", text, e, err, want)
	}
	if err == nil && (!present.ID && e.ID != ID{} || !present.Sig && e.Sig != Signature{} ||
		!present.PubKey && e.PubKey != [32]byte{} || !present.CreatedAt && e.CreatedAt != 0) {
		t.Fatalf("ParseUnsigned(%q): %+v is not what is in %+v", text, present, e)
	}
}

// TestReference runs the tables of the other tests past the reference, so that
// both are known to agree on more than what fuzzing finds.
func TestReference(t *testing.T) {
	for _, tt := range rejects {
		text := strings.Replace(with(t, tt.old, tt.new), "@@", "", 1)
		if reference([]byte(text), false) != nil {
			t.Errorf("%s: the reference accepts it", tt.name)
		}
		check(t, []byte(text))
	}
	check(t, []byte(mined))
	check(t, awkward(t).AppendJSON(nil))
	if reference([]byte(mined), false) == nil {
		t.Error("the reference refuses a good event")
	}
}

// One byte of an event is replaced by each that has a meaning in JSON.
func TestReferenceMutations(t *testing.T) {
	const bytesOfJSON = "\x00\n \"\\/{}[]:,0-.eEuaA\x7f\x80\xc3"
	text := []byte(with(t, minedKind, `"x":[{"a":[true,null,-1.5e+3]},"\u0041\ud83d\ude00`+"\u00e9"+`"],`+minedKind))
	for i := range text {
		if i > 16 && i < 60 || i > 90 && i < 140 || i > len(text)-120 && i < len(text)-8 {
			continue // the middle of hexadecimal
		}
		c := text[i]
		for j := range len(bytesOfJSON) {
			text[i] = bytesOfJSON[j]
			check(t, text)
		}
		text[i] = c
	}
	check(t, text)
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(mined))
	f.Add(awkward(f).AppendJSON(nil))
	f.Add([]byte(`{"kind":1,"content":"\ud83d\ude00","tags":[["a","b"],["c"]],"x":[{"y":1e5}],"id":null}`))
	for i := 0; i < len(rejects); i += 5 {
		f.Add([]byte(strings.Replace(with(f, rejects[i].old, rejects[i].new), "@@", "", 1)))
	}
	f.Fuzz(check)
}

// Events of any strings survive the way through JSON, ours and the standard
// library's, unless they are not UTF-8.
func FuzzRoundTrip(f *testing.F) {
	f.Add("a", "b", "c", int64(1), 1)
	f.Add("\x00\"\\", "</\u2028>", "\xff", int64(1)<<53, 65536)
	f.Add("\U0001F600", "", "\ufffd", int64(1)<<53-1, 65535)
	f.Fuzz(func(t *testing.T, content, a, b string, createdAt int64, kind int) {
		e := &Event{CreatedAt: createdAt, Kind: kind, Tags: Tags{{a}, {b, a}, {content}}, Content: content}
		text := e.AppendJSON(nil)
		back, err := Parse(text)
		if invalid := e.Validate(); (invalid == nil) != (err == nil) {
			t.Fatalf("Validate: %v, Parse: %v", invalid, err)
		}
		if err != nil {
			return
		}
		if !reflect.DeepEqual(back, e) {
			t.Fatalf("%+v, want %+v", back, e)
		}
		std, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.NewDecoder(io.MultiReader(bytes.NewReader(std))).Decode(back); err != nil || !reflect.DeepEqual(back, e) {
			t.Fatalf("%+v, %v, want %+v", back, err, e)
		}
	})
}
