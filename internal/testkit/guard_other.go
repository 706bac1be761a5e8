//go:build !unix

package testkit

import "testing"

// Guard skips the test: this system has no pages to protect.
func Guard(tb testing.TB, n int) (low, high []byte) {
	tb.Helper()
	tb.Skip("no guard pages on this system")
	return nil, nil
}
