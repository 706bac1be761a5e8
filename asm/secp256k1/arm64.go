package secp256k1

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/arm64"
	"github.com/sealwright/sealwright/asm/emit"
)

// mulField is the [arithmetic] of the tier mul, for arm64.
//
// Its registers are five banks of an element each, and a few more. A multiplication
// takes all banks: two for the factors, two for the product, one for what is on the way.
// A bank remembers where its element lies in memory too, so that it is not loaded again
// while it is there.
type mulField struct {
	*emit.ARM64
	banks []*bank
	acc   *bank // which one is the accumulator
	sizes sizes
}

// bank is four registers, whose element also lies at each of the places in copies.
type bank struct {
	r      []arm64.GP
	copies []operand.Mem
}

// The registers beside the banks: pointers are those of from and to, cReg holds c.
var (
	pointersMUL = [2]arm64.GP{arm64.R[21], arm64.R[22]}
	cReg        = arm64.R[23]
	low, high   = arm64.R[24], arm64.R[25]
)

func newMulField(g *emit.ARM64) *mulField {
	f := &mulField{ARM64: g, sizes: make(sizes)}
	r := slices.Concat(arm64.R[:18], arm64.R[19:21])
	for b := range slices.Chunk(r, 4) {
		f.banks = append(f.banks, &bank{r: b})
	}
	f.acc = f.banks[0]
	return f
}

func (f *mulField) routine(name string, c contract) {
	c.spec.Tier = "mul"
	f.Func(name+"MUL", c.signature, c.spec, named(c.doc, "MUL"))
	clear(f.sizes)
	f.forget(func(operand.Mem) bool { return true })
}

func (f *mulField) begin() { f.MOVD(operand.Imm(c), cReg) }

func (f *mulField) room(bytes int) operand.Mem {
	m := f.AllocLocal(bytes)
	f.sizes[m] = bytes
	return m
}

func (f *mulField) wide() operand.Mem { return f.room(64) }

func (f *mulField) at(p pointer, i int) operand.Mem {
	return operand.Mem{Base: pointersMUL[p], Disp: 32 * i}
}

func (f *mulField) point(name string, p pointer) {
	f.Load(f.Param(name), pointersMUL[p])
	f.forget(func(m operand.Mem) bool { return m.Base == pointersMUL[p] })
}

// Label forgets all: what the banks hold depends on the way to the label.
func (f *mulField) Label(name string) {
	f.ARM64.Label(name)
	f.forget(func(operand.Mem) bool { return true })
}

// forget drops the copies for which changed is true.
func (f *mulField) forget(changed func(m operand.Mem) bool) {
	for _, b := range f.banks {
		b.copies = slices.DeleteFunc(b.copies, changed)
	}
}

// free returns a bank for something new, none of those to keep: an element that is
// already elsewhere is dropped if it has to be, that which was used longest ago first.
func (f *mulField) free(keep ...*bank) *bank {
	var found *bank
	for _, b := range f.banks {
		if !slices.Contains(keep, b) && (found == nil || len(b.copies) == 0 && len(found.copies) > 0) {
			found = b
		}
	}
	found.copies = nil
	return f.use(found)
}

// use makes a bank the one that was used last.
func (f *mulField) use(b *bank) *bank {
	f.banks = append(slices.DeleteFunc(f.banks, func(o *bank) bool { return o == b }), b)
	return b
}

// fetch returns a bank with x, and leaves those to keep alone.
func (f *mulField) fetch(x operand.Mem, keep ...*bank) *bank {
	for _, b := range f.banks {
		if slices.Contains(b.copies, x) {
			return f.use(b)
		}
	}
	b := f.free(keep...)
	for i := 0; i < 4; i += 2 {
		f.LDP(limb(x, i), arm64.Pair{b.r[i], b.r[i+1]})
	}
	b.copies = []operand.Mem{x}
	return b
}

func (f *mulField) load(x operand.Mem) { f.acc = f.fetch(x) }

func (f *mulField) store(z operand.Mem) {
	for i := 0; i < 4; i += 2 {
		f.STP(arm64.Pair{f.acc.r[i], f.acc.r[i+1]}, limb(z, i))
	}
	// Two pointers may be the same.
	f.forget(func(m operand.Mem) bool { return m == z || m.Base != arm64.RSP && z.Base != arm64.RSP })
	f.acc.copies = append(f.acc.copies, z)
}

