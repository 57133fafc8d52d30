package object

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

func strSplitMethods() []Method {
	return []Method{
		{Name: "split", Sig: "sep=None, maxsplit=-1", Func: strSplit(false)},
		{Name: "rsplit", Sig: "sep=None, maxsplit=-1", Func: strSplit(true)},
		{Name: "splitlines", Sig: "keepends=False", Func: strSplitLines},
		{Name: "partition", Sig: "sep, /", Func: strPartition(false)},
		{Name: "rpartition", Sig: "sep, /", Func: strPartition(true)},
		{Name: "join", Sig: "iterable, /", Func: strJoin},
	}
}

func strSplit(fromRight bool) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		s := a.V[0].str()
		limit, e := m.intArg(a.Arg(2), -1)
		if e != nil {
			return Value{}, e
		}
		limit = max(limit, -1)
		chars := s.n
		if !s.ASCII() {
			chars += 2 * wideTestCost * s.n
		}
		if e := m.Charge(chars); e != nil {
			return Value{}, e
		}
		sep := noneAsZero(a.Arg(1))
		if sep.ref == nil {
			return strFields(m, s, limit, fromRight)
		}
		by, ok := sep.AsStr()
		if !ok {
			return Value{}, m.TypeError("must be str or None, not %s", sep.ref.typ.Name)
		}
		if by.n == 0 {
			return Value{}, m.ValueError("empty separator")
		}
		// A separator is found in UTF-8 exactly where it stands among the code points.
		if fromRight {
			return backwards(s.eachSpan(m, text.SplitFromRight(s.Bytes(), by.Bytes(), limit)))
		}
		return s.splitAt(m, by, limit)
	}
}

// backwards turns a list of pieces that came last first.
func backwards(l Value, e *Exception) (Value, *Exception) {
	if e == nil {
		reverseValues(l.list().items)
	}
	return l, e
}

// strFields splits at white space.
func strFields(m *Machine, s *Str, limit int, fromRight bool) (Value, *Exception) {
	if s.ASCII() {
		if fromRight {
			return backwards(s.eachSpan(m, text.FieldsFromRight(s.Bytes(), limit, text.TextRules)))
		}
		return s.fields(m, limit)
	}
	runes := s.Runes()
	if fromRight {
		return backwards(s.eachSlice(m, text.FieldsFromRight(runes, limit, text.TextRules)))
	}
	return s.eachSlice(m, text.Fields(runes, limit, text.TextRules))
}

// splitAt is split with a separator: text.Split written out, because this is where programs spend their time.
func (s *Str) splitAt(m *Machine, by *Str, limit int) (Value, *Exception) {
	b := s.Bytes()
	p := text.NewPattern(by.Bytes())
	l, e := m.pieceList(text.Count(b, by.Bytes(), limit) + 1)
	if e != nil {
		return Value{}, e
	}
	pins := len(m.pins)
	m.Pin(l.Value())
	defer m.Unpin(pins)
	at := 0
	for pieces := 0; pieces != limit; pieces++ {
		i := p.Index(b, at)
		if i < 0 {
			break
		}
		if e := m.Charge(pieceCost); e != nil {
			return Value{}, e
		}
		l.Append(m, s.span(m, at, i))
		at = i + len(by.s)
	}
	l.Append(m, s.span(m, at, len(b)))
	return l.Value(), nil
}

// fields is split at white space of ASCII text: text.Fields written out.
func (s *Str) fields(m *Machine, limit int) (Value, *Exception) {
	b := s.Bytes()
	l, e := m.pieceList(fieldCount(b, limit))
	if e != nil {
		return Value{}, e
	}
	pins := len(m.pins)
	m.Pin(l.Value())
	defer m.Unpin(pins)
	for i, pieces := 0, 0; ; pieces++ {
		for i < len(b) && isSpaceASCII(b[i]) {
			i++
		}
		if i == len(b) {
			return l.Value(), nil
		}
		start := i
		for i < len(b) && (pieces == limit || !isSpaceASCII(b[i])) {
			i++
		}
		if e := m.Charge(pieceCost); e != nil {
			return Value{}, e
		}
		l.Append(m, s.span(m, start, i))
	}
}

// lines is splitlines of ASCII text: text.Lines written out.
func (s *Str) lines(m *Machine, keepEnds bool) (Value, *Exception) {
	b := s.Bytes()
	l, e := m.pieceList(lineCount(b))
	if e != nil {
		return Value{}, e
	}
	pins := len(m.pins)
	m.Pin(l.Value())
	defer m.Unpin(pins)
	for i := 0; i < len(b); {
		start := i
		for i < len(b) && !text.TextRules.IsLineEnd(rune(b[i])) {
			i++
		}
		end := i
		if i < len(b) {
			if b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n' {
				i++
			}
			i++
		}
		if keepEnds {
			end = i
		}
		if e := m.Charge(pieceCost); e != nil {
			return Value{}, e
		}
		l.Append(m, s.span(m, start, end))
	}
	return l.Value(), nil
}

