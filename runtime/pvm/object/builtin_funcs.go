package object

import (
	"strconv"
	"strings"
)

// builtinFunctions declares the built-in functions.
func builtinFunctions() []Method {
	list := []Method{
		{Name: "abs", Sig: "x, /", Func: builtinAbs},
		{Name: "all", Sig: "iterable, /", Func: func(m *Machine, a Args) (Value, *Exception) { return m.quantify(a.V[0], false) }},
		{Name: "any", Sig: "iterable, /", Func: func(m *Machine, a Args) (Value, *Exception) { return m.quantify(a.V[0], true) }},
		{Name: "ascii", Sig: "obj, /", Func: func(m *Machine, a Args) (Value, *Exception) { return m.ASCII(a.V[0]) }},
		{Name: "bin", Sig: "number, /", Func: baseText("0b", 2)},
		{Name: "oct", Sig: "number, /", Func: baseText("0o", 8)},
		{Name: "hex", Sig: "number, /", Func: baseText("0x", 16)},
		{Name: "open", Sig: "file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None", Func: builtinOpen},
		{Name: "callable", Sig: "obj, /", Func: func(m *Machine, a Args) (Value, *Exception) { return Bool(Callable(a.V[0])), nil }},
		{Name: "chr", Sig: "i, /", Func: builtinChr},
		{Name: "ord", Sig: "c, /", Func: builtinOrd},
		{Name: "divmod", Sig: "x, y, /", Func: builtinDivmod},
		{Name: "pow", Sig: "base, exp, mod=None", Func: builtinPow},
		{Name: "round", Sig: "number, ndigits=None", Func: builtinRound},
		{Name: "format", Sig: "value, format_spec='', /", Func: builtinFormat},
		{Name: "hash", Sig: "obj, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			h, e := m.Hash(a.V[0])
			return Int(h), e
		}},
		{Name: "id", Sig: "obj, /", Func: func(m *Machine, a Args) (Value, *Exception) { return Int(int64(m.ID(a.V[0]))), nil }},
		{Name: "isinstance", Sig: "obj, class_or_tuple, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			ok, e := m.IsInstance(a.V[0], a.V[1])
			return Bool(ok), e
		}},
		{Name: "issubclass", Sig: "cls, class_or_tuple, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			ok, e := m.IsSubclass(a.V[0], a.V[1])
			return Bool(ok), e
		}},
		{Name: "iter", Sig: "object, sentinel=None, /", Func: builtinIter},
		{Name: "next", Sig: "iterator, default=None, /", Func: builtinNext},
		{Name: "aiter", Sig: "async_iterable, /", Func: builtinAIter},
		{Name: "anext", Sig: "aiterator, default=None, /", Func: builtinANext},
		{Name: "len", Sig: "obj, /", Func: builtinLen},
		{Name: "max", Sig: Unbound, Func: func(m *Machine, a Args) (Value, *Exception) { return m.extreme("max", Gt, a) }},
		{Name: "min", Sig: Unbound, Func: func(m *Machine, a Args) (Value, *Exception) { return m.extreme("min", Lt, a) }},
		{Name: "print", Sig: Unbound, Func: builtinPrint},
		{Name: "repr", Sig: "obj, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			m.meter.Owe(reprCost)
			return m.Repr(a.V[0])
		}},
		{Name: "sorted", Sig: "iterable, /, *, key=None, reverse=False", Func: builtinSorted},
		{Name: "sum", Sig: "iterable, /, start=0", Func: builtinSum},
	}
	list = append(list, attributeFunctions()...)
	return append(list, forbiddenFunctions()...)
}

// builtinOpen hands open() to whoever gave the machine files.
func builtinOpen(m *Machine, a Args) (Value, *Exception) {
	if m.open == nil {
		return Value{}, m.DeterminismError("open() is forbidden: there are no files")
	}
	return m.open(m, a)
}

func builtinAbs(m *Machine, a Args) (Value, *Exception) {
	f := a.V[0].ref.typ.Slots.Abs
	if f == nil {
		return Value{}, m.TypeError("bad operand type for abs(): '%s'", a.V[0].ref.typ.Name)
	}
	return f(m, a.V[0])
}

