package object

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/format"
)

// bytesMod is the operator % of bytes and bytearray.
func bytesMod(m *Machine, a, b Value) (Value, *Exception) {
	if k := a.ref.kind &^ Sub; k != KindBytes && k != KindByteArray {
		return NotImplemented, nil
	}
	p := percent{m: m, binary: true, out: builder{m: m}}
	p.take(b)
	if k := b.ref.kind &^ Sub; k == KindBytes || k == KindByteArray {
		p.mapping = Value{}
	}
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	defer m.Leave()
	format := append([]byte(nil), bytesOf(a)...)
	if e := fillPercent(&p, format); e != nil {
		return Value{}, e
	}
	filled := append([]byte(nil), p.out.b...)
	p.out.done()
	return m.bytesAs(a, filled), nil
}

// bytes appends an argument of a conversion s, b, r or a of a bytes format.
func (p *percent) bytes(c *format.Conversion, v Value) *Exception {
	var b []byte
	if c.Type == 'r' || c.Type == 'a' {
		r, e := p.m.ASCII(v)
		if e != nil {
			return e
		}
		b = r.str().Bytes()
	} else {
		var e *Exception
		if b, e = p.bytesOfObject(v); e != nil {
			return e
		}
	}
	return p.paddedBytes(c, b)
}

// bytesOfObject returns the bytes of a bytes-like object or of one with __bytes__.
func (p *percent) bytesOfObject(v Value) ([]byte, *Exception) {
	if b, ok, e := p.m.anyBytes(v); ok {
		return b, e
	}
	fn, ok := v.ref.typ.Lookup(nBytes)
	if !ok {
		return nil, p.m.TypeError("%%b requires a bytes-like object, or an object that implements __bytes__, not '%s'", v.ref.typ.Name)
	}
	r, e := p.m.callUnbound(fn, v)
	if e != nil {
		return nil, e
	}
	b, ok := r.AsBytes()
	if !ok {
		return nil, p.m.TypeError("__bytes__ returned non-bytes (type %s)", r.ref.typ.Name)
	}
	return b.b, nil
}

func (p *percent) paddedBytes(c *format.Conversion, b []byte) *Exception {
	if e := p.m.output(c.TextLen(len(b)), 2); e != nil {
		return e
	}
	return p.out.bytes(format.AppendText([]byte(nil), c, b))
}

// byteChar appends an argument of %c: an int from 0 to 255 or one byte.
func (p *percent) byteChar(c *format.Conversion, v Value) *Exception {
	if k := v.ref.kind &^ Sub; k == KindBytes || k == KindByteArray {
		if b := bytesOf(v); len(b) == 1 {
			return p.paddedBytes(c, b)
		}
	} else if v.ref.typ.Slots.ToIndex != nil {
		i, e := p.m.Index(v)
		if e != nil {
			return e
		}
		if !i.IsInt() || i.Int64() < 0 || i.Int64() > 255 {
			return p.m.RaiseValue(&ExcOverflowError, p.m.Str("%c arg not in range(256)"))
		}
		return p.paddedBytes(c, []byte{byte(i.Int64())})
	}
	return p.m.RaiseValue(&ExcTypeError, p.m.Str("%c requires an integer in range(256) or a single byte"))
}
