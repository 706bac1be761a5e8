//go:build (!amd64 && !arm64) || !gc || purego

package cpu

// No tier but portable in this build.
var chacha20Tiers, sha256Tiers, base64Tiers, etmTiers, secp256k1Tiers []tier
