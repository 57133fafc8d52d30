import enum
from enum import *


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1


print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value, Color(2), Color["BLUE"], list(Color), len(Color))
print(Color.CRIMSON is Color.RED, Color.CRIMSON, list(Color.__members__), Color, type(Color.RED), isinstance(Color.RED, Color))
print(Color.RED == Color.RED, Color.RED == 1, Color.RED != Color.BLUE, Color.RED in Color, {Color.RED: 1}[Color.RED], hash(Color.RED) == hash("RED"))
print(list(reversed(Color)), f"{Color.RED}", f"{Color.RED:>12}", "%s %r" % (Color.RED, Color.RED), bool(Color.RED))
show("bad value", lambda: Color(9))
show("bad name", lambda: Color["NOPE"])
show("in", lambda: 1 in Color)
show("setattr", lambda: setattr(Color, "RED", 5))
show("delattr", lambda: delattr(Color, "RED"))
show("attr", lambda: Color.NOPE)
show("lt", lambda: Color.RED < Color.BLUE)
show("name set", lambda: setattr(Color.RED, "name", "x"))
show("extend", lambda: type("X", (Color,), {}))
show("call member", lambda: Color(Color.RED))


class Planet(Enum):
    MERCURY = (3.303e+23, 2.4397e6)
    EARTH = (5.976e+24, 6.37814e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def density(self):
        return self.mass / self.radius

    @classmethod
    def first(cls):
        return next(iter(cls))

    @staticmethod
    def helper():
        return "helped"


print(Planet.EARTH.mass, Planet.EARTH.value, Planet.first(), Planet.helper(), Planet((3.303e+23, 2.4397e6)), Planet.EARTH.density > 0)


class Number(IntEnum):
    ONE = 1
    TWO = 2


print(Number.ONE + Number.TWO, Number.ONE < 2, Number.ONE == 1, str(Number.ONE), repr(Number.ONE), f"{Number.TWO}", "%d" % Number.ONE, int(Number.TWO), [10, 20, 30][Number.ONE], Number(1), isinstance(Number.ONE, int), format(Number.TWO, "03d"), Number.TWO * 2, sorted([Number.TWO, Number.ONE]))


class Text(StrEnum):
    A = "a"
    B = auto()
    Long_Name = auto()


print(Text.A, repr(Text.A), Text.B == "b", Text.Long_Name.value, Text.A.upper(), f"{Text.A:>3}", "x" + Text.B, Text("a"), isinstance(Text.A, str), len(Text.Long_Name))
show("strenum", lambda: StrEnum("X", {"A": 5}))


class Auto(Enum):
    A = auto()
    B = auto()
    C = 10
    D = auto()


print([m.value for m in Auto])


class Custom(Enum):
    def _generate_next_value_(name, start, count, last_values):
        return name.lower() + str(count)

    X = auto()
    Y = auto()


print([m.value for m in Custom])


class Perm(Flag):
    R = 4
    W = 2
    X = 1
    RW = 6
    NONE = 0


print(Perm.R | Perm.W, repr(Perm.R | Perm.X), Perm.RW, list(Perm), Perm(7), Perm.R & Perm.W, repr(Perm.R ^ Perm.RW), ~Perm.R, bool(Perm.NONE), Perm.R in Perm.RW, list(Perm.RW), len(Perm.RW), Perm(0), Perm.R | Perm.W == Perm.RW)
print(repr(Perm(0)), str(Perm(5)), repr(~Perm.NONE), Perm.NONE in Perm.R, (Perm.R | Perm.X).name, (Perm.R | Perm.X).value, Perm(6) is Perm.RW)
show("perm 8", lambda: Perm(8))
show("perm -1", lambda: Perm(-1))
show("perm a", lambda: Perm("a"))
show("perm or int", lambda: Perm.R | 1)
show("perm in", lambda: 4 in Perm.R)


class Auto2(Flag):
    A = auto()
    B = auto()
    C = auto()
    AB = A | B


print([m.value for m in Auto2], Auto2.AB, Auto2(7), ~Auto2.A, Auto2.A | Auto2.C)


class IF(IntFlag):
    A = 1
    B = 2


print(IF.A | IF.B, repr(IF.A | IF.B), IF.A | 8, repr(IF.A | 8), repr(IF(12)), IF.A + 1, str(IF.A), repr(~IF.A), IF(3) == 3, isinstance(IF.A, int), repr(IF(0)), IF.A & 1, repr(IF.A ^ 3), 4 | IF.A, repr(4 | IF.B), list(IF(11)), f"{IF.A}")


class Conform(Flag, boundary=CONFORM):
    A = 1
    B = 4


class Eject(Flag, boundary=EJECT):
    A = 1


class Keep(Flag, boundary=KEEP):
    A = 1
    B = 4


print(Conform(15), Eject(6), repr(Keep(15)), Keep(2), repr(~Conform.A), FlagBoundary.STRICT, list(FlagBoundary))


@unique
class U(Enum):
    A = 1
    B = 2


show("unique", lambda: unique(Color))
show("verify unique", lambda: verify(UNIQUE)(Color))
show("verify cont", lambda: verify(CONTINUOUS)(Enum("N", {"A": 1, "B": 4})))
show("verify ok", lambda: verify(CONTINUOUS, UNIQUE)(U))
show("verify flags", lambda: verify(NAMED_FLAGS)(Flag("F", {"A": 1, "B": 14})))


class M(Enum):
    A = 1

    @classmethod
    def _missing_(cls, value):
        if value == "a":
            return cls.A
        if value == "bad":
            return 5
        if value == "boom":
            raise KeyError("boom")
        return None


print(M("a"))
show("missing none", lambda: M("z"))
show("missing bad", lambda: M("bad"))
show("missing boom", lambda: M("boom"))

Animal = Enum("Animal", "ANT BEE CAT")
print(list(Animal), Animal.BEE, Animal.__module__, Animal.__qualname__)
print(list(Enum("A2", ["X", "Y"])), list(Enum("A3", [("X", 5), ("Y", 7)])), list(Enum("A4", {"X": "x"})), list(IntEnum("A5", "A B", start=10)), list(Enum("A6", "P,Q", type=str)), list(Flag("A7", "A B C")))


class Mixed(str, Enum):
    A = "aa"
    B = "bb"


print(Mixed.A, repr(Mixed.A), Mixed.A == "aa", Mixed.A.upper(), f"{Mixed.A}", str(Mixed.B), Mixed("bb"))


class Fl(float, Enum):
    HALF = 0.5


print(Fl.HALF + 1, Fl.HALF, repr(Fl.HALF))


class WithNew(Enum):
    def __new__(cls, code, label):
        obj = object.__new__(cls)
        obj._value_ = code
        obj.label = label
        return obj

    A = (1, "first")
    B = (2, "second")


print(WithNew.A.label, WithNew(2).label, WithNew.B, WithNew.B.value, list(WithNew))


class BytesEnum(bytes, Enum):
    def __new__(cls, value, label):
        obj = bytes.__new__(cls, [value])
        obj._value_ = value
        obj.label = label
        return obj

    COLUMN = (0, "Column")
    ROW = (1, "Row")


print(BytesEnum.ROW.label, BytesEnum.ROW == b"\x01", BytesEnum(1))


class Base(Enum):
    def describe(self):
        return self.name.lower(), self.value

    def __str__(self):
        return "my " + self.name


class Derived(Base):
    ONE = 1


print(Derived.ONE.describe(), Derived.ONE, f"{Derived.ONE}", repr(Derived.ONE))


class Ordered(Enum):
    _order_ = "A B"
    A = 1
    B = 2


def bad_order():
    class O(Enum):
        _order_ = "B A"
        A = 1
        B = 2


show("order", bad_order)


def dup():
    class D(Enum):
        A = 1
        A = 2


show("dup", dup)


def sunder():
    class S(Enum):
        _foo_ = 1


show("sunder", sunder)


class Ignored(Enum):
    _ignore_ = "i tmp"
    tmp = 5
    A = 1
    i = 7


print(list(Ignored), hasattr(Ignored, "tmp"))


class Fn(Enum):
    @member
    def f(x):
        return x

    g = nonmember(5)

    def method(self):
        return "m"


print(list(Fn.__members__), Fn.g, Fn.f.method())


class Unhashable(Enum):
    A = [1, 2]
    B = {"x": 1}


print(Unhashable.A, Unhashable([1, 2]), Unhashable({"x": 1}))
show("unhashable", lambda: Unhashable([3]))


class NameValue(Enum):
    name = "n"
    value = "v"


print(list(NameValue.__members__), NameValue.name, NameValue.value.value)


class InitSub(Enum):
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        cls.count = len(cls.__members__)


class Three(InitSub):
    A = 1
    B = 2
    C = 3


print(Three.count)
match Color.GREEN:
    case Color.RED:
        print("red")
    case Color.GREEN:
        print("green matched")
print(sorted(Color, key=lambda c: -c.value), max(Number), {c.name: c.value for c in Color}, [c for c in Perm])
print(dir(Color)[:3], Color.RED.__class__ is Color, Color.__name__, Color.RED.__objclass__ is Color, enum.show_flag_values(Perm.RW))
