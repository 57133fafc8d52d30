package decimal

import (
	"math/big"
	"math/bits"
)

// Small is a finite number of at most 28 digits in plain words: (-1)^neg ·
// (hi·2^64 + lo) · 10^exp. It serves the operands and results that most programs
// have, at a fraction of the time of big integers, with the results that Context's
// operations give.
type Small struct {
	neg    bool
	hi, lo uint64
	exp    int64
}

// Stored is a number with the words of its coefficient beside it.
type Stored struct {
	Number
	words [128 / bits.UintSize]big.Word
}

// smallExp bounds the exponents of operands: no result of one operation comes near
// the context's limits.
const smallExp = 1 << 12

// The smallest coefficient of 29 digits, in two words.
const (
	over28hi = 0x204FCE5E
	over28lo = 0x3E25026110000000
)

// tens are the powers of ten that fit a word.
var tens = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// Small returns x in words, if it has at most 28 digits and a moderate exponent.
func (x *Number) Small() (s Small, ok bool) {
	words := x.coef.Bits()
	if x.form != Finite || x.exp > smallExp || x.exp < -smallExp || len(words) > 128/bits.UintSize {
		return s, false
	}
	s.neg, s.exp = x.neg, x.exp
	for i, w := range words {
		if shift := i * bits.UintSize; shift >= 64 {
			s.hi |= uint64(w) << (shift - 64)
		} else {
			s.lo |= uint64(w) << shift
		}
	}
	return s, !s.over()
}

// SmallInt returns the integer i.
func SmallInt(i int64) Small {
	if i < 0 {
		return Small{neg: true, lo: -uint64(i)}
	}
	return Small{lo: uint64(i)}
}

// Store makes n the number s.
func (s Small) Store(n *Stored) *Number {
	n.neg, n.exp = s.neg, s.exp
	used := 0
	for i := range n.words {
		w := s.lo
		if shift := i * bits.UintSize; shift >= 64 {
			w = s.hi >> (shift - 64)
		} else {
			w >>= shift
		}
		if n.words[i] = big.Word(w); n.words[i] != 0 {
			used = i + 1
		}
	}
	n.coef.SetBits(n.words[:used:used])
	return &n.Number
}

// BitLen is the length of the coefficient.
func (s Small) BitLen() int {
	if s.hi != 0 {
		return 64 + bits.Len64(s.hi)
	}
	return bits.Len64(s.lo)
}

func (s Small) isZero() bool { return s.hi|s.lo == 0 }

// over says whether the coefficient has more than 28 digits.
func (s Small) over() bool {
	return s.hi > over28hi || s.hi == over28hi && s.lo >= over28lo
}

// exact says whether the context leaves results of up to 28 digits alone and
// rounds others half to even.
func (c *Context) exact() bool { return c.Prec == 28 && c.Rounding == HalfEven }

// AddSmall returns x + y; ok is false where Add must do it.
func (c *Context) AddSmall(x, y Small) (r Small, ok bool) {
	r.exp = min(x.exp, y.exp)
	a, ok := x.scaled(x.exp - r.exp)
	if !ok {
		return r, false
	}
	b, ok := y.scaled(y.exp - r.exp)
	if !ok || !c.exact() {
		return r, false
	}
	// A zero makes its exponent the result's only as far as 28 digits allow.
	if x.isZero() && b.digitsAtMost() > 28 || y.isZero() && a.digitsAtMost() > 28 {
		return r, false
	}
	switch order := a.cmp(&b); {
	case x.neg == y.neg:
		a.add(&b)
		r.neg = x.neg
	case order > 0:
		a.sub(&b)
		r.neg = x.neg
	case order < 0:
		b.sub(&a)
		a, r.neg = b, y.neg
	default:
		return r, true
	}
	return a.round(r), true
}

// SubSmall returns x - y.
func (c *Context) SubSmall(x, y Small) (Small, bool) {
	y.neg = !y.neg
	return c.AddSmall(x, y)
}

// MulSmall returns x · y.
func (c *Context) MulSmall(x, y Small) (Small, bool) {
	r := Small{neg: x.neg != y.neg, exp: x.exp + y.exp}
	if !c.exact() {
		return r, false
	}
	if x.hi|y.hi == 0 {
		if r.hi, r.lo = bits.Mul64(x.lo, y.lo); !r.over() {
			return r, true
		}
	}
	return product(x, y).round(r), true
}

