package main

import (
	"os"
	"strings"
	"testing"
)

const small = `# A comment.
#
# recorded on: AMD EPYC, avx2 sha
#
# row                          ours        peer          at most  recorded  noise
Sign                           sealwright  gonostr       1.25     0.4000    0.0600
Wrap/len=32                    portable    gonostr       0.25     -         -
`

func parsed(t *testing.T, text string) *file {
	t.Helper()
	f, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The ratios are 0.5/1, 0.4/1, 0.6/1 in the first gate: median 0.5, which is above
// 0.4 + 0.06; and 0.2 in the second.
func TestJudge(t *testing.T) {
	all := func(second float64) []times {
		return []times{
			{[]float64{5e-6, 8e-6, 6e-6}, []float64{10e-6, 20e-6, 10e-6}},
			{[]float64{second}, []float64{1}},
		}
	}
	for _, c := range []struct {
		name, machine string
		second        float64
		failed        int
		want          []string
	}{
		{"slower", "AMD EPYC, avx2 sha", 0.2, 1, []string{"0.500", "SLOWER", "gate: 2 rows, 1 failed, medians of 3 rounds\n"}},
		{"another machine", "Intel, avx2", 0.2, 0, []string{"they are of AMD EPYC, avx2 sha; this machine is Intel, avx2", "2 rows, 0 failed"}},
		{"above too", "AMD EPYC, avx2 sha", 0.26, 2, []string{"SLOWER", "ABOVE", "2 rows, 2 failed"}},
		{"at the gate", "Intel, avx2", 0.25, 0, []string{"0.250"}},
	} {
		var out strings.Builder
		failed, err := judge(&out, parsed(t, small), c.machine, all(c.second))
		if err != nil || failed != c.failed {
			t.Errorf("%s: %d failed (%v), want %d", c.name, failed, err, c.failed)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, out.String())
			}
		}
	}
}

func TestVerdict(t *testing.T) {
	g := gate{most: 1.25, recorded: 0.5, noise: 0.25}
	for _, c := range []struct {
		ratio float64
		here  bool
		want  string
	}{
		{0.75, true, ok}, {0.76, true, slower}, {0.76, false, ok}, {1.25, false, ok}, {1.26, false, above}, {1.26, true, above},
	} {
		if got := g.verdict(c.ratio, c.here); got != c.want {
			t.Errorf("%v, here %v: %s, want %s", c.ratio, c.here, got, c.want)
		}
	}
}

// Of 0.50 0.52 0.49 0.51 0.53 the median is 0.51, and twice the range is 0.08.
func TestRecord(t *testing.T) {
	f := parsed(t, small)
	if err := f.record("Intel, avx2", [][]float64{{0.50, 0.2}, {0.52, 0.2}, {0.49, 0.2}, {0.51, 0.2}, {0.53, 0.2}}); err != nil {
		t.Fatal(err)
	}
	want := `# A comment.
#
# recorded on: Intel, avx2
#
# row                          ours        peer          at most  recorded  noise
Sign                           sealwright  gonostr       1.25     0.5100    0.0800
Wrap/len=32                    portable    gonostr       0.25     0.2000    0.0001
`
	if got := f.text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if bounds := parsed(t, want).bounds(); bounds != nil {
		t.Errorf("at their bounds: %q", bounds)
	}
	atBound := strings.Replace(want, "0.25     0.2000    0.0001", "0.25     0.2400    0.0101", 1)
	if bounds := parsed(t, atBound).bounds(); len(bounds) != 1 || !strings.HasPrefix(bounds[0], "Wrap/len=32, portable beside gonostr: 0.25 at most") {
		t.Errorf("at their bounds: %q", bounds)
	}
	// 2·(0.63 − 0.50) is more than half of 0.5.
	if err := f.record("Intel, avx2", [][]float64{{0.50, 0.2}, {0.50, 0.2}, {0.63, 0.2}}); err == nil || !strings.Contains(err.Error(), "Sign, sealwright beside gonostr") {
		t.Errorf("noise: %v", err)
	}
	// What was not measured loses what was recorded of another machine.
	if err := f.record("Intel, avx2", [][]float64{{0.50, 0}, {0.50, 0}}); err != nil || f.gates[1].recorded != 0 {
		t.Errorf("not measured: %v, %v", err, f.gates[1].recorded)
	}
}

// What is misspelt, and a tier that is there, is no tier that the machine lacks.
func TestLacked(t *testing.T) {
	for ours, want := range map[string]bool{"avx512": true, "neon": true, "avx2": false, "portable": false, "avx3": false, "sealwrigth": false} {
		g := gate{ours: ours}
		if got := g.lacked("chacha20=avx2,portable sha256=shani,avx2,portable"); got != want {
			t.Errorf("%s: %v, want %v", ours, got, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"1.25", "fast", `"fast" is not a number above 0`},
		{"1.25", "0", `"0" is not a number above 0`},
		{"1.25", "NaN", `"NaN" is not a number above 0`},
		{"1.25", "Inf", `"Inf" is not a number above 0`},
		{"0.0600", "", "5 columns, not 6"},
		{"0.0600", "-", "recorded and noise go together"},
		{"recorded on:", "made by:", "no line"},
	} {
		_, err := parse(strings.Replace(small, c.from, c.to, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s → %q: %v, want %q", c.from, c.to, err, c.want)
		}
	}
}

// The file in the repository demands what is asked of portable code, and the audit's gate.
func TestGates(t *testing.T) {
	text, err := os.ReadFile("gates.txt")
	if err != nil {
		t.Fatal(err)
	}
	f := parsed(t, string(text))
	most := make(map[string]float64)
	for _, g := range f.gates {
		most[g.row+" "+g.ours] = g.most
	}
	for name, want := range map[string]float64{
		"ConversationKey portable": 0.30, "Verify portable": 0.32, "Sign portable": 0.12,
		"Wrap/len=32 portable": 0.25, "Wrap/len=1024 portable": 0.25, "Unwrap/len=32 portable": 0.33, "Unwrap/len=1024 portable": 0.33,
		"Import sealwright": 1.25, "Sign sealwright": 1.25, "Verify sealwright": 1.25, "Wrap/len=32 sealwright": 1.25, "Unwrap/len=32 sealwright": 1.25,
		"Encrypt/len=32/key=derived sealwright": 1.25, "Encrypt/len=1024/key=derived sealwright": 1.25, "Encrypt/len=64000/key=derived sealwright": 1.25,
		"Decrypt/len=32/key=derived sealwright": 1.25, "Decrypt/len=1024/key=derived sealwright": 1.25, "Decrypt/len=64000/key=derived sealwright": 1.25,
	} {
		if most[name] != want {
			t.Errorf("%s: at most %v, want %v", name, most[name], want)
		}
	}
	if f.text() != string(text) {
		t.Error("gates.txt is not laid out as -calibrate writes it")
	}
}

func TestPattern(t *testing.T) {
	gates := []*gate{{row: "Sign", ours: "portable", peer: "gonostr"}, {row: "Wrap/len=32", ours: "sealwright", peer: "gonostr"}, {row: "Sign", ours: "sealwright", peer: "gonostr"}}
	want := "^BenchmarkSign$/^impl=(portable|gonostr|sealwright|gonostr)$|^BenchmarkWrap$/^len=32$/^impl=(sealwright|gonostr)$"
	if got := pattern(gates); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
