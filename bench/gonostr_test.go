package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

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
// keys. Its calls take strings of hexadecimal, so that is how keys are kept.
var gonostr = candidate{"gonostr", "github.com/nbd-wtf/go-nostr", map[string]func(params) *work{
	"Import": func(params) *work {
		var k keyer.KeySigner
		return &work{
			op: func(int) { k = must(keyer.NewPlainKeySigner(alice.secretHex)) },
			check: func(int) error {
				return same([]byte(must(k.GetPublicKey(context.Background()))), []byte(alice.pubHex))
			},
		}
	},
	"ConversationKey": func(params) *work {
		all := people()
		var ck [32]byte
		return &work{
			inputs: crowd,
			op:     func(i int) { ck = must(gonip44.GenerateConversationKey(all[i].pubHex, alice.secretHex)) },
			check: func(i int) error {
				want := conversationKey(alice, all[i])
				return same(ck[:], want[:])
			},
		}
	},
	"Encrypt": func(p params) *work {
		all, text := people(), message(p.len)
		ck := conversationKey(alice, all[0])
		var got string
		w := &work{check: func(i int) error { return sealwrightDecrypts(got, all[i], p.len) }}
		if p.key == "cached" {
			w.op = func(int) { got = must(gonip44.Encrypt(text, ck)) }
		} else {
			w.inputs = crowd
			w.op = func(i int) {
				got = must(gonip44.Encrypt(text, must(gonip44.GenerateConversationKey(all[i].pubHex, alice.secretHex))))
			}
		}
		return w
	},
	"Decrypt": func(p params) *work {
		all := people()
		payloads := payloads(p.len)
		ck := conversationKey(alice, all[0])
		var text string
		w := &work{check: func(int) error {
			return errors.Join(isMessage(text, p.len), refusesSpoiledPayload(payloads[0], func(payload string) error {
				_, err := gonip44.Decrypt(payload, ck)
				return err
			}))
		}}
		if p.key == "cached" {
			w.op = func(int) { text = must(gonip44.Decrypt(payloads[0], ck)) }
		} else {
			w.inputs = crowd
			w.op = func(i int) {
				text = must(gonip44.Decrypt(payloads[i], must(gonip44.GenerateConversationKey(all[i].pubHex, alice.secretHex))))
			}
		}
		return w
	},
	"Sign": func(params) *work {
		template := note(0)
		var e nostr.Event
		return &work{
			op: func(int) {
				e = template
				check(e.Sign(alice.secretHex))
			},
			check: func(int) error { return must(event.Parse(must(e.MarshalJSON()))).Verify() },
		}
	},
	"Verify": func(params) *work {
		texts := notes()
		return &work{
			inputs: crowd,
			op:     func(i int) { check(gonostrVerify(texts[i])) },
			check:  func(i int) error { return refusesSpoiled(i, gonostrVerify) },
		}
	},
	"VerifyAll": func(p params) *work {
		texts := notes()
		errs := make([]error, p.n)
		verify := func(last []byte) error {
			onAll(p.n, func(i int) {
				text := texts[i%crowd]
				if i == p.n-1 {
					text = last
				}
				errs[i] = gonostrVerify(text)
			})
			return errors.Join(errs...)
		}
		return &work{
			events: p.n,
			op:     func(int) { check(verify(texts[(p.n-1)%crowd])) },
			check:  func(int) error { return refusesSpoiled(0, verify) },
		}
	},
	"Wrap": func(p params) *work {
		if p.len > gonostrMaxMessage {
			return nil
		}
		rumor := gonostrRumor(alice, p.len)
		k := must(keyer.NewPlainKeySigner(alice.secretHex))
		encrypt, sign := gonostrEncrypt(k, bob), gonostrSign(k)
		var wrap nostr.Event
		return &work{
			op:    func(int) { wrap = must(gonip59.GiftWrap(rumor, bob.pubHex, encrypt, sign, nil)) },
			check: func(int) error { return sealwrightOpens(must(wrap.MarshalJSON()), p.len) },
		}
	},
	"Unwrap": func(p params) *work {
		if p.len > gonostrMaxMessage {
			return nil
		}
		return gonostrUnwraps(wraps(p.len, 1), p.len, 1)
	},
	"UnwrapUnknown": func(p params) *work {
		w, decrypt := gonostrUnwrapsFrom(crowd)
		w.fresh = func() { *decrypt = gonostrDecrypt(must(keyer.NewPlainKeySigner(bob.secretHex))) }
		return w
	},
	"UnwrapInTurn": func(p params) *work {
		w, decrypt := gonostrUnwrapsFrom(p.n)
		senders := make([]person, p.n)
		for i := range senders {
			senders[i] = personOf(i)
		}
		open := w.op
		fresh, opened := acquainted(p.n, func() {
			k := must(keyer.NewPlainKeySigner(bob.secretHex))
			for _, to := range senders {
				must(gonostrEncrypt(k, to)(message(32))) // which keeps the conversation key
			}
			*decrypt = gonostrDecrypt(k)
		})
		w.fresh, w.op = fresh, func(i int) { open(i); opened() }
		return w
	},
	"UnwrapAll": func(p params) *work { return gonostrUnwraps(wraps(32, p.n), 32, p.n) },
}}

