package resolve

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

// Resolve resolves the names of a module: it fills in every Binding, Scope and
// Mangled of the tree and returns the scopes. The error is a *syntax.SyntaxError
// whose columns count bytes from 1, as CPython's do for errors found after
// parsing, and whose Text is left to the caller. A tree must be resolved once
// only.
func Resolve(m *syntax.Module) (*Table, error) {
	t, _, err := analyze(m)
	return t, err
}

// analyze is Resolve that also returns the module's block.
func analyze(m *syntax.Module) (t *Table, root *block, err error) {
	defer func() {
		if r := recover(); r != nil {
			found, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			t, root, err = nil, nil, found.err
		}
	}()
	t = &Table{}
	future := futureStatements(t, m)
	c := &collector{table: t}
	root = c.enter(Module, "<module>", 1)
	root.scope.Qualname = "<module>"
	root.scope.Doc, root.scope.HasDoc = docstring(m.Body)
	c.stmts(m.Body)
	(&classifier{visible: map[string][]*symbol{}}).block(root)
	number(root)
	(&context{table: t, future: future, scope: root.scope}).stmts(m.Body)
	return t, root, nil
}

// futureFeatures are the features that from __future__ may name. All but
// annotations are part of the language by now.
var futureFeatures = map[string]bool{
	"nested_scopes": true, "generators": true, "division": true, "absolute_import": true, "with_statement": true,
	"print_function": true, "unicode_literals": true, "barry_as_FLUFL": true, "generator_stop": true,
	"annotations": true,
}

// futureStatements reads the future statements at the head of a module and
// returns the line of the last.
func futureStatements(t *Table, m *syntax.Module) (line int32) {
	for i, s := range m.Body {
		if x, ok := s.(*syntax.ExprStmt); ok && i == 0 {
			if k, ok := x.Value.(*syntax.Constant); ok && k.Kind == syntax.Str {
				continue
			}
		}
		f, ok := s.(*syntax.ImportFrom)
		if !ok || f.Module != "__future__" || f.Level != 0 {
			break
		}
		line = f.Line
		for _, a := range f.Names {
			at := syntax.Span{Line: f.Line, Col: f.Col, EndLine: f.Line, EndCol: -1}
			switch {
			case a.Name == "braces":
				refuse(at, "not a chance")
			case !futureFeatures[a.Name]:
				refuse(at, "future feature "+a.Name+" is not defined")
			case a.Name == "annotations":
				t.Annotations = true
			}
		}
	}
	return line
}
