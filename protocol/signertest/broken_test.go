package signertest_test

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/protocol/curve"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
	"github.com/sealwright/sealwright/protocol/signertest"
)

type crypt = func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error)

// broken is a sound Keyer, without batches, some calls of which go elsewhere.
type broken struct {
	sound signer.Keyer
	sk    *keys.SecretKey

	pub              func(ctx context.Context) (keys.PublicKey, error)
	sign             func(ctx context.Context, e *event.Event) error
	encrypt, decrypt crypt

	lost bool // set by Break
}

func (b *broken) GetPublicKey(ctx context.Context) (keys.PublicKey, error) { return b.pub(ctx) }
func (b *broken) SignEvent(ctx context.Context, e *event.Event) error      { return b.sign(ctx, e) }
func (b *broken) Encrypt(ctx context.Context, plaintext []byte, to keys.PublicKey) ([]byte, error) {
	return b.encrypt(ctx, plaintext, to)
}
func (b *broken) Decrypt(ctx context.Context, payload []byte, from keys.PublicKey) ([]byte, error) {
	return b.decrypt(ctx, payload, from)
}

// both puts the same fault in both directions.
func (b *broken) both(f func(sound crypt) crypt) {
	b.encrypt, b.decrypt = f(b.sound.Encrypt), f(b.sound.Decrypt)
}

// everywhere puts f before every call.
func (b *broken) everywhere(f func(ctx context.Context) error) {
	b.pub = func(ctx context.Context) (keys.PublicKey, error) {
		if err := f(ctx); err != nil {
			return keys.PublicKey{}, err
		}
		return b.sound.GetPublicKey(context.Background())
	}
	b.sign = func(ctx context.Context, e *event.Event) error {
		if err := f(ctx); err != nil {
			return err
		}
		return b.sound.SignEvent(context.Background(), e)
	}
	b.both(func(sound crypt) crypt {
		return func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
			if err := f(ctx); err != nil {
				return nil, err
			}
			return sound(context.Background(), data, peer)
		}
	})
}

// altering signs what alter makes of the event.
func altering(alter func(e *event.Event)) func(t *testing.T, b *broken) {
	return func(_ *testing.T, b *broken) {
		b.sign = func(ctx context.Context, e *event.Event) error {
			alter(e)
			return b.sound.SignEvent(ctx, e)
		}
	}
}

// spoiling signs, and spoils what it signed.
func spoiling(spoil func(e *event.Event)) func(t *testing.T, b *broken) {
	return func(_ *testing.T, b *broken) {
		b.sign = func(ctx context.Context, e *event.Event) error {
			err := b.sound.SignEvent(ctx, e)
			if err == nil {
				spoil(e)
			}
			return err
		}
	}
}

// before changes what is handed to the sound call.
func before(sound crypt, f func(data []byte) []byte) crypt {
	return func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
		return sound(ctx, f(data), peer)
	}
}

// after changes what the sound call returned.
func after(sound crypt, f func(data []byte, err error) ([]byte, error)) crypt {
	return func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
		return f(sound(ctx, data, peer))
	}
}

var errOwn = errors.New("something went wrong")

// on replaces a result whose error is cause.
func on(cause error, data []byte, err error) func([]byte, error) ([]byte, error) {
	return func(d []byte, e error) ([]byte, error) {
		if errors.Is(e, cause) {
			return data, err
		}
		return d, e
	}
}

