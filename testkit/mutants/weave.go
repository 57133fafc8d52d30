package mutants

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// switchFile is added to every package that has mutants. The number in the environment chooses one of them; with -1 none is chosen, and each is written to a
// file when its function is first called.
const switchFile = `package %s

import (
	"os"
	"strconv"
	"sync"
)

var mutantActive = func() int { n, _ := strconv.Atoi(os.Getenv("MUTANT")); return n }()

var mutantSeen sync.Map

func mutantOn(n int) bool {
	if mutantActive > 0 {
		return mutantActive == n
	}
	if _, known := mutantSeen.LoadOrStore(n, true); !known {
		if f, err := os.OpenFile(os.Getenv("MUTANT_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			f.WriteString(strconv.Itoa(n) + "\n")
			f.Close()
		}
	}
	return false
}
`

// numbered is a mutant with the number that chooses it.
type numbered struct {
	Mutant
	number int
}

// weave gives the source of a file in which each of the mutants is a second copy of its function, behind the original source, and the original begins by
// calling the copy if its number is chosen. All mutants are then compiled and linked once. lines gives for each mutant the first line of its copy.
func weave(source []byte, list []numbered) (woven []byte, lines []int, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	var edits []edit
	var copies bytes.Buffer
	firsts := make([]int, len(list))
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		var choose strings.Builder
		for i, m := range list {
			if m.start < offset(f.Body.Lbrace) || m.end > offset(f.Body.Rbrace) {
				continue
			}
			firsts[i] = bytes.Count(copies.Bytes(), []byte("\n"))
			name := fmt.Sprintf("%s_mutant%d", f.Name.Name, m.number)
			copies.Write(source[offset(f.Pos()):offset(f.Name.Pos())])
			copies.WriteString(name)
			copies.Write(source[offset(f.Name.End()):m.start])
			copies.WriteString(m.To)
			copies.Write(source[m.end:offset(f.End())])
			copies.WriteString("\n")
			fmt.Fprintf(&choose, " if mutantActive != 0 && mutantOn(%d) { %s };", m.number, call(f, name))
		}
		if choose.Len() > 0 {
			edits = append(edits, names(f, offset)...)
			edits = append(edits, edit{at: offset(f.Body.Lbrace) + 1, text: choose.String()})
		}
	}
	woven = slices.Concat(apply(source, edits), []byte("\n"))
	before := bytes.Count(woven, []byte("\n"))
	for i := range firsts {
		firsts[i] += before + 1
	}
	return append(woven, copies.Bytes()...), firsts, nil
}

// edit puts text in the place of the bytes from at on, as many as over says.
type edit struct {
	at, over int
	text     string
}

func apply(source []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	var out []byte
	done := 0
	for _, e := range edits {
		out = append(append(out, source[done:e.at]...), e.text...)
		done = e.at + e.over
	}
	return append(out, source[done:]...)
}

// names gives the edits that name what a function's receiver and parameters leave without a name.
func names(f *ast.FuncDecl, offset func(token.Pos) int) []edit {
	var edits []edit
	n := 0
	each := func(fields *ast.FieldList, prefix string) {
		if fields == nil {
			return
		}
		for _, field := range fields.List {
			if len(field.Names) == 0 {
				edits = append(edits, edit{at: offset(field.Type.Pos()), text: fmt.Sprintf("%s%d ", prefix, n)})
				n++
			}
			for _, name := range field.Names {
				if name.Name == "_" {
					edits = append(edits, edit{at: offset(name.Pos()), over: 1, text: fmt.Sprintf("%s%d", prefix, n)})
				}
				n++
			}
		}
	}
	each(f.Recv, "mutantReceiver")
	n = 0
	each(f.Type.Params, "mutantParam")
	return edits
}

// call writes the call of a function's copy with the arguments the function was given.
func call(f *ast.FuncDecl, name string) string {
	var args []string
	for _, field := range f.Type.Params.List {
		spread := ""
		if _, variadic := field.Type.(*ast.Ellipsis); variadic {
			spread = "..."
		}
		given := field.Names
		if len(given) == 0 {
			given = []*ast.Ident{{Name: "_"}}
		}
		for _, name := range given {
			arg := name.Name
			if arg == "_" {
				arg = fmt.Sprintf("mutantParam%d", len(args))
			}
			args = append(args, arg+spread)
		}
	}
	if f.Recv != nil {
		receiver := "mutantReceiver0"
		if given := f.Recv.List[0].Names; len(given) == 1 && given[0].Name != "_" {
			receiver = given[0].Name
		}
		name = receiver + "." + name
	}
	if types := f.Type.TypeParams; types != nil {
		var given []string
		for _, field := range types.List {
			for _, name := range field.Names {
				given = append(given, name.Name)
			}
		}
		name += "[" + strings.Join(given, ", ") + "]"
	}
	text := name + "(" + strings.Join(args, ", ") + ")"
	if f.Type.Results == nil {
		return text + "; return"
	}
	return "return " + text
}
