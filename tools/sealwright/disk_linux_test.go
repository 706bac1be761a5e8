package main

import (
	"os"
	"syscall"
	"testing"
)

// tinyDisk mounts a disk of 64 KiB, which only root may.
func tinyDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "size=64k"); err != nil {
		t.Skipf("NOT RUN: a disk of 64 KiB needs root: uid %d: %v", os.Getuid(), err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}
