package nip59

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
)

// decrypting is a cipher whose answers a test changes. It takes batches too,
// whose items it answers one by one.
type decrypting struct {
	signer.Cipher
	f func(payload []byte, text []byte, err error) ([]byte, error)
}

func (d decrypting) Decrypt(ctx context.Context, payload []byte, from keys.PublicKey) ([]byte, error) {
	text, err := d.Cipher.Decrypt(ctx, payload, from)
	return d.f(payload, text, err)
}

func (d decrypting) EncryptAll(context.Context, []signer.Sealed) []signer.Opened {
	panic("nothing is to be encrypted")
}

func (d decrypting) DecryptAll(ctx context.Context, items []signer.Sealed) []signer.Opened {
	results := make([]signer.Opened, len(items))
	for i, item := range items {
		results[i].Data, results[i].Err = d.Decrypt(ctx, item.Data, item.Peer)
	}
	return results
}

// Case 35: until kind, version, length, p tag, id and signature of the wrap hold,
// no key of the reader is used; until those of the seal hold, it is used once.
// The alphabet is seen when the cipher decodes: looking at it before would save
// nothing from whoever can sign a payload that does not authenticate.
func TestCheapChecksFirst(t *testing.T) {
	author, once := generate(t), generate(t)
	me := newIdentity(t)
	calls := 0
	counting := decrypting{me, func(_, text []byte, err error) ([]byte, error) {
		calls++
		return text, err
	}}
	for _, c := range []struct {
		name string
		l    layers
		want int
	}{
		{"nothing wrong", layers{}, 2},
		{"wrap of kind 1", layers{wrap: func(e *event.Event) { e.Kind = 1 }}, 0},
		{"wrap's payload too short", layers{payload: func(b []byte) []byte { return b[:100] }}, 0},
		{"wrap's payload too long", layers{payload: func(b []byte) []byte { return bytes.Repeat(b, 1+(2<<20)/len(b)) }}, 0},
		{"wrap's alphabet", layers{payload: func(b []byte) []byte { b[50] = '-'; return b }}, 1},
		{"wrap's version", layers{payload: func(b []byte) []byte { b[0] = '#'; return b }}, 0},
		{"wrap's p tag", layers{wrap: func(e *event.Event) { e.Tags[0][1] = author.PublicKey().String() }}, 0},
		{"wrap's id", layers{finished: func(e *event.Event) { e.ID[3] ^= 1 }}, 0},
		{"wrap's signature", layers{finished: func(e *event.Event) { e.Sig[3] ^= 1 }}, 0},
		{"seal of kind 14", layers{seal: func(e *event.Event) { e.Kind = 14 }}, 1},
		{"seal's payload too short", layers{seal: func(e *event.Event) { e.Content = e.Content[:100] }}, 1},
		{"seal's id", layers{signed: func(e *event.Event) { e.ID[3] ^= 1 }}, 1},
		{"seal's signature", layers{signed: func(e *event.Event) { e.Sig[3] ^= 1 }}, 1},
	} {
		c.l.author, c.l.once, c.l.to = author, once, me.PublicKey()
		wrap := c.l.build(t)
		for name, open := range map[string]func() error{
			"Unwrap":    func() error { _, err := Unwrap(ctx, counting, wrap, nil); return err },
			"UnwrapAll": func() error { return UnwrapAll(ctx, counting, []*event.Event{wrap}, nil)[0].Err },
		} {
			calls = 0
			if err := open(); calls != c.want || (err == nil) != (c.want == 2) {
				t.Errorf("%s, %s: %d calls of the cipher, want %d; %v", name, c.name, calls, c.want, err)
			}
		}
	}
}

// When one of the own keys could not be tried, nothing that the others say is
// final, in whichever order they are asked.
func TestFailedSignerIsNotFinal(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	wrap, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	fails := func(err error) signer.Cipher {
		return decrypting{bob, func(_, _ []byte, _ error) ([]byte, error) { return nil, err }}
	}
	lost := errors.New("connection lost")
	for _, data := range []error{nip44.ErrPadding, nip44.ErrMAC, keys.ErrPublicKey} {
		for _, order := range [][2]error{{lost, data}, {data, lost}} {
			_, err := everyWay(t, fails(order[0]), wrap, &UnwrapOptions{Keys: []signer.Cipher{fails(order[1])}})
			if !errors.Is(err, lost) || Classify(err) != ClassSigner {
				t.Errorf("%v: %v", order, err)
			}
		}
	}
	// What is wrong with the payload says more than that another key did not fit.
	for _, order := range [][2]error{{nip44.ErrMAC, nip44.ErrPadding}, {nip44.ErrPadding, nip44.ErrMAC}, {keys.ErrPublicKey, nip44.ErrPadding}} {
		_, err := everyWay(t, fails(order[0]), wrap, &UnwrapOptions{Keys: []signer.Cipher{fails(order[1])}})
		if !errors.Is(err, nip44.ErrPadding) || !Classify(err).Final() {
			t.Errorf("%v: %v", order, err)
		}
	}
}

