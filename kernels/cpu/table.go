package cpu

import "slices"

// names lists what a tier can be called: after what it needs. It is the
// vocabulary of SEALWRIGHT_CPU on every architecture, whichever tiers this
// build has.
var names = []string{Portable, "avx2", "avx512", "shani", "adx", "ifma", "neon", "sha2"}

// TierNames returns every name that a tier can have, on any processor.
func TierNames() []string { return slices.Clone(names) }

type kernel struct {
	name  string
	tiers []tier
}

// tier is a row of the table. use is the switch that the kernel's if chain
// reads: it is true while the tier is in use. portable has none, being what
// runs when every switch is off.
type tier struct {
	name  string
	needs []string
	use   *bool
}

// kernels is the table. A tier is one line in the list of its kernel, above
// portable and above what it is better than, in a build that holds it.
var kernels = []kernel{
	{"chacha20", []tier{
		{Portable, nil, nil},
	}},
	{"sha256", []tier{
		{Portable, nil, nil},
	}},
	{"base64", []tier{
		{Portable, nil, nil},
	}},
	{"secp256k1", []tier{
		{Portable, nil, nil},
	}},
}
