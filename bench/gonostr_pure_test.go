//go:build !libsecp256k1

package bench

// gonostrPeer is go-nostr as it is built without tags.
var gonostrPeer = gonostr
