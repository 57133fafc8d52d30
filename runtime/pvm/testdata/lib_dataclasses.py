# dataclasses.
from dataclasses import dataclass, field, fields, asdict, astuple, replace, FrozenInstanceError, InitVar, KW_ONLY, is_dataclass, make_dataclass
from typing import ClassVar
@dataclass
class P:
    x: int
    y: int = 0
    tags: list = field(default_factory=list)
    kind: ClassVar[str] = "point"
p = P(1)
q = P(1, 2, ["a"])
print(p, q, p == P(1), p != q, p.tags is P(1).tags, P.kind, asdict(q), astuple(q), replace(q, x=9), [f.name for f in fields(P)], is_dataclass(P), is_dataclass(p), is_dataclass(5), P.__match_args__)
for f in (lambda: P(), lambda: P(1, 2, 3, 4), lambda: P(z=1), lambda: p < q, lambda: hash(p), lambda: replace(p, nope=1), lambda: asdict(5), lambda: fields(5)):
    try:
        print(f())
    except TypeError as e:
        print(e)
@dataclass(order=True, frozen=True)
class V:
    major: int
    minor: int = 0
    note: str = field(default="", compare=False, repr=False)
a, b = V(1, 2, "x"), V(1, 3)
print(a, a < b, a <= a, b > a, sorted([b, a]), hash(a) == hash(V(1, 2, "y")), a == V(1, 2, "z"), {a: 1}[V(1, 2)], max(a, b))
for f in (lambda: setattr(a, "major", 5), lambda: delattr(a, "minor")):
    try:
        f()
    except FrozenInstanceError as e:
        print(type(e).__name__, e)
@dataclass
class Base:
    a: int
    b: str = "b"
@dataclass
class Derived(Base):
    c: float = 1.5
    a: int = 7
    def __post_init__(self): self.total = self.a + self.c
print(Derived(), Derived(1, "z", 2.0).total, [f.name for f in fields(Derived)])
@dataclass
class Init:
    width: int
    scale: InitVar[int] = 2
    area: int = field(init=False)
    hidden: int = field(default=3, repr=False)
    def __post_init__(self, scale): self.area = self.width * scale
print(Init(5), Init(5, 10).area, Init(1).hidden)
@dataclass
class KW:
    a: int
    _: KW_ONLY
    b: int = 1
    c: int = field(kw_only=True, default=2)
print(KW(1, b=5), KW(1, c=7, b=0))
try:
    KW(1, 2)
except TypeError as e:
    print(e)
@dataclass(kw_only=True)
class AllKW: x: int; y: int = 2
print(AllKW(x=1))
@dataclass(eq=False)
class NoEq: x: int
print(NoEq(1) == NoEq(1), NoEq(1).x)
@dataclass(repr=False, init=False)
class Bare:
    x: int = 5
print(Bare().x, "Bare object" in repr(Bare()))
@dataclass(slots=True)
class S: x: int; y: int = 3
s = S(1)
print(s, hasattr(s, "__dict__"), S.__slots__)
try:
    s.z = 1
except AttributeError as e:
    print(e)
@dataclass(unsafe_hash=True)
class H: x: int
print(hash(H(1)) == hash(H(1)))
@dataclass
class Node:
    v: int
    children: list["Node"] = field(default_factory=list)
    meta: dict = field(default_factory=dict)
n = Node(1, [Node(2), Node(3, [Node(4)])], {"k": (1, [2])})
print(n, asdict(n), astuple(n))
for body in ("mutable", "order", "field after default"):
    try:
        if body == "mutable":
            @dataclass
            class Bad1: x: list = []
        elif body == "order":
            @dataclass(order=True, eq=False)
            class Bad2: x: int
        else:
            @dataclass
            class Bad3:
                x: int = 1
                y: int
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
C = make_dataclass("C", ["x", ("y", int), ("z", int, field(default=5))], namespace={"add": lambda self: self.y + self.z})
print(C(1, 2), C(1, 2).add())
match q:
    case P(x, y, tags=[t]): print("matched", x, y, t)
f = fields(P)[1]
print(f.name, f.type, f.default, fields(P)[2].default_factory, f.init, f.repr, f.compare, f.metadata, field(metadata={"m": 1}).metadata["m"])
@dataclass
class WithRepr:
    x: int
    def __repr__(self): return f"<{self.x}>"
    def __eq__(self, o): return True
print(WithRepr(1), WithRepr(1) == 5, [WithRepr(2)])
