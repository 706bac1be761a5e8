package gonostr

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/keyer"
	theirs44 "github.com/nbd-wtf/go-nostr/nip44"
	"github.com/nbd-wtf/go-nostr/nip49"
	theirs59 "github.com/nbd-wtf/go-nostr/nip59"
	"golang.org/x/crypto/chacha20"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
	"github.com/sealwright/sealwright/protocol/signer"
)

const (
	bobHex = "4b22aa260e4acb7021e32f38a6cdf4b673c6a277755bfce287e370c924dc936d"
	eveHex = "0000000000000000000000000000000000000000000000000000000000000003"
	// The order of the group, which is no secret key, and which go-nostr quotes
	// in an error.
	orderHex = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
)

func plainKeyer(t *testing.T, sk string) keyer.KeySigner {
	t.Helper()
	k, err := keyer.NewPlainKeySigner(sk)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func login(t *testing.T, sk string) *identity.Identity {
	t.Helper()
	key, err := keys.ParseSecretKey(sk)
	if err != nil {
		t.Fatal(err)
	}
	id, err := identity.New(key)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { id.Close() })
	return id
}

func publicKey(t *testing.T, sk string) keys.PublicKey {
	t.Helper()
	return login(t, sk).PublicKey()
}

// manual is a keyer of go-nostr that no adapter knows, around another.
func manual(k keyer.Keyer) keyer.ManualSigner {
	return keyer.ManualSigner{
		ManualGetPublicKey: k.GetPublicKey,
		ManualSignEvent:    k.SignEvent,
		ManualEncrypt:      k.Encrypt,
		ManualDecrypt:      k.Decrypt,
	}
}