// A cipher that writes into the payload changes no event.
func TestPayloadIsCopied(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	wrap, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	writing := decrypting{bob, func(payload, text []byte, err error) ([]byte, error) {
		clear(payload)
		return text, err
	}}
	if _, err := everyWay(t, writing, wrap, nil); err != nil {
		t.Error(err)
	}
	if err := wrap.Verify(); err != nil {
		t.Errorf("the wrap was changed: %v", err)
	}
}

// Case 19: what was in a seal is wiped once it is read, and so is what is too
// large to be read.
func TestTextIsWiped(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	wrap, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), "hello"), bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	inner := &event.Event{Kind: 1, CreatedAt: 1700000000, Content: "hello"}
	if err := alice.SignEvent(ctx, inner); err != nil {
		t.Fatal(err)
	}
	unsealed := wrapOf(t, inner.AppendJSON(nil), bob.PublicKey())
	forged := layers{author: generate(t), once: generate(t), to: bob.PublicKey(), rumorJSON: replace("hello", "jello")}.build(t)

	var kept []byte // the last text
	keeping := decrypting{bob, func(_, text []byte, err error) ([]byte, error) {
		kept = text
		return text, err
	}}
	for name, open := range map[string]func() error{
		"Unwrap":    func() error { _, err := Unwrap(ctx, keeping, wrap, nil); return err },
		"UnwrapAll": func() error { return UnwrapAll(ctx, keeping, []*event.Event{wrap}, nil)[0].Err },
		"UnwrapUnsealed": func() error {
			_, err := UnwrapUnsealed(ctx, keeping, unsealed, nil)
			return err
		},
		"a rumor that is refused": func() error {
			if _, err := Unwrap(ctx, keeping, forged, nil); !errors.Is(err, ErrRumorID) {
				return fmt.Errorf("want another error than %w", err)
			}
			return nil
		},
		"a text over the limit": func() error {
			// One byte too few, which the padded length does not tell.
			if _, err := Unwrap(ctx, keeping, unsealed, &UnwrapOptions{MaxPlaintext: uint64(len(inner.AppendJSON(nil)) - 1)}); !errors.Is(err, nip44.ErrTooLarge) {
				return fmt.Errorf("want another error than %w", err)
			}
			return nil
		},
	} {
		kept = nil
		if err := open(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(kept) < 100 || !bytes.Equal(kept, make([]byte, len(kept))) {
			t.Errorf("%s: the text is still there: %q", name, kept)
		}
	}
}

