package messages

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"
	peer44 "github.com/nbd-wtf/go-nostr/nip44"
	peer "github.com/nbd-wtf/go-nostr/nip59"

	"github.com/sealwright/sealwright/fuzz/internal/fuzzkit"
	"github.com/sealwright/sealwright/fuzz/internal/reference"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// peerMaxRumor is the longest rumor, in bytes of JSON, whose wrap go-nostr
// v0.38.2 opens: the JSON of the seal must fit its NIP-44 of 2023.
const peerMaxRumor = 40960

var ctx = context.Background()

func newIdentity(t fuzzkit.T, key [32]byte) *identity.Identity {
	t.Helper()
	id, err := identity.New(secretKey(t, key))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// peerUnwrap opens a wrap with go-nostr alone.
func peerUnwrap(key [32]byte, wrap string) (rumor nostr.Event, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("go-nostr panics")
		}
	}()
	var gw nostr.Event
	if err := gw.UnmarshalJSON([]byte(wrap)); err != nil {
		return rumor, err
	}
	return peer.GiftUnwrap(gw, func(pub, payload string) (string, error) {
		ck, err := peer44.GenerateConversationKey(pub, hex.EncodeToString(key[:]))
		if err != nil {
			return "", err
		}
		return peer44.Decrypt(payload, ck)
	})
}

// samePeer fails unless go-nostr read this rumor.
func samePeer(t *testing.T, got nostr.Event, want *reference.Event) {
	t.Helper()
	tags := make(event.Tags, len(got.Tags))
	for i, tag := range got.Tags {
		tags[i] = event.Tag(tag)
	}
	if got.ID != hex.EncodeToString(want.ID[:]) || got.PubKey != hex.EncodeToString(want.PubKey[:]) || int64(got.CreatedAt) != want.CreatedAt ||
		got.Kind != want.Kind || !tags.Equal(ourTags(want.Tags)) || got.Content != want.Content {
		t.Fatalf("go-nostr reads %+v, want %s", got, want.JSON())
	}
}

// sameRumor fails unless we opened what the reference did.
func sameRumor(t *testing.T, name string, m *nip59.Message, want *reference.Event) {
	t.Helper()
	r := m.Rumor
	if m.Sender != want.PubKey {
		t.Fatalf("%s: from %s, want %x", name, m.Sender, want.PubKey)
	}
	unsigned := *want
	unsigned.Sig = [64]byte{}
	sameEvent(t, name, &event.Event{ID: r.ID, PubKey: r.PubKey, CreatedAt: r.CreatedAt, Kind: r.Kind, Tags: r.Tags, Content: r.Content}, &unsigned)
}

