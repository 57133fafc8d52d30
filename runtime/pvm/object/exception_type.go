package object

// FatalKind is an end of execution that a program cannot catch.
type FatalKind uint8

// The fatal kinds. Host means that the embedder failed: no fault of the program.
const (
	NotFatal FatalKind = iota
	OutOfCycles
	OutOfCells
	HostFailure
)

// Exception is an exception instance, and the second result of everything that
// can fail. With Fatal set it is no Python object: it unwinds every frame
// without running handlers.
//
// Spec: CIP-3 §2.2.1; WP "The Cowboy Actor VM (PVM)".
type Exception struct {
	Object
	args     []Value  // see Machine.Arguments
	message  *message // while nobody read it; args is then empty
	Cause    Value    // zero, None or an exception
	Context  *Exception
	Suppress bool
	Trace    []TraceEntry
	Fatal    FatalKind
	Err      error      // with HostFailure; of another exception, what the embedder knows of it
	extra    []Value    // the fields that only some exception types have
	tb       *Traceback // as handed out, while it fits Trace
	attrs    Attrs
}

// TraceEntry is one frame an exception passed through.
type TraceEntry struct {
	Code *Code
	PC   int32
}

// NewException returns an instance of the built-in or derived exception type t.
func (m *Machine) NewException(t *Type, args ...Value) *Exception {
	e := m.newExceptionOfType(t)
	e.args = args
	m.hold(len(args) * valueSize)
	return e
}

// raisedError is an exception that the machine raises together with what nearly
// all of them get: a message, the fields of an AttributeError, an entry of the
// traceback.
type raisedError struct {
	Exception
	said   message
	fields [2]Value
	passed [1]TraceEntry
}

// newError is NewException for an exception that is raised at once.
func (m *Machine) newError(t *Type) (*Exception, *message) {
	m.meter.left -= int64(m.costs.Error)
	if !t.Static() {
		return m.newExceptionOfType(t), &message{}
	}
	x := &raisedError{}
	e := &x.Exception
	e.typ, e.kind = t, KindException
	e.Trace, e.extra = x.passed[:0], x.fields[:0]
	m.hold(exceptionSize + attrsSize)
	return e, &x.said
}

// An exception that keeps much of its operands copies them: a cycle for so many bytes.
const (
	longMessage  = 256
	keptPerCycle = 8
)

// Raise returns a new exception of type t with a message, or without arguments
// if the format is empty. The format is a constant with the verbs %s, %d, %c, %x
// and %%, the operands are texts and numbers as they are: the message is put
// together when somebody reads it, and an operand may be of any length.
func (m *Machine) Raise(t *Type, format string, a ...any) *Exception {
	e, said := m.newError(t)
	if format != "" {
		said.keep(format, a)
		if e.message = said; said.size > longMessage {
			m.meter.Owe(said.size / keptPerCycle)
		}
		m.hold(said.size)
	}
	return m.raised(e)
}

// RaiseValue returns a new exception of type t with the given arguments.
func (m *Machine) RaiseValue(t *Type, args ...Value) *Exception {
	e, _ := m.newError(t)
	e.args = args
	m.hold(len(args) * valueSize)
	return m.raised(e)
}

// Raised gives an exception made by calling its class the one being handled as
// its context, as raise does.
func (m *Machine) Raised(e *Exception) *Exception { return m.raised(e) }

// raised gives a new exception the one being handled as its context.
func (m *Machine) raised(e *Exception) *Exception {
	if m.handled != nil && m.handled != e {
		e.Context = m.handled
	}
	return e
}

// Fail ends execution because the embedder failed with err.
func (m *Machine) Fail(err error) *Exception { return &Exception{Fatal: HostFailure, Err: err} }

// The most frequent exceptions.

// TypeError returns a TypeError with a formatted message.
func (m *Machine) TypeError(format string, a ...any) *Exception {
	return m.Raise(&ExcTypeError, format, a...)
}

// ValueError returns a ValueError with a formatted message.
func (m *Machine) ValueError(format string, a ...any) *Exception {
	return m.Raise(&ExcValueError, format, a...)
}

// IndexError returns an IndexError with a formatted message.
func (m *Machine) IndexError(format string, a ...any) *Exception {
	return m.Raise(&ExcIndexError, format, a...)
}

// OverflowError returns an OverflowError with a formatted message.
func (m *Machine) OverflowError(format string, a ...any) *Exception {
	return m.Raise(&ExcOverflowError, format, a...)
}

// RuntimeError returns a RuntimeError with a formatted message.
func (m *Machine) RuntimeError(format string, a ...any) *Exception {
	return m.Raise(&ExcRuntimeError, format, a...)
}

// DeterminismError returns a DeterminismError with a formatted message.
func (m *Machine) DeterminismError(format string, a ...any) *Exception {
	return m.Raise(&ExcDeterminismError, format, a...)
}

// KeyError returns a KeyError for key.
func (m *Machine) KeyError(key Value) *Exception { return m.RaiseValue(&ExcKeyError, key) }

// AttributeError returns an AttributeError that names obj and the attribute.
func (m *Machine) AttributeError(obj Value, name *Str, format string, a ...any) *Exception {
	e := m.Raise(&ExcAttributeError, format, a...)
	e.extra = append(e.extra, name.Value(), obj)
	return e
}

// NameError returns a NameError for name.
func (m *Machine) NameError(t *Type, name *Str, format string, a ...any) *Exception {
	e := m.Raise(t, format, a...)
	e.extra = append(e.extra, name.Value())
	return e
}

// Value returns the exception as a Python value.
func (e *Exception) Value() Value { return Value{ref: &e.Object} }

// Is says whether e is a Python exception of type t or derived from it.
func (e *Exception) Is(t *Type) bool { return e.Fatal == NotFatal && e.typ.IsSubtype(t) }

// Field returns extra field i of the exception (such as a StopIteration's value),
// or the zero Value.
func (e *Exception) Field(i int) Value {
	if i >= len(e.extra) {
		return Value{}
	}
	return e.extra[i]
}

// SetField sets extra field i.
func (e *Exception) SetField(i int, v Value) {
	if i >= cap(e.extra) {
		e.extra = append(make([]Value, 0, max(i+1, 4)), e.extra...)
	}
	for i >= len(e.extra) {
		e.extra = append(e.extra, Value{})
	}
	e.extra[i] = v
}

// Attributes returns the instance's attribute storage.
func (e *Exception) Attributes() *Attrs { return &e.attrs }
