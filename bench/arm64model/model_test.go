package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
)

// need skips a test, or fails it where SEALWRIGHT_REQUIRE demands it.
func need(t *testing.T, required bool, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			if required {
				t.Fatal(err)
			}
			t.Skipf("NOT RUN: %v", err)
		}
	}
}

// nested is a function with two loops in one another, one beside them and, as Go's
// have, a branch back to its entry. The comments tell the offsets.
var nested = []uint32{
	0xd2800140, // 00 MOVZ X0, #10
	0xd2800061, // 04 MOVZ X1, #3
	0xf1000421, // 08 SUBS X1, X1, #1
	0x54ffffe1, // 0c B.NE 08
	0xf1000400, // 10 SUBS X0, X0, #1
	0x54ffff81, // 14 B.NE 04
	0xb4000040, // 18 CBZ X0, 20
	0xd503201f, // 1c NOP
	0xd1000442, // 20 SUB X2, X2, #1
	0x3707ffe2, // 24 TBNZ W2, #0, 20
	0xd65f03c0, // 28 RET
	0x97fffff5, // 2c BL 00
	0x17fffff4, // 30 B 00
}

func code(words []uint32) []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, words)
	return b
}

// at is an image of code alone.
func at(address uint64, words []uint32) *image {
	b := code(words)
	return &image{sections: []section{{span{address, address + uint64(len(b))}, b}}}
}

func TestLoops(t *testing.T) {
	m := at(0x1000, nested)
	got := m.loops(m.sections[0].span)
	if want := []span{{0x1004, 0x1018}, {0x1020, 0x1028}}; !slices.Equal(got, want) {
		t.Errorf("%#x, want %#x", got, want)
	}
}

// program writes a program that has the words at its entry, and returns its name and
// the address of that.
func program(t *testing.T, words []uint32) (name string, m *image, entry uint64) {
	t.Helper()
	const base, header = 0x400000, 64 + 56
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.WriteString("\x7fELF\x02\x01\x01")
	b.Write(make([]byte, 9))
	put([]uint16{2, 183}, uint32(1), []uint64{base + header, 64, 0}, uint32(0), []uint16{64, 56, 1, 0, 0, 0})
	put([]uint32{1, 5}, []uint64{0, base, base, uint64(header + 4*len(words)), uint64(header + 4*len(words)), 0x1000})
	put(words)
	name = filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(name, b.Bytes(), 0o700); err != nil {
		t.Fatal(err)
	}
	return name, at(base+header, words), base + header
}

// trace has a tracer follow a program to its end.
func trace(t *testing.T, name string, tracer *tracer) {
	t.Helper()
	if _, err := execute(t.Context(), []string{name}, tracer.step); err != nil {
		t.Fatal(err)
	}
	tracer.finish()
}

// TestTrace runs a program of five instructions around two calls of nested. A call
// takes 1 + 10·(1 + 3·2 + 2) + 1 + 2·2 + 1 = 97 instructions: X2 is zero at first, so
// the last loop goes twice each time.
func TestTrace(t *testing.T) {
	need(t, testkit.Required("qemu"), qemu)
	words := append([]uint32{
		0x94000005, // BL nested
		0x94000004, // BL nested
		0xd2800000, // MOVZ X0, #0
		0xd2800ba8, // MOVZ X8, #93 (exit)
		0xd4000001, // SVC #0
	}, nested...)
	name, m, entry := program(t, words)
	f := span{entry + 5*4, entry + uint64(4*len(words))}
	tracer := newTracer(m)
	calls, loops := tracer.record(f, false), tracer.record(f, true)
	trace(t, name, tracer)
	if tracer.executed != 2*(1+97)+3 {
		t.Errorf("%d instructions, want %d", tracer.executed, 2*(1+97)+3)
	}
	for _, c := range []struct {
		name               string
		r                  *recorder
		begun, last, steps int
	}{
		{"call", calls[0], 2, 97, 194},
		{"outer loop", loops[0], 20, 9, 162},
		{"last loop", loops[1], 4, 2, 4},
	} {
		if c.r.begun != c.begun || len(c.r.last) != c.last || c.r.steps != c.steps {
			t.Errorf("%s: begun %d times, %d instructions in the last, %d in all; want %d, %d, %d", c.name, c.r.begun, len(c.r.last), c.r.steps, c.begun, c.last, c.steps)
		}
	}
	if busiest(loops) != loops[0] {
		t.Error("the outer loop is not the busiest")
	}

	// Without the five instructions around the calls.
	inside := newTracer(m)
	inside.measured = f.lo
	trace(t, name, inside)
	if inside.executed != 2*97 {
		t.Errorf("%d instructions in the function, want %d", inside.executed, 2*97)
	}
}

