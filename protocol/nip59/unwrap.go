package nip59

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/internal/secret"
	"github.com/sealwright/sealwright/protocol/internal/view"
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

// UnwrapAll opens many wraps: one result each, in order. A bad wrap spoils no
// other. It works on all processors, hands a [signer.BatchCipher] many payloads
// at a time, and verifies signatures together where that is faster. With any
// other cipher, which may be far away, up to 32 calls are under way at once, and
// signatures are verified one by one. When the context ends, the wraps not yet
// begun get its error.
func UnwrapAll(ctx context.Context, me signer.Cipher, wraps []*event.Event, o *UnwrapOptions) []UnwrapResult {
	results := make([]UnwrapResult, len(wraps))
	u, err := newUnwrapper(ctx, me, o)
	if err != nil {
		for i := range results {
			results[i].Err = &LayerError{LayerWrap, err}
		}
		return results
	}
	u.unwrapAll(ctx, wraps, results)
	return results
}

// Unsealed is what was in a wrap of a single layer: an event that its author
// signed, and that the wrap names nobody as the sender of but the event itself.
type Unsealed struct {
	Event         *event.Event // verified, of any kind but a seal or a wrap
	WrapID        event.ID
	WrapCreatedAt int64 // Unix seconds, as in Message
}

// UnwrapUnsealed opens a wrap that holds a signed event without a seal between
// them, as protocols beside NIP-17 send it; NIP-59 lets a wrap hold any event. It
// checks the wrap as [Unwrap] does, then that the inner event is neither a seal
// nor a wrap, that it is complete, and its own id and signature. An inner event
// without a signature is nobody's, and refused.
//
// Unlike a seal, the inner event names no recipient: whoever got it may have
// wrapped it again, so that it came to this key says nothing about its author's
// intent. The error is a [*LayerError] whose layer is wrap or inner.
func UnwrapUnsealed(ctx context.Context, me signer.Cipher, wrap *event.Event, o *UnwrapOptions) (*Unsealed, error) {
	u, err := newUnwrapper(ctx, me, o)
	if err != nil {
		return nil, &LayerError{LayerWrap, err}
	}
	l := letter{wrap: wrap}
	if err = u.openWrap(ctx, &l); err == nil {
		err = u.decrypt(ctx, &l)
	}
	if err != nil {
		return nil, &LayerError{l.layer, err}
	}
	inner, err := parseInner(l.text)
	secret.Wipe(l.text)
	if err != nil {
		return nil, &LayerError{LayerInner, err}
	}
	return &Unsealed{inner, wrap.ID, wrap.CreatedAt}, nil
}

// parseInner reads and checks the event of a wrap of a single layer.
func parseInner(text []byte) (*event.Event, error) {
	inner, err := parseSigned(text, func(kind int) bool {
		return kind != KindSeal && kind != Durable && kind != Ephemeral
	})
	if err != nil {
		return nil, err
	}
	if err := inner.Verify(); err != nil {
		return nil, causes{ErrInnerSignature, err}
	}
	return inner, nil
}

// parseSigned reads an event that was encrypted, which must be of a kind that
// fits and complete. It is yet to be verified.
func parseSigned(text []byte, fits func(kind int) bool) (*event.Event, error) {
	e, present, err := event.ParseUnsigned(text)
	if err != nil {
		return nil, err
	}
	// The kind before what may be missing: an inner event of another kind is
	// told as such, signed or not.
	if !fits(e.Kind) {
		return nil, ErrKind
	}
	return e, complete(present)
}

// unwrapper is a reader's keys, asked for once, and options.
type unwrapper struct {
	own []ownKey // mine, then Keys
	*UnwrapOptions
}

type ownKey struct {
	signer.Cipher
	pub keys.PublicKey
}

