package check

import (
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/arm64"
)

// An index that nothing bounds, or that may lie outside. DX is n, any number.
func TestIndexOutsideFrame(t *testing.T) {
	const unbounded = "an address in the frame that nothing bounds"
	// after reads the frame of size bytes at an index in DX that build made.
	after := func(size int, make func(c *build.Context)) func(c *build.Context) {
		return func(c *build.Context) {
			slot := c.AllocLocal(size)
			make(c)
			c.MOVQ(slot.Idx(reg.RDX, 8), reg.RSI)
			c.Label("end")
			c.RET()
		}
	}
	run(t, []routine{
		{name: "indexOutsideFrame", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(16)
			c.MOVQ(imm32(0), slot.Idx(reg.RDX, 8))
			c.RET()
		}, want: []string{"indexOutsideFrame: instruction 5 (MOVQ $+0, (SP)(DX*8)): " + unbounded}},
		{name: "baseOutsideFrame", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(16)
			c.LEAQ(slot.Idx(reg.RDX, 8), reg.RSI)
			c.MOVQ(at(reg.RSI), reg.RSI)
			c.RET()
		}, want: []string{"(MOVQ (SI), SI): " + unbounded}},
		{name: "mask", spec: open, build: after(56, func(c *build.Context) {
			c.ANDQ(imm(7), reg.RDX)
		}), want: []string{"(MOVQ (SP)(DX*8), SI): reaches bytes 0 to 63 of a frame of 56"}},
		{name: "shift", spec: open, build: after(24, func(c *build.Context) {
			c.SHRQ(imm(62), reg.RDX)
		}), want: []string{"reaches bytes 0 to 31 of a frame of 24"}},
		{name: "comparison", spec: open, build: after(24, func(c *build.Context) {
			c.CMPQ(reg.RDX, imm(4))
			c.JAE(label("end"))
		}), want: []string{"reaches bytes 0 to 31 of a frame of 24"}},
		{name: "below", spec: open, build: after(24, func(c *build.Context) {
			c.ANDQ(imm(1), reg.RDX)
			c.SUBQ(imm(1), reg.RDX)
		}), want: []string{"reaches bytes -8 to 7 of a frame of 24"}},
		{name: "eitherPath", spec: open, build: after(24, func(c *build.Context) {
			c.MOVQ(imm32(3), reg.RSI)
			c.ANDQ(imm(1), reg.RDX)
			c.TESTQ(reg.RCX, reg.RCX)
			c.CMOVQEQ(reg.RSI, reg.RDX)
		}), want: []string{"reaches bytes 0 to 31 of a frame of 24"}},
		{name: "loop", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(24)
			c.XORL(reg.EDX, reg.EDX)
			c.Label("loop")
			c.MOVQ(imm32(0), slot.Idx(reg.RDX, 1))
			c.ADDQ(imm(8), reg.RDX)
			c.CMPQ(reg.RDX, imm(24))
			c.JBE(label("loop"))
			c.RET()
		}, want: []string{"(MOVQ $+0, (SP)(DX*1)): reaches bytes 24 to 31 of a frame of 24"}},
		{name: "loopWithoutBound", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(24)
			c.LEAQ(slot, reg.RSI)
			c.Label("loop")
			c.MOVQ(imm32(0), at(reg.RSI))
			c.ADDQ(imm(8), reg.RSI)
			c.DECQ(reg.RDX)
			c.JNE(label("loop"))
			c.RET()
		}, want: []string{"(MOVQ $+0, (SI)): reaches bytes 24 to 31 of a frame of 24", unbounded}},
		{name: "rest", spec: open, build: func(c *build.Context) {
			// What is left and where it goes: a step too far for what is left.
			slot := c.AllocLocal(24)
			c.CMPQ(reg.RDX, imm(24))
			c.JA(label("end"))
			c.LEAQ(slot, reg.RSI)
			c.Label("loop")
			c.CMPQ(reg.RDX, imm(8))
			c.JB(label("end"))
			c.MOVQ(imm32(0), at(reg.RSI))
			c.ADDQ(imm(8), reg.RSI)
			c.SUBQ(imm(4), reg.RDX)
			c.JMP(label("loop"))
			c.Label("end")
			c.RET()
		}, want: []string{"(MOVQ $+0, (SI)): reaches bytes 24 to 31 of a frame of 24"}},

		// None of these bounds the index.
		{name: "changedAfterComparison", spec: open, build: after(128, func(c *build.Context) {
			c.CMPQ(reg.RDX, imm(4))
			c.LEAQ(at(reg.RDX).Idx(reg.RDX, 1), reg.RDX)
			c.JAE(label("end"))
		}), want: []string{unbounded}},
		{name: "exchangedAfterComparison", spec: open, build: after(128, func(c *build.Context) {
			c.Load(c.Param("n"), reg.RSI)
			c.CMPQ(reg.RDX, imm(4))
			c.XCHGQ(reg.RSI, reg.RDX)
			c.JAE(label("end"))
		}), want: []string{unbounded}},
		{name: "flagsAfterComparison", spec: open, build: after(128, func(c *build.Context) {
			c.CMPQ(reg.RDX, imm(4))
			c.TESTQ(reg.RCX, reg.RCX)
			c.JAE(label("end"))
		}), want: []string{unbounded}},
		{name: "clearedAfterComparison", spec: open, build: after(128, func(c *build.Context) {
			c.CMPQ(reg.RDX, imm(4))
			c.STC()
			c.JAE(label("end"))
		}), want: []string{unbounded}},
		{name: "comparisonOnOnePath", spec: open, build: after(128, func(c *build.Context) {
			c.CMPQ(reg.RDX, imm(4))
			c.JGT(label("second"))
			c.CMPQ(reg.RCX, reg.RAX)
			c.Label("second")
			c.JAE(label("end"))
		}), want: []string{unbounded}},
		{name: "comparisonOfOther", spec: open, build: after(128, func(c *build.Context) {
			c.Load(c.Param("n"), reg.RSI)
			c.CMPQ(reg.RSI, imm(4))
			c.JAE(label("end"))
		}), want: []string{unbounded}},
		{name: "comparisonOfPointer", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(56)
			c.ANDQ(imm(7), reg.RDX)
			c.LEAQ(slot.Idx(reg.RDX, 8), reg.RSI)
			c.CMPQ(reg.RSI, imm(4))
			c.JAE(label("end"))
			c.MOVQ(at(reg.RSI), reg.RSI)
			c.Label("end")
			c.RET()
		}, want: []string{"(MOVQ (SI), SI): reaches bytes 0 to 63 of a frame of 56"}},
		{name: "comparisonOfHalf", spec: open, build: after(128, func(c *build.Context) {
			c.CMPL(reg.EDX, imm(4))
			c.JAE(label("end"))
		}), want: []string{unbounded}},
		{name: "comparisonOfSigned", spec: open, build: after(128, func(c *build.Context) {
			c.CMPQ(reg.RDX, imm(4))
			c.JGE(label("end"))
		}), want: []string{unbounded}},
		{name: "comparisonWithNegative", spec: open, build: after(128, func(c *build.Context) {
			c.CMPQ(reg.RDX, operand.I8(-4))
			c.JAE(label("end"))
		}), want: []string{unbounded}},
		{name: "comparisonWithRegister", spec: open, build: after(128, func(c *build.Context) {
			c.MOVQ(imm32(4), reg.RSI)
			c.CMPQ(reg.RDX, reg.RSI)
			c.JAE(label("end"))
		}), want: []string{unbounded}},
		{name: "xorOfOthers", spec: open, build: after(128, func(c *build.Context) {
			c.MOVQ(at(reg.RCX), reg.RSI)
			c.XORQ(reg.RSI, reg.RDX)
		}), want: []string{unbounded}},
		{name: "lowByte", spec: open, build: after(128, func(c *build.Context) {
			c.XORL(reg.EDX, reg.EDX)
			c.MOVB(at(reg.RCX), reg.DL)
		}), want: []string{unbounded}},
		{name: "highByte", spec: open, build: after(128, func(c *build.Context) {
			c.XORL(reg.EDX, reg.EDX)
			c.MOVB(at(reg.RCX), reg.DH)
		}), want: []string{unbounded}},
		{name: "lowHalf", spec: open, build: after(128, func(c *build.Context) {
			c.MOVQ(imm32(-1), reg.RDX)
			c.XCHGL(reg.EDX, reg.ESI) // a half that is -1 with zeros above it
			c.MOVQ(reg.RSI, reg.RDX)
		}), want: []string{unbounded}},
		{name: "lowHalfOfSum", spec: open, build: after(128, func(c *build.Context) {
			c.MOVQ(imm32(-1), reg.RDX)
			c.LEAL(at(reg.RDX), reg.EDX)
		}), want: []string{unbounded}},
		{name: "halvesInFrame", spec: open, build: func(c *build.Context) {
			// Of the eight bytes loaded, four are of 5 and four of -1.
			slot, place := c.AllocLocal(64), c.AllocLocal(8)
			c.MOVQ(imm32(-1), place)
			c.MOVQ(imm32(5), reg.RSI)
			c.XCHGL(reg.ESI, place)
			c.MOVQ(place, reg.RDX)
			c.MOVQ(slot.Idx(reg.RDX, 8), reg.RSI)
			c.RET()
		}, want: []string{unbounded}},
		{name: "betweenInFrame", spec: open, build: func(c *build.Context) {
			slot, place := c.AllocLocal(64), c.AllocLocal(16)
			c.MOVQ(imm32(5), place)
			c.MOVQ(imm32(5), place.Offset(8))
			c.MOVQ(place.Offset(4), reg.RDX)
			c.MOVQ(slot.Idx(reg.RDX, 1), reg.RSI)
			c.RET()
		}, want: []string{unbounded}},
		{name: "vectorIndex", spec: withTier("chacha20/avx512"), build: func(c *build.Context) {
			slot := c.AllocLocal(64)
			c.VPXORD(reg.Z16, reg.Z16, reg.Z16)
			c.KMOVQ(reg.RDX, reg.K1)
			c.LEAQ(slot, reg.RSI)
			c.VPGATHERDD(at(reg.RSI).Idx(reg.Z16, 4), reg.K1, reg.Z17)
			c.RET()
		}, want: []string{unbounded}},
		{name: "largeNumber", spec: open, build: after(128, func(c *build.Context) {
			// Four billion and more, of which 32 bits are few.
			c.MOVQ(imm32(1<<30), reg.RDX)
			c.SHLQ(imm(10), reg.RDX)
		}), want: []string{unbounded}},
	})
}

