package pyfunc

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

var typePartial object.Type

// partial is a callable with some of its arguments.
type partial struct {
	object.Object
	fn    value
	args  []value
	kw    *object.Dict
	attrs attributes
}

var _ = object.Define(&typePartial, object.Spec{
	Name: "partial", Module: "functools",
	Doc:    "partial(func, *args, **keywords) - new function with partial application\n    of the given arguments and keywords.\n",
	Layout: object.LayoutOf[partial](object.KindNative),
	Slots: object.Slots{
		New: partialNew, Call: partialCall, Repr: partialRepr,
		Init: func(m *machine, v value, a object.Args) *exception { return nil },
		GetAttr: func(m *machine, v value, name *object.Str) (value, *exception) {
			return object.Trust[partial](v).attrs.get(m, v, name)
		},
		SetAttr: func(m *machine, v value, name *object.Str, x value) *exception {
			return object.Trust[partial](v).attrs.set(m, v, name, x)
		},
	},
	Fields: []object.Field{
		{Name: "func", Member: true, Get: func(m *machine, v value) (value, *exception) { return object.Trust[partial](v).fn, nil }},
		{Name: "args", Member: true, Get: func(m *machine, v value) (value, *exception) { return m.MadeTuple(object.Trust[partial](v).args...) }},
		{Name: "keywords", Member: true, Get: func(m *machine, v value) (value, *exception) { return object.Trust[partial](v).kw.Value(), nil }},
	},
	Traverse: func(o *object.Object, visit func(value)) {
		p := object.Trust[partial](object.Of(o))
		visitAll(visit, p.fn)
		visitAll(visit, p.args...)
		visit(p.kw.Value())
		p.attrs.visit(visit)
	},
	Size: func(o *object.Object) int { return 80 + 16*len(object.Trust[partial](object.Of(o)).args) },
	Relocate: func(r *object.Relocation, o *object.Object) {
		p := object.Trust[partial](object.Of(o))
		p.fn, p.args, p.kw = r.Value(p.fn), r.Values(p.args), r.Dict(p.kw)
		p.attrs.relocate(r)
	},
})

// partialCost is the price of a partial without arguments: three objects.
const partialCost = 36

func partialNew(m *machine, t *object.Type, a object.Args) (value, *exception) {
	pos := a.Pos()
	if len(pos) == 0 {
		return value{}, m.TypeError("type 'partial' takes at least one argument")
	}
	fn, bound := pos[0], []value(nil)
	if !object.Callable(fn) {
		return value{}, m.TypeError("the first argument must be callable")
	}
	kw := m.NewDict()
	// A partial of a partial is one of the function.
	if inner, ok := object.Cast[partial](fn, &typePartial); ok && t == &typePartial && fn.Type() == &typePartial {
		fn, bound = inner.fn, inner.args
		kw = inner.kw.Copy(m)
	}
	if e := m.ChargeLen(partialCost, len(bound)+len(a.V), 2); e != nil {
		return value{}, e
	}
	for i, name := range a.Names {
		kw.SetStr(m, name, a.V[len(pos)+i])
	}
	n := len(bound) + len(pos) - 1
	p := object.Alloc[partial](m, t, 16*n)
	p.fn, p.kw = fn, kw
	p.args = append(append(make([]value, 0, n), bound...), pos[1:]...)
	return object.Of(&p.Object), nil
}

func partialCall(m *machine, v value, a object.Args) (value, *exception) {
	p := object.Trust[partial](v)
	if e := m.ChargeLen(4, 2*(len(p.args)+len(a.V)+2*p.kw.Len()), 1); e != nil {
		return value{}, e
	}
	pos := a.Pos()
	all := make([]value, 0, len(p.args)+len(a.V)+p.kw.Len())
	all = append(append(all, p.args...), pos...)
	names := a.Names
	if p.kw.Len() > 0 {
		names = make([]*object.Str, 0, p.kw.Len()+len(a.Names))
		for _, x := range p.keywords() {
			s, ok := x[0].AsStr()
			if !ok {
				return value{}, m.TypeError("keywords must be strings")
			}
			if given := a.Keyword(s.String()); !given.IsZero() { // the call's value in the partial's place
				x[1] = given
			}
			names, all = append(names, s), append(all, x[1])
		}
		for i, name := range a.Names {
			if _, again := p.kw.GetStr(name); !again {
				names, all = append(names, name), append(all, a.V[len(pos)+i])
			}
		}
	} else {
		all = append(all, a.V[len(pos):]...)
	}
	if e := m.Enter(); e != nil {
		return value{}, e
	}
	defer m.Leave()
	return m.Call(p.fn, object.Args{V: all, Names: names})
}

// keywords returns the keyword arguments as pairs.
func (p *partial) keywords() [][2]value {
	list := make([][2]value, 0, p.kw.Len())
	p.kw.Each(func(k, x value) bool {
		list = append(list, [2]value{k, x})
		return true
	})
	return list
}

func partialRepr(m *machine, v value) (value, *exception) {
	p := object.Trust[partial](v)
	again, e := m.ReprEnter(v)
	if e != nil {
		return value{}, e
	}
	if again {
		return m.Str("..."), nil
	}
	defer m.ReprLeave()
	name := v.Type().ShortName()
	if v.Type() == &typePartial {
		name = "functools.partial"
	}
	parts := make([]string, 0, 1+len(p.args)+p.kw.Len())
	add := func(prefix string, x value) *exception {
		m.Meter().Owe(m.Costs().Format)
		text, e := m.ReprText(x)
		parts = append(parts, prefix+text)
		return e
	}
	if e := add("", p.fn); e != nil {
		return value{}, e
	}
	for _, x := range p.args {
		if e := add("", x); e != nil {
			return value{}, e
		}
	}
	for _, x := range p.keywords() { // a copy: showing a value may change them
		key, e := m.StrText(x[0])
		if e == nil {
			e = add(key+"=", x[1])
		}
		if e != nil {
			return value{}, e
		}
	}
	return m.Str(name + "(" + strings.Join(parts, ", ") + ")"), nil
}
