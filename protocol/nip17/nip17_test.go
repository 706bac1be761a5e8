package nip17

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

var ctx = context.Background()

// The x-coordinates of G, 2G and 3G: the public keys of the secrets 1, 2 and 3.
const (
	hexA = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
	hexB = "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
	hexC = "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"
)

func pub(t testing.TB, s string) keys.PublicKey {
	t.Helper()
	p, err := keys.ParsePublicKey(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func people(t testing.TB) (a, b, c keys.PublicKey) {
	return pub(t, hexA), pub(t, hexB), pub(t, hexC)
}

func login(t testing.TB, secret [32]byte) *identity.Identity {
	t.Helper()
	sk, err := keys.NewSecretKey(secret[:])
	if err != nil {
		t.Fatal(err)
	}
	id, err := identity.New(sk)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { id.Close() })
	return id
}

func login3(t testing.TB) (a, b, c *identity.Identity) {
	return login(t, [32]byte{31: 1}), login(t, [32]byte{31: 2}), login(t, [32]byte{31: 3})
}

// opened is what Unwrap makes of a rumor.
func opened(r *nip59.Rumor) *nip59.Message { return &nip59.Message{Sender: r.PubKey, Rumor: r} }

// must takes what a builder returns.
func must(t testing.TB) func(*nip59.Rumor, error) *nip59.Rumor {
	return func(r *nip59.Rumor, err error) *nip59.Rumor {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func mustParse(t testing.TB, r *nip59.Rumor, me keys.PublicKey) *Message {
	t.Helper()
	m, err := Parse(opened(r), me)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func checkTags(t *testing.T, got, want event.Tags) {
	t.Helper()
	if !got.Equal(want) {
		t.Errorf("tags\n%q, want\n%q", got, want)
	}
}

// The two wraps that NIP-17 prints: one to the receiver, one to the sender.
func TestNIPExample(t *testing.T) {
	var file struct {
		NIP17 struct {
			Message     string
			SenderSec   string `json:"sender_sec"`
			SenderPub   string `json:"sender_pub"`
			ReceiverSec string `json:"receiver_sec"`
			ReceiverPub string `json:"receiver_pub"`
			Wraps       []struct {
				To       string
				GiftWrap json.RawMessage `json:"gift_wrap"`
			}
		}
	}
	testkit.VectorsJSON(t, "nips_examples.json", &file)
	n := file.NIP17
	if len(n.Wraps) != 2 {
		t.Fatalf("%d wraps, want 2", len(n.Wraps))
	}
	sender, receiver := login(t, testkit.Hex32(t, n.SenderSec)), login(t, testkit.Hex32(t, n.ReceiverSec))
	for _, w := range n.Wraps {
		me := map[string]*identity.Identity{"sender": sender, "receiver": receiver}[w.To]
		wrap, err := event.Parse(w.GiftWrap)
		if err != nil {
			t.Fatal(err)
		}
		got, err := nip59.Unwrap(ctx, me, wrap, nil)
		if err != nil {
			t.Fatalf("to the %s: %v", w.To, err)
		}
		m, err := Parse(got, me.PublicKey())
		if err != nil {
			t.Fatalf("to the %s: %v", w.To, err)
		}
		if m.Content != "Hola, que tal?" || m.Content != n.Message || m.Kind != 14 || m.CreatedAt != 1703172058 ||
			m.Sender.String() != n.SenderPub || m.ID.String() != "cf4d60706f9681a31c1cd5850779bcabe1578c1ae293296be20748c2e0771749" {
			t.Errorf("to the %s: %+v", w.To, m)
		}
		if m.Room != NewRoom(pub(t, n.SenderPub), pub(t, n.ReceiverPub)) {
			t.Errorf("to the %s: room %v", w.To, m.Room)
		}
		if m.Parent != (event.ID{}) || m.Subject != "" || m.Quotes != nil || m.Targets != nil || m.File != nil || m.Rumor != got.Rumor {
			t.Errorf("to the %s: %+v", w.To, m)
		}
		// A third person to whom somebody showed the message gets no room of it.
		if m, err := Parse(got, pub(t, hexA)); !errors.Is(err, ErrNotInRoom) || m != nil {
			t.Errorf("a third person: %v, %v", m, err)
		}

		// The same fields give the same rumor.
		again := must(t)(Chat(m.Sender, m.Room, m.Content, &Options{CreatedAt: time.Unix(1703172058, 0)}))
		if again.ID != m.ID {
			t.Errorf("id %v, want %v", again.ID, m.ID)
		}
	}
}

// The tags as NIP-17 prints them for kind 14.
func TestChatTags(t *testing.T) {
	a, b, c := people(t)
	at := time.Unix(1700000000, 999)
	room := NewRoom(a, b, c)

	first := must(t)(Chat(a, room, "<b>plain</b> & \u2028", &Options{
		CreatedAt: at,
		Subject:   "boats",
		Relays:    map[keys.PublicKey]string{c: "wss://inbox.example"},
		Quotes: []Quote{
			{Of: "30023:" + hexB + ":x"},
			{Of: strings.Repeat("2", 64), Relay: "wss://r.example"},
			{Of: strings.Repeat("3", 64), Author: b},
		},
		Tags: event.Tags{{"emoji", "boat", "https://e.example/b.png"}},
	}))
	if first.Kind != 14 || first.PubKey != a || first.CreatedAt != 1700000000 || first.Content != "<b>plain</b> & \u2028" {
		t.Errorf("%+v", first)
	}
	checkTags(t, first.Tags, event.Tags{
		{"p", hexB},
		{"p", hexC, "wss://inbox.example"},
		{"subject", "boats"},
		{"q", "30023:" + hexB + ":x"},
		{"q", strings.Repeat("2", 64), "wss://r.example"},
		{"q", strings.Repeat("3", 64), "", hexB},
		{"emoji", "boat", "https://e.example/b.png"},
	})
	m := mustParse(t, first, c)
	if m.Subject != "boats" || m.Room != room || len(m.Quotes) != 3 || m.Content != first.Content ||
		m.Quotes[0] != (Quote{Of: "30023:" + hexB + ":x"}) ||
		m.Quotes[1] != (Quote{Of: strings.Repeat("2", 64), Relay: "wss://r.example"}) ||
		m.Quotes[2] != (Quote{Of: strings.Repeat("3", 64), Author: b}) {
		t.Errorf("%+v", m)
	}

	// The parent's e tag has no marker.
	options := &Options{CreatedAt: at}
	reply := must(t)(Reply(c, m, "aye", options))
	checkTags(t, reply.Tags, event.Tags{{"p", hexA}, {"p", hexB}, {"e", first.ID.String()}})
	if options.ReplyTo != nil {
		t.Error("Reply changed the options")
	}
	if r := mustParse(t, reply, b); r.Parent != first.ID || r.Room != room || r.Sender != c {
		t.Errorf("%+v", r)
	}

	// A note to oneself.
	note := must(t)(Chat(a, NewRoom(a), "rope", nil))
	checkTags(t, note.Tags, event.Tags{{"p", hexA}})
	if mustParse(t, note, a).Room != NewRoom(a) {
		t.Error("not the room of one")
	}
}

// Without CreatedAt a message is of now.
func TestNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, _ := people(t)
		time.Sleep(5 * time.Second)
		if r := must(t)(Chat(a, NewRoom(a, b), "x", nil)); r.CreatedAt != time.Now().Unix() {
			t.Errorf("%d, want %d", r.CreatedAt, time.Now().Unix())
		}
		if e, err := RelayList(nil, time.Time{}); err != nil || e.CreatedAt != time.Now().Unix() {
			t.Errorf("%v, %v", e, err)
		}
	})
}

// The tags as NIP-17 prints them for kind 15, with a file that another
// implementation encrypted.
func TestFileTags(t *testing.T) {
	a, b, _ := people(t)
	sealed := sealedFiles[0]
	f := sealed.info(t)
	f.URL, f.Type = "https://files.example/abc", "text/plain"
	parent := mustParse(t, must(t)(Chat(b, NewRoom(a, b), "send it", nil)), a)
	r := must(t)(File(a, NewRoom(a, b), f, &Options{Subject: "plans", ReplyTo: parent}))
	if r.Kind != 15 || r.Content != "https://files.example/abc" {
		t.Errorf("%+v", r)
	}
	plain := event.Tags{
		{"p", hexB},
		{"e", parent.ID.String()},
		{"subject", "plans"},
		{"file-type", "text/plain"},
		{"encryption-algorithm", "aes-gcm"},
		{"decryption-key", sealed.key},
		{"decryption-nonce", sealed.nonce},
		{"x", sealed.x},
		{"ox", sealed.ox},
	}
	checkTags(t, r.Tags, plain)

	f.Size, f.Dim, f.Thumbhash, f.Blurhash, f.Thumb = 38, "4x3", "th", "bh", "https://files.example/t"
	f.Fallback = []string{"https://one.example/abc", "https://two.example/abc"}
	r = must(t)(File(a, NewRoom(a, b), f, &Options{Subject: "plans", ReplyTo: parent}))
	checkTags(t, r.Tags, append(plain,
		event.Tag{"size", "38"}, event.Tag{"dim", "4x3"}, event.Tag{"thumbhash", "th"}, event.Tag{"blurhash", "bh"},
		event.Tag{"thumb", "https://files.example/t"},
		event.Tag{"fallback", "https://one.example/abc"}, event.Tag{"fallback", "https://two.example/abc"},
	))

	m := mustParse(t, r, b)
	got := *m.File
	if m.Subject != "plans" || m.Parent != parent.ID || m.Room != NewRoom(a, b) {
		t.Errorf("%+v", m)
	}
	key, nonce, err := got.Key.Bytes()
	if err != nil || !bytes.Equal(key, testkit.Hex(t, sealed.key)) || !bytes.Equal(nonce, testkit.Hex(t, sealed.nonce)) {
		t.Errorf("another key or nonce, error %v", err)
	}
	want := *f
	got.Key, want.Key = FileKey{}, FileKey{}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if text, err := m.File.Decrypt(testkit.Hex(t, sealed.ciphertext)); err != nil || string(text) != sealedText {
		t.Errorf("%q, %v", text, err)
	}

	// What is not needed to open a file may be missing.
	r.Tags = slices.DeleteFunc(slices.Clone(r.Tags), func(tag event.Tag) bool {
		return slices.Contains([]string{"ox", "file-type", "size", "dim", "thumbhash", "blurhash", "thumb", "fallback"}, tag[0])
	})
	m = mustParse(t, r, b)
	if text, err := m.File.Decrypt(testkit.Hex(t, sealed.ciphertext)); err != nil || string(text) != sealedText {
		t.Errorf("without ox: %q, %v", text, err)
	}
	// And it is passed on without ox, since ours would only be a guess.
	m.File.Type = "text/plain"
	checkTags(t, must(t)(File(b, NewRoom(a, b), m.File, nil)).Tags, event.Tags{
		{"p", hexA}, {"file-type", "text/plain"}, {"encryption-algorithm", "aes-gcm"},
		{"decryption-key", sealed.key}, {"decryption-nonce", sealed.nonce}, {"x", sealed.x},
	})
}

func TestReaction(t *testing.T) {
	a, b, c := people(t)
	room := NewRoom(a, b, c)
	fromB := mustParse(t, must(t)(Chat(b, room, "x", nil)), a)
	fromA := mustParse(t, must(t)(Chat(a, room, "x", nil)), a)

	// NIP-25: the p tag of whom the reaction is meant for is the last.
	r := must(t)(Reaction(a, fromB, "+", nil))
	if r.Kind != 7 || r.Content != "+" {
		t.Errorf("%+v", r)
	}
	checkTags(t, r.Tags, event.Tags{{"p", hexC}, {"p", hexB}, {"e", fromB.ID.String(), "", hexB}, {"k", "14"}})
	own := must(t)(Reaction(a, fromA, "🚤", nil))
	checkTags(t, own.Tags, event.Tags{{"p", hexB}, {"p", hexC}, {"p", hexA}, {"e", fromA.ID.String(), "", hexA}, {"k", "14"}})
	if got, err := RoomOf(own); err != nil || got != room {
		t.Errorf("%v, %v", got, err)
	}

	m := mustParse(t, r, c)
	if m.Content != "+" || m.Sender != a || len(m.Targets) != 1 || m.Targets[0] != fromB.ID || m.Room != (Room{}) {
		t.Errorf("%+v", m)
	}
	if !m.AppliesTo(fromB) || m.AppliesTo(fromA) || m.AppliesTo(nil) || (*Message)(nil).AppliesTo(fromB) {
		t.Error("applies to another message than its own")
	}
	// Nobody outside of the room reacts, even to an id that got out.
	outside := must(t)(Reaction(c, &Message{ID: fromB.ID, Kind: 14, Sender: b, Room: room}, "-", nil))
	small := mustParse(t, must(t)(Chat(b, NewRoom(a, b), "x", nil)), a)
	outside.Tags[2][1] = small.ID.String()
	if m := mustParse(t, outside, a); m.Targets[0] != small.ID || m.AppliesTo(small) {
		t.Error("a reaction from outside of the room applies")
	}
	// Nor is a chat about what it answers.
	chat := must(t)(Reply(a, fromB, "x", nil))
	if m := mustParse(t, chat, b); m.AppliesTo(fromB) {
		t.Error("a chat applies")
	}
	if (&Message{Sender: b, Kind: KindChat, Room: room, Targets: []event.ID{fromB.ID}}).AppliesTo(fromB) {
		t.Error("a chat with targets applies")
	}
	// Clients that follow NIP-25 alone name only the author of the target, and
	// the last of several e tags counts.
	foreign := nip59.NewRumor(a, 1, 7, event.Tags{{"e", strings.Repeat("1", 64)}, {"e", fromB.ID.String()}, {"p", hexB}}, "")
	if m := mustParse(t, foreign, c); !m.AppliesTo(fromB) || len(m.Targets) != 1 {
		t.Errorf("%+v", m)
	}
}

// A message without an ID cannot be named by another.
func TestTargetWithoutID(t *testing.T) {
	a, b, _ := people(t)
	room := NewRoom(a, b)
	for _, kind := range []int{KindChat, KindFile} {
		target := &Message{Sender: a, Kind: kind, Room: room}
		good := &Message{ID: event.ID{31: 1}, Sender: a, Kind: kind, Room: room}
		_, err1 := Reaction(b, target, "+", nil)
		_, err2 := Deletion(a, room, []*Message{good, target}, "", nil)
		_, err3 := Reply(b, target, "x", nil)
		for i, err := range []error{err1, err2, err3} {
			var tag *TagError
			if !errors.As(err, &tag) || tag.Tag != "e" || !errors.Is(err, ErrTagValue) {
				t.Errorf("kind %d, call %d: %v", kind, i+1, err)
			}
		}
	}
}

// The tags of Options are the caller's, before and after.
func TestTagsAreCopied(t *testing.T) {
	a, b, _ := people(t)
	o := &Options{Tags: event.Tags{{"client", "x"}}}
	r := must(t)(Chat(a, NewRoom(a, b), "x", o))
	o.Tags[0][1] = "y"
	checkTags(t, r.Tags, event.Tags{{"p", hexB}, {"client", "x"}})
	r.Tags[1][1] = "z"
	checkTags(t, o.Tags, event.Tags{{"client", "y"}})
}

// Deletions are made for the author's own messages and apply to those alone.
func TestDeletion(t *testing.T) {
	a, b, c := people(t)
	room := NewRoom(a, b, c)
	chat := mustParse(t, must(t)(Chat(a, room, "x", nil)), b)
	other := mustParse(t, must(t)(Chat(a, room, "y", nil)), b)
	file := &Message{ID: event.ID{1}, Sender: a, Kind: KindFile, Room: room}
	fromB := mustParse(t, must(t)(Chat(b, room, "x", nil)), a)
	reaction := mustParse(t, must(t)(Reaction(a, fromB, "+", nil)), a)

	r := must(t)(Deletion(a, room, []*Message{chat, file, other, reaction}, "typo", nil))
	if r.Kind != 5 || r.Content != "typo" {
		t.Errorf("%+v", r)
	}
	checkTags(t, r.Tags, event.Tags{
		{"p", hexB}, {"p", hexC},
		{"e", chat.ID.String()}, {"e", file.ID.String()}, {"e", other.ID.String()}, {"e", reaction.ID.String()},
		{"k", "14"}, {"k", "15"}, {"k", "7"},
	})
	m := mustParse(t, r, c)
	if len(m.Targets) != 4 || m.Room != (Room{}) || m.Content != "typo" {
		t.Errorf("%+v", m)
	}
	for _, target := range []*Message{chat, file, other, reaction} {
		if !m.AppliesTo(target) {
			t.Errorf("does not apply to %v", target.ID)
		}
	}
	if m.AppliesTo(fromB) {
		t.Error("applies to a message that it does not name")
	}

	if _, err := Deletion(a, room, []*Message{chat, fromB}, "", nil); !errors.Is(err, ErrNotAuthor) {
		t.Errorf("another's message: %v", err)
	}
	// Somebody who writes it by hand gets nowhere.
	forged := nip59.NewRumor(c, 1, 5, event.Tags{{"p", hexA}, {"p", hexB}, {"e", chat.ID.String()}}, "")
	if m := mustParse(t, forged, b); m.Targets[0] != chat.ID || m.AppliesTo(chat) {
		t.Error("another deletes")
	}
	// Deletions stay.
	twice := nip59.NewRumor(a, 1, 5, event.Tags{{"e", m.ID.String()}}, "")
	if mustParse(t, twice, b).AppliesTo(m) {
		t.Error("a deletion is deleted")
	}
}

func TestRefusedToWrite(t *testing.T) {
	a, b, c := people(t)
	room := NewRoom(a, b)
	chat := mustParse(t, must(t)(Chat(b, room, "x", nil)), a)
	reaction := mustParse(t, must(t)(Reaction(b, chat, "+", nil)), a)
	deletion := &Message{ID: event.ID{1}, Sender: a, Kind: KindDeletion}
	own := &Message{ID: event.ID{1}, Sender: a, Kind: KindChat, Room: room}
	key, err := NewFileKey(make([]byte, 32), make([]byte, 12))
	if err != nil {
		t.Fatal(err)
	}
	wiped, err := NewFileKey(make([]byte, 32), make([]byte, 12))
	if err != nil {
		t.Fatal(err)
	}
	wiped.Zero()
	good := FileInfo{URL: "u", Type: "t", Key: key, X: Hash{1}}
	with := func(change func(*FileInfo)) *FileInfo {
		f := good
		change(&f)
		return &f
	}
	for name, c := range map[string]struct {
		want error
		make func() (*nip59.Rumor, error)
	}{
		"author not in the room": {ErrNotInRoom, func() (*nip59.Rumor, error) { return Chat(c, room, "x", nil) }},
		"nobody in the room":     {ErrNotInRoom, func() (*nip59.Rumor, error) { return Chat(a, Room{}, "x", nil) }},
		"not UTF-8":              {event.ErrUTF8, func() (*nip59.Rumor, error) { return Chat(a, room, "\xff", nil) }},
		"before 1970":            {event.ErrCreatedAt, func() (*nip59.Rumor, error) { return Chat(a, room, "x", &Options{CreatedAt: time.Unix(-1, 0)}) }},
		"an empty tag":           {event.ErrEmptyTag, func() (*nip59.Rumor, error) { return Chat(a, room, "x", &Options{Tags: event.Tags{{}}}) }},
		"p among the tags":       {ErrTagReserved, func() (*nip59.Rumor, error) { return Chat(a, room, "x", &Options{Tags: event.Tags{{"p", hexC}}}) }},
		"e among the tags":       {ErrTagReserved, func() (*nip59.Rumor, error) { return Chat(a, room, "x", &Options{Tags: event.Tags{{"e", "x"}}}) }},
		"a key among the tags": {ErrTagReserved, func() (*nip59.Rumor, error) {
			return File(a, room, &good, &Options{Tags: event.Tags{{"decryption-key", ""}}})
		}},
		"an empty quote":          {ErrTagValue, func() (*nip59.Rumor, error) { return Chat(a, room, "x", &Options{Quotes: []Quote{{}}}) }},
		"reply to nothing":        {nip59.ErrNil, func() (*nip59.Rumor, error) { return Reply(a, nil, "x", nil) }},
		"reply to a reaction":     {ErrKind, func() (*nip59.Rumor, error) { return Reply(a, reaction, "x", nil) }},
		"reply from elsewhere":    {ErrOtherRoom, func() (*nip59.Rumor, error) { return Chat(a, NewRoom(a, b, c), "x", &Options{ReplyTo: chat}) }},
		"reply by a stranger":     {ErrNotInRoom, func() (*nip59.Rumor, error) { return Reply(c, chat, "x", nil) }},
		"reaction to nothing":     {nip59.ErrNil, func() (*nip59.Rumor, error) { return Reaction(a, nil, "+", nil) }},
		"reaction to a reaction":  {ErrKind, func() (*nip59.Rumor, error) { return Reaction(a, reaction, "+", nil) }},
		"reaction by a stranger":  {ErrNotInRoom, func() (*nip59.Rumor, error) { return Reaction(c, chat, "+", nil) }},
		"reaction to a stranger":  {ErrNotInRoom, func() (*nip59.Rumor, error) { return Reaction(a, &Message{Sender: c, Kind: 14, Room: room}, "+", nil) }},
		"reaction with a subject": {ErrOption, func() (*nip59.Rumor, error) { return Reaction(a, chat, "+", &Options{Subject: "x"}) }},
		"reaction that replies":   {ErrOption, func() (*nip59.Rumor, error) { return Reaction(a, chat, "+", &Options{ReplyTo: chat}) }},
		"deletion that quotes": {ErrOption, func() (*nip59.Rumor, error) {
			return Deletion(a, room, []*Message{own}, "", &Options{Quotes: []Quote{{Of: "x"}}})
		}},
		"deletion of none":       {ErrTagMissing, func() (*nip59.Rumor, error) { return Deletion(a, room, nil, "", nil) }},
		"deletion of nil":        {nip59.ErrNil, func() (*nip59.Rumor, error) { return Deletion(a, room, []*Message{nil}, "", nil) }},
		"deletion of a deletion": {ErrKind, func() (*nip59.Rumor, error) { return Deletion(a, room, []*Message{deletion}, "", nil) }},
		"deletion elsewhere":     {ErrOtherRoom, func() (*nip59.Rumor, error) { return Deletion(a, NewRoom(a, c), []*Message{own}, "", nil) }},
		"no file":                {nip59.ErrNil, func() (*nip59.Rumor, error) { return File(a, room, nil, nil) }},
		"no URL":                 {ErrFileURL, func() (*nip59.Rumor, error) { return File(a, room, with(func(f *FileInfo) { f.URL = "" }), nil) }},
		"no type":                {ErrTagMissing, func() (*nip59.Rumor, error) { return File(a, room, with(func(f *FileInfo) { f.Type = "" }), nil) }},
		"no x":                   {ErrTagMissing, func() (*nip59.Rumor, error) { return File(a, room, with(func(f *FileInfo) { f.X = Hash{} }), nil) }},
		"negative size":          {ErrTagValue, func() (*nip59.Rumor, error) { return File(a, room, with(func(f *FileInfo) { f.Size = -1 }), nil) }},
		"empty fallback": {ErrTagValue, func() (*nip59.Rumor, error) {
			return File(a, room, with(func(f *FileInfo) { f.Fallback = []string{""} }), nil)
		}},
		"no key":    {keys.ErrDestroyed, func() (*nip59.Rumor, error) { return File(a, room, with(func(f *FileInfo) { f.Key = FileKey{} }), nil) }},
		"wiped key": {keys.ErrDestroyed, func() (*nip59.Rumor, error) { return File(a, room, with(func(f *FileInfo) { f.Key = wiped }), nil) }},
	} {
		if r, err := c.make(); !errors.Is(err, c.want) || r != nil {
			t.Errorf("%s: %v, %v, want %v", name, r, err, c.want)
		}
	}
}

// Hostile rumors give typed errors that name the tag and no half-read message.
func TestRefusedToRead(t *testing.T) {
	a, b, _ := people(t)
	sealed := sealedFiles[0]
	file := func(change ...event.Tag) event.Tags {
		tags := event.Tags{
			{"p", hexB},
			{"file-type", "text/plain"},
			{"encryption-algorithm", "aes-gcm"},
			{"decryption-key", sealed.key},
			{"decryption-nonce", sealed.nonce},
			{"x", sealed.x},
			{"ox", sealed.ox},
		}
		for _, tag := range change {
			i := slices.IndexFunc(tags, func(old event.Tag) bool { return old[0] == tag[0] })
			switch {
			case len(tag) == 1 && i >= 0:
				tags = slices.Delete(tags, i, i+1)
			case i >= 0:
				tags[i] = tag
			default:
				tags = append(tags, tag)
			}
		}
		return tags
	}
	if m := mustParse(t, nip59.NewRumor(a, 1, 15, file(), "u"), b); m.File == nil {
		t.Fatal("the unchanged file is refused")
	}
	zeros := strings.Repeat("0", 64)
	for _, c := range []struct {
		name string
		kind int
		tags event.Tags
		want error
		tag  string
	}{
		{"note", 1, event.Tags{{"p", hexB}}, ErrKind, ""},
		{"seal", 13, event.Tags{{"p", hexB}}, ErrKind, ""},
		{"wrap", 1059, event.Tags{{"p", hexB}}, ErrKind, ""},
		{"no tags", 14, nil, ErrNotInRoom, ""},
		{"for others", 14, event.Tags{{"p", hexC}}, ErrNotInRoom, ""},
		{"p in upper case", 14, event.Tags{{"p", strings.ToUpper(hexB)}}, ErrTagValue, "p"},
		{"p too short", 14, event.Tags{{"p", hexB}, {"p", hexB[:62]}}, ErrTagValue, "p"},
		{"p of no value", 14, event.Tags{{"p", hexB}, {"p"}}, ErrTagValue, "p"},
		{"p an npub", 14, event.Tags{{"p", "npub1"}, {"p", hexB}}, ErrTagValue, "p"},
		{"p in another case", 14, event.Tags{{"P", hexB}}, ErrNotInRoom, ""},
		{"e no hex", 14, event.Tags{{"p", hexB}, {"e", "x"}}, ErrTagValue, "e"},
		{"e of no value", 14, event.Tags{{"p", hexB}, {"e"}}, ErrTagValue, "e"},
		{"q of no value", 14, event.Tags{{"p", hexB}, {"q"}}, ErrTagValue, "q"},
		{"q with a bad author", 14, event.Tags{{"p", hexB}, {"q", zeros, "", "x"}}, ErrTagValue, "q"},
		{"reaction to nothing", 7, event.Tags{{"p", hexB}}, ErrTagMissing, "e"},
		{"reaction no hex", 7, event.Tags{{"p", hexB}, {"e", zeros[1:]}}, ErrTagValue, "e"},
		{"deletion of nothing", 5, event.Tags{{"p", hexB}, {"a", "14:x:y"}}, ErrTagMissing, "e"},
		{"deletion no hex", 5, event.Tags{{"e", zeros}, {"e", "X" + zeros[1:]}}, ErrTagValue, "e"},

		{"file for others", 15, file(event.Tag{"p", hexC}), ErrNotInRoom, ""},
		{"no algorithm", 15, file(event.Tag{"encryption-algorithm"}), ErrTagMissing, "encryption-algorithm"},
		{"no key", 15, file(event.Tag{"decryption-key"}), ErrTagMissing, "decryption-key"},
		{"no nonce", 15, file(event.Tag{"decryption-nonce"}), ErrTagMissing, "decryption-nonce"},
		{"no x", 15, file(event.Tag{"x"}), ErrTagMissing, "x"},
		{"another algorithm", 15, file(event.Tag{"encryption-algorithm", "aes-cbc"}), ErrFileAlgorithm, "encryption-algorithm"},
		{"algorithm in upper case", 15, file(event.Tag{"encryption-algorithm", "AES-GCM"}), ErrFileAlgorithm, "encryption-algorithm"},
		{"key too short", 15, file(event.Tag{"decryption-key", sealed.key[2:]}), ErrFileKey, "decryption-key"},
		{"key too long", 15, file(event.Tag{"decryption-key", sealed.key + "00"}), ErrFileKey, "decryption-key"},
		{"key of odd length", 15, file(event.Tag{"decryption-key", sealed.key[1:]}), ErrFileKey, "decryption-key"},
		{"key no hex", 15, file(event.Tag{"decryption-key", "g" + sealed.key[1:]}), ErrFileKey, "decryption-key"},
		{"key empty", 15, file(event.Tag{"decryption-key", ""}), ErrFileKey, "decryption-key"},
		{"key huge", 15, file(event.Tag{"decryption-key", strings.Repeat("0", 1<<20)}), ErrFileKey, "decryption-key"},
		{"nonce too short", 15, file(event.Tag{"decryption-nonce", sealed.nonce[2:]}), ErrFileKey, "decryption-nonce"},
		{"nonce too long", 15, file(event.Tag{"decryption-nonce", strings.Repeat("00", 17)}), ErrFileKey, "decryption-nonce"},
		{"x too short", 15, file(event.Tag{"x", sealed.x[2:]}), ErrTagValue, "x"},
		{"x in upper case", 15, file(event.Tag{"x", strings.ToUpper(sealed.x)}), ErrTagValue, "x"},
		{"x of zeros", 15, file(event.Tag{"x", zeros}), ErrTagValue, "x"},
		{"ox empty", 15, file(event.Tag{"ox", ""}), ErrTagValue, "ox"},
		{"ox of zeros", 15, file(event.Tag{"ox", zeros}), ErrTagValue, "ox"},
		{"size negative", 15, file(event.Tag{"size", "-1"}), ErrTagValue, "size"},
		{"size signed", 15, file(event.Tag{"size", "+1"}), ErrTagValue, "size"},
		{"size of 2^63", 15, file(event.Tag{"size", "9223372036854775808"}), ErrTagValue, "size"},
		{"size a fraction", 15, file(event.Tag{"size", "1.5"}), ErrTagValue, "size"},
		{"size hexadecimal", 15, file(event.Tag{"size", "0x10"}), ErrTagValue, "size"},
		{"two keys", 15, append(file(), event.Tag{"decryption-key", sealed.key}), ErrTagTwice, "decryption-key"},
		{"two x", 15, append(file(), event.Tag{"x", zeros}), ErrTagTwice, "x"},
		{"two ox", 15, append(file(), event.Tag{"ox", zeros}), ErrTagTwice, "ox"},
		{"two algorithms", 15, append(file(), event.Tag{"encryption-algorithm", "none"}), ErrTagTwice, "encryption-algorithm"},
	} {
		m, err := Parse(opened(nip59.NewRumor(a, 1, c.kind, c.tags, "u")), b)
		if !errors.Is(err, c.want) || m != nil {
			t.Errorf("%s: %v, %v, want %v", c.name, m, err, c.want)
			continue
		}
		var tagErr *TagError
		if errors.As(err, &tagErr) != (c.tag != "") || (tagErr != nil && tagErr.Tag != c.tag) {
			t.Errorf("%s: %#v does not name %q", c.name, err, c.tag)
		}
		// Case 18: errors carry no key.
		if strings.Contains(err.Error(), sealed.key[:16]) || strings.Contains(err.Error(), "0000000000") {
			t.Errorf("%s: the error carries what was in the tag", c.name)
		}
	}

	if _, err := Parse(opened(nip59.NewRumor(a, 1, 15, file(), "")), b); !errors.Is(err, ErrFileURL) {
		t.Errorf("no URL: %v", err)
	}
	chat := nip59.NewRumor(a, 1, 14, event.Tags{{"p", hexB}}, "x")
	if _, err := Parse(opened(chat)); !errors.Is(err, ErrNotInRoom) {
		t.Errorf("no reader: %v", err)
	}
	if _, err := Parse(nil, b); !errors.Is(err, nip59.ErrNil) {
		t.Errorf("nil: %v", err)
	}
	if _, err := Parse(&nip59.Message{}, b); !errors.Is(err, nip59.ErrNil) {
		t.Errorf("no rumor: %v", err)
	}
	// Case 21.
	if _, err := Parse(&nip59.Message{Sender: b, Rumor: chat}, b); !errors.Is(err, nip59.ErrSenderMismatch) {
		t.Errorf("another sender: %v", err)
	}
}

// What others write is read.
func TestTolerated(t *testing.T) {
	a, b, c := people(t)
	one, two := event.ID{1}, event.ID{2}
	p := event.Tag{"p", hexB}
	for _, x := range []struct {
		name string
		tags event.Tags
		want event.ID
	}{
		{"no parent", event.Tags{p}, event.ID{}},
		{"with a relay", event.Tags{p, {"e", one.String(), "wss://r.example"}}, one},
		{"marked as in NIP-10", event.Tags{p, {"e", one.String(), "", "reply"}}, one},
		{"root and reply", event.Tags{p, {"e", one.String(), "", "root"}, {"e", two.String(), "", "reply"}}, two},
		{"reply and mention", event.Tags{p, {"e", one.String(), "", "reply"}, {"e", two.String(), "", "mention"}}, one},
		{"root alone", event.Tags{p, {"e", one.String(), "", "root"}}, one},
		{"positional", event.Tags{p, {"e", one.String()}, {"e", two.String()}}, two},
	} {
		if m := mustParse(t, nip59.NewRumor(a, 1, 14, x.tags, ""), b); m.Parent != x.want {
			t.Errorf("%s: %v, want %v", x.name, m.Parent, x.want)
		}
	}
	// The author among the p tags, twice the same p tag, no p tag for oneself.
	for _, tags := range []event.Tags{{p}, {{"p", hexA}, p}, {p, {"p", hexB, "wss://r.example"}}} {
		if m := mustParse(t, nip59.NewRumor(a, 1, 14, tags, ""), b); m.Room != NewRoom(a, b) {
			t.Errorf("%q: %v", tags, m.Room)
		}
	}
	if m := mustParse(t, nip59.NewRumor(a, 1, 14, nil, ""), a); m.Room != NewRoom(a) {
		t.Errorf("%v", m.Room)
	}
	// Any of the reader's keys will do.
	if m, err := Parse(opened(nip59.NewRumor(a, 1, 14, event.Tags{p}, "")), c, b); err != nil || m.Room.Has(c) {
		t.Errorf("%v, %v", m, err)
	}
}

func TestRoom(t *testing.T) {
	a, b, c := people(t)
	room := NewRoom(c, a, b, a)
	if room != NewRoom(a, b, c) || room == NewRoom(a, b) || room.Len() != 3 {
		t.Errorf("%v", room)
	}
	if got := room.Members(); len(got) != 3 || got[0] != a || got[1] != b || got[2] != c {
		t.Errorf("%v", got)
	}
	if s := fmt.Sprint(room); s != hexA+","+hexB+","+hexC {
		t.Error(s)
	}
	for _, x := range []struct {
		room Room
		pub  keys.PublicKey
		want bool
	}{
		{room, a, true}, {room, b, true}, {room, c, true}, {NewRoom(a, c), b, false},
		{NewRoom(b, c), a, false}, {NewRoom(a, b), c, false}, {Room{}, a, false}, {Room{}, keys.PublicKey{}, false},
	} {
		if x.room.Has(x.pub) != x.want {
			t.Errorf("%v has %v: %v", x.room, x.pub, !x.want)
		}
	}
	// Whoever writes, the room is the same.
	for _, author := range []keys.PublicKey{a, b, c} {
		if got, err := RoomOf(must(t)(Chat(author, room, "x", nil))); err != nil || got != room {
			t.Errorf("%v, %v", got, err)
		}
	}
	if _, err := RoomOf(nil); !errors.Is(err, nip59.ErrNil) {
		t.Error(err)
	}

	// As the key of a JSON object.
	text, err := json.Marshal(map[Room]int{room: 1})
	if want := `{"` + hexA + `,` + hexB + `,` + hexC + `":1}`; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
	var back map[Room]int
	if err := json.Unmarshal(text, &back); err != nil || back[room] != 1 {
		t.Errorf("%v, %v", back, err)
	}
	var other Room
	if err := other.UnmarshalText([]byte(hexC + "," + hexA)); err != nil || other != NewRoom(a, c) {
		t.Errorf("%v, %v", other, err)
	}
	for _, bad := range []string{",", hexA + ",", hexA[1:], "x", hexA + hexB} {
		if err := other.UnmarshalText([]byte(bad)); !errors.Is(err, keys.ErrPublicKey) || other != NewRoom(a, c) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := other.UnmarshalText(nil); err != nil || other != (Room{}) {
		t.Errorf("%v, %v", other, err)
	}
}

// Case 40: one rumor id in all copies, the sender's own among them.
func TestSend(t *testing.T) {
	alice, bob, carol := login3(t)
	room := NewRoom(alice.PublicKey(), bob.PublicKey(), carol.PublicKey())
	rumor := must(t)(Chat(alice.PublicKey(), room, "the boat leaves at six", nil))

	ids := map[*identity.Identity]event.ID{}
	results, err := Send(ctx, alice, rumor, nil)
	if err != nil || len(results) != 3 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	once := map[keys.PublicKey]bool{}
	for i, me := range []*identity.Identity{bob, carol, alice} {
		if results[i].Err != nil || results[i].To != me.PublicKey() {
			t.Fatalf("%+v", results[i])
		}
		wrap, err := event.Parse(results[i].Event.AppendJSON(nil))
		if err != nil {
			t.Fatal(err)
		}
		if wrap.Kind != 1059 {
			t.Errorf("kind %d", wrap.Kind)
		}
		once[wrap.PubKey] = true
		checkTags(t, wrap.Tags, event.Tags{{"p", me.PublicKey().String()}})
		got, err := nip59.Unwrap(ctx, me, wrap, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Parse(got, me.PublicKey())
		if err != nil || m.Content != "the boat leaves at six" || m.Room != room || m.Sender != alice.PublicKey() {
			t.Errorf("%+v, %v", m, err)
		}
		ids[me] = m.ID
	}
	if ids[alice] != rumor.ID || ids[bob] != rumor.ID || ids[carol] != rumor.ID {
		t.Errorf("%v, want all %v", ids, rumor.ID)
	}
	if len(once) != 3 {
		t.Error("two wraps are by the same key")
	}

	results, err = Send(ctx, alice, rumor, &SendOptions{NoSelfCopy: true, Wrap: nip59.WrapOptions{SelfCopy: true, Kind: nip59.Ephemeral, Relay: "wss://r.example"}})
	if err != nil || len(results) != 2 || results[0].To != bob.PublicKey() || results[1].To != carol.PublicKey() {
		t.Fatalf("%v, %v", results, err)
	}
	if wrap := results[0].Event; wrap.Kind != 21059 || !slices.Equal(wrap.Tags[0], event.Tag{"p", hexB, "wss://r.example"}) {
		t.Errorf("%+v", wrap)
	}

	// A note to oneself is one wrap, either way.
	note := must(t)(Chat(alice.PublicKey(), NewRoom(alice.PublicKey()), "rope", nil))
	for _, o := range []*SendOptions{nil, {NoSelfCopy: true}} {
		if results, err := Send(ctx, alice, note, o); err != nil || len(results) != 1 || results[0].To != alice.PublicKey() {
			t.Errorf("%v, %v", results, err)
		}
	}
}

// A whole conversation over the wire: file, reaction, deletion.
func TestConversation(t *testing.T) {
	alice, bob, _ := login3(t)
	room := NewRoom(alice.PublicKey(), bob.PublicKey())
	deliver := func(from, to *identity.Identity, r *nip59.Rumor) *Message {
		t.Helper()
		results, err := Send(ctx, from, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range results {
			if result.Err != nil {
				t.Fatal(result.Err)
			}
			if result.To != to.PublicKey() {
				continue
			}
			got, err := nip59.Unwrap(ctx, to, result.Event, nil)
			if err != nil {
				t.Fatal(err)
			}
			m, err := Parse(got, to.PublicKey())
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		t.Fatal("no wrap for the reader")
		return nil
	}
	plain := bytes.Repeat([]byte("picture "), 1000)
	ciphertext, f, err := EncryptFile(plain, "image/png")
	if err != nil {
		t.Fatal(err)
	}
	f.URL = "https://files.example/1"
	message := deliver(alice, bob, must(t)(File(alice.PublicKey(), room, f, nil)))
	if got, err := message.File.Decrypt(ciphertext); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("another file, error %v", err)
	}
	reaction := deliver(bob, alice, must(t)(Reaction(bob.PublicKey(), message, "+", nil)))
	if !reaction.AppliesTo(message) {
		t.Error("the reaction does not apply")
	}
	deletion := deliver(alice, bob, must(t)(Deletion(alice.PublicKey(), room, []*Message{message}, "", nil)))
	if !deletion.AppliesTo(message) {
		t.Error("the deletion does not apply")
	}
	// File was not wiped by Send, which reads the rumor for itself.
	if _, err := f.Decrypt(ciphertext); err != nil {
		t.Error(err)
	}
}

func TestRefusedToSend(t *testing.T) {
	alice, bob, _ := login3(t)
	a, b, _ := people(t)
	chat := must(t)(Chat(a, NewRoom(a, b), "x", nil))
	closed := login(t, [32]byte{31: 1})
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		from *identity.Identity
		r    *nip59.Rumor
		want error
	}{
		"nil":                {alice, nil, nip59.ErrNil},
		"another's":          {bob, chat, nip59.ErrSenderMismatch},
		"a note":             {alice, nip59.NewRumor(a, 1, 1, event.Tags{{"p", hexB}}, "x"), ErrKind},
		"a bad p":            {alice, nip59.NewRumor(a, 1, 14, event.Tags{{"p", "x"}}, "x"), ErrTagValue},
		"a bad p, kind 5":    {alice, nip59.NewRumor(a, 1, 5, event.Tags{{"p", "x"}, {"e", chat.ID.String()}}, "x"), ErrTagValue},
		"a file without key": {alice, nip59.NewRumor(a, 1, 15, event.Tags{{"p", hexB}}, "x"), ErrTagMissing},
		"a closed signer":    {closed, chat, identity.ErrClosed},
	} {
		if results, err := Send(ctx, c.from, c.r, nil); !errors.Is(err, c.want) || results != nil {
			t.Errorf("%s: %v, %v, want %v", name, results, err, c.want)
		}
	}

	// One bad receiver spoils no other: 5 is no x-coordinate (BIP-340).
	off := keys.PublicKey{31: 5}
	if _, err := keys.NewPublicKey(off[:]); err == nil {
		t.Fatal("5 is on the curve")
	}
	results, err := Send(ctx, alice, must(t)(Chat(a, NewRoom(a, b, off), "x", nil)), nil)
	if err != nil || len(results) != 3 {
		t.Fatalf("%v, %v", results, err)
	}
	for _, r := range results {
		if r.To == off != errors.Is(r.Err, keys.ErrPublicKey) || r.To == off != (r.Event == nil) {
			t.Errorf("%+v", r)
		}
	}
	// A rumor whose id is not its hash.
	spoiled := *chat
	spoiled.ID[0] ^= 1
	results, err = Send(ctx, alice, &spoiled, nil)
	if results != nil || !errors.Is(err, nip59.ErrRumorID) {
		t.Errorf("%v, %v", results, err)
	}
	// One that is too large, and options that no wrap can have.
	large := nip59.NewRumor(a, 1, 14, event.Tags{{"p", hexB}}, strings.Repeat("x", nip59.LegacyMaxRumor))
	huge := nip59.NewRumor(a, 1, 14, event.Tags{{"p", hexB}}, strings.Repeat("x", nip59.MaxRumor))
	for _, c := range []struct {
		r    *nip59.Rumor
		o    nip59.WrapOptions
		want error
	}{
		{huge, nip59.WrapOptions{}, nip44.ErrTooLarge},
		{large, nip59.WrapOptions{LegacyOnly: true}, nip44.ErrTooLarge},
		{chat, nip59.WrapOptions{Expiration: -1}, nip59.ErrExpiration},
		{chat, nip59.WrapOptions{Kind: 1}, nip59.ErrKind},
	} {
		if results, err := Send(ctx, alice, c.r, &SendOptions{Wrap: c.o}); results != nil || !errors.Is(err, c.want) {
			t.Errorf("%v, %v, want %v", results, err, c.want)
		}
	}
	if results, err := Send(ctx, alice, large, nil); err != nil || len(results) != 2 || results[0].Err != nil {
		t.Errorf("%v, %v", results, err)
	}
	// The context ends.
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Send(ended, alice, chat, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Case 39: the expiration is counted from the shifted time of its own wrap, is
// on the wrap alone and never early.
func TestExpiration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		alice, bob, _ := login3(t)
		a, b, _ := people(t)
		now := time.Now().Unix()
		rumor := must(t)(Chat(a, NewRoom(a, b), "x", nil))
		shifts := map[int64]bool{}
		for range 10 {
			results, err := Send(ctx, alice, rumor, &SendOptions{Wrap: nip59.WrapOptions{Expiration: time.Hour}})
			if err != nil || len(results) != 2 {
				t.Fatalf("%v, %v", results, err)
			}
			for i, me := range []*identity.Identity{bob, alice} {
				wrap := results[i].Event
				at, err := strconv.ParseInt(wrap.Tags.Find("expiration").Value(), 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				// Two days and an hour after a time in the last two days.
				if at != wrap.CreatedAt+172800+3600 || wrap.CreatedAt > now || at < now+3600 {
					t.Errorf("created %d, expires %d, now %d", wrap.CreatedAt, at, now)
				}
				shifts[now-wrap.CreatedAt] = true
				m, err := nip59.Unwrap(ctx, me, wrap, nil)
				if err != nil {
					t.Fatal(err)
				}
				if m.Rumor.Tags.Find("expiration") != nil {
					t.Error("the rumor expires")
				}
			}
		}
		if len(shifts) < 10 {
			t.Errorf("20 wraps are shifted by %d different times", len(shifts))
		}
	})
}

func TestRelayList(t *testing.T) {
	alice, bob, _ := login3(t)
	e, err := RelayList([]string{"wss://inbox.example", "ws://onion.example:8080/path", "wss://inbox.example"}, time.Unix(1700000000, 0))
	if err != nil {
		t.Fatal(err)
	}
	if e.Kind != 10050 || e.Content != "" || e.CreatedAt != 1700000000 {
		t.Errorf("%+v", e)
	}
	checkTags(t, e.Tags, event.Tags{{"relay", "wss://inbox.example"}, {"relay", "ws://onion.example:8080/path"}})
	if _, err := ParseRelayList(e, keys.PublicKey{}); err == nil {
		t.Error("an unsigned list is read")
	}
	sign := func(e *event.Event) *event.Event {
		t.Helper()
		if err := alice.SignEvent(ctx, e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	sign(e)
	got, err := ParseRelayList(e, alice.PublicKey())
	if err != nil || !slices.Equal(got, []string{"wss://inbox.example", "ws://onion.example:8080/path"}) {
		t.Errorf("%q, %v", got, err)
	}

	for _, bad := range []string{"", "inbox.example", "https://inbox.example", "wss://", "wss:///x", "wss://:80", "wss://u:p@inbox.example", "wss://inbox.example/#x", "wss://inbox.example\n", "://"} {
		if e, err := RelayList([]string{"wss://good.example", bad}, time.Time{}); !errors.Is(err, ErrRelayURL) || e != nil {
			t.Errorf("%q: %v, %v", bad, e, err)
		}
		only := sign(&event.Event{Kind: 10050, Tags: event.Tags{{"relay", bad}}})
		if got, err := ParseRelayList(only, alice.PublicKey()); !errors.Is(err, ErrNoRelays) || got != nil {
			t.Errorf("%q: %v, %v", bad, got, err)
		}
		more := sign(&event.Event{Kind: 10050, Tags: event.Tags{{"relay", bad}, {"r", "wss://other.example"}, {"relay", "wss://good.example"}, {"relay"}, {"relay", "wss://good.example"}}})
		if got, err := ParseRelayList(more, alice.PublicKey()); err != nil || !slices.Equal(got, []string{"wss://good.example"}) {
			t.Errorf("%q: %v, %v", bad, got, err)
		}
	}
	empty, err := RelayList(nil, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseRelayList(sign(empty), alice.PublicKey()); !errors.Is(err, ErrNoRelays) {
		t.Errorf("empty: %v", err)
	}
	if _, err := RelayList(nil, time.Unix(-1, 0)); !errors.Is(err, event.ErrCreatedAt) {
		t.Error(err)
	}

	if _, err := ParseRelayList(nil, alice.PublicKey()); !errors.Is(err, event.ErrNil) {
		t.Error(err)
	}
	if _, err := ParseRelayList(e, bob.PublicKey()); !errors.Is(err, ErrNotAuthor) {
		t.Errorf("another's: %v", err)
	}
	if _, err := ParseRelayList(sign(&event.Event{Kind: 10002, Tags: e.Tags}), alice.PublicKey()); !errors.Is(err, ErrKind) {
		t.Errorf("another kind: %v", err)
	}
	forged := *e
	forged.Sig[0] ^= 1
	if _, err := ParseRelayList(&forged, alice.PublicKey()); !errors.Is(err, event.ErrSignature) {
		t.Errorf("forged: %v", err)
	}
	forged = *e
	forged.Tags = event.Tags{{"relay", "wss://evil.example"}}
	if _, err := ParseRelayList(&forged, alice.PublicKey()); !errors.Is(err, event.ErrID) {
		t.Errorf("changed: %v", err)
	}
}

// FuzzParse reads any rumor. Whatever is accepted keeps the promises of Message,
// and a file can be written and read again.
func FuzzParse(f *testing.F) {
	a, b, _ := people(f)
	sealed := sealedFiles[0]
	for _, seed := range []struct {
		kind int
		tags event.Tags
	}{
		{14, event.Tags{{"p", hexB, "wss://r.example"}, {"e", sealed.x}, {"subject", "s"}, {"q", "x", "", hexB}}},
		{14, event.Tags{{"p", hexB}, {"p", hexC}, {"e", sealed.x, "", "reply"}, {"e", sealed.ox, "", "root"}}},
		{15, event.Tags{{"p", hexB}, {"file-type", "t"}, {"encryption-algorithm", "aes-gcm"}, {"decryption-key", sealed.key},
			{"decryption-nonce", "oKGio6Slpqeoqaqr"}, {"x", sealed.x}, {"ox", sealed.ox}, {"size", "38"}, {"fallback", "u"}}},
		{7, event.Tags{{"p", hexB}, {"e", sealed.x, "", hexB}, {"k", "14"}}},
		{5, event.Tags{{"p", hexB}, {"e", sealed.x}, {"e", sealed.ox}, {"k", "14"}}},
	} {
		f.Add(nip59.NewRumor(a, 1700000000, seed.kind, seed.tags, "content").AppendJSON(nil))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		e, _, err := event.ParseUnsigned(text)
		if err != nil {
			return
		}
		r := nip59.NewRumor(e.PubKey, e.CreatedAt, e.Kind, e.Tags, e.Content)
		m, err := Parse(opened(r), b)
		if err != nil {
			if m != nil {
				t.Error("a message beside an error")
			}
			return
		}
		switch m.Kind {
		case KindChat, KindFile:
			if !m.Room.Has(b) || !m.Room.Has(m.Sender) || !slices.IsSortedFunc(m.Room.Members(), func(a, b keys.PublicKey) int { return bytes.Compare(a[:], b[:]) }) {
				t.Errorf("room %v", m.Room)
			}
			if m.Targets != nil {
				t.Error("a chat has targets")
			}
		case KindReaction, KindDeletion:
			if m.Room != (Room{}) || len(m.Targets) == 0 || (m.Kind == KindReaction && len(m.Targets) != 1) {
				t.Errorf("%+v", m)
			}
		default:
			t.Errorf("kind %d", m.Kind)
		}
		if (m.File != nil) != (m.Kind == KindFile) {
			t.Fatal("a file that is none, or none that is one")
		}
		if m.File == nil {
			return
		}
		if m.File.Type == "" {
			m.File.Type = "t"
		}
		again := mustParse(t, must(t)(File(b, m.Room, m.File, &Options{Subject: m.Subject, Quotes: m.Quotes, CreatedAt: time.Unix(1, 0)})), b)
		key, nonce, err := m.File.Key.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		key2, nonce2, err := again.File.Key.Bytes()
		if err != nil || !bytes.Equal(key, key2) || !bytes.Equal(nonce, nonce2) {
			t.Errorf("another key or nonce, error %v", err)
		}
		m.File.Key, again.File.Key = FileKey{}, FileKey{}
		if !reflect.DeepEqual(m.File, again.File) || m.Room != again.Room || m.Subject != again.Subject || !slices.Equal(m.Quotes, again.Quotes) {
			t.Errorf("%+v, want %+v", again, m)
		}
	})
}
