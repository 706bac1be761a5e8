package secp256k1

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// lanes emits the tier ifma: a point operation with up to four products of the field at
// once, each in its lane of 64 bits.
//
// Inside a routine an element is five limbs of 52 bits, the least significant first, each
// in a register of its own. It is carried when its lower limbs are below 2⁵² and the
// last below 2⁴⁹: factors have to be, since the multiplier takes no more than 52 bits.
// Products and what is added to them are columns, limbs below 2⁶³ that carry has yet to
// bring there.
type lanes struct {
	*emit.Generator
	r, low, low48 reg.VecPhysical // 2²⁶⁰ modulo p, 2⁵² − 1, 2⁴⁸ − 1
	c             operand.Mem     // 2²⁵⁶ modulo p
	zeroed        operand.Mem     // limbs of a multiple of p, each more than eight columns of a product, which are below 2⁵⁶
}

// five is an element in registers, or its columns.
type five []reg.VecPhysical

// slot is an element in the frame.
type slot operand.Mem

func (s slot) limb(i int) operand.Mem { return operand.Mem(s).Offset(32 * i) }

// The registers, without Y15, which Go keeps zero. The factors of a product are in left and
// right, where they stay; its columns come to lie in columns, and take uppers besides.
var (
	left    = vectors(0, 5)
	right   = vectors(5, 5)
	columns = vectors(10, 9)
	uppers  = vectors(19, 9)
)

func vectors(first, n int) (v five) {
	for i := range n {
		v = append(v, []reg.VecPhysical{
			reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10,
			reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y16, reg.Y17, reg.Y18, reg.Y19, reg.Y20,
			reg.Y21, reg.Y22, reg.Y23, reg.Y24, reg.Y25, reg.Y26, reg.Y27, reg.Y28,
		}[first+i])
	}
	return v
}

// The masks of lanes.
var (
	lane0, lane1, lane2, lane3 = reg.K1, reg.K2, reg.K3, reg.K4
	lanes02, lanes12, lanes013 = reg.K5, reg.K6, reg.K7
)

var laneMasks = []struct {
	mask reg.Register
	bits uint32
}{{lane0, 1}, {lane1, 2}, {lane2, 4}, {lane3, 8}, {lanes02, 5}, {lanes12, 6}, {lanes013, 11}}

func newLanes(g *emit.Generator) *lanes {
	f := &lanes{Generator: g, r: reg.Y29, low: reg.Y30, low48: reg.Y31}
	f.c = f.table("foldAt256", c)
	// 2²⁶⁸ − 2¹²·c = 2¹²·p, where a limb that lends 2⁸ gives 2⁶⁰ to the one below.
	f.zeroed = f.table("multipleOfP", 1<<60-c<<12, 1<<60-1<<8, 1<<60-1<<8, 1<<60-1<<8, 1<<60-1<<8)
	return f
}

// table makes a table that has each limb in all lanes.
func (f *lanes) table(name string, limbs ...uint64) operand.Mem {
	m := f.StaticGlobal(name)
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, v := range limbs {
		for lane := range 4 {
			f.AddDatum(32*i+8*lane, operand.U64(v))
		}
	}
	return m
}

func (f *lanes) routine(name string, c contract) {
	c.spec.Tier = "ifma"
	f.Func(name+"IFMA", c.signature, c.spec, named(c.doc, "IFMA"))
}

func (f *lanes) slot() slot { return slot(f.AllocLocal(5 * 32)) }

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
	for _, m := range laneMasks {
		f.MOVL(operand.U32(m.bits), t.As32())
		f.KMOVW(t.As32(), m.mask)
	}
}

// end wipes the slots and returns.
func (f *lanes) end(slots ...slot) {
	f.VPXOR(reg.Y0, reg.Y0, reg.Y0)
	for _, s := range slots {
		for i := range 5 {
			f.VMOVDQU(reg.Y0, s.limb(i))
		}
	}
	f.VZEROUPPER()
	f.RET()
}

// load puts the four limbs of 64 bits at x into all lanes of w, or into those of a mask.
func (f *lanes) load(x operand.Mem, w five, masks ...reg.Register) {
	for i := range 4 {
		if len(masks) == 0 {
			f.VPBROADCASTQ(limb(x, i), w[i])
		} else {
			f.VPBROADCASTQ(limb(x, i), masks[0], w[i])
		}
	}
}

