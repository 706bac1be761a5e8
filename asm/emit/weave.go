package emit

import "github.com/mmcloughlin/avo/ir"

// Weave builds two straight pieces of code and puts them between each other, each in its
// own order, so that one does what the other waits for. Neither may touch what the other
// writes, flags among it. It panics when one is not straight.
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
	f.Nodes = append(f.Nodes[:begin], woven...)
}
