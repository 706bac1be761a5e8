//go:build linux

// Command emulator runs Go test binaries for Linux on amd64 inside Bochs, which
// has processors with instructions that this machine may lack. README.md, beside
// this file, tells how to use the scripts run and packages, which build it.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/tools/emulator/wire"
)

// exitEmulator is the exit status when the emulator itself fails. 1 is a test
// that fails, 2 one that panics.
const exitEmulator = 125

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "emulator:", err)
		code = exitEmulator
	}
	os.Exit(code)
}

type options struct {
	machine
	timeout time.Duration // 0: none
	with    string        // further files and folders, by commas
}

func run(args []string) (int, error) {
	var o options
	set := flag.NewFlagSet("emulator", flag.ContinueOnError)
	set.StringVar(&o.model, "cpu", "corei7_icelake_u", "`model` of the processor (bochs --help cpu)")
	set.IntVar(&o.memory, "memory", 512, "memory of the guest in `MiB`")
	set.StringVar(&o.kernel, "kernel", "", "`path` of a bzImage (default: Debian's, fetched once)")
	set.StringVar(&o.with, "with", "", "further files and folders for the guest, separated by `commas`")
	set.DurationVar(&o.timeout, "timeout", 0, "limit on the host's clock, 0 for none (default: the -test.timeout of the program)")
	many := set.Bool("packages", false, "arguments are packages, and after -- what each of their tests is given")
	if err := set.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0, nil
		}
		return 0, err
	}
	if set.NArg() == 0 {
		return 0, errors.New("nothing to run (see -help)")
	}
	if lack := missing(); len(lack) > 0 {
		return 0, fmt.Errorf("not installed: %s", strings.Join(lack, " "))
	}
	if err := o.complete(); err != nil {
		return 0, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *many {
		return o.runPackages(ctx, set.Args())
	}
	return o.runProgram(ctx, set.Arg(0), set.Args()[1:])
}

// complete finds the kernel and the guest's init, which the scripts build into
// the folder of this program.
func (o *options) complete() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cache := filepath.Dir(self)
	o.init = filepath.Join(cache, "init")
	if o.kernel == "" {
		o.kernel, err = findKernel(cache)
	}
	return err
}

// limit returns ctx with the time-out, if there is one.
func (o *options) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, o.timeout, fmt.Errorf("time-out after %v", o.timeout))
}

// runProgram runs one program, as go test -exec wants it: in this working
// directory, with the program's output and exit status.
func (o *options) runProgram(ctx context.Context, program string, args []string) (int, error) {
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	if program, err = filepath.Abs(program); err != nil {
		return 0, err
	}
	args, given := cutTimeout(args)
	if o.timeout == 0 {
		o.timeout = given
	}
	if len(args) > 0 && strings.HasPrefix(args[0], "-test.") {
		args = append([]string{skipADX}, args...)
	}
	ctx, cancel := o.limit(ctx)
	defer cancel()

	files := new(archive)
	job := wire.Job{Program: program, Args: args, Dir: dir, Env: environment(dir)}
	if err := errors.Join(o.common(files), files.addPackage(dir), files.addFile(program)); err != nil {
		return 0, err
	}
	var code int
	_, err = o.run(ctx, files, []wire.Job{job},
		func(int) (io.Writer, io.Writer) { return os.Stdout, os.Stderr },
		func(_ int, r result) { code = r.code })
	return code, err
}

// cutTimeout takes -test.timeout out of the arguments. The test would measure
// it on the guest's clock.
func cutTimeout(args []string) (rest []string, timeout time.Duration) {
	for _, arg := range args {
		if value, ok := strings.CutPrefix(arg, "-test.timeout="); ok {
			if d, err := time.ParseDuration(value); err == nil {
				timeout = d
				continue
			}
		}
		rest = append(rest, arg)
	}
	return rest, timeout
}

