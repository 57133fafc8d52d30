"""Abstract base classes of containers and protocols."""

from abc import ABCMeta, abstractmethod

__all__ = [
    "Awaitable", "Coroutine", "AsyncIterable", "AsyncIterator", "AsyncGenerator", "Hashable", "Iterable", "Iterator",
    "Generator", "Reversible", "Sized", "Container", "Callable", "Collection", "Set", "MutableSet", "Mapping",
    "MutableMapping", "MappingView", "KeysView", "ItemsView", "ValuesView", "Sequence", "MutableSequence", "ByteString",
]

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


class Awaitable(metaclass=ABCMeta):
    __slots__ = ()

    @abstractmethod
    def __await__(self):
        yield

    _protocol_methods, __subclasshook__ = _protocol("__await__")
    __class_getitem__ = classmethod(_Alias)


class Coroutine(Awaitable):
    __slots__ = ()

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
        raise RuntimeError("coroutine ignored GeneratorExit")

    _protocol_methods, __subclasshook__ = _protocol("__await__", "send", "throw", "close")


class AsyncIterable(metaclass=ABCMeta):
    __slots__ = ()

    @abstractmethod
    def __aiter__(self):
        return AsyncIterator()

    _protocol_methods, __subclasshook__ = _protocol("__aiter__")
    __class_getitem__ = classmethod(_Alias)


class AsyncIterator(AsyncIterable):
    __slots__ = ()

    @abstractmethod
    async def __anext__(self):
        raise StopAsyncIteration

    def __aiter__(self):
        return self

    _protocol_methods, __subclasshook__ = _protocol("__anext__", "__aiter__")


class AsyncGenerator(AsyncIterator):
    __slots__ = ()

    async def __anext__(self):
        return await self.asend(None)

    @abstractmethod
    async def asend(self, value):
        raise StopAsyncIteration

    @abstractmethod
    async def athrow(self, typ, val=None, tb=None):
        if val is None:
            if tb is None:
                raise typ
            val = typ()
        raise val

    async def aclose(self):
        try:
            await self.athrow(GeneratorExit)
        except (GeneratorExit, StopAsyncIteration):
            return
        raise RuntimeError("asynchronous generator ignored GeneratorExit")

    _protocol_methods, __subclasshook__ = _protocol("__aiter__", "__anext__", "asend", "athrow", "aclose")


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


class Set(Collection):
    """Everything a set does, on top of membership, iteration and length."""

    __slots__ = ()

    @classmethod
    def _from_iterable(cls, it):
        return cls(it)

    def __le__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) <= len(other) and all(elem in other for elem in self)

    def __lt__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) < len(other) and self.__le__(other)

    def __gt__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) > len(other) and self.__ge__(other)

    def __ge__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) >= len(other) and all(elem in self for elem in other)

    def __eq__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) == len(other) and self.__le__(other)

    def __and__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(value for value in other if value in self)

    __rand__ = __and__

    def isdisjoint(self, other):
        return not any(value in self for value in other)

    def __or__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(elem for part in (self, other) for elem in part)

    __ror__ = __or__

    def __sub__(self, other):
        if not isinstance(other, Set):
            if not isinstance(other, Iterable):
                return NotImplemented
            other = self._from_iterable(other)
        return self._from_iterable(value for value in self if value not in other)

    def __rsub__(self, other):
        if not isinstance(other, Set):
            if not isinstance(other, Iterable):
                return NotImplemented
            other = self._from_iterable(other)
        return self._from_iterable(value for value in other if value not in self)

    def __xor__(self, other):
        if not isinstance(other, Set):
            if not isinstance(other, Iterable):
                return NotImplemented
            other = self._from_iterable(other)
        return (self - other) | (other - self)

    __rxor__ = __xor__

    def _hash(self):
        """A hash of the elements without regard to their order, as frozenset's."""
        mask = 0xFFFFFFFFFFFFFFFF
        h = (1927868237 * (len(self) + 1)) & mask
        for x in self:
            hx = hash(x)
            h ^= ((hx ^ (hx << 16) ^ 89869747) * 3644798167) & mask
            h &= mask
        h ^= (h >> 11) ^ (h >> 25)
        h = (h * 69069 + 907133923) & mask
        if h > 0x7FFFFFFFFFFFFFFF:
            h -= mask + 1
        return 590923713 if h == -1 else h


Set.register(frozenset)


