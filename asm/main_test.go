package main

import (
	"path/filepath"
	"testing"
)

func TestStatus(t *testing.T) {
	for want, calls := range [][][]string{
		0: {{"cpu", t.TempDir()}},
		1: {{"cpu", filepath.Join(t.TempDir(), "absent")}},
		2: {{}, {"cpu"}, {"md5", t.TempDir()}, {"cpu", t.TempDir(), "more"}},
	} {
		for _, args := range calls {
			if got := run(args); got != want {
				t.Errorf("%q ends with %d, want %d", args, got, want)
			}
		}
	}
}
