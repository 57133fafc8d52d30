package object

import (
	"strings"
	"unsafe"
)

// The types of generic aliases and unions.
var (
	TypeAlias Type
	TypeUnion Type
)

// Alias is a generic alias such as list[int], or a union such as int | str.
type Alias struct {
	Object
	origin  Value // zero for a union
	args    []Value
	starred bool // *tuple[int], an element of other arguments
}

// unpacked is the alias with a star in front, which iterating over it gives.
func (a *Alias) unpacked(m *Machine) Value {
	s := Alloc[Alias](m, &TypeAlias, len(a.args)*valueSize)
	s.origin, s.args, s.starred = a.origin, a.args, true
	return Value{ref: &s.Object}
}

// aliasCost is the price of making a generic alias.
const aliasCost = 12

// newAlias returns origin[key].
func (m *Machine) newAlias(origin, key Value) Value { return m.newAliasOf(&TypeAlias, origin, key) }

// newAliasOf makes an alias of a type that derives from GenericAlias.
func (m *Machine) newAliasOf(t *Type, origin, key Value) Value {
	a := Alloc[Alias](m, t, 0)
	a.origin = origin
	if t, ok := key.AsTuple(); ok {
		a.args = append([]Value(nil), t.items...)
	} else {
		a.args = []Value{key}
	}
	m.account(len(a.args) * valueSize)
	m.meter.Owe(aliasCost)
	return Value{ref: &a.Object}
}

// NewAlias returns the generic alias origin[key].
func (m *Machine) NewAlias(origin, key Value) Value { return m.newAlias(origin, key) }

func visitAlias(o *Object, f func(Value)) {
	a := (*Alias)(unsafe.Pointer(o))
	if a.origin.ref != nil {
		f(a.origin)
	}
	each(a.args, f)
}

func aliasSize(o *Object) int { return 64 + len((*Alias)(unsafe.Pointer(o)).args)*valueSize }

func defineAlias() {
	Define(&TypeAlias, Spec{
		Name: "GenericAlias", Module: "types", Layout: LayoutOf[Alias](KindNative), Traverse: visitAlias, Size: aliasSize, Relocate: relocateAlias,
		Slots: Slots{
			New: func(m *Machine, t *Type, a Args) (Value, *Exception) {
				if len(a.V) != 2 {
					return Value{}, m.TypeError("GenericAlias expected 2 arguments, got %d", len(a.V))
				}
				return m.newAliasOf(t, a.V[0], a.V[1]), nil
			},
			Init:    func(m *Machine, v Value, a Args) *Exception { return nil },
			Repr:    aliasRepr,
			GetAttr: aliasGetAttr,
			Call: func(m *Machine, v Value, a Args) (Value, *Exception) {
				m.meter.Owe(2 * m.costs.Operand)
				r, e := m.Call(Trust[Alias](v).origin, a)
				if e == nil {
					if se := m.SetAttr(r, nOrigClass, v); se != nil && se.Fatal != NotFatal {
						return Value{}, se
					}
				}
				return r, e
			},
			GetItem: aliasGetItem,
			Hash: func(m *Machine, v Value) (int64, *Exception) {
				m.meter.Owe(aliasHashCost)
				a := Trust[Alias](v)
				return m.Hash(m.Tuple(append([]Value{a.origin, Bool(a.starred)}, a.args...)...))
			},
			Compare: func(m *Machine, op CompareOp, x, y Value) (Value, *Exception) {
				b, ok := Cast[Alias](y, &TypeAlias)
				if !ok || op > Ne {
					return NotImplemented, nil
				}
				a := Trust[Alias](x)
				if a.starred != b.starred || len(a.args) != len(b.args) {
					return Bool(op == Ne), nil
				}
				m.AccountTuple(1 + len(a.args)) // as tuples of origin and arguments
				m.AccountTuple(1 + len(b.args))
				if same, e := m.Same(a.origin, b.origin); e != nil || !same {
					return Bool(op == Ne), e
				}
				return m.CompareItems(op, a.args, b.args)
			},
			Iter: func(m *Machine, v Value) (Value, *Exception) {
				m.meter.Owe(2 * aliasCost)
				return m.Iter(m.Tuple(Trust[Alias](v).unpacked(m)))
			},
			Binary: [numOperators]Binary{Or: typeOr},
		},
		Methods: []Method{{Name: "__dir__", Func: func(m *Machine, a Args) (Value, *Exception) {
			names := m.NewDict()
			if e := m.typeNames(names, &TypeAlias); e != nil {
				return Value{}, e
			}
			if e := m.Enter(); e != nil {
				return Value{}, e
			}
			inner, e := m.callSpecial(Trust[Alias](a.V[0]).origin, nDir)
			m.Leave()
			if e != nil {
				return Value{}, e
			}
			e = m.Iterate(inner, func(x Value) (bool, *Exception) { return true, names.Set(m, x, None) })
			return m.keyList(names), e
		}}, {Name: "__mro_entries__", Sig: "bases, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			return m.Tuple(Trust[Alias](a.V[0]).origin), nil
		}}, {Name: "__instancecheck__", Sig: "instance, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			return Value{}, m.TypeError("isinstance() argument 2 cannot be a parameterized generic")
		}}, {Name: "__subclasscheck__", Sig: "subclass, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			return Value{}, m.TypeError("issubclass() argument 2 cannot be a parameterized generic")
		}}},
		Fields: []Field{
			{Name: "__origin__", Get: func(m *Machine, v Value) (Value, *Exception) { return Trust[Alias](v).origin, nil }},
			{Name: "__args__", Get: func(m *Machine, v Value) (Value, *Exception) { return m.MadeTuple(Trust[Alias](v).args...) }},
			{Name: "__parameters__", Get: func(m *Machine, v Value) (Value, *Exception) { return m.typeParameters(Trust[Alias](v).args) }},
			{Name: "__unpacked__", Get: func(m *Machine, v Value) (Value, *Exception) { return Bool(Trust[Alias](v).starred), nil }},
			{Name: "__typing_unpacked_tuple_args__", Get: func(m *Machine, v Value) (Value, *Exception) {
				if a := Trust[Alias](v); a.starred && a.origin == TypeTuple.Value() {
					return m.Tuple(a.args...), nil
				}
				return None, nil
			}},
		},
	})
	defineUnion()
}

