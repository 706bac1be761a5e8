package main

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
	"github.com/sealwright/sealwright/protocol/signer"
)

// closing is one of the calls of an Identity that Close runs beside. It returns
// the call's error, and complains when what comes with it is neither the whole
// result nor nothing.
type closing struct {
	name string
	call func(t *testing.T, id *identity.Identity) error
}

// closings are all calls that use the key, of id itself and of those who hold
// it. peer and wraps stay as they are.
func closings(ctx context.Context, peer *identity.Identity, pub keys.PublicKey, wraps []*event.Event, payload []byte) []closing {
	text := []byte("ahoy")
	// whole tells whether a batch ended as one.
	whole := func(t *testing.T, results []signer.Opened) error {
		for i, r := range results {
			if errors.Is(r.Err, identity.ErrClosed) != errors.Is(results[0].Err, identity.ErrClosed) {
				t.Errorf("a batch is half done: %v at 0, %v at %d", results[0].Err, r.Err, i)
			}
			if (r.Data == nil) != (r.Err != nil) {
				t.Errorf("data %v beside %v", r.Data, r.Err)
			}
		}
		return results[0].Err
	}
	return []closing{
		{"GetPublicKey", func(t *testing.T, id *identity.Identity) error {
			got, err := id.GetPublicKey(ctx)
			if err == nil && got != pub || err != nil && got != (keys.PublicKey{}) {
				t.Errorf("GetPublicKey: %v, %v", got, err)
			}
			return err
		}},
		{"SignEvent", func(t *testing.T, id *identity.Identity) error {
			e := event.Event{CreatedAt: 1700000000, Kind: 1, Content: "ahoy"}
			err := id.SignEvent(ctx, &e)
			if err == nil {
				if err := e.Verify(); err != nil {
					t.Errorf("SignEvent: %v", err)
				}
			} else if e.ID != (event.ID{}) || e.Sig != (event.Signature{}) || e.PubKey != (keys.PublicKey{}) {
				t.Errorf("SignEvent: half signed beside %v", err)
			}
			return err
		}},
		{"Encrypt", func(t *testing.T, id *identity.Identity) error {
			payload, err := id.Encrypt(ctx, text, peer.PublicKey())
			if err != nil {
				if payload != nil {
					t.Errorf("Encrypt: a payload beside %v", err)
				}
				return err
			}
			if got, err := peer.Decrypt(ctx, payload, pub); err != nil || !bytes.Equal(got, text) {
				t.Errorf("Encrypt: the peer reads %q, %v", got, err)
			}
			return nil
		}},
		{"Decrypt", func(t *testing.T, id *identity.Identity) error {
			got, err := id.Decrypt(ctx, payload, peer.PublicKey())
			if err == nil && !bytes.Equal(got, text) || err != nil && got != nil {
				t.Errorf("Decrypt: %q, %v", got, err)
			}
			return err
		}},
		{"EncryptAll", func(t *testing.T, id *identity.Identity) error {
			items := make([]signer.Sealed, 6)
			for i := range items {
				items[i] = signer.Sealed{Peer: peer.PublicKey(), Data: text}
			}
			return whole(t, id.EncryptAll(ctx, items))
		}},
		{"DecryptAll", func(t *testing.T, id *identity.Identity) error {
			items := make([]signer.Sealed, 6)
			for i := range items {
				items[i] = signer.Sealed{Peer: peer.PublicKey(), Data: payload}
			}
			results := id.DecryptAll(ctx, items)
			for _, r := range results {
				if r.Err == nil && !bytes.Equal(r.Data, text) {
					t.Errorf("DecryptAll: %q", r.Data)
				}
			}
			return whole(t, results)
		}},
		{"ConversationKey", func(t *testing.T, id *identity.Identity) error {
			ck, err := id.ConversationKey(peer.PublicKey())
			if err != nil {
				if ck != nil {
					t.Errorf("ConversationKey: a key beside %v", err)
				}
				return err
			}
			// The copy is the caller's, and outlives the identity.
			if got, err := ck.AppendDecrypt(nil, payload, nil); err != nil || !bytes.Equal(got, text) {
				t.Errorf("ConversationKey: %q, %v", got, err)
			}
			ck.Zero()
			return nil
		}},
		{"Wrap", func(t *testing.T, id *identity.Identity) error {
			wrap, err := nip59.Wrap(ctx, id, nip59.NewRumor(pub, 1700000000, 14, nil, "ahoy"), peer.PublicKey(), nil)
			if err != nil {
				if wrap != nil || nip59.Classify(err).Final() {
					t.Errorf("Wrap: %v beside %v", wrap, err)
				}
				return err
			}
			if m, err := nip59.Unwrap(ctx, peer, wrap, nil); err != nil || m.Rumor.Content != "ahoy" {
				t.Errorf("Wrap: the peer reads %v, %v", m, err)
			}
			return nil
		}},
		{"Unwrap", func(t *testing.T, id *identity.Identity) error {
			m, err := nip59.Unwrap(ctx, id, wraps[0], nil)
			if err == nil && m.Rumor.Content != "ahoy" || err != nil && (m != nil || nip59.Classify(err) != nip59.ClassSigner) {
				t.Errorf("Unwrap: %v, %v", m, err)
			}
			return err
		}},
		{"UnwrapAll", func(t *testing.T, id *identity.Identity) (err error) {
			for i, r := range nip59.UnwrapAll(ctx, id, wraps, nil) {
				switch {
				case r.Err == nil && r.Message.Rumor.Content == "ahoy":
				case r.Err != nil && r.Message == nil && errors.Is(r.Err, identity.ErrClosed):
					err = r.Err
				default:
					t.Errorf("UnwrapAll: %d: %v, %v", i, r.Message, r.Err)
				}
			}
			return err
		}},
		{"Forget", func(_ *testing.T, id *identity.Identity) error {
			id.Forget(peer.PublicKey())
			return nil
		}},
		{"PublicKey", func(t *testing.T, id *identity.Identity) error {
			if id.PublicKey() != pub {
				t.Error("PublicKey changed")
			}
			return nil
		}},
	}
}

