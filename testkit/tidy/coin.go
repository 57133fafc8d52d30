package tidy

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// Coin reports what changes the balance of an account, or takes its address, outside chain/account: coins move through that package's functions, so
// that none appears or vanishes anywhere else.
func Coin(pkg *packages.Package) []Problem {
	const home = Module + "/chain/account"
	if pkg.PkgPath == home {
		return nil
	}
	var found []Problem
	check := func(e ast.Expr) {
		s, ok := e.(*ast.SelectorExpr)
		if !ok || s.Sel.Name != "Balance" {
			return
		}
		of := pkg.TypesInfo.TypeOf(s.X)
		if p, ok := of.(*types.Pointer); ok {
			of = p.Elem()
		}
		if of != nil && types.TypeString(of, nil) == home+".Account" {
			found = append(found, Problem{pkg.Fset.Position(e.Pos()), fmt.Sprintf("%s changes a balance by itself", pkg.PkgPath)})
		}
	}
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, target := range n.Lhs {
					check(target)
				}
			case *ast.IncDecStmt:
				check(n.X)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					check(n.X)
				}
			}
			return true
		})
	}
	return found
}