// FuzzWrap: what we wrap, the reference and go-nostr open; what go-nostr
// wraps, we and the reference open. Cases 5, 13, 24 and 26.
func FuzzWrap(f *testing.F) {
	fuzzkit.Seed(f, []byte{0, 0, 0, 0}, []byte("text"))
	fuzzkit.Seed(f, []byte{7, 1, 1, 1, 'p', 0, 0}, []byte("\x00\u2028<&>"))
	fuzzkit.Seed(f, []byte{1, 0, 0, 0}, []byte("\x0b\"\\"))
	for i, n := range sizes {
		if n > 30000 {
			fuzzkit.Seed(f, []byte{byte(i % 8), 0, byte(128 + i), 2}, []byte("ab"))
		}
	}
	// Rumors whose JSON has 40,958 to 40,962 bytes.
	for delta := range byte(5) {
		fuzzkit.Seed(f, []byte{0x80, 0, 128 + 21, delta}, []byte("a"))
		fuzzkit.Seed(f, []byte{0x88, 0, 128 + 21, delta}, []byte("a"))
	}
	alice, bob := newIdentity(f, aliceKey), newIdentity(f, bobKey)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		form := in.Byte()
		tags := tagsOf(in)
		content := strings.ToValidUTF8(string(body(in)), "\ufffd")
		if form&0x80 != 0 { // so that the JSON, not the content, has the length
			content = content[:max(0, len(content)-len(nip59.NewRumor(alice.PublicKey(), 1700000000, 14, ourTags(tags), "").AppendJSON(nil)))]
			content = strings.ToValidUTF8(content, "")
		}
		if len(content) > 300000 {
			return
		}
		rumor := nip59.NewRumor(alice.PublicKey(), 1700000000, 14, ourTags(tags), content)
		text := rumor.AppendJSON(nil)
		want := reference.ParseEvent(text, true)
		if want == nil || want.ComputeID() != want.ID {
			t.Fatalf("the reference refuses the rumor %q", text)
		}
		o := &nip59.WrapOptions{LegacyOnly: form&8 != 0}
		if form&1 != 0 {
			o.Kind = nip59.Ephemeral
		}
		if form&2 != 0 {
			o.Relay = "wss://relay.example"
		}
		if form&4 != 0 {
			o.Expiration = time.Hour
		}
		legacy := len(text) <= peerMaxRumor

		fuzzkit.EachTier(func(tier string) {
			wrap, err := nip59.Wrap(ctx, alice, rumor, bob.PublicKey(), o)
			if o.LegacyOnly && !legacy {
				var size *nip44.SizeError
				if !errors.As(err, &size) {
					t.Fatalf("%s: a rumor of %d bytes under LegacyOnly: %v", tier, len(text), err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: a rumor of %d bytes: %v", tier, len(text), err)
			}
			line := wrap.AppendJSON(nil)
			outer := reference.ParseEvent(line, false)
			if outer == nil {
				t.Fatalf("%s: the reference refuses the JSON of our wrap", tier)
			}
			if outer.PubKey == want.PubKey || outer.PubKey == bob.PublicKey() {
				t.Fatalf("%s: the wrap is signed with a key that is not for it alone", tier)
			}
			got := reference.Unwrap(bobKey, outer, limit)
			if got == nil {
				t.Fatalf("%s: the reference does not open our wrap of %d bytes", tier, len(text))
			}
			if got.JSON() != string(text) {
				t.Fatalf("%s: the reference reads %s, want %s", tier, got.JSON(), text)
			}
			theirs, err := peerUnwrap(bobKey, string(line))
			if (err == nil) != legacy {
				t.Fatalf("%s: go-nostr on our wrap of a rumor of %d bytes: %v", tier, len(text), err)
			}
			if err == nil {
				samePeer(t, theirs, want)
			}
			m, err := nip59.Unwrap(ctx, bob, wrap, nil)
			if err != nil {
				t.Fatalf("%s: we do not open our wrap: %v", tier, err)
			}
			sameRumor(t, tier, m, want)
		}, kernels...)

		// The other way. Its JSON is longer than ours where it escapes more.
		gw, err := peer.GiftWrap(
			nostr.Event{ID: rumor.ID.String(), PubKey: rumor.PubKey.String(), CreatedAt: nostr.Timestamp(rumor.CreatedAt), Kind: rumor.Kind, Tags: goNostrTags(tags), Content: content},
			bob.PublicKey().String(),
			func(plaintext string) (string, error) {
				ck, err := peer44.GenerateConversationKey(bob.PublicKey().String(), hex.EncodeToString(aliceKey[:]))
				if err != nil {
					return "", err
				}
				return peer44.Encrypt(plaintext, ck)
			},
			func(e *nostr.Event) error { return e.Sign(hex.EncodeToString(aliceKey[:])) },
			nil)
		if err != nil {
			if len(text) < peerMaxRumor/6 {
				t.Fatalf("go-nostr does not wrap a rumor of %d bytes: %v", len(text), err)
			}
			return
		}
		wrap, err := event.Parse([]byte(gw.String()))
		if err != nil {
			t.Fatalf("we refuse the JSON of go-nostr's wrap: %v", err)
		}
		fuzzkit.EachTier(func(tier string) {
			m, err := nip59.Unwrap(ctx, bob, wrap, nil)
			if err != nil {
				t.Fatalf("%s: we do not open go-nostr's wrap: %v", tier, err)
			}
			sameRumor(t, tier, m, want)
		}, kernels...)
	})
}

