package bench

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"

	aeadchacha "github.com/aead/chacha20"
	cloudwego "github.com/cloudwego/base64x"
	segment "github.com/segmentio/asm/base64"
	"golang.org/x/crypto/chacha20"

	ourbase64 "github.com/sealwright/sealwright/kernels/base64"
	ourchacha "github.com/sealwright/sealwright/kernels/chacha20"
)

// xcrypto is golang.org/x/crypto, aead is aead/chacha20.
var (
	xcrypto = candidate{"xcrypto", "golang.org/x/crypto", map[string]func(params) *work{
		"ChaCha20": func(p params) *work {
			return stream(p.len, func(dst, src []byte) {
				c := must(chacha20.NewUnauthenticatedCipher(chachaKey[:], chachaNonce[:]))
				c.XORKeyStream(dst, src)
			})
		},
	}}
	aead = candidate{"aead", "github.com/aead/chacha20", map[string]func(params) *work{
		"ChaCha20": func(p params) *work {
			return stream(p.len, func(dst, src []byte) { aeadchacha.XORKeyStream(dst, src, chachaNonce[:], chachaKey[:]) })
		},
	}}
)

func stream(n int, f func(dst, src []byte)) *work {
	dst, src, want := make([]byte, n), raw(n), make([]byte, n)
	ourchacha.XORKeyStream(want, src, &chachaKey, &chachaNonce, 0)
	return &work{
		bytes: n,
		op:    func(int) { f(dst, src) },
		check: func(int) error { return same(dst, want) },
	}
}

// std is the standard library, with x/crypto for ChaCha20; base64x and segmentio are what its users take
// instead. segmentio's decoder lets spare bits and line breaks pass, as the
// standard library's does.
var (
	std = candidate{"std", "", map[string]func(params) *work{
		"SHA256": func(p params) *work {
			src := raw(p.len)
			var sum [32]byte
			return &work{
				bytes: p.len,
				op:    func(int) { sum = sha256.Sum256(src) },
				check: func(int) error { return isSum(sum[:], p.len) },
			}
		},
		"AfterChaCha20": func(p params) *work {
			dst, src := make([]byte, p.len), raw(p.len)
			return hashes(dst, isStream, func() [32]byte {
				must(chacha20.NewUnauthenticatedCipher(chachaKey[:], chachaNonce[:])).XORKeyStream(dst, src)
				return sha256.Sum256(dst)
			})
		},
		"AfterBase64": func(p params) *work {
			dst, src := make([]byte, p.len), raw(p.len/4*3)
			return hashes(dst, isCode, func() [32]byte {
				base64.StdEncoding.Encode(dst, src)
				return sha256.Sum256(dst)
			})
		},
		"AfterBase64Decode": func(p params) *work {
			dst, src := make([]byte, p.len/4*3), code(p.len)
			return hashes(dst, isRaw, func() [32]byte {
				must(base64.StdEncoding.Strict().Decode(dst, src))
				return sha256.Sum256(dst)
			})
		},
		"EncryptThenMAC": func(p params) *work {
			dst, src, mac := make([]byte, p.len), raw(p.len), hmac.New(sha256.New, macKey)
			sum := make([]byte, 0, 32)
			return &work{
				bytes: p.len,
				op: func(int) {
					must(chacha20.NewUnauthenticatedCipher(chachaKey[:], chachaNonce[:])).XORKeyStream(dst, src)
					mac.Reset()
					mac.Write(src)
					sum = mac.Sum(sum[:0])
				},
				check: func(int) error { return errors.Join(isStream(dst), isMAC(sum, p.len)) },
			}
		},
		"AfterEncryptThenMAC": func(p params) *work {
			dst, src, mac := make([]byte, p.len), raw(p.len), hmac.New(sha256.New, macKey)
			return hashes(dst, isStream, func() [32]byte {
				must(chacha20.NewUnauthenticatedCipher(chachaKey[:], chachaNonce[:])).XORKeyStream(dst, src)
				mac.Write(src)
				return sha256.Sum256(dst)
			})
		},
		"AfterSum256s": func(p params) *work { return hashesAfterSums(p.len, stdSum256s, sha256.Sum256) },
		"Sum256s":      func(p params) *work { return hashesMany(p.len, stdSum256s) },
		"HMAC": func(p params) *work {
			src, mac := raw(p.len), hmac.New(sha256.New, macKey)
			sum := make([]byte, 0, 32)
			return &work{
				bytes: p.len,
				op: func(int) {
					mac.Reset()
					mac.Write(src)
					sum = mac.Sum(sum[:0])
				},
				check: func(int) error { return isMAC(sum, p.len) },
			}
		},
		"Base64Encode": func(p params) *work { return encodes(p.len, base64.StdEncoding.Encode) },
		"Base64Decode": func(p params) *work { return decodes(p.len, base64.StdEncoding.Strict().Decode) },
	}}
	base64x = candidate{"base64x", "github.com/cloudwego/base64x", map[string]func(params) *work{
		"Base64Encode": func(p params) *work { return encodes(p.len, cloudwego.StdEncoding.Encode) },
		"Base64Decode": func(p params) *work { return decodes(p.len, cloudwego.StdEncoding.Decode) },
	}}
	segmentio = candidate{"segmentio", "github.com/segmentio/asm", map[string]func(params) *work{
		"Base64Encode": func(p params) *work { return encodes(p.len, segment.StdEncoding.Encode) },
		"Base64Decode": func(p params) *work { return decodes(p.len, segment.StdEncoding.Decode) },
	}}
)