// builtinLen is len. Lengths that nothing in memory has, of ranges and of what a
// class of the program answers, are exact too.
func builtinLen(m *Machine, a Args) (Value, *Exception) {
	v := a.V[0]
	if r, ok := smallRangeOf(v); ok {
		return Int(r.n), nil
	}
	n, e := m.Len(v)
	if e != nil || n < maxIndex {
		return Int(int64(n)), e
	}
	if v.ref.kind == KindRange {
		return m.IntOf(v.rng().length())
	}
	r, e := m.callSpecial(v, nLen)
	if e != nil {
		return Value{}, e
	}
	return m.Index(r)
}

// quantify is any, or all with want false.
func (m *Machine) quantify(v Value, want bool) (Value, *Exception) {
	found := false
	look := func(x Value) (bool, *Exception) {
		t, e := m.Truth(x)
		found = t == want
		return !found, e
	}
	var e *Exception
	if v.ref.typ == &TypeGenerator {
		e = m.feed(v, func(x Value) bool { return x.IsBool() && x.bits != 0 != want }, look)
	} else {
		e = m.Iterate(v, look)
	}
	return Bool(found == want), e
}

func baseText(prefix string, base int) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		i, e := m.Index(a.V[0])
		if e != nil {
			return Value{}, e
		}
		if e := m.Charge(8 + bitLen(i)/4); e != nil {
			return Value{}, e
		}
		if i.IsInt() {
			return m.baseText(i.Int64(), prefix, base), nil
		}
		s := i.BigInt().Text(base)
		if strings.HasPrefix(s, "-") {
			return m.Str("-" + prefix + s[1:]), nil
		}
		return m.Str(prefix + s), nil
	}
}

func (m *Machine) baseText(i int64, prefix string, base int) Value {
	var buf [72]byte
	b := buf[:0]
	u := uint64(i)
	if i < 0 {
		b, u = append(b, '-'), -u
	}
	return m.ASCIIOf(strconv.AppendUint(append(b, prefix...), u, base))
}

func builtinChr(m *Machine, a Args) (Value, *Exception) {
	n, e := m.Index(a.V[0])
	if e != nil {
		return Value{}, e
	}
	if !n.IsInt() || n.Int64() != int64(int32(n.Int64())) {
		return Value{}, m.OverflowError("Python int too large to convert to C int")
	}
	i := n.Int64()
	if i < 0 || i > 0x10ffff {
		return Value{}, m.ValueError("chr() arg not in range(0x110000)")
	}
	return m.char(rune(i)), nil
}

func builtinOrd(m *Machine, a Args) (Value, *Exception) {
	v := a.V[0]
	n := 0
	switch v.ref.kind &^ Sub {
	case KindStr:
		s := v.str()
		if s.n == 1 {
			return Int(int64(s.At(0))), nil
		}
		n = s.n
	case KindBytes, KindByteArray:
		b := bytesOf(v)
		if len(b) == 1 {
			return Int(int64(b[0])), nil
		}
		n = len(b)
	default:
		return Value{}, m.TypeError("ord() expected string of length 1, but %s found", v.ref.typ.Name)
	}
	return Value{}, m.TypeError("ord() expected a character, but string of length %d found", n)
}

func builtinPow(m *Machine, a Args) (Value, *Exception) {
	if z := a.Or(2, None); !z.IsNone() {
		return m.powMod(a.V[0], a.V[1], z)
	}
	return m.BinaryOp(Pow, a.V[0], a.V[1])
}

func builtinRound(m *Machine, a Args) (Value, *Exception) {
	fn, ok := a.V[0].ref.typ.Lookup(nRound)
	if !ok {
		return Value{}, m.TypeError("type %s doesn't define __round__ method", a.V[0].ref.typ.Name)
	}
	if nd := a.Or(1, None); !nd.IsNone() {
		return m.callUnbound(fn, a.V[0], nd)
	}
	return m.callUnbound(fn, a.V[0])
}

func builtinIter(m *Machine, a Args) (Value, *Exception) {
	if len(a.V) < 2 {
		return m.Iter(a.V[0])
	}
	if !Callable(a.V[0]) {
		return Value{}, m.TypeError("iter(v, w): v must be callable")
	}
	return m.newCallIter(a.V[0], a.V[1]), nil
}

