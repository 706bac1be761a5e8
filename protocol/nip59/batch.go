package nip59

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/internal/parallel"
	"github.com/sealwright/sealwright/protocol/internal/secret"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
)

const (
	// inFlight is how many calls of a signer are under way at once. They may
	// spend their time waiting for a network, so it is more than processors.
	inFlight = 32

	// A chunk is what goes through the layers together, when the cipher takes
	// many payloads at a time: this many wraps, or this many bytes of content.
	chunkWraps = 128
	chunkBytes = 16 << 20

	// minTogether is the smallest number of signatures for a processor that are verified
	// together. Four by as many authors take 0.70 of the time of one by one (0.85 without
	// the tier ifma).
	minTogether = 4

	// An identity verifies the seals of senders that it knows one by one in less time than
	// those of strangers. Beside that, as many signatures by half as many authors take
	// 0.92 (1.01) for 4 and 0.79 (0.94) for 8, and by as many authors 1.01 (1.05) for 32 and
	// 0.86 (0.92) for manyKnown, which is for a processor too.
	//
	// On Zen 4: go test -run '^$' -bench Study ./protocol/bip340.
	manyKnown = 64
)

// errBatch tells that a BatchCipher broke its contract.
var errBatch = errors.New("nip59: batch cipher left items without a result")

// unwrapAll fills the results of all wraps.
func (u *unwrapper) unwrapAll(ctx context.Context, wraps []*event.Event, results []UnwrapResult) {
	if !u.batches() {
		parallel.Each(len(wraps), inFlight, u.Progress, func(i int) {
			results[i].Message, results[i].Err = u.unwrap(ctx, wraps[i])
		})
		return
	}
	p := parallel.Progress{Report: u.Progress, Total: len(wraps)}
	for len(wraps) > 0 {
		n, bytes := 0, 0
		for n < min(len(wraps), chunkWraps) && bytes < chunkBytes {
			if wraps[n] != nil {
				bytes += len(wraps[n].Content)
			}
			n++
		}
		u.unwrapChunk(ctx, wraps[:n], results[:n], &p)
		wraps, results = wraps[n:], results[n:]
	}
}

// batches reports whether every own key takes many payloads at a time.
func (u *unwrapper) batches() bool {
	for i := range u.own {
		if _, ok := u.own[i].Cipher.(signer.BatchCipher); !ok {
			return false
		}
	}
	return true
}

// unwrapChunk takes wraps through the layers together: the steps of unwrap,
// each for all of them.
func (u *unwrapper) unwrapChunk(ctx context.Context, wraps []*event.Event, results []UnwrapResult, p *parallel.Progress) {
	letters := make([]letter, len(wraps))
	step := func(f func(l *letter) error) {
		parallel.Each(len(letters), 0, nil, func(i int) {
			if l := &letters[i]; l.err == nil {
				l.err = f(l)
				if l.err != nil || l.rumor != nil {
					p.Done()
				}
			}
		})
	}
	for i := range letters {
		letters[i].wrap = wraps[i]
	}
	if len(letters) < minTogether {
		step(func(l *letter) error { return u.openWrap(ctx, l) })
		u.decryptAll(ctx, letters, p)
		step(u.openSeal)
	} else {
		step(func(l *letter) error { return u.readWrap(ctx, l) })
		if !u.SkipWrapSignature {
			verifyAll(ctx, letters, func(l *letter) *event.Event { return l.wrap }, ErrWrapSignature, p)
		}
		u.decryptAll(ctx, letters, p)
		step(u.readSeal)
		if u.sealsTogether(letters, runtime.GOMAXPROCS(0)) {
			verifyAll(ctx, letters, func(l *letter) *event.Event { return l.seal }, ErrSealSignature, p)
		} else {
			step(u.verifySeal)
		}
		step(u.acceptSeal)
	}
	u.decryptAll(ctx, letters, p)
	step((*letter).read)
	for i := range letters {
		results[i].Message, results[i].Err = letters[i].result()
	}
}

// verifyAll verifies the events of one layer together.
func verifyAll(ctx context.Context, letters []letter, of func(*letter) *event.Event, wrong error, p *parallel.Progress) {
	waiting := make([]*letter, 0, len(letters))
	events := make([]*event.Event, 0, len(letters))
	for i := range letters {
		if l := &letters[i]; l.err == nil {
			waiting = append(waiting, l)
			events = append(events, of(l))
		}
	}
	for i, err := range event.VerifyAll(ctx, events, nil) {
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil && errors.Is(err, ctx.Err()):
			waiting[i].err = err
		default:
			waiting[i].err = causes{wrong, err}
		}
		p.Done()
	}
}

