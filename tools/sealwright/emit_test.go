package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A warning stands beside its line's output, and no file name can make two
// lines of it or drive a terminal.
func TestEmitWarning(t *testing.T) {
	var out, errs bytes.Buffer
	m := newEmitter(&out, &errs)
	err := m.emit([]line{
		{file: "a\nb\x1b", number: 2, out: []byte("x\n"), warning: "beware"},
		{file: "f", number: 3, err: &lineError{Class: "malformed", Layer: "line"}},
		{file: "f", number: 4, out: []byte("y\n"), warning: "again"},
	}, 0)
	if want := "sealwright: warning: a\uFFFDb\uFFFD: line 2: beware\n" +
		`{"file":"f","line":3,"class":"malformed","layer":"line","message":""}` + "\nsealwright: warning: f: line 4: again\n"; err != nil || out.String() != "x\ny\n" || errs.String() != want {
		t.Errorf("%v, output %q, errors %q, want %q", err, out.String(), errs.String(), want)
	}
	if m.lines != 3 || m.opened != 2 {
		t.Errorf("%d of %d lines have output, want 2 of 3", m.opened, m.lines)
	}
}

// Output that comes in pieces is whole and in its place; when a piece fails, a
// file has none of them.
func TestEmitLong(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	pieces := func(end error, list ...string) func() ([]byte, error) {
		return func() ([]byte, error) {
			if len(list) == 0 {
				return nil, end
			}
			p := list[0]
			list = list[1:]
			return []byte(p), nil
		}
	}
	m := newEmitter(file, new(bytes.Buffer))
	if err := m.emit([]line{
		{out: []byte("before\n")},
		{out: []byte("1\n"), more: pieces(nil, "2\n", "3\n")},
		{out: []byte("after\n")},
	}, 0); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no randomness")
	err = m.emit([]line{
		{out: []byte("last\n")},
		{file: "f", number: 7, out: []byte("4\n"), more: pieces(broken, strings.Repeat("5\n", 1000))},
		{out: []byte("never\n")},
	}, 0)
	if !errors.Is(err, broken) || err.Error() != "f: line 7: no randomness" {
		t.Errorf("error %v", err)
	}
	got, err := os.ReadFile(file.Name())
	if want := "before\n1\n2\n3\nafter\nlast\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
