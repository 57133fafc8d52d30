package pystruct

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/buffer"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/namespace"
)

var (
	typeError  object.Type
	typeStruct object.Type
	typeUnpack object.Type
)

var _ = object.Define(&typeError, object.Spec{Name: "error", Module: "struct", Base: &object.ExcException})

// Struct is a compiled format.
type Struct struct {
	object.Object
	format string
	layout *layout // nil until __init__
}

var _ = object.Define(&typeStruct, object.Spec{
	Name: "Struct", Module: "_struct",
	Doc:    "Struct(fmt) --> compiled struct object",
	Layout: object.LayoutOf[Struct](object.KindLeaf),
	Slots:  object.Slots{New: structNew, Init: structInit},

	Relocate: object.Unrelated, // a layout is never written
	Methods: []object.Method{
		{Name: "pack", Sig: "*values", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			l, e := self(m, a.V[0])
			if e != nil {
				return object.Value{}, e
			}
			return l.packNew(m, a.Rest(1))
		}},
		{Name: "pack_into", Sig: "*values", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			l, e := self(m, a.V[0])
			if e != nil {
				return object.Value{}, e
			}
			return l.packInto(m, a.Rest(1))
		}},
		{Name: "unpack", Sig: "buffer, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			l, e := self(m, a.V[0])
			if e != nil {
				return object.Value{}, e
			}
			return l.unpackAll(m, a.V[1])
		}},
		{Name: "unpack_from", Sig: "buffer, offset=0", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			l, e := self(m, a.V[0])
			if e != nil {
				return object.Value{}, e
			}
			return l.unpackFrom(m, a.V[1], a.Or(2, object.Int(0)))
		}},
		{Name: "iter_unpack", Sig: "buffer, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			l, e := self(m, a.V[0])
			if e != nil {
				return object.Value{}, e
			}
			return l.iterUnpack(m, a.V[1])
		}},
	},
	Fields: []object.Field{
		{Name: "format", Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			return m.Str(object.Trust[Struct](v).format), nil
		}},
		{Name: "size", Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			l, e := self(m, v)
			if e != nil {
				return object.Value{}, e
			}
			return object.Int(int64(l.size)), nil
		}},
	},
	Size: func(o *object.Object) int {
		s := object.Trust[Struct](object.Of(o))
		n := structSize + len(s.format)
		if s.layout != nil {
			n += 48 * len(s.layout.fields)
		}
		return n
	},
})

// structSize is the size of a Struct by formula, without its format.
const structSize = 64

func structNew(m *object.Machine, t *object.Type, a object.Args) (object.Value, *object.Exception) {
	m.Hold(structSize)
	return object.Of(&object.Alloc[Struct](m, t, 0).Object), nil
}

func structInit(m *object.Machine, v object.Value, a object.Args) *object.Exception {
	format := a.Arg(0)
	if format.IsZero() {
		format = a.Keyword("format")
	}
	switch {
	case format.IsZero():
		return m.TypeError("Struct() missing required argument 'format' (pos 1)")
	case len(a.V) > 1:
		return m.TypeError("Struct() takes at most 1 argument (%d given)", len(a.V))
	}
	text, e := formatText(m, format)
	if e != nil {
		return e
	}
	l, e := compile(m, text)
	if e != nil {
		return e
	}
	s := object.Trust[Struct](v)
	s.format, s.layout = text, l
	m.Account(len(text) + 48*len(l.fields))
	return nil
}

func self(m *object.Machine, v object.Value) (*layout, *object.Exception) {
	if l := object.Trust[Struct](v).layout; l != nil {
		return l, nil
	}
	return nil, m.RuntimeError("Struct object is not initialized")
}

// formatText returns the text of a format given as str or bytes.
func formatText(m *object.Machine, v object.Value) (string, *object.Exception) {
	if s, ok := v.AsStr(); ok {
		if !s.ASCII() {
			at := 0
			for at < s.Len() && s.At(at) < 0x80 {
				at++
			}
			return "", m.ASCIIError(v, at)
		}
		return s.String(), nil
	}
	if b, ok := v.AsBytes(); ok {
		return string(b.Data()), nil
	}
	return "", m.TypeError("Struct() argument 1 must be a str or bytes object, not %s", v.Type().Name)
}

func raise(m *object.Machine, format string, a ...any) *object.Exception {
	return m.Raise(&typeError, format, a...)
}

