package object

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

func strMapMethods() []Method {
	return []Method{
		{Name: "replace", Sig: "old, new, count=-1, /", Func: strReplace},
		{Name: "translate", Sig: "table, /", Func: strTranslate},
		{Name: "maketrans", Static: true, Sig: "x, y=None, z=None, /", Func: strMakeTrans},
		{Name: "encode", Sig: "encoding='utf-8', errors='strict'", Func: strEncode},
		{Name: "__getnewargs__", Func: func(m *Machine, a Args) (Value, *Exception) { return m.Tuple(a.V[0].str().same(m)), nil }},
	}
}

func strReplace(m *Machine, a Args) (Value, *Exception) {
	s := a.V[0].str()
	old, e := m.namedStrArg(a.V[1], "replace", "1")
	if e != nil {
		return Value{}, e
	}
	with, e := m.namedStrArg(a.V[2], "replace", "2")
	if e != nil {
		return Value{}, e
	}
	limit, e := m.intArg(a.Arg(3), -1)
	if e != nil {
		return Value{}, e
	}
	if e := m.Charge(s.n + old.n); e != nil {
		return Value{}, e
	}
	limit = max(limit, -1)
	if old.n == 0 && !s.ASCII() {
		return strReplaceEmpty(m, s, with, limit)
	}
	count := text.Count(s.Bytes(), old.Bytes(), limit)
	if count == 0 {
		return s.same(m), nil
	}
	size, ok := text.ReplacedLen(len(s.s), len(old.s), len(with.s), count)
	if !ok {
		return Value{}, m.Reserve(-1)
	}
	if e := m.Reserve(size); e != nil {
		return Value{}, e
	}
	n := s.n + count*(with.n-old.n)
	if e := m.Charge(n); e != nil {
		return Value{}, e
	}
	if size <= 1 {
		return m.strN(string(text.Replace(nil, s.Bytes(), old.Bytes(), with.Bytes(), count)), n), nil
	}
	v, b := m.newText(size, n)
	text.Replace(b[:0], s.Bytes(), old.Bytes(), with.Bytes(), count)
	return v, nil
}

// strReplaceEmpty puts a text before every character and at the end.
func strReplaceEmpty(m *Machine, s, with *Str, limit int) (Value, *Exception) {
	count := text.Count(s.Runes(), nil, limit)
	n, ok := text.ReplacedLen(s.n, 0, with.n, count)
	if !ok || n > maxIndex/8 {
		return Value{}, m.Reserve(-1)
	}
	if e := m.Reserve(4 * n); e != nil {
		return Value{}, e
	}
	if e := m.Charge(n); e != nil {
		return Value{}, e
	}
	return m.StrOf(text.Replace(make([]rune, 0, n), s.Runes(), nil, with.Runes(), count)), nil
}

// lookupCost is the price of asking a table, as of any access to a dict.
//
// Spec: CIP-3 §2.2.1 (Dictionary Get/Set).
const lookupCost = 6

// translator maps characters through a table, asking it once for each ASCII character.
type translator struct {
	m     *Machine
	table Value
	known [128]bool
	ascii [128]Value // what the table says; zero keeps the character
}

// lookup answers an int, a str, None, or the zero Value for a character the table does not have.
func (t *translator) lookup(r rune) (Value, *Exception) {
	if r < 128 && t.known[r] {
		return t.ascii[r], nil
	}
	if e := t.m.Charge(lookupCost); e != nil {
		return Value{}, e
	}
	v, e := t.ask(Int(int64(r)))
	if e != nil {
		return Value{}, e
	}
	if v.ref != nil && !v.IsNone() {
		if _, ok := v.AsStr(); !ok {
			i, ok := v.AsInt()
			if !ok {
				return Value{}, t.m.TypeError("character mapping must return integer, None or str")
			}
			if !i.IsInt() || i.Int64() < 0 || i.Int64() > 0x10FFFF {
				return Value{}, t.m.ValueError("character mapping must be in range(0x110000)")
			}
			v = i
		}
	}
	if r < 128 {
		t.known[r], t.ascii[r] = true, v
	}
	return v, nil
}

// ask looks a key up; the zero Value stands for one that is missing.
func (t *translator) ask(key Value) (Value, *Exception) {
	if t.table.ref.kind == KindDict {
		v, _, e := t.table.dict().Get(t.m, key)
		return v, e
	}
	v, e := t.m.GetItem(t.table, key)
	if e != nil && e.Is(&ExcLookupError) {
		return Value{}, nil
	}
	return v, e
}

