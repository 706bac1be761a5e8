//go:build unix

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// silence ends the program under test when it writes to standard error.
type silence struct {
	cancel func()
	broken []byte
}

func (s *silence) Write(b []byte) (int, error) {
	if s.broken == nil {
		s.broken = append(s.broken, b[:min(len(b), 200)]...)
		s.cancel()
	}
	return len(b), nil
}

// SIGINT in the middle of an endless job: exit code 130, whole lines until
// then, nothing on standard error.
func TestInterrupt(t *testing.T) {
	tool, err := exec.LookPath("sealwright") // TestMain puts it there
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("e108399bd8424357a710b606ae0c13166d853d327e47a6e5e038197346bdbf45"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, "unwrap", "--key-file", key)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := silence{cancel: cancel}
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		many := []byte(strings.Repeat(nip59Wrap+"\n", 100))
		for {
			if _, err := stdin.Write(many); err != nil {
				return // it has ended
			}
		}
	}()
	first := make([]byte, 10_000)
	if _, err := io.ReadFull(stdout, first); err != nil {
		cmd.Wait()
		t.Fatalf("%v; standard error: %q", err, stderr.broken)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(stdout)
	if err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("ended with %v, want exit code 130; standard error: %q", err, stderr.broken)
	}
	out := string(first) + string(rest)
	if !strings.HasSuffix(out, "}\n") {
		t.Fatalf("output ends with %q", out[max(0, len(out)-40):])
	}
	lines := strings.SplitAfter(strings.TrimSuffix(out, "\n"), "\n")
	for _, ln := range lines {
		if strings.TrimSuffix(ln, "\n") != strings.TrimSuffix(lines[0], "\n") {
			t.Fatalf("a line is %q, another %q", ln, lines[0])
		}
	}
}
