import dataclasses
from dataclasses import *
from typing import ClassVar, List, Optional, Any
import typing
from abc import ABC, abstractmethod
from collections import defaultdict, namedtuple


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


@dataclass
class Point:
    x: int
    y: int = 0


p = Point(1)
print(p, Point(1, 2) == Point(1, 2), Point(1) != Point(2), p == (1, 0), Point.__doc__, Point.__match_args__, Point.__annotations__)
print(Point(x=5, y=6), Point(*[1, 2]), Point(**{"x": 3}), p.__dict__, Point.y, hasattr(Point, "x"), Point.__init__.__name__)
show("missing", lambda: Point())
show("many", lambda: Point(1, 2, 3))
show("unexpected", lambda: Point(1, z=2))
show("multiple", lambda: Point(1, x=2))
show("hash", lambda: hash(p))
show("lt", lambda: p < p)
p.x = 10
p.new = 5
print(p, p.new)


@dataclass(order=True, frozen=True)
class V:
    a: int
    b: str = "b"
    c: float = field(default=1.5, compare=False, repr=False)


v = V(1)
print(v, V(1) < V(2), V(1, "a") < V(1, "b"), V(1) <= V(1), V(3) > V(2), V(1) >= V(2), hash(V(1)) == hash(V(1, c=9)), {V(1): 5}[V(1)], sorted([V(3), V(1), V(2)]))
show("frozen set", lambda: setattr(v, "a", 5))
show("frozen del", lambda: delattr(v, "a"))
show("frozen new", lambda: setattr(v, "zz", 5))
show("compare other", lambda: V(1) < 5)
print(issubclass(FrozenInstanceError, AttributeError), hash(V(1)) == hash((1, "b")))


@dataclass
class L:
    items: List[int] = field(default_factory=list)
    names: dict = field(default_factory=dict, repr=False)
    total: int = field(init=False, default=7)
    made: list = field(init=False, default_factory=lambda: ["made"])

    def __post_init__(self):
        self.total2 = len(self.items)


print(L(), L([1, 2]).total2, L().items is L().items, L().made, L.__doc__, L().total, L().__dict__)


def mutable():
    @dataclass
    class M:
        x: list = []


show("mutable", mutable)


def mutable_dict():
    @dataclass
    class M:
        x: dict = {}


show("mutable dict", mutable_dict)


def order_bad():
    @dataclass
    class M:
        x: int = 1
        y: int


show("default order", order_bad)


@dataclass
class Base:
    a: int
    b: int = 2


@dataclass
class Derived(Base):
    c: int = 3
    a: str = "over"


print(Derived(), Derived("x", 5, 6), [f.name for f in fields(Derived)], Derived.__doc__, isinstance(Derived(), Base), Base(1) == Derived(1))


@dataclass
class WithClassVar:
    x: int
    k: ClassVar[int] = 5
    s: "ClassVar[int]" = 6
    t: "typing.ClassVar" = 7


print(WithClassVar(1), [f.name for f in fields(WithClassVar)], WithClassVar.k)


@dataclass
class Init:
    x: int
    scale: InitVar[int] = 3
    y: int = field(init=False)

    def __post_init__(self, scale):
        self.y = self.x * scale


print(Init(2), Init(2, 5), Init(2, scale=10).y, InitVar[int], [f.name for f in fields(Init)])


@dataclass
class Kw:
    a: int
    _: KW_ONLY
    b: int = 1
    c: int


print(Kw(1, c=2), Kw.__doc__, Kw.__match_args__)
show("kw positional", lambda: Kw(1, 2))
show("kw missing", lambda: Kw(1))
show("kw many", lambda: Kw(1, 2, 3, c=4))


@dataclass(kw_only=True)
class AllKw:
    a: int
    b: int = field(default=2, kw_only=False)


print(AllKw(5, a=1), AllKw(a=1))


@dataclass(slots=True)
class S:
    x: int
    y: int = 5


s = S(1)
print(s, S.__slots__, hasattr(s, "__dict__"), s == S(1, 5))
show("slots", lambda: setattr(s, "z", 1))


@dataclass(eq=False)
class NoEq:
    x: int


print(NoEq(1) == NoEq(1), hash(NoEq(1)) is not None, NoEq(1).x)


@dataclass(repr=False, init=False)
class Bare:
    x: int = 5


print(Bare().x, "Bare object" in repr(Bare()))


