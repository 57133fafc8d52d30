package stdlib

import (
	"embed"
	"sort"
	"sync"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/compile"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/interp"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/resolve"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// Build makes a module: it fills mod, which has its name. It is what an importer
// of the machine calls for a module that is not there yet.
type Build = func(m *object.Machine, mod *object.Module) *object.Exception

// Module returns how the module called name is built, and false if the library
// has none of that name.
//
// Spec: sdk §17.3.
func Module(name string) (Build, bool) {
	d, ok := modules[name]
	if !ok {
		return nil, false
	}
	return d.build, true
}

// Names returns the modules' names in ascending order.
func Names() []string {
	names := make([]string, 0, len(modules))
	for name := range modules { // order-free: sorted below
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// definition describes a module.
type definition struct {
	// fill is the native part, or nil.
	fill Build
	// source runs at import; "" for none. Sources are files of this directory.
	source string
	// parts run when one of their names is first asked for.
	parts []part
	// all is the module's __all__ if parts hold some of the names.
	all []string

	unit    func(*object.Machine) *object.Unit // the compiled source; nil for none
	lazy    *object.Builtin                    // __getattr__
	publish *object.Builtin                    // _publish
}

// part is a source and the names it defines.
type part struct {
	source string
	names  []string
	unit   func(*object.Machine) *object.Unit
}

//go:embed *.py
var files embed.FS

// finish completes a definition. Sources are compiled when they first run: a unit
// is a function of its source alone, so it is the same whenever that is.
func (d *definition) finish(name string) *definition {
	if d.source != "" {
		d.unit = compiled(name, d.source)
	}
	for i := range d.parts {
		d.parts[i].unit = compiled(name, d.parts[i].source)
	}
	if len(d.parts) > 0 {
		d.lazy = object.NewBuiltin(object.Method{Name: "__getattr__", Sig: "name, /",
			Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
				return d.load(m, name, a.V[0])
			}})
	}
	// _publish(name, value) makes an attribute that a source of the module has
	// computed on demand, and returns the value.
	d.publish = object.NewBuiltin(object.Method{Name: "_publish", Sig: "name, value, /",
		Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			s, ok := a.V[0].AsStr()
			mod, loaded := m.Modules[name]
			if !ok || !loaded {
				return object.Value{}, m.TypeError("_publish() takes a name")
			}
			if e := m.Charge(s.Len()); e != nil {
				return object.Value{}, e
			}
			mod.Define(m, s.String(), a.V[1])
			return a.V[1], nil
		}})
	return d
}

// compiled gives a library source's unit for the prices of a machine. For those of version 1 it is compiled once, for others once for each owner of machines.
func compiled(name, file string) func(*object.Machine) *object.Unit {
	first := sync.OnceValue(func() *object.Unit { return compileFile(name, file, nil) })
	return func(m *object.Machine) *object.Unit {
		if *m.Costs() == *cost.First() {
			return first()
		}
		return m.Unit(file, func() *object.Unit { return compileFile(name, file, m.Costs()) })
	}
}

// compileFile compiles a library source; one that does not compile is a bug.
func compileFile(name, file string, prices *cost.Prices) *object.Unit {
	text, err := files.ReadFile(file)
	if err != nil {
		panic("stdlib: " + err.Error())
	}
	tree, err := syntax.Parse(text)
	if err != nil {
		panic("stdlib: " + file + ": " + err.Error())
	}
	table, err := resolve.Resolve(tree)
	if err != nil {
		panic("stdlib: " + file + ": " + err.Error())
	}
	unit, err := compile.Compile(tree, table, compile.Options{Name: name, File: "<" + name + ">", Library: true, Prices: prices})
	if err != nil {
		panic("stdlib: " + file + ": " + err.Error())
	}
	return unit
}

// build makes the module.
func (d *definition) build(m *object.Machine, mod *object.Module) *object.Exception {
	if d.fill != nil {
		if e := d.fill(m, mod); e != nil {
			return e
		}
	}
	if d.lazy != nil {
		mod.Define(m, "__getattr__", d.lazy.Value())
		mod.Define(m, "_publish", d.publish.Value())
	}
	if d.all != nil {
		names := make([]object.Value, len(d.all))
		for i, name := range d.all {
			names[i] = m.Str(name)
		}
		mod.Define(m, "__all__", m.List(names...))
	}
	if d.unit == nil {
		return nil
	}
	return interp.RunModule(m, object.NewImage(d.unit(m), mod))
}

// longestName is longer than any name that a source of the library defines.
const longestName = 64

// load is the module's __getattr__: it runs the part that has the name.
func (d *definition) load(m *object.Machine, module string, name object.Value) (object.Value, *object.Exception) {
	s, ok := name.AsStr()
	if !ok {
		return object.Value{}, m.TypeError("attribute name must be string, not '%s'", name.Type().Name)
	}
	mod, ok := m.Modules[module]
	if !ok {
		return object.Value{}, m.RuntimeError("module '%s' is gone", module)
	}
	if s.Len() > longestName {
		return object.Value{}, m.AttributeError(mod.Value(), s, "module '%s' has no attribute '%s'", module, s)
	}
	if v, ok := mod.Lookup(s.String()); ok {
		return v, nil
	}
	for _, p := range d.parts {
		for _, n := range p.names {
			if n == s.String() {
				return p.run(m, mod, s)
			}
		}
	}
	return object.Value{}, m.AttributeError(mod.Value(), s, "module '%s' has no attribute '%s'", module, s)
}

func (p *part) run(m *object.Machine, mod *object.Module, name *object.Str) (object.Value, *object.Exception) {
	was := m.Track(false)
	e := interp.RunModule(m, object.NewImage(p.unit(m), mod))
	m.Track(was)
	if e != nil {
		return object.Value{}, e
	}
	v, ok := mod.Lookup(name.String())
	if !ok {
		return object.Value{}, m.RuntimeError("module '%s' does not define '%s'", mod.Name, name)
	}
	return v, nil
}
