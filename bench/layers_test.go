package bench

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"unicode/utf8"

	"github.com/nbd-wtf/go-nostr"
	"golang.org/x/crypto/chacha20"

	ourbase64 "github.com/sealwright/sealwright/kernels/base64"
	ourchacha "github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/etm"
	oursha256 "github.com/sealwright/sealwright/kernels/sha256"
	"github.com/sealwright/sealwright/protocol/curve"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
)

// BenchmarkLayer takes the rows Encrypt and Decrypt (key=derived), Wrap and Unwrap
// apart: of=Row/layer=…/len=… is what that row does in one layer, by the same
// calls on texts of the same sizes.
//
//   - curve: lifting the peer's key and multiplying it; for Wrap also the one-time
//     key
//   - keys: the conversation key from the shared point, and the keys of each
//     payload, once for Encrypt and Decrypt, twice for the two layers of a wrap
//   - chacha20, mac, base64: over all payloads; etm is both of the first for what
//     encrypts, which has them beside each other
//   - json: writing rumor and seal; reading wrap, seal and rumor
//   - signature: ids, and signing or verifying them
//   - memory: allocating what payloads are written to and opened in; Wrap copies the
//     seal's payload, Unwrap both payloads. What JSON allocates is in json
//
// What a row takes beyond the sum is the calls around them: checks, caches, wiping,
// and that memory just allocated is in no cache of the processor.
//
// Encrypt and Decrypt with the conversation key at hand have some layers more; they
// share etm or chacha20 and mac, base64 and memory:
//
//   - expand: the keys of a payload from a kept conversation key
//   - nonce: 32 random bytes, for Encrypt
//   - utf8: the check of the text, which the calls on strings make
//   - kept: the whole, by the calls on bytes into a buffer with room for it
func BenchmarkLayer(b *testing.B) {
	for _, n := range []int{32, 1024, 64000} {
		for _, of := range []string{"Encrypt", "Decrypt", "Wrap", "Unwrap"} {
			texts, all := [][]byte{[]byte(message(n))}, letters(nil)
			if of == "Wrap" || of == "Unwrap" {
				all = lettersOf(n)
				texts = [][]byte{all[0].rumorText, all[0].sealText}
			}
			sealing := of == "Encrypt" || of == "Wrap"
			layers := []layer{
				{"curve", curveLayer(of == "Wrap")},
				{"keys", keysLayer(len(texts))},
				{"etm", nil},
				{"chacha20", nil},
				{"mac", nil},
				{"base64", base64Layer(texts, sealing)},
				{"json", nil},
				{"signature", nil},
				{"memory", memoryLayer(of, texts)},
			}
			if sealing {
				layers[2].work = etmLayer(texts)
			} else {
				layers[3].work, layers[4].work = chachaLayer(texts), macLayer(texts)
			}
			switch of {
			case "Encrypt":
				layers = append(layers, layer{"expand", expandLayer()}, layer{"nonce", nonceLayer()}, layer{"utf8", utf8Layer(n)}, layer{"kept", keptEncrypt(n)})
			case "Decrypt":
				layers = append(layers, layer{"expand", expandLayer()}, layer{"utf8", utf8Layer(n)}, layer{"kept", keptDecrypt(n)})
			case "Wrap":
				layers[6].work, layers[7].work = all[0].writes(), all[0].signs()
			case "Unwrap":
				layers[6].work, layers[7].work = all.reads(), all.verifies()
			}
			for _, l := range layers {
				if l.work != nil {
					b.Run(fmt.Sprintf("of=%s/layer=%s/len=%d/impl=sealwright", of, l.name, n), l.work.run)
				}
			}
		}
	}
}

type layer struct {
	name string
	work *work
}

func curveLayer(oneTime bool) *work {
	all, k := people(), scalarOf(alice.secret)
	var x [32]byte
	var sk *keys.SecretKey
	return &work{
		inputs: crowd,
		op: func(i int) {
			if oneTime {
				sk = secretKey(alice)
			}
			if !curve.ECDH(&x, &k, &all[i].pub) {
				panic("not on the curve")
			}
		},
		check: func(i int) error {
			if !oneTime {
				return isSharedX(i, x[:])
			}
			pub := sk.PublicKey()
			return errors.Join(isSharedX(i, x[:]), same(pub[:], alice.pub[:]))
		},
	}
}

