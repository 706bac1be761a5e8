package gonostr

import (
	"encoding/hex"
	"testing"

	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
	"github.com/sealwright/sealwright/protocol/signertest"
)

// A key of go-nostr behind the adapter keeps what a signer promises, up to the
// length that go-nostr can write.
func TestConformance(t *testing.T) {
	signertest.Test(t, func(t *testing.T, sk *keys.SecretKey) signer.Keyer {
		return FromKeyer(plainKeyer(t, secretHex(t, sk)))
	}, &signertest.Options{MaxPlaintext: nip44.LegacyMaxPlaintext})
}

// So does one of ours on its way there and back.
func TestConformanceThereAndBack(t *testing.T) {
	signertest.Test(t, func(t *testing.T, sk *keys.SecretKey) signer.Keyer {
		return FromKeyer(ToKeyer(login(t, secretHex(t, sk))))
	}, nil)
}

func secretHex(t *testing.T, sk *keys.SecretKey) string {
	t.Helper()
	b, err := sk.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(b[:])
}
