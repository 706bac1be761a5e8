package main

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// A terminal that a test can look at.
type terminal struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (s *terminal) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Write(b)
}

func (s *terminal) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}

// wait waits until the terminal has shown what pattern matches.
func (s *terminal) wait(t *testing.T, pattern string) {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for end := time.Now().Add(10 * time.Second); !re.MatchString(s.text()); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no match for %q in %q", pattern, s.text())
		}
	}
}

// lastLines plays what was written: each line as it looks in the end.
func lastLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i, ln := range lines {
		lines[i] = ln[strings.LastIndex(ln, eraseLine)+1:]
		lines[i] = strings.TrimPrefix(lines[i], eraseLine[1:])
	}
	return lines
}

func TestProgress(t *testing.T) {
	for _, test := range []struct {
		name        string
		total       int64
		first, last string
	}{
		{"known size", 1000, ` 0 % \[-+\]   0 lines  0/s  left 0s`, ` 50 % \[=+>-+\]   20 lines  [0-9]+/s  left [0-9]+s`},
		{"size not known", -1, `   0 lines  0/s  0.0 b`, `   20 lines  [0-9]+/s  500.0 b`},
	} {
		t.Run(test.name, func(t *testing.T) {
			tty := new(terminal)
			p := startProgress(&screen{tty: tty, fd: -1}, test.total)
			tty.wait(t, test.first)
			out := besideBar{p.screen, tty}
			if _, err := io.WriteString(out, "one\ntwo\n"); err != nil {
				t.Error(err)
			}
			p.add(20, 500)
			tty.wait(t, test.last)
			if _, err := io.WriteString(out, "three\n"); err != nil {
				t.Error(err)
			}
			p.end()
			if _, err := io.WriteString(out, "four\n"); err != nil {
				t.Error(err)
			}
			if got := strings.Join(lastLines(tty.text()), "|"); got != "one|two|three|four|" {
				t.Errorf("the screen shows %q in the end; written: %q", got, tty.text())
			}
		})
	}
}

// A short job shows nothing; neither does a nil progress.
func TestProgressOfShortJob(t *testing.T) {
	tty := new(terminal)
	p := startProgress(&screen{tty: tty, fd: -1, from: time.Now().Add(time.Hour)}, 100)
	p.add(1, 50)
	time.Sleep(500 * time.Millisecond)
	p.end()
	if tty.text() != "" {
		t.Errorf("%q", tty.text())
	}
	var none *progress
	none.add(1, 1)
	none.end()
}
