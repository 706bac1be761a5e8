package event

import (
	"context"
	"runtime"
	"sync"

	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/internal/parallel"
)

// BatchOptions are the options of [VerifyAll]. Nil means the defaults.
type BatchOptions struct {
	// Workers is the number of goroutines, at most one for each processor; as many when
	// it is not positive.
	Workers int
	// Progress hears of every finished event, one call at a time, from the
	// goroutines that verify. It should return soon.
	Progress func(done, total int)
}

// VerifyAll verifies events on all processors and returns one answer each, in
// their order, as [Event.Verify] gives it; a nil event's is [ErrNil]. Each
// processor verifies up to [bip340.MaxBatch] signatures together, in about half the
// time; see [bip340.Batch] for the chance of an error, 2⁻¹²⁸, and for what wrong
// signatures cost. A bad event hides no other. Once ctx is done, events not answered
// get its error. Any subset may be given; nothing is remembered between calls.
func VerifyAll(ctx context.Context, events []*Event, o *BatchOptions) []error {
	if o == nil {
		o = &BatchOptions{}
	}
	errs := make([]error, len(events))
	if len(events) == 0 {
		return errs
	}
	workers := runtime.GOMAXPROCS(0)
	if o.Workers > 0 {
		workers = min(workers, o.Workers)
	}
	workers = min(workers, len(events))
	// Parts of one size, as many for one worker as for another.
	rounds := (len(events)-1)/(workers*bip340.MaxBatch) + 1
	size := (len(events)-1)/(workers*rounds) + 1
	p := parallel.Progress{Report: o.Progress, Total: len(events)}
	parallel.Each((len(events)-1)/size+1, workers, nil, func(i int) {
		to := min((i+1)*size, len(events))
		verifyPart(ctx, events[i*size:to], errs[i*size:to], &p)
	})
	return errs
}

// parts are kept with their memory, which holds public data only.
var parts = sync.Pool{New: func() any { return new(part) }}

type part struct {
	batch bip340.Batch
	items []bip340.Signed // of events whose id is right
	which []int           // their numbers
	errs  []error         // the answers to them
}

// verifyPart verifies up to [bip340.MaxBatch] events on this goroutine.
func verifyPart(ctx context.Context, events []*Event, errs []error, progress *parallel.Progress) {
	p := parts.Get().(*part)
	p.items, p.which, p.errs = p.items[:0], p.which[:0], p.errs[:0]
	for i, e := range events {
		if errs[i] = ctx.Err(); errs[i] == nil {
			errs[i] = e.verifyID()
		}
		if errs[i] == nil {
			p.items = append(p.items, bip340.Signed{PublicKey: e.PubKey, Message: e.ID[:], Signature: e.Sig})
			p.which = append(p.which, i)
			p.errs = append(p.errs, nil)
		}
	}
	p.batch.Verify(p.errs, p.items)
	for i, err := range p.errs {
		errs[p.which[i]] = err
	}
	clear(p.items) // they point into events
	parts.Put(p)
	for i := range errs {
		if err := ctx.Err(); err != nil {
			errs[i] = err
		}
		progress.Done()
	}
}
