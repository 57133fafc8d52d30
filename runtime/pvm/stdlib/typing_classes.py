from abc import ABCMeta, abstractmethod

_namespace_of = type.__dict__["__dict__"].__get__


class _ProtocolMeta(ABCMeta):
    def __instancecheck__(cls, instance):
        if not getattr(cls, "_is_protocol", False):
            return super().__instancecheck__(instance)
        if not getattr(cls, "_is_runtime_protocol", False):
            if cls is not Protocol:
                raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
            return super().__instancecheck__(instance)
        if super().__instancecheck__(instance):
            return True
        for attr in _protocol_attributes(cls):
            if not hasattr(instance, attr):
                return False
            if callable(getattr(cls, attr, None)) and getattr(instance, attr) is None:
                return False
        return True


_NOT_ATTRIBUTES = frozenset((
    "__annotations__", "__dict__", "__doc__", "__weakref__", "_is_protocol", "_is_runtime_protocol", "__abstractmethods__",
    "_abc_impl", "__parameters__", "__orig_bases__", "__module__", "__init__", "__slots__", "__subclasshook__", "__new__",
    "__class_getitem__", "__match_args__", "_is_plain_protocol", "__qualname__", "__orig_class__",
))


def _protocol_attributes(cls):
    """The names that an object must have to follow the protocol."""
    found = {}
    for base in cls.__mro__[:-1]:
        if base.__name__ in ("Protocol", "Generic"):
            continue
        names = _namespace_of(base)
        for name in (*names, *names.get("__annotations__", ())):
            if not name.startswith("_abc_") and name not in _NOT_ATTRIBUTES:
                found[name] = None
    return list(found)


def _follows(cls, other):
    """The __subclasshook__ of protocols."""
    if not _namespace_of(cls).get("_is_protocol", False):
        return NotImplemented
    if not getattr(cls, "_is_runtime_protocol", False):
        raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
    attrs = _protocol_attributes(cls)
    if any(not callable(getattr(cls, name, None)) for name in attrs):
        raise TypeError("Protocols with non-method members don't support issubclass()")
    if not isinstance(other, type):
        raise TypeError("issubclass() arg 1 must be a class")
    for name in attrs:
        for base in other.__mro__:
            names = _namespace_of(base)
            if name in names:
                if names[name] is None:
                    return NotImplemented
                break
            annotations = names.get("__annotations__", {})
            if name in annotations and getattr(other, "_is_protocol", False):
                break
        else:
            return NotImplemented
    return True


def _no_init(self, *args, **kwargs):
    if type(self)._is_protocol:
        raise TypeError("Protocols cannot be instantiated")


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
            if not (base in (object, Generic) or base.__module__ == "collections.abc" or getattr(base, "_is_protocol", False)):
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


def _supporting(name, doc, result):
    def method(self):
        pass

    method.__name__ = name
    method.__annotations__ = {"return": result}
    return abstractmethod(method)


@runtime_checkable
class SupportsInt(Protocol):
    __slots__ = ()
    __int__ = _supporting("__int__", "", int)


@runtime_checkable
class SupportsFloat(Protocol):
    __slots__ = ()
    __float__ = _supporting("__float__", "", float)


@runtime_checkable
class SupportsComplex(Protocol):
    __slots__ = ()
    __complex__ = _supporting("__complex__", "", complex)


@runtime_checkable
class SupportsBytes(Protocol):
    __slots__ = ()
    __bytes__ = _supporting("__bytes__", "", bytes)


@runtime_checkable
class SupportsIndex(Protocol):
    __slots__ = ()
    __index__ = _supporting("__index__", "", int)


_T_co = TypeVar("T_co", covariant=True)


@runtime_checkable
class SupportsAbs(Protocol[_T_co]):
    __slots__ = ()
    __abs__ = _supporting("__abs__", "", _T_co)


@runtime_checkable
class SupportsRound(Protocol[_T_co]):
    __slots__ = ()

    @abstractmethod
    def __round__(self, ndigits=0):
        pass


_NOT_OVERWRITTEN = frozenset((
    "__new__", "__init__", "__slots__", "__getnewargs__", "_fields", "_field_defaults", "_field_types", "_make", "_replace",
    "_asdict", "_source",
))


class NamedTupleMeta(type):
    def __new__(cls, typename, bases, ns):
        from collections import namedtuple
        for base in bases:
            if base is not _NamedTuple and base is not Generic:
                raise TypeError("can only inherit from a NamedTuple type and Generic")
        bases = tuple(tuple if base is _NamedTuple else base for base in bases)
        types = ns.get("__annotations__", {})
        defaults = []
        for name in types:
            if name in ns:
                defaults.append(name)
            elif defaults:
                raise TypeError(f"Non-default namedtuple field {name} cannot follow default field{'s' if len(defaults) > 1 else ''} "
                                f"{', '.join(defaults)}")
        made = _made_named_tuple(typename, types.items(), [ns[n] for n in defaults], ns["__module__"])
        made.__bases__ = bases
        return made if Generic not in bases else made


def _made_named_tuple(name, types, defaults, module):
    from collections import namedtuple
    types = {n: _checked(t, f"field {n} annotation must be a type") for n, t in types}
    made = namedtuple(name, types, defaults=defaults, module=module)
    made.__annotations__ = made.__new__.__annotations__ = types
    return made
