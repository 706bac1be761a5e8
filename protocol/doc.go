// Package protocol is the floor of algorithms: what is computed, and in which
// order. Each package below it is one specification:
//
//	curve     the group of secp256k1: ECDH, base multiplication, verification
//	keys      secret keys and x-only public keys (BIP-340)
//	bip340    Schnorr signatures
//	event     Nostr events: codec, id, signature (NIP-01)
//	nip44     encrypted payloads, version 2
//	signer    the interfaces behind which a key may live elsewhere
//	identity  a key that lives in this process
//	nip59     rumors, seals and gift wraps
//	nip17     private direct messages: chats, files, reactions, deletions, rooms
//
// curve carries no promise of compatibility; the others do.
package protocol