// streams is how many messages Sum256s gets.
const streams = 16

// messages256 are messages for Sum256s, each of so many bytes.
func messages256(n int) (many [][]byte) {
	for i := range streams {
		m := raw(n)
		m[0] = byte(i)
		many = append(many, m)
	}
	return many
}

// stdSum256s does what Sum256s does, one message after another.
func stdSum256s(sums [][32]byte, many [][]byte) {
	for i, m := range many {
		sums[i] = sha256.Sum256(m)
	}
}

// hashesMany is a row that hashes many messages of so many bytes.
func hashesMany(n int, f func(sums [][32]byte, many [][]byte)) *work {
	many := messages256(n)
	sums := make([][32]byte, len(many))
	return &work{
		bytes: n * len(many),
		op:    func(int) { f(sums, many) },
		check: func(int) error { return areSums(sums, many) },
	}
}

// areSums judges sums of many messages, by the standard library.
func areSums(sums [][32]byte, many [][]byte) error {
	var errs []error
	for i, m := range many {
		want := sha256.Sum256(m)
		errs = append(errs, same(sums[i][:], want[:]))
	}
	return errors.Join(errs...)
}

// hashesAfterSums is a row that hashes one more right after many.
func hashesAfterSums(n int, f func(sums [][32]byte, many [][]byte), sum256 func([]byte) [32]byte) *work {
	text, many := raw(n), messages256(n)
	sums := make([][32]byte, len(many))
	w := hashes(text, isRaw, func() [32]byte {
		f(sums, many)
		return sum256(text)
	})
	isText := w.check
	w.check = func(i int) error { return errors.Join(isText(i), areSums(sums, many)) }
	return w
}

// hashes is a row that fills text, which filled judges, and hashes it.
func hashes(text []byte, filled func(text []byte) error, f func() [32]byte) *work {
	var sum [32]byte
	return &work{
		bytes: len(text),
		op:    func(int) { sum = f() },
		check: func(int) error {
			want := sha256.Sum256(text)
			return errors.Join(filled(text), same(sum[:], want[:]))
		},
	}
}

func encodes(chars int, f func(dst, src []byte)) *work {
	src := raw(chars / 4 * 3)
	dst, want := make([]byte, chars), ourbase64.AppendEncode(nil, src)
	return &work{
		bytes: chars,
		op:    func(int) { f(dst, src) },
		check: func(int) error { return same(dst, want) },
	}
}

func decodes(chars int, f func(dst, src []byte) (int, error)) *work {
	want := raw(chars / 4 * 3)
	dst, src := make([]byte, len(want)), ourbase64.AppendEncode(nil, want)
	return &work{
		bytes: chars,
		op:    func(int) { must(f(dst, src)) },
		check: func(int) error { return same(dst, want) },
	}
}
