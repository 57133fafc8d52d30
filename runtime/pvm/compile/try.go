package compile

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

type blockKind uint8

const (
	loopBlock   blockKind = iota
	finallyTry            // the part of a try statement that a finally block guards
	finallyBody           // a finally block itself
	exceptBody            // an except clause
	withBody
)

// block is a statement that return, break and continue may leave early.
type block struct {
	kind      blockKind
	brk, cont label // loops

	final   label // finallyTry: the finally block
	why     int   // finallyTry, finallyBody: register with the reason for it
	exits   []exit
	ret     int // finallyTry, finallyBody: register of a pending return value
	saved   int // exceptBody, finallyBody: register with the exception handled before
	name    *syntax.Binding
	exitFn  int // withBody: register with __exit__
	async   bool
	span    syntax.Span
	handler int32 // guarding the code around the statement
}

// exit is one way of leaving through a finally block.
type exit struct{ kind exitKind }

type exitKind uint8

const (
	exitReturn exitKind = iota
	exitBreak
	exitContinue
)

// Reasons for running a finally block: 0 is falling through, 1 an exception,
// 2+i exit i.
const (
	whyNormal    = 0
	whyException = 1
	whyExit      = 2
)

func (c *coder) returnStmt(s *syntax.Return) {
	if len(c.blocks) == 0 || !c.mustUnwind() {
		if s.Value == nil {
			c.emit(0, OpReturnNone, 0, 0, 0, 0, 0)
		} else {
			v := c.operand(s.Value)
			c.emit(0, OpReturn, v, 0, 0, 0, 0)
		}
		c.unreachable()
		return
	}
	v := c.returnReg()
	c.optional(s.Value, v)
	c.setAt(s.Span)
	c.unwind(exitReturn)
}

func (c *coder) mustUnwind() bool {
	for _, b := range c.blocks {
		if b.kind != loopBlock {
			return true
		}
	}
	return false
}

// returnReg is the register that carries a return value through the enclosing
// blocks: one of the outermost finally statement, else the next temporary.
func (c *coder) returnReg() int {
	if r, ok := pendingIn(c.blocks); ok {
		return r
	}
	return c.temp()
}

func pendingIn(blocks []block) (int, bool) {
	for _, b := range blocks {
		if b.kind == finallyTry || b.kind == finallyBody {
			return b.ret, true
		}
	}
	return 0, false
}

func (c *coder) leave(at syntax.Span, brk bool) {
	kind := exitContinue
	if brk {
		kind = exitBreak
	}
	c.unwind(kind)
}

// unwind leaves the enclosing blocks, innermost first, as far as a return, break
// or continue goes; a finally block takes over from where it is met.
func (c *coder) unwind(kind exitKind) {
	blocks, handler, assigned := c.blocks, c.handler, c.assigned.clone()
	for i := len(blocks) - 1; i >= 0; i-- {
		b := &blocks[i]
		c.blocks = blocks[:i]
		switch b.kind {
		case loopBlock:
			if kind != exitReturn {
				target := b.brk
				if kind == exitContinue {
					target = b.cont
				}
				c.jumpTo(0, target, OpJump, 0, 0, 0, 0)
				c.restore(blocks, handler, assigned)
				return
			}
		case exceptBody:
			c.handler = b.handler
			c.emit(0, OpPopExc, b.saved, 0, 0, 0, 0)
			if b.name != nil {
				c.forget(*b.name)
			}
		case finallyBody:
			c.handler = b.handler
			c.popIfException(b)
		case withBody:
			c.handler = b.handler
			c.exitNormally(b)
		case finallyTry:
			n := -1
			for j, e := range b.exits {
				if e.kind == kind {
					n = j
				}
			}
			if n < 0 {
				n = len(b.exits)
				b.exits = append(b.exits, exit{kind})
			}
			c.emit(0, OpConst, b.why, 0, 0, int(c.constant(object.Int(int64(whyExit+n)))), 0)
			c.jumpTo(0, b.final, OpJump, 0, 0, 0, 0)
			c.restore(blocks, handler, assigned)
			return
		}
	}
	c.emit(0, OpReturn, c.pendingReturn(blocks), 0, 0, 0, 0)
	c.restore(blocks, handler, assigned)
}

