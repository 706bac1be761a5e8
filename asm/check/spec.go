package check

// Spec is what a routine promises; the checks hold its instructions against it.
type Spec struct {
	// Tier is the name under which kernels/cpu knows the routine's condition: its
	// instructions need no more than that, and those of the tier's routines together
	// need all of it. Where the row of one kernel tests something of its own, KERNEL/TIER
	// names it: see the tiers of [AMD64] and [ARM64]. Empty is portable: what every
	// processor of the architecture has.
	Tier string
	// Public names the pointer parameters, slices among them, behind which
	// nothing secret lies. Memory behind every other pointer is secret, behind
	// pointers that are read from public memory too.
	Public []string
	// Secret names the parameters that are secret values themselves. Every other
	// parameter, pointers and lengths among them, is public.
	Secret []string
	// Leaves tells why secrets may stay in the routine's stack frame, if they do:
	// empty means that every slot which held one is overwritten before the end.
	Leaves string
}
