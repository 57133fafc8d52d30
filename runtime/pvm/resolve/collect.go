package resolve

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// collector is the first pass: it builds the blocks and their symbols.
type collector struct {
	table   *Table
	b       *block            // current block
	class   string            // nearest class, for mangling
	mangled map[string]string // private names of that class
	made    int               // bytes of names made so far
}

// refusal unwinds a pass with its error; Resolve recovers it.
type refusal struct{ err *syntax.SyntaxError }

// refuse gives up with a message for a range of the source.
func refuse(at syntax.Span, msg string) {
	panic(refusal{&syntax.SyntaxError{
		Msg: msg, Line: int(at.Line), Col: int(at.Col) + 1, EndLine: int(at.EndLine), EndCol: int(at.EndCol) + 1,
	}})
}

// MaxScopes bounds the scopes of a module, each of which becomes a code of its own or part of one.
const MaxScopes = 1 << 12

// MaxNames bounds the bytes of the names that resolving makes for a module:
// qualified names and mangled private names. Both repeat the names around them,
// so that short sources could ask for many.
const MaxNames = 4 << 20

// make counts the bytes of a name that is made.
func (c *collector) make(name string, line int32) string {
	if c.made += len(name); c.made > MaxNames {
		refuse(syntax.Span{Line: line, EndLine: line}, "names are too long")
	}
	return name
}

// mangle is Mangle for the current class; each name is made once.
func (c *collector) mangle(name string) string {
	if c.class == "" || !strings.HasPrefix(name, "__") {
		return name
	}
	if m, ok := c.mangled[name]; ok {
		return m
	}
	m := c.make(Mangle(c.class, name), c.b.scope.Line)
	if c.mangled == nil {
		c.mangled = map[string]string{}
	}
	c.mangled[name] = m
	return m
}

// enter opens a block for a node that begins on the given line.
func (c *collector) enter(kind Kind, name string, line int32) *block {
	s := &Scope{Kind: kind, Index: int32(len(c.table.Scopes)), Parent: -1, Line: line, Name: name,
		ClassCell: -1, ClassFree: -1}
	s.Frame = s.Index
	b := &block{scope: s, parent: c.b, index: map[string]*symbol{}}
	if c.b != nil {
		b.iterExpr = c.b.iterExpr
		s.Parent = c.b.scope.Index
		s.Qualname = c.make(c.qualname(kind, name), line)
		c.b.children = append(c.b.children, b)
	}
	s.Class = c.class
	if len(c.table.Scopes) == MaxScopes {
		refuse(syntax.Span{Line: line}, "too many functions, classes and comprehensions")
	}
	c.table.Scopes = append(c.table.Scopes, s)
	c.b = b
	return b
}

// leave closes the current block.
func (c *collector) leave() { c.b = c.b.parent }

// qualname is the __qualname__ of what the current block defines under a name.
func (c *collector) qualname(kind Kind, name string) string {
	outer := c.b.scope
	if outer.Kind == Module {
		return name
	}
	if kind == Class || kind == Function {
		if c.b.lookup(c.mangle(name))&isGlobal != 0 {
			return name
		}
	}
	if outer.Kind != Function {
		return outer.Qualname + "." + name
	}
	return outer.Qualname + ".<locals>." + name
}

// bind defines a name in the current block and registers the occurrence.
func (c *collector) bind(name string, f flag, at syntax.Span, ref *syntax.Binding) {
	name = c.mangle(name)
	s := c.define(c.b, name, f, at)
	ref.Name = name
	s.refs = append(s.refs, ref)
}

// define adds flags to a mangled name of a block, with the checks that depend
// on what the block already does with the name.
func (c *collector) define(b *block, name string, f flag, at syntax.Span) *symbol {
	old := b.lookup(name)
	if f&isParam != 0 && old&isParam != 0 {
		refuse(at, "duplicate argument '"+name+"' in function definition")
	}
	if b.iterTarget {
		if (old|f)&(isGlobal|isNonlocal) != 0 {
			refuse(at, "comprehension inner loop cannot rebind assignment expression target '"+name+"'")
		}
		f |= isIteration
	}
	return b.define(name, f)
}

// stmts visits statements in order.
func (c *collector) stmts(list []syntax.Stmt) {
	for _, s := range list {
		c.stmt(s)
	}
}

func (c *collector) exprs(list []syntax.Expr) {
	for _, x := range list {
		c.expr(x)
	}
}

