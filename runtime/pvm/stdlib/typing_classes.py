from abc import ABCMeta, _checking_others, abstractmethod

_namespace_of = type.__dict__["__dict__"].__get__


def _tolerant():
    """Whether a check is not the program's own, but part of one of abc's or functools'."""
    return _checking_others() or _caller_module(2) in ("abc", "functools", None)


class _ProtocolMeta(ABCMeta):
    def __instancecheck__(cls, instance):
        follows = getattr(cls, "_is_protocol", False)
        if follows and not getattr(cls, "_is_runtime_protocol", False) and not _tolerant():
            raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
        if (not follows or _has_methods_only(cls)) and issubclass(instance.__class__, cls):
            return True
        if follows and all(hasattr(instance, name) and (not callable(getattr(cls, name, None)) or getattr(instance, name) is not None)
                           for name in _get_protocol_attrs(cls)):
            return True
        return super().__instancecheck__(instance)


_NOT_ATTRIBUTES = frozenset((
    "__annotations__", "__dict__", "__doc__", "__weakref__", "_is_protocol", "_is_runtime_protocol", "__abstractmethods__",
    "_abc_impl", "__parameters__", "__orig_bases__", "__module__", "__init__", "__slots__", "__subclasshook__", "__new__",
    "__class_getitem__", "__match_args__", "_is_plain_protocol", "__qualname__", "__orig_class__", "__final__",
    "_protocol_methods",
))


def _annotations_of(cls):
    """The annotations of the class itself."""
    own = _namespace_of(cls).get("__annotations__")
    return own if isinstance(own, dict) else {}


def _get_protocol_attrs(cls):
    """The names that an object must have to follow the protocol."""
    found = {}
    for base in cls.__mro__[:-1]:
        if base.__name__ in ("Protocol", "Generic"):
            continue
        for name in (*_namespace_of(base), *_annotations_of(base)):
            if not name.startswith("_abc_") and name not in _NOT_ATTRIBUTES:
                found[name] = None
    return set(found)


def _has_methods_only(cls):
    return all(callable(getattr(cls, name, None)) for name in _get_protocol_attrs(cls))


def _follows(cls, other):
    """The __subclasshook__ of protocols."""
    if not _namespace_of(cls).get("_is_protocol", False):
        return NotImplemented
    if not getattr(cls, "_is_runtime_protocol", False):
        if _tolerant():
            return NotImplemented
        raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
    if not _has_methods_only(cls):
        if _tolerant():
            return NotImplemented
        raise TypeError("Protocols with non-method members don't support issubclass()")
    if not isinstance(other, type):
        raise TypeError("issubclass() arg 1 must be a class")
    for name in _get_protocol_attrs(cls):
        for base in other.__mro__:
            names = _namespace_of(base)
            if name in names:
                if names[name] is None:
                    return NotImplemented
                break
            if name in _annotations_of(base) and issubclass(other, Generic) and getattr(other, "_is_protocol", False):
                break
        else:
            return NotImplemented
    return True


def _no_init(self, *args, **kwargs):
    """The __init__ of protocols: classes that follow one explicitly get that of the next base at their first call."""
    cls = type(self)
    if cls._is_protocol:
        raise TypeError("Protocols cannot be instantiated")
    if cls.__init__ is not _no_init:
        return
    cls.__init__ = object.__init__
    for base in cls.__mro__[1:]:
        init = _namespace_of(base).get("__init__", _no_init)
        if init is not _no_init:
            cls.__init__ = init
            break
    cls.__init__(self, *args, **kwargs)


_PROTOCOLS_ELSEWHERE = {
    "collections.abc": frozenset(("Callable", "Awaitable", "Iterable", "Iterator", "AsyncIterable", "Hashable", "Sized", "Container",
                                  "Collection", "Reversible")),
    "contextlib": frozenset(("AbstractContextManager", "AbstractAsyncContextManager")),
}


class Protocol(Generic, metaclass=_ProtocolMeta):
    """The base of protocols: classes that others belong to by what they have."""

    __slots__ = ()
    _is_protocol = True
    _is_runtime_protocol = False
    _is_plain_protocol = True

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        if not _namespace_of(cls).get("_is_protocol", False):
            cls._is_protocol = any(b is Protocol for b in cls.__bases__)
        if "__subclasshook__" not in _namespace_of(cls):
            cls.__subclasshook__ = classmethod(_follows)
        if not cls._is_protocol:
            return
        for base in cls.__bases__:
            if not (base in (object, Generic) or base.__name__ in _PROTOCOLS_ELSEWHERE.get(base.__module__, ())
                    or issubclass(base, Generic) and getattr(base, "_is_protocol", False)):
                raise TypeError("Protocols can only inherit from other protocols, got %r" % base)
        if cls.__init__ is Protocol.__init__:
            cls.__init__ = _no_init


