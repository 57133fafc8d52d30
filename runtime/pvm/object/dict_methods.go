package object

import (
	"unsafe"
)

// The view types of dict, and mappingproxy.
var (
	TypeDictKeys   Type
	TypeDictValues Type
	TypeDictItems  Type

	TypeOrderedKeys   Type // the views of an OrderedDict
	TypeOrderedValues Type
	TypeOrderedItems  Type
	TypeProxy         Type
)

// DictView is a view of a dict's keys, values or items.
type DictView struct {
	Object
	of Value
}

func (m *Machine) newDictView(t *Type, d Value) Value {
	v := &DictView{of: d}
	v.typ, v.kind = t, KindIterator
	m.account(32)
	return Value{ref: &v.Object}
}

func viewDict(v Value) *Dict { return (*DictView)(unsafe.Pointer(v.ref)).of.dict() }

func dictMethods() []Method {
	return []Method{
		{Name: "get", Sig: "key, default=None, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			if e := m.Charge(3); e != nil {
				return Value{}, e
			}
			if v, fast := a.V[0].dict().FindFast(a.V[1]); fast {
				if v.ref != nil {
					return v, nil
				}
				return a.Or(2, None), nil
			}
			v, ok, e := a.V[0].dict().Get(m, a.V[1])
			if e != nil || ok {
				return v, e
			}
			return a.Or(2, None), nil
		}},
		{Name: "setdefault", Sig: "key, default=None, /", Func: dictSetDefault},
		{Name: "pop", Sig: "key, default=None, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			if e := m.Charge(3); e != nil {
				return Value{}, e
			}
			v, ok, e := a.V[0].dict().Delete(m, a.V[1])
			if e != nil || ok {
				return v, e
			}
			if len(a.V) > 2 {
				return a.V[2], nil
			}
			return Value{}, m.KeyError(a.V[1])
		}},
		{Name: "popitem", Func: func(m *Machine, a Args) (Value, *Exception) {
			d := a.V[0].dict()
			if e := m.Charge(3); e != nil {
				return Value{}, e
			}
			if d.used == 0 {
				return Value{}, m.KeyError(m.Str("popitem(): dictionary is empty"))
			}
			d.trim()
			i := len(d.entries) - 1
			en := d.entries[i]
			d.remove(i)
			d.trim()
			return m.pair(en.key, en.val), nil
		}},
		viewMethod("keys", &TypeDictKeys, &TypeOrderedKeys),
		viewMethod("values", &TypeDictValues, &TypeOrderedValues),
		viewMethod("items", &TypeDictItems, &TypeOrderedItems),
		{Name: "update", Sig: Unbound, Func: func(m *Machine, a Args) (Value, *Exception) {
			if n := len(a.Pos()); n > 2 {
				return Value{}, m.TypeError("update expected at most 1 argument, got %d", n-1)
			}
			return None, m.dictUpdate(a.V[0].dict(), a.Rest(1))
		}},
		{Name: "clear", Func: func(m *Machine, a Args) (Value, *Exception) {
			a.V[0].dict().Clear()
			return None, nil
		}},
		{Name: "copy", Func: func(m *Machine, a Args) (Value, *Exception) {
			d := m.NewDict()
			return d.Value(), m.mergeDict(d, a.V[0].dict())
		}},
		{Name: "fromkeys", Class: true, Sig: "iterable, value=None, /", Func: dictFromKeys},
		{Name: "__reversed__", Func: func(m *Machine, a Args) (Value, *Exception) {
			return m.newDictIter(&TypeDictKeyBack, a.V[0], a.V[0].dict(), true), nil
		}},
		classGetItem(),
	}
}

func dictSetDefault(m *Machine, a Args) (Value, *Exception) {
	if e := m.Charge(3); e != nil {
		return Value{}, e
	}
	d := a.V[0].dict()
	h, e := m.Hash(a.V[1])
	if e != nil {
		return Value{}, e
	}
	i, e := d.find(m, a.V[1], h)
	if e != nil {
		return Value{}, e
	}
	if i >= 0 {
		return d.entries[i].val, nil
	}
	v := a.Or(2, None)
	if d.used >= maxEntries {
		return Value{}, m.Raise(&ExcMemoryError, "")
	}
	d.append(m, h, a.V[1], v)
	m.noteStore(&d.Object, v)
	return v, nil
}

