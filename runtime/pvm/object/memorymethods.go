package object

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

var viewSig = NewBuiltin(Method{Name: "memoryview", Sig: "object"})

func defineMemoryView() {
	Define(&TypeMemoryView, Spec{
		Name: "memoryview", Layout: LayoutOf[MemoryView](KindNative), Final: true, Sequence: true,
		Slots: Slots{
			New: viewNew, Repr: viewRepr, Hash: viewHash, Compare: viewCompare,
			Len: func(m *Machine, v Value) (int, *Exception) {
				view := Trust[MemoryView](v)
				_, e := view.data(m)
				return view.n, e
			},
			GetItem: viewGetItem, SetItem: viewSetItem,
			Iter: func(m *Machine, v Value) (Value, *Exception) { return m.newIter(&TypeMemoryIter, v, 0), nil },
		},
		Methods: viewMethods(),
		Fields:  viewFields(),
		Traverse: func(o *Object, visit func(Value)) {
			if base := Trust[MemoryView](Of(o)).base; base.ref != nil {
				visit(base)
			}
		},
	})
}

func viewNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	a, e := viewSig.bind(m, a)
	if e != nil {
		return Value{}, e
	}
	x := a.V[0]
	switch x.ref.kind &^ Sub {
	case KindBytes, KindByteArray:
		return m.newMemoryView(x, 0, len(bytesOf(x)), 1, 'B'), nil
	}
	if v, ok := Cast[MemoryView](x, &TypeMemoryView); ok {
		if _, e := v.data(m); e != nil {
			return Value{}, e
		}
		return v.derive(m, v.off, v.n, v.step, v.format), nil
	}
	return Value{}, m.TypeError("memoryview: a bytes-like object is required, not '%s'", x.ref.typ.Name)
}

func viewRepr(m *Machine, v Value) (Value, *Exception) {
	if Trust[MemoryView](v).base.ref == nil {
		return m.Str("<released memory at 0x" + hex12(m.ID(v)) + ">"), nil
	}
	return m.Str("<memory at 0x" + hex12(m.ID(v)) + ">"), nil
}

func viewHash(m *Machine, v Value) (int64, *Exception) {
	view := Trust[MemoryView](v)
	b, e := view.bytes(m)
	if e != nil {
		return 0, e
	}
	if !view.readonly() {
		return 0, m.ValueError("cannot hash writable memoryview object")
	}
	if itemSize(view.format) != 1 || view.format == '?' {
		return 0, m.ValueError("memoryview: hashing is restricted to formats 'B', 'b' or 'c'")
	}
	return HashBytes(b), m.ChargeLen(0, len(b), 8)
}

// viewCompare compares the items of two views, or of a view and a bytes-like object, by value.
func viewCompare(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	if op > Ne {
		return NotImplemented, nil
	}
	x, y := m.viewOf(a), m.viewOf(b)
	if x == nil || y == nil {
		return NotImplemented, nil
	}
	if x.base.ref == nil || y.base.ref == nil {
		return Bool((a == b) == (op == Eq)), nil
	}
	same := x.n == y.n
	for i := 0; same && i < x.n; i++ {
		if e := m.Charge(2); e != nil {
			return Value{}, e
		}
		p, e := x.item(m, i)
		if e != nil {
			return Value{}, e
		}
		q, e := y.item(m, i)
		if e != nil {
			return Value{}, e
		}
		if same, e = m.Equal(p, q); e != nil {
			return Value{}, e
		}
	}
	return Bool(same == (op == Eq)), nil
}

// viewOf returns a view of a view or bytes-like object, or nil.
func (m *Machine) viewOf(v Value) *MemoryView {
	if view, ok := Cast[MemoryView](v, &TypeMemoryView); ok {
		return view
	}
	if k := v.ref.kind &^ Sub; k == KindBytes || k == KindByteArray {
		return &MemoryView{base: v, n: len(bytesOf(v)), step: 1, format: 'B'}
	}
	return nil
}

// viewIndex converts a key that is not a slice.
func (v *MemoryView) viewIndex(m *Machine, key Value) (int, *Exception) {
	if t, ok := key.AsTuple(); ok {
		switch len(t.items) {
		case 0:
			return 0, m.Raise(&ExcNotImplementedError, "sub-views are not implemented")
		case 1:
			key = t.items[0]
		default:
			return 0, m.TypeError("cannot index 1-dimension view with %d-element tuple", len(t.items))
		}
	}
	if key.ref.typ.Slots.ToIndex == nil {
		return 0, m.TypeError("memoryview: invalid slice key")
	}
	i, e := m.IndexInt(key, &ExcIndexError)
	if e != nil {
		return 0, e
	}
	if i < 0 {
		i += v.n
	}
	if i < 0 || i >= v.n {
		return 0, m.IndexError("index out of bounds on dimension 1")
	}
	return i, nil
}

