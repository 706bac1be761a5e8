package arm64

import "github.com/mmcloughlin/avo/operand"

// In this file m, n and d are vector registers with lanes, such as v.S4(), the same for
// all unless the comment says otherwise; x is a constant.

// Moves.

// FMOVQ: to = from: 16 bytes of a vector register, the rest of which a load sets to 0,
// and memory.
func (c *Context) FMOVQ(from, to operand.Op) { c.add(write, "FMOVQ", scalar(from), scalar(to)) }

// FMOVQ_P: the same, and the address increases.
func (c *Context) FMOVQ_P(from, to operand.Op) { c.add(write, "FMOVQ.P", scalar(from), scalar(to)) }

// FMOVD: to = from: 8 bytes of a vector register, the rest of which a load sets to 0,
// and memory or a general register.
func (c *Context) FMOVD(from, to operand.Op) { c.add(write, "FMOVD", scalar(from), scalar(to)) }

// FMOVD_P: the same, and the address increases.
func (c *Context) FMOVD_P(from, to operand.Op) { c.add(write, "FMOVD.P", scalar(from), scalar(to)) }

// FMOVS: to = from: 4 bytes of a vector register, the rest of which a load sets to 0,
// and memory or a general register.
func (c *Context) FMOVS(from, to operand.Op) { c.add(write, "FMOVS", scalar(from), scalar(to)) }

// FMOVS_P: the same, and the address increases.
func (c *Context) FMOVS_P(from, to operand.Op) { c.add(write, "FMOVS.P", scalar(from), scalar(to)) }

// FLDPQ: two registers are loaded from 16 bytes each.
func (c *Context) FLDPQ(from operand.Mem, a, b Vec) {
	c.add(write, "FLDPQ", from, Pair{scalar(a).(Vec), scalar(b).(Vec)})
}

// FSTPQ: two registers are stored in 16 bytes each.
func (c *Context) FSTPQ(a, b Vec, to operand.Mem) {
	c.add(write, "FSTPQ", Pair{scalar(a).(Vec), scalar(b).(Vec)}, to)
}

// FLDPQ_P: the same, and the address increases.
func (c *Context) FLDPQ_P(from operand.Mem, a, b Vec) {
	c.add(write, "FLDPQ.P", from, Pair{scalar(a).(Vec), scalar(b).(Vec)})
}

// FSTPQ_P: the same, and the address increases.
func (c *Context) FSTPQ_P(a, b Vec, to operand.Mem) {
	c.add(write, "FSTPQ.P", Pair{scalar(a).(Vec), scalar(b).(Vec)}, to)
}

// VLD1: registers from memory; to is a List, or one lane.
func (c *Context) VLD1(from operand.Mem, to operand.Op) { c.add(write, "VLD1", from, to) }

// VLD1_P: the same, and the address increases by what is loaded, its displacement.
func (c *Context) VLD1_P(from operand.Mem, to operand.Op) { c.add(write, "VLD1.P", from, to) }

// VST1: registers to memory; from is a List, or one lane.
func (c *Context) VST1(from operand.Op, to operand.Mem) { c.add(write, "VST1", from, to) }

// VST1_P: the same, and the address increases by what is stored, its displacement.
func (c *Context) VST1_P(from operand.Op, to operand.Mem) { c.add(write, "VST1.P", from, to) }

// VLD2: registers from memory, every second element in each.
func (c *Context) VLD2(from operand.Mem, to List) { c.add(write, "VLD2", from, to) }

// VLD2_P: the same, and the address increases by what is loaded, its displacement.
func (c *Context) VLD2_P(from operand.Mem, to List) { c.add(write, "VLD2.P", from, to) }

// VST2: registers to memory, every second element in each.
func (c *Context) VST2(from List, to operand.Mem) { c.add(write, "VST2", from, to) }

// VST2_P: the same, and the address increases by what is stored, its displacement.
func (c *Context) VST2_P(from List, to operand.Mem) { c.add(write, "VST2.P", from, to) }

// VLD3: registers from memory, every third element in each.
func (c *Context) VLD3(from operand.Mem, to List) { c.add(write, "VLD3", from, to) }

// VLD3_P: the same, and the address increases by what is loaded, its displacement.
func (c *Context) VLD3_P(from operand.Mem, to List) { c.add(write, "VLD3.P", from, to) }

// VST3: registers to memory, every third element in each.
func (c *Context) VST3(from List, to operand.Mem) { c.add(write, "VST3", from, to) }

// VST3_P: the same, and the address increases by what is stored, its displacement.
func (c *Context) VST3_P(from List, to operand.Mem) { c.add(write, "VST3.P", from, to) }

// VLD4: registers from memory, every fourth element in each.
func (c *Context) VLD4(from operand.Mem, to List) { c.add(write, "VLD4", from, to) }

