package bench

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/mailru/easyjson"
	"github.com/nbd-wtf/go-nostr"
	gonip44 "github.com/nbd-wtf/go-nostr/nip44"
	"golang.org/x/crypto/chacha20"

	"github.com/sealwright/sealwright/protocol/nip44"
)

// person is a key in the forms that implementations ask for.
type person struct {
	secret    [32]byte
	secretHex string
	pub       [32]byte // x-only
	pubHex    string
}

// personOf makes the person number i, the same in every run.
func personOf(i int) person {
	p := person{secret: sha256.Sum256(fmt.Appendf(nil, "person %d", i))}
	p.secretHex = hex.EncodeToString(p.secret[:])
	copy(p.pub[:], secp256k1.PrivKeyFromBytes(p.secret[:]).PubKey().SerializeCompressed()[1:])
	p.pubHex = hex.EncodeToString(p.pub[:])
	return p
}

var alice, bob = personOf(-1), personOf(-2)

// crowd is how many keys and events a row goes through.
const crowd = 64

var people = sync.OnceValue(func() (all [crowd]person) {
	for i := range all {
		all[i] = personOf(i)
	}
	return all
})

// sharedX is the answer of decred: the x-coordinate of the product.
func sharedX(own, peer person) []byte {
	pub := must(secp256k1.ParsePubKey(append([]byte{2}, peer.pub[:]...)))
	return secp256k1.GenerateSharedSecret(secp256k1.PrivKeyFromBytes(own.secret[:]), pub)
}

// conversationKey is HKDF-Extract with the salt "nip44-v2" over the shared
// x-coordinate, by the standard library.
func conversationKey(own, peer person) (ck [32]byte) {
	mac := hmac.New(sha256.New, []byte("nip44-v2"))
	mac.Write(sharedX(own, peer))
	mac.Sum(ck[:0])
	return ck
}

// message is a text of so many bytes.
func message(size int) string { return strings.Repeat("the boat leaves at six; ", size/24+1)[:size] }

func isMessage(text string, size int) error {
	if text != message(size) {
		return errors.New("another message")
	}
	return nil
}

// payload is a message that the person number i has encrypted to alice, by
// go-nostr.
func payload(i, size int) string {
	return must(gonip44.Encrypt(message(size), conversationKey(people()[i], alice)))
}

// payloads are those of everybody.
func payloads(size int) [crowd]string {
	payloadsMu.Lock()
	defer payloadsMu.Unlock()
	all, ok := payloadsMade[size]
	if !ok {
		for i := range all {
			all[i] = payload(i, size)
		}
		payloadsMade[size] = all
	}
	return all
}

var (
	payloadsMu   sync.Mutex
	payloadsMade = make(map[int][crowd]string)
)

// note is the event that is signed, and verified: a reply with ten tags.
func note(i int) nostr.Event {
	e := nostr.Event{
		CreatedAt: nostr.Timestamp(1700000000 + i),
		Kind:      1,
		Content:   strings.Repeat("The boat leaves at six; bring the \"red\" kettle & a rope.\n", 5),
		Tags:      nostr.Tags{{"e", strings.Repeat("5c", 32), "wss://relay.example", "reply"}},
	}
	for j := range 9 {
		e.Tags = append(e.Tags, nostr.Tag{"p", personOf(100 + j).pubHex})
	}
	return e
}

// notes are the texts of signed events, by go-nostr, each of another author.
var notes = sync.OnceValue(func() (texts [crowd][]byte) {
	for i, p := range people() {
		e := note(i)
		check(e.Sign(p.secretHex))
		texts[i] = must(e.MarshalJSON())
	}
	return texts
})

