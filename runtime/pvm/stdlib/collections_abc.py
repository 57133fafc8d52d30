"""Abstract base classes of containers and protocols."""

from abc import ABCMeta, abstractmethod

_Alias = type(list[int])
_namespace_of = type.__dict__["__dict__"].__get__  # whatever the metaclass


def _has(C, *methods):
    """True if C or a base defines every method; NotImplemented if one is missing or None."""
    mro = C.__mro__
    for method in methods:
        for base in mro:
            names = _namespace_of(base)
            if method in names:
                if names[method] is None:
                    return NotImplemented
                break
        else:
            return NotImplemented
    return True


def _protocol(*methods):
    """A __subclasshook__ for the class that is its own name: the methods are all it asks for."""

    def __subclasshook__(cls, C):
        if _namespace_of(cls).get("_protocol_methods") is methods:
            return _has(C, *methods)
        return NotImplemented

    return methods, classmethod(__subclasshook__)


class Hashable(metaclass=ABCMeta):
    __slots__ = ()

    @abstractmethod
    def __hash__(self):
        return 0

    _protocol_methods, __subclasshook__ = _protocol("__hash__")


class Iterable(metaclass=ABCMeta):
    __slots__ = ()

    @abstractmethod
    def __iter__(self):
        yield from ()

    _protocol_methods, __subclasshook__ = _protocol("__iter__")
    __class_getitem__ = classmethod(_Alias)


class Iterator(Iterable):
    __slots__ = ()

    @abstractmethod
    def __next__(self):
        raise StopIteration

    def __iter__(self):
        return self

    _protocol_methods, __subclasshook__ = _protocol("__iter__", "__next__")


class Reversible(Iterable):
    __slots__ = ()

    @abstractmethod
    def __reversed__(self):
        yield from ()

    _protocol_methods, __subclasshook__ = _protocol("__reversed__", "__iter__")


class Generator(Iterator):
    __slots__ = ()

    def __next__(self):
        return self.send(None)

    @abstractmethod
    def send(self, value):
        raise StopIteration

    @abstractmethod
    def throw(self, typ, val=None, tb=None):
        if val is None:
            if tb is None:
                raise typ
            val = typ()
        raise val

    def close(self):
        try:
            self.throw(GeneratorExit)
        except (GeneratorExit, StopIteration):
            return
        raise RuntimeError("generator ignored GeneratorExit")

    _protocol_methods, __subclasshook__ = _protocol("__iter__", "__next__", "send", "throw", "close")


class Sized(metaclass=ABCMeta):
    __slots__ = ()

    @abstractmethod
    def __len__(self):
        return 0

    _protocol_methods, __subclasshook__ = _protocol("__len__")


class Container(metaclass=ABCMeta):
    __slots__ = ()

    @abstractmethod
    def __contains__(self, x):
        return False

    _protocol_methods, __subclasshook__ = _protocol("__contains__")
    __class_getitem__ = classmethod(_Alias)


class Collection(Sized, Iterable, Container):
    __slots__ = ()

    _protocol_methods, __subclasshook__ = _protocol("__len__", "__iter__", "__contains__")


def _callable_alias(cls, args):
    """Callable[[int, str], bool]: the parameters are flattened into the arguments."""
    if not isinstance(args, tuple) or len(args) != 2:
        raise TypeError("Callable must be used as Callable[[arg, ...], result].")
    params, result = args
    if isinstance(params, (tuple, list)):
        args = (*params, result)
    elif params is not Ellipsis and type(params).__name__ not in ("ParamSpec", "_ConcatenateGenericAlias"):
        raise TypeError(f"Expected a list of types, an ellipsis, ParamSpec, or Concatenate. Got {params}")
    return _CallableGenericAlias(cls, args)


class _CallableGenericAlias:
    """The alias of Callable: its arguments are the parameters and the result in one tuple."""

    __slots__ = ("__origin__", "__args__")

    def __init__(self, origin, args):
        self.__origin__ = origin
        self.__args__ = args

    @property
    def __parameters__(self):
        return _Alias(tuple, self.__args__).__parameters__

    def __repr__(self):
        *params, result = self.__args__
        if len(params) == 1 and (params[0] is Ellipsis or type(params[0]).__name__ in ("ParamSpec", "_ConcatenateGenericAlias")):
            return f"collections.abc.Callable[{_shown(params[0])}, {_shown(result)}]"
        return f"collections.abc.Callable[[{', '.join(map(_shown, params))}], {_shown(result)}]"

    def __getitem__(self, item):
        return _CallableGenericAlias(self.__origin__, _Alias(tuple, self.__args__)[item].__args__)

    def __eq__(self, other):
        if not isinstance(other, _CallableGenericAlias):
            return NotImplemented
        return self.__args__ == other.__args__

    def __hash__(self):
        return hash((self.__origin__, self.__args__))

    def __or__(self, other):
        from typing import Union
        return Union[self, other]

    def __ror__(self, other):
        from typing import Union
        return Union[other, self]

    def __mro_entries__(self, bases):
        return (self.__origin__,)


def _shown(obj):
    if isinstance(obj, (_Alias, _CallableGenericAlias)):
        return repr(obj)
    if isinstance(obj, type):
        return obj.__qualname__ if obj.__module__ == "builtins" else f"{obj.__module__}.{obj.__qualname__}"
    if obj is Ellipsis:
        return "..."
    return repr(obj)


class Callable(metaclass=ABCMeta):
    __slots__ = ()

    @abstractmethod
    def __call__(self, *args, **kwds):
        return False

    _protocol_methods, __subclasshook__ = _protocol("__call__")
    __class_getitem__ = classmethod(_callable_alias)
