package compile

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// tryExcept compiles try … except … else.
func (c *coder) tryExcept(s *syntax.Try) {
	exc := c.tempsOf(2)
	saved := exc + 1
	caught, end := c.newLabel(), c.newLabel()
	outer := c.handler
	before := c.assigned.clone()
	before.without(c.deleted)
	h := c.newHandler(caught, exc)
	c.guard(h)
	c.emit(c.price.Try, OpNop, 0, 0, 0, 0, 0)
	c.stmts(s.Body)
	c.guard(outer)
	c.stmts(s.Else)
	out := c.assigned.clone()
	c.jumpTo(0, end, OpJump, 0, 0, 0, 0)
	c.place(caught)
	c.assigned = before.clone()
	second := c.temp()
	cleanup := c.newLabel()
	ch := c.newHandler(cleanup, second)
	c.emit(c.price.Handler, OpPushExc, saved, exc, 0, 0, 0)
	c.guard(ch)
	if s.Star {
		c.starHandlers(s, exc, saved, outer, ch, end, &out, before)
	} else {
		for _, x := range s.Handlers {
			c.assigned = before.clone()
			c.exceptClause(x, exc, saved, outer, ch, end)
			out.meet(c.excOut)
		}
		c.emit(0, OpReraise, exc, 0, 0, 0, 0)
	}
	c.guard(outer)
	c.place(cleanup)
	c.emit(0, OpPopExc, saved, 0, 0, 0, 0)
	c.emit(0, OpReraise, second, 0, 0, 0, 0)
	c.assigned = out
	c.place(end)
}

// exceptClause compiles one clause; it leaves in excOut what is assigned at its
// end.
func (c *coder) exceptClause(x *syntax.ExceptHandler, exc, saved int, outer, inner int32, end label) {
	next := c.newLabel()
	mark := c.temps
	if x.Type != nil {
		c.setAt(x.Type.At())
		t := c.operand(x.Type)
		c.setAt(x.Span)
		c.jumpTo(c.price.Match, next, OpJumpNoMatch, exc, t, 0, 0)
		c.release(mark)
	}
	c.handlerBody(x, exc, saved, outer, inner)
	c.excOut = c.assigned.clone()
	if !c.dead {
		c.guard(outer)
		c.emit(0, OpPopExc, saved, 0, 0, 0, 0)
		if x.Name != "" {
			c.forget(x.Bind)
			c.excOut = c.assigned.clone()
		}
		c.jumpTo(0, end, OpJump, 0, 0, 0, 0)
	}
	c.guard(inner)
	c.release(mark)
	c.place(next)
}

// handlerBody compiles the statements of an except clause, its name bound to the
// exception in register exc and unbound again if they raise.
func (c *coder) handlerBody(x *syntax.ExceptHandler, exc, saved int, outer, inner int32) {
	b := block{kind: exceptBody, saved: saved, handler: outer}
	if x.Name == "" {
		c.blocks = append(c.blocks, b)
		c.stmts(x.Body)
		c.blocks = c.blocks[:len(c.blocks)-1]
		return
	}
	b.name = &x.Bind
	c.store(x.Bind, exc)
	drop, over := c.newLabel(), c.newLabel()
	third := c.temp()
	h := c.newHandler(drop, third)
	c.guard(h)
	c.blocks = append(c.blocks, b)
	c.stmts(x.Body)
	c.blocks = c.blocks[:len(c.blocks)-1]
	c.guard(inner)
	dead, after := c.dead, c.assigned.clone()
	if !dead {
		c.jumpTo(0, over, OpJump, 0, 0, 0, 0)
	}
	c.place(drop)
	c.assigned.fill()
	c.forget(x.Bind)
	c.emit(0, OpReraise, third, 0, 0, 0, 0)
	c.place(over)
	c.assigned, c.dead = after, dead
}

// starHandlers compiles except* clauses: each takes its part of the group; what
// they raise and what is left is raised together at the end.
func (c *coder) starHandlers(s *syntax.Try, exc, saved int, outer, inner int32, end label, out *bits, before bits) {
	// rest and match, then the original and the list of what was raised.
	rest := c.tempsOf(2)
	orig := c.tempsOf(2)
	results := orig + 1
	c.emit(0, OpMove, rest, exc, 0, 0, 0)
	c.emit(0, OpMove, orig, exc, 0, 0, 0)
	c.emit(c.price.Display, OpList, results, results, 0, 0, 0)
	for _, x := range s.Handlers {
		c.assigned = before.clone()
		next := c.newLabel()
		mark := c.temps
		c.setAt(x.Type.At())
		t := c.operand(x.Type)
		c.setAt(x.Span)
		c.emit(c.price.Match, OpGroupMatch, rest, t, 0, 0, 0)
		c.jumpTo(0, next, OpJumpNone, rest+1, 0, 1, 0)
		c.starBody(x, rest+1, results, saved, outer, inner)
		c.release(mark)
		c.place(next)
	}
	c.emit(0, OpAppend, results, rest, 0, 0, 0)
	r := c.temp()
	c.emit(0, OpGroupRaise, r, orig, 0, 0, 0)
	fine := c.newLabel()
	c.jumpTo(0, fine, OpJumpNone, r, 0, 1, 0)
	c.guard(outer)
	c.emit(0, OpPopExc, saved, 0, 0, 0, 0)
	c.emit(0, OpReraise, r, 0, 0, 0, 0)
	c.place(fine)
	c.emit(0, OpPopExc, saved, 0, 0, 0, 0)
	c.assigned = before.clone()
	out.meet(c.assigned)
	c.jumpTo(0, end, OpJump, 0, 0, 0, 0)
	c.guard(inner)
}

// starBody compiles the body of one except* clause; an exception it raises is
// collected.
func (c *coder) starBody(x *syntax.ExceptHandler, match, results, saved int, outer, inner int32) {
	raised, over := c.newLabel(), c.newLabel()
	third := c.tempsOf(2)
	mine := third + 1
	c.emit(0, OpPushExc, mine, match, 0, 0, 0)
	h := c.newHandler(raised, third)
	if x.Name != "" {
		c.store(x.Bind, match)
	}
	c.guard(h)
	b := block{kind: exceptBody, saved: saved, handler: outer}
	if x.Name != "" {
		b.name = &x.Bind
	}
	c.blocks = append(c.blocks, b)
	c.stmts(x.Body)
	c.blocks = c.blocks[:len(c.blocks)-1]
	c.guard(inner)
	if x.Name != "" {
		c.forget(x.Bind)
	}
	c.emit(0, OpPopExc, mine, 0, 0, 0, 0)
	c.jumpTo(0, over, OpJump, 0, 0, 0, 0)
	c.place(raised)
	c.assigned.fill()
	if x.Name != "" {
		c.forget(x.Bind)
	}
	c.emit(0, OpPopExc, mine, 0, 0, 0, 0)
	c.emit(0, OpAppend, results, third, 0, 0, 0)
	c.place(over)
}