_protocol = Protocol


def runtime_checkable(cls):
    """Class decorator of protocols that isinstance() may ask for."""
    if not issubclass(cls, Generic) or not getattr(cls, "_is_protocol", False):
        raise TypeError("@runtime_checkable can be only applied to protocol classes, got %r" % cls)
    cls._is_runtime_protocol = True
    return cls


def _supporting(name, result):
    def method(self):
        pass

    method.__name__ = name
    method.__annotations__ = {"return": result}
    return abstractmethod(method)


@runtime_checkable
class SupportsInt(Protocol):
    __slots__ = ()
    __int__ = _supporting("__int__", int)


@runtime_checkable
class SupportsFloat(Protocol):
    __slots__ = ()
    __float__ = _supporting("__float__", float)


@runtime_checkable
class SupportsComplex(Protocol):
    __slots__ = ()
    __complex__ = _supporting("__complex__", complex)


@runtime_checkable
class SupportsBytes(Protocol):
    __slots__ = ()
    __bytes__ = _supporting("__bytes__", bytes)


@runtime_checkable
class SupportsIndex(Protocol):
    __slots__ = ()
    __index__ = _supporting("__index__", int)


_T_co = TypeVar("T_co", covariant=True)


@runtime_checkable
class SupportsAbs(Protocol[_T_co]):
    __slots__ = ()
    __abs__ = _supporting("__abs__", _T_co)


@runtime_checkable
class SupportsRound(Protocol[_T_co]):
    __slots__ = ()

    @abstractmethod
    def __round__(self, ndigits=0):
        pass


class AbstractContextManager(metaclass=ABCMeta):
    """What a with statement takes."""

    __module__ = "contextlib"

    def __enter__(self):
        return self

    @abstractmethod
    def __exit__(self, exc_type, exc_value, traceback):
        return None

    @classmethod
    def __subclasshook__(cls, C):
        if cls is not AbstractContextManager:
            return NotImplemented
        return all(any(name in _namespace_of(b) for b in C.__mro__) for name in ("__enter__", "__exit__")) or NotImplemented


class AbstractAsyncContextManager(metaclass=ABCMeta):
    """What an async with statement takes."""

    __module__ = "contextlib"

    async def __aenter__(self):
        return self

    @abstractmethod
    async def __aexit__(self, exc_type, exc_value, traceback):
        return None

    @classmethod
    def __subclasshook__(cls, C):
        if cls is not AbstractAsyncContextManager:
            return NotImplemented
        return all(any(name in _namespace_of(b) for b in C.__mro__) for name in ("__aenter__", "__aexit__")) or NotImplemented


_NOT_OVERWRITTEN = frozenset((
    "__new__", "__init__", "__slots__", "__getnewargs__", "_fields", "_field_defaults", "_field_types", "_make", "_replace",
    "_asdict", "_source",
))
_OWN_NAMES = frozenset(("__module__", "__name__", "__annotations__", "__qualname__", "__orig_bases__"))


def _named_tuple(name, fields, defaults, module, bases, namespace):
    """The class of a named tuple with annotations."""
    from collections import _checked_names, _tuple_class
    types = {n: _checked(t, f"field {n} annotation must be a type") for n, t in fields}
    names = tuple(_checked_names(name, types, False))
    result = _tuple_class(name, names, tuple(defaults), module, bases, {**namespace, "__annotations__": types})
    result.__new__.__annotations__ = types
    return result


