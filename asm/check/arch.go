package check

import (
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An Arch is what the checks know of an architecture. The rules are those of the
// package, the same for all.
type Arch struct {
	name string // as GOARCH

	// tiers holds the condition of each tier but portable, which has none: the
	// features, by their names in kernels/cpu, that its row there tests. words are the
	// names that instructions have for these, implied is what a processor with an
	// instruction set has besides, and baseline what every processor has.
	tiers    map[string][]string
	words    map[string]string
	implied  map[string][]string
	baseline []string
	// needs returns the instruction sets that an instruction takes.
	needs func(i *ir.Instruction) []string

	// effect returns what an instruction does, and false if the table does not have it.
	effect func(i *ir.Instruction) (effect, bool)
	// target returns the label that a branch goes to.
	target func(i *ir.Instruction) string
	// pointer returns the result of the instructions that keep the provenance of an
	// address, and otherwise out.
	pointer func(f *function, s *state, n int, values []value, out value) value

	// memory returns the memory that an operand names, and registers its registers,
	// those of an address among them.
	memory    func(op operand.Op) (operand.Mem, bool)
	registers func(op operand.Op) []reg.Register
	// reserved tells which register it is, if a routine must not write it.
	reserved func(fn *ir.Function, r reg.Register) string
	// The stack pointer is general register number stack, and the frame begins at
	// frame bytes from where it points.
	stack, frame int
}

// values returns the registers that an operand reads or writes as a value: those of an
// address are not among them.
func (a *Arch) values(op operand.Op) []reg.Register {
	if _, ok := a.memory(op); ok {
		return nil
	}
	return a.registers(op)
}

// written returns the registers that an instruction writes.
func (a *Arch) written(i *ir.Instruction) []reg.Register {
	e, ok := a.effect(i)
	if !ok {
		return nil
	}
	regs := slices.Clone(e.out)
	for n, op := range i.Operands {
		if e.writesOperand(n, len(i.Operands)) {
			regs = append(regs, a.values(op)...)
		}
		if m, ok := a.memory(op); ok && writeBack(i) {
			regs = append(regs, m.Base)
		}
	}
	return regs
}

// writeBack reports whether an instruction of arm64 changes the register of its
// address.
func writeBack(i *ir.Instruction) bool {
	return slices.Contains(i.Suffixes, "P") || slices.Contains(i.Suffixes, "W")
}

// AMD64 is the architecture of what avo's build package makes.
var AMD64 = &Arch{
	name: "amd64", tiers: tiers, words: words, implied: implied, baseline: baseline, needs: needs,
	effect:  func(i *ir.Instruction) (effect, bool) { return lookup(i.Opcode, len(i.Operands)) },
	pointer: pointerAMD64,
	target: func(i *ir.Instruction) string {
		if l := i.TargetLabel(); l != nil {
			return string(*l)
		}
		return ""
	},
	memory: func(op operand.Op) (operand.Mem, bool) {
		m, ok := op.(operand.Mem)
		return m, ok
	},
	registers: operand.Registers,
	reserved: func(fn *ir.Function, r reg.Register) string {
		switch kind, index := r.Kind(), r.ID().Index(); {
		case kind == reg.KindVector && index == 15:
			return "X15, which is zero in Go code"
		case kind == reg.KindGP && index == 14:
			return "R14, which holds the goroutine in Go code"
		case kind == reg.KindGP && index == 4 || kind == reg.KindPseudo:
			return "SP"
		case kind == reg.KindGP && index == 5 && (fn.LocalSize == 0 || fn.Attributes.NOFRAME()):
			return "BP in a function without a frame"
		}
		return ""
	},
	stack: int(reg.RSP.PhysicalIndex()),
}
