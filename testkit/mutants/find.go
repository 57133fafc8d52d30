package mutants

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Mutant is one change of one file.
type Mutant struct {
	File       string // below the root, with slashes
	Line       int
	Func       string
	Kind       string
	From, To   string // source text before and after
	Nth        int    // among mutants of one function with the same kind and texts
	start, end int    // in bytes
}

// ID names a mutant whatever happens to the lines around it.
func (m Mutant) ID() string {
	return fmt.Sprintf("%s %s %s %q -> %q #%d", m.File, m.Func, m.Kind, m.From, m.To, m.Nth)
}

// Apply gives the source with the change made.
func (m Mutant) Apply(source []byte) []byte {
	return slices.Concat(source[:m.start], []byte(m.To), source[m.end:])
}

// Find lists the mutants of the functions below the directories of a module, in the order of the source.
func Find(root string, dirs []string) ([]Mutant, error) {
	var list []Mutant
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			found, err := inFile(filepath.ToSlash(rel), source)
			list = append(list, found...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// inFile lists the mutants of one file.
func inFile(name string, source []byte) ([]Mutant, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var list []Mutant
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil || f.Name.Name == "String" || f.Name.Name == "Error" {
			continue
		}
		seen := map[string]int{}
		change := func(kind string, from, to token.Pos, text string) {
			start, end := fset.Position(from).Offset, fset.Position(to).Offset
			m := Mutant{
				File: name, Line: fset.Position(from).Line, Func: named(f), Kind: kind,
				From: string(source[start:end]), To: text, start: start, end: end,
			}
			key := m.ID()
			m.Nth = seen[key]
			seen[key]++
			list = append(list, m)
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			visit(n, change)
			return true
		})
	}
	return list, nil
}

// named gives a function's name, a method's with its type.
func named(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if index, ok := of.(*ast.IndexExpr); ok {
		of = index.X
	}
	return fmt.Sprintf("%s.%s", of, f.Name.Name)
}

// swaps are the operators that stand in for others: those that differ at the border, and those that do the opposite.
var swaps = map[token.Token][]token.Token{
	token.LSS: {token.LEQ}, token.LEQ: {token.LSS}, token.GTR: {token.GEQ}, token.GEQ: {token.GTR},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.QUO},
	token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.AND: {token.OR}, token.OR: {token.AND},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN}, token.INC: {token.DEC}, token.DEC: {token.INC},
}

func visit(n ast.Node, change func(kind string, from, to token.Pos, text string)) {
	operator := func(op token.Token, at token.Pos) {
		for _, other := range swaps[op] {
			change("operator", at, at+token.Pos(len(op.String())), other.String())
		}
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		operator(n.Op, n.OpPos)
	case *ast.AssignStmt:
		operator(n.Tok, n.TokPos)
	case *ast.IncDecStmt:
		operator(n.Tok, n.TokPos)
	case *ast.BasicLit:
		if v, err := strconv.ParseUint(n.Value, 0, 63); n.Kind == token.INT && err == nil {
			change("number", n.Pos(), n.End(), strconv.FormatUint(v+1, 10))
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			change("not", n.OpPos, n.OpPos+1, "")
		}
	case *ast.IfStmt:
		if _, compares := n.Cond.(*ast.BinaryExpr); !compares {
			change("condition", n.Cond.Pos(), n.Cond.End(), "true")
			change("condition", n.Cond.Pos(), n.Cond.End(), "false")
		}
	case *ast.ExprStmt:
		change("statement", n.Pos(), n.End(), "")
	case *ast.BranchStmt:
		if n.Tok == token.CONTINUE && n.Label == nil {
			change("branch", n.Pos(), n.End(), "break")
		}
	}
}

// Pick draws at most n mutants, the same ones for the same seed whatever was added elsewhere: each has a rank of its own.
func Pick(list []Mutant, seed uint64, n int) []Mutant {
	rank := func(m Mutant) uint64 {
		sum := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(m.ID()), seed))
		return binary.BigEndian.Uint64(sum[:])
	}
	picked := slices.Clone(list)
	slices.SortStableFunc(picked, func(a, b Mutant) int {
		if rank(a) < rank(b) {
			return -1
		}
		return 1
	})
	return picked[:min(n, len(picked))]
}
