package object

import "strings"

// CPython's native functions read arguments in four ways, each with messages of
// its own: slots and functions of no or one argument, generated parsers of
// positional arguments ("expected"), generated parsers that also take names
// ("takes"), and format strings (also "takes", with other words).

// formatted are methods that CPython parses with a format string.
var formatted = map[string]bool{
	"str.find": true, "str.rfind": true, "str.index": true, "str.rindex": true, "str.count": true, "str.startswith": true,
	"str.endswith": true, "bytes.find": true, "bytes.rfind": true, "bytes.index": true, "bytes.rindex": true,
	"bytes.count": true, "bytes.startswith": true, "bytes.endswith": true, "bytearray.find": true, "bytearray.rfind": true,
	"bytearray.index": true, "bytearray.rindex": true, "bytearray.count": true, "bytearray.startswith": true,
	"bytearray.endswith": true, "deque.insert": true, "deque.index": true,
}

// named says whether arguments may be given by name.
func (b *Builtin) named() bool {
	return b.posOnly < len(b.params) && b.Name != "sorted" && b.Name != "print"
}

// hidden is how many of the parameters the caller does not see: the receiver.
func (b *Builtin) hidden() int {
	if b.self || b.class {
		return 1
	}
	return 0
}

// display names the function in messages that do not come from a parser.
func (b *Builtin) display() string {
	if b.Owner != nil {
		return b.Owner.ShortName() + "." + b.Name
	}
	switch b.Module {
	case "", "builtins":
		return b.Name
	case "struct", "functools":
		return "_" + b.Module + "." + b.Name
	}
	return b.Module + "." + b.Name
}

// subject begins the messages of parsers that take names. Those of decimal do not know the function's name.
func (b *Builtin) subject() string {
	if b.Owner != nil && b.Owner.ShortName() == "Decimal" {
		return "function"
	}
	return b.Name + "()"
}

// tooMany refuses a call with too many arguments, placed of them by position.
func (b *Builtin) tooMany(m *Machine, given, placed int) *Exception {
	lo, hi, all := b.min-b.hidden(), b.max-b.hidden(), len(b.params)-b.hidden()
	switch {
	case b.wrapper:
		return b.slotMiscounted(m, lo == hi, "most", hi, given)
	case hi == 0 && all == 0:
		return m.TypeError("%s() takes no arguments (%d given)", b.display(), given)
	case b.named() && given > all:
		kind := ""
		if placed == 0 {
			kind = "keyword "
		}
		return m.TypeError("%s takes at most %d %sargument%s (%d given)", b.subject(), all, kind, Plural(all), given)
	case b.named() && hi == 0:
		return m.TypeError("%s() takes no positional arguments", b.Name)
	case b.named():
		return m.TypeError("%s() takes %s %d positional argument%s (%d given)", b.Name, bound(lo == hi, "most"), hi, Plural(hi), given)
	}
	return b.miscounted(m, lo == hi, "most", hi, given)
}

// tooFew refuses a call in which parameter i has no argument.
func (b *Builtin) tooFew(m *Machine, i, given int) *Exception {
	lo, hi := b.min-b.hidden(), b.max-b.hidden()
	switch {
	case b.wrapper:
		return b.slotMiscounted(m, lo == hi, "least", lo, given)
	case b.named() && i < b.posOnly:
		n := min(b.min, b.posOnly) - b.hidden()
		return m.TypeError("%s() takes %s %d positional argument%s (%d given)", b.Name, bound(n == hi, "least"), n, Plural(n), given)
	case b.Name == "enumerate":
		return m.TypeError("enumerate() missing required argument 'iterable'")
	case i >= b.posOnly:
		return m.TypeError("%s missing required argument '%s' (pos %d)", b.subject(), b.params[i].s, i+1-b.hidden())
	}
	return b.miscounted(m, lo == hi, "least", lo, given)
}

// miscounted words a wrong number of positional arguments.
func (b *Builtin) miscounted(m *Machine, exactly bool, side string, want, given int) *Exception {
	switch {
	case b.parsedByHand():
		return m.TypeError("math.log requires 1 to 2 arguments")
	case b.Owner != nil && b.Name == "rotate":
		return m.TypeError("deque.rotate expected at %s %d argument%s, got %d", side, want, Plural(want), given)
	case b.Owner == &ExcBaseExceptionGroup && exactly:
		return m.TypeError("%s expected %d argument%s, got %d", b.Name, want, Plural(want), given)
	case b.Owner != nil && formatted[b.Owner.ShortName()+"."+b.Name]:
		return m.TypeError("%s() takes %s %d argument%s (%d given)", b.Name, bound(exactly, side), want, Plural(want), given)
	case exactly && want == 1 && b.Name != "sorted":
		return m.TypeError("%s() takes exactly one argument (%d given)", b.display(), given)
	case exactly:
		return m.TypeError("%s expected %d argument%s, got %d", b.Name, want, Plural(want), given)
	}
	return m.TypeError("%s expected at %s %d argument%s, got %d", b.Name, side, want, Plural(want), given)
}

// slotMiscounted is miscounted for methods made from slots. CPython unpacks the arguments of most with a function that
// would begin the message with a name and gets none.
func (b *Builtin) slotMiscounted(m *Machine, exactly bool, side string, want, given int) *Exception {
	blank := ""
	if !exactly || want > 1 || b.Owner.Slots.Len != nil && strings.HasSuffix(b.Name, "mul__") {
		blank = " "
	}
	if exactly {
		return m.TypeError("%sexpected %d argument%s, got %d", blank, want, Plural(want), given)
	}
	return m.TypeError("%sexpected at %s %d argument%s, got %d", blank, side, want, Plural(want), given)
}

// parsedByHand says whether the function is math.log, whose words about its arguments are its own.
func (b *Builtin) parsedByHand() bool { return b.Module == "math" && b.Name == "log" }

// argName is how a message of an argument parser calls the type of an argument.
func argName(v Value) string {
	if v.IsNone() {
		return "None"
	}
	return v.ref.typ.Name
}

func bound(exactly bool, side string) string {
	if exactly {
		return "exactly"
	}
	return "at " + side
}
