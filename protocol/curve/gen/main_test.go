package main

import (
	"bytes"
	"os"
	"testing"
)

// TestCurrent prints the table again and compares it with the committed file.
func TestCurrent(t *testing.T) {
	want, err := os.ReadFile("../basetable.go")
	if err != nil {
		t.Fatal(err)
	}
	got, err := table()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("basetable.go is not what gen prints: run go generate ./protocol/curve")
	}
}