func (f *mulField) copy(x, z operand.Mem) {
	f.load(x)
	f.store(z)
}

// product are the banks of a product of eight limbs, and of what is on the way to it.
type product struct{ low, high, t *bank }

// limb i of the product.
func (p *product) limb(i int) arm64.GP {
	if i < 4 {
		return p.low.r[i]
	}
	return p.high.r[i-4]
}

// product finds banks that are none of the factors.
func (f *mulField) product(factors ...*bank) *product {
	p := new(product)
	for _, b := range []**bank{&p.low, &p.high, &p.t} {
		*b = f.free(append(factors, p.low, p.high)...)
	}
	return p
}

func (f *mulField) mul(x, y operand.Mem) { f.acc = f.reduce(f.times(f.factors(x, y)), nil) }

func (f *mulField) factors(x, y operand.Mem) (bx, by *bank) {
	bx = f.fetch(x)
	return bx, f.fetch(y, bx)
}

func (f *mulField) mulWide(x, y, z operand.Mem) { f.storeWide(f.times(f.factors(x, y)), z) }

func (f *mulField) sqrWide(x, z operand.Mem) { f.storeWide(f.square(f.fetch(x)), z) }

func (f *mulField) storeWide(p *product, z operand.Mem) {
	f.acc = p.low
	f.store(z)
	f.acc = p.high
	f.store(z.Offset(32))
}

// mulSub takes p·2²⁵⁶ away from the difference of the products as sub takes p, where it
// borrows.
func (f *mulField) mulSub(x, y, z operand.Mem) {
	p := f.times(f.factors(x, y))
	sub := f.SUBS
	for half := range 2 {
		b := f.fetch(z.Offset(32*half), p.low, p.high).r
		for i, r := range b {
			sub(r, p.limb(4*half+i), p.limb(4*half+i))
			sub = func(x operand.Op, n, d arm64.GP) { f.SBCS(x.(arm64.GP), n, d) }
		}
	}
	f.takeBorrow(p.high.r)
	p.t = f.free(p.low, p.high)
	f.acc = f.reduce(p, nil)
}

// times returns x·y.
func (f *mulField) times(bx, by *bank) *product {
	p := f.product(bx, by)
	x, y, t := bx.r, by.r, p.t.r
	for j := range 4 {
		f.MUL(y[j], x[0], p.limb(j))
	}
	for j := range 3 {
		f.UMULH(y[j], x[0], t[j])
	}
	f.UMULH(y[3], x[0], p.limb(4))
	f.ADDS(t[0], p.limb(1), p.limb(1))
	f.ADCS(t[1], p.limb(2), p.limb(2))
	f.ADCS(t[2], p.limb(3), p.limb(3))
	f.ADC(arm64.ZR, p.limb(4), p.limb(4))
	for i := 1; i < 4; i++ {
		for j := range 4 {
			f.MUL(y[j], x[i], t[j])
		}
		f.row(p, i, func(j int, to arm64.GP) { f.UMULH(y[j], x[i], to) }, p.limb(i+4))
	}
	return p
}

// row adds a row of a product from limb i on: the lower halves in t, and the upper halves
// that upper computes. What is above the four limbs is put into top.
func (f *mulField) row(p *product, i int, upper func(j int, to arm64.GP), top arm64.GP) {
	t := p.t.r
	f.ADDS(t[0], p.limb(i), p.limb(i))
	for j := range 3 {
		upper(j, t[j])
		f.ADCS(t[j+1], p.limb(i+j+1), p.limb(i+j+1))
	}
	upper(3, top)
	f.ADC(arm64.ZR, top, top)
	f.ADDS(t[0], p.limb(i+1), p.limb(i+1))
	f.ADCS(t[1], p.limb(i+2), p.limb(i+2))
	f.ADCS(t[2], p.limb(i+3), p.limb(i+3))
	f.ADC(arm64.ZR, top, top)
}

func (f *mulField) sqr(x operand.Mem) {
	f.acc = f.reduce(f.square(f.fetch(x)), nil)
}