// QuantizeSmall returns x with the exponent of y, rounded half to even.
func (c *Context) QuantizeSmall(x, y Small) (Small, bool) {
	r := Small{neg: x.neg, exp: y.exp}
	if !c.exact() {
		return r, false
	}
	n := x.exp - y.exp
	if n >= 0 {
		w, ok := x.scaled(n)
		r.hi, r.lo = w[1], w[0]
		return r, ok && w[3]|w[2] == 0 && !r.over()
	}
	if n = -n; n >= int64(len(tens)) {
		return r, false
	}
	var rest uint64
	r.hi, r.lo, rest = x.quoRem(tens[n])
	return r.up(rest, tens[n], false), true
}

// QuoSmall returns x / y, for a y of one word.
func (c *Context) QuoSmall(x, y Small) (Small, bool) {
	if y.lo == 0 || y.hi != 0 || !c.exact() {
		return Small{}, false
	}
	r := Small{neg: x.neg != y.neg, exp: x.exp - y.exp}
	if x.isZero() {
		return r, true
	}
	// A quotient of 29 or 30 digits.
	shift := y.digits() - x.digits() + 29
	w, ok := x.scaled(int64(shift))
	if shift < 0 || !ok {
		return r, false
	}
	rest := w.quo(y.lo)
	r.hi, r.lo = w[1], w[0]
	r.exp -= int64(shift)
	if rest == 0 {
		r = r.reduced(shift)
	}
	return r.rounded(rest != 0), true
}

func (s Small) digits() int {
	w := quad{s.lo, s.hi}
	n := w.digitsAtMost()
	if low := (Small{lo: 1}); n > 1 {
		p, _ := low.scaled(int64(n - 1))
		if w.cmp(&p) < 0 {
			n--
		}
	}
	return n
}

// quoRem divides the coefficient.
func (s Small) quoRem(by uint64) (hi, lo, rest uint64) {
	hi, rest = s.hi/by, s.hi%by
	lo, rest = bits.Div64(rest, s.lo, by)
	return hi, lo, rest
}

// reduced drops up to n zeros at the end.
func (s Small) reduced(n int) Small {
	for step := 16; step > 0; step /= 2 {
		for step <= n {
			hi, lo, rest := s.quoRem(tens[step])
			if rest != 0 {
				break
			}
			s.hi, s.lo, s.exp = hi, lo, s.exp+int64(step)
			n -= step
		}
	}
	return s
}

// rounded brings a coefficient of at most 30 digits to 28, half to even; sticky
// says that the true value is above by less than one unit, for which the
// coefficient has more than 28 digits.
func (s Small) rounded(sticky bool) Small {
	if !s.over() {
		return s
	}
	by, drop := uint64(10), int64(1)
	if hi, lo, _ := s.quoRem(10); (Small{hi: hi, lo: lo}).over() {
		by, drop = 100, 2
	}
	hi, lo, rest := s.quoRem(by)
	s.hi, s.lo, s.exp = hi, lo, s.exp+drop
	if s = s.up(rest, by, sticky); s.over() { // all nines
		s.hi, s.lo, _ = s.quoRem(10)
		s.exp++
	}
	return s
}

// up adds one to a coefficient from which rest of by units were dropped, if that is
// nearer or as near and even.
func (s Small) up(rest, by uint64, sticky bool) Small {
	if half := by - rest; rest > half || rest == half && (sticky || s.lo&1 == 1) {
		var carry uint64
		s.lo, carry = bits.Add64(s.lo, 1, 0)
		s.hi += carry
	}
	return s
}

// CmpSmall compares two numbers; ok is false where Cmp must do it.
func CmpSmall(x, y Small) (r int, ok bool) {
	exp := min(x.exp, y.exp)
	a, ok := x.scaled(x.exp - exp)
	if !ok {
		return 0, false
	}
	b, ok := y.scaled(y.exp - exp)
	switch {
	case !ok:
		return 0, false
	case x.isZero() && y.isZero():
		return 0, true
	case x.neg != y.neg:
		r = 1
	default:
		r = a.cmp(&b)
	}
	if x.neg {
		r = -r
	}
	return r, true
}
