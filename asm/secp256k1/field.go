package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// field emits arithmetic modulo p = 2²⁵⁶ − c. An element is four limbs of 64 bits,
// the least significant first, and any value below 2²⁵⁶; so is every result.
//
// Operands lie in memory: behind a pointer, or in the frame. A result is first in
// the accumulator, from which store takes it, so that a sum or a difference can
// follow a product without a way through memory. Every operation is a straight
// line: nothing depends on a value.
type field struct {
	*emit.Generator
	zero operand.Mem // a limb of zero
}

// c is 2²⁵⁶ − p.
const c = 0x1000003d1

// The registers. w holds a product of eight limbs, whose lower four are the
// accumulator; lo, hi and dx serve a multiplication; from and to are pointers.
var (
	w      = []reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11, reg.R12, reg.R13, reg.R15, reg.RBX}
	acc    = w[:4]
	lo, hi = reg.RAX, reg.RCX
	dx     = reg.RDX
	from   = reg.RSI
	to     = reg.RDI
)

func newField(g *emit.Generator) *field {
	f := &field{Generator: g}
	f.zero = f.StaticGlobal("zero")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	f.AddDatum(0, operand.U64(0))
	return f
}

// spec is that of every routine here.
var spec = check.Spec{Tier: "adx"}

// element is room for one in the frame.
func (f *field) element() operand.Mem { return f.AllocLocal(32) }

// at is the element number i behind a pointer.
func at(pointer reg.GPPhysical, i int) operand.Mem { return operand.Mem{Base: pointer, Disp: 32 * i} }

func limb(x operand.Mem, i int) operand.Mem { return x.Offset(8 * i) }

// point loads an argument that is a pointer.
func (f *field) point(name string, to reg.GPPhysical) { f.Load(f.Param(name), to) }

func (f *field) load(x operand.Mem) {
	for i, r := range acc {
		f.MOVQ(limb(x, i), r)
	}
}

func (f *field) store(z operand.Mem) {
	for i, r := range acc {
		f.MOVQ(r, limb(z, i))
	}
}

// clearFlags begins two chains of carries, in CF and in OF.
func (f *field) clearFlags() { f.XORL(reg.EAX, reg.EAX) }

// endChains adds both carries to the limb above. ADCX takes no constant.
func (f *field) endChains(top reg.GPPhysical) {
	f.ADCXQ(f.zero, top)
	f.ADOXQ(f.zero, top)
}

// mul sets the accumulator to x·y.
func (f *field) mul(x, y operand.Mem) {
	f.MOVQ(limb(x, 0), dx)
	f.MULXQ(limb(y, 0), w[0], w[1])
	f.MULXQ(limb(y, 1), lo, w[2])
	f.ADDQ(lo, w[1])
	f.MULXQ(limb(y, 2), lo, w[3])
	f.ADCQ(lo, w[2])
	f.MULXQ(limb(y, 3), lo, w[4])
	f.ADCQ(lo, w[3])
	f.ADCQ(operand.Imm(0), w[4])
	for i := 1; i < 4; i++ {
		f.MOVQ(limb(x, i), dx)
		f.clearFlags()
		for j := range 3 {
			f.MULXQ(limb(y, j), lo, hi)
			f.ADCXQ(lo, w[i+j])
			f.ADOXQ(hi, w[i+j+1])
		}
		f.MULXQ(limb(y, 3), lo, w[i+4])
		f.ADCXQ(lo, w[i+3])
		f.endChains(w[i+4])
	}
	f.reduce()
}

// sqr sets the accumulator to x².
func (f *field) sqr(x operand.Mem) {
	f.MOVQ(limb(x, 0), dx)
	f.MULXQ(limb(x, 1), w[1], w[2])
	f.MULXQ(limb(x, 2), lo, w[3])
	f.ADDQ(lo, w[2])
	f.MULXQ(limb(x, 3), lo, w[4])
	f.ADCQ(lo, w[3])
	f.ADCQ(operand.Imm(0), w[4])
	f.MOVQ(limb(x, 1), dx)
	f.clearFlags()
	f.MULXQ(limb(x, 2), lo, hi)
	f.ADCXQ(lo, w[3])
	f.ADOXQ(hi, w[4])
	f.MULXQ(limb(x, 3), lo, w[5])
	f.ADCXQ(lo, w[4])
	f.endChains(w[5])
	f.MOVQ(limb(x, 2), dx)
	f.MULXQ(limb(x, 3), lo, w[6])
	f.ADDQ(lo, w[5])
	f.ADCQ(operand.Imm(0), w[6])

	f.XORL(w[7].As32(), w[7].As32())
	f.ADDQ(w[1], w[1])
	for i := 2; i < 7; i++ {
		f.ADCQ(w[i], w[i])
	}
	f.ADCQ(w[7], w[7])

	f.MOVQ(limb(x, 0), dx)
	f.MULXQ(dx, w[0], hi)
	f.ADDQ(hi, w[1])
	for i := 1; i < 4; i++ {
		f.MOVQ(limb(x, i), dx)
		f.MULXQ(dx, lo, hi)
		f.ADCQ(lo, w[2*i])
		f.ADCQ(hi, w[2*i+1])
	}
	f.reduce()
}

