package limits

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	root   = "../.."
	module = "github.com/cowboyinc/cowboy-go/"
)

// source reads constants of packages of this repository without building them: bodies of functions are left out, and of other packages there is only what
// constants here are made of.
type source struct {
	files  *token.FileSet
	loaded map[string]*types.Package
}

func newSource() *source {
	clock := types.NewPackage("time", "time")
	span := types.NewTypeName(token.NoPos, clock, "Duration", nil)
	of := types.NewNamed(span, types.Typ[types.Int64], nil)
	clock.Scope().Insert(span)
	for name, value := range map[string]time.Duration{"Millisecond": time.Millisecond, "Second": time.Second, "Minute": time.Minute, "Hour": time.Hour} {
		clock.Scope().Insert(types.NewConst(token.NoPos, clock, name, of, constant.MakeInt64(int64(value)))) // order-free: a set
	}
	clock.MarkComplete()
	return &source{token.NewFileSet(), map[string]*types.Package{"time": clock}}
}

// Import implements types.Importer.
func (s *source) Import(path string) (*types.Package, error) {
	if p := s.loaded[path]; p != nil {
		return p, nil
	}
	p := types.NewPackage(path, filepath.Base(path))
	s.loaded[path] = p
	if inside, ok := strings.CutPrefix(path, module); ok {
		names, err := filepath.Glob(filepath.Join(root, inside, "*.go"))
		if err != nil {
			return nil, err
		}
		var files []*ast.File
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(s.files, name, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
		config := types.Config{Importer: s, IgnoreFuncBodies: true, Error: func(error) {}}
		p, _ = config.Check(path, s.files, files, nil) // what refers to other packages' types stays unknown
		s.loaded[path] = p
	}
	p.MarkComplete()
	return p, nil
}

// value is a constant as the page shows it: a number with its thousands apart, or a span of time.
func (s *source) value(pkg, name string) (string, error) {
	p, err := s.Import(module + pkg)
	if err != nil {
		return "", err
	}
	c, ok := p.Scope().Lookup(name).(*types.Const)
	if !ok {
		return "", fmt.Errorf("%s has no constant %s", pkg, name)
	}
	n, exact := constant.Int64Val(constant.ToInt(c.Val()))
	if !exact {
		return "", fmt.Errorf("%s.%s is no number", pkg, name)
	}
	if strings.HasSuffix(c.Type().String(), "time.Duration") {
		return time.Duration(n).String(), nil
	}
	return grouped(n), nil
}

// python is a constant of the SDK.
func python(file, name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "runtime/sdk/cowboy_sdk", file))
	if err != nil {
		return "", err
	}
	found := regexp.MustCompile(`(?m)^` + name + ` = ([0-9_]+)(\*\*32 - 1)?`).FindSubmatch(text)
	if found == nil {
		return "", fmt.Errorf("%s has no %s", file, name)
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(string(found[1]), "_", ""), 10, 64)
	if len(found[2]) > 0 {
		n = 1<<32 - 1
	}
	return grouped(n), err
}

func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
