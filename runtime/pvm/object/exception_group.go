package object

import "strconv"

// groupDetails describes BaseExceptionGroup; field 0 is the message, field 1 the
// tuple of exceptions.
func groupDetails(s *Spec) {
	s.Slots.New = groupNew
	s.Slots.Init = func(m *Machine, v Value, a Args) *Exception { return nil }
	s.Slots.Str = func(m *Machine, v Value) (Value, *Exception) {
		msg, e := m.strText(v.exception().Field(0))
		if e != nil {
			return Value{}, e
		}
		n := len(groupParts(v))
		return m.shown(msg + " (" + strconv.Itoa(n) + " sub-exception" + Plural(n) + ")"), nil
	}
	s.Fields = []Field{
		{Name: "message", Get: func(m *Machine, v Value) (Value, *Exception) { return v.exception().Field(0), nil }},
		{Name: "exceptions", Get: func(m *Machine, v Value) (Value, *Exception) { return v.exception().Field(1), nil }},
	}
	s.Methods = []Method{
		{Name: "derive", Sig: "excs, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			return m.Call(ExcBaseExceptionGroup.Value(), Positional(a.V[0].exception().Field(0), a.V[1]))
		}},
		{Name: "split", Sig: "condition, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			match, rest, e := m.split(a.V[0], a.V[1])
			return m.pair(orNone(match), orNone(rest)), e
		}},
		{Name: "subgroup", Sig: "condition, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			match, _, e := m.split(a.V[0], a.V[1])
			return orNone(match), e
		}},
		classGetItem(),
	}
}

func groupParts(v Value) []Value { return v.exception().Field(1).tuple().items }

// isSequence says whether v has the slot of sequences for its elements.
func isSequence(v Value) bool {
	_, isDict := v.AsDict()
	return v.ref.typ.Slots.GetItem != nil && !isDict && v.ref.typ.pattern != 2 && v.ref.kind != KindType
}

// groupCost is the price of making a group, beside looking at each of its exceptions.
const groupCost = 40

func groupNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if len(a.V) != 2 || len(a.Names) > 0 {
		return Value{}, m.TypeError("BaseExceptionGroup.__new__() takes exactly 2 arguments (%d given)", len(a.V))
	}
	if _, ok := a.V[0].AsStr(); !ok {
		return Value{}, m.TypeError("BaseExceptionGroup.__new__() argument 1 must be str, not %s", argName(a.V[0]))
	}
	if !isSequence(a.V[1]) {
		return Value{}, m.TypeError("second argument (exceptions) must be a sequence")
	}
	items, e := m.Collect(a.V[1])
	if e != nil {
		return Value{}, e
	}
	if e := m.Charge(groupCost + len(items)); e != nil {
		return Value{}, e
	}
	if len(items) == 0 {
		return Value{}, m.ValueError("second argument (exceptions) must be a non-empty sequence")
	}
	plain := true
	for i, x := range items {
		if _, ok := x.AsException(); !ok {
			return Value{}, m.ValueError("Item %d of second argument (exceptions) is not an exception", i)
		}
		plain = plain && x.ref.typ.IsSubtype(&ExcException)
	}
	switch {
	case t == &ExcBaseExceptionGroup && plain:
		t = &ExcExceptionGroup
	case !plain && t == &ExcExceptionGroup:
		return Value{}, m.TypeError("Cannot nest BaseExceptions in an ExceptionGroup")
	case !plain && t.IsSubtype(&ExcException):
		return Value{}, m.TypeError("Cannot nest BaseExceptions in '%s'", t.Name)
	}
	x := m.newExceptionOfType(t)
	x.args = append([]Value(nil), a.V...)
	x.SetField(0, a.V[0])
	x.SetField(1, m.ownTuple(items).Value())
	m.account(len(items) * valueSize)
	m.hold(len(x.args) * valueSize)
	return x.Value(), nil
}

// split divides a group, or an exception alone, by a condition: a type, a tuple
// of types or a predicate. The zero Value stands for an empty part.
func (m *Machine) split(v, cond Value) (match, rest Value, e *Exception) {
	test, e := m.groupTest(cond)
	if e != nil {
		return Value{}, Value{}, e
	}
	return m.splitBy(v, test)
}

