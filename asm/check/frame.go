package check

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/reg"
)

// maxFrame is the most that a NOSPLIT routine may have, in bytes.
const maxFrame = 800

// A region is memory that addresses are known to point into.
type region struct {
	name   string
	place  place
	secret bool    // of an argument's memory: what lies there
	inner  *region // what the pointers that lie there point into, if all are pointers
}

type place uint8

const (
	lost     place = iota // an address, but of what is unknown
	argument              // memory behind a pointer argument
	frame                 // the function's own stack frame
	global                // a symbol
	slots                 // arguments and results
)

// muddle is what becomes of addresses that are computed with otherwise than by adding
// and subtracting numbers.
var muddle = &region{name: "an unknown address", place: lost}

// frameRegion is the stack frame.
var frameRegion = &region{name: "the frame", place: frame}

// slotRegion is where the caller puts arguments and takes results.
var slotRegion = &region{name: "the arguments", place: slots}

// A slot is a part of an argument or a result that holds one value.
type slot struct {
	name   string
	lo, hi int
	secret bool
	ptr    *region
	result bool
}

// layout finds the slots of arguments and results, and checks that the names of the
// specification exist.
func (f *function) layout() bool {
	sig := f.fn.Signature
	tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, "func"+sig.String())
	if err != nil {
		f.fail(-1, "signature: %v (only predeclared types are understood)", err)
		return false
	}
	before := len(f.found)
	s := tv.Type.(*types.Signature)
	f.tuple(s.Params(), 0, false)
	f.tuple(s.Results(), sig.Params().Bytes(), true)
	parameter := func(name string, pointer bool) bool {
		return slices.ContainsFunc(f.slots, func(s slot) bool {
			return s.name == name && !s.result && (s.ptr != nil || !pointer)
		})
	}
	for _, name := range f.spec.Public {
		if !parameter(name, true) {
			f.fail(-1, "the specification's public %q is no parameter with a pointer", name)
		}
	}
	for _, name := range f.spec.Secret {
		if !parameter(name, false) {
			f.fail(-1, "the specification's secret %q is no parameter", name)
		}
	}
	return len(f.found) == before
}

// tuple adds the slots of parameters or results, the first at offset.
func (f *function) tuple(t *types.Tuple, offset int, result bool) {
	for v := range t.Variables() {
		align := int(gotypes.Sizes.Alignof(v.Type()))
		offset = (offset + align - 1) / align * align
		f.flatten(v.Name(), v.Type(), offset, result)
		offset += int(gotypes.Sizes.Sizeof(v.Type()))
	}
}

// flatten adds the slots of a value of type t at offset.
func (f *function) flatten(name string, t types.Type, offset int, result bool) {
	add := func(at, size int, ptr *region) {
		f.slots = append(f.slots, slot{name, at, at + size, slices.Contains(f.spec.Secret, name), ptr, result})
	}
	memory := func(elem types.Type) *region {
		return &region{name, argument, !slices.Contains(f.spec.Public, name), innerRegion(name, elem)}
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case t.Kind() == types.String:
			add(offset, 8, memory(types.Typ[types.Byte]))
			add(offset+8, 8, nil)
		case t.Kind() == types.UnsafePointer:
			add(offset, 8, memory(types.Typ[types.Byte]))
		default:
			add(offset, int(gotypes.Sizes.Sizeof(t)), nil)
		}
	case *types.Pointer:
		add(offset, 8, memory(t.Elem()))
	case *types.Slice:
		add(offset, 8, memory(t.Elem()))
		add(offset+8, 8, nil)
		add(offset+16, 8, nil)
	case *types.Array:
		size := int(gotypes.Sizes.Sizeof(t.Elem()))
		for i := range int(t.Len()) {
			f.flatten(name, t.Elem(), offset+i*size, result)
		}
	case *types.Struct:
		var fields []*types.Var
		for v := range t.Fields() {
			fields = append(fields, v)
		}
		for i, at := range gotypes.Sizes.Offsetsof(fields) {
			f.flatten(name, fields[i].Type(), offset+int(at), result)
		}
	default:
		f.fail(-1, "%s has a type that assembly should not take", name)
	}
}

// innerRegion returns what the pointers in memory of type t point into, or nil if it
// holds anything but pointers. What lies behind them is secret.
func innerRegion(name string, t types.Type) *region {
	switch t := t.Underlying().(type) {
	case *types.Array:
		return innerRegion(name, t.Elem())
	case *types.Pointer:
		return &region{"a pointer of " + name, argument, true, innerRegion("a pointer of "+name, t.Elem())}
	}
	return nil
}

// registers checks the rules of Go's calling convention about registers and frames.
// It is false if registers are not bound yet.
func (f *function) registers() bool {
	if f.fn.Attributes.NOSPLIT() && f.fn.LocalSize > maxFrame {
		f.fail(-1, "a NOSPLIT frame of %d bytes, %d more than allowed", f.fn.LocalSize, f.fn.LocalSize-maxFrame)
	}
	for n, i := range f.code {
		for _, op := range i.Operands {
			if m, ok := f.arch.memory(op); ok && m.Index != nil && m.Index.Kind() == reg.KindGP && !m.Index.ID().IsVirtual() {
				f.indexes[index(m.Index)] = true
			}
			for _, r := range f.arch.registers(op) {
				if r.ID().IsVirtual() {
					f.fail(n, "has a virtual register: the checks come after registers are bound")
					return false
				}
			}
		}
		for _, r := range f.arch.written(i) {
			if name := f.arch.reserved(f.fn, r); name != "" {
				f.fail(n, "writes %s", name)
			}
		}
	}
	return true
}
