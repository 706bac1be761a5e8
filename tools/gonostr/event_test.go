package gonostr

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip59"
)

const aliceHex = "5c0c523f52a5b6fad39ed2403092df8cebc36318b39383bca6c00808626fab3a"

func controls() string {
	var b strings.Builder
	for c := range byte(0x20) {
		b.WriteByte(c)
	}
	return b.String() + "\x7f"
}

// awkward are strings that serialisers disagree on.
var awkward = []string{
	"",
	controls(),
	`"\/'<>&` + "`",
	"\u2028\u2029\u0085\u00a0",
	"\ufeffbom \ufffd \ufffe \uffff",
	"👩‍👩‍👧 𝔘𝔫𝔦 é e\u0301 \u202eabc",
	`\u0041 \n \\u2028`,
	strings.Repeat("x", 511) + "\x00" + strings.Repeat("ü", 300),
}

func awkwardTags() [][]string {
	tags := [][]string{{"p"}, {""}, {"", "", ""}}
	for _, s := range awkward {
		tags = append(tags, []string{s}, []string{"t", s, s})
	}
	return tags
}

func TestRoundTripOfOurs(t *testing.T) {
	sk, err := keys.ParseSecretKey(aliceHex)
	if err != nil {
		t.Fatal(err)
	}
	var tags event.Tags
	for _, tag := range awkwardTags() {
		tags = append(tags, tag)
	}
	for _, content := range awkward {
		for _, tags := range []event.Tags{nil, {}, tags} {
			for _, number := range []struct {
				kind int
				at   int64
			}{{0, 0}, {event.MaxKind, event.MaxCreatedAt}} {
				ours := &event.Event{Kind: number.kind, CreatedAt: number.at, Tags: tags, Content: content}
				if err := ours.Sign(sk); err != nil {
					t.Fatal(err)
				}
				theirs, err := ToEvent(ours)
				if err != nil {
					t.Fatal(err)
				}
				if !theirs.CheckID() {
					t.Errorf("%q: go-nostr computes the id %s, not %s", content, theirs.GetID(), theirs.ID)
				}
				if ok, err := theirs.CheckSignature(); !ok || err != nil {
					t.Errorf("%q: go-nostr refuses the signature: %v", content, err)
				}
				back, err := FromEvent(theirs)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(back, ours) {
					t.Errorf("lost on the way: %#v, was %#v", back, ours)
				}
			}
		}
	}
}

func TestRoundTripOfTheirs(t *testing.T) {
	var tags nostr.Tags
	for _, tag := range awkwardTags() {
		tags = append(tags, tag)
	}
	for _, content := range awkward {
		theirs := &nostr.Event{Kind: 30023, CreatedAt: 1700000000, Tags: tags, Content: content}
		if err := theirs.Sign(aliceHex); err != nil {
			t.Fatal(err)
		}
		ours, err := FromEvent(theirs)
		if err != nil {
			t.Fatal(err)
		}
		if err := ours.Verify(); err != nil {
			t.Errorf("%q: %v", content, err)
		}
		back, err := ToEvent(ours)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, theirs) {
			t.Errorf("lost on the way: %#v, was %#v", back, theirs)
		}

		// Each library's JSON says the same as the conversion.
		parsed, err := event.Parse([]byte(theirs.String()))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(parsed, ours) {
			t.Errorf("go-nostr's JSON says %#v, the conversion %#v", parsed, ours)
		}
		read := &nostr.Event{}
		if err := read.UnmarshalJSON(ours.AppendJSON(nil)); err != nil {
			t.Fatal(err)
		}
		if again, err := FromEvent(read); err != nil || !reflect.DeepEqual(again, ours) {
			t.Errorf("our JSON is read as %#v: %v", again, err)
		}
	}
}

