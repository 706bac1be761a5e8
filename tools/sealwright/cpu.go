package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/kernels/cpu"
)

func newCPU() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "cpu",
		Short: "Print the CPU features and the tier that each kernel uses",
		Long: `cpu prints the architecture, the CPU features that matter, and for each kernel
the tier in use and those that could be.

The environment variable SEALWRIGHT_CPU restricts the choice: words separated
by commas, a tier's name (only that tier, and portable) or a name with - before
it (all but that tier). GODEBUG=cpu.NAME=off is honoured.`,
		Args:        usageArgs(cobra.NoArgs),
		Annotations: tellsNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, unknown := cpu.Report()
			text := formatCPU(info)
			if asJSON {
				text = formatCPUJSON(info)
			}
			if err := write(text); err != nil {
				return err
			}
			return unknown
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

func formatCPU(info cpu.Info) []byte {
	var present, absent []string
	for _, f := range info.Features {
		if f.Present {
			present = append(present, f.Name)
		} else {
			absent = append(absent, f.Name)
		}
	}
	b := fmt.Appendf(nil, "architecture  %s\n", info.Arch)
	b = fmt.Appendf(b, "features      %s\n", orNone(present))
	b = fmt.Appendf(b, "absent        %s\n", orNone(absent))
	if info.Restriction != "" {
		b = fmt.Appendf(b, "restricted    SEALWRIGHT_CPU=%q\n", info.Restriction)
	}
	b = append(b, "\nkernel        tier in use   tiers, best first\n"...)
	for _, k := range info.Kernels {
		var tiers []string
		for _, t := range k.Tiers {
			name := t.Name
			if !t.Available {
				name += fmt.Sprintf(" (needs %s)", strings.Join(t.Needs, ", "))
			}
			tiers = append(tiers, name)
		}
		b = fmt.Appendf(b, "%-13s %-13s %s\n", k.Name, selectedTier(k), strings.Join(tiers, ", "))
	}
	return b
}

// selectedTier names the tier in use; the summary tells it too.
func selectedTier(k cpu.Kernel) string {
	for _, t := range k.Tiers {
		if t.Selected {
			return t.Name
		}
	}
	return "none"
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, " ")
}

func formatCPUJSON(info cpu.Info) []byte {
	type feature struct {
		Name    string `json:"name"`
		Present bool   `json:"present"`
	}
	type tier struct {
		Name      string   `json:"name"`
		Needs     []string `json:"needs"`
		Available bool     `json:"available"`
		Selected  bool     `json:"selected"`
	}
	type kernel struct {
		Name     string `json:"name"`
		Selected string `json:"selected"`
		Tiers    []tier `json:"tiers"`
	}
	features, kernels := []feature{}, []kernel{}
	for _, f := range info.Features {
		features = append(features, feature(f))
	}
	for _, k := range info.Kernels {
		tiers := []tier{}
		for _, t := range k.Tiers {
			needs := append([]string{}, t.Needs...)
			tiers = append(tiers, tier{t.Name, needs, t.Available, t.Selected})
		}
		kernels = append(kernels, kernel{k.Name, selectedTier(k), tiers})
	}
	return appendJSONLine(nil, struct {
		Arch        string    `json:"arch"`
		Features    []feature `json:"features"`
		Restriction string    `json:"restriction"`
		Kernels     []kernel  `json:"kernels"`
	}{info.Arch, features, info.Restriction, kernels})
}