// lineCount answers about how many lines ASCII text has: CR LF counts twice.
func lineCount(b []byte) int {
	n := 1
	for _, c := range b {
		if text.TextRules.IsLineEnd(rune(c)) {
			n++
		}
	}
	return n
}

// pieceList returns a list with room for n pieces.
func (m *Machine) pieceList(n int) (*List, *Exception) {
	if e := m.Reserve(n * valueSize); e != nil {
		return nil, e
	}
	l := m.NewList(nil)
	l.items = make([]Value, 0, n)
	m.hold(n * valueSize)
	return l, nil
}

// isSpaceASCII is text.IsSpace below 128, where it is 9 to 13 and 28 to 32.
func isSpaceASCII(c byte) bool {
	const spaces uint64 = 0x1F<<9 | 0x1F<<28
	return c <= ' ' && spaces>>c&1 != 0
}

// fieldCount answers how many pieces ASCII text splits into at white space.
func fieldCount(b []byte, limit int) int {
	n := 0
	inside := false
	for _, c := range b {
		space := isSpaceASCII(c)
		if !space && !inside {
			n++
		}
		inside = !space
	}
	if limit >= 0 && n > limit+1 {
		return limit + 1
	}
	return n
}

func strSplitLines(m *Machine, a Args) (Value, *Exception) {
	s := a.V[0].str()
	keep, e := m.narrowArg(a.Arg(1), 0)
	if e != nil {
		return Value{}, e
	}
	if e := m.Charge(s.n); e != nil {
		return Value{}, e
	}
	if s.ASCII() {
		return s.lines(m, keep != 0)
	}
	return s.eachSlice(m, text.Lines(s.Runes(), keep != 0, text.TextRules))
}

func strPartition(fromRight bool) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		s := a.V[0].str()
		sep, e := m.strArg(a.V[1])
		if e != nil {
			return Value{}, e
		}
		if sep.n == 0 {
			return Value{}, m.ValueError("empty separator")
		}
		if e := m.Charge(s.n); e != nil {
			return Value{}, e
		}
		at, e := m.lookFor(s.Bytes(), sep.Bytes(), fromRight)
		if e != nil {
			return Value{}, e
		}
		switch {
		case at >= 0:
			return m.Tuple(s.span(m, 0, at), sep.Value(), s.span(m, at+len(sep.s), len(s.s))), nil
		case fromRight:
			return m.Tuple(emptyStr.Value(), emptyStr.Value(), s.same(m)), nil
		default:
			return m.Tuple(s.same(m), emptyStr.Value(), emptyStr.Value()), nil
		}
	}
}

func strJoin(m *Machine, a Args) (Value, *Exception) {
	s := a.V[0].str()
	items, e := m.joinItems(a.V[1])
	if e != nil {
		return Value{}, e
	}
	return m.Join(s, items)
}

// joinItems returns the elements of the argument of join; those of lists and tuples without a copy.
func (m *Machine) joinItems(v Value) ([]Value, *Exception) {
	m.meter.Owe(joinCost)
	switch v.ref.kind {
	case KindList:
		return v.list().items, nil
	case KindTuple:
		return v.tuple().items, nil
	}
	if v.ref.typ.Slots.Iter == nil && v.ref.typ.Slots.GetItem == nil {
		return nil, m.TypeError("can only join an iterable")
	}
	return m.Collect(v)
}

// Join returns the strings in items with sep between them; other types are a TypeError. It costs one cycle for each
// character of the result.
//
// Spec: CIP-3 §2.2.1 (String Operation).
func (m *Machine) Join(sep *Str, items []Value) (Value, *Exception) {
	if e := m.ChargeLen(0, len(items), 2); e != nil {
		return Value{}, e
	}
	if len(items) == 0 {
		return emptyStr.Value(), nil
	}
	size, n := len(sep.s)*(len(items)-1), sep.n*(len(items)-1)
	for i, v := range items {
		x, ok := v.AsStr()
		if !ok {
			return Value{}, m.TypeError("sequence item %d: expected str instance, %s found", i, v.ref.typ.Name)
		}
		size += len(x.s)
		n += x.n
	}
	if len(items) == 1 && items[0].ref.kind == KindStr {
		return items[0], nil
	}
	if e := m.Charge(n); e != nil {
		return Value{}, e
	}
	if e := m.Reserve(size); e != nil {
		return Value{}, e
	}
	if size <= 1 {
		var joined string
		for _, v := range items {
			joined += v.str().s
		}
		return m.strN(joined+strings.Repeat(sep.s, len(items)-1), n), nil
	}
	r, b := m.newText(size, n)
	for i, v := range items {
		if i > 0 {
			b = b[copy(b, sep.s):]
		}
		b = b[copy(b, v.str().s):]
	}
	return r, nil
}
