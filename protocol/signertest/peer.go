package signertest

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"

	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/protocol/curve"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
)

// peer is who the signer talks with: it shares nothing with the signer but the
// public keys.
type peer struct {
	pub keys.PublicKey
	x   [32]byte // of the ECDH point
	ck  *nip44.ConversationKey
}

// newPeer makes a peer with a random key that talks with the holder of other.
func newPeer(other keys.PublicKey) *peer {
	return findPeer(other, func(*[32]byte) bool { return true })
}

// findPeer makes peers until the x-coordinate that one shares with the holder of
// other is as wanted.
func findPeer(other keys.PublicKey, wanted func(x *[32]byte) bool) *peer {
	for {
		sk := must(keys.GenerateSecretKey())
		var k secp256k1.Scalar
		if err := sk.CopyScalar(&k); err != nil {
			panic(err)
		}
		p := peer{pub: sk.PublicKey()}
		if !curve.ECDH(&p.x, &k, (*[32]byte)(&other)) {
			panic(keys.ErrPublicKey)
		}
		if wanted(&p.x) {
			p.ck = must(nip44.DeriveConversationKey(sk, other))
			return &p
		}
	}
}

func (p *peer) encrypt(plaintext []byte) []byte {
	return must(p.ck.AppendEncrypt(nil, plaintext, &noLimit))
}

// seal encrypts and authenticates a block that need not be padded as NIP-44
// says, by the steps of NIP-44, version 2.
func (p *peer) seal(padded []byte) []byte {
	var nonce [32]byte
	rand.Read(nonce[:])
	conversation := must(hkdf.Extract(sha256.New, p.x[:], []byte("nip44-v2")))
	message := must(hkdf.Expand(sha256.New, conversation, string(nonce[:]), 76))

	ciphertext := make([]byte, len(padded))
	chacha20.XORKeyStream(ciphertext, padded, (*[32]byte)(message[:32]), (*[12]byte)(message[32:44]), 0)
	mac := hmac.New(sha256.New, message[44:])
	mac.Write(nonce[:])
	mac.Write(ciphertext)

	payload := append([]byte{2}, nonce[:]...)
	payload = append(payload, ciphertext...)
	return encode(mac.Sum(payload))
}

func encode(raw []byte) []byte { return base64.StdEncoding.AppendEncode(nil, raw) }
