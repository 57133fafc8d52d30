package object

import "strings"

// ImportName is the import statement: the module itself if whole is set, else the
// package its name begins with. Relative imports do not exist.
//
// Spec: CIP-3 §2.2.1 (Module Import System).
func (m *Machine) ImportName(name *Str, level int, whole bool) (Value, *Exception) {
	if level > 0 {
		return Value{}, m.Raise(&ExcImportError, "attempted relative import with no known parent package")
	}
	if m.importer == nil {
		return Value{}, m.noModule(name.s)
	}
	mod, e := m.importer.Import(m, name.s)
	if e != nil {
		return Value{}, e
	}
	if !whole {
		top, _, _ := strings.Cut(name.s, ".")
		if mod, e = m.importer.Import(m, top); e != nil {
			return Value{}, e
		}
	}
	return mod.Value(), nil
}

// noModule is the exception for a module that does not exist or is not allowed.
func (m *Machine) noModule(name string) *Exception {
	e := m.Raise(&ExcModuleNotFoundError, "No module named '%s'", name)
	e.SetField(0, m.Str(name))
	return e
}

// ImportAttr is from module import name.
func (m *Machine) ImportAttr(v Value, name *Str) (Value, *Exception) {
	mod, ok := v.AsModule()
	if !ok {
		return m.GetAttr(v, name)
	}
	r, e := m.LookupAttr(v, name)
	if e != nil || r.ref != nil {
		return r, e
	}
	if m.importer != nil {
		full := mod.Name + "." + name.s
		if sub, e := m.importer.Import(m, full); e == nil {
			return sub.Value(), nil
		} else if !e.absent(full) {
			return Value{}, e
		}
	}
	e = m.Raise(&ExcImportError, "cannot import name '%s' from '%s' (unknown location)", name.s, mod.Name)
	e.SetField(0, m.Str(mod.Name))
	return Value{}, e
}

// absent says whether e tells that there is no module of that name, and not that importing it failed.
func (e *Exception) absent(name string) bool {
	found := e.Field(0)
	if !e.Is(&ExcModuleNotFoundError) || found.IsZero() {
		return false
	}
	s, ok := found.AsStr()
	return ok && s.s == name
}

// ImportStar is from module import *.
func (m *Machine) ImportStar(v Value, into *Dict) *Exception {
	mod, ok := v.AsModule()
	if !ok {
		return m.Raise(&ExcImportError, "from-import-* object has no __dict__")
	}
	if all, ok := mod.Dict.getStr(nAll); ok {
		return m.Iterate(all, func(x Value) (bool, *Exception) {
			s, ok := x.AsStr()
			if !ok {
				return false, m.TypeError("Item in %s.__all__ must be str, not %s", mod.Name, x.ref.typ.Name)
			}
			r, e := m.GetAttr(v, s)
			if e != nil {
				return false, e
			}
			into.setStr(m, s, r)
			return true, nil
		})
	}
	if e := m.Charge(3 * mod.Dict.used); e != nil {
		return e
	}
	for i := 0; i < len(mod.Dict.entries); i++ {
		en := mod.Dict.entries[i]
		if s, ok := en.key, en.key.ref != nil; ok && !strings.HasPrefix(s.str().s, "_") {
			into.setStr(m, s.str(), en.val)
		}
	}
	return nil
}
