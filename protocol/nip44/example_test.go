package nip44_test

import (
	"fmt"
	"log"

	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
)

func Example() {
	alice, err := keys.GenerateSecretKey()
	if err != nil {
		log.Fatal(err)
	}
	bob, err := keys.GenerateSecretKey()
	if err != nil {
		log.Fatal(err)
	}

	// Alice derives the key from her secret and Bob's public key.
	hers, err := nip44.DeriveConversationKey(alice, bob.PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	defer hers.Zero()
	payload, err := hers.Encrypt("see you at the harbour")
	if err != nil {
		log.Fatal(err)
	}

	// Bob derives the same key with the roles swapped.
	his, err := nip44.DeriveConversationKey(bob, alice.PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	defer his.Zero()
	text, err := his.Decrypt(payload)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(payload), text)
	// Output: 132 see you at the harbour
}
