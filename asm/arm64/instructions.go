package arm64

import "github.com/mmcloughlin/avo/operand"

// In this file x is a general register, plain or shifted, or a constant; m, n, a and d
// are general registers. Each name that ends with W works on the lower 32 bits and sets
// the upper ones to 0; a name with S sets the flags. After _P, memory is used at its
// register and the register then increased by the displacement; after _W, before.

// Moves.

// MOVD: to = from: 64 bits of memory, a register, a constant or an Address.
func (c *Context) MOVD(from, to operand.Op) { c.add(write, "MOVD", from, to) }

// MOVD_P: the same, and the address changes.
func (c *Context) MOVD_P(from, to operand.Op) { c.add(write, "MOVD.P", from, to) }

// MOVD_W: the same, and the address changes.
func (c *Context) MOVD_W(from, to operand.Op) { c.add(write, "MOVD.W", from, to) }

// MOVW: to = from: 32 bits of memory, extended with their sign; as a store, the lower 32 bits.
func (c *Context) MOVW(from, to operand.Op) { c.add(write, "MOVW", from, to) }

// MOVW_P: the same, and the address increases.
func (c *Context) MOVW_P(from, to operand.Op) { c.add(write, "MOVW.P", from, to) }

// MOVWU: to = from: 32 bits of memory or of a register, extended with zeros.
func (c *Context) MOVWU(from, to operand.Op) { c.add(write, "MOVWU", from, to) }

// MOVWU_P: the same, and the address increases.
func (c *Context) MOVWU_P(from, to operand.Op) { c.add(write, "MOVWU.P", from, to) }

// MOVH: to = from: 16 bits, extended with their sign; as a store, the lower 16 bits.
func (c *Context) MOVH(from, to operand.Op) { c.add(write, "MOVH", from, to) }

// MOVH_P: the same, and the address increases.
func (c *Context) MOVH_P(from, to operand.Op) { c.add(write, "MOVH.P", from, to) }

// MOVHU: to = from: 16 bits, extended with zeros.
func (c *Context) MOVHU(from, to operand.Op) { c.add(write, "MOVHU", from, to) }

// MOVHU_P: the same, and the address increases.
func (c *Context) MOVHU_P(from, to operand.Op) { c.add(write, "MOVHU.P", from, to) }

// MOVB: to = from: a byte, extended with its sign; as a store, the lowest byte.
func (c *Context) MOVB(from, to operand.Op) { c.add(write, "MOVB", from, to) }

// MOVB_P: the same, and the address increases.
func (c *Context) MOVB_P(from, to operand.Op) { c.add(write, "MOVB.P", from, to) }

// MOVBU: to = from: a byte, extended with zeros.
func (c *Context) MOVBU(from, to operand.Op) { c.add(write, "MOVBU", from, to) }

// MOVBU_P: the same, and the address increases.
func (c *Context) MOVBU_P(from, to operand.Op) { c.add(write, "MOVBU.P", from, to) }

// LDP: the two registers are loaded from 8 bytes each.
func (c *Context) LDP(from operand.Mem, to Pair) { c.add(write, "LDP", from, to) }

// LDP_P: the same, and the address increases.
func (c *Context) LDP_P(from operand.Mem, to Pair) { c.add(write, "LDP.P", from, to) }

// LDPW: the two registers are loaded from 4 bytes each.
func (c *Context) LDPW(from operand.Mem, to Pair) { c.add(write, "LDPW", from, to) }

// LDPW_P: the same, and the address increases.
func (c *Context) LDPW_P(from operand.Mem, to Pair) { c.add(write, "LDPW.P", from, to) }

// STP: the two registers are stored in 8 bytes each.
func (c *Context) STP(from Pair, to operand.Mem) { c.add(write, "STP", from, to) }

// STP_P: the same, and the address increases.
func (c *Context) STP_P(from Pair, to operand.Mem) { c.add(write, "STP.P", from, to) }

// STPW: the two registers are stored in 4 bytes each.
func (c *Context) STPW(from Pair, to operand.Mem) { c.add(write, "STPW", from, to) }

// STPW_P: the same, and the address increases.
func (c *Context) STPW_P(from Pair, to operand.Mem) { c.add(write, "STPW.P", from, to) }

// PRFM: a hint that memory will be used.
func (c *Context) PRFM(from operand.Mem, hint Prefetch) { c.add(read, "PRFM", from, hint) }

// Arithmetic.

// ADD: d = n + x.
func (c *Context) ADD(x operand.Op, n, d GP) { c.add(write, "ADD", x, n, d) }

