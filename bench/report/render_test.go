package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

func read(t *testing.T, names ...string) *input {
	t.Helper()
	for i := range names {
		names[i] = filepath.Join("testdata", names[i])
	}
	in, err := readFiles(names)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func isText(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The medians of gonostr are 200, 240 and 260, so theirs is 240; the 95th
// percentile of three samples is the largest: 300, 400, 500, so 400. Ours are 50,
// 48, 60 and 90, 100, 80: 50 and 90. (50−240)/240 = −79.2 %, (90−400)/400 = −77.5 %.
func TestAuditTable(t *testing.T) {
	in := read(t, "go-1.txt", "go-2.txt", "go-3.txt", "js.txt")
	operations := []operation{{"sign event", "Sign"}, {"import identity", "Import"}, {"unwrap", "Unwrap/len=32"}}
	isText(t, auditTable(in, operations, "gonostr").text(), `### Beside gonostr

| operation       | gonostr median |         ours |        delta |  gonostr p95 |         ours |        delta | gonostr allocs |         ours |
| --------------- | -------------: | -----------: | -----------: | -----------: | -----------: | -----------: | -------------: | -----------: |
| sign event      |            240 |         50.0 |      -79.2 % |          400 |         90.0 |      -77.5 % |             45 |            0 |
| import identity |   not measured |       20,000 | not measured | not measured |       20,000 | not measured |   not measured |           14 |
| unwrap          |   not measured | not measured | not measured | not measured | not measured | not measured |   not measured | not measured |

With fewer than 20 samples in a file, p95 is the largest of them: sign event, import identity.
From `+"`go-1.txt`, `go-2.txt`, `go-3.txt`"+`.

`)
	// Of nostr-tools the median is 225, the largest 230: (50−225)/225 = −77.8 %,
	// (90−230)/230 = −60.9 %.
	isText(t, auditTable(in, operations[:1], "").text(), `### Beside the fastest peer of each row

| operation  | peer        | its median | ours |   delta | its p95 | ours |   delta |   its allocs | ours |
| ---------- | ----------- | ---------: | ---: | ------: | ------: | ---: | ------: | -----------: | ---: |
| sign event | nostr-tools |        225 | 50.0 | -77.8 % |     230 | 90.0 | -60.9 % | not measured |    0 |

Of fewer than 6 samples, so only a first look: sign event.
With fewer than 20 samples in a file, p95 is the largest of them: sign event.
Measured in processes of their own, at another time than Sealwright: nostr-tools.
From `+"`go-1.txt`, `go-2.txt`, `go-3.txt`, `js.txt`"+`.

`)
}

// 50 of 240 are 0.208, 50 of 225 are 0.222. Of a batch the time is that of an event,
// 40,000 of 400,000, and so are the allocations, of 144,110 and 20,634.
func TestShortTable(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{"go-1.txt", "go-2.txt", "go-3.txt", "js.txt"}, "| sign event | 240 | 225 nostr-tools | 50.0 | 0.208 | 0.222 | 45 → 0 |"},
		{[]string{"batches.txt"}, "| unwrap 1,000 wraps, each | 400,000 | 400,000 gonostr | 40,000 | 0.100 | 0.100 | 144 → 21 |"},
	} {
		text := shortTable(read(t, c.files...)).text()
		if !strings.Contains(strings.Join(strings.Fields(text), " "), c.want) {
			t.Errorf("no %q in\n%s", c.want, text)
		}
	}
}

