package tidy

import (
	"go/ast"
	"strings"
	"unicode/utf8"
)

// The sizes that nothing new may exceed.
const (
	maxFile     = 500 // lines of a file
	maxFunction = 100 // lines of a function, from its first to its brace
	maxWidth    = 160 // columns of a line
	tabWidth    = 4   // columns of a tab
)

// LongFiles gives the lines of each file that has too many.
func LongFiles(sources []Source) Findings {
	found := Findings{}
	for _, s := range sources {
		if n := len(s.Lines); n > maxFile {
			found[s.Name] = n
		}
	}
	return found
}

// LongFunctions gives the lines of each function that has too many.
func LongFunctions(sources []Source) Findings {
	found := Findings{}
	for _, s := range sources {
		for _, decl := range s.Syntax.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := s.line(f.End()) - s.line(f.Pos()) + 1; n > maxFunction {
				found[s.Name+" "+functionName(f)] = n
			}
		}
	}
	return found
}

// WideLines counts in each file the lines that are too wide.
func WideLines(sources []Source) Findings {
	found := Findings{}
	for _, s := range sources {
		for _, line := range s.Lines {
			if width(line) > maxWidth {
				found[s.Name]++
			}
		}
	}
	return found
}

// width is how many columns a line takes.
func width(line string) int {
	return utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t")
}

// functionName is the name of a function, behind that of its receiver's type.
func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	for {
		switch x := of.(type) {
		case *ast.StarExpr:
			of = x.X
		case *ast.IndexExpr:
			of = x.X
		case *ast.IndexListExpr:
			of = x.X
		case *ast.Ident:
			return x.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}
