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


def _stands_for_all(arg):
    """Whether arg can stand for all parameters of a function."""
    return arg is Ellipsis or isinstance(arg, list) or type(arg).__name__ in ("ParamSpec", "_ConcatenateGenericAlias")


class _CallableGenericAlias(_Alias):
    """The alias of Callable: its arguments are the parameters and the result in one tuple."""

    __slots__ = ()

    def __new__(cls, origin, args):
        if not isinstance(args, tuple) or len(args) != 2:
            raise TypeError("Callable must be used as Callable[[arg, ...], result].")
        params, result = args
        if isinstance(params, (tuple, list)):
            args = (*params, result)
        elif not _stands_for_all(params):
            raise TypeError(f"Expected a list of types, an ellipsis, ParamSpec, or Concatenate. Got {params}")
        return super().__new__(cls, origin, args)

    def __repr__(self):
        *params, result = self.__args__
        if len(params) == 1 and _stands_for_all(params[0]):
            return super().__repr__()
        return f"collections.abc.Callable[[{', '.join(map(_shown, params))}], {_shown(result)}]"

    def __getitem__(self, item):
        if not isinstance(item, tuple):
            item = (item,)
        args = super().__getitem__(item).__args__
        if not isinstance(args[0], (tuple, list)):
            args = (args[:-1], args[-1])
        return _CallableGenericAlias(self.__origin__, tuple(args))


def _shown(obj):
    if isinstance(obj, _Alias):
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
    __class_getitem__ = classmethod(_CallableGenericAlias)
