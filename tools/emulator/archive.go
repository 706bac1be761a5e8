//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// archive is an initramfs: a cpio archive in the format "newc", which the
// kernel's Documentation/driver-api/early-userspace/buffer-format.rst describes.
type archive struct {
	buf  bytes.Buffer
	seen map[string]bool
}

const (
	modeDir  = 0o040755
	modeFile = 0o100755 // programs and data alike: nobody looks
)

// add puts a file, and the folders above it, into the archive. A path that is
// already there stays as it is.
func (a *archive) add(path string, data []byte) {
	if a.seen[path] {
		return
	}
	a.addDir(filepath.Dir(path))
	a.entry(path, modeFile, data)
}

func (a *archive) addDir(path string) {
	if path == "/" || a.seen[path] {
		return
	}
	a.addDir(filepath.Dir(path))
	a.entry(path, modeDir, nil)
}

// addFile copies a file of the host to the same path in the guest.
func (a *archive) addFile(path string) error {
	if a.seen[path] {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	a.add(path, data)
	return nil
}

// addTree copies a file, or a folder with all that is below it.
func (a *archive) addTree(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return a.addFile(path)
	}
	// The slash lets the folder itself be a symbolic link.
	return filepath.WalkDir(path+"/", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			a.addDir(filepath.Clean(path))
			return nil
		}
		return a.addFile(path)
	})
}

// addPackage copies what a test finds in its working directory: the files of
// the folder, and all of testdata.
func (a *archive) addPackage(dir string) error {
	a.addDir(dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.Name() == "testdata":
			err = a.addTree(path)
		case e.Type().IsRegular():
			err = a.addFile(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bytes ends the archive.
func (a *archive) bytes() []byte {
	a.entry("/TRAILER!!!", 0, nil)
	return a.buf.Bytes()
}

// entry writes the header of 13 numbers, the name and the data, each padded to
// 4 bytes.
func (a *archive) entry(path string, mode int, data []byte) {
	if a.seen == nil {
		a.seen = make(map[string]bool)
	}
	a.seen[path] = true
	name := path[1:] // names are relative to the root
	fmt.Fprintf(&a.buf, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x",
		len(a.seen), mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name)+1, 0)
	a.buf.WriteString(name + "\x00")
	a.pad()
	a.buf.Write(data)
	a.pad()
}

func (a *archive) pad() {
	for a.buf.Len()%4 != 0 {
		a.buf.WriteByte(0)
	}
}
