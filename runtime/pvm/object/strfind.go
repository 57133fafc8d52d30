package object

import (
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
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

// count answers how often sub stands in the window.
func (w window) count(sub *Str) int {
	if w.s.ASCII() || w.lo == 0 && w.hi == w.s.n {
		b := w.s.Bytes()
		if w.s.ASCII() {
			b = b[w.lo:w.hi]
		}
		return text.Count(b, sub.Bytes(), -1)
	}
	return text.Count(w.s.Runes()[w.lo:w.hi], sub.Runes(), -1)
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

// searchChars is how many characters are searched for a cycle: nothing is done
// with them but to compare them.
const searchChars = 8

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
		if e := m.Charge((w.hi-w.lo)/searchChars + sub.n); e != nil {
			return Value{}, e
		}
		at := -1
		if w.ok {
			at = w.find(sub, fromRight)
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
func (w window) find(sub *Str, fromRight bool) int {
	if w.s.ASCII() {
		if !sub.ASCII() {
			return -1
		}
		return findUnits(w.s.Bytes()[w.lo:w.hi], sub.Bytes(), fromRight)
	}
	return findUnits(w.s.Runes()[w.lo:w.hi], sub.Runes(), fromRight)
}

func findUnits[T text.Unit](s, sub []T, fromRight bool) int {
	if fromRight {
		return text.RFind(s, sub)
	}
	return text.Find(s, sub)
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
	if e := m.Charge((w.hi-w.lo)/searchChars + sub.n); e != nil {
		return Value{}, e
	}
	switch {
	case !w.ok:
		return Int(0), nil
	case sub.n == 0:
		return Int(int64(w.hi - w.lo + 1)), nil
	default:
		n := w.count(sub)
		return Int(int64(n)), m.Charge(n / foundPerCycle)
	}
}

// strAffix is startswith or endswith: the argument is a string or a tuple of strings.
func strAffix(name string, atEnd bool) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		w, e := m.window(a.V[0].str(), a.Arg(2), a.Arg(3))
		if e != nil {
			return Value{}, e
		}
		try := func(x *Str) (bool, *Exception) {
			if e := m.Charge(x.n); e != nil {
				return false, e
			}
			return w.ok && x.n <= w.hi-w.lo && w.affix(x, atEnd), nil
		}
		if t, ok := a.V[1].AsTuple(); ok {
			for _, x := range t.items {
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