func (m *Machine) groupTest(cond Value) (func(v Value) (bool, *Exception), *Exception) {
	isClass := func(v Value) bool {
		t, ok := v.AsType()
		return ok && t.IsSubtype(&ExcBaseException)
	}
	if isClass(cond) {
		return func(v Value) (bool, *Exception) { return v.ref.typ.IsSubtype(cond.typ()), nil }, nil
	}
	if tu, ok := cond.AsTuple(); ok {
		for _, x := range tu.items {
			if !isClass(x) {
				return nil, m.TypeError("expected a function, exception type or tuple of exception types")
			}
		}
		return func(v Value) (bool, *Exception) {
			if e := m.Charge(len(tu.items) * (1 + v.ref.typ.BasesPrice())); e != nil {
				return false, e
			}
			for _, x := range tu.items {
				if v.ref.typ.IsSubtype(x.typ()) {
					return true, nil
				}
			}
			return false, nil
		}, nil
	}
	if cond.ref.kind != KindFunction {
		return nil, m.TypeError("expected a function, exception type or tuple of exception types")
	}
	return func(v Value) (bool, *Exception) {
		r, e := m.Call1(cond, v)
		if e != nil {
			return false, e
		}
		return m.Truth(r)
	}, nil
}

// splitCost is the price of looking at one exception of a group that is divided.
const splitCost = 20

func (m *Machine) splitBy(v Value, test func(v Value) (bool, *Exception)) (match, rest Value, e *Exception) {
	if e := m.Charge(splitCost); e != nil {
		return Value{}, Value{}, e
	}
	ok, e := test(v)
	if e != nil || ok {
		return v, Value{}, e
	}
	if !v.ref.typ.IsSubtype(&ExcBaseExceptionGroup) {
		return Value{}, v, nil
	}
	if e := m.Enter(); e != nil {
		return Value{}, Value{}, e
	}
	defer m.Leave()
	var yes, no []Value
	for _, x := range groupParts(v) {
		a, b, e := m.splitBy(x, test)
		if e != nil {
			return Value{}, Value{}, e
		}
		if a.ref != nil {
			yes = append(yes, a)
		}
		if b.ref != nil {
			no = append(no, b)
		}
	}
	if match, e = m.derive(v, yes); e != nil {
		return Value{}, Value{}, e
	}
	rest, e = m.derive(v, no)
	return match, rest, e
}

// derive makes a group like v of other parts, with its traceback, cause, context
// and notes.
func (m *Machine) derive(v Value, parts []Value) (Value, *Exception) {
	if len(parts) == 0 {
		return Value{}, nil
	}
	r, e := m.CallMethod(v, nDerive, m.List(parts...))
	if e != nil {
		return Value{}, e
	}
	x, ok := r.AsException()
	if !ok || !x.typ.IsSubtype(&ExcBaseExceptionGroup) {
		return Value{}, m.TypeError("derive must return an instance of BaseExceptionGroup")
	}
	m.meter.Owe(len(v.exception().Trace) / basesPerCycle)
	from := v.exception()
	if _, e := exceptionTraceback(m, v); e != nil {
		return Value{}, e
	}
	x.Trace, x.tb = from.Trace[:len(from.Trace):len(from.Trace)], from.tb
	x.Cause, x.Context, x.Suppress = from.Cause, from.Context, from.Suppress
	if notes, ok := v.ref.attrs().get(nNotes); ok {
		if l, ok := notes.AsList(); ok {
			r.ref.attrs().set(m, r.ref, nNotes, m.List(append([]Value(nil), l.items...)...))
		}
	}
	return r, nil
}

var nDerive = StaticName("derive")

// SplitGroup splits an exception for an except* clause: what is left, and the
// part that matches, each an exception or None.
func (m *Machine) SplitGroup(v, class Value) (rest, match Value, e *Exception) {
	classes := []Value{class}
	if tu, ok := class.AsTuple(); ok {
		classes = tu.items
	}
	for _, c := range classes {
		t, ok := c.AsType()
		if !ok || !t.IsSubtype(&ExcBaseException) {
			return v, None, m.TypeError("catching classes that do not inherit from BaseException is not allowed")
		}
		if t.IsSubtype(&ExcBaseExceptionGroup) {
			return v, None, m.TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")
		}
	}
	if v.IsNone() {
		return v, None, nil
	}
	if v.ref.typ.overrides(nSplit) && v.ref.typ.IsSubtype(&ExcBaseExceptionGroup) {
		match, rest, e = m.ownSplit(v, class)
	} else {
		match, rest, e = m.split(v, class)
	}
	if e != nil {
		return v, None, e
	}
	if match.ref != nil && !match.ref.typ.IsSubtype(&ExcBaseExceptionGroup) {
		// A bare exception is caught as a group of one.
		g, e := m.Call(ExcBaseExceptionGroup.Value(), Positional(emptyStr.Value(), m.Tuple(match)))
		if e != nil {
			return v, None, e
		}
		match = g
	}
	return orNone(rest), orNone(match), nil
}

