package nip17

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip59"
)

const sealedText = "the boat leaves at six"

// sealedFile is a file that another implementation encrypted.
type sealedFile struct {
	key, nonce, keyBase64, nonceBase64 string
	ciphertext, x, ox                  string
}

// sealedFiles is sealedText, encrypted and hashed by OpenSSL through Node's
// crypto (aes-256-gcm, aes-128-gcm, aes-192-gcm).
var sealedFiles = []sealedFile{
	{
		key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", nonce: "a0a1a2a3a4a5a6a7a8a9aaab",
		keyBase64: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", nonceBase64: "oKGio6Slpqeoqaqr",
		ciphertext: "9270190d27a463cb4209e2b2711fb3fe11d87963fbcfdca4ad5fa213d9b1b516c2ee0d5c1d63",
		x:          "4b0480ea9739b3e6ed3e8c3e73e40269add736b2eb9fd13bde30990082191f0c",
		ox:         "7aaeac2abb93bf1061ea9fce625155a7f9a451360519c10e6bdb4e71e404a364",
	},
	{
		key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", nonce: "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf",
		keyBase64: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", nonceBase64: "oKGio6SlpqeoqaqrrK2urw==",
		ciphertext: "5ecb469c7aa2ac02e3f27ad09b71feb0e331630a174cace4894bbb3acc15a5af289dec86ad70",
		x:          "9c4cdef602599654b2044136068f41b5289ac7a92e1c08a89f4676cc78dc811e",
		ox:         "7aaeac2abb93bf1061ea9fce625155a7f9a451360519c10e6bdb4e71e404a364",
	},
	{
		key: "000102030405060708090a0b0c0d0e0f", nonce: "a0a1a2a3a4a5a6a7a8a9aaab",
		keyBase64: "AAECAwQFBgcICQoLDA0ODw==", nonceBase64: "oKGio6Slpqeoqaqr",
		ciphertext: "deee5d9b1ce6527eaa14d0613077c340329a037bea6fdc01b5c1b9cd714257e8566eeafa5df5",
		x:          "f2f41cf49894eb9dcd79380c6d46d213c2a150be78d75e897349168ced16b9a9",
		ox:         "7aaeac2abb93bf1061ea9fce625155a7f9a451360519c10e6bdb4e71e404a364",
	},
	{
		key: "000102030405060708090a0b0c0d0e0f1011121314151617", nonce: "a0a1a2a3a4a5a6a7a8a9aaab",
		keyBase64: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX", nonceBase64: "oKGio6Slpqeoqaqr",
		ciphertext: "4f0adb429b3c7907de59daa099b88759f5630b61f44a90e7d1bcfeb3d033b62b5a5d43c5756b",
		x:          "fe7576ecc23819524943d58be91d33d198c8d9a0816b6b71c2f4a198a8db1fb3",
		ox:         "7aaeac2abb93bf1061ea9fce625155a7f9a451360519c10e6bdb4e71e404a364",
	},
}

func (s sealedFile) info(t testing.TB) *FileInfo {
	t.Helper()
	key, err := NewFileKey(testkit.Hex(t, s.key), testkit.Hex(t, s.nonce))
	if err != nil {
		t.Fatal(err)
	}
	return &FileInfo{Key: key, X: testkit.Hex32(t, s.x), OX: testkit.Hex32(t, s.ox)}
}

