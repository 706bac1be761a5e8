package bench

import (
	"crypto/sha256"
	"math/big"

	btceccurve "github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	decredcurve "github.com/decred/dcrd/dcrec/secp256k1/v4"
	voicurve "gitlab.com/yawning/secp256k1-voi"
	"gitlab.com/yawning/secp256k1-voi/secec"
	"gitlab.com/yawning/secp256k1-voi/secec/bitcoin"
)

// btcec is btcec v2.3.5, the signatures that go-nostr stands on; its curve is
// decred's.
var btcec = candidate{"btcec", "github.com/btcsuite/btcd/btcec/v2", map[string]func(params) *work{
	"ECDH": func(params) *work {
		sk, _ := btceccurve.PrivKeyFromBytes(alice.secret[:])
		return sharesX(voiSharedX, func(compressed []byte) []byte {
			return btceccurve.GenerateSharedSecret(sk, must(btceccurve.ParsePubKey(compressed)))
		})
	},
	"BaseMult": func(params) *work {
		sk, _ := btceccurve.PrivKeyFromBytes(alice.secret[:])
		return publicKey(sk)
	},
	"SchnorrSign": func(params) *work {
		sk := decredcurve.PrivKeyFromBytes(alice.secret[:])
		msg := signatures()[0].msg
		var sig *schnorr.Signature
		return &work{
			op:    func(int) { sig = must(schnorr.Sign(sk, msg[:], schnorr.FastSign())) },
			check: func(int) error { return sealwrightVerifies(alice, msg, sig.Serialize()) },
		}
	},
	"SchnorrVerify": func(params) *work {
		all := signatures()
		verify := func(s *signed, msg []byte) bool {
			pub := must(schnorr.ParsePubKey(s.pub[:]))
			return must(schnorr.ParseSignature(s.sig[:])).Verify(msg, pub)
		}
		return verifies(func(i int) bool { return verify(&all[i], all[i].msg[:]) }, func(i int) bool {
			return verify(&all[i], all[(i+1)%crowd].msg[:])
		})
	},
}}

// verifies is a row that verifies: good has to be true, bad false.
func verifies(good, bad func(i int) bool) *work {
	return &work{
		inputs: crowd,
		op: func(i int) {
			if !good(i) {
				panic("refuses a signature")
			}
		},
		check: func(i int) error {
			if bad(i) {
				return errTaken
			}
			return nil
		},
	}
}

// sharesX is a row of ECDH from a compressed key, with what shared gives, which right judges.
func sharesX(right func(i int, x []byte) error, shared func(compressed []byte) []byte) *work {
	all := people()
	var x []byte
	return &work{
		inputs: crowd,
		op: func(i int) {
			compressed := [33]byte{2}
			copy(compressed[1:], all[i].pub[:])
			x = shared(compressed[:])
		},
		check: func(i int) error { return right(i, x) },
	}
}

// publicKey is a row of a public key on decred's curve.
func publicKey(sk *decredcurve.PrivateKey) *work {
	var pub *decredcurve.PublicKey
	return &work{
		op:    func(int) { pub = sk.PubKey() },
		check: func(int) error { return same(pub.SerializeCompressed()[1:], voiPublic(alice)) },
	}
}

