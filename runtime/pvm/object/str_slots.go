package object

import (
	"strings"
	"unsafe"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// TypeStr is str. Its methods are declared by strMethods.
var TypeStr Type

func defineStr() {
	Define(&TypeStr, Spec{
		Name: "str", Layout: LayoutOf[Str](KindStr), Relocate: relocateStr, MatchSelf: true,
		Slots: Slots{
			New: strNew,
			Str: func(m *Machine, v Value) (Value, *Exception) {
				if v.ref.kind == KindStr {
					return v, nil
				}
				return m.strN(v.str().s, v.str().n), nil
			},
			Repr: func(m *Machine, v Value) (Value, *Exception) {
				if e := m.Charge(v.str().measuring()); e != nil {
					return Value{}, e
				}
				q := quotingOf(v.str())
				if q.size > len(q.s.s)+2 {
					m.meter.Owe(q.s.measuring()) // once more, to write
				}
				if e := m.output(int64(q.n), 4); e != nil {
					return Value{}, e
				}
				return m.strN(q.String(), q.n), nil
			},
			Hash:    func(m *Machine, v Value) (int64, *Exception) { return m.hashStr(v.str()) },
			Compare: strCompare,
			Len:     func(m *Machine, v Value) (int, *Exception) { return v.str().n, nil },
			GetItem: strGetItem, Contains: strContains,
			Iter: func(m *Machine, v Value) (Value, *Exception) {
				if e := m.Charge(v.str().undecoded()); e != nil {
					return Value{}, e
				}
				return m.newStrIter(v), nil
			},
			Binary: [numOperators]Binary{Add: func(m *Machine, a, b Value) (Value, *Exception) {
				x, ok := a.AsStr()
				if !ok {
					return NotImplemented, nil
				}
				y, ok := b.AsStr()
				if !ok {
					return NotImplemented, nil
				}
				m.meter.Owe(m.costs.Operand) // one of them is of a class that derives from str
				return m.Concat(x, y)
			}, Mul: strRepeat, Mod: strMod},
		},
		Methods: strMethods(),
	})
}

var strSig = NewBuiltin(Method{Name: "str", Sig: "object='', encoding='utf-8', errors='strict'"})

// intTextCost is the price of the text of an int that is more than a digit, beside the call's.
const intTextCost = 8

func strNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if len(a.V) == 1 && len(a.Names) == 0 && t == &TypeStr {
		if i := a.V[0]; i.IsInt() {
			if uint64(i.Int64()) >= 10 {
				m.meter.Owe(intTextCost)
			}
			return m.decimal(i.Int64()), nil
		}
		return m.ToStr(a.V[0])
	}
	a, e := strSig.bind(m, a)
	if e != nil {
		return Value{}, e
	}
	r := emptyStr.Value()
	switch x := a.Arg(0); {
	case x.ref == nil:
	case a.Arg(1).ref != nil || a.Arg(2).ref != nil:
		for i, which := range []string{"'encoding'", "'errors'"} {
			if v := a.Arg(1 + i); v.ref != nil {
				if _, e := m.codecArg(v, "str", which); e != nil {
					return Value{}, e
				}
			}
		}
		if _, ok := m.bytesLike(x); !ok {
			if x.ref.kind&^Sub == KindStr {
				return Value{}, m.TypeError("decoding str is not supported")
			}
			return Value{}, m.TypeError("decoding to str: need a bytes-like object, %s found", x.ref.typ.Name)
		}
		r, e = m.DecodeUTF8(x, a.Arg(1), a.Arg(2))
	default:
		r, e = m.ToStr(x)
	}
	if e != nil || t == &TypeStr {
		return r, e
	}
	return m.strOfType(t, r.str()), nil
}

// strOfType returns an instance of a subclass of str with the text of s.
func (m *Machine) strOfType(t *Type, s *Str) Value {
	o := Alloc[Str](m, t, len(s.s))
	o.s, o.n, o.hash = s.s, s.n, s.hash
	return o.Value()
}

// Concat returns the concatenation of two strings; one cycle for each character
// written: those of x are there already when it is extended in place.
//
// Spec: CIP-3 §2.2.1 (String Operation).
func (m *Machine) Concat(x, y *Str) (Value, *Exception) {
	written := y.n
	if !x.extensible(len(y.s)) {
		written += x.n
	}
	if e := m.Charge(written); e != nil {
		return Value{}, e
	}
	if x.n == 0 && y.typ == &TypeStr {
		return y.Value(), nil
	}
	if y.n == 0 && x.typ == &TypeStr {
		return x.Value(), nil
	}
	size := len(x.s) + len(y.s)
	if size < 2 {
		return m.Str(x.s + y.s), nil // one of them is of a subclass
	}
	if size < minTail {
		v, b := m.newText(size, x.n+y.n)
		copy(b[copy(b, x.s):], y.s)
		return v, nil
	}
	if size > 1<<12 {
		if e := m.Reserve(size); e != nil {
			return Value{}, e
		}
	}
	var t *tail
	if x.extensible(len(y.s)) {
		t = x.more.tail
	} else {
		if e := m.Reserve(size + size/2); e != nil {
			return Value{}, e
		}
		t = &tail{buf: append(make([]byte, 0, size+size/2), x.s...)}
		m.hold(size + size/2)
	}
	t.buf = append(t.buf, y.s...)
	m.hold(strSize)
	s := &tailStr{own: strMore{tail: t}}
	str := &s.Str
	str.s, str.n, str.more = unsafe.String(&t.buf[0], size), x.n+y.n, &s.own
	str.typ, str.kind = &TypeStr, KindStr
	return str.Value(), nil
}

