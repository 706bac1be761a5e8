package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/sealwright/sealwright/kernels/base64"
	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/etm"
	"github.com/sealwright/sealwright/kernels/sha256"
	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

var (
	errWrongAnswer = errors.New("wrong answer")
	errAccepted    = errors.New("accepted what it must refuse")
)

// kernelAnswers are what each kernel must reproduce by itself.
var kernelAnswers = map[string][]answer{
	"chacha20": {
		{"RFC 8439 2.4.2", func() error {
			const text = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
			return chacha("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "000000000000004a00000000", 1, []byte(text),
				"6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab77937365af90bbf74a35be6b40b8eedf2785e42874d")
		}},
		{"RFC 8439 A.1 #1, #2", func() error {
			return chacha(strings.Repeat("00", 32), strings.Repeat("00", 12), 0, make([]byte, 128),
				"76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"+
					"9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f")
		}},
		{"RFC 8439 A.1 #4", func() error {
			return chacha("00ff"+strings.Repeat("00", 30), strings.Repeat("00", 12), 2, make([]byte, 64),
				"72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096")
		}},
	},
	"sha256": {
		{`FIPS 180-4 "abc"`, func() error {
			return digest([]byte("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
		}},
		{"FIPS 180-4 two blocks", func() error {
			return digest([]byte("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
		}},
		{"FIPS 180-4 one million times a", func() error {
			return digest(bytes.Repeat([]byte("a"), 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
		}},
		{"RFC 4231 4.2", func() error {
			return mac(bytes.Repeat([]byte{0x0b}, 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
		}},
		{"RFC 4231 4.7", func() error {
			return mac(bytes.Repeat([]byte{0xaa}, 131), "Test Using Larger Than Block-Size Key - Hash Key First", "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
		}},
		{"RFC 5869 A.1", func() error {
			var prk [32]byte
			sha256.Extract(&prk, unhex("000102030405060708090a0b0c"), bytes.Repeat([]byte{0x0b}, 22))
			if err := same(prk[:], "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"); err != nil {
				return err
			}
			var key sha256.HMACKey
			key.Init(prk[:])
			okm := make([]byte, 42)
			sha256.Expand(okm, &key, unhex("f0f1f2f3f4f5f6f7f8f9"))
			return same(okm, "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
		}},
	},
	"base64": {
		{"RFC 4648 10", func() error {
			for text, code := range map[string]string{"": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=", "foobar": "Zm9vYmFy"} {
				if string(base64.AppendEncode(nil, []byte(text))) != code {
					return errWrongAnswer
				}
				back, err := base64.AppendDecode(nil, []byte(code))
				if err != nil {
					return err
				}
				if string(back) != text {
					return errWrongAnswer
				}
			}
			return nil
		}},
		{"RFC 4648 3.5 and 12, what is not canonical", func() error {
			for _, code := range []string{"Zg", "Zg=", "Zh==", "Zm9=", "Zm9v\n", "Zm9v\r\n", "Z g=", "-_-_", "Zg==Zg=="} {
				if _, err := base64.AppendDecode(nil, []byte(code)); err == nil {
					return errAccepted
				}
			}
			return nil
		}},
	},
	"etm": {
		// Encrypted in two parts, so that the MAC of the first is taken beside the second.
		{"NIP-44 long message", func() error {
			const size, half = 2 + 65536, 32768 // of the padded text with its length
			nonce := unhex("326bcb2c943cd6bb717588c9e5a7e738edf6ed14ec5f5344caa6ef56f0b9cff7")
			var prk, macKey sha256.HMACKey
			prk.Init(unhex("8fc262099ce0d0bb9b89bac05bb9e04f9bc0090acc181fef6840ccee470371ed"))
			var okm [76]byte
			sha256.Expand(okm[:], &prk, nonce)
			key, iv := [32]byte(okm[:32]), [12]byte(okm[32:44])
			macKey.Init(okm[44:])
			text := append([]byte{0xff, 0xff}, bytes.Repeat([]byte("x"), 65535)...)
			text = append(text, make([]byte, size-len(text))...)

			var m sha256.HMAC
			m.Init(&macKey)
			etm.XORKeyStreamWrite(text[:half], text[:half], &key, &iv, 0, &m, nonce)
			etm.XORKeyStreamWrite(text[half:], text[half:], &key, &iv, half/chacha20.BlockSize, &m, text[:half])
			m.Write(text[half:])
			var tag [32]byte
			m.Sum(&tag)
			raw := slices.Concat([]byte{2}, nonce, text, tag[:])
			return digest(base64.AppendEncode(nil, raw), "90714492225faba06310bff2f249ebdc2a5e609d65a629f1c87f2d4ffc55330a")
		}},
	},
	"secp256k1": {
		{"BIP-340 public keys", func() error {
			for secret, public := range map[string]string{
				// 1, 2 and 3 times the generator; the group order less one.
				"0000000000000000000000000000000000000000000000000000000000000001": "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
				"0000000000000000000000000000000000000000000000000000000000000002": "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
				"0000000000000000000000000000000000000000000000000000000000000003": "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
				"fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140": "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
				"b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfef": "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659",
			} {
				sk, err := keys.ParseSecretKey(secret)
				if err != nil {
					return err
				}
				if sk.PublicKey().String() != public {
					return errWrongAnswer
				}
			}
			return nil
		}},
		{"keys that are none", func() error {
			for _, secret := range []string{strings.Repeat("0", 64), "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"} {
				if _, err := keys.ParseSecretKey(secret); err == nil {
					return errAccepted
				}
			}
			// x = 0 and a key of BIP-340's row 5 are off the curve, the last is p.
			for _, public := range []string{strings.Repeat("0", 64), "eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34", "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"} {
				if _, err := keys.ParsePublicKey(public); err == nil {
					return errAccepted
				}
			}
			return nil
		}},
	},
}

// protocolAnswers go through all kernels.
var protocolAnswers = []answer{
	{"BIP-340 row 1", func() error {
		const public, message, signature = "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659", "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
			"6896bd60eeae296db48a229ff71dfe071bde413e6d43f917dc8dcf8c78de33418906d11ac976abccb20b091292bff4ea897efcb639ea871cfa95f6de339e4b0a"
		sk, err := keys.ParseSecretKey("b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfef")
		if err != nil {
			return err
		}
		sig, err := bip340.SignWithAux(sk, unhex(message), [32]byte{31: 1})
		if err != nil {
			return err
		}
		if err := same(sig[:], signature); err != nil {
			return err
		}
		pub, err := keys.ParsePublicKey(public)
		if err != nil {
			return err
		}
		if err := bip340.Verify(pub, unhex(message), sig); err != nil {
			return err
		}
		// Row 6: the same key and message, a signature whose R has odd y.
		odd := [64]byte(unhex("fff97bd5755eeea420453a14355235d382f6472f8568a18b2f057a14602975563cc27944640ac607cd107ae10923d9ef7a73c643e166be5ebeafa34b1ac553e2"))
		if bip340.Verify(pub, unhex(message), odd) == nil {
			return errAccepted
		}
		return nil
	}},
	{"NIP-44 payload", func() error {
		const key, text = "c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d", "🍕🫃"
		const payload = "AvAAAAAAAAAAAAAAAAAAAPAAAAAAAAAAAAAAAAAAAAAPSKSK6is9ngkX2+cSq85Th16oRTISAOfhStnixqZziKMDvB0QQzgFZdjLTPicCJaV8nDITO+QfaQ61+KbWQIOO2Yj"
		sk, err := keys.ParseSecretKey("0000000000000000000000000000000000000000000000000000000000000002")
		if err != nil {
			return err
		}
		pub, err := keys.ParsePublicKey("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
		if err != nil {
			return err
		}
		derived, err := nip44.DeriveConversationKey(sk, pub)
		if err != nil {
			return err
		}
		given, err := nip44.NewConversationKey(unhex(key))
		if err != nil {
			return err
		}
		for _, ck := range []*nip44.ConversationKey{derived, given} {
			if back, err := ck.Decrypt(payload); err != nil || back != text {
				return errWrongAnswer
			}
		}
		if _, err := given.Decrypt(strings.Replace(payload, "O2Yj", "O2Yk", 1)); !errors.Is(err, nip44.ErrMAC) {
			return errAccepted
		}
		return nil
	}},
	{"NIP-59 example", func() error {
		wrap, err := event.Parse([]byte(nip59Wrap))
		if err != nil {
			return err
		}
		sk, err := keys.ParseSecretKey("e108399bd8424357a710b606ae0c13166d853d327e47a6e5e038197346bdbf45")
		if err != nil {
			return err
		}
		me, err := identity.New(sk)
		if err != nil {
			return err
		}
		defer me.Close()
		m, err := nip59.Unwrap(context.Background(), me, wrap, nil)
		if err != nil {
			return err
		}
		if m.Rumor.Content != "Are you going to the party tonight?" ||
			m.Sender.String() != "611df01bfcf85c26ae65453b772d8f1dfd25c264621c0277e1fc1518686faef9" ||
			m.Rumor.ID.String() != "9dd003c6d3b73b74a85a9ab099469ce251653a7af76f523671ab828acd2a0ef9" {
			return errWrongAnswer
		}
		wrap.Sig[63] ^= 1
		if _, err := nip59.Unwrap(context.Background(), me, wrap, nil); !errors.Is(err, nip59.ErrWrapSignature) {
			return errAccepted
		}
		return nil
	}},
}

func chacha(key, nonce string, counter uint32, text []byte, want string) error {
	k, n := [32]byte(unhex(key)), [12]byte(unhex(nonce))
	out := make([]byte, len(text))
	chacha20.XORKeyStream(out, text, &k, &n, counter)
	return same(out, want)
}

func digest(text []byte, want string) error {
	sum := sha256.Sum256(text)
	return same(sum[:], want)
}

func mac(key []byte, text, want string) error {
	var k sha256.HMACKey
	k.Init(key)
	var h sha256.HMAC
	h.Init(&k)
	h.Write([]byte(text))
	var sum [32]byte
	h.Sum(&sum)
	return same(sum[:], want)
}

func same(got []byte, want string) error {
	if hex.EncodeToString(got) != want {
		return errWrongAnswer
	}
	return nil
}

// unhex decodes a constant of this file.
func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// nip59Wrap is the gift wrap that NIP-59 prints. The secret keys beside it in
// the text are published too.
const nip59Wrap = `{"id":"5c005f3ccf01950aa8d131203248544fb1e41a0d698e846bd419cec3890903ac","pubkey":"18b1a75918f1f2c90c23da616bce317d36e348bcf5f7ba55e75949319210c87c","created_at":1703021488,"kind":1059,"tags":[["p","166bf3765ebd1fc55decfe395beff2ea3b2a4e0a8946e7eb578512b555737c99"]],"content":"AhC3Qj/QsKJFWuf6xroiYip+2yK95qPwJjVvFujhzSguJWb/6TlPpBW0CGFwfufCs2Zyb0JeuLmZhNlnqecAAalC4ZCugB+I9ViA5pxLyFfQjs1lcE6KdX3euCHBLAnE9GL/+IzdV9vZnfJH6atVjvBkNPNzxU+OLCHO/DAPmzmMVx0SR63frRTCz6Cuth40D+VzluKu1/Fg2Q1LSst65DE7o2efTtZ4Z9j15rQAOZfE9jwMCQZt27rBBK3yVwqVEriFpg2mHXc1DDwHhDADO8eiyOTWF1ghDds/DxhMcjkIi/o+FS3gG1dG7gJHu3KkGK5UXpmgyFKt+421m5o++RMD/BylS3iazS1S93IzTLeGfMCk+7IKxuSCO06k1+DaasJJe8RE4/rmismUvwrHu/HDutZWkvOAhd4z4khZo7bJLtiCzZCZ74lZcjOB4CYtuAX2ZGpc4I1iOKkvwTuQy9BWYpkzGg3ZoSWRD6ty7U+KN+fTTmIS4CelhBTT15QVqD02JxfLF7nA6sg3UlYgtiGw61oH68lSbx16P3vwSeQQpEB5JbhofW7t9TLZIbIW/ODnI4hpwj8didtk7IMBI3Ra3uUP7ya6vptkd9TwQkd/7cOFaSJmU+BIsLpOXbirJACMn+URoDXhuEtiO6xirNtrPN8jYqpwvMUm5lMMVzGT3kMMVNBqgbj8Ln8VmqouK0DR+gRyNb8fHT0BFPwsHxDskFk5yhe5c/2VUUoKCGe0kfCcX/EsHbJLUUtlHXmTqaOJpmQnW1tZ/siPwKRl6oEsIJWTUYxPQmrM2fUpYZCuAo/29lTLHiHMlTbarFOd6J/ybIbICy2gRRH/LFSryty3Cnf6aae+A9uizFBUdCwTwffc3vCBae802+R92OL78bbqHKPbSZOXNC+6ybqziezwG+OPWHx1Qk39RYaF0aFsM4uZWrFic97WwVrH5i+/Nsf/OtwWiuH0gV/SqvN1hnkxCTF/+XNn/laWKmS3e7wFzBsG8+qwqwmO9aVbDVMhOmeUXRMkxcj4QreQkHxLkCx97euZpC7xhvYnCHarHTDeD6nVK+xzbPNtzeGzNpYoiMqxZ9bBJwMaHnEoI944Vxoodf51cMIIwpTmmRvAzI1QgrfnOLOUS7uUjQ/IZ1Qa3lY08Nqm9MAGxZ2Ou6R0/Z5z30ha/Q71q6meAs3uHQcpSuRaQeV29IASmye2A2Nif+lmbhV7w8hjFYoaLCRsdchiVyNjOEM4VmxUhX4VEvw6KoCAZ/XvO2eBF/SyNU3Of4SO","sig":"35fabdae4634eb630880a1896a886e40fd6ea8a60958e30b89b33a93e6235df750097b04f9e13053764251b8bc5dd7e8e0794a3426a90b6bcc7e5ff660f54259"}`