// forge builds a wrap for Bob layer by layer, with a choice of faults in each.
// plain tells that the rumor's JSON is what everybody writes.
func forge(in *fuzzkit.Input) (wrap *reference.Event, plain bool) {
	wrapForm, sealForm, rumorForm, flip := in.Byte(), in.Byte(), in.Byte(), in.Byte()
	inner := in.Rest()
	bob := reference.PublicKey(bobKey)
	other := reference.PublicKey(carolKey)
	bobHex, otherHex := hex.EncodeToString(bob[:]), hex.EncodeToString(other[:])
	nonce := [32]byte{31: flip}
	encrypt := func(from [32]byte, plaintext []byte) string {
		ck, err := reference.ConversationKey(from, bob)
		if err != nil {
			panic(err)
		}
		return reference.Encrypt(ck, nonce, plaintext)
	}

	// The rumor: inner is its content, or its JSON as it stands.
	rumor := reference.Signed(aliceKey, 14, 1700000000, [][]string{{"p", bobHex}}, strings.ToValidUTF8(string(inner), "\ufffd"))
	rumor.Has["sig"] = false
	if rumorForm&8 != 0 {
		rumor.PubKey = other
		rumor.ID = rumor.ComputeID()
	}
	switch rumorForm & 7 {
	case 1:
		rumor.Has["id"] = false
	case 2:
		rumor.ID[flip&31] ^= 1
	case 3:
		rumor.Has["sig"] = true
	case 4:
		rumor.Has[[...]string{"pubkey", "created_at", "kind", "tags", "content"}[flip%5]] = false
	}
	text := []byte(rumor.JSON())
	switch rumorForm & 7 {
	case 5:
		text = bytes.Replace(text, []byte(`"id":"`+hex.EncodeToString(rumor.ID[:])+`"`), []byte(`"id":null,"sig":""`), 1)
	case 6:
		text = bytes.Replace(text, []byte(`{`), []byte(`{"PubKey":"",`), 1)
	case 7:
		if len(inner) > 0 {
			text = inner
		}
	}

	// The seal.
	kind := 13
	if sealForm&0x18 == 0x18 {
		kind = [...]int{14, 1059, 21059, 1}[flip&3]
	}
	tags := [][][]string{{}, {{"expiration", "1700000000"}}, {{"p", bobHex}}, {{"expiration", "1"}, {"expiration"}, {"x"}}}[sealForm&3]
	seal := reference.Signed(aliceKey, kind, 1699990000, tags, encrypt(aliceKey, text))
	switch sealForm >> 5 {
	case 1:
		seal.Sig[flip&63] ^= 1
	case 2:
		seal.ID[flip&31] ^= 1
	case 3: // signed by another than who encrypted
		seal = reference.Signed(carolKey, kind, 1699990000, tags, encrypt(aliceKey, text))
	case 4: // sealed and signed by another: the rumor's author is not who it says
		seal = reference.Signed(carolKey, kind, 1699990000, tags, encrypt(carolKey, text))
	case 5:
		seal.Has[[...]string{"id", "pubkey", "created_at", "kind", "tags", "content", "sig"}[flip%7]] = false
	case 6: // a true signature over another id
		seal.ID[flip&31] ^= 1
		seal.Sign(aliceKey)
	}
	text = []byte(seal.JSON())
	if sealForm>>5 == 7 && len(inner) > 0 {
		text = inner
	}

	// The wrap.
	kind = 1059
	switch wrapForm & 0x0c {
	case 4:
		kind = 21059
	case 8:
		kind = [...]int{13, 14, 1, 1058}[flip&3]
	}
	tags = [][][]string{{{"p", bobHex}}, {{"p", otherHex}, {"e", bobHex}, {"p", bobHex, "wss://relay.example"}}, {{"p", otherHex}, {"P", bobHex}}, {{"p", strings.ToUpper(bobHex)}, {"p"}}}[wrapForm&3]
	content := encrypt(onceKey, text)
	if wrapForm>>5 == 5 {
		content = content[:len(content)-int(flip)%len(content)]
	}
	wrap = reference.Signed(onceKey, kind, 1699980000, tags, content)
	switch wrapForm >> 5 {
	case 1:
		wrap.Sig[flip&63] ^= 1
	case 2:
		wrap.ID[flip&31] ^= 1
	case 3:
		wrap.PubKey = other
	case 4:
		wrap.PubKey = [32]byte{31: flip} // often off the curve
		wrap.ID = wrap.ComputeID()
		wrap.Sign(onceKey)
	}
	return wrap, rumorForm&7 < 5
}

