// Package nip44 encrypts and decrypts the payloads of NIP-44, version 2.
//
// A [ConversationKey] belongs to two people and is the same for both: derive it
// once with [DeriveConversationKey] and keep it. The core works on bytes and
// appends to a slice of the caller's ([ConversationKey.AppendEncrypt],
// [ConversationKey.AppendDecrypt]); [ConversationKey.Encrypt] and
// [ConversationKey.Decrypt] do the same on strings.
//
// Both length forms are read and written: up to 65,535 bytes of plaintext the
// form of 2023, from 65,536 bytes on the extended one, which older readers
// refuse ([Options].LegacyOnly). NIP-44 authenticates a message between the two
// holders of a key; that a message came from one of them and not the other is
// told only by the signed event that carries it, which must be verified first.
//
// Everything that touches a key takes constant time in its value; lengths are
// public.
package nip44

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"slices"
	"unicode/utf8"

	"github.com/sealwright/sealwright/internal/alias"
	"github.com/sealwright/sealwright/kernels/base64"
	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/etm"
	"github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/kernels/sha256"
	"github.com/sealwright/sealwright/protocol/curve"
	"github.com/sealwright/sealwright/protocol/internal/secret"
	"github.com/sealwright/sealwright/protocol/internal/view"
	"github.com/sealwright/sealwright/protocol/keys"
)

// Options are what a call may be told. nil is the default.
type Options struct {
	// MaxPlaintext is the longest plaintext, in bytes, that is encrypted, and
	// the longest that a payload may hold; what is longer gives a [*SizeError]
	// before anything is allocated. Zero means [DefaultMaxPlaintext]; values
	// above [MaxPlaintext] mean that.
	MaxPlaintext uint64
	// LegacyOnly makes AppendEncrypt refuse a plaintext of more than
	// [LegacyMaxPlaintext] bytes, which readers of the format of 2023 cannot
	// open. Decryption reads both forms whatever it says.
	LegacyOnly bool
}

func (o *Options) maxPlaintext() uint64 {
	if o == nil || o.MaxPlaintext == 0 {
		return DefaultMaxPlaintext
	}
	return min(o.MaxPlaintext, MaxPlaintext)
}

func (o *Options) maxEncrypt() uint64 {
	if o != nil && o.LegacyOnly {
		return min(o.maxPlaintext(), LegacyMaxPlaintext)
	}
	return o.maxPlaintext()
}

// ConversationKey is the long-term secret that two people share (NIP-44,
// get_conversation_key). It keeps the two SHA-256 states of the key as an HMAC
// key, which is all that a message needs. The zero value and a key after Zero
// hold none: every operation returns [ErrDestroyed].
//
// It prints as <redacted> and has no ==. Several goroutines may use it at
// once, but not beside Zero.
type ConversationKey struct {
	secret.Redacted
	box secret.Box[state]
}

type state struct {
	prk  sha256.HMACKey
	live bool
}

// HMAC-SHA256 under the constant key "nip44-v2" of HKDF-Extract: its states
// behind the inner and the outer pad.
var extractKey = sha256.HMACKey{
	Inner: sha256.State{0xa5e4e3e6, 0x2df6e4d4, 0x090a70c6, 0x0f30e27d, 0xd6c3238f, 0x4892ab4d, 0xeb0cd918, 0x752159cc},
	Outer: sha256.State{0x3f7ca3a2, 0xdba775bd, 0xda87c8c8, 0xbf41beb6, 0x7ffa6456, 0x60ae2133, 0x2c7cca32, 0x4bf10786},
}

// DeriveConversationKey computes the key of sk and pub: HKDF-Extract of the
// x-coordinate of their ECDH point. The result is the same with the roles
// swapped. The error is [keys.ErrPublicKey] when pub is not on the curve, or
// [ErrDestroyed]. Constant time in sk.
func DeriveConversationKey(sk *keys.SecretKey, pub keys.PublicKey) (*ConversationKey, error) {
	var d secp256k1.Scalar
	var shared [32]byte
	defer func() {
		d.Zero()
		secret.Wipe(shared[:])
	}()

	if err := sk.CopyScalar(&d); err != nil {
		return nil, err
	}
	if !curve.ECDH(&shared, &d, (*[32]byte)(&pub)) {
		return nil, keys.ErrPublicKey
	}
	return extract(&shared), nil
}

