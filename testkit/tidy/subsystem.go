package tidy

import (
	"go/ast"
	"path"
	"strconv"
	"strings"
)

// files are those that every subsystem has, so that who knows one finds the way in all.
var files = [...]string{"actor.go", "doc.go", "inbox.go", "state.go", "state_test.go"}

// clock lists the functions of package time that read the clock or wait for it.
var clock = map[string]bool{
	"Now": true, "Since": true, "Until": true, "Sleep": true, "After": true, "AfterFunc": true, "Tick": true, "NewTimer": true, "NewTicker": true,
}

// outward lists what package transport has for those who own a connection.
var outward = map[string]bool{"Network": true, "Transport": true, "Handler": true, "Frame": true, "Listen": true}

// MissingFiles lists the files that subsystems lack: packages directly below actors that have an actor.go.
func MissingFiles(sources []Source) Findings {
	found, present, homes := Findings{}, map[string]bool{}, map[string]bool{}
	for _, s := range sources {
		present[s.Name] = true
		if home := path.Dir(s.Name); path.Dir(home) == "actors" && path.Base(s.Name) == "actor.go" {
			homes[home] = true
		}
	}
	for home := range homes {
		for _, name := range files {
			if !present[path.Join(home, name)] {
				found[path.Join(home, name)] = 1
			}
		}
	}
	return found
}

// ImpureStates counts what a subsystem's state.go, and every other file with methods of a type that is declared there, does that belongs into its actor.go:
// to read a clock or wait for one, to know protoactor, to use a channel, a lock or a file, or to hold a link to the network, of which the names of peers
// are all it needs. A state is told the time and says what is to be sent.
func ImpureStates(sources []Source) Findings {
	found, types := Findings{}, map[string]map[string]bool{}
	for _, s := range sources {
		if path.Dir(path.Dir(s.Name)) == "actors" && path.Base(s.Name) == "state.go" {
			types[path.Dir(s.Name)] = structs(s.Syntax)
		}
	}
	for _, s := range sources {
		home := path.Dir(s.Name)
		if types[home] == nil || strings.HasSuffix(s.Name, "_test.go") {
			continue
		}
		if path.Base(s.Name) == "state.go" || extends(s.Syntax, types[home]) {
			if n := impurities(s.Syntax); n > 0 {
				found[s.Name] = n
			}
		}
	}
	return found
}

// structs names the structures a file declares.
func structs(file *ast.File) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if _, ok := spec.Type.(*ast.StructType); ok {
				names[spec.Name.Name] = true
			}
		}
		return true
	})
	return names
}

// extends reports whether a file declares methods of one of the types.
func extends(file *ast.File, types map[string]bool) bool {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil {
			continue
		}
		of := f.Recv.List[0].Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		if name, ok := of.(*ast.Ident); ok && types[name.Name] {
			return true
		}
	}
	return false
}

// impurities counts what a state leaves to its actor.
func impurities(file *ast.File) (n int) {
	imported := map[string]string{}
	for _, spec := range file.Imports {
		what, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if strings.HasPrefix(what, "github.com/asynkron/") {
			n++
		}
		name := path.Base(what)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = what
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ChanType, *ast.SendStmt, *ast.SelectStmt, *ast.GoStmt:
			n++
		case *ast.SelectorExpr:
			if of, ok := node.X.(*ast.Ident); ok && leaves(imported[of.Name], node.Sel.Name) {
				n++
			}
		}
		return true
	})
	return n
}

// leaves reports whether a name of a package is for actors only.
func leaves(pkg, name string) bool {
	switch pkg {
	case "time":
		return clock[name]
	case Module + "/actors/link":
		return name != "Peer"
	case Module + "/net/transport":
		return outward[name]
	case "os":
		return !strings.HasPrefix(name, "Err")
	case "sync", "sync/atomic":
		return true
	}
	return false
}