// README shows what the committed files have: its table, how many files and samples
// they are, and the labels of its plot, which do not depend on how a machine rounds
// coordinates.
func TestReadme(t *testing.T) {
	names, err := filepath.Glob("results/raw/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	in, err := readFiles(names)
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	short := shortTable(in)
	short.title = ""
	table, _, _ := strings.Cut(short.text(), "\n\n")
	if !strings.Contains(string(readme), table) {
		t.Errorf("README.md lacks the table of the report:\n%s", table)
	}
	report, err := os.ReadFile("results/report.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(report), table) {
		t.Error("report.md is not of the committed files")
	}

	numbers := map[int]string{3: "three", 10: "ten", 30: "thirty"}
	samples, invocations := make(map[string]int), make(map[string]int)
	for _, f := range in.files {
		kind, _, _ := strings.Cut(filepath.Base(f.name), "-")
		invocations[kind]++
		for _, values := range f.values {
			samples[kind] = max(samples[kind], len(values[seconds]))
		}
	}
	if samples["js"] != samples["jvm"] || invocations["go"] != invocations["js"] || invocations["go"] != invocations["jvm"] || in.gaps() != nil {
		t.Errorf("samples %v, invocations %v, gaps %q", samples, invocations, in.gaps())
	}
	sentence := fmt.Sprintf("Medians of %s invocations of %s samples", numbers[invocations["go"]], numbers[samples["go"]])
	if samples["js"] != samples["go"] {
		sentence += fmt.Sprintf(" (%s for JavaScript and Java)", numbers[samples["js"]])
	}
	if !strings.Contains(strings.Join(strings.Fields(string(readme)), " "), sentence) {
		t.Errorf("README.md lacks %q", sentence)
	}

	labels := func(name string) (texts []string) {
		svg, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`>([^<>]+)</text>`).FindAllStringSubmatch(string(svg), -1) {
			texts = append(texts, m[1])
		}
		return texts
	}
	dir := t.TempDir()
	if _, err := writePlots(in, dir); err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`\]\(bench/report/results/([a-z0-9-]+\.svg)\)`).FindAllStringSubmatch(string(readme), -1)
	if shown == nil {
		t.Error("README.md shows no plot")
	}
	for _, m := range shown {
		got, want := labels(filepath.Join("results", m[1])), labels(filepath.Join(dir, m[1]))
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s says %q, the files %q", m[1], got, want)
		}
	}
}

// 30,000 + 800 + 800 + 2·400 = 32,400 of 40,000.
func TestLayerTable(t *testing.T) {
	isText(t, layerTable(read(t, "kernels.txt"), layered[0]).text(), `### Encrypt, with the key derived

| layer                          | 32 bytes, ns |   share | 1,024 bytes, ns |        share | 64,000 bytes, ns |        share |
| ------------------------------ | -----------: | ------: | --------------: | -----------: | ---------------: | -----------: |
| curve                          |       30,000 |  75.0 % |    not measured | not measured |     not measured | not measured |
| key expansion                  |          800 |   2.0 % |    not measured | not measured |     not measured | not measured |
| ChaCha20 and MAC               |          800 |   2.0 % |    not measured | not measured |     not measured | not measured |
| base64                         |          400 |   1.0 % |    not measured | not measured |     not measured | not measured |
| allocation                     |          400 |   1.0 % |    not measured | not measured |     not measured | not measured |
| sum of the layers              |       32,400 |  81.0 % |    not measured | not measured |     not measured | not measured |
| whole                          |       40,000 | 100.0 % |    not measured | not measured |     not measured | not measured |
| facade: the whole less the sum |        7,600 |  19.0 % |    not measured | not measured |     not measured | not measured |

From `+"`kernels.txt`"+`.

`)
}

// 500 + 100 + 310 + 20 = 930, 1,000 − 930 = 70, 1,200 − 1,000 − 10 − 60 = 130.
func TestCachedTable(t *testing.T) {
	isText(t, cachedTable(read(t, "cached.txt"), "Encrypt").text(), `### Encrypt, with the key at hand

| layer                                             | 32 bytes, ns |   share | 1,024 bytes, ns |        share | 64,000 bytes, ns |        share |
| ------------------------------------------------- | -----------: | ------: | --------------: | -----------: | ---------------: | -----------: |
| key expansion                                     |          500 |  41.7 % |    not measured | not measured |     not measured | not measured |
| random nonce                                      |          100 |   8.3 % |    not measured | not measured |     not measured | not measured |
| ChaCha20 and MAC                                  |          310 |  25.8 % |    not measured | not measured |     not measured | not measured |
| base64                                            |         20.0 |   1.7 % |    not measured | not measured |     not measured | not measured |
| sum of the parts                                  |          930 |  77.5 % |    not measured | not measured |     not measured | not measured |
| bytes into a kept buffer                          |        1,000 |  83.3 % |    not measured | not measured |     not measured | not measured |
| left: that less the sum                           |         70.0 |   5.8 % |    not measured | not measured |     not measured | not measured |
| check of UTF-8                                    |         10.0 |   0.8 % |    not measured | not measured |     not measured | not measured |
| allocation                                        |         60.0 |   5.0 % |    not measured | not measured |     not measured | not measured |
| whole, on strings                                 |        1,200 | 100.0 % |    not measured | not measured |     not measured | not measured |
| left: the whole less buffer, check and allocation |          130 |  10.8 % |    not measured | not measured |     not measured | not measured |
| go-nostr                                          |        3,000 | 250.0 % |    not measured | not measured |     not measured | not measured |

From `+"`cached.txt`"+`.

`)
	// Decrypt has no nonce of its own.
	if n := len(cachedTable(read(t, "cached.txt"), "Decrypt").lines); n != 12 {
		t.Errorf("%d lines", n)
	}
}

