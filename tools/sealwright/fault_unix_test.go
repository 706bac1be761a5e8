//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
)

// Faults of the world around the tool, as a program that was built for itself.
// In all of them each line of output is whole and parses, output is a beginning
// of what it would have been, the exit code is the one that CLI.md names, and a
// message names the file or stream.

var buildTool = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "sealwright")
	if err != nil {
		return "", err
	}
	toolDir = dir
	tool := filepath.Join(dir, "sealwright")
	out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return tool, os.Chmod(dir, 0o755) // for users that are less than we are
})

// builtTool builds the program once.
func builtTool(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("NOT RUN: no go command to build the tool with")
	}
	tool, err := buildTool()
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// A job is a command over many lines. The output for line i of input has
// content "i".
type job struct {
	name    string
	args    []string
	input   string                                 // a file
	copies  int                                    // lines of output for each line of input
	content func(t *testing.T, line []byte) string // of a line of output; nil when it is encrypted
}

// many is how many lines a job has, more than all buffers on the way hold.
const many = 600

// makeJobs makes input for every command that streams, once.
func makeJobs(t *testing.T) []job {
	t.Helper()
	builtTool(t)
	jobs, err := jobsOnce()
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

var jobsOnce = sync.OnceValues(func() ([]job, error) {
	path := func(name string) string { return filepath.Join(toolDir, name) }
	key, rumors, signed, wraps := path("key"), path("rumors"), path("signed"), path("wraps")
	const other = "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"
	var templates []byte
	for i := range many {
		templates = fmt.Appendf(templates, `{"kind":14,"tags":[["p","%s"]],"content":"%d"}`+"\n", other, i)
	}
	run := func(to string, args ...string) error {
		out, err := exec.Command(path("sealwright"), args...).Output()
		return errors.Join(err, os.WriteFile(to, out, 0o600))
	}
	err := errors.Join(
		os.WriteFile(key, []byte("67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa\n"), 0o600),
		os.WriteFile(rumors, templates, 0o600),
		run(signed, "sign", "--key-file", key, rumors),
		run(wraps, "wrap", "--self", "--key-file", key, rumors))
	return []job{
		{"unwrap", []string{"unwrap", "--key-file", key}, wraps, 1, contentOfMessage},
		{"verify", []string{"verify"}, signed, 1, contentOfEvent},
		{"sign", []string{"sign", "--key-file", key}, rumors, 1, contentOfEvent},
		{"wrap", []string{"wrap", "--self", "--to", other, "--key-file", key}, rumors, 2, nil},
	}, err
})

func contentOfEvent(t *testing.T, line []byte) string {
	e, err := event.Parse(line)
	if err != nil {
		t.Fatalf("%v: %.200q", err, line)
	}
	return e.Content
}

func contentOfMessage(t *testing.T, line []byte) string {
	var m struct{ Rumor struct{ Content string } }
	if err := json.Unmarshal(line, &m); err != nil {
		t.Fatalf("%v: %.200q", err, line)
	}
	return m.Rumor.Content
}

// check holds output against the job: whole lines, which parse, without a gap,
// for each line of input all of them. It returns for how many lines of input.
func (j job) check(t *testing.T, out []byte) (lines int) {
	t.Helper()
	if len(out) > 0 && out[len(out)-1] != '\n' {
		t.Fatalf("the last line is not whole: %.200q", out[bytes.LastIndexByte(out, '\n')+1:])
	}
	n := 0
	for line := range bytes.Lines(out) {
		if !json.Valid(line) {
			t.Fatalf("line %d of the output is no JSON: %.200q", n, line)
		}
		if j.content != nil {
			if got := j.content(t, line); got != fmt.Sprint(n/j.copies) {
				t.Fatalf("line %d of the output is for %q", n, got)
			}
		}
		n++
	}
	if n%j.copies != 0 {
		t.Errorf("%d lines of output, %d for each line of input", n, j.copies)
	}
	return n / j.copies
}

// wantErrors checks standard error: error objects, and at the end message if
// it is not empty. It returns the objects.
func wantErrors(t *testing.T, stderr []byte, message string) (list []lineError) {
	t.Helper()
	text := string(stderr)
	if message != "" {
		before, ok := strings.CutSuffix(text, message+"\n")
		if !ok {
			t.Errorf("standard error ends with %q, want %q", text[max(0, len(text)-300):], message)
		}
		text = before
	}
	for line := range strings.Lines(text) {
		var e lineError
		if err := json.Unmarshal([]byte(line), &e); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("a line of standard error is %.300q", line)
		}
		list = append(list, e)
	}
	return list
}

