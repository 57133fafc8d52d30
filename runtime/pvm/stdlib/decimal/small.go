package decimal

import (
	"math/big"
	"math/bits"
)

// Small is a finite number in plain words: (-1)^neg · (hi·2^64 + lo) · 10^exp. It
// serves the operands and results that most programs have, at a tenth of the time
// of big integers, with the results that Context's operations give.
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

const (
	smallExp  = 1 << 12 // exponents so far from the context's limits that no result of one operation meets them
	smallBits = 63      // of the coefficient of an operand
)

// The smallest coefficient of 29 digits, in two words.
const (
	over28hi = 0x204FCE5E
	over28lo = 0x3E25026110000000
)

// tens are the powers of ten that fit a word.
var tens = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// Small returns x in words, if its coefficient has at most 63 bits and its
// exponent is moderate.
func (x *Number) Small() (Small, bool) {
	if x.form != Finite || x.exp > smallExp || x.exp < -smallExp || !x.coef.IsInt64() {
		return Small{}, false
	}
	return Small{neg: x.neg, lo: x.coef.Uint64(), exp: x.exp}, true
}

// SmallInt returns the integer i; ok is false for the one whose magnitude needs 64
// bits.
func SmallInt(i int64) (s Small, ok bool) {
	if i < 0 {
		return Small{neg: true, lo: uint64(-i)}, uint64(-i)>>smallBits == 0
	}
	return Small{lo: uint64(i)}, true
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

// exact says whether the context leaves results of up to 28 digits alone and
// rounds others half to even.
func (c *Context) exact() bool { return c.Prec == 28 && c.Rounding == HalfEven }

// scaled returns the coefficient with n zeros appended, if that fits 63 bits.
func (s Small) scaled(n int64) (uint64, bool) {
	if n >= int64(len(tens)) {
		return 0, s.lo == 0
	}
	hi, lo := bits.Mul64(s.lo, tens[n])
	return lo, hi == 0 && lo>>smallBits == 0
}

// AddSmall returns x + y; ok is false where Add must do it.
func (c *Context) AddSmall(x, y Small) (r Small, ok bool) {
	exp := min(x.exp, y.exp)
	a, ok := x.scaled(x.exp - exp)
	if !ok {
		return r, false
	}
	b, ok := y.scaled(y.exp - exp)
	if !ok || !c.exact() {
		return r, false
	}
	switch {
	case x.neg == y.neg:
		return Small{neg: x.neg, lo: a + b, exp: exp}, true
	case a > b:
		return Small{neg: x.neg, lo: a - b, exp: exp}, true
	case a < b:
		return Small{neg: y.neg, lo: b - a, exp: exp}, true
	}
	return Small{exp: exp}, true
}

// SubSmall returns x - y.
func (c *Context) SubSmall(x, y Small) (Small, bool) {
	y.neg = !y.neg
	return c.AddSmall(x, y)
}

// MulSmall returns x · y.
func (c *Context) MulSmall(x, y Small) (Small, bool) {
	r := Small{neg: x.neg != y.neg, exp: x.exp + y.exp}
	r.hi, r.lo = bits.Mul64(x.lo, y.lo)
	return r, c.exact() && !r.over()
}

// over says whether the coefficient has more than 28 digits.
func (s Small) over() bool {
	return s.hi > over28hi || s.hi == over28hi && s.lo >= over28lo
}

// QuantizeSmall returns x with the exponent of y, rounded half to even.
func (c *Context) QuantizeSmall(x, y Small) (Small, bool) {
	r := Small{neg: x.neg, exp: y.exp}
	if !c.exact() {
		return r, false
	}
	if n := x.exp - y.exp; n >= 0 {
		var ok bool
		r.lo, ok = x.scaled(n)
		return r, ok
	}
	n := y.exp - x.exp
	if n >= int64(len(tens)) {
		return r, false
	}
	p := tens[n]
	q, rest := x.lo/p, x.lo%p
	if rest > p-rest || rest == p-rest && q&1 == 1 {
		q++
	}
	r.lo = q
	return r, true
}

// QuoSmall returns x / y.
func (c *Context) QuoSmall(x, y Small) (Small, bool) {
	if y.lo == 0 || !c.exact() {
		return Small{}, false
	}
	r := Small{neg: x.neg != y.neg, exp: x.exp - y.exp}
	if x.lo == 0 {
		return r, true
	}
	// A quotient of 29 or 30 digits: at most 10^30 times a divisor of 63 bits.
	shift := smallDigits(y.lo) - smallDigits(x.lo) + 29
	var n2, n1, n0, rest uint64 = 0, 0, x.lo, 0
	for left := shift; left > 0; left -= 19 {
		n2, n1, n0 = times(n2, n1, n0, tens[min(left, 19)])
	}
	n2, rest = bits.Div64(0, n2, y.lo)
	r.hi, rest = bits.Div64(rest, n1, y.lo)
	r.lo, rest = bits.Div64(rest, n0, y.lo)
	if n2 != 0 {
		return Small{}, false
	}
	r.exp -= int64(shift)
	if rest == 0 {
		r = r.reduced(shift)
	}
	return r.rounded(rest != 0), true
}

// times multiplies three words by one; the product fits three.
func times(n2, n1, n0, by uint64) (uint64, uint64, uint64) {
	h0, l0 := bits.Mul64(n0, by)
	h1, l1 := bits.Mul64(n1, by)
	l1, carry := bits.Add64(l1, h0, 0)
	return n2*by + h1 + carry, l1, l0
}

func smallDigits(i uint64) int {
	n := (bits.Len64(i)*1233)>>12 + 1 // at most one too many
	if n > 1 && i < tens[n-1] {
		n--
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
// says that the true value is above by less than one unit.
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
	if rest > by/2 || rest == by/2 && (sticky || lo&1 == 1) {
		var carry uint64
		s.lo, carry = bits.Add64(s.lo, 1, 0)
		s.hi += carry
		if s.over() { // all nines
			s.hi, s.lo, _ = s.quoRem(10)
			s.exp++
		}
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
	case a == 0 && b == 0:
		return 0, true
	case x.neg != y.neg:
		r = 1
	case a > b:
		r = 1
	case a < b:
		r = -1
	}
	if x.neg {
		r = -r
	}
	return r, true
}
