package compile

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// operand compiles an expression for reading and returns the register that has
// its value: a fresh temporary, or the register of a local variable.
func (c *coder) operand(x syntax.Expr) int {
	if n, ok := x.(*syntax.Name); ok && n.Bind.Access == syntax.AccessLocal {
		old := c.setAt(n.Span)
		c.checkBound(n.Bind)
		c.setAt(old)
		return int(n.Bind.Slot)
	}
	r := c.temp()
	c.into(x, r)
	return r
}

// stable is operand for a value that is used after other expressions ran that
// may assign variables: if any of them does, a local is copied.
func (c *coder) stable(x syntax.Expr, later ...syntax.Expr) int {
	if n, ok := x.(*syntax.Name); ok && n.Bind.Access == syntax.AccessLocal {
		for _, l := range later {
			if l != nil && c.assigns(l) {
				r := c.temp()
				c.into(x, r)
				return r
			}
		}
	}
	return c.operand(x)
}

// stableIn is stable for part i of a list of expressions evaluated in order; last
// is the last part that may assign variables.
func (c *coder) stableIn(x syntax.Expr, i, last int) int {
	if n, ok := x.(*syntax.Name); ok && n.Bind.Access == syntax.AccessLocal && i < last {
		r := c.temp()
		c.into(x, r)
		return r
	}
	return c.operand(x)
}

// lastAssigning returns the index of the last expression that may assign
// variables, or -1.
func (c *coder) lastAssigning(list []syntax.Expr) int {
	for i, x := range slices.Backward(list) {
		if c.assigns(x) {
			return i
		}
	}
	return -1
}

// mostLooks bounds the expressions looked at inside another one: in larger ones
// each part would be looked at again for every one around it.
const mostLooks = 64

// assigns says whether evaluating x can assign a local variable; a large x may.
func (c *coder) assigns(x syntax.Expr) bool {
	looks := 0
	found := syntax.Search(x, func(e syntax.Expr) bool {
		looks++
		_, named := e.(*syntax.NamedExpr)
		return named || looks > mostLooks
	})
	c.work += looks
	return found
}

// checkBound emits a check of a local variable that may be unbound.
func (c *coder) checkBound(b syntax.Binding) {
	if c.assigned.has(int(b.Slot)) {
		return
	}
	c.emit(0, OpCheck, int(b.Slot), outer(b), 0, int(c.nameIndex(b.Name)), 0)
	c.assigned.set(int(b.Slot))
}

// outer is 1 for a variable that a comprehension takes from the function around it: it fails as a free one does.
func outer(b syntax.Binding) int {
	if b.Outer {
		return 1
	}
	return 0
}

// atomic says whether an expression is evaluated by instructions of which only
// the last writes the target, so that the target may be a variable.
func atomic(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.BoolOp, *syntax.IfExp, *syntax.Comp, *syntax.JoinedStr, *syntax.NamedExpr,
		*syntax.Await, *syntax.Yield, *syntax.YieldFrom, *syntax.Dict, *syntax.Set, *syntax.List, *syntax.Tuple, *syntax.Lambda:
		return false
	case *syntax.Compare:
		return len(x.Ops) == 1
	case *syntax.Call:
		return true
	}
	return true
}

func (c *coder) isLiteral(x syntax.Expr) bool {
	_, ok := c.literal(x)
	return ok
}

// intoVar compiles an expression into the register of a variable. Giving a name a value costs a move, whether the instruction that computes the value does
// it or one of its own.
func (c *coder) intoVar(x syntax.Expr, r int) {
	if c.isLiteral(x) {
		c.into(x, r)
		return
	}
	if atomic(x) {
		first := len(c.costs)
		c.into(x, r)
		if n, name := x.(*syntax.Name); len(c.costs) > first && (!name || n.Bind.Access != syntax.AccessLocal) {
			c.named()
		}
		return
	}
	t := c.temp()
	c.into(x, t)
	c.emit(0, OpMove, r, t, 0, 0, 0)
	c.release(t)
}

// named adds the price of giving a name what the last instruction computes.
func (c *coder) named() { c.costs[len(c.costs)-1] += uint32(c.price.Move) }

