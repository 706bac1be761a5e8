// Package etm builds the functions of kernels/etm.
package etm

import (
	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/chacha20"
	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
	"github.com/sealwright/sealwright/asm/sha256"
)

// AMD64 builds the function for amd64. ChaCha20 works in the registers 16 to 31, which
// the instructions of SHA-256 do not know, so that neither waits for the clean-up of the
// other; and while each pair of rounds of SHA-256 waits for the pair before, the units
// that ChaCha20 needs are idle.
func AMD64(g *emit.Generator) {
	c, s := chacha20.NewSixteen(g), sha256.NewSHANI(g)
	g.Func("xorAndHashAVX512", "func(dst, src *byte, n int, key *[32]byte, nonce *[12]byte, counter uint32, h *[8]uint32, p *byte)", check.Spec{Tier: "etm/avx512", Public: []string{"nonce"}}, `
xorAndHashAVX512 sets n bytes at dst, a positive multiple of 1,024, to those at src XOR
the keystream of RFC 8439, section 2.4, from block counter on; and hashes ten blocks at
p for each 1,024 bytes onto h: FIPS 180-4, section 6.2.2. dst and src are the same memory
or disjoint, and dst is none of the rest. Constant time in all but n.`)
	c.Arguments()
	h := operand.Mem{Base: g.Load(g.Param("h"), g.GP64())}
	p := g.Load(g.Param("p"), g.GP64())
	s.Begin()
	chain := s.Chain(h)

	g.Label("sixteen")
	c.Begin()
	rounds := g.GP64()
	g.MOVQ(operand.U32(10), rounds)
	g.Label("rounds")
	emit.Weave(g, func() { s.Block(chain, p) }, c.DoubleRound)
	g.DECQ(rounds)
	g.JNZ(operand.LabelRef("rounds"))
	c.End()
	g.VZEROUPPER()
	g.JNZ(operand.LabelRef("sixteen"))

	s.Store(chain, h)
	g.RET()
}
