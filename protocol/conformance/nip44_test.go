package conformance

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/crypto/chacha20"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/nip44"
)

func TestConversationKeys(t *testing.T) {
	var file struct {
		Cases []struct {
			Secret1, Public1, Secret2, Public2, Why string
			ConversationKey                         string `json:"conversation_key"`
		}
	}
	testkit.Testdata(t, "protocol/testdata/conversation.json", &file)
	cases := 0
	for _, c := range file.Cases {
		want := conversationKey(t, c.ConversationKey)
		for _, role := range [][2]string{{c.Secret1, c.Public2}, {c.Secret2, c.Public1}} {
			pub := publicKey(t, role[1])
			got, err := nip44.DeriveConversationKey(secretKey(t, role[0]), pub)
			if err != nil {
				t.Fatalf("%s: %v", c.Why, err)
			}
			cached, err := newIdentity(t, role[0]).ConversationKey(pub)
			if err != nil {
				t.Fatalf("%s: identity: %v", c.Why, err)
			}
			sameKey(t, c.Why, got, want)
			sameKey(t, c.Why+", identity", cached, want)
		}
		cases++
	}
	ran(t, "conversation keys", cases, 100)
}

// sameKey proves that two conversation keys are one: each opens what the other
// made. Their bytes are not to be had.
func sameKey(t *testing.T, what string, a, b *nip44.ConversationKey) {
	t.Helper()
	for _, pair := range [][2]*nip44.ConversationKey{{a, b}, {b, a}} {
		payload, err := pair[0].Encrypt("a message")
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if text, err := pair[1].Decrypt(payload); err != nil || text != "a message" {
			t.Errorf("%s: %q, %v", what, text, err)
		}
	}
}

// seal makes the payload of a padded block by the standard library and x/crypto
// (NIP-44, "Encryption" from step 3 on).
func seal(t *testing.T, conversationKey, nonce, block []byte) string {
	t.Helper()
	k, err := hkdf.Expand(sha256.New, conversationKey, string(nonce), 76)
	if err != nil {
		t.Fatal(err)
	}
	cipher, err := chacha20.NewUnauthenticatedCipher(k[:32], k[32:44])
	if err != nil {
		t.Fatal(err)
	}
	raw := append([]byte{2}, nonce...)
	raw = append(raw, block...)
	cipher.XORKeyStream(raw[33:], raw[33:])
	mac := hmac.New(sha256.New, k[44:])
	mac.Write(raw[1:])
	return base64.StdEncoding.EncodeToString(mac.Sum(raw))
}

// pad makes the padded block, whose zeros end at padded bytes of text.
func pad(plaintext string, padded uint64) []byte {
	n := len(plaintext)
	block := binary.BigEndian.AppendUint16(nil, uint16(n))
	if n >= 65536 {
		block = binary.BigEndian.AppendUint32([]byte{0, 0}, uint32(n))
	}
	block = append(block, plaintext...)
	return append(block, make([]byte, padded-uint64(n))...)
}

// fill repeats pattern and cuts it at a character, or fills it with dots, to
// exactly n bytes.
func fill(pattern string, n int) string {
	s := strings.Repeat(pattern, n/len(pattern)+1)[:n]
	end := n
	for end > 0 {
		if r, size := utf8.DecodeLastRuneInString(s[:end]); r != utf8.RuneError || size != 1 {
			break
		}
		end--
	}
	return s[:end] + strings.Repeat(".", n-end)
}

