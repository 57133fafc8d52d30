package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/kisielk/errcheck/errcheck"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// unread is errcheck without what nobody could act upon: text for a person that is not printed, and, where a function ends, a file or a connection that does
// not close and a temporary folder that stays. Waiting for a channel of errors is not reading one.
func unread() *analysis.Analyzer {
	a := *errcheck.Analyzer
	a.Run = func(pass *analysis.Pass) (any, error) {
		harmless, inner := harmless(pass), *pass
		inner.Report = func(d analysis.Diagnostic) {
			if !harmless[d.Pos] {
				pass.Report(d)
			}
		}
		return errcheck.Analyzer.Run(&inner)
	}
	return &a
}

// harmless are the places, as errcheck gives them, of calls whose errors may stay unread.
func harmless(pass *analysis.Pass) map[token.Pos]bool {
	found := map[token.Pos]bool{}
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.DeferStmt:
				name := called(pass.TypesInfo, n.Call)
				found[n.Call.Lparen] = strings.HasSuffix(name, ").Close") || strings.HasSuffix(name, ").CloseNow") || name == "os.RemoveAll"
			case *ast.UnaryExpr: // a wait for something to end
				found[n.OpPos] = n.Op == token.ARROW
			case *ast.CallExpr:
				if strings.HasPrefix(called(pass.TypesInfo, n), "fmt.Fprint") {
					found[n.Lparen] = true
				}
			}
			return true
		})
	}
	return found
}

// called is the full name of the function that a call names, "" where it is a value.
func called(info *types.Info, call *ast.CallExpr) string {
	if f, ok := typeutil.Callee(info, call).(*types.Func); ok {
		return f.FullName()
	}
	return ""
}
