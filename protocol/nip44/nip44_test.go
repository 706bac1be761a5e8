package nip44

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/chacha20"

	"github.com/sealwright/sealwright/internal/testkit"
	kernel "github.com/sealwright/sealwright/kernels/sha256"
	"github.com/sealwright/sealwright/protocol/keys"
)

// Case 17: a key may be given directly.
func conversationKey(t testing.TB, key string) *ConversationKey {
	t.Helper()
	ck, err := NewConversationKey(testkit.Hex(t, key))
	if err != nil {
		t.Fatal(err)
	}
	return ck
}

const (
	testKey   = "c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d"
	testNonce = "0000000000000000000000000000000000000000000000000000000000000001"
)

// reference makes the payload of a block that is padded already, with the
// standard library and x/crypto: what an honest sender would authenticate.
func reference(t testing.TB, key, nonce, block []byte) string {
	t.Helper()
	okm, err := hkdf.Expand(sha256.New, key, string(nonce), 76)
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

func TestPinnedVectors(t *testing.T) { eachTier(t, pinnedVectors) }

func pinnedVectors(t *testing.T) {
	var file struct {
		V2 struct {
			Valid struct {
				GetConversationKey []struct{ Sec1, Pub2, Conversation_key string } `json:"get_conversation_key"`
				GetMessageKeys     struct {
					ConversationKey string `json:"conversation_key"`
					Keys            []struct {
						Nonce       string
						ChachaKey   string `json:"chacha_key"`
						ChachaNonce string `json:"chacha_nonce"`
						HMACKey     string `json:"hmac_key"`
					}
				} `json:"get_message_keys"`
				CalcPaddedLen  [][2]uint64 `json:"calc_padded_len"`
				EncryptDecrypt []struct {
					Sec1, Sec2, Nonce, Plaintext, Payload string
					ConversationKey                       string `json:"conversation_key"`
				} `json:"encrypt_decrypt"`
				Long []struct {
					ConversationKey string `json:"conversation_key"`
					Nonce, Pattern  string
					Repeat          int
					PlaintextSHA256 string `json:"plaintext_sha256"`
					PayloadSHA256   string `json:"payload_sha256"`
				} `json:"encrypt_decrypt_long_msg"`
			}
			Invalid struct {
				EncryptMsgLengths  []int                               `json:"encrypt_msg_lengths"`
				GetConversationKey []struct{ Sec1, Pub2, Note string } `json:"get_conversation_key"`
				Decrypt            []struct {
					ConversationKey string `json:"conversation_key"`
					Payload, Note   string
				}
			}
		}
	}
	testkit.VectorsJSON(t, "nip44.vectors.json", &file)
	valid, invalid := file.V2.Valid, file.V2.Invalid
	ran := 0

	// same reports whether two keys are equal, by what one writes and the
	// other reads.
	same := func(a, b *ConversationKey) error {
		payload, err := a.Encrypt("one and the same")
		if err != nil {
			return err
		}
		_, err = b.Decrypt(payload)
		return err
	}
	public := func(sec string) keys.PublicKey {
		sk, err := keys.ParseSecretKey(sec)
		if err != nil {
			t.Fatal(err)
		}
		return sk.PublicKey()
	}
	derive := func(sec string, pub keys.PublicKey) *ConversationKey {
		sk, err := keys.ParseSecretKey(sec)
		if err != nil {
			t.Fatal(err)
		}
		ck, err := DeriveConversationKey(sk, pub)
		if err != nil {
			t.Fatal(err)
		}
		return ck
	}

	for _, c := range valid.GetConversationKey {
		pub := keys.PublicKey(testkit.Hex32(t, c.Pub2))
		want := conversationKey(t, c.Conversation_key)
		if err := same(derive(c.Sec1, pub), want); err != nil {
			t.Errorf("conversation key of %s: %v", c.Sec1, err)
		}
		// And among those of many: at every place, beside none and others.
		sk, err := keys.ParseSecretKey(c.Sec1)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 10 {
			pubs := slices.Repeat([]keys.PublicKey{{}, public(c.Sec1)}, 10)[:n+1]
			pubs[n] = pub
			cks, err := DeriveConversationKeys(sk, pubs)
			if err != nil || len(cks) != len(pubs) {
				t.Fatalf("%d conversation keys: %d, %v", len(pubs), len(cks), err)
			}
			if err := same(cks[n], want); err != nil {
				t.Errorf("conversation key of %s, the last of %d: %v", c.Sec1, len(pubs), err)
			}
			for i, ck := range cks[:n] {
				if (ck == nil) != (i%2 == 0) {
					t.Errorf("conversation key %d of %d: %v", i, len(pubs), ck)
				}
			}
		}
		ran++
	}
	ck := conversationKey(t, valid.GetMessageKeys.ConversationKey)
	for _, c := range valid.GetMessageKeys.Keys {
		nonce := testkit.Hex32(t, c.Nonce)
		var k messageKeys
		k.derive(&ck.box.Get().prk, &nonce)
		if got := hex.EncodeToString(k.cipher[:]); got != c.ChachaKey {
			t.Errorf("chacha key %s, want %s", got, c.ChachaKey)
		}
		if got := hex.EncodeToString(k.nonce[:]); got != c.ChachaNonce {
			t.Errorf("chacha nonce %s, want %s", got, c.ChachaNonce)
		}
		want := k.mac
		want.Init(testkit.Hex(t, c.HMACKey))
		if k.mac != want {
			t.Errorf("hmac key for nonce %s differs", c.Nonce)
		}
		ran++
	}
	for _, c := range valid.CalcPaddedLen {
		if got := PaddedLen(c[0]); got != c[1] {
			t.Errorf("PaddedLen(%d) = %d, want %d", c[0], got, c[1])
		}
		ran++
	}
	for _, c := range valid.EncryptDecrypt {
		a, b := derive(c.Sec1, public(c.Sec2)), derive(c.Sec2, public(c.Sec1)) // case 13
		if err := errors.Join(same(a, conversationKey(t, c.ConversationKey)), same(a, b)); err != nil {
			t.Error(err)
		}
		nonce := testkit.Hex32(t, c.Nonce)
		payload, err := a.seal(nil, []byte(c.Plaintext), &nonce, nil)
		if err != nil || string(payload) != c.Payload {
			t.Errorf("payload %s, %v, want %s", payload, err, c.Payload)
		}
		if got, err := b.Decrypt(c.Payload); err != nil || got != c.Plaintext {
			t.Errorf("plaintext %q, %v, want %q", got, err, c.Plaintext)
		}
		ran++
	}
	for _, c := range valid.Long {
		ck := conversationKey(t, c.ConversationKey)
		plaintext := strings.Repeat(c.Pattern, c.Repeat)
		nonce := testkit.Hex32(t, c.Nonce)
		payload, err := ck.seal(nil, []byte(plaintext), &nonce, nil)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(payload); hex.EncodeToString(sum[:]) != c.PayloadSHA256 {
			t.Errorf("payload of %d × %q has SHA-256 %x, want %s", c.Repeat, c.Pattern, sum, c.PayloadSHA256)
		}
		got, err := ck.Decrypt(string(payload))
		if sum := sha256.Sum256([]byte(got)); err != nil || hex.EncodeToString(sum[:]) != c.PlaintextSHA256 {
			t.Errorf("plaintext of %d × %q has SHA-256 %x, %v, want %s", c.Repeat, c.Pattern, sum, err, c.PlaintextSHA256)
		}
		ran++
	}

	for _, n := range invalid.EncryptMsgLengths {
		// Case 4: the file predates the extended form, and only 0 is still
		// invalid; the other three are, for legacy readers.
		_, err := ck.AppendEncrypt(nil, make([]byte, n), &Options{MaxPlaintext: MaxPlaintext, LegacyOnly: true})
		want := ErrTooLarge
		if n == 0 {
			want = ErrEmpty
		}
		if !errors.Is(err, want) {
			t.Errorf("encrypting %d bytes: %v, want %v", n, err, want)
		}
		ran++
	}
	for _, c := range invalid.GetConversationKey {
		sk, err := keys.ParseSecretKey(c.Sec1)
		if err == nil {
			_, err = DeriveConversationKey(sk, keys.PublicKey(testkit.Hex32(t, c.Pub2)))
			if !errors.Is(err, keys.ErrPublicKey) {
				t.Errorf("%s: %v", c.Note, err)
			}
		} else if !strings.HasPrefix(c.Note, "sec1") || !errors.Is(err, keys.ErrSecretKey) {
			t.Errorf("%s: %v", c.Note, err)
		}
		ran++
	}
	causes := map[string]error{
		"unknown encryption version":   ErrVersion,
		"unknown encryption version 0": ErrVersion,
		"invalid base64":               ErrBase64,
		"invalid MAC":                  ErrMAC,
		"invalid padding":              ErrPadding,
		"invalid payload length: 0":    ErrVersion, // the pseudocode's order
		"invalid payload length: 4":    ErrTooShort,
		"invalid payload length: 48":   ErrTooShort,
		"invalid payload length: 92":   ErrTooShort,
	}
	for _, c := range invalid.Decrypt {
		want, ok := causes[c.Note]
		if !ok {
			t.Fatalf("note %q is new", c.Note)
		}
		_, err := conversationKey(t, c.ConversationKey).Decrypt(c.Payload)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", c.Note, err, want)
		}
		ran++
	}
	if ran != 128 {
		t.Errorf("%d cases ran, want 128", ran)
	}
}

