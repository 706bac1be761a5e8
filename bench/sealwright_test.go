package bench

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// sealwright is this module, with the tiers that begin chooses.
func sealwright(name string, begin func(*testing.B)) candidate {
	return candidate{
		name:  name,
		begin: begin,

		conversationKey: func() work {
			all := peers()
			sk := must(keys.NewSecretKey(alice.secret[:]))
			var ck *nip44.ConversationKey
			return work{
				n:  rounds,
				op: func(i int) { ck = must(nip44.DeriveConversationKey(sk, all[i].pub)) },
				check: func(i int) error {
					want := must(nip44.NewConversationKey(conversationKey(alice, all[i])))
					text, err := want.Decrypt(must(ck.Encrypt("hello")))
					if err == nil && text != "hello" {
						err = errors.New("another text")
					}
					return err
				},
			}
		},
		sign: func() work {
			sk := must(keys.NewSecretKey(alice.secret[:]))
			signed := note(0)
			check(signed.Sign(alice.secretHex))
			template := *must(event.Parse(must(signed.MarshalJSON())))
			template.ID, template.PubKey, template.Sig = event.ID{}, keys.PublicKey{}, event.Signature{}
			var e event.Event
			return work{
				n: 1,
				op: func(int) {
					e = template
					check(e.Sign(sk))
				},
				check: func(int) error { return gonostrVerify(e.AppendJSON(nil)) },
			}
		},
		verify: func() work {
			texts := notes()
			return work{
				n:  rounds,
				op: func(i int) { check(must(event.Parse(texts[i])).Verify()) },
				check: func(i int) error {
					if err := must(event.Parse(spoiled(texts[i]))).Verify(); !errors.Is(err, event.ErrID) {
						return fmt.Errorf("a changed event gives %v", err)
					}
					return nil
				},
			}
		},
		wrap: func(size int) work {
			id := login(alice)
			rumor := sealwrightRumor(alice, size)
			var wrap *event.Event
			return work{
				n:  1,
				op: func(int) { wrap = must(nip59.Wrap(context.Background(), id, rumor, bob.pub, nil)) },
				check: func(int) error {
					if size > gonostrMaxMessage {
						return sealwrightOpens(wrap.AppendJSON(nil), size)
					}
					return gonostrOpens(wrap.AppendJSON(nil), size)
				},
			}
		},
		unwrap: func(size int) work {
			texts := wrapped(size)
			var id *identity.Identity
			var m *nip59.Message
			op := func(i int) { m = must(sealwrightUnwrap(id, texts[i])) }
			return work{
				n:     len(texts),
				op:    op,
				check: func(int) error { return isMessage(m, size) },
				fresh: func() {
					id = login(bob)
					op(0) // the sender is remembered from its second message on
					op(1)
				},
			}
		},
	}
}

func login(p person) *identity.Identity {
	sk := must(keys.NewSecretKey(p.secret[:]))
	defer sk.Zero()
	return must(identity.New(sk))
}

func sealwrightRumor(from person, size int) *nip59.Rumor {
	return nip59.NewRumor(from.pub, 1700000000, 14, event.Tags{{"p", bob.pubHex}}, message(size))
}

func sealwrightWrap(from, to person, size int) []byte {
	return must(nip59.Wrap(context.Background(), login(from), sealwrightRumor(from, size), to.pub, nil)).AppendJSON(nil)
}

func sealwrightUnwrap(id *identity.Identity, text []byte) (*nip59.Message, error) {
	e, err := event.Parse(text)
	if err != nil {
		return nil, err
	}
	return nip59.Unwrap(context.Background(), id, e, nil)
}

func sealwrightOpens(text []byte, size int) error {
	m, err := sealwrightUnwrap(login(bob), text)
	if err != nil {
		return err
	}
	return isMessage(m, size)
}

func isMessage(m *nip59.Message, size int) error {
	if m.Rumor.Content != message(size) || m.Sender != alice.pub {
		return errors.New("another message")
	}
	return nil
}
