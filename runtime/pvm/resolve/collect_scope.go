package resolve

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

// function visits a function definition.
func (c *collector) function(s *syntax.FunctionDef) {
	c.bind(s.Name, isLocal, s.Span, &s.Bind)
	c.defaults(s.Args)
	for _, arg := range positional(s.Args) {
		c.annotation(arg.Annotation)
	}
	if s.Args.VarArg != nil {
		c.annotation(s.Args.VarArg.Annotation)
	}
	if s.Args.KwArg != nil {
		c.annotation(s.Args.KwArg.Annotation)
	}
	for _, arg := range s.Args.KwOnly {
		c.annotation(arg.Annotation)
	}
	c.annotation(s.Returns)
	c.exprs(s.Decorators)
	b := c.enter(Function, s.Name, s.Line)
	s.Scope = b.scope.Index
	b.scope.Coroutine = s.Async
	c.parameters(b, s.Args)
	b.scope.Doc, b.scope.HasDoc = docstring(s.Body)
	c.stmts(s.Body)
	c.leave()
}

// defaults visits the default values of parameters.
func (c *collector) defaults(a *syntax.Arguments) {
	c.exprs(a.Defaults)
	c.exprs(a.KwDefaults)
}

// positional returns the parameters that may be given by position.
func positional(a *syntax.Arguments) []*syntax.Arg {
	if len(a.PosOnly) == 0 {
		return a.Args
	}
	return append(append([]*syntax.Arg(nil), a.PosOnly...), a.Args...)
}

// parameters defines the parameters of a function in register order.
func (c *collector) parameters(b *block, a *syntax.Arguments) {
	s := b.scope
	s.PosOnly = int32(len(a.PosOnly))
	s.Pos = s.PosOnly + int32(len(a.Args))
	s.KwOnly = int32(len(a.KwOnly))
	s.VarArg, s.KwArg = a.VarArg != nil, a.KwArg != nil
	for _, arg := range a.PosOnly {
		c.parameter(b, arg)
	}
	for _, arg := range a.Args {
		c.parameter(b, arg)
	}
	for _, arg := range a.KwOnly {
		c.parameter(b, arg)
	}
	if a.VarArg != nil {
		c.parameter(b, a.VarArg)
	}
	if a.KwArg != nil {
		c.parameter(b, a.KwArg)
	}
}

func (c *collector) parameter(b *block, arg *syntax.Arg) {
	name := c.mangle(arg.Name)
	s := c.define(b, name, isParam, arg.Span)
	s.param = int32(len(b.symbols) - 1)
	arg.Bind = syntax.Binding{Name: name, Slot: s.param, Access: syntax.AccessLocal}
}

// docstring returns the leading string of a body.
func docstring(body []syntax.Stmt) (string, bool) {
	if len(body) > 0 {
		if s, ok := body[0].(*syntax.ExprStmt); ok {
			if k, ok := s.Value.(*syntax.Constant); ok && k.Kind == syntax.Str {
				return k.Text, true
			}
		}
	}
	return "", false
}

// classDef visits a class definition.
func (c *collector) classDef(s *syntax.ClassDef) {
	c.bind(s.Name, isLocal, s.Span, &s.Bind)
	c.exprs(s.Bases)
	for _, k := range s.Keywords {
		c.expr(k.Value)
	}
	c.exprs(s.Decorators)
	b := c.enter(Class, s.Name, s.Line)
	s.Scope = b.scope.Index
	outer, outerMangled := c.class, c.mangled
	c.class, c.mangled = s.Name, nil
	b.scope.Class = s.Name
	b.scope.Doc, b.scope.HasDoc = docstring(s.Body)
	c.stmts(s.Body)
	c.class, c.mangled = outer, outerMangled
	c.leave()
}

// lambda visits a lambda expression.
func (c *collector) lambda(x *syntax.Lambda) {
	c.defaults(x.Args)
	b := c.enter(Function, "<lambda>", x.Line)
	x.Scope = b.scope.Index
	c.parameters(b, x.Args)
	c.expr(x.Body)
	c.leave()
}

// The names of comprehension scopes, and of comprehensions in messages.
var compNames = [...]struct {
	scope string
	kind  compKind
}{
	syntax.ListComp:     {"<listcomp>", "list comprehension"},
	syntax.SetComp:      {"<setcomp>", "set comprehension"},
	syntax.DictComp:     {"<dictcomp>", "dict comprehension"},
	syntax.GeneratorExp: {"<genexpr>", "generator expression"},
}

// comprehension visits a comprehension. Its first iterable belongs to the block
// around it.
func (c *collector) comprehension(x *syntax.Comp) {
	first := &x.Clauses[0]
	c.b.iterExpr++
	c.expr(first.Iter)
	c.b.iterExpr--
	name := compNames[x.Kind]
	b := c.enter(Comprehension, name.scope, x.Line)
	x.Scope = b.scope.Index
	b.comp = name.kind
	if x.Kind != syntax.GeneratorExp {
		b.scope.Frame = b.parent.scope.Frame
	} else {
		b.scope.PosOnly, b.scope.Pos = 1, 1
		c.define(b, ".0", isParam, x.Span).param = 0
	}
	if first.Async {
		b.scope.Coroutine = true
	}
	c.target(first.Target)
	c.exprs(first.Ifs)
	for i := 1; i < len(x.Clauses); i++ {
		clause := &x.Clauses[i]
		c.target(clause.Target)
		b.iterExpr++
		c.expr(clause.Iter)
		b.iterExpr--
		c.exprs(clause.Ifs)
		if clause.Async {
			b.scope.Coroutine = true
		}
	}
	c.expr(x.Value)
	c.expr(x.Elt)
	b.scope.Generator = x.Kind == syntax.GeneratorExp
	c.leave()
	if b.scope.Coroutine && !b.scope.Generator {
		c.b.scope.Coroutine = true
	}
}

// target visits the targets of a clause.
func (c *collector) target(x syntax.Expr) {
	c.b.iterTarget = true
	c.expr(x)
	c.b.iterTarget = false
}

// named visits an assignment expression. Inside comprehensions it binds in the
// nearest function or module around them.
func (c *collector) named(x *syntax.NamedExpr) {
	if c.b.iterExpr > 0 {
		refuse(x.Span, "assignment expression cannot be used in a comprehension iterable expression")
	}
	if c.b.comp != "" {
		c.extend(x.Target)
	}
	c.expr(x.Value)
	c.expr(x.Target)
}

func (c *collector) extend(target *syntax.Name) {
	name := c.mangle(target.ID)
	for b := c.b; ; b = b.parent {
		old := b.lookup(name)
		switch {
		case b.comp != "":
			if old&isIteration != 0 {
				refuse(target.Span, "assignment expression cannot rebind comprehension iteration variable '"+target.ID+"'")
			}
		case b.scope.Kind == Class:
			refuse(target.Span, "assignment expression within a comprehension cannot be used in a class body")
		case b.scope.Kind == Module || old&isGlobal != 0:
			c.define(c.b, name, isGlobal, target.Span).declare(target.Span)
			f := isGlobal
			if b.scope.Kind != Module {
				f = isLocal
			}
			c.define(b, name, f, target.Span)
			return
		default:
			c.define(c.b, name, isNonlocal, target.Span).declare(target.Span)
			c.define(b, name, isLocal, target.Span)
			return
		}
	}
}