// These stay inside, to the last byte.
func TestIndexInsideFrame(t *testing.T) {
	run(t, []routine{
		{name: "mask", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(64)
			c.ANDQ(imm(7), reg.RDX)
			c.MOVQ(imm32(0), slot.Idx(reg.RDX, 8))
			c.LEAQ(slot.Idx(reg.RDX, 8), reg.RSI)
			c.MOVQ(at(reg.RSI), reg.RSI)
			c.RET()
		}},
		{name: "wipeInLoop", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(32)
			c.MOVQ(at(reg.RAX), reg.RSI)
			for k := range 4 {
				c.MOVQ(reg.RSI, slot.Offset(8*k))
			}
			c.XORL(reg.EDX, reg.EDX)
			c.Label("loop")
			c.MOVQ(imm32(0), slot.Idx(reg.RDX, 1))
			c.ADDQ(imm(8), reg.RDX)
			c.CMPQ(reg.RDX, imm(32))
			c.JB(label("loop"))
			c.RET()
		}},
		{name: "wipeByPointer", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(32)
			c.MOVQ(at(reg.RAX), reg.RSI)
			for k := range 4 {
				c.MOVQ(reg.RSI, slot.Offset(8*k))
			}
			c.LEAQ(slot, reg.RDI)
			c.MOVQ(imm32(4), reg.RDX)
			c.Label("loop")
			c.MOVQ(imm32(0), at(reg.RDI))
			c.ADDQ(imm(8), reg.RDI)
			c.SUBQ(imm(1), reg.RDX)
			c.CMPQ(reg.RDX, imm(0))
			c.JNE(label("loop"))
			c.RET()
		}},
		{name: "rest", spec: open, build: func(c *build.Context) {
			// What is left and where it goes, in steps of two sizes.
			slot := c.AllocLocal(31)
			c.CMPQ(reg.RDX, imm(31))
			c.JA(label("end"))
			c.LEAQ(slot, reg.RSI)
			c.Label("eights")
			c.CMPQ(reg.RDX, imm(8))
			c.JB(label("ones"))
			c.MOVQ(imm32(0), at(reg.RSI))
			c.ADDQ(imm(8), reg.RSI)
			c.SUBQ(imm(8), reg.RDX)
			c.JMP(label("eights"))
			c.Label("ones")
			c.CMPQ(reg.RDX, imm(1))
			c.JB(label("end"))
			c.MOVB(imm(0), at(reg.RSI))
			c.INCQ(reg.RSI)
			c.DECQ(reg.RDX)
			c.JMP(label("ones"))
			c.Label("end")
			c.RET()
		}},
		{name: "spilled", spec: open, build: func(c *build.Context) {
			slot, place := c.AllocLocal(32), c.AllocLocal(8)
			c.ANDQ(imm(3), reg.RDX)
			c.MOVQ(reg.RDX, place)
			c.XORL(reg.EDX, reg.EDX)
			c.MOVQ(place, reg.RSI)
			c.MOVQ(slot.Idx(reg.RSI, 8), reg.RDI)
			c.RET()
		}},
	})
	// Only what an index may reach is secret afterwards, and only that is read.
	run(t, []routine{
		{name: "storeBetween", spec: open, build: func(c *build.Context) {
			slot := c.AllocLocal(64)
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.ANDQ(imm(1), reg.RDX)
			c.MOVQ(reg.RSI, slot.Offset(16).Idx(reg.RDX, 8))
			c.RET()
		}, want: []string{"returns with a secret in bytes 16 to 31 of the frame: the memory behind key → 5 (MOVQ (AX), SI) → 7 (MOVQ SI, 16(SP)(DX*8))"}},
		{name: "loadBetween", spec: Spec{Public: []string{"table"}, Leaves: "a test"}, build: func(c *build.Context) {
			slot := c.AllocLocal(64)
			for k := range 8 {
				c.MOVQ(imm32(0), slot.Offset(8*k))
			}
			c.MOVQ(at(reg.RAX), reg.RSI)
			c.MOVQ(reg.RSI, slot.Offset(16))
			c.ANDQ(imm(1), reg.RDX)
			c.MOVQ(slot.Idx(reg.RDX, 8), reg.RDI)
			c.MOVQ(reg.RDI, at(reg.RCX)) // bytes 0 to 15
			c.MOVQ(slot.Offset(8).Idx(reg.RDX, 8), reg.RDI)
			c.MOVQ(reg.RDI, at(reg.RCX)) // bytes 8 to 23
			c.RET()
		}, want: []string{"19 (MOVQ DI, (CX)): stores a secret behind table, which is public"}},
	})
}

