// Run runs every native fuzz target of this module and of the module above, one
// after another: go test takes one target and one package at a time.
//
//	go run ./run -time 10s            # all of them
//	go run ./run -time 1m -run Parse  # those whose name has "Parse" in it
//	go run ./run -list                # folder, package, target and name
//
//	go run ./run -executions 2000 -arm64-cpu max  # as arm64 code under qemu
//
// The test binaries are built once for a package, with the instrumentation for
// coverage, before any clock starts. A target that does not come to mutations, slow as
// its seeds are, is given longer; one that comes to none fails.
//
// Run ends with 1 when a target fails; the failing input then lies in testdata/fuzz
// of its package, and go test runs it from there on.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// target is one fuzz target.
type target struct {
	module   string // folder of its module
	pkg      string // import path
	folder   string // folder of its package
	function string
	name     string // unique among all: path below the top folder, and function
}

func main() {
	var (
		fuzzTime = flag.Duration("time", 10*time.Second, "how long to fuzz each target")
		number   = flag.Int("executions", 0, "fuzz each target so `often`, its seeds included, in place of -time")
		cpu      = flag.String("arm64-cpu", "", "build for linux/arm64, and run under qemu-aarch64-static as this `processor`")
		pattern  = flag.String("run", "", "only targets whose `name` matches this regular expression")
		list     = flag.Bool("list", false, "print folder, package, function and name of each target, and run none")
		workers  = flag.Int("workers", runtime.GOMAXPROCS(0), "`processes` that fuzz at once")
	)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	failures, err := run(ctx, effort{*fuzzTime, *number}, *cpu, *pattern, *list, *workers)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
	}
	if err != nil || failures > 0 {
		os.Exit(1)
	}
}

// effort is what each target gets: a number of executions, or a time where that is zero.
type effort struct {
	time       time.Duration
	executions int
}

// times is so many times the effort, as go test takes it.
func (e effort) times(n int) string {
	if e.executions > 0 {
		return fmt.Sprintf("%dx", e.executions*n)
	}
	return (e.time * time.Duration(n)).String()
}

func run(ctx context.Context, each effort, cpu, pattern string, list bool, workers int) (failures int, err error) {
	start := time.Now()
	if each.time <= 0 {
		return 0, fmt.Errorf("each target must be fuzzed for longer than %v", each.time)
	}
	if each.executions < 0 {
		return 0, fmt.Errorf("each target must be executed more than %d times", each.executions)
	}
	want, err := regexp.Compile(pattern)
	if err != nil {
		return 0, err
	}
	here, err := output(ctx, ".", "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return 0, err
	}
	top := filepath.Dir(here)
	var targets []target
	for _, module := range []string{top, here} {
		found, err := discover(ctx, top, module)
		if err != nil {
			return 0, err
		}
		for _, t := range found {
			if want.MatchString(t.name) {
				targets = append(targets, t)
			}
		}
	}
	if len(targets) == 0 {
		return 0, fmt.Errorf("no target matches %q", pattern)
	}
	if list {
		for _, t := range targets {
			fmt.Println(t.module, t.pkg, t.function, t.name)
		}
		return 0, nil
	}
	binaries, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(binaries)
	cache, err := output(ctx, ".", "go", "env", "GOCACHE")
	if err != nil {
		return 0, err
	}
	built := map[string]string{}
	for i, t := range targets {
		if built[t.pkg] != "" {
			continue
		}
		binary := filepath.Join(binaries, strconv.Itoa(i)+".exe")
		build := []string{"go", "test", "-c", "-vet=off", "-fuzz=.", "-o", binary, t.pkg}
		if cpu != "" {
			build = append([]string{"env", "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"}, build...)
		}
		if _, err := output(ctx, t.module, build[0], build[1:]...); err != nil {
			return 0, err
		}
		if cpu != "" {
			if binary, err = emulated(binary, cpu); err != nil {
				return 0, err
			}
		}
		built[t.pkg] = binary
	}
	fmt.Printf("fuzz: %d targets in %d packages built in %.0f s; %s each, %d processes\n",
		len(targets), len(built), time.Since(start).Seconds(), each.times(1), workers)

	var all executions
	for _, t := range targets {
		text, err := t.fuzz(ctx, built[t.pkg], filepath.Join(cache, "fuzz", t.pkg), each, workers)
		if ctx.Err() != nil {
			return failures, errors.New("interrupted")
		}
		n := count(text)
		all.baseline += n.baseline
		all.mutated += n.mutated
		if err != nil {
			failures++
			fmt.Printf("FAIL  %-38s %v: %v\n%s\n", t.name, n, err, text)
			continue
		}
		fmt.Printf("ok    %-38s %v\n", t.name, n)
	}
	fmt.Printf("fuzz: %d targets, %d seeds, %d mutations, %d failures in %.0f s\n",
		len(targets), all.baseline, all.mutated, failures, time.Since(start).Seconds())
	return failures, nil
}

