package base64

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/arm64"
	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// The lanes that a pass uses: whole registers, or the lower halves.
func wholes(v arm64.Vec) arm64.Vec { return v.B16() }
func halves(v arm64.Vec) arm64.Vec { return v.B8() }

// inLanes is registers in a row, for the instructions that take lists.
func inLanes(of func(arm64.Vec) arm64.Vec, registers ...arm64.Vec) (l arm64.List) {
	for _, v := range registers {
		l = append(l, of(v))
	}
	return l
}

// lookUp loads a table of 64 bytes into four registers in a row.
func lookUp(g *emit.ARM64, name string, at func(i int) byte, into ...arm64.Vec) arm64.List {
	m, address := emit.Bytes(g, name, 64, at), g.GP()
	l := inLanes(wholes, into...)
	g.MOVD(arm64.Address{Mem: m}, address)
	g.VLD1(operand.Mem{Base: address}, l)
	return l
}

// passes has block take the n bytes or characters at src: so many at a time with whole
// registers, half as many with the lower halves, and for what is left the last half
// again. goBack then moves dst back by what stands for the given number at src. n is at
// least half a pass.
func passes(g *emit.ARM64, name string, whole uint64, unit string, n, src arm64.GP, block func(of func(arm64.Vec) arm64.Vec), goBack func(by arm64.GP)) {
	half := whole / 2
	again := fmt.Sprint(name, whole)
	g.SUBS(operand.Imm(whole), n, n)
	g.BLO(operand.LabelRef(name + "Half"))
	g.Label(again)
	block(wholes)
	g.SUBS(operand.Imm(whole), n, n)
	g.BHS(operand.LabelRef(again))

	g.Label(name + "Half")
	g.ADDS(operand.Imm(whole-half), n, n)
	g.BMI(operand.LabelRef(name + "Rest"))
	block(halves)
	g.SUB(operand.Imm(half), n, n)
	g.Label(name + "Rest")
	g.ADDS(operand.Imm(half), n, n)
	g.BEQ(operand.LabelRef(name + "Done"))
	g.Comment(fmt.Sprintf("The last %d %s, some of them for the second time.", half, unit))
	back := g.GP()
	g.MOVD(operand.Imm(half), back)
	g.SUB(n, back, back)
	g.SUB(back, src, src)
	goBack(back)
	block(halves)
	g.Label(name + "Done")
}

// encodeNEON loads the three bytes of each group into a register each, shifts their
// bits into four registers of values, and looks the characters up in a table of four
// registers.
func encodeNEON(g *emit.ARM64) {
	g.Func("encodeNEON", "func(dst, src *byte, n int)", check.Spec{Tier: "neon", Public: []string{"dst", "src"}}, `
encodeNEON writes the base64 (RFC 4648, section 4) of n bytes at src to dst, where n
is a multiple of three and at least 24. The two do not overlap. It reads no other
byte and writes no other than the n/3*4 characters.`)
	dst := g.Load(g.Param("dst"), g.GP())
	src := g.Load(g.Param("src"), g.GP())
	n := g.Load(g.Param("n"), g.GP())
	v := arm64.V
	chars := lookUp(g, "chars", func(i int) byte { return alphabet[i] }, v[16:20]...)
	six := v[20]
	g.VMOVI(operand.Imm(0x3f), six.B16())

	// block encodes three registers into four, and goes on.
	block := func(of func(arm64.Vec) arm64.Vec) {
		in := inLanes(of, v[0:3]...)
		out := inLanes(of, v[4:8]...)
		g.VLD3_P(operand.Mem{Base: src, Disp: 3 * in[0].Bytes()}, in)
		a, b, c := v[0].B16(), v[1].B16(), v[2].B16()
		w, x, y, z := v[4].B16(), v[5].B16(), v[6].B16(), v[7].B16()
		g.VUSHR(operand.Imm(2), a, w)
		g.VUSHR(operand.Imm(4), b, x)
		g.VUSHR(operand.Imm(6), c, y)
		g.VSLI(operand.Imm(4), a, x)
		g.VSLI(operand.Imm(2), b, y)
		g.VAND(six.B16(), c, z)
		g.VAND(six.B16(), x, x)
		g.VAND(six.B16(), y, y)
		for _, r := range out {
			g.VTBL(r, chars, r)
		}
		g.VST4_P(out, operand.Mem{Base: dst, Disp: 4 * out[0].Bytes()})
	}
	passes(g, "encode", 48, "bytes", n, src, block, func(back arm64.GP) {
		// A third of a multiple of three up to 24 is n·43>>7.
		third := g.GP()
		g.MOVD(operand.Imm(43), third)
		g.MUL(third, back, back)
		g.LSR(operand.Imm(7), back, back)
		g.SUB(back.LSL(2), dst, dst)
	})
	g.RET()
}

