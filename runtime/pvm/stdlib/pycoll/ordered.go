package pycoll

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

// ordered is _ordered(cls): iterators over instances refuse any change of the keys.
func ordered(m *machine, a object.Args) (value, *exception) {
	t, ok := a.V[0].AsType()
	if !ok {
		return value{}, m.TypeError("_ordered() argument must be a class")
	}
	t.Ordered()
	return t.Value(), nil
}

// moveToEnd is _move_to_end(mapping, key, last).
func moveToEnd(m *machine, a object.Args) (value, *exception) {
	d, ok := a.V[0].AsDict()
	if !ok {
		return value{}, m.TypeError("_move_to_end() argument 1 must be a dict")
	}
	last, e := m.Truth(a.V[2])
	if e != nil {
		return value{}, e
	}
	found, e := d.MoveToEnd(m, a.V[1], last)
	if e == nil && !found {
		e = m.KeyError(a.V[1])
	}
	return object.None, e
}
