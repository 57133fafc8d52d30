package object

import (
	"strconv"
	"strings"
	"unsafe"
)

// The types of functions and of what goes with them.
var (
	TypeFunction       Type
	TypeMethod         Type
	TypeMethodWrapper  Type // of a slot bound to its receiver
	TypeCell           Type
	TypeCode           Type
	TypeModule         Type
	TypeGenerator      Type
	TypeCoroutine      Type
	TypeAsyncGenerator Type
)

func defineFunctions() {
	Define(&TypeFunction, Spec{
		Name: "function", Layout: LayoutOf[Function](KindFunction), NoNew: true, Final: true,
		Slots: Slots{
			Repr: func(m *Machine, v Value) (Value, *Exception) {
				return m.shown("<function " + v.function().Qualname.s + " at 0x" + hex12(m.ID(v)) + ">"), nil
			},
			Call:    func(m *Machine, v Value, a Args) (Value, *Exception) { return m.Call(v, a) },
			GetAttr: functionGetAttr, SetAttr: functionSetAttr, Hash: objectHash,
			DescrGet: func(m *Machine, d, obj Value, owner *Type) (Value, *Exception) {
				if obj.ref == nil {
					return d, nil
				}
				return m.NewMethod(d, obj), nil
			},
		},
		Fields: functionFields(),
		Methods: []Method{{Name: "__dir__", Func: func(m *Machine, a Args) (Value, *Exception) {
			names := m.NewDict()
			if f := a.V[0].function(); f.more != nil && f.more.dict != nil {
				if e := names.addNames(m, f.more.dict); e != nil {
					return Value{}, e
				}
			}
			e := m.typeNames(names, &TypeFunction)
			return m.keyList(names), e
		}}},
	})
	Define(&TypeMethod, Spec{
		Name: "method", Layout: LayoutOf[BoundMethod](KindMethod), Final: true,
		Slots: Slots{
			Repr: methodRepr, Call: func(m *Machine, v Value, a Args) (Value, *Exception) { return m.Call(v, a) },
			GetAttr: methodGetAttr, Compare: methodCompare, Hash: methodHash,
			New: func(m *Machine, t *Type, a Args) (Value, *Exception) {
				if len(a.V) != 2 || len(a.Names) > 0 {
					return Value{}, m.TypeError("method expected 2 arguments, got %d", len(a.V))
				}
				if !Callable(a.V[0]) {
					return Value{}, m.TypeError("first argument must be callable")
				}
				return m.NewMethod(a.V[0], a.V[1]), nil
			},
		},
		Fields: []Field{
			{Name: "__func__", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return v.method().Func, nil }},
			{Name: "__self__", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return v.method().Self, nil }},
		},
		Methods: []Method{{Name: "__dir__", Func: func(m *Machine, a Args) (Value, *Exception) {
			return m.callSpecial(a.V[0].method().Func, nDir)
		}}},
	})
	Define(&TypeMethodWrapper, Spec{
		Name: "method-wrapper", Layout: LayoutOf[BoundMethod](KindMethod), Final: true, NoNew: true,
		Slots: Slots{
			Repr: methodRepr, Call: TypeMethod.Call, GetAttr: methodGetAttr, Compare: methodCompare, Hash: methodHash,
		},
		Fields: []Field{{Name: "__self__", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return v.method().Self, nil }}},
	})
	Define(&TypeCell, Spec{
		Name: "cell", Layout: LayoutOf[Cell](KindCell), NoNew: true, Final: true,
		Slots: Slots{Hash: objectHash, Repr: func(m *Machine, v Value) (Value, *Exception) {
			text := "<cell at 0x" + hex12(m.ID(v)) + ": empty>"
			if c := v.cell().V; c.ref != nil {
				text = "<cell at 0x" + hex12(m.ID(v)) + ": " + c.ref.typ.FullName() + " object at 0x" + hex12(m.ID(c)) + ">"
			}
			return m.Str(text), nil
		}},
		Fields: []Field{{Name: "cell_contents", Get: func(m *Machine, v Value) (Value, *Exception) {
			if c := v.cell().V; c.ref != nil {
				return c, nil
			}
			return Value{}, m.ValueError("Cell is empty")
		}, Set: func(m *Machine, v, val Value) *Exception {
			v.cell().Set(m, val)
			return nil
		}}},
	})
	defineCode()
}

