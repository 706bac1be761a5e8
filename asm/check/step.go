package check

import (
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// readsOperand reports whether operand n of count is read as a value.
func (e effect) readsOperand(n, count int) bool {
	switch e.kind {
	case write, gather:
		return n < count-1
	case modify, read, swap, branch:
		return true
	case product:
		return n == 0
	}
	return false
}

// writesOperand reports whether operand n of count is written.
func (e effect) writesOperand(n, count int) bool {
	switch e.kind {
	case write, modify, address, gather:
		return n == count-1
	case swap:
		return true
	case product:
		return n > 0
	}
	return false
}

// writeMask returns the place of the mask among the operands of an AVX-512
// instruction, -1 if it has none.
func writeMask(opcode string, ops []operand.Op) int {
	n := len(ops) - 2
	if n < 1 || opcode[0] != 'V' {
		return -1
	}
	if r, ok := ops[n].(reg.Register); ok && r.Kind() == reg.KindOpmask {
		return n
	}
	return -1
}

// constant reports whether a result does not depend on the sources.
func (e effect) constant(opcode string, ops []operand.Op) bool {
	if strings.HasPrefix(opcode, "VPTERNLOG") {
		imm, ok := ops[0].(operand.U8)
		return ok && (imm == 0 || imm == 0xff)
	}
	if !e.idiom || len(ops) < 2 {
		return false
	}
	a, okA := ops[0].(reg.Register)
	b, okB := ops[1].(reg.Register)
	return okA && okB && reg.Equal(a, b)
}

// step changes s as instruction n does, and checks the instruction in that state.
func (f *function) step(s *state, n int) {
	i := f.code[n]
	ops := i.Operands
	e, ok := f.arch.effect(i)
	if !ok {
		f.fail(n, "unknown opcode: the table of asm/check does not have it")
		for _, r := range i.OutputRegisters() {
			s.set(r, value{secret: &origin{what: "the result of an unknown opcode", at: n}})
		}
		return
	}

	// The memory operand, of which there is at most one.
	var ref reference
	memory := -1
	for k, op := range ops {
		m, ok := f.arch.memory(op)
		if !ok {
			continue
		}
		memory = k
		if slices.Contains(i.Suffixes, "P") { // what it increases by, it does not use
			m = operand.Mem{Base: m.Base}
		}
		if e.kind != address {
			ref = f.resolve(s, n, m, f.memorySize(n, e))
		}
		if i.Opcode[:2] == "BT" && k == 1 {
			if _, ok := ops[0].(reg.Register); ok {
				f.fail(n, "an address that depends on the number of a bit")
			}
		}
	}

	// What the result depends on.
	var in *origin
	pointer := false
	take := func(v value) {
		in = worse(in, v.secret)
		pointer = pointer || v.ptr != nil
	}
	values := make([]value, len(ops))
	for k, op := range ops {
		if k == memory && (e.kind == gather || e.readsOperand(k, len(ops))) {
			values[k] = f.load(s, n, ref)
		}
		if c, ok := number(op); ok {
			values[k].at = exactly(c)
		}
		for m, r := range f.arch.values(op) {
			if m == 0 {
				values[k] = s.get(r)
			} else {
				values[k] = join(values[k], s.get(r))
			}
		}
	}
	masked := writeMask(i.Opcode, ops)
	constant := e.constant(i.Opcode, ops)
	for k := range ops {
		if e.readsOperand(k, len(ops)) && (!constant || k == masked) {
			take(values[k])
		}
	}
	for _, r := range e.in {
		take(s.get(r))
	}
	for k := range nflags {
		if e.reads&(1<<k) != 0 {
			take(value{secret: s.flag[k]})
		}
	}
	if merges(i, e) {
		take(values[len(ops)-1])
	}

	// What a secret must not decide.
	if in != nil {
		switch {
		case e.kind == branch:
			f.fail(n, "a branch depends on a secret: %s", f.path(in))
		case e.slow:
			f.fail(n, "an instruction of variable latency has a secret operand: %s", f.path(in))
		}
	}
	if e.byCount {
		if r, ok := ops[0].(reg.Register); ok && s.get(r).secret != nil {
			f.fail(n, "an instruction of variable latency has a secret count: %s", f.path(s.get(r).secret))
		}
	}
	if memory >= 0 {
		for _, k := range []int{masked, e.mask - 1} {
			if k >= 0 && values[k].secret != nil {
				f.fail(n, "the mask of a memory operand depends on a secret: %s", f.path(values[k].secret))
			}
		}
		if k := 0; e.kind == gather && masked < 0 && values[k].secret != nil {
			f.fail(n, "the mask of a memory operand depends on a secret: %s", f.path(values[k].secret))
		}
	}
	if s.dirty != 0 && legacy(i.Opcode, ops) {
		f.fail(n, "a legacy encoding without VZEROUPPER after %s", f.show(s.dirty-1))
	}

	// The results.
	out := value{}
	if in != nil {
		out.secret = f.derive(n, in)
	}
	if pointer {
		out.ptr = muddle
	}
	result := f.arch.pointer(f, s, n, values, out)
	if memory >= 0 && writeBack(i) {
		m, _ := f.arch.memory(ops[memory])
		s.set(m.Base, f.sum(s, m, s.get(m.Base)))
	}
	for k, op := range ops {
		if !e.writesOperand(k, len(ops)) {
			continue
		}
		v := result
		if e.kind == swap {
			v = values[1-k]
		}
		if k == memory {
			f.store(s, n, ref, v, masked >= 0 || e.mask > 0)
		}
		for _, r := range f.arch.values(op) {
			s.set(r, v)
			if r.Kind() == reg.KindVector && index(r) < 16 && r.Size() > 16 && s.dirty == 0 {
				s.dirty = n + 1
			}
		}
	}
	for _, r := range e.out {
		s.set(r, out)
	}
	switch e.kind {
	case upper:
		s.dirty = 0
	case clearVectors:
		s.dirty = 0
		clear(s.vec[:16])
	}
	if e.writes|e.clears != 0 {
		s.compared = compares(i)
	}
	keep := false // a shift by 0 leaves the flags alone
	if e.maybe {
		count, ok := number(ops[0])
		keep = !ok || count == 0
	}
	for k := range nflags {
		switch bit := flags(1 << k); {
		case e.writes&bit != 0 && keep:
			s.flag[k] = worse(s.flag[k], out.secret)
		case e.writes&bit != 0:
			s.flag[k] = out.secret
		case e.clears&bit != 0:
			s.flag[k] = nil
		}
	}
}

// derive returns the origin of what instruction n makes of a secret.
func (f *function) derive(n int, from *origin) *origin {
	return &origin{at: n, from: from, stale: from.stale, steps: from.steps + 1}
}

// pointerAMD64 is the pointer of AMD64.
func pointerAMD64(f *function, s *state, n int, values []value, out value) value {
	i := f.code[n]
	ops := i.Operands
	v := value{}
	switch i.Opcode {
	case "MOVQ":
		if isVector(ops[0]) || isVector(ops[1]) {
			return out
		}
		v = values[0]
	case "CMOVQCC", "CMOVQCS", "CMOVQEQ", "CMOVQGE", "CMOVQGT", "CMOVQHI", "CMOVQLE", "CMOVQLS",
		"CMOVQLT", "CMOVQMI", "CMOVQNE", "CMOVQOC", "CMOVQOS", "CMOVQPC", "CMOVQPL", "CMOVQPS":
		v = join(values[0], values[1])
	case "LEAQ", "LEAL", "LEAW":
		v = f.address(s, ops[0].(operand.Mem))
		if i.Opcode != "LEAQ" && v.ptr != nil {
			v.ptr = muddle
		}
	case "ADDQ":
		v = plus(values[0], values[1])
	case "INCQ":
		v = plus(values[0], value{at: exactly(1)})
	case "DECQ":
		v = minus(values[0], value{at: exactly(1)})
	case "SUBQ":
		v = minus(values[1], values[0])
	case "XORL", "XORQ":
		if e, _ := f.arch.effect(i); !e.constant(i.Opcode, ops) {
			return out
		}
		v.at = exactly(0)
	case "SHLQ", "SHRQ":
		c, ok := number(ops[0])
		if !ok || len(ops) != 2 || values[1].ptr != nil {
			return out
		}
		v.at = values[1].at.left(c)
		if i.Opcode == "SHRQ" {
			v.at = values[1].at.right(c)
		}
	case "ANDQ":
		c, ok := number(ops[0])
		if v, ok = masked(values[1], c, ok); !ok {
			return out
		}
	default:
		return out
	}
	v.secret = out.secret
	if strings.HasPrefix(i.Opcode, "LEA") {
		if o := f.sumSecret(s, ops[0].(operand.Mem)); o != nil {
			v.secret = f.derive(n, o)
		}
	}
	return v
}

// minus returns what a - b is, secrets aside.
func minus(a, b value) value {
	switch {
	case b.ptr == nil:
		return value{ptr: a.ptr, at: a.at.minus(b.at)}
	case a.ptr == b.ptr && a.ptr.place != lost:
		return value{at: a.at.minus(b.at)} // a distance: a number
	}
	return value{ptr: muddle}
}

// masked returns what a & c is, secrets aside, if c is a constant that makes an aligned
// address of one, or tells where in its page or line it is.
func masked(a value, c int, constant bool) (v value, ok bool) {
	switch {
	case constant && c < 0:
		a.at = bounds{}
		return a, true
	case constant && c < 4096:
		return value{at: between(0, c)}, true
	}
	return value{}, false
}

// address returns where memory is.
func (f *function) address(s *state, m operand.Mem) value {
	base := value{}
	switch {
	case m.Base == nil:
	case m.Base.Kind() != reg.KindPseudo:
		base = s.get(m.Base)
	case m.Base.Asm() == "SB":
		base.ptr = f.global(m.Symbol.String())
	case m.Base.Asm() == "SP" && m.Symbol.Name == "":
		base = value{ptr: frameRegion, at: exactly(0)}
	default:
		base.ptr = muddle
	}
	return f.sum(s, m, base)
}

// sumSecret returns the origin of a secret in the parts of an address.
func (f *function) sumSecret(s *state, m operand.Mem) *origin {
	var o *origin
	for _, r := range operand.Registers(m) {
		if r.Kind() != reg.KindPseudo {
			o = worse(o, s.get(r).secret)
		}
	}
	return o
}

// memorySize returns the size in bytes of the memory operand of instruction n.
func (f *function) memorySize(n int, e effect) int {
	i := f.code[n]
	if slices.Contains(i.Suffixes, "BCST") {
		if strings.HasSuffix(i.Opcode, "D") {
			return 4
		}
		return 8
	}
	if e.size > 0 {
		return e.size
	}
	return widest(i.Operands)
}

// merges reports whether an instruction keeps, under a mask, part of the register
// that it writes. A masked comparison clears what it does not compare, and a blend
// takes it from a source.
func merges(i *ir.Instruction, e effect) bool {
	if e.kind == gather {
		return true
	}
	if writeMask(i.Opcode, i.Operands) < 0 || slices.Contains(i.Suffixes, "Z") || strings.HasPrefix(i.Opcode, "VPBLENDM") {
		return false
	}
	return isVector(i.Operands[len(i.Operands)-1])
}

// legacy reports whether an instruction uses vector registers in an encoding that
// keeps their upper halves.
func legacy(opcode string, ops []operand.Op) bool {
	if opcode[0] == 'V' {
		return false
	}
	for _, op := range ops {
		if isVector(op) {
			return true
		}
	}
	return false
}

func isVector(op operand.Op) bool {
	r, ok := op.(reg.Register)
	return ok && r.Kind() == reg.KindVector
}

func isMask(op operand.Op) bool {
	r, ok := op.(reg.Register)
	return ok && r.Kind() == reg.KindOpmask
}

// number returns the value of an immediate operand.
func number(op operand.Op) (int, bool) {
	switch c := op.(type) {
	case operand.I8:
		return int(c), true
	case operand.I16:
		return int(c), true
	case operand.I32:
		return int(c), true
	case operand.I64:
		return int(c), true
	case operand.U8:
		return int(c), true
	case operand.U16:
		return int(c), true
	case operand.U32:
		return int(c), true
	case operand.U64:
		return int(c), true
	}
	return 0, false
}