// ADDW: d = n + x, on 32 bits.
func (c *Context) ADDW(x operand.Op, n, d GP) { c.add(write, "ADDW", x, n, d) }

// ADDS: d = n + x.
func (c *Context) ADDS(x operand.Op, n, d GP) { c.add(write, "ADDS", x, n, d) }

// ADDSW: d = n + x, on 32 bits.
func (c *Context) ADDSW(x operand.Op, n, d GP) { c.add(write, "ADDSW", x, n, d) }

// SUB: d = n - x.
func (c *Context) SUB(x operand.Op, n, d GP) { c.add(write, "SUB", x, n, d) }

// SUBW: d = n - x, on 32 bits.
func (c *Context) SUBW(x operand.Op, n, d GP) { c.add(write, "SUBW", x, n, d) }

// SUBS: d = n - x; no borrow sets the carry.
func (c *Context) SUBS(x operand.Op, n, d GP) { c.add(write, "SUBS", x, n, d) }

// SUBSW: d = n - x; no borrow sets the carry, on 32 bits.
func (c *Context) SUBSW(x operand.Op, n, d GP) { c.add(write, "SUBSW", x, n, d) }

// ADC: d = n + m + carry.
func (c *Context) ADC(m, n, d GP) { c.add(write, "ADC", m, n, d) }

// ADCW: d = n + m + carry, on 32 bits.
func (c *Context) ADCW(m, n, d GP) { c.add(write, "ADCW", m, n, d) }

// ADCS: d = n + m + carry.
func (c *Context) ADCS(m, n, d GP) { c.add(write, "ADCS", m, n, d) }

// ADCSW: d = n + m + carry, on 32 bits.
func (c *Context) ADCSW(m, n, d GP) { c.add(write, "ADCSW", m, n, d) }

// SBC: d = n - m - 1 + carry.
func (c *Context) SBC(m, n, d GP) { c.add(write, "SBC", m, n, d) }

// SBCW: d = n - m - 1 + carry, on 32 bits.
func (c *Context) SBCW(m, n, d GP) { c.add(write, "SBCW", m, n, d) }

// SBCS: d = n - m - 1 + carry.
func (c *Context) SBCS(m, n, d GP) { c.add(write, "SBCS", m, n, d) }

// SBCSW: d = n - m - 1 + carry, on 32 bits.
func (c *Context) SBCSW(m, n, d GP) { c.add(write, "SBCSW", m, n, d) }

// NEG: d = -x.
func (c *Context) NEG(x operand.Op, d GP) { c.add(write, "NEG", x, d) }

// NEGW: d = -x, on 32 bits.
func (c *Context) NEGW(x operand.Op, d GP) { c.add(write, "NEGW", x, d) }

// NEGS: d = -x.
func (c *Context) NEGS(x operand.Op, d GP) { c.add(write, "NEGS", x, d) }

// NEGSW: d = -x, on 32 bits.
func (c *Context) NEGSW(x operand.Op, d GP) { c.add(write, "NEGSW", x, d) }

// NGC: d = -m - 1 + carry.
func (c *Context) NGC(m, d GP) { c.add(write, "NGC", m, d) }

// NGCW: d = -m - 1 + carry, on 32 bits.
func (c *Context) NGCW(m, d GP) { c.add(write, "NGCW", m, d) }

// NGCS: d = -m - 1 + carry.
func (c *Context) NGCS(m, d GP) { c.add(write, "NGCS", m, d) }

// NGCSW: d = -m - 1 + carry, on 32 bits.
func (c *Context) NGCSW(m, d GP) { c.add(write, "NGCSW", m, d) }

// CMP: the flags of n - x.
func (c *Context) CMP(x operand.Op, n GP) { c.add(read, "CMP", x, n) }

// CMPW: the flags of n - x, on 32 bits.
func (c *Context) CMPW(x operand.Op, n GP) { c.add(read, "CMPW", x, n) }

// CMN: the flags of n + x.
func (c *Context) CMN(x operand.Op, n GP) { c.add(read, "CMN", x, n) }

// CMNW: the flags of n + x, on 32 bits.
func (c *Context) CMNW(x operand.Op, n GP) { c.add(read, "CMNW", x, n) }

// MUL: d = n · m.
func (c *Context) MUL(m, n, d GP) { c.add(write, "MUL", m, n, d) }

// MULW: d = n · m, on 32 bits.
func (c *Context) MULW(m, n, d GP) { c.add(write, "MULW", m, n, d) }

