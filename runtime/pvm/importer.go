package pvm

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// importer finds modules: native ones first, then Python source, in the
// configuration, then in the standard library.
type importer struct {
	config Config
}

// Import implements object.Importer. The import statement has paid for a module
// that is there already; a first import and a refusal cost more.
//
// Spec: CIP-3 §2.2.1 (Module Import System and Standard Library Whitelist).
func (im *importer) Import(m *object.Machine, name string) (*object.Module, *object.Exception) {
	if mod, ok := m.Modules[name]; ok {
		return mod, nil
	}
	parent := (*object.Module)(nil)
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		var e *object.Exception
		if parent, e = im.Import(m, name[:i]); e != nil {
			return nil, e
		}
		if mod, ok := m.Modules[name]; ok {
			return mod, nil
		}
	}
	mod, e := im.first(m, name)
	if e != nil {
		return nil, e
	}
	if parent != nil {
		parent.Define(m, name[strings.LastIndexByte(name, '.')+1:], mod.Value())
	}
	return mod, nil
}

// first imports a module that is not there yet.
func (im *importer) first(m *object.Machine, name string) (*object.Module, *object.Exception) {
	build, ok := im.config.Natives[name]
	if !ok && im.config.Library != nil {
		if p, found := im.config.Library(name); found {
			return im.source(m, p, name)
		}
	}
	if !ok {
		if build, ok = standard(name); !ok {
			return nil, im.denied(m, name)
		}
	}
	if e := im.pay(m, name); e != nil {
		return nil, e
	}
	was := m.Track(false)
	defer m.Track(was)
	mod := m.NewModule(name)
	m.Modules[name] = mod
	if e := build(m, mod); e != nil {
		delete(m.Modules, name)
		return nil, e
	}
	im.note(name)
	return mod, nil
}

// source runs the top level of a module in Python.
func (im *importer) source(m *object.Machine, p *Program, name string) (*object.Module, *object.Exception) {
	if e := im.pay(m, name); e != nil {
		return nil, e
	}
	was := m.Track(false)
	defer m.Track(was)
	mod, e := load(m, p, name)
	if e != nil {
		delete(m.Modules, name)
		return nil, e
	}
	im.note(name)
	return mod, nil
}

// ImportSpared is what an import costs less when the transaction has imported the module in another machine.
func ImportSpared(p *cost.Prices) int { return p.ImportFirst - p.ImportAgain }

// pay takes what a first import costs beyond a repeated one: nothing if another machine of the transaction has made it. The body is extra either way.
//
// Spec: CIP-3 §2.2.1 (repeated imports within the same transaction).
func (im *importer) pay(m *object.Machine, name string) *object.Exception {
	if im.config.Imports != nil && im.config.Imports.Has(name) {
		return nil
	}
	return m.Charge(ImportSpared(m.Costs()))
}

func (im *importer) note(name string) {
	if im.config.Imports != nil {
		im.config.Imports.Add(name)
	}
}

// denied refuses a module that is not on the list; the modules that consensus
// forbids are named with what to use instead.
func (im *importer) denied(m *object.Machine, name string) *object.Exception {
	if e := m.Charge(m.Costs().ImportDenied - m.Costs().ImportAgain - m.Costs().Error); e != nil {
		return e
	}
	e := m.Raise(&object.ExcModuleNotFoundError, "No module named '%s'%s", name, advice(name))
	e.SetField(0, m.Str(name))
	return e
}

// advice says what to use instead of a well-known module that is not available, or that a module has none below.
func advice(name string) string {
	top, _, below := strings.Cut(name, ".")
	if below {
		parent := name[:strings.LastIndexByte(name, '.')]
		_, known := standard(parent)
		if known && parent != "collections" && parent != "json" && parent != "re" {
			return "; '" + parent + "' is not a package"
		}
	}
	switch top {
	case "random", "secrets", "uuid":
		return " (randomness differs between nodes; use cowboy_sdk.vrf)"
	case "time", "datetime", "calendar", "zoneinfo":
		return " (clocks differ between nodes; use the block's height and time of cowboy_sdk.runtime)"
	case "os", "sys", "pathlib", "io", "shutil", "tempfile", "glob":
		return " (there is no operating system on chain)"
	case "socket", "ssl", "urllib", "http", "requests", "httpx", "aiohttp":
		return " (there is no network on chain; use cowboy_sdk.runner)"
	case "asyncio", "threading", "multiprocessing", "concurrent", "queue":
		return " (one thread, one order; async functions are driven by the machine)"
	case "pickle", "marshal", "shelve", "copyreg":
		return " (not canonical; use cowboy_sdk.codec or json)"
	case "gc", "weakref", "inspect", "importlib", "ctypes", "traceback", "ast", "dis", "types":
		return " (depends on the implementation)"
	}
	return ""
}
