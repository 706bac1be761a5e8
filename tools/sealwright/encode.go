package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
)

func newEncode() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "encode npub|note|nprofile|nevent|naddr|nsec",
		Short: "Write NIP-19 strings",
		Long: `encode writes one NIP-19 string from hex and fields. Public keys may be given
as hex or npub. The secret key of an nsec comes from a key source, never from an
argument.`,
		Example: `  sealwright encode npub 7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e
  sealwright encode nprofile npub1… --relay wss://relay.example.com`,
		RunE: func(*cobra.Command, []string) error {
			return usageError("encode: want one of npub, note, nprofile, nevent, naddr and nsec")
		},
	}
	cmd.AddCommand(
		newEncodePointer("npub", "PUBKEY", "A public key"),
		newEncodePointer("note", "ID", "The id of an event"),
		newEncodePointer("nprofile", "PUBKEY", "A public key, with relays"),
		newEncodePointer("nevent", "ID", "The id of an event, with relays, author and kind"),
		newEncodePointer("naddr", "", "The address of a replaceable event"),
		newEncodeNsec(),
	)
	return cmd
}

func newEncodePointer(kind, operand, short string) *cobra.Command {
	var f struct {
		relays             []string
		author, identifier string
		kind               int
	}
	use, args := kind+" "+operand, cobra.ExactArgs(1)
	if kind == "naddr" {
		use, args = "naddr --identifier TEXT --author PUBKEY --kind N", cobra.NoArgs
	}
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Args:  usageArgs(args),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := pointer{Type: kind, Relays: f.relays}
			var err error
			switch kind {
			case "npub", "nprofile":
				p.PubKey, err = publicKeyFlag(kind, args[0])
			case "note", "nevent":
				p.ID = new(event.ID)
				if p.ID.UnmarshalText([]byte(args[0])) != nil {
					err = errors.New(kind + ": not an id: want 64 lower-case hex digits")
				}
			}
			if err != nil {
				return err
			}
			given := cmd.Flags().Changed
			if kind == "naddr" {
				if !given("identifier") || !given("author") || !given("kind") {
					return usageError("naddr: want --identifier, --author and --kind")
				}
				p.Identifier = &f.identifier
			}
			if given("author") {
				if p.Author, err = publicKeyFlag("--author", f.author); err != nil {
					return err
				}
			}
			if given("kind") {
				if err := checkKind(f.kind); err != nil {
					return err
				}
				p.Kind = &f.kind
			}
			s, err := p.encode()
			if err != nil {
				return err
			}
			return write(cmd, []byte(s+"\n"))
		},
	}
	fl := cmd.Flags()
	switch kind {
	case "nevent", "naddr":
		fl.StringVar(&f.author, "author", "", "author of the event, as hex or npub `PUBKEY`")
		fl.IntVar(&f.kind, "kind", 0, "kind `N` of the event")
		fallthrough
	case "nprofile":
		fl.StringArrayVar(&f.relays, "relay", nil, "a relay `URL` to look at; repeatable")
	}
	if kind == "naddr" {
		fl.StringVar(&f.identifier, "identifier", "", "the event's d tag `TEXT`; may be empty")
	}
	return cmd
}

func newEncodeNsec() *cobra.Command {
	var source keySources
	cmd := &cobra.Command{
		Use:   "nsec (--key-file PATH | --key-env NAME | --key-fd N)",
		Short: "A secret key, from a key source: it is written to standard output",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			sk, err := source.one(warner(cmd.ErrOrStderr()))
			if err != nil {
				return err
			}
			defer sk.Zero()
			d, err := sk.Bytes()
			if err != nil {
				return err
			}
			defer clear(d)
			return write(cmd, []byte(encodeBech32("nsec", d)+"\n"))
		},
	}
	source.addFlags(cmd)
	return cmd
}

// publicKeyFlag reads the public key that a flag or an argument names. The
// error does not quote it.
func publicKeyFlag(name, s string) (*keys.PublicKey, error) {
	p, err := parsePublicKey(s)
	if err != nil {
		return nil, errors.New(name + ": " + err.Error())
	}
	return &p, nil
}

// checkKind tells whether a flag's number is a kind.
func checkKind(kind int) error {
	e := event.Event{Kind: kind}
	if e.Validate() != nil {
		return usageError("--kind: want a number in 0..65535")
	}
	return nil
}
