package signertest_test

import (
	"context"

	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
)

// bounded takes no more than max bytes of plaintext.
type bounded struct {
	signer.Cipher
	max uint64
}

func (b bounded) Encrypt(ctx context.Context, plaintext []byte, to keys.PublicKey) ([]byte, error) {
	if n := uint64(len(plaintext)); n > b.max {
		return nil, &nip44.SizeError{Size: n, Limit: b.max}
	}
	return b.Cipher.Encrypt(ctx, plaintext, to)
}

func (b bounded) Decrypt(ctx context.Context, payload []byte, from keys.PublicKey) ([]byte, error) {
	if err := nip44.CheckPayload(payload, &nip44.Options{MaxPlaintext: b.max}); err != nil {
		return nil, err
	}
	return b.Cipher.Decrypt(ctx, payload, from)
}