// pendingReturn is the register in which unwind finds the return value.
func (c *coder) pendingReturn(blocks []block) int {
	if r, ok := pendingIn(blocks); ok {
		return r
	}
	if c.retReg > 0 {
		return c.retReg
	}
	return c.temps - 1
}

func (c *coder) restore(blocks []block, handler int32, assigned bits) {
	c.blocks, c.handler, c.assigned = blocks, handler, assigned
	c.unreachable()
}

// forget unbinds the name of an except clause.
func (c *coder) forget(b syntax.Binding) {
	r := c.temp()
	c.emit(0, OpConst, r, 0, 0, int(c.constant(object.None)), 0)
	c.store(b, r)
	c.unset(b)
	c.release(r)
}

// popIfException restores the handled exception if the finally block runs
// because of one.
func (c *coder) popIfException(b *block) {
	skip := c.newLabel()
	c.jumpTo(0, skip, OpJumpNeI, b.why, 0, 1, whyException)
	c.emit(0, OpPopExc, b.saved, 0, 0, 0, 0)
	c.place(skip)
}

func (c *coder) tryStmt(s *syntax.Try) {
	if len(s.Final) > 0 {
		c.tryFinally(s)
		return
	}
	c.tryExcept(s)
}

// tryFinally compiles the guarded part, then the one copy of the finally block
// with a dispatch on the reason for it.
func (c *coder) tryFinally(s *syntax.Try) {
	// The reason, the value of a pending return, the exception, the one handled
	// before, the value of a return inside the finally block.
	why := c.tempsOf(5)
	exc, saved := why+2, why+3
	final, caught := c.newLabel(), c.newLabel()
	outer := c.handler
	before := c.assigned.clone()
	before.without(c.deletions())
	h := c.newHandler(caught, exc)
	c.guard(h)
	c.blocks = append(c.blocks, block{kind: finallyTry, final: final, why: why, ret: why + 1, handler: outer})
	c.emit(cost.Try, OpNop, 0, 0, 0, 0, 0)
	if len(s.Handlers) > 0 {
		c.tryExcept(s)
	} else {
		c.stmts(s.Body)
		c.stmts(s.Else)
	}
	exits := c.blocks[len(c.blocks)-1].exits
	c.blocks = c.blocks[:len(c.blocks)-1]
	c.guard(outer)
	normal := c.assigned.clone()
	c.emit(0, OpConst, why, 0, 0, int(c.constant(object.Int(whyNormal))), 0)
	c.jumpTo(0, final, OpJump, 0, 0, 0, 0)
	c.place(caught)
	c.emit(0, OpConst, why, 0, 0, int(c.constant(object.Int(whyException))), 0)
	c.emit(cost.Handler, OpPushExc, saved, exc, 0, 0, 0)
	c.assigned = before
	c.place(final)
	c.finallyBlock(s, why, exc, saved, outer)
	c.dispatch(s, why, exc, saved, exits)
	// What the finally block assigned is assigned on every way out of it.
	normal.without(c.deletions())
	c.assigned = union(c.assigned, normal)
}

// union is what either set has.
func union(a, b bits) bits {
	out := a.clone()
	for i := range out {
		out[i] |= b[i]
	}
	return out
}

// finallyBlock compiles the block itself; an exception in it replaces the one
// that is pending.
func (c *coder) finallyBlock(s *syntax.Try, why, exc, saved int, outer int32) {
	inner := c.newLabel()
	second := c.temp()
	h := c.newHandler(inner, second)
	c.guard(h)
	c.blocks = append(c.blocks, block{kind: finallyBody, why: why, ret: why + 4, saved: saved, handler: outer})
	c.stmts(s.Final)
	b := c.blocks[len(c.blocks)-1]
	c.blocks = c.blocks[:len(c.blocks)-1]
	c.guard(outer)
	over := c.newLabel()
	after := c.assigned
	c.jumpTo(0, over, OpJump, 0, 0, 0, 0)
	c.place(inner)
	c.popIfException(&b)
	c.emit(0, OpReraise, second, 0, 0, 0, 0)
	c.place(over)
	c.assigned = after
	c.release(second)
}

