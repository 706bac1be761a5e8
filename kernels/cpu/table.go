package cpu

import "slices"

// names lists what a tier can be called: after what it needs. It is the
// vocabulary of SEALWRIGHT_CPU on every architecture, whichever tiers this
// build has.
var names = []string{Portable, "avx2", "avx512", "shani", "adx", "ifma", "neon", "sha2", "mul"}

// TierNames returns every name that a tier can have, on any processor.
func TierNames() []string { return slices.Clone(names) }

// CallCycles is how many cycles one call of assembly may take: 20 µs at 2.4 GHz.
// Nothing preempts it meanwhile, so a garbage collection waits. Kernels split long
// inputs accordingly, and their tests hold the parts, by the cycles that a byte takes
// on a slow processor, against this.
const CallCycles = 48_000

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

// kernels is the table. A tier is one line in the list of its kernel, in the file
// of its architecture, above what it is better than.
var kernels = []kernel{
	{"chacha20", append(chacha20Tiers, portable)},
	{"sha256", append(sha256Tiers, portable)},
	{"base64", append(base64Tiers, portable)},
	{"etm", append(etmTiers, portable)},
	{"secp256k1", append(secp256k1Tiers, portable)},
}

var portable = tier{Portable, nil, nil}
