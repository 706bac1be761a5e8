package gonostr

import (
	"bytes"
	"context"
	"encoding/base64"
	"sync/atomic"
	"unicode/utf8"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/keyer"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
	"github.com/sealwright/sealwright/protocol/signer"
)

// FromKeyer makes a keyer of go-nostr serve as a [signer.Keyer]. What it
// answers is checked: an event must verify and be the one that was given, a
// payload and a plaintext must have lengths that fit each other. The package
// documentation says how its failures are told apart.
//
// The public key is asked for until the first success and kept, so a keyer
// that turns to another key needs another adapter. As with
// [event.Event.Sign], an event that names another author is refused
// ([event.ErrWrongKey]), where go-nostr would put its own key in.
//
// Encrypt refuses a plaintext that is not UTF-8 ([nip44.ErrUTF8]), unless k is
// a [keyer.KeySigner]: on its way to a remote signer as JSON it would change.
// A KeySigner neither writes nor reads plaintexts of more than
// [nip44.LegacyMaxPlaintext] bytes, and the adapter says so by
// [nip44.ErrTooLarge].
//
// The adapter may be used by several goroutines when k may; it asks k for the
// public key from one at a time. Whether a call ends with its context is up to
// k.
func FromKeyer(k keyer.Keyer) signer.Keyer {
	a := &fromKeyer{keyer: k, limit: nip44.MaxPlaintext, turn: make(chan struct{}, 1)}
	switch k.(type) {
	case keyer.KeySigner, *keyer.KeySigner:
		a.local = true
		a.limit = nip44.LegacyMaxPlaintext
	}
	return a
}

// fromKeyer is a go-nostr keyer as a signer.Keyer.
type fromKeyer struct {
	keyer keyer.Keyer
	local bool   // a KeySigner, whose texts and limits are known
	limit uint64 // longest plaintext, in bytes

	turn chan struct{} // holds one token while the keyer is asked for its key
	pub  atomic.Pointer[keys.PublicKey]
}

func (a *fromKeyer) begin(ctx context.Context, op Op) error {
	if a.keyer == nil {
		return &KeyerError{Op: op, cause: ErrNilKeyer}
	}
	return ctx.Err()
}

// failed returns the KeyerError for what the keyer said.
func (a *fromKeyer) failed(ctx context.Context, op Op, err error) error {
	switch {
	case ctx.Err() != nil:
		// go-nostr's bunker reports the end of the context as a text.
		err = ctx.Err()
	case a.local, nip59.Classify(err) != nip59.ClassSigner:
		err = nil
	}
	return &KeyerError{Op: op, cause: err}
}

func (a *fromKeyer) GetPublicKey(ctx context.Context) (keys.PublicKey, error) {
	if err := a.begin(ctx, OpGetPublicKey); err != nil {
		return keys.PublicKey{}, err
	}
	if pub := a.pub.Load(); pub != nil {
		return *pub, nil
	}
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
	case <-ctx.Done():
		return keys.PublicKey{}, ctx.Err()
	}
	if pub := a.pub.Load(); pub != nil {
		return *pub, nil
	}
	s, err := a.keyer.GetPublicKey(ctx)
	if err != nil {
		return keys.PublicKey{}, a.failed(ctx, OpGetPublicKey, err)
	}
	// Not keys.ErrPublicKey, which would make every wrap malformed.
	pub, err := keys.ParsePublicKey(s)
	if err != nil {
		return keys.PublicKey{}, &KeyerError{Op: OpGetPublicKey, cause: ErrAnswer}
	}
	a.pub.Store(&pub)
	return pub, nil
}

func (a *fromKeyer) SignEvent(ctx context.Context, e *event.Event) error {
	if err := e.Validate(); err != nil {
		return err
	}
	pub, err := a.GetPublicKey(ctx)
	if err != nil {
		return err
	}
	if e.PubKey != pub && e.PubKey != (keys.PublicKey{}) {
		return event.ErrWrongKey
	}
	signed := *e
	signed.PubKey, signed.ID, signed.Sig = pub, event.ID{}, event.Signature{}
	answer, err := ToEvent(&signed)
	if err != nil {
		return err
	}
	if err := a.keyer.SignEvent(ctx, answer); err != nil {
		return a.failed(ctx, OpSignEvent, err)
	}
	// Of the answer only what e lacks is taken, and must fit e: a keyer that
	// signed something else is found out by the id.
	if answer.PubKey != pub.String() ||
		signed.ID.UnmarshalText([]byte(answer.ID)) != nil ||
		signed.Sig.UnmarshalText([]byte(answer.Sig)) != nil ||
		signed.Verify() != nil {
		return &KeyerError{Op: OpSignEvent, cause: ErrAnswer}
	}
	e.PubKey, e.ID, e.Sig = signed.PubKey, signed.ID, signed.Sig
	return nil
}

func (a *fromKeyer) Encrypt(ctx context.Context, plaintext []byte, to keys.PublicKey) ([]byte, error) {
	if err := a.begin(ctx, OpEncrypt); err != nil {
		return nil, err
	}
	n := uint64(len(plaintext))
	switch {
	case n == 0:
		return nil, nip44.ErrEmpty
	case n > a.limit:
		return nil, &nip44.SizeError{Size: n, Limit: a.limit}
	case !a.local && !utf8.Valid(plaintext):
		return nil, nip44.ErrUTF8
	}
	if _, err := keys.NewPublicKey(to[:]); err != nil {
		return nil, err
	}
	text, err := a.keyer.Encrypt(ctx, string(plaintext), to.String())
	if err != nil {
		if isDataError(err) {
			return nil, err
		}
		return nil, a.failed(ctx, OpEncrypt, err)
	}
	payload := []byte(text)
	if uint64(len(payload)) != nip44.EncryptedLen(n) || a.checkPayload(payload) != nil {
		return nil, &KeyerError{Op: OpEncrypt, cause: ErrAnswer}
	}
	return payload, nil
}