// split makes five limbs of the four in w. It takes a register of uppers.
func (f *lanes) split(w, to five) {
	t := uppers[8]
	f.VPSRLQ(operand.Imm(16), w[3], to[4])
	for i := 3; i >= 1; i-- { // limb i has the upper bits of w[i−1] and lower ones of w[i]
		f.VPSRLQ(operand.Imm(uint64(64-12*i)), w[i-1], t)
		f.VPSLLQ(operand.Imm(uint64(12*i)), w[i], to[i])
		f.VPTERNLOGQ(operand.Imm(0xa8), f.low, t, to[i]) // (to | t) & low
	}
	f.VPANDQ(w[0], f.low, to[0])
}

// store writes the elements of three lanes, as carry leaves them, to where they belong.
func (f *lanes) store(x five, to [3]operand.Mem) {
	// The last limb is at most 2⁴⁸ + 2¹¹. Its bit 48 goes round once more, as c, and is shifted out
	// below; where it is set, the rest of the limb is too small for another one.
	t, w := uppers[0], uppers[1:5]
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
	even, odd := uppers[5:7], uppers[7:9]
	for i := range 2 {
		f.VPUNPCKLQDQ(w[2*i+1], w[2*i], even[i])
		f.VPUNPCKHQDQ(w[2*i+1], w[2*i], odd[i])
	}
	f.VINSERTI32X4(operand.Imm(1), even[1].AsX(), even[0], w[0])
	f.VINSERTI32X4(operand.Imm(1), odd[1].AsX(), odd[0], w[1])
	f.VSHUFI64X2(operand.Imm(3), even[1], even[0], w[2])
	for i := range 3 {
		f.VMOVDQU64(w[i], to[i])
	}
}

// ripple carries from limb to limb, where the lower ones are below 2⁵³. It takes a register of
// uppers.
func (f *lanes) ripple(x five) {
	t := uppers[0]
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
	t := uppers[:5]
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
		f.VPXORQ(columns[i], columns[i], columns[i])
		f.VPXORQ(uppers[i], uppers[i], uppers[i])
	}
	for k := range 9 {
		for i := range 5 {
			if j := k - i; j >= 0 && j < 5 {
				f.VPMADD52LUQ(x[i], y[j], columns[k])
				f.VPMADD52HUQ(x[i], y[j], uppers[k]) // belongs to column k+1
			}
		}
	}
	for i := 1; i < 9; i++ {
		f.VPADDQ(uppers[i-1], columns[i], columns[i])
	}
	f.fold()
}

// square is product of an element with itself: what comes twice is added up apart.
func (f *lanes) square(x five) {
	for i := range 9 {
		f.VPXORQ(columns[i], columns[i], columns[i])
		f.VPXORQ(uppers[i], uppers[i], uppers[i])
	}
	for j := range 5 {
		for i := range j {
			f.VPMADD52LUQ(x[i], x[j], uppers[i+j-1]) // half of what belongs to column i+j
			f.VPMADD52HUQ(x[i], x[j], uppers[i+j])
		}
		f.VPMADD52LUQ(x[j], x[j], columns[2*j])
		above := uppers[8]
		if j < 4 {
			above = columns[2*j+1]
		}
		f.VPMADD52HUQ(x[j], x[j], above)
	}
	for i := 1; i < 9; i++ {
		f.VPADDQ(uppers[i-1], uppers[i-1], uppers[i-1])
		f.VPADDQ(uppers[i-1], columns[i], columns[i])
	}
	f.fold()
}

