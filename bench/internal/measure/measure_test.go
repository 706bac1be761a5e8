package measure

import (
	"testing"

	"golang.org/x/perf/benchfmt"
)

func TestPattern(t *testing.T) {
	for _, c := range []struct{ row, want string }{
		{"Sign", "^BenchmarkSign$/^impl=(sealwright|go\\.nostr)$"},
		{"Encrypt/len=32/key=cached", "^BenchmarkEncrypt$/^len=32$/^key=cached$/^impl=(sealwright|go\\.nostr)$"},
	} {
		if got := Pattern(c.row, "sealwright", "go.nostr"); got != c.want {
			t.Errorf("%s: %s, want %s", c.row, got, c.want)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, row, impl string
		cpus            int
		ok              bool
	}{
		{"Sign/impl=sealwright", "Sign", "sealwright", 1, true},
		{"Encrypt/len=32/key=cached/impl=nostr-tools-16", "Encrypt/len=32/key=cached", "nostr-tools", 16, true},
		{"UnwrapAll/n=10/impl=sealwright-2", "UnwrapAll/n=10", "sealwright", 2, true},
		{"Sum256/64-2", "Sum256/64", "", 2, false},
	} {
		row, impl, cpus, ok := Split(benchfmt.Name(c.name))
		if row != c.row || impl != c.impl || cpus != c.cpus || ok != c.ok {
			t.Errorf("%s: %q %q %d %v", c.name, row, impl, cpus, ok)
		}
	}
}

// The texts are of the form that Linux documents for x86 and arm64.
func TestModelOf(t *testing.T) {
	for _, c := range []struct{ cpuinfo, want string }{
		{"processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC\nstepping\t: 1\n\nprocessor\t: 1\nmodel\t\t: 2\n", "cpu family 25, model 1, stepping 1"},
		{"processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n", "CPU implementer 0x41, CPU variant 0x3, CPU part 0xd0c, CPU revision 1"},
		{"", ""},
	} {
		if got := modelOf(c.cpuinfo); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