func TestExtendedVectors(t *testing.T) { eachTier(t, extendedVectors) }

func extendedVectors(t *testing.T) {
	var file struct {
		ConversationKey string `json:"conversation_key"`
		Nonce           string
		NIP             []struct {
			PlaintextByte   string `json:"plaintext_byte"`
			PlaintextLen    int    `json:"plaintext_len"`
			PaddedLen       uint64 `json:"padded_len"`
			PlaintextSHA256 string `json:"plaintext_sha256"`
			PayloadSHA256   string `json:"payload_sha256"`
			PayloadLen      uint64 `json:"payload_len_derived"`
		} `json:"from_nip44_text"`
		Derived struct {
			PaddedLen  struct{ Rows [][4]uint64 } `json:"padded_len"`
			MustReject []struct {
				Note, Payload string
				PaddedHex     string `json:"padded_hex"`
			} `json:"must_reject_after_valid_mac"`
			Recipes []struct {
				Note, Fill, Expect string
				PrefixHex          string `json:"prefix_hex"`
				FillLen            int    `json:"fill_len"`
				ZeroLen            int    `json:"zero_len"`
				PayloadSHA256      string `json:"payload_sha256"`
			} `json:"recipes_after_valid_mac"`
			Policy []struct {
				Note, Payload, Plaintext string
				PlaintextHex             string `json:"plaintext_hex"`
			} `json:"policy_after_valid_mac"`
			Base64    []struct{ Note, Payload, Expect string } `json:"base64_strictness"`
			Truncated []struct{ Payload string }
			Version   []struct{ Note, Payload string }
		}
	}
	testkit.VectorsJSON(t, "nip44_extended.json", &file)
	ck := conversationKey(t, file.ConversationKey)
	key, nonce := testkit.Hex(t, file.ConversationKey), testkit.Hex32(t, file.Nonce)
	ran := 0

	for _, c := range file.NIP { // case 3
		plaintext := bytes.Repeat(testkit.Hex(t, c.PlaintextByte), c.PlaintextLen)
		if sum := sha256.Sum256(plaintext); hex.EncodeToString(sum[:]) != c.PlaintextSHA256 {
			t.Errorf("%d bytes: SHA-256 of the plaintext is %x", c.PlaintextLen, sum)
		}
		payload, err := ck.seal(nil, plaintext, &nonce, nil)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(payload); hex.EncodeToString(sum[:]) != c.PayloadSHA256 {
			t.Errorf("%d bytes: SHA-256 of the payload is %x, want %s", c.PlaintextLen, sum, c.PayloadSHA256)
		}
		if n := uint64(c.PlaintextLen); PaddedLen(n) != c.PaddedLen || EncryptedLen(n) != c.PayloadLen {
			t.Errorf("%d bytes: padded %d, payload %d", n, PaddedLen(n), EncryptedLen(n))
		}
		ran++
	}
	for _, row := range file.Derived.PaddedLen.Rows {
		n, padded, raw, chars := row[0], row[1], row[2], row[3]
		if got := PaddedLen(n); got != padded {
			t.Errorf("PaddedLen(%d) = %d, want %d", n, got, padded)
		}
		if got := headerLen + prefixLen(n) + PaddedLen(n) + macLen; got != raw {
			t.Errorf("%d bytes: raw payload %d, want %d", n, got, raw)
		}
		if got := EncryptedLen(n); got != chars {
			t.Errorf("EncryptedLen(%d) = %d, want %d", n, got, chars)
		}
		if !legalBlock(raw - headerLen - macLen) {
			t.Errorf("%d bytes: a block of %d is called illegal", n, raw-headerLen-macLen)
		}
		ran++
	}
	for _, c := range file.Derived.MustReject { // case 1
		if got := reference(t, key, nonce[:], testkit.Hex(t, c.PaddedHex)); got != c.Payload {
			t.Errorf("%s: the reference makes another payload", c.Note)
		}
		got, err := ck.AppendDecrypt(nil, []byte(c.Payload), nil)
		if !errors.Is(err, ErrPadding) || len(got) != 0 {
			t.Errorf("%s: %d bytes, %v", c.Note, len(got), err)
		}
		ran++
	}
	for _, c := range file.Derived.Recipes {
		block := testkit.Hex(t, c.PrefixHex)
		block = append(block, bytes.Repeat(testkit.Hex(t, c.Fill), c.FillLen)...)
		block = append(block, make([]byte, c.ZeroLen)...)
		payload := reference(t, key, nonce[:], block)
		if sum := sha256.Sum256([]byte(payload)); hex.EncodeToString(sum[:]) != c.PayloadSHA256 {
			t.Errorf("%s: the reference makes another payload", c.Note)
		}
		_, err := ck.AppendDecrypt(nil, []byte(payload), nil)
		if accept := c.Expect == "accept"; accept != (err == nil) || !accept && !errors.Is(err, ErrPadding) {
			t.Errorf("%s: %v, want %s", c.Note, err, c.Expect)
		}
		ran++
	}
	for _, c := range file.Derived.Policy {
		want := c.Plaintext
		if c.PlaintextHex != "" {
			want = string(testkit.Hex(t, c.PlaintextHex))
			if _, err := ck.Decrypt(c.Payload); !errors.Is(err, ErrUTF8) {
				t.Errorf("%s: the string call gave %v", c.Note, err)
			}
		}
		got, err := ck.AppendDecrypt(nil, []byte(c.Payload), nil)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", c.Note, got, err, want)
		}
		ran++
	}
	for _, c := range file.Derived.Base64 { // case 10
		_, err := ck.AppendDecrypt(nil, []byte(c.Payload), nil)
		if c.Expect == "accept" && err != nil || c.Expect == "reject" && err == nil {
			t.Errorf("%s: %v, want %s", c.Note, err, c.Expect)
		}
		ran++
	}
	for _, c := range file.Derived.Truncated {
		_, err := ck.AppendDecrypt(nil, []byte(c.Payload), nil)
		if want := map[bool]error{true: ErrVersion, false: ErrTooShort}[c.Payload == ""]; !errors.Is(err, want) {
			t.Errorf("%d characters: %v, want %v", len(c.Payload), err, want)
		}
		ran++
	}
	for _, c := range file.Derived.Version { // case 9
		_, err := ck.AppendDecrypt(nil, []byte(c.Payload), nil)
		var version *VersionError
		if !errors.As(err, &version) {
			t.Fatalf("%s: %v", c.Note, err)
		}
		var number int
		if _, scanErr := fmt.Sscanf(c.Note, "version %d", &number); scanErr != nil {
			number = -1
		}
		if version.Version != number {
			t.Errorf("%s: version %d", c.Note, version.Version)
		}
		ran++
	}
	if ran != 110 {
		t.Errorf("%d cases ran, want 110", ran)
	}
}