// Files that others encrypted open, whichever way their keys are written.
func TestDecrypt(t *testing.T) {
	for _, s := range sealedFiles {
		ciphertext := testkit.Hex(t, s.ciphertext)
		if got, err := s.info(t).Decrypt(ciphertext); err != nil || string(got) != sealedText {
			t.Errorf("%s: %q, %v", s.key, got, err)
		}
		for _, form := range [][2]string{
			{s.key, s.nonce},
			{strings.ToUpper(s.key), strings.ToUpper(s.nonce)},
			{s.keyBase64, s.nonceBase64},
			{s.key, s.nonceBase64},
		} {
			f := s.info(t)
			var err error
			if f.Key, err = parseFileKey(form[0], form[1]); err != nil {
				t.Errorf("%q: %v", form, err)
				continue
			}
			if got, err := f.Decrypt(ciphertext); err != nil || string(got) != sealedText {
				t.Errorf("%q: %q, %v", form, got, err)
			}
		}
	}

	// Test case 14 of "The Galois/Counter Mode of Operation (GCM)", McGrew and
	// Viega: 16 zero bytes under a zero key of 256 bits and a zero nonce.
	key, err := NewFileKey(make([]byte, 32), make([]byte, 12))
	if err != nil {
		t.Fatal(err)
	}
	ciphertext := testkit.Hex(t, "cea7403d4d606b6e074ec5d3baf39d18"+"d0d1c8a799996bf0265b98b5d48ab919")
	f := &FileInfo{Key: key, X: sha256.Sum256(ciphertext), OX: sha256.Sum256(make([]byte, 16))}
	if got, err := f.Decrypt(ciphertext); err != nil || !bytes.Equal(got, make([]byte, 16)) {
		t.Errorf("%x, %v", got, err)
	}
}

// x is tested before anything is decrypted, ox before anything is released.
func TestDecryptRefused(t *testing.T) {
	s := sealedFiles[0]
	ciphertext := testkit.Hex(t, s.ciphertext)
	for i := range ciphertext {
		changed := bytes.Clone(ciphertext)
		changed[i] ^= 1
		if got, err := s.info(t).Decrypt(changed); !errors.Is(err, ErrFileHash) || got != nil {
			t.Fatalf("byte %d: %q, %v", i, got, err)
		}
		// With an x that agrees, AES-GCM refuses.
		f := s.info(t)
		f.X = sha256.Sum256(changed)
		if got, err := f.Decrypt(changed); !errors.Is(err, ErrFileMAC) || got != nil {
			t.Fatalf("byte %d: %q, %v", i, got, err)
		}
	}
	for n := range ciphertext {
		f := s.info(t)
		f.X = sha256.Sum256(ciphertext[:n])
		if got, err := f.Decrypt(ciphertext[:n]); !errors.Is(err, ErrFileMAC) || got != nil {
			t.Fatalf("%d bytes: %q, %v", n, got, err)
		}
		if got, err := s.info(t).Decrypt(ciphertext[:n]); !errors.Is(err, ErrFileHash) || got != nil {
			t.Fatalf("%d bytes: %q, %v", n, got, err)
		}
	}
	if got, err := s.info(t).Decrypt(append(bytes.Clone(ciphertext), 0)); !errors.Is(err, ErrFileHash) || got != nil {
		t.Errorf("a byte more: %q, %v", got, err)
	}

	f := s.info(t)
	f.OX[31] ^= 1
	if got, err := f.Decrypt(ciphertext); !errors.Is(err, ErrFilePlainHash) || got != nil {
		t.Errorf("another ox: %q, %v", got, err)
	}
	plain := []byte(sealedText)
	if err := f.checkPlain(plain); !errors.Is(err, ErrFilePlainHash) || !bytes.Equal(plain, make([]byte, len(sealedText))) {
		t.Errorf("another ox leaves %q, %v", plain, err)
	}
	f.OX = Hash{}
	if got, err := f.Decrypt(ciphertext); err != nil || string(got) != sealedText {
		t.Errorf("no ox: %q, %v", got, err)
	}
	f.Key = sealedFiles[2].info(t).Key
	if got, err := f.Decrypt(ciphertext); !errors.Is(err, ErrFileMAC) || got != nil {
		t.Errorf("another key: %q, %v", got, err)
	}
	for _, none := range []*FileInfo{{}, {X: f.X}} {
		if got, err := none.Decrypt(ciphertext); !errors.Is(err, keys.ErrDestroyed) || got != nil {
			t.Errorf("no key: %q, %v", got, err)
		}
	}
	if _, err := (*FileInfo)(nil).Decrypt(ciphertext); !errors.Is(err, nip59.ErrNil) {
		t.Error(err)
	}
	if hex.EncodeToString(ciphertext) != s.ciphertext {
		t.Error("the ciphertext was changed")
	}
}

