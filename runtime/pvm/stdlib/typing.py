TYPE_CHECKING = False

_later = __getattr__
_native_alias = type(list[int])
_native_union = type(int | str)
_none_type = type(None)
_function = type(lambda: None)
_method = type((lambda self: self).__get__(0))


def _repr_of(obj):
    """How an argument is shown inside the brackets of an alias."""
    if isinstance(obj, _native_alias):
        return repr(obj)
    if isinstance(obj, type):
        if obj is type or obj.__module__ == "builtins":
            return obj.__qualname__
        return f"{obj.__module__}.{obj.__qualname__}"
    if obj is ...:
        return "..."
    if isinstance(obj, _function):
        return obj.__name__
    return repr(obj)


def _converted(arg, special=False):
    """arg as a type argument: None and strings are converted."""
    if arg is None:
        return _none_type
    if isinstance(arg, str):
        return ForwardRef(arg, is_class=special)
    return arg


def _checked(arg, message, special=False, final=False):
    """arg as a type argument, what can be none is refused; ClassVar and Final may be allowed."""
    arg = _converted(arg, special)
    if isinstance(arg, _Generic) and (arg.__origin__ is Generic or arg.__origin__ is _protocol):
        raise TypeError(f"{arg} is not valid as type argument")
    if isinstance(arg, _Generic) and arg.__origin__ in (ClassVar, Final) and not special and not (final and arg.__origin__ is Final):
        raise TypeError(f"{arg} is not valid as type argument")
    if special and (arg is ClassVar or arg is Final):
        return arg
    if isinstance(arg, _SpecialForm):
        if arg._name in ("Any", "LiteralString", "NoReturn", "Never", "Self", "TypeAlias"):
            return arg
        raise TypeError(f"Plain {arg} is not valid as type argument")
    if arg is Generic or getattr(arg, "_is_plain_protocol", False) and arg.__name__ == "Protocol":
        raise TypeError(f"Plain {arg} is not valid as type argument")
    if type(arg) is tuple:
        raise TypeError(f"{message} Got {arg!r:.100}.")
    return arg


def _is_variable(arg):
    return isinstance(arg, (TypeVar, _OtherVariable))


def _parameters_of(args):
    """The type variables in args, each once, in order of first appearance."""
    found = {}
    for arg in args:
        if isinstance(arg, type):
            continue
        if hasattr(arg, "__typing_subst__"):
            found[arg] = None
        elif isinstance(arg, tuple):
            for p in _parameters_of(arg):
                found[p] = None
        else:
            for p in getattr(arg, "__parameters__", ()):
                found[p] = None
    return tuple(found)


def _unique(args):
    """args without repetitions, in order; they may be unhashable."""
    out = []
    for arg in args:
        if arg not in out:
            out.append(arg)
    return out


def _not_derivable(cls, *args, **kwargs):
    raise TypeError("Cannot subclass special typing classes")


# A name of this module that is no class: what it takes in brackets is up to its
# function.
class _SpecialForm:
    def __init__(self, name, doc=None, getitem=None):
        self._name = name
        self.__doc__ = doc
        self._getitem = getitem

    __init_subclass__ = _not_derivable
    __iter__ = None

    def __getattr__(self, item):
        if item in {"__name__", "__qualname__"}:
            return self._name
        raise AttributeError(item)

    def __mro_entries__(self, bases):
        raise TypeError(f"Cannot subclass {self!r}")

    def __repr__(self):
        return "typing." + self._name

    def __call__(self, *args, **kwds):
        raise TypeError(f"Cannot instantiate {self!r}")

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __instancecheck__(self, obj):
        raise TypeError(f"{self} cannot be used with isinstance()")

    def __subclasscheck__(self, cls):
        raise TypeError(f"{self} cannot be used with issubclass()")

    def __getitem__(self, parameters):
        if self._getitem is None:
            raise TypeError(f"{self} is not subscriptable")
        return self._getitem(self, parameters)


