package object

import (
	"slices"
	"strings"
	"unsafe"
)

func strFindMethods() []Method {
	const sig = "sub, start=None, end=None, /"
	return []Method{
		{Name: "find", Sig: sig, Func: strSearch(false, false)},
		{Name: "rfind", Sig: sig, Func: strSearch(true, false)},
		{Name: "index", Sig: sig, Func: strSearch(false, true)},
		{Name: "rindex", Sig: sig, Func: strSearch(true, true)},
		{Name: "count", Sig: sig, Func: strCount},
		{Name: "startswith", Sig: "prefix, start=None, end=None, /", Func: strAffix("startswith", false)},
		{Name: "endswith", Sig: "suffix, start=None, end=None, /", Func: strAffix("endswith", true)},
	}
}

// window is the part of a string that start and end arguments choose. ok is false when start lies behind end, where not
// even the empty string is found.
type window struct {
	s      *Str
	lo, hi int // code points
	ok     bool
}

func (m *Machine) window(s *Str, start, end Value) (w window, e *Exception) {
	w.s = s
	if w.lo, w.hi, e = m.bounds(noneAsZero(start), noneAsZero(end), s.n); e != nil {
		return w, e
	}
	w.hi = min(w.hi, s.n)
	w.ok = w.lo <= w.hi
	if !w.ok {
		w.lo = w.hi
	}
	return w, nil
}

// bytes answers the bytes of the window, in which those of a text stand only where the text does.
func (w window) bytes() []byte {
	switch {
	case w.lo == 0 && w.hi == w.s.n:
		return w.s.Bytes()
	case w.s.ASCII():
		return w.s.Bytes()[w.lo:w.hi]
	}
	lo := byteIndex(w.s.s, w.lo)
	return w.s.Bytes()[lo : lo+byteIndex(w.s.s[lo:], w.hi-w.lo)]
}

// price is what looking through the window costs, in which sub is looked for.
func (w window) price(sub *Str) int {
	n := (w.hi - w.lo) / searchChars
	if !w.s.ASCII() {
		n = len(w.s.s) / wideBytes
	}
	return n + sub.n
}

// affix says whether the window, which is no shorter, begins or ends with x. Only so much of it is looked at.
func (w window) affix(x *Str, atEnd bool) bool {
	lo := w.lo
	if atEnd {
		lo = w.hi - x.n
	}
	switch {
	case w.s.ASCII():
		return w.s.s[lo:lo+x.n] == x.s
	case w.lo == 0 && w.hi == w.s.n && atEnd:
		return strings.HasSuffix(w.s.s, x.s)
	case w.lo == 0 && w.hi == w.s.n:
		return strings.HasPrefix(w.s.s, x.s)
	}
	return slices.Equal(w.s.Runes()[lo:lo+x.n], x.Runes())
}

// searchChars is how many characters of an ASCII text are searched for a cycle: nothing is done with them but to compare them. wideBytes is
// how many bytes of another text are, in which characters are counted too.
const (
	searchChars = 8
	wideBytes   = 4
)

func strSearch(fromRight, required bool) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		w, e := m.window(a.V[0].str(), a.Arg(2), a.Arg(3))
		if e != nil {
			return Value{}, e
		}
		sub, e := m.strArg(a.V[1])
		if e != nil {
			return Value{}, e
		}
		if e := m.Charge(w.price(sub)); e != nil {
			return Value{}, e
		}
		at := -1
		if w.ok {
			if at, e = w.find(m, sub, fromRight); e != nil {
				return Value{}, e
			}
		}
		if at >= 0 {
			at += w.lo
		} else if required {
			return Value{}, m.ValueError("substring not found")
		}
		return Int(int64(at)), nil
	}
}

// find answers the position of sub in the window, counted from its start, or -1.
func (w window) find(m *Machine, sub *Str, fromRight bool) (int, *Exception) {
	if len(sub.s) > len(w.s.s) || w.s.ASCII() && !sub.ASCII() {
		return -1, nil
	}
	b := w.bytes()
	at, e := m.lookFor(b, sub.Bytes(), fromRight)
	if at > 0 && !w.s.ASCII() {
		at = codePoints(unsafe.String(&b[0], at))
	}
	return at, e
}

func strCount(m *Machine, a Args) (Value, *Exception) {
	w, e := m.window(a.V[0].str(), a.Arg(2), a.Arg(3))
	if e != nil {
		return Value{}, e
	}
	sub, e := m.strArg(a.V[1])
	if e != nil {
		return Value{}, e
	}
	if e := m.Charge(w.price(sub)); e != nil {
		return Value{}, e
	}
	switch {
	case !w.ok:
		return Int(0), nil
	case sub.n == 0:
		return Int(int64(w.hi - w.lo + 1)), nil
	default:
		n, e := m.occurrences(w.bytes(), sub.Bytes())
		return Int(int64(n)), e
	}
}

// prefixCost is the price of trying one text of several.
const prefixCost = 3

// strAffix is startswith or endswith: the argument is a string or a tuple of strings.
func strAffix(name string, atEnd bool) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		w, e := m.window(a.V[0].str(), a.Arg(2), a.Arg(3))
		if e != nil {
			return Value{}, e
		}
		try := func(x *Str) (bool, *Exception) {
			if e := m.Charge(x.n + w.s.undecoded() + x.undecoded()); e != nil {
				return false, e
			}
			return w.ok && x.n <= w.hi-w.lo && w.affix(x, atEnd), nil
		}
		if t, ok := a.V[1].AsTuple(); ok {
			for _, x := range t.items {
				m.meter.Owe(m.costs.ListAccess + prefixCost)
				s, ok := x.AsStr()
				if !ok {
					return Value{}, m.TypeError("tuple for %s must only contain str, not %s", name, x.ref.typ.Name)
				}
				if yes, e := try(s); yes || e != nil {
					return Bool(yes), e
				}
			}
			return False, nil
		}
		s, ok := a.V[1].AsStr()
		if !ok {
			return Value{}, m.TypeError("%s first arg must be str or a tuple of str, not %s", name, a.V[1].ref.typ.Name)
		}
		yes, e := try(s)
		return Bool(yes), e
	}
}