// MNEG: d = -(n · m).
func (c *Context) MNEG(m, n, d GP) { c.add(write, "MNEG", m, n, d) }

// MNEGW: d = -(n · m), on 32 bits.
func (c *Context) MNEGW(m, n, d GP) { c.add(write, "MNEGW", m, n, d) }

// MADD: d = a + n · m.
func (c *Context) MADD(m, a, n, d GP) { c.add(write, "MADD", m, a, n, d) }

// MADDW: d = a + n · m, on 32 bits.
func (c *Context) MADDW(m, a, n, d GP) { c.add(write, "MADDW", m, a, n, d) }

// MSUB: d = a - n · m.
func (c *Context) MSUB(m, a, n, d GP) { c.add(write, "MSUB", m, a, n, d) }

// MSUBW: d = a - n · m, on 32 bits.
func (c *Context) MSUBW(m, a, n, d GP) { c.add(write, "MSUBW", m, a, n, d) }

// UMULH: d = the upper half of n · m, unsigned.
func (c *Context) UMULH(m, n, d GP) { c.add(write, "UMULH", m, n, d) }

// SMULH: d = the upper half of n · m, signed.
func (c *Context) SMULH(m, n, d GP) { c.add(write, "SMULH", m, n, d) }

// UMULL: d = n · m of the lower halves, unsigned.
func (c *Context) UMULL(m, n, d GP) { c.add(write, "UMULL", m, n, d) }

// SMULL: d = n · m of the lower halves, signed.
func (c *Context) SMULL(m, n, d GP) { c.add(write, "SMULL", m, n, d) }

// UMADDL: d = a + n · m, m and n being lower halves, unsigned.
func (c *Context) UMADDL(m, a, n, d GP) { c.add(write, "UMADDL", m, a, n, d) }

// SMADDL: d = a + n · m, m and n being lower halves, signed.
func (c *Context) SMADDL(m, a, n, d GP) { c.add(write, "SMADDL", m, a, n, d) }

// UDIV: d = n / m, unsigned; its time depends on the operands.
func (c *Context) UDIV(m, n, d GP) { c.add(write, "UDIV", m, n, d) }

// UDIVW: d = n / m, unsigned; its time depends on the operands, on 32 bits.
func (c *Context) UDIVW(m, n, d GP) { c.add(write, "UDIVW", m, n, d) }

// SDIV: d = n / m, signed; its time depends on the operands.
func (c *Context) SDIV(m, n, d GP) { c.add(write, "SDIV", m, n, d) }

// SDIVW: d = n / m, signed; its time depends on the operands, on 32 bits.
func (c *Context) SDIVW(m, n, d GP) { c.add(write, "SDIVW", m, n, d) }

// Logic and shifts.

// AND: d = n & x.
func (c *Context) AND(x operand.Op, n, d GP) { c.add(write, "AND", x, n, d) }

// ANDW: d = n & x, on 32 bits.
func (c *Context) ANDW(x operand.Op, n, d GP) { c.add(write, "ANDW", x, n, d) }

// ANDS: d = n & x.
func (c *Context) ANDS(x operand.Op, n, d GP) { c.add(write, "ANDS", x, n, d) }

// ANDSW: d = n & x, on 32 bits.
func (c *Context) ANDSW(x operand.Op, n, d GP) { c.add(write, "ANDSW", x, n, d) }

// ORR: d = n | x.
func (c *Context) ORR(x operand.Op, n, d GP) { c.add(write, "ORR", x, n, d) }

// ORRW: d = n | x, on 32 bits.
func (c *Context) ORRW(x operand.Op, n, d GP) { c.add(write, "ORRW", x, n, d) }

// EOR: d = n ^ x.
func (c *Context) EOR(x operand.Op, n, d GP) { c.add(write, "EOR", x, n, d) }

// EORW: d = n ^ x, on 32 bits.
func (c *Context) EORW(x operand.Op, n, d GP) { c.add(write, "EORW", x, n, d) }

// BIC: d = n &^ x.
func (c *Context) BIC(x operand.Op, n, d GP) { c.add(write, "BIC", x, n, d) }

// BICW: d = n &^ x, on 32 bits.
func (c *Context) BICW(x operand.Op, n, d GP) { c.add(write, "BICW", x, n, d) }

// BICS: d = n &^ x.
func (c *Context) BICS(x operand.Op, n, d GP) { c.add(write, "BICS", x, n, d) }

