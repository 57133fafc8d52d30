package conform

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/compile"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/resolve"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// Tests ask for the identity of strings and numbers, which an actor may not. In the
// modules of the harness "is" is a call, so that such a test runs on: two strings are
// identical if they are one object, two small numbers if they are equal.
const identityName = "_conform_identity"

var identity = object.NewBuiltin(object.Method{Name: identityName, Sig: "a, b, /",
	Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		x, y := a.V[0], a.V[1]
		if x == y {
			return object.True, nil
		}
		for _, v := range []object.Value{x, y} {
			switch v.Kind() {
			case object.KindInt, object.KindFloat, object.KindBig, object.KindStr, object.KindBytes, object.KindComplex:
				return object.False, nil
			}
		}
		t, e := m.Is(x, y)
		return object.Bool(t), e
	}})

// compileModule compiles a module of a package for the harness.
func compileModule(name, pack, file string, source []byte) (*object.Unit, error) {
	tree, err := syntax.Parse(source)
	if err != nil {
		return nil, err
	}
	rewrite(tree.Body)
	absolute(tree.Body, pack)
	table, err := resolve.Resolve(tree)
	if err != nil {
		return nil, err
	}
	return compile.Compile(tree, table, compile.Options{Name: name, File: file, Lines: compile.Lines(string(source))})
}

// rewrite lets a program use what tests may and actors may not: see identity and
// recode.
func rewrite(body []syntax.Stmt) {
	for _, s := range body {
		syntax.Parts(s, func(x syntax.Expr) {
			syntax.Inspect(x, replaceCompare)
			syntax.Inspect(x, replaceRecode)
		}, rewrite)
	}
}

// replaceCompare changes "a is b", where the operator stands alone and neither side
// is a constant like None, into "identity(a, b) is True" or "… is False".
func replaceCompare(x syntax.Expr) {
	c, ok := x.(*syntax.Compare)
	if !ok || len(c.Ops) != 1 || c.Ops[0] != syntax.Is && c.Ops[0] != syntax.IsNot || plain(c.Left) || plain(c.Comparators[0]) {
		return
	}
	call := &syntax.Call{Span: c.Span, Func: &syntax.Name{Span: c.Span, ID: identityName}, Args: []syntax.Expr{c.Left, c.Comparators[0]}}
	kind := syntax.True
	if c.Ops[0] == syntax.IsNot {
		kind = syntax.False
	}
	c.Left, c.Ops, c.Comparators = call, []syntax.CmpOperator{syntax.Is}, []syntax.Expr{&syntax.Constant{Span: c.Span, Kind: kind}}
}

// plain says whether an operand is None, a bool or the ellipsis.
func plain(x syntax.Expr) bool {
	k, ok := x.(*syntax.Constant)
	return ok && k.Kind < syntax.Int
}