// waitCode waits for a program, which must end soon, and returns its exit code.
func waitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// shell runs a line of the shell, in which "$@" is the job and "$input" its file.
// Other paths come as variables, name=path: a path in the line itself would need
// quoting.
func (j job) shell(t *testing.T, line string, variables ...string) (stdout, stderr []byte, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command("sh", append([]string{"-c", line, "sh", builtTool(t)}, j.args...)...)
	cmd.Env = append(append(os.Environ(), "input="+j.input), variables...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	code = waitCode(t, cmd)
	return out.Bytes(), errs.Bytes(), code
}

// Without a fault the whole comes out: the other tests compare with that.
func TestFaultNone(t *testing.T) {
	for _, j := range makeJobs(t) {
		stdout, stderr, code := j.shell(t, `exec "$@" "$input"`)
		if n := j.check(t, stdout); n != many || code != 0 || len(stderr) > 0 {
			t.Errorf("%s: %d lines, exit code %d, standard error %q", j.name, n, code, stderr)
		}
	}
}

// The reader goes away in the middle: exit code 1, without a word. It has whole
// lines up to where it stopped.
func TestFaultReaderGone(t *testing.T) {
	for _, j := range makeJobs(t) {
		t.Run(j.name, func(t *testing.T) {
			var stderr bytes.Buffer
			cmd := exec.Command(builtTool(t), append(j.args, j.input)...)
			cmd.Stderr = &stderr
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var got []byte
			r := bufio.NewReader(stdout)
			for range 10 * j.copies {
				line, err := r.ReadBytes('\n')
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, line...)
			}
			stdout.Close()
			if code := waitCode(t, cmd); code != 1 || stderr.Len() > 0 {
				t.Errorf("exit code %d, standard error %q", code, stderr.Bytes())
			}
			if n := j.check(t, got); n != 10 {
				t.Errorf("%d lines", n)
			}
		})
	}
}

// A device that is always full: exit code 1, and the stream is named.
func TestFaultFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skipf("NOT RUN: %v", err)
	}
	for _, j := range makeJobs(t) {
		_, stderr, code := j.shell(t, `exec "$@" "$input" >/dev/full`)
		if code != 1 || string(stderr) != "sealwright: standard output: no space left on device\n" {
			t.Errorf("%s: exit code %d, standard error %q", j.name, code, stderr)
		}
	}
	// What is no stream of lines.
	one := "0000000000000000000000000000000000000000000000000000000000000001"
	for _, args := range [][]string{
		{"pubkey", "--key-fd", "3"}, {"encrypt", "--key-fd", "3", "--to", "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5", "/etc/passwd"},
		{"cpu"}, {"selftest"}, {"decode", "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"},
		{"encode", "npub", "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"}, {"keygen", "--out", "-"},
		{"--help"}, {"help"}, {"unwrap", "--help"}, {"--version"}, {"completion", "bash"},
	} {
		_, stderr, code := job{args: args}.shell(t, `echo "$one" | "$@" 3<&0 </dev/null >/dev/full`, "one="+one)
		if code != 1 || string(stderr) != "sealwright: standard output: no space left on device\n" {
			t.Errorf("%s: exit code %d, standard error %q", args, code, stderr)
		}
	}
}

