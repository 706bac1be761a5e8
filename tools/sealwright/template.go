package main

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
)

// templates reads events that are not complete yet, for sign and wrap.
type templates struct {
	kind    int
	hasKind bool
	author  keys.PublicKey
}

func (t *templates) addFlags(cmd *cobra.Command, what string) {
	cmd.Flags().IntVar(&t.kind, "kind", 0, "kind `N` of "+what+" that has none")
}

// check looks at the flags.
func (t *templates) check(cmd *cobra.Command) error {
	if t.hasKind = cmd.Flags().Changed("kind"); t.hasKind {
		return checkKind(t.kind)
	}
	return nil
}

// parse reads a template and sets author and time where it has none.
func (t *templates) parse(text []byte) (*event.Event, error) {
	e, present, err := event.ParseUnsigned(text)
	var parse *event.ParseError
	if t.hasKind && errors.As(err, &parse) && parse.Field == "kind" && errors.Is(err, event.ErrMissingKey) {
		e, present, err = t.parseWithKind(text, parse.Offset)
	}
	if err != nil {
		return nil, err
	}
	if !present.PubKey {
		e.PubKey = t.author
	}
	if !present.CreatedAt {
		e.CreatedAt = time.Now().Unix()
	}
	return e, nil
}

// parseWithKind reads a template that lacks nothing but the kind, as far as
// its first reader saw; closing is where its closing brace is.
func (t *templates) parseWithKind(text []byte, closing int) (*event.Event, event.Present, error) {
	field := strconv.AppendInt([]byte(`"kind":`), int64(t.kind), 10)
	if !bytes.HasSuffix(bytes.TrimRight(text[:closing], " \t\r\n"), []byte("{")) {
		field = append([]byte{','}, field...)
	}
	e, present, err := event.ParseUnsigned(slices.Concat(text[:closing], field, text[closing:]))
	var parse *event.ParseError
	if errors.As(err, &parse) && parse.Offset >= closing {
		parse.Offset = max(closing, parse.Offset-len(field))
	}
	return e, present, err
}
