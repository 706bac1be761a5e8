package event

import (
	"context"

	"github.com/sealwright/sealwright/protocol/internal/parallel"
)

// BatchOptions are the options of [VerifyAll]. Nil means the defaults.
type BatchOptions struct {
	// Workers is the number of goroutines; all processors when it is not positive.
	Workers int
	// Progress hears of every finished event, one call at a time, from the
	// goroutines that verify. It should return soon.
	Progress func(done, total int)
}

// VerifyAll verifies events on all processors and returns one answer each, in
// their order, as [Event.Verify] gives it; a nil event's is [ErrNil]. Each is
// verified by itself: a bad one neither hides nor slows another. Once ctx is
// done, events not begun get its error. Any subset may be given; nothing is
// remembered between calls.
func VerifyAll(ctx context.Context, events []*Event, o *BatchOptions) []error {
	if o == nil {
		o = &BatchOptions{}
	}
	errs := make([]error, len(events))
	parallel.Each(len(events), o.Workers, o.Progress, func(i int) {
		if err := ctx.Err(); err != nil {
			errs[i] = err
			return
		}
		errs[i] = events[i].Verify()
	})
	return errs
}