class _AnyMeta(type):
    def __instancecheck__(self, obj):
        if self is Any:
            raise TypeError("typing.Any cannot be used with isinstance()")
        return super().__instancecheck__(obj)

    def __repr__(self):
        return "typing.Any" if self is Any else super().__repr__()


class Any(metaclass=_AnyMeta):
    """A type that every value has."""

    def __new__(cls, *args, **kwargs):
        if cls is Any:
            raise TypeError("Any cannot be instantiated")
        return super().__new__(cls, *args, **kwargs)


class _Alias:
    """What all aliases do: they stand for a class where one is called, derived from or asked for attributes."""

    def __init_subclass__(cls, /, *args, _own=False, **kwargs):
        if not _own:
            _not_derivable(cls)

    def __init__(self, origin, *, inst=True, name=None):
        self._inst = inst
        self._name = name
        self.__origin__ = origin
        self.__slots__ = None

    def __call__(self, *args, **kwargs):
        if not self._inst:
            raise TypeError(f"Type {self._name} cannot be instantiated; use {self.__origin__.__name__}() instead")
        result = self.__origin__(*args, **kwargs)
        try:
            result.__orig_class__ = self
        except AttributeError:
            pass
        return result

    def __mro_entries__(self, bases):
        entries = []
        if self.__origin__ not in bases:
            entries.append(self.__origin__)
        for b in bases[bases.index(self) + 1:]:
            if isinstance(b, _Alias) or isinstance(b, type) and issubclass(b, Generic):
                break
        else:
            entries.append(Generic)
        return tuple(entries)

    def __getattr__(self, attr):
        if attr in {"__name__", "__qualname__"}:
            return self._name or self.__origin__.__name__
        if "__origin__" in self.__dict__ and not (attr[:2] == attr[-2:] == "__"):
            return getattr(self.__origin__, attr)
        raise AttributeError(attr)

    def __setattr__(self, attr, val):
        if attr[:2] == attr[-2:] == "__" or attr in {"_name", "_inst", "_nparams", "_paramspec_tvars", "_typevar_types"}:
            super().__setattr__(attr, val)
        else:
            setattr(self.__origin__, attr, val)

    def __dir__(self):
        return list(set(super().__dir__()).union(n for n in dir(self.__origin__) if not (n[:2] == n[-2:] == "__")))

    def __instancecheck__(self, obj):
        return self.__subclasscheck__(type(obj))

    def __subclasscheck__(self, cls):
        raise TypeError("Subscripted generics cannot be used with class and instance checks")

    def __or__(self, right):
        return Union[self, right]

    def __ror__(self, left):
        return Union[left, self]


class _Generic(_Alias, _own=True):
    """A generic class with its arguments, such as List[int] or Box[T]."""

    def __init__(self, origin, args, *, inst=True, name=None):
        super().__init__(origin, inst=inst, name=name)
        if not isinstance(args, tuple):
            args = (args,)
        self.__args__ = args
        self.__parameters__ = _parameters_of(args)
        if not name:
            self.__module__ = origin.__module__

    def __mro_entries__(self, bases):
        if isinstance(self.__origin__, _SpecialForm):
            raise TypeError(f"Cannot subclass {self!r}")
        if self._name:  # a class of the library, which takes Generic with it
            return super().__mro_entries__(bases)
        if self.__origin__ is Generic:
            later = bases[bases.index(self) + 1:]
            if _protocol in bases or any(isinstance(b, _Alias) and b is not self for b in later):
                return ()
        return (self.__origin__,)

    def __eq__(self, other):
        if not isinstance(other, _Generic):
            return NotImplemented
        return self.__origin__ == other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        return hash((self.__origin__, self.__args__))

    def __repr__(self):
        name = "typing." + self._name if self._name else _repr_of(self.__origin__)
        if self.__args__:
            return f"{name}[{', '.join(map(_repr_of, self.__args__))}]"
        return f"{name}[()]"

    def __getitem__(self, args):
        if self.__origin__ in (Generic, _protocol_class()):
            raise TypeError(f"Cannot subscript already-subscripted {self}")
        if not self.__parameters__:
            raise TypeError(f"{self} is not a generic class")
        if not isinstance(args, tuple):
            args = (args,)
        args = _unpacked(_converted(a) for a in args)
        return self.copy_with(_substituted(self, args))

    def copy_with(self, args):
        return self.__class__(self.__origin__, args, name=self._name, inst=self._inst)

    def __iter__(self):
        from typing import Unpack
        yield Unpack[self]


