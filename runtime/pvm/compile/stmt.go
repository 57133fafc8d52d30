package compile

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// stmts compiles statements and drops each, for the tree takes more memory than the code.
func (c *coder) stmts(list []syntax.Stmt) {
	for i, s := range list {
		c.stmt(s)
		list[i] = nil
	}
}

func (c *coder) stmt(s syntax.Stmt) {
	c.setAt(s.At())
	mark := c.temps
	switch s := s.(type) {
	case *syntax.ExprStmt:
		if _, ok := s.Value.(*syntax.Constant); !ok {
			c.discard(s.Value)
		}
	case *syntax.Assign:
		c.assignStmt(s)
	case *syntax.AugAssign:
		c.augAssign(s)
	case *syntax.AnnAssign:
		c.annAssign(s)
	case *syntax.Return:
		c.returnStmt(s)
	case *syntax.If:
		c.ifStmt(s)
	case *syntax.While:
		c.whileStmt(s)
	case *syntax.For:
		c.forStmt(s)
	case *syntax.Break:
		c.leave(s.Span, true)
	case *syntax.Continue:
		c.leave(s.Span, false)
	case *syntax.FunctionDef:
		c.functionDef(s)
	case *syntax.ClassDef:
		c.classDef(s)
	case *syntax.Delete:
		for _, t := range s.Targets {
			c.del(t)
		}
	case *syntax.Raise:
		c.raise(s)
	case *syntax.Try:
		c.tryStmt(s)
	case *syntax.With:
		c.withItems(s, 0)
	case *syntax.Assert:
		c.assert(s)
	case *syntax.Import:
		c.importStmt(s)
	case *syntax.ImportFrom:
		c.importFrom(s)
	case *syntax.Match:
		c.match(s)
	}
	c.release(mark)
}

func (c *coder) ifStmt(s *syntax.If) {
	other := c.newLabel()
	c.condition(s.Test, other, false)
	before := c.assigned.clone()
	c.stmts(s.Body)
	if len(s.Else) == 0 {
		c.assigned.meet(before)
		c.place(other)
		return
	}
	end := c.newLabel()
	if !c.dead {
		c.jumpTo(0, end, OpJump, 0, 0, 0, 0)
	}
	then := c.assigned
	c.assigned = before
	c.place(other)
	c.stmts(s.Else)
	c.assigned.meet(then)
	c.place(end)
}

// loopHead forgets what a later round of a loop may find unset.
func (c *coder) loopHead() bits {
	c.assigned = c.assigned.clone()
	c.assigned.without(c.deleted)
	return c.assigned.clone()
}

func (c *coder) whileStmt(s *syntax.While) {
	head := c.loopHead()
	body, again, end, done := c.newLabel(), c.newLabel(), c.newLabel(), c.newLabel()
	forever := false
	if k, ok := s.Test.(*syntax.Constant); ok && truth(c.literalOf(k)) {
		forever = true
	}
	simple := !forever && plainCondition(s.Test)
	switch {
	case simple:
		c.condition(s.Test, done, false)
	case !forever:
		c.jumpTo(0, again, OpJump, 0, 0, 0, 0)
	}
	c.place(body)
	c.blocks = append(c.blocks, block{kind: loopBlock, brk: end, cont: again})
	c.stmts(s.Body)
	c.blocks = c.blocks[:len(c.blocks)-1]
	c.assigned = head.clone()
	c.place(again)
	c.setAt(s.Span)
	if forever {
		// An empty loop must still cost something.
		c.jumpTo(c.price.Branch, body, OpJump, 0, 0, 0, 0)
	} else {
		c.condition(s.Test, body, true)
	}
	c.place(done)
	c.assigned = head.clone()
	c.stmts(s.Else)
	c.assigned.meet(head)
	c.place(end)
}

