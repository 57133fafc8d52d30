package object

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// strMethods declares the methods of str. All of them answer exact strings, also for instances of subclasses, and
// charge one cycle for each character they look at or make.
//
// Spec: CIP-3 §2.2.1 (String Operation); Python 3.11 library reference, String Methods.
func strMethods() []Method {
	var list []Method
	for _, part := range [][]Method{strFindMethods(), strSplitMethods(), strCaseMethods(), strPadMethods(), strMapMethods(), strFormatMethods()} {
		list = append(list, part...)
	}
	return list
}

// strArg returns a string argument or the TypeError for another type.
func (m *Machine) strArg(v Value) (*Str, *Exception) {
	if s, ok := v.AsStr(); ok {
		return s, nil
	}
	return nil, m.TypeError("must be str, not %s", v.ref.typ.Name)
}

// namedStrArg is strArg with the message of generated argument parsers; which is "1" or "'encoding'".
func (m *Machine) namedStrArg(v Value, method, which string) (*Str, *Exception) {
	if s, ok := v.AsStr(); ok {
		return s, nil
	}
	if which != "" {
		which = " " + which
	}
	return nil, m.TypeError("%s() argument%s must be str, not %s", method, which, argName(v))
}

// intArg converts an optional argument with __index__.
func (m *Machine) intArg(v Value, def int) (int, *Exception) {
	if v.ref == nil {
		return def, nil
	}
	return m.IndexInt(v, nil)
}

// narrowArg is intArg for parameters that CPython keeps in 32 bits.
func (m *Machine) narrowArg(v Value, def int) (int, *Exception) {
	if v.ref == nil {
		return def, nil
	}
	n, e := m.IndexInt64(v, nil)
	if e == nil && n == int64(int32(n)) {
		return int(n), nil
	}
	if e == nil || e.Is(&ExcOverflowError) {
		e = m.OverflowError("Python int too large to convert to C int")
	}
	return 0, e
}

// same returns the string itself if it is exactly a str, else a str of its text.
func (s *Str) same(m *Machine) Value {
	if s.typ == &TypeStr {
		return s.Value()
	}
	return m.strN(s.s, s.n)
}

// span returns the part of the text between two byte offsets.
func (s *Str) span(m *Machine, lo, hi int) Value {
	if lo == 0 && hi == len(s.s) {
		return s.same(m)
	}
	if s.ASCII() {
		return m.copied(s.s[lo:hi])
	}
	return m.Str(strings.Clone(s.s[lo:hi]))
}

// eachSpan collects pieces of a text, given by byte offsets, in a list.
func (s *Str) eachSpan(m *Machine, spans text.Spans) (Value, *Exception) {
	return m.collectSpans(spans, func(lo, hi int) Value { return s.span(m, lo, hi) })
}

// eachSlice is eachSpan for pieces given by code points.
func (s *Str) eachSlice(m *Machine, spans text.Spans) (Value, *Exception) {
	return m.collectSpans(spans, func(lo, hi int) Value { return s.Slice(m, lo, hi) })
}

// collectSpans makes a list of the pieces. The list is seen by the memory limit while it grows.
func (m *Machine) collectSpans(spans text.Spans, piece func(lo, hi int) Value) (Value, *Exception) {
	l := m.NewList(nil)
	pins := len(m.pins)
	m.Pin(l.Value())
	defer m.Unpin(pins)
	for lo, hi := range spans {
		if e := m.Charge(pieceCost); e != nil {
			return Value{}, e
		}
		l.Append(m, piece(lo, hi))
	}
	return l.Value(), nil
}

func reverseValues(items []Value) {
	for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
		items[i], items[j] = items[j], items[i]
	}
}

// pieceCost is the price of making one piece of a text that is split, beside the characters looked at.
const pieceCost = 12
