package pyjson

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Decoder is json.JSONDecoder.
type Decoder struct {
	object.Object
	hooks hooks
}

var typeDecoder object.Type

var _ = object.Define(&typeDecoder, object.Spec{
	Name: "JSONDecoder", Module: "json.decoder", Plain: true,
	Layout: object.LayoutOf[Decoder](object.KindNative),
	Slots: object.Slots{
		New: func(m *object.Machine, t *object.Type, a object.Args) (object.Value, *object.Exception) {
			x := object.Alloc[Decoder](m, t, 0)
			x.hooks.strict = true
			return object.Of(&x.Object), nil
		},
		Init: func(m *object.Machine, v object.Value, a object.Args) *object.Exception {
			if len(a.Pos()) > 0 {
				return m.TypeError("JSONDecoder.__init__() takes 1 positional argument but %d were given", len(a.Pos())+1)
			}
			h := hooks{strict: true}
			if _, e := h.apply(m, a, false); e != nil {
				return e
			}
			object.Trust[Decoder](v).hooks = h
			h.each(func(x object.Value) { m.NoteStore(v.Ref(), x) })
			return nil
		},
	},
	Methods: []object.Method{
		{Name: "decode", Sig: "s, _w=None", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			doc, e := document(m, a.V[1])
			if e != nil {
				return object.Value{}, e
			}
			return decode(m, doc, &object.Trust[Decoder](a.V[0]).hooks)
		}},
		{Name: "raw_decode", Sig: "s, idx=0", Func: decoderRaw},
	},
	Traverse: func(o *object.Object, visit func(object.Value)) {
		object.Trust[Decoder](object.Of(o)).hooks.each(visit)
	},
	Relocate: func(r *object.Relocation, o *object.Object) {
		h := &object.Trust[Decoder](object.Of(o)).hooks
		for _, v := range []*object.Value{&h.object, &h.pairs, &h.float, &h.integer, &h.constant} {
			*v = r.Value(*v)
		}
	},
})

// each visits the hooks that are set.
func (h *hooks) each(visit func(object.Value)) {
	for _, v := range []object.Value{h.object, h.pairs, h.float, h.integer, h.constant} {
		if !v.IsZero() {
			visit(v)
		}
	}
}

// document is the argument of a decoder's methods.
func document(m *object.Machine, v object.Value) (*object.Str, *object.Exception) {
	doc, ok := v.AsStr()
	if !ok {
		return nil, m.TypeError("expected string or bytes-like object, got '%s'", v.Type().Name)
	}
	return doc, nil
}

func decoderRaw(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	doc, ok := a.V[1].AsStr()
	if !ok {
		return object.Value{}, m.TypeError("first argument must be a string, not %s", a.V[1].Type().Name)
	}
	at, e := m.IndexInt(a.Or(2, object.Int(0)), nil)
	if e != nil {
		return object.Value{}, e
	}
	if at < 0 {
		return object.Value{}, m.ValueError("idx cannot be negative")
	}
	v, end, e := scan(m, doc, &object.Trust[Decoder](a.V[0]).hooks, at)
	if e != nil {
		return object.Value{}, e
	}
	return m.Tuple(v, object.Int(int64(end))), nil
}

// apply takes keyword arguments of loads or JSONDecoder and answers the argument cls.
func (h *hooks) apply(m *object.Machine, a object.Args, loads bool) (cls object.Value, e *object.Exception) {
	values := a.V[len(a.V)-len(a.Names):]
	for i, name := range a.Names {
		v := values[i]
		hook := v
		if v.IsNone() {
			hook = object.Value{}
		}
		switch name.String() {
		case "object_hook":
			h.object = hook
		case "object_pairs_hook":
			h.pairs = hook
		case "parse_float":
			h.float = hook
		case "parse_int":
			h.integer = hook
		case "parse_constant":
			h.constant = hook
		case "strict":
			if h.strict, e = m.Truth(v); e != nil {
				return cls, e
			}
		case "cls":
			if loads {
				cls = v
				break
			}
			fallthrough
		default:
			return cls, m.TypeError("JSONDecoder.__init__() got an unexpected keyword argument '%s'", name.String())
		}
	}
	return cls, nil
}