// What EncryptFile makes is what crypto/cipher opens and crypto/sha256 hashes.
func TestEncryptFile(t *testing.T) {
	seen := map[string]bool{}
	for _, n := range []int{0, 1, 15, 16, 17, 64, 1000, 1 << 20} {
		plain := bytes.Repeat([]byte{0xa5}, n)
		ciphertext, f, err := EncryptFile(plain, "image/png")
		if err != nil {
			t.Fatal(err)
		}
		if len(ciphertext) != n+16 || f.Size != int64(n+16) || f.Type != "image/png" || f.URL != "" ||
			f.X != sha256.Sum256(ciphertext) || f.OX != sha256.Sum256(plain) {
			t.Errorf("%d bytes: %+v", n, f)
		}
		key, nonce, err := f.Key.Bytes()
		if err != nil || len(key) != 32 || len(nonce) != 12 || seen[string(key)] || seen[string(nonce)] {
			t.Fatalf("%d bytes of key, %d of nonce, or one used before; error %v", len(key), len(nonce), err)
		}
		seen[string(key)], seen[string(nonce)] = true, true
		block, err := aes.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := aead.Open(nil, nonce, ciphertext, nil); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes: crypto/cipher does not open it: %v", n, err)
		}
		if got, err := f.Decrypt(ciphertext); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	// NIST SP 800-38D: 2^39 - 256 bits.
	const most = (1<<39 - 256) / 8
	if tooLarge(most) || !tooLarge(most+1) {
		t.Error("the limit of AES-GCM is not where it should be")
	}
}

