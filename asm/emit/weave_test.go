package emit

import (
	"testing"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// woven names the instructions of a function whose two pieces are a and b, of so many.
func woven(first, second int) (order string) {
	g := function("woven")
	g.NOP()
	Weave(g, func() {
		for range first {
			g.INCQ(reg.RAX)
		}
	}, func() {
		for range second {
			g.DECQ(reg.RBX)
		}
	})
	g.RET()
	file, _ := g.Result()
	for _, n := range file.Functions()[0].Nodes {
		order += map[string]string{"INCQ": "a", "DECQ": "b"}[n.(*ir.Instruction).Opcode]
	}
	return order
}

func TestWeave(t *testing.T) {
	for _, c := range []struct {
		first, second int
		want          string
	}{{0, 0, ""}, {2, 0, "aa"}, {0, 2, "bb"}, {3, 3, "ababab"}, {6, 2, "abaaabaa"}, {2, 5, "abbbabb"}} {
		if got := woven(c.first, c.second); got != c.want {
			t.Errorf("%d and %d: %q, want %q", c.first, c.second, got, c.want)
		}
	}
}

// Each piece keeps its own order, and what stands around them stays there.
func TestWeaveOrder(t *testing.T) {
	g := function("woven")
	g.MOVQ(operand.U32(9), reg.RAX)
	Weave(g, func() {
		for i := range 3 {
			g.MOVQ(operand.U32(i), reg.RBX)
		}
	}, func() {
		for i := range 5 {
			g.MOVQ(operand.U32(10+i), reg.RCX)
		}
	})
	g.MOVQ(operand.U32(9), reg.RAX)
	file, _ := g.Result()
	next := map[operand.Op][]operand.U32{reg.RAX: {9, 9}, reg.RBX: {0, 1, 2}, reg.RCX: {10, 11, 12, 13, 14}}
	nodes := file.Functions()[0].Nodes
	for _, n := range nodes {
		i := n.(*ir.Instruction)
		if to := i.Operands[1]; len(next[to]) == 0 || i.Operands[0] != operand.Op(next[to][0]) {
			t.Errorf("%v comes where %v is next", i.Operands, next[to])
		} else {
			next[to] = next[to][1:]
		}
	}
	if len(nodes) != 10 || nodes[0].(*ir.Instruction).Operands[1] != operand.Op(reg.RAX) || nodes[9].(*ir.Instruction).Operands[1] != operand.Op(reg.RAX) {
		t.Errorf("%d instructions, want 10 between those of RAX", len(nodes))
	}
}

func TestWeaveRefuses(t *testing.T) {
	for name, piece := range map[string]func(g *Generator){
		"label":                          func(g *Generator) { g.Label("here") },
		"branch":                         func(g *Generator) { g.JMP(operand.LabelRef("here")) },
		"return":                         func(g *Generator) { g.RET() },
		"register that the other reads":  func(g *Generator) { g.MOVQ(reg.RDX, reg.RAX) },
		"register that the other writes": func(g *Generator) { g.MOVQ(reg.RDX, reg.RBX) },
		"use of a register that the other writes":     func(g *Generator) { g.MOVQ(reg.RBX, reg.RDX) },
		"address in a register that the other writes": func(g *Generator) { g.MOVQ(operand.Mem{Base: reg.RBX}, reg.RDX) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("woven: a %s", name)
				}
			}()
			g := function("woven")
			Weave(g, func() { g.MOVQ(reg.RAX, reg.RBX) }, func() { piece(g) })
		}()
	}
}
