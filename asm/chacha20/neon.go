package chacha20

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/arm64"
	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// neon is the routine for arm64. Eight blocks, two sets of four, keep the units of a wide
// processor busy.
type neon struct {
	*Four
	buffer operand.Mem // where the keystream of an incomplete pass goes
	kept   operand.Mem // words of both sets that wait
}

// The parts of the frame, in bytes, behind each other.
const (
	bufferSize = 512
	keptSize   = 64
)

func xorNEON(g *emit.ARM64) {
	k := &neon{Four: NewFour(g)}
	g.Func("xorNEON", signature, check.Spec{Tier: "neon"}, "xorNEON"+contract)
	k.buffer, k.kept = g.AllocLocal(bufferSize), g.AllocLocal(keptSize)
	k.Arguments()
	k.Pointers()
	k.Turn()

	g.Label("eight")
	g.CMP(operand.U32(256), k.n)
	g.BLS("four")
	k.eightBlocks()

	g.Label("four")
	g.CBZ(k.n, "wipe")
	k.fourBlocks()

	g.Label("tail")
	k.tail()

	g.Label("wipe")
	zero := arm64.V[0]
	g.VMOVI(operand.Imm(0), zero.B16())
	for i := 0; i < bufferSize+keptSize; i += 32 {
		g.FSTPQ(zero, zero, k.buffer.Offset(i))
	}
	g.RET()
}

// wait puts 32 bytes of keystream into the buffer.
func (k *neon) wait(at int, low, high arm64.Vec) { k.FSTPQ(low, high, k.buffer.Offset(at)) }

// eightBlocks works on 512 bytes. Of the words 8 to 11 of each set, two are in registers
// and two on the stack: half of a round needs no more.
func (k *neon) eightBlocks() {
	v := arm64.V
	sets := []*set{{v[0:4], v[8:12], v[24:26], v[16:20]}, {v[4:8], v[12:16], v[26:28], v[20:24]}}
	k.free = slices.Clone(v[28:31])
	k.Comment("The state: a word of four blocks in each register, of eight in two.")
	for i, s := range sets {
		k.begin(*s, 4*i)
	}
	last := k.free[:2]
	k.everyLane(operand.Mem{Base: k.key, Disp: 24}, last...)
	for i := range sets {
		k.FSTPQ(last[0], last[1], k.kept.Offset(32*i))
	}
	// swap exchanges the words of a set that wait. Its registers become others, so that
	// after four swaps, in the order of below, all are the first again.
	swap := func(i int) {
		s, others := sets[i], slices.Clone(k.free[:2])
		k.FLDPQ(k.kept.Offset(32*i), others[0], others[1])
		k.FSTPQ(s.c[0], s.c[1], k.kept.Offset(32*i))
		copy(k.free, s.c)
		s.c = others
	}
	half := func(at, diagonal int) {
		var q [][4]arm64.Vec
		for _, s := range sets {
			for i := range 2 {
				q = append(q, [4]arm64.Vec{s.a[at+i], s.b[(at+i+diagonal)%4], s.c[i], s.d[(at+i+3*diagonal)%4]})
			}
		}
		k.quarterRounds(q...)
	}
	rounds := k.GP()
	k.MOVD(operand.Imm(10), rounds)
	k.Label("eightRounds")
	half(0, 0)
	swap(0)
	swap(1)
	half(2, 0)
	half(0, 1)
	swap(1)
	swap(0)
	half(2, 1)
	k.SUB(operand.Imm(1), rounds, rounds)
	k.CBNZ(rounds, "eightRounds")

	k.CMP(operand.U32(512), k.n)
	k.BLO("eightWait")
	k.eightOut(sets, k.xor)
	k.Turn()
	k.Advance(512)
	k.B("eight")
	k.Label("eightWait")
	k.eightOut(sets, k.wait)
	k.B("tail")
}

// eightOut ends eightBlocks: the shuffle is overwritten.
func (k *neon) eightOut(sets []*set, out func(at int, low, high arm64.Vec)) {
	v := arm64.V
	spare := [][]arm64.Vec{v[28:32], v[0:4]} // of the second set, some of the first, which is done
	for i := range sets {
		s := *sets[i]
		k.FLDPQ(k.kept.Offset(32*i), spare[i][0], spare[i][1])
		s.c = slices.Concat(s.c, spare[i][:2])
		k.free = slices.Clone(spare[i][2:])
		k.end(s, 4*i, out)
	}
}

// fourBlocks works on the last 256 bytes or fewer.
func (k *neon) fourBlocks() {
	k.Begin()
	rounds := k.GP()
	k.MOVD(operand.Imm(10), rounds)
	k.Label("fourRounds")
	k.DoubleRound()
	k.SUB(operand.Imm(1), rounds, rounds)
	k.CBNZ(rounds, "fourRounds")

	k.CMP(operand.U32(256), k.n)
	k.BLO("fourWait")
	k.End()
	k.B("wipe")
	k.Label("fourWait")
	k.free = slices.Clone(fourFree)
	k.end(four, 0, k.wait)
}

// tail XORs the last bytes with the keystream of the buffer.
func (k *neon) tail() {
	stream := k.GP()
	k.MOVD(arm64.Address{Mem: k.buffer}, stream)
	from := func(r arm64.GP, size int) operand.Mem { return operand.Mem{Base: r, Disp: size} }
	k.Label("tail16")
	k.CMP(operand.Imm(16), k.n)
	k.BLO("tail8")
	x, y := arm64.V[0], arm64.V[1]
	k.FMOVQ_P(from(k.src, 16), x)
	k.FMOVQ_P(from(stream, 16), y)
	k.VEOR(y.B16(), x.B16(), x.B16())
	k.FMOVQ_P(x, from(k.dst, 16))
	k.SUB(operand.Imm(16), k.n, k.n)
	k.B("tail16")

	a, b := k.GP(), k.GP()
	for _, part := range []struct {
		bit         uint64
		name, next  operand.LabelRef
		load, store func(from, to operand.Op)
	}{
		{3, "tail8", "tail4", k.MOVD_P, k.MOVD_P},
		{2, "tail4", "tail2", k.MOVWU_P, k.MOVW_P},
		{1, "tail2", "tail1", k.MOVHU_P, k.MOVH_P},
		{0, "tail1", "wipe", k.MOVBU_P, k.MOVB_P},
	} {
		k.Label(string(part.name))
		k.TBZ(operand.Imm(part.bit), k.n, part.next)
		part.load(from(k.src, 1<<part.bit), a)
		part.load(from(stream, 1<<part.bit), b)
		k.EOR(a, b, a)
		part.store(a, from(k.dst, 1<<part.bit))
	}
}
