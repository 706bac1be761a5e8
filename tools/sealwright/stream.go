package main

import (
	"context"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/nip59"
)

const defaultMaxLine = 8 << 20

// lineFlags are the flags of every command that works line by line.
type lineFlags struct {
	maxLine    byteSize
	jobs       int
	noProgress bool
}

func (l *lineFlags) addFlags(cmd *cobra.Command) {
	l.maxLine = defaultMaxLine
	f := cmd.Flags()
	f.Var(&l.maxLine, "max-line", "longest line that is read; a longer one is an error of that line")
	f.IntVar(&l.jobs, "jobs", 0, "use at most `N` processors (default all)")
	f.BoolVar(&l.noProgress, "no-progress", false, "show no progress on standard error")
}

// prepare checks the flags, limits the processors of this process and resolves
// the inputs, none of which may be the stream that a key is read from. keys is
// nil where there is none.
func (l *lineFlags) prepare(cmd *cobra.Command, args []string, keys *keySources) ([]input, error) {
	if cmd.Flags().Changed("jobs") {
		if l.jobs < 1 {
			return nil, usageError("--jobs: want 1 or more")
		}
		runtime.GOMAXPROCS(min(l.jobs, runtime.GOMAXPROCS(0)))
	}
	list, err := inputs(args, os.Stdin)
	if err != nil {
		return nil, err
	}
	for _, in := range list {
		if in.name == "-" && keys != nil {
			if err := keys.leaveStdin(); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// run sends the lines of the inputs through work and out. set, which may be
// nil, is told of the emitter before the first line. The error is errSome when
// all was done and some lines failed.
func (l *lineFlags) run(ctx context.Context, list []input, work func(context.Context, []line), set func(*emitter)) (*emitter, error) {
	var bar *progress
	if !l.noProgress {
		bar = newProgress(os.Stderr, totalSize(list))
	}
	out := newEmitter(bar.beside(os.Stdout), bar.beside(os.Stderr))
	out.progress = bar
	if set != nil {
		set(out)
	}
	err := runLines(ctx, list, int64(l.maxLine), work, out.emit)
	bar.end()
	if err == nil && out.failed() {
		err = errSome
	}
	return out, err
}

// eachLine is the working stage of a command that does every line by itself:
// do returns a line of output with its LF, or why there is none, at layer when
// the error names none. Lines that ctx's end left undone get neither.
func eachLine(layer nip59.Layer, do func(ctx context.Context, text []byte) ([]byte, error)) func(context.Context, []line) {
	return func(ctx context.Context, lines []line) {
		parallel(len(lines), func(i int) {
			ln := &lines[i]
			if ln.err != nil || ctx.Err() != nil {
				return
			}
			out, err := do(ctx, ln.text)
			switch {
			case err == nil:
				ln.out = out
			case ctx.Err() == nil:
				ln.err = newLineError(err, layer)
			}
		})
	}
}

// parseEvents reads the lines as events. at holds the index of each event's
// line; a line that is none gets its error, at layer.
func parseEvents(lines []line, layer nip59.Layer) (events []*event.Event, at []int) {
	parsed := make([]*event.Event, len(lines))
	parallel(len(lines), func(i int) {
		if lines[i].err != nil {
			return
		}
		e, err := event.Parse(lines[i].text)
		if err != nil {
			lines[i].err = newLineError(err, layer)
			return
		}
		parsed[i] = e
	})
	for i, e := range parsed {
		if e != nil {
			events, at = append(events, e), append(at, i)
		}
	}
	return events, at
}

// parallel calls f for 0 … n−1 on all processors.
func parallel(n int, f func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	group.Wait()
}
