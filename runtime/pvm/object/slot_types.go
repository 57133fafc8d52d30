package object

// unary describes a special method without arguments that is a Unary slot.
func unary(name string, at func(*Slots) *Unary) dunder {
	n := StaticName(name)
	return dunder{
		name: name,
		wrap: func(s *Slots) Func {
			f := *at(s)
			if f == nil {
				return nil
			}
			return func(m *Machine, a Args) (Value, *Exception) { return f(m, a.V[0]) }
		},
		set:  func(s *Slots) { *at(s) = func(m *Machine, v Value) (Value, *Exception) { return m.callSpecial(v, n) } },
		copy: func(d, s *Slots) { *at(d) = *at(s) },
	}
}

func unaryDunders() []dunder {
	list := []dunder{
		unary("__neg__", func(s *Slots) *Unary { return &s.Neg }),
		unary("__pos__", func(s *Slots) *Unary { return &s.Pos }),
		unary("__abs__", func(s *Slots) *Unary { return &s.Abs }),
		unary("__invert__", func(s *Slots) *Unary { return &s.Invert }),
		unary("__int__", func(s *Slots) *Unary { return &s.ToInt }),
		unary("__float__", func(s *Slots) *Unary { return &s.ToFloat }),
		unary("__index__", func(s *Slots) *Unary { return &s.ToIndex }),
		unary("__await__", func(s *Slots) *Unary { return &s.Await }),
		unary("__aiter__", func(s *Slots) *Unary { return &s.AIter }),
		unary("__anext__", func(s *Slots) *Unary { return &s.ANext }),
		unary("__iter__", func(s *Slots) *Unary { return &s.Iter }),
	}
	next := unary("__next__", func(s *Slots) *Unary { return &s.Next })
	next.wrap = func(s *Slots) Func {
		f := s.Next
		if f == nil {
			return nil
		}
		return func(m *Machine, a Args) (Value, *Exception) {
			v, e := f(m, a.V[0])
			if e == nil && v.ref == nil {
				return Value{}, m.Raise(&ExcStopIteration, "")
			}
			return v, e
		}
	}
	next.set = func(s *Slots) {
		s.Next = func(m *Machine, v Value) (Value, *Exception) {
			r, e := m.callSpecial(v, nNext)
			if e != nil && e.Is(&ExcStopIteration) && e.Bare() {
				return Value{}, nil // one with a value is for yield from, and for whoever called next()
			}
			return r, e
		}
	}
	repr := unary("__repr__", func(s *Slots) *Unary { return &s.Repr })
	repr.set = func(s *Slots) { s.Repr = stringSlot(nRepr, reprNoText) }
	str := unary("__str__", func(s *Slots) *Unary { return &s.Str })
	str.set = func(s *Slots) { s.Str = stringSlot(nStr, strNoText) }
	return append(list, next, repr, str)
}

// stringSlot calls a special method that must return a string; otherwise is the message.
func stringSlot(name *Str, otherwise string) Unary {
	return func(m *Machine, v Value) (Value, *Exception) {
		r, e := m.callSpecial(v, name)
		if e != nil {
			return Value{}, e
		}
		if _, ok := r.AsStr(); !ok {
			return Value{}, m.TypeError(otherwise, r.ref.typ.Name)
		}
		return r, nil
	}
}