// Every way to send against every way to receive: both libraries' code, with
// both libraries' keyers.
func TestWrapThroughOneUnwrapThroughTheOther(t *testing.T) {
	ctx := context.Background()
	alice, bob := publicKey(t, aliceHex), publicKey(t, bobHex)

	sendOurs := func(k signer.Keyer) func(*testing.T, *nip59.Rumor) *nostr.Event {
		return func(t *testing.T, r *nip59.Rumor) *nostr.Event {
			wrap, err := nip59.Wrap(ctx, k, r, bob, nil)
			if err != nil {
				t.Fatal(err)
			}
			e, err := ToEvent(wrap)
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
	}
	sendTheirs := func(k keyer.Keyer) func(*testing.T, *nip59.Rumor) *nostr.Event {
		return func(t *testing.T, r *nip59.Rumor) *nostr.Event {
			rumor, err := ToRumor(r)
			if err != nil {
				t.Fatal(err)
			}
			wrap, err := theirs59.GiftWrap(*rumor, bob.String(),
				func(plaintext string) (string, error) { return k.Encrypt(ctx, plaintext, bob.String()) },
				func(e *nostr.Event) error { return k.SignEvent(ctx, e) }, nil)
			if err != nil {
				t.Fatal(err)
			}
			return &wrap
		}
	}
	receiveOurs := func(k signer.Keyer) func(*testing.T, *nostr.Event) *nip59.Rumor {
		return func(t *testing.T, wrap *nostr.Event) *nip59.Rumor {
			e, err := FromEvent(wrap)
			if err != nil {
				t.Fatal(err)
			}
			m, err := nip59.Unwrap(ctx, k, e, nil)
			if err != nil {
				t.Fatal(err)
			}
			if m.Sender != alice {
				t.Errorf("sender %v", m.Sender)
			}
			return m.Rumor
		}
	}
	receiveTheirs := func(k keyer.Keyer) func(*testing.T, *nostr.Event) *nip59.Rumor {
		return func(t *testing.T, wrap *nostr.Event) *nip59.Rumor {
			rumor, err := theirs59.GiftUnwrap(*wrap, func(peer, payload string) (string, error) { return k.Decrypt(ctx, payload, peer) })
			if err != nil {
				t.Fatal(err)
			}
			r, err := FromRumor(&rumor)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
	}

	ourAlice, theirAlice := login(t, aliceHex), plainKeyer(t, aliceHex)
	ourBob, theirBob := login(t, bobHex), plainKeyer(t, bobHex)
	senders := []struct {
		name string
		send func(*testing.T, *nip59.Rumor) *nostr.Event
	}{
		{"our code, our keyer", sendOurs(ourAlice)},
		{"our code, their keyer", sendOurs(FromKeyer(theirAlice))},
		{"our code, their manual keyer", sendOurs(FromKeyer(manual(theirAlice)))},
		{"our code, our keyer there and back", sendOurs(FromKeyer(ToKeyer(ourAlice)))},
		{"their code, their keyer", sendTheirs(theirAlice)},
		{"their code, our keyer", sendTheirs(ToKeyer(ourAlice))},
		{"their code, their keyer there and back", sendTheirs(ToKeyer(FromKeyer(theirAlice)))},
	}
	receivers := []struct {
		name    string
		receive func(*testing.T, *nostr.Event) *nip59.Rumor
	}{
		{"our code, our keyer", receiveOurs(ourBob)},
		{"our code, their keyer", receiveOurs(FromKeyer(theirBob))},
		{"our code, their keyer by pointer", receiveOurs(FromKeyer(&theirBob))},
		{"our code, their manual keyer", receiveOurs(FromKeyer(manual(theirBob)))},
		{"our code, our keyer there and back", receiveOurs(FromKeyer(ToKeyer(ourBob)))},
		{"their code, their keyer", receiveTheirs(theirBob)},
		{"their code, our keyer", receiveTheirs(ToKeyer(ourBob))},
		{"their code, their keyer there and back", receiveTheirs(ToKeyer(FromKeyer(theirBob)))},
	}
	tags := event.Tags{}
	for _, tag := range awkwardTags() {
		tags = append(tags, tag)
	}
	for _, s := range senders {
		for _, r := range receivers {
			t.Run(s.name+" to "+r.name, func(t *testing.T) {
				for _, content := range []string{"", strings.Join(awkward, "|") + strings.Repeat("é", 9000)} {
					sent := nip59.NewRumor(alice, 1700000000, 14, tags, content)
					if got := r.receive(t, s.send(t, sent)); !reflect.DeepEqual(got, sent) {
						t.Errorf("got %#v, sent %#v", got, sent)
					}
				}
			})
		}
	}
}

func TestRoundTripOfPlaintexts(t *testing.T) {
	ctx := context.Background()
	alice, bob := publicKey(t, aliceHex), publicKey(t, bobHex)
	a, b := FromKeyer(plainKeyer(t, aliceHex)), login(t, bobHex)
	binary := make([]byte, 256)
	for i := range binary {
		binary[i] = byte(i)
	}
	for _, plaintext := range [][]byte{
		{0}, []byte("a"), binary, bytes.Repeat(binary, 100),
		make([]byte, 32), make([]byte, 33), make([]byte, 65535),
	} {
		payload, err := a.Encrypt(ctx, plaintext, bob)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.Decrypt(ctx, payload, alice); err != nil || !bytes.Equal(got, plaintext) {
			t.Errorf("%d bytes: %v", len(plaintext), err)
		}
		if payload, err = b.Encrypt(ctx, plaintext, alice); err != nil {
			t.Fatal(err)
		}
		if got, err := a.Decrypt(ctx, payload, bob); err != nil || !bytes.Equal(got, plaintext) {
			t.Errorf("%d bytes: %v", len(plaintext), err)
		}
	}
}

// blockPayload is a payload with a true MAC around any block, which no honest
// writer makes. It is made without this module's code.
func blockPayload(t *testing.T, ours, peer string, block []byte) string {
	t.Helper()
	ck, err := theirs44.GenerateConversationKey(peer, ours)
	if err != nil {
		t.Fatal(err)
	}
	nonce := bytes.Repeat([]byte{7}, 32)
	okm, err := hkdf.Expand(sha256.New, ck[:], string(nonce), 76)
	if err != nil {
		t.Fatal(err)
	}
	c, err := chacha20.NewUnauthenticatedCipher(okm[:32], okm[32:44])
	if err != nil {
		t.Fatal(err)
	}
	ciphertext := make([]byte, len(block))
	c.XORKeyStream(ciphertext, block)
	mac := hmac.New(sha256.New, okm[44:])
	mac.Write(nonce)
	mac.Write(ciphertext)
	raw := append([]byte{2}, nonce...)
	raw = append(raw, ciphertext...)
	return base64.StdEncoding.EncodeToString(mac.Sum(raw))
}

// wrapOf signs a wrap for Bob around a payload of the key once.
func wrapOf(t *testing.T, once, payload string) *event.Event {
	t.Helper()
	e := &nostr.Event{Kind: 1059, CreatedAt: 1700000000, Tags: nostr.Tags{{"p", publicKey(t, bobHex).String()}}, Content: payload}
	if err := e.Sign(once); err != nil {
		t.Fatal(err)
	}
	ours, err := FromEvent(e)
	if err != nil {
		t.Fatal(err)
	}
	return ours
}

// replaced has one byte of s replaced.
func replaced(s string, i int) string {
	c := byte('A')
	if s[i] == c {
		c = 'B'
	}
	return s[:i] + string(c) + s[i+1:]
}

// A go-nostr keyer must give each wrap the class that an identity gives it,
// or one that is not final.
func TestClasses(t *testing.T) {
	ctx := context.Background()
	alice, bob := login(t, aliceHex), publicKey(t, bobHex)
	theirBob := plainKeyer(t, bobHex)

	rumor := nip59.NewRumor(alice.PublicKey(), 1700000000, 14, nil, strings.Repeat("hello ", 10))
	good, err := nip59.Wrap(ctx, alice, rumor, bob, nil)
	if err != nil {
		t.Fatal(err)
	}
	long, err := nip59.Wrap(ctx, alice, nip59.NewRumor(alice.PublicKey(), 1700000000, 14, nil, strings.Repeat("x", 70000)), bob, nil)
	if err != nil {
		t.Fatal(err)
	}
	noPadding := append([]byte{0, 33}, make([]byte, 32)...)
	empty := make([]byte, 34)
	// 131 bytes: two of the last digit's bits stand for nothing, and are zero.
	spare := blockPayload(t, eveHex, bob.String(), append([]byte{0, 40}, make([]byte, 64)...))
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	spare = spare[:174] + digits[strings.IndexByte(digits, spare[174])+1:][:1] + "="
	notUTF8 := append([]byte{0, 3, '{', '"', 0xff}, make([]byte, 29)...)

	for _, c := range []struct {
		name   string
		wrap   *event.Event
		known  nip59.Class // by an identity and by a KeySigner
		remote nip59.Class // by a keyer whose texts nobody knows
	}{
		{"MAC", wrapOf(t, eveHex, replaced(good.Content, 60)), nip59.ClassNotForMe, nip59.ClassSigner},
		{"length and padding disagree", wrapOf(t, eveHex, blockPayload(t, eveHex, bob.String(), noPadding)), nip59.ClassMalformed, nip59.ClassSigner},
		{"empty plaintext", wrapOf(t, eveHex, blockPayload(t, eveHex, bob.String(), empty)), nip59.ClassMalformed, nip59.ClassSigner},
		{"plaintext not UTF-8", wrapOf(t, eveHex, blockPayload(t, eveHex, bob.String(), notUTF8)), nip59.ClassMalformed, nip59.ClassMalformed},
		{"base64", wrapOf(t, eveHex, good.Content[:40]+"_"+good.Content[41:]), nip59.ClassMalformed, nip59.ClassMalformed},
		{"line breaks", wrapOf(t, eveHex, good.Content[:40]+"\r\n\r\n"+good.Content[44:]), nip59.ClassMalformed, nip59.ClassMalformed},
		{"spare bits", wrapOf(t, eveHex, spare), nip59.ClassMalformed, nip59.ClassMalformed},
		{"version", wrapOf(t, eveHex, "Aw"+good.Content[2:]), nip59.ClassMalformed, nip59.ClassMalformed},
		{"short", wrapOf(t, eveHex, good.Content[:64]), nip59.ClassMalformed, nip59.ClassMalformed},
		{"NIP-04", wrapOf(t, eveHex, "aGVsbG8gaGVsbG8gaGVsbG8=?iv=MDEyMzQ1Njc4OWFiY2RlZg=="), nip59.ClassMalformed, nip59.ClassMalformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, k := range map[string]struct {
				keyer signer.Keyer
				want  nip59.Class
			}{
				"identity":  {login(t, bobHex), c.known},
				"KeySigner": {FromKeyer(theirBob), c.known},
				"pointer":   {FromKeyer(&theirBob), c.known},
				"manual":    {FromKeyer(manual(theirBob)), c.remote},
				"twice":     {FromKeyer(ToKeyer(FromKeyer(theirBob))), c.known},
			} {
				if name == "twice" && c.name == "plaintext not UTF-8" {
					continue // strings lie between: nip44.ErrUTF8, see TestNotUTF8
				}
				_, err := nip59.Unwrap(ctx, k.keyer, c.wrap, nil)
				if got := nip59.Classify(err); got != k.want {
					t.Errorf("%s: %s, want %s: %v", name, got, k.want, err)
				}
			}
		})
	}

	// go-nostr itself takes any bits for spare ones.
	eve := publicKey(t, eveHex)
	if _, err := theirBob.Decrypt(ctx, spare, eve.String()); err != nil {
		t.Errorf("got %v", err)
	}
	if _, err := FromKeyer(theirBob).Decrypt(ctx, []byte(spare), eve); err != nip44.ErrBase64 {
		t.Errorf("got %v", err)
	}

	// go-nostr cannot open what is too long for it. The wrap is good.
	if _, err := nip59.Unwrap(ctx, login(t, bobHex), long, nil); err != nil {
		t.Fatal(err)
	}
	_, err = nip59.Unwrap(ctx, FromKeyer(theirBob), long, nil)
	var size *nip44.SizeError
	if !errors.As(err, &size) || size.Limit != 87472 || nip59.Classify(err) != nip59.ClassTooLarge {
		t.Errorf("got %v", err)
	}
	_, err = nip59.Unwrap(ctx, FromKeyer(manual(theirBob)), long, nil)
	if nip59.Classify(err) != nip59.ClassSigner {
		t.Errorf("got %v", err)
	}
}

// Whatever goes wrong in the keyer itself is not the wrap's fault.
func TestKeyerFailures(t *testing.T) {
	alice, bob := login(t, aliceHex), publicKey(t, bobHex)
	wrap, err := nip59.Wrap(context.Background(), alice, nip59.NewRumor(alice.PublicKey(), 1, 14, nil, "hello"), bob, nil)
	if err != nil {
		t.Fatal(err)
	}
	works := plainKeyer(t, bobHex)
	offline := errors.New("relay is offline")
	decrypts := func(f func(string) (string, error)) keyer.Keyer {
		k := manual(works)
		k.ManualDecrypt = func(_ context.Context, payload, _ string) (string, error) { return f(payload) }
		return k
	}
	tells := func(pub string, err error) keyer.Keyer {
		k := manual(works)
		k.ManualGetPublicKey = func(context.Context) (string, error) { return pub, err }
		return k
	}
	ncryptsec, err := nip49.Encrypt(bobHex, "secret", 4, nip49.ClientDoesNotTrackThisData)
	if err != nil {
		t.Fatal(err)
	}
	encrypted, err := keyer.New(context.Background(), nil, ncryptsec, &keyer.SignerOptions{
		PasswordHandler: func(context.Context) string { return "secret" },
	})
	if err != nil {
		t.Fatal(err)
	}

	for _, c := range []struct {
		name  string
		keyer keyer.Keyer
		op    Op
		cause error // nil when none is told
	}{
		{"no keyer", nil, OpGetPublicKey, ErrNilKeyer},
		{"offline", decrypts(func(string) (string, error) { return "", offline }), OpDecrypt, offline},
		{"offline at once", tells("", offline), OpGetPublicKey, offline},
		{"context of its own", decrypts(func(string) (string, error) { return "", context.DeadlineExceeded }), OpDecrypt, context.DeadlineExceeded},
		{"no public key", tells("", nil), OpGetPublicKey, ErrAnswer},
		{"public key in upper case", tells(strings.ToUpper(bob.String()), nil), OpGetPublicKey, ErrAnswer},
		{"public key off the curve", tells(strings.Repeat("0", 63)+"5", nil), OpGetPublicKey, ErrAnswer},
		{"complains of its own key", tells("", keys.ErrPublicKey), OpGetPublicKey, nil},
		{"complains of the peer's key", decrypts(func(string) (string, error) { return "", keys.ErrPublicKey }), OpDecrypt, nil},
		{"fails to parse its own protocol", decrypts(func(string) (string, error) {
			_, err := event.Parse(nil)
			return "", fmt.Errorf("response: %w", err)
		}), OpDecrypt, nil},
		{"a KeySigner's text from another", decrypts(func(string) (string, error) { return "", errors.New("invalid padding") }), OpDecrypt, nil},
		{"nothing", decrypts(func(string) (string, error) { return "", nil }), OpDecrypt, ErrAnswer},
		{"another plaintext", decrypts(func(string) (string, error) { return "x", nil }), OpDecrypt, ErrAnswer},
		{"the payload", decrypts(func(payload string) (string, error) { return payload, nil }), OpDecrypt, ErrAnswer},
		{"encrypts, as BunkerSigner does", decrypts(func(payload string) (string, error) {
			return works.Encrypt(context.Background(), payload, bob.String())
		}), OpDecrypt, ErrAnswer},
		{"EncryptedKeySigner", encrypted, OpDecrypt, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := nip59.Unwrap(context.Background(), FromKeyer(c.keyer), wrap, nil)
			var failure *KeyerError
			if !errors.As(err, &failure) || failure.Op != c.op {
				t.Fatalf("got %v", err)
			}
			if c.cause != nil && !errors.Is(err, c.cause) {
				t.Errorf("got %v, want %v", failure.Unwrap(), c.cause)
			}
			if got := nip59.Classify(err); got != nip59.ClassSigner {
				t.Errorf("class %s", got)
			}
		})
	}

	// A plaintext is never empty, also where the length of the payload fits.
	short, err := works.Encrypt(context.Background(), "x", bob.String())
	if err != nil {
		t.Fatal(err)
	}
	nothing := FromKeyer(decrypts(func(string) (string, error) { return "", nil }))
	if got, err := nothing.Decrypt(context.Background(), []byte(short), bob); got != nil || !errors.Is(err, ErrAnswer) {
		t.Errorf("got %q, %v", got, err)
	}

	// What a keyer tells by the errors of nip44 is taken for what it is.
	for cause, class := range map[error]nip59.Class{
		nip44.ErrMAC:      nip59.ClassNotForMe,
		nip44.ErrPadding:  nip59.ClassMalformed,
		nip44.ErrTooLarge: nip59.ClassTooLarge,
	} {
		k := FromKeyer(decrypts(func(string) (string, error) { return "", fmt.Errorf("bunker: %w", cause) }))
		if _, err := nip59.Unwrap(context.Background(), k, wrap, nil); nip59.Classify(err) != class || !errors.Is(err, cause) {
			t.Errorf("%v: got %v", cause, err)
		}
	}
}