// gonostrUnwrapsFrom opens a wrap of each of n senders by the function that it returns,
// which the caller sets.
func gonostrUnwrapsFrom(n int) (*work, *func(peer, payload string) (string, error)) {
	var decrypt func(peer, payload string) (string, error)
	texts := wrapsFrom(n)
	var rumor nostr.Event
	return &work{
		inputs: n,
		op:     func(i int) { rumor = must(gonostrUnwrap(texts[i], decrypt)) },
		check: func(i int) error {
			return errors.Join(gonostrIsFrom(personOf(i), rumor, 32), refusesForged(32, func(text []byte) error {
				_, err := gonostrUnwrap(text, decrypt)
				return err
			}))
		},
	}, &decrypt
}

// gonostrUnwraps opens wraps, n at a time.
func gonostrUnwraps(texts [][]byte, size, n int) *work {
	var decrypt func(peer, payload string) (string, error)
	rumors := make([]nostr.Event, n)
	return &work{
		inputs: len(texts) / n,
		events: n,
		op:     func(i int) { onAll(n, func(j int) { rumors[j] = must(gonostrUnwrap(texts[i*n+j], decrypt)) }) },
		check: func(int) error {
			for _, rumor := range rumors {
				if err := gonostrIsFrom(alice, rumor, size); err != nil {
					return err
				}
			}
			return refusesForged(size, func(text []byte) error {
				_, err := gonostrUnwrap(text, decrypt)
				return err
			})
		},
		fresh: func() {
			k := must(keyer.NewPlainKeySigner(bob.secretHex))
			decrypt = gonostrDecrypt(k)
			must(gonostrUnwrap(gonostrWrap(alice, bob, size), decrypt)) // which makes the sender known
		},
	}
}

func gonostrRumor(from person, size int) nostr.Event {
	e := nostr.Event{PubKey: from.pubHex, CreatedAt: 1700000000, Kind: 14, Tags: nostr.Tags{{"p", bob.pubHex}}, Content: message(size)}
	e.ID = e.GetID()
	return e
}

func gonostrEncrypt(k keyer.KeySigner, to person) func(string) (string, error) {
	return func(plaintext string) (string, error) { return k.Encrypt(context.Background(), plaintext, to.pubHex) }
}

func gonostrDecrypt(k keyer.KeySigner) func(peer, payload string) (string, error) {
	return func(peer, payload string) (string, error) { return k.Decrypt(context.Background(), payload, peer) }
}

func gonostrSign(k keyer.KeySigner) func(*nostr.Event) error {
	return func(e *nostr.Event) error { return k.SignEvent(context.Background(), e) }
}

func gonostrWrap(from, to person, size int) []byte {
	k := must(keyer.NewPlainKeySigner(from.secretHex))
	wrap := must(gonip59.GiftWrap(gonostrRumor(from, size), to.pubHex, gonostrEncrypt(k, to), gonostrSign(k), nil))
	return must(wrap.MarshalJSON())
}

// gonostrVerify does what our Verify does: CheckSignature alone does not look at
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

// gonostrUnwrap verifies the wrap, and GiftUnwrap the seal's signature. Other than ours
// it looks neither at the seal's kind, id and tags nor at the rumor's author and id,
// which it overwrites.
func gonostrUnwrap(text []byte, decrypt func(peer, payload string) (string, error)) (rumor nostr.Event, err error) {
	var wrap nostr.Event
	if err := easyjson.Unmarshal(text, &wrap); err != nil {
		return rumor, err
	}
	if wrap.Kind != nostr.KindGiftWrap {
		return rumor, fmt.Errorf("kind %d", wrap.Kind)
	}
	if err := gonostrCheck(&wrap); err != nil {
		return rumor, err
	}
	return gonip59.GiftUnwrap(wrap, decrypt)
}

// gonostrOpens judges a wrap from alice to bob.
func gonostrOpens(text []byte, size int) error {
	rumor, err := gonostrUnwrap(text, gonostrDecrypt(must(keyer.NewPlainKeySigner(bob.secretHex))))
	if err != nil {
		return err
	}
	return gonostrIsFrom(alice, rumor, size)
}

func gonostrIsFrom(sender person, rumor nostr.Event, size int) error {
	return errors.Join(isMessage(rumor.Content, size), same([]byte(rumor.PubKey), []byte(sender.pubHex)))
}

// onAll does f for 0 to n−1 on all processors, as a user of a library without
// batches would; on one processor it is a loop.
func onAll(n int, f func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers == 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	group.Wait()
}

func gonostrDecrypts(payload string, from person, size int) error {
	text, err := gonip44.Decrypt(payload, conversationKey(alice, from))
	if err != nil {
		return err
	}
	return isMessage(text, size)
}
