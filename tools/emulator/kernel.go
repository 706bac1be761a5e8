//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// kernelPackage always depends on the current one of Debian's small kernels,
// whose drivers for serial ports are built in.
const kernelPackage = "linux-image-cloud-amd64"

// findKernel returns the path of a kernel: the newest of those installed, or
// the one that lies in the cache folder, where it is put on the first run.
func findKernel(cache string) (string, error) {
	for _, pattern := range []string{"/boot/vmlinuz-*-cloud-amd64", filepath.Join(cache, "vmlinuz-*")} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return "", err
		}
		if len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	return fetchKernel(cache)
}

// fetchKernel takes the kernel out of Debian's package without installing it.
func fetchKernel(cache string) (string, error) {
	fmt.Fprintf(os.Stderr, "emulator: fetching %s into %s\n", kernelPackage, cache)
	depends, err := output(cache, "apt-cache", "depends", "--important", kernelPackage)
	if err != nil {
		return "", err
	}
	_, name, ok := strings.Cut(depends, "Depends: ")
	if !ok {
		return "", fmt.Errorf("apt knows no %s (apt-get update?)", kernelPackage)
	}
	name = strings.Fields(name)[0]

	dir, err := os.MkdirTemp(cache, "fetch")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if _, err := output(dir, "apt-get", "-q", "download", name); err != nil {
		return "", err
	}
	deb, err := only(filepath.Join(dir, "*.deb"))
	if err != nil {
		return "", err
	}
	if _, err := output(dir, "dpkg-deb", "--extract", deb, "tree"); err != nil {
		return "", err
	}
	kernel, err := only(filepath.Join(dir, "tree/boot/vmlinuz-*"))
	if err != nil {
		return "", err
	}
	kept := filepath.Join(cache, filepath.Base(kernel))
	return kept, os.Rename(kernel, kept)
}

func only(pattern string) (string, error) {
	found, err := filepath.Glob(pattern)
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("%d files match %s, want 1", len(found), pattern)
	}
	if err != nil {
		return "", err
	}
	return found[0], nil
}

// output runs a program in a folder. Its error holds what the program said.
func output(dir, program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w\n%s", err, exit.Stderr)
		}
	}
	return string(out), err
}