func keysLayer(payloads int) *work {
	var extract oursha256.HMACKey
	extract.Init([]byte("nip44-v2"))
	x := sharedX(alice, bob)
	var okm [76]byte
	return &work{
		op: func(int) {
			var m oursha256.HMAC
			var prk [32]byte
			m.Init(&extract)
			m.Write(x)
			m.Sum(&prk)
			var ck, mac oursha256.HMACKey
			ck.Init(prk[:])
			for range payloads {
				oursha256.Expand(okm[:], &ck, macKey)
				mac.Init(okm[44:])
			}
		},
		check: func(int) error {
			ck := conversationKey(alice, bob)
			return same(okm[:], must(hkdf.Expand(sha256.New, ck[:], string(macKey), len(okm))))
		},
	}
}

func expandLayer() *work {
	key := conversationKey(alice, bob)
	var ck oursha256.HMACKey
	ck.Init(key[:])
	var okm [76]byte
	var mac oursha256.HMACKey
	return &work{
		op: func(int) {
			oursha256.Expand(okm[:], &ck, macKey)
			mac.Init(okm[44:])
		},
		check: func(int) error { return same(okm[:], must(hkdf.Expand(sha256.New, key[:], string(macKey), len(okm)))) },
	}
}

func nonceLayer() *work {
	var nonce, before [32]byte
	return &work{
		op: func(int) { must(rand.Read(nonce[:])) },
		check: func(int) error {
			if nonce == before {
				return errors.New("not random")
			}
			before = nonce
			return nil
		},
	}
}

func utf8Layer(n int) *work {
	text, valid := message(n), false
	return &work{
		op: func(int) { valid = utf8.ValidString(text) },
		check: func(int) error {
			if !valid {
				return errors.New("not UTF-8")
			}
			return nil
		},
	}
}

func keptEncrypt(n int) *work {
	all, text := people(), []byte(message(n))
	ck := must(nip44.DeriveConversationKey(secretKey(alice), all[0].pub))
	payload := make([]byte, 0, nip44.EncryptedLen(uint64(n)))
	return &work{
		op:    func(int) { payload = must(ck.AppendEncrypt(payload[:0], text, nil)) },
		check: func(int) error { return gonostrDecrypts(string(payload), all[0], n) },
	}
}

func keptDecrypt(n int) *work {
	payload := []byte(payloads(n)[0])
	ck := must(nip44.DeriveConversationKey(secretKey(alice), people()[0].pub))
	text := make([]byte, 0, nip44.MaxDecryptedLen(payload))
	return &work{
		op: func(int) { text = must(ck.AppendDecrypt(text[:0], payload, nil)) },
		check: func(int) error {
			return errors.Join(isMessage(string(text), n), refusesSpoiledPayload(string(payload), func(payload string) error {
				_, err := ck.AppendDecrypt(nil, []byte(payload), nil)
				return err
			}))
		},
	}
}

// headerLen is version and nonce of a payload, which lie before what is encrypted,
// tagLen the code behind it.
const headerLen, tagLen = 33, 32

// sealed are payloads of texts, decoded: version, nonce, what is encrypted, code.
func sealed(texts [][]byte) (payloads [][]byte) {
	ck := must(nip44.NewConversationKey(macKey))
	for _, text := range texts {
		payload := must(ck.AppendEncrypt(nil, text, nil))
		payloads = append(payloads, must(base64.StdEncoding.DecodeString(string(payload))))
	}
	return payloads
}

// bodies are what is encrypted in payloads.
func bodies(payloads [][]byte) (all [][]byte) {
	for _, p := range payloads {
		all = append(all, p[headerLen:len(p)-tagLen])
	}
	return all
}

// chunk is how much nip44 encrypts, authenticates and encodes at a time; it decrypts all
// at once.
const chunk = 48 * ourchacha.BlockSize

func chachaLayer(texts [][]byte) *work {
	all := bodies(sealed(texts))
	got := likes(all)
	return &work{
		op: func(int) {
			for i, body := range all {
				ourchacha.XORKeyStream(got[i], body, &chachaKey, &chachaNonce, 0)
			}
		},
		check: func(int) error { return areStreams(got, all) },
	}
}