// square returns x².
func (f *mulField) square(bx *bank) *product {
	p := f.product(bx)
	x, t := bx.r, p.t.r
	// The products of two different limbs.
	f.MUL(x[1], x[0], p.limb(1))
	f.UMULH(x[1], x[0], p.limb(2))
	f.MUL(x[2], x[0], t[0])
	f.UMULH(x[2], x[0], p.limb(3))
	f.MUL(x[3], x[0], t[1])
	f.UMULH(x[3], x[0], p.limb(4))
	f.MUL(x[2], x[1], t[2])
	f.MUL(x[3], x[1], t[3])
	f.UMULH(x[3], x[1], p.limb(5))
	f.ADDS(t[0], p.limb(2), p.limb(2))
	f.ADCS(t[1], p.limb(3), p.limb(3))
	f.ADC(arm64.ZR, p.limb(4), p.limb(4))
	f.UMULH(x[2], x[1], t[0])
	f.MUL(x[3], x[2], t[1])
	f.UMULH(x[3], x[2], p.limb(6))
	f.ADDS(t[2], p.limb(3), p.limb(3))
	f.ADCS(t[3], p.limb(4), p.limb(4))
	f.ADC(arm64.ZR, p.limb(5), p.limb(5))
	f.ADDS(t[0], p.limb(4), p.limb(4))
	f.ADCS(t[1], p.limb(5), p.limb(5))
	f.ADC(arm64.ZR, p.limb(6), p.limb(6))
	// Twice, and the squares.
	squares := []arm64.GP{t[0], t[1], t[2], t[3], low, high}
	f.MUL(x[0], x[0], p.limb(0))
	for i, s := range squares {
		if i%2 == 0 {
			f.UMULH(x[i/2], x[i/2], s)
		} else {
			f.MUL(x[i/2+1], x[i/2+1], s)
		}
	}
	f.UMULH(x[3], x[3], p.limb(7))
	f.ADDS(p.limb(1), p.limb(1), p.limb(1))
	for i := 2; i < 7; i++ {
		f.ADCS(p.limb(i), p.limb(i), p.limb(i))
	}
	f.ADC(arm64.ZR, p.limb(7), p.limb(7))
	f.ADDS(squares[0], p.limb(1), p.limb(1))
	for i, s := range squares[1:] {
		f.ADCS(s, p.limb(i+2), p.limb(i+2))
	}
	f.ADC(arm64.ZR, p.limb(7), p.limb(7))
	return p
}

// reduce returns a product modulo p, since 2²⁵⁶ = c, in the bank z, or in its own if z is
// nil. The first fold leaves a fifth limb of at most c, the second a carry after which
// less than 2⁶⁷ is left, the third nothing.
func (f *mulField) reduce(p *product, z *bank) *bank {
	if z == nil {
		z = p.low
	}
	t, top := p.t.r, p.t.r[3]
	for j := range 4 {
		f.MUL(cReg, p.high.r[j], t[j])
	}
	f.row(p, 0, func(j int, to arm64.GP) { f.UMULH(cReg, p.high.r[j], to) }, top)
	f.MUL(cReg, top, t[0])
	f.UMULH(cReg, top, t[1])
	f.ADDS(t[0], p.low.r[0], z.r[0])
	f.ADCS(t[1], p.low.r[1], z.r[1])
	f.ADCS(arm64.ZR, p.low.r[2], z.r[2])
	f.ADCS(arm64.ZR, p.low.r[3], z.r[3])
	f.CSEL(arm64.HS, cReg, arm64.ZR, t[0])
	f.ADDS(t[0], z.r[0], z.r[0])
	f.ADC(arm64.ZR, z.r[1], z.r[1])
	return z
}

// change returns the limbs of the accumulator, and those of the bank that becomes the
// accumulator: another one if what was in it may still be of use. It keeps a bank.
func (f *mulField) change(keep *bank) (before, after []arm64.GP) {
	old := f.acc
	if len(old.copies) > 0 {
		f.acc = f.free(old, keep)
	}
	return old.r, f.acc.r
}

// plus adds a bank to the accumulator, whose limbs it returns, and leaves the carry in the
// flags; minus takes it from it, and leaves the borrow.
func (f *mulField) plus(x *bank) (d []arm64.GP) {
	a, d := f.change(x)
	f.ADDS(x.r[0], a[0], d[0])
	for i := 1; i < 4; i++ {
		f.ADCS(x.r[i], a[i], d[i])
	}
	return d
}

func (f *mulField) minus(x *bank) (d []arm64.GP) {
	a, d := f.change(x)
	f.SUBS(x.r[0], a[0], d[0])
	for i := 1; i < 4; i++ {
		f.SBCS(x.r[i], a[i], d[i])
	}
	return d
}

