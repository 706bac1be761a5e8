package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
)

func memory(name string, r io.Reader) input {
	return input{name, -1, func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
}

// echo is a working stage that gives each line back, on all processors.
func echo(_ context.Context, lines []line) {
	parallel(len(lines), func(i int) {
		if lines[i].err == nil {
			lines[i].out = fmt.Appendf(nil, "%s:%d:%s\n", lines[i].file, lines[i].number, lines[i].text)
		}
	})
}

// collect runs lines through echo and returns what came out, errors included.
func collect(t *testing.T, maxLine int64, list ...input) (string, error) {
	t.Helper()
	var got strings.Builder
	err := runLines(t.Context(), list, maxLine, 1, echo, func(lines []line, _ int64) error {
		for _, ln := range lines {
			if ln.err != nil {
				fmt.Fprintf(&got, "%s:%d!%s\n", ln.file, ln.number, ln.err.Message)
			}
			got.Write(ln.out)
		}
		return nil
	})
	return got.String(), err
}

func TestLines(t *testing.T) {
	tooLong := func(n int) string {
		return fmt.Sprintf("line of %d bytes is longer than --max-line, 8 bytes\n", n)
	}
	for _, test := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"one", "a\n", "f:1:a\n"},
		{"no end", "a\nb", "f:1:a\nf:2:b\n"},
		{"crlf", "a\r\nb\r\n", "f:1:a\nf:2:b\n"},
		{"one cr only", "a\r\r\n", "f:1:a\r\n"},
		{"blank", "\n\n a\n \t\r\n\r\nb\n\n", "f:3: a\nf:6:b\n"},
		{"blank, no end", "a\n  ", "f:1:a\n"},
		{"only cr, no end", "a\n\r", "f:1:a\n"},
		{"longest", "12345678\n", "f:1:12345678\n"},
		{"too long", "123456789\nb\n", "f:1!" + tooLong(9) + "f:2:b\n"},
		{"too long, no end", "a\n123456789", "f:1:a\nf:2!" + tooLong(9)},
		{"too long after a good one", "a\n123456789\n1234567890\nb", "f:1:a\nf:2!" + tooLong(9) + "f:3!" + tooLong(10) + "f:4:b\n"},
		{"too long and blank", "         \nb\n", "f:1!" + tooLong(9) + "f:2:b\n"},
		{"cr counts", "1234567\r\n12345678\r\n", "f:1:1234567\nf:2!" + tooLong(9)},
		{"zero bytes", "\x00\n\x00\x00", "f:1:\x00\nf:2:\x00\x00\n"},
	} {
		for how, r := range map[string]io.Reader{
			"whole":     strings.NewReader(test.in),
			"by byte":   iotest.OneByteReader(strings.NewReader(test.in)),
			"half":      iotest.HalfReader(strings.NewReader(test.in)),
			"data, EOF": iotest.DataErrReader(strings.NewReader(test.in)),
		} {
			got, err := collect(t, 8, memory("f", r))
			if err != nil || got != test.want {
				t.Errorf("%s, %s: %q, %v; want %q", test.name, how, got, err, test.want)
			}
		}
	}
}

// Lines are numbered by file; the last line of one does not run into the next.
func TestLinesOfFiles(t *testing.T) {
	got, err := collect(t, 100, memory("a", strings.NewReader("1\n2")), memory("b", strings.NewReader("")), memory("c", strings.NewReader("3\n\n4")))
	if want := "a:1:1\na:2:2\nc:1:3\nc:3:4\n"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// Order holds while lines of very different sizes are worked on at once, over
// many chunks and blocks.
func TestLinesOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var in, want strings.Builder
	for i := 1; i <= 20_000; i++ {
		text := strings.Repeat("x", 1+rnd.IntN(40))
		if i%500 == 0 {
			text = strings.Repeat("y", 200_000+rnd.IntN(100_000))
		}
		fmt.Fprintf(&in, "%s\n", text)
		fmt.Fprintf(&want, "f:%d:%s\n", i, text)
	}
	got, err := collect(t, 1<<20, memory("f", strings.NewReader(in.String())))
	if err != nil || got != want.String() {
		t.Errorf("wrong output or order (%d bytes, want %d), %v", len(got), want.Len(), err)
	}
}

