package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A module with benchmarks as fast as can be. The tag extra adds an
// implementation, the tag broken a benchmark that fails.
var module = map[string]string{
	"go.mod": "module example.org/bench\n\ngo 1.26\n",
	"bench_test.go": `package bench

import "testing"

var extra []string

func run(b *testing.B, params string) {
	for _, impl := range append([]string{"sealwright", "gonostr"}, extra...) {
		b.Run(params+"impl="+impl, func(b *testing.B) {
			for b.Loop() {
			}
		})
	}
}

func BenchmarkSign(b *testing.B)      { run(b, "") }
func BenchmarkEncrypt(b *testing.B)   { run(b, "len=32/key=derived/") }
func BenchmarkSHA256(b *testing.B)    { run(b, "len=64/") }
func BenchmarkVerifyAll(b *testing.B) { run(b, "n=10/") }
`,
	"extra_test.go":  "//go:build extra\n\npackage bench\n\nfunc init() { extra = []string{\"extra\"} }\n",
	"broken_test.go": "//go:build broken\n\npackage bench\n\nimport \"testing\"\n\nfunc BenchmarkSHB(b *testing.B) { b.Fatal(\"out of order\") }\n",
}

func writeModule(t *testing.T, dir string) {
	t.Helper()
	for name, text := range module {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestRun(t *testing.T) {
	bench, out := t.TempDir(), t.TempDir()
	writeModule(t, bench)
	for _, name := range []string{"go-2.txt", "go-3.txt", "js.txt"} {
		if err := os.WriteFile(filepath.Join(out, name), []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := plan{2, 3, time.Microsecond, []build{{"", ".", batches("(sealwright|gonostr)")}, {"extra", everyRow("extra"), ""}}}
	names, err := run(context.Background(), p, bench, t.TempDir(), out, header(bench, "the command"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{filepath.Join(out, "go-1.txt"), filepath.Join(out, "go-2.txt")}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if got := files(t, out); !slices.Equal(got, []string{"go-1.txt", "go-2.txt", "js.txt"}) {
		t.Errorf("left in the folder: %q", got)
	}
	in, err := readFiles(names)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range in.files {
		for _, row := range []string{"Sign", "Encrypt/len=32/key=derived", "SHA256/len=64", "VerifyAll/n=10"} {
			for _, impl := range []string{"sealwright", "gonostr", "extra"} {
				if n := len(f.values[one(row, impl)][seconds]); n != 3 {
					t.Errorf("%s: %s by %s: %d samples, want 3", f.name, row, impl, n)
				}
			}
		}
		for _, name := range []string{"goos", "goarch", "date"} {
			if f.config[name] == "" {
				t.Errorf("%s: no %s", f.name, name)
			}
		}
		if f.config["command"] != "the command" || f.config["commit"] != "unknown" {
			t.Errorf("%s: %q", f.name, f.config)
		}
	}
}

// A program's results are kept with the lines that it prints and with ours; what
// fails, prints no result or something else in its place leaves what was there.
func TestCollect(t *testing.T) {
	out := t.TempDir()
	call := func(script string) error {
		args := []string{"collect", "-out", out, "-name", "js", "-invocations", "2", "-command", "make it", "sh", "-c", script}
		return command(context.Background(), args, io.Discard, io.Discard)
	}
	if err := call(`echo 'node: v20'; echo 'BenchmarkSign/impl=a 1 8 ns/op'; sleep 1`); err != nil {
		t.Fatal(err)
	}
	names := []string{filepath.Join(out, "js-1.txt"), filepath.Join(out, "js-2.txt")}
	for _, c := range []struct{ script, want string }{
		{"exit 3", "exit status 3"},
		{"echo nothing", "printed no result"},
		{"echo 'BenchmarkSign/impl=a 1 x ns/op'; sleep 60", "parsing measurement"},
		{"echo 'BenchmarkSign/impl=a 1 9 ns/op'; exit 3", "exit status 3"},
	} {
		if err := call(c.script); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.script, err, c.want)
		}
	}
	if got := files(t, out); !slices.Equal(got, []string{"js-1.txt", "js-2.txt"}) {
		t.Errorf("left in the folder: %q", got)
	}
	in, err := readFiles(names)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := in.files[0].config["date"], in.files[1].config["date"]; a == "" || a == b {
		t.Errorf("dates %q and %q, of invocations that a second lies between", a, b)
	}
	for _, f := range in.files {
		if v := f.values[one("Sign", "a")][seconds]; !slices.Equal(v, []float64{8e-9}) {
			t.Errorf("%s: %v", f.name, v)
		}
		if f.config["node"] != "v20" || f.config["command"] != "make it" || f.config["processors"] == "" {
			t.Errorf("%s: %q", f.name, f.config)
		}
	}
}

// Where a benchmark fails, what it says is told, and the files of before stay.
func TestRunFails(t *testing.T) {
	bench, out := t.TempDir(), t.TempDir()
	writeModule(t, bench)
	if err := os.WriteFile(filepath.Join(out, "go-1.txt"), []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	p := plan{1, 1, time.Microsecond, []build{{"broken", ".", ""}}}
	_, err := run(context.Background(), p, bench, t.TempDir(), out, "")
	if err == nil || !strings.Contains(err.Error(), "out of order") {
		t.Errorf("%v, want what the benchmark says", err)
	}
	if got := files(t, out); !slices.Equal(got, []string{"go-1.txt"}) {
		t.Errorf("left in the folder: %q", got)
	}
}

// repository makes a module in the folder bench of a repository, with a commit, and
// returns the folder.
func repository(t *testing.T) (bench string, git func(args ...string) string) {
	t.Helper()
	dir := t.TempDir()
	bench = filepath.Join(dir, "bench")
	git = func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Dir = dir
		output, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, output)
		}
		return string(output)
	}
	if err := os.Mkdir(bench, 0o777); err != nil {
		t.Fatal(err)
	}
	writeModule(t, bench)
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	return bench, git
}

func TestCompare(t *testing.T) {
	bench, git := repository(t)
	c := comparison{bench: bench, old: "HEAD", pattern: "Sign", rounds: 2, benchtime: time.Microsecond}
	var out strings.Builder
	if err := c.run(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"old", "new", "sec/op", "Sign/impl=sealwright", "Sign/impl=gonostr", "n=2"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if trees := git("worktree", "list"); strings.Count(trees, "\n") != 1 {
		t.Errorf("work trees are left:\n%s", trees)
	}
	if strings.Contains(out.String(), changed) {
		t.Errorf("nothing is changed in\n%s", out.String())
	}
	// A file that git does not know is built as well.
	if err := os.WriteFile(filepath.Join(bench, "new_test.go"), []byte("package bench\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if id := commit(bench); !strings.HasSuffix(id, changed) {
		t.Errorf("commit %s, want it %s", id, changed)
	}
	out.Reset()
	if err := c.run(context.Background(), &out); err != nil || !strings.Contains(out.String(), "new"+changed) {
		t.Errorf("%v, no new%s in\n%s", err, changed, out.String())
	}
	c.pattern = "Absent"
	if err := c.run(context.Background(), &out); err == nil || !strings.Contains(err.Error(), "no benchmark matches Absent") {
		t.Errorf("no benchmark: %v", err)
	}
	for _, old := range []string{"absent", "--help"} {
		c.old = old
		if err := c.run(context.Background(), &out); err == nil || !strings.Contains(err.Error(), "git knows no commit") {
			t.Errorf("%s: %v", old, err)
		}
	}
}

// What is interrupted leaves no work tree.
func TestCompareInterrupted(t *testing.T) {
	bench, git := repository(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := comparison{bench: bench, old: "HEAD", pattern: "Sign", rounds: 1, benchtime: time.Hour}
	done := make(chan error)
	go func() { done <- c.run(ctx, io.Discard) }()
	// git itself would stumble over a work tree that is half made.
	for {
		if made, _ := filepath.Glob(filepath.Join(bench, "../.git/worktrees/*/commondir")); made != nil {
			break
		}
		select {
		case err := <-done:
			t.Fatal("ended by itself: ", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that the context has ended", err)
	}
	if trees := git("worktree", "list"); strings.Count(trees, "\n") != 1 {
		t.Errorf("work trees are left:\n%s", trees)
	}
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"", "usage"},
		{"measure", "usage"},
		{"run", "one plan is needed, 0 given"},
		{"run slow", `no plan "slow"`},
		{"run -samples -1 quick", "a number below 0"},
		{"run -also libsecp256k1 quick", `-also "libsecp256k1" is not TAGS=IMPL`},
		{"run -fast quick", "not defined: -fast"},
		{"render testdata/go-1.txt", "-out is needed"},
		{"render -out x", "no benchmark files given"},
		{"render -out x absent/*.txt", "no benchmark file absent/*.txt"},
		{"collect -name js node", "-out and -name are needed"},
		{"collect -out x -name js", "no program"},
		{"collect -out x -name js -invocations 0 node", "-invocations has to be above 0"},
		{"compare", "-old is needed"},
		{"compare -old HEAD -rounds 0", "have to be above 0"},
		{"compare -old HEAD now", `unknown argument "now"`},
	} {
		var stderr strings.Builder
		err := command(context.Background(), strings.Fields(c.args), io.Discard, &stderr)
		if !errors.Is(err, errUsage) || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%q: %v, %q; want %q", c.args, err, stderr.String(), c.want)
		}
	}
	if err := command(context.Background(), []string{"run", "-h"}, io.Discard, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("run -h: %v", err)
	}
}
