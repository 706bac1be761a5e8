//go:build amd64 && (!gc || purego)

package cpu

// cpuidFeatures returns nothing: portable Go cannot execute CPUID, and no tier of
// this build needs what it would tell.
func cpuidFeatures() []Feature { return nil }
