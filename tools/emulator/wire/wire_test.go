package wire

import (
	"bytes"
	"io"
	"testing"
)

func TestFrames(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, Stdout, []byte("hi\n")); err != nil {
		t.Fatal(err)
	}
	if err := Write(&b, Done, nil); err != nil {
		t.Fatal(err)
	}
	if want := "o\x00\x00\x00\x03hi\nd\x00\x00\x00\x00"; b.String() != want {
		t.Fatalf("wrote %q, want %q", b.String(), want)
	}
	if kind, payload, err := Read(&b); kind != Stdout || string(payload) != "hi\n" || err != nil {
		t.Fatalf("Read: %c, %q, %v", kind, payload, err)
	}
	if kind, payload, err := Read(&b); kind != Done || len(payload) != 0 || err != nil {
		t.Fatalf("Read: %c, %q, %v", kind, payload, err)
	}
	if _, _, err := Read(&b); err != io.EOF {
		t.Fatalf("Read at the end: %v", err)
	}
}

func TestLongPayload(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, Stderr, make([]byte, MaxPayload+1)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{MaxPayload, 1} {
		if kind, payload, err := Read(&b); kind != Stderr || len(payload) != want || err != nil {
			t.Fatalf("Read: %c, %d bytes, %v; want e, %d", kind, len(payload), err, want)
		}
	}
}

func TestDamaged(t *testing.T) {
	for name, frame := range map[string]string{
		"kind":    "?\x00\x00\x00\x00",
		"length":  "o\x00\x01\x00\x01",
		"head":    "o\x00\x00",
		"payload": "o\x00\x00\x00\x02h",
		"empty":   "o\x00\x00\x00\x02",
	} {
		if _, _, err := Read(bytes.NewReader([]byte(frame))); err == nil || err == io.EOF {
			t.Errorf("%s: Read gives %v", name, err)
		}
	}
}
