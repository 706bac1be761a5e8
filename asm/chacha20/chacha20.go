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

// kernel holds what the tiers have in common: tables, and the arguments of a
// routine. Register 15 is not used, since Go's own code keeps X15 zero.
type kernel struct {
	*emit.Generator
	constants, steps, rows, rotate16, rotate8 operand.Mem // see newKernel

	dst, src, key, nonce, n reg.GPVirtual
	counter                 reg.GPVirtual // of the next block
	stack                   operand.Mem   // of xorAVX2: eight registers
}

func newKernel(g *emit.Generator) *kernel {
	k := &kernel{Generator: g}
	// The words "expand 32-byte k", RFC 8439, section 2.3.
	k.constants = emit.Words(g, "constants", 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574)
	// What the counters of sixteen blocks add to that of the first.
	k.steps = emit.Words(g, "steps", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
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
	k.Func(name, signature, check.Spec{Tier: tier, Public: []string{"nonce"}}, name+contract)
	k.dst = k.Load(k.Param("dst"), k.GP64()).(reg.GPVirtual)
	k.src = k.Load(k.Param("src"), k.GP64()).(reg.GPVirtual)
	k.n = k.Load(k.Param("n"), k.GP64()).(reg.GPVirtual)
	k.key = k.Load(k.Param("key"), k.GP64()).(reg.GPVirtual)
	k.nonce = k.Load(k.Param("nonce"), k.GP64()).(reg.GPVirtual)
	k.counter = k.Load(k.Param("counter"), k.GP32()).(reg.GPVirtual)
}

// advance goes on by so many bytes, whole blocks.
func (k *kernel) advance(bytes uint32) {
	for _, r := range []reg.GPVirtual{k.src, k.dst} {
		k.ADDQ(operand.U32(bytes), r)
	}
	k.SUBQ(operand.U32(bytes), k.n)
	k.ADDL(operand.U32(bytes/64), k.counter)
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

// quarterRounds are RFC 8439, section 2.1, on each of the given quadruples, step
// by step beside each other. rotate rotates a register to the left.
func (k *kernel) quarterRounds(rotate func(by uint64, r reg.VecPhysical), xor func(x, y, z operand.Op), q ...[4]reg.VecPhysical) {
	for _, step := range []struct {
		sum, add, turn int // sum += add; turn = (turn ^ sum) rotated
		by             uint64
	}{{0, 1, 3, 16}, {2, 3, 1, 12}, {0, 1, 3, 8}, {2, 3, 1, 7}} {
		for _, r := range q {
			k.VPADDD(r[step.add], r[step.sum], r[step.sum])
		}
		for _, r := range q {
			xor(r[step.sum], r[step.turn], r[step.turn])
		}
		for _, r := range q {
			rotate(step.by, r[step.turn])
		}
	}
}