// Code that no number leads to is looked at all the same.
func TestNeverTaken(t *testing.T) {
	run(t, []routine{{name: "f", spec: open, build: func(c *build.Context) {
		c.ANDQ(imm(7), reg.RDX)
		c.CMPQ(reg.RDX, imm(8))
		c.JB(label("end"))
		c.MOVQ(at(reg.RAX), reg.RSI)
		c.MOVQ(at(reg.RCX).Idx(reg.RSI, 1), reg.RDI)
		c.Label("end")
		c.RET()
	}, want: []string{"9 (MOVQ (CX)(SI*1), DI): an address depends on a secret"}}})
}

// The numbers that instructions make, as the frame's end tells them: eight bytes are read
// at that number from its beginning. n is from 2 to 5.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func(c *build.Context) // in SI
		reach string
	}{
		{"MOVQ", func(c *build.Context) { c.MOVQ(imm32(-3), reg.RSI) }, "-3 to 4"},
		{"MOVQ register", func(c *build.Context) { c.MOVQ(reg.RDX, reg.RSI) }, "2 to 12"},
		{"XORL", func(c *build.Context) { c.XORL(reg.ESI, reg.ESI); c.DECQ(reg.RSI) }, "-1 to 6"},
		{"XORQ", func(c *build.Context) { c.XORQ(reg.RSI, reg.RSI); c.INCQ(reg.RSI) }, "1 to 8"},
		{"ADDQ", func(c *build.Context) { c.MOVQ(reg.RDX, reg.RSI); c.ADDQ(imm(9), reg.RSI) }, "11 to 21"},
		{"ADDQ register", func(c *build.Context) { c.MOVQ(reg.RDX, reg.RSI); c.ADDQ(reg.RDX, reg.RSI) }, "4 to 17"},
		{"SUBQ", func(c *build.Context) { c.MOVQ(reg.RDX, reg.RSI); c.SUBQ(imm(3), reg.RSI) }, "-1 to 9"},
		{"SUBQ register", func(c *build.Context) { c.MOVQ(imm32(20), reg.RSI); c.SUBQ(reg.RDX, reg.RSI) }, "15 to 25"},
		{"LEAQ", func(c *build.Context) { c.LEAQ(at(reg.RDX).Idx(reg.RDX, 4).Offset(1), reg.RSI) }, "11 to 33"},
		{"ANDQ", func(c *build.Context) { c.MOVQ(at(reg.RCX), reg.RSI); c.ANDQ(imm(15), reg.RSI) }, "0 to 22"},
		{"SHLQ", func(c *build.Context) { c.MOVQ(reg.RDX, reg.RSI); c.SHLQ(imm(3), reg.RSI) }, "16 to 47"},
		{"SHRQ", func(c *build.Context) { c.MOVQ(reg.RDX, reg.RSI); c.SHRQ(imm(1), reg.RSI) }, "1 to 9"},
		{"SHRQ of any", func(c *build.Context) { c.MOVQ(at(reg.RCX), reg.RSI); c.SHRQ(imm(60), reg.RSI) }, "0 to 22"},
		{"CMOVQEQ", func(c *build.Context) {
			c.MOVQ(imm32(7), reg.RSI)
			c.TESTQ(reg.RDX, reg.RDX)
			c.CMOVQEQ(reg.RDX, reg.RSI)
		}, "2 to 14"},
		{"distance", func(c *build.Context) {
			c.LEAQ(at(reg.RSP).Idx(reg.RDX, 2), reg.RSI)
			c.LEAQ(at(reg.RSP), reg.RDI)
			c.SUBQ(reg.RDI, reg.RSI)
		}, "4 to 17"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := compile(t, routine{name: "f", build: func(b *build.Context) {
				slot := b.AllocLocal(8)
				b.CMPQ(reg.RDX, imm(5))
				b.JA(label("end"))
				b.CMPQ(reg.RDX, imm(2))
				b.JB(label("end"))
				c.make(b)
				b.MOVQ(slot.Idx(reg.RSI, 1), reg.RDI)
				b.Label("end")
				b.RET()
			}}).Functions()[0]
			expect(t, AMD64.Function(fn, open), []string{"reaches bytes " + c.reach + " of a frame of 8"})
		})
	}
}

