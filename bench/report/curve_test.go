package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/sealwright/sealwright/protocol/bip340" // when it or the curve changes, no old result counts
)

// counting writes the kernel with a count in each function, and the file by which the
// go command takes it in place of the kernel.
func counting(t *testing.T) (overlay string) {
	t.Helper()
	name, err := filepath.Abs("../../kernels/secp256k1/secp256k1.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	done := 0
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		count := fmt.Sprintf("Calls[%q]++", fn.Name.Name)
		switch fn.Name.Name {
		case "Double":
			count = `Calls["DoubleN"]++`
		case "DoubleN":
			count = `Calls["DoubleN"] += n`
		case "AddMixedVartime", "AddScaledVartime": // to infinity, nothing is added
			count = "if !p.IsInfinity() { " + count + " }"
		case "Lookup":
			count = `Calls[map[int]string{16: "Lookup/n=16", 32: "Lookup/n=32"}[len(table)]]++`
		case "ToAffine": // its steps are no calls of exported functions
			count = `Calls["Invert"]++; Calls["Sqr"]++; Calls["Mul"] += 3`
		}
		open := int(fn.Body.Lbrace - f.FileStart)
		b.WriteString(string(text[done:open+1]) + " " + count + ";")
		done = open + 1
	}
	b.WriteString(string(text[done:]) + "\nvar Calls = make(map[string]int)\n")

	dir := t.TempDir()
	counts := filepath.Join(dir, "secp256k1.go")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {name: counts}})
	if err != nil {
		t.Fatal(err)
	}
	overlay = filepath.Join(dir, "overlay.json")
	for name, text := range map[string]string{counts: b.String(), overlay: string(list)} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return overlay
}

// The steps are those that the code makes, and it makes none that the report does not
// know. What is cheap is left to the rest.
func TestSteps(t *testing.T) {
	cmd := exec.Command("go", "test", "-count=1", "-tags", "counted", "-overlay", counting(t), "-run", "^TestSteps$", "-v", ".")
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cheap := []string{"Add", "ScalarAdd", "ScalarHalf", "ScalarNeg", "ScalarSelect", "NegAffine"}
	got := make(map[string][5]float64)
	found := 0
	for line := range strings.Lines(string(out)) {
		var row, call string
		var n float64
		if k, _ := fmt.Sscanf(line, "calls: %s %s %g", &row, &call, &n); k != 3 || slices.Contains(cheap, call) {
			continue
		}
		i := slices.IndexFunc(curveRows, func(o operation) bool { return o.row == row })
		j := slices.IndexFunc(curveSteps, func(s step) bool { return slices.Contains(s.calls, call) })
		if i < 0 || j < 0 {
			t.Errorf("%s calls %s %g times, of which the report does not know", row, call, n)
			continue
		}
		counts := got[curveSteps[j].name]
		counts[i] += n
		got[curveSteps[j].name] = counts
		found++
	}
	if found == 0 {
		t.Fatalf("no calls in %s", out)
	}
	for _, s := range curveSteps {
		for i, n := range s.counts {
			if math.Abs(got[s.name][i]-n) > 0.05 {
				t.Errorf("%s: %g of %s, not %g", curveRows[i].row, got[s.name][i], s.name, n)
			}
		}
	}
}

// 25,000/50,000 = 0.500, 25,000/160,000 = 0.156, 0.8·50,000 = 40,000, 25,000/40,000 =
// 0.625.
func TestPeersOfCurve(t *testing.T) {
	isText(t, peersOfCurve(read(t, "curve.txt")).text(), `### Beside C, and beside btcec

| operation            | Sealwright, ns | libsecp256k1 0.2.0 of Debian, ns |        of it |    btcec, ns |        of it | newest libsecp256k1, estimated, ns | of the estimate |
| -------------------- | -------------: | -------------------------------: | -----------: | -----------: | -----------: | ---------------------------------: | --------------: |
| ECDH, key unparsed   |         25,000 |                           50,000 |        0.500 |      160,000 |        0.156 |                             40,000 |           0.625 |
| public key           |   not measured |                     not measured | not measured | not measured | not measured |                       not measured |    not measured |
| sign, key pair kept  |          9,000 |                     not measured | not measured | not measured | not measured |                       not measured |    not measured |
| verify, key unparsed |         24,000 |                     not measured | not measured | not measured | not measured |                       not measured |    not measured |

The last two columns are an estimate, not a measurement: that the newest release of libsecp256k1 takes 0.8 of the time of the one measured.
From `+"`curve.txt`"+`.

`)
	if text := peersOfCurve(read(t, "kernels.txt")).text(); !strings.Contains(text, "| libsecp256k1 of Debian, ns |") {
		t.Errorf("without the peers in C:\n%s", text)
	}
}

