package object

import (
	"math/big"
	"math/bits"
)

// Ints of up to 512 bits, which keys, hashes and amounts are, are computed on
// the machine's own words: the general functions of math/big cost several times
// what the arithmetic does. The results, and what they cost, are the same.

// shortWords is the most words of 64 bits an operand or a result has here.
const shortWords = 8

// short is an int as sign and magnitude: n words, the last of them not zero.
type short struct {
	w   [shortWords]uint64
	n   int
	neg bool
}

// shortOf returns an exact int in the short form if it is that short.
func shortOf(v Value, s *short) bool {
	s.n, s.neg = 0, false
	if v.IsInt() {
		i := v.Int64()
		s.neg = i < 0
		if s.w[0] = magnitude(i); i != 0 {
			s.n = 1
		}
		return true
	}
	words := v.big().i.Bits()
	if bits.UintSize != 64 || len(words) > shortWords {
		return false
	}
	for i, w := range words {
		s.w[i] = uint64(w)
	}
	s.n, s.neg = len(words), v.big().i.Sign() < 0
	return true
}

// divisibleShort reports whether shortOp divides such operands on machines of 64 bits.
func divisibleShort(i *big.Int) bool { return i.Sign() >= 0 && i.BitLen() <= 64*shortWords }

// norm drops leading zeros of the first n words.
func (s *short) norm(n int) {
	for n > 0 && s.w[n-1] == 0 {
		n--
	}
	s.n = n
}

// shortInt returns the int that s is.
func (m *Machine) shortInt(s *short) Value {
	switch {
	case s.n == 0:
		return Int(0)
	case s.n == 1 && s.w[0]>>63 == 0:
		if s.neg {
			return Int(-int64(s.w[0]))
		}
		return Int(int64(s.w[0]))
	case s.n == 1 && s.neg && s.w[0] == 1<<63:
		return Int(-1 << 63)
	}
	var b *Big
	var w []big.Word
	switch n := s.n; {
	case n <= 2:
		x := m.new2()
		b, w = &x.Big, x.w[:n:n]
	case n <= 4:
		x := m.new4()
		b, w = &x.Big, x.w[:n:n]
	default:
		x := m.new8()
		b, w = &x.Big, x.w[:n:n]
	}
	for i := range w {
		w[i] = big.Word(s.w[i])
	}
	b.i.SetBits(w)
	if s.neg {
		b.i.Neg(&b.i)
	}
	b.typ, b.kind = &TypeInt, KindBig
	m.accountBig(8 * s.n)
	return Value{ref: &b.Object}
}

// shortOp computes x op y if the operation is one of these and its operands and
// result are short; the surcharge has been taken.
func (m *Machine) shortOp(op Operator, x, y Value) (Value, bool) {
	if bits.UintSize != 64 {
		return Value{}, false
	}
	var a, b, r short
	if !shortOf(x, &a) || !shortOf(y, &b) {
		return Value{}, false
	}
	ok := false
	switch op {
	case Add:
		ok = r.sum(&a, &b)
	case Sub_:
		b.neg = !b.neg
		ok = r.sum(&a, &b)
	case Mul:
		ok = r.product(&a, &b)
	case FloorDiv, Mod:
		if a.neg || b.neg || b.n == 0 {
			return Value{}, false
		}
		if op == Mod {
			divideShort(&a, &b, nil, &r)
		} else {
			divideShort(&a, &b, &r, nil)
		}
		ok = true
	case And, Or, Xor:
		ok = r.bitwise(op, &a, &b)
	case LShift:
		ok = r.shiftUp(&a, &b)
	case RShift:
		if a.neg || b.neg || b.n != 1 || b.w[0] >= 64*shortWords {
			return Value{}, false
		}
		r.shiftRight(&a, uint(b.w[0]))
		ok = true
	}
	if !ok {
		return Value{}, false
	}
	return m.shortInt(&r), true
}

// sum sets r to a + b.
func (r *short) sum(a, b *short) bool {
	if a.neg != b.neg {
		r.difference(a, b)
		return true
	}
	if a.n < b.n {
		a, b = b, a
	}
	var carry uint64
	for i := 0; i < b.n; i++ {
		r.w[i], carry = bits.Add64(a.w[i], b.w[i], carry)
	}
	for i := b.n; i < a.n; i++ {
		r.w[i], carry = bits.Add64(a.w[i], 0, carry)
	}
	r.n, r.neg = a.n, a.neg
	if carry != 0 {
		if r.n == shortWords {
			return false
		}
		r.w[r.n] = 1
		r.n++
	}
	return true
}

// difference sets r to a + b for operands of different signs.
func (r *short) difference(a, b *short) {
	if a.less(b) {
		a, b = b, a
	}
	var borrow uint64
	for i := 0; i < b.n; i++ {
		r.w[i], borrow = bits.Sub64(a.w[i], b.w[i], borrow)
	}
	for i := b.n; i < a.n; i++ {
		r.w[i], borrow = bits.Sub64(a.w[i], 0, borrow)
	}
	r.neg = a.neg
	r.norm(a.n)
}

// less compares magnitudes.
func (a *short) less(b *short) bool {
	if a.n != b.n {
		return a.n < b.n
	}
	for i := a.n - 1; i >= 0; i-- {
		if a.w[i] != b.w[i] {
			return a.w[i] < b.w[i]
		}
	}
	return false
}