// The same on arm64; the frame's first byte is 8(RSP).
func TestNumbersARM64(t *testing.T) {
	x := r[5]
	for _, c := range []struct {
		name  string
		make  func(c *arm64.Context)
		reach string // none: nothing bounds it
	}{
		{"MOVD", func(c *arm64.Context) { c.MOVD(operand.I32(-3), x) }, "-3 to 4"},
		{"MOVD register", func(c *arm64.Context) { c.MOVD(n, x) }, "2 to 12"},
		{"ADD", func(c *arm64.Context) { c.ADD(imm(9), n, x) }, "11 to 21"},
		{"ADD register", func(c *arm64.Context) { c.ADD(n, n, x) }, "4 to 17"},
		{"SUB", func(c *arm64.Context) { c.SUB(imm(3), n, x) }, "-1 to 9"},
		{"SUB register", func(c *arm64.Context) { c.MOVD(imm(20), x); c.SUB(n, x, x) }, "15 to 25"},
		{"AND", func(c *arm64.Context) { c.MOVD(public, x); c.AND(imm(15), x, x) }, "0 to 22"},
		{"LSL", func(c *arm64.Context) { c.LSL(imm(3), n, x) }, "16 to 47"},
		{"LSR", func(c *arm64.Context) { c.LSR(imm(1), n, x) }, "1 to 9"},
		{"CSEL", func(c *arm64.Context) {
			c.MOVD(imm(7), x)
			c.CSEL(arm64.EQ, n, x, x)
		}, "2 to 14"},
		{"distance", func(c *arm64.Context) {
			c.ADD(n, arm64.RSP, x)
			c.SUB(arm64.RSP, x, x)
		}, "2 to 12"},
		{"ADD shifted", func(c *arm64.Context) { c.ADD(n.LSL(3), n, x) }, ""},
		{"SUB shifted", func(c *arm64.Context) { c.SUB(n.LSL(3), n, x) }, ""},
		{"ADDW", func(c *arm64.Context) { c.ADDW(imm(9), n, x) }, ""},
		{"SUBW", func(c *arm64.Context) { c.SUBW(imm(9), n, x) }, ""},
		{"MOVWU", func(c *arm64.Context) { c.MOVD(operand.I32(-3), x); c.MOVWU(x, x) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := compileARM64(t, routineARM64{name: "f", build: func(b *arm64.Context) {
				slot := b.AllocLocal(8)
				b.CMP(imm(5), n)
				b.BHI("end")
				b.CMP(imm(2), n)
				b.BLO("end")
				b.MOVD(arm64.Address{Mem: slot}, r[6])
				c.make(b)
				b.MOVD(operand.Mem{Base: r[6]}.Idx(x, 1), x)
				b.Label("end")
				b.RET()
			}}).Functions()[0]
			want := "reaches bytes " + c.reach + " of a frame of 8"
			if c.reach == "" {
				want = "an address in the frame that nothing bounds"
			}
			expect(t, ARM64.Function(fn, open), []string{want})
		})
	}
}