func dictFromKeys(m *Machine, a Args) (Value, *Exception) {
	val := a.Or(2, None)
	d, e := m.Call(a.V[0], Args{})
	if e != nil {
		return Value{}, e
	}
	if src, ok := tableOf(a.V[1]); ok && d.ref.kind == KindDict {
		if e := m.Charge(3 * src.used); e != nil {
			return Value{}, e
		}
		for i := 0; i < len(src.entries); i++ {
			if en := src.entries[i]; en.key.ref != nil {
				if e := d.dict().setHashed(m, en.hash, en.key, val); e != nil {
					return Value{}, e
				}
			}
		}
		return d, nil
	}
	return d, m.Iterate(a.V[1], func(k Value) (bool, *Exception) {
		if e := m.Charge(2 * m.costs.DictAccess); e != nil {
			return false, e
		}
		return true, m.SetItem(d, k, val)
	})
}

// tableOf returns the table of a plain dict, set or frozenset, hashes included.
func tableOf(v Value) (*Dict, bool) {
	switch v.ref.kind {
	case KindDict:
		return v.dict(), true
	case KindSet, KindFrozenSet:
		return &v.set().d, true
	}
	return nil, false
}

// viewMethod is a method that makes a view; that of an OrderedDict has a type of its own.
func viewMethod(name string, plain, ordered *Type) Method {
	return Method{Name: name, Func: func(m *Machine, a Args) (Value, *Exception) {
		if a.V[0].ref.typ.ordered {
			return m.newDictView(ordered, a.V[0]), nil
		}
		return m.newDictView(plain, a.V[0]), nil
	}}
}

func defineDictViews() {
	visit := func(o *Object, f func(Value)) { f((*DictView)(unsafe.Pointer(o)).of) }
	views := []struct {
		t, base, iter, back *Type
		name                string
	}{
		{&TypeDictKeys, nil, &TypeDictKeyIter, &TypeDictKeyBack, "dict_keys"},
		{&TypeDictValues, nil, &TypeDictValueIter, &TypeDictValueBack, "dict_values"},
		{&TypeDictItems, nil, &TypeDictItemIter, &TypeDictItemBack, "dict_items"},
		{&TypeOrderedKeys, &TypeDictKeys, &TypeDictKeyIter, &TypeDictKeyBack, "odict_keys"},
		{&TypeOrderedValues, &TypeDictValues, &TypeDictValueIter, &TypeDictValueBack, "odict_values"},
		{&TypeOrderedItems, &TypeDictItems, &TypeDictItemIter, &TypeDictItemBack, "odict_items"},
	}
	for _, d := range views {
		s := Spec{
			Name: d.name, Base: d.base, Layout: LayoutOf[DictView](KindIterator), Traverse: visit, NoNew: true, Final: true,
			Slots: Slots{
				Len: func(m *Machine, v Value) (int, *Exception) { return viewDict(v).used, nil },
				Iter: func(m *Machine, v Value) (Value, *Exception) {
					view := (*DictView)(unsafe.Pointer(v.ref))
					return m.newDictIter(d.iter, view.of, viewDict(v), false), nil
				},
				Repr: func(m *Machine, v Value) (Value, *Exception) {
					items, e := m.Collect(v)
					if e != nil {
						return Value{}, e
					}
					return m.reprItems(v, d.name+"([", "])", func() []Value { return items })
				},
			},
			Methods: []Method{{Name: "__reversed__", Func: func(m *Machine, a Args) (Value, *Exception) {
				view := (*DictView)(unsafe.Pointer(a.V[0].ref))
				return m.newDictIter(d.back, view.of, viewDict(a.V[0]), true), nil
			}}},
			Fields: []Field{{Name: "mapping", Get: func(m *Machine, v Value) (Value, *Exception) {
				return m.newProxy((*DictView)(unsafe.Pointer(v.ref)).of), nil
			}}},
		}
		if d.iter != &TypeDictValueIter {
			setOfView(&s, d.iter == &TypeDictItemIter)
		}
		Define(d.t, s)
	}
	defineProxy()
}

// setOfView gives key and item views the operations of sets.
func setOfView(s *Spec, items bool) {
	s.Slots.Contains = func(m *Machine, v, x Value) (bool, *Exception) {
		m.meter.Owe(m.costs.DictAccess)
		if !items {
			_, ok, e := viewDict(v).Get(m, x)
			return ok, e
		}
		p, ok := x.AsTuple()
		if !ok || len(p.items) != 2 {
			return false, nil
		}
		m.meter.Owe(m.costs.DictAccess)
		val, ok, e := viewDict(v).Get(m, p.items[0])
		if e != nil || !ok {
			return false, e
		}
		return m.Same(val, p.items[1])
	}
	for _, op := range []Operator{And, Or, Xor, Sub_} {
		s.Slots.Binary[op] = func(m *Machine, a, b Value) (Value, *Exception) {
			m.meter.Owe(3 * m.costs.Mapping)
			x, e := m.setFrom(&TypeSet, a)
			if e != nil {
				return Value{}, e
			}
			y, e := m.setFrom(&TypeSet, b)
			if e != nil {
				return Value{}, e
			}
			return m.setOp(op, &TypeSet, x, y)
		}
	}
	s.Slots.Compare = compareViews
	s.Methods = append(s.Methods, Method{Name: "isdisjoint", Sig: "other, /", Func: func(m *Machine, a Args) (Value, *Exception) {
		disjoint := true
		e := m.Iterate(a.V[1], func(x Value) (bool, *Exception) {
			has, e := m.Contains(a.V[0], x)
			disjoint = !has
			return !has, e
		})
		return Bool(disjoint), e
	}})
}

