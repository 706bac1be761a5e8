//go:build !race

package testkit

// Race tells that the race detector watches.
const Race = false
