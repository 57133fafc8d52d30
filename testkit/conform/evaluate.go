package conform

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/interp"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// The functions that tests have and actors do not. Every module of the harness
// finds them in its own namespace.
var evaluators = []*object.Builtin{
	object.NewBuiltin(object.Method{Name: "exec", Sig: "source, globals=None, locals=None, /, *, closure=None", Func: execute}),
	object.NewBuiltin(object.Method{Name: "eval", Sig: "source, globals=None, locals=None, /", Func: evaluate}),
	object.NewBuiltin(object.Method{Name: "compile", Sig: "source, filename, mode, flags=0, dont_inherit=False, optimize=-1, _feature_version=-1",
		Func: compileText}),
	object.NewBuiltin(object.Method{Name: "globals", Func: namespace}),
	object.NewBuiltin(object.Method{Name: "__import__", Sig: "name, globals=None, locals=None, fromlist=(), level=0", Func: importModule}),
}

const (
	modeExec mode = iota
	modeEval
	modeSingle
)

var typeCode object.Type

var _ = object.Define(&typeCode, object.Spec{
	Name: "code", Layout: object.LayoutOf[Code](object.KindLeaf), NoNew: true, Final: true,
	Fields: []object.Field{
		{Name: "co_filename", Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			return m.Str(object.Trust[Code](v).file), nil
		}},
		{Name: "co_name", Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			return m.Str("<module>"), nil
		}},
	},
})

// The names under which results leave the code; no source can contain them.
const (
	resultName  = "eval result"
	displayName = "display hook"
	bodyName    = "_"
)

var (
	strResult    = object.StaticName(resultName)
	strDisplay   = object.StaticName(displayName)
	strName      = object.StaticName("__name__")
	displayValue = object.NewBuiltin(object.Method{Name: "displayhook", Sig: "value, /", Func: display}).Value()
)

func execute(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c, e := code(m, a.V[0], "exec", "<string>")
	if e != nil {
		return object.Value{}, e
	}
	return object.None, c.run(m, a)
}

func evaluate(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c, e := code(m, a.V[0], "eval", "<string>")
	if e != nil {
		return object.Value{}, e
	}
	if _, compiled := object.Cast[Code](a.V[0], &typeCode); !compiled {
		c.mode = modeEval
	}
	if c.mode != modeEval {
		return object.None, c.run(m, a)
	}
	g, l, e := namespaces(m, a)
	if e != nil {
		return object.Value{}, e
	}
	if l.IsZero() {
		if e := c.runIn(m, g, l); e != nil {
			return object.Value{}, e
		}
		v, _ := g.GetStr(strResult)
		g.DeleteStr(strResult)
		return v, nil
	}
	own := m.NewDict()
	if e := c.runIn(m, g, wrapLocals(m, own, l)); e != nil {
		return object.Value{}, e
	}
	v, _ := own.GetStr(strResult)
	return v, nil
}

// wrapLocals returns the mapping an expression with locals runs in: own takes what
// the expression stores for the harness.
func wrapLocals(m *object.Machine, own *object.Dict, l object.Value) object.Value {
	v := object.Alloc[scope](m, &typeScope, 0)
	v.own, v.outer = own, l
	return object.Of(&v.Object)
}

// scope is a mapping that sends the harness's own names to one dict and all others
// to another mapping.
type scope struct {
	object.Object
	own   *object.Dict
	outer object.Value
}

var typeScope object.Type

func isOwn(v object.Value) (*object.Str, bool) {
	s, ok := v.AsStr()
	return s, ok && (s.String() == resultName || s.String() == "__module__" || s.String() == "__qualname__")
}

var _ = object.Define(&typeScope, object.Spec{
	Name: "scope", Layout: object.LayoutOf[scope](object.KindNative), NoNew: true, Final: true, Mapping: true,
	Traverse: func(o *object.Object, visit func(object.Value)) {
		s := object.Trust[scope](object.Of(o))
		visit(s.own.Value())
		visit(s.outer)
	},
	Slots: object.Slots{
		GetItem: func(m *object.Machine, v, k object.Value) (object.Value, *object.Exception) {
			return m.GetItem(object.Trust[scope](v).outer, k)
		},
		SetItem: func(m *object.Machine, v, k, x object.Value) *object.Exception {
			s := object.Trust[scope](v)
			if name, ok := isOwn(k); ok {
				s.own.SetStr(m, name, x)
				return nil
			}
			if x.IsZero() {
				return m.DelItem(s.outer, k)
			}
			return m.SetItem(s.outer, k, x)
		},
	},
})

// run executes the code in the namespaces that the arguments name.
func (c *Code) run(m *object.Machine, a object.Args) *object.Exception {
	g, l, e := namespaces(m, a)
	if e != nil {
		return e
	}
	if !l.IsZero() {
		l = wrapLocals(m, m.NewDict(), l)
	}
	return c.runIn(m, g, l)
}

