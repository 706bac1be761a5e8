package nip17

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// Room is a conversation: the set of people who take part, the author of a
// message and those its p tags name (NIP-17, "Chat Rooms"). Rooms of the same
// people are equal by ==, whoever writes; a Room may be the key of a map. The
// zero Room has nobody in it.
type Room struct{ members string } // 32 bytes each, ascending, no two equal

// NewRoom returns the room of these people, the reader or author among them.
// Order and repetitions do not matter. The keys are not lifted.
func NewRoom(people ...keys.PublicKey) Room {
	people = slices.Clone(people)
	slices.SortFunc(people, func(a, b keys.PublicKey) int { return bytes.Compare(a[:], b[:]) })
	var members strings.Builder
	for _, pub := range slices.Compact(people) {
		members.Write(pub[:])
	}
	return Room{members.String()}
}

// RoomOf returns the room in which a rumor was written, of any kind: its author
// and all whom its p tags name. The error is a [*TagError] that wraps
// [ErrTagValue] when a p tag holds no public key, or [nip59.ErrNil].
//
// It does not ask whether the reader is in the room; [Parse] does.
func RoomOf(r *nip59.Rumor) (Room, error) {
	if r == nil {
		return Room{}, nip59.ErrNil
	}
	people := []keys.PublicKey{r.PubKey}
	for _, tag := range r.Tags {
		if tag.Name() != "p" {
			continue
		}
		var pub keys.PublicKey
		if pub.UnmarshalText([]byte(tag.Value())) != nil {
			return Room{}, &TagError{"p", ErrTagValue}
		}
		people = append(people, pub)
	}
	return NewRoom(people...), nil
}

// Len returns the number of people.
func (r Room) Len() int { return len(r.members) / len(keys.PublicKey{}) }

// Members returns the people in ascending order of their keys.
func (r Room) Members() []keys.PublicKey {
	people := make([]keys.PublicKey, r.Len())
	for i := range people {
		copy(people[i][:], r.members[i*len(people[i]):])
	}
	return people
}

// Has reports whether somebody takes part.
func (r Room) Has(pub keys.PublicKey) bool {
	const size = len(pub)
	key := string(pub[:])
	i := sort.Search(r.Len(), func(i int) bool { return r.members[i*size:][:size] >= key })
	return i < r.Len() && r.members[i*size:][:size] == key
}

// receivers returns the people beside the author. A note to oneself is received
// by its author.
func (r Room) receivers(author keys.PublicKey) []keys.PublicKey {
	others := slices.DeleteFunc(r.Members(), func(pub keys.PublicKey) bool { return pub == author })
	if len(others) == 0 {
		return []keys.PublicKey{author}
	}
	return others
}

// String returns the public keys in ascending order, in hexadecimal, with
// commas between them: the same for the same room.
func (r Room) String() string {
	var s []string
	for _, pub := range r.Members() {
		s = append(s, pub.String())
	}
	return strings.Join(s, ",")
}

// MarshalText returns the form of String.
func (r Room) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the form of String, in any order. The error is
// [keys.ErrPublicKey], and r is unchanged then.
func (r *Room) UnmarshalText(text []byte) error {
	var people []keys.PublicKey
	for s := range bytes.SplitSeq(text, []byte(",")) {
		if len(text) == 0 {
			break
		}
		var pub keys.PublicKey
		if err := pub.UnmarshalText(s); err != nil {
			return err
		}
		people = append(people, pub)
	}
	*r = NewRoom(people...)
	return nil
}
