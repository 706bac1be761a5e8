package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
)

const qemu = "qemu-aarch64-static"

// execute runs a program of arm64 on one instruction at a time and calls step with
// the address of each that the first thread executes. It returns what the program
// prints.
func execute(ctx context.Context, argv []string, step func(pc uint64)) (string, error) {
	cmd := exec.CommandContext(ctx, qemu, append([]string{"-cpu", "max", "-d", "exec,nochain"}, argv...)...)
	// Older and newer name of one switch. Without preemption by signals, what else Go
	// does does not end up on the first thread.
	cmd.Env = append(os.Environ(), "QEMU_SINGLESTEP=1", "QEMU_ONE_INSN_PER_TB=1", "GODEBUG=asyncpreemptoff=1", "SEALWRIGHT_CPU=")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	log, err := cmd.StderrPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	var other []byte // the last line that is not of the log
	lines := bufio.NewReaderSize(log, 1<<20)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			break // Wait tells of what went wrong
		}
		if !bytes.HasPrefix(line, []byte("Trace ")) {
			other = append(other[:0], line...)
		} else if pc, ok := tracedPC(line); ok {
			step(pc)
		}
	}
	if err := cmd.Wait(); err != nil {
		return "", fmt.Errorf("%s %v: %w: %s", qemu, argv[1:], err, other)
	}
	return stdout.String(), nil
}

// tracedPC returns the address in a line of the log, if it is of the first thread:
//
//	Trace 0: 0x7f99800001 [0000000001009331/0000000000400078/00000001/00000201] name
func tracedPC(line []byte) (uint64, bool) {
	rest, ok := bytes.CutPrefix(line, []byte("Trace 0: "))
	_, rest, found := bytes.Cut(rest, []byte("/"))
	if !ok || !found || len(rest) < 16 {
		return 0, false
	}
	pc, err := strconv.ParseUint(string(rest[:16]), 16, 64)
	return pc, err == nil
}

// tracer follows the steps of a program.
type tracer struct {
	image     *image
	executed  int
	recorders []*recorder
	measured  uint64          // entry of the function whose calls are all that counts; 0: everything counts
	returns   uint64          // where such a call returns to, while in it
	skipped   map[uint64]bool // entries of functions whose calls are not counted; true: what calls them begins again then
	resume    uint64          // where such a call returns to, while in it
	again     move            // and then what called it begins again, by this move
	pending   []move          // since the last call, not counted yet
	prev      uint64
}

// move is a step from one instruction to another.
type move struct {
	prev, pc uint64
	called   bool
}

// prologue is more than the instructions of a function before it can call what is
// skipped.
const prologue = 64

// newTracer leaves out what depends on the time, or on what else allocates: how Go's
// runtime starts, what it does in place of growing a stack when its scheduler asks for
// the thread, and around a call of the system, and its allocator.
func newTracer(m *image) *tracer {
	t := &tracer{image: m, skipped: map[uint64]bool{}}
	if f, err := m.function("main.measured"); err == nil {
		t.measured = f.lo
	}
	for name, again := range map[string]bool{
		"runtime.morestack": true, "runtime.morestack_noctxt": true,
		"runtime.entersyscall": false, "runtime.exitsyscall": false,
		"runtime.newobject": false, "runtime.makeslice": false, "runtime.growslice": false, "runtime.mallocgc": false,
	} {
		if f, err := m.function(name); err == nil {
			t.skipped[f.lo] = again
		}
	}
	return t
}

func (t *tracer) step(pc uint64) {
	switch {
	case t.resume == 0:
	case pc != t.resume:
		return
	case t.again.pc == 0:
		t.resume = 0
	case pc == t.again.pc:
		t.prev = t.again.prev
		t.resume, t.again = 0, move{}
	default: // goes back to the entry
		t.resume = t.again.pc
		return
	}
	called := isCall(t.image.word(t.prev))
	again, skip := t.skipped[pc]
	switch {
	// Only on the measured thread does such a call come back to where it was made.
	case called && skip && (t.measured == 0 || t.returns != 0):
		if again {
			t.takeBack()
		}
		t.resume = t.prev + 4
		return
	case t.measured == 0:
	case t.returns == 0 && called && pc == t.measured:
		t.returns = t.prev + 4
	case t.returns == 0, pc == t.returns:
		t.finish()
		t.returns, t.prev = 0, pc
		return
	}
	if called || len(t.pending) == prologue {
		t.finish()
	}
	t.pending = append(t.pending, move{t.prev, pc, called})
	t.prev = pc
}

// takeBack forgets what the function that was in the last step has executed, and
// expects that it begins again.
func (t *tracer) takeBack() {
	for i, m := range slices.Backward(t.pending) {
		if t.image.entry(m.pc) {
			t.again, t.pending = m, t.pending[:i]
			return
		}
	}
}

// finish counts what is pending.
func (t *tracer) finish() {
	for _, m := range t.pending {
		for _, r := range t.recorders {
			r.step(m.prev, m.pc, m.called)
		}
	}
	t.executed += len(t.pending)
	t.pending = t.pending[:0]
}

// recorder keeps the addresses of the last whole pass of a loop, or call of a
// function.
type recorder struct {
	image          *image
	function, body span // body is the loop, or the function too
	call           bool
	open           bool
	returns        uint64
	now, last      []uint64
	begun          int // passes, of which the last before the loop is left is not whole
	steps          int // in whole passes
}

// record adds a recorder of the calls of a function, or one for each of its loops.
func (t *tracer) record(f span, loop bool) []*recorder {
	bodies := []span{f}
	if loop {
		bodies = t.image.loops(f)
	}
	var added []*recorder
	for _, b := range bodies {
		added = append(added, &recorder{image: t.image, function: f, body: b, call: !loop})
	}
	t.recorders = append(t.recorders, added...)
	return added
}

func (r *recorder) step(prev, pc uint64, called bool) {
	if r.open {
		switch {
		case r.call && pc == r.returns, !r.call && pc == r.body.lo:
			r.now, r.last = r.last[:0], r.now
			r.steps += len(r.last)
			r.open = false
		case !r.call && r.function.has(pc) && !r.body.has(pc):
			r.open = false
		}
	}
	if !r.open && pc == r.body.lo && (called || !r.call) {
		r.open, r.now, r.returns = true, r.now[:0], prev+4
		r.begun++
	}
	if r.open {
		r.now = append(r.now, pc)
	}
}

// busiest returns the recorder whose passes took the most steps.
func busiest(all []*recorder) *recorder {
	return slices.MaxFunc(all, func(a, b *recorder) int { return a.steps - b.steps })
}
