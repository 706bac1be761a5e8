// Command platforms shows that the library compiles, vets and passes its tests
// on every platform that the project names, with the oldest Go of its line and
// with the newest versions of its dependencies.
//
//	cd tools && go run ./platforms [-arm64-cpu max,cortex-a53] [-only REGEXP]
//
// It prints every step with its seconds, runs all of them whatever fails, ends
// with one line of counts and seconds, and exits with 1 after a failure. By default
// it compiles for the platforms whose tests run, for every system on arm64, and for a
// sample of the others, drawn with a seed that it prints and hands to the tests;
// $SEALWRIGHT_SEED repeats it and SEALWRIGHT_LONG=1 takes them all.
// What cannot run for want of a program is told, and is a failure where
// $SEALWRIGHT_REQUIRE names that program: qemu, node.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/sealwright/sealwright/internal/testkit"
)

func main() {
	cpus := flag.String("arm64-cpu", "max,cortex-a53,cortex-a76,neoverse-n1", "processors that qemu shows to the arm64 tests, separated by commas; all but the first get the tests of kernels alone, unless sweeps run whole")
	only := flag.String("only", "", "run only the steps whose printed kind and name match this regular expression")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "platforms: -only:", err)
		os.Exit(2)
	}
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ok, err := run(ctx, os.Stdout, strings.Split(*cpus, ","), pattern)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "platforms:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run makes the plan and goes through it. It reports whether no step failed.
func run(ctx context.Context, w io.Writer, cpus []string, only *regexp.Regexp) (bool, error) {
	seed, err := testkit.Seed()
	if err != nil {
		return false, err
	}
	required, err := testkit.Requirements()
	if err != nil {
		return false, err
	}
	whole := testkit.Long()
	temp, err := os.MkdirTemp("", "sealwright-platforms-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(temp)
	p := planner{temp: temp, seed: seed, required: required}
	if err := p.locate(ctx); err != nil {
		return false, err
	}
	chosen := draw(rand.New(rand.NewPCG(seed, 0)), whole)
	sample := fmt.Sprintf("all %d builds", len(chosen))
	if !whole {
		sample = fmt.Sprintf("%d builds of %d (SEALWRIGHT_LONG=1 takes all)", len(chosen), len(builds()))
	}
	fmt.Fprintf(w, "platforms: %s, SEALWRIGHT_SEED=%d\n", sample, seed)

	start := time.Now()
	var t tally
	plan := p.plan(ctx, chosen, cpus, whole)
	for _, s := range plan {
		if !only.MatchString(string(s.kind) + " " + s.name) {
			t.leftOut++
			continue
		}
		t.do(ctx, w, s, p.required)
		if err := ctx.Err(); err != nil {
			return false, err
		}
	}
	if t.leftOut == len(plan) {
		return false, fmt.Errorf("-only %q leaves every step out", only)
	}
	fmt.Fprintf(w, "platforms: %s in %.0f s (%s; SEALWRIGHT_SEED=%d)\n", t, time.Since(start).Seconds(), t.seconds(), seed)
	return t.failures == 0, nil
}

// kind is what a step shows; the summary has one count or list for each.
type kind string

const (
	compile kind = "compile and vet"
	link    kind = "link"
	tests   kind = "test"
	oldest  kind = "oldest Go"
	newest  kind = "newest dependencies"
)

var kinds = []kind{tests, compile, link, oldest, newest}

// step is one thing to show.
type step struct {
	kind    kind
	name    string
	missing string // why it cannot run here, or ""
	needs   string // the word of $SEALWRIGHT_REQUIRE that makes missing a failure
	run     func(ctx context.Context, w io.Writer) (note string, err error)
}

// tally is what the steps came to.
type tally struct {
	passed   map[kind][]string
	took     map[kind]time.Duration
	notRun   []string
	leftOut  int // by -only
	failures int
}

// do runs a step and prints it with its seconds; what a failing step wrote
// follows its line.
func (t *tally) do(ctx context.Context, w io.Writer, s step, required []string) {
	fmt.Fprintf(w, "  %-20s %-32s ", s.kind, s.name)
	if s.missing != "" {
		fmt.Fprintf(w, "NOT RUN: %s\n", s.missing)
		t.notRun = append(t.notRun, s.name)
		if s.needs != "" && slices.Contains(required, s.needs) {
			fmt.Fprintf(w, "    SEALWRIGHT_REQUIRE names %s, so this is a failure\n", s.needs)
			t.failures++
		}
		return
	}
	start := time.Now()
	var out bytes.Buffer
	note, err := s.run(ctx, &out)
	if ctx.Err() != nil {
		fmt.Fprintln(w, "interrupted")
		return
	}
	took := time.Since(start)
	if t.took == nil {
		t.took = map[kind]time.Duration{}
	}
	t.took[s.kind] += took
	verdict := "ok    "
	if err != nil {
		verdict = "FAILED"
	}
	fmt.Fprintf(w, "%s %6.1f s  %s\n", verdict, took.Seconds(), note)
	if err != nil {
		t.failures++
		for line := range strings.Lines(out.String()) {
			fmt.Fprintf(w, "    %s\n", strings.TrimRight(line, "\n"))
		}
		fmt.Fprintf(w, "    %v\n", err)
		return
	}
	if t.passed == nil {
		t.passed = map[kind][]string{}
	}
	t.passed[s.kind] = append(t.passed[s.kind], s.name)
}

func (t tally) String() string {
	list := func(k kind) string {
		if len(t.passed[k]) == 0 {
			return "none"
		}
		return strings.Join(t.passed[k], ", ")
	}
	s := fmt.Sprintf("%d compiled and vetted, %d linked, tests passed on %s; oldest Go passed: %s; newest dependencies passed: %s",
		len(t.passed[compile]), len(t.passed[link]), list(tests), list(oldest), list(newest))
	if len(t.notRun) > 0 {
		s += fmt.Sprintf("; %d NOT RUN (%s)", len(t.notRun), strings.Join(t.notRun, ", "))
	}
	if t.leftOut > 0 {
		s += fmt.Sprintf("; %d steps left out by -only", t.leftOut)
	}
	return s + fmt.Sprintf("; %d failures", t.failures)
}

// seconds tells what each kind of steps took.
func (t tally) seconds() string {
	var list []string
	for _, k := range kinds {
		if t.took[k] > 0 {
			list = append(list, fmt.Sprintf("%s %.0f", k, t.took[k].Seconds()))
		}
	}
	return strings.Join(list, ", ")
}

// command runs a program in dir with env added to the environment.
func command(ctx context.Context, dir string, env []string, stdout, stderr io.Writer, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	c.Stdout, c.Stderr = stdout, stderr
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	return c.Run()
}

// output runs a program and returns what it printed.
func output(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	var out, stderr bytes.Buffer
	if err := command(ctx, dir, env, &out, &stderr, name, args...); err != nil {
		return "", errors.Join(fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err), errors.New(stderr.String()))
	}
	return strings.TrimSpace(out.String()), nil
}