func macLayer(texts [][]byte) *work {
	all := bodies(sealed(texts))
	got := make([][32]byte, len(all))
	var key oursha256.HMACKey
	key.Init(macKey)
	return &work{
		op: func(int) {
			for i, body := range all {
				var m oursha256.HMAC
				m.Init(&key)
				m.Write(chachaKey[:]) // as long as the nonce
				m.Write(body)
				m.Sum(&got[i])
			}
		},
		check: func(int) error { return areTags(got, all) },
	}
}

func etmLayer(texts [][]byte) *work {
	all := bodies(sealed(texts))
	got, tags := likes(all), make([][32]byte, len(all))
	var key oursha256.HMACKey
	key.Init(macKey)
	return &work{
		op: func(int) {
			for i, body := range all {
				var m oursha256.HMAC
				m.Init(&key)
				m.Write(chachaKey[:]) // as long as the nonce
				var waiting []byte
				for at := 0; at < len(body); at += chunk {
					end := min(at+chunk, len(body))
					now := got[i][at:end]
					etm.XORKeyStreamWrite(now, body[at:end], &chachaKey, &chachaNonce, uint32(at/ourchacha.BlockSize), &m, waiting)
					waiting = now
				}
				m.Write(waiting)
				m.Sum(&tags[i])
			}
		},
		check: func(int) error { return errors.Join(areStreams(got, all), areTags(tags, got)) },
	}
}

// likes are slices as long as those given.
func likes(all [][]byte) (l [][]byte) {
	for _, b := range all {
		l = append(l, make([]byte, len(b)))
	}
	return l
}

// areStreams checks what was encrypted, and areTags what was authenticated.
func areStreams(got, of [][]byte) (err error) {
	for i, body := range of {
		want := make([]byte, len(body))
		must(chacha20.NewUnauthenticatedCipher(chachaKey[:], chachaNonce[:])).XORKeyStream(want, body)
		err = errors.Join(err, same(got[i], want))
	}
	return err
}

func areTags(got [][32]byte, of [][]byte) (err error) {
	for i, body := range of {
		m := hmac.New(sha256.New, macKey)
		m.Write(chachaKey[:])
		m.Write(body)
		err = errors.Join(err, same(got[i][:], m.Sum(nil)))
	}
	return err
}

func base64Layer(texts [][]byte, sealing bool) *work {
	from := sealed(texts)
	var to, want [][]byte
	for i, p := range from {
		chars := base64.StdEncoding.AppendEncode(nil, p)
		if !sealing {
			from[i], p, chars = chars, chars, p
		}
		want, to = append(want, chars), append(to, make([]byte, len(chars)))
	}
	return &work{
		op: func(int) {
			for i, p := range from {
				switch {
				case !sealing:
					if _, ok := ourbase64.Decode(to[i], p); !ok {
						panic("not base64")
					}
				default:
					out := to[i]
					for len(p) > chunk {
						ourbase64.Encode(out[:chunk/3*4], p[:chunk])
						out, p = out[chunk/3*4:], p[chunk:]
					}
					ourbase64.Encode(out, p)
				}
			}
		},
		check: func(int) error {
			var errs []error
			for i := range to {
				errs = append(errs, same(to[i], want[i]))
			}
			return errors.Join(errs...)
		},
	}
}

func memoryLayer(of string, texts [][]byte) *work {
	var sizes []int
	for i, p := range sealed(texts) {
		chars, body := base64.StdEncoding.EncodedLen(len(p)), len(p)-headerLen-tagLen
		switch {
		case of == "Encrypt", of == "Wrap" && i > 0:
			sizes = append(sizes, chars)
		case of == "Wrap":
			sizes = append(sizes, chars, chars)
		case of == "Decrypt":
			sizes = append(sizes, body)
		case of == "Unwrap":
			sizes = append(sizes, chars, body)
		}
	}
	made := make([][]byte, len(sizes))
	return &work{
		op: func(int) {
			for i, n := range sizes {
				made[i] = make([]byte, n)
			}
		},
		check: func(int) error {
			for i, n := range sizes {
				if len(made[i]) != n {
					return fmt.Errorf("%d bytes, not %d", len(made[i]), n)
				}
			}
			return nil
		},
	}
}

