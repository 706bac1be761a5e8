package interop

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// Three people, with the public keys that nostr-tools and go-nostr compute. The
// x that alice shares with carol begins with a zero byte; carol was searched for
// with btcec.
const (
	alice    = "5c0c523f52a5b6fad39ed2403092df8cebc36318b39383bca6c00808626fab3a"
	alicePub = "87d3561f19b74adbe8bf840682992466068830a9d8c36b4a0c99d36f826cb6cb"
	bob      = "4b22aa260e4acb7021e32f38a6cdf4b673c6a277755bfce287e370c924dc936d"
	bobPub   = "fa3b4f81a620c66514bda0302847df167ed02a483141b5939e57bdd0cf76ad3b"
	carol    = "45633697cbe1ff673576a69aab2cb43b3f44ad1d020180177396adb81a0493d7"
	carolPub = "36f92d5f7c6fe5d74449d100a47e682604c03944c4a83d1809c1eea0c728eea6"
)

// limit is the longest that a peer takes and the words with which it refuses
// one byte more.
type limit struct {
	longest int // bytes
	refusal string
}

// outcome is what a peer makes of something, or how it refuses it.
type outcome struct{ text, refusal string }

// expectation is what a peer is, and what it can do.
type expectation struct {
	name    string
	version string
	start   func(t *testing.T) peer
	checks  int // how many a whole run makes

	// Bare payloads, in bytes of plaintext. No limit means that the peer has
	// none that a test could reach.
	lengths []int  // in both directions, beside those that all peers take
	encrypt *limit // what it makes
	decrypt *limit // what it opens
	empty   string // how it refuses to encrypt nothing

	// Wraps, in bytes of the rumor's JSON.
	rumors []int  // in both directions, beside those that all peers take
	wrap   *limit // what it sends
	unwrap *limit // what it opens

	ephemeral string // how it refuses a wrap of kind 21059, or ""

	// Texts that may not be the same on the other side.
	bom       outcome // of decrypting U+FEFF and an x
	badUTF8   outcome // of decrypting an x and the byte FF
	surrogate outcome // of signing half a surrogate pair: as it stands in the JSON

	wrongKey string // how it refuses a payload for somebody else
	wrongID  string // how it refuses an event whose content was changed
	wrongSig string // how it refuses an event whose signature was changed
}

// The limits were measured with the versions named. The tests look at both sides
// of each.
var expectations = []*expectation{
	{
		// Reads and writes the extended form of 2026, by its source up to the
		// standard's 2^32-1 bytes.
		name:    "nostr-tools",
		version: "2.25.2",
		start:   func(t *testing.T) peer { return startNode(t, "nostr-tools", "nostr-tools") },
		checks:  1549,

		lengths: []int{65409, 65500, 65535, 65536, 65537, 70000, 200000},
		empty:   "invalid plaintext size: must be between 1 and 4294967295 bytes",

		rumors: []int{40961, 49152, 49153, 65535, 65536, 200000},

		ephemeral: "unexpected wrap kind 21059, expected 1059",

		bom:       outcome{text: "x"}, // TextDecoder drops a leading byte order mark
		badUTF8:   outcome{text: "x\ufffd"},
		surrogate: outcome{text: `\ud83d`}, // JSON.stringify's escape; the id is the hash of these six characters

		wrongKey: "invalid MAC",
		wrongID:  "verifyEvent: false",
		wrongSig: "verifyEvent: false",
	},
	{
		// The format of 2023. It encrypts up to 128 bytes less than 64 KiB, and
		// decrypts all that two bytes of length can say. In the extended form it
		// sees an empty message.
		name:    "nostr-sdk",
		version: "0.43.0",
		start:   func(t *testing.T) peer { return startNode(t, "nostr-sdk", "@rust-nostr/nostr-sdk") },
		checks:  1460,

		encrypt: &limit{65408, "message too long"},
		decrypt: &limit{65535, "message empty"},
		empty:   "message empty",

		wrap:   &limit{40960, "message too long"},
		unwrap: &limit{40960, "message empty"},

		ephemeral: "Not a Gift Wrap",

		bom:       outcome{text: "\ufeffx"},
		badUTF8:   outcome{refusal: "Error while encoding to UTF-8"},
		surrogate: outcome{refusal: "unexpected end of hex escape"},

		wrongKey: "invalid HMAC",
		wrongID:  "verify: false",
		wrongSig: "verify: false",
	},
	{
		// The format of 2023, with all that two bytes of length can say.
		name:    "go-nostr",
		version: "v0.38.2",
		start:   func(*testing.T) peer { return goNostr{} },
		checks:  1487,

		lengths: []int{65409, 65500, 65535},
		encrypt: &limit{65535, "plaintext should be between 1b and 64kB"},
		decrypt: &limit{65535, "invalid payload length: 87476"},
		empty:   "plaintext should be between 1b and 64kB",

		wrap:   &limit{40960, "plaintext should be between 1b and 64kB"},
		unwrap: &limit{40960, "invalid payload length: 109324"},

		bom:       outcome{text: "\ufeffx"},
		badUTF8:   outcome{text: "x\xff"},
		surrogate: outcome{text: "\ufffd"}, // replaced before it is hashed

		wrongKey: "invalid hmac",
		wrongID:  "CheckID: false",
		wrongSig: "CheckSignature: false",
	},
}

