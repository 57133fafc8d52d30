package tidy

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

// encoders names the methods that give a record's encoding; each returns bytes and nothing else.
var encoders = []string{"Append", "Encode", "AppendRecord", "append", "encode", "appendBody"}

// Encoded lists the types of a package that encode themselves, in the order of their methods. Each has its hash in the package's testdata/records.golden.
func Encoded(pkg *packages.Package) []string {
	var list []string
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !slices.Contains(encoders, f.Name.Name) {
				continue
			}
			method := pkg.TypesInfo.Defs[f.Name].(*types.Func).Signature()
			if r := method.Results(); r.Len() != 1 || types.TypeString(r.At(0).Type(), nil) != "[]byte" {
				continue
			}
			of := method.Recv().Type()
			if p, ok := of.(*types.Pointer); ok {
				of = p.Elem()
			}
			if name := of.(*types.Named).Obj().Name(); !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}