// Of ECDH, multiplications are 126·3 + 49·8 + 2·7 + 15·4 + 85 = 929, squarings 126·4 +
// 49·3 + 2·5 + 15·2 + 19 = 710; of a public key 41·8 + 7 + 3 = 338 and 41·3 + 5 + 1 = 129; of a
// verification 380.7 + 340 + 180.9 + 28 + 55.2 + 13 = 997.8 and 507.6 + 127.5 + 60.3 +
// 14 + 10 + 254 = 973.4; by a known key 189.6 + 464.8 + 32.4 = 686.8 and 252.8 + 174.3 +
// 1 = 428.1.
func TestCountsOfCurve(t *testing.T) {
	isText(t, countsOfCurve(read(t, "curve.txt")).text(), `### How many steps each has

| step                             | of one, ns | ECDH, key unparsed | public key | sign, key pair kept | verify, key unparsed | verify, known key |
| -------------------------------- | ---------: | -----------------: | ---------: | ------------------: | -------------------: | ----------------: |
| doubling                         |       80.0 |                126 |          0 |                   0 |                126.9 |              63.2 |
| addition, distinct points        |        150 |                 49 |         41 |                  41 |                    0 |                 0 |
| addition, complete               |        160 |                  2 |          1 |                   1 |                    0 |                 0 |
| addition, variable time          |        140 |                  0 |          0 |                   0 |                 42.5 |              58.1 |
| addition, to an isomorphic curve |        155 |                  0 |          0 |                   0 |                 20.1 |                 0 |
| addition, one Z                  |       90.0 |                 15 |          0 |                   0 |                    7 |                 0 |
| look-up among 16                 |       20.0 |                 52 |          0 |                   0 |                    0 |                 0 |
| look-up among 32                 |       30.0 |                  0 |         43 |                  43 |                    0 |                 0 |
| multiplication                   |       14.0 |                 85 |          3 |                   3 |                 55.2 |              32.4 |
| squaring                         |       12.0 |                 19 |          1 |                   1 |                   10 |                 1 |
| square root                      |      3,000 |                  0 |          0 |                   0 |                    1 |                 0 |
| Jacobi symbol                    |      1,500 |                  1 |          0 |                   0 |                    0 |                 0 |
| inversion, constant time         |      1,400 |                  1 |          1 |                   1 |                    0 |                 0 |
| inversion, variable time         |      1,300 |                  0 |          0 |                   0 |                    1 |                 1 |
| multiplication of scalars        |       60.0 |                  5 |          0 |                   1 |                   10 |                10 |
| multiplications in all           |            |                929 |        338 |                 338 |                  998 |               687 |
| squarings in all                 |            |                710 |        129 |                 129 |                  973 |               428 |

Counted on the benchmarks' own calls, with a kernel that counts in place of the kernel, of a verification the mean of the signatures that are timed (`+"`go test -run TestSteps ./report`"+`).
The last two lines count the multiplications and squarings in the formulas of the steps too, but not in inversions and Jacobi symbols, which have none.
From `+"`curve.txt`"+`.

`)
}