func builtinNext(m *Machine, a Args) (Value, *Exception) {
	it := a.V[0]
	f := it.ref.typ.Slots.Next
	if f == nil {
		return Value{}, m.TypeError("'%s' object is not an iterator", it.ref.typ.Name)
	}
	v, e := f(m, it)
	if e == nil && v.ref != nil {
		return v, nil
	}
	if e != nil && !e.Is(&ExcStopIteration) {
		return Value{}, e
	}
	if len(a.V) > 1 {
		return a.V[1], nil
	}
	if e != nil {
		return Value{}, e
	}
	return Value{}, m.Raise(&ExcStopIteration, "")
}

func builtinAIter(m *Machine, a Args) (Value, *Exception) {
	f := a.V[0].ref.typ.Slots.AIter
	if f == nil {
		return Value{}, m.TypeError("'%s' object is not an async iterable", a.V[0].ref.typ.Name)
	}
	r, e := f(m, a.V[0])
	if e == nil && r.ref.typ.Slots.ANext == nil {
		e = m.TypeError("aiter() returned not an async iterator of type '%s'", r.ref.typ.Name)
	}
	return r, e
}

func builtinANext(m *Machine, a Args) (Value, *Exception) {
	f := a.V[0].ref.typ.Slots.ANext
	if f == nil {
		return Value{}, m.TypeError("'%s' object is not an async iterator", a.V[0].ref.typ.Name)
	}
	v, e := f(m, a.V[0])
	if e != nil || len(a.V) < 2 {
		return v, e
	}
	return m.newANextDefault(v, a.V[1]), nil
}

// extreme is max or min.
func (m *Machine) extreme(name string, op CompareOp, a Args) (Value, *Exception) {
	m.meter.Owe(extremeCost + len(a.V))
	var key, def Value
	if len(a.Pos()) == 0 {
		return Value{}, m.TypeError("%s expected at least 1 argument, got 0", name)
	}
	for i, n := range a.Names {
		v := a.V[len(a.Pos())+i]
		switch n.s {
		case "key":
			key = noneAsZero(v)
		case "default":
			def = v
		default:
			return Value{}, m.TypeError("'%s' is an invalid keyword argument for %s()", n.s, name)
		}
	}
	pos := a.Pos()
	src := m.Tuple(pos...)
	if len(pos) == 1 {
		src = pos[0]
	} else if def.ref != nil {
		return Value{}, m.TypeError("Cannot specify a default for %s() with multiple positional arguments", name)
	}
	var best, bestKey Value
	e := m.Iterate(src, func(x Value) (bool, *Exception) {
		k := x
		if key.ref != nil {
			var e *Exception
			if k, e = m.Call1(key, x); e != nil {
				return false, e
			}
		}
		if best.ref == nil {
			best, bestKey = x, k
			return true, nil
		}
		m.meter.Owe(m.costs.Compare)
		better, e := m.CompareBool(op, k, bestKey)
		if better {
			best, bestKey = x, k
		}
		return true, e
	})
	switch {
	case e != nil:
		return Value{}, e
	case best.ref != nil:
		return best, nil
	case def.ref != nil:
		return def, nil
	}
	return Value{}, m.ValueError("%s() arg is an empty sequence", name)
}

func builtinPrint(m *Machine, a Args) (Value, *Exception) {
	sep, end := " ", "\n"
	file, flush := None, False
	for i, n := range a.Names {
		v := a.V[len(a.Pos())+i]
		switch n.s {
		case "sep", "end":
			if v.IsNone() {
				continue
			}
			s, ok := v.AsStr()
			if !ok {
				return Value{}, m.TypeError("%s must be None or a string, not %s", n.s, v.ref.typ.Name)
			}
			if n.s == "sep" {
				sep = s.s
			} else {
				end = s.s
			}
		case "flush":
			flush = v
		case "file":
			file = v
		default:
			return Value{}, m.TypeError("'%s' is an invalid keyword argument for print()", n.s)
		}
	}
	if !file.IsNone() {
		return None, m.printTo(file, a.Pos(), sep, end, flush)
	}
	b := builder{m: m}
	for i, v := range a.Pos() {
		if i > 0 {
			if e := b.text(sep); e != nil {
				return Value{}, e
			}
		}
		if k := v.ref.kind; k != KindStr && k != KindInt && i > 0 {
			// What str() prints comes behind the arguments before.
			if e := m.flush(&b); e != nil {
				return Value{}, e
			}
		}
		s, e := m.strText(v)
		if e != nil {
			return Value{}, e
		}
		if e := b.text(s); e != nil {
			return Value{}, e
		}
	}
	if e := b.text(end); e != nil {
		return Value{}, e
	}
	e := m.flush(&b)
	b.done()
	return None, e
}

