package testkit

import "testing"

// Allocs fails the test when a call of f allocates more than most times on
// average. Under the race detector, which switches off the optimisations that
// the counts rest on, f runs once and nothing is counted.
func Allocs(tb testing.TB, name string, most float64, f func()) {
	tb.Helper()
	if Race {
		f()
		return
	}
	if n := testing.AllocsPerRun(20, f); n > most {
		tb.Errorf("%s allocates %v times, want at most %v", name, n, most)
	}
}
