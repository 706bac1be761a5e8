package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/sealwright/sealwright/bench/internal/measure"
)

// comparison is what to compare.
type comparison struct {
	bench     string // the folder of the benchmarks of now
	old       string // a commit
	pattern   string
	tags      string
	rounds    int
	benchtime time.Duration
}

func compareCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c := comparison{bench: "."}
	f := newFlags(stderr, "compare [flags] -old REF", `Checks the commit REF out into a work tree beside this one, builds the benchmarks of
both, runs them in turns and prints what benchstat says. The work tree is removed
again, also on Ctrl-C.`)
	f.StringVar(&c.old, "old", "", "the older commit: a `REF` that git knows")
	f.StringVar(&c.pattern, "bench", auditPattern("sealwright"), "the benchmarks, as go test -bench takes them")
	f.StringVar(&c.tags, "tags", "", "build with these `tags`")
	f.IntVar(&c.rounds, "rounds", 10, "runs of each; benchstat wants 6 and more")
	f.DurationVar(&c.benchtime, "benchtime", 50*time.Millisecond, "for each benchmark in each run")
	// The default pattern is long and says little.
	f.Lookup("bench").DefValue = "the audit's rows, Sealwright"
	if err := f.parse(args); err != nil {
		return err
	}
	switch {
	case f.NArg() > 0:
		return f.wrong("unknown argument %q", f.Arg(0))
	case c.old == "":
		return f.wrong("-old is needed")
	case c.rounds < 1 || c.benchtime <= 0:
		return f.wrong("-rounds and -benchtime have to be above 0")
	}
	return c.run(ctx, stdout)
}

func (c *comparison) run(ctx context.Context, stdout io.Writer) (err error) {
	id, err := c.git(ctx, "rev-parse", "--verify", "--quiet", c.old+"^{commit}")
	if err != nil {
		return fmt.Errorf("git knows no commit %q", c.old)
	}
	inside, err := c.git(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "compare")
	if err != nil {
		return err
	}
	tree := filepath.Join(temp, "tree")
	defer func() {
		// What was interrupted in the middle is removed as well.
		always := context.WithoutCancel(ctx)
		// Twice forced: git locks a tree that it is still making.
		_, gitErr := c.git(always, "worktree", "remove", "--force", "--force", tree)
		rmErr := os.RemoveAll(temp)
		if gitErr != nil {
			c.git(always, "worktree", "unlock", tree) // fails where there is no lock
			_, gitErr = c.git(always, "worktree", "prune")
		}
		err = errors.Join(err, gitErr, rmErr)
	}()
	// git is let finish: killed in the middle it leaves what it cannot remove.
	if _, err := c.git(context.WithoutCancel(ctx), "worktree", "add", "--quiet", "--detach", tree, id); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}

	// The work tree may have more than its commit.
	now := "new"
	if strings.HasSuffix(commit(c.bench), changed) {
		now += changed
	}
	sides := []struct{ name, dir string }{{"old", filepath.Join(tree, inside)}, {now, c.bench}}
	if _, err := os.Stat(sides[0].dir); err != nil {
		return fmt.Errorf("commit %s has no folder %s", c.old, inside)
	}
	for _, s := range sides {
		measure.Progress("building the benchmarks: %s", s.name)
		err := measure.Build(ctx, s.dir, filepath.Join(temp, s.name+".test"), c.tags)
		measure.Progress("")
		if err != nil {
			return err
		}
	}
	results := make([]strings.Builder, len(sides))
	counts := make([]int, len(sides))
	for round := range c.rounds {
		for i, s := range sides {
			w := benchfmt.NewWriter(&results[i])
			p := measure.Process{Binary: filepath.Join(temp, s.name+".test"), Dir: s.dir, Pattern: c.pattern, Benchtime: c.benchtime, CPUs: 1}
			err := p.Run(ctx, func(r *benchfmt.Result) error {
				measure.Progress("round %d of %d, %s: %s", round+1, c.rounds, s.name, r.Name)
				counts[i]++
				return w.Write(r)
			})
			measure.Progress("")
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	for i, s := range sides {
		if counts[i] == 0 {
			return fmt.Errorf("%s: no benchmark matches %s", s.name, c.pattern)
		}
		if err := os.WriteFile(filepath.Join(temp, s.name), []byte(results[i].String()), 0o666); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, "go", "tool", "benchstat", "old="+filepath.Join(temp, "old"), now+"="+filepath.Join(temp, now))
	cmd.Stdout, cmd.Stderr = stdout, os.Stderr
	return cmd.Run()
}

func (c *comparison) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = c.bench
	var stderr strings.Builder
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], errors.Join(err, ctx.Err()), strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(output)), nil
}
