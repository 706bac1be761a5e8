package main

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDraw(t *testing.T) {
	// Six targets each on amd64 and on arm64 have a build with purego, eleven have none.
	const all = 2*12 + 11
	if n := len(draw(nil, true)); n != all {
		t.Errorf("the whole is %d builds, want %d", n, all)
	}
	// What is built in every run. linux, unix, windows, android and wasip1 give one build
	// each besides.
	always := []string{
		"linux/amd64", "linux/amd64 purego", "linux/386", "linux/arm64", "linux/arm64 purego", "linux/arm", "linux/s390x", "js/wasm",
		"darwin/arm64", "ios/arm64", "freebsd/arm64", "windows/arm64", "android/arm64",
	}
	drawn := map[string]bool{}
	for seed := range uint64(200) {
		var names []string
		for _, b := range draw(rand.New(rand.NewPCG(seed, 0)), false) {
			names = append(names, b.String())
			drawn[b.String()] = true
		}
		if len(names) != len(always)+5 || !slices.Equal(names[:len(always)], always) {
			t.Fatalf("seed %d: %v, want %v and five more", seed, names, always)
		}
	}
	if len(drawn) != all {
		t.Errorf("200 seeds reach %d builds of %d", len(drawn), all)
	}
}

// What the tag purego is said to do is held to what go list says.
func TestPurego(t *testing.T) {
	find := func(name string) build {
		for _, b := range builds() {
			if b.String() == name {
				return b
			}
		}
		t.Fatalf("no build %s", name)
		return build{}
	}
	for _, c := range []struct {
		build         string
		with, without string // what go list prints with the tag and without
		want          string
	}{
		{"linux/386", "p [a.go]", "p [a.go]", ""},
		{"linux/386", "p [a.go b.go]", "p [a.go]", "purego changes the files of linux/386"},
		{"ios/arm64", "p [a.go b.go]", "p [a.go]", ""},
		{"ios/arm64 purego", "", "p", ""},
		{"ios/arm64 purego", "p", "p", "purego keeps the assembly of p"},
	} {
		err := purego(find(c.build), func(tags, format string) (string, error) {
			if tags == "-tags=purego" {
				return c.with, nil
			}
			return c.without, nil
		})
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.build, err, c.want)
		}
	}
	failed := errors.New("go list")
	for _, name := range []string{"linux/386", "ios/arm64 purego"} {
		if err := purego(find(name), func(tags, format string) (string, error) {
			if tags == "-tags=purego" {
				return "", failed
			}
			return "", nil
		}); err != failed {
			t.Errorf("%s: error %v, want that of go list", name, err)
		}
	}
}

// The last line tells the seconds of each kind of steps, in one order.
func TestSeconds(t *testing.T) {
	took := tally{took: map[kind]time.Duration{link: 2 * time.Second, tests: 1300 * time.Millisecond, newest: time.Minute}}
	if got, want := took.seconds(), "test 1, link 2, newest dependencies 60"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