// summary is what TestMain prints: one part a peer.
var summary = make([]string, len(expectations))

func TestMain(m *testing.M) {
	code := m.Run()
	if line := strings.Join(slices.DeleteFunc(summary, func(s string) bool { return s == "" }), ", "); line != "" {
		fmt.Println("interop: " + line)
	}
	os.Exit(code)
}

func TestInterop(t *testing.T) {
	for i, e := range expectations {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			summary[i] = e.name + " " + e.version + ": not run"
			s := &suite{expectation: e, peer: e.start(t)}
			got, err := s.peer.version()
			s.check(t, err == nil && got == e.version, "version %s, the limits here are those of %s: %v", got, e.version, err)
			list := []struct {
				name string
				test func(*suite, *testing.T)
			}{
				{"lengths", (*suite).testLengths},
				{"roles", (*suite).testRoles},
				{"texts", (*suite).testTexts},
				{"limits", (*suite).testLimits},
				{"refusals", (*suite).testRefusals},
				{"events", (*suite).testEvents},
				{"surrogates", (*suite).testSurrogates},
				{"wraps", (*suite).testWraps},
				{"wrap kinds", (*suite).testWrapKinds},
				{"wrap limits", (*suite).testWrapLimits},
			}
			parts := 0 // fewer than the list when -run names one
			for _, part := range list {
				t.Run(part.name, func(t *testing.T) {
					parts++
					part.test(s, t)
				})
			}
			if parts == len(list) && s.checks != e.checks && !t.Failed() {
				t.Errorf("%d checks, want %d", s.checks, e.checks)
			}
			summary[i] = fmt.Sprintf("%s %s: %d checks", e.name, e.version, s.checks)
		})
	}
}

// suite is the run of one peer.
type suite struct {
	*expectation
	peer   peer
	checks int
}

// check counts one comparison with the peer.
func (s *suite) check(t *testing.T, ok bool, format string, args ...any) {
	t.Helper()
	s.checks++
	if !ok {
		t.Errorf(format, args...)
	}
}

// refuses checks that the peer refused, in the words expected.
func (s *suite) refuses(t *testing.T, err error, words, what string) {
	t.Helper()
	s.check(t, err != nil && words != "" && strings.Contains(err.Error(), words), "%s: error %v, want %q", what, err, words)
}

// becomes checks the outcome of something that the peer may change.
func (s *suite) becomes(t *testing.T, got string, err error, want outcome, what string) {
	t.Helper()
	if want.refusal != "" {
		s.refuses(t, err, want.refusal, what)
		return
	}
	s.check(t, err == nil && got == want.text, "%s: %q, %v, want %q", what, got, err, want.text)
}

