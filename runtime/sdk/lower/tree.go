package lower

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

// Pieces of tree, all at the place of the source they stand for.

func loadName(at syntax.Span, id string) *syntax.Name { return &syntax.Name{Span: at, ID: id} }

func storeName(at syntax.Span, id string) *syntax.Name {
	return &syntax.Name{Span: at, ID: id, Ctx: syntax.Store}
}

func integer(at syntax.Span, n int) syntax.Expr {
	return &syntax.Constant{Span: at, Kind: syntax.Int, Int: int64(n)}
}

func text(at syntax.Span, s string) syntax.Expr {
	return &syntax.Constant{Span: at, Kind: syntax.Str, Text: s}
}

func none(at syntax.Span) syntax.Expr { return &syntax.Constant{Span: at, Kind: syntax.None} }

func boolean(at syntax.Span, b bool) syntax.Expr {
	if b {
		return &syntax.Constant{Span: at, Kind: syntax.True}
	}
	return &syntax.Constant{Span: at, Kind: syntax.False}
}

func assign(at syntax.Span, name string, value syntax.Expr) syntax.Stmt {
	return &syntax.Assign{Span: at, Targets: []syntax.Expr{storeName(at, name)}, Value: value}
}

func attribute(at syntax.Span, x syntax.Expr, name string) syntax.Expr {
	return &syntax.Attribute{Span: at, Value: x, Attr: name}
}

func call(at syntax.Span, fn syntax.Expr, args ...syntax.Expr) syntax.Expr {
	return &syntax.Call{Span: at, Func: fn, Args: args}
}

// helper calls a function of the machinery.
func helper(at syntax.Span, name string, args ...syntax.Expr) syntax.Expr {
	return call(at, attribute(at, loadName(at, machinery), name), args...)
}

func compare(at syntax.Span, left syntax.Expr, op syntax.CmpOperator, right syntax.Expr) syntax.Expr {
	return &syntax.Compare{Span: at, Left: left, Ops: []syntax.CmpOperator{op}, Comparators: []syntax.Expr{right}}
}

func or(at syntax.Span, values ...syntax.Expr) syntax.Expr {
	return &syntax.BoolOp{Span: at, Op: syntax.Or, Values: values}
}

func and(at syntax.Span, values ...syntax.Expr) syntax.Expr {
	return &syntax.BoolOp{Span: at, Op: syntax.And, Values: values}
}

func not(at syntax.Span, x syntax.Expr) syntax.Expr {
	return &syntax.UnaryOp{Span: at, Op: syntax.Not, Operand: x}
}

func when(at syntax.Span, test syntax.Expr, body ...syntax.Stmt) syntax.Stmt {
	return &syntax.If{Span: at, Test: test, Body: body}
}
