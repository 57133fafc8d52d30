package syntax

// Inspect calls visit for an expression and then for every expression inside it,
// in source order as far as the tree keeps it. Nil is no expression.
func Inspect(x Expr, visit func(Expr)) {
	if x == nil {
		return
	}
	visit(x)
	each := func(xs ...Expr) {
		for _, x := range xs {
			Inspect(x, visit)
		}
	}
	switch x := x.(type) {
	case *BoolOp:
		each(x.Values...)
	case *NamedExpr:
		each(x.Target, x.Value)
	case *BinOp:
		each(x.Left, x.Right)
	case *UnaryOp:
		each(x.Operand)
	case *Lambda:
		each(x.Args.Defaults...)
		each(x.Args.KwDefaults...)
		each(x.Body)
	case *IfExp:
		each(x.Body, x.Test, x.Else)
	case *Dict:
		for i := range x.Keys {
			each(x.Keys[i], x.Values[i])
		}
	case *Set:
		each(x.Elts...)
	case *Comp:
		each(x.Elt, x.Value)
		for i := range x.Clauses {
			each(x.Clauses[i].Target, x.Clauses[i].Iter)
			each(x.Clauses[i].Ifs...)
		}
	case *Await:
		each(x.Value)
	case *Yield:
		each(x.Value)
	case *YieldFrom:
		each(x.Value)
	case *Compare:
		each(x.Left)
		each(x.Comparators...)
	case *Call:
		each(x.Func)
		each(x.Args...)
		for _, k := range x.Keywords {
			each(k.Value)
		}
	case *FormattedValue:
		each(x.Value)
		if x.Spec != nil {
			each(x.Spec)
		}
	case *JoinedStr:
		each(x.Values...)
	case *Attribute:
		each(x.Value)
	case *Subscript:
		each(x.Value, x.Index)
	case *Starred:
		each(x.Value)
	case *List:
		each(x.Elts...)
	case *Tuple:
		each(x.Elts...)
	case *Slice:
		each(x.Lower, x.Upper, x.Step)
	}
}
