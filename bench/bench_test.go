package bench

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// candidate is an implementation: its name, and the rows that it can do, by the
// name of their benchmark. A row returns nil for parameters that it cannot do.
type candidate struct {
	name string
	rows map[string]func(p params) *work
}

// params are what the name of a benchmark carries between row and impl. What a
// row does not have is zero.
type params struct {
	len int    // bytes of message, or characters of base64
	key string // cached or derived
	n   int    // events in a batch
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
	for _, i := range []int{0, inputs - 1} {
		w.op(i)
		if err := w.check(i); err != nil {
			b.Fatal(err)
		}
	}
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

// peers are the implementations to compare with, those of the build tags cpeers and
// libsecp256k1 among them.
var peers = append([]candidate{gonostrPeer, btcec, decred, voi, xcrypto, std, aead, base64x, segmentio}, cPeers...)

// row runs the benchmark's row for every implementation that can do it: ours as
// it chooses by itself, ours with each tier of the kernel that the row is about,
// ours without any, and the peers.
func row(b *testing.B, kernel string, p params) {
	name, _, _ := strings.Cut(strings.TrimPrefix(b.Name(), "Benchmark"), "/")
	run := func(impl string, c candidate, begin func(b *testing.B)) {
		prepare := c.rows[name]
		if prepare == nil {
			return
		}
		w := prepare(p)
		if w == nil {
			return
		}
		b.Run(p.String()+"impl="+impl, func(b *testing.B) {
			begin(b)
			w.run(b)
		})
	}
	run("sealwright", sealwright, func(*testing.B) {})
	for _, k := range report() {
		for _, t := range k.Tiers {
			if k.Name == kernel && t.Available && t.Name != cpu.Portable {
				run(t.Name, sealwright, func(b *testing.B) { cpu.Force(b, k.Name, t.Name) })
			}
		}
	}
	run(cpu.Portable, sealwright, func(b *testing.B) {
		for _, k := range report() {
			cpu.Force(b, k.Name, cpu.Portable)
		}
	})
	for _, c := range peers {
		run(c.name, c, func(*testing.B) {})
	}
}

func report() []cpu.Kernel {
	info, err := cpu.Report()
	if err != nil {
		panic(err)
	}
	return info.Kernels
}

func TestMain(m *testing.M) {
	for _, k := range report() {
		for _, t := range k.Tiers {
			if !t.Available {
				fmt.Fprintf(os.Stderr, "%s/%s: not applicable (needs %s)\n", k.Name, t.Name, strings.Join(t.Needs, ", "))
			}
		}
	}
	m.Run()
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