// printTo is print with a file: an object whose method write takes every piece by itself.
func (m *Machine) printTo(file Value, items []Value, sep, end string, flush Value) *Exception {
	write := func(piece Value) *Exception {
		method, e := m.GetAttr(file, m.name("write"))
		if e != nil {
			return e
		}
		text, e := m.ToStr(piece)
		if e != nil {
			return e
		}
		_, e = m.Call(method, Positional(text))
		return e
	}
	items = append([]Value(nil), items...) // they lie on the stack, which calls move
	for i, v := range items {
		if i > 0 {
			if e := write(m.Str(sep)); e != nil {
				return e
			}
		}
		if e := write(v); e != nil {
			return e
		}
	}
	if e := write(m.Str(end)); e != nil {
		return e
	}
	if yes, e := m.Truth(flush); e != nil || !yes {
		return e
	}
	_, e := m.CallMethod(file, m.name("flush"))
	return e
}

// flush writes collected text to the program's output.
func (m *Machine) flush(b *builder) *Exception {
	if m.Stdout != nil && len(b.b) > 0 {
		if _, err := m.Stdout.Write(b.b); err != nil {
			return m.Fail(err)
		}
	}
	b.b = b.b[:0]
	return nil
}

func builtinSorted(m *Machine, a Args) (Value, *Exception) {
	m.meter.Owe(sortedCost)
	l := m.NewList(nil)
	if e := l.extendFrom(m, a.V[0]); e != nil {
		return Value{}, e
	}
	_, e := listSort(m, Args{V: []Value{l.Value(), a.Arg(1), a.Arg(2)}})
	return l.Value(), e
}

func builtinSum(m *Machine, a Args) (Value, *Exception) {
	m.meter.Owe(sumCost)
	total := a.Or(1, Int(0))
	unjoined := ""
	switch total.ref.kind &^ Sub {
	case KindStr:
		unjoined = "strings [use ''"
	case KindBytes:
		unjoined = "bytes [use b''"
	case KindByteArray:
		unjoined = "bytearray [use b''"
	}
	if unjoined != "" {
		if _, e := m.Iter(a.V[0]); e != nil {
			return Value{}, e
		}
		return Value{}, m.TypeError("sum() can't sum %s.join(seq) instead]", unjoined)
	}
	count := func(x Value) bool {
		if !total.IsInt() || !x.IsInt() {
			return false
		}
		s := total.Int64() + x.Int64()
		if (s^total.Int64())&(s^x.Int64()) < 0 {
			return false
		}
		total = Int(s)
		return true
	}
	add := func(x Value) (bool, *Exception) {
		if count(x) {
			return true, nil
		}
		m.meter.Owe(m.costs.Operand)
		var e *Exception
		total, e = m.BinaryOp(Add, total, x)
		return true, e
	}
	var e *Exception
	if a.V[0].ref.typ == &TypeGenerator {
		e = m.feed(a.V[0], count, add)
	} else {
		e = m.Iterate(a.V[0], add)
	}
	return total, e
}

// forbiddenFunctions are built-ins of CPython that consensus forbids.
//
// Spec: WP "Forbidden Operations".
func forbiddenFunctions() []Method {
	var list []Method
	for _, f := range []struct{ name, instead string }{
		{"eval", "code is fixed at deployment"},
		{"exec", "code is fixed at deployment"},
		{"compile", "code is fixed at deployment"},
		{"__import__", "write an import statement"},
		{"input", "there is no console on chain"},
		{"breakpoint", "there is no debugger on chain"},
	} {
		list = append(list, Method{Name: f.name, Sig: Unbound, Func: func(m *Machine, a Args) (Value, *Exception) {
			return Value{}, m.DeterminismError("%s() is forbidden: %s", f.name, f.instead)
		}})
	}
	return list
}