// compareViews compares views, and views with sets, by inclusion.
func compareViews(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	if _, ok := b.AsSet(); !ok && !b.ref.typ.IsSubtype(&TypeDictKeys) && !b.ref.typ.IsSubtype(&TypeDictItems) {
		return NotImplemented, nil
	}
	m.meter.Owe(2 * m.costs.Operand)
	if op == Gt || op == Ge {
		a, b, op = b, a, op.Swapped()
	}
	x, e := m.Len(a)
	if e != nil {
		return Value{}, e
	}
	y, e := m.Len(b)
	if e != nil {
		return Value{}, e
	}
	fits := x == y
	switch op {
	case Lt:
		fits = x < y
	case Le:
		fits = x <= y
	}
	if fits {
		e = m.Iterate(a, func(v Value) (bool, *Exception) {
			var e *Exception
			fits, e = m.Contains(b, v)
			return fits, e
		})
	}
	return Bool(fits != (op == Ne)), e
}

// ReadOnly returns a mappingproxy of d.
func (m *Machine) ReadOnly(d *Dict) Value { return m.newProxy(d.Value()) }

func (m *Machine) newProxy(of Value) Value { return m.newDictView(&TypeProxy, of) }

func defineProxy() {
	of := func(v Value) Value { return (*DictView)(unsafe.Pointer(v.ref)).of }
	forward := func(name, sig string) Method {
		n := StaticName(name)
		return Method{Name: name, Sig: sig, Func: func(m *Machine, a Args) (Value, *Exception) {
			return m.CallMethod(of(a.V[0]), n, a.V[1:]...)
		}}
	}
	Define(&TypeProxy, Spec{
		Name: "mappingproxy", Layout: LayoutOf[DictView](KindIterator), Relocate: relocateProxy, Final: true, Mapping: true,
		Traverse: func(o *Object, f func(Value)) { f((*DictView)(unsafe.Pointer(o)).of) },
		Slots: Slots{
			New: func(m *Machine, t *Type, a Args) (Value, *Exception) {
				if len(a.V) != 1 {
					return Value{}, m.TypeError("mappingproxy() missing required argument 'mapping' (pos 1)")
				}
				if k := a.V[0].ref.kind &^ Sub; a.V[0].ref.typ.Slots.GetItem == nil || k == KindList || k == KindTuple {
					return Value{}, m.TypeError("mappingproxy() argument must be a mapping, not %s", a.V[0].ref.typ.Name)
				}
				return m.newProxy(a.V[0]), nil
			},
			Len:     func(m *Machine, v Value) (int, *Exception) { return m.Len(of(v)) },
			GetItem: func(m *Machine, v, k Value) (Value, *Exception) { return m.GetItem(of(v), k) },
			Contains: func(m *Machine, v, k Value) (bool, *Exception) {
				m.meter.Owe(m.costs.DictAccess)
				return m.Contains(of(v), k)
			},
			Iter: func(m *Machine, v Value) (Value, *Exception) { return m.Iter(of(v)) },
			Repr: func(m *Machine, v Value) (Value, *Exception) {
				s, e := m.reprText(of(v))
				return m.shown("mappingproxy(" + s + ")"), e
			},
			Str: func(m *Machine, v Value) (Value, *Exception) { return m.ToStr(of(v)) },
			Compare: func(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
				m.meter.Owe(2 * dispatch)
				if b.ref.typ == &TypeProxy {
					b = of(b)
				}
				return m.Compare(op, of(a), b)
			},
			Binary: [numOperators]Binary{Or: func(m *Machine, a, b Value) (Value, *Exception) {
				if a.ref.typ == &TypeProxy {
					a = of(a)
				}
				if b.ref.typ == &TypeProxy {
					b = of(b)
				}
				return m.BinaryOp(Or, a, b)
			}},
			InPlace: [DivMod]Binary{Or: func(m *Machine, a, b Value) (Value, *Exception) {
				return Value{}, m.TypeError("'|=' is not supported by %s; use '|' instead", a.ref.typ.Name)
			}},
		},
		Methods: []Method{
			classGetItem(),
			forward("get", "key, default=None, /"), forward("keys", ""), forward("values", ""),
			forward("items", ""), forward("copy", ""), forward("__reversed__", ""),
		},
	})
}
