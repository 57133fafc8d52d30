package object

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

var bytesSig = NewBuiltin(Method{Name: "bytes", Sig: "source=b'', encoding='utf-8', errors='strict'"})

var byteArraySig = NewBuiltin(Method{Name: "bytearray", Sig: "source=b'', encoding='utf-8', errors='strict'"})

func bytesNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	a, e := bytesSig.bind(m, a)
	if e != nil {
		return Value{}, e
	}
	b, e := m.bytesFrom(a.Arg(0), a.Arg(1), a.Arg(2), "bytes")
	if e != nil {
		return Value{}, e
	}
	if t == &TypeBytes {
		if x := a.Arg(0); x.ref != nil && x.ref.kind == KindBytes {
			return x, nil
		}
		return m.Bytes(b), nil
	}
	o := Alloc[Bytes](m, t, len(b))
	o.b = b
	return o.Value(), nil
}

// bytesFrom is what bytes and bytearray are made of: a string with an encoding, a number of zeros, a bytes-like object,
// an object with __bytes__ (of bytes alone), or an iterable of ints, for which what begins the message about wrong ones. The result is fresh unless the
// source is a bytes object.
func (m *Machine) bytesFrom(x, encoding, errors Value, what string) ([]byte, *Exception) {
	if encoding.ref != nil || errors.ref != nil {
		method := "bytes"
		if what == "byte" {
			method = "bytearray"
		}
		return m.bytesFromText(x, encoding, errors, method)
	}
	if x.ref == nil {
		return nil, nil
	}
	if what == "byte" { // a bytearray asks for no __bytes__
		if b, ok, e := m.anyBytes(x); ok {
			return b, e
		}
	} else if b, ok, e := m.ownBytes(x); ok {
		return b, e
	}
	if x.ref.kind&^Sub == KindStr {
		return nil, m.TypeError("string argument without an encoding")
	}
	if x.ref.typ.Slots.ToIndex != nil {
		n, e := m.IndexInt(x, &ExcOverflowError)
		switch {
		case e != nil && e.Is(&ExcTypeError):
			return m.bytesOfInts(x, what)
		case e != nil:
			return nil, e
		case n < 0:
			return nil, m.ValueError("negative count")
		}
		if e := m.outputBytes(int64(n)); e != nil {
			return nil, e
		}
		return make([]byte, n), nil
	}
	return m.bytesOfInts(x, what)
}

// ownBytes returns the bytes that x consists of or that its __bytes__ gives; ok is false if it has neither.
func (m *Machine) ownBytes(x Value) (b []byte, ok bool, e *Exception) {
	if x.ref.kind == KindBytes {
		return x.bytes().b, true, nil
	}
	if fn, ok := x.ref.typ.Lookup(nBytes); ok && (x.ref.kind&^Sub != KindBytes || x.ref.typ.overrides(nBytes)) {
		r, e := m.callUnbound(fn, x)
		if e != nil {
			return nil, true, e
		}
		b, ok := r.AsBytes()
		if !ok {
			return nil, true, m.TypeError("__bytes__ returned non-bytes (type %s)", r.ref.typ.Name)
		}
		return b.b, true, nil
	}
	if b, ok, e := m.anyBytes(x); ok {
		if e != nil {
			return nil, true, e
		}
		if e := m.outputBytes(int64(len(b))); e != nil {
			return nil, true, e
		}
		return append(make([]byte, 0, len(b)), b...), true, nil
	}
	return nil, false, nil
}

func (m *Machine) bytesFromText(x, encoding, errors Value, method string) ([]byte, *Exception) {
	if e := m.checkCodec(encoding, errors, method); e != nil && (e.Is(&ExcTypeError) || e.Is(&ExcValueError)) {
		return nil, e
	}
	if x.ref == nil {
		if encoding.ref != nil {
			return nil, m.TypeError("encoding without a string argument")
		}
		return nil, m.TypeError("errors without a string argument")
	}
	s, ok := x.AsStr()
	if !ok {
		if encoding.ref != nil {
			return nil, m.TypeError("encoding without a string argument")
		}
		return nil, m.TypeError("errors without a string argument")
	}
	if e := m.checkCodec(encoding, errors, method); e != nil {
		return nil, e
	}
	v, e := m.EncodeUTF8(s)
	if e != nil {
		return nil, e
	}
	return v.bytes().b, nil
}

// bytesOfInts collects an iterable of ints from 0 to 255; what begins the message for others.
func (m *Machine) bytesOfInts(x Value, what string) ([]byte, *Exception) {
	kind := "bytes"
	if what == "byte" {
		kind = "bytearray"
	}
	if x.ref.typ.Slots.Iter == nil && x.ref.typ.Slots.GetItem == nil {
		return nil, m.TypeError("cannot convert '%s' object to %s", x.ref.typ.Name, kind)
	}
	it, e := m.Iter(x)
	if e != nil {
		if e.Is(&ExcTypeError) {
			e = m.TypeError("cannot convert '%s' object to %s", x.ref.typ.Name, kind)
		}
		return nil, e
	}
	if what == "bytes" {
		if e := m.askLength(x); e != nil {
			return nil, e
		}
	}
	out := &ByteArray{}
	e = m.exhaust(it, func(v Value) (bool, *Exception) {
		c, e := m.byteArg(v, what)
		if e != nil {
			return false, e
		}
		if e := out.grow(m, 1); e != nil {
			return false, e
		}
		out.b = append(out.b, c)
		return true, nil
	})
	return out.b, e
}