func newUnwrapper(ctx context.Context, me signer.Cipher, o *UnwrapOptions) (unwrapper, error) {
	o = o.orDefault()
	u := unwrapper{make([]ownKey, 1+len(o.Keys)), o}
	for i := range u.own {
		c := me
		if i > 0 {
			c = o.Keys[i-1]
		}
		pub, err := c.GetPublicKey(ctx)
		if err != nil {
			return u, err
		}
		u.own[i] = ownKey{c, pub}
	}
	return u, nil
}

// unwrap takes one wrap through the layers.
func (u *unwrapper) unwrap(ctx context.Context, wrap *event.Event) (*Message, error) {
	l := letter{wrap: wrap}
	if l.err = u.openWrap(ctx, &l); l.err == nil {
		l.err = u.decrypt(ctx, &l)
	}
	if l.err == nil {
		l.err = u.openSeal(&l)
	}
	if l.err == nil {
		l.err = u.decrypt(ctx, &l)
	}
	if l.err == nil {
		l.err = l.read()
	}
	return l.result()
}

// letter is a wrap on its way through the layers. A step is taken when none
// before it failed, and its caller sets err to what it returns.
type letter struct {
	wrap  *event.Event
	seal  *event.Event
	rumor *Rumor

	layer   Layer            // whose event is being checked, read or decrypted
	own     int              // the own key that opened the last payload
	payload []byte           // to be decrypted
	author  keys.PublicKey   // of the event that carries it
	further []keys.PublicKey // keys that may have encrypted it in the author's place
	text    []byte           // what it held; nil until it is decrypted
	err     error
}

// peer returns the key number i that may have encrypted the payload.
func (l *letter) peer(i int) (pub keys.PublicKey, ok bool) {
	if i == 0 {
		return l.author, true
	}
	if i > len(l.further) {
		return pub, false
	}
	return l.further[i-1], true
}

func (l *letter) result() (*Message, error) {
	if l.err != nil {
		return nil, &LayerError{l.layer, l.err}
	}
	return &Message{
		Sender:        l.seal.PubKey,
		Rumor:         l.rumor,
		WrapID:        l.wrap.ID,
		SealID:        l.seal.ID,
		WrapCreatedAt: l.wrap.CreatedAt,
	}, nil
}

// openWrap checks a wrap, the cheap tests first.
func (u *unwrapper) openWrap(ctx context.Context, l *letter) error {
	if err := u.readWrap(ctx, l); err != nil {
		return err
	}
	if !u.SkipWrapSignature {
		if err := l.wrap.Verify(); err != nil {
			return causes{ErrWrapSignature, err}
		}
	}
	return nil
}

// readWrap checks a wrap, except for a signature that has to be verified, and the id
// with it.
func (u *unwrapper) readWrap(ctx context.Context, l *letter) error {
	l.layer = LayerWrap
	if err := ctx.Err(); err != nil {
		return err
	}
	wrap := l.wrap
	if wrap == nil {
		return ErrNil
	}
	if wrap.Kind != Durable && wrap.Kind != Ephemeral {
		return ErrKind
	}
	if err := u.setPayload(l, wrap); err != nil {
		return err
	}
	if !u.named(wrap.Tags) {
		return ErrNotForMe
	}
	if !u.SkipWrapSignature {
		return nil
	}
	if err := wrap.Validate(); err != nil {
		return err
	}
	if wrap.ComputeID() != wrap.ID {
		return causes{ErrWrapSignature, event.ErrID}
	}
	return nil
}

// setPayload makes the content of e what is to be decrypted next, once it has
// the form of a payload within the limit.
func (u *unwrapper) setPayload(l *letter, e *event.Event) error {
	if err := nip44.CheckPayload(view.Bytes(e.Content), &nip44.Options{MaxPlaintext: u.MaxPlaintext}); err != nil {
		return err
	}
	// A copy, since a cipher may be anybody's.
	l.payload = []byte(e.Content)
	l.author = e.PubKey
	l.text = nil
	return nil
}

