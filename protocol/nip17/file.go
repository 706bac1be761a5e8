package nip17

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"

	"github.com/sealwright/sealwright/kernels/sha256"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/internal/secret"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// Names of a file message's own tags.
const (
	tagType      = "file-type"
	tagAlgorithm = "encryption-algorithm"
	tagKey       = "decryption-key"
	tagNonce     = "decryption-nonce"
	tagX         = "x"
	tagOX        = "ox"
	tagSize      = "size"
	tagDim       = "dim"
	tagThumbhash = "thumbhash"
	tagBlurhash  = "blurhash"
	tagThumb     = "thumb"
	tagFallback  = "fallback"
)

// algorithm is the only one of NIP-17.
const algorithm = "aes-gcm"

// Hash is the SHA-256 of a file. Its text form is 64 lower-case hexadecimal
// digits.
type Hash [32]byte

// String returns the text form.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText implements [encoding.TextMarshaler].
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// FileInfo tells where an encrypted file is, how to decrypt it and what it is
// (NIP-17, kind 15). Of a file that was received, all but Key, X and OX is what
// the sender says and nothing proves.
//
// It prints without its key. Key.Zero wipes that.
type FileInfo struct {
	URL  string  // of the encrypted file
	Type string  // MIME type before encryption; "" in a message that has none
	Key  FileKey // of AES-GCM
	X    Hash    // of the encrypted file
	OX   Hash    // of the file before encryption; zero in a message that has none

	// What follows may be absent.

	Size      int64    // of the encrypted file, in bytes
	Dim       string   // in pixels, <width>x<height>
	Thumbhash string   // a preview
	Blurhash  string   // a preview
	Thumb     string   // URL of a smaller picture; never encrypt one with Key
	Fallback  []string // further URLs of the encrypted file
}

// EncryptFile encrypts a file under a new key (AES-256-GCM, a nonce of 12
// bytes) and returns what is to be uploaded, len(plain) + 16 bytes, and all that
// [File] needs but the URL. mimeType is the file's own. The errors are
// [ErrFileTooLarge] and the system generator's.
//
// File and result are in memory as a whole. The size of a file is not hidden.
func EncryptFile(plain []byte, mimeType string) (ciphertext []byte, f *FileInfo, err error) {
	if tooLarge(uint64(len(plain))) {
		return nil, nil, ErrFileTooLarge
	}
	var random [32 + 12]byte
	defer secret.Wipe(random[:])
	if _, err := rand.Read(random[:]); err != nil {
		return nil, nil, err
	}
	key, err := NewFileKey(random[:32], random[32:])
	if err != nil {
		return nil, nil, err
	}
	aead, nonce, err := key.aead()
	if err != nil {
		return nil, nil, err
	}
	ciphertext = aead.Seal(nil, nonce, plain, nil)
	return ciphertext, &FileInfo{
		Type: mimeType,
		Key:  key,
		X:    sha256.Sum256(ciphertext),
		OX:   sha256.Sum256(plain),
		Size: int64(len(ciphertext)),
	}, nil
}

// tooLarge reports whether n bytes are more than the counter of AES-GCM spans
// (NIST SP 800-38D, 5.2.1.1), at which crypto/cipher panics.
func tooLarge(n uint64) bool { return n > (1<<32-2)*16 }

// Decrypt returns the file whose encrypted bytes these are. It checks X before
// it decrypts, and OX, unless that is zero, before it releases anything. The
// errors are [ErrFileHash], [ErrFileMAC], [ErrFilePlainHash], and
// [keys.ErrDestroyed] without a key.
//
// ciphertext stays as it is. Bound what is downloaded: Size is the sender's
// word.
func (f *FileInfo) Decrypt(ciphertext []byte) ([]byte, error) {
	if f == nil {
		return nil, nip59.ErrNil
	}
	aead, nonce, err := f.Key.aead()
	if err != nil {
		return nil, err
	}
	if sha256.Sum256(ciphertext) != f.X {
		return nil, ErrFileHash
	}
	plain, err := aead.Open(nil, nonce, ciphertext, nil)
	if err != nil {
		return nil, ErrFileMAC
	}
	if err := f.checkPlain(plain); err != nil {
		return nil, err
	}
	return plain, nil
}

