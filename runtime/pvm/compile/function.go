package compile

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// What OpFunction finds in the registers from B on, in this order.
const (
	WithDefaults    = 1 << iota // tuple of positional defaults
	WithKwDefaults              // tuple of keyword-only defaults, unbound where required
	WithAnnotations             // dict
)

// child adds the code compiled by k as a child of c and returns its number.
func (c *coder) child(k *coder) int {
	k.finish()
	c.code.Children = append(c.code.Children, k.code)
	return len(c.code.Children) - 1
}

func (c *coder) functionDef(s *syntax.FunctionDef) {
	mark := c.temps
	r := c.temp()
	decorators := c.decorators(s.Decorators)
	flags, base := c.parameters(s.Args, s.Returns, true)
	k := c.newCode(c.table.Scopes[s.Scope])
	k.at = s.Span
	k.findDeletions(s.Body)
	k.prologue()
	k.stmts(s.Body)
	k.emit(0, OpReturnNone, 0, 0, 0, 0, 0)
	c.setAt(s.Span)
	c.emit(c.price.Function, OpFunction, r, base, flags, c.child(k), 0)
	c.decorate(s.Decorators, decorators, r)
	c.store(s.Bind, r)
	c.release(mark)
}

// decorators evaluates decorators; each has room for its argument behind it.
func (c *coder) decorators(list []syntax.Expr) int {
	base := c.tempsOf(2 * len(list))
	for i, d := range list {
		c.into(d, base+2*i)
	}
	return base
}

// decorate applies decorators to register r, innermost first.
func (c *coder) decorate(list []syntax.Expr, base, r int) {
	for i := len(list) - 1; i >= 0; i-- {
		old := c.setAt(list[i].At())
		c.emit(0, OpMove, base+2*i+1, r, 0, 0, 0)
		c.emit(c.price.Call, OpCall, r, base+2*i, 1, 0, c.cache())
		c.setAt(old)
	}
}

func (c *coder) lambda(x *syntax.Lambda, r int) {
	flags, base := c.parameters(x.Args, nil, false)
	k := c.newCode(c.table.Scopes[x.Scope])
	k.at = x.Span
	k.prologue()
	v := k.operand(x.Body)
	k.emit(0, OpReturn, v, 0, 0, 0, 0)
	c.emit(c.price.Function, OpFunction, r, base, flags, c.child(k), 0)
}

// parameters evaluates defaults and annotations into consecutive registers.
func (c *coder) parameters(a *syntax.Arguments, returns syntax.Expr, annotated bool) (flags, base int) {
	base = c.tempsOf(3)
	at := base
	if len(a.Defaults) > 0 {
		flags |= WithDefaults
		c.display(a.Defaults, OpTuple, at)
		c.release(base + 3)
		at++
	}
	for _, d := range a.KwDefaults {
		if d != nil {
			flags |= WithKwDefaults
		}
	}
	if flags&WithKwDefaults != 0 {
		c.kwDefaults(a, at)
		c.release(base + 3)
		at++
	}
	if annotated && c.annotations(a, returns, at) {
		flags |= WithAnnotations
	}
	c.release(base + 3)
	return flags, base
}

// kwDefaults builds a tuple with Ellipsis-free holes: required parameters stay
// unbound.
func (c *coder) kwDefaults(a *syntax.Arguments, r int) {
	n := len(a.KwDefaults)
	items := c.tempsOf(n)
	for i, d := range a.KwDefaults {
		if d == nil {
			c.emit(0, OpUnset, items+i, 0, 0, 0, 0)
		} else {
			c.into(d, items+i)
		}
	}
	c.emit(c.price.Display+n*c.price.Element, OpTuple, r, items, n, 0, 0)
}

// annotations builds the dict of annotations in register r if there are any.
func (c *coder) annotations(a *syntax.Arguments, returns syntax.Expr, r int) bool {
	var args []*syntax.Arg
	args = append(append(args, a.PosOnly...), a.Args...)
	if a.VarArg != nil {
		args = append(args, a.VarArg)
	}
	args = append(args, a.KwOnly...)
	if a.KwArg != nil {
		args = append(args, a.KwArg)
	}
	any := returns != nil
	for _, p := range args {
		any = any || p.Annotation != nil
	}
	if !any {
		return false
	}
	c.emit(c.price.Mapping, OpDict, r, r, 0, 0, 0)
	set := func(name string, x syntax.Expr) {
		mark := c.temps
		pair := c.tempsOf(2)
		c.emit(0, OpConst, pair, 0, 0, int(c.str(name)), 0)
		c.annotation(x, pair+1)
		c.emit(c.price.DictAccess, OpDictSet, r, pair, pair+1, 0, 0)
		c.release(mark)
	}
	for _, p := range args {
		if p.Annotation != nil {
			set(p.Bind.Name, p.Annotation)
		}
	}
	if returns != nil {
		set("return", returns)
	}
	return true
}

// annotation evaluates an annotation, or takes its text.
func (c *coder) annotation(x syntax.Expr, r int) {
	if c.table.Annotations {
		c.emit(0, OpConst, r, 0, 0, int(c.str(syntax.Unparse(x))), 0)
		return
	}
	if s, ok := x.(*syntax.Starred); ok {
		mark := c.temps
		o := c.operand(s.Value)
		c.emit(c.price.Unpack, OpUnpack, r, o, 1, 0, 0)
		c.release(mark)
		return
	}
	c.into(x, r)
}

func (c *coder) classDef(s *syntax.ClassDef) {
	mark := c.temps
	r := c.temp()
	decorators := c.decorators(s.Decorators)
	base := c.tempsOf(4)
	k := c.newCode(c.table.Scopes[s.Scope])
	k.code.Flags |= object.IsClassBody
	k.at = s.Span
	k.classBody(s)
	c.setAt(s.Span)
	c.emit(c.price.Function, OpFunction, base, base, 0, c.child(k), 0)
	c.emit(0, OpConst, base+1, 0, 0, int(c.str(s.Name)), 0)
	c.starArgs(s.Bases, base+2, base)
	c.keywordDict(s.Keywords, base+3, base)
	c.setAt(s.Span)
	c.emit(c.price.Call, OpClass, r, base, 0, 0, 0)
	c.decorate(s.Decorators, decorators, r)
	c.store(s.Bind, r)
	c.release(mark)
}

// classBody compiles the body of a class: its names live in the namespace.
func (c *coder) classBody(s *syntax.ClassDef) {
	c.prologue()
	c.code.ClassCell = int(c.scope.ClassCell)
	c.setConst("__qualname__", c.scope.Qualname)
	if c.annotated(s.Body) {
		c.emit(0, OpAnnotations, 0, 0, 0, 0, 0)
	}
	if c.scope.HasDoc {
		r := c.temp()
		c.emit(0, OpConst, r, 0, 0, int(c.constant(c.code.Doc)), 0)
		c.emit(0, OpStoreName, r, 0, 0, int(c.nameIndex("__doc__")), 0)
		c.release(r)
	}
	c.stmts(s.Body)
	if c.scope.ClassCell >= 0 {
		// The cell itself is the result: the maker of the class fills it.
		c.emit(0, OpReturn, c.cellReg(c.scope.ClassCell), 0, 0, 0, 0)
		return
	}
	c.emit(0, OpReturnNone, 0, 0, 0, 0, 0)
}

func (c *coder) setConst(name, text string) {
	r := c.temp()
	c.emit(0, OpConst, r, 0, 0, int(c.str(text)), 0)
	c.emit(0, OpStoreName, r, 0, 0, int(c.nameIndex(name)), 0)
	c.release(r)
}