// TestTraceBeginsAgain runs a function that calls another where Go's would call
// runtime.morestack, and begins again: it counts as if it had not.
func TestTraceBeginsAgain(t *testing.T) {
	need(t, testkit.Required("qemu"), qemu)
	words := []uint32{
		0x94000004, // 00 BL 10
		0xd2800000, // 04 MOVZ X0, #0
		0xd2800ba8, // 08 MOVZ X8, #93 (exit)
		0xd4000001, // 0c SVC #0
		0xaa1e03e3, // 10 MOV X3, X30
		0xb4000069, // 14 CBZ X9, 20
		0xd503201f, // 18 NOP
		0xd65f0060, // 1c RET X3
		0x94000003, // 20 BL 2c
		0xaa0303fe, // 24 MOV X30, X3
		0x17fffffa, // 28 B 10
		0xd2800029, // 2c MOVZ X9, #1
		0xd65f03c0, // 30 RET
	}
	name, m, entry := program(t, words)
	m.functions = map[string]span{"f": {entry + 0x10, entry + 0x2c}, "grow": {entry + 0x2c, entry + 0x34}}
	for _, measured := range []uint64{0, entry + 0x10} {
		tracer := newTracer(m)
		tracer.measured = measured
		tracer.skipped[entry+0x2c] = true
		call := tracer.record(span{entry + 0x10, entry + 0x2c}, false)[0]
		trace(t, name, tracer)
		want := 4 // of the function
		if measured == 0 {
			want += 4 // around it
		}
		if tracer.executed != want {
			t.Errorf("%d instructions, want %d", tracer.executed, want)
		}

		tracer = newTracer(m)
		tracer.measured = measured
		tracer.skipped[entry+0x2c] = false
		trace(t, name, tracer)
		if want += 5; tracer.executed != want { // and 10, 14, 20, 24, 28
			t.Errorf("%d instructions, want %d without those of the call", tracer.executed, want)
		}
		if measured == 0 && (call.begun != 1 || call.steps != 4 || len(call.last) != 4) {
			t.Errorf("begun %d times, %d instructions in the last, %d in all; want 1, 4, 4", call.begun, len(call.last), call.steps)
		}
	}
}

func TestTracedPC(t *testing.T) {
	const line = ": 0x7f9980000100 [0000000001009331/0000000000400078/00000001/00000201] main.main\n"
	if pc, ok := tracedPC([]byte("Trace 0" + line)); !ok || pc != 0x400078 {
		t.Errorf("%#x, %t", pc, ok)
	}
	for _, other := range []string{"Trace 1" + line, "Trace 0: 0x7f", "panic: 0/0\n", ""} {
		if pc, ok := tracedPC([]byte(other)); ok {
			t.Errorf("%q has the address %#x", other, pc)
		}
	}
}

// sample has the form of llvm-mca's JSON, shortened.
const sample = `{
  "CodeRegions": [{
    "Instructions": ["mul x0, x0, x0", "ret"],
    "Name": "",
    "SummaryView": {"BlockRThroughput": 1.5, "DispatchWidth": 8, "IPC": 0.5, "Instructions": 200, "Iterations": 100, "TotalCycles": 403, "TotaluOps": 200, "uOpsPerCycle": 0.5}
  }],
  "SimulationParameters": {"-mcpu": "neoverse-n1"}
}`

func TestParseMCA(t *testing.T) {
	if s, err := parseMCA([]byte(sample)); err != nil || s != (summary{Instructions: 200, Iterations: 100, TotalCycles: 403}) {
		t.Errorf("%+v, %v", s, err)
	}
	for _, bad := range []string{"", "{}", `{"CodeRegions": [{}]}`, `{"CodeRegions": [{"SummaryView": {"Iterations": 100}}]}`,
		strings.Replace(sample, "403", `"403"`, 1)} {
		if s, err := parseMCA([]byte(bad)); err == nil {
			t.Errorf("%q gives %+v", bad, s)
		}
	}
}