// TestCloseBeside64 has 64 goroutines use one identity, which is closed in the
// middle: every call works or returns ErrClosed, and once one has, all do.
// It is meant for the race detector.
func TestCloseBeside64(t *testing.T) {
	ctx := context.Background()
	rounds := 3
	if testkit.Long() {
		rounds = 30
	}
	peer := newParty("peer").identity(t)
	for range rounds {
		id := newParty("closed").identity(t)
		pub := id.PublicKey()
		payload, err := peer.Encrypt(ctx, []byte("ahoy"), pub)
		if err != nil {
			t.Fatal(err)
		}
		var wraps []*event.Event
		for range 4 {
			wrap, err := nip59.Wrap(ctx, peer, nip59.NewRumor(peer.PublicKey(), 1700000000, 14, nil, "ahoy"), pub, nil)
			if err != nil {
				t.Fatal(err)
			}
			wraps = append(wraps, wrap)
		}
		calls := closings(ctx, peer, pub, wraps, payload)
		var worked, refused, closed atomic.Int64
		middle := make(chan struct{})
		var group sync.WaitGroup
		for n := range 64 {
			group.Go(func() {
				over := false
				for i := 0; ; i++ {
					c := calls[(n+i)%len(calls)]
					err := c.call(t, id)
					switch {
					case c.name == "Forget" || c.name == "PublicKey":
					case err == nil && over:
						t.Errorf("%s works after ErrClosed", c.name)
						return
					case err == nil:
						if worked.Add(1) == 400 {
							close(middle)
						}
					case !errors.Is(err, identity.ErrClosed):
						t.Errorf("%s: %v", c.name, err)
						return
					default:
						if !over {
							over, i = true, 0
							continue
						}
						refused.Add(1)
					}
					if over && i > len(calls) {
						return
					}
				}
			})
		}
		for range 4 {
			group.Go(func() {
				<-middle
				switch err := id.Close(); {
				case err == nil:
					closed.Add(1)
				case !errors.Is(err, identity.ErrClosed):
					t.Error(err)
				}
			})
		}
		group.Wait()
		if closed.Load() != 1 || refused.Load() < 64 {
			t.Errorf("%d calls of Close work, %d calls are refused", closed.Load(), refused.Load())
		}
	}
}

