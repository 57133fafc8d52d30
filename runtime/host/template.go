package host

import (
	"errors"
	"sort"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/interp"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// A program whose top level asks nothing of the chain makes the same objects on every turn. A node runs that top level once, away from any chain, and turns
// begin with copies of what it made. They pay for the copies and for the imports, whether this node has the template still or makes it anew.

// mostStart bounds the cycles of a top level of which a template is made. A longer one runs in every turn.
const mostStart = 1 << 20

// What does not depend on what a node keeps, but would be dear on one that keeps little.
const (
	missShare  = 8   // a start pays at least one part in so many of what making the template costs, as a node may have to
	missWeight = 128 // cycles of making it that weigh as much as compiling a token
)

// load is what is known about a program's top level.
type load struct {
	tried    bool
	ran      uint64 // cycles of the run away from the chain, however it ended
	cells    uint64
	template *object.Template
	errors   []string // names of the classes among the template's roots, behind the fixed ones
	imports  []string // modules that the template's top level imports
}

// errAlone ends the top level of a program that asks something of the chain while a template is made.
var errAlone = errors.New("host: not a constant of the program")

// constants are the syscalls whose answer depends on the program and the arguments alone, or that only declare something.
var constants = map[string]bool{
	"register_actor": true, "register_mapping": true, "register_errors": true, "register_handlers": true, "register_routes": true,
	"module_form": true, "cbor_encode": true, "cbor_decode": true, "keccak256": true, "get_pvm_version": true,
	"mode": true, "is_production": true, "is_development": true, "is_checkpoint_mode": true, "require_fsm": true,
}

// load gives the invocation's machine the module of its program.
//
// Spec: CIP-3 §2.2.1 (a module's body and imports are paid on every call, imports again in the transaction at 5).
func (p *Programs) load(f *Invocation, m *object.Machine, code *Code) (*object.Module, *object.Exception) {
	l := &code.load
	if l.template == nil {
		return run(m, code)
	}
	price := l.price(m.Costs())
	f.entry.Outside()
	defer f.entry.Started(code.Program.Unit())
	if e := m.Charge(int(price - min(price, f.work.imports.spared(m.Costs(), l.imports)))); e != nil {
		return nil, e
	}
	if e := m.ChargeCells(int(l.cells)); e != nil {
		return nil, e
	}
	roots, ok := l.template.Start(m)
	if !ok {
		return nil, m.Fail(errLimits)
	}
	f.work.imports.lists = append(f.work.imports.lists, l.imports)
	f.declare(roots, l.errors)
	return m.Modules[actorModule], nil
}

// errLimits is a failure of this machine: all invocations have the limits that templates are made with.
var errLimits = errors.New("host: a machine with other limits than its template's")

// price is what a start from the template costs, in cycles, where none of its imports is repeated: the imports, and the copies by their number and bytes. It is
// never more than running the top level, and never less than a share of it.
//
// Spec: CIP-3 §2.2.1.
func (l *load) price(c *cost.Prices) uint64 {
	t := l.template
	copies := uint64(len(l.imports)*c.ImportFirst) + uint64(t.Objects()*c.CopyObject) + uint64(t.Heap())>>c.ByteShift
	return max(min(copies, l.ran), l.ran/missShare)
}

// weight is what it takes a node that does not have the program to make it, in the unit of pvm.Program.Weight. ready was called before.
func (c *Code) weight() uint32 { return uint32(c.Program.Weight()) + uint32(c.load.ran/missWeight) }

// ready finds out whether a program starts from a template, and returns what that costs whoever puts the program into state, in cycles: what the top level
// took, whether this node ran it before or does now. It is more than most if most do not suffice.
func (p *Programs) ready(code *Code, most uint64) (cycles uint64) {
	if p.tool != nil {
		return 0
	}
	if l := &code.load; !l.tried {
		if !p.template(code, min(most, mostStart)) && most < mostStart {
			return most + 1
		}
		l.tried = true
	}
	return code.load.ran
}

// run runs the top level.
func run(m *object.Machine, code *Code) (*object.Module, *object.Exception) {
	mod := m.NewModule(actorModule)
	m.Modules[actorModule] = mod
	return mod, interp.RunModule(m, object.NewImage(code.Program.Unit(), mod))
}

// template runs a program's top level away from any chain with so many cycles, and makes a template of the machine. There is none if the top level fails, asks
// the chain for anything, or holds what cannot be copied. It is false if the cycles ran out.
func (p *Programs) template(code *Code, most uint64) bool {
	f := &Invocation{work: &work{}, form: code.Form, alone: true}
	meter := object.NewMeter(most, 1<<20)
	m := p.fresh(f, meter)
	_, e := run(m, code)
	code.load.ran, code.load.cells = meter.Used(), meter.CellsUsed()
	if e != nil || f.asked {
		return e == nil || e.Fatal != object.OutOfCycles
	}
	roots := []object.Value{f.class, f.mapping, f.named, f.routes}
	names := make([]string, 0, len(f.errors))
	for name := range f.errors { // order-free: sorted below
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		roots = append(roots, f.errors[name])
	}
	t := object.NewTemplate(m, roots)
	if t == nil {
		return true
	}
	code.load.template, code.load.errors, code.load.imports = t, names, f.work.imports.added
	code.size += t.Size()
	p.grow(t.Size())
	p.evict()
	return true
}

// declare takes what the top level registered from the template's roots.
func (f *Invocation) declare(roots []object.Value, errors []string) {
	f.class, f.mapping, f.named, f.routes = roots[0], roots[1], roots[2], roots[3]
	if len(errors) == 0 {
		return
	}
	f.errors = make(map[string]object.Value, len(errors))
	for i, name := range errors {
		f.errors[name] = roots[4+i]
	}
}
