package pycoll

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

var (
	nameGet     = object.StaticName("get")
	nameSetItem = object.StaticName("__setitem__")
)

// countElements is the loop of Counter: one more for every value of an iterable.
// A mapping that does not override get or __setitem__ is counted in directly.
func countElements(m *machine, a object.Args) (value, *exception) {
	mapping := a.V[0]
	d, ok := mapping.AsDict()
	plain := ok && inherits(mapping.Type(), nameGet) && inherits(mapping.Type(), nameSetItem)
	e := m.Iterate(a.V[1], func(k value) (bool, *exception) {
		if plain {
			if e := m.Charge(11); e != nil {
				return false, e
			}
			old, found, e := d.Get(m, k)
			if e != nil {
				return false, e
			}
			if !found {
				return true, d.Set(m, k, object.Int(1))
			}
			next, e := m.BinaryOp(object.Add, old, object.Int(1))
			if e != nil {
				return false, e
			}
			return true, d.Set(m, k, next)
		}
		old, e := m.CallMethod(mapping, nameGet, k, object.Int(0))
		if e != nil {
			return false, e
		}
		next, e := m.BinaryOp(object.Add, old, object.Int(1))
		if e != nil {
			return false, e
		}
		return true, m.SetItem(mapping, k, next)
	})
	if e != nil {
		return value{}, e
	}
	return object.None, nil
}

// inherits says whether t takes an attribute from dict unchanged.
func inherits(t *object.Type, name *object.Str) bool {
	own, _ := t.Lookup(name)
	base, _ := object.TypeDict.Lookup(name)
	return own == base
}