// Every fault is found, and named.
func TestBrokenSigners(t *testing.T) {
	if testkit.Race {
		t.Skip("some of these signers share memory, which is their fault: the race detector stops before the suite tells it")
	}
	sample := testkit.Rand(t) // with -short, an eighth of them
	for name, c := range map[string]struct {
		want string // the beginning of one of the faults
		f    func(t *testing.T, b *broken)
	}{
		"sound": {"", func(*testing.T, *broken) {}},

		"another key at every call": {"public key: it was", func(t *testing.T, b *broken) {
			b.pub = func(context.Context) (keys.PublicKey, error) { return newKey(t).PublicKey(), nil }
		}},
		"a key that is not its own": {"public key: ", func(t *testing.T, b *broken) {
			other := newKey(t).PublicKey()
			b.pub = func(context.Context) (keys.PublicKey, error) { return other, nil }
		}},
		"a key off the curve": {"public key: 0000", func(_ *testing.T, b *broken) {
			b.pub = func(context.Context) (keys.PublicKey, error) { return keys.PublicKey{31: 5}, nil }
		}},
		"no key": {"public key: GetPublicKey: something", func(_ *testing.T, b *broken) {
			b.pub = func(context.Context) (keys.PublicKey, error) { return keys.PublicKey{}, errOwn }
		}},
		"a panic for a key": {"public key: GetPublicKey panicked", func(_ *testing.T, b *broken) {
			b.pub = func(context.Context) (keys.PublicKey, error) { panic(errOwn) }
		}},

		"adds a tag": {"signing: SignEvent altered tags", altering(func(e *event.Event) { e.Tags = append(e.Tags, event.Tag{"client", "x"}) })},
		"drops doubled tags": {"signing: SignEvent altered tags", altering(func(e *event.Event) {
			if len(e.Tags) > 2 {
				e.Tags = append(e.Tags[:2], e.Tags[3:]...)
			}
		})},
		"changes a tag in place": {"signing: SignEvent altered tags", altering(func(e *event.Event) {
			if len(e.Tags) > 0 && len(e.Tags[0]) > 2 {
				e.Tags[0][2] = "wss://relay"
			}
		})},
		"trims the content": {"signing: SignEvent altered content", altering(func(e *event.Event) { e.Content = strings.TrimSpace(e.Content) })},
		"a kind of its own": {"signing: SignEvent altered kind", altering(func(e *event.Event) { e.Kind = 1 })},
		"a time for none": {"signing: SignEvent altered created_at", altering(func(e *event.Event) {
			if e.CreatedAt == 0 {
				e.CreatedAt = 1700000000
			}
		})},
		"alters after signing":    {"signing: SignEvent altered content", spoiling(func(e *event.Event) { e.Content += "." })},
		"no author":               {"signing: kind 1: signed for 0000", spoiling(func(e *event.Event) { e.PubKey = keys.PublicKey{} })},
		"a wrong id":              {"signing: kind 1: event: id", spoiling(func(e *event.Event) { e.ID[0] ^= 1 })},
		"a wrong signature":       {"signing: kind 1: bip340", spoiling(func(e *event.Event) { e.Sig[63] ^= 1 })},
		"signs in another's name": {"another author: SignEvent took", altering(func(e *event.Event) { e.PubKey = keys.PublicKey{} })},
		"signs as itself what is another's": {"another author: SignEvent refused an event of another author and set", func(_ *testing.T, b *broken) {
			b.sign = func(ctx context.Context, e *event.Event) error {
				err := b.sound.SignEvent(ctx, e)
				if errors.Is(err, event.ErrWrongKey) {
					e.PubKey = b.sk.PublicKey()
				}
				return err
			}
		}},
		"keeps an id that is there": {"signing: kind 1: event: id", func(_ *testing.T, b *broken) {
			b.sign = func(ctx context.Context, e *event.Event) error {
				id := e.ID
				err := b.sound.SignEvent(ctx, e)
				if id != (event.ID{}) {
					e.ID = id
				}
				return err
			}
		}},
		"signs nothing":            {"signing: kind 1: signed for 0000", func(_ *testing.T, b *broken) { b.sign = func(context.Context, *event.Event) error { return nil } }},
		"refuses to sign":          {"signing: kind 0: something", func(_ *testing.T, b *broken) { b.sign = func(context.Context, *event.Event) error { return errOwn } }},
		"panics at signing":        {"signing: SignEvent panicked", func(_ *testing.T, b *broken) { b.sign = func(context.Context, *event.Event) error { panic(errOwn) } }},
		"replaces bad UTF-8":       {"invalid event: SignEvent took content", altering(func(e *event.Event) { e.Content = strings.ToValidUTF8(e.Content, "\ufffd") })},
		"cuts the kind to 16 bits": {"invalid event: SignEvent took a kind of 65,536", altering(func(e *event.Event) { e.Kind &= 0xffff })},

		// Case 12.
		"encrypt and decrypt swapped": {"round trip: Encrypt of", func(_ *testing.T, b *broken) { b.encrypt, b.decrypt = b.sound.Decrypt, b.sound.Encrypt }},
		"no encryption": {"round trip: the payload shows", func(_ *testing.T, b *broken) {
			b.both(func(crypt) crypt {
				return func(_ context.Context, data []byte, _ keys.PublicKey) ([]byte, error) { return bytes.Clone(data), nil }
			})
		}},
		"hexadecimal for encryption": {"round trip: the peer, reading", func(_ *testing.T, b *broken) {
			b.encrypt = func(_ context.Context, data []byte, _ keys.PublicKey) ([]byte, error) {
				return hex.AppendEncode(nil, data), nil
			}
			b.decrypt = func(_ context.Context, data []byte, _ keys.PublicKey) ([]byte, error) {
				return hex.DecodeString(string(data))
			}
		}},
		// Case 13.
		"reads its own ciphertext alone": {"round trip: the peer, reading", func(_ *testing.T, b *broken) {
			b.encrypt = after(b.sound.Encrypt, func(d []byte, err error) ([]byte, error) { return append(d, '\n'), err })
			b.decrypt = before(b.sound.Decrypt, bytes.TrimSpace)
		}},
		"another plaintext": {"round trip: Decrypt of the peer's payload", func(_ *testing.T, b *broken) {
			b.decrypt = after(b.sound.Decrypt, func(d []byte, err error) ([]byte, error) { return bytes.ToUpper(d), err })
		}},
		"only the first peer": {"round trip: the peer, reading", func(_ *testing.T, b *broken) {
			var first keys.PublicKey
			b.encrypt = func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
				if first == (keys.PublicKey{}) {
					first = peer
				}
				return b.sound.Encrypt(ctx, data, first)
			}
		}},
		"not to oneself": {"round trip: Encrypt to oneself", func(_ *testing.T, b *broken) {
			b.encrypt = func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
				if peer == b.sk.PublicKey() {
					return nil, errOwn
				}
				return b.sound.Encrypt(ctx, data, peer)
			}
		}},
		// Case 14.
		"strips zeros of the shared x": {"shared x with a leading zero: the peer, reading", func(_ *testing.T, b *broken) {
			b.encrypt = func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
				x, err := sharedX(b.sk, peer)
				if err != nil || x[0] != 0 {
					return b.sound.Encrypt(ctx, data, peer)
				}
				key, err := hkdf.Extract(sha256.New, bytes.TrimLeft(x[:], "\x00"), []byte("nip44-v2"))
				if err != nil {
					return nil, err
				}
				ck, err := nip44.NewConversationKey(key)
				if err != nil {
					return nil, err
				}
				return ck.AppendEncrypt(nil, data, nil)
			}
		}},
		"one payload for one plaintext": {"encryption anew: two", func(_ *testing.T, b *broken) {
			kept := make(map[string][]byte)
			var mu sync.Mutex
			b.encrypt = func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
				mu.Lock()
				defer mu.Unlock()
				k := string(data) + string(peer[:])
				if kept[k] == nil || ctx.Err() != nil {
					payload, err := b.sound.Encrypt(ctx, data, peer)
					if err != nil {
						return nil, err
					}
					kept[k] = payload
				}
				return bytes.Clone(kept[k]), nil
			}
		}},
		// Case 3.
		"cuts the length to 16 bits": {"sizes: the peer reads", func(_ *testing.T, b *broken) {
			b.encrypt = before(b.sound.Encrypt, func(d []byte) []byte {
				if len(d) > 65_536 {
					return d[:len(d)&0xffff]
				}
				return d
			})
		}},
		"trims the plaintext": {"sizes: the peer reads", func(_ *testing.T, b *broken) { b.encrypt = before(b.sound.Encrypt, bytes.TrimSpace) }},
		"an unannounced limit": {"sizes: Decrypt of", func(_ *testing.T, b *broken) {
			b.decrypt = bounded{b.sound, nip44.LegacyMaxPlaintext}.Decrypt
		}},
		"nothing as a space": {"empty plaintext: Encrypt of nothing succeeds", func(_ *testing.T, b *broken) {
			b.encrypt = before(b.sound.Encrypt, func(d []byte) []byte {
				if len(d) == 0 {
					return []byte(" ")
				}
				return d
			})
		}},
		"replaces bytes that are no text": {"bytes that are no text: the peer reads", func(_ *testing.T, b *broken) {
			b.encrypt = before(b.sound.Encrypt, func(d []byte) []byte { return bytes.ToValidUTF8(d, []byte("\ufffd")) })
		}},
		"replaces bytes that are no text on the way back": {"bytes that are no text: Decrypt gives", func(_ *testing.T, b *broken) {
			b.decrypt = after(b.sound.Decrypt, func(d []byte, err error) ([]byte, error) { return bytes.ToValidUTF8(d, []byte("\ufffd")), err })
		}},

		"wipes the plaintext": {"round trip: Encrypt changed", func(_ *testing.T, b *broken) {
			b.encrypt = func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
				defer clear(data)
				return b.sound.Encrypt(ctx, data, peer)
			}
		}},
		"wipes the payload": {"round trip: Decrypt changed", func(_ *testing.T, b *broken) {
			b.decrypt = func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
				defer clear(data)
				return b.sound.Decrypt(ctx, data, peer)
			}
		}},
		"appends to the plaintext": {"slices: Encrypt wrote behind", func(_ *testing.T, b *broken) {
			b.encrypt = before(b.sound.Encrypt, func(d []byte) []byte { return append(d, 0)[:len(d)] })
		}},
		"appends to the payload": {"slices: Decrypt wrote behind", func(_ *testing.T, b *broken) {
			b.decrypt = before(b.sound.Decrypt, func(d []byte) []byte { return append(d, 0)[:len(d)] })
		}},
		"one buffer for all payloads": {"slices: two payloads share", func(_ *testing.T, b *broken) { b.encrypt = oneBuffer(b.sound.Encrypt) }},
		"one buffer for all texts":    {"slices: two plaintexts share", func(_ *testing.T, b *broken) { b.decrypt = oneBuffer(b.sound.Decrypt) }},
		"keeps the plaintext":         {"slices: the peer reads another plaintext", func(_ *testing.T, b *broken) { b.encrypt = keeping(b.sound.Encrypt) }},
		"keeps the payload":           {"slices: Decrypt of a payload in the place of another", func(_ *testing.T, b *broken) { b.decrypt = keeping(b.sound.Decrypt) }},
		"hands out what it keeps": {"slices: Decrypt of a payload again", func(_ *testing.T, b *broken) {
			kept := make(map[string][]byte)
			var mu sync.Mutex
			b.decrypt = func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
				mu.Lock()
				defer mu.Unlock()
				if text, ok := kept[string(data)+string(peer[:])]; ok {
					return bytes.Clone(text), nil
				}
				text, err := b.sound.Decrypt(ctx, data, peer)
				if err == nil {
					kept[string(data)+string(peer[:])] = text
				}
				return text, err
			}
		}},

		"tries every peer": {"wrong peer: Decrypt of a payload of another peer than named succeeds", func(_ *testing.T, b *broken) {
			var known []keys.PublicKey
			var mu sync.Mutex
			b.decrypt = func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
				mu.Lock()
				defer mu.Unlock()
				text, err := b.sound.Decrypt(ctx, data, peer)
				if err == nil {
					known = append(known, peer)
				}
				for i := len(known) - 1; i >= 0 && errors.Is(err, nip44.ErrMAC); i-- {
					text, err = b.sound.Decrypt(ctx, data, known[i])
				}
				return text, err
			}
		}},
		"an error of its own for the MAC": {"changed payload: Decrypt of a payload with a changed MAC", func(_ *testing.T, b *broken) {
			b.decrypt = after(b.sound.Decrypt, on(nip44.ErrMAC, nil, errOwn))
		}},
		"text that is not authentic": {"wrong peer: Decrypt returned a plaintext with", func(_ *testing.T, b *broken) {
			b.decrypt = after(b.sound.Decrypt, on(nip44.ErrMAC, []byte("x"), nip44.ErrMAC))
		}},
		"an error of its own for base64": {"malformed payload: Decrypt of a payload in the URL alphabet", func(_ *testing.T, b *broken) {
			b.decrypt = after(b.sound.Decrypt, on(nip44.ErrBase64, nil, errOwn))
		}},
		// Case 10.
		"skips line breaks": {"malformed payload: Decrypt of a payload with a line break succeeds", func(_ *testing.T, b *broken) {
			b.decrypt = before(b.sound.Decrypt, func(d []byte) []byte { return bytes.ReplaceAll(d, []byte("\n"), nil) })
		}},
		// Case 1.
		"does not check the padding": {"padding: Decrypt of an authentic payload with a length of zero succeeds", func(_ *testing.T, b *broken) {
			b.decrypt = after(b.sound.Decrypt, on(nip44.ErrPadding, nil, nil))
		}},
		"panics at bad padding": {"padding: Decrypt panicked", func(_ *testing.T, b *broken) {
			b.decrypt = after(b.sound.Decrypt, func(d []byte, err error) ([]byte, error) {
				if errors.Is(err, nip44.ErrPadding) {
					panic(err)
				}
				return d, err
			})
		}},
		// Case 15.
		"takes any peer": {"peer off the curve: Encrypt to a key of zero succeeds", func(_ *testing.T, b *broken) {
			b.encrypt = after(b.sound.Encrypt, on(keys.ErrPublicKey, []byte("x"), nil))
		}},
		"an error of its own for the peer": {"peer off the curve: Decrypt of a payload from a key of zero", func(_ *testing.T, b *broken) {
			b.decrypt = after(b.sound.Decrypt, on(keys.ErrPublicKey, nil, errOwn))
		}},

		// Case 18.
		"the key in an error": {"wrong peer: an error of Decrypt carries the secret key", func(_ *testing.T, b *broken) {
			raw, _ := b.sk.Bytes()
			b.decrypt = after(b.sound.Decrypt, on(nip44.ErrMAC, nil, fmt.Errorf("%w: %X", nip44.ErrMAC, raw)))
		}},
		"the key in an error, as bytes": {"wrong peer: an error of Decrypt carries the secret key", func(_ *testing.T, b *broken) {
			raw, _ := b.sk.Bytes()
			b.decrypt = after(b.sound.Decrypt, on(nip44.ErrMAC, nil, fmt.Errorf("%w: %v", nip44.ErrMAC, raw)))
		}},
		"the key in an error, as base64": {"wrong peer: an error of Decrypt carries the secret key", func(_ *testing.T, b *broken) {
			raw, _ := b.sk.Bytes()
			b.decrypt = after(b.sound.Decrypt, on(nip44.ErrMAC, nil, fmt.Errorf("%w: %s", nip44.ErrMAC, base64.URLEncoding.EncodeToString(raw))))
		}},
		"the end of the payload in an error": {"wrong peer: an error of Decrypt carries the data", func(_ *testing.T, b *broken) {
			b.decrypt = func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
				text, err := b.sound.Decrypt(ctx, data, peer)
				if err != nil && len(data) > 40 {
					err = fmt.Errorf("%w: the payload ends with %s", err, data[len(data)-40:])
				}
				return text, err
			}
		}},
		"the payload in an error": {"wrong peer: an error of Decrypt carries the data", func(_ *testing.T, b *broken) {
			b.decrypt = telling(b.sound.Decrypt)
		}},
		"the plaintext in an error": {"peer off the curve: an error of Encrypt carries the data", func(_ *testing.T, b *broken) {
			b.encrypt = telling(b.sound.Encrypt)
		}},

		"no context": {"ended context: Encrypt after the context has ended succeeds", func(_ *testing.T, b *broken) {
			b.everywhere(func(context.Context) error { return nil })
		}},
		"an error of its own for the context": {"ended context: SignEvent after the context has ended: the error", func(_ *testing.T, b *broken) {
			b.everywhere(func(ctx context.Context) error {
				if ctx.Err() != nil {
					return errOwn
				}
				return nil
			})
		}},
		"hangs when the context ends": {"ended context: Decrypt has not returned", func(t *testing.T, b *broken) {
			release := make(chan struct{})
			t.Cleanup(func() { close(release) })
			b.everywhere(func(ctx context.Context) error {
				if ctx.Err() != nil {
					<-release
				}
				return ctx.Err()
			})
		}},
		"looks at the context first only": {"context ends meanwhile: SignEvent went on", func(_ *testing.T, b *broken) {
			b.everywhere(func(ctx context.Context) error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				time.Sleep(time.Second)
				return nil
			})
		}},
		"hangs when the context ends meanwhile": {"context ends meanwhile: Encrypt has not returned", func(t *testing.T, b *broken) {
			release := make(chan struct{})
			t.Cleanup(func() { close(release) })
			b.everywhere(func(ctx context.Context) error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if time.Sleep(time.Second); ctx.Err() != nil {
					<-release
				}
				return nil
			})
		}},
		"an error of its own when the context ends meanwhile": {"context ends meanwhile: Decrypt, its context ending meanwhile: the error", func(_ *testing.T, b *broken) {
			b.everywhere(func(ctx context.Context) error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				select {
				case <-ctx.Done():
					return errOwn
				case <-time.After(time.Second):
					return nil
				}
			})
		}},
		"one peer at a time": {"concurrency: the peer, reading", func(_ *testing.T, b *broken) {
			var current keys.PublicKey
			var mu sync.Mutex
			b.encrypt = func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
				mu.Lock()
				current = peer
				mu.Unlock()
				time.Sleep(time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				return b.sound.Encrypt(ctx, data, current)
			}
		}},
		"works without its key": {"signer failure: SignEvent works without", func(_ *testing.T, b *broken) { b.lost = true }},
		"blames the data for a lost connection": {"signer failure: Decrypt without the key: the error", func(_ *testing.T, b *broken) {
			b.everywhere(func(ctx context.Context) error {
				if b.lost {
					return nip44.ErrMAC
				}
				return ctx.Err()
			})
		}},
	} {
		if testing.Short() && sample.IntN(8) > 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sk := newKey(t)
				id := newIdentity(t, sk)
				b := &broken{sound: id, sk: sk, pub: id.GetPublicKey, sign: id.SignEvent, encrypt: id.Encrypt, decrypt: id.Decrypt}
				c.f(t, b)
				o := &signertest.Options{Break: func(any) {
					if !b.lost {
						id.Close()
					}
					b.lost = true
				}}
				expect(t, signertest.Check(t.Context(), b, sk, o), c.want)
			})
		})
	}
}