// go-nostr's bunker reports the end of a context as a text.
func TestContext(t *testing.T) {
	bob := publicKey(t, bobHex)
	ctx, cancel := context.WithCancel(context.Background())
	k := manual(plainKeyer(t, aliceHex))
	text := errors.New("context canceled")
	k.ManualGetPublicKey = func(context.Context) (string, error) { cancel(); return "", text }
	k.ManualDecrypt = func(context.Context, string, string) (string, error) { cancel(); return "", text }
	a := FromKeyer(k)

	payload, err := a.Encrypt(ctx, []byte("hello"), bob)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Decrypt(ctx, payload, bob); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	// Now every call ends before it begins.
	asked := errors.New("asked all the same")
	k.ManualGetPublicKey = func(context.Context) (string, error) { return "", asked }
	k.ManualSignEvent = func(context.Context, *nostr.Event) error { return asked }
	k.ManualEncrypt = func(context.Context, string, string) (string, error) { return "", asked }
	k.ManualDecrypt = k.ManualEncrypt
	a = FromKeyer(k)
	_, errKey := a.GetPublicKey(ctx)
	errSign := a.SignEvent(ctx, &event.Event{})
	_, errEncrypt := a.Encrypt(ctx, []byte("hello"), bob)
	_, errDecrypt := a.Decrypt(ctx, payload, bob)
	for _, err := range []error{errKey, errSign, errEncrypt, errDecrypt} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// A goroutine that waits for another's GetPublicKey stops with its context.
func TestContextWhileWaiting(t *testing.T) {
	k := manual(plainKeyer(t, aliceHex))
	begun, release := make(chan struct{}), make(chan struct{})
	calls := 0
	k.ManualGetPublicKey = func(context.Context) (string, error) {
		calls++
		close(begun)
		<-release
		return publicKey(t, aliceHex).String(), nil
	}
	a := FromKeyer(k)
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := a.GetPublicKey(context.Background()); err != nil {
			t.Error(err)
		}
	})
	<-begun
	ctx, cancel := context.WithCancel(context.Background())
	wg.Go(func() {
		if _, err := a.GetPublicKey(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		close(release)
	})
	cancel()
	wg.Wait()
	if pub, err := a.GetPublicKey(context.Background()); err != nil || pub != publicKey(t, aliceHex) || calls != 1 {
		t.Errorf("got %v, %v after %d calls", pub, err, calls)
	}
}

