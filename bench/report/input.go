package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat"

	"github.com/sealwright/sealwright/bench/internal/measure"
)

// Units as benchfmt tidies them.
const (
	seconds = "sec/op"
	allocs  = "allocs/op"
	size    = "B/op"
	speed   = "B/s"
)

// key names what was measured: a row, by an implementation, on so many
// processors.
type key struct {
	row, impl string
	cpus      int
}

// one is the key on one processor, as most tables want it.
func one(row, impl string) key { return key{row, impl, 1} }

// file is one benchmark file, which is one invocation.
type file struct {
	name   string
	config map[string]string
	values map[key]map[string][]float64 // by unit
}

// command is what made the file.
func (f *file) command() string {
	if c := f.config["command"]; c != "" {
		return "`" + c + "`"
	}
	return "a command that the file does not name"
}

// input is what the files hold.
type input struct {
	files []*file
	keys  []key           // in the order of appearance
	ours  map[string]bool // the implementations that are Sealwright, whichever tier
	used  map[*file]bool  // since the last call of sources
}

// readFiles reads benchmark files. Files of different machines are an error.
func readFiles(names []string) (*input, error) {
	in := newInput()
	var before []os.FileInfo
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if slices.ContainsFunc(before, func(b os.FileInfo) bool { return os.SameFile(b, info) }) {
			err = fmt.Errorf("%s is given twice", name)
		}
		if err == nil {
			err = in.read(name, f)
		}
		before = append(before, info)
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	return in, in.check()
}

func newInput() *input {
	return &input{ours: map[string]bool{"sealwright": true, "portable": true}, used: make(map[*file]bool)}
}

func (in *input) read(name string, r io.Reader) error {
	f := &file{name, make(map[string]string), make(map[key]map[string][]float64)}
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return fmt.Errorf("%s: cut off: its last line has no end", name)
	}
	br := benchfmt.NewReader(bytes.NewReader(text), name)
	for br.Scan() {
		switch r := br.Result().(type) {
		case *benchfmt.SyntaxError:
			return r
		case *benchfmt.Result:
			if err := in.add(f, r); err != nil {
				return err
			}
		}
	}
	if err := br.Err(); err != nil {
		return err
	}
	if len(f.values) == 0 {
		return fmt.Errorf("%s: no results", name)
	}
	for _, tiers := range strings.Fields(f.config["tiers"]) {
		_, names, _ := strings.Cut(tiers, "=")
		for tier := range strings.SplitSeq(names, ",") {
			in.ours[tier] = true
		}
	}
	in.files = append(in.files, f)
	return nil
}

func (in *input) add(f *file, r *benchfmt.Result) error {
	for _, c := range r.Config {
		if c.File {
			f.config[c.Key] = string(c.Value)
		}
	}
	row, impl, cpus, ok := measure.Split(r.Name)
	if !ok {
		name, line := r.Pos()
		return fmt.Errorf("%s:%d: %s names no implementation (impl=)", name, line, r.Name)
	}
	k := key{row, impl, cpus}
	if f.values[k] == nil {
		f.values[k] = make(map[string][]float64)
		if !slices.Contains(in.keys, k) {
			in.keys = append(in.keys, k)
		}
	}
	for _, v := range r.Values {
		if !(v.Value >= 0) || math.IsInf(v.Value, 0) {
			name, line := r.Pos()
			return fmt.Errorf("%s:%d: %s: %v %s", name, line, r.Name, v.Value, v.Unit)
		}
		f.values[k][v.Unit] = append(f.values[k][v.Unit], v.Value)
	}
	return nil
}

// check refuses files of different machines: the ratio of two machines says
// nothing about code.
func (in *input) check() error {
	for _, name := range []string{"goos", "goarch", "cpu", "model", "features", "processors"} {
		first := ""
		for _, f := range in.files {
			switch v := f.config[name]; {
			case v == "":
			case first == "":
				first = v
			case v != first:
				return fmt.Errorf("%s: %s is %q, elsewhere %q: one report is of one machine", f.name, name, v, first)
			}
		}
	}
	return nil
}

// differences tells in which of some configuration lines the files differ.
func (in *input) differences() (lines []string) {
	for _, name := range []string{"commit", "tiers", "selected", "restriction", "go"} {
		values := make(map[string]bool)
		for _, f := range in.files {
			if v := f.config[name]; v != "" {
				values[v] = true
			}
		}
		if len(values) > 1 {
			lines = append(lines, fmt.Sprintf("%s: %s", name, strings.Join(slices.Sorted(maps.Keys(values)), "; ")))
		}
	}
	return lines
}

// series are the files that one command made, for each command.
func (in *input) series() (all [][]*file) {
	for _, f := range in.files {
		i := slices.IndexFunc(all, func(s []*file) bool { return s[0].command() == f.command() })
		if i < 0 {
			i = len(all)
			all = append(all, nil)
		}
		all[i] = append(all[i], f)
	}
	return all
}

