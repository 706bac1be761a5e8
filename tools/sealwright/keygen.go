package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/keys"
)

func newKeygen() *cobra.Command {
	var out string
	var asHex, asJSON bool
	cmd := &cobra.Command{
		Use:   "keygen --out FILE",
		Short: "Make a secret key and write it to a new file",
		Long: `keygen makes a secret key from the system's random source, writes it to a new
file with mode 0600, and prints the public key. A file that exists is never
overwritten.`,
		Example: "  sealwright keygen --out alice.nsec",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usageError("want --out: where the secret key goes")
			}
			secret, public, err := generateKey(asHex)
			if err != nil {
				return err
			}
			defer clear(secret)
			shown := formatPublicKey(public, asJSON)
			if out == "-" {
				if err := write(secret); err != nil {
					return err
				}
				_, err = cmd.ErrOrStderr().Write(shown)
				return err
			}
			if err := writeNewFile(out, secret); err != nil {
				return err
			}
			return write(shown)
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", "", "write the secret key to the new file `FILE`; - is standard output, the public key then goes to standard error")
	f.BoolVar(&asHex, "hex", false, "write the secret key as hex instead of nsec")
	f.BoolVar(&asJSON, "json", false, "print the public key as a JSON object")
	return cmd
}

// generateKey returns a new secret key as one line of text, and its public key.
func generateKey(asHex bool) (secret []byte, public keys.PublicKey, err error) {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		return nil, public, err
	}
	defer sk.Zero()
	d, err := sk.Bytes()
	if err != nil {
		return nil, public, err
	}
	defer clear(d)
	if asHex {
		secret = hex.AppendEncode(nil, d)
	} else {
		secret = []byte(encodeNIP19("nsec", [32]byte(d)))
	}
	return append(secret, '\n'), sk.PublicKey(), nil
}

// writeNewFile makes a file that only its owner can read. It never touches one
// that exists, and leaves none behind when writing fails.
func writeNewFile(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: exists, not overwritten", path)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, bareError(err))
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(path)
		return fmt.Errorf("%s: %w", path, bareError(err))
	}
	return nil
}
