package sha256

import (
	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/arm64"
	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// rounds is the generator of blocksNEON, and what its rounds have in registers.
type rounds struct {
	*emit.ARM64
	s     [8]arm64.GP // a to h, FIPS 180-4, section 6.2.2, of the round at hand
	ab    arm64.GP    // free
	bc    arm64.GP    // b XOR c
	k     [2]arm64.GP // the constants of two rounds
	table arm64.GP    // where the next ones are
	w     [4]arm64.GP // word t, in number t%4, and the next one
	w7    [2]arm64.GP // word t+9, seven before the one that is made, and the next one
	w2    [4]arm64.GP // words t+14 and t+15, in numbers t%4+2 and t%4+3, modulo 4
	words operand.Mem // of the schedule, the last sixteen
}

// blocksNEON is for processors without the SHA2 instructions. The rounds, and the
// schedule sixteen words ahead of them, are in general registers, where a rotation is
// part of the XOR that uses it: in vectors each takes two instructions. Vectors turn the
// bytes of a block. The frame has the words of the schedule, registers those that are
// near: two pairs are loaded and one is stored for two rounds.
func blocksNEON(g *emit.ARM64, k operand.Mem) {
	g.Func("blocksNEON", signature, check.Spec{Tier: "neon"}, "blocksNEON"+contract)
	x := &rounds{ARM64: g, words: g.AllocLocal(64)}
	at := g.AllocLocal(8) // the address of the next block
	for _, set := range [][]arm64.GP{x.s[:], x.k[:], x.w[:], x.w7[:], x.w2[:]} {
		for i := range set {
			set[i] = g.GP()
		}
	}
	x.ab, x.bc, x.table = g.GP(), g.GP(), g.GP()
	p, n, end, h := g.GP(), g.GP(), g.GP(), g.GP()

	g.Load(g.Param("p").Base(), p)
	g.Load(g.Param("p").Len(), n)
	g.LSR(operand.Imm(6), n, n)
	g.CBZ(n, "none")
	g.Load(g.Param("h"), h)
	for i := 0; i < 8; i += 2 {
		g.LDPW(operand.Mem{Base: h, Disp: 4 * i}, arm64.Pair{x.s[i], x.s[i+1]})
	}

	g.Label("blockNEON")
	block := wordsIn(0)
	g.VLD1_P(operand.Mem{Base: p, Disp: 64}, block)
	g.MOVD(p, at)
	for _, v := range block {
		g.VREV32(v.B16(), v.B16())
	}
	for i := 0; i < 4; i += 2 {
		g.FSTPQ(arm64.V[i], arm64.V[i+1], x.words.Offset(16*i))
	}
	g.MOVD(arm64.Address{Mem: k}, x.table)
	g.EORW(x.s[2], x.s[1], x.bc)
	x.load(0, x.w[0], x.w[1])
	x.load(8, x.w7[0], x.w7[1])
	x.load(14, x.w2[2], x.w2[3])

	g.Label("schedule")
	for t := range 16 {
		weave(x.round(t), x.schedule(t))
	}
	g.MOVD(arm64.Address{Mem: k.Offset(4 * 48)}, end)
	g.CMP(end, x.table)
	g.BNE("schedule")
	for t := range 16 {
		weave(x.round(t), x.next(t))
	}

	g.Load(g.Param("h"), h)
	for i := 0; i < 8; i += 2 {
		a, b := g.GP(), g.GP()
		g.LDPW(operand.Mem{Base: h, Disp: 4 * i}, arm64.Pair{a, b})
		g.ADDW(a, x.s[i], x.s[i])
		g.ADDW(b, x.s[i+1], x.s[i+1])
		g.STPW(arm64.Pair{x.s[i], x.s[i+1]}, operand.Mem{Base: h, Disp: 4 * i})
	}
	g.MOVD(at, p)
	g.Load(g.Param("p").Base(), end)
	g.Load(g.Param("p").Len(), n)
	g.AND(operand.U64(1<<64-64), n, n)
	g.ADD(n, end, end)
	g.CMP(end, p)
	g.BNE("blockNEON")

	zero := arm64.V[0]
	g.VMOVI(operand.Imm(0), zero.B16())
	for i := 0; i < 64; i += 32 {
		g.FSTPQ(zero, zero, x.words.Offset(i))
	}
	g.Label("none")
	g.RET()
}

// load loads words i and i+1 of the schedule, i being even, modulo 16.
func (x *rounds) load(i int, a, b arm64.GP) {
	x.LDPW(x.words.Offset(4*(i%16)), arm64.Pair{a, b})
}

// round returns the steps of round t.
func (x *rounds) round(t int) (s steps) {
	a, b, d, e, f, g, h := x.s[0], x.s[1], x.s[3], x.s[4], x.s[5], x.s[6], x.s[7]
	w, k, ab, bc := x.w[t%4], x.k[t%2], x.ab, x.bc
	m, n, o := x.GP(), x.GP(), x.GP()
	if t%2 == 0 {
		s.do(func() { x.LDPW_P(operand.Mem{Base: x.table, Disp: 8}, arm64.Pair{x.k[0], x.k[1]}) })
	}
	// Choose: f where e is 1, g where it is 0. No bit is in both, so that each is added.
	// The majority is ((a XOR b) AND (b XOR c)) XOR b, and a XOR b is b XOR c of the next
	// round. What depends on what stands as far apart as the registers allow, for
	// processors that keep the order.
	s.do(func() { x.EORW(e.ROR(25-11), e, n) })
	s.do(func() { x.RORW(operand.Imm(6), e, m) })
	s.do(func() { x.ADDW(w, h, h) })
	s.do(func() { x.ANDW(f, e, o) })
	s.do(func() { x.ADDW(k, h, h) })
	s.do(func() { x.EORW(n.ROR(11), m, m) })
	s.do(func() { x.BICW(e, g, n) })
	s.do(func() { x.ADDW(o, h, h) })
	s.do(func() { x.EORW(b, a, ab) })
	s.do(func() { x.EORW(a.ROR(22-13), a, o) })
	s.do(func() { x.ADDW(n, h, h) })
	s.do(func() { x.RORW(operand.Imm(2), a, n) })
	s.do(func() { x.ANDW(ab, bc, bc) })
	s.do(func() { x.ADDW(m, h, h) })
	s.do(func() { x.EORW(o.ROR(13), n, n) })
	s.do(func() { x.EORW(b, bc, bc) })
	s.do(func() { x.ADDW(h, d, d) })
	s.do(func() { x.ADDW(bc, n, n) })
	s.do(func() { x.ADDW(n, h, h) })
	x.s = [8]arm64.GP{h, a, b, x.s[2], d, e, f, g}
	x.ab, x.bc = bc, ab
	return s
}

// schedule returns the steps that make word t+16 in round t, and load what the next
// round takes.
func (x *rounds) schedule(t int) (s steps) {
	w, w15, w7, w2, now := x.w[t%4], x.w[(t+1)%4], x.w7[(t+1)%2], x.w2[(t+2)%4], x.w2[t%4]
	m, n := x.GP(), x.GP()
	s.do(func() { x.RORW(operand.Imm(7), w15, m) })
	s.do(func() { x.RORW(operand.Imm(17), w2, n) })
	s.do(func() { x.ADDW(w7, w, now) })
	s.do(func() { x.EORW(w15.ROR(18), m, m) })
	s.do(func() { x.EORW(w2.ROR(19), n, n) })
	s.do(func() { x.EORW(w15.LSR(3), m, m) })
	s.do(func() { x.EORW(w2.LSR(10), n, n) })
	s.do(func() { x.ADDW(m, now, now) })
	s.do(func() { x.ADDW(n, now, now) })
	if t%2 == 1 {
		s.do(func() { x.STPW(arm64.Pair{x.w2[(t+3)%4], now}, x.words.Offset(4*(t-1))) })
		return s
	}
	s.do(func() { x.load(t+10, x.w7[0], x.w7[1]) })
	return append(s, x.next(t)...)
}

// next returns the steps that load words t+2 and t+3, where round t has no other use for
// what holds them.
func (x *rounds) next(t int) (s steps) {
	if t%2 == 0 {
		s.do(func() { x.load(t+2, x.w[(t+2)%4], x.w[(t+3)%4]) })
	}
	return s
}