// defineCode defines what functions are made of and live in: code and modules.
func defineCode() {
	Define(&TypeCode, Spec{
		Name: "code", Layout: LayoutOf[Code](KindCode), NoNew: true, Final: true,
		Slots: Slots{Repr: func(m *Machine, v Value) (Value, *Exception) {
			c := Trust[Code](v)
			return m.shown("<code object " + c.Name.s + " at 0x" + hex12(m.ID(v)) + ", file \"" + c.File + "\", line " +
				strconv.Itoa(int(c.FirstLine)) + ">"), nil
		}},
		Fields: []Field{
			{Name: "co_name", Get: func(m *Machine, v Value) (Value, *Exception) { return Trust[Code](v).Name.Value(), nil }},
			{Name: "co_qualname", Get: func(m *Machine, v Value) (Value, *Exception) { return Trust[Code](v).Qualname.Value(), nil }},
			{Name: "co_argcount", Get: func(m *Machine, v Value) (Value, *Exception) { return Int(int64(Trust[Code](v).Pos)), nil }},
			{Name: "co_posonlyargcount", Get: func(m *Machine, v Value) (Value, *Exception) { return Int(int64(Trust[Code](v).PosOnly)), nil }},
			{Name: "co_kwonlyargcount", Get: func(m *Machine, v Value) (Value, *Exception) { return Int(int64(Trust[Code](v).KwOnly)), nil }},
			{Name: "co_varnames", Get: func(m *Machine, v Value) (Value, *Exception) { return m.names(Trust[Code](v).VarNames), nil }},
			{Name: "co_nlocals", Get: func(m *Machine, v Value) (Value, *Exception) {
				return Int(int64(len(m.names(Trust[Code](v).VarNames).tuple().items))), nil
			}},
			{Name: "co_freevars", Get: func(m *Machine, v Value) (Value, *Exception) { return m.names(Trust[Code](v).FreeNames), nil }},
			{Name: "co_cellvars", Get: func(m *Machine, v Value) (Value, *Exception) { return m.names(Trust[Code](v).CellNames), nil }},
			{Name: "co_flags", Get: func(m *Machine, v Value) (Value, *Exception) { return Int(codeFlags(Trust[Code](v))), nil }},
			{Name: "co_firstlineno", Get: func(m *Machine, v Value) (Value, *Exception) { return Int(int64(Trust[Code](v).FirstLine)), nil }},
			{Name: "co_filename", Get: func(m *Machine, v Value) (Value, *Exception) { return m.Str(Trust[Code](v).File), nil }},
		},
	})
	Define(&TypeModule, Spec{
		Name: "module", Layout: LayoutOf[Module](KindModule), NoNew: true, Final: true,
		Slots: Slots{GetAttr: moduleGetAttr, SetAttr: moduleSetAttr, Hash: objectHash, Repr: func(m *Machine, v Value) (Value, *Exception) {
			return m.shown("<module '" + v.module().Name + "' (built-in)>"), nil
		}},
		Methods: []Method{{Name: "__dir__", Func: func(m *Machine, a Args) (Value, *Exception) { return m.keyList(a.V[0].module().Dict), nil }}},
		Fields:  []Field{{Name: "__dict__", Get: func(m *Machine, v Value) (Value, *Exception) { return m.newProxy(v.module().Dict.Value()), nil }}},
	})
}

