//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// GNU cpio reads what the kernel will.
func TestArchive(t *testing.T) {
	cpio, err := exec.LookPath("cpio")
	if err != nil {
		t.Skip("cpio is not installed")
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "testdata/deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"a.go": "package a\n", "testdata/deep/x": "12345", "testdata/y": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := new(archive)
	if err := files.addPackage(dir); err != nil {
		t.Fatal(err)
	}
	into := t.TempDir()
	cmd := exec.Command(cpio, "-i", "--quiet", "--make-directories", "--no-absolute-filenames")
	cmd.Dir, cmd.Stdin = into, bytes.NewReader(files.bytes())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("cpio: %v\n%s", err, out)
	}
	for name, want := range map[string]string{"a.go": "package a\n", "testdata/deep/x": "12345", "testdata/y": ""} {
		got, err := os.ReadFile(filepath.Join(into, dir, name))
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestCutTimeout(t *testing.T) {
	rest, timeout := cutTimeout([]string{"-test.v=true", "-test.timeout=10m0s", "-test.run=X"})
	if timeout != 10*time.Minute || !slices.Equal(rest, []string{"-test.v=true", "-test.run=X"}) {
		t.Fatalf("%v, %v", rest, timeout)
	}
}

// Of two settings of one switch Go takes the last, so the caller's follows ours.
func TestEnvironment(t *testing.T) {
	t.Setenv("GODEBUG", "gctrace=1")
	t.Setenv("SEALWRIGHT_CPU", "avx512")
	t.Setenv("OTHER", "x")
	got := environment("/d")
	want := []string{"HOME=/tmp", "TMPDIR=/tmp", "PATH=/bin", "PWD=/d",
		"GODEBUG=cpu.adx=off,cpu.avx512dq=off,gctrace=1", "SEALWRIGHT_CPU=avx512"}
	for _, v := range want {
		if !slices.Contains(got, v) {
			t.Errorf("%q lacks %q", got, v)
		}
	}
	if slices.Contains(got, "OTHER=x") {
		t.Errorf("%q holds a variable that is not ours", got)
	}
}
