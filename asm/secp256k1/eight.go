package secp256k1

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
)

// eight emits operations of eight elements or points side by side, each in its lane. In
// memory too an element is five carried limbs, each in all lanes, and points are two or
// three elements.
type eight struct{ *lanes }

func (f eight) group() {
	f.raise8Func()
	f.doubleN8Func()
	f.addMixedDistinct8Func()
	f.addCoZ8Func()
	f.lookup8Func()
	f.mulDifference8Func()
	f.addAffine8Func()
}

// routine begins one that may grow the stack, since its frame is larger than one that may not
// can have.
func (f eight) routine(name string, c contract) {
	f.lanes.routine(name, c)
	f.Attributes(0)
}

// eightLimbs is the number of limbs of eight elements.
const eightLimbs = 5 * 8

// pointer loads an argument.
func (f eight) pointer(name string) reg.Register { return f.Load(f.Param(name), f.GP64()) }

// at is element number i behind a pointer.
func (f eight) at(p reg.Register, i int) slot {
	return slot{operand.Mem{Base: p, Disp: 8 * eightLimbs * i}, f.bytes}
}

// load puts an element into registers.
func (f eight) load(s slot, x five) {
	for i := range 5 {
		f.VMOVDQU64(s.limb(i), x[i])
	}
}

// mul and sqr set the result to a product of carried elements.
func (f eight) mul(x, y slot) {
	f.load(x, f.left)
	f.load(y, f.right)
	f.product(f.left, f.right)
}

func (f eight) sqr(x slot) {
	f.load(x, f.left)
	f.square(f.left)
}

// result is where the columns of products come to lie.
func (f eight) result() five { return f.columns[:5] }

// keep carries the result and stores it.
func (f eight) keep(z slot) {
	f.carry(f.result(), f.left)
	f.save(f.left, z)
}

// zero is a limb of a multiple of p, from which limbs of up to eight products may be taken.
func (f eight) zero(limb int) operand.Mem { return f.zeroed.Offset(64 * limb) }

// subtract takes an element, carried or not, from the result.
func (f eight) subtract(x slot) {
	for i, d := range f.result() {
		f.VPADDQ(f.zero(i), d, d)
		f.VPSUBQ(x.limb(i), d, d)
	}
}

// difference sets z = x − y, carried elements.
func (f eight) difference(x, y, z slot) {
	f.load(x, f.result())
	f.subtract(y)
	f.keep(z)
}

func (f eight) raise8Func() {
	f.routine("raise8", contract{"func(z, x *[40]uint64, n int, y *[40]uint64)", check.Spec{}, `
{raise8} sets z to x to the power 2ⁿ, times y, for eight elements side by side, n ≥ 0. Number
8·i + j is limb i of element j: below 2⁵² for i < 4, below 2⁴⁹ for the last, for arguments
and results alike. Any of them may be the same. Constant time in x and y.`})
	n := f.Load(f.Param("n"), f.GP64())
	f.load(f.at(f.pointer("x"), 0), f.left)
	f.begin()
	f.TESTQ(n, n)
	f.JZ(operand.LabelRef("multiply"))
	f.Label("square")
	f.square(f.left)
	f.carry(f.result(), f.left)
	f.DECQ(n)
	f.JNZ(operand.LabelRef("square"))
	f.Label("multiply")
	f.load(f.at(f.pointer("y"), 0), f.right)
	f.product(f.left, f.right)
	f.keep(f.at(f.pointer("z"), 0))
	f.end()
}

