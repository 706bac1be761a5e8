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
			_, err = f.run(cmd.Context(), list, false, eachLine(verifyLine))
			return err
		},
	}
	f.addFlags(cmd)
	return cmd
}

func verifyLine(_ context.Context, ln *line) (nip59.Layer, error) {
	e, err := event.Parse(ln.text)
	if err == nil {
		err = e.Verify()
	}
	if err != nil {
		return layerEvent, err
	}
	ln.out = append(append(make([]byte, 0, len(ln.text)+1), ln.text...), '\n')
	return "", nil
}
