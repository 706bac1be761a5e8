package arm64

import (
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// refused tells what is wrong with operands that Go's assembler would take and encode as
// something else, or is empty.
func refused(name, suffix string, ops []operand.Op) string {
	for k, op := range ops {
		why := ""
		switch op := op.(type) {
		case operand.Constant:
			why = refusedConstant(name, ops, k)
		case Condition:
			if !slices.Contains([]Condition{EQ, NE, HS, LO, MI, PL, VS, VC, HI, LS, GE, LT, GT, LE}, op) {
				why = "no condition"
			}
		case operand.Mem:
			why = refusedMemory(name, suffix, op)
		case Indexed:
			why = refusedMemory(name, suffix, op.Mem)
		case Address:
			why = refusedMemory(name, suffix, op.Mem)
			if name != "MOVD" || op.Index != nil {
				why = "an address with an index, or not as the source of MOVD"
			}
		case Vec:
			why = refusedVector(name, ops, op)
		case Pair:
			for _, r := range op {
				if v, ok := r.(Vec); ok && why == "" {
					why = refusedVector(name, ops, v)
				}
			}
		case List:
			why = refusedList(name, op)
		}
		if why != "" {
			return op.Asm() + ": " + why
		}
	}
	return ""
}

// The assembler takes the lowest bits of a constant that is too large for its place.
func refusedConstant(name string, ops []operand.Op, k int) string {
	lo, hi, ok := limits(name, ops, k)
	if !ok {
		return "no constant stands here"
	}
	switch v := reflect.ValueOf(ops[k]); {
	case v.CanInt() && v.Int() >= lo && (v.Int() < 0 || uint64(v.Int()) <= hi):
	case v.CanUint() && int64(min(v.Uint(), math.MaxInt64)) >= lo && v.Uint() <= hi:
	default:
		return fmt.Sprintf("not a whole number from %d to %d", lo, hi)
	}
	return ""
}

// limits returns from where to where a constant may be that is operand k, and whether one
// may stand there.
func limits(name string, ops []operand.Op, k int) (lo int64, hi uint64, ok bool) {
	opcode, size := name, uint64(64)
	if short, ok := strings.CutSuffix(name, "W"); ok {
		opcode, size = short, 32
	}
	lane := func() uint64 { // bits of a lane of the source
		n, _ := ops[1].(Vec)
		return uint64(8 * n.LaneBytes())
	}
	switch opcode {
	case "MOVD", "ADD", "ADDS", "SUB", "SUBS", "CMP", "CMN", "AND", "ANDS", "ORR", "EOR", "BIC", "BICS", "ORN", "EON", "TST":
		return -1 << (size - 1), math.MaxUint64 >> (64 - size), true
	case "LSL", "LSR", "ASR", "ROR", "EXTR", "TBZ", "TBNZ":
		return 0, size - 1, true
	case "UBFX", "SBFX", "UBFIZ", "BFI", "BFXIL":
		if k == 0 {
			return 0, size - 1, true
		}
		switch lsb := reflect.ValueOf(ops[0]); { // within its own limits
		case lsb.CanInt():
			size -= uint64(lsb.Int())
		case lsb.CanUint():
			size -= lsb.Uint()
		}
		return 1, size, true
	case "CCMP":
		if k == 2 {
			return 0, 31, true
		}
		return 0, 15, true
	case "VMOVI":
		return 0, 255, true
	case "VEXT":
		d, _ := ops[3].(Vec)
		return 0, uint64(d.Bytes()) - 1, true
	case "VSHL", "VSLI", "VUSHLL", "VUSHLL2":
		return 0, lane() - 1, true
	case "VUSHR", "VSRI", "VUSRA":
		return 1, lane(), true
	}
	return 0, 0, false
}

// The assembler takes the number of any register for a base or an index, where 31 is RSP
// or ZR by the instruction.
func refusedMemory(name, suffix string, m operand.Mem) string {
	if base, ok := m.Base.(GP); m.Base == nil || base == ZR || !ok && m.Base.Kind() != reg.KindPseudo {
		return "the base is no general register"
	}
	elements := strings.HasPrefix(name, "VLD") || strings.HasPrefix(name, "VST")
	switch {
	case m.Index != nil:
		if index, ok := m.Index.(GP); !ok || index == ZR || index == RSP {
			return "the index is no general register"
		}
		if m.Disp != 0 || m.Symbol.Name != "" {
			return "an index and a displacement"
		}
		if bits.OnesCount8(m.Scale) != 1 || elements && m.Scale != 1 {
			return fmt.Sprintf("a scale of %d", m.Scale)
		}
	case elements && suffix == "" && m.Disp != 0:
		return "a displacement"
	case elements && suffix == "P" && m.Disp == 0:
		return "a step of nothing, which is encoded as one of what is moved"
	case name == "PRFM" && m.Disp%8 != 0:
		return "the displacement is not a multiple of 8"
	}
	return ""
}

// The assembler takes any register under the name that scalar instructions use, one
// without lanes for a scalar, and any lane for one of the size that VDUP writes.
func refusedVector(name string, ops []operand.Op, v Vec) string {
	last, _ := ops[len(ops)-1].(Vec)
	switch {
	case name[0] == 'F' && v.view != "F":
		return "lanes where the whole register stands"
	case name[0] == 'V' && v.view == "" && name != "VADDV" && name != "VUADDLV":
		return "no lanes"
	case name == "VDUP" && v.IsLane() && v.LaneBytes() != last.LaneBytes():
		return "not a lane of the size of those that are written"
	}
	return ""
}

// The assembler takes a list of any length for one of the length that the instruction
// has, and lanes of any size for bytes in a table.
func refusedList(name string, l List) string {
	if !l.consecutive() {
		return "no list of one to four registers in a row"
	}
	n := len(l)
	switch strings.TrimPrefix(strings.TrimPrefix(name, "VLD"), "VST") {
	case "1R":
		n = 1
	case "2":
		n = 2
	case "3":
		n = 3
	case "4":
		n = 4
	case "VTBL", "VTBX":
		if slices.ContainsFunc(l, func(v Vec) bool { return v.view != ".B16" }) {
			return "a table that is not B16"
		}
	}
	if len(l) != n {
		return fmt.Sprintf("not a list of %d", n)
	}
	if n > 1 && !strings.HasSuffix(name, "1") && l[0].view == ".D1" {
		return "one lane has no neighbour"
	}
	return ""
}