// A file that may not grow beyond some size takes only a part of what is
// written: it ends with the last line of input that it has all of.
func TestFaultFileLimit(t *testing.T) {
	for _, j := range makeJobs(t) {
		file := filepath.Join(t.TempDir(), "out")
		for limit := 90; limit < 93; limit++ { // of 512 bytes, or of 1,024
			_, stderr, code := j.shell(t, fmt.Sprintf(`ulimit -f %d || exit 99; exec "$@" "$input" >"$file"`, limit), "file="+file)
			j.checkFull(t, file, "", stderr, code, "file too large")
		}
	}
}

// checkFull checks a file that took only a part of the output, behind what was
// there before.
func (j job) checkFull(t *testing.T, file, before string, stderr []byte, code int, why string) {
	t.Helper()
	out, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rest, kept := bytes.CutPrefix(out, []byte(before))
	n := j.check(t, rest)
	if !kept || n == 0 || n == many || code != 1 || string(stderr) != "sealwright: standard output: "+why+"\n" {
		t.Errorf("%s: %d lines, what was there is kept: %v, exit code %d, standard error %q", j.name, n, kept, code, stderr)
	}
}

// The same on a full disk, for a new file and one that is continued.
func TestFaultDiskFull(t *testing.T) {
	jobs := makeJobs(t)
	disk := tinyDisk(t)
	for _, j := range jobs {
		for _, before := range []string{"", "before\n"} {
			file := filepath.Join(disk, j.name)
			if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			_, stderr, code := j.shell(t, `exec "$@" "$input" >>"$file"`, "file="+file)
			j.checkFull(t, file, before, stderr, code, "no space left on device")
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Errors on a full disk: whole objects without a gap, the results all the same,
// and exit code 1, since some were not told.
func TestFaultDiskFullOfErrors(t *testing.T) {
	j := makeJobs(t)[1]
	events, err := os.ReadFile(j.input)
	if err != nil {
		t.Fatal(err)
	}
	const bad = 1000
	mixed := filepath.Join(t.TempDir(), "mixed")
	if err := os.WriteFile(mixed, append(bytes.Repeat([]byte("?\n"), bad), events...), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ dir, line string }{
		"limit": {t.TempDir(), `ulimit -f 95 || exit 99; exec "$@" "$mixed" 2>"$errors"`},
		"disk":  {"", `exec "$@" "$mixed" 2>"$errors"`},
	} {
		t.Run(name, func(t *testing.T) {
			if test.dir == "" {
				test.dir = tinyDisk(t)
			}
			file := filepath.Join(test.dir, "errors")
			stdout, _, code := j.shell(t, test.line, "mixed="+mixed, "errors="+file)
			errs, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			list := wantErrors(t, errs, "")
			if n := j.check(t, stdout); n != many || code != 1 || len(list) == 0 || len(list) >= bad {
				t.Errorf("%d results, %d errors, exit code %d", n, len(list), code)
			}
			for i, e := range list {
				if e.Line != int64(i+1) {
					t.Fatalf("error %d is for line %d", i, e.Line)
				}
			}
		})
	}
}

// A file or folder that cannot be read is named, before any work where that can
// be known before.
func TestFaultUnreadable(t *testing.T) {
	for _, j := range makeJobs(t) {
		dir := t.TempDir()
		for _, test := range []struct{ line, message string }{
			{`exec "$@" "$input" "$dir"`, "sealwright: " + dir + ": is a directory"},
			{`exec "$@" <"$dir"`, "sealwright: -: is a directory"},
			{`exec "$@" "$input" /no/such/file`, "sealwright: /no/such/file: no such file or directory"},
		} {
			stdout, stderr, code := j.shell(t, test.line, "dir="+dir)
			if len(stdout) > 0 || code != 1 || string(stderr) != test.message+"\n" {
				t.Errorf("%s: %d bytes, exit code %d, standard error %q", test.line, len(stdout), code, stderr)
			}
		}
	}

	t.Run("denied", func(t *testing.T) {
		tool := builtTool(t)
		dir, err := os.MkdirTemp(toolDir, "")
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "secret")
		if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(file, []byte("x\n"), 0), os.WriteFile(filepath.Join(dir, "good"), []byte("?\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd := exec.Command(tool, "verify", filepath.Join(dir, "good"), file)
		cmd.Stderr = &stderr
		if os.Getuid() == 0 { // who may read everything
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		if err := cmd.Start(); err != nil {
			t.Skipf("NOT RUN: no other user: %v", err)
		}
		if code, want := waitCode(t, cmd), "sealwright: "+file+": permission denied\n"; code != 1 || stderr.String() != want {
			t.Errorf("exit code %d, standard error %q, want %q", code, stderr.String(), want)
		}
	})

	// Reading a program's memory at address 0 fails as a broken disk does.
	t.Run("fails in the middle", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			t.Skip("NOT RUN: needs /proc/self/mem")
		}
		for _, j := range makeJobs(t) {
			stdout, stderr, code := j.shell(t, `exec "$@" "$input" /proc/self/mem "$input"`)
			if n := j.check(t, stdout); n != many || code != 1 || string(stderr) != "sealwright: /proc/self/mem: input/output error\n" {
				t.Errorf("%s: %d lines, exit code %d, standard error %q", j.name, n, code, stderr)
			}
		}
	})
}

// A signal in the middle of a long stream that is read slowly: the code of the
// signal, and every line of input up to some line has its result or its error.
func TestFaultSignal(t *testing.T) {
	jobs := makeJobs(t)
	for _, j := range jobs {
		// Every tenth line is bad.
		good, err := os.ReadFile(j.input)
		if err != nil {
			t.Fatal(err)
		}
		var in []byte
		at := 0
		for line := range bytes.Lines(good) {
			if at++; at%10 == 0 {
				in = append(in, "?\n"...)
			}
			in = append(in, line...)
		}
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(j.name+" "+sig.String(), func(t *testing.T) {
				cmd := exec.Command(builtTool(t), j.args...)
				stdin, err1 := cmd.StdinPipe()
				stdout, err2 := cmd.StdoutPipe()
				stderr, err3 := cmd.StderrPipe()
				if err := errors.Join(err1, err2, err3, cmd.Start()); err != nil {
					t.Fatal(err)
				}
				go func() { // without end
					for err := error(nil); err == nil; {
						_, err = stdin.Write(in)
					}
				}()
				errs := make(chan []byte)
				go func() {
					b, _ := io.ReadAll(stderr)
					errs <- b
				}()
				var out []byte
				buf := make([]byte, 4000)
				sent := false
				for reads := 0; ; reads++ {
					n, err := stdout.Read(buf)
					if out = append(out, buf[:n]...); err != nil {
						break
					}
					if reads < 30 {
						time.Sleep(2 * time.Millisecond)
					} else if !sent {
						sent = true
						if err := cmd.Process.Signal(sig); err != nil {
							t.Fatal(err)
						}
					}
				}
				list := wantErrors(t, <-errs, "")
				if code := waitCode(t, cmd); code != 128+int(sig) {
					t.Errorf("exit code %d", code)
				}
				// The input repeats itself after many lines.
				n := 0
				part := out
				for len(part) > 0 && j.content != nil {
					end, left := 0, many
					for ; left > 0 && end < len(part); left-- {
						i := bytes.IndexByte(part[end:], '\n')
						if i < 0 {
							end = len(part)
							break
						}
						end += i + 1
					}
					n += j.check(t, part[:end])
					part = part[end:]
				}
				if j.content == nil {
					n = j.check(t, out)
				}
				if n < 10 {
					t.Errorf("only %d lines", n)
				}
				for i, e := range list {
					if e.Line != int64(11*i+10) || e.Class != "malformed" {
						t.Fatalf("error %d: %+v", i, e)
					}
				}
				// Of n good lines, a bad one stands before each tenth.
				if want := n / 10; len(list) != want && len(list) != want+1 {
					t.Errorf("%d lines of output and %d errors: some are lost", n, len(list))
				}
			})
		}
	}
}

// Nobody reads, and the first signal waits for what is finished to be written:
// a second one ends the program at once.
func TestFaultSecondSignal(t *testing.T) {
	j := makeJobs(t)[1]
	for wait := 100 * time.Millisecond; ; wait *= 2 {
		cmd := exec.Command(builtTool(t), append(j.args, j.input)...)
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer stdout.Close()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(stdout, make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait) // the pipe fills, if the machine is fast enough
		ended := make(chan struct{})
		go func() {
			cmd.Process.Wait()
			close(ended)
		}()
		cmd.Process.Signal(syscall.SIGINT)
		select {
		case <-ended:
			if wait > 5*time.Second {
				t.Fatal("the first signal does not wait for the reader")
			}
			continue
		case <-time.After(2 * wait):
		}
		cmd.Process.Signal(syscall.SIGINT)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			cmd.Process.Kill()
			t.Error("the second signal did not end the program")
		}
		return
	}
}

// Reads that hang end with a signal: of a whole text, of a key, of a password.
func TestFaultSignalWhileReading(t *testing.T) {
	key := keyFile(t, "key", ncryptsecSmall)
	const to = "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"
	plain := keyFile(t, "plain", "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa")
	for _, args := range [][]string{
		{"encrypt", "--key-file", plain, "--to", to},
		{"decrypt", "--key-file", plain, "--from", to},
		{"decrypt", "--jsonl", "--key-file", plain, "--from", to},
		{"decode"},
		{"pubkey", "--key-fd", "0"},
		{"pubkey", "--key-file", "/dev/stdin"},
		{"pubkey", "--key-file", key, "--password-fd", "0"},
		{"pubkey", "--key-file", key, "--password-file", "/dev/stdin"},
	} {
		for wait := 100 * time.Millisecond; ; wait *= 2 {
			var stdout, stderr bytes.Buffer
			cmd := exec.Command(builtTool(t), args...)
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			io.WriteString(stdin, "abc")
			time.Sleep(wait)
			cmd.Process.Signal(syscall.SIGINT)
			code := waitCode(t, cmd)
			stdin.Close()
			if code == -1 && wait < 5*time.Second {
				continue // it had not begun yet
			}
			if code != 130 || stdout.Len()+stderr.Len() > 0 {
				t.Errorf("%v: exit code %d, standard output %q, standard error %q", args, code, stdout.Bytes(), stderr.Bytes())
			}
			break
		}
	}
}

// Streams that are closed, or cannot be written to.
func TestFaultStreams(t *testing.T) {
	for _, j := range makeJobs(t)[:2] {
		const bad = `{ cat "$input"; echo "?"; } | `
		for _, test := range []struct {
			line  string
			lines int
			code  int
		}{
			{`exec "$@" <&-`, 0, 0},
			{`exec "$@" "$input" <&-`, many, 0},
			{`exec "$@" "$input" >&-`, 0, 0},
			{bad + `"$@" 2>&-`, many, 2},
			{bad + `"$@" 2>/dev/full`, many, 1},
			{`exec "$@" "$input" 2>/dev/full`, many, 0}, // nothing to tell
			{bad + `"$@" 2>&1 >/dev/null | :`, 0, 0},    // the shell's code is that of :
			{`exec "$@" --no-such-flag 2>/dev/full`, 0, 1},
		} {
			if _, err := os.Stat("/dev/full"); err != nil && strings.Contains(test.line, "/dev/full") {
				t.Logf("NOT RUN: %s: %v", test.line, err)
				continue
			}
			stdout, _, code := j.shell(t, test.line)
			if n := j.check(t, stdout); n != test.lines || code != test.code {
				t.Errorf("%s: %s: %d lines, exit code %d; want %d, %d", j.name, test.line, n, code, test.lines, test.code)
			}
		}
	}
}

// Damaged text in a line is an error of that line, wherever it stands.
func TestFaultDamagedLines(t *testing.T) {
	for _, j := range makeJobs(t) {
		data, err := os.ReadFile(j.input)
		if err != nil {
			t.Fatal(err)
		}
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		second, _, _ := bytes.Cut(rest, []byte("\n"))
		zero := bytes.Replace(line, []byte(`"content":"`), []byte("\"content\":\"\x00"), 1)
		in := bytes.Join([][]byte{line, []byte("\x00\x00\x00"), zero, append([]byte("\x00"), line...), append(line[:len(line):len(line)], 0), second, line[:len(line)-2]}, []byte("\n"))
		file := filepath.Join(t.TempDir(), "damaged")
		if err := os.WriteFile(file, in, 0o600); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, code := j.shell(t, `exec "$@" "$file"`, "file="+file)
		list := wantErrors(t, stderr, "")
		if n := j.check(t, stdout); n != 2 || code != 2 || len(list) != 5 {
			t.Errorf("%s: %d lines, exit code %d, errors %+v", j.name, n, code, list)
		}
		for i, want := range []int64{2, 3, 4, 5, 7} {
			if e := list[i]; e.Line != want || e.Class != "malformed" || e.File != file {
				t.Errorf("%s: error %d: %+v, want line %d", j.name, i, e, want)
			}
		}
	}
}

// A line of 100 MB against a limit of 8 MiB costs neither the memory nor the
// time that it would take to work on it, and the next line is worked on.
func TestFaultHugeLine(t *testing.T) {
	const huge, most = 100_000_000, 300 << 20
	dir := t.TempDir()
	const to = "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"
	jobs := makeJobs(t)
	cipher := append([]string{"encrypt", "--jsonl", "--to", to}, jobs[0].args[1:]...)
	texts := filepath.Join(dir, "texts")
	names := filepath.Join(dir, "names")
	if err := errors.Join(
		os.WriteFile(texts, []byte("\"0\"\n\"1\"\n"), 0o600),
		os.WriteFile(names, []byte(strings.Repeat("npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6\n", 2)), 0o600)); err != nil {
		t.Fatal(err)
	}
	jobs = append(jobs, job{"encrypt", cipher, texts, 1, nil}, job{"decode", []string{"decode"}, names, 1, nil})
	for _, j := range jobs {
		data, err := os.ReadFile(j.input)
		if err != nil {
			t.Fatal(err)
		}
		first, rest, _ := bytes.Cut(data, []byte("\n"))
		second, _, _ := bytes.Cut(rest, []byte("\n"))
		// The huge line begins as a good one does.
		file := filepath.Join(dir, "huge")
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		w := bufio.NewWriter(f)
		fmt.Fprintf(w, "%s\n%s", first, first[:len(first)-2])
		for range huge/1000 - 1 {
			w.WriteString(strings.Repeat("x", 1000))
		}
		fmt.Fprintf(w, "\n%s\n", second)
		if err := errors.Join(w.Flush(), f.Close()); err != nil {
			t.Fatal(err)
		}

		start := time.Now()
		if f, err = os.Open(file); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{f}); err != nil {
			t.Fatal(err)
		}
		f.Close()
		reading := time.Since(start)

		if j.name != "decode" { // which takes no files
			j.args = append(j.args[:len(j.args):len(j.args)], file)
		}
		var stdout, stderr bytes.Buffer
		var code int
		var took time.Duration
		for range 3 { // other work on the machine may take the time
			stdout.Reset()
			stderr.Reset()
			cmd := exec.Command(builtTool(t), j.args...)
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			in, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdin = in
			start = time.Now()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			code = waitCode(t, cmd)
			took = time.Since(start)
			in.Close()
			rss := maxRSS(cmd)
			t.Logf("%s: %d MB in all, %.3f s (%.3f s of them to read the file alone)", j.name, rss/1e6, took.Seconds(), reading.Seconds())
			if rss > most {
				t.Errorf("%s: %d bytes of memory, want at most %d", j.name, rss, most)
			}
			if took <= reading+time.Second {
				break
			}
		}
		if took > reading+time.Second {
			t.Errorf("%s: %v for a file that is read in %v", j.name, took, reading)
		}
		list := wantErrors(t, stderr.Bytes(), "")
		if n := j.check(t, stdout.Bytes()); n != 2 || code != 2 || len(list) != 1 {
			t.Fatalf("%s: %d lines, exit code %d, errors %+v", j.name, n, code, list)
		}
		if j.name == "decode" {
			file = "-"
		}
		if e := list[0]; e.File != file || e.Line != 2 || e.Class != "too_large" || e.Layer != "line" {
			t.Errorf("%s: %+v", j.name, e)
		}
	}
}

