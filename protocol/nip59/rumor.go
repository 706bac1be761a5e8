package nip59

import (
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
)

// Rumor is an event without a signature (NIP-59): what a wrap carries. It is a
// type of its own so that it can be neither verified nor published: who wrote
// it is known only to whoever opened the seal around it.
type Rumor struct {
	ID        event.ID
	PubKey    keys.PublicKey
	CreatedAt int64 // Unix seconds: the time of the message
	Kind      int
	Tags      event.Tags
	Content   string
}

// NewRumor makes a rumor and computes its id. Whether the fields are valid is
// told by the calls that send it.
func NewRumor(author keys.PublicKey, createdAt int64, kind int, tags event.Tags, content string) *Rumor {
	r := &Rumor{PubKey: author, CreatedAt: createdAt, Kind: kind, Tags: tags, Content: content}
	r.ID = r.ComputeID()
	return r
}

// unsigned returns the rumor as an event, whose signature stays zero.
func (r *Rumor) unsigned() event.Event {
	return event.Event{ID: r.ID, PubKey: r.PubKey, CreatedAt: r.CreatedAt, Kind: r.Kind, Tags: r.Tags, Content: r.Content}
}

// ComputeID returns the id that the fields give (NIP-01).
func (r *Rumor) ComputeID() event.ID {
	e := r.unsigned()
	return e.ComputeID()
}

// AppendJSON appends the compact JSON of the rumor, which has no sig.
func (r *Rumor) AppendJSON(dst []byte) []byte {
	e := r.unsigned()
	return e.AppendUnsignedJSON(dst)
}

// MarshalJSON implements [encoding/json.Marshaler]: the JSON of AppendJSON, for
// a rumor that is valid.
func (r Rumor) MarshalJSON() ([]byte, error) {
	e := r.unsigned()
	if err := e.Validate(); err != nil {
		return nil, err
	}
	return e.AppendUnsignedJSON(nil), nil
}

// UnmarshalJSON implements [encoding/json.Unmarshaler]. A missing id is
// computed, a wrong one is [ErrRumorID], and a signature is dropped. That the
// author wrote it is told by [Unwrap] alone.
func (r *Rumor) UnmarshalJSON(json []byte) error {
	e, present, err := event.ParseUnsigned(json)
	if err != nil {
		return err
	}
	read, err := newRumor(e, present)
	if err != nil {
		return err
	}
	*r = *read
	return nil
}

// check tells whether the rumor may be sent by author; a zero id is computed.
func (r *Rumor) check(author keys.PublicKey) (event.Event, error) {
	e := r.unsigned()
	if err := e.Validate(); err != nil {
		return e, err
	}
	if e.PubKey != author {
		return e, ErrSenderMismatch
	}
	id := e.ComputeID()
	if e.ID != (event.ID{}) && e.ID != id {
		return e, ErrRumorID
	}
	e.ID = id
	return e, nil
}

// parseRumor reads the innermost layer, which author has sealed.
func parseRumor(json []byte, author keys.PublicKey) (*Rumor, error) {
	e, present, err := event.ParseUnsigned(json)
	if err != nil {
		return nil, err
	}
	if present.PubKey && e.PubKey != author {
		return nil, ErrSenderMismatch
	}
	return newRumor(e, present)
}

// newRumor makes a rumor of what was read. A signature, which it must not have,
// is dropped; a missing id is computed.
func newRumor(e *event.Event, present event.Present) (*Rumor, error) {
	hasID := present.ID
	present.ID, present.Sig = true, true
	if err := complete(present); err != nil {
		return nil, err
	}
	id := e.ComputeID()
	if hasID && e.ID != id {
		return nil, ErrRumorID
	}
	return &Rumor{ID: id, PubKey: e.PubKey, CreatedAt: e.CreatedAt, Kind: e.Kind, Tags: e.Tags, Content: e.Content}, nil
}

// complete tells which field of an inner event is missing, if one is.
func complete(present event.Present) error {
	for _, field := range []struct {
		name    string
		present bool
	}{
		{"id", present.ID},
		{"pubkey", present.PubKey},
		{"created_at", present.CreatedAt},
		{"tags", present.Tags},
		{"sig", present.Sig},
	} {
		if !field.present {
			return &event.FieldError{Field: field.name, Tag: -1, Err: event.ErrMissingKey}
		}
	}
	return nil
}