func codeFlags(c *Code) int64 {
	f := int64(3)
	for _, x := range []struct {
		bit uint16
		co  int64
	}{{VarArgs, 4}, {VarKeywords, 8}} {
		if c.Flags&x.bit != 0 {
			f |= x.co
		}
	}
	if strings.Contains(c.Qualname.s, ".<locals>.") {
		f |= 0x10 // nested in a function
	}
	switch c.Flags & (IsGenerator | IsCoroutine) {
	case IsGenerator:
		f |= 0x20
	case IsCoroutine:
		f |= 0x80
	case IsGenerator | IsCoroutine:
		f |= 0x200
	}
	return f
}

func (m *Machine) names(list []*Str) Value {
	var t []Value
	for _, n := range list {
		if n.s != "" { // else a variable of an inlined comprehension
			t = append(t, n.Value())
		}
	}
	return m.Tuple(t...)
}

func functionFields() []Field {
	str := func(get func(f *Function) **Str, attr string) Field {
		return Field{Name: attr,
			Get: func(m *Machine, v Value) (Value, *Exception) { return (*get(v.function())).Value(), nil },
			Set: func(m *Machine, v, val Value) *Exception {
				s, ok := strOrNone(val)
				if !ok {
					return m.TypeError("%s must be set to a string object", attr)
				}
				*get(v.function()) = s
				return nil
			}}
	}
	return []Field{
		str(func(f *Function) **Str { return &f.Name }, "__name__"),
		str(func(f *Function) **Str { return &f.Qualname }, "__qualname__"),
		{Name: "__doc__", Get: func(m *Machine, v Value) (Value, *Exception) {
			f := v.function()
			if f.more != nil && f.more.doc.ref != nil {
				return f.more.doc, nil
			}
			return f.L.Code.Doc, nil
		}, Set: func(m *Machine, v, val Value) *Exception {
			v.function().extra().doc = orNone(val)
			return nil
		}},
		{Name: "__module__", Get: func(m *Machine, v Value) (Value, *Exception) {
			f := v.function()
			if f.more != nil && f.more.module.ref != nil {
				return f.more.module, nil
			}
			if n, ok := f.L.Image.Globals.getStr(nName); ok {
				return n, nil
			}
			return None, nil
		}, Set: func(m *Machine, v, val Value) *Exception {
			v.function().extra().module = orNone(val)
			return nil
		}},
		{Name: "__code__", Get: func(m *Machine, v Value) (Value, *Exception) { return v.function().L.Code.Value(), nil }},
		{Name: "__globals__", Get: func(m *Machine, v Value) (Value, *Exception) {
			m.meter.Owe(m.costs.Operand)
			return m.newProxy(v.function().L.Image.Globals.Value()), nil
		}},
		{Name: "__closure__", Get: func(m *Machine, v Value) (Value, *Exception) {
			f := v.function()
			if len(f.Closure) == 0 {
				return None, nil
			}
			t := m.room(len(f.Closure))
			for i, c := range f.Closure {
				t.items[i] = c.Value()
			}
			return t.Value(), nil
		}},
		{Name: "__defaults__", Get: func(m *Machine, v Value) (Value, *Exception) {
			if d := v.function().Defaults; len(d) > 0 {
				return m.Tuple(d...), nil
			}
			return None, nil
		}, Set: setDefaults},
		{Name: "__kwdefaults__", Get: getKwDefaults, Set: setKwDefaults},
		{Name: "__annotations__", Get: func(m *Machine, v Value) (Value, *Exception) {
			x := v.function().extra()
			if x.annotations.ref == nil {
				x.annotations = m.NewDict().Value()
			}
			return x.annotations, nil
		}, Set: func(m *Machine, v, val Value) *Exception {
			if val.ref != nil && !val.IsNone() {
				if _, ok := val.AsDict(); !ok {
					return m.TypeError("__annotations__ must be set to a dict object")
				}
			}
			v.function().extra().annotations = noneAsZero(val)
			return nil
		}},
		{Name: "__dict__", Get: func(m *Machine, v Value) (Value, *Exception) { return v.function().dict(m).Value(), nil },
			Set: func(m *Machine, v, val Value) *Exception {
				if val.ref == nil {
					return m.TypeError("cannot delete __dict__")
				}
				d, ok := val.AsDict()
				if !ok {
					return m.TypeError("__dict__ must be set to a dictionary, not a '%s'", typeName(val))
				}
				v.function().extra().dict = d
				return nil
			}},
	}
}