// Case 1: whatever a peer authenticates, there is an error and no panic.
func TestAuthenticatedRubbish(t *testing.T) {
	ck := conversationKey(t, testKey)
	key, nonce := testkit.Hex(t, testKey), testkit.Hex(t, testNonce)
	for n := range 300 {
		for _, fill := range []byte{0, 1, 0xff} {
			block := bytes.Repeat([]byte{fill}, n)
			got, err := ck.AppendDecrypt(nil, []byte(reference(t, key, nonce, block)), nil)
			if err == nil || len(got) != 0 {
				t.Errorf("a block of %d bytes of %#x opened", n, fill)
			}
		}
	}
}

// Case 1, behind the test of the length: unpad itself takes anything.
func TestUnpadAnything(t *testing.T) {
	for n := range 100 {
		for _, prefix := range []uint64{0, 1, 31, 32, 33, 65535, 65536, math.MaxUint32} {
			block := make([]byte, n)
			var b [8]byte
			binary.BigEndian.PutUint64(b[:], prefix<<16)
			copy(block, b[:])
			from, to, err := unpad(block)
			if err == nil && (from > to || to > n) {
				t.Errorf("unpad of %d bytes, prefix %d: %d…%d", n, prefix, from, to)
			}
		}
	}
}

// Cases 3, 6, 7: lengths around every step of the padding, both forms, against
// the reference, whole and in chunks.
func TestRoundTrip(t *testing.T) { eachTier(t, roundTrip) }

