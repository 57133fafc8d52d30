def _no_subscript(name, doc):
    return _SpecialForm(name, doc)


NoReturn = _no_subscript("NoReturn", "The type of functions that never return.")
Never = _no_subscript("Never", "The type without values.")
Self = _no_subscript("Self", "The type of the enclosing class.")
LiteralString = _no_subscript("LiteralString", "Strings that are written in the source.")
TypeAlias = _no_subscript("TypeAlias", "Marks aliases of types.")


def _guard(self, parameters):
    return _Generic(self, (_checked(parameters, f"{self} accepts only single type."),), name=self._name)


TypeGuard = _SpecialForm("TypeGuard", "The result of functions that narrow the type of their argument.", _guard)
Required = _SpecialForm("Required", "Marks keys of a TypedDict that must be there.", _guard)
NotRequired = _SpecialForm("NotRequired", "Marks keys of a TypedDict that may be absent.", _guard)


class _LiteralGeneric(_Generic, _own=True):
    __iter__ = None

    def __eq__(self, other):
        if not isinstance(other, _LiteralGeneric):
            return NotImplemented
        return _typed(self.__args__) == _typed(other.__args__)

    def __hash__(self):
        return hash(frozenset(_typed(self.__args__)))

    def __repr__(self):
        return f"typing.Literal[{', '.join(map(_repr_of, self.__args__))}]"


def _typed(args):
    """Values with their types, so that 1 and True differ."""
    return {(v, type(v)) for v in args}


def _literal(self, parameters):
    if not isinstance(parameters, tuple):
        parameters = (parameters,)
    flat = []
    for p in parameters:
        if isinstance(p, _LiteralGeneric):
            flat.extend(p.__args__)
        else:
            flat.append(p)
    try:
        flat = [value for value, _ in dict.fromkeys((p, type(p)) for p in flat)]
    except TypeError:  # what has no hash may be there twice
        pass
    return _LiteralGeneric(self, tuple(flat), name="Literal")


Literal = _SpecialForm("Literal", "Literal[values] has exactly these values.", _literal)


class _AnnotatedGeneric(_Generic, _own=True):
    __iter__ = None

    _is_annotated = True

    def __init__(self, origin, metadata):
        if isinstance(origin, _AnnotatedGeneric):
            metadata = origin.__metadata__ + metadata
            origin = origin.__origin__
        super().__init__(origin, origin, name="Annotated")
        self.__metadata__ = metadata

    @property
    def __metadata_origin__(self):
        return Annotated

    def copy_with(self, params):
        return _AnnotatedGeneric(params[0], self.__metadata__)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __repr__(self):
        return f"typing.Annotated[{_repr_of(self.__origin__)}, {', '.join(map(repr, self.__metadata__))}]"

    def __eq__(self, other):
        if not isinstance(other, _AnnotatedGeneric):
            return NotImplemented
        return self.__origin__ == other.__origin__ and self.__metadata__ == other.__metadata__

    def __hash__(self):
        return hash((self.__origin__, self.__metadata__))

    def __getattr__(self, attr):
        if attr in {"__name__", "__qualname__"}:
            return "Annotated"
        return super().__getattr__(attr)


class Annotated:
    """A type with more to say about it."""

    __slots__ = ()

    def __new__(cls, *args, **kwargs):
        raise TypeError("Type Annotated cannot be instantiated.")

    def __class_getitem__(cls, params):
        if not isinstance(params, tuple) or len(params) < 2:
            raise TypeError("Annotated[...] should be used with at least two arguments (a type and an annotation).")
        if getattr(params[0], "__typing_is_unpacked_typevartuple__", False):
            raise TypeError("Annotated[...] should not be used with an unpacked TypeVarTuple")
        origin = _checked(params[0], "Annotated[t, ...]: t must be a type.", special=True)
        return _AnnotatedGeneric(origin, tuple(params[1:]))

    def __init_subclass__(cls, *args, **kwargs):
        raise TypeError(f"Cannot subclass {cls.__module__}.Annotated")


def _concatenate(self, parameters):
    if parameters == ():
        raise TypeError("Cannot take a Concatenate of no types.")
    if not isinstance(parameters, tuple):
        parameters = (parameters,)
    if not (parameters[-1] is ... or isinstance(parameters[-1], ParamSpec)):
        raise TypeError("The last parameter to Concatenate should be a ParamSpec variable or ellipsis.")
    message = "Concatenate[arg, ...]: each arg must be a type."
    return _ConcatenateGenericAlias(self, (*(_checked(p, message) for p in parameters[:-1]), parameters[-1]), name="Concatenate")


