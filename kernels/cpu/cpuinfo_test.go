package cpu

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// linuxNames are the features as /proc/cpuinfo calls them, by architecture.
var linuxNames = map[string]map[string]string{
	"amd64": {
		"ssse3":      "ssse3",
		"sse41":      "sse4_1",
		"avx":        "avx",
		"avx2":       "avx2",
		"bmi2":       "bmi2",
		"adx":        "adx",
		"sha":        "sha_ni",
		"avx512f":    "avx512f",
		"avx512bw":   "avx512bw",
		"avx512vl":   "avx512vl",
		"avx512vbmi": "avx512vbmi",
		"avx512ifma": "avx512ifma",
	},
	"arm64": {
		"asimd": "asimd",
		"sha2":  "sha2",
	},
}

// The kernel of Linux finds the same features as this package, by its own code.
func TestFeaturesOfLinux(t *testing.T) {
	names := linuxNames[runtime.GOARCH]
	info, _ := Report()
	for _, f := range info.Features {
		if names[f.Name] == "" {
			t.Errorf("/proc/cpuinfo has no name for %s", f.Name)
		}
	}
	switch {
	case runtime.GOOS != "linux":
		t.Skip("only Linux has /proc/cpuinfo")
	case len(info.Features) == 0:
		t.Skip("no feature is asked for on this architecture")
	case os.Getenv("SEALWRIGHT_EXEC") != "":
		t.Skip("/proc/cpuinfo may be that of the machine under the emulator")
	}
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip(err)
	}
	flags, ok := flagsOf(string(text))
	if !ok {
		t.Skip("/proc/cpuinfo is of another architecture: an emulator runs this")
	}
	// GODEBUG switches features off for this program alone.
	switched := strings.Contains(os.Getenv("GODEBUG"), "cpu.")
	for _, f := range info.Features {
		if linux := slices.Contains(flags, names[f.Name]); f.Present && !linux || !f.Present && linux && !switched {
			t.Errorf("%s: present %v, but %s in /proc/cpuinfo %v", f.Name, f.Present, names[f.Name], linux)
		}
	}
}

// flagsOf returns the words of the line that lists the features of the first
// processor, if it has the name that this architecture gives it.
func flagsOf(cpuinfo string) (words []string, ok bool) {
	name := map[string]string{"amd64": "flags", "arm64": "Features"}[runtime.GOARCH]
	for line := range strings.Lines(cpuinfo) {
		if key, list, _ := strings.Cut(line, ":"); strings.TrimSpace(key) == name {
			return strings.Fields(list), true
		}
	}
	return nil, false
}
