package sha256

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// twoBlocks is the generator of blocksAVX2.
type twoBlocks struct {
	*emit.Generator
	s         [8]reg.GPPhysical // a to h, FIPS 180-4, section 6.2.2, of the round at hand
	ab, bc    reg.GPPhysical    // bc is b XOR c, and ab free
	t, u      reg.GPPhysical    // free; all four are, between blocks
	at        reg.GPPhysical    // the place of the rounds at hand in k, in bytes
	w         []reg.VecPhysical // the last sixteen words of the schedules, four in each
	v         []reg.VecPhysical // free
	low, high reg.VecPhysical   // shuffles: see evenWords
	done      reg.VecPhysical   // how many bytes are hashed
	k, kw     operand.Mem
}

// blocksAVX2 computes the schedules of two blocks in the two lanes of registers,
// beside the rounds of the first block, for which general registers are enough
// (Gulley, Gopal, Yap et al., "Fast SHA-256 Implementations on Intel Architecture
// Processors", 2012). The rounds of the second block find its words in the frame.
func blocksAVX2(g *emit.Generator, k, swap operand.Mem) {
	low, high := evenWords(g, "low", 0), evenWords(g, "high", 8)
	g.Func("blocksAVX2", signature, check.Spec{Tier: "sha256/avx2"}, "blocksAVX2"+contract)
	x := &twoBlocks{
		Generator: g,
		s:         [8]reg.GPPhysical{reg.EAX, reg.EBX, reg.ECX, reg.EDX, reg.R8L, reg.R9L, reg.R10L, reg.R11L},
		ab:        reg.R12L, bc: reg.R13L, t: reg.ESI, u: reg.EDI, at: reg.R15,
		w:   []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3},
		v:   []reg.VecPhysical{reg.Y4, reg.Y5, reg.Y6, reg.Y7},
		low: reg.Y8, high: reg.Y9, done: reg.X10,
		k: k,
		// The schedules plus constants: four words of the first block, four of the
		// second, and so on.
		kw: g.AllocLocal(16 * 32),
	}
	mask := reg.Y11
	p, second, end := x.t.As64(), x.u.As64(), x.ab.As64()
	length, err := g.Param("p").Len().Resolve()
	if err != nil {
		panic(err)
	}
	g.CMPQ(length.Addr, operand.Imm(64))
	g.JB(operand.LabelRef("none"))
	h := x.stateAddress()
	for i, s := range x.s {
		g.MOVL(operand.Mem{Base: h, Disp: 4 * i}, s)
	}
	g.VBROADCASTI128(swap, mask)
	g.VBROADCASTI128(low, x.low)
	g.VBROADCASTI128(high, x.high)
	g.VPXOR(x.done, x.done, x.done)

	g.Label("two")
	g.Comment("The last block is the second one too if its number is odd.")
	g.VMOVQ(x.done, x.at)
	g.Load(g.Param("p").Base(), p)
	g.ADDQ(x.at, p)
	g.LEAQ(operand.Mem{Base: p, Disp: 64}, second)
	g.LEAQ(operand.Mem{Base: x.at, Disp: 128}, end)
	g.CMPQ(end, length.Addr)
	g.CMOVQHI(p, second)
	for i, w := range x.w {
		g.VMOVDQU(operand.Mem{Base: p, Disp: 16 * i}, w.AsX())
		g.VINSERTI128(operand.Imm(1), operand.Mem{Base: second, Disp: 16 * i}, w, w)
		g.VPSHUFB(mask, w, w)
	}
	g.XORL(x.at.As32(), x.at.As32())
	for i, w := range x.w {
		for _, step := range x.store(i, w) {
			step()
		}
	}
	x.begin()
	g.Label("schedule")
	for i := range 4 {
		side := x.schedule(i)
		for j := range 4 {
			weave(x.round(x.place(i).Offset(4*j)), side[len(side)*j/4:len(side)*(j+1)/4])
		}
	}
	g.ADDQ(operand.Imm(64), x.at)
	g.CMPQ(x.at, operand.U32(3*64))
	g.JB(operand.LabelRef("schedule"))
	x.rounds("first", 0)
	x.end(length.Addr, "done")

	x.begin()
	g.XORL(x.at.As32(), x.at.As32())
	x.rounds("second", 16)
	x.end(length.Addr, "done")
	g.JMP(operand.LabelRef("two"))

	g.Label("done")
	g.VPXOR(reg.Y0, reg.Y0, reg.Y0)
	for i := range 16 {
		g.VMOVDQU(reg.Y0, x.kw.Offset(32*i))
	}
	g.VZEROUPPER()
	g.Label("none")
	g.RET()
}

