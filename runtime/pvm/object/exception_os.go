package object

// osErrorTypes are the classes that OSError makes of error numbers. The numbers
// are those of Linux on every machine.
var osErrorTypes = map[int64]*Type{
	1: &ExcPermissionError, 2: &ExcFileNotFoundError, 3: &ExcProcessLookupError, 4: &ExcInterruptedError,
	10: &ExcChildProcessError, 11: &ExcBlockingIOError, 13: &ExcPermissionError, 17: &ExcFileExistsError,
	20: &ExcNotADirectoryError, 21: &ExcIsADirectoryError, 32: &ExcBrokenPipeError, 103: &ExcConnectionAbortedError,
	104: &ExcConnectionResetError, 108: &ExcBrokenPipeError, 110: &ExcTimeoutError, 111: &ExcConnectionRefusedError,
	114: &ExcBlockingIOError, 115: &ExcBlockingIOError,
}

// The fields of an OSError.
const (
	osErrno = iota
	osStrerror
	osFilename
	osFilename2
	osWritten
)

func osErrorDetails(s *Spec) {
	s.Fields = []Field{
		extraField("errno", osErrno), extraField("strerror", osStrerror), extraField("filename", osFilename),
		extraField("filename2", osFilename2),
	}
	s.Slots.New, s.Slots.Init, s.Slots.Str = osErrorNew, osErrorInit, osErrorStr
}

// writtenField is BlockingIOError.characters_written, which exists only if it was
// set.
func writtenField() Field {
	missing := func(m *Machine, v Value) *Exception {
		return m.AttributeError(v, m.name("characters_written"), "characters_written")
	}
	return Field{Name: "characters_written", Get: func(m *Machine, v Value) (Value, *Exception) {
		if n := v.exception().Field(osWritten); n.ref != nil {
			return n, nil
		}
		return Value{}, missing(m, v)
	}, Set: func(m *Machine, v, val Value) *Exception {
		if val.ref == nil {
			if v.exception().Field(osWritten).ref == nil {
				return missing(m, v)
			}
			v.exception().SetField(osWritten, Value{})
			return nil
		}
		n, e := m.IndexInt64(val, &ExcValueError)
		if e != nil {
			return e
		}
		v.exception().SetField(osWritten, Int(n))
		return nil
	}}
}

// initialises says whether __init__ takes the arguments of a class below OSError,
// as it does for a class that has an __init__ of its own and no __new__; otherwise
// __new__ takes them.
func (t *Type) initialises() bool {
	_, init := t.lookupOwner(nInit)
	_, made := t.lookupOwner(nNew)
	return init != nil && !init.Static() && (made == nil || made.Static())
}

// osErrorNew is OSError.__new__: OSError itself, called with an error number and
// a message, makes the class that stands for the number.
func osErrorNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if t.initialises() {
		return exceptionNew(m, t, Args{})
	}
	if len(a.Names) > 0 {
		return Value{}, m.TypeError("%s() takes no keyword arguments", t.Name)
	}
	if n := len(a.V); t == &ExcOSError && n >= 2 && n <= 5 && a.V[0].ref.kind == KindInt {
		if found, ok := osErrorTypes[a.V[0].Int64()]; ok {
			t = found
		}
	}
	m.meter.Owe(m.costs.Exception) // for the fields
	v, e := exceptionNew(m, t, a)
	if e != nil {
		return Value{}, e
	}
	return v, v.exception().osArguments(m, a.V)
}

// osErrorInit is OSError.__init__.
func osErrorInit(m *Machine, v Value, a Args) *Exception {
	if !v.ref.typ.initialises() {
		return nil
	}
	if e := exceptionInit(m, v, a); e != nil {
		return e
	}
	return v.exception().osArguments(m, a.V)
}

// osArguments takes the fields from the arguments: number, message, file name, one
// that is ignored, second file name. File names are no part of args.
func (x *Exception) osArguments(m *Machine, args []Value) *Exception {
	if len(args) < 2 || len(args) > 5 {
		return nil
	}
	x.SetField(osErrno, args[0])
	x.SetField(osStrerror, args[1])
	if len(args) < 3 || args[2].IsNone() {
		return nil
	}
	if x.typ.IsSubtype(&ExcBlockingIOError) && (args[2].ref.typ.Slots.ToIndex != nil || args[2].ref.typ.Slots.ToFloat != nil) {
		n, e := m.IndexInt64(args[2], &ExcValueError)
		if e != nil {
			return e
		}
		x.SetField(osWritten, Int(n))
		return nil
	}
	x.SetField(osFilename, args[2])
	if len(args) == 5 && !args[4].IsNone() {
		x.SetField(osFilename2, args[4])
	}
	x.SetArguments(append([]Value(nil), args[:2]...)...)
	return nil
}

func osErrorStr(m *Machine, v Value) (Value, *Exception) {
	x := v.exception()
	number, message := x.Field(osErrno), x.Field(osStrerror)
	name := x.Field(osFilename)
	if name.ref == nil && (number.ref == nil || message.ref == nil) {
		return exceptionStr(m, v)
	}
	code, e := m.strText(orNone(number))
	if e != nil {
		return Value{}, e
	}
	msg, e := m.strText(orNone(message))
	if e != nil {
		return Value{}, e
	}
	text := "[Errno " + code + "] " + msg
	for i, f := range []Value{name, x.Field(osFilename2)} {
		if f.ref == nil {
			break
		}
		shown, e := m.reprText(f)
		if e != nil {
			return Value{}, e
		}
		text += [...]string{": ", " -> "}[i] + shown
	}
	return m.shown(text), nil
}
