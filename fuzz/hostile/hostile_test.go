package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip59"
)

const (
	// peak is what neither this process nor the tool may exceed, in bytes.
	peak = 300 << 20

	// Reading an input may take this long, and so much more for each byte.
	baseTime    = 500 * time.Millisecond
	timePerByte = 50 * time.Nanosecond // a line of 8 MiB: 420 ms more

	// Opening an input may allocate this much, in bytes, and so many for each
	// byte of the line. event promises eight for the event itself, and either
	// payload is copied and decoded.
	baseAlloc    = 16 << 10
	allocPerByte = 12

	batchSize = 256
)

// random returns the generator of a sample, whose seed is printed.
func random(t *testing.T) *rand.Rand {
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("SEALWRIGHT_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("SEALWRIGHT_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

func long() bool { return os.Getenv("SEALWRIGHT_LONG") == "1" }

// sampled makes a generator that, by default, takes one of every so many inputs
// of the sweeps.
func sampled(t *testing.T, every int) *generator {
	r := random(t)
	g := &generator{builder: newBuilder()}
	if !long() {
		g.pick = func() bool { return r.IntN(every) == 0 }
	}
	return g
}

func (p *party) identity(t testing.TB) *identity.Identity {
	t.Helper()
	sk, err := keys.NewSecretKey(p.secret[:])
	if err != nil {
		t.Fatal(err)
	}
	defer sk.Zero()
	id, err := identity.New(sk)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { id.Close() })
	return id
}

// allocated returns the bytes that f allocates, on whatever goroutine.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// memory returns the bytes that this process has had from the system at most:
// of Linux the resident ones, elsewhere those of the Go runtime at this moment.
func memory() uint64 {
	if n, ok := highWater("self"); ok {
		return n
	}
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// highWater returns the most resident memory that a process has had. The
// rusage of a child will not do: it begins with what the parent had.
func highWater(pid string) (bytes uint64, ok bool) {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" {
			n, err := strconv.ParseUint(f[1], 10, 64)
			return n << 10, err == nil
		}
	}
	return 0, false
}

// opening is what the library says to a line.
type opening struct {
	wrap    *event.Event
	message *nip59.Message
	err     error
}

func openLine(me *identity.Identity, line []byte) (o opening) {
	wrap, err := event.Parse(line)
	if err != nil {
		return opening{wrap: wrap, err: &nip59.LayerError{Layer: nip59.LayerWrap, Err: err}}
	}
	message, err := nip59.Unwrap(context.Background(), me, wrap, nil)
	return opening{wrap, message, err}
}

// surprises collects what is not as the documentation has it.
type surprises struct {
	t     *testing.T
	count int
}

func (s *surprises) add(in Input, format string, args ...any) {
	s.t.Helper()
	if s.count++; s.count <= 40 {
		s.t.Errorf("%s: %s: %s", in.Kind, in.Name, fmt.Sprintf(format, args...))
	}
}

// TestHostile opens every input of the corpus in every way there is: alone, in
// batches, as a wrap of a single layer, and by the tool.
//
// Cases 1, 2, 9, 10, 11, 15, 21, 22, 25, 26, 33, 42, 43 and 44.
func TestHostile(t *testing.T) {
	start := time.Now()
	debug.SetGCPercent(50) // the inputs are large, and gone at once
	defer debug.SetGCPercent(100)
	g := sampled(t, 25)
	bob := g.bob.identity(t)
	s := &surprises{t: t}
	openLine(bob, g.good(wrapLayer)) // the first signature builds a table
	tool := startTool(t, g.bob, s)

	var inputs int
	var batch []Input
	var openings []opening
	flush := func() {
		checkBatch(s, bob, batch, openings)
		batch, openings = batch[:0], openings[:0]
	}
	seen := map[string]bool{}
	g.emit = func(in Input) {
		inputs++
		seen[in.Kind] = true
		if !in.Swept && len(in.Line) <= referenceMax {
			// The reference answers what was answered by hand.
			if want := g.answer(in.Line); want.Opens != in.Opens || want.Layer != in.Layer || want.Class != in.Class {
				s.add(in, "the reference has %+v, the input %+v", want, in.Answer)
			}
		}
		o := checkInput(s, bob, in)
		if a, ok := g.unsealed(in); ok && o.wrap != nil {
			got, err := nip59.UnwrapUnsealed(context.Background(), bob, o.wrap, nil)
			if bad := a.allows(err); bad != "" {
				s.add(in, "UnwrapUnsealed: %s: %v", bad, err)
			}
			if (got != nil) != a.Opens {
				s.add(in, "UnwrapUnsealed returns %v with %v", got, err)
			}
		}
		tool.send(in)
		if len(in.Line) < 1<<16 { // a batch is held as a whole
			batch, openings = append(batch, in), append(openings, o)
		} else {
			checkBatch(s, bob, []Input{in}, []opening{o})
		}
		if len(batch) == batchSize {
			flush()
		}
	}
	g.run()
	flush()
	toolPeak := tool.finish()
	if len(seen) != len(kinds) {
		t.Errorf("%d kinds of %d", len(seen), len(kinds))
	}
	most := max(memory(), toolPeak)
	if most > peak {
		t.Errorf("peak memory %d MB, the tool's %d MB", memory()>>20, toolPeak>>20)
	}
	fmt.Printf("hostile: %d inputs (%d kinds), %d surprises, peak memory %d MB, %.0f s\n",
		inputs, len(seen), s.count, most>>20, time.Since(start).Seconds())
}