// BICSW: d = n &^ x, on 32 bits.
func (c *Context) BICSW(x operand.Op, n, d GP) { c.add(write, "BICSW", x, n, d) }

// ORN: d = n | ^x.
func (c *Context) ORN(x operand.Op, n, d GP) { c.add(write, "ORN", x, n, d) }

// ORNW: d = n | ^x, on 32 bits.
func (c *Context) ORNW(x operand.Op, n, d GP) { c.add(write, "ORNW", x, n, d) }

// EON: d = n ^ ^x.
func (c *Context) EON(x operand.Op, n, d GP) { c.add(write, "EON", x, n, d) }

// EONW: d = n ^ ^x, on 32 bits.
func (c *Context) EONW(x operand.Op, n, d GP) { c.add(write, "EONW", x, n, d) }

// TST: the flags of n & x.
func (c *Context) TST(x operand.Op, n GP) { c.add(read, "TST", x, n) }

// TSTW: the flags of n & x, on 32 bits.
func (c *Context) TSTW(x operand.Op, n GP) { c.add(read, "TSTW", x, n) }

// MVN: d = ^x.
func (c *Context) MVN(x operand.Op, d GP) { c.add(write, "MVN", x, d) }

// MVNW: d = ^x, on 32 bits.
func (c *Context) MVNW(x operand.Op, d GP) { c.add(write, "MVNW", x, d) }

// LSL: d = n << x.
func (c *Context) LSL(x operand.Op, n, d GP) { c.add(write, "LSL", x, n, d) }

// LSLW: d = n << x, on 32 bits.
func (c *Context) LSLW(x operand.Op, n, d GP) { c.add(write, "LSLW", x, n, d) }

// LSR: d = n >> x, with zeros.
func (c *Context) LSR(x operand.Op, n, d GP) { c.add(write, "LSR", x, n, d) }

// LSRW: d = n >> x, with zeros, on 32 bits.
func (c *Context) LSRW(x operand.Op, n, d GP) { c.add(write, "LSRW", x, n, d) }

// ASR: d = n >> x, with the sign.
func (c *Context) ASR(x operand.Op, n, d GP) { c.add(write, "ASR", x, n, d) }

// ASRW: d = n >> x, with the sign, on 32 bits.
func (c *Context) ASRW(x operand.Op, n, d GP) { c.add(write, "ASRW", x, n, d) }

// ROR: d = n rotated to the right by x.
func (c *Context) ROR(x operand.Op, n, d GP) { c.add(write, "ROR", x, n, d) }

// RORW: d = n rotated to the right by x, on 32 bits.
func (c *Context) RORW(x operand.Op, n, d GP) { c.add(write, "RORW", x, n, d) }

// EXTR: d = the lower half of n:m >> by.
func (c *Context) EXTR(by operand.Op, m, n, d GP) { c.add(write, "EXTR", by, m, n, d) }

// EXTRW: d = the lower half of n:m >> by, on 32 bits.
func (c *Context) EXTRW(by operand.Op, m, n, d GP) { c.add(write, "EXTRW", by, m, n, d) }

// UBFX: d = so many bits of n from lsb on.
func (c *Context) UBFX(lsb operand.Op, n GP, bits operand.Op, d GP) {
	c.add(write, "UBFX", lsb, n, bits, d)
}

// UBFXW: d = so many bits of n from lsb on, on 32 bits.
func (c *Context) UBFXW(lsb operand.Op, n GP, bits operand.Op, d GP) {
	c.add(write, "UBFXW", lsb, n, bits, d)
}

// SBFX: d = so many bits of n from lsb on, with their sign.
func (c *Context) SBFX(lsb operand.Op, n GP, bits operand.Op, d GP) {
	c.add(write, "SBFX", lsb, n, bits, d)
}

// SBFXW: d = so many bits of n from lsb on, with their sign, on 32 bits.
func (c *Context) SBFXW(lsb operand.Op, n GP, bits operand.Op, d GP) {
	c.add(write, "SBFXW", lsb, n, bits, d)
}

// UBFIZ: d = so many low bits of n, shifted to the left by lsb.
func (c *Context) UBFIZ(lsb operand.Op, n GP, bits operand.Op, d GP) {
	c.add(write, "UBFIZ", lsb, n, bits, d)
}

// UBFIZW: d = so many low bits of n, shifted to the left by lsb, on 32 bits.
func (c *Context) UBFIZW(lsb operand.Op, n GP, bits operand.Op, d GP) {
	c.add(write, "UBFIZW", lsb, n, bits, d)
}