func TestFromKeyerSignEvent(t *testing.T) {
	ctx := context.Background()
	alice := publicKey(t, aliceHex)
	works := plainKeyer(t, aliceHex)

	for _, author := range []keys.PublicKey{{}, alice} {
		tags := event.Tags{{"t", controls()}}
		e := &event.Event{ID: event.ID{1}, Sig: event.Signature{1}, PubKey: author, Kind: 1, CreatedAt: 5, Tags: tags, Content: "<&>"}
		if err := FromKeyer(works).SignEvent(ctx, e); err != nil {
			t.Fatal(err)
		}
		if err := e.Verify(); err != nil || e.PubKey != alice {
			t.Errorf("got %v, %v", e.PubKey, err)
		}
		want := &event.Event{ID: e.ID, PubKey: alice, Sig: e.Sig, Kind: 1, CreatedAt: 5, Tags: event.Tags{{"t", controls()}}, Content: "<&>"}
		if !reflect.DeepEqual(e, want) {
			t.Errorf("changed: %#v", e)
		}
	}

	asked := event.Event{Kind: 1, CreatedAt: 5, Tags: event.Tags{{"t", "a"}}, Content: "hello"}
	for _, c := range []struct {
		name string
		sign func(*nostr.Event) error
	}{
		{"nothing", func(*nostr.Event) error { return nil }},
		{"another content", func(e *nostr.Event) error { e.Content += "!"; return e.Sign(aliceHex) }},
		{"another kind", func(e *nostr.Event) error { e.Kind = 0; return e.Sign(aliceHex) }},
		{"another time", func(e *nostr.Event) error { e.CreatedAt++; return e.Sign(aliceHex) }},
		{"another tag", func(e *nostr.Event) error { e.Tags[0][1] = "b"; return e.Sign(aliceHex) }},
		{"one more tag", func(e *nostr.Event) error { e.Tags = append(e.Tags, nostr.Tag{"client"}); return e.Sign(aliceHex) }},
		{"another author", func(e *nostr.Event) error { return e.Sign(eveHex) }},
		{"a false id", func(e *nostr.Event) error {
			err := e.Sign(aliceHex)
			e.ID = replaced(e.ID, 0)
			return err
		}},
		{"a false signature", func(e *nostr.Event) error {
			err := e.Sign(aliceHex)
			e.Sig = e.Sig[:127] + map[bool]string{true: "1", false: "0"}[e.Sig[127] == '0']
			return err
		}},
		{"upper case", func(e *nostr.Event) error {
			err := e.Sign(aliceHex)
			e.Sig = strings.ToUpper(e.Sig)
			return err
		}},
		{"a true signature for another author", func(e *nostr.Event) error {
			err := e.Sign(aliceHex)
			e.PubKey = publicKey(t, eveHex).String()
			return err
		}},
		{"another event", func(e *nostr.Event) error { *e = nostr.Event{}; return nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := manual(works)
			k.ManualSignEvent = func(_ context.Context, e *nostr.Event) error { return c.sign(e) }
			e := asked
			e.Tags = asked.Tags.Clone()
			if err := FromKeyer(k).SignEvent(ctx, &e); !errors.Is(err, ErrAnswer) {
				t.Errorf("got %v", err)
			}
			if !reflect.DeepEqual(e, asked) {
				t.Errorf("changed: %#v", e)
			}
		})
	}

	for _, c := range []struct {
		e     *event.Event
		cause error
	}{
		{nil, event.ErrNil},
		{&event.Event{Kind: -1}, event.ErrKind},
		{&event.Event{Content: "\xff"}, event.ErrUTF8},
		{&event.Event{PubKey: publicKey(t, eveHex)}, event.ErrWrongKey},
	} {
		if err := FromKeyer(works).SignEvent(ctx, c.e); !errors.Is(err, c.cause) {
			t.Errorf("got %v, want %v", err, c.cause)
		}
	}
}

