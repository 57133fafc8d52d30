package object

import (
	"math"
	"strconv"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/format"
)

// strMod is the operator % of str.
func strMod(m *Machine, a, b Value) (Value, *Exception) {
	m.meter.Owe(m.Costs().Operand)
	s, ok := a.AsStr()
	if !ok {
		return NotImplemented, nil
	}
	p := percent{m: m, out: builder{m: m}}
	p.take(b)
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	defer m.Leave()
	var e *Exception
	if s.ASCII() {
		e = fillPercent(&p, s.Bytes())
	} else {
		e = fillPercent(&p, s.Runes())
	}
	if e != nil {
		return Value{}, e
	}
	return p.out.value(), nil
}

// percent fills in one printf-style format.
type percent struct {
	m       *Machine
	binary  bool // the format is bytes
	out     builder
	mapping Value   // the right operand if it can be subscripted by keys
	args    []Value // arguments left
	one     [1]Value
	single  bool // the right operand is one argument
}

func (p *percent) take(b Value) {
	if t, ok := b.AsTuple(); ok {
		p.args = t.items
		return
	}
	p.one[0] = b
	p.args, p.single = p.one[:], true
	if b.ref.typ.Slots.GetItem == nil {
		return
	}
	if k := b.ref.kind &^ Sub; k != KindStr && !(k == KindNative && b.ref.typ.pattern == 1 && b.ref.typ != &TypeMemoryView) {
		p.mapping = b
	}
}

func (p *percent) next() (Value, *Exception) {
	if len(p.args) == 0 {
		return Value{}, p.m.TypeError("not enough arguments for format string")
	}
	v := p.args[0]
	p.args = p.args[1:]
	return v, nil
}

// percentCost is the price of the % operator of a text, beside what it writes and what any operator costs.
const percentCost = 20

func fillPercent[T text.Unit](p *percent, f []T) *Exception {
	m := p.m
	if e := m.Charge(percentCost + formatCost + len(f)); e != nil {
		return e
	}
	for at := 0; ; {
		if lit := format.Literal(f, at); lit > at {
			if e := p.out.text(utf8Of(f, format.Span{Start: at, End: lit})); e != nil {
				return e
			}
			at = lit
		}
		if at == len(f) {
			break
		}
		m.meter.Owe(m.costs.Format)
		c, next, err := format.ParseConversion(f, at, p.binary)
		if c.HasKey && p.mapping.ref == nil {
			return m.TypeError("format requires a mapping")
		}
		if err != nil {
			return m.formatError(err)
		}
		at = next
		if c.Percent {
			if e := p.out.text("%"); e != nil {
				return e
			}
			continue
		}
		if c.HasKey {
			if e := p.lookup(p.textOf(toRunes(f[c.KeyStart:c.KeyEnd]))); e != nil {
				return e
			}
		}
		if e := p.stars(&c); e != nil {
			return e
		}
		v, e := p.next()
		if e != nil {
			return e
		}
		if e := p.convert(&c, v); e != nil {
			return e
		}
	}
	if len(p.args) > 0 && p.mapping.ref == nil {
		if p.binary {
			return m.TypeError("not all arguments converted during bytes formatting")
		}
		return m.TypeError("not all arguments converted during string formatting")
	}
	return nil
}

func toRunes[T text.Unit](s []T) []rune {
	out := make([]rune, len(s))
	for i, u := range s {
		out[i] = rune(u)
	}
	return out
}

// textOf is a part of the format as it goes into the output: bytes as they are, text in UTF-8.
func (p *percent) textOf(s []rune) string {
	if !p.binary {
		return encode(s)
	}
	b := make([]byte, len(s))
	for i, r := range s {
		b[i] = byte(r)
	}
	return string(b)
}

// lookup makes the value under a key the only argument.
func (p *percent) lookup(key string) *Exception {
	if e := p.m.Charge(len(key) - len(key)/4); e != nil { // it is decoded, copied and hashed
		return e
	}
	k := p.m.Str(key)
	if p.binary {
		k = p.m.Bytes([]byte(key))
	}
	v, e := p.m.GetItem(p.mapping, k)
	p.one[0] = v
	p.args = p.one[:]
	return e
}

// stars takes width and precision from the arguments where the format says so.
func (p *percent) stars(c *format.Conversion) *Exception {
	if c.WidthStar {
		n, e := p.star(math.MaxInt64, "ssize_t")
		if e != nil {
			return e
		}
		c.SetWidth(n)
	}
	if c.PrecisionStar {
		n, e := p.star(math.MaxInt32, "int")
		if e != nil {
			return e
		}
		c.SetPrecision(n)
	}
	return nil
}

func (p *percent) star(limit int64, ctype string) (int64, *Exception) {
	v, e := p.next()
	if e != nil {
		return 0, e
	}
	i, ok := v.AsInt()
	if !ok {
		return 0, p.m.TypeError("* wants int")
	}
	if !i.IsInt() || i.Int64() > limit || i.Int64() < -limit-1 {
		return 0, p.m.OverflowError("Python int too large to convert to C %s", ctype)
	}
	return i.Int64(), nil
}

