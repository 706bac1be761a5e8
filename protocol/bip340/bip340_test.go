package bip340

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	kernel "github.com/sealwright/sealwright/kernels/sha256"
	"github.com/sealwright/sealwright/protocol/keys"
)

// The constant states against the standard library's.
func TestTagStates(t *testing.T) {
	for tag, got := range map[string]kernel.State{
		"BIP0340/aux": auxState, "BIP0340/nonce": nonceState, "BIP0340/challenge": challengeState,
	} {
		sum := sha256.Sum256([]byte(tag))
		h := sha256.New()
		h.Write(sum[:])
		h.Write(sum[:])
		state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if want := binary.BigEndian.Uint32(state[4+4*i:]); got[i] != want {
				t.Errorf("%s: word %d is %#x, want %#x", tag, i, got[i], want)
			}
		}
	}
}

// verify asks Verify and a Verifier, which must agree.
func verify(t *testing.T, pub keys.PublicKey, msg []byte, sig [64]byte) error {
	t.Helper()
	err := Verify(pub, msg, sig)
	v, byKey := NewVerifier(pub)
	if byKey == nil {
		byKey = v.Verify(msg, sig)
	}
	if !errors.Is(byKey, err) || v != nil && v.PublicKey() != pub {
		t.Errorf("key %x, message %x, signature %x: %v, by a verifier %v", pub[:], msg, sig, err, byKey)
	}
	return err
}

func TestVectors(t *testing.T) {
	data := testkit.Vectors(t, "bip340-test-vectors.csv")
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	signed, verified, refused := 0, 0, 0
	for _, row := range rows[1:] {
		index, secret, public, aux, message, signature, result := row[0], row[1], row[2], row[3], row[4], row[5], row[6]
		msg := testkit.Hex(t, message)
		sig := [64]byte(testkit.Hex(t, signature))
		pub := keys.PublicKey(testkit.Hex32(t, public))
		if secret != "" {
			sk, err := keys.NewSecretKey(testkit.Hex(t, secret))
			if err != nil {
				t.Fatal(err)
			}
			if sk.PublicKey() != pub {
				t.Errorf("row %s: public key %s", index, sk.PublicKey())
			}
			got, err := SignWithAux(sk, msg, testkit.Hex32(t, aux))
			if err != nil || got != sig {
				t.Errorf("row %s: signature %x, %v, want %x", index, got, err, sig)
			}
			signed++
		}
		err := verify(t, pub, msg, sig)
		batch := VerifyBatch([]Signed{{pub, msg, sig}})
		if len(batch) != 1 || (batch[0] == nil) != (err == nil) {
			t.Errorf("row %s: a batch of one gives %v", index, batch)
		}
		if result == "TRUE" {
			verified++
			if err != nil {
				t.Errorf("row %s: %v", index, err)
			}
			continue
		}
		refused++
		if !errors.Is(err, ErrSignature) && !errors.Is(err, keys.ErrPublicKey) {
			t.Errorf("row %s is refused with %v (%s)", index, err, row[7])
		}
	}
	if signed != 8 || verified != 9 || refused != 10 {
		t.Errorf("%d signed, %d verified, %d refused, want 8, 9, 10", signed, verified, refused)
	}
}

// Row 0 and a refused one of the BIP's vectors, so that something published is
// tested where the files are absent.
func TestPublishedSignature(t *testing.T) {
	sk, err := keys.ParseSecretKey("0000000000000000000000000000000000000000000000000000000000000003")
	if err != nil {
		t.Fatal(err)
	}
	sig, err := SignWithAux(sk, make([]byte, 32), [32]byte{})
	const want = "e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca821525f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0"
	if err != nil || hex.EncodeToString(sig[:]) != want {
		t.Errorf("%x, %v, want %s", sig, err, want)
	}
}

