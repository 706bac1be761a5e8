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
# row                                  ours        peer                         at most  avx512  asked  recorded  noise
Sign                           sealwright  gonostr                      1.25     -       0.45   0.4000    0.0600
Wrap/len=32                    portable    gonostr                      0.25     0.15    -      -         -
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
		avx512        bool
		failed        int
		want          []string
	}{
		{"slower", "AMD EPYC, avx2 sha", 0.14, true, 1, []string{"0.500", "SLOWER", "gate: 2 rows, 1 failed, medians of 3 rounds\n"}},
		{"another machine", "Intel, avx2", 0.2, false, 0, []string{"0.45", "gate: 2 rows are ABOVE WHAT IS ASKED", "they are of AMD EPYC, avx2 sha; this machine is Intel, avx2", "2 rows, 0 failed"}},
		{"AVX-512", "Intel, avx2", 0.2, true, 1, []string{"ABOVE", "2 rows, 1 failed"}},
		{"above too", "AMD EPYC, avx2 sha", 0.26, false, 2, []string{"SLOWER", "ABOVE", "2 rows, 2 failed"}},
		{"at the gate", "Intel, avx2", 0.25, false, 0, []string{"0.250", "gate: 2 rows are ABOVE WHAT IS ASKED"}},
	} {
		var out strings.Builder
		failed, err := judge(&out, parsed(t, small), c.machine, c.avx512, all(c.second))
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
	g := gate{most: 1.25, wide: 0.7, recorded: 0.5, noise: 0.25}
	alone := gate{wide: 0.7} // asked of AVX-512 alone
	more := gate{most: 1.25, wide: 0.7, asked: 0.6, recorded: 0.5, noise: 0.25}
	for _, c := range []struct {
		g            gate
		ratio        float64
		here, avx512 bool
		want         string
	}{
		{g, 0.70, true, false, ok}, {g, 0.75, true, false, asked}, {g, 0.76, true, false, slower}, {g, 0.76, false, false, asked},
		{g, 1.25, false, false, asked}, {g, 1.26, false, false, above}, {g, 1.26, true, false, above},
		{g, 0.70, true, true, ok}, {g, 0.71, true, true, above},
		{alone, 0.70, true, true, ok}, {alone, 0.71, false, true, above}, {alone, 100, true, false, asked},
		{more, 0.60, true, true, ok}, {more, 0.61, true, true, asked}, {more, 0.61, false, false, asked}, {more, 0.71, true, true, above}, {more, 0.76, true, false, slower},
		{gate{most: 1.25}, 1.25, false, true, ok}, {gate{most: 1.25}, 1.26, false, true, above},
	} {
		if got := c.g.verdict(c.ratio, c.here, c.avx512); got != c.want {
			t.Errorf("%+v: %v, here %v, AVX-512 %v: %s, want %s", c.g, c.ratio, c.here, c.avx512, got, c.want)
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
# row                                  ours        peer                         at most  avx512  asked  recorded  noise
Sign                                   sealwright  gonostr                      1.25     -       0.45   0.5100    0.0800
Wrap/len=32                            portable    gonostr                      0.25     0.15    -      0.2000    0.0001
`
	if got := f.text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if bounds := parsed(t, want).bounds(false); bounds != nil {
		t.Errorf("at their bounds: %q", bounds)
	}
	if bounds := parsed(t, want).bounds(true); len(bounds) != 1 {
		t.Errorf("at their bounds with AVX-512: %q", bounds)
	}
	atBound := strings.Replace(want, "0.2000    0.0001", "0.2400    0.0101", 1)
	if bounds := parsed(t, atBound).bounds(false); len(bounds) != 1 || !strings.HasPrefix(bounds[0], "Wrap/len=32, portable beside gonostr: 0.25, 0.15 of AVX-512 is the bound") {
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
		{"0.0600", "", "7 columns, not 8"},
		{"1.25     -", "-        -", "nothing is demanded"},
		{"0.0600", "-", "recorded and noise go together"},
		{"recorded on:", "made by:", "no line"},
	} {
		_, err := parse(strings.Replace(small, c.from, c.to, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s → %q: %v, want %q", c.from, c.to, err, c.want)
		}
	}
}

// The file in the repository demands what is asked of portable code, the audit's gate,
// and of the kernels, the curve and NIP-44 what is asked, or less, with what is asked
// beside it.
func TestGates(t *testing.T) {
	text, err := os.ReadFile("gates.txt")
	if err != nil {
		t.Fatal(err)
	}
	f := parsed(t, string(text))
	demands := make(map[string]string)
	for _, g := range f.gates {
		demands[g.row+" "+g.ours+" "+g.peer] = g.demand()
	}
	for name, want := range map[string]string{
		"ConversationKey portable gonostr": "0.30", "Verify portable gonostr": "0.32", "Sign portable gonostr": "0.12",
		"Wrap/len=32 portable gonostr": "0.25", "Wrap/len=1024 portable gonostr": "0.25",
		"Unwrap/len=32 portable gonostr": "0.33", "Unwrap/len=1024 portable gonostr": "0.33",

		"Import sealwright gonostr": "1.25", "Sign sealwright gonostr": "1.25, 0.05 of AVX-512", "Verify sealwright gonostr": "1.25, 0.19 of AVX-512, 0.14 asked", "ConversationKey sealwright gonostr": "1.25, 0.16 of AVX-512, 0.13 asked",
		"Wrap/len=32 sealwright gonostr": "1.25", "Unwrap/len=32 sealwright gonostr": "1.25",
		"Encrypt/len=32/key=derived sealwright gonostr": "1.25", "Decrypt/len=32/key=derived sealwright gonostr": "1.25",
		"Encrypt/len=1024/key=derived sealwright gonostr": "1.25", "Decrypt/len=1024/key=derived sealwright gonostr": "1.25",
		"Encrypt/len=64000/key=derived sealwright gonostr": "1.25", "Decrypt/len=64000/key=derived sealwright gonostr": "1.25",

		"Encrypt/len=32/key=cached sealwright gonostr": "1.25, 0.40 of AVX-512, 0.35 asked", "Decrypt/len=32/key=cached sealwright gonostr": "1.25, 0.40 of AVX-512, 0.35 asked",
		"Encrypt/len=1024/key=cached sealwright gonostr": "1.25, 0.37 of AVX-512, 0.29 asked", "Decrypt/len=1024/key=cached sealwright gonostr": "1.25, 0.37 of AVX-512, 0.29 asked",
		"Encrypt/len=64000/key=cached sealwright gonostr": "1.25, 0.33 of AVX-512, 0.25 asked", "Decrypt/len=64000/key=cached sealwright gonostr": "1.25, 0.36 of AVX-512, 0.25 asked",
		"Layer/of=Encrypt/layer=kept/len=64000 sealwright SHA256/len=64000/impl=std": "1.50 of AVX-512", "Layer/of=Decrypt/layer=kept/len=64000 sealwright SHA256/len=64000/impl=std": "1.60 of AVX-512, 1.50 asked",

		"ChaCha20/len=64 sealwright xcrypto,aead,openssl,sodium": "1.00", "ChaCha20/len=256 sealwright openssl": "1.00",
		"ChaCha20/len=1024 sealwright openssl": "1.00", "ChaCha20/len=16384 sealwright openssl": "1.00", "ChaCha20/len=65536 sealwright openssl": "1.00 of AVX-512",
		"ChaCha20/len=1024 avx2 aead": "1.05", "ChaCha20/len=16384 avx2 aead": "1.05", "ChaCha20/len=65536 avx2 aead": "1.05",
		"SHA256/len=65536 sealwright std": "1.05, 0.95 asked", "HMAC/len=64 sealwright std": "0.80", "Sum256s/len=1024/n=16 avx512 shani": "0.62, 0.50 asked", "Sum256s/len=16384/n=16 avx512 shani": "0.55, 0.50 asked",
		"ECDH sealwright libsecp256k1": "0.55", "ECDH sealwright btcec": "0.18 of AVX-512, 0.15 asked", "SchnorrSign sealwright libsecp256k1": "0.58",
		"SchnorrVerify sealwright libsecp256k1": "0.60", "BaseMult sealwright libsecp256k1": "0.55",
		"Wrap/len=1024 sealwright gonostr": "1.25, 0.10 of AVX-512", "Unwrap/len=1024 sealwright gonostr": "1.25, 0.17 of AVX-512, 0.14 asked",

		"Base64Encode/len=1500 sealwright base64x,segmentio": "1.00", "Base64Encode/len=87500 sealwright base64x,segmentio": "1.00 of AVX-512",
		"Base64Decode/len=1500 sealwright base64x,segmentio": "1.00", "Base64Decode/len=87500 sealwright base64x,segmentio": "1.00",
	} {
		if demands[name] != want {
			t.Errorf("%s: %q is demanded, want %s", name, demands[name], want)
		}
	}
	if f.text() != string(text) {
		t.Error("gates.txt is not laid out as -calibrate writes it")
	}
}

// A binary without the peers in C has no use for a gate that knows no others.
func TestPattern(t *testing.T) {
	gates := []*gate{
		{row: "Sign", ours: "portable", peer: "gonostr"}, {row: "Wrap/len=32", ours: "sealwright", peer: "gonostr"},
		{row: "Sign", ours: "sealwright", peer: "gonostr"}, {row: "Wrap/len=32", ours: "sealwright", peer: "Sign/impl=std"},
		{row: "ECDH", ours: "sealwright", peer: "libsecp256k1"}, {row: "HMAC", ours: "sealwright", peer: "std,openssl"},
	}
	for withC, want := range map[bool]string{
		false: "^BenchmarkSign$/^impl=(portable|gonostr|sealwright|std)$|^BenchmarkWrap$/^len=32$/^impl=(sealwright|gonostr)$|^BenchmarkHMAC$/^impl=(sealwright|std)$",
		true: "^BenchmarkSign$/^impl=(portable|gonostr|sealwright|std)$|^BenchmarkWrap$/^len=32$/^impl=(sealwright|gonostr)$" +
			"|^BenchmarkECDH$/^impl=(sealwright|libsecp256k1)$|^BenchmarkHMAC$/^impl=(sealwright|std|openssl)$",
	} {
		if got := pattern(gates, withC); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