func TestFromKeyerEncrypt(t *testing.T) {
	ctx := context.Background()
	bob := publicKey(t, bobHex)
	works := plainKeyer(t, aliceHex)
	offCurve := keys.PublicKey{31: 5}

	for _, k := range []keyer.Keyer{works, &works, manual(works)} {
		if _, err := FromKeyer(k).Encrypt(ctx, nil, bob); err != nip44.ErrEmpty {
			t.Errorf("got %v", err)
		}
		if _, err := FromKeyer(k).Encrypt(ctx, []byte("a"), offCurve); err != keys.ErrPublicKey {
			t.Errorf("got %v", err)
		}
		payload, err := FromKeyer(k).Encrypt(ctx, []byte("a"), bob)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := FromKeyer(k).Decrypt(ctx, payload, offCurve); err != keys.ErrPublicKey {
			t.Errorf("got %v", err)
		}
	}
	var size *nip44.SizeError
	if _, err := FromKeyer(works).Encrypt(ctx, make([]byte, 65536), bob); !errors.As(err, &size) || size.Size != 65536 || size.Limit != 65535 {
		t.Errorf("got %v", err)
	}
	if _, err := FromKeyer(manual(works)).Encrypt(ctx, []byte("a\xff"), bob); err != nip44.ErrUTF8 {
		t.Errorf("got %v", err)
	}

	for name, f := range map[string]func(plaintext string) string{
		"nothing":       func(string) string { return "" },
		"the plaintext": func(plaintext string) string { return plaintext },
		"another length": func(plaintext string) string {
			payload, _ := works.Encrypt(ctx, strings.Repeat(plaintext, 10), bob.String())
			return payload
		},
		"NIP-04": func(string) string { return "aGVsbG8gaGVsbG8gaGVsbG8=?iv=MDEyMzQ1Njc4OWFiY2RlZg==" },
		"not base64": func(plaintext string) string {
			payload, _ := works.Encrypt(ctx, plaintext, bob.String())
			return payload[:50] + "\n" + payload[51:]
		},
	} {
		k := manual(works)
		k.ManualEncrypt = func(_ context.Context, plaintext, _ string) (string, error) { return f(plaintext), nil }
		if payload, err := FromKeyer(k).Encrypt(ctx, []byte("hello, world"), bob); payload != nil || !errors.Is(err, ErrAnswer) {
			t.Errorf("%s: got %q, %v", name, payload, err)
		}
	}
}

