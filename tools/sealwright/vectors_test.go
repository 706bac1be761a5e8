package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// readVectors reads test data of the library.
func readVectors(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../protocol/testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

// The library's own events, sound, refused and malformed, come out of verify
// as they are meant (case 23).
func TestVerifyVectors(t *testing.T) {
	var file struct {
		Valid, Refused, Malformed []struct{ JSON, Error string }
	}
	readVectors(t, "event.json", &file)
	classes := map[string]string{"id": "forged", "signature": "forged", "public_key": "malformed"}

	var in, want bytes.Buffer
	var refused []string // classes, in order
	for _, c := range file.Valid {
		// Line ends between the tokens would end the line.
		text := strings.NewReplacer("\n", " ", "\r", " ").Replace(c.JSON)
		in.WriteString(text + "\n")
		want.WriteString(text + "\n")
	}
	for _, c := range file.Refused {
		in.WriteString(c.JSON + "\n")
		refused = append(refused, classes[c.Error])
	}
	for _, c := range file.Malformed {
		if strings.TrimSpace(c.JSON) == "" || strings.ContainsAny(c.JSON, "\r\n") {
			continue // not one line
		}
		in.WriteString(c.JSON + "\n")
		refused = append(refused, "malformed")
	}
	if len(file.Valid) != 127 || len(refused) < 19+50 {
		t.Fatalf("%d sound events and %d others", len(file.Valid), len(refused))
	}

	path := filepath.Join(t.TempDir(), "events.jsonl")
	if err := os.WriteFile(path, in.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr := runTool(t, 2, "verify", path)
	if !bytes.Equal(stdout.Bytes(), want.Bytes()) {
		t.Error("not the sound events as they were")
	}
	dec := json.NewDecoder(stderr)
	for i, class := range refused {
		var got lineError
		if err := dec.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if got.Line != int64(len(file.Valid)+i+1) || got.Class != class || got.Layer != "event" {
			t.Errorf("refused event %d: %+v, want class %s", i, got, class)
		}
	}
	if err := dec.Decode(new(lineError)); err != io.EOF {
		t.Errorf("more errors than refused events: %v", err)
	}
}
