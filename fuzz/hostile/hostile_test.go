package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
	"github.com/sealwright/sealwright/protocol/signer"
)

const (
	// peak is what neither this process nor the tool may exceed, in bytes.
	peak = 300 << 20

	// Reading an input may take this long, and so much more for each byte.
	baseTime    = time.Second
	timePerByte = 50 * time.Nanosecond // a line of 8 MiB: 420 ms more

	// What reading may allocate, in bytes, and for each byte of the line: an
	// event eight (package event); an opened wrap as much for the seal and the
	// rumor, of three quarters and less than half of the line's length, and both
	// payloads are copied and decoded. What is refused at once costs its error
	// alone. The base is for the small things, and for what other goroutines do
	// meanwhile.
	baseAlloc          = 4 << 10
	parseAllocPerByte  = 8
	unwrapAllocPerByte = 11

	batchSize = 256
)

// sampled makes a generator that, by default, takes one of every so many inputs
// of the sweeps.
func sampled(t *testing.T, every int) *generator {
	r := testkit.Rand(t)
	g := &generator{builder: newBuilder()}
	if !testkit.Long() {
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

// An opening is what the library says to a line, and what that took.
type opening struct {
	wrap    *event.Event
	message *nip59.Message
	err     error

	took                      time.Duration
	parseAllocs, unwrapAllocs uint64 // bytes
}

func openLine(me *identity.Identity, line []byte) (o opening) {
	var before, between, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	wrap, err := event.Parse(line)
	o.took = time.Since(began)
	runtime.ReadMemStats(&between)
	o.parseAllocs = between.TotalAlloc - before.TotalAlloc
	if o.wrap = wrap; err != nil {
		o.err = &nip59.LayerError{Layer: nip59.LayerWrap, Err: err}
		return o
	}
	began = time.Now()
	o.message, o.err = nip59.Unwrap(context.Background(), me, wrap, nil)
	o.took += time.Since(began)
	runtime.ReadMemStats(&after)
	o.unwrapAllocs = after.TotalAlloc - between.TotalAlloc
	return o
}

// excess tells what an opening took too much of, or "".
func (o *opening) excess(in Input) string {
	n := len(in.Line)
	parse, unwrap := uint64(baseAlloc+parseAllocPerByte*n), uint64(baseAlloc+unwrapAllocPerByte*n)
	if o.wrap == nil {
		parse = baseAlloc
	}
	if in.Class == nip59.ClassTooLarge || in.Layer == nip59.LayerWrap && slices.ContainsFunc(cheap, func(err error) bool { return errors.Is(o.err, err) }) {
		unwrap = baseAlloc
	}
	switch {
	case o.took > baseTime+time.Duration(n)*timePerByte:
		return fmt.Sprintf("took %v for %d bytes", o.took, n)
	case o.parseAllocs > parse:
		return fmt.Sprintf("Parse allocates %d bytes for a line of %d, want at most %d", o.parseAllocs, n, parse)
	case o.unwrapAllocs > unwrap:
		return fmt.Sprintf("Unwrap allocates %d bytes for a line of %d, want at most %d", o.unwrapAllocs, n, unwrap)
	}
	return ""
}

// cheap are the causes that are seen in a wrap before a payload is copied.
var cheap = []error{nip59.ErrKind, nip44.ErrVersion, nip44.ErrTooShort, nip44.ErrLegacyNIP04}

// agrees reports whether two answers, one of the reference and one by hand, can
// both be right.
func (a Answer) agrees(hand Answer) bool {
	causes := append(slices.Clip(a.All), a.Any...)
	for _, cause := range hand.All {
		if !slices.Contains(causes, cause) {
			return false
		}
	}
	for _, cause := range a.All {
		if !slices.Contains(hand.All, cause) && !slices.Contains(hand.Any, cause) {
			return false
		}
	}
	return a.Opens == hand.Opens && a.Layer == hand.Layer && a.Class == hand.Class
}

// TestReproducible makes what is not swept twice.
func TestReproducible(t *testing.T) {
	skipRace(t)
	var sums [2][32]byte
	for i := range sums {
		hash := sha256.New()
		g := &generator{builder: newBuilder(), pick: func() bool { return false }}
		g.emit = func(in Input) { fmt.Fprintf(hash, "%s %s %q %+v\n", in.Kind, in.Name, in.Line, in.Answer) }
		for _, k := range kinds {
			switch k.name {
			case "deep", "large", "tags", "length-prefix", "escapes", "utf8", "surrogates": // long
			default:
				g.kind = k.name
				k.make(g)
			}
		}
		hash.Sum(sums[i][:0])
	}
	if sums[0] != sums[1] {
		t.Error("two runs make two corpora")
	}
}

// TestSweeps holds the sweeps to the lengths of what they go through, whatever sample
// of them a run takes.
func TestSweeps(t *testing.T) {
	offered := 0
	g := &generator{builder: newBuilder(), pick: func() bool { offered++; return false }}
	g.emit = func(Input) { offered++ }
	texts := 0
	for layer := range layers {
		texts += len(g.good(layer))
	}
	truncations := texts
	for layer := range rumorLayer {
		block := len(pad(g.good(layer + 1)))
		// Version, nonce, block and MAC, in base64 with padding.
		truncations += block + (1+32+block+32+2)/3*4
	}
	for _, c := range []struct {
		name string
		make func(*generator)
		want int
	}{
		{"every truncation of three texts, and of the two payloads and their blocks", (*generator).truncated, truncations},
		{"every bit of the three texts", (*generator).bitFlips, 8 * texts},
		{"two layers, 0 to 40 bytes, three fillings", (*generator).authenticatedBlocks, 2 * 41 * 3},
	} {
		offered = 0
		if c.make(g); offered != c.want {
			t.Errorf("%s: %d inputs, want %d", c.name, offered, c.want)
		}
	}
}

// skipRace skips what holds time and memory to account, which the race detector
// takes tenfold, and starts no goroutine but those of UnwrapAll; TestInbox and
// TestCloseBeside64 are for it.
func skipRace(t *testing.T) {
	if raceEnabled {
		t.Skip("not under the race detector")
	}
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
	skipRace(t)
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
			if want := g.answer(in.Line); !want.agrees(in.Answer) {
				s.add(in, "the reference has %+v, the input %+v", want, in.Answer)
			}
			if in.Single != nil {
				if want := g.unsealedAnswer(in.Line); !want.agrees(*in.Single) {
					s.add(in, "unsealed: the reference has %+v, the input %+v", want, *in.Single)
				}
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
	toolPeak := tool.finish(20 * time.Second)
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
func checkInput(s *surprises, me *identity.Identity, in Input) opening {
	s.t.Helper()
	o := openLine(me, in.Line)
	excess := o.excess(in)
	for try := 0; excess != "" && try < 10; try++ { // others use the processor and the heap
		time.Sleep(time.Duration(try) * 50 * time.Millisecond)
		again := openLine(me, in.Line)
		excess = again.excess(in)
	}
	if excess != "" {
		s.add(in, "%s", excess)
	}
	if bad := in.allows(o.err); bad != "" {
		s.add(in, "%s: %v", bad, o.err)
	}
	if (o.message == nil) != (o.err != nil) {
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
	pending map[int]sent // by line, until an output answers
	quiet   *sync.Cond   // an answer came
}

// sent is what was written as a line; its text is not kept.
type sent struct {
	Input
	wrapID string // of a line that opens
}

func startTool(t *testing.T, who *party, s *surprises) *tool {
	t.Helper()
	tl := &tool{t: t, s: s, ended: make(chan struct{}), pending: map[int]sent{}}
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
	tl.expect(in)
	tl.write(append(bytes.Clone(in.Line), '\n'))
}

// expect notes that a line will be written.
func (tl *tool) expect(in Input) {
	var wrap struct {
		ID string `json:"id"`
	}
	if in.Opens {
		if err := json.Unmarshal(in.Line, &wrap); err != nil {
			tl.t.Fatal(err)
		}
	}
	in.Line = nil
	tl.mu.Lock()
	defer tl.mu.Unlock()
	tl.lines++
	tl.pending[tl.lines] = sent{in, wrap.ID}
}

func (tl *tool) write(b []byte) {
	tl.t.Helper()
	if _, err := tl.stdin.Write(b); err != nil {
		tl.t.Fatalf("writing to the tool: %v", err)
	}
}

// wait waits until everything is answered, but no longer than d.
func (tl *tool) wait(d time.Duration) {
	tl.t.Helper()
	late := false
	timer := time.AfterFunc(d, func() {
		tl.mu.Lock()
		defer tl.mu.Unlock()
		late = true
		tl.quiet.Broadcast()
	})
	defer timer.Stop()
	tl.mu.Lock()
	defer tl.mu.Unlock()
	for len(tl.pending) > 0 && !late {
		tl.quiet.Wait()
	}
	for n, in := range tl.pending {
		tl.t.Errorf("the tool says nothing to line %d in %v: %s: %s", n, d, in.Kind, in.Name)
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
		var got struct {
			WrapID string `json:"wrap_id"`
		}
		if err := json.Unmarshal(line, &got); err != nil {
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
		if in, ok := tl.answered(first); !ok || in.wrapID != got.WrapID {
			tl.t.Errorf("the tool opens wrap %s, want %s: %s", got.WrapID, in.wrapID, in.Name)
		}
	}
}

func (tl *tool) answered(line int) (sent, bool) {
	tl.mu.Lock()
	defer tl.mu.Unlock()
	in, ok := tl.pending[line]
	delete(tl.pending, line)
	tl.quiet.Broadcast()
	return in, ok
}

// finish waits for the last answer, which may take as long as d, and for the
// end of the tool, and returns the memory that it had at most, where that can
// be known.
func (tl *tool) finish(d time.Duration) (most uint64) {
	tl.t.Helper()
	tl.wait(d)
	most, _ = highWater(strconv.Itoa(tl.cmd.Process.Pid))
	tl.stdin.Close()
	select {
	case <-tl.ended:
	case <-time.After(time.Minute):
		tl.t.Fatal("the tool does not end with its input")
	}
	tl.cmd.Wait()
	if code := tl.cmd.ProcessState.ExitCode(); code != 2 {
		tl.t.Errorf("the tool ends with %d, want 2: some lines failed", code)
	}
	return most
}

// TestLongLines streams lines of 100 MB into the tool, whose limit is 8 MiB:
// each is refused as soon as it ends, and none is held.
func TestLongLines(t *testing.T) {
	const size, maxLine = 100_000_000, 8 << 20
	g := &generator{builder: newBuilder()}
	s := &surprises{t: t}
	tool := startTool(t, g.bob, s)
	good := g.good(wrapLayer)
	tool.send(Input{Kind: "long", Name: "a good wrap first", Line: good, Answer: opens()})
	tool.wait(10 * time.Second) // it starts

	refused := Answer{Layer: "line", Class: nip59.ClassTooLarge}
	half := bytes.Index(good, []byte(`"content":"`)) + len(`"content":"`)
	for _, c := range []struct {
		name, head, fill, tail string
		size                   int
		Answer
	}{
		{"100 MB of letters", "", "A", "\n", size, refused},
		{"100 MB of brackets", "", "[", "\n", size, refused},
		{"100 MB of white space", "", " ", "\n", size, refused},
		{"100 MB of NUL", "", "\x00", "\n", size, refused},
		{"100 MB of content", string(good[:half]), "A", string(good[half:]) + "\n", size, refused},
		{"a good wrap and 100 MB of white space", string(good), " ", "\n", size, refused},
		{"one byte over the limit", string(good), " ", "\n", maxLine + 1 - len(good), refused},
		{"at the limit", string(good), " ", "\n", maxLine - len(good), opens()},
		{"a good wrap behind them", string(good), "", "\n", 0, opens()},
	} {
		tool.expect(Input{Kind: "long", Name: c.name, Line: good, Answer: c.Answer})
		tool.write([]byte(c.head))
		chunk := bytes.Repeat([]byte(c.fill), 1<<20)
		for left := c.size; left > 0; left -= len(chunk) {
			tool.write(chunk[:min(left, len(chunk))])
		}
		tool.write([]byte(c.tail))
		tool.wait(time.Second)
	}
	if most := tool.finish(0); most > peak {
		t.Errorf("the tool takes %d MB", most>>20)
	} else {
		t.Logf("the tool takes %d MB", most>>20)
	}
}

// TestInbox puts good wraps among thousands of hostile ones. Case 34.
func TestInbox(t *testing.T) {
	g := sampled(t, 12)
	r := testkit.Rand(t)
	bob := g.bob.identity(t)
	type item struct {
		Input
		content string // of a good one
	}
	var items []item
	var wraps []*event.Event
	add := func(in Input, content string) {
		wrap, _ := event.Parse(in.Line) // nil stays one
		in.Line = nil
		items, wraps = append(items, item{in, content}), append(wraps, wrap)
	}
	g.emit = func(in Input) {
		if in.Opens || len(in.Line) > 1<<16 {
			return
		}
		add(in, "")
		for r.IntN(8) == 0 {
			rumor := g.rumor()
			content := fmt.Sprintf("good, number %d", len(items))
			rumor.content = quote(content)
			add(Input{Kind: "inbox", Name: content, Line: g.around(rumorLayer, rumor.signed(nil).text()), Answer: opens()}, content)
		}
	}
	least := 3000
	for _, k := range kinds {
		switch k.name {
		case "deep", "large", "length-prefix": // lines too long to hold thousands of
			continue
		case "forged", "nested", "not-for-me", "wrong-kind", "keys", "authenticated":
		default:
			if raceEnabled {
				least = 300
				continue
			}
		}
		g.kind = k.name
		k.make(g)
	}

	for way, me := range map[string]signer.Cipher{"a batch cipher": bob, "a cipher": struct{ signer.Cipher }{bob}} {
		good := 0
		calls := 0
		results := nip59.UnwrapAll(context.Background(), me, wraps, &nip59.UnwrapOptions{Progress: func(done, total int) {
			if calls++; done != calls || total != len(wraps) {
				t.Errorf("progress(%d, %d) at call %d of %d", done, total, calls, len(wraps))
			}
		}})
		if len(results) != len(wraps) || calls != len(wraps) {
			t.Fatalf("%d results, %d calls of progress, %d wraps", len(results), calls, len(wraps))
		}
		for i, r := range results {
			in := items[i]
			if wraps[i] == nil {
				in.Answer = malformed(nip59.LayerWrap, nip59.ErrNil)
			}
			switch bad := in.allows(r.Err); {
			case bad != "":
				t.Errorf("%s: %s: %s: %s: %v", way, in.Kind, in.Name, bad, r.Err)
			case in.Opens && (r.Message == nil || r.Message.Rumor.Content != in.content):
				t.Errorf("%s: %s: another message", way, in.Name)
			case !in.Opens && r.Message != nil:
				t.Errorf("%s: %s: %s: a message beside an error", way, in.Kind, in.Name)
			case in.Opens:
				good++
			}
		}
		if good < least/30 || len(wraps) < least {
			t.Errorf("%s: %d good ones among %d", way, good, len(wraps))
		}
	}
	t.Logf("%d wraps", len(wraps))
}