// byteArg converts an int from 0 to 255; what begins the message for others.
func (m *Machine) byteArg(v Value, what string) (byte, *Exception) {
	i, e := m.Index(v)
	if e != nil {
		return 0, e
	}
	if !i.IsInt() || i.Int64() < 0 || i.Int64() > 255 {
		return 0, m.ValueError("%s must be in range(0, 256)", what)
	}
	return byte(i.Int64()), nil
}

func bytesRepr(m *Machine, v Value) (Value, *Exception) {
	b := bytesOf(v)
	if e := m.ChargeLen(0, len(b), bytesPerCycle/2); e != nil { // for counting what is written
		return Value{}, e
	}
	if e := m.output(int64(text.QuotedBytesLen(b)), 1); e != nil {
		return Value{}, e
	}
	return m.ownASCII(text.AppendQuotedBytes(nil, b)), nil
}

func bytesLen(m *Machine, v Value) (int, *Exception) { return len(bytesOf(v)), nil }

func bytesCompare(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	if a.ref.kind&^Sub == KindBytes && b.ref.kind&^Sub != KindBytes {
		return NotImplemented, nil // the other type knows
	}
	x := bytesOf(a)
	m.meter.Owe(m.costs.Element)
	if b.ref.typ == &TypeMemoryView {
		m.meter.Owe(m.costs.Display)
	}
	y, ok := m.bytesLike(b)
	if !ok {
		return NotImplemented, nil
	}
	if op <= Ne && len(x) != len(y) {
		return Bool(op == Ne), nil
	}
	if e := m.ChargeLen(0, min(len(x), len(y)), 8); e != nil {
		return Value{}, e
	}
	return Bool(ordered(op, bytes.Compare(x, y))), nil
}

func bytesGetItem(m *Machine, v, key Value) (Value, *Exception) {
	if sl, ok := key.AsSlice(); ok {
		sl, e := sl.settled(m)
		if e != nil {
			return Value{}, e
		}
		b := bytesOf(v)
		start, _, step, n, e := sl.Indices(m, len(b))
		if e != nil {
			return Value{}, e
		}
		if e := m.outputBytes(int64(n)); e != nil {
			return Value{}, e
		}
		if step == 1 {
			return m.piece(v, b[start:start+n]), nil
		}
		if e := m.Charge(n / 4); e != nil { // for picking them one by one
			return Value{}, e
		}
		out := make([]byte, n)
		for i := range out {
			out[i] = b[start+i*step]
		}
		return m.bytesAs(v, out), nil
	}
	key, e := m.settledIndex(key)
	if e != nil {
		return Value{}, e
	}
	b := bytesOf(v)
	i, e := m.sequenceIndex(key, len(b), bytesNoun(v))
	if e != nil {
		if v.ref.kind&^Sub == KindBytes && e.typ == &ExcIndexError {
			return Value{}, m.IndexError("index out of range")
		}
		return Value{}, e
	}
	return Int(int64(b[i])), nil
}

func bytesNoun(v Value) string {
	if v.ref.kind&^Sub == KindByteArray {
		return "bytearray"
	}
	return "byte"
}

// needle returns what a search looks for: a bytes-like object or one byte.
func (m *Machine) needle(v Value) ([]byte, *Exception) {
	if b, ok := m.bytesLike(v); ok {
		return b, nil
	}
	if e := m.ViewFault(v); e != nil {
		return nil, e
	}
	if v.ref.typ.Slots.ToIndex == nil {
		return nil, m.TypeError("argument should be integer or bytes-like object, not '%s'", v.ref.typ.Name)
	}
	c, e := m.byteArg(v, "byte")
	if e != nil {
		return nil, e
	}
	return []byte{c}, nil
}

func bytesContains(m *Machine, v, item Value) (bool, *Exception) {
	m.meter.Owe(m.costs.Operand)
	var sub []byte
	if item.ref.typ.Slots.ToIndex != nil {
		c, e := m.byteArg(item, "byte")
		if e != nil {
			return false, e
		}
		sub = []byte{c}
	} else {
		var e *Exception
		if sub, e = m.bytesArg(item); e != nil {
			return false, e
		}
	}
	b := bytesOf(v)
	if e := m.Charge((len(b) + len(sub)) / bytesPerCycle); e != nil {
		return false, e
	}
	at, e := m.lookFor(b, sub, false)
	return at >= 0, e
}

func bytesConcat(m *Machine, a, b Value) (Value, *Exception) {
	if k := a.ref.kind &^ Sub; k != KindBytes && k != KindByteArray {
		return NotImplemented, nil
	}
	x := bytesOf(a)
	y, ok := m.bytesLike(b)
	if !ok {
		return NotImplemented, nil
	}
	m.meter.Owe(repeatCost)
	if e := m.outputBytes(int64(len(x) + len(y))); e != nil {
		return Value{}, e
	}
	return m.bytesAs(a, append(append(make([]byte, 0, len(x)+len(y)), x...), y...)), nil
}

func bytesRepeat(m *Machine, a, b Value) (Value, *Exception) {
	if k := a.ref.kind &^ Sub; k != KindBytes && k != KindByteArray {
		a, b = b, a
	}
	out, ok, e := m.repeatBytes(bytesOf(a), b)
	if !ok || e != nil {
		return NotImplemented, e
	}
	return m.bytesAs(a, out), nil
}

func (m *Machine) repeatBytes(b []byte, count Value) ([]byte, bool, *Exception) {
	n, ok, e := m.repeatCount(count, len(b))
	if !ok || e != nil {
		return nil, ok, e
	}
	if e := m.outputBytes(int64(n * len(b))); e != nil {
		return nil, true, e
	}
	return bytes.Repeat(b, n), true, nil
}
