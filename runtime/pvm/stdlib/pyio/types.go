package pyio

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

var typeText, typeReader, typeWriter, typeRandom, typeRaw object.Type

// types are those of files, by flavor.
var types = [...]*object.Type{
	textFile: object.Define(&typeText, spec("TextIOWrapper", textFile)), reader: object.Define(&typeReader, spec("BufferedReader", reader)),
	writer: object.Define(&typeWriter, spec("BufferedWriter", writer)), random: object.Define(&typeRandom, spec("BufferedRandom", random)),
	rawFile: object.Define(&typeRaw, spec("FileIO", rawFile)),
}

func spec(name string, kind flavor) object.Spec {
	s := object.Spec{
		Name: name, Module: "_io", NoNew: true, Final: true,
		Layout:   object.LayoutOf[File](object.KindNative),
		Slots:    object.Slots{Repr: repr, Iter: iterate, Next: next},
		Methods:  common(),
		Fields:   fields(kind),
		Traverse: func(o *object.Object, visit func(object.Value)) { visit(self(object.Of(o)).name) },
	}
	if kind != textFile {
		s.Methods = append(s.Methods, binary(kind)...)
	}
	return s
}

func repr(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
	f := self(v)
	if f.flavor == rawFile && f.closed {
		return m.Str("<_io.FileIO [closed]>"), nil
	}
	name, e := m.ReprText(f.name)
	if e != nil {
		return object.Value{}, e
	}
	if e := m.ChargeLen(0, len(name), 8); e != nil {
		return object.Value{}, e
	}
	text := "<" + v.Type().FullName() + " name=" + name
	switch f.flavor {
	case textFile:
		encoding, _ := f.encoding.AsStr()
		text += " mode='" + f.mode + "' encoding='" + encoding.String() + "'"
	case rawFile:
		text += " mode='" + f.mode + "' closefd=True"
	}
	return m.Str(text + ">"), nil
}

func iterate(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
	return v, self(v).open(m, "")
}

// next is a step of a loop over the lines; the zero Value ends it.
func next(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
	f := self(v)
	operation := "readline"
	if f.flavor == writer {
		operation = "read"
	}
	if e := f.readable(m, operation); e != nil {
		return object.Value{}, e
	}
	f.silent = true
	line, e := f.readLine(m, -1)
	if e != nil {
		return object.Value{}, e
	}
	if lengthOf(line) == 0 {
		f.silent = false
		return object.Value{}, nil
	}
	return line, nil
}

func fields(kind flavor) []object.Field {
	field := func(name string, get func(m *object.Machine, f *File) object.Value) object.Field {
		return object.Field{Name: name, Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			return get(m, self(v)), nil
		}}
	}
	list := []object.Field{
		field("name", func(_ *object.Machine, f *File) object.Value { return f.name }),
		field("mode", func(m *object.Machine, f *File) object.Value { return m.Str(f.mode) }),
		field("closed", func(_ *object.Machine, f *File) object.Value { return object.Bool(f.closed) }),
	}
	if kind != textFile {
		return list
	}
	return append(list,
		field("encoding", func(_ *object.Machine, f *File) object.Value { return f.encoding }),
		field("errors", func(m *object.Machine, _ *File) object.Value { return m.Str("strict") }),
		field("newlines", func(m *object.Machine, f *File) object.Value { return f.newlines(m) }),
		field("line_buffering", func(*object.Machine, *File) object.Value { return object.False }),
		field("write_through", func(*object.Machine, *File) object.Value { return object.False }),
	)
}

// method is a method on a file.
func method(name, sig string, call func(m *object.Machine, f *File, a object.Args) (object.Value, *object.Exception)) object.Method {
	return object.Method{Name: name, Sig: sig, Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		return call(m, self(a.V[0]), a)
	}}
}

// size reads an argument that says how much: missing or, where none is allowed, None is all.
func size(m *object.Machine, v object.Value, none bool) (int, *object.Exception) {
	if v.IsZero() || none && v.IsNone() {
		return -1, nil
	}
	if none && v.Type().Slots.ToIndex == nil {
		return 0, m.TypeError("argument should be integer or None, not '%s'", v.Type().Name)
	}
	n, e := m.IndexInt(v, &object.ExcOverflowError)
	return max(n, -1), e
}

