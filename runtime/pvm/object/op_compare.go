package object

import (
	"cmp"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// Compare returns a op b.
func (m *Machine) Compare(op CompareOp, a, b Value) (Value, *Exception) {
	ta, tb := a.ref.typ, b.ref.typ
	tried := false
	if ta != tb && tb.IsSubtype(ta) && tb.Slots.Compare != nil {
		tried = true
		r, e := tb.Slots.Compare(m, op.Swapped(), b, a)
		if e != nil || !r.IsNotImplemented() {
			return r, e
		}
	}
	if ta.Slots.Compare != nil {
		r, e := ta.Slots.Compare(m, op, a, b)
		if e != nil || !r.IsNotImplemented() {
			return r, e
		}
	}
	if !tried && tb.Slots.Compare != nil {
		r, e := tb.Slots.Compare(m, op.Swapped(), b, a)
		if e != nil || !r.IsNotImplemented() {
			return r, e
		}
	}
	switch op {
	case Eq:
		return Bool(a == b), nil
	case Ne:
		return Bool(a != b), nil
	}
	return Value{}, m.TypeError("'%s' not supported between instances of '%s' and '%s'", op, ta.Name, tb.Name)
}

// CompareBool is Compare followed by Truth.
func (m *Machine) CompareBool(op CompareOp, a, b Value) (bool, *Exception) {
	r, e := m.Compare(op, a, b)
	if e != nil {
		return false, e
	}
	if r.IsBool() {
		return r.bits != 0, nil
	}
	return m.Truth(r)
}

// Equal answers a == b.
func (m *Machine) Equal(a, b Value) (bool, *Exception) {
	ka, kb := a.ref.kind, b.ref.kind
	if ka == kb {
		switch ka {
		case KindInt, KindBool:
			return a.bits == b.bits, nil
		case KindStr:
			return m.SameText(a, b), nil
		case KindFloat:
			return softfloat.Eq(a.bits, b.bits), nil
		case KindNone:
			return true, nil
		}
	} else if ka == KindStr && kb <= KindBig || kb == KindStr && ka <= KindBig ||
		(ka == KindNone || kb == KindNone) && max(ka, kb) <= KindByteArray {
		return false, nil
	}
	m.meter.Owe(dispatch)
	return m.CompareBool(Eq, a, b)
}

// dispatch is the price of finding out how two values compare, beside what comparing them costs.
const dispatch = 6

// SameText answers a == b for two strings.
func (m *Machine) SameText(a, b Value) bool {
	if a.ref == b.ref {
		return true
	}
	x, y := a.str(), b.str()
	if len(x.s) != len(y.s) {
		return false
	}
	if len(x.s) > longText {
		m.meter.Owe(len(x.s) / compareChars)
	}
	return x.equal(y)
}

// compareChars is how many characters are compared for a cycle; comparisons of
// texts up to longText are in the price of what compares.
const (
	compareChars = 16
	longText     = 64
)

// Same answers a is b or a == b, as containers compare. Floats are the same if
// their encodings are.
func (m *Machine) Same(a, b Value) (bool, *Exception) {
	if a == b {
		return true, nil
	}
	return m.Equal(a, b)
}

// ordered turns a three-way result into the answer to op.
func ordered(op CompareOp, c int) bool {
	switch op {
	case Eq:
		return c == 0
	case Ne:
		return c != 0
	case Lt:
		return c < 0
	case Le:
		return c <= 0
	case Gt:
		return c > 0
	}
	return c >= 0
}

// sameItem is the price of comparing two elements that are not one and the same, beside that of a step.
const sameItem = 4

// compareSequences compares two sequences element by element.
func (m *Machine) compareSequences(op CompareOp, a, b func() []Value) (Value, *Exception) {
	if (op == Eq || op == Ne) && len(a()) != len(b()) {
		return Bool(op == Ne), nil
	}
	m.meter.Owe(2 * m.costs.Nest)
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	defer m.Leave()
	i := 0
	for ; i < len(a()) && i < len(b()); i++ {
		if i&7 == 0 {
			if e := m.Charge(8); e != nil {
				return Value{}, e
			}
			p, q := a(), b()
			end := min(i+8, len(p), len(q))
			for i < end && p[i] == q[i] { // as Same has it
				i++
			}
			if i == end {
				i--
				continue
			}
		}
		m.meter.Owe(sameItem)
		same, e := m.Same(a()[i], b()[i])
		if e != nil {
			return Value{}, e
		}
		if !same {
			break
		}
	}
	if i >= len(a()) || i >= len(b()) {
		return Bool(ordered(op, len(a())-len(b()))), nil
	}
	switch op {
	case Eq:
		return False, nil
	case Ne:
		return True, nil
	}
	return m.Compare(op, a()[i], b()[i])
}

// compareTuples is compareSequences of tuples, whose elements stay what they are
// while they are compared.
func (m *Machine) compareTuples(op CompareOp, x, y *Tuple) (Value, *Exception) {
	return m.CompareItems(op, x.items, y.items)
}

// CompareItems compares two tuples of these elements.
func (m *Machine) CompareItems(op CompareOp, a, b []Value) (Value, *Exception) {
	if (op == Eq || op == Ne) && len(a) != len(b) {
		return Bool(op == Ne), nil
	}
	m.meter.Owe(2 * m.costs.Nest)
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	i, n := 0, min(len(a), len(b))
	for ; i < n; i++ {
		if i&7 == 0 {
			if e := m.Charge(8); e != nil {
				m.Leave()
				return Value{}, e
			}
		}
		if a[i] == b[i] { // as Same has it
			continue
		}
		m.meter.Owe(sameItem)
		same, e := m.Same(a[i], b[i])
		if e != nil {
			m.Leave()
			return Value{}, e
		}
		if !same {
			break
		}
	}
	var r Value
	var e *Exception
	switch {
	case i >= n:
		r = Bool(ordered(op, len(a)-len(b)))
	case op == Eq || op == Ne:
		r = Bool(op == Ne)
	case a[i].IsInt() && b[i].IsInt():
		r = Bool(ordered(op, cmp.Compare(a[i].Int64(), b[i].Int64())))
	default:
		r, e = m.Compare(op, a[i], b[i])
	}
	m.Leave()
	return r, e
}

// Is answers a is b. It refuses identity of strings and numbers, which is an accident of
// the implementation.
//
// Spec: WP "Forbidden Operations" (Identity).
func (m *Machine) Is(a, b Value) (bool, *Exception) {
	if accidental(a) && !constantSingleton(b) || accidental(b) && !constantSingleton(a) {
		return false, m.DeterminismError("'is' between strings or numbers is forbidden: use '=='")
	}
	return a == b, nil
}

func accidental(v Value) bool {
	switch v.ref.kind {
	case KindInt, KindFloat, KindBig, KindStr, KindComplex, KindBytes:
		return true
	}
	return false
}

func constantSingleton(v Value) bool {
	k := v.ref.kind
	return k == KindNone || k == KindBool || k == KindEllipsis || k == KindNotImplemented || k >= KindSlice
}
