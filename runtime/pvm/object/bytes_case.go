package object

import "github.com/cowboyinc/cowboy-go/runtime/pvm/text"

func bytesCaseMethods() []Method {
	list := []Method{
		{Name: "upper", Func: bytesCase(text.UpperASCII)},
		{Name: "lower", Func: bytesCase(text.LowerASCII)},
		{Name: "swapcase", Func: bytesCase(text.SwapASCII)},
		{Name: "capitalize", Func: bytesCase(text.CapitalizeASCII)},
		{Name: "title", Func: bytesCase(text.TitleASCII)},
	}
	for _, p := range []struct {
		name string
		is   func(b []byte) bool
	}{
		{"islower", func(b []byte) bool { return text.IsLowerText(onlyASCII(b)) }},
		{"isupper", func(b []byte) bool { return text.IsUpperText(onlyASCII(b)) }},
		{"istitle", func(b []byte) bool { return text.IsTitleText(onlyASCII(b)) }},
		{"isascii", func(b []byte) bool { return len(b) == 0 || text.All(b, func(r rune) bool { return r < 0x80 }) }},
		{"isalpha", func(b []byte) bool { return text.All(b, func(r rune) bool { return r < 0x80 && text.IsAlpha(r) }) }},
		{"isdigit", func(b []byte) bool { return text.All(b, func(r rune) bool { return r >= '0' && r <= '9' }) }},
		{"isalnum", func(b []byte) bool { return text.All(b, func(r rune) bool { return r < 0x80 && text.IsAlnum(r) }) }},
		{"isspace", func(b []byte) bool { return text.All(b, text.BytesRules.IsSpace) }},
	} {
		list = append(list, Method{Name: p.name, Func: func(m *Machine, a Args) (Value, *Exception) {
			b := bytesOf(a.V[0])
			if e := m.Charge(len(b)); e != nil {
				return Value{}, e
			}
			return Bool(p.is(b)), nil
		}})
	}
	return list
}

// onlyASCII returns b with every byte outside ASCII replaced by one without case.
func onlyASCII(b []byte) []byte {
	out := append([]byte(nil), b...)
	for i, c := range out {
		if c >= 0x80 {
			out[i] = 0
		}
	}
	return out
}

func bytesCase(change func(dst, s []byte) []byte) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		b := bytesOf(a.V[0])
		if e := m.output(int64(len(b)), 1); e != nil {
			return Value{}, e
		}
		return m.bytesAs(a.V[0], change(make([]byte, 0, len(b)), b)), nil
	}
}