// plainCondition says whether a test is cheap to compile twice.
func plainCondition(x syntax.Expr) bool {
	n, plain := 0, true
	syntax.Inspect(x, func(e syntax.Expr) {
		n++
		switch e.(type) {
		case *syntax.Comp, *syntax.Lambda, *syntax.JoinedStr, *syntax.NamedExpr, *syntax.Await, *syntax.Yield, *syntax.YieldFrom, *syntax.Dict, *syntax.Set,
			*syntax.List:
			plain = false
		}
	})
	return plain && n <= 16
}

func (c *coder) forStmt(s *syntax.For) {
	if s.Async {
		c.asyncFor(s)
		return
	}
	o := c.operand(s.Iter)
	c.setAt(s.Span)
	it := c.tempsOf(3)
	c.emit(c.price.Iterate, OpIter, it, o, 0, 0, 0)
	head := c.loopHead()
	again, end := c.newLabel(), c.newLabel()
	c.loop(s.Target, it, again, func() {
		c.blocks = append(c.blocks, block{kind: loopBlock, brk: end, cont: again})
		c.stmts(s.Body)
		c.blocks = c.blocks[:len(c.blocks)-1]
	})
	c.assigned = head.clone()
	c.stmts(s.Else)
	c.assigned.meet(head)
	c.place(end)
}

// loop emits a loop over the iteration in registers it… that assigns target and
// runs body; again is the label of the next step. The jump before the body stands
// at the target, as errors of unpacking an element do.
func (c *coder) loop(target syntax.Expr, it int, again label, body func()) {
	start := c.newLabel()
	at := c.setAt(target.At())
	c.jumpTo(0, again, OpJump, 0, 0, 0, 0)
	c.setAt(at)
	c.place(start)
	op, dst, price := OpFor, 0, c.price.Step
	n, local := target.(*syntax.Name)
	switch pair, ok := target.(*syntax.Tuple); {
	case local && n.Bind.Access == syntax.AccessLocal:
		dst = int(n.Bind.Slot)
		c.assigned.set(dst)
	case ok && len(pair.Elts) == 2 && !starredIn(pair.Elts):
		op, price = OpFor2, c.price.Step+c.price.Unpack+2*c.price.Element
		dst = c.tempsOf(2)
		if adjacent(pair.Elts) {
			dst = int(pair.Elts[0].(*syntax.Name).Bind.Slot)
			c.assigned.set(dst)
			c.assigned.set(dst + 1)
		} else {
			c.assign(pair.Elts[0], dst)
			c.assign(pair.Elts[1], dst+1)
		}
	default:
		dst = c.temp()
		c.assign(target, dst)
	}
	body()
	c.setAt(at)
	c.place(again)
	c.jumpTo(0, start, op, dst, it, 0, uint32(price))
}

// adjacent says whether two targets are local variables in consecutive registers.
func adjacent(elts []syntax.Expr) bool {
	a, ok := elts[0].(*syntax.Name)
	b, ok2 := elts[1].(*syntax.Name)
	return ok && ok2 && a.Bind.Access == syntax.AccessLocal && b.Bind.Access == syntax.AccessLocal && b.Bind.Slot == a.Bind.Slot+1
}

func starredIn(elts []syntax.Expr) bool {
	for _, e := range elts {
		if _, ok := e.(*syntax.Starred); ok {
			return true
		}
	}
	return false
}

// asyncFor compiles async for: a loop that awaits __anext__ until
// StopAsyncIteration.
func (c *coder) asyncFor(s *syntax.For) {
	end := c.newLabel()
	again := c.newLabel()
	head := c.loopHead()
	o := c.operand(s.Iter)
	it := c.temp()
	c.setAt(s.Span)
	c.emit(c.price.Iterate, OpAIter, it, o, 0, 0, 0)
	c.asyncSteps(it, s.Target, again, func() {
		c.blocks = append(c.blocks, block{kind: loopBlock, brk: end, cont: again})
		c.stmts(s.Body)
		c.blocks = c.blocks[:len(c.blocks)-1]
	})
	c.assigned = head.clone()
	c.stmts(s.Else)
	c.assigned.meet(head)
	c.place(end)
}

