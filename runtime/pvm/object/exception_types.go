package object

import (
	"slices"
	"unsafe"
)

// The built-in exception types.
var (
	ExcBaseException             Type
	ExcSystemExit                Type
	ExcKeyboardInterrupt         Type
	ExcGeneratorExit             Type
	ExcBaseExceptionGroup        Type
	ExcException                 Type
	ExcExceptionGroup            Type
	ExcUnsupportedOperation      Type // of package io
	ExcStopIteration             Type
	ExcStopAsyncIteration        Type
	ExcArithmeticError           Type
	ExcFloatingPointError        Type
	ExcOverflowError             Type
	ExcZeroDivisionError         Type
	ExcAssertionError            Type
	ExcAttributeError            Type
	ExcBufferError               Type
	ExcEOFError                  Type
	ExcImportError               Type
	ExcModuleNotFoundError       Type
	ExcLookupError               Type
	ExcIndexError                Type
	ExcKeyError                  Type
	ExcMemoryError               Type
	ExcNameError                 Type
	ExcUnboundLocalError         Type
	ExcOSError                   Type
	ExcBlockingIOError           Type
	ExcChildProcessError         Type
	ExcConnectionError           Type
	ExcBrokenPipeError           Type
	ExcConnectionAbortedError    Type
	ExcConnectionRefusedError    Type
	ExcConnectionResetError      Type
	ExcFileExistsError           Type
	ExcFileNotFoundError         Type
	ExcInterruptedError          Type
	ExcIsADirectoryError         Type
	ExcNotADirectoryError        Type
	ExcPermissionError           Type
	ExcProcessLookupError        Type
	ExcTimeoutError              Type
	ExcReferenceError            Type
	ExcRuntimeError              Type
	ExcNotImplementedError       Type
	ExcRecursionError            Type
	ExcDeterminismError          Type
	ExcSyntaxError               Type
	ExcIndentationError          Type
	ExcTabError                  Type
	ExcSystemError               Type
	ExcTypeError                 Type
	ExcValueError                Type
	ExcUnicodeError              Type
	ExcUnicodeDecodeError        Type
	ExcUnicodeEncodeError        Type
	ExcUnicodeTranslateError     Type
	ExcWarning                   Type
	ExcBytesWarning              Type
	ExcDeprecationWarning        Type
	ExcEncodingWarning           Type
	ExcFutureWarning             Type
	ExcImportWarning             Type
	ExcPendingDeprecationWarning Type
	ExcResourceWarning           Type
	ExcRuntimeWarning            Type
	ExcSyntaxWarning             Type
	ExcUnicodeWarning            Type
	ExcUserWarning               Type
)

// exceptionTree lists every exception type behind its base.
var exceptionTree = [...]struct {
	t, base *Type
	name    string
}{
	{&ExcSystemExit, &ExcBaseException, "SystemExit"},
	{&ExcKeyboardInterrupt, &ExcBaseException, "KeyboardInterrupt"},
	{&ExcGeneratorExit, &ExcBaseException, "GeneratorExit"},
	{&ExcBaseExceptionGroup, &ExcBaseException, "BaseExceptionGroup"},
	{&ExcException, &ExcBaseException, "Exception"},
	{&ExcStopIteration, &ExcException, "StopIteration"},
	{&ExcStopAsyncIteration, &ExcException, "StopAsyncIteration"},
	{&ExcArithmeticError, &ExcException, "ArithmeticError"},
	{&ExcFloatingPointError, &ExcArithmeticError, "FloatingPointError"},
	{&ExcOverflowError, &ExcArithmeticError, "OverflowError"},
	{&ExcZeroDivisionError, &ExcArithmeticError, "ZeroDivisionError"},
	{&ExcAssertionError, &ExcException, "AssertionError"},
	{&ExcAttributeError, &ExcException, "AttributeError"},
	{&ExcBufferError, &ExcException, "BufferError"},
	{&ExcEOFError, &ExcException, "EOFError"},
	{&ExcImportError, &ExcException, "ImportError"},
	{&ExcModuleNotFoundError, &ExcImportError, "ModuleNotFoundError"},
	{&ExcLookupError, &ExcException, "LookupError"},
	{&ExcIndexError, &ExcLookupError, "IndexError"},
	{&ExcKeyError, &ExcLookupError, "KeyError"},
	{&ExcMemoryError, &ExcException, "MemoryError"},
	{&ExcNameError, &ExcException, "NameError"},
	{&ExcUnboundLocalError, &ExcNameError, "UnboundLocalError"},
	{&ExcOSError, &ExcException, "OSError"},
	{&ExcBlockingIOError, &ExcOSError, "BlockingIOError"},
	{&ExcChildProcessError, &ExcOSError, "ChildProcessError"},
	{&ExcConnectionError, &ExcOSError, "ConnectionError"},
	{&ExcBrokenPipeError, &ExcConnectionError, "BrokenPipeError"},
	{&ExcConnectionAbortedError, &ExcConnectionError, "ConnectionAbortedError"},
	{&ExcConnectionRefusedError, &ExcConnectionError, "ConnectionRefusedError"},
	{&ExcConnectionResetError, &ExcConnectionError, "ConnectionResetError"},
	{&ExcFileExistsError, &ExcOSError, "FileExistsError"},
	{&ExcFileNotFoundError, &ExcOSError, "FileNotFoundError"},
	{&ExcInterruptedError, &ExcOSError, "InterruptedError"},
	{&ExcIsADirectoryError, &ExcOSError, "IsADirectoryError"},
	{&ExcNotADirectoryError, &ExcOSError, "NotADirectoryError"},
	{&ExcPermissionError, &ExcOSError, "PermissionError"},
	{&ExcProcessLookupError, &ExcOSError, "ProcessLookupError"},
	{&ExcTimeoutError, &ExcOSError, "TimeoutError"},
	{&ExcReferenceError, &ExcException, "ReferenceError"},
	{&ExcRuntimeError, &ExcException, "RuntimeError"},
	{&ExcNotImplementedError, &ExcRuntimeError, "NotImplementedError"},
	{&ExcRecursionError, &ExcRuntimeError, "RecursionError"},
	{&ExcDeterminismError, &ExcRuntimeError, "DeterminismError"},
	{&ExcSyntaxError, &ExcException, "SyntaxError"},
	{&ExcIndentationError, &ExcSyntaxError, "IndentationError"},
	{&ExcTabError, &ExcIndentationError, "TabError"},
	{&ExcSystemError, &ExcException, "SystemError"},
	{&ExcTypeError, &ExcException, "TypeError"},
	{&ExcValueError, &ExcException, "ValueError"},
	{&ExcUnicodeError, &ExcValueError, "UnicodeError"},
	{&ExcUnicodeDecodeError, &ExcUnicodeError, "UnicodeDecodeError"},
	{&ExcUnicodeEncodeError, &ExcUnicodeError, "UnicodeEncodeError"},
	{&ExcUnicodeTranslateError, &ExcUnicodeError, "UnicodeTranslateError"},
	{&ExcWarning, &ExcException, "Warning"},
	{&ExcBytesWarning, &ExcWarning, "BytesWarning"},
	{&ExcDeprecationWarning, &ExcWarning, "DeprecationWarning"},
	{&ExcEncodingWarning, &ExcWarning, "EncodingWarning"},
	{&ExcFutureWarning, &ExcWarning, "FutureWarning"},
	{&ExcImportWarning, &ExcWarning, "ImportWarning"},
	{&ExcPendingDeprecationWarning, &ExcWarning, "PendingDeprecationWarning"},
	{&ExcResourceWarning, &ExcWarning, "ResourceWarning"},
	{&ExcRuntimeWarning, &ExcWarning, "RuntimeWarning"},
	{&ExcSyntaxWarning, &ExcWarning, "SyntaxWarning"},
	{&ExcUnicodeWarning, &ExcWarning, "UnicodeWarning"},
	{&ExcUserWarning, &ExcWarning, "UserWarning"},
}