// BFI: so many bits of d from lsb on = the low bits of n.
func (c *Context) BFI(lsb operand.Op, n GP, bits operand.Op, d GP) {
	c.add(modify, "BFI", lsb, n, bits, d)
}

// BFIW: so many bits of d from lsb on = the low bits of n, on 32 bits.
func (c *Context) BFIW(lsb operand.Op, n GP, bits operand.Op, d GP) {
	c.add(modify, "BFIW", lsb, n, bits, d)
}

// BFXIL: so many low bits of d = the bits of n from lsb on.
func (c *Context) BFXIL(lsb operand.Op, n GP, bits operand.Op, d GP) {
	c.add(modify, "BFXIL", lsb, n, bits, d)
}

// BFXILW: so many low bits of d = the bits of n from lsb on, on 32 bits.
func (c *Context) BFXILW(lsb operand.Op, n GP, bits operand.Op, d GP) {
	c.add(modify, "BFXILW", lsb, n, bits, d)
}

// CLZ: d = the number of zeros above the highest bit of n.
func (c *Context) CLZ(n, d GP) { c.add(write, "CLZ", n, d) }

// CLZW: d = the number of zeros above the highest bit of n, on 32 bits.
func (c *Context) CLZW(n, d GP) { c.add(write, "CLZW", n, d) }

// RBIT: d = n with its bits reversed.
func (c *Context) RBIT(n, d GP) { c.add(write, "RBIT", n, d) }

// RBITW: d = n with its bits reversed, on 32 bits.
func (c *Context) RBITW(n, d GP) { c.add(write, "RBITW", n, d) }

// REV: d = n with its bytes reversed.
func (c *Context) REV(n, d GP) { c.add(write, "REV", n, d) }

// REVW: d = n with its bytes reversed, on 32 bits.
func (c *Context) REVW(n, d GP) { c.add(write, "REVW", n, d) }

// Conditions.

// CSEL: d = n if the condition holds, m if not.
func (c *Context) CSEL(cond Condition, n, m, d GP) { c.add(write, "CSEL", cond, n, m, d) }

// CSELW: d = n if the condition holds, m if not, on 32 bits.
func (c *Context) CSELW(cond Condition, n, m, d GP) { c.add(write, "CSELW", cond, n, m, d) }

// CSINC: d = n if the condition holds, m + 1 if not.
func (c *Context) CSINC(cond Condition, n, m, d GP) { c.add(write, "CSINC", cond, n, m, d) }

// CSINCW: d = n if the condition holds, m + 1 if not, on 32 bits.
func (c *Context) CSINCW(cond Condition, n, m, d GP) { c.add(write, "CSINCW", cond, n, m, d) }

// CSINV: d = n if the condition holds, ^m if not.
func (c *Context) CSINV(cond Condition, n, m, d GP) { c.add(write, "CSINV", cond, n, m, d) }

// CSINVW: d = n if the condition holds, ^m if not, on 32 bits.
func (c *Context) CSINVW(cond Condition, n, m, d GP) { c.add(write, "CSINVW", cond, n, m, d) }

// CSNEG: d = n if the condition holds, -m if not.
func (c *Context) CSNEG(cond Condition, n, m, d GP) { c.add(write, "CSNEG", cond, n, m, d) }

// CSNEGW: d = n if the condition holds, -m if not, on 32 bits.
func (c *Context) CSNEGW(cond Condition, n, m, d GP) { c.add(write, "CSNEGW", cond, n, m, d) }

// CSET: d = 1 if the condition holds, 0 if not.
func (c *Context) CSET(cond Condition, d GP) { c.add(write, "CSET", cond, d) }

// CSETW: d = 1 if the condition holds, 0 if not, on 32 bits.
func (c *Context) CSETW(cond Condition, d GP) { c.add(write, "CSETW", cond, d) }

// CSETM: d = -1 if the condition holds, 0 if not.
func (c *Context) CSETM(cond Condition, d GP) { c.add(write, "CSETM", cond, d) }

// CSETMW: d = -1 if the condition holds, 0 if not, on 32 bits.
func (c *Context) CSETMW(cond Condition, d GP) { c.add(write, "CSETMW", cond, d) }

// CINC: d = n + 1 if the condition holds, n if not.
func (c *Context) CINC(cond Condition, n, d GP) { c.add(write, "CINC", cond, n, d) }

// CINCW: d = n + 1 if the condition holds, n if not, on 32 bits.
func (c *Context) CINCW(cond Condition, n, d GP) { c.add(write, "CINCW", cond, n, d) }

