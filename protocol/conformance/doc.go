// Package conformance holds no code, only tests: they use the protocol
// packages as a user does and hold them against what independent
// implementations computed.
//
// The cases are in protocol/testdata and tools/testdata, made by noble and
// nostr-tools through tools/testdata/generate, so that the tests prove
// conformance wherever the repository is. Where the published vectors are
// present as well (VECTORS.md), they are read too. Each test counts the cases
// that it ran and fails when one is missing.
package conformance
