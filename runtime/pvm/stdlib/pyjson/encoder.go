package pyjson

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Encoder is json.JSONEncoder.
type Encoder struct {
	object.Object
	layout layout
}

var typeEncoder object.Type

var _ = object.Define(&typeEncoder, object.Spec{
	Name: "JSONEncoder", Module: "json.encoder", Plain: true,
	Layout: object.LayoutOf[Encoder](object.KindNative),
	Slots: object.Slots{
		New: func(m *object.Machine, t *object.Type, a object.Args) (object.Value, *object.Exception) {
			x := object.Alloc[Encoder](m, t, 0)
			x.layout = canonical()
			return object.Of(&x.Object), nil
		},
		Init: func(m *object.Machine, v object.Value, a object.Args) *object.Exception {
			if len(a.Pos()) > 0 {
				return m.TypeError("JSONEncoder.__init__() takes 1 positional argument but %d were given", len(a.Pos())+1)
			}
			l := canonical()
			if _, e := l.apply(m, a, false); e != nil {
				return e
			}
			object.Trust[Encoder](v).layout = l
			if !l.fallback.IsZero() {
				m.NoteStore(v.Ref(), l.fallback)
			}
			return nil
		},
	},
	Methods: []object.Method{
		{Name: "default", Sig: "o", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			if f := object.Trust[Encoder](a.V[0]).layout.fallback; !f.IsZero() {
				return m.Call(f, object.Positional(a.V[1]))
			}
			return object.Value{}, m.TypeError("Object of type %s is not JSON serializable", a.V[1].Type().ShortName())
		}},
		{Name: "encode", Sig: "o", Func: encoderEncode},
		{Name: "iterencode", Sig: "o, _one_shot=False", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			text, e := encoderEncode(m, a)
			if e != nil {
				return object.Value{}, e
			}
			return m.Iter(m.List(text))
		}},
	},
	Fields: []object.Field{
		encoderFlag("skipkeys", func(l *layout) bool { return l.skipKeys }),
		encoderFlag("ensure_ascii", func(l *layout) bool { return l.ascii }),
		encoderFlag("check_circular", func(l *layout) bool { return l.circular }),
		encoderFlag("allow_nan", func(l *layout) bool { return l.allowNaN }),
		encoderFlag("sort_keys", func(l *layout) bool { return l.sortKeys }),
		encoderText("item_separator", func(l *layout) *string { return &l.item }),
		encoderText("key_separator", func(l *layout) *string { return &l.colon }),
		{Name: "indent", Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			l := &object.Trust[Encoder](v).layout
			if !l.indented {
				return object.None, nil
			}
			return m.Str(l.indent), nil
		}},
	},
	Traverse: func(o *object.Object, visit func(object.Value)) {
		if f := object.Trust[Encoder](object.Of(o)).layout.fallback; !f.IsZero() {
			visit(f)
		}
	},
	Relocate: func(r *object.Relocation, o *object.Object) {
		l := &object.Trust[Encoder](object.Of(o)).layout
		l.fallback = r.Value(l.fallback)
	},
})

func encoderFlag(name string, get func(l *layout) bool) object.Field {
	return object.Field{Name: name, Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
		return object.Bool(get(&object.Trust[Encoder](v).layout)), nil
	}}
}

// encoderText is a separator, which programs also set on instances and on subclasses.
func encoderText(name string, of func(l *layout) *string) object.Field {
	return object.Field{
		Name: name,
		Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			return m.Str(*of(&object.Trust[Encoder](v).layout)), nil
		},
		Set: func(m *object.Machine, v, val object.Value) *object.Exception {
			if val.IsZero() {
				return m.TypeError("cannot delete %s", name)
			}
			s, e := separator(m, val)
			if e == nil {
				*of(&object.Trust[Encoder](v).layout) = s
			}
			return e
		},
	}
}

var (
	nDefault       = object.StaticName("default")
	nItemSeparator = object.StaticName("item_separator")
	nKeySeparator  = object.StaticName("key_separator")
	nEncode        = object.StaticName("encode")
)

// encoderEncode is JSONEncoder.encode. A subclass is asked for its default method and its separators.
func encoderEncode(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	l := object.Trust[Encoder](a.V[0]).layout
	if a.V[0].Type() == &typeEncoder {
		return encode(m, &l, a.V[1])
	}
	var e *object.Exception
	if l.fallback, e = m.GetAttr(a.V[0], nDefault); e != nil {
		return object.Value{}, e
	}
	for _, x := range []struct {
		name *object.Str
		to   *string
	}{{nItemSeparator, &l.item}, {nKeySeparator, &l.colon}} {
		v, e := m.GetAttr(a.V[0], x.name)
		if e != nil {
			return object.Value{}, e
		}
		if *x.to, e = separator(m, v); e != nil {
			return object.Value{}, e
		}
	}
	return encode(m, &l, a.V[1])
}

func separator(m *object.Machine, v object.Value) (string, *object.Exception) {
	s, ok := v.AsStr()
	if !ok {
		return "", m.TypeError("make_encoder() argument must be str, not %s", v.Type().Name)
	}
	return s.String(), nil
}

// apply takes keyword arguments of dumps or JSONEncoder. With others allowed, names it does not know are left; without,
// they are a TypeError. It answers whether the argument cls was among them, and its value.
func (l *layout) apply(m *object.Machine, a object.Args, dumps bool) (cls object.Value, e *object.Exception) {
	var separators object.Value
	values := a.V[len(a.V)-len(a.Names):]
	for i, name := range a.Names {
		v := values[i]
		switch name.String() {
		case "skipkeys":
			l.skipKeys, e = m.Truth(v)
		case "ensure_ascii":
			l.ascii, e = m.Truth(v)
		case "check_circular":
			l.circular, e = m.Truth(v)
		case "allow_nan":
			l.allowNaN, e = m.Truth(v)
		case "sort_keys":
			l.sortAsked = true
			l.sortKeys, e = m.Truth(v)
		case "indent":
			e = l.setIndent(m, v)
		case "separators":
			separators = v
		case "default":
			if !v.IsNone() {
				l.fallback = v
			}
		case "cls":
			if dumps {
				cls = v
				break
			}
			fallthrough
		default:
			return cls, m.TypeError("JSONEncoder.__init__() got an unexpected keyword argument '%s'", name.String())
		}
		if e != nil {
			return cls, e
		}
	}
	return cls, l.setSeparators(m, separators)
}

func (l *layout) setIndent(m *object.Machine, v object.Value) *object.Exception {
	if v.IsNone() {
		return nil
	}
	l.indented = true
	if s, ok := v.AsStr(); ok {
		l.indent = s.String()
		return nil
	}
	if v.Type().Slots.ToIndex == nil {
		return m.TypeError("can't multiply sequence by non-int of type '%s'", v.Type().Name)
	}
	n, e := m.IndexInt(v, nil)
	if e != nil {
		return e
	}
	n = max(n, 0)
	if e := m.Reserve(n); e != nil {
		return e
	}
	if e := m.Charge(n); e != nil {
		return e
	}
	l.indent = strings.Repeat(" ", n)
	return nil
}

func (l *layout) setSeparators(m *object.Machine, v object.Value) *object.Exception {
	if v.IsZero() || v.IsNone() {
		if l.indented {
			l.item, l.colon = ",", ": "
		}
		return nil
	}
	var pair [2]object.Value
	e := m.Unpack(v, 2, pair[:])
	if e != nil {
		return e
	}
	if l.item, e = separator(m, pair[0]); e != nil {
		return e
	}
	l.colon, e = separator(m, pair[1])
	return e
}
