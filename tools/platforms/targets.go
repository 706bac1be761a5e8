package main

import (
	"math/rand/v2"
	"slices"
)

// target is a platform that the library is made for.
type target struct {
	os, arch string
	group    string // the default run draws one build of each group; "" is built always
	always   bool   // so is the build without purego of this target
	// Without cgo the go command refuses to vet the target, as its programs and test
	// binaries want the linker of a C toolchain. With it, packages are compiled and vetted,
	// their tests too, and no C compiler is asked for. What cannot be had without one: the
	// packages called main, which need runtime/cgo even to be vetted, and a test binary.
	cgo   bool
	links bool // the tool links here without a C toolchain for the target
}

// assembly reports whether the kernels have assembly for the target. Where they have none,
// the build tag purego makes no other build.
func (t target) assembly() bool { return t.arch == "amd64" || t.arch == "arm64" }

func (t target) String() string { return t.os + "/" + t.arch }

// targets are the platforms of the library. Those without a group are the ones
// whose tests run, so that their standard library is compiled in any case. Assembly for
// arm64 runs in tests on Linux alone, and is built for every system that has it.
var targets = []target{
	{os: "linux", arch: "amd64", links: true},
	{os: "linux", arch: "386"},
	{os: "linux", arch: "arm64", links: true},
	{os: "linux", arch: "arm"},
	{os: "linux", arch: "s390x"},
	{os: "js", arch: "wasm"},
	{os: "linux", arch: "riscv64", group: "linux"},
	{os: "linux", arch: "ppc64le", group: "linux"},
	{os: "darwin", arch: "amd64", group: "unix", links: true},
	{os: "darwin", arch: "arm64", group: "unix", always: true, links: true},
	{os: "ios", arch: "amd64", group: "unix", cgo: true},
	{os: "ios", arch: "arm64", group: "unix", always: true, cgo: true},
	{os: "freebsd", arch: "386", group: "unix"},
	{os: "freebsd", arch: "amd64", group: "unix", links: true},
	{os: "freebsd", arch: "arm64", group: "unix", always: true, links: true},
	{os: "windows", arch: "386", group: "windows"},
	{os: "windows", arch: "amd64", group: "windows", links: true},
	{os: "windows", arch: "arm64", group: "windows", always: true, links: true},
	{os: "android", arch: "386", group: "android", cgo: true},
	{os: "android", arch: "amd64", group: "android", cgo: true},
	{os: "android", arch: "arm", group: "android", cgo: true},
	{os: "android", arch: "arm64", group: "android", always: true, links: true},
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

// draw returns the builds of one run: all of them when whole is set, and otherwise those
// that always run and one of every group.
func draw(r *rand.Rand, whole bool) []build {
	groups := map[string][]build{}
	var order []string
	var chosen []build
	for _, b := range builds() {
		if whole || b.group == "" || b.always && !b.purego {
			chosen = append(chosen, b)
			continue
		}
		if !slices.Contains(order, b.group) {
			order = append(order, b.group)
		}
		groups[b.group] = append(groups[b.group], b)
	}
	for _, name := range order {
		group := groups[name]
		chosen = append(chosen, group[r.IntN(len(group))])
	}
	return chosen
}

// builds returns every build of every target.
func builds() (all []build) {
	for _, t := range targets {
		all = append(all, build{t, false})
		if t.assembly() {
			all = append(all, build{t, true})
		}
	}
	return all
}