// CINV: d = ^n if the condition holds, n if not.
func (c *Context) CINV(cond Condition, n, d GP) { c.add(write, "CINV", cond, n, d) }

// CINVW: d = ^n if the condition holds, n if not, on 32 bits.
func (c *Context) CINVW(cond Condition, n, d GP) { c.add(write, "CINVW", cond, n, d) }

// CNEG: d = -n if the condition holds, n if not.
func (c *Context) CNEG(cond Condition, n, d GP) { c.add(write, "CNEG", cond, n, d) }

// CNEGW: d = -n if the condition holds, n if not, on 32 bits.
func (c *Context) CNEGW(cond Condition, n, d GP) { c.add(write, "CNEGW", cond, n, d) }

// CCMP: the flags of n - x if the condition holds; if not, N, Z, C and V as in the constant flags, N being 8.
func (c *Context) CCMP(cond Condition, n GP, x operand.Op, flags operand.Op) {
	c.add(read, "CCMP", cond, n, x, flags)
}

// Control.

// B goes to l.
func (c *Context) B(l operand.LabelRef) { c.branch("B", false, l) }

// BEQ goes to l if the flags say: equal, zero.
func (c *Context) BEQ(l operand.LabelRef) { c.branch("BEQ", true, l) }

// BNE goes to l if the flags say: not equal, not zero.
func (c *Context) BNE(l operand.LabelRef) { c.branch("BNE", true, l) }

// BHS goes to l if the flags say: unsigned higher or same, carry.
func (c *Context) BHS(l operand.LabelRef) { c.branch("BHS", true, l) }

// BLO goes to l if the flags say: unsigned lower, no carry.
func (c *Context) BLO(l operand.LabelRef) { c.branch("BLO", true, l) }

// BMI goes to l if the flags say: minus.
func (c *Context) BMI(l operand.LabelRef) { c.branch("BMI", true, l) }

// BPL goes to l if the flags say: plus or zero.
func (c *Context) BPL(l operand.LabelRef) { c.branch("BPL", true, l) }

// BVS goes to l if the flags say: overflow.
func (c *Context) BVS(l operand.LabelRef) { c.branch("BVS", true, l) }

// BVC goes to l if the flags say: no overflow.
func (c *Context) BVC(l operand.LabelRef) { c.branch("BVC", true, l) }

// BHI goes to l if the flags say: unsigned higher.
func (c *Context) BHI(l operand.LabelRef) { c.branch("BHI", true, l) }

// BLS goes to l if the flags say: unsigned lower or same.
func (c *Context) BLS(l operand.LabelRef) { c.branch("BLS", true, l) }

// BGE goes to l if the flags say: signed greater or equal.
func (c *Context) BGE(l operand.LabelRef) { c.branch("BGE", true, l) }

// BLT goes to l if the flags say: signed less.
func (c *Context) BLT(l operand.LabelRef) { c.branch("BLT", true, l) }

// BGT goes to l if the flags say: signed greater.
func (c *Context) BGT(l operand.LabelRef) { c.branch("BGT", true, l) }

// BLE goes to l if the flags say: signed less or equal.
func (c *Context) BLE(l operand.LabelRef) { c.branch("BLE", true, l) }

// CBZ goes to l if n is 0.
func (c *Context) CBZ(n GP, l operand.LabelRef) { c.branch("CBZ", true, n, l) }

// CBZW goes to l if n is 0, of 32 bits.
func (c *Context) CBZW(n GP, l operand.LabelRef) { c.branch("CBZW", true, n, l) }

// CBNZ goes to l if n is not 0.
func (c *Context) CBNZ(n GP, l operand.LabelRef) { c.branch("CBNZ", true, n, l) }

// CBNZW goes to l if n is not 0, of 32 bits.
func (c *Context) CBNZW(n GP, l operand.LabelRef) { c.branch("CBNZW", true, n, l) }

// TBZ goes to l if the numbered bit of n is 0.
func (c *Context) TBZ(bit operand.Op, n GP, l operand.LabelRef) { c.branch("TBZ", true, bit, n, l) }

// TBNZ goes to l if the numbered bit of n is 1.
func (c *Context) TBNZ(bit operand.Op, n GP, l operand.LabelRef) { c.branch("TBNZ", true, bit, n, l) }

// RET returns.
func (c *Context) RET() { c.add(read, "RET").IsTerminal = true }

// NOOP does nothing.
func (c *Context) NOOP() { c.add(read, "NOOP") }
