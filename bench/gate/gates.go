package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// A gate is a line of gates.txt. What stands there as - is zero here.
type gate struct {
	row, ours, peer string
	most, wide      float64 // the ratios that are demanded of any machine, and of one with AVX-512
	asked           float64 // what is asked where less is demanded: told, not judged
	recorded, noise float64
}

// The verdicts. The first and the last let a row pass.
const (
	ok     = "ok"
	above  = "ABOVE"               // what is demanded
	slower = "SLOWER"              // than recorded
	asked  = "ABOVE WHAT IS ASKED" // and not demanded here
)

// verdict judges a ratio; here tells that the recorded one is of this machine, avx512
// that it has what the column of that name asks for.
func (g *gate) verdict(ratio float64, here, avx512 bool) string {
	aboveWide := g.wide > 0 && ratio > g.wide
	switch {
	case g.most > 0 && ratio > g.most || aboveWide && avx512:
		return above
	case here && g.recorded > 0 && ratio > g.recorded+g.noise:
		return slower
	case aboveWide, g.asked > 0 && ratio > g.asked:
		return asked
	}
	return ok
}

// hasAVX512 reports whether every tier of that name runs here.
func hasAVX512() bool {
	info, _ := cpu.Report() // the error is about words of SEALWRIGHT_CPU, which take refuses
	found := false
	for _, k := range info.Kernels {
		for _, t := range k.Tiers {
			if t.Name == "avx512" {
				if !t.Available {
					return false
				}
				found = true
			}
		}
	}
	return found
}

// file is gates.txt: its gates, and the lines before, which are kept.
type file struct {
	comment []string
	machine string // that the ratios were recorded on
	gates   []*gate
}

const machineLine = "# recorded on: "

func parse(text string) (*file, error) {
	f := new(file)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			if len(f.gates) > 0 {
				return nil, errors.New("a comment behind the first row")
			}
			if machine, found := strings.CutPrefix(line, machineLine); found {
				f.machine = machine
			}
			f.comment = append(f.comment, line)
			continue
		}
		g, err := parseGate(line)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		f.gates = append(f.gates, g)
	}
	if f.machine == "" {
		return nil, fmt.Errorf("no line %q", machineLine)
	}
	if f.gates == nil {
		return nil, errors.New("no rows")
	}
	return f, nil
}

func parseGate(line string) (*gate, error) {
	fields := strings.Fields(line)
	if len(fields) != 8 {
		return nil, fmt.Errorf("%d columns, not 8", len(fields))
	}
	g := &gate{row: fields[0], ours: fields[1], peer: fields[2]}
	for i, v := range []*float64{&g.most, &g.wide, &g.asked, &g.recorded, &g.noise} {
		field := fields[3+i]
		if field == "-" {
			continue
		}
		n, err := strconv.ParseFloat(field, 64)
		if err != nil || !(n > 0) || math.IsInf(n, 0) {
			return nil, fmt.Errorf("%q is not a number above 0", field)
		}
		*v = n
	}
	if g.most == 0 && g.wide == 0 {
		return nil, errors.New("nothing is demanded")
	}
	if (g.recorded == 0) != (g.noise == 0) {
		return nil, errors.New("recorded and noise go together")
	}
	return g, nil
}

// lacked tells that ours is a tier that exists and is not among those of a machine,
// given as benchmark files have them: kernel=best,…,portable.
func (g *gate) lacked(tiers string) bool {
	words := strings.FieldsFunc(tiers, func(r rune) bool { return strings.ContainsRune(" =,", r) })
	return slices.Contains(cpu.TierNames(), g.ours) && !slices.Contains(words, g.ours)
}

// peers are the benchmarks of the peers that a binary with those in C (withC), or
// without, has: row and implementation. There may be none.
func (g *gate) peers(withC bool) (all [][2]string) {
	for peer := range strings.SplitSeq(g.peer, ",") {
		row, impl, other := strings.Cut(peer, "/impl=")
		if !other {
			row, impl = g.row, peer
		}
		if withC || !slices.Contains([]string{"libsecp256k1", "openssl", "sodium"}, impl) {
			all = append(all, [2]string{row, impl})
		}
	}
	return all
}

// loudest is the noise in a ratio with which it is worth recording.
const loudest = 0.5

// record sets what was recorded: runs has the ratios of all gates for each run, 0
// for one that was not measured. What is too noisy is an error.
func (f *file) record(machine string, runs [][]float64) error {
	f.machine = machine
	for i, g := range f.gates {
		var ratios []float64
		for _, run := range runs {
			ratios = append(ratios, run[i])
		}
		s := summary(ratios)
		least, most := ratios[0], ratios[0]
		for _, r := range ratios {
			least, most = min(least, r), max(most, r)
		}
		if most == 0 {
			g.recorded, g.noise = 0, 0
			continue
		}
		// What prints as zero would read as not recorded.
		g.recorded, g.noise = s.Center, max(2*(most-least), 0.0001)
		if g.noise > loudest*g.recorded {
			return fmt.Errorf("%s, %s beside %s: the ratios of the runs lie between %.4f and %.4f: this machine is too busy to record them, and nothing is changed", g.row, g.ours, g.peer, least, most)
		}
	}
	return nil
}

// bounds tells of each gate that what is demanded of this machine lies within the
// noise of what was recorded, so that it may fail for no reason.
func (f *file) bounds(avx512 bool) (lines []string) {
	for _, g := range f.gates {
		if v := g.verdict(g.recorded+g.noise, false, avx512); v == above {
			lines = append(lines, fmt.Sprintf("%s, %s beside %s: %s is the bound, %s was measured with a noise of %s", g.row, g.ours, g.peer, g.demand(), number(g.recorded), number(g.noise)))
		}
	}
	return lines
}

// demand tells what is demanded, and what is asked beyond that.
func (g *gate) demand() string {
	var all []string
	if g.most > 0 {
		all = append(all, bound(g.most))
	}
	if g.wide > 0 {
		all = append(all, bound(g.wide)+" of AVX-512")
	}
	if g.asked > 0 {
		all = append(all, bound(g.asked)+" asked")
	}
	return strings.Join(all, ", ")
}

// text returns the file's text.
func (f *file) text() string {
	var b strings.Builder
	for _, line := range f.comment {
		if strings.HasPrefix(line, machineLine) {
			line = machineLine + f.machine
		}
		b.WriteString(line + "\n")
	}
	for _, g := range f.gates {
		fmt.Fprintf(&b, "%-37s  %-10s  %-27s  %-7s  %-6s  %-5s  %-8s  %s\n", g.row, g.ours, g.peer, bound(g.most), bound(g.wide), bound(g.asked), number(g.recorded), number(g.noise))
	}
	return b.String()
}

func bound(v float64) string  { return digits(v, 2) }
func number(v float64) string { return digits(v, 4) }

func digits(v float64, n int) string {
	if v == 0 {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', n, 64)
}
