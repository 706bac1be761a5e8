package arm64

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"
)

// Compile makes a file ready for the printers: it replaces virtual registers by
// physical ones. A register that is read before it is written on some path is an
// error, and so is a function that needs more registers than there are: nothing is
// spilled.
func Compile(f *ir.File) error {
	for _, fn := range f.Functions() {
		for _, p := range []func(*ir.Function) error{pass.LabelTarget, graph, pass.Liveness, defined, allocate, pass.RequiredISAExtensions} {
			if err := p(fn); err != nil {
				return fmt.Errorf("%s: %w", fn.Name, err)
			}
		}
		for _, i := range fn.Instructions() {
			for _, ops := range [][]operand.Op{i.Operands, i.Inputs, i.Outputs} {
				for k := range ops {
					ops[k] = bind(ops[k], fn.Allocation)
				}
			}
		}
	}
	return pass.IncludeTextFlagHeader(f)
}

// Target returns the label that an instruction may branch to, which is its last
// operand.
func Target(i *ir.Instruction) (ir.Label, bool) {
	if !i.IsBranch || len(i.Operands) == 0 {
		return "", false
	}
	l, ok := i.Operands[len(i.Operands)-1].(operand.LabelRef)
	return ir.Label(l), ok
}

// graph sets the successors of each instruction.
func graph(fn *ir.Function) error {
	code := fn.Instructions()
	for n, i := range code {
		i.Succ, i.Pred = nil, nil
		if i.IsBranch {
			label, _ := Target(i)
			to := fn.LabelTarget[label]
			if to == nil {
				return fmt.Errorf("no label %q", label)
			}
			i.Succ = append(i.Succ, to)
		}
		if !i.IsTerminal && !i.IsUnconditionalBranch() && n+1 < len(code) {
			i.Succ = append(i.Succ, code[n+1])
		}
	}
	return nil
}

// defined checks that nothing reads a virtual register that may not be set.
func defined(fn *ir.Function) error {
	code := fn.Instructions()
	if len(code) == 0 {
		return nil
	}
	for id := range code[0].LiveIn {
		if !id.IsVirtual() {
			continue
		}
		for _, i := range code {
			for _, r := range i.InputRegisters() {
				if r.ID() == id {
					return fmt.Errorf("%s reads %s, which may not be set", i.OpcodeWithSuffixes(), r.Asm())
				}
			}
		}
	}
	return nil
}

// allocate finds a physical register for each virtual one.
func allocate(fn *ir.Function) error {
	fn.Allocation = reg.NewEmptyAllocation()
	for kind, registers := range map[reg.Kind][]reg.Physical{kindGP: allocatable(R[:]), kindVector: allocatable(V[:])} {
		a, err := pass.NewAllocator(registers)
		if err != nil {
			return err
		}
		used := false
		for _, i := range fn.Instructions() {
			for _, op := range i.Operands {
				for _, r := range Registers(op) {
					if r.Kind() == kind {
						a.Add(r.ID())
						used = true
					}
				}
			}
			written := i.OutputRegisters()
			for n, r := range written {
				if r.Kind() != kind {
					continue
				}
				live := i.LiveOut.OfKind(kind)
				// Two results of one instruction differ though nobody may read one.
				for _, other := range written[n+1:] {
					if other.Kind() == kind {
						live.AddRegister(other)
					}
				}
				live.DiscardRegister(r)
				a.AddInterferenceSet(r, live)
			}
		}
		if !used {
			continue
		}
		found, err := a.Allocate()
		if err != nil {
			return fmt.Errorf("%s registers: %w", map[reg.Kind]string{kindGP: "general", kindVector: "vector"}[kind], err)
		}
		if err := fn.Allocation.Merge(found); err != nil {
			return err
		}
	}
	return nil
}

// allocatable returns the physical registers that virtual ones may become.
func allocatable[T reg.Register](all []T) []reg.Physical {
	var some []reg.Physical
	for _, r := range all {
		if Reserved(r) == "" {
			some = append(some, physicalOf(r))
		}
	}
	return some
}

func physicalOf(r reg.Register) reg.Physical {
	switch r := r.(type) {
	case GP:
		return r.Register.(physical)
	case Vec:
		return r.Register.(physical)
	}
	return nil
}