// A slow input is answered line by line, without waiting for its end.
func TestLinesAreNotHeldBack(t *testing.T) {
	r, w := io.Pipe()
	answers := make(chan string)
	done := make(chan error)
	go func() {
		done <- runLines(t.Context(), []input{memory("f", r)}, 100, 1, echo, func(lines []line, _ int64) error {
			for _, ln := range lines {
				answers <- string(ln.out)
			}
			return nil
		})
	}()
	for i := 1; i <= 5; i++ {
		fmt.Fprintf(w, "hello\n")
		if got, want := <-answers, fmt.Sprintf("f:%d:hello\n", i); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	w.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

var manyX = bytes.Repeat([]byte("x"), blockSize)

// An endless reader of lines of the given length, which counts what it gave.
type endless struct {
	length, at int
	given      atomic.Int64
	limit      int64
}

func (e *endless) Read(p []byte) (int, error) {
	if e.given.Load() >= e.limit {
		return 0, io.EOF
	}
	for i := 0; i < len(p); i += copy(p[i:], manyX) {
	}
	for e.at += len(p); e.at > e.length; {
		e.at -= e.length + 1
		p[len(p)-e.at-1] = '\n'
	}
	e.given.Add(int64(len(p)))
	return len(p), nil
}

// What is read ahead of a stage that does not go on is bounded, by lines and by
// bytes.
func TestLinesReadAhead(t *testing.T) {
	for _, test := range []struct {
		length int
		most   int64
	}{
		{50, chunkCount*51*chunkLines + 8*blockSize},
		{1 << 20, chunkCount*(chunkBytes+2<<20) + 8*blockSize},
	} {
		r := &endless{length: test.length, limit: 1 << 40}
		ctx, cancel := context.WithCancel(t.Context())
		hold := make(chan struct{})
		done := make(chan error)
		go func() {
			done <- runLines(ctx, []input{memory("f", r)}, 4<<20, 1, echo, func([]line, int64) error {
				<-hold
				return nil
			})
		}()
		last := int64(-1)
		for settled := 0; settled < 20; settled++ {
			time.Sleep(10 * time.Millisecond)
			if now := r.given.Load(); now != last {
				last, settled = now, 0
			}
		}
		if last > test.most {
			t.Errorf("lines of %d bytes: %d bytes read ahead, want at most %d", test.length, last, test.most)
		}
		cancel()
		close(hold)
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}
}

// A line without end costs no memory beyond --max-line, and the next one is
// still found.
func TestLinesHuge(t *testing.T) {
	const maxLine, huge = 1 << 20, 256 << 20
	r := io.MultiReader(strings.NewReader("a\n"), &endless{length: huge + 1, limit: huge}, strings.NewReader("\nb\n"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := collect(t, maxLine, memory("f", r))
	runtime.ReadMemStats(&after)
	want := fmt.Sprintf("f:1:a\nf:2!line of %d bytes is longer than --max-line, %d bytes\nf:3:b\n", huge, maxLine)
	if err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("%d bytes allocated in all for a line of %d", used, huge)
	}
}

// A read that fails ends the run with its error; the lines before it are
// answered, the one that it cut off is not.
func TestLinesReadError(t *testing.T) {
	broken := errors.New("broken disk")
	got, err := collect(t, 100, memory("f", io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken))), memory("g", strings.NewReader("c\n")))
	if got != "f:1:a\n" || !errors.Is(err, broken) || err.Error() != "f: broken disk" {
		t.Errorf("%q, %v", got, err)
	}
	missing := filepath.Join(t.TempDir(), "gone")
	got, err = collect(t, 100, memory("f", strings.NewReader("a\n")), input{"gone", 1, func() (io.ReadCloser, error) { return os.Open(missing) }})
	if got != "f:1:a\n" || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%q, %v", got, err)
	}
}

