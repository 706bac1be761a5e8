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

// A gate is a line of gates.txt.
type gate struct {
	row, ours, peer string
	most            float64 // the ratio that is demanded
	recorded, noise float64 // zero when nothing was recorded
}

// The verdicts.
const (
	ok     = "ok"
	above  = "ABOVE"  // what is demanded
	slower = "SLOWER" // than recorded
)

// verdict judges a ratio; here tells that the recorded one is of this machine.
func (g *gate) verdict(ratio float64, here bool) string {
	switch {
	case ratio > g.most:
		return above
	case here && g.recorded > 0 && ratio > g.recorded+g.noise:
		return slower
	}
	return ok
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
	if len(fields) != 6 {
		return nil, fmt.Errorf("%d columns, not 6", len(fields))
	}
	g := &gate{row: fields[0], ours: fields[1], peer: fields[2]}
	for i, v := range []*float64{&g.most, &g.recorded, &g.noise} {
		field := fields[3+i]
		if i > 0 && field == "-" {
			continue
		}
		n, err := strconv.ParseFloat(field, 64)
		if err != nil || !(n > 0) || math.IsInf(n, 0) {
			return nil, fmt.Errorf("%q is not a number above 0", field)
		}
		*v = n
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

// inC tells that the peer is there in a binary with the peers in C only.
func (g *gate) inC() bool {
	return slices.Contains([]string{"libsecp256k1", "openssl", "sodium"}, g.peer)
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

// bounds tells of each gate that what is demanded lies within the noise of what was
// recorded, so that it may fail for no reason.
func (f *file) bounds() (lines []string) {
	for _, g := range f.gates {
		if g.recorded+g.noise > g.most {
			lines = append(lines, fmt.Sprintf("%s, %s beside %s: %.2f at most is asked, %s was measured with a noise of %s", g.row, g.ours, g.peer, g.most, number(g.recorded), number(g.noise)))
		}
	}
	return lines
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
		fmt.Fprintf(&b, "%-29s  %-10s  %-12s  %-7.2f  %-8s  %s\n", g.row, g.ours, g.peer, g.most, number(g.recorded), number(g.noise))
	}
	return b.String()
}

func number(v float64) string {
	if v == 0 {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}
