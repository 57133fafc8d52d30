package compile

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

func (c *coder) assignStmt(s *syntax.Assign) {
	if len(s.Targets) == 1 {
		if n, ok := s.Targets[0].(*syntax.Name); ok && n.Bind.Access == syntax.AccessLocal {
			c.intoVar(s.Value, int(n.Bind.Slot))
			c.assigned.set(int(n.Bind.Slot))
			return
		}
		if c.parallel(s.Targets[0], s.Value) {
			return
		}
	}
	v := c.operand(s.Value)
	if len(s.Targets) > 1 && !c.isTemp(v) {
		t := c.temp()
		c.emit(0, OpMove, t, v, 0, 0, 0)
		v = t
	}
	for _, t := range s.Targets {
		c.assign(t, v)
	}
}

// parallel compiles a, b = x, y without a tuple.
func (c *coder) parallel(target, value syntax.Expr) bool {
	left := elements(target)
	right, ok := value.(*syntax.Tuple)
	if left == nil || !ok || len(left) != len(right.Elts) || len(left) > displayBatch || starredIn(left) || starredIn(right.Elts) {
		return false
	}
	if _, constant := c.literal(value); constant && len(left) > 8 {
		return false
	}
	base := c.tempsOf(len(left))
	for i, e := range right.Elts {
		c.into(e, base+i)
	}
	c.emit(c.price.Display+c.price.Unpack+c.price.Element*len(left), OpNop, 0, 0, 0, 0, 0)
	for i, t := range left {
		c.assign(t, base+i)
	}
	return true
}

// elements returns the targets of a tuple or list target.
func elements(x syntax.Expr) []syntax.Expr {
	switch x := x.(type) {
	case *syntax.Tuple:
		return x.Elts
	case *syntax.List:
		return x.Elts
	}
	return nil
}

// assign stores register v in a target.
func (c *coder) assign(target syntax.Expr, v int) {
	old := c.setAt(target.At())
	defer c.setAt(old)
	mark := c.temps
	switch t := target.(type) {
	case *syntax.Name:
		c.store(t.Bind, v)
	case *syntax.Attribute:
		o := c.operand(t.Value)
		c.setAt(attributeAt(t, t.Span))
		c.emit(c.price.Attribute, OpSetAttr, o, v, 0, int(c.nameIndex(t.Mangled)), c.cache())
	case *syntax.Subscript:
		o := c.stable(t.Value, t.Index)
		k := c.operand(t.Index)
		c.emit(c.price.Item, OpSetItem, o, k, v, 0, 0)
	case *syntax.Tuple:
		c.unpack(t.Elts, v)
	case *syntax.List:
		c.unpack(t.Elts, v)
	case *syntax.Starred:
		c.assign(t.Value, v)
	}
	c.release(mark)
}

// unpack stores the elements of register v in targets.
func (c *coder) unpack(elts []syntax.Expr, v int) {
	star := -1
	for i, e := range elts {
		if _, ok := e.(*syntax.Starred); ok {
			star = i
		}
	}
	base := c.tempsOf(len(elts))
	price := c.price.Unpack + c.price.Element*len(elts)
	if star < 0 {
		c.emit(price, OpUnpack, base, v, len(elts), 0, 0)
	} else {
		c.emit(price, OpUnpackEx, base, v, star, len(elts)-star-1, 0)
	}
	for i, e := range elts {
		c.assign(e, base+i)
	}
}