// runPackages tests packages in one start of the machine, and prints for each
// what go test would.
func (o *options) runPackages(ctx context.Context, args []string) (int, error) {
	started := time.Now()
	patterns := args
	var testArgs []string
	if i := slices.Index(args, "--"); i >= 0 {
		patterns, testArgs = args[:i], args[i+1:]
	}
	ctx, cancel := o.limit(ctx)
	defer cancel()
	dir, err := os.MkdirTemp("", "emulator-tests")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	packages, err := buildTests(ctx, dir, patterns)
	if err != nil {
		return 0, err
	}

	files := new(archive)
	if err := o.common(files); err != nil {
		return 0, err
	}
	var jobs []wire.Job
	for _, p := range packages {
		if err := errors.Join(files.addPackage(p.dir), files.addFile(p.program)); err != nil {
			return 0, err
		}
		jobs = append(jobs, wire.Job{
			Program: p.program,
			Args:    append([]string{"-test.paniconexit0", skipADX}, testArgs...),
			Dir:     p.dir,
			Env:     environment(p.dir),
		})
	}
	var (
		out    bytes.Buffer
		failed int
		ran    int
	)
	verbose := slices.ContainsFunc(testArgs, func(a string) bool { return strings.HasPrefix(a, "-test.v") })
	boot, err := o.run(ctx, files, jobs,
		func(int) (io.Writer, io.Writer) {
			out.Reset()
			return &out, &out
		},
		func(i int, r result) {
			ran++
			line := "ok  "
			if r.code != 0 {
				line = "FAIL"
				failed++
			}
			if r.code != 0 || verbose {
				os.Stdout.Write(out.Bytes())
			}
			fmt.Printf("%s\t%s\t%.1fs", line, packages[i].path, r.took.Seconds())
			if r.code > 2 {
				fmt.Printf("\texit status %d", r.code)
			}
			if bytes.Contains(out.Bytes(), []byte("testing: warning: no tests to run")) {
				fmt.Print(" [no tests to run]")
			}
			fmt.Println()
		})
	if err != nil {
		if ran < len(packages) {
			os.Stdout.Write(out.Bytes())
			fmt.Printf("FAIL\t%s\tnot ended\n", packages[ran].path)
		}
		return 0, err
	}
	fmt.Println("emulator: tiers named adx were not tested, since ADOX of Bochs 2.7 is wrong")
	fmt.Printf("emulator: %d packages on %s, %d failed; boot %.0f s, in all %.0f s\n",
		len(packages), o.model, failed, boot.Seconds(), time.Since(started).Seconds())
	return min(failed, 1), nil
}

type testPackage struct{ path, dir, program string }

// buildTests builds the tests of the packages that have some.
func buildTests(ctx context.Context, into string, patterns []string) (packages []testPackage, err error) {
	list, err := goCommand(ctx, append([]string{"list", "-f",
		`{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}|{{.Dir}}{{end}}`}, patterns...)...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(list) {
		path, dir, ok := strings.Cut(strings.TrimSpace(line), "|")
		if !ok {
			continue
		}
		program := filepath.Join(into, fmt.Sprint(len(packages)), filepath.Base(dir)+".test")
		if _, err := goCommand(ctx, "test", "-c", "-ldflags=-s -w", "-o", program, path); err != nil {
			return nil, err
		}
		packages = append(packages, testPackage{path, dir, program})
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("no tests in %s", strings.Join(patterns, " "))
	}
	return packages, nil
}

// goCommand runs the go command for the guest's platform.
func goCommand(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("go %s: %w", args[0], err)
	}
	return string(out), err
}

// common adds what tests of every package may read: what testkit.Root looks
// for, the list of vectors, the test data that packages share, the published
// vectors, and what -with names. All of it lies where it lies on the host.
func (o *options) common(files *archive) error {
	var paths []string
	if o.with != "" {
		paths = strings.Split(o.with, ",")
	}
	if root, err := testkit.Root(); err == nil {
		for _, name := range []string{"internal/testkit", "VECTORS.md", "go.mod", "protocol/testdata"} {
			paths = append(paths, filepath.Join(root, name))
		}
		if _, err := os.Stat(testkit.Dir()); err == nil {
			paths = append(paths, testkit.Dir())
		}
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err == nil {
			err = files.addTree(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// What goes wrong in Bochs 2.7 is kept off (README.md has the evidence): ADOX,
// which math/big and crypto use, VGF2P8AFFINEQB, which Go's garbage collector
// uses where AVX512DQ is, and our own tiers with ADX. golang.org/x/sys/cpu, which
// the kernels ask, does not look at GODEBUG.
const (
	withoutADX = "-adx,-ifma"
	skipADX    = "-test.skip=/tier=(adx|ifma)$"
	goSwitches = "cpu.adx=off,cpu.avx512dq=off"
)

// environment returns what a test sees: this project's variables, Go's
// switches, and the least that programs count on.
func environment(dir string) []string {
	debug := goSwitches
	if v := os.Getenv("GODEBUG"); v != "" {
		debug += "," + v // of two settings the last one holds
	}
	env := []string{"HOME=/tmp", "TMPDIR=/tmp", "PATH=/bin", "PWD=" + dir, "GODEBUG=" + debug}
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "SEALWRIGHT_") {
			env = append(env, v)
		}
	}
	if _, ok := os.LookupEnv("SEALWRIGHT_CPU"); !ok {
		env = append(env, "SEALWRIGHT_CPU="+withoutADX)
	}
	return env
}
