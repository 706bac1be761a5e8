package identity

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
)

var ctx = context.Background()

func newIdentity(t testing.TB) *Identity {
	t.Helper()
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	defer sk.Zero() // New copies
	id, err := New(sk)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Case 12: what one encrypts the other decrypts, nobody else does, and two
// encryptions differ.
func TestCipher(t *testing.T) {
	a, b, c := newIdentity(t), newIdentity(t), newIdentity(t)
	for _, peer := range []*Identity{b, a} { // case 7: to oneself too
		first, err := a.Encrypt(ctx, []byte("hello"), peer.PublicKey())
		if err != nil {
			t.Fatal(err)
		}
		second, err := a.Encrypt(ctx, []byte("hello"), peer.PublicKey())
		if err != nil {
			t.Fatal(err)
		}
		if string(first) == string(second) || string(first) == "hello" {
			t.Errorf("two encryptions: %s, %s", first, second)
		}
		if got, err := peer.Decrypt(ctx, first, a.PublicKey()); err != nil || string(got) != "hello" {
			t.Errorf("%q, %v", got, err)
		}
		if got, err := c.Decrypt(ctx, first, a.PublicKey()); !errors.Is(err, nip44.ErrMAC) || got != nil {
			t.Errorf("a third key: %q, %v", got, err)
		}
	}
	if _, err := a.Encrypt(ctx, nil, b.PublicKey()); !errors.Is(err, nip44.ErrEmpty) {
		t.Errorf("empty: %v", err)
	}
	if _, err := a.Encrypt(ctx, []byte("x"), keys.PublicKey{}); !errors.Is(err, keys.ErrPublicKey) {
		t.Errorf("no key: %v", err)
	}
	if _, err := a.Decrypt(ctx, []byte("#"), keys.PublicKey{}); !errors.Is(err, nip44.ErrVersion) {
		t.Errorf("a malformed payload is not told before a malformed key: %v", err)
	}
}

func TestSignEvent(t *testing.T) {
	id := newIdentity(t)
	e := &event.Event{Kind: 1, CreatedAt: 1700000000, Content: "hello"}
	if err := id.SignEvent(ctx, e); err != nil {
		t.Fatal(err)
	}
	if err := e.Verify(); err != nil || e.PubKey != id.PublicKey() {
		t.Errorf("%v", err)
	}
	if pub, err := id.GetPublicKey(ctx); err != nil || pub != id.PublicKey() {
		t.Errorf("%v, %v", pub, err)
	}
}

func TestBatches(t *testing.T) {
	a, b := newIdentity(t), newIdentity(t)
	items := make([]signer.Sealed, 20)
	for i := range items {
		items[i] = signer.Sealed{Peer: b.PublicKey(), Data: fmt.Append(nil, "message ", i)}
	}
	items[3].Data = nil
	items[4].Peer = keys.PublicKey{}
	sealed := a.EncryptAll(ctx, items)
	back := make([]signer.Sealed, len(sealed))
	for i, s := range sealed {
		want := map[int]error{3: nip44.ErrEmpty, 4: keys.ErrPublicKey}[i]
		if !errors.Is(s.Err, want) || (s.Err == nil) != (want == nil) {
			t.Errorf("item %d: %v, want %v", i, s.Err, want)
		}
		back[i] = signer.Sealed{Peer: a.PublicKey(), Data: s.Data}
	}
	for i, o := range b.DecryptAll(ctx, back) {
		if want := fmt.Sprint("message ", i); i != 3 && i != 4 && (o.Err != nil || string(o.Data) != want) {
			t.Errorf("item %d: %q, %v, want %q", i, o.Data, o.Err, want)
		}
	}
	// From and to many: groups of every size, of peers that are known, new, met twice in a
	// group, and no point, and payloads that are none.
	senders := make([]*Identity, 12)
	for i := range senders {
		senders[i] = newIdentity(t)
	}
	for n := range 40 {
		letters := make([]signer.Sealed, n)
		for i := range letters {
			from := senders[i*5%len(senders)]
			payload, err := from.Encrypt(ctx, fmt.Append(nil, "letter ", i), b.PublicKey())
			if err != nil {
				t.Fatal(err)
			}
			letters[i] = signer.Sealed{Peer: from.PublicKey(), Data: payload}
			switch i % 9 {
			case 3:
				letters[i].Peer = keys.PublicKey{}
			case 5:
				letters[i].Data = payload[1:]
			case 7:
				letters[i].Peer = senders[(i*5+1)%len(senders)].PublicKey()
			}
		}
		for i, o := range b.DecryptAll(ctx, letters) {
			alone, err := b.Decrypt(ctx, letters[i].Data, letters[i].Peer)
			if want := fmt.Sprint("letter ", i); err == nil && string(o.Data) != want || string(o.Data) != string(alone) || fmt.Sprint(o.Err) != fmt.Sprint(err) {
				t.Errorf("%d of %d: %q, %v, alone %q, %v", i, n, o.Data, o.Err, alone, err)
			}
			if (err == nil) != (i%9 != 3 && i%9 != 5 && i%9 != 7) {
				t.Errorf("%d of %d: %v", i, n, err)
			}
		}
	}

	ended, cancel := context.WithCancel(ctx)
	cancel()
	for _, o := range a.EncryptAll(ended, items) {
		if !errors.Is(o.Err, context.Canceled) {
			t.Errorf("after cancel: %v", o.Err)
		}
	}
}

// Case 16, and the rules of admission: on Encrypt, or on the second payload
// that authenticates.
func TestCacheAdmission(t *testing.T) {
	me, peer := newIdentity(t), newIdentity(t)
	receive := func(from *Identity) {
		t.Helper()
		payload, err := from.Encrypt(ctx, []byte("x"), me.PublicKey())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := me.Decrypt(ctx, payload, from.PublicKey()); err != nil {
			t.Fatal(err)
		}
	}
	held := func(want int) {
		t.Helper()
		if got := me.state().cache.len(); got != want {
			t.Errorf("%d conversation keys are kept, want %d", got, want)
		}
	}
	receive(peer)
	held(0)
	if _, err := me.ConversationKey(peer.PublicKey()); err != nil {
		t.Fatal(err)
	}
	held(0)
	receive(peer)
	held(1)
	receive(peer)
	held(1)
	other := newIdentity(t)
	if _, err := me.Encrypt(ctx, []byte("x"), other.PublicKey()); err != nil {
		t.Fatal(err)
	}
	held(2)
	if _, err := me.Encrypt(ctx, []byte("x"), peer.PublicKey()); err != nil { // from read to written
		t.Fatal(err)
	}
	held(2)

	// A payload that does not authenticate is no acquaintance.
	stranger := newIdentity(t)
	payload, err := stranger.Encrypt(ctx, []byte("x"), other.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := me.Decrypt(ctx, payload, stranger.PublicKey()); !errors.Is(err, nip44.ErrMAC) {
			t.Fatal(err)
		}
	}
	held(2)

	me.Forget(peer.PublicKey())
	held(1)
	receive(peer)
	held(1)

	// A copy is the caller's: wiping it leaves the cache as it is.
	ck, err := me.ConversationKey(other.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	ck.Zero()
	if _, err := me.Encrypt(ctx, []byte("x"), other.PublicKey()); err != nil {
		t.Errorf("the cache handed out its own memory: %v", err)
	}
}

// Events of strangers and of peers, good and spoiled: VerifyEvent says what Verify says,
// and keeps a verifier of whom it knows until that peer is forgotten or pushed out.
func TestVerifyEvent(t *testing.T) {
	me, peer := newIdentity(t), newIdentity(t)
	e := &event.Event{Kind: 1, CreatedAt: 1700000000, Content: "x"}
	if err := peer.SignEvent(ctx, e); err != nil {
		t.Fatal(err)
	}
	spoiled := map[string]func(*event.Event){
		"nothing":   func(*event.Event) {},
		"signature": func(e *event.Event) { e.Sig[40] ^= 1 },
		"nonce":     func(e *event.Event) { e.Sig[3] ^= 1 },
		"id":        func(e *event.Event) { e.ID[5] ^= 1 },
		"content":   func(e *event.Event) { e.Content = "y" },
		"kind":      func(e *event.Event) { e.Kind = -1 },
		"author":    func(e *event.Event) { e.PubKey = me.PublicKey(); e.ID = e.ComputeID() },
		"no key":    func(e *event.Event) { e.PubKey = keys.PublicKey{}; e.ID = e.ComputeID() },
	}
	judge := func(id *Identity, kept int) {
		t.Helper()
		for name, spoil := range spoiled {
			bad := *e
			spoil(&bad)
			want, got := bad.Verify(), id.VerifyEvent(&bad)
			if (want == nil) != (name == "nothing") || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
		if got := verifiers(&id.state().cache); got != kept {
			t.Errorf("%d verifiers are kept, want %d", got, kept)
		}
	}
	judge(me, 0)
	if _, err := me.Encrypt(ctx, []byte("x"), peer.PublicKey()); err != nil {
		t.Fatal(err)
	}
	// What does not verify makes none, of a peer that is known either.
	for name, spoil := range spoiled {
		bad := *e
		if spoil(&bad); name != "nothing" && me.VerifyEvent(&bad) == nil {
			t.Errorf("%s: verifies", name)
		}
	}
	if got := verifiers(&me.state().cache); got != 0 {
		t.Errorf("%d verifiers are kept of events that do not verify", got)
	}
	judge(me, 0) // the first that verifies
	judge(me, 1)
	judge(me, 1)
	me.Forget(peer.PublicKey())
	judge(me, 0)
	// From several goroutines at once.
	if _, err := me.Encrypt(ctx, []byte("x"), peer.PublicKey()); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := me.VerifyEvent(e); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	judge(me, 1)
	if err := me.Close(); err != nil {
		t.Fatal(err)
	}
	judge(me, 0)
	// One that was being verified meanwhile is not kept.
	v, err := bip340.NewVerifier(peer.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	me.state().cache.keepVerifier(v)
	judge(me, 0)
	if err := me.VerifyEvent(nil); !errors.Is(err, event.ErrNil) {
		t.Errorf("no event: %v", err)
	}
	if err := (*Identity)(nil).VerifyEvent(e); err != nil {
		t.Errorf("no identity: %v", err)
	}
}

// A peer that one only read from twice is known too.
func TestVerifyEventRead(t *testing.T) {
	me, peer := newIdentity(t), newIdentity(t)
	e := &event.Event{Kind: 1, CreatedAt: 1700000000, Content: "x"}
	if err := peer.SignEvent(ctx, e); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 0, 1} {
		payload, err := peer.Encrypt(ctx, []byte("x"), me.PublicKey())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := me.Decrypt(ctx, payload, peer.PublicKey()); err != nil {
			t.Fatal(err)
		}
		if err := me.VerifyEvent(e); err != nil {
			t.Fatal(err)
		}
		if got := verifiers(&me.state().cache); got != want {
			t.Errorf("after %d payloads: %d verifiers are kept, want %d", i+1, got, want)
		}
	}
	// The verifier stays when one writes to the peer.
	if _, err := me.Encrypt(ctx, []byte("x"), peer.PublicKey()); err != nil {
		t.Fatal(err)
	}
	if got := verifiers(&me.state().cache); got != 1 || len(me.state().cache.written.entries) != 1 {
		t.Errorf("%d verifiers are kept of a peer that is written to", got)
	}
}

// verifiers counts those that a cache keeps.
func verifiers(c *cache) (n int) {
	for _, l := range []*lru[*known]{&c.written, &c.read} {
		for _, e := range l.entries {
			if e.Value.(entry[*known]).value.verifier != nil {
				n++
			}
		}
	}
	return n
}

// Whoever is known has a verifier: 1,024 peers in turn each find their own, and a
// verification does not change who leaves next.
func TestVerifiersOfAll(t *testing.T) {
	me := newIdentity(t)
	c := &me.state().cache
	events := make([]event.Event, maxWritten+maxRead)
	for i := range events {
		sk, err := keys.GenerateSecretKey()
		if err != nil {
			t.Fatal(err)
		}
		events[i] = event.Event{Kind: 1, CreatedAt: 1700000000, Content: "x"}
		if err := events[i].Sign(sk); err != nil {
			t.Fatal(err)
		}
		ck, err := nip44.NewConversationKey(make([]byte, 32))
		if err != nil {
			t.Fatal(err)
		}
		if i < maxWritten {
			c.encrypted(sk.PublicKey(), ck)
		} else {
			c.decrypted(sk.PublicKey(), ck)
			c.decrypted(sk.PublicKey(), ck)
		}
	}
	all := func() {
		t.Helper()
		for i := range events {
			if err := me.VerifyEvent(&events[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	oldestWritten, oldestRead := c.written.order.Back(), c.read.order.Back()
	all()
	if got := verifiers(c); got != 0 {
		t.Errorf("%d verifiers after one event of each peer", got)
	}
	all()
	if got := verifiers(c); got != 1024 {
		t.Errorf("%d verifiers after two events of each of 1,024 peers", got)
	}
	before := make([]*bip340.Verifier, len(events))
	for i := range events {
		if before[i] = c.verifier(events[i].PubKey); before[i].PublicKey() != events[i].PubKey {
			t.Fatalf("peer %d has the verifier of another", i)
		}
	}
	all()
	for i := range events {
		if c.verifier(events[i].PubKey) != before[i] {
			t.Fatalf("the verifier of peer %d was made again", i)
		}
	}
	for _, i := range []int{0, maxWritten} { // the oldest of both, which are the newest now if that counts
		if err := me.VerifyEvent(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	if c.written.order.Back() != oldestWritten || c.read.order.Back() != oldestRead {
		t.Error("a verification changed who leaves next")
	}
	// It leaves with its peer.
	stranger := newIdentity(t)
	if _, err := me.Encrypt(ctx, []byte("x"), stranger.PublicKey()); err != nil {
		t.Fatal(err)
	}
	if got := verifiers(c); got != 1023 || c.verifier(events[0].PubKey) != nil {
		t.Errorf("%d verifiers when one of 1,024 peers has left", got)
	}
	if err := me.Close(); err != nil {
		t.Fatal(err)
	}
	if got := verifiers(c); got != 0 {
		t.Errorf("%d verifiers after Close", got)
	}
}

// What a full cache takes; SECURITY.md tells it.
func TestCacheMemory(t *testing.T) {
	before := testkit.Heap()
	var c cache
	c.init()
	for i := range maxWritten + maxRead + maxOnce {
		pub := keys.PublicKey{byte(i), byte(i >> 8)}
		ck, err := nip44.NewConversationKey(make([]byte, 32))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case i < maxWritten:
			c.encrypted(pub, ck)
		case i < maxWritten+maxRead:
			c.decrypted(pub, ck)
			c.decrypted(pub, ck)
		default:
			c.decrypted(pub, ck)
		}
		if k := c.peek(pub); k != nil {
			k.verifier = new(bip340.Verifier)
		}
	}
	took := int64(testkit.Heap() - before)
	if n := verifiers(&c); n != 1024 || len(c.once.entries) != 2048 {
		t.Fatalf("%d verifiers, %d public keys", n, len(c.once.entries))
	}
	t.Logf("%d KB", took>>10)
	if took > 4<<20 {
		t.Errorf("a full cache takes %d bytes", took)
	}
}

// One-time keys pass the cache by, hostile repetition fills its own part alone,
// and every part stays within its bound and wipes what leaves.
func TestCacheBounds(t *testing.T) {
	var c cache
	c.init()
	key := func(i int) (pub keys.PublicKey, ck *nip44.ConversationKey) {
		pub[0], pub[1], pub[2], pub[3] = byte(i), byte(i>>8), byte(i>>16), 1
		ck, err := nip44.NewConversationKey(pub[:])
		if err != nil {
			t.Fatal(err)
		}
		return pub, ck
	}
	for i := range 50 {
		c.encrypted(key(i))
	}
	for i := 1000; i < 11000; i++ { // ten thousand wraps
		c.decrypted(key(i))
	}
	if got := c.len(); got != 50 {
		t.Errorf("%d conversation keys are kept, want 50", got)
	}
	if got := len(c.once.entries); got != maxOnce {
		t.Errorf("%d peers are remembered, want %d", got, maxOnce)
	}
	for i := 20000; i < 23000; i++ { // strangers who repeat themselves
		pub, ck := key(i)
		c.decrypted(pub, ck)
		c.decrypted(pub, ck)
	}
	if got := c.len(); got != 50+maxRead {
		t.Errorf("%d conversation keys are kept, want %d", got, 50+maxRead)
	}
	for i := range 50 {
		pub, _ := key(i)
		if c.get(pub) == nil {
			t.Errorf("peer %d was pushed out", i)
		}
	}
	first, _ := key(0)
	held, _ := c.written.get(first)
	for i := 30000; i < 30000+maxWritten; i++ {
		c.encrypted(key(i))
	}
	if got := len(c.written.entries); got != maxWritten {
		t.Errorf("%d peers written to, want %d", got, maxWritten)
	}
	if !errors.Is(held.ck.Err(), nip44.ErrDestroyed) {
		t.Error("a key that left the cache was not wiped")
	}
	c.clear()
	if c.len() != 0 || len(c.once.entries) != 0 {
		t.Error("clear leaves something")
	}
}

// Who was used last stays, and who is forgotten is a stranger again.
func TestCacheOrder(t *testing.T) {
	peer := func(i byte) keys.PublicKey { return keys.PublicKey{i} }
	var left []int
	c := lru[int]{limit: 3, evicted: func(v int) { left = append(left, v) }}
	for i := range 3 {
		c.put(peer(byte(i)), i)
	}
	c.get(peer(0))
	c.put(peer(3), 3)
	c.get(peer(2))
	c.put(peer(4), 4)
	if !slices.Equal(left, []int{1, 0}) {
		t.Errorf("%v left, want 1, then 0", left)
	}
	// A peer that is there leaves first: nothing is in the order that is not an entry.
	c.put(peer(2), 5)
	if v, _ := c.get(peer(2)); v != 5 || !slices.Equal(left, []int{1, 0, 2}) || c.order.Len() != 3 || len(c.entries) != 3 {
		t.Errorf("%d after it was put again; %v left, %d in order, %d entries", v, left, c.order.Len(), len(c.entries))
	}

	id, other := newIdentity(t), newIdentity(t)
	payload, err := other.Encrypt(ctx, []byte("x"), id.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := id.Decrypt(ctx, payload, other.PublicKey()); err != nil {
			t.Fatal(err)
		}
		if got := id.state().cache.len(); got != 0 {
			t.Errorf("%d conversation keys are kept of a peer forgotten after each payload", got)
		}
		id.Forget(other.PublicKey())
	}
}

// Whatever uses a peer's key makes it the last to leave; what asks for a verifier does
// not. The limits are those of Identity's comment.
func TestCacheRecency(t *testing.T) {
	key := func(i int) (pub keys.PublicKey, ck *nip44.ConversationKey) {
		pub[0], pub[1], pub[2] = byte(i), byte(i>>8), 1
		ck, err := nip44.NewConversationKey(pub[:])
		if err != nil {
			t.Fatal(err)
		}
		return pub, ck
	}
	write := func(c *cache, i int) { c.encrypted(key(i)) }
	read := func(c *cache, i int) { c.decrypted(key(i)) }
	readTwice := func(c *cache, i int) { read(c, i); read(c, i) }
	ask := func(f func(c *cache, peer keys.PublicKey)) func(*cache, int) {
		return func(c *cache, i int) {
			peer, _ := key(i)
			f(c, peer)
		}
	}
	get := ask(func(c *cache, peer keys.PublicKey) { c.get(peer) })
	verifier := ask(func(c *cache, peer keys.PublicKey) { c.verifier(peer) })
	verified := ask(func(c *cache, peer keys.PublicKey) { c.verified(peer) })
	for _, test := range []struct {
		name  string
		admit func(c *cache, i int)
		use   func(c *cache, i int)
		stays bool
	}{
		{"written, get", write, get, true},
		{"written, encrypted to", write, write, true},
		{"written, decrypted from", write, read, true},
		{"written, verifier", write, verifier, false},
		{"written, verified", write, verified, false},
		{"read, get", readTwice, get, true},
		{"read, decrypted from", readTwice, read, true},
		{"read, verifier", readTwice, verifier, false},
		{"read, verified", readTwice, verified, false},
	} {
		var c cache
		c.init()
		for i := range 512 {
			test.admit(&c, i)
		}
		if got := c.len(); got != 512 {
			t.Errorf("%s: %d peers are kept of 512", test.name, got)
		}
		test.use(&c, 0)
		test.admit(&c, 512)
		kept := func(i int) bool {
			peer, _ := key(i)
			return c.peek(peer) != nil
		}
		if c.len() != 512 || kept(0) != test.stays || kept(1) == test.stays || !kept(2) || !kept(512) {
			t.Errorf("%s: of %d peers, the first is kept: %v; the second: %v; the newest: %v", test.name, c.len(), kept(0), kept(1), kept(512))
		}
	}

	// Of 2,049 peers decrypted from once, the first is a stranger again, the second is not.
	var c cache
	c.init()
	for i := range 2049 {
		read(&c, i)
	}
	read(&c, 1)
	if got, once := c.len(), len(c.once.entries); got != 1 || once != 2047 {
		t.Errorf("%d peers are kept, and %d remembered, when the second of 2,049 has come again", got, once)
	}
	read(&c, 0)
	if got := c.len(); got != 1 {
		t.Errorf("%d peers are kept when the first of 2,049 has come again", got)
	}
}

func TestClose(t *testing.T) {
	id, peer := newIdentity(t), newIdentity(t)
	if _, err := id.Encrypt(ctx, []byte("x"), peer.PublicKey()); err != nil {
		t.Fatal(err)
	}
	pub := id.PublicKey()
	sk := id.state().sk
	cached, _ := id.state().cache.written.get(peer.PublicKey())
	if err := id.Close(); err != nil {
		t.Fatal(err)
	}
	if sk.Err() == nil || cached.ck.Err() == nil || id.state().cache.len() != 0 {
		t.Error("Close left a secret")
	}
	if id.PublicKey() != pub {
		t.Error("the public key changed")
	}
	for name, id := range map[string]*Identity{"closed": id, "nil": nil, "zero value": {}} {
		_, err1 := id.GetPublicKey(ctx)
		err2 := id.SignEvent(ctx, &event.Event{})
		_, err3 := id.Encrypt(ctx, []byte("x"), peer.PublicKey())
		_, err4 := id.Decrypt(ctx, []byte("x"), peer.PublicKey())
		_, err5 := id.ConversationKey(peer.PublicKey())
		err6 := id.EncryptAll(ctx, make([]signer.Sealed, 1))[0].Err
		err7 := id.DecryptAll(ctx, make([]signer.Sealed, 1))[0].Err
		for i, err := range []error{err1, err2, err3, err4, err5, err6, err7, id.Close()} {
			if !errors.Is(err, ErrClosed) {
				t.Errorf("%s, call %d: %v", name, i+1, err)
			}
		}
		id.Forget(peer.PublicKey())
	}
}

// Close waits for every method that uses the key: a call that has begun ends
// well. The call is stopped halfway, where it asks the cache or the generator.
func TestCloseWaits(t *testing.T) {
	for name, call := range map[string]func(id *Identity, peer keys.PublicKey, payload []byte) error{
		"Encrypt": func(id *Identity, peer keys.PublicKey, _ []byte) error {
			_, err := id.Encrypt(ctx, []byte("x"), peer)
			return err
		},
		"Decrypt": func(id *Identity, peer keys.PublicKey, payload []byte) error {
			_, err := id.Decrypt(ctx, payload, peer)
			return err
		},
		"SignEvent": func(id *Identity, _ keys.PublicKey, _ []byte) error {
			return id.SignEvent(ctx, &event.Event{Kind: 1, Content: "x"})
		},
		"EncryptAll": func(id *Identity, peer keys.PublicKey, _ []byte) error {
			return id.EncryptAll(ctx, []signer.Sealed{{Peer: peer, Data: []byte("x")}})[0].Err
		},
		"DecryptAll": func(id *Identity, peer keys.PublicKey, payload []byte) error {
			return id.DecryptAll(ctx, []signer.Sealed{{Peer: peer, Data: payload}})[0].Err
		},
		"ConversationKey": func(id *Identity, peer keys.PublicKey, _ []byte) error {
			_, err := id.ConversationKey(peer)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			id, peer := newIdentity(t), newIdentity(t)
			payload, err := peer.Encrypt(ctx, []byte("x"), id.PublicKey())
			if err != nil {
				t.Fatal(err)
			}
			s := id.state()
			sk := s.sk
			system := rand.Reader
			t.Cleanup(func() { rand.Reader = system })
			release := sync.OnceFunc(stop(s))
			defer release()

			called := make(chan error, 1)
			go func() { called <- call(id, peer.PublicKey(), payload) }()
			// Often enough that it is no call on its way to unlocking.
			for begun, tries := 0, 0; begun < 10; tries++ {
				if s.mu.TryLock() {
					s.mu.Unlock()
					begun = 0
				} else {
					begun++
				}
				if tries == 2000 {
					t.Fatal("the call does not hold the key")
				}
				time.Sleep(time.Millisecond)
			}

			closed := make(chan error, 1)
			go func() { closed <- id.Close() }()
			for len(closed) == 0 && s.mu.TryRLock() { // until Close has asked for the lock
				s.mu.RUnlock()
				time.Sleep(time.Millisecond)
			}
			time.Sleep(5 * time.Millisecond)
			if sk.Err() != nil || len(closed) > 0 {
				t.Error("Close did not wait")
			}
			release()
			if err := <-called; err != nil {
				t.Errorf("the call: %v", err)
			}
			if err := <-closed; err != nil || sk.Err() == nil {
				t.Errorf("Close: %v, the key: %v", err, sk.Err())
			}
		})
	}
}

// stop halts every call that asks for a conversation key or for randomness until
// the function it returns is called.
func stop(s *state) (release func()) {
	system, gate := rand.Reader, make(chan struct{})
	rand.Reader = readerFunc(func(b []byte) (int, error) {
		<-gate
		return system.Read(b)
	})
	s.cache.mu.Lock()
	return func() {
		close(gate)
		s.cache.mu.Unlock()
	}
}

type readerFunc func(b []byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// A batch looks at its context before each item: what is begun is finished, the
// rest gets the context's error.
func TestBatchContext(t *testing.T) {
	a, b := newIdentity(t), newIdentity(t)
	items := make([]signer.Sealed, 100)
	for i := range items {
		items[i] = signer.Sealed{Peer: b.PublicKey(), Data: []byte("x")}
	}
	sealed := a.EncryptAll(ctx, items)
	for i := range items {
		items[i].Data = sealed[i].Data
	}
	for name, call := range map[string]func(context.Context, []signer.Sealed) []signer.Opened{"EncryptAll": a.EncryptAll, "DecryptAll": a.DecryptAll} {
		ending := &endingContext{Context: ctx}
		ending.left.Store(1 + 7) // once for the call, then for seven items
		done := 0
		for i, r := range call(ending, items) {
			switch {
			case r.Err == nil && r.Data != nil:
				done++
			case !errors.Is(r.Err, context.Canceled) || r.Data != nil:
				t.Errorf("%s, item %d: %v", name, i, r.Err)
			}
		}
		if done != 7 {
			t.Errorf("%s: %d items were done, want 7", name, done)
		}
	}
}

// endingContext ends when it has been asked for its error so many times.
type endingContext struct {
	context.Context
	left atomic.Int64
}

func (c *endingContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestRedacted(t *testing.T) {
	id := newIdentity(t)
	for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%s", "%q"} {
		for _, v := range []any{id, *id} {
			if got := fmt.Sprintf(verb, v); got != "<redacted>" {
				t.Errorf("%s of %T: %s", verb, v, got)
			}
		}
	}
}
