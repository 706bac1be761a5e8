package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/keys"
)

func newDecode() *cobra.Command {
	var f struct {
		lineFlags
		keys       keySources
		showSecret bool
	}
	cmd := &cobra.Command{
		Use:   "decode [STRING]... | decode (--key-file PATH | --key-env NAME | --key-fd N)",
		Short: "Read NIP-19 strings: one string a line in, one JSON object a line out",
		Long: `decode reads npub, note, nprofile, nevent and naddr from the arguments, or from
standard input, one a line, and writes one JSON object each.

A secret key is never an argument: with a key source, decode tells of that key.`,
		Example: `  sealwright decode npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6
  sealwright decode --key-file alice.nsec --show-secret`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.keys.count() > 0 {
				if len(args) > 0 {
					return usageError("want strings or a key source, not both")
				}
				sk, err := f.keys.one(warner(cmd.ErrOrStderr()))
				if err != nil {
					return err
				}
				defer sk.Zero()
				return writeSecretKey(cmd, sk, f.showSecret)
			}
			if f.showSecret {
				return usageError("--show-secret: want a key source")
			}
			for _, arg := range args {
				if secretText(arg) {
					return usageError("a secret key is never an argument: want --key-file, --key-env or --key-fd")
				}
			}
			work := eachLine(layerLine, decodeLine)
			if len(args) == 0 {
				list, err := f.prepare(cmd, nil, nil)
				if err != nil {
					return err
				}
				_, err = f.run(cmd.Context(), list, work, nil)
				return err
			}
			lines := make([]line, len(args))
			for i, arg := range args {
				lines[i] = line{file: "argument", number: int64(i + 1), text: []byte(arg)}
			}
			work(cmd.Context(), lines)
			out := newEmitter(os.Stdout, os.Stderr)
			err := out.emit(lines, 0)
			if err == nil && out.failed() {
				err = errSome
			}
			return err
		},
	}
	f.keys.addFlags(cmd)
	f.lineFlags.addFlags(cmd)
	cmd.Flags().BoolVar(&f.showSecret, "show-secret", false, "with a key source: write the secret key itself, too")
	return cmd
}

func decodeLine(_ context.Context, text []byte) ([]byte, error) {
	p, err := decodePointer(string(bytes.Trim(text, " \t\r")))
	if err != nil {
		return nil, err
	}
	return appendJSONLine(nil, p), nil
}

// secretText tells whether a text begins as a secret key of NIP-19 or NIP-49
// does.
func secretText(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	return strings.HasPrefix(s, "nsec1") || strings.HasPrefix(s, "ncryptsec1")
}

// writeSecretKey writes the object of an nsec.
func writeSecretKey(cmd *cobra.Command, sk *keys.SecretKey, show bool) error {
	object := struct {
		Type   string         `json:"type"`
		PubKey keys.PublicKey `json:"pubkey"`
		Secret string         `json:"secret,omitempty"`
	}{Type: "nsec", PubKey: sk.PublicKey()}
	if show {
		d, err := sk.Bytes()
		if err != nil {
			return err
		}
		defer clear(d)
		object.Secret = hex.EncodeToString(d)
	}
	b := appendJSONLine(nil, object)
	defer clear(b)
	return write(cmd, b)
}
