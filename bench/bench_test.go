package bench

import (
	_ "embed"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/sealwright/sealwright/bench/internal/measure"
	"github.com/sealwright/sealwright/kernels/cpu"
)

// candidate is an implementation: its name, what it is released as, and the rows
// that it can do, by the name of their benchmark. A row returns nil for parameters
// that it cannot do.
type candidate struct {
	name string
	// release is the path of a module of go.mod, empty for the standard library, or
	// the name of a C library as pkg-config knows it.
	release string
	rows    map[string]func(p params) *work
}

// params are what the name of a benchmark carries between row and impl. What a
// row does not have is zero.
type params struct {
	len int    // bytes of message, or characters of base64
	key string // cached or derived
	n   int    // events in a batch, messages side by side, senders in turn, or points in a table
}

// String returns the parts of the name, each with a slash behind it.
func (p params) String() string {
	s := ""
	if p.len > 0 {
		s += fmt.Sprintf("len=%d/", p.len)
	}
	if p.key != "" {
		s += "key=" + p.key + "/"
	}
	if p.n > 0 {
		s += fmt.Sprintf("n=%d/", p.n)
	}
	return s
}

// work is a row as one implementation does it.
type work struct {
	// inputs is how many inputs there are; zero is one.
	inputs int
	// op does the work that is timed on input i, and panics when that fails.
	op func(i int)
	// check judges what the last op made of input i.
	check func(i int) error
	// fresh, if not nil, is called untimed before each round over the inputs, so
	// that no cache knows them.
	fresh func()
	// bytes, if not zero, are what an op gets through.
	bytes int
	// events, if not zero, are how many there are in an op: the time is that of
	// one.
	events int
}

func (w *work) run(b *testing.B) {
	inputs := max(w.inputs, 1)
	if w.fresh != nil {
		w.fresh()
	}
	// The first, the last and any other, so that the samples of a run judge most.
	judged := []int{0, rand.N(inputs), inputs - 1}
	for _, i := range slices.Compact(judged) {
		w.op(i)
		if err := w.check(i); err != nil {
			b.Fatal(err)
		}
	}
	warmHeap()
	b.ReportAllocs()
	if w.bytes > 0 {
		b.SetBytes(int64(w.bytes))
	}
	i := 0
	for b.Loop() {
		if i == 0 && w.fresh != nil {
			b.StopTimer()
			w.fresh()
			b.StartTimer()
		}
		w.op(i)
		if i++; i == inputs {
			i = 0
		}
	}
	if w.events > 1 {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*w.events), "ns/op")
	}
}

// warmHeap leaves the heap as it is in a program that has run for a while: eight
// megabytes of it free, in pages that were touched before. In a sample of
// milliseconds the heap would grow all the time otherwise, and an op that
// allocates would be timed with the page faults of that, in the first rows of a
// process more than in the last.
func warmHeap() {
	var pieces [128][]byte
	for i := range pieces {
		pieces[i] = make([]byte, 64<<10)
		for j := 0; j < len(pieces[i]); j += 4096 {
			pieces[i][j] = 1
		}
	}
	runtime.KeepAlive(&pieces)
	pieces = [128][]byte{}
	runtime.GC()
}

// peers are the implementations to compare with, those of the build tags cpeers and
// libsecp256k1 among them.
var peers = append([]candidate{gonostrPeer, btcec, decred, voi, xcrypto, std, aead, base64x, segmentio}, cPeers...)

// row runs the benchmark's row for every implementation that can do it: ours as
// it chooses by itself, ours with each tier of the kernel that the row is about (of
// all kernels that have a tier of that name, for ""; no kernel is called "none"),
// ours without any, and the peers.
func row(b *testing.B, kernel string, p params) {
	name, _, _ := strings.Cut(strings.TrimPrefix(b.Name(), "Benchmark"), "/")
	run := func(impl string, c candidate, begin func(b *testing.B)) {
		prepare := c.rows[name]
		if prepare == nil {
			return
		}
		b.Run(p.String()+"impl="+impl, func(b *testing.B) {
			w := prepare(p) // here, where only those that are wanted get
			if w == nil {
				b.SkipNow()
			}
			begin(b)
			w.run(b)
		})
	}
	run("sealwright", sealwright, func(*testing.B) {})
	for _, tier := range tiers(kernel) {
		run(tier, sealwright, func(b *testing.B) { force(b, kernel, tier) })
	}
	run(cpu.Portable, sealwright, func(b *testing.B) { force(b, "", cpu.Portable) })
	for _, c := range peers {
		run(c.name, c, func(*testing.B) {})
	}
}

// tiers are the names of the tiers that a kernel, or any kernel for "", has on this
// machine besides the portable one.
func tiers(kernel string) (names []string) {
	for _, k := range report().Kernels {
		for _, t := range k.Tiers {
			if (kernel == "" || k.Name == kernel) && t.Available && t.Name != cpu.Portable && !slices.Contains(names, t.Name) {
				names = append(names, t.Name)
			}
		}
	}
	return names
}

// force has a kernel use a tier; for "" every kernel that has such a tier, and the
// others none.
func force(b *testing.B, kernel, tier string) {
	for _, k := range report().Kernels {
		has := slices.ContainsFunc(k.Tiers, func(t cpu.Tier) bool { return t.Available && t.Name == tier })
		switch {
		case kernel != "" && k.Name != kernel:
		case has:
			cpu.Force(b, k.Name, tier)
		default:
			cpu.Force(b, k.Name, cpu.Portable)
		}
	}
}

func report() cpu.Info { return must(cpu.Report()) }

// TestMain prints, before benchmarks, what they are of: the lines that a benchmark
// file has of the machine, of this binary and of the implementations in it.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		fmt.Print(measure.Machine(), configuration())
	}
	m.Run()
}

//go:embed go.mod
var goMod []byte

func configuration() string {
	info := report()
	var can, does []string
	for _, k := range info.Kernels {
		var names []string
		for _, t := range k.Tiers {
			if t.Available {
				names = append(names, t.Name)
			} else {
				fmt.Fprintf(os.Stderr, "%s/%s: not applicable (needs %s)\n", k.Name, t.Name, strings.Join(t.Needs, ", "))
			}
			if t.Selected {
				does = append(does, k.Name+"="+t.Name)
			}
		}
		can = append(can, k.Name+"="+strings.Join(names, ","))
	}
	lines := fmt.Sprintf("tiers: %s\nselected: %s\n", strings.Join(can, " "), strings.Join(does, " "))
	if info.Restriction != "" {
		lines += "restriction: " + info.Restriction + "\n"
	}
	lines += "go: " + runtime.Version() + "\n"
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, s := range build.Settings {
			if s.Key == "-tags" {
				lines += "tags: " + s.Value + "\n"
			}
		}
	}
	mod := must(modfile.Parse("go.mod", goMod, nil))
	for _, c := range peers {
		version := runtime.Version()
		if c.release != "" {
			version = versionOf(mod, c.release)
		}
		lines += c.name + ": " + version + "\n"
	}
	return lines
}

// versionOf is the version of a module, or else that of a C library.
func versionOf(mod *modfile.File, release string) string {
	for _, r := range mod.Require {
		if r.Mod.Path == release {
			return r.Mod.Version
		}
	}
	version, err := exec.Command("pkg-config", "--modversion", release).Output()
	if err != nil {
		panic(fmt.Sprintf("%s is neither in go.mod nor known to pkg-config (make deps installs its package): %v", release, err))
	}
	return strings.TrimSpace(string(version))
}

// must is for what fails only when the benchmark is at fault.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
