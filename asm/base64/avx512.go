package base64

import (
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// vbmi is what both routines promise.
var vbmi = check.Spec{Tier: "base64/avx512", Public: []string{"dst", "src"}}

// zmm loads a table of 64 bytes.
func zmm(g *emit.Generator, name string, at func(i int) byte) reg.VecVirtual {
	r := g.ZMM()
	g.VMOVDQU8(emit.Bytes(g, name, 64, at), r)
	return r
}

// encodeAVX512 spreads each three bytes over four, picks the six bits of each, and
// looks the characters up (Muła and Lemire, "Base64 encoding and decoding at almost
// the speed of a memory copy", 2019).
func encodeAVX512(g *emit.Generator) {
	g.Func("encodeAVX512", "func(dst, src *byte, n int)", vbmi, `
encodeAVX512 writes the base64 (RFC 4648, section 4) of n bytes at src to dst, where
n is a multiple of three. The two do not overlap. It reads no other byte and writes
no other than the n/3*4 characters.`)
	dst := g.Load(g.Param("dst"), g.GP64())
	src := g.Load(g.Param("src"), g.GP64())
	n := g.Load(g.Param("n"), g.GP64())

	// Bytes b a c b of each group a b c.
	spread := zmm(g, "spread48", func(i int) byte { return byte(i/4*3 + []int{1, 0, 2, 1}[i%4]) })
	// Where the six bits begin: in a, between a and b, between b and c, in c.
	pick := zmm(g, "pick", func(i int) byte { return byte([]int{10, 4, 22, 16}[i%4] + i%8/4*32) })
	chars := zmm(g, "chars", func(i int) byte { return alphabet[i] })

	// block encodes 48 bytes.
	block := func(v reg.VecVirtual) {
		g.VPERMB(v, spread, v)
		g.VPMULTISHIFTQB(v, pick, v)
		g.VPERMB(chars, v, v)
	}
	v := g.ZMM()
	g.Label("encode48")
	g.CMPQ(n, operand.Imm(64)) // the load takes 16 bytes more than are encoded
	g.JB(operand.LabelRef("encodeSome"))
	g.VMOVDQU8(operand.Mem{Base: src}, v)
	block(v)
	g.VMOVDQU8(v, operand.Mem{Base: dst})
	g.ADDQ(operand.Imm(48), src)
	g.ADDQ(operand.Imm(64), dst)
	g.SUBQ(operand.Imm(48), n)
	g.JMP(operand.LabelRef("encode48"))

	g.Label("encodeSome")
	g.CMPQ(n, operand.Imm(48))
	g.JB(operand.LabelRef("encodeRest"))
	all := g.GP64()
	g.MOVQ(operand.U64(1<<48-1), all)
	g.KMOVQ(all, reg.K1)
	g.VMOVDQU8_Z(operand.Mem{Base: src}, reg.K1, v)
	block(v)
	g.VMOVDQU8(v, operand.Mem{Base: dst})
	g.ADDQ(operand.Imm(48), src)
	g.ADDQ(operand.Imm(64), dst)
	g.SUBQ(operand.Imm(48), n)

	g.Label("encodeRest")
	g.TESTQ(n, n)
	g.JZ(operand.LabelRef("encodeDone"))
	g.LowBits(n, reg.K1)
	g.VMOVDQU8_Z(operand.Mem{Base: src}, reg.K1, v)
	block(v)
	// A third of a multiple of three below 48 is n·43>>7.
	g.IMUL3Q(operand.Imm(43), n, n)
	g.SHRQ(operand.Imm(7), n)
	g.SHLQ(operand.Imm(2), n)
	g.LowBits(n, reg.K1)
	g.VMOVDQU8(v, reg.K1, operand.Mem{Base: dst})
	g.Label("encodeDone")
	g.VZEROUPPER()
	g.RET()
}

// decodeAVX512 looks values up in two tables of 64, gathers the highest bits, which
// neither a character nor its value has, and packs the values by multiplications
// (Muła and Lemire, 2019).
func decodeAVX512(g *emit.Generator) {
	g.Func("decodeAVX512", "func(dst, src *byte, n int) (ok bool)", vbmi, `
decodeAVX512 writes the bytes that n characters at src encode to dst, where n is a
multiple of four, and reports whether all are of the alphabet, to which '=' does not
belong (RFC 4648, section 4). The two do not overlap. It reads no other character and
writes no other than the n/4*3 bytes, which are undefined when it reports false.`)
	dst := g.Load(g.Param("dst"), g.GP64())
	src := g.Load(g.Param("src"), g.GP64())
	n := g.Load(g.Param("n"), g.GP64())

	value := func(c int) byte {
		if v := strings.IndexByte(alphabet, byte(c)); v >= 0 {
			return byte(v)
		}
		return 0x80
	}
	low := zmm(g, "valuesLow", func(i int) byte { return value(i) })
	high := zmm(g, "valuesHigh", func(i int) byte { return value(64 + i) })
	pairs := zmm(g, "pairs64", func(i int) byte { return []byte{0x40, 1}[i%2] })
	quads := zmm(g, "quads64", func(i int) byte { return []byte{0, 0x10, 1, 0}[i%4] })
	pack := zmm(g, "pack64", func(i int) byte { return byte(i/3*4%64 + 2 - i%3) })
	letterA := zmm(g, "letterA", func(int) byte { return 'A' })
	bad := g.ZMM()
	g.VPXORD(bad, bad, bad)

	// block decodes the 64 characters of v into 48 bytes.
	block := func(v reg.VecVirtual) reg.VecVirtual {
		values := g.ZMM()
		g.VMOVDQA32(v, values)
		g.VPERMI2B(high, low, values)
		g.VPTERNLOGD(operand.U8(0xfe), values, v, bad) // bad |= v | values
		g.VPMADDUBSW(pairs, values, values)
		g.VPMADDWD(quads, values, values)
		g.VPERMB(values, pack, values)
		return values
	}
	all := g.GP64()
	g.MOVQ(operand.U64(1<<48-1), all)
	g.KMOVQ(all, reg.K2)
	v := g.ZMM()
	g.Label("decode64")
	g.CMPQ(n, operand.Imm(64))
	g.JB(operand.LabelRef("decodeTail"))
	g.VMOVDQU8(operand.Mem{Base: src}, v)
	g.VMOVDQU8(block(v), reg.K2, operand.Mem{Base: dst})
	g.ADDQ(operand.Imm(64), src)
	g.ADDQ(operand.Imm(48), dst)
	g.SUBQ(operand.Imm(64), n)
	g.JMP(operand.LabelRef("decode64"))

	g.Label("decodeTail")
	g.TESTQ(n, n)
	g.JZ(operand.LabelRef("decodeEnd"))
	g.LowBits(n, reg.K1)
	g.VMOVDQA32(letterA, v)
	g.VMOVDQU8(operand.Mem{Base: src}, reg.K1, v)
	out := block(v)
	g.SHRQ(operand.Imm(2), n)
	g.LEAQ(operand.Mem{Base: n, Index: n, Scale: 2}, n)
	g.LowBits(n, reg.K1)
	g.VMOVDQU8(out, reg.K1, operand.Mem{Base: dst})

	g.Label("decodeEnd")
	bits := g.GP64()
	g.VPMOVB2M(bad, reg.K1)
	g.KMOVQ(reg.K1, bits)
	g.TESTQ(bits, bits)
	ok := g.GP8()
	g.SETEQ(ok)
	g.Store(ok, g.Return("ok"))
	g.VZEROUPPER()
	g.RET()
}
