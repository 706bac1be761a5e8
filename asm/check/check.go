// Package check proves, before assembly is printed, that it keeps what its routines
// promise. It reads avo's list of instructions when registers are bound, after
// pass.Compile or arm64.Compile, and works on every path through each routine. The rules
// are the same on all architectures; an [Arch] holds what the instructions do.
//
// What a nil error of [Arch.Function] means:
//
//   - Secrets. A value that derives from a secret, through registers, masks, flags,
//     the stack frame or memory, decides no branch, no address, no memory operand's
//     mask, and is no operand of an instruction whose time depends on its operands.
//     Nothing secret is stored where the specification says public. Every address
//     is a pointer argument (or a pointer read from public memory behind one whose
//     elements are all pointers), the frame or a global symbol, plus a public
//     number.
//   - Instruction sets. The tier's condition covers every instruction; and, with
//     [Arch.File], each feature that the condition tests is needed.
//   - The frame. What held a secret is overwritten before the routine returns, or
//     the specification says why not. No access leaves the frame: an index, and a
//     pointer that moves, is bounded by constants, masks and shifts by constants, and
//     by branches on unsigned comparisons with constants, and what these do not bound
//     is refused. A NOSPLIT frame has at most 800 bytes.
//   - Upper halves, on amd64. Where a routine may have written the upper halves of vector
//     registers 0 to 15, VZEROUPPER comes before it returns and before any
//     instruction in a legacy encoding, the SHA extensions among them.
//   - Registers. Those that belong to Go or to the system are never written: on amd64
//     X15, R14 and SP, and BP only in a routine that has a frame; on arm64 those that
//     arm64.Reserved names.
//
// What it trusts: avo's encoder, Go's assembler, the table of opcodes (a test
// compares its reads and writes with avo's or arm64's; of flags and latency it has only
// Intel's manual and Arm's), and that the caller's stub and the specification are true: a
// table in asm/declared_test.go holds what each declares public, with the reason.
// It assumes that public memory overlaps no memory of another argument that the
// routine writes, and that upper halves are clean on entry.
//
// What it does not prove: that the result is right; that an access stays inside the
// object behind a pointer; that registers are wiped; anything about speculation,
// or a processor whose latencies differ from the table's.
//
// The analysis tells flags apart, the bytes of the frame, the lowest byte of a
// general register from the rest, and paths on which a register points to different
// places in the frame or is a different index; but it takes vector registers whole,
// memory behind an argument as one, and all results as one. It errs to the safe side:
// a routine that it refuses may be sound, and is to be written more plainly.
package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
)

// File checks every function of f, each with its specification in specs, and that
// each feature tested by a tier is needed by one of them. The error joins all
// findings.
func (a *Arch) File(f *ir.File, specs map[string]Spec) error {
	var errs []error
	known := make(map[string]bool)
	for _, fn := range f.Functions() {
		known[fn.Name] = true
		s, ok := specs[fn.Name]
		if !ok {
			errs = append(errs, fmt.Errorf("%s: no specification", fn.Name))
			continue
		}
		errs = append(errs, a.Function(fn, s))
	}
	var extra []string
	for name := range specs {
		if !known[name] {
			extra = append(extra, name)
		}
	}
	slices.Sort(extra)
	for _, name := range extra {
		errs = append(errs, fmt.Errorf("%s: a specification and no function", name))
	}
	return errors.Join(append(errs, a.unused(f, specs)...)...)
}

// Function checks one function of a file that is compiled. The error joins all
// findings; each names the function, the instruction by its number (from 1) and text,
// and for a secret the instructions through which it came.
func (a *Arch) Function(fn *ir.Function, s Spec) error {
	f := &function{arch: a, fn: fn, spec: s, code: fn.Instructions(), globals: make(map[string]*region)}
	f.instructionSets()
	if f.registers() && f.layout() && f.graph() {
		f.analyse()
	}
	slices.SortStableFunc(f.found, func(a, b finding) int { return a.at - b.at })
	var errs []error
	for _, x := range f.found {
		if x.at < 0 {
			errs = append(errs, fmt.Errorf("%s: %s", fn.Name, x.text))
		} else {
			errs = append(errs, fmt.Errorf("%s: instruction %s: %s", fn.Name, f.show(x.at), x.text))
		}
	}
	return errors.Join(errs...)
}

// A function is one under check.
type function struct {
	arch    *Arch
	fn      *ir.Function
	spec    Spec
	code    []*ir.Instruction
	succ    [][]int // by instruction: where control may go
	slots   []slot  // arguments and results
	globals map[string]*region
	indexes [32]bool // the general registers that are an index of some address
	found   []finding
	quiet   bool // the analysis has not settled yet
	pass    int  // counts the looks at blocks of instructions, once it has
}

// A finding is about an instruction, or about the whole function if at is -1.
type finding struct {
	at     int
	text   string
	format string
	pass   int
}

// fail adds a finding, unless another state at the same instruction made the same.
func (f *function) fail(at int, format string, args ...any) {
	known := func(x finding) bool { return x.at == at && x.format == format && x.pass != f.pass }
	if !f.quiet && !slices.ContainsFunc(f.found, known) {
		f.found = append(f.found, finding{at, fmt.Sprintf(format, args...), format, f.pass})
	}
}

// show returns an instruction's number and text.
func (f *function) show(n int) string {
	i := f.code[n]
	var ops []string
	for _, op := range i.Operands {
		ops = append(ops, op.Asm())
	}
	return strings.TrimSpace(fmt.Sprintf("%d (%s %s", n+1, i.OpcodeWithSuffixes(), strings.Join(ops, ", "))) + ")"
}

// graph finds the successors of every instruction. pass.Compile throws avo's own
// away with its last passes.
func (f *function) graph() bool {
	labels := make(map[string]int)
	n := 0
	for _, node := range f.fn.Nodes {
		switch node := node.(type) {
		case ir.Label:
			labels[string(node)] = n
		case *ir.Instruction:
			n++
		}
	}
	before := len(f.found)
	if len(f.code) == 0 {
		f.fail(-1, "no instructions")
	}
	f.succ = make([][]int, len(f.code))
	for n, i := range f.code {
		e, _ := f.arch.effect(i)
		if e.kind == branch || e.kind == jump {
			to, ok := labels[f.arch.target(i)]
			if !ok || to >= len(f.code) {
				f.fail(n, "jumps to no label of this function")
				continue
			}
			f.succ[n] = append(f.succ[n], to)
		}
		if e.kind != jump && e.kind != ret {
			if n+1 == len(f.code) {
				f.fail(n, "control runs off the end of the function")
				continue
			}
			f.succ[n] = append(f.succ[n], n+1)
		}
	}
	return len(f.found) == before
}
