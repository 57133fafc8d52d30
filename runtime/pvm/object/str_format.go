package object

import (
	"unsafe"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/format"
)

// fieldsCost is the price of str.format and str.format_map, beside their call's and what they write.
const fieldsCost = 20

func strFormatMethods() []Method {
	return []Method{
		{Name: "format", Sig: "*args, **kwargs", Func: func(m *Machine, a Args) (Value, *Exception) {
			m.meter.Owe(fieldsCost)
			rest := a.Rest(1)
			return m.strFormat(a.V[0].str(), &fields{args: rest.Pos(), keywords: rest})
		}},
		{Name: "format_map", Sig: "mapping, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			m.meter.Owe(fieldsCost)
			return m.strFormat(a.V[0].str(), &fields{mapping: a.V[1]})
		}},
		formatMethod((*Machine).formatStr),
	}
}

// fields are the arguments of str.format: positional ones and keywords, or a mapping alone.
type fields struct {
	args     []Value
	keywords Args
	mapping  Value
	next     int64 // number of the next field without a name
	auto     bool  // a field without a name was met
	manual   bool  // a field with a number was met
}

func (m *Machine) strFormat(s *Str, f *fields) (Value, *Exception) {
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	defer m.Leave()
	if s.ASCII() {
		return formatFields(m, s.Bytes(), f, format.MaxNesting)
	}
	return formatFields(m, s.Runes(), f, format.MaxNesting)
}

// formatFields fills in a format, which is a whole one or the specification of a field.
func formatFields[T text.Unit](m *Machine, s []T, f *fields, depth int) (Value, *Exception) {
	if depth == 0 {
		return Value{}, m.formatError(format.ErrNesting)
	}
	if e := m.Charge(formatCost + len(s)); e != nil {
		return Value{}, e
	}
	out := builder{m: m}
	for at := 0; at < len(s); {
		p, next, err := format.ParsePiece(s, at)
		if err != nil {
			return Value{}, m.formatError(err)
		}
		if p.Literal.Len() > 0 {
			if e := out.text(utf8Of(s, p.Literal)); e != nil {
				return Value{}, e
			}
		}
		if p.HasField {
			m.meter.Owe(m.costs.Format)
			v, e := fieldValue(m, s, p.Name, f)
			if e != nil {
				return Value{}, e
			}
			if v.IsInt() && p.Conversion == 0 && !p.Nested && p.Spec.Len() == 0 {
				if e = m.showInt(); e == nil {
					e = out.decimal(v.Int64())
				}
			} else if v, e = formatField(m, s, p, v, f, depth); e == nil {
				e = out.text(v.str().s)
			}
			if e != nil {
				return Value{}, e
			}
		}
		at = next
	}
	return out.value(), nil
}

// utf8Of returns a part of a format in UTF-8; bytes are ASCII, and stay as they are.
func utf8Of[T text.Unit](s []T, span format.Span) string {
	if b, ok := any(s).([]byte); ok {
		part := b[span.Start:span.End]
		return unsafe.String(unsafe.SliceData(part), len(part))
	}
	b := make([]byte, 0, span.Len()+8)
	for _, u := range s[span.Start:span.End] {
		b = appendRune(b, rune(u))
	}
	return string(b)
}

// formatField converts and formats the value of a field.
func formatField[T text.Unit](m *Machine, s []T, p format.Piece, v Value, f *fields, depth int) (Value, *Exception) {
	var e *Exception
	switch p.Conversion {
	case 0:
	case 's':
		v, e = m.ToStr(v)
	case 'r':
		v, e = m.Repr(v)
	case 'a':
		v, e = m.ASCII(v)
	default:
		if p.Conversion > 32 && p.Conversion < 127 {
			return Value{}, m.ValueError("Unknown conversion specifier %c", p.Conversion)
		}
		return Value{}, m.ValueError("Unknown conversion specifier \\x%x", p.Conversion)
	}
	if e != nil {
		return Value{}, e
	}
	spec := emptyStr
	switch {
	case p.Nested:
		r, e := formatFields(m, s[p.Spec.Start:p.Spec.End], f, depth-1)
		if e != nil {
			return Value{}, e
		}
		spec = r.str()
	case p.Spec.Len() > 0:
		m.meter.Owe(specCost)
		spec = m.Str(utf8Of(s, p.Spec)).str()
	}
	return m.Format(v, spec)
}

// fieldValue finds what a field name refers to.
func fieldValue[T text.Unit](m *Machine, s []T, name format.Span, f *fields) (Value, *Exception) {
	first, at, err := format.ParseFirst(s, name)
	if err != nil {
		return Value{}, m.formatError(err)
	}
	v, e := f.first(m, first, utf8Of(s, first.Name))
	for e == nil && at < name.End {
		var a format.Accessor
		if a, at, err = format.ParseAccessor(s, at, name.End); err != nil {
			return Value{}, m.formatError(err)
		}
		switch {
		case a.IsAttribute:
			v, e = m.GetAttr(v, m.name(utf8Of(s, a.Name)))
		case a.Index >= 0:
			v, e = m.GetItem(v, Int(a.Index))
		default:
			v, e = m.GetItem(v, m.Str(utf8Of(s, a.Name)))
		}
	}
	return v, e
}

// first finds the argument a field name begins with.
func (f *fields) first(m *Machine, first format.First, name string) (Value, *Exception) {
	index := first.Index
	switch {
	case first.IsEmpty:
		if f.manual {
			return Value{}, m.formatError(format.ErrToAutomatic)
		}
		f.auto = true
		index = f.next
		f.next++
	case index >= 0:
		if f.auto {
			return Value{}, m.formatError(format.ErrToManual)
		}
		f.manual = true
	}
	switch {
	case index < 0 && f.mapping.ref != nil:
		return m.GetItem(f.mapping, m.Str(name))
	case index < 0:
		m.meter.Owe(len(f.keywords.Names) / 2)
		if v := f.keywords.Keyword(name); v.ref != nil {
			return v, nil
		}
		return Value{}, m.KeyError(m.Str(name))
	case f.mapping.ref != nil:
		return Value{}, m.ValueError("Format string contains positional fields")
	case index >= int64(len(f.args)):
		return Value{}, m.IndexError("Replacement index %d out of range for positional args tuple", index)
	default:
		return f.args[index], nil
	}
}

func builtinFormat(m *Machine, a Args) (Value, *Exception) {
	spec := emptyStr
	if s := a.Arg(1); s.ref != nil {
		var ok bool
		if spec, ok = s.AsStr(); !ok {
			return Value{}, m.TypeError("format() argument 2 must be str, not %s", argName(s))
		}
		m.meter.Owe(m.costs.Format)
	}
	return m.Format(a.V[0], spec)
}
