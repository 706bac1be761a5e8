package gonostr_test

import (
	"context"
	"fmt"
	"log"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/keyer"
	theirs17 "github.com/nbd-wtf/go-nostr/nip17"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip59"
	"github.com/sealwright/sealwright/tools/gonostr"
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

// A program built on go-nostr sends with a key that an identity holds.
func Example() {
	ctx := context.Background()
	alice, bob := login(), login()
	defer alice.Close()
	defer bob.Close()

	_, toBob, err := theirs17.PrepareMessage(ctx, "the boat leaves at six", nostr.Tags{},
		gonostr.ToKeyer(alice), bob.PublicKey().String(), nil)
	if err != nil {
		log.Fatal(err)
	}

	wrap, err := gonostr.FromEvent(&toBob)
	if err != nil {
		log.Fatal(err)
	}
	message, err := nip59.Unwrap(ctx, bob, wrap, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(message.Sender == alice.PublicKey(), message.Rumor.Content)
	// Output: true the boat leaves at six
}

// This module's code opens an inbox with a keyer of go-nostr.
func ExampleFromKeyer() {
	ctx := context.Background()
	alice := login()
	defer alice.Close()
	theirs, err := keyer.NewPlainKeySigner(nostr.GeneratePrivateKey())
	if err != nil {
		log.Fatal(err)
	}

	bob := gonostr.FromKeyer(theirs)
	to, err := bob.GetPublicKey(ctx)
	if err != nil {
		log.Fatal(err)
	}
	rumor := nip59.NewRumor(alice.PublicKey(), 1700000000, 14, event.Tags{{"p", to.String()}}, "bring a coat")
	wrap, err := nip59.Wrap(ctx, alice, rumor, to, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range nip59.UnwrapAll(ctx, bob, []*event.Event{wrap}, nil) {
		fmt.Println(r.Message.Rumor.Content, r.Err)
	}
	// Output: bring a coat <nil>
}
