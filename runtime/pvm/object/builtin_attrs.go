package object

// attributeFunctions declares the built-in functions about attributes and
// namespaces.
func attributeFunctions() []Method {
	return []Method{
		{Name: "getattr", Sig: "object, name, default=None, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			n, e := m.attrName(a.V[1])
			if e != nil {
				return Value{}, e
			}
			if len(a.V) == 2 {
				return m.GetAttr(a.V[0], n)
			}
			v, e := m.LookupAttr(a.V[0], n)
			if e == nil && v.ref == nil {
				v = a.V[2]
			}
			return v, e
		}},
		{Name: "hasattr", Sig: "obj, name, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			n, e := m.attrName(a.V[1])
			if e != nil {
				return Value{}, e
			}
			v, e := m.LookupAttr(a.V[0], n)
			return Bool(v.ref != nil), e
		}},
		{Name: "setattr", Sig: "obj, name, value, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			m.meter.Owe(m.costs.Element)
			n, e := m.attrName(a.V[1])
			if e != nil {
				return Value{}, e
			}
			return None, m.SetAttr(a.V[0], n, a.V[2])
		}},
		{Name: "delattr", Sig: "obj, name, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			n, e := m.attrName(a.V[1])
			if e != nil {
				return Value{}, e
			}
			return None, m.SetAttr(a.V[0], n, Value{})
		}},
		{Name: "dir", Sig: "object=None, /", Func: builtinDir},
		{Name: "vars", Sig: "object=None, /", Func: builtinVars},
		{Name: "globals", Func: func(m *Machine, a Args) (Value, *Exception) {
			if m.Frame == nil {
				return m.NewDict().Value(), nil
			}
			return m.newProxy(m.Frame.L.Image.Globals.Value()), nil
		}},
		{Name: "locals", Func: func(m *Machine, a Args) (Value, *Exception) { return m.locals() }},
	}
}

// locals is a snapshot of the variables of the running frame.
func (m *Machine) locals() (Value, *Exception) {
	f := m.Frame
	if f == nil {
		return m.NewDict().Value(), nil
	}
	if f.NS.ref != nil && f.L.Code.Flags&IsClassBody != 0 {
		return f.NS, nil
	}
	c := f.L.Code
	if c.Flags&IsModule != 0 {
		return m.newProxy(f.L.Image.Globals.Value()), nil
	}
	if e := m.Charge(5 * (c.Locals + c.Cells)); e != nil {
		return Value{}, e
	}
	d := m.NewDict()
	captured := map[string]Value{}
	for i, n := range c.CellNames {
		captured[n.s] = Value{}
		if v := f.Regs[c.Locals+i]; v.ref != nil {
			captured[n.s] = v.cell().V
		}
	}
	for i, n := range c.VarNames {
		v, cell := captured[n.s]
		switch {
		case n.s == "" || cell && i >= c.Params: // captured variables follow, but for parameters
			continue
		case !cell:
			v = f.Regs[i]
		}
		if v.ref != nil {
			d.setStr(m, n, v)
		}
	}
	for _, n := range c.CellNames {
		if v := captured[n.s]; n.s != "" && v.ref != nil {
			d.setStr(m, n, v)
		}
	}
	for i, n := range c.FreeNames {
		if v := f.Closure[i].V; v.ref != nil {
			d.setStr(m, n, v)
		}
	}
	return d.Value(), nil
}

func builtinDir(m *Machine, a Args) (Value, *Exception) {
	var names Value
	var e *Exception
	if len(a.V) == 0 {
		if names, e = m.locals(); e != nil {
			return Value{}, e
		}
	} else if names, e = m.callSpecial(a.V[0], nDir); e != nil {
		return Value{}, e
	}
	items, e := m.Collect(names)
	if e != nil {
		return Value{}, e
	}
	l := m.NewList(items)
	return l.Value(), m.Sort(items, Value{}, false)
}

func builtinVars(m *Machine, a Args) (Value, *Exception) {
	if len(a.V) == 0 {
		return m.locals()
	}
	d, e := m.LookupAttr(a.V[0], nDict)
	if e != nil {
		return Value{}, e
	}
	if d.ref == nil {
		return Value{}, m.TypeError("vars() argument must have __dict__ attribute")
	}
	return d, nil
}
