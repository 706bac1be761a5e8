// Package emit turns a generator into the files of a kernel: it compiles what was
// built with avo or asm/arm64, has the checks pass on it, and only then prints.
package emit

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"

	"github.com/sealwright/sealwright/asm/arm64"
	"github.com/sealwright/sealwright/asm/check"
)

// Generator is an avo context whose functions have a specification, for amd64.
type Generator struct {
	*build.Context
	specs
}

// ARM64 is the same for arm64.
type ARM64 struct {
	*arm64.Context
	specs
}

// specs are the specifications of a file's functions.
type specs map[string]check.Spec

// Func begins a function. doc is the contract that the stub shows: what it
// computes, bounds, aliasing, and the source of the method. What the specification takes
// for public and for secret stands behind it, so that a change of either is one of the
// generated files.
func (g *Generator) Func(name, signature string, spec check.Spec, doc string) {
	g.begin(g, name, signature, spec, doc)
}

// Func is [Generator.Func].
func (g *ARM64) Func(name, signature string, spec check.Spec, doc string) {
	g.begin(g, name, signature, spec, doc)
}

func (s specs) begin(c interface {
	Function(string)
	Attributes(attr.Attribute)
	SignatureExpr(string)
	Pragma(string, ...string)
	Doc(...string)
}, name, signature string, spec check.Spec, doc string) {
	c.Function(name)
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr(signature)
	c.Pragma("noescape")
	c.Doc(append(strings.Split(strings.TrimSpace(doc), "\n"), "", declared(spec))...)
	s[name] = spec
}

// declared is the line of a stub that tells spec.Public and, if there are any,
// spec.Secret.
func declared(spec check.Spec) string {
	list := func(names []string) string {
		if len(names) == 0 {
			return "none"
		}
		return strings.Join(names, ", ")
	}
	line := "Public memory: " + list(spec.Public) + "."
	if len(spec.Secret) > 0 {
		line += " Secret values: " + list(spec.Secret) + "."
	}
	return line
}

// A Kernel builds the functions of a package, for each architecture that it has any for.
type Kernel struct {
	AMD64 func(g *Generator)
	ARM64 func(g *ARM64)
}

// Specs returns the specification of every function of k, by GOARCH and name.
func (k Kernel) Specs() map[string]map[string]check.Spec {
	all := map[string]map[string]check.Spec{"amd64": {}}
	k.AMD64(&Generator{build.NewContext(), all["amd64"]})
	if k.ARM64 != nil {
		all["arm64"] = make(specs)
		k.ARM64(&ARM64{arm64.NewContext(), all["arm64"]})
	}
	return all
}

// Write writes <pkg>_amd64.s and stubs_amd64.go into a folder, and where k has functions
// for arm64, <pkg>_arm64.s and stubs_arm64.go too. A function that fails a check is an
// error, and nothing is written.
func (k Kernel) Write(pkg, folder string) error {
	files := make(map[string]*ir.File) // by GOARCH
	f, err := compileAMD64(k.AMD64)
	if err != nil {
		return err
	}
	files["amd64"] = f
	if k.ARM64 != nil {
		if files["arm64"], err = compileARM64(k.ARM64); err != nil {
			return err
		}
	}
	cfg := printer.Config{Name: "asm/" + pkg, Pkg: pkg}
	texts := make(map[string][]byte)
	for arch, f := range files {
		for name, p := range map[string]printer.Printer{pkg + "_" + arch + ".s": printer.NewGoAsm(cfg), "stubs_" + arch + ".go": printer.NewStubs(cfg)} {
			if texts[name], err = p.Print(f); err != nil {
				return err
			}
		}
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// constraint is that of every file with assembly.
const constraint = "gc,!purego"

// compileAMD64 builds, allocates registers and checks.
func compileAMD64(f func(g *Generator)) (*ir.File, error) {
	g := &Generator{build.NewContext(), make(specs)}
	g.ConstraintExpr(constraint)
	f(g)
	file, err := g.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return nil, err
	}
	return file, check.AMD64.File(file, g.specs)
}

// compileARM64 is the same for arm64.
func compileARM64(f func(g *ARM64)) (*ir.File, error) {
	g := &ARM64{arm64.NewContext(), make(specs)}
	g.ConstraintExpr(constraint)
	f(g)
	file, err := g.Result()
	if err != nil {
		return nil, err
	}
	if err := arm64.Compile(file); err != nil {
		return nil, err
	}
	return file, check.ARM64.File(file, g.specs)
}
