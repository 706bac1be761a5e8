package check

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// arm64 has these, and avo writes none of them.
var otherTiers = []string{"neon", "sha2"}

// The table has every tier of kernels/cpu that is of amd64, and no other.
func TestTierNames(t *testing.T) {
	names := cpu.TierNames()
	for _, name := range names {
		if _, ok := tiers[name]; ok == slices.Contains(otherTiers, name) {
			t.Errorf("tier %s: in the table %v", name, ok)
		}
	}
	for name, features := range tiers {
		if _, tier, ok := strings.Cut(name, "/"); ok {
			name = tier
		}
		if !slices.Contains(names, name) {
			t.Errorf("kernels/cpu has no tier %q", name)
		}
		for _, f := range features {
			if words[f] == "" {
				t.Errorf("tier %s: %s has no name in avo", name, f)
			}
		}
	}
}

// The rows of kernels/cpu test what the table says.
func TestTierConditions(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the rows are in the amd64 build")
	}
	info, _ := cpu.Report()
	for _, k := range info.Kernels {
		for _, tier := range k.Tiers {
			want, ok := tiers[k.Name+"/"+tier.Name]
			if !ok {
				want = tiers[tier.Name]
			}
			if !slices.Equal(sorted(want), sorted(tier.Needs)) {
				t.Errorf("%s/%s: kernels/cpu tests %q, the table here says %q", k.Name, tier.Name, tier.Needs, want)
			}
		}
	}
	for _, f := range info.Features {
		if words[f.Name] == "" {
			t.Errorf("feature %s has no name in avo", f.Name)
		}
	}
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }
