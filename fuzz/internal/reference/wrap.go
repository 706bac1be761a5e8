package reference

import (
	"encoding/hex"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
)

// PublicKey returns the x-only key of a secret, which is in range.
func PublicKey(sk [32]byte) [32]byte {
	_, pub := btcec.PrivKeyFromBytes(sk[:])
	return [32]byte(schnorr.SerializePubKey(pub))
}

// Signed returns a whole event, signed by sk with btcec.
func Signed(sk [32]byte, kind int, createdAt int64, tags [][]string, content string) *Event {
	e := &Event{PubKey: PublicKey(sk), Kind: kind, CreatedAt: createdAt, Tags: tags, Content: content, Has: map[string]bool{}}
	for _, name := range fieldNames {
		e.Has[name] = true
	}
	e.ID = e.ComputeID()
	e.Sign(sk)
	return e
}

// Sign signs the id as it is.
func (e *Event) Sign(sk [32]byte) {
	key, _ := btcec.PrivKeyFromBytes(sk[:])
	sig, err := schnorr.Sign(key, e.ID[:])
	if err != nil {
		panic(err) // a key in range signs
	}
	e.Sig = [64]byte(sig.Serialize())
}

// Unwrap opens a gift wrap as NIP-59 and NIP-17 say: a wrap of kind 1059 or
// 21059 that verifies and names the key in a p tag; in it a whole seal of kind
// 13 that verifies, with no tag but expiration; in that a rumor of the same
// author, with all fields but id and sig, whose id, if it has one, is its hash.
// Layers have up to limit bytes. It returns the rumor with its id, or nil.
func Unwrap(sk [32]byte, wrap *Event, limit int) *Event {
	if wrap.Kind != 1059 && wrap.Kind != 21059 || !named(wrap.Tags, PublicKey(sk)) || !wrap.Verify() {
		return nil
	}
	seal := ParseEvent(open(sk, wrap, limit), true)
	if seal == nil || seal.Kind != 13 || !seal.whole("id", "pubkey", "created_at", "tags", "sig") || !seal.Verify() {
		return nil
	}
	for _, tag := range seal.Tags {
		if tag[0] != "expiration" {
			return nil
		}
	}
	rumor := ParseEvent(open(sk, seal, limit), true)
	if rumor == nil || !rumor.whole("pubkey", "created_at", "tags") || rumor.PubKey != seal.PubKey {
		return nil
	}
	id := rumor.ComputeID()
	if rumor.Has["id"] && rumor.ID != id {
		return nil
	}
	rumor.ID = id
	return rumor
}

func (e *Event) whole(names ...string) bool {
	for _, name := range names {
		if !e.Has[name] {
			return false
		}
	}
	return true
}

func named(tags [][]string, pub [32]byte) bool {
	for _, tag := range tags {
		if len(tag) > 1 && tag[0] == "p" && tag[1] == hex.EncodeToString(pub[:]) {
			return true
		}
	}
	return false
}

// open decrypts the content of an event; nil, which is no JSON, where it cannot.
func open(sk [32]byte, e *Event, limit int) []byte {
	ck, err := ConversationKey(sk, e.PubKey)
	if err != nil {
		return nil
	}
	text, err := Decrypt(ck, e.Content, limit)
	if err != nil {
		return nil
	}
	return text
}
