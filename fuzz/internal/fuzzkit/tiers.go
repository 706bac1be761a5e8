package fuzzkit

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// alternatives lists, by kernel, the tiers that this processor has beside the
// one in use.
var alternatives = func() map[string][]string {
	info, _ := cpu.Report() // an unknown word of SEALWRIGHT_CPU is ignored
	m := map[string][]string{}
	for _, k := range info.Kernels {
		m[k.Name] = []string{}
		for _, t := range k.Tiers {
			if t.Available && !t.Selected {
				m[k.Name] = append(m[k.Name], t.Name)
			}
		}
	}
	return m
}()

// EachTier runs f with the code that is in use, then once more for every other
// tier of the kernels named, one at a time. A tier that a kernel gains is
// covered without a change here. tier serves messages.
func EachTier(f func(tier string), kernels ...string) {
	f("as selected")
	for _, kernel := range kernels {
		tiers, known := alternatives[kernel]
		if !known {
			panic("fuzzkit: no kernel " + kernel)
		}
		for _, tier := range tiers {
			func() {
				var s scope
				defer s.end()
				cpu.Force(&s, kernel, tier)
				f(kernel + "/" + tier)
			}()
		}
	}
}

// scope is the length of one forced tier; testing.T's would last too long.
type scope struct{ cleanups []func() }

func (s *scope) Helper()          {}
func (s *scope) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

// Fatalf cannot happen: the table came from cpu.Report.
func (s *scope) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (s *scope) end() {
	for _, f := range slices.Backward(s.cleanups) {
		f()
	}
}

// Allocated returns how many bytes f allocates, with what else the process
// allocates meanwhile. It stops the world twice.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
