// Package measure builds and runs the benchmarks of this module for the programs
// that judge them.
package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/term"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// Build compiles the benchmarks in the folder dir, with build tags (separated by
// commas, or none), into the file binary.
func Build(ctx context.Context, dir, binary, tags string) error {
	args := []string{"test", "-c", "-o", binary}
	if tags != "" { // none given leaves those of GOFLAGS
		args = append(args, "-tags", tags)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = dir
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the benchmarks in %s: %w\n%s", dir, errors.Join(err, ctx.Err()), output)
	}
	return nil
}

// Process is one process of a test binary, in which every benchmark runs once.
type Process struct {
	Binary    string
	Dir       string // working folder
	Pattern   string // of the benchmarks, as go test -bench takes it
	Benchtime time.Duration
	CPUs      int    // GOMAXPROCS
	Header    string // configuration lines that the results get besides those that are printed
}

// Run runs the process and calls each with one result after another, which each
// may keep. A benchmark that fails is an error, with what the process printed.
func (p *Process) Run(ctx context.Context, each func(*benchfmt.Result) error) error {
	cmd := exec.CommandContext(ctx, p.Binary, "-test.run=^$", "-test.bench="+p.Pattern,
		"-test.benchtime="+p.Benchtime.String(), "-test.cpu="+strconv.Itoa(p.CPUs), "-test.timeout=0")
	cmd.Dir = p.Dir
	var printed bytes.Buffer
	cmd.Stderr = &printed
	all, err := Read(cmd, p.Header, p.Pattern, func(r benchfmt.Record) error {
		if result, ok := r.(*benchfmt.Result); ok {
			return each(result.Clone())
		}
		return nil // what a benchmark that fails says is told below
	})
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		err = fmt.Errorf("running the benchmarks: %w\n%s%s", err, all, printed.Bytes())
	}
	return err
}

// Read runs a command made with a context and calls each with one record after
// another of what it prints, behind the configuration lines of header; name is that
// of the records' source. An error of each ends the command and is returned; otherwise
// the error is that of reading or of the command. all is what was printed.
func Read(cmd *exec.Cmd, header, name string, each func(benchfmt.Record) error) (all []byte, err error) {
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var printed bytes.Buffer
	r := benchfmt.NewReader(io.MultiReader(strings.NewReader(header), io.TeeReader(stdout, &printed)), name)
	for err == nil && r.Scan() {
		err = each(r.Result())
	}
	if err != nil {
		cmd.Cancel() // fails for a command that has ended
	}
	if waitErr := cmd.Wait(); err == nil {
		err = errors.Join(r.Err(), waitErr)
	}
	return printed.Bytes(), err
}

// Pattern is the pattern of one row, given by its name without impl, for some
// implementations. Patterns of several rows are joined with |.
func Pattern(row string, impls ...string) string {
	// Every part of a pattern stands for one part of a name.
	pattern := "^Benchmark" + strings.ReplaceAll(regexp.QuoteMeta(row), "/", "$/^")
	return pattern + "$/^impl=(" + strings.ReplaceAll(regexp.QuoteMeta(strings.Join(impls, " ")), " ", "|") + ")$"
}

// Split takes the name of a result apart: the row, the implementation, and
// GOMAXPROCS, which names leave out when it is 1. ok is false for a name without
// an implementation.
func Split(name benchfmt.Name) (row, impl string, cpus int, ok bool) {
	base, parts := name.Parts()
	row, cpus = string(base), 1
	for _, part := range parts {
		s := string(part)
		if v, found := strings.CutPrefix(s, "/impl="); found {
			impl, ok = v, true
		} else if n, err := strconv.Atoi(strings.TrimPrefix(s, "-")); err == nil && s[0] == '-' {
			cpus = n
		} else {
			row += s
		}
	}
	return row, impl, cpus, ok
}

// Machine describes this machine in configuration lines of a benchmark file: the
// features of the processor that kernels ask for; how many processors there are;
// and what tells their model where the name that benchmarks print (cpu) does not,
// as under hypervisors.
func Machine() string {
	info, _ := cpu.Report() // the error is about words of SEALWRIGHT_CPU
	var present []string
	for _, feature := range info.Features {
		if feature.Present {
			present = append(present, feature.Name)
		}
	}
	cpuinfo, _ := os.ReadFile("/proc/cpuinfo") // there is none but on Linux
	lines := fmt.Sprintf("features: %s\nprocessors: %d\n", strings.Join(present, " "), runtime.NumCPU())
	if model := modelOf(string(cpuinfo)); model != "" {
		lines += "model: " + model + "\n"
	}
	return lines
}

// modelOf gathers what tells the model of a processor, of the first in the text of
// /proc/cpuinfo.
func modelOf(cpuinfo string) string {
	var found []string
	first, _, _ := strings.Cut(cpuinfo, "\n\n")
	for line := range strings.Lines(first) {
		name, value, _ := strings.Cut(line, ":")
		switch name = strings.TrimSpace(name); name {
		case "cpu family", "model", "stepping", "CPU implementer", "CPU part", "CPU variant", "CPU revision":
			found = append(found, name+" "+strings.TrimSpace(value))
		}
	}
	return strings.Join(found, ", ")
}

// Progress shows a line that the next one replaces, if somebody looks on. An
// empty line removes the last.
func Progress(format string, args ...any) {
	if term.IsTerminal(int(os.Stderr.Fd())) {
		fmt.Fprintf(os.Stderr, "\r\x1b[K"+format, args...)
	}
}
