package tidy

import (
	"go/ast"
	"go/token"
	"strings"
)

// Tables counts in each test file the loops over a table of cases that report failures without making each case a subtest: then one case hides those
// behind it, and none can be run by its name. A table is a literal of a slice, array or map with structs for elements, or of any map, written into the
// loop or into a variable of the same function.
func Tables(sources []Source) Findings {
	found := Findings{}
	for _, s := range sources {
		if !strings.HasSuffix(s.Name, "_test.go") {
			continue
		}
		for _, decl := range s.Syntax.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") || f.Type.Params.NumFields() != 1 {
				continue
			}
			tables := map[string]bool{}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					if name, ok := n.Lhs[0].(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Rhs) == 1 {
						tables[name.Name] = isTable(n.Rhs[0], nil)
					}
				case *ast.ValueSpec:
					if len(n.Values) == 1 {
						tables[n.Names[0].Name] = isTable(n.Values[0], nil)
					}
				case *ast.RangeStmt:
					if isTable(n.X, tables) && reports(n.Body) {
						found[s.Name]++
					}
				}
				return true
			})
		}
	}
	return found
}

// isTable reports a literal of cases, or the name of a variable that holds one.
func isTable(e ast.Expr, tables map[string]bool) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return tables[e.Name]
	case *ast.CompositeLit:
		switch of := e.Type.(type) {
		case *ast.MapType:
			return true
		case *ast.ArrayType:
			_, ok := of.Elt.(*ast.StructType)
			return ok
		}
	}
	return false
}

// reports reports a body that can fail its test and runs no subtest.
func reports(body *ast.BlockStmt) bool {
	fails, runs := false, false
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if on, ok := s.X.(*ast.Ident); !ok || on.Name != "t" {
			return true
		}
		switch s.Sel.Name {
		case "Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow":
			fails = true
		case "Run":
			runs = true
		}
		return true
	})
	return fails && !runs
}
