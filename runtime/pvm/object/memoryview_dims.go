package object

import "math"

// Views of several dimensions, and of none.

// maxDims is the most dimensions a view has.
const maxDims = 64

// position returns where the item under a key that is no slice begins. part is the
// message for a key that means more than one item, slices that for several slices.
func (v *MemoryView) position(m *Machine, key Value, part, slices string) (int, *Exception) {
	t, several := key.AsTuple()
	switch {
	case v.scalar && !(several && len(t.items) == 0):
		return 0, m.TypeError("invalid indexing of 0-dim memory")
	case !several && key.ref.typ.Slots.ToIndex == nil:
		return 0, m.TypeError("memoryview: invalid slice key")
	case !several && len(v.rows) > 0:
		return 0, m.Raise(&ExcNotImplementedError, "%s", part)
	case !several:
		return v.walk(m, []Value{key})
	}
	indices, slicing := 0, 0
	for _, k := range t.items {
		if k.ref.typ.Slots.ToIndex != nil {
			indices++
		} else if _, ok := k.AsSlice(); ok {
			slicing++
		}
	}
	switch {
	case indices < len(t.items) && slicing == len(t.items):
		return 0, m.Raise(&ExcNotImplementedError, "%s", slices)
	case indices < len(t.items):
		return 0, m.TypeError("memoryview: invalid slice key")
	case indices < v.dims():
		return 0, m.Raise(&ExcNotImplementedError, "sub-views are not implemented")
	case indices > v.dims():
		return 0, m.TypeError("cannot index %d-dimension view with %d-element tuple", v.dims(), indices)
	}
	return v.walk(m, t.items)
}

// walk follows one index for each dimension.
func (v *MemoryView) walk(m *Machine, keys []Value) (int, *Exception) {
	at, length, stride, size := v.off, v.n, v.step, v.rowSize()
	for d, k := range keys {
		if d > 0 {
			length = v.rows[d-1]
			size /= length
			stride = size
		}
		i, e := m.IndexInt(k, &ExcIndexError)
		if e != nil {
			return 0, e
		}
		if i < 0 {
			i += length
		}
		if i < 0 || i >= length {
			return 0, m.IndexError("index out of bounds on dimension %d", d+1)
		}
		at += i * stride
	}
	return at, nil
}

// list returns the items from position at on as lists in lists.
func (v *MemoryView) list(m *Machine, lengths, strides []int, at int) (Value, *Exception) {
	if len(lengths) == 0 {
		return v.item(m, at)
	}
	if e := m.Charge(itemCost * lengths[0]); e != nil {
		return Value{}, e
	}
	l, e := m.pieceList(lengths[0])
	if e != nil {
		return Value{}, e
	}
	if len(lengths) == 1 {
		b, e := v.data(m)
		if e != nil {
			return Value{}, e
		}
		for n := itemSize(v.format); len(l.items) < lengths[0]; at += strides[0] {
			l.items = append(l.items, m.unpackItem(v.format, b[at:at+n]))
		}
		return l.Value(), nil
	}
	for range lengths[0] {
		x, e := v.list(m, lengths[1:], strides[1:], at)
		if e != nil {
			return Value{}, e
		}
		l.Append(m, x)
		at += strides[0]
	}
	return l.Value(), nil
}

func viewToBytes(m *Machine, a Args) (Value, *Exception) {
	v := Trust[MemoryView](a.V[0])
	columns := false
	if o := noneAsZero(a.Arg(1)); o.ref != nil {
		s, ok := o.AsStr()
		if !ok {
			return Value{}, m.TypeError("tobytes() argument 'order' must be str or None, not %s", o.ref.typ.Name)
		}
		if s.s != "C" && s.s != "F" && s.s != "A" {
			return Value{}, m.ValueError("order must be 'C', 'F' or 'A'")
		}
		columns = s.s == "F" && len(v.rows) > 0
	}
	b, e := v.bytes(m)
	if e != nil {
		return Value{}, e
	}
	if e := m.output(int64(len(b)), 1); e != nil {
		return Value{}, e
	}
	out := make([]byte, 0, len(b))
	if !columns || len(b) == 0 {
		return m.Bytes(append(out, b...)), nil
	}
	lengths, _ := v.shape()
	if e := m.Charge(len(lengths) * len(b) / itemSize(v.format)); e != nil {
		return Value{}, e
	}
	return m.Bytes(appendColumns(out, b, lengths, itemSize(v.format))), nil
}