// objectDunders are the special methods of attribute access, hashing, calling,
// descriptors and construction. __new__ is not one of them: it is looked up when
// a class is made (class.go).
func objectDunders() []dunder {
	return []dunder{
		{
			name: "__hash__",
			wrap: func(s *Slots) Func {
				f := s.Hash
				if f == nil {
					return nil
				}
				return func(m *Machine, a Args) (Value, *Exception) {
					h, e := f(m, a.V[0])
					return Int(h), e
				}
			},
			set:  func(s *Slots) { s.Hash = slotHash },
			copy: func(d, s *Slots) { d.Hash = s.Hash },
		},
		{
			name: "__call__", sig: Unbound,
			wrap: func(s *Slots) Func {
				f := s.Call
				if f == nil {
					return nil
				}
				return func(m *Machine, a Args) (Value, *Exception) { return f(m, a.V[0], a.Rest(1)) }
			},
			set:  func(s *Slots) { s.Call = slotCall },
			copy: func(d, s *Slots) { d.Call = s.Call },
		},
		{
			name: "__init__", sig: Unbound,
			wrap: func(s *Slots) Func {
				f := s.Init
				if f == nil {
					return nil
				}
				return func(m *Machine, a Args) (Value, *Exception) { return None, f(m, a.V[0], a.Rest(1)) }
			},
			set:  func(s *Slots) { s.Init = slotInit },
			copy: func(d, s *Slots) { d.Init = s.Init },
		},
		{
			name: "__getattribute__", sig: "name, /",
			wrap: func(s *Slots) Func {
				f := s.GetAttr
				if f == nil {
					return nil
				}
				return func(m *Machine, a Args) (Value, *Exception) {
					n, e := m.attrName(a.V[1])
					if e != nil {
						return Value{}, e
					}
					return f(m, a.V[0], n)
				}
			},
			set:  func(s *Slots) { s.GetAttr = slotGetAttr },
			copy: func(d, s *Slots) { d.GetAttr = s.GetAttr },
		},
		{
			name: "__getattr__",
			wrap: func(s *Slots) Func { return nil },
			set:  func(s *Slots) { s.GetAttr = slotGetAttr },
			copy: func(d, s *Slots) {},
		},
		setAttrDunder("__setattr__", "name, value, /"),
		setAttrDunder("__delattr__", "name, /"),
		{
			name: "__get__", sig: "instance, owner=None, /",
			wrap: func(s *Slots) Func {
				f := s.DescrGet
				if f == nil {
					return nil
				}
				return func(m *Machine, a Args) (Value, *Exception) {
					obj, owner := a.V[1], a.Or(2, None)
					t, _ := owner.AsType()
					if obj.IsNone() {
						obj = Value{}
						if t == nil {
							return Value{}, m.TypeError("__get__(None, None) is invalid")
						}
					} else if t == nil {
						t = obj.ref.typ
					}
					return f(m, a.V[0], obj, t)
				}
			},
			set:  func(s *Slots) { s.DescrGet = slotDescrGet },
			copy: func(d, s *Slots) { d.DescrGet = s.DescrGet },
		},
		setDescrDunder("__set__", "instance, value, /"),
		setDescrDunder("__delete__", "instance, /"),
	}
}

func setAttrDunder(name, sig string) dunder {
	return dunder{
		name: name, sig: sig,
		wrap: func(s *Slots) Func {
			f := s.SetAttr
			if f == nil {
				return nil
			}
			return func(m *Machine, a Args) (Value, *Exception) {
				n, e := m.attrName(a.V[1])
				if e != nil {
					return Value{}, e
				}
				return None, f(m, a.V[0], n, a.Arg(2))
			}
		},
		set:  func(s *Slots) { s.SetAttr = slotSetAttr },
		copy: func(d, s *Slots) { d.SetAttr = s.SetAttr },
	}
}

func setDescrDunder(name, sig string) dunder {
	return dunder{
		name: name, sig: sig,
		wrap: func(s *Slots) Func {
			f := s.DescrSet
			if f == nil {
				return nil
			}
			return func(m *Machine, a Args) (Value, *Exception) {
				return None, f(m, a.V[0], a.V[1], a.Arg(2))
			}
		},
		set:  func(s *Slots) { s.DescrSet = slotDescrSet },
		copy: func(d, s *Slots) { d.DescrSet = s.DescrSet },
	}
}

func (m *Machine) attrName(v Value) (*Str, *Exception) {
	s, ok := v.AsStr()
	if !ok {
		return nil, m.TypeError("attribute name must be string, not '%s'", v.ref.typ.Name)
	}
	if len(s.s) > longText { // which is looked up and compared
		if e := m.Charge(len(s.s) / hashChars); e != nil {
			return nil, e
		}
	}
	_, e := m.hashStr(s)
	return s, e
}

