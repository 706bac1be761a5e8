package signertest

import (
	"strings"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
)

func (t *tester) checkPublicKey() {
	for range 3 {
		pub, err := t.getPublicKey(t.ctx)
		if err != nil {
			t.faultf("GetPublicKey: %w", err)
			return
		}
		if t.pub != (keys.PublicKey{}) && pub != t.pub {
			t.faultf("it was %v and is %v", t.pub, pub)
		}
		t.pub = pub
	}
	if _, err := keys.NewPublicKey(t.pub[:]); err != nil {
		t.faultf("%v: %w", t.pub, err)
	}
	if t.sk != nil && t.pub != t.sk.PublicKey() {
		t.faultf("%v does not belong to the secret key", t.pub)
	}
}

var signerChecks = []check{
	{"signing", (*tester).checkSigning},
	{"another author", (*tester).checkAnotherAuthor},
	{"invalid event", (*tester).checkInvalidEvent},
}

// sampleEvent is an unsigned event with all that is easily lost on the way.
func sampleEvent() *event.Event {
	return &event.Event{
		Kind:      1,
		CreatedAt: 1700000000,
		Tags:      event.Tags{{"p", strings.Repeat("ab", 32), "", "Ann"}, {"t", "a&b <c>"}, {"t", "a&b <c>"}, {"-"}},
		Content:   "tabs\t, lines\r\n, \"quotes\", back\\slashes, \x00\x1f\x7f, <a href='&'>, \u2028\u2029, é 漢 🎁 ",
	}
}

func (t *tester) checkSigning() {
	t.signs(sampleEvent())
	t.signs(&event.Event{}) // a time and a kind of zero are no missing ones
	t.signs(&event.Event{Kind: event.KindSeal, CreatedAt: 1600000000, Tags: event.Tags{}, Content: strings.Repeat("A", 70_000)})
	t.signs(&event.Event{Kind: event.MaxKind, CreatedAt: event.MaxCreatedAt})

	own := sampleEvent()
	own.PubKey = t.pub
	t.signs(own)
	t.signs(own) // signed already

	stale := sampleEvent()
	stale.ID[0], stale.Sig[0] = 1, 1
	t.signs(stale)
}

// signs asks that e gets signed and is otherwise what it was.
func (t *tester) signs(e *event.Event) {
	before := snapshot(e)
	if err := t.signEvent(t.ctx, e); err != nil {
		t.faultf("kind %d: %w", before.Kind, err)
		return
	}
	if e.PubKey != t.pub {
		t.faultf("kind %d: signed for %v", before.Kind, e.PubKey)
	}
	if t.unaltered(e, &before) {
		if err := e.Verify(); err != nil {
			t.faultf("kind %d: %w", before.Kind, err)
		}
	}
}

func snapshot(e *event.Event) event.Event {
	before := *e
	before.Tags = e.Tags.Clone()
	return before
}

// unaltered asks that the fields which a signer has to leave alone are as
// before.
func (t *tester) unaltered(e, before *event.Event) bool {
	fields := []struct {
		name string
		same bool
	}{
		{"created_at", e.CreatedAt == before.CreatedAt},
		{"kind", e.Kind == before.Kind},
		{"tags", e.Tags.Equal(before.Tags)},
		{"content", e.Content == before.Content},
	}
	unaltered := true
	for _, f := range fields {
		if !f.same {
			t.faultf("SignEvent altered %s of an event of kind %d", f.name, before.Kind)
			unaltered = false
		}
	}
	return unaltered
}

func (t *tester) checkAnotherAuthor() {
	e := sampleEvent()
	e.PubKey = newPeer(t.pub).pub
	t.refuses("an event of another author", e)
}

func (t *tester) checkInvalidEvent() {
	for what, spoil := range map[string]func(e *event.Event){
		"content that is not UTF-8": func(e *event.Event) { e.Content = "\xff" },
		"a tag that is not UTF-8":   func(e *event.Event) { e.Tags = event.Tags{{"t", "\xc3("}} },
		"an empty tag":              func(e *event.Event) { e.Tags = event.Tags{{}} },
		"a kind below zero":         func(e *event.Event) { e.Kind = -1 },
		"a kind of 65,536":          func(e *event.Event) { e.Kind = event.MaxKind + 1 },
		"a time below zero":         func(e *event.Event) { e.CreatedAt = -1 },
	} {
		e := sampleEvent()
		spoil(e)
		t.refuses(what, e)
	}
}

func (t *tester) refuses(what string, e *event.Event) {
	before := snapshot(e)
	if err := t.signEvent(t.ctx, e); err == nil {
		t.faultf("SignEvent took %s", what)
	} else if e.PubKey != before.PubKey {
		t.faultf("SignEvent refused %s and set its author", what)
	}
	t.unaltered(e, &before)
}

// works asks that a call of each kind succeeds.
func (t *tester) works(p *peer, text []byte) {
	if pub, err := t.getPublicKey(t.ctx); err != nil || pub != t.pub {
		t.faultf("GetPublicKey: %v, %v", pub, err)
	}
	if t.signer != nil {
		e := sampleEvent()
		e.Content = string(text)
		t.signs(e)
	}
	if t.cipher != nil {
		t.sends(p, text)
		t.receives(p, text)
	}
}
