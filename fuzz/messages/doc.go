// Package messages fuzzes protocol/nip44, protocol/event and protocol/nip59:
// against go-nostr, against the NIPs written a second time
// (internal/reference), and against what must hold of every input. Every tier
// of the kernels runs.
//
// What several files of targets share is no _test file: OSS-Fuzz builds those
// that hold a target, and no other.
package messages
