// Seeds packs the seeds of every fuzz target of this module for OSS-Fuzz: one
// archive NAME_seed_corpus.zip for each, in which every file is one input as it
// is, without the header of Go's own corpus files.
//
//	go run ./seeds FOLDER
//
// The seeds are those that the targets add in code and those in testdata/fuzz,
// where inputs that once failed stay. NAME is what run -list prints.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sealwright/sealwright/fuzz/internal/fuzzkit"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./seeds FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "seeds:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	list, err := command("go", "run", "./run", "-list", "-run", "^fuzz_")
	if err != nil {
		return err
	}
	written, err := os.MkdirTemp("", "seeds")
	if err != nil {
		return err
	}
	defer os.RemoveAll(written)

	archives, inputs := 0, 0
	ran := map[string]bool{}
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		if len(fields) != 4 {
			return fmt.Errorf("run -list printed %q", line)
		}
		pkg, function, name := fields[1], fields[2], fields[3]
		below := filepath.Join(written, filepath.FromSlash(pkg))
		if !ran[pkg] {
			ran[pkg] = true
			if _, err := command("env", fuzzkit.SeedFolder+"="+below, "go", "test", "-count=1", "-vet=off", "-run", "^Fuzz", pkg); err != nil {
				return err
			}
		}
		seeds, err := readFiles(filepath.Join(below, function), func(b []byte) ([]byte, error) { return b, nil })
		if err != nil {
			return err
		}
		folder, err := command("go", "list", "-f", "{{.Dir}}", pkg)
		if err != nil {
			return err
		}
		found, err := readFiles(filepath.Join(strings.TrimSpace(folder), "testdata", "fuzz", function), decode)
		if err != nil {
			return err
		}
		seeds = append(seeds, found...)
		if len(seeds) == 0 {
			continue // a target that takes other arguments than bytes
		}
		n, err := pack(filepath.Join(out, name+"_seed_corpus.zip"), seeds)
		if err != nil {
			return err
		}
		archives++
		inputs += n
	}
	fmt.Printf("seeds: %d inputs in %d archives in %s\n", inputs, archives, out)
	return nil
}

// readFiles returns what convert makes of every file of a folder, which need
// not exist.
func readFiles(folder string, convert func([]byte) ([]byte, error)) (all [][]byte, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		if b, err = convert(b); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		all = append(all, b)
	}
	return all, nil
}

// decode reads a corpus file of Go's with one argument, []byte("…").
func decode(file []byte) ([]byte, error) {
	lines := strings.Split(strings.TrimSpace(string(file)), "\n")
	if len(lines) != 2 || lines[0] != "go test fuzz v1" {
		return nil, errors.New("not a corpus file of one argument")
	}
	inner, isBytes := strings.CutPrefix(lines[1], "[]byte(")
	quoted, closed := strings.CutSuffix(inner, ")")
	if !isBytes || !closed {
		return nil, errors.New("the argument is not bytes")
	}
	s, err := strconv.Unquote(quoted)
	return []byte(s), err
}

// pack writes the inputs, each once, in an order and under names that depend on
// nothing but them.
func pack(path string, seeds [][]byte) (n int, err error) {
	slices.SortFunc(seeds, bytes.Compare)
	seeds = slices.CompactFunc(seeds, bytes.Equal)
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for _, seed := range seeds {
		sum := sha256.Sum256(seed)
		f, err := w.Create(fmt.Sprintf("%x", sum[:20]))
		if err != nil {
			return 0, err
		}
		if _, err := f.Write(seed); err != nil {
			return 0, err
		}
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	return len(seeds), os.WriteFile(path, archive.Bytes(), 0o644)
}

func command(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, &stdout, &stderr)
	}
	return stdout.String(), nil
}
