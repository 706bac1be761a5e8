package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(tidyMain{m}, map[string]func(){
		"sealwright": func() { os.Exit(run(os.Args[1:])) },
		"status":     statusMain,
		"notty":      nottyMain,
	})
}

// toolDir is where the tests built the tool for itself, if they did.
var toolDir string

// tidyMain removes toolDir.
type tidyMain struct{ *testing.M }

func (m tidyMain) Run() int {
	defer func() { os.RemoveAll(toolDir) }()
	return m.M.Run()
}

// TestScripts holds the tool against CLI.md.
func TestScripts(t *testing.T) {
	testdata, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			wrap := strings.TrimSpace(nip59Wrap) + "\n"
			env.Vars = append(env.Vars, "TESTDATA="+testdata, "SEALWRIGHT_CPU=", "GORACE=atexit_sleep_ms=0", "GOARCH="+runtime.GOARCH)
			// The example of NIP-59: wrap.json is sound, forged.json has another
			// signature, damaged.json another ciphertext (and so another id).
			for name, text := range map[string]string{
				"wrap.json":    wrap,
				"forged.json":  strings.Replace(wrap, `"sig":"35`, `"sig":"36`, 1),
				"damaged.json": strings.Replace(wrap, `"content":"AhC3`, `"content":"AhC4`, 1),
				"bob.nsec":     "nsec1uyyrnx7cgfp40fcskcr2urqnzekc20fj0er6de0q8qvhx34ahazsvs9p36\n",
				"bob.hex":      "e108399bd8424357a710b606ae0c13166d853d327e47a6e5e038197346bdbf45\n",
				"other.nsec":   "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5\n",
			} {
				if err := os.WriteFile(filepath.Join(env.WorkDir, name), []byte(text), 0o600); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"join": joinCmd, "repeat": repeatCmd, "mode": modeCmd, "begins": beginsCmd,
		},
	})
}

// beginsCmd fails unless the first file begins with the second.
func beginsCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: begins FILE BEGINNING")
	}
	text, beginning := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	if beginning == "" || !strings.HasPrefix(text, beginning) {
		ts.Fatalf("%s does not begin with %s, but is:\n%s", args[0], args[1], text)
	}
}

// statusMain is the program "status CODE PROGRAM ARGS…": it runs the program
// and fails unless it exits with CODE.
func statusMain() {
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, "status:", err)
		os.Exit(1)
	}
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != os.Args[1] {
		fmt.Fprintf(os.Stderr, "status: exit code %s, want %s\n", got, os.Args[1])
		os.Exit(1)
	}
}

// nottyMain is the program "notty PROGRAM ARGS…": it runs the program without a
// terminal, wherever the tests themselves run, and exits as it does.
func nottyMain() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	detach(cmd)
	if err := cmd.Run(); cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "notty:", err)
		os.Exit(1)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

// joinCmd is "join OUT FILE…": OUT becomes the files one after another.
func joinCmd(ts *testscript.TestScript, neg bool, args []string) {
	var all strings.Builder
	for _, name := range args[1:] {
		all.WriteString(ts.ReadFile(name))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(all.String()), 0o600))
}

// repeatCmd is "repeat OUT N TEXT": OUT becomes N times TEXT, in which \n and
// \r stand for line ends.
func repeatCmd(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(args[2])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(text, n)), 0o600))
}

// modeCmd is "mode WANT FILE": the permission bits of a file.
func modeCmd(ts *testscript.TestScript, neg bool, args []string) {
	st, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", st.Mode().Perm()); got != args[0] {
		ts.Fatalf("%s: mode %s, want %s", args[1], got, args[0])
	}
}

// keyFile writes a file that only its owner can read: text and a line end.
func keyFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
