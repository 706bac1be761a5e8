// Base64 generates kernels/base64.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/emit"
)

func main() {
	emit.Main("base64", func(g *emit.Generator) {
		encodeAVX2(g)
		decodeAVX2(g)
		encodeAVX512(g)
		decodeAVX512(g)
	}, encodeNEON, decodeNEON)
}

// The alphabet of RFC 4648, table 1.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// data is what a table is put into, of either architecture.
type data interface {
	StaticGlobal(name string) operand.Mem
	DataAttributes(a attr.Attribute)
	AddDatum(offset int, v operand.Constant)
}

// table makes a table of bytes.
func table(g data, name string, n int, at func(i int) byte) operand.Mem {
	m := g.StaticGlobal(name)
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range n {
		g.AddDatum(i, operand.U8(at(i)))
	}
	return m
}
