package cpu

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// bench is a made-up table: its tiers are never run, only chosen.
type bench struct {
	avx2, avx512, shani bool
	kernels             []kernel
}

func newBench() *bench {
	b := new(bench)
	b.kernels = []kernel{
		{"chacha20", []tier{
			{"avx512", []string{"avx512f", "avx512vl"}, &b.avx512},
			{"avx2", []string{"avx2"}, &b.avx2},
			{Portable, nil, nil},
		}},
		{"sha256", []tier{
			{"shani", []string{"sha", "sse41"}, &b.shani},
			{Portable, nil, nil},
		}},
	}
	return b
}

// with returns features of which those named are present.
func with(present ...string) (all []Feature) {
	for _, name := range []string{"avx2", "avx512f", "avx512vl", "sha", "sse41"} {
		all = append(all, Feature{name, slices.Contains(present, name)})
	}
	return all
}

func everything() []Feature { return with("avx2", "avx512f", "avx512vl", "sha", "sse41") }

// selected names the tier of each kernel, and checks that exactly its switch
// is on.
func selected(t *testing.T, b *bench, r *register) string {
	t.Helper()
	info, _ := r.report()
	var names []string
	for _, k := range info.Kernels {
		for _, tier := range k.Tiers {
			if tier.Selected {
				names = append(names, tier.Name)
			}
		}
	}
	if len(names) != len(b.kernels) {
		t.Fatalf("selected %q for %d kernels", names, len(b.kernels))
	}
	if b.avx512 != (names[0] == "avx512") || b.avx2 != (names[0] == "avx2") || b.shani != (names[1] == "shani") {
		t.Errorf("selected %q, but the switches are avx512 %v, avx2 %v, shani %v", names, b.avx512, b.avx2, b.shani)
	}
	return strings.Join(names, " ")
}

func TestSelection(t *testing.T) {
	for _, c := range []struct {
		features    []Feature
		restriction string
		want        string
		unknown     string
	}{
		{everything(), "", "avx512 shani", ""},
		{with("avx2", "sha", "sse41"), "", "avx2 shani", ""},
		{with("avx2", "avx512f", "sha"), "", "avx2 portable", ""}, // parts of what a tier needs
		{with(), "", "portable portable", ""},
		{nil, "", "portable portable", ""},

		{everything(), "portable", "portable portable", ""},
		{everything(), "avx2", "avx2 portable", ""},
		{everything(), "shani", "portable shani", ""},
		{everything(), "avx2,shani", "avx2 shani", ""},
		{everything(), "portable,shani", "portable shani", ""},
		{everything(), "-avx512", "avx2 shani", ""},
		{everything(), "-avx512,-avx2", "portable shani", ""},
		{everything(), "-shani,-avx512", "avx2 portable", ""},
		{everything(), "avx2,avx512,-avx512", "avx2 portable", ""},
		{everything(), "avx2,-avx2", "portable portable", ""},
		{everything(), "neon", "portable portable", ""}, // known, but of another architecture
		{everything(), "-neon", "avx512 shani", ""},
		{with("sha", "sse41"), "avx2", "portable portable", ""},
		{everything(), " avx2 , shani,,", "avx2 shani", ""},
		{everything(), ",", "avx512 shani", ""},

		{everything(), "avx", "avx512 shani", "avx"},
		{everything(), "AVX2", "avx512 shani", "AVX2"},
		{everything(), "-portable", "avx512 shani", "-portable"},
		{everything(), "--avx2", "avx512 shani", "--avx2"},
		{everything(), "-", "avx512 shani", "-"},
		{everything(), "fast,avx2,-sse9", "avx2 portable", "fast -sse9"},
	} {
		b := newBench()
		r := newRegister(b.kernels, c.features, c.restriction)
		if got := selected(t, b, r); got != c.want {
			t.Errorf("%q: selected %q, want %q", c.restriction, got, c.want)
		}
		info, err := r.report()
		if info.Restriction != c.restriction {
			t.Errorf("Restriction is %q, want %q", info.Restriction, c.restriction)
		}
		var unknown *UnknownError
		switch {
		case c.unknown == "" && err != nil:
			t.Errorf("%q: %v", c.restriction, err)
		case c.unknown != "" && !errors.As(err, &unknown):
			t.Errorf("%q: error %v, want an UnknownError", c.restriction, err)
		case c.unknown != "" && strings.Join(unknown.Words, " ") != c.unknown:
			t.Errorf("%q: unknown %q, want %q", c.restriction, unknown.Words, c.unknown)
		}
	}
}

// The error says which words, and what would have been understood.
func TestUnknownError(t *testing.T) {
	text := (&UnknownError{Words: []string{"fast", "-sse9"}}).Error()
	for _, part := range append([]string{`"fast"`, `"-sse9"`, "SEALWRIGHT_CPU"}, names...) {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not name %s", text, part)
		}
	}
}

// A Report is the caller's own.
func TestReportIsACopy(t *testing.T) {
	b := newBench()
	r := newRegister(b.kernels, everything(), "fast")
	info, err := r.report()
	info.Features[0].Present = false
	info.Kernels[0].Tiers[0].Needs[0] = "nothing"
	info.Kernels[0].Tiers[0].Selected = false
	var unknown *UnknownError
	if !errors.As(err, &unknown) {
		t.Fatal(err)
	}
	unknown.Words[0] = "slow"

	again, err := r.report()
	if !again.Features[0].Present || again.Kernels[0].Tiers[0].Needs[0] != "avx512f" || !again.Kernels[0].Tiers[0].Selected {
		t.Errorf("changed from outside: %+v", again)
	}
	if !strings.Contains(err.Error(), "fast") {
		t.Errorf("changed from outside: %v", err)
	}
}

