package testkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVectorsPresent prints, in one line, how much of the published vectors
// the other tests can see.
func TestVectorsPresent(t *testing.T) {
	required := Required("vectors") // asked in any case, so that a wrong word is told
	files, cases, absent := 0, 0, 0
	for _, f := range Files {
		if _, err := os.Stat(filepath.Join(Dir(), filepath.FromSlash(f.Name))); err != nil {
			absent += f.Cases
			continue
		}
		files++
		cases += f.Cases
	}
	t.Logf("vectors: %d of %d files, %d cases present, %d cases not run", files, len(Files), cases, absent)
	if absent > 0 {
		if required {
			t.Fatal("SEALWRIGHT_REQUIRE=vectors, and files are absent from " + Dir())
		}
		t.Skip("set SEALWRIGHT_VECTORS to the vector folder; VECTORS.md tells where the files come from")
	}
}

// TestVectorPage holds VECTORS.md, which people read, against Files, which the
// tests use.
func TestVectorPage(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "VECTORS.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Files {
		row := ""
		for line := range strings.Lines(string(page)) {
			if strings.Contains(line, "`"+f.Name+"`") && strings.Contains(line, f.SHA256) {
				row = line
			}
		}
		if row == "" {
			t.Errorf("VECTORS.md has no row with `%s` and its SHA-256 %s", f.Name, f.SHA256)
		}
	}
}
