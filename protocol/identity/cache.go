package identity

import (
	"sync"

	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
)

const (
	maxWritten   = 512  // peers encrypted to
	maxRead      = 512  // peers only decrypted from
	maxOnce      = 2048 // peers decrypted from once: public keys alone
	maxVerifiers = 512  // peers whose events were verified: 2 KB each
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
	written lru[*nip44.ConversationKey]
	read    lru[*nip44.ConversationKey]
	once    lru[struct{}]
	// Of peers written to or read when their event was verified.
	verifiers lru[*bip340.Verifier]
	closed    bool // no verifier enters any more
}

// init sets the limits of an empty cache.
func (c *cache) init() {
	c.written = lru[*nip44.ConversationKey]{limit: maxWritten, evicted: (*nip44.ConversationKey).Zero}
	c.read = lru[*nip44.ConversationKey]{limit: maxRead, evicted: (*nip44.ConversationKey).Zero}
	c.once = lru[struct{}]{limit: maxOnce, evicted: func(struct{}) {}}
	c.verifiers = lru[*bip340.Verifier]{limit: maxVerifiers, evicted: func(*bip340.Verifier) {}}
}

// get returns a copy of the peer's key, or nil.
func (c *cache) get(peer keys.PublicKey) *nip44.ConversationKey {
	c.mu.Lock()
	defer c.mu.Unlock()
	ck, ok := c.written.get(peer)
	if !ok {
		ck, ok = c.read.get(peer)
	}
	if !ok {
		return nil
	}
	return mustClone(ck)
}

// encrypted notes that ck encrypted to peer.
func (c *cache) encrypted(peer keys.PublicKey, ck *nip44.ConversationKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.written.get(peer); ok {
		return
	}
	c.once.remove(peer)
	known, ok := c.read.take(peer)
	if !ok {
		known = mustClone(ck)
	}
	c.written.put(peer, known)
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
	c.read.put(peer, mustClone(ck))
}

// verifier returns the peer's verifier or nil, and whether one is to be kept: of a peer
// whose conversation key is.
func (c *cache) verifier(peer keys.PublicKey) (v *bip340.Verifier, keep bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.verifiers.get(peer); ok {
		return v, false
	}
	// Nothing is verified yet: the order of who leaves next stays as it is.
	_, written := c.written.entries[peer]
	_, read := c.read.entries[peer]
	return nil, written || read
}

func (c *cache) keepVerifier(v *bip340.Verifier) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.verifiers.get(v.PublicKey()); !ok && !c.closed {
		c.verifiers.put(v.PublicKey(), v)
	}
}

func (c *cache) forget(peer keys.PublicKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written.remove(peer)
	c.read.remove(peer)
	c.once.remove(peer)
	c.verifiers.remove(peer)
}

// clear empties the cache for good.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written.clear()
	c.read.clear()
	c.once.clear()
	c.verifiers.clear()
	c.closed = true
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
