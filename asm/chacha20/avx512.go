package chacha20

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/emit"
)

// Registers of the avx512 tier besides those of Sixteen. The first one needs the clean-up
// by VZEROUPPER at the end.
var (
	spare = reg.Z0
	rest  = z[14] // a block of keystream that is not used whole
)

// xorAVX512 does long inputs sixteen blocks at a time, one word of all blocks in a
// register; the rest eight or four at a time, one row of several blocks in a register,
// with masks at the end. Four are done in half the width, which has the shorter latency.
func (k *kernel) xorAVX512() {
	k.begin("xorAVX512", "chacha20/avx512")
	k.Label("sixteen")
	k.CMPQ(k.n, operand.U32(1024))
	k.JB(operand.LabelRef("rows"))
	k.Begin()
	rounds := k.GP64()
	k.MOVQ(operand.U32(10), rounds)
	k.Label("sixteenRounds")
	k.DoubleRound()
	k.DECQ(rounds)
	k.JNZ(operand.LabelRef("sixteenRounds"))
	k.End()
	k.JMP(operand.LabelRef("sixteen"))

	k.Label("rows")
	k.CMPQ(k.n, operand.U32(256))
	k.JBE(operand.LabelRef("four"))
	k.rowsOf(4)
	k.Label("four")
	k.TESTQ(k.n, k.n)
	k.JZ(operand.LabelRef("done"))
	k.rowsOf(2)

	k.part()
	k.Label("done")
	k.VZEROUPPER()
	k.RET()
}

// rowsOf works on what is left, at most twice so many blocks as a register has lanes: a
// row of those in each register, twice. It goes on at "rows", or at "part" when less than
// a block is left.
func (k *kernel) rowsOf(lanes int) {
	name := [...]string{2: "four", 4: "eight"}[lanes] // of as many blocks, for labels
	wide := func(r reg.VecPhysical) reg.VecPhysical {
		if lanes == 2 {
			return r.AsY().(reg.VecPhysical)
		}
		return r
	}
	row := func(set, i int) reg.VecPhysical { return wide(z[4*set+i]) }
	initial := []reg.VecPhysical{wide(z[8]), wide(z[9]), wide(z[10])} // the first three rows of the beginning
	last := []reg.VecPhysical{wide(z[11]), wide(z[12])}               // the last ones

	k.lastRow(reg.X0)
	k.VSHUFI32X4(operand.Imm(0), wide(spare), wide(spare), wide(spare))
	for set := range 2 {
		k.VPADDD(k.rows.Offset(16*lanes*set), wide(spare), last[set])
		k.VMOVDQA32(last[set], row(set, 3))
	}
	for i, from := range []operand.Mem{k.constants, {Base: k.key}, {Base: k.key, Disp: 16}} {
		k.VBROADCASTI32X4(from, initial[i])
		for set := range 2 {
			k.VMOVDQA32(initial[i], row(set, i))
		}
	}
	rounds := k.GP64()
	k.MOVQ(operand.U32(10), rounds)
	k.Label(name + "Rounds")
	for _, turn := range [][]uint64{{0x39, 0x4e, 0x93}, {0x93, 0x4e, 0x39}} {
		k.quarterRounds(k.rotateAVX512, k.xorZ, [4]reg.VecPhysical{row(0, 0), row(0, 1), row(0, 2), row(0, 3)}, [4]reg.VecPhysical{row(1, 0), row(1, 1), row(1, 2), row(1, 3)})
		// Columns become diagonals, and diagonals columns.
		for i := range 3 {
			for set := range 2 {
				k.VPSHUFD(operand.U8(turn[i]), row(set, 1+i), row(set, 1+i))
			}
		}
	}
	k.DECQ(rounds)
	k.JNZ(operand.LabelRef(name + "Rounds"))

	for set := range 2 {
		for i := range 3 {
			k.VPADDD(initial[i], row(set, i), row(set, i))
		}
		k.VPADDD(last[set], row(set, 3), row(set, 3))
	}
	// Rows of blocks become blocks of rows.
	w := append([]reg.VecPhysical(nil), z[:8]...)
	m := &emit.Vectors{W: w, Free: spare}
	var blocks []reg.VecPhysical // in their order
	for i := 0; i < 8; i += 4 {
		if lanes == 4 {
			k.TransposeLanes(m, [4]int{i, i + 1, i + 2, i + 3})
			for _, at := range emit.Transposed {
				blocks = append(blocks, w[i+at])
			}
			continue
		}
		for _, j := range []int{i, i + 2} {
			m.Apply(emit.Pair[reg.VecPhysical]{
				Low:  func(s, f, to reg.VecPhysical) { k.VINSERTI32X4(operand.Imm(1), s.AsX(), f.AsY(), to.AsY()) },
				High: func(s, f, to reg.VecPhysical) { k.VSHUFI32X4(operand.Imm(3), s.AsY(), f.AsY(), to.AsY()) },
			}, j, j+1)
		}
		for j := i; j < i+2; j++ {
			k.VINSERTI64X4(operand.Imm(1), w[j+2].AsY(), w[j], w[j])
		}
		blocks = append(blocks, w[i], w[i+1])
	}
	whole := 0 // of the blocks, whatever n is: eight are for more than four
	if lanes == 4 {
		whole = 4
	}
	for i, block := range blocks {
		if i >= whole {
			k.CMPQ(k.n, operand.Imm(64))
			k.JB(operand.LabelRef(fmt.Sprintf("%sPart%d", name, i)))
		}
		k.VPXORD(operand.Mem{Base: k.src}, block, block)
		k.VMOVDQU32(block, operand.Mem{Base: k.dst})
		k.advance(64)
	}
	k.JMP(operand.LabelRef("rows"))

	for i := whole; i < len(blocks); i++ {
		k.Label(fmt.Sprintf("%sPart%d", name, i))
		k.VMOVDQA32(blocks[i], rest)
		k.JMP(operand.LabelRef("part"))
	}
}

// part works on fewer than 64 bytes, and maybe none, with a block of keystream.
func (k *kernel) part() {
	k.Label("part")
	k.TESTQ(k.n, k.n)
	k.JZ(operand.LabelRef("done"))
	k.LowBits(k.n, reg.K1)
	data := z[15]
	k.VMOVDQU8_Z(operand.Mem{Base: k.src}, reg.K1, data)
	k.VPXORD(data, rest, rest)
	k.VMOVDQU8(rest, reg.K1, operand.Mem{Base: k.dst})
}
