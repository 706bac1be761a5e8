package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// cipherFlags are those that encrypt and decrypt share.
type cipherFlags struct {
	lineFlags
	source       keySources
	peer         string
	maxPlaintext byteSize
	jsonl        bool
	options      nip44.Options
}

// newCipher makes encrypt or decrypt: convert does one message.
func newCipher(cmd *cobra.Command, peerFlag, peerHelp string, convert func(ck *nip44.ConversationKey, in []byte, o *nip44.Options) ([]byte, error)) *cobra.Command {
	var f cipherFlags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.peer == "" {
			return usageError("want --" + peerFlag)
		}
		peers, err := parsePublicKeys("--"+peerFlag, []string{f.peer})
		if err != nil {
			return err
		}
		if len(peers) != 1 {
			return usageError("--" + peerFlag + ": want one key")
		}
		if !f.jsonl && len(args) > 1 {
			return usageError("want one file; with --jsonl several")
		}
		list, err := f.inputs(cmd, args, &f.source)
		if err != nil {
			return err
		}
		me, err := openIdentity(cmd, &f.source)
		if err != nil {
			return err
		}
		defer me.Close()
		ck, err := me.ConversationKey(peers[0])
		if err != nil {
			return err
		}
		defer ck.Zero()
		f.options.MaxPlaintext = uint64(f.maxPlaintext)
		if f.jsonl {
			_, err := f.run(cmd.Context(), list, false, eachLine(func(_ context.Context, ln *line) (nip59.Layer, error) {
				in, err := unquote(ln.text)
				if err != nil {
					return layerLine, err
				}
				out, err := convert(ck, in, &f.options)
				if err != nil {
					return layerPayload, err
				}
				ln.out = appendJSONLine(nil, string(out))
				return "", nil
			}))
			return err
		}
		in, err := f.whole(cmd.Context(), list[0])
		if err != nil {
			return err
		}
		out, err := convert(ck, in, &f.options)
		if err != nil {
			return fmt.Errorf("%s: %w", list[0].name, err)
		}
		if peerFlag == "to" {
			out = append(out, '\n')
		}
		_, err = os.Stdout.Write(out)
		return outputError(err)
	}
	f.source.addFlags(cmd)
	f.lineFlags.addFlags(cmd)
	f.maxPlaintext = defaultMaxPlaintext
	fl := cmd.Flags()
	fl.StringVar(&f.peer, peerFlag, "", peerHelp+"'s `PUBKEY`, hex or npub")
	fl.Var(&f.maxPlaintext, "max-plaintext", "longest text")
	fl.BoolVar(&f.jsonl, "jsonl", false, "take and print a JSON string a line instead of one message")
	if peerFlag == "to" {
		fl.BoolVar(&f.options.LegacyOnly, "legacy-only", false, "refuse what older programs cannot read: 65,536 bytes and more")
	}
	return cmd
}

func newEncrypt() *cobra.Command {
	return newCipher(&cobra.Command{
		Use:   "encrypt (--key-file PATH | --key-env NAME | --key-fd N) --to PUBKEY [FILE]",
		Short: "Encrypt a text to a NIP-44 payload",
		Long: `encrypt takes the whole input, to the last byte, as the text, and prints its
NIP-44 payload and a line end. With --jsonl it does so for every line, each a
JSON string.`,
		Example: "  printf %s hello | sealwright encrypt --key-file me.nsec --to npub1…",
	}, "to", "the receiver", encryptText)
}

func newDecrypt() *cobra.Command {
	return newCipher(&cobra.Command{
		Use:   "decrypt (--key-file PATH | --key-env NAME | --key-fd N) --from PUBKEY [FILE]",
		Short: "Decrypt a NIP-44 payload",
		Long: `decrypt takes a NIP-44 payload, white space around it dropped, and prints its
text, to the byte. With --jsonl it does so for every line, each a JSON string.

It proves nothing about the author: only a verified event that carries the
payload does.`,
		Example: "  sealwright decrypt --key-file me.nsec --from npub1… payload.txt",
	}, "from", "the sender", decryptPayload)
}

// encryptText and decryptPayload hold texts to UTF-8, of which the library's
// calls on bytes take no notice: a JSON string could not carry another one.
func encryptText(ck *nip44.ConversationKey, in []byte, o *nip44.Options) ([]byte, error) {
	if !utf8.Valid(in) {
		return nil, nip44.ErrUTF8
	}
	return ck.AppendEncrypt(nil, in, o)
}

func decryptPayload(ck *nip44.ConversationKey, in []byte, o *nip44.Options) ([]byte, error) {
	in = bytes.TrimSpace(in)
	if len(in) == 0 {
		return nil, errNoPayload
	}
	out, err := ck.AppendDecrypt(nil, in, o)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(out) {
		clear(out)
		return nil, nip44.ErrUTF8
	}
	return out, nil
}

var errNoPayload = malformed(errors.New("empty: there is no payload"))

// layerPayload is the layer of a failure of a payload that no event carries.
const layerPayload nip59.Layer = "payload"

// whole reads one input of at most --max-line bytes.
func (f *cipherFlags) whole(ctx context.Context, in input) ([]byte, error) {
	data, err := await(ctx, func() ([]byte, error) {
		r, err := in.open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return io.ReadAll(io.LimitReader(r, int64(f.maxLine)+1))
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, bareError(err))
	}
	if int64(len(data)) > int64(f.maxLine) {
		return nil, fmt.Errorf("%s: longer than --max-line, %d bytes", in.name, f.maxLine)
	}
	return data, nil
}

// unquote reads a line that is one JSON string, as strictly as the content of an
// event is read. Offsets in its errors are those of the line.
func unquote(text []byte) ([]byte, error) {
	const before = `{"kind":0,"content":`
	// Otherwise a line could close the string and go on with other fields.
	if !json.Valid(text) {
		return nil, malformed(event.ErrSyntax)
	}
	e, _, err := event.ParseUnsigned(fmt.Appendf(nil, "%s%s}", before, text))
	var at *event.ParseError
	if errors.As(err, &at) {
		return nil, &event.ParseError{Offset: at.Offset - len(before), Err: at.Err}
	}
	if err != nil {
		return nil, err
	}
	return []byte(e.Content), nil
}
