package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/mailru/easyjson"
	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/keyer"
	gonip44 "github.com/nbd-wtf/go-nostr/nip44"
	gonip59 "github.com/nbd-wtf/go-nostr/nip59"

	"github.com/sealwright/sealwright/protocol/event"
)

// gonostrMaxMessage is what go-nostr can wrap in any case: the seal of a message
// of more than about 40,600 bytes is more than its NIP-44 takes.
const gonostrMaxMessage = 40_000

// gonostr is go-nostr v0.38.2, with its local keyer, which caches conversation
// keys.
var gonostr = candidate{
	name:  "gonostr",
	begin: func(*testing.B) {},

	maxMessage: gonostrMaxMessage,

	conversationKey: func() work {
		all := peers()
		var got [32]byte
		return work{
			n:  rounds,
			op: func(i int) { got = must(gonip44.GenerateConversationKey(all[i].pubHex, alice.secretHex)) },
			check: func(i int) error {
				if !bytes.Equal(got[:], conversationKey(alice, all[i])) {
					return errors.New("another conversation key")
				}
				return nil
			},
		}
	},
	sign: func() work {
		template := note(0)
		var e nostr.Event
		return work{
			n: 1,
			op: func(int) {
				e = template
				check(e.Sign(alice.secretHex))
			},
			check: func(int) error { return must(event.Parse(must(e.MarshalJSON()))).Verify() },
		}
	},
	verify: func() work {
		texts := notes()
		return work{
			n:  rounds,
			op: func(i int) { check(gonostrVerify(texts[i])) },
			check: func(i int) error {
				if gonostrVerify(spoiled(texts[i])) == nil {
					return errors.New("takes a changed event")
				}
				return nil
			},
		}
	},
	wrap: func(size int) work {
		rumor := gonostrRumor(alice, size)
		k := must(keyer.NewPlainKeySigner(alice.secretHex))
		encrypt, sign := encryptTo(k, bob), signWith(k)
		var wrap nostr.Event
		return work{
			n:     1,
			op:    func(int) { wrap = must(gonip59.GiftWrap(rumor, bob.pubHex, encrypt, sign, nil)) },
			check: func(int) error { return sealwrightOpens(must(wrap.MarshalJSON()), size) },
		}
	},
	unwrap: func(size int) work {
		texts := wrapped(size)
		var decrypt func(peer, payload string) (string, error)
		var rumor nostr.Event
		op := func(i int) { rumor = must(gonostrUnwrap(texts[i], decrypt)) }
		return work{
			n:  len(texts),
			op: op,
			check: func(i int) error {
				if rumor.Content != message(size) || rumor.PubKey != alice.pubHex {
					return errors.New("another message")
				}
				return nil
			},
			fresh: func() {
				k := must(keyer.NewPlainKeySigner(bob.secretHex))
				decrypt = func(peer, payload string) (string, error) { return k.Decrypt(context.Background(), payload, peer) }
				op(0)
			},
		}
	},
}

func gonostrRumor(from person, size int) nostr.Event {
	e := nostr.Event{PubKey: from.pubHex, CreatedAt: 1700000000, Kind: 14, Tags: nostr.Tags{{"p", bob.pubHex}}, Content: message(size)}
	e.ID = e.GetID()
	return e
}

func encryptTo(k keyer.KeySigner, to person) func(string) (string, error) {
	return func(plaintext string) (string, error) { return k.Encrypt(context.Background(), plaintext, to.pubHex) }
}

func signWith(k keyer.KeySigner) func(*nostr.Event) error {
	return func(e *nostr.Event) error { return k.SignEvent(context.Background(), e) }
}

// gonostrVerify does what event.Verify does: CheckSignature alone does not look at
// the id.
func gonostrVerify(text []byte) error {
	var e nostr.Event
	if err := easyjson.Unmarshal(text, &e); err != nil {
		return err
	}
	return gonostrCheck(&e)
}

func gonostrCheck(e *nostr.Event) error {
	if !e.CheckID() {
		return errors.New("wrong id")
	}
	if ok, err := e.CheckSignature(); !ok {
		return fmt.Errorf("wrong signature (%w)", err)
	}
	return nil
}

func gonostrUnwrap(text []byte, decrypt func(peer, payload string) (string, error)) (rumor nostr.Event, err error) {
	var wrap nostr.Event
	if err := easyjson.Unmarshal(text, &wrap); err != nil {
		return rumor, err
	}
	if err := gonostrCheck(&wrap); err != nil {
		return rumor, err
	}
	return gonip59.GiftUnwrap(wrap, decrypt)
}

func gonostrOpens(text []byte, size int) error {
	k := must(keyer.NewPlainKeySigner(bob.secretHex))
	rumor, err := gonostrUnwrap(text, func(peer, payload string) (string, error) { return k.Decrypt(context.Background(), payload, peer) })
	if err == nil && (rumor.Content != message(size) || rumor.PubKey != alice.pubHex) {
		err = errors.New("another message")
	}
	return err
}

// spoiled returns the text of an event with another content.
func spoiled(text []byte) []byte {
	return bytes.Replace(text, []byte("boat"), []byte("goat"), 1)
}