// spoiled returns the texts of note i with another content, with the signature of
// another note and with the id of another.
func spoiled(i int) [3][]byte {
	texts := notes()
	var e, other nostr.Event
	check(easyjson.Unmarshal(texts[i], &e))
	check(easyjson.Unmarshal(texts[(i+1)%crowd], &other))
	forged, misnamed := e, e
	forged.Sig, misnamed.ID = other.Sig, other.ID
	return [3][]byte{
		bytes.Replace(texts[i], []byte("boat"), []byte("goat"), 1),
		must(forged.MarshalJSON()),
		must(misnamed.MarshalJSON()),
	}
}

// refusesSpoiled judges what verifies notes.
func refusesSpoiled(i int, verify func(text []byte) error) error {
	for _, text := range spoiled(i) {
		if verify(text) == nil {
			return errTaken
		}
	}
	return nil
}

// wraps are the texts of gift wraps from alice to bob of a message of so many
// bytes, n of them and no fewer than a hundred, each under a one-time key of its
// own; by go-nostr where it can.
func wraps(size, n int) [][]byte {
	wrapsMu.Lock()
	defer wrapsMu.Unlock()
	n = max(n, 100)
	texts := wrapsMade[size]
	for len(texts) < n {
		if size > gonostrMaxMessage {
			texts = append(texts, sealwrightWrap(alice, bob, size))
		} else {
			texts = append(texts, gonostrWrap(alice, bob, size))
		}
	}
	wrapsMade[size] = texts
	return texts[:n]
}

// wrapsFrom are wraps as those of wraps of a message of 32 bytes, one from each of the
// senders personOf(0), personOf(1), … to bob.
func wrapsFrom(n int) [][]byte {
	wrapsMu.Lock()
	defer wrapsMu.Unlock()
	for i := len(wrapsOfSenders); i < n; i++ {
		wrapsOfSenders = append(wrapsOfSenders, gonostrWrap(personOf(i), bob, 32))
	}
	return wrapsOfSenders[:n]
}

// writtenTo is how many of these senders bob has written to; the others have written.
const writtenTo = 500

// acquainted returns a fresh for a row that opens a wrap of each of n senders, which gets
// acquainted anew once they all were opened: a one-time key that comes again would be
// taken for a peer.
func acquainted(n int, acquaint func()) (fresh func(), opened func()) {
	count := n
	return func() {
		if count >= n {
			acquaint()
			count = 0
		}
	}, func() { count++ }
}

var (
	wrapsOfSenders [][]byte

	wrapsMu   sync.Mutex
	wrapsMade = make(map[int][][]byte)
)

// refusesSpoiledPayload judges what decrypts payloads, by one with another nonce,
// another ciphertext and another code.
func refusesSpoiledPayload(payload string, decrypt func(payload string) error) error {
	for _, at := range []int{8, len(payload) / 2, len(payload) - 8} {
		if decrypt(spoil(payload, at)) == nil {
			return errTaken
		}
	}
	return nil
}

// spoil returns a payload with another character at a place.
func spoil(payload string, at int) string {
	other := "A"
	if payload[at] == 'A' {
		other = "B"
	}
	return payload[:at] + other + payload[at+1:]
}

// forgedWraps are wraps from alice to bob of a message of so many bytes: with the
// signature of another wrap, with a payload that does not authenticate, and with the
// signature of another seal. The one that is good was made as they were.
func forgedWraps(size int) (good []byte, bad [3][]byte) {
	once, seal := personOf(-3), nostr.Event{CreatedAt: 1700000000, Kind: nostr.KindSeal, Tags: nostr.Tags{}}
	encrypt := func(from person, text string) string {
		ck := conversationKey(from, bob)
		return string(must(must(nip44.NewConversationKey(ck[:])).AppendEncrypt(nil, []byte(text), nil)))
	}
	wrap := func(seal nostr.Event) nostr.Event {
		return nostr.Event{CreatedAt: 1700000000, Kind: nostr.KindGiftWrap, Tags: nostr.Tags{{"p", bob.pubHex}}, Content: encrypt(once, seal.String())}
	}
	text := func(wrap nostr.Event) []byte {
		check(wrap.Sign(once.secretHex))
		return must(wrap.MarshalJSON())
	}
	seal.Content = encrypt(alice, exportUnsigned(gonostrRumor(alice, size), alice, ""))
	check(seal.Sign(alice.secretHex))
	whole := wrap(seal)
	good = text(whole)

	swapped, other := whole, whole
	other.CreatedAt++
	check(swapped.Sign(once.secretHex))
	check(other.Sign(once.secretHex))
	swapped.Sig = other.Sig
	bad[0] = must(swapped.MarshalJSON())

	changed := whole
	changed.Content = spoil(whole.Content, len(whole.Content)-8)
	bad[1] = text(changed)

	resealed := seal
	resealed.CreatedAt++
	check(resealed.Sign(alice.secretHex))
	forged := seal
	forged.Sig = resealed.Sig
	bad[2] = text(wrap(forged))
	return good, bad
}

