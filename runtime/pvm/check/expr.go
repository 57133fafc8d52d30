package check

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// forbiddenNames are built-in functions that an actor may not use, each with
// what to use instead.
var forbiddenNames = map[string]string{
	"eval":         "write the expression in the source, or parse data with json",
	"exec":         "write the statements in the source",
	"compile":      "write the code in the source (re.compile is allowed)",
	"__import__":   "use an import statement",
	"__builtins__": "use the built-in names directly",
	"breakpoint":   "print to a log while testing locally",
	"input":        "take values from the message an actor handles",
}

// forbiddenAttributes lead from objects to frames and namespaces.
var forbiddenAttributes = map[string]bool{
	"gi_frame": true, "cr_frame": true, "ag_frame": true, "tb_frame": true, "f_back": true, "f_globals": true,
	"f_locals": true, "f_builtins": true, "__globals__": true,
}

// expr checks an expression and all inside it.
func (c *checker) expr(x syntax.Expr) {
	syntax.Inspect(x, func(x syntax.Expr) {
		switch x := x.(type) {
		case *syntax.Name:
			c.name(x)
		case *syntax.Attribute:
			c.attribute(x)
		case *syntax.Compare:
			c.compare(x)
		case *syntax.Constant:
			c.constant(x)
		case *syntax.Call:
			c.call(x)
		case *syntax.Subscript:
			if x.Ctx == syntax.Store {
				c.namespaceStore(x)
			}
		}
	})
}

// name refuses a forbidden built-in, unless the name means something else here.
func (c *checker) name(x *syntax.Name) {
	if x.Ctx == syntax.Store {
		if c.class {
			c.finalizer(x.ID, x.Span)
		}
		return
	}
	instead, forbidden := forbiddenNames[x.ID]
	if forbidden && c.builtin(x) {
		c.report(x.Span, "the built-in "+x.ID+" is forbidden", instead)
	}
}

// builtin says whether a name that is read can only be a built-in.
func (c *checker) builtin(x *syntax.Name) bool {
	switch x.Bind.Access {
	case syntax.AccessClass:
		return !c.own[x.ID] && !c.classOwn[x.ID]
	case syntax.AccessGlobal:
		return !c.own[x.ID]
	}
	return false
}

func (c *checker) attribute(x *syntax.Attribute) {
	if x.Ctx == syntax.Store {
		c.finalizer(x.Attr, x.Span)
	}
	if forbiddenAttributes[x.Attr] {
		c.report(x.Span, "the attribute "+x.Attr+" leads into the interpreter and is forbidden",
			"pass what is needed as an argument")
	}
	if module, ok := x.Value.(*syntax.Name); ok && module.ID == "asyncio" && x.Attr == "gather" {
		c.report(x.Span, "asyncio.gather is forbidden", "await one call after the other, or use cowboy_sdk.TaskGroup")
	}
}

// compare refuses identity of numbers and strings.
func (c *checker) compare(x *syntax.Compare) {
	left := x.Left
	for i, op := range x.Ops {
		right := x.Comparators[i]
		if (op == syntax.Is || op == syntax.IsNot) && (isValue(left) || isValue(right)) {
			instead := "use =="
			if op == syntax.IsNot {
				instead = "use !="
			}
			c.report(x.Span, "'"+op.String()+"' with a number or string literal is forbidden", instead)
		}
		left = right
	}
}

// isValue says whether an expression is a literal number, string or bytes.
func isValue(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Constant:
		return x.Kind >= syntax.Int
	case *syntax.JoinedStr:
		return true
	case *syntax.UnaryOp:
		return x.Op != syntax.Not && isValue(x.Operand)
	case *syntax.BinOp:
		return isValue(x.Left) && isValue(x.Right)
	}
	return false
}

func (c *checker) constant(x *syntax.Constant) {
	if x.Big != nil && x.Big.BitLen() > IntegerBitsMax {
		c.report(x.Span, "an integer of more than 4,096 bits (1,234 digits) is forbidden", "keep long data in bytes")
	}
}

// namespaceMethods change a dict.
var namespaceMethods = map[string]bool{
	"update": true, "setdefault": true, "pop": true, "popitem": true, "clear": true, "__setitem__": true,
	"__delitem__": true, "__ior__": true,
}

// call refuses a method that changes the namespace of the module.
func (c *checker) call(x *syntax.Call) {
	if f, ok := x.Func.(*syntax.Attribute); ok && namespaceMethods[f.Attr] && c.isNamespace(f.Value) {
		c.namespace(x.Span)
	}
	c.codec(x)
}

// codec refuses the literal name of a codec other than UTF-8, and of an error handler other than 'strict', where text becomes bytes or bytes text: the call
// can only fail.
//
// Spec: README "Codecs"; CIP-3 §2.2.1 (String Encoding Determinism).
func (c *checker) codec(x *syntax.Call) {
	first := 1 // where the name of the codec stands: encode and decode are methods
	switch f := x.Func.(type) {
	case *syntax.Attribute:
		if f.Attr != "encode" && f.Attr != "decode" {
			return
		}
		first = 0
	case *syntax.Name:
		if f.ID != "bytes" && f.ID != "bytearray" && f.ID != "str" || !c.builtin(f) {
			return
		}
	default:
		return
	}
	given := func(position int, name string) (string, syntax.Span, bool) {
		for _, k := range x.Keywords {
			if k.Arg == name {
				return literal(k.Value)
			}
		}
		for i, arg := range x.Args {
			if _, starred := arg.(*syntax.Starred); starred {
				return "", syntax.Span{}, false
			}
			if i == position {
				return literal(arg)
			}
		}
		return "", syntax.Span{}, false
	}
	if name, at, ok := given(first, "encoding"); ok && text.IsOtherCodec(name) {
		c.report(at, "the encoding '"+name+"' is not available", "use utf-8")
	} else if !ok || !text.IsUTF8(name) {
		return // errors alone is a keyword of other methods too
	}
	if name, at, ok := given(first+1, "errors"); ok && text.IsOtherErrorHandler(name) {
		c.report(at, "the error handler '"+name+"' is not available", "use 'strict', or check the text first")
	}
}

// literal is the text of a string literal.
func literal(x syntax.Expr) (string, syntax.Span, bool) {
	if k, ok := x.(*syntax.Constant); ok && k.Kind == syntax.Str {
		return k.Text, k.Span, true
	}
	return "", syntax.Span{}, false
}

// namespaceStore refuses a store to, or deletion of, an item of the namespace.
func (c *checker) namespaceStore(x syntax.Expr) {
	if s, ok := x.(*syntax.Subscript); ok && c.isNamespace(s.Value) {
		c.namespace(s.Span)
	}
}

func (c *checker) namespace(at syntax.Span) {
	c.report(at, "changing the module's namespace through globals() is forbidden",
		"assign to the name (with a global statement in a function), or keep a dict of your own")
}

// isNamespace recognizes globals().
func (c *checker) isNamespace(x syntax.Expr) bool {
	call, ok := x.(*syntax.Call)
	if !ok {
		return false
	}
	f, ok := call.Func.(*syntax.Name)
	return ok && f.ID == "globals" && c.builtin(f)
}