def _protocol_class():
    """Protocol if it was ever loaded."""
    return _protocol


_protocol = None


def _unpacked(args):
    """args with those of *tuple[int, str] in its place, if their number is fixed."""
    out = []
    for arg in args:
        inner = getattr(arg, "__typing_unpacked_tuple_args__", None)
        if inner is not None and not (inner and inner[-1] is ...):
            out.extend(inner)
        else:
            out.append(arg)
    return tuple(out)


def _prepared(alias, args):
    """One argument for each parameter of alias."""
    params = alias.__parameters__
    for p in params:
        prepare = getattr(p, "__typing_prepare_subst__", None)
        if prepare is not None:
            args = prepare(alias, args)
    if len(args) != len(params):
        word = "many" if len(args) > len(params) else "few"
        raise TypeError(f"Too {word} arguments for {alias}; actual {len(args)}, expected {len(params)}")
    return args


def _substituted(alias, args):
    """The arguments of alias with its parameters replaced by args."""
    values = dict(zip(alias.__parameters__, _prepared(alias, args)))
    return tuple(_replaced(alias, alias.__args__, values))


def _replaced(alias, args, values):
    """args with type variables replaced."""
    out = []
    for old in args:
        if isinstance(old, type):
            out.append(old)
            continue
        subst = getattr(old, "__typing_subst__", None)
        params = getattr(old, "__parameters__", ())
        if subst is not None:
            new = subst(values[old])
        elif params:
            given = []
            for p in params:
                if getattr(p, "_is_many", False):
                    given.extend(values[p])
                else:
                    given.append(values[p])
            new = old[tuple(given)]
        else:
            new = old
        if getattr(old, "__typing_is_unpacked_typevartuple__", False):
            out.extend(new)
        elif isinstance(new, tuple) and isinstance(alias, _CallableGeneric):
            out.extend(new)
        elif isinstance(old, tuple):
            out.append(tuple(_replaced(alias, old, values)))
        else:
            out.append(new)
    return out


class _Special(_Alias, _own=True):
    """A generic class of this module before it has arguments, such as List."""

    __iter__ = None

    def __init__(self, origin, nparams, *, inst=True, name=None):
        super().__init__(origin, inst=inst, name=name or origin.__name__)
        self._nparams = nparams

    def __getitem__(self, params):
        if not isinstance(params, tuple):
            params = (params,)
        params = tuple(_checked(p, "Parameters to generic types must be types.") for p in params)
        n, given = self._nparams, len(params)
        if n >= 0 and n != given:
            raise TypeError(f"Too {'many' if given > n else 'few'} arguments for {self}; actual {given}, expected {n}")
        return self.copy_with(params)

    def copy_with(self, params):
        return _Generic(self.__origin__, params, name=self._name, inst=self._inst)

    def __repr__(self):
        return "typing." + self._name

    def __subclasscheck__(self, cls):
        if isinstance(cls, _Special):
            return issubclass(cls.__origin__, self.__origin__)
        if not isinstance(cls, _Generic):
            return issubclass(cls, self.__origin__)
        return super().__subclasscheck__(cls)


