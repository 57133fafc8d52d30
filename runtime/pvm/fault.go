package pvm

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// FaultKind classifies how an execution failed.
type FaultKind uint8

// The kinds of fault. Host means that the embedder failed (Fault.Err): no
// outcome of the program.
const (
	Exception FaultKind = iota + 1
	OutOfCycles
	OutOfCells
	Memory
	Recursion
	Determinism
	Host
)

// String returns the kind in words.
func (k FaultKind) String() string {
	switch k {
	case Exception:
		return "exception"
	case OutOfCycles:
		return "out of cycles"
	case OutOfCells:
		return "out of cells"
	case Memory:
		return "out of memory"
	case Recursion:
		return "recursion too deep"
	case Determinism:
		return "determinism error"
	case Host:
		return "host failure"
	}
	return "unknown fault"
}

// Fault is an execution that failed. Type, Message and Traceback are for people.
type Fault struct {
	Kind      FaultKind
	Type      string // name of the exception's class
	Message   string // str(exception)
	Traceback string
	Exception Value // the exception; zero for kinds that are none
	Err       error // with Host
}

// Error returns the fault in one line.
func (f *Fault) Error() string {
	switch {
	case f.Err != nil:
		return fmt.Sprintf("%s: %v", f.Kind, f.Err)
	case f.Type == "":
		return f.Kind.String()
	case f.Message == "":
		return f.Type
	}
	return f.Type + ": " + f.Message
}

// fault describes what ended an execution.
func (m *Machine) fault(e *object.Exception) *Fault {
	switch e.Fatal {
	case object.OutOfCycles:
		return &Fault{Kind: OutOfCycles}
	case object.OutOfCells:
		return &Fault{Kind: OutOfCells}
	case object.HostFailure:
		return &Fault{Kind: Host, Err: e.Err}
	}
	f := &Fault{Kind: Exception, Type: e.Type().Name, Exception: e.Value()}
	switch {
	case e.Is(&object.ExcMemoryError):
		f.Kind = Memory
	case e.Is(&object.ExcRecursionError):
		f.Kind = Recursion
	case e.Is(&object.ExcDeterminismError):
		f.Kind = Determinism
	}
	// The text is no part of the outcome: making it costs the call nothing.
	restore := m.m.Meter().Aside(describeBudget)
	f.Message, f.Traceback = describe(m.m, e, m.importer.config.Suggest)
	restore()
	return f
}

// describeBudget bounds the cycles spent on rendering an exception.
const describeBudget = 200_000

// describe renders an exception; what runs out while rendering is left out.
func describe(m *object.Machine, e *object.Exception, suggest bool) (message, trace string) {
	message, failed := m.StrText(e.Value())
	if failed != nil {
		message = ""
	}
	return message, traceback(m, e, suggest)
}
