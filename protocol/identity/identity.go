// Package identity holds a key that lives in this process. An [Identity] is
// imported once per login; it signs, encrypts and decrypts, and keeps the
// conversation keys of the peers it talks with, so that only the first message
// to a peer pays for the curve.
//
// It implements [signer.Keyer] and [signer.BatchCipher], through which packages
// nip59 and nip17 use it as they use a remote signer.
package identity

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/internal/parallel"
	"github.com/sealwright/sealwright/protocol/internal/secret"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
)

// ErrClosed tells that the identity was closed, or never made with [New].
var ErrClosed = errors.New("identity: closed")

var (
	_ signer.Keyer       = (*Identity)(nil)
	_ signer.BatchCipher = (*Identity)(nil)
)

// limit is what Identity lets through: the format's own limit. The memory of a
// call is in proportion to the payload in hand, and a caller that wants less
// (package nip59 does) tests the length before the call.
var limit = nip44.Options{MaxPlaintext: nip44.MaxPlaintext}

// Identity is a secret key with what follows from it. Several goroutines may
// use it at once, and Close it beside running calls. It prints as <redacted>.
//
// It keeps a conversation key and a verifier for at most 512 peers that were written to
// and 512 that were only read from, and the public keys of 2,048 more: 3 MB in all, most
// of it verifiers.
type Identity struct {
	secret.Redacted
	box secret.Box[state]
}

// state returns nil for an Identity that New did not make.
func (id *Identity) state() *state {
	if id == nil {
		return nil
	}
	return id.box.Get()
}

type state struct {
	pub keys.PublicKey

	// mu is held for reading while a call uses sk, and for writing to wipe it.
	mu    sync.RWMutex
	sk    *keys.SecretKey // nil once closed
	cache cache
}

// New copies the key, which the caller may wipe. The error is
// [keys.ErrDestroyed].
func New(sk *keys.SecretKey) (*Identity, error) {
	sk, err := sk.Clone()
	if err != nil {
		return nil, err
	}
	s := &state{pub: sk.PublicKey(), sk: sk}
	s.cache.init()
	return &Identity{box: secret.NewBox(s)}, nil
}

// PublicKey returns the public key, also after Close. It panics for an
// Identity that New did not make.
func (id *Identity) PublicKey() keys.PublicKey {
	s := id.state()
	if s == nil {
		panic(ErrClosed)
	}
	return s.pub
}

// GetPublicKey implements [signer.Signer] and [signer.Cipher].
func (id *Identity) GetPublicKey(ctx context.Context) (keys.PublicKey, error) {
	s, err := id.begin(ctx)
	if err != nil {
		return keys.PublicKey{}, err
	}
	defer s.mu.RUnlock()
	return s.pub, nil
}

