package secp256k1

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/emit"
)

// field is the [arithmetic] of the tier adx.
type field struct {
	*emit.Generator
	zero  operand.Mem // a limb of zero
	sizes sizes
}

// The registers. w holds a product of eight limbs, whose lower four are the
// accumulator; lo, hi and dx serve a multiplication.
var (
	w      = []reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11, reg.R12, reg.R13, reg.R15, reg.RBX}
	acc    = w[:4]
	lo, hi = reg.RAX, reg.RCX
	dx     = reg.RDX
)

// pointers are the registers of from and to.
var pointers = [2]reg.GPPhysical{reg.RSI, reg.RDI}

func newField(g *emit.Generator) *field {
	f := &field{Generator: g, sizes: make(sizes)}
	f.zero = f.StaticGlobal("zero")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	f.AddDatum(0, operand.U64(0))
	return f
}

func (f *field) routine(name string, c contract) {
	c.spec.Tier = "adx"
	clear(f.sizes)
	f.Func(name+"ADX", c.signature, c.spec, named(c.doc, "ADX"))
}

func (f *field) begin() {}

func (f *field) room(bytes int) operand.Mem {
	m := f.AllocLocal(bytes)
	f.sizes[m] = bytes
	return m
}

func (f *field) wide() operand.Mem { return f.room(64) }

func (f *field) at(p pointer, i int) operand.Mem {
	return operand.Mem{Base: pointers[p], Disp: 32 * i}
}

func (f *field) point(name string, p pointer) { f.Load(f.Param(name), pointers[p]) }

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
	f.times(x, y)
	f.reduce()
}

// times sets w to x·y.
func (f *field) times(x, y operand.Mem) {
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
}

// sqr sets the accumulator to x².
func (f *field) sqr(x operand.Mem) {
	f.square(limb(x, 0), limb(x, 1), limb(x, 2), limb(x, 3))
	f.reduce()
}

// square sets w to the square of four limbs, which may lie in registers:
// the first in the accumulator's first, the others outside of w.
func (f *field) square(x ...operand.Op) {
	f.MOVQ(x[0], dx)
	f.MULXQ(x[1], w[1], w[2])
	f.MULXQ(x[3], w[3], w[4])
	f.clearFlags()
	f.MULXQ(x[2], lo, hi)
	f.ADCXQ(lo, w[2])
	f.ADCXQ(hi, w[3])
	f.MOVQ(x[3], dx)
	f.MULXQ(x[2], w[5], w[6])
	f.MULXQ(x[1], lo, hi)
	f.ADCXQ(lo, w[4])
	f.ADCXQ(hi, w[5])
	f.MOVQ(x[2], dx)
	f.MULXQ(x[1], lo, hi)
	f.ADOXQ(lo, w[3])
	f.ADOXQ(hi, w[4])
	f.ADOXQ(f.zero, w[5])
	f.endChains(w[6])

	f.XORL(w[7].As32(), w[7].As32())
	f.ADDQ(w[1], w[1])
	for i := 2; i < 7; i++ {
		f.ADCQ(w[i], w[i])
	}
	f.ADCQ(w[7], w[7])

	f.MOVQ(x[0], dx)
	f.MULXQ(dx, w[0], hi)
	f.ADDQ(hi, w[1])
	for i := 1; i < 4; i++ {
		f.MOVQ(x[i], dx)
		f.MULXQ(dx, lo, hi)
		f.ADCQ(lo, w[2*i])
		f.ADCQ(hi, w[2*i+1])
	}
}

func (f *field) mulWide(x, y, z operand.Mem) {
	f.times(x, y)
	f.storeWide(z)
}

func (f *field) sqrWide(x, z operand.Mem) {
	f.square(limb(x, 0), limb(x, 1), limb(x, 2), limb(x, 3))
	f.storeWide(z)
}

func (f *field) storeWide(z operand.Mem) {
	for i, r := range w {
		f.MOVQ(r, limb(z, i))
	}
}