// evenWords is the shuffle that takes words 0 and 2 to byte at and behind it, and
// zeros to the rest.
func evenWords(g *emit.Generator, name string, at int) operand.Mem {
	return emit.Bytes(g, name, 16, func(i int) byte {
		if n := i - at; 0 <= n && n < 8 {
			return byte(n + n&4)
		}
		return 0x80 // zero
	})
}

// stateAddress returns a register, free between blocks, that holds the address of
// the state.
func (x *twoBlocks) stateAddress() reg.Register {
	return x.Load(x.Param("h"), x.t.As64())
}

// place returns where kw has words 4i to 4i+3 of the first block, counted from the
// rounds at hand.
func (x *twoBlocks) place(i int) operand.Mem {
	return x.kw.Offset(32*i).Idx(x.at, 2)
}

// begin makes ready for the rounds of a block.
func (x *twoBlocks) begin() {
	x.MOVL(x.s[1], x.bc)
	x.XORL(x.s[2], x.bc)
}

// end adds the state before the block, and goes to done if no other block follows.
func (x *twoBlocks) end(length operand.Mem, done string) {
	h := x.stateAddress()
	for i, s := range x.s {
		word := operand.Mem{Base: h, Disp: 4 * i}
		x.ADDL(word, s)
		x.MOVL(s, word)
	}
	hashed, next := x.ab.As64(), x.bc.As64()
	x.VMOVQ(x.done, hashed)
	x.ADDQ(operand.Imm(64), hashed)
	x.VMOVQ(hashed, x.done)
	x.LEAQ(operand.Mem{Base: hashed, Disp: 64}, next)
	x.CMPQ(next, length)
	x.JHI(operand.LabelRef(done))
}

// rounds does those from at on, of the block whose words are so many bytes behind
// those of the first one.
func (x *twoBlocks) rounds(label string, behind int) {
	x.Label(label)
	for i := range 8 {
		weave(x.round(x.place(i/4).Offset(behind+4*(i%4))), nil)
	}
	x.ADDQ(operand.Imm(32), x.at)
	x.CMPQ(x.at, operand.U32(4*64))
	x.JB(operand.LabelRef(label))
}

// weave does both, each in its order and evenly.
func weave(a, b []func()) {
	n := 0
	for i, step := range a {
		step()
		for ; n < len(b)*(i+1)/len(a); n++ {
			b[n]()
		}
	}
}

// steps are what is done in order, beside other things.
type steps []func()

func (s *steps) do(f func()) { *s = append(*s, f) }

