package object

import (
	"bytes"
	"encoding/binary"
	"strings"

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
			Iter: viewIter,
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
		return m.newMemoryView(x, flat(len(bytesOf(x)))), nil
	}
	if v, ok := Cast[MemoryView](x, &TypeMemoryView); ok {
		if _, e := v.data(m); e != nil {
			return Value{}, e
		}
		return m.newMemoryView(v.base, v.layout), nil
	}
	return Value{}, m.TypeError("memoryview: a bytes-like object is required, not '%s'", x.ref.typ.Name)
}

func viewRepr(m *Machine, v Value) (Value, *Exception) {
	if Trust[MemoryView](v).base.ref == nil {
		return m.shown("<released memory at 0x" + hex12(m.ID(v)) + ">"), nil
	}
	return m.shown("<memory at 0x" + hex12(m.ID(v)) + ">"), nil
}

// viewHash is the hash of the bytes, which a view keeps even when it is released.
func viewHash(m *Machine, v Value) (int64, *Exception) {
	view := Trust[MemoryView](v)
	if view.hashed {
		return view.hash, nil
	}
	if _, e := view.data(m); e != nil {
		return 0, e
	}
	if !view.readonly() {
		return 0, m.ValueError("cannot hash writable memoryview object")
	}
	if itemSize(view.format) != 1 || view.format == '?' {
		return 0, m.ValueError("memoryview: hashing is restricted to formats 'B', 'b' or 'c'")
	}
	if _, e := m.Hash(view.base); e != nil {
		return 0, e
	}
	b, e := view.bytes(m)
	if e != nil {
		return 0, e
	}
	view.hash, view.hashed = HashBytes(b), true
	return view.hash, m.ChargeLen(0, len(b), 8)
}

// viewCompare compares the items of two views, or of a view and a bytes-like object, by value.
func viewCompare(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	if op > Ne {
		return NotImplemented, nil
	}
	m.meter.Owe(2 * m.costs.Display)
	x, y := m.viewOf(a), m.viewOf(b)
	if x == nil || y == nil {
		return NotImplemented, nil
	}
	if x.base.ref == nil || y.base.ref == nil {
		return Bool((a == b) == (op == Eq)), nil
	}
	p, strideP := x.shape()
	q, strideQ := y.shape()
	if !sameShape(p, q) {
		return Bool(op == Ne), nil
	}
	same, e := m.sameItems(x, y, p, [2]int{x.off, y.off}, [2][]int{strideP, strideQ})
	return Bool(same == (op == Eq)), e
}

// sameShape compares the lengths of dimensions as far as there are items in them.
func sameShape(p, q []int) bool {
	if len(p) != len(q) {
		return false
	}
	for i := range p {
		if p[i] != q[i] {
			return false
		}
		if p[i] == 0 {
			break
		}
	}
	return true
}

// sameItems compares the items from the positions at on.
func (m *Machine) sameItems(x, y *MemoryView, lengths []int, at [2]int, strides [2][]int) (bool, *Exception) {
	if len(lengths) == 0 {
		p, e := x.item(m, at[0])
		if e != nil {
			return false, e
		}
		q, e := y.item(m, at[1])
		if e != nil {
			return false, e
		}
		return m.Equal(p, q)
	}
	n := itemSize(x.format)
	if len(lengths) == 1 && x.format == y.format && strings.IndexByte("?fd", x.format) < 0 && strides[0][0] == n && strides[1][0] == n {
		return m.sameBytes(x, y, at, n*lengths[0])
	}
	if e := m.Charge(2 * lengths[0]); e != nil {
		return false, e
	}
	inner := [2][]int{strides[0][1:], strides[1][1:]}
	for range lengths[0] {
		if same, e := m.sameItems(x, y, lengths[1:], at, inner); e != nil || !same {
			return false, e
		}
		at[0] += strides[0][0]
		at[1] += strides[1][0]
	}
	return true, nil
}

// sameBytes compares n bytes of items that are equal if their bytes are.
func (m *Machine) sameBytes(x, y *MemoryView, at [2]int, n int) (bool, *Exception) {
	p, e := x.data(m)
	if e != nil {
		return false, e
	}
	q, e := y.data(m)
	if e != nil {
		return false, e
	}
	if e := m.ChargeLen(2, n, 16); e != nil {
		return false, e
	}
	return bytes.Equal(p[at[0]:at[0]+n], q[at[1]:at[1]+n]), nil
}

// viewOf returns a view of a view or bytes-like object, or nil.
func (m *Machine) viewOf(v Value) *MemoryView {
	if view, ok := Cast[MemoryView](v, &TypeMemoryView); ok {
		return view
	}
	if k := v.ref.kind &^ Sub; k == KindBytes || k == KindByteArray {
		return &MemoryView{base: v, layout: flat(len(bytesOf(v)))}
	}
	return nil
}

func viewIter(m *Machine, v Value) (Value, *Exception) {
	switch view := Trust[MemoryView](v); {
	case view.scalar:
		return Value{}, m.TypeError("invalid indexing of 0-dim memory")
	case len(view.rows) > 0:
		return Value{}, m.Raise(&ExcNotImplementedError, "multi-dimensional sub-views are not implemented")
	}
	return m.newIter(&TypeMemoryIter, v, 0), nil
}

// settledSlice returns the layout of a slice of the first dimension.
func (v *MemoryView) settledSlice(m *Machine, s *Slice) (layout, *Exception) {
	start, _, step, n, e := s.Indices(m, v.n)
	l := v.layout
	l.off, l.n, l.step = v.off+start*v.step, n, step*v.step
	return l, e
}

