// Package cpu builds the one instruction that kernels/cpu cannot say in Go.
package cpu

import (
	"github.com/mmcloughlin/avo/reg"

	"github.com/sealwright/sealwright/asm/check"
	"github.com/sealwright/sealwright/asm/emit"
)

// AMD64 builds the functions of kernels/cpu.
func AMD64(g *emit.Generator) {
	g.Func("cpuid", "func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)", check.Spec{}, `
cpuid executes CPUID. The processor has no tier to speak of yet, so it needs
nothing.`)
	g.Load(g.Param("leaf"), reg.EAX)
	g.Load(g.Param("subleaf"), reg.ECX)
	g.CPUID()
	g.Store(reg.EAX, g.Return("eax"))
	g.Store(reg.EBX, g.Return("ebx"))
	g.Store(reg.ECX, g.Return("ecx"))
	g.Store(reg.EDX, g.Return("edx"))
	g.RET()
}