// round returns the steps of the round whose word plus constant is kw.
func (x *twoBlocks) round(kw operand.Mem) (s steps) {
	a, b, d, e, f, g, h := x.s[0], x.s[1], x.s[3], x.s[4], x.s[5], x.s[6], x.s[7]
	ab, bc, t, u := x.ab, x.bc, x.t, x.u
	// sum sets t to the XOR of three rotations of v to the right, and uses u.
	sum := func(v reg.GPPhysical, r1, r2, r3 uint64) {
		s.do(func() { x.RORXL(operand.U8(r1), v, t) })
		s.do(func() { x.RORXL(operand.U8(r2), v, u) })
		s.do(func() { x.XORL(u, t) })
		s.do(func() { x.RORXL(operand.U8(r3), v, u) })
		s.do(func() { x.XORL(u, t) })
	}
	add := func(v operand.Op, to reg.GPPhysical) { s.do(func() { x.ADDL(v, to) }) }

	// Choose: f where e is 1, g where it is 0, is ((f XOR g) AND e) XOR g. It comes
	// first, and the new a last, because other orders measured slower.
	s.do(func() { x.MOVL(f, u) })
	s.do(func() { x.XORL(g, u) })
	s.do(func() { x.ANDL(e, u) })
	add(kw, h)
	s.do(func() { x.XORL(g, u) })
	add(u, h)
	sum(e, 6, 11, 25)
	add(t, h)
	add(h, d)
	// The majority is ((a XOR b) AND (b XOR c)) XOR b, and a XOR b is b XOR c of the
	// next round.
	s.do(func() { x.MOVL(a, ab) })
	s.do(func() { x.XORL(b, ab) })
	s.do(func() { x.ANDL(ab, bc) })
	s.do(func() { x.XORL(b, bc) })
	add(bc, h)
	sum(a, 2, 13, 22)
	add(t, h)
	x.s = [8]reg.GPPhysical{h, a, b, x.s[2], d, e, f, g}
	x.ab, x.bc = bc, ab
	return s
}

// store returns the steps that put words 4i to 4i+3 of the schedules, counted from
// the rounds at hand, plus constants where the rounds find them.
func (x *twoBlocks) store(i int, w reg.VecPhysical) (s steps) {
	sum, address := x.v[0], x.u.As64()
	s.do(func() {
		x.LEAQ(x.k, address)
		x.VBROADCASTI128(operand.Mem{Base: address, Index: x.at, Scale: 1, Disp: 16 * i}, sum)
	})
	s.do(func() { x.VPADDD(w, sum, sum) })
	s.do(func() { x.VMOVDQU(sum, x.place(i)) })
	return s
}

// schedule returns the steps that make the four words sixteen after words 4i to
// 4i+3, in their place.
func (x *twoBlocks) schedule(i int) (s steps) {
	w16, w12, w8, w4 := x.w[i%4], x.w[(i+1)%4], x.w[(i+2)%4], x.w[(i+3)%4]
	now := w16
	a, b, c, d := x.v[0], x.v[1], x.v[2], x.v[3]
	type shift func(ops ...operand.Op)
	by := func(f shift, count uint64, from, to reg.VecPhysical) {
		s.do(func() { f(operand.U8(count), from, to) })
	}
	xor := func(v, to reg.VecPhysical) { s.do(func() { x.VPXOR(v, to, to) }) }
	add := func(v reg.VecPhysical) { s.do(func() { x.VPADDD(v, now, now) }) }

	// σ0 of the words fifteen before: a rotation is a shift to the right and another
	// to the left.
	s.do(func() { x.VPALIGNR(operand.Imm(4), w16, w12, a) })
	s.do(func() { x.VPALIGNR(operand.Imm(4), w8, w4, b) }) // words seven before
	add(b)
	by(x.VPSRLD, 3, a, d)
	by(x.VPSRLD, 7, a, b)
	by(x.VPSLLD, 14, a, c)
	xor(b, d)
	xor(c, d)
	by(x.VPSRLD, 18-7, b, b)
	by(x.VPSLLD, 25-14, c, c)
	xor(b, d)
	xor(c, d)
	add(d)
	// σ1 of the words two before: first for two of the four, which the others need. A
	// word twice in a row and shifted to the right is one rotated.
	for _, half := range []struct {
		from    reg.VecPhysical
		twice   uint64
		shuffle reg.VecPhysical
	}{{w4, 0xfa, x.low}, {now, 0x50, x.high}} {
		by(x.VPSHUFD, half.twice, half.from, a)
		by(x.VPSRLD, 10, a, b)
		by(x.VPSRLQ, 17, a, c)
		by(x.VPSRLQ, 19, a, a)
		xor(c, b)
		xor(a, b)
		s.do(func() { x.VPSHUFB(half.shuffle, b, b) })
		add(b)
	}
	return append(s, x.store(i+4, now)...)
}