// decodeNEON loads the four characters of each group into a register each, looks their
// values up in two tables of four registers, and shifts the bits of the values into
// three registers. A look-up leaves the byte as it was when the number of the table's
// byte is too high, so that the highest bit of the result tells of all that is not in
// the alphabet.
func decodeNEON(g *emit.ARM64) {
	g.Func("decodeNEON", "func(dst, src *byte, n int) (ok bool)", check.Spec{Tier: "neon", Public: []string{"dst", "src"}}, `
decodeNEON writes the bytes that n characters at src encode to dst, where n is a
multiple of four and at least 32, and reports whether all are of the alphabet, to
which '=' does not belong (RFC 4648, section 4). The two do not overlap. It reads no
other character and writes no other than the n/4*3 bytes, which are undefined when it
reports false.`)
	dst := g.Load(g.Param("dst"), g.GP())
	src := g.Load(g.Param("src"), g.GP())
	n := g.Load(g.Param("n"), g.GP())
	v := arm64.V
	value := func(c int) byte {
		if v := strings.IndexByte(alphabet, byte(c)); v >= 0 {
			return byte(v)
		}
		return 0x80
	}
	low := lookUp(g, "valuesLow", func(i int) byte { return value(i) }, v[16:20]...)
	high := lookUp(g, "valuesHigh", func(i int) byte { return value(64 + i) }, v[20:24]...)
	other, bad := v[24], v[25]
	g.VMOVI(operand.Imm(64), other.B16())
	g.VMOVI(operand.Imm(0), bad.B16())

	// block decodes four registers into three, and goes on.
	block := func(of func(arm64.Vec) arm64.Vec) {
		in := inLanes(of, v[0:4]...)
		out := inLanes(of, v[4:7]...)
		g.VLD4_P(operand.Mem{Base: src, Disp: 4 * in[0].Bytes()}, in)
		// The four go side by side, for processors that keep the order.
		var above [4]arm64.Vec // 0 to 63 in the upper half of ASCII alone
		for i, r := range in {
			above[i] = of(g.Vec())
			g.VEOR(of(other), r, above[i])
		}
		for _, r := range in {
			g.VTBX(r, low, r)
		}
		for i, r := range in {
			g.VTBX(above[i], high, r)
		}
		a, b, c, d := v[0].B16(), v[1].B16(), v[2].B16(), v[3].B16()
		x, y, z := v[4].B16(), v[5].B16(), v[6].B16()
		ab, cd := g.Vec().B16(), g.Vec().B16()
		g.VORR(b, a, ab)
		g.VORR(d, c, cd)
		g.VUSHR(operand.Imm(4), b, x)
		g.VUSHR(operand.Imm(2), c, y)
		g.VMOV(d, z)
		g.VORR(ab, bad.B16(), bad.B16())
		g.VSLI(operand.Imm(2), a, x)
		g.VSLI(operand.Imm(4), b, y)
		g.VSLI(operand.Imm(6), c, z)
		g.VORR(cd, bad.B16(), bad.B16())
		g.VST3_P(out, operand.Mem{Base: dst, Disp: 3 * out[0].Bytes()})
	}
	passes(g, "decode", 64, "characters", n, src, block, func(back arm64.GP) {
		quarter := g.GP()
		g.LSR(operand.Imm(2), back, quarter)
		g.ADD(quarter.LSL(1), quarter, quarter)
		g.SUB(quarter, dst, dst)
	})
	first, second, ok := g.GP(), g.GP(), g.GP()
	g.VMOV(bad.D(0), first)
	g.VMOV(bad.D(1), second)
	g.ORR(second, first, first)
	g.TST(operand.U64(0x8080808080808080), first)
	g.CSET(arm64.EQ, ok)
	g.Store(ok, g.Return("ok"))
	g.RET()
}
