package pydata

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// makeRepr is _make_repr(qualname, names): Class(x=…, y=…).
func makeRepr(m *machine, a object.Args) (value, *exception) {
	qualname, e := text(m, a.V[0])
	if e != nil {
		return value{}, e
	}
	names, e := texts(m, a.V[1])
	if e != nil {
		return value{}, e
	}
	d := newMethod(m, "__repr__", qualname, names)
	d.work.call = func(m *machine, d *method, a object.Args) (value, *exception) {
		if e := d.receiver(m, a, 1); e != nil {
			return value{}, e
		}
		v := a.V[0]
		for _, s := range d.work.showing {
			if s == v {
				return m.Str("..."), nil
			}
		}
		d.work.showing = append(d.work.showing, v)
		s, e := d.text(m, v)
		d.work.showing = d.work.showing[:len(d.work.showing)-1]
		if e != nil {
			return value{}, e
		}
		return m.Str(s), nil
	}
	return object.Of(&d.Object), nil
}

func (d *method) text(m *machine, v value) (string, *exception) {
	class, e := m.GetAttr(v, nameClass)
	if e != nil {
		return "", e
	}
	title, e := m.GetAttr(class, nameQualname)
	if e != nil {
		return "", e
	}
	head, e := m.StrText(title)
	if e != nil {
		return "", e
	}
	var b strings.Builder
	b.WriteString(head)
	b.WriteByte('(')
	for i, name := range d.names {
		if i > 0 {
			b.WriteString(", ")
		}
		x, e := m.GetAttr(v, name)
		if e != nil {
			return "", e
		}
		shown, e := m.ReprText(x)
		if e != nil {
			return "", e
		}
		if e := m.ChargeLen(0, len(shown)+len(name.String()), 1); e != nil {
			return "", e
		}
		if e := m.Reserve(2 * (b.Len() + len(shown))); e != nil {
			return "", e
		}
		b.WriteString(name.String())
		b.WriteByte('=')
		b.WriteString(shown)
	}
	b.WriteByte(')')
	return b.String(), nil
}

// makeCompare is _make_compare(qualname, name, names): one of the comparisons,
// which hold for instances of exactly the same class and go by the tuples of
// their fields.
func makeCompare(m *machine, a object.Args) (value, *exception) {
	qualname, e := text(m, a.V[0])
	if e != nil {
		return value{}, e
	}
	name, e := text(m, a.V[1])
	if e != nil {
		return value{}, e
	}
	op, ok := compareByName[name]
	if !ok {
		return value{}, m.ValueError("no comparison %s", name)
	}
	names, e := texts(m, a.V[2])
	if e != nil {
		return value{}, e
	}
	d := newMethod(m, name, qualname, names)
	d.work.call = func(m *machine, d *method, a object.Args) (value, *exception) {
		if e := d.receiver(m, a, 2); e != nil {
			return value{}, e
		}
		mine, e := m.GetAttr(a.V[0], nameClass)
		if e != nil {
			return value{}, e
		}
		other, e := m.GetAttr(a.V[1], nameClass)
		if e != nil {
			return value{}, e
		}
		if mine != other {
			return object.NotImplemented, nil
		}
		if e := m.Charge(18 * len(d.names)); e != nil { // two look-ups and a comparison
			return value{}, e
		}
		var mineRoom, otherRoom [fewFields]value
		x, e := d.fields(m, a.V[0], mineRoom[:])
		if e != nil {
			return value{}, e
		}
		y, e := d.fields(m, a.V[1], otherRoom[:])
		if e != nil {
			return value{}, e
		}
		return m.CompareItems(op, x, y)
	}
	return object.Of(&d.Object), nil
}

// makeHash is _make_hash(qualname, names): the hash of the tuple of the fields.
func makeHash(m *machine, a object.Args) (value, *exception) {
	qualname, e := text(m, a.V[0])
	if e != nil {
		return value{}, e
	}
	names, e := texts(m, a.V[1])
	if e != nil {
		return value{}, e
	}
	d := newMethod(m, "__hash__", qualname, names)
	d.work.call = func(m *machine, d *method, a object.Args) (value, *exception) {
		if e := d.receiver(m, a, 1); e != nil {
			return value{}, e
		}
		if e := m.Charge(12 * len(d.names)); e != nil { // two look-ups and a comparison
			return value{}, e
		}
		var room [fewFields]value
		items, e := d.fields(m, a.V[0], room[:])
		if e != nil {
			return value{}, e
		}
		h, e := m.HashItems(items)
		if e != nil {
			return value{}, e
		}
		return object.Int(h), nil
	}
	return object.Of(&d.Object), nil
}
