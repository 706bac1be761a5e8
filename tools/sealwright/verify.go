package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// layerEvent is the layer of a failure of an event that is no part of a wrap.
const layerEvent nip59.Layer = "event"

func newVerify() *cobra.Command {
	var f lineFlags
	cmd := &cobra.Command{
		Use:   "verify [FILE]...",
		Short: "Check ids and signatures: events in, the sound ones out",
		Long: `verify reads events (NIP-01) as JSON Lines, recomputes each id, checks the
signature over it, and writes the sound events unchanged, in input order. What
does not hold is told on standard error, one JSON object a line.`,
		Example: "  sealwright verify events.jsonl > sound.jsonl 2> refused.jsonl",
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := f.inputs(cmd, args, nil)
			if err != nil {
				return err
			}
			_, err = f.run(cmd.Context(), list, false, verifyLines)
			return err
		},
	}
	f.addFlags(cmd)
	return cmd
}

// verifyLines is the working stage of verify: all signatures of a chunk are verified
// together. Lines that ctx's end left undone get neither a result nor an error.
func verifyLines(ctx context.Context, lines []line) {
	events, at := parseLines(ctx, lines, layerEvent)
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

// parseLines parses the events of a chunk, of which each that is none is an error of the
// layer, and returns them with the index of the line of each. Lines that ctx's end left
// undone are not among them.
func parseLines(ctx context.Context, lines []line, layer nip59.Layer) (events []*event.Event, at []int) {
	parsed := make([]*event.Event, len(lines))
	parallel(len(lines), func(i int) {
		if lines[i].err != nil || ctx.Err() != nil {
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
