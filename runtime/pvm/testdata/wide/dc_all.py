def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
import dataclasses as D
from dataclasses import dataclass, field, fields, asdict, astuple, replace, make_dataclass, is_dataclass, InitVar, KW_ONLY, FrozenInstanceError, MISSING
from typing import ClassVar, Optional, List
@dataclass
class A:
    x: int
    y: int = 5
    z: list = field(default_factory=list, repr=False)
    c: ClassVar[int] = 9
    w: InitVar[int] = 3
    n: str = field(default='n', compare=False, init=False, metadata={'k': 1})
    def __post_init__(self, w): self.w2 = w
a = A(1); print(a, a.w2, A(1, 2, [3], 4), A(1) == A(1), A(1) == A(2), A.__match_args__, A.__dataclass_params__, is_dataclass(A), is_dataclass(a), is_dataclass(5), A.w, asdict(a), astuple(a))
for f in fields(A): print(f.name, f.type, f.default, f.init, f.repr, f.compare, f.hash, f.kw_only, dict(f.metadata), f.default_factory)
print(fields(A)[0]); t(A); t(A, 1, 2, 3, 4, 5); t(A, 1, n=3); t(A, x=1, q=2); t(hash, a); t(lambda: a < a); t(replace, a, x=7); t(replace, a, x=7, w=1); t(replace, a, n=3); t(replace, a, q=3); t(replace, 5); t(asdict, 5); t(asdict, A); t(astuple, 5); t(fields, 5); t(fields, int)
@dataclass(order=True, frozen=True)
class F:
    a: int
    b: str = 'x'
f = F(1); t(setattr, f, 'a', 2); t(delattr, f, 'a'); t(setattr, f, 'zz', 2); print(hash(f) == hash((1, 'x')), f < F(2), F(1, 'a') < F(1, 'b'), f <= f, f > F(0), sorted([F(2), F(1)]), {f: 1}[F(1)]); t(lambda: f < 5); t(lambda: f == (1, 'x'))
@dataclass(kw_only=True)
class K:
    a: int
    b: int = 1
t(K, 1); t(K, a=1); t(K); print(K.__match_args__)
@dataclass
class K2:
    a: int
    _: KW_ONLY
    b: int = 2
    c: int
    d: int = field(kw_only=False, default=7)
t(K2, 1, c=3); t(K2, 1, 2); t(K2, 1, 4, c=3); print(K2.__match_args__)
@dataclass(slots=True)
class S:
    a: int
    b: int = 2
s = S(1); t(setattr, s, 'z', 1); print(S.__slots__, s); t(lambda: s.__dict__)
@dataclass(slots=True)
class S2(S):
    c: int = 3
print(S2.__slots__, S2(1))
@dataclass(frozen=True, slots=True)
class FS: a: int
t(setattr, FS(1), 'a', 2); t(FS, 1)
@dataclass(eq=False)
class NE: a: int
print(NE(1) == NE(1), NE.__hash__ is object.__hash__)
@dataclass(unsafe_hash=True)
class UH:
    a: int
    b: int = field(default=0, hash=False)
print(hash(UH(1, 2)) == hash(UH(1, 3)))
@dataclass(repr=False, init=False)
class NR:
    a: int = 3
print(repr(NR())[:13], NR().a); t(NR, 1)
@dataclass(match_args=False)
class NM: a: int
t(lambda: NM.__match_args__)
def bad(body, **k):
    ns = {'__annotations__': {}}
    for n, (ty, *d) in body.items():
        ns['__annotations__'][n] = ty
        if d: ns[n] = d[0]
    return dataclass(**k)(type('Bad', (), ns))
t(bad, {'a': (int, 1), 'b': (int,)}); t(bad, {'a': (list, [])}); t(bad, {'a': (dict, {})}); t(bad, {'a': (set, set())}); t(bad, {'a': (int, field(default=1, default_factory=int))}) if 0 else 0
t(field, default=1, default_factory=int); t(bad, {'a': (ClassVar[int], field(default_factory=int))}); t(bad, {'a': (InitVar[int], field(default_factory=int))}); t(bad, {'a': (int,)}, order=True, eq=False); t(bad, {'a': (int,)}, bogus=1); t(field, bogus=1); t(dataclass, 5) if 0 else 0
def b2():
    @dataclass(order=True)
    class X:
        a: int
        def __lt__(s, o): pass
t(b2)
def b3():
    @dataclass(frozen=True)
    class X:
        a: int
        def __setattr__(s, n, v): pass
t(b3)
def b4():
    @dataclass
    class X(F): c: int = 1
t(b4)
def b5():
    @dataclass(frozen=True)
    class X(A): pass
t(b5)
def b6():
    @dataclass(unsafe_hash=True)
    class X:
        def __hash__(s): return 1
t(b6)
def b7():
    @dataclass(slots=True)
    class X:
        __slots__ = ('a',)
        a: int
t(b7)
def b8():
    @dataclass
    class X:
        a = field(default=1)
t(b8)
def b9():
    @dataclass
    class X:
        _: KW_ONLY
        a: int
        __: KW_ONLY
t(b9)
M = make_dataclass('M', ['a', ('b', int), ('c', int, field(default=5))], namespace={'m': lambda s: s.a}, frozen=True, bases=())
print(M(1, 2), M(1, 2).m(), M.__annotations__, M.__name__); t(make_dataclass, 'X', ['a', 'a']); t(make_dataclass, 'X', ['1a']); t(make_dataclass, 'X', ['class']); t(make_dataclass, 'X', [('a',)]) if 0 else 0; t(make_dataclass, 'X', [5])
@dataclass
class Node:
    v: int
    kids: List['Node'] = field(default_factory=list)
    meta: dict = field(default_factory=dict)
n = Node(1, [Node(2), Node(3, meta={'k': Node(4)})]); print(n); print(asdict(n)); print(astuple(n)); print(asdict(n, dict_factory=lambda kv: tuple(kv))); d = asdict(n); d['kids'][0]['v'] = 99; print(n.kids[0].v)
@dataclass
class Base: a: int = 1; b: int = 2
@dataclass
class Der(Base): b: int = 3; c: int = 4
print(Der(), [f.name for f in fields(Der)], Der.__match_args__, Base() == Der(1, 2), Der.__doc__, Base.__doc__, Node.__doc__)
match Der(5, 6, 7):
    case Der(5, b, c=7): print('matched', b)
@dataclass
class Rec:
    me: Optional['Rec'] = None
@dataclass
class Prop:
    _x: int = 0
    @property
    def x(s): return s._x
    def __repr__(s): return 'own'
print(Prop(3), Prop(3).x)
from collections import namedtuple, defaultdict, OrderedDict
P = namedtuple('P', 'x y')
@dataclass
class Cont:
    p: P; d: dict; o: OrderedDict; t: tuple
c = Cont(P(1, A(1)), {'k': [A(2)]}, OrderedDict(z=A(3)), (A(4), [A(5)])); print(asdict(c)); print(astuple(c))
print(MISSING is D.MISSING, type(MISSING).__name__, KW_ONLY, InitVar[int], type(InitVar[int]).__name__, [x for x in D.__all__])
@dataclass
class PI:
    a: int
    b: InitVar[str]
    def __post_init__(self, b): self.a = self.a + len(b)
print(PI(1, 'xyz')); t(PI, 1); t(replace, PI(1, 'a'), a=2)
