package object

import "github.com/cowboyinc/cowboy-go/runtime/pvm/text"

func strCaseMethods() []Method {
	list := []Method{
		{Name: "upper", Func: strCase(text.UpperASCII, text.Upper)},
		{Name: "lower", Func: strCase(text.LowerASCII, text.Lower)},
		{Name: "casefold", Func: strCase(text.LowerASCII, text.Fold)},
		{Name: "swapcase", Func: strCase(text.SwapASCII, text.SwapCase)},
		{Name: "capitalize", Func: strCase(text.CapitalizeASCII, text.Capitalize)},
		{Name: "title", Func: strCase(text.TitleASCII, text.Title)},
		{Name: "islower", Func: strIs(text.IsLowerText[byte], text.IsLowerText[rune])},
		{Name: "isupper", Func: strIs(text.IsUpperText[byte], text.IsUpperText[rune])},
		{Name: "istitle", Func: strIs(text.IsTitleText[byte], text.IsTitleText[rune])},
		{Name: "isascii", Func: func(m *Machine, a Args) (Value, *Exception) { return Bool(a.V[0].str().ASCII()), nil }},
		{Name: "isprintable", Func: func(m *Machine, a Args) (Value, *Exception) {
			s := a.V[0].str()
			if s.n == 0 {
				return True, nil
			}
			return s.all(m, text.IsPrintable)
		}},
		{Name: "isidentifier", Func: func(m *Machine, a Args) (Value, *Exception) {
			s := a.V[0].str()
			if e := m.Charge(s.n); e != nil {
				return Value{}, e
			}
			return Bool(s.HasSurrogate() < 0 && text.IsIdentifier(s.s)), nil
		}},
	}
	for _, p := range []struct {
		name string
		is   func(rune) bool
	}{
		{"isalpha", text.IsAlpha}, {"isalnum", text.IsAlnum}, {"isdecimal", text.IsDecimal}, {"isdigit", text.IsDigit},
		{"isnumeric", text.IsNumeric}, {"isspace", text.IsSpace},
	} {
		list = append(list, Method{Name: p.name, Func: func(m *Machine, a Args) (Value, *Exception) { return a.V[0].str().all(m, p.is) }})
	}
	return list
}

// wideCaseCost is the price of changing the case of one character of text that is not ASCII: it takes a look at the
// character tables, for a sigma at its neighbours' too.
const wideCaseCost = 8

// wideTestCost is the price, beside that of a character, of looking one that is not ASCII up in the tables.
const wideTestCost = 2

// strCase is a method that changes case: narrow for ASCII text, which keeps its length, wide for any other.
func strCase(narrow func(dst, s []byte) []byte, wide func([]rune) []rune) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		s := a.V[0].str()
		if e := m.Charge(s.n); e != nil {
			return Value{}, e
		}
		if s.ASCII() {
			if e := m.Reserve(s.n); e != nil {
				return Value{}, e
			}
			if s.n <= 1 {
				return m.ownASCII(narrow(nil, s.Bytes())), nil
			}
			v, b := m.newText(s.n, s.n)
			narrow(b[:0], s.Bytes())
			return v, nil
		}
		if e := m.Charge((wideCaseCost - 1) * s.n); e != nil {
			return Value{}, e
		}
		if e := m.Reserve(4 * s.n * text.MaxCaseExpansion); e != nil {
			return Value{}, e
		}
		return m.StrOf(wide(s.Runes())), nil
	}
}

// all is a predicate of every character of a text that is not empty.
func (s *Str) all(m *Machine, is func(rune) bool) (Value, *Exception) {
	if e := m.Charge(s.n); e != nil {
		return Value{}, e
	}
	if s.ASCII() {
		return Bool(text.All(s.Bytes(), is)), nil
	}
	if e := m.Charge(wideTestCost * s.n); e != nil {
		return Value{}, e
	}
	return Bool(text.All(s.Runes(), is)), nil
}

func strIs(narrow func([]byte) bool, wide func([]rune) bool) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		s := a.V[0].str()
		if e := m.Charge(s.n); e != nil {
			return Value{}, e
		}
		if s.ASCII() {
			return Bool(narrow(s.Bytes())), nil
		}
		if e := m.Charge(wideTestCost * s.n); e != nil {
			return Value{}, e
		}
		return Bool(wide(s.Runes())), nil
	}
}
