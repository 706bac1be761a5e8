package secp256k1

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// four emits a point operation with up to four products of the field at once.
type four struct{ *lanes }

// The masks of lanes.
var (
	lane0, lane1, lane2, lane3 = reg.K1, reg.K2, reg.K3, reg.K4
	lanes02, lanes12, lanes013 = reg.K5, reg.K6, reg.K7
)

var laneMasks = []struct {
	mask reg.Register
	bits uint32
}{{lane0, 1}, {lane1, 2}, {lane2, 4}, {lane3, 8}, {lanes02, 5}, {lanes12, 6}, {lanes013, 11}}

// begin loads the constants and the masks.
func (f four) begin() {
	f.lanes.begin()
	t := f.GP32()
	for _, m := range laneMasks {
		f.MOVL(operand.U32(m.bits), t)
		f.KMOVW(t, m.mask)
	}
}

// load puts the four limbs of 64 bits at x into all lanes of w, or into those of a mask.
func (f four) load(x operand.Mem, w five, masks ...reg.Register) {
	for i := range 4 {
		if len(masks) == 0 {
			f.VPBROADCASTQ(limb(x, i), w[i])
		} else {
			f.VPBROADCASTQ(limb(x, i), masks[0], w[i])
		}
	}
}

// store writes the elements of three lanes, as carry leaves them, to where they belong.
func (f four) store(x five, to [3]operand.Mem) {
	w := f.pack(x)
	even, odd := f.uppers[5:7], f.uppers[7:9]
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

// merge replaces lanes of x by those of a slot.
func (f four) merge(s slot, mask reg.Register, x five) {
	for i := range 5 {
		f.VMOVDQU64(s.limb(i), mask, x[i])
	}
}

// blend copies x to another element, but for the lanes of a mask, which come from a slot.
func (f four) blend(s slot, mask reg.Register, x, to five) {
	for i := range 5 {
		f.VPBLENDMQ(s.limb(i), x[i], mask, to[i])
	}
}

// all is the constant of VPERMQ that puts a lane into all.
func all(lane uint64) operand.Constant { return operand.Imm(lane * 0b01010101) }

func (f four) group() {
	f.doubleNFunc()
	f.addDistinct("addMixedDistinct", addMixedDistinct, false, false)
	f.addDistinct("addMixedVartime", addMixedVartime, true, false)
	f.addDistinct("addScaledVartime", addScaledVartime, true, true)
}

// doubleNFunc has three products after one another: Y², X², Y·Z; X·Y², Y⁴, E²; and
// E·(D − X₃), of the formula without its halves:
//
//	B = Y², E = 3X², D = 4·X·B
//	X₃ = E² − 2D, Y₃ = E·(D − X₃) − 8B², Z₃ = 2·Y·Z
func (f four) doubleNFunc() {
	f.routine("doubleN", doubleN)
	xz, s, raw := f.slot(), f.slot(), f.slot()
	p, z := f.GP64(), f.GP64()
	n := f.GP64()
	f.Load(f.Param("p"), p)
	f.Load(f.Param("z"), z)
	f.Load(f.Param("n"), n)
	f.begin()
	at := func(i int) operand.Mem { return operand.Mem{Base: p, Disp: 32 * i} }
	w := f.columns[:4]
	f.load(at(pointX), w)
	f.load(at(pointZ), w, lane2)
	f.split(w, f.right)
	f.save(f.right, xz) // X, X, Z, X
	f.load(at(pointY), w)
	f.split(w, f.left) // Y in all lanes

	f.Label("double")
	f.blend(xz, lanes12, f.left, f.right)
	f.merge(xz, lane1, f.left)
	f.product(f.left, f.right) // Y², X², Y·Z, Y²
	d := f.columns[:5]
	for i := range 5 {
		t := f.uppers[i]
		f.VPADDQ(d[i], d[i], t)
		f.VPADDQ(t, d[i], lane1, d[i])
		f.VMOVDQA64(t, lane2, d[i])
	}
	f.carry(d, f.left) // B, E, Z₃, B
	f.save(f.left, s)
	f.blend(xz, lane0, f.left, f.right)
	f.product(f.left, f.right) // X·B, E², –, B²

	f.save(d, raw)
	for i := range 5 {
		ee, t := f.uppers[0], f.uppers[1]
		f.VPERMQ(all(1), d[i], ee)
		f.VPERMQ(all(0), d[i], d[i])
		f.VPSLLQ(operand.Imm(2), d[i], t)
		f.VPSLLQ(operand.Imm(3), d[i], d[i])
		f.VPADDQ(f.zeroed.Offset(64*i), t, t)
		f.VPSUBQ(ee, d[i], d[i])
		f.VPADDQ(t, d[i], f.right[i]) // D − X₃ = 12XB − E²
	}
	f.carry(f.right, f.right)
	for i := range 5 {
		f.VPERMQ(all(1), s.limb(i), f.left[i]) // E
	}
	f.product(f.left, f.right)

	// What others do not wait for goes beside the product.
	x := f.right
	for i := range 5 {
		t, zeroed := f.uppers[0], f.uppers[1]
		f.VMOVDQU64(f.zeroed.Offset(64*i), zeroed)
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
		t := f.uppers[0]
		f.VPERMQ(all(3), raw.limb(i), t)
		f.VPSLLQ(operand.Imm(3), t, t)
		f.VPSUBQ(t, d[i], d[i])
		f.VPADDQ(f.zeroed.Offset(64*i), d[i], d[i]) // E·(D − X₃) − 8B²
	}
	f.carry(d, f.left)
	f.DECQ(n)
	f.JNZ(operand.LabelRef("double"))

	f.blend(xz, lanes02, f.left, f.right) // X, Y, Z, Y
	f.store(f.right, [3]operand.Mem{{Base: z}, {Base: z, Disp: 32}, {Base: z, Disp: 64}})
	f.end(xz, s, raw)
}

// addDistinct has five products after one another, and where q is to be scaled one more
// before them, Zₛ = Z·s, which is Z otherwise: Zₛ²; X₂·Zₛ², Y₂·Zₛ²; H², Z·H, S₂; X₁·H²,
// R², H³; and R·(V − X₃), Y₁·H³.
func (f four) addDistinct(name string, c contract, vartime, scaled bool) {
	f.routine(name, c)
	zz, xy, s, r := f.slot(), f.slot(), f.slot(), f.slot()
	p, q, z := f.GP64(), f.GP64(), f.GP64()
	f.Load(f.Param("p"), p)
	f.Load(f.Param("q"), q)
	f.begin()
	at := func(p reg.Register, i int) operand.Mem { return operand.Mem{Base: p, Disp: 32 * i} }
	w, d := f.columns[:4], f.columns[:5]
	f.load(at(p, pointZ), w)
	f.split(w, f.left)
	if scaled {
		by := f.GP64()
		f.Load(f.Param("s"), by)
		f.load(at(by, 0), w)
		f.split(w, f.right)
		f.product(f.left, f.right)
		f.carry(d, f.right)
		for i := range 5 {
			f.VMOVDQA64(f.right[i], lane2, f.left[i])
		}
		f.save(f.left, zz) // Z, Z, Zₛ, Z
		f.square(f.right)
	} else {
		f.save(f.left, zz)
		f.square(f.left)
	}
	f.carry(d, f.left)
	f.load(at(p, pointX), w)
	f.load(at(p, pointY), w, lane2)
	f.split(w, f.right)
	f.save(f.right, xy) // X₁, X₁, Y₁, X₁
	f.load(at(q, pointX), w)
	f.load(at(q, pointY), w, lane2)
	f.split(w, f.right)

	f.product(f.left, f.right)
	f.subtract(xy, lanes013)
	f.carry(d, f.left) // H = U₂ − X₁, H, Y₂·Zₛ², H
	f.save(f.left, s)
	if vartime {
		f.ifZero(f.left, "equal")
	}

	f.blend(zz, lanes12, f.left, f.right)
	f.product(f.left, f.right)
	f.subtract(xy, lane2)
	f.carry(d, f.left) // H², Z₃ = Z·H, R = S₂ − Y₁, H²
	f.save(f.left, r)

	f.blend(xy, lane0, f.left, f.right)
	f.merge(s, lane3, f.right)
	f.product(f.left, f.right) // V = X₁·H², –, R², H³
	for i := range 5 {
		v, rr, t, zeroed := f.uppers[0], f.uppers[1], f.uppers[2], f.uppers[3]
		f.VPERMQ(all(0), d[i], v)
		f.VPERMQ(all(2), d[i], rr)
		f.VPERMQ(all(3), d[i], t)
		f.VMOVDQU64(f.zeroed.Offset(64*i), zeroed)
		f.VPADDQ(v, t, t)
		f.VPADDQ(v, t, t) // 2V + H³
		f.VPADDQ(v, zeroed, v)
		f.VPADDQ(t, v, v)
		f.VPSUBQ(rr, v, lane2, d[i]) // V − X₃ = 3V + H³ − R²
		f.VPADDQ(rr, zeroed, rr)
		f.VPSUBQ(t, rr, lane0, d[i]) // X₃ = R² − H³ − 2V
	}
	f.carry(d, f.right) // X₃, –, V − X₃, H³

	for i := range 5 {
		f.VPERMQ(all(2), xy.limb(i), lane3, f.left[i]) // –, –, R, Y₁
	}
	f.product(f.left, f.right)
	for i := range 5 {
		t := f.uppers[0]
		f.VPSHUFD(operand.Imm(0x4e), d[i], t)
		f.VPADDQ(f.zeroed.Offset(64*i), d[i], d[i])
		f.VPSUBQ(t, d[i], d[i])
	}
	f.carry(d, f.left) // –, –, Y₃ = R·(V − X₃) − Y₁·H³, –
	f.merge(r, lane1, f.right)
	for i := range 5 {
		f.VMOVDQA64(f.left[i], lane2, f.right[i])
	}
	f.Load(f.Param("z"), z)
	f.store(f.right, [3]operand.Mem{at(z, pointX), at(z, pointZ), at(z, pointY)})
	if !vartime {
		f.end(zz, xy, s, r)
		return
	}
	f.result(1)
	f.Label("equal")
	f.result(0)
}

// subtract takes lanes of a slot from columns.
func (f four) subtract(s slot, mask reg.Register) {
	for i := range 5 {
		t := f.uppers[0]
		f.VMOVDQU64(f.zeroed.Offset(64*i), t)
		f.VPSUBQ(s.limb(i), t, t)
		f.VPADDQ(t, f.columns[i], mask, f.columns[i])
	}
}

// ifZero goes to the label if lane 0 of a difference, public and carried, is zero modulo p. It
// is p then. For the columns stand for m·p with m ≥ 1, and carry takes p away t times, where
// t·2²⁵⁶ ≤ m·p: so t < m, and at least p is left, and less than 2p as of everything carried.
func (f four) ifZero(x five, label string) {
	t, other := f.uppers[0], f.uppers[1]
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

func (f four) result(v uint8) {
	f.VZEROUPPER()
	f.MOVB(operand.Imm(uint64(v)), reg.AL)
	f.Store(reg.AL, f.ReturnIndex(0))
	f.RET()
}
