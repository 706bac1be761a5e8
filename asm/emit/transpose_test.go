package emit

import (
	"slices"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
)

// function begins one that is not printed.
func function(name string) *Generator {
	g := &Generator{build.NewContext(), make(specs)}
	g.Func(name, "func()", check.Spec{}, name)
	return g
}

// registers are the vector registers from a number on.
func registers(from, n int) (l []reg.VecPhysical) {
	all := []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15, reg.Z16, reg.Z17}
	return slices.Clone(all[from : from+n])
}

// each runs a test with and without a copy, on registers 1 to n, whose word w is
// 100·register + w, with register 0 free. It holds that a copy leaves the registers in
// their places, and that none is lost without.
func each(t *testing.T, n int, emit func(g *Generator, m *Vectors), judge func(t *testing.T, w [][16]int)) {
	for _, copies := range []bool{false, true} {
		g := function("transposes")
		m := &Vectors{W: registers(1, n), Free: reg.Z0}
		if copies {
			m.Copy = func(from, to reg.VecPhysical) { g.VMOVDQA32(from, to) }
		}
		x := &machine{t: t, vectors: make(map[reg.ID][16]int)}
		for i, r := range m.W {
			var words [16]int
			for w := range words {
				words[w] = 100*i + w
			}
			x.vectors[r.ID()] = words
		}
		emit(g, m)
		x.run(g)
		if copies && (!slices.Equal(m.W, registers(1, n)) || m.Free != reg.VecPhysical(reg.Z0)) {
			t.Errorf("with a copy, registers moved: %v, free %v", m.W, m.Free)
		}
		ids := make(map[reg.ID]bool)
		for _, r := range append(slices.Clone(m.W), m.Free) {
			ids[r.ID()] = true
		}
		if len(ids) != n+1 {
			t.Errorf("of %d registers %d are left: %v, free %v", n+1, len(ids), m.W, m.Free)
		}
		w := make([][16]int, n)
		for i, r := range m.W {
			w[i] = x.vectors[r.ID()]
		}
		judge(t, w)
	}
}

// Word j of lane l of row i comes to word i of lane l of column j.
func TestTransposeWords(t *testing.T) {
	each(t, 8, func(g *Generator, m *Vectors) { g.TransposeWords(m, Fours(8)...) }, func(t *testing.T, w [][16]int) {
		for four := 0; four < 8; four += 4 {
			for place, column := range []int{0, 2, 1, 3} {
				for i := range 4 {
					for lane := 0; lane < 16; lane += 4 {
						if got, want := w[four+place][lane+i], 100*(four+i)+lane+column; got != want {
							t.Errorf("register %d, word %d: %d, want %d", four+place, lane+i, got, want)
						}
					}
				}
			}
		}
	})
}

// Lane j of row i comes to lane i of column j. The rows are four apart, as in both
// kernels, so that fours of one are not neighbours.
func TestTransposeLanes(t *testing.T) {
	each(t, 16, func(g *Generator, m *Vectors) {
		for i := range 4 {
			g.TransposeLanes(m, [4]int{i, i + 4, i + 8, i + 12})
		}
	}, func(t *testing.T, w [][16]int) {
		for first := range 4 {
			for place, column := range []int{0, 2, 1, 3} {
				for i := range 4 {
					for word := range 4 {
						if got, want := w[first+4*place][4*i+word], 100*(first+4*i)+4*column+word; got != want {
							t.Errorf("register %d, word %d: %d, want %d", first+4*place, 4*i+word, got, want)
						}
					}
				}
			}
		}
	})
}

func TestTransposed(t *testing.T) {
	if Transposed != [4]int{0, 2, 1, 3} {
		t.Errorf("%v", Transposed)
	}
}

// All fours go through one step before the other.
func TestTransposeOrder(t *testing.T) {
	var got []string
	step := func(name string) Pair[int] {
		return Pair[int]{func(_, _, _ int) { got = append(got, name) }, func(_, _, _ int) {}}
	}
	m := Matrix[int]{W: make([]int, 8)}
	m.Transpose(step("first"), step("second"), Fours(8)...)
	if want := []string{"first", "first", "first", "first", "second", "second", "second", "second"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFours(t *testing.T) {
	if got, want := Fours(8), [][4]int{{0, 1, 2, 3}, {4, 5, 6, 7}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Every number, with a mask that was something else before.
func TestLowBits(t *testing.T) {
	for n := range uint64(64) {
		g := function("masks")
		from := g.GP64()
		g.LowBits(from, reg.K1)
		x := &machine{t: t, numbers: map[reg.ID]uint64{from.ID(): n, reg.K1.ID(): 0x5a5a}}
		x.run(g)
		want := uint64(0)
		for i := range n {
			want |= 1 << i
		}
		if got := x.numbers[reg.K1.ID()]; got != want {
			t.Errorf("%d: %#x, want %#x", n, got, want)
		}
		if x.numbers[from.ID()] != n {
			t.Errorf("%d: the number is changed", n)
		}
	}
}
