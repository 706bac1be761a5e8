package chacha20

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/emit"
)

// Sixteen builds what works on sixteen blocks at a time by AVX-512F, and the arguments of
// the routines. The state is a word of all blocks in each of the registers Z16 to Z31,
// which need no clean-up; none other is used until End, so that routines of other kinds
// can have them meanwhile.
type Sixteen struct {
	*emit.Generator
	constants, steps operand.Mem // see NewSixteen

	dst, src, key, nonce, n reg.GPVirtual
	counter                 reg.GPVirtual // of the next block
}

var z = []reg.VecPhysical{reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}

// NewSixteen makes the tables.
func NewSixteen(g *emit.Generator) *Sixteen {
	k := &Sixteen{Generator: g}
	// The words "expand 32-byte k", RFC 8439, section 2.3.
	k.constants = emit.Words(g, "constants", 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574)
	// What the counters of sixteen blocks add to that of the first.
	k.steps = emit.Words(g, "steps", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
	return k
}

// Arguments loads dst, src, n, key, nonce and counter.
func (k *Sixteen) Arguments() {
	k.dst = k.Load(k.Param("dst"), k.GP64()).(reg.GPVirtual)
	k.src = k.Load(k.Param("src"), k.GP64()).(reg.GPVirtual)
	k.n = k.Load(k.Param("n"), k.GP64()).(reg.GPVirtual)
	k.key = k.Load(k.Param("key"), k.GP64()).(reg.GPVirtual)
	k.nonce = k.Load(k.Param("nonce"), k.GP64()).(reg.GPVirtual)
	k.counter = k.Load(k.Param("counter"), k.GP32()).(reg.GPVirtual)
}

// advance goes on by so many bytes, whole blocks.
func (k *Sixteen) advance(bytes uint32) {
	for _, r := range []reg.GPVirtual{k.src, k.dst} {
		k.ADDQ(operand.U32(bytes), r)
	}
	k.ADDL(operand.U32(bytes/64), k.counter)
	k.SUBQ(operand.U32(bytes), k.n) // the flags are of what is left
}

func (k *Sixteen) rotateAVX512(by uint64, r reg.VecPhysical) { k.VPROLD(operand.U8(by), r, r) }

func (k *Sixteen) xorZ(x, y, to operand.Op) { k.VPXORD(x, y, to) }

// word is a word of the state in memory: constants, key and nonce.
func (k *Sixteen) word(i int) operand.Mem {
	switch {
	case i < 4:
		return k.constants.Offset(4 * i)
	case i < 12:
		return operand.Mem{Base: k.key, Disp: 4 * (i - 4)}
	}
	return operand.Mem{Base: k.nonce, Disp: 4 * (i - 13)}
}

// counters sets r to those of the blocks.
func (k *Sixteen) counters(r reg.VecPhysical) {
	k.VPBROADCASTD(k.counter, r)
	k.VPADDD(k.steps, r, r)
}

// Begin sets the state to that of the beginning.
func (k *Sixteen) Begin() {
	for i := range 16 {
		if i == 12 {
			k.counters(z[i])
			continue
		}
		k.VPBROADCASTD(k.word(i), z[i])
	}
}

// DoubleRound does a round of columns, and one of diagonals.
func (k *Sixteen) DoubleRound() {
	for _, diagonal := range []int{0, 1} {
		var q [][4]reg.VecPhysical
		for i := range 4 {
			q = append(q, [4]reg.VecPhysical{z[i], z[4+(i+diagonal)%4], z[8+(i+2*diagonal)%4], z[12+(i+3*diagonal)%4]})
		}
		k.quarterRounds(k.rotateAVX512, k.xorZ, q...)
	}
}

// End adds the state of the beginning, XORs the blocks with 1,024 bytes at src, into dst,
// and goes on by as many. It overwrites Z0, and leaves the flags of what is left.
func (k *Sixteen) End() {
	free := reg.Z0
	k.counters(free)
	for i := range 16 {
		if i == 12 {
			k.VPADDD(free, z[i], z[i])
			continue
		}
		k.VPADDD_BCST(k.word(i), z[i], z[i])
	}

	k.Comment("Words of blocks become blocks of words.")
	w := append([]reg.VecPhysical(nil), z...)
	m := &emit.Vectors{W: w, Free: free}
	k.TransposeWords(m, emit.Fours(16)...)
	// Now w[4i+b'] has words 4i to 4i+3 of the blocks b, b+4, b+8 and b+12, a lane
	// each, with b = emit.Transposed[b'].
	for b := range 4 {
		k.TransposeLanes(m, [4]int{b, b + 4, b + 8, b + 12})
	}
	for b, first := range emit.Transposed {
		for i, at := range emit.Transposed {
			block := 64 * (first + 4*i)
			w := w[b+4*at]
			k.VPXORD(operand.Mem{Base: k.src, Disp: block}, w, w)
			k.VMOVDQU32(w, operand.Mem{Base: k.dst, Disp: block})
		}
	}
	k.advance(1024)
}

// quarterRounds are RFC 8439, section 2.1, on each of the given quadruples, step
// by step beside each other. rotate rotates a register to the left.
func (k *Sixteen) quarterRounds(rotate func(by uint64, r reg.VecPhysical), xor func(x, y, z operand.Op), q ...[4]reg.VecPhysical) {
	for _, step := range []struct {
		sum, add, turn int // sum += add; turn = (turn ^ sum) rotated
		by             uint64
	}{{0, 1, 3, 16}, {2, 3, 1, 12}, {0, 1, 3, 8}, {2, 3, 1, 7}} {
		for _, r := range q {
			k.VPADDD(r[step.add], r[step.sum], r[step.sum])
		}
		for _, r := range q {
			xor(r[step.sum], r[step.turn], r[step.turn])
		}
		for _, r := range q {
			rotate(step.by, r[step.turn])
		}
	}
}
