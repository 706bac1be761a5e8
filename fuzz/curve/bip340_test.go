package curve

import (
	"bytes"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"gitlab.com/yawning/secp256k1-voi/secec/bitcoin"

	"github.com/sealwright/sealwright/fuzz/internal/fuzzkit"
	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/keys"
)

// verifyBoth asks the references, which must agree. btcec takes messages of 32
// bytes alone; other lengths are secp256k1-voi's answer.
func verifyBoth(t *testing.T, pub [32]byte, msg []byte, sig [64]byte) bool {
	t.Helper()
	ok := false
	if k, err := bitcoin.NewSchnorrPublicKey(pub[:]); err == nil {
		ok = k.Verify(msg, sig[:])
	}
	if len(msg) != 32 {
		return ok
	}
	btc := false
	if k, err := schnorr.ParsePubKey(pub[:]); err == nil {
		if s, err := schnorr.ParseSignature(sig[:]); err == nil {
			btc = s.Verify(msg, k)
		}
	}
	if btc != ok {
		t.Fatalf("the references differ on key %x, message %x, signature %x: btcec %v, secp256k1-voi %v", pub, msg, sig, btc, ok)
	}
	return ok
}

// checkSign compares the signature made with given auxiliary data, byte for
// byte, and has it and a random one verified by the references and by us.
func checkSign(t *testing.T, d *scalar, aux [32]byte, msg []byte) {
	t.Helper()
	peer, err := bitcoin.NewSchnorrPrivateKey(d.bytes[:])
	if err != nil {
		t.Fatal(err)
	}
	want, err := peer.Sign(bytes.NewReader(aux[:]), msg, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(msg) == 32 {
		sk, _ := btcec.PrivKeyFromBytes(d.bytes[:])
		sig, err := schnorr.Sign(sk, msg, schnorr.CustomNonce(aux))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(sig.Serialize(), want) {
			t.Fatalf("the references differ on key %x, aux %x, message %x: btcec %x, secp256k1-voi %x", d.bytes, aux, msg, sig.Serialize(), want)
		}
	}
	fuzzkit.EachTier(func(tier string) {
		sk, err := keys.NewSecretKey(d.bytes[:])
		if err != nil {
			t.Fatal(err)
		}
		got, err := bip340.SignWithAux(sk, msg, aux)
		if err != nil || !bytes.Equal(got[:], want) {
			t.Fatalf("%s: key %x, aux %x, message %x: signature %x, %v; want %x", tier, d.bytes, aux, msg, got, err, want)
		}
		random, err := bip340.Sign(sk, msg)
		if err != nil {
			t.Fatal(err)
		}
		for _, sig := range [][64]byte{got, random} {
			if !verifyBoth(t, sk.PublicKey(), msg, sig) {
				t.Fatalf("%s: key %x, message %x: the references refuse our signature %x", tier, d.bytes, msg, sig)
			}
			if err := bip340.Verify(sk.PublicKey(), msg, sig); err != nil {
				t.Fatalf("%s: key %x, message %x, signature %x: %v", tier, d.bytes, msg, sig, err)
			}
		}
	}, "secp256k1", "sha256")
}

// FuzzSign compares signing with btcec and secp256k1-voi.
func FuzzSign(f *testing.F) {
	for i := range byte(16) {
		fuzzkit.Seed(f, []byte{i}, make([]byte, 64))
		fuzzkit.Seed(f, []byte{i | 2<<4}, bytes.Repeat([]byte{0xff}, 64))
		fuzzkit.Seed(f, []byte{i | 1<<4}, make([]byte, 32), []byte("a message of another length"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		d, aux := reduced(in.Integer()), in.Array()
		if !d.decred.IsZero() {
			checkSign(t, &d, aux, in.Rest())
		}
	})
}

// FuzzVerify compares verdicts with btcec's and secp256k1-voi's: on signatures
// that are good, changed in one place, or of any numbers near the edges.
func FuzzVerify(f *testing.F) {
	for form := range byte(8) {
		for i := range byte(16) {
			fuzzkit.Seed(f, []byte{form, i, i, 0x20 | i, 5, 1}, make([]byte, 32))
			fuzzkit.Seed(f, []byte{form, 0x10 | i, 3, i, 40, 128}, make([]byte, 33))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		form, d := in.Byte(), reduced(in.Integer())
		r, s := in.Integer(), in.Integer()
		at, flip := in.Byte(), in.Byte()
		msg := in.Rest()
		if d.decred.IsZero() {
			return
		}
		peer, err := bitcoin.NewSchnorrPrivateKey(d.bytes[:])
		if err != nil {
			t.Fatal(err)
		}
		good, err := peer.Sign(bytes.NewReader(r[:]), msg, nil)
		if err != nil {
			t.Fatal(err)
		}
		pub, sig := [32]byte(peer.PublicKey().Bytes()), [64]byte(good)
		changed := msg
		switch form & 7 {
		case 1:
			sig[at&63] ^= flip
		case 2:
			pub[at&31] ^= flip
		case 3:
			if changed = bytes.Clone(msg); len(msg) > 0 {
				changed[int(at)%len(msg)] ^= flip
			}
		case 4:
			copy(sig[:32], r[:])
		case 5:
			copy(sig[32:], s[:])
		case 6:
			pub = r
		case 7: // −s
			minus := reduced([32]byte(sig[32:]))
			minus.decred.Negate()
			b := minus.decred.Bytes()
			copy(sig[32:], b[:])
		}
		want := verifyBoth(t, pub, changed, sig)
		whole := bip340.Signed{PublicKey: [32]byte(peer.PublicKey().Bytes()), Message: msg, Signature: [64]byte(good)}
		this := bip340.Signed{PublicKey: pub, Message: changed, Signature: sig}
		together := func(tier string, alone error, batch ...bip340.Signed) {
			for i, got := range bip340.VerifyBatch(batch) {
				want := alone
				if batch[i].PublicKey == whole.PublicKey && batch[i].Signature == whole.Signature && bytes.Equal(batch[i].Message, msg) {
					want = nil
				}
				if got != want {
					t.Fatalf("%s: item %d of %d: %v, want %v", tier, i, len(batch), got, want)
				}
			}
		}
		fuzzkit.EachTier(func(tier string) {
			err := bip340.Verify(pub, changed, sig)
			if (err == nil) != want {
				t.Fatalf("%s: key %x, message %x, signature %x: %v, want success: %v", tier, pub, changed, sig, err, want)
			}
			// Alone among good ones, and among as many that are the same.
			together(tier, err, this, whole, whole, whole, whole)
			together(tier, err, whole, this, this, whole, this, whole)
		}, "secp256k1", "sha256")
		// So many go through another method. It takes long: once, by the tiers in use.
		if sig[0]%8 == 0 {
			together("best", bip340.Verify(pub, changed, sig), append(slices.Repeat([]bip340.Signed{whole}, 69), this)...)
		}
	})
}