// signedByTheirs is a true event of go-nostr.
func signedByTheirs(t *testing.T) *nostr.Event {
	t.Helper()
	e := &nostr.Event{Kind: 1, CreatedAt: 1700000000, Tags: nostr.Tags{{"t", "a"}, {"t", "b"}}, Content: "hello"}
	if err := e.Sign(aliceHex); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestHostileFromEvent(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*nostr.Event)
		field string
		tag   int
		cause error
	}{
		{"no id", func(e *nostr.Event) { e.ID = "" }, "id", -1, event.ErrMissingKey},
		{"no pubkey", func(e *nostr.Event) { e.PubKey = "" }, "pubkey", -1, event.ErrMissingKey},
		{"no sig", func(e *nostr.Event) { e.Sig = "" }, "sig", -1, event.ErrMissingKey},
		{"id in upper case", func(e *nostr.Event) { e.ID = strings.ToUpper(e.ID) }, "id", -1, event.ErrHex},
		{"pubkey in upper case", func(e *nostr.Event) { e.PubKey = strings.ToUpper(e.PubKey) }, "pubkey", -1, event.ErrHex},
		{"sig in upper case", func(e *nostr.Event) { e.Sig = strings.ToUpper(e.Sig) }, "sig", -1, event.ErrHex},
		{"id too short", func(e *nostr.Event) { e.ID = e.ID[:63] }, "id", -1, event.ErrHex},
		{"id of one byte", func(e *nostr.Event) { e.ID = "0" }, "id", -1, event.ErrHex},
		{"pubkey too long", func(e *nostr.Event) { e.PubKey = "02" + e.PubKey }, "pubkey", -1, event.ErrHex},
		{"sig of an id's length", func(e *nostr.Event) { e.Sig = e.Sig[:64] }, "sig", -1, event.ErrHex},
		{"0x", func(e *nostr.Event) { e.ID = "0x" + e.ID[2:] }, "id", -1, event.ErrHex},
		{"space", func(e *nostr.Event) { e.PubKey = " " + e.PubKey[1:] }, "pubkey", -1, event.ErrHex},
		{"NUL", func(e *nostr.Event) { e.Sig = e.Sig[:127] + "\x00" }, "sig", -1, event.ErrHex},
		{"not ASCII", func(e *nostr.Event) { e.ID = strings.Repeat("é", 32) }, "id", -1, event.ErrHex},
		{"npub", func(e *nostr.Event) { e.PubKey = "npub1" + e.PubKey[5:] }, "pubkey", -1, event.ErrHex},
		{"id of zeros", func(e *nostr.Event) { e.ID = strings.Repeat("0", 64) }, "id", -1, event.ErrHex},
		{"pubkey of zeros", func(e *nostr.Event) { e.PubKey = strings.Repeat("0", 64) }, "pubkey", -1, event.ErrHex},
		{"sig of zeros", func(e *nostr.Event) { e.Sig = strings.Repeat("0", 128) }, "sig", -1, event.ErrHex},
		{"kind below 0", func(e *nostr.Event) { e.Kind = -1 }, "kind", -1, event.ErrKind},
		{"kind 65536", func(e *nostr.Event) { e.Kind = 65536 }, "kind", -1, event.ErrKind},
		{"kind 65537", func(e *nostr.Event) { e.Kind = 65537 }, "kind", -1, event.ErrKind},
		{"time below 0", func(e *nostr.Event) { e.CreatedAt = -1 }, "created_at", -1, event.ErrCreatedAt},
		{"time 2^53", func(e *nostr.Event) { e.CreatedAt = 1 << 53 }, "created_at", -1, event.ErrCreatedAt},
		{"time of 64 bits", func(e *nostr.Event) { e.CreatedAt = -1 << 63 }, "created_at", -1, event.ErrCreatedAt},
		{"content not UTF-8", func(e *nostr.Event) { e.Content = "a\xff" }, "content", -1, event.ErrUTF8},
		{"half a surrogate pair", func(e *nostr.Event) { e.Content = "\xed\xa0\xbd" }, "content", -1, event.ErrUTF8},
		{"overlong NUL", func(e *nostr.Event) { e.Content = "\xc0\x80" }, "content", -1, event.ErrUTF8},
		{"tag not UTF-8", func(e *nostr.Event) { e.Tags[1][1] = "\x80" }, "tags", 1, event.ErrUTF8},
		{"empty tag", func(e *nostr.Event) { e.Tags[1] = nostr.Tag{} }, "tags", 1, event.ErrEmptyTag},
		{"nil tag", func(e *nostr.Event) { e.Tags[0] = nil }, "tags", 0, event.ErrEmptyTag},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := signedByTheirs(t)
			c.spoil(e)
			got, err := FromEvent(e)
			var field *event.FieldError
			if got != nil || !errors.As(err, &field) {
				t.Fatalf("got %v, %v", got, err)
			}
			if field.Field != c.field || field.Tag != c.tag || !errors.Is(err, c.cause) {
				t.Errorf("got %q, tag %d: %v", field.Field, field.Tag, err)
			}
		})
	}
	if _, err := FromEvent(nil); err != event.ErrNil {
		t.Error(err)
	}
	if _, err := FromUnsigned(nil); err != event.ErrNil {
		t.Error(err)
	}
}

func TestHostileToEvent(t *testing.T) {
	for _, c := range []struct {
		name  string
		e     *event.Event
		cause error
	}{
		{"nil", nil, event.ErrNil},
		{"kind", &event.Event{Kind: 65536}, event.ErrKind},
		{"time", &event.Event{CreatedAt: -1}, event.ErrCreatedAt},
		{"content", &event.Event{Content: "\xff"}, event.ErrUTF8},
		{"tag", &event.Event{Tags: event.Tags{{"t", "\xff"}}}, event.ErrUTF8},
		{"empty tag", &event.Event{Tags: event.Tags{{}}}, event.ErrEmptyTag},
	} {
		if got, err := ToEvent(c.e); got != nil || !errors.Is(err, c.cause) {
			t.Errorf("%s: got %v, %v", c.name, got, err)
		}
	}
}