// A failure to write ends the run at once, also on an input that never ends.
func TestLinesEmitError(t *testing.T) {
	full := errors.New("disk full")
	calls := 0
	err := runLines(t.Context(), []input{memory("f", &endless{length: 50, limit: 1 << 40})}, 100, 1, echo, func([]line, int64) error {
		calls++
		return full
	})
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// When the context ends, nothing is emitted after the first line without a
// result, and the cause is returned, though a read hangs.
func TestLinesCancel(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, "1\n2\n3\n4\n")
	cause := signalError{2}
	ctx, cancel := context.WithCancelCause(t.Context())
	var got bytes.Buffer
	err := runLines(ctx, []input{memory("f", r)}, 100, 1, func(ctx context.Context, lines []line) {
		for i := range lines {
			if lines[i].number == 3 {
				cancel(cause)
				continue
			}
			lines[i].out = lines[i].text
		}
	}, func(lines []line, _ int64) error {
		for _, ln := range lines {
			got.Write(ln.out)
		}
		return nil
	})
	if got.String() != "12" || !errors.Is(err, cause) {
		t.Errorf("%q, %v", got.String(), err)
	}
}

func TestInputs(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	stdin, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	for _, args := range [][]string{nil, {file}, {file, "-", file}} {
		list, err := inputs(args, stdin)
		if want := max(len(args), 1); err != nil || len(list) != want || totalSize(list) != int64(5*want) {
			t.Errorf("%v: %d inputs of %d bytes, %v", args, len(list), totalSize(list), err)
		}
	}
	for _, args := range [][]string{{"-", "-"}, {dir}, {file, filepath.Join(dir, "gone")}} {
		if _, err := inputs(args, stdin); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if list, err := inputs([]string{file, "-"}, r); err != nil || totalSize(list) != -1 {
		t.Errorf("with a pipe: size %d, %v", totalSize(list), err)
	}
}

// Lines that give many lines of output are worked on and written in parts, of
// which no more than two are held: one is written while one is worked on.
func TestLinesParts(t *testing.T) {
	const fan, length, count = 100, 3 << 10, 400
	var held, most, parts atomic.Int64
	var got bytes.Buffer
	in := strings.Repeat(strings.Repeat("x", length)+"\n", count)
	var read int64
	var heap uint64
	err := runLines(t.Context(), []input{memory("f", strings.NewReader(in))}, 1<<20, fan, func(_ context.Context, lines []line) {
		parts.Add(1)
		for i := range lines {
			lines[i].out = fmt.Appendf(make([]byte, 0, fan*length), "%d ", lines[i].number)
			if now := held.Add(fan * length); now > most.Load() {
				most.Store(now)
			}
		}
	}, func(lines []line, bytes int64) error {
		for _, ln := range lines {
			got.Write(ln.out)
			held.Add(-fan * length)
		}
		read += bytes
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		heap = max(heap, memory.HeapAlloc)
		return nil
	})
	var want strings.Builder
	for i := range count {
		fmt.Fprintf(&want, "%d ", i+1)
	}
	if err != nil || got.String() != want.String() || read != int64(len(in)) {
		t.Errorf("lines %q, %d bytes of input told, %v; want %q, %d", got.String(), read, err, want.String(), len(in))
	}
	if most.Load() > 2*partBytes {
		t.Errorf("output of %d bytes held in %d parts, want at most %d", most.Load(), parts.Load(), 2*partBytes)
	}
	if heap > 5*partBytes { // the tests themselves hold some
		t.Errorf("%d bytes of memory in use, want at most %d", heap, 5*partBytes)
	}
}