// common are the methods of every type.
func common() []object.Method {
	return append(moving(), []object.Method{
		method("read", "size=-1, /", func(m *object.Machine, f *File, a object.Args) (object.Value, *object.Exception) {
			if e := f.readable(m, "read"); e != nil {
				return object.Value{}, e
			}
			n, e := size(m, a.Arg(1), true)
			if e != nil {
				return object.Value{}, e
			}
			return f.read(m, n)
		}),
		method("readline", "size=-1, /", func(m *object.Machine, f *File, a object.Args) (object.Value, *object.Exception) {
			if f.flavor == writer { // reads byte by byte, in CPython, as many as are asked for
				if n, e := size(m, a.Arg(1), true); e != nil || n == 0 {
					return m.Bytes(nil), e
				}
				return object.Value{}, unsupported(m, "read")
			}
			if e := f.readable(m, "readline"); e != nil {
				return object.Value{}, e
			}
			n, e := size(m, a.Arg(1), f.flavor != textFile)
			if e != nil {
				return object.Value{}, e
			}
			return f.readLine(m, n)
		}),
		method("readlines", "hint=-1, /", func(m *object.Machine, f *File, a object.Args) (object.Value, *object.Exception) {
			if e := f.open(m, ""); e != nil {
				return object.Value{}, e
			}
			if e := f.readable(m, "read"); e != nil {
				return object.Value{}, e
			}
			hint, e := size(m, a.Arg(1), true)
			if e != nil {
				return object.Value{}, e
			}
			return f.readLines(m, hint)
		}),
		method("write", "text, /", func(m *object.Machine, f *File, a object.Args) (object.Value, *object.Exception) {
			return f.write(m, a.V[1])
		}),
		method("writelines", "lines, /", func(m *object.Machine, f *File, a object.Args) (object.Value, *object.Exception) {
			if e := f.open(m, ""); e != nil {
				return object.Value{}, e
			}
			return object.None, m.Iterate(a.V[1], func(line object.Value) (bool, *object.Exception) {
				_, e := f.write(m, line)
				return true, e
			})
		}),
		method("__enter__", "", func(m *object.Machine, f *File, a object.Args) (object.Value, *object.Exception) {
			return a.V[0], f.open(m, "")
		}),
		method("__exit__", object.Unbound, func(_ *object.Machine, f *File, _ object.Args) (object.Value, *object.Exception) {
			f.closed = true
			return object.None, nil
		}),
		method("close", "", func(_ *object.Machine, f *File, _ object.Args) (object.Value, *object.Exception) {
			f.closed = true
			return object.None, nil
		}),
		method("flush", "", func(m *object.Machine, f *File, _ object.Args) (object.Value, *object.Exception) {
			operation := "flush"
			if f.flavor == rawFile || f.flavor == reader {
				operation = ""
			}
			return object.None, f.open(m, operation)
		}),
		asked("readable", func(f *File) bool { return f.reads }, func(f *File) bool { return f.reads }),
		asked("writable", func(f *File) bool { return f.writes }, func(f *File) bool { return f.writes }),
		asked("seekable", func(*File) bool { return true }, nil),
		asked("isatty", func(*File) bool { return false }, nil),
		method("fileno", "", func(m *object.Machine, _ *File, _ object.Args) (object.Value, *object.Exception) {
			return object.Value{}, unsupported(m, "fileno")
		}),
		method("detach", "", func(m *object.Machine, _ *File, _ object.Args) (object.Value, *object.Exception) {
			return object.Value{}, unsupported(m, "detach")
		}),
	}...)
}

// asked is a question about a file; one that is closed refuses it where strict says so, or always.
func asked(name string, answer, strict func(*File) bool) object.Method {
	return method(name, "", func(m *object.Machine, f *File, _ object.Args) (object.Value, *object.Exception) {
		if f.closed && (strict == nil || strict(f)) {
			return object.Value{}, m.ValueError(closedRaw)
		}
		return object.Bool(answer(f)), nil
	})
}

// moving are seek, tell and truncate.
func moving() []object.Method {
	return []object.Method{
		method("seek", "cookie, whence=0, /", func(m *object.Machine, f *File, a object.Args) (object.Value, *object.Exception) {
			if e := f.open(m, "seek"); e != nil {
				return object.Value{}, e
			}
			to, e := m.IndexInt64(a.V[1], &object.ExcValueError)
			if e != nil {
				return object.Value{}, e
			}
			whence, e := m.IndexInt64(a.Or(2, object.Int(0)), nil)
			if e != nil {
				return object.Value{}, e
			}
			if f.flavor == textFile {
				return f.seekText(m, to, whence)
			}
			return f.seek(m, to, whence)
		}),
		method("tell", "", func(m *object.Machine, f *File, _ object.Args) (object.Value, *object.Exception) {
			if f.closed && f.flavor != textFile {
				return object.Value{}, m.ValueError(closedRaw)
			}
			if e := f.open(m, ""); e != nil {
				return object.Value{}, e
			}
			if f.silent && f.flavor == textFile {
				return object.Value{}, m.Raise(&object.ExcOSError, "telling position disabled by next() call")
			}
			return object.Int(int64(f.pos)), nil
		}),
		method("truncate", "pos=None, /", func(m *object.Machine, f *File, a object.Args) (object.Value, *object.Exception) {
			if e := f.open(m, "truncate"); e != nil {
				return object.Value{}, e
			}
			if !f.writes {
				what := "truncate"
				if f.flavor == rawFile {
					what = "File not open for writing"
				}
				return object.Value{}, unsupported(m, what)
			}
			return f.truncate(m, a.Arg(1))
		}),
	}
}

// binary are the methods of binary files beside the common ones.
func binary(kind flavor) []object.Method {
	into := func(m *object.Machine, f *File, a object.Args) (object.Value, *object.Exception) {
		operation := "readinto"
		if f.flavor == writer {
			operation = "read"
		}
		if e := f.readable(m, operation); e != nil {
			return object.Value{}, e
		}
		return f.readInto(m, a.V[1])
	}
	list := []object.Method{method("readinto", "buffer, /", into)}
	if kind == rawFile {
		return append(list, method("readall", "", func(m *object.Machine, f *File, _ object.Args) (object.Value, *object.Exception) {
			if e := f.open(m, "read"); e != nil {
				return object.Value{}, e
			}
			if !f.reads {
				return object.Value{}, systemError(m, badFile, object.Value{})
			}
			return f.read(m, -1)
		}))
	}
	return append(list, method("readinto1", "buffer, /", into), method("read1", "size=-1, /",
		func(m *object.Machine, f *File, a object.Args) (object.Value, *object.Exception) {
			if e := f.readable(m, "read1"); e != nil {
				return object.Value{}, e
			}
			n, e := size(m, a.Arg(1), false)
			if e != nil {
				return object.Value{}, e
			}
			return f.read(m, n)
		}))
}
