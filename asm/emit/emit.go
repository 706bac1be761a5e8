// Package emit turns a generator into the files of a kernel: it compiles what was
// built with avo, has the checks pass on it, and only then prints.
package emit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"

	"github.com/sealwright/sealwright/asm/check"
)

// Generator is an avo context whose functions have a specification.
type Generator struct {
	*build.Context
	specs map[string]check.Spec
}

// Func begins a function. doc is the contract that the stub shows: what it
// computes, bounds, aliasing, and the source of the method.
func (g *Generator) Func(name, signature string, spec check.Spec, doc string) {
	g.Function(name)
	g.Attributes(attr.NOSPLIT)
	g.SignatureExpr(signature)
	g.Pragma("noescape")
	g.Doc(strings.Split(strings.TrimSpace(doc), "\n")...)
	g.specs[name] = spec
}

// Main is the whole of a generator's main: it builds the functions of a kernel
// package, and writes <pkg>_amd64.s and stubs_amd64.go into the folder that the
// program's one argument names. A function that fails a check ends the program,
// and nothing is written.
func Main(pkg string, build func(g *Generator)) {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage:", pkg, "FOLDER")
		os.Exit(2)
	}
	if err := write(pkg, build, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(pkg string, build func(g *Generator), folder string) error {
	f, err := compile(build)
	if err != nil {
		return err
	}
	cfg := printer.Config{Name: "asm/" + pkg, Pkg: pkg}
	for name, p := range map[string]printer.Printer{pkg + "_amd64.s": printer.NewGoAsm(cfg), "stubs_amd64.go": printer.NewStubs(cfg)} {
		text, err := p.Print(f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compile builds, allocates registers and checks.
func compile(f func(g *Generator)) (*ir.File, error) {
	g := &Generator{build.NewContext(), make(map[string]check.Spec)}
	g.ConstraintExpr("gc,!purego")
	f(g)
	file, err := g.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return nil, err
	}
	return file, check.File(file, g.specs)
}
