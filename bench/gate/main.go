// Gate runs the rows of gates.txt and fails when one of ours takes a larger part
// of its peer's time than the file allows.
//
// A row is measured in rounds: in each, one process runs both implementations
// shortly after one another, and gives one ratio. The median of the ratios is
// judged, so that other work on the machine, which slows both, does not decide.
package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/term"
)

//go:embed gates.txt
var gatesText string

// gate is a line of gates.txt.
type gate struct {
	row, ours, peer string
	most            float64
}

func main() {
	rounds := flag.Int("rounds", 10, "rounds, each a process of its own; at least 6 for an interval")
	benchtime := flag.Duration("benchtime", 100*time.Millisecond, "time for each implementation in each round")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: gate [flags], in the folder bench\n\nRuns the rows of gates.txt; exits with 1 when a ratio is above its gate.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 || *rounds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	above, err := run(ctx, os.Stdout, *rounds, *benchtime)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(2)
	case above > 0:
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, rounds int, benchtime time.Duration) (above int, err error) {
	gates, err := parseGates(gatesText)
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "gate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "bench.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return 0, fmt.Errorf("building the benchmarks: %w", err)
	}

	times := make(map[string][]float64) // of one row and implementation, by round
	for round := range rounds {
		for _, g := range gates {
			progress("round %d of %d: %s", round+1, rounds, g.row)
			err := measure(ctx, binary, g, benchtime, times)
			progress("")
			if err != nil {
				return 0, err
			}
		}
	}

	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "row\tours\tns/op\tpeer\tns/op\tratio\t95 %\tat most\t\t")
	for _, g := range gates {
		ours, peer := times[g.name(g.ours)], times[g.name(g.peer)]
		ratios := make([]float64, rounds)
		for i := range ratios {
			ratios[i] = ours[i] / peer[i]
		}
		ratio := median(ratios)
		verdict := "ok"
		if ratio.Center > g.most {
			verdict = "ABOVE"
			above++
		}
		fmt.Fprintf(w, "%s\t%s\t%.0f\t%s\t%.0f\t%.3f\t%.3f–%.3f\t%.2f\t%s\t\n",
			g.row, g.ours, median(ours).Center, g.peer, median(peer).Center, ratio.Center, ratio.Lo, ratio.Hi, g.most, verdict)
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "gate: %d rows, %d above, medians of %d rounds\n", len(gates), above, rounds)
	return above, nil
}

// progress shows a line that the next one replaces, if somebody looks on.
func progress(format string, args ...any) {
	if term.IsTerminal(int(os.Stderr.Fd())) {
		fmt.Fprintf(os.Stderr, "\r\x1b[K"+format, args...)
	}
}

func parseGates(text string) (gates []gate, err error) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		var g gate
		if _, err := fmt.Sscan(line, &g.row, &g.ours, &g.peer, &g.most); err != nil {
			return nil, fmt.Errorf("gates.txt: %q: %w", line, err)
		}
		gates = append(gates, g)
	}
	return gates, nil
}

func (g gate) name(impl string) string { return g.row + "/impl=" + impl }

// measure runs both implementations of a row once.
func measure(ctx context.Context, binary string, g gate, benchtime time.Duration, times map[string][]float64) error {
	// Every part of the pattern stands for one part of the name.
	pattern := "^Benchmark" + strings.ReplaceAll(regexp.QuoteMeta(g.row), "/", "$/^") + "$/^impl=(" + g.ours + "|" + g.peer + ")$"
	cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.bench="+pattern, "-test.benchtime="+benchtime.String(), "-test.cpu=1")
	output, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", g.row, err, output)
	}
	found := 0
	r := benchfmt.NewReader(bufio.NewReader(bytes.NewReader(output)), g.row)
	for r.Scan() {
		result, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		ns, ok := result.Value("sec/op")
		if !ok {
			return errors.New("a result without a time: " + result.Name.String())
		}
		name := result.Name.String()
		times[name] = append(times[name], ns*1e9)
		found++
	}
	if err := r.Err(); err != nil {
		return err
	}
	if found != 2 {
		return fmt.Errorf("%s: %d results, not one of %s and one of %s\n%s", g.row, found, g.ours, g.peer, output)
	}
	return nil
}

func median(values []float64) benchmath.Summary {
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), 0.95)
}
