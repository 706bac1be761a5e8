// Package etm builds the functions of kernels/etm.
package etm

import (
	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/chacha20"
	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
	"github.com/sealwright/sealwright/asm/sha256"
)

const signature = "func(dst, src *byte, n int, key *[32]byte, nonce *[12]byte, counter uint32, h *[8]uint32, p *byte)"

// AMD64 builds the function for amd64. ChaCha20 works in the registers 16 to 31, which
// the instructions of SHA-256 do not know, so that neither waits for the clean-up of the
// other; and while each pair of rounds of SHA-256 waits for the pair before, the units
// that ChaCha20 needs are idle.
func AMD64(g *emit.Generator) {
	c, s := chacha20.NewSixteen(g), sha256.NewSHANI(g)
	g.Func("xorAndHashAVX512", signature, check.Spec{Tier: "etm/avx512"}, `
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

// ARM64 builds the function for arm64. Four blocks of ChaCha20 leave registers for SHA-256,
// as eight would not, and a fifth one is in general registers: its rounds take less than
// half as long as those of the four, which the latency of a quarter round decides. A
// sixth one, after the fifth, would want six blocks of SHA-256 and all rounds in straight
// code, 16 KB, which is more than the processors keep decoded.
func ARM64(g *emit.ARM64) {
	four, s := chacha20.NewFour(g), sha256.NewSHA2(g)
	g.Func("xorAndHashSHA2", signature, check.Spec{Tier: "sha2"}, `
xorAndHashSHA2 sets n bytes at dst, a positive multiple of 320, to those at src XOR the
keystream of RFC 8439, section 2.4, from block counter on; and hashes five blocks at p for
each 320 bytes onto h: FIPS 180-4, section 6.2.2. dst and src are the same memory or
disjoint, and dst is none of the rest. Constant time in all but n.`)
	four.Arguments()
	four.Table()
	four.Turn()
	fifth := chacha20.NewOne(four, 4)
	p := g.Load(g.Param("p"), g.GP())
	chain := s.Stream(operand.Mem{Base: g.Load(g.Param("h"), g.GP())}, 12)

	g.Label("five")
	four.Pointers()
	four.Begin()
	fifth.Begin()
	rounds := g.GP()
	g.MOVD(operand.Imm(5), rounds)
	g.Label("rounds")
	emit.Weave(g, func() { s.Block(chain, p) }, func() {
		emit.Weave(g, func() {
			four.DoubleRound()
			four.DoubleRound()
		}, func() {
			fifth.DoubleRound()
			fifth.DoubleRound()
		})
	})
	g.SUB(operand.Imm(1), rounds, rounds)
	g.CBNZ(rounds, "rounds")
	fifth.End()
	four.Pointers()
	four.End()
	four.Advance(320)
	four.Again("five")

	s.Store(chain, operand.Mem{Base: g.Load(g.Param("h"), g.GP())})
	g.RET()
}
