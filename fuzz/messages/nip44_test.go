package messages

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"testing"

	peer "github.com/nbd-wtf/go-nostr/nip44"

	"github.com/sealwright/sealwright/fuzz/internal/fuzzkit"
	"github.com/sealwright/sealwright/fuzz/internal/reference"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
)

// go-nostr v0.38.2 knows the NIP-44 of 2023: these are the longest plaintext
// that it writes and the longest payload, in characters, that it looks at.
const (
	peerMaxPlaintext = 65535
	peerMaxPayload   = 87472
)

// peerDecrypt is go-nostr's Decrypt; that it panics on texts that decode to
// nothing counts as a refusal.
func peerDecrypt(payload string, ck [32]byte) (plaintext string, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("go-nostr panics")
		}
	}()
	return peer.Decrypt(payload, ck)
}

func fromBytes(t fuzzkit.T, ck [32]byte) *nip44.ConversationKey {
	t.Helper()
	key, err := nip44.NewConversationKey(ck[:])
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestGoNostrLimits measures the peer's limits, which the targets below rely
// on. Case 3.
func TestGoNostrLimits(t *testing.T) {
	ck := [32]byte{1, 2, 3}
	ours := fromBytes(t, ck)
	for _, tt := range []struct {
		size int
		ok   bool
	}{{0, false}, {1, true}, {65408, true}, {65409, true}, {65535, true}, {65536, false}, {65537, false}} {
		plaintext := bytes.Repeat([]byte("a"), tt.size)
		if _, err := peer.Encrypt(string(plaintext), ck); (err == nil) != tt.ok {
			t.Errorf("go-nostr encrypts %d bytes: %v", tt.size, err)
		}
		payload, err := ours.AppendEncrypt(nil, plaintext, nil)
		if tt.size == 0 {
			if !errors.Is(err, nip44.ErrEmpty) {
				t.Errorf("we encrypt nothing: %v", err)
			}
			continue
		}
		if err != nil {
			t.Errorf("we encrypt %d bytes: %v", tt.size, err)
		}
		if got, err := peerDecrypt(string(payload), ck); (err == nil) != tt.ok || tt.ok && got != string(plaintext) {
			t.Errorf("go-nostr decrypts %d bytes of ours, %d characters: %v", tt.size, len(payload), err)
		}
	}
}

// FuzzNIP44RoundTrip has one plaintext encrypted by us, by go-nostr and by the
// reference under keys that each derived itself: every reader reads every
// writer, and under one nonce all write the same. Cases 3, 6, 7 and 13.
func FuzzNIP44RoundTrip(f *testing.F) {
	for i := range sizes {
		fuzzkit.Seed(f, []byte{1, 0x11, byte(128 + i), 2}, []byte("ab\x00\xff"))
	}
	for i := range byte(16) {
		fuzzkit.Seed(f, []byte{i, 0x10 | i, 0, 0}, []byte("\U0001F600"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		a, b := in.Integer(), in.Integer()
		plaintext := body(in)
		sa, err := keys.NewSecretKey(a[:])
		if err != nil {
			a, sa = aliceKey, secretKey(t, aliceKey)
		}
		sb, err := keys.NewSecretKey(b[:])
		if err != nil {
			b, sb = bobKey, secretKey(t, bobKey)
		}
		pa, pb := reference.PublicKey(a), reference.PublicKey(b)
		ck, err := reference.ConversationKey(a, pb)
		if err != nil {
			t.Fatal(err)
		}
		peerKey, err := peer.GenerateConversationKey(hex.EncodeToString(pa[:]), hex.EncodeToString(b[:]))
		if err != nil || peerKey != ck {
			t.Fatalf("the references differ on %x and %x: %x, %x, %v", a, b, ck, peerKey, err)
		}
		legacy := len(plaintext) <= peerMaxPlaintext

		fuzzkit.EachTier(func(tier string) {
			ours, err := nip44.DeriveConversationKey(sa, pb)
			if err != nil {
				t.Fatal(err)
			}
			swapped, err := nip44.DeriveConversationKey(sb, pa)
			if err != nil {
				t.Fatal(err)
			}
			payload, err := ours.AppendEncrypt([]byte("head"), plaintext, nil)
			if err != nil || !bytes.HasPrefix(payload, []byte("head")) {
				t.Fatalf("%s: %d bytes: %v", tier, len(plaintext), err)
			}
			payload = payload[4:]
			if uint64(len(payload)) != nip44.EncryptedLen(uint64(len(plaintext))) {
				t.Fatalf("%s: %d bytes make %d characters, EncryptedLen says %d", tier, len(plaintext), len(payload), nip44.EncryptedLen(uint64(len(plaintext))))
			}
			raw, err := base64.StdEncoding.Strict().DecodeString(string(payload))
			if err != nil {
				t.Fatalf("%s: %v", tier, err)
			}
			nonce := [32]byte(raw[1:33])
			if want := reference.Encrypt(ck, nonce, plaintext); want != string(payload) {
				t.Fatalf("%s: %d bytes under nonce %x: the reference writes another payload", tier, len(plaintext), nonce)
			}
			if got, err := reference.Decrypt(ck, string(payload), limit); err != nil || !bytes.Equal(got, plaintext) {
				t.Fatalf("%s: the reference does not open our %d bytes: %v", tier, len(plaintext), err)
			}
			open := func(from string, payload []byte) {
				got, err := swapped.AppendDecrypt([]byte("head"), payload, nil)
				if err != nil || !bytes.Equal(got, append([]byte("head"), plaintext...)) {
					t.Fatalf("%s: we do not open %d bytes from %s: %v", tier, len(plaintext), from, err)
				}
			}
			open("ourselves", payload)
			other := nonce
			other[31] ^= 1
			open("the reference", []byte(reference.Encrypt(ck, other, plaintext)))

			theirs, err := peer.Encrypt(string(plaintext), ck, peer.WithCustomNonce(nonce[:]))
			if (err == nil) != legacy || legacy && theirs != string(payload) {
				t.Fatalf("%s: %d bytes: go-nostr writes another payload than we: %v", tier, len(plaintext), err)
			}
			if got, err := peerDecrypt(string(payload), ck); (err == nil) != legacy || legacy && got != string(plaintext) {
				t.Fatalf("%s: go-nostr on our %d bytes: %v", tier, len(plaintext), err)
			}
		}, kernels...)
	})
}

// payloadOf draws a payload: any text, the base64 of any bytes, an
// authenticated block of any bytes and version, a good one with a character
// changed, or one cut short or continued.
func payloadOf(in *fuzzkit.Input, ck [32]byte) []byte {
	nonce := [32]byte{0: 9}
	switch form := in.Byte(); form & 7 {
	case 1:
		return base64.StdEncoding.AppendEncode(nil, in.Rest())
	case 2, 3:
		version := byte(2)
		if form&8 != 0 {
			version = in.Byte()
		}
		n := 0
		if form&1 != 0 { // zeros, as many as padding can give
			n = reference.PaddedLen(int(in.Uint16()))
		}
		block := in.Rest()
		return []byte(reference.SealBlock(ck, nonce, version, append(block[:len(block):len(block)], make([]byte, n)...)))
	case 4:
		at, c := int(in.Uint16()), in.Byte()
		p := []byte(reference.Encrypt(ck, nonce, body(in)))
		p[at%len(p)] ^= c
		return p
	case 5:
		at := int(in.Uint16())
		p := []byte(reference.Encrypt(ck, nonce, body(in)))
		return p[:at%len(p)]
	case 6:
		at, more := int(in.Uint16()), in.Take(int(in.Byte()&15))
		p := []byte(reference.Encrypt(ck, nonce, body(in)))
		at %= len(p) + 1
		return append(append(bytes.Clone(p[:at]), more...), p[at:]...)
	}
	return in.Rest()
}

// checkDecrypt holds our verdict and plaintext against the reference's, and
// go-nostr's as far as it is right: it knows no extended form, and takes base64
// that is not canonical.
func checkDecrypt(t *testing.T, ck [32]byte, ours *nip44.ConversationKey, payload []byte, most int) {
	t.Helper()
	want, wantErr := reference.Decrypt(ck, string(payload), most)
	options := &nip44.Options{MaxPlaintext: uint64(most)}
	fuzzkit.EachTier(func(tier string) {
		got, err := ours.AppendDecrypt([]byte("head"), payload, options)
		if (err == nil) != (wantErr == nil) || string(got) != "head"+string(want) {
			t.Fatalf("%s: %q: %d bytes, %v; the reference: %d bytes, %v", tier, payload, len(got)-4, err, len(want), wantErr)
		}
		if err == nil {
			if err := nip44.CheckPayload(payload, options); err != nil {
				t.Fatalf("%s: %q opens, CheckPayload says %v", tier, payload, err)
			}
		}
	}, kernels...)
	theirs, theirErr := peerDecrypt(string(payload), ck)
	canonical := false
	if raw, err := base64.StdEncoding.DecodeString(string(payload)); err == nil {
		canonical = base64.StdEncoding.EncodeToString(raw) == string(payload)
	}
	switch {
	case wantErr == nil && len(payload) <= peerMaxPayload:
		if theirErr != nil || theirs != string(want) {
			t.Fatalf("%q opens, go-nostr says %v", payload, theirErr)
		}
	case theirErr == nil && canonical && len(theirs) <= most:
		t.Fatalf("%q: go-nostr opens it, we do not: %v", payload, wantErr)
	}
}

// FuzzNIP44Decrypt compares on hostile payloads. Cases 1, 4, 9, 10 and 11.
func FuzzNIP44Decrypt(f *testing.F) {
	for n := range 42 { // authenticated ciphertexts of 0 to 41 bytes
		fuzzkit.Seed(f, []byte{2}, make([]byte, n))
		fuzzkit.Seed(f, []byte{2, 0, 1}, make([]byte, n))
	}
	for _, prefix := range []string{"\x00\x00\x00\x00\x00\x01", "\x00\x00\x00\x00\xff\xff", "\x00\x00\x00\x01\x00\x00", "\x00\x00\xff\xff\xff\xff", "\x00\x00\x80\x00\x00\x00", "\xff\xff", "\x00\x20", "\x00\x21"} {
		for _, n := range []string{"\x20\x00", "\x40\x00", "\x00\xff", "\xff\xff"} {
			fuzzkit.Seed(f, []byte{3}, []byte(n), []byte(prefix))
		}
	}
	for _, version := range []byte{0, 1, 3, 255} {
		fuzzkit.Seed(f, []byte{10, version, 0, 1}, make([]byte, 33))
	}
	for _, text := range []string{"", "#", "#AgAA", "AgAA?iv=AgAA", "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA?iv=AAAAAAAAAAAAAAAAAAAAAA=="} {
		fuzzkit.Seed(f, []byte{0}, []byte(text))
	}
	fuzzkit.Seed(f, []byte{0}, bytes.Repeat([]byte("\n"), 132))
	for at := byte(0); at < 176; at += 11 {
		fuzzkit.Seed(f, []byte{4, at, 0, 1, 0, 0}, make([]byte, 40))
	}
	for _, more := range []string{"=", "==", "\n", "\r\n", " ", "AAAA", "\x00"} {
		fuzzkit.Seed(f, []byte{6, 255, 255, byte(len(more))}, []byte(more), []byte("\x00\x00text"))
		fuzzkit.Seed(f, []byte{6, 64, 0, byte(len(more))}, []byte(more), []byte("\x00\x00text"))
	}
	ck := [32]byte{4, 5, 6}
	ours := fromBytes(f, ck)
	f.Fuzz(func(t *testing.T, data []byte) {
		checkDecrypt(t, ck, ours, payloadOf(fuzzkit.New(data), ck), limit)
	})
}

// FuzzNIP44Limit compares under limits of the caller's. Case 2.
func FuzzNIP44Limit(f *testing.F) {
	for _, n := range []byte{1, 31, 32, 33, 64} {
		for form := range byte(3) {
			fuzzkit.Seed(f, []byte{n, 0, 4, 0, 0, form * 64, 2}, make([]byte, n))
		}
	}
	ck := [32]byte{7, 8, 9}
	ours := fromBytes(f, ck)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		most := 1 + int(in.Uint16())
		checkDecrypt(t, ck, ours, payloadOf(in, ck), most)
		n := uint64(len(data))
		_, err := ours.AppendEncrypt(nil, data, &nip44.Options{MaxPlaintext: uint64(most)})
		if want := n == 0 || n > uint64(most); (err != nil) != want {
			t.Fatalf("%d bytes under a limit of %d: %v", n, most, err)
		}
	})
}

