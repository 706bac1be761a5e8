// Package kernels fuzzes every tier of the packages in kernels/ against the
// standard library, golang.org/x/crypto, decred's secp256k1 and secp256k1-voi.
package kernels
