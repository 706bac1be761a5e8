package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/nip59"
	"github.com/sealwright/sealwright/protocol/signer"
)

const defaultMaxPlaintext = 1 << 20

type unwrapFlags struct {
	lineFlags
	keys         keySources
	maxPlaintext byteSize
	skipWrap     bool
	format       string
	summary      bool
}

func newUnwrap() *cobra.Command {
	var f unwrapFlags
	cmd := &cobra.Command{
		Use:   "unwrap (--key-file PATH | --key-env NAME | --key-fd N)... [FILE]...",
		Short: "Open gift wraps: one event a line in, one message a line out",
		Long: `unwrap reads gift wraps (NIP-59, kinds 1059 and 21059) as JSON Lines from the
files, or from standard input, checks and opens both layers, and writes one
message a line, in input order. What cannot be opened is told on standard
error, one JSON object a line, and never stops the rest. Memory does not grow
with the input.

Several keys may be given; each wrap is tried with all of them.`,
		Example: `  sealwright unwrap --key-file alice.nsec inbox.jsonl
  sealwright unwrap --key-file alice.nsec --format text --summary inbox.jsonl
  relay-client | sealwright unwrap --key-env NOSTR_KEY > messages.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return runUnwrap(cmd, &f, args) },
	}
	f.keys.addFlags(cmd)
	f.lineFlags.addFlags(cmd)
	f.maxPlaintext = defaultMaxPlaintext
	fl := cmd.Flags()
	fl.Var(&f.maxPlaintext, "max-plaintext", "longest text decrypted in either layer")
	fl.BoolVar(&f.skipWrap, "skip-wrap-signature", false,
		"do not verify the wraps' own signatures: saves one of four curve operations and loses the proof that tags, kind and time of the wrap are what its one-time key signed. Sender and content stay proven by the seal. Only for events that a trusted relay or store has verified")
	fl.StringVar(&f.format, "format", "json", "output `FORMAT`: json, or text for people (long messages abridged)")
	fl.BoolVar(&f.summary, "summary", false, "at the end, tell on standard error what was opened and refused, the rate and the kernels in use")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"json", "text"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runUnwrap(cmd *cobra.Command, f *unwrapFlags, args []string) error {
	if f.format != "json" && f.format != "text" {
		return usageError("--format: want json or text")
	}
	list, err := f.inputs(cmd, args, &f.keys)
	if err != nil {
		return err
	}
	me, options, closeKeys, err := f.open(cmd.Context(), warner(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	defer closeKeys()

	u := unwrapper{me: me, options: options, encode: appendMessageJSON}
	text := f.format == "text"
	if text {
		u.encode = appendMessageText
	}
	start := time.Now()
	out, err := f.run(cmd.Context(), list, text, u.work)
	if f.summary {
		s := summarise(out, time.Since(start))
		if f.format == "text" {
			os.Stderr.Write(s.appendText(nil))
		} else {
			os.Stderr.Write(s.appendJSON(nil))
		}
	}
	return err
}

// open loads the keys and makes an identity of each.
func (f *unwrapFlags) open(ctx context.Context, warn func(string)) (me signer.Cipher, o *nip59.UnwrapOptions, closeAll func(), err error) {
	secrets, err := f.keys.all(ctx, warn)
	if err != nil {
		return nil, nil, nil, err
	}
	var ids []*identity.Identity
	closeAll = func() {
		for _, id := range ids {
			id.Close()
		}
	}
	for _, sk := range secrets {
		id, err := identity.New(sk)
		sk.Zero()
		if err != nil {
			closeAll()
			return nil, nil, nil, err
		}
		ids = append(ids, id)
	}
	o = &nip59.UnwrapOptions{SkipWrapSignature: f.skipWrap, MaxPlaintext: uint64(f.maxPlaintext)}
	for _, id := range ids[1:] {
		o.Keys = append(o.Keys, id)
	}
	return ids[0], o, closeAll, nil
}

// An unwrapper is the working stage of unwrap.
type unwrapper struct {
	me      signer.Cipher
	options *nip59.UnwrapOptions
	encode  func(dst []byte, ln *line, m *nip59.Message) []byte
}

// work opens the wraps of a chunk. Lines that ctx's end left undone get
// neither a result nor an error.
func (u *unwrapper) work(ctx context.Context, lines []line) {
	wraps, at := parseLines(ctx, lines, nip59.LayerWrap)
	results := nip59.UnwrapAll(ctx, u.me, wraps, u.options)
	parallel(len(results), func(i int) {
		ln, r := &lines[at[i]], results[i]
		switch {
		case r.Err == nil:
			ln.out = u.encode(nil, ln, r.Message)
		case ctx.Err() == nil:
			ln.err = newLineError(r.Err, nip59.LayerWrap)
		}
	})
}

// appendMessageJSON appends the output object of CLI.md as one line.
func appendMessageJSON(dst []byte, _ *line, m *nip59.Message) []byte {
	dst = fmt.Appendf(dst, `{"sender":"%s","rumor":`, m.Sender)
	dst = m.Rumor.AppendJSON(dst)
	return fmt.Appendf(dst, `,"wrap_id":"%s","seal_id":"%s","wrap_created_at":%d}`+"\n", m.WrapID, m.SealID, m.WrapCreatedAt)
}
