// Package messages fuzzes protocol/nip44, protocol/event and protocol/nip59:
// against go-nostr, against the NIPs written a second time
// (internal/reference), and against what must hold of every input. Every tier
// of the kernels runs.
package messages