// FuzzUnwrap compares our verdict on forged wraps with the reference's, and
// what was opened. go-nostr, which checks less, opens all that we open. Cases 21 to 27 and 44.
func FuzzUnwrap(f *testing.F) {
	for fault := range byte(8) {
		for flip := range byte(7) {
			if flip < 4 || fault == 5 {
				fuzzkit.Seed(f, []byte{fault&3 | fault>>1<<2, 0, 0, flip}, []byte("text"))
				fuzzkit.Seed(f, []byte{fault << 5, 0, 0, flip}, []byte("text"))
				fuzzkit.Seed(f, []byte{0, fault << 5, 0, flip}, []byte("text"))
			}
			if flip < 2 || fault == 4 {
				fuzzkit.Seed(f, []byte{0, 0, fault, flip}, []byte("text"))
			}
		}
		fuzzkit.Seed(f, []byte{0, fault & 3, fault & 8, 1}, []byte("text"))
		fuzzkit.Seed(f, []byte{0, 0x18, 0, fault}, []byte("text"))
	}
	fuzzkit.Seed(f, []byte{0, 0, 8, 0}, []byte("text"))
	fuzzkit.Seed(f, []byte{0, 7 << 5, 0, 0}, []byte(`{"kind":13}`))
	fuzzkit.Seed(f, []byte{0, 0, 7, 0}, []byte(`{"kind":14,"content":""}`))
	bob := newIdentity(f, bobKey)
	f.Fuzz(func(t *testing.T, data []byte) {
		wrap, plain := forge(fuzzkit.New(data))
		want := reference.Unwrap(bobKey, wrap, limit)
		line := wrap.JSON()
		fuzzkit.EachTier(func(tier string) {
			e, err := event.Parse([]byte(line))
			if err != nil {
				t.Fatalf("%s: we refuse the JSON of a forged wrap: %v", tier, err)
			}
			m, err := nip59.Unwrap(ctx, bob, e, nil)
			if (err == nil) != (want != nil) || (m == nil) != (err != nil) {
				t.Fatalf("%s: %s: %v; the reference opens it: %v", tier, line, err, want != nil)
			}
			all := nip59.UnwrapAll(ctx, bob, []*event.Event{e, nil}, nil)
			if fmt.Sprint(all[0].Err) != fmt.Sprint(err) || (all[0].Message == nil) != (m == nil) || all[1].Err == nil {
				t.Fatalf("%s: %s: one by one %v, in a batch %v, %v", tier, line, err, all[0].Err, all[1].Err)
			}
			if err != nil {
				var layer *nip59.LayerError
				if !errors.As(err, &layer) || nip59.Classify(err) == nip59.ClassSigner {
					t.Fatalf("%s: %s: %v is of class %s", tier, line, err, nip59.Classify(err))
				}
				return
			}
			sameRumor(t, tier, m, want)
			sameRumor(t, tier, all[0].Message, want)
		}, kernels...)
		if want != nil && plain {
			theirs, err := peerUnwrap(bobKey, line)
			if err != nil {
				t.Fatalf("we open %s, go-nostr says %v", line, err)
			}
			samePeer(t, theirs, want)
		}
	})
}