// TestCycles asks for what Arm's guides to the cores say: ADD has a latency of one
// cycle, so four in a chain take four, and the loop's other work hides behind them.
func TestCycles(t *testing.T) {
	need(t, false, llvmMC, llvmMCA)
	add := uint32(0x8b000000) // ADD X0, X0, X0
	text, err := disassemble(t.Context(), []uint32{add, add, add, add, nested[2], nested[3], 0x5e004020 /* SHA256H Q0, Q1, V0.4S */})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, "add\tx0, x0, x0\nadd\tx0, x0, x0\n") || strings.Count(text, "\n") != 7 {
		t.Errorf("%q", text)
	}
	for _, core := range cores {
		c, err := cycles(t.Context(), text, core)
		if err != nil || c < 4 || c > 4.2 {
			t.Errorf("%s: %.2f cycles, want 4; %v", core, c, err)
		}
	}
	if text, err := disassemble(t.Context(), []uint32{0xffffffff}); err == nil {
		t.Errorf("no instruction is %q", text)
	}
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		ours, theirs, asked float64
		want                string
	}{
		{0.8, 1, 0.8, "| 0.80 (neon) | 1.00 (x/crypto) | 0.80 | ≤ 0.80, met |\n"},
		{81, 100, 0.8, "| 81 (neon) | 100 (x/crypto) | 0.81 | ≤ 0.80, MISSED |\n"},
		{1, 2, 0, "| 1.00 (neon) | 2.00 (x/crypto) | 0.50 | – |\n"},
	} {
		var b strings.Builder
		r := report{w: &b}
		r.row("k", "core", "neon", "x/crypto", cell{c.ours, nil}, cell{c.theirs, nil}, c.asked)
		if got := strings.TrimPrefix(b.String(), "| k | core "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	var b strings.Builder
	r := report{w: &b}
	r.row("k", "core", "portable", "p", cell{1, nil}, cell{0, errMissing}, 0.8)
	r.row("k", "core", "portable", "", cell{1, nil}, cell{0, errNoPeer}, 0)
	const want = "| k | core | 1.00 (portable) | NOT MEASURED: the peer is not on this machine | – | ≤ 0.80, NOT MEASURED |\n" +
		"| k | core | 1.00 (portable) | – | – | – |\n"
	if len(r.failed) > 0 || b.String() != want {
		t.Errorf("%v %q, want %q", r.failed, b.String(), want)
	}
	r.row("k", "core", "portable", "p", cell{0, os.ErrNotExist}, cell{1, nil}, 0.8)
	if len(r.failed) != 1 {
		t.Errorf("%v", r.failed)
	}
}

// The last line, and what makes the command fail.
func TestTargets(t *testing.T) {
	met, missed, absent := cell{1, nil}, cell{3, nil}, cell{0, errMissing}
	for _, c := range []struct {
		name      string
		ours      []cell
		required  bool
		line      string
		wantError bool
	}{
		{"all met", []cell{met, met}, true, "targets: 2 met, 0 MISSED, 0 NOT MEASURED", false},
		{"one missed", []cell{met, missed}, false, "targets: 1 met, 1 MISSED, 0 NOT MEASURED", true},
		{"one absent", []cell{met, absent}, false, "targets: 1 met, 0 MISSED, 1 NOT MEASURED", false},
		{"one absent that is required", []cell{met, absent}, true, "targets: 1 met, 0 MISSED, 1 NOT MEASURED", true},
	} {
		var b strings.Builder
		r := report{w: &b}
		for _, ours := range c.ours {
			r.row("k", "core", "neon", "p", ours, cell{2, nil}, 0.5)
			r.row("k", "core", "neon", "p", ours, cell{2, nil}, 0) // no target
		}
		err := r.verdict(c.required)
		if !strings.HasSuffix(b.String(), "\n\n"+c.line+"\n") || (err != nil) != c.wantError || err != nil && err.Error() != c.line {
			t.Errorf("%s: %q, %v", c.name, b.String(), err)
		}
	}
}