func (c *coder) augAssign(s *syntax.AugAssign) {
	switch t := s.Target.(type) {
	case *syntax.Name:
		if t.Bind.Access == syntax.AccessLocal {
			old := c.setAt(t.Span)
			c.checkBound(t.Bind)
			c.setAt(old)
			r := int(t.Bind.Slot)
			left := r
			if c.assigns(s.Value) {
				left = c.temp()
				c.emit(0, OpMove, left, r, 0, 0, 0)
			}
			c.operator(s.Op, left, s.Value, r, 1)
			c.named()
			return
		}
		r := c.temp()
		old := c.setAt(t.Span)
		c.load(t.Bind, r)
		c.setAt(old)
		c.operator(s.Op, r, s.Value, r, 1)
		c.store(t.Bind, r)
	case *syntax.Attribute:
		o := c.stable(t.Value, s.Value)
		r := c.temp()
		n := int(c.nameIndex(t.Mangled))
		old := c.setAt(attributeAt(t, t.Span))
		c.emit(c.price.Attribute, OpAttr, r, o, 0, n, c.cache())
		c.setAt(old)
		c.operator(s.Op, r, s.Value, r, 1)
		c.setAt(attributeAt(t, t.Span))
		c.emit(c.price.Attribute, OpSetAttr, o, r, 0, n, c.cache())
	case *syntax.Subscript:
		o := c.stable(t.Value, t.Index, s.Value)
		k := c.stable(t.Index, s.Value)
		r := c.temp()
		old := c.setAt(t.Span)
		c.emit(c.price.Item, OpItem, r, o, k, 0, 0)
		c.setAt(old)
		c.operator(s.Op, r, s.Value, r, 1)
		c.setAt(t.Span)
		c.emit(c.price.Item, OpSetItem, o, k, r, 0, 0)
	}
}

func (c *coder) annAssign(s *syntax.AnnAssign) {
	if s.Value != nil {
		v := c.operand(s.Value)
		c.assign(s.Target, v)
	}
	n, name := s.Target.(*syntax.Name)
	inFunction := c.code.Flags&(object.IsModule|object.IsClassBody) == 0
	if !s.Simple || !name {
		if !inFunction || s.Value == nil {
			c.annotatedTarget(s)
		}
		return
	}
	if inFunction {
		return
	}
	base := c.tempsOf(3)
	c.annotation(s.Annotation, base)
	access := syntax.AccessGlobal
	if c.code.Flags&object.IsClassBody != 0 {
		access = syntax.AccessClass
	}
	c.load(syntax.Binding{Name: "__annotations__", Access: access}, base+1)
	c.emit(0, OpConst, base+2, 0, 0, int(c.str(n.Bind.Name)), 0)
	c.emit(c.price.DictAccess, OpSetItem, base+1, base+2, base, 0, 0)
}

// annotatedTarget evaluates the parts of an annotated target that is not a bare
// name, and its annotation outside functions.
func (c *coder) annotatedTarget(s *syntax.AnnAssign) {
	if s.Value == nil {
		switch t := s.Target.(type) {
		case *syntax.Attribute:
			c.discard(t.Value)
		case *syntax.Subscript:
			c.discard(t.Value)
			c.discard(t.Index)
		}
	}
	if c.code.Flags&(object.IsModule|object.IsClassBody) != 0 && !c.table.Annotations {
		c.discard(s.Annotation)
	}
}

// del compiles a target of a del statement.
func (c *coder) del(target syntax.Expr) {
	old := c.setAt(target.At())
	defer c.setAt(old)
	mark := c.temps
	switch t := target.(type) {
	case *syntax.Name:
		c.unset(t.Bind)
	case *syntax.Attribute:
		o := c.operand(t.Value)
		c.setAt(attributeAt(t, t.Span))
		c.emit(2*c.price.Attribute, OpDelAttr, o, 0, 0, int(c.nameIndex(t.Mangled)), 0)
	case *syntax.Subscript:
		o := c.stable(t.Value, t.Index)
		k := c.operand(t.Index)
		c.emit(c.price.Item, OpDelItem, o, k, 0, 0, 0)
	case *syntax.Tuple:
		for _, e := range t.Elts {
			c.del(e)
		}
	case *syntax.List:
		for _, e := range t.Elts {
			c.del(e)
		}
	}
	c.release(mark)
}