// recorder is a TB that goes on after a fatal error, as none should have to.
type recorder struct {
	cleanups []func()
	fatal    string
}

func (r *recorder) Helper()                      {}
func (r *recorder) Cleanup(f func())             { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Fatalf(f string, args ...any) { r.fatal = fmt.Sprintf(f, args...) }

func (r *recorder) undo() {
	for _, f := range slices.Backward(r.cleanups) {
		f()
	}
}

func TestForce(t *testing.T) {
	b := newBench()
	r := newRegister(b.kernels, everything(), "-avx2")
	var tb recorder
	for _, step := range []struct{ kernel, tier, want string }{
		{"chacha20", Portable, "portable shani"},
		{"chacha20", "avx2", "avx2 shani"}, // whatever the restriction says
		{"sha256", Portable, "avx2 portable"},
		{"chacha20", "avx512", "avx512 portable"},
		{"sha256", "shani", "avx512 shani"},
		{"chacha20", "avx2", "avx2 shani"},
	} {
		r.force(&tb, step.kernel, step.tier)
		if got := selected(t, b, r); got != step.want {
			t.Errorf("%s/%s: selected %q, want %q", step.kernel, step.tier, got, step.want)
		}
	}
	tb.undo()
	if got := selected(t, b, r); got != "avx512 shani" {
		t.Errorf("after cleanup: selected %q", got)
	}
	if tb.fatal != "" {
		t.Error(tb.fatal)
	}
}

// Case 47: a tier of AVX-512 asks for each part of it.
func TestForceFatal(t *testing.T) {
	for _, c := range []struct{ kernel, tier, want string }{
		{"salsa20", "avx2", `"salsa20"`},
		{"", Portable, `""`},
		{"chacha20", "shani", `"shani"`},
		{"chacha20", "", `""`},
		{"chacha20", "avx512", "avx512f, avx512vl"}, // not on this processor
		{"sha256", "shani", "sha, sse41"},
	} {
		b := newBench()
		r := newRegister(b.kernels, with("avx2", "avx512f"), "")
		var tb recorder
		r.force(&tb, c.kernel, c.tier)
		if !strings.Contains(tb.fatal, c.want) {
			t.Errorf("%s/%s: fatal %q, want one that names %s", c.kernel, c.tier, tb.fatal, c.want)
		}
		if got := selected(t, b, r); got != "avx2 portable" || len(tb.cleanups) != 0 {
			t.Errorf("%s/%s: selected %q, %d cleanups", c.kernel, c.tier, got, len(tb.cleanups))
		}
	}
}

// The exported Force, on the host.
func TestForceHost(t *testing.T) {
	for _, k := range kernels {
		Force(t, k.name, Portable)
		info, _ := Report()
		i := slices.IndexFunc(info.Kernels, func(r Kernel) bool { return r.Name == k.name })
		if tiers := info.Kernels[i].Tiers; !tiers[len(tiers)-1].Selected {
			t.Errorf("%s: portable is forced and not selected: %+v", k.name, tiers)
		}
	}
	var tb recorder
	if Force(&tb, "chacha20", "nothing"); tb.fatal == "" {
		t.Error("an unknown tier is not fatal")
	}
}

// What the table must hold for the rest to be true.
func TestTable(t *testing.T) {
	var got []string
	for _, k := range kernels {
		got = append(got, k.name)
		last := k.tiers[len(k.tiers)-1]
		if last.name != Portable || last.needs != nil || last.use != nil {
			t.Errorf("%s: the last tier is %+v, want portable without needs", k.name, last)
		}
		for _, tier := range k.tiers {
			if !slices.Contains(names, tier.name) {
				t.Errorf("%s: tier %q is not a word of SEALWRIGHT_CPU", k.name, tier.name)
			}
			if tier.name != Portable && (tier.use == nil || len(tier.needs) == 0) {
				t.Errorf("%s: tier %s has no switch or needs nothing", k.name, tier.name)
			}
			for _, need := range tier.needs {
				if !slices.ContainsFunc(features(), func(f Feature) bool { return f.Name == need }) {
					t.Errorf("%s: tier %s needs %q, which no feature is called", k.name, tier.name, need)
				}
			}
		}
	}
	if want := []string{"chacha20", "sha256", "base64", "etm", "secp256k1"}; !slices.Equal(got, want) {
		t.Errorf("kernels %q, want %q", got, want)
	}
}

// The environment is read at start, so another process has to tell of it.
const child = "SEALWRIGHT_CPU_TEST_CHILD"

func TestEnvironment(t *testing.T) {
	if os.Getenv(child) != "" {
		info, err := Report()
		for _, f := range info.Features {
			if f.Present {
				fmt.Println("present:", f.Name)
			}
		}
		fmt.Printf("restriction: %q\nerror: %v\n", info.Restriction, err)
		return
	}
	if runtime.GOARCH == "wasm" || runtime.GOOS == "ios" {
		t.Skip("no processes on this system")
	}
	off := "GODEBUG="
	for _, f := range host.features {
		off += "cpu." + f.Name + "=off,"
	}
	// An emulator, as of go test -exec, has to start the child too.
	words := append(strings.Fields(os.Getenv("SEALWRIGHT_EXEC")), os.Args[0], "-test.run=^TestEnvironment$")
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(os.Environ(), child+"=1", off, "SEALWRIGHT_CPU=-avx512,sse9")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "present:") {
		t.Errorf("GODEBUG left features on:\n%s", out)
	}
	for _, want := range []string{`restriction: "-avx512,sse9"`, `unknown words ["sse9"]`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %s in:\n%s", want, out)
		}
	}
}