// fold brings the ten columns of a product, the last one in uppers[8], down to five.
func (f *lanes) fold() {
	// 2²⁶⁰ is r, so that column 5+i goes into column i, times r: its lower 52 bits give a low
	// half to column i and a high half to the next one, where the few bits above 52 go too.
	// Column 9 is below 2⁴⁶; the high half that it gives, below 2³¹, is for a column 5, and so
	// is taken times r once more.
	top, q := uppers[8], uppers[7]
	above, t := uppers[:5], uppers[5]
	for i := 1; i < 5; i++ {
		f.VPXORQ(above[i], above[i], above[i])
	}
	f.VPXORQ(q, q, q)
	f.VPMADD52HUQ(top, f.r, q)
	for i := range 4 {
		f.VPSRLQ(operand.Imm(52), columns[5+i], t)
		f.VPMADD52LUQ(columns[5+i], f.r, columns[i])
		f.VPMADD52HUQ(columns[5+i], f.r, above[i+1])
		f.VPMADD52LUQ(t, f.r, above[i+1])
	}
	f.VPMADD52LUQ(top, f.r, columns[4])
	f.VPMADD52LUQ(q, f.r, columns[0])
	f.VPMADD52HUQ(q, f.r, columns[1])
	for i := 1; i < 5; i++ {
		f.VPADDQ(above[i], columns[i], columns[i])
	}
}

// save stores an element.
func (f *lanes) save(x five, s slot) {
	for i := range 5 {
		f.VMOVDQU64(x[i], s.limb(i))
	}
}

// merge replaces lanes of x by those of a slot.
func (f *lanes) merge(s slot, mask reg.Register, x five) {
	for i := range 5 {
		f.VMOVDQU64(s.limb(i), mask, x[i])
	}
}

// blend copies x to another element, but for the lanes of a mask, which come from a slot.
func (f *lanes) blend(s slot, mask reg.Register, x, to five) {
	for i := range 5 {
		f.VPBLENDMQ(s.limb(i), x[i], mask, to[i])
	}
}

// all is the constant of VPERMQ that puts a lane into all.
func all(lane uint64) operand.Constant { return operand.Imm(lane * 0b01010101) }

func (f *lanes) group() {
	f.raise4Func()
	f.doubleNFunc()
	f.addDistinct("addMixedDistinct", addMixedDistinct, false, false)
	f.addDistinct("addMixedVartime", addMixedVartime, true, false)
	f.addDistinct("addScaledVartime", addScaledVartime, true, true)
}

// raise4Func keeps the limbs in registers from square to square.
func (f *lanes) raise4Func() {
	f.routine("raise4", contract{"func(z, x *[20]uint64, n int, y *[20]uint64)", check.Spec{}, `
{raise4} sets z = x to the power 2ⁿ times y for four elements side by side, n ≥ 1. Number
4·i + j is limb i of element j: below 2⁵² for i < 4, below 2⁴⁹ for the last, for arguments and
results alike. Any of them may be the same. Constant time in x and y.`})
	p, n := f.GP64(), f.GP64()
	f.Load(f.Param("x"), p)
	f.Load(f.Param("n"), n)
	f.begin()
	d := columns[:5]
	for i := range 5 {
		f.VMOVDQU64(operand.Mem{Base: p, Disp: 32 * i}, left[i])
	}
	f.Label("square")
	f.square(left)
	f.carry(d, left)
	f.DECQ(n)
	f.JNZ(operand.LabelRef("square"))
	f.Load(f.Param("y"), p)
	for i := range 5 {
		f.VMOVDQU64(operand.Mem{Base: p, Disp: 32 * i}, right[i])
	}
	f.product(left, right)
	f.carry(d, left)
	f.Load(f.Param("z"), p)
	for i := range 5 {
		f.VMOVDQU64(left[i], operand.Mem{Base: p, Disp: 32 * i})
	}
	f.end()
}