// Four samples that all lie below four others have p = 2/(8 over 4) = 0.029;
// (102−405)/405 = −74.81 %, (102−400)/400 = −74.50 %. std's 385, 395, 405, 415 are
// below portable's in 10 of 16 pairs; so far from 8 are 48 of 70 orders: p = 0.686.
func TestTierTables(t *testing.T) {
	tables := tierTables(read(t, "kernels.txt"), isKernel)
	protocol := tierTables(read(t, "kernels.txt"), isProtocol)
	if len(protocol) != 2 || len(protocol[1].lines) != 3 || protocol[1].lines[1][0] != "UnwrapAll/n=10, 2 processors" || protocol[1].lines[1][2] != "25.00µs" {
		t.Errorf("the protocol's rows: %+v", protocol)
	}
	if len(tables) != 1 {
		t.Fatalf("%d tables", len(tables))
	}
	isText(t, strings.Join(strings.Split(tables[0].text(), "\n")[:9], "\n"), `### SHA256

| row             | implementation    |  median | interval |     speed |       beside portable | beside the fastest peer |
| --------------- | ----------------- | ------: | -------: | --------: | --------------------: | ----------------------: |
| SHA256/len=64   | portable          | 405.0ns |        ∞ | 160.0MB/s |                       |         ~ (p=0.686 n=4) |
| SHA256/len=64   | shani             | 102.0ns |        ∞ | 640.0MB/s | -74.81% (p=0.029 n=4) |   -74.50% (p=0.029 n=4) |
| SHA256/len=64   | std, fastest peer | 400.0ns |        ∞ | 160.0MB/s |       ~ (p=0.686 n=4) |                         |
| SHA256/len=1024 | shani             | 512.0ns |        ∞ | 2.000GB/s |          not measured |            not measured |
`)
}

