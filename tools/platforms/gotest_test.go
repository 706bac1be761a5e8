package main

import (
	"math/rand/v2"
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
{"Action":"skip","Package":"m/a","Test":"TestSkipped"}
{"Action":"output","Package":"m/a","Output":"FAIL\tm/a\n"}
{"Action":"fail","Package":"m/a"}
{"Action":"skip","Package":"m/none"}
{"Action":"pass","Package":"m/b","Test":"TestB/sub"}
{"Action":"pass","Package":"m/b","Test":"TestB"}
{"Action":"pass","Package":"m/b"}
{"ImportPath":"m/c","Action":"build-output","Output":"c.go:3: undefined: x\n"}
{"ImportPath":"m/c","Action":"build-fail"}
{"Action":"fail","Package":"m/c","FailedBuild":"m/c"}
`
	var out strings.Builder
	c, err := readTests(strings.NewReader(report), &out)
	if err != nil {
		t.Fatal(err)
	}
	if want := (counts{packages: 1, passed: 2, failed: 1, skipped: 1}); c != want {
		t.Errorf("counts %+v, want %+v", c, want)
	}
	if want := "a_test.go:9: bad talks\nFAIL\tm/a\nc.go:3: undefined: x\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	if _, err := readTests(strings.NewReader("not JSON"), &out); err == nil {
		t.Error("a report that is not JSON was taken")
	}
}

func TestDraw(t *testing.T) {
	if n := len(draw(nil, true)); n != 2*len(targets) {
		t.Errorf("the whole is %d builds, want %d", n, 2*len(targets))
	}
	// Five targets run always, with and without purego; linux, darwin, windows,
	// freebsd, android, ios and wasip1 give one build each.
	drawn := map[string]bool{}
	for seed := range uint64(200) {
		builds := draw(rand.New(rand.NewPCG(seed, 0)), false)
		if len(builds) != 2*5+7 {
			t.Fatalf("seed %d: %d builds, want 17: %v", seed, len(builds), builds)
		}
		for _, b := range builds {
			drawn[b.String()] = true
		}
	}
	if len(drawn) != 2*len(targets) {
		t.Errorf("200 seeds reach %d builds of %d", len(drawn), 2*len(targets))
	}
}
