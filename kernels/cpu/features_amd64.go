package cpu

import "golang.org/x/sys/cpu"

// features returns what tiers of this architecture need.
func features() []Feature {
	return append(cpuidFeatures(), []Feature{
		{"ssse3", cpu.X86.HasSSSE3},
		{"sse41", cpu.X86.HasSSE41},
		{"avx", cpu.X86.HasAVX},
		{"avx2", cpu.X86.HasAVX2},
		{"bmi2", cpu.X86.HasBMI2},
		{"adx", cpu.X86.HasADX},
		{"avx512f", cpu.X86.HasAVX512F},
		{"avx512bw", cpu.X86.HasAVX512BW},
		{"avx512vl", cpu.X86.HasAVX512VL},
		{"avx512vbmi", cpu.X86.HasAVX512VBMI},
		{"avx512ifma", cpu.X86.HasAVX512IFMA},
	}...)
}