// dispatch continues where the reason for the finally block says.
func (c *coder) dispatch(s *syntax.Try, why, exc, saved int, exits []exit) {
	next := c.newLabel()
	c.jumpTo(0, next, OpJumpNeI, why, 0, 1, whyException)
	c.emit(0, OpPopExc, saved, 0, 0, 0, 0)
	c.emit(0, OpReraise, exc, 0, 0, 0, 0)
	c.place(next)
	for i, e := range exits {
		skip := c.newLabel()
		c.jumpTo(0, skip, OpJumpNeI, why, 0, 1, uint32(whyExit+i))
		old := c.retReg
		c.retReg = why + 1
		after := c.assigned.clone()
		c.unwind(e.kind)
		c.assigned = after
		c.retReg = old
		c.place(skip)
	}
}

// tryExcept compiles try … except … else.
func (c *coder) tryExcept(s *syntax.Try) {
	exc := c.tempsOf(2)
	saved := exc + 1
	caught, end := c.newLabel(), c.newLabel()
	outer := c.handler
	before := c.assigned.clone()
	before.without(c.deletions())
	h := c.newHandler(caught, exc)
	c.guard(h)
	c.emit(cost.Try, OpNop, 0, 0, 0, 0, 0)
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
	c.emit(cost.Handler, OpPushExc, saved, exc, 0, 0, 0)
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
		c.setAt(x.Type.At())
		c.jumpTo(cost.Match, next, OpJumpNoMatch, exc, t, 0, 0)
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
	c.emit(cost.Display, OpList, results, results, 0, 0, 0)
	for _, x := range s.Handlers {
		c.assigned = before.clone()
		next := c.newLabel()
		mark := c.temps
		c.setAt(x.Type.At())
		t := c.operand(x.Type)
		c.setAt(x.Type.At())
		c.emit(cost.Match, OpGroupMatch, rest, t, 0, 0, 0)
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

// withItems compiles a with statement from item i on.
func (c *coder) withItems(s *syntax.With, i int) {
	item := &s.Items[i]
	// __exit__, the result of __enter__, the exception, the one handled before.
	base := c.tempsOf(4)
	exc, saved := base+2, base+3
	o := c.operand(item.Context)
	c.setAt(item.Context.At())
	if s.Async {
		c.emit(cost.With, OpAEnter, base, o, 0, 0, 0)
		c.await(base+1, 3, base+1)
	} else {
		c.emit(cost.With, OpEnter, base, o, 0, 0, 0)
	}
	c.release(base + 4)
	caught, end := c.newLabel(), c.newLabel()
	outer := c.handler
	before := c.assigned.clone()
	before.without(c.deletions())
	h := c.newHandler(caught, exc)
	c.guard(h)
	b := block{kind: withBody, exitFn: base, async: s.Async, span: item.Context.At(), handler: outer}
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
	c.setAt(item.Context.At())
	second := c.temp()
	cleanup := c.newLabel()
	ch := c.newHandler(cleanup, second)
	c.emit(cost.Handler, OpPushExc, saved, exc, 0, 0, 0)
	c.guard(ch)
	r := c.temp()
	c.emit(cost.Call, OpExit, r, base, exc, 0, 0)
	if s.Async {
		c.await(r, 4, r)
	}
	swallow := c.newLabel()
	c.jumpTo(cost.Branch, swallow, OpJumpTrue, r, 0, 0, 0)
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
	c.emit(cost.Call, OpCall, base, base, 3, 0, c.cache())
	if b.async {
		c.await(base, 4, base)
	}
	c.release(mark)
	c.setAt(old)
}
