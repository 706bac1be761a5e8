// Package cpu knows what the processor offers, holds the table of every
// kernel's tiers (its implementations, each for one set of instructions), and
// picks one of them at start. It carries no compatibility promise.
//
// The features come from golang.org/x/sys/cpu, which tells only of what the
// operating system has enabled too, and which honours GODEBUG=cpu.NAME=off
// (NAME as in [Report]; it switches off exactly the feature that it names).
//
// The environment variable SEALWRIGHT_CPU restricts the choice. It is read
// once, at start: words separated by commas, each the name of a tier (only the
// tiers so named, and portable) or "-" and the name of a tier (all but that
// tier). portable, the last resort, cannot be excluded. The names are those
// that any architecture has, so that one setting serves a mixed fleet.
package cpu

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
)

// Portable is the name of the tier that every kernel has on every processor.
const Portable = "portable"

// A Kernel is a package of kernels/ and its tiers, the best first and portable
// last.
type Kernel struct {
	Name  string
	Tiers []Tier
}

// A Tier is one implementation of a kernel.
type Tier struct {
	Name      string
	Needs     []string // names of features
	Available bool     // the processor has all that it needs
	Selected  bool     // it is in use
}

// A Feature is something that a processor may have, named as GODEBUG does.
type Feature struct {
	Name    string
	Present bool
}

// Info is the answer of [Report].
type Info struct {
	Arch        string // GOARCH
	Features    []Feature
	Kernels     []Kernel
	Restriction string // SEALWRIGHT_CPU as it was at start
}

// An UnknownError lists the words of SEALWRIGHT_CPU that mean nothing. They
// were ignored.
type UnknownError struct {
	Words []string
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("SEALWRIGHT_CPU: unknown words %q; known are %s, each also with - before it except %s",
		e.Words, strings.Join(names, ", "), Portable)
}

// TB is the part of testing.TB that [Force] needs; programs that force a tier
// bring their own, so that testing is not linked into them.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// host is the processor that runs this program.
var host = newRegister(kernels, features(), os.Getenv("SEALWRIGHT_CPU"))

// Report tells what the processor has and what is in use. The error is nil or
// an [*UnknownError]; the Info is whole in both cases, and the caller's own.
func Report() (Info, error) { return host.report() }

// Force puts a tier of a kernel in use, whatever SEALWRIGHT_CPU says, until
// tb's cleanup. A kernel or tier that does not exist, or one that the
// processor cannot run, is fatal. Force is not synchronised with running
// kernels: no parallel tests.
func Force(tb TB, kernel, tier string) {
	tb.Helper()
	host.force(tb, kernel, tier)
}

// register is a table of kernels bound to one processor and one restriction.
type register struct {
	kernels     []kernel
	features    []Feature
	restriction string
	unknown     []string
	selected    []string // by kernel: the tier in use
}

func newRegister(kernels []kernel, features []Feature, restriction string) *register {
	allowed, unknown := parseRestriction(restriction)
	r := &register{
		kernels:     kernels,
		features:    features,
		restriction: restriction,
		unknown:     unknown,
		selected:    make([]string, len(kernels)),
	}
	for i, k := range kernels {
		best := slices.IndexFunc(k.tiers, func(t tier) bool { return allowed(t.name) && r.available(t) })
		r.use(i, k.tiers[best].name) // portable is always allowed and available
	}
	return r
}

// parseRestriction returns the rule that a value of SEALWRIGHT_CPU states, and
// the words of it that are unknown. Empty words are skipped.
func parseRestriction(s string) (allowed func(tier string) bool, unknown []string) {
	var only, not []string
	for word := range strings.SplitSeq(s, ",") {
		word = strings.TrimSpace(word)
		name, excluded := strings.CutPrefix(word, "-")
		switch {
		case word == "":
		case !slices.Contains(names, name) || excluded && name == Portable:
			unknown = append(unknown, word)
		case excluded:
			not = append(not, name)
		default:
			only = append(only, name)
		}
	}
	return func(tier string) bool {
		if tier == Portable {
			return true
		}
		return (only == nil || slices.Contains(only, tier)) && !slices.Contains(not, tier)
	}, unknown
}

// available reports whether the processor has every feature that t needs.
func (r *register) available(t tier) bool {
	for _, need := range t.needs {
		if !slices.Contains(r.features, Feature{Name: need, Present: true}) {
			return false
		}
	}
	return true
}

// use sets the switches of kernel i so that the named tier runs.
func (r *register) use(i int, name string) {
	r.selected[i] = name
	for _, t := range r.kernels[i].tiers {
		if t.use != nil {
			*t.use = t.name == name
		}
	}
}

func (r *register) report() (Info, error) {
	info := Info{
		Arch:        runtime.GOARCH,
		Features:    slices.Clone(r.features),
		Kernels:     make([]Kernel, len(r.kernels)),
		Restriction: r.restriction,
	}
	for i, k := range r.kernels {
		info.Kernels[i] = Kernel{Name: k.name, Tiers: make([]Tier, len(k.tiers))}
		for j, t := range k.tiers {
			info.Kernels[i].Tiers[j] = Tier{
				Name:      t.name,
				Needs:     slices.Clone(t.needs),
				Available: r.available(t),
				Selected:  t.name == r.selected[i],
			}
		}
	}
	if r.unknown != nil {
		return info, &UnknownError{Words: slices.Clone(r.unknown)}
	}
	return info, nil
}

func (r *register) force(tb TB, kernelName, tierName string) {
	tb.Helper()
	i := slices.IndexFunc(r.kernels, func(k kernel) bool { return k.name == kernelName })
	if i < 0 {
		tb.Fatalf("cpu: no kernel %q", kernelName)
		return
	}
	j := slices.IndexFunc(r.kernels[i].tiers, func(t tier) bool { return t.name == tierName })
	if j < 0 {
		tb.Fatalf("cpu: kernel %s has no tier %q here", kernelName, tierName)
		return
	}
	if t := r.kernels[i].tiers[j]; !r.available(t) {
		tb.Fatalf("cpu: kernel %s: tier %s needs %s", kernelName, tierName, strings.Join(t.needs, ", "))
		return
	}
	before := r.selected[i]
	tb.Cleanup(func() { r.use(i, before) })
	r.use(i, tierName)
}