// layoutArgument compiles the first argument of a module function.
func layoutArgument(m *object.Machine, a object.Args) (*layout, *object.Exception) {
	v := a.Arg(0)
	if v.IsZero() {
		return nil, m.TypeError("missing format argument")
	}
	if s, ok := object.Cast[Struct](v, &typeStruct); ok && s.layout != nil {
		return s.layout, nil
	}
	text, e := formatText(m, v)
	if e != nil {
		return nil, e
	}
	return compile(m, text)
}

func (l *layout) packNew(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	if len(a.Names) > 0 {
		return object.Value{}, m.TypeError("pack() takes no keyword arguments")
	}
	if len(a.V) != l.values {
		return object.Value{}, raise(m, "pack expected %d items for packing (got %d)", l.values, len(a.V))
	}
	if e := l.chargePack(m); e != nil {
		return object.Value{}, e
	}
	if e := m.Reserve(l.size); e != nil {
		return object.Value{}, e
	}
	dst := make([]byte, l.size)
	if e := l.pack(m, dst, a.V); e != nil {
		return object.Value{}, e
	}
	return m.Bytes(dst), nil
}

func (l *layout) chargePack(m *object.Machine) *object.Exception {
	return m.Charge(10 + valueCost*l.values + l.size/16)
}

func (l *layout) packInto(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	switch {
	case len(a.Names) > 0:
		return object.Value{}, m.TypeError("pack_into() takes no keyword arguments")
	case len(a.V) == 0:
		return object.Value{}, raise(m, "pack_into expected buffer argument")
	case len(a.V) == 1:
		return object.Value{}, raise(m, "pack_into expected offset argument")
	case len(a.V)-2 != l.values:
		return object.Value{}, raise(m, "pack_into expected %d items for packing (got %d)", l.values, len(a.V)-2)
	}
	b, e := buffer.Writable(m, a.V[0])
	if e != nil {
		return object.Value{}, e
	}
	offset, e := l.offset(m, a.V[1], &object.ExcIndexError, len(b), "no space to pack", "pack_into", "packing")
	if e != nil {
		return object.Value{}, e
	}
	if e := l.chargePack(m); e != nil {
		return object.Value{}, e
	}
	// Converting a value may run Python code that resizes the buffer, so the
	// bytes are made first.
	if e := m.Reserve(l.size); e != nil {
		return object.Value{}, e
	}
	made := make([]byte, l.size)
	if e := l.pack(m, made, a.V[2:]); e != nil {
		return object.Value{}, e
	}
	if b, e = buffer.Writable(m, a.V[0]); e != nil {
		return object.Value{}, e
	}
	if len(b)-offset < l.size {
		return object.Value{}, m.Raise(&object.ExcBufferError, "the buffer was resized while values were packed")
	}
	copy(b[offset:], made)
	return object.None, nil
}

// offset converts the place in a buffer of size bytes where a structure begins. Of the
// errors, exc is that of what fits no machine word; missing, function and doing word the others.
func (l *layout) offset(m *object.Machine, v object.Value, exc *object.Type, size int, missing, function, doing string) (int, *object.Exception) {
	at, e := m.IndexInt64(v, exc)
	if e != nil {
		return 0, e
	}
	if at < 0 {
		switch {
		case at+int64(l.size) > 0:
			return 0, raise(m, "%s %d bytes at offset %d", missing, l.size, at)
		case at+int64(size) < 0:
			return 0, raise(m, "offset %d out of range for %d-byte buffer", at, size)
		}
		at += int64(size)
	}
	if int64(size)-at < int64(l.size) {
		return 0, raise(m, "%s requires a buffer of at least %d bytes for %s %d bytes at offset %d (actual buffer size is %d)",
			function, uint64(at)+uint64(l.size), doing, l.size, at, size)
	}
	return int(at), nil
}

func (l *layout) unpackAll(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
	b, e := buffer.Read(m, v)
	if e != nil {
		return object.Value{}, e
	}
	if len(b) != l.size {
		return object.Value{}, raise(m, "unpack requires a buffer of %d bytes", l.size)
	}
	return l.unpack(m, b)
}

func (l *layout) unpackFrom(m *object.Machine, v, at object.Value) (object.Value, *object.Exception) {
	b, e := buffer.Read(m, v)
	if e != nil {
		return object.Value{}, e
	}
	offset, e := l.offset(m, at, nil, len(b), "not enough data to unpack", "unpack_from", "unpacking")
	if e != nil {
		return object.Value{}, e
	}
	return l.unpack(m, b[offset:offset+l.size])
}

