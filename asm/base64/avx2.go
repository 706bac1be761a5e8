package base64

import (
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// lanes makes a table of 32 bytes: 16 bytes twice, as shuffles work on lanes.
func lanes(g *emit.Generator, name string, at func(i int) byte) operand.Mem {
	return emit.Bytes(g, name, 32, func(i int) byte { return at(i % 16) })
}

// everywhere makes a register of one double word repeated.
func everywhere(g *emit.Generator, name string, word uint32) reg.VecVirtual {
	m := lanes(g, name, func(i int) byte { return byte(word >> (i % 4 * 8)) })
	r := g.YMM()
	g.VMOVDQU(m, r)
	return r
}

// encodeAVX2 spreads each three bytes over four, moves their six bits into place
// by multiplications, and adds to each value what its range of the alphabet asks
// for (Muła and Lemire, "Faster Base64 Encoding and Decoding Using AVX2
// Instructions", 2018).
func encodeAVX2(g *emit.Generator) {
	g.Func("encodeAVX2", "func(dst, src *byte, n int)", check.Spec{Tier: "avx2", Public: []string{"dst", "src"}}, `
encodeAVX2 writes the base64 (RFC 4648, section 4) of n bytes at src to dst, where n
is a multiple of three and at least 30. The two do not overlap. It reads no other
byte and writes no other than the n/3*4 characters.`)
	dst := g.Load(g.Param("dst"), g.GP64())
	src := g.Load(g.Param("src"), g.GP64())
	n := g.Load(g.Param("n"), g.GP64())

	// Bytes b a c b of each group a b c of the twelve that a lane holds at an
	// offset.
	spread := func(offset int) func(i int) byte {
		return func(i int) byte { return byte(offset + i/4*3 + []int{1, 0, 2, 1}[i%4]) }
	}
	first := lanes(g, "spreadFirst", spread(0))
	later := g.YMM()
	g.VMOVDQU(lanes(g, "spread", spread(4)), later)

	high, highMove := everywhere(g, "high", 0x0fc0fc00), everywhere(g, "highMove", 0x04000040)
	low, lowMove := everywhere(g, "low", 0x003f03f0), everywhere(g, "lowMove", 0x01000010)
	b51, b26, b13 := everywhere(g, "b51", 0x33333333), everywhere(g, "b26", 0x1a1a1a1a), everywhere(g, "b13", 0x0d0d0d0d)
	// What is added to a value: by 0 for a small letter, 1 to 10 for a digit, 11 for
	// plus, 12 for slash, 13 for a capital.
	add := g.YMM()
	g.VMOVDQU(lanes(g, "add", func(i int) byte {
		value, char := 0, 0
		switch {
		case i == 0:
			value, char = 26, 'a'
		case i <= 10:
			value, char = 52, '0'
		case i == 11:
			value, char = 62, '+'
		case i == 12:
			value, char = 63, '/'
		case i == 13:
			value, char = 0, 'A'
		}
		return byte(char - value)
	}), add)

	// block encodes 24 bytes, whose lanes are in v.
	block := func(v reg.VecVirtual, shuffle operand.Op) {
		g.VPSHUFB(shuffle, v, v)
		t := g.YMM()
		g.VPAND(high, v, t)
		g.VPMULHUW(highMove, t, t)
		g.VPAND(low, v, v)
		g.VPMULLW(lowMove, v, v)
		g.VPOR(t, v, v)
		small := g.YMM()
		g.VPSUBUSB(b51, v, t)
		g.VPCMPGTB(v, b26, small)
		g.VPAND(b13, small, small)
		g.VPOR(small, t, t)
		g.VPSHUFB(t, add, t)
		g.VPADDB(t, v, v)
		g.VMOVDQU(v, operand.Mem{Base: dst})
	}
	load := func(offset int) reg.VecVirtual {
		v := g.YMM()
		g.VMOVDQU(operand.Mem{Base: src, Disp: offset}, v.AsX())
		g.VINSERTI128(operand.Imm(1), operand.Mem{Base: src, Disp: offset + 12}, v, v)
		return v
	}
	step := func() {
		g.ADDQ(operand.Imm(24), src)
		g.ADDQ(operand.Imm(32), dst)
		g.SUBQ(operand.Imm(24), n)
	}

	g.Comment("The first 24 bytes are loaded with four behind them, all others with four before.")
	block(load(0), first)
	step()
	g.Label("encode")
	g.CMPQ(n, operand.Imm(24))
	g.JBE(operand.LabelRef("encodeLast"))
	block(load(-4), later)
	step()
	g.JMP(operand.LabelRef("encode"))

	g.Label("encodeLast")
	g.Comment("The last 24 bytes, some of them for the second time.")
	g.LEAQ(operand.Mem{Base: src, Index: n, Scale: 1, Disp: -24}, src)
	quarter := g.GP64()
	// n is at most 24 here, and a multiple of three: a third of it is n·43>>7.
	g.IMUL3Q(operand.Imm(43), n, quarter)
	g.SHRQ(operand.Imm(7), quarter)
	g.LEAQ(operand.Mem{Base: dst, Index: quarter, Scale: 4, Disp: -32}, dst)
	block(load(-4), later)
	g.VZEROUPPER()
	g.RET()
}

// decodeAVX2 looks the two halves of a character up, whose sets of faults have a
// bit in common when there is no such character, adds what makes a value of it, and
// packs the values by multiplications (Muła and Lemire, 2018).
func decodeAVX2(g *emit.Generator) {
	g.Func("decodeAVX2", "func(dst, src *byte, n int) (ok bool)", check.Spec{Tier: "avx2", Public: []string{"dst", "src"}}, `
decodeAVX2 writes the bytes that n characters at src encode to dst, where n is a
multiple of four and at least 32, and reports whether all are of the alphabet, to
which '=' does not belong (RFC 4648, section 4). The two do not overlap. It reads no
other character and writes no other than the n/4*3 bytes, which are undefined when it
reports false.`)
	dst := g.Load(g.Param("dst"), g.GP64())
	src := g.Load(g.Param("src"), g.GP64())
	n := g.Load(g.Param("n"), g.GP64())

	constant := func(name string, at func(i int) byte) reg.VecVirtual {
		r := g.YMM()
		g.VMOVDQU(lanes(g, name, at), r)
		return r
	}
	// A character is one of 16 rows of 16, and five sets of rows have different
	// characters in the alphabet: a bit for each.
	row := func(high int) byte {
		switch high {
		case 2:
			return 1
		case 3:
			return 2
		case 4, 6:
			return 4
		case 5, 7:
			return 8
		}
		return 16
	}
	inAlphabet := func(c int) bool {
		return c != 0 && strings.IndexByte(alphabet, byte(c)) >= 0
	}
	rows := constant("rows", row)
	faults := constant("faults", func(low int) (bits byte) {
		for high := range 16 {
			if !inAlphabet(high<<4 | low) {
				bits |= row(high)
			}
		}
		return bits
	})
	// What is added to a character, by its row; slash comes as the row before its
	// own.
	add := constant("value", func(high int) byte {
		add := 0
		switch high {
		case 1:
			add = 63 - '/'
		case 2:
			add = 62 - '+'
		case 3:
			add = 52 - '0'
		case 4, 5:
			add = 0 - 'A'
		case 6, 7:
			add = 26 - 'a'
		}
		return byte(add)
	})
	slash := everywhere(g, "slash", 0x2f2f2f2f) // which serves as mask of a half too
	pairs, quads := everywhere(g, "pairs", 0x01400140), everywhere(g, "quads", 0x00011000)
	pack := constant("pack", func(i int) byte {
		if i >= 12 {
			return 0x80
		}
		return byte(i/3*4 + 2 - i%3)
	})
	gather := g.YMM()
	g.VMOVDQU(emit.Words(g, "gather", 0, 1, 2, 4, 5, 6, 7, 7), gather)
	bad := g.YMM()
	g.VPXOR(bad, bad, bad)

	// block decodes 32 characters into the first 24 bytes of the register.
	block := func() reg.VecVirtual {
		v, high, low := g.YMM(), g.YMM(), g.YMM()
		g.VMOVDQU(operand.Mem{Base: src}, v)
		g.VPSRLD(operand.Imm(4), v, high)
		g.VPAND(slash, high, high)
		g.VPAND(slash, v, low)
		g.VPSHUFB(low, faults, low)
		t := g.YMM()
		g.VPSHUFB(high, rows, t)
		g.VPAND(t, low, low)
		g.VPOR(low, bad, bad)
		g.VPCMPEQB(slash, v, t)
		g.VPADDB(t, high, high)
		g.VPSHUFB(high, add, high)
		g.VPADDB(high, v, v)
		g.VPMADDUBSW(pairs, v, v)
		g.VPMADDWD(quads, v, v)
		g.VPSHUFB(pack, v, v)
		g.VPERMD(v, gather, v)
		return v
	}

	g.Label("decode")
	g.Comment("A store of 32 bytes needs eight that the next block writes.")
	g.CMPQ(n, operand.Imm(44))
	g.JB(operand.LabelRef("decodeLast"))
	g.VMOVDQU(block(), operand.Mem{Base: dst})
	g.ADDQ(operand.Imm(32), src)
	g.ADDQ(operand.Imm(24), dst)
	g.SUBQ(operand.Imm(32), n)
	g.JMP(operand.LabelRef("decode"))

	exact := func() {
		v := block()
		g.VMOVDQU(v.AsX(), operand.Mem{Base: dst})
		g.VEXTRACTI128(operand.Imm(1), v, v.AsX())
		g.VMOVQ(v.AsX(), operand.Mem{Base: dst, Disp: 16})
	}
	g.Label("decodeLast")
	g.CMPQ(n, operand.Imm(32))
	g.JB(operand.LabelRef("decodeRest"))
	exact()
	g.ADDQ(operand.Imm(32), src)
	g.ADDQ(operand.Imm(24), dst)
	g.SUBQ(operand.Imm(32), n)
	g.Label("decodeRest")
	g.TESTQ(n, n)
	g.JZ(operand.LabelRef("decodeDone"))
	g.Comment("The last 32 characters, some of them for the second time.")
	g.LEAQ(operand.Mem{Base: src, Index: n, Scale: 1, Disp: -32}, src)
	g.SHRQ(operand.Imm(2), n)
	g.LEAQ(operand.Mem{Base: n, Index: n, Scale: 2}, n)
	g.LEAQ(operand.Mem{Base: dst, Index: n, Scale: 1, Disp: -24}, dst)
	exact()
	g.Label("decodeDone")
	g.VPTEST(bad, bad)
	ok := g.GP8()
	g.SETEQ(ok)
	g.Store(ok, g.Return("ok"))
	g.VZEROUPPER()
	g.RET()
}
