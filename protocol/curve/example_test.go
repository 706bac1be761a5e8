package curve_test

import (
	"fmt"

	"github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/protocol/curve"
)

// Two people multiply each other's point by their own scalar and come to the
// same x-coordinate.
func Example() {
	a, b := secp256k1.Scalar{3}, secp256k1.Scalar{7}
	var pa, pb secp256k1.Affine
	curve.BaseMult(&pa, &a)
	curve.BaseMult(&pb, &b)

	var ab, ba [32]byte
	xa, xb := pa.X.Bytes(), pb.X.Bytes()
	curve.ECDH(&ab, &a, &xb)
	curve.ECDH(&ba, &b, &xa)
	fmt.Println(ab == ba)

	// A point that arrives as 32 bytes is lifted, which tests that it is one.
	var p secp256k1.Affine
	fmt.Println(curve.LiftX(&p, &ab), curve.LiftX(&p, &[32]byte{}))
	// Output:
	// true
	// true false
}
