package decimal

import "math/bits"

// quad is a natural number of four words, the lowest first: room for what comes
// before a result of 28 digits is rounded.
type quad [4]uint64

// scaled returns the coefficient with n zeros appended, n not negative, if that and
// the sum of two such fit; zero does with any number of them.
func (s Small) scaled(n int64) (w quad, ok bool) {
	w = quad{s.lo, s.hi}
	if s.isZero() {
		return w, true
	}
	for ; n > 0; n -= 19 {
		if w.mul(tens[min(n, 19)]) != 0 {
			return w, false
		}
	}
	return w, w[3]>>63 == 0
}

// mul multiplies by a word and returns what does not fit.
func (w *quad) mul(by uint64) (carry uint64) {
	for i := range w {
		hi, lo := bits.Mul64(w[i], by)
		var c uint64
		w[i], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	return carry
}

// quo divides by a word and returns the remainder.
func (w *quad) quo(by uint64) (rest uint64) {
	for i := len(w) - 1; i >= 0; i-- {
		w[i], rest = bits.Div64(rest, w[i], by)
	}
	return rest
}

// add adds v; the sum fits.
func (w *quad) add(v *quad) {
	var c uint64
	for i := range w {
		w[i], c = bits.Add64(w[i], v[i], c)
	}
}

// sub subtracts v, which is not larger.
func (w *quad) sub(v *quad) {
	var b uint64
	for i := range w {
		w[i], b = bits.Sub64(w[i], v[i], b)
	}
}

func (w *quad) cmp(v *quad) int {
	for i := len(w) - 1; i >= 0; i-- {
		switch {
		case w[i] > v[i]:
			return 1
		case w[i] < v[i]:
			return -1
		}
	}
	return 0
}

// digitsAtMost returns the number of decimal digits, or one more.
func (w *quad) digitsAtMost() int {
	for i := len(w) - 1; i >= 0; i-- {
		if w[i] != 0 {
			return int(int64(64*i+bits.Len64(w[i]))*1292913986>>32) + 1
		}
	}
	return 1
}

// product returns the product of two coefficients of up to 28 digits.
func product(x, y Small) (w quad) {
	w = quad{x.lo, x.hi}
	v := w
	w.mul(y.lo)
	v.mul(y.hi)
	w.add(&quad{0, v[0], v[1], v[2]})
	return w
}

// round gives r the coefficient w, rounded to 28 digits half to even.
func (w quad) round(r Small) Small {
	sticky := false
	// Down to 29 or 30 digits, of which one or two more are dropped at the end.
	for n := w.digitsAtMost() - 30; n > 0; n -= 19 {
		sticky = w.quo(tens[min(n, 19)]) != 0 || sticky
		r.exp += int64(min(n, 19))
	}
	r.hi, r.lo = w[1], w[0]
	return r.rounded(sticky)
}
