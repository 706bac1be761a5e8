package bench

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/sealwright/sealwright/kernels/base64"
	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/etm"
	"github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/kernels/sha256"
	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/curve"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// sealwright is this module.
var sealwright = candidate{"sealwright", "", map[string]func(params) *work{
	"Import": func(params) *work {
		var id *identity.Identity
		return &work{
			op: func(int) {
				sk := must(keys.ParseSecretKey(alice.secretHex))
				id = must(identity.New(sk))
				sk.Zero()
			},
			check: func(int) error { pub := id.PublicKey(); return same(pub[:], alice.pub[:]) },
		}
	},
	"ConversationKey": func(params) *work {
		all, sk := people(), secretKey(alice)
		var ck *nip44.ConversationKey
		return &work{
			inputs: crowd,
			op:     func(i int) { ck = must(nip44.DeriveConversationKey(sk, all[i].pub)) },
			check:  func(i int) error { return gonostrDecrypts(must(ck.Encrypt(message(5))), all[i], 5) },
		}
	},
	"Encrypt": func(p params) *work {
		all, sk, text := people(), secretKey(alice), message(p.len)
		ck := must(nip44.DeriveConversationKey(sk, all[0].pub))
		var got string
		w := &work{check: func(i int) error { return gonostrDecrypts(got, all[i], p.len) }}
		if p.key == "cached" {
			w.op = func(int) { got = must(ck.Encrypt(text)) }
		} else {
			w.inputs = crowd
			w.op = func(i int) { got = must(must(nip44.DeriveConversationKey(sk, all[i].pub)).Encrypt(text)) }
		}
		return w
	},
	"Decrypt": func(p params) *work {
		all, sk, payloads := people(), secretKey(alice), payloads(p.len)
		ck := must(nip44.DeriveConversationKey(sk, all[0].pub))
		var text string
		w := &work{check: func(int) error {
			return errors.Join(isMessage(text, p.len), refusesSpoiledPayload(payloads[0], func(payload string) error {
				_, err := ck.Decrypt(payload)
				return err
			}))
		}}
		if p.key == "cached" {
			w.op = func(int) { text = must(ck.Decrypt(payloads[0])) }
		} else {
			w.inputs = crowd
			w.op = func(i int) { text = must(must(nip44.DeriveConversationKey(sk, all[i].pub)).Decrypt(payloads[i])) }
		}
		return w
	},
	"Sign": func(params) *work {
		sk := secretKey(alice)
		signed := note(0)
		check(signed.Sign(alice.secretHex))
		template := *must(event.Parse(must(signed.MarshalJSON())))
		template.ID, template.PubKey, template.Sig = event.ID{}, keys.PublicKey{}, event.Signature{}
		var e event.Event
		return &work{
			op: func(int) {
				e = template
				check(e.Sign(sk))
			},
			check: func(int) error { return gonostrVerify(e.AppendJSON(nil)) },
		}
	},
	"Verify": func(params) *work {
		texts := notes()
		return &work{
			inputs: crowd,
			op:     func(i int) { check(must(event.Parse(texts[i])).Verify()) },
			check: func(i int) error {
				return refusesSpoiled(i, func(text []byte) error { return must(event.Parse(text)).Verify() })
			},
		}
	},
	"VerifyAll": func(p params) *work {
		texts := notes()
		events := make([]*event.Event, p.n)
		verify := func() []error { return event.VerifyAll(context.Background(), events, nil) }
		return &work{
			events: p.n,
			op: func(int) {
				for i := range events {
					events[i] = must(event.Parse(texts[i%crowd]))
				}
				check(errors.Join(verify()...))
			},
			check: func(int) error {
				return refusesSpoiled(0, func(text []byte) error {
					events[p.n-1] = must(event.Parse(text))
					return verify()[p.n-1]
				})
			},
		}
	},
	"Wrap": func(p params) *work {
		id := login(alice)
		rumor := sealwrightRumor(alice, p.len)
		var wrap *event.Event
		return &work{
			op: func(int) { wrap = must(nip59.Wrap(context.Background(), id, rumor, bob.pub, nil)) },
			check: func(int) error {
				if p.len > gonostrMaxMessage {
					return sealwrightOpens(wrap.AppendJSON(nil), p.len)
				}
				return gonostrOpens(wrap.AppendJSON(nil), p.len)
			},
		}
	},
	"Unwrap": func(p params) *work {
		return sealwrightUnwraps(wraps(p.len, 1), p.len, 1, func(m []*nip59.Message, id *identity.Identity, e []*event.Event) (err error) {
			m[0], err = nip59.Unwrap(context.Background(), id, e[0], nil)
			return err
		})
	},
	"UnwrapUnknown": func(p params) *work {
		w, id := sealwrightUnwrapsFrom(crowd)
		w.fresh = func() { *id = login(bob) }
		return w
	},
	"UnwrapInTurn": func(p params) *work {
		w, id := sealwrightUnwrapsFrom(p.n)
		ctx, senders := context.Background(), make([]person, p.n)
		notes, payloads := make([]*event.Event, p.n), make([][]byte, p.n)
		for i := range senders {
			senders[i] = personOf(i)
			notes[i] = &event.Event{Kind: 1, Content: message(32)}
			check(notes[i].Sign(secretKey(senders[i])))
			payloads[i] = must(login(senders[i]).Encrypt(ctx, []byte(message(32)), bob.pub))
		}
		open := w.op
		fresh, opened := acquainted(p.n, func() {
			*id = login(bob)
			for i := range senders {
				for range 2 { // a conversation key, then a verifier
					if i < writtenTo {
						must((*id).Encrypt(ctx, []byte(message(32)), senders[i].pub))
					} else {
						must((*id).Decrypt(ctx, payloads[i], senders[i].pub))
					}
				}
				for range 2 {
					check((*id).VerifyEvent(notes[i]))
				}
			}
		})
		w.fresh, w.op = fresh, func(i int) { open(i); opened() }
		return w
	},
	"UnwrapAll": func(p params) *work {
		return sealwrightUnwraps(wraps(32, p.n), 32, p.n, func(m []*nip59.Message, id *identity.Identity, e []*event.Event) error {
			for i, r := range nip59.UnwrapAll(context.Background(), id, e, nil) {
				if r.Err != nil {
					return r.Err
				}
				m[i] = r.Message
			}
			return nil
		})
	},

	"ChaCha20": func(p params) *work {
		dst, src := make([]byte, p.len), raw(p.len)
		return &work{
			bytes: p.len,
			op:    func(int) { chacha20.XORKeyStream(dst, src, &chachaKey, &chachaNonce, 0) },
			check: func(int) error { return isStream(dst) },
		}
	},
	"SHA256": func(p params) *work {
		src := raw(p.len)
		var sum [32]byte
		return &work{
			bytes: p.len,
			op:    func(int) { sum = sha256.Sum256(src) },
			check: func(int) error { return isSum(sum[:], p.len) },
		}
	},
	"AfterChaCha20": func(p params) *work {
		dst, src := make([]byte, p.len), raw(p.len)
		return hashes(dst, isStream, func() (sum [32]byte) {
			chacha20.XORKeyStream(dst, src, &chachaKey, &chachaNonce, 0)
			return sha256.Sum256(dst)
		})
	},
	"AfterBase64": func(p params) *work {
		dst, src := make([]byte, p.len), raw(p.len/4*3)
		return hashes(dst, isCode, func() (sum [32]byte) {
			base64.Encode(dst, src)
			return sha256.Sum256(dst)
		})
	},
	"AfterBase64Decode": func(p params) *work {
		dst, src := make([]byte, p.len/4*3), code(p.len)
		return hashes(dst, isRaw, func() (sum [32]byte) {
			base64.Decode(dst, src)
			return sha256.Sum256(dst)
		})
	},
	"AfterEncryptThenMAC": func(p params) *work {
		dst, src := make([]byte, p.len), raw(p.len)
		var key sha256.HMACKey
		var m sha256.HMAC
		m.Init(&key)
		return hashes(dst, isStream, func() (sum [32]byte) {
			etm.XORKeyStreamWrite(dst, src, &chachaKey, &chachaNonce, 0, &m, src)
			return sha256.Sum256(dst)
		})
	},
	"AfterSum256s": func(p params) *work { return hashesAfterSums(p.len, sha256.Sum256s, sha256.Sum256) },
	"AfterBaseMult": func(p params) *work {
		dst, k := raw(p.len), scalarOf(alice.secret)
		return hashes(dst, isRaw, func() (sum [32]byte) {
			var p secp256k1.Affine
			curve.BaseMult(&p, &k)
			return sha256.Sum256(dst)
		})
	},
	"Sum256s": func(p params) *work { return hashesMany(p.len, sha256.Sum256s) },
	"HMAC": func(p params) *work {
		src := raw(p.len)
		var key sha256.HMACKey
		key.Init(macKey)
		var sum [32]byte
		return &work{
			bytes: p.len,
			op: func(int) {
				var m sha256.HMAC
				m.Init(&key)
				m.Write(src)
				m.Sum(&sum)
			},
			check: func(int) error { return isMAC(sum[:], p.len) },
		}
	},
	"EncryptThenMAC": func(p params) *work {
		dst, src := make([]byte, p.len), raw(p.len)
		var key sha256.HMACKey
		key.Init(macKey)
		var sum [32]byte
		return &work{
			bytes: p.len,
			op: func(int) {
				var m sha256.HMAC
				m.Init(&key)
				etm.XORKeyStreamWrite(dst, src, &chachaKey, &chachaNonce, 0, &m, src)
				m.Sum(&sum)
			},
			check: func(int) error { return errors.Join(isStream(dst), isMAC(sum[:], p.len)) },
		}
	},
	"Base64Encode": func(p params) *work {
		dst, src := make([]byte, p.len), raw(p.len/4*3)
		return &work{
			bytes: p.len,
			op:    func(int) { base64.Encode(dst, src) },
			check: func(int) error { return isCode(dst) },
		}
	},
	"Base64Decode": func(p params) *work {
		dst, src := make([]byte, p.len/4*3), code(p.len)
		return &work{
			bytes: p.len,
			op: func(int) {
				if _, ok := base64.Decode(dst, src); !ok {
					panic("not base64")
				}
			},
			check: func(int) error { return isRaw(dst) },
		}
	},
	"ECDH": func(params) *work {
		all, k := people(), scalarOf(alice.secret)
		var x [32]byte
		return &work{
			inputs: crowd,
			op: func(i int) {
				if !curve.ECDH(&x, &k, &all[i].pub) {
					panic("not on the curve")
				}
			},
			check: func(i int) error { return isSharedX(i, x[:]) },
		}
	},
	"BaseMult": func(params) *work {
		k := scalarOf(alice.secret)
		var p secp256k1.Affine
		return &work{
			op:    func(int) { curve.BaseMult(&p, &k) },
			check: func(int) error { x := p.X.Bytes(); return same(x[:], alice.pub[:]) },
		}
	},
	"SchnorrSign": func(params) *work {
		sk, msg := secretKey(alice), signatures()[0].msg
		var sig [64]byte
		return &work{
			op:    func(int) { sig = must(bip340.Sign(sk, msg[:])) },
			check: func(int) error { return isSigned(alice, msg, sig[:]) },
		}
	},
	"SchnorrVerify": func(params) *work {
		all := signatures()
		return &work{
			inputs: crowd,
			op:     func(i int) { check(bip340.Verify(all[i].pub, all[i].msg[:], all[i].sig)) },
			check: func(i int) error {
				return refused(bip340.Verify(all[i].pub, all[(i+1)%crowd].msg[:], all[i].sig))
			},
		}
	},

	"SchnorrVerifyKnown": func(params) *work {
		all := signatures()
		var known [crowd]*bip340.Verifier
		for i := range known {
			known[i] = must(bip340.NewVerifier(all[i].pub))
		}
		return &work{
			inputs: crowd,
			op:     func(i int) { check(known[i].Verify(all[i].msg[:], all[i].sig)) },
			check:  func(i int) error { return refused(known[i].Verify(all[(i+1)%crowd].msg[:], all[i].sig)) },
		}
	},

	"FieldMul": func(params) *work {
		x, y := element(numberX), element(numberY)
		return steps(func() *big.Int { return power(fieldP) }, chain, func() [32]byte {
			z := x
			for range chain {
				secp256k1.Mul(&z, &z, &y)
			}
			return z.Bytes()
		})
	},
	"FieldSqr": func(params) *work {
		x := element(numberX)
		return steps(squared, chain, func() [32]byte {
			z := x
			for range chain {
				secp256k1.Sqr(&z, &z)
			}
			return z.Bytes()
		})
	},
	"FieldInvert": func(params) *work {
		x := element(numberX)
		return steps(inverse, 1, func() [32]byte {
			var z secp256k1.Element
			secp256k1.Invert(&z, &x)
			return z.Bytes()
		})
	},
	"FieldInvertVartime": func(params) *work {
		all := elements()
		var z secp256k1.Element
		return &work{
			inputs: crowd,
			op:     func(i int) { secp256k1.InvertVartime(&z, &all[i]) },
			check: func(i int) error {
				got, want := z.Bytes(), bytes32(new(big.Int).ModInverse(number(all[i].Bytes()), fieldP))
				return same(got[:], want[:])
			},
		}
	},
	"FieldIsSquare": func(params) *work {
		all, square := elements(), false
		return &work{
			inputs: crowd,
			op:     func(i int) { square = secp256k1.IsSquareVartime(&all[i]) },
			check: func(i int) error {
				if want := big.Jacobi(number(all[i].Bytes()), fieldP) == 1; square != want {
					return fmt.Errorf("a square: %v, not %v", square, want)
				}
				return nil
			},
		}
	},
	"FieldSqrtEach": func(p params) *work {
		x := element(numberX)
		squares, z, ok := make([]secp256k1.Element, p.n), make([]secp256k1.Element, p.n), make([]bool, p.n)
		for i := range squares {
			secp256k1.Sqr(&squares[i], &x)
		}
		return steps(root, p.n, func() [32]byte {
			secp256k1.SqrtEach(z, squares, ok)
			return smaller(z[p.n-1])
		})
	},
	"FieldSqrt": func(params) *work {
		var square secp256k1.Element
		x := element(numberX)
		secp256k1.Sqr(&square, &x)
		return steps(root, 1, func() [32]byte {
			var z secp256k1.Element
			if !secp256k1.Sqrt(&z, &square) {
				panic("no square")
			}
			return smaller(z)
		})
	},
	"ScalarMul": func(params) *work {
		x, y := scalarOf(numberX), scalarOf(numberY)
		return steps(func() *big.Int { return power(groupN) }, chain, func() [32]byte {
			z := x
			for range chain {
				secp256k1.ScalarMul(&z, &z, &y)
			}
			return z.Bytes()
		})
	},
	"PointDouble": func(params) *work {
		a := affine(alice.secret)
		return steps(doubled, chain, func() [32]byte {
			var p secp256k1.Jacobian
			p.SetAffine(&a)
			for range chain / 4 {
				secp256k1.DoubleN(&p, &p, 4)
			}
			return xOf(&p)
		})
	},
	"PointAddMixed": func(params) *work {
		return adds(func(p secp256k1.Jacobian, b secp256k1.Affine) secp256k1.Jacobian {
			for range chain {
				secp256k1.AddMixed(&p, &p, &b)
			}
			return p
		})
	},
	"PointAddDistinct": func(params) *work {
		return adds(func(p secp256k1.Jacobian, b secp256k1.Affine) secp256k1.Jacobian {
			for range chain {
				secp256k1.AddMixedDistinct(&p, &p, &b)
			}
			return p
		})
	},
	"PointAddVartime": func(params) *work {
		return adds(func(p secp256k1.Jacobian, b secp256k1.Affine) secp256k1.Jacobian {
			for range chain {
				secp256k1.AddMixedVartime(&p, &p, &b)
			}
			return p
		})
	},
	"PointAddScaled": func(params) *work {
		a, b, s := affine(alice.secret), affine(evenSecret(bob)), element(numberY)
		var t secp256k1.Element
		secp256k1.Sqr(&t, &s)
		secp256k1.Mul(&a.X, &a.X, &t)
		secp256k1.Mul(&t, &t, &s)
		secp256k1.Mul(&a.Y, &a.Y, &t)
		return steps(summed, chain, func() [32]byte {
			var p secp256k1.Jacobian
			p.SetAffine(&a)
			for range chain {
				secp256k1.AddScaledVartime(&p, &p, &b, &s)
			}
			secp256k1.Mul(&p.Z, &p.Z, &s) // on the curve itself
			return xOf(&p)
		})
	},
	"PointAddCoZ": func(params) *work {
		a, b := affine(alice.secret), affine(evenSecret(bob))
		return steps(summed, chain, func() [32]byte {
			p, q := a, b
			var h secp256k1.Element
			for range chain {
				secp256k1.AddCoZ(&p, &q, &h)
			}
			// q.X is b.X·Z².
			secp256k1.Invert(&h, &q.X)
			secp256k1.Mul(&h, &h, &b.X)
			secp256k1.Mul(&h, &h, &p.X)
			return h.Bytes()
		})
	},
	"Lookup": func(p params) *work {
		table := make([]secp256k1.Affine, p.n)
		for i := range table {
			table[i] = affine(bytes32(big.NewInt(int64(i) + 1)))
		}
		return steps(func() *big.Int { return lookedUp(p.n) }, chain, func() [32]byte {
			var z secp256k1.Affine
			for i := range uint64(chain) {
				secp256k1.Lookup(&z, table, (z.X[0]+i)%uint64(p.n), i&1)
			}
			return z.X.Bytes()
		})
	},
}}