// gaps tells of files that lack results: one command takes as many samples of
// everything that it measures, in each of its files. What was cut off has fewer.
func (in *input) gaps() (lines []string) {
	for _, series := range in.series() {
		most := 0
		for _, f := range series {
			for _, values := range f.values {
				most = max(most, len(values[seconds]))
			}
		}
		for _, f := range series {
			lacking, first := 0, ""
			for _, k := range in.keys {
				if !slices.ContainsFunc(series, func(f *file) bool { return f.values[k] != nil }) {
					continue
				}
				if n := len(f.values[k][seconds]); n < most {
					if lacking == 0 {
						first = fmt.Sprintf("%d of %d samples of %s by %s", n, most, k.row, k.impl)
					}
					lacking++
				}
			}
			if lacking > 0 {
				line := fmt.Sprintf("%s lacks results: %s", filepath.Base(f.name), first)
				if lacking > 1 {
					line += fmt.Sprintf(", and fewer than %d of %d more", most, lacking-1)
				}
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// apart tells whether an implementation was measured in other files than
// Sealwright, which is at another time.
func (in *input) apart(impl string) bool {
	has := func(f *file, impl string) bool {
		for k := range f.values {
			if k.impl == impl {
				return true
			}
		}
		return false
	}
	anywhere, beside, ours := false, false, false
	for _, f := range in.files {
		theirs := has(f, impl)
		anywhere = anywhere || theirs
		ours = ours || has(f, "sealwright")
		beside = beside || theirs && has(f, "sealwright")
	}
	return anywhere && ours && !beside
}

// least is the smallest number of samples that a file has of a key, 0 without any.
func (in *input) least(k key) (n int) {
	for _, f := range in.files {
		if m := len(f.values[k][seconds]); m > 0 && (n == 0 || m < n) {
			n = m
		}
	}
	return n
}

// value is the first value that the files have for a configuration line.
func (in *input) value(name string) string {
	for _, f := range in.files {
		if v := f.config[name]; v != "" {
			return v
		}
	}
	return notMeasured
}

// optional is value between two texts, or nothing.
func (in *input) optional(before, name, after string) string {
	if v := in.value(name); v != notMeasured {
		return before + v + after
	}
	return ""
}

// median is the median of the medians of the files that have the key.
func (in *input) median(k key, unit string) (v float64, ok bool) {
	return in.overFiles(k, unit, median)
}

// p95 is the median of the files' 95th percentiles.
func (in *input) p95(k key, unit string) (v float64, ok bool) { return in.overFiles(k, unit, p95) }

func (in *input) overFiles(k key, unit string, of func([]float64) float64) (v float64, ok bool) {
	var each []float64
	for _, f := range in.files {
		if values := f.values[k][unit]; values != nil {
			each = append(each, of(values))
			in.used[f] = true
		}
	}
	if each == nil {
		return 0, false
	}
	return median(each), true
}

// sample is all that the files have for a key, nil for nothing.
func (in *input) sample(k key, unit string) *benchmath.Sample {
	var all []float64
	for _, f := range in.files {
		if values := f.values[k][unit]; values != nil {
			all = append(all, values...)
			in.used[f] = true
		}
	}
	if all == nil {
		return nil
	}
	return benchmath.NewSample(all, &benchmath.DefaultThresholds)
}

func median(values []float64) float64 {
	s := benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	return benchmath.AssumeNothing.Summary(s, 0.95).Center
}

// p95 is the smallest value that at least 95 in 100 of the values do not exceed.
func p95(values []float64) float64 {
	return stat.Quantile(0.95, stat.Empirical, slices.Sorted(slices.Values(values)), nil)
}

// peers are the implementations that are not ours, in the order of appearance.
func (in *input) peers() (names []string) {
	for _, k := range in.keys {
		if !in.ours[k.impl] && !slices.Contains(names, k.impl) {
			names = append(names, k.impl)
		}
	}
	return names
}

// processors are the numbers of processors that a row was done on, in the order of
// appearance.
func (in *input) processors(row string) (numbers []int) {
	for _, k := range in.keys {
		if k.row == row && !slices.Contains(numbers, k.cpus) {
			numbers = append(numbers, k.cpus)
		}
	}
	return numbers
}

// impls are the implementations that did a row on so many processors, in the order of
// appearance.
func (in *input) impls(row string, cpus int) (names []string) {
	for _, k := range in.keys {
		if k.row == row && k.cpus == cpus {
			names = append(names, k.impl)
		}
	}
	return names
}

// fastestPeer is the peer with the smallest median time for a row, "" without one.
func (in *input) fastestPeer(row string, cpus int) (name string) {
	least := 0.0
	for _, impl := range in.impls(row, cpus) {
		if in.ours[impl] {
			continue
		}
		if v, ok := in.median(key{row, impl, cpus}, seconds); ok && (name == "" || v < least) {
			name, least = impl, v
		}
	}
	return name
}

// rows are the names of the rows that keep says yes to, in the order of
// appearance.
func (in *input) rows(keep func(row string) bool) (rows []string) {
	for _, k := range in.keys {
		if keep(k.row) && !slices.Contains(rows, k.row) {
			rows = append(rows, k.row)
		}
	}
	return rows
}

// sources are the files that were used since the last call.
func (in *input) sources() (files []*file) {
	for _, f := range in.files {
		if in.used[f] {
			files = append(files, f)
		}
	}
	clear(in.used)
	return files
}
