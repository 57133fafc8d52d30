package pydata

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/signature"
)

// initField is one field of a class as __init__ sees it.
type initField struct {
	name      *object.Str
	parameter int  // its place among the parameters; -1 if it is none
	initVar   bool // handed to __post_init__, not stored
	def       value
	factory   value
}

// initializer is what the __init__ of a class knows.
type initializer struct {
	signature signature.Signature // self comes first
	fields    []initField         // in the order of definition
	postInit  bool
	frozen    bool // stores go around __setattr__
}

var nameSelf = object.StaticName("self")

// makeInit is _make_init(qualname, fields, positional, post_init, frozen). fields
// are tuples (name, is a parameter, is an InitVar, (default,), (factory,)), where
// an empty tuple means none; those that are positional parameters, of which
// positional says the number, go before the keyword-only ones in the parameter
// list, whatever their place here.
func makeInit(m *machine, a object.Args) (value, *exception) {
	qualname, e := text(m, a.V[0])
	if e != nil {
		return value{}, e
	}
	items, e := m.Collect(a.V[1])
	if e != nil {
		return value{}, e
	}
	order, e := texts(m, a.V[2])
	if e != nil {
		return value{}, e
	}
	in := &initializer{}
	in.postInit = a.V[3].IsTrue()
	in.frozen = a.V[4].IsTrue()
	d := newMethod(m, "__init__", qualname, nil)
	for _, item := range items {
		f, e := readField(m, item)
		if e != nil {
			return value{}, e
		}
		d.refs = append(d.refs, f.def, f.factory)
		in.fields = append(in.fields, f)
	}
	in.parameters(order)
	m.Account(64 * len(in.fields))
	d.work.init = in
	d.work.call = func(m *machine, d *method, a object.Args) (value, *exception) { return d.work.init.run(m, d, a) }
	return object.Of(&d.Object), nil
}

// relocate is the initializer of a copy, nil if there is none.
func (in *initializer) relocate(r *object.Relocation) *initializer {
	if in == nil {
		return nil
	}
	own := *in
	own.signature.Names = r.Strs(in.signature.Names)
	own.fields = append([]initField(nil), in.fields...)
	for i := range own.fields {
		f := &own.fields[i]
		f.name, f.def, f.factory = r.Str(f.name), r.Value(f.def), r.Value(f.factory)
	}
	if !r.Copying() {
		return in
	}
	return &own
}

func readField(m *machine, v value) (f initField, e *exception) {
	var part [5]value
	if e := m.Unpack(v, 5, part[:]); e != nil {
		return f, e
	}
	name, ok := part[0].AsStr()
	if !ok {
		return f, m.TypeError("Field names must be strings")
	}
	f.name, f.parameter, f.initVar = name, -1, part[2].IsTrue()
	if part[1].IsTrue() {
		f.parameter = 0
	}
	for i, p := range []*value{&f.def, &f.factory} {
		t, ok := part[3+i].AsTuple()
		if !ok {
			return f, m.TypeError("a default must be in a tuple")
		}
		if t.Len() > 0 {
			*p = t.Items()[0]
		}
	}
	return f, nil
}

// parameters makes the signature: self, the positional parameters in order, then
// the other ones.
func (in *initializer) parameters(positional []*object.Str) {
	s := &in.signature
	add := func(name *object.Str, optional bool) int {
		s.Names = append(s.Names, name)
		s.Optional = append(s.Optional, optional)
		return len(s.Names) - 1
	}
	add(nameSelf, false)
	for _, name := range positional {
		for i := range in.fields {
			if f := &in.fields[i]; f.parameter == 0 && f.name.String() == name.String() {
				f.parameter = add(f.name, !f.def.IsZero() || !f.factory.IsZero())
			}
		}
	}
	s.Positional = len(s.Names)
	for i := range in.fields {
		if f := &in.fields[i]; f.parameter == 0 {
			f.parameter = add(f.name, !f.def.IsZero() || !f.factory.IsZero())
		}
	}
}

// run initialises an instance.
func (in *initializer) run(m *machine, d *method, a object.Args) (value, *exception) {
	args := a.V
	if len(a.Names) > 0 || len(args) != len(in.signature.Names) || in.signature.Positional != len(args) {
		bound, e := in.signature.Bind(m, d.qualname, a)
		if e != nil {
			return value{}, e
		}
		args = bound
	}
	if e := m.Charge(2 * len(in.fields)); e != nil {
		return value{}, e
	}
	self := args[0]
	var extra []value
	for i := range in.fields {
		f := &in.fields[i]
		v, e := f.value(m, args)
		if e != nil {
			return value{}, e
		}
		switch {
		case v.IsZero():
		case f.initVar:
			m.Pin(v)
			extra = append(extra, v)
		case in.frozen:
			e = object.GenericSetAttr(m, self, f.name, v)
		default:
			e = m.SetAttr(self, f.name, v)
		}
		if e != nil {
			return value{}, e
		}
	}
	if in.postInit {
		if _, e := m.CallMethod(self, namePostInit, extra...); e != nil {
			return value{}, e
		}
	}
	return object.None, nil
}

// value returns what the field is set to; zero if __init__ leaves it alone.
func (f *initField) value(m *machine, args []value) (value, *exception) {
	if f.parameter >= 0 {
		if v := args[f.parameter]; !v.IsZero() {
			return v, nil
		}
	}
	if !f.factory.IsZero() {
		return m.Call(f.factory, object.Args{})
	}
	return f.def, nil
}
