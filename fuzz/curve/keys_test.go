package curve

import (
	"encoding/hex"
	"errors"
	"regexp"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"gitlab.com/yawning/secp256k1-voi/secec/bitcoin"

	"github.com/sealwright/sealwright/fuzz/internal/fuzzkit"
	"github.com/sealwright/sealwright/protocol/keys"
)

var lowerHex = regexp.MustCompile(`\A[0-9a-f]{64}\z`)

// keyText draws the text of a key: 64 digits of an integer near an edge, with
// up to one character changed and up to one added; or any text.
func keyText(in *fuzzkit.Input) string {
	form, b := in.Byte(), in.Integer()
	text := hex.AppendEncode(nil, b[:])
	switch form & 3 {
	case 1:
		text[in.Byte()&63] = in.Byte()
	case 2:
		text = append(text, in.Byte())
	case 3:
		text = in.Rest()
	}
	return string(text)
}

func seedKeys(f *testing.F) {
	for i := range 16 {
		for delta := range 3 {
			fuzzkit.Seed(f, []byte{0, byte(delta<<4 | i)})
		}
	}
	fuzzkit.Seed(f, []byte{1, 1, 63, 'A'})
	fuzzkit.Seed(f, []byte{1, 1, 0, 'g'})
	fuzzkit.Seed(f, []byte{1, 1, 0, 0xc3})
	fuzzkit.Seed(f, []byte{2, 1, '0'})
	fuzzkit.Seed(f, []byte{3, 1}, []byte("0x01"))
}

// FuzzSecretKey compares which secrets are taken with btcec's scalar and
// secp256k1-voi's key, and the public key with both. Case 15.
func FuzzSecretKey(f *testing.F) {
	seedKeys(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		text := keyText(fuzzkit.New(data))
		var b [32]byte
		form := lowerHex.MatchString(text)
		if form {
			hex.Decode(b[:], []byte(text))
		}
		var d btcec.ModNScalar
		overflow := d.SetBytes(&b) == 1
		ok := form && !overflow && !d.IsZero()
		peer, err := bitcoin.NewSchnorrPrivateKey(b[:])
		if form && (err == nil) != ok {
			t.Fatalf("the references differ on %q: %v", text, err)
		}
		fuzzkit.EachTier(func(tier string) {
			sk, err := keys.ParseSecretKey(text)
			if (err == nil) != ok || err != nil && !errors.Is(err, keys.ErrSecretKey) {
				t.Fatalf("%s: ParseSecretKey(%q): %v, want success: %v", tier, text, err, ok)
			}
			if form {
				if _, err := keys.NewSecretKey(b[:]); (err == nil) != ok {
					t.Fatalf("%s: NewSecretKey(%x): %v, want success: %v", tier, b, err, ok)
				}
			}
			if !ok {
				return
			}
			_, pub := btcec.PrivKeyFromBytes(b[:])
			want := schnorr.SerializePubKey(pub)
			if got := sk.PublicKey(); got != keys.PublicKey(want) || got != keys.PublicKey(peer.PublicKey().Bytes()) {
				t.Fatalf("%s: the public key of %x is %x, want %x", tier, b, got, want)
			}
			if back, err := sk.Bytes(); err != nil || [32]byte(back) != b {
				t.Fatalf("%s: Bytes() of %x = %x, %v", tier, b, back, err)
			}
		}, "secp256k1")
	})
}

// FuzzPublicKey compares which keys are taken with btcec and secp256k1-voi.
// Cases 15 and 43.
func FuzzPublicKey(f *testing.F) {
	seedKeys(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		text := keyText(fuzzkit.New(data))
		var b [32]byte
		form := lowerHex.MatchString(text)
		if form {
			hex.Decode(b[:], []byte(text))
		}
		_, err := schnorr.ParsePubKey(b[:])
		ok := form && err == nil
		if _, err := bitcoin.NewSchnorrPublicKey(b[:]); form && (err == nil) != ok {
			t.Fatalf("the references differ on %q: %v", text, err)
		}
		fuzzkit.EachTier(func(tier string) {
			pub, err := keys.ParsePublicKey(text)
			if (err == nil) != ok || err != nil && !errors.Is(err, keys.ErrPublicKey) {
				t.Fatalf("%s: ParsePublicKey(%q): %v, want success: %v", tier, text, err, ok)
			}
			if ok && (pub != keys.PublicKey(b) || pub.String() != text) {
				t.Fatalf("%s: ParsePublicKey(%q) = %s", tier, text, pub)
			}
			if err := pub.UnmarshalText([]byte(text)); (err == nil) != form {
				t.Fatalf("%s: UnmarshalText(%q): %v, want success: %v", tier, text, err, form)
			}
		}, "secp256k1")
	})
}