func strTranslate(m *Machine, a Args) (Value, *Exception) {
	m.meter.Owe(m.costs.Display)
	s := a.V[0].str()
	t := translator{m: m, table: a.V[1]}
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	defer m.Leave()
	if e := m.Charge(4 * s.n); e != nil {
		return Value{}, e
	}
	out := runeBuilder{m: m}
	if e := out.grow(s.n); e != nil {
		return Value{}, e
	}
	for i := 0; i < len(s.s); {
		r, w := nextRune(s.s, i)
		i += w
		v, e := t.lookup(r)
		if e != nil {
			return Value{}, e
		}
		switch {
		case v.ref == nil:
			e = out.rune(r)
		case v.IsNone():
		case v.IsInt():
			e = out.rune(rune(v.Int64()))
		default:
			e = out.text(v.str())
		}
		if e != nil {
			return Value{}, e
		}
	}
	return m.StrOf(out.b), nil
}

// runeBuilder collects code points whose number the program chooses.
type runeBuilder struct {
	m *Machine
	b []rune
}

func (b *runeBuilder) grow(n int) *Exception {
	if len(b.b)+n <= cap(b.b) {
		return nil
	}
	room := max(2*cap(b.b), len(b.b)+n)
	if e := b.m.Reserve(4 * room); e != nil {
		return e
	}
	grown := make([]rune, len(b.b), room)
	copy(grown, b.b)
	b.b = grown
	return nil
}

func (b *runeBuilder) rune(r rune) *Exception {
	if e := b.grow(1); e != nil {
		return e
	}
	b.b = append(b.b, r)
	return nil
}

// text appends a text, for a cycle besides its characters.
func (b *runeBuilder) text(s *Str) *Exception {
	if e := b.m.Charge(1 + s.n); e != nil {
		return e
	}
	if e := b.grow(s.n); e != nil {
		return e
	}
	if !s.ASCII() {
		b.b = append(b.b, s.Runes()...)
		return nil
	}
	for _, c := range s.Bytes() {
		b.b = append(b.b, rune(c))
	}
	return nil
}

func strMakeTrans(m *Machine, a Args) (Value, *Exception) {
	m.meter.Owe(m.costs.Mapping)
	d := m.NewDict()
	if a.Arg(1).ref == nil {
		return d.Value(), m.transFromDict(d, a.V[0])
	}
	y, e := m.namedStrArg(a.V[1], "maketrans", "2")
	if e != nil {
		return Value{}, e
	}
	x, ok := a.V[0].AsStr()
	if !ok {
		return Value{}, m.TypeError("first maketrans argument must be a string if there is a second argument")
	}
	if x.n != y.n {
		return Value{}, m.ValueError("the first two maketrans arguments must have equal length")
	}
	if e := m.Charge(6 * x.n); e != nil {
		return Value{}, e
	}
	to := y.Runes()
	for i, r := range x.Runes() {
		if e := d.Set(m, Int(int64(r)), Int(int64(to[i]))); e != nil {
			return Value{}, e
		}
	}
	if drop := a.Arg(2); drop.ref != nil {
		z, e := m.namedStrArg(drop, "maketrans", "3")
		if e != nil {
			return Value{}, e
		}
		if e := m.Charge(6 * z.n); e != nil {
			return Value{}, e
		}
		for _, r := range z.Runes() {
			if e := d.Set(m, Int(int64(r)), None); e != nil {
				return Value{}, e
			}
		}
	}
	return d.Value(), nil
}

// transFromDict copies a mapping whose keys are ints or strings of one character.
func (m *Machine) transFromDict(d *Dict, v Value) *Exception {
	from, ok := v.AsDict()
	if !ok {
		return m.TypeError("if you give only one argument to maketrans it must be a dict")
	}
	if e := m.Charge(6 * from.Len()); e != nil {
		return e
	}
	var failed *Exception
	from.Each(func(k, val Value) bool {
		if s, ok := k.AsStr(); ok {
			if s.n != 1 {
				failed = m.ValueError("string keys in translate table must be of length 1")
				return false
			}
			k = Int(int64(s.At(0)))
		} else if _, ok := k.AsInt(); !ok {
			failed = m.TypeError("keys in translate table must be strings or integers")
			return false
		}
		failed = d.Set(m, k, val)
		return failed == nil
	})
	return failed
}
