package fuzzkit

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// SeedFolder names the environment variable under which the seeds of every
// target are also written as files, FOLDER/TARGET/HASH, for other fuzzers.
const SeedFolder = "SEALWRIGHT_SEED_FOLDER"

// T is the part of testing.T and testing.F that comparisons need. OSS-Fuzz puts
// types of its own in their place, which are no testing.TB.
type T interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// F is the part of testing.F that seeds need.
type F interface {
	T
	Add(args ...any)
	Name() string
}

// Seed adds one input to a target: the parts behind each other.
func Seed(f F, parts ...[]byte) {
	data := bytes.Join(parts, nil)
	f.Add(data)
	folder := os.Getenv(SeedFolder)
	if folder == "" {
		return
	}
	folder = filepath.Join(folder, f.Name())
	if err := os.MkdirAll(folder, 0o755); err != nil {
		f.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%x", sum[:10])), data, 0o644); err != nil {
		f.Fatal(err)
	}
}

// SeedEdges adds every pair of the edges of [Input.Limbs], each followed by
// tail.
func SeedEdges(f F, tail ...byte) {
	for i := range byte(len(edges)) {
		for j := range byte(len(edges)) {
			Seed(f, []byte{i, j}, tail)
			Seed(f, []byte{i | 1<<4, j | 2<<4}, tail)
		}
	}
}

// SeedFactors adds pairs of p or n less powers of two whose product is 2⁶⁴: the
// product of such integers is near 2⁶⁴ modulo p or n, and as large as it can
// be before it is reduced, which is where the very last carry happens.
func SeedFactors(f F, tail ...byte) {
	const p, n, less, power = 2, 3, 3 << 4, 3 << 6
	for k := range byte(64) {
		for _, edge := range []byte{p, n} {
			Seed(f, []byte{less | edge, power | k, less | edge, power | (64-k)&63}, tail)
		}
	}
}
