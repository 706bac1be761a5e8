package main

import (
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// A summary tells what a run over many lines did, see CLI.md.
type summary struct {
	Lines   int64             `json:"lines"`
	Opened  int64             `json:"opened"`
	Refused map[string]int64  `json:"refused"`
	Seconds float64           `json:"seconds"`
	Rate    float64           `json:"lines_per_second"`
	Jobs    int               `json:"jobs"`
	Kernels map[string]string `json:"kernels"`
}

func summarise(m *emitter, took time.Duration) *summary {
	s := &summary{Lines: m.lines, Opened: m.opened, Refused: m.refused, Jobs: runtime.GOMAXPROCS(0), Kernels: selectedTiers()}
	seconds := took.Seconds()
	s.Seconds = math.Round(seconds*1000) / 1000
	if seconds > 0 {
		s.Rate = math.Round(float64(m.lines)/seconds*10) / 10
	}
	return s
}

// selectedTiers maps each kernel to its tier in use.
func selectedTiers() map[string]string {
	info, _ := cpu.Report() // unknown words have been told of
	tiers := make(map[string]string)
	for _, k := range info.Kernels {
		tiers[k.Name] = selectedTier(k)
	}
	return tiers
}

func (s *summary) appendJSON(dst []byte) []byte {
	return appendJSONLine(dst, map[string]*summary{"summary": s})
}

func (s *summary) appendText(dst []byte) []byte {
	dst = fmt.Appendf(dst, "\nopened   %d of %d\n", s.Opened, s.Lines)
	var parts []string
	for _, class := range slices.Sorted(maps.Keys(s.Refused)) {
		parts = append(parts, fmt.Sprintf("%d %s", s.Refused[class], strings.ReplaceAll(class, "_", " ")))
	}
	dst = fmt.Appendf(dst, "refused  %d", s.Lines-s.Opened)
	if parts != nil {
		dst = fmt.Appendf(dst, ": %s", strings.Join(parts, ", "))
	}
	dst = fmt.Appendf(dst, "\nrate     %.0f lines/s (%.3f s, %d processors)\nkernels ", s.Rate, s.Seconds, s.Jobs)
	for _, name := range slices.Sorted(maps.Keys(s.Kernels)) {
		dst = fmt.Appendf(dst, " %s/%s", name, s.Kernels[name])
	}
	return append(dst, '\n')
}
