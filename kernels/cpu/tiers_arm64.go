//go:build gc && !purego

package cpu

// The switches: true while a tier is in use. The kernels read them on every call;
// nobody else writes them.
var (
	ChaCha20NEON bool
	SHA256SHA2   bool
	SHA256NEON   bool
	Base64NEON   bool
	ETMSHA2      bool
	Secp256k1MUL bool
)

var (
	chacha20Tiers = []tier{
		{"neon", []string{"asimd"}, &ChaCha20NEON},
	}
	sha256Tiers = []tier{
		{"sha2", []string{"sha2", "asimd"}, &SHA256SHA2},
		{"neon", []string{"asimd"}, &SHA256NEON},
	}
	base64Tiers = []tier{
		{"neon", []string{"asimd"}, &Base64NEON},
	}
	etmTiers = []tier{
		{"sha2", []string{"sha2", "asimd"}, &ETMSHA2},
	}
	secp256k1Tiers = []tier{
		{"mul", []string{"asimd"}, &Secp256k1MUL},
	}
)