// into compiles an expression and leaves its value in register r, which is a
// temporary in use or a variable that x does not read after writing.
func (c *coder) into(x syntax.Expr, r int) {
	old := c.setAt(x.At())
	defer c.setAt(old)
	if v, ok := c.literal(x); ok {
		c.emit(0, OpConst, r, 0, 0, int(c.constant(v)), 0)
		return
	}
	mark := c.temps
	switch x := x.(type) {
	case *syntax.Name:
		c.load(x.Bind, r)
	case *syntax.BinOp:
		c.binary(x, r)
	case *syntax.UnaryOp:
		c.unary(x, r)
	case *syntax.BoolOp:
		c.boolOp(x, r)
	case *syntax.Compare:
		c.compare(x, r)
	case *syntax.NamedExpr:
		c.into(x.Value, r)
		c.setAt(x.Span)
		c.store(x.Target.Bind, r)
	case *syntax.Call:
		c.call(x, r)
	case *syntax.Attribute:
		o := c.operand(x.Value)
		c.setAt(attributeAt(x, x.Span))
		c.emit(c.price.Attribute, OpAttr, r, o, 0, int(c.nameIndex(x.Mangled)), c.cache())
	case *syntax.Subscript:
		c.subscript(x, r)
	case *syntax.IfExp:
		c.ifExp(x, r)
	case *syntax.Tuple:
		c.display(x.Elts, OpTuple, r)
	case *syntax.List:
		c.display(x.Elts, OpList, r)
	case *syntax.Set:
		c.display(x.Elts, OpSet, r)
	case *syntax.Dict:
		c.dict(x, r)
	case *syntax.Lambda:
		c.lambda(x, r)
	case *syntax.Comp:
		c.comprehension(x, r)
	case *syntax.JoinedStr:
		c.joined(x, r)
	case *syntax.FormattedValue:
		c.formatted(x, r)
	case *syntax.Await:
		o := c.operand(x.Value)
		c.await(o, 0, r)
	case *syntax.Yield:
		c.yield(x, r)
	case *syntax.YieldFrom:
		c.yieldFrom(x, r)
	case *syntax.Starred:
		fail(x.Span, "can't use starred expression here")
	case *syntax.Slice:
		base := c.sliceParts(x)
		c.emit(c.price.Slice, OpSlice, r, base, 0, 0, 0)
	}
	c.release(mark)
}

// discard compiles an expression for its effects; a literal has none.
func (c *coder) discard(x syntax.Expr) {
	if c.isLiteral(x) {
		return
	}
	mark := c.temps
	if n, ok := x.(*syntax.Name); ok && n.Bind.Access == syntax.AccessLocal {
		old := c.setAt(n.Span)
		c.checkBound(n.Bind)
		c.setAt(old)
		return
	}
	c.into(x, c.temp())
	c.release(mark)
}

// load reads a name.
func (c *coder) load(b syntax.Binding, r int) {
	switch b.Access {
	case syntax.AccessLocal:
		c.checkBound(b)
		c.emit(0, OpMove, r, int(b.Slot), 0, 0, 0)
	case syntax.AccessCell:
		c.emit(c.price.Name, OpLoadCell, r, c.cellReg(b.Slot), outer(b), int(c.nameIndex(b.Name)), 0)
	case syntax.AccessFree:
		c.emit(c.price.Name, OpLoadFree, r, int(b.Slot), 0, int(c.nameIndex(b.Name)), 0)
	case syntax.AccessGlobal:
		c.emit(c.price.Name, OpLoadGlobal, r, 0, 0, int(c.nameIndex(b.Name)), c.global(b.Name))
	case syntax.AccessClass:
		c.emit(c.price.Name, OpLoadName, r, 0, 0, int(c.nameIndex(b.Name)), c.global(b.Name))
	case syntax.AccessClassFree:
		c.emit(c.price.Name, OpLoadClassFree, r, int(b.Slot), 0, int(c.nameIndex(b.Name)), 0)
	}
}

// store writes register r to a name.
func (c *coder) store(b syntax.Binding, r int) {
	switch b.Access {
	case syntax.AccessLocal:
		if int(b.Slot) != r {
			c.emit(0, OpMove, int(b.Slot), r, 0, 0, 0)
		}
		c.assigned.set(int(b.Slot))
	case syntax.AccessCell:
		c.emit(c.price.Name, OpStoreCell, r, c.cellReg(b.Slot), 0, 0, 0)
	case syntax.AccessFree, syntax.AccessClassFree:
		c.emit(c.price.Name, OpStoreFree, r, int(b.Slot), 0, 0, 0)
	case syntax.AccessGlobal:
		c.emit(c.price.Name+c.price.Move, OpStoreGlobal, r, 0, 0, int(c.nameIndex(b.Name)), c.global(b.Name))
	case syntax.AccessClass:
		c.emit(c.price.Name, OpStoreName, r, 0, 0, int(c.nameIndex(b.Name)), 0)
	}
}

