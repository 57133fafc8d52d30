package stdlib

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pyabc"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pycoll"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pydecimal"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pyfunc"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pyhash"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pyiter"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pyjson"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pymath"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pyre"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pystruct"
)

// native adapts a native part that cannot fail.
func native(fill func(m *object.Machine, mod *object.Module)) Build {
	return func(m *object.Machine, mod *object.Module) *object.Exception {
		fill(m, mod)
		return nil
	}
}

// modules are the library. The map is only looked up, and never written after it
// was made.
//
// Spec: sdk.md §17.3.
var modules = compileAll(map[string]*definition{
	"abc":     {fill: native(pyabc.Fill), source: "abc.py"},
	"decimal": {fill: pydecimal.Fill, source: "decimal.py"},
	"functools": {fill: native(pyfunc.Fill), source: "functools.py", parts: []part{
		{source: "functools_later.py", names: []string{"partialmethod", "singledispatch", "singledispatchmethod", "total_ordering"}},
	}, all: []string{
		"update_wrapper", "wraps", "WRAPPER_ASSIGNMENTS", "WRAPPER_UPDATES", "total_ordering", "cache", "cmp_to_key", "lru_cache",
		"reduce", "partial", "partialmethod", "singledispatch", "singledispatchmethod", "cached_property",
	}},
	"enum": {fill: withFrames(nil), source: "enum.py", parts: []part{
		{source: "enum_flags.py", names: []string{"Flag", "IntFlag", "FlagBoundary", "STRICT", "CONFORM", "EJECT", "KEEP"}},
		{source: "enum_checks.py", names: []string{
			"EnumCheck", "CONTINUOUS", "NAMED_FLAGS", "UNIQUE", "verify", "show_flag_values", "global_enum", "global_enum_repr",
			"global_flag_repr", "global_str",
		}},
	}, all: []string{
		"EnumType", "EnumMeta", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "auto", "unique", "property", "verify",
		"member", "nonmember", "FlagBoundary", "STRICT", "CONFORM", "EJECT", "KEEP", "global_flag_repr", "global_enum_repr",
		"global_str", "global_enum", "EnumCheck", "CONTINUOUS", "NAMED_FLAGS", "UNIQUE",
	}},
	"hashlib":   {fill: native(pyhash.Fill)},
	"itertools": {fill: native(pyiter.Fill)},
	"math":      {fill: native(pymath.Fill)},
	"json":      {fill: native(pyjson.Fill)},
	"re":        {fill: native(pyre.Fill)},
	"struct":    {fill: native(pystruct.Fill)},
	"collections": {fill: withFrames(native(pycoll.Fill)), source: "collections.py", parts: []part{
		{source: "collections_dicts.py", names: []string{"defaultdict", "OrderedDict"}},
		{source: "collections_counter.py", names: []string{"Counter"}},
		{source: "collections_user.py", names: []string{"ChainMap", "UserDict", "UserList", "UserString"}},
	}, all: []string{
		"ChainMap", "Counter", "OrderedDict", "UserDict", "UserList", "UserString", "defaultdict", "deque", "namedtuple",
	}},
	"collections.abc": {source: "collections_abc.py"},
})

func compileAll(all map[string]*definition) map[string]*definition {
	for name, d := range all { // order-free: each definition is finished by itself
		d.finish(name)
	}
	return all
}
