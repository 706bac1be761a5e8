package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/protocol/nip44"
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

// The library's payloads that must not open do not open here (case 23).
func TestDecryptVectors(t *testing.T) {
	var file struct {
		Invalid []struct {
			ConversationKey string `json:"conversation_key"`
			Payload, Why    string
		}
	}
	readVectors(t, "nip44.json", &file)
	ran := 0
	for _, c := range file.Invalid {
		if strings.TrimSpace(c.Payload) != c.Payload {
			continue // the tool drops white space around a payload
		}
		out, err := decryptPayload(conversationKey(t, c.ConversationKey), []byte(c.Payload), nil)
		if err == nil || out != nil {
			t.Errorf("%s: %d bytes, error %v", c.Why, len(out), err)
		} else if e := newLineError(err, layerPayload); e.Class != "malformed" && e.Class != "too_large" {
			t.Errorf("%s: class %s", c.Why, e.Class)
		}
		ran++
	}
	if ran < 100 {
		t.Errorf("%d cases", ran)
	}
}

// A text that is not UTF-8 neither goes in nor comes out.
func TestCipherUTF8(t *testing.T) {
	const notUTF8 = "a\xff"
	ck := conversationKey(t, strings.Repeat("01", 32))
	if out, err := encryptText(ck, []byte(notUTF8), nil); err != nip44.ErrUTF8 || out != nil {
		t.Errorf("encrypt: %q, %v", out, err)
	}
	payload, err := ck.AppendEncrypt(nil, []byte(notUTF8), nil)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := decryptPayload(ck, payload, nil); err != nip44.ErrUTF8 || out != nil {
		t.Errorf("decrypt: %q, %v", out, err)
	}
}

func conversationKey(t *testing.T, s string) *nip44.ConversationKey {
	t.Helper()
	key, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	ck, err := nip44.NewConversationKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return ck
}
