package main

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"golang.org/x/crypto/chacha20"
)

// A party is somebody with a key, which follows from the name: the corpus is
// the same on every run.
type party struct {
	sk     *btcec.PrivateKey
	secret [32]byte
	hex    string // of the x-only public key

	known map[string][]byte // conversation keys, by the other's public key
}

func newParty(name string) *party {
	secret := sha256.Sum256([]byte("sealwright hostile corpus: " + name))
	sk, pub := btcec.PrivKeyFromBytes(secret[:])
	return &party{sk: sk, secret: secret, hex: hex.EncodeToString(schnorr.SerializePubKey(pub)), known: map[string][]byte{}}
}

// conversationKey is get_conversation_key of NIP-44; nil when the public key,
// in hexadecimal, is no point.
func (p *party) conversationKey(pubHex string) []byte {
	if ck, ok := p.known[pubHex]; ok {
		return ck
	}
	raw, err := hex.DecodeString(pubHex)
	if err != nil {
		return nil
	}
	pub, err := schnorr.ParsePubKey(raw)
	if err != nil {
		return nil
	}
	prk, err := hkdf.Extract(sha256.New, btcec.GenerateSharedSecret(p.sk, pub), []byte("nip44-v2"))
	must(err)
	p.known[pubHex] = prk
	return prk
}

// sign returns the BIP-340 signature of a hash, in hexadecimal.
func (p *party) sign(hash []byte) string {
	sig, err := schnorr.Sign(p.sk, hash, schnorr.CustomNonce([32]byte{}), schnorr.FastSign())
	must(err)
	return hex.EncodeToString(sig.Serialize())
}

// messageKeys is get_message_keys of NIP-44.
func messageKeys(ck, nonce []byte) (key, chachaNonce, hmacKey []byte) {
	okm, err := hkdf.Expand(sha256.New, ck, string(nonce), 76)
	must(err)
	return okm[:32], okm[32:44], okm[44:]
}

// authenticated encrypts a block as it stands and authenticates it: the payload
// of whoever holds the key and keeps none of the rules of padding.
func authenticated(ck, block []byte) string {
	nonce := sha256.Sum256(block)
	key, chachaNonce, hmacKey := messageKeys(ck, nonce[:])
	stream, err := chacha20.NewUnauthenticatedCipher(key, chachaNonce)
	must(err)
	raw := make([]byte, 33+len(block), 65+len(block))
	raw[0] = 2
	copy(raw[1:], nonce[:])
	stream.XORKeyStream(raw[33:], block)
	mac := hmac.New(sha256.New, hmacKey)
	mac.Write(raw[1:])
	return base64.StdEncoding.EncodeToString(mac.Sum(raw))
}

// paddedLen is calc_padded_len of NIP-44, as the text has it.
func paddedLen(n int) int {
	if n <= 32 {
		return 32
	}
	nextPower := 1
	for nextPower < n {
		nextPower *= 2
	}
	chunk := 32
	if nextPower > 256 {
		chunk = nextPower / 8
	}
	return chunk * ((n-1)/chunk + 1)
}

// pad is the pad of NIP-44. An empty text, which cannot be encrypted, gets the
// block that its length asks for.
func pad(text []byte) []byte {
	n := len(text)
	if n < 1<<16 {
		return block(binary.BigEndian.AppendUint16(nil, uint16(n)), text, paddedLen(n))
	}
	return block(binary.BigEndian.AppendUint32([]byte{0, 0}, uint32(n)), text, paddedLen(n))
}

// block puts text behind a prefix and fills it with zeros up to padded bytes.
func block(prefix, text []byte, padded int) []byte {
	b := make([]byte, len(prefix)+padded)
	copy(b[copy(b, prefix):], text)
	return b
}

// A template is an event whose fields are JSON texts, so that each may be one
// that no event can have.
type template struct {
	pubkey, createdAt, kind, tags, content string
	id, sig                                string // computed when empty
}

// signed computes what is absent of id and sig. A field in its usual form
// stands in the preimage as in the event; of any other the id means nothing,
// and readers never come to it.
func (t template) signed(by *party) template {
	hash := sha256.Sum256(fmt.Appendf(nil, `[0,%s,%s,%s,%s,%s]`, t.pubkey, t.createdAt, t.kind, t.tags, t.content))
	if t.id == "" {
		t.id = quote(hex.EncodeToString(hash[:]))
	}
	if t.sig == "" && by != nil {
		t.sig = quote(by.sign(hash[:]))
	}
	return t
}

// text is the JSON of the event; without a signature that of a rumor.
func (t template) text() []byte {
	b := fmt.Appendf(nil, `{"id":%s,"pubkey":%s,"created_at":%s,"kind":%s,"tags":%s,"content":%s`, t.id, t.pubkey, t.createdAt, t.kind, t.tags, t.content)
	if t.sig != "" {
		b = fmt.Appendf(b, `,"sig":%s`, t.sig)
	}
	return append(b, '}')
}

