// Package curve fuzzes protocol/curve, protocol/keys and protocol/bip340
// against decred's secp256k1, btcec and secp256k1-voi, under every tier of the
// kernels below them.
package curve