// letter is a wrap from alice to bob and all that is in it.
type letter struct {
	wrapText, sealText, rumorText []byte
	wrap, seal, rumor             *event.Event
}

// letters are many, since what reads and verifies one alone would be learnt by the
// processor's branch prediction.
type letters []*letter

func lettersOf(size int) (all letters) {
	for _, text := range wraps(size, 1) {
		all = append(all, openLetter(text))
	}
	return all
}

func openLetter(text []byte) *letter {
	l := &letter{wrapText: text, wrap: must(event.Parse(text))}
	open := func(outer *event.Event) []byte {
		ck := must(nip44.DeriveConversationKey(secretKey(bob), outer.PubKey))
		return must(ck.AppendDecrypt(nil, []byte(outer.Content), nil))
	}
	l.sealText = open(l.wrap)
	l.seal = must(event.Parse(l.sealText))
	l.rumorText = open(l.seal)
	rumor, _, err := event.ParseUnsigned(l.rumorText)
	check(err)
	l.rumor = rumor
	return l
}

func (l *letter) writes() *work {
	var rumor, seal []byte
	return &work{
		op: func(int) {
			rumor = l.rumor.AppendUnsignedJSON(nil)
			seal = l.seal.AppendJSON(nil)
		},
		check: func(int) error {
			var r, s nostr.Event
			return errors.Join(json.Unmarshal(rumor, &r), json.Unmarshal(seal, &s), gonostrCheck(&s),
				same([]byte(r.Content), []byte(l.rumor.Content)), same([]byte(s.Content), []byte(l.seal.Content)))
		},
	}
}

func (all letters) reads() *work {
	var wrap, seal, rumor *event.Event
	return &work{
		inputs: len(all),
		op: func(i int) {
			var err error
			wrap = must(event.Parse(all[i].wrapText))
			seal, _, err = event.ParseUnsigned(all[i].sealText)
			check(err)
			rumor, _, err = event.ParseUnsigned(all[i].rumorText)
			check(err)
		},
		check: func(i int) error {
			var errs []error
			for _, e := range []struct {
				got  *event.Event
				text []byte
			}{{wrap, all[i].wrapText}, {seal, all[i].sealText}, {rumor, all[i].rumorText}} {
				var want nostr.Event
				errs = append(errs, json.Unmarshal(e.text, &want), same([]byte(e.got.Content), []byte(want.Content)), same([]byte(e.got.ID.String()), []byte(want.ID)))
			}
			return errors.Join(errs...)
		},
	}
}

func (l *letter) signs() *work {
	sk := secretKey(alice)
	unsigned := func(e event.Event) *event.Event {
		e.ID, e.PubKey, e.Sig = event.ID{}, keys.PublicKey{}, event.Signature{}
		return &e
	}
	var wrap, seal *event.Event
	var id event.ID
	return &work{
		op: func(int) {
			id = l.rumor.ComputeID()
			seal, wrap = unsigned(*l.seal), unsigned(*l.wrap)
			check(seal.Sign(sk))
			check(wrap.Sign(sk))
		},
		check: func(int) error {
			return errors.Join(gonostrVerify(seal.AppendJSON(nil)), gonostrVerify(wrap.AppendJSON(nil)), same(id[:], l.rumor.ID[:]))
		},
	}
}

func (all letters) verifies() *work {
	verify := func(wrap, seal *event.Event) error { return errors.Join(wrap.Verify(), seal.Verify()) }
	var id event.ID
	return &work{
		inputs: len(all),
		op: func(i int) {
			check(verify(all[i].wrap, all[i].seal))
			id = all[i].rumor.ComputeID()
		},
		check: func(i int) error {
			wrap, seal := *all[i].wrap, *all[i].seal
			wrap.CreatedAt++
			seal.CreatedAt++
			return errors.Join(refused(verify(&wrap, all[i].seal)), refused(verify(all[i].wrap, &seal)), same(id[:], all[i].rumor.ID[:]))
		},
	}
}
