package arm64

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// GP is a general register: physical, or virtual until [Compile] finds it a place.
// Go's assembler tells by the opcode, not by the register, whether all 64 bits are
// meant or the lower 32.
type GP struct{ reg.Register }

// Vec is a vector register of 128 bits, physical or virtual, in one of the ways in
// which an operand shows it: alone, as lanes of one size (B16, S4, ...), or as one
// lane.
type Vec struct {
	reg.Register
	view string // ".S4", ".S[1]", "F" for the name that scalar instructions use, or nothing
}

// Registers have avo's kinds, so that its passes tell them apart; index and name are
// arm64's.
const (
	kindGP     = reg.KindGP
	kindVector = reg.KindVector
)

// physical is an avo register under another number and name.
type physical struct {
	reg.Physical
	id   reg.ID
	name string
}

func (p physical) ID() reg.ID               { return p.id }
func (p physical) PhysicalIndex() reg.Index { return p.id.Index() }
func (p physical) Kind() reg.Kind           { return p.id.Kind() }
func (p physical) Info() reg.Info           { return reg.None }
func (p physical) Asm() string              { return p.name }

// number makes avo's identifier of a physical register.
func number(kind reg.Kind, index int) reg.ID { return reg.ID(kind)<<8 | reg.ID(index)<<16 }

func general(index int, name string) GP {
	return GP{physical{reg.RAX, number(kindGP, index), name}}
}

var (
	// R holds the general registers R0 to R30.
	R [31]GP
	// V holds the vector registers.
	V [32]Vec
	// RSP is the stack pointer, and ZR reads as zero and forgets what is written.
	RSP = general(31, "RSP")
	ZR  = GP{physical{reg.RAX, number(reg.KindPseudo, 1), "ZR"}}
)

func init() {
	for i := range R {
		R[i] = general(i, fmt.Sprintf("R%d", i))
	}
	for i := range V {
		V[i] = Vec{physical{reg.X0, number(kindVector, i), fmt.Sprintf("V%d", i)}, ""}
	}
}

// Reserved tells why a routine must not write a register, or is empty if it may. These
// are also those that virtual registers never become.
func Reserved(r reg.Register) string {
	if r.Kind() != kindGP || r.ID().IsVirtual() {
		return ""
	}
	switch r.ID().Index() {
	case 18:
		return "R18, which belongs to the system"
	case 26:
		return "R26, which holds the closure in Go code"
	case 27:
		return "R27, which the assembler uses"
	case 28:
		return "R28, which holds the goroutine in Go code"
	case 29:
		return "R29, the frame pointer"
	case 30:
		return "R30, the link register"
	case 31:
		return "RSP"
	}
	return ""
}

// LSL is the register shifted to the left, as a source of arithmetic and logic.
func (r GP) LSL(n int) Shifted { return Shifted{r, "<<", n} }

// LSR is the register shifted to the right, with zeros.
func (r GP) LSR(n int) Shifted { return Shifted{r, ">>", n} }

// ASR is the register shifted to the right, with its sign.
func (r GP) ASR(n int) Shifted { return Shifted{r, "->", n} }

// ROR is the register rotated to the right, as a source of logic only.
func (r GP) ROR(n int) Shifted { return Shifted{r, "@>", n} }

// Asm returns the register as Go's assembler names it.
func (v Vec) Asm() string {
	name := v.Register.Asm()
	if v.view == "F" && !v.ID().IsVirtual() {
		return "F" + name[1:]
	}
	return name + v.view
}

// B8 is the lower half of the register as eight bytes.
func (v Vec) B8() Vec { return Vec{v.Register, ".B8"} }

// B16 is the register as sixteen bytes.
func (v Vec) B16() Vec { return Vec{v.Register, ".B16"} }

// H4 is the lower half of the register as four lanes of 16 bits.
func (v Vec) H4() Vec { return Vec{v.Register, ".H4"} }

// H8 is the register as eight lanes of 16 bits.
func (v Vec) H8() Vec { return Vec{v.Register, ".H8"} }

// S2 is the lower half of the register as two lanes of 32 bits.
func (v Vec) S2() Vec { return Vec{v.Register, ".S2"} }

// S4 is the register as four lanes of 32 bits.
func (v Vec) S4() Vec { return Vec{v.Register, ".S4"} }

// D1 is the lower half of the register as one lane of 64 bits.
func (v Vec) D1() Vec { return Vec{v.Register, ".D1"} }

// D2 is the register as two lanes of 64 bits.
func (v Vec) D2() Vec { return Vec{v.Register, ".D2"} }

// B is byte i of the register.
func (v Vec) B(i int) Vec { return v.lane('B', i) }

// H is lane i of 16 bits.
func (v Vec) H(i int) Vec { return v.lane('H', i) }

// S is lane i of 32 bits.
func (v Vec) S(i int) Vec { return v.lane('S', i) }

// D is lane i of 64 bits.
func (v Vec) D(i int) Vec { return v.lane('D', i) }

func (v Vec) lane(size byte, i int) Vec {
	return Vec{v.Register, fmt.Sprintf(".%c[%d]", size, i)}
}

// IsLane reports whether the operand is one lane: what is written there leaves the
// others as they are.
func (v Vec) IsLane() bool { return len(v.view) > 0 && v.view[len(v.view)-1] == ']' }

// Bytes is how many bytes of the register the operand shows.
func (v Vec) Bytes() int {
	switch v.view {
	case ".B8", ".H4", ".S2", ".D1":
		return 8
	}
	if v.IsLane() {
		return v.LaneBytes()
	}
	return 16
}

// LaneBytes is the size of a lane in bytes, 16 if the operand shows no lanes.
func (v Vec) LaneBytes() int {
	if len(v.view) < 2 {
		return 16
	}
	return map[byte]int{'B': 1, 'H': 2, 'S': 4, 'D': 8}[v.view[1]]
}

// scalar is the register under the name that loads and stores of one register use. One
// that shows lanes stays as it is, and is refused.
func scalar(op operand.Op) operand.Op {
	if v, ok := op.(Vec); ok && v.view == "" {
		return Vec{v.Register, "F"}
	}
	return op
}
