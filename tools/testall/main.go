// Command testall runs the tests of several modules and says what they came to.
//
//	cd tools && go run ./testall DIR... [-- FLAGS]
//
// DIR is the folder of a module; what follows -- is handed to go test. It prints a
// line for every package, the output of what fails, and every test that was
// skipped with its reason; it goes on after a failure, ends with one line of counts,
// and exits with 1 when something failed. Samples of sweeps are drawn anew in
// every run, by a seed that it prints and hands to the tests; $SEALWRIGHT_SEED
// repeats it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/tools/internal/gotest"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: testall DIR... [-- flags of go test]")
	}
	flag.Parse()
	dirs, args := flag.Args(), []string(nil)
	if i := slices.Index(dirs, "--"); i >= 0 {
		dirs, args = dirs[:i], dirs[i+1:]
	}
	if len(dirs) == 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, dirs, args)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "testall:", err)
		os.Exit(1)
	}
}

// run tests the modules in dirs, one after the other.
func run(ctx context.Context, w io.Writer, dirs, args []string) error {
	seed, err := testkit.Seed()
	if err != nil {
		return err
	}
	env := []string{fmt.Sprintf("SEALWRIGHT_SEED=%d", seed)}
	start := time.Now()
	var all gotest.Counts
	var skips []string
	var failed []error
	log := gotest.Log{
		Package: func(line string) { fmt.Fprintln(w, line) },
		Skipped: func(pkg, test, output string) {
			skips = append(skips, fmt.Sprintf("%s %s: %s", strings.TrimPrefix(pkg, library), test, reason(output)))
		},
		Failed: func(output string) { fmt.Fprintln(w, strings.TrimRight(output, "\n")) },
	}
	for _, dir := range dirs {
		fmt.Fprintf(w, "== go test ./... (%s)\n", dir)
		c, err := gotest.Run(ctx, log, dir, env, args...)
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
		all.Add(c)
		if err != nil {
			failed = append(failed, fmt.Errorf("module %s: %w", dir, err))
		}
	}
	for _, s := range skips {
		fmt.Fprintln(w, "skipped:", s)
	}
	fmt.Fprintf(w, "test: %d modules, %s in %.0f s (SEALWRIGHT_SEED=%d)\n", len(dirs), all, time.Since(start).Seconds(), seed)
	return errors.Join(failed...)
}

const library = "github.com/sealwright/sealwright/"

// place is where a test said something: the beginning of a line of its output.
var place = regexp.MustCompile(`^\s*\S+\.go:\d+: `)

// reason returns the last thing that a skipped test said.
func reason(output string) string {
	said := "no reason given"
	for line := range strings.Lines(output) {
		if at := place.FindString(line); at != "" {
			said = strings.TrimSpace(line[len(at):])
		}
	}
	return said
}
