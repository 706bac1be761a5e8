//go:build cpeers

package bench

import (
	"crypto/rand"
	"errors"

	ourbase64 "github.com/sealwright/sealwright/kernels/base64"

	"github.com/sealwright/sealwright/bench/cpeers"
)

// The peers in C. They need a C compiler, pkg-config and Debian's
// libsecp256k1-dev, libssl-dev and libsodium-dev:
//
//	CGO_ENABLED=1 go test -tags cpeers -run '^$' -bench .
//
// A second binary has go-nostr with libsecp256k1, as gonostr-libsecp, which
// gonostr_libsecp_test.go describes.
var cPeers = []candidate{libsecp256k1, openssl, sodium}

var errC = errors.New("the C library refuses")

// done is for calls whose only failure is the benchmark's fault.
func done(ok bool) {
	if !ok {
		panic(errC)
	}
}

// libsecp256k1 is Bitcoin Core's library, release 0.2.0.
var libsecp256k1 = candidate{"libsecp256k1", "libsecp256k1", map[string]func(params) *work{
	"ECDH": func(params) *work {
		lib, all := must(cpeers.NewLibsecp256k1()), people()
		var x [32]byte
		return &work{
			inputs: crowd,
			op:     func(i int) { done(lib.ECDH(&x, &alice.secret, &all[i].pub)) },
			check:  func(i int) error { return isSharedX(i, x[:]) },
		}
	},
	"BaseMult": func(params) *work {
		lib := must(cpeers.NewLibsecp256k1())
		var pub cpeers.Public
		return &work{
			op:    func(int) { done(lib.Public(&pub, &alice.secret)) },
			check: func(int) error { x := lib.X(&pub); return same(x[:], alice.pub[:]) },
		}
	},
	"SchnorrSign": func(params) *work {
		lib, msg := must(cpeers.NewLibsecp256k1()), signatures()[0].msg
		pair := must(lib.KeyPair(&alice.secret))
		var aux [32]byte
		var sig [64]byte
		return &work{
			op: func(int) {
				rand.Read(aux[:])
				done(lib.Sign(&sig, &msg, pair, &aux))
			},
			check: func(int) error { return isSigned(alice, msg, sig[:]) },
		}
	},
	"SchnorrVerify": func(params) *work {
		lib, all := must(cpeers.NewLibsecp256k1()), signatures()
		return verifies(func(i int) bool { return lib.Verify(&all[i].sig, &all[i].msg, &all[i].pub) }, func(i int) bool {
			return lib.Verify(&all[i].sig, &all[(i+1)%crowd].msg, &all[i].pub)
		})
	},
}}

// openssl is OpenSSL 3 by its EVP interface, sodium is libsodium 1.0.18.
var (
	openssl = symmetricC("openssl", "libcrypto", func() symmetric { return must(cpeers.NewOpenSSL(macKey)) })
	sodium  = symmetricC("sodium", "libsodium", func() symmetric { return must(cpeers.NewSodium(macKey)) })
)

// symmetric is what both libraries do. Encode wants room for a zero byte.
type symmetric interface {
	ChaCha20(dst, src []byte, key *[32]byte, nonce *[12]byte) bool
	SHA256(sum *[32]byte, src []byte) bool
	HMAC(sum *[32]byte, src []byte) bool
	Encode(dst, src []byte) bool
	Decode(dst, src []byte) bool
}

func symmetricC(name, release string, open func() symmetric) candidate {
	return candidate{name, release, map[string]func(params) *work{
		"ChaCha20": func(p params) *work {
			lib := open()
			return stream(p.len, func(dst, src []byte) { done(lib.ChaCha20(dst, src, &chachaKey, &chachaNonce)) })
		},
		"SHA256": func(p params) *work {
			lib, src := open(), raw(p.len)
			var sum [32]byte
			return &work{
				bytes: p.len,
				op:    func(int) { done(lib.SHA256(&sum, src)) },
				check: func(int) error { return isSum(sum[:], p.len) },
			}
		},
		"HMAC": func(p params) *work {
			lib, src := open(), raw(p.len)
			var sum [32]byte
			return &work{
				bytes: p.len,
				op:    func(int) { done(lib.HMAC(&sum, src)) },
				check: func(int) error { return isMAC(sum[:], p.len) },
			}
		},
		"Base64Encode": func(p params) *work {
			lib, src := open(), raw(p.len/4*3)
			dst, want := make([]byte, p.len+1), ourbase64.AppendEncode(nil, src)
			return &work{
				bytes: p.len,
				op:    func(int) { done(lib.Encode(dst, src)) },
				check: func(int) error { return same(dst[:p.len], want) },
			}
		},
		"Base64Decode": func(p params) *work {
			lib := open()
			return decodes(p.len, func(dst, src []byte) (int, error) {
				done(lib.Decode(dst, src))
				return len(dst), nil
			})
		},
	}}
}
