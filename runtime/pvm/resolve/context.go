package resolve

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

// MaxBlocks is how many loops, try and with statements may be nested in one
// function, as in CPython 3.11.
const MaxBlocks = 20

// context is the last pass: it refuses what depends on where it stands.
type context struct {
	table  *Table
	future int32 // line of the last valid future statement
	scope  *Scope
	async  bool // the code belongs to an async def
	blocks []blockKind
}

// blockKind is a kind of statement that break, continue or return leave.
type blockKind uint8

const (
	blockLoop blockKind = iota
	blockOther
	blockGroup // handler of except*
)

// push enters a block of a statement at a place.
func (c *context) push(k blockKind, at syntax.Span) {
	if len(c.blocks) >= MaxBlocks {
		refuse(at, "too many statically nested blocks")
	}
	c.blocks = append(c.blocks, k)
}

func (c *context) pop() { c.blocks = c.blocks[:len(c.blocks)-1] }

// within runs a visit of the code of another scope.
func (c *context) within(scope int32, async bool, visit func()) {
	outer := *c
	c.scope, c.async, c.blocks = c.table.Scopes[scope], async, nil
	visit()
	*c = outer
}

func (c *context) stmts(list []syntax.Stmt) {
	for _, s := range list {
		c.stmt(s)
	}
}

// stmt checks one statement.
func (c *context) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.FunctionDef:
		c.function(s)
	case *syntax.ClassDef:
		c.classDef(s)
	case *syntax.Return:
		c.returnStatement(s)
	case *syntax.Delete:
		c.exprs(s.Targets)
	case *syntax.Assign:
		c.expr(s.Value)
		c.exprs(s.Targets)
	case *syntax.AugAssign:
		c.expr(s.Target)
		c.expr(s.Value)
	case *syntax.AnnAssign:
		c.annotated(s)
	case *syntax.For:
		c.loop(s)
	case *syntax.While:
		c.push(blockLoop, s.Span)
		c.expr(s.Test)
		c.stmts(s.Body)
		c.pop()
		c.stmts(s.Else)
	case *syntax.If:
		c.ifStatement(s)
	case *syntax.With:
		c.with(s)
	case *syntax.Match:
		c.match(s)
	case *syntax.Raise:
		c.expr(s.Exc)
		c.expr(s.Cause)
	case *syntax.Try:
		c.try(s)
	case *syntax.Assert:
		c.expr(s.Test)
		c.expr(s.Msg)
	case *syntax.Import:
		for i := range s.Names {
			c.bound(&s.Names[i].Bind, s.Span)
		}
	case *syntax.ImportFrom:
		if s.Module == "__future__" && s.Level == 0 && s.Line > c.future {
			refuse(s.Span, "from __future__ imports must occur at the beginning of the file")
		}
		for i := range s.Names {
			c.bound(&s.Names[i].Bind, s.Span)
		}
	case *syntax.ExprStmt:
		c.expr(s.Value)
	case *syntax.Break:
		if !c.inLoop(s.Span) {
			refuse(s.Span, "'break' outside loop")
		}
	case *syntax.Continue:
		if !c.inLoop(s.Span) {
			refuse(s.Span, "'continue' not properly in loop")
		}
	}
}

func (c *context) ifStatement(s *syntax.If) {
	for {
		c.expr(s.Test)
		c.stmts(s.Body)
		next, ok := elif(s)
		if !ok {
			c.stmts(s.Else)
			return
		}
		s = next
	}
}

// inLoop looks for the loop that break or continue leave.
func (c *context) inLoop(at syntax.Span) bool {
	for i := len(c.blocks) - 1; i >= 0; i-- {
		switch c.blocks[i] {
		case blockLoop:
			return true
		case blockGroup:
			c.leavesGroup(at)
		}
	}
	return false
}

func (c *context) leavesGroup(at syntax.Span) {
	refuse(at, "'break', 'continue' and 'return' cannot appear in an except* block")
}

func (c *context) returnStatement(s *syntax.Return) {
	if c.scope.Kind != Function {
		refuse(s.Span, "'return' outside function")
	}
	if s.Value != nil && c.scope.AsyncGenerator() {
		refuse(s.Span, "'return' with value in async generator")
	}
	c.expr(s.Value)
	for _, k := range c.blocks {
		if k == blockGroup {
			c.leavesGroup(s.Span)
		}
	}
}

