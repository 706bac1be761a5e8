package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
	"github.com/sealwright/sealwright/protocol/signer"
)

// inboxLine is a line of inbox.expected.jsonl: what the generator meant a line
// of inbox.jsonl to be.
type inboxLine struct {
	Line    int
	Outcome string // open or refuse

	Sender        string
	RumorID       string `json:"rumor_id"`
	Kind          int
	CreatedAt     int64 `json:"created_at"`
	Tags          [][]string
	ContentSHA256 string `json:"content_sha256"`
	ContentLength int    `json:"content_length"`
	WrapID        string `json:"wrap_id"`
	WrapKind      int    `json:"wrap_kind"`
	WrapCreatedAt int64  `json:"wrap_created_at"`
	SealID        string `json:"seal_id"`

	Reason, Layer, Class, Note string

	OpensWith string     `json:"opens_with"`
	OpensAs   *inboxLine `json:"opens_as"`
}

// inboxCauses tells which errors a reason of inbox.expected.jsonl means; all of
// a list must match. What has no list is looked at by inboxCheck.
var inboxCauses = map[string][]error{
	"wrap-signature":   {nip59.ErrWrapSignature, event.ErrSignature},
	"wrap-id":          {nip59.ErrWrapSignature, event.ErrID},
	"wrap-key":         {nip59.ErrWrapSignature, keys.ErrPublicKey},
	"wrap-kind":        {nip59.ErrKind},
	"for-someone-else": {nip59.ErrNotForMe},
	"mac":              {nip59.ErrNotForMe, nip44.ErrMAC},
	"version":          {nip44.ErrVersion},
	"base64":           {nip44.ErrBase64},
	"too-short":        {nip44.ErrTooShort},
	"length":           {nip44.ErrPadding},
	"padding":          {nip44.ErrPadding},
	"legacy":           {nip44.ErrLegacyNIP04},
	"no-seal":          {nip59.ErrKind},
	"seal-kind":        {nip59.ErrKind},
	"seal-signature":   {nip59.ErrSealSignature, event.ErrSignature},
	"seal-id":          {nip59.ErrSealSignature, event.ErrID},
	"seal-tags":        {nip59.ErrSealTags},
	"sender-mismatch":  {nip59.ErrSenderMismatch},
	"rumor-id":         {nip59.ErrRumorID},
	"line-breaks":      nil,
	"json":             nil,
}

func inboxFile(tb testing.TB, name string) []byte {
	tb.Helper()
	root, err := testkit.Root()
	if err != nil {
		tb.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, "tools", "testdata", filepath.FromSlash(name)))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// inboxKey reads a secret key in the form of NIP-19. The checksum of bech32 is
// not looked at: a damaged key has another public key.
func inboxKey(tb testing.TB, name string) *identity.Identity {
	tb.Helper()
	text, ok := strings.CutPrefix(strings.TrimSpace(string(inboxFile(tb, "keys/"+name+".nsec"))), "nsec1")
	if !ok || len(text) != 58 {
		tb.Fatalf("%s.nsec is no nsec", name)
	}
	var b []byte
	bits, n := 0, 0
	for _, c := range text[:52] { // 260 bits: 32 bytes and four bits of padding
		v := strings.IndexRune("qpzry9x8gf2tvdw0s3jn54khce6mua7l", c)
		if v < 0 {
			tb.Fatalf("%s.nsec is no bech32", name)
		}
		bits, n = bits<<5|v, n+5
		if n >= 8 {
			n -= 8
			b = append(b, byte(bits>>n))
		}
	}
	sk, err := keys.NewSecretKey(b)
	if err != nil {
		tb.Fatal(err)
	}
	id, err := identity.New(sk)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { id.Close() })
	return id
}