// doubleN8Func leaves out the halves of the formula:
//
//	B = Y², E = 3X², D = 4·X·B
//	X₃ = E² − 2D, Y₃ = E·(D − X₃) − 8B², Z₃ = 2·Y·Z
func (f eight) doubleN8Func() {
	f.routine("doubleN8", contract{"func(z, p *[120]uint64, n int)", check.Spec{}, `
{doubleN8} sets z = 2ⁿ·p for eight Jacobian points side by side, n ≥ 1, for infinity too.
Their coordinates are as for {raise8}. The two may be the same. Constant time in p.

3 multiplications and 4 squarings a step (Explicit-Formulas Database, dbl-2009-l).`})
	e, b, xb, bb := f.slot(), f.slot(), f.slot(), f.slot()
	p, to := f.pointer("p"), f.pointer("z")
	n := f.Load(f.Param("n"), f.GP64())
	f.begin()
	for i := range 3 {
		f.load(f.at(p, i), f.left)
		f.save(f.left, f.at(to, i))
	}
	x, y, z := f.at(to, pointX), f.at(to, pointY), f.at(to, pointZ)
	f.Label("double")
	f.sqr(x)
	for _, d := range f.result() {
		t := f.uppers[0]
		f.VPADDQ(d, d, t)
		f.VPADDQ(t, d, d)
	}
	f.keep(e)
	f.sqr(y)
	f.keep(b)
	f.mul(y, z)
	for _, d := range f.result() {
		f.VPADDQ(d, d, d)
	}
	f.keep(z)
	f.mul(x, b)
	f.save(f.result(), xb)
	f.sqr(b)
	for _, d := range f.result() {
		f.VPSLLQ(operand.Imm(3), d, d)
	}
	f.save(f.result(), bb)
	f.sqr(e)
	for i, d := range f.result() {
		d2, t := f.uppers[0], f.uppers[1]
		f.VMOVDQU64(xb.limb(i), t)
		f.VPSLLQ(operand.Imm(3), t, d2)
		f.VPSLLQ(operand.Imm(2), t, t)
		f.VPADDQ(d2, t, t)
		f.VPADDQ(f.zero(i), t, t)
		f.VPSUBQ(d, t, f.right[i]) // D − X₃ = 12XB − E²
		f.VPADDQ(f.zero(i), d, d)
		f.VPSUBQ(d2, d, d) // X₃ = E² − 8XB
	}
	f.carry(f.right, f.right)
	f.keep(x)
	f.load(e, f.left)
	f.product(f.left, f.right)
	f.subtract(bb)
	f.keep(y)
	f.DECQ(n)
	f.JNZ(operand.LabelRef("double"))
	f.end(e, b, xb, bb)
}

func (f eight) addMixedDistinct8Func() {
	f.routine("addMixedDistinct8", contract{"func(z, p *[120]uint64, q *[80]uint64)", check.Spec{}, `
{addMixedDistinct8} sets z = p + q for eight points side by side, p Jacobian and finite, q affine and not
±p. Their coordinates are as for {raise8}. z may be p. Constant time.

8 multiplications and 3 squarings (Explicit-Formulas Database, madd).`})
	zz, s, h, r, v, yh := f.slot(), f.slot(), f.slot(), f.slot(), f.slot(), f.slot()
	p, q, to := f.pointer("p"), f.pointer("q"), f.pointer("z")
	f.begin()
	x1, y1, z1 := f.at(p, pointX), f.at(p, pointY), f.at(p, pointZ)
	f.sqr(z1)
	f.keep(zz)
	f.mul(f.at(q, pointX), zz)
	f.subtract(x1)
	f.keep(h) // H = U₂ − X₁
	f.mul(zz, z1)
	f.keep(s)
	f.mul(f.at(q, pointY), s)
	f.subtract(y1)
	f.keep(r) // R = S₂ − Y₁
	f.sqr(h)
	f.keep(zz) // H²
	f.mul(z1, h)
	f.keep(f.at(to, pointZ)) // Z₃ = Z₁·H
	f.mul(x1, zz)
	f.save(f.result(), v) // V = X₁·H²
	f.mul(h, zz)
	f.keep(s) // H³
	f.mul(y1, s)
	f.save(f.result(), yh) // Y₁·H³
	f.sqr(r)
	for i, d := range f.result() {
		v1, t := f.uppers[0], f.uppers[1]
		f.VMOVDQU64(v.limb(i), v1)
		f.VPADDQ(s.limb(i), v1, t)
		f.VPADDQ(t, v1, t) // 2V + H³
		f.VPADDQ(f.zero(i), v1, v1)
		f.VPADDQ(t, v1, v1)
		f.VPSUBQ(d, v1, f.right[i]) // V − X₃ = 3V + H³ − R²
		f.VPADDQ(f.zero(i), d, d)
		f.VPSUBQ(t, d, d) // X₃ = R² − H³ − 2V
	}
	f.carry(f.right, f.right)
	f.keep(f.at(to, pointX))
	f.load(r, f.left)
	f.product(f.left, f.right)
	f.subtract(yh)
	f.keep(f.at(to, pointY)) // Y₃ = R·(V − X₃) − Y₁·H³
	f.end(zz, s, h, r, v, yh)
}

