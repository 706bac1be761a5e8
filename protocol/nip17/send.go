package nip17

import (
	"context"
	"errors"

	"github.com/sealwright/sealwright/protocol/nip59"
	"github.com/sealwright/sealwright/protocol/signer"
)

// SendOptions are what [Send] may be told. nil is the default.
type SendOptions struct {
	// Wrap is how seals and wraps are made. Its SelfCopy is not looked at.
	Wrap nip59.WrapOptions
	// NoSelfCopy leaves the sender without a copy: a message that is to
	// disappear, or one that the host keeps itself.
	NoSelfCopy bool
}

// Send seals and wraps a rumor for everybody in its room, and for the sender
// (NIP-17): one result for each receiver in ascending order of their keys, and
// the sender's own last. All carry the same rumor. Publish each wrap on the
// relays of its receiver alone.
//
// Some results may have an error while others are good: a receiver whose key is
// not on the curve, a signer that failed. The error beside them concerns the
// message as a whole, and nothing was wrapped then: those of [Parse], for a
// rumor that nobody could read; [nip59.ErrSenderMismatch] for one that is not
// from's own; a [*nip59.LayerError] for one that [nip59.Seal] refuses, as it does
// what is too large, and for options that no wrap can have; an error of from.
//
// With Wrap.Expiration every wrap asks relays to drop it, at a time that is
// counted from its shifted created_at and tells nothing of the true one; see
// [nip59.WrapOptions].
func Send(ctx context.Context, from signer.Keyer, r *nip59.Rumor, o *SendOptions) ([]nip59.WrapResult, error) {
	if o == nil {
		o = &SendOptions{}
	}
	// RoomOf first: Parse does not look at the p tags of every kind.
	room, err := RoomOf(r)
	if err != nil {
		return nil, err
	}
	m, err := Parse(&nip59.Message{Sender: r.PubKey, Rumor: r}, r.PubKey)
	if err != nil {
		return nil, err
	}
	if m.File != nil {
		m.File.Key.Zero()
	}
	self, err := from.GetPublicKey(ctx)
	if err != nil {
		return nil, err
	}
	if self != r.PubKey {
		return nil, nip59.ErrSenderMismatch
	}
	wrap := o.Wrap
	wrap.SelfCopy = !o.NoSelfCopy
	results := nip59.WrapMany(ctx, from, r, room.receivers(self), &wrap)
	if err := results[0].Err; concernsAll(err) {
		return nil, err
	}
	return results, nil
}

// concernsAll reports whether an error of a wrap is that of every other: one of
// the rumor, or of the options.
func concernsAll(err error) bool {
	var layer *nip59.LayerError
	return errors.As(err, &layer) && (layer.Layer == nip59.LayerRumor ||
		layer.Layer == nip59.LayerWrap && (errors.Is(err, nip59.ErrKind) || errors.Is(err, nip59.ErrExpiration)))
}