// quote returns a JSON string of what needs no escape.
func quote(s string) string { return `"` + s + `"` }

// A builder has the people of the corpus and builds layer upon layer: alice
// writes to bob, once signs the wraps, mallory is somebody else.
type builder struct {
	alice, bob, once, mallory *party

	sealKey, wrapKey []byte // conversation keys
	texts            [3][]byte
}

func newBuilder() *builder {
	b := &builder{alice: newParty("alice"), bob: newParty("bob"), once: newParty("one-time key"), mallory: newParty("mallory")}
	b.sealKey = b.alice.conversationKey(b.bob.hex)
	b.wrapKey = b.once.conversationKey(b.bob.hex)
	b.texts[rumorLayer] = b.rumorText()
	b.texts[sealLayer] = b.sealAround(b.texts[rumorLayer])
	b.texts[wrapLayer] = b.wrapAround(b.texts[sealLayer])
	return b
}

func (b *builder) rumor() template {
	return template{pubkey: quote(b.alice.hex), createdAt: "1700000000", kind: "14", tags: `[]`, content: `"ahoy"`}
}

func (b *builder) seal(payload string) template {
	return template{pubkey: quote(b.alice.hex), createdAt: "1699990000", kind: "13", tags: `[]`, content: quote(payload)}
}

func (b *builder) wrap(payload string) template {
	return template{pubkey: quote(b.once.hex), createdAt: "1699980000", kind: "1059", tags: `[["p",` + quote(b.bob.hex) + `]]`, content: quote(payload)}
}

// inner is a signed event that is no seal, for wraps of a single layer.
func (b *builder) inner() template {
	return template{pubkey: quote(b.alice.hex), createdAt: "1700000000", kind: "1", tags: `[]`, content: `"ahoy"`}
}

// The good text of each layer, and each around any text of the one within.

func (b *builder) rumorText() []byte { return b.rumor().signed(nil).text() }

func (b *builder) sealAround(text []byte) []byte {
	return b.seal(authenticated(b.sealKey, pad(text))).signed(b.alice).text()
}

func (b *builder) wrapAround(text []byte) []byte {
	return b.wrap(authenticated(b.wrapKey, pad(text))).signed(b.once).text()
}

// The layers of the builder, from the outermost in.
const (
	wrapLayer = iota
	sealLayer
	rumorLayer
)

// good is a copy of the good text of a layer.
func (b *builder) good(layer int) []byte { return bytes.Clone(b.texts[layer]) }

// template is what the good text of a layer is made of, not yet signed.
func (b *builder) template(layer int) template {
	switch layer {
	case rumorLayer:
		return b.rumor()
	case sealLayer:
		return b.seal(authenticated(b.sealKey, pad(b.good(rumorLayer))))
	}
	return b.wrap(authenticated(b.wrapKey, pad(b.good(sealLayer))))
}

// author signs the events of a layer; nobody signs a rumor.
func (b *builder) author(layer int) *party {
	return []*party{b.once, b.alice, nil}[layer]
}

// around puts the text of a layer into the layers around it: what a relay sees.
func (b *builder) around(layer int, text []byte) []byte {
	if layer == rumorLayer {
		text = b.sealAround(text)
	}
	if layer >= sealLayer {
		text = b.wrapAround(text)
	}
	return text
}

// key is the conversation key of the payload that a layer carries.
func (b *builder) key(layer int) []byte {
	if layer == wrapLayer {
		return b.wrapKey
	}
	return b.sealKey
}

// carrying makes the line whose wrap or seal carries the payload, signed anew.
func (b *builder) carrying(layer int, payload string) []byte {
	if layer == wrapLayer {
		return b.wrap(payload).signed(b.once).text()
	}
	return b.around(sealLayer, b.seal(payload).signed(b.alice).text())
}

// insert puts more members behind the opening brace of an object.
func insert(object []byte, members string) []byte {
	return append([]byte("{"+members+","), object[1:]...)
}

// replace replaces the one occurrence of old.
func replace(text []byte, old, new string) []byte {
	if bytes.Count(text, []byte(old)) != 1 {
		panic("hostile: " + old + " does not occur once")
	}
	return bytes.Replace(text, []byte(old), []byte(new), 1)
}

// without drops a member of the top object, by its key.
func without(text []byte, key string) []byte {
	var members []string
	dec := json.NewDecoder(bytes.NewReader(text))
	_, err := dec.Token()
	must(err)
	for dec.More() {
		name, err := dec.Token()
		must(err)
		var value json.RawMessage
		must(dec.Decode(&value))
		if name != key {
			members = append(members, quote(name.(string))+":"+string(value))
		}
	}
	return []byte("{" + strings.Join(members, ",") + "}")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
