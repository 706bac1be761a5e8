package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/sealwright/sealwright/bench/internal/measure"
)

func collectCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := newFlags(stderr, "collect [flags] -out DIR -name NAME PROGRAM ARG...", `Runs a program that prints results in the format of Go benchmarks, once for each
invocation, and keeps what it prints.`)
	out := f.String("out", "", "keep the benchmark files in `DIR`, in place of those of that name there, once all are complete")
	name := f.String("name", "", "of the files: `NAME`-1.txt, NAME-2.txt, …")
	invocations := f.Int("invocations", 3, "how often the program runs")
	command := f.String("command", "", "the `COMMAND` that the files name as what made them, other than this one")
	if err := f.parse(args); err != nil {
		return err
	}
	switch {
	case *out == "" || *name == "":
		return f.wrong("-out and -name are needed")
	case *invocations < 1:
		return f.wrong("-invocations has to be above 0")
	case f.NArg() == 0:
		return f.wrong("no program")
	}
	if *command == "" {
		*command = "go run ./report collect " + strings.Join(args, " ")
	}
	head := header(".", *command) + measure.Machine()
	names, err := replace(*out, *name, *invocations, func(i int, w *benchfmt.Writer) error {
		return collect(ctx, f.Args(), head+dated(), w, stderr, fmt.Sprintf("invocation %d of %d", i+1, *invocations))
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "written: %s\n", strings.Join(names, ", "))
	return err
}

// collect writes what one run of a program prints, behind the lines of header.
func collect(ctx context.Context, program []string, header string, w *benchfmt.Writer, stderr io.Writer, what string) error {
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.Stderr = stderr
	cmd.WaitDelay = time.Second // for programs that the program has left running
	results := 0
	printed, err := measure.Read(cmd, header, program[0], func(r benchfmt.Record) error {
		switch r := r.(type) {
		case *benchfmt.Result:
			measure.Progress("%s: %s", what, r.Name)
			results++
			return w.Write(r)
		case *benchfmt.SyntaxError:
			return r
		}
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%s: %w", strings.Join(program, " "), err)
	case results == 0:
		return fmt.Errorf("%s printed no result:\n%s", strings.Join(program, " "), printed)
	}
	return nil
}
