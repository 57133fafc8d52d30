package dead

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph/rta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// Function is one function of the source.
type Function struct {
	File string // relative to the directory that was looked at
	Line int
	Name string // as in Type.Method
}

// String is the function as the lists name it: its file and its name, so that a line that moves changes nothing.
func (f Function) String() string { return f.File + " " + f.Name }

// Report is what nobody reaches.
type Report struct {
	Dead   []Function // from no command and no test
	Tested []Function // from tests alone, outside test files
}

// Find builds the packages that the patterns match below dir, with their tests, and reports the functions of theirs that are not reached.
func Find(dir string, patterns ...string) (Report, error) {
	top, err := filepath.Abs(dir)
	if err != nil {
		return Report{}, err
	}
	loaded, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.LoadAllSyntax, Tests: true}, patterns...)
	if err != nil {
		return Report{}, err
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return Report{}, fmt.Errorf("dead: %s: %v", p.PkgPath, p.Errors[0])
		}
	}
	prog, built := ssautil.AllPackages(loaded, ssa.InstantiateGenerics)
	var commands, tests []*ssa.Function
	for _, main := range ssautil.MainPackages(built) {
		roots := []*ssa.Function{main.Func("init"), main.Func("main")}
		if strings.HasSuffix(main.Pkg.Path(), ".test") {
			tests = append(tests, roots...)
		} else {
			commands = append(commands, roots...)
		}
	}
	declared := functions(loaded, top)
	prog.Build()
	used := reached(prog.Fset, commands)
	tested := reached(prog.Fset, tests)
	var r Report
	for at, f := range declared {
		switch {
		case used[at]:
		case !tested[at]:
			r.Dead = append(r.Dead, f)
		case !strings.HasSuffix(f.File, "_test.go"):
			r.Tested = append(r.Tested, f)
		}
	}
	order := func(a, b Function) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	}
	slices.SortFunc(r.Dead, order)
	slices.SortFunc(r.Tested, order)
	return r, nil
}

// reached is where the functions stand that can be called from the roots. A package is compiled once for itself and again for its tests: one place
// stands for all.
func reached(set *token.FileSet, roots []*ssa.Function) map[token.Position]bool {
	at := map[token.Position]bool{}
	if len(roots) == 0 {
		return at
	}
	for f := range rta.Analyze(roots, false).Reachable {
		if f.Pos().IsValid() {
			at[set.Position(f.Pos())] = true
		}
	}
	return at
}

// functions lists what the packages declare in files below top: without main and init, which the language calls, and without the empty methods that
// mark a type as one of an interface's.
func functions(loaded []*packages.Package, top string) map[token.Position]Function {
	found := map[token.Position]Function{}
	for _, p := range loaded {
		for _, file := range p.Syntax {
			name, err := filepath.Rel(top, p.Fset.Position(file.Package).Filename)
			if err != nil || strings.HasPrefix(name, "..") || ast.IsGenerated(file) {
				continue
			}
			for _, decl := range file.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok || f.Recv == nil && (f.Name.Name == "main" || f.Name.Name == "init" || f.Name.Name == "_") || marker(f) {
					continue
				}
				at := p.Fset.Position(f.Name.Pos())
				found[at] = Function{filepath.ToSlash(name), at.Line, called(p.TypesInfo.Defs[f.Name], f.Name.Name)}
			}
		}
	}
	return found
}

// marker reports a method without parameters, results and body.
func marker(f *ast.FuncDecl) bool {
	return f.Recv != nil && !f.Name.IsExported() && f.Type.Params.NumFields() == 0 && f.Type.Results.NumFields() == 0 && f.Body != nil && len(f.Body.List) == 0
}

// called is the name of a function, behind that of its receiver's type.
func called(object types.Object, name string) string {
	f, ok := object.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return name
	}
	of := f.Signature().Recv().Type()
	if p, ok := of.(*types.Pointer); ok {
		of = p.Elem()
	}
	if named, ok := of.(*types.Named); ok {
		return named.Obj().Name() + "." + name
	}
	return name
}