@dataclass(unsafe_hash=True)
class UH:
    x: int
    y: list = field(default_factory=list, hash=False)


print(hash(UH(1)) == hash((1,)))


@dataclass
class Custom:
    x: int

    def __repr__(self):
        return f"custom {self.x}"

    def __eq__(self, other):
        return True


print(Custom(1), Custom(1) == 5)


def bad_order():
    @dataclass(order=True)
    class B:
        x: int

        def __lt__(self, o):
            return True


show("order overwrite", bad_order)
show("order without eq", lambda: dataclass(order=True, eq=False)(type("Q", (), {})))


def frozen_from_not():
    @dataclass(frozen=True)
    class F(Base):
        pass


show("frozen from non-frozen", frozen_from_not)


def not_from_frozen():
    @dataclass
    class F(V):
        pass


show("non-frozen from frozen", not_from_frozen)


@dataclass
class Node:
    value: Any
    children: List["Node"] = field(default_factory=list)
    extra: Optional[dict] = None


n = Node(1, [Node(2), Node(3, extra={"k": [Node(4)]})])
print(asdict(n))
print(astuple(n))
print(asdict(Point(1, 2), dict_factory=list), astuple(Point(1, 2), tuple_factory=list))
NT = namedtuple("NT", "a b")
dd = defaultdict(list)
dd["k"].append(Point(1))
print(asdict(Node(NT(Point(1), 2))), asdict(Node((1, Point(2)))), asdict(Node({Point(1).x: Point(2)})))
show("asdict class", lambda: asdict(Point))
print(replace(Point(1, 2), y=9), replace(V(1), b="z"), replace(Init(2, 5), scale=3, x=4))
show("replace init false", lambda: replace(L(), total=5))
show("replace initvar", lambda: replace(Init2(2, 5)))


@dataclass
class Init2:
    x: int
    s: InitVar[int]


show("replace initvar", lambda: replace(Init2(2, 5)))
show("replace not", lambda: replace(5))
show("fields not", lambda: fields(5))
print(is_dataclass(Point), is_dataclass(Point(1)), is_dataclass(5), is_dataclass(int))
C = make_dataclass("C", ["a", ("b", int), ("c", int, field(default=5))], namespace={"double": lambda self: self.c * 2}, bases=(Base,)) if False else make_dataclass("C", ["a", ("b", int), ("c", int, field(default=5))], namespace={"double": lambda self: self.c * 2})
print(C(1, 2), C(1, 2).double(), C.__name__, C.__annotations__)
show("make keyword", lambda: make_dataclass("C", ["class"]))
show("make dup", lambda: make_dataclass("C", ["a", "a"]))
show("make ident", lambda: make_dataclass("C", ["1a"]))
f = fields(Point)[1]
print(f.name, f.type, f.default, f.default_factory is MISSING, f.init, f.repr, f.hash, f.compare, dict(f.metadata), f.kw_only)
show("both defaults", lambda: field(default=1, default_factory=list))
print(fields(make_dataclass("Meta", [("x", int, field(metadata={"unit": "m"}))]))[0].metadata["unit"])


def no_annotation():
    @dataclass
    class N:
        x = field()


show("no annotation", no_annotation)


@dataclass
class Abs(ABC):
    x: int

    @abstractmethod
    def f(self): ...


show("abstract", lambda: Abs(1))


@dataclass
class Con(Abs):
    y: int = 2

    def f(self):
        return self.x + self.y


print(Con(1).f(), Con(1))
match Point(3, 4):
    case Point(a, b):
        print("matched", a, b)
match Point(3, 4):
    case Point(x=3):
        print("matched kw")


@dataclass
class Rec:
    me: Any = None


r = Rec()
r.me = r
print(r)
r.me = None


@dataclass
class Sup:
    x: int

    def __init_subclass__(cls, **kw):
        cls.tag = kw.get("tag")


class Subc(Sup, tag="t"):
    pass


print(Subc(1), Subc.tag, Subc(1) == Subc(1))


@dataclass
class Desc:
    a: int = 1

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 10)


print(Desc(2).a, Desc.__init__.__qualname__)


@dataclass
class Gen(typing.Generic[typing.TypeVar("T")]):
    item: int


print(Gen(1), Gen[int](2))
print(Point(1).__eq__(5), Point.__hash__, V.__hash__ is not None, sorted(dataclasses.__all__))
print(repr(fields(Point)[0])[:40])