func element(b [32]byte) (e secp256k1.Element) {
	if !e.SetBytes(&b) {
		panic("not below the prime")
	}
	return e
}

// elements are numbers of which some are squares.
func elements() (all [crowd]secp256k1.Element) {
	for i, p := range people() {
		all[i] = element(low(p.pubHex))
	}
	return all
}

// adds is a row of additions of bob's point to alice's, which sum does. It takes and
// gives values: what a function value is given the address of lies on the heap.
func adds(sum func(p secp256k1.Jacobian, b secp256k1.Affine) secp256k1.Jacobian) *work {
	a, b := affine(alice.secret), affine(evenSecret(bob))
	return steps(summed, chain, func() [32]byte {
		var p secp256k1.Jacobian
		p.SetAffine(&a)
		p = sum(p, b)
		return xOf(&p)
	})
}

func affine(secret [32]byte) (p secp256k1.Affine) {
	k := scalarOf(secret)
	curve.BaseMult(&p, &k)
	return p
}

func xOf(p *secp256k1.Jacobian) [32]byte {
	var a secp256k1.Affine
	secp256k1.ToAffine(&a, p)
	return a.X.Bytes()
}

func secretKey(p person) *keys.SecretKey { return must(keys.NewSecretKey(p.secret[:])) }

func scalarOf(b [32]byte) (k secp256k1.Scalar) {
	if !k.SetBytes(&b) {
		panic("not below the group order")
	}
	return k
}

