package compile

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// condition compiles a test: control goes to l if its truth equals sense, else
// on. An error of asking for the truth stands, in tracebacks, where the caller is,
// or at the last comparison, which is also where the caller is afterwards.
func (c *coder) condition(x syntax.Expr, l label, sense bool) {
	mark := c.temps
	defer func() { c.release(mark) }()
	switch x := x.(type) {
	case *syntax.UnaryOp:
		if x.Op == syntax.Not {
			c.condition(x.Operand, l, !sense)
			return
		}
	case *syntax.BoolOp:
		c.boolCondition(x, l, sense)
		return
	case *syntax.Compare:
		c.compareCondition(x, l, sense)
		return
	case *syntax.Constant:
		if truth(c.literalOf(x)) == sense {
			before := c.assigned.clone()
			c.jumpTo(0, l, OpJump, 0, 0, 0, 0)
			c.assigned = before
		}
		return
	}
	r := c.operand(x)
	c.setAt(decidedAt(x, c.at))
	op := OpJumpFalse
	if sense {
		op = OpJumpTrue
	}
	c.jumpTo(c.price.Branch, l, op, r, 0, 0, 0)
}

// decidedAt is where a traceback sees a test being decided: at the last of the
// comparisons it consists of, or at at if there is none.
func decidedAt(test syntax.Expr, at syntax.Span) syntax.Span {
	switch e := test.(type) {
	case *syntax.Compare:
		return e.Span
	case *syntax.UnaryOp:
		if e.Op == syntax.Not {
			return decidedAt(e.Operand, at)
		}
	case *syntax.BoolOp:
		for _, value := range e.Values {
			at = decidedAt(value, at)
		}
	case *syntax.IfExp:
		for _, part := range []syntax.Expr{e.Test, e.Body, e.Else} {
			at = decidedAt(part, at)
		}
	}
	return at
}

func truth(v object.Value) bool {
	switch v.Kind() {
	case object.KindNone:
		return false
	case object.KindBool, object.KindInt:
		return v.Bits() != 0
	case object.KindFloat:
		return v.Bits()<<1 != 0
	case object.KindStr:
		s, _ := v.AsStr()
		return s.Len() > 0
	case object.KindBytes:
		b, _ := v.AsBytes()
		return len(b.Data()) > 0
	}
	return true
}

// boolCondition short-circuits and, or.
func (c *coder) boolCondition(x *syntax.BoolOp, l label, sense bool) {
	last := len(x.Values) - 1
	if (x.Op == syntax.Or) == sense {
		// Any operand with that truth decides.
		var after bits
		for i, v := range x.Values {
			c.condition(v, l, sense)
			if i == 0 {
				after = c.assigned.clone()
			}
		}
		c.assigned = after
		return
	}
	on := c.newLabel()
	var after bits
	for i, v := range x.Values {
		if i == last {
			c.condition(v, l, sense)
		} else {
			c.condition(v, on, !sense)
		}
		if i == 0 {
			after = c.assigned.clone()
		}
	}
	c.assigned = after
	c.place(on)
}

var jumpOps = [...]Op{
	syntax.Eq: OpJumpEq, syntax.NotEq: OpJumpNe, syntax.Lt: OpJumpLt, syntax.LtE: OpJumpLe, syntax.Gt: OpJumpGt,
	syntax.GtE: OpJumpGe, syntax.Is: OpJumpIs, syntax.IsNot: OpJumpIs, syntax.In: OpJumpIn, syntax.NotIn: OpJumpIn,
}

var jumpImmediateOps = [...]Op{
	syntax.Eq: OpJumpEqI, syntax.NotEq: OpJumpNeI, syntax.Lt: OpJumpLtI, syntax.LtE: OpJumpLeI,
	syntax.Gt: OpJumpGtI, syntax.GtE: OpJumpGeI,
}

func (c *coder) compareCondition(x *syntax.Compare, l label, sense bool) {
	last := c.lastAssigning(x.Comparators)
	left := c.stableIn(x.Left, -1, last)
	if len(x.Ops) == 1 {
		c.jumpCompare(x, 0, left, last, l, sense)
		return
	}
	on := c.newLabel()
	for i := range x.Ops {
		target, want := on, false
		if !sense {
			target = l
		}
		if i == len(x.Ops)-1 {
			target, want = l, sense
		}
		left = c.jumpCompare(x, i, left, last, target, want)
	}
	c.place(on)
}

// jumpCompare emits comparison i of a chain, whose left operand is in register
// left, as a jump and returns the register of its right operand.
func (c *coder) jumpCompare(x *syntax.Compare, i, left, assigning int, l label, sense bool) int {
	op, rightX := x.Ops[i], x.Comparators[i]
	last := i == len(x.Ops)-1
	flag := boolInt(sense != (op == syntax.IsNot || op == syntax.NotIn))
	if op == syntax.Is || op == syntax.IsNot {
		if k, ok := rightX.(*syntax.Constant); ok && k.Kind == syntax.None && last {
			c.setAt(x.Span)
			c.jumpTo(c.price.Compare, l, OpJumpNone, left, 0, flag, 0)
			return left
		}
	}
	if n, ok := smallInt(rightX); ok && last && op <= syntax.GtE {
		c.setAt(x.Span)
		c.jumpTo(c.price.Compare, l, jumpImmediateOps[op], left, 0, flag, uint32(int32(n)))
		return left
	}
	right, ok := 0, false
	if last {
		right, ok = c.container(op, rightX)
	}
	if !ok {
		right = c.stableIn(rightX, i, assigning)
	}
	c.setAt(x.Span)
	price := c.price.Compare
	if op == syntax.Is || op == syntax.IsNot {
		price += c.price.Move
	}
	c.jumpTo(price, l, jumpOps[op], left, right, flag, 0)
	return right
}
