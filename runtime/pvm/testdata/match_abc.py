# Which classes match statements take for sequences and mappings, and what they look at.
import collections
import collections.abc
from collections.abc import Mapping, Sequence


def kind(x):
    match x:
        case [*_]:
            s = "sequence"
        case {}:
            s = "mapping"
        case _:
            s = "neither"
    match x:
        case {}:
            m = "mapping"
        case [*_]:
            m = "sequence"
        case _:
            m = "neither"
    return s, m


class S(Sequence):
    def __getitem__(self, i):
        print("item", i)
        if i >= 4:
            raise IndexError
        return i * i

    def __len__(self):
        return 4


class M(Mapping):
    def __getitem__(self, k):
        return {"a": 1}[k]

    def __len__(self):
        return 1

    def __iter__(self):
        return iter("a")


class Both(S, M):
    pass


class Late:
    pass


class Child(Late):
    pass


for x in (S(), M(), Both(), collections.UserDict(a=1), collections.UserList([1]), collections.deque([1]), "text", b"b",
          bytearray(b"b"), range(3), memoryview(b"ab"), {1: 2}.items(), collections.ChainMap({}), Late(), {1}, iter([1])):
    print(type(x).__name__, *kind(x))
Sequence.register(Late)
print(kind(Late()), kind(Child()))
Mapping.register(Child)
print(kind(Late()), kind(Child()))


def parts(x):
    match x:
        case [a, _, *_, b]:
            return "ends", a, b
        case [a, *rest]:
            return "rest", a, rest
        case []:
            return "empty"
    return "none"


print(parts(S()))
print(parts([1, 2]), parts((1, 2, 3)), parts([]), parts("xy"), parts(range(5)))
match range(1 << 40):
    case [x, y, *_]:
        print(x, y)


class NoLen(Sequence):
    def __len__(self):
        raise TypeError("not asked")

    def __getitem__(self, i):
        raise TypeError("not asked")


match NoLen():
    case [*_]:
        print("not asked")
match collections.UserDict({0: 1, 2: 3}):
    case {2: 3, **rest}:
        print(rest)


class Flagged(metaclass=type(Sequence)):
    __abc_tpflags__ = 1 << 5

    def __len__(self):
        return 1

    def __getitem__(self, i):
        return "item"


match Flagged():
    case [x, *_]:
        print(x, hasattr(Flagged, "__abc_tpflags__"))
