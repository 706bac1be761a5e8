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

// MarshalJSON implements [encoding/json.Marshaler] as AppendJSON does.
func (r *Rumor) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

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

// parseRumor reads the innermost layer. A signature, which it must not have, is
// dropped; a missing id is computed.
func parseRumor(json []byte, author keys.PublicKey) (*Rumor, error) {
	e, present, err := event.ParseUnsigned(json)
	if err != nil {
		return nil, err
	}
	// The id may be missing, and a signature should be.
	hasID := present.ID
	present.ID, present.Sig = true, true
	if err := complete(present); err != nil {
		return nil, err
	}
	if e.PubKey != author {
		return nil, ErrSenderMismatch
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
