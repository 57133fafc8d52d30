package softfloat

// FormatFlags modify Append.
type FormatFlags uint8

// Flags of Append.
const (
	// Alternate keeps the decimal point and, for 'g', trailing zeros ('#').
	Alternate FormatFlags = 1 << iota
	// PointZero appends ".0" to a finite result that would otherwise look like
	// an integer; 'g' then switches to an exponent one digit earlier. Python's
	// repr, and format specifications without a type, use it.
	PointZero
)

// Repr returns Python's repr(x): the shortest text that reads back as x.
// Spec: sdk §17.2.
func Repr(x uint64) string { return string(AppendRepr(nil, x)) }

// AppendRepr appends Repr(x) to dst; at most 24 bytes.
func AppendRepr(dst []byte, x uint64) []byte {
	return Append(dst, x, 'r', 0, PointZero)
}

// Append appends x as Python formats it with a presentation type and a
// precision, correctly rounded (ties of the exact value to even):
//
//	'e' 'E'  precision digits after the point, exponent of two digits or more
//	'f' 'F'  precision digits after the point
//	'g' 'G'  precision significant digits (0 means 1), without trailing zeros;
//	         an exponent below 1e-4 and from 10^precision on
//	'r'      the shortest digits, precision is ignored; an exponent below 1e-4
//	         and from 1e16 on
//
// Capitals give "E", "INF" and "NAN". The sign is written where the sign bit
// is set, except on a NaN. The output takes up to precision+310 bytes, which
// the caller bounds and charges for beforehand. precision must not be negative;
// any other verb is a bug and panics.
//
// Spec: sdk §17.2; Python 3.11 library, "Format Specification Mini-Language".
func Append(dst []byte, x uint64, verb byte, precision int, flags FormatFlags) []byte {
	upper := verb >= 'A' && verb <= 'Z'
	if !IsFinite(x) {
		return appendNonFinite(dst, x, upper)
	}
	if x&signBit != 0 {
		dst = append(dst, '-')
	}
	switch verb {
	case 'e', 'E':
		d := SignificantDigits(x, precision+1)
		return appendExponent(dst, d, precision+1, upper, flags)
	case 'f', 'F':
		d := FractionDigits(x, precision)
		return appendPositional(dst, d, precision, flags)
	case 'g', 'G':
		return appendGeneral(dst, x, max(precision, 1), upper, flags)
	case 'r':
		d := Digits{Point: 1}
		if x &= absMask; x != 0 {
			d = digitsOf(Shortest(x))
		}
		return appendShape(dst, d, len(d.Text), 16, upper, flags)
	}
	panic("softfloat: unknown format verb " + string(rune(verb)))
}

func appendNonFinite(dst []byte, x uint64, upper bool) []byte {
	text := "nan"
	if !IsNaN(x) {
		if x&signBit != 0 {
			dst = append(dst, '-')
		}
		text = "inf"
	}
	for i := range len(text) {
		c := text[i]
		if upper {
			c -= 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

func appendGeneral(dst []byte, x uint64, precision int, upper bool, flags FormatFlags) []byte {
	d := SignificantDigits(x, precision)
	shown := len(d.Text)
	if flags&Alternate != 0 {
		shown = precision
	}
	// With ".0" to follow, a number needs one digit after the point.
	limit := precision
	if flags&PointZero != 0 {
		limit--
	}
	return appendShape(dst, d, shown, limit, upper, flags)
}

// appendShape chooses between the positional and the exponent form for shown
// significant digits: positional while -4 < Point <= limit.
func appendShape(dst []byte, d Digits, shown, limit int, upper bool, flags FormatFlags) []byte {
	if d.Point <= -4 || d.Point > limit {
		return appendExponent(dst, d, shown, upper, flags)
	}
	places := max(shown-d.Point, 0)
	if places == 0 && flags&PointZero != 0 {
		places = 1
	}
	return appendPositional(dst, d, places, flags)
}

// appendExponent writes d.ddde±dd with shown significant digits in all.
func appendExponent(dst []byte, d Digits, shown int, upper bool, flags FormatFlags) []byte {
	dst = append(dst, d.digit(0))
	if shown > 1 || flags&Alternate != 0 {
		dst = append(dst, '.')
	}
	dst = d.appendDigits(dst, 1, shown)
	e := byte('e')
	if upper {
		e = 'E'
	}
	exponent, sign := d.Point-1, byte('+')
	if exponent < 0 {
		exponent, sign = -exponent, '-'
	}
	dst = append(dst, e, sign)
	if exponent >= 100 {
		dst = append(dst, byte('0'+exponent/100))
		exponent %= 100
	}
	return append(dst, byte('0'+exponent/10), byte('0'+exponent%10))
}

// appendPositional writes ddd.ddd with the given number of places.
func appendPositional(dst []byte, d Digits, places int, flags FormatFlags) []byte {
	if d.Point <= 0 {
		dst = append(dst, '0')
	} else {
		dst = d.appendDigits(dst, 0, d.Point)
	}
	if places > 0 || flags&Alternate != 0 {
		dst = append(dst, '.')
	}
	return d.appendDigits(dst, d.Point, d.Point+places)
}

// digit returns the digit at position i; positions outside the text are zeros.
func (d Digits) digit(i int) byte {
	if i < 0 || i >= len(d.Text) {
		return '0'
	}
	return d.Text[i]
}

func (d Digits) appendDigits(dst []byte, from, to int) []byte {
	for ; from < to && from < 0; from++ {
		dst = append(dst, '0')
	}
	if end := min(to, len(d.Text)); from < end {
		dst = append(dst, d.Text[from:end]...)
		from = end
	}
	for ; from < to; from++ {
		dst = append(dst, '0')
	}
	return dst
}
