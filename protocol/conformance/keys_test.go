package conformance

import (
	"encoding/hex"
	"errors"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
)

func TestKeys(t *testing.T) {
	var file struct {
		Pairs          []struct{ Secret, Public string }
		InvalidSecrets []struct{ Secret, Why string } `json:"invalid_secrets"`
		InvalidPublics []struct{ Public, Why string } `json:"invalid_publics"`
	}
	testkit.Testdata(t, "protocol/testdata/keys.json", &file)

	pairs := 0
	for _, c := range file.Pairs {
		sk := secretKey(t, c.Secret)
		if got := sk.PublicKey().String(); got != c.Public {
			t.Errorf("public key of %s is %s, want %s", c.Secret, got, c.Public)
		}
		fromBytes, err := keys.NewSecretKey(testkit.Hex(t, c.Secret))
		if err != nil {
			t.Errorf("NewSecretKey(%s): %v", c.Secret, err)
		} else if fromBytes.PublicKey() != sk.PublicKey() {
			t.Errorf("NewSecretKey(%s) has another public key than ParseSecretKey", c.Secret)
		}
		if pub := publicKey(t, c.Public); pub != sk.PublicKey() {
			t.Errorf("ParsePublicKey(%s) = %v", c.Public, pub)
		}
		pairs++
	}
	ran(t, "pairs", pairs, 88)

	secrets := 0
	for _, c := range file.InvalidSecrets {
		if sk, err := keys.ParseSecretKey(c.Secret); !errors.Is(err, keys.ErrSecretKey) || sk != nil {
			t.Errorf("ParseSecretKey, %s: error %v, key %v", c.Why, err, sk)
		}
		if b, err := hex.DecodeString(c.Secret); err == nil && hex.EncodeToString(b) == c.Secret {
			if sk, err := keys.NewSecretKey(b); !errors.Is(err, keys.ErrSecretKey) || sk != nil {
				t.Errorf("NewSecretKey, %s: error %v, key %v", c.Why, err, sk)
			}
		}
		secrets++
	}
	ran(t, "invalid secrets", secrets, 15)

	// A key may be decoded by its form alone; whatever uses the point refuses.
	one := secretKey(t, "0000000000000000000000000000000000000000000000000000000000000001")
	publics, offCurve := 0, 0
	for _, c := range file.InvalidPublics {
		if pub, err := keys.ParsePublicKey(c.Public); !errors.Is(err, keys.ErrPublicKey) || pub != (keys.PublicKey{}) {
			t.Errorf("ParsePublicKey, %s: error %v, key %v", c.Why, err, pub)
		}
		if b, err := hex.DecodeString(c.Public); err == nil && hex.EncodeToString(b) == c.Public {
			if _, err := keys.NewPublicKey(b); !errors.Is(err, keys.ErrPublicKey) {
				t.Errorf("NewPublicKey, %s: error %v", c.Why, err)
			}
			if len(b) == 32 {
				if ck, err := nip44.DeriveConversationKey(one, keys.PublicKey(b)); !errors.Is(err, keys.ErrPublicKey) || ck != nil {
					t.Errorf("DeriveConversationKey, %s: error %v", c.Why, err)
				}
				offCurve++
			}
		}
		publics++
	}
	ran(t, "invalid public keys", publics, 35)
	ran(t, "public keys off the curve", offCurve, 27)
}
