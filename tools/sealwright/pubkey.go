package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/keys"
)

func newPubkey() *cobra.Command {
	var source keySources
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "pubkey (--key-file PATH | --key-env NAME | --key-fd N)",
		Short:   "Print the public key of a secret key",
		Example: "  sealwright pubkey --key-file alice.nsec",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			sk, err := source.one(cmd.Context(), warner(cmd.ErrOrStderr()))
			if err != nil {
				return err
			}
			defer sk.Zero()
			return write(formatPublicKey(sk.PublicKey(), asJSON))
		},
	}
	source.addFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

// formatPublicKey gives both forms of a public key, as lines or as an object.
func formatPublicKey(p keys.PublicKey, asJSON bool) []byte {
	if asJSON {
		return appendJSONLine(nil, struct {
			PubKey string `json:"pubkey"`
			Npub   string `json:"npub"`
		}{p.String(), npub(p)})
	}
	return fmt.Appendf(nil, "npub  %s\nhex   %s\n", npub(p), p)
}
