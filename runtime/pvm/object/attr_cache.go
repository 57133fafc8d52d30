package object

import "unsafe"

// What an inline cache learned; zero is nothing yet.
const (
	cacheNothing uint8 = iota
	CacheSlot          // an attribute at a position of the instance
	CacheClass         // an attribute of the type, bound to nothing
	CacheMethod        // a function or native method of the type
	CacheAdd           // a store that appends an attribute
	cacheModule        // a name at a position of a module's namespace
)

// Method returns the function the cache learned for methods of v's type, or the
// zero Value if it does not apply to v.
func (c *Cache) Method(v Value) Value {
	t := v.ref.typ
	if t == c.Type && c.State == CacheMethod && t.version == c.Version && (c.Shape == nil || (*Instance)(unsafe.Pointer(v.ref)).shape == c.Shape) {
		return c.Val
	}
	return Value{}
}

// AttrCached is GetAttr that teaches the cache.
func (m *Machine) AttrCached(v Value, name *Str, c *Cache) (Value, *Exception) {
	t := v.ref.typ
	switch v.ref.kind {
	case KindInstance:
		if v.ref.kind == KindInstance && !t.Static() && t.genericGet() {
			in := (*Instance)(unsafe.Pointer(v.ref))
			if r, ok := c.hit(in, t); ok {
				return r, nil
			}
			r, e := m.learnAttr(v, in, t, name, c)
			if e != nil {
				m.lacks(e, v, name)
			}
			return r, e
		}
	case KindModule:
		mod := v.module()
		if c.State == cacheModule && c.Version == mod.Dict.keys {
			if i := int(c.Index); i < len(mod.Dict.entries) && mod.Dict.entries[i].key.named(name) {
				return mod.Dict.entries[i].val, nil
			}
		}
		if i := mod.Dict.findStr(name); i >= 0 {
			*c = Cache{State: cacheModule, Version: mod.Dict.keys, Index: int32(i)}
			return mod.Dict.entries[i].val, nil
		}
	case KindType:
		if c.State == CacheClass && c.Val.ref != nil && c.Type == v.typ() && c.Version == v.typ().values {
			return c.Val, nil
		}
		r, e := m.learnClassAttr(v, name, c)
		if e != nil {
			m.lacks(e, v, name)
		}
		return r, e
	}
	m.meter.Owe(boundCost)
	return m.GetAttr(v, name)
}

// What an attribute costs that no cache shortens, beside its reading: that of an object, which mostly makes a bound method, and that of a class, which
// its metaclass is asked for too.
const (
	boundCost = 10
	classCost = 16
)

// named reports whether a key is a name.
func (v Value) named(name *Str) bool {
	return v.ref == &name.Object || v.ref != nil && v.ref.kind == KindStr && v.str().s == name.s
}

// genericGet says whether attribute access is object's own.
func (t *Type) genericGet() bool { return t.plainAttrs }

// hit serves class attributes seen through instances.
func (c *Cache) hit(in *Instance, t *Type) (Value, bool) {
	if c.State == CacheClass && in.shape == c.Shape && c.Shape != nil && t.values == c.Version && t == c.Type {
		return c.Val, true
	}
	return Value{}, false
}

func (m *Machine) learnAttr(v Value, in *Instance, t *Type, name *Str, c *Cache) (Value, *Exception) {
	found, ok := t.Lookup(name)
	if ok && overrides(found) {
		if d, is := Cast[Member](found, &TypeMember); is && in.typ.IsSubtype(d.owner) {
			x := in.slots[d.index]
			if x.ref != nil && in.shape != nil {
				*c = Cache{State: CacheSlot, Shape: in.shape, Version: t.version, Index: int32(d.index), Type: t}
				return x, nil
			}
		}
		if found.ref.typ.DescrGet != nil {
			m.meter.Owe(m.Costs().Operand)
			return m.bind(found, v, t)
		}
		return GenericGetAttr(m, v, name)
	}
	if in.shape != nil {
		if i := in.shape.find(name); i >= 0 {
			*c = Cache{State: CacheSlot, Shape: in.shape, Version: t.version, Index: int32(i), Type: t}
			return in.slots[i], nil
		}
	} else if in.dict != nil {
		m.meter.Owe(m.Costs().DictAccess)
		if r, has := in.dict.getStr(name); has {
			return r, nil
		}
	}
	if !ok {
		return Value{}, m.noAttr(v, name)
	}
	if found.ref.kind != KindFunction && found.ref.kind != KindBuiltin && found.ref.typ.DescrGet == nil && in.shape != nil {
		*c = Cache{State: CacheClass, Shape: in.shape, Version: t.values, Val: found, Type: t}
		return found, nil
	}
	m.meter.Owe(m.Costs().Operand)
	return m.bind(found, v, t)
}