// appendColumns appends the items in b, which have these dimensions and stand with
// the last changing fastest, with the first changing fastest.
func appendColumns(out, b []byte, lengths []int, size int) []byte {
	index := make([]int, len(lengths))
	for {
		at := 0
		for d, n := range lengths {
			at = at*n + index[d]
		}
		out = append(out, b[at*size:(at+1)*size]...)
		d := 0
		for ; d < len(index); d++ {
			if index[d]++; index[d] < lengths[d] {
				break
			}
			index[d] = 0
		}
		if d == len(index) {
			return out
		}
	}
}

func viewCast(m *Machine, a Args) (Value, *Exception) {
	v := Trust[MemoryView](a.V[0])
	s, e := m.namedStrArg(a.V[1], "cast", "'format'")
	if e != nil {
		return Value{}, e
	}
	if _, e := v.data(m); e != nil {
		return Value{}, e
	}
	if !v.contiguous() {
		return Value{}, m.TypeError("memoryview: casts are restricted to C-contiguous views")
	}
	shape := a.Arg(2)
	if (shape.ref != nil || v.dims() != 1) && v.n*v.across() == 0 {
		return Value{}, m.TypeError("memoryview: cannot cast view with zeros in shape or strides")
	}
	var lengths []Value
	if shape.ref != nil {
		if lengths, e = v.newShape(m, shape); e != nil {
			return Value{}, e
		}
	}
	l, e := v.flattened(m, s.s)
	if e == nil && shape.ref != nil {
		l, e = l.reshaped(m, lengths)
	}
	if e != nil {
		return Value{}, e
	}
	return m.newMemoryView(v.base, l), nil
}

// newShape returns the lengths that a cast was given.
func (v *MemoryView) newShape(m *Machine, shape Value) ([]Value, *Exception) {
	var lengths []Value
	if l, ok := shape.AsList(); ok {
		lengths = l.items
	} else if t, ok := shape.AsTuple(); ok {
		lengths = t.items
	} else {
		return nil, m.TypeError("shape must be a list or a tuple")
	}
	if len(lengths) > maxDims {
		return nil, m.ValueError("memoryview: number of dimensions must not exceed %d", maxDims)
	}
	if v.dims() != 1 && len(lengths) != 1 {
		return nil, m.TypeError("memoryview: cast must be 1D -> ND or ND -> 1D")
	}
	return lengths, nil
}

// flattened is the layout of the same bytes in one dimension and another format.
func (v *MemoryView) flattened(m *Machine, format string) (layout, *Exception) {
	if len(format) == 2 && format[0] == '@' {
		format = format[1:]
	}
	if len(format) != 1 || itemSize(format[0]) == 0 {
		return layout{}, m.ValueError("memoryview: destination format must be a native single character format prefixed with an optional '@'")
	}
	to := format[0]
	isByte := func(f byte) bool { return f == 'B' || f == 'b' || f == 'c' }
	if !isByte(v.format) && !isByte(to) {
		return layout{}, m.TypeError("memoryview: cannot cast between two non-byte formats")
	}
	size, bytes := itemSize(to), v.n*v.rowSize()
	if bytes%size != 0 {
		return layout{}, m.TypeError("memoryview: length is not a multiple of itemsize")
	}
	return layout{off: v.off, n: bytes / size, step: size, format: to, ro: v.ro}, nil
}

// reshaped gives a layout of one dimension others of the same number of items.
func (l layout) reshaped(m *Machine, lengths []Value) (layout, *Exception) {
	bytes, rest := int64(itemSize(l.format)), []int(nil)
	for _, x := range lengths {
		switch x.ref.kind &^ Sub {
		case KindInt, KindBig, KindBool:
		default:
			return layout{}, m.TypeError("memoryview.cast(): elements of shape must be integers")
		}
		n, e := m.IndexInt64(x, nil)
		if e != nil {
			return layout{}, e
		}
		if n <= 0 {
			return layout{}, m.ValueError("memoryview.cast(): elements of shape must be integers > 0")
		}
		if n > math.MaxInt64/bytes {
			return layout{}, m.ValueError("memoryview.cast(): product(shape) > SSIZE_MAX")
		}
		bytes *= n
		rest = append(rest, int(n))
	}
	if bytes != int64(l.n*itemSize(l.format)) {
		return layout{}, m.TypeError("memoryview: product(shape) * itemsize != buffer size")
	}
	if len(rest) == 0 {
		l.scalar = true
		return l, nil
	}
	l.n, l.rows = rest[0], rest[1:]
	l.step = l.rowSize()
	return l, nil
}