// Every bit of key, message and signature counts.
func TestChangedBit(t *testing.T) {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	msg := []byte("a message of another length than 32 bytes")
	for name, sign := range map[string]func(*keys.SecretKey, []byte) ([64]byte, error){"Sign": Sign, "SignVerified": SignVerified} {
		sig, err := sign(sk, msg)
		if err != nil {
			t.Fatal(err)
		}
		pub := sk.PublicKey()
		if err := verify(t, pub, msg, sig); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for bit := range 512 {
			bad := sig
			bad[bit/8] ^= 1 << (bit % 8)
			if err := verify(t, pub, msg, bad); !errors.Is(err, ErrSignature) {
				t.Errorf("%s: bit %d of the signature: %v", name, bit, err)
			}
		}
		for bit := range 256 {
			bad := pub
			bad[bit/8] ^= 1 << (bit % 8)
			if err := verify(t, bad, msg, sig); !errors.Is(err, ErrSignature) && !errors.Is(err, keys.ErrPublicKey) {
				t.Errorf("%s: bit %d of the key: %v", name, bit, err)
			}
		}
		for i := range msg {
			bad := []byte(string(msg))
			bad[i] ^= 1
			if err := verify(t, pub, bad, sig); !errors.Is(err, ErrSignature) {
				t.Errorf("%s: byte %d of the message: %v", name, i, err)
			}
		}
	}
}

// Two signatures of the same message differ by their auxiliary randomness.
func TestFreshAux(t *testing.T) {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	a, errA := Sign(sk, nil)
	b, errB := Sign(sk, nil)
	if errA != nil || errB != nil || a == b {
		t.Errorf("%x, %v; %x, %v", a, errA, b, errB)
	}
}

// Case 45: the answers are in order, one each.
func TestVerifyBatch(t *testing.T) {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	items := make([]Signed, 9)
	for i := range items {
		msg := []byte{byte(i)}
		sig, err := Sign(sk, msg)
		if err != nil {
			t.Fatal(err)
		}
		items[i] = Signed{sk.PublicKey(), msg, sig}
	}
	items[2].Signature[63] ^= 1
	items[5].PublicKey = keys.PublicKey{}
	items[7].Message = nil
	want := map[int]error{2: ErrSignature, 5: keys.ErrPublicKey, 7: ErrSignature}
	for i, err := range VerifyBatch(items) {
		if !errors.Is(err, want[i]) || (err == nil) != (want[i] == nil) {
			t.Errorf("item %d: %v, want %v", i, err, want[i])
		}
	}
	if got := VerifyBatch(nil); len(got) != 0 {
		t.Errorf("an empty batch gives %v", got)
	}
}

// A Verifier that NewVerifier did not make accepts nothing, not even where R would be
// any multiple of G.
func TestZeroVerifier(t *testing.T) {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	sig, err := Sign(sk, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []*Verifier{nil, {}} {
		if err := v.Verify(nil, sig); !errors.Is(err, keys.ErrPublicKey) || v.PublicKey() != (keys.PublicKey{}) {
			t.Errorf("%v, of the key %s", err, v.PublicKey())
		}
	}
}

func TestDestroyedKey(t *testing.T) {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	sk.Zero()
	for _, k := range []*keys.SecretKey{nil, {}, sk} {
		_, err1 := Sign(k, nil)
		_, err2 := SignVerified(k, nil)
		sig, err3 := SignWithAux(k, nil, [32]byte{})
		for _, err := range []error{err1, err2, err3} {
			if !errors.Is(err, keys.ErrDestroyed) || sig != [64]byte{} {
				t.Errorf("%v", err)
			}
		}
	}
}

func TestAllocs(t *testing.T) {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	msg := make([]byte, 32)
	sig, err := Sign(sk, msg)
	if err != nil {
		t.Fatal(err)
	}
	pub := sk.PublicKey()
	testkit.Allocs(t, "Sign", 0, func() { Sign(sk, msg) })
	testkit.Allocs(t, "Verify", 0, func() { Verify(pub, msg, sig) })
}
