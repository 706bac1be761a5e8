//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// A console is a terminal with a program on it.
type console struct {
	t            *testing.T
	keyboard     *os.File // the other side: what is typed is written there
	tty          *os.File
	before       *term.State
	cmd          *exec.Cmd
	stdout, errs bytes.Buffer // of the program

	mu     sync.Mutex
	screen []byte
}

// startConsole runs the program with a terminal. Its standard streams are none:
// input is stdin, results and errors are gathered.
func startConsole(t *testing.T, stdin string, args ...string) *console {
	t.Helper()
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Skipf("NOT RUN: no pseudo-terminal: %v", err)
	}
	c := &console{t: t, keyboard: keyboard, tty: tty}
	t.Cleanup(func() { keyboard.Close(); tty.Close() })
	if c.before, err = term.GetState(int(tty.Fd())); err != nil {
		t.Fatal(err)
	}
	c.cmd = exec.Command("sealwright", args...)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = strings.NewReader(stdin), &c.stdout, &c.errs
	c.cmd.ExtraFiles = []*os.File{tty}
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		b := make([]byte, 1000)
		for {
			n, err := keyboard.Read(b)
			c.mu.Lock()
			c.screen = append(c.screen, b[:n]...)
			c.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return c
}

func (c *console) shown() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.screen)
}

// expect waits until the screen ends with text and what is typed is not shown.
func (c *console) expect(text string) {
	c.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		now, err := term.GetState(int(c.tty.Fd()))
		if err != nil {
			c.t.Fatal(err)
		}
		if strings.HasSuffix(c.shown(), text) && !reflect.DeepEqual(now, c.before) {
			return
		}
		if time.Now().After(end) {
			c.cmd.Process.Kill()
			c.cmd.Wait()
			c.t.Fatalf("the screen shows %q, want %q at its end; standard error: %q", c.shown(), text, c.errs.String())
		}
	}
}

func (c *console) press(keys string) {
	c.t.Helper()
	if _, err := c.keyboard.WriteString(keys); err != nil {
		c.t.Fatal(err)
	}
}

// end waits for the program. The terminal must be as it was, echo and all.
func (c *console) end(code int) {
	c.t.Helper()
	timer := time.AfterFunc(20*time.Second, func() { c.cmd.Process.Kill() })
	c.cmd.Wait()
	timer.Stop()
	if got := c.cmd.ProcessState.ExitCode(); got != code {
		c.t.Errorf("exit code %d, want %d; standard error: %q", got, code, c.errs.String())
	}
	after, err := term.GetState(int(c.tty.Fd()))
	if err != nil {
		c.t.Fatal(err)
	}
	if !reflect.DeepEqual(after, c.before) {
		c.t.Errorf("the terminal was left changed: %+v, before %+v", after, c.before)
	}
}

// The password is asked for on the terminal while all standard streams are
// pipes, and is not shown; the pipes carry the work.
func TestPrompt(t *testing.T) {
	key := keyFile(t, "key", ncryptsecExample)
	c := startConsole(t, `{"kind":1,"created_at":1700000000,"content":"x"}`, "sign", "--key-file", key)
	c.expect("Password of key file " + key + ": ")
	c.press("nostr\n")
	c.end(0)
	if got, want := c.shown(), "Password of key file "+key+": \r\n"; got != want {
		t.Errorf("the screen shows %q, want %q", got, want)
	}
	if c.errs.Len() > 0 || !strings.Contains(c.stdout.String(), `"created_at":1700000000,"kind":1,"tags":[],"content":"x"`) {
		t.Errorf("standard output %q, standard error %q", c.stdout.String(), c.errs.String())
	}
}

// Each key has its own question, and a wrong answer names the key.
func TestPromptOfEach(t *testing.T) {
	one, two := keyFile(t, "one", ncryptsecSmall), keyFile(t, "two", ncryptsecSmall)
	c := startConsole(t, "", "unwrap", "--key-file", one, "--key-file", two)
	c.expect("Password of key file " + one + ": ")
	c.press("nostr\n")
	c.expect("Password of key file " + two + ": ")
	c.press("Nostr\n")
	c.end(1)
	if got, want := c.errs.String(), "sealwright: key file "+two+": wrong password, or a damaged ncryptsec\n"; got != want {
		t.Errorf("standard error %q, want %q", got, want)
	}
}

// A signal at the question ends the program with the code of the signal, and
// the terminal shows again what is typed.
func TestPromptStopped(t *testing.T) {
	key := keyFile(t, "key", ncryptsecSmall)
	for name, test := range map[string]struct {
		stop func(c *console)
		code int
	}{
		"Ctrl-C":  {func(c *console) { c.press("nos\x03") }, 130},
		"SIGTERM": {func(c *console) { c.cmd.Process.Signal(syscall.SIGTERM) }, 143},
	} {
		t.Run(name, func(t *testing.T) {
			c := startConsole(t, "", "pubkey", "--key-file", key)
			c.expect(": ")
			test.stop(c)
			c.end(test.code)
			if c.stdout.Len() > 0 || c.errs.Len() > 0 {
				t.Errorf("standard output %q, standard error %q", c.stdout.String(), c.errs.String())
			}
		})
	}
}
