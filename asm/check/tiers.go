package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tiers holds the condition of each amd64 tier but portable, which has none: the
// features, by their names in kernels/cpu, that its row there tests. A kernel whose
// row tests something else than those of the same name has its own entry,
// KERNEL/TIER, and its routines name that.
var tiers = map[string][]string{
	"avx2":            {"avx2"},
	"chacha20/avx512": {"avx512f", "avx512bw", "avx512vl"},
	"sha256/avx2":     {"avx2", "bmi2"},
	"sha256/avx512":   {"avx512f", "avx512bw", "sha", "ssse3", "sse41", "avx"},
	"etm/avx512":      {"avx512f", "sha", "ssse3", "sse41", "avx"},
	"base64/avx512":   {"avx512f", "avx512bw", "avx512vbmi"},
	"shani":           {"sha", "ssse3", "sse41", "avx"},
	"adx":             {"adx", "bmi2", "avx2"},
	"ifma":            {"avx512f", "avx512vl", "avx512ifma", "adx", "bmi2", "avx2"},
}

// words are avo's names for the features that tiers test.
var words = map[string]string{
	"ssse3":      "SSSE3",
	"sse41":      "SSE4.1",
	"avx":        "AVX",
	"avx2":       "AVX2",
	"bmi2":       "BMI2",
	"adx":        "ADX",
	"sha":        "SHA",
	"avx512f":    "AVX512F",
	"avx512bw":   "AVX512BW",
	"avx512vl":   "AVX512VL",
	"avx512vbmi": "AVX512VBMI",
	"avx512ifma": "AVX512IFMA",
}

// implied lists what a processor with an instruction set has besides, by the
// detection rules of Intel's manual, volume 1, chapters 12, 14 and 15.
var implied = map[string][]string{
	"SSE3":       {"SSE2"},
	"SSSE3":      {"SSE3"},
	"SSE4.1":     {"SSSE3"},
	"SSE4.2":     {"SSE4.1"},
	"AVX":        {"SSE4.2"},
	"AVX2":       {"AVX"},
	"SHA":        {"SSE2"},
	"AVX512F":    {"AVX2"},
	"AVX512VL":   {"AVX512F"},
	"AVX512BW":   {"AVX512F"},
	"AVX512DQ":   {"AVX512F"},
	"AVX512IFMA": {"AVX512F"},
	"AVX512VBMI": {"AVX512F"},
}

// baseline is what every amd64 processor has. avo's MMX+ is the prefetches.
var baseline = []string{"CMOV", "CPUID", "MMX+", "SSE", "SSE2"}

// closure returns the instruction sets given, and all that they imply.
func (a *Arch) closure(sets []string) map[string]bool {
	all := make(map[string]bool)
	for todo := slices.Clone(sets); len(todo) > 0; {
		set := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !all[set] {
			all[set] = true
			todo = append(todo, a.implied[set]...)
		}
	}
	return all
}

// condition returns the instructions' names for what a tier tests. No tier at all is portable.
func (a *Arch) condition(tier string) ([]string, error) {
	if tier == "" {
		return nil, nil
	}
	features, ok := a.tiers[tier]
	if !ok {
		return nil, fmt.Errorf("no %s tier is named %q", a.name, tier)
	}
	var sets []string
	for _, f := range features {
		sets = append(sets, a.words[f])
	}
	return sets, nil
}

// needs returns the instruction sets that an instruction takes. avo does not see
// that vector registers 16 to 31 have encodings in AVX-512 only.
func needs(i *ir.Instruction) []string {
	sets := slices.Clone(i.ISA)
	for _, r := range i.Registers() {
		if r.Kind() == reg.KindVector && r.ID().Index() >= 16 {
			sets = append(sets, "AVX512F")
			if widest(i.Operands) < 64 {
				sets = append(sets, "AVX512VL")
			}
		}
	}
	slices.Sort(sets)
	return slices.Compact(sets)
}

// widest returns the size in bytes of the widest vector register among ops, 0 if
// there is none.
func widest(ops []operand.Op) int {
	w := 0
	for _, op := range ops {
		if r, ok := op.(reg.Register); ok && r.Kind() == reg.KindVector {
			w = max(w, int(r.Size()))
		}
	}
	return w
}

// instructionSets checks that the tier's condition covers what each instruction
// needs.
func (f *function) instructionSets() {
	sets, err := f.arch.condition(f.spec.Tier)
	if err != nil {
		f.fail(-1, "%v", err)
		return
	}
	has := f.arch.closure(append(sets, f.arch.baseline...))
	for n, i := range f.code {
		for _, set := range f.arch.needs(i) {
			if !has[set] {
				f.fail(n, "needs %s, which the condition of tier %q does not include", set, f.spec.Tier)
			}
		}
	}
}

// unused checks that some function of each tier needs each feature that the tier
// tests, itself or something that implies it. A tier that tests all that another
// one tests runs the functions of that one too.
func (a *Arch) unused(f *ir.File, specs map[string]Spec) []error {
	taken := make(map[string][]string)
	for _, fn := range f.Functions() {
		tier := specs[fn.Name].Tier
		for _, i := range fn.Instructions() {
			taken[tier] = append(taken[tier], a.needs(i)...)
		}
	}
	var errs []error
	for tier := range taken {
		var sets []string
		for other, more := range taken {
			if subset(a.tiers[other], a.tiers[tier]) {
				sets = append(sets, more...)
			}
		}
		used := a.closure(sets)
		for _, feature := range a.tiers[tier] {
			if !used[a.words[feature]] {
				errs = append(errs, fmt.Errorf("tier %q tests %s, and no instruction of its functions needs it", tier, feature))
			}
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errs
}

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}