// VLD4_P: the same, and the address increases by what is loaded, its displacement.
func (c *Context) VLD4_P(from operand.Mem, to List) { c.add(write, "VLD4.P", from, to) }

// VST4: registers to memory, every fourth element in each.
func (c *Context) VST4(from List, to operand.Mem) { c.add(write, "VST4", from, to) }

// VST4_P: the same, and the address increases by what is stored, its displacement.
func (c *Context) VST4_P(from List, to operand.Mem) { c.add(write, "VST4.P", from, to) }

// VLD1R: one element from memory in every lane.
func (c *Context) VLD1R(from operand.Mem, to List) { c.add(write, "VLD1R", from, to) }

// VLD1R_P: the same, and the address increases.
func (c *Context) VLD1R_P(from operand.Mem, to List) { c.add(write, "VLD1R.P", from, to) }

// VMOV: to = from: a register of bytes, a lane, or a general register; a general register into
// a register with lanes goes into each.
func (c *Context) VMOV(from, to operand.Op) { c.add(write, "VMOV", from, to) }

// VDUP: every lane of d = from, a general register or a lane.
func (c *Context) VDUP(from operand.Op, d Vec) { c.add(write, "VDUP", from, d) }

// VMOVI: every byte of d = x.
func (c *Context) VMOVI(x operand.Op, d Vec) { c.add(write, "VMOVI", x, d) }

// VEXT: d = the bytes of m:n from number by on, n being the lower.
func (c *Context) VEXT(by operand.Op, m, n, d Vec) { c.add(write, "VEXT", by, m, n, d) }

// VZIP1: d = the lanes of the lower halves of n and m in turn.
func (c *Context) VZIP1(m, n, d Vec) { c.add(write, "VZIP1", m, n, d) }

// VZIP2: d = the lanes of the upper halves of n and m in turn.
func (c *Context) VZIP2(m, n, d Vec) { c.add(write, "VZIP2", m, n, d) }

// VUZP1: d = the even lanes of n, then those of m.
func (c *Context) VUZP1(m, n, d Vec) { c.add(write, "VUZP1", m, n, d) }

// VUZP2: d = the odd lanes of n, then those of m.
func (c *Context) VUZP2(m, n, d Vec) { c.add(write, "VUZP2", m, n, d) }

// VTRN1: d = the even lanes of n and m in turn.
func (c *Context) VTRN1(m, n, d Vec) { c.add(write, "VTRN1", m, n, d) }

// VTRN2: d = the odd lanes of n and m in turn.
func (c *Context) VTRN2(m, n, d Vec) { c.add(write, "VTRN2", m, n, d) }

// VTBL: each byte of d = the byte of the table that m numbers, 0 beyond its end.
func (c *Context) VTBL(m Vec, table List, d Vec) { c.add(write, "VTBL", m, table, d) }

// VTBX: the same, but d keeps its byte where m is beyond the table's end.
func (c *Context) VTBX(m Vec, table List, d Vec) { c.add(modify, "VTBX", m, table, d) }

// VREV16: d = n with the bytes of each 16 bits reversed.
func (c *Context) VREV16(n, d Vec) { c.add(write, "VREV16", n, d) }

// VREV32: d = n with the lanes of each 32 bits reversed.
func (c *Context) VREV32(n, d Vec) { c.add(write, "VREV32", n, d) }

// VREV64: d = n with the lanes of each 64 bits reversed.
func (c *Context) VREV64(n, d Vec) { c.add(write, "VREV64", n, d) }

// VRBIT: d = n with the bits of each byte reversed.
func (c *Context) VRBIT(n, d Vec) { c.add(write, "VRBIT", n, d) }

// VCNT: d = the number of bits of each byte of n.
func (c *Context) VCNT(n, d Vec) { c.add(write, "VCNT", n, d) }

// Arithmetic.

// VADD: d = n + m.
func (c *Context) VADD(m, n, d Vec) { c.add(write, "VADD", m, n, d) }

// VSUB: d = n - m.
func (c *Context) VSUB(m, n, d Vec) { c.add(write, "VSUB", m, n, d) }

// VUMIN: d = the smaller of n and m, unsigned.
func (c *Context) VUMIN(m, n, d Vec) { c.add(write, "VUMIN", m, n, d) }

// VUMAX: d = the larger of n and m, unsigned.
func (c *Context) VUMAX(m, n, d Vec) { c.add(write, "VUMAX", m, n, d) }

// VADDP: d = the sums of neighbours in n, then of those in m.
func (c *Context) VADDP(m, n, d Vec) { c.add(write, "VADDP", m, n, d) }

