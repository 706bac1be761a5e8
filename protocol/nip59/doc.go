// Package nip59 makes and opens gift wraps (NIP-59).
//
// A [Rumor] is an unsigned event: the message. [Seal] encrypts it to one
// recipient and has its author sign the result; [WrapSeal] encrypts the seal
// again, under a key made for this wrap alone, so that the wrap tells nothing
// but its recipient. [Wrap] does both, [WrapMany] for several recipients, and
// [Unwrap] and [UnwrapAll] open what arrived. [UnwrapUnsealed] opens the wraps of
// other protocols that hold a signed event without a seal. Relays store a [Durable] wrap and
// only pass an [Ephemeral] one on.
//
// The times of seals and durable wraps are dated back by up to 48 hours, so a
// wrap's created_at is no cursor: a subscription must ask from [Since] the last
// synchronisation on, and messages are ordered by their rumor's time. The same
// rumor may arrive in several wraps; deduplicate by its id.
//
// Wraps are read in both length forms of NIP-44. From a rumor JSON of
// [LegacyMaxRumor] bytes on, what is written cannot be opened by readers of the
// NIP-44 of 2023, unless [WrapOptions].LegacyOnly refuses to write it.
package nip59
