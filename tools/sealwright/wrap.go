package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip17"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

func newWrap() *cobra.Command {
	var f lineFlags
	var source keySources
	var t template
	var to []string
	var self, ephemeral bool
	var o nip59.WrapOptions
	cmd := &cobra.Command{
		Use:   "wrap (--key-file PATH | --key-env NAME | --key-fd N) (--to PUBKEY[,PUBKEY]... | --self) [FILE]...",
		Short: "Make gift wraps: rumors in, one wrap for each receiver out",
		Long: `wrap reads rumors (unsigned events) as JSON Lines, seals and wraps each for every
receiver (NIP-59), and writes the wraps in input order, for each rumor in the
order of --to. A rumor is completed as sign completes a template; an id that it
carries must be right. Either all wraps of a rumor are written or none.

A message of a chat (kind 14 or 15) must name its receivers in p tags: the others
would refuse it, and a warning tells of them.`,
		Example: `  echo '{"kind":14,"tags":[["p","<hex>"]],"content":"hello"}' |
    sealwright wrap --key-file me.nsec --to npub1… --self`,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := f.inputs(cmd, args, &source)
			if err != nil {
				return err
			}
			if err := t.check(cmd); err != nil {
				return err
			}
			receivers, err := parsePublicKeys("--to", to)
			if err != nil {
				return err
			}
			if len(receivers) == 0 && !self {
				return usageError("want a receiver: --to or --self")
			}
			if cmd.Flags().Changed("expires") && o.Expiration < time.Second {
				return usageError("--expires: want 1s or more")
			}
			if cmd.Flags().Changed("relay") && o.Relay == "" {
				return usageError("--relay: want a URL")
			}
			if ephemeral {
				o.Kind = nip59.Ephemeral
			}
			me, err := openIdentity(cmd, &source)
			if err != nil {
				return err
			}
			defer me.Close()
			if self {
				receivers = append(receivers, me.PublicKey())
			}
			w := wrapper{me: me, template: &t, receivers: distinct(receivers), options: &o}
			f.fan = len(w.receivers)
			_, err = f.run(cmd.Context(), list, false, eachLine(w.wrap))
			return err
		},
	}
	source.addFlags(cmd)
	f.addFlags(cmd)
	t.addFlags(cmd)
	fl := cmd.Flags()
	fl.StringArrayVar(&to, "to", nil, "receivers, each `PUBKEY` hex or npub, separated by commas; repeatable")
	fl.BoolVar(&self, "self", false, "one more wrap, for yourself")
	fl.BoolVar(&ephemeral, "ephemeral", false, "kind 21059, which relays do not store, instead of 1059")
	fl.DurationVar(&o.Expiration, "expires", 0, "add an expiration (NIP-40): no earlier than this `DURATION` from now, such as 72h")
	fl.StringVar(&o.Relay, "relay", "", "relay hint `URL` in the p tag")
	fl.BoolVar(&o.LegacyOnly, "legacy-only", false, "refuse what older programs cannot read")
	return cmd
}

// A wrapper makes the wraps of rumors.
type wrapper struct {
	me        *identity.Identity
	template  *template
	receivers []keys.PublicKey // distinct
	options   *nip59.WrapOptions
}

// wrap sets the wraps of a rumor as the output of its line. It makes no more of
// them at once than partBytes hold, the rest when the first are written.
func (w *wrapper) wrap(ctx context.Context, ln *line) (nip59.Layer, error) {
	e, err := w.template.parse(ln.text, w.me.PublicKey())
	if err != nil {
		return nip59.LayerRumor, err
	}
	rumor := &nip59.Rumor{ID: e.ID, PubKey: e.PubKey, CreatedAt: e.CreatedAt, Kind: e.Kind, Tags: e.Tags, Content: e.Content}
	rest := w.receivers
	some := func(ctx context.Context) ([]byte, error) {
		n := min(len(rest), max(1, int(partBytes/outputOf(ln.text))))
		results := nip59.WrapMany(ctx, w.me, rumor, rest[:n:n], w.options)
		rest = rest[n:]
		return wrapLines(results)
	}
	out, err := some(ctx)
	var size *nip44.SizeError
	switch {
	case errors.As(err, &size) && w.options.LegacyOnly:
		return nip59.LayerRumor, ownError{nip59.ClassTooLarge, fmt.Errorf("rumor of %d bytes: older programs read %d at most (--legacy-only)", size.Size, size.Limit)}
	case errors.As(err, &size):
		return nip59.LayerRumor, ownError{nip59.ClassTooLarge, fmt.Errorf("rumor of %d bytes: %d is the most that is sent", size.Size, size.Limit)}
	case err != nil:
		return nip59.LayerWrap, err
	}
	ln.out = out
	if n := w.strangers(e); n > 0 {
		ln.warning = fmt.Sprintf("no p tag names %d of the receivers: who is not named takes this for no message of a chat (NIP-17)", n)
	}
	if len(rest) > 0 {
		ctx := context.WithoutCancel(ctx)
		ln.more = func() ([]byte, error) {
			if len(rest) == 0 {
				return nil, nil
			}
			return some(ctx)
		}
	}
	return "", nil
}

// strangers counts the receivers of a chat's message that are not in its room:
// its author and whom the p tags name (NIP-17).
func (w *wrapper) strangers(e *event.Event) (n int) {
	if e.Kind != nip17.KindChat && e.Kind != nip17.KindFile {
		return 0
	}
	for _, to := range w.receivers {
		name := to.String()
		named := slices.ContainsFunc(e.Tags, func(tag event.Tag) bool {
			return len(tag) > 1 && tag[0] == "p" && tag[1] == name
		})
		if !named && to != e.PubKey {
			n++
		}
	}
	return n
}

// wrapLines returns the wraps as lines, or the first error.
func wrapLines(results []nip59.WrapResult) ([]byte, error) {
	size := 0
	for _, r := range results {
		if r.Err != nil {
			return nil, r.Err
		}
		size += len(r.Event.Content) + 1<<10
	}
	out := make([]byte, 0, size)
	for _, r := range results {
		out = append(r.Event.AppendJSON(out), '\n')
	}
	return out, nil
}

// parsePublicKeys reads hex or npub, several separated by commas in each text.
// They must be on the curve. No error quotes the text: it may be a secret key
// in the wrong place.
func parsePublicKeys(flag string, texts []string) ([]keys.PublicKey, error) {
	var all []keys.PublicKey
	for _, text := range texts {
		for s := range strings.SplitSeq(text, ",") {
			pub, err := parsePublicKey(strings.TrimSpace(s))
			if err != nil {
				return nil, usageError(fmt.Sprintf("%s: key %d: %v", flag, len(all)+1, err))
			}
			all = append(all, pub)
		}
	}
	return all, nil
}

// distinct drops the keys that were there before: one receiver, one wrap.
func distinct(all []keys.PublicKey) []keys.PublicKey {
	var list []keys.PublicKey
	for _, pub := range all {
		if !slices.Contains(list, pub) {
			list = append(list, pub)
		}
	}
	return list
}

// parsePublicKey reads hex or npub.
func parsePublicKey(s string) (keys.PublicKey, error) {
	b, err := decodeNIP19("npub", s)
	if err == nil {
		return keys.NewPublicKey(b[:])
	}
	if len(s) != 2*len(keys.PublicKey{}) {
		return keys.PublicKey{}, errPublicKey
	}
	return keys.ParsePublicKey(s)
}
