package compile

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// withItems compiles a with statement from item i on.
func (c *coder) withItems(s *syntax.With, i int) {
	item := &s.Items[i]
	// __exit__, the result of __enter__, the exception, the one handled before.
	base := c.tempsOf(4)
	exc, saved := base+2, base+3
	o := c.operand(item.Context)
	c.setAt(s.Span)
	if s.Async {
		c.emit(c.price.With, OpAEnter, base, o, 0, 0, 0)
		c.await(base+1, 3, base+1)
	} else {
		c.emit(c.price.With, OpEnter, base, o, 0, 0, 0)
	}
	c.release(base + 4)
	caught, end := c.newLabel(), c.newLabel()
	outer := c.handler
	before := c.assigned.clone()
	before.without(c.deleted)
	h := c.newHandler(caught, exc)
	c.guard(h)
	b := block{kind: withBody, exitFn: base, async: s.Async, span: s.Span, handler: outer}
	c.blocks = append(c.blocks, b)
	if item.Target != nil {
		c.assign(item.Target, base+1)
	}
	if i+1 < len(s.Items) {
		c.withItems(s, i+1)
	} else {
		c.stmts(s.Body)
	}
	c.blocks = c.blocks[:len(c.blocks)-1]
	c.guard(outer)
	dead := c.dead
	if !dead {
		c.exitNormally(&b)
		before.meet(c.assigned)
		c.jumpTo(0, end, OpJump, 0, 0, 0, 0)
	}
	c.place(caught)
	c.setAt(s.Span)
	second := c.temp()
	cleanup := c.newLabel()
	ch := c.newHandler(cleanup, second)
	c.emit(c.price.Handler, OpPushExc, saved, exc, 0, 0, 0)
	c.guard(ch)
	r := c.temp()
	c.emit(c.price.Call, OpExit, r, base, exc, 0, 0)
	if s.Async {
		c.await(r, 4, r)
	}
	swallow := c.newLabel()
	c.jumpTo(c.price.Branch, swallow, OpJumpTrue, r, 0, 0, 0)
	c.emit(0, OpReraise, exc, 0, 0, 0, 0)
	c.place(swallow)
	c.guard(outer)
	c.emit(0, OpPopExc, saved, 0, 0, 0, 0)
	c.jumpTo(0, end, OpJump, 0, 0, 0, 0)
	c.place(cleanup)
	c.emit(0, OpPopExc, saved, 0, 0, 0, 0)
	c.emit(0, OpReraise, second, 0, 0, 0, 0)
	c.assigned = before
	c.place(end)
}

// exitNormally calls __exit__(None, None, None).
func (c *coder) exitNormally(b *block) {
	old := c.setAt(b.span)
	mark := c.temps
	base := c.tempsOf(4)
	c.emit(0, OpMove, base, b.exitFn, 0, 0, 0)
	for i := 1; i <= 3; i++ {
		c.emit(0, OpConst, base+i, 0, 0, int(c.constant(object.None)), 0)
	}
	c.emit(c.price.Call, OpCall, base, base, 3, 0, c.cache())
	if b.async {
		c.await(base, 4, base)
	}
	c.release(mark)
	c.setAt(old)
}