// The first key that opens a payload settles it, also when the text is too large.
func TestTooLargeSettles(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	wrap, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	long := decrypting{bob, func(_, text []byte, err error) ([]byte, error) {
		return append(text, make([]byte, nip44.DefaultMaxPlaintext)...), err
	}}
	if _, err := everyWay(t, long, wrap, &UnwrapOptions{Keys: []signer.Cipher{bob}}); !errors.Is(err, nip44.ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

// counting notes the sizes of the batches that it decrypts.
type counting struct {
	*identity.Identity
	sizes *[]int
}

func (c counting) DecryptAll(ctx context.Context, items []signer.Sealed) []signer.Opened {
	*c.sizes = append(*c.sizes, len(items))
	return c.Identity.DecryptAll(ctx, items)
}

// Chunks are bounded by their number and by their bytes, and each passes both
// layers before the next begins.
func TestUnwrapAllChunks(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	for _, c := range []struct {
		content, wraps int
		batches        []int
	}{
		{10, 300, []int{128, 128, 128, 128, 44, 44}},
		// The payload of the seal has 873,908 characters; the seal's JSON is padded
		// to 917,504 bytes, whose payload has 1,223,436: the 14th passes 16 MiB.
		{600_000, 20, []int{14, 14, 6, 6}},
	} {
		wrap, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), strings.Repeat("x", c.content)), bob.PublicKey(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var sizes []int
		for i, r := range UnwrapAll(ctx, counting{bob, &sizes}, slices.Repeat([]*event.Event{wrap}, c.wraps), nil) {
			if r.Err != nil {
				t.Fatalf("wrap %d: %v", i, r.Err)
			}
		}
		if !slices.Equal(sizes, c.batches) {
			t.Errorf("batches of %v, want %v", sizes, c.batches)
		}
	}
}

// batching is a cipher that takes many payloads and is no Identity.
type batching struct{ signer.BatchCipher }

func (b batching) GetPublicKey(ctx context.Context) (keys.PublicKey, error) {
	return b.BatchCipher.(signer.Cipher).GetPublicKey(ctx)
}

func (b batching) Encrypt(ctx context.Context, plaintext []byte, to keys.PublicKey) ([]byte, error) {
	return b.BatchCipher.(signer.Cipher).Encrypt(ctx, plaintext, to)
}

func (b batching) Decrypt(ctx context.Context, payload []byte, from keys.PublicKey) ([]byte, error) {
	return b.BatchCipher.(signer.Cipher).Decrypt(ctx, payload, from)
}

// Inboxes of one sender, of several and of strangers, with wraps and seals spoiled among
// them: each wrap is answered as alone, whichever signatures are verified together.
func TestUnwrapAllAsAlone(t *testing.T) {
	bob := newIdentity(t)
	var authors []*keys.SecretKey
	for range 70 {
		authors = append(authors, generate(t))
	}
	spoilSig := func(e *event.Event) { e.Sig[50] ^= 1 }
	for _, senders := range []int{1, 5, 70} {
		wraps := make([]*event.Event, 140)
		for i := range wraps {
			l := layers{author: authors[i%senders], once: generate(t), to: bob.PublicKey()}
			switch i % 23 {
			case 1:
				l.finished = spoilSig
			case 2:
				l.finished = func(e *event.Event) { e.ID[3] ^= 1 }
			case 3:
				l.signed = spoilSig
			case 4:
				l.signed = func(e *event.Event) { e.CreatedAt++ }
			case 5:
				l.signed = func(e *event.Event) { copy(e.Sig[:32], e.PubKey[:]) }
			case 6:
				l.signed = func(e *event.Event) { e.PubKey = authors[(i+1)%70].PublicKey() }
			case 7:
				l.seal = func(e *event.Event) { e.Tags = event.Tags{{"x"}} }
			case 8:
				l.finished = func(e *event.Event) { e.PubKey = keys.PublicKey{31: 5}; e.ID = e.ComputeID() }
			}
			wraps[i] = l.build(t)
		}
		type answer struct {
			rumor, err string
		}
		answerOf := func(m *Message, err error) (a answer) {
			if err != nil {
				a.err = err.Error()
			} else {
				a.rumor = string(m.Rumor.AppendJSON(nil)) + m.Sender.String() + m.SealID.String() + m.WrapID.String()
			}
			return a
		}
		var want []answer
		refused := map[error]int{}
		for _, w := range wraps {
			m, err := Unwrap(ctx, bob, w, nil)
			want = append(want, answerOf(m, err))
			for _, cause := range []error{ErrWrapSignature, ErrSealSignature, ErrSealTags} {
				if errors.Is(err, cause) {
					refused[cause]++
				}
			}
		}
		if refused[ErrWrapSignature] != 19 || refused[ErrSealSignature] < 19 || refused[ErrSealTags] != 6 {
			t.Errorf("refused: %v", refused)
		}
		for _, me := range []signer.Cipher{bob, batching{bob}, struct{ signer.Cipher }{bob}} {
			for _, n := range []int{1, 3, 20, 140} {
				for i, r := range UnwrapAll(ctx, me, wraps[:n], nil) {
					if got := answerOf(r.Message, r.Err); got != want[i] {
						t.Fatalf("%d senders, %d wraps, wrap %d: %v, alone %v", senders, n, i, got, want[i])
					}
				}
			}
		}
	}
}

// When the seals of a chunk are verified together, on two processors: answers alone do
// not tell.
func TestSealsTogether(t *testing.T) {
	bob, work := newIdentity(t), newIdentity(t)
	only, mixed := []signer.Cipher{bob}, []signer.Cipher{batching{work}, bob}
	others := []signer.Cipher{batching{bob}, batching{work}}
	for _, c := range []struct {
		own            []signer.Cipher
		seals, senders int
		want           bool
	}{
		// Fewer than four for each processor are not worth it.
		{only, 0, 0, false}, {only, 7, 1, false}, {others, 7, 7, false},
		// An identity may know senders that have not sent two seals each.
		{only, 8, 1, true}, {only, 8, 4, true}, {only, 8, 5, false}, {only, 127, 64, false},
		{mixed, 8, 4, true}, {mixed, 8, 5, false},
		// Unless there are 64 for each processor.
		{only, 128, 128, true}, {mixed, 128, 128, true},
		// No other cipher knows anybody.
		{others, 8, 8, true}, {others, 127, 127, true},
	} {
		var u unwrapper
		for _, k := range c.own {
			u.own = append(u.own, ownKey{Cipher: k})
		}
		var letters []letter
		for i := range c.seals {
			// One that failed before, and has no seal, beside each.
			seal := &event.Event{PubKey: keys.PublicKey{byte(i % c.senders), byte(i % c.senders >> 8), 1}}
			letters = append(letters, letter{seal: seal}, letter{err: ErrKind})
		}
		if got := u.sealsTogether(letters, 2); got != c.want {
			t.Errorf("%d own keys, %d seals by %d senders: %v, want %v", len(c.own), c.seals, c.senders, got, c.want)
		}
	}
}
