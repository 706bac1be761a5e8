package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip59"
)

func newSign() *cobra.Command {
	var f lineFlags
	var source keySources
	var t template
	cmd := &cobra.Command{
		Use:   "sign (--key-file PATH | --key-env NAME | --key-fd N) [FILE]...",
		Short: "Complete and sign events: templates in, signed events out",
		Long: `sign reads unsigned events as JSON Lines, completes and signs them, in input
order. A template needs content; kind may come from --kind, pubkey is yours,
created_at is now where it is absent, tags are none. An id or signature in the
template is replaced. A template that names another author is refused: another of your keys
may be the author's.`,
		Example: `  echo '{"kind":1,"content":"hello"}' | sealwright sign --key-file me.nsec`,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := f.inputs(cmd, args, &source)
			if err != nil {
				return err
			}
			if err := t.check(cmd); err != nil {
				return err
			}
			me, err := openIdentity(cmd, &source)
			if err != nil {
				return err
			}
			defer me.Close()
			_, err = f.run(cmd.Context(), list, false, eachLine(func(ctx context.Context, ln *line) (nip59.Layer, error) {
				e, err := t.parse(ln.text, me.PublicKey())
				if err == nil {
					err = me.SignEvent(ctx, e)
				}
				if err != nil {
					return layerEvent, err
				}
				ln.out = append(e.AppendJSON(nil), '\n')
				return "", nil
			}))
			return err
		},
	}
	source.addFlags(cmd)
	f.addFlags(cmd)
	t.addFlags(cmd)
	return cmd
}

// openIdentity loads the one key of a command.
func openIdentity(cmd *cobra.Command, source *keySources) (*identity.Identity, error) {
	sk, err := source.one(cmd.Context(), warner(cmd.ErrOrStderr()))
	if err != nil {
		return nil, err
	}
	defer sk.Zero()
	return identity.New(sk)
}

// template says how an unsigned event is completed.
type template struct {
	kind    int
	setKind bool
}

func (t *template) addFlags(cmd *cobra.Command) {
	cmd.Flags().IntVar(&t.kind, "kind", 0, "kind `N` where a line has none")
}

func (t *template) check(cmd *cobra.Command) error {
	t.setKind = cmd.Flags().Changed("kind")
	if t.setKind && (t.kind < 0 || t.kind > event.MaxKind) {
		return usageError(fmt.Sprintf("--kind: want 0 to %d", event.MaxKind))
	}
	return nil
}

// errAuthor has the class of what another of the user's keys may do.
var errAuthor = ownError{nip59.ClassNotForMe, errors.New("names another author")}

// parse reads an unsigned event and completes it for its author: kind, public
// key, time. The id, if one is there, is kept for the caller to judge.
func (t *template) parse(text []byte, author keys.PublicKey) (*event.Event, error) {
	e, present, err := event.ParseUnsigned(text)
	var missing *event.ParseError
	if t.setKind && errors.As(err, &missing) && missing.Field == "kind" && errors.Is(err, event.ErrMissingKey) {
		// All else was read. The offset is that of the closing brace: the kind
		// goes before it, so that what may still be missing is so at the same place.
		members := bytes.TrimRight(text[:missing.Offset], " \t\r\n")
		comma := ","
		if members[len(members)-1] == '{' {
			comma = ""
		}
		e, present, err = event.ParseUnsigned(fmt.Appendf(nil, `%s%s"kind":%d}`, members, comma, t.kind))
		var next *event.ParseError
		if errors.As(err, &next) {
			next.Offset = missing.Offset
		}
	}
	if err != nil {
		return nil, err
	}
	if present.PubKey && e.PubKey != author {
		return nil, errAuthor
	}
	e.PubKey = author
	if !present.CreatedAt {
		e.CreatedAt = time.Now().Unix()
	}
	return e, nil
}
