package bench

import "testing"

// The rows of the kernels.

// BenchmarkChaCha20 encrypts with a key and a nonce from counter zero on, into
// another buffer.
func BenchmarkChaCha20(b *testing.B) { lengths(b, "chacha20", 64, 256, 1024, 16384, 65536) }

func BenchmarkSHA256(b *testing.B) { lengths(b, "sha256", 64, 1024, 64000, 65536) }

// BenchmarkSum256s hashes sixteen messages.
func BenchmarkSum256s(b *testing.B) {
	for _, n := range []int{64, 1024, 16384} {
		row(b, "sha256", params{len: n, n: streams})
	}
}

// The rows After… hash with SHA-256 right after another kernel. The instructions for
// it are many times slower after a routine that leaves the upper halves of registers
// dirty; the gate would tell.

func BenchmarkAfterChaCha20(b *testing.B)       { lengths(b, "chacha20", 64, 1024, 16384) }
func BenchmarkAfterBase64(b *testing.B)         { lengths(b, "base64", 176, 1500) }
func BenchmarkAfterBase64Decode(b *testing.B)   { lengths(b, "base64", 1500) }
func BenchmarkAfterSum256s(b *testing.B)        { lengths(b, "sha256", 1024) }
func BenchmarkAfterEncryptThenMAC(b *testing.B) { lengths(b, "etm", 3072) }
func BenchmarkAfterBaseMult(b *testing.B)       { lengths(b, "secp256k1", 16384) }

// BenchmarkHMAC authenticates with HMAC-SHA-256 under a kept key.
func BenchmarkHMAC(b *testing.B) { lengths(b, "sha256", 64, 1024, 65536) }

// BenchmarkEncryptThenMAC encrypts with ChaCha20, and authenticates as many other bytes
// with HMAC-SHA-256 under a kept key: what a chunk of a long message takes.
func BenchmarkEncryptThenMAC(b *testing.B) { lengths(b, "etm", 3072, 65536) }

// BenchmarkBase64Encode and BenchmarkBase64Decode count characters.
func BenchmarkBase64Encode(b *testing.B) { lengths(b, "base64", 176, 1500, 87500) }
func BenchmarkBase64Decode(b *testing.B) { lengths(b, "base64", 176, 1500, 87500) }

// BenchmarkECDH multiplies a point, given by its x-coordinate, by a kept secret
// scalar.
func BenchmarkECDH(b *testing.B) { row(b, "secp256k1", params{}) }

// BenchmarkBaseMult makes a public key, in affine coordinates, of a secret scalar.
func BenchmarkBaseMult(b *testing.B) { row(b, "secp256k1", params{}) }

// BenchmarkSchnorrSign signs 32 bytes (BIP-340) with a kept key pair and fresh
// randomness where the implementation uses any, and does not verify what it made.
func BenchmarkSchnorrSign(b *testing.B) { row(b, "secp256k1", params{}) }

// BenchmarkSchnorrVerify verifies a signature of 32 bytes (BIP-340) from the 32
// bytes of a public key.
func BenchmarkSchnorrVerify(b *testing.B) { row(b, "secp256k1", params{}) }

// BenchmarkSchnorrVerifyKnown is BenchmarkSchnorrVerify with the multiples of every
// public key at hand.
func BenchmarkSchnorrVerifyKnown(b *testing.B) { row(b, "secp256k1", params{}) }

// The primitives of field and group. Results are fed back, so the time is that of
// a chain; FieldInvertVartime and FieldIsSquare, whose time depends on the number, go
// through many.

func BenchmarkFieldMul(b *testing.B)           { row(b, "secp256k1", params{}) }
func BenchmarkFieldSqr(b *testing.B)           { row(b, "secp256k1", params{}) }
func BenchmarkFieldInvert(b *testing.B)        { row(b, "secp256k1", params{}) }
func BenchmarkFieldInvertVartime(b *testing.B) { row(b, "secp256k1", params{}) }
func BenchmarkFieldSqrt(b *testing.B)          { row(b, "secp256k1", params{}) }
func BenchmarkFieldIsSquare(b *testing.B)      { row(b, "secp256k1", params{}) }
func BenchmarkScalarMul(b *testing.B)          { row(b, "secp256k1", params{}) }

// BenchmarkFieldSqrtEach takes the square roots of many, as batches of signatures do. The time
// is that of one.
func BenchmarkFieldSqrtEach(b *testing.B) { row(b, "secp256k1", params{n: 32}) }

// BenchmarkPointDouble doubles a point; ours does four doublings at a time, as multiplications
// do more or fewer.
func BenchmarkPointDouble(b *testing.B) { row(b, "secp256k1", params{}) }

// BenchmarkPointAddMixed adds an affine point by the complete formula. PointAddDistinct
// takes no equal points, PointAddVartime may branch, PointAddScaled brings the affine
// point to an isomorphic curve on the way, and PointAddCoZ adds points over one Z.

func BenchmarkPointAddMixed(b *testing.B)    { row(b, "secp256k1", params{}) }
func BenchmarkPointAddDistinct(b *testing.B) { row(b, "secp256k1", params{}) }
func BenchmarkPointAddVartime(b *testing.B)  { row(b, "secp256k1", params{}) }
func BenchmarkPointAddScaled(b *testing.B)   { row(b, "secp256k1", params{}) }
func BenchmarkPointAddCoZ(b *testing.B)      { row(b, "secp256k1", params{}) }

// BenchmarkLookup takes an entry from a table of points, of which it reads all.
func BenchmarkLookup(b *testing.B) {
	for _, n := range []int{16, 32} {
		row(b, "secp256k1", params{n: n})
	}
}

func lengths(b *testing.B, kernel string, lengths ...int) {
	for _, n := range lengths {
		row(b, kernel, params{len: n})
	}
}
