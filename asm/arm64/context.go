// Package arm64 writes assembly for arm64 as avo's build package does for amd64. A
// [Context] takes functions, instructions and data; [Compile] allocates the registers;
// avo's printers print the result. What does not depend on the processor is avo's own:
// the list of instructions (ir), signatures and arguments (gotypes), liveness and the
// allocator (pass), constants, labels and memory (operand).
//
// Operands stand in the order of Go's assembler: sources first, the destination last,
// and of two sources the one that is subtracted or shifted by first. The comment of
// each instruction gives the formula, in the names of its parameters.
//
// A form that Go's assembler would take and encode as something else is an error of
// [Context.Result]: it takes the lowest bits of a constant, any length of a list, and
// so on (refuse.go). A form that it does not take is left for it to refuse. Where it
// makes more than one instruction of one, for a large constant or displacement, it
// writes R27.
package arm64

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Context builds a file. The instructions are in instructions.go and vectors.go.
type Context struct {
	avo  *build.Context
	errs []error
}

// NewContext returns an empty file.
func NewContext() *Context { return &Context{avo: build.NewContext()} }

// GP returns a general register that is not allocated yet.
func (c *Context) GP() GP { return GP{c.avo.VirtualRegister(kindGP, reg.S64)} }

// Vec returns a vector register that is not allocated yet.
func (c *Context) Vec() Vec { return Vec{c.avo.VirtualRegister(kindVector, reg.S128), ""} }

// Function begins a function.
func (c *Context) Function(name string) { c.avo.Function(name) }

// Attributes sets the attributes of the function.
func (c *Context) Attributes(a attr.Attribute) { c.avo.Attributes(a) }

// SignatureExpr sets the function's type, as in "func(p *byte, n int)".
func (c *Context) SignatureExpr(expr string) { c.avo.SignatureExpr(expr) }

// Pragma adds a compiler directive to the stub.
func (c *Context) Pragma(directive string, args ...string) { c.avo.Pragma(directive, args...) }

// Doc sets the comment of the stub.
func (c *Context) Doc(lines ...string) { c.avo.Doc(lines...) }

// ConstraintExpr adds a build constraint, in the form of a +build line.
func (c *Context) ConstraintExpr(expr string) { c.avo.ConstraintExpr(expr) }

// Label names the next instruction.
func (c *Context) Label(name string) { c.avo.Label(name) }

// Comment adds lines before the next instruction.
func (c *Context) Comment(lines ...string) { c.avo.Comment(lines...) }

// StaticGlobal begins a symbol that this file alone sees.
func (c *Context) StaticGlobal(name string) operand.Mem { return c.avo.StaticGlobal(name) }

// DataAttributes sets the attributes of the symbol.
func (c *Context) DataAttributes(a attr.Attribute) { c.avo.DataAttributes(a) }

// AddDatum puts a constant into the symbol.
func (c *Context) AddDatum(offset int, v operand.Constant) { c.avo.AddDatum(offset, v) }

// AllocLocal returns size bytes of the function's frame, a positive multiple of 8. They
// are at a multiple of 16 if size is one, since only there a load or a store of a pair of
// vector registers is one instruction. 0(RSP) is the place of the link register: the
// frame begins at 8(RSP).
func (c *Context) AllocLocal(size int) operand.Mem {
	if size <= 0 || size%8 != 0 {
		c.fail("%d bytes of the frame: not a positive multiple of 8", size)
	}
	if size%16 == 0 && c.avo.AllocLocal(0).Disp%16 == 0 {
		c.avo.AllocLocal(8)
	}
	return operand.Mem{Base: RSP, Disp: 8 + c.avo.AllocLocal(size).Disp}
}

// Param returns the named argument of the function.
func (c *Context) Param(name string) gotypes.Component { return c.avo.Param(name) }

// Return returns the named result of the function.
func (c *Context) Return(name string) gotypes.Component { return c.avo.Return(name) }

// ReturnIndex returns result number i of the function, which may have no name.
func (c *Context) ReturnIndex(i int) gotypes.Component { return c.avo.ReturnIndex(i) }

