// Gate runs the rows of gates.txt and fails when one of ours takes a larger part
// of its peer's time than the file allows, or than it did when it was recorded.
//
//	go run ./gate             # judge
//	go run ./gate -c          # also beside the peers in C
//	go run ./gate -calibrate  # record the ratios of this machine, and their noise
//
// Rows are measured in rounds: in each, one process runs both implementations of
// a row shortly after one another, and gives one ratio. The median of the ratios is
// judged, so that other work on the machine, which slows both, does not decide.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"github.com/sealwright/sealwright/bench/internal/measure"
)

// calibrations is how often an unchanged binary is measured to know the noise.
const calibrations = 5

func main() {
	rounds := flag.Int("rounds", 10, "rounds, each a process of its own; at least 6 for an interval")
	benchtime := flag.Duration("benchtime", 40*time.Millisecond, "time for each implementation in each round")
	name := flag.String("gates", filepath.Join("gate", "gates.txt"), "the `file` of the gates")
	calibrate := flag.Bool("calibrate", false, "record the ratios and their noise in the file, of five runs, in place of judging")
	withC := flag.Bool("c", false, "judge the rows beside peers in C too; they need a C compiler and the libraries")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), `usage: gate [flags], in the folder bench

Runs the rows of gates.txt, whose head explains its columns. It ends with 1 when a
ratio is above its gate, or above what was recorded for it on this machine by more
than the noise; with 2 when it could not measure. What is demanded of a processor with
AVX-512 is judged on such a one. On another one a row above it is ABOVE WHAT IS ASKED,
which fails nothing; so is, on any, a row of which more is asked than demanded.

`)
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 || *rounds < 1 || *benchtime <= 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	failed, err := run(ctx, os.Stdout, *name, *rounds, *benchtime, *withC, *calibrate)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "gate: interrupted")
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(2)
	case failed > 0:
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, name string, rounds int, benchtime time.Duration, withC, calibrate bool) (failed int, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	f, err := parse(string(text))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	temp, err := os.MkdirTemp("", "gate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temp)
	s := sampler{process: measure.Process{
		Binary: filepath.Join(temp, "bench.test"), Dir: ".", Pattern: pattern(f.gates, withC), Benchtime: benchtime, CPUs: 1,
	}}
	measure.Progress("building the benchmarks")
	tags := ""
	if s.withC = withC; withC {
		tags = "cpeers"
	}
	err = measure.Build(ctx, ".", s.process.Binary, tags)
	measure.Progress("")
	if err != nil {
		return 0, err
	}
	if !calibrate {
		times, err := s.take(ctx, f.gates, rounds, "")
		if err != nil {
			return 0, err
		}
		return judge(out, f, s.machine, hasAVX512(), times)
	}
	var runs [][]float64
	for i := range calibrations {
		times, err := s.take(ctx, f.gates, rounds, fmt.Sprintf("run %d of %d, ", i+1, calibrations))
		if err != nil {
			return 0, err
		}
		var ratios []float64
		for _, t := range times {
			ratio := 0.0 // not measured
			if len(t.ours) > 0 {
				ratio = t.ratio().Center
			}
			ratios = append(ratios, ratio)
		}
		runs = append(runs, ratios)
	}
	if err := f.record(s.machine, runs); err != nil {
		return 0, err
	}
	if err := os.WriteFile(name, []byte(f.text()), 0o666); err != nil {
		return 0, err
	}
	for _, line := range f.bounds(hasAVX512()) {
		fmt.Fprintf(out, "gate: AT ITS BOUND: %s\n", line)
	}
	fmt.Fprintf(out, "gate: recorded in %s, of %d runs of %d rounds\n", name, calibrations, rounds)
	return 0, nil
}

// pattern is that of all benchmarks that the gates are about, for a binary with the
// peers in C or without.
func pattern(gates []*gate, withC bool) string {
	var rows []string
	impls := make(map[string][]string)
	add := func(row, impl string) {
		if impls[row] == nil {
			rows = append(rows, row)
		}
		if !slices.Contains(impls[row], impl) {
			impls[row] = append(impls[row], impl)
		}
	}
	for _, g := range gates {
		for i, peer := range g.peers(withC) {
			if i == 0 {
				add(g.row, g.ours)
			}
			add(peer[0], peer[1])
		}
	}
	for i, row := range rows {
		rows[i] = measure.Pattern(row, impls[row]...)
	}
	return strings.Join(rows, "|")
}

// sampler measures, and learns what machine it does it on.
type sampler struct {
	process measure.Process
	withC   bool // the peers in C are in the binary
	machine string
	tiers   string // that the machine has
}

// times are the seconds of both sides of a gate, by round: of the peer that was the
// fastest in it.
type times struct{ ours, peer []float64 }

// ratio is the median of the rounds' ratios, with an interval of 95 %.
func (t *times) ratio() benchmath.Summary {
	ratios := make([]float64, len(t.ours))
	for i := range ratios {
		ratios[i] = t.ours[i] / t.peer[i]
	}
	return summary(ratios)
}

func summary(values []float64) benchmath.Summary {
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), 0.95)
}