func roundTrip(t *testing.T) {
	ck := conversationKey(t, testKey)
	key, nonce := testkit.Hex(t, testKey), testkit.Hex32(t, testNonce)
	lengths := []int{65408, 65409, 65500, 65534, 65535, 65536, 65537, 70000, 81920, 81921, 200000}
	for n := 1; n <= 520; n++ {
		lengths = append(lengths, n)
	}
	for n := 1024; n <= 16384; n *= 2 {
		lengths = append(lengths, n-1, n, n+1)
	}
	lengths = append(lengths, chunkLen-2, chunkLen-1, chunkLen, chunkLen+1, 2*chunkLen-2, 3*chunkLen)
	for _, n := range lengths {
		plaintext := make([]byte, n)
		for i := range plaintext {
			plaintext[i] = byte(i*7 + n)
		}
		// The block as the text of NIP-44 lays it out.
		var block []byte
		if n <= 65535 {
			block = binary.BigEndian.AppendUint16(nil, uint16(n))
		} else {
			block = binary.BigEndian.AppendUint32([]byte{0, 0}, uint32(n))
		}
		block = append(block, plaintext...)
		block = append(block, make([]byte, int(PaddedLen(uint64(n)))-n)...)
		want := reference(t, key, nonce[:], block)

		got, err := ck.seal([]byte("head"), plaintext, &nonce, nil)
		if err != nil || string(got) != "head"+want {
			t.Fatalf("%d bytes: the payload differs from the reference (%v)", n, err)
		}
		if uint64(len(want)) != EncryptedLen(uint64(n)) {
			t.Errorf("EncryptedLen(%d) = %d, want %d", n, EncryptedLen(uint64(n)), len(want))
		}
		back, err := ck.AppendDecrypt([]byte("tail"), []byte(want), nil)
		if err != nil || !bytes.Equal(back, append([]byte("tail"), plaintext...)) {
			t.Fatalf("%d bytes: decrypting gives another text (%v)", n, err)
		}
	}
}

