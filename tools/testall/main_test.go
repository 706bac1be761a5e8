package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// module writes a module with one package, and returns its folder.
func module(t *testing.T, tests string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module m\n",
		"m_test.go": "package m\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar _ = os.Getenv\n\n" + tests,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	good = `func TestGood(t *testing.T) {
	if os.Getenv("SEALWRIGHT_SEED") != "42" {
		t.Fatal("another seed")
	}
}
`
	skipping = "func TestSkips(t *testing.T) { t.Log(\"looking\"); t.Skip(\"no moon tonight\") }\n"
	bad      = "func TestBad(t *testing.T) { t.Error(\"bad talks\") }\n"
)

func TestRun(t *testing.T) {
	t.Setenv("SEALWRIGHT_SEED", "42")
	for _, c := range []struct {
		name    string
		modules []string
		want    []string // expressions that match lines
		fails   string
	}{
		{"passes", []string{good + skipping}, []string{
			`^ok\s+m\s`, `^skipped: m TestSkips: no moon tonight$`, `^test: 1 modules, 1 packages, 1 tests passed, 1 skipped in \d+ s \(SEALWRIGHT_SEED=42\)$`}, ""},
		{"goes on after a failure", []string{bad, good}, []string{
			`bad talks$`, `^test: 2 modules, 1 packages, 1 tests passed, 1 FAILED in`}, "exit status 1"},
		{"does not compile", []string{"func TestX(t *testing.T) { missing() }\n"}, []string{`undefined: missing$`}, "exit status 1"},
		{"nothing ran", []string{skipping}, []string{`0 tests passed, 1 skipped`}, "no test"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var dirs []string
			for _, tests := range c.modules {
				dirs = append(dirs, module(t, tests))
			}
			var out strings.Builder
			err := run(t.Context(), &out, dirs, nil)
			if (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
				t.Errorf("error %v, want %q", err, c.fails)
			}
			for _, want := range c.want {
				if !regexp.MustCompile("(?m)" + want).MatchString(out.String()) {
					t.Errorf("no line matches %q in\n%s", want, out.String())
				}
			}
		})
	}
}