// emulated writes a program that runs a binary of arm64 under qemu, which goes by that
// program's name: the fuzzer starts its workers by the name that it goes by.
func emulated(binary, cpu string) (program string, err error) {
	program = binary + ".sh"
	text := fmt.Sprintf("#!/bin/sh\nexec qemu-aarch64-static -cpu %s -0 \"$0\" '%s' \"$@\"\n", cpu, binary)
	return program, os.WriteFile(program, []byte(text), 0o700)
}

// discover lists the targets of one module.
func discover(ctx context.Context, top, module string) (targets []target, err error) {
	text, err := output(ctx, module, "go", "list", "-f", `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}`, "./...")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(text) {
		pkg, folder, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		functions, err := fuzzFunctions(folder)
		if err != nil {
			return nil, err
		}
		below, err := filepath.Rel(top, folder)
		if err != nil {
			return nil, err
		}
		for _, f := range functions {
			name := strings.ReplaceAll(filepath.ToSlash(below), "/", "_") + "_" + f
			targets = append(targets, target{module, pkg, folder, f, name})
		}
	}
	return targets, nil
}

var declaration = regexp.MustCompile(`(?m)^func (Fuzz[A-Z0-9_]\w*)\(\w+ \*testing\.F\)`)

// fuzzFunctions reads the targets of a package from its files, which is much
// faster than to build its tests and ask them.
func fuzzFunctions(folder string) (functions []string, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, m := range declaration.FindAllSubmatch(source, -1) {
			functions = append(functions, string(m[1]))
		}
	}
	return functions, nil
}

// fuzz runs one target: for twice as long, and twice as long again, while it got no
// further than its seeds; and up to three times more when the fuzzer itself was late to
// stop: it then fails without an input that fails (go.dev/issue/56238).
func (t target) fuzz(ctx context.Context, binary, cache string, each effort, workers int) (text string, err error) {
	again := 3
	for longer := 1; ; {
		cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.fuzz=^"+t.function+"$", "-test.fuzztime="+each.times(longer),
			"-test.fuzzminimizetime=5s", "-test.fuzzcachedir="+cache, "-test.parallel="+strconv.Itoa(workers), "-test.timeout=0")
		cmd.Dir = t.folder
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // its workers end with it
		cmd.WaitDelay = 10 * time.Second
		b, err := cmd.CombinedOutput()
		text = string(b)
		late := strings.Contains(text, "context deadline exceeded") && !strings.Contains(text, "Failing input written")
		switch {
		case err != nil && again > 0 && late:
			again--
		case err != nil || count(text).mutated > 0:
			return text, err
		case longer >= maxLonger:
			return text, errors.New("it executed no mutation")
		default:
			longer *= 2
		}
	}
}

// maxLonger is how many times as long as asked a target with slow seeds may take.
const maxLonger = 32

// executions tells how often a target ran.
type executions struct {
	baseline int // with seeds, and with inputs that earlier runs found
	mutated  int
}

func (n executions) String() string {
	return fmt.Sprintf("%6d seeds %9d mutations", n.baseline, n.mutated)
}

var (
	gathered = regexp.MustCompile(`(?m)^fuzz: elapsed: .* (\d+)/\d+ completed`)
	executed = regexp.MustCompile(`(?m)^fuzz: elapsed: .* execs: (\d+) `)
)

// count returns what the fuzzer last told of. Its own count includes the baseline.
func count(text string) (n executions) {
	last := func(form *regexp.Regexp) (n int) {
		for _, m := range form.FindAllStringSubmatch(text, -1) {
			n, _ = strconv.Atoi(m[1])
		}
		return n
	}
	n.baseline = last(gathered)
	n.mutated = max(0, last(executed)-n.baseline)
	return n
}

// output runs a command in a folder and returns what it prints.
func output(ctx context.Context, folder, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = folder
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		io.Copy(os.Stderr, &stderr)
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(stdout.String()), nil
}
