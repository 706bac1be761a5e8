package sha256

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// sixteen is a generator of blocks16AVX512. Register 15 is not used, since Go's own
// code keeps X15 zero.
type sixteen struct {
	*emit.Generator
	s [8]reg.VecPhysical // a to h, FIPS 180-4, section 6.2.2, of the round at hand
	w []reg.VecPhysical  // the last sixteen words of the schedule
	t []reg.VecPhysical  // what is free

	swap reg.VecPhysical // the order of bytes, for VPSHUFB
}

// blocks16AVX512 holds a word of all streams in each register, so that the steps are
// those of FIPS 180-4: the functions of three words are an instruction each, and so
// are rotations.
func blocks16AVX512(g *emit.Generator, k, swap operand.Mem) {
	g.Func("blocks16AVX512", "func(h *[8][16]uint32, p *[16]*byte, n int)", check.Spec{Tier: "sha256/avx512", Public: []string{"p"}}, `
blocks16AVX512 hashes the n blocks at p[i] onto the words h[0][i] to h[7][i], for
each i: FIPS 180-4, section 6.2.2. n is positive. Constant time.`)
	x := &sixteen{
		g,
		[8]reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7},
		[]reg.VecPhysical{reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31},
		[]reg.VecPhysical{reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13},
		reg.Z14,
	}
	h := g.Load(g.Param("h"), g.GP64())
	p := g.Load(g.Param("p"), g.GP64())
	n := g.Load(g.Param("n"), g.GP64())
	at := g.GP64() // of the block, in bytes
	g.XORQ(at, at)
	state := func(i int) operand.Mem { return operand.Mem{Base: h, Disp: 64 * i} }
	for i, s := range x.s {
		g.VMOVDQU32(state(i), s)
	}

	stream := g.GP64()
	load := func(i int) {
		g.MOVQ(operand.Mem{Base: p, Disp: 8 * i}, stream)
		g.VMOVDQU32(operand.Mem{Base: stream, Index: at, Scale: 1}, x.w[i])
		g.VPSHUFB(x.swap, x.w[i], x.w[i])
	}
	g.VBROADCASTI32X4(swap, x.swap)
	for i := range x.w {
		load(i)
	}
	for i := 0; i < 16; i += 4 {
		x.fours(x.w[i : i+4])
	}
	g.Label("block16")
	loaded := x.w // a stream's block in each, in fours
	x.words()
	for i := range 48 {
		x.round(i, k)
		x.schedule(i + 16)
	}
	// Every round from here on frees a register for a stream's next block, so that
	// shuffles run beside rounds. The last block is loaded again, for nothing.
	next := g.GP64()
	g.LEAQ(operand.Mem{Base: at, Disp: 64}, next)
	g.CMPQ(n, operand.Imm(1))
	g.CMOVQNE(next, at)
	words := x.w
	for i := range 16 {
		x.w = words
		x.round(48+i, k)
		x.w = loaded
		freed := slices.Index(loaded, words[i])
		load(freed)
		if i%4 == 3 { // and the others of the same four were freed before
			x.fours(x.w[freed&^3 : freed|3+1])
		}
	}
	// 64 rounds leave every word of the state where it was.
	for i, s := range x.s {
		g.VPADDD(state(i), s, s)
		g.VMOVDQU32(s, state(i))
	}
	g.DECQ(n)
	g.JNZ(operand.LabelRef("block16"))
	g.VZEROUPPER()
	g.RET()
}

// fours makes, of the blocks of four streams with the first byte of a word the highest, a
// lane for every four of their words: register b' has the words b, b+4, b+8 and b+12,
// with b = emit.Transposed[b'].
func (x *sixteen) fours(w []reg.VecPhysical) {
	x.TransposeWords(x.matrix(w), [4]int{0, 1, 2, 3})
}

// words makes words of sixteen streams from what fours made of each four.
func (x *sixteen) words() {
	m, w := x.matrix(x.w), make([]reg.VecPhysical, 16)
	for b, first := range emit.Transposed {
		lanes := [4]int{b, b + 4, b + 8, b + 12}
		x.TransposeLanes(m, lanes)
		for i, at := range lanes {
			w[first+4*emit.Transposed[i]] = x.w[at]
		}
	}
	x.w = w
}

// matrix is registers that are transposed where they are.
func (x *sixteen) matrix(w []reg.VecPhysical) *emit.Vectors {
	return &emit.Vectors{W: w, Free: x.t[0], Copy: func(from, to reg.VecPhysical) { x.VMOVDQA32(from, to) }}
}

// The immediates of VPTERNLOGD, of which bit 4x+2y+z is what f(x, y, z) is.
const (
	choose   = operand.U8(0xca) // y where x is 1, z where it is 0
	majority = operand.U8(0xe8)
	parity   = operand.U8(0x96)
)

// mix sets to, and uses a second register: the XOR of three rotations of v to the
// right, or of two and a shift when the last count is negative.
func (x *sixteen) mix(v, to, u, last reg.VecPhysical, r1, r2 uint64, r3 int) {
	x.VPRORD(operand.U8(r1), v, to)
	x.VPRORD(operand.U8(r2), v, u)
	if r3 < 0 {
		x.VPSRLD(operand.U8(-r3), v, last)
	} else {
		x.VPRORD(operand.U8(r3), v, last)
	}
	x.VPTERNLOGD(parity, last, u, to)
}

// schedule makes word i from those before, in place of word i-16.
func (x *sixteen) schedule(i int) {
	w := func(back int) reg.VecPhysical { return x.w[(i-back)%16] }
	now := w(16)
	x.VPADDD(w(7), now, now)
	x.mix(w(15), x.t[0], x.t[1], x.t[2], 7, 18, -3)
	x.mix(w(2), x.t[3], x.t[4], x.t[5], 17, 19, -10)
	x.VPADDD(x.t[0], now, now)
	x.VPADDD(x.t[3], now, now)
}

func (x *sixteen) round(i int, k operand.Mem) {
	a, b, c, d, e, f, g, h := x.s[0], x.s[1], x.s[2], x.s[3], x.s[4], x.s[5], x.s[6], x.s[7]
	x.VPADDD_BCST(k.Offset(4*i), x.w[i%16], x.t[0])
	x.VPADDD(x.t[0], h, h)
	x.VMOVDQA32(e, x.t[1])
	x.VPTERNLOGD(choose, g, f, x.t[1])
	x.VPADDD(x.t[1], h, h)
	x.mix(e, x.t[2], x.t[3], x.t[4], 6, 11, 25)
	x.VPADDD(x.t[2], h, h)
	x.VPADDD(h, d, d)
	x.VMOVDQA32(a, x.t[5])
	x.VPTERNLOGD(majority, c, b, x.t[5])
	x.mix(a, x.t[2], x.t[0], x.t[1], 2, 13, 22)
	x.VPADDD(x.t[5], h, h)
	x.VPADDD(x.t[2], h, h)
	x.s = [8]reg.VecPhysical{h, a, b, c, d, e, f, g}
}