func TestIndexARM64(t *testing.T) {
	runARM64(t, []routineARM64{
		{name: "indexOutsideFrame", spec: open, build: func(c *arm64.Context) {
			slot := c.AllocLocal(24)
			c.MOVD(arm64.Address{Mem: slot}, r[5])
			c.MOVD(arm64.ZR, operand.Mem{Base: r[5]}.Idx(n, 8))
			c.RET()
		}, want: []string{"indexOutsideFrame: instruction 6 (MOVD ZR, (R5)(R3<<3)): an address in the frame that nothing bounds"}},
		{name: "pastTheEnd", spec: open, build: func(c *arm64.Context) {
			slot := c.AllocLocal(24)
			c.MOVD(arm64.Address{Mem: slot}, r[5])
			c.Label("loop")
			c.MOVD_P(arm64.ZR, operand.Mem{Base: r[5], Disp: 8})
			c.SUBS(imm(1), n, n)
			c.BNE("loop")
			c.RET()
		}, want: []string{"(MOVD.P ZR, 8(R5)): reaches bytes 24 to 31 of a frame of 24", "an address in the frame that nothing bounds"}},
		{name: "comparisonOfHalf", spec: open, build: func(c *arm64.Context) {
			slot := c.AllocLocal(64)
			c.MOVD(arm64.Address{Mem: slot}, r[5])
			c.CMPW(imm(8), n)
			c.BHS("end")
			c.MOVD(arm64.ZR, operand.Mem{Base: r[5]}.Idx(n, 8))
			c.Label("end")
			c.RET()
		}, want: []string{"an address in the frame that nothing bounds"}},
		{name: "changedAfterComparison", spec: open, build: func(c *arm64.Context) {
			slot := c.AllocLocal(64)
			c.MOVD(arm64.Address{Mem: slot}, r[5])
			c.CMP(imm(8), n)
			c.ADD(n, n, n)
			c.BHS("end")
			c.MOVD(arm64.ZR, operand.Mem{Base: r[5]}.Idx(n, 8))
			c.Label("end")
			c.RET()
		}, want: []string{"an address in the frame that nothing bounds"}},
		{name: "rest", spec: open, build: func(c *arm64.Context) {
			slot := c.AllocLocal(40)
			c.CMP(imm(40), n)
			c.BHI("end")
			c.MOVD(arm64.Address{Mem: slot}, r[5])
			c.Label("eights")
			c.CMP(imm(8), n)
			c.BLO("end")
			c.MOVD_P(arm64.ZR, operand.Mem{Base: r[5], Disp: 8})
			c.SUB(imm(8), n, n)
			c.B("eights")
			c.Label("end")
			c.RET()
		}},
	})
}

