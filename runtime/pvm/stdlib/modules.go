package stdlib

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pyabc"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pycoll"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/pydata"
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
// Spec: sdk §17.3.
var modules = finished(map[string]*definition{
	"abc":     {fill: pyabc.Fill, source: "abc.py"},
	"decimal": {fill: pydecimal.Fill, source: "decimal.py"},
	"dataclasses": {fill: withFrames(pydata.Fill), source: "dataclasses.py", parts: []part{
		{source: "dataclasses_later.py", names: []string{"asdict", "astuple", "replace", "make_dataclass"}},
	}, all: []string{
		"dataclass", "field", "Field", "FrozenInstanceError", "InitVar", "KW_ONLY", "MISSING", "fields", "asdict", "astuple",
		"make_dataclass", "replace", "is_dataclass",
	}},
	"functools": {fill: withWork(pyfunc.Fill), source: "functools.py", parts: []part{
		{source: "functools_later.py", names: []string{
			"partialmethod", "singledispatch", "singledispatchmethod", "total_ordering", "_c3_mro", "_compose_mro", "_find_impl",
		}},
		{source: "functools_info.py", names: []string{"_CacheInfo"}},
	}, all: []string{
		"update_wrapper", "wraps", "WRAPPER_ASSIGNMENTS", "WRAPPER_UPDATES", "total_ordering", "cache", "cmp_to_key", "lru_cache",
		"reduce", "partial", "partialmethod", "singledispatch", "singledispatchmethod", "cached_property",
	}},
	"enum": {fill: withFrames(nil), source: "enum.py", parts: []part{
		{source: "enum_kinds.py", names: []string{"ReprEnum", "IntEnum", "StrEnum"}},
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
	"hashlib":   {fill: pyhash.Fill},
	"itertools": {fill: pyiter.Fill},
	"json":      {fill: native(pyjson.Fill)},
	"math":      {fill: pymath.Fill},
	"re":        {fill: native(pyre.Fill), parts: []part{{source: "re_scanner.py", names: []string{"Scanner"}}}},
	"struct":    {fill: pystruct.Fill},
	"typing": {fill: withFrames(fillTyping), source: "typing.py", parts: []part{
		{source: "typing_forms.py", names: []string{
			"NoReturn", "Never", "Self", "LiteralString", "TypeAlias", "TypeGuard", "Required", "NotRequired", "Literal", "Annotated",
			"Concatenate", "ParamSpec", "ParamSpecArgs", "ParamSpecKwargs", "TypeVarTuple", "Unpack", "AnyStr", "Text", "NewType",
			"IO", "BinaryIO", "TextIO", "assert_type", "assert_never", "reveal_type", "dataclass_transform", "get_overloads",
			"clear_overloads", "_note_overload", "_cleanups", "_ASSERT_NEVER_REPR_MAX_LENGTH", "T", "KT", "VT", "T_co", "V_co", "VT_co", "T_contra", "CT_co",
		}},
		{source: "typing_classes.py", names: []string{
			"Protocol", "runtime_checkable", "SupportsAbs", "SupportsBytes", "SupportsComplex", "SupportsFloat", "SupportsIndex",
			"SupportsInt", "SupportsRound", "NamedTuple", "NamedTupleMeta", "TypedDict", "is_typeddict",
			"AbstractContextManager", "AbstractAsyncContextManager",
		}},
		{source: "typing_hints.py", names: []string{"get_type_hints"}},
	}, all: []string{
		"Annotated", "Any", "Callable", "ClassVar", "Concatenate", "Final", "ForwardRef", "Generic", "Literal", "Optional", "ParamSpec",
		"Protocol", "Tuple", "Type", "TypeVar", "TypeVarTuple", "Union", "AbstractSet", "ByteString", "Container", "ContextManager",
		"Hashable", "ItemsView", "Iterable", "Iterator", "KeysView", "Mapping", "MappingView", "MutableMapping", "MutableSequence",
		"MutableSet", "Sequence", "Sized", "ValuesView", "Awaitable", "AsyncIterator", "AsyncIterable", "Coroutine", "Collection",
		"AsyncGenerator", "AsyncContextManager", "Reversible", "SupportsAbs", "SupportsBytes", "SupportsComplex", "SupportsFloat",
		"SupportsIndex", "SupportsInt", "SupportsRound", "ChainMap", "Counter", "Deque", "Dict", "DefaultDict", "List", "OrderedDict",
		"Set", "FrozenSet", "NamedTuple", "TypedDict", "Generator", "BinaryIO", "IO", "Match", "Pattern", "TextIO", "AnyStr",
		"assert_type", "assert_never", "cast", "clear_overloads", "dataclass_transform", "final", "get_args", "get_origin",
		"get_overloads", "get_type_hints", "is_typeddict", "LiteralString", "Never", "NewType", "no_type_check",
		"no_type_check_decorator", "NoReturn", "NotRequired", "overload", "ParamSpecArgs", "ParamSpecKwargs", "Required",
		"reveal_type", "runtime_checkable", "Self", "Text", "TYPE_CHECKING", "TypeAlias", "TypeGuard", "Unpack",
	}},
	"collections": {fill: withFrames(pycoll.Fill), source: "collections.py", parts: []part{
		{source: "collections_dicts.py", names: []string{"defaultdict", "OrderedDict"}},
		{source: "collections_counter.py", names: []string{"Counter"}},
		{source: "collections_link.py", names: []string{"abc"}},
		{source: "collections_user.py", names: []string{"ChainMap", "UserDict", "UserList", "UserString"}},
	}, all: []string{
		"ChainMap", "Counter", "OrderedDict", "UserDict", "UserList", "UserString", "defaultdict", "deque", "namedtuple",
	}},
	"collections.abc": {source: "collections_abc.py", parts: []part{
		{source: "collections_abc_async.py", names: []string{"Awaitable", "Coroutine", "AsyncIterable", "AsyncIterator", "AsyncGenerator"}},
		{source: "collections_abc_set.py", names: []string{"Set", "MutableSet"}},
		{source: "collections_abc_mapping.py", names: []string{
			"Mapping", "MutableMapping", "MappingView", "KeysView", "ItemsView", "ValuesView",
		}},
		{source: "collections_abc_sequence.py", names: []string{"Sequence", "MutableSequence", "ByteString"}},
	}, all: []string{
		"Awaitable", "Coroutine", "AsyncIterable", "AsyncIterator", "AsyncGenerator", "Hashable", "Iterable", "Iterator", "Generator", "Reversible", "Sized",
		"Container", "Callable", "Collection", "Set", "MutableSet", "Mapping", "MutableMapping", "MappingView", "KeysView", "ItemsView", "ValuesView",
		"Sequence", "MutableSequence", "ByteString",
	}},
})

func finished(all map[string]*definition) map[string]*definition {
	for name, d := range all { // order-free: each definition is finished by itself
		d.finish(name)
	}
	return all
}
