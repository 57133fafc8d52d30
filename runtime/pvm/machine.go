package pvm

import (
	"io"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/interp"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pyio"
)

// Value is a Python value; see package object.
type Value = object.Value

// Meter counts cycles and cells; see object.Meter.
type Meter = object.Meter

// NewMeter returns a meter with the given cycles and cells to spend.
func NewMeter(cycles, cells uint64) *Meter { return object.NewMeter(cycles, cells) }

// Limits of one call.
//
// Spec: WP "The Cowboy Actor VM (PVM)".
const (
	DefaultMemoryLimit    = 10 << 20 // bytes; the last 64 KiB are for handlers of the first MemoryError
	DefaultRecursionLimit = 256      // frames
)

// NativeModule builds a module in Go: it fills mod, which has its name.
type NativeModule func(m *object.Machine, mod *object.Module) *object.Exception

// Imports remembers the modules a transaction has imported.
//
// Spec: CIP-3 §2.2.1 (repeated imports within the same transaction).
type Imports interface {
	Has(name string) bool
	Add(name string)
}

// Config describes a machine.
type Config struct {
	Meter          *Meter       // nil: unlimited
	Prices         *cost.Prices // nil: those of version 1; programs are compiled for the same
	MemoryLimit    int64        // bytes; 0 for the default
	RecursionLimit int          // frames; 0 for the default
	// Natives adds native modules, or replaces those of the standard library.
	Natives map[string]NativeModule
	// Library adds modules in Python; it answers for the names it knows.
	Library func(name string) (*Program, bool)
	// Units keeps what the library compiled for other prices than version 1's, for all machines of one owner; nil: each keeps its own.
	Units map[string]*object.Unit
	// Imports is what the transaction imported in other machines, which costs as much as a repeated import; nil for a machine on its own.
	Imports Imports
	Stdout  io.Writer // of print; nil discards
	Profile *Profile  // filled while the machine runs; nil on the chain
	Suggest bool      // tracebacks say which name was perhaps meant; false on the chain, where nobody pays for it
}

// Machine is one execution.
type Machine struct {
	m        *object.Machine
	importer *importer
}

// New returns a machine with nothing loaded.
func New(c Config) *Machine {
	if c.Meter == nil {
		c.Meter = object.NewMeter(1<<61, 1<<61)
	}
	if c.MemoryLimit == 0 {
		c.MemoryLimit = DefaultMemoryLimit
	}
	if c.RecursionLimit == 0 {
		c.RecursionLimit = DefaultRecursionLimit
	}
	im := &importer{config: c}
	m := object.NewMachine(object.Settings{
		Meter: c.Meter, Prices: c.Prices, Units: c.Units, MemoryLimit: c.MemoryLimit, RecursionLimit: c.RecursionLimit,
		Stdout: c.Stdout, Evaluator: interp.Evaluator{}, Importer: im, Open: pyio.Open,
	})
	if c.Profile != nil {
		m.Watch(c.Profile.charge)
	}
	return &Machine{m: m, importer: im}
}

// Inner returns the machine as native functions see it.
func (m *Machine) Inner() *object.Machine { return m.m }

// Load runs a program's top level and returns its module. The module is found
// under the program's name by later imports in this machine.
func (m *Machine) Load(p *Program) (*object.Module, *Fault) {
	defer m.m.Settle()
	mod, e := load(m.m, p, p.Name())
	if e == nil {
		e = m.m.CheckCycles()
	}
	if e != nil {
		f := m.fault(e) // shows names of the module
		delete(m.m.Modules, p.Name())
		return nil, f
	}
	return mod, nil
}

// load runs the top level of a module, which is known even if it fails.
func load(m *object.Machine, p *Program, name string) (*object.Module, *object.Exception) {
	mod := m.NewModule(name)
	m.Modules[name] = mod
	return mod, interp.RunModule(m, object.NewImage(p.unit, mod))
}

// Call calls a function, class or other callable. A coroutine it returns is run
// to its end. The call must not leave a reference cycle among its own objects.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (reference cycles).
func (m *Machine) Call(fn Value, args ...Value) (Value, *Fault) {
	return m.CallKeywords(fn, args, nil, nil)
}

// CallKeywords is Call with keyword arguments.
func (m *Machine) CallKeywords(fn Value, args []Value, names []string, values []Value) (Value, *Fault) {
	defer m.m.Settle()
	a := object.Args{V: append(append(make([]Value, 0, len(args)+len(values)), args...), values...)}
	for _, n := range names {
		a.Names = append(a.Names, object.NewStatic(n))
	}
	v, e := m.m.Apply(fn, a)
	if e == nil {
		v, e = m.m.Drive(v)
	}
	if e == nil {
		m.m.Pin(v)
		e = m.m.CheckCycles()
		m.m.Unpin(0)
	}
	if e != nil {
		return Value{}, m.fault(e)
	}
	return v, nil
}

// Attr returns an attribute of v.
func (m *Machine) Attr(v Value, name string) (Value, *Fault) {
	r, e := m.m.Attr(v, name)
	if e != nil {
		return Value{}, m.fault(e)
	}
	return r, nil
}
