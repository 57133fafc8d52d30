package conform

import (
	"errors"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/compile"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/resolve"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// mode is how a source text is compiled.
type mode uint8

// Code is what compile returns.
type Code struct {
	object.Object
	source, file string
	mode         mode
	module, body *object.Unit // compiled for one namespace and for two
}

// compileText is compile(). A tree of package ast is not made.
func compileText(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	file, e := text(m, a.V[1])
	if e != nil {
		return object.Value{}, e
	}
	kind, ok := a.V[2].AsStr()
	if !ok {
		return object.Value{}, m.TypeError("compile() argument 3 must be str, not %s", a.V[2].Type().Name)
	}
	c, e := code(m, a.V[0], "compile", file)
	if e != nil {
		return object.Value{}, e
	}
	switch kind.String() {
	case "exec":
		c.mode = modeExec
	case "eval":
		c.mode = modeEval
	case "single":
		c.mode = modeSingle
	default:
		return object.Value{}, m.ValueError("compile() mode must be 'exec', 'eval' or 'single'")
	}
	if e := c.unit(m, false); e != nil {
		return object.Value{}, e
	}
	return c.Value(), nil
}

// Value returns the code as a value.
func (c *Code) Value() object.Value { return object.Of(&c.Object) }

func text(m *object.Machine, v object.Value) (string, *object.Exception) {
	if s, ok := v.AsStr(); ok {
		return s.String(), nil
	}
	if b, ok := v.AsBytes(); ok {
		return string(b.Data()), nil
	}
	return "", m.TypeError("expected a string, not %s", v.Type().Name)
}

// code returns v if it is a code, or a new one for a source text.
func code(m *object.Machine, v object.Value, caller, file string) (*Code, *object.Exception) {
	if c, ok := object.Cast[Code](v, &typeCode); ok {
		return c, nil
	}
	source := ""
	if s, ok := v.AsStr(); ok {
		if strings.ContainsRune(s.String(), 0) {
			return nil, m.ValueError("source code string cannot contain null bytes")
		}
		encoded, e := m.CallMethod(v, object.StaticName("encode"))
		if e != nil {
			return nil, e
		}
		b, _ := encoded.AsBytes()
		source = string(b.Data())
	} else if b, ok := v.AsBytes(); ok {
		source = string(b.Data())
	} else if b, ok := v.AsByteArray(); ok {
		source = string(b.Data())
	} else {
		what := "string, bytes or code"
		if caller == "compile" {
			what = "string, bytes or AST"
		}
		return nil, m.TypeError("%s() arg 1 must be a %s object", caller, what)
	}
	c := object.Alloc[Code](m, &typeCode, len(source))
	c.source, c.file = source, file
	return c, nil
}

// unit compiles the source once for each use: the module's own namespace, or as
// the body of a class, whose names live in a mapping of their own.
func (c *Code) unit(m *object.Machine, body bool) *object.Exception {
	if c.module != nil && !body || c.body != nil && body {
		return nil
	}
	source := c.source
	if c.mode == modeEval {
		source = strings.TrimLeft(source, " \t")
	}
	tree, err := syntax.Parse([]byte(source))
	if err == nil && c.mode == modeEval {
		err = expression(tree)
	}
	if err == nil && c.mode == modeSingle {
		rewrite(tree.Body)
		interactive(tree.Body)
	}
	var table *resolve.Table
	if err == nil {
		if body {
			tree.Body = []syntax.Stmt{&syntax.ClassDef{Name: bodyName, Body: append(globals(tree.Body), nonEmpty(tree.Body)...)}}
		}
		table, err = resolve.Resolve(tree)
	}
	var u *object.Unit
	if err == nil {
		u, err = compile.Compile(tree, table, compile.Options{Name: "exec", File: c.file, Lines: compile.Lines(source)})
	}
	if err != nil {
		var se *syntax.SyntaxError
		if errors.As(err, &se) {
			_ = se.Quote([]byte(source))
		}
		return syntaxError(m, err, c.file)
	}
	if body {
		c.body = u
	} else {
		c.module = u
	}
	return nil
}

func nonEmpty(body []syntax.Stmt) []syntax.Stmt {
	if len(body) == 0 {
		return []syntax.Stmt{&syntax.Pass{}}
	}
	return body
}

// globals returns a statement that declares what functions of the source declare as
// global: at the top level of a module those names are global too.
func globals(body []syntax.Stmt) []syntax.Stmt {
	var names []string
	var walk func(body []syntax.Stmt)
	walk = func(body []syntax.Stmt) {
		for _, s := range body {
			if g, ok := s.(*syntax.Global); ok {
				names = append(names, g.Names...)
			}
			syntax.Parts(s, func(syntax.Expr) {}, walk)
		}
	}
	walk(body)
	if len(names) == 0 {
		return nil
	}
	return []syntax.Stmt{&syntax.Global{Names: names}}
}

// expression turns a module of one expression into one that keeps its value.
func expression(tree *syntax.Module) error {
	if len(tree.Body) == 1 {
		if s, ok := tree.Body[0].(*syntax.ExprStmt); ok {
			tree.Body[0] = &syntax.Assign{Span: s.Span, Targets: []syntax.Expr{&syntax.Name{Span: s.Span, ID: resultName, Ctx: syntax.Store}}, Value: s.Value}
			return nil
		}
	}
	at := syntax.Span{Line: 1, EndLine: 1}
	if len(tree.Body) > 0 {
		at = tree.Body[0].At()
	}
	return &syntax.SyntaxError{Msg: "invalid syntax", Line: int(at.Line), Col: int(at.Col) + 1, EndLine: int(at.EndLine), EndCol: int(at.EndCol) + 1}
}

// interactive makes every expression statement outside functions and classes show
// its value.
func interactive(body []syntax.Stmt) {
	for i, s := range body {
		switch s := s.(type) {
		case *syntax.ExprStmt:
			if _, ok := s.Value.(*syntax.Starred); ok {
				continue
			}
			hook := &syntax.Name{Span: s.Span, ID: displayName}
			body[i] = &syntax.ExprStmt{Span: s.Span, Value: &syntax.Call{Span: s.Span, Func: hook, Args: []syntax.Expr{s.Value}}}
		case *syntax.FunctionDef, *syntax.ClassDef:
		default:
			syntax.Parts(s, func(syntax.Expr) {}, interactive)
		}
	}
}

// syntaxError raises the Python exception for an error of the compiler.
func syntaxError(m *object.Machine, err error, file string) *object.Exception {
	var se *syntax.SyntaxError
	if !errors.As(err, &se) {
		return m.Raise(&object.ExcSyntaxError, "%s", err)
	}
	t := &object.ExcSyntaxError
	switch se.Kind {
	case syntax.KindIndentation:
		t = &object.ExcIndentationError
	case syntax.KindTab:
		t = &object.ExcTabError
	}
	line := object.None
	if se.Text != "" {
		line = m.Str(se.Text + "\n")
	}
	where := m.Tuple(m.Str(file), object.Int(int64(se.Line)), object.Int(int64(se.Col)), line, object.Int(int64(se.EndLine)), object.Int(int64(se.EndCol)))
	v, e := m.Call(t.Value(), object.Positional(m.Str(se.Msg), where))
	if e != nil {
		return e
	}
	x, _ := v.AsException()
	return x
}
