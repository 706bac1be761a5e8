package bench

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/keyer"
	gonip59 "github.com/nbd-wtf/go-nostr/nip59"
)

// rounds is how many different inputs a row goes through.
const rounds = 64

// person is a key in the forms that implementations ask for.
type person struct {
	secret    [32]byte
	secretHex string
	pub       [32]byte // x-only
	pubHex    string
}

// personOf makes the person number i; the same in every run.
func personOf(i int) person {
	p := person{secret: sha256.Sum256(fmt.Appendf(nil, "person %d", i))}
	p.secretHex = hex.EncodeToString(p.secret[:])
	copy(p.pub[:], secp256k1.PrivKeyFromBytes(p.secret[:]).PubKey().SerializeCompressed()[1:])
	p.pubHex = hex.EncodeToString(p.pub[:])
	return p
}

var (
	alice = personOf(-1)
	bob   = personOf(-2)
	// peers are whom alice derives conversation keys with.
	peers = sync.OnceValue(func() (all [rounds]person) {
		for i := range all {
			all[i] = personOf(i)
		}
		return all
	})
)

// conversationKey is the answer of decred's curve and the standard library's
// HMAC: HKDF-Extract with the salt "nip44-v2" over the shared x-coordinate.
func conversationKey(own, peer person) []byte {
	pub := must(secp256k1.ParsePubKey(append([]byte{2}, peer.pub[:]...)))
	mac := hmac.New(sha256.New, []byte("nip44-v2"))
	mac.Write(secp256k1.GenerateSharedSecret(secp256k1.PrivKeyFromBytes(own.secret[:]), pub))
	return mac.Sum(nil)
}

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

// notes are the texts of signed events, by go-nostr.
var notes = sync.OnceValue(func() (texts [rounds][]byte) {
	for i, p := range peers() {
		e := note(i)
		check(e.Sign(p.secretHex))
		texts[i] = must(e.MarshalJSON())
	}
	return texts
})

// message is the content of a rumor of so many bytes.
func message(size int) string { return strings.Repeat("the boat leaves at six; ", size/24+1)[:size] }

// wrapped are the texts of gift wraps from alice to bob, each under a one-time key
// of its own: as many as one round of decryption does not make familiar.
func wrapped(size int) [][]byte {
	wrappedMu.Lock()
	defer wrappedMu.Unlock()
	if texts := wrappedTexts[size]; texts != nil {
		return texts
	}
	texts := make([][]byte, 256)
	for i := range texts {
		if size <= gonostrMaxMessage {
			texts[i] = must(gonostrWrap(alice, bob, size).MarshalJSON())
		} else {
			texts[i] = sealwrightWrap(alice, bob, size)
		}
	}
	wrappedTexts[size] = texts
	return texts
}

var (
	wrappedMu    sync.Mutex
	wrappedTexts = make(map[int][][]byte)
)

func gonostrWrap(from, to person, size int) nostr.Event {
	k := must(keyer.NewPlainKeySigner(from.secretHex))
	return must(gonip59.GiftWrap(gonostrRumor(from, size), to.pubHex, encryptTo(k, to), signWith(k), nil))
}
