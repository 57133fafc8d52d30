package softfloat

// Round returns Python's round(x, ndigits): x rounded half-even, as an exact
// decimal value, to ndigits places after the point (before it if negative) and
// then to the nearest double. ErrRange if the rounded value exceeds every
// double. Infinities and NaN are returned unchanged.
//
// Spec: Python 3.11 library, "round".
func Round(x uint64, ndigits int) (uint64, error) {
	switch {
	case !IsFinite(x) || IsZero(x) || ndigits > 323:
		return quiet(x), nil // finer than any double
	case ndigits < -308:
		return x & signBit, nil
	}
	d := FractionDigits(x, ndigits)
	if len(d.Text) == 0 {
		return x & signBit, nil
	}
	r := d.double()
	if IsInf(r) {
		return 0, ErrRange
	}
	return x&signBit | r, nil
}

// double returns the double nearest to d.
func (d Digits) double() uint64 {
	number := decimal{exp: d.Point - len(d.Text)}
	for i, c := range d.Text {
		if i == headDigits {
			number.text, number.textExp = string(d.Text), number.exp
			number.exp += len(d.Text) - headDigits
			break
		}
		number.head = number.head*10 + uint64(c-'0')
	}
	return number.double()
}
