// Package gotest runs the tests of a module and counts what they came to.
package gotest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Counts are what the tests of a run came to. Subtests are not counted.
type Counts struct{ Packages, Passed, Failed, Skipped int }

func (c Counts) String() string {
	s := fmt.Sprintf("%d packages, %d tests passed", c.Packages, c.Passed)
	if c.Skipped > 0 {
		s += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	if c.Failed > 0 {
		s += fmt.Sprintf(", %d FAILED", c.Failed)
	}
	return s
}

// Add adds the counts of another run.
func (c *Counts) Add(d Counts) {
	c.Packages += d.Packages
	c.Passed += d.Passed
	c.Failed += d.Failed
	c.Skipped += d.Skipped
}

// A Log is told what happens while tests run; a nil field is not told.
type Log struct {
	Package func(line string)              // what go test says of a package at its end
	Skipped func(pkg, test, output string) // a test that was skipped, and what it printed
	Failed  func(output string)            // what a failing test, package or compilation printed
}

// Run runs the tests of the module in dir, with env added to the environment. A
// run in which no test passed is an error.
func Run(ctx context.Context, log Log, dir string, env []string, args ...string) (Counts, error) {
	args = append(append([]string{"test", "-json"}, args...), "./...")
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return Counts{}, err
	}
	if err := c.Start(); err != nil {
		return Counts{}, err
	}
	n, readErr := read(out, log)
	err = c.Wait()
	switch {
	case ctx.Err() != nil:
		return n, ctx.Err()
	case err != nil:
		log.failed(stderr.String())
		return n, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	case readErr != nil:
		return n, readErr
	case n.Failed > 0 || n.Passed == 0:
		return n, errors.New("go test ended well, but its report tells of failures or of no test")
	}
	return n, nil
}

func (l Log) failed(output string) {
	if l.Failed != nil && output != "" {
		l.Failed(output)
	}
}

// read counts the report of go test -json.
func read(report io.Reader, log Log) (Counts, error) {
	type key struct{ pkg, test string }
	var c Counts
	printed := map[key]string{}
	d := json.NewDecoder(report)
	for {
		var e struct{ Action, Package, ImportPath, Test, Output string }
		if err := d.Decode(&e); err == io.EOF {
			return c, nil
		} else if err != nil {
			return c, fmt.Errorf("report of go test: %w", err)
		}
		top, _, sub := strings.Cut(e.Test, "/")
		at := key{e.Package + e.ImportPath, top}
		switch e.Action {
		case "output", "build-output":
			printed[at] += e.Output
			continue
		case "fail", "build-fail":
			if sub {
				continue
			}
			if e.Test != "" {
				c.Failed++
			}
			log.failed(printed[at])
		case "pass":
			if e.Test == "" {
				c.Packages++
				if log.Package != nil {
					lines := strings.Split(strings.TrimSpace(printed[at]), "\n")
					log.Package(lines[len(lines)-1])
				}
			} else if !sub {
				c.Passed++
			}
		case "skip":
			if e.Test != "" && !sub {
				c.Skipped++
				if log.Skipped != nil {
					log.Skipped(e.Package, e.Test, printed[at])
				}
			}
		}
		if !sub {
			delete(printed, at)
		}
	}
}
