package nip59

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"slices"
	"strconv"
	"time"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/internal/secret"
	"github.com/sealwright/sealwright/protocol/internal/view"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
)

// Kinds of the two outer layers.
const (
	KindSeal  = event.KindSeal
	Durable   = event.KindGiftWrap          // 1059: relays store it
	Ephemeral = event.KindEphemeralGiftWrap // 21059: relays only pass it on
)

// DefaultWindow is how far back the times of seals and durable wraps are
// shifted at most (NIP-17: up to two days).
const DefaultWindow = 48 * time.Hour

// LegacyMaxRumor is the longest JSON of a rumor, in bytes, whose wrap readers
// of the NIP-44 of 2023 can open: from the next length on, the JSON of the seal
// outgrows [nip44.LegacyMaxPlaintext].
const LegacyMaxRumor = 40960

// MaxRumor is the longest JSON of a rumor, in bytes, that is sent: from the next
// length on, the JSON of the seal would outgrow [nip44.DefaultMaxPlaintext],
// which readers allow each layer.
const MaxRumor = 655360

// WrapOptions are what sending may be told. nil is the default.
type WrapOptions struct {
	// Kind of the wrap: Durable, which zero means, or Ephemeral.
	Kind int
	// SelfCopy makes WrapMany add a wrap to the sender itself.
	SelfCopy bool
	// Relay is a relay hint in the wrap's p tag. It belongs to one recipient, so
	// with several it is of use only when they share a relay.
	Relay string
	// Expiration puts an expiration tag (NIP-40) on the wrap: its created_at
	// plus Window plus this, so that it is never over before this much time has
	// passed, and does not tell when the message was sent. Zero means none;
	// less is [ErrExpiration]. The seal has no tags and so no expiration.
	Expiration time.Duration
	// Window is how far back created_at of seal and wrap may be shifted, each
	// by an amount of its own, uniformly. Zero means DefaultWindow for Durable
	// and no shift for Ephemeral, negative no shift. Nothing is dated before
	// 1970: a longer window ends there.
	Window time.Duration
	// LegacyOnly refuses what readers of the NIP-44 of 2023 cannot open: a
	// rumor whose JSON is longer than LegacyMaxRumor gives a [*nip44.SizeError].
	LegacyOnly bool
	// BeforeSign may change a finished wrap before its one-time key signs it:
	// proof of work, more tags, created_at. Kind, pubkey, content and the p tag
	// must stay as they are; it is called with ID and Sig still zero. WrapMany
	// calls it from several goroutines.
	BeforeSign func(*event.Event) error
	// Progress hears of every recipient that WrapMany has done with, one call at
	// a time; of none when the rumor or the options are at fault.
	Progress func(done, total int)
}

var defaultWrapOptions WrapOptions

func (o *WrapOptions) orDefault() *WrapOptions {
	if o == nil {
		return &defaultWrapOptions
	}
	return o
}

// check tells whether wraps can be made so: before a signer is asked for a seal.
func (o *WrapOptions) check() error {
	switch {
	case o.Kind != 0 && o.Kind != Durable && o.Kind != Ephemeral:
		return ErrKind
	case o.Expiration < 0:
		return ErrExpiration
	}
	return nil
}

func (o *WrapOptions) kind() int {
	if o.Kind == 0 {
		return Durable
	}
	return o.Kind
}

func (o *WrapOptions) window() time.Duration {
	switch {
	case o.Window < 0:
		return 0
	case o.Window > 0:
		return o.Window
	case o.Kind == Ephemeral:
		return 0
	}
	return DefaultWindow
}

// Seal makes the seal of a rumor for one recipient (NIP-59, kind 13): signed
// by the author, encrypted to the recipient, dated back, and without tags. What
// the signer returns is checked: nothing but pubkey, id and sig may have
// changed, and they must verify, for which an [*identity.Identity] is trusted.
//
// The error is a [*LayerError]: of the rumor layer for a rumor that is not
// valid, not from's own ([ErrSenderMismatch]), of a wrong id ([ErrRumorID]) or
// too large; of the seal layer for all else.
func Seal(ctx context.Context, from signer.Keyer, r *Rumor, to keys.PublicKey, o *WrapOptions) (*event.Event, error) {
	o = o.orDefault()
	author, json, err := rumorJSON(ctx, from, r, o)
	if err != nil {
		return nil, err
	}
	defer secret.Wipe(json)
	payload, err := from.Encrypt(ctx, json, to)
	if err != nil {
		return nil, &LayerError{LayerSeal, err}
	}
	return signSeal(ctx, from, author, payload, o)
}