func defineUnion() {
	Define(&TypeUnion, Spec{
		Name: "UnionType", Module: "types", Layout: LayoutOf[Alias](KindNative), NoNew: true, Final: true,
		Traverse: visitAlias, Size: aliasSize, Relocate: relocateAlias,
		Slots: Slots{
			Repr: func(m *Machine, v Value) (Value, *Exception) {
				var parts []string
				for _, x := range Trust[Alias](v).args {
					s, e := m.typeText(x)
					if e != nil {
						return Value{}, e
					}
					parts = append(parts, s)
				}
				return m.shown(strings.Join(parts, " | ")), nil
			},
			Hash: func(m *Machine, v Value) (int64, *Exception) {
				m.meter.Owe(unionHashCost)
				s := m.NewSet(&TypeFrozenSet)
				for _, x := range Trust[Alias](v).args {
					if _, e := s.Add(m, x); e != nil {
						return 0, e
					}
				}
				return m.Hash(s.Value())
			},
			Compare: func(m *Machine, op CompareOp, x, y Value) (Value, *Exception) {
				b, ok := Cast[Alias](y, &TypeUnion)
				if !ok || op > Ne {
					return NotImplemented, nil
				}
				m.meter.Owe(2 * m.costs.Mapping)
				p, q := m.NewSet(&TypeSet), m.NewSet(&TypeSet)
				for s, args := range map[*Set][]Value{p: Trust[Alias](x).args, q: b.args} { // order-free: two independent sets
					for _, v := range args {
						if _, e := s.Add(m, v); e != nil {
							return Value{}, e
						}
					}
				}
				return m.compareSets(op, p, q)
			},
			GetItem: unionGetItem,
			Binary:  [numOperators]Binary{Or: typeOr},
		},
		Methods: []Method{
			{Name: "__instancecheck__", Sig: "instance, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				for _, t := range Trust[Alias](a.V[0]).args {
					if ok, e := m.IsInstance(a.V[1], unionMember(t)); ok || e != nil {
						return Bool(ok), e
					}
				}
				return False, nil
			}},
			{Name: "__subclasscheck__", Sig: "subclass, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				for _, t := range Trust[Alias](a.V[0]).args {
					if ok, e := m.IsSubclass(a.V[1], unionMember(t)); ok || e != nil {
						return Bool(ok), e
					}
				}
				return False, nil
			}},
		},
		Fields: []Field{
			{Name: "__args__", Get: func(m *Machine, v Value) (Value, *Exception) { return m.MadeTuple(Trust[Alias](v).args...) }},
			{Name: "__parameters__", Get: func(m *Machine, v Value) (Value, *Exception) { return m.typeParameters(Trust[Alias](v).args) }},
		},
	})
}

