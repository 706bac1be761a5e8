package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/sealwright/sealwright/bench/internal/measure"
)

// plan is how much to measure.
type plan struct {
	invocations, samples int
	benchtime            time.Duration
	builds               []build
}

// build is a test binary, and the patterns of what is run of it: on one processor,
// and on all ("" for nothing).
type build struct{ tags, pattern, batches string }

// batches is the pattern of an implementation in the rows of batches.
func batches(impl string) string { return "^Benchmark(VerifyAll|UnwrapAll)$/./^impl=" + impl + "$" }

var plans = map[string]plan{
	"quick":    {1, 10, 10 * time.Millisecond, []build{{"", auditPattern("sealwright", released), ""}}},
	"standard": {3, 10, 5 * time.Millisecond, []build{{"", ".", batches("(sealwright|gonostr)")}}},
	"full":     {3, 30, 5 * time.Millisecond, []build{{"", ".", batches("(sealwright|gonostr)")}}},
}

// everyRow is the pattern of an implementation in every row: the parts of a name
// and those of a pattern have to be as many.
func everyRow(impl string) string {
	impl = "^impl=" + impl + "$"
	return "./" + impl + "|././" + impl + "|./././" + impl
}

func runCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := newFlags(stderr, "run [flags] quick|standard|full", `Runs the benchmarks and prints the audit's table beside go-nostr.

quick     the audit's rows, Sealwright and go-nostr: 10 samples, a minute
standard  every row and implementation: 3 invocations of 10 samples, minutes
full      the same with 30 samples, half an hour`)
	out := f.String("out", "", "keep the benchmark files in `DIR` as go-1.txt, go-2.txt, …, in place of those there, once all are complete")
	tags := f.String("tags", "", "build with these `tags`; cpeers adds the peers in C")
	also := f.String("also", "", "build a second time, as `TAGS=IMPL` says, and run IMPL of it: libsecp256k1=gonostr-libsecp")
	invocations := f.Int("invocations", 0, "other than the plan's")
	samples := f.Int("samples", 0, "other than the plan's")
	benchtime := f.Duration("benchtime", 0, "for each sample of each implementation, other than the plan's")
	if err := f.parse(args); err != nil {
		return err
	}
	if f.NArg() != 1 {
		return f.wrong("one plan is needed, %d given", f.NArg())
	}
	p, ok := plans[f.Arg(0)]
	if !ok {
		return f.wrong("no plan %q", f.Arg(0))
	}
	if *invocations < 0 || *samples < 0 || *benchtime < 0 {
		return f.wrong("a number below 0")
	}
	for _, n := range []struct{ of, with *int }{{&p.invocations, invocations}, {&p.samples, samples}} {
		if *n.with > 0 {
			*n.of = *n.with
		}
	}
	if *benchtime > 0 {
		p.benchtime = *benchtime
	}
	p.builds = slices.Clone(p.builds)
	p.builds[0].tags = *tags
	if *also != "" {
		tags, impl, ok := strings.Cut(*also, "=")
		if !ok {
			return f.wrong("-also %q is not TAGS=IMPL", *also)
		}
		p.builds = append(p.builds, build{tags, everyRow(impl), batches(impl)})
	}

	temp, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	dir := *out
	if dir == "" {
		dir = temp
	}
	names, err := run(ctx, p, ".", temp, dir, header(".", "go run ./report run "+strings.Join(args, " ")))
	if err != nil {
		return err
	}
	in, err := readFiles(names)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(stdout, machine(in)+"\n\n"+auditTable(in, auditRows, released).text()); err != nil {
		return err
	}
	if *out != "" {
		fmt.Fprintf(stderr, "written: %s\n", strings.Join(names, ", "))
	}
	return nil
}