// A branch after a comparison with 3 is taken for the numbers that Go compares so.
func TestRelations(t *testing.T) {
	below := func(x uint64) bool { return x < 3 }
	above := func(x uint64) bool { return x > 3 }
	equal := func(x uint64) bool { return x == 3 }
	not := func(f func(uint64) bool) func(uint64) bool { return func(x uint64) bool { return !f(x) } }
	taken := map[string]func(uint64) bool{
		"JB": below, "JCS": below, "JLO": below, "JAE": not(below), "JCC": not(below), "JHS": not(below),
		"JA": above, "JHI": above, "JBE": not(above), "JLS": not(above),
		"JE": equal, "JEQ": equal, "JNE": not(equal),
		"BLO": below, "BHS": not(below), "BHI": above, "BLS": not(above), "BEQ": equal, "BNE": not(equal),
	}
	numbers := make(map[bounds]func(x uint64) bool)
	for lo := -2; lo < 7; lo++ {
		for hi := lo; hi < 7; hi++ {
			numbers[between(lo, hi)] = func(x uint64) bool { return int64(lo) <= int64(x) && int64(x) <= int64(hi) }
		}
	}
	numbers[bounds{}] = func(uint64) bool { return true }
	for _, table := range []map[string]effect{opcodes, opcodesARM64} {
		for opcode, e := range table {
			if e.kind != branch {
				continue
			}
			for b, in := range numbers {
				for _, way := range []bool{true, false} {
					s := &state{compared: comparison{6, 3, true}}
					s.gp[6].at, s.low[6].at = b, b
					goes := s.goes(opcode, way)
					for _, x := range []uint64{0, 1, 2, 3, 4, 5, 6, 7, 1 << 31, 1 << 32, 1 << 63, 1<<64 - 2, 1<<64 - 1} {
						f := taken[opcode]
						possible := in(x) && (f == nil || f(x) == way)
						got := s.gp[6].at
						if kept := goes && (!got.known || got.lo <= int(x) && int(x) <= got.hi); possible && !kept {
							t.Errorf("%s taken=%v, %v: loses %d, has %v %v", opcode, way, b, x, goes, got)
						} else if end := int(x) == got.lo || int(x) == got.hi; kept && !possible && got.known && b.lo >= 0 && end {
							t.Errorf("%s taken=%v, %v: %v ends with %d", opcode, way, b, got, x)
						}
					}
				}
			}
		}
	}
}

