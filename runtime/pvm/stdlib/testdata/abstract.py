from abc import ABC, ABCMeta, abstractmethod
import abc
from collections.abc import *
from collections import deque, OrderedDict, defaultdict, Counter, ChainMap


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


class Shape(ABC):
    @abstractmethod
    def area(self):
        ...

    @property
    @abstractmethod
    def name(self):
        ...

    @classmethod
    @abstractmethod
    def make(cls):
        ...


show("abstract", lambda: Shape())
print(sorted(Shape.__abstractmethods__))


class Half(Shape):
    def area(self):
        return 1


show("half", lambda: Half())


class Full(Half):
    name = "full"

    @classmethod
    def make(cls):
        return cls()


print(Full.make().area(), Full().name, isinstance(Full(), Shape), issubclass(Full, Shape))


class Virtual:
    pass


print(isinstance(Virtual(), Shape), Shape.register(Virtual) is Virtual, isinstance(Virtual(), Shape), issubclass(Virtual, Shape))


@Shape.register
class Decorated:
    pass


print(issubclass(Decorated, Shape), issubclass(int, Shape))
show("register", lambda: Shape.register(5))
show("issubclass", lambda: issubclass(5, Shape))


class Hooked(metaclass=ABCMeta):
    @classmethod
    def __subclasshook__(cls, C):
        if cls is Hooked:
            return any("quack" in B.__dict__ for B in C.__mro__)
        return NotImplemented


class Duck:
    def quack(self):
        pass


print(isinstance(Duck(), Hooked), isinstance(5, Hooked))


class M(metaclass=ABCMeta):
    @abstractmethod
    def a(self): ...

    @abstractmethod
    def b(self): ...


show("two", lambda: M())
print(type(ABC()).__name__)

checks = [
    ("Hashable", Hashable, [1, "a", (), [], frozenset()]),
    ("Iterable", Iterable, [[], "", {}, 5, iter([]), (x for x in ()), range(3)]),
    ("Iterator", Iterator, [[], iter([]), (x for x in ()), zip(), map(str, [])]),
    ("Reversible", Reversible, [[], {}, set(), "", range(2), deque()]),
    ("Generator", Generator, [(x for x in ()), iter([])]),
    ("Sized", Sized, [[], 5, {}, "", range(2)]),
    ("Container", Container, [[], 5, {}, ""]),
    ("Collection", Collection, [[], 5, {}, "", iter([])]),
    ("Callable", Callable, [len, 5, lambda: 0, int, show]),
    ("Set", Set, [set(), frozenset(), {}.keys(), {}.items(), {}.values(), []]),
    ("MutableSet", MutableSet, [set(), frozenset()]),
    ("Mapping", Mapping, [{}, [], OrderedDict(), defaultdict(int), Counter(), ChainMap()]),
    ("MutableMapping", MutableMapping, [{}, type.__dict__, ChainMap()]),
    ("Sequence", Sequence, [[], (), "", b"", range(2), deque(), {}, set(), memoryview(b"")]),
    ("MutableSequence", MutableSequence, [[], (), deque(), bytearray()]),
    ("ByteString", ByteString, [b"", bytearray(), ""]),
    ("KeysView", KeysView, [{}.keys(), {}.items()]),
    ("ItemsView", ItemsView, [{}.keys(), {}.items()]),
    ("ValuesView", ValuesView, [{}.values(), {}.items()]),
    ("MappingView", MappingView, [{}.values()]),
    ("Awaitable", Awaitable, [5]),
    ("AsyncIterable", AsyncIterable, [5, []]),
]
for name, cls, values in checks:
    print(name, [isinstance(v, cls) for v in values])
print(issubclass(list, Sequence), issubclass(dict, Mapping), issubclass(Sequence, Iterable), issubclass(int, Hashable), issubclass(list, Hashable))


class Stack(Sequence):
    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


s = Stack(1, 2, 3, 2)
print(list(s), 2 in s, s.index(3), s.count(2), list(reversed(s)), s.index(2, 2))
show("index", lambda: s.index(9))


class LowerDict(MutableMapping):
    def __init__(self):
        self.d = {}

    def __getitem__(self, k):
        return self.d[k.lower()]

    def __setitem__(self, k, v):
        self.d[k.lower()] = v

    def __delitem__(self, k):
        del self.d[k.lower()]

    def __iter__(self):
        return iter(self.d)

    def __len__(self):
        return len(self.d)


m = LowerDict()
m["A"] = 1
m.update(B=2, c=3)
m.update([("D", 4)])
print(dict(m), m.get("a"), m.pop("B"), m.pop("zz", None), "A" in m, m.setdefault("E", 5), m == {"a": 1, "c": 3, "d": 4, "e": 5})
print(len(repr(m.keys())) > 20, list(m.items()), list(m.values()), m.popitem(), len(m.keys()), "a" in m.keys(), ("a", 1) in m.items(), 3 in m.values())
show("pop", lambda: m.pop("zz"))
m.clear()
print(len(m))


class ListSet(MutableSet):
    def __init__(self, it=()):
        self.e = []
        for x in it:
            self.add(x)

    def add(self, x):
        if x not in self.e:
            self.e.append(x)

    def discard(self, x):
        if x in self.e:
            self.e.remove(x)

    def __contains__(self, x):
        return x in self.e

    def __iter__(self):
        return iter(self.e)

    def __len__(self):
        return len(self.e)

    def __repr__(self):
        return f"ListSet({self.e})"


a, b = ListSet("abc"), ListSet("bcd")
print(a & b, a | b, a - b, a ^ b, a <= b, a == ListSet("cba"), a.isdisjoint("xyz"), {"a"} - a, a < ListSet("abcd"), a > ListSet("a"))
a |= "xyz"
a -= "x"
a &= ListSet("abyz")
a ^= "zq"
print(a, a.pop(), a)
show("remove", lambda: a.remove("nope"))


class Buf(MutableSequence):
    def __init__(self):
        self.l = []

    def __getitem__(self, i):
        return self.l[i]

    def __setitem__(self, i, v):
        self.l[i] = v

    def __delitem__(self, i):
        del self.l[i]

    def __len__(self):
        return len(self.l)

    def insert(self, i, v):
        self.l.insert(i, v)


b = Buf()
b.extend([1, 2, 3])
b += [4]
b.append(5)
b.reverse()
b.remove(3)
print(b.l, b.pop(), b.pop(0), b.l)
b.clear()
print(b.l)


class It(Iterator):
    def __init__(self):
        self.n = 0

    def __next__(self):
        self.n += 1
        if self.n > 3:
            raise StopIteration
        return self.n


print(list(It()))
show("incomplete", lambda: type("X", (Mapping,), {})())
print(Sequence[int], Mapping[str, int], Callable[[int], str], Callable[..., int], Iterable[int].__origin__, Generator[int, None, str].__args__)
print(abc.get_cache_token() >= 0)


class Old(metaclass=ABCMeta):
    @abc.abstractproperty
    def p(self): ...

    @abc.abstractclassmethod
    def c(cls): ...


show("old", lambda: Old())
