package object

import (
	"strconv"
	"unsafe"
)

// exceptionDetails adds what single exception types have beyond the common.
func exceptionDetails(t *Type, s *Spec) {
	switch t {
	case &ExcStopIteration:
		s.Fields = []Field{argField("value", 0)}
	case &ExcSystemExit:
		s.Fields = []Field{{Name: "code", Get: func(m *Machine, v Value) (Value, *Exception) {
			if f := v.exception().Field(0); f.ref != nil {
				return f, nil
			}
			switch args := v.exception().Args; len(args) {
			case 0:
				return None, nil
			case 1:
				return args[0], nil
			default:
				return m.Tuple(args...), nil
			}
		}, Set: setExtra(0)}}
	case &ExcKeyError:
		s.Slots.Str = func(m *Machine, v Value) (Value, *Exception) {
			if args := v.exception().Args; len(args) == 1 {
				return m.Repr(args[0])
			}
			return exceptionStr(m, v)
		}
	case &ExcAttributeError:
		s.Fields = []Field{extraField("name", 0), extraField("obj", 1)}
		s.Slots.Init = keywordInit("name", "obj")
	case &ExcNameError:
		s.Fields = []Field{extraField("name", 0)}
		s.Slots.Init = keywordInit("name")
	case &ExcImportError:
		s.Fields = []Field{extraField("name", 0), extraField("path", 1), extraField("msg", 2)}
		init := keywordInit("name", "path")
		s.Slots.Init = func(m *Machine, v Value, a Args) *Exception {
			if e := init(m, v, a); e != nil {
				return e
			}
			if len(a.Pos()) == 1 {
				v.exception().SetField(2, a.V[0])
			}
			return nil
		}
		s.Slots.Str = func(m *Machine, v Value) (Value, *Exception) {
			if msg := v.exception().Field(2); msg.ref != nil && msg.ref.kind == KindStr {
				return msg, nil
			}
			return exceptionStr(m, v)
		}
	case &ExcOSError:
		s.Slots.New = osErrorNew
		s.Fields = []Field{osField("errno", 0), osField("strerror", 1), osField("filename", 2)}
		s.Slots.Str = osErrorStr
	case &ExcSyntaxError:
		s.Fields = []Field{extraField("msg", 0), syntaxField("filename", 0), syntaxField("lineno", 1), syntaxField("offset", 2),
			syntaxField("text", 3), syntaxField("end_lineno", 4), syntaxField("end_offset", 5)}
		s.Slots.Init = func(m *Machine, v Value, a Args) *Exception {
			if e := exceptionInit(m, v, a); e != nil {
				return e
			}
			if len(a.V) > 0 {
				v.exception().SetField(0, a.V[0])
			}
			return nil
		}
		s.Slots.Str = syntaxErrorStr
	case &ExcUnicodeDecodeError, &ExcUnicodeEncodeError:
		s.Fields = []Field{argField("encoding", 0), argField("object", 1), argField("start", 2), argField("end", 3), argField("reason", 4)}
		s.Slots.Str = unicodeErrorStr
		want := "str"
		if t == &ExcUnicodeDecodeError {
			want = "a bytes-like object"
		}
		s.Slots.Init = func(m *Machine, v Value, a Args) *Exception { return unicodeErrorInit(m, v, a, want) }
	case &ExcBaseExceptionGroup:
		groupDetails(s)
	}
}

func argField(name string, i int) Field {
	return Field{Name: name, Get: func(m *Machine, v Value) (Value, *Exception) {
		e := v.exception()
		if f := e.Field(i); f.ref != nil {
			return f, nil
		}
		if i < len(e.Args) {
			return e.Args[i], nil
		}
		return None, nil
	}, Set: setExtra(i)}
}

func setExtra(i int) func(m *Machine, v, val Value) *Exception {
	return func(m *Machine, v, val Value) *Exception {
		if val.ref == nil {
			val = None
		}
		v.exception().SetField(i, val)
		m.noteStore(v.ref, val)
		return nil
	}
}

func extraField(name string, i int) Field {
	return Field{Name: name, Get: func(m *Machine, v Value) (Value, *Exception) {
		if f := v.exception().Field(i); f.ref != nil {
			return f, nil
		}
		return None, nil
	}, Set: setExtra(i)}
}

