//go:build gc && !purego

package cpu

// The switches: true while a tier is in use. The kernels read them on every call;
// nobody else writes them.
var (
	ChaCha20AVX512, ChaCha20AVX2 bool
	SHA256AVX512, SHA256SHANI    bool
	SHA256AVX2                   bool
	Base64AVX512, Base64AVX2     bool
	ETMAVX512                    bool
	Secp256k1IFMA, Secp256k1ADX  bool
)

var (
	chacha20Tiers = []tier{
		{"avx512", []string{"avx512f", "avx512bw", "avx512vl"}, &ChaCha20AVX512},
		{"avx2", []string{"avx2"}, &ChaCha20AVX2},
	}
	sha256Tiers = []tier{
		{"avx512", []string{"avx512f", "avx512bw", "sha", "ssse3", "sse41", "avx"}, &SHA256AVX512}, // all that shani needs, for single messages
		{"shani", []string{"sha", "ssse3", "sse41", "avx"}, &SHA256SHANI},
		{"avx2", []string{"avx2", "bmi2"}, &SHA256AVX2},
	}
	base64Tiers = []tier{
		{"avx512", []string{"avx512f", "avx512bw", "avx512vbmi"}, &Base64AVX512},
		{"avx2", []string{"avx2"}, &Base64AVX2},
	}
	etmTiers = []tier{
		{"avx512", []string{"avx512f", "sha", "ssse3", "sse41", "avx"}, &ETMAVX512},
	}
	secp256k1Tiers = []tier{
		{"ifma", []string{"avx512f", "avx512vl", "avx512ifma", "adx", "bmi2", "avx2"}, &Secp256k1IFMA}, // all that adx needs, for what it has no routines of its own for
		{"adx", []string{"adx", "bmi2", "avx2"}, &Secp256k1ADX},
	}
)