// sealsTogether reports whether workers, one on each processor, verify seals faster
// together than one by one. An identity may know the senders, so that it is faster
// together where these have signed several each, or there are very many; any other
// cipher knows nobody.
func (u *unwrapper) sealsTogether(letters []letter, workers int) bool {
	seals := 0
	for i := range letters {
		if letters[i].err == nil {
			seals++
		}
	}
	if seals < minTogether*workers {
		return false
	}
	identities := slices.ContainsFunc(u.own, func(k ownKey) bool {
		_, here := k.Cipher.(*identity.Identity)
		return here
	})
	if !identities || seals >= manyKnown*workers {
		return true
	}
	senders := make(map[keys.PublicKey]struct{}, seals)
	for i := range letters {
		if l := &letters[i]; l.err == nil {
			senders[l.seal.PubKey] = struct{}{}
		}
	}
	return 2*len(senders) <= seals
}

// decryptAll is decrypt for many letters: every own key is tried with the first
// key of all senders, then with the second of those that have one, and so on.
func (u *unwrapper) decryptAll(ctx context.Context, letters []letter, p *parallel.Progress) {
	waiting := make([]*letter, 0, len(letters))
	for i := range letters {
		if l := &letters[i]; l.err == nil {
			waiting = append(waiting, l)
		}
	}
	trials := make([]trial, len(waiting))
	for i := range u.own {
		for round := 0; ; round++ {
			var items []signer.Sealed
			var which []int
			for j, l := range waiting {
				if peer, ok := l.peer(round); ok && l.text == nil && l.err == nil {
					items = append(items, signer.Sealed{Peer: peer, Data: l.payload})
					which = append(which, j)
				}
			}
			if len(items) == 0 {
				break
			}
			opened := u.own[i].Cipher.(signer.BatchCipher).DecryptAll(ctx, items)
			for k, j := range which {
				switch {
				case len(opened) != len(items), opened[k].Err == nil && opened[k].Data == nil:
					trials[j].note(errBatch)
				case opened[k].Err != nil:
					trials[j].note(opened[k].Err)
				default:
					waiting[j].err = u.opened(waiting[j], i, opened[k].Data)
				}
			}
		}
	}
	for j, l := range waiting {
		if l.text == nil && l.err == nil {
			l.err = trials[j].err()
		}
		if l.err != nil {
			p.Done()
		}
	}
}

// wrapAll fills the results of all recipients. Its error is theirs all.
func wrapAll(ctx context.Context, from signer.Keyer, r *Rumor, results []WrapResult, o *WrapOptions) error {
	if err := o.check(); err != nil {
		return &LayerError{LayerWrap, err}
	}
	author, json, err := rumorJSON(ctx, from, r, o)
	if err != nil {
		return err
	}
	defer secret.Wipe(json)

	// finish takes a payload to its wrap.
	finish := func(result *WrapResult, payload []byte, err error) {
		var seal *event.Event
		if err != nil {
			err = &LayerError{LayerSeal, err}
		} else if seal, err = signSeal(ctx, from, author, payload, o); err == nil {
			result.Event, err = wrapSigned(ctx, seal, result.To, o)
		}
		result.Err = err
	}
	batch, ok := from.(signer.BatchCipher)
	if !ok {
		parallel.Each(len(results), inFlight, o.Progress, func(i int) {
			var payload []byte
			err := ctx.Err()
			if err == nil {
				payload, err = from.Encrypt(ctx, json, results[i].To)
			}
			finish(&results[i], payload, err)
		})
		return nil
	}
	p := parallel.Progress{Report: o.Progress, Total: len(results)}
	bytes := nip44.EncryptedLen(uint64(len(json)))
	for chunk := range slices.Chunk(results, int(min(chunkWraps, max(1, chunkBytes/bytes)))) {
		payloads := encryptAll(ctx, batch, json, chunk)
		parallel.Each(len(chunk), inFlight, nil, func(i int) {
			finish(&chunk[i], payloads[i].Data, payloads[i].Err)
			p.Done()
		})
	}
	return nil
}

// encryptAll encrypts one plaintext to every recipient of a chunk in one call.
func encryptAll(ctx context.Context, from signer.BatchCipher, plaintext []byte, chunk []WrapResult) []signer.Opened {
	items := make([]signer.Sealed, len(chunk))
	for i := range chunk {
		items[i] = signer.Sealed{Peer: chunk[i].To, Data: plaintext}
	}
	err := ctx.Err()
	if err == nil {
		if sealed := from.EncryptAll(ctx, items); len(sealed) == len(items) {
			return sealed
		}
		err = errBatch
	}
	failed := make([]signer.Opened, len(chunk))
	for i := range failed {
		failed[i].Err = err
	}
	return failed
}