func (c *context) function(s *syntax.FunctionDef) {
	c.exprs(s.Decorators)
	c.parameterNames(s.Args, s.Span)
	c.defaults(s.Args)
	if !c.table.Annotations {
		for _, a := range allParameters(s.Args) {
			c.annotation(a.Annotation)
		}
		c.expr(s.Returns)
	}
	c.bound(&s.Bind, s.Span)
	c.within(s.Scope, s.Async, func() { c.stmts(s.Body) })
}

// annotation checks an annotation, which for *args may be *x.
func (c *context) annotation(x syntax.Expr) {
	if star, ok := x.(*syntax.Starred); ok {
		x = star.Value
	}
	c.expr(x)
}

func (c *context) defaults(a *syntax.Arguments) {
	c.exprs(a.Defaults)
	c.exprs(a.KwDefaults)
}

// allParameters lists the parameters of a function.
func allParameters(a *syntax.Arguments) []*syntax.Arg {
	all := append(append(append([]*syntax.Arg(nil), a.PosOnly...), a.Args...), a.KwOnly...)
	if a.VarArg != nil {
		all = append(all, a.VarArg)
	}
	if a.KwArg != nil {
		all = append(all, a.KwArg)
	}
	return all
}

func (c *context) parameterNames(a *syntax.Arguments, at syntax.Span) {
	for _, arg := range allParameters(a) {
		c.bound(&arg.Bind, at)
	}
}

// bound refuses to bind the one name that is a constant without being a
// keyword.
func (c *context) bound(b *syntax.Binding, at syntax.Span) {
	if b.Name == "__debug__" {
		refuse(at, "cannot assign to __debug__")
	}
}

func (c *context) classDef(s *syntax.ClassDef) {
	c.exprs(s.Decorators)
	c.within(s.Scope, false, func() { c.stmts(s.Body) })
	c.arguments(s.Bases, s.Keywords, s.Span)
	c.bound(&s.Bind, s.Span)
}

func (c *context) annotated(s *syntax.AnnAssign) {
	c.expr(s.Value)
	if name, ok := s.Target.(*syntax.Name); ok {
		c.bound(&name.Bind, s.Span)
		if s.Simple && c.scope.Kind != Function {
			if !c.table.Annotations {
				c.expr(s.Annotation)
			}
			return
		}
	} else {
		c.expr(s.Target)
	}
	c.expr(s.Annotation)
}

func (c *context) loop(s *syntax.For) {
	if s.Async && !c.async {
		refuse(s.Span, "'async for' outside async function")
	}
	c.expr(s.Iter)
	c.push(blockLoop, s.Span)
	c.expr(s.Target)
	c.stmts(s.Body)
	c.pop()
	c.stmts(s.Else)
}

func (c *context) with(s *syntax.With) {
	if s.Async && !c.async {
		refuse(s.Span, "'async with' outside async function")
	}
	for _, item := range s.Items {
		c.expr(item.Context)
		c.push(blockOther, s.Span)
		c.expr(item.Target)
	}
	c.stmts(s.Body)
	c.blocks = c.blocks[:len(c.blocks)-len(s.Items)]
}

// try checks a try statement. In CPython each part that runs under protection
// is a block: the body, each handler, the clean-up of a handler's name.
func (c *context) try(s *syntax.Try) {
	if s.Final != nil {
		c.push(blockOther, s.Span)
	}
	if s.Handlers == nil {
		c.stmts(s.Body)
	} else {
		c.push(blockOther, s.Span)
		c.stmts(s.Body)
		c.pop()
		c.stmts(s.Else)
		k := blockOther
		if s.Star {
			k = blockGroup
		}
		c.push(k, s.Span)
		for i, h := range s.Handlers {
			if h.Type == nil && i < len(s.Handlers)-1 {
				refuse(h.Span, "default 'except:' must be last")
			}
			c.expr(h.Type)
			c.bound(&h.Bind, h.Span)
			c.push(blockOther, h.Span)
			c.stmts(h.Body)
			c.pop()
		}
		c.pop()
	}
	if s.Final != nil {
		c.pop()
		c.push(blockOther, s.Span)
		c.stmts(s.Final)
		c.pop()
	}
}