class _TupleSpecial(_Special, _own=True):
    def __getitem__(self, params):
        if not isinstance(params, tuple):
            params = (params,)
        if len(params) >= 2 and params[-1] is ...:
            message = "Tuple[t, ...]: t must be a type."
            return self.copy_with((*(_checked(p, message) for p in params[:-1]), ...))
        return self.copy_with(tuple(_checked(p, "Tuple[t0, t1, ...]: each t must be a type.") for p in params))


class _CallableGeneric(_Generic, _own=True):
    __iter__ = None

    def __repr__(self):
        *params, result = self.__args__
        if len(params) == 1 and _is_parameter_list(params[0]):
            return super().__repr__()
        return f"typing.Callable[[{', '.join(map(_repr_of, params))}], {_repr_of(result)}]"

    def copy_with(self, args):
        return _CallableGeneric(self.__origin__, args, name=self._name, inst=self._inst)


def _is_parameter_list(arg):
    """Whether arg can stand for all parameters of a function."""
    return arg is ... or isinstance(arg, (tuple, list)) or _is_parameter_expression(arg)


def _is_parameter_expression(arg):
    return isinstance(arg, _OtherVariable) and arg._is_paramspec or getattr(arg, "__origin__", None) is not None and getattr(arg, "_name", "") == "Concatenate"


class _CallableSpecial(_Special, _own=True):
    def copy_with(self, params):
        return _CallableGeneric(self.__origin__, params, name=self._name, inst=self._inst)

    def __getitem__(self, params):
        if not isinstance(params, tuple) or len(params) != 2:
            raise TypeError("Callable must be used as Callable[[arg, ...], result].")
        args, result = params
        result = _checked(result, "Callable[args, result]: result must be a type.")
        if isinstance(args, list):
            args = tuple(args)
        if not isinstance(args, tuple):
            args = (args,)
        return self.copy_with((*map(_converted, args), result))


class _UnionGeneric(_Generic, _own=True):
    __iter__ = None

    def copy_with(self, params):
        return Union[params]

    def __eq__(self, other):
        if not isinstance(other, (_UnionGeneric, _native_union)):
            return NotImplemented
        return set(self.__args__) == set(other.__args__)

    def __hash__(self):
        return hash(frozenset(self.__args__))

    def __repr__(self):
        args = self.__args__
        if len(args) == 2:
            for i in (0, 1):
                if args[i] is _none_type:
                    return f"typing.Optional[{_repr_of(args[1 - i])}]"
        return f"typing.Union[{', '.join(map(_repr_of, args))}]"

    def __subclasscheck__(self, cls):
        return any(issubclass(cls, arg) for arg in self.__args__)


def _union(self, parameters):
    if parameters == ():
        raise TypeError("Cannot take a Union of no types.")
    if not isinstance(parameters, tuple):
        parameters = (parameters,)
    flat = []
    for p in parameters:
        p = _checked(p, "Union[arg, ...]: each arg must be a type.")
        if isinstance(p, (_UnionGeneric, _native_union)):
            flat.extend(p.__args__)
        else:
            flat.append(p)
    flat = _unique(flat)
    if len(flat) == 1:
        return flat[0]
    if len(flat) == 2 and _none_type in flat:
        return _UnionGeneric(self, tuple(flat), name="Optional")
    return _UnionGeneric(self, tuple(flat), name="Union")


def _optional(self, parameters):
    return Union[_checked(parameters, f"{self} requires a single type."), _none_type]


Union = _SpecialForm("Union", "Union[X, Y] means either X or Y.", _union)
Optional = _SpecialForm("Optional", "Optional[X] is Union[X, None].", _optional)


def _single(self, parameters):
    return _Generic(self, (_checked(parameters, f"{self} accepts only single type."),), name=self._name)


ClassVar = _SpecialForm("ClassVar", "Marks class variables.", _single)
Final = _SpecialForm("Final", "Marks names that are not assigned again.", _single)


