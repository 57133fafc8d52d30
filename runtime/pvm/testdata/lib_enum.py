# enum.
from enum import Enum, IntEnum, Flag, IntFlag, auto, unique, StrEnum
class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1
    def describe(self): return f"{self.name.lower()}={self.value}"
    @classmethod
    def default(cls): return cls.GREEN
print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value, Color(2), Color["BLUE"], Color.CRIMSON is Color.RED, list(Color), len(Color), Color.RED in Color, Color.default(), Color.BLUE.describe(), Color.__members__.keys(), [*Color.__members__])
print(Color.RED == Color.RED, Color.RED == 1, Color.RED != Color.GREEN, isinstance(Color.RED, Color), type(Color.RED), {Color.RED: "r"}[Color(1)], hash(Color.RED) == hash(Color.CRIMSON), bool(Color.RED), f"{Color.RED} {Color.RED!r}", str(Color.GREEN))
for f in (lambda: Color(9), lambda: Color["NOPE"], lambda: Color.NOPE, lambda: setattr(Color, "RED", 5), lambda: Color.RED < Color.BLUE, lambda: setattr(Color.RED, "value", 2), lambda: type("Sub", (Color,), {}), lambda: Color()):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class N(IntEnum):
    ONE = 1
    TWO = auto()
    TEN = 10
    ELEVEN = auto()
print(N.TWO, repr(N.TEN), N.ONE + 1, N.ELEVEN.value, N.ONE < N.TWO, N.ONE == 1, [10, 20][N.ONE], sorted([N.TEN, N.ONE]), f"{N.TEN}", f"{N.TEN:03d}", int(N.TWO), N(10), max(N))
class S(StrEnum):
    A = "a"
    B_C = auto()
print(S.A, repr(S.A), S.B_C.value, S.A == "a", S.A.upper(), "x" + S.A, f"{S.A:>3}", S("a"))
class Perm(Flag):
    R = auto(); W = auto(); X = auto()
    RW = R | W
p = Perm.R | Perm.X
print(p, repr(p), p.value, Perm.R in p, Perm.W in p, p & Perm.R, ~p, p ^ Perm.R, Perm(0), Perm(3), Perm.RW, bool(Perm.R & Perm.W), list(Perm), list(p), Perm.RW.name, len(Perm.RW))
class IF(IntFlag):
    A = 1; B = 2; C = 4
print(IF.A | IF.B, repr(IF.A | 8), IF(6), IF.A + 1, IF.C & 5, ~IF.A & IF(7), IF.A == 1)
class Auto(Enum):
    def _generate_next_value_(name, start, count, last): return f"{name}-{count}"
    X = auto(); Y = auto()
print(Auto.X.value, Auto.Y.value)
class Planet(Enum):
    EARTH = (5.97, 6378)
    MARS = (0.642, 3396)
    def __init__(self, mass, radius): self.mass, self.radius = mass, radius
    @property
    def ratio(self): return round(self.mass / self.radius * 1000, 3)
print(Planet.EARTH.ratio, Planet.MARS.mass, Planet((0.642, 3396)), Planet.EARTH)
try:
    @unique
    class Dup(Enum):
        A = 1; B = 1
except ValueError as e:
    print(e)
class Missing(Enum):
    A = "a"
    @classmethod
    def _missing_(cls, v): return cls.A if v == "alpha" else None
print(Missing("alpha"))
try:
    Missing("zzz")
except ValueError as e:
    print(e)
D = Enum("D", "NORTH SOUTH EAST")
E = Enum("E", {"P": 10, "Q": 20})
F = IntEnum("F", ["U", "V"], start=5)
print(list(D), E.Q.value, F.V, list(F))
class Op(Enum):
    ADD = "+"; MUL = "*"
    def __call__(self, a, b): return a + b if self is Op.ADD else a * b
    def __str__(self): return f"op {self.value}"
print(Op.ADD(2, 3), Op("*")(4, 5), Op.ADD, [str(o) for o in Op])
def m(c):
    match c:
        case Color.RED: return "r"
        case Color.GREEN | Color.BLUE: return "gb"
print(m(Color.RED), m(Color.BLUE), [c.name for c in reversed(Color)], Color.RED.__class__, Color.__doc__)
class Base(Enum):
    def hello(self): return "hi " + self.name
class Derived(Base):
    A = 1
print(Derived.A.hello(), issubclass(Derived, Base))
class Mixed(int, Enum):
    A = 1; B = 2
print(Mixed.A + 5, Mixed.A == 1, repr(Mixed.B), Mixed(2))
