package stdlib

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

// shown is _shown(self, function): function(self), the text of an object, or "..."
// if it is being made already because the object contains itself.
var shown = object.NewBuiltin(object.Method{
	Name: "_shown", Sig: "self, function, /",
	Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		again, e := m.ReprEnter(a.V[0])
		if e != nil {
			return object.Value{}, e
		}
		if again {
			return m.Str("..."), nil
		}
		defer m.ReprLeave()
		return m.Call1(a.V[1], a.V[0])
	},
})
