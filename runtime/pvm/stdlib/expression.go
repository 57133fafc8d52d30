package stdlib

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// parseCost is the price of parsing a byte, a wrong one included, and parseBase that of a text that is no name, however short.
const (
	parseCost = 18
	parseBase = 4000
)

// isExpression is _is_expression(text): whether the text is one expression, as eval() would take it. Nothing is run.
var isExpression = object.NewBuiltin(object.Method{
	Name: "_is_expression", Sig: "text, /",
	Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		s, ok := a.V[0].AsStr()
		if !ok {
			return object.False, nil
		}
		text := s.String()
		if e := m.Charge(parseCost * (len(text) + 1)); e != nil {
			return object.Value{}, e
		}
		if plainName(text) {
			return object.True, nil
		}
		if e := m.Charge(parseBase); e != nil {
			return object.Value{}, e
		}
		if e := m.Reserve(parseCost * len(text)); e != nil {
			return object.Value{}, e
		}
		tree, err := syntax.ParsePlainly([]byte(text))
		if err != nil || len(tree.Body) != 1 || strings.HasSuffix(strings.TrimRight(text, " \t\f\r\n"), ";") {
			return object.False, nil
		}
		statement, ok := tree.Body[0].(*syntax.ExprStmt)
		if !ok {
			return object.False, nil
		}
		switch statement.Value.(type) {
		case *syntax.Yield, *syntax.YieldFrom, *syntax.Starred:
			return object.False, nil
		}
		return object.True, nil
	},
})

// plainName says whether a text is letters alone, which nearly all are; keywords are for the parser.
func plainName(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < 'A' || c > 'Z' && c < 'a' || c > 'z' {
			return false
		}
	}
	return text != "" && text[0] <= 'Z' // no keyword but three begins with a capital, and those are expressions
}

// fillTyping adds the native functions of typing.
func fillTyping(m *object.Machine, mod *object.Module) *object.Exception {
	mod.DefineFunc(m, isExpression)
	return nil
}