// secretKey reads a secret of the test.
func secretKey(t *testing.T, secret string) *keys.SecretKey {
	t.Helper()
	sk, err := keys.ParseSecretKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	return sk
}

func publicKey(t *testing.T, pub string) keys.PublicKey {
	t.Helper()
	p, err := keys.ParsePublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func conversation(t *testing.T, secret, pub string) *nip44.ConversationKey {
	t.Helper()
	ck, err := nip44.DeriveConversationKey(secretKey(t, secret), publicKey(t, pub))
	if err != nil {
		t.Fatal(err)
	}
	return ck
}

func person(t *testing.T, secret string) *identity.Identity {
	t.Helper()
	id, err := identity.New(secretKey(t, secret))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { id.Close() })
	return id
}

// textOf is a text of n bytes with characters of every length.
func textOf(n int) string {
	const pattern = "Grüße, 你好 🙂 \"q\" \\ \n\t<&>\u2028 "
	var b strings.Builder
	for b.Len()+len(pattern) <= n {
		b.WriteString(pattern)
	}
	for b.Len() < n {
		b.WriteByte('.')
	}
	return b.String()
}

// roundTrip encrypts text from (a, aPub) to (b, bPub) there and here; all who
// hold the conversation's key, in either role and on either side, open it. It
// returns the peer's payload.
func (s *suite) roundTrip(t *testing.T, a, aPub, b, bPub, text string) string {
	t.Helper()
	key := conversation(t, a, bPub)
	theirs, err := s.peer.encrypt(a, bPub, text)
	if err != nil {
		s.check(t, false, "%d bytes: the peer does not encrypt: %v", len(text), err)
		return ""
	}
	ours, err := key.Encrypt(text)
	if err != nil {
		t.Fatal(err)
	}
	s.check(t, theirs != ours && len(theirs) == len(ours), "%d bytes: payloads of %d and %d characters, or equal", len(text), len(theirs), len(ours))
	for _, reader := range []struct {
		role, secret, pub string
		key               *nip44.ConversationKey
	}{
		{"receiver", b, aPub, conversation(t, b, aPub)},
		{"sender", a, bPub, key},
	} {
		got, err := reader.key.Decrypt(theirs)
		s.check(t, err == nil && got == text, "%d bytes: we as the %s do not open the peer's payload: %v", len(text), reader.role, err)
		got, err = s.peer.decrypt(reader.secret, reader.pub, theirs)
		s.check(t, err == nil && got == text, "%d bytes: the peer as the %s does not open its payload: %v", len(text), reader.role, err)
		got, err = s.peer.decrypt(reader.secret, reader.pub, ours)
		s.check(t, err == nil && got == text, "%d bytes: the peer as the %s does not open our payload: %v", len(text), reader.role, err)
	}
	return theirs
}

// Case 6 (65,409 and 65,500 bytes), Case 7 (70,000 and 200,000) and Case 13.
func (s *suite) testLengths(t *testing.T) {
	// Bytes of plaintext to characters of payload, from the padding rule of
	// NIP-44 by hand.
	payloads := map[int]int{
		1: 132, 32: 132, 33: 176, 255: 432, 1024: 1456, 40960: 54704, 65408: 87472,
		65409: 87472, 65500: 87472, 65535: 87472,
		65536: 87476, 65537: 109324, 70000: 109324, 200000: 305932,
	}
	for _, n := range append([]int{1, 32, 33, 255, 1024, 40960, 65408}, s.lengths...) {
		theirs := s.roundTrip(t, alice, alicePub, bob, bobPub, textOf(n))
		s.check(t, len(theirs) == payloads[n], "%d bytes: the peer's payload has %d characters, want %d", n, len(theirs), payloads[n])
	}
}

