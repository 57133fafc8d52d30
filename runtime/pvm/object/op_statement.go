package object

// What statements and displays need beyond operators.

// SliceOf returns v[lo:hi].
func (m *Machine) SliceOf(v, lo, hi Value) (Value, *Exception) {
	switch v.ref.kind {
	case KindStr:
		if start, n, plain := spanOf(lo, hi, v.str().n); plain {
			if e := m.Charge(n); e != nil {
				return Value{}, e
			}
			return v.str().Slice(m, start, start+n), nil
		}
	case KindList:
		if start, n, plain := spanOf(lo, hi, len(v.list().items)); plain {
			return m.listSlice(v.list().items, start, 1, n)
		}
	case KindTuple:
		if start, n, plain := spanOf(lo, hi, len(v.tuple().items)); plain {
			return m.tupleSlice(v, start, 1, n)
		}
	case KindBytes:
	default:
		return m.GetItem(v, m.NewSlice(lo, hi, None))
	}
	// The slice is seen by nobody and not counted.
	s := &Slice{Start: lo, Stop: hi, Step: None}
	s.typ, s.kind = &TypeSlice, KindSlice
	return v.ref.typ.Slots.GetItem(m, v, Value{ref: &s.Object})
}

// JoinStrings concatenates the pieces of an f-string.
func (m *Machine) JoinStrings(parts []Value) (Value, *Exception) {
	size, n := 0, 0
	for _, p := range parts {
		s := p.str()
		size += len(s.s)
		n += s.n
	}
	if e := m.Charge(n); e != nil {
		return Value{}, e
	}
	if e := m.Reserve(size); e != nil {
		return Value{}, e
	}
	if size <= 1 {
		for _, p := range parts {
			if p.str().n > 0 {
				return m.strN(p.str().s, n), nil
			}
		}
		return emptyStr.Value(), nil
	}
	v, b := m.newText(size, n)
	for _, p := range parts {
		b = b[copy(b, p.str().s):]
	}
	return v, nil
}

// FormatValue is one replacement field of an f-string: conversion is 's', 'r',
// 'a' or 0; a zero spec is the empty one.
func (m *Machine) FormatValue(v, spec Value, conversion byte) (Value, *Exception) {
	var e *Exception
	switch conversion {
	case 's':
		v, e = m.ToStr(v)
	case 'r':
		v, e = m.Repr(v)
	case 'a':
		v, e = m.ASCII(v)
	}
	if e != nil {
		return Value{}, e
	}
	if spec.ref == nil {
		switch v.ref.kind {
		case KindStr:
			return v, nil
		case KindInt:
			return m.decimal(v.Int64()), nil
		}
		return m.Format(v, emptyStr)
	}
	return m.Format(v, spec.str())
}

// UpdateSet adds the values of an iterable to a set being built.
func (m *Machine) UpdateSet(s *Set, v Value) *Exception { return m.addAll(s, v) }

// UpdateMapping adds the items of a mapping to a dict being built.
func (m *Machine) UpdateMapping(d *Dict, v Value) *Exception {
	if e := m.needMapping(v); e != nil {
		return e
	}
	return m.mergeInto(d, v)
}

func (m *Machine) needMapping(v Value) *Exception {
	if _, ok := v.AsDict(); ok {
		return nil
	}
	keys, e := m.LookupAttr(v, nKeys)
	if e != nil {
		return e
	}
	if keys.ref == nil {
		return m.TypeError("'%s' object is not a mapping", v.ref.typ.Name)
	}
	return nil
}

// MergeKeywords adds keyword arguments for a call of fn, which must be new.
func (m *Machine) MergeKeywords(d *Dict, v, fn Value) *Exception {
	src, ok := v.AsDict()
	if !ok {
		keys, e := m.LookupAttr(v, nKeys)
		if e != nil {
			return e
		}
		if keys.ref == nil {
			return m.TypeError("%s argument after ** must be a mapping, not %s", m.functionText(fn), v.ref.typ.Name)
		}
		return m.mergeMapping(d, v, keys, fn)
	}
	cost := m.costs.DictAccess * src.used
	if src.used > fewKeywords {
		cost += mergedCost * src.used
	}
	if e := m.Charge(cost); e != nil {
		return e
	}
	d.Expect(d.used + src.used)
	for i := 0; i < len(src.entries); i++ {
		en := src.entries[i]
		if en.key.ref == nil {
			continue
		}
		if e := m.addKeyword(d, en.key, en.val, fn); e != nil {
			return e
		}
	}
	return nil
}

