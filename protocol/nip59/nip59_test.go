package nip59

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
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
)

var ctx = context.Background()

func generate(t testing.TB) *keys.SecretKey {
	t.Helper()
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	return sk
}

func newIdentity(t testing.TB) *identity.Identity {
	t.Helper()
	id, err := identity.New(generate(t))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func rumorOf(author keys.PublicKey, content string) *Rumor {
	return NewRumor(author, 1700000000, 14, event.Tags{{"subject", "boats"}}, content)
}

func TestRoundTrip(t *testing.T) {
	alice, bob, eve := newIdentity(t), newIdentity(t), newIdentity(t)
	for _, kind := range []int{0, Durable, Ephemeral} {
		for _, n := range []int{0, 1, 1024, 40000, 64000, 200000} {
			rumor := rumorOf(alice.PublicKey(), strings.Repeat("é", n/2))
			wrap, err := Wrap(ctx, alice, rumor, bob.PublicKey(), &WrapOptions{Kind: kind})
			if err != nil {
				t.Fatal(err)
			}
			if want := max(kind, Durable); wrap.Kind != want {
				t.Errorf("kind %d, want %d", wrap.Kind, want)
			}
			// What travels is the JSON.
			received, err := event.Parse(wrap.AppendJSON(nil))
			if err != nil {
				t.Fatal(err)
			}
			message, err := Unwrap(ctx, bob, received, nil)
			if err != nil {
				t.Fatalf("%d bytes: %v", n, err)
			}
			got := message.Rumor
			if message.Sender != alice.PublicKey() || got.ID != rumor.ID || got.PubKey != rumor.PubKey || got.CreatedAt != 1700000000 ||
				got.Kind != 14 || got.Content != rumor.Content || len(got.Tags) != 1 || !slices.Equal(got.Tags[0], rumor.Tags[0]) {
				t.Errorf("%d bytes: another rumor came back", n)
			}
			// Case 32: the times of rumor and wrap, each under its name.
			if message.WrapID != wrap.ID || message.WrapCreatedAt != wrap.CreatedAt || message.SealID == (event.ID{}) {
				t.Errorf("%+v", message)
			}
			// Case 24: three different keys.
			if wrap.PubKey == alice.PublicKey() || wrap.PubKey == bob.PublicKey() {
				t.Error("the wrap is not signed by a key of its own")
			}
			if m, err := Unwrap(ctx, eve, received, nil); !errors.Is(err, ErrNotForMe) || m != nil {
				t.Errorf("a stranger got %v, %v", m, err)
			}
		}
	}
}

// everyWay opens a wrap alone, in a batch, and in a batch by a cipher that takes
// one payload at a time, and requires the same outcome of each.
func everyWay(t testing.TB, me signer.Cipher, wrap *event.Event, o *UnwrapOptions) (*Message, error) {
	t.Helper()
	m, err := Unwrap(ctx, me, wrap, o)
	single := UnwrapOptions{}
	if o != nil {
		single = *o
		single.Keys = nil
		for _, k := range o.Keys {
			single.Keys = append(single.Keys, struct{ signer.Cipher }{k})
		}
	}
	for name, r := range map[string]UnwrapResult{
		"a batch":                     UnwrapAll(ctx, me, []*event.Event{wrap}, o)[0],
		"a batch, payload by payload": UnwrapAll(ctx, struct{ signer.Cipher }{me}, []*event.Event{wrap}, &single)[0],
	} {
		if fmt.Sprint(r.Err) != fmt.Sprint(err) || !reflect.DeepEqual(r.Message, m) {
			t.Errorf("alone: %v, %v; in %s: %v, %v", m, err, name, r.Message, r.Err)
		}
	}
	return m, err
}

// layers builds a wrap whose every layer a test may spoil.
type layers struct {
	author, once *keys.SecretKey
	to           keys.PublicKey
	rumor        func(*Rumor)
	rumorJSON    func([]byte) []byte
	seal         func(*event.Event) // before it is signed
	signed       func(*event.Event) // after
	sealJSON     func([]byte) []byte
	payload      func([]byte) []byte // the wrap's content
	wrap         func(*event.Event)  // before it is signed
	finished     func(*event.Event)  // after
}

func (l layers) build(t testing.TB) *event.Event {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	encrypt := func(sk *keys.SecretKey, plaintext []byte) []byte {
		ck, err := nip44.DeriveConversationKey(sk, l.to)
		must(err)
		payload, err := ck.AppendEncrypt(nil, plaintext, nil)
		must(err)
		return payload
	}
	r := rumorOf(l.author.PublicKey(), "hello")
	if l.rumor != nil {
		l.rumor(r)
	}
	rumorJSON := r.AppendJSON(nil)
	if l.rumorJSON != nil {
		rumorJSON = l.rumorJSON(rumorJSON)
	}
	seal := &event.Event{Kind: KindSeal, CreatedAt: 1699999999, Content: string(encrypt(l.author, rumorJSON))}
	if l.seal != nil {
		l.seal(seal)
	}
	must(seal.Sign(l.author))
	if l.signed != nil {
		l.signed(seal)
	}
	sealJSON := seal.AppendJSON(nil)
	if l.sealJSON != nil {
		sealJSON = l.sealJSON(sealJSON)
	}
	payload := encrypt(l.once, sealJSON)
	if l.payload != nil {
		payload = l.payload(payload)
	}
	wrap := &event.Event{Kind: Durable, CreatedAt: 1699999998, Tags: event.Tags{{"p", l.to.String()}}, Content: string(payload)}
	if l.wrap != nil {
		l.wrap(wrap)
	}
	must(wrap.Sign(l.once))
	if l.finished != nil {
		l.finished(wrap)
	}
	return wrap
}

func replace(old, new string) func([]byte) []byte {
	return func(b []byte) []byte {
		if !bytes.Contains(b, []byte(old)) {
			panic(old + " is not there to be replaced")
		}
		return bytes.Replace(b, []byte(old), []byte(new), 1)
	}
}

// Cases 21, 22, 25, 33: each layer's faults give the documented error, layer
// and class, and never a message.
func TestRefused(t *testing.T) {
	author, once, victim := generate(t), generate(t), generate(t)
	// A reader who knows the authors verifies their seals in another way.
	me, acquainted := newIdentity(t), newIdentity(t)
	for _, peer := range []*keys.SecretKey{author, victim} {
		if _, err := acquainted.Encrypt(ctx, []byte("x"), peer.PublicKey()); err != nil {
			t.Fatal(err)
		}
	}
	rumorID := rumorOf(author.PublicKey(), "hello").ID.String()
	flip := func(s *event.Signature) { s[10] ^= 1 }
	for _, c := range []struct {
		name  string
		l     layers
		layer Layer
		class Class
		want  error
	}{
		{"wrap of kind 1", layers{wrap: func(e *event.Event) { e.Kind = 1 }}, LayerWrap, ClassMalformed, ErrKind},
		{"wrap of kind 13", layers{wrap: func(e *event.Event) { e.Kind = 13 }}, LayerWrap, ClassMalformed, ErrKind},
		{"no p tag", layers{wrap: func(e *event.Event) { e.Tags = nil }}, LayerWrap, ClassNotForMe, ErrNotForMe},
		{"p tag of another", layers{wrap: func(e *event.Event) { e.Tags[0][1] = victim.PublicKey().String() }}, LayerWrap, ClassNotForMe, ErrNotForMe},
		{"p tag that is no key", layers{wrap: func(e *event.Event) { e.Tags[0] = event.Tag{"p"} }}, LayerWrap, ClassNotForMe, ErrNotForMe},
		{"wrap signature", layers{finished: func(e *event.Event) { flip(&e.Sig) }}, LayerWrap, ClassForged, ErrWrapSignature},
		{"wrap id", layers{finished: func(e *event.Event) { e.ID[3] ^= 1 }}, LayerWrap, ClassForged, ErrWrapSignature},
		{"wrap changed", layers{finished: func(e *event.Event) { e.CreatedAt++ }}, LayerWrap, ClassForged, event.ErrID},
		{"wrap by no key", layers{finished: func(e *event.Event) { e.PubKey = keys.PublicKey{}; e.ID = e.ComputeID() }}, LayerWrap, ClassForged, keys.ErrPublicKey},
		{"payload of another", layers{payload: func([]byte) []byte {
			payload, err := newIdentity(t).Encrypt(ctx, []byte("x"), victim.PublicKey())
			if err != nil {
				t.Fatal(err)
			}
			return payload
		}}, LayerWrap, ClassNotForMe, nip44.ErrMAC},
		{"payload version", layers{payload: func(b []byte) []byte { b[0] = '#'; return b }}, LayerWrap, ClassMalformed, nip44.ErrVersion},
		{"payload cut", layers{payload: func(b []byte) []byte { return b[:100] }}, LayerWrap, ClassMalformed, nip44.ErrTooShort},
		{"payload alphabet", layers{payload: func(b []byte) []byte { b[50] = '-'; return b }}, LayerWrap, ClassMalformed, nip44.ErrBase64},
		{"payload of NIP-04", layers{payload: func(b []byte) []byte { return []byte("AgAAAAAAAAAAAAAAAAAAAA==?iv=AAAAAAAAAAAAAAAAAAAAAA==") }}, LayerWrap, ClassMalformed, nip44.ErrLegacyNIP04},
		{"no JSON inside", layers{sealJSON: func([]byte) []byte { return []byte("hello") }}, LayerSeal, ClassMalformed, event.ErrSyntax},
		{"seal of kind 14", layers{seal: func(e *event.Event) { e.Kind = 14 }}, LayerSeal, ClassMalformed, ErrKind},
		{"rumor without a seal", layers{sealJSON: func([]byte) []byte { return rumorOf(author.PublicKey(), "x").AppendJSON(nil) }}, LayerSeal, ClassMalformed, ErrKind},
		{"seal without a signature", layers{sealJSON: replace(`"sig"`, `"gis"`)}, LayerSeal, ClassMalformed, event.ErrMissingKey},
		{"seal without an id", layers{sealJSON: replace(`"id"`, `"di"`)}, LayerSeal, ClassMalformed, event.ErrMissingKey},
		{"seal signature", layers{signed: func(e *event.Event) { flip(&e.Sig) }}, LayerSeal, ClassForged, ErrSealSignature},
		{"seal id", layers{signed: func(e *event.Event) { e.ID[0] ^= 1 }}, LayerSeal, ClassForged, ErrSealSignature},
		{"seal by another", layers{signed: func(e *event.Event) { e.PubKey = victim.PublicKey(); e.ID = e.ComputeID() }}, LayerSeal, ClassForged, ErrSealSignature},
		{"seal with tags", layers{seal: func(e *event.Event) { e.Tags = event.Tags{{"p", "x"}} }}, LayerSeal, ClassMalformed, ErrSealTags},
		{"seal's payload cut", layers{seal: func(e *event.Event) { e.Content = e.Content[:100] }}, LayerSeal, ClassMalformed, nip44.ErrTooShort},
		{"seal's payload for another", layers{seal: func(e *event.Event) { e.Content = e.Content[:60] + "AAAA" + e.Content[64:] }}, LayerSeal, ClassNotForMe, ErrNotForMe},
		{"rumor is no JSON", layers{rumorJSON: func([]byte) []byte { return []byte("[]") }}, LayerRumor, ClassMalformed, event.ErrType},
		{"rumor without an author", layers{rumorJSON: replace(`"pubkey"`, `"yekbup"`)}, LayerRumor, ClassMalformed, event.ErrMissingKey},
		{"rumor without a time", layers{rumorJSON: replace(`"created_at"`, `"at"`)}, LayerRumor, ClassMalformed, event.ErrMissingKey},
		{"rumor with content null", layers{rumorJSON: replace(`"content":"hello"`, `"content":null`)}, LayerRumor, ClassMalformed, event.ErrType},
		{"rumor by another", layers{rumor: func(r *Rumor) { r.PubKey = victim.PublicKey(); r.ID = r.ComputeID() }}, LayerRumor, ClassForged, ErrSenderMismatch},
		{"rumor id", layers{rumorJSON: replace(rumorID[:8], "00000000")}, LayerRumor, ClassForged, ErrRumorID},
		{"rumor content", layers{rumorJSON: replace("hello", "jello")}, LayerRumor, ClassForged, ErrRumorID},
	} {
		for _, me := range []*identity.Identity{me, acquainted} {
			c.l.author, c.l.once, c.l.to = author, once, me.PublicKey()
			message, err := everyWay(t, me, c.l.build(t), nil)
			if message != nil {
				t.Errorf("%s: a message came back", c.name)
			}
			var layer *LayerError
			if !errors.As(err, &layer) || layer.Layer != c.layer || !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v at %s", c.name, err, c.want, c.layer)
				continue
			}
			if got := Classify(err); got != c.class || got.Final() != (c.class == ClassForged || c.class == ClassMalformed) {
				t.Errorf("%s: class %s, want %s", c.name, got, c.class)
			}
			if strings.Contains(err.Error(), "hello") || strings.Contains(err.Error(), me.PublicKey().String()[:16]) {
				t.Errorf("%s: the error tells too much: %v", c.name, err)
			}
		}
	}
	if _, err := everyWay(t, me, nil, nil); !errors.Is(err, ErrNil) || Classify(err) != ClassMalformed {
		t.Errorf("no wrap: %v", err)
	}
}

