package sha256

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// SHANI builds what hashes by the SHA extensions: four rounds with each word of sixteen
// bytes, and the schedule three words ahead, by the instructions made for it (Intel, "SHA
// Extensions", 2013). It takes registers 0 to 14.
type SHANI struct {
	*emit.Generator
	k, swap operand.Mem    // roundConstants, byteSwap
	mask, t reg.VecVirtual // swap in a register, and what is free
}

// A Chain is a state as the instructions take it, the highest word first, and the last
// sixteen words of the schedule.
type Chain struct {
	abef, cdgh reg.VecVirtual
	w          [4]reg.VecVirtual
}

// NewSHANI makes the tables.
func NewSHANI(g *emit.Generator) *SHANI {
	return &SHANI{Generator: g, k: roundConstants(g), swap: byteSwap(g)}
}

// Begin comes before everything else of a routine.
func (x *SHANI) Begin() {
	x.mask, x.t = x.XMM(), x.XMM()
	x.VMOVDQU(x.swap, x.mask)
}

// Chain returns one with the state at h.
func (x *SHANI) Chain(h operand.Mem) *Chain {
	s := &Chain{x.XMM(), x.XMM(), [4]reg.VecVirtual{x.XMM(), x.XMM(), x.XMM(), x.XMM()}}
	x.load(h, s.abef, s.cdgh)
	return s
}

func (x *SHANI) load(h operand.Mem, abef, cdgh reg.VecVirtual) {
	x.VPSHUFD(operand.Imm(0xb1), h, x.t)             // CDAB
	x.VPSHUFD(operand.Imm(0x1b), h.Offset(16), cdgh) // EFGH
	x.VPALIGNR(operand.Imm(8), cdgh, x.t, abef)
	x.VPBLENDW(operand.Imm(0xf0), x.t, cdgh, cdgh)
}

// words sets lo to words a to d of the state of s, and hi to e to h. s is lost.
func (x *SHANI) words(s *Chain, lo, hi reg.VecVirtual) {
	x.VPSHUFD(operand.Imm(0x1b), s.abef, x.t)    // FEBA
	x.VPSHUFD(operand.Imm(0xb1), s.cdgh, s.cdgh) // DCHG
	x.VPBLENDW(operand.Imm(0xf0), s.cdgh, x.t, lo)
	x.VPALIGNR(operand.Imm(8), x.t, s.cdgh, hi)
}

// Store puts the state of s at h. s is lost.
func (x *SHANI) Store(s *Chain, h operand.Mem) {
	x.words(s, s.w[0], s.w[1])
	x.VMOVDQU(s.w[0], h)
	x.VMOVDQU(s.w[1], h.Offset(16))
}

// read sets word i of four to bytes of the message.
func (x *SHANI) read(s *Chain, i int, p operand.Mem) {
	x.VMOVDQU(p.Offset(16*i), s.w[i])
	x.VPSHUFB(x.mask, s.w[i], s.w[i])
}

// rounds are the four rounds i of sixteen times four, and what they can do of the schedule.
func (x *SHANI) rounds(s *Chain, i int) {
	now, next, last := s.w[i%4], s.w[(i+1)%4], s.w[(i+3)%4]
	kw := reg.X0 // the register that SHA256RNDS2 takes its words from
	x.VPADDD(x.k.Offset(16*i), now, kw)
	x.SHA256RNDS2(kw, s.abef, s.cdgh)
	if 3 <= i && i < 15 {
		x.VPALIGNR(operand.Imm(4), last, now, x.t)
		x.VPADDD(x.t, next, next)
		x.SHA256MSG2(now, next)
	}
	x.VPSHUFD(operand.Imm(0x0e), kw, kw)
	x.SHA256RNDS2(kw, s.cdgh, s.abef)
	if 1 <= i && i < 13 {
		x.SHA256MSG1(now, last)
	}
}

// compress hashes a block onto the state of s. word makes each of its first four words
// ready just before the rounds that take it.
func (x *SHANI) compress(s *Chain, word func(i int)) {
	abef, cdgh := x.XMM(), x.XMM()
	x.VMOVDQA(s.abef, abef)
	x.VMOVDQA(s.cdgh, cdgh)
	for i := range 16 {
		if i < 4 {
			word(i)
		}
		x.rounds(s, i)
	}
	x.VPADDD(abef, s.abef, s.abef)
	x.VPADDD(cdgh, s.cdgh, s.cdgh)
}

