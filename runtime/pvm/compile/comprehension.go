package compile

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

func (c *coder) comprehension(x *syntax.Comp, r int) {
	if x.Kind == syntax.GeneratorExp {
		c.generatorExp(x, r)
		return
	}
	s := c.table.Scopes[x.Scope]
	first := c.operand(x.Clauses[0].Iter)
	acc := r
	if !c.isTemp(r) {
		acc = c.temp()
	}
	for _, l := range s.OwnLocals {
		c.emit(0, OpUnset, int(l), 0, 0, 0, 0)
		c.assigned.clear(int(l))
	}
	for _, cell := range s.OwnCells {
		c.emit(c.price.Cell, OpNewCell, c.cellReg(cell), 0, 0, 0, 0)
	}
	// The iterable is read before the accumulator may overwrite it.
	it := c.tempsOf(3)
	clause := &x.Clauses[0]
	c.setAt(x.Span)
	if clause.Async {
		c.emit(c.price.Iterate, OpAIter, it, first, 0, 0, 0)
	} else {
		c.emit(c.price.Iterate, OpIter, it, first, 0, 0, 0)
	}
	c.setAt(x.Span)
	op := [...]Op{syntax.ListComp: OpList, syntax.SetComp: OpSet, syntax.DictComp: OpDict}[x.Kind]
	price := c.price.Comprehension + c.price.Mapping
	if x.Kind == syntax.ListComp {
		price = c.price.Comprehension + c.price.Display
	}
	c.emit(price, op, acc, acc, 0, 1, 0)
	saved := c.assigned.clone()
	c.clauses(x, 0, it, func() { c.element(x, acc) })
	c.assigned = saved
	c.emit(0, OpMade, acc, 0, 0, 0, 0)
	if acc != r {
		c.emit(0, OpMove, r, acc, 0, 0, 0)
	}
	for _, l := range s.OwnLocals {
		c.emit(0, OpUnset, int(l), 0, 0, 0, 0)
	}
}

// element adds one element to the accumulator.
func (c *coder) element(x *syntax.Comp, acc int) {
	mark := c.temps
	switch x.Kind {
	case syntax.ListComp:
		o := c.operand(x.Elt)
		c.emit(c.price.ListAccess+2*c.price.Move, OpAppend, acc, o, 0, 0, 0)
	case syntax.SetComp:
		o := c.operand(x.Elt)
		c.emit(c.price.DictAccess+2*c.price.Move, OpSetAdd, acc, o, 0, 0, 0)
	case syntax.DictComp:
		k := c.stable(x.Elt, x.Value)
		v := c.operand(x.Value)
		c.emit(c.price.DictAccess+2*c.price.Move, OpDictSet, acc, k, v, 0, 0)
	}
	c.release(mark)
}

// clauses compiles the loops of a comprehension from clause i on; the iteration
// of clause i is in registers it….
func (c *coder) clauses(x *syntax.Comp, i, it int, element func()) {
	clause := &x.Clauses[i]
	again := c.newLabel()
	body := func() {
		for _, test := range clause.Ifs {
			c.condition(test, again, false)
		}
		if i+1 == len(x.Clauses) {
			element()
			return
		}
		mark := c.temps
		next := &x.Clauses[i+1]
		o := c.operand(next.Iter)
		inner := c.tempsOf(3)
		if next.Async {
			c.emit(c.price.Iterate, OpAIter, inner, o, 0, 0, 0)
		} else {
			c.emit(c.price.Iterate, OpIter, inner, o, 0, 0, 0)
		}
		c.clauses(x, i+1, inner, element)
		c.release(mark)
	}
	mark := c.temps
	if clause.Async {
		c.asyncSteps(it, clause.Target, again, body)
	} else {
		c.loop(clause.Target, it, again, body)
	}
	c.release(mark)
}

// generatorExp makes a generator: a function of one argument, the first iterable.
func (c *coder) generatorExp(x *syntax.Comp, r int) {
	first := &x.Clauses[0]
	base := c.tempsOf(2)
	k := c.newCode(c.table.Scopes[x.Scope])
	k.at = x.Span
	k.prologue()
	it := k.tempsOf(3)
	if first.Async {
		k.emit(0, OpMove, it, 0, 0, 0, 0)
	} else {
		k.emit(0, OpIter, it, 0, 0, 0, 0)
	}
	k.clauses(x, 0, it, func() {
		mark := k.temps
		v := k.temp()
		k.into(x.Elt, v)
		k.yieldReg(v, k.temp())
		k.release(mark)
	})
	k.emit(0, OpReturnNone, 0, 0, 0, 0, 0)
	c.emit(c.price.Comprehension, OpFunction, base, base, 0, c.child(k), 0)
	o := c.operand(first.Iter)
	c.setAt(first.Iter.At())
	if first.Async {
		c.emit(c.price.Iterate, OpAIter, base+1, o, 0, 0, 0)
	} else {
		c.emit(c.price.Iterate, OpIterable, base+1, o, 0, 0, 0)
	}
	c.setAt(x.Span)
	c.emit(0, OpCall, r, base, 1, 0, c.cache())
}