// TestInbox opens the inbox that nostr-tools and noble made, line by line and
// in one batch, and compares what comes of each line with what was meant.
func TestInbox(t *testing.T) {
	var lines [][]byte
	for line := range bytes.Lines(inboxFile(t, "inbox.jsonl")) {
		lines = append(lines, bytes.TrimSuffix(line, []byte("\n")))
	}
	var expected []inboxLine
	for scan := bufio.NewScanner(bytes.NewReader(inboxFile(t, "inbox.expected.jsonl"))); scan.Scan(); {
		var want inboxLine
		if err := json.Unmarshal(scan.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if expected = append(expected, want); want.Line != len(expected) {
			t.Fatalf("line %d of the expected ones is for line %d", len(expected), want.Line)
		}
	}
	if len(lines) != 305 || len(expected) != len(lines) {
		t.Fatalf("%d lines, %d expected, want 305", len(lines), len(expected))
	}
	ctx := context.Background()
	alice, phone := inboxKey(t, "alice"), inboxKey(t, "alice-phone")

	var wraps []*event.Event // what parses, and
	var of []int             // the index of the line that it stands on
	unparsed := map[int]error{}
	for i, line := range lines {
		wrap, err := event.Parse(line)
		if err != nil {
			unparsed[i] = &nip59.LayerError{Layer: nip59.LayerWrap, Err: err}
			continue
		}
		wraps, of = append(wraps, wrap), append(of, i)
	}
	ran(t, "lines that are no event", len(unparsed), 19)

	one := make([]nip59.UnwrapResult, len(wraps))
	for j, wrap := range wraps {
		one[j].Message, one[j].Err = nip59.Unwrap(ctx, alice, wrap, nil)
	}
	for way, results := range map[string][]nip59.UnwrapResult{"Unwrap": one, "UnwrapAll": nip59.UnwrapAll(ctx, alice, wraps, nil)} {
		counts := map[string]int{}
		for i, err := range unparsed {
			counts[inboxCheck(t, way, expected[i], nil, err)]++
		}
		for j, r := range results {
			counts[inboxCheck(t, way, expected[of[j]], r.Message, r.Err)]++
		}
		if !reflect.DeepEqual(counts, inboxCounts) {
			t.Errorf("%s:\n%v, want\n%v", way, counts, inboxCounts)
		}
	}

	// The signature of a wrap may be left to others; nothing else changes.
	skipped := 0
	for j, wrap := range wraps {
		want := expected[of[j]]
		message, err := nip59.Unwrap(ctx, alice, wrap, &nip59.UnwrapOptions{SkipWrapSignature: true})
		opens := want.Outcome == "open"
		if want.Reason == "wrap-signature" {
			opens = true
			skipped++
		}
		if (err == nil) != opens || (message != nil) != opens {
			t.Errorf("line %d (%s), without the wrap's signature: %v", want.Line, want.Reason, err)
		}
	}
	ran(t, "wraps whose own signature alone is wrong", skipped, 4)

	// With her second key, Alice reads three more.
	more := 0
	for j, wrap := range wraps {
		want := expected[of[j]]
		message, err := nip59.Unwrap(ctx, alice, wrap, &nip59.UnwrapOptions{Keys: []signer.Cipher{phone}})
		if opens := want.Outcome == "open" || want.OpensWith == "alice-phone"; (err == nil) != opens {
			t.Errorf("line %d (%s), with both keys: %v", want.Line, want.Reason, err)
		} else if as := want.OpensAs; as != nil {
			if message.Sender.String() != as.Sender || message.Rumor.ID.String() != as.RumorID || hashHex(message.Rumor.Content) != as.ContentSHA256 {
				t.Errorf("line %d, with both keys: another message", want.Line)
			}
			more++
		}
	}
	ran(t, "wraps for the second key", more, 3)
}

// inboxCounts is how many lines open, and how many are refused for each reason.
var inboxCounts = map[string]int{
	"open":             206,
	"base64":           3,
	"for-someone-else": 6,
	"json":             36,
	"legacy":           1,
	"length":           1,
	"line-breaks":      1,
	"mac":              7,
	"no-seal":          1,
	"padding":          3,
	"rumor-id":         2,
	"seal-id":          2,
	"seal-kind":        5,
	"seal-signature":   5,
	"seal-tags":        1,
	"sender-mismatch":  3,
	"too-short":        2,
	"version":          7,
	"wrap-id":          3,
	"wrap-key":         1,
	"wrap-kind":        5,
	"wrap-signature":   4,
}

// inboxCheck compares what came of a line with what was meant, and returns
// under which count it goes.
func inboxCheck(t *testing.T, way string, want inboxLine, message *nip59.Message, err error) string {
	t.Helper()
	if want.Outcome == "open" {
		if err != nil {
			t.Errorf("%s, line %d (kind %d, %d bytes): %v", way, want.Line, want.Kind, want.ContentLength, err)
			return "failed"
		}
		if got := inboxOpened(message, want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s, line %d:\n%+v, want\n%+v", way, want.Line, got, want)
		}
		return "open"
	}
	name := fmt.Sprintf("%s, line %d (%s, %s)", way, want.Line, want.Reason, want.Note)
	if err == nil || message != nil {
		t.Errorf("%s: message %v, error %v, want a refusal", name, message, err)
		return "opened"
	}
	var layer *nip59.LayerError
	if !errors.As(err, &layer) {
		t.Errorf("%s: no layer: %v", name, err)
		return "failed"
	}
	if class := nip59.Classify(err); string(layer.Layer) != want.Layer || string(class) != want.Class {
		t.Errorf("%s: layer %s, class %s, want %s, %s: %v", name, layer.Layer, class, want.Layer, want.Class, err)
	}
	causes, known := inboxCauses[want.Reason]
	if !known {
		t.Fatalf("%s: unknown reason", name)
	}
	for _, cause := range causes {
		if !errors.Is(err, cause) {
			t.Errorf("%s: %v, want %v", name, err, cause)
		}
	}
	var parse *event.ParseError
	switch {
	case want.Reason == "json" && !errors.As(err, &parse) && !errors.Is(err, event.ErrMissingKey):
		t.Errorf("%s: %v, want an *event.ParseError or a missing key", name, err)
	case want.Reason == "for-someone-else" && errors.Is(err, nip44.ErrMAC):
		// The p tag tells, before a stranger makes the reader derive a key.
		t.Errorf("%s: the wrap was decrypted: %v", name, err)
	case want.Reason == "line-breaks" && !isOneOf(err, nip44.ErrBase64, nip44.ErrPadding):
		// The length alone may give them away.
		t.Errorf("%s: %v, want %v or %v", name, err, nip44.ErrBase64, nip44.ErrPadding)
	}
	return want.Reason
}

// inboxOpened is what a message says, in the form of what was meant. Nothing
// but the line and the wrap's kind is taken over.
func inboxOpened(m *nip59.Message, want inboxLine) inboxLine {
	return inboxLine{
		Line:          want.Line,
		Outcome:       "open",
		Sender:        m.Sender.String(),
		RumorID:       m.Rumor.ID.String(),
		Kind:          m.Rumor.Kind,
		CreatedAt:     m.Rumor.CreatedAt,
		Tags:          tagsOf(m.Rumor.Tags),
		ContentSHA256: hashHex(m.Rumor.Content),
		ContentLength: len(m.Rumor.Content),
		WrapID:        m.WrapID.String(),
		WrapKind:      want.WrapKind,
		WrapCreatedAt: m.WrapCreatedAt,
		SealID:        m.SealID.String(),
	}
}