// unset deletes a name.
func (c *coder) unset(b syntax.Binding) {
	n := int(c.nameIndex(b.Name))
	switch b.Access {
	case syntax.AccessLocal:
		c.checkBound(b)
		c.emit(c.price.Name, OpUnset, int(b.Slot), 0, 0, 0, 0)
		c.assigned.clear(int(b.Slot))
	case syntax.AccessCell:
		c.emit(c.price.Name, OpUnsetCell, 0, c.cellReg(b.Slot), 0, n, 0)
	case syntax.AccessFree, syntax.AccessClassFree:
		c.emit(c.price.Name, OpUnsetFree, 0, int(b.Slot), 0, n, 0)
	case syntax.AccessGlobal:
		c.emit(c.price.Name+2*c.price.DictAccess, OpUnsetGlobal, 0, 0, 0, n, 0)
	case syntax.AccessClass:
		c.emit(c.price.Name, OpUnsetName, 0, 0, 0, n, 0)
	}
}

// binaryOps gives the instruction of each operator; zero means OpBinary.
var binaryOps = [...]Op{
	syntax.Add: OpAdd, syntax.Sub: OpSub, syntax.Mult: OpMul, syntax.Div: OpTrueDiv, syntax.Mod: OpMod,
	syntax.LShift: OpLShift, syntax.RShift: OpRShift, syntax.BitOr: OpOr, syntax.BitXor: OpXor,
	syntax.BitAnd: OpAnd, syntax.FloorDiv: OpFloorDiv,
}

// immediateOps gives the instruction with an immediate right operand.
var immediateOps = [...]Op{
	syntax.Add: OpAddI, syntax.Sub: OpSubI, syntax.Mult: OpMulI, syntax.Mod: OpModI, syntax.LShift: OpLShiftI,
	syntax.RShift: OpRShiftI, syntax.BitAnd: OpAndI, syntax.FloorDiv: OpFloorDivI,
}

func (c *coder) binary(x *syntax.BinOp, r int) {
	left := c.stable(x.Left, x.Right)
	c.operator(x.Op, left, x.Right, r, 0)
}

// operator emits R[r] = R[left] op right.
func (c *coder) operator(op syntax.Operator, left int, right syntax.Expr, r int, inPlace uint32) {
	if i, ok := smallInt(right); ok && int(op) < len(immediateOps) && immediateOps[op] != 0 {
		c.emit(c.price.Arith, immediateOps[op], r, left, 0, i, inPlace)
		return
	}
	at := c.at
	o := c.operand(right)
	c.setAt(at)
	c.operatorReg(op, left, o, r, inPlace)
}

func (c *coder) operatorReg(op syntax.Operator, left, right, r int, inPlace uint32) {
	if int(op) < len(binaryOps) && binaryOps[op] != 0 {
		c.emit(c.price.Arith, binaryOps[op], r, left, right, int(op), inPlace)
		return
	}
	c.emit(c.price.Arith, OpBinary, r, left, right, int(op), inPlace)
}

func (c *coder) unary(x *syntax.UnaryOp, r int) {
	o := c.operand(x.Operand)
	op := [...]Op{syntax.Invert: OpInvert, syntax.Not: OpNot, syntax.UAdd: OpPos, syntax.USub: OpNeg}[x.Op]
	c.emit(c.price.Arith, op, r, o, 0, 0, 0)
}

func (c *coder) boolOp(x *syntax.BoolOp, r int) {
	end := c.newLabel()
	op := OpJumpFalse
	if x.Op == syntax.Or {
		op = OpJumpTrue
	}
	var after bits
	for i, v := range x.Values {
		c.into(v, r)
		if i == 0 {
			after = c.assigned.clone()
		}
		if i < len(x.Values)-1 {
			c.jumpTo(c.price.Branch, end, op, r, 0, 0, 0)
		}
	}
	c.assigned = after
	c.place(end)
}

func (c *coder) ifExp(x *syntax.IfExp, r int) {
	other, end := c.newLabel(), c.newLabel()
	c.condition(x.Test, other, false)
	before := c.assigned.clone()
	c.into(x.Body, r)
	c.jumpTo(0, end, OpJump, 0, 0, 0, 0)
	then := c.assigned
	c.assigned = before
	c.place(other)
	c.into(x.Else, r)
	c.assigned.meet(then)
	c.place(end)
}

