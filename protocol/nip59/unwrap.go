package nip59

import (
	"context"
	"errors"
	"time"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/internal/parallel"
	"github.com/sealwright/sealwright/protocol/internal/secret"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
)

// UnwrapOptions are what receiving may be told. nil is the default.
type UnwrapOptions struct {
	// Keys are further keys of the same person. A wrap is for her when its p
	// tag names any of her keys, and every one is then tried.
	Keys []signer.Cipher
	// ResolveSealKey returns the keys with which the signer of a seal may have
	// encrypted it, beside its own: those it announces for encryption (kind
	// 10044). UnwrapAll calls it from several goroutines.
	ResolveSealKey func(seal keys.PublicKey) []keys.PublicKey
	// SkipWrapSignature leaves the signature of the wrap unverified, where a
	// relay that is trusted has done it. What is lost: anyone may have changed
	// the wrap's tags and time, or put its content under another one-time key;
	// WrapID is still the hash of what was read. The sender's own signature, on
	// the seal, is always verified.
	SkipWrapSignature bool
	// MaxPlaintext is the longest plaintext, in bytes, that either layer may
	// hold. Zero means [nip44.DefaultMaxPlaintext].
	MaxPlaintext uint64
	// Progress hears of every wrap that UnwrapAll has done with.
	Progress func(done, total int)
}

var defaultUnwrapOptions UnwrapOptions

func (o *UnwrapOptions) orDefault() *UnwrapOptions {
	if o == nil {
		return &defaultUnwrapOptions
	}
	return o
}

// Message is an opened wrap: Sender signed the seal, and wrote the rumor.
type Message struct {
	Sender        keys.PublicKey
	Rumor         *Rumor // its CreatedAt is the time of the message
	WrapID        event.ID
	SealID        event.ID
	WrapCreatedAt int64 // Unix seconds; shifted by the sender, says nothing
}

// UnwrapResult is the result for one wrap: Message is valid when Err is nil.
type UnwrapResult struct {
	Message *Message
	Err     error
}

// Since returns the time to ask relays from, given the time of the last
// synchronisation: wraps are dated back by up to [DefaultWindow], so their
// created_at is no cursor, and a subscription that does not look back this far
// misses messages.
func Since(lastSync time.Time) time.Time { return lastSync.Add(-DefaultWindow) }

// Unwrap opens a gift wrap (NIP-59) and tells who sent what. It checks, in this
// order: the wrap's kind; that the content has the form of a payload within the
// limit; that a p tag names a key at hand; the wrap's id and signature; the
// payload; that a seal is inside; its id and signature; its tags; its payload;
// the rumor; that its author signed the seal; the rumor's id. Nothing is
// returned unless all hold.
//
// The error is a [*LayerError]; [Classify] says whether it is final.
func Unwrap(ctx context.Context, me signer.Cipher, wrap *event.Event, o *UnwrapOptions) (*Message, error) {
	u, err := newUnwrapper(ctx, me, o)
	if err != nil {
		return nil, &LayerError{LayerWrap, err}
	}
	return u.unwrap(ctx, wrap)
}

// UnwrapAll opens many wraps on all processors: one result each, in order. A
// bad wrap spoils no other. When the context ends, the wraps not yet begun get
// its error.
func UnwrapAll(ctx context.Context, me signer.Cipher, wraps []*event.Event, o *UnwrapOptions) []UnwrapResult {
	results := make([]UnwrapResult, len(wraps))
	u, err := newUnwrapper(ctx, me, o)
	parallel.Each(len(wraps), 0, o.orDefault().Progress, func(i int) {
		r := &results[i]
		if err != nil {
			r.Err = &LayerError{LayerWrap, err}
			return
		}
		r.Message, r.Err = u.unwrap(ctx, wraps[i])
	})
	return results
}

// unwrapper is a reader's keys, asked for once, and options.
type unwrapper struct {
	own []ownKey
	*UnwrapOptions
}

type ownKey struct {
	signer.Cipher
	pub keys.PublicKey
}

func newUnwrapper(ctx context.Context, me signer.Cipher, o *UnwrapOptions) (*unwrapper, error) {
	u := &unwrapper{UnwrapOptions: o.orDefault()}
	for _, c := range append([]signer.Cipher{me}, u.Keys...) {
		pub, err := c.GetPublicKey(ctx)
		if err != nil {
			return nil, err
		}
		u.own = append(u.own, ownKey{c, pub})
	}
	return u, nil
}

