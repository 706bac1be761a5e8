package nip17

import (
	"crypto/aes"
	"crypto/cipher"

	"github.com/sealwright/sealwright/kernels/base64"
	"github.com/sealwright/sealwright/protocol/internal/secret"
	"github.com/sealwright/sealwright/protocol/keys"
)

// FileKey is the AES-GCM key of one file with its nonce. The zero value and a
// key after Zero hold none: every operation returns [keys.ErrDestroyed].
//
// It prints as <redacted> and has no ==. Copies share their memory and are
// wiped together. Several goroutines may use it at once, but not beside Zero.
// crypto/aes makes a schedule of the key for each use, which it does not wipe.
type FileKey struct {
	secret.Redacted
	box secret.Box[fileKey]
}

type fileKey struct {
	key, nonce []byte // nil once wiped
}

// NewFileKey copies a key of 16, 24 or 32 bytes and a nonce of 12 or 16 (some
// clients use 16), of a file that was encrypted elsewhere. The caller may wipe
// both. The error is [ErrFileKey].
//
// A key with its nonce may encrypt one file only.
func NewFileKey(key, nonce []byte) (FileKey, error) {
	if !isKeyLen(len(key)) || !isNonceLen(len(nonce)) {
		return FileKey{}, ErrFileKey
	}
	return FileKey{box: secret.NewBox(&fileKey{append([]byte(nil), key...), append([]byte(nil), nonce...)})}, nil
}

func isKeyLen(n int) bool   { return n == 16 || n == 24 || n == 32 }
func isNonceLen(n int) bool { return n == 12 || n == 16 }

func (k FileKey) get() (*fileKey, error) {
	s := k.box.Get()
	if s == nil || s.key == nil {
		return nil, keys.ErrDestroyed
	}
	return s, nil
}

// Bytes returns copies of key and nonce, for storing them or for a decryptor
// that works on streams. They are the caller's to wipe. The error is
// [keys.ErrDestroyed].
func (k FileKey) Bytes() (key, nonce []byte, err error) {
	s, err := k.get()
	if err != nil {
		return nil, nil, err
	}
	return append([]byte(nil), s.key...), append([]byte(nil), s.nonce...), nil
}

// Zero wipes the key and the nonce.
func (k FileKey) Zero() {
	s, err := k.get()
	if err != nil {
		return
	}
	secret.Wipe(s.key)
	secret.Wipe(s.nonce)
	*s = fileKey{}
}

// aead returns AES-GCM under the key, and the nonce, which is not a copy.
func (k FileKey) aead() (cipher.AEAD, []byte, error) {
	s, err := k.get()
	if err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(s.key)
	if err != nil {
		return nil, nil, err
	}
	aead, err := cipher.NewGCMWithNonceSize(block, len(s.nonce))
	return aead, s.nonce, err
}

// hex returns both in lower-case hexadecimal, the form in which they are sent.
func (k FileKey) hex() (key, nonce string, err error) {
	s, err := k.get()
	if err != nil {
		return "", "", err
	}
	return secret.EncodeHex(s.key), secret.EncodeHex(s.nonce), nil
}

// parseFileKey reads key and nonce. NIP-17 does not say how they are written:
// hexadecimal is what clients write, base64 (RFC 4648, section 4) is taken as
// well. No text of a length that is in use is valid in both, but for the base64
// of 24 bytes that happens to have no character beyond hexadecimal, which is
// taken for 16.
func parseFileKey(key, nonce string) (FileKey, error) {
	k := decodeSecret(key, isKeyLen)
	defer secret.Wipe(k)
	n := decodeSecret(nonce, isNonceLen)
	switch {
	case k == nil:
		return FileKey{}, &TagError{tagKey, ErrFileKey}
	case n == nil:
		return FileKey{}, &TagError{tagNonce, ErrFileKey}
	}
	return NewFileKey(k, n)
}

// decodeSecret returns the bytes that s encodes, if their number fits, or nil.
// Constant time in the value of what is hexadecimal.
func decodeSecret(s string, fits func(n int) bool) []byte {
	if len(s)%2 == 0 && fits(len(s)/2) {
		b := make([]byte, len(s)/2)
		if secret.DecodeHex(b, s, true) {
			return b
		}
		secret.Wipe(b)
	}
	// The longest that fits has 44 characters.
	if len(s) > 44 {
		return nil
	}
	text := []byte(s)
	defer secret.Wipe(text)
	if b, err := base64.AppendDecode(nil, text); err == nil && fits(len(b)) {
		return b
	}
	return nil
}
