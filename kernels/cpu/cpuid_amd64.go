//go:build gc && !purego

package cpu

import (
	"os"
	"strings"
)

//go:generate go run -C ../../asm . cpu ../kernels/cpu

// cpuidFeatures are those that golang.org/x/sys/cpu does not tell.
func cpuidFeatures() []Feature {
	return []Feature{{"sha", hasSHA() && !switchedOff("sha")}}
}

// hasSHA reports the SHA extensions: leaf 7, EBX, bit 29. They use registers of
// SSE alone, so the system need not have enabled anything.
func hasSHA() bool {
	if most, _, _, _ := cpuid(0, 0); most < 7 {
		return false
	}
	_, ebx, _, _ := cpuid(7, 0)
	return ebx>>29&1 == 1
}

// switchedOff reports whether GODEBUG has cpu.<name>=off or cpu.all=off, of which
// the last one holds.
func switchedOff(name string) (off bool) {
	for option := range strings.SplitSeq(os.Getenv("GODEBUG"), ",") {
		switch option {
		case "cpu." + name + "=off", "cpu.all=off":
			off = true
		case "cpu." + name + "=on", "cpu.all=on":
			off = false
		}
	}
	return off
}
