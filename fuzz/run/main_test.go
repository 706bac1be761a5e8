package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// What the fuzzer of Go 1.26 prints, stopped among the seeds and after them.
func TestCount(t *testing.T) {
	for _, tt := range []struct {
		text string
		want executions
	}{
		{"", executions{}},
		{"testing: warning: no fuzz tests to fuzz\nPASS\n", executions{}},
		{"fuzz: elapsed: 0s, gathering baseline coverage: 0/640 completed\nfuzz: elapsed: 1s, gathering baseline coverage: 512/640 completed\nPASS\n", executions{512, 0}},
		{"fuzz: elapsed: 0s, gathering baseline coverage: 0/3 completed\n" +
			"fuzz: elapsed: 0s, gathering baseline coverage: 3/3 completed, now fuzzing with 2 workers\n" +
			"fuzz: elapsed: 3s, execs: 41020 (13671/sec), new interesting: 2 (total: 5)\n" +
			"fuzz: elapsed: 5s, execs: 70344 (14583/sec), new interesting: 4 (total: 7)\nPASS\n", executions{3, 70341}},
		{"fuzz: elapsed: 0s, gathering baseline coverage: 0/3 completed\n" +
			"fuzz: elapsed: 0s, gathering baseline coverage: 3/3 completed, now fuzzing with 2 workers\n" +
			"fuzz: elapsed: 1s, execs: 3 (3/sec), new interesting: 0 (total: 3)\nPASS\n", executions{3, 0}},
	} {
		if got := count(tt.text); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.text, got, tt.want)
		}
	}
}

// TestFuzz runs what acts as a fuzzer does. One that passes and has mutated nothing
// fails, unless it does so when it is given longer.
func TestFuzz(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	const seeds = `echo "fuzz: elapsed: 0s, gathering baseline coverage: 3/3 completed, now fuzzing with 2 workers"
`
	for _, tt := range []struct {
		name, script string
		pass         bool
	}{
		{"mutates", seeds + `echo "fuzz: elapsed: 1s, execs: 10 (5/sec), new interesting: 0 (total: 3)"; echo PASS`, true},
		{"mutates when it is given longer", seeds + `case "$*" in *fuzztime=800ms*) echo "fuzz: elapsed: 1s, execs: 10 (5/sec), new interesting: 0 (total: 3)";; esac; echo PASS`, true},
		{"mutates nothing", seeds + `echo "fuzz: elapsed: 1s, execs: 3 (3/sec), new interesting: 0 (total: 3)"; echo PASS`, false},
		{"ends among the seeds", `echo "fuzz: elapsed: 0s, gathering baseline coverage: 0/3 completed"; echo PASS`, false},
		{"has no such target", `echo "testing: warning: no fuzz tests to fuzz"; echo PASS`, false},
		{"fails", seeds + `echo "fuzz: elapsed: 1s, execs: 9 (9/sec), new interesting: 0 (total: 3)"; echo FAIL; exit 1`, false},
	} {
		fuzzer := filepath.Join(t.TempDir(), "fuzzer")
		if err := os.WriteFile(fuzzer, []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		text, err := target{function: "FuzzX", folder: t.TempDir()}.fuzz(t.Context(), fuzzer, t.TempDir(), effort{time: 200 * time.Millisecond}, 2)
		if (err == nil) != tt.pass {
			t.Errorf("%s: %v\n%s", tt.name, err, text)
		}
	}
}

// What leaves nothing to do is refused before anything is built.
func TestRunRefuses(t *testing.T) {
	if _, err := run(t.Context(), effort{time.Second, -1}, "", "", false, 1); err == nil || err.Error() != "each target must be executed more than -1 times" {
		t.Errorf("-1 executions: %v", err)
	}
	for _, tt := range []struct {
		time          time.Duration
		pattern, want string
		list          bool
	}{
		{0, "", "each target must be fuzzed for longer than 0s", false},
		{-time.Second, "", "each target must be fuzzed for longer than -1s", false},
		{time.Second, "NoSuchTarget", `no target matches "NoSuchTarget"`, false},
		{time.Second, "NoSuchTarget", `no target matches "NoSuchTarget"`, true},
	} {
		if _, err := run(t.Context(), effort{time: tt.time}, "", tt.pattern, tt.list, 1); err == nil || err.Error() != tt.want {
			t.Errorf("%v, %q: %v, want %s", tt.time, tt.pattern, err, tt.want)
		}
	}
}

func TestDiscover(t *testing.T) {
	here, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []target{
		{here, "github.com/sealwright/sealwright/fuzz/kernels", filepath.Join(here, "kernels"), "FuzzField", "fuzz_kernels_FuzzField"},
		{filepath.Dir(here), "github.com/sealwright/sealwright/protocol/nip44", filepath.Join(filepath.Dir(here), "protocol", "nip44"), "FuzzDecrypt", "protocol_nip44_FuzzDecrypt"},
	} {
		found, err := discover(t.Context(), filepath.Dir(here), want.module)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(found, want) {
			t.Errorf("%+v is not among %d targets", want, len(found))
		}
	}
}

// A target is found by its declaration, whatever its file and its parameter are
// called; a helper that takes other arguments is none.
func TestFuzzFunctions(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a_test.go": "package x\n\nfunc FuzzOne(f *testing.F) {\n}\n\nfunc FuzzHelper(f *testing.F, n int) {\n}\n",
		"b_test.go": "package x_test\n\nfunc FuzzTwo(fuzz *testing.F) { fuzz.Fuzz(check) }\n\nfunc Fuzzy(f *testing.F) {}\n",
		"c.go":      "package x\n\nfunc FuzzThree(f *testing.F) {}\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := fuzzFunctions(folder)
	if want := []string{"FuzzOne", "FuzzTwo"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
