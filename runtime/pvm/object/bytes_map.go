package object

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

func bytesMapMethods() []Method {
	return []Method{
		{Name: "replace", Sig: "old, new, count=-1, /", Func: bytesReplace},
		{Name: "translate", Sig: "table, /, delete=b''", Func: bytesTranslate},
		{Name: "maketrans", Static: true, Sig: "frm, to, /", Func: bytesMakeTrans},
		{Name: "decode", Sig: "encoding='utf-8', errors='strict'", Func: func(m *Machine, a Args) (Value, *Exception) {
			return m.DecodeUTF8(a.V[0], a.Arg(1), a.Arg(2))
		}},
		{Name: "hex", Sig: "sep=None, bytes_per_sep=1", Func: func(m *Machine, a Args) (Value, *Exception) {
			return m.hexOf(bytesOf(a.V[0]), a.Arg(1), a.Arg(2))
		}},
		{Name: "fromhex", Class: true, Sig: "string, /", Func: bytesFromHex},
	}
}

func bytesReplace(m *Machine, a Args) (Value, *Exception) {
	old, e := m.bytesArg(a.V[1])
	if e != nil {
		return Value{}, e
	}
	with, e := m.bytesArg(a.V[2])
	if e != nil {
		return Value{}, e
	}
	limit, e := m.intArg(a.Arg(3), -1)
	if e != nil {
		return Value{}, e
	}
	b := bytesOf(a.V[0])
	if e := m.Charge((len(b) + len(old)) / bytesPerCycle); e != nil {
		return Value{}, e
	}
	count := text.Count(b, old, max(limit, -1))
	if count == 0 {
		return m.piece(a.V[0], b), nil
	}
	size, ok := text.ReplacedLen(len(b), len(old), len(with), count)
	if !ok {
		return Value{}, m.Reserve(-1)
	}
	if e := m.output(int64(size), 1); e != nil {
		return Value{}, e
	}
	return m.bytesAs(a.V[0], text.Replace(make([]byte, 0, size), b, old, with, count)), nil
}

func bytesTranslate(m *Machine, a Args) (Value, *Exception) {
	var table, drop []byte
	var e *Exception
	if !a.V[1].IsNone() {
		if table, e = m.bytesArg(a.V[1]); e != nil {
			return Value{}, e
		}
		if len(table) != 256 {
			return Value{}, m.ValueError("translation table must be 256 characters long")
		}
	}
	if d := a.Arg(2); d.ref != nil {
		if drop, e = m.bytesArg(d); e != nil {
			return Value{}, e
		}
	}
	b := bytesOf(a.V[0])
	if e := m.output(int64(len(b)+len(drop)), 1); e != nil {
		return Value{}, e
	}
	dropped := text.NewSet(drop)
	out := make([]byte, 0, len(b))
	for _, c := range b {
		if dropped.Has(rune(c)) {
			continue
		}
		if table != nil {
			c = table[c]
		}
		out = append(out, c)
	}
	return m.bytesAs(a.V[0], out), nil
}

func bytesMakeTrans(m *Machine, a Args) (Value, *Exception) {
	from, e := m.bytesArg(a.V[0])
	if e != nil {
		return Value{}, e
	}
	to, e := m.bytesArg(a.V[1])
	if e != nil {
		return Value{}, e
	}
	if len(from) != len(to) {
		return Value{}, m.ValueError("maketrans arguments must have same length")
	}
	if e := m.Charge(256/8 + len(from)); e != nil {
		return Value{}, e
	}
	table := make([]byte, 256)
	for i := range table {
		table[i] = byte(i)
	}
	for i, c := range from {
		table[c] = to[i]
	}
	return m.Bytes(table), nil
}

const hexDigits = "0123456789abcdef"

// hexOf returns bytes in hexadecimal, with a separator between groups counted from the right, or from the left when
// their size is negative.
func (m *Machine) hexOf(b []byte, sep, per Value) (Value, *Exception) {
	group, e := m.narrowArg(per, 1)
	if e != nil {
		return Value{}, e
	}
	var mark byte
	if sep.ref != nil {
		if mark, e = m.hexSeparator(sep); e != nil {
			return Value{}, e
		}
	} else {
		group = 0
	}
	fromLeft := group < 0
	if fromLeft {
		group = -group
	}
	n := 2 * len(b)
	if group > 0 && len(b) > 0 {
		n += (len(b) - 1) / group
	}
	if e := m.output(int64(n), 1); e != nil {
		return Value{}, e
	}
	out := make([]byte, 0, n)
	for i, c := range b {
		place := len(b) - i
		if fromLeft {
			place = i
		}
		if group > 0 && i > 0 && place%group == 0 {
			out = append(out, mark)
		}
		out = append(out, hexDigits[c>>4], hexDigits[c&15])
	}
	return m.ownASCII(out), nil
}

func (m *Machine) hexSeparator(sep Value) (byte, *Exception) {
	n, e := m.Len(sep)
	if e != nil {
		return 0, e
	}
	if n != 1 {
		return 0, m.ValueError("sep must be length 1.")
	}
	var c rune
	if s, ok := sep.AsStr(); ok {
		c = s.At(0)
	} else if b, ok := sep.AsBytes(); ok {
		c = rune(b.b[0])
	} else {
		return 0, m.TypeError("sep must be str or bytes.")
	}
	if c >= 0x80 {
		return 0, m.ValueError("sep must be ASCII.")
	}
	return byte(c), nil
}

func bytesFromHex(m *Machine, a Args) (Value, *Exception) {
	s, e := m.namedStrArg(a.V[1], "fromhex", "")
	if e != nil {
		return Value{}, e
	}
	if e := m.output(int64(s.n), 1); e != nil {
		return Value{}, e
	}
	out := make([]byte, 0, s.n/2)
	runes := s.Runes()
	if !s.ASCII() {
		for i, c := range runes {
			if c >= 0x80 {
				return Value{}, m.ValueError("non-hexadecimal number found in fromhex() arg at position %d", i)
			}
		}
	}
	for i := 0; i < len(runes); i++ {
		if text.BytesRules.IsSpace(runes[i]) {
			continue
		}
		high := hexValue(runes[i])
		if high >= 0 {
			i++
		}
		low := -1
		if high >= 0 && i < len(runes) {
			low = hexValue(runes[i])
		}
		if low < 0 {
			return Value{}, m.ValueError("non-hexadecimal number found in fromhex() arg at position %d", i)
		}
		out = append(out, byte(high<<4|low))
	}
	t, _ := a.V[0].AsType()
	if t == &TypeBytes {
		return m.Bytes(out), nil
	}
	if t == &TypeByteArray {
		return m.ByteArray(out), nil
	}
	return m.Call(a.V[0], Positional(m.Bytes(out)))
}

func hexValue(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r >= 'a' && r <= 'f':
		return int(r-'a') + 10
	case r >= 'A' && r <= 'F':
		return int(r-'A') + 10
	default:
		return -1
	}
}