// mergedCost is the price of each keyword of a longer list, beside those of the dicts that it comes from and goes into.
const mergedCost = 14

// mergeMapping adds the items of a mapping that is no dict; it may name a key
// twice, which is once too often.
func (m *Machine) mergeMapping(d *Dict, v, keys, fn Value) *Exception {
	m.meter.Owe(keysCost)
	names, e := m.Call(keys, Args{})
	if e != nil {
		return e
	}
	return m.Iterate(names, func(k Value) (bool, *Exception) {
		if e := m.Charge(2*m.costs.DictAccess + mergedCost); e != nil {
			return false, e
		}
		x, e := m.GetItem(v, k)
		if e != nil {
			return false, e
		}
		return true, m.addKeyword(d, k, x, fn)
	})
}

// addKeyword adds one keyword argument. One whose name is no string is refused by the call, after the other arguments.
func (m *Machine) addKeyword(d *Dict, key, val, fn Value) *Exception {
	s, ok := key.AsStr()
	if !ok {
		_, twice, e := d.Get(m, key)
		if e == nil && twice {
			name, failed := m.strText(key)
			if failed != nil {
				return failed
			}
			e = m.TypeError("%s got multiple values for keyword argument '%s'", m.functionText(fn), name)
		}
		if e != nil {
			return e
		}
		return d.Set(m, key, val)
	}
	if s.typ != &TypeStr {
		s = m.Str(s.s).str()
	}
	if _, e := m.hashStr(s); e != nil { // of a text that is of a class of its own, or comes out of a mapping that is no dict
		return e
	}
	if d.findStr(s) >= 0 {
		return m.TypeError("%s got multiple values for keyword argument '%s'", m.functionText(fn), s.s)
	}
	d.setStr(m, s, val)
	return nil
}

// functionText names a function in messages.
func (m *Machine) functionText(fn Value) Pieces {
	if f, ok := fn.AsFunction(); ok {
		if f.L.Code.Flags&IsClassBody != 0 {
			return Pieces{"__build_class__()"}
		}
		if mod, ok := f.L.Image.Globals.getStr(nName); ok && mod.ref.kind == KindStr && mod.str().s != "builtins" {
			return Pieces{mod.str().s, ".", f.Qualname.s, "()"}
		}
		return Pieces{f.Qualname.s, "()"}
	}
	switch fn.ref.kind {
	case KindBuiltin:
		return Pieces{fn.builtin().display(), "()"}
	case KindMethod:
		b := fn.method()
		if b.Func.ref.kind != KindBuiltin {
			return m.functionText(b.Func)
		}
		t, ok := b.Self.AsType()
		if !ok {
			t = b.Self.ref.typ
		}
		return Pieces{t.ShortName(), ".", b.Func.builtin().Name, "()"}
	}
	if t, ok := fn.AsType(); ok {
		return Pieces{t.FullName(), "()"}
	}
	return Pieces{m.quietRepr(fn)}
}

// EnterContext begins a with statement: the bound __exit__ and the result of
// __enter__, or for an asynchronous one the awaitable of __aenter__.
func (m *Machine) EnterContext(v Value, async bool) (exit, result Value, e *Exception) {
	enterName, exitName, what := nEnter, nExit, "context manager"
	if async {
		enterName, exitName, what = nAEnter, nAExit, "asynchronous context manager"
	}
	t := v.ref.typ
	enter, ok := t.Lookup(enterName)
	if !ok {
		return Value{}, Value{}, m.TypeError("'%s' object does not support the %s protocol", t.Name, what)
	}
	ex, ok := t.Lookup(exitName)
	if !ok {
		return Value{}, Value{}, m.TypeError("'%s' object does not support the %s protocol (missed %s method)", t.Name, what, exitName.s)
	}
	if exit, e = m.bind(ex, v, t); e != nil {
		return
	}
	result, e = m.callUnbound(enter, v)
	return
}

