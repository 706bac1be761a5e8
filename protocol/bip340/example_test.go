package bip340_test

import (
	"fmt"
	"log"

	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/keys"
)

func Example() {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		log.Fatal(err)
	}
	defer sk.Zero()
	sig, err := bip340.Sign(sk, []byte("the tide is at nine"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bip340.Verify(sk.PublicKey(), []byte("the tide is at nine"), sig))
	fmt.Println(bip340.Verify(sk.PublicKey(), []byte("the tide is at ten"), sig))
	// Output:
	// <nil>
	// bip340: invalid signature
}