func login(p person) *identity.Identity {
	sk := secretKey(p)
	defer sk.Zero()
	return must(identity.New(sk))
}

func sealwrightRumor(from person, size int) *nip59.Rumor {
	return nip59.NewRumor(from.pub, 1700000000, 14, event.Tags{{"p", bob.pubHex}}, message(size))
}

func sealwrightWrap(from, to person, size int) []byte {
	return must(nip59.Wrap(context.Background(), login(from), sealwrightRumor(from, size), to.pub, nil)).AppendJSON(nil)
}

// toKnow is how many wraps of a sender it takes until all that an identity keeps of a
// peer is there: its conversation key from the second on, its verifier from the fourth.
const toKnow = 4

// sealwrightUnwrapsFrom parses a wrap of each of n senders and opens it by the identity,
// which the caller sets.
func sealwrightUnwrapsFrom(n int) (*work, **identity.Identity) {
	var id *identity.Identity
	texts := wrapsFrom(n)
	var m *nip59.Message
	return &work{
		inputs: n,
		op:     func(i int) { m = must(nip59.Unwrap(context.Background(), id, must(event.Parse(texts[i])), nil)) },
		check: func(i int) error {
			return errors.Join(isFrom(personOf(i), m, 32), refusesForged(32, func(text []byte) error {
				_, err := nip59.Unwrap(context.Background(), id, must(event.Parse(text)), nil)
				return err
			}))
		},
	}, &id
}

