package object

// IsSequencePattern says whether match statements take v for a sequence.
func IsSequencePattern(v Value) bool { return v.ref.typ.pattern == 1 }

// IsMappingPattern says whether match statements take v for a mapping.
func IsMappingPattern(v Value) bool { return v.ref.typ.pattern == 2 }

// SetPattern makes match statements take instances of a class for sequences or
// mappings, as registration with the abstract classes does.
func (t *Type) SetPattern(sequence, mapping bool) {
	switch {
	case t.Static() || !sequence && !mapping:
		return
	case sequence:
		t.pattern = 1
	default:
		t.pattern = 2
	}
	for _, s := range t.subs {
		s.SetPattern(sequence, mapping)
	}
}

// LendPattern makes match statements treat instances of the class sub as those of t.
func (t *Type) LendPattern(sub Value) {
	if u, ok := sub.AsType(); ok {
		u.SetPattern(t.pattern == 1, t.pattern == 2)
	}
}

// MatchItem returns item i of a sequence, or the one i places before its end.
func (m *Machine) MatchItem(v Value, i int, fromEnd bool) (Value, *Exception) {
	if fromEnd {
		n, e := m.Len(v)
		if e != nil {
			return Value{}, e
		}
		i = n - i
	}
	return m.GetItem(v, Int(int64(i)))
}

// MatchKeys returns a tuple of the values under keys, or None if one is missing.
func (m *Machine) MatchKeys(v, keys Value) (Value, *Exception) {
	ks := keys.tuple().items
	seen := m.NewSet(&TypeSet)
	out := make([]Value, len(ks))
	get, e := m.Attr(v, "get")
	if e != nil {
		return Value{}, e
	}
	missing := m.NewList(nil).Value()
	for i, k := range ks {
		fresh, e := seen.Add(m, k)
		if e != nil {
			return Value{}, e
		}
		if !fresh {
			return Value{}, m.ValueError("mapping pattern checks duplicate key (%s)", m.quietRepr(k))
		}
		r, e := m.Call(get, Positional(k, missing))
		if e != nil {
			return Value{}, e
		}
		if r == missing {
			return None, nil
		}
		out[i] = r
	}
	return m.ownTuple(out).Value(), nil
}

// MatchRest returns a dict of the items of v whose keys are not in keys.
func (m *Machine) MatchRest(v, keys Value) (Value, *Exception) {
	d := m.NewDict()
	if e := m.mergeInto(d, v); e != nil {
		return Value{}, e
	}
	for _, k := range keys.tuple().items {
		if _, _, e := d.Delete(m, k); e != nil {
			return Value{}, e
		}
	}
	return d.Value(), nil
}

// MatchClass returns a tuple of the attributes that a class pattern looks at, or
// None if v does not match: n positional ones named by __match_args__, then names.
func (m *Machine) MatchClass(v, class Value, n int, names []Value) (Value, *Exception) {
	t, ok := class.AsType()
	if !ok {
		return Value{}, m.TypeError("called match pattern must be a type")
	}
	is, e := m.IsInstance(v, class)
	if e != nil {
		return Value{}, e
	}
	if !is {
		return None, nil
	}
	var out []Value
	seen := map[string]bool{}
	get := func(name *Str) (bool, *Exception) {
		if seen[name.s] {
			return false, m.TypeError("%s() got multiple sub-patterns for attribute '%s'", t.Name, name.s)
		}
		seen[name.s] = true
		r, e := m.LookupAttr(v, name)
		if e != nil || r.ref == nil {
			return false, e
		}
		out = append(out, r)
		return true, nil
	}
	if n > 0 {
		if ok, e := m.matchPositional(v, t, n, &out, get); !ok || e != nil {
			return None, e
		}
	}
	for _, name := range names {
		if ok, e := get(name.str()); !ok || e != nil {
			return None, e
		}
	}
	return m.NewTuple(out).Value(), nil
}

func (m *Machine) matchPositional(v Value, t *Type, n int, out *[]Value, get func(*Str) (bool, *Exception)) (bool, *Exception) {
	args, e := m.LookupAttr(t.Value(), nMatchArgs)
	if e != nil {
		return false, e
	}
	var items []Value
	switch {
	case args.ref != nil:
		tu, ok := args.AsTuple()
		if !ok {
			return false, m.TypeError("%s.__match_args__ must be a tuple (got %s)", t.Name, args.ref.typ.Name)
		}
		items = tu.items
	case t.matchSelf:
		if n > 1 {
			return false, m.TypeError("%s() accepts 1 positional sub-pattern (%d given)", t.Name, n)
		}
		*out = append(*out, v)
		return true, nil
	}
	if n > len(items) {
		return false, m.TypeError("%s() accepts %d positional sub-pattern%s (%d given)", t.Name, len(items), Plural(len(items)), n)
	}
	for _, a := range items[:n] {
		s, ok := a.AsStr()
		if !ok {
			return false, m.TypeError("__match_args__ elements must be strings (got %s)", a.ref.typ.Name)
		}
		if ok, e := get(s); !ok || e != nil {
			return false, e
		}
	}
	return true, nil
}
