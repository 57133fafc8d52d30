package pyjson

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/jsontext"
)

// Name is the module's name.
const Name = "json"

// Fill makes the module's namespace.
func Fill(m *object.Machine, mod *object.Module) {
	mod.DefineFunc(m, functions...)
	var names []object.Value
	for _, name := range []string{"dump", "dumps", "load", "loads", "JSONDecoder", "JSONDecodeError", "JSONEncoder"} {
		names = append(names, m.Str(name))
	}
	mod.Define(m, "__all__", m.List(names...))
	for _, t := range []*object.Type{&typeDecoder, &typeDecodeError, &typeEncoder} {
		mod.Define(m, t.ShortName(), t.Value())
	}
}

var functions = makeFunctions()

func makeFunctions() []*object.Builtin {
	var list []*object.Builtin
	for _, d := range []object.Method{
		{Name: "dumps", Sig: object.Unbound, Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			own, rest, e := operands(m, a, "dumps", "obj")
			if e != nil {
				return object.Value{}, e
			}
			return dumps(m, own[0], rest)
		}},
		{Name: "dump", Sig: object.Unbound, Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			own, rest, e := operands(m, a, "dump", "obj", "fp")
			if e != nil {
				return object.Value{}, e
			}
			text, e := dumps(m, own[0], rest)
			if e != nil {
				return object.Value{}, e
			}
			_, e = m.CallMethod(own[1], nWrite, text)
			return object.None, e
		}},
		{Name: "loads", Sig: object.Unbound, Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			own, rest, e := operands(m, a, "loads", "s")
			if e != nil {
				return object.Value{}, e
			}
			return loads(m, own[0], rest)
		}},
		{Name: "load", Sig: object.Unbound, Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			own, rest, e := operands(m, a, "load", "fp")
			if e != nil {
				return object.Value{}, e
			}
			doc, e := m.CallMethod(own[0], nRead)
			if e != nil {
				return object.Value{}, e
			}
			return loads(m, doc, rest)
		}},
	} {
		b := object.NewBuiltin(d)
		b.Module = Name
		list = append(list, b)
	}
	return list
}

var (
	nWrite  = object.StaticName("write")
	nRead   = object.StaticName("read")
	nDecode = object.StaticName("decode")
)

// operands takes the parameters of a function out of its arguments, given by position or by name; the rest are options.
func operands(m *object.Machine, a object.Args, name string, params ...string) ([]object.Value, object.Args, *object.Exception) {
	if n := len(a.Pos()); n > len(params) {
		return nil, a, m.TypeError("%s() takes %d positional argument%s but %d were given", name, len(params), "s"[:min(len(params)-1, 1)], n)
	}
	own := append([]object.Value(nil), a.Pos()...)
	rest := a.Rest(len(own))
	var missing []string
	for _, p := range params[len(own):] {
		var v object.Value
		if v, rest = without(rest, p); v.IsZero() {
			missing = append(missing, "'"+p+"'")
		}
		own = append(own, v)
	}
	if n := len(missing); n > 0 {
		which := strings.Join(missing, " and ")
		return nil, a, m.TypeError("%s() missing %d required positional argument%s: %s", name, n, "s"[:n-1], which)
	}
	return own, rest, nil
}

// dumps writes a value; with another class than JSONEncoder, an instance of it does.
// dumpsCost is the price of reading what dumps is asked for, beside its call's and what it writes.
const dumpsCost = 40

func dumps(m *object.Machine, v object.Value, a object.Args) (object.Value, *object.Exception) {
	if cls, rest := without(a, "cls"); !cls.IsZero() && !cls.IsNone() && cls != typeEncoder.Value() {
		x, e := m.Call(cls, rest)
		if e != nil {
			return object.Value{}, e
		}
		return m.CallMethod(x, nEncode, v)
	}
	if e := m.Charge(dumpsCost); e != nil {
		return object.Value{}, e
	}
	l := canonical()
	if _, e := l.apply(m, a, true); e != nil {
		return object.Value{}, e
	}
	return encode(m, &l, v)
}

// without takes a keyword argument out of the arguments.
func without(a object.Args, name string) (object.Value, object.Args) {
	first := len(a.V) - len(a.Names)
	for i, n := range a.Names {
		if n.String() != name {
			continue
		}
		v := a.V[first+i]
		rest := object.Args{V: append(append([]object.Value(nil), a.V[:first+i]...), a.V[first+i+1:]...)}
		rest.Names = append(append([]*object.Str(nil), a.Names[:i]...), a.Names[i+1:]...)
		return v, rest
	}
	return object.Value{}, a
}

// loads reads a document; with another class than JSONDecoder, an instance of it does.
func loads(m *object.Machine, v object.Value, a object.Args) (object.Value, *object.Exception) {
	doc, e := textOf(m, v)
	if e != nil {
		return object.Value{}, e
	}
	if cls, rest := without(a, "cls"); !cls.IsZero() && !cls.IsNone() && cls != typeDecoder.Value() {
		x, e := m.Call(cls, rest)
		if e != nil {
			return object.Value{}, e
		}
		return m.CallMethod(x, nDecode, doc.Value())
	}
	h := hooks{strict: true}
	if _, e := h.apply(m, a, true); e != nil {
		return object.Value{}, e
	}
	return decode(m, doc, &h)
}

const byteOrderMark = "\ufeff"

// textOf returns the document in the argument of loads: a string without byte order mark, or UTF-8 bytes with or
// without one.
func textOf(m *object.Machine, v object.Value) (*object.Str, *object.Exception) {
	if s, ok := v.AsStr(); ok {
		if s.Len() > 0 && len(s.String()) >= len(byteOrderMark) && s.String()[:len(byteOrderMark)] == byteOrderMark {
			return nil, decodeError(m, s, jsontext.ByteOrderMark, 0)
		}
		return s, nil
	}
	k := v.Kind().Base()
	if k != object.KindBytes && k != object.KindByteArray {
		return nil, m.TypeError("the JSON object must be str, bytes or bytearray, not %s", v.Type().Name)
	}
	b, _ := m.Buffer(v)
	if isOtherEncoding(b) {
		return nil, m.DeterminismError("JSON in UTF-16 or UTF-32 is not available: only utf-8 is")
	}
	if len(b) >= len(byteOrderMark) && string(b[:len(byteOrderMark)]) == byteOrderMark {
		v = m.Bytes(append([]byte(nil), b[len(byteOrderMark):]...))
	}
	r, e := m.DecodeUTF8(v, object.Value{}, object.Value{})
	if e != nil {
		return nil, e
	}
	s, _ := r.AsStr()
	return s, nil
}

// isOtherEncoding recognises UTF-16 and UTF-32 by byte order marks and by the zero bytes of a first ASCII character.
func isOtherEncoding(b []byte) bool {
	if len(b) >= 2 && (b[0] == 0xFE && b[1] == 0xFF || b[0] == 0xFF && b[1] == 0xFE) {
		return true
	}
	return len(b) >= 2 && (b[0] == 0 || b[1] == 0)
}
