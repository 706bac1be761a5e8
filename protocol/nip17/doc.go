// Package nip17 makes and reads private direct messages (NIP-17): chats, files,
// reactions and deletions, as rumors that travel in the gift wraps of package
// nip59.
//
// [Chat], [Reply], [File], [Reaction] and [Deletion] make a rumor, [Send] seals
// and wraps it for everybody who takes part and for the sender. Of what
// [nip59.Unwrap] or [nip59.UnwrapAll] opened, [Parse] makes a [Message].
//
// A conversation is a [Room]: the set of its people, and nothing else. Whoever
// writes to other people writes in another room. There is no common order or
// transcript: two people of a room may be sent different messages. NIP-17 is
// meant for rooms of up to ten people besides the author; nothing here refuses
// larger ones, of which every message costs one seal and one wrap a person.
//
// Order messages by CreatedAt, which their senders choose and may put in the
// future, and keep one of each ID: the same message may arrive in many wraps.
// The newest Subject names the room. An edit is a deletion and a new message
// with the CreatedAt of the old one.
//
// Publish wraps on the relays that their receiver lists ([ParseRelayList], kind
// 10050) and nowhere else; whoever lists none is not reachable.
//
// All that a message holds was chosen by its sender. Texts are plain: nothing
// in them is interpreted here, nor should be elsewhere without care, and an URL
// may point anywhere, also into the network of whoever follows it.
package nip17