// left returns the stacks of the goroutines that run this module's code beside
// the caller's.
func left() (stacks []string) {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	for i, stack := range strings.Split(string(buf), "\n\n") {
		if i > 0 && strings.Contains(stack, "sealwright/protocol/") {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

// slow is a keyer far away: a second for each answer, unless the context ends.
type slow struct {
	signer.Keyer
	running, most *atomic.Int64
}

func (s slow) wait(ctx context.Context) error {
	if n := s.running.Add(1); n > s.most.Load() {
		s.most.Store(n)
	}
	defer s.running.Add(-1)
	select {
	case <-time.After(time.Second):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s slow) Encrypt(ctx context.Context, plaintext []byte, to keys.PublicKey) ([]byte, error) {
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	return s.Keyer.Encrypt(ctx, plaintext, to)
}

func (s slow) Decrypt(ctx context.Context, payload []byte, from keys.PublicKey) ([]byte, error) {
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	return s.Keyer.Decrypt(ctx, payload, from)
}

func (s slow) SignEvent(ctx context.Context, e *event.Event) error {
	if err := s.wait(ctx); err != nil {
		return err
	}
	return s.Keyer.SignEvent(ctx, e)
}

// slowBatch answers many payloads at a time.
type slowBatch struct{ slow }

func (s slowBatch) batch(ctx context.Context, items []signer.Sealed, f func(context.Context, []byte, keys.PublicKey) ([]byte, error)) []signer.Opened {
	results := make([]signer.Opened, len(items))
	err := s.wait(ctx)
	for i, item := range items {
		if results[i].Err = err; err == nil {
			results[i].Data, results[i].Err = f(ctx, item.Data, item.Peer)
		}
	}
	return results
}

func (s slowBatch) EncryptAll(ctx context.Context, items []signer.Sealed) []signer.Opened {
	return s.batch(ctx, items, s.Keyer.Encrypt)
}

func (s slowBatch) DecryptAll(ctx context.Context, items []signer.Sealed) []signer.Opened {
	return s.batch(ctx, items, s.Keyer.Decrypt)
}

// TestCancelLeavesNothing ends a context in the middle of the calls that work on
// many things: they return at once, each result is whole or the context's error,
// and no goroutine stays behind.
func TestCancelLeavesNothing(t *testing.T) {
	id, peer := newParty("sender").identity(t), newParty("peer").identity(t)
	const n = 400
	wraps := make([]*event.Event, n)
	var recipients []keys.PublicKey
	for i := range wraps {
		var err error
		if wraps[i], err = nip59.Wrap(context.Background(), peer, nip59.NewRumor(peer.PublicKey(), 1700000000, 14, nil, "ahoy"), id.PublicKey(), nil); err != nil {
			t.Fatal(err)
		}
		recipients = append(recipients, wraps[i].PubKey)
	}
	rumor := nip59.NewRumor(id.PublicKey(), 1700000000, 14, nil, "ahoy")

	unwrapAll := func(ctx context.Context, me signer.Keyer) (done int, errs []error) {
		for _, r := range nip59.UnwrapAll(ctx, me, wraps, nil) {
			if r.Err == nil && r.Message.Rumor.Content == "ahoy" {
				done++
			} else {
				errs = append(errs, r.Err)
			}
			if (r.Message == nil) != (r.Err != nil) {
				t.Errorf("message %v beside %v", r.Message, r.Err)
			}
		}
		return done, errs
	}
	wrapMany := func(ctx context.Context, me signer.Keyer) (done int, errs []error) {
		for i, r := range nip59.WrapMany(ctx, me, rumor, recipients, nil) {
			if r.Err == nil && r.Event.Verify() == nil && r.To == recipients[i] {
				done++
			} else {
				errs = append(errs, r.Err)
			}
			if (r.Event == nil) != (r.Err != nil) {
				t.Errorf("event %v beside %v", r.Event, r.Err)
			}
		}
		return done, errs
	}
	for _, c := range []struct {
		name  string
		batch bool
		after time.Duration // the end of the context, in the middle of a call
		call  func(context.Context, signer.Keyer) (int, []error)
		some  bool // are done by then
	}{
		{"UnwrapAll", false, 4500 * time.Millisecond, unwrapAll, true},
		{"UnwrapAll, a batch cipher", true, 2500 * time.Millisecond, unwrapAll, true},
		{"WrapMany", false, 16500 * time.Millisecond, wrapMany, true},
		{"WrapMany, a batch cipher", true, 3500 * time.Millisecond, wrapMany, true},
		{"UnwrapAll, at once", false, 500 * time.Millisecond, unwrapAll, false},
		{"WrapMany, at once", true, 500 * time.Millisecond, wrapMany, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				far := slow{id, new(atomic.Int64), new(atomic.Int64)}
				var me signer.Keyer = far
				if c.batch {
					me = slowBatch{far}
				}
				ctx, cancel := context.WithTimeout(context.Background(), c.after)
				defer cancel()
				began := time.Now()
				done, errs := c.call(ctx, me)
				if took := time.Since(began); took != c.after {
					t.Errorf("returns after %v, want %v", took, c.after)
				}
				if far.running.Load() != 0 {
					t.Errorf("%d calls of the signer are under way", far.running.Load())
				}
				synctest.Wait()
				if stacks := left(); len(stacks) > 0 {
					t.Errorf("%d goroutines stay behind:\n%s", len(stacks), stacks[0])
				}
				if done+len(errs) != n || len(errs) == 0 || (done > 0) != c.some {
					t.Errorf("%d done, %d failed", done, len(errs))
				}
				for _, err := range errs {
					if !errors.Is(err, context.DeadlineExceeded) || nip59.Classify(err) != nip59.ClassSigner {
						t.Fatal(err)
					}
				}
				if far.most.Load() > 32 {
					t.Errorf("%d calls at once", far.most.Load())
				}
			})
		})
	}

	// The same where the time goes into arithmetic: cancelled by progress.
	for _, c := range []struct {
		name string
		call func(ctx context.Context, progress func(done, total int)) []error
	}{
		{"VerifyAll", func(ctx context.Context, progress func(done, total int)) []error {
			return event.VerifyAll(ctx, wraps, &event.BatchOptions{Progress: progress})
		}},
		{"VerifyAll, 64 workers", func(ctx context.Context, progress func(done, total int)) []error {
			return event.VerifyAll(ctx, wraps, &event.BatchOptions{Workers: 64, Progress: progress})
		}},
		{"UnwrapAll of an Identity", func(ctx context.Context, progress func(done, total int)) (errs []error) {
			for _, r := range nip59.UnwrapAll(ctx, id, wraps, &nip59.UnwrapOptions{Progress: progress}) {
				errs = append(errs, r.Err)
			}
			return errs
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			errs := c.call(ctx, func(done, _ int) {
				if done == 10 {
					cancel()
				}
			})
			good := 0
			for _, err := range errs {
				if err == nil {
					good++
				} else if !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
			}
			if good < 10 || good > n/2 {
				t.Errorf("%d of %d are done, cancelled at 10", good, n)
			}
			// A worker has said that it is done a moment before it is gone.
			var stacks []string
			for range 200 {
				if stacks = left(); len(stacks) == 0 {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			t.Errorf("%d goroutines stay behind:\n%s", len(stacks), stacks[0])
		})
	}
}

// A limit that the reader sets holds, whatever the sender says: an error that
// carries both, and no memory. Case 2 and case 8.
func TestLimit(t *testing.T) {
	g := &generator{builder: newBuilder()}
	bob := g.bob.identity(t)
	wrap, err := event.Parse(g.good(wrapLayer))
	if err != nil {
		t.Fatal(err)
	}
	openLine(bob, g.good(wrapLayer)) // the first signature builds a table
	for _, limit := range []uint64{1, 32, 255, 640} {
		m, err := nip59.Unwrap(context.Background(), bob, wrap, &nip59.UnwrapOptions{MaxPlaintext: limit})
		var size *nip44.SizeError
		if m != nil || nip59.Classify(err) != nip59.ClassTooLarge || !errors.As(err, &size) || size.Size <= size.Limit {
			t.Errorf("limit %d: %v, %v", limit, m, err)
		}
	}
	// The seal, the longest text in it, is of 731 bytes.
	for limit, want := range map[uint64]bool{730: false, 731: true} {
		m, err := nip59.Unwrap(context.Background(), bob, wrap, &nip59.UnwrapOptions{MaxPlaintext: limit})
		if (err == nil) != want || (m != nil) != want || !want && nip59.Classify(err) != nip59.ClassTooLarge {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}
