package nip17

import "errors"

// The causes of failure, besides those of packages nip59, event and keys. None
// carries a key or anything of a message; never send them to a peer all the
// same. A message that [Parse] refuses will be refused for ever, but for
// [ErrNotInRoom], which may go away with another of the reader's keys.
var (
	// ErrKind tells that a rumor, or the message that another is about, or a
	// relay list, is not of a kind that fits.
	ErrKind = errors.New("nip17: wrong kind")
	// ErrNotInRoom tells that a room lacks somebody: a message that was read
	// its reader, one to be written its author or the author it reacts to.
	ErrNotInRoom = errors.New("nip17: not in the room")
	// ErrOtherRoom tells that a message replies to, or deletes, one of another
	// room.
	ErrOtherRoom = errors.New("nip17: message of another room")
	// ErrNotAuthor tells of something only its author may do: delete a message,
	// announce relays.
	ErrNotAuthor = errors.New("nip17: not the author")
	// ErrOption tells of an option that the kind of message does not have.
	ErrOption = errors.New("nip17: option does not fit the kind")

	// ErrTagMissing tells that a tag is not there. It and the next three arrive
	// in a [*TagError].
	ErrTagMissing = errors.New("nip17: missing tag")
	// ErrTagValue tells that a tag's value does not have the form it must have.
	ErrTagValue = errors.New("nip17: wrong value in tag")
	// ErrTagTwice tells that a tag occurs twice of which readers could take
	// either.
	ErrTagTwice = errors.New("nip17: tag occurs twice")
	// ErrTagReserved tells that [Options].Tags has a tag that this package
	// writes itself.
	ErrTagReserved = errors.New("nip17: reserved tag")

	// ErrFileURL tells that a file message has no URL.
	ErrFileURL = errors.New("nip17: file without URL")
	// ErrFileAlgorithm tells that a file is encrypted by another algorithm than
	// aes-gcm.
	ErrFileAlgorithm = errors.New("nip17: unknown encryption algorithm")
	// ErrFileKey tells that a key or a nonce has no length that is in use.
	ErrFileKey = errors.New("nip17: invalid file key or nonce")
	// ErrFileHash tells that encrypted bytes are not those the sender hashed
	// (tag x): another file, or one that a server changed.
	ErrFileHash = errors.New("nip17: encrypted file does not match x")
	// ErrFileMAC tells that encrypted bytes do not authenticate under the key.
	ErrFileMAC = errors.New("nip17: encrypted file does not authenticate")
	// ErrFilePlainHash tells that decrypted bytes are not those the sender
	// hashed (tag ox).
	ErrFilePlainHash = errors.New("nip17: decrypted file does not match ox")
	// ErrFileTooLarge tells that a file is longer than AES-GCM can encrypt, 64
	// GiB less 32 bytes.
	ErrFileTooLarge = errors.New("nip17: file too large for AES-GCM")

	// ErrRelayURL tells that a relay's URL is not ws or wss with a host.
	ErrRelayURL = errors.New("nip17: not a relay URL")
	// ErrNoRelays tells that a list names no relay: its owner takes no private
	// messages.
	ErrNoRelays = errors.New("nip17: no relay listed")
)

// TagError tells which tag was refused and why.
type TagError struct {
	Tag string // its name
	Err error
}

func (e *TagError) Error() string { return e.Err.Error() + " (" + e.Tag + ")" }

// Unwrap returns the cause.
func (e *TagError) Unwrap() error { return e.Err }