// asyncSteps is the loop over the asynchronous iterator in register it.
func (c *coder) asyncSteps(it int, target syntax.Expr, again label, body func()) {
	stop, over := c.newLabel(), c.newLabel()
	exc := c.temp()
	value := c.temp()
	c.place(again)
	at := c.at
	h := c.newHandler(stop, exc)
	old := c.guard(h)
	step := c.temp()
	c.emit(c.price.Step, OpANext, step, it, 0, 0, 0)
	c.await(step, 2, value)
	c.guard(old)
	c.assign(target, value)
	body()
	c.setAt(at)
	c.goTo(again)
	c.place(stop)
	// Only StopAsyncIteration ends the loop.
	kind := c.temp()
	c.emit(0, OpConst, kind, 0, 0, int(c.constant(stopAsyncIteration())), 0)
	reraise := c.newLabel()
	c.jumpTo(c.price.Match, reraise, OpJumpNoMatch, exc, kind, 0, 0)
	c.jumpTo(0, over, OpJump, 0, 0, 0, 0)
	c.place(reraise)
	c.emit(0, OpReraise, exc, 0, 0, 0, 0)
	c.place(over)
}

func (c *coder) raise(s *syntax.Raise) {
	n := 0
	a, b := 0, 0
	if s.Exc != nil {
		a = c.stable(s.Exc, s.Cause)
		n++
	}
	if s.Cause != nil {
		b = c.operand(s.Cause)
		n++
	}
	c.setAt(s.Span)
	c.emit(c.price.Raise, OpRaise, a, b, n, 0, 0)
	c.unreachable()
}

func (c *coder) assert(s *syntax.Assert) {
	ok := c.newLabel()
	c.condition(s.Test, ok, true)
	before := c.assigned.clone()
	base := c.tempsOf(2)
	at := decidedAt(s.Test, s.Span)
	c.setAt(at)
	c.emit(c.price.Assert, OpAssertError, base, 0, 0, 0, 0)
	if s.Msg != nil {
		c.into(s.Msg, base+1)
		c.setAt(at)
		c.emit(c.price.Call, OpCall, base, base, 1, 0, c.cache())
	}
	c.setAt(at)
	c.emit(c.price.Raise, OpRaise, base, 0, 1, 0, 0)
	c.assigned = before
	c.place(ok)
}

func (c *coder) importStmt(s *syntax.Import) {
	for _, a := range s.Names {
		r := c.temp()
		whole := boolInt(a.AsName != "" || !strings.Contains(a.Name, "."))
		c.emit(c.price.ImportAgain, OpImport, r, whole, 0, int(c.nameIndex(a.Name)), 0)
		c.store(a.Bind, r)
		c.release(r)
	}
}

func (c *coder) importFrom(s *syntax.ImportFrom) {
	if s.Module == "__future__" && s.Level == 0 {
		for _, a := range s.Names {
			c.futureName(a)
		}
		return
	}
	mod := c.temp()
	c.emit(c.price.ImportAgain, OpImport, mod, 1, int(s.Level), int(c.nameIndex(s.Module)), 0)
	for _, a := range s.Names {
		if a.Name == "*" {
			c.emit(c.price.Name, OpImportStar, mod, 0, 0, 0, 0)
			continue
		}
		r := c.temp()
		c.emit(c.price.Attribute, OpImportFrom, r, mod, 0, int(c.nameIndex(a.Name)), 0)
		c.store(a.Bind, r)
		c.release(r)
	}
}

// futureName binds the name of a future feature, which is in force anyway.
func (c *coder) futureName(a syntax.Alias) {
	r := c.temp()
	c.emit(0, OpConst, r, 0, 0, int(c.str(a.Name)), 0)
	c.store(a.Bind, r)
	c.release(r)
}

func stopAsyncIteration() object.Value { return object.ExcStopAsyncIteration.Value() }