// named reports whether a p tag names one of the own keys.
func (u *unwrapper) named(tags event.Tags) bool {
	for _, tag := range tags {
		if len(tag) < 2 || tag[0] != "p" {
			continue
		}
		for i := range u.own {
			var digits [64]byte
			hex.Encode(digits[:], u.own[i].pub[:])
			if string(digits[:]) == tag[1] {
				return true
			}
		}
	}
	return false
}

// openSeal reads and checks the seal that was in the wrap.
func (u *unwrapper) openSeal(l *letter) error {
	if err := u.readSeal(l); err != nil {
		return err
	}
	if err := u.verifySeal(l); err != nil {
		return err
	}
	return u.acceptSeal(l)
}

// readSeal reads the seal that was in the wrap. It is yet to be verified.
func (u *unwrapper) readSeal(l *letter) error {
	l.layer = LayerSeal
	seal, err := parseSigned(l.text, func(kind int) bool { return kind == KindSeal })
	if err != nil {
		return err
	}
	if err := u.setPayload(l, seal); err != nil {
		return err
	}
	l.seal = seal
	return nil
}

// acceptSeal goes on with a seal that is verified.
func (u *unwrapper) acceptSeal(l *letter) error {
	for _, tag := range l.seal.Tags {
		if tag[0] != "expiration" {
			return ErrSealTags
		}
	}
	if u.ResolveSealKey != nil {
		l.further = u.ResolveSealKey(l.seal.PubKey)
	}
	return nil
}

// verifySeal verifies a seal. An identity does that faster for a peer that it knows: the
// own key is asked that opened the wrap, since it will open the seal too, and knows whose
// it opened before.
func (u *unwrapper) verifySeal(l *letter) (err error) {
	if id, here := u.own[l.own].Cipher.(*identity.Identity); here {
		err = id.VerifyEvent(l.seal)
	} else {
		err = l.seal.Verify()
	}
	if err != nil {
		return causes{ErrSealSignature, err}
	}
	return nil
}

// read reads the rumor that was in the seal.
func (l *letter) read() (err error) {
	l.layer = LayerRumor
	l.rumor, err = parseRumor(l.text, l.seal.PubKey)
	secret.Wipe(l.text)
	return err
}

// decrypt tries every own key with every key of the sender.
func (u *unwrapper) decrypt(ctx context.Context, l *letter) error {
	var t trial
	for i := range u.own {
		for j := 0; ; j++ {
			peer, ok := l.peer(j)
			if !ok {
				break
			}
			text, err := u.own[i].Decrypt(ctx, l.payload, peer)
			if err == nil {
				return u.opened(l, i, text)
			}
			t.note(err)
		}
	}
	return t.err()
}

// opened takes what a payload held that an own key has decrypted. The payload's length
// bounded it to a step of the padding; the limit holds to the byte.
func (u *unwrapper) opened(l *letter, own int, text []byte) error {
	limit := u.MaxPlaintext
	if limit == 0 {
		limit = nip44.DefaultMaxPlaintext
	}
	if n := uint64(len(text)); n > limit {
		secret.Wipe(text)
		return &nip44.SizeError{Size: n, Limit: limit}
	}
	l.text = text
	l.own = own
	return nil
}

// trial gathers why a payload did not open.
type trial struct{ failed, payload, unopened, peer error }

func (t *trial) note(err error) {
	switch c := Classify(err); {
	case errors.Is(err, nip44.ErrMAC):
		t.unopened = causes{ErrNotForMe, err}
	case errors.Is(err, keys.ErrPublicKey):
		t.peer = err
	case c == ClassMalformed, c == ClassTooLarge:
		t.payload = err
	default:
		t.failed = err
	}
}

// err returns the error that says most: that a signer failed, so nothing is
// known; then what is wrong with the payload, whatever the keys (a fault of the
// padding is seen only by the right pair); then that no pair of keys fitted;
// then that a peer's key is none.
func (t *trial) err() error {
	switch {
	case t.failed != nil:
		return t.failed
	case t.payload != nil:
		return t.payload
	case t.unopened != nil:
		return t.unopened
	}
	return t.peer
}
