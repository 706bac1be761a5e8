// Package cpeers calls the C libraries that the benchmarks compare with, as
// Debian packages them: libsecp256k1 0.2.0 (libsecp256k1-dev), OpenSSL 3
// (libssl-dev) and libsodium 1.0.18 (libsodium-dev).
//
// It is empty without the build tag cpeers. Each function that is timed crosses
// from Go to C once; contexts, fetched algorithms and kept keys are made before.
// Nothing here may be called by more than one goroutine at a time.
package cpeers