// compare compiles a comparison chain to a value.
func (c *coder) compare(x *syntax.Compare, r int) {
	last := c.lastAssigning(x.Comparators)
	left := c.stableIn(x.Left, -1, last)
	if len(x.Ops) == 1 {
		right, ok := c.container(x.Ops[0], x.Comparators[0])
		if !ok {
			right = c.operand(x.Comparators[0])
		}
		c.setAt(x.Span)
		c.compareOne(x.Ops[0], left, right, r)
		return
	}
	end := c.newLabel()
	for i, op := range x.Ops {
		right := c.stableIn(x.Comparators[i], i, last)
		c.setAt(x.Span)
		c.compareOne(op, left, right, r)
		if i < len(x.Ops)-1 {
			c.jumpTo(c.price.Branch, end, OpJumpFalse, r, 0, 0, 0)
		}
		left = right
	}
	c.place(end)
}

func (c *coder) compareOne(op syntax.CmpOperator, left, right, r int) {
	switch op {
	case syntax.Is, syntax.IsNot:
		c.emit(c.price.Compare, OpIs, r, left, right, boolInt(op == syntax.Is), 0)
	case syntax.In, syntax.NotIn:
		c.emit(c.price.Compare, OpIn, r, left, right, boolInt(op == syntax.In), 0)
	default:
		c.emit(c.price.Compare, OpCompare, r, left, right, int(op), 0)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *coder) subscript(x *syntax.Subscript, r int) {
	if s, ok := x.Index.(*syntax.Slice); ok && s.Step == nil {
		o := c.stable(x.Value, s.Lower, s.Upper)
		base := c.tempsOf(2)
		c.optional(s.Lower, base)
		c.optional(s.Upper, base+1)
		c.emit(c.price.Item+c.price.Slice, OpItemSlice, r, o, base, 0, 0)
		return
	}
	o := c.stable(x.Value, x.Index)
	if v, ok := c.literal(x.Index); ok && (v.Kind() == object.KindStr || v.Kind() == object.KindInt) {
		c.emit(c.price.Item, OpItemK, r, o, 0, int(c.constant(v)), 0)
		return
	}
	k := c.operand(x.Index)
	c.emit(c.price.Item, OpItem, r, o, k, 0, 0)
}

// optional compiles an expression, or None in its place.
func (c *coder) optional(x syntax.Expr, r int) {
	if x == nil {
		c.emit(0, OpConst, r, 0, 0, int(c.constant(object.None)), 0)
		return
	}
	c.into(x, r)
}

// sliceParts compiles the three parts of a slice into consecutive registers.
func (c *coder) sliceParts(s *syntax.Slice) int {
	base := c.tempsOf(3)
	c.optional(s.Lower, base)
	c.optional(s.Upper, base+1)
	c.optional(s.Step, base+2)
	return base
}

// displayBatch bounds how many elements of a display sit in registers at once.
const displayBatch = 64

// await waits for the awaitable in register o and leaves its result in r.
func (c *coder) await(o, what, r int) {
	it := c.tempsOf(2)
	c.emit(c.price.Yield, OpAwaitable, it, o, 0, what, 0)
	c.emit(0, OpConst, it+1, 0, 0, int(c.constant(object.None)), 0)
	c.emit(c.price.Yield, OpSend, r, it, it+1, 0, 0)
}

func (c *coder) yield(x *syntax.Yield, r int) {
	v := c.temp()
	c.optional(x.Value, v)
	c.setAt(x.Span)
	c.yieldReg(v, r)
}

// yieldReg yields register v and leaves what is sent in r.
func (c *coder) yieldReg(v, r int) {
	if c.scope.AsyncGenerator() {
		c.emit(0, OpAsyncYield, v, v, 0, 0, 0)
	}
	c.emit(c.price.Yield, OpYield, r, v, 0, 0, 0)
}

func (c *coder) yieldFrom(x *syntax.YieldFrom, r int) {
	o := c.operand(x.Value)
	c.setAt(x.Span)
	it := c.tempsOf(2)
	c.emit(c.price.Iterate, OpYieldIter, it, o, 0, 0, 0)
	c.emit(0, OpConst, it+1, 0, 0, int(c.constant(object.None)), 0)
	c.emit(c.price.Yield, OpSend, r, it, it+1, 0, 0)
}