// checkInput opens one line alone, and looks at time and memory.
func checkInput(s *surprises, me *identity.Identity, in Input) (o opening) {
	s.t.Helper()
	n := len(in.Line)
	allowed := baseTime + time.Duration(n)*timePerByte
	var took time.Duration
	alloc := allocated(func() {
		began := time.Now()
		o = openLine(me, in.Line)
		took = time.Since(began)
	})
	for range 3 { // another process may have had the processor
		if took <= allowed {
			break
		}
		began := time.Now()
		openLine(me, in.Line)
		took = time.Since(began)
	}
	if took > allowed {
		s.add(in, "took %v for %d bytes", took, n)
	}
	if most := uint64(baseAlloc + allocPerByte*n); alloc > most {
		s.add(in, "allocated %d bytes for a line of %d, want at most %d", alloc, n, most)
	}
	if bad := in.allows(o.err); bad != "" {
		s.add(in, "%s: %v", bad, o.err)
	}
	if o.message != nil && o.err != nil || o.message == nil && o.err == nil {
		s.add(in, "returns %v with %v", o.message, o.err)
	}
	return o
}

// checkBatch opens a batch and compares with what each line gave alone. A line
// that is no event is a nil in the batch.
func checkBatch(s *surprises, me *identity.Identity, batch []Input, alone []opening) {
	s.t.Helper()
	wraps := make([]*event.Event, len(batch))
	for i, o := range alone {
		wraps[i] = o.wrap
	}
	results := nip59.UnwrapAll(context.Background(), me, wraps, nil)
	if len(results) != len(wraps) {
		s.t.Fatalf("%d results of %d", len(results), len(wraps))
	}
	for i, r := range results {
		want := alone[i].err
		if wraps[i] == nil {
			want = &nip59.LayerError{Layer: nip59.LayerWrap, Err: nip59.ErrNil}
		}
		if fmt.Sprint(r.Err) != fmt.Sprint(want) || !reflect.DeepEqual(r.Message, alone[i].message) {
			s.add(batch[i], "in a batch %v, %v; alone %v, %v", r.Message, r.Err, alone[i].message, want)
		}
	}
}

// toolPath builds the tool as it is in this checkout.
func toolPath(t *testing.T) string {
	t.Helper()
	root, err := testkit.Root()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "sealwright")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	build := exec.Command("go", "build", "-o", path, "./sealwright")
	build.Dir = filepath.Join(root, "tools")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// A tool is a running `sealwright unwrap`, to which inputs are sent as lines.
type tool struct {
	t     *testing.T
	s     *surprises
	cmd   *exec.Cmd
	stdin io.WriteCloser
	ended chan struct{} // both outputs are at their end

	mu      sync.Mutex
	lines   int
	pending map[int]Input // by line, until an output answers; without its text
	quiet   *sync.Cond    // an answer came
}