func TestCompares(t *testing.T) {
	memory := at(reg.RCX)
	for _, c := range []struct {
		opcode string
		ops    []operand.Op
		want   comparison
	}{
		{"CMPQ", []operand.Op{reg.RDX, operand.U8(200)}, comparison{2, 200, true}},
		{"CMPQ", []operand.Op{reg.RDX, operand.I8(-4)}, comparison{}},
		{"CMPQ", []operand.Op{reg.RDX, operand.U32(1 << 31)}, comparison{}},
		{"CMPQ", []operand.Op{reg.RDX, reg.RAX}, comparison{}},
		{"CMPQ", []operand.Op{memory, imm(4)}, comparison{}},
		{"CMPL", []operand.Op{reg.EDX, imm(4)}, comparison{}},
		{"CMPB", []operand.Op{reg.DL, imm(4)}, comparison{}},
		{"SUBQ", []operand.Op{imm(4), reg.RDX}, comparison{}},
		{"CMP", []operand.Op{imm(4), r[3]}, comparison{3, 4, true}},
		{"CMP", []operand.Op{operand.I8(-4), r[3]}, comparison{}},
		{"CMP", []operand.Op{r[4], r[3]}, comparison{}},
		{"CMP", []operand.Op{r[4].LSL(1), r[3]}, comparison{}},
		{"CMPW", []operand.Op{imm(4), r[3]}, comparison{}},
		{"CMN", []operand.Op{imm(4), r[3]}, comparison{}},
	} {
		i := &ir.Instruction{Opcode: c.opcode, Operands: c.ops}
		if got := compares(i); got != c.want {
			t.Errorf("%s: %v, want %v", (&function{arch: AMD64, code: []*ir.Instruction{i}}).show(0), got, c.want)
		}
	}
}