// FuzzUnwrapTamper changes one byte of a good wrap's JSON: it never opens,
// unless the change is of spelling, and then it is the same message.
func FuzzUnwrapTamper(f *testing.F) {
	for at := 0; at < 1500; at += 31 {
		fuzzkit.Seed(f, []byte{byte(at), byte(at >> 8), 1})
		fuzzkit.Seed(f, []byte{byte(at), byte(at >> 8), 0x20})
	}
	bob := newIdentity(f, bobKey)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		at, c := int(in.Uint16()), in.Byte()
		good, _ := forge(fuzzkit.New(append([]byte{0, 0, 0, 1}, in.Rest()...)))
		want := reference.Unwrap(bobKey, good, limit)
		if want == nil {
			t.Fatal("the reference does not open a good wrap")
		}
		line := []byte(good.JSON())
		line[at%len(line)] ^= c
		fuzzkit.EachTier(func(tier string) {
			e, err := event.Parse(line)
			if err != nil {
				return
			}
			m, err := nip59.Unwrap(ctx, bob, e, nil)
			if err != nil {
				return
			}
			sameEvent(t, tier+": what still opens", e, good)
			sameRumor(t, tier+": what still opens", m, want)
		}, kernels...)
	})
}

// FuzzUnwrapMemory: a wrap over the limit costs no more than its error; one
// within it, no more than a few times its content, which the limit bounds.
// Case 2.
func FuzzUnwrapMemory(f *testing.F) {
	fuzzkit.Seed(f, []byte{0, 0, 32, 0, 0, 16, 0}, []byte("AAAA"))
	fuzzkit.Seed(f, []byte{44, 170, 1, 0, 0, 1, 1}, []byte("x"))
	fuzzkit.Seed(f, []byte{44, 170, 1, 0, 0, 1, 2}, []byte("[[["))
	fuzzkit.Seed(f, []byte{0, 0, 4, 0, 2, 0, 3}, []byte(`["a"],`))
	bob := newIdentity(f, bobKey)
	pub := reference.PublicKey(bobKey)
	ck, err := reference.ConversationKey(onceKey, pub)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		n := int(in.Uint32() & 0x1fffff)
		most, form := uint64(in.Uint16())<<8+1, in.Byte()
		unit := in.Rest()
		if len(unit) == 0 {
			unit = []byte{'A'}
		}
		filler := bytes.Repeat(unit, n/len(unit)+1)[:n]
		content := string(filler)
		if form&3 != 0 && n > 0 { // a good payload, of what is no seal
			content = reference.Encrypt(ck, [32]byte{1}, append([]byte([]string{"", ``, `{"kind":13,"x":`, `{"kind":13,"tags":[`}[form&3]), filler...))
		}
		if most == 1 {
			most = limit
		}
		e := &event.Event{Kind: nip59.Durable, CreatedAt: 1, Tags: event.Tags{{"p", hex.EncodeToString(pub[:])}}, Content: strings.ToValidUTF8(content, "?")}
		if err := e.Sign(secretKey(t, onceKey)); err != nil {
			t.Fatal(err)
		}
		allowed := uint64(slack)
		if size := uint64(len(e.Content)); size <= nip44.EncryptedLen(most) {
			allowed += 4 * size
		}
		var err error
		got := fuzzkit.Allocated(func() { _, err = nip59.Unwrap(ctx, bob, e, &nip59.UnwrapOptions{MaxPlaintext: most}) })
		if err == nil || got > allowed {
			t.Fatalf("a content of %d characters against a limit of %d bytes allocates %d bytes, at most %d expected: %v", len(e.Content), most, got, allowed, err)
		}
	})
}