// GetName reads a name from the namespace of a class body, or gives the zero
// Value.
func (m *Machine) GetName(ns Value, name *Str) (Value, *Exception) {
	if ns.ref.kind == KindDict {
		v, _ := ns.dict().getStr(name)
		return v, nil
	}
	v, e := m.GetItem(ns, name.Value())
	if e != nil && e.Is(&ExcKeyError) {
		return Value{}, nil
	}
	return v, e
}

// SetName stores a name in the namespace of a class body.
func (m *Machine) SetName(ns Value, name *Str, v Value) *Exception {
	if ns.ref.kind == KindDict {
		ns.dict().setStr(m, name, v)
		return nil
	}
	return m.SetItem(ns, name.Value(), v)
}

// DelName deletes a name from the namespace of a class body.
func (m *Machine) DelName(ns Value, name *Str) *Exception {
	if ns.ref.kind == KindDict {
		if ns.dict().deleteStr(name) {
			return nil
		}
		return m.NameError(&ExcNameError, name, "name '%s' is not defined", name.s)
	}
	e := m.DelItem(ns, name.Value())
	if e != nil && e.Is(&ExcKeyError) {
		return m.NameError(&ExcNameError, name, "name '%s' is not defined", name.s)
	}
	return e
}

// BuildClass makes a class: body runs the class body in a namespace and returns
// the __class__ cell or None.
func (m *Machine) BuildClass(name Value, bases *Tuple, kw *Dict, binds int, body func(ns Value) (Value, *Exception)) (Value, *Exception) {
	orig := bases
	bases, e := m.resolveBases(bases)
	if e != nil {
		return Value{}, e
	}
	meta, args, e := m.chooseMetaclass(bases, kw)
	if e != nil {
		return Value{}, e
	}
	ns, e := m.prepare(meta, name, bases, args)
	if e != nil {
		return Value{}, e
	}
	if ns.ref.kind == KindDict {
		ns.dict().Expect(binds)
	}
	if orig != bases {
		if e := m.SetItem(ns, nOrigBases.Value(), orig.Value()); e != nil {
			return Value{}, e
		}
	}
	if mod, ok := m.Frame.L.Image.Globals.getStr(nName); ok {
		if e := m.SetName(ns, nModule, mod); e != nil {
			return Value{}, e
		}
	}
	pins := len(m.pins)
	m.Pin(ns)
	cell, e := body(ns)
	m.Unpin(pins)
	if e != nil {
		return Value{}, e
	}
	if cell.ref.kind == KindCell {
		if e := m.SetName(ns, nClassCell, cell); e != nil {
			return Value{}, e
		}
	}
	all := append(m.Lend(3)[:0:3], name, bases.Value(), ns)
	cls, e := m.Call(meta, Args{V: append(all, args.V...), Names: args.Names})
	m.GiveBack(3)
	if e != nil {
		return Value{}, e
	}
	if _, ok := cls.AsType(); ok && cell.ref.kind == KindCell {
		switch set := cell.cell().V; {
		case set.ref == nil:
			return Value{}, m.RuntimeError("__class__ not set defining %s as %s. Was __classcell__ propagated to type.__new__?", m.quietRepr(name),
				m.quietRepr(cls))
		case set != cls:
			return Value{}, m.TypeError("__class__ set to %s defining %s as %s", m.quietRepr(set), m.quietRepr(name), m.quietRepr(cls))
		}
	}
	return cls, nil
}