// run measures the benchmarks in the folder bench, builds in the folder temp, and
// writes one benchmark file for each invocation to the folder out.
func run(ctx context.Context, p plan, bench, temp, out, header string) (names []string, err error) {
	processes, err := buildAll(ctx, p, bench, temp, header)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	return replace(out, "go", p.invocations, func(i int, w *benchfmt.Writer) error {
		return invocation(ctx, p, i, processes, w, start)
	})
}

// replace has write make the files NAME-1.txt to NAME-N.txt, and puts them into
// the folder dir when all are complete. Those of an earlier run then go, so that
// they are not taken for more invocations of this one.
func replace(dir, name string, n int, write func(i int, w *benchfmt.Writer) error) (names []string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	part, err := os.MkdirTemp(dir, ".part-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(part)
	for i := range n {
		f, err := os.Create(filepath.Join(part, fmt.Sprintf("%s-%d.txt", name, i+1)))
		if err != nil {
			return nil, err
		}
		err = write(i, benchfmt.NewWriter(f))
		measure.Progress("")
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	old, err := filepath.Glob(filepath.Join(dir, name+"-*.txt"))
	if err != nil {
		return nil, err
	}
	for _, f := range old {
		if err := os.Remove(f); err != nil {
			return nil, err
		}
	}
	for i := range n {
		f := fmt.Sprintf("%s-%d.txt", name, i+1)
		if err := os.Rename(filepath.Join(part, f), filepath.Join(dir, f)); err != nil {
			return nil, err
		}
		names = append(names, filepath.Join(dir, f))
	}
	return names, nil
}

// buildAll makes the processes of one sample.
func buildAll(ctx context.Context, p plan, bench, temp, header string) (processes []measure.Process, err error) {
	for i, b := range p.builds {
		measure.Progress("building the benchmarks")
		binary := filepath.Join(temp, fmt.Sprintf("bench%d.test", i))
		err := measure.Build(ctx, bench, binary, b.tags)
		measure.Progress("")
		if err != nil {
			return nil, err
		}
		process := measure.Process{Binary: binary, Dir: bench, Pattern: b.pattern, Benchtime: p.benchtime, CPUs: 1, Header: header}
		processes = append(processes, process)
		if b.batches != "" && runtime.NumCPU() > 1 {
			process.Pattern, process.CPUs = b.batches, runtime.NumCPU()
			processes = append(processes, process)
		}
	}
	return processes, nil
}

// invocation takes one invocation's samples.
func invocation(ctx context.Context, p plan, i int, processes []measure.Process, w *benchfmt.Writer, start time.Time) error {
	date := dated()
	for j := range p.samples {
		left := "" // what it will take is known from the first sample on
		if done := i*p.samples + j; done > 0 {
			all := time.Since(start) / time.Duration(done) * time.Duration(p.invocations*p.samples)
			left = fmt.Sprintf(", %v left", (all - time.Since(start)).Round(time.Second))
		}
		for _, process := range processes {
			process.Header += date
			err := process.Run(ctx, func(r *benchfmt.Result) error {
				measure.Progress("invocation %d of %d, sample %d of %d%s: %s", i+1, p.invocations, j+1, p.samples, left, r.Name)
				return w.Write(r)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// header returns the configuration lines that say where a benchmark file comes from.
// The benchmarks print what they are of themselves.
func header(bench, command string) string {
	return fmt.Sprintf("commit: %s\ncommand: %s\n", commit(bench), command)
}

// dated is the configuration line of when an invocation began.
func dated() string { return "date: " + time.Now().UTC().Format(time.RFC3339) + "\n" }

// changed follows the name of a commit where the work tree has more than it.
const changed = "+changed"

// commit names the commit that is checked out in dir, with [changed] for files that
// differ from it or that git does not know.
func commit(dir string) string {
	git := func(args ...string) (string, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		output, err := cmd.Output()
		return strings.TrimSpace(string(output)), err
	}
	id, err := git("rev-parse", "--short=12", "HEAD")
	if err != nil {
		return "unknown"
	}
	if changes, err := git("status", "--porcelain"); err != nil || changes != "" {
		id += changed
	}
	return id
}
