# Corners of functools, enum, dataclasses, decimal, re and hashlib.
import enum
import functools
import hashlib
import re
from collections.abc import *
from dataclasses import dataclass, field, is_dataclass, make_dataclass
from decimal import Decimal, getcontext
from enum import Enum, Flag, IntEnum, auto
from typing import Generic, List, TypeVar

T = TypeVar("T")


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


# functools
p = functools.partial(max, 1, key=len)
p.keywords[5] = "five"
show("partial repr", lambda: repr(p).partition(", ")[2])
show("partial call", lambda: p(2))
show("partial dict", lambda: p.__delattr__("__dict__"))
p = functools.partial(print)
p.keywords["self"] = p
show("partial recursive", lambda: repr(p).partition(", ")[2])
del p.keywords["self"]


class Slotted:
    __slots__ = ("x",)

    @functools.cached_property
    def cost(self):
        raise RuntimeError("never called")


class Meta(type):
    @functools.cached_property
    def cost(cls):
        raise RuntimeError("never called")


show("cached slots", lambda: Slotted().cost)
show("cached class", lambda: Meta("M", (), {}).cost)
try:
    class Twice:
        @functools.cached_property
        def a(self):
            pass

        b = a
except RuntimeError as e:
    print(e, "|", e.__cause__, "|", e.__context__ is e.__cause__)
show("unhashable key", lambda: hash(functools.cmp_to_key(lambda a, b: 0)(1)))
print([isinstance(x, Hashable) for x in ([], {}, set(), bytearray(), {}.keys(), slice(1), functools.cmp_to_key(len))])


class O(Sized):
    def __len__(self):
        return 0


@functools.singledispatch
def g(arg):
    return "base"


for c in (Iterable, Container, Sized, Set):
    g.register(c, lambda arg, c=c: c.__name__)
show("dispatch", lambda: g(O()))
print(g(3))
show("ambiguous", lambda: g([1]))
Iterable.register(O)
print(g(O()))
Set.register(O)
print(g(O()))


class Neither:
    pass


Iterable.register(Neither)
print(g(Neither()))
Container.register(Neither)
show("ambiguous", lambda: g(Neither()))
print(functools.lru_cache(maxsize=-5)(len).cache_info())


# enum
class Base(Enum):
    @enum.property
    def first(self):
        return "%s is first" % self.name


class Main(Base):
    first = auto()
    second = auto()
    third = auto(), auto()


print(list(Main), Main.first.first, dir(Main.second), [n for n in dir(Main) if n[0] != "_"])


class Hint(Flag):
    Hidden = 16
    Digits = 1
    Letters = 2
    Only = 15


print(Hint.Hidden | Hint.Only, repr(Hint.Digits | Hint.Letters), repr(Hint(3)))
show("bad flag", lambda: Hint(64))
show("no members", lambda: Enum("Empty", [])(1))


class Int(IntEnum):
    one = 1


print("bit_length" in dir(Int.one), "bit_length" in dir(Int), "one" in dir(Int))


@dataclass
class Foo:
    a: int


class Entries(Foo, Enum):
    ENTRY = 1


print(Entries.ENTRY, repr(Entries.ENTRY), Entries._member_type_)


# dataclasses
rec = field()
rec.type = rec
rec.name = "id"
print(",type=...," in repr(rec))
rec.type = None


@dataclass
class Parent(Generic[T]):
    x: T


Child = make_dataclass("Child", [("y", T), ("z", List[T], None)], bases=(Parent[int], Generic[T]), namespace={"other": 42})
print(Child[int](1, 2), Child[int](1, 2, 3).other, [c.__name__ for c in Child.__mro__], Child.__orig_bases__)


class Called(type):
    __call__ = dict


@dataclass
class Unsigned(metaclass=Called):
    pass


print(Unsigned.__doc__)


class Root:
    __slots__ = iter(["a"])


show("slots", lambda: dataclass(slots=True)(type("C", (Root,), {"__annotations__": {"x": int}})))

# decimal
show("pow3", lambda: (pow(Decimal(7), 3, 5), pow(2, Decimal(10), 1000), Decimal(7).__pow__(3, 5), pow(Decimal(-7), Decimal(3), Decimal(5))))
show("pow3 zero", lambda: pow(Decimal(7), 3, 0))
show("pow3 mixed", lambda: pow(Decimal(7), 3, "x"))
show("floordiv", lambda: Decimal("1e40") // 3)
show("complex", lambda: (Decimal("0.25") == 0.25 + 0j, 1j == Decimal(1), Decimal(1) != 1 + 1j))
show("context", lambda: Decimal("1.5").sqrt("x"))
show("context", lambda: Decimal(1, "x"))
show("context", lambda: Decimal("1.5").sqrt(context=getcontext()))
show("format", lambda: Decimal("1.5").__format__(".3f", 3))


class I(int):
    def __pow__(self, other, mod=None):
        return ("I", super().__pow__(other, mod))


show("int pow", lambda: (pow(I(7), 3, 5), I(7) ** 2, pow(7, I(3), 5)))

# re
print(repr(~re.I), repr(~(re.I | re.S | re.X | 1 << 20)), re.compile("x", 0x123000), re.compile("x", 0x123000 | re.I).flags)
show("behind", lambda: re.compile("(?<=((.{4194304}){4194304}){4194304})"))
show("behind", lambda: re.compile("(?<=a+)b"))
show("index", lambda: re.compile("(?P<a>x)(y)(?P<c>z)").groupindex)
scanner = re.Scanner([(r"[a-z]+", lambda s, t: t.upper()), (r"\d+", lambda s, t: int(t)), (r"\s+", None), (r"[=+]", "op")])
print(scanner.scan("sum = 3 + 4 ?"))

# hashlib
show("new", lambda: hashlib.new("blake2b", b"foo", digest_size=8, key=b"k").hexdigest())
show("new", lambda: hashlib.new("sha256", data=b"foo", usedforsecurity=False).hexdigest())
show("new", lambda: hashlib.new("nothing"))