func (f *mulField) add(x operand.Mem) { f.addBank(f.fetch(x, f.acc)) }

func (f *mulField) double() { f.addBank(f.acc) }

// addBank may carry again in the first fold, which leaves less than c then.
func (f *mulField) addBank(x *bank) {
	d := f.plus(x)
	f.CSEL(arm64.HS, cReg, arm64.ZR, low)
	f.ADDS(low, d[0], d[0])
	for _, r := range d[1:] {
		f.ADCS(arm64.ZR, r, r)
	}
	f.CSEL(arm64.HS, cReg, arm64.ZR, low)
	f.ADD(low, d[0], d[0])
}

func (f *mulField) sub(x operand.Mem) { f.takeBorrow(f.minus(f.fetch(x, f.acc))) }

// takeBorrow takes c away when there is a borrow, and again: the first time leaves more
// than 2²⁵⁶ − c if it borrows.
func (f *mulField) takeBorrow(d []arm64.GP) {
	f.CSEL(arm64.LO, cReg, arm64.ZR, low)
	f.SUBS(low, d[0], d[0])
	for _, r := range d[1:] {
		f.SBCS(arm64.ZR, r, r)
	}
	f.CSEL(arm64.LO, cReg, arm64.ZR, low)
	f.SUB(low, d[0], d[0])
}

func (f *mulField) neg() {
	a, d := f.change(nil)
	f.NEGS(a[0], d[0])
	for i := 1; i < 4; i++ {
		f.NGCS(a[i], d[i])
	}
	f.takeBorrow(d)
}

// sum has in high what goes above the fourth limb, which has a sign. Its fold, by a few
// times c, leaves less than that above zero if it carries, and no more below 2²⁵⁶ if it
// borrows, so that the second one changes the lowest limb alone.
func (f *mulField) sum(add, take []operand.Mem) {
	above := arm64.ZR
	for _, x := range add {
		f.plus(f.fetch(x, f.acc))
		f.ADC(arm64.ZR, above, high)
		above = high
	}
	for _, x := range take {
		f.minus(f.fetch(x, f.acc))
		f.SBC(arm64.ZR, above, high)
		above = high
	}
	d := f.acc.r
	f.MUL(cReg, high, low)
	f.ASR(operand.Imm(63), low, high)
	f.ADDS(low, d[0], d[0])
	for _, r := range d[1:] {
		f.ADCS(high, r, r)
	}
	f.ADC(arm64.ZR, high, high)
	f.MADD(cReg, d[0], high, d[0])
}

// half takes x/2 for an even value x, and for an odd one (x + p)/2, which is
// ⌊x/2⌋ + 2²⁵⁵ − ⌊c/2⌋.
func (f *mulField) half() {
	a, d := f.change(nil)
	f.AND(operand.Imm(1), a[0], low)
	f.NEG(low, high)
	f.AND(cReg.LSR(1), high, high)
	for i := range 3 {
		f.EXTR(operand.Imm(1), a[i], a[i+1], d[i])
	}
	f.LSR(operand.Imm(1), a[3], d[3])
	f.ORR(low.LSL(63), d[3], d[3])
	f.SUBS(high, d[0], d[0])
	f.SBCS(arm64.ZR, d[1], d[1])
	f.SBCS(arm64.ZR, d[2], d[2])
	f.SBC(arm64.ZR, d[3], d[3])
}

func (f *mulField) isZero(x, mask operand.Mem) {
	f.compareZero(x)
	f.CSETM(arm64.EQ, low)
	f.MOVD(low, mask)
}

func (f *mulField) ifZero(x operand.Mem, label string) {
	f.compareZero(x)
	f.BEQ(operand.LabelRef(label))
}

// compareZero sets the flags to equal if x is 0 or p, to not equal if it is neither.
func (f *mulField) compareZero(x operand.Mem) {
	const equal, unequal = 4, 0
	b := f.fetch(x, f.acc).r
	f.ORR(b[1], b[0], low)
	f.ORR(b[2], low, low)
	f.ORR(b[3], low, low) // 0 if x is
	f.AND(b[2], b[1], high)
	f.AND(b[3], high, high)
	f.MVN(high, high) // 0 if the upper limbs are those of p
	f.CMN(cReg, b[0]) // equal if the lower limb is, which is −c
	f.CCMP(arm64.EQ, high, operand.Imm(0), operand.Imm(unequal))
	f.CCMP(arm64.NE, low, operand.Imm(0), operand.Imm(equal))
}

