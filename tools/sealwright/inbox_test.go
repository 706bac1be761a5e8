package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// expectation is what the generator of the inbox meant a line to be.
type expectation struct {
	Line          int64
	Outcome       string
	Class, Layer  string
	Sender        string
	RumorID       string `json:"rumor_id"`
	Kind          int
	CreatedAt     int64 `json:"created_at"`
	Tags          [][]string
	ContentSHA256 string `json:"content_sha256"`
	WrapID        string `json:"wrap_id"`
	WrapCreatedAt int64  `json:"wrap_created_at"`
	SealID        string `json:"seal_id"`
	OpensWith     string `json:"opens_with"`
	OpensAs       *struct {
		Sender        string
		RumorID       string `json:"rumor_id"`
		ContentSHA256 string `json:"content_sha256"`
	} `json:"opens_as"`
}

func readExpected(t *testing.T) []expectation {
	t.Helper()
	f, err := os.Open("../testdata/inbox.expected.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []expectation
	for dec := json.NewDecoder(f); ; {
		var e expectation
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		if e.Line != int64(len(list)+1) {
			t.Fatalf("line %d of the expectations is for line %d", len(list)+1, e.Line)
		}
		list = append(list, e)
	}
}

// runTool runs the program that TestMain installs.
func runTool(t *testing.T, wantCode int, args ...string) (stdout, stderr *bytes.Buffer) {
	t.Helper()
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd := exec.Command("sealwright", args...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != wantCode {
		t.Fatalf("exit code %d, want %d; standard error: %.500s", code, wantCode, stderr)
	}
	return stdout, stderr
}

// The inbox of another implementation, hostile lines and all: every line comes
// out as its generator meant it, in order. The checks are the library's; the
// tool only has to pass on what it says (case 23).
func TestInbox(t *testing.T) {
	for name, test := range map[string]struct {
		args  []string
		phone bool // Alice's second key is there
	}{
		"one key":   {args: []string{"--key-file", private(t, "alice.nsec")}},
		"two keys":  {args: []string{"--key-file", private(t, "alice.nsec"), "--key-file", private(t, "alice-phone.nsec")}, phone: true},
		"one core":  {args: []string{"--jobs", "1", "--key-file", private(t, "alice.nsec")}},
		"of itself": {args: []string{"--format", "json", "--summary", "--key-file", private(t, "alice.nsec")}},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr := runTool(t, 2, append(append([]string{"unwrap"}, test.args...), "../testdata/inbox.jsonl")...)
			opened, refused := json.NewDecoder(stdout), json.NewDecoder(stderr)
			opened.DisallowUnknownFields()
			for _, want := range readExpected(t) {
				if test.phone && want.OpensWith == "alice-phone" {
					want.Outcome = "open"
				}
				if want.Outcome == "open" {
					checkOpened(t, opened, want)
				} else {
					checkRefused(t, refused, want)
				}
			}
			if opened.More() {
				t.Error("more messages than expected")
			}
		})
	}
}

func checkOpened(t *testing.T, dec *json.Decoder, want expectation) {
	t.Helper()
	var got struct {
		Sender string
		Rumor  struct {
			ID        string
			PubKey    string
			CreatedAt int64 `json:"created_at"`
			Kind      int
			Tags      [][]string
			Content   string
		}
		WrapID        string `json:"wrap_id"`
		SealID        string `json:"seal_id"`
		WrapCreatedAt int64  `json:"wrap_created_at"`
	}
	if err := dec.Decode(&got); err != nil {
		t.Fatalf("line %d: %v", want.Line, err)
	}
	sum := sha256.Sum256([]byte(got.Rumor.Content))
	content := hex.EncodeToString(sum[:])
	if as := want.OpensAs; as != nil {
		if got.Sender != as.Sender || got.Rumor.PubKey != as.Sender || got.Rumor.ID != as.RumorID || content != as.ContentSHA256 {
			t.Errorf("line %d: another message than expected: %+v", want.Line, got)
		}
		return
	}
	tags, _ := json.Marshal(got.Rumor.Tags)
	wantTags, _ := json.Marshal(want.Tags)
	switch {
	case got.Sender != want.Sender, got.Rumor.PubKey != want.Sender, got.Rumor.ID != want.RumorID,
		got.Rumor.Kind != want.Kind, got.Rumor.CreatedAt != want.CreatedAt, string(tags) != string(wantTags), content != want.ContentSHA256,
		got.WrapID != want.WrapID, got.SealID != want.SealID, got.WrapCreatedAt != want.WrapCreatedAt:
		t.Errorf("line %d: another message than expected: %.500v", want.Line, got)
	}
}

func checkRefused(t *testing.T, dec *json.Decoder, want expectation) {
	t.Helper()
	var got lineError
	if err := dec.Decode(&got); err != nil {
		t.Fatalf("line %d: %v", want.Line, err)
	}
	if got.File != "../testdata/inbox.jsonl" || got.Line != want.Line || got.Layer != want.Layer || got.Message == "" ||
		got.Class != want.Class {
		t.Errorf("line %d: %+v; want class %s, layer %s", want.Line, got, want.Class, want.Layer)
	}
}

// Text for people: as many messages and refusals as in JSON, no control
// characters, every message at most a few lines.
func TestInboxAsText(t *testing.T) {
	stdout, stderr := runTool(t, 2, "unwrap", "--format", "text", "--summary", "--key-file", private(t, "alice.nsec"), "../testdata/inbox.jsonl")
	wantOpen, wantRefused := 0, 0
	for _, e := range readExpected(t) {
		if e.Outcome == "open" {
			wantOpen++
		} else {
			wantRefused++
		}
	}
	open, refused := 0, 0
	for s := bufio.NewScanner(stdout); s.Scan(); {
		for _, r := range s.Text() {
			if !printable(r) {
				t.Errorf("%q has a control character", s.Text())
			}
		}
		if bytes.Contains(s.Bytes(), []byte("  from npub1")) {
			open++
		}
	}
	for s := bufio.NewScanner(stderr); s.Scan(); {
		if bytes.Contains(s.Bytes(), []byte("  REFUSED  ")) {
			refused++
		}
	}
	if open != wantOpen || refused != wantRefused {
		t.Errorf("%d messages and %d refusals, want %d and %d", open, refused, wantOpen, wantRefused)
	}
}

// private copies a key of the test data, which a checkout leaves readable by
// all, to where only its owner can read it: the tool would warn otherwise.
func private(t *testing.T, name string) string {
	t.Helper()
	key, err := os.ReadFile(filepath.Join("../testdata/keys", name))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, key, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
