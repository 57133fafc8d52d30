package compile

import (
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// maxArgs bounds how many arguments of a call sit in registers; longer calls
// pass a tuple.
const maxArgs = 200

// call compiles a call.
func (c *coder) call(x *syntax.Call, r int) {
	simple := len(x.Args)+len(x.Keywords) <= maxArgs
	for _, a := range x.Args {
		if _, ok := a.(*syntax.Starred); ok {
			simple = false
		}
	}
	for _, k := range x.Keywords {
		simple = simple && k.Arg != ""
	}
	if !simple {
		c.callStarred(x, r)
		return
	}
	if a, ok := x.Func.(*syntax.Attribute); ok && c.callMethod(x, a, r) {
		return
	}
	base := c.tempsOf(1 + len(x.Args) + len(x.Keywords))
	c.into(x.Func, base)
	names := c.arguments(x, base+1)
	c.setAt(x.Span)
	c.emit(c.price.Call, OpCall, r, base, len(x.Args)+len(x.Keywords), names, c.cache())
}

// arguments compiles positional and keyword arguments into consecutive registers
// and returns the number of the list of keyword names, 0 if there are none.
func (c *coder) arguments(x *syntax.Call, base int) int {
	for i, a := range x.Args {
		c.into(a, base+i)
	}
	if len(x.Keywords) == 0 {
		return 0
	}
	names := make([]*object.Str, len(x.Keywords))
	for i, k := range x.Keywords {
		names[i] = c.name(k.Arg)
		c.into(k.Value, base+len(x.Args)+i)
	}
	if len(c.code.KwNames) == 0 {
		c.code.KwNames = append(c.code.KwNames, nil)
	}
	c.code.KwNames = append(c.code.KwNames, names)
	return len(c.code.KwNames) - 1
}

// callMethod compiles obj.name(…) without making a bound method. The attribute is
// looked up before the arguments are evaluated; if evaluating them can have no
// effect, one instruction does both. It declines when the operands do not fit.
func (c *coder) callMethod(x *syntax.Call, a *syntax.Attribute, r int) bool {
	n := c.nameIndex(a.Mangled)
	if n > 0xffff || len(c.code.KwNames) > 0x7ffe {
		return false
	}
	recv, local := c.localOf(a.Value)
	base := c.tempsOf(2 + len(x.Args) + len(x.Keywords))
	fused := true
	for _, arg := range x.Args {
		fused = fused && c.inert(arg)
	}
	for _, k := range x.Keywords {
		fused = fused && c.inert(k.Value)
	}
	argc := len(x.Args) + len(x.Keywords)
	if fused {
		c.into(a.Value, base+1)
		names := c.arguments(x, base+2)
		c.setAt(methodAt(x, a))
		c.emit(c.price.Call+c.price.Attribute, OpCallMethod, r, base, argc, int(n)|names<<16, c.cache())
		return true
	}
	if !local {
		recv = base
		c.into(a.Value, base)
	}
	c.setAt(attributeAt(a, a.Span))
	c.emit(c.price.Attribute, OpMethod, base, recv, 0, int(n), c.cache())
	names := c.arguments(x, base+2)
	c.setAt(methodAt(x, a))
	c.emit(c.price.Call, OpCallLoaded, r, base, argc, names, 0)
	return true
}

// attributeAt is where a traceback sees an attribute in the range whole, which ends with it or with its call: from the
// attribute's name on if that is on another line than the object.
func attributeAt(a *syntax.Attribute, whole syntax.Span) syntax.Span {
	if whole.Line != a.EndLine {
		whole.Line = a.EndLine
		whole.Col = max(a.EndCol-int32(utf8.RuneCountInString(a.Attr)), -1)
	}
	return whole
}

// fewArgs is how many arguments, and one for keywords, CPython calls a method with; with more it calls an attribute.
const fewArgs = 30

// methodAt is where a traceback sees the call of a method.
func methodAt(x *syntax.Call, a *syntax.Attribute) syntax.Span {
	if len(x.Args)+len(x.Keywords)+boolInt(len(x.Keywords) > 0) >= fewArgs {
		return x.Span
	}
	return attributeAt(a, x.Span)
}

// localOf returns the register of a local variable, checked.
func (c *coder) localOf(x syntax.Expr) (int, bool) {
	n, ok := x.(*syntax.Name)
	if !ok || n.Bind.Access != syntax.AccessLocal {
		return 0, false
	}
	return c.operand(x), true
}

// inert says whether evaluating x only copies a value.
func (c *coder) inert(x syntax.Expr) bool {
	if n, ok := x.(*syntax.Name); ok {
		return n.Bind.Access == syntax.AccessLocal && c.assigned.has(int(n.Bind.Slot))
	}
	_, ok := c.literal(x)
	return ok
}

// callStarred compiles a call with starred or very many arguments.
func (c *coder) callStarred(x *syntax.Call, r int) {
	base := c.tempsOf(3)
	c.into(x.Func, base)
	if len(x.Args) == 1 && len(x.Keywords) > 0 {
		if s, ok := x.Args[0].(*syntax.Starred); ok {
			// The only argument is unpacked behind the keywords.
			c.into(s.Value, base+1)
			c.setAt(x.Span)
			c.keywordDict(x.Keywords, base+2, base)
			c.unpackOnly(base+1, base+1, base)
			c.setAt(x.Span)
			c.emit(c.price.Call, OpCallEx, r, base, 0, 0, 0)
			return
		}
	}
	c.setAt(x.Span)
	c.starArgs(x.Args, base+1, base)
	c.setAt(x.Span)
	c.keywordDict(x.Keywords, base+2, base)
	c.setAt(x.Span)
	c.emit(c.price.Call, OpCallEx, r, base, 0, 0, 0)
}

// starArgs builds the tuple of positional arguments in register r; register fn
// has the function for messages.
func (c *coder) starArgs(args []syntax.Expr, r, fn int) {
	call := c.at // where errors of unpacking stand
	if len(args) == 1 {
		if s, ok := args[0].(*syntax.Starred); ok {
			mark := c.temps
			o := c.operand(s.Value)
			c.setAt(call)
			c.unpackOnly(o, r, fn)
			c.release(mark)
			return
		}
	}
	mark := c.temps
	acc := c.temp()
	c.emit(c.price.Display, OpList, acc, acc, 0, 1, 0)
	for _, a := range args {
		if s, ok := a.(*syntax.Starred); ok {
			o := c.operand(s.Value)
			c.setAt(call)
			c.emit(c.price.Element+5*c.price.Iterate, OpExtend, acc, o, 0, 0, 0)
		} else {
			o := c.operand(a)
			c.emit(c.price.Element, OpAppend, acc, o, 0, 0, 0)
		}
		c.release(acc + 1)
	}
	c.emit(0, OpToTuple, r, acc, 0, 0, 0)
	c.release(mark)
}

// unpackOnly makes register r the tuple of the values in register o, the only
// positional argument.
func (c *coder) unpackOnly(o, r, fn int) {
	c.emit(c.price.Display+c.price.Element, OpArguments, r, o, fn, 0, 0)
}

// keywordDict builds the dict of keyword arguments in register r, or leaves it
// unbound; register fn has the function for messages.
func (c *coder) keywordDict(kws []*syntax.Keyword, r, fn int) {
	if len(kws) == 0 {
		c.emit(0, OpUnset, r, 0, 0, 0, 0)
		return
	}
	if len(kws) == 1 && kws[0].Arg == "" && c.inert(kws[0].Value) {
		if o, local := c.localOf(kws[0].Value); local {
			c.emit(c.price.Mapping+c.price.DictAccess, OpKeywords, r, o, fn, 0, 0)
			return
		}
	}
	mark := c.temps
	acc := c.temp()
	call := c.at
	c.emit(c.price.Mapping, OpDict, acc, acc, 0, 1, 0)
	for _, k := range kws {
		if k.Arg == "" {
			o := c.operand(k.Value)
			c.setAt(call)
			c.emit(c.price.DictAccess, OpDictMerge, acc, o, fn, 0, 0)
		} else {
			one := c.tempsOf(2)
			c.emit(0, OpConst, one, 0, 0, int(c.str(k.Arg)), 0)
			c.into(k.Value, one+1)
			d := c.temp()
			c.setAt(call)
			c.emit(0, OpDict, d, one, 1, 0, 0)
			c.emit(c.price.DictAccess, OpDictMerge, acc, d, fn, 0, 0)
		}
		c.release(acc + 1)
	}
	c.emit(0, OpMove, r, acc, 0, 0, 0)
	c.release(mark)
}
