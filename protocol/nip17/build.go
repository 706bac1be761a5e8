package nip17

import (
	"slices"
	"strconv"
	"time"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// Kinds of private messages, and of the list of relays that take them.
const (
	KindDeletion  = 5     // NIP-09
	KindReaction  = 7     // NIP-25
	KindChat      = 14    // NIP-17
	KindFile      = 15    // NIP-17
	KindRelayList = 10050 // NIP-17
)

// Options are what a message may be given beside its content. nil is the
// default. Subject, ReplyTo and Quotes are for chats and files; with a reaction
// or a deletion they give [ErrOption].
type Options struct {
	// CreatedAt is the time of the message, to the second. Zero means now.
	CreatedAt time.Time
	// Subject gives the room a new name.
	Subject string
	// ReplyTo is the chat or file that this one answers, of the same room.
	ReplyTo *Message
	// Quotes are the events that the content cites (NIP-21).
	Quotes []Quote
	// Relays are hints where people of the room are reached, put in their p
	// tags.
	Relays map[keys.PublicKey]string
	// Tags are put behind those that this package writes, and may not have the
	// name of one of them.
	Tags event.Tags
}

// Quote is an event that a message cites: a q tag.
type Quote struct {
	Of     string         // id in hexadecimal, or address (kind:pubkey:d)
	Relay  string         // where to find it, or ""
	Author keys.PublicKey // of an event that Of names by its id, or zero
}

func (q Quote) tag() event.Tag {
	switch {
	case q.Author != keys.PublicKey{}:
		return event.Tag{"q", q.Of, q.Relay, q.Author.String()}
	case q.Relay != "":
		return event.Tag{"q", q.Of, q.Relay}
	}
	return event.Tag{"q", q.Of}
}

// reserved are the tags that this package writes.
var reserved = [...]string{"p", "e", "k", "q", "subject",
	tagType, tagAlgorithm, tagKey, tagNonce, tagX, tagOX,
	tagSize, tagDim, tagThumbhash, tagBlurhash, tagThumb, tagFallback}

// Chat makes a text message (kind 14) from author to everybody in the room,
// which the author must be in. The text is plain: no markup. The errors are
// [ErrNotInRoom], [ErrKind] and [ErrOtherRoom] for what ReplyTo names, a
// [*TagError], and those of [event.Event.Validate].
func Chat(author keys.PublicKey, room Room, text string, o *Options) (*nip59.Rumor, error) {
	return draft{author: author, room: room, kind: KindChat, content: text}.rumor(o)
}

// Reply makes a text message that answers another, in its room; see [Chat]. It
// sets ReplyTo whatever o says.
func Reply(author keys.PublicKey, to *Message, text string, o *Options) (*nip59.Rumor, error) {
	if to == nil {
		return nil, nip59.ErrNil
	}
	var with Options
	if o != nil {
		with = *o
	}
	with.ReplyTo = to
	return Chat(author, to.Room, text, &with)
}

// File makes a file message (kind 15): where the encrypted file is, and how to
// decrypt it. [EncryptFile] makes all of f but its URL. f needs URL, Type, Key
// and X. The errors are those of [Chat], [ErrFileURL] and [keys.ErrDestroyed].
//
// The rumor holds the file's key in its tags, as text: print and log it no more
// than the content of a message. The key cannot be wiped there.
func File(author keys.PublicKey, room Room, f *FileInfo, o *Options) (*nip59.Rumor, error) {
	if f == nil {
		return nil, nip59.ErrNil
	}
	tags, err := f.tags()
	if err != nil {
		return nil, err
	}
	return draft{author: author, room: room, kind: KindFile, content: f.URL, tags: tags}.rumor(o)
}

// Reaction makes a reaction (kind 7, NIP-25) to a chat or a file, in its room.
// The content is "+", "-" or an emoji. The errors are [ErrKind] for a target of
// another kind, [ErrTagValue] (in a [*TagError]) for one without an ID,
// [ErrNotInRoom] when author or the target's sender is not in its room,
// [ErrOption], and those of [Chat].
func Reaction(author keys.PublicKey, target *Message, content string, o *Options) (*nip59.Rumor, error) {
	if target == nil {
		return nil, nip59.ErrNil
	}
	if !target.opensRoom() {
		return nil, ErrKind
	}
	if !target.Room.Has(target.Sender) {
		return nil, ErrNotInRoom
	}
	if err := target.named(); err != nil {
		return nil, err
	}
	return draft{author: author, room: target.Room, kind: KindReaction, content: content, meant: target.Sender, tags: event.Tags{
		{"e", target.ID.String(), "", target.Sender.String()},
		{"k", strconv.Itoa(target.Kind)},
	}}.rumor(o)
}

// Deletion makes a request to delete messages of the author's own (kind 5,
// NIP-09), which everybody in the room receives. The targets need ID, Sender and
// Kind, and Room where they open one; reason may be empty. The errors are
// [ErrTagMissing] (in a [*TagError]) without a target, [ErrTagValue] (in the
// same) for one without an ID, [ErrNotAuthor] for one that somebody else sent,
// [ErrOtherRoom], [ErrKind] for a deletion, which cannot be deleted, [ErrOption],
// and those of [Chat].
//
// It is a request: who has read a message can keep it.
func Deletion(author keys.PublicKey, room Room, targets []*Message, reason string, o *Options) (*nip59.Rumor, error) {
	if len(targets) == 0 {
		return nil, &TagError{"e", ErrTagMissing}
	}
	var tags, kinds event.Tags
	for _, target := range targets {
		switch {
		case target == nil:
			return nil, nip59.ErrNil
		case target.Sender != author:
			return nil, ErrNotAuthor
		case !target.opensRoom() && target.Kind != KindReaction:
			return nil, ErrKind
		case target.opensRoom() && target.Room != room:
			return nil, ErrOtherRoom
		}
		if err := target.named(); err != nil {
			return nil, err
		}
		tags = append(tags, event.Tag{"e", target.ID.String()})
		k := event.Tag{"k", strconv.Itoa(target.Kind)}
		if !slices.ContainsFunc(kinds, func(tag event.Tag) bool { return slices.Equal(tag, k) }) {
			kinds = append(kinds, k)
		}
	}
	return draft{author: author, room: room, kind: KindDeletion, content: reason, tags: append(tags, kinds...)}.rumor(o)
}

// draft is a message to be made.
type draft struct {
	author  keys.PublicKey
	room    Room
	kind    int
	content string
	tags    event.Tags     // those of the kind
	meant   keys.PublicKey // for whom a reaction is meant, or zero
}

// rumor makes the rumor: p tags, the tags that chats and files share, those of
// the kind and those of the options, in this order.
func (d draft) rumor(o *Options) (*nip59.Rumor, error) {
	if o == nil {
		o = &Options{}
	}
	shared, err := o.tags(d.room, d.kind)
	if err != nil {
		return nil, err
	}
	if !d.room.Has(d.author) {
		return nil, ErrNotInRoom
	}
	to := d.room.receivers(d.author)
	if d.meant != (keys.PublicKey{}) {
		// NIP-25: of several p tags the last is for whom a reaction is meant.
		to = append(slices.DeleteFunc(to, func(pub keys.PublicKey) bool { return pub == d.meant }), d.meant)
	}
	var tags event.Tags
	for _, pub := range to {
		p := event.Tag{"p", pub.String()}
		if relay := o.Relays[pub]; relay != "" {
			p = append(p, relay)
		}
		tags = append(tags, p)
	}
	tags = slices.Concat(tags, shared, d.tags)
	for _, tag := range o.Tags {
		if slices.Contains(reserved[:], tag.Name()) {
			return nil, &TagError{tag.Name(), ErrTagReserved}
		}
		tags = append(tags, slices.Clone(tag))
	}
	at := o.CreatedAt
	if at.IsZero() {
		at = time.Now()
	}
	e := event.Event{PubKey: d.author, CreatedAt: at.Unix(), Kind: d.kind, Tags: tags, Content: d.content}
	if err := e.Validate(); err != nil {
		return nil, err
	}
	return nip59.NewRumor(e.PubKey, e.CreatedAt, e.Kind, e.Tags, e.Content), nil
}

// tags returns the tags e, subject and q.
func (o *Options) tags(room Room, kind int) (event.Tags, error) {
	if kind != KindChat && kind != KindFile {
		if o.ReplyTo != nil || o.Subject != "" || len(o.Quotes) > 0 {
			return nil, ErrOption
		}
		return nil, nil
	}
	var tags event.Tags
	if parent := o.ReplyTo; parent != nil {
		if !parent.opensRoom() {
			return nil, ErrKind
		}
		if parent.Room != room {
			return nil, ErrOtherRoom
		}
		if err := parent.named(); err != nil {
			return nil, err
		}
		tags = append(tags, event.Tag{"e", parent.ID.String()})
	}
	if o.Subject != "" {
		tags = append(tags, event.Tag{"subject", o.Subject})
	}
	for _, q := range o.Quotes {
		if q.Of == "" {
			return nil, &TagError{"q", ErrTagValue}
		}
		tags = append(tags, q.tag())
	}
	return tags, nil
}