// Case 13 with the roles swapped, and Case 14: conv(a, B) = conv(b, A), also
// where the shared x begins with zero, and to oneself.
func (s *suite) testRoles(t *testing.T) {
	shared, err := btcec.ParsePubKey(testkit.Hex(t, "02"+carolPub))
	if err != nil {
		t.Fatal(err)
	}
	secret, _ := btcec.PrivKeyFromBytes(testkit.Hex(t, alice))
	if x := btcec.GenerateSharedSecret(secret, shared); x[0] != 0 {
		t.Fatalf("the x of alice and carol begins with %x", x[0])
	}

	const text = "who is who?"
	s.roundTrip(t, alice, alicePub, carol, carolPub, text)
	s.roundTrip(t, carol, carolPub, alice, alicePub, text)
	s.roundTrip(t, bob, bobPub, alice, alicePub, text)
	s.roundTrip(t, alice, alicePub, alice, alicePub, text)

	// Their public keys come from btcec, with both parities of y among them.
	parity := map[byte]bool{}
	for i := range 16 {
		sum := sha256.Sum256(fmt.Appendf(nil, "interop %d", i))
		_, pub := btcec.PrivKeyFromBytes(sum[:])
		compressed := pub.SerializeCompressed()
		parity[compressed[0]] = true
		a, aPub := hex.EncodeToString(sum[:]), hex.EncodeToString(compressed[1:])
		s.roundTrip(t, a, aPub, bob, bobPub, text)
	}
	if len(parity) != 2 {
		t.Fatal("every y has the same parity")
	}
}

