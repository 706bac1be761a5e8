package chacha20

import (
	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/arm64"
)

// One builds what works on one block in general registers, a word in each, beside a
// [Four], whose units it leaves alone.
type One struct {
	*Four
	number int // of the block in a pass
	w      [16]arm64.GP
}

// NewOne returns the block of that number in a pass of k's.
func NewOne(k *Four, number int) *One {
	o := &One{Four: k, number: number}
	for i := range o.w {
		o.w[i] = k.GP()
	}
	return o
}

// load sets w to the state of the beginning, and tells of each two words that are there.
// Of pointers it has one at a time.
func (o *One) load(w [16]arm64.GP, loaded func(i int)) {
	p := o.GP()
	pair := func(i, at int) {
		o.LDPW(operand.Mem{Base: p, Disp: at}, arm64.Pair{w[i], w[i+1]})
		loaded(i)
	}
	o.MOVD(arm64.Address{Mem: o.table}, p)
	pair(0, constants)
	pair(2, constants+8)
	p = o.Load(o.Param("key"), o.GP())
	for i := 4; i < 12; i += 2 {
		pair(i, 4*(i-4))
	}
	p = o.Load(o.Param("nonce"), o.GP())
	o.ADDW(operand.Imm(uint64(o.number)), o.counter, w[12])
	o.MOVWU(operand.Mem{Base: p}, w[13])
	loaded(12)
	pair(14, 4)
}

// Begin sets the state to that of the beginning.
func (o *One) Begin() { o.load(o.w, func(int) {}) }

// DoubleRound does a round of columns, and one of diagonals.
func (o *One) DoubleRound() {
	w := o.w
	for diagonal := range 2 {
		var q [][4]arm64.GP
		for i := range 4 {
			q = append(q, [4]arm64.GP{w[i], w[4+(i+diagonal)%4], w[8+(i+2*diagonal)%4], w[12+(i+3*diagonal)%4]})
		}
		for _, step := range quarterRound {
			for _, r := range q {
				o.ADDW(r[step.add], r[step.sum], r[step.sum])
			}
			for _, r := range q {
				o.EORW(r[step.sum], r[step.turn], r[step.turn])
			}
			for _, r := range q {
				o.RORW(operand.Imm(32-step.by), r[step.turn], r[step.turn])
			}
		}
	}
}

// End adds the state of the beginning, and XORs the block with its 64 bytes at src, into
// dst.
func (o *One) End() {
	var begin [16]arm64.GP
	for i := range begin {
		begin[i] = o.GP()
	}
	w := o.w
	o.load(begin, func(i int) {
		o.ADDW(begin[i], w[i], w[i])
		o.ADDW(begin[i+1], w[i+1], w[i+1])
		o.ORR(w[i+1].LSL(32), w[i], w[i])
		if i%4 == 0 {
			return
		}
		low, high := w[i-2], w[i]
		at, a, b := 64*o.number+4*(i-2), o.GP(), o.GP()
		o.LDP(operand.Mem{Base: o.src, Disp: at}, arm64.Pair{a, b})
		o.EOR(a, low, low)
		o.EOR(b, high, high)
		o.STP(arm64.Pair{low, high}, operand.Mem{Base: o.dst, Disp: at})
	})
}
