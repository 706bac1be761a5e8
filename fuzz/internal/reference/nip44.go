// Package reference is NIP-44, NIP-01 and NIP-59 a second time, written from
// the texts of the NIPs on primitives of others: the standard library,
// golang.org/x/crypto, decred's secp256k1, btcec and jsontext. It imports
// nothing of what it is compared with, and prefers the plain way to the fast
// one.
package reference

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"golang.org/x/crypto/chacha20"
)

// ErrPayload is the error of every payload that NIP-44 refuses.
var ErrPayload = errors.New("reference: payload refused")

// ConversationKey is get_conversation_key. The error tells of a secret that is
// none, or a public key off the curve.
func ConversationKey(sk, pub [32]byte) (ck [32]byte, err error) {
	var d secp256k1.ModNScalar
	if d.SetBytes(&sk) == 1 || d.IsZero() {
		return ck, errors.New("reference: secret key out of range")
	}
	p, err := secp256k1.ParsePubKey(append([]byte{2}, pub[:]...))
	if err != nil {
		return ck, err
	}
	shared := secp256k1.GenerateSharedSecret(secp256k1.NewPrivateKey(&d), p)
	prk, err := hkdf.Extract(sha256.New, shared, []byte("nip44-v2"))
	return [32]byte(prk), err
}

// PaddedLen is calc_padded_len.
func PaddedLen(n int) int {
	if n <= 32 {
		return 32
	}
	next := 1
	for next < n {
		next *= 2
	}
	chunk := 32
	if next > 256 {
		chunk = next / 8
	}
	return (n + chunk - 1) / chunk * chunk
}

// Pad is pad: a prefix of two bytes up to 65,535 bytes of plaintext, of six
// from there on.
func Pad(plaintext []byte) []byte {
	n := len(plaintext)
	block := make([]byte, 2, 6+PaddedLen(n))
	if n < 65536 {
		binary.BigEndian.PutUint16(block, uint16(n))
	} else {
		block = binary.BigEndian.AppendUint32(block, uint32(n))
	}
	block = append(block, plaintext...)
	return append(block, make([]byte, PaddedLen(n)-n)...)
}

// unpad is unpad.
func unpad(block []byte) ([]byte, error) {
	if len(block) < 2 {
		return nil, ErrPayload
	}
	n, rest := int(binary.BigEndian.Uint16(block)), block[2:]
	if n == 0 {
		if len(rest) < 4 {
			return nil, ErrPayload
		}
		n, rest = int(binary.BigEndian.Uint32(rest)), rest[4:]
		if n < 65536 {
			return nil, ErrPayload
		}
	}
	if n > len(rest) || len(rest) != PaddedLen(n) {
		return nil, ErrPayload
	}
	return rest[:n], nil
}

// keystream and mac of one message, get_message_keys.
func messageKeys(ck [32]byte, nonce []byte) (stream *chacha20.Cipher, macKey []byte) {
	okm, err := hkdf.Expand(sha256.New, ck[:], string(nonce), 76)
	if err != nil {
		panic(err) // 76 is a good length
	}
	stream, err = chacha20.NewUnauthenticatedCipher(okm[:32], okm[32:44])
	if err != nil {
		panic(err)
	}
	return stream, okm[44:]
}

// SealBlock encrypts and authenticates a block that need not be padded as
// NIP-44 says, under a version byte that need not be 2.
func SealBlock(ck, nonce [32]byte, version byte, block []byte) string {
	stream, macKey := messageKeys(ck, nonce[:])
	raw := append([]byte{version}, nonce[:]...)
	sealed := make([]byte, len(block))
	stream.XORKeyStream(sealed, block)
	raw = append(raw, sealed...)
	h := hmac.New(sha256.New, macKey)
	h.Write(raw[1:])
	return base64.StdEncoding.EncodeToString(h.Sum(raw))
}

// Encrypt is encrypt with the nonce given; plaintext has at least one byte.
func Encrypt(ck, nonce [32]byte, plaintext []byte) string {
	return SealBlock(ck, nonce, 2, Pad(plaintext))
}

// Decrypt is decrypt, for one canonical base64 text and plaintexts of up to
// limit bytes.
func Decrypt(ck [32]byte, payload string, limit int) ([]byte, error) {
	if len(payload) < 132 || payload[0] == '#' {
		return nil, ErrPayload
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(payload)
	if err != nil || base64.StdEncoding.EncodeToString(raw) != payload || len(raw) < 99 || raw[0] != 2 {
		return nil, ErrPayload
	}
	nonce, sealed, tag := raw[1:33], raw[33:len(raw)-32], raw[len(raw)-32:]
	stream, macKey := messageKeys(ck, nonce)
	h := hmac.New(sha256.New, macKey)
	h.Write(raw[1 : len(raw)-32])
	if !bytes.Equal(h.Sum(nil), tag) {
		return nil, ErrPayload
	}
	block := make([]byte, len(sealed))
	stream.XORKeyStream(block, sealed)
	plaintext, err := unpad(block)
	if err == nil && len(plaintext) > limit {
		return nil, ErrPayload
	}
	return plaintext, err
}
