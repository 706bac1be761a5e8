// Package curve multiplies points of secp256k1: the algorithms that stand on
// the field and point arithmetic of kernels/secp256k1. It carries no promise of
// compatibility.
//
// # Layers
//
//   - glv.go splits a scalar into two halves of 128 bits by the endomorphism
//     λ(x, y) = (βx, y) (Gallant, Lambert and Vanstone, 2001);
//   - recode.go turns scalars into digits: signed windows of one shape for
//     secrets, wNAF for public data;
//   - lift.go finds the points that have an x-coordinate;
//   - table.go makes the tables of odd multiples, all over one Z;
//   - basetable.go holds the multiples of the generator and is printed by gen/,
//     which computes them with math/big;
//   - mult.go holds the loops that do one multiplication at a time, of a secret
//     scalar;
//   - each.go multiplies many points by one secret scalar, side by side;
//   - verify.go holds the sum of multiples that a verification is;
//   - multi.go adds up multiples of many points.
//
// # Units
//
// An x-coordinate in bytes is 32 bytes, big-endian, and below p. Scalars are
// integers modulo n. Points are finite unless a function says otherwise.
//
// # Time and secrets
//
// [BaseMult], [ECDH], [ECDHEach] and [EvenScalar] take time and touch addresses that are
// independent of the scalar: every window has a digit other than zero, every
// look-up reads its whole table, and signs are applied with masks. An
// x-coordinate that they are given is public: the test whether it belongs to the
// curve takes variable time, and nothing after it does. They wipe the halves,
// digits, table entries and sums that they made of the scalar. Below them, assembly
// wipes its frames; what the portable operations of field and group leave in dead
// ones is not wiped. The scalar is not blinded.
//
// Variable time, for public data only: [LiftX], which returns early where x is
// not below p; [VerifyVartime], [Multiples] and [Sum]; and inside the package what has
// Vartime in its name.
package curve

//go:generate go run ./gen -o basetable.go