func hashHex(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func TestNIP44Valid(t *testing.T) {
	var file struct {
		Valid []struct {
			ConversationKey string `json:"conversation_key"`
			Nonce, Why      string
			Length          int
			Plaintext       *string
			Pattern         string
			PlaintextSHA256 string `json:"plaintext_sha256"`
			Payload         string
			PayloadLength   int    `json:"payload_length"`
			PayloadSHA256   string `json:"payload_sha256"`
		}
		PaddedLengths [][2]uint64 `json:"padded_lengths"`
	}
	testkit.Testdata(t, "protocol/testdata/nip44.json", &file)

	lengths := map[uint64]uint64{}
	for _, c := range file.PaddedLengths {
		if got := nip44.PaddedLen(c[0]); got != c[1] {
			t.Errorf("PaddedLen(%d) = %d, want %d", c[0], got, c[1])
		}
		lengths[c[0]] = c[1]
	}
	ran(t, "padded lengths", len(lengths), 385)

	cases, long := 0, 0
	for _, c := range file.Valid {
		var plaintext string
		if c.Plaintext != nil {
			plaintext = *c.Plaintext
		} else {
			plaintext = fill(c.Pattern, c.Length)
			long++
		}
		if len(plaintext) != c.Length || hashHex(plaintext) != c.PlaintextSHA256 {
			t.Fatalf("%d bytes: the test builds another text", c.Length)
		}
		key, nonce := testkit.Hex(t, c.ConversationKey), testkit.Hex(t, c.Nonce)
		block := pad(plaintext, nip44.PaddedLen(uint64(c.Length)))
		payload := seal(t, key, nonce, block)
		if c.Payload != "" {
			if payload != c.Payload {
				t.Fatalf("%d bytes: the test builds another payload", c.Length)
			}
		} else if len(payload) != c.PayloadLength || hashHex(payload) != c.PayloadSHA256 {
			t.Fatalf("%d bytes: the test builds another payload", c.Length)
		}
		if got := nip44.EncryptedLen(uint64(c.Length)); got != uint64(len(payload)) {
			t.Errorf("EncryptedLen(%d) = %d, want %d", c.Length, got, len(payload))
		}

		ck := conversationKey(t, c.ConversationKey)
		if got, err := ck.Decrypt(payload); err != nil || got != plaintext {
			t.Errorf("Decrypt, %d bytes %s: other text or error %v", c.Length, c.Why, err)
		}
		if got, err := ck.AppendDecrypt([]byte("before"), []byte(payload), nil); err != nil || string(got) != "before"+plaintext {
			t.Errorf("AppendDecrypt, %d bytes %s: other text or error %v", c.Length, c.Why, err)
		}

		// What is encrypted here is, under the nonce that was drawn, what the
		// other implementation makes.
		own, err := ck.Encrypt(plaintext)
		if err != nil {
			t.Errorf("Encrypt, %d bytes %s: %v", c.Length, c.Why, err)
			continue
		}
		raw, err := base64.StdEncoding.Strict().DecodeString(own)
		if err != nil {
			t.Errorf("Encrypt, %d bytes %s: %v", c.Length, c.Why, err)
			continue
		}
		if bytes.Equal(raw[1:33], nonce) {
			t.Errorf("Encrypt, %d bytes: the nonce of the case comes back", c.Length)
		}
		if own != seal(t, key, raw[1:33], block) {
			t.Errorf("Encrypt, %d bytes %s: not the payload that its nonce asks for", c.Length, c.Why)
		}
		cases++
	}
	ran(t, "valid payloads", cases, 118)
	ran(t, "long texts", long, 42)
}

func TestNIP44Invalid(t *testing.T) {
	var file struct {
		Invalid []struct {
			ConversationKey string `json:"conversation_key"`
			Payload         *string
			Errors          []string
			Why             string

			Nonce          string
			ExtendedLength uint32 `json:"extended_length"`
			BlockSize      int    `json:"block_size"`
			PayloadSHA256  string `json:"payload_sha256"`
		}
	}
	testkit.Testdata(t, "protocol/testdata/nip44.json", &file)
	causes := map[string]error{
		"version":   nip44.ErrVersion,
		"too_short": nip44.ErrTooShort,
		"length":    nip44.ErrPadding,
		"base64":    nip44.ErrBase64,
		"mac":       nip44.ErrMAC,
		"padding":   nip44.ErrPadding,
		"utf8":      nip44.ErrUTF8,
		"legacy":    nip44.ErrLegacyNIP04,
	}
	cases, built := 0, 0
	for _, c := range file.Invalid {
		var payload string
		if c.Payload != nil {
			payload = *c.Payload
		} else {
			block := bytes.Repeat([]byte{'a'}, c.BlockSize)
			copy(block, make([]byte, 2))
			binary.BigEndian.PutUint32(block[2:], c.ExtendedLength)
			payload = seal(t, testkit.Hex(t, c.ConversationKey), testkit.Hex(t, c.Nonce), block)
			if hashHex(payload) != c.PayloadSHA256 {
				t.Fatalf("%s: the test builds another payload", c.Why)
			}
			built++
		}
		var want []error
		for _, name := range c.Errors {
			if causes[name] == nil {
				t.Fatalf("%s: unknown error %q", c.Why, name)
			}
			want = append(want, causes[name])
		}
		ck := conversationKey(t, c.ConversationKey)
		if got, err := ck.Decrypt(payload); !isOneOf(err, want...) || got != "" {
			t.Errorf("%s: text of %d bytes, error %v, want one of %v", c.Why, len(got), err, c.Errors)
		}
		got, err := ck.AppendDecrypt(nil, []byte(payload), nil)
		if c.Errors[0] == "utf8" {
			if err != nil || utf8.Valid(got) {
				t.Errorf("%s: AppendDecrypt returns %d bytes, error %v; bytes are not its business", c.Why, len(got), err)
			}
		} else if !isOneOf(err, want...) || len(got) != 0 {
			t.Errorf("%s: AppendDecrypt returns %d bytes, error %v, want one of %v", c.Why, len(got), err, c.Errors)
		}
		cases++
	}
	ran(t, "invalid payloads", cases, 109)
	ran(t, "invalid payloads built", built, 7)
}

// TestCiphers asks of this module's Cipher what every one must do: encrypting
// and decrypting are not swapped, and no two payloads are the same.
func TestCiphers(t *testing.T) {
	var file struct{ Pairs []struct{ Secret string } }
	testkit.Testdata(t, "protocol/testdata/keys.json", &file)
	ctx := context.Background()
	text := []byte("the same words")
	cases := 0
	for i := 1; i < len(file.Pairs); i += 8 {
		a, b := newIdentity(t, file.Pairs[i-1].Secret), newIdentity(t, file.Pairs[i].Secret)
		first, err := a.Encrypt(ctx, text, b.PublicKey())
		if err != nil {
			t.Fatal(err)
		}
		second, err := a.Encrypt(ctx, text, b.PublicKey())
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(first, second) || bytes.Contains(first, text) {
			t.Error("two payloads are the same, or a payload holds the text")
		}
		for _, payload := range [][]byte{first, second} {
			if got, err := b.Decrypt(ctx, payload, a.PublicKey()); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%q, %v", got, err)
			}
		}
		cases++
	}
	ran(t, "pairs of ciphers", cases, 11)
}
