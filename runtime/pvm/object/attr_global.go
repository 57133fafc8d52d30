package object

// place is where a global name was found last. It changes speed only.
type place struct {
	keys uint32 // the namespace's then
	at   int32  // position in the namespace plus one, or minus that among the built-in names; 0: not looked for yet
}

// Global returns the value of the global or built-in name with a number if it is where it was, the zero Value otherwise.
func (im *Image) Global(number uint32) Value {
	if uint(number) < uint(len(im.places)) {
		if p := &im.places[number]; p.keys == im.Globals.keys {
			if p.at > 0 {
				return im.Globals.entries[p.at-1].val
			}
			if p.at < 0 {
				return builtinNames.entries[-p.at-1].val
			}
		}
	}
	return Value{}
}

// place returns the place of the name with a number.
func (im *Image) place(number uint32) *place {
	if im.places == nil {
		im.places = make([]place, im.Unit.Globals)
	}
	return &im.places[number]
}

// in returns the position of name in the namespace g, -1 if it has none. That other names came or went seldom moves one.
func (p *place) in(g *Dict, name *Str) int {
	i := int(p.at) - 1
	if i < 0 || i >= len(g.entries) || g.entries[i].key.ref != &name.Object {
		i = g.findStr(name)
	}
	if i >= 0 {
		*p = place{g.keys, int32(i + 1)}
	}
	return i
}

// FindGlobal looks for the global or built-in name with a number.
func (im *Image) FindGlobal(name *Str, number uint32) (Value, bool) {
	p, g := im.place(number), im.Globals
	if i := p.in(g, name); i >= 0 {
		return g.entries[i].val, true
	}
	if i := builtinNames.findStr(name); i >= 0 {
		*p = place{g.keys, int32(-i - 1)}
		return builtinNames.entries[i].val, true
	}
	return Value{}, false
}

// StoreGlobal writes the global name with a number.
func (im *Image) StoreGlobal(m *Machine, name *Str, number uint32, v Value) {
	p, g := im.place(number), im.Globals
	m.noteStore(&g.Object, v)
	i := int(p.at) - 1
	if i < 0 || p.keys != g.keys {
		i = p.in(g, name)
	}
	if i >= 0 {
		g.entries[i].val = v
		return
	}
	g.append(m, name.hashOf(), name.Value(), v)
	*p = place{g.keys, int32(len(g.entries))}
}