// Block hashes the block at p onto the state of s, and goes on by one.
func (x *SHANI) Block(s *Chain, p reg.Register) {
	x.compress(s, func(i int) { x.read(s, i, operand.Mem{Base: p}) })
	x.ADDQ(operand.Imm(64), p)
}

// onto hashes the n blocks at p onto the state of s. It changes p and n.
func (x *SHANI) onto(s *Chain, p, n reg.Register) {
	x.Label("block")
	x.Block(s, p)
	x.DECQ(n)
	x.JNZ(operand.LabelRef("block"))
}

func (x *SHANI) blocks() {
	x.Func("blocksSHANI", signature, check.Spec{Tier: "shani"}, "blocksSHANI"+contract)
	h := operand.Mem{Base: x.Load(x.Param("h"), x.GP64())}
	p := x.Load(x.Param("p").Base(), x.GP64())
	n := x.Load(x.Param("p").Len(), x.GP64())
	x.SHRQ(operand.Imm(6), n)
	x.JZ(operand.LabelRef("done"))
	x.Begin()
	s := x.Chain(h)
	x.onto(s, p, n)
	x.Store(s, h)
	x.Label("done")
	x.RET()
}

// pair takes two states at once, as a round of one waits for the round before.
func (x *SHANI) pair() {
	x.Func("pairSHANI", "func(h0, h1 *[8]uint32, p *[2][64]byte)", check.Spec{Tier: "shani"}, `
pairSHANI hashes block p[0] onto h0, and p[1] onto h1: FIPS 180-4, section 6.2.2. Constant
time.`)
	h := []operand.Mem{{Base: x.Load(x.Param("h0"), x.GP64())}, {Base: x.Load(x.Param("h1"), x.GP64())}}
	p := operand.Mem{Base: x.Load(x.Param("p"), x.GP64())}
	x.Begin()
	s := []*Chain{x.Chain(h[0]), x.Chain(h[1])}
	for i := range 16 {
		for j, s := range s {
			if i < 4 {
				x.read(s, i, p.Offset(64*j))
			}
			x.rounds(s, i)
		}
	}
	for j, s := range s {
		h := h[j]
		x.load(h, s.w[0], s.w[1])
		x.VPADDD(s.w[0], s.abef, s.abef)
		x.VPADDD(s.w[1], s.cdgh, s.cdgh)
		x.Store(s, h)
	}
	x.RET()
}

// hmac keeps the inner digest in registers, where it is words of the outer message.
func (x *SHANI) hmac() {
	// What follows the inner digest in its block: a bit, and the length of both blocks.
	end := emit.Words(x, "end", 1<<31, 0, 0, 0, 0, 0, 0, (64+32)*8)
	x.Func("hmacSHANI", "func(tag *[32]byte, inner, outer *[8]uint32, p []byte)", check.Spec{Tier: "shani"}, `
hmacSHANI sets tag to the HMAC (RFC 2104) of a message under the key with the states inner
and outer, where inner has the blocks of the message but the last ones, which are p,
padded. p is whole blocks, and not empty. Constant time.`)
	tag := operand.Mem{Base: x.Load(x.Param("tag"), x.GP64())}
	p := x.Load(x.Param("p").Base(), x.GP64())
	n := x.Load(x.Param("p").Len(), x.GP64())
	x.SHRQ(operand.Imm(6), n)
	x.Begin()
	s := x.Chain(operand.Mem{Base: x.Load(x.Param("inner"), x.GP64())})
	x.onto(s, p, n)

	x.words(s, s.w[0], s.w[1])
	x.VMOVDQU(end, s.w[2])
	x.VMOVDQU(end.Offset(16), s.w[3])
	x.load(operand.Mem{Base: x.Load(x.Param("outer"), x.GP64())}, s.abef, s.cdgh)
	x.compress(s, func(int) {}) // the words are in their registers
	x.words(s, s.w[0], s.w[1])
	for i := range 2 {
		x.VPSHUFB(x.mask, s.w[i], s.w[i])
		x.VMOVDQU(s.w[i], tag.Offset(16*i))
	}
	x.RET()
}
