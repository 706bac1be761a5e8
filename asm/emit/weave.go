package emit

import (
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/reg"
)

// Weave builds two straight pieces of code and puts them between each other, each in its
// own order, so that one does what the other waits for. It panics when one is not straight,
// or uses a register that the other writes. That they have no memory and no flags in
// common is for the caller to know.
func Weave(g interface{ Result() (*ir.File, error) }, first, second func()) {
	file, err := g.Result()
	if err != nil {
		panic(err)
	}
	functions := file.Functions()
	f := functions[len(functions)-1]
	begin := len(f.Nodes)
	first()
	middle := len(f.Nodes)
	second()
	a, b := f.Nodes[begin:middle:middle], f.Nodes[middle:]
	var woven []ir.Node
	for i, j := 0, 0; i < len(a) || j < len(b); {
		// The piece that is further behind in proportion.
		if j == len(b) || i < len(a) && i*len(b) <= j*len(a) {
			woven = append(woven, a[i])
			i++
		} else {
			woven = append(woven, b[j])
			j++
		}
	}
	for _, n := range woven {
		if i, ok := n.(*ir.Instruction); !ok || i.IsBranch || i.IsTerminal {
			panic("emit: labels, comments and branches cannot be woven")
		}
	}
	if meet(a, b) || meet(b, a) {
		panic("emit: pieces that use each other's registers cannot be woven")
	}
	f.Nodes = append(f.Nodes[:begin], woven...)
}

// meet reports whether one piece uses a register that the other writes.
func meet(writes, uses []ir.Node) bool {
	written := make(map[reg.ID]bool)
	for _, n := range writes {
		for _, r := range n.(*ir.Instruction).OutputRegisters() {
			written[r.ID()] = true
		}
	}
	for _, n := range uses {
		i := n.(*ir.Instruction)
		if slices.ContainsFunc(append(i.InputRegisters(), i.OutputRegisters()...), func(r reg.Register) bool { return written[r.ID()] }) {
			return true
		}
	}
	return false
}