// keywordInit is the initialiser of types that take some fields by keyword.
func keywordInit(names ...string) func(m *Machine, v Value, a Args) *Exception {
	return func(m *Machine, v Value, a Args) *Exception {
		for i, n := range a.Names {
			at := -1
			for j, want := range names {
				if n.s == want {
					at = j
				}
			}
			if at < 0 {
				return m.TypeError("'%s' is an invalid keyword argument for %s()", n.s, v.ref.typ.Name)
			}
			v.exception().SetField(at, a.V[len(a.Pos())+i])
		}
		return exceptionInit(m, v, Args{V: a.Pos()})
	}
}

func osField(name string, i int) Field {
	return Field{Name: name, Get: func(m *Machine, v Value) (Value, *Exception) {
		e := v.exception()
		if f := e.Field(i); f.ref != nil {
			return f, nil
		}
		if n := len(e.Args); n >= 2 && n <= 5 && i < n {
			return e.Args[i], nil
		}
		return None, nil
	}, Set: setExtra(i)}
}

func osErrorStr(m *Machine, v Value) (Value, *Exception) {
	e := v.exception()
	if len(e.Args) < 2 {
		return exceptionStr(m, v)
	}
	code, exc := m.strText(e.Args[0])
	if exc != nil {
		return Value{}, exc
	}
	msg, exc := m.strText(e.Args[1])
	if exc != nil {
		return Value{}, exc
	}
	text := "[Errno " + code + "] " + msg
	if len(e.Args) > 2 {
		name, exc := m.reprText(e.Args[2])
		if exc != nil {
			return Value{}, exc
		}
		text += ": " + name
	}
	return m.Str(text), nil
}

// syntaxField reads the details tuple of a SyntaxError.
func syntaxField(name string, i int) Field {
	return Field{Name: name, Get: func(m *Machine, v Value) (Value, *Exception) {
		if args := v.exception().Args; len(args) == 2 {
			if d, ok := args[1].AsTuple(); ok && i < len(d.items) {
				return d.items[i], nil
			}
		}
		return None, nil
	}}
}

func syntaxErrorStr(m *Machine, v Value) (Value, *Exception) {
	e := v.exception()
	msg := e.Field(0)
	if msg.ref == nil {
		return exceptionStr(m, v)
	}
	text, exc := m.strText(msg)
	if exc != nil {
		return Value{}, exc
	}
	if len(e.Args) == 2 {
		if d, ok := e.Args[1].AsTuple(); ok && len(d.items) > 1 {
			file, hasFile := d.items[0].AsStr()
			line := d.items[1]
			switch {
			case hasFile && line.IsInt():
				text += " (" + file.s + ", line " + strconv.FormatInt(line.Int64(), 10) + ")"
			case hasFile:
				text += " (" + file.s + ")"
			case line.IsInt():
				text += " (line " + strconv.FormatInt(line.Int64(), 10) + ")"
			}
		}
	}
	return m.Str(text), nil
}

func unicodeErrorInit(m *Machine, v Value, a Args, want string) *Exception {
	if e := exceptionInit(m, v, a); e != nil {
		return e
	}
	if len(a.V) != 5 {
		return m.TypeError("function takes exactly 5 arguments (%d given)", len(a.V))
	}
	for _, i := range []int{0, 4} {
		if _, ok := a.V[i].AsStr(); !ok {
			return m.TypeError("argument %d must be str, not %s", i+1, a.V[i].ref.typ.Name)
		}
	}
	for _, i := range []int{2, 3} {
		if _, e := m.Index(a.V[i]); e != nil {
			return e
		}
	}
	if _, ok := a.V[1].AsStr(); ok != (want == "str") {
		return m.TypeError("argument 2 must be %s, not %s", want, a.V[1].ref.typ.Name)
	}
	return nil
}

func unicodeErrorStr(m *Machine, v Value) (Value, *Exception) {
	args := v.exception().Args
	if len(args) != 5 {
		return exceptionStr(m, v)
	}
	start, end := args[2].Int64(), args[3].Int64()
	enc, reason := args[0].str().s, args[4].str().s
	if b, ok := args[1].AsBytes(); ok {
		if end == start+1 && start >= 0 && int(start) < len(b.b) {
			return m.Str("'" + enc + "' codec can't decode byte 0x" + strconv.FormatUint(uint64(b.b[start])|0x100, 16)[1:] +
				" in position " + strconv.FormatInt(start, 10) + ": " + reason), nil
		}
		return m.Str("'" + enc + "' codec can't decode bytes in position " + strconv.FormatInt(start, 10) + "-" + strconv.FormatInt(end-1, 10) + ": " + reason), nil
	}
	s, ok := args[1].AsStr()
	if ok && end == start+1 && start >= 0 && int(start) < s.n {
		r := s.At(int(start))
		hex := strconv.FormatUint(uint64(r), 16)
		switch {
		case r < 0x100:
			hex = "\\x" + pad(hex, 2)
		case r < 0x10000:
			hex = "\\u" + pad(hex, 4)
		default:
			hex = "\\U" + pad(hex, 8)
		}
		return m.Str("'" + enc + "' codec can't encode character '" + hex + "' in position " + strconv.FormatInt(start, 10) + ": " + reason), nil
	}
	return m.Str("'" + enc + "' codec can't encode characters in position " + strconv.FormatInt(start, 10) + "-" + strconv.FormatInt(end-1, 10) + ": " + reason), nil
}