class ForwardRef:
    """A type named by a string."""

    __init_subclass__ = _not_derivable
    __slots__ = ("__forward_arg__", "__forward_evaluated__", "__forward_value__", "__forward_is_argument__",
                 "__forward_is_class__", "__forward_module__")

    def __init__(self, arg, is_argument=True, module=None, *, is_class=False):
        if not isinstance(arg, str):
            raise TypeError(f"Forward reference must be a string -- got {arg!r}")
        if not _is_expression(f"({arg},)[0]" if arg[0] == "*" else arg):
            raise SyntaxError(f"Forward reference must be an expression -- got {arg!r}")
        self.__forward_arg__ = arg
        self.__forward_evaluated__ = False
        self.__forward_value__ = None
        self.__forward_is_argument__ = is_argument
        self.__forward_is_class__ = is_class
        self.__forward_module__ = module

    def __eq__(self, other):
        if not isinstance(other, ForwardRef):
            return NotImplemented
        if self.__forward_evaluated__ and other.__forward_evaluated__:
            return self.__forward_arg__ == other.__forward_arg__ and self.__forward_value__ == other.__forward_value__
        return self.__forward_arg__ == other.__forward_arg__ and self.__forward_module__ == other.__forward_module__

    def __hash__(self):
        return hash((self.__forward_arg__, self.__forward_module__))

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __repr__(self):
        module = "" if self.__forward_module__ is None else f", module={self.__forward_module__!r}"
        return f"ForwardRef({self.__forward_arg__!r}{module})"


class _Variable:
    """What all kinds of type variables do."""

    def __init__(self, name, bound, covariant, contravariant):
        if covariant and contravariant:
            raise ValueError("Bivariant types are not supported.")
        self.__name__ = name
        self.__covariant__ = bool(covariant)
        self.__contravariant__ = bool(contravariant)
        self.__bound__ = None if bound is None else _checked(bound, "Bound must be a type.")
        module = _caller_module(2)
        if module is not None and module != "typing":
            self.__module__ = module

    _is_many = False

    def __repr__(self):
        prefix = "+" if self.__covariant__ else "-" if self.__contravariant__ else "~"
        return prefix + self.__name__

    def __or__(self, right):
        return Union[self, right]

    def __ror__(self, left):
        return Union[left, self]

    def __mro_entries__(self, bases):
        raise TypeError(f"Cannot subclass an instance of {type(self).__name__}")


class TypeVar(_Variable):
    """A type variable."""

    __init_subclass__ = _not_derivable

    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        super().__init__(name, bound, covariant, contravariant)
        if constraints and bound is not None:
            raise TypeError("Constraints cannot be combined with bound=...")
        if len(constraints) == 1:
            raise TypeError("A single constraint is not allowed")
        message = "TypeVar(name, constraint, ...): constraints must be types."
        self.__constraints__ = tuple(_checked(t, message) for t in constraints)

    def __typing_subst__(self, arg):
        arg = _checked(arg, "Parameters to generic types must be types.", final=False)
        if getattr(arg, "__unpacked__", False) is True or getattr(arg, "_is_unpack", False):
            raise TypeError(f"{arg} is not valid as type argument")
        return arg


class _OtherVariable(_Variable):
    """The base of ParamSpec and TypeVarTuple, which are loaded when they are used."""

    _is_paramspec = False
    _is_many = False


