//go:build cpeers

package cpeers

/*
#cgo pkg-config: libsodium
#cgo noescape crypto_stream_chacha20_ietf_xor
#cgo nocallback crypto_stream_chacha20_ietf_xor
#cgo noescape crypto_hash_sha256
#cgo nocallback crypto_hash_sha256
#cgo noescape sodium_hmac
#cgo nocallback sodium_hmac
#cgo noescape sodium_encode
#cgo nocallback sodium_encode
#cgo noescape sodium_decode
#cgo nocallback sodium_decode

#include <sodium.h>

// A copy of the state is how libsodium keeps a key.
static void sodium_hmac(const crypto_auth_hmacsha256_state *key, unsigned char *sum, const unsigned char *src, size_t n) {
	crypto_auth_hmacsha256_state state = *key;
	crypto_auth_hmacsha256_update(&state, src, n);
	crypto_auth_hmacsha256_final(&state, sum);
}

static int sodium_encode(char *dst, size_t size, const unsigned char *src, size_t n) {
	return sodium_bin2base64(dst, size, src, n, sodium_base64_VARIANT_ORIGINAL) != NULL;
}

static int sodium_decode(unsigned char *dst, size_t size, const char *src, size_t n) {
	size_t written;
	return sodium_base642bin(dst, size, src, n, NULL, &written, NULL, sodium_base64_VARIANT_ORIGINAL) == 0 && written == size;
}
*/
import "C"

import (
	"errors"
	"unsafe"
)

// Sodium is libsodium, with a kept key of HMAC.
type Sodium struct {
	mac C.crypto_auth_hmacsha256_state
}

// NewSodium starts libsodium, which then chooses its code for the machine, with
// macKey for HMAC.
func NewSodium(macKey []byte) (*Sodium, error) {
	if C.sodium_init() < 0 {
		return nil, errors.New("sodium: no start")
	}
	var s Sodium
	C.crypto_auth_hmacsha256_init(&s.mac, uchar(&macKey[0]), C.size_t(len(macKey)))
	return &s, nil
}

// ChaCha20 encrypts src into dst, which is as long, from counter zero on.
func (s *Sodium) ChaCha20(dst, src []byte, key *[32]byte, nonce *[12]byte) bool {
	return C.crypto_stream_chacha20_ietf_xor(uchar(&dst[0]), uchar(&src[0]), C.ulonglong(len(src)), uchar(&nonce[0]), uchar(&key[0])) == 0
}

// SHA256 sets sum to the SHA-256 of src.
func (s *Sodium) SHA256(sum *[32]byte, src []byte) bool {
	return C.crypto_hash_sha256(uchar(&sum[0]), uchar(&src[0]), C.ulonglong(len(src))) == 0
}

// HMAC sets sum to the HMAC-SHA-256 of src under the kept key.
func (s *Sodium) HMAC(sum *[32]byte, src []byte) bool {
	C.sodium_hmac(&s.mac, uchar(&sum[0]), uchar(&src[0]), C.size_t(len(src)))
	return true
}

// Encode writes the base64 of src and a zero byte to dst.
func (s *Sodium) Encode(dst, src []byte) bool {
	return C.sodium_encode((*C.char)(unsafe.Pointer(&dst[0])), C.size_t(len(dst)), uchar(&src[0]), C.size_t(len(src))) == 1
}

// Decode fills dst with what the base64 in src means.
func (s *Sodium) Decode(dst, src []byte) bool {
	return C.sodium_decode(uchar(&dst[0]), C.size_t(len(dst)), (*C.char)(unsafe.Pointer(&src[0])), C.size_t(len(src))) == 1
}
