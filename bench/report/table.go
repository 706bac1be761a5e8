package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// notMeasured stands where the files have nothing.
const notMeasured = "not measured"

// table is a table of the report, as Markdown that a terminal shows well too.
type table struct {
	title   string
	notes   []string // sentences below it
	header  []string
	left    int // so many columns are text, the others numbers
	lines   [][]string
	sources []*file
	bare    bool // names no files below
}

func (t *table) add(cells ...string) { t.lines = append(t.lines, cells) }

// compact leaves out columns that have nothing, or no number but 0, in any line.
func (t *table) compact() {
	for i := len(t.header) - 1; i >= t.left; i-- {
		if slices.ContainsFunc(t.lines, func(cells []string) bool {
			return !slices.Contains([]string{"", "0", notMeasured}, cells[i])
		}) {
			continue
		}
		t.header = slices.Delete(t.header, i, i+1)
		for j, cells := range t.lines {
			t.lines[j] = slices.Delete(cells, i, i+1)
		}
	}
}

// text returns the table in Markdown. What it was made of is named below it.
func (t *table) text() string {
	width := make([]int, len(t.header))
	for _, cells := range append([][]string{t.header}, t.lines...) {
		for i, cell := range cells {
			width[i] = max(width[i], utf8.RuneCountInString(cell), 3)
		}
	}
	var b strings.Builder
	write := func(cells []string) {
		for i, cell := range cells {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i < t.left {
				b.WriteString("| " + cell + pad + " ")
			} else {
				b.WriteString("| " + pad + cell + " ")
			}
		}
		b.WriteString("|\n")
	}
	if t.title != "" {
		b.WriteString("### " + t.title + "\n\n")
	}
	write(t.header)
	rule := make([]string, len(t.header))
	for i := range rule {
		rule[i] = strings.Repeat("-", width[i])
		if i >= t.left {
			rule[i] = strings.Repeat("-", width[i]-1) + ":"
		}
	}
	write(rule)
	for _, cells := range t.lines {
		write(cells)
	}
	b.WriteString("\n")
	for _, note := range t.notes {
		b.WriteString(note + "\n")
	}
	if t.bare {
		return strings.TrimRight(b.String(), "\n") + "\n\n"
	}
	b.WriteString(cite(t.sources) + "\n\n")
	return b.String()
}

// cite names files. The commands that made them stand at the head of the report.
func cite(files []*file) string {
	if len(files) == 0 {
		return "No file has any of it."
	}
	return "From " + quoted(files) + "."
}

func quoted(files []*file) string {
	var names []string
	for _, f := range files {
		names = append(names, "`"+filepath.Base(f.name)+"`")
	}
	return strings.Join(names, ", ")
}

// nanoseconds formats a time given in seconds, with a comma between thousands.
func nanoseconds(sec float64, ok bool) string {
	ns := sec * 1e9
	switch {
	case !ok:
		return notMeasured
	case math.Abs(ns) < 100:
		return strconv.FormatFloat(ns, 'f', 1, 64)
	}
	return thousands(ns)
}

func thousands(v float64) string {
	digits := strconv.FormatFloat(v, 'f', 0, 64)
	first := 0
	if v < 0 {
		first = 1
	}
	for i := len(digits) - 3; i > first; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// count formats a number of allocations or bytes.
func count(v float64, ok bool) string {
	if !ok {
		return notMeasured
	}
	return thousands(v)
}

// delta formats how far ours is from theirs, in percent of theirs.
func delta(ours float64, ok bool, theirs float64, okTheirs bool) string {
	if !ok || !okTheirs || theirs == 0 {
		return notMeasured
	}
	return fmt.Sprintf("%+.1f %%", (ours-theirs)/theirs*100)
}

// ratio formats ours as a part of theirs.
func ratio(ours float64, ok bool, theirs float64, okTheirs bool) string {
	if !ok || !okTheirs || theirs == 0 {
		return notMeasured
	}
	return strconv.FormatFloat(ours/theirs, 'f', 3, 64)
}

// share formats a part of a whole in percent.
func share(part, whole float64) string { return fmt.Sprintf("%.1f %%", part/whole*100) }
