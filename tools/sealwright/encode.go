package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/nip59"
)

func newEncode() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "encode npub|note|nprofile|nevent|naddr ...",
		Short: "Write a NIP-19 string",
		Long: `encode writes NIP-19 strings from hexadecimal and fields. It takes no secret key:
keygen writes an nsec.`,
		Example: `  sealwright encode npub 3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d
  sealwright encode nevent <id> --relay wss://relay.example --author <pubkey> --kind 1`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return usageError("want npub, note, nprofile, nevent or naddr")
		},
	}
	for _, c := range []struct{ name, arg, help string }{
		{"npub", "PUBKEY", "A public key"},
		{"note", "ID", "An event id"},
		{"nprofile", "PUBKEY", "A public key with relays"},
		{"nevent", "ID", "An event id with relays, author and kind"},
		{"naddr", "IDENTIFIER", "An addressable event: its d tag, author and kind"},
	} {
		cmd.AddCommand(newEncodeOne(c.name, c.arg, c.help))
	}
	return cmd
}

func newEncodeOne(name, arg, help string) *cobra.Command {
	var relays []string
	var author string
	var kind uint32
	cmd := &cobra.Command{
		Use:   name + " " + arg,
		Short: help,
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			e := &entity{Type: name, Relays: relays}
			switch arg {
			case "PUBKEY":
				pub, err := parsePublicKey(args[0])
				if err != nil {
					return usageError(err.Error())
				}
				e.PubKey = &pub
			case "ID":
				id, err := event.ParseID(args[0])
				if err != nil {
					return usageError("not an event id: want 64 lower-case hex digits")
				}
				e.ID = &id
			case "IDENTIFIER":
				if len(args[0]) > maxTLV {
					return usageError(fmt.Sprintf("the identifier has %d bytes, NIP-19 allows %d", len(args[0]), maxTLV))
				}
				e.Identifier = &args[0]
			}
			for _, relay := range relays {
				if err := checkRelay(relay); err != nil {
					return usageError(fmt.Sprintf("--relay: %v", err))
				}
			}
			if cmd.Flags().Changed("author") {
				pub, err := parsePublicKey(author)
				if err != nil {
					return usageError(fmt.Sprintf("--author: %v", err))
				}
				e.Author = &pub
			}
			if cmd.Flags().Changed("kind") {
				e.Kind = &kind
			}
			s, err := e.encode()
			if err != nil {
				return usageError(err.Error())
			}
			return write([]byte(s + "\n"))
		},
	}
	fl := cmd.Flags()
	if name != "npub" && name != "note" {
		fl.StringArrayVar(&relays, "relay", nil, "a relay where to look, `URL`; repeatable")
	}
	if name == "nevent" || name == "naddr" {
		fl.StringVar(&author, "author", "", "the author's `PUBKEY`, hex or npub")
		fl.Uint32Var(&kind, "kind", 0, "the event's kind, `N`")
	}
	return cmd
}

func newDecode() *cobra.Command {
	var f lineFlags
	cmd := &cobra.Command{
		Use:   "decode [STRING]...",
		Short: "Read NIP-19 strings: one JSON object each",
		Long: `decode reads NIP-19 strings from its arguments or, without any, one a line from
standard input, and prints a JSON object for each. A "nostr:" before a string is
dropped. An nsec is refused: secret keys are read by the key flags alone.`,
		Example: "  sealwright decode npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				list, err := f.inputs(cmd, nil, nil)
				if err != nil {
					return err
				}
				_, err = f.run(cmd.Context(), list, false, eachLine(decodeLine))
				return err
			}
			if err := f.apply(cmd); err != nil {
				return err
			}
			out := newEmitter(os.Stdout, os.Stderr)
			lines := make([]line, len(args))
			for i, s := range args {
				lines[i] = line{file: "argument", number: int64(i + 1), text: []byte(s)}
				if len(s) > int(f.maxLine) {
					lines[i].err = newTooLong(int64(len(s)), int64(f.maxLine))
				}
			}
			eachLine(decodeLine)(cmd.Context(), lines)
			if err := out.emit(lines, 0); err != nil {
				return err
			}
			return out.result()
		},
	}
	f.addFlags(cmd)
	return cmd
}

func decodeLine(_ context.Context, ln *line) (nip59.Layer, error) {
	const uri = "nostr:"
	s := strings.TrimSpace(string(ln.text))
	e, err := decodeEntity(strings.TrimPrefix(s, uri))
	if err != nil {
		return layerLine, malformed(err)
	}
	ln.out = appendJSONLine(nil, e)
	return "", nil
}