func viewGetItem(m *Machine, v, key Value) (Value, *Exception) {
	view := Trust[MemoryView](v)
	if _, e := view.data(m); e != nil {
		return Value{}, e
	}
	if view.scalar && key == Ellipsis {
		return v, nil
	}
	if s, ok := key.AsSlice(); ok && !view.scalar {
		base := view.base // the indices may release the view
		l, e := view.settledSlice(m, s)
		if e != nil {
			return Value{}, e
		}
		return m.newMemoryView(base, l), nil
	}
	at, e := view.position(m, key, "multi-dimensional sub-views are not implemented", "multi-dimensional slicing is not implemented")
	if e != nil {
		return Value{}, e
	}
	m.meter.Owe(itemCost)
	return view.item(m, at)
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
	s, sliced := key.AsSlice()
	if sliced && view.dims() == 1 {
		return view.assign(m, s, val)
	}
	const slices = "memoryview slice assignments are currently restricted to ndim = 1"
	if sliced && !view.scalar {
		return m.Raise(&ExcNotImplementedError, slices)
	}
	at, e := view.off, (*Exception)(nil)
	if !view.scalar || key != Ellipsis {
		if at, e = view.position(m, key, "sub-views are not implemented", slices); e != nil {
			return e
		}
	}
	packed, e := m.packItem(view.format, val)
	if e != nil {
		return e
	}
	b, e := view.data(m) // the value's conversion may have changed the object
	if e != nil {
		return e
	}
	copy(b[at:], packed)
	return nil
}

// assign copies the items of a view or bytes-like object over those of a slice of v.
func (v *MemoryView) assign(m *Machine, s *Slice, val Value) *Exception {
	from := m.viewOf(val)
	if from == nil {
		return m.TypeError("a bytes-like object is required, not '%s'", val.ref.typ.Name)
	}
	if _, e := from.data(m); e != nil {
		return e
	}
	l, e := v.settledSlice(m, s)
	if e != nil {
		return e
	}
	if _, e := v.data(m); e != nil { // the indices may have released it
		return e
	}
	if from.dims() != 1 || from.n != l.n || from.format != l.format {
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
	size := itemSize(l.format)
	for i := range l.n {
		copy(dst[l.off+i*l.step:], src[i*size:(i+1)*size])
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
		{Name: "tobytes", Sig: "order='C'", Func: viewToBytes},
		{Name: "hex", Sig: "sep=None, bytes_per_sep=1", Func: func(m *Machine, a Args) (Value, *Exception) {
			b, e := self(a).bytes(m)
			if e != nil {
				return Value{}, e
			}
			return m.hexOf(b, a.Arg(1), a.Arg(2))
		}},
		{Name: "tolist", Func: func(m *Machine, a Args) (Value, *Exception) {
			v := self(a)
			if _, e := v.data(m); e != nil {
				return Value{}, e
			}
			lengths, strides := v.shape()
			return v.list(m, lengths, strides, v.off)
		}},
		{Name: "cast", Sig: "format, shape=None", Func: viewCast},
		{Name: "toreadonly", Func: func(m *Machine, a Args) (Value, *Exception) {
			v := self(a)
			if _, e := v.data(m); e != nil {
				return Value{}, e
			}
			l := v.layout
			l.ro = true
			return m.newMemoryView(v.base, l), nil
		}},
		{Name: "release", Func: func(m *Machine, a Args) (Value, *Exception) {
			self(a).release()
			return None, nil
		}},
		{Name: "__enter__", Func: func(m *Machine, a Args) (Value, *Exception) {
			_, e := self(a).data(m)
			return a.V[0], e
		}},
		{Name: "__exit__", Sig: "*args", Func: func(m *Machine, a Args) (Value, *Exception) {
			self(a).release()
			return None, nil
		}},
	}
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
	flag := func(name string, get func(l *layout) bool) Field {
		return field(name, func(m *Machine, v *MemoryView) Value { return Bool(get(&v.layout)) })
	}
	lengths := func(name string, get func(l *layout) []int) Field {
		return field(name, func(m *Machine, v *MemoryView) Value {
			m.meter.Owe(m.costs.Display)
			var items []Value
			for _, n := range get(&v.layout) {
				items = append(items, Int(int64(n)))
			}
			return m.Tuple(items...)
		})
	}
	return []Field{
		field("obj", func(m *Machine, v *MemoryView) Value { return v.base }),
		field("format", func(m *Machine, v *MemoryView) Value { return m.Str(string(rune(v.format))) }),
		field("readonly", func(m *Machine, v *MemoryView) Value { return Bool(v.readonly()) }),
		number("itemsize", func(v *MemoryView) int { return itemSize(v.format) }),
		number("nbytes", func(v *MemoryView) int { return v.n * v.rowSize() }),
		number("ndim", func(v *MemoryView) int { return v.dims() }),
		lengths("shape", func(l *layout) []int { n, _ := l.shape(); return n }),
		lengths("strides", func(l *layout) []int { _, n := l.shape(); return n }),
		lengths("suboffsets", func(l *layout) []int { return nil }),
		flag("contiguous", func(l *layout) bool { return l.contiguous() || l.fortran() }),
		flag("c_contiguous", (*layout).contiguous), flag("f_contiguous", (*layout).fortran),
	}
}
