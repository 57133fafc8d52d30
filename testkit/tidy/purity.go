package tidy

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Module is the import path of the project.
const Module = "github.com/cowboyinc/cowboy-go"

// orderFree is the remark that permits a range over a map in a pure package; what follows it says why order cannot
// reach a result.
const orderFree = "order-free:"

// forbidden lists the imports no pure package may have, by path or, with a trailing slash, by prefix.
var forbidden = []string{
	"time", "os", "os/", "net", "net/", "sync", "sync/", "context", "math/rand", "math/rand/", "crypto/rand", "log",
	"log/", "runtime", "runtime/", "syscall", "path/filepath", "io/fs", "plugin", "testing",
	"github.com/asynkron/", "github.com/rs/zerolog", "go.etcd.io/", "golang.org/x/sync/", "golang.org/x/sys/",
}

// allowed lists the imports that a pure package may have all the same, and why that cannot reach a result.
var allowed = map[string]string{
	Module + "/chain/sig/bls sync":      "one-time initialisation of the C library's tables",
	Module + "/runtime/pvm/stdlib sync": "a source is compiled when it first runs; its unit is a function of the source",
}

// completed lists the package variables that a function called only while the package is initialised finishes: built-in types
// that refer to each other.
var completed = map[string]bool{
	Module + "/runtime/pvm/object TypeList":         true,
	Module + "/runtime/pvm/object TypeStaticMethod": true,
}

// Problem is one broken rule at one place.
type Problem struct {
	Pos  token.Position
	Text string
}

// String gives file:line:col and the rule, as compilers print it.
func (p Problem) String() string { return fmt.Sprintf("%s: %s", p.Pos, p.Text) }

// Load type-checks the packages matched by patterns, without their tests, from the module rooted at dir.
func Load(dir string, patterns ...string) ([]*packages.Package, error) {
	cfg := &packages.Config{
		Dir: dir,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo,
	}
	loaded, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("tidy: %s: %v", p.PkgPath, p.Errors[0])
		}
	}
	return loaded, nil
}

// Purity reports every way in which a package of ring 0 or 1 could depend on anything but its inputs.
func Purity(pkg *packages.Package) []Problem {
	c := checker{pkg: pkg}
	for _, file := range pkg.Syntax {
		c.remarks = remarkLines(pkg.Fset, file)
		for _, imp := range file.Imports {
			c.importSpec(imp)
		}
		ast.Inspect(file, c.node)
	}
	return c.found
}

type checker struct {
	pkg     *packages.Package
	remarks map[int]bool
	found   []Problem
}

func (c *checker) report(n ast.Node, format string, args ...any) {
	c.found = append(c.found, Problem{c.pkg.Fset.Position(n.Pos()), fmt.Sprintf(format, args...)})
}

func (c *checker) importSpec(spec *ast.ImportSpec) {
	path := strings.Trim(spec.Path.Value, `"`)
	if _, ok := allowed[c.pkg.PkgPath+" "+path]; ok {
		return
	}
	for _, f := range forbidden {
		if path == f || (strings.HasSuffix(f, "/") && strings.HasPrefix(path, f)) {
			c.report(spec, "a pure package imports %s", path)
		}
	}
}

func (c *checker) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		c.report(n, "a pure package starts a goroutine")
	case *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
		c.report(n, "a pure package uses a channel")
	case *ast.RangeStmt:
		if _, isMap := c.under(n.X).(*types.Map); isMap && !c.remarks[c.pkg.Fset.Position(n.Pos()).Line] {
			c.report(n, "ranges over a map; iterate in a fixed order or say `// %s why` on the line", orderFree)
		}
	case *ast.BinaryExpr:
		if c.isFloat(n.X) && c.pkg.TypesInfo.Types[n].Value == nil {
			c.report(n, "computes with host floats")
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			for _, target := range n.Lhs {
				c.packageVar(target)
			}
		}
	case *ast.IncDecStmt:
		c.packageVar(n.X)
	}
	return true
}

func (c *checker) under(e ast.Expr) types.Type {
	t := c.pkg.TypesInfo.TypeOf(e)
	if t == nil {
		return nil
	}
	return t.Underlying()
}

func (c *checker) isFloat(e ast.Expr) bool {
	b, ok := c.under(e).(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

// packageVar reports an assignment whose target is, or is part of, a package-level variable.
func (c *checker) packageVar(target ast.Expr) {
	for {
		switch t := target.(type) {
		case *ast.IndexExpr:
			target = t.X
			continue
		case *ast.SelectorExpr:
			if id, ok := t.X.(*ast.Ident); ok {
				if _, isPkg := c.pkg.TypesInfo.Uses[id].(*types.PkgName); isPkg {
					target = t.Sel
					continue
				}
			}
			target = t.X
			continue
		case *ast.ParenExpr:
			target = t.X
			continue
		case *ast.StarExpr:
			target = t.X
			continue
		case *ast.Ident:
			v, ok := c.pkg.TypesInfo.Uses[t].(*types.Var)
			if ok && !v.IsField() && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && !completed[v.Pkg().Path()+" "+t.Name] {
				c.report(t, "writes the package variable %s", t.Name)
			}
		}
		return
	}
}

// remarkLines gives the lines that carry, or follow a line that carries, an order-free remark.
func remarkLines(fset *token.FileSet, file *ast.File) map[int]bool {
	lines := map[int]bool{}
	for _, group := range file.Comments {
		for _, remark := range group.List {
			if strings.Contains(remark.Text, orderFree) {
				lines[fset.Position(remark.End()).Line] = true
				lines[fset.Position(group.End()).Line+1] = true
			}
		}
	}
	return lines
}

// ring is a package's height: imports may only go to the same ring or below. Tests and tools stand above all.
func ring(path string) int {
	rel := strings.TrimPrefix(strings.TrimPrefix(path, Module), "/")
	top, _, _ := strings.Cut(rel, "/")
	switch top {
	case "chain":
		return 0
	case "runtime":
		return 1
	case "supervision", "net":
		return 2
	case "actors":
		return 3
	}
	return 4
}

// Rings reports imports that point up, packages of ring 2 that know the chain, and product code that imports testkit.
func Rings(pkg *packages.Package) []Problem {
	var found []Problem
	at := ring(pkg.PkgPath)
	for _, file := range pkg.Syntax {
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			if !strings.HasPrefix(path, Module) {
				continue
			}
			bad := ring(path) > at
			bad = bad || at == 2 && ring(path) < 2
			bad = bad || at < 4 && strings.HasPrefix(path, Module+"/testkit")
			if bad {
				pos := pkg.Fset.Position(spec.Pos())
				pos.Filename = filepath.ToSlash(pos.Filename)
				found = append(found, Problem{pos, fmt.Sprintf("%s may not import %s", pkg.PkgPath, path)})
			}
		}
	}
	return found
}