// DeriveConversationKeys is [DeriveConversationKey] for many peers, which with AVX-512 takes
// less than half the time from eight on. The key of a peer that is not on the curve is nil. The
// error is [ErrDestroyed]. Constant time in sk.
func DeriveConversationKeys(sk *keys.SecretKey, pubs []keys.PublicKey) ([]*ConversationKey, error) {
	var d secp256k1.Scalar
	shared := make([][32]byte, len(pubs))
	defer func() {
		d.Zero()
		for i := range shared {
			secret.Wipe(shared[i][:])
		}
	}()

	if err := sk.CopyScalar(&d); err != nil {
		return nil, err
	}
	x, ok := make([][32]byte, len(pubs)), make([]bool, len(pubs))
	for i := range pubs {
		x[i] = pubs[i]
	}
	curve.ECDHEach(shared, ok, &d, x)
	cks := make([]*ConversationKey, len(pubs))
	for i := range cks {
		if ok[i] {
			cks[i] = extract(&shared[i])
		}
	}
	return cks, nil
}

// extract is HKDF-Extract with NIP-44's salt.
func extract(shared *[32]byte) *ConversationKey {
	var prk [32]byte
	var mac sha256.HMAC
	defer func() {
		secret.Wipe(prk[:])
		mac.Zero()
	}()

	mac.Init(&extractKey)
	mac.Write(shared[:])
	mac.Sum(&prk)
	ck, s := newConversationKey()
	s.prk.Init(prk[:])
	s.live = true
	return ck
}

// NewConversationKey takes the 32 bytes of a conversation key that was derived
// elsewhere. The caller may wipe key. The error is [ErrKey].
func NewConversationKey(key []byte) (*ConversationKey, error) {
	if len(key) != 32 {
		return nil, ErrKey
	}
	ck, s := newConversationKey()
	s.prk.Init(key)
	s.live = true
	return ck, nil
}

// newConversationKey makes a key and its state in one allocation.
func newConversationKey() (*ConversationKey, *state) {
	v := new(struct {
		ck ConversationKey
		s  state
	})
	v.ck.box = secret.NewBox(&v.s)
	return &v.ck, &v.s
}

// Clone returns a copy with memory of its own. The error is [ErrDestroyed].
func (ck *ConversationKey) Clone() (*ConversationKey, error) {
	s, err := ck.state()
	if err != nil {
		return nil, err
	}
	c, cs := newConversationKey()
	*cs = *s
	return c, nil
}

func (ck *ConversationKey) state() (*state, error) {
	if ck == nil {
		return nil, ErrDestroyed
	}
	s := ck.box.Get()
	if s == nil || !s.live {
		return nil, ErrDestroyed
	}
	return s, nil
}

// Err returns [ErrDestroyed] for a key that is zero or wiped, nil otherwise.
func (ck *ConversationKey) Err() error {
	_, err := ck.state()
	return err
}

// Zero wipes the key. Copies of the value are wiped with it; a Clone is not.
func (ck *ConversationKey) Zero() {
	if s, err := ck.state(); err == nil {
		s.prk.Zero()
		s.live = false
	}
}

// messageKeys are the keys of one message (NIP-44, get_message_keys).
type messageKeys struct {
	cipher [chacha20.KeySize]byte
	nonce  [chacha20.NonceSize]byte
	mac    sha256.HMACKey
}

func (k *messageKeys) derive(prk *sha256.HMACKey, nonce *[nonceLen]byte) {
	var okm [76]byte
	sha256.Expand(okm[:], prk, nonce[:])
	copy(k.cipher[:], okm[:32])
	copy(k.nonce[:], okm[32:44])
	k.mac.Init(okm[44:])
	secret.Wipe(okm[:])
}

func (k *messageKeys) zero() {
	secret.Wipe(k.cipher[:])
	secret.Wipe(k.nonce[:])
	k.mac.Zero()
}

// Encrypt returns the payload of plaintext under the default options. The
// error is [ErrEmpty], [ErrUTF8], a [*SizeError], or [ErrDestroyed].
func (ck *ConversationKey) Encrypt(plaintext string) (string, error) {
	if !utf8.ValidString(plaintext) {
		return "", ErrUTF8
	}
	payload, err := ck.AppendEncrypt(nil, view.Bytes(plaintext), nil)
	return view.String(payload), err
}

// Decrypt returns the plaintext of a payload under the default options. The
// errors are those of [ConversationKey.AppendDecrypt], and [ErrUTF8].
func (ck *ConversationKey) Decrypt(payload string) (string, error) {
	if err := CheckPayload(view.Bytes(payload), nil); err != nil {
		return "", err
	}
	s, err := ck.state()
	if err != nil {
		return "", err
	}
	body := make([]byte, MaxDecryptedLen(view.Bytes(payload)))
	plaintext, err := s.open(body, view.Bytes(payload), nil)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(plaintext) {
		secret.Wipe(plaintext)
		return "", ErrUTF8
	}
	return view.String(plaintext), nil
}

