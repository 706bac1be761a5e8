package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What the fuzzer of Go 1.26 prints, stopped among the seeds and after them.
func TestCount(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"fuzz: elapsed: 0s, gathering baseline coverage: 0/640 completed\nfuzz: elapsed: 1s, gathering baseline coverage: 512/640 completed\nPASS\n", 512},
		{"fuzz: elapsed: 0s, gathering baseline coverage: 0/3 completed\n" +
			"fuzz: elapsed: 0s, gathering baseline coverage: 3/3 completed, now fuzzing with 2 workers\n" +
			"fuzz: elapsed: 3s, execs: 41020 (13671/sec), new interesting: 2 (total: 5)\n" +
			"fuzz: elapsed: 5s, execs: 70344 (14583/sec), new interesting: 4 (total: 7)\nPASS\n", 70344},
	} {
		if got := count(tt.text); got != tt.want {
			t.Errorf("%q: %d executions, want %d", tt.text, got, tt.want)
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
		found, err := discover(filepath.Dir(here), want.module)
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
