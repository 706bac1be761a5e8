package arm64

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Constants, labels and memory are avo's: operand.Imm, operand.LabelRef, operand.Mem.
// An index of memory prints as arm64 has it, (R0)(R1<<3) for Idx(r, 8).

// Shifted is a general register shifted by a constant: see [GP.LSL].
type Shifted struct {
	Register GP
	operator string
	by       int
}

// Asm returns the operand as Go's assembler writes it.
func (s Shifted) Asm() string { return fmt.Sprintf("%s%s%d", s.Register.Asm(), s.operator, s.by) }

// List is what VLD1 to VLD4, VST1 to VST4, VTBL and VTBX take: registers whose
// numbers follow each other (0 after 31). More than one are therefore physical, since
// the allocation knows no such condition.
type List []Vec

// Asm returns the operand as Go's assembler writes it.
func (l List) Asm() string {
	var names []string
	for _, v := range l {
		names = append(names, v.Asm())
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// consecutive reports whether the registers of the list can stand in one.
func (l List) consecutive() bool {
	for i, v := range l {
		if len(l) > 1 && (v.ID().IsVirtual() || v.ID().Index() != (l[0].ID().Index()+reg.Index(i))%32) {
			return false
		}
	}
	return 1 <= len(l) && len(l) <= 4
}

// Pair is two registers that LDP, STP, FLDPQ or FSTPQ move.
type Pair [2]reg.Register

// Asm returns the operand as Go's assembler writes it.
func (p Pair) Asm() string { return fmt.Sprintf("(%s, %s)", p[0].Asm(), p[1].Asm()) }

// Address is where memory is, as the source of MOVD.
type Address struct{ operand.Mem }

// Asm returns the operand as Go's assembler writes it.
func (a Address) Asm() string { return "$" + a.Mem.Asm() }

// Indexed is memory at a register plus another one, which may be shifted.
type Indexed struct{ operand.Mem }

// Asm returns the operand as Go's assembler writes it.
func (x Indexed) Asm() string {
	index := x.Index.Asm()
	if x.Scale > 1 {
		index += fmt.Sprintf("<<%d", bits.TrailingZeros8(x.Scale))
	}
	return fmt.Sprintf("(%s)(%s)", x.Base.Asm(), index)
}

// Condition is what CSEL and its kind ask for.
type Condition string

// The conditions, by Go's names.
const (
	EQ, NE Condition = "EQ", "NE" // zero
	HS, LO Condition = "HS", "LO" // carry: no borrow, or one
	MI, PL Condition = "MI", "PL" // sign
	VS, VC Condition = "VS", "VC" // overflow
	HI, LS Condition = "HI", "LS" // unsigned
	GE, LT Condition = "GE", "LT" // signed
	GT, LE Condition = "GT", "LE"
)

// Asm returns the operand as Go's assembler writes it.
func (c Condition) Asm() string { return string(c) }

// Memory returns the memory that an operand names, if it is one.
func Memory(op operand.Op) (operand.Mem, bool) {
	switch op := op.(type) {
	case operand.Mem:
		return op, true
	case Indexed:
		return op.Mem, true
	}
	return operand.Mem{}, false
}

// Registers returns the registers of an operand, those of an address among them. ZR is
// none, and neither are FP and SB.
func Registers(op operand.Op) []reg.Register {
	var all []reg.Register
	switch op := op.(type) {
	case reg.Register:
		all = append(all, op)
	case operand.Mem:
		all = operand.Registers(op)
	case Indexed:
		all = operand.Registers(op.Mem)
	case Address:
		all = operand.Registers(op.Mem)
	case Shifted:
		all = append(all, op.Register)
	case List:
		for _, v := range op {
			all = append(all, v)
		}
	case Pair:
		all = append(all, op[:]...)
	}
	var real []reg.Register
	for _, r := range all {
		if r.Kind() != reg.KindPseudo {
			real = append(real, r)
		}
	}
	return real
}

// bind returns an operand with the registers that virtual ones became.
func bind(op operand.Op, a reg.Allocation) operand.Op {
	mem := func(m operand.Mem) operand.Mem {
		if m.Base != nil {
			m.Base = bindRegister(m.Base, a)
		}
		if m.Index != nil {
			m.Index = bindRegister(m.Index, a)
		}
		return m
	}
	switch op := op.(type) {
	case reg.Register:
		return bindRegister(op, a)
	case operand.Mem:
		return mem(op)
	case Indexed:
		return Indexed{mem(op.Mem)}
	case Address:
		return Address{mem(op.Mem)}
	case Shifted:
		op.Register = bindRegister(op.Register, a).(GP)
		return op
	case List:
		bound := make(List, len(op))
		for i, v := range op {
			bound[i] = bindRegister(v, a).(Vec)
		}
		return bound
	case Pair:
		return Pair{bindRegister(op[0], a), bindRegister(op[1], a)}
	}
	return op
}

func bindRegister(r reg.Register, a reg.Allocation) reg.Register {
	if !r.ID().IsVirtual() {
		return r
	}
	index := int(a.LookupDefault(r.ID()).Index())
	switch r := r.(type) {
	case Vec:
		return Vec{V[index].Register, r.view}
	default:
		return R[index]
	}
}

// Prefetch is a hint of PRFM.
type Prefetch string

// The hints to load into the first level of the cache, and to keep there.
const (
	PLDL1KEEP Prefetch = "PLDL1KEEP"
	PSTL1KEEP Prefetch = "PSTL1KEEP"
)

// Asm returns the operand as Go's assembler writes it.
func (p Prefetch) Asm() string { return string(p) }