// What is odd but allowed: a rumor without an id or with a signature, a seal
// with an expiration, JSON in another order.
func TestTolerated(t *testing.T) {
	author, once := generate(t), generate(t)
	me := newIdentity(t)
	want := rumorOf(author.PublicKey(), "hello")
	for name, l := range map[string]layers{
		"rumor without an id": {rumorJSON: replace(`"id"`, `"di"`)},
		"signed rumor":        {rumorJSON: replace(`{"id"`, `{"sig":"`+strings.Repeat("ab", 64)+`","id"`)}, // case 27
		"sig null":            {rumorJSON: replace(`{"id"`, `{"sig":null,"id"`)},
		"sig empty":           {rumorJSON: replace(`{"id"`, `{"sig":"","id"`)},
		"expiring seal":       {seal: func(e *event.Event) { e.Tags = event.Tags{{"expiration", "1800000000"}} }},
		"ephemeral":           {wrap: func(e *event.Event) { e.Kind = Ephemeral }},
		"several p tags":      {wrap: func(e *event.Event) { e.Tags = append(event.Tags{{"p", "x"}, {"t"}}, e.Tags...) }},
		"white space": {sealJSON: func(b []byte) []byte {
			var out bytes.Buffer
			if err := json.Indent(&out, b, " ", "\t"); err != nil {
				panic(err)
			}
			return out.Bytes()
		}},
	} {
		l.author, l.once, l.to = author, once, me.PublicKey()
		message, err := everyWay(t, me, l.build(t), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if message.Rumor.ID != want.ID || message.Rumor.Content != "hello" || message.Sender != author.PublicKey() { // case 26
			t.Errorf("%s: %+v", name, message.Rumor)
		}
	}
}

// Case 30: the option skips the curve, never the hash and never the seal.
func TestSkipWrapSignature(t *testing.T) {
	me := newIdentity(t)
	o := &UnwrapOptions{SkipWrapSignature: true}
	l := layers{author: generate(t), once: generate(t), to: me.PublicKey()}
	l.finished = func(e *event.Event) { e.Sig[0] ^= 1 }
	if _, err := everyWay(t, me, l.build(t), o); err != nil {
		t.Errorf("a bad signature on the wrap: %v", err)
	}
	l.finished = func(e *event.Event) { e.ID[0] ^= 1 }
	if _, err := everyWay(t, me, l.build(t), o); !errors.Is(err, ErrWrapSignature) {
		t.Errorf("a bad id: %v", err)
	}
	l.finished = func(e *event.Event) { e.Kind = 1 }
	if _, err := everyWay(t, me, l.build(t), o); !errors.Is(err, ErrKind) {
		t.Errorf("a bad kind: %v", err)
	}
	l.finished, l.signed = nil, func(e *event.Event) { e.Sig[0] ^= 1 }
	if _, err := everyWay(t, me, l.build(t), o); !errors.Is(err, ErrSealSignature) {
		t.Errorf("a bad signature on the seal: %v", err)
	}
}

// Case 38: several keys of one's own, and a sender who seals with another key
// than the one it signs with.
func TestSeveralKeys(t *testing.T) {
	alice, encryption, bob, work := newIdentity(t), newIdentity(t), newIdentity(t), newIdentity(t)

	// Addressed to the one key, encrypted to the other.
	wrap, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), "hello"), work.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := everyWay(t, bob, wrap, nil); !errors.Is(err, ErrNotForMe) {
		t.Errorf("%v", err)
	}
	if m, err := everyWay(t, bob, wrap, &UnwrapOptions{Keys: []signer.Cipher{work}}); err != nil || m.Rumor.Content != "hello" {
		t.Errorf("%v", err)
	}

	split := splitKeyer{alice, encryption}
	wrap, err = Wrap(ctx, split, rumorOf(alice.PublicKey(), "hello"), bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := everyWay(t, bob, wrap, nil); !errors.Is(err, ErrNotForMe) || Classify(err).Final() {
		t.Errorf("without the resolver: %v", err)
	}
	m, err := everyWay(t, bob, wrap, &UnwrapOptions{ResolveSealKey: func(seal keys.PublicKey) []keys.PublicKey {
		if seal != alice.PublicKey() {
			t.Errorf("asked for %s", seal)
		}
		return []keys.PublicKey{work.PublicKey(), encryption.PublicKey()}
	}})
	if err != nil || m.Sender != alice.PublicKey() {
		t.Errorf("with the resolver: %v", err)
	}
}

