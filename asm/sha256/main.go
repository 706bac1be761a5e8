// Sha256 generates kernels/sha256.
package main

import (
	"math"
	"math/big"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

func main() {
	emit.Main("sha256", func(g *emit.Generator) {
		k, swap := roundConstants(g), byteSwap(g)
		blocksSHANI(g, k, swap)
		blocksAVX2(g, k, swap)
		blocks16AVX512(g, k, swap)
	}, func(g *emit.ARM64) {
		k := roundConstants(g)
		blocksSHA2(g, k)
		blocks2SHA2(g, k)
		blocksNEON(g, k)
	})
}

// What the routines that hash one stream take, and do.
const (
	signature = "func(h *[8]uint32, p []byte)"
	contract  = ` hashes the whole blocks of p, in order, onto h: FIPS 180-4, section
6.2.2. Bytes of p after the last whole block are not read. Constant time.`
)

// data is what a table is put into, of either architecture.
type data interface {
	StaticGlobal(name string) operand.Mem
	DataAttributes(a attr.Attribute)
	AddDatum(offset int, v operand.Constant)
}

// roundConstants are FIPS 180-4, section 4.2.2: the first 32 bits of the fractions
// of the cube roots of the first 64 primes.
func roundConstants(g data) operand.Mem {
	k := g.StaticGlobal("k")
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	n := 0
	for p := int64(2); n < 64; p++ {
		if !big.NewInt(p).ProbablyPrime(0) {
			continue
		}
		// ⌊∛p · 2³²⌋ = ⌊∛(p · 2⁹⁶)⌋, from a first guess by Newton's method.
		scaled := new(big.Int).Lsh(big.NewInt(p), 96)
		root := new(big.Int).SetUint64(uint64(math.Cbrt(float64(p)) * (1 << 32)))
		one := big.NewInt(1)
		cube := func(r *big.Int) *big.Int { return new(big.Int).Exp(r, big.NewInt(3), nil) }
		for cube(root).Cmp(scaled) > 0 {
			root.Sub(root, one)
		}
		for cube(new(big.Int).Add(root, one)).Cmp(scaled) <= 0 {
			root.Add(root, one)
		}
		g.AddDatum(4*n, operand.U32(uint32(root.Uint64())))
		n++
	}
	return k
}

// byteSwap is the shuffle that reverses the bytes of each word.
func byteSwap(g *emit.Generator) operand.Mem {
	swap := g.StaticGlobal("swap")
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 16 {
		g.AddDatum(i, operand.U8(uint8(i^3)))
	}
	return swap
}

// blocksSHANI does four rounds with each word of sixteen bytes, and computes the
// schedule three words ahead, by the instructions made for it (Intel, "SHA
// Extensions", 2013).
func blocksSHANI(g *emit.Generator, k, swap operand.Mem) {
	g.Func("blocksSHANI", signature, check.Spec{Tier: "shani"}, "blocksSHANI"+contract)

	h := g.Load(g.Param("h"), g.GP64())
	p := g.Load(g.Param("p").Base(), g.GP64())
	n := g.Load(g.Param("p").Len(), g.GP64())
	g.SHRQ(operand.Imm(6), n)
	g.JZ(operand.LabelRef("done"))

	// The instructions take the state as ABEF and CDGH, the highest word first.
	abef, cdgh, t := g.XMM(), g.XMM(), g.XMM()
	lo, hi := operand.Mem{Base: h}, operand.Mem{Base: h, Disp: 16}
	g.VPSHUFD(operand.Imm(0xb1), lo, t)    // CDAB
	g.VPSHUFD(operand.Imm(0x1b), hi, cdgh) // EFGH
	g.VPALIGNR(operand.Imm(8), cdgh, t, abef)
	g.VPBLENDW(operand.Imm(0xf0), t, cdgh, cdgh)
	mask := g.XMM()
	g.VMOVDQU(swap, mask)

	g.Label("block")
	abef0, cdgh0 := g.XMM(), g.XMM()
	g.VMOVDQA(abef, abef0)
	g.VMOVDQA(cdgh, cdgh0)
	var w [4]reg.VecVirtual // the last sixteen words of the schedule
	for i := range w {
		w[i] = g.XMM()
	}
	kw := reg.X0 // the register that SHA256RNDS2 takes its words from
	for i := range 16 {
		now, next, last := w[i%4], w[(i+1)%4], w[(i+3)%4]
		if i < 4 {
			g.VMOVDQU(operand.Mem{Base: p, Disp: 16 * i}, now)
			g.VPSHUFB(mask, now, now)
		}
		g.VPADDD(k.Offset(16*i), now, kw)
		g.SHA256RNDS2(kw, abef, cdgh)
		if 3 <= i && i < 15 {
			g.VPALIGNR(operand.Imm(4), last, now, t)
			g.VPADDD(t, next, next)
			g.SHA256MSG2(now, next)
		}
		g.VPSHUFD(operand.Imm(0x0e), kw, kw)
		g.SHA256RNDS2(kw, cdgh, abef)
		if 1 <= i && i < 13 {
			g.SHA256MSG1(now, last)
		}
	}
	g.VPADDD(abef0, abef, abef)
	g.VPADDD(cdgh0, cdgh, cdgh)
	g.ADDQ(operand.Imm(64), p)
	g.DECQ(n)
	g.JNZ(operand.LabelRef("block"))

	g.VPSHUFD(operand.Imm(0x1b), abef, t)    // FEBA
	g.VPSHUFD(operand.Imm(0xb1), cdgh, cdgh) // DCHG
	g.VPBLENDW(operand.Imm(0xf0), cdgh, t, abef)
	g.VPALIGNR(operand.Imm(8), t, cdgh, cdgh)
	g.VMOVDQU(abef, lo)
	g.VMOVDQU(cdgh, hi)
	g.Label("done")
	g.RET()
}