// chunkLen is how much of a message is encrypted, authenticated and encoded at
// a time: whole ChaCha20 and SHA-256 blocks, and whole base64 quanta.
const chunkLen = 48 * chacha20.BlockSize

// A buffer holds a chunk, and behind the last one the MAC.
type buffer [chunkLen + macLen]byte

// AppendEncrypt appends the payload of plaintext to dst and returns the
// extended slice. With room for [EncryptedLen] it allocates nothing. The nonce
// comes from the system's generator. plaintext must not overlap the room
// behind dst. The error is [ErrEmpty], a [*SizeError], [ErrDestroyed], or that
// of the generator; dst is returned unchanged then.
func (ck *ConversationKey) AppendEncrypt(dst, plaintext []byte, o *Options) ([]byte, error) {
	var nonce [nonceLen]byte
	if _, err := rand.Read(nonce[:]); err != nil {
		return dst, err
	}
	return ck.seal(dst, plaintext, &nonce, o)
}

// seal is encrypt of NIP-44 with the nonce given.
func (ck *ConversationKey) seal(dst, plaintext []byte, nonce *[nonceLen]byte, o *Options) ([]byte, error) {
	n := uint64(len(plaintext))
	s, err := ck.state()
	if err != nil {
		return dst, err
	}
	if n == 0 {
		return dst, ErrEmpty
	}
	if limit := o.maxEncrypt(); n > limit {
		return dst, &SizeError{Size: n, Limit: limit}
	}
	if EncryptedLen(n) > maxInt {
		return dst, &SizeError{Size: n, Limit: maxInt / 4 * 3 / 5 * 4} // 32 bits
	}
	checkOverlap(dst, plaintext, int(EncryptedLen(n)))

	var k messageKeys
	var mac sha256.HMAC
	var buf buffer
	defer func() {
		k.zero()
		mac.Zero()
	}()
	k.derive(&s.prk, nonce)
	mac.Init(&k.mac)
	mac.Write(nonce[:])

	// payload = base64(version ‖ nonce ‖ ciphertext ‖ mac), written from left
	// to right. Header and chunks are whole quanta, so each is encoded alone.
	from := len(dst)
	dst = slices.Grow(dst, int(EncryptedLen(n)))[:from+int(EncryptedLen(n))]
	out := dst[from:]
	buf[0] = versionByte
	copy(buf[1:], nonce[:])
	base64.Encode(out[:headerChars], buf[:headerLen])
	out = out[headerChars:]

	// block = prefix ‖ plaintext ‖ zeros, of which now holds one chunk, encrypted in place,
	// and before the chunk that came before it, whose MAC is taken meanwhile.
	var prefix [longPrefix]byte
	filled := copy(buf[:], prefix[:putPrefix(&prefix, n)])
	left := prefixLen(n) + PaddedLen(n)
	now, before := &buf, &buf
	if left > chunkLen {
		var second buffer
		before = &second
	}
	var waiting []byte // in before
	counter := uint32(0)
	for {
		size := int(min(left, chunkLen))
		chunk := now[:size]
		took := copy(chunk[filled:], plaintext)
		plaintext = plaintext[took:]
		clear(chunk[filled+took:])
		filled = 0

		etm.XORKeyStreamWrite(chunk, chunk, &k.cipher, &k.nonce, counter, &mac, waiting)
		counter += chunkLen / chacha20.BlockSize
		left -= uint64(size)
		if left == 0 {
			mac.Write(chunk)
			mac.Sum((*[macLen]byte)(now[size:]))
			base64.Encode(out, now[:size+macLen])
			return dst, nil
		}
		chars := base64.EncodedLen(size)
		base64.Encode(out[:chars], chunk)
		out = out[chars:]
		waiting = chunk
		now, before = before, now
	}
}

// AppendDecrypt appends the plaintext of a payload to dst and returns the
// extended slice. With room for [MaxDecryptedLen] it allocates nothing.
// payload must not overlap the room behind dst. Nothing is decrypted before
// the whole payload is authenticated; on any error dst is returned as it was,
// and what was written behind it is wiped.
//
// The errors, in the order of the checks: [*VersionError]; [*SizeError] (over
// the limit, or too short); [ErrBase64] for the form; [ErrPadding] for the
// length; [ErrDestroyed]; [ErrBase64] for the alphabet; [ErrMAC]; [ErrPadding];
// a [*SizeError] for a plaintext over the limit within a step of the padding.
// A payload in the form of NIP-04 gives [ErrLegacyNIP04] in place of the errors
// about form.
func (ck *ConversationKey) AppendDecrypt(dst, payload []byte, o *Options) ([]byte, error) {
	if err := CheckPayload(payload, o); err != nil {
		return dst, err
	}
	s, err := ck.state()
	if err != nil {
		return dst, err
	}
	room := MaxDecryptedLen(payload)
	checkOverlap(dst, payload, room)
	grown := slices.Grow(dst, room)
	plaintext, err := s.open(grown[len(dst):len(dst)+room], payload, o)
	if err != nil {
		return dst, err
	}
	return append(grown, plaintext...), nil
}

