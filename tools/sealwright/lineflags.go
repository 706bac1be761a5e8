package main

import (
	"context"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/nip59"
)

const defaultMaxLine = 8 << 20

// lineFlags are the flags of every command that works line by line.
type lineFlags struct {
	maxLine    byteSize
	jobs       int
	noProgress bool
	fan        int // how many lines of output a line of input gives, when more than one
}

func (l *lineFlags) addFlags(cmd *cobra.Command) {
	l.maxLine = defaultMaxLine
	f := cmd.Flags()
	f.Var(&l.maxLine, "max-line", "longest line that is read; a longer one is an error of that line")
	f.IntVar(&l.jobs, "jobs", 0, "use at most `N` processors (default all)")
	f.BoolVar(&l.noProgress, "no-progress", false, "show no progress on standard error")
}

// apply checks the flags and limits the processors of this process.
func (l *lineFlags) apply(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("jobs") {
		return nil
	}
	if l.jobs < 1 {
		return usageError("--jobs: want 1 or more")
	}
	runtime.GOMAXPROCS(min(l.jobs, runtime.GOMAXPROCS(0)))
	return nil
}

// inputs applies the flags and resolves the arguments. keys, which may be nil,
// are where the command's secret keys come from.
func (l *lineFlags) inputs(cmd *cobra.Command, args []string, keys *keySources) ([]input, error) {
	if err := l.apply(cmd); err != nil {
		return nil, err
	}
	list, err := inputs(args, os.Stdin)
	if err != nil {
		return nil, err
	}
	for _, in := range list {
		if in.name != "-" || keys == nil {
			continue
		}
		if flag := keys.usesStdin(); flag != "" {
			return nil, usageError(flag + ": standard input is the input already")
		}
	}
	return list, nil
}

// run takes the lines of all inputs through work and writes what becomes of
// them, for people as text or as JSON. Its error is errSome when lines failed and
// that was told.
func (l *lineFlags) run(ctx context.Context, list []input, text bool, work func(context.Context, []line)) (*emitter, error) {
	var bar *progress
	if !l.noProgress {
		bar = newProgress(os.Stderr, totalSize(list))
	}
	out := newEmitter(bar.beside(os.Stdout), bar.beside(os.Stderr))
	out.progress = bar
	if text {
		out.format, out.interleave = appendRefusalText, true
	}
	err := runLines(ctx, list, int64(l.maxLine), l.fan, work, out.emit)
	bar.end()
	if err == nil {
		err = out.result()
	}
	return out, err
}

// eachLine makes the working stage of a command that works on every line by
// itself: f sets the line's output, or returns an error and the layer to name
// when the error names none.
func eachLine(f func(ctx context.Context, ln *line) (layer nip59.Layer, err error)) func(context.Context, []line) {
	return func(ctx context.Context, lines []line) {
		parallel(len(lines), func(i int) {
			ln := &lines[i]
			if ln.err != nil || ctx.Err() != nil {
				return
			}
			if layer, err := f(ctx, ln); err != nil && ctx.Err() == nil {
				ln.err = newLineError(err, layer)
			}
		})
	}
}

// parallel calls f for 0 … n−1 on all processors. The library has the like in
// protocol/internal, where a tool cannot reach it, and it is too little to be
// made public for that.
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
