package tidy

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// instructions is the package that alone may tell instructions apart by a switch: everything else reads their rows.
const instructions = Module + "/chain/tx"

// Switches reports switches over instructions or opcodes outside chain/tx.
func Switches(pkg *packages.Package) []Problem {
	if pkg.PkgPath == instructions {
		return nil
	}
	var found []Problem
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			if name := switchedOver(pkg, n); name != "" {
				pos := pkg.Fset.Position(n.Pos())
				found = append(found, Problem{pos, fmt.Sprintf("switches over tx.%s; ask the row (tx.RowOf) or a function of package tx", name)})
			}
			return true
		})
	}
	return found
}

// switchedOver is the name of the type of package tx that a statement switches over, or nothing.
func switchedOver(pkg *packages.Package, n ast.Node) string {
	var operand ast.Expr
	switch n := n.(type) {
	case *ast.SwitchStmt:
		operand = n.Tag
	case *ast.TypeSwitchStmt:
		switch a := n.Assign.(type) {
		case *ast.AssignStmt:
			operand = a.Rhs[0].(*ast.TypeAssertExpr).X
		case *ast.ExprStmt:
			operand = a.X.(*ast.TypeAssertExpr).X
		}
	}
	if operand == nil {
		return ""
	}
	named, ok := pkg.TypesInfo.TypeOf(operand).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != instructions {
		return ""
	}
	if name := named.Obj().Name(); name == "Instruction" || name == "Opcode" || name == "Chapter" {
		return name
	}
	return ""
}

// Bodies lists the types of chain/tx that are instructions.
func Bodies(pkg *packages.Package) []string {
	scope := pkg.Types.Scope()
	instruction := scope.Lookup("Instruction").Type().Underlying().(*types.Interface)
	var names []string
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if ok && !types.IsInterface(t.Type()) && types.Implements(types.NewPointer(t.Type()), instruction) {
			names = append(names, name)
		}
	}
	return names
}
