package signer_test

import (
	"context"
	"fmt"
	"log"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/signer"
)

// asking is a signer that asks before it signs: whatever holds the key, the
// layers above see the interface alone.
type asking struct {
	signer.Keyer
	allow func(kind int) bool
}

func (a asking) SignEvent(ctx context.Context, e *event.Event) error {
	if !a.allow(e.Kind) {
		return fmt.Errorf("signing kind %d was refused", e.Kind)
	}
	return a.Keyer.SignEvent(ctx, e)
}

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

	var keyer signer.Keyer = asking{id, func(kind int) bool { return kind != 0 }}
	for _, kind := range []int{0, 1} {
		e := &event.Event{Kind: kind, CreatedAt: 1700000000, Content: "hello"}
		fmt.Println(kind, keyer.SignEvent(context.Background(), e))
	}
	// Output:
	// 0 signing kind 0 was refused
	// 1 <nil>
}