// sealwrightUnwraps parses wraps, n at a time, and opens them.
func sealwrightUnwraps(texts [][]byte, size, n int, open func([]*nip59.Message, *identity.Identity, []*event.Event) error) *work {
	var id *identity.Identity
	events, opened := make([]*event.Event, n), make([]*nip59.Message, n)
	return &work{
		inputs: len(texts) / n,
		events: n,
		op: func(i int) {
			for j := range events {
				events[j] = must(event.Parse(texts[i*n+j]))
			}
			check(open(opened, id, events))
		},
		check: func(int) error {
			for _, m := range opened {
				if err := isFrom(alice, m, size); err != nil {
					return err
				}
			}
			return refusesForged(size, func(text []byte) error {
				batch := slices.Clone(events[:min(n, 10)])
				batch[len(batch)-1] = must(event.Parse(text))
				return open(make([]*nip59.Message, n), id, batch)
			})
		},
		fresh: func() {
			id = login(bob)
			for range toKnow {
				check(openedBy(id, sealwrightWrap(alice, bob, size), size))
			}
		},
	}
}

func isFrom(sender person, m *nip59.Message, size int) error {
	return errors.Join(isMessage(m.Rumor.Content, size), same(m.Sender[:], sender.pub[:]))
}

func openedBy(id *identity.Identity, text []byte, size int) error {
	e, err := event.Parse(text)
	if err != nil {
		return err
	}
	m, err := nip59.Unwrap(context.Background(), id, e, nil)
	if err != nil {
		return err
	}
	return isFrom(alice, m, size)
}

// sealwrightOpens judges a wrap from alice to bob.
func sealwrightOpens(text []byte, size int) error { return openedBy(login(bob), text, size) }

func sealwrightDecrypts(payload string, from person, size int) error {
	text, err := must(nip44.DeriveConversationKey(secretKey(alice), from.pub)).Decrypt(payload)
	if err != nil {
		return err
	}
	return isMessage(text, size)
}

// sealwrightVerifies judges a signature.
func sealwrightVerifies(p person, msg [32]byte, sig []byte) error {
	return bip340.Verify(p.pub, msg[:], [64]byte(sig))
}

// smaller is the one of x and −x that is below 2²⁴⁸, where one is.
func smaller(x secp256k1.Element) [32]byte {
	b := x.Bytes()
	if b[0] != 0 {
		secp256k1.Neg(&x, &x)
		b = x.Bytes()
	}
	return b
}
