package nip59

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
)

// watched is an identity that tells what it is asked for.
type watched struct {
	*identity.Identity
	before func(items []signer.Sealed) // a batch is encrypted
	signed func()
}

func (w watched) EncryptAll(ctx context.Context, items []signer.Sealed) []signer.Opened {
	if w.before != nil {
		w.before(items)
	}
	return w.Identity.EncryptAll(ctx, items)
}

func (w watched) SignEvent(ctx context.Context, e *event.Event) error {
	err := w.Identity.SignEvent(ctx, e)
	if w.signed != nil {
		w.signed()
	}
	return err
}

// single hides the batches of a Keyer.
type single struct{ signer.Keyer }

// Case 36, for sending: chunks are bounded by their number and by their bytes,
// results are in order, and progress counts each of them once.
func TestWrapManyChunks(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	for _, c := range []struct {
		content, recipients int
		batches             []int
	}{
		{10, 300, []int{128, 128, 44}},
		// 600,000 bytes are padded to 655,360, whose payload has 873,908
		// characters: 19 fit into 16 MiB.
		{600_000, 21, []int{19, 2}},
	} {
		to := make([]keys.PublicKey, c.recipients)
		for i := range to {
			to[i] = bob.PublicKey()
		}
		to[1] = keys.PublicKey{}
		var sizes []int
		from := watched{Identity: alice, before: func(items []signer.Sealed) { sizes = append(sizes, len(items)) }}
		for _, from := range []signer.Keyer{from, single{alice}} {
			last := 0
			rumor := rumorOf(alice.PublicKey(), strings.Repeat("x", c.content))
			results := WrapMany(ctx, from, rumor, to, &WrapOptions{Progress: func(done, total int) {
				if done != last+1 || total != c.recipients {
					t.Errorf("progress %d of %d after %d", done, total, last)
				}
				last = done
			}})
			if len(results) != c.recipients || last != c.recipients {
				t.Fatalf("%d results, progress %d, want %d", len(results), last, c.recipients)
			}
			for i, r := range results {
				if r.To != to[i] || (r.Event == nil) != (i == 1) || errors.Is(r.Err, keys.ErrPublicKey) != (i == 1) {
					t.Fatalf("recipient %d: %v", i, r.Err)
				}
			}
			for _, i := range []int{0, c.recipients - 1} {
				if m, err := Unwrap(ctx, bob, results[i].Event, nil); err != nil || m.Rumor.ID != rumor.ID {
					t.Errorf("recipient %d: %v", i, err)
				}
			}
		}
		if !slices.Equal(sizes, c.batches) {
			t.Errorf("batches of %v, want %v", sizes, c.batches)
		}
	}
}

// A context that ends while a chunk is at work leaves the later ones alone, and
// one that ends after sealing leaves the seal unwrapped.
func TestWrapManyContext(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	to := make([]keys.PublicKey, 300)
	for i := range to {
		to[i] = bob.PublicKey()
	}
	ended, cancel := context.WithCancel(ctx)
	batches := 0
	from := watched{Identity: alice, before: func([]signer.Sealed) { batches++ }}
	o := &WrapOptions{Progress: func(done, _ int) {
		if done == chunkWraps {
			cancel()
		}
	}}
	for i, r := range WrapMany(ended, from, rumorOf(alice.PublicKey(), "x"), to, o) {
		if i < chunkWraps && r.Err != nil || i >= chunkWraps && (!errors.Is(r.Err, context.Canceled) || r.Event != nil) {
			t.Fatalf("recipient %d: %v", i, r.Err)
		}
	}
	if batches != 1 {
		t.Errorf("%d batches, want 1", batches)
	}

	for name, wrap := range map[string]func(ctx context.Context, from signer.Keyer) (*event.Event, error){
		"Wrap": func(ctx context.Context, from signer.Keyer) (*event.Event, error) {
			return Wrap(ctx, from, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), nil)
		},
		"WrapMany": func(ctx context.Context, from signer.Keyer) (*event.Event, error) {
			r := WrapMany(ctx, from, rumorOf(alice.PublicKey(), "x"), to[:2], nil)[1]
			return r.Event, r.Err
		},
	} {
		ended, cancel := context.WithCancel(ctx)
		e, err := wrap(ended, watched{Identity: alice, signed: cancel})
		if e != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s, its context ending with the signature: %v, %v", name, e, err)
		}
	}

	// A cipher that takes one at a time is not asked any more.
	ended, cancel = context.WithCancel(ctx)
	cancel()
	asked := &asking{Keyer: alice}
	for _, r := range WrapMany(ended, asked, rumorOf(alice.PublicKey(), "x"), to, nil) {
		if !errors.Is(r.Err, context.Canceled) {
			t.Fatal(r.Err)
		}
	}
	if asked.count != 0 {
		t.Errorf("asked %d times after the end", asked.count)
	}
}

// asking counts what is asked of it, whatever the context.
type asking struct {
	signer.Keyer
	mu    sync.Mutex
	count int
}

func (a *asking) GetPublicKey(context.Context) (keys.PublicKey, error) {
	return a.Keyer.GetPublicKey(ctx)
}

func (a *asking) Encrypt(_ context.Context, plaintext []byte, to keys.PublicKey) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.count++
	return a.Keyer.Encrypt(ctx, plaintext, to)
}