// Unpacker iterates over the records of a buffer.
type Unpacker struct {
	object.Object
	layout *layout
	source object.Value // a memoryview, which keeps the buffer's size; zero at the end
	at     int
}

// bytes returns what is left, and lets go of a buffer that is used up.
func (u *Unpacker) bytes(m *object.Machine) []byte {
	if u.source.IsZero() {
		return nil
	}
	b, _ := buffer.Bytes(m, u.source)
	if len(b) <= u.at {
		u.source = object.Value{}
		return nil
	}
	return b[u.at:]
}

var _ = object.Define(&typeUnpack, object.Spec{
	Name: "unpack_iterator", Module: "_struct", NoNew: true, Final: true,
	Layout: object.LayoutOf[Unpacker](object.KindNative),
	Slots: object.Slots{
		Iter: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) { return v, nil },
		Next: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			u := object.Trust[Unpacker](v)
			b := u.bytes(m)
			if len(b) < u.layout.size {
				return object.Value{}, nil
			}
			u.at += u.layout.size
			return u.layout.unpack(m, b[:u.layout.size])
		},
	},
	Methods: []object.Method{{Name: "__length_hint__", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		u := object.Trust[Unpacker](a.V[0])
		return object.Int(int64(len(u.bytes(m)) / u.layout.size)), nil
	}}},
	Traverse: func(o *object.Object, visit func(object.Value)) {
		if source := object.Trust[Unpacker](object.Of(o)).source; !source.IsZero() {
			visit(source)
		}
	},
})

func (l *layout) iterUnpack(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
	b, e := buffer.Read(m, v)
	switch {
	case e != nil:
		return object.Value{}, e
	case l.size == 0:
		return object.Value{}, raise(m, "cannot iteratively unpack with a struct of length 0")
	case len(b)%l.size != 0:
		return object.Value{}, raise(m, "iterative unpacking requires a buffer of a multiple of %d bytes", l.size)
	}
	view, e := m.Call(object.TypeMemoryView.Value(), object.Positional(v))
	if e != nil {
		return object.Value{}, e
	}
	u := object.Alloc[Unpacker](m, &typeUnpack, 0)
	u.layout, u.source = l, view
	return object.Of(&u.Object), nil
}

// withLayout makes a module function of one of a layout: its first argument is
// the format.
func withLayout(f func(m *object.Machine, l *layout, a object.Args) (object.Value, *object.Exception)) object.Func {
	return func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		l, e := layoutArgument(m, a)
		if e != nil {
			return object.Value{}, e
		}
		return f(m, l, a.Rest(1))
	}
}

// entries are shared by all machines.
var entries = namespace.Join(
	namespace.Functions("struct",
		object.Method{Name: "calcsize", Sig: "format, /", Func: withLayout(func(m *object.Machine, l *layout, a object.Args) (object.Value, *object.Exception) {
			return object.Int(int64(l.size)), nil
		})},
		object.Method{Name: "pack", Sig: "*values", Func: withLayout(func(m *object.Machine, l *layout, a object.Args) (object.Value, *object.Exception) {
			return l.packNew(m, a)
		})},
		object.Method{Name: "pack_into", Sig: "*values", Func: withLayout(func(m *object.Machine, l *layout, a object.Args) (object.Value, *object.Exception) {
			return l.packInto(m, a)
		})},
		object.Method{Name: "unpack", Sig: "format, buffer, /", Func: withLayout(func(m *object.Machine, l *layout, a object.Args) (object.Value,
			*object.Exception) {
			return l.unpackAll(m, a.V[0])
		})},
		object.Method{Name: "unpack_from", Sig: "format, /, buffer, offset=0",
			Func: withLayout(func(m *object.Machine, l *layout, a object.Args) (object.Value, *object.Exception) {
				return l.unpackFrom(m, a.V[0], a.Or(1, object.Int(0)))
			})},
		object.Method{Name: "iter_unpack", Sig: "format, buffer, /",
			Func: withLayout(func(m *object.Machine, l *layout, a object.Args) (object.Value, *object.Exception) {
				return l.iterUnpack(m, a.V[0])
			})},
	),
	namespace.Types(&typeStruct, &typeError),
)

// Fill makes the module's namespace.
func Fill(m *object.Machine, mod *object.Module) *object.Exception {
	return namespace.Fill(m, mod, entries)
}
