package testkit

import (
	"testing"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// Tiers returns the tiers of a kernel, the best first. It fails the test at an unknown
// word of $SEALWRIGHT_REQUIRE.
func Tiers(tb testing.TB, kernel string) []cpu.Tier {
	tb.Helper()
	if _, err := Requirements(); err != nil {
		tb.Fatal(err)
	}
	info, err := cpu.Report()
	if err != nil {
		tb.Log(err)
	}
	for _, k := range info.Kernels {
		if k.Name == kernel {
			return k.Tiers
		}
	}
	tb.Fatalf("cpu.Report does not list %s", kernel)
	return nil
}

// EachTier runs test once for every tier of a kernel that this processor has,
// and names those that it has not, which fails under SEALWRIGHT_REQUIRE with the
// tier's name. The portable tier is always there.
func EachTier(t *testing.T, kernel string, test func(t *testing.T)) {
	t.Helper()
	for _, tier := range Tiers(t, kernel) {
		t.Run("tier="+tier.Name, func(t *testing.T) {
			if !tier.Available {
				if Required(tier.Name) {
					t.Fatalf("this processor lacks some of %v", tier.Needs)
				}
				t.Skipf("not applicable: this processor lacks some of %v", tier.Needs)
			}
			cpu.Force(t, kernel, tier.Name)
			test(t)
		})
	}
}