// rumorJSON returns the signer's key and the JSON of a rumor that it may send.
func rumorJSON(ctx context.Context, from signer.Keyer, r *Rumor, o *WrapOptions) (author keys.PublicKey, json []byte, err error) {
	if r == nil {
		return author, nil, &LayerError{LayerRumor, ErrNil}
	}
	author, err = from.GetPublicKey(ctx)
	if err != nil {
		return author, nil, &LayerError{LayerSeal, err}
	}
	rumor, err := r.check(author)
	if err != nil {
		return author, nil, &LayerError{LayerRumor, err}
	}
	json = rumor.AppendUnsignedJSON(nil)
	limit := MaxRumor
	if o.LegacyOnly {
		limit = LegacyMaxRumor
	}
	if len(json) > limit {
		secret.Wipe(json)
		return author, nil, &LayerError{LayerRumor, &nip44.SizeError{Size: uint64(len(json)), Limit: uint64(limit)}}
	}
	return author, json, nil
}

// signSeal has the author sign a seal around a payload, and checks what comes
// back.
func signSeal(ctx context.Context, from signer.Signer, author keys.PublicKey, payload []byte, o *WrapOptions) (*event.Event, error) {
	createdAt, err := shifted(o.window())
	if err != nil {
		return nil, &LayerError{LayerSeal, err}
	}
	// What does not have the form of a payload, such as an echo of the rumor,
	// is not signed.
	if err := nip44.CheckPayload(payload, &nip44.Options{MaxPlaintext: nip44.MaxPlaintext}); err != nil {
		return nil, &LayerError{LayerSeal, err}
	}
	content := string(payload)
	seal := &event.Event{PubKey: author, CreatedAt: createdAt, Kind: KindSeal, Tags: event.Tags{}, Content: content}
	if err := from.SignEvent(ctx, seal); err != nil {
		return nil, &LayerError{LayerSeal, err}
	}
	if seal.PubKey != author || seal.CreatedAt != createdAt || seal.Kind != KindSeal || len(seal.Tags) != 0 || seal.Content != content {
		return nil, &LayerError{LayerSeal, ErrSealSignature}
	}
	// What a signer elsewhere says is not believed; an identity signs with the code
	// that would verify.
	if _, here := from.(*identity.Identity); !here {
		if err := seal.Verify(); err != nil {
			return nil, &LayerError{LayerSeal, causes{ErrSealSignature, err}}
		}
	}
	return seal, nil
}

// WrapSeal wraps a seal for one recipient (NIP-59): encrypted and signed with a
// key made for this wrap alone and wiped after it. It validates the seal and does
// not verify it.
// The error is a [*LayerError].
func WrapSeal(seal *event.Event, to keys.PublicKey, o *WrapOptions) (*event.Event, error) {
	wrap, err := wrapSeal(seal, to, o.orDefault())
	if err != nil {
		return nil, &LayerError{LayerWrap, err}
	}
	return wrap, nil
}

func wrapSeal(seal *event.Event, to keys.PublicKey, o *WrapOptions) (*event.Event, error) {
	if seal == nil {
		return nil, ErrNil
	}
	if seal.Kind != KindSeal {
		return nil, ErrKind
	}
	if err := seal.Validate(); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	once, err := keys.GenerateSecretKey()
	if err != nil {
		return nil, err
	}
	defer once.Zero()
	ck, err := nip44.DeriveConversationKey(once, to)
	if err != nil {
		return nil, err
	}
	defer ck.Zero()
	payload, err := ck.AppendEncrypt(nil, seal.AppendJSON(nil), &nip44.Options{LegacyOnly: o.LegacyOnly})
	if err != nil {
		return nil, err
	}
	createdAt, err := shifted(o.window())
	if err != nil {
		return nil, err
	}

	var room struct { // of the tags, in one piece
		tags [2]event.Tag
		p    [3]string
	}
	tags := append(event.Tags(room.tags[:0]), append(event.Tag(room.p[:0]), "p", to.String()))
	if o.Relay != "" {
		tags[0] = append(tags[0], o.Relay)
	}
	if o.Expiration > 0 {
		at := createdAt + seconds(o.window()) + seconds(o.Expiration) // a Duration ends after 292 years
		tags = append(tags, event.Tag{"expiration", strconv.FormatInt(at, 10)})
	}
	wrap := &event.Event{PubKey: once.PublicKey(), CreatedAt: createdAt, Kind: o.kind(), Tags: tags, Content: view.String(payload)}
	if o.BeforeSign != nil {
		asked, p := *wrap, slices.Clone(tags[0])
		if err := o.BeforeSign(wrap); err != nil {
			return nil, err
		}
		if wrap.PubKey != asked.PubKey || wrap.Kind != asked.Kind || wrap.Content != asked.Content || !samePTag(wrap.Tags, p) {
			return nil, ErrHook
		}
	}
	if err := wrap.Sign(once); err != nil {
		return nil, err
	}
	return wrap, nil
}

