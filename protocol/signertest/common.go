package signertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
	"github.com/sealwright/sealwright/protocol/signer"
)

var batchChecks = []check{
	{"batch", (*tester).checkBatch},
	{"large batch", (*tester).checkLargeBatch},
}

var commonChecks = []check{
	{"ended context", (*tester).checkEndedContext},
	{"context ends meanwhile", (*tester).checkContextEnds},
	{"concurrency", (*tester).checkConcurrency},
	{"signer failure", (*tester).checkBreak},
}

// The good and the bad stand among each other, so that no result can be in the
// wrong place unseen.
func (t *tester) checkBatch() {
	p, q := newPeer(t.pub), newPeer(t.pub)
	var nobody keys.PublicKey
	m := []byte("the first message")
	n := []byte("the second message")

	plain := []signer.Sealed{{Peer: p.pub, Data: m}, {Peer: p.pub}, {Peer: q.pub, Data: n}, {Peer: nobody, Data: m}, {Peer: p.pub, Data: n}}
	sent := t.encryptAll(t.ctx, plain)
	for i, want := range []struct {
		peer  *peer
		text  []byte
		cause error
	}{{p, m, nil}, {p, nil, nip44.ErrEmpty}, {q, n, nil}, {nil, nil, keys.ErrPublicKey}, {p, n, nil}} {
		if want.cause != nil {
			t.told(fmt.Sprintf("EncryptAll, item %d", i), sent[i].Err, want.cause, "")
			continue
		}
		if sent[i].Err != nil {
			t.faultf("EncryptAll, item %d: %w", i, sent[i].Err)
		} else if got, err := want.peer.ck.AppendDecrypt(nil, sent[i].Data, &noLimit); err != nil || !bytes.Equal(got, want.text) {
			t.faultf("EncryptAll, item %d: the peer reads %q, %v", i, got, err)
		}
	}

	sealed := []signer.Sealed{
		{Peer: p.pub, Data: p.encrypt(m)},
		{Peer: q.pub, Data: p.encrypt(m)},
		{Peer: q.pub, Data: q.encrypt(n)},
		{Peer: p.pub, Data: []byte("#not yet known")},
		{Peer: nobody, Data: p.encrypt(m)},
		{Peer: p.pub, Data: p.encrypt(n)},
	}
	opened := t.decryptAll(t.ctx, sealed)
	for i, want := range []struct {
		text  []byte
		cause error
	}{{m, nil}, {nil, nip44.ErrMAC}, {n, nil}, {nil, nip44.ErrVersion}, {nil, keys.ErrPublicKey}, {n, nil}} {
		if want.cause != nil {
			t.told(fmt.Sprintf("DecryptAll, item %d", i), opened[i].Err, want.cause, "")
		} else if opened[i].Err != nil || !bytes.Equal(opened[i].Data, want.text) {
			t.faultf("DecryptAll, item %d: %q, %v", i, opened[i].Data, opened[i].Err)
		}
	}
	t.encryptAll(t.ctx, nil)
	t.decryptAll(t.ctx, nil)
}

func (t *tester) checkLargeBatch() {
	p := newPeer(t.pub)
	items := make([]signer.Sealed, 300)
	for i := range items {
		items[i] = signer.Sealed{Peer: p.pub, Data: p.encrypt(fmt.Appendf(nil, "message %d", i))}
	}
	for i, r := range t.decryptAll(t.ctx, items) {
		if want := fmt.Sprintf("message %d", i); r.Err != nil || string(r.Data) != want {
			t.faultf("DecryptAll of 300 gives %q, %v for %q", r.Data, r.Err, want)
			return
		}
	}
}

// call is a call that would succeed.
type call struct {
	name string
	f    func(ctx context.Context) error
	// constant tells that the answer is known without the signer, so that a
	// context that has ended need not matter.
	constant bool
}