class _ConcatenateGenericAlias(_Generic, _own=True):
    __iter__ = None

    def copy_with(self, params):
        last = params[-1]
        if isinstance(last, (list, tuple)):
            return (*params[:-1], *last)
        if isinstance(last, _ConcatenateGenericAlias):
            params = (*params[:-1], *last.__args__)
        return super().copy_with(params)


Concatenate = _SpecialForm("Concatenate", "Parameters in front of those of a ParamSpec.", _concatenate)


class ParamSpecArgs:
    """The positional arguments of a ParamSpec."""

    def __init__(self, origin):
        self.__origin__ = origin

    def __repr__(self):
        return f"{self.__origin__.__name__}.args"

    def __eq__(self, other):
        if not isinstance(other, ParamSpecArgs):
            return NotImplemented
        return self.__origin__ == other.__origin__

    def __hash__(self):
        return hash(("args", self.__origin__))


class ParamSpecKwargs:
    """The keyword arguments of a ParamSpec."""

    def __init__(self, origin):
        self.__origin__ = origin

    def __repr__(self):
        return f"{self.__origin__.__name__}.kwargs"

    def __eq__(self, other):
        if not isinstance(other, ParamSpecKwargs):
            return NotImplemented
        return self.__origin__ == other.__origin__

    def __hash__(self):
        return hash(("kwargs", self.__origin__))


class ParamSpec(_OtherVariable):
    """A variable for the parameters of a function."""

    __init_subclass__ = _not_derivable
    _is_paramspec = True

    def __init__(self, name, *, bound=None, covariant=False, contravariant=False):
        super().__init__(name, bound, covariant, contravariant)

    def __typing_subst__(self, arg):
        if isinstance(arg, (list, tuple)):
            return tuple(_checked(a, "Expected a type.") for a in arg)
        if not _is_parameter_list(arg):
            raise TypeError(f"Expected a list of types, an ellipsis, ParamSpec, or Concatenate. Got {arg}")
        return arg

    def __typing_prepare_subst__(self, alias, args):
        params = alias.__parameters__
        at = params.index(self)
        if at >= len(args):
            raise TypeError(f"Too few arguments for {alias}")
        if len(params) == 1 and not _is_parameter_list(args[0]):
            return (args,)  # Z[int, str] for Z[[int, str]]
        if isinstance(args[at], list):
            return (*args[:at], tuple(args[at]), *args[at + 1:])
        return args

    @property
    def args(self):
        return ParamSpecArgs(self)

    @property
    def kwargs(self):
        return ParamSpecKwargs(self)


class TypeVarTuple(_OtherVariable):
    """A variable for any number of types."""

    __init_subclass__ = _not_derivable
    _is_many = True

    def __init__(self, name):
        super().__init__(name, None, False, False)

    def __iter__(self):
        yield Unpack[self]

    def __typing_subst__(self, arg):
        raise TypeError("Substitution of bare TypeVarTuple is not supported")

    def __typing_prepare_subst__(self, alias, args):
        """args with a tuple of those that are left for this variable by the others."""
        params = alias.__parameters__
        at = params.index(self)
        if any(p._is_many for p in params[at + 1:]):
            raise TypeError(f"More than one TypeVarTuple parameter in {alias}")
        behind = len(params) - at - 1
        open_end, fill = None, None
        for k, arg in enumerate(args):
            inner = None if isinstance(arg, type) else getattr(arg, "__typing_unpacked_tuple_args__", None)
            if inner and len(inner) == 2 and inner[-1] is ...:
                if open_end is not None:
                    raise TypeError("More than one unpacked arbitrary-length tuple argument")
                open_end, fill = k, inner[0]
        left, right = at, behind
        if open_end is not None:
            left = min(left, open_end)
            right = min(right, len(args) - open_end - 1)
        elif left + right > len(args):
            raise TypeError(f"Too few arguments for {alias}; actual {len(args)}, expected at least {len(params) - 1}")
        end = len(args) - right
        return (*args[:left], *[fill] * (at - left), tuple(args[left:end]), *[fill] * (behind - right), *args[end:])

    def __repr__(self):
        return self.__name__

    def __mro_entries__(self, bases):
        raise TypeError("Cannot subclass an instance of TypeVarTuple")


