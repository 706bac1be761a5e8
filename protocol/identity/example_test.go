package identity_test

import (
	"context"
	"fmt"
	"log"

	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
)

func Example() {
	ctx := context.Background()
	sk, err := keys.ParseSecretKey("0000000000000000000000000000000000000000000000000000000000000003")
	if err != nil {
		log.Fatal(err)
	}
	me, err := identity.New(sk)
	if err != nil {
		log.Fatal(err)
	}
	sk.Zero() // the identity has its own copy
	defer me.Close()

	// A note to oneself; a peer's public key serves in the same way.
	payload, err := me.Encrypt(ctx, []byte("buy rope"), me.PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	note, err := me.Decrypt(ctx, payload, me.PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v: %s\n", me.PublicKey(), note)
	// Output: f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9: buy rope
}
