package secp256k1

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/emit"
)

// lanes emits the tier ifma: arithmetic of elements side by side, each in its lane of 64
// bits. There are four lanes for the products of one point operation (four), eight for as
// many operations (eight).
//
// Inside a routine an element is five limbs of 52 bits, the least significant first, each
// in a register of its own. It is carried when its lower limbs are below 2⁵² and the
// last below 2⁴⁹: factors have to be, since the multiplier takes no more than 52 bits.
// Products and what is added to them are columns, limbs below 2⁶³ that carry has yet to
// bring there.
type lanes struct {
	*emit.Generator
	// The factors of a product are in left and right, where they stay; its columns come to
	// lie in columns, and take uppers besides.
	left, right, columns, uppers five
	r, low, low48                reg.VecPhysical // 2²⁶⁰ modulo p, 2⁵² − 1, 2⁴⁸ − 1
	c                            operand.Mem     // 2²⁵⁶ modulo p
	zeroed                       operand.Mem     // limbs of a multiple of p, each more than eight columns of a product, which are below 2⁵⁶
	bytes                        int             // in a register
}

// five is an element in registers, or its columns.
type five []reg.VecPhysical

// slot is an element in memory, limb after limb.
type slot struct {
	operand.Mem
	bytes int // of a limb in all lanes
}

func (s slot) limb(i int) operand.Mem { return s.Offset(s.bytes * i) }

// vectors are registers, without number 15, which Go keeps zero, and the last three, which
// hold constants.
func (f *lanes) vectors(first, n int) (v five) {
	for _, r := range []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10,
		reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y16, reg.Y17, reg.Y18, reg.Y19, reg.Y20,
		reg.Y21, reg.Y22, reg.Y23, reg.Y24, reg.Y25, reg.Y26, reg.Y27, reg.Y28,
	}[first : first+n] {
		v = append(v, f.wide(r))
	}
	return v
}

// wide is a register of all the lanes.
func (f *lanes) wide(r reg.VecPhysical) reg.VecPhysical {
	if f.bytes == 64 {
		return r.AsZ().(reg.VecPhysical)
	}
	return r
}

// newLanes makes four lanes and eight.
func newLanes(g *emit.Generator) (four, eight) {
	fold := lanesTable(g, "foldAt256", c)
	// 2²⁶⁸ − 2¹²·c = 2¹²·p, where a limb that lends 2⁸ gives 2⁶⁰ to the one below.
	zeroed := lanesTable(g, "multipleOfP", 1<<60-c<<12, 1<<60-1<<8, 1<<60-1<<8, 1<<60-1<<8, 1<<60-1<<8)
	lanes := func(bytes int) *lanes {
		f := &lanes{Generator: g, c: fold, zeroed: zeroed, bytes: bytes}
		f.left, f.right, f.columns, f.uppers = f.vectors(0, 5), f.vectors(5, 5), f.vectors(10, 9), f.vectors(19, 9)
		f.r, f.low, f.low48 = f.wide(reg.Y29), f.wide(reg.Y30), f.wide(reg.Y31)
		return f
	}
	return four{lanes(32)}, eight{lanes(64)}
}

// lanesTable makes a table that has each limb in eight lanes.
func lanesTable(g *emit.Generator, name string, limbs ...uint64) operand.Mem {
	m := g.StaticGlobal(name)
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, v := range limbs {
		for lane := range 8 {
			g.AddDatum(64*i+8*lane, operand.U64(v))
		}
	}
	return m
}

func (f *lanes) routine(name string, c contract) {
	c.spec.Tier = "ifma"
	f.Func(name+"IFMA", c.signature, c.spec, named(c.doc, "IFMA"))
}

func (f *lanes) slot() slot { return slot{f.AllocLocal(5 * f.bytes), f.bytes} }

// begin loads the constants.
func (f *lanes) begin() {
	t := f.GP64()
	for _, v := range []struct {
		to    reg.VecPhysical
		value uint64
	}{{f.r, c << 4}, {f.low, 1<<52 - 1}, {f.low48, 1<<48 - 1}} {
		f.MOVQ(operand.U64(v.value), t)
		f.VPBROADCASTQ(t, v.to)
	}
}

// end wipes the slots and returns.
func (f *lanes) end(slots ...slot) {
	zero := f.left[0]
	f.VPXORQ(zero, zero, zero)
	for _, s := range slots {
		for i := range 5 {
			f.VMOVDQU64(zero, s.limb(i))
		}
	}
	f.VZEROUPPER()
	f.RET()
}

// split makes five limbs of the four in w. It takes a register of uppers.
func (f *lanes) split(w, to five) {
	t := f.uppers[8]
	f.VPSRLQ(operand.Imm(16), w[3], to[4])
	for i := 3; i >= 1; i-- { // limb i has the upper bits of w[i−1] and lower ones of w[i]
		f.VPSRLQ(operand.Imm(uint64(64-12*i)), w[i-1], t)
		f.VPSLLQ(operand.Imm(uint64(12*i)), w[i], to[i])
		f.VPTERNLOGQ(operand.Imm(0xa8), f.low, t, to[i]) // (to | t) & low
	}
	f.VPANDQ(w[0], f.low, to[0])
}