func viewGetItem(m *Machine, v, key Value) (Value, *Exception) {
	view := Trust[MemoryView](v)
	if _, e := view.data(m); e != nil {
		return Value{}, e
	}
	if s, ok := key.AsSlice(); ok {
		start, _, step, n, e := s.Indices(m, view.n)
		if e != nil {
			return Value{}, e
		}
		return view.derive(m, view.off+start*view.step, n, step*view.step, view.format), nil
	}
	i, e := view.viewIndex(m, key)
	if e != nil {
		return Value{}, e
	}
	return view.item(m, i)
}

func viewSetItem(m *Machine, v, key, val Value) *Exception {
	view := Trust[MemoryView](v)
	if _, e := view.data(m); e != nil {
		return e
	}
	if view.readonly() {
		return m.TypeError("cannot modify read-only memory")
	}
	if val.ref == nil {
		return m.TypeError("cannot delete memory")
	}
	if s, ok := key.AsSlice(); ok {
		start, _, step, n, e := s.Indices(m, view.n)
		if e != nil {
			return e
		}
		part := MemoryView{base: view.base, off: view.off + start*view.step, n: n, step: step * view.step, format: view.format}
		return part.assign(m, val)
	}
	i, e := view.viewIndex(m, key)
	if e != nil {
		return e
	}
	packed, e := m.packItem(view.format, val)
	if e != nil {
		return e
	}
	b, e := view.data(m) // the value's conversion may have changed the object
	if e != nil {
		return e
	}
	copy(b[view.off+i*view.step:], packed)
	return nil
}

// assign copies the items of a view or bytes-like object over those of v.
func (v *MemoryView) assign(m *Machine, val Value) *Exception {
	from := m.viewOf(val)
	if from == nil {
		return m.TypeError("memoryview: a bytes-like object is required, not '%s'", val.ref.typ.Name)
	}
	if from.n != v.n || from.format != v.format {
		return m.ValueError("memoryview assignment: lvalue and rvalue have different structures")
	}
	src, e := from.bytes(m)
	if e != nil {
		return e
	}
	if e := m.output(int64(len(src)), 1); e != nil {
		return e
	}
	src = append([]byte(nil), src...) // the two may overlap
	dst, e := v.data(m)
	if e != nil {
		return e
	}
	size := itemSize(v.format)
	for i := range v.n {
		copy(dst[v.off+i*v.step:], src[i*size:(i+1)*size])
	}
	return nil
}

// packItem encodes a value as an item.
func (m *Machine) packItem(format byte, v Value) ([]byte, *Exception) {
	invalid := func(what string) *Exception {
		exc := &ExcTypeError
		if what == "value" {
			exc = &ExcValueError
		}
		return m.Raise(exc, "memoryview: invalid %s for format '%c'", what, format)
	}
	switch format {
	case '?':
		t, e := m.Truth(v)
		return []byte{byte(btoi(t))}, e
	case 'c':
		if b, ok := v.AsBytes(); ok && len(b.b) == 1 {
			return b.b, nil
		} else if ok {
			return nil, invalid("value")
		}
		return nil, invalid("type")
	case 'f', 'd':
		f, e := m.ToFloat(v)
		if e != nil {
			if e.Is(&ExcTypeError) {
				return nil, invalid("type")
			}
			return nil, e
		}
		if format == 'd' {
			return binary.LittleEndian.AppendUint64(nil, f), nil
		}
		single, err := softfloat.ToSingle(f)
		if err != nil {
			return nil, invalid("value")
		}
		return binary.LittleEndian.AppendUint32(nil, single), nil
	}
	if v.ref.typ.Slots.ToIndex == nil {
		return nil, invalid("type")
	}
	i, e := m.Index(v)
	if e != nil {
		return nil, e
	}
	size := itemSize(format)
	big := i.BigInt()
	signed := format >= 'a'
	if signed && (!big.IsInt64() || big.Int64()>>(8*size-1) != 0 && big.Int64()>>(8*size-1) != -1) ||
		!signed && (!big.IsUint64() || size < 8 && big.Uint64()>>(8*size) != 0) {
		return nil, invalid("value")
	}
	word := uint64(big.Int64())
	if !signed {
		word = big.Uint64()
	}
	return binary.LittleEndian.AppendUint64(nil, word)[:size], nil
}

// itemCost is the price of decoding an item of a view.
const itemCost = 3

