package object

import "strconv"

// The fields of a UnicodeError: encoding, object, start, end and reason; the
// encoding of a UnicodeTranslateError is None.
const (
	unicodeEncoding = iota
	unicodeObject
	unicodeStart
	unicodeEnd
	unicodeReason
)

func unicodeErrorDetails(t *Type, s *Spec) {
	s.Fields = []Field{
		extraField("object", unicodeObject), positionField("start", unicodeStart), positionField("end", unicodeEnd),
		extraField("reason", unicodeReason), extraField("encoding", unicodeEncoding),
	}
	first := unicodeObject
	if t != &ExcUnicodeTranslateError {
		first = unicodeEncoding
	}
	s.Slots.Init = func(m *Machine, v Value, a Args) *Exception {
		return unicodeErrorInit(m, v, a, first, t == &ExcUnicodeDecodeError)
	}
	s.Slots.Str = unicodeErrorStr
}

// positionField is a field that holds an index.
func positionField(name string, i int) Field {
	f := extraField(name, i)
	f.Set = func(m *Machine, v, val Value) *Exception {
		if val.ref == nil {
			return m.TypeError("can't delete numeric/char attribute")
		}
		n, e := m.IndexInt64(val, nil)
		if e != nil {
			return e
		}
		v.exception().SetField(i, Int(n))
		return nil
	}
	return f
}

// unicodeErrorInit takes the fields from number first on; the object of a decoding
// error is bytes.
func unicodeErrorInit(m *Machine, v Value, a Args, first int, decoding bool) *Exception {
	if e := exceptionInit(m, v, a); e != nil {
		return e
	}
	want := unicodeReason + 1 - first
	if len(a.V) != want {
		return m.TypeError("function takes exactly %d arguments (%d given)", want, len(a.V))
	}
	x := v.exception()
	for i := first; i <= unicodeReason; i++ {
		arg, number := a.V[i-first], i-first+1
		_, isText := arg.AsStr()
		switch {
		case i == unicodeStart || i == unicodeEnd:
			n, e := m.IndexInt64(arg, nil)
			if e != nil {
				return e
			}
			arg = Int(n)
		case i == unicodeObject && decoding:
			b, ok := m.bytesLike(arg)
			if !ok {
				return m.TypeError("a bytes-like object is required, not '%s'", arg.ref.typ.Name)
			}
			if _, ok := arg.AsBytes(); !ok {
				arg = m.Bytes(append([]byte(nil), b...))
			}
		case !isText:
			return m.TypeError("argument %d must be str, not %s", number, argName(arg))
		}
		x.SetField(i, arg)
	}
	m.noteBulk(v.ref)
	return nil
}

// unicodeErrorStr says which character or bytes could not be converted, and why.
func unicodeErrorStr(m *Machine, v Value) (Value, *Exception) {
	x := v.exception()
	object := x.Field(unicodeObject)
	if object.ref == nil {
		return m.Str(""), nil
	}
	reason, e := m.strText(orNone(x.Field(unicodeReason)))
	if e != nil {
		return Value{}, e
	}
	codec := ""
	if c := x.Field(unicodeEncoding); c.ref != nil {
		if codec, e = m.strText(c); e != nil {
			return Value{}, e
		}
		codec = "'" + codec + "' codec "
	}
	start, end := x.Field(unicodeStart).Int64(), x.Field(unicodeEnd).Int64()
	verb, one, many := "encode", "character", "characters"
	shown := ""
	if b, ok := object.AsBytes(); ok {
		verb, one, many = "decode", "byte", "bytes"
		if end == start+1 && start >= 0 && start < int64(len(b.b)) {
			shown = "0x" + pad(strconv.FormatUint(uint64(b.b[start]), 16), 2)
		}
	} else if s, ok := object.AsStr(); ok && end == start+1 && start >= 0 && start < int64(s.n) {
		shown = "'" + escaped(m.Decoded(s)[start]) + "'"
	}
	if codec == "" {
		verb = "translate"
	}
	text := codec + "can't " + verb + " "
	if shown != "" {
		text += one + " " + shown + " in position " + strconv.FormatInt(start, 10)
	} else {
		text += many + " in position " + strconv.FormatInt(start, 10) + "-" + strconv.FormatInt(end-1, 10)
	}
	return m.shown(text + ": " + reason), nil
}

// escaped is a character as a literal could write it.
func escaped(r rune) string {
	hex := strconv.FormatUint(uint64(r), 16)
	switch {
	case r < 0x100:
		return "\\x" + pad(hex, 2)
	case r < 0x10000:
		return "\\u" + pad(hex, 4)
	}
	return "\\U" + pad(hex, 8)
}

func pad(s string, n int) string {
	for len(s) < n {
		s = "0" + s
	}
	return s
}

// UnicodeDecodeError returns the exception for bytes that are not UTF-8.
func (m *Machine) UnicodeDecodeError(b Value, start, end int, reason string) *Exception {
	return m.unicodeError(&ExcUnicodeDecodeError, "utf-8", b, start, end, reason)
}

// UnicodeEncodeError returns the exception for text that UTF-8 cannot hold.
func (m *Machine) UnicodeEncodeError(s Value, start, end int, reason string) *Exception {
	return m.unicodeError(&ExcUnicodeEncodeError, "utf-8", s, start, end, reason)
}

// ASCIIError returns the exception for the character of s at a place that is not
// ASCII.
func (m *Machine) ASCIIError(s Value, at int) *Exception {
	return m.unicodeError(&ExcUnicodeEncodeError, "ascii", s, at, at+1, "ordinal not in range(128)")
}

func (m *Machine) unicodeError(t *Type, codec string, object Value, start, end int, reason string) *Exception {
	args := []Value{m.Str(codec), object, Int(int64(start)), Int(int64(end)), m.Str(reason)}
	x := m.RaiseValue(t, args...)
	for i, v := range args {
		x.SetField(i, v)
	}
	return x
}
