package gotest

import (
	"slices"
	"strings"
	"testing"
)

// The lines are those of `go test -json` (go doc test2json) on packages with a
// failing subtest, a skipped test and a file that does not compile.
func TestReadTests(t *testing.T) {
	const report = `{"Action":"start","Package":"m/a"}
{"Action":"output","Package":"m/a","Test":"TestGood","Output":"good talks\n"}
{"Action":"pass","Package":"m/a","Test":"TestGood"}
{"Action":"output","Package":"m/a","Test":"TestBad/sub","Output":"a_test.go:9: bad talks\n"}
{"Action":"fail","Package":"m/a","Test":"TestBad/sub"}
{"Action":"fail","Package":"m/a","Test":"TestBad"}
{"Action":"output","Package":"m/a","Test":"TestSkipped","Output":"no tomatoes\n"}
{"Action":"skip","Package":"m/a","Test":"TestSkipped"}
{"Action":"output","Package":"m/a","Output":"FAIL\tm/a\n"}
{"Action":"fail","Package":"m/a"}
{"Action":"skip","Package":"m/none"}
{"Action":"pass","Package":"m/b","Test":"TestB/sub"}
{"Action":"pass","Package":"m/b","Test":"TestB"}
{"Action":"output","Package":"m/b","Output":"PASS\n"}
{"Action":"output","Package":"m/b","Output":"ok  \tm/b\t0.1s\n"}
{"Action":"pass","Package":"m/b"}
{"ImportPath":"m/c","Action":"build-output","Output":"c.go:3: undefined: x\n"}
{"ImportPath":"m/c","Action":"build-fail"}
{"Action":"fail","Package":"m/c","FailedBuild":"m/c"}
`
	var out, skipped, packages []string
	log := Log{
		Package: func(line string) { packages = append(packages, line) },
		Skipped: func(pkg, test, output string) { skipped = append(skipped, pkg, test, output) },
		Failed:  func(output string) { out = append(out, output) },
	}
	c, err := read(strings.NewReader(report), log)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Counts{Packages: 1, Passed: 2, Failed: 1, Skipped: 1}); c != want {
		t.Errorf("counts %+v, want %+v", c, want)
	}
	for _, list := range []struct {
		name      string
		got, want []string
	}{
		{"failed", out, []string{"a_test.go:9: bad talks\n", "FAIL\tm/a\n", "c.go:3: undefined: x\n"}},
		{"skipped", skipped, []string{"m/a", "TestSkipped", "no tomatoes\n"}},
		{"packages", packages, []string{"ok  \tm/b\t0.1s"}},
	} {
		if !slices.Equal(list.got, list.want) {
			t.Errorf("%s: %q, want %q", list.name, list.got, list.want)
		}
	}
	if _, err := read(strings.NewReader("not JSON"), log); err == nil {
		t.Error("a report that is not JSON was taken")
	}
}
