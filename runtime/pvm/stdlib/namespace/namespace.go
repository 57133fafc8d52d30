// Package namespace holds the contents of native modules in the form that fills a
// module fastest: names and values made once, when the process starts.
//
// Filling costs one cycle for each entry, the price of the module body.
//
// Spec: sdk §17.3 (first import 100 and the module body).
package namespace

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

// Entry is one name of a module.
type Entry struct {
	name  *object.Str
	value object.Value
}

// Functions returns entries for native functions of a module.
func Functions(module string, methods ...object.Method) []Entry {
	out := make([]Entry, len(methods))
	for i, d := range methods {
		b := object.NewBuiltin(d)
		b.Module = module
		out[i] = Entry{object.StaticName(d.Name), b.Value()}
	}
	return out
}

// Types returns entries for native types under their own names.
func Types(types ...*object.Type) []Entry {
	out := make([]Entry, len(types))
	for i, t := range types {
		out[i] = Entry{object.StaticName(t.ShortName()), t.Value()}
	}
	return out
}

// Of returns an entry for any value shared by all machines.
func Of(name string, v object.Value) Entry { return Entry{object.StaticName(name), v} }

// Join concatenates lists of entries.
func Join(lists ...[]Entry) []Entry {
	var out []Entry
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// Fill sets the entries in a module that is being built.
func Fill(m *object.Machine, mod *object.Module, entries []Entry) *object.Exception {
	if e := m.Charge(len(entries)); e != nil {
		return e
	}
	mod.Dict.Expect(mod.Dict.Len() + len(entries))
	for _, x := range entries {
		mod.Dict.SetStr(m, x.name, x.value)
	}
	return nil
}