// A part of a register is another number than the whole.
func TestPartsOfRegisters(t *testing.T) {
	all := []reg.Register{reg.RSI, reg.ESI, reg.SI, reg.SIB}
	for _, c := range []struct {
		whole int
		known []bool // by part
	}{{300, []bool{true, true, false, false}}, {-1, []bool{true, false, false, false}}} {
		for k, part := range all {
			want := bounds{}
			if c.known[k] {
				want = exactly(c.whole)
			}
			s := new(state)
			s.set(reg.RSI, value{at: exactly(c.whole)})
			if got := s.get(part).at; got != want {
				t.Errorf("%d bytes of %d: %v, want %v", part.Size(), c.whole, got, want)
			}
			s = new(state)
			s.set(reg.RSI, value{at: exactly(7)})
			s.set(part, value{at: exactly(c.whole)})
			if got := s.get(reg.RSI).at; got != want {
				t.Errorf("7, and %d in %d bytes: %v, want %v", c.whole, part.Size(), got, want)
			}
		}
	}
	s := new(state)
	s.set(reg.RAX, value{at: exactly(7)})
	s.set(reg.AH, value{at: exactly(7)})
	if whole, high := s.get(reg.RAX).at, s.get(reg.AH).at; whole.known || high.known {
		t.Errorf("7, and 7 in the second byte: %v, that byte %v", whole, high)
	}
}

// The bounds of a result hold for all results, and not for more where they are exact.
func TestBounds(t *testing.T) {
	var some []bounds
	for lo := -4; lo <= 4; lo++ {
		for hi := lo; hi <= 4; hi++ {
			some = append(some, between(lo, hi))
		}
	}
	hull := func(name string, got bounds, results []int) {
		t.Helper()
		lo, hi := results[0], results[0]
		for _, x := range results {
			lo, hi = min(lo, x), max(hi, x)
		}
		if want := (bounds{lo, hi, true}); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, a := range some {
		for _, b := range some {
			var sums, differences, either []int
			for x := a.lo; x <= a.hi; x++ {
				for y := b.lo; y <= b.hi; y++ {
					sums, differences, either = append(sums, x+y), append(differences, x-y), append(either, x, y)
				}
			}
			hull("plus", a.plus(b), sums)
			hull("minus", a.minus(b), differences)
			hull("join", a.join(b), either)
		}
		var times, left, right []int
		for x := a.lo; x <= a.hi; x++ {
			times, left, right = append(times, 8*x), append(left, x<<2), append(right, x>>1)
		}
		hull("times", a.times(8), times)
		hull("left", a.left(2), left)
		if a.lo >= 0 {
			hull("right", a.right(1), right)
		} else if a.right(1) != (bounds{}) {
			t.Errorf("%v shifted to the right: %v", a, a.right(1))
		}
		for _, b := range []bounds{a.plus(bounds{}), bounds{}.plus(a), a.minus(bounds{}), bounds{}.minus(a), a.join(bounds{}), bounds{}.join(a)} {
			if b.known {
				t.Errorf("%v and an unknown number: %v", a, b)
			}
		}
	}
	const top = 1<<31 - 1
	for _, b := range []bounds{
		exactly(1 << 31), exactly(-1<<31 - 1), exactly(top).plus(exactly(1)), exactly(-1 << 31).minus(exactly(1)),
		exactly(top).times(2), exactly(1).left(31), exactly(4).left(62), exactly(1).left(63), exactly(1).left(64), exactly(1).right(64), bounds{}.times(0),
		bounds{}.left(1), bounds{}.right(33), exactly(-1).cut(4), exactly(1).cut(2), exactly(1).cut(1), bounds{}.cut(4),
	} {
		if b.known {
			t.Errorf("%v is known", b)
		}
	}
	if b := (bounds{}).right(34); b != between(0, 1<<30-1) {
		t.Errorf("any number shifted to the right by 34: %v", b)
	}
	if b := exactly(top).cut(4); b != exactly(top) {
		t.Errorf("32 bits of %d: %v", top, b)
	}
}

// More states than are kept apart end in a refusal, not in a pass.
func TestManyStates(t *testing.T) {
	fn := compile(t, routine{name: "f", build: func(c *build.Context) {
		slot := c.AllocLocal(8)
		c.XORL(reg.ESI, reg.ESI)
		c.Label("loop")
		c.INCQ(reg.RSI)
		c.CMPQ(reg.RSI, imm32(2*maxStates))
		c.JB(label("loop"))
		c.MOVQ(slot.Offset(-2*maxStates).Idx(reg.RSI, 1), reg.RDI)
		c.RET()
	}}).Functions()[0]
	if err := AMD64.Function(fn, open); err == nil || !strings.Contains(err.Error(), "an address in the frame that nothing bounds") {
		t.Error(err)
	}
}
