package resolve

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

func (c *context) exprs(list []syntax.Expr) {
	for _, x := range list {
		c.expr(x)
	}
}

// elements checks the elements of a display or an argument list, where *x is
// allowed.
func (c *context) elements(list []syntax.Expr) {
	for _, x := range list {
		if s, ok := x.(*syntax.Starred); ok {
			x = s.Value
		}
		c.expr(x)
	}
}

// expr checks an expression; nil is an absent one.
func (c *context) expr(x syntax.Expr) {
	switch x := x.(type) {
	case nil:
	case *syntax.NamedExpr:
		c.expr(x.Value)
		c.expr(x.Target)
	case *syntax.Lambda:
		c.parameterNames(x.Args, x.Span)
		c.defaults(x.Args)
		c.within(x.Scope, false, func() { c.expr(x.Body) })
	case *syntax.IfExp:
		c.expr(x.Test)
		c.expr(x.Body)
		c.expr(x.Else)
	case *syntax.Dict:
		c.exprs(x.Keys)
		c.exprs(x.Values)
	case *syntax.Set:
		c.elements(x.Elts)
	case *syntax.Comp:
		c.comprehension(x)
	case *syntax.Await:
		c.await(x)
	case *syntax.Yield:
		if c.scope.Kind != Function {
			refuse(x.Span, "'yield' outside function")
		}
		c.expr(x.Value)
	case *syntax.YieldFrom:
		if c.scope.Kind != Function {
			refuse(x.Span, "'yield' outside function")
		}
		if c.async {
			refuse(x.Span, "'yield from' inside async function")
		}
		c.expr(x.Value)
	case *syntax.Call:
		c.expr(x.Func)
		c.arguments(x.Args, x.Keywords, x.Span)
	case *syntax.Attribute:
		c.expr(x.Value)
		c.named(x.Attr, x.Ctx, x.Span)
	case *syntax.Subscript:
		c.expr(x.Value)
		if t, ok := x.Index.(*syntax.Tuple); ok {
			c.elements(t.Elts)
		} else {
			c.expr(x.Index)
		}
	case *syntax.Starred:
		if x.Ctx == syntax.Store {
			refuse(x.Span, "starred assignment target must be in a list or tuple")
		}
		refuse(x.Span, "can't use starred expression here")
	case *syntax.Name:
		c.named(x.ID, x.Ctx, x.Span)
	case *syntax.List:
		c.sequence(x.Elts, x.Ctx, x.Span)
	case *syntax.Tuple:
		c.sequence(x.Elts, x.Ctx, x.Span)
	default:
		syntax.Children(x, c.expr)
	}
}

// named refuses to store or delete __debug__.
func (c *context) named(name string, ctx syntax.Context, at syntax.Span) {
	if name != "__debug__" || ctx == syntax.Load {
		return
	}
	if ctx == syntax.Del {
		refuse(at, "cannot delete __debug__")
	}
	refuse(at, "cannot assign to __debug__")
}

// sequence checks a tuple or list, which as a target may hold one *x.
func (c *context) sequence(elts []syntax.Expr, ctx syntax.Context, at syntax.Span) {
	if ctx == syntax.Store {
		starred := false
		for i, x := range elts {
			if _, ok := x.(*syntax.Starred); !ok {
				continue
			}
			if starred {
				refuse(at, "multiple starred expressions in assignment")
			}
			if i >= 256 || len(elts)-i-1 >= 1<<31>>8 {
				refuse(at, "too many expressions in star-unpacking assignment")
			}
			starred = true
		}
	}
	c.elements(elts)
}

// arguments checks the arguments of the call or the class at a place.
func (c *context) arguments(args []syntax.Expr, keywords []*syntax.Keyword, at syntax.Span) {
	var seen map[string]bool
	if len(keywords) > 1 {
		seen = make(map[string]bool, len(keywords))
	}
	for _, k := range keywords {
		if k.Arg == "__debug__" {
			refuse(at, "cannot assign to __debug__")
		}
		if k.Arg != "" && seen != nil {
			if seen[k.Arg] {
				refuse(k.Span, "keyword argument repeated: "+k.Arg)
			}
			seen[k.Arg] = true
		}
	}
	c.elements(args)
	for _, k := range keywords {
		c.expr(k.Value)
	}
}

func (c *context) await(x *syntax.Await) {
	if c.scope.Kind != Function && c.scope.Kind != Comprehension {
		refuse(x.Span, "'await' outside function")
	}
	if !c.async && c.scope.Kind != Comprehension {
		refuse(x.Span, "'await' outside async function")
	}
	c.expr(x.Value)
}

// comprehension checks a comprehension. One that awaits must stand in an async
// function or another comprehension; a generator expression may stand anywhere.
func (c *context) comprehension(x *syntax.Comp) {
	inner := c.table.Scopes[x.Scope]
	if x.Kind != syntax.GeneratorExp && inner.Coroutine && !c.async && c.scope.Kind != Comprehension {
		refuse(x.Span, "asynchronous comprehension outside of an asynchronous function")
	}
	c.expr(x.Clauses[0].Iter)
	c.within(x.Scope, false, func() {
		for i := range x.Clauses {
			clause := &x.Clauses[i]
			if i > 0 {
				c.expr(clause.Iter)
			}
			c.expr(clause.Target)
			c.exprs(clause.Ifs)
		}
		c.expr(x.Elt)
		c.expr(x.Value)
	})
}