// VCMEQ: d = all ones where n = m, 0 elsewhere.
func (c *Context) VCMEQ(m, n, d Vec) { c.add(write, "VCMEQ", m, n, d) }

// VCMTST: d = all ones where n & m is not 0, 0 elsewhere.
func (c *Context) VCMTST(m, n, d Vec) { c.add(write, "VCMTST", m, n, d) }

// VADDV: d = the sum of the lanes of n; d shows no lanes.
func (c *Context) VADDV(n, d Vec) { c.add(write, "VADDV", n, d) }

// VUADDLV: d = the sum of the lanes of n, in twice their size; d shows no lanes.
func (c *Context) VUADDLV(n, d Vec) { c.add(write, "VUADDLV", n, d) }

// VUADDW: d = n + the lower half of m, whose lanes have half the size.
func (c *Context) VUADDW(m, n, d Vec) { c.add(write, "VUADDW", m, n, d) }

// VUADDW2: d = n + the upper half of m, whose lanes have half the size.
func (c *Context) VUADDW2(m, n, d Vec) { c.add(write, "VUADDW2", m, n, d) }

// Logic and shifts.

// VAND: d = n & m; lanes are bytes.
func (c *Context) VAND(m, n, d Vec) { c.add(write, "VAND", m, n, d) }

// VORR: d = n | m; lanes are bytes.
func (c *Context) VORR(m, n, d Vec) { c.add(write, "VORR", m, n, d) }

// VEOR: d = n ^ m; lanes are bytes.
func (c *Context) VEOR(m, n, d Vec) { c.add(write, "VEOR", m, n, d) }

// VBSL: d = n where d is 1, m where it is 0; lanes are bytes.
func (c *Context) VBSL(m, n, d Vec) { c.add(modify, "VBSL", m, n, d) }

// VBIT: d = n where m is 1, d where it is 0; lanes are bytes.
func (c *Context) VBIT(m, n, d Vec) { c.add(modify, "VBIT", m, n, d) }

// VBIF: d = n where m is 0, d where it is 1; lanes are bytes.
func (c *Context) VBIF(m, n, d Vec) { c.add(modify, "VBIF", m, n, d) }

// VSHL: d = n << x.
func (c *Context) VSHL(x operand.Op, n, d Vec) { c.add(write, "VSHL", x, n, d) }

// VUSHR: d = n >> x.
func (c *Context) VUSHR(x operand.Op, n, d Vec) { c.add(write, "VUSHR", x, n, d) }

// VSLI: d = n << x over the low x bits of d.
func (c *Context) VSLI(x operand.Op, n, d Vec) { c.add(modify, "VSLI", x, n, d) }

// VSRI: d = n >> x under the high x bits of d.
func (c *Context) VSRI(x operand.Op, n, d Vec) { c.add(modify, "VSRI", x, n, d) }

// VUSRA: d = d + (n >> x).
func (c *Context) VUSRA(x operand.Op, n, d Vec) { c.add(modify, "VUSRA", x, n, d) }

// VUSHLL: d = the lower half of n in lanes of twice the size, << x.
func (c *Context) VUSHLL(x operand.Op, n, d Vec) { c.add(write, "VUSHLL", x, n, d) }

// VUSHLL2: d = the upper half of n in lanes of twice the size, << x.
func (c *Context) VUSHLL2(x operand.Op, n, d Vec) { c.add(write, "VUSHLL2", x, n, d) }

// VUXTL: d = the lower half of n in lanes of twice the size.
func (c *Context) VUXTL(n, d Vec) { c.add(write, "VUXTL", n, d) }

// VUXTL2: d = the upper half of n in lanes of twice the size.
func (c *Context) VUXTL2(n, d Vec) { c.add(write, "VUXTL2", n, d) }

// SHA-256. The state is abcd and efgh, a and e in lane 0.

// SHA256H: four rounds with wk, the words plus their constants, in lanes S4: abcd is as after
// them, efgh not yet.
func (c *Context) SHA256H(wk, efgh, abcd Vec) { c.add(modify, "SHA256H", wk, efgh, abcd) }

// SHA256H2: the other half of SHA256H, abcd being as before it.
func (c *Context) SHA256H2(wk, abcd, efgh Vec) { c.add(modify, "SHA256H2", wk, abcd, efgh) }

// SHA256SU0: d, the words 0 to 3, plus σ0 of the words 1 to 4; n holds the words 4 to 7.
func (c *Context) SHA256SU0(n, d Vec) { c.add(modify, "SHA256SU0", n, d) }

// SHA256SU1: d, of SHA256SU0, plus σ1 and the words 9 to 12, where n holds the words 8 to 11 and m
// those from 12 on: the words 16 to 19.
func (c *Context) SHA256SU1(m, n, d Vec) { c.add(modify, "SHA256SU1", m, n, d) }
