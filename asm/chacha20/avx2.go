package chacha20

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/emit"
)

// xorAVX2 does long inputs eight blocks at a time, one word of all blocks in a
// register; the rest four at a time, one row of two blocks in a register.
func (k *kernel) xorAVX2() {
	k.begin("xorAVX2", "avx2")
	k.stack = k.AllocLocal(8 * 32)

	k.Label("eight")
	k.CMPQ(k.n, operand.U32(512))
	k.JB(operand.LabelRef("four"))
	k.eightBlocks()
	k.JMP(operand.LabelRef("eight"))

	k.Label("four")
	k.TESTQ(k.n, k.n)
	k.JZ(operand.LabelRef("wipe"))
	k.fourBlocks()

	k.Label("wipe")
	k.VPXOR(y[0], y[0], y[0])
	for i := range 8 {
		k.VMOVDQU(y[0], k.stack.Offset(32*i))
	}
	k.VZEROUPPER()
	k.RET()
}

var y = []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14}

// rotate rotates a register, by a shuffle where it can. y[14] is overwritten.
func (k *kernel) rotate(by uint64, r reg.VecPhysical) {
	t := y[14]
	switch by {
	case 16:
		k.VPSHUFB(k.rotate16, r, r)
	case 8:
		k.VPSHUFB(k.rotate8, r, r)
	default:
		k.VPSLLD(operand.U8(by), r, t)
		k.VPSRLD(operand.U8(32-by), r, r)
		k.VPOR(t, r, r)
	}
}

// eightBlocks works on 512 bytes. Of the words 8 to 11 two are in registers and
// two on the stack: a half of a round needs no more.
func (k *kernel) eightBlocks() {
	a, b, c, d, t := y[0:4], y[4:8], y[8:10], y[10:14], y[14]
	kept := []operand.Mem{k.stack, k.stack.Offset(32)} // words 8 and 9, or 10 and 11

	k.Comment("The state: a word of all blocks in each register.")
	k.VMOVD(k.counter, t.AsX())
	k.VPBROADCASTD(t.AsX(), d[0])
	k.VPADDD(k.steps, d[0], d[0])
	for i := range 4 {
		k.VPBROADCASTD(k.constants.Offset(4*i), a[i])
		k.VPBROADCASTD(operand.Mem{Base: k.key, Disp: 4 * i}, b[i])
	}
	for i := range 2 {
		k.VPBROADCASTD(operand.Mem{Base: k.key, Disp: 24 + 4*i}, c[i])
		k.VMOVDQU(c[i], kept[i])
		k.VPBROADCASTD(operand.Mem{Base: k.key, Disp: 16 + 4*i}, c[i])
	}
	for i := range 3 {
		k.VPBROADCASTD(operand.Mem{Base: k.nonce, Disp: 4 * i}, d[1+i])
	}
	k.VMOVDQU(d[0], k.stack.Offset(64)) // the counters

	swap := func() {
		k.VMOVDQU(kept[0], t)
		k.VMOVDQU(c[0], kept[0])
		k.VMOVDQA(t, c[0])
		k.VMOVDQU(kept[1], t)
		k.VMOVDQU(c[1], kept[1])
		k.VMOVDQA(t, c[1])
	}
	rounds := k.GP64()
	k.MOVQ(operand.U32(10), rounds)
	k.Label("eightRounds")
	k.quarterRounds(k.rotate, k.VPXOR, [4]reg.VecPhysical{a[0], b[0], c[0], d[0]}, [4]reg.VecPhysical{a[1], b[1], c[1], d[1]})
	swap()
	k.quarterRounds(k.rotate, k.VPXOR, [4]reg.VecPhysical{a[2], b[2], c[0], d[2]}, [4]reg.VecPhysical{a[3], b[3], c[1], d[3]})
	k.quarterRounds(k.rotate, k.VPXOR, [4]reg.VecPhysical{a[0], b[1], c[0], d[3]}, [4]reg.VecPhysical{a[1], b[2], c[1], d[0]})
	swap()
	k.quarterRounds(k.rotate, k.VPXOR, [4]reg.VecPhysical{a[2], b[3], c[0], d[1]}, [4]reg.VecPhysical{a[3], b[0], c[1], d[2]})
	k.DECQ(rounds)
	k.JNZ(operand.LabelRef("eightRounds"))

	k.Comment("Add the state of the beginning.")
	add := func(from operand.Mem, r reg.VecPhysical) {
		k.VPBROADCASTD(from, t)
		k.VPADDD(t, r, r)
	}
	k.VPADDD(k.stack.Offset(64), d[0], d[0])
	for i := range 3 {
		add(operand.Mem{Base: k.nonce, Disp: 4 * i}, d[1+i])
	}
	for i := range 4 {
		add(k.constants.Offset(4*i), a[i])
		add(operand.Mem{Base: k.key, Disp: 4 * i}, b[i])
	}
	for i := range 2 {
		add(operand.Mem{Base: k.key, Disp: 16 + 4*i}, c[i])
	}

	k.Comment("Words 8 to 15 wait on the stack, in their order.")
	for i := range 4 {
		k.VMOVDQU(d[i], k.stack.Offset(32*(4+i)))
	}
	for i := range 2 {
		k.VMOVDQU(kept[i], d[i])
		add(operand.Mem{Base: k.key, Disp: 24 + 4*i}, d[i])
	}
	for i := range 2 {
		k.VMOVDQU(c[i], k.stack.Offset(32*i))
		k.VMOVDQU(d[i], k.stack.Offset(32*(2+i)))
	}
	k.transposed(0)
	for i := range 8 {
		k.VMOVDQU(k.stack.Offset(32*i), y[i])
	}
	k.transposed(32)

	k.advance(512)
}