class MutableSet(Set):
    __slots__ = ()

    @abstractmethod
    def add(self, value):
        raise NotImplementedError

    @abstractmethod
    def discard(self, value):
        raise NotImplementedError

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        for value in self:
            self.discard(value)
            return value
        raise KeyError from None

    def clear(self):
        try:
            while True:
                self.pop()
        except KeyError:
            pass

    def __ior__(self, it):
        for value in it:
            self.add(value)
        return self

    def __iand__(self, it):
        for value in self - it:
            self.discard(value)
        return self

    def __ixor__(self, it):
        if it is self:
            self.clear()
            return self
        if not isinstance(it, Set):
            it = self._from_iterable(it)
        for value in it:
            if value in self:
                self.discard(value)
            else:
                self.add(value)
        return self

    def __isub__(self, it):
        if it is self:
            self.clear()
            return self
        for value in it:
            self.discard(value)
        return self


MutableSet.register(set)


class Mapping(Collection):
    """Everything a read-only dict does, on top of lookup, iteration and length."""

    __slots__ = ()
    __reversed__ = None

    @abstractmethod
    def __getitem__(self, key):
        raise KeyError

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return KeysView(self)

    def items(self):
        return ItemsView(self)

    def values(self):
        return ValuesView(self)

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())


Mapping.register(type(type.__dict__))


class MappingView(Sized):
    __slots__ = ("_mapping",)

    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f"{self.__class__.__name__}({self._mapping!r})"

    __class_getitem__ = classmethod(_Alias)


class KeysView(MappingView, Set):
    __slots__ = ()

    @classmethod
    def _from_iterable(cls, it):
        return set(it)

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        yield from self._mapping


KeysView.register(type({}.keys()))


class ItemsView(MappingView, Set):
    __slots__ = ()

    @classmethod
    def _from_iterable(cls, it):
        return set(it)

    def __contains__(self, item):
        key, value = item
        try:
            found = self._mapping[key]
        except KeyError:
            return False
        return value in (found,)

    def __iter__(self):
        for key in self._mapping:
            yield key, self._mapping[key]


ItemsView.register(type({}.items()))


class ValuesView(MappingView, Collection):
    __slots__ = ()

    def __contains__(self, value):
        for key in self._mapping:
            found = self._mapping[key]
            if value in (found,):
                return True
        return False

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


ValuesView.register(type({}.values()))


class MutableMapping(Mapping):
    __slots__ = ()

    @abstractmethod
    def __setitem__(self, key, value):
        raise KeyError

    @abstractmethod
    def __delitem__(self, key):
        raise KeyError

    __absent = object()

    def pop(self, key, default=__absent):
        try:
            value = self[key]
        except KeyError:
            if default is self.__absent:
                raise
            return default
        del self[key]
        return value

    def popitem(self):
        for key in self:
            value = self[key]
            del self[key]
            return key, value
        raise KeyError from None

    def clear(self):
        try:
            while True:
                self.popitem()
        except KeyError:
            pass

    def update(self, other=(), /, **kwds):
        if isinstance(other, Mapping):
            for key in other:
                self[key] = other[key]
        elif hasattr(other, "keys"):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


MutableMapping.register(dict)


class Sequence(Reversible, Collection):
    """Everything a tuple does, on top of indexing and length."""

    __slots__ = ()

    @abstractmethod
    def __getitem__(self, index):
        raise IndexError

    def __iter__(self):
        i = 0
        try:
            while True:
                yield self[i]
                i += 1
        except IndexError:
            return

    def __contains__(self, value):
        for v in self:
            if value in (v,):
                return True
        return False

    def __reversed__(self):
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value, start=0, stop=None):
        if start is not None and start < 0:
            start = max(len(self) + start, 0)
        if stop is not None and stop < 0:
            stop += len(self)
        i = start
        while stop is None or i < stop:
            try:
                v = self[i]
            except IndexError:
                break
            if value in (v,):
                return i
            i += 1
        raise ValueError

    def count(self, value):
        return sum(1 for v in self if value in (v,))


for _t in (tuple, str, range, memoryview):
    Sequence.register(_t)


class ByteString(Sequence):
    __slots__ = ()


ByteString.register(bytes)
ByteString.register(bytearray)


class MutableSequence(Sequence):
    __slots__ = ()

    @abstractmethod
    def __setitem__(self, index, value):
        raise IndexError

    @abstractmethod
    def __delitem__(self, index):
        raise IndexError

    @abstractmethod
    def insert(self, index, value):
        raise IndexError

    def append(self, value):
        self.insert(len(self), value)

    def clear(self):
        try:
            while True:
                self.pop()
        except IndexError:
            pass

    def reverse(self):
        n = len(self)
        for i in range(n // 2):
            self[i], self[n - i - 1] = self[n - i - 1], self[i]

    def extend(self, values):
        if values is self:
            values = list(values)
        for v in values:
            self.append(v)

    def pop(self, index=-1):
        v = self[index]
        del self[index]
        return v

    def remove(self, value):
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


MutableSequence.register(list)
MutableSequence.register(bytearray)


from collections import deque as _deque

MutableSequence.register(_deque)