class _UnpackGeneric(_Generic, _own=True):
    _is_unpack = True

    def __repr__(self):
        return "*" + repr(self.__args__[0])

    def copy_with(self, args):
        return _UnpackGeneric(self.__origin__, args, name="Unpack")

    def __getitem__(self, args):
        if self.__typing_is_unpacked_typevartuple__:
            return args
        return super().__getitem__(args)

    @property
    def __typing_unpacked_tuple_args__(self):
        arg = self.__args__[0]
        if isinstance(arg, (_Generic, _native_alias)):
            if arg.__origin__ is not tuple:
                raise TypeError("Unpack[...] must be used with a tuple type")
            return arg.__args__
        return None

    @property
    def __typing_is_unpacked_typevartuple__(self):
        return isinstance(self.__args__[0], TypeVarTuple)


def _unpack(self, parameters):
    return _UnpackGeneric(self, (_checked(parameters, f"{self} accepts only single type."),), name="Unpack")


Unpack = _SpecialForm("Unpack", "The elements of a tuple type in the place of arguments.", _unpack)


AnyStr = TypeVar("AnyStr", bytes, str)
# Not in __all__, but there.
T = TypeVar("T")
KT = TypeVar("KT")
VT = TypeVar("VT")
T_co = TypeVar("T_co", covariant=True)
V_co = TypeVar("V_co", covariant=True)
VT_co = TypeVar("VT_co", covariant=True)
T_contra = TypeVar("T_contra", contravariant=True)
CT_co = TypeVar("CT_co", covariant=True, bound=type)
Text = str


class NewType:
    """A type of its own for checkers that is its supertype at run time."""

    def __init__(self, name, tp):
        self.__qualname__ = name
        if "." in name:
            name = name.rpartition(".")[-1]
        self.__name__ = name
        self.__supertype__ = tp
        module = _caller_module(1)
        if module is not None and module != "typing":
            self.__module__ = module

    def __call__(self, x):
        return x

    def __repr__(self):
        return f"{self.__module__}.{self.__qualname__}"

    def __mro_entries__(self, bases):
        supertype = self.__name__

        class Refusing:
            def __init_subclass__(cls):
                raise TypeError(f"Cannot subclass an instance of NewType. Perhaps you were looking for: "
                                f"`{cls.__name__} = NewType({cls.__name__!r}, {supertype})`")

        return (Refusing,)

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]


class IO(Generic[AnyStr]):
    """A file; there are none on chain, so this is for annotations."""

    __slots__ = ()


class BinaryIO(IO[bytes]):
    """A file of bytes."""

    __slots__ = ()


class TextIO(IO[str]):
    """A file of text."""

    __slots__ = ()


def assert_type(val, typ, /):
    """val; type checkers make sure that it has the type."""
    return val


_ASSERT_NEVER_REPR_MAX_LENGTH = 100


def assert_never(arg, /):
    """Mark a place that type checkers show to be out of reach."""
    value = repr(arg)
    if len(value) > _ASSERT_NEVER_REPR_MAX_LENGTH:
        value = value[:_ASSERT_NEVER_REPR_MAX_LENGTH] + "..."
    raise AssertionError(f"Expected code to be unreachable, but got: {value}")


def reveal_type(obj, /):
    """obj; type checkers say which type they take it to have."""
    return obj


def dataclass_transform(*, eq_default=True, order_default=False, kw_only_default=False, field_specifiers=(), **kwargs):
    """Decorator of what makes classes like those of dataclasses."""
    def decorator(cls_or_fn):
        cls_or_fn.__dataclass_transform__ = {
            "eq_default": eq_default, "order_default": order_default, "kw_only_default": kw_only_default,
            "field_specifiers": field_specifiers, "kwargs": kwargs,
        }
        return cls_or_fn
    return decorator


_cleanups = []  # nothing is cached here
_overloads = {}


def _overload_dummy(*args, **kwds):
    raise NotImplementedError(
        "You should not call an overloaded function. A series of @overload-decorated functions outside a stub module "
        "should always be followed by an implementation that is not @overload-ed.")


def _note_overload(func):
    try:
        _overloads.setdefault((func.__module__, func.__qualname__), {})[func.__code__.co_firstlineno] = func
    except AttributeError:
        pass
    return _overload_dummy


def get_overloads(func):
    """The declared variants of a function."""
    func = getattr(func, "__func__", func)
    return list(_overloads.get((func.__module__, func.__qualname__), {}).values())


def clear_overloads():
    """Forget the declared variants of all functions."""
    _overloads.clear()
