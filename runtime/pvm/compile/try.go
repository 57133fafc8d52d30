package compile

import (
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
	before.without(c.deleted)
	h := c.newHandler(caught, exc)
	c.guard(h)
	c.blocks = append(c.blocks, block{kind: finallyTry, final: final, why: why, ret: why + 1, handler: outer})
	c.emit(c.price.Try, OpNop, 0, 0, 0, 0, 0)
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
	c.emit(c.price.Handler, OpPushExc, saved, exc, 0, 0, 0)
	c.assigned = before
	c.place(final)
	c.finallyBlock(s, why, exc, saved, outer)
	c.dispatch(s, why, exc, saved, exits)
	// What the finally block assigned is assigned on every way out of it.
	normal.without(c.deleted)
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