func TestToKeyer(t *testing.T) {
	ctx := context.Background()
	id := login(t, aliceHex)
	k := ToKeyer(id)
	alice, bob := id.PublicKey(), publicKey(t, bobHex)

	// go-nostr computes the same public key.
	if want, err := nostr.GetPublicKey(aliceHex); err != nil {
		t.Fatal(err)
	} else if got, err := k.GetPublicKey(ctx); err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}

	// An old id and signature, even false ones, are replaced.
	e := nostr.Event{ID: "x", Sig: "y", Kind: 1, CreatedAt: 5, Content: strings.Join(awkward, "")}
	e.SetExtra("note", "kept")
	if err := k.SignEvent(ctx, &e); err != nil {
		t.Fatal(err)
	}
	if ok, err := e.CheckSignature(); !ok || !e.CheckID() || e.PubKey != alice.String() {
		t.Errorf("got %v: %v", e, err)
	}
	if e.Tags != nil || e.GetExtraString("note") != "kept" {
		t.Errorf("changed: %v", e)
	}

	for _, c := range []struct {
		e     *nostr.Event
		cause error
	}{
		{nil, event.ErrNil},
		{&nostr.Event{PubKey: "x"}, event.ErrHex},
		{&nostr.Event{PubKey: bob.String()}, event.ErrWrongKey},
		{&nostr.Event{Kind: 65537}, event.ErrKind},
		{&nostr.Event{Tags: nostr.Tags{{}}}, event.ErrEmptyTag},
		{&nostr.Event{Content: "\xff"}, event.ErrUTF8},
	} {
		var before nostr.Event
		if c.e != nil {
			before = *c.e
		}
		if err := k.SignEvent(ctx, c.e); !errors.Is(err, c.cause) {
			t.Errorf("got %v, want %v", err, c.cause)
		}
		if c.e != nil && !reflect.DeepEqual(*c.e, before) {
			t.Errorf("changed: %#v", c.e)
		}
	}

	payload, err := k.Encrypt(ctx, "hello", bob.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, peer := range []string{"", "x", strings.ToUpper(bob.String()), "02" + bob.String(), strings.Repeat("0", 63) + "5"} {
		if _, err := k.Encrypt(ctx, "hello", peer); err != keys.ErrPublicKey {
			t.Errorf("%q: got %v", peer, err)
		}
		if _, err := k.Decrypt(ctx, payload, peer); err != keys.ErrPublicKey {
			t.Errorf("%q: got %v", peer, err)
		}
	}
	if _, err := k.Encrypt(ctx, "", bob.String()); err != nip44.ErrEmpty {
		t.Errorf("got %v", err)
	}
	if _, err := k.Decrypt(ctx, replaced(payload, 60), bob.String()); err != nip44.ErrMAC {
		t.Errorf("got %v", err)
	}
	if _, err := k.Decrypt(ctx, "#"+payload[1:], bob.String()); !errors.Is(err, nip44.ErrVersion) {
		t.Errorf("got %v", err)
	}

	id.Close()
	_, errKey := k.GetPublicKey(ctx)
	_, errEncrypt := k.Encrypt(ctx, "hello", bob.String())
	_, errDecrypt := k.Decrypt(ctx, payload, bob.String())
	for _, err := range []error{errKey, errEncrypt, errDecrypt, k.SignEvent(ctx, &nostr.Event{})} {
		if err != identity.ErrClosed {
			t.Errorf("got %v", err)
		}
	}

	none := ToKeyer(nil)
	_, errKey = none.GetPublicKey(ctx)
	_, errEncrypt = none.Encrypt(ctx, "hello", bob.String())
	_, errDecrypt = none.Decrypt(ctx, payload, bob.String())
	for _, err := range []error{errKey, errEncrypt, errDecrypt, none.SignEvent(ctx, &nostr.Event{})} {
		if err != ErrNilKeyer {
			t.Errorf("got %v", err)
		}
	}
}

