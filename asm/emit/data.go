package emit

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
)

// Data is what a table is put into, of either architecture.
type Data interface {
	StaticGlobal(name string) operand.Mem
	DataAttributes(a attr.Attribute)
	AddDatum(offset int, v operand.Constant)
}

// Bytes makes a table of n bytes.
func Bytes(g Data, name string, n int, at func(i int) byte) operand.Mem {
	m := begin(g, name)
	for i := range n {
		g.AddDatum(i, operand.U8(at(i)))
	}
	return m
}

// Words makes a table of words of 32 bits.
func Words(g Data, name string, words ...uint32) operand.Mem {
	m := begin(g, name)
	for i, w := range words {
		g.AddDatum(4*i, operand.U32(w))
	}
	return m
}

func begin(g Data, name string) operand.Mem {
	m := g.StaticGlobal(name)
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	return m
}
