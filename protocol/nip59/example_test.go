package nip59_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip59"
)

func login() *identity.Identity {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		log.Fatal(err)
	}
	defer sk.Zero()
	id, err := identity.New(sk)
	if err != nil {
		log.Fatal(err)
	}
	return id
}

func Example() {
	ctx := context.Background()
	alice, bob, eve := login(), login(), login()
	defer alice.Close()
	defer bob.Close()
	defer eve.Close()

	rumor := nip59.NewRumor(alice.PublicKey(), 1700000000, 14,
		event.Tags{{"p", bob.PublicKey().String()}}, "the boat leaves at six")
	wrap, err := nip59.Wrap(ctx, alice, rumor, bob.PublicKey(), nil)
	if err != nil {
		log.Fatal(err)
	}
	overTheWire := wrap.AppendJSON(nil)

	received, err := event.Parse(overTheWire)
	if err != nil {
		log.Fatal(err)
	}
	message, err := nip59.Unwrap(ctx, bob, received, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(message.Sender == alice.PublicKey(), message.Rumor.Content)

	_, err = nip59.Unwrap(ctx, eve, received, nil)
	fmt.Println(errors.Is(err, nip59.ErrNotForMe), nip59.Classify(err).Final())
	// Output:
	// true the boat leaves at six
	// true false
}
