package main

import (
	"math/rand/v2"
	"slices"
)

// target is a platform that the library is made for.
type target struct {
	os, arch string
	group    string // the default run draws one target of each group; "" always runs
	// Without cgo the go command refuses to vet the target, as its programs and test
	// binaries want the linker of a C toolchain. With it, packages are compiled and vetted,
	// their tests too, and no C compiler is asked for.
	cgo   bool
	links bool // the tool links here without a C toolchain for the target
}

func (t target) String() string { return t.os + "/" + t.arch }

// targets are the platforms of the library (case 49). Those without a group are the ones
// whose tests run, so that their standard library is compiled in any case.
var targets = []target{
	{os: "linux", arch: "amd64", links: true},
	{os: "linux", arch: "386"},
	{os: "linux", arch: "arm64", links: true},
	{os: "linux", arch: "s390x"},
	{os: "js", arch: "wasm"},
	{os: "linux", arch: "arm", group: "linux"},
	{os: "linux", arch: "riscv64", group: "linux"},
	{os: "linux", arch: "ppc64le", group: "linux"},
	{os: "darwin", arch: "amd64", group: "darwin", links: true},
	{os: "darwin", arch: "arm64", group: "darwin", links: true},
	{os: "windows", arch: "386", group: "windows"},
	{os: "windows", arch: "amd64", group: "windows", links: true},
	{os: "windows", arch: "arm64", group: "windows", links: true},
	{os: "freebsd", arch: "386", group: "freebsd"},
	{os: "freebsd", arch: "amd64", group: "freebsd", links: true},
	{os: "freebsd", arch: "arm64", group: "freebsd", links: true},
	{os: "android", arch: "386", group: "android", cgo: true},
	{os: "android", arch: "amd64", group: "android", cgo: true},
	{os: "android", arch: "arm", group: "android", cgo: true},
	{os: "android", arch: "arm64", group: "android", links: true},
	{os: "ios", arch: "amd64", group: "ios", cgo: true},
	{os: "ios", arch: "arm64", group: "ios", cgo: true},
	{os: "wasip1", arch: "wasm", group: "wasip1"},
}

// build is a target with or without the build tag purego.
type build struct {
	target
	purego bool
}

func (b build) String() string {
	if b.purego {
		return b.target.String() + " purego"
	}
	return b.target.String()
}

// draw returns the builds of one run: all of them when whole is set, and
// otherwise both of every target without a group and one of every group.
func draw(r *rand.Rand, whole bool) []build {
	groups := map[string][]build{}
	var order []string
	var chosen []build
	for _, t := range targets {
		both := []build{{t, false}, {t, true}}
		if whole || t.group == "" {
			chosen = append(chosen, both...)
			continue
		}
		if !slices.Contains(order, t.group) {
			order = append(order, t.group)
		}
		groups[t.group] = append(groups[t.group], both...)
	}
	for _, name := range order {
		group := groups[name]
		chosen = append(chosen, group[r.IntN(len(group))])
	}
	return chosen
}