// refusesForged judges what opens wraps.
func refusesForged(size int, open func(text []byte) error) error {
	good, bad := forgedWraps(size)
	if err := open(good); err != nil {
		return fmt.Errorf("a wrap made as the forged ones are: %w", err)
	}
	for _, text := range bad {
		if open(text) == nil {
			return errTaken
		}
	}
	return nil
}

// signed is a signature over 32 bytes, by btcec.
type signed struct {
	pub [32]byte
	msg [32]byte
	sig [64]byte
}

var signatures = sync.OnceValue(func() (all [crowd]signed) {
	for i, p := range people() {
		s := signed{pub: p.pub, msg: sha256.Sum256([]byte(p.pubHex))}
		copy(s.sig[:], must(schnorr.Sign(secp256k1.PrivKeyFromBytes(p.secret[:]), s.msg[:])).Serialize())
		all[i] = s
	}
	return all
})

// isSigned judges a signature by btcec.
func isSigned(p person, msg [32]byte, sig []byte) error {
	s, err := schnorr.ParseSignature(sig)
	if err != nil {
		return err
	}
	if !s.Verify(msg[:], must(schnorr.ParsePubKey(p.pub[:]))) {
		return errors.New("signature does not verify")
	}
	return nil
}

// errTaken tells that what was changed was accepted.
var errTaken = errors.New("takes what was changed")

// refused judges what became of something that was changed.
func refused(err error) error {
	if err == nil {
		return errTaken
	}
	return nil
}

// isSharedX judges the product of alice's key and the key of person i.
func isSharedX(i int, x []byte) error { return same(x, sharedX(alice, people()[i])) }

func same(got, want []byte) error {
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%.32x, not %.32x", got, want)
	}
	return nil
}

// Inputs of the symmetric rows, and their answers by x/crypto and the standard
// library.
var (
	chachaKey   = sha256.Sum256([]byte("key"))
	chachaNonce = [12]byte{1, 2, 3}
	macKey      = []byte("a key of 32 bytes, as NIP-44 has")
)

func isStream(text []byte) error {
	c := must(chacha20.NewUnauthenticatedCipher(chachaKey[:], chachaNonce[:]))
	want := make([]byte, len(text))
	c.XORKeyStream(want, raw(len(text)))
	return same(text, want)
}

func isCode(text []byte) error { return same(text, code(len(text))) }
func isRaw(data []byte) error  { return same(data, raw(len(data))) }

func isSum(sum []byte, n int) error {
	want := sha256.Sum256(raw(n))
	return same(sum, want[:])
}

func isMAC(sum []byte, n int) error {
	mac := hmac.New(sha256.New, macKey)
	mac.Write(raw(n))
	return same(sum, mac.Sum(nil))
}

// raw is data of so many bytes without a pattern, the same in every run.
func raw(n int) []byte {
	data := make([]byte, n)
	rand.NewChaCha8(chachaKey).Read(data)
	return data
}

// code is the base64 of raw in so many characters.
func code(chars int) []byte { return base64.StdEncoding.AppendEncode(nil, raw(chars/4*3)) }
