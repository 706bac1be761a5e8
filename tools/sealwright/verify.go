package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/event"
)

func newVerify() *cobra.Command {
	var f lineFlags
	cmd := &cobra.Command{
		Use:   "verify [FILE]...",
		Short: "Check ids and signatures: events in, the true ones out unchanged",
		Long: `verify reads events as JSON Lines from the files, or from standard input. Lines
whose id and signature hold come out as they are, in input order; the others
are told on standard error, one JSON object a line.`,
		Example: `  sealwright verify events.jsonl > true.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := f.prepare(cmd, args, nil)
			if err != nil {
				return err
			}
			warnCPU(warner(cmd.ErrOrStderr()))
			_, err = f.run(cmd.Context(), list, verifyLines, nil)
			return err
		},
	}
	f.addFlags(cmd)
	return cmd
}

// verifyLines is the working stage of verify.
func verifyLines(ctx context.Context, lines []line) {
	events, at := parseEvents(lines, layerEvent)
	for i, err := range event.VerifyAll(ctx, events, nil) {
		ln := &lines[at[i]]
		switch {
		case err == nil:
			ln.out = append(append(make([]byte, 0, len(ln.text)+1), ln.text...), '\n')
		case ctx.Err() == nil:
			ln.err = newLineError(err, layerEvent)
		}
	}
}