// reduce folds the eight limbs of w into the accumulator, since 2²⁵⁶ = c. The first
// fold leaves a fifth limb of at most c, the second a carry after which less than
// 2⁶⁷ is left, the third nothing.
func (f *field) reduce() {
	f.MOVQ(operand.Imm(c), dx)
	f.clearFlags()
	for i := range 3 {
		f.MULXQ(w[4+i], lo, hi)
		f.ADCXQ(lo, w[i])
		f.ADOXQ(hi, w[i+1])
	}
	f.MULXQ(w[7], lo, hi)
	f.ADCXQ(lo, w[3])
	f.endChains(hi)

	f.MULXQ(hi, lo, hi)
	f.ADDQ(lo, w[0])
	f.ADCQ(hi, w[1])
	f.ADCQ(operand.Imm(0), w[2])
	f.ADCQ(operand.Imm(0), w[3])
	f.SBBQ(lo, lo)
	f.ANDQ(dx, lo)
	f.ADDQ(lo, w[0])
	f.ADCQ(operand.Imm(0), w[1])
}

// chain does op on the limbs of the accumulator and of x, the first by first.
func chain(first, rest func(x operand.Op, r operand.Op), x operand.Mem) {
	for i, r := range acc {
		op := rest
		if i == 0 {
			op = first
		}
		op(limb(x, i), r)
	}
}

// add adds x to the accumulator. The first fold may carry again, and leaves less
// than c then.
func (f *field) add(x operand.Mem) {
	chain(f.ADDQ, f.ADCQ, x)
	f.fold(f.ADDQ, f.ADCQ)
}

// sub takes x from the accumulator. The first fold may borrow again, and leaves
// more than 2²⁵⁶ − c then.
func (f *field) sub(x operand.Mem) {
	chain(f.SUBQ, f.SBBQ, x)
	f.fold(f.SUBQ, f.SBBQ)
}

// sum adds the first elements to the accumulator and takes the others from it, at
// most four of them, all at once: hi counts what goes above the fourth limb, beginning
// with 2p for each that is taken, which keeps it from falling below zero.
func (f *field) sum(add, take []operand.Mem) {
	f.MOVQ(operand.U32(uint32(2*len(take))), hi)
	if len(take) > 0 {
		f.MOVQ(operand.Imm(uint64(2*len(take)*c)), lo)
		f.SUBQ(lo, acc[0])
		for _, r := range acc[1:] {
			f.SBBQ(operand.Imm(0), r)
		}
		f.SBBQ(operand.Imm(0), hi)
	}
	for _, x := range add {
		chain(f.ADDQ, f.ADCQ, x)
		f.ADCQ(operand.Imm(0), hi)
	}
	for _, x := range take {
		chain(f.SUBQ, f.SBBQ, x)
		f.SBBQ(operand.Imm(0), hi)
	}
	f.MOVQ(operand.Imm(c), dx)
	f.IMULQ(dx, hi)
	f.ADDQ(hi, acc[0])
	for _, r := range acc[1:] {
		f.ADCQ(operand.Imm(0), r)
	}
	f.SBBQ(lo, lo)
	f.ANDQ(dx, lo)
	f.ADDQ(lo, acc[0])
}

// fold adds c, or takes it away, when there is a carry; and again.
func (f *field) fold(first, rest func(x operand.Op, r operand.Op)) {
	f.SBBQ(lo, lo)
	f.MOVQ(operand.Imm(c), dx)
	f.ANDQ(dx, lo)
	first(lo, acc[0])
	for _, r := range acc[1:] {
		rest(operand.Imm(0), r)
	}
	f.SBBQ(lo, lo)
	f.ANDQ(dx, lo)
	first(lo, acc[0])
}

// double adds the accumulator to itself.
func (f *field) double() {
	f.ADDQ(acc[0], acc[0])
	for _, r := range acc[1:] {
		f.ADCQ(r, r)
	}
	f.fold(f.ADDQ, f.ADCQ)
}

