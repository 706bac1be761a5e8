package check

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// The tables have every tier of kernels/cpu, and no other.
func TestTierNames(t *testing.T) {
	want := slices.DeleteFunc(cpu.TierNames(), func(name string) bool { return name == cpu.Portable })
	var got []string
	for _, a := range []*Arch{AMD64, ARM64} {
		for name := range a.tiers {
			got = append(got, name[strings.Index(name, "/")+1:])
		}
	}
	if got = slices.Compact(sorted(got)); !slices.Equal(got, sorted(want)) {
		t.Errorf("tiers %q, kernels/cpu has %q", got, want)
	}
}

// The rows of kernels/cpu test what the table says, and each entry, word and feature
// is that of some row.
func TestTierConditions(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the rows are in the amd64 build")
	}
	info, _ := cpu.Report()
	entries, features := make(map[string]bool), make(map[string]bool)
	for _, k := range info.Kernels {
		for _, tier := range k.Tiers {
			if tier.Name == cpu.Portable {
				continue
			}
			name := k.Name + "/" + tier.Name
			if _, ok := tiers[name]; !ok {
				name = tier.Name
			}
			entries[name] = true
			if want := tiers[name]; !slices.Equal(sorted(want), sorted(tier.Needs)) {
				t.Errorf("%s/%s: kernels/cpu tests %q, the table here says %q", k.Name, tier.Name, tier.Needs, want)
			}
			for _, need := range tier.Needs {
				features[need] = true
				if words[need] == "" {
					t.Errorf("%s/%s: %s has no name in avo", k.Name, tier.Name, need)
				}
			}
		}
	}
	for name := range tiers {
		if !entries[name] {
			t.Errorf("no kernel has the tier %s", name)
		}
	}
	for name := range words {
		if !features[name] {
			t.Errorf("no tier needs %s, which has a name in avo", name)
		}
	}
	for _, f := range info.Features {
		if !features[f.Name] {
			t.Errorf("no tier needs %s, which kernels/cpu reports", f.Name)
		}
	}
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }
