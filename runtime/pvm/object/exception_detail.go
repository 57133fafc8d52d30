package object

import "unsafe"

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
			switch args := m.Arguments(v.exception()); len(args) {
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
			if args := m.Arguments(v.exception()); len(args) == 1 {
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
			msg := Value{}
			if len(a.Pos()) == 1 {
				msg = a.V[0]
			}
			v.exception().SetField(2, msg)
			return nil
		}
		s.Slots.Str = func(m *Machine, v Value) (Value, *Exception) {
			if msg := v.exception().Field(2); msg.ref != nil && msg.ref.kind == KindStr {
				return msg, nil
			}
			return exceptionStr(m, v)
		}
	case &ExcOSError:
		osErrorDetails(s)
	case &ExcBlockingIOError:
		s.Fields = []Field{writtenField()}
	case &ExcSyntaxError:
		syntaxErrorDetails(s)
	case &ExcUnicodeDecodeError, &ExcUnicodeEncodeError, &ExcUnicodeTranslateError:
		unicodeErrorDetails(t, s)
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
		if args := m.Arguments(e); i < len(args) {
			return args[i], nil
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
		if v.exception().extra != nil {
			for i := range names {
				v.exception().SetField(i, Value{})
			}
		}
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
	if e.tb == nil || len(e.tb.trace) > len(e.Trace) {
		e.tb = m.newTraceback(e.Trace, len(e.Trace)-1)
	}
	for at := len(e.tb.trace); at < len(e.Trace); at++ { // what it has passed since
		outer := m.newTraceback(e.Trace, at)
		outer.next, e.tb = e.tb, outer
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