// lineCounter counts lines, and keeps none of them.
type lineCounter int

func (n *lineCounter) Write(b []byte) (int, error) {
	*n += lineCounter(bytes.Count(b, []byte("\n")))
	return len(b), nil
}

// maxRSS is the most memory that a program which has ended took, in bytes.
func maxRSS(cmd *exec.Cmd) int64 {
	rss := int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		rss <<= 10
	}
	return rss
}

// Large rumors to many receivers: memory is bounded by neither number, and a
// file that cannot take all of them ends with the last rumor that it has all
// wraps of.
func TestFaultManyReceivers(t *testing.T) {
	const rumors, receivers, length, most = 6, 50, 640_000, 300 << 20
	dir := t.TempDir()
	in := filepath.Join(dir, "rumors")
	rumor := `{"kind":1,"content":"` + strings.Repeat("x", length) + "\"}\n"
	if err := os.WriteFile(in, []byte(strings.Repeat(rumor, rumors)), 0o600); err != nil {
		t.Fatal(err)
	}
	j := makeJobs(t)[3]
	j.name, j.input, j.copies = "wrap to many", in, receivers
	j.args = append([]string{"wrap"}, j.args[4:]...)
	for range receivers {
		sk, err := keys.GenerateSecretKey()
		if err != nil {
			t.Fatal(err)
		}
		j.args = append(j.args, "--to", sk.PublicKey().String())
	}

	var lines lineCounter
	var stderr bytes.Buffer
	cmd := exec.Command(builtTool(t), append(j.args, in)...)
	cmd.Stdout, cmd.Stderr = &lines, &stderr
	start := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := waitCode(t, cmd)
	t.Logf("%d wraps, %d MB in all, %v", lines, maxRSS(cmd)/1e6, time.Since(start))
	if lines != rumors*receivers || ended != 0 || stderr.Len() > 0 {
		t.Errorf("%d wraps, exit code %d, standard error %q", lines, ended, stderr.Bytes())
	}
	if rss := maxRSS(cmd); rss > most {
		t.Errorf("%d bytes of memory, want at most %d", rss, most)
	}

	// Room for one rumor and a half, or for almost three: in blocks of 512 bytes or
	// of 1,024.
	out := filepath.Join(dir, "out")
	_, errs, code := j.shell(t, `ulimit -f 200000 || exit 99; exec "$@" "$input" >"$out"`, "out="+out)
	file, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	n := bytes.Count(file, []byte("\n"))
	if n == 0 || n%receivers != 0 || file[len(file)-1] != '\n' || code != 1 || string(errs) != "sealwright: standard output: file too large\n" {
		t.Errorf("%d wraps, exit code %d, standard error %q", n, code, errs)
	}

	// A signal while a rumor's wraps are written: all of that rumor come out.
	lines = 0
	stopped := exec.Command(builtTool(t), append(j.args, in)...)
	stdout, err := stopped.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := stopped.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(&lines, stdout, 1<<20); err != nil {
		t.Fatal(err)
	}
	stopped.Process.Signal(syscall.SIGTERM)
	if _, err := io.Copy(&lines, stdout); err != nil {
		t.Fatal(err)
	}
	if code := waitCode(t, stopped); code != 143 || lines == 0 || lines == rumors*receivers || lines%receivers != 0 {
		t.Errorf("%d wraps, exit code %d", lines, code)
	}
}
