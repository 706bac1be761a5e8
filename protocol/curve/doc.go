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
//   - table.go makes the tables of odd multiples, all over one Z;
//   - basetable.go holds the multiples of the generator and is printed by gen/,
//     which computes them with math/big;
//   - mult.go holds the loops that do one multiplication at a time.
//
// # Units
//
// An x-coordinate in bytes is 32 bytes, big-endian, and below p. Scalars are
// integers modulo n. Points are finite unless a function says otherwise.
//
// # Time
//
// [BaseMult], [ECDH] and [EvenScalar] take time and touch addresses that are
// independent of the scalar; they wipe the digits, entries and halves that they
// made of it. [ECDH] takes variable time in nothing: the point is public, and
// its table is computed by a fixed sequence too.
//
// [LiftX] and [VerifyVartime] are for public data: the first tells by its time
// whether x is below p, the second depends on all that it is given.
package curve

//go:generate go run ./gen -o basetable.go
