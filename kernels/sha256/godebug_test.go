package sha256_test

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/cpu"
)

// A processor whose instructions for SHA-256 GODEBUG switches off has no tier that takes
// them, and hashes right. The environment is read at start, so that another process has
// to show it.
func TestFeatureOff(t *testing.T) {
	off := map[string]struct {
		feature string
		tiers   []string // that take it
	}{
		"amd64": {"sha", []string{"avx512", "shani"}},
		"arm64": {"sha2", []string{"sha2"}},
	}[runtime.GOARCH]
	if runtime.GOOS == "ios" {
		t.Skip("no processes on this system")
	}
	if !slices.ContainsFunc(testkit.Tiers(t, "sha256"), func(tier cpu.Tier) bool { return slices.Contains(off.tiers, tier.Name) && tier.Available }) {
		t.Skip("nothing to switch off")
	}
	// An emulator, as of go test -exec, has to start the child too.
	words := append(strings.Fields(os.Getenv("SEALWRIGHT_EXEC")), os.Args[0], "-test.run=^TestFIPS180$", "-test.v")
	cmd := exec.Command(words[0], words[1:]...)
	// What is off already, as emulators want, stays off.
	setting := strings.TrimPrefix(os.Getenv("GODEBUG")+",cpu."+off.feature+"=off", ",")
	cmd.Env = append(os.Environ(), "GODEBUG="+setting, "SEALWRIGHT_REQUIRE=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wants := []string{"--- PASS: TestFIPS180/tier=" + cpu.Portable}
	for _, tier := range off.tiers {
		wants = append(wants, "--- SKIP: TestFIPS180/tier="+tier+" ")
	}
	for _, want := range wants {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}