func unionMember(t Value) Value {
	if t.IsNone() {
		return TypeNone.Value()
	}
	return t
}

// typeParameters collects the type variables among args.
func (m *Machine) typeParameters(args []Value) (Value, *Exception) {
	var out []Value
	add := func(v Value) {
		for _, x := range out {
			if x == v {
				return
			}
		}
		out = append(out, v)
	}
	for _, x := range args {
		if x.ref.kind&^Sub == KindType || x.ref.kind < KindSlice {
			continue
		}
		if _, ok := x.ref.typ.Lookup(nTypingSubst); ok {
			add(x)
			continue
		}
		p, e := m.LookupAttr(x, nTypeParams)
		if e != nil {
			return Value{}, e
		}
		if p.ref != nil {
			if t, ok := p.AsTuple(); ok {
				for _, y := range t.items {
					add(y)
				}
			}
		}
	}
	return m.Tuple(out...), nil
}

// typeText is how a type appears inside the repr of an alias.
func (m *Machine) typeText(v Value) (string, *Exception) {
	if e := m.Charge(2); e != nil {
		return "", e
	}
	switch {
	case v == Ellipsis:
		return "...", nil
	case v.IsNone(), v == TypeNone.Value():
		return "None", nil
	}
	if t, ok := v.AsType(); ok {
		return t.FullName(), nil
	}
	return m.reprText(v)
}

func aliasRepr(m *Machine, v Value) (Value, *Exception) {
	a := Trust[Alias](v)
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	defer m.Leave()
	text, e := m.typeText(a.origin)
	if e != nil {
		return Value{}, e
	}
	var parts []string
	for _, x := range a.args {
		s, e := m.typeText(x)
		if e != nil {
			return Value{}, e
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		parts = []string{"()"}
	}
	if a.starred {
		text = "*" + text
	}
	return m.shown(text + "[" + strings.Join(parts, ", ") + "]"), nil
}

// aliasGetAttr forwards to the origin what is not about the alias itself.
func aliasGetAttr(m *Machine, v Value, name *Str) (Value, *Exception) {
	switch name.s {
	case "__origin__", "__args__", "__parameters__", "__unpacked__", "__typing_unpacked_tuple_args__", "__bases__", "__mro_entries__", "__reduce__",
		"__reduce_ex__", "__copy__", "__deepcopy__", "__class__", "__instancecheck__", "__subclasscheck__":
		return GenericGetAttr(m, v, name)
	}
	return m.forward(Trust[Alias](v).origin, name)
}

// memberCost is the price of comparing a type with a member of a union.
const memberCost = 2

// What a hash of an alias or a union costs, beside those of its parts: that of a union makes a set of them.
const (
	aliasHashCost = 60
	unionHashCost = 60
)

// unionCost is the price of making a union, beside its members and its operator's.
const unionCost = 40

// typeOr is X | Y for types.
func typeOr(m *Machine, a, b Value) (Value, *Exception) {
	if !unionable(a) || !unionable(b) || a.IsNone() && b.IsNone() {
		return NotImplemented, nil
	}
	m.meter.Owe(unionCost)
	var args []Value
	add := func(v Value) *Exception {
		if v.IsNone() {
			v = TypeNone.Value()
		}
		if e := m.Charge(memberCost * len(args)); e != nil {
			return e
		}
		for _, x := range args {
			if same, e := m.Same(x, v); same || e != nil {
				return e
			}
		}
		args = append(args, v)
		return nil
	}
	for _, v := range []Value{a, b} {
		parts := []Value{v}
		if u, ok := Cast[Alias](v, &TypeUnion); ok {
			parts = u.args
		}
		for _, p := range parts {
			if e := add(p); e != nil {
				return Value{}, e
			}
		}
	}
	if len(args) == 1 {
		return args[0], nil
	}
	u := Alloc[Alias](m, &TypeUnion, len(args)*valueSize)
	u.args = args
	return Value{ref: &u.Object}, nil
}

func unionable(v Value) bool {
	return v.IsNone() || v.ref.kind&^Sub == KindType || v.ref.typ.IsSubtype(&TypeAlias) || v.ref.typ == &TypeUnion
}