class NamedTupleMeta(type):
    def __new__(cls, typename, bases, ns):
        for base in bases:
            if base is not _NamedTuple and base is not Generic:
                raise TypeError("can only inherit from a NamedTuple type and Generic")
        types = ns.get("__annotations__", {})
        defaults = []
        for name in types:
            if name in ns:
                defaults.append(name)
            elif defaults:
                raise TypeError(f"Non-default namedtuple field {name} cannot follow default field"
                                f"{'s' if len(defaults) > 1 else ''} {', '.join(defaults)}")
        extra = {}
        for key, value in ns.items():
            if key in _NOT_OVERWRITTEN:
                raise AttributeError("Cannot overwrite NamedTuple attribute " + key)
            if key not in _OWN_NAMES and key not in types:
                extra[key] = value
            elif key in ("__orig_bases__", "__qualname__"):
                extra[key] = value
        if Generic in bases:
            extra["__class_getitem__"] = classmethod(Generic.__class_getitem__.__func__)
        bases = tuple(tuple if base is _NamedTuple else base for base in bases)
        return _named_tuple(typename, types.items(), [ns[n] for n in defaults], ns["__module__"], bases, extra)


class _NamedTupleForm:
    """NamedTuple: a base that makes named tuples of annotated classes, and a function that makes them of a list."""

    __name__ = __qualname__ = "NamedTuple"

    def __call__(self, typename, fields=None, /, **kwargs):
        if fields is None:
            fields = kwargs.items()
        elif kwargs:
            raise TypeError("Either list of fields or keywords can be provided to NamedTuple, not both")
        return _named_tuple(typename, fields, (), _caller_module(1), (tuple,), {})

    def __mro_entries__(self, bases):
        return (_NamedTuple,)

    def __repr__(self):
        return "<function NamedTuple>"


NamedTuple = _NamedTupleForm()
_NamedTuple = type.__new__(NamedTupleMeta, "NamedTuple", (), {"__module__": "typing"})


class _TypedDictMeta(type):
    def __new__(cls, name, bases, ns, total=True):
        for base in bases:
            if type(base) is not _TypedDictMeta and base is not Generic:
                raise TypeError("cannot inherit from both a TypedDict type and a non-TypedDict base class")
        own = ns.get("__annotations__", {})
        message = "TypedDict('Name', {f0: t0, f1: t1, ...}); each t must be a type"
        module = ns.get("__module__")
        own = {n: ForwardRef(t, module=module) if isinstance(t, str) else _checked(t, message) for n, t in own.items()}
        annotations, required, optional = {}, {}, {}
        for base in bases:
            names = _namespace_of(base)
            annotations.update(names.get("__annotations__", {}))
            for mine, others, own_keys in ((required, optional, "__required_keys__"), (optional, required, "__optional_keys__")):
                for key in names.get(own_keys, ()):
                    mine[key] = None
                    others.pop(key, None)
        annotations.update(own)
        from typing import Annotated, NotRequired, Required
        for key, annotation in own.items():
            marker = get_origin(annotation)
            if marker is Annotated:
                marker = get_origin(get_args(annotation)[0])
            if marker is Required or total and marker is not NotRequired:
                required[key] = None
                optional.pop(key, None)
            else:
                optional[key] = None
                required.pop(key, None)
        generic = (Generic,) if any(issubclass(b, Generic) for b in bases) else ()
        new = type.__new__(_TypedDictMeta, name, (*generic, dict), ns)
        new.__annotations__ = annotations
        new.__required_keys__ = frozenset(required)
        new.__optional_keys__ = frozenset(optional)
        if not hasattr(new, "__total__"):
            new.__total__ = total
        return new

    def __call__(cls, /, *args, **kwargs):
        return dict(*args, **kwargs)

    def __subclasscheck__(cls, other):
        raise TypeError("TypedDict does not support instance and class checks")

    __instancecheck__ = __subclasscheck__


class _TypedDictForm:
    """TypedDict: a base of classes that describe dicts, and a function that makes them."""

    __name__ = __qualname__ = "TypedDict"

    def __call__(self, typename, fields=None, /, *, total=True, **kwargs):
        if fields is None:
            fields = kwargs
        elif kwargs:
            raise TypeError("TypedDict takes either a dict or keyword arguments, but not both")
        namespace = {"__annotations__": dict(fields)}
        module = _caller_module(1)
        if module is not None:
            namespace["__module__"] = module
        return _TypedDictMeta(typename, (), namespace, total=total)

    def __mro_entries__(self, bases):
        return (_TypedDict,)

    def __repr__(self):
        return "<function TypedDict>"


TypedDict = _TypedDictForm()
_TypedDict = type.__new__(_TypedDictMeta, "TypedDict", (), {"__module__": "typing"})


def is_typeddict(tp):
    """Whether tp is a class that describes dicts."""
    return isinstance(tp, _TypedDictMeta)