class Generic:
    """The base of generic classes."""

    __slots__ = ()
    _is_protocol = False

    def __class_getitem__(cls, params):
        if not isinstance(params, tuple):
            params = (params,)
        params = tuple(map(_converted, params))
        if cls is Generic or cls is _protocol:
            if not params:
                raise TypeError(f"Parameter list to {cls.__qualname__}[...] cannot be empty")
            if not all(_is_variable(p) and not p._is_many or getattr(p, "__typing_is_unpacked_typevartuple__", False) for p in params):
                raise TypeError(f"Parameters to {cls.__name__}[...] must all be type variables or parameter specification variables.")
            if len(set(params)) != len(params):
                raise TypeError(f"Parameters to {cls.__name__}[...] must all be unique")
        else:
            own = getattr(cls, "__parameters__", ())
            if not own:
                raise TypeError(f"{cls} is not a generic class")
            given = []
            for variable, arg in zip(own, _prepared(cls, params)):
                if variable._is_many:
                    given.extend(arg)
                else:
                    given.append(arg)
            params = tuple(given)
        return _Generic(cls, params)

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        namespace = type.__dict__["__dict__"].__get__(cls)
        bases = namespace.get("__orig_bases__")
        if Generic in (bases or cls.__bases__) and (bases or cls.__name__ != "Protocol" and type(cls).__name__ != "_TypedDictMeta"):
            raise TypeError("Cannot inherit from plain Generic")
        if bases is None:
            cls.__parameters__ = ()
            return
        variables = _parameters_of(bases)
        declared = None
        for base in bases:
            if isinstance(base, _Generic) and base.__origin__ is Generic:
                if declared is not None:
                    raise TypeError("Cannot inherit from Generic[...] multiple times.")
                declared = base.__parameters__
        if declared is not None:
            missing = [v for v in variables if v not in declared]
            if missing:
                names = ", ".join(map(str, missing))
                listed = ", ".join(map(str, declared))
                raise TypeError(f"Some type variables ({names}) are not listed in Generic[{listed}]")
            variables = declared
        cls.__parameters__ = tuple(variables)


# The classes of the library under their names here: where they come from, how
# many parameters they take, and whether they can be called.
_CLASSES = {
    "List": ("builtins", "list", 1, False), "Dict": ("builtins", "dict", 2, False), "Set": ("builtins", "set", 1, False),
    "FrozenSet": ("builtins", "frozenset", 1, False), "Type": ("builtins", "type", 1, False),
    "DefaultDict": ("collections", "defaultdict", 2, True), "OrderedDict": ("collections", "OrderedDict", 2, True),
    "Counter": ("collections", "Counter", 1, True), "ChainMap": ("collections", "ChainMap", 2, True),
    "Deque": ("collections", "deque", 1, True),
    "Hashable": ("collections.abc", "Hashable", 0, True), "Awaitable": ("collections.abc", "Awaitable", 1, True),
    "Coroutine": ("collections.abc", "Coroutine", 3, True), "AsyncIterable": ("collections.abc", "AsyncIterable", 1, True),
    "AsyncIterator": ("collections.abc", "AsyncIterator", 1, True), "AsyncGenerator": ("collections.abc", "AsyncGenerator", 2, True),
    "Iterable": ("collections.abc", "Iterable", 1, True), "Iterator": ("collections.abc", "Iterator", 1, True),
    "Reversible": ("collections.abc", "Reversible", 1, True), "Sized": ("collections.abc", "Sized", 0, True),
    "Container": ("collections.abc", "Container", 1, True), "Collection": ("collections.abc", "Collection", 1, True),
    "AbstractSet": ("collections.abc", "Set", 1, True), "MutableSet": ("collections.abc", "MutableSet", 1, True),
    "Mapping": ("collections.abc", "Mapping", 2, True), "MutableMapping": ("collections.abc", "MutableMapping", 2, True),
    "Sequence": ("collections.abc", "Sequence", 1, True), "MutableSequence": ("collections.abc", "MutableSequence", 1, True),
    "ByteString": ("collections.abc", "ByteString", 0, True), "MappingView": ("collections.abc", "MappingView", 1, True),
    "KeysView": ("collections.abc", "KeysView", 1, True), "ItemsView": ("collections.abc", "ItemsView", 2, True),
    "ValuesView": ("collections.abc", "ValuesView", 1, True), "Generator": ("collections.abc", "Generator", 3, True),
    "Callable": ("collections.abc", "Callable", 2, True), "Tuple": ("builtins", "tuple", -1, False),
    "Pattern": ("re", "Pattern", 1, True), "Match": ("re", "Match", 1, True),
    "ContextManager": ("typing", "AbstractContextManager", 1, True),
    "AsyncContextManager": ("typing", "AbstractAsyncContextManager", 1, True),
}