func compareDunders() []dunder {
	var list []dunder
	for op := Eq; op <= Ge; op++ {
		name := [...]string{"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}[op]
		list = append(list, dunder{
			name: name, sig: "value, /",
			wrap: func(s *Slots) Func {
				f := s.Compare
				if f == nil {
					return nil
				}
				return func(m *Machine, a Args) (Value, *Exception) { return f(m, op, a.V[0], a.V[1]) }
			},
			set:  func(s *Slots) { s.Compare = slotCompare },
			copy: func(d, s *Slots) {},
		})
	}
	return list
}

var compareNames = [...]*Str{
	StaticName("__eq__"), StaticName("__ne__"), StaticName("__lt__"),
	StaticName("__le__"), StaticName("__gt__"), StaticName("__ge__"),
}

func operatorDunders(op Operator) []dunder {
	name := operatorNames[op]
	plain, swapped := StaticName("__"+name+"__"), StaticName("__r"+name+"__")
	slot := func(m *Machine, a, b Value) (Value, *Exception) { return slotOperator(m, plain, swapped, a, b) }
	sig := "value, /"
	if op == Pow {
		sig = "value, mod=None, /"
	}
	wrap := func(reverse bool) func(s *Slots) Func {
		return func(s *Slots) Func {
			f := s.Binary[op]
			if f == nil || reverse && op == Add && s.GetItem != nil {
				return nil // sequences have no __radd__
			}
			return func(m *Machine, a Args) (Value, *Exception) {
				if op == Pow && len(a.V) > 2 && !a.V[2].IsNone() && !reverse {
					return m.builtinPowMod(a.V[0], a.V[1], a.V[2])
				}
				x, y := a.V[0], a.V[1]
				if reverse {
					x, y = y, x
				}
				r, e := f(m, x, y)
				if e == nil && (op == Add || op == Mul) && r.IsNotImplemented() && joins(a.V[0]) {
					// Sequences do not leave it to the other side.
					if op == Mul {
						if _, e := m.Index(a.V[1]); e != nil {
							return Value{}, e
						}
					}
					return Value{}, m.operandError(op, x, y, "")
				}
				return r, e
			}
		}
	}
	set := func(s *Slots) {
		s.Binary[op] = slot
		s.inPython |= 1 << op
	}
	list := []dunder{
		{name: plain.s, sig: sig, wrap: wrap(false),
			set: set, copy: func(d, s *Slots) {
				d.Binary[op] = s.Binary[op]
				d.inPython = d.inPython&^(1<<op) | s.inPython&(1<<op)
			}},
		{name: swapped.s, sig: sig, wrap: wrap(true),
			set: set, copy: func(d, s *Slots) {}},
	}
	if op == DivMod {
		return list
	}
	in := StaticName("__i" + name + "__")
	return append(list, dunder{
		name: in.s, sig: "value, /",
		wrap: func(s *Slots) Func {
			f := s.InPlace[op]
			if f == nil {
				return nil
			}
			return func(m *Machine, a Args) (Value, *Exception) {
				if op == Mul && s.Len != nil {
					// The count of a sequence's repetitions is converted before the slot is called.
					if _, e := m.Index(a.V[1]); e != nil {
						return Value{}, e
					}
				}
				return f(m, a.V[0], a.V[1])
			}
		},
		set: func(s *Slots) {
			s.InPlace[op] = func(m *Machine, a, b Value) (Value, *Exception) { return m.callSpecial(a, in, b) }
		},
		copy: func(d, s *Slots) { d.InPlace[op] = s.InPlace[op] },
	})
}

func containerDunders() []dunder {
	return []dunder{
		{
			name: "__len__",
			wrap: func(s *Slots) Func {
				f := s.Len
				if f == nil {
					return nil
				}
				return func(m *Machine, a Args) (Value, *Exception) {
					if a.V[0].ref.kind == KindRange {
						return builtinLen(m, a) // beyond what the slot can say
					}
					n, e := f(m, a.V[0])
					return Int(int64(n)), e
				}
			},
			set:  func(s *Slots) { s.Len = slotLen },
			copy: func(d, s *Slots) { d.Len = s.Len },
		},
		{
			name: "__bool__",
			wrap: func(s *Slots) Func {
				f := s.Bool
				if f == nil {
					return nil
				}
				return func(m *Machine, a Args) (Value, *Exception) {
					b, e := f(m, a.V[0])
					return Bool(b), e
				}
			},
			set:  func(s *Slots) { s.Bool = slotBool },
			copy: func(d, s *Slots) { d.Bool = s.Bool },
		},
		{
			name: "__getitem__", sig: "key, /",
			wrap: func(s *Slots) Func {
				f := s.GetItem
				if f == nil {
					return nil
				}
				return func(m *Machine, a Args) (Value, *Exception) { return f(m, a.V[0], a.V[1]) }
			},
			set:  func(s *Slots) { s.GetItem = slotGetItem },
			copy: func(d, s *Slots) { d.GetItem = s.GetItem },
		},
		setItemDunder("__setitem__", "key, value, /"),
		setItemDunder("__delitem__", "key, /"),
		{
			name: "__contains__", sig: "key, /",
			wrap: func(s *Slots) Func {
				f := s.Contains
				if f == nil {
					return nil
				}
				return func(m *Machine, a Args) (Value, *Exception) {
					b, e := f(m, a.V[0], a.V[1])
					return Bool(b), e
				}
			},
			set:  func(s *Slots) { s.Contains = slotContains },
			copy: func(d, s *Slots) { d.Contains = s.Contains },
		},
	}
}

func setItemDunder(name, sig string) dunder {
	return dunder{
		name: name, sig: sig,
		wrap: func(s *Slots) Func {
			f := s.SetItem
			if f == nil {
				return nil
			}
			return func(m *Machine, a Args) (Value, *Exception) { return None, f(m, a.V[0], a.V[1], a.Arg(2)) }
		},
		set:  func(s *Slots) { s.SetItem = slotSetItem },
		copy: func(d, s *Slots) { d.SetItem = s.SetItem },
	}
}
