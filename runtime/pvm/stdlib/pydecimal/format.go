package pydecimal

import (
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/decimal"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/format"
)

// formatMethod is Decimal.__format__.
func formatMethod(m *machine, a object.Args) (value, *exception) {
	s, ok := a.V[1].AsStr()
	if !ok {
		return value{}, m.TypeError("format arg must be str")
	}
	if override := a.Arg(2); !override.IsZero() {
		if _, ok := override.AsDict(); !ok {
			return value{}, m.TypeError("optional argument must be a dict")
		}
	}
	if e := m.ChargeLen(costSimple, 3*s.Len(), 1); e != nil {
		return value{}, e
	}
	spec, err := format.Parse(s.Runes(), 0, format.RightAlign, "Decimal")
	kind := byte(spec.Type)
	twice := spec.Zeros > 1 || spec.Aligned && spec.Zeros > 0 // the 0 before the width is an alignment
	if err != nil || twice || spec.Alternate || spec.Grouping == '_' || spec.Type >= 0x80 || !strings.ContainsRune("\x00eEfFgGnN%", spec.Type) {
		return value{}, m.ValueError("invalid format string")
	}
	if max(spec.Width, spec.Precision) > mostFormat {
		return value{}, m.ValueError("format specification exceeds internal limits of _decimal")
	}
	x := self(a.V[0])
	// The output is as long as the digits, the zeros an exponent stands for, the
	// precision and the width, whichever the type shows.
	size := int64(x.Digits()) + max(spec.Width, 0) + max(spec.Precision, 0) + 40
	if x.IsFinite() && strings.IndexByte("fF%", kind) >= 0 {
		size += max(x.Adjusted(), -x.Adjusted())
	}
	const most = 1 << 28
	if size > most {
		return value{}, m.Raise(&object.ExcMemoryError, "")
	}
	if e := m.Charge(int(size) + 2*x.Digits()); e != nil {
		return value{}, e
	}
	if e := m.Reserve(8 * int(size)); e != nil {
		return value{}, e
	}
	return m.Str(formatNumber(x, &spec, kind)), nil
}

// mostFormat is the largest width and precision, that of libmpdec's contexts.
const mostFormat = 999_999_999_999_999_999

// shape is a formatted number before its layout.
type shape struct {
	neg   bool
	whole string // digits before the point
	rest  string // point, fraction, exponent, percent sign
}

func formatNumber(x *number, spec *format.Spec, kind byte) string {
	if !x.IsFinite() {
		s := shape{neg: x.Signed(), rest: x.CopyAbs().String()}
		if kind == '%' {
			s.rest += "%"
		}
		if zeroFilled(spec) { // zeros do not go before a word
			blank := *spec
			blank.Fill, blank.Align = ' ', '>'
			return layout(s, &blank, '>')
		}
		return layout(s, spec, spec.Align)
	}
	if kind == 0 || kind == 'N' {
		kind = 'G'
	}
	if kind == 'n' {
		kind = 'g'
	}
	if kind == '%' {
		x = decimal.New(x.Signed(), x.Coef(), x.Exp()+2)
	}
	if kind == 'F' && !x.IsZero() && spec.NoNegZero { // CPython's z looks at what f and % were rounded to, not at F
		signed := *spec
		signed.NoNegZero = false
		spec = &signed
	}
	if spec.Precision >= 0 {
		x = rounded(x, kind, int(spec.Precision))
	}
	if x.IsZero() && x.Exp() > 0 && (kind == 'f' || kind == 'F' || kind == '%') {
		x = decimal.New(x.Signed(), x.Coef(), 0)
	}
	return layout(shaped(x, spec, kind), spec, spec.Align)
}

// zeroFilled says whether the zeros were asked for by the 0 before the width
// rather than by a fill character.
func zeroFilled(spec *format.Spec) bool { return spec.Zeros > 0 && !spec.Aligned }

