// Package curve fuzzes protocol/curve, protocol/keys and protocol/bip340
// against decred's secp256k1, btcec and secp256k1-voi, under every tier of the
// kernels below them.
//
// What several files of targets share is no _test file: OSS-Fuzz builds those
// that hold a target, and no other.
package curve
