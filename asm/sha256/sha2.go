package sha256

import (
	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/arm64"
	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// A Stream is one message in the routines of the sha2 tier.
type Stream struct {
	w            arm64.List // the last sixteen words of the schedule
	abcd, efgh   arm64.Vec  // the state
	abcd0, efgh0 arm64.Vec  // the state before the block
}

// begin loads the block at p, which goes on to the next, and keeps the state.
func (s *Stream) begin(g *emit.ARM64, p arm64.GP) {
	g.VLD1_P(operand.Mem{Base: p, Disp: 64}, s.w)
	for _, w := range s.w {
		g.VREV32(w.B16(), w.B16())
	}
	s.abcd0, s.efgh0 = g.Vec(), g.Vec()
	g.VMOV(s.abcd.B16(), s.abcd0.B16())
	g.VMOV(s.efgh.B16(), s.efgh0.B16())
}

// end adds the state before the block.
func (s *Stream) end(g *emit.ARM64) {
	g.VADD(s.abcd0.S4(), s.abcd.S4(), s.abcd.S4())
	g.VADD(s.efgh0.S4(), s.efgh.S4(), s.efgh.S4())
}

// fourRounds does rounds 4i to 4i+3 of each stream, and the four words of the schedule
// that come sixteen behind those of the rounds, by the instructions made for it (Arm,
// DDI 0487, "The Cryptographic Extension"). k is the constants of the rounds. SHA256H2
// needs the state from before SHA256H; what takes no part in the chain of these two
// stands between them and those of the rounds before, for processors that keep the
// order.
func fourRounds(g *emit.ARM64, i int, k arm64.Vec, streams ...*Stream) {
	words := func(s *Stream, n int) arm64.Vec { return s.w[(i+n)%4].S4() }
	schedules := i < 12
	kw, abcd := make([]arm64.Vec, len(streams)), make([]arm64.Vec, len(streams))
	for n, s := range streams {
		kw[n], abcd[n] = g.Vec(), g.Vec()
		g.VADD(k.S4(), words(s, 0), kw[n].S4())
	}
	if schedules {
		for _, s := range streams {
			g.SHA256SU0(words(s, 1), words(s, 0))
		}
	}
	for n, s := range streams {
		g.VMOV(s.abcd.B16(), abcd[n].B16())
	}
	for n, s := range streams {
		g.SHA256H(kw[n].S4(), s.efgh, s.abcd)
	}
	for n, s := range streams {
		g.SHA256H2(kw[n].S4(), abcd[n], s.efgh)
	}
	if schedules {
		for _, s := range streams {
			g.SHA256SU1(words(s, 3), words(s, 2), words(s, 0))
		}
	}
}

// wordsIn is four registers in a row, from number first on.
func wordsIn(first int) (l arm64.List) {
	for _, v := range arm64.V[first : first+4] {
		l = append(l, v.B16())
	}
	return l
}

// blocksSHA2 keeps all constants in registers.
func blocksSHA2(g *emit.ARM64, k operand.Mem) {
	g.Func("blocksSHA2", signature, check.Spec{Tier: "sha2"}, "blocksSHA2"+contract)
	h := g.Load(g.Param("h"), g.GP())
	p := g.Load(g.Param("p").Base(), g.GP())
	n := g.Load(g.Param("p").Len(), g.GP())
	g.LSR(operand.Imm(6), n, n)
	g.CBZ(n, "done")
	s := &Stream{w: wordsIn(0), abcd: g.Vec(), efgh: g.Vec()}
	g.FLDPQ(operand.Mem{Base: h}, s.abcd, s.efgh)
	constants, table := arm64.V[16:], g.GP()
	g.MOVD(arm64.Address{Mem: k}, table)
	for i := 0; i < 16; i += 2 {
		g.FLDPQ(operand.Mem{Base: table, Disp: 16 * i}, constants[i], constants[i+1])
	}

	g.Label("block")
	s.begin(g, p)
	for i := range 16 {
		fourRounds(g, i, constants[i], s)
	}
	s.end(g)
	g.SUB(operand.Imm(1), n, n)
	g.CBNZ(n, "block")

	g.FSTPQ(s.abcd, s.efgh, operand.Mem{Base: h})
	g.Label("done")
	g.RET()
}

// sixtyFourRounds does the rounds of a block of each stream, with the constants at table.
func sixtyFourRounds(g *emit.ARM64, table arm64.GP, streams ...*Stream) {
	for i := 0; i < 16; i += 2 {
		k0, k1 := g.Vec(), g.Vec()
		g.FLDPQ(operand.Mem{Base: table, Disp: 16 * i}, k0, k1)
		fourRounds(g, i, k0, streams...)
		fourRounds(g, i+1, k1, streams...)
	}
	for _, s := range streams {
		s.end(g)
	}
}

// blocks2SHA2 does the rounds of two streams in turn: what one waits for, four or five
// cycles after each pair of instructions, is the time of the other.
func blocks2SHA2(g *emit.ARM64, k operand.Mem) {
	g.Func("blocks2SHA2", "func(h *[8][2]uint32, p *[2]*byte, n int)", check.Spec{Tier: "sha2", Public: []string{"p"}}, `
blocks2SHA2 hashes the n blocks at p[i] onto the words h[0][i] to h[7][i], for both
i: FIPS 180-4, section 6.2.2. n is positive. Constant time.`)
	h := g.Load(g.Param("h"), g.GP())
	blocks := g.Load(g.Param("p"), g.GP())
	n := g.Load(g.Param("n"), g.GP())
	var p [2]arm64.GP
	for i := range p {
		p[i] = g.GP()
		g.MOVD(operand.Mem{Base: blocks, Disp: 8 * i}, p[i])
	}
	// VLD2 and VST2 take what is in turn in memory.
	v := arm64.V
	second := g.GP()
	g.ADD(operand.Imm(32), h, second)
	abcd, efgh := arm64.List{v[8].S4(), v[9].S4()}, arm64.List{v[10].S4(), v[11].S4()}
	g.VLD2(operand.Mem{Base: h}, abcd)
	g.VLD2(operand.Mem{Base: second}, efgh)
	table := g.GP()
	g.MOVD(arm64.Address{Mem: k}, table)
	streams := []*Stream{{w: wordsIn(0), abcd: v[8], efgh: v[10]}, {w: wordsIn(4), abcd: v[9], efgh: v[11]}}

	g.Label("block2")
	for i, s := range streams {
		s.begin(g, p[i])
	}
	sixtyFourRounds(g, table, streams...)
	g.SUB(operand.Imm(1), n, n)
	g.CBNZ(n, "block2")

	g.VST2(abcd, operand.Mem{Base: h})
	g.VST2(efgh, operand.Mem{Base: second})
	g.RET()
}

// pairSHA2 is blocks2SHA2 for one block onto each of two states that lie apart.
func pairSHA2(g *emit.ARM64, k operand.Mem) {
	g.Func("pairSHA2", "func(h0, h1 *[8]uint32, p *[2][64]byte)", check.Spec{Tier: "sha2"}, `
pairSHA2 hashes block p[0] onto h0, and p[1] onto h1: FIPS 180-4, section 6.2.2. Constant
time.`)
	h := []operand.Mem{{Base: g.Load(g.Param("h0"), g.GP())}, {Base: g.Load(g.Param("h1"), g.GP())}}
	p, table := g.Load(g.Param("p"), g.GP()), g.GP()
	g.MOVD(arm64.Address{Mem: k}, table)
	streams := []*Stream{{w: wordsIn(0), abcd: g.Vec(), efgh: g.Vec()}, {w: wordsIn(4), abcd: g.Vec(), efgh: g.Vec()}}
	for i, s := range streams {
		g.FLDPQ(h[i], s.abcd, s.efgh)
		s.begin(g, p)
	}
	sixtyFourRounds(g, table, streams...)
	for i, s := range streams {
		g.FSTPQ(s.abcd, s.efgh, h[i])
	}
	g.RET()
}

// SHA2 builds what hashes by the SHA2 instructions, with what else there is.
type SHA2 struct {
	*emit.ARM64
	k operand.Mem // roundConstants
}

// NewSHA2 makes the table.
func NewSHA2(g *emit.ARM64) *SHA2 { return &SHA2{g, roundConstants(g)} }

// Stream returns one with the state at h, whose words are in four registers from number
// first on.
func (x *SHA2) Stream(h operand.Mem, first int) *Stream {
	s := &Stream{w: wordsIn(first), abcd: x.Vec(), efgh: x.Vec()}
	x.FLDPQ(h, s.abcd, s.efgh)
	return s
}

// Block hashes the block at p onto the state of s, and goes on by one. It takes seven
// registers beside the words.
func (x *SHA2) Block(s *Stream, p arm64.GP) {
	table := x.GP()
	x.MOVD(arm64.Address{Mem: x.k}, table)
	s.begin(x.ARM64, p)
	sixtyFourRounds(x.ARM64, table, s)
}

// Store puts the state of s at h.
func (x *SHA2) Store(s *Stream, h operand.Mem) { x.FSTPQ(s.abcd, s.efgh, h) }
