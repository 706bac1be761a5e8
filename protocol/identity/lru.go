package identity

import (
	"container/list"

	"github.com/sealwright/sealwright/protocol/keys"
)

// lru maps public keys to values and holds at most limit of them: the one not
// used for the longest time goes first. Before the first put it costs nothing.
type lru[V any] struct {
	limit   int
	evicted func(V)                          // hears of every value that leaves
	entries map[keys.PublicKey]*list.Element // of entry[V]; nil before the first
	order   list.List                        // most recently used first
}

type entry[V any] struct {
	peer  keys.PublicKey
	value V
}

func (c *lru[V]) get(peer keys.PublicKey) (v V, ok bool) {
	if e, ok := c.entries[peer]; ok {
		c.order.MoveToFront(e)
	}
	return c.peek(peer)
}

// peek is get that leaves the order as it is.
func (c *lru[V]) peek(peer keys.PublicKey) (v V, ok bool) {
	e, ok := c.entries[peer]
	if !ok {
		return v, false
	}
	return e.Value.(entry[V]).value, true
}

// put adds a peer, in the place of what there was of it.
func (c *lru[V]) put(peer keys.PublicKey, v V) {
	c.remove(peer)
	if c.entries == nil {
		c.entries = make(map[keys.PublicKey]*list.Element)
	}
	c.entries[peer] = c.order.PushFront(entry[V]{peer, v})
	if c.order.Len() > c.limit {
		c.remove(c.order.Back().Value.(entry[V]).peer)
	}
}

func (c *lru[V]) remove(peer keys.PublicKey) {
	if v, ok := c.take(peer); ok {
		c.evicted(v)
	}
}

// take removes a peer and hands its value over, which evicted does not hear of.
func (c *lru[V]) take(peer keys.PublicKey) (v V, ok bool) {
	e, ok := c.entries[peer]
	if !ok {
		return v, false
	}
	delete(c.entries, peer)
	return c.order.Remove(e).(entry[V]).value, true
}

func (c *lru[V]) clear() {
	for c.order.Len() > 0 {
		c.remove(c.order.Back().Value.(entry[V]).peer)
	}
}
