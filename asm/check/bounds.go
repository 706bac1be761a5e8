package check

import (
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Bounds tell that a number of 64 bits is at least lo and at most hi, if they are known.
// Both are within maxBound, so that no sum or product below overflows.
type bounds struct {
	lo, hi int
	known  bool
}

// maxBound is more than any offset in a frame.
const maxBound = 1 << 31

// between returns the bounds lo and hi, none if they are too far away.
func between(lo, hi int) bounds {
	if lo < -maxBound || hi >= maxBound {
		return bounds{}
	}
	return bounds{lo, hi, true}
}

func exactly(x int) bounds { return between(x, x) }

func (b bounds) exact() bool { return b.known && b.lo == b.hi }

func (b bounds) join(c bounds) bounds {
	if !b.known || !c.known {
		return bounds{}
	}
	return between(min(b.lo, c.lo), max(b.hi, c.hi))
}

func (b bounds) plus(c bounds) bounds {
	if !b.known || !c.known {
		return bounds{}
	}
	return between(b.lo+c.lo, b.hi+c.hi)
}

func (b bounds) minus(c bounds) bounds {
	if !b.known || !c.known {
		return bounds{}
	}
	return between(b.lo-c.hi, b.hi-c.lo)
}

// times returns the bounds of the product with a factor that is not negative.
func (b bounds) times(factor int) bounds {
	if !b.known {
		return bounds{}
	}
	return between(b.lo*factor, b.hi*factor)
}

// left and right return the bounds of the number shifted by a constant, zeros coming in.
func (b bounds) left(by int) bounds {
	if by < 0 || by >= 31 {
		return bounds{}
	}
	return b.times(1 << by)
}

func (b bounds) right(by int) bounds {
	switch {
	case by < 0 || by >= 64:
		return bounds{}
	case b.known && b.lo >= 0:
		return between(b.lo>>by, b.hi>>by)
	case by > 64-31:
		return between(0, 1<<(64-by)-1)
	}
	return bounds{}
}

// cut returns the bounds of what size bytes of the number are, with zeros above them.
func (b bounds) cut(size int) bounds {
	if size < 4 || b.lo < 0 {
		return bounds{}
	}
	return b
}

// A comparison is what the flags tell: those of a general register, of 64 bits, less a
// number. Register 0 and number 0 stand for none if known is false.
type comparison struct {
	register, with int
	known          bool
}

// compares returns the comparison that an instruction makes.
func compares(i *ir.Instruction) comparison {
	var r, c operand.Op
	switch i.Opcode {
	case "CMPQ":
		r, c = i.Operands[0], i.Operands[1]
	case "CMP":
		c, r = i.Operands[0], i.Operands[1]
	default:
		return comparison{}
	}
	gp, ok := r.(reg.Register)
	with, constant := number(c)
	if !ok || gp.Kind() != reg.KindGP || !constant || with < 0 || with >= maxBound {
		return comparison{}
	}
	return comparison{index(gp), with, true}
}

// relations tells for which numbers x, compared with c, a branch is taken: below c and
// its contrary, above c and its contrary, or equal to c and its contrary, x and c being
// without a sign.
var relations = map[string]string{
	"JB": "<", "JCS": "<", "JLO": "<", "BLO": "<",
	"JAE": ">=", "JCC": ">=", "JHS": ">=", "BHS": ">=",
	"JA": ">", "JHI": ">", "BHI": ">",
	"JBE": "<=", "JLS": "<=", "BLS": "<=",
	"JE": "==", "JEQ": "==", "BEQ": "==",
	"JNE": "!=", "BNE": "!=",
}

var contrary = map[string]string{"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}

// goes narrows s to the states in which a branch is taken, or is not, and reports whether
// there are any.
func (s *state) goes(opcode string, taken bool) bool {
	relation := relations[opcode]
	if !taken {
		relation = contrary[relation]
	}
	c := s.compared
	if !c.known || relation == "" {
		return true
	}
	v := join(s.gp[c.register], s.low[c.register])
	if v.ptr != nil || v.at.known && v.at.lo < 0 {
		return true
	}
	lo, hi := 0, maxBound // as far as they are told apart
	if v.at.known {
		lo, hi = v.at.lo, v.at.hi
	}
	switch relation {
	case "<":
		hi = min(hi, c.with-1)
	case "<=":
		hi = min(hi, c.with)
	case ">":
		lo = max(lo, c.with+1)
	case ">=":
		lo = max(lo, c.with)
	case "==":
		lo, hi = max(lo, c.with), min(hi, c.with)
	case "!=":
		if lo == c.with {
			lo++
		}
		if hi == c.with {
			hi--
		}
	}
	if lo > hi {
		return false
	}
	v.at = between(lo, hi)
	s.gp[c.register].at, s.low[c.register].at = v.at, v.at
	return true
}

// A position is where in the frame the general registers of a state point, and which
// numbers are in those that serve as an index: 1 more than twice the offset or number if
// it is exact, 0 otherwise. States of different positions are not merged, so that a loop
// that goes through the frame is followed round by round.
type position [32]int

// Beyond maxStates at one instruction, states are merged whatever their positions;
// beyond maxJoined merges, a bound that still moves is given up.
const (
	maxStates = 1024
	maxJoined = 8
)

// position returns the position of s.
func (f *function) position(s *state) position {
	var p position
	for k := range s.gp {
		v := join(s.gp[k], s.low[k])
		if v.at.exact() && (v.ptr == frameRegion || v.ptr == nil && f.indexes[k]) {
			p[k] = 2*v.at.lo + 1
		}
	}
	return p
}