func (f *mulField) choose(x, mask operand.Mem) {
	b := f.fetch(x, f.acc)
	f.testMask(mask)
	a, d := f.change(b)
	for i := range d {
		f.CSEL(arm64.NE, b.r[i], a[i], d[i])
	}
}

func (f *mulField) chooseOne(mask operand.Mem) {
	f.testMask(mask)
	a, d := f.change(nil)
	f.MOVD(operand.Imm(1), low)
	f.CSEL(arm64.NE, low, a[0], d[0])
	for i := 1; i < 4; i++ {
		f.CSEL(arm64.NE, arm64.ZR, a[i], d[i])
	}
}

// testMask sets the flags to not equal where the mask is all ones.
func (f *mulField) testMask(mask operand.Mem) {
	f.MOVD(mask, low)
	f.CMP(operand.Imm(0), low)
}

func (f *mulField) wipe(elements ...operand.Mem) {
	for _, e := range elements {
		for i := 0; i < f.sizes.of(e); i += 16 {
			f.wipeMasks(e.Offset(i))
		}
	}
}

func (f *mulField) wipeMasks(masks operand.Mem) {
	f.STP(arm64.Pair{arm64.ZR, arm64.ZR}, masks)
}

func (f *mulField) counter() operand.Mem {
	n := f.AllocLocal(8)
	f.Load(f.Param("n"), low)
	f.MOVD(low, n)
	return n
}

func (f *mulField) again(n operand.Mem, label string) {
	f.MOVD(n, low)
	f.SUB(operand.Imm(1), low, low)
	f.MOVD(low, n)
	f.CBNZ(low, operand.LabelRef(label))
}

func (f *mulField) result(v uint8) {
	f.MOVD(operand.Imm(uint64(v)), low)
	f.Store(low, f.ReturnIndex(0))
	f.RET()
}

func (f *mulField) sqrNFunc() {
	f.routine("sqrN", sqrN)
	f.begin()
	f.point("x", from)
	f.point("z", to)
	f.load(f.at(from, 0))
	n := pointersMUL[from]
	f.Load(f.Param("n"), n)
	f.Label("square")
	f.reduce(f.square(f.acc), f.acc)
	f.SUB(operand.Imm(1), n, n)
	f.CBNZ(n, "square")
	f.store(f.at(to, 0))
	f.RET()
}

func (f *mulField) lookupFunc() {
	f.routine("lookup", lookup)
	v := arm64.V
	index, counter, one, mask := v[0], v[1], v[2], v[3]
	entry, found := v[4:8], v[16:20]
	f.begin()
	f.Load(f.Param("i"), low)
	f.VDUP(low, index.D2())
	f.MOVD(operand.Imm(1), low)
	f.VDUP(low, one.D2())
	for _, r := range append([]arm64.Vec{counter}, found...) {
		f.VMOVI(operand.Imm(0), r.B16())
	}
	f.point("table", from)
	f.Load(f.Param("n"), high)
	f.Label("entry")
	f.VCMEQ(counter.D2(), index.D2(), mask.D2())
	f.VADD(one.D2(), counter.D2(), counter.D2())
	f.FLDPQ(f.at(from, pointX), entry[0], entry[1])
	f.FLDPQ(f.at(from, pointY), entry[2], entry[3])
	f.ADD(operand.Imm(64), pointersMUL[from], pointersMUL[from])
	for i := range found {
		f.VBIT(mask.B16(), entry[i].B16(), found[i].B16())
	}
	f.SUB(operand.Imm(1), high, high)
	f.CBNZ(high, "entry")

	f.point("z", to)
	f.FSTPQ(found[0], found[1], f.at(to, pointX))
	f.FSTPQ(found[2], found[3], f.at(to, pointY))
	f.load(f.at(to, pointY))
	y := f.acc.r
	f.neg()
	f.Load(f.Param("neg"), low)
	f.CMP(operand.Imm(0), low)
	for i, r := range f.acc.r {
		f.CSEL(arm64.NE, r, y[i], r)
	}
	f.store(f.at(to, pointY))
	f.RET()
}