// pack makes limbs of 64 bits of x, as carry leaves it, in uppers[1:5]. It takes uppers[0].
func (f *lanes) pack(x five) five {
	// The last limb is at most 2⁴⁸ + 2¹¹. Its bit 48 goes round once more, as c, and is shifted out
	// below; where it is set, the rest of the limb is too small for another one.
	t, w := f.uppers[0], f.uppers[1:5]
	f.VPSRLQ(operand.Imm(48), x[4], t)
	f.VPMADD52LUQ(f.c, t, x[0])
	f.ripple(x)

	f.VPSLLQ(operand.Imm(52), x[1], t)
	f.VPORQ(x[0], t, w[0])
	for i := 1; i < 4; i++ {
		f.VPSRLQ(operand.Imm(uint64(12*i)), x[i], t)
		f.VPSLLQ(operand.Imm(uint64(52-12*i)), x[i+1], w[i])
		f.VPORQ(t, w[i], w[i])
	}
	return w
}

// ripple carries from limb to limb, where the lower ones are below 2⁵³. It takes a register of
// uppers.
func (f *lanes) ripple(x five) {
	t := f.uppers[0]
	for i := range 4 {
		f.VPSRLQ(operand.Imm(52), x[i], t)
		f.VPADDQ(t, x[i+1], x[i+1])
		f.VPANDQ(x[i], f.low, x[i])
	}
}

// carry makes carried elements of columns below 2⁶³. First every limb gives what is above
// it to the next one at once, the last one to the first, times c: that is below 2⁴⁸.
// Then a carry of one may ripple through, and the last limb is at most 2⁴⁸ + 2¹¹.
// It takes five registers of uppers.
func (f *lanes) carry(d, to five) {
	t := f.uppers[:5]
	f.VPSRLQ(operand.Imm(48), d[4], t[4])
	for i := range 4 {
		f.VPSRLQ(operand.Imm(52), d[i], t[i])
	}
	for i := range 4 {
		f.VPANDQ(d[i], f.low, to[i])
	}
	f.VPANDQ(d[4], f.low48, to[4])
	f.VPMADD52LUQ(f.c, t[4], to[0])
	for i := range 4 {
		f.VPADDQ(t[i], to[i+1], to[i+1])
	}
	f.ripple(to)
}

// product sets the first five of columns to x·y of two carried elements: each is below
// 2⁵⁶ then.
func (f *lanes) product(x, y five) {
	for i := range 9 {
		f.VPXORQ(f.columns[i], f.columns[i], f.columns[i])
		f.VPXORQ(f.uppers[i], f.uppers[i], f.uppers[i])
	}
	for k := range 9 {
		for i := range 5 {
			if j := k - i; j >= 0 && j < 5 {
				f.VPMADD52LUQ(x[i], y[j], f.columns[k])
				f.VPMADD52HUQ(x[i], y[j], f.uppers[k]) // belongs to column k+1
			}
		}
	}
	for i := 1; i < 9; i++ {
		f.VPADDQ(f.uppers[i-1], f.columns[i], f.columns[i])
	}
	f.fold()
}

// square is product of an element with itself: what comes twice is added up apart.
func (f *lanes) square(x five) {
	for i := range 9 {
		f.VPXORQ(f.columns[i], f.columns[i], f.columns[i])
		f.VPXORQ(f.uppers[i], f.uppers[i], f.uppers[i])
	}
	for j := range 5 {
		for i := range j {
			f.VPMADD52LUQ(x[i], x[j], f.uppers[i+j-1]) // half of what belongs to column i+j
			f.VPMADD52HUQ(x[i], x[j], f.uppers[i+j])
		}
		f.VPMADD52LUQ(x[j], x[j], f.columns[2*j])
		above := f.uppers[8]
		if j < 4 {
			above = f.columns[2*j+1]
		}
		f.VPMADD52HUQ(x[j], x[j], above)
	}
	for i := 1; i < 9; i++ {
		f.VPADDQ(f.uppers[i-1], f.uppers[i-1], f.uppers[i-1])
		f.VPADDQ(f.uppers[i-1], f.columns[i], f.columns[i])
	}
	f.fold()
}

// fold brings the ten columns of a product, the last one in uppers[8], down to five.
func (f *lanes) fold() {
	// 2²⁶⁰ is r, so that column 5+i goes into column i, times r: its lower 52 bits give a low
	// half to column i and a high half to the next one, where the few bits above 52 go too.
	// Column 9 is below 2⁴⁶; the high half that it gives, below 2³¹, is for a column 5, and so
	// is taken times r once more.
	top, q := f.uppers[8], f.uppers[7]
	above, t := f.uppers[:5], f.uppers[5]
	for i := 1; i < 5; i++ {
		f.VPXORQ(above[i], above[i], above[i])
	}
	f.VPXORQ(q, q, q)
	f.VPMADD52HUQ(top, f.r, q)
	for i := range 4 {
		f.VPSRLQ(operand.Imm(52), f.columns[5+i], t)
		f.VPMADD52LUQ(f.columns[5+i], f.r, f.columns[i])
		f.VPMADD52HUQ(f.columns[5+i], f.r, above[i+1])
		f.VPMADD52LUQ(t, f.r, above[i+1])
	}
	f.VPMADD52LUQ(top, f.r, f.columns[4])
	f.VPMADD52LUQ(q, f.r, f.columns[0])
	f.VPMADD52HUQ(q, f.r, f.columns[1])
	for i := 1; i < 5; i++ {
		f.VPADDQ(above[i], f.columns[i], f.columns[i])
	}
}

// save stores an element.
func (f *lanes) save(x five, s slot) {
	for i := range 5 {
		f.VMOVDQU64(x[i], s.limb(i))
	}
}
