package host

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// The exception types of the module pvm_host.
//
// Spec: sdk §18.
var (
	typeHostError       object.Type
	typeOutOfGas        object.Type
	typeNondeterminism  object.Type
	typeBadDeterminism  object.Type
	exceptionTypesReady = defineExceptions()
)

func defineExceptions() bool {
	object.Define(&typeHostError, object.Spec{Name: "HostError", Module: "pvm_host", Base: &object.ExcRuntimeError})
	object.Define(&typeOutOfGas, object.Spec{Name: "OutOfGasError", Module: "pvm_host", Base: &typeHostError})
	object.Define(&typeNondeterminism, object.Spec{Name: "NonDeterministicError", Module: "pvm_host", Base: &typeHostError})
	object.Define(&typeBadDeterminism, object.Spec{Name: "DeterministicValidationError", Module: "pvm_host", Base: &object.ExcValueError})
	return true
}

// Names the host looks up.
var (
	nameToBytes = object.StaticName("to_bytes")
	nameCode    = object.StaticName("code")
	nameSlug    = object.StaticName("slug")
	nameName    = object.StaticName("name")
)

// thrown carries an exception of the machine through the syscalls, which answer with errors.
type thrown struct{ exception *object.Exception }

func (t *thrown) Error() string { return "host: exception of the machine" }

// machineMeter charges through the machine, so that pending memory checks are met.
type machineMeter struct{ m *object.Machine }

func (t machineMeter) Charge(cycles uint64) error {
	if cycles > 1<<62 {
		return ErrCycles
	}
	if e := t.m.Charge(int(cycles)); e != nil {
		return &thrown{e}
	}
	return nil
}

func (t machineMeter) ChargeCells(cells uint64) error {
	if cells > 1<<62 {
		return ErrCells
	}
	if e := t.m.ChargeCells(int(cells)); e != nil {
		return &thrown{e}
	}
	return nil
}

func (t machineMeter) Left() uint64      { return t.m.Meter().Left() }
func (t machineMeter) CellsLeft() uint64 { return t.m.Meter().CellsLeft() }

// raise turns the error of a syscall into what Python sees: an exception of the class registered under its name or HostError, the
// end of the turn, or a failure of the machine the node runs on.
func (f *Invocation) raise(m *object.Machine, err error) *object.Exception {
	var t *thrown
	var h *Error
	switch {
	case errors.As(err, &t):
		return t.exception
	case errors.As(err, &h):
		return explain(f.exception(m, h), err)
	case errors.Is(err, ErrCycles):
		return &object.Exception{Fatal: object.OutOfCycles}
	case errors.Is(err, ErrCells):
		return explain(&object.Exception{Fatal: object.OutOfCells}, err)
	}
	return m.Fail(err)
}

// explain has an exception that stands for the end of a call know how the callee failed, where somebody wants to know.
func explain(e *object.Exception, err error) *object.Exception {
	if x := (*explained)(nil); e.Fatal != object.HostFailure && errors.As(err, &x) {
		e.Err = x.failure
	}
	return e
}

func (f *Invocation) exception(m *object.Machine, h *Error) *object.Exception {
	if e := m.Charge(int(f.costs().HostError)); e != nil {
		return e
	}
	message := m.Str(h.Text)
	if class, ok := f.errors[h.Class.Name]; ok {
		made, e := m.Call(class, object.Positional(message))
		if e != nil {
			return e
		}
		if made, ok := made.AsException(); ok {
			return made
		}
	}
	e := m.RaiseValue(&typeHostError, message)
	for _, a := range [...]struct {
		name  *object.Str
		value object.Value
	}{
		{nameCode, object.Int(int64(h.Class.Host))},
		{nameSlug, m.Str(fmt.Sprintf("E%d", h.Class.Code))},
		{nameName, m.Str(h.Class.Name)},
	} {
		if bad := m.SetAttr(e.Value(), a.name, a.value); bad != nil {
			return bad
		}
	}
	return e
}