func (m *Machine) learnClassAttr(v Value, name *Str, c *Cache) (Value, *Exception) {
	t := v.typ()
	if v.ref.typ == &TypeType {
		if _, inMeta := TypeType.Lookup(name); !inMeta {
			if own, ok := t.Lookup(name); ok {
				r, e := m.bindClass(own, t)
				if e == nil && r == own {
					*c = Cache{State: CacheClass, Type: t, Version: t.values, Val: r}
				} else {
					m.meter.Owe(boundCost)
				}
				return r, e
			}
		}
	}
	m.meter.Owe(classCost)
	return typeGetAttr(m, v, name)
}

// SetAttrCached is SetAttr that uses and teaches the cache.
func (m *Machine) SetAttrCached(v Value, name *Str, val Value, c *Cache) *Exception {
	if v.ref.kind == KindInstance {
		in := (*Instance)(unsafe.Pointer(v.ref))
		t := in.typ
		if in.shape == c.Shape && c.Shape != nil && t.version == c.Version {
			switch c.State {
			case CacheSlot:
				in.slots[c.Index] = val
				if val.ref.kind&^Sub >= KindSlice {
					m.noteStore(&in.Object, val)
				}
				return nil
			case CacheAdd:
				in.push(m, &in.Object, c.Next, val)
				return nil
			}
		}
		if t.plainSet {
			return m.learnSetAttr(v, in, t, name, val, c)
		}
	}
	return m.SetAttr(v, name, val)
}

func (m *Machine) learnSetAttr(v Value, in *Instance, t *Type, name *Str, val Value, c *Cache) *Exception {
	found, ok := t.Lookup(name)
	if ok && isData(found) {
		if d, is := Cast[Member](found, &TypeMember); is && in.shape != nil && t.IsSubtype(d.owner) {
			*c = Cache{State: CacheSlot, Shape: in.shape, Version: t.version, Index: int32(d.index)}
			in.slots[d.index] = val
			m.noteStore(&in.Object, val)
			return nil
		}
		return found.ref.typ.DescrSet(m, found, v, val)
	}
	if in.shape == nil || !t.hasDict {
		return GenericSetAttr(m, v, name, val)
	}
	s := in.shape
	if i := s.find(name); i >= 0 {
		*c = Cache{State: CacheSlot, Shape: s, Version: t.version, Index: int32(i)}
		in.slots[i] = val
		m.noteStore(&in.Object, val)
		return nil
	}
	if len(s.names) < maxShape {
		if next := s.with(name); next != nil {
			*c = Cache{State: CacheAdd, Shape: s, Next: next, Version: t.version}
			in.push(m, &in.Object, next, val)
			return nil
		}
	}
	in.set(m, &in.Object, name, val)
	return nil
}

// FindMethod looks up a method to be called on v and teaches the cache. With
// bound set the result is not a function to be called with v but the attribute
// itself.
func (m *Machine) FindMethod(v Value, name *Str, c *Cache) (fn Value, bound bool, e *Exception) {
	t := v.ref.typ
	k := v.ref.kind
	if k != KindType && k != KindModule && k != KindType|Sub && t.plainAttrs {
		found, ok := t.Lookup(name)
		if ok && (found.ref.kind == KindFunction || found.ref.kind == KindBuiltin && found.builtin().self) {
			a := v.ref.attrs()
			switch {
			case a == nil:
				*c = Cache{State: CacheMethod, Type: t, Version: t.version, Val: found}
				return found, false, nil
			case a.shape != nil:
				if a.shape.find(name) < 0 {
					if k == KindInstance {
						*c = Cache{State: CacheMethod, Type: t, Version: t.version, Shape: a.shape, Val: found}
					}
					return found, false, nil
				}
			default:
				if _, has := a.get(name); !has {
					return found, false, nil
				}
			}
		}
	}
	fn, e = m.AttrCached(v, name, c)
	return fn, true, e
}
