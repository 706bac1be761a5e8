// Hostile makes a corpus of gift wraps that somebody sends to do harm, each
// with the answer that the documentation of this module promises:
//
//	go run ./hostile -o DIR
//
// writes one file of JSON lines for each kind of attack, and recipient.json with
// the secret key of the one they are sent to. Any implementation of NIP-59 may be
// tried on them; where it is less strict than this one it will open some, but
// it must not crash, nor take a forged message for a true one.
//
// The corpus is built, and the answers of the sweeps are found, with btcec,
// x/crypto and the standard library: nothing of what is tested makes the test.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

func main() {
	dir := flag.String("o", "", "write the corpus into `DIR`")
	flag.Parse()
	if *dir == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "hostile: want -o DIR and nothing else")
		os.Exit(2)
	}
	n, err := write(*dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
	fmt.Printf("hostile: %d inputs (%d kinds) in %s\n", n, len(kinds), *dir)
}

// A record is an Input as it stands in a file.
type record struct {
	Name     string   `json:"name"`
	Outcome  string   `json:"outcome"`            // open or refuse
	Layer    string   `json:"layer,omitempty"`    // that fails
	Class    string   `json:"class,omitempty"`    // of nip59.Classify
	Final    bool     `json:"final"`              // trying again can never help
	Errors   []string `json:"errors,omitempty"`   // it is all of these
	OneOf    []string `json:"one_of,omitempty"`   // and one of these
	Unsealed string   `json:"unsealed,omitempty"` // class, or open: as a wrap of a single layer
	Line     []byte   `json:"line_base64"`        // it may be no UTF-8
}

// write makes the files and returns the number of inputs.
func write(dir string) (n int, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	g := &generator{builder: newBuilder()}
	recipient, err := json.Marshal(map[string]string{"secret_key": hex.EncodeToString(g.bob.secret[:]), "public_key": g.bob.hex})
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(dir, "recipient.json"), append(recipient, '\n'), 0o644); err != nil {
		return 0, err
	}
	for _, k := range kinds {
		f, err := os.Create(filepath.Join(dir, k.name+".jsonl"))
		if err != nil {
			return n, err
		}
		out := bufio.NewWriter(f)
		enc := json.NewEncoder(out)
		var failed error
		g.emit = func(in Input) {
			n++
			if err := enc.Encode(g.record(in)); err != nil && failed == nil {
				failed = err
			}
		}
		g.kind = k.name
		k.make(g)
		if failed == nil {
			failed = out.Flush()
		}
		if err := f.Close(); failed == nil {
			failed = err
		}
		if failed != nil {
			return n, failed
		}
	}
	return n, nil
}

func (g *generator) record(in Input) record {
	r := record{Name: in.Name, Outcome: "open", Line: in.Line}
	if !in.Opens {
		r.Outcome = "refuse"
		r.Layer, r.Class, r.Final = string(in.Layer), string(in.Class), in.Final()
		r.Errors, r.OneOf = errorNames(in.All), errorNames(in.Any)
	}
	if a, ok := g.unsealed(in); ok {
		r.Unsealed = string(a.Class)
		if a.Opens {
			r.Unsealed = "open"
		}
	}
	return r
}

// referenceMax is the longest line, in bytes, that the reference reads: nesting
// and size are answered by hand alone.
const referenceMax = 256 << 10

// unsealed is the answer to an input that is taken for a wrap of a single layer.
func (g *generator) unsealed(in Input) (a Answer, ok bool) {
	if !in.Opens && in.Layer == nip59.LayerWrap {
		return in.Answer, true // both calls check a wrap alike
	}
	if in.Single != nil {
		return *in.Single, true
	}
	if len(in.Line) > referenceMax {
		return Answer{}, false
	}
	return g.unsealedAnswer(in.Line), true
}

// names of the causes, for those who read the corpus without this module.
var names = []struct {
	err  error
	name string
}{
	{event.ErrSyntax, "event.ErrSyntax"}, {event.ErrUTF8, "event.ErrUTF8"}, {event.ErrNesting, "event.ErrNesting"},
	{event.ErrDuplicateKey, "event.ErrDuplicateKey"}, {event.ErrKeyCase, "event.ErrKeyCase"}, {event.ErrMissingKey, "event.ErrMissingKey"},
	{event.ErrType, "event.ErrType"}, {event.ErrHex, "event.ErrHex"}, {event.ErrCreatedAt, "event.ErrCreatedAt"}, {event.ErrKind, "event.ErrKind"},
	{event.ErrEmptyTag, "event.ErrEmptyTag"}, {event.ErrID, "event.ErrID"}, {event.ErrSignature, "event.ErrSignature"},
	{keys.ErrPublicKey, "keys.ErrPublicKey"},
	{nip44.ErrVersion, "nip44.ErrVersion"}, {nip44.ErrTooShort, "nip44.ErrTooShort"}, {nip44.ErrTooLarge, "nip44.ErrTooLarge"},
	{nip44.ErrBase64, "nip44.ErrBase64"}, {nip44.ErrMAC, "nip44.ErrMAC"}, {nip44.ErrPadding, "nip44.ErrPadding"}, {nip44.ErrLegacyNIP04, "nip44.ErrLegacyNIP04"},
	{nip59.ErrKind, "nip59.ErrKind"}, {nip59.ErrWrapSignature, "nip59.ErrWrapSignature"}, {nip59.ErrSealSignature, "nip59.ErrSealSignature"},
	{nip59.ErrInnerSignature, "nip59.ErrInnerSignature"}, {nip59.ErrSealTags, "nip59.ErrSealTags"}, {nip59.ErrSenderMismatch, "nip59.ErrSenderMismatch"},
	{nip59.ErrRumorID, "nip59.ErrRumorID"}, {nip59.ErrNotForMe, "nip59.ErrNotForMe"},
}

func errorNames(errs []error) (list []string) {
	for _, err := range errs {
		found := false
		for _, n := range names {
			if n.err == err {
				list, found = append(list, n.name), true
			}
		}
		if !found {
			panic("hostile: no name for " + err.Error())
		}
	}
	return list
}
