package nip44

import (
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/cpu"
)

// eachTier runs test once for every name that a tier of the symmetric kernels has
// here, in use in all of them that have it; the others go on as they are. A kernel
// whose tier this processor lacks is named, and fails the test under
// SEALWRIGHT_REQUIRE with the tier's name.
func eachTier(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	kernels := []string{"chacha20", "sha256", "base64", "etm"}
	for _, name := range cpu.TierNames() {
		var have, lack []string // kernels
		for _, kernel := range kernels {
			for _, tier := range testkit.Tiers(t, kernel) {
				switch {
				case tier.Name != name:
				case tier.Available:
					have = append(have, kernel)
				default:
					lack = append(lack, kernel)
				}
			}
		}
		if have == nil && lack == nil {
			continue // of another architecture, or of the curve
		}
		t.Run("tier="+name, func(t *testing.T) {
			if lack != nil {
				if testkit.Required(name) {
					t.Fatalf("this processor lacks what the tier needs for %v", lack)
				}
				t.Logf("not applicable: this processor lacks what the tier needs for %v", lack)
			}
			if have == nil {
				t.SkipNow()
			}
			for _, kernel := range have {
				cpu.Force(t, kernel, name)
			}
			test(t)
		})
	}
}