// A conversion vouches for nothing: what is false stays false and is refused by
// Verify, also where go-nostr's CheckSignature passes it (a false id).
func TestConversionDoesNotVerify(t *testing.T) {
	e := signedByTheirs(t)
	e.ID = strings.Repeat("1", 64)
	if ok, _ := e.CheckSignature(); !ok {
		t.Fatal("go-nostr looks at the id now")
	}
	ours, err := FromEvent(e)
	if err != nil {
		t.Fatal(err)
	}
	if err := ours.Verify(); err != event.ErrID {
		t.Errorf("got %v", err)
	}
}

func TestConversionSharesNothing(t *testing.T) {
	theirs := signedByTheirs(t)
	ours, err := FromEvent(theirs)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ToEvent(ours)
	if err != nil {
		t.Fatal(err)
	}
	theirs.Tags[0][1], theirs.Tags[1] = "x", nil
	if !ours.Tags.Equal(event.Tags{{"t", "a"}, {"t", "b"}}) {
		t.Errorf("got %v", ours.Tags)
	}
	ours.Tags[0][1], ours.Tags[1] = "y", nil
	if !reflect.DeepEqual(back.Tags, nostr.Tags{{"t", "a"}, {"t", "b"}}) {
		t.Errorf("got %v", back.Tags)
	}
}

func TestUnsigned(t *testing.T) {
	theirs := &nostr.Event{Kind: 1, CreatedAt: 5, Content: "draft"}
	ours, err := FromUnsigned(theirs)
	if err != nil {
		t.Fatal(err)
	}
	if want := (&event.Event{Kind: 1, CreatedAt: 5, Content: "draft"}); !reflect.DeepEqual(ours, want) {
		t.Errorf("got %#v", ours)
	}
	back, err := ToEvent(ours)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, theirs) {
		t.Errorf("got %#v", back)
	}
	theirs.Sig = "00"
	if _, err := FromUnsigned(theirs); !errors.Is(err, event.ErrHex) {
		t.Errorf("got %v", err)
	}
}

func TestRumor(t *testing.T) {
	theirs := &nostr.Event{Kind: 14, CreatedAt: 1700000000, Tags: nostr.Tags{{"p", "x"}}, Content: controls()}
	theirs.PubKey, _ = nostr.GetPublicKey(aliceHex)
	id := theirs.GetID()

	// Neither id nor a signature, false or true, makes a difference.
	for _, e := range []nostr.Event{
		{},
		{ID: id},
		{Sig: "not a signature"},
		{ID: id, Sig: strings.Repeat("1", 128)},
	} {
		in := *theirs
		in.ID, in.Sig = e.ID, e.Sig
		r, err := FromRumor(&in)
		if err != nil {
			t.Fatal(err)
		}
		if r.ID.String() != id {
			t.Errorf("id %v, go-nostr's is %s", r.ID, id)
		}
		out, err := ToRumor(r)
		if err != nil {
			t.Fatal(err)
		}
		want := *theirs
		want.ID = id
		if !reflect.DeepEqual(*out, want) {
			t.Errorf("got %#v", out)
		}
		r.ID = event.ID{}
		if out, err = ToRumor(r); err != nil || out.ID != id {
			t.Errorf("got %v, %v", out, err)
		}
		r.ID = event.ID{1}
		if _, err = ToRumor(r); err != nip59.ErrRumorID {
			t.Errorf("got %v", err)
		}
	}

	for _, c := range []struct {
		name  string
		spoil func(*nostr.Event)
		cause error
	}{
		{"wrong id", func(e *nostr.Event) { e.ID = strings.Repeat("1", 64) }, nip59.ErrRumorID},
		{"bad id", func(e *nostr.Event) { e.ID = "1" }, event.ErrHex},
		{"no author", func(e *nostr.Event) { e.PubKey = "" }, event.ErrMissingKey},
		{"kind", func(e *nostr.Event) { e.Kind = 65536 }, event.ErrKind},
		{"content", func(e *nostr.Event) { e.Content = "\xff" }, event.ErrUTF8},
	} {
		e := *theirs
		c.spoil(&e)
		if r, err := FromRumor(&e); r != nil || !errors.Is(err, c.cause) {
			t.Errorf("%s: got %v, %v", c.name, r, err)
		}
	}
	if _, err := FromRumor(nil); err != nip59.ErrNil {
		t.Error(err)
	}
	if _, err := ToRumor(nil); err != nip59.ErrNil {
		t.Error(err)
	}
	if _, err := ToRumor(&nip59.Rumor{}); !errors.Is(err, event.ErrMissingKey) {
		t.Error(err)
	}
}