// Every awkward text as a plaintext, and the two that not every peer keeps.
func (s *suite) testTexts(t *testing.T) {
	for _, text := range awkward() {
		if text != "" && !strings.HasPrefix(text, "\ufeff") {
			s.roundTrip(t, alice, alicePub, bob, bobPub, text)
		}
	}

	ours := conversation(t, alice, bobPub)
	payload, err := ours.Encrypt("\ufeffx")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.peer.decrypt(bob, alicePub, payload)
	s.becomes(t, got, err, s.bom, "byte order mark")
	theirs, err := s.peer.encrypt(bob, alicePub, "\ufeffx")
	if err == nil {
		got, err = ours.Decrypt(theirs)
	}
	s.check(t, err == nil && got == "\ufeffx", "the peer's byte order mark: %q, %v", got, err)

	// The byte call encrypts what is no text.
	raw, err := ours.AppendEncrypt(nil, []byte("x\xff"), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err = s.peer.decrypt(bob, alicePub, string(raw))
	s.becomes(t, got, err, s.badUTF8, "invalid UTF-8")
}

// Both sides of every limit, ours among them. Cases 3, 5 and 6.
func (s *suite) testLimits(t *testing.T) {
	ours := conversation(t, alice, bobPub)
	if l := s.encrypt; l != nil {
		theirs, err := s.peer.encrypt(alice, bobPub, textOf(l.longest))
		if err == nil {
			var got string
			got, err = ours.Decrypt(theirs)
			s.check(t, got == textOf(l.longest), "encrypt %d bytes: not what was encrypted", l.longest)
		}
		s.check(t, err == nil, "encrypt %d bytes: %v", l.longest, err)
		_, err = s.peer.encrypt(alice, bobPub, textOf(l.longest+1))
		s.refuses(t, err, l.refusal, fmt.Sprintf("encrypt %d bytes", l.longest+1))
	}
	if l := s.decrypt; l != nil {
		for n := l.longest; n <= l.longest+1; n++ {
			payload, err := ours.Encrypt(textOf(n))
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.peer.decrypt(bob, alicePub, payload)
			if n == l.longest {
				s.check(t, err == nil && got == textOf(n), "decrypt %d bytes: %v", n, err)
			} else {
				s.refuses(t, err, l.refusal, fmt.Sprintf("decrypt %d bytes", n))
			}
		}
		// LegacyOnly draws the line where the peer does.
		_, err := ours.AppendEncrypt(nil, make([]byte, l.longest+1), &nip44.Options{LegacyOnly: true})
		var size *nip44.SizeError
		s.check(t, errors.As(err, &size) && *size == nip44.SizeError{Size: uint64(l.longest) + 1, Limit: uint64(l.longest)}, "LegacyOnly: %v", err)
	}

	// Our own limit, where the peer can reach it: 1 MiB unless options say more.
	if s.encrypt == nil {
		for n := 1 << 20; n <= 1<<20+1; n++ {
			theirs, err := s.peer.encrypt(alice, bobPub, textOf(n))
			if err != nil {
				t.Fatal(err)
			}
			got, err := ours.Decrypt(theirs)
			if n == 1<<20 {
				s.check(t, err == nil && got == textOf(n), "decrypt %d bytes here: %v", n, err)
				continue
			}
			s.check(t, errors.Is(err, nip44.ErrTooLarge), "decrypt %d bytes here: %v", n, err)
			raised, err := ours.AppendDecrypt(nil, []byte(theirs), &nip44.Options{MaxPlaintext: uint64(n)})
			s.check(t, err == nil && string(raised) == textOf(n), "decrypt %d bytes here, with the limit raised: %v", n, err)
		}
	}

	_, err := s.peer.encrypt(alice, bobPub, "")
	s.refuses(t, err, s.empty, "encrypt nothing")
}

// What must not pass does not pass: without this, a peer that says yes to
// everything would go unnoticed.
func (s *suite) testRefusals(t *testing.T) {
	payload, err := conversation(t, alice, bobPub).Encrypt("for bob")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.peer.decrypt(carol, alicePub, payload)
	s.refuses(t, err, s.wrongKey, "decrypt with carol's key")
	theirs, err := s.peer.encrypt(alice, bobPub, "for bob")
	if err != nil {
		t.Fatal(err)
	}
	_, err = conversation(t, carol, alicePub).Decrypt(theirs)
	s.check(t, errors.Is(err, nip44.ErrMAC), "we decrypt with carol's key: %v", err)

	e := &event.Event{Kind: 1, CreatedAt: 1700000000, Content: "true"}
	if err := e.Sign(secretKey(t, alice)); err != nil {
		t.Fatal(err)
	}
	changed := *e
	changed.Content = "false"
	_, err = s.peer.verify(string(changed.AppendJSON(nil)))
	s.refuses(t, err, s.wrongID, "verify with other content")
	changed = *e
	changed.Sig[63] ^= 1
	_, err = s.peer.verify(string(changed.AppendJSON(nil)))
	s.refuses(t, err, s.wrongSig, "verify with another signature")
}

// wire is an event or a rumor as encoding/json sees it, for comparisons that
// use neither parser under test.
type wire struct {
	ID        string     `json:"id,omitempty"`
	PubKey    string     `json:"pubkey"`
	CreatedAt int64      `json:"created_at"`
	Kind      int        `json:"kind"`
	Tags      [][]string `json:"tags"`
	Content   string     `json:"content"`
	Sig       string     `json:"sig,omitempty"`
}

func (w wire) json(t *testing.T) string {
	t.Helper()
	text, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unsigned is w without what signing adds.
func (w wire) unsigned() wire {
	w.ID, w.Sig = "", ""
	return w
}

func readWire(t *testing.T, text string) wire {
	t.Helper()
	var w wire
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		t.Error(err)
	}
	return w
}

// tags are those of w as the library takes them.
func (w wire) tags() event.Tags {
	tags := make(event.Tags, len(w.Tags))
	for i, tag := range w.Tags {
		tags[i] = tag
	}
	return tags
}

// awkward are texts on which serialisers disagree: every control character,
// everything that some escape, and what looks like an escape. The last one is
// all of them in a row.
func awkward() []string {
	var texts []string
	for c := range byte(0x20) {
		texts = append(texts, string(rune(c)))
	}
	texts = append(texts, "\x7f",
		`"`, `\`, "/", "'", "`", "&", "<", ">", "</script>",
		`\u0041`, `\n`, `\\u2028`, `\"`, `"],"content":"`,
		"\u0080", "\u0085", "\u00a0", "\u00ad", "é", "e\u0301", "ß", "\u0600", "\u200d", "\u200f",
		"\u2028", "\u2029", "\u202e", "\ud7ff", "\ue000", "\ufdd0", "\ufeff", "\ufeffx", "\ufffd", "\ufffe", "\uffff",
		"\U00010000", "𝔘", "𠮷", "🙂", "👩🏽‍🌾", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇳🇬", "\U0010ffff",
		"", " ", "  two  ", "\r\n", "\x00\x00",
	)
	return append(texts, strings.Join(texts, "|"))
}

// Case 41: every awkward character in content and tags, signed there and
// verified here, and the reverse. All the peers agree with us on all of them:
// the controls that NIP-01 does not name are \u00xx in lower case.
func (s *suite) testEvents(t *testing.T) {
	for _, text := range awkward() {
		want := wire{
			PubKey: alicePub, CreatedAt: 1700000000, Kind: 1, Content: text,
			Tags: [][]string{{"t", text}, {text}, {"x", "a" + text + "b", ""}},
		}

		signed, err := s.peer.sign(alice, want.json(t))
		s.check(t, err == nil, "%q: the peer does not sign: %v", text, err)
		theirs, err := event.Parse([]byte(signed))
		if err != nil {
			s.check(t, false, "%q: we do not read the peer's event: %v", text, err)
			continue
		}
		err = theirs.Verify()
		s.check(t, err == nil, "%q: we do not verify the peer's event: %v", text, err)
		s.check(t, theirs.Content == text && reflect.DeepEqual(theirs.Tags, want.tags()), "%q: we read %q, %q", text, theirs.Content, theirs.Tags)
		s.check(t, reflect.DeepEqual(readWire(t, signed).unsigned(), want), "%q: the peer signed something else: %s", text, signed)

		ours := &event.Event{CreatedAt: want.CreatedAt, Kind: want.Kind, Tags: want.tags(), Content: text}
		if err := ours.Sign(secretKey(t, alice)); err != nil {
			t.Fatal(err)
		}
		s.check(t, ours.ID == theirs.ID, "%q: our id is %v, the peer's %v", text, ours.ID, theirs.ID)
		again, err := s.peer.verify(string(ours.AppendJSON(nil)))
		if err != nil {
			s.check(t, false, "%q: the peer does not verify our event: %v", text, err)
			continue
		}
		s.check(t, reflect.DeepEqual(readWire(t, again).unsigned(), want), "%q: the peer reads %s", text, again)
		s.check(t, readWire(t, again).Sig == ours.Sig.String(), "%q: the peer reads another signature", text)
	}
}

// Case 43: half a surrogate pair is no text. What a peer signs in its place is
// measured: an escape that stands for nothing is refused here, U+FFFD is a text.
func (s *suite) testSurrogates(t *testing.T) {
	signed, err := s.peer.sign(alice, `{"pubkey":"`+alicePub+`","created_at":1700000000,"kind":1,"tags":[],"content":"\ud83d"}`)
	_, content, _ := strings.Cut(signed, `"content":"`)
	content, _, _ = strings.Cut(content, `"`)
	s.becomes(t, content, err, s.surrogate, "half a surrogate pair")
	if err != nil {
		return
	}
	e, err := event.Parse([]byte(signed))
	if content == `\ud83d` {
		s.check(t, errors.Is(err, event.ErrUTF8), "we read half a surrogate pair: %v", err)
		return
	}
	s.check(t, err == nil && e.Verify() == nil, "we do not verify what replaced half a surrogate pair: %v", err)
}

// rumorOf is a rumor of alice's whose compact JSON, with its id, has n bytes.
func rumorOf(t *testing.T, n int) wire {
	t.Helper()
	w := wire{PubKey: alicePub, CreatedAt: 1700000000, Kind: 14, Tags: [][]string{{"p", bobPub}}}
	w.ID = strings.Repeat("0", 64)
	w.Content = strings.Repeat("x", n-len(w.json(t)))
	if len(w.json(t)) != n {
		t.Fatalf("the rumor has %d bytes, want %d", len(w.json(t)), n)
	}
	return w.unsigned()
}

// rumorIn opens a wrap for bob by its two payloads alone and returns the JSON
// text of the rumor.
func rumorIn(t *testing.T, wrap string) string {
	t.Helper()
	text := wrap
	for range 2 {
		e := readWire(t, text)
		inner, err := conversation(t, bob, e.PubKey).AppendDecrypt(nil, []byte(e.Content), &nip44.Options{MaxPlaintext: 1 << 21})
		if err != nil {
			t.Fatal(err)
		}
		text = string(inner)
	}
	return text
}

// theirWrap sends want from alice to bob through the peer, and opens it here.
// n is the length that the rumor's JSON must have in the wrap, 0 for any.
func (s *suite) theirWrap(t *testing.T, want wire, n int) {
	t.Helper()
	wrap, err := s.peer.wrap(alice, bobPub, want.json(t))
	if err != nil {
		s.check(t, false, "%d bytes: the peer does not wrap: %v", n, err)
		return
	}
	if rumor := rumorIn(t, wrap); n != 0 {
		s.check(t, len(rumor) == n, "the peer's rumor has %d bytes, want %d", len(rumor), n)
	}
	e, err := event.Parse([]byte(wrap))
	if err != nil {
		s.check(t, false, "%d bytes: we do not read the peer's wrap: %v", n, err)
		return
	}
	m, err := nip59.Unwrap(context.Background(), person(t, bob), e, nil)
	if err != nil {
		s.check(t, false, "%d bytes: we do not open the peer's wrap: %v", n, err)
		return
	}
	got := wire{
		PubKey: m.Rumor.PubKey.String(), CreatedAt: m.Rumor.CreatedAt, Kind: m.Rumor.Kind,
		Tags: readWire(t, string(m.Rumor.AppendJSON(nil))).Tags, Content: m.Rumor.Content,
	}
	s.check(t, reflect.DeepEqual(got, want), "%d bytes: we read another rumor than the peer sent", n)
	s.check(t, m.Sender.String() == alicePub, "%d bytes: the sender is %v", n, m.Sender)
}

// wrapHere sends want from alice to bob.
func wrapHere(t *testing.T, want wire, o *nip59.WrapOptions) (*event.Event, error) {
	t.Helper()
	r := nip59.NewRumor(publicKey(t, alicePub), want.CreatedAt, want.Kind, want.tags(), want.Content)
	return nip59.Wrap(context.Background(), person(t, alice), r, publicKey(t, bobPub), o)
}

// ourWrap sends want from alice to bob, to be opened by the peer, whose error
// it returns.
func (s *suite) ourWrap(t *testing.T, want wire, n int, o *nip59.WrapOptions) error {
	t.Helper()
	e, err := wrapHere(t, want, o)
	if err != nil {
		t.Fatal(err)
	}
	wrap := string(e.AppendJSON(nil))
	if rumor := rumorIn(t, wrap); n != 0 {
		s.check(t, len(rumor) == n, "our rumor has %d bytes, want %d", len(rumor), n)
	}
	_, err = s.peer.verify(wrap)
	s.check(t, err == nil, "%d bytes: the peer does not verify our wrap: %v", n, err)
	rumor, err := s.peer.unwrap(bob, wrap)
	if err != nil {
		return err
	}
	got := readWire(t, rumor)
	id := readWire(t, rumorIn(t, wrap)).ID
	s.check(t, got.ID == id, "%d bytes: the peer reads the id %s, want %s", n, got.ID, id)
	s.check(t, reflect.DeepEqual(got.unsigned(), want), "%d bytes: the peer reads another rumor than we sent", n)
	return nil
}

// Rumors with all awkward texts at once, and up to the longest that every
// reader opens.
func (s *suite) testWraps(t *testing.T) {
	texts := awkward()
	for _, text := range []string{texts[len(texts)-1], "\ufeff", ""} {
		want := wire{PubKey: alicePub, CreatedAt: 1700000000, Kind: 14, Tags: [][]string{{"p", bobPub}, {"subject", text}}, Content: text}
		s.theirWrap(t, want, 0)
		err := s.ourWrap(t, want, 0, nil)
		s.check(t, err == nil, "%q: the peer does not open our wrap: %v", text, err)
	}
	for _, n := range append([]int{1000, 8000, 32768, 32769, 40959, 40960}, s.rumors...) {
		s.theirWrap(t, rumorOf(t, n), n)
		err := s.ourWrap(t, rumorOf(t, n), n, nil)
		s.check(t, err == nil, "%d bytes: the peer does not open our wrap: %v", n, err)
	}
}

// Whatever options add to a wrap, the peer opens it, but for a kind that it
// does not know.
func (s *suite) testWrapKinds(t *testing.T) {
	want := rumorOf(t, 500)
	for _, o := range []nip59.WrapOptions{
		{Relay: "wss://relay.example.com/"},
		{Expiration: time.Hour},
		{Window: -1},
		{LegacyOnly: true},
	} {
		err := s.ourWrap(t, want, 500, &o)
		s.check(t, err == nil, "%+v: the peer does not open our wrap: %v", o, err)
	}
	err := s.ourWrap(t, want, 500, &nip59.WrapOptions{Kind: nip59.Ephemeral})
	if s.ephemeral == "" {
		s.check(t, err == nil, "the peer does not open an ephemeral wrap: %v", err)
	} else {
		s.refuses(t, err, s.ephemeral, "an ephemeral wrap")
	}
}

// Both sides of every limit. A rumor of more than 40,960 bytes pads to 49,152,
// so that the seal, in base64, is over the limits that the peers have for the
// outer layer, whichever of them it is.
func (s *suite) testWrapLimits(t *testing.T) {
	if l := s.wrap; l != nil {
		s.theirWrap(t, rumorOf(t, l.longest), l.longest)
		_, err := s.peer.wrap(alice, bobPub, rumorOf(t, l.longest+1).json(t))
		s.refuses(t, err, l.refusal, fmt.Sprintf("wrap a rumor of %d bytes", l.longest+1))
	}
	if l := s.unwrap; l != nil {
		err := s.ourWrap(t, rumorOf(t, l.longest), l.longest, nil)
		s.check(t, err == nil, "unwrap a rumor of %d bytes: %v", l.longest, err)
		err = s.ourWrap(t, rumorOf(t, l.longest+1), l.longest+1, nil)
		s.refuses(t, err, l.refusal, fmt.Sprintf("unwrap a rumor of %d bytes", l.longest+1))

		// LegacyOnly draws the line where the peer does.
		err = s.ourWrap(t, rumorOf(t, l.longest), l.longest, &nip59.WrapOptions{LegacyOnly: true})
		s.check(t, err == nil, "LegacyOnly, a rumor of %d bytes: %v", l.longest, err)
		_, err = wrapHere(t, rumorOf(t, l.longest+1), &nip59.WrapOptions{LegacyOnly: true})
		var size *nip44.SizeError
		s.check(t, errors.As(err, &size) && *size == nip44.SizeError{Size: uint64(l.longest) + 1, Limit: uint64(l.longest)}, "LegacyOnly: %v", err)
	}

	// Our own limit is 1 MiB a layer. Up to 655,360 bytes of rumor make a seal
	// with 873,908 characters of payload; one more pads to 786,432, and the
	// payload alone, 1,048,672 characters, is over the limit.
	if s.wrap == nil {
		s.theirWrap(t, rumorOf(t, 655360), 655360)
		wrap, err := s.peer.wrap(alice, bobPub, rumorOf(t, 655361).json(t))
		if err != nil {
			t.Fatal(err)
		}
		e, err := event.Parse([]byte(wrap))
		if err != nil {
			t.Fatal(err)
		}
		_, err = nip59.Unwrap(context.Background(), person(t, bob), e, nil)
		s.check(t, errors.Is(err, nip44.ErrTooLarge), "over our limit: %v", err)
		m, err := nip59.Unwrap(context.Background(), person(t, bob), e, &nip59.UnwrapOptions{MaxPlaintext: 1 << 21})
		s.check(t, err == nil && m.Rumor.Content == rumorOf(t, 655361).Content, "with the limit raised: %v", err)
	}
}
