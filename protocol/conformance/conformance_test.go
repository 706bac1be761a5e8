package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// ran fails the test unless it ran want cases: a file cut short, or a loop
// that skips, must not pass.
func ran(t *testing.T, what string, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %d cases ran, want %d", what, got, want)
	}
}

func secretKey(tb testing.TB, hex string) *keys.SecretKey {
	tb.Helper()
	sk, err := keys.ParseSecretKey(hex)
	if err != nil {
		tb.Fatal(err)
	}
	return sk
}

func publicKey(tb testing.TB, hex string) keys.PublicKey {
	tb.Helper()
	pub, err := keys.ParsePublicKey(hex)
	if err != nil {
		tb.Fatal(err)
	}
	return pub
}

func newIdentity(tb testing.TB, hex string) *identity.Identity {
	tb.Helper()
	id, err := identity.New(secretKey(tb, hex))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { id.Close() })
	return id
}

func conversationKey(tb testing.TB, hex string) *nip44.ConversationKey {
	tb.Helper()
	ck, err := nip44.NewConversationKey(testkit.Hex(tb, hex))
	if err != nil {
		tb.Fatal(err)
	}
	return ck
}

// eventJSON decodes an object with the fields of an event by the standard
// library, which the package under test has no part in.
type eventJSON struct {
	ID        string     `json:"id"`
	PubKey    string     `json:"pubkey"`
	CreatedAt int64      `json:"created_at"`
	Kind      int        `json:"kind"`
	Tags      [][]string `json:"tags"`
	Content   string     `json:"content"`
	Sig       string     `json:"sig"`
}

func decodeEvent(tb testing.TB, text string) eventJSON {
	tb.Helper()
	var e eventJSON
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		tb.Fatal(err)
	}
	return e
}

func encodeEvent(tb testing.TB, e eventJSON) string {
	tb.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// tagsOf makes the lists of tags comparable: no tags are no tags.
func tagsOf[T ~[]string](tags []T) [][]string {
	out := make([][]string, 0, len(tags))
	for _, tag := range tags {
		out = append(out, []string(tag))
	}
	return out
}

func checkEvent(t *testing.T, got *event.Event, want eventJSON) {
	t.Helper()
	have := eventJSON{got.ID.String(), got.PubKey.String(), got.CreatedAt, got.Kind, tagsOf(got.Tags), got.Content, got.Sig.String()}
	want.Tags = tagsOf(want.Tags)
	if !reflect.DeepEqual(have, want) {
		t.Errorf("event\n%+v, want\n%+v", have, want)
	}
}

func checkRumor(t *testing.T, got *nip59.Rumor, want eventJSON) {
	t.Helper()
	have := eventJSON{got.ID.String(), got.PubKey.String(), got.CreatedAt, got.Kind, tagsOf(got.Tags), got.Content, ""}
	want.Tags, want.Sig = tagsOf(want.Tags), ""
	if !reflect.DeepEqual(have, want) {
		t.Errorf("rumor\n%+v, want\n%+v", have, want)
	}
}

// unwrap opens the wrap in text with a key of its own.
func unwrap(t *testing.T, secret, text string) *nip59.Message {
	t.Helper()
	wrap, err := event.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	message, err := nip59.Unwrap(context.Background(), newIdentity(t, secret), wrap, nil)
	if err != nil {
		t.Fatal(err)
	}
	if message.WrapID != wrap.ID || message.WrapCreatedAt != wrap.CreatedAt {
		t.Errorf("message tells of wrap %v at %d, want %v at %d", message.WrapID, message.WrapCreatedAt, wrap.ID, wrap.CreatedAt)
	}
	return message
}

func isOneOf(err error, targets ...error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}