func (f *Function) dict(m *Machine) *Dict {
	x := f.extra()
	if x.dict == nil {
		x.dict = m.NewDict()
	}
	return x.dict
}

func setDefaults(m *Machine, v, val Value) *Exception {
	if val.ref == nil || val.IsNone() {
		v.function().Defaults = nil
		return nil
	}
	t, ok := val.AsTuple()
	if !ok {
		return m.TypeError("__defaults__ must be set to a tuple object")
	}
	v.function().Defaults = append([]Value(nil), t.items...)
	return nil
}

func getKwDefaults(m *Machine, v Value) (Value, *Exception) {
	f := v.function()
	if f.more != nil && f.more.kwDefaults != nil {
		return f.more.kwDefaults.Value(), nil
	}
	if f.KwDefaults == nil {
		return None, nil
	}
	d := m.NewDict()
	c := f.L.Code
	for i, x := range f.KwDefaults {
		if x.ref != nil {
			d.setStr(m, c.VarNames[c.Pos+i], x)
		}
	}
	f.extra().kwDefaults = d
	m.noteStore(&f.Object, d.Value())
	return d.Value(), nil
}

// KwDefault returns the default of keyword-only parameter i, or the zero Value. The
// dict that a program was given as __kwdefaults__ decides.
func (f *Function) KwDefault(i int) Value {
	if f.more != nil && f.more.kwDefaults != nil {
		c := f.L.Code
		v, _ := f.more.kwDefaults.getStr(c.VarNames[c.Pos+i])
		return v
	}
	if f.KwDefaults == nil {
		return Value{}
	}
	return f.KwDefaults[i]
}

func functionGetAttr(m *Machine, v Value, name *Str) (Value, *Exception) {
	r, found, e := m.functionAttr(v, name)
	if !found {
		return Value{}, m.noAttr(v, name)
	}
	return r, e
}

// functionAttr is the attribute of a function, if it has it; an AttributeError of a descriptor counts as found.
func (m *Machine) functionAttr(v Value, name *Str) (r Value, found bool, e *Exception) {
	attr, ok := TypeFunction.Lookup(name)
	if ok && isData(attr) {
		r, e = m.bind(attr, v, &TypeFunction)
		return r, true, e
	}
	if f := v.function(); f.more != nil && f.more.dict != nil {
		if r, has := f.more.dict.getStr(name); has {
			return r, true, nil
		}
	}
	if ok {
		r, e = m.bind(attr, v, &TypeFunction)
		return r, true, e
	}
	return Value{}, false, nil
}

func functionSetAttr(m *Machine, v Value, name *Str, val Value) *Exception {
	if found, ok := TypeFunction.Lookup(name); ok && isData(found) {
		return found.ref.typ.DescrSet(m, found, v, val)
	}
	m.meter.Owe(m.costs.Mapping)
	d := v.function().dict(m)
	if val.ref == nil {
		if !d.deleteStr(name) {
			return m.noAttrToSet(v, name)
		}
		return nil
	}
	d.setStr(m, name, val)
	m.noteStore(v.ref, val)
	return nil
}