// FuzzNIP44Tamper: a payload with one byte changed, anywhere and to anything,
// never opens, gives nothing back, and leaves no plaintext behind. Case 20.
func FuzzNIP44Tamper(f *testing.F) {
	for _, at := range []byte{0, 1, 33, 43, 44, 45, 67, 98, 130, 131} {
		fuzzkit.Seed(f, []byte{0, at, 0, 1, 0, 0}, []byte("text"))
		fuzzkit.Seed(f, []byte{1, at, 0, 0x80, 0, 0}, []byte("text"))
	}
	ck := [32]byte{10, 11, 12}
	ours := fromBytes(f, ck)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		inText, at, c := in.Bool(), int(in.Uint16()), in.Byte()
		if c == 0 {
			c = 1
		}
		plaintext := body(in)
		fuzzkit.EachTier(func(tier string) {
			payload, err := ours.AppendEncrypt(nil, plaintext, nil)
			if err != nil {
				t.Fatal(err)
			}
			if inText {
				payload[at%len(payload)] ^= c
			} else {
				raw, err := base64.StdEncoding.DecodeString(string(payload))
				if err != nil {
					t.Fatal(err)
				}
				raw[at%len(raw)] ^= c
				payload = base64.StdEncoding.AppendEncode(payload[:0], raw)
			}
			room := bytes.Repeat([]byte{0xee}, nip44.MaxDecryptedLen(payload))
			got, err := ours.AppendDecrypt(room[:0], payload, nil)
			if err == nil || len(got) != 0 {
				t.Fatalf("%s: %q opens: %x", tier, payload, got)
			}
			for i, b := range room {
				if b != 0 && b != 0xee {
					t.Fatalf("%s: %q leaves %#x at %d: %v", tier, payload, b, i, err)
				}
			}
		}, kernels...)
	})
}