// take measures all gates in rounds. what is shown before the progress.
func (s *sampler) take(ctx context.Context, gates []*gate, rounds int, what string) ([]times, error) {
	defer measure.Progress("")
	all := make([]times, len(gates))
	for round := range rounds {
		seconds := make(map[string]float64) // by row and implementation
		err := s.process.Run(ctx, func(r *benchfmt.Result) error {
			measure.Progress("%sround %d of %d: %s", what, round+1, rounds, r.Name)
			if restriction := r.GetConfig("restriction"); restriction != "" {
				return fmt.Errorf("SEALWRIGHT_CPU=%s restricts the tiers: the gates are about what this machine can do", restriction)
			}
			s.machine = strings.Join([]string{r.GetConfig("cpu"), r.GetConfig("model"), r.GetConfig("features")}, ", ")
			s.tiers = r.GetConfig("tiers")
			if sec, ok := r.Value("sec/op"); ok {
				seconds[r.Name.String()] = sec
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for i, g := range gates {
			peers := g.peers(s.withC)
			ours, ok := seconds[g.row+"/impl="+g.ours]
			if len(peers) == 0 || !ok && g.lacked(s.tiers) {
				continue
			}
			fastest := math.Inf(1)
			for _, p := range peers {
				peer, okPeer := seconds[p[0]+"/impl="+p[1]]
				ok = ok && okPeer
				fastest = min(fastest, peer)
			}
			if !ok {
				return nil, fmt.Errorf("%s is not measured by %s and every one of %s", g.row, g.ours, g.peer)
			}
			all[i].ours, all[i].peer = append(all[i].ours, ours), append(all[i].peer, fastest)
		}
	}
	return all, nil
}

// judge prints all gates and counts those that do not hold.
func judge(out io.Writer, f *file, machine string, avx512 bool, all []times) (failed int, err error) {
	here := f.machine == machine
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "row\tours\tns/op\tpeer\tns/op\tratio\t95 %\tat most\tavx512\tasked\trecorded\tnoise\t\t")
	rounds, left, unjudged := 0, 0, 0
	for i, g := range f.gates {
		t := &all[i]
		if len(t.ours) == 0 {
			left++
			fmt.Fprintf(w, "%s\t%s\t\t%s\t\t\t\t%s\t%s\t%s\t\t\tNOT MEASURED\t\n", g.row, g.ours, g.peer, bound(g.most), bound(g.wide), bound(g.asked))
			continue
		}
		rounds = max(rounds, len(t.ours))
		ratio := t.ratio()
		verdict := g.verdict(ratio.Center, here, avx512)
		switch verdict {
		case ok:
		case asked:
			unjudged++
		default:
			failed++
		}
		fmt.Fprintf(w, "%s\t%s\t%.0f\t%s\t%.0f\t%.3f\t%.3f–%.3f\t%s\t%s\t%s\t%s\t%s\t%s\t\n",
			g.row, g.ours, summary(t.ours).Center*1e9, g.peer, summary(t.peer).Center*1e9,
			ratio.Center, ratio.Lo, ratio.Hi, bound(g.most), bound(g.wide), bound(g.asked), number(g.recorded), number(g.noise), verdict)
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	if !here {
		fmt.Fprintf(out, "gate: recorded ratios are not judged: they are of %s; this machine is %s\n", f.machine, machine)
	}
	if unjudged > 0 {
		fmt.Fprintf(out, "gate: %d rows are ABOVE WHAT IS ASKED, which is not judged: it is asked of AVX-512 and SHA extensions, and where those are, less is demanded\n", unjudged)
	}
	if left > 0 {
		fmt.Fprintf(out, "gate: %d rows are not measured: of tiers that this machine lacks, or beside peers in C (-c)\n", left)
	}
	_, err = fmt.Fprintf(out, "gate: %d rows, %d failed, medians of %d rounds\n", len(f.gates)-left, failed, rounds)
	return failed, err
}