// open is decrypt of NIP-44 for a payload that CheckPayload accepts. It works
// in body, of MaxDecryptedLen bytes, and returns the plaintext where it comes
// to lie there, behind the length prefix. On an error body is wiped.
func (s *state) open(body, payload []byte, o *Options) ([]byte, error) {
	// raw = version ‖ nonce ‖ ciphertext ‖ mac; body = ciphertext ‖ mac.
	var header [headerLen]byte
	// A header that ends in padding would lie in the middle of a text, where none is.
	inHeader, okHeader := base64.Decode(header[:], payload[:headerChars])
	n, ok := base64.Decode(body, payload[headerChars:])
	if !okHeader || inHeader != headerLen || !ok {
		secret.Wipe(body)
		return nil, formError(payload, ErrBase64)
	}
	block, tag := body[:n-macLen], body[n-macLen:n]

	var k messageKeys
	var mac sha256.HMAC
	defer func() {
		k.zero()
		mac.Zero()
	}()
	nonce := (*[nonceLen]byte)(header[1:])
	k.derive(&s.prk, nonce)

	var want [macLen]byte
	mac.Init(&k.mac)
	mac.Write(nonce[:])
	mac.Write(block)
	mac.Sum(&want)
	if subtle.ConstantTimeCompare(want[:], tag) != 1 {
		secret.Wipe(want[:])
		secret.Wipe(body)
		return nil, ErrMAC
	}

	chacha20.XORKeyStream(block, block, &k.cipher, &k.nonce, 0)
	start, end, err := unpad(block)
	// The length of the payload bounds the plaintext to a step of the padding.
	if n, limit := uint64(end-start), o.maxPlaintext(); err == nil && n > limit {
		err = &SizeError{Size: n, Limit: limit}
	}
	if err != nil {
		secret.Wipe(body)
		return nil, err
	}
	return block[start:end:end], nil
}

// CheckPayload makes every test that the length and the first characters of a
// payload allow: what a caller can know before it spends a derivation on a
// stranger's payload. [ConversationKey.AppendDecrypt] makes the same ones. The
// error is a [*VersionError], a [*SizeError], [ErrBase64], [ErrPadding] or
// [ErrLegacyNIP04].
func CheckPayload(payload []byte, o *Options) error {
	if len(payload) == 0 || payload[0] == '#' {
		return &VersionError{Version: -1}
	}
	var first [3]byte
	if len(payload) >= 4 {
		if _, ok := base64.Decode(first[:], payload[:4]); ok && first[0] != versionByte {
			if isNIP04(payload) {
				return ErrLegacyNIP04
			}
			return &VersionError{Version: int(first[0])}
		}
	}
	size := uint64(len(payload))
	if limit := EncryptedLen(o.maxPlaintext()); size > limit {
		return &SizeError{Size: size, Limit: limit}
	}
	raw, ok := base64.DecodedLen(payload)
	if !ok {
		raw = int(size / 4 * 3)
	}
	if raw < minRaw {
		return formError(payload, &SizeError{Size: uint64(raw), Limit: minRaw})
	}
	if !ok {
		return formError(payload, ErrBase64)
	}
	if !legalBlock(uint64(raw - headerLen - macLen)) {
		return formError(payload, ErrPadding)
	}
	return nil
}

// formError returns err, or ErrLegacyNIP04 where that tells more.
func formError(payload []byte, err error) error {
	if isNIP04(payload) {
		return ErrLegacyNIP04
	}
	return err
}

// isNIP04 reports whether the payload ends like one of NIP-04: "?iv=" before
// the base64 text of 16 bytes.
func isNIP04(payload []byte) bool {
	const ivChars = 24
	tail := payload[max(0, len(payload)-ivChars-len("?iv=")):]
	return bytes.Contains(tail, []byte("?iv="))
}

const maxInt = uint64(^uint(0) >> 1)

// checkOverlap panics when src overlaps the n bytes behind dst that a call is
// about to write.
func checkOverlap(dst, src []byte, n int) {
	if cap(dst)-len(dst) < n {
		return // new memory will be taken
	}
	if alias.AnyOverlap(dst[len(dst):len(dst)+n], src) {
		panic("nip44: invalid buffer overlap")
	}
}