// calls returns one call of each method. Every call makes its slices anew and
// overwrites them when it has returned, as their owner may: the race detector
// sees a signer that still reads them.
func (t *tester) calls() []call {
	p := newPeer(t.pub)
	calls := []call{{"GetPublicKey", func(ctx context.Context) error {
		_, err := t.getPublicKey(ctx)
		return err
	}, true}}
	if t.signer != nil {
		calls = append(calls, call{"SignEvent", func(ctx context.Context) error {
			e := sampleEvent()
			before := snapshot(e)
			err := t.signEvent(ctx, e)
			t.unaltered(e, &before)
			*e = event.Event{}
			return err
		}, false})
	}
	if t.cipher == nil {
		return calls
	}
	calls = append(calls, call{"Encrypt", func(ctx context.Context) error {
		m := text(40)
		defer overwrite(m)
		_, err := t.encrypt(ctx, m, p.pub)
		return err
	}, false}, call{"Decrypt", func(ctx context.Context) error {
		payload := p.encrypt(text(40))
		defer overwrite(payload)
		_, err := t.decrypt(ctx, payload, p.pub)
		return err
	}, false})
	if _, ok := t.cipher.(signer.BatchCipher); !ok {
		return calls
	}
	batch := func(f func(context.Context, []signer.Sealed) []signer.Opened, data func() []byte) func(context.Context) error {
		return func(ctx context.Context) error {
			items := make([]signer.Sealed, 3)
			for i := range items {
				items[i] = signer.Sealed{Peer: p.pub, Data: data()}
				defer overwrite(items[i].Data)
			}
			// One error stands for all when all have it.
			results := f(ctx, items)
			for _, r := range results {
				if r.Err == nil {
					return nil
				}
			}
			return results[0].Err
		}
	}
	return append(calls,
		call{"EncryptAll", batch(t.encryptAll, func() []byte { return text(40) }), false},
		call{"DecryptAll", batch(t.decryptAll, func() []byte { return p.encrypt(text(40)) }), false})
}

func (t *tester) checkEndedContext() {
	canceled, cancel := context.WithCancel(t.ctx)
	cancel()
	expired, cancel := context.WithTimeout(t.ctx, 0)
	defer cancel()
	for _, c := range t.calls() {
		for _, ctx := range []context.Context{canceled, expired} {
			err, ok := t.returns(c, ctx)
			if ok && !(err == nil && c.constant) {
				t.told(c.name+" after the context has ended", err, ctx.Err(), "")
			}
		}
	}
	t.works(newPeer(t.pub), text(40))
}

const (
	// patience is how long a call may go on after its context has ended.
	patience = 10 * time.Second
	// slow is how long a call must take for its context to end meanwhile, with
	// time enough before and after to tell what happened.
	slow = 40 * time.Millisecond
)

// checkContextEnds ends the context while the call waits, if ever it does.
func (t *tester) checkContextEnds() {
	for _, c := range t.calls() {
		start := time.Now()
		if err := c.f(t.ctx); err != nil {
			t.faultf("%s: %w", c.name, err)
			continue
		}
		took := time.Since(start)
		if took < slow {
			continue
		}
		ctx, cancel := context.WithTimeout(t.ctx, took/4)
		start = time.Now()
		err, ok := t.returns(c, ctx)
		switch cancel(); {
		case !ok:
		case err != nil:
			t.told(c.name+", its context ending meanwhile", err, context.DeadlineExceeded, "")
		case time.Since(start) > took*3/4:
			t.faultf("%s went on for %v although its context ended after %v", c.name, time.Since(start), took/4)
		}
	}
	t.works(newPeer(t.pub), text(40))
}

// returns makes a call, and reports whether it returned within patience.
func (t *tester) returns(c call, ctx context.Context) (err error, ok bool) {
	done := make(chan error, 1)
	go func() { done <- c.f(ctx) }()
	select {
	case err := <-done:
		return err, true
	case <-ctx.Done():
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-done:
		return err, true
	case <-timer.C:
		t.faultf("%s has not returned %v after its context ended", c.name, patience)
		return nil, false
	}
}

// Every goroutine has a peer and messages of its own, so that what gets mixed up
// does not open.
func (t *tester) checkConcurrency() {
	var wg sync.WaitGroup
	for i := range 32 {
		p := newPeer(t.pub)
		wg.Go(func() {
			for j := range 4 {
				t.works(p, fmt.Appendf(nil, "message %d of goroutine %d", j, i))
			}
		})
	}
	wg.Wait()
}

func (t *tester) checkBreak() {
	if t.o.Break == nil {
		return
	}
	calls := t.calls()
	t.o.Break(t.subject)
	for _, c := range calls {
		err := c.f(t.ctx)
		switch {
		case errors.Is(err, errPanicked), err == nil && c.constant:
		case err == nil:
			t.faultf("%s works without the key", c.name)
		case dataAtFault(err):
			t.faultf("%s without the key: the error %q says that the data is at fault", c.name, err)
		}
	}
}

// dataAtFault reports whether a caller takes err for one about the payload, the
// plaintext or the peer.
func dataAtFault(err error) bool {
	return nip59.Classify(err) != nip59.ClassSigner || errors.Is(err, nip44.ErrEmpty)
}
