package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/tools/internal/gotest"
)

const (
	library = "github.com/sealwright/sealwright"
	wazero  = "github.com/tetratelabs/wazero/cmd/wazero@v1.12.0"
)

// modules are those that users build, as folders of the repository.
var modules = []string{".", "tools", "tools/gonostr"}

// planner knows where things are.
type planner struct {
	root     string // the repository
	goroot   string
	goOldest string // the version that go.mod asks for: 1.26.0
	temp     string // goes at the end
	seed     uint64
	required []string
}

func (p *planner) locate(ctx context.Context) error {
	s, err := output(ctx, "", nil, "go", "list", "-m", "-f", "{{.Dir}} {{.GoVersion}}", library)
	if err != nil {
		return fmt.Errorf("run it in the folder tools: %w", err)
	}
	at := strings.LastIndexByte(s, ' ')
	p.root, p.goOldest = s[:at], s[at+1:]
	p.goroot, err = output(ctx, "", nil, "go", "env", "GOROOT")
	return err
}

// plan lists the steps. Tests come first: what they compile is not compiled
// again.
func (p *planner) plan(ctx context.Context, builds []build, cpus []string, whole bool) []step {
	steps := p.testSteps(ctx, cpus, whole)
	linked := map[target]bool{}
	for _, b := range builds {
		steps = append(steps, p.compileStep(b, whole))
		if b.links && !linked[b.target] {
			linked[b.target] = true
			steps = append(steps, p.linkStep(b.target))
		}
	}
	return append(steps, p.oldestStep(), p.newestStep())
}

func (p *planner) compileStep(b build, whole bool) step {
	env := []string{"GOOS=" + b.os, "GOARCH=" + b.arch, "CGO_ENABLED=0"}
	if b.cgo {
		env[2] = "CGO_ENABLED=1"
	}
	tags := "-tags="
	if b.purego {
		tags += "purego"
	}
	return step{kind: compile, name: b.String(), run: func(ctx context.Context, w io.Writer) (string, error) {
		list := func(tags, format string) (string, error) {
			return output(ctx, p.root, env, "go", "list", tags, "-f", format, "./...")
		}
		// Programs are left out, and tests are vetted but not built: on the platforms that
		// want cgo both are linked by the C toolchain of the target, and so is a program
		// that is only vetted.
		names, err := list(tags, `{{if ne .Name "main"}}{{.ImportPath}}{{end}}`)
		if err != nil {
			return "", err
		}
		if err := purego(b, list); err != nil {
			return "", err
		}
		folders := []folder{{p.root, strings.Fields(names)}}
		if b.adapters(whole) {
			folders = append(folders, folder{filepath.Join(p.root, "tools", "gonostr"), []string{"."}})
		}
		var failed []error
		n := 0
		for _, f := range folders {
			n += len(f.packages)
			for _, verb := range []string{"build", "vet"} {
				args := []string{verb, tags}
				if err := command(ctx, f.dir, env, w, w, "go", append(args, f.packages...)...); err != nil {
					failed = append(failed, fmt.Errorf("in %s, %s go %s: %w", f.dir, strings.Join(env, " "), strings.Join(args, " "), err))
				}
			}
		}
		return fmt.Sprintf("%d packages", n), errors.Join(failed...)
	}}
}

// folder is packages of a module.
type folder struct {
	dir      string
	packages []string
}

// adapters reports whether the adapters for go-nostr are compiled too. They are a package
// without assembly, so that purego makes no other build, and their peer takes the
// standard library's network along, for which Android's cgo has code in C. They are not
// compiled for what is built always, unless everything is.
func (b build) adapters(whole bool) bool {
	return !b.purego && !(b.cgo && b.os == "android") && (whole || !b.always)
}

