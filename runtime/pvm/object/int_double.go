package object

import (
	"math/big"
	"math/bits"
)

// Ints of up to 128 bits are what amounts in base units and products of words
// are: they are computed in two variables, without the loops of short. The
// results, and what they cost, are the same.

// double is an int as sign and magnitude of two words.
type double struct {
	hi, lo uint64
	neg    bool
}

// doubleOf returns an exact int as a double if it is that short.
func doubleOf(v Value) (d double, ok bool) {
	if v.IsInt() {
		i := v.Int64()
		return double{0, magnitude(i), i < 0}, true
	}
	b := &v.big().i
	words := b.Bits()
	d.neg = b.Sign() < 0
	switch len(words) {
	case 2:
		d.hi = uint64(words[1])
		fallthrough
	case 1:
		d.lo = uint64(words[0])
		return d, true
	}
	return d, false
}

// doubleInt returns the int that d is.
func (m *Machine) doubleInt(d double) Value {
	n := 2
	if d.hi == 0 {
		switch {
		case d.lo>>63 == 0 && d.neg:
			return Int(-int64(d.lo))
		case d.lo>>63 == 0:
			return Int(int64(d.lo))
		case d.lo == 1<<63 && d.neg:
			return Int(-1 << 63)
		}
		n = 1
	}
	s := m.new2()
	s.w[0], s.w[1] = big.Word(d.lo), big.Word(d.hi)
	s.i.SetBits(s.w[:n:n])
	if d.neg {
		s.i.Neg(&s.i)
	}
	s.typ, s.kind = &TypeInt, KindBig
	m.accountBig(8 * n)
	return Value{ref: &s.Object}
}

// doubleOp computes x op y if the operation is one of these and its operands and
// result are of two words; the surcharge has been taken.
func (m *Machine) doubleOp(op Operator, x, y Value) (Value, bool) {
	if bits.UintSize != 64 {
		return Value{}, false
	}
	a, ok := doubleOf(x)
	if !ok {
		return Value{}, false
	}
	b, ok := doubleOf(y)
	if !ok {
		return Value{}, false
	}
	var r double
	switch op {
	case Add:
		r, ok = a.plus(b)
	case Sub_:
		b.neg = !b.neg
		r, ok = a.plus(b)
	case Mul:
		r, ok = a.times(b)
	case FloorDiv, Mod:
		ok = !a.neg && !b.neg && b.hi == 0 && b.lo != 0
		if ok {
			var rest uint64
			r.hi, rest = a.hi/b.lo, a.hi%b.lo
			if r.lo, rest = bits.Div64(rest, a.lo, b.lo); op == Mod {
				r = double{lo: rest}
			}
		}
	case And, Or, Xor:
		ok = !a.neg && !b.neg
		switch op {
		case And:
			r = double{hi: a.hi & b.hi, lo: a.lo & b.lo}
		case Or:
			r = double{hi: a.hi | b.hi, lo: a.lo | b.lo}
		default:
			r = double{hi: a.hi ^ b.hi, lo: a.lo ^ b.lo}
		}
	case LShift:
		r, ok = a.shifted(b)
	case RShift:
		ok = !a.neg && !b.neg && b.hi == 0
		switch {
		case b.lo < 64:
			r = double{hi: a.hi >> b.lo, lo: a.lo>>b.lo | a.hi<<(63-b.lo)<<1}
		default:
			r.lo = a.hi >> (b.lo - 64)
		}
	default:
		return Value{}, false
	}
	if !ok {
		return Value{}, false
	}
	return m.doubleInt(r), true
}

// plus returns a + b, if it is of two words.
func (a double) plus(b double) (r double, ok bool) {
	var carry uint64
	if a.neg == b.neg {
		r.lo, carry = bits.Add64(a.lo, b.lo, 0)
		r.hi, carry = bits.Add64(a.hi, b.hi, carry)
		r.neg = a.neg
		return r, carry == 0
	}
	if a.hi < b.hi || a.hi == b.hi && a.lo < b.lo {
		a, b = b, a
	}
	r.lo, carry = bits.Sub64(a.lo, b.lo, 0)
	r.hi, _ = bits.Sub64(a.hi, b.hi, carry)
	r.neg = a.neg
	return r, true
}

// times returns a * b, if it is of two words.
func (a double) times(b double) (r double, ok bool) {
	if a.hi != 0 {
		a, b = b, a
	}
	if a.hi != 0 {
		return r, false
	}
	over, upper := bits.Mul64(a.lo, b.hi)
	r.hi, r.lo = bits.Mul64(a.lo, b.lo)
	var carry uint64
	r.hi, carry = bits.Add64(r.hi, upper, 0)
	r.neg = a.neg != b.neg
	return r, over|carry == 0
}

// shifted returns a << by, if it is of two words.
func (a double) shifted(by double) (r double, ok bool) {
	length := 128 - bits.LeadingZeros64(a.hi)
	if a.hi == 0 {
		length = 64 - bits.LeadingZeros64(a.lo)
	}
	if by.neg || by.hi != 0 || by.lo >= 128 || length+int(by.lo) > 128 {
		return r, false
	}
	if n := by.lo; n < 64 {
		return double{a.hi<<n | a.lo>>(63-n)>>1, a.lo << n, a.neg}, true
	}
	return double{a.lo << (by.lo - 64), 0, a.neg}, true
}
