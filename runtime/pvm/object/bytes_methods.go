package object

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// bytesMethods declares the methods that bytes and bytearray share. Results are of the receiver's kind; the methods
// charge one cycle for each byte they look at or make.
//
// Spec: CIP-3 §2.2.1 (String Operation); Python 3.11 library reference, Bytes and Bytearray Operations.
func bytesMethods() []Method {
	var list []Method
	for _, part := range [][]Method{bytesFindMethods(), bytesSplitMethods(), bytesCaseMethods(), bytesPadMethods(), bytesMapMethods()} {
		list = append(list, part...)
	}
	return list
}

func bytesFindMethods() []Method {
	const sig = "sub, start=None, end=None, /"
	return []Method{
		{Name: "find", Sig: sig, Func: bytesSearch(false, false)},
		{Name: "rfind", Sig: sig, Func: bytesSearch(true, false)},
		{Name: "index", Sig: sig, Func: bytesSearch(false, true)},
		{Name: "rindex", Sig: sig, Func: bytesSearch(true, true)},
		{Name: "count", Sig: sig, Func: bytesCount},
		{Name: "startswith", Sig: "prefix, start=None, end=None, /", Func: bytesAffix("startswith", bytes.HasPrefix)},
		{Name: "endswith", Sig: "suffix, start=None, end=None, /", Func: bytesAffix("endswith", bytes.HasSuffix)},
	}
}

// bytesWindow returns the part of v's bytes that start and end arguments choose, and where it begins; ok is false when
// start lies behind end.
func (m *Machine) bytesWindow(v, start, end Value) (part []byte, lo int, ok bool, e *Exception) {
	lo, hi, e := m.bounds(noneAsZero(start), noneAsZero(end), len(bytesOf(v)))
	if e != nil {
		return nil, 0, false, e
	}
	b := bytesOf(v)
	hi = min(hi, len(b))
	if lo > hi {
		return nil, 0, false, nil
	}
	return b[lo:hi], lo, true, nil
}

func bytesSearch(fromRight, required bool) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		part, lo, ok, e := m.bytesWindow(a.V[0], a.Arg(2), a.Arg(3))
		if e != nil {
			return Value{}, e
		}
		sub, e := m.needle(a.V[1])
		if e != nil {
			return Value{}, e
		}
		if e := m.Charge((len(part) + len(sub)) / bytesPerCycle); e != nil {
			return Value{}, e
		}
		at := -1
		if ok {
			if at, e = m.lookFor(part, sub, fromRight); e != nil {
				return Value{}, e
			}
		}
		if at >= 0 {
			at += lo
		} else if required {
			return Value{}, m.ValueError("subsection not found")
		}
		return Int(int64(at)), nil
	}
}

func bytesCount(m *Machine, a Args) (Value, *Exception) {
	part, _, ok, e := m.bytesWindow(a.V[0], a.Arg(2), a.Arg(3))
	if e != nil {
		return Value{}, e
	}
	sub, e := m.needle(a.V[1])
	if e != nil || !ok {
		return Int(0), e
	}
	if e := m.Charge((len(part) + len(sub)) / bytesPerCycle); e != nil {
		return Value{}, e
	}
	n, e := m.occurrences(part, sub)
	return Int(int64(n)), e
}

func bytesAffix(name string, has func(s, affix []byte) bool) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		part, _, ok, e := m.bytesWindow(a.V[0], a.Arg(2), a.Arg(3))
		if e != nil {
			return Value{}, e
		}
		try := func(v Value) (bool, *Exception) {
			x, e := m.bytesArg(v)
			if e != nil {
				return false, e
			}
			return ok && has(part, x), m.Charge(len(x))
		}
		if t, isTuple := a.V[1].AsTuple(); isTuple {
			for _, v := range t.items {
				if yes, e := try(v); yes || e != nil {
					return Bool(yes && e == nil), e
				}
			}
			return False, nil
		}
		if _, isBytes := m.bytesLike(a.V[1]); !isBytes && m.ViewFault(a.V[1]) == nil {
			return Value{}, m.TypeError("%s first arg must be bytes or a tuple of bytes, not %s", name, a.V[1].ref.typ.Name)
		}
		yes, e := try(a.V[1])
		return Bool(yes), e
	}
}

