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

var (
	nameKeys  = object.StaticName("keys")
	nameItems = object.StaticName("items")
)

// update is _update(mapping, other, names): the items of a mapping, or of what has items or pairs, and then those of a
// dict, are stored as the class of mapping stores items.
func update(m *machine, a object.Args) (value, *exception) {
	self := a.V[0]
	if e := updateFrom(m, self, a.V[1]); e != nil {
		return value{}, e
	}
	return object.None, updateFrom(m, self, a.V[2])
}

// updateCost is the price of items stored one by one as a class stores them, beside what each takes.
const updateCost = 30

func updateFrom(m *machine, self, other value) *exception {
	if d, ok := other.AsDict(); ok && d.Len() == 0 && other.Type() == &object.TypeDict {
		return nil
	}
	m.Meter().Owe(updateCost)
	if d, ok := other.AsDict(); ok && other.Type() == &object.TypeDict {
		var pairs []value
		d.Each(func(k, v value) bool {
			pairs = append(pairs, k, v)
			return true
		})
		if e := m.Reserve(16 * len(pairs)); e != nil {
			return e
		}
		for i := 0; i < len(pairs); i += 2 {
			if e := m.Charge(2 * m.Costs().DictAccess); e != nil {
				return e
			}
			if e := m.SetItem(self, pairs[i], pairs[i+1]); e != nil {
				return e
			}
		}
		return nil
	}
	keys, e := m.LookupAttr(other, nameKeys)
	if e != nil {
		return e
	}
	if !keys.IsZero() {
		list, e := m.Call(keys, object.Args{})
		if e != nil {
			return e
		}
		return m.Iterate(list, func(k value) (bool, *exception) {
			if e := m.Charge(2 * m.Costs().DictAccess); e != nil {
				return false, e
			}
			v, e := m.GetItem(other, k)
			if e != nil {
				return false, e
			}
			return true, m.SetItem(self, k, v)
		})
	}
	items, e := m.LookupAttr(other, nameItems)
	if e != nil {
		return e
	}
	if !items.IsZero() {
		if other, e = m.Call(items, object.Args{}); e != nil {
			return e
		}
	}
	return m.Iterate(other, func(pair value) (bool, *exception) {
		var parts [2]value
		n := 0
		e := m.Iterate(pair, func(x value) (bool, *exception) {
			if n < 2 {
				parts[n] = x
			}
			n++
			return n < 3, nil
		})
		switch {
		case e != nil:
			return false, e
		case n == 0:
			return false, m.ValueError("need more than 0 values to unpack")
		case n == 1:
			return false, m.ValueError("need more than 1 value to unpack")
		case n > 2:
			return false, m.ValueError("too many values to unpack (expected 2)")
		}
		return true, m.SetItem(self, parts[0], parts[1])
	})
}