func (u *unwrapper) unwrap(ctx context.Context, wrap *event.Event) (*Message, error) {
	if err := ctx.Err(); err != nil {
		return nil, &LayerError{LayerWrap, err}
	}
	sealJSON, err := u.openWrap(ctx, wrap)
	if err != nil {
		return nil, &LayerError{LayerWrap, err}
	}
	seal, rumorJSON, err := u.openSeal(ctx, sealJSON)
	if err != nil {
		return nil, &LayerError{LayerSeal, err}
	}
	defer secret.Wipe(rumorJSON)
	rumor, err := parseRumor(rumorJSON, seal.PubKey)
	if err != nil {
		return nil, &LayerError{LayerRumor, err}
	}
	return &Message{
		Sender:        seal.PubKey,
		Rumor:         rumor,
		WrapID:        wrap.ID,
		SealID:        seal.ID,
		WrapCreatedAt: wrap.CreatedAt,
	}, nil
}

// openWrap checks a wrap, the cheap tests first, and decrypts its content.
func (u *unwrapper) openWrap(ctx context.Context, wrap *event.Event) ([]byte, error) {
	if wrap == nil {
		return nil, ErrNil
	}
	if wrap.Kind != Durable && wrap.Kind != Ephemeral {
		return nil, ErrKind
	}
	payload := []byte(wrap.Content)
	if err := nip44.CheckPayload(payload, &nip44.Options{MaxPlaintext: u.MaxPlaintext}); err != nil {
		return nil, err
	}
	if !u.named(wrap.Tags) {
		return nil, ErrNotForMe
	}
	if u.SkipWrapSignature {
		if err := wrap.Validate(); err != nil {
			return nil, err
		}
		if wrap.ComputeID() != wrap.ID {
			return nil, causes{ErrWrapSignature, event.ErrID}
		}
	} else if err := wrap.Verify(); err != nil {
		return nil, causes{ErrWrapSignature, err}
	}
	return u.decrypt(ctx, payload, []keys.PublicKey{wrap.PubKey})
}

// named reports whether a p tag names one of the own keys.
func (u *unwrapper) named(tags event.Tags) bool {
	for _, tag := range tags {
		if len(tag) < 2 || tag[0] != "p" {
			continue
		}
		var pub keys.PublicKey
		if pub.UnmarshalText([]byte(tag[1])) != nil {
			continue
		}
		for i := range u.own {
			if u.own[i].pub == pub {
				return true
			}
		}
	}
	return false
}

// openSeal reads and checks a seal and decrypts its content.
func (u *unwrapper) openSeal(ctx context.Context, json []byte) (*event.Event, []byte, error) {
	seal, present, err := event.ParseUnsigned(json)
	if err != nil {
		return nil, nil, err
	}
	// The kind before what may be missing: an inner event of another kind is
	// told as such, signed or not.
	if seal.Kind != KindSeal {
		return nil, nil, ErrKind
	}
	if err := complete(present); err != nil {
		return nil, nil, err
	}
	payload := []byte(seal.Content)
	if err := nip44.CheckPayload(payload, &nip44.Options{MaxPlaintext: u.MaxPlaintext}); err != nil {
		return nil, nil, err
	}
	if err := seal.Verify(); err != nil {
		return nil, nil, causes{ErrSealSignature, err}
	}
	for _, tag := range seal.Tags {
		if len(tag) == 0 || tag[0] != "expiration" {
			return nil, nil, ErrSealTags
		}
	}
	from := []keys.PublicKey{seal.PubKey}
	if u.ResolveSealKey != nil {
		from = append(from, u.ResolveSealKey(seal.PubKey)...)
	}
	rumorJSON, err := u.decrypt(ctx, payload, from)
	return seal, rumorJSON, err
}

// decrypt tries every own key with every key of the sender. It returns the
// error that leaves most hope: a failure of a signer, then ErrNotForMe when
// each pair only failed to authenticate, then what is wrong with the payload.
func (u *unwrapper) decrypt(ctx context.Context, payload []byte, from []keys.PublicKey) ([]byte, error) {
	var failed, unopened, bad error
	for i := range u.own {
		for _, peer := range from {
			plaintext, err := u.own[i].Decrypt(ctx, payload, peer)
			switch {
			case err == nil:
				return plaintext, nil
			case errors.Is(err, nip44.ErrMAC):
				unopened = causes{ErrNotForMe, err}
			case Classify(err) == ClassMalformed, Classify(err) == ClassTooLarge:
				bad = err
			default:
				failed = err
			}
		}
	}
	switch {
	case failed != nil:
		return nil, failed
	case unopened != nil:
		return nil, unopened
	}
	return nil, bad
}