// FuzzNIP44Memory: what is over the limit costs the allocation of its error,
// whatever its size; what is not, costs no more than its own length. Case 2.
func FuzzNIP44Memory(f *testing.F) {
	fuzzkit.Seed(f, []byte{0, 0, 32, 0, 0, 0, 16, 0}, []byte("AAAA")) // 2 MiB against 1 MiB
	fuzzkit.Seed(f, []byte{4, 0, 32, 0, 1, 0, 0, 0}, []byte("AgAA"))
	fuzzkit.Seed(f, []byte{0, 32, 0, 0, 0, 0, 1, 0}, []byte("#"))
	fuzzkit.Seed(f, []byte{0xb0, 0xaa, 1, 0, 0, 0, 16, 0}, []byte("AgAA"))
	ours := fromBytes(f, [32]byte{13})
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		n, most := int(in.Uint32()%(4<<20)), uint64(in.Uint32()%(2<<20)+1)
		unit := in.Rest()
		if len(unit) == 0 {
			unit = []byte{'A'}
		}
		payload := bytes.Repeat(unit, n/len(unit)+1)[:n]
		options := &nip44.Options{MaxPlaintext: most}
		allowed := uint64(slack)
		if uint64(n) <= nip44.EncryptedLen(most) {
			allowed += uint64(n)
		}
		var err error
		if got := fuzzkit.Allocated(func() { _, err = ours.AppendDecrypt(nil, payload, options) }); got > allowed {
			t.Fatalf("%d characters of %q… against a limit of %d bytes allocate %d bytes: %v", n, payload[:min(n, 40)], most, got, err)
		}
		if err == nil {
			t.Fatalf("%d characters of %q… open", n, payload[:min(n, 40)])
		}
	})
}