// Any changed character, and any cut, is an error; nothing is appended.
func TestChangedPayload(t *testing.T) {
	ck := conversationKey(t, testKey)
	payload, err := ck.AppendEncrypt(nil, []byte("attack at dawn"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range payload {
		for _, c := range []byte{payload[i] ^ 1, payload[i] ^ 0x80, '=', '\n', 0, '#'} {
			if c == payload[i] {
				continue
			}
			changed := bytes.Clone(payload)
			changed[i] = c
			got, err := ck.AppendDecrypt([]byte("x"), changed, nil)
			if err == nil || string(got) != "x" {
				t.Errorf("character %d changed to %q: %q, %v", i, c, got, err)
			}
		}
		if got, err := ck.AppendDecrypt(nil, payload[:i], nil); err == nil || got != nil {
			t.Errorf("cut at %d: %q, %v", i, got, err)
		}
	}
}

// Case 10: '=' at the end of the header, which is whole quanta and not the end of the
// text, is refused where it stands for a nonce that ends in zeros: the MAC would hold.
func TestPaddingWithin(t *testing.T) {
	ck := conversationKey(t, testKey)
	nonce := [nonceLen]byte{1}
	payload, err := ck.seal(nil, []byte("attack at dawn"), &nonce, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 2; n++ {
		changed := bytes.Clone(payload)
		copy(changed[headerChars-n:], "=="[:n])
		if got, err := ck.AppendDecrypt(nil, changed, nil); !errors.Is(err, ErrBase64) || got != nil {
			t.Errorf("%s: %q, %v", changed[:headerChars], got, err)
		}
	}
}

// Case 20: after a bad MAC the room behind dst holds neither plaintext nor
// what was decoded.
func TestNothingReleased(t *testing.T) {
	ck := conversationKey(t, testKey)
	payload, err := ck.AppendEncrypt(nil, []byte("attack at dawn"), nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(string(payload))
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)-1] ^= 1
	base64.StdEncoding.Encode(payload, raw)
	dst := make([]byte, 0, MaxDecryptedLen(payload))
	if _, err := ck.AppendDecrypt(dst, payload, nil); !errors.Is(err, ErrMAC) {
		t.Fatal(err)
	}
	if room := dst[:cap(dst)]; !bytes.Equal(room, make([]byte, len(room))) {
		t.Errorf("left behind: %x", room)
	}
}

// Cases 2, 5, 8: limits come before anything else, and carry size and limit.
func TestLimits(t *testing.T) {
	ck := conversationKey(t, testKey)
	encrypt := func(n int, o *Options) error {
		_, err := ck.AppendEncrypt(nil, make([]byte, n), o)
		return err
	}
	decrypt := func(n int, o *Options) error {
		_, err := ck.AppendDecrypt(nil, bytes.Repeat([]byte("AgAA"), n/4), o)
		return err
	}
	for _, c := range []struct {
		name        string
		err         error
		size, limit uint64
	}{
		{"encrypt, default", encrypt(1<<20+1, nil), 1<<20 + 1, 1 << 20},
		{"encrypt, own limit", encrypt(101, &Options{MaxPlaintext: 100}), 101, 100},
		{"encrypt, legacy", encrypt(65536, &Options{LegacyOnly: true}), 65536, 65535},
		{"encrypt, legacy and own limit", encrypt(101, &Options{LegacyOnly: true, MaxPlaintext: 100}), 101, 100},
		{"decrypt, default", decrypt(2<<20, nil), 2 << 20, 1398196},
		{"decrypt, own limit", decrypt(136, &Options{MaxPlaintext: 32}), 136, 132},
	} {
		var size *SizeError
		if !errors.As(c.err, &size) || !errors.Is(c.err, ErrTooLarge) || errors.Is(c.err, ErrTooShort) {
			t.Errorf("%s: %v", c.name, c.err)
		} else if *size != (SizeError{c.size, c.limit}) {
			t.Errorf("%s: size %d, limit %d, want %d, %d", c.name, size.Size, size.Limit, c.size, c.limit)
		}
	}
	for _, c := range []struct {
		n int
		o *Options
	}{
		{1 << 20, nil},
		{1<<20 + 1, &Options{MaxPlaintext: 2 << 20}},
		{65535, &Options{LegacyOnly: true}},
		{100, &Options{MaxPlaintext: math.MaxUint64}},
	} {
		payload, err := ck.AppendEncrypt(nil, make([]byte, c.n), c.o)
		if err != nil {
			t.Errorf("%d bytes, %+v: %v", c.n, c.o, err)
			continue
		}
		if back, err := ck.AppendDecrypt(nil, payload, c.o); err != nil || len(back) != c.n {
			t.Errorf("%d bytes, %+v: %d back, %v", c.n, c.o, len(back), err)
		}
	}
	if _, err := ck.Encrypt(""); !errors.Is(err, ErrEmpty) {
		t.Errorf("empty plaintext: %v", err)
	}
	if _, err := ck.Encrypt("\xff"); !errors.Is(err, ErrUTF8) {
		t.Errorf("invalid UTF-8: %v", err)
	}
	payload := bytes.Repeat([]byte("AgAA"), 2<<20/4)
	testkit.Allocs(t, "refusing a payload over the limit, but for the error,", 1, func() { ck.AppendDecrypt(nil, payload, nil) })
}

// The limit is that of the plaintext, not of the step it is padded to.
func TestLimitWithinPadding(t *testing.T) {
	ck := conversationKey(t, testKey)
	for _, n := range []int{1, 20, 33, 100, 257, 1000} {
		payload, err := ck.AppendEncrypt(nil, make([]byte, n+1), nil)
		if err != nil {
			t.Fatal(err)
		}
		var size *SizeError
		got, err := ck.AppendDecrypt(nil, payload, &Options{MaxPlaintext: uint64(n)})
		if !errors.As(err, &size) || !errors.Is(err, ErrTooLarge) || got != nil {
			t.Errorf("%d bytes, limit %d: %d bytes, %v", n+1, n, len(got), err)
		}
		if got, err := ck.AppendDecrypt(nil, payload, &Options{MaxPlaintext: uint64(n + 1)}); err != nil || len(got) != n+1 {
			t.Errorf("%d bytes, limit %d: %d bytes, %v", n+1, n+1, len(got), err)
		}
	}
}

// Case 11.
func TestLegacyNIP04(t *testing.T) {
	ck := conversationKey(t, testKey)
	for _, n := range []int{16, 32, 48, 64, 96, 100, 112, 128, 4096} {
		for first := range 256 {
			text := bytes.Repeat([]byte{byte(first)}, n)
			payload := base64.StdEncoding.EncodeToString(text) + "?iv=" + base64.StdEncoding.EncodeToString(text[:16])
			if _, err := ck.Decrypt(payload); !errors.Is(err, ErrLegacyNIP04) {
				t.Fatalf("%d bytes of %#x: %v", n, first, err)
			}
		}
	}
}

// Case 15.
func TestInvalidKeys(t *testing.T) {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []string{
		"0000000000000000000000000000000000000000000000000000000000000000",
		"eb1f7200aecaa86682376fb1c13cd12b732221e774f553b0a0857f88fa20f86d",
		"709858a4c121e4a84eb59c0ded0261093c71e8ca29efeef21a6161c447bcaf9f",
		"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", // p
		"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30", // p + 1, whose residue 1 lifts
	} {
		if ck, err := DeriveConversationKey(sk, testkit.Hex32(t, x)); !errors.Is(err, keys.ErrPublicKey) || ck != nil {
			t.Errorf("%s: %v", x, err)
		}
	}
	for _, n := range []int{0, 31, 33} {
		if ck, err := NewConversationKey(make([]byte, n)); !errors.Is(err, ErrKey) || ck != nil {
			t.Errorf("a key of %d bytes: %v", n, err)
		}
	}
}

func TestDestroyed(t *testing.T) {
	wiped := conversationKey(t, testKey)
	payload, err := wiped.Encrypt("x")
	if err != nil {
		t.Fatal(err)
	}
	clone, err := wiped.Clone()
	if err != nil {
		t.Fatal(err)
	}
	wiped.Zero()
	if *wiped.box.Get() != (state{}) {
		t.Error("the midstates are still there")
	}
	if got, err := clone.Decrypt(payload); got != "x" || err != nil {
		t.Errorf("the clone gave %q, %v", got, err)
	}
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	pub := sk.PublicKey()
	sk.Zero()
	for name, ck := range map[string]*ConversationKey{"nil": nil, "zero value": {}, "wiped": wiped} {
		_, encryptErr := ck.Encrypt("x")
		_, decryptErr := ck.Decrypt(payload)
		_, cloneErr := ck.Clone()
		for _, err := range []error{encryptErr, decryptErr, cloneErr, ck.Err()} {
			if !errors.Is(err, ErrDestroyed) {
				t.Errorf("%s: %v", name, err)
			}
		}
		ck.Zero() // never panics
	}
	if _, err := DeriveConversationKey(sk, pub); !errors.Is(err, ErrDestroyed) {
		t.Errorf("a wiped secret key: %v", err)
	}
	if cks, err := DeriveConversationKeys(sk, []keys.PublicKey{pub}); !errors.Is(err, ErrDestroyed) || cks != nil {
		t.Errorf("a wiped secret key and many peers: %v, %v", cks, err)
	}
}

// Overlap panics, as in the standard library, before anything is written.
func TestOverlap(t *testing.T) {
	ck := conversationKey(t, testKey)
	payload, err := ck.Encrypt("hello")
	if err != nil {
		t.Fatal(err)
	}
	sealed, opened := int(EncryptedLen(5)), MaxDecryptedLen([]byte(payload))
	for name, call := range map[string]struct {
		src  string
		room int
		f    func(dst, src []byte) ([]byte, error)
	}{
		"AppendEncrypt": {"hello", sealed, func(dst, src []byte) ([]byte, error) { return ck.AppendEncrypt(dst, src, nil) }},
		"AppendDecrypt": {payload, opened, func(dst, src []byte) ([]byte, error) { return ck.AppendDecrypt(dst, src, nil) }},
	} {
		const from = 400 // of the room
		n := len(call.src)
		for _, c := range []struct {
			name   string
			at     int // of src
			panics bool
		}{
			{"before the room", from - n, false},
			{"its last byte is the room's first", from - n + 1, true},
			{"at the start", from, true},
			{"its first byte is the room's last", from + call.room - 1, true},
			{"behind the room", from + call.room, false},
		} {
			buf := make([]byte, 2000)
			copy(buf[c.at:], call.src)
			func() {
				defer func() {
					if p := recover(); (p != nil) != c.panics {
						t.Errorf("%s, %s: panics %v, want %v", name, c.name, p, c.panics)
					}
				}()
				if _, err := call.f(buf[:from:from+call.room], buf[c.at:c.at+n]); err != nil {
					t.Errorf("%s, %s: %v", name, c.name, err)
				}
			}()
			if string(buf[c.at:c.at+n]) != call.src {
				t.Errorf("%s, %s: src is changed", name, c.name)
			}
		}
	}
}

func TestAllocs(t *testing.T) {
	ck := conversationKey(t, testKey)
	for _, n := range []int{32, 1024, 64000} {
		plaintext := bytes.Repeat([]byte("a"), n)
		text := string(plaintext)
		payload, err := ck.Encrypt(text)
		if err != nil {
			t.Fatal(err)
		}
		sealed := make([]byte, 0, EncryptedLen(uint64(n)))
		opened := make([]byte, 0, MaxDecryptedLen([]byte(payload)))
		raw := []byte(payload)
		for _, c := range []struct {
			name string
			most float64
			f    func() error
		}{
			{"AppendEncrypt", 0, func() error { _, err := ck.AppendEncrypt(sealed, plaintext, nil); return err }},
			{"AppendDecrypt", 0, func() error { _, err := ck.AppendDecrypt(opened, raw, nil); return err }},
			{"Encrypt", 1, func() error { _, err := ck.Encrypt(text); return err }},
			{"Decrypt", 1, func() error { _, err := ck.Decrypt(payload); return err }},
		} {
			testkit.Allocs(t, fmt.Sprintf("%s of %d bytes", c.name, n), c.most, func() {
				if err := c.f(); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// PaddedLen against its definition in powers of two, for all the lengths where
// something could step, up to the last.
func TestPaddedLen(t *testing.T) {
	naive := func(n uint64) uint64 {
		if n <= 32 {
			return 32
		}
		next := uint64(1)
		for next < n {
			next *= 2
		}
		chunk := uint64(32)
		if next > 256 {
			chunk = next / 8
		}
		padded := uint64(0)
		for padded < n {
			padded += chunk
		}
		return padded
	}
	for shift := range 33 {
		for eighth := uint64(8); eighth <= 16; eighth++ {
			for delta := -2; delta <= 2; delta++ {
				n := uint64(1)<<shift*eighth/8 + uint64(delta)
				if n < 1 || n > MaxPlaintext {
					continue
				}
				if got, want := PaddedLen(n), naive(n); got != want {
					t.Errorf("PaddedLen(%d) = %d, want %d", n, got, want)
				}
			}
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("a"), []byte("head"))
	f.Add(bytes.Repeat([]byte{0}, 33), []byte{})
	ck := conversationKey(f, testKey)
	f.Fuzz(func(t *testing.T, plaintext, head []byte) {
		if len(plaintext) == 0 {
			return
		}
		payload, err := ck.AppendEncrypt(nil, plaintext, nil)
		if err != nil {
			t.Fatal(err)
		}
		// The fuzzer's arguments may share memory: what is written behind head
		// must not be the plaintext.
		got, err := ck.AppendDecrypt(bytes.Clone(head), payload, nil)
		if err != nil || !bytes.Equal(got[:len(head)], head) || !bytes.Equal(got[len(head):], plaintext) {
			t.Fatalf("%v", err)
		}
	})
}

func FuzzDecrypt(f *testing.F) {
	ck := conversationKey(f, testKey)
	payload, err := ck.Encrypt("hello")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(payload))
	f.Add([]byte("#"))
	f.Add([]byte("AgAA?iv=AgAA"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		got, err := ck.AppendDecrypt(nil, payload, nil)
		if err != nil && got != nil {
			t.Errorf("an error and %d bytes", len(got))
		}
	})
}

// The constant states are those of the key that NIP-44 names.
func TestExtractKey(t *testing.T) {
	var want kernel.HMACKey
	want.Init([]byte("nip44-v2"))
	if extractKey != want {
		t.Errorf("%x, want %x", extractKey, want)
	}
}