// seconds returns d in whole seconds, rounded up.
func seconds(d time.Duration) int64 {
	n := int64(d / time.Second)
	if d%time.Second > 0 {
		n++
	}
	return n
}

// samePTag reports whether p is still the one p tag among tags.
func samePTag(tags event.Tags, p event.Tag) bool {
	found := 0
	for _, tag := range tags {
		if len(tag) > 0 && tag[0] == "p" {
			if !slices.Equal(tag, p) {
				return false
			}
			found++
		}
	}
	return found == 1
}

// Wrap seals a rumor and wraps the seal for one recipient. The errors are those
// of [Seal] and [WrapSeal]; [ErrSelfCopy] when the options ask for a second
// event; the context's, also when it ends after sealing.
func Wrap(ctx context.Context, from signer.Keyer, r *Rumor, to keys.PublicKey, o *WrapOptions) (*event.Event, error) {
	o = o.orDefault()
	if o.SelfCopy {
		return nil, &LayerError{LayerWrap, ErrSelfCopy}
	}
	if err := o.check(); err != nil {
		return nil, &LayerError{LayerWrap, err}
	}
	seal, err := Seal(ctx, from, r, to, o)
	if err != nil {
		return nil, err
	}
	return wrapSigned(ctx, seal, to, o)
}

// wrapSigned is WrapSeal for a seal that a signer has just returned, unless the
// context has ended meanwhile.
func wrapSigned(ctx context.Context, seal *event.Event, to keys.PublicKey, o *WrapOptions) (*event.Event, error) {
	if err := ctx.Err(); err != nil {
		return nil, &LayerError{LayerWrap, err}
	}
	return WrapSeal(seal, to, o)
}

// WrapMany wraps one rumor for every recipient: one result each, in their order,
// then one for the sender when the options ask for a self copy and the sender
// is not among them. All copies carry the same rumor id. It works on all
// processors and, as [UnwrapAll], asks the signer in batches or many times at
// once: a [signer.BatchCipher] for up to 128 recipients or 16 MiB of payloads in
// one call. When the context ends, the recipients not yet done with get its
// error. An error of the rumor layer, and one of the options, is in every result.
func WrapMany(ctx context.Context, from signer.Keyer, r *Rumor, to []keys.PublicKey, o *WrapOptions) []WrapResult {
	o = o.orDefault()
	if o.SelfCopy && r != nil && !slices.Contains(to, r.PubKey) {
		to = append(slices.Clip(to), r.PubKey) // Seal takes no other author's rumor
	}
	results := make([]WrapResult, len(to))
	for i := range to {
		results[i].To = to[i]
	}
	if err := wrapAll(ctx, from, r, results, o); err != nil {
		for i := range results {
			results[i].Err = err
		}
	}
	return results
}

// WrapResult is the wrap for one recipient: Event is valid when Err is nil.
type WrapResult struct {
	To    keys.PublicKey
	Event *event.Event
	Err   error
}

// shifted returns now less a whole number of seconds drawn uniformly from
// 0…window, which ends in 1970 at the latest, by the system's generator.
func shifted(window time.Duration) (int64, error) {
	now := time.Now().Unix()
	bound := uint64(min(int64(window/time.Second), max(now, 0))) + 1
	// Draws at and above the largest multiple of bound would favour some.
	top := ^uint64(0) - ^uint64(0)%bound
	var b [8]byte
	for {
		if _, err := rand.Read(b[:]); err != nil {
			return 0, err
		}
		if v := binary.LittleEndian.Uint64(b[:]); v < top {
			return now - int64(v%bound), nil
		}
	}
}