// splitKeyer signs with one key and encrypts with another.
type splitKeyer struct {
	signer.Keyer
	cipher signer.Cipher
}

func (s splitKeyer) Encrypt(ctx context.Context, plaintext []byte, to keys.PublicKey) ([]byte, error) {
	return s.cipher.Encrypt(ctx, plaintext, to)
}

// Case 29: times are drawn from the last 48 hours, each by itself, never from
// the future, evenly.
func TestShiftedTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().Unix()
		const samples = 10000
		var slots [8]int
		for range samples {
			at, err := shifted(DefaultWindow)
			if err != nil {
				t.Fatal(err)
			}
			if at > now || at < now-172800 {
				t.Fatalf("%d is not in the 48 hours before %d", at, now)
			}
			slots[(now-at)*8/172801]++
		}
		// 1,250 each; seven standard deviations are 232.
		for i, n := range slots {
			if n < 1018 || n > 1482 {
				t.Errorf("slot %d holds %d of %d: %v", i, n, samples, slots)
			}
		}
		seen := map[int64]bool{}
		for range 1000 {
			at, err := shifted(2 * time.Second)
			if err != nil {
				t.Fatal(err)
			}
			seen[now-at] = true
		}
		if len(seen) != 3 || !seen[0] || !seen[1] || !seen[2] {
			t.Errorf("a window of 2 s gives %v", seen)
		}
		if at, err := shifted(0); at != now || err != nil {
			t.Errorf("no window gives %d, %v, want %d", at, err, now)
		}

		alice, bob := newIdentity(t), newIdentity(t)
		for _, c := range []struct {
			o            WrapOptions
			oldest, most int64
		}{
			{WrapOptions{}, 172800, 20},
			{WrapOptions{Kind: Ephemeral}, 0, 2},
			{WrapOptions{Window: -1}, 0, 2},
			{WrapOptions{Kind: Ephemeral, Window: time.Hour}, 3600, 20},
		} {
			differ := 0
			for range c.most {
				seal, err := Seal(ctx, alice, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), &c.o)
				if err != nil {
					t.Fatal(err)
				}
				wrap, err := WrapSeal(seal, bob.PublicKey(), &c.o)
				if err != nil {
					t.Fatal(err)
				}
				for _, at := range []int64{seal.CreatedAt, wrap.CreatedAt} {
					if at > now || at < now-c.oldest {
						t.Errorf("%+v: %d s ago", c.o, now-at)
					}
				}
				if seal.CreatedAt != wrap.CreatedAt {
					differ++
				}
			}
			if (differ > 0) != (c.oldest > 0) {
				t.Errorf("%+v: seal and wrap differ in %d of %d", c.o, differ, c.most)
			}
		}
	})
}

