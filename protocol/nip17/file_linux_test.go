//go:build amd64 || arm64

package nip17

import (
	"errors"
	"syscall"
	"testing"
)

// A file of 64 GiB is refused before it is touched: nothing can be read here.
func TestEncryptHugeFile(t *testing.T) {
	huge, err := syscall.Mmap(-1, 0, 64<<30, syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skipf("no addresses for 64 GiB: %v", err)
	}
	defer syscall.Munmap(huge)
	if ciphertext, f, err := EncryptFile(huge, "video/mp4"); !errors.Is(err, ErrFileTooLarge) || ciphertext != nil || f != nil {
		t.Errorf("%v", err)
	}
}