// expect asks for a fault that begins with want, or for none when want is "".
func expect(t *testing.T, faults []error, want string) {
	t.Helper()
	if want == "" {
		for _, f := range faults {
			t.Error(f)
		}
		return
	}
	for _, f := range faults {
		if strings.HasPrefix(f.Error(), want) {
			return
		}
	}
	t.Errorf("no fault %q, but %d others:\n%v", want, len(faults), errors.Join(faults...))
}

func sharedX(sk *keys.SecretKey, pub keys.PublicKey) (x [32]byte, err error) {
	var k secp256k1.Scalar
	if err := sk.CopyScalar(&k); err != nil {
		return x, err
	}
	if !curve.ECDH(&x, &k, (*[32]byte)(&pub)) {
		return x, keys.ErrPublicKey
	}
	return x, nil
}

// oneBuffer returns all results in the same memory.
func oneBuffer(sound crypt) crypt {
	buffer := make([]byte, 1<<20)
	var mu sync.Mutex
	return func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		d, err := sound(ctx, data, peer)
		if err != nil {
			return nil, err
		}
		return buffer[:copy(buffer, d)], nil
	}
}

// keeping remembers the last slice it was given, and takes it for the same data
// the next time.
func keeping(sound crypt) crypt {
	var last, result []byte
	var mu sync.Mutex
	return func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		if len(data) > 0 && len(last) == len(data) && &last[0] == &data[0] {
			return bytes.Clone(result), nil
		}
		d, err := sound(ctx, data, peer)
		if err == nil {
			last, result = data, bytes.Clone(d)
		}
		return d, err
	}
}