// ECDH: 10,080 + 7,350 + 320 + 1,350 + 1,040 + 1,190 + 228 + 1,500 + 1,400 + 300 =
// 24,758. A public key: 6,150 + 160 + 1,290 + 42 + 12 + 1,400 = 9,054; to sign, 60 more. A
// verification: 10,152 + 5,950 + 3,115.5 + 630 + 772.8 + 120 + 3,000 + 1,300 + 600 =
// 25,640.3; by a known key 5,056 + 8,134 + 453.6 + 12 + 1,300 + 600 = 15,555.6.
func TestStepsOfCurve(t *testing.T) {
	isText(t, stepsOfCurve(read(t, "curve.txt")).text(), `### How far each is from the sum of its steps

| step                             | ECDH, key unparsed, ns |   share | public key, ns |        share | sign, key pair kept, ns |   share | verify, key unparsed, ns |   share | verify, known key, ns |        share |
| -------------------------------- | ---------------------: | ------: | -------------: | -----------: | ----------------------: | ------: | -----------------------: | ------: | --------------------: | -----------: |
| doubling                         |                 10,080 |  40.3 % |            0.0 | not measured |                     0.0 |   0.0 % |                   10,152 |  42.3 % |                 5,056 | not measured |
| addition, distinct points        |                  7,350 |  29.4 % |          6,150 | not measured |                   6,150 |  68.3 % |                      0.0 |   0.0 % |                   0.0 | not measured |
| addition, complete               |                    320 |   1.3 % |            160 | not measured |                     160 |   1.8 % |                      0.0 |   0.0 % |                   0.0 | not measured |
| addition, variable time          |                    0.0 |   0.0 % |            0.0 | not measured |                     0.0 |   0.0 % |                    5,950 |  24.8 % |                 8,134 | not measured |
| addition, to an isomorphic curve |                    0.0 |   0.0 % |            0.0 | not measured |                     0.0 |   0.0 % |                    3,116 |  13.0 % |                   0.0 | not measured |
| addition, one Z                  |                  1,350 |   5.4 % |            0.0 | not measured |                     0.0 |   0.0 % |                      630 |   2.6 % |                   0.0 | not measured |
| look-up among 16                 |                  1,040 |   4.2 % |            0.0 | not measured |                     0.0 |   0.0 % |                      0.0 |   0.0 % |                   0.0 | not measured |
| look-up among 32                 |                    0.0 |   0.0 % |          1,290 | not measured |                   1,290 |  14.3 % |                      0.0 |   0.0 % |                   0.0 | not measured |
| multiplication                   |                  1,190 |   4.8 % |           42.0 | not measured |                    42.0 |   0.5 % |                      773 |   3.2 % |                   454 | not measured |
| squaring                         |                    228 |   0.9 % |           12.0 | not measured |                    12.0 |   0.1 % |                      120 |   0.5 % |                  12.0 | not measured |
| square root                      |                    0.0 |   0.0 % |            0.0 | not measured |                     0.0 |   0.0 % |                    3,000 |  12.5 % |                   0.0 | not measured |
| Jacobi symbol                    |                  1,500 |   6.0 % |            0.0 | not measured |                     0.0 |   0.0 % |                      0.0 |   0.0 % |                   0.0 | not measured |
| inversion, constant time         |                  1,400 |   5.6 % |          1,400 | not measured |                   1,400 |  15.6 % |                      0.0 |   0.0 % |                   0.0 | not measured |
| inversion, variable time         |                    0.0 |   0.0 % |            0.0 | not measured |                     0.0 |   0.0 % |                    1,300 |   5.4 % |                 1,300 | not measured |
| multiplication of scalars        |                    300 |   1.2 % |            0.0 | not measured |                    60.0 |   0.7 % |                      600 |   2.5 % |                   600 | not measured |
| sum of the steps                 |                 24,758 |  99.0 % |          9,054 | not measured |                   9,114 | 101.3 % |                   25,640 | 106.8 % |                15,556 | not measured |
| whole                            |                 25,000 | 100.0 % |   not measured | not measured |                   9,000 | 100.0 % |                   24,000 | 100.0 % |          not measured | not measured |
| left: the whole less the sum     |                    242 |   1.0 % |   not measured | not measured |                    -114 |  -1.3 % |                   -1,640 |  -6.8 % |          not measured | not measured |

What is left is sums of field elements and of scalars, digits, reading and writing bytes, hashes (five blocks of SHA-256 and 32 random bytes to sign, two blocks to verify), wiping and calls. The time of a step is that in a chain, where each waits for the one before: what is left is below zero where steps overlap, and has the noise of rows that ran one after another.
From `+"`curve.txt`"+`.

`)
	if n := strings.Count(stepsOfCurve(read(t, "kernels.txt")).lines[15][1], notMeasured); n != 1 {
		t.Error("a sum without the prices of its steps")
	}
}
