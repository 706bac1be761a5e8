// Run runs every native fuzz target of this module and of the module above, one
// after another: go test takes one target and one package at a time.
//
//	go run ./run -time 10s            # all of them
//	go run ./run -time 1m -run Parse  # those whose name has "Parse" in it
//	go run ./run -list                # folder, package, target and name
//
// The test binaries are built once for a package, with the instrumentation for
// coverage, before any clock starts. Run ends with 1 when a target fails; the
// failing input then lies in testdata/fuzz of its package, and go test runs it
// from there on.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
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
		pattern  = flag.String("run", "", "only targets whose `name` matches this regular expression")
		list     = flag.Bool("list", false, "print folder, package, function and name of each target, and run none")
		workers  = flag.Int("workers", runtime.GOMAXPROCS(0), "`processes` that fuzz at once")
	)
	flag.Parse()
	failures, err := run(*fuzzTime, *pattern, *list, *workers)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
	if failures > 0 {
		os.Exit(1)
	}
}

func run(fuzzTime time.Duration, pattern string, list bool, workers int) (failures int, err error) {
	start := time.Now()
	want, err := regexp.Compile(pattern)
	if err != nil {
		return 0, err
	}
	here, err := output(".", "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return 0, err
	}
	top := filepath.Dir(here)
	var targets []target
	for _, module := range []string{top, here} {
		found, err := discover(top, module)
		if err != nil {
			return 0, err
		}
		for _, t := range found {
			if want.MatchString(t.name) {
				targets = append(targets, t)
			}
		}
	}
	if list {
		for _, t := range targets {
			fmt.Println(t.module, t.pkg, t.function, t.name)
		}
		return 0, nil
	}
	if len(targets) == 0 {
		return 0, fmt.Errorf("no target matches %q", pattern)
	}

	binaries, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(binaries)
	cache, err := output(".", "go", "env", "GOCACHE")
	if err != nil {
		return 0, err
	}
	built := map[string]string{}
	for i, t := range targets {
		if built[t.pkg] != "" {
			continue
		}
		binary := filepath.Join(binaries, strconv.Itoa(i)+".exe")
		if _, err := output(t.module, "go", "test", "-c", "-vet=off", "-fuzz=.", "-o", binary, t.pkg); err != nil {
			return 0, err
		}
		built[t.pkg] = binary
	}
	fmt.Printf("fuzz: %d targets in %d packages built in %.0f s; %v each, %d processes\n",
		len(targets), len(built), time.Since(start).Seconds(), fuzzTime, workers)

	executions := 0
	for _, t := range targets {
		text, err := t.fuzz(built[t.pkg], filepath.Join(cache, "fuzz", t.pkg), fuzzTime, workers)
		n := count(text)
		executions += n
		if err != nil {
			failures++
			fmt.Printf("FAIL  %-44s %10d executions\n%s\n", t.name, n, text)
			continue
		}
		fmt.Printf("ok    %-44s %10d executions\n", t.name, n)
	}
	fmt.Printf("fuzz: %d targets, %d executions, %d failures in %.0f s\n", len(targets), executions, failures, time.Since(start).Seconds())
	return failures, nil
}

// discover lists the targets of one module.
func discover(top, module string) (targets []target, err error) {
	text, err := output(module, "go", "list", "-f", `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}`, "./...")
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

// fuzz runs one target, and once more when the fuzzer itself was late to stop:
// it then fails without an input that fails (go.dev/issue/56238).
func (t target) fuzz(binary, cache string, fuzzTime time.Duration, workers int) (text string, err error) {
	for range 2 {
		cmd := exec.Command(binary, "-test.run=^$", "-test.fuzz=^"+t.function+"$", "-test.fuzztime="+fuzzTime.String(),
			"-test.fuzzminimizetime=5s", "-test.fuzzcachedir="+cache, "-test.parallel="+strconv.Itoa(workers), "-test.timeout=0")
		cmd.Dir = t.folder
		b, err := cmd.CombinedOutput()
		if text = string(b); err == nil {
			return text, nil
		}
		late := strings.Contains(text, "context deadline exceeded") && !strings.Contains(text, "Failing input written")
		if !late {
			return text, err
		}
	}
	return text, errors.New("late twice")
}

var progress = regexp.MustCompile(`(?m)^fuzz: elapsed: .*(?:execs: |coverage: )(\d+)`)

// count returns the executions that the fuzzer last told of: of seeds, while it
// is at them, and then of all.
func count(text string) (n int) {
	for _, m := range progress.FindAllStringSubmatch(text, -1) {
		executions, _ := strconv.Atoi(m[1])
		n = max(n, executions)
	}
	return n
}

// output runs a command in a folder and returns what it prints.
func output(folder, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		io.Copy(os.Stderr, &stderr)
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(stdout.String()), nil
}