func (a *fromKeyer) Decrypt(ctx context.Context, payload []byte, from keys.PublicKey) ([]byte, error) {
	if err := a.begin(ctx, OpDecrypt); err != nil {
		return nil, err
	}
	if err := a.checkPayload(payload); err != nil {
		return nil, err
	}
	if _, err := keys.NewPublicKey(from[:]); err != nil {
		return nil, err
	}
	plaintext, err := a.keyer.Decrypt(ctx, string(payload), from.String())
	if err != nil {
		return nil, a.decryptError(ctx, err)
	}
	// The padding tells which plaintexts a payload of this length may hold. A
	// keyer that encrypted once more returns something longer.
	n := uint64(len(plaintext))
	if n == 0 || n > a.limit || nip44.EncryptedLen(n) != uint64(len(payload)) {
		return nil, &KeyerError{Op: OpDecrypt, cause: ErrAnswer}
	}
	return []byte(plaintext), nil
}

// checkPayload makes every test of a payload that takes no key.
func (a *fromKeyer) checkPayload(payload []byte) error {
	if err := nip44.CheckPayload(payload, &nip44.Options{MaxPlaintext: a.limit}); err != nil {
		return err
	}
	// go-nostr skips line breaks, as the standard library does, and ignores
	// spare bits.
	if bytes.ContainsAny(payload, "\r\n") {
		return nip44.ErrBase64
	}
	if _, err := base64.StdEncoding.Strict().AppendDecode(nil, payload); err != nil {
		return nip44.ErrBase64
	}
	return nil
}

// decryptError sorts what a keyer said about a payload that checkPayload
// accepts and a key that is on the curve.
func (a *fromKeyer) decryptError(ctx context.Context, err error) error {
	if isDataError(err) {
		return err
	}
	if a.local {
		switch err.Error() {
		case "invalid hmac":
			return nip44.ErrMAC
		case "invalid padding":
			return nip44.ErrPadding
		}
	}
	return a.failed(ctx, OpDecrypt, err)
}

// ToKeyer makes a [signer.Keyer], such as an identity, serve as a keyer of
// go-nostr. Errors are k's own, with their types; besides, there are those of
// [FromUnsigned] for an event that is not valid, [keys.ErrPublicKey] for a key
// that is no lower-case hexadecimal of a point, and [nip44.ErrUTF8] for a
// plaintext, given or received, that is not UTF-8, since go-nostr has it as a
// string.
//
// SignEvent sets PubKey, ID and Sig and nothing else; what ID and Sig held
// before is of no account. An event that names another author is refused
// ([event.ErrWrongKey]), where go-nostr's own keyers put their key in. An event
// that k returns and that does not verify gives [ErrAnswer].
func ToKeyer(k signer.Keyer) keyer.Keyer { return toKeyer{k} }

// toKeyer is a signer.Keyer as a go-nostr keyer.
type toKeyer struct{ keyer signer.Keyer }

func (a toKeyer) GetPublicKey(ctx context.Context) (string, error) {
	if a.keyer == nil {
		return "", ErrNilKeyer
	}
	pub, err := a.keyer.GetPublicKey(ctx)
	if err != nil {
		return "", err
	}
	return pub.String(), nil
}

func (a toKeyer) SignEvent(ctx context.Context, e *nostr.Event) error {
	if a.keyer == nil {
		return ErrNilKeyer
	}
	if e == nil {
		return event.ErrNil
	}
	template := *e
	template.ID, template.Sig = "", ""
	asked, err := FromUnsigned(&template)
	if err != nil {
		return err
	}
	answer := *asked
	answer.Tags = asked.Tags.Clone()
	if err := a.keyer.SignEvent(ctx, &answer); err != nil {
		return err
	}
	if asked.PubKey != (keys.PublicKey{}) && asked.PubKey != answer.PubKey {
		return event.ErrWrongKey
	}
	asked.PubKey, asked.ID, asked.Sig = answer.PubKey, answer.ID, answer.Sig
	if asked.Verify() != nil {
		return ErrAnswer
	}
	e.PubKey, e.ID, e.Sig = asked.PubKey.String(), asked.ID.String(), asked.Sig.String()
	return nil
}

func (a toKeyer) Encrypt(ctx context.Context, plaintext, recipient string) (string, error) {
	if a.keyer == nil {
		return "", ErrNilKeyer
	}
	to, err := keys.ParsePublicKey(recipient)
	if err != nil {
		return "", err
	}
	if !utf8.ValidString(plaintext) {
		return "", nip44.ErrUTF8
	}
	scratch := []byte(plaintext)
	defer clear(scratch)
	payload, err := a.keyer.Encrypt(ctx, scratch, to)
	if err != nil {
		return "", err
	}
	return string(payload), nil
}

func (a toKeyer) Decrypt(ctx context.Context, payload, sender string) (string, error) {
	if a.keyer == nil {
		return "", ErrNilKeyer
	}
	from, err := keys.ParsePublicKey(sender)
	if err != nil {
		return "", err
	}
	plaintext, err := a.keyer.Decrypt(ctx, []byte(payload), from)
	if err != nil {
		return "", err
	}
	defer clear(plaintext)
	if !utf8.Valid(plaintext) {
		return "", nip44.ErrUTF8
	}
	return string(plaintext), nil
}
