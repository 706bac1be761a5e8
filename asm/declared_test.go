package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// declared are the routines of all kernels, by their names without the tier, which changes
// nothing of this: the arguments behind which memory is public, and those that are secret
// values. The checks believe a specification in both; whatever else is in memory they
// hold to be secret, and any other value public.
var declared = map[string]struct{ public, secret string }{
	// A payload and its text are what goes over the network.
	"base64/encode": {public: "dst src"},
	"base64/decode": {public: "dst src"},

	// The nonce too is secret: NIP-44 derives it from the conversation key.
	"chacha20/xor":   {},
	"etm/xorAndHash": {},

	// No memory; the numbers of a leaf of CPUID.
	"cpu/cpuid": {},

	"sha256/blocks": {},
	"sha256/pair":   {},
	"sha256/hmac":   {},
	// p is addresses of messages. What they point to is secret.
	"sha256/blocks2":  {public: "p"},
	"sha256/blocks16": {public: "p"},

	"secp256k1/mul":               {},
	"secp256k1/sqrN":              {},
	"secp256k1/raise8":            {},
	"secp256k1/doubleN":           {},
	"secp256k1/addMixedDistinct":  {},
	"secp256k1/addMixed":          {},
	"secp256k1/addCoZ":            {},
	"secp256k1/addAffine":         {},
	"secp256k1/invert":            {},
	"secp256k1/doubleN8":          {},
	"secp256k1/addMixedDistinct8": {},
	"secp256k1/addCoZ8":           {},
	// Which entry, and its sign, are digits of a secret scalar.
	"secp256k1/lookup":  {secret: "i neg"},
	"secp256k1/lookup8": {secret: "i neg"},
	// pairs are places of points in sums of verification.
	"secp256k1/mulDifference8": {public: "pairs"},
	"secp256k1/addAffine8":     {public: "pairs"},
	// Points on the way of a verification, of public keys and signatures alone. z is among
	// them so that nothing secret can come to where it is taken for public.
	"secp256k1/addMixedVartime":  {public: "z p q"},
	"secp256k1/addScaledVartime": {public: "s z p q"},
	// Coordinates of such points, and the right side of the curve's equation for a public
	// key, which has to be a square.
	"secp256k1/invertVartime": {public: "z x"},
	"secp256k1/jacobiVartime": {public: "x"},
}

var tier = regexp.MustCompile(`^[A-Z][A-Z0-9]*$`)

// TestDeclared fails where a specification declares anything else, or a routine is new.
func TestDeclared(t *testing.T) {
	met := make(map[string]bool)
	for kernel, k := range kernels {
		for arch, specs := range k.Specs() {
			for name, spec := range specs {
				full := kernel + "/" + name
				row := full
				if _, ok := declared[row]; !ok {
					row = ""
					for r := range declared {
						if rest, ok := strings.CutPrefix(full, r); ok && tier.MatchString(rest) && len(r) > len(row) {
							row = r
						}
					}
				}
				if row == "" {
					t.Errorf("%s: %s is not in the table", arch, full)
					continue
				}
				met[row] = true
				if want := strings.Fields(declared[row].public); !slices.Equal(spec.Public, want) {
					t.Errorf("%s: %s takes the memory of %q for public, want %q", arch, full, spec.Public, want)
				}
				if want := strings.Fields(declared[row].secret); !slices.Equal(spec.Secret, want) {
					t.Errorf("%s: %s takes the values %q for secret, want %q", arch, full, spec.Secret, want)
				}
				if spec.Leaves != "" {
					t.Errorf("%s: %s leaves secrets in its frame: %s", arch, full, spec.Leaves)
				}
			}
		}
	}
	for row := range declared {
		if !met[row] {
			t.Errorf("no routine is %s", row)
		}
	}
}
