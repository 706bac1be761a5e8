//go:build cpeers

package cpeers

/*
#cgo pkg-config: libcrypto
#cgo noescape openssl_chacha20
#cgo nocallback openssl_chacha20
#cgo noescape openssl_sha256
#cgo nocallback openssl_sha256
#cgo noescape openssl_hmac
#cgo nocallback openssl_hmac
#cgo noescape openssl_encode
#cgo nocallback openssl_encode
#cgo noescape openssl_decode
#cgo nocallback openssl_decode

#include <string.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

typedef struct {
	EVP_CIPHER_CTX *cipher;
	EVP_MD *sha256;
	EVP_MD_CTX *digest;
	EVP_MAC_CTX *mac;
} openssl;

static int openssl_init(openssl *o, const unsigned char *mac_key, size_t n) {
	static const unsigned char zero[32];
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, "SHA256", 0),
		OSSL_PARAM_construct_end(),
	};
	EVP_MAC *hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
	o->cipher = EVP_CIPHER_CTX_new();
	o->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
	o->digest = EVP_MD_CTX_new();
	o->mac = EVP_MAC_CTX_new(hmac);
	return EVP_EncryptInit_ex(o->cipher, EVP_chacha20(), NULL, zero, zero) == 1 && o->sha256 != NULL &&
		EVP_DigestInit_ex2(o->digest, o->sha256, NULL) == 1 && EVP_MAC_init(o->mac, mac_key, n, params) == 1;
}

// OpenSSL's nonce has 16 bytes: a counter of four, and the 12 of RFC 8439.
static int openssl_chacha20(openssl *o, unsigned char *dst, const unsigned char *src, int n, const unsigned char *key, const unsigned char *nonce) {
	unsigned char iv[16] = {0};
	int written;
	memcpy(iv + 4, nonce, 12);
	return EVP_EncryptInit_ex(o->cipher, NULL, NULL, key, iv) == 1 &&
		EVP_EncryptUpdate(o->cipher, dst, &written, src, n) == 1 && written == n;
}

static int openssl_sha256(openssl *o, unsigned char *sum, const unsigned char *src, size_t n) {
	return EVP_DigestInit_ex2(o->digest, NULL, NULL) == 1 && EVP_DigestUpdate(o->digest, src, n) == 1 &&
		EVP_DigestFinal_ex(o->digest, sum, NULL) == 1;
}

// Without a key, EVP_MAC_init begins anew under the one that is kept.
static int openssl_hmac(openssl *o, unsigned char *sum, const unsigned char *src, size_t n) {
	size_t written;
	return EVP_MAC_init(o->mac, NULL, 0, NULL) == 1 && EVP_MAC_update(o->mac, src, n) == 1 &&
		EVP_MAC_final(o->mac, sum, &written, 32) == 1;
}

static int openssl_encode(unsigned char *dst, const unsigned char *src, int n) { return EVP_EncodeBlock(dst, src, n); }
static int openssl_decode(unsigned char *dst, const unsigned char *src, int n) { return EVP_DecodeBlock(dst, src, n); }
*/
import "C"

import "errors"

// OpenSSL keeps what OpenSSL fetches and allocates: algorithms, contexts, and the
// key of HMAC.
type OpenSSL struct{ o C.openssl }

// NewOpenSSL makes the contexts, which live as long as the process, with macKey
// for HMAC.
func NewOpenSSL(macKey []byte) (*OpenSSL, error) {
	var o OpenSSL
	if C.openssl_init(&o.o, uchar(&macKey[0]), C.size_t(len(macKey))) != 1 {
		return nil, errors.New("openssl: no context")
	}
	return &o, nil
}

// ChaCha20 encrypts src into dst, which is as long, from counter zero on.
func (o *OpenSSL) ChaCha20(dst, src []byte, key *[32]byte, nonce *[12]byte) bool {
	return C.openssl_chacha20(&o.o, uchar(&dst[0]), uchar(&src[0]), C.int(len(src)), uchar(&key[0]), uchar(&nonce[0])) == 1
}

// SHA256 sets sum to the SHA-256 of src.
func (o *OpenSSL) SHA256(sum *[32]byte, src []byte) bool {
	return C.openssl_sha256(&o.o, uchar(&sum[0]), uchar(&src[0]), C.size_t(len(src))) == 1
}

// HMAC sets sum to the HMAC-SHA-256 of src under the kept key.
func (o *OpenSSL) HMAC(sum *[32]byte, src []byte) bool {
	return C.openssl_hmac(&o.o, uchar(&sum[0]), uchar(&src[0]), C.size_t(len(src))) == 1
}

// Encode writes the base64 of src and a zero byte to dst.
func (o *OpenSSL) Encode(dst, src []byte) bool {
	return int(C.openssl_encode(uchar(&dst[0]), uchar(&src[0]), C.int(len(src)))) == len(dst)-1
}

// Decode fills dst with what the base64 in src means. OpenSSL's decoder counts
// padding as data, so src must have none.
func (o *OpenSSL) Decode(dst, src []byte) bool {
	return int(C.openssl_decode(uchar(&dst[0]), uchar(&src[0]), C.int(len(src)))) == len(dst)
}
