package object

import "github.com/cowboyinc/cowboy-go/runtime/pvm/text"

func byteArrayInit(m *Machine, v Value, a Args) *Exception {
	a, e := byteArraySig.bind(m, a)
	if e != nil {
		return e
	}
	b, e := m.bytesFrom(a.Arg(0), a.Arg(1), a.Arg(2), "byte")
	if e != nil {
		return e
	}
	if e := m.output(int64(len(b)), 1); e != nil {
		return e
	}
	own := v.byteArray()
	if len(own.b)+len(b) > 0 {
		if e := own.mayResize(m); e != nil {
			return e
		}
	}
	own.SetData(m, append(make([]byte, 0, len(b)), b...))
	return nil
}

// byteArrayRepr is the repr of bytes between parentheses, with apostrophes always escaped.
func byteArrayRepr(m *Machine, v Value) (Value, *Exception) {
	b := v.byteArray().b
	if e := m.output(int64(4*len(b)+16), 1); e != nil {
		return Value{}, e
	}
	quoted := text.AppendQuotedBytes(nil, b)
	out := append([]byte(v.ref.typ.ShortName()), '(')
	if quoted[1] == '"' {
		for _, c := range quoted {
			if c == '\'' {
				out = append(out, '\\')
			}
			out = append(out, c)
		}
	} else {
		out = append(out, quoted...)
	}
	return m.Str(string(append(out, ')'))), nil
}

func byteArraySetItem(m *Machine, v, key, val Value) *Exception {
	b := v.byteArray()
	if s, ok := key.AsSlice(); ok {
		return b.setSlice(m, s, val)
	}
	var c byte
	if val.ref != nil && key.ref.typ.Slots.ToIndex != nil {
		var e *Exception
		if c, e = m.byteArg(val, "byte"); e != nil {
			return e
		}
	}
	key, e := m.settledIndex(key)
	if e != nil {
		return e
	}
	i, e := m.sequenceIndex(key, len(b.b), "bytearray")
	if e != nil {
		return e
	}
	if val.ref == nil {
		return b.splice(m, i, i+1, nil)
	}
	b.b[i] = c
	return nil
}

// setSlice assigns to a slice, or deletes it with the zero Value.
func (b *ByteArray) setSlice(m *Machine, s *Slice, val Value) *Exception {
	var from []byte
	if val.ref != nil {
		var e *Exception
		if from, e = m.sliceBytes(val); e != nil {
			return e
		}
	}
	s, e := s.settled(m)
	if e != nil {
		return e
	}
	start, stop, step, n, e := s.Indices(m, len(b.b))
	if e != nil {
		return e
	}
	if step == 1 {
		return b.splice(m, start, max(start, stop), from)
	}
	if e := m.Charge(len(b.b)); e != nil {
		return e
	}
	if len(from) == 0 { // nothing assigned to an extended slice deletes it too
		if e := b.mayResize(m); e != nil {
			return e
		}
		b.removeEvery(start, step, n)
		return nil
	}
	if len(from) != n {
		return m.ValueError("attempt to assign bytes of size %d to extended slice of size %d", len(from), n)
	}
	for i, c := range from {
		b.b[start+i*step] = c
	}
	return nil
}

// sliceBytes returns a copy of what is assigned to a slice.
func (m *Machine) sliceBytes(val Value) ([]byte, *Exception) {
	if x, ok := m.bytesLike(val); ok {
		if e := m.output(int64(len(x)), 1); e != nil {
			return nil, e
		}
		return append([]byte(nil), x...), nil
	}
	if _, ok := val.AsInt(); ok || val.ref.kind&^Sub == KindStr || val.ref.kind&^Sub == KindFloat {
		return nil, m.TypeError("can assign only bytes, buffers, or iterables of ints in range(0, 256)")
	}
	return m.bytesOfInts(val, "byte")
}

// splice replaces bytes lo up to hi by from.
func (b *ByteArray) splice(m *Machine, lo, hi int, from []byte) *Exception {
	tail := len(b.b) - hi
	if e := m.ChargeLen(0, tail+len(from), 8); e != nil {
		return e
	}
	size := lo + len(from) + tail
	if size != len(b.b) {
		if e := b.mayResize(m); e != nil {
			return e
		}
	}
	if size > len(b.b) {
		if e := b.grow(m, size-len(b.b)); e != nil {
			return e
		}
		b.b = b.b[:size]
	}
	copy(b.b[lo+len(from):size], b.b[hi:hi+tail])
	copy(b.b[lo:], from)
	b.b = b.b[:size]
	return nil
}

func (b *ByteArray) removeEvery(start, step, n int) {
	if n == 0 {
		return
	}
	if step < 0 {
		start, step = start+(n-1)*step, -step
	}
	out := b.b[:start]
	for i := start; i < len(b.b); i++ {
		if (i-start)%step == 0 && (i-start)/step < n {
			continue
		}
		out = append(out, b.b[i])
	}
	b.b = out
}