// neg changes the accumulator's sign: 0 − x, whose borrow fold takes care of.
func (f *field) neg() {
	t := []reg.GPPhysical{w[4], w[5], w[6], w[7]}
	for i, r := range acc {
		f.MOVQ(r, t[i])
	}
	for _, r := range acc {
		f.XORL(r.As32(), r.As32())
	}
	f.SUBQ(t[0], acc[0])
	for i := 1; i < 4; i++ {
		f.SBBQ(t[i], acc[i])
	}
	f.fold(f.SUBQ, f.SBBQ)
}

// half divides the accumulator by two: an odd value takes p = 2²⁵⁶ − c first, whose
// 2²⁵⁶ becomes the highest bit unless c was more than the value.
func (f *field) half() {
	f.MOVQ(acc[0], hi)
	f.ANDQ(operand.Imm(1), hi)
	f.NEGQ(hi)
	f.MOVQ(operand.Imm(c), lo)
	f.ANDQ(hi, lo)
	f.SUBQ(lo, acc[0])
	for _, r := range acc[1:] {
		f.SBBQ(operand.Imm(0), r)
	}
	f.SBBQ(lo, lo)
	f.SUBQ(lo, hi)
	for i, r := range acc {
		above := hi
		if i < 3 {
			above = acc[i+1]
		}
		f.SHRQ(operand.Imm(1), above, r)
	}
}

// isZero sets a register to all ones when the element is zero modulo p, to zero
// when it is not: x is zero or p.
func (f *field) isZero(x operand.Mem, mask reg.GPPhysical) {
	// x = 0: no limb has a bit. x = p: x ⊕ p has none; its lower limb is −c.
	f.MOVQ(limb(x, 0), lo)
	f.MOVQ(lo, hi)
	f.MOVQ(operand.Imm(c), dx)
	f.ADDQ(dx, hi) // zero when the limb is that of p
	f.MOVQ(limb(x, 1), dx)
	f.MOVQ(dx, mask)
	for i := 2; i < 4; i++ {
		f.ORQ(limb(x, i), dx)
		f.ANDQ(limb(x, i), mask)
	}
	f.ORQ(dx, lo)
	f.NOTQ(mask)
	f.ORQ(mask, hi)
	// The carry of x − 1 tells x = 0.
	f.SUBQ(operand.Imm(1), lo)
	f.SBBQ(mask, mask)
	f.SUBQ(operand.Imm(1), hi)
	f.SBBQ(lo, lo)
	f.ORQ(lo, mask)
}

// choose replaces the accumulator by x where the mask is all ones.
func (f *field) choose(x operand.Mem, mask operand.Op) {
	f.MOVQ(mask, lo)
	f.TESTQ(lo, lo)
	for i, r := range acc {
		f.CMOVQNE(limb(x, i), r)
	}
}

// wipe overwrites the frame, as far as it was given out.
func (f *field) wipe(elements ...operand.Mem) {
	f.PXOR(reg.X0, reg.X0)
	for _, e := range elements {
		f.MOVOU(reg.X0, e)
		f.MOVOU(reg.X0, e.Offset(16))
	}
}

func (f *field) mulFunc() {
	f.Func("mulADX", "func(z, x, y *[4]uint64)", spec, `
mulADX sets z = x·y modulo p. Any of them may be the same. Constant time.`)
	f.point("x", from)
	f.point("y", to)
	f.mul(at(from, 0), at(to, 0))
	f.point("z", to)
	f.store(at(to, 0))
	f.RET()
}

func (f *field) sqrNFunc() {
	f.Func("sqrNADX", "func(z, x *[4]uint64, n int)", spec, `
sqrNADX sets z to x squared n times modulo p, n ≥ 1. The two may be the same. Constant
time in x.`)
	n := f.counter()
	f.point("x", from)
	f.point("z", to)
	f.sqr(at(from, 0))
	f.JMP(operand.LabelRef("squared"))
	f.Label("square")
	f.sqr(at(to, 0))
	f.Label("squared")
	f.store(at(to, 0))
	f.again(n, "square")
	f.RET()
}

// counter is a local variable that begins as the argument n.
func (f *field) counter() operand.Mem {
	n := f.AllocLocal(8)
	f.Load(f.Param("n"), lo)
	f.MOVQ(lo, n)
	return n
}

// again goes back to the label until it has been reached n times.
func (f *field) again(n operand.Mem, label string) {
	f.DECQ(n)
	f.JNZ(operand.LabelRef(label))
}

// copy copies an element by way of X0.
func (f *field) copy(x, z operand.Mem) {
	for i := range 2 {
		f.MOVOU(x.Offset(16*i), reg.X0)
		f.MOVOU(reg.X0, z.Offset(16*i))
	}
}