// altering is a signer that signs something else.
type altering struct {
	signer.Keyer
	alter func(*event.Event)
}

func (a altering) SignEvent(ctx context.Context, e *event.Event) error {
	a.alter(e)
	return a.Keyer.SignEvent(ctx, e)
}

func TestToKeyerChecksTheSigner(t *testing.T) {
	id := login(t, aliceHex)
	for name, alter := range map[string]func(*event.Event){
		"content": func(e *event.Event) { e.Content = "!" },
		"tag":     func(e *event.Event) { e.Tags[0][1] = "!" },
		"kind":    func(e *event.Event) { e.Kind++ },
	} {
		e := nostr.Event{Kind: 1, Tags: nostr.Tags{{"t", "a"}}, Content: "hello"}
		if err := ToKeyer(altering{id, alter}).SignEvent(context.Background(), &e); err != ErrAnswer {
			t.Errorf("%s: got %v", name, err)
		}
		if !reflect.DeepEqual(e, nostr.Event{Kind: 1, Tags: nostr.Tags{{"t", "a"}}, Content: "hello"}) {
			t.Errorf("%s: changed: %v", name, e)
		}
	}
	e := nostr.Event{PubKey: id.PublicKey().String()}
	other := altering{login(t, eveHex), func(e *event.Event) { e.PubKey = keys.PublicKey{} }}
	if err := ToKeyer(other).SignEvent(context.Background(), &e); err != event.ErrWrongKey {
		t.Errorf("got %v", err)
	}
}

