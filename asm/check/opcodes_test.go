package check

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// operands returns some operands of each type that an opcode may take at a place,
// with registers that differ from place to place.
func operands(opcode string, place int) []operand.Op {
	gp := [][]operand.Op{
		{reg.ESI, reg.RSI, reg.SIB, reg.SI},
		{reg.EDI, reg.RDI, reg.DIB, reg.DI},
		{reg.R8L, reg.R8, reg.R8B, reg.R8W},
		{reg.R9L, reg.R9, reg.R9B, reg.R9W},
		{reg.R10L, reg.R10, reg.R10B, reg.R10W},
	}[place]
	vec := [][]operand.Op{
		{reg.K1, reg.X1, reg.Y1, reg.Z1},
		{reg.K2, reg.X2, reg.Y2, reg.Z2},
		{reg.K3, reg.X3, reg.Y3, reg.Z3},
		{reg.K4, reg.X4, reg.Y4, reg.Z4},
		{reg.K5, reg.X5, reg.Y5, reg.Z5},
	}[place]
	mem := operand.Mem{Base: reg.R11}
	common := []operand.Op{operand.Imm(1), mem}
	switch {
	case strings.HasPrefix(opcode, "VPGATHER"):
		return slices.Concat(vec, []operand.Op{mem.Idx(reg.X9, 1), mem.Idx(reg.Y9, 1), mem.Idx(reg.Z9, 1)})
	case opcode[0] == 'V':
		return slices.Concat(gp[:2], vec, common)
	case opcode[0] == 'K':
		return slices.Concat(gp[:2], vec[:1], common)
	case opcode[0] == 'P' || opcode[0] == 'M' || strings.HasPrefix(opcode, "SHA"):
		return slices.Concat(gp, vec[1:2], common, []operand.Op{reg.X0})
	}
	return slices.Concat(gp, common, []operand.Op{reg.CL, operand.LabelRef("l")})
}

// forms calls try with operands of every combination of types.
func forms(opcode string, count int, try func([]operand.Op)) {
	ops := make([]operand.Op, count)
	var fill func(k int)
	fill = func(k int) {
		if k == count {
			try(slices.Clone(ops))
			return
		}
		for _, op := range operands(opcode, k) {
			// Only the first operand is an immediate, and one is memory. Four operands are
			// an immediate or a mask more than three (or VPBLENDVB), and five are both.
			_, constant := op.(operand.Constant)
			_, first := ops[0].(operand.Constant)
			if k > 0 && (constant || operand.IsMem(op) && slices.ContainsFunc(ops[:k], operand.IsMem)) ||
				count > 3 && (k != 1 && isGP(op) || k < count-2 && isMask(op)) ||
				count == 4 && k == 2 && !first && !isMask(op) && opcode != "VPBLENDVB" ||
				count == 5 && (k == 0 && !constant || k == 3 && !isMask(op)) {
				continue
			}
			ops[k] = op
			fill(k + 1)
		}
	}
	fill(0)
}

func isGP(op operand.Op) bool {
	r, ok := op.(reg.Register)
	return ok && r.Kind() == reg.KindGP
}

// ids names the registers of a list, each once.
func ids(regs []reg.Register) []reg.ID {
	var out []reg.ID
	for _, r := range regs {
		out = append(out, r.ID())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// avo's own account of reads and writes comes from another source (a table of
// Intel's opcodes made by others), so it is held against ours, for every opcode and
// form. Exceptions, all by Intel's manual: avo has the registers that PSHUFHW,
// PSHUFLW and the blends only write as read too, and masked stores as loads.
func TestOpcodesAgreeWithAvo(t *testing.T) {
	for opcode := range opcodes {
		if !reflect.ValueOf(build.NewContext()).MethodByName(opcode).IsValid() {
			t.Errorf("avo has no %s", opcode)
			continue
		}
		all := allForms(opcode)
		if len(all) == 0 {
			t.Errorf("%s: no form was built", opcode)
		}
		for _, i := range all {
			agree(t, i)
		}
	}
}

// allForms returns an opcode in every form that avo has.
func allForms(opcode string) []*ir.Instruction {
	if all, ok := formsOf[opcode]; ok {
		return all
	}
	c := build.NewContext()
	c.Function("f")
	method := reflect.ValueOf(c).MethodByName(opcode)
	counts := []int{method.Type().NumIn()}
	if method.Type().IsVariadic() {
		counts = []int{1, 2, 3}
		if opcode[0] == 'V' {
			counts = []int{2, 3, 4, 5}
		}
	}
	for _, count := range counts {
		forms(opcode, count, func(ops []operand.Op) {
			args := make([]reflect.Value, len(ops))
			for k := range ops {
				args[k] = reflect.ValueOf(ops[k])
			}
			method.Call(args)
		})
	}
	f, _ := c.Result() // the error is of the combinations that are no form
	formsOf[opcode] = f.Functions()[0].Instructions()
	return formsOf[opcode]
}

// formsOf keeps what allForms found.
var formsOf = make(map[string][]*ir.Instruction)

func agree(t *testing.T, i *ir.Instruction) {
	t.Helper()
	f := &function{arch: AMD64, code: []*ir.Instruction{i}}
	e, _ := AMD64.effect(i)
	out := ids(i.OutputRegisters())
	if e.kind == jump {
		return // only to labels: see graph
	}
	if e.kind == gather { // it clears its mask too, which the checks need not know
		out = ids(i.OutputRegisters()[len(i.OutputRegisters())-1:])
	}
	if got := ids(AMD64.written(i)); !slices.Equal(got, out) {
		t.Errorf("%s: writes %v, avo says %v", f.show(0), got, out)
	}
	var in, want []reg.Register
	for k, op := range i.Operands {
		r, ok := op.(reg.Register)
		if ok && e.readsOperand(k, len(i.Operands)) {
			in = append(in, r)
		}
		if _, ok := op.(operand.Mem); ok {
			stored := slices.ContainsFunc(i.Outputs, operand.IsMem)
			if got := e.writesOperand(k, len(i.Operands)); got != stored {
				t.Errorf("%s: writes memory %v, avo says %v", f.show(0), got, stored)
			}
			loaded := slices.ContainsFunc(i.Inputs, operand.IsMem)
			stored = stored && writeMask(i.Opcode, i.Operands) >= 0
			if got := e.readsOperand(k, len(i.Operands)) || stored; got != loaded && e.kind != address && e.kind != none {
				t.Errorf("%s: reads memory %v, avo says %v", f.show(0), got, loaded)
			}
		}
	}
	destination := strings.HasPrefix(i.Opcode, "VPBLENDM") && writeMask(i.Opcode, i.Operands) > 0 || i.Opcode == "PSHUFHW" || i.Opcode == "PSHUFLW"
	if merges(i, e) || destination {
		in = append(in, i.Operands[len(i.Operands)-1].(reg.Register))
	}
	in = append(in, e.in...)
	for _, op := range i.Inputs {
		if r, ok := op.(reg.Register); ok {
			want = append(want, r)
		}
	}
	if !slices.Equal(ids(in), ids(want)) {
		t.Errorf("%s: reads %v, avo says %v", f.show(0), ids(in), ids(want))
	}
	// An opcode whose name starts with V leaves no dirty upper half in legacy code.
	vex := slices.ContainsFunc(i.ISA, func(s string) bool { return strings.HasPrefix(s, "AVX") })
	if touches := slices.ContainsFunc(i.Operands, isVector); touches && legacy(i.Opcode, i.Operands) == vex {
		t.Errorf("%s: legacy encoding %v, avo needs %v", f.show(0), !vex, i.ISA)
	}
}