// telling puts the data in its errors.
func telling(sound crypt) crypt {
	return func(ctx context.Context, data []byte, peer keys.PublicKey) ([]byte, error) {
		d, err := sound(ctx, data, peer)
		if err != nil {
			err = fmt.Errorf("%w: %q", err, data)
		}
		return d, err
	}
}

// The limit is that of the cipher's author.
func TestBrokenLimits(t *testing.T) {
	const limit = nip44.LegacyMaxPlaintext
	sk := newKey(t)
	id := newIdentity(t, sk)
	for _, c := range []struct {
		want   string
		cipher signer.Cipher
	}{
		{"", bounded{id, limit}},
		{"limit: Encrypt of one byte over the limit succeeds", bounded{id, limit + 1}},
		{"limit: Decrypt of a payload over the limit succeeds", bounded{id, limit + 1}},
		{"limit: Encrypt of 65535 bytes: nip44: too large", bounded{id, limit - 1}},
	} {
		faults := signertest.CheckCipher(t.Context(), c.cipher, sk, &signertest.Options{MaxPlaintext: limit})
		expect(t, faults, c.want)
	}
}

// batching is a sound cipher with broken batches.
type batching struct {
	signer.Cipher
	sound signer.BatchCipher
	f     func(call func(context.Context, []signer.Sealed) []signer.Opened, ctx context.Context, items []signer.Sealed) []signer.Opened
}