// Load loads an argument into dst, extended to 64 bits by its type, and returns dst.
func (c *Context) Load(src gotypes.Component, dst GP) GP {
	if b := c.resolve(src); b != nil {
		unsigned := ""
		if b.Type.Info()&types.IsInteger == 0 || b.Type.Info()&types.IsUnsigned != 0 {
			unsigned = "U"
		}
		op := map[int64]string{1: "MOVB" + unsigned, 2: "MOVH" + unsigned, 4: "MOVW" + unsigned, 8: "MOVD"}[gotypes.Sizes.Sizeof(b.Type)]
		c.add(write, op, b.Addr, dst)
	}
	return dst
}

// Store stores src into a result.
func (c *Context) Store(src GP, dst gotypes.Component) {
	if b := c.resolve(dst); b != nil {
		op := map[int64]string{1: "MOVB", 2: "MOVH", 4: "MOVW", 8: "MOVD"}[gotypes.Sizes.Sizeof(b.Type)]
		c.add(write, op, src, b.Addr)
	}
}

func (c *Context) resolve(component gotypes.Component) *gotypes.Basic {
	b, err := component.Resolve()
	if err != nil {
		c.fail("%v", err)
	}
	return b
}

// Result returns the file, and what was wrong with what was asked.
func (c *Context) Result() (*ir.File, error) {
	f, err := c.avo.Result()
	return f, errors.Join(append(c.errs, err)...)
}

func (c *Context) fail(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

// A role tells which registers of its operands an instruction reads and writes.
// Registers of an address are always read.
type role uint8

const (
	write  role = iota // writes the last operand, reads the others
	modify             // reads all, writes the last
	read               // reads all
)

// add adds an instruction, or refuses it. After a dot, opcode has P for an address that is used and
// then increased, or W for one that is increased and then used.
func (c *Context) add(r role, opcode string, ops ...operand.Op) *ir.Instruction {
	name, suffix, _ := strings.Cut(opcode, ".")
	i := &ir.Instruction{Opcode: name}
	if suffix != "" {
		i.Suffixes = []string{suffix}
	}
	for k, op := range ops {
		if m, ok := op.(operand.Mem); ok && m.Index != nil {
			op = Indexed{m}
		}
		i.Operands = append(i.Operands, op)
		m, memory := Memory(op)
		registers := Registers(op)
		last := k == len(ops)-1 && r != read && !memory
		v, _ := op.(Vec)
		if !last || r == modify || v.IsLane() {
			i.Inputs = append(i.Inputs, asOps(registers)...)
		}
		if last {
			i.Outputs = append(i.Outputs, asOps(registers)...)
		}
		if memory && suffix != "" {
			i.Outputs = append(i.Outputs, m.Base)
		}
	}
	if why := refused(name, suffix, i.Operands); why != "" {
		c.fail("%s: %s", opcode, why)
	}
	if slices.ContainsFunc(i.InputRegisters(), func(r reg.Register) bool { return r.ID() == R[27].ID() }) {
		c.fail("%s reads R27, where the assembler puts large constants and addresses", opcode)
	}
	vector := func(op operand.Op) bool {
		return slices.ContainsFunc(Registers(op), func(r reg.Register) bool { return r.Kind() == kindVector })
	}
	if slices.ContainsFunc(ops, vector) {
		i.ISA = append(i.ISA, "ASIMD")
	}
	if strings.HasPrefix(name, "SHA256") {
		i.ISA = append(i.ISA, "SHA2")
	}
	c.avo.Instruction(i)
	return i
}

func asOps(regs []reg.Register) []operand.Op {
	var ops []operand.Op
	for _, r := range regs {
		ops = append(ops, r)
	}
	return ops
}

// branch adds an instruction that may go to the label that is its last operand.
func (c *Context) branch(opcode string, conditional bool, ops ...operand.Op) {
	i := c.add(read, opcode, ops...)
	i.IsBranch, i.IsConditional = true, conditional
}
