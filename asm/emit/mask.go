package emit

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// LowBits sets the lowest n bits of a mask, n from 0 to 63, and clears the others. It
// overwrites CX.
func (g *Generator) LowBits(n, mask reg.Register) {
	ones := g.GP64()
	g.MOVQ(n, reg.RCX)
	g.MOVQ(operand.I32(-1), ones)
	g.SHLQ(reg.CL, ones)
	g.NOTQ(ones)
	g.KMOVQ(ones, mask)
}
