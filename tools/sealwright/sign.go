package main

import (
	"context"

	"github.com/spf13/cobra"
)

func newSign() *cobra.Command {
	var f struct {
		lineFlags
		keys      keySources
		templates templates
	}
	cmd := &cobra.Command{
		Use:   "sign (--key-file PATH | --key-env NAME | --key-fd N) [FILE]...",
		Short: "Sign events: one template a line in, one signed event a line out",
		Long: `sign reads templates (events that lack id, sig and whatever else can be filled
in) as JSON Lines from the files, or from standard input, completes and signs
them, and writes one event a line, in input order.

Content is needed, and a kind, which --kind gives where the template has none.
The author is the key, the time is now, and there are no tags, unless the
template says otherwise. A template that names another author is refused.`,
		Example: `  echo '{"kind":1,"content":"Hola"}' | sealwright sign --key-file alice.nsec`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.templates.check(cmd); err != nil {
				return err
			}
			list, err := f.prepare(cmd, args, &f.keys)
			if err != nil {
				return err
			}
			warn := warner(cmd.ErrOrStderr())
			warnCPU(warn)
			sk, err := f.keys.one(warn)
			if err != nil {
				return err
			}
			defer sk.Zero()
			f.templates.author = sk.PublicKey()
			_, err = f.run(cmd.Context(), list, eachLine(layerEvent, func(_ context.Context, text []byte) ([]byte, error) {
				e, err := f.templates.parse(text)
				if err != nil {
					return nil, err
				}
				if err := e.Sign(sk); err != nil {
					return nil, err
				}
				return append(e.AppendJSON(nil), '\n'), nil
			}), nil)
			return err
		},
	}
	f.keys.addFlags(cmd)
	f.templates.addFlags(cmd, "a template")
	f.lineFlags.addFlags(cmd)
	return cmd
}