// decred is dcrec/secp256k1, the curve of most Go programs. Its multiplications
// take variable time.
var decred = candidate{"decred", "github.com/decred/dcrd/dcrec/secp256k1/v4", map[string]func(params) *work{
	"ECDH": func(params) *work {
		sk := decredcurve.PrivKeyFromBytes(alice.secret[:])
		return sharesX(voiSharedX, func(compressed []byte) []byte {
			return decredcurve.GenerateSharedSecret(sk, must(decredcurve.ParsePubKey(compressed)))
		})
	},
	"BaseMult": func(params) *work {
		return publicKey(decredcurve.PrivKeyFromBytes(alice.secret[:]))
	},
	"AfterBaseMult": func(p params) *work {
		dst, sk := raw(p.len), decredcurve.PrivKeyFromBytes(alice.secret[:])
		return hashes(dst, isRaw, func() [32]byte {
			sk.PubKey()
			return sha256.Sum256(dst)
		})
	},
	"FieldMul": func(params) *work {
		x, y := decredField(numberX), decredField(numberY)
		return steps(func() *big.Int { return power(fieldP) }, chain, func() [32]byte {
			z := x
			for range chain {
				z.Mul(&y)
			}
			return *z.Normalize().Bytes()
		})
	},
	"FieldSqr": func(params) *work {
		x := decredField(numberX)
		return steps(squared, chain, func() [32]byte {
			z := x
			for range chain {
				z.Square()
			}
			return *z.Normalize().Bytes()
		})
	},
	"FieldInvert": func(params) *work {
		x := decredField(numberX)
		return steps(inverse, 1, func() [32]byte {
			z := x
			return *z.Inverse().Normalize().Bytes()
		})
	},
	"FieldSqrt": func(params) *work {
		square := decredField(numberX)
		square.Square()
		return steps(root, 1, func() [32]byte {
			var z decredcurve.FieldVal
			if !z.SquareRootVal(&square) {
				panic("no square")
			}
			b := *z.Normalize().Bytes()
			if b[0] != 0 {
				b = *z.Negate(1).Normalize().Bytes()
			}
			return b
		})
	},
	"ScalarMul": func(params) *work {
		x, y := decredScalar(numberX), decredScalar(numberY)
		return steps(func() *big.Int { return power(groupN) }, chain, func() [32]byte {
			z := x
			for range chain {
				z.Mul(&y)
			}
			return z.Bytes()
		})
	},
	"PointDouble": func(params) *work {
		a := decredPoint(alice.secret)
		return steps(doubled, chain, func() [32]byte {
			p := a
			for range chain {
				decredcurve.DoubleNonConst(&p, &p)
			}
			return decredX(&p)
		})
	},
	"PointAddMixed": func(params) *work {
		a, b := decredPoint(alice.secret), decredPoint(evenSecret(bob))
		return steps(summed, chain, func() [32]byte {
			p, next := a, a
			for range chain {
				decredcurve.AddNonConst(&p, &b, &next)
				p = next
			}
			return decredX(&p)
		})
	},
}}

func decredField(b [32]byte) (f decredcurve.FieldVal) {
	f.SetBytes(&b)
	return f
}

func decredScalar(b [32]byte) (s decredcurve.ModNScalar) {
	s.SetBytes(&b)
	return s
}

func decredPoint(secret [32]byte) (p decredcurve.JacobianPoint) {
	decredcurve.PrivKeyFromBytes(secret[:]).PubKey().AsJacobian(&p)
	return p
}

func decredX(p *decredcurve.JacobianPoint) [32]byte {
	p.ToAffine()
	return *p.X.Bytes()
}

// voi is secp256k1-voi, which is constant time.
var voi = candidate{"voi", "gitlab.com/yawning/secp256k1-voi", map[string]func(params) *work{
	"ECDH": func(params) *work {
		sk := must(secec.NewPrivateKey(alice.secret[:]))
		return sharesX(isSharedX, func(compressed []byte) []byte {
			return must(sk.ECDH(must(secec.NewPublicKey(compressed))))
		})
	},
	"BaseMult": func(params) *work {
		k := must(voicurve.NewScalarFromCanonicalBytes(&alice.secret))
		var x []byte
		return &work{
			op:    func(int) { x = must(voicurve.NewIdentityPoint().ScalarBaseMult(k).XBytes()) },
			check: func(int) error { return same(x, alice.pub[:]) },
		}
	},
	"SchnorrSign": func(params) *work {
		sk := must(bitcoin.NewSchnorrPrivateKey(alice.secret[:]))
		msg := signatures()[0].msg
		var sig []byte
		return &work{
			op:    func(int) { sig = must(sk.Sign(nil, msg[:], nil)) },
			check: func(int) error { return isSigned(alice, msg, sig) },
		}
	},
	"SchnorrVerify": func(params) *work {
		all := signatures()
		verify := func(s *signed, msg []byte) bool {
			return must(bitcoin.NewSchnorrPublicKey(s.pub[:])).Verify(msg, s.sig[:])
		}
		return verifies(func(i int) bool { return verify(&all[i], all[i].msg[:]) }, func(i int) bool {
			return verify(&all[i], all[(i+1)%crowd].msg[:])
		})
	},
}}

func voiPublic(p person) []byte {
	return must(bitcoin.NewSchnorrPrivateKey(p.secret[:])).PublicKey().Bytes()
}

// voiSharedX judges what isSharedX cannot: decred's own answer.
func voiSharedX(i int, x []byte) error {
	p := people()[i]
	pub := must(secec.NewPublicKey(append([]byte{2}, p.pub[:]...)))
	return same(x, must(must(secec.NewPrivateKey(alice.secret[:])).ECDH(pub)))
}
