//go:build unix

package testkit

import (
	"testing"

	"golang.org/x/sys/unix"
)

// Guard returns two slices of n zero bytes: low begins where an inaccessible
// page ends, high ends where one begins. A kernel that touches one byte
// outside dies of it. The two share memory, so a test uses one of them at a
// time; it goes with the test.
func Guard(tb testing.TB, n int) (low, high []byte) {
	tb.Helper()
	page := unix.Getpagesize()
	middle := max(1, (n+page-1)/page) * page
	all, err := unix.Mmap(-1, 0, page+middle+page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := unix.Munmap(all); err != nil {
			tb.Error(err)
		}
	})
	for _, guard := range [][]byte{all[:page], all[page+middle:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			tb.Fatal(err)
		}
	}
	inner := all[page : page+middle : page+middle]
	return inner[:n:n], inner[middle-n:]
}
