package emit

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A Pair is two instructions, each of which makes a register of two: one of the lower
// parts of both, the other of the upper ones, say. to may be second.
type Pair[R any] struct {
	Low, High func(second, first, to R)
}

// A Matrix is registers that are transposed, and one that is free.
type Matrix[R any] struct {
	W    []R
	Free R
	// Copy, if there is one, copies a register, so that all of W stay where they are and
	// Free stays free. Without, results go into the free register, and others are free.
	Copy func(from, to R)
}

// Apply puts what a pair makes of registers i and j in their place.
func (m *Matrix[R]) Apply(p Pair[R], i, j int) {
	first, second := m.W[i], m.W[j]
	if m.Copy != nil {
		m.Copy(first, m.Free)
		p.Low(second, first, first)
		p.High(second, m.Free, second)
		return
	}
	p.Low(second, first, m.Free)
	p.High(second, first, second)
	m.W[i], m.W[j], m.Free = m.Free, second, first
}

// Transposed says where [Matrix.Transpose] leaves the columns of four rows: column
// Transposed[i] where row i was. It is its own inverse.
var Transposed = [4]int{0, 2, 1, 3}

// Transpose transposes each four of registers, given by their numbers in W: they hold
// rows of four elements, and then columns. Two ways of pairs do this: elements in turn
// (0 of both registers, 1 of both; 2 of both, 3 of both), and then halves (the lower ones
// of both; the upper ones); or halves, and then every other element (0 and 2 of one and
// of the other; 1 and 3). All fours go through one step before the other.
func (m *Matrix[R]) Transpose(first, second Pair[R], fours ...[4]int) {
	for _, f := range fours {
		m.Apply(first, f[0], f[1])
		m.Apply(first, f[2], f[3])
	}
	for _, f := range fours {
		m.Apply(second, f[0], f[2])
		m.Apply(second, f[1], f[3])
	}
}

// Fours are the numbers below n, four after four.
func Fours(n int) (fours [][4]int) {
	for i := 0; i < n; i += 4 {
		fours = append(fours, [4]int{i, i + 1, i + 2, i + 3})
	}
	return fours
}

// Vectors are registers that are transposed on amd64.
type Vectors = Matrix[reg.VecPhysical]

// TransposeWords transposes 4x4 words of 32 bits in every lane of 128 bits.
func (g *Generator) TransposeWords(m *Vectors, fours ...[4]int) {
	m.Transpose(
		Pair[reg.VecPhysical]{
			func(second, first, to reg.VecPhysical) { g.VPUNPCKLDQ(second, first, to) },
			func(second, first, to reg.VecPhysical) { g.VPUNPCKHDQ(second, first, to) },
		},
		Pair[reg.VecPhysical]{
			func(second, first, to reg.VecPhysical) { g.VPUNPCKLQDQ(second, first, to) },
			func(second, first, to reg.VecPhysical) { g.VPUNPCKHQDQ(second, first, to) },
		}, fours...)
}

// TransposeLanes transposes 4x4 lanes of 128 bits, by AVX-512.
func (g *Generator) TransposeLanes(m *Vectors, fours ...[4]int) {
	// pair takes two lanes of each register, by their numbers.
	pair := func(low, high uint8) Pair[reg.VecPhysical] {
		shuffle := func(lanes uint8) func(second, first, to reg.VecPhysical) {
			return func(second, first, to reg.VecPhysical) {
				g.VSHUFI32X4(operand.U8(lanes), second, first, to)
			}
		}
		return Pair[reg.VecPhysical]{shuffle(low), shuffle(high)}
	}
	m.Transpose(pair(0x44, 0xee), pair(0x88, 0xdd), fours...) // lanes 0 and 1, 2 and 3; 0 and 2, 1 and 3
}
