package keys_test

import (
	"fmt"
	"log"

	"github.com/sealwright/sealwright/protocol/keys"
)

func Example() {
	sk, err := keys.ParseSecretKey("7f7ff03d123792d6ac594bfa67bf6d0c0ab55b6b1fdb6249303fe861f1ccba9a")
	if err != nil {
		log.Fatal(err)
	}
	defer sk.Zero()
	fmt.Println("public", sk.PublicKey())
	fmt.Println("secret", sk)

	_, err = keys.ParsePublicKey("0000000000000000000000000000000000000000000000000000000000000000")
	fmt.Println(err)
	// Output:
	// public 17162c921dc4d2518f9a101db33695df1afb56ab82f5ff3e5da6eec3ca5cd917
	// secret <redacted>
	// keys: invalid public key
}