// resolveBases applies __mro_entries__ of bases that are no types.
func (m *Machine) resolveBases(bases *Tuple) (*Tuple, *Exception) {
	var out []Value
	for i, b := range bases.items {
		if _, ok := b.AsType(); ok {
			if out != nil {
				out = append(out, b)
			}
			continue
		}
		hook, e := m.LookupAttr(b, nMroEntries)
		if e != nil {
			return nil, e
		}
		if hook.ref == nil {
			if out != nil {
				out = append(out, b)
			}
			continue
		}
		r, e := m.Call(hook, Positional(bases.Value()))
		if e != nil {
			return nil, e
		}
		t, ok := r.AsTuple()
		if !ok {
			return nil, m.TypeError("__mro_entries__ must return a tuple")
		}
		if out == nil {
			out = append([]Value{}, bases.items[:i]...)
		}
		out = append(out, t.items...)
	}
	if out == nil {
		return bases, nil
	}
	return m.NewTuple(out), nil
}

// chooseMetaclass takes the metaclass keyword out and returns the metaclass and
// the other keywords.
func (m *Machine) chooseMetaclass(bases *Tuple, kw *Dict) (meta Value, args Args, e *Exception) {
	if kw != nil {
		kw.Each(func(k, v Value) bool {
			if k.str().s == "metaclass" {
				meta = v
			} else {
				args.Names = append(args.Names, k.str())
				args.V = append(args.V, v)
			}
			return true
		})
	}
	if meta.ref == nil {
		meta = TypeType.Value()
		if len(bases.items) > 0 {
			meta = bases.items[0].ref.typ.Value()
		}
	}
	if t, ok := meta.AsType(); ok {
		w, e := m.Metaclass(t, bases.items)
		if e != nil {
			return meta, args, e
		}
		meta = w.Value()
	}
	return meta, args, nil
}

func (m *Machine) prepare(meta, name Value, bases *Tuple, args Args) (Value, *Exception) {
	if meta == TypeType.Value() {
		m.skipMethod() // type.__prepare__
		return m.NewDict().Value(), nil
	}
	hook, e := m.LookupAttr(meta, nPrepare)
	if e != nil {
		return Value{}, e
	}
	if hook.ref == nil {
		return m.NewDict().Value(), nil
	}
	ns, e := m.Call(hook, Args{V: append([]Value{name, bases.Value()}, args.V...), Names: args.Names})
	if e != nil {
		return Value{}, e
	}
	if ns.ref.typ.Slots.GetItem == nil {
		what := "<metaclass>"
		if t, ok := meta.AsType(); ok {
			what = t.Name
		}
		return Value{}, m.TypeError("%s.__prepare__() must return a mapping, not %s", what, ns.ref.typ.Name)
	}
	return ns, nil
}

// PlainInit says whether calling the class is allocating an instance and calling
// __init__, and returns that function, or nil if there is none.
func (t *Type) PlainInit() (*Function, bool) {
	if t.initVersion == t.version && t.version != 0 {
		return t.initFunc, t.initPlain
	}
	if t.Static() || !t.typ.Static() {
		return nil, false
	}
	if _, owner := t.typ.lookupOwner(nCall); owner != &TypeType {
		return nil, false
	}
	t.initVersion, t.initFunc, t.initPlain = t.version, nil, false
	if t.abstract && !t.concrete() || t.layout.kind != KindInstance {
		return nil, false
	}
	if _, owner := t.lookupOwner(nNew); owner != &TypeObject {
		return nil, false
	}
	init, owner := t.lookupOwner(nInit)
	switch {
	case owner == &TypeObject:
		t.initPlain = true
	case init.ref.kind == KindFunction:
		t.initFunc, t.initPlain = init.function(), true
	}
	return t.initFunc, t.initPlain
}

// concrete says whether no abstract method is left to a class whose bases had some.
func (t *Type) concrete() bool {
	names, ok := t.dict.getStr(nAbstract)
	if !ok {
		return true
	}
	s, ok := names.AsSet()
	return ok && names.ref.kind == KindFrozenSet && s.d.used == 0
}

// Equal says whether two strings are equal.
func (s *Str) Equal(t *Str) bool { return s.equal(t) }

// DeleteStr removes a name and says whether it was there.
func (d *Dict) DeleteStr(name *Str) bool { return d.deleteStr(name) }
