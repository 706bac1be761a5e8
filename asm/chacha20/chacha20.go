// Package chacha20 builds the functions of kernels/chacha20.
package chacha20

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// AMD64 builds the functions for amd64.
func AMD64(g *emit.Generator) {
	k := newKernel(g)
	k.xorAVX2()
	k.xorAVX512()
}

// ARM64 builds the functions for arm64.
func ARM64(g *emit.ARM64) { xorNEON(g) }

// What the routines of all tiers take, and do.
const (
	signature = "func(dst, src *byte, n int, key *[32]byte, nonce *[12]byte, counter uint32)"
	contract  = ` sets n bytes at dst to those at src XOR the keystream of RFC 8439, section
2.4, from block counter on. dst and src are the same memory or disjoint; n is not
negative. Constant time in all but n.`
)

// kernel holds what the tiers have in common. Register 15 is not used, since Go's own
// code keeps X15 zero.
type kernel struct {
	*Sixteen
	rows, rotate16, rotate8 operand.Mem // see newKernel
	stack                   operand.Mem // of xorAVX2: eight registers
}

func newKernel(g *emit.Generator) *kernel {
	k := &kernel{Sixteen: NewSixteen(g)}
	// What the last rows of eight blocks add to that of the first.
	var rows []uint32
	for block := range uint32(8) {
		rows = append(rows, block, 0, 0, 0)
	}
	k.rows = emit.Words(g, "rows", rows...)
	// Rotations by whole bytes, as shuffles of bytes.
	k.rotate16 = emit.Words(g, "rotate16", 0x01000302, 0x05040706, 0x09080b0a, 0x0d0c0f0e, 0x01000302, 0x05040706, 0x09080b0a, 0x0d0c0f0e)
	k.rotate8 = emit.Words(g, "rotate8", 0x02010003, 0x06050407, 0x0a09080b, 0x0e0d0c0f, 0x02010003, 0x06050407, 0x0a09080b, 0x0e0d0c0f)
	return k
}

// begin begins the routine of a tier and loads its arguments.
func (k *kernel) begin(name, tier string) {
	k.Func(name, signature, check.Spec{Tier: tier}, name+contract)
	k.Arguments()
}

// lastRow sets x to the last row of a state: the counter, and the nonce.
func (k *kernel) lastRow(x reg.Register) {
	low := k.GP64()
	k.MOVL(operand.Mem{Base: k.nonce}, low.As32())
	k.SHLQ(operand.Imm(32), low)
	k.ORQ(k.counter.As64(), low)
	k.VMOVQ(low, x)
	k.VPINSRQ(operand.Imm(1), operand.Mem{Base: k.nonce, Disp: 4}, x, x)
}
