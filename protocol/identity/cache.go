package identity

import (
	"sync"

	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
)

const (
	maxWritten = 512  // peers encrypted to
	maxRead    = 512  // peers only decrypted from
	maxOnce    = 2048 // peers decrypted from once: public keys alone
)

// cache keeps the conversation keys of the peers that one talks with, and verifiers of
// their signatures.
//
// A peer is admitted when one encrypts to it, or when a second payload of its
// authenticates. The one-time keys of gift wraps, which authenticate once
// each, therefore never enter; a stranger who has several wraps authenticate
// under one key can push out none but other peers that were only read from,
// since those written to have places of their own.
type cache struct {
	mu      sync.Mutex
	written lru[*known]
	read    lru[*known]
	once    lru[struct{}]
}

// known is what is kept of a peer that was admitted, and leaves with it.
type known struct {
	ck       *nip44.ConversationKey
	verified bool             // an event of the peer was
	verifier *bip340.Verifier // nil until a second one was
}

// left is told of a peer that left.
func (k *known) left() { k.ck.Zero() }

// init sets the limits of an empty cache.
func (c *cache) init() {
	c.written = lru[*known]{limit: maxWritten, evicted: (*known).left}
	c.read = lru[*known]{limit: maxRead, evicted: (*known).left}
	c.once = lru[struct{}]{limit: maxOnce, evicted: func(struct{}) {}}
}

// get returns a copy of the peer's key, or nil.
func (c *cache) get(peer keys.PublicKey) *nip44.ConversationKey {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.written.get(peer)
	if !ok {
		k, ok = c.read.get(peer)
	}
	if !ok {
		return nil
	}
	return mustClone(k.ck)
}

// encrypted notes that ck encrypted to peer.
func (c *cache) encrypted(peer keys.PublicKey, ck *nip44.ConversationKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.written.get(peer); ok {
		return
	}
	c.once.remove(peer)
	k, ok := c.read.take(peer)
	if !ok {
		k = &known{ck: mustClone(ck)}
	}
	c.written.put(peer, k)
}

// decrypted notes that a payload of peer authenticated under ck.
func (c *cache) decrypted(peer keys.PublicKey, ck *nip44.ConversationKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.written.get(peer); ok {
		return
	}
	if _, ok := c.read.get(peer); ok {
		return
	}
	if _, ok := c.once.take(peer); !ok {
		c.once.put(peer, struct{}{})
		return
	}
	c.read.put(peer, &known{ck: mustClone(ck)})
}

// peek returns what is kept of a peer, or nil. Payloads alone decide who leaves next:
// peek changes nothing.
func (c *cache) peek(peer keys.PublicKey) *known {
	k, ok := c.written.peek(peer)
	if !ok {
		k, _ = c.read.peek(peer)
	}
	return k
}

// verifier returns the peer's verifier, or nil.
func (c *cache) verifier(peer keys.PublicKey) *bip340.Verifier {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.peek(peer); k != nil {
		return k.verifier
	}
	return nil
}

// verified notes that an event of peer was verified, and reports whether a verifier is
// to be made: of a peer that is known, not for its first event, which may stay the only
// one.
func (c *cache) verified(peer keys.PublicKey) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.peek(peer)
	if k == nil {
		return false
	}
	before := k.verified
	k.verified = true
	return before
}

// keepVerifier keeps the verifier of a peer that is still known.
func (c *cache) keepVerifier(v *bip340.Verifier) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.peek(v.PublicKey()); k != nil {
		k.verifier = v
	}
}

func (c *cache) forget(peer keys.PublicKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written.remove(peer)
	c.read.remove(peer)
	c.once.remove(peer)
}

// clear empties the cache.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written.clear()
	c.read.clear()
	c.once.clear()
}

// len returns how many conversation keys the cache holds.
func (c *cache) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.written.entries) + len(c.read.entries)
}

// mustClone copies a key that is known to be alive.
func mustClone(ck *nip44.ConversationKey) *nip44.ConversationKey {
	c, err := ck.Clone()
	if err != nil {
		panic(err)
	}
	return c
}