func viewMethods() []Method {
	self := func(a Args) *MemoryView { return Trust[MemoryView](a.V[0]) }
	return []Method{
		{Name: "tobytes", Sig: "order='C'", Func: func(m *Machine, a Args) (Value, *Exception) {
			if o := noneAsZero(a.Arg(1)); o.ref != nil {
				s, ok := o.AsStr()
				if !ok {
					return Value{}, m.TypeError("tobytes() argument 'order' must be str or None, not %s", o.ref.typ.Name)
				}
				if s.s != "C" && s.s != "F" && s.s != "A" {
					return Value{}, m.ValueError("order must be 'C', 'F' or 'A'")
				}
			}
			b, e := self(a).bytes(m)
			if e != nil {
				return Value{}, e
			}
			if e := m.output(int64(len(b)), 1); e != nil {
				return Value{}, e
			}
			return m.Bytes(append([]byte(nil), b...)), nil
		}},
		{Name: "hex", Sig: "sep=None, bytes_per_sep=1", Func: func(m *Machine, a Args) (Value, *Exception) {
			b, e := self(a).bytes(m)
			if e != nil {
				return Value{}, e
			}
			return m.hexOf(b, a.Arg(1), a.Arg(2))
		}},
		{Name: "tolist", Func: func(m *Machine, a Args) (Value, *Exception) {
			v := self(a)
			if e := m.Charge(itemCost * v.n); e != nil {
				return Value{}, e
			}
			l, e := m.pieceList(v.n)
			if e != nil {
				return Value{}, e
			}
			for i := range v.n {
				x, e := v.item(m, i)
				if e != nil {
					return Value{}, e
				}
				l.Append(m, x)
			}
			return l.Value(), nil
		}},
		{Name: "cast", Sig: "format, shape=None", Func: viewCast},
		{Name: "toreadonly", Func: func(m *Machine, a Args) (Value, *Exception) {
			v := self(a)
			if _, e := v.data(m); e != nil {
				return Value{}, e
			}
			d := v.derive(m, v.off, v.n, v.step, v.format)
			Trust[MemoryView](d).ro = true
			return d, nil
		}},
		{Name: "release", Func: func(m *Machine, a Args) (Value, *Exception) {
			self(a).base = Value{}
			return None, nil
		}},
		{Name: "__enter__", Func: func(m *Machine, a Args) (Value, *Exception) {
			_, e := self(a).data(m)
			return a.V[0], e
		}},
		{Name: "__exit__", Sig: "*args", Func: func(m *Machine, a Args) (Value, *Exception) {
			self(a).base = Value{}
			return None, nil
		}},
	}
}

func viewCast(m *Machine, a Args) (Value, *Exception) {
	v := Trust[MemoryView](a.V[0])
	if _, e := v.data(m); e != nil {
		return Value{}, e
	}
	s, e := m.namedStrArg(a.V[1], "cast", "'format'")
	if e != nil {
		return Value{}, e
	}
	name := s.s
	if len(name) == 2 && name[0] == '@' {
		name = name[1:]
	}
	if len(name) != 1 || itemSize(name[0]) == 0 {
		return Value{}, m.ValueError("memoryview: destination format must be a native single character format prefixed with an optional '@'")
	}
	if shape := noneAsZero(a.Arg(2)); shape.ref != nil {
		return Value{}, m.Raise(&ExcNotImplementedError, "memoryview: views of several dimensions are not available")
	}
	if !v.contiguous() {
		return Value{}, m.TypeError("memoryview: casts are restricted to C-contiguous views")
	}
	isByte := func(f byte) bool { return f == 'B' || f == 'b' || f == 'c' }
	if !isByte(v.format) && !isByte(name[0]) {
		return Value{}, m.TypeError("memoryview: cannot cast between two non-byte formats")
	}
	size, bytes := itemSize(name[0]), v.n*itemSize(v.format)
	if bytes%size != 0 {
		return Value{}, m.TypeError("memoryview: length is not a multiple of itemsize")
	}
	return v.derive(m, v.off, bytes/size, size, name[0]), nil
}

func viewFields() []Field {
	field := func(name string, get func(m *Machine, v *MemoryView) Value) Field {
		return Field{Name: name, Get: func(m *Machine, v Value) (Value, *Exception) {
			view := Trust[MemoryView](v)
			if view.base.ref == nil {
				return Value{}, m.ValueError("operation forbidden on released memoryview object")
			}
			return get(m, view), nil
		}}
	}
	number := func(name string, get func(v *MemoryView) int) Field {
		return field(name, func(m *Machine, v *MemoryView) Value { return Int(int64(get(v))) })
	}
	contiguous := func(m *Machine, v *MemoryView) Value { return Bool(v.contiguous()) }
	return []Field{
		field("obj", func(m *Machine, v *MemoryView) Value { return v.base }),
		field("format", func(m *Machine, v *MemoryView) Value { return m.Str(string(rune(v.format))) }),
		field("readonly", func(m *Machine, v *MemoryView) Value { return Bool(v.readonly()) }),
		number("itemsize", func(v *MemoryView) int { return itemSize(v.format) }),
		number("nbytes", func(v *MemoryView) int { return v.n * itemSize(v.format) }),
		number("ndim", func(v *MemoryView) int { return 1 }),
		field("shape", func(m *Machine, v *MemoryView) Value { return m.Tuple(Int(int64(v.n))) }),
		field("strides", func(m *Machine, v *MemoryView) Value { return m.Tuple(Int(int64(v.step))) }),
		field("suboffsets", func(m *Machine, v *MemoryView) Value { return m.Tuple() }),
		field("contiguous", contiguous), field("c_contiguous", contiguous), field("f_contiguous", contiguous),
	}
}