// go-nostr has plaintexts as strings, which its JSON would alter.
func TestNotUTF8(t *testing.T) {
	ctx := context.Background()
	id := login(t, aliceHex)
	k := ToKeyer(id)
	self := id.PublicKey()
	if _, err := k.Encrypt(ctx, "a\xff", self.String()); err != nip44.ErrUTF8 {
		t.Errorf("got %v", err)
	}
	payload, err := id.Encrypt(ctx, []byte("a\xff"), self)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := k.Decrypt(ctx, string(payload), self.String()); got != "" || err != nip44.ErrUTF8 {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := FromKeyer(k).Decrypt(ctx, payload, self); err != nip44.ErrUTF8 {
		t.Errorf("got %v", err)
	}
}

// quoting is an error that %#v would print.
type quoting struct{ key string }

func (e quoting) Error() string { return e.key }

// go-nostr quotes a secret key that it does not like.
func TestErrorsTellNoSecret(t *testing.T) {
	ctx := context.Background()
	bob := publicKey(t, bobHex)
	bad := plainKeyer(t, orderHex)
	_, err := bad.Encrypt(ctx, "hello", bob.String())
	if err == nil || !strings.Contains(err.Error(), orderHex) {
		t.Fatalf("go-nostr no longer quotes the key: %v", err)
	}
	payload, err := login(t, aliceHex).Encrypt(ctx, []byte("hello"), bob)
	if err != nil {
		t.Fatal(err)
	}

	quotes := manual(bad)
	quotes.ManualEncrypt = func(context.Context, string, string) (string, error) { return "", quoting{orderHex} }
	for _, k := range []keyer.Keyer{bad, &bad, manual(bad), quotes} {
		_, other := k.(keyer.ManualSigner)
		a := FromKeyer(k)
		_, errEncrypt := a.Encrypt(ctx, []byte("hello"), bob)
		_, errDecrypt := a.Decrypt(ctx, payload, bob)
		for _, err := range []error{errEncrypt, errDecrypt, &nip59.LayerError{Layer: nip59.LayerSeal, Err: errEncrypt}} {
			var failure *KeyerError
			if !errors.As(err, &failure) {
				t.Fatalf("got %v", err)
			}
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
				if s := fmt.Sprintf(verb, err); strings.Contains(s, orderHex) {
					t.Errorf("%s: %s", verb, s)
				}
			}
			if !other && failure.Unwrap() != nil {
				t.Errorf("behind a KeySigner's failure: %v", failure.Unwrap())
			}
		}
	}
}

func TestConcurrent(t *testing.T) {
	ctx := context.Background()
	alice, bob := FromKeyer(plainKeyer(t, aliceHex)), FromKeyer(plainKeyer(t, bobHex))
	to := []keys.PublicKey{publicKey(t, bobHex), publicKey(t, eveHex)}
	for range 4 {
		to = append(to, to[0])
	}
	rumor := nip59.NewRumor(publicKey(t, aliceHex), 1700000000, 14, nil, "hello")
	results := nip59.WrapMany(ctx, alice, rumor, to, &nip59.WrapOptions{SelfCopy: true})
	var wraps []*event.Event
	for _, r := range results {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		wraps = append(wraps, r.Event)
	}
	for i, r := range nip59.UnwrapAll(ctx, bob, wraps, nil) {
		if forBob := results[i].To == to[0]; forBob != (r.Err == nil) {
			t.Errorf("wrap %d: %v", i, r.Err)
		} else if !forBob && nip59.Classify(r.Err) != nip59.ClassNotForMe {
			t.Errorf("wrap %d: %v", i, r.Err)
		}
	}
}