// convert appends one argument.
func (p *percent) convert(c *format.Conversion, v Value) *Exception {
	switch c.Type {
	case 'd', 'i', 'u', 'o', 'x', 'X':
		return p.integer(c, v)
	case 'e', 'E', 'f', 'F', 'g', 'G':
		return p.float(c, v)
	case 'c':
		return p.char(c, v)
	case 'r', 'a', 's', 'b':
		if p.binary {
			return p.bytes(c, v)
		}
		if c.Type != 'b' {
			return p.object(c, v)
		}
	}
	return p.m.formatError(c.Unsupported())
}

// object appends str, repr or ascii of an argument.
func (p *percent) object(c *format.Conversion, v Value) *Exception {
	if v.IsInt() && c.Width <= 0 && c.Precision < 0 {
		p.m.meter.Owe(2) // as ToStr and Repr
		var digits [20]byte
		return p.out.bytes(strconv.AppendInt(digits[:0], v.Int64(), 10))
	}
	var r Value
	var e *Exception
	switch c.Type {
	case 's':
		r, e = p.m.ToStr(v)
	case 'r':
		r, e = p.m.Repr(v)
	default:
		r, e = p.m.ASCII(v)
	}
	if e != nil {
		return e
	}
	s, ok := r.AsStr()
	if !ok {
		return p.m.TypeError("__str__ returned non-string (type %s)", r.ref.typ.Name)
	}
	if c.Width <= int64(s.n) && (c.Precision < 0 || c.Precision >= int64(s.n)) {
		return p.out.text(s.s)
	}
	if s.ASCII() && c.Precision >= 0 && c.Precision < int64(s.n) {
		return p.padded(c, decode(s.s[:c.Precision], int(c.Precision)))
	}
	return p.padded(c, p.m.Decoded(s))
}

// padded appends text with the padding and the cut the conversion asks for.
func (p *percent) padded(c *format.Conversion, s []rune) *Exception {
	if e := p.m.output(c.TextLen(len(s)), 8); e != nil {
		return e
	}
	return p.out.text(p.textOf(format.AppendText([]rune(nil), c, s)))
}

func (p *percent) integer(c *format.Conversion, v Value) *Exception {
	i, e := p.toInt(c, v)
	if e != nil {
		return e
	}
	if e := p.m.output(max(c.Width, 0)+max(c.Precision, 0)+int64(bitLen(i))+3, 2); e != nil {
		return e
	}
	if i.IsInt() {
		return p.digits(c.AppendInt(p.m.digits[:0], i.Int64()))
	}
	if e := p.m.chargeDigits(i); e != nil {
		return e
	}
	return p.out.bytes(c.AppendBig(nil, i.BigInt()))
}

// toInt converts the argument of an integer conversion: any number for decimal, integers for the other bases.
func (p *percent) toInt(c *format.Conversion, v Value) (Value, *Exception) {
	if i, ok := v.AsInt(); ok {
		return i, nil
	}
	m := p.m
	slots := &v.ref.typ.Slots
	decimal := c.Type == 'd' || c.Type == 'i' || c.Type == 'u'
	switch {
	case decimal && slots.ToInt != nil:
		return m.ToInt(v)
	case slots.ToIndex != nil:
		return m.Index(v)
	case decimal:
		letter := c.Type
		if p.binary && letter == 'i' {
			letter = 'd'
		}
		return Value{}, m.TypeError("%%%c format: a real number is required, not %s", letter, v.ref.typ.Name)
	default:
		return Value{}, m.TypeError("%%%c format: an integer is required, not %s", c.Type, v.ref.typ.Name)
	}
}

func (p *percent) float(c *format.Conversion, v Value) *Exception {
	f, e := p.m.ToFloat(v)
	if e != nil {
		if p.binary && e.typ == &ExcTypeError {
			return p.m.TypeError("float argument required, not %s", v.ref.typ.Name)
		}
		return e
	}
	if c.Precision > math.MaxInt32 {
		return p.m.ValueError("precision too big")
	}
	if e := p.m.Charge(doubleCost); e != nil {
		return e
	}
	room := c.Width + max(c.Precision, 6)
	if room > 64 || hasLongExpansion(f) {
		room = c.FloatLen()
	}
	if e := p.m.output(room, 2); e != nil {
		return e
	}
	return p.digits(c.AppendFloat(p.m.digits[:0], f))
}

// digits appends a number that was written into the machine's buffer.
func (p *percent) digits(b []byte) *Exception {
	if cap(b) <= mostDraft {
		p.m.digits = b
	}
	return p.out.bytes(b)
}

func (p *percent) char(c *format.Conversion, v Value) *Exception {
	if p.binary {
		return p.byteChar(c, v)
	}
	if s, ok := v.AsStr(); ok {
		if s.n != 1 {
			return p.m.RaiseValue(&ExcTypeError, p.m.Str("%c requires int or char"))
		}
		return p.padded(c, s.Runes())
	}
	if v.ref.typ.Slots.ToIndex == nil {
		return p.m.RaiseValue(&ExcTypeError, p.m.Str("%c requires int or char"))
	}
	i, e := p.m.Index(v)
	if e != nil {
		return e
	}
	if !i.IsInt() || i.Int64() < 0 || i.Int64() > 0x10FFFF {
		return p.m.RaiseValue(&ExcOverflowError, p.m.Str(format.ErrCharRange.Error()))
	}
	return p.padded(c, []rune{rune(i.Int64())})
}
