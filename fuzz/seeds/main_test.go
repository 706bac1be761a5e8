package main

import (
	"archive/zip"
	"bytes"
	"io"
	"path/filepath"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, tt := range []struct{ file, want string }{
		{"go test fuzz v1\n[]byte(\"a\\x00\\n\\\"\")\n", "a\x00\n\""},
		{"go test fuzz v1\n[]byte(\"\")\n", ""},
	} {
		if got, err := decode([]byte(tt.file)); err != nil || string(got) != tt.want {
			t.Errorf("%q: %q, %v; want %q", tt.file, got, err, tt.want)
		}
	}
	for _, file := range []string{"", "go test fuzz v1\n", "go test fuzz v1\nstring(\"a\")\n", "go test fuzz v1\n[]byte(\"a\")\nint(1)\n", "go test fuzz v2\n[]byte(\"a\")\n", "go test fuzz v1\n[]byte(\"a\"\n"} {
		if got, err := decode([]byte(file)); err == nil {
			t.Errorf("%q: %q", file, got)
		}
	}
}

func TestPack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x_seed_corpus.zip")
	if n, err := pack(path, [][]byte{[]byte("b"), {}, []byte("a"), []byte("b")}); err != nil || n != 3 {
		t.Fatalf("%d inputs, %v; want 3", n, err)
	}
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all [][]byte
	for _, f := range r.File {
		c, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(c)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	if got := bytes.Join(all, []byte("|")); string(got) != "|a|b" {
		t.Errorf("the archive holds %q", got)
	}
}