func bytesSplitMethods() []Method {
	return []Method{
		{Name: "split", Sig: "sep=None, maxsplit=-1", Func: bytesSplit(false)},
		{Name: "rsplit", Sig: "sep=None, maxsplit=-1", Func: bytesSplit(true)},
		{Name: "splitlines", Sig: "keepends=False", Func: func(m *Machine, a Args) (Value, *Exception) {
			keep, e := m.narrowArg(a.Arg(1), 0)
			if e != nil {
				return Value{}, e
			}
			return m.bytesPieces(a.V[0], text.Lines(bytesOf(a.V[0]), keep != 0, text.BytesRules), false)
		}},
		{Name: "partition", Sig: "sep, /", Func: bytesPartition(false)},
		{Name: "rpartition", Sig: "sep, /", Func: bytesPartition(true)},
		{Name: "join", Sig: "iterable_of_bytes, /", Func: bytesJoin},
	}
}

// bytesPieces collects pieces of v's bytes in a list; lastFirst says in which order they come.
func (m *Machine) bytesPieces(v Value, spans text.Spans, lastFirst bool) (Value, *Exception) {
	b := bytesOf(v)
	if e := m.Charge(len(b)); e != nil {
		return Value{}, e
	}
	l, e := m.collectSpans(spans, func(lo, hi int) Value { return m.piece(v, b[lo:hi]) })
	if e == nil && lastFirst {
		reverseValues(l.list().items)
	}
	return l, e
}

func bytesSplit(fromRight bool) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		limit, e := m.intArg(a.Arg(2), -1)
		if e != nil {
			return Value{}, e
		}
		limit = max(limit, -1)
		b := bytesOf(a.V[0])
		sep := noneAsZero(a.Arg(1))
		if sep.ref == nil {
			spans := text.Fields(b, limit, text.BytesRules)
			if fromRight {
				spans = text.FieldsFromRight(b, limit, text.BytesRules)
			}
			return m.bytesPieces(a.V[0], spans, fromRight)
		}
		by, e := m.bytesArg(sep)
		if e != nil {
			return Value{}, e
		}
		if len(by) == 0 {
			return Value{}, m.ValueError("empty separator")
		}
		spans := text.Split(b, by, limit)
		if fromRight {
			spans = text.SplitFromRight(b, by, limit)
		}
		return m.bytesPieces(a.V[0], spans, fromRight)
	}
}

func bytesPartition(fromRight bool) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		v := a.V[0]
		sep, e := m.bytesArg(a.V[1])
		if e != nil {
			return Value{}, e
		}
		if len(sep) == 0 {
			return Value{}, m.ValueError("empty separator")
		}
		b := bytesOf(v)
		if e := m.Charge(len(b)); e != nil {
			return Value{}, e
		}
		at, e := m.lookFor(b, sep, fromRight)
		if e != nil {
			return Value{}, e
		}
		switch {
		case at >= 0:
			middle := a.V[1]
			if v.ref.kind&^Sub == KindByteArray {
				middle = m.bytesAs(v, append([]byte(nil), sep...))
			}
			return m.Tuple(m.piece(v, b[:at]), middle, m.piece(v, b[at+len(sep):])), nil
		case fromRight:
			return m.Tuple(m.bytesAs(v, nil), m.bytesAs(v, nil), m.piece(v, b)), nil
		default:
			return m.Tuple(m.piece(v, b), m.bytesAs(v, nil), m.bytesAs(v, nil)), nil
		}
	}
}

func bytesJoin(m *Machine, a Args) (Value, *Exception) {
	v := a.V[0]
	if b, ok := v.AsByteArray(); ok {
		b.lent++
		defer func() { b.lent-- }()
	}
	items, e := m.joinItems(a.V[1])
	if e != nil {
		return Value{}, e
	}
	if e := m.ChargeLen(0, len(items), 2); e != nil {
		return Value{}, e
	}
	sep := bytesOf(v)
	size := len(sep) * max(len(items)-1, 0)
	for i, x := range items {
		b, ok := m.bytesLike(x)
		if !ok {
			return Value{}, m.TypeError("sequence item %d: expected a bytes-like object, %s found", i, x.ref.typ.Name)
		}
		size += len(b)
	}
	if e := m.output(int64(size), 1); e != nil {
		return Value{}, e
	}
	out := make([]byte, 0, size)
	for i, x := range items {
		if i > 0 {
			out = append(out, sep...)
		}
		b, _ := m.bytesLike(x)
		out = append(out, b...)
	}
	return m.bytesAs(v, out), nil
}