// purego checks what the tag is said to do: it takes all assembly away, and nothing else
// where there is none.
func purego(b build, list func(tags, format string) (string, error)) error {
	const tag = "-tags=purego"
	if b.purego {
		assembly, err := list(tag, `{{if .SFiles}}{{.ImportPath}}{{end}}`)
		if err == nil && assembly != "" {
			err = fmt.Errorf("purego keeps the assembly of %s", assembly)
		}
		return err
	}
	if b.assembly() {
		return nil
	}
	const files = "{{.ImportPath}} {{.GoFiles}} {{.SFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}"
	with, err := list(tag, files)
	if err != nil {
		return err
	}
	without, err := list("-tags=", files)
	if err == nil && with != without {
		err = fmt.Errorf("purego changes the files of %s, where there is no assembly, and so is a build of its own", b.target)
	}
	return err
}

func (p *planner) linkStep(t target) step {
	env := []string{"GOOS=" + t.os, "GOARCH=" + t.arch, "CGO_ENABLED=0"}
	return step{kind: link, name: t.String(), run: func(ctx context.Context, w io.Writer) (string, error) {
		// As the packages were compiled, and not with -trimpath, so that they are not
		// compiled again.
		program := filepath.Join(p.temp, t.os+"-"+t.arch)
		if err := command(ctx, filepath.Join(p.root, "tools"), env, w, w, "go", "build", "-o", program, "./sealwright"); err != nil {
			return "", fmt.Errorf("%s go build ./sealwright: %w", strings.Join(env, " "), err)
		}
		info, err := os.Stat(program)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("sealwright, %.1f MB", float64(info.Size())/1e6), os.Remove(program)
	}}
}

// arm64Tiers are the tiers that every processor of -arm64-cpu has to show.
var arm64Tiers = []string{"neon", "sha2", "mul"}

// arm64Restrictions are those of the tiers under which restricted is tested once more, as
// the environment has them: tests of kernels choose tiers by themselves, those of protocol
// take what is left. It is that of the tests alone: the go command, where it is made
// for another processor, knows no cpu.sha2.
var arm64Restrictions = []string{"GODEBUG=cpu.sha2=off", "SEALWRIGHT_CPU=portable", "SEALWRIGHT_CPU=neon", "SEALWRIGHT_CPU=-sha2"}

var restricted = []string{"kernels", "protocol/nip44"}

const qemuFrom = "Debian package qemu-user-static"

// testSteps lists where tests run: on this machine, and through programs that
// run code made for others.
func (p *planner) testSteps(ctx context.Context, cpus []string, whole bool) []step {
	host := runtime.GOOS + "/" + runtime.GOARCH
	steps := []step{p.testStep(host, runtime.GOOS, runtime.GOARCH, "", "", modules, p.required)}
	foreignOf := func(name, goos, goarch, exec, restriction string, folders []string, tiers ...string) step {
		// Tiers that this machine has to show are not those of another.
		required := tiers
		if slices.Contains(p.required, "vectors") {
			required = append(required, "vectors")
		}
		return p.testStep(name, goos, goarch, exec, restriction, folders, required)
	}
	foreign := func(name, goos, goarch, exec string) step {
		return foreignOf(name, goos, goarch, exec, "", modules[:1])
	}

	i386 := foreign("linux/386", "linux", "386", "")
	i386.missing = p.without386(ctx)
	steps = append(steps, i386)

	qemu := func(goarch, program, cpu string, folders []string, tiers ...string) step {
		name := fmt.Sprintf("linux/%s (qemu, cpu %s)", goarch, cpu)
		if folders[0] != modules[0] {
			name = fmt.Sprintf("%s of linux/%s (qemu, cpu %s)", strings.Join(folders, ", "), goarch, cpu)
		}
		s := foreignOf(name, "linux", goarch, program+" -cpu "+cpu, "", folders, tiers...)
		s.missing, s.needs = missing(program, qemuFrom), "qemu"
		return s
	}
	for i, cpu := range cpus {
		folders := modules[:1]
		if i > 0 && !whole { // what differs between processors is which tiers run
			folders = []string{"kernels"}
		}
		steps = append(steps, qemu("arm64", "qemu-aarch64-static", cpu, folders, arm64Tiers...))
	}
	for _, r := range arm64Restrictions {
		s := foreignOf(fmt.Sprintf("%s of linux/arm64 (qemu, %s)", strings.Join(restricted, ", "), r), "linux", "arm64", "qemu-aarch64-static -cpu max", r, restricted)
		s.missing, s.needs = missing("qemu-aarch64-static", qemuFrom), "qemu"
		steps = append(steps, s)
	}
	// Words of 32 bits, on every machine: many run no 386 code, and qemu-i386-static runs
	// no Go reliably.
	steps = append(steps, qemu("arm", "qemu-arm-static", "max", modules[:1]))
	steps = append(steps, qemu("s390x", "qemu-s390x-static", "max", modules[:1]))

	js := foreign("js/wasm (node)", "js", "wasm", filepath.Join(p.goroot, "lib/wasm/go_js_wasm_exec"))
	js.missing, js.needs = missing("node", "Debian package nodejs"), "node"
	steps = append(steps, js)

	if whole { // four times as slow as Node, on the same code
		steps = append(steps, p.wasip1Step(foreign))
	}
	return steps
}