func startTool(t *testing.T, who *party, s *surprises) *tool {
	t.Helper()
	tl := &tool{t: t, s: s, ended: make(chan struct{}), pending: map[int]Input{}}
	tl.quiet = sync.NewCond(&tl.mu)
	tl.cmd = exec.Command(toolPath(t), "unwrap", "--key-env", "HOSTILE_KEY", "--no-progress", "-")
	tl.cmd.Env = append(os.Environ(), "HOSTILE_KEY="+fmt.Sprintf("%x", who.secret))
	stdout, err1 := tl.cmd.StdoutPipe()
	stderr, err2 := tl.cmd.StderrPipe()
	stdin, err3 := tl.cmd.StdinPipe()
	if err1 != nil || err2 != nil || err3 != nil {
		t.Fatal(err1, err2, err3)
	}
	tl.stdin = stdin
	if err := tl.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tl.cmd.Process.Kill(); tl.cmd.Wait() })
	var group sync.WaitGroup
	group.Go(func() { tl.refusals(stderr) })
	group.Go(func() { tl.messages(stdout) })
	go func() { group.Wait(); close(tl.ended) }()
	return tl
}

// send writes a line, unless it is none: blank, or with an LF in it.
func (tl *tool) send(in Input) {
	if len(bytes.Trim(in.Line, " \t\r")) == 0 || bytes.IndexByte(in.Line, '\n') >= 0 {
		return
	}
	line := append(bytes.Clone(in.Line), '\n')
	tl.mu.Lock()
	tl.lines++
	in.Line = nil
	tl.pending[tl.lines] = in
	tl.mu.Unlock()
	if _, err := tl.stdin.Write(line); err != nil {
		tl.t.Fatalf("writing to the tool: %v", err)
	}
}

// refusal is an error object of the tool (CLI.md).
type refusal struct {
	File, Class, Layer, Message string
	Line                        int
}

// refusals reads standard error.
func (tl *tool) refusals(r io.Reader) {
	for scan := bufio.NewScanner(r); scan.Scan(); {
		if strings.HasPrefix(scan.Text(), "sealwright: warning: ") {
			continue
		}
		var got refusal
		if err := json.Unmarshal(scan.Bytes(), &got); err != nil {
			tl.t.Errorf("standard error of the tool: %q", scan.Text())
			continue
		}
		in, ok := tl.answered(got.Line)
		if !ok {
			tl.t.Errorf("the tool answers line %d, which was not sent or has an answer", got.Line)
		} else if in.Opens || got.Class != string(in.Class) || got.Layer != string(in.Layer) {
			tl.s.t.Errorf("%s: %s: the tool says %+v", in.Kind, in.Name, got)
		}
	}
}

// messages reads standard output, which does not name lines: those that open
// must do so in order.
func (tl *tool) messages(r io.Reader) {
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if len(line) > 0 {
				tl.t.Errorf("the last message of the tool has no end")
			}
			return
		}
		if !json.Valid(line) {
			tl.t.Errorf("standard output of the tool: %.200q", line)
		}
		tl.mu.Lock()
		first := 0
		for n, in := range tl.pending {
			if in.Opens && (first == 0 || n < first) {
				first = n
			}
		}
		tl.mu.Unlock()
		if _, ok := tl.answered(first); !ok {
			tl.t.Errorf("the tool opens more than it should: %.200q", line)
		}
	}
}

func (tl *tool) answered(line int) (Input, bool) {
	tl.mu.Lock()
	defer tl.mu.Unlock()
	in, ok := tl.pending[line]
	delete(tl.pending, line)
	tl.quiet.Broadcast()
	return in, ok
}

// finish waits for the last answer, and for the end of the tool, and returns
// the memory that it had at most, where that can be known.
func (tl *tool) finish() (most uint64) {
	tl.t.Helper()
	timeout := time.AfterFunc(2*time.Minute, func() { tl.cmd.Process.Kill() })
	tl.mu.Lock()
	for len(tl.pending) > 0 && timeout.Stop() {
		timeout.Reset(time.Minute)
		tl.quiet.Wait()
	}
	tl.mu.Unlock()
	most, _ = highWater(strconv.Itoa(tl.cmd.Process.Pid))
	tl.stdin.Close()
	<-tl.ended
	timeout.Stop()
	tl.cmd.Wait()
	if code := tl.cmd.ProcessState.ExitCode(); code != 2 {
		tl.t.Errorf("the tool ends with %d, want 2: some lines failed", code)
	}
	for n, in := range tl.pending {
		tl.t.Errorf("the tool says nothing to line %d: %s: %s", n, in.Kind, in.Name)
	}
	return most
}