// mulSub takes p·2²⁵⁶ away from the difference of the products as sub takes p, where it
// borrows.
func (f *field) mulSub(x, y, z operand.Mem) {
	f.times(x, y)
	chain(f.SUBQ, f.SBBQ, w, z)
	f.fold(f.SUBQ, f.SBBQ, w[4:], -1)
	f.reduce()
}

// reduce folds the eight limbs of w into the accumulator, since 2²⁵⁶ = c. The first
// fold leaves a fifth limb of at most c, the second a carry after which less than
// 2⁶⁷ is left, the third nothing: what it would give is computed before the carry is
// known.
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

	f.clearFlags()
	f.MULXQ(hi, lo, hi)
	f.ADCXQ(lo, w[0])
	f.ADCXQ(hi, w[1])
	f.MOVQ(w[0], lo)
	f.MOVQ(w[1], hi)
	f.ADCXQ(f.zero, w[2])
	f.ADCXQ(f.zero, w[3])
	f.ADOXQ(dx, lo)
	f.ADOXQ(f.zero, hi)
	f.CMOVQCS(lo, w[0])
	f.CMOVQCS(hi, w[1])
}

// chain does op on limbs and those of x, the first by first.
func chain(first, rest func(x operand.Op, r operand.Op), limbs []reg.GPPhysical, x operand.Mem) {
	for i, r := range limbs {
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
	chain(f.ADDQ, f.ADCQ, acc, x)
	f.fold(f.ADDQ, f.ADCQ, acc, 1)
}

// sub takes x from the accumulator. The first fold may borrow again, and leaves
// more than 2²⁵⁶ − c then.
func (f *field) sub(x operand.Mem) {
	chain(f.SUBQ, f.SBBQ, acc, x)
	f.fold(f.SUBQ, f.SBBQ, acc, -1)
}

// sum has in hi what goes above the fourth limb, beginning with 2p for each element
// that is taken, which keeps it from falling below zero.
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
		chain(f.ADDQ, f.ADCQ, acc, x)
		f.ADCQ(operand.Imm(0), hi)
	}
	for _, x := range take {
		chain(f.SUBQ, f.SBBQ, acc, x)
		f.SBBQ(operand.Imm(0), hi)
	}
	f.MOVQ(operand.Imm(c), dx)
	f.IMULQ(dx, hi)
	f.ADDQ(hi, acc[0])
	f.LEAQ(operand.Mem{Base: acc[0], Index: dx, Scale: 1}, lo)
	for _, r := range acc[1:] {
		f.ADCQ(operand.Imm(0), r)
	}
	f.CMOVQCS(lo, acc[0])
}

// fold adds c to four limbs, or takes it away for sign −1, when there is a carry; and
// again, where none but the lowest changes.
func (f *field) fold(first, rest func(x operand.Op, r operand.Op), limbs []reg.GPPhysical, sign int64) {
	f.SBBQ(lo, lo)
	f.MOVQ(operand.Imm(c), dx)
	f.ANDQ(dx, lo)
	first(lo, limbs[0])
	f.MOVQ(operand.I64(sign*c), dx)
	f.LEAQ(operand.Mem{Base: limbs[0], Index: dx, Scale: 1}, hi)
	for _, r := range limbs[1:] {
		rest(operand.Imm(0), r)
	}
	f.CMOVQCS(hi, limbs[0])
}

