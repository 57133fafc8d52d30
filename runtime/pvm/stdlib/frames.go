package stdlib

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

var nameName = object.StaticName("__name__")

// callerModule is _caller_module(depth): the __name__ of the module of the frame
// that many levels above the function that calls it; None if there is none. Classes
// made by calls (namedtuple, Enum, NewType) take their __module__ from it.
var callerModule = object.NewBuiltin(object.Method{
	Name: "_caller_module", Sig: "depth=1, /",
	Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		depth, e := m.IndexInt(a.Or(0, object.Int(1)), nil)
		if e != nil {
			return object.Value{}, e
		}
		f := m.Frame
		for ; f != nil && depth > 0; depth-- {
			f = f.Prev
		}
		if f == nil {
			return object.None, nil
		}
		name, ok := f.L.Image.Globals.GetStr(nameName)
		if !ok {
			return object.None, nil
		}
		return name, nil
	},
})

// work is _work(n): it pays n cycles for what the library does on a program's behalf and the steps of its Python do not show. Code that makes classes goes
// through others' attributes once each, so no cache that it fills is ever of use.
var work = object.NewBuiltin(object.Method{
	Name: "_work", Sig: "cycles, /",
	Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		n, e := m.IndexInt(a.V[0], nil)
		if e != nil {
			return object.Value{}, e
		}
		return object.None, m.Charge(min(max(n, 0), maxWork))
	},
})

// maxWork bounds what _work takes at a time.
const maxWork = 1 << 20

// withFrames adds the functions above to a native part.
func withFrames(fill Build) Build {
	return func(m *object.Machine, mod *object.Module) *object.Exception {
		mod.DefineFunc(m, callerModule, moduleNamespace, shown, work)
		if fill == nil {
			return nil
		}
		return fill(m, mod)
	}
}

// withWork adds only what the library's code pays with, behind a native part.
func withWork(fill Build) Build {
	return func(m *object.Machine, mod *object.Module) *object.Exception {
		if e := fill(m, mod); e != nil {
			return e
		}
		mod.DefineFunc(m, work)
		return nil
	}
}

// moduleNamespace is _module_namespace(name): the namespace of an imported
// module, None if there is no such module.
var moduleNamespace = object.NewBuiltin(object.Method{
	Name: "_module_namespace", Sig: "name, /",
	Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		s, ok := a.V[0].AsStr()
		if !ok {
			return object.None, nil
		}
		mod, ok := m.Modules[s.String()]
		if !ok {
			return object.None, nil
		}
		return mod.Dict.Copy(m).Value(), nil
	},
})