func setKwDefaults(m *Machine, v, val Value) *Exception {
	f := v.function()
	if val.ref == nil || val.IsNone() {
		f.KwDefaults = nil
		if f.more != nil {
			f.more.kwDefaults = nil
		}
		return nil
	}
	d, ok := val.AsDict()
	if !ok {
		return m.TypeError("__kwdefaults__ must be set to a dict object")
	}
	f.extra().kwDefaults = d
	m.noteStore(v.ref, val)
	return nil
}

func methodRepr(m *Machine, v Value) (Value, *Exception) {
	b := v.method()
	if b.Func.ref.kind == KindBuiltin {
		f := b.Func.builtin()
		kind := "built-in method "
		if f.wrapper {
			return m.shown("<method-wrapper '" + f.Name + "' of " + b.Self.ref.typ.Name + " object at 0x" + hex12(m.ID(b.Self)) + ">"), nil
		}
		return m.shown("<" + kind + f.Name + " of " + b.Self.ref.typ.Name + " object at 0x" + hex12(m.ID(b.Self)) + ">"), nil
	}
	name := "?"
	if q, e := m.LookupAttr(b.Func, nQualname); e != nil {
		return Value{}, e
	} else if q.ref != nil && q.ref.kind == KindStr {
		name = q.str().s
	} else if q, e := m.LookupAttr(b.Func, nName); e != nil {
		return Value{}, e
	} else if q.ref != nil && q.ref.kind == KindStr {
		name = q.str().s
	}
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	defer m.Leave()
	self, e := m.reprText(b.Self)
	return m.shown("<bound method " + name + " of " + self + ">"), e
}

func methodGetAttr(m *Machine, v Value, name *Str) (Value, *Exception) {
	if found, ok := v.ref.typ.Lookup(name); ok {
		if name != nDoc && name.s != "__doc__" {
			return m.bind(found, v, v.ref.typ)
		}
	}
	r, e := m.forward(v.method().Func, name)
	if e != nil && v.ref.typ != &TypeMethod && e.Is(&ExcAttributeError) {
		e = m.noAttr(v, name)
	}
	return r, e
}

// forward gets an attribute of what a method or an alias stands for, which may be another of them.
func (m *Machine) forward(v Value, name *Str) (Value, *Exception) {
	if v.ref.kind == KindMethod || v.ref.typ == &TypeAlias {
		if e := m.Enter(); e != nil {
			return Value{}, e
		}
		defer m.Leave()
	}
	return m.GetAttr(v, name)
}

func methodHash(m *Machine, v Value) (int64, *Exception) {
	b := v.method()
	return int64(m.ID(b.Self)>>4 ^ m.ID(b.Func)>>3), nil
}

func methodCompare(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	if a.ref.kind != KindMethod || b.ref.kind != KindMethod || op > Ne {
		return NotImplemented, nil
	}
	x, y := a.method(), b.method()
	same := x.Self == y.Self && x.Func == y.Func
	return Bool(same == (op == Eq)), nil
}

// instanceDict is the __dict__ of an instance.
func instanceDict(m *Machine, v Value) (Value, *Exception) {
	if v.ref.kind&^Sub == KindType {
		return m.newProxy(v.typ().dict.Value()), nil
	}
	a := v.ref.attrs()
	if a == nil || !v.ref.typ.hasDict {
		return Value{}, m.noAttr(v, nDict)
	}
	return a.materialise(m, v.ref).Value(), nil
}

func setInstanceDict(m *Machine, v, val Value) *Exception {
	if v.ref.kind&^Sub == KindType {
		return m.Raise(&ExcAttributeError, "attribute '__dict__' of 'type' objects is not writable")
	}
	if val.ref == nil {
		val = m.NewDict().Value()
	}
	d, ok := val.AsDict()
	if !ok {
		return m.TypeError("__dict__ must be set to a dictionary, not a '%s'", val.ref.typ.Name)
	}
	a := v.ref.attrs()
	a.materialise(m, v.ref)
	a.dict = d
	m.noteStore(v.ref, val)
	return nil
}

var _ = unsafe.Sizeof(0)
