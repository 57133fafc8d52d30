package compile

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// display compiles a list, tuple or set display.
func (c *coder) display(elts []syntax.Expr, op Op, r int) {
	price, each := c.price.Display, c.price.Element
	if op == OpSet {
		price, each = c.price.Mapping, c.price.DictAccess+c.price.Element
	}
	starred := false
	for _, e := range elts {
		if _, ok := e.(*syntax.Starred); ok {
			starred = true
		}
	}
	if !starred && len(elts) <= displayBatch {
		base := c.tempsOf(len(elts))
		for i, e := range elts {
			c.into(e, base+i)
		}
		c.emit(price+each*len(elts), op, r, base, len(elts), 0, 0)
		return
	}
	acc := c.temp()
	start, add, extend := OpList, OpAppend, OpExtend
	if op == OpSet {
		start, add, extend = OpSet, OpSetAdd, OpSetUpdate
	}
	c.emit(price, start, acc, acc, 0, 1, 0)
	for _, e := range elts {
		if s, ok := e.(*syntax.Starred); ok {
			o := c.operand(s.Value)
			c.emit(each+5*c.price.Iterate, extend, acc, o, 0, 0, 0)
			c.release(acc + 1)
			continue
		}
		o := c.operand(e)
		c.emit(each+c.price.Move, add, acc, o, 0, 0, 0)
		c.release(acc + 1)
	}
	if op == OpTuple {
		c.emit(0, OpToTuple, r, acc, 0, 0, 0)
	} else {
		c.emit(0, OpMade, acc, 0, 0, 0, 0)
		c.emit(0, OpMove, r, acc, 0, 0, 0)
	}
}

func (c *coder) dict(x *syntax.Dict, r int) {
	simple := len(x.Keys) <= displayBatch/2
	for _, k := range x.Keys {
		simple = simple && k != nil
	}
	if simple {
		base := c.tempsOf(2 * len(x.Keys))
		for i, k := range x.Keys {
			c.into(k, base+2*i)
			c.into(x.Values[i], base+2*i+1)
		}
		c.emit(c.price.Mapping+(c.price.DictAccess+c.price.Element)*len(x.Keys), OpDict, r, base, len(x.Keys), 0, 0)
		return
	}
	acc := c.temp()
	c.emit(c.price.Mapping, OpDict, acc, acc, 0, 1, 0)
	for i, k := range x.Keys {
		if k == nil {
			o := c.operand(x.Values[i])
			c.emit(c.price.DictAccess+2*c.price.Iterate, OpDictUpdate, acc, o, 0, 0, 0)
		} else {
			kr := c.stable(k, x.Values[i])
			vr := c.operand(x.Values[i])
			c.emit(c.price.DictAccess+c.price.Element, OpDictSet, acc, kr, vr, 0, 0)
		}
		c.release(acc + 1)
	}
	c.emit(0, OpMade, acc, 0, 0, 0, 0)
	c.emit(0, OpMove, r, acc, 0, 0, 0)
}

func (c *coder) joined(x *syntax.JoinedStr, r int) {
	if len(x.Values) == 0 {
		c.emit(0, OpConst, r, 0, 0, int(c.str("")), 0)
		return
	}
	if len(x.Values) > displayBatch {
		c.joinedLong(x, r)
		return
	}
	base := c.tempsOf(len(x.Values))
	for i, v := range x.Values {
		c.into(v, base+i)
	}
	c.setAt(x.Span)
	c.emit(c.price.Format, OpJoin, r, base, len(x.Values), 0, 0)
}

// joinedLong joins a long f-string piece by piece.
func (c *coder) joinedLong(x *syntax.JoinedStr, r int) {
	base := c.tempsOf(displayBatch + 1)
	c.emit(0, OpConst, base, 0, 0, int(c.str("")), 0)
	for i := 0; i < len(x.Values); i += displayBatch {
		part := x.Values[i:min(i+displayBatch, len(x.Values))]
		for j, v := range part {
			c.into(v, base+1+j)
		}
		c.emit(c.price.Format, OpJoin, base, base, len(part)+1, 0, 0)
	}
	c.emit(0, OpMove, r, base, 0, 0, 0)
}

func (c *coder) formatted(x *syntax.FormattedValue, r int) {
	v := c.operand(x.Value)
	spec := NoReg
	if x.Spec != nil {
		if n, ok := x.Value.(*syntax.Name); ok && n.Bind.Access == syntax.AccessLocal && c.assigns(x.Spec) {
			t := c.temp()
			c.emit(0, OpMove, t, v, 0, 0, 0)
			v = t
		}
		spec = c.temp()
		c.into(x.Spec, spec)
	}
	c.setAt(x.Span)
	c.emit(c.price.Format, OpFormat, r, v, spec, int(x.Conversion), 0)
}
