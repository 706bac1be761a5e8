package gonostr

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// FromEvent converts a signed event of go-nostr. The result shares no slice
// with e. The error is [event.ErrNil], or an [*event.FieldError] that wraps
// [event.ErrMissingKey] when id, pubkey or sig is empty, [event.ErrHex] when
// one is no lower-case hexadecimal of its length, or is all zeros, which stands
// for its absence in an [event.Event] and occurs in no true event, and
// [event.ErrKind], [event.ErrCreatedAt], [event.ErrUTF8] or
// [event.ErrEmptyTag] as [event.Event.Validate] says.
//
// It verifies nothing. The values of e.GetExtra are dropped: they belong to
// neither id nor signature.
func FromEvent(e *nostr.Event) (*event.Event, error) {
	if e == nil {
		return nil, event.ErrNil
	}
	for _, field := range []struct{ name, value string }{{"id", e.ID}, {"pubkey", e.PubKey}, {"sig", e.Sig}} {
		if field.value == "" {
			return nil, missing(field.name)
		}
	}
	return FromUnsigned(e)
}

// FromUnsigned converts an event that need not be signed, such as a template
// for a signer: id, pubkey and sig may each be empty, and are zero then. All
// else is as with [FromEvent].
func FromUnsigned(e *nostr.Event) (*event.Event, error) {
	if e == nil {
		return nil, event.ErrNil
	}
	out := &event.Event{CreatedAt: int64(e.CreatedAt), Kind: e.Kind, Tags: cloneTags[event.Tags](e.Tags), Content: e.Content}
	if err := decode("id", &out.ID, e.ID); err != nil {
		return nil, err
	}
	if err := decode("pubkey", &out.PubKey, e.PubKey); err != nil {
		return nil, err
	}
	if err := decode("sig", &out.Sig, e.Sig); err != nil {
		return nil, err
	}
	if err := out.Validate(); err != nil {
		return nil, err
	}
	return out, nil
}

// ToEvent converts an event for go-nostr. An id, pubkey or sig of zero becomes
// the empty string, which is how go-nostr has what is absent. The result shares
// no slice with e. The errors are those of [event.Event.Validate]; nothing is
// verified.
func ToEvent(e *event.Event) (*nostr.Event, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	return &nostr.Event{
		ID:        encode(e.ID),
		PubKey:    encode(e.PubKey),
		CreatedAt: nostr.Timestamp(e.CreatedAt),
		Kind:      e.Kind,
		Tags:      cloneTags[nostr.Tags](e.Tags),
		Content:   e.Content,
		Sig:       encode(e.Sig),
	}, nil
}

// FromRumor converts what go-nostr's nip59.GiftUnwrap returns, or what is to be
// wrapped. A signature is dropped, whatever it holds, since a rumor has none; a
// missing id is computed. The errors are those of [FromUnsigned],
// [event.ErrMissingKey] for an empty pubkey, and [nip59.ErrRumorID] for an id
// that is not the hash.
func FromRumor(e *nostr.Event) (*nip59.Rumor, error) {
	if e == nil {
		return nil, nip59.ErrNil
	}
	unsigned := *e
	unsigned.Sig = ""
	in, err := FromUnsigned(&unsigned)
	if err != nil {
		return nil, err
	}
	if in.PubKey == (keys.PublicKey{}) {
		return nil, missing("pubkey")
	}
	r := nip59.NewRumor(in.PubKey, in.CreatedAt, in.Kind, in.Tags, in.Content)
	if in.ID != (event.ID{}) && in.ID != r.ID {
		return nil, nip59.ErrRumorID
	}
	return r, nil
}

// ToRumor converts a rumor for go-nostr: an event without sig, with the id
// computed where it was zero. The errors are [nip59.ErrNil], those of
// [ToEvent], [event.ErrMissingKey] for a pubkey of zero, and
// [nip59.ErrRumorID] for an id that is not the hash.
func ToRumor(r *nip59.Rumor) (*nostr.Event, error) {
	if r == nil {
		return nil, nip59.ErrNil
	}
	e := event.Event{PubKey: r.PubKey, CreatedAt: r.CreatedAt, Kind: r.Kind, Tags: r.Tags, Content: r.Content}
	if e.PubKey == (keys.PublicKey{}) {
		return nil, missing("pubkey")
	}
	e.ID = e.ComputeID()
	if r.ID != (event.ID{}) && r.ID != e.ID {
		return nil, nip59.ErrRumorID
	}
	return ToEvent(&e)
}

func missing(field string) error {
	return &event.FieldError{Field: field, Tag: -1, Err: event.ErrMissingKey}
}

// text is what the three hexadecimal fields have in common.
type text interface {
	comparable
	String() string
}

// decode leaves zero for "" and refuses the digits of zero, so that each value
// of a field has one text.
func decode[T text, P interface {
	*T
	UnmarshalText([]byte) error
}](field string, dst P, s string) error {
	if s == "" {
		return nil
	}
	var zero T
	if dst.UnmarshalText([]byte(s)) != nil || *dst == zero {
		return &event.FieldError{Field: field, Tag: -1, Err: event.ErrHex}
	}
	return nil
}

func encode[T text](v T) string {
	var zero T
	if v == zero {
		return ""
	}
	return v.String()
}

// cloneTags copies tags from one library's type to the other's. Nil stays nil,
// and empty stays empty.
func cloneTags[To ~[]T, From ~[]F, T, F ~[]string](tags From) To {
	if tags == nil {
		return nil
	}
	out := make(To, len(tags))
	for i, tag := range tags {
		out[i] = T(slices.Clone(tag))
	}
	return out
}
