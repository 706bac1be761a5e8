// Report measures this module's benchmarks, shows what was measured, and compares
// two commits.
//
//	go run ./report run quick                    # the audit's table beside go-nostr
//	go run ./report run -out raw full            # every row, into benchmark files
//	go run ./report collect -out raw -name js node …  # the same of another program
//	go run ./report render -out results raw/*.txt  # report.md and plots of them
//	go run ./report compare -old HEAD~5          # an older commit beside this one
//
// # What a sample is
//
// A sample is what one benchmark prints in one process: the mean of the calls that
// fit into -benchtime. A process runs every row and every implementation once, one
// after another; then the next process does. So the samples of one row are spread
// over the whole time, and what else the machine does meanwhile hits all
// implementations alike. One sample never is a single call: the 95th percentile is
// that of means, and says how steady the machine and the code were.
//
// An invocation is one such series of processes, and one benchmark file. The
// report takes the median and the 95th percentile (nearest rank) within each
// file, then the median of the files'.
//
// All processes run on one processor (GOMAXPROCS 1), but the rows of batches run
// in addition on all of them. A peer that has no batches is called by as many
// goroutines as there are processors, as its users would.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `usage, in the folder bench:

  report run [flags] quick|standard|full   run the benchmarks, print the audit's table
  report collect -out DIR -name NAME PROGRAM ARG...
                                           keep what another program measures
  report render -out DIR FILE...           write report.md and plots of benchmark files
  report compare [flags] -old REF          build the commit REF too, and benchstat both

report COMMAND -h lists the flags of a command. It ends with 0, with 1 when
something failed, with 2 when it was called wrongly.
`

// errUsage tells of a wrong call that has been explained.
var errUsage = errors.New("wrong usage")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := command(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		os.Exit(2)
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "report: interrupted")
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func command(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	switch name {
	case "run":
		return runCommand(ctx, args[1:], stdout, stderr)
	case "collect":
		return collectCommand(ctx, args[1:], stdout, stderr)
	case "render":
		return renderCommand(args[1:], stdout, stderr)
	case "compare":
		return compareCommand(ctx, args[1:], stdout, stderr)
	case "-h", "-help", "--help", "help":
		fmt.Fprint(stdout, usage)
		return nil
	}
	fmt.Fprint(stderr, usage)
	return errUsage
}

// flags is a set of flags for one command, whose errors are [errUsage].
type flags struct {
	*flag.FlagSet
}

// newFlags makes the flags of a command; what says in a few lines what the command
// does.
func newFlags(stderr io.Writer, call, what string) flags {
	fs := flag.NewFlagSet("report", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintf(stderr, "usage: report %s\n\n%s\n\n", call, what)
		fs.PrintDefaults()
	}
	return flags{fs}
}

func (f flags) parse(args []string) error {
	if err := f.Parse(args); err != nil && !errors.Is(err, flag.ErrHelp) {
		return errUsage
	} else if err != nil {
		return err
	}
	return nil
}

// wrong explains a wrong call.
func (f flags) wrong(format string, args ...any) error {
	fmt.Fprintf(f.Output(), "report: "+format+"\n\n", args...)
	f.Usage()
	return errUsage
}
