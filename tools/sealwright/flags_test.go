package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const secretOne = "0000000000000000000000000000000000000000000000000000000000000001"

// The time of a template that has none is now, also in a wrap, whose own time
// is another; that of one that has a time stays.
func TestTimeIsNow(t *testing.T) {
	key := keyFile(t, "key", secretOne)
	for _, test := range []struct {
		kind string
		run  func(template string) []byte
		time func(out []byte) int64
	}{
		{"sign", func(template string) []byte {
			out, _ := runTool(t, 0, "sign", "--key-file", key, keyFile(t, "input", template))
			return out.Bytes()
		}, func(out []byte) int64 {
			var e struct {
				CreatedAt int64 `json:"created_at"`
			}
			if err := json.Unmarshal(out, &e); err != nil {
				t.Fatal(err)
			}
			return e.CreatedAt
		}},
		{"wrap", func(template string) []byte {
			wrap, _ := runTool(t, 0, "wrap", "--self", "--key-file", key, keyFile(t, "input", template))
			out, _ := runTool(t, 0, "unwrap", "--key-file", key, keyFile(t, "input", wrap.String()))
			return out.Bytes()
		}, func(out []byte) int64 {
			var m struct {
				Rumor struct {
					CreatedAt int64 `json:"created_at"`
				}
			}
			if err := json.Unmarshal(out, &m); err != nil {
				t.Fatal(err)
			}
			return m.Rumor.CreatedAt
		}},
	} {
		before := time.Now().Unix()
		got := test.time(test.run(`{"kind":1,"content":"x"}`))
		if after := time.Now().Unix(); got < before || got > after {
			t.Errorf("%s: created_at %d, want %d to %d", test.kind, got, before, after)
		}
		for _, at := range []int64{0, 1700000000} {
			if got := test.time(test.run(fmt.Sprintf(`{"kind":1,"created_at":%d,"content":"x"}`, at))); got != at {
				t.Errorf("%s: created_at %d, want %d", test.kind, got, at)
			}
		}
	}
}

// The limits of wrap are those of the rumor's JSON: 40,960 bytes for older
// programs, 655,360 for all.
func TestWrapLimits(t *testing.T) {
	const hex64 = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
	const around = `{"id":"` + hex64 + `","pubkey":"` + hex64 + `","created_at":1700000000,"kind":1,"tags":[],"content":""}`
	key := keyFile(t, "key", secretOne)
	for _, test := range []struct {
		size    int
		flag    string
		refused string
	}{
		{40960, "--legacy-only", ""},
		{40961, "--legacy-only", "rumor of 40961 bytes: older programs read 40960 at most (--legacy-only)"},
		{40961, "--legacy-only=false", ""},
		{655360, "--legacy-only=false", ""},
		{655361, "--legacy-only=false", "rumor of 655361 bytes: 655360 is the most that is sent"},
	} {
		rumor := `{"created_at":1700000000,"kind":1,"content":"` + strings.Repeat("x", test.size-len(around)) + `"}`
		code, want := 0, ""
		file := keyFile(t, "input", rumor)
		if test.refused != "" {
			code, want = 2, fmt.Sprintf(`{"file":"%s","line":1,"class":"too_large","layer":"rumor","message":"%s"}`+"\n", file, test.refused)
		}
		stdout, stderr := runTool(t, code, "wrap", "--self", test.flag, "--key-file", key, file)
		if lines := bytes.Count(stdout.Bytes(), []byte("\n")); stderr.String() != want || lines != 1-code/2 {
			t.Errorf("%d bytes, %s: %d lines, standard error %q, want %q", test.size, test.flag, lines, stderr, want)
		}
	}
}

// encrypt --legacy-only takes 65,535 bytes (NIP-44's first form of the length);
// the last of a file is a line end.
func TestEncryptLegacyOnly(t *testing.T) {
	const to = "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
	key := keyFile(t, "key", secretOne)
	for _, test := range []struct {
		size int
		flag string
		code int
	}{
		{65535, "--legacy-only", 0},
		{65536, "--legacy-only", 1},
		{65536, "--legacy-only=false", 0},
	} {
		stdout, stderr := runTool(t, test.code, "encrypt", test.flag, "--key-file", key, "--to", to, keyFile(t, "input", strings.Repeat("x", test.size-1)))
		if refused := strings.Contains(stderr.String(), "nip44: too large: 65536, limit 65535"); refused != (test.code == 1) || (stdout.Len() == 0) != refused {
			t.Errorf("%d bytes, %s: %d bytes out, standard error %q", test.size, test.flag, stdout.Len(), stderr)
		}
	}
}

// --jobs limits the processors, and raises them for nobody.
func TestJobs(t *testing.T) {
	key := keyFile(t, "key", secretOne)
	for _, test := range []struct {
		jobs string
		want int
	}{{"", 3}, {"--jobs=2", 2}, {"--jobs=1", 1}, {"--jobs=5", 3}} {
		args := []string{"unwrap", "--summary", "--key-file", key}
		if test.jobs != "" {
			args = append(args, test.jobs)
		}
		cmd := exec.Command("sealwright", append(args, os.DevNull)...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=3")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		var got struct{ Summary struct{ Jobs int } }
		if err := json.Unmarshal(stderr.Bytes(), &got); err != nil || got.Summary.Jobs != test.want {
			t.Errorf("%q: %d processors, want %d (%v)", test.jobs, got.Summary.Jobs, test.want, err)
		}
	}
}

// Every flag of the tool is in CLI.md, every flag in CLI.md is one of the tool,
// and a test uses each.
func TestFlagsAreDocumentedAndTested(t *testing.T) {
	page, err := os.ReadFile("CLI.md")
	if err != nil {
		t.Fatal(err)
	}
	flag := regexp.MustCompile(`--[a-z][a-z-]*`)
	documented, flags := make(map[string]bool), make(map[string]bool)
	for _, name := range flag.FindAllString(string(page), -1) {
		documented[name] = true
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Name() == "completion" { // the command library's own
			return
		}
		c.InitDefaultHelpFlag()
		c.Flags().VisitAll(func(f *pflag.Flag) { flags["--"+f.Name] = true })
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(new(bytes.Buffer)))

	var tests []string
	for _, pattern := range []string{"*_test.go", "testdata/script/*.txtar"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tests = append(tests, flag.FindAllString(string(text), -1)...)
		}
	}
	tested := make(map[string]bool)
	for _, name := range tests {
		tested[name] = true
	}
	for name := range documented {
		if !flags[name] {
			t.Errorf("CLI.md names %s, which no command has", name)
		}
		if !tested[name] {
			t.Errorf("no test uses %s", name)
		}
	}
	for name := range flags {
		if !documented[name] {
			t.Errorf("CLI.md does not name %s", name)
		}
	}
}