func (f eight) addCoZ8Func() {
	f.routine("addCoZ8", contract{"func(p, q *[80]uint64, h *[40]uint64)", check.Spec{}, `
{addCoZ8} sets p = p + q for eight pairs of points, each over one common Z, q not ±p, and
brings q to the Z of the sum, which is h times the Z of before. Their coordinates are as
for {raise8}. The three are distinct. Constant time.

4 multiplications and 2 squarings (Meloni, "New point addition formulae for ECC
applications", 2007).`})
	r, c, v, d := f.slot(), f.slot(), f.slot(), f.slot()
	p, q := f.pointer("p"), f.pointer("q")
	h := f.at(f.pointer("h"), 0)
	f.begin()
	x1, y1, x2, y2 := f.at(p, pointX), f.at(p, pointY), f.at(q, pointX), f.at(q, pointY)
	f.difference(x2, x1, h)
	f.difference(y2, y1, r)
	f.sqr(h)
	f.keep(c)
	f.mul(x1, c)
	f.keep(v) // V = X₁·H²
	f.mul(x2, c)
	f.keep(x2) // W = X₂·H²
	f.difference(x2, v, d)
	f.mul(y2, d)
	f.keep(y2) // Y₂·H³
	f.sqr(r)
	f.subtract(v)
	f.subtract(x2)
	f.keep(x1) // X₃ = R² − V − W
	f.difference(x2, x1, d)
	f.mul(r, d)
	f.subtract(y2)
	f.keep(y1) // Y₃ = R·(W − X₃) − Y₂·H³
	f.end(r, c, v, d)
}

func (f eight) lookup8Func() {
	f.routine("lookup8", contract{"func(z, table *[80]uint64, n int, i, neg uint64)", check.Spec{Secret: []string{"i", "neg"}}, `
{lookup8} sets z to entry i of the n ≥ 1 times eight affine points at table, i < n, or to their
negatives for neg 1. Their coordinates are as for {raise8}. It reads every entry, whatever
i is. Constant time.`})
	x, y, m := f.columns[:5], f.left, f.columns[5]
	t, n, i := f.pointer("table"), f.Load(f.Param("n"), f.GP64()), f.Load(f.Param("i"), f.GP64())
	j, mask := f.GP64(), f.GP64()
	f.begin()
	for k := range 5 {
		f.VPXORQ(x[k], x[k], x[k])
		f.VPXORQ(y[k], y[k], y[k])
	}
	f.XORQ(j, j)
	f.Label("entry")
	f.MOVQ(i, mask)
	f.XORQ(j, mask)
	f.DECQ(mask)
	f.SARQ(operand.Imm(63), mask) // all ones where i = j, both below 2⁶³
	f.VPBROADCASTQ(mask, m)
	for k := range 5 {
		f.VPTERNLOGQ(operand.Imm(0xf8), f.at(t, pointX).limb(k), m, x[k]) // x | m & entry
		f.VPTERNLOGQ(operand.Imm(0xf8), f.at(t, pointY).limb(k), m, y[k])
	}
	f.ADDQ(operand.I32(2*8*eightLimbs), t)
	f.INCQ(j)
	f.CMPQ(j, n)
	f.JNE(operand.LabelRef("entry"))

	z := f.pointer("z")
	f.save(x, f.at(z, pointX))
	f.Load(f.Param("neg"), mask)
	f.NEGQ(mask)
	f.VPBROADCASTQ(mask, m)
	for k := range 5 {
		f.VMOVDQU64(f.zero(k), x[k])
		f.VPSUBQ(y[k], x[k], x[k])
	}
	f.carry(x, x)
	for k := range 5 {
		f.VPTERNLOGQ(operand.Imm(0xb8), x[k], m, y[k]) // m & x | ^m & y
	}
	f.save(y, f.at(z, pointY))
	f.end()
}

// A pair's points are told by two numbers of 32 bits.
const (
	pairSize   = 8
	pairFirst  = 0
	pairSecond = 4
)

// paired is the address of a coordinate of one point of pair k.
func (f eight) paired(points, pairs reg.Register, k, which, coordinate int) operand.Mem {
	r := f.GP64()
	f.MOVLQSX(operand.Mem{Base: pairs, Disp: pairSize*k + which}, r)
	f.SHLQ(operand.Imm(6), r) // the size of a point
	f.ADDQ(points, r)
	return operand.Mem{Base: r, Disp: 32 * coordinate}
}

