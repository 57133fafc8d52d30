package pyfunc

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

// attributes are the arbitrary attributes of a native callable, such as those
// that update_wrapper copies. They hide what the type says, but for computed
// fields.
type attributes struct{ dict *object.Dict }

var nameDict = object.StaticName("__dict__")

// visit visits the attributes.
func (a *attributes) visit(visit func(value)) {
	if a.dict != nil {
		visit(a.dict.Value())
	}
}

// relocate takes the attributes to a copy.
func (a *attributes) relocate(r *object.Relocation) { a.dict = r.Dict(a.dict) }

// get is the GetAttr slot of v, whose attributes these are.
func (a *attributes) get(m *machine, v value, name *object.Str) (value, *exception) {
	if name == nameDict || name.String() == "__dict__" {
		if a.dict == nil {
			a.dict = m.NewDict()
			m.NoteStore(v.Ref(), a.dict.Value())
		}
		return a.dict.Value(), nil
	}
	if a.dict != nil {
		if x, ok := a.dict.GetStr(name); ok && !isField(v, name) {
			return x, nil
		}
	}
	return object.GenericGetAttr(m, v, name)
}

// set is the SetAttr slot.
func (a *attributes) set(m *machine, v value, name *object.Str, x value) *exception {
	if name.String() == "__dict__" {
		if x.IsZero() {
			return m.TypeError("cannot delete __dict__")
		}
		d, ok := x.AsDict()
		if !ok {
			return m.TypeError("__dict__ must be set to a dictionary, not a '%s'", x.Type().Name)
		}
		a.dict = d
		m.NoteStore(v.Ref(), x)
		return nil
	}
	if isField(v, name) {
		return object.GenericSetAttr(m, v, name, x)
	}
	if x.IsZero() {
		if a.dict != nil {
			if _, ok, e := a.dict.Delete(m, name.Value()); ok || e != nil {
				return e
			}
		}
		return m.AttributeError(v, name, "'%s' object has no attribute '%s'", v.Type().Name, name)
	}
	if a.dict == nil {
		a.dict = m.NewDict()
		m.NoteStore(v.Ref(), a.dict.Value())
	}
	a.dict.SetStr(m, name, x)
	return nil
}

// isField says whether the type computes the attribute.
func isField(v value, name *object.Str) bool {
	d, ok := v.Type().Lookup(name)
	return ok && (d.Type() == &object.TypeGetSet || d.Type() == &object.TypeNativeMember)
}