// extensible says whether n more bytes can be put behind the text where it is.
func (s *Str) extensible(n int) bool {
	if s.more == nil || s.more.tail == nil {
		return false
	}
	buf := s.more.tail.buf
	return len(buf) == len(s.s) && cap(buf) >= len(s.s)+n
}

// tailStr is a string made by concatenation.
type tailStr struct {
	Str
	own strMore
}

// minTail is the length from which concatenation prepares for more of it.
const minTail = 128

func strRepeat(m *Machine, a, b Value) (Value, *Exception) {
	s, ok := a.AsStr()
	if !ok {
		if s, ok = b.AsStr(); !ok {
			return NotImplemented, nil
		}
		b = a
	}
	n, ok, e := m.repeatCount(b, len(s.s))
	if !ok || e != nil {
		return NotImplemented, e
	}
	if n == 1 && s.typ == &TypeStr {
		return s.Value(), nil
	}
	if e := m.Reserve(n * len(s.s)); e != nil {
		return Value{}, e
	}
	if e := m.Charge(n * s.n); e != nil {
		return Value{}, e
	}
	return m.strN(strings.Repeat(s.s, n), n*s.n), nil
}

func strCompare(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	x, ok := a.AsStr()
	if !ok {
		return NotImplemented, nil
	}
	y, ok := b.AsStr()
	if !ok {
		return NotImplemented, nil
	}
	if op <= Ne {
		return Bool(m.SameText(x.Value(), y.Value()) == (op == Eq)), nil
	}
	if e := m.Charge(min(x.n, y.n) / compareChars); e != nil {
		return Value{}, e
	}
	return Bool(ordered(op, compareStr(x, y))), nil
}

func strGetItem(m *Machine, v, key Value) (Value, *Exception) {
	s := v.str()
	if sl, ok := key.AsSlice(); ok {
		start, _, step, n, e := sl.Indices(m, s.n)
		if e != nil {
			return Value{}, e
		}
		if e := m.Charge(n + s.undecoded()); e != nil {
			return Value{}, e
		}
		if step == 1 {
			return s.Slice(m, start, start+n), nil
		}
		return s.every(m, start, step, n)
	}
	if key.ref.typ.Slots.ToIndex == nil {
		return Value{}, m.TypeError("string indices must be integers, not '%s'", key.ref.typ.Name)
	}
	i, e := m.sequenceIndex(key, s.n, "string")
	if e != nil {
		return Value{}, e
	}
	if e := m.Charge(s.undecoded()); e != nil {
		return Value{}, e
	}
	return m.char(s.At(i)), nil
}

// every returns n code points start, start+step, ….
func (s *Str) every(m *Machine, start, step, n int) (Value, *Exception) {
	if e := m.Reserve(4 * n); e != nil {
		return Value{}, e
	}
	if s.ASCII() {
		b := make([]byte, n)
		for i := range b {
			b[i] = s.s[start+i*step]
		}
		return m.ASCIIOf(b), nil
	}
	m.meter.Owe(n) // each character is written anew
	r, from := make([]rune, n), s.Runes()
	for i := range r {
		r[i] = from[start+i*step]
	}
	return m.StrOf(r), nil
}

func strContains(m *Machine, v, item Value) (bool, *Exception) {
	s := v.str()
	x, ok := item.AsStr()
	if !ok {
		return false, m.TypeError("'in <string>' requires string as left operand, not %s", item.ref.typ.Name)
	}
	if e := m.Charge(len(s.s)/searchChars + x.n); e != nil {
		return false, e
	}
	if s.ASCII() && !x.ASCII() {
		return false, nil
	}
	if x.n > 1 {
		m.meter.Owe(m.costs.Compare)
	}
	at, e := m.lookFor(s.Bytes(), x.Bytes(), false)
	return at >= 0, e
}

// decimalText is the text of a string with every Unicode decimal digit replaced
// by its ASCII form and every space by ' ', for number parsing.
func decimalText(s *Str) string {
	if s.ASCII() {
		return s.s
	}
	out := make([]byte, 0, s.n)
	for _, r := range s.Runes() {
		switch d := text.DecimalValue(r); {
		case r < 128:
			out = append(out, byte(r))
		case d >= 0:
			out = append(out, byte('0'+d))
		case text.IsSpace(r):
			out = append(out, ' ')
		default:
			out = append(out, '?')
		}
	}
	return string(out)
}
