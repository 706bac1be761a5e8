//go:build !cpeers

package bench

// cPeers are there with the build tag cpeers only.
var cPeers []candidate
