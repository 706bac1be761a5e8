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
}

func (t *table) add(cells ...string) { t.lines = append(t.lines, cells) }

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
	b.WriteString(cite(t.sources) + "\n\n")
	return b.String()
}

// cite names files and the commands that made them.
func cite(files []*file) string {
	if len(files) == 0 {
		return "No file has any of it."
	}
	var commands, names []string
	for _, f := range files {
		names = append(names, "`"+filepath.Base(f.name)+"`")
		command := "a command that the file does not name"
		if c := f.config["command"]; c != "" {
			command = "`" + c + "`"
		}
		if !slices.Contains(commands, command) {
			commands = append(commands, command)
		}
	}
	return "From " + strings.Join(names, ", ") + ", made by " + strings.Join(commands, " and by ") + "."
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
