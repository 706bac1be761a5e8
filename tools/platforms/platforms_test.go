package main

import (
	"math/rand/v2"
	"testing"
)

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
