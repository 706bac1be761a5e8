package bench

import "testing"

// The rows of the protocol. Unless a comment says otherwise, keys are kept in the
// form that an implementation wants, and public keys, events and wraps are taken
// as they arrive.

// BenchmarkImport makes a login of a secret key in hexadecimal: what signs,
// encrypts and decrypts, and knows its public key.
func BenchmarkImport(b *testing.B) { row(b, "", params{}) }

// BenchmarkConversationKey derives the conversation key (NIP-44).
func BenchmarkConversationKey(b *testing.B) { row(b, "", params{}) }

// BenchmarkEncrypt encrypts a text (NIP-44), with the conversation key at hand or
// derived for it.
func BenchmarkEncrypt(b *testing.B) { messages(b, "cached", "derived") }

// BenchmarkDecrypt decrypts a payload (NIP-44) likewise.
func BenchmarkDecrypt(b *testing.B) { messages(b, "cached", "derived") }

// BenchmarkSign computes the id of an event with ten tags and signs it.
func BenchmarkSign(b *testing.B) { row(b, "", params{}) }

// BenchmarkVerify parses an event with ten tags, recomputes its id and verifies
// its signature.
func BenchmarkVerify(b *testing.B) { row(b, "", params{}) }

// BenchmarkWrap makes a durable gift wrap of a message, for a peer that was
// written to before.
func BenchmarkWrap(b *testing.B) { messages(b, "") }

// BenchmarkUnwrap parses a gift wrap from a peer that has written before, verifies
// its id and signature, decrypts it, verifies the seal, decrypts that, and reads
// the rumor.
func BenchmarkUnwrap(b *testing.B) { messages(b, "") }

// BenchmarkUnwrapUnknown is the work of BenchmarkUnwrap on a message of 32 bytes from a
// sender who has not written before.
func BenchmarkUnwrapUnknown(b *testing.B) { row(b, "", params{len: 32}) }

// BenchmarkUnwrapInTurn is the same from six hundred senders in turn, of whom five
// hundred were written to before, and the others have written.
func BenchmarkUnwrapInTurn(b *testing.B) { row(b, "", params{len: 32, n: 600}) }

// BenchmarkVerifyAll is the work of BenchmarkVerify on many events at a time, by
// all processors. The time is that of one event.
func BenchmarkVerifyAll(b *testing.B) { batches(b) }

// BenchmarkUnwrapAll is the work of BenchmarkUnwrap on many wraps at a time, of
// messages of 32 bytes, by all processors. The time is that of one wrap.
func BenchmarkUnwrapAll(b *testing.B) { batches(b) }

// messages runs a row for messages of the audit's three lengths.
func messages(b *testing.B, keys ...string) {
	for _, n := range []int{32, 1024, 64000} {
		for _, key := range keys {
			row(b, "", params{len: n, key: key})
		}
	}
}

// batches runs a row for batches. Tiers are left to the rows of one event.
func batches(b *testing.B) {
	for _, n := range []int{1, 10, 1000} {
		row(b, "none", params{n: n})
	}
}