// product sets r to a * b, r being zero before.
func (r *short) product(a, b *short) bool {
	if a.n+b.n > shortWords {
		return false
	}
	for i := 0; i < b.n; i++ {
		y := b.w[i]
		var carry uint64
		for j := 0; j < a.n; j++ {
			hi, lo := bits.Mul64(a.w[j], y)
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			at := &r.w[(i+j)&(shortWords-1)]
			*at, c = bits.Add64(*at, lo, 0)
			carry = hi + c
		}
		if carry != 0 {
			r.w[(i+a.n)&(shortWords-1)] = carry
		}
	}
	r.neg = a.neg != b.neg
	r.norm(a.n + b.n)
	return true
}

// bitwise sets r to a op b for operands that are not negative.
func (r *short) bitwise(op Operator, a, b *short) bool {
	if a.neg || b.neg {
		return false
	}
	if a.n < b.n {
		a, b = b, a
	}
	n := a.n
	switch op {
	case And:
		n = b.n
		for i := 0; i < n; i++ {
			r.w[i] = a.w[i] & b.w[i]
		}
	case Or:
		r.w = a.w
		for i := 0; i < b.n; i++ {
			r.w[i] |= b.w[i]
		}
	default:
		r.w = a.w
		for i := 0; i < b.n; i++ {
			r.w[i] ^= b.w[i]
		}
	}
	r.norm(n)
	return true
}

// shiftUp sets r to a << by, r being zero before. Results of so few words have no price of their own.
func (r *short) shiftUp(a, by *short) bool {
	if by.neg || by.n > 1 || by.w[0] >= 64*shortWords {
		return false
	}
	from := int(by.w[0] / 64)
	if a.n+from >= shortWords {
		return false
	}
	r.w[from+a.n] = shiftLeft(r.w[from:from+a.n], a.w[:a.n], uint(by.w[0]%64))
	r.neg = a.neg
	r.norm(from + a.n + 1)
	return true
}

// shiftRight sets r to a >> by for an a that is not negative.
func (r *short) shiftRight(a *short, by uint) {
	from, by := int(by/64), by%64
	n := a.n - from
	if n <= 0 {
		return
	}
	for i := 0; i < n-1; i++ {
		r.w[i] = a.w[i+from]>>by | a.w[i+from+1]<<(63-by)<<1
	}
	r.w[n-1] = a.w[a.n-1] >> by
	r.norm(n)
}

// divideShort sets q to the quotient and r to the remainder of a / b, which are
// not negative, b not zero; either may be nil. Long division by words, the first
// two of the divisor guessing each digit (Knuth, The Art of Computer
// Programming, 4.3.1, algorithm D).
func divideShort(a, b, q, r *short) {
	var quotient short
	if q == nil {
		q = &quotient
	}
	n := b.n
	switch {
	case a.less(b):
		if r != nil {
			*r = *a
		}
		q.n = 0
		return
	case n == 1:
		var rest uint64
		for i := a.n - 1; i >= 0; i-- {
			q.w[i], rest = bits.Div64(rest, a.w[i], b.w[0])
		}
		q.norm(a.n)
		if r != nil {
			r.w[0] = rest
			r.norm(1)
		}
		return
	}
	shift := uint(bits.LeadingZeros64(b.w[n-1]))
	var v [shortWords]uint64
	var u [shortWords + 1]uint64
	shiftLeft(v[:n], b.w[:n], shift)
	u[a.n] = shiftLeft(u[:a.n], a.w[:a.n], shift)
	for j := a.n - n; j >= 0; j-- {
		q.w[j] = digit(u[j:j+n+1], v[:n])
	}
	q.norm(a.n - n + 1)
	if r == nil {
		return
	}
	for i := 0; i < n; i++ {
		r.w[i] = u[i]>>shift | u[i+1]<<(63-shift)<<1
	}
	r.norm(n)
}

// shiftLeft sets dst to src << by and returns what is shifted out; by is below 64.
func shiftLeft(dst, src []uint64, by uint) uint64 {
	var out uint64
	for i, w := range src {
		dst[i] = w<<by | out
		out = w >> 1 >> (63 - by)
	}
	return out
}

// digit returns u / v, which is one word, and leaves the remainder in u. The top
// bit of v is set, u has one word more and is below v shifted by a word.
func digit(u, v []uint64) uint64 {
	n := len(v)
	high, next := v[n-1], v[n-2]
	guess := ^uint64(0)
	if u[n] < high {
		var rest uint64
		guess, rest = bits.Div64(u[n], u[n-1], high)
		for {
			hi, lo := bits.Mul64(guess, next)
			if hi < rest || hi == rest && lo <= u[n-2] {
				break
			}
			guess--
			if rest += high; rest < high {
				break
			}
		}
	}
	var carry, borrow uint64
	for i := 0; i < n; i++ {
		hi, lo := bits.Mul64(guess, v[i])
		var c uint64
		lo, c = bits.Add64(lo, carry, 0)
		carry = hi + c
		u[i], borrow = bits.Sub64(u[i], lo, borrow)
	}
	u[n], borrow = bits.Sub64(u[n], carry, borrow)
	for borrow != 0 { // the guess was too large by one, or by two if it was not made
		guess--
		var c uint64
		for i := 0; i < n; i++ {
			u[i], c = bits.Add64(u[i], v[i], c)
		}
		u[n], c = bits.Add64(u[n], 0, c)
		borrow -= c
	}
	return guess
}