// The self copy does not land in the caller's array.
func TestWrapManyLeavesRecipients(t *testing.T) {
	alice, bob, carol := newIdentity(t), newIdentity(t), newIdentity(t)
	room := []keys.PublicKey{bob.PublicKey(), carol.PublicKey()}
	WrapMany(ctx, alice, rumorOf(alice.PublicKey(), "x"), room[:1], &WrapOptions{SelfCopy: true})
	if room[1] != carol.PublicKey() {
		t.Error("the caller's array was changed")
	}
}

// Options that no wrap can have are told before the signer is asked for anything.
func TestRefusedOptions(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	rumor := rumorOf(alice.PublicKey(), "x")
	seal, err := Seal(ctx, alice, rumor, bob.PublicKey(), &WrapOptions{Expiration: -1}) // which a seal does not have
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    WrapOptions
		want error
	}{
		{WrapOptions{Expiration: -1}, ErrExpiration},
		{WrapOptions{Expiration: -time.Hour, Kind: Ephemeral}, ErrExpiration},
		{WrapOptions{Kind: 1}, ErrKind},
	} {
		from := watched{Identity: alice, before: func([]signer.Sealed) { t.Error("encrypted") }, signed: func() { t.Error("signed") }}
		_, err1 := Wrap(ctx, from, rumor, bob.PublicKey(), &c.o)
		_, err2 := WrapSeal(seal, bob.PublicKey(), &c.o)
		many := WrapMany(ctx, from, rumor, []keys.PublicKey{bob.PublicKey(), alice.PublicKey()}, &c.o)
		for i, err := range []error{err1, err2, many[0].Err, many[1].Err} {
			var layer *LayerError
			if !errors.Is(err, c.want) || !errors.As(err, &layer) || layer.Layer != LayerWrap {
				t.Errorf("%+v, call %d: %v, want %v", c.o, i+1, err, c.want)
			}
		}
	}
}

// A window that reaches back beyond 1970 ends there.
func TestLongWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		alice, bob := newIdentity(t), newIdentity(t)
		now := time.Now().Unix()
		for range 100 {
			// 292 years, the longest Duration, of which 30 are since 1970 here.
			o := &WrapOptions{Window: 1<<63 - 1, Expiration: time.Hour}
			wrap, err := Wrap(ctx, alice, rumorOf(alice.PublicKey(), "x"), bob.PublicKey(), o)
			if err != nil {
				t.Fatal(err)
			}
			if wrap.CreatedAt < 0 || wrap.CreatedAt > now {
				t.Errorf("created_at %d", wrap.CreatedAt)
			}
		}
	})
}

// Draws that would favour some times are drawn anew: those from
// 18446744073709540349 = 172801 · 106751373393149 on, the largest multiple that
// 64 bits hold.
func TestShiftedRejects(t *testing.T) {
	system := rand.Reader
	defer func() { rand.Reader = system }()
	draws := func(values ...uint64) io.Reader {
		var b []byte
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		return bytes.NewReader(b)
	}
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().Unix()
		for _, c := range []struct {
			draws []uint64
			back  int64
		}{
			{[]uint64{5}, 5},
			{[]uint64{172801}, 0},
			{[]uint64{18446744073709540348}, 172800},
			{[]uint64{18446744073709540349, 7}, 7},
			{[]uint64{1<<64 - 1, 18446744073709540349, 9}, 9},
		} {
			rand.Reader = draws(c.draws...)
			at, err := shifted(DefaultWindow)
			if err != nil || now-at != c.back {
				t.Errorf("%d give %d s, %v, want %d", c.draws, now-at, err, c.back)
			}
		}
	})
}

// LegacyOnly holds for a seal made elsewhere too.
func TestWrapSealLegacyOnly(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	seal, err := Seal(ctx, alice, rumorOf(alice.PublicKey(), strings.Repeat("x", LegacyMaxRumor)), bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := WrapSeal(seal, bob.PublicKey(), nil); err != nil {
		t.Error(err)
	}
	var size *nip44.SizeError
	if e, err := WrapSeal(seal, bob.PublicKey(), &WrapOptions{LegacyOnly: true}); !errors.As(err, &size) || size.Limit != 65535 || e != nil {
		t.Errorf("%v", err)
	}
}

// keepsPlaintext remembers the slices that it was given to encrypt.
type keepsPlaintext struct {
	signer.Keyer
	kept *[][]byte
}

func (k keepsPlaintext) Encrypt(ctx context.Context, plaintext []byte, to keys.PublicKey) ([]byte, error) {
	*k.kept = append(*k.kept, plaintext)
	return k.Keyer.Encrypt(ctx, plaintext, to)
}

// Case 19: the JSON of a rumor is wiped when it has been encrypted.
func TestRumorIsWiped(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	rumor, to := rumorOf(alice.PublicKey(), "hello"), []keys.PublicKey{bob.PublicKey()}
	var kept [][]byte
	from := keepsPlaintext{alice, &kept}
	if _, err := Seal(ctx, from, rumor, to[0], nil); err != nil {
		t.Fatal(err)
	}
	if err := WrapMany(ctx, from, rumor, to, nil)[0].Err; err != nil {
		t.Fatal(err)
	}
	batch := watched{Identity: alice, before: func(items []signer.Sealed) { kept = append(kept, items[0].Data) }}
	if err := WrapMany(ctx, batch, rumor, append(to, to...), nil)[0].Err; err != nil {
		t.Fatal(err)
	}
	if len(kept) != 3 {
		t.Fatalf("%d plaintexts, want 3", len(kept))
	}
	for i, b := range kept {
		if len(b) < 100 || !bytes.Equal(b, make([]byte, len(b))) {
			t.Errorf("plaintext %d is still there: %q", i, b)
		}
	}
}