// transposed makes of the first eight registers, a word of all blocks in each, one
// for each block, and XORs them onto 32 bytes at offset of each block.
func (k *kernel) transposed(offset int) {
	w := append([]reg.VecPhysical(nil), y[:8]...)
	m := &emit.Vectors{W: w, Free: y[8]}
	k.TransposeWords(m, emit.Fours(8)...)
	lanes := emit.Pair[reg.VecPhysical]{
		Low:  func(s, f, to reg.VecPhysical) { k.VPERM2I128(operand.Imm(0x20), s, f, to) },
		High: func(s, f, to reg.VecPhysical) { k.VPERM2I128(operand.Imm(0x31), s, f, to) },
	}
	for i := range 4 {
		m.Apply(lanes, i, i+4)
	}
	// Block Transposed[i] is in w[i], and block 4+Transposed[i] in w[4+i].
	for block := range 8 {
		i := block&4 + emit.Transposed[block%4]
		at := 64*block + offset
		k.VPXOR(operand.Mem{Base: k.src, Disp: at}, w[i], w[i])
		k.VMOVDQU(w[i], operand.Mem{Base: k.dst, Disp: at})
	}
}

// fourBlocks works on what is left, 256 bytes at a time: a row of two blocks in
// each register, twice.
func (k *kernel) fourBlocks() {
	t := y[14]
	row := func(set, i int) reg.VecPhysical { return y[4*set+i] }
	last := []reg.VecPhysical{y[8], y[9]} // the last rows of the beginning

	k.lastRow(last[0].AsX())
	k.VINSERTI128(operand.Imm(1), last[0].AsX(), last[0], last[0])
	k.VPADDD(k.rows.Offset(32), last[0], last[1])
	k.VPADDD(k.rows, last[0], last[0])
	for set := range 2 {
		k.VBROADCASTI128(k.constants, row(set, 0))
		k.VBROADCASTI128(operand.Mem{Base: k.key}, row(set, 1))
		k.VBROADCASTI128(operand.Mem{Base: k.key, Disp: 16}, row(set, 2))
		k.VMOVDQA(last[set], row(set, 3))
	}
	rounds := k.GP64()
	k.MOVQ(operand.U32(10), rounds)
	k.Label("fourRounds")
	quarter := func() {
		k.quarterRounds(k.rotate, k.VPXOR, [4]reg.VecPhysical(y[0:4]), [4]reg.VecPhysical(y[4:8]))
	}
	// turn rotates rows 1 to 3 by so many words: columns become diagonals.
	turn := func(by ...uint64) {
		for i := range 3 {
			for set := range 2 {
				r := row(set, 1+i)
				k.VPSHUFD(operand.U8(by[i]), r, r)
			}
		}
	}
	quarter()
	turn(0x39, 0x4e, 0x93)
	quarter()
	turn(0x93, 0x4e, 0x39)
	k.DECQ(rounds)
	k.JNZ(operand.LabelRef("fourRounds"))

	for set := range 2 {
		for i, from := range []operand.Mem{k.constants, {Base: k.key}, {Base: k.key, Disp: 16}} {
			k.VBROADCASTI128(from, t)
			k.VPADDD(t, row(set, i), row(set, i))
		}
		k.VPADDD(last[set], row(set, 3), row(set, 3))
	}
	// halves puts 32 bytes of keystream in t, the number i of eight.
	halves := func(i int) {
		set, block, half := i/4, i/2%2, i%2
		which := operand.U8(0x20)
		if block == 1 {
			which = 0x31
		}
		k.VPERM2I128(which, row(set, 2*half+1), row(set, 2*half), t)
	}
	k.CMPQ(k.n, operand.U32(256))
	k.JB(operand.LabelRef("tail"))
	for i := range 8 {
		halves(i)
		k.VPXOR(operand.Mem{Base: k.src, Disp: 32 * i}, t, t)
		k.VMOVDQU(t, operand.Mem{Base: k.dst, Disp: 32 * i})
	}
	k.advance(256)
	k.JMP(operand.LabelRef("four"))

	k.Label("tail")
	k.Comment("The keystream goes to the stack, and from there as far as it is wanted.")
	for i := range 8 {
		halves(i)
		k.VMOVDQU(t, k.stack.Offset(32*i))
	}
	stream := k.GP64()
	k.LEAQ(k.stack, stream)
	for _, part := range []struct {
		size       uint64
		name, next string
	}{{32, "tail32", "tail8"}, {8, "tail8", "tail1"}, {1, "tail1", "wipe"}} {
		k.Label(part.name)
		k.CMPQ(k.n, operand.Imm(part.size))
		k.JB(operand.LabelRef(part.next))
		k.some(part.size, stream)
		for _, r := range []reg.GPVirtual{k.src, k.dst, stream} {
			k.ADDQ(operand.Imm(part.size), r)
		}
		k.SUBQ(operand.Imm(part.size), k.n)
		k.JMP(operand.LabelRef(part.name))
	}
}

// some XORs 32, 8 or 1 bytes of the keystream at a pointer.
func (k *kernel) some(size uint64, stream reg.GPVirtual) {
	from, src, dst := operand.Mem{Base: stream}, operand.Mem{Base: k.src}, operand.Mem{Base: k.dst}
	switch size {
	case 32:
		k.VMOVDQU(from, y[14])
		k.VPXOR(src, y[14], y[14])
		k.VMOVDQU(y[14], dst)
	case 8:
		r := k.GP64()
		k.MOVQ(from, r)
		k.XORQ(src, r)
		k.MOVQ(r, dst)
	case 1:
		r := k.GP32()
		k.MOVBLZX(from, r)
		k.XORB(src, r.As8())
		k.MOVB(r.As8(), dst)
	}
}
