//go:build unix && !linux

package main

import "testing"

func tinyDisk(t *testing.T) string {
	t.Helper()
	t.Skip("NOT RUN: a disk of 64 KiB needs Linux")
	return ""
}
