package nip17

import (
	"net/url"
	"slices"
	"time"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
)

// RelayList makes the list of relays on which its owner takes private messages
// (NIP-17, kind 10050), to be signed by the owner's signer and published widely.
// A zero createdAt means now. Keep it short, one to three. Repetitions are
// dropped; a list of none says that its owner is not reachable. The error is
// [ErrRelayURL] for what is no ws or wss URL, or that of
// [event.Event.Validate].
func RelayList(urls []string, createdAt time.Time) (*event.Event, error) {
	if createdAt.IsZero() {
		createdAt = time.Now()
	}
	e := &event.Event{CreatedAt: createdAt.Unix(), Kind: KindRelayList}
	var seen []string
	for _, relay := range urls {
		if !isRelayURL(relay) {
			return nil, ErrRelayURL
		}
		if !slices.Contains(seen, relay) {
			seen = append(seen, relay)
			e.Tags = append(e.Tags, event.Tag{"relay", relay})
		}
	}
	if err := e.Validate(); err != nil {
		return nil, err
	}
	return e, nil
}

// ParseRelayList returns the relays on which owner takes private messages, in
// the order of the list, from an event of kind 10050. It verifies the event,
// since whoever could forge it would learn when owner is written to. URLs that
// are none are left out, and so are repetitions.
//
// Of several lists the newest counts. The list may be long: publish to the
// first few. Its URLs are the owner's choice and may point into the network of
// whoever follows them.
//
// The errors are [ErrKind], [ErrNotAuthor] for a list of somebody else's,
// [ErrNoRelays] when none is left, and those of [event.Event.Verify].
func ParseRelayList(e *event.Event, owner keys.PublicKey) ([]string, error) {
	switch {
	case e == nil:
		return nil, event.ErrNil
	case e.Kind != KindRelayList:
		return nil, ErrKind
	case e.PubKey != owner:
		return nil, ErrNotAuthor
	}
	if err := e.Verify(); err != nil {
		return nil, err
	}
	var relays []string
	seen := map[string]bool{}
	for _, tag := range e.Tags {
		relay := tag.Value()
		if tag.Name() == "relay" && !seen[relay] && isRelayURL(relay) {
			seen[relay] = true
			relays = append(relays, relay)
		}
	}
	if len(relays) == 0 {
		return nil, ErrNoRelays
	}
	return relays, nil
}

func isRelayURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "wss" || u.Scheme == "ws") && u.Hostname() != "" && u.User == nil && u.Fragment == ""
}
