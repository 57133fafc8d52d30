package host

import (
	"errors"
	"sort"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/interp"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// A program whose top level asks nothing of the chain makes the same objects on every turn, at the same price. From its fifth turn on they
// are copied from a template instead of being made by running the top level, its imports included, once more. Which of the two happened
// shows in nothing but the time it took: a turn that could not have paid for the whole top level runs it, so that it ends where it would.

// loadsBeforeTemplate is how often a program runs its top level before a template is made, which costs two further runs at most.
const loadsBeforeTemplate = 4

// load is what is known about a program's top level.
type load struct {
	runs          int
	cycles, cells uint64
	template      *object.Template
	errors        []string // names of the classes among the template's roots, behind the fixed ones
	imports       []string // modules that the template's top level imports
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
	if t := code.load.template; t != nil && f.entry == nil {
		if roots, ok := t.Start(m, f.work.imports.spared(m.Costs(), code.load.imports)); ok {
			f.work.imports.lists = append(f.work.imports.lists, code.load.imports)
			f.declare(roots, code.load.errors)
			return m.Modules[actorModule], nil
		}
	}
	cycles, cells := m.Meter().Used(), m.Meter().CellsUsed()
	again := f.work.imports.again
	mod, e := run(m, code)
	if e == nil && code.load.template == nil && code.load.runs < loadsBeforeTemplate {
		code.load.cycles, code.load.cells = m.Meter().Used()-cycles, m.Meter().CellsUsed()-cells
		code.load.cycles += uint64(pvm.ImportSpared(m.Costs())) * (f.work.imports.again - again) // what it costs in the first invocation of a turn
		if code.load.runs++; code.load.runs == loadsBeforeTemplate && p.tool == nil {
			p.template(code)
		}
	}
	return mod, e
}

// run runs the top level.
func run(m *object.Machine, code *Code) (*object.Module, *object.Exception) {
	mod := m.NewModule(actorModule)
	m.Modules[actorModule] = mod
	return mod, interp.RunModule(m, object.NewImage(code.Program.Unit(), mod))
}

// template makes the program's template by running its top level once more, away from any chain, with exactly the cycles and cells that the
// last run took: that this suffices proves that it suffices whenever that much is there. There is none if the top level asks the chain for
// anything, or holds what cannot be copied.
func (p *Programs) template(code *Code) {
	f := &Invocation{work: &work{}, form: code.Form, alone: true}
	meter := object.NewMeter(code.load.cycles, code.load.cells)
	m := p.fresh(f, meter)
	if _, e := run(m, code); e != nil || f.asked || meter.Left() > 0 || meter.CellsLeft() > 0 {
		return
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
		return
	}
	code.load.template, code.load.errors, code.load.imports = t, names, f.work.imports.added
	code.size += t.Size()
	p.grow(t.Size())
	p.evict()
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
