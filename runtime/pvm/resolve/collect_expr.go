package resolve

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

// expr visits an expression; nil is an absent one.
func (c *collector) expr(x syntax.Expr) {
	switch x := x.(type) {
	case nil:
	case *syntax.NamedExpr:
		c.named(x)
	case *syntax.Lambda:
		c.lambda(x)
	case *syntax.IfExp:
		c.expr(x.Test)
		c.expr(x.Body)
		c.expr(x.Else)
	case *syntax.Dict:
		c.exprs(x.Keys)
		c.exprs(x.Values)
	case *syntax.Comp:
		c.comprehension(x)
	case *syntax.Await:
		c.expr(x.Value)
		c.b.scope.Coroutine = true
	case *syntax.Yield:
		c.expr(x.Value)
		c.yield(x.Span)
	case *syntax.YieldFrom:
		c.expr(x.Value)
		c.yield(x.Span)
	case *syntax.Attribute:
		c.expr(x.Value)
		x.Mangled = c.mangle(x.Attr)
	case *syntax.Name:
		c.name(x)
	default:
		syntax.Children(x, c.expr)
	}
}

// name visits one occurrence of a name. A function that reads super may need
// the class its definition stands in.
func (c *collector) name(x *syntax.Name) {
	f := isLocal
	if x.Ctx == syntax.Load {
		f = isUsed
		if x.ID == "super" && c.b.function() {
			c.define(c.b, "__class__", isUsed, x.Span)
		}
	}
	c.bind(x.ID, f, x.Span, &x.Bind)
}

// yield visits the effect of a yield expression on its block.
func (c *collector) yield(at syntax.Span) {
	c.b.scope.Generator = true
	if c.b.comp != "" {
		refuse(at, "'yield' inside "+string(c.b.comp))
	}
}

// checkTextAnnotation refuses what an annotation kept as text may not hold.
func checkTextAnnotation(x syntax.Expr) {
	syntax.Inspect(x, func(x syntax.Expr) {
		what := ""
		switch x.(type) {
		case *syntax.Yield, *syntax.YieldFrom:
			what = "yield expression"
		case *syntax.Await:
			what = "await expression"
		case *syntax.NamedExpr:
			what = "named expression"
		default:
			return
		}
		refuse(x.At(), "'"+what+"' can not be used within an annotation")
	})
}