_BUILTIN_CLASSES = {"list": list, "dict": dict, "set": set, "frozenset": frozenset, "type": type, "tuple": tuple}


def _class_alias(name):
    module, attr, nparams, inst = _CLASSES[name]
    if module == "builtins":
        origin = _BUILTIN_CLASSES[attr]
    elif module == "collections":
        import collections
        origin = getattr(collections, attr)
    elif module == "re":
        import re
        origin = getattr(re, attr)
    elif module == "typing":
        origin = _later(attr)
    else:
        import collections.abc
        origin = getattr(collections.abc, attr)
    if name == "Callable":
        return _CallableSpecial(origin, nparams, name=name)
    if name == "Tuple":
        return _TupleSpecial(origin, nparams, inst=False, name=name)
    return _Special(origin, nparams, inst=inst, name=name)


def __getattr__(name):
    if name in _CLASSES:
        return _publish(name, _class_alias(name))
    return _later(name)


def cast(typ, val):
    """val, which type checkers take to be a typ."""
    return val


def get_origin(tp):
    """The class that an alias stands for, None for what is no alias."""
    if isinstance(tp, (_Alias, _native_alias)) or _is_parameter_member(tp):
        return tp.__metadata_origin__ if getattr(tp, "_is_annotated", False) else tp.__origin__
    if tp is Generic:
        return Generic
    if isinstance(tp, _native_union):
        return _native_union
    if type(tp).__name__ == "_CallableGenericAlias":
        return tp.__origin__
    return None


def _is_parameter_member(tp):
    return type(tp).__name__ in ("ParamSpecArgs", "ParamSpecKwargs") and hasattr(tp, "__origin__")


def get_args(tp):
    """The arguments of an alias, with those of Callable in a list of their own."""
    if getattr(tp, "_is_annotated", False):
        return (tp.__origin__,) + tp.__metadata__
    if isinstance(tp, (_Generic, _native_alias)) or type(tp).__name__ == "_CallableGenericAlias":
        args = tp.__args__
        if getattr(tp.__origin__, "__name__", "") == "Callable" and not (
                len(args) == 2 and (args[0] is ... or _is_parameter_expression(args[0]))):
            args = (list(args[:-1]), args[-1])
        return args
    if isinstance(tp, _native_union):
        return tp.__args__
    return ()


def overload(func):
    """Decorator of the declared variants of a function; the last definition must be the function itself."""
    from typing import _note_overload
    return _note_overload(getattr(func, "__func__", func))


def final(f):
    """Decorator of classes and methods that are not to be derived from or overridden."""
    try:
        f.__final__ = True
    except (AttributeError, TypeError):
        pass
    return f


def no_type_check(arg):
    """Decorator of what has annotations that are no types."""
    if isinstance(arg, type):
        for name in dir(arg):
            obj = getattr(arg, name)
            if (not hasattr(obj, "__qualname__") or obj.__qualname__ != f"{arg.__qualname__}.{obj.__name__}"
                    or getattr(obj, "__module__", None) != arg.__module__):
                continue
            if isinstance(obj, _function):
                obj.__no_type_check__ = True
            elif isinstance(obj, _method):
                obj.__func__.__no_type_check__ = True
            elif isinstance(obj, type):
                no_type_check(obj)
    try:
        arg.__no_type_check__ = True
    except TypeError:
        pass
    return arg


def no_type_check_decorator(decorator):
    """Decorator of decorators whose results have annotations that are no types."""
    from functools import wraps

    @wraps(decorator)
    def wrapped_decorator(*args, **kwds):
        return no_type_check(decorator(*args, **kwds))

    return wrapped_decorator