// double adds the accumulator to itself.
func (f *field) double() {
	f.ADDQ(acc[0], acc[0])
	for _, r := range acc[1:] {
		f.ADCQ(r, r)
	}
	f.fold(f.ADDQ, f.ADCQ, acc, 1)
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
	f.fold(f.SUBQ, f.SBBQ, acc, -1)
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

func (f *field) isZero(x, mask operand.Mem) {
	f.zeroMask(x, w[0])
	f.MOVQ(w[0], mask)
}

func (f *field) ifZero(x operand.Mem, label string) {
	f.zeroMask(x, w[0])
	f.TESTQ(w[0], w[0])
	f.JNE(operand.LabelRef(label))
}

// zeroMask sets a register to all ones when the element is zero modulo p, to zero
// when it is not: x is zero or p.
func (f *field) zeroMask(x operand.Mem, mask reg.GPPhysical) {
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

func (f *field) choose(x, mask operand.Mem) {
	f.MOVQ(mask, lo)
	f.TESTQ(lo, lo)
	for i, r := range acc {
		f.CMOVQNE(limb(x, i), r)
	}
}

func (f *field) chooseOne(mask operand.Mem) {
	f.MOVQ(operand.U32(1), w[4])
	f.XORL(reg.ECX, reg.ECX)
	f.MOVQ(mask, lo)
	f.TESTQ(lo, lo)
	f.CMOVQNE(w[4], acc[0])
	for _, r := range acc[1:] {
		f.CMOVQNE(hi, r)
	}
}

func (f *field) wipe(elements ...operand.Mem) {
	f.PXOR(reg.X0, reg.X0)
	for _, e := range elements {
		for i := 0; i < f.sizes.of(e); i += 16 {
			f.MOVOU(reg.X0, e.Offset(i))
		}
	}
}

func (f *field) wipeMasks(masks operand.Mem) { f.MOVOU(reg.X0, masks) }

// sqrNFunc keeps the square in registers, since each waits for the one before it.
func (f *field) sqrNFunc() {
	f.routine("sqrN", sqrN)
	x := []reg.GPPhysical{acc[0], reg.RSI, reg.RDI, reg.RBP}
	n := f.counter()
	f.point("x", from)
	for _, i := range []int{0, 2, 3, 1} { // the pointer's register last
		f.MOVQ(limb(f.at(from, 0), i), x[i])
	}
	f.Label("square")
	f.square(x[0], x[1], x[2], x[3])
	f.reduce()
	for i := 1; i < 4; i++ {
		f.MOVQ(acc[i], x[i])
	}
	f.again(n, "square")
	f.point("z", to)
	f.store(f.at(to, 0))
	f.RET()
}

func (f *field) counter() operand.Mem {
	n := f.AllocLocal(8)
	f.Load(f.Param("n"), lo)
	f.MOVQ(lo, n)
	return n
}

func (f *field) again(n operand.Mem, label string) {
	f.DECQ(n)
	f.JNZ(operand.LabelRef(label))
}

// copy goes by way of X0.
func (f *field) copy(x, z operand.Mem) {
	for i := range 2 {
		f.MOVOU(x.Offset(16*i), reg.X0)
		f.MOVOU(reg.X0, z.Offset(16*i))
	}
}

func (f *field) result(v uint8) {
	f.MOVB(operand.Imm(uint64(v)), reg.AL)
	f.Store(reg.AL, f.ReturnIndex(0))
	f.RET()
}

func (f *field) lookupFunc() {
	f.routine("lookup", lookup)
	index, counter, one, mask, t := reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4
	sums := []reg.VecPhysical{reg.Y5, reg.Y6}
	f.Load(f.Param("i"), lo)
	f.VMOVQ(lo, index.AsX())
	f.VPBROADCASTQ(index.AsX(), index)
	f.VPXOR(counter, counter, counter)
	f.VPCMPEQQ(one, one, one)
	f.VPSRLQ(operand.Imm(63), one, one)
	for _, s := range sums {
		f.VPXOR(s, s, s)
	}
	f.point("table", from)
	f.Load(f.Param("n"), hi)
	f.Label("entry")
	f.VPCMPEQQ(counter, index, mask)
	f.VPADDQ(one, counter, counter)
	for i, s := range sums {
		f.VPAND(f.at(from, i), mask, t)
		f.VPOR(t, s, s)
	}
	f.ADDQ(operand.Imm(64), pointers[from])
	f.DECQ(hi)
	f.JNZ(operand.LabelRef("entry"))
	f.point("z", to)
	for i, s := range sums {
		f.VMOVDQU(s, f.at(to, i))
	}
	f.VZEROUPPER()
	f.load(f.at(to, pointY))
	f.neg()
	f.Load(f.Param("neg"), lo)
	f.TESTQ(lo, lo)
	for i, r := range acc {
		f.CMOVQEQ(limb(f.at(to, pointY), i), r)
	}
	f.store(f.at(to, pointY))
	f.RET()
}