// checkPlain compares what was decrypted with OX, and wipes it when it is not
// what that says.
func (f *FileInfo) checkPlain(plain []byte) error {
	if f.OX != (Hash{}) && sha256.Sum256(plain) != f.OX {
		secret.Wipe(plain)
		return ErrFilePlainHash
	}
	return nil
}

// tags returns the tags of a file message but those it shares with a chat.
func (f *FileInfo) tags() (event.Tags, error) {
	key, nonce, err := f.Key.hex()
	if err != nil {
		return nil, err
	}
	switch {
	case f.URL == "":
		return nil, ErrFileURL
	case f.Type == "":
		return nil, &TagError{tagType, ErrTagMissing}
	case f.X == Hash{}:
		return nil, &TagError{tagX, ErrTagMissing}
	case f.Size < 0:
		return nil, &TagError{tagSize, ErrTagValue}
	}
	var ox, size string
	if f.OX != (Hash{}) {
		ox = f.OX.String()
	}
	if f.Size > 0 {
		size = strconv.FormatInt(f.Size, 10)
	}
	tags := event.Tags{
		{tagType, f.Type},
		{tagAlgorithm, algorithm},
		{tagKey, key},
		{tagNonce, nonce},
		{tagX, f.X.String()},
	}
	for _, tag := range (event.Tags{
		{tagOX, ox},
		{tagSize, size},
		{tagDim, f.Dim},
		{tagThumbhash, f.Thumbhash},
		{tagBlurhash, f.Blurhash},
		{tagThumb, f.Thumb},
	}) {
		if tag.Value() != "" {
			tags = append(tags, tag)
		}
	}
	for _, url := range f.Fallback {
		if url == "" {
			return nil, &TagError{tagFallback, ErrTagValue}
		}
		tags = append(tags, event.Tag{tagFallback, url})
	}
	return tags, nil
}

// parseFile reads what tags returned, or what others write.
func parseFile(url string, tags event.Tags) (*FileInfo, error) {
	if url == "" {
		return nil, ErrFileURL
	}
	f := &FileInfo{URL: url}
	var alg, key, nonce, x, ox, size string
	fields := map[string]*string{
		tagType: &f.Type, tagAlgorithm: &alg, tagKey: &key, tagNonce: &nonce, tagX: &x, tagOX: &ox,
		tagSize: &size, tagDim: &f.Dim, tagThumbhash: &f.Thumbhash, tagBlurhash: &f.Blurhash, tagThumb: &f.Thumb,
	}
	seen := map[string]bool{}
	for _, tag := range tags {
		name, value := tag.Name(), tag.Value()
		if name == tagFallback && value != "" {
			f.Fallback = append(f.Fallback, value)
		}
		field := fields[name]
		if field == nil {
			continue
		}
		if seen[name] {
			return nil, &TagError{name, ErrTagTwice}
		}
		seen[name] = true
		*field = value
	}
	for _, name := range []string{tagAlgorithm, tagKey, tagNonce, tagX} {
		if !seen[name] {
			return nil, &TagError{name, ErrTagMissing}
		}
	}

	if alg != algorithm {
		return nil, &TagError{tagAlgorithm, ErrFileAlgorithm}
	}
	if !parseHash(&f.X, x) {
		return nil, &TagError{tagX, ErrTagValue}
	}
	if seen[tagOX] && !parseHash(&f.OX, ox) {
		return nil, &TagError{tagOX, ErrTagValue}
	}
	if seen[tagSize] {
		// Plain decimal digits alone; ParseInt would take a sign.
		n, err := strconv.ParseUint(size, 10, 63)
		if err != nil {
			return nil, &TagError{tagSize, ErrTagValue}
		}
		f.Size = int64(n)
	}
	var err error
	if f.Key, err = parseFileKey(key, nonce); err != nil {
		return nil, err
	}
	return f, nil
}

// parseHash refuses the hash of zeros, which is no file's and stands for none
// in a FileInfo.
func parseHash(h *Hash, s string) bool {
	return (*event.ID)(h).UnmarshalText([]byte(s)) == nil && *h != Hash{}
}