func (b batching) EncryptAll(ctx context.Context, items []signer.Sealed) []signer.Opened {
	return b.f(b.sound.EncryptAll, ctx, items)
}

func (b batching) DecryptAll(ctx context.Context, items []signer.Sealed) []signer.Opened {
	return b.f(b.sound.DecryptAll, ctx, items)
}

func TestBrokenBatches(t *testing.T) {
	type all = func(context.Context, []signer.Sealed) []signer.Opened
	for name, c := range map[string]struct {
		want string
		f    func(call all, ctx context.Context, items []signer.Sealed) []signer.Opened
	}{
		"sound": {"", func(call all, ctx context.Context, items []signer.Sealed) []signer.Opened { return call(ctx, items) }},
		"backwards": {"batch: EncryptAll, item 0: the peer reads", func(call all, ctx context.Context, items []signer.Sealed) []signer.Opened {
			r := call(ctx, items)
			for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
				r[i], r[j] = r[j], r[i]
			}
			return r
		}},
		"failures left out": {"batch: DecryptAll returned 3 results for 6 items", func(call all, ctx context.Context, items []signer.Sealed) []signer.Opened {
			var good []signer.Opened
			for _, r := range call(ctx, items) {
				if r.Err == nil {
					good = append(good, r)
				}
			}
			return good
		}},
		"one failure for all": {"batch: DecryptAll, item 0: ", func(call all, ctx context.Context, items []signer.Sealed) []signer.Opened {
			r := call(ctx, items)
			for i := range r {
				if r[i].Err != nil {
					for j := range r {
						r[j] = signer.Opened{Err: r[i].Err}
					}
				}
			}
			return r
		}},
		"failures not told": {"batch: EncryptAll, item 1 succeeds", func(call all, ctx context.Context, items []signer.Sealed) []signer.Opened {
			r := call(ctx, items)
			for i := range r {
				r[i].Err = nil
			}
			return r
		}},
		"data beside an error": {"batch: DecryptAll returned data with", func(call all, ctx context.Context, items []signer.Sealed) []signer.Opened {
			r := call(ctx, items)
			for i := range r {
				r[i].Data = append(r[i].Data, 0)
			}
			return r
		}},
		"items overwritten": {"batch: DecryptAll changed item 0", func(call all, ctx context.Context, items []signer.Sealed) []signer.Opened {
			r := call(ctx, items)
			clear(items)
			return r
		}},
		"payloads wiped": {"batch: EncryptAll changed item 0", func(call all, ctx context.Context, items []signer.Sealed) []signer.Opened {
			r := call(ctx, items)
			for i := range items {
				clear(items[i].Data)
			}
			return r
		}},
		"a hundred at a time": {"large batch: DecryptAll of 300 gives \"\", something", func(call all, ctx context.Context, items []signer.Sealed) []signer.Opened {
			r := call(ctx, items)
			for i := 100; i < len(r); i++ {
				r[i] = signer.Opened{Err: errOwn}
			}
			return r
		}},
		"no context": {"ended context: DecryptAll after the context has ended succeeds", func(call all, _ context.Context, items []signer.Sealed) []signer.Opened {
			return call(context.Background(), items)
		}},
		"a panic at nothing": {"batch: EncryptAll panicked", func(call all, ctx context.Context, items []signer.Sealed) []signer.Opened {
			_ = items[0]
			return call(ctx, items)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			sk := newKey(t)
			id := newIdentity(t, sk)
			expect(t, signertest.CheckCipher(t.Context(), batching{id, id, c.f}, sk, nil), c.want)
		})
	}
}
