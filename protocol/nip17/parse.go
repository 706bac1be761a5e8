package nip17

import (
	"slices"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// Message is a private message that was received, or a copy of one's own.
//
// A host that keeps messages in a store of its own can make those again that
// [Reply], [Reaction], [Deletion] and [Message.AppliesTo] need: ID, Sender,
// Kind and Room are enough. Or it keeps the JSON of Rumor and parses that again.
// The JSON of Message cannot be read back when it has a File: the Key of that is
// "<redacted>" there. The JSON of Rumor has the key, in a tag, and so has that of
// Message around it; keep both like the text of a message.
type Message struct {
	ID        event.ID // of the rumor: the same in all copies
	Sender    keys.PublicKey
	CreatedAt int64 // Unix seconds; the sender's word
	Kind      int   // KindChat, KindFile, KindReaction or KindDeletion
	// Room is where a chat or a file belongs. It is zero for a reaction or a
	// deletion, which opens no room and belongs where its targets are.
	Room Room
	// Content is the plain text of a chat, the URL of a file, the reaction, or
	// the reason of a deletion.
	Content string
	// Subject is the new name of the room, or "".
	Subject string
	// Parent is the message that a chat or a file answers, or zero. It may be
	// unknown here, or of another room.
	Parent event.ID
	// Quotes are what a chat or a file cites.
	Quotes []Quote
	// Targets are what a reaction (one) or a deletion is about. See AppliesTo.
	Targets []event.ID
	// File is set for a file.
	File *FileInfo
	// Rumor is what the message was read from, with all tags.
	Rumor *nip59.Rumor
}

// Parse reads an opened wrap, as [nip59.Unwrap] returned it. me are the reader's
// public keys, one as a rule. A chat or a file whose author and p tags are not
// joined by one of them gives [ErrNotInRoom]: somebody passed on what was said
// elsewhere, or would open a room in the reader's name in which the reader is
// not.
//
// The other errors are [ErrKind] for what is no private message, a [*TagError]
// for tags that are missing or malformed, [ErrFileURL], [nip59.ErrNil], and
// [nip59.ErrSenderMismatch] for a Message that Unwrap did not make.
//
// Public keys are read by form; one that is not on the curve is told when
// something is sent to it.
func Parse(m *nip59.Message, me ...keys.PublicKey) (*Message, error) {
	if m == nil || m.Rumor == nil {
		return nil, nip59.ErrNil
	}
	r := m.Rumor
	if r.PubKey != m.Sender {
		return nil, nip59.ErrSenderMismatch
	}
	parsed := &Message{ID: r.ID, Sender: r.PubKey, CreatedAt: r.CreatedAt, Kind: r.Kind, Content: r.Content, Rumor: r}
	var err error
	switch r.Kind {
	case KindChat, KindFile:
		err = parsed.conversation(me)
	case KindReaction, KindDeletion:
		err = parsed.about()
	default:
		err = ErrKind
	}
	if err != nil {
		return nil, err
	}
	return parsed, nil
}

// conversation reads the tags of a chat or a file.
func (m *Message) conversation(me []keys.PublicKey) (err error) {
	if m.Room, err = RoomOf(m.Rumor); err != nil {
		return err
	}
	if !slices.ContainsFunc(me, m.Room.Has) {
		return ErrNotInRoom
	}
	if m.Parent, err = parent(m.Rumor.Tags); err != nil {
		return err
	}
	m.Subject = m.Rumor.Tags.Find("subject").Value()
	for _, tag := range m.Rumor.Tags {
		if tag.Name() != "q" {
			continue
		}
		q, err := parseQuote(tag)
		if err != nil {
			return err
		}
		m.Quotes = append(m.Quotes, q)
	}
	if m.Kind == KindFile {
		m.File, err = parseFile(m.Content, m.Rumor.Tags)
	}
	return err
}

// about reads the targets of a reaction or a deletion.
func (m *Message) about() error {
	for _, tag := range m.Rumor.Tags {
		if tag.Name() != "e" {
			continue
		}
		id, err := event.ParseID(tag.Value())
		if err != nil {
			return &TagError{"e", ErrTagValue}
		}
		m.Targets = append(m.Targets, id)
	}
	n := len(m.Targets)
	if n == 0 {
		return &TagError{"e", ErrTagMissing}
	}
	if m.Kind == KindReaction {
		// NIP-25: of several the last is meant.
		m.Targets = m.Targets[n-1:]
	}
	return nil
}

// parent returns the message that the e tags name. NIP-17 has one, without a
// marker; clients that follow NIP-10 write several, or mark them: the one marked
// reply is the parent then, or else the last.
func parent(tags event.Tags) (id event.ID, err error) {
	marked := false
	for _, tag := range tags {
		if tag.Name() != "e" {
			continue
		}
		this, err := event.ParseID(tag.Value())
		if err != nil {
			return event.ID{}, &TagError{"e", ErrTagValue}
		}
		isReply := len(tag) > 3 && tag[3] == "reply"
		if isReply || !marked {
			id = this
		}
		marked = marked || isReply
	}
	return id, nil
}

func parseQuote(tag event.Tag) (Quote, error) {
	q := Quote{Of: tag.Value()}
	if q.Of == "" {
		return q, &TagError{"q", ErrTagValue}
	}
	if len(tag) > 2 {
		q.Relay = tag[2]
	}
	if len(tag) > 3 && tag[3] != "" {
		if q.Author.UnmarshalText([]byte(tag[3])) != nil {
			return q, &TagError{"q", ErrTagValue}
		}
	}
	return q, nil
}

// named tells whether m has an ID, by which another message can name it.
func (m *Message) named() error {
	if m.ID == (event.ID{}) {
		return &TagError{"e", ErrTagValue}
	}
	return nil
}

// opensRoom reports whether m is a chat or a file.
func (m *Message) opensRoom() bool { return m.Kind == KindChat || m.Kind == KindFile }

// AppliesTo reports whether m is a reaction to target, or a deletion of it, that
// counts: a reaction to a chat or a file does when its sender is in the room of
// that; a deletion of anything but a deletion does when the same person sent
// both.
func (m *Message) AppliesTo(target *Message) bool {
	if m == nil || target == nil || !slices.Contains(m.Targets, target.ID) {
		return false
	}
	switch m.Kind {
	case KindReaction:
		return target.opensRoom() && target.Room.Has(m.Sender)
	case KindDeletion:
		return target.Kind != KindDeletion && target.Sender == m.Sender
	}
	return false
}