// Case 39: expiration is anchored to the shifted time and is never early.
func TestExpiration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().Unix()
		alice, bob := newIdentity(t), newIdentity(t)
		for _, c := range []struct {
			o     WrapOptions
			after int64 // created_at to expiration
		}{
			{WrapOptions{Expiration: time.Hour}, 172800 + 3600},
			{WrapOptions{Expiration: time.Hour, Window: time.Minute}, 60 + 3600},
			{WrapOptions{Expiration: time.Hour, Kind: Ephemeral}, 3600},
			{WrapOptions{Expiration: time.Hour + time.Millisecond, Kind: Ephemeral}, 3601},
		} {
			wrap, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), &c.o)
			if err != nil {
				t.Fatal(err)
			}
			tag := wrap.Tags[1]
			at, err := strconv.ParseInt(tag[1], 10, 64)
			if err != nil || tag[0] != "expiration" || len(wrap.Tags) != 2 {
				t.Fatalf("%q", wrap.Tags)
			}
			if at-wrap.CreatedAt != c.after || at < now+3600 {
				t.Errorf("%+v: %d s after created_at, %d s from now", c.o, at-wrap.CreatedAt, at-now)
			}
		}
	})
}

// Case 28: the hook may add what it likes and may not touch what is fixed.
func TestBeforeSign(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	wrap := func(hook func(*event.Event) error) (*event.Event, error) {
		return Wrap(ctx, alice, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), &WrapOptions{Relay: "wss://relay.example", BeforeSign: hook})
	}
	e, err := wrap(func(e *event.Event) error {
		if e.ID != (event.ID{}) || e.Sig != (event.Signature{}) {
			t.Error("the hook sees an id or a signature")
		}
		e.Tags = append(e.Tags, event.Tag{"nonce", "1", "0"})
		e.CreatedAt--
		return nil
	})
	if err != nil || len(e.Tags) != 2 || !slices.Equal(e.Tags[0], event.Tag{"p", bob.PublicKey().String(), "wss://relay.example"}) {
		t.Fatalf("%v, %v", e, err)
	}
	if _, err := everyWay(t, bob, e, nil); err != nil {
		t.Error(err)
	}
	mine := errors.New("mine")
	if _, err := wrap(func(*event.Event) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("%v", err)
	}
	for name, hook := range map[string]func(*event.Event){
		"kind":         func(e *event.Event) { e.Kind = Ephemeral },
		"pubkey":       func(e *event.Event) { e.PubKey = alice.PublicKey() },
		"content":      func(e *event.Event) { e.Content += "x" },
		"p tag gone":   func(e *event.Event) { e.Tags = nil },
		"p tag value":  func(e *event.Event) { e.Tags[0][1] = alice.PublicKey().String() },
		"second p tag": func(e *event.Event) { e.Tags = append(e.Tags, event.Tag{"p", alice.PublicKey().String()}) },
		"p tag twice":  func(e *event.Event) { e.Tags = append(e.Tags, e.Tags[0]) },
	} {
		if e, err := wrap(func(e *event.Event) error { hook(e); return nil }); !errors.Is(err, ErrHook) || e != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a signer returns is not trusted.
func TestForeignSigner(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	mine := errors.New("no")
	for name, change := range map[string]func(*event.Event) error{
		"content":    func(e *event.Event) error { e.Content += "x"; return nil },
		"kind":       func(e *event.Event) error { e.Kind = 1; return nil },
		"created_at": func(e *event.Event) error { e.CreatedAt++; return nil },
		"tags":       func(e *event.Event) error { e.Tags = event.Tags{{"t", "x"}}; return nil },
		"another":    func(e *event.Event) error { e.PubKey = keys.PublicKey{}; return bob.SignEvent(ctx, e) },
		"id":         func(e *event.Event) error { e.ID[0] ^= 1; return nil },
		"signature":  func(e *event.Event) error { e.Sig[0] ^= 1; return nil },
		"failure":    func(e *event.Event) error { return mine },
	} {
		_, err := Wrap(ctx, changing{alice, change}, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), nil)
		want := ErrSealSignature
		if name == "failure" {
			want = mine
		}
		var layer *LayerError
		if !errors.Is(err, want) || !errors.As(err, &layer) || layer.Layer != LayerSeal {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// changing is a signer that changes the event after signing it. It is not the identity
// that it embeds.
type changing struct {
	*identity.Identity
	change func(*event.Event) error
}

func (c changing) SignEvent(ctx context.Context, e *event.Event) error {
	if err := c.Identity.SignEvent(ctx, e); err != nil {
		return err
	}
	return c.change(e)
}

// A failing signer on the receiving side is no fault of the wrap.
func TestSignerFailure(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	wrap, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Unwrap(ended, bob, wrap, nil); !errors.Is(err, context.Canceled) || Classify(err) != ClassSigner {
		t.Errorf("%v", err)
	}
	bob.Close()
	_, err = everyWay(t, bob, wrap, nil)
	if !errors.Is(err, identity.ErrClosed) || Classify(err) != ClassSigner || Classify(err).Final() {
		t.Errorf("%v", err)
	}
}

func TestRefusedToSend(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	fine := func() *Rumor { return rumorOf(alice.PublicKey(), "x") }
	change := func(f func(*Rumor)) *Rumor { r := fine(); f(r); return r }
	for _, c := range []struct {
		name  string
		r     *Rumor
		to    keys.PublicKey
		o     *WrapOptions
		layer Layer
		want  error
	}{
		{"no rumor", nil, bob.PublicKey(), nil, LayerRumor, ErrNil},
		{"another's rumor", rumorOf(bob.PublicKey(), "x"), bob.PublicKey(), nil, LayerRumor, ErrSenderMismatch},
		{"wrong id", change(func(r *Rumor) { r.Content = "y" }), bob.PublicKey(), nil, LayerRumor, ErrRumorID},
		{"bad UTF-8", change(func(r *Rumor) { r.Content = "\xff" }), bob.PublicKey(), nil, LayerRumor, event.ErrUTF8},
		{"bad kind", change(func(r *Rumor) { r.Kind = 65536 }), bob.PublicKey(), nil, LayerRumor, event.ErrKind},
		{"too large", rumorOf(alice.PublicKey(), strings.Repeat("x", 1<<20)), bob.PublicKey(), nil, LayerRumor, nip44.ErrTooLarge},
		{"no recipient", fine(), keys.PublicKey{}, nil, LayerSeal, keys.ErrPublicKey},
		{"wrap kind", fine(), bob.PublicKey(), &WrapOptions{Kind: 1}, LayerWrap, ErrKind},
		{"self copy", fine(), bob.PublicKey(), &WrapOptions{SelfCopy: true}, LayerWrap, ErrSelfCopy},
	} {
		e, err := Wrap(ctx, alice, c.r, c.to, c.o)
		var layer *LayerError
		if e != nil || !errors.Is(err, c.want) || !errors.As(err, &layer) || layer.Layer != c.layer {
			t.Errorf("%s: %v, want %v at %s", c.name, err, c.want, c.layer)
		}
	}
	for name, seal := range map[string]*event.Event{"nil": nil, "kind 1": {Kind: 1}, "no UTF-8": {Kind: KindSeal, Content: "\xff"}} {
		if _, err := WrapSeal(seal, bob.PublicKey(), nil); err == nil {
			t.Errorf("WrapSeal took %s", name)
		}
	}
}

// Case 26: a rumor is sent with its id, also when its maker left it out.
func TestRumorIDIsSent(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	r := rumorOf(alice.PublicKey(), "x")
	want := r.ID
	r.ID = event.ID{}
	seal, err := Seal(ctx, alice, r, bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(seal.Tags) != 0 || seal.Kind != KindSeal || seal.Verify() != nil {
		t.Errorf("%+v", seal)
	}
	plain, err := bob.Decrypt(ctx, []byte(seal.Content), alice.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(plain, &fields); err != nil {
		t.Fatal(err)
	}
	if _, signed := fields["sig"]; signed || fields["id"] != want.String() { // case 27
		t.Errorf("%s", plain)
	}
}

// The limit for readers of the older NIP-44 is exact.
func TestLegacyOnly(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	o := &WrapOptions{LegacyOnly: true}
	overhead := len(rumorOf(alice.PublicKey(), "").AppendJSON(nil))
	fits := rumorOf(alice.PublicKey(), strings.Repeat("x", LegacyMaxRumor-overhead))
	wrap, err := Wrap(ctx, alice, fits, bob.PublicKey(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(wrap.Content) > 87472 {
		t.Errorf("the wrap has %d characters", len(wrap.Content))
	}
	_, err = Wrap(ctx, alice, rumorOf(alice.PublicKey(), fits.Content+"x"), bob.PublicKey(), o)
	var size *nip44.SizeError
	if !errors.As(err, &size) || *size != (nip44.SizeError{Size: 40961, Limit: 40960}) {
		t.Errorf("%v", err)
	}
	longer, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), fits.Content+"x"), bob.PublicKey(), nil)
	if err != nil || len(longer.Content) <= 87472 {
		t.Errorf("one byte more, without the option: %d characters, %v", len(longer.Content), err)
	}
}

// The limit is what the layers make of 1 MiB, is told before anything is signed,
// and what is within it arrives.
func TestMaxRumor(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	overhead := len(rumorOf(alice.PublicKey(), "").AppendJSON(nil))
	fits := rumorOf(alice.PublicKey(), strings.Repeat("x", 655360-overhead))
	wrap, err := Wrap(ctx, alice, fits, bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := everyWay(t, bob, wrap, nil); err != nil || m.Rumor.ID != fits.ID {
		t.Errorf("%v", err)
	}
	_, err = Wrap(ctx, alice, rumorOf(alice.PublicKey(), fits.Content+"x"), bob.PublicKey(), nil)
	var size *nip44.SizeError
	var layer *LayerError
	if !errors.As(err, &size) || *size != (nip44.SizeError{Size: 655361, Limit: 655360}) || !errors.As(err, &layer) || layer.Layer != LayerRumor {
		t.Errorf("%v", err)
	}
}

// wrapOf returns a wrap around text, for to.
func wrapOf(t *testing.T, text []byte, to keys.PublicKey) *event.Event {
	t.Helper()
	once := newIdentity(t)
	payload, err := once.Encrypt(ctx, text, to)
	if err != nil {
		t.Fatal(err)
	}
	wrap := &event.Event{Kind: Ephemeral, CreatedAt: 1699999998, Tags: event.Tags{{"p", to.String()}}, Content: string(payload)}
	if err := once.SignEvent(ctx, wrap); err != nil {
		t.Fatal(err)
	}
	return wrap
}

// A wrap of a single layer gives what its author signed, and nothing else.
func TestUnwrapUnsealed(t *testing.T) {
	author, me := newIdentity(t), newIdentity(t)
	signed := func(kind int) *event.Event {
		e := &event.Event{CreatedAt: 1700000000, Kind: kind, Tags: event.Tags{{"t", "boats"}}, Content: "hello"}
		if err := author.SignEvent(ctx, e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	want := signed(25910)
	wrap := wrapOf(t, want.AppendJSON(nil), me.PublicKey())
	got, err := UnwrapUnsealed(ctx, me, wrap, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Event, want) || got.WrapID != wrap.ID || got.WrapCreatedAt != 1699999998 {
		t.Errorf("%+v", got)
	}
	// The two forms are kept apart.
	if m, err := Unwrap(ctx, me, wrap, nil); m != nil || !errors.Is(err, ErrKind) {
		t.Errorf("Unwrap of a wrap of a single layer: %v, %v", m, err)
	}

	json := string(want.AppendJSON(nil))
	spoiled := func(spoil func(e *event.Event)) []byte {
		e := *want
		spoil(&e)
		return e.AppendJSON(nil)
	}
	forged := *wrap
	forged.Sig[0] ^= 1
	for _, c := range []struct {
		name  string
		wrap  *event.Event
		layer Layer
		class Class
		want  error
	}{
		{"no wrap", nil, LayerWrap, ClassMalformed, ErrNil},
		{"wrap signature", &forged, LayerWrap, ClassForged, ErrWrapSignature},
		{"for another", wrapOf(t, []byte(json), author.PublicKey()), LayerWrap, ClassNotForMe, ErrNotForMe},
		{"no JSON", wrapOf(t, []byte("hello"), me.PublicKey()), LayerInner, ClassMalformed, event.ErrSyntax},
		{"two events", wrapOf(t, []byte(json+json), me.PublicKey()), LayerInner, ClassMalformed, event.ErrSyntax},
		{"a seal", wrapOf(t, signed(KindSeal).AppendJSON(nil), me.PublicKey()), LayerInner, ClassMalformed, ErrKind},
		{"a wrap", wrapOf(t, wrap.AppendJSON(nil), me.PublicKey()), LayerInner, ClassMalformed, ErrKind},
		{"a durable wrap", wrapOf(t, signed(Durable).AppendJSON(nil), me.PublicKey()), LayerInner, ClassMalformed, ErrKind},
		{"a rumor", wrapOf(t, rumorOf(author.PublicKey(), "hello").AppendJSON(nil), me.PublicKey()), LayerInner, ClassMalformed, event.ErrMissingKey},
		{"an event without an id", wrapOf(t, replace(`"id"`, `"di"`)([]byte(json)), me.PublicKey()), LayerInner, ClassMalformed, event.ErrMissingKey},
		{"a signature changed", wrapOf(t, spoiled(func(e *event.Event) { e.Sig[9] ^= 1 }), me.PublicKey()), LayerInner, ClassForged, event.ErrSignature},
		{"content changed", wrapOf(t, spoiled(func(e *event.Event) { e.Content += "." }), me.PublicKey()), LayerInner, ClassForged, event.ErrID},
		{"another author", wrapOf(t, spoiled(func(e *event.Event) { e.PubKey = me.PublicKey(); e.ID = e.ComputeID() }), me.PublicKey()), LayerInner, ClassForged, ErrInnerSignature},
		{"an author off the curve", wrapOf(t, spoiled(func(e *event.Event) { e.PubKey = keys.PublicKey{}; e.ID = e.ComputeID() }), me.PublicKey()), LayerInner, ClassForged, keys.ErrPublicKey},
	} {
		got, err := UnwrapUnsealed(ctx, me, c.wrap, nil)
		var layer *LayerError
		if got != nil || !errors.As(err, &layer) || layer.Layer != c.layer || !errors.Is(err, c.want) || Classify(err) != c.class {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}

	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := UnwrapUnsealed(ended, me, wrap, nil); !errors.Is(err, context.Canceled) || Classify(err) != ClassSigner {
		t.Errorf("%v", err)
	}
	// Another of the own keys.
	second := newIdentity(t)
	if got, err := UnwrapUnsealed(ctx, second, wrap, &UnwrapOptions{Keys: []signer.Cipher{me}}); err != nil || got.Event.ID != want.ID {
		t.Errorf("%v", err)
	}
}

func TestMaxPlaintext(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	wrap, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), strings.Repeat("x", 5000)), bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := everyWay(t, bob, wrap, &UnwrapOptions{MaxPlaintext: 5000}); !errors.Is(err, nip44.ErrTooLarge) || Classify(err) != ClassTooLarge || ClassTooLarge.Final() {
		t.Errorf("%v", err)
	}
	if _, err := everyWay(t, bob, wrap, &UnwrapOptions{MaxPlaintext: 10000}); err != nil {
		t.Error(err)
	}
	// To the byte, though the payload's length tells it but to a step of the
	// padding. The outer layer is the longer one.
	inner, err := bob.Decrypt(ctx, []byte(wrap.Content), wrap.PubKey)
	if err != nil {
		t.Fatal(err)
	}
	n := uint64(len(inner))
	if _, err := everyWay(t, bob, wrap, &UnwrapOptions{MaxPlaintext: n}); err != nil {
		t.Errorf("%d of %d bytes: %v", n, n, err)
	}
	if _, err := everyWay(t, bob, wrap, &UnwrapOptions{MaxPlaintext: n - 1}); !errors.Is(err, nip44.ErrTooLarge) || Classify(err) != ClassTooLarge {
		t.Errorf("%d of %d bytes: %v", n, n-1, err)
	}
	// More than the default, asked for on both sides.
	big, err := alice.Encrypt(ctx, make([]byte, 2<<20), bob.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	l := layers{author: generate(t), once: generate(t), to: bob.PublicKey()}
	l.payload = func([]byte) []byte { return big }
	if _, err := everyWay(t, bob, l.build(t), nil); !errors.Is(err, nip44.ErrTooLarge) {
		t.Errorf("%v", err)
	}
	if _, err := everyWay(t, bob, l.build(t), &UnwrapOptions{MaxPlaintext: 4 << 20}); !errors.Is(err, ErrNotForMe) {
		t.Errorf("%v", err)
	}
}

// Cases 34, 36: results in order, one bad wrap spoils nothing, progress counts.
func TestUnwrapAll(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	wraps := make([]*event.Event, 300) // more than two chunks
	for i := range wraps {
		var err error
		wraps[i], err = Wrap(ctx, alice, rumorOf(alice.PublicKey(), fmt.Sprint("message ", i)), bob.PublicKey(), nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	wraps[4] = nil
	wraps[7].Sig[0] ^= 1
	wraps[299].Kind = 1
	for _, me := range []signer.Cipher{bob, struct{ signer.Cipher }{bob}} {
		testUnwrapAll(t, me, wraps)
	}
	bob.Close()
	for _, r := range UnwrapAll(ctx, bob, wraps, nil) {
		if !errors.Is(r.Err, identity.ErrClosed) {
			t.Errorf("%v", r.Err)
		}
	}
}

func testUnwrapAll(t *testing.T, me signer.Cipher, wraps []*event.Event) {
	last := 0
	results := UnwrapAll(ctx, me, wraps, &UnwrapOptions{Progress: func(done, total int) {
		if done != last+1 || total != len(wraps) {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	}})
	if len(results) != len(wraps) || last != len(wraps) {
		t.Fatalf("%d results, progress %d", len(results), last)
	}
	want := map[int]error{4: ErrNil, 7: ErrWrapSignature, 299: ErrKind}
	for i, r := range results {
		if want[i] != nil {
			if !errors.Is(r.Err, want[i]) || r.Message != nil {
				t.Errorf("wrap %d: %v", i, r.Err)
			}
		} else if r.Err != nil || r.Message.Rumor.Content != fmt.Sprint("message ", i) {
			t.Errorf("wrap %d: %v", i, r.Err)
		}
	}
}

// A batch cipher that breaks its contract spoils its own results and nothing
// else: it is a failure of the signer.
func TestBrokenBatchCipher(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	wrap, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range UnwrapAll(ctx, brokenBatch{bob}, []*event.Event{wrap, nil}, nil) {
		if r.Message != nil || r.Err == nil {
			t.Errorf("%v, %v", r.Message, r.Err)
		}
	}
	err = UnwrapAll(ctx, brokenBatch{bob}, []*event.Event{wrap}, nil)[0].Err
	if !errors.Is(err, errBatch) || Classify(err) != ClassSigner {
		t.Errorf("%v", err)
	}
	for _, r := range WrapMany(ctx, brokenBatch{alice}, rumorOf(alice.PublicKey(), "x"), []keys.PublicKey{bob.PublicKey(), alice.PublicKey()}, nil) {
		if !errors.Is(r.Err, errBatch) || r.Event != nil {
			t.Errorf("%v", r.Err)
		}
	}
}

// An item with neither data nor error is counted once, and is no message.
func TestEmptyBatchResult(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	wrap, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	results := UnwrapAll(ctx, emptyBatch{brokenBatch{bob}}, []*event.Event{wrap, wrap, nil}, &UnwrapOptions{Progress: func(done, _ int) { last = done }})
	for i, r := range results {
		if r.Err == nil || r.Message != nil {
			t.Errorf("wrap %d: %v, %v", i, r.Message, r.Err)
		}
	}
	if last != 3 {
		t.Errorf("progress ended at %d of 3", last)
	}
}

type emptyBatch struct{ brokenBatch }

func (emptyBatch) DecryptAll(_ context.Context, items []signer.Sealed) []signer.Opened {
	return make([]signer.Opened, len(items))
}

type brokenBatch struct{ signer.Keyer }

func (brokenBatch) EncryptAll(context.Context, []signer.Sealed) []signer.Opened { return nil }
func (brokenBatch) DecryptAll(context.Context, []signer.Sealed) []signer.Opened { return nil }

// Case 37: a signer that answers after 50 ms is asked many times at once, never
// more than the bound.
func TestSlowSigner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		alice, bob := newIdentity(t), newIdentity(t)
		slow := &slowKeyer{Keyer: bob}
		wraps := make([]*event.Event, 200)
		for i := range wraps {
			var err error
			wraps[i], err = Wrap(ctx, alice, rumorOf(alice.PublicKey(), fmt.Sprint(i)), bob.PublicKey(), nil)
			if err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		for i, r := range UnwrapAll(ctx, slow, wraps, nil) {
			if r.Err != nil || r.Message.Rumor.Content != fmt.Sprint(i) {
				t.Fatalf("wrap %d: %v", i, r.Err)
			}
		}
		const serial = 200 * 2 * 50 * time.Millisecond
		if took := time.Since(start); took > serial/10 {
			t.Errorf("200 wraps took %v, one after another %v", took, serial)
		}
		start = time.Now()
		to := make([]keys.PublicKey, 100)
		for i := range to {
			to[i] = generate(t).PublicKey()
		}
		for _, r := range WrapMany(ctx, slow, rumorOf(bob.PublicKey(), "x"), to, nil) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		if took, serial := time.Since(start), 100*2*50*time.Millisecond; took > serial/10 {
			t.Errorf("100 recipients took %v, one after another %v", took, serial)
		}
		if most := slow.most.Load(); most > inFlight || most < 10 {
			t.Errorf("%d calls at once, bound %d", most, inFlight)
		}

		// A context that ends stops it within a call's time.
		ended, cancel := context.WithTimeout(ctx, 120*time.Millisecond)
		defer cancel()
		start = time.Now()
		failed := 0
		for _, r := range UnwrapAll(ended, slow, wraps, nil) {
			if r.Err != nil {
				failed++
				if !errors.Is(r.Err, context.DeadlineExceeded) {
					t.Fatal(r.Err)
				}
			}
		}
		if took := time.Since(start); took > 170*time.Millisecond || failed < 100 {
			t.Errorf("cancelled after %v, %d of 200 failed", took, failed)
		}
	})
}

// slowKeyer answers every call after 50 ms, as a signer at the other end of a
// relay does.
type slowKeyer struct {
	signer.Keyer
	now, most atomic.Int32
}

func (s *slowKeyer) wait(ctx context.Context) error {
	n := s.now.Add(1)
	defer s.now.Add(-1)
	for m := s.most.Load(); n > m && !s.most.CompareAndSwap(m, n); m = s.most.Load() {
	}
	select {
	case <-time.After(50 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *slowKeyer) SignEvent(ctx context.Context, e *event.Event) error {
	if err := s.wait(ctx); err != nil {
		return err
	}
	return s.Keyer.SignEvent(ctx, e)
}

func (s *slowKeyer) Encrypt(ctx context.Context, plaintext []byte, to keys.PublicKey) ([]byte, error) {
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	return s.Keyer.Encrypt(ctx, plaintext, to)
}

func (s *slowKeyer) Decrypt(ctx context.Context, payload []byte, from keys.PublicKey) ([]byte, error) {
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	return s.Keyer.Decrypt(ctx, payload, from)
}

// Case 40: one rumor id in all copies, the sender's own among them.
func TestWrapMany(t *testing.T) {
	alice, bob, carol := newIdentity(t), newIdentity(t), newIdentity(t)
	r := rumorOf(alice.PublicKey(), "x")
	to := []keys.PublicKey{bob.PublicKey(), {}, carol.PublicKey()}
	results := WrapMany(ctx, alice, r, to, &WrapOptions{SelfCopy: true})
	if len(results) != 4 {
		t.Fatalf("%d results", len(results))
	}
	senders := map[keys.PublicKey]bool{}
	for i, reader := range []*identity.Identity{bob, nil, carol, alice} {
		result := results[i]
		if reader == nil {
			if !errors.Is(result.Err, keys.ErrPublicKey) || result.Event != nil {
				t.Errorf("no key: %v", result.Err)
			}
			continue
		}
		if result.Err != nil || result.To != reader.PublicKey() {
			t.Fatalf("%d: to %s, %v", i, result.To, result.Err)
		}
		m, err := everyWay(t, reader, result.Event, nil)
		if err != nil || m.Rumor.ID != r.ID {
			t.Errorf("%d: %v", i, err)
		}
		senders[result.Event.PubKey] = true
	}
	if len(senders) != 3 {
		t.Errorf("%d one-time keys for 3 wraps", len(senders))
	}
	if got := WrapMany(ctx, alice, r, []keys.PublicKey{alice.PublicKey()}, &WrapOptions{SelfCopy: true}); len(got) != 1 || got[0].Err != nil {
		t.Errorf("to oneself: %d results", len(got))
	}
	if got := WrapMany(ctx, alice, r, nil, nil); len(got) != 0 {
		t.Errorf("to nobody: %v", got)
	}
}

// Case 31.
func TestSince(t *testing.T) {
	at := time.Unix(1700000000, 0)
	if got := Since(at); at.Sub(got) != 48*time.Hour {
		t.Errorf("%v", at.Sub(got))
	}
}

func TestRumorJSON(t *testing.T) {
	r := rumorOf(generate(t).PublicKey(), "a \"b\"\n<é>\u2028")
	for _, v := range []any{r, *r} {
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var back Rumor
		if err := json.Unmarshal(out, &back); err != nil || !reflect.DeepEqual(&back, r) {
			t.Errorf("%T as %s: %+v, %v", v, out, back, err)
		}
	}
	m := Message{Sender: r.PubKey, Rumor: r}
	out, err := json.Marshal(m)
	var back Message
	if err != nil || json.Unmarshal(out, &back) != nil || !reflect.DeepEqual(back, m) {
		t.Errorf("a message as %s: %+v, %v", out, back, err)
	}
	for _, bad := range []string{`null`, `{}`, `{"kind":1,"content":"x"}`, `{"kind":1,"content":"x","tags":[],"created_at":1,"pubkey":"` + r.PubKey.String() + `","id":"` + r.ID.String() + `"}`} {
		if err := json.Unmarshal([]byte(bad), new(Rumor)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
	r.Content = "\xff"
	if out, err := json.Marshal(r); err == nil {
		t.Errorf("invalid UTF-8 as %s", out)
	}
}

// A signer that changes the event and then signs it: every signature is good,
// and what was asked for is not what was signed.
func TestSignerSignsAnother(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	for name, change := range map[string]func(*event.Event){
		"content":    func(e *event.Event) { e.Content += "AAAA" },
		"kind":       func(e *event.Event) { e.Kind = 1 },
		"created_at": func(e *event.Event) { e.CreatedAt++ },
		"tags":       func(e *event.Event) { e.Tags = event.Tags{{"expiration", "1"}} },
	} {
		from := signingAnother{alice, change}
		if _, err := Seal(ctx, from, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), nil); !errors.Is(err, ErrSealSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Seal(ctx, echoing{alice}, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), nil); err == nil {
		t.Error("a cipher that echoes the rumor was not noticed")
	}
}

type signingAnother struct {
	signer.Keyer
	change func(*event.Event)
}

func (s signingAnother) SignEvent(ctx context.Context, e *event.Event) error {
	s.change(e)
	return s.Keyer.SignEvent(ctx, e)
}

// echoing is a cipher that does not encrypt.
type echoing struct{ signer.Keyer }

func (echoing) Encrypt(_ context.Context, plaintext []byte, _ keys.PublicKey) ([]byte, error) {
	return plaintext, nil
}

func FuzzUnwrap(f *testing.F) {
	me := newIdentity(f)
	l := layers{author: generate(f), once: generate(f), to: me.PublicKey()}
	f.Add(l.build(f).AppendJSON(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		wrap, err := event.Parse(data)
		if err != nil {
			return
		}
		if m, err := everyWay(t, me, wrap, nil); (m == nil) == (err == nil) {
			t.Errorf("%v, %v", m, err)
		}
	})
}

// FuzzLayers puts arbitrary bytes where the seal and the rumor belong, behind
// valid payloads.
func FuzzLayers(f *testing.F) {
	me := newIdentity(f)
	l := layers{author: generate(f), once: generate(f), to: me.PublicKey()}
	f.Add([]byte(`{"kind":13}`), true)
	f.Add(rumorOf(l.author.PublicKey(), "x").AppendJSON(nil), false)
	f.Fuzz(func(t *testing.T, inner []byte, asSeal bool) {
		if len(inner) == 0 || len(inner) > 30000 {
			return
		}
		l := l
		if asSeal {
			l.sealJSON = func([]byte) []byte { return inner }
		} else {
			l.rumorJSON = func([]byte) []byte { return inner }
		}
		m, err := everyWay(t, me, l.build(t), nil)
		if (m == nil) == (err == nil) {
			t.Errorf("%v, %v", m, err)
		}
		if err == nil && (m.Sender != l.author.PublicKey() || m.Rumor.ID != m.Rumor.ComputeID()) {
			t.Errorf("%+v", m)
		}
	})
}