// gather loads a coordinate of one point of each pair, in limbs of 64 bits, into x.
func (f eight) gather(points, pairs reg.Register, which, coordinate int, x five) {
	rows, halves, w := f.uppers[:4], f.uppers[4:8], f.columns[:4]
	for i, k := range []int{0, 1, 4, 5} { // rows k and k+2 side by side
		f.VMOVDQU64(f.paired(points, pairs, k, which, coordinate), rows[i].AsY())
		f.VINSERTI64X4(operand.Imm(1), f.paired(points, pairs, k+2, which, coordinate), rows[i], rows[i])
	}
	for i := range 2 {
		f.VPUNPCKLQDQ(rows[2*i+1], rows[2*i], halves[2*i])
		f.VPUNPCKHQDQ(rows[2*i+1], rows[2*i], halves[2*i+1])
	}
	for i := range 2 {
		f.VSHUFI64X2(operand.Imm(0x88), halves[2+i], halves[i], w[i])
		f.VSHUFI64X2(operand.Imm(0xdd), halves[2+i], halves[i], w[2+i])
	}
	f.split(w, x)
}

// scatter stores x, carried, to a coordinate of the first point of each pair.
func (f eight) scatter(x five, points, pairs reg.Register, coordinate int) {
	w, halves := f.pack(x), f.uppers[5:9]
	for i := range 2 { // halves of even and odd rows
		f.VPUNPCKLQDQ(w[2*i+1], w[2*i], halves[2*i])
		f.VPUNPCKHQDQ(w[2*i+1], w[2*i], halves[2*i+1])
	}
	for i, k := range []int{0, 1, 4, 5} { // rows k and k+2
		row := w[0]
		f.VSHUFI64X2(operand.Imm([]uint64{0x44, 0xee}[i/2]), halves[2+i%2], halves[i%2], row)
		f.VSHUFI64X2(operand.Imm(0xd8), row, row, row)
		f.VMOVDQU64(row.AsY(), f.paired(points, pairs, k, pairFirst, coordinate))
		f.VEXTRACTI64X4(operand.Imm(1), row, f.paired(points, pairs, k+2, pairFirst, coordinate))
	}
}

// differencePaired sets z to a coordinate of the second points less that of the first,
// which it keeps.
func (f eight) differencePaired(points, pairs reg.Register, coordinate int, first, z slot) {
	f.gather(points, pairs, pairFirst, coordinate, f.left)
	f.save(f.left, first)
	f.gather(points, pairs, pairSecond, coordinate, f.result())
	f.subtract(first)
	f.keep(z)
}

func (f eight) mulDifference8Func() {
	f.routine("mulDifference8", contract{"func(z, x *[40]uint64, points *[8]uint64, pairs *[16]int32)", check.Spec{Public: []string{"pairs"}}, `
{mulDifference8} sets z to x times the difference of the X of two points, for eight pairs: the
first point of pair k is points[pairs[2·k]], the second points[pairs[2·k+1]]. z and x are as
for {raise8}, and may be the same; coordinates are below 2²⁵⁶. Constant time in x and in
coordinates.`})
	first, d := f.slot(), f.slot()
	points, pairs := f.pointer("points"), f.pointer("pairs")
	f.begin()
	f.differencePaired(points, pairs, pointX, first, d)
	f.mul(f.at(f.pointer("x"), 0), d)
	f.keep(f.at(f.pointer("z"), 0))
	f.end(first, d)
}

func (f eight) addAffine8Func() {
	f.routine("addAffine8", contract{"func(points *[8]uint64, pairs *[16]int32, inverse, before *[40]uint64)", check.Spec{Public: []string{"pairs"}}, `
{addAffine8} is {addAffine} for eight pairs, told as for {mulDifference8}: it adds the second
point to the first. No point is of two pairs. inverse and before are as for {raise8}. Constant
time in them and in coordinates.`})
	x1, y1, d, r, s := f.slot(), f.slot(), f.slot(), f.slot(), f.slot()
	points, pairs := f.pointer("points"), f.pointer("pairs")
	inverse := f.at(f.pointer("inverse"), 0)
	f.begin()
	f.differencePaired(points, pairs, pointX, x1, d) // D = X₂ − X₁
	f.differencePaired(points, pairs, pointY, y1, r) // R = Y₂ − Y₁
	f.mul(inverse, f.at(f.pointer("before"), 0))
	f.keep(s)
	f.mul(inverse, d)
	f.keep(inverse)
	f.mul(r, s)
	f.keep(s) // S = R/D
	f.square(f.left)
	f.subtract(x1)
	f.subtract(x1)
	f.subtract(d)
	f.keep(r) // X₃ = S² − 2X₁ − D
	f.scatter(f.left, points, pairs, pointX)
	f.difference(x1, r, d)
	f.mul(s, d)
	f.subtract(y1)
	f.carry(f.result(), f.left) // Y₃ = S·(X₁ − X₃) − Y₁
	f.scatter(f.left, points, pairs, pointY)
	f.end(x1, y1, d, r, s)
}
