package chacha20

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/arm64"
	"github.com/sealwright/sealwright/asm/emit"
)

// Four builds what works on four blocks at a time by NEON, and the arguments of the
// routines. A word of four blocks is in each register, since one block in rows takes as
// long as four so: it is the latency of a quarter round that counts. Registers 12 to 15,
// 20 to 23 and 28 to 30 are free for routines of other kinds.
type Four struct {
	*emit.ARM64
	table operand.Mem // see NewFour

	dst, src, n, counter arm64.GP
	key, nonce, tables   arm64.GP // see Pointers and Table

	turn arm64.Vec   // the shuffle that rotates by 8
	free []arm64.Vec // registers without a value
}

// The parts of the table.
const (
	constants = 0  // the words "expand 32-byte k", RFC 8439, section 2.3
	steps     = 16 // what the counters of eight blocks add to that of the first
	rotate8   = 48 // a rotation to the left by 8, as a shuffle of bytes
)

// set is the state of four blocks: a word of all in each register.
type set struct{ a, b, c, d []arm64.Vec }

// The state of a Four, and what is free beside it.
var (
	four     = set{arm64.V[0:4], arm64.V[8:12], arm64.V[24:28], arm64.V[16:20]}
	fourFree = arm64.V[4:8]
)

// NewFour makes the table.
func NewFour(g *emit.ARM64) *Four {
	return &Four{ARM64: g, turn: arm64.V[31], table: emit.Words(g, "tables",
		0x61707865, 0x3320646e, 0x79622d32, 0x6b206574,
		0, 1, 2, 3, 4, 5, 6, 7,
		0x02010003, 0x06050407, 0x0a09080b, 0x0e0d0c0f,
	)}
}

// Arguments loads dst, src, n and counter.
func (k *Four) Arguments() {
	k.dst = k.Load(k.Param("dst"), k.GP())
	k.src = k.Load(k.Param("src"), k.GP())
	k.n = k.Load(k.Param("n"), k.GP())
	k.counter = k.Load(k.Param("counter"), k.GP())
}

// Pointers loads key and nonce, and where the table is. What needs their registers
// meanwhile loads them again.
func (k *Four) Pointers() {
	k.key = k.Load(k.Param("key"), k.GP())
	k.nonce = k.Load(k.Param("nonce"), k.GP())
	k.Table()
}

// Table loads where the table is.
func (k *Four) Table() {
	k.tables = k.GP()
	k.MOVD(arm64.Address{Mem: k.table}, k.tables)
}

// Turn loads the shuffle from the table.
func (k *Four) Turn() { k.FMOVQ(operand.Mem{Base: k.tables, Disp: rotate8}, k.turn) }

// Advance goes on by so many bytes, whole blocks.
func (k *Four) Advance(bytes uint32) {
	k.ADD(operand.U32(bytes), k.src, k.src)
	k.ADD(operand.U32(bytes), k.dst, k.dst)
	k.SUB(operand.U32(bytes), k.n, k.n)
	k.ADDW(operand.U32(bytes/64), k.counter, k.counter)
}

// Again branches if bytes are left.
func (k *Four) Again(label operand.LabelRef) { k.CBNZ(k.n, label) }

// Begin sets the state to that of the beginning.
func (k *Four) Begin() {
	k.free = slices.Clone(fourFree)
	k.begin(four, 0)
}

// DoubleRound does a round of columns, and one of diagonals.
func (k *Four) DoubleRound() {
	for diagonal := range 2 {
		var q [][4]arm64.Vec
		for i := range 4 {
			q = append(q, [4]arm64.Vec{four.a[i], four.b[(i+diagonal)%4], four.c[(i+2*diagonal)%4], four.d[(i+3*diagonal)%4]})
		}
		k.quarterRounds(q...)
	}
}

// End adds the state of the beginning, and XORs the blocks with 256 bytes at src, into
// dst.
func (k *Four) End() {
	k.free = slices.Clone(fourFree)
	k.end(four, 0, k.xor)
}

// quarterRound is RFC 8439, section 2.1: sum += add; turn = (turn ^ sum) rotated.
var quarterRound = []struct {
	sum, add, turn int
	by             uint64
}{{0, 1, 3, 16}, {2, 3, 1, 12}, {0, 1, 3, 8}, {2, 3, 1, 7}}

// quarterRounds are RFC 8439, section 2.1, on each of the given quadruples, step by
// step beside each other.
func (k *Four) quarterRounds(q ...[4]arm64.Vec) {
	for _, step := range quarterRound {
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
func (k *Four) everyLane(from operand.Mem, to ...arm64.Vec) {
	p := k.GP()
	k.ADD(operand.Imm(uint64(from.Disp)), from.Base.(arm64.GP), p)
	for _, r := range to {
		k.VLD1R_P(operand.Mem{Base: p, Disp: 4}, arm64.List{r.S4()})
	}
}

// counters sets r to the counters of four blocks, from number first of a pass on.
func (k *Four) counters(first int, r, spare arm64.Vec) {
	k.VDUP(k.counter, r.S4())
	k.FMOVQ(operand.Mem{Base: k.tables, Disp: steps + 4*first}, spare)
	k.VADD(spare.S4(), r.S4(), r.S4())
}

// begin sets a state to that of the beginning, without its words 10 and 11 if c has only
// two registers.
func (k *Four) begin(s set, first int) {
	k.everyLane(operand.Mem{Base: k.tables, Disp: constants}, s.a...)
	k.everyLane(operand.Mem{Base: k.key}, append(slices.Clone(s.b), s.c...)...)
	k.counters(first, s.d[0], k.free[0])
	k.everyLane(operand.Mem{Base: k.nonce}, s.d[1:]...)
}

// end adds the state of the beginning, makes blocks of words of the words of blocks,
// and calls out with the registers of each half of a block.
func (k *Four) end(s set, first int, out func(at int, low, high arm64.Vec)) {
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
func (k *Four) xor(at int, low, high arm64.Vec) {
	a, b := k.free[0], k.free[1]
	k.FLDPQ(operand.Mem{Base: k.src, Disp: at}, a, b)
	k.VEOR(a.B16(), low.B16(), low.B16())
	k.VEOR(b.B16(), high.B16(), high.B16())
	k.FSTPQ(low, high, operand.Mem{Base: k.dst, Disp: at})
	k.free = append(k.free[2:], a, b, low, high)
}
