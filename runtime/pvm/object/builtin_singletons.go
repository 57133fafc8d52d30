package object

// The types of the singletons.
var (
	TypeNone           Type
	TypeEllipsis       Type
	TypeNotImplemented Type
)

func defineSingletons() {
	for _, d := range []struct {
		t    *Type
		name string
		v    Value
		repr string
	}{
		{&TypeNone, "NoneType", None, "None"},
		{&TypeEllipsis, "ellipsis", Ellipsis, "Ellipsis"},
		{&TypeNotImplemented, "NotImplementedType", NotImplemented, "NotImplemented"},
	} {
		repr := NewStatic(d.repr).Value()
		s := Slots{
			Repr: func(m *Machine, v Value) (Value, *Exception) { return repr, nil },
			New: func(m *Machine, t *Type, a Args) (Value, *Exception) {
				if len(a.V) > 0 {
					return Value{}, m.TypeError("%sType takes no arguments", d.repr)
				}
				return d.v, nil
			},
			Init: func(m *Machine, v Value, a Args) *Exception { return nil },
			Hash: func(m *Machine, v Value) (int64, *Exception) { return int64(v.ref.kind) * 0x3779B9, nil },
		}
		switch d.t {
		case &TypeNone:
			s.Bool = func(m *Machine, v Value) (bool, *Exception) { return false, nil }
			s.Binary[Or] = typeOr
		case &TypeNotImplemented:
			s.Bool = func(m *Machine, v Value) (bool, *Exception) { return true, nil }
		}
		Define(d.t, Spec{Name: d.name, Final: true, Slots: s})
	}
}