// Every length of key and nonce, and every byte in their text.
func TestFileKeyForms(t *testing.T) {
	for n := range 70 {
		_, err := NewFileKey(make([]byte, n), make([]byte, 12))
		if want := n == 16 || n == 24 || n == 32; (err == nil) != want || (err != nil && !errors.Is(err, ErrFileKey)) {
			t.Errorf("a key of %d bytes: %v", n, err)
		}
		_, err = NewFileKey(make([]byte, 32), make([]byte, n))
		if want := n == 12 || n == 16; (err == nil) != want || (err != nil && !errors.Is(err, ErrFileKey)) {
			t.Errorf("a nonce of %d bytes: %v", n, err)
		}
	}
	// Case 2, in small: what is too long is refused before it is decoded.
	huge := strings.Repeat("A", 1<<20)
	if n := testing.AllocsPerRun(10, func() { decodeSecret(huge, isKeyLen) }); n != 0 {
		t.Errorf("a text of 1 MiB costs %v allocations", n)
	}
	// Base64 is of one text: no other alphabet, no missing padding, no line
	// break, no spare bit.
	for _, bad := range []string{
		sealedFiles[0].keyBase64[:43], sealedFiles[0].keyBase64 + "\n", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=",
		strings.Repeat("_", 43) + "=", base64.RawStdEncoding.EncodeToString(make([]byte, 16)),
		base64.StdEncoding.EncodeToString(make([]byte, 33)), base64.StdEncoding.EncodeToString(make([]byte, 12)),
	} {
		if _, err := parseFileKey(bad, sealedFiles[0].nonce); !errors.Is(err, ErrFileKey) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Cases 18 and 19: a file's key does not print and is wiped.
func TestFileKeySecrecy(t *testing.T) {
	s := sealedFiles[0]
	f := s.info(t)
	type holder struct {
		Public FileInfo
		hidden FileInfo
	}
	h := holder{*f, *f}
	if h.hidden.Key.box.Get() == nil {
		t.Fatal("the copy has no key")
	}
	leaks := func(text string) bool {
		text = strings.ToLower(text)
		for _, form := range []string{"000102030405", "00 01 02 03", "0 1 2 3 4 5", "0x0, 0x1, 0x2", "a0a1a2a3", "160 161 162", "aaecawqf"} {
			if strings.Contains(text, form) {
				return true
			}
		}
		return false
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%X", "%s", "%q", "%d"} {
		for _, v := range []any{f.Key, &f.Key} {
			if got := fmt.Sprintf(verb, v); got != "<redacted>" {
				t.Errorf("%s of %T: %s", verb, v, got)
			}
		}
		for _, v := range []any{f, *f, h, &h, &Message{File: f}} {
			if got := fmt.Sprintf(verb, v); leaks(got) {
				t.Errorf("%s of %T: %s", verb, v, got)
			}
		}
	}
	text, err := json.Marshal(f)
	if err != nil || leaks(string(text)) || !strings.Contains(string(text), `"Key":"\u003credacted\u003e"`) {
		t.Errorf("%s, %v", text, err)
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "f", f, "k", f.Key)
	if leaks(log.String()) || log.Len() == 0 {
		t.Error(log.String())
	}
	if reflect.TypeFor[FileKey]().Comparable() {
		t.Error("FileKey has ==")
	}

	// Copies in and out.
	key, nonce := testkit.Hex(t, s.key), testkit.Hex(t, s.nonce)
	k, err := NewFileKey(key, nonce)
	if err != nil {
		t.Fatal(err)
	}
	clear(key)
	clear(nonce)
	out, outNonce, err := k.Bytes()
	if err != nil || hex.EncodeToString(out) != s.key || hex.EncodeToString(outNonce) != s.nonce {
		t.Errorf("%v", err)
	}
	clear(out)
	if again, _, err := k.Bytes(); err != nil || hex.EncodeToString(again) != s.key {
		t.Errorf("%v", err)
	}

	inside := k.box.Get().key
	shared := k
	k.Zero()
	if !bytes.Equal(inside, make([]byte, 32)) {
		t.Error("the key is still there")
	}
	for _, dead := range []FileKey{k, shared, {}} {
		dead.Zero()
		if _, _, err := dead.Bytes(); !errors.Is(err, keys.ErrDestroyed) {
			t.Error(err)
		}
		if _, err := (&FileInfo{Key: dead}).Decrypt(nil); !errors.Is(err, keys.ErrDestroyed) {
			t.Error(err)
		}
	}
}

// The JSON of a message shows no key but in the rumor, from which the message can
// be made again.
func TestFileMessageJSON(t *testing.T) {
	a, b, _ := people(t)
	f := sealedFiles[0].info(t)
	f.URL, f.Type = "https://files.example/1", "text/plain"
	m := mustParse(t, must(t)(File(a, NewRoom(a, b), f, nil)), b)
	text, err := json.Marshal(m)
	if err != nil || !strings.Contains(string(text), `"Key":"\u003credacted\u003e"`) || strings.Count(string(text), sealedFiles[0].key) != 1 {
		t.Errorf("%s, %v", text, err)
	}
	if err := json.Unmarshal(text, new(Message)); err == nil {
		t.Error("a message without its key was read back")
	}
	var back struct{ Rumor *nip59.Rumor }
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	again := mustParse(t, back.Rumor, b)
	if got, _, err := again.File.Key.Bytes(); err != nil || hex.EncodeToString(got) != sealedFiles[0].key {
		t.Errorf("%x, %v", got, err)
	}
}

// The form of a hash.
func TestHash(t *testing.T) {
	h := Hash(sha256.Sum256([]byte("abc"))) // FIPS 180-4
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if h.String() != want {
		t.Error(h.String())
	}
	if text, err := json.Marshal(h); err != nil || string(text) != `"`+want+`"` {
		t.Errorf("%s, %v", text, err)
	}
}