func exceptionLayout() Layout {
	alloc := func() *Object { return &new(Exception).Object }
	return Layout{kind: KindException, plain: alloc, sub: alloc, off: unsafe.Offsetof(Exception{}.attrs), bytes: exceptionSize}
}

func defineExceptions() {
	Define(&ExcBaseException, Spec{
		Name: "BaseException", Layout: exceptionLayout(),
		Doc:  "Common base class for all exceptions",
		Dict: true, DictAt: unsafe.Offsetof(Exception{}.attrs),
		Slots: Slots{
			New: exceptionNew, Init: exceptionInit, Repr: exceptionRepr, Str: exceptionStr,
		},
		Methods: []Method{
			{Name: "with_traceback", Sig: "tb, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				return a.V[0], setTraceback(m, a.V[0], a.V[1])
			}},
			{Name: "add_note", Sig: "note, /", Func: exceptionAddNote},
			{Name: "__setstate__", Sig: "state, /", Func: noPickle},
		},
		Fields: []Field{
			{Name: "args", Get: func(m *Machine, v Value) (Value, *Exception) { return m.MadeTuple(m.Arguments(v.exception())...) },
				Set: func(m *Machine, v, val Value) *Exception {
					if val.ref == nil {
						return m.TypeError("args may not be deleted")
					}
					items, e := m.Collect(val)
					v.exception().SetArguments(items...)
					m.noteBulk(v.ref)
					return e
				}},
			{Name: "__cause__", Get: func(m *Machine, v Value) (Value, *Exception) {
				if c := v.exception().Cause; c.ref != nil {
					return c, nil
				}
				return None, nil
			}, Set: setCause},
			{Name: "__context__", Get: func(m *Machine, v Value) (Value, *Exception) {
				if c := v.exception().Context; c != nil {
					return c.Value(), nil
				}
				return None, nil
			}, Set: setContext},
			{Name: "__suppress_context__", Get: func(m *Machine, v Value) (Value, *Exception) { return Bool(v.exception().Suppress), nil },
				Set: func(m *Machine, v, val Value) *Exception {
					if val.ref == nil || !val.IsBool() {
						return m.TypeError("attribute value type must be bool")
					}
					v.exception().Suppress = val.IsTrue()
					return nil
				}},
			{Name: "__traceback__", Get: exceptionTraceback, Set: setTraceback},
			{Name: "__dict__", Get: instanceDict, Set: setInstanceDict},
		},
	})
	for _, x := range exceptionTree {
		s := Spec{Name: x.name, Base: x.base}
		exceptionDetails(x.t, &s)
		Define(x.t, s)
		// As in CPython, whose structure for BlockingIOError is that of OSError.
		x.t.ownFields = len(s.Fields) > 0 && x.t != &ExcBlockingIOError
	}
	Define(&ExcExceptionGroup, Spec{Name: "ExceptionGroup", Base: &ExcBaseExceptionGroup})
	ExcExceptionGroup.addBase(&ExcException)
	Define(&ExcUnsupportedOperation, Spec{Name: "UnsupportedOperation", Module: "io", Base: &ExcOSError})
	ExcUnsupportedOperation.addBase(&ExcValueError)
}

// addBase gives a static type a second base.
func (t *Type) addBase(b *Type) {
	t.bases = append(t.bases, b)
	at := slices.IndexFunc(t.mro, func(x *Type) bool { return slices.Contains(b.mro, x) })
	t.mro = slices.Insert(slices.Clone(t.mro), at, b)
	t.flatten()
}

func exceptionNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	m.meter.Owe(m.costs.Exception)
	e := m.newExceptionOfType(t)
	e.args = append([]Value(nil), a.Pos()...)
	m.account(len(e.args) * valueSize)
	return e.Value(), nil
}

func (m *Machine) newExceptionOfType(t *Type) *Exception {
	if t.Static() {
		e := &Exception{}
		e.typ, e.kind = t, KindException
		m.hold(exceptionSize + attrsSize)
		return e
	}
	return (*Exception)(unsafe.Pointer(m.newSubclassInstance(t)))
}