// namespaces returns where a code runs: the globals, and the locals if they are
// another mapping.
func namespaces(m *object.Machine, a object.Args) (*object.Dict, object.Value, *object.Exception) {
	var zero object.Value
	gv, lv := a.Arg(1), a.Arg(2)
	if gv.IsZero() || gv.IsNone() {
		if m.Frame == nil {
			return m.NewDict(), zero, nil
		}
		g := m.Frame.L.Image.Globals
		if lv.IsZero() || lv.IsNone() {
			if m.Frame.L.Code.Flags&object.IsModule != 0 {
				return g, zero, nil
			}
			fn, _ := object.Builtins().GetStr(object.StaticName("locals"))
			l, e := m.Call(fn, object.Args{})
			return g, l, e
		}
		return g, lv, nil
	}
	g, ok := gv.AsDict()
	if !ok {
		return nil, zero, m.TypeError("globals must be a dict, not %s", gv.Type().Name)
	}
	if lv.IsZero() || lv.IsNone() {
		return g, zero, nil
	}
	if d, ok := lv.AsDict(); ok && d == g {
		return g, zero, nil
	}
	if lv.Type().Slots.GetItem == nil {
		return nil, zero, m.TypeError("locals must be a mapping")
	}
	return g, lv, nil
}

// runIn executes the code with globals g and, unless l is the zero value, names in
// the mapping l.
func (c *Code) runIn(m *object.Machine, g *object.Dict, l object.Value) *object.Exception {
	if e := c.unit(m, !l.IsZero()); e != nil {
		return e
	}
	if e := m.Enter(); e != nil {
		return e
	}
	defer m.Leave()
	if _, ok := g.GetStr(strIdentity); !ok && c.mode == modeSingle {
		g.SetStr(m, strIdentity, identity.Value())
		g.SetStr(m, strRecode, recode.Value())
	}
	name := "__main__"
	if v, ok := g.GetStr(strName); ok {
		if s, ok := v.AsStr(); ok {
			name = s.String()
		}
	}
	mod := m.NewModule(name)
	mod.Dict = g
	if c.mode == modeSingle {
		g.SetStr(m, strDisplay, displayValue)
		defer g.DeleteStr(strDisplay)
	}
	if _, ok := g.GetStr(strBuiltins); !ok {
		g.SetStr(m, strBuiltins, object.Builtins().Copy(m).Value())
	}
	if l.IsZero() {
		return interp.RunModule(m, object.NewImage(c.module, mod))
	}
	return interp.RunBody(m, object.NewImage(c.body, mod).Load(1), l)
}

var (
	strIdentity = object.StaticName(identityName)
	strRecode   = object.StaticName(recodeName)
)

var strBuiltins = object.StaticName("__builtins__")

// display is the display hook of an interactive statement: sys.displayhook.
func display(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	if sys, ok := m.Modules["sys"]; ok {
		if hook, ok := sys.Lookup("displayhook"); ok {
			return m.Call1(hook, a.V[0])
		}
	}
	return object.None, nil
}

// namespace is globals(): the namespace itself, not a view.
func namespace(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	if m.Frame == nil {
		return m.NewDict().Value(), nil
	}
	return m.Frame.L.Image.Globals.Value(), nil
}

// importModule is __import__(): the statement's work.
func importModule(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	name, ok := a.V[0].AsStr()
	if !ok {
		return object.Value{}, m.TypeError("__import__() argument 1 must be str, not %s", a.V[0].Type().Name)
	}
	whole, e := m.Truth(a.Or(3, object.False))
	if e != nil {
		return object.Value{}, e
	}
	level, e := m.IndexInt(a.Or(4, object.Int(0)), nil)
	if e != nil {
		return object.Value{}, e
	}
	if level < 0 {
		return object.Value{}, m.ValueError("level must be >= 0")
	}
	if name.String() == "" && level == 0 {
		return object.Value{}, m.ValueError("Empty module name")
	}
	return m.ImportName(name, level, whole)
}

// native builds _conform, what the shims need from Go.
func (s *session) native(m *object.Machine, mod *object.Module) *object.Exception {
	for _, f := range evaluators {
		mod.Define(m, f.Name, f.Value())
	}
	mod.DefineFunc(m,
		object.NewBuiltin(object.Method{Name: "handled", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			if e := m.Handled(); e != nil {
				return e.Value(), nil
			}
			return object.None, nil
		}}),
		object.NewBuiltin(object.Method{Name: "write", Sig: "text, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			t, e := text(m, a.V[0])
			s.out = append(s.out, t...)
			return object.None, e
		}}),
		object.NewBuiltin(object.Method{Name: "builtins", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			d := object.Builtins().Copy(m)
			for _, f := range evaluators {
				d.SetStr(m, object.StaticName(f.Name), f.Value())
			}
			return d.Value(), nil
		}}),
		object.NewBuiltin(object.Method{Name: "module", Sig: "name, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			t, e := text(m, a.V[0])
			if e != nil {
				return object.Value{}, e
			}
			if mod, ok := m.Modules[t]; ok {
				return mod.Value(), nil
			}
			return object.None, nil
		}}),
		object.NewBuiltin(object.Method{Name: "new_module", Sig: "name, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			t, e := text(m, a.V[0])
			if e != nil {
				return object.Value{}, e
			}
			mod := m.NewModule(t)
			mod.Frozen = false
			return mod.Value(), nil
		}}),
		object.NewBuiltin(object.Method{Name: "caller_globals", Sig: "depth=1, /",
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
					return m.NewDict().Value(), nil
				}
				return f.L.Image.Globals.Value(), nil
			}}),
	)
	return nil
}
