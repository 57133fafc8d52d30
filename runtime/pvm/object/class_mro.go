package object

import (
	"slices"
)

// mroOf asks the metaclass's mro method, or merges by C3, which puts the order into room if it fits.
func (m *Machine) mroOf(t, meta *Type, room []*Type) ([]*Type, *Exception) {
	fn, _ := meta.Lookup(nMro)
	if fn.ref.kind == KindBuiltin {
		return m.c3(t, room)
	}
	if t.mro == nil {
		t.mro = append([]*Type{t}, t.base.mro...)
	}
	r, e := m.callUnbound(fn, t.Value())
	if e != nil {
		return nil, e
	}
	items, e := m.Collect(r)
	if e != nil {
		return nil, e
	}
	out := make([]*Type, len(items))
	for i, v := range items {
		u, ok := v.AsType()
		if !ok {
			return nil, m.TypeError("mro() returned a non-class ('%s')", v.ref.typ.Name)
		}
		if !t.base.holds(u) && u != t {
			return nil, m.TypeError("mro() returned base with unsuitable layout ('%s')", u.Name)
		}
		out[i] = u
	}
	// The operations of instances come from the bases: what they call is found in
	// the order only if the bases are there. CPython lets them be left out.
	for b := t; b != nil; b = b.base {
		if !slices.Contains(out, b) {
			return nil, m.TypeError("mro() left out '%s'", b.Name)
		}
	}
	return out, nil
}

// holds says whether instances that are laid out as t's can serve as instances of
// u: the native structure and the slots of u are a part of theirs.
func (t *Type) holds(u *Type) bool {
	if !t.solid().IsSubtype(u.solid()) {
		return false
	}
	for u.nslots > 0 && u.base != nil && u.base.nslots == u.nslots {
		u = u.base
	}
	for b := t; u.nslots > 0 && b != u; b = b.base {
		if b == nil {
			return false
		}
	}
	return true
}

// c3 merges the linearisations of the bases into room, which is empty.
func (m *Machine) c3(t *Type, room []*Type) ([]*Type, *Exception) {
	if len(t.bases) == 1 {
		return append(append(room, t), t.bases[0].mro...), nil
	}
	if e := m.Charge(len(t.bases) * len(t.bases) / 8); e != nil {
		return nil, e
	}
	for i, b := range t.bases {
		for _, c := range t.bases[:i] {
			if b == c {
				return nil, m.TypeError("duplicate base class %s", b.Name)
			}
		}
	}
	var lists [][]*Type
	total := 0
	for _, b := range t.bases {
		lists = append(lists, b.mro)
		total += len(b.mro)
	}
	if e := m.Charge(total * len(t.bases)); e != nil {
		return nil, e
	}
	lists = append(lists, t.bases)
	out := append(room, t)
	for {
		next, left := mergeHead(lists)
		if !left {
			return out, nil
		}
		if next == nil {
			return nil, m.mroConflict(lists)
		}
		out = append(out, next)
		for i, l := range lists {
			if len(l) > 0 && l[0] == next {
				lists[i] = l[1:]
			}
		}
	}
}

// mergeHead returns the first head that is in no other list's tail.
func mergeHead(lists [][]*Type) (next *Type, left bool) {
	for _, l := range lists {
		if len(l) == 0 {
			continue
		}
		left = true
		if !inTail(lists, l[0]) {
			return l[0], true
		}
	}
	return nil, left
}

func inTail(lists [][]*Type, t *Type) bool {
	for _, l := range lists {
		if len(l) > 1 {
			for _, u := range l[1:] {
				if u == t {
					return true
				}
			}
		}
	}
	return false
}

func (m *Machine) mroConflict(lists [][]*Type) *Exception {
	var names Pieces
	seen := map[*Type]bool{}
	for _, l := range lists {
		if len(l) > 0 && !seen[l[0]] {
			seen[l[0]] = true
			if len(names) > 0 {
				names = append(names, ", ")
			}
			names = append(names, l[0].Name)
		}
	}
	return m.TypeError("Cannot create a consistent method resolution\norder (MRO) for bases %s", names)
}
