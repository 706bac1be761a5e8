// Package gonostr lets programs built on go-nostr (github.com/nbd-wtf/go-nostr,
// v0.38.2) and this module share events and keys.
//
// [FromEvent] and [ToEvent] convert events, [FromRumor] and [ToRumor] what a
// gift wrap carries, [FromUnsigned] what is not signed yet. They check the form
// alone, as [event.Parse] does: an event from elsewhere is worth nothing before
// [event.Event.Verify].
//
// [FromKeyer] makes a go-nostr keyer serve package nip59 and all that asks for
// a [signer.Keyer]. [ToKeyer] makes an identity of this module, or any other
// signer.Keyer, serve go-nostr.
//
// # Failures of go-nostr's keyers
//
// go-nostr's errors have no types, and a wrap that is classed as malformed is
// dropped for ever. So the adapter finds out by itself what is wrong with a key
// or a payload before it asks the keyer. Of what the keyer says then, it knows
// the two texts of [keyer.KeySigner] for a wrong MAC and a wrong padding, and
// errors that wrap [nip44.ErrMAC], [nip44.ErrPadding], [nip44.ErrTooLarge] or
// [nip44.ErrUTF8], by which a keyer of one's own tells of a bad payload. All
// else is a [*KeyerError], whose class is [nip59.ClassSigner]: not final. A
// remote signer's wrap for another key is therefore a failure of the signer,
// not [nip59.ErrNotForMe].
//
// Some texts of go-nostr quote the secret key: never log its errors. The text
// of a KeyerError holds none of them.
//
// # What to know of go-nostr v0.38.2
//
// [keyer.BunkerSigner] encrypts when it is asked to decrypt; the adapter sees it
// and returns [ErrAnswer]. A bunker works through a [keyer.ManualSigner] around
// the NIP44Encrypt and NIP44Decrypt of nip46.BunkerClient; the README shows it.
// [keyer.EncryptedKeySigner] never decrypts anything but always fails, and must
// not be called from several goroutines, as nip59.WrapMany does.
//
// keyer.KeySigner computes with the long-term key in variable time, reads no
// plaintext of more than 65,535 bytes, and keeps a conversation key for every
// peer for ever, one-time wrap keys among them: an inbox is better opened with
// an identity.
//
// go-nostr's calls take strings, which cannot be wiped: plaintexts that pass
// through an adapter stay in memory until they are collected.
package gonostr