// without386 says that this machine runs no 386 code of Linux, which a kernel can be
// built without, or returns "". The smallest program tells.
func (p *planner) without386(ctx context.Context) string {
	const no = "this machine runs no 386 code of Linux"
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return no
	}
	source, program := filepath.Join(p.temp, "runs386.go"), filepath.Join(p.temp, "runs386")
	err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644)
	if err == nil {
		_, err = output(ctx, p.temp, []string{"GOARCH=386", "CGO_ENABLED=0"}, "go", "build", "-o", program, source)
	}
	if err == nil {
		err = exec.CommandContext(ctx, program).Run()
	}
	if err != nil {
		return fmt.Sprintf("%s: %v", no, err)
	}
	return ""
}

// missing says that a program is not installed, or returns "".
func missing(program, from string) string {
	if _, err := exec.LookPath(program); err != nil {
		return fmt.Sprintf("%s is not installed (%s; make deps)", program, from)
	}
	return ""
}

// testStep runs the tests of modules on one platform; exec is the program that
// runs them, or "". A test that starts itself anew finds it in
// $SEALWRIGHT_EXEC. An emulator is slow, so under one the tests are short.
// restriction, if any, is a variable that the tests alone see, and that tests which start
// processes may replace.
func (p *planner) testStep(name, goos, goarch, exec, restriction string, modules, required []string) step {
	env := []string{
		"GOOS=" + goos, "GOARCH=" + goarch,
		fmt.Sprintf("SEALWRIGHT_SEED=%d", p.seed), "SEALWRIGHT_EXEC=" + exec,
		"SEALWRIGHT_REQUIRE=" + strings.Join(required, ","),
	}
	args := []string{"-timeout=3h"}
	if restriction != "" {
		exec = "env " + restriction + " " + exec
	}
	if exec != "" {
		args = append(append(args, "-exec="+exec), short()...)
	}
	return step{kind: tests, name: name, run: func(ctx context.Context, w io.Writer) (string, error) {
		return testModules(ctx, w, p.root, modules, env, args)
	}}
}

// short makes the longest tests take a sample, unless sweeps run whole.
func short() []string {
	if testkit.Long() {
		return nil
	}
	return []string{"-short"}
}

func testModules(ctx context.Context, w io.Writer, root string, modules, env, args []string) (string, error) {
	var all gotest.Counts
	log := gotest.Log{Failed: func(output string) { io.WriteString(w, output) }}
	var failed []error
	for _, m := range modules {
		c, err := gotest.Run(ctx, log, filepath.Join(root, m), env, args...)
		all.Add(c)
		if err != nil {
			failed = append(failed, fmt.Errorf("module %s: %w", m, err))
		}
	}
	return all.String(), errors.Join(failed...)
}