// rounded rounds to the digits that are shown, half-even.
func rounded(x *number, kind byte, precision int) *number {
	drop := int64(0) // digits to remove at the end
	switch kind {
	case 'e', 'E':
		drop = int64(x.Digits() - precision - 1)
		if x.IsZero() {
			return decimal.New(x.Signed(), x.Coef(), x.Exp())
		}
	case 'g', 'G':
		drop = int64(x.Digits() - max(precision, 1))
		if drop <= 0 {
			return x
		}
	default:
		drop = -int64(precision) - x.Exp()
	}
	r := decimal.Rescale(x, x.Exp()+drop)
	if drop > 0 && r.Digits() > x.Digits()-int(drop) && strings.IndexByte("eEgG", kind) >= 0 {
		return decimal.Rescale(r, r.Exp()+1) // all nines were rounded up
	}
	return r
}

// shaped splits the digits of x for a presentation type.
func shaped(x *number, spec *format.Spec, kind byte) shape {
	text := x.Coef().String()
	left := x.Exp() + int64(len(text))
	point := left
	switch kind {
	case 'e', 'E':
		point = 1
		if x.IsZero() && spec.Precision >= 0 {
			point = 1 - spec.Precision
		}
	case 'g', 'G':
		if x.Exp() > 0 || left <= -6 {
			point = 1
		}
	}
	s := shape{neg: x.Signed() && !(x.IsZero() && spec.NoNegZero)}
	var fraction string
	switch {
	case point < 0:
		s.whole, fraction = "0", strings.Repeat("0", int(-point))+text
	case point > int64(len(text)):
		s.whole = text + strings.Repeat("0", int(point)-len(text))
	default:
		s.whole, fraction = text[:point], text[point:]
		if s.whole == "" {
			s.whole = "0"
		}
	}
	if fraction != "" {
		s.rest = "." + fraction
	}
	if exp := left - point; exp != 0 || kind == 'e' || kind == 'E' {
		letter := byte('e')
		if kind == 'E' || kind == 'G' {
			letter = 'E'
		}
		sign := "+"
		if exp < 0 {
			sign = ""
		}
		s.rest += string(letter) + sign + strconv.FormatInt(exp, 10)
	}
	if kind == '%' {
		s.rest += "%"
	}
	return s
}

// layout groups, pads and signs.
func layout(s shape, spec *format.Spec, align byte) string {
	sign := ""
	switch {
	case s.neg:
		sign = "-"
	case spec.Sign == '+' || spec.Sign == ' ':
		sign = string(rune(spec.Sign))
	}
	least := 0
	if zeroFilled(spec) && s.whole != "" {
		least = int(spec.Width) - len(s.rest) - len(sign)
	}
	body := s.rest
	if s.whole != "" {
		body = grouped(s.whole, spec.Grouping == ',', least) + s.rest
	}
	pad := int(spec.Width) - len(sign) - len(body)
	if pad <= 0 {
		return sign + body
	}
	fill := func(n int) string { return strings.Repeat(string(spec.Fill), n) }
	switch align {
	case '<':
		return sign + body + fill(pad)
	case '^':
		return fill(pad/2) + sign + body + fill(pad-pad/2)
	case '=':
		return sign + fill(pad) + body
	}
	return fill(pad) + sign + body
}

// grouped fills digits with zeros to at least the given length and separates
// thousands; a separator never comes first.
func grouped(digits string, commas bool, least int) string {
	if !commas {
		if n := least - len(digits); n > 0 {
			return strings.Repeat("0", n) + digits
		}
		return digits
	}
	var groups []string
	for {
		n := min(max(len(digits), least, 1), 3)
		part := digits[max(len(digits)-n, 0):]
		groups = append(groups, strings.Repeat("0", n-len(part))+part)
		digits = digits[:len(digits)-len(part)]
		least -= n
		if digits == "" && least <= 0 {
			break
		}
		least--
	}
	var b strings.Builder
	for i := len(groups) - 1; i >= 0; i-- {
		b.WriteString(groups[i])
		if i > 0 {
			b.WriteByte(',')
		}
	}
	return b.String()
}
