// Package interop holds the tests that other implementations open what this
// module makes, and that it opens what they make: nostr-tools and
// @rust-nostr/nostr-sdk under Node, each behind a script of peers, and
// go-nostr in the test itself. It has no code of its own.
//
// The scripts want what `npm ci` installs in peers. Where that or Node is
// absent, the two peers are skipped, or fail under SEALWRIGHT_REQUIRE=interop.
//
// What a peer cannot do is an expected value too: the longest plaintext, the
// largest rumor, the characters it changes. A new version of a peer that can do
// more fails the test until its limits are measured again.
package interop
