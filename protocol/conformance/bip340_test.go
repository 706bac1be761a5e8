package conformance

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/keys"
)

// signature decodes 64 bytes.
func signature(tb testing.TB, s string) [64]byte {
	tb.Helper()
	b := testkit.Hex(tb, s)
	if len(b) != 64 {
		tb.Fatalf("a signature of %d bytes", len(b))
	}
	return [64]byte(b)
}

func TestBIP340(t *testing.T) {
	var file struct {
		Signed  []struct{ Secret, Public, Aux, Message, Signature string }
		Invalid []struct{ Public, Message, Signature, Why string }
	}
	testkit.Testdata(t, "protocol/testdata/bip340.json", &file)

	// The valid and the invalid ones mixed, for the batch.
	var batch []bip340.Signed
	var good []bool

	signed := 0
	for _, c := range file.Signed {
		message, want := testkit.Hex(t, c.Message), signature(t, c.Signature)
		sk := secretKey(t, c.Secret)
		pub := publicKey(t, c.Public)
		got, err := bip340.SignWithAux(sk, message, testkit.Hex32(t, c.Aux))
		if err != nil || got != want {
			t.Errorf("SignWithAux(%s, %s) = %x, %v, want %x", c.Secret, c.Message, got, err, want)
		}
		if err := bip340.Verify(pub, message, want); err != nil {
			t.Errorf("Verify(%s, %s): %v", c.Public, c.Message, err)
		}
		for name, sign := range map[string]func(*keys.SecretKey, []byte) ([64]byte, error){
			"Sign": bip340.Sign, "SignVerified": bip340.SignVerified,
		} {
			fresh, err := sign(sk, message)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if fresh == want {
				t.Errorf("%s draws the auxiliary randomness of the case", name)
			} else if err := bip340.Verify(pub, message, fresh); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		batch = append(batch, bip340.Signed{PublicKey: pub, Message: message, Signature: want})
		good = append(good, true)
		signed++
	}
	ran(t, "signatures", signed, 106)

	invalid := 0
	for _, c := range file.Invalid {
		// Some of the keys do not lift: only their form is decoded.
		pub := keys.PublicKey(testkit.Hex32(t, c.Public))
		message, sig := testkit.Hex(t, c.Message), signature(t, c.Signature)
		if err := bip340.Verify(pub, message, sig); !isOneOf(err, bip340.ErrSignature, keys.ErrPublicKey) {
			t.Errorf("Verify, %s: %v", c.Why, err)
		}
		at := (2*invalid + 1) % len(batch)
		batch = append(batch[:at], append([]bip340.Signed{{PublicKey: pub, Message: message, Signature: sig}}, batch[at:]...)...)
		good = append(good[:at], append([]bool{false}, good[at:]...)...)
		invalid++
	}
	ran(t, "invalid signatures", invalid, 109)

	for i, err := range bip340.VerifyBatch(batch) {
		if (err == nil) != good[i] {
			t.Errorf("VerifyBatch, item %d: %v, want valid: %v", i, err, good[i])
		}
	}
	ran(t, "batch", len(batch), 215)
}

func TestBIP340Published(t *testing.T) {
	rows, err := csv.NewReader(bytes.NewReader(testkit.Vectors(t, "bip340-test-vectors.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	signed, valid, invalid := 0, 0, 0
	for _, row := range rows[1:] {
		index, secret, public, aux, message, sig := row[0], row[1], row[2], row[3], testkit.Hex(t, row[4]), signature(t, row[5])
		pub := keys.PublicKey(testkit.Hex32(t, public))
		if secret != "" {
			sk, err := keys.NewSecretKey(testkit.Hex(t, secret))
			if err != nil {
				t.Fatalf("row %s: %v", index, err)
			}
			if sk.PublicKey() != pub {
				t.Errorf("row %s: public key %v, want %v", index, sk.PublicKey(), pub)
			}
			if got, err := bip340.SignWithAux(sk, message, testkit.Hex32(t, aux)); err != nil || got != sig {
				t.Errorf("row %s: signature %s, %v, want %s", index, hex.EncodeToString(got[:]), err, row[5])
			}
			signed++
		}
		err := bip340.Verify(pub, message, sig)
		switch row[6] {
		case "TRUE":
			if err != nil {
				t.Errorf("row %s: %v", index, err)
			}
			valid++
		case "FALSE":
			// Rows 5 and 14 have a public key that is no point.
			want := bip340.ErrSignature
			if index == "5" || index == "14" {
				want = keys.ErrPublicKey
			}
			if !errors.Is(err, want) {
				t.Errorf("row %s (%s): %v, want %v", index, row[7], err, want)
			}
			invalid++
		}
	}
	ran(t, "rows that sign", signed, 8)
	ran(t, "valid rows", valid, 9)
	ran(t, "invalid rows", invalid, 10)
}
