package object

// The protocol of type variables: how one takes the argument given for it, how one
// looks at all arguments beforehand, and what stands for several types.
var (
	nTypingSubst   = StaticName("__typing_subst__")
	nTypingPrepare = StaticName("__typing_prepare_subst__")
	nTypingSpread  = StaticName("__typing_unpacked_tuple_args__")
	nTypingIsMany  = StaticName("__typing_is_unpacked_typevartuple__")
)

// aliasGetItem substitutes the type variables of an alias.
//
// Spec: Python 3.11 library reference, "Generic Alias Type"; PEP 646.
func aliasGetItem(m *Machine, v, key Value) (Value, *Exception) {
	a := Trust[Alias](v)
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	defer m.Leave()
	ps, e := m.typeParameters(a.args)
	if e != nil {
		return Value{}, e
	}
	params := ps.tuple().items
	if len(params) == 0 {
		return Value{}, m.TypeError("%s is not a generic class", m.quietRepr(v))
	}
	given, e := m.typeArguments(v, params, key)
	if e != nil {
		return Value{}, e
	}
	var out []Value
	for _, x := range a.args {
		r, many, e := m.substitute(x, params, given)
		if e != nil {
			return Value{}, e
		}
		if t, ok := r.AsTuple(); many && ok {
			out = append(out, t.items...)
		} else {
			out = append(out, r)
		}
	}
	r := m.newAlias(a.origin, m.ownTuple(out).Value())
	Trust[Alias](r).starred = a.starred
	return r, nil
}

// unionGetItem substitutes the type variables of a union.
func unionGetItem(m *Machine, v, key Value) (Value, *Exception) {
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	defer m.Leave()
	members := Trust[Alias](v).args
	ps, e := m.typeParameters(members)
	if e != nil {
		return Value{}, e
	}
	params := ps.tuple().items
	if len(params) == 0 {
		return Value{}, m.TypeError("%s is not a generic class", m.quietRepr(v))
	}
	given, e := m.typeArguments(v, params, key)
	if e != nil {
		return Value{}, e
	}
	var out Value
	for _, x := range members {
		r, _, e := m.substitute(x, params, given)
		if e != nil {
			return Value{}, e
		}
		if out.ref == nil {
			out = r
		} else if out, e = m.BinaryOp(Or, out, r); e != nil {
			return Value{}, e
		}
	}
	return out, nil
}

// typeArguments returns one argument for each parameter of v.
func (m *Machine) typeArguments(v Value, params []Value, key Value) ([]Value, *Exception) {
	given := []Value{key}
	if t, ok := key.AsTuple(); ok {
		given = t.items
	}
	given, e := m.unpackArguments(given)
	if e != nil {
		return nil, e
	}
	for _, p := range params {
		prepare, e := m.LookupAttr(p, nTypingPrepare)
		if e != nil {
			return nil, e
		}
		if prepare.ref == nil || prepare.IsNone() {
			continue
		}
		r, e := m.Call2(prepare, v, m.Tuple(given...))
		if e != nil {
			return nil, e
		}
		if t, ok := r.AsTuple(); ok {
			given = t.items
		} else {
			given = []Value{r}
		}
	}
	if len(given) != len(params) {
		few := "few"
		if len(given) > len(params) {
			few = "many"
		}
		return nil, m.TypeError("Too %s arguments for %s; actual %d, expected %d", few, m.quietRepr(v), len(given), len(params))
	}
	return given, nil
}

// unpackArguments puts the arguments of *tuple[int, str] in its place, if their
// number is fixed.
func (m *Machine) unpackArguments(given []Value) ([]Value, *Exception) {
	var out []Value
	for _, x := range given {
		if x.ref.kind&^Sub != KindType {
			parts, e := m.LookupAttr(x, nTypingSpread)
			if e != nil {
				return nil, e
			}
			if parts.ref != nil && !parts.IsNone() {
				if t, ok := parts.AsTuple(); ok && (len(t.items) == 0 || t.items[len(t.items)-1] != Ellipsis) {
					out = append(out, t.items...)
					continue
				}
			}
		}
		out = append(out, x)
	}
	return out, nil
}

// substitute returns what becomes of an argument when the parameters are given;
// many says that a tuple is several arguments.
func (m *Machine) substitute(x Value, params, given []Value) (r Value, many bool, e *Exception) {
	if x.ref.kind&^Sub == KindType {
		return x, false, nil
	}
	spread, e := m.LookupAttr(x, nTypingIsMany)
	if e != nil {
		return Value{}, false, e
	}
	if spread.ref != nil {
		if many, e = m.Truth(spread); e != nil {
			return Value{}, false, e
		}
	}
	subst, e := m.LookupAttr(x, nTypingSubst)
	if e != nil {
		return Value{}, false, e
	}
	if subst.ref == nil {
		r, e = m.substituteInside(x, params, given)
		return r, many, e
	}
	for i, p := range params {
		if x == p {
			r, e = m.Call1(subst, given[i])
			return r, many, e
		}
	}
	return x, many, nil
}

// substituteInside substitutes the parameters that x has itself.
func (m *Machine) substituteInside(x Value, params, given []Value) (Value, *Exception) {
	inner, e := m.LookupAttr(x, nTypeParams)
	if e != nil || inner.ref == nil {
		return x, e
	}
	t, ok := inner.AsTuple()
	if !ok || len(t.items) == 0 {
		return x, nil
	}
	var args []Value
	for _, y := range t.items {
		arg := y
		for i, p := range params {
			if y != p {
				continue
			}
			arg = given[i]
			if several, ok := arg.AsTuple(); ok && p.ref.typ.Slots.Iter != nil { // a TypeVarTuple
				args = append(args, several.items...)
				arg = Value{}
			}
			break
		}
		if arg.ref != nil {
			args = append(args, arg)
		}
	}
	return m.GetItem(x, m.ownTuple(args).Value())
}