// wasip1Step installs a runtime for WASI, a Go program, into the temporary
// folder and runs the tests with it.
func (p *planner) wasip1Step(foreign func(name, goos, goarch, exec string) step) step {
	s := foreign("wasip1/wasm (wazero)", "wasip1", "wasm",
		filepath.Join(p.temp, "wazero")+" run -mount /:/ -env-inherit -cachedir "+filepath.Join(p.temp, "wazero-cache"))
	test := s.run
	s.run = func(ctx context.Context, w io.Writer) (string, error) {
		if err := command(ctx, p.root, []string{"GOBIN=" + p.temp}, w, w, "go", "install", wazero); err != nil {
			return "", fmt.Errorf("go install %s: %w", wazero, err)
		}
		return test(ctx, w)
	}
	return s
}

func (p *planner) oldestStep() step {
	env := []string{"GOTOOLCHAIN=go" + p.goOldest, fmt.Sprintf("SEALWRIGHT_SEED=%d", p.seed)}
	return step{kind: oldest, name: "go" + p.goOldest, run: func(ctx context.Context, w io.Writer) (string, error) {
		got, err := output(ctx, p.root, env, "go", "env", "GOVERSION")
		if err != nil {
			return "", err
		}
		if got != "go"+p.goOldest {
			return "", fmt.Errorf("GOTOOLCHAIN=go%s runs %s", p.goOldest, got)
		}
		return testModules(ctx, w, p.root, modules[:1], env, short())
	}}
}

// newestStep works in a copy of the repository. A new version may ask for a
// newer Go, so the go command is free to fetch one. tools/gonostr is made for one
// version of its peer and left out.
func (p *planner) newestStep() step {
	modules := modules[:2]
	env := []string{"GOTOOLCHAIN=auto", fmt.Sprintf("SEALWRIGHT_SEED=%d", p.seed)}
	if os.Getenv("SEALWRIGHT_VECTORS") == "" { // which are found from the repository
		env = append(env, "SEALWRIGHT_VECTORS="+filepath.Join(p.root, "..", "shared", "vectors"))
	}
	return step{kind: newest, name: strings.Join(modules, " "), run: func(ctx context.Context, w io.Writer) (string, error) {
		copied := filepath.Join(p.temp, "newest")
		if err := copyTree(copied, p.root); err != nil {
			return "", err
		}
		raised := 0
		for _, m := range modules {
			dir := filepath.Join(copied, m)
			newer, err := newerVersions(ctx, dir)
			if err != nil {
				return "", err
			}
			var said bytes.Buffer
			err = command(ctx, dir, env, &said, &said, "go", append([]string{"get"}, newer...)...)
			w.Write(said.Bytes())
			if err != nil {
				return "", fmt.Errorf("module %s: go get %s: %w", m, strings.Join(newer, " "), err)
			}
			raised += strings.Count(said.String(), "go: upgraded ")
		}
		note, err := testModules(ctx, w, copied, modules, env, short())
		return fmt.Sprintf("%s, %d versions raised", note, raised), err
	}}
}

// newerVersions returns what go get is asked for: the newest version of every
// module that the go.mod in dir lists, without those that it replaces by a
// folder, as go get -u ./... would look for published versions of the library.
func newerVersions(ctx context.Context, dir string) ([]string, error) {
	out, err := output(ctx, dir, nil, "go", "mod", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var file struct {
		Require []struct{ Path string }
		Replace []struct{ Old struct{ Path string } }
	}
	if err := json.Unmarshal([]byte(out), &file); err != nil {
		return nil, fmt.Errorf("go mod edit -json: %w", err)
	}
	replaced := map[string]bool{}
	for _, r := range file.Replace {
		replaced[r.Old.Path] = true
	}
	var versions []string
	for _, r := range file.Require {
		if !replaced[r.Path] {
			versions = append(versions, r.Path+"@upgrade")
		}
	}
	return versions, nil
}

// copyTree copies the files of a repository without its history and without
// what make and npm put there.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && slices.Contains([]string{".git", "bin", "node_modules"}, d.Name()):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, info.Mode().Perm())
	})
}
