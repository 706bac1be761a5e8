package signertest_test

import (
	"context"
	"fmt"
	"log"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/signer"
	"github.com/sealwright/sealwright/protocol/signertest"
)

// dating is a signer that puts its own time on what it signs.
type dating struct{ signer.Signer }

func (d dating) SignEvent(ctx context.Context, e *event.Event) error {
	e.CreatedAt = 1800000000
	return d.Signer.SignEvent(ctx, e)
}

// In a test, Test calls Check and reports the faults.
func Example() {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		log.Fatal(err)
	}
	id, err := identity.New(sk)
	if err != nil {
		log.Fatal(err)
	}
	defer id.Close()

	ctx := context.Background()
	fmt.Println(len(signertest.Check(ctx, id, sk, nil)), "faults")
	fmt.Println(signertest.CheckSigner(ctx, dating{id}, sk, nil)[0])
	// Output:
	// 0 faults
	// signing: SignEvent altered created_at of an event of kind 1
}
