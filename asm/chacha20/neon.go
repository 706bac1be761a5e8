package chacha20

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/arm64"
	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// neon is the routine for arm64. A word of four blocks is in each register, since one
// block in rows takes as long as four so: it is the latency of a quarter round that
// counts. Eight blocks, two sets of four, keep the units of a wide processor busy.
type neon struct {
	*emit.ARM64
	dst, src, key, nonce, n, counter, tables arm64.GP

	buffer operand.Mem // where the keystream of an incomplete pass goes
	kept   operand.Mem // words of both sets that wait
	turn   arm64.Vec   // the shuffle that rotates by 8
	free   []arm64.Vec // registers without a value
}

// The parts of the tables.
const (
	constants = 0  // the words "expand 32-byte k", RFC 8439, section 2.3
	steps     = 16 // what the counters of eight blocks add to that of the first
	rotate8   = 48 // a rotation to the left by 8, as a shuffle of bytes
)

// The parts of the frame, in bytes, behind each other.
const (
	bufferSize = 512
	keptSize   = 64
)

// set is the state of four blocks: a word of all in each register.
type set struct{ a, b, c, d []arm64.Vec }

func xorNEON(g *emit.ARM64) {
	k := &neon{ARM64: g}
	tables := emit.Words(g, "tables",
		0x61707865, 0x3320646e, 0x79622d32, 0x6b206574,
		0, 1, 2, 3, 4, 5, 6, 7,
		0x02010003, 0x06050407, 0x0a09080b, 0x0e0d0c0f,
	)

	g.Func("xorNEON", signature, check.Spec{Tier: "neon", Public: []string{"nonce"}}, "xorNEON"+contract)
	k.dst = g.Load(g.Param("dst"), g.GP())
	k.src = g.Load(g.Param("src"), g.GP())
	k.n = g.Load(g.Param("n"), g.GP())
	k.key = g.Load(g.Param("key"), g.GP())
	k.nonce = g.Load(g.Param("nonce"), g.GP())
	k.counter = g.Load(g.Param("counter"), g.GP())
	k.buffer, k.kept = g.AllocLocal(bufferSize), g.AllocLocal(keptSize)
	k.tables = g.GP()
	g.MOVD(arm64.Address{Mem: tables}, k.tables)
	k.turn = arm64.V[31]
	g.FMOVQ(operand.Mem{Base: k.tables, Disp: rotate8}, k.turn)

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

// quarterRounds are RFC 8439, section 2.1, on each of the given quadruples, step by
// step beside each other.
func (k *neon) quarterRounds(q ...[4]arm64.Vec) {
	for _, step := range []struct {
		sum, add, turn int // sum += add; turn = (turn ^ sum) rotated
		by             uint64
	}{{0, 1, 3, 16}, {2, 3, 1, 12}, {0, 1, 3, 8}, {2, 3, 1, 7}} {
		for _, r := range q {
			k.VADD(r[step.add].S4(), r[step.sum].S4(), r[step.sum].S4())
		}
		if step.by%8 == 0 {
			for _, r := range q {
				k.VEOR(r[step.sum].B16(), r[step.turn].B16(), r[step.turn].B16())
			}
			for _, r := range q {
				if turned := r[step.turn]; step.by == 16 {
					k.VREV32(turned.H8(), turned.H8())
				} else {
					k.VTBL(k.turn.B16(), arm64.List{turned.B16()}, turned.B16())
				}
			}
			continue
		}
		for some := range slices.Chunk(q, len(k.free)) {
			for i, r := range some {
				k.VEOR(r[step.sum].B16(), r[step.turn].B16(), k.free[i].B16())
			}
			for i, r := range some {
				k.VSHL(operand.Imm(step.by), k.free[i].S4(), r[step.turn].S4())
			}
			for i, r := range some {
				k.VSRI(operand.Imm(32-step.by), k.free[i].S4(), r[step.turn].S4())
			}
		}
	}
}

// everyLane sets each register to a word in all lanes, words that follow each other.
func (k *neon) everyLane(from operand.Mem, to ...arm64.Vec) {
	p := k.GP()
	k.ADD(operand.Imm(uint64(from.Disp)), from.Base.(arm64.GP), p)
	for _, r := range to {
		k.VLD1R_P(operand.Mem{Base: p, Disp: 4}, arm64.List{r.S4()})
	}
}

// counters sets r to the counters of four blocks, from number first of a pass on.
func (k *neon) counters(first int, r, spare arm64.Vec) {
	k.VDUP(k.counter, r.S4())
	k.FMOVQ(operand.Mem{Base: k.tables, Disp: steps + 4*first}, spare)
	k.VADD(spare.S4(), r.S4(), r.S4())
}

// begin sets a state to that of the beginning, without its words 10 and 11 if c has only
// two registers.
func (k *neon) begin(s set, first int) {
	k.everyLane(operand.Mem{Base: k.tables, Disp: constants}, s.a...)
	k.everyLane(operand.Mem{Base: k.key}, append(slices.Clone(s.b), s.c...)...)
	k.counters(first, s.d[0], k.free[0])
	k.everyLane(operand.Mem{Base: k.nonce}, s.d[1:]...)
}

// end adds the state of the beginning, makes blocks of words of the words of blocks,
// and calls out with the registers of each half of a block.
func (k *neon) end(s set, first int, out func(at int, low, high arm64.Vec)) {
	w := slices.Concat(s.a, s.b, s.c, s.d)
	add := func(from operand.Mem, to ...arm64.Vec) {
		p := k.GP()
		k.ADD(operand.Imm(uint64(from.Disp)), from.Base.(arm64.GP), p)
		for i, r := range to {
			t := k.free[i%len(k.free)]
			k.VLD1R_P(operand.Mem{Base: p, Disp: 4}, arm64.List{t.S4()})
			k.VADD(t.S4(), r.S4(), r.S4())
		}
	}
	add(operand.Mem{Base: k.tables, Disp: constants}, w[:4]...)
	add(operand.Mem{Base: k.key}, w[4:12]...)
	free := k.free[0]
	k.counters(first, free, k.free[1])
	k.VADD(free.S4(), w[12].S4(), w[12].S4())
	add(operand.Mem{Base: k.nonce}, w[13:]...)

	m := emit.Matrix[arm64.Vec]{W: w, Free: free}
	m.Transpose(
		emit.Pair[arm64.Vec]{
			Low:  func(second, first, to arm64.Vec) { k.VZIP1(second.S4(), first.S4(), to.S4()) },
			High: func(second, first, to arm64.Vec) { k.VZIP2(second.S4(), first.S4(), to.S4()) },
		},
		emit.Pair[arm64.Vec]{
			Low:  func(second, first, to arm64.Vec) { k.VZIP1(second.D2(), first.D2(), to.D2()) },
			High: func(second, first, to arm64.Vec) { k.VZIP2(second.D2(), first.D2(), to.D2()) },
		}, emit.Fours(16)...)
	// Now w[4i+b'] has words 4i to 4i+3 of block b = emit.Transposed[b'].
	k.free[0] = m.Free
	for block, b := range emit.Transposed {
		out(64*(first+block), w[b], w[4+b])
		out(64*(first+block)+32, w[8+b], w[12+b])
	}
}

// xor puts 32 bytes of the output where they belong.
func (k *neon) xor(at int, low, high arm64.Vec) {
	a, b := k.free[0], k.free[1]
	k.FLDPQ(operand.Mem{Base: k.src, Disp: at}, a, b)
	k.VEOR(a.B16(), low.B16(), low.B16())
	k.VEOR(b.B16(), high.B16(), high.B16())
	k.FSTPQ(low, high, operand.Mem{Base: k.dst, Disp: at})
	k.free = append(k.free[2:], a, b, low, high)
}

// wait puts 32 bytes of keystream into the buffer.
func (k *neon) wait(at int, low, high arm64.Vec) { k.FSTPQ(low, high, k.buffer.Offset(at)) }

// advance goes on by so many bytes, whole blocks.
func (k *neon) advance(bytes uint32) {
	k.ADD(operand.U32(bytes), k.src, k.src)
	k.ADD(operand.U32(bytes), k.dst, k.dst)
	k.SUB(operand.U32(bytes), k.n, k.n)
	k.ADDW(operand.U32(bytes/64), k.counter, k.counter)
}

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
	k.FMOVQ(operand.Mem{Base: k.tables, Disp: rotate8}, k.turn)
	k.advance(512)
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
	v := arm64.V
	s := set{v[0:4], v[8:12], v[24:28], v[16:20]}
	k.free = slices.Clone(v[4:8])
	k.begin(s, 0)
	rounds := k.GP()
	k.MOVD(operand.Imm(10), rounds)
	k.Label("fourRounds")
	for diagonal := range 2 {
		var q [][4]arm64.Vec
		for i := range 4 {
			q = append(q, [4]arm64.Vec{s.a[i], s.b[(i+diagonal)%4], s.c[(i+2*diagonal)%4], s.d[(i+3*diagonal)%4]})
		}
		k.quarterRounds(q...)
	}
	k.SUB(operand.Imm(1), rounds, rounds)
	k.CBNZ(rounds, "fourRounds")

	k.CMP(operand.U32(256), k.n)
	k.BLO("fourWait")
	k.free = slices.Clone(v[4:8])
	k.end(s, 0, k.xor)
	k.B("wipe")
	k.Label("fourWait")
	k.free = slices.Clone(v[4:8])
	k.end(s, 0, k.wait)
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