// doubleNFunc has three products after one another: Y², X², Y·Z; X·Y², Y⁴, E²; and
// E·(D − X₃), of the formula without its halves:
//
//	B = Y², E = 3X², D = 4·X·B
//	X₃ = E² − 2D, Y₃ = E·(D − X₃) − 8B², Z₃ = 2·Y·Z
func (f *lanes) doubleNFunc() {
	f.routine("doubleN", doubleN)
	xz, s, raw := f.slot(), f.slot(), f.slot()
	p, z := f.GP64(), f.GP64()
	n := f.GP64()
	f.Load(f.Param("p"), p)
	f.Load(f.Param("z"), z)
	f.Load(f.Param("n"), n)
	f.begin()
	at := func(i int) operand.Mem { return operand.Mem{Base: p, Disp: 32 * i} }
	w := columns[:4]
	f.load(at(pointX), w)
	f.load(at(pointZ), w, lane2)
	f.split(w, right)
	f.save(right, xz) // X, X, Z, X
	f.load(at(pointY), w)
	f.split(w, left) // Y in all lanes

	f.Label("double")
	f.blend(xz, lanes12, left, right)
	f.merge(xz, lane1, left)
	f.product(left, right) // Y², X², Y·Z, Y²
	d := columns[:5]
	for i := range 5 {
		t := uppers[i]
		f.VPADDQ(d[i], d[i], t)
		f.VPADDQ(t, d[i], lane1, d[i])
		f.VMOVDQA64(t, lane2, d[i])
	}
	f.carry(d, left) // B, E, Z₃, B
	f.save(left, s)
	f.blend(xz, lane0, left, right)
	f.product(left, right) // X·B, E², –, B²

	f.save(d, raw)
	for i := range 5 {
		ee, t := uppers[0], uppers[1]
		f.VPERMQ(all(1), d[i], ee)
		f.VPERMQ(all(0), d[i], d[i])
		f.VPSLLQ(operand.Imm(2), d[i], t)
		f.VPSLLQ(operand.Imm(3), d[i], d[i])
		f.VPADDQ(f.zeroed.Offset(32*i), t, t)
		f.VPSUBQ(ee, d[i], d[i])
		f.VPADDQ(t, d[i], right[i]) // D − X₃ = 12XB − E²
	}
	f.carry(right, right)
	for i := range 5 {
		f.VPERMQ(all(1), s.limb(i), left[i]) // E
	}
	f.product(left, right)

	// What others do not wait for goes beside the product.
	x := right
	for i := range 5 {
		t, zeroed := uppers[0], uppers[1]
		f.VMOVDQU64(f.zeroed.Offset(32*i), zeroed)
		f.VPERMQ(all(0), raw.limb(i), t)
		f.VPERMQ(all(1), raw.limb(i), x[i])
		f.VPSLLQ(operand.Imm(3), t, t)
		f.VPADDQ(x[i], zeroed, x[i])
		f.VPSUBQ(t, x[i], x[i]) // X₃ = E² − 8XB
	}
	f.carry(x, x)
	f.merge(s, lane2, x)
	f.save(x, xz)
	for i := range 5 {
		t := uppers[0]
		f.VPERMQ(all(3), raw.limb(i), t)
		f.VPSLLQ(operand.Imm(3), t, t)
		f.VPSUBQ(t, d[i], d[i])
		f.VPADDQ(f.zeroed.Offset(32*i), d[i], d[i]) // E·(D − X₃) − 8B²
	}
	f.carry(d, left)
	f.DECQ(n)
	f.JNZ(operand.LabelRef("double"))

	f.blend(xz, lanes02, left, right) // X, Y, Z, Y
	f.store(right, [3]operand.Mem{{Base: z}, {Base: z, Disp: 32}, {Base: z, Disp: 64}})
	f.end(xz, s, raw)
}