// extend appends the bytes of a bytes-like object or an iterable of ints.
func (b *ByteArray) extend(m *Machine, src Value) *Exception {
	x, ok := m.bytesLike(src)
	if !ok {
		if m.ViewFault(src) != nil {
			return m.TypeError("can't set bytearray slice from %s", src.ref.typ.Name)
		}
		if src.ref.typ.Slots.Iter == nil && src.ref.typ.Slots.GetItem == nil {
			return m.TypeError("can't extend bytearray with %s", src.ref.typ.Name)
		}
		more := &ByteArray{}
		if e := m.askLength(src); e != nil {
			return e
		}
		e := m.Iterate(src, func(v Value) (bool, *Exception) {
			c, e := m.byteArg(v, "byte")
			if e != nil {
				return false, e
			}
			e = more.grow(m, 1)
			if e == nil {
				more.b = append(more.b, c)
			}
			return e == nil, e
		})
		if e != nil {
			return e
		}
		x = more.b
	}
	if e := m.Charge(len(x)); e != nil {
		return e
	}
	n := len(x)
	if n > 0 {
		if e := b.mayResize(m); e != nil {
			return e
		}
	}
	if e := b.grow(m, n); e != nil {
		return e
	}
	b.b = append(b.b, x[:n]...)
	return nil
}

func byteArrayInPlaceConcat(m *Machine, a, b Value) (Value, *Exception) {
	if _, ok := m.bytesLike(b); !ok {
		return Value{}, m.TypeError("can't concat %s to %s", b.ref.typ.Name, a.ref.typ.Name)
	}
	if a == b && len(a.byteArray().b) > 0 { // it is looked at while it grows
		return Value{}, m.Raise(&ExcBufferError, resizeRefused)
	}
	return a, a.byteArray().extend(m, b)
}

func byteArrayInPlaceRepeat(m *Machine, a, b Value) (Value, *Exception) {
	out, ok, e := m.repeatBytes(a.byteArray().b, b)
	if !ok || e != nil {
		return NotImplemented, e
	}
	own := a.byteArray()
	if len(out) != len(own.b) {
		if e := own.mayResize(m); e != nil {
			return Value{}, e
		}
	}
	own.SetData(m, out[:len(out):len(out)])
	return a, nil
}

func byteArrayMethods() []Method {
	return []Method{
		{Name: "append", Sig: "item, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			b := a.V[0].byteArray()
			c, e := m.byteArg(a.V[1], "byte")
			if e != nil {
				return Value{}, e
			}
			if e := b.mayResize(m); e != nil {
				return Value{}, e
			}
			if e := b.grow(m, 1); e != nil {
				return Value{}, e
			}
			b.b = append(b.b, c)
			return None, nil
		}},
		{Name: "extend", Sig: "iterable_of_ints, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			return None, a.V[0].byteArray().extend(m, a.V[1])
		}},
		{Name: "insert", Sig: "index, item, /", Func: byteArrayInsert},
		{Name: "pop", Sig: "index=-1, /", Func: byteArrayPop},
		{Name: "remove", Sig: "value, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			b := a.V[0].byteArray()
			c, e := m.byteArg(a.V[1], "byte")
			if e != nil {
				return Value{}, e
			}
			if e := m.ChargeLen(0, len(b.b), 4); e != nil {
				return Value{}, e
			}
			at := text.Find(b.b, []byte{c})
			if at < 0 {
				return Value{}, m.ValueError("value not found in bytearray")
			}
			return None, b.splice(m, at, at+1, nil)
		}},
		{Name: "clear", Func: func(m *Machine, a Args) (Value, *Exception) {
			b := a.V[0].byteArray()
			if len(b.b) > 0 {
				if e := b.mayResize(m); e != nil {
					return Value{}, e
				}
			}
			b.b = nil
			return None, nil
		}},
		{Name: "copy", Func: func(m *Machine, a Args) (Value, *Exception) {
			b := a.V[0].byteArray().b
			if e := m.output(int64(len(b)), 1); e != nil {
				return Value{}, e
			}
			return m.piece(a.V[0], b), nil
		}},
		{Name: "reverse", Func: func(m *Machine, a Args) (Value, *Exception) {
			b := a.V[0].byteArray().b
			if e := m.ChargeLen(0, len(b), 4); e != nil {
				return Value{}, e
			}
			for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
				b[i], b[j] = b[j], b[i]
			}
			return None, nil
		}},
	}
}

func byteArrayInsert(m *Machine, a Args) (Value, *Exception) {
	b := a.V[0].byteArray()
	at, e := m.IndexInt(a.V[1], nil)
	if e != nil {
		return Value{}, e
	}
	c, e := m.byteArg(a.V[2], "byte")
	if e != nil {
		return Value{}, e
	}
	if at < 0 {
		at = max(at+len(b.b), 0)
	}
	at = min(at, len(b.b))
	return None, b.splice(m, at, at, []byte{c})
}

func byteArrayPop(m *Machine, a Args) (Value, *Exception) {
	b := a.V[0].byteArray()
	at, e := m.intArg(a.Arg(1), -1)
	if e != nil {
		return Value{}, e
	}
	if len(b.b) == 0 {
		return Value{}, m.IndexError("pop from empty bytearray")
	}
	if at < 0 {
		at += len(b.b)
	}
	if at < 0 || at >= len(b.b) {
		return Value{}, m.IndexError("pop index out of range")
	}
	c := b.b[at]
	return Int(int64(c)), b.splice(m, at, at+1, nil)
}