// ownSplit calls the split method of a class of the program, whose result must be a pair of exceptions or None.
func (m *Machine) ownSplit(v, class Value) (match, rest Value, e *Exception) {
	r, e := m.callSpecial(v, nSplit, class)
	if e != nil {
		return Value{}, Value{}, e
	}
	pair, ok := r.AsTuple()
	if !ok {
		return Value{}, Value{}, m.TypeError("%s.split must return a tuple, not %s", v.ref.typ.Name, r.ref.typ.Name)
	}
	if len(pair.items) < 2 {
		return Value{}, Value{}, m.TypeError("%s.split must return a 2-tuple, got tuple of size %d", v.ref.typ.Name, len(pair.items))
	}
	for _, x := range pair.items[:2] {
		if _, ok := x.AsException(); !ok && !x.IsNone() {
			return Value{}, Value{}, m.TypeError("%s.split must return exceptions or None, not %s", v.ref.typ.Name, x.ref.typ.Name)
		}
	}
	match, rest = pair.items[0], pair.items[1]
	if match.IsNone() {
		match = Value{}
	}
	if rest.IsNone() {
		rest = Value{}
	}
	return match, rest, nil
}

// JoinGroup returns the exception that an except* statement raises at its end, or
// None: results holds what its clauses raised and, last, the part that none took.
func (m *Machine) JoinGroup(orig, results Value) (Value, *Exception) {
	var raised, again []Value
	items := results.list().items
	for i, x := range items {
		if x.IsNone() {
			continue
		}
		same := i == len(items)-1 && !orig.ref.typ.overrides(nSplit)
		if !same {
			var e *Exception
			if same, e = m.sameOrigin(x, orig); e != nil {
				return Value{}, e
			}
		}
		if same {
			again = append(again, x)
		} else {
			raised = append(raised, x)
		}
	}
	if !orig.ref.typ.IsSubtype(&ExcBaseExceptionGroup) {
		if len(raised) > 0 {
			if len(raised) == 1 {
				return raised[0], nil
			}
			return m.Call(ExcBaseExceptionGroup.Value(), Positional(emptyStr.Value(), m.List(raised...)))
		}
		if len(again) > 0 {
			return orig, nil
		}
		return None, nil
	}
	var left Value
	if len(again) > 0 {
		keep := map[*Object]bool{}
		for _, x := range again {
			if e := m.leaves(x, keep); e != nil {
				return Value{}, e
			}
		}
		var e *Exception
		left, _, e = m.splitBy(orig, func(v Value) (bool, *Exception) {
			return !v.ref.typ.IsSubtype(&ExcBaseExceptionGroup) && keep[v.ref], nil
		})
		if e != nil {
			return Value{}, e
		}
	}
	if len(raised) == 0 {
		return orNone(left), nil
	}
	if left.ref != nil {
		raised = append(raised, left)
	}
	if len(raised) == 1 {
		return raised[0], nil
	}
	return m.Call(ExcBaseExceptionGroup.Value(), Positional(emptyStr.Value(), m.List(raised...)))
}

// sameOrigin says whether x is a part of orig that a clause raised again by a
// bare raise, which leaves its traceback, cause and context alone.
func (m *Machine) sameOrigin(x, orig Value) (bool, *Exception) {
	if !x.ref.typ.IsSubtype(&ExcBaseExceptionGroup) {
		return x == orig, nil
	}
	a, b := x.exception(), orig.exception()
	if len(a.Trace) != len(b.Trace) || a.Cause != b.Cause || a.Context != b.Context {
		return false, nil
	}
	whole, part := map[*Object]bool{}, map[*Object]bool{}
	if e := m.leaves(orig, whole); e != nil {
		return false, e
	}
	if e := m.leaves(x, part); e != nil {
		return false, e
	}
	for o := range part { // order-free: a test of inclusion
		if !whole[o] {
			return false, nil
		}
	}
	return a.Field(0) == b.Field(0), nil
}

// leafCost is the price of noting an exception of a group.
const leafCost = 20

// leaves collects the exceptions of a group that are no groups.
func (m *Machine) leaves(v Value, into map[*Object]bool) *Exception {
	if e := m.Charge(leafCost); e != nil {
		return e
	}
	if !v.ref.typ.IsSubtype(&ExcBaseExceptionGroup) {
		into[v.ref] = true
		return nil
	}
	if e := m.Enter(); e != nil {
		return e
	}
	defer m.Leave()
	for _, x := range groupParts(v) {
		if e := m.leaves(x, into); e != nil {
			return e
		}
	}
	return nil
}