func pad(s string, n int) string {
	for len(s) < n {
		s = "0" + s
	}
	return s
}

// UnicodeDecodeError returns the exception for bytes that are not UTF-8.
func (m *Machine) UnicodeDecodeError(b Value, start, end int, reason string) *Exception {
	return m.RaiseValue(&ExcUnicodeDecodeError, m.Str("utf-8"), b, Int(int64(start)), Int(int64(end)), m.Str(reason))
}

// UnicodeEncodeError returns the exception for text that UTF-8 cannot hold.
func (m *Machine) UnicodeEncodeError(s Value, start, end int, reason string) *Exception {
	return m.RaiseValue(&ExcUnicodeEncodeError, m.Str("utf-8"), s, Int(int64(start)), Int(int64(end)), m.Str(reason))
}

// Traceback is a traceback object: the frames that an exception passed, from
// entry at of the trace inwards.
type Traceback struct {
	Object
	trace []TraceEntry
	at    int
	next  *Traceback
}

// TypeTraceback is the type of traceback objects.
var TypeTraceback Type

func defineTraceback() {
	Define(&TypeTraceback, Spec{
		Name: "traceback", Layout: LayoutOf[Traceback](KindNative), NoNew: true, Final: true,
		Traverse: func(o *Object, visit func(Value)) {
			if n := (*Traceback)(unsafe.Pointer(o)).next; n != nil {
				visit(Value{ref: &n.Object})
			}
		},
		Fields: []Field{
			{Name: "tb_lineno", Get: func(m *Machine, v Value) (Value, *Exception) {
				en := Trust[Traceback](v).entry()
				return Int(int64(en.Code.Pos4[en.PC].Line)), nil
			}},
			{Name: "tb_next", Get: func(m *Machine, v Value) (Value, *Exception) {
				tb := Trust[Traceback](v)
				if tb.at == 0 {
					return None, nil
				}
				if tb.next == nil {
					tb.next = m.newTraceback(tb.trace, tb.at-1)
				}
				return Value{ref: &tb.next.Object}, nil
			}},
			{Name: "tb_lasti", Get: func(m *Machine, v Value) (Value, *Exception) {
				return Int(int64(Trust[Traceback](v).entry().PC)), nil
			}},
			{Name: "tb_frame", Get: func(m *Machine, v Value) (Value, *Exception) {
				return Value{}, m.DeterminismError("frames are not accessible")
			}},
		},
	})
}

func (t *Traceback) entry() TraceEntry { return t.trace[t.at] }

func (m *Machine) newTraceback(trace []TraceEntry, at int) *Traceback {
	tb := Alloc[Traceback](m, &TypeTraceback, 0)
	tb.trace, tb.at = trace, at
	return tb
}

func exceptionTraceback(m *Machine, v Value) (Value, *Exception) {
	e := v.exception()
	if len(e.Trace) == 0 {
		return None, nil
	}
	if e.tb == nil || len(e.tb.trace) != len(e.Trace) {
		e.tb = m.newTraceback(e.Trace, len(e.Trace)-1)
	}
	return Value{ref: &e.tb.Object}, nil
}

// setTraceback is the assignment to __traceback__.
func setTraceback(m *Machine, v, val Value) *Exception {
	if val.ref == nil {
		return m.TypeError("__traceback__ may not be deleted")
	}
	e := v.exception()
	if val.IsNone() {
		e.Trace, e.tb = nil, nil
		return nil
	}
	tb, ok := Cast[Traceback](val, &TypeTraceback)
	if !ok {
		return m.TypeError("__traceback__ must be a traceback or None")
	}
	e.Trace = tb.trace[: tb.at+1 : tb.at+1]
	e.tb = nil
	if tb.at == len(tb.trace)-1 {
		e.tb = tb
	}
	return nil
}