// Of three and three samples, three below all others have p = 2/20; 220, 225 and 230
// are below 100, 200 and 300 in 3 of 9 pairs, as are 14 of 20 orders or further: p =
// 0.7. There is no portable, so no column beside it, and no speed.
func TestProtocolTables(t *testing.T) {
	tables := tierTables(read(t, "go-1.txt", "js.txt"), isProtocol)
	if len(tables) != 2 || tables[0].title != "Sign" {
		t.Fatalf("%d tables", len(tables))
	}
	text := strings.Join(strings.Fields(tables[0].text()), " ")
	for _, want := range []string{
		"| row | implementation | median | interval | allocations | beside the fastest peer |",
		"| Sign | sealwright | 50.00ns | ∞ | 0 | ~ (p=0.100 n=3) |",
		"| Sign | gonostr, fastest peer | 200.0ns | ∞ | 45 | |",
		"| Sign | nostr-tools | 225.0ns | ∞ | | ~ (p=0.700 n=3) |",
		"at another time than Sealwright: nostr-tools.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// The second file lost its last three lines, the third the end of one.
func TestGaps(t *testing.T) {
	sample := "BenchmarkSign/impl=sealwright 1 1 ns/op\nBenchmarkSign/impl=gonostr 1 1 ns/op\n"
	in := newInput()
	for i, text := range []string{sample + sample + sample, sample + sample[:strings.Index(sample, "\n")+1]} {
		if err := in.read([]string{"raw/1.txt", "raw/2.txt"}[i], strings.NewReader("command: c\n"+text)); err != nil {
			t.Fatal(err)
		}
	}
	// Another command takes as many samples as it likes.
	if err := in.read("js.txt", strings.NewReader("command: d\nBenchmarkSign/impl=a 1 1 ns/op\n")); err != nil {
		t.Fatal(err)
	}
	want := []string{"2.txt lacks results: 2 of 3 samples of Sign by sealwright, and fewer than 3 of 1 more"}
	if got := in.gaps(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if text := document(in, nil, "it"); !strings.Contains(text, "**"+want[0]+".**") {
		t.Errorf("the report does not say it:\n%s", text)
	}
	if err := in.read("3.txt", strings.NewReader("BenchmarkSign/impl=a 1 12")); err == nil || !strings.Contains(err.Error(), "3.txt: cut off") {
		t.Errorf("%v, want that it is cut off", err)
	}
}

func TestAllocationTable(t *testing.T) {
	text := allocationTable(read(t, "go-1.txt", "js.txt")).text()
	for _, want := range []string{
		"| row    | sealwright |      gonostr |",
		"| Sign   |    0, 64 B |     45, 64 B |",
		"| Import |   14, 64 B | not measured |",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A peer is what no file lists among the tiers.
func TestFastestPeer(t *testing.T) {
	if peer := read(t, "kernels.txt").fastestPeer("SHA256/len=64", 1); peer != "std" {
		t.Errorf("%q, not std", peer)
	}
	if peer := read(t, "kernels.txt").fastestPeer("SHA256/len=1024", 1); peer != "" {
		t.Errorf("%q, not none", peer)
	}
}

// 50,000 ns are 20,000 a second.
func TestLines(t *testing.T) {
	lines := read(t, "kernels.txt").lines("UnwrapAll/n=", "", func(_, sec float64) float64 { return math.Round(1 / sec) })
	if len(lines) != 2 || lines[0].name != "sealwright" || lines[1].name != "sealwright, 2 processors" {
		t.Fatalf("%+v", lines)
	}
	if !slices.Equal(lines[0].points, plotter.XYs{{X: 10, Y: 20000}, {X: 1000, Y: 25000}}) || !slices.Equal(lines[1].points, plotter.XYs{{X: 10, Y: 40000}}) {
		t.Errorf("%+v", lines)
	}
}

func TestRender(t *testing.T) {
	dir := t.TempDir()
	var stdout strings.Builder
	err := renderCommand([]string{"-out", dir, "testdata/go-1.txt", "testdata/kernels.txt"}, &stdout, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if want := "report.md: 2 files, 12 rows, 3 plots\n"; !strings.HasSuffix(stdout.String(), want) {
		t.Errorf("%q, want %q", stdout.String(), want)
	}
	text, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Machine: AMD EPYC, linux/amd64, 2 processors; features: avx2 sha;",
		"| go-1.txt    | 1234567890ab | 2026-12-02T10:01:00Z |    2 |                3 |",
		"ChaCha20: throughput against length: not measured.",
		"![SHA-256: throughput against length](throughput-sha256.svg)",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	plots, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	if err != nil || len(plots) != 3 {
		t.Errorf("plots %v (%v), want audit, throughput-sha256 and batch-unwrapall", plots, err)
	}
	for _, name := range plots {
		svg, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(strings.NewReader(string(svg)))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"cpu: A\nBenchmarkSign/impl=a 1 1 ns/op\n", "cpu: B\nBenchmarkSign/impl=a 1 1 ns/op\n", `2.txt: cpu is "B", elsewhere "A"`},
		{"model: A\nBenchmarkSign/impl=a 1 1 ns/op\n", "model: B\nBenchmarkSign/impl=a 1 1 ns/op\n", `2.txt: model is "B", elsewhere "A"`},
		{"features: a\nBenchmarkSign/impl=a 1 1 ns/op\n", "features: b\nBenchmarkSign/impl=a 1 1 ns/op\n", `2.txt: features is "b", elsewhere "a"`},
		{"BenchmarkSign/impl=a 1 1 ns/op\n", "", "2.txt: no results"},
		{"BenchmarkSign/impl=a 1 1 ns/op\n", "\nBenchmarkSign 1 1 ns/op\n", "2.txt:2: Sign names no implementation"},
		{"BenchmarkSign/impl=a 1 1 ns/op\n", "BenchmarkSign/impl=a 1 x ns/op\n", "2.txt:1: parsing measurement"},
		{"BenchmarkSign/impl=a 1 1 ns/op\n", "BenchmarkSign/impl=a 1 NaN ns/op\n", "2.txt:1: Sign/impl=a: NaN sec/op"},
		{"BenchmarkSign/impl=a 1 1 ns/op\n", "BenchmarkSign/impl=a 1 -1 B/op\n", "2.txt:1: Sign/impl=a: -1 B/op"},
		{"BenchmarkSign/impl=a 1 1 ns/op\n", "BenchmarkSign/impl=a 1 +Inf ns/op\n", "2.txt:1: Sign/impl=a: +Inf ns/op"},
	} {
		dir := t.TempDir()
		names := []string{filepath.Join(dir, "1.txt"), filepath.Join(dir, "2.txt")}
		for i, text := range []string{c.first, c.second} {
			if err := os.WriteFile(names[i], []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := readFiles(names); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := readFiles([]string{"testdata/go-1.txt", "testdata/../testdata/go-1.txt"}); err == nil || !strings.Contains(err.Error(), "given twice") {
		t.Errorf("twice: %v", err)
	}
	same, err := filepath.Abs("testdata/go-1.txt")
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link.txt")
	if err := os.Symlink(same, link); err != nil {
		t.Skip(err) // not every file system has them
	}
	if _, err := readFiles([]string{same, link}); err == nil || !strings.Contains(err.Error(), "given twice") {
		t.Errorf("twice, by a link: %v", err)
	}
	if _, err := readFiles([]string{"testdata/absent.txt"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent file: %v", err)
	}
}

func TestDifferences(t *testing.T) {
	in := newInput()
	for i, text := range []string{"commit: a\n", "commit: b\n"} {
		if err := in.read([]string{"1", "2"}[i], strings.NewReader(text+"go: go1.26.8\nBenchmarkSign/impl=a 1 1 ns/op\n")); err != nil {
			t.Fatal(err)
		}
	}
	if got := in.differences(); !slices.Equal(got, []string{"commit: a; b"}) {
		t.Errorf("%q", got)
	}
}

// Six samples of 100 ns and six of 101 that are mixed with them are not told apart,
// six of 200 are.
func TestAlike(t *testing.T) {
	in := newInput()
	text := "go: go1.26.8\nzig: v9\n"
	for i := range 6 {
		text += fmt.Sprintf("BenchmarkSign/impl=sealwright 1 %d ns/op\nBenchmarkSign/impl=zig 1 %d ns/op\n", 100+i%2, 101-i%2)
		text += fmt.Sprintf("BenchmarkVerify/impl=sealwright 1 %d ns/op\nBenchmarkVerify/impl=zig 1 %d ns/op\n", 100+i, 200+i)
	}
	if err := in.read("1", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	got := auditTable(in, []operation{{"sign", "Sign"}, {"verify", "Verify"}}, "zig").text()
	if !strings.Contains(got, "alpha 0.05: sign.\n") {
		t.Errorf("sign is not told to be alike, or verify is:\n%s", got)
	}
	if got := peersTable(in).text(); !strings.Contains(got, "| zig  | v9      | go1.26.8 |") {
		t.Errorf("no version of zig in\n%s", got)
	}
}

func TestFormats(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{nanoseconds(1.25e-8, true), "12.5"},
		{nanoseconds(9.99e-7, true), "999"},
		{nanoseconds(1.2345678e-3, true), "1,234,568"},
		{nanoseconds(-8.75e-6, true), "-8,750"},
		{nanoseconds(0, false), "not measured"},
		{thousands(1000), "1,000"},
		{thousands(-8750), "-8,750"},
		{thousands(-875), "-875"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