// stmt visits one statement.
func (c *collector) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.FunctionDef:
		c.function(s)
	case *syntax.ClassDef:
		c.classDef(s)
	case *syntax.Return:
		c.expr(s.Value)
	case *syntax.Delete:
		c.exprs(s.Targets)
	case *syntax.Assign:
		c.exprs(s.Targets)
		c.expr(s.Value)
	case *syntax.AugAssign:
		c.expr(s.Target)
		c.expr(s.Value)
	case *syntax.AnnAssign:
		c.annotated(s)
	case *syntax.For:
		c.expr(s.Target)
		c.expr(s.Iter)
		c.stmts(s.Body)
		c.stmts(s.Else)
	case *syntax.While:
		c.expr(s.Test)
		c.stmts(s.Body)
		c.stmts(s.Else)
	case *syntax.If:
		c.ifStatement(s)
	case *syntax.With:
		for i := range s.Items {
			c.expr(s.Items[i].Context)
			c.expr(s.Items[i].Target)
		}
		c.stmts(s.Body)
	case *syntax.Match:
		c.expr(s.Subject)
		for i := range s.Cases {
			c.pattern(s.Cases[i].Pattern)
			c.expr(s.Cases[i].Guard)
			c.stmts(s.Cases[i].Body)
		}
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
			c.alias(&s.Names[i])
		}
	case *syntax.ImportFrom:
		for i := range s.Names {
			c.alias(&s.Names[i])
		}
	case *syntax.Global:
		c.declare(s.Names, s.Span, isGlobal, "global")
	case *syntax.Nonlocal:
		c.declare(s.Names, s.Span, isNonlocal, "nonlocal")
	case *syntax.ExprStmt:
		c.expr(s.Value)
	}
}

// ifStatement visits a chain of elif in a loop: it may be long.
func (c *collector) ifStatement(s *syntax.If) {
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

// elif returns the If that is alone in the else part of another.
func elif(s *syntax.If) (*syntax.If, bool) {
	if len(s.Else) != 1 {
		return nil, false
	}
	next, ok := s.Else[0].(*syntax.If)
	return next, ok
}

func (c *collector) try(s *syntax.Try) {
	c.stmts(s.Body)
	c.stmts(s.Else)
	for _, h := range s.Handlers {
		c.expr(h.Type)
		if h.Name != "" {
			c.bind(h.Name, isLocal, h.Span, &h.Bind)
		}
		c.stmts(h.Body)
	}
	c.stmts(s.Final)
}

// declare visits a global or nonlocal statement.
func (c *collector) declare(names []string, at syntax.Span, f flag, word string) {
	for _, name := range names {
		name = c.mangle(name)
		old := c.b.lookup(name)
		switch {
		case old&isParam != 0:
			refuse(at, "name '"+name+"' is parameter and "+word)
		case old&isUsed != 0:
			refuse(at, "name '"+name+"' is used prior to "+word+" declaration")
		case old&isAnnotated != 0:
			refuse(at, "annotated name '"+name+"' can't be "+word)
		case old&isLocal != 0:
			refuse(at, "name '"+name+"' is assigned to before "+word+" declaration")
		}
		c.define(c.b, name, f, at).declare(at)
	}
}

// annotated visits an annotated assignment.
func (c *collector) annotated(s *syntax.AnnAssign) {
	name, ok := s.Target.(*syntax.Name)
	if !ok {
		c.expr(s.Target)
	} else {
		old := c.b.lookup(c.mangle(name.ID))
		if s.Simple && c.b.scope.Kind != Module {
			if old&isGlobal != 0 {
				refuse(s.Span, "annotated name '"+name.ID+"' can't be global")
			}
			if old&isNonlocal != 0 {
				refuse(s.Span, "annotated name '"+name.ID+"' can't be nonlocal")
			}
		}
		f := flag(0)
		if s.Simple {
			f = isAnnotated | isLocal
		} else if s.Value != nil {
			f = isLocal
		}
		c.bind(name.ID, f, name.Span, &name.Bind)
	}
	c.annotation(s.Annotation)
	c.expr(s.Value)
}

// annotation visits an annotation. Under "from __future__ import annotations" it
// is text: its names mean nothing, but some expressions are not allowed.
func (c *collector) annotation(x syntax.Expr) {
	if x == nil {
		return
	}
	if !c.table.Annotations {
		c.expr(x)
		return
	}
	checkTextAnnotation(x)
}

// alias visits one imported name.
func (c *collector) alias(a *syntax.Alias) {
	if a.Name == "*" {
		if c.b.scope.Kind != Module {
			refuse(a.Span, "import * only allowed at module level")
		}
		return
	}
	name := a.AsName
	if name == "" {
		name = a.Name
		for i := range name {
			if name[i] == '.' {
				name = name[:i]
				break
			}
		}
	}
	c.bind(name, isImported, a.Span, &a.Bind)
}

// pattern visits a pattern of a case.
func (c *collector) pattern(p syntax.Pattern) {
	switch p := p.(type) {
	case *syntax.MatchValue:
		c.expr(p.Value)
	case *syntax.MatchSequence:
		c.patterns(p.Patterns)
	case *syntax.MatchMapping:
		c.exprs(p.Keys)
		c.patterns(p.Patterns)
		if p.Rest != "" {
			c.bind(p.Rest, isLocal, p.Span, &p.Bind)
		}
	case *syntax.MatchClass:
		c.expr(p.Class)
		c.patterns(p.Patterns)
		c.patterns(p.KwdPatterns)
	case *syntax.MatchStar:
		if p.Name != "" {
			c.bind(p.Name, isLocal, p.Span, &p.Bind)
		}
	case *syntax.MatchAs:
		if p.Pattern != nil {
			c.pattern(p.Pattern)
		}
		if p.Name != "" {
			c.bind(p.Name, isLocal, p.Span, &p.Bind)
		}
	case *syntax.MatchOr:
		c.patterns(p.Patterns)
	}
}

func (c *collector) patterns(list []syntax.Pattern) {
	for _, p := range list {
		c.pattern(p)
	}
}
