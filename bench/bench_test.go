package bench

import (
	"testing"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// candidate is an implementation. A row that it cannot do is nil.
type candidate struct {
	name string
	// begin is called before each benchmark.
	begin func(b *testing.B)
	// maxMessage is the longest message, in bytes, that it can wrap; zero is none.
	maxMessage int

	conversationKey func() work
	sign            func() work
	verify          func() work
	wrap            func(size int) work
	unwrap          func(size int) work
}

var candidates = []candidate{
	sealwright("sealwright", func(*testing.B) {}),
	sealwright("portable", portable),
	gonostr,
}

// portable switches every tier off.
func portable(b *testing.B) {
	info, err := cpu.Report()
	if err != nil {
		b.Fatal(err)
	}
	for _, k := range info.Kernels {
		cpu.Force(b, k.Name, cpu.Portable)
	}
}

// work is a row as one implementation does it.
type work struct {
	// n is how many inputs there are.
	n int
	// op does the work that is timed on input i, and panics when that fails.
	op func(i int)
	// check judges what the last op made of input i.
	check func(i int) error
	// fresh, if not nil, is called untimed before each round over the inputs, so
	// that no cache knows them.
	fresh func()
}

func (w work) run(b *testing.B) {
	if w.fresh != nil {
		w.fresh()
	}
	for _, i := range []int{0, w.n - 1} {
		w.op(i)
		if err := w.check(i); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if i == 0 && w.fresh != nil {
			b.StopTimer()
			w.fresh()
			b.StartTimer()
		}
		w.op(i)
		if i++; i == w.n {
			i = 0
		}
	}
}

// each runs a row for every implementation that can do it.
func each(b *testing.B, row func(c *candidate) func() work) {
	for i := range candidates {
		c := &candidates[i]
		prepare := row(c)
		if prepare == nil {
			continue
		}
		b.Run("impl="+c.name, func(b *testing.B) {
			c.begin(b)
			prepare().run(b)
		})
	}
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
