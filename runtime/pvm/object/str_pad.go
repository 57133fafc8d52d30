package object

import (
	"math"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

func strPadMethods() []Method {
	const sig = "width, fillchar=' ', /"
	return []Method{
		{Name: "center", Sig: sig, Func: strPad(text.CenterPad)},
		{Name: "ljust", Sig: sig, Func: strPad(func(n, width int) (int, int) { return 0, max(width-n, 0) })},
		{Name: "rjust", Sig: sig, Func: strPad(func(n, width int) (int, int) { return max(width-n, 0), 0 })},
		{Name: "zfill", Sig: "width, /", Func: strZeroFill},
		{Name: "expandtabs", Sig: "tabsize=8", Func: strExpandTabs},
		{Name: "strip", Sig: "chars=None, /", Func: strStrip("strip", text.BothSides)},
		{Name: "lstrip", Sig: "chars=None, /", Func: strStrip("lstrip", text.LeftSide)},
		{Name: "rstrip", Sig: "chars=None, /", Func: strStrip("rstrip", text.RightSide)},
		{Name: "removeprefix", Sig: "prefix, /", Func: strRemove("removeprefix", strings.CutPrefix)},
		{Name: "removesuffix", Sig: "suffix, /", Func: strRemove("removesuffix", strings.CutSuffix)},
	}
}

func strPad(pads func(n, width int) (left, right int)) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		s := a.V[0].str()
		width, e := m.IndexInt(a.V[1], nil)
		if e != nil {
			return Value{}, e
		}
		fill := " "
		if f := a.Arg(2); f.ref != nil {
			x, ok := f.AsStr()
			if !ok {
				return Value{}, m.TypeError("The fill character must be a unicode character, not %s", f.ref.typ.Name)
			}
			if x.n != 1 {
				return Value{}, m.TypeError("The fill character must be exactly one character long")
			}
			fill = x.s
		}
		if width <= s.n {
			return s.same(m), nil
		}
		left, right := pads(s.n, width)
		if e := m.roomFor(left+right, len(fill), s); e != nil {
			return Value{}, e
		}
		return m.padded(s, fill, left, right), nil
	}
}

// padded returns s between copies of the character fill.
func (m *Machine) padded(s *Str, fill string, left, right int) Value {
	size := len(s.s) + (left+right)*len(fill)
	if size < 2 {
		return m.strN(fill+s.s, 1)
	}
	v, b := m.newText(size, s.n+left+right)
	for ; left > 0; left-- {
		b = b[copy(b, fill):]
	}
	b = b[copy(b, s.s):]
	for ; right > 0; right-- {
		b = b[copy(b, fill):]
	}
	return v
}

// roomFor charges and reserves a text that adds so many characters of a given size to s.
func (m *Machine) roomFor(added, size int, s *Str) *Exception {
	if added > maxIndex/8 {
		return m.Reserve(-1)
	}
	if e := m.Reserve(added*size + len(s.s)); e != nil {
		return e
	}
	return m.Charge(added + s.n)
}

func strZeroFill(m *Machine, a Args) (Value, *Exception) {
	s := a.V[0].str()
	width, e := m.IndexInt(a.V[1], nil)
	if e != nil {
		return Value{}, e
	}
	if width <= s.n {
		return s.same(m), nil
	}
	fill := width - s.n
	if e := m.roomFor(fill, 1, s); e != nil {
		return Value{}, e
	}
	// The zeros go behind a sign, which is one byte in UTF-8.
	return m.strN(string(text.ZeroFill(make([]byte, 0, len(s.s)+fill), s.Bytes(), len(s.s)+fill)), width), nil
}

func strExpandTabs(m *Machine, a Args) (Value, *Exception) {
	s := a.V[0].str()
	size, e := m.narrowArg(a.Arg(1), 8)
	if e != nil {
		return Value{}, e
	}
	if e := m.Charge(s.n); e != nil {
		return Value{}, e
	}
	if size > math.MaxInt32 {
		return Value{}, m.OverflowError("Python int too large to convert to C int")
	}
	if s.ASCII() {
		n, ok := text.ExpandedLen(s.Bytes(), size)
		if !ok {
			return Value{}, m.OverflowError("new string is too long")
		}
		if e := m.roomFor(max(n-s.n, 0), 1, s); e != nil {
			return Value{}, e
		}
		return m.ownASCII(text.ExpandTabs(make([]byte, 0, n), s.Bytes(), size)), nil
	}
	n, ok := text.ExpandedLen(s.Runes(), size)
	if !ok {
		return Value{}, m.OverflowError("new string is too long")
	}
	if e := m.roomFor(max(n-s.n, 0), 5, s); e != nil {
		return Value{}, e
	}
	return m.StrOf(text.ExpandTabs(make([]rune, 0, n), s.Runes(), size)), nil
}

func strStrip(name string, sides text.Sides) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		s := a.V[0].str()
		if e := m.Charge(s.n); e != nil {
			return Value{}, e
		}
		chars := noneAsZero(a.Arg(1))
		if chars.ref == nil {
			if s.ASCII() {
				lo, hi := text.StripSpace(s.Bytes(), sides, text.TextRules)
				return s.span(m, lo, hi), nil
			}
			lo, hi := text.StripSpace(s.Runes(), sides, text.TextRules)
			return s.Slice(m, lo, hi), nil
		}
		x, ok := chars.AsStr()
		if !ok {
			return Value{}, m.TypeError("%s arg must be None or str", name)
		}
		if e := m.Charge(2 * x.n); e != nil {
			return Value{}, e
		}
		set := text.NewSet(x.Runes())
		if s.ASCII() {
			lo, hi := text.StripSet(s.Bytes(), set, sides)
			return s.span(m, lo, hi), nil
		}
		lo, hi := text.StripSet(s.Runes(), set, sides)
		return s.Slice(m, lo, hi), nil
	}
}

func strRemove(name string, cut func(s, affix string) (string, bool)) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		s := a.V[0].str()
		x, e := m.namedStrArg(a.V[1], name, "")
		if e != nil {
			return Value{}, e
		}
		if e := m.Charge(s.n); e != nil {
			return Value{}, e
		}
		rest, found := cut(s.s, x.s)
		if !found || x.n == 0 {
			return s.same(m), nil
		}
		return m.strN(rest, s.n-x.n), nil
	}
}