// addDistinct has five products after one another, and where q is to be scaled one more
// before them, Zₛ = Z·s, which is Z otherwise: Zₛ²; X₂·Zₛ², Y₂·Zₛ²; H², Z·H, S₂; X₁·H²,
// R², H³; and R·(V − X₃), Y₁·H³.
func (f *lanes) addDistinct(name string, c contract, vartime, scaled bool) {
	f.routine(name, c)
	zz, xy, s, r := f.slot(), f.slot(), f.slot(), f.slot()
	p, q, z := f.GP64(), f.GP64(), f.GP64()
	f.Load(f.Param("p"), p)
	f.Load(f.Param("q"), q)
	f.begin()
	at := func(p reg.Register, i int) operand.Mem { return operand.Mem{Base: p, Disp: 32 * i} }
	w, d := columns[:4], columns[:5]
	f.load(at(p, pointZ), w)
	f.split(w, left)
	if scaled {
		by := f.GP64()
		f.Load(f.Param("s"), by)
		f.load(at(by, 0), w)
		f.split(w, right)
		f.product(left, right)
		f.carry(d, right)
		for i := range 5 {
			f.VMOVDQA64(right[i], lane2, left[i])
		}
		f.save(left, zz) // Z, Z, Zₛ, Z
		f.square(right)
	} else {
		f.save(left, zz)
		f.square(left)
	}
	f.carry(d, left)
	f.load(at(p, pointX), w)
	f.load(at(p, pointY), w, lane2)
	f.split(w, right)
	f.save(right, xy) // X₁, X₁, Y₁, X₁
	f.load(at(q, pointX), w)
	f.load(at(q, pointY), w, lane2)
	f.split(w, right)

	f.product(left, right)
	f.subtract(xy, lanes013)
	f.carry(d, left) // H = U₂ − X₁, H, Y₂·Zₛ², H
	f.save(left, s)
	if vartime {
		f.ifZero(left, "equal")
	}

	f.blend(zz, lanes12, left, right)
	f.product(left, right)
	f.subtract(xy, lane2)
	f.carry(d, left) // H², Z₃ = Z·H, R = S₂ − Y₁, H²
	f.save(left, r)

	f.blend(xy, lane0, left, right)
	f.merge(s, lane3, right)
	f.product(left, right) // V = X₁·H², –, R², H³
	for i := range 5 {
		v, rr, t, zeroed := uppers[0], uppers[1], uppers[2], uppers[3]
		f.VPERMQ(all(0), d[i], v)
		f.VPERMQ(all(2), d[i], rr)
		f.VPERMQ(all(3), d[i], t)
		f.VMOVDQU64(f.zeroed.Offset(32*i), zeroed)
		f.VPADDQ(v, t, t)
		f.VPADDQ(v, t, t) // 2V + H³
		f.VPADDQ(v, zeroed, v)
		f.VPADDQ(t, v, v)
		f.VPSUBQ(rr, v, lane2, d[i]) // V − X₃ = 3V + H³ − R²
		f.VPADDQ(rr, zeroed, rr)
		f.VPSUBQ(t, rr, lane0, d[i]) // X₃ = R² − H³ − 2V
	}
	f.carry(d, right) // X₃, –, V − X₃, H³

	for i := range 5 {
		f.VPERMQ(all(2), xy.limb(i), lane3, left[i]) // –, –, R, Y₁
	}
	f.product(left, right)
	for i := range 5 {
		t := uppers[0]
		f.VPSHUFD(operand.Imm(0x4e), d[i], t)
		f.VPADDQ(f.zeroed.Offset(32*i), d[i], d[i])
		f.VPSUBQ(t, d[i], d[i])
	}
	f.carry(d, left) // –, –, Y₃ = R·(V − X₃) − Y₁·H³, –
	f.merge(r, lane1, right)
	for i := range 5 {
		f.VMOVDQA64(left[i], lane2, right[i])
	}
	f.Load(f.Param("z"), z)
	f.store(right, [3]operand.Mem{at(z, pointX), at(z, pointZ), at(z, pointY)})
	if !vartime {
		f.end(zz, xy, s, r)
		return
	}
	f.result(1)
	f.Label("equal")
	f.result(0)
}

// subtract takes lanes of a slot from columns.
func (f *lanes) subtract(s slot, mask reg.Register) {
	for i := range 5 {
		t := uppers[0]
		f.VMOVDQU64(f.zeroed.Offset(32*i), t)
		f.VPSUBQ(s.limb(i), t, t)
		f.VPADDQ(t, columns[i], mask, columns[i])
	}
}

// ifZero goes to the label if lane 0 of a difference, public and carried, is zero modulo p. It
// is p then. For the columns stand for m·p with m ≥ 1, and carry takes p away t times, where
// t·2²⁵⁶ ≤ m·p: so t < m, and at least p is left, and less than 2p as of everything carried.
func (f *lanes) ifZero(x five, label string) {
	t, other := uppers[0], uppers[1]
	f.VPADDQ(f.c, x[0], other) // 2⁵² where it is the first limb of p
	f.VPANDQ(other, f.low, other)
	for i, ones := range []reg.VecPhysical{f.low, f.low, f.low, f.low48} {
		f.VPXORQ(x[i+1], ones, t)
		f.VPORQ(t, other, other)
	}
	bits := f.GP64()
	f.VMOVQ(other.AsX(), bits)
	f.TESTQ(bits, bits)
	f.JZ(operand.LabelRef(label))
}

func (f *lanes) result(v uint8) {
	f.VZEROUPPER()
	f.MOVB(operand.Imm(uint64(v)), reg.AL)
	f.Store(reg.AL, f.ReturnIndex(0))
	f.RET()
}
