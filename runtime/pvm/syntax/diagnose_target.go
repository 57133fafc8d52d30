package syntax

// targets is where an expression stands that should be a target.
type targets uint8

const (
	assignTargets targets = iota
	forTargets
	deleteTargets
)

// target reports the part of a captured expression that cannot be a target.
func (m *matcher) target(where targets) {
	x := m.node(m.captured("a"))
	if x == nil {
		return
	}
	bad := badTarget(x, where)
	if bad == nil {
		return
	}
	verb := "cannot assign to "
	if where == deleteTargets {
		verb = "cannot delete "
	}
	m.report(m.p.errorSpan(bad.At(), nil, verb+exprName(bad)))
}

// badTarget returns the first part of an expression that cannot be a target, or
// nil.
func badTarget(x Expr, where targets) Expr {
	switch x := x.(type) {
	case *List:
		return firstBadTarget(x.Elts, where)
	case *Tuple:
		return firstBadTarget(x.Elts, where)
	case *Starred:
		if where == deleteTargets {
			return x
		}
		return badTarget(x.Value, where)
	case *Compare:
		// "for a in b" reads as a comparison.
		if where == forTargets {
			if x.Ops[0] == In {
				return badTarget(x.Left, where)
			}
			return nil
		}
		return x
	case *Name, *Subscript, *Attribute:
		return nil
	}
	return x
}

func firstBadTarget(xs []Expr, where targets) Expr {
	for _, x := range xs {
		if bad := badTarget(x, where); bad != nil {
			return bad
		}
	}
	return nil
}

// exprName is what messages call an expression.
func exprName(x Expr) string {
	switch x := x.(type) {
	case *Attribute:
		return "attribute"
	case *Subscript:
		return "subscript"
	case *Starred:
		return "starred"
	case *Name:
		return "name"
	case *List:
		return "list"
	case *Tuple:
		return "tuple"
	case *Lambda:
		return "lambda"
	case *Call:
		return "function call"
	case *BoolOp, *BinOp, *UnaryOp:
		return "expression"
	case *Comp:
		return [...]string{"list comprehension", "set comprehension", "dict comprehension", "generator expression"}[x.Kind]
	case *Yield, *YieldFrom:
		return "yield expression"
	case *Await:
		return "await expression"
	case *Dict:
		return "dict literal"
	case *Set:
		return "set display"
	case *JoinedStr, *FormattedValue:
		return "f-string expression"
	case *Constant:
		if x.Kind <= False {
			return [...]string{"None", "True", "False"}[x.Kind]
		}
		if x.Kind == Ellipsis {
			return "ellipsis"
		}
		return "literal"
	case *Compare:
		return "comparison"
	case *IfExp:
		return "conditional expression"
	case *NamedExpr:
		return "named expression"
	}
	return "expression"
}