// begin admits a call, unless its context has ended or the identity is closed.
// Close waits until the call unlocks mu for reading.
func (id *Identity) begin(ctx context.Context) (*state, error) {
	s := id.state()
	if s == nil {
		return nil, ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	if s.sk == nil {
		s.mu.RUnlock()
		return nil, ErrClosed
	}
	return s, nil
}

// SignEvent implements [signer.Signer]; see [event.Event.Sign].
func (id *Identity) SignEvent(ctx context.Context, e *event.Event) error {
	s, err := id.begin(ctx)
	if err != nil {
		return err
	}
	defer s.mu.RUnlock()
	return e.Sign(s.sk)
}

// VerifyEvent is [event.Event.Verify], in about two thirds of the time once two events
// of the same author have verified: of a peer whose conversation key is kept it keeps a
// [bip340.Verifier] then, for as long as the conversation key. What does not verify costs
// no more than in Verify, and changes nothing; where a verifier is kept, a forgery is
// refused sooner as well. It takes no secret, and works after Close too.
func (id *Identity) VerifyEvent(e *event.Event) error {
	s := id.state()
	if s == nil || e == nil {
		return e.Verify()
	}
	if v := s.cache.verifier(e.PubKey); v != nil {
		return e.VerifyBy(v)
	}
	if err := e.Verify(); err != nil {
		return err
	}
	if s.cache.verified(e.PubKey) {
		if v, err := bip340.NewVerifier(e.PubKey); err == nil {
			s.cache.keepVerifier(v)
		}
	}
	return nil
}

// Encrypt implements [signer.Cipher]. The errors are those of
// [nip44.ConversationKey.AppendEncrypt], [keys.ErrPublicKey], [ErrClosed] and
// the context's.
func (id *Identity) Encrypt(ctx context.Context, plaintext []byte, to keys.PublicKey) ([]byte, error) {
	return id.one(ctx, plaintext, to, encryption)
}

// Decrypt implements [signer.Cipher]. The errors are those of
// [nip44.ConversationKey.AppendDecrypt], [keys.ErrPublicKey], [ErrClosed] and
// the context's. It has no limit on the size but the format's.
func (id *Identity) Decrypt(ctx context.Context, payload []byte, from keys.PublicKey) ([]byte, error) {
	return id.one(ctx, payload, from, decryption)
}

// EncryptAll implements [signer.BatchCipher] on all processors, each of which derives the
// conversation keys of several peers together. Items not begun when the context ends get
// its error.
func (id *Identity) EncryptAll(ctx context.Context, items []signer.Sealed) []signer.Opened {
	return id.all(ctx, items, encryption)
}

// DecryptAll implements [signer.BatchCipher] as EncryptAll does.
func (id *Identity) DecryptAll(ctx context.Context, items []signer.Sealed) []signer.Opened {
	return id.all(ctx, items, decryption)
}

// operation is one of the two.
type operation struct {
	// check is made before a derivation is spent on the data.
	check func(data []byte) error
	run   func(c *cache, ck *nip44.ConversationKey, data []byte, peer keys.PublicKey) ([]byte, error)
}

var encryption = operation{
	check: func([]byte) error { return nil },
	run: func(c *cache, ck *nip44.ConversationKey, plaintext []byte, to keys.PublicKey) ([]byte, error) {
		payload, err := ck.AppendEncrypt(nil, plaintext, &limit)
		if err != nil {
			return nil, err
		}
		c.encrypted(to, ck)
		return payload, nil
	},
}

var decryption = operation{
	check: func(payload []byte) error { return nip44.CheckPayload(payload, &limit) },
	run: func(c *cache, ck *nip44.ConversationKey, payload []byte, from keys.PublicKey) ([]byte, error) {
		plaintext, err := ck.AppendDecrypt(nil, payload, &limit)
		if err != nil {
			return nil, err
		}
		c.decrypted(from, ck)
		return plaintext, nil
	},
}

func (id *Identity) one(ctx context.Context, data []byte, peer keys.PublicKey, op operation) ([]byte, error) {
	s, err := id.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()
	if err := op.check(data); err != nil {
		return nil, err
	}
	ck, err := s.conversationKey(peer)
	if err != nil {
		return nil, err
	}
	defer ck.Zero()
	return op.run(&s.cache, ck, data, peer)
}

// group is how many items of a batch a processor takes at a time, if there are as many for
// each: whose keys are derived together.
const group = 8

func (id *Identity) all(ctx context.Context, items []signer.Sealed, op operation) []signer.Opened {
	results := make([]signer.Opened, len(items))
	s, err := id.begin(ctx)
	if err != nil {
		for i := range results {
			results[i].Err = err
		}
		return results
	}
	defer s.mu.RUnlock()
	workers := runtime.GOMAXPROCS(0)
	n := max(1, min(group, (len(items)+workers-1)/workers))
	parallel.Each((len(items)+n-1)/n, workers, nil, func(i int) {
		from, to := i*n, min((i+1)*n, len(items))
		s.some(ctx, items[from:to], results[from:to], op)
	})
	return results
}

// some fills the results of a group.
func (s *state) some(ctx context.Context, items []signer.Sealed, results []signer.Opened, op operation) {
	peers := make([]keys.PublicKey, 0, group)
	for i := range items {
		r := &results[i]
		if r.Err = ctx.Err(); r.Err == nil {
			r.Err = op.check(items[i].Data)
		}
		if r.Err == nil && !slices.Contains(peers, items[i].Peer) {
			peers = append(peers, items[i].Peer)
		}
	}
	cks := s.conversationKeys(peers)
	for i := range items {
		r := &results[i]
		if r.Err != nil {
			continue
		}
		ck := cks[slices.Index(peers, items[i].Peer)]
		if ck == nil {
			r.Err = keys.ErrPublicKey
			continue
		}
		r.Data, r.Err = op.run(&s.cache, ck, items[i].Data, items[i].Peer)
	}
	for _, ck := range cks {
		ck.Zero()
	}
}

// conversationKey returns a copy from the cache, or derives the key.
func (s *state) conversationKey(peer keys.PublicKey) (*nip44.ConversationKey, error) {
	if ck := s.cache.get(peer); ck != nil {
		return ck, nil
	}
	return nip44.DeriveConversationKey(s.sk, peer)
}

// conversationKeys is conversationKey of many peers. The key of one that is not on the
// curve is nil.
func (s *state) conversationKeys(peers []keys.PublicKey) []*nip44.ConversationKey {
	cks := make([]*nip44.ConversationKey, len(peers))
	var missing []keys.PublicKey
	for i, peer := range peers {
		if cks[i] = s.cache.get(peer); cks[i] == nil {
			missing = append(missing, peer)
		}
	}
	// The identity is open, and its key is not wiped before the call ends.
	derived, _ := nip44.DeriveConversationKeys(s.sk, missing)
	for i := range cks {
		if cks[i] == nil {
			cks[i], derived = derived[0], derived[1:]
		}
	}
	return cks
}

// ConversationKey returns a copy of the key shared with peer, which is the
// caller's to wipe. It does not admit the peer to the cache. The error is
// [keys.ErrPublicKey] or [ErrClosed].
func (id *Identity) ConversationKey(peer keys.PublicKey) (*nip44.ConversationKey, error) {
	s, err := id.begin(context.Background())
	if err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()
	return s.conversationKey(peer)
}

// Forget drops what is kept of peer and wipes its conversation key. A call that
// is under way with peer may keep it anew when it ends; the caller waits for it
// first where that matters.
func (id *Identity) Forget(peer keys.PublicKey) {
	if s := id.state(); s != nil {
		s.cache.forget(peer)
	}
}

// Close waits for running calls, then wipes the key and the cache. Calls that
// come later return [ErrClosed], and so does a second Close.
func (id *Identity) Close() error {
	s := id.state()
	if s == nil {
		return ErrClosed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sk == nil {
		return ErrClosed
	}
	s.sk.Zero()
	s.sk = nil
	s.cache.clear()
	return nil
}