func exceptionInit(m *Machine, v Value, a Args) *Exception {
	if len(a.Names) > 0 {
		return m.TypeError("%s() takes no keyword arguments", v.ref.typ.Name)
	}
	e := v.exception()
	if e.message == nil && len(e.args) == len(a.V) {
		same := true
		for i := range a.V {
			same = same && e.args[i] == a.V[i]
		}
		if same {
			return nil
		}
	}
	e.SetArguments(append([]Value(nil), a.V...)...)
	m.noteBulk(v.ref)
	return nil
}

func exceptionRepr(m *Machine, v Value) (Value, *Exception) {
	e := v.exception()
	if exc := m.Enter(); exc != nil { // an argument may be another exception
		return Value{}, exc
	}
	defer m.Leave()
	if args := m.Arguments(e); len(args) == 1 {
		r, exc := m.reprText(args[0])
		if exc != nil {
			return Value{}, exc
		}
		return m.shown(v.ref.typ.ShortName() + "(" + r + ")"), nil
	}
	r, exc := m.argsRepr(e)
	if exc != nil {
		return Value{}, exc
	}
	return m.shown(v.ref.typ.ShortName() + r), nil
}

// argumentCost is the price of going from an exception to its argument, which may be an exception again.
const argumentCost = 6

func exceptionStr(m *Machine, v Value) (Value, *Exception) {
	e := v.exception()
	switch args := m.Arguments(e); len(args) {
	case 0:
		return emptyStr.Value(), nil
	case 1:
		if exc := m.Enter(); exc != nil {
			return Value{}, exc
		}
		defer m.Leave()
		if exc := m.Charge(argumentCost); exc != nil {
			return Value{}, exc
		}
		return m.ToStr(args[0])
	}
	r, exc := m.argsRepr(e)
	if exc != nil {
		return Value{}, exc
	}
	return m.shown(r), nil
}

// argsRepr shows the tuple of an exception's arguments; one that contains itself through the exception as "(...)".
func (m *Machine) argsRepr(e *Exception) (string, *Exception) {
	for _, o := range m.showing {
		if o == &e.Object {
			return "(...)", nil
		}
	}
	m.showing = append(m.showing, &e.Object)
	r, exc := m.reprText(m.Tuple(m.Arguments(e)...))
	m.showing = m.showing[:len(m.showing)-1]
	return r, exc
}

func exceptionAddNote(m *Machine, a Args) (Value, *Exception) {
	if _, ok := a.V[1].AsStr(); !ok {
		return Value{}, m.TypeError("note must be a str, not '%s'", a.V[1].ref.typ.Name)
	}
	at := a.V[0].ref.attrs()
	notes, ok := at.get(nNotes)
	if !ok {
		notes = m.NewList(nil).Value()
		at.set(m, a.V[0].ref, nNotes, notes)
	}
	l, ok := notes.AsList()
	if !ok {
		return Value{}, m.TypeError("Cannot add note: __notes__ is not a list")
	}
	l.Append(m, a.V[1])
	return None, nil
}

func setCause(m *Machine, v, val Value) *Exception {
	if val.ref == nil {
		return m.TypeError("__cause__ may not be deleted")
	}
	if _, ok := val.AsException(); !ok && !val.IsNone() {
		return m.TypeError("exception cause must be None or derive from BaseException")
	}
	v.exception().SetCause(m, val)
	return nil
}

// SetCause sets __cause__, which hides the context.
func (e *Exception) SetCause(m *Machine, cause Value) {
	e.Cause, e.Suppress = cause, true
	m.noteStore(&e.Object, cause)
}

func setContext(m *Machine, v, val Value) *Exception {
	if val.ref == nil {
		return m.TypeError("__context__ may not be deleted")
	}
	if val.IsNone() {
		v.exception().Context = nil
		return nil
	}
	c, ok := val.AsException()
	if !ok {
		return m.TypeError("exception context must be None or derive from BaseException")
	}
	v.exception().Context = c
	m.noteStore(v.ref, val)
	return nil
}
