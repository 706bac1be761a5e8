package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// counts are what the tests of one step came to. Subtests are not counted.
type counts struct{ packages, passed, failed, skipped int }

func (c counts) String() string {
	s := fmt.Sprintf("%d packages, %d tests passed", c.packages, c.passed)
	if c.skipped > 0 {
		s += fmt.Sprintf(", %d skipped", c.skipped)
	}
	if c.failed > 0 {
		s += fmt.Sprintf(", %d FAILED", c.failed)
	}
	return s
}

func (c *counts) add(d counts) {
	c.packages += d.packages
	c.passed += d.passed
	c.failed += d.failed
	c.skipped += d.skipped
}

// goTest runs the tests of the module in dir and writes to w what the failing
// ones printed. A run in which no test passed is an error.
func goTest(ctx context.Context, w io.Writer, dir string, env []string, args ...string) (counts, error) {
	args = append(append([]string{"test", "-json"}, args...), "./...")
	var out, stderr bytes.Buffer
	err := command(ctx, dir, env, &out, &stderr, "go", args...)
	c, parseErr := readTests(&out, w)
	if err != nil {
		w.Write(stderr.Bytes())
		return c, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	if parseErr != nil {
		return c, parseErr
	}
	if c.failed > 0 || c.passed == 0 {
		return c, errors.New("go test ended well, but its report tells of failures or of no test")
	}
	return c, nil
}

// readTests counts the report of go test -json and writes the output of what
// failed, be it a test, a package or a compilation.
func readTests(report io.Reader, w io.Writer) (counts, error) {
	type key struct{ pkg, test string }
	var c counts
	printed := map[key][]string{}
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
			printed[at] = append(printed[at], e.Output)
			continue
		case "fail", "build-fail":
			if sub {
				continue
			}
			if e.Test != "" {
				c.failed++
			}
			for _, s := range printed[at] {
				io.WriteString(w, s)
			}
		case "pass":
			if e.Test == "" {
				c.packages++
			} else if !sub {
				c.passed++
			}
		case "skip":
			if e.Test != "" && !sub {
				c.skipped++
			}
		}
		if !sub {
			delete(printed, at)
		}
	}
}
